/*
 * The fields of a joint definition: the single list behind columns, checks, scene files and the public enumeration.
 *
 * X(suffix of the enumerator, kind, member of tr2_joint_def, group). In a column, a field takes four bytes (a float, or
 * a uint32_t for booleans and softness kinds), or eight (a double).
 */
#ifndef TR_SOLVER_JOINT_FIELDS_H
#define TR_SOLVER_JOINT_FIELDS_H

#include <stddef.h>
#include <string.h>

#include "trammel/joints2.h"

#define TR2_JOINT_FIELDS(X)                                                                                            \
    X(ANCHOR_A_X, FLOAT, anchor_a.x)                                                                                   \
    X(ANCHOR_A_Y, FLOAT, anchor_a.y)                                                                                   \
    X(ANCHOR_B_X, FLOAT, anchor_b.x)                                                                                   \
    X(ANCHOR_B_Y, FLOAT, anchor_b.y)                                                                                   \
    X(AXIS_X, FLOAT, axis.x)                                                                                           \
    X(AXIS_Y, FLOAT, axis.y)                                                                                           \
    X(REFERENCE_ANGLE, FLOAT, reference_angle)                                                                         \
    X(LENGTH, NOT_NEGATIVE, length)                                                                                    \
    X(LINEAR_KIND, KIND, linear.kind)                                                                                  \
    X(LINEAR_A, NOT_NEGATIVE, linear.a)                                                                                \
    X(LINEAR_B, NOT_NEGATIVE, linear.b)                                                                                \
    X(ANGULAR_KIND, KIND, angular.kind)                                                                                \
    X(ANGULAR_A, NOT_NEGATIVE, angular.a)                                                                              \
    X(ANGULAR_B, NOT_NEGATIVE, angular.b)                                                                              \
    X(SPRING_ENABLE, BOOL, spring.enable)                                                                              \
    X(SPRING_TARGET, FLOAT, spring.target)                                                                             \
    X(SPRING_KIND, KIND, spring.softness.kind)                                                                         \
    X(SPRING_A, NOT_NEGATIVE, spring.softness.a)                                                                       \
    X(SPRING_B, NOT_NEGATIVE, spring.softness.b)                                                                       \
    X(MOTOR_ENABLE, BOOL, motor.enable)                                                                                \
    X(MOTOR_SPEED, FLOAT, motor.speed)                                                                                 \
    X(MOTOR_MAXIMUM, NOT_NEGATIVE, motor.maximum)                                                                      \
    X(LIMIT_ENABLE, BOOL, limit.enable)                                                                                \
    X(LIMIT_LOWER, FLOAT, limit.lower)                                                                                 \
    X(LIMIT_UPPER, FLOAT, limit.upper)                                                                                 \
    X(DRIVE_POSITION, BOOL, drive.position)                                                                            \
    X(DRIVE_VELOCITY_X, FLOAT, drive.velocity.x)                                                                       \
    X(DRIVE_VELOCITY_Y, FLOAT, drive.velocity.y)                                                                       \
    X(DRIVE_ANGULAR_VELOCITY, FLOAT, drive.angular_velocity)                                                           \
    X(DRIVE_OFFSET_X, FLOAT, drive.offset.x)                                                                           \
    X(DRIVE_OFFSET_Y, FLOAT, drive.offset.y)                                                                           \
    X(DRIVE_ANGULAR_OFFSET, FLOAT, drive.angular_offset)                                                               \
    X(DRIVE_KIND, KIND, drive.softness.kind)                                                                           \
    X(DRIVE_A, NOT_NEGATIVE, drive.softness.a)                                                                         \
    X(DRIVE_B, NOT_NEGATIVE, drive.softness.b)                                                                         \
    X(DRIVE_MAX_FORCE, NOT_NEGATIVE, drive.max_force)                                                                  \
    X(DRIVE_MAX_TORQUE, NOT_NEGATIVE, drive.max_torque)                                                                \
    X(SPRING_FORCE_LOWER, NOT_POSITIVE, spring_force.lower)                                                            \
    X(SPRING_FORCE_UPPER, NOT_NEGATIVE, spring_force.upper)                                                            \
    X(FRICTION, NOT_NEGATIVE, friction)                                                                                \
    X(RATIO, NOT_ZERO, ratio)                                                                                          \
    X(GROUND_A_X, DOUBLE, ground_a.x)                                                                                  \
    X(GROUND_A_Y, DOUBLE, ground_a.y)                                                                                  \
    X(GROUND_B_X, DOUBLE, ground_b.x)                                                                                  \
    X(GROUND_B_Y, DOUBLE, ground_b.y)                                                                                  \
    X(AXIS_B_X, FLOAT, axis_b.x)                                                                                       \
    X(AXIS_B_Y, FLOAT, axis_b.y)                                                                                       \
    X(SLIDES_A, BOOL, slides_a)                                                                                        \
    X(SLIDES_B, BOOL, slides_b)                                                                                        \
    X(OFFSET, DOUBLE, offset)                                                                                          \
    X(MESHED, BOOL, meshed)                                                                                            \
    X(EQUAL_TORQUE, BOOL, equal_torque)                                                                                \
    X(MAX_FORCE, NOT_NEGATIVE, max_force)

