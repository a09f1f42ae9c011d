/* Energy, momenta, hash and turns of a body of the plane. */
#include "world/core/measure.h"

void tr2_measure_body(const tr2_world *world, uint32_t row, tr2_measures *out)
{
    const tr2_bodies *bodies = &world->bodies;
    if (!tr2_body_is_dynamic(bodies, row))
        return;
    double mass = (double)bodies->mass[row];
    double inertia = (double)bodies->inertia[row];
    double x = bodies->center_x[row];
    double y = bodies->center_y[row];
    double vx = (double)bodies->velocity_x[row];
    double vy = (double)bodies->velocity_y[row];
    double w = (double)bodies->angular_velocity[row];
    double scale = (double)tr2_body_number(bodies->gravity_scale, row, 1.0f);
    double g_x = (double)world->settings.gravity.x * scale;
    double g_y = (double)world->settings.gravity.y * scale;

    tr_add_to(&out->kinetic_energy, 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * w * w);
    tr_add_to(&out->potential_energy, -(mass * (g_x * x + g_y * y)));
    tr_add_to(&out->momentum.x, mass * vx);
    tr_add_to(&out->momentum.y, mass * vy);
    tr_add_to(&out->angular_momentum, mass * (x * vy - y * vx) + inertia * w);
}

uint64_t tr2_hash_body(const tr2_bodies *bodies, uint32_t row, uint64_t hash)
{
    hash = tr_mix_double(hash, bodies->center_x[row]);
    hash = tr_mix_double(hash, bodies->center_y[row]);
    hash = tr_mix_double(hash, bodies->angle[row]);
    hash = tr_mix_float(hash, bodies->c[row]);
    hash = tr_mix_float(hash, bodies->s[row]);
    hash = tr_mix_float(hash, bodies->velocity_x[row]);
    hash = tr_mix_float(hash, bodies->velocity_y[row]);
    return tr_mix_float(hash, bodies->angular_velocity[row]);
}

double tr2_turn_square(tr2_orientation a, tr2_orientation b)
{
    return (a - b) * (a - b);
}
