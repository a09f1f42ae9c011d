/*
 * Bodies of the plane in their table: position and motion, mass, forces, and the columns that may be left out. Included
 * by solver/core/system.h.
 */
#ifndef TR_PLANE_BODIES_H
#define TR_PLANE_BODIES_H

/* Columns that are left out until a body needs them, and what all rows have then: X(name, preset). */
#define TR2_BODY_OPTIONAL(X)                                                                                           \
    X(id, 0.0f)                                                                                                        \
    X(inverse_mass, 0.0f)                                                                                              \
    X(inverse_inertia, 0.0f)                                                                                           \
    X(local_center_x, 0.0f)                                                                                            \
    X(local_center_y, 0.0f)                                                                                            \
    X(gravity_scale, 1.0f)                                                                                             \
    X(linear_damping, 0.0f)                                                                                            \
    X(angular_damping, 0.0f)                                                                                           \
    X(sleep_scale, 1.0f)                                                                                               \
    X(force_x, 0.0f)                                                                                                   \
    X(force_y, 0.0f)                                                                                                   \
    X(torque, 0.0f)                                                                                                    \
    X(user_data, 0.0f)
/* those of centres of mass, of principal axes, and of forces: X(name) */
#define TR2_BODY_CENTERS(X) X(local_center_x) X(local_center_y)
#define TR2_BODY_FRAMES(X)
#define TR2_BODY_FORCES(X) X(force_x) X(force_y) X(torque)

/* Cosine and sine as the solver computes them, bit-identical on every machine. */
void tr2_rotation(double angle, float *c, float *s);

/*
 * Position and motion
 */

/* The centre of mass in the world. */
static inline tr_dvec2 tr2_body_mass_center(const tr2_bodies *bodies, uint32_t row)
{
    return (tr_dvec2){bodies->center_x[row], bodies->center_y[row]};
}

static inline void tr2_body_write_mass_center(tr2_bodies *bodies, uint32_t row, tr_dvec2 center)
{
    bodies->center_x[row] = center.x;
    bodies->center_y[row] = center.y;
}

static inline tr2_orientation tr2_body_orientation(const tr2_bodies *bodies, uint32_t row)
{
    return bodies->angle[row];
}

static inline void tr2_body_write_orientation(tr2_bodies *bodies, uint32_t row, tr2_orientation angle)
{
    bodies->angle[row] = angle;
    tr2_rotation(angle, &bodies->c[row], &bodies->s[row]);
}

static inline tr_vec2 tr2_body_linear_velocity(const tr2_bodies *bodies, uint32_t row)
{
    return (tr_vec2){bodies->velocity_x[row], bodies->velocity_y[row]};
}

static inline tr2_spin tr2_body_angular_velocity(const tr2_bodies *bodies, uint32_t row)
{
    return bodies->angular_velocity[row];
}

static inline void tr2_body_write_velocity(tr2_bodies *bodies, uint32_t row, tr_vec2 velocity,
                                           tr2_spin angular_velocity)
{
    bodies->velocity_x[row] = velocity.x;
    bodies->velocity_y[row] = velocity.y;
    bodies->angular_velocity[row] = angular_velocity;
    if (bodies->velocity_x_low != NULL) {
        bodies->velocity_x_low[row] = 0.0f;
        bodies->velocity_y_low[row] = 0.0f;
        bodies->angular_velocity_low[row] = 0.0f;
    }
}

static inline tr_dvec2 tr2_rotate(float c, float s, tr_vec2 v)
{
    tr_dvec2 out = {(double)c * (double)v.x - (double)s * (double)v.y,
                    (double)s * (double)v.x + (double)c * (double)v.y};
    return out;
}

/* The inverse of tr2_rotate(). */
static inline tr_dvec2 tr2_unrotate(float c, float s, tr_dvec2 v)
{
    tr_dvec2 out = {(double)c * v.x + (double)s * v.y, (double)c * v.y - (double)s * v.x};
    return out;
}

