/* Bodies of the plane in the equations of motion. */
#include "world/instant/instant.h"

void tr2_inertial_of(const tr2_world *world, uint32_t row, tr2_inertial *out)
{
    const tr2_bodies *bodies = &world->bodies;
    out->mass = (double)bodies->mass[row];
    out->inverse_mass = 1.0 / out->mass;
    out->turns = tr2_body_inverse_inertia(bodies, row) > 0.0f;
    out->inertia[0][0] = out->turns ? (double)bodies->inertia[row] : 1.0;
    out->inverse_inertia[0][0] = out->turns ? 1.0 / out->inertia[0][0] : 0.0;
    double scale = (double)tr2_body_number(bodies->gravity_scale, row, 1.0f);
    double linear = (double)tr2_body_number(bodies->linear_damping, row, 0.0f);
    double angular = (double)tr2_body_number(bodies->angular_damping, row, 0.0f);
    tr_dvec2 v = tr2_widen(tr2_body_linear_velocity(bodies, row)), f = tr2_widen(tr2_body_force(bodies, row));
    tr_dvec2 gravity = tr2_widen(world->settings.gravity);
    out->acceleration[0] = scale * gravity.x + out->inverse_mass * f.x - linear * v.x;
    out->acceleration[1] = scale * gravity.y + out->inverse_mass * f.y - linear * v.y;
    out->acceleration[2] = out->inverse_inertia[0][0] * (double)tr2_body_torque(bodies, row) -
                           angular * (double)tr2_body_angular_velocity(bodies, row);
}

void tr2_inertial_respond(const tr2_inertial *body, const double in[TR2_DEGREES], double out[TR2_DEGREES])
{
    out[0] = body->inverse_mass * in[0];
    out[1] = body->inverse_mass * in[1];
    out[2] = body->inverse_inertia[0][0] * in[2];
}
