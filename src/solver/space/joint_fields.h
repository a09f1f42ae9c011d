/*
 * The fields of a joint definition in space: the single list behind columns, checks, scene files and the public
 * enumeration; and groups of them.
 *
 * X(enumerator, kind, member of tr3_joint_def); kinds are those of trn_field_kind (solver/core/joint_fields.h).
 */
#ifndef TR_SPACE_JOINT_FIELDS_H
#define TR_SPACE_JOINT_FIELDS_H

/* the features of a further coordinate, in the order of those of the first: SPRING_ENABLE to LOCKED */
#define TR3_FEATURE_FIELDS(X, N, member)                                                                               \
    X(TR3_FIELD_##N##_SPRING_ENABLE, BOOL, member.spring.enable)                                                       \
    X(TR3_FIELD_##N##_SPRING_TARGET, FLOAT, member.spring.target)                                                      \
    X(TR3_FIELD_##N##_SPRING_KIND, KIND, member.spring.softness.kind)                                                  \
    X(TR3_FIELD_##N##_SPRING_A, NOT_NEGATIVE, member.spring.softness.a)                                                \
    X(TR3_FIELD_##N##_SPRING_B, NOT_NEGATIVE, member.spring.softness.b)                                                \
    X(TR3_FIELD_##N##_MOTOR_ENABLE, BOOL, member.motor.enable)                                                         \
    X(TR3_FIELD_##N##_MOTOR_SPEED, FLOAT, member.motor.speed)                                                          \
    X(TR3_FIELD_##N##_MOTOR_MAXIMUM, NOT_NEGATIVE, member.motor.maximum)                                               \
    X(TR3_FIELD_##N##_LIMIT_ENABLE, BOOL, member.limit.enable)                                                         \
    X(TR3_FIELD_##N##_LIMIT_LOWER, FLOAT, member.limit.lower)                                                          \
    X(TR3_FIELD_##N##_LIMIT_UPPER, FLOAT, member.limit.upper)                                                          \
    X(TR3_FIELD_##N##_SPRING_FORCE_LOWER, NOT_POSITIVE, member.spring_force.lower)                                     \
    X(TR3_FIELD_##N##_SPRING_FORCE_UPPER, NOT_NEGATIVE, member.spring_force.upper)                                     \
    X(TR3_FIELD_##N##_FRICTION, NOT_NEGATIVE, member.friction)                                                         \
    X(TR3_FIELD_##N##_LOCKED, BOOL, member.locked)

#define TR3_JOINT_FIELDS(X)                                                                                            \
    X(TR3_FIELD_ANCHOR_A_X, FLOAT, anchor_a.x)                                                                         \
    X(TR3_FIELD_ANCHOR_A_Y, FLOAT, anchor_a.y)                                                                         \
    X(TR3_FIELD_ANCHOR_A_Z, FLOAT, anchor_a.z)                                                                         \
    X(TR3_FIELD_ANCHOR_B_X, FLOAT, anchor_b.x)                                                                         \
    X(TR3_FIELD_ANCHOR_B_Y, FLOAT, anchor_b.y)                                                                         \
    X(TR3_FIELD_ANCHOR_B_Z, FLOAT, anchor_b.z)                                                                         \
    X(TR3_FIELD_AXIS_X, FLOAT, axis.x)                                                                                 \
    X(TR3_FIELD_AXIS_Y, FLOAT, axis.y)                                                                                 \
    X(TR3_FIELD_AXIS_Z, FLOAT, axis.z)                                                                                 \
    X(TR3_FIELD_REFERENCE_X, FLOAT, reference.x)                                                                       \
    X(TR3_FIELD_REFERENCE_Y, FLOAT, reference.y)                                                                       \
    X(TR3_FIELD_REFERENCE_Z, FLOAT, reference.z)                                                                       \
    X(TR3_FIELD_REFERENCE_W, FLOAT, reference.w)                                                                       \
    X(TR3_FIELD_LENGTH, NOT_NEGATIVE, length)                                                                          \
    X(TR3_FIELD_LINEAR_KIND, KIND, linear.kind)                                                                        \
    X(TR3_FIELD_LINEAR_A, NOT_NEGATIVE, linear.a)                                                                      \
    X(TR3_FIELD_LINEAR_B, NOT_NEGATIVE, linear.b)                                                                      \
    X(TR3_FIELD_ANGULAR_KIND, KIND, angular.kind)                                                                      \
    X(TR3_FIELD_ANGULAR_A, NOT_NEGATIVE, angular.a)                                                                    \
    X(TR3_FIELD_ANGULAR_B, NOT_NEGATIVE, angular.b)                                                                    \
    X(TR3_FIELD_SPRING_ENABLE, BOOL, spring.enable)                                                                    \
    X(TR3_FIELD_SPRING_TARGET, FLOAT, spring.target)                                                                   \
    X(TR3_FIELD_SPRING_KIND, KIND, spring.softness.kind)                                                               \
    X(TR3_FIELD_SPRING_A, NOT_NEGATIVE, spring.softness.a)                                                             \
    X(TR3_FIELD_SPRING_B, NOT_NEGATIVE, spring.softness.b)                                                             \
    X(TR3_FIELD_MOTOR_ENABLE, BOOL, motor.enable)                                                                      \
    X(TR3_FIELD_MOTOR_SPEED, FLOAT, motor.speed)                                                                       \
    X(TR3_FIELD_MOTOR_MAXIMUM, NOT_NEGATIVE, motor.maximum)                                                            \
    X(TR3_FIELD_LIMIT_ENABLE, BOOL, limit.enable)                                                                      \
    X(TR3_FIELD_LIMIT_LOWER, FLOAT, limit.lower)                                                                       \
    X(TR3_FIELD_LIMIT_UPPER, FLOAT, limit.upper)                                                                       \
    X(TR3_FIELD_SPRING_FORCE_LOWER, NOT_POSITIVE, spring_force.lower)                                                  \
    X(TR3_FIELD_SPRING_FORCE_UPPER, NOT_NEGATIVE, spring_force.upper)                                                  \
    X(TR3_FIELD_FRICTION, NOT_NEGATIVE, friction)                                                                      \
    X(TR3_FIELD_LOCKED, BOOL, locked)                                                                                  \
    X(TR3_FIELD_CONE_ANGLE, NOT_NEGATIVE, cone_angle)                                                                  \
    X(TR3_FIELD_CONE_ANGLE_2, NOT_NEGATIVE, cone_angle_2)                                                              \
    X(TR3_FIELD_TWIST_ENABLE, BOOL, twist.enable)                                                                      \
    X(TR3_FIELD_TWIST_LOWER, FLOAT, twist.lower)                                                                       \
    X(TR3_FIELD_TWIST_UPPER, FLOAT, twist.upper)                                                                       \
    X(TR3_FIELD_AXIS_2_X, FLOAT, axis_2.x)                                                                             \
    X(TR3_FIELD_AXIS_2_Y, FLOAT, axis_2.y)                                                                             \
    X(TR3_FIELD_AXIS_2_Z, FLOAT, axis_2.z)                                                                             \
    X(TR3_FIELD_MAX_FORCE, NOT_NEGATIVE, max_force)                                                                    \
    X(TR3_FIELD_MAX_TORQUE, NOT_NEGATIVE, max_torque)                                                                  \
    TR3_FEATURE_FIELDS(X, SECOND, second)                                                                              \
    TR3_FEATURE_FIELDS(X, THIRD, third)                                                                                \
    TR3_FEATURE_FIELDS(X, FOURTH, fourth)                                                                              \
    TR3_FEATURE_FIELDS(X, FIFTH, fifth)                                                                                \
    TR3_FEATURE_FIELDS(X, SIXTH, sixth)                                                                                \
    X(TR3_FIELD_RATIO, NOT_ZERO, ratio)                                                                                \
    X(TR3_FIELD_SLIDES_A, BOOL, slides_a)                                                                              \
    X(TR3_FIELD_SLIDES_B, BOOL, slides_b)                                                                              \
    X(TR3_FIELD_MESHED, BOOL, meshed)                                                                                  \
    X(TR3_FIELD_AXIS_B_X, FLOAT, axis_b.x)                                                                             \
    X(TR3_FIELD_AXIS_B_Y, FLOAT, axis_b.y)                                                                             \
    X(TR3_FIELD_AXIS_B_Z, FLOAT, axis_b.z)                                                                             \
    X(TR3_FIELD_PITCH, NOT_ZERO, pitch)                                                                                \
    X(TR3_FIELD_OFFSET, DOUBLE, offset)                                                                                \
    X(TR3_FIELD_REFERENCE_B_X, FLOAT, reference_b.x)                                                                   \
    X(TR3_FIELD_REFERENCE_B_Y, FLOAT, reference_b.y)                                                                   \
    X(TR3_FIELD_REFERENCE_B_Z, FLOAT, reference_b.z)                                                                   \
    X(TR3_FIELD_REFERENCE_B_W, FLOAT, reference_b.w)                                                                   \
    X(TR3_FIELD_GROUND_A_X, DOUBLE, ground_a.x)                                                                        \
    X(TR3_FIELD_GROUND_A_Y, DOUBLE, ground_a.y)                                                                        \
    X(TR3_FIELD_GROUND_A_Z, DOUBLE, ground_a.z)                                                                        \
    X(TR3_FIELD_GROUND_B_X, DOUBLE, ground_b.x)                                                                        \
    X(TR3_FIELD_GROUND_B_Y, DOUBLE, ground_b.y)                                                                        \
    X(TR3_FIELD_GROUND_B_Z, DOUBLE, ground_b.z)                                                                        \
    X(TR3_FIELD_INERTANCE, NOT_NEGATIVE, inertance)                                                                    \
    X(TR3_FIELD_ACROSS, BOOL, across)

/* A set of fields, a bit for each, and where the part begins that 64 bits do not hold. */
__extension__ typedef unsigned __int128 tr3_mask;
#define TR3_MASK_HIGH 64

_Static_assert(TR3_FIELD_PITCH < 8 * sizeof(tr3_mask), "what is not beyond has a bit");

/* the first field after those of further coordinates */
#define TR3_FIELD_AFTER_FURTHER TR3_FIELD_RATIO

/* Groups of fields, as masks over tr3_field, for the table of joint types: those from the first to the last. */
#define TR3_FIELDS(first, last) (((TR_BIT(last) << 1) - 1) & ~(TR_BIT(first) - 1))
/* The masks have no room for these: a type has them as trn_joint_type_info.beyond. */
#define TR3_BEYOND(first, last) .beyond = first, .beyond_count = last - first + 1
#define TR3_BEYOND_MESH         TR3_BEYOND(TR3_FIELD_OFFSET, TR3_FIELD_REFERENCE_B_W)
#define TR3_BEYOND_GROUND       TR3_BEYOND(TR3_FIELD_GROUND_A_X, TR3_FIELD_GROUND_B_Z)
#define TR3_BEYOND_INERTANCE    TR3_BEYOND(TR3_FIELD_INERTANCE, TR3_FIELD_ACROSS)
#define TR3_GROUP_ANCHORS       TR3_FIELDS(TR3_FIELD_ANCHOR_A_X, TR3_FIELD_ANCHOR_B_Z)
#define TR3_GROUP_AXIS          TR3_FIELDS(TR3_FIELD_AXIS_X, TR3_FIELD_AXIS_Z)
#define TR3_GROUP_REFERENCE     TR3_FIELDS(TR3_FIELD_REFERENCE_X, TR3_FIELD_REFERENCE_W)
#define TR3_GROUP_LENGTH        TR_BIT(TR3_FIELD_LENGTH)
#define TR3_GROUP_LINEAR        TR3_FIELDS(TR3_FIELD_LINEAR_KIND, TR3_FIELD_LINEAR_B)
#define TR3_GROUP_ANGULAR       TR3_FIELDS(TR3_FIELD_ANGULAR_KIND, TR3_FIELD_ANGULAR_B)
#define TR3_GROUP_SPRING        (TR3_FIELDS(TR3_FIELD_SPRING_ENABLE, TR3_FIELD_SPRING_B) | TR3_GROUP_FORCES)
#define TR3_GROUP_FORCES        TR3_FIELDS(TR3_FIELD_SPRING_FORCE_LOWER, TR3_FIELD_SPRING_FORCE_UPPER)
#define TR3_GROUP_MOTOR         TR3_FIELDS(TR3_FIELD_MOTOR_ENABLE, TR3_FIELD_MOTOR_MAXIMUM)
#define TR3_GROUP_LIMIT         TR3_FIELDS(TR3_FIELD_LIMIT_ENABLE, TR3_FIELD_LIMIT_UPPER)
#define TR3_GROUP_FRICTION      TR_BIT(TR3_FIELD_FRICTION)
#define TR3_GROUP_AXIS_2        TR3_FIELDS(TR3_FIELD_AXIS_2_X, TR3_FIELD_AXIS_2_Z)
#define TR3_GROUP_SWING         TR3_FIELDS(TR3_FIELD_CONE_ANGLE, TR3_FIELD_TWIST_UPPER)
#define TR3_GROUP_RATIO         TR_BIT(TR3_FIELD_RATIO)
#define TR3_GROUP_SLIDES        TR3_FIELDS(TR3_FIELD_SLIDES_A, TR3_FIELD_SLIDES_B)
#define TR3_GROUP_MESH          TR3_FIELDS(TR3_FIELD_SLIDES_A, TR3_FIELD_MESHED)
#define TR3_GROUP_AXIS_B        TR3_FIELDS(TR3_FIELD_AXIS_B_X, TR3_FIELD_AXIS_B_Z)
#define TR3_GROUP_PITCH         TR_BIT(TR3_FIELD_PITCH)

/* all features of a coordinate, counted from 0, and of this many coordinates; but `locked` */
#define TR3_GROUP_FEATURES TR3_FIELDS(TR3_FIELD_SPRING_ENABLE, TR3_FIELD_FRICTION)
#define TR3_FEATURES_APART (TR3_FIELD_THIRD_SPRING_ENABLE - TR3_FIELD_SECOND_SPRING_ENABLE)
#define TR3_FEATURES_OF(k)                                                                                             \
    ((k) == 0 ? 0 : TR3_FIELD_SECOND_SPRING_ENABLE - TR3_FIELD_SPRING_ENABLE + TR3_FEATURES_APART * ((k)-1))
#define TR3_GROUP_COORDINATE(k) (TR3_GROUP_FEATURES << TR3_FEATURES_OF(k))
#define TR3_GROUP_2_COORDINATES (TR3_GROUP_FEATURES | TR3_GROUP_COORDINATE(1))
#define TR3_GROUP_3_COORDINATES (TR3_GROUP_2_COORDINATES | TR3_GROUP_COORDINATE(2))
/* the spring and the motor of a coordinate, and of the first three */
#define TR3_GROUP_DRIVE(k) ((TR3_GROUP_SPRING | TR3_GROUP_MOTOR) << TR3_FEATURES_OF(k))
#define TR3_GROUP_3_DRIVES (TR3_GROUP_DRIVE(0) | TR3_GROUP_DRIVE(1) | TR3_GROUP_DRIVE(2))
/* all six, with `locked` */
#define TR3_GROUP_GENERAL (TR3_FIELDS(TR3_FIELD_SPRING_ENABLE, TR3_FIELD_LOCKED) | TR3_GROUP_FURTHER)
/* of any coordinate but the first */
#define TR3_GROUP_FURTHER TR3_FIELDS(TR3_FIELD_SECOND_SPRING_ENABLE, TR3_FIELD_SIXTH_LOCKED)

#endif
