/*
 * The fields of a joint definition in the plane: the single list behind columns, checks, scene files and the public
 * enumeration; and groups of them.
 *
 * X(enumerator, kind, member of tr2_joint_def); kinds are those of trn_field_kind (solver/core/joint_fields.h).
 */
#ifndef TR_PLANE_JOINT_FIELDS_H
#define TR_PLANE_JOINT_FIELDS_H

#define TR2_JOINT_FIELDS(X)                                                                                            \
    X(TR2_FIELD_ANCHOR_A_X, FLOAT, anchor_a.x)                                                                         \
    X(TR2_FIELD_ANCHOR_A_Y, FLOAT, anchor_a.y)                                                                         \
    X(TR2_FIELD_ANCHOR_B_X, FLOAT, anchor_b.x)                                                                         \
    X(TR2_FIELD_ANCHOR_B_Y, FLOAT, anchor_b.y)                                                                         \
    X(TR2_FIELD_AXIS_X, FLOAT, axis.x)                                                                                 \
    X(TR2_FIELD_AXIS_Y, FLOAT, axis.y)                                                                                 \
    X(TR2_FIELD_REFERENCE_ANGLE, FLOAT, reference_angle)                                                               \
    X(TR2_FIELD_LENGTH, NOT_NEGATIVE, length)                                                                          \
    X(TR2_FIELD_LINEAR_KIND, KIND, linear.kind)                                                                        \
    X(TR2_FIELD_LINEAR_A, NOT_NEGATIVE, linear.a)                                                                      \
    X(TR2_FIELD_LINEAR_B, NOT_NEGATIVE, linear.b)                                                                      \
    X(TR2_FIELD_ANGULAR_KIND, KIND, angular.kind)                                                                      \
    X(TR2_FIELD_ANGULAR_A, NOT_NEGATIVE, angular.a)                                                                    \
    X(TR2_FIELD_ANGULAR_B, NOT_NEGATIVE, angular.b)                                                                    \
    X(TR2_FIELD_SPRING_ENABLE, BOOL, spring.enable)                                                                    \
    X(TR2_FIELD_SPRING_TARGET, FLOAT, spring.target)                                                                   \
    X(TR2_FIELD_SPRING_KIND, KIND, spring.softness.kind)                                                               \
    X(TR2_FIELD_SPRING_A, NOT_NEGATIVE, spring.softness.a)                                                             \
    X(TR2_FIELD_SPRING_B, NOT_NEGATIVE, spring.softness.b)                                                             \
    X(TR2_FIELD_MOTOR_ENABLE, BOOL, motor.enable)                                                                      \
    X(TR2_FIELD_MOTOR_SPEED, FLOAT, motor.speed)                                                                       \
    X(TR2_FIELD_MOTOR_MAXIMUM, NOT_NEGATIVE, motor.maximum)                                                            \
    X(TR2_FIELD_LIMIT_ENABLE, BOOL, limit.enable)                                                                      \
    X(TR2_FIELD_LIMIT_LOWER, FLOAT, limit.lower)                                                                       \
    X(TR2_FIELD_LIMIT_UPPER, FLOAT, limit.upper)                                                                       \
    X(TR2_FIELD_DRIVE_POSITION, BOOL, drive.position)                                                                  \
    X(TR2_FIELD_DRIVE_VELOCITY_X, FLOAT, drive.velocity.x)                                                             \
    X(TR2_FIELD_DRIVE_VELOCITY_Y, FLOAT, drive.velocity.y)                                                             \
    X(TR2_FIELD_DRIVE_ANGULAR_VELOCITY, FLOAT, drive.angular_velocity)                                                 \
    X(TR2_FIELD_DRIVE_OFFSET_X, FLOAT, drive.offset.x)                                                                 \
    X(TR2_FIELD_DRIVE_OFFSET_Y, FLOAT, drive.offset.y)                                                                 \
    X(TR2_FIELD_DRIVE_ANGULAR_OFFSET, FLOAT, drive.angular_offset)                                                     \
    X(TR2_FIELD_DRIVE_KIND, KIND, drive.softness.kind)                                                                 \
    X(TR2_FIELD_DRIVE_A, NOT_NEGATIVE, drive.softness.a)                                                               \
    X(TR2_FIELD_DRIVE_B, NOT_NEGATIVE, drive.softness.b)                                                               \
    X(TR2_FIELD_DRIVE_MAX_FORCE, NOT_NEGATIVE, drive.max_force)                                                        \
    X(TR2_FIELD_DRIVE_MAX_TORQUE, NOT_NEGATIVE, drive.max_torque)                                                      \
    X(TR2_FIELD_SPRING_FORCE_LOWER, NOT_POSITIVE, spring_force.lower)                                                  \
    X(TR2_FIELD_SPRING_FORCE_UPPER, NOT_NEGATIVE, spring_force.upper)                                                  \
    X(TR2_FIELD_FRICTION, NOT_NEGATIVE, friction)                                                                      \
    X(TR2_FIELD_RATIO, NOT_ZERO, ratio)                                                                                \
    X(TR2_FIELD_GROUND_A_X, DOUBLE, ground_a.x)                                                                        \
    X(TR2_FIELD_GROUND_A_Y, DOUBLE, ground_a.y)                                                                        \
    X(TR2_FIELD_GROUND_B_X, DOUBLE, ground_b.x)                                                                        \
    X(TR2_FIELD_GROUND_B_Y, DOUBLE, ground_b.y)                                                                        \
    X(TR2_FIELD_AXIS_B_X, FLOAT, axis_b.x)                                                                             \
    X(TR2_FIELD_AXIS_B_Y, FLOAT, axis_b.y)                                                                             \
    X(TR2_FIELD_SLIDES_A, BOOL, slides_a)                                                                              \
    X(TR2_FIELD_SLIDES_B, BOOL, slides_b)                                                                              \
    X(TR2_FIELD_OFFSET, DOUBLE, offset)                                                                                \
    X(TR2_FIELD_MESHED, BOOL, meshed)                                                                                  \
    X(TR2_FIELD_EQUAL_TORQUE, BOOL, equal_torque)                                                                      \
    X(TR2_FIELD_MAX_FORCE, NOT_NEGATIVE, max_force)

