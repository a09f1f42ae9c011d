/*
 * What space supplies to the core (solver/dimension.h), as far as the core's types are made of it: the public headers,
 * the fields of joints, the columns of bodies, the records of a body during a step.
 */
#ifndef TR_SPACE_H
#define TR_SPACE_H

#include "plan/plan.h"
#include "solver/space/definitions.h"
#include "solver/space/equations.h"
#include "solver/space/geometry.h"
#include "solver/space/joint_fields.h"
#include "solver/space/joint_pose.h"
#include "trammel/contacts3.h"
#include "trammel/joints3.h"
#include "trammel/statistics3.h"

/* whether there are shapes, whose collision asks how bodies have moved in a step */
#define TR3_HAS_SHAPES 0

/* of TR_BLOCK_... */
typedef uint16_t tr3_block_flags;

/* types of joints of which all passes share one function; one function for each pass and type would take
   twice as long to compile */
#define TR3_IS_RARE(type)                                                                                              \
    ((uint32_t)(type) >= (uint32_t)TR3_JOINT_CYLINDRICAL && (uint32_t)(type) < (uint32_t)TR3_JOINT_TYPE_COUNT)
/* whether joints with features are, for which code of their own would take longer to compile than it is worth */
#define TR3_FEATURED_ARE_RARE 1
/* types of joints that have such code for blocks between tiles nevertheless: balls and hinges */
#define TR3_HAS_TILE_CODE(type) ((uint32_t)(type) <= (uint32_t)TR3_JOINT_HINGE)

/* types of joints that hold a point and nothing else, if they are plain */
#define TR3_IS_PLACED(type) ((uint32_t)(type) == (uint32_t)TR3_JOINT_BALL)

/* types of joints that keep what they compute of their bodies' poses from pass to pass (tr3_placed) */
#define TR3_KEEPS_PLACES(type) (TR3_IS_PLACED(type) || (uint32_t)(type) == (uint32_t)TR3_JOINT_HINGE)

/* whether they have code of their own for places that no later pass reads */
#define TR3_HAS_BARE_CODE(type, featured) (TR3_IS_PLACED(type) && !(featured))

/* whether prepare marks blocks of even bodies, whose principal moments are equal, and of axial ones; passes have code of
   their own for them, which keeps more in registers than a test within */
#define TR3_MARKS_MOMENTS(type, featured) TR3_IS_PLACED(type)
/* the others are not told from axial ones */
#define TR3_MARKS_AXIAL(type, featured) TR3_HAS_BARE_CODE(type, featured)

/* Of which kernels prepare leaves columns as they are where nothing was written (TR_BLOCK_KEPT): those of joints with
   features, which have many columns, if these begin with those of all (BASE_COLUMNS) and depend only on the joints'
   fields, the lengths of sub-steps, and the bodies' masses. */
#define TR3_KEEPS_COLUMNS(type, featured)                                                                              \
    ((featured) && (uint32_t)(type) <= (uint32_t)TR3_JOINT_SCREW &&                                                    \
     (uint32_t)(type) != (uint32_t)TR3_JOINT_DISTANCE &&                                                               \
     ((uint32_t)(type) <= (uint32_t)TR3_JOINT_GENERAL || (uint32_t)(type) == (uint32_t)TR3_JOINT_SCREW))

/* columns of a joint table beyond those of its fields, and of impulses, at most */
#define TR3_MAX_OWN      32
#define TR3_MAX_IMPULSES 40

/* what the core includes: the joint types, the columns of contacts, what their measures and equations share, and what it asks of bodies */
#define TR3_JOINTS_FILE    "solver/joints3/table.h"
#define TR3_CONTACT_FILE   "solver/joints3/contact.h"
#define TR3_MEASURES_FILE  "solver/space/measure.inl"
#define TR3_EQUATIONS_FILE "solver/space/equations.inl"
#define TR3_BODIES_FILE    "solver/space/bodies.h"
#define TR3_SHARES_FILE    "solver/space/shares.h"
/* restoring torques, which sweeps count in the plane only */
#define TR3_STIFFNESS_FILE "solver/space/no_stiffness.h"
/* and the kernels: motions and poses, the rows of a free coordinate, integration, the input of joints, the bodies of a
   visit, islands side by side in the direct method, and what only some
   types have */
#define TR3_MOTION_FILE       "solver/space/kernels/motion.inl"
#define TR3_COURSE_FILE       "solver/space/kernels/course.inl"
#define TR3_BODY_KERNELS_FILE "solver/space/kernels/body_table.inl"
#define TR3_SETUP_FILE        "solver/space/kernels/setup.inl"
#define TR3_VISITED_FILE      "solver/space/kernels/visited.inl"
#define TR3_EXACT_LANES_FILE  "solver/space/exact_lanes.inl"
#define TR3_EXTRAS_FILE       "solver/space/kernels/extras.inl"

/*
 * X(type, name): one column per line, with the names of the public view. `inertia` and `inverse_inertia` are principal
 * moments, kg m^2 and 1/(kg m^2), in a frame at the centre of mass whose axes are those of the principal moments:
 * `rotation` (x, y, z, w) is that of this frame to the world, and `frame` that of it to the body's frame. So everything
 * during a step is diagonal.
 */
