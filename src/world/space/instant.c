/* Bodies in space in the equations of motion. */
#include <string.h>

#include "world/instant/instant.h"

/* R diag(moments) R^T */
static void turned_tensor(tr3_dquat axes, const double moments[3], double out[3][3])
{
    const tr_dvec3 x = tr3_turned(axes, (tr_dvec3){1.0, 0.0, 0.0}), y = tr3_turned(axes, (tr_dvec3){0.0, 1.0, 0.0}),
                   z = tr3_turned(axes, (tr_dvec3){0.0, 0.0, 1.0});
    const double column[3][3] = {{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = moments[0] * column[0][i] * column[0][k] + moments[1] * column[1][i] * column[1][k] +
                        moments[2] * column[2][i] * column[2][k];
}

static tr_dvec3 times(double t[3][3], tr_dvec3 v)
{
    return (tr_dvec3){t[0][0] * v.x + t[0][1] * v.y + t[0][2] * v.z, t[1][0] * v.x + t[1][1] * v.y + t[1][2] * v.z,
                      t[2][0] * v.x + t[2][1] * v.y + t[2][2] * v.z};
}

void tr3_inertial_of(const tr3_world *world, uint32_t row, tr3_inertial *out)
{
    const tr3_bodies *bodies = &world->bodies;
    memset(out, 0, sizeof *out);
    out->mass = (double)bodies->mass[row];
    out->inverse_mass = 1.0 / out->mass;
    out->turns = tr3_body_inverse_inertia(bodies, row).x > 0.0f;
    if (out->turns) {
        tr3_dquat axes = tr3_normalised(tr3_widen_quat(tr3_body_principal_rotation(bodies, row)));
        const double moments[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                                   (double)bodies->inertia_z[row]};
        const double inverse[3] = {1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2]};
        turned_tensor(axes, moments, out->inertia);
        turned_tensor(axes, inverse, out->inverse_inertia);
    } else {
        for (int i = 0; i < 3; i++)
            out->inertia[i][i] = 1.0;
    }
    double scale = (double)tr3_body_number(bodies->gravity_scale, row, 1.0f);
    double linear = (double)tr3_body_number(bodies->linear_damping, row, 0.0f);
    double angular = (double)tr3_body_number(bodies->angular_damping, row, 0.0f);
    tr_dvec3 v = tr3_widen(tr3_body_linear_velocity(bodies, row)), f = tr3_widen(tr3_body_force(bodies, row));
    tr_dvec3 w = tr3_widen(tr3_body_angular_velocity(bodies, row)), torque = tr3_widen(tr3_body_torque(bodies, row));
    tr_dvec3 pull = tr3_plus(tr3_times(scale, tr3_widen(world->settings.gravity)), tr3_times(out->inverse_mass, f));
    /* I dw/dt = torque - w x (I w) */
    tr_dvec3 net = out->turns ? tr3_minus(torque, tr3_cross(w, times(out->inertia, w))) : torque;
    tr3_equation_put(out->acceleration, tr3_minus(pull, tr3_times(linear, v)),
                     tr3_minus(times(out->inverse_inertia, net), tr3_times(angular, w)));
}

void tr3_inertial_respond(const tr3_inertial *body, const double in[TR3_DEGREES], double out[TR3_DEGREES])
{
    for (int i = 0; i < 3; i++) {
        out[i] = body->inverse_mass * in[i];
        out[3 + i] = body->inverse_inertia[i][0] * in[3] + body->inverse_inertia[i][1] * in[4] +
                     body->inverse_inertia[i][2] * in[5];
    }
}
