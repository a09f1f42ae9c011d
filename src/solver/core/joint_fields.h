/*
 * The fields of a joint definition: the single list behind columns, checks, scene files and the public enumeration.
 *
 * X(suffix of the enumerator, kind, member of trn_joint_def, group). In a column, a field takes four bytes (a float, or
 * a uint32_t for booleans and softness kinds), or eight (a double).
 */
#ifndef TR_SOLVER_JOINT_FIELDS_H
#define TR_SOLVER_JOINT_FIELDS_H

#include <stddef.h>
#include <string.h>

#include "trammel/joints2.h"

#define TRN_JOINT_FIELDS(X)                                                                                            \
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

typedef enum trn_field_kind {
    TR_KIND_FLOAT,        /* any finite number */
    TR_KIND_NOT_NEGATIVE, /* a finite number >= 0 */
    TR_KIND_NOT_POSITIVE, /* <= 0 */
    TR_KIND_NOT_ZERO,     /* a finite number other than 0 */
    TR_KIND_BOOL,
    TR_KIND_KIND,  /* tr_softness_kind */
    TR_KIND_DOUBLE /* any finite number, in double precision */
} trn_field_kind;

typedef struct trn_field_info {
    const char *name; /* the path in trn_joint_def */
    trn_field_kind kind;
    size_t offset; /* of the member in trn_joint_def */
} trn_field_info;

/* TRN_FIELD_COUNT entries */
extern const trn_field_info trn_field_infos[];

/* Reads a field of kind TR_KIND_DOUBLE in full precision. */
static inline double trn_field_read_double(const trn_joint_def *def, trn_field field)
{
    double value;
    memcpy(&value, (const unsigned char *)def + trn_field_infos[field].offset, sizeof value);
    return value;
}

/* Converts a field of a definition to the four bytes stored in a column, and back. A double becomes the nearest
   float. Reading is inline, because creating a joint reads all fields several times. */
static inline uint32_t trn_field_read(const trn_joint_def *def, trn_field field)
{
    const trn_field_info *info = &trn_field_infos[field];
    const unsigned char *member = (const unsigned char *)def + info->offset;
    uint32_t bits = 0;
    if (info->kind == TR_KIND_BOOL) {
        bool value;
        memcpy(&value, member, sizeof value);
        return value ? 1u : 0u;
    }
    if (info->kind == TR_KIND_DOUBLE) {
        float value = (float)trn_field_read_double(def, field);
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&bits, member, sizeof bits);
    return bits;
}

void trn_field_write(trn_joint_def *def, trn_field field, uint32_t bits);

void trn_field_write_double(trn_joint_def *def, trn_field field, double value);

/* Size of a field in its column, bytes. */
size_t trn_field_size(trn_field field);

/* Groups of fields, as masks over trn_field, for the table of joint types. */
#define TR_BIT(field) ((uint64_t)1 << (field))
#define TRN_GROUP_ANCHORS                                                                                              \
    (TR_BIT(TRN_FIELD_ANCHOR_A_X) | TR_BIT(TRN_FIELD_ANCHOR_A_Y) | TR_BIT(TRN_FIELD_ANCHOR_B_X) |                   \
     TR_BIT(TRN_FIELD_ANCHOR_B_Y))
#define TRN_GROUP_AXIS      (TR_BIT(TRN_FIELD_AXIS_X) | TR_BIT(TRN_FIELD_AXIS_Y))
#define TRN_GROUP_REFERENCE TR_BIT(TRN_FIELD_REFERENCE_ANGLE)
#define TRN_GROUP_LENGTH    TR_BIT(TRN_FIELD_LENGTH)
#define TRN_GROUP_LINEAR    (TR_BIT(TRN_FIELD_LINEAR_KIND) | TR_BIT(TRN_FIELD_LINEAR_A) | TR_BIT(TRN_FIELD_LINEAR_B))
#define TRN_GROUP_ANGULAR                                                                                              \
    (TR_BIT(TRN_FIELD_ANGULAR_KIND) | TR_BIT(TRN_FIELD_ANGULAR_A) | TR_BIT(TRN_FIELD_ANGULAR_B))
#define TRN_GROUP_SPRING                                                                                               \
    (TR_BIT(TRN_FIELD_SPRING_ENABLE) | TR_BIT(TRN_FIELD_SPRING_TARGET) | TR_BIT(TRN_FIELD_SPRING_KIND) |            \
     TR_BIT(TRN_FIELD_SPRING_A) | TR_BIT(TRN_FIELD_SPRING_B) | TRN_GROUP_FORCES)
#define TRN_GROUP_FORCES   (TR_BIT(TRN_FIELD_SPRING_FORCE_LOWER) | TR_BIT(TRN_FIELD_SPRING_FORCE_UPPER))
#define TRN_GROUP_FRICTION TR_BIT(TRN_FIELD_FRICTION)
#define TRN_GROUP_RATIO    TR_BIT(TRN_FIELD_RATIO)
#define TRN_GROUP_GROUND                                                                                               \
    (TR_BIT(TRN_FIELD_GROUND_A_X) | TR_BIT(TRN_FIELD_GROUND_A_Y) | TR_BIT(TRN_FIELD_GROUND_B_X) |                   \
     TR_BIT(TRN_FIELD_GROUND_B_Y))
#define TRN_GROUP_AXIS_B (TR_BIT(TRN_FIELD_AXIS_B_X) | TR_BIT(TRN_FIELD_AXIS_B_Y))
#define TRN_GROUP_MESH                                                                                                 \
    (TR_BIT(TRN_FIELD_SLIDES_A) | TR_BIT(TRN_FIELD_SLIDES_B) | TR_BIT(TRN_FIELD_OFFSET) | TR_BIT(TRN_FIELD_MESHED))
#define TRN_GROUP_MOTOR                                                                                                \
    (TR_BIT(TRN_FIELD_MOTOR_ENABLE) | TR_BIT(TRN_FIELD_MOTOR_SPEED) | TR_BIT(TRN_FIELD_MOTOR_MAXIMUM))
#define TRN_GROUP_LIMIT                                                                                                \
    (TR_BIT(TRN_FIELD_LIMIT_ENABLE) | TR_BIT(TRN_FIELD_LIMIT_LOWER) | TR_BIT(TRN_FIELD_LIMIT_UPPER))
#define TRN_GROUP_DRIVE (((TR_BIT(TRN_FIELD_DRIVE_MAX_TORQUE) << 1) - 1) & ~(TR_BIT(TRN_FIELD_DRIVE_POSITION) - 1))

#endif
