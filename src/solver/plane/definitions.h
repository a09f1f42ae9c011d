/* What differs between the definitions of the two dimensions, for code that is common to both. */
#ifndef TR_PLANE_DEFINITIONS_H
#define TR_PLANE_DEFINITIONS_H

#include "plan/plan.h"
#include "solver/plane/geometry.h"
#include "solver/plane/joint_fields.h"
#include "trammel/joints2.h"

/* Fields whose columns always exist: prepare takes a missing one to mean that the type lacks the field, or it is a
   double. */
#define TR2_ALWAYS_HELD (TR2_GROUP_ANCHORS | TR2_GROUP_RATIO | TR2_GROUP_GROUND | TR2_GROUP_MESH)
/* Fields that are stored with length 1. */
#define TR2_NORMALISED (TR2_GROUP_AXIS | TR2_GROUP_AXIS_B)
/* Fields that change what the joint's bodies carry by it, beside anchors and the kind of `linear`: trn_system.loads */
#define TR2_LOADING (TR_BIT(TR2_FIELD_SLIDES_A) | TR_BIT(TR2_FIELD_SLIDES_B))

/* Whether trn_joint_def_initialize() places types with carriers. */
#define TR2_PLACES_CARRIED 0

/* Fields of types whose rows may change where all bodies move as one. */
#define TR2_RATIOS TR2_GROUP_RATIO

/* Defaults of a definition that is all zero, beside those that both dimensions have. */
static inline void tr2_body_def_preset(tr2_body_def *def)
{
    def->inertia = 1.0f;
}

static inline tr2_orientation tr2_def_orientation(const tr2_body_def *def)
{
    return def->angle;
}

static inline bool tr2_def_is_bullet(const tr2_body_def *def)
{
    return def->bullet;
}

/* Writes both. */
static inline void tr2_def_set_own(tr2_body_def *def, tr2_orientation angle, bool bullet)
{
    def->angle = angle;
    def->bullet = bullet;
}

typedef struct tr2_uses {
    bool spring, motor, limit, friction;
} tr2_uses;

/* Which features of a free coordinate are on; there is one coordinate. */
static inline tr2_uses tr2_def_uses(const tr2_joint_def *def, uint32_t coordinate)
{
    (void)coordinate;
    return (tr2_uses){def->spring.enable, def->motor.enable, def->limit.enable, def->friction > 0.0f};
}

static inline tr2_uses tr2_def_uses_first(const tr2_joint_def *def)
{
    return tr2_def_uses(def, 0);
}

/* A and B, then the carriers; the null id is the world. */
static inline tr2_body tr2_def_end(const tr2_joint_def *def, uint32_t end)
{
    const tr2_body body[TR_ENDS] = {def->body_a, def->body_b, def->carrier_a, def->carrier_b};
    return body[end];
}

static inline void tr2_def_set_carriers(tr2_joint_def *def, tr2_body a, tr2_body b)
{
    def->carrier_a = a;
    def->carrier_b = b;
}

#endif
