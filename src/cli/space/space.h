/* What the program needs to know of space. */
#ifndef TR_CLI_SPACE_H
#define TR_CLI_SPACE_H

#include "solver/space/geometry.h"
#include "trammel/trammel.h"

/* A camera infinitely far away: pictures have the same scale everywhere. */
#define TR3_HAS_CAMERA true
typedef struct tr3_camera {
    tr_dvec3 right, up, back; /* unit vectors of the world: those of the picture, and from the picture to the viewer */
} tr3_camera;

/*
 * Two angles in degrees say where the camera stands: how far it has gone round the vertical, to the right, and how high
 * above the horizon it is; null: the default. Up is the axis of the world along which gravity pulls most, either way;
 * without gravity it is y. At angles 0, 0 and gravity along -y the picture has x to the right and y up.
 */
tr3_camera tr3_camera_make(const tr3_scene *scene, const double *angles);
#define TR3_CAMERA_YAW   35.0
#define TR3_CAMERA_PITCH 20.0

/* The place of a body's point in the world. */
static inline tr_dvec3 tr3_place(const tr3_transform *t, tr_vec3 p)
{
    return tr3_plus(t->position, tr3_turned(tr3_widen_quat(t->rotation), tr3_widen(p)));
}

/* The place in the picture's plane, in m, of a point of the world, and of one of a body. */
static inline tr_dvec2 tr3_camera_at(const tr3_camera *camera, tr_dvec3 point)
{
    return (tr_dvec2){tr3_dot(camera->right, point), tr3_dot(camera->up, point)};
}

static inline tr_dvec2 tr3_camera_place(const tr3_camera *camera, const tr3_transform *t, tr_vec3 p)
{
    return tr3_camera_at(camera, tr3_place(t, p));
}

/* The frame of the world as that of a body. */
static inline tr3_transform tr3_frame_at(tr_dvec3 origin)
{
    return (tr3_transform){origin, {0.0f, 0.0f, 0.0f, 1.0f}};
}

/* Point k of those that bound a shape, and the radius about it; returns how many there are. */
uint32_t tr3_shape_bound(const tr3_scene *scene, const tr3_scene_shape *shape, uint32_t k, tr_vec3 *point,
                         double *radius);

/* No joint in space holds on to points of the world. */
static inline uint32_t tr3_joint_ground(const tr3_joint_def *def, uint32_t k, tr_dvec3 *point)
{
    (void)def;
    (void)k;
    (void)point;
    return 0;
}

/* Every joint in space measures from a place on its bodies. */
static inline bool tr3_joint_only_pushes(const tr3_joint_def *def)
{
    (void)def;
    return false;
}

/* Whether a joint can add energy, beside its motor, and whether it can only take it away. */
static inline bool tr3_joint_is_driven(const tr3_joint_def *def)
{
    (void)def;
    return false;
}

static inline bool tr3_joint_is_rubbed(const tr3_joint_def *def)
{
    return def->friction > 0.0f;
}

/* Whether torques turn a body. */
static inline bool tr3_body_turns(const tr3_body_def *def)
{
    return !def->fixed_rotation && !tr3_is_same_inertia(def->inertia, (tr_sym3){0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f});
}

/* Whether a joint holds nothing, and so closes no loop. */
static inline bool tr3_joint_is_loose(const tr3_joint_def *def)
{
    return def->type == TR3_JOINT_INERTER;
}

/* Leaves of a joint what it always holds. */
static inline void tr3_joint_strip(tr3_joint_def *def)
{
    const tr3_joint_def bare = tr3_joint_def_default(def->type);
    def->spring = bare.spring;
    def->motor = bare.motor;
    def->limit = bare.limit;
    def->cone_angle = bare.cone_angle;
    def->cone_angle_2 = bare.cone_angle_2;
    def->twist = bare.twist;
    def->inertance = bare.inertance;
    tr3_features *const further[] = {&def->second, &def->third, &def->fourth, &def->fifth, &def->sixth};
    for (uint32_t i = 0; i < TR3_COORDINATES - 1; ++i) {
        const bool locked = further[i]->locked;
        *further[i] = bare.second;
        further[i]->locked = locked;
    }
}

/* One body in one frame of a trajectory. */
typedef struct tr3_state {
    double x, y, z;        /* m, of the body's origin */
    double qx, qy, qz, qw; /* the rotation of the body's frame */
    double vx, vy, vz;     /* m/s, of the centre of mass */
    double wx, wy, wz;     /* rad/s, in world axes */
    double asleep;         /* 1: it sleeps; 0: it does not */
} tr3_state;

#define TR3_STATE_COLUMNS "x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep"
#define TR3_STATE_PLACES  3 /* the first numbers are doubles, the others floats */

/* How much room a frame of a body takes in a moving picture, against one in the plane. */
#define TR3_FRAME_WEIGHT 10

/* A static body whose centre is within so many typical reaches of a joint is in the picture of what hangs on it. */
#define TR3_SUPPORT_REACH 3.0

static inline tr3_state tr3_state_of(const tr3_body_def *now)
{
    return (tr3_state){now->position.x,
                       now->position.y,
                       now->position.z,
                       (double)now->rotation.x,
                       (double)now->rotation.y,
                       (double)now->rotation.z,
                       (double)now->rotation.w,
                       (double)now->velocity.x,
                       (double)now->velocity.y,
                       (double)now->velocity.z,
                       (double)now->angular_velocity.x,
                       (double)now->angular_velocity.y,
                       (double)now->angular_velocity.z,
                       now->awake ? 0.0 : 1.0};
}

/* Why shapes of the scene do not collide. */
static inline const char *tr3_no_collision(const tr3_scene *scene)
{
    (void)scene;
    return "shapes do not collide: worlds in space find no contacts of their own";
}

static inline bool tr3_world_collides(const tr3_world *world)
{
    (void)world;
    return false;
}

/* The place in the world of a point of a body, as its definition has it. */
static inline tr_dvec3 tr3_def_place(const tr3_body_def *def, tr_vec3 p)
{
    return tr3_plus(def->position, tr3_turned(tr3_normalised(tr3_widen_quat(def->rotation)), tr3_widen(p)));
}

static inline bool tr3_shape_is_sensor(const tr3_scene_shape *shape)
{
    (void)shape;
    return false;
}

static inline double tr3_distance(tr_dvec3 a, tr_dvec3 b)
{
    const tr_dvec3 d = tr3_minus(a, b);
    return sqrt(tr3_dot(d, d));
}

#endif