#define TR3_BODY_COLUMNS_OF(X, S)                                                                                      \
    S(tr3_body, id)                                                                                                    \
    X(double, center_x)                                                                                                \
    X(double, center_y)                                                                                                \
    X(double, center_z)                                                                                                \
    X(float, rotation_x)                                                                                               \
    X(float, rotation_y)                                                                                               \
    X(float, rotation_z)                                                                                               \
    X(float, rotation_w)                                                                                               \
    X(float, velocity_x)                                                                                               \
    X(float, velocity_y)                                                                                               \
    X(float, velocity_z)                                                                                               \
    X(float, angular_velocity_x)                                                                                       \
    X(float, angular_velocity_y)                                                                                       \
    X(float, angular_velocity_z)                                                                                       \
    S(float, local_center_x)                                                                                           \
    S(float, local_center_y)                                                                                           \
    S(float, local_center_z)                                                                                           \
    S(float, frame_x)                                                                                                  \
    S(float, frame_y)                                                                                                  \
    S(float, frame_z)                                                                                                  \
    S(float, frame_w)                                                                                                  \
    S(float, mass)                                                                                                     \
    S(float, inertia_x)                                                                                                \
    S(float, inertia_y)                                                                                                \
    S(float, inertia_z)                                                                                                \
    X(float, inverse_mass)                                                                                             \
    X(float, inverse_inertia_x)                                                                                        \
    X(float, inverse_inertia_y)                                                                                        \
    X(float, inverse_inertia_z)                                                                                        \
    S(float, gravity_scale)                                                                                            \
    S(float, linear_damping)                                                                                           \
    S(float, angular_damping)                                                                                          \
    S(float, sleep_scale)                                                                                              \
    X(float, force_x)                                                                                                  \
    X(float, force_y)                                                                                                  \
    X(float, force_z)                                                                                                  \
    X(float, torque_x)                                                                                                 \
    X(float, torque_y)                                                                                                 \
    X(float, torque_z)                                                                                                 \
    X(float, still) /* s, for which it has been at rest */                                                             \
    S(uint32_t, type)                                                                                                  \
    X(uint32_t, flags)                                                                                                 \
    S(uint64_t, user_data)
#define TR3_BODY_COLUMNS(X) TR3_BODY_COLUMNS_OF(X, X)

/* What floats leave of the doubles of the direct method, in columns that no view has: X(name). Those of velocities also have
   what fine steps of the other methods leave, with the part and the member of a row's velocity: X(part, member, name). */
/* the formatter changes each of two layouts of this list to the other */
/* clang-format off */
#define TR3_BODY_LOW(X)                                                                                                \
    X(velocity_x_low) X(velocity_y_low) X(velocity_z_low)                                                              \
    X(angular_velocity_x_low) X(angular_velocity_y_low) X(angular_velocity_z_low)                                      \
    X(rotation_x_low) X(rotation_y_low) X(rotation_z_low) X(rotation_w_low)
#define TR3_VELOCITY_LOW(X)                                                                                            \
    X(0, 0, velocity_x_low) X(0, 1, velocity_y_low) X(0, 2, velocity_z_low)                                            \
    X(1, 0, angular_velocity_x_low) X(1, 1, angular_velocity_y_low) X(1, 2, angular_velocity_z_low)
/* clang-format on */

/* `frame` is left out while all bodies' principal axes are those of the body; local_center, inverses, gravity_scale,
   dampings, sleep_scale, forces and user_data as in the plane. */

/*
 * A body during a step has two records of eight floats, each in two parts of four: its velocity, and its pose. The
 * parts of 16 consecutive rows are side by side, so that each part is loaded, and transposed, as a record of the plane.
 *
 *   velocity: x, y, z (m/s), inverse_inertia_x;  angular velocity x, y, z (rad/s), inverse_inertia_y
 *   pose:     x, y, z (m, displacement since the start of the step), inverse_inertia_z;  rotation x, y, z, w
 *
 * The inverse principal moments (1/(kg m^2)) are where there is room. Before joints are prepared, the pose is the
 * frame: inverse_mass, and three inverse moments, effective ones of this row: a copy has its share of the mass;
 * rotation.
 */
typedef struct tr3_body_velocity {
    float part[2][4];
} tr3_body_velocity;
typedef tr3_body_velocity tr3_body_pose;
typedef tr3_body_velocity tr3_body_frame;

/* The centre of mass as the step begins, m, in two parts likewise: x, y;  z, 0. */
typedef struct tr3_body_place {
    double part[2][2];
} tr3_body_place;

/* Where the first part of a state row's records begins, in floats, and the row of such a number: see solver/plane. */
#define TR3_TILE  128 /* floats of a tile */
#define TR3_PART  64  /* floats from a row's first part to its second */
#define TR3_PARTS 2   /* of a record, each of four floats */

static inline int32_t tr3_row_offset(uint32_t row)
{
    return (int32_t)(row / 16 * TR3_TILE + row % 16 * 4);
}

static inline uint32_t tr3_row_at(int32_t offset)
{
    return (uint32_t)offset / TR3_TILE * 16 + (uint32_t)offset % TR3_TILE / 4;
}

/* X(type, name): the columns of bodies that kernels read while they prepare joints, and put bodies back */
#define TR3_CONTEXT_COLUMNS(X)                                                                                         \
    X(float, rotation_x)                                                                                               \
    X(float, rotation_y)                                                                                               \
    X(float, rotation_z)                                                                                               \
    X(float, rotation_w)                                                                                               \
    X(float, local_center_x)                                                                                           \
    X(float, local_center_y)                                                                                           \
    X(float, local_center_z)                                                                                           \
    X(float, frame_x)                                                                                                  \
    X(float, frame_y)                                                                                                  \
    X(float, frame_z)                                                                                                  \
    X(float, frame_w)

typedef struct tr3_motion {
    float x, y, z; /* m, of the centre of mass */
    tr_quat turn;  /* rotation in the step */
} tr3_motion;

#endif
