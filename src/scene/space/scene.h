/* Scenes in space: solids, carriers of gears and pulleys. */
#ifndef TR_SCENE_SPACE_SCENE_H
#define TR_SCENE_SPACE_SCENE_H

#include "trammel/scene3.h"

#define TR3_SCENE_AXES 3
/* The format of files that are not our own: none is read. */
#define TR3_SCENE_OTHER_FORMAT "unknown"
/* Keys of a joint beside those of its definition, and of a world. */
#define TR3_SCENE_JOINT_KEYS "carrier_a", "carrier_b",
#define TR3_SCENE_WORLD_KEYS

/* The carrier of end 0 or 1 of a gear or pulley, as index + 1. */
static inline uint32_t *tr3_scene_carrier(tr3_scene_joint *joint, uint32_t end)
{
    return end == 0 ? &joint->carrier_a : &joint->carrier_b;
}

static inline tr3_body *tr3_scene_carrier_id(tr3_joint_def *def, uint32_t end)
{
    return end == 0 ? &def->carrier_a : &def->carrier_b;
}

static inline bool tr3_scene_has_carriers(tr3_joint_type type)
{
    return type == TR3_JOINT_GEAR || type == TR3_JOINT_PULLEY;
}

/* Mass, centre of mass and inertia of one body's shapes, from their volumes and densities. */
typedef struct tr3_mass {
    double mass;      /* kg; 0 if no shape has volume and density */
    tr_dvec3 center;  /* m, in the body's frame */
    tr_dsym3 inertia; /* kg m^2 about the centre of mass, in the axes of the body's frame */
} tr3_mass;

/* Mass of shapes first .. first + count - 1, which must be of one body. */
tr3_mass tr3_scene_mass(const tr3_scene *scene, uint32_t first, uint32_t count);

/* The axes of a frame that is turned, and the tensor of moments about three axes at right angles. */
void tr3_axes_of(tr3_dquat turn, tr_dvec3 axes[3]);
tr_dsym3 tr3_tensor_of(const double moments[3], const tr_dvec3 axes[3]);

/* Joins a part to a whole; either may have no mass. */
void tr3_mass_add(tr3_mass *whole, const tr3_mass *part);
/* Gives a body this mass, centre and inertia; products of inertia that are zero but for rounding become zero. False if
   a number does not fit a float; the body may be changed then. */
bool tr3_mass_set(const tr3_mass *mass, tr3_body_def *def);

#endif
