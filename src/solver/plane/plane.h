/*
 * What the plane supplies to the core (solver/dimension.h), as far as the core's types are made of it: the public
 * headers, the fields of joints, the columns of bodies, the records of a body during a step.
 */
#ifndef TR_PLANE_H
#define TR_PLANE_H

#include "plan/plan.h"
#include "solver/plane/definitions.h"
#include "solver/plane/equations.h"
#include "solver/plane/geometry.h"
#include "solver/plane/joint_fields.h"
#include "solver/plane/joint_pose.h"
#include "trammel/contacts2.h"
#include "trammel/joints2.h"
#include "trammel/statistics2.h"

/* whether there are shapes, whose collision asks how bodies have moved in a step */
#define TR2_HAS_SHAPES 1

/* of TR_BLOCK_... */
typedef uint8_t tr2_block_flags;

/* whether prepare marks blocks by what their bodies' moments of inertia are like: each has but one */
#define TR2_MARKS_MOMENTS(type, featured) 0
#define TR2_MARKS_AXIAL(type, featured)   0

/* of which kernels prepare leaves columns as they are where nothing was written */
#define TR2_KEEPS_COLUMNS(type, featured) 0

/* types of joints of which all passes share one function: none */
#define TR2_IS_RARE(type) 0
/* whether joints with features are, for which code of their own would take longer to compile than it is worth */
#define TR2_FEATURED_ARE_RARE 0
/* types of joints that have such code for blocks between tiles nevertheless */
#define TR2_HAS_TILE_CODE(type) 0

/* types of joints that hold a point and nothing else, if they are plain */
#define TR2_IS_PLACED(type) ((uint32_t)(type) == (uint32_t)TR2_JOINT_REVOLUTE)

/* types of joints that keep what they compute of their bodies' poses from pass to pass (tr2_placed) */
#define TR2_KEEPS_PLACES(type) TR2_IS_PLACED(type)

/* whether they have code of their own for places that no later pass reads */
#define TR2_HAS_BARE_CODE(type, featured) TR2_IS_PLACED(type)

/* free coordinates of a joint, at most */
#define TR2_COORDINATES 1
/* columns of a joint table beyond those of its fields, and of impulses, at most */
#define TR2_MAX_OWN      16
#define TR2_MAX_IMPULSES 8

/* what the core includes: the joint types, the columns of contacts, what their measures and equations share, and what it asks of bodies */
#define TR2_JOINTS_FILE    "solver/joints2/table.h"
#define TR2_CONTACT_FILE   "solver/joints2/contact.h"
#define TR2_MEASURES_FILE  "solver/plane/measure.inl"
#define TR2_EQUATIONS_FILE "solver/plane/equations.inl"
#define TR2_BODIES_FILE    "solver/plane/bodies.h"
#define TR2_SHARES_FILE    "solver/plane/shares.h"
/* restoring torques, which sweeps count in the plane only */
#define TR2_STIFFNESS_FILE "solver/plane/stiffness.h"
/* and the kernels: motions and poses, the rows of a free coordinate, integration, the input of joints, the bodies of a
   visit, islands side by side in the direct method, and what only some
   types have */
#define TR2_MOTION_FILE       "solver/plane/motion.inl"
#define TR2_COURSE_FILE       "solver/plane/course.inl"
#define TR2_BODY_KERNELS_FILE "solver/plane/body_table.inl"
#define TR2_SETUP_FILE        "solver/plane/setup.inl"
#define TR2_VISITED_FILE      "solver/plane/visited.inl"
#define TR2_EXACT_LANES_FILE  "solver/plane/exact_lanes.inl"
#define TR2_EXTRAS_FILE       "solver/plane/extras.inl"