/* From the body's frame to that of the world, and back. */
static inline tr_dvec2 tr2_body_rotate(const tr2_bodies *bodies, uint32_t row, tr_vec2 v)
{
    return tr2_rotate(bodies->c[row], bodies->s[row], v);
}

static inline tr_dvec2 tr2_body_unrotate(const tr2_bodies *bodies, uint32_t row, tr_dvec2 v)
{
    return tr2_unrotate(bodies->c[row], bodies->s[row], v);
}

/* The pose of a row whose origin is there. */
static inline tr2_transform tr2_transform_of(const tr2_bodies *bodies, uint32_t row, tr_dvec2 origin)
{
    return (tr2_transform){origin, bodies->angle[row], bodies->c[row], bodies->s[row]};
}

/*
 * Mass
 */

/* local_center of a row. Write it only with tr2_body_write_center(), and values other than 0 only after
   tr2_bodies_hold(). */
static inline tr_vec2 tr2_body_center(const tr2_bodies *bodies, uint32_t row)
{
    tr_vec2 center = {tr2_body_number(bodies->local_center_x, row, 0.0f),
                      tr2_body_number(bodies->local_center_y, row, 0.0f)};
    return center;
}

void tr2_body_write_center(tr2_bodies *bodies, uint32_t row, tr_vec2 center);

/* A row of a new body: what must be valid before it is written. */
static inline void tr2_body_begin(tr2_bodies *bodies, uint32_t row)
{
    (void)bodies;
    (void)row;
}

static inline tr2_inertia tr2_body_inertia(const tr2_bodies *bodies, uint32_t row)
{
    return bodies->inertia[row];
}

static inline void tr2_body_write_inertia(tr2_bodies *bodies, uint32_t row, tr2_inertia inertia)
{
    TR_TABLE_PUT(float, bodies, inertia, row, inertia);
}

/* the column that says by being above 0 which bodies torques rotate */
static inline const float *tr2_body_moments(const tr2_bodies *bodies)
{
    return bodies->inertia;
}

/* Whether torques rotate it. */
static inline bool tr2_body_turns(const tr2_bodies *bodies, uint32_t row)
{
    return tr2_body_is_dynamic(bodies, row) && bodies->inertia[row] > 0.0f &&
           (bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_FIXED_ROTATION)) == 0;
}

static inline float tr2_body_inverse_inertia(const tr2_bodies *bodies, uint32_t row)
{
    return tr2_body_turns(bodies, row) ? 1.0f / bodies->inertia[row] : 0.0f;
}

/* Whether views have read the inverse inertia, so that its columns must be kept up to date; writes them then. */
static inline bool tr2_body_has_inverse(const tr2_bodies *bodies)
{
    return bodies->inverse_inertia != NULL;
}

static inline void tr2_body_write_inverse(tr2_bodies *bodies, uint32_t row)
{
    bodies->inverse_inertia[row] = tr2_body_inverse_inertia(bodies, row);
}

/* The change of angular velocity by an angular impulse. */
static inline tr2_dspin tr2_body_respond(const tr2_bodies *bodies, uint32_t row, tr2_dspin impulse)
{
    return (double)tr2_body_inverse_inertia(bodies, row) * impulse;
}

/*
 * Forces of the next step; write them only after tr2_bodies_hold_forces()
 */
static inline tr_vec2 tr2_body_force(const tr2_bodies *bodies, uint32_t row)
{
    return (tr_vec2){tr2_body_number(bodies->force_x, row, 0.0f), tr2_body_number(bodies->force_y, row, 0.0f)};
}

static inline tr2_spin tr2_body_torque(const tr2_bodies *bodies, uint32_t row)
{
    return tr2_body_number(bodies->torque, row, 0.0f);
}

static inline void tr2_body_write_force(tr2_bodies *bodies, uint32_t row, tr_vec2 force, tr2_spin torque)
{
    bodies->force_x[row] = force.x;
    bodies->force_y[row] = force.y;
    bodies->torque[row] = torque;
}

#endif
