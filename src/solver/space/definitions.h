/* What differs between the definitions of the two dimensions, for code that is common to both. */
#ifndef TR_SPACE_DEFINITIONS_H
#define TR_SPACE_DEFINITIONS_H

#include "plan/plan.h"
#include "solver/space/geometry.h"
#include "solver/space/joint_fields.h"
#include "trammel/joints3.h"

/* Fields whose columns always exist: prepare takes a missing one to mean that the type lacks the field. */
#define TR3_ALWAYS_HELD (TR3_GROUP_ANCHORS | TR3_GROUP_RATIO | TR3_GROUP_MESH)
/* Fields that are stored with length 1. */
#define TR3_NORMALISED (TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_AXIS_2 | TR3_GROUP_AXIS_B)
/* Fields that change what the joint's bodies carry by it, beside anchors and the kind of `linear`: trn_system.loads */
#define TR3_LOADING TR3_GROUP_SLIDES

/* Whether trn_joint_def_initialize() places types with carriers. */
#define TR3_PLACES_CARRIED 1

/* Fields of types whose rows may change where all bodies move as one. */
#define TR3_RATIOS TR3_GROUP_RATIO

/* Defaults of a definition that is all zero, beside those that both dimensions have. */
static inline void tr3_body_def_preset(tr3_body_def *def)
{
    def->rotation.w = 1.0f;
    def->inertia.xx = def->inertia.yy = def->inertia.zz = 1.0f;
}

static inline tr3_orientation tr3_def_orientation(const tr3_body_def *def)
{
    return def->rotation;
}

/* Without shapes, nothing can tunnel. */
static inline bool tr3_def_is_bullet(const tr3_body_def *def)
{
    (void)def;
    return false;
}

/* Writes both. */
static inline void tr3_def_set_own(tr3_body_def *def, tr3_orientation rotation, bool bullet)
{
    def->rotation = rotation;
    (void)bullet;
}

/* The features of a free coordinate, counted from 0. */
static inline tr3_features tr3_def_features(const tr3_joint_def *def, uint32_t coordinate)
{
    const tr3_features *const further[] = {&def->second, &def->third, &def->fourth, &def->fifth, &def->sixth};
    if (coordinate > 0)
        return *further[coordinate - 1];
    return (tr3_features){def->spring, def->spring_force, def->motor, def->limit, def->friction, def->locked};
}

static inline void tr3_def_set_features(tr3_joint_def *def, uint32_t coordinate, tr3_features f)
{
    tr3_features *const further[] = {&def->second, &def->third, &def->fourth, &def->fifth, &def->sixth};
    if (coordinate > 0) {
        *further[coordinate - 1] = f;
        return;
    }
    def->spring = f.spring;
    def->spring_force = f.spring_force;
    def->motor = f.motor;
    def->limit = f.limit;
    def->friction = f.friction;
    def->locked = f.locked;
}

typedef struct tr3_uses {
    bool spring, motor, limit, friction;
} tr3_uses;

/* Which of them are on. */
static inline tr3_uses tr3_def_uses(const tr3_joint_def *def, uint32_t coordinate)
{
    const tr3_features f = tr3_def_features(def, coordinate);
    return (tr3_uses){f.spring.enable, f.motor.enable, f.limit.enable, f.friction > 0.0f};
}

/* Which features are on that have impulses before those of the coordinates, or of the only one: of a BALL the spring
   `angular`, cone and twist, and friction. */
static inline tr3_uses tr3_def_uses_first(const tr3_joint_def *def)
{
    tr3_uses uses = tr3_def_uses(def, 0);
    if (def->type == TR3_JOINT_BALL) {
        uses.spring = def->angular.kind != TR_FREQUENCY || def->angular.a > 0.0f;
        uses.limit = def->twist.enable || def->cone_angle < 3.14159f || def->cone_angle_2 > 0.0f;
    }
    return uses;
}

/* A and B, then the carriers; the null id is the world. */
static inline tr3_body tr3_def_end(const tr3_joint_def *def, uint32_t end)
{
    const tr3_body body[TR_ENDS] = {def->body_a, def->body_b, def->carrier_a, def->carrier_b};
    return body[end];
}

static inline void tr3_def_set_carriers(tr3_joint_def *def, tr3_body a, tr3_body b)
{
    def->carrier_a = a;
    def->carrier_b = b;
}

#endif
