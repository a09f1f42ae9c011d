/* Joints in space with everything that their types have. */
#ifndef TR_TESTS_SPACE_FEATURES_H
#define TR_TESTS_SPACE_FEATURES_H

#include "solver/space/definitions.h"
#include "trammel/trammel.h"

/* the number of free coordinates that have all features; those of a ball have not */
static inline uint32_t space_coordinates(tr3_joint_type type)
{
    uint32_t count = 0;
    while (count < TR3_COORDINATES && tr3_joint_type_has(type, tr3_field_of(TR3_FIELD_LIMIT_ENABLE, count)) &&
           tr3_joint_type_has(type, tr3_field_of(TR3_FIELD_MOTOR_ENABLE, count)))
        count++;
    return count;
}

/* how many of a type's coordinates are travels, and come first */
static inline uint32_t space_slides(tr3_joint_type type)
{
    static const uint32_t slides[TR3_JOINT_TYPE_COUNT] = {
        [TR3_JOINT_SLIDER] = 1, [TR3_JOINT_CYLINDRICAL] = 1, [TR3_JOINT_PLANAR] = 2, [TR3_JOINT_LINE] = 1,
        [TR3_JOINT_PLANE] = 2,  [TR3_JOINT_GENERAL] = 3,     [TR3_JOINT_SCREW] = 1};
    return slides[type];
}

/* all features on every coordinate of a joint with a frame, other ones for each `i` and coordinate */
static inline void space_give_features(tr3_joint_def *def, uint32_t i)
{
    for (uint32_t k = 0; k < space_coordinates(def->type); k++) {
        const bool can_lock = tr3_joint_type_has(def->type, tr3_field_of(TR3_FIELD_LOCKED, k));
        tr3_def_set_features(def, k,
                             (tr3_features){.spring = {(i + k) % 2 == 0, 0.1f, tr_frequency(2.0f, 0.3f)},
                                            .motor = {(i + k) % 3 == 0, 0.5f, 1.0f},
                                            .limit = {i % 4 != 3 || k < space_slides(def->type), -0.4f, 0.5f},
                                            .friction = 0.05f,
                                            .locked = can_lock && (i + k) % 5 == 0});
    }
    if (tr3_joint_type_has(def->type, TR3_FIELD_ANGULAR_A) && i % 5 == 4)
        def->angular = tr_frequency(6.0f, 0.5f);
}

#endif