/* A set of fields, a bit for each, and where the part begins that 64 bits do not hold: nowhere. */
typedef uint64_t tr2_mask;
#define TR2_MASK_HIGH 0

/* the first field after those of further coordinates, of which there are none */
#define TR2_FIELD_AFTER_FURTHER TR2_FIELD_COUNT

/* Groups of fields, as masks over tr2_field, for the table of joint types. */
#define TR2_GROUP_ANCHORS                                                                                              \
    (TR_BIT(TR2_FIELD_ANCHOR_A_X) | TR_BIT(TR2_FIELD_ANCHOR_A_Y) | TR_BIT(TR2_FIELD_ANCHOR_B_X) |                      \
     TR_BIT(TR2_FIELD_ANCHOR_B_Y))
#define TR2_GROUP_AXIS      (TR_BIT(TR2_FIELD_AXIS_X) | TR_BIT(TR2_FIELD_AXIS_Y))
#define TR2_GROUP_REFERENCE TR_BIT(TR2_FIELD_REFERENCE_ANGLE)
#define TR2_GROUP_LENGTH    TR_BIT(TR2_FIELD_LENGTH)
#define TR2_GROUP_LINEAR    (TR_BIT(TR2_FIELD_LINEAR_KIND) | TR_BIT(TR2_FIELD_LINEAR_A) | TR_BIT(TR2_FIELD_LINEAR_B))
#define TR2_GROUP_ANGULAR   (TR_BIT(TR2_FIELD_ANGULAR_KIND) | TR_BIT(TR2_FIELD_ANGULAR_A) | TR_BIT(TR2_FIELD_ANGULAR_B))
#define TR2_GROUP_SPRING                                                                                               \
    (TR_BIT(TR2_FIELD_SPRING_ENABLE) | TR_BIT(TR2_FIELD_SPRING_TARGET) | TR_BIT(TR2_FIELD_SPRING_KIND) |               \
     TR_BIT(TR2_FIELD_SPRING_A) | TR_BIT(TR2_FIELD_SPRING_B) | TR2_GROUP_FORCES)
#define TR2_GROUP_FORCES   (TR_BIT(TR2_FIELD_SPRING_FORCE_LOWER) | TR_BIT(TR2_FIELD_SPRING_FORCE_UPPER))
#define TR2_GROUP_FRICTION TR_BIT(TR2_FIELD_FRICTION)
#define TR2_GROUP_RATIO    TR_BIT(TR2_FIELD_RATIO)
#define TR2_GROUP_GROUND                                                                                               \
    (TR_BIT(TR2_FIELD_GROUND_A_X) | TR_BIT(TR2_FIELD_GROUND_A_Y) | TR_BIT(TR2_FIELD_GROUND_B_X) |                      \
     TR_BIT(TR2_FIELD_GROUND_B_Y))
#define TR2_GROUP_AXIS_B (TR_BIT(TR2_FIELD_AXIS_B_X) | TR_BIT(TR2_FIELD_AXIS_B_Y))
#define TR2_GROUP_MESH                                                                                                 \
    (TR_BIT(TR2_FIELD_SLIDES_A) | TR_BIT(TR2_FIELD_SLIDES_B) | TR_BIT(TR2_FIELD_OFFSET) | TR_BIT(TR2_FIELD_MESHED))
#define TR2_GROUP_MOTOR                                                                                                \
    (TR_BIT(TR2_FIELD_MOTOR_ENABLE) | TR_BIT(TR2_FIELD_MOTOR_SPEED) | TR_BIT(TR2_FIELD_MOTOR_MAXIMUM))
#define TR2_GROUP_LIMIT (TR_BIT(TR2_FIELD_LIMIT_ENABLE) | TR_BIT(TR2_FIELD_LIMIT_LOWER) | TR_BIT(TR2_FIELD_LIMIT_UPPER))
#define TR2_GROUP_DRIVE (((TR_BIT(TR2_FIELD_DRIVE_MAX_TORQUE) << 1) - 1) & ~(TR_BIT(TR2_FIELD_DRIVE_POSITION) - 1))

#endif
