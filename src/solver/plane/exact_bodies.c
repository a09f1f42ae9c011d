/* Bodies of the plane in the direct method. */
#include <math.h>
#include <string.h>

#include "base/trigonometry.h"
#include "solver/exact/lanes/exact_lanes.h"
#include "solver/plane/rotation.h"

void tr2_exact_state_read(const tr2_bodies *bodies, uint32_t row, bool known, tr2_body_state *state)
{
    const double angle = bodies->angle[row];
    /* not that of 0, which may have another sign */
    if (!known || state->angle != angle || angle == 0.0)
        tr_sincos(angle, &state->s, &state->c);
    state->center = tr2_body_mass_center(bodies, row);
    state->angle = angle;
    state->local_center = tr2_body_center(bodies, row);
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & TR_BODY_QUARANTINED) != 0) {
        state->velocity = (tr_dvec2){0.0, 0.0};
        state->w = 0.0;
        return;
    }
    state->velocity.x = (double)bodies->velocity_x[row] + (double)tr2_body_number(bodies->velocity_x_low, row, 0.0f);
    state->velocity.y = (double)bodies->velocity_y[row] + (double)tr2_body_number(bodies->velocity_y_low, row, 0.0f);
    state->w = (double)bodies->angular_velocity[row] + (double)tr2_body_number(bodies->angular_velocity_low, row, 0.0f);
}

/* the table has where the row was as the step began */
void tr2_exact_state_write(tr2_bodies *bodies, uint32_t row, const tr2_body_state *state, tr2_motion *motions)
{
    if (motions != NULL)
        motions[row] =
            (tr2_motion){(float)(state->center.x - bodies->center_x[row]),
                         (float)(state->center.y - bodies->center_y[row]), (float)(state->angle - bodies->angle[row])};
    tr2_body_write_mass_center(bodies, row, state->center);
    if (state->angle != bodies->angle[row])
        tr2_body_write_orientation(bodies, row, state->angle);
    tr2_body_write_velocity(bodies, row, tr2_narrow(state->velocity), (float)state->w);
    bodies->velocity_x_low[row] = (float)(state->velocity.x - (double)bodies->velocity_x[row]);
    bodies->velocity_y_low[row] = (float)(state->velocity.y - (double)bodies->velocity_y[row]);
    bodies->angular_velocity_low[row] = (float)(state->w - (double)bodies->angular_velocity[row]);
}

void tr2_exact_velocity(const tr2_body_state *state, double out[TR2_DEGREES])
{
    tr2_equation_put(out, state->velocity, state->w);
}

void tr2_exact_set_velocity(tr2_body_state *state, const double v[TR2_DEGREES])
{
    state->velocity = tr2_equation_linear(v);
    state->w = tr2_equation_angular(v);
}

void tr2_exact_center(const tr2_body_state *state, double out[2])
{
    out[0] = state->center.x;
    out[1] = state->center.y;
}

void tr2_exact_set_center(tr2_body_state *state, const double center[2])
{
    state->center = (tr_dvec2){center[0], center[1]};
}

void tr2_exact_inertia(const tr2_bodies *bodies, const tr2_body_state *state, tr2_exact_body *body)
{
    (void)state;
    body->turns = tr2_body_turns(bodies, body->row);
    body->inertia[0][0] = body->turns ? (double)bodies->inertia[body->row] : 1.0;
    body->inverse[0][0] = body->turns ? 1.0 / body->inertia[0][0] : 0.0;
    body->gyration[0] = 0.0;
}

void tr2_exact_stiffen(tr2_exact_body *body, tr_dvec2 arm, tr_dvec2 force)
{
    body->stiffness[0][0] += arm.x * force.x + arm.y * force.y;
}

void tr2_exact_slow(tr2_exact_body *body, double most)
{
    const double stiff = most * body->stiffness[0][0], inertia = body->inertia[0][0], turning = body->turning[0][0];
    const bool slow = body->turns && stiff > 0.0 && stiff > turning && stiff < INFINITY;
    body->slow[0][0] = slow ? inertia + (stiff - turning) : inertia;
    body->slow_inverse[0][0] = slow ? 1.0 / body->slow[0][0] : body->inverse[0][0];
    body->slowness = slow ? turning / stiff : 1.0;
}

void tr2_exact_rest(const tr2_joint_def *def, double turn, tr2_joint_pose *out)
{
    tr2_body_state still;
    memset(&still, 0, sizeof still);
    const tr2_body_state *const body[TR_ENDS] = {&still, &still};
    tr2_joint_pose_of(body, def, turn, out);
    out->d = (tr_dvec2){0.0, 0.0};
}

/* the angle between the bodies */
bool tr2_exact_turns_in_lanes(tr2_joint_type type, const tr2_equations *equations, const tr2_exact_group *groups,
                              uint32_t count)
{
    (void)equations;
    return TR2_IS_PLACED(type) && count == 3 && groups[2].kind == TR_EXACT_LAW;
}

void tr2_exact_drift(const tr2_bodies *bodies, uint32_t row, tr2_body_state *state, double h, bool free)
{
    (void)bodies;
    (void)row;
    (void)free;
    const double shift[TR2_DEGREES] = {h * state->velocity.x, h * state->velocity.y, h * state->w};
    tr2_exact_shift(state, shift);
}

void tr2_exact_shift(tr2_body_state *state, const double shift[TR2_DEGREES])
{
    state->center.x += shift[0];
    state->center.y += shift[1];
    if (shift[2] == 0.0)
        return;
    state->angle += shift[2];
    tr_sincos(state->angle, &state->s, &state->c);
}

bool tr2_exact_is_sane(const tr2_body_state *state, double h, double unit)
{
    const double most = (double)TR_SANE_SPEED * unit;
    return fabs(state->velocity.x) <= most && fabs(state->velocity.y) <= most &&
           fabs(state->w) * h <= (double)TR_SANE_TURN && fabs(state->angle) <= TR2_ANGLE_MAX &&
           isfinite(state->center.x) && isfinite(state->center.y);
}
