/* Scenes of the plane: shapes with vertices, carriers of gears, settings of contacts. */
#ifndef TR_SCENE_PLANE_SCENE_H
#define TR_SCENE_PLANE_SCENE_H

#include "trammel/scene2.h"

struct tr2_builder;

#define TR2_SCENE_AXES 2
/* The format of files that are not our own. */
#define TR2_SCENE_OTHER_FORMAT "rube"
/* Keys of a joint beside those of its definition, and of a world, that only the plane has. */
#define TR2_SCENE_JOINT_KEYS "carrier_a", "carrier_b",
#define TR2_SCENE_WORLD_KEYS "collide", "contacts",

/* The carrier of end 0 or 1 of a gear, as index + 1; null in a dimension without. */
static inline uint32_t *tr2_scene_carrier(tr2_scene_joint *joint, uint32_t end)
{
    return end == 0 ? &joint->carrier_a : &joint->carrier_b;
}

static inline tr2_body *tr2_scene_carrier_id(tr2_joint_def *def, uint32_t end)
{
    return end == 0 ? &def->carrier_a : &def->carrier_b;
}

static inline bool tr2_scene_has_carriers(tr2_joint_type type)
{
    return type == TR2_JOINT_GEAR;
}

/* Reserves room if the count is known. TR_ERROR_MEMORY. */
tr_status tr2_builder_reserve_vertices(struct tr2_builder *builder, uint32_t count, tr_error *error);
/* Appends a vertex to the last shape. */
tr_status tr2_builder_vertex(struct tr2_builder *builder, tr_vec2 vertex, tr_error *error);

/* A shape type: its name in files, its number of vertices, and the kind of the world's shape if it becomes a single
   one. */
typedef struct tr2_scene_shape_info {
    const char *name;
    uint32_t least, most; /* number of vertices */
    tr2_shape_kind kind;
} tr2_scene_shape_info;

extern const tr2_scene_shape_info tr2_scene_shape_infos[TR2_SCENE_SHAPE_TYPE_COUNT];

/* Whether a polygon becomes a single shape of a world: it is convex and has no more corners than a shape can have. */
bool tr2_scene_is_convex(const tr2_scene *scene, const tr2_scene_shape *polygon);

/* Makes a polygon counter-clockwise; false if its area is no larger than rounding error. */
bool tr2_scene_orient(tr_vec2 *vertices, uint32_t count);

/* The keys of a world's "contacts", and the members of tr2_contact_settings. */
typedef struct tr2_contact_number {
    const char *key;
    size_t offset;
} tr2_contact_number;

#define TR2_CONTACT_NUMBER_COUNT   5
#define TR2_FRICTION_MIXING_KEY    "friction_mixing"
#define TR2_RESTITUTION_MIXING_KEY "restitution_mixing"
extern const tr2_contact_number tr2_contact_numbers[TR2_CONTACT_NUMBER_COUNT];

/* Mass, centre of mass and inertia of one body's shapes, from their areas and densities. */
typedef struct tr2_mass {
    double mass;    /* kg; 0 if no shape has area and density */
    double x, y;    /* m, the centre of mass in the body's frame */
    double inertia; /* kg m^2 about the centre of mass */
} tr2_mass;

/* Mass of shapes first .. first + count - 1, which must be of one body. Chains have no area; polygons must be
   counter-clockwise. */
tr2_mass tr2_scene_mass(const tr2_scene *scene, uint32_t first, uint32_t count);

#endif
