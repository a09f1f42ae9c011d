/*
 * Bodies in space in their table: position and motion, mass, forces, and the columns that may be left out. Included by
 * solver/core/system.h.
 *
 * The columns hold the rotation of the principal axes; functions here convert from and to the rotation of the body.
 */
#ifndef TR_SPACE_BODIES_H
#define TR_SPACE_BODIES_H

/* Columns that are left out until a body needs them, and what all rows have then: X(name, preset). */
#define TR3_BODY_OPTIONAL(X)                                                                                           \
    X(id, 0.0f)                                                                                                        \
    X(inverse_mass, 0.0f)                                                                                              \
    X(inverse_inertia_x, 0.0f)                                                                                         \
    X(inverse_inertia_y, 0.0f)                                                                                         \
    X(inverse_inertia_z, 0.0f)                                                                                         \
    X(local_center_x, 0.0f)                                                                                            \
    X(local_center_y, 0.0f)                                                                                            \
    X(local_center_z, 0.0f)                                                                                            \
    X(frame_x, 0.0f)                                                                                                   \
    X(frame_y, 0.0f)                                                                                                   \
    X(frame_z, 0.0f)                                                                                                   \
    X(frame_w, 1.0f)                                                                                                   \
    X(gravity_scale, 1.0f)                                                                                             \
    X(linear_damping, 0.0f)                                                                                            \
    X(angular_damping, 0.0f)                                                                                           \
    X(sleep_scale, 1.0f)                                                                                               \
    X(force_x, 0.0f)                                                                                                   \
    X(force_y, 0.0f)                                                                                                   \
    X(force_z, 0.0f)                                                                                                   \
    X(torque_x, 0.0f)                                                                                                  \
    X(torque_y, 0.0f)                                                                                                  \
    X(torque_z, 0.0f)                                                                                                  \
    X(user_data, 0.0f)
/* those of centres of mass, of principal axes, and of forces: X(name) */
#define TR3_BODY_CENTERS(X) X(local_center_x) X(local_center_y) X(local_center_z)
#define TR3_BODY_FRAMES(X)  X(frame_x) X(frame_y) X(frame_z) X(frame_w)
#define TR3_BODY_FORCES(X)  X(force_x) X(force_y) X(force_z) X(torque_x) X(torque_y) X(torque_z)

/*
 * Position and motion
 */

/* The centre of mass in the world. */
static inline tr_dvec3 tr3_body_mass_center(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_dvec3){bodies->center_x[row], bodies->center_y[row], bodies->center_z[row]};
}

static inline void tr3_body_write_mass_center(tr3_bodies *bodies, uint32_t row, tr_dvec3 center)
{
    bodies->center_x[row] = center.x;
    bodies->center_y[row] = center.y;
    bodies->center_z[row] = center.z;
}

/* The column of rotations: from the principal axes to the world. Not normalised again: that is for who computes. */
static inline tr_quat tr3_body_principal_rotation(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_quat){bodies->rotation_x[row], bodies->rotation_y[row], bodies->rotation_z[row],
                     bodies->rotation_w[row]};
}

/* From the principal axes to the body's frame. */
static inline tr_quat tr3_body_frame_rotation(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_quat){tr3_body_number(bodies->frame_x, row, 0.0f), tr3_body_number(bodies->frame_y, row, 0.0f),
                     tr3_body_number(bodies->frame_z, row, 0.0f), tr3_body_number(bodies->frame_w, row, 1.0f)};
}

static inline bool tr3_body_is_tilted(const tr3_bodies *bodies, uint32_t row)
{
    tr_quat frame = tr3_body_frame_rotation(bodies, row);
    return frame.x != 0.0f || frame.y != 0.0f || frame.z != 0.0f;
}

/* The rotation of the body's frame to the world, of length 1 in double. */
static inline tr3_dquat tr3_body_rotation(const tr3_bodies *bodies, uint32_t row)
{
    tr3_dquat q = tr3_widen_quat(tr3_body_principal_rotation(bodies, row));
    if (tr3_body_is_tilted(bodies, row))
        q = tr3_compose(q, tr3_conjugate(tr3_widen_quat(tr3_body_frame_rotation(bodies, row))));
    return tr3_normalised(q);
}

static inline tr3_orientation tr3_body_orientation(const tr3_bodies *bodies, uint32_t row)
{
    return tr3_body_is_tilted(bodies, row) ? tr3_narrow_quat(tr3_body_rotation(bodies, row))
                                           : tr3_body_principal_rotation(bodies, row);
}

/* Of a valid row. One that is the row's already changes nothing; other ones are normalised. */
void tr3_body_write_orientation(tr3_bodies *bodies, uint32_t row, tr3_orientation rotation);

static inline tr_vec3 tr3_body_linear_velocity(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_vec3){bodies->velocity_x[row], bodies->velocity_y[row], bodies->velocity_z[row]};
}

static inline tr3_spin tr3_body_angular_velocity(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_vec3){bodies->angular_velocity_x[row], bodies->angular_velocity_y[row], bodies->angular_velocity_z[row]};
}

