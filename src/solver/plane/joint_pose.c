/* The state of a joint's bodies and frames, and the centres of bodies. */
#include <string.h>

#include "base/angle.h"
#include "base/finite.h"
#include "solver/core/system.h"

void tr2_body_write_center(tr2_bodies *bodies, uint32_t row, tr_vec2 center)
{
    if (bodies->local_center_x != NULL) {
        TR_TABLE_PUT(float, bodies, local_center_x, row, center.x);
        TR_TABLE_PUT(float, bodies, local_center_y, row, center.y);
    }
    bodies->off_center = bodies->off_center || center.x != 0.0f || center.y != 0.0f;
}

static tr_dvec2 rotate(double c, double s, tr_dvec2 v)
{
    tr_dvec2 out = {c * v.x - s * v.y, s * v.x + c * v.y};
    return out;
}

tr2_body_state tr2_body_state_of(const tr2_bodies *bodies, uint32_t row)
{
    return (tr2_body_state){.center = tr2_body_mass_center(bodies, row),
                            .angle = bodies->angle[row],
                            .c = (double)bodies->c[row],
                            .s = (double)bodies->s[row],
                            .velocity = tr2_widen(tr2_body_linear_velocity(bodies, row)),
                            .w = (double)bodies->angular_velocity[row],
                            .local_center = tr2_body_center(bodies, row)};
}

/* from the centre of mass to an anchor, in world axes */
static tr_dvec2 arm(const tr2_body_state *body, tr_vec2 anchor)
{
    tr_dvec2 local = {(double)anchor.x - (double)body->local_center.x, (double)anchor.y - (double)body->local_center.y};
    return rotate(body->c, body->s, local);
}

/* v + w x r */
static tr_dvec2 point_velocity(const tr2_body_state *body, tr_dvec2 r)
{
    return (tr_dvec2){body->velocity.x - body->w * r.y, body->velocity.y + body->w * r.x};
}

/* Coordinates as measures see them: squares and moments of their differences remain finite. Farther out, doubles say
   nothing of a joint. */
#define MEASURED_MOST 1e150

static tr_dvec2 measurable(double x, double y)
{
    return (tr_dvec2){tr_within(x, MEASURED_MOST), tr_within(y, MEASURED_MOST)};
}

/* the state of one body; null: the world */
static tr2_joint_place place_of(const tr2_body_state *body)
{
    tr2_joint_place out;
    memset(&out, 0, sizeof out);
    out.c = 1.0;
    if (body == NULL)
        return out;
    tr_vec2 zero = {0.0f, 0.0f};
    tr_dvec2 to_origin = arm(body, zero);
    out.c = body->c;
    out.s = body->s;
    out.center = measurable(body->center.x, body->center.y);
    out.origin = (tr_dvec2){out.center.x + to_origin.x, out.center.y + to_origin.y};
    out.velocity = body->velocity;
    out.angle = body->angle;
    out.w = body->w;
    return out;
}

void tr2_joint_pose_of(const tr2_body_state *const body[TR_ENDS], const tr2_joint_def *def, double turn,
                       tr2_joint_pose *out)
{
    const tr2_body_state *a = body[0], *b = body[1];
    out->r_a = arm(a, def->anchor_a);
    out->r_b = arm(b, def->anchor_b);

    /* subtract the centres first: far from the origin, their difference is exact, but a sum is rounded */
    out->d = measurable((b->center.x - a->center.x) + (out->r_b.x - out->r_a.x),
                        (b->center.y - a->center.y) + (out->r_b.y - out->r_a.y));
    tr_dvec2 velocity_a = point_velocity(a, out->r_a);
    tr_dvec2 velocity_b = point_velocity(b, out->r_b);
    out->d_rate.x = velocity_b.x - velocity_a.x;
    out->d_rate.y = velocity_b.y - velocity_a.y;

    out->c_a = a->c;
    out->s_a = a->s;
    out->w_a = a->w;
    tr_dvec2 axis = {(double)def->axis.x, (double)def->axis.y};
    out->axis = rotate(out->c_a, out->s_a, axis);
    double ratio = (double)def->ratio;
    out->angle = b->angle - ratio * a->angle - (double)def->reference_angle - TR_TURN * turn;
    out->angle_rate = b->w - ratio * out->w_a;

    for (uint32_t i = 0; i < TR_ENDS; i++)
        out->body[i] = place_of(body[i]);
    out->body[0].velocity = velocity_a;
    out->body[1].velocity = velocity_b;
}