/* X(type, name): one column per line, with the names of the public view; S(type, name): one that a step leaves as it is. */
#define TR2_BODY_COLUMNS_OF(X, S)                                                                                      \
    S(tr2_body, id)                                                                                                    \
    X(double, center_x)                                                                                                \
    X(double, center_y)                                                                                                \
    X(double, angle)                                                                                                   \
    X(float, c)                                                                                                        \
    X(float, s)                                                                                                        \
    X(float, velocity_x)                                                                                               \
    X(float, velocity_y)                                                                                               \
    X(float, angular_velocity)                                                                                         \
    S(float, local_center_x)                                                                                           \
    S(float, local_center_y)                                                                                           \
    S(float, mass)                                                                                                     \
    S(float, inertia)                                                                                                  \
    X(float, inverse_mass)                                                                                             \
    X(float, inverse_inertia)                                                                                          \
    S(float, gravity_scale)                                                                                            \
    S(float, linear_damping)                                                                                           \
    S(float, angular_damping)                                                                                          \
    S(float, sleep_scale)                                                                                              \
    X(float, force_x)                                                                                                  \
    X(float, force_y)                                                                                                  \
    X(float, torque)                                                                                                   \
    X(float, still) /* s, for which it has been at rest */                                                             \
    S(uint32_t, type)                                                                                                  \
    X(uint32_t, flags)                                                                                                 \
    S(uint64_t, user_data)
#define TR2_BODY_COLUMNS(X) TR2_BODY_COLUMNS_OF(X, X)

/* What floats leave of the doubles of the direct method, in columns that no view has: X(name). Those of velocities also have
   what fine steps of the other methods leave, with the part and the member of a row's velocity: X(part, member, name). */
#define TR2_BODY_LOW(X)     X(velocity_x_low) X(velocity_y_low) X(angular_velocity_low)
#define TR2_VELOCITY_LOW(X) X(0, 0, velocity_x_low) X(0, 1, velocity_y_low) X(0, 2, angular_velocity_low)

/* A body at the start of a step, in two records of 16 bytes: the input of most joints' preparation. */
typedef struct tr2_body_frame {
    float c, s, inverse_mass, inverse_inertia; /* effective values of this row: a copy has its share of the mass */
} tr2_body_frame;

typedef struct tr2_body_place {
    double x, y; /* centre of mass, m */
} tr2_body_place;

/* A body during a step, in two records of four floats that are loaded and transposed together. */
typedef struct tr2_body_velocity {
    float x, y, w; /* m/s, rad/s */
    float angle;   /* rad, rotation since the start of the step */
} tr2_body_velocity;

typedef struct tr2_body_pose {
    float x, y; /* m, displacement since the start of the step */
    float c, s; /* cosine and sine of tr2_body_velocity.angle */
} tr2_body_pose;

/*
 * Where the records of a state row begin, in floats: its number in the blocks of joints, which saves a multiplication
 * per visit; and the row of such a number. Of four consecutive rows that begin at a multiple of four each begins four
 * floats after the one before, and of 16 rows from a multiple of 16 on all records are a tile.
 */
#define TR2_ROW   ((int32_t)(sizeof(tr2_body_velocity) / sizeof(float)))
#define TR2_TILE  (16 * TR2_ROW) /* floats of a tile */
#define TR2_PARTS 1              /* of a record, each of four floats */

static inline int32_t tr2_row_offset(uint32_t row)
{
    return TR2_ROW * (int32_t)row;
}

static inline uint32_t tr2_row_at(int32_t offset)
{
    return (uint32_t)(offset / TR2_ROW);
}

/* A member of a row's frame, velocity or pose: of its record of four floats, or of its tile. */
static inline float *tr2_member(void *records, uint32_t row, int member, bool tiled)
{
    if (!tiled)
        return (float *)records + TR2_ROW * (size_t)row + member;
    return (float *)records + TR2_ROW * (size_t)(row - row % TR_LANES) + TR_LANES * member +
           TR_RUN_PLACE(row % TR_LANES);
}

/* X(type, name): the columns of bodies that kernels read while they prepare joints */
#define TR2_CONTEXT_COLUMNS(X)                                                                                         \
    X(double, center_x)                                                                                                \
    X(double, center_y)                                                                                                \
    X(double, angle)                                                                                                   \
    X(float, local_center_x)                                                                                           \
    X(float, local_center_y)

typedef struct tr2_motion {
    float x, y; /* m, of the centre of mass */
    float turn; /* rad */
} tr2_motion;

#endif
