/* What the program needs to know of the plane. */
#ifndef TR_CLI_PLANE_H
#define TR_CLI_PLANE_H

#include <math.h>

#include "scene/common.h"
#include "trammel/trammel.h"

/* Pictures show the plane as it is. */
#define TR2_HAS_CAMERA false
typedef struct tr2_camera {
    char none;
} tr2_camera;

static inline tr2_camera tr2_camera_make(const tr2_scene *scene, const double *angles)
{
    (void)scene;
    (void)angles;
    return (tr2_camera){0};
}

/* The place in the picture's plane, in m, of a point of the world, and of one of a body. */
static inline tr_dvec2 tr2_camera_at(const tr2_camera *camera, tr_dvec2 point)
{
    (void)camera;
    return point;
}

static inline tr_dvec2 tr2_camera_place(const tr2_camera *camera, const tr2_transform *t, tr_vec2 p)
{
    (void)camera;
    return (tr_dvec2){t->position.x + (double)t->c * p.x - (double)t->s * p.y,
                      t->position.y + (double)t->s * p.x + (double)t->c * p.y};
}

/* The frame of the world as that of a body. */
static inline tr2_transform tr2_frame_at(tr_dvec2 origin)
{
    return (tr2_transform){origin, 0.0, 1.0f, 0.0f};
}

/* Point k of those that bound a shape, and the radius about it; returns how many there are. */
static inline uint32_t tr2_shape_bound(const tr2_scene *scene, const tr2_scene_shape *shape, uint32_t k, tr_vec2 *point,
                                       double *radius)
{
    if (k < shape->vertex_count) {
        *point = scene->vertices[shape->first_vertex + k];
        *radius = (double)shape->radius;
    }
    return shape->vertex_count;
}

/* Point k of those in the world that a joint holds on to; returns how many there are. */
static inline uint32_t tr2_joint_ground(const tr2_joint_def *def, uint32_t k, tr_dvec2 *point)
{
    if (!tr2_joint_type_has(def->type, TR2_FIELD_GROUND_A_X)) {
        return 0;
    }
    *point = k == 0 ? def->ground_a : def->ground_b;
    return 2;
}

/* Whether a joint neither holds a place on its bodies nor measures from one, but only pushes or rubs: its end on a
   static body is then no place in the picture. */
bool tr2_joint_only_pushes(const tr2_joint_def *def);

/* Whether a joint can add energy, and whether it can only take it away. */
bool tr2_joint_is_driven(const tr2_joint_def *def);
bool tr2_joint_is_rubbed(const tr2_joint_def *def);

/* Whether a joint holds nothing, and so closes no loop: none is counted as that. */
static inline bool tr2_joint_is_loose(const tr2_joint_def *def)
{
    (void)def;
    return false;
}

/* Whether torques turn a body. */
static inline bool tr2_body_turns(const tr2_body_def *def)
{
    return !def->fixed_rotation && def->inertia > 0.0f;
}

/* Leaves of a joint what it always holds. */
static inline void tr2_joint_strip(tr2_joint_def *def)
{
    const tr2_joint_def bare = tr2_joint_def_default(def->type);
    def->spring = bare.spring;
    def->motor = bare.motor;
    def->limit = bare.limit;
}

/* One body in one frame of a trajectory. */
typedef struct tr2_state {
    double x, y, angle; /* m, m, rad; of the body's origin; the angle is not wrapped */
    double vx, vy, w;   /* m/s of the centre of mass, rad/s */
    double asleep;      /* 1: it sleeps; 0: it does not */
} tr2_state;

#define TR2_STATE_COLUMNS "x,y,angle,vx,vy,w,asleep"
#define TR2_STATE_PLACES  3 /* the first numbers are doubles, the others floats */

/* How much room a frame of a body takes in a moving picture. */
#define TR2_FRAME_WEIGHT 1

/* Pictures show of static bodies what is near those that move. */
#define TR2_SUPPORT_REACH 0.0

static inline tr2_state tr2_state_of(const tr2_body_def *now)
{
    return (tr2_state){now->position.x,         now->position.y,         now->angle,
                       (double)now->velocity.x, (double)now->velocity.y, (double)now->angular_velocity,
                       now->awake ? 0.0 : 1.0};
}

/* Why shapes of the scene do not collide; null if they do. */
static inline const char *tr2_no_collision(const tr2_scene *scene)
{
    return scene->collide ? TR_NULL : tr_scene_no_collision;
}

static inline bool tr2_world_collides(const tr2_world *world)
{
    return tr2_world_shapes(world).count > 0;
}

/* The place in the world of a point of a body, as its definition has it. */
static inline tr_dvec2 tr2_def_place(const tr2_body_def *def, tr_vec2 p)
{
    double c = cos(def->angle), s = sin(def->angle);
    return (tr_dvec2){def->position.x + c * p.x - s * p.y, def->position.y + s * p.x + c * p.y};
}

static inline bool tr2_shape_is_sensor(const tr2_scene_shape *shape)
{
    return shape->sensor;
}

static inline double tr2_distance(tr_dvec2 a, tr_dvec2 b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

#endif
