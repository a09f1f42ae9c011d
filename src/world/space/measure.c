/* Energy, momenta, hash and turns of a body in space. */
#include "world/core/measure.h"

void tr3_measure_body(const tr3_world *world, uint32_t row, tr3_measures *out)
{
    const tr3_bodies *bodies = &world->bodies;
    if (!tr3_body_is_dynamic(bodies, row))
        return;
    double mass = (double)bodies->mass[row];
    double scale = (double)tr3_body_number(bodies->gravity_scale, row, 1.0f);
    tr_dvec3 at = tr3_body_mass_center(bodies, row), v = tr3_widen(tr3_body_linear_velocity(bodies, row));
    tr_dvec3 momentum = tr3_times(mass, v);
    /* about the principal axes */
    tr3_dquat axes = tr3_normalised(tr3_widen_quat(tr3_body_principal_rotation(bodies, row)));
    tr_dvec3 w = tr3_turned(tr3_conjugate(axes), tr3_widen(tr3_body_angular_velocity(bodies, row)));
    tr_dvec3 spin = {(double)bodies->inertia_x[row] * w.x, (double)bodies->inertia_y[row] * w.y,
                     (double)bodies->inertia_z[row] * w.z};

    tr_dvec3 angular = tr3_plus(tr3_cross(at, momentum), tr3_turned(axes, spin));
    tr_add_to(&out->kinetic_energy, 0.5 * tr3_dot(momentum, v) + 0.5 * tr3_dot(spin, w));
    tr_add_to(&out->potential_energy, -(mass * scale * tr3_dot(tr3_widen(world->settings.gravity), at)));
    tr_add_to(&out->momentum.x, momentum.x);
    tr_add_to(&out->momentum.y, momentum.y);
    tr_add_to(&out->momentum.z, momentum.z);
    tr_add_to(&out->angular_momentum.x, angular.x);
    tr_add_to(&out->angular_momentum.y, angular.y);
    tr_add_to(&out->angular_momentum.z, angular.z);
}

uint64_t tr3_hash_body(const tr3_bodies *bodies, uint32_t row, uint64_t hash)
{
    tr_dvec3 at = tr3_body_mass_center(bodies, row);
    tr_quat q = tr3_body_principal_rotation(bodies, row);
    tr_vec3 v = tr3_body_linear_velocity(bodies, row), w = tr3_body_angular_velocity(bodies, row);
    const double place[] = {at.x, at.y, at.z};
    const float rest[] = {q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z};
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++)
        hash = tr_mix_double(hash, place[i]);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        hash = tr_mix_float(hash, rest[i]);
    return hash;
}

double tr3_turn_square(tr3_orientation a, tr3_orientation b)
{
    const tr3_dquat between = tr3_compose(tr3_widen_quat(a), tr3_conjugate(tr3_widen_quat(b)));
    /* four times the square of the sine of half the angle */
    return 4.0 * (between.x * between.x + between.y * between.y + between.z * between.z);
}