typedef enum tr2_field_kind {
    TR2_KIND_FLOAT,        /* any finite number */
    TR2_KIND_NOT_NEGATIVE, /* a finite number >= 0 */
    TR2_KIND_NOT_POSITIVE, /* <= 0 */
    TR2_KIND_NOT_ZERO,     /* a finite number other than 0 */
    TR2_KIND_BOOL,
    TR2_KIND_KIND,  /* tr_softness_kind */
    TR2_KIND_DOUBLE /* any finite number, in double precision */
} tr2_field_kind;

typedef struct tr2_field_info {
    const char *name; /* the path in tr2_joint_def */
    tr2_field_kind kind;
    size_t offset; /* of the member in tr2_joint_def */
} tr2_field_info;

/* TR2_FIELD_COUNT entries */
extern const tr2_field_info tr2_field_infos[];

/* Reads a field of kind TR2_KIND_DOUBLE in full precision. */
static inline double tr2_field_read_double(const tr2_joint_def *def, tr2_field field)
{
    double value;
    memcpy(&value, (const unsigned char *)def + tr2_field_infos[field].offset, sizeof value);
    return value;
}

/* Converts a field of a definition to the four bytes stored in a column, and back. A double becomes the nearest
   float. Reading is inline, because creating a joint reads all fields several times. */
static inline uint32_t tr2_field_read(const tr2_joint_def *def, tr2_field field)
{
    const tr2_field_info *info = &tr2_field_infos[field];
    const unsigned char *member = (const unsigned char *)def + info->offset;
    uint32_t bits = 0;
    if (info->kind == TR2_KIND_BOOL) {
        bool value;
        memcpy(&value, member, sizeof value);
        return value ? 1u : 0u;
    }
    if (info->kind == TR2_KIND_DOUBLE) {
        float value = (float)tr2_field_read_double(def, field);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&bits, member, sizeof bits);
    return bits;
}

void tr2_field_write(tr2_joint_def *def, tr2_field field, uint32_t bits);

void tr2_field_write_double(tr2_joint_def *def, tr2_field field, double value);

/* Size of a field in its column, bytes. */
size_t tr2_field_size(tr2_field field);

/* Groups of fields, as masks over tr2_field, for the table of joint types. */
#define TR2_BIT(field) ((uint64_t)1 << (field))
#define TR2_GROUP_ANCHORS                                                                                              \
    (TR2_BIT(TR2_ANCHOR_A_X) | TR2_BIT(TR2_ANCHOR_A_Y) | TR2_BIT(TR2_ANCHOR_B_X) | TR2_BIT(TR2_ANCHOR_B_Y))
#define TR2_GROUP_AXIS      (TR2_BIT(TR2_AXIS_X) | TR2_BIT(TR2_AXIS_Y))
#define TR2_GROUP_REFERENCE TR2_BIT(TR2_REFERENCE_ANGLE)
#define TR2_GROUP_LENGTH    TR2_BIT(TR2_LENGTH)
#define TR2_GROUP_LINEAR    (TR2_BIT(TR2_LINEAR_KIND) | TR2_BIT(TR2_LINEAR_A) | TR2_BIT(TR2_LINEAR_B))
#define TR2_GROUP_ANGULAR   (TR2_BIT(TR2_ANGULAR_KIND) | TR2_BIT(TR2_ANGULAR_A) | TR2_BIT(TR2_ANGULAR_B))
#define TR2_GROUP_SPRING                                                                                               \
    (TR2_BIT(TR2_SPRING_ENABLE) | TR2_BIT(TR2_SPRING_TARGET) | TR2_BIT(TR2_SPRING_KIND) | TR2_BIT(TR2_SPRING_A) |      \
     TR2_BIT(TR2_SPRING_B) | TR2_GROUP_FORCES)
#define TR2_GROUP_FORCES   (TR2_BIT(TR2_SPRING_FORCE_LOWER) | TR2_BIT(TR2_SPRING_FORCE_UPPER))
#define TR2_GROUP_FRICTION TR2_BIT(TR2_FRICTION)
#define TR2_GROUP_RATIO    TR2_BIT(TR2_RATIO)
#define TR2_GROUP_GROUND                                                                                               \
    (TR2_BIT(TR2_GROUND_A_X) | TR2_BIT(TR2_GROUND_A_Y) | TR2_BIT(TR2_GROUND_B_X) | TR2_BIT(TR2_GROUND_B_Y))
#define TR2_GROUP_AXIS_B (TR2_BIT(TR2_AXIS_B_X) | TR2_BIT(TR2_AXIS_B_Y))
#define TR2_GROUP_MESH   (TR2_BIT(TR2_SLIDES_A) | TR2_BIT(TR2_SLIDES_B) | TR2_BIT(TR2_OFFSET) | TR2_BIT(TR2_MESHED))
#define TR2_GROUP_MOTOR  (TR2_BIT(TR2_MOTOR_ENABLE) | TR2_BIT(TR2_MOTOR_SPEED) | TR2_BIT(TR2_MOTOR_MAXIMUM))
#define TR2_GROUP_LIMIT  (TR2_BIT(TR2_LIMIT_ENABLE) | TR2_BIT(TR2_LIMIT_LOWER) | TR2_BIT(TR2_LIMIT_UPPER))
#define TR2_GROUP_DRIVE  (((TR2_BIT(TR2_DRIVE_MAX_TORQUE) << 1) - 1) & ~(TR2_BIT(TR2_DRIVE_POSITION) - 1))

#endif
