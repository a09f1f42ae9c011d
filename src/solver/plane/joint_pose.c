/* The state of a joint's bodies and frames, and the centres of bodies. */
#include <string.h>

#include "base/angle.h"
#include "base/finite.h"
#include "solver/core/system.h"

void tr2_body_write_center(tr2_bodies *bodies, uint32_t row, tr_vec2 center)
{
    if (bodies->local_center_x != NULL) {
        bodies->local_center_x[row] = center.x;
        bodies->local_center_y[row] = center.y;
    }
    bodies->off_center = bodies->off_center || center.x != 0.0f || center.y != 0.0f;
}

static tr_dvec2 rotate(double c, double s, tr_dvec2 v)
{
    tr_dvec2 out = {c * v.x - s * v.y, s * v.x + c * v.y};
    return out;
}

/* from the centre of mass to an anchor, in world axes */
static tr_dvec2 arm(const tr2_bodies *bodies, uint32_t row, tr_vec2 anchor)
{
    tr_vec2 center = tr2_body_center(bodies, row);
    tr_dvec2 local = {(double)anchor.x - (double)center.x, (double)anchor.y - (double)center.y};
    return rotate((double)bodies->c[row], (double)bodies->s[row], local);
}

/* v + w x r */
static tr_dvec2 point_velocity(const tr2_bodies *bodies, uint32_t row, tr_dvec2 r)
{
    double w = (double)bodies->angular_velocity[row];
    tr_dvec2 out = {(double)bodies->velocity_x[row] - w * r.y, (double)bodies->velocity_y[row] + w * r.x};
    return out;
}

/* Coordinates as measures see them: squares and moments of their differences remain finite. Farther out, doubles say
   nothing of a joint. */
#define MEASURED_MOST 1e150

static tr_dvec2 measurable(double x, double y)
{
    return (tr_dvec2){tr_within(x, MEASURED_MOST), tr_within(y, MEASURED_MOST)};
}

/* the state of one body; TR_NONE: the world */
static tr2_joint_place place_of(const tr2_bodies *bodies, uint32_t row)
{
    tr2_joint_place out;
    memset(&out, 0, sizeof out);
    out.c = 1.0;
    if (row == TR_NONE)
        return out;
    tr_vec2 zero = {0.0f, 0.0f};
    tr_dvec2 to_origin = arm(bodies, row, zero);
    out.c = (double)bodies->c[row];
    out.s = (double)bodies->s[row];
    out.center = measurable(bodies->center_x[row], bodies->center_y[row]);
    out.origin = (tr_dvec2){out.center.x + to_origin.x, out.center.y + to_origin.y};
    out.velocity = (tr_dvec2){(double)bodies->velocity_x[row], (double)bodies->velocity_y[row]};
    out.angle = bodies->angle[row];
    out.w = (double)bodies->angular_velocity[row];
    return out;
}

void tr2_joint_pose_get(const tr2_bodies *bodies, const uint32_t rows[TR_ENDS], const tr2_joint_def *def, double turn,
                        tr2_joint_pose *out)
{
    uint32_t row_a = rows[0], row_b = rows[1];
    out->r_a = arm(bodies, row_a, def->anchor_a);
    out->r_b = arm(bodies, row_b, def->anchor_b);

    /* subtract the centres first: far from the origin, their difference is exact, but a sum is rounded */
    out->d = measurable((bodies->center_x[row_b] - bodies->center_x[row_a]) + (out->r_b.x - out->r_a.x),
                        (bodies->center_y[row_b] - bodies->center_y[row_a]) + (out->r_b.y - out->r_a.y));
    tr_dvec2 velocity_a = point_velocity(bodies, row_a, out->r_a);
    tr_dvec2 velocity_b = point_velocity(bodies, row_b, out->r_b);
    out->d_rate.x = velocity_b.x - velocity_a.x;
    out->d_rate.y = velocity_b.y - velocity_a.y;

    out->c_a = (double)bodies->c[row_a];
    out->s_a = (double)bodies->s[row_a];
    out->w_a = (double)bodies->angular_velocity[row_a];
    tr_dvec2 axis = {(double)def->axis.x, (double)def->axis.y};
    out->axis = rotate(out->c_a, out->s_a, axis);
    double ratio = (double)def->ratio;
    out->angle = bodies->angle[row_b] - ratio * bodies->angle[row_a] - (double)def->reference_angle - TR_TURN * turn;
    out->angle_rate = (double)bodies->angular_velocity[row_b] - ratio * out->w_a;

    for (uint32_t i = 0; i < TR_ENDS; i++)
        out->body[i] = place_of(bodies, rows[i]);
    out->body[0].velocity = velocity_a;
    out->body[1].velocity = velocity_b;
}