static inline void tr3_body_write_velocity(tr3_bodies *bodies, uint32_t row, tr_vec3 velocity,
                                           tr3_spin angular_velocity)
{
    bodies->velocity_x[row] = velocity.x;
    bodies->velocity_y[row] = velocity.y;
    bodies->velocity_z[row] = velocity.z;
    bodies->angular_velocity_x[row] = angular_velocity.x;
    bodies->angular_velocity_y[row] = angular_velocity.y;
    bodies->angular_velocity_z[row] = angular_velocity.z;
    if (bodies->velocity_x_low != NULL) {
        bodies->velocity_x_low[row] = 0.0f;
        bodies->velocity_y_low[row] = 0.0f;
        bodies->velocity_z_low[row] = 0.0f;
        bodies->angular_velocity_x_low[row] = 0.0f;
        bodies->angular_velocity_y_low[row] = 0.0f;
        bodies->angular_velocity_z_low[row] = 0.0f;
    }
}

/* From the body's frame to that of the world, and back. */
static inline tr_dvec3 tr3_body_rotate(const tr3_bodies *bodies, uint32_t row, tr_vec3 v)
{
    return tr3_turned(tr3_body_rotation(bodies, row), tr3_widen(v));
}

static inline tr_dvec3 tr3_body_unrotate(const tr3_bodies *bodies, uint32_t row, tr_dvec3 v)
{
    return tr3_turned(tr3_conjugate(tr3_body_rotation(bodies, row)), v);
}

/* The pose of a row whose origin is there. */
static inline tr3_transform tr3_transform_of(const tr3_bodies *bodies, uint32_t row, tr_dvec3 origin)
{
    return (tr3_transform){origin, tr3_body_orientation(bodies, row)};
}

/*
 * Mass
 */

/* local_center of a row. Write it only with tr3_body_write_center(), and values other than 0 only after
   tr3_bodies_hold(). */
static inline tr_vec3 tr3_body_center(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_vec3){tr3_body_number(bodies->local_center_x, row, 0.0f),
                     tr3_body_number(bodies->local_center_y, row, 0.0f),
                     tr3_body_number(bodies->local_center_z, row, 0.0f)};
}

void tr3_body_write_center(tr3_bodies *bodies, uint32_t row, tr_vec3 center);

/* A row of a new body: what must be valid before it is written. */
void tr3_body_begin(tr3_bodies *bodies, uint32_t row);

/* The tensor in the body's frame. */
tr3_inertia tr3_body_inertia(const tr3_bodies *bodies, uint32_t row);
/* Of a valid row, a checked tensor; one that is not diagonal only after tr3_bodies_hold(). One that is the row's
   already changes nothing. The rotation of the body stays. */
void tr3_body_write_inertia(tr3_bodies *bodies, uint32_t row, tr3_inertia inertia);

/* Of the principal moments. */
/* the column that says by being above 0 which bodies torques rotate */
static inline const float *tr3_body_moments(const tr3_bodies *bodies)
{
    return bodies->inertia_x;
}

/* Whether torques rotate it. */
static inline bool tr3_body_turns(const tr3_bodies *bodies, uint32_t row)
{
    return tr3_body_is_dynamic(bodies, row) && bodies->inertia_x[row] > 0.0f &&
           (bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_FIXED_ROTATION)) == 0;
}

static inline tr_vec3 tr3_body_inverse_inertia(const tr3_bodies *bodies, uint32_t row)
{
    if (!tr3_body_turns(bodies, row))
        return (tr_vec3){0.0f, 0.0f, 0.0f};
    return (tr_vec3){1.0f / bodies->inertia_x[row], 1.0f / bodies->inertia_y[row], 1.0f / bodies->inertia_z[row]};
}

/* Whether views have read the inverse inertia, so that its columns must be kept up to date; writes them then. */
static inline bool tr3_body_has_inverse(const tr3_bodies *bodies)
{
    return bodies->inverse_inertia_x != NULL && bodies->inverse_inertia_y != NULL && bodies->inverse_inertia_z != NULL;
}

static inline void tr3_body_write_inverse(tr3_bodies *bodies, uint32_t row)
{
    tr_vec3 inverse = tr3_body_inverse_inertia(bodies, row);
    bodies->inverse_inertia_x[row] = inverse.x;
    bodies->inverse_inertia_y[row] = inverse.y;
    bodies->inverse_inertia_z[row] = inverse.z;
}

/* The change of angular velocity by an angular impulse. */
tr3_dspin tr3_body_respond(const tr3_bodies *bodies, uint32_t row, tr3_dspin impulse);

/*
 * Forces of the next step; write them only after tr3_bodies_hold_forces()
 */
static inline tr_vec3 tr3_body_force(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_vec3){tr3_body_number(bodies->force_x, row, 0.0f), tr3_body_number(bodies->force_y, row, 0.0f),
                     tr3_body_number(bodies->force_z, row, 0.0f)};
}

static inline tr3_spin tr3_body_torque(const tr3_bodies *bodies, uint32_t row)
{
    return (tr_vec3){tr3_body_number(bodies->torque_x, row, 0.0f), tr3_body_number(bodies->torque_y, row, 0.0f),
                     tr3_body_number(bodies->torque_z, row, 0.0f)};
}

static inline void tr3_body_write_force(tr3_bodies *bodies, uint32_t row, tr_vec3 force, tr3_spin torque)
{
    bodies->force_x[row] = force.x;
    bodies->force_y[row] = force.y;
    bodies->force_z[row] = force.z;
    bodies->torque_x[row] = torque.x;
    bodies->torque_y[row] = torque.y;
    bodies->torque_z[row] = torque.z;
}

#endif
