/*
 * MJCF: a body on several joints hangs on the last of them. Between two of them there is a carrier, a body of its own,
 * which has a share of the body's mass and inertia, since no body is without. As the file has the bodies, a body and its
 * carriers have together its mass, centre and inertia.
 *
 * A carrier lies at its pivot: thus its weight turns nothing about the joints through it, in whatever pose. With the
 * share s of the mass m, n carriers at p and the body's centre c, what is left to the body is
 *
 *   m' = (1 - n s) m,   c' = c - s / (1 - n s) sum (p - c),
 *   I' = I - sum (J + s m D(p - c)) - m' D(c' - c),   J = s (I + m D(p - c)),   D(d) = d.d 1 - d d^T
 *
 * A compact body that is far from its pivots has no I' that a body may have. Then all have the centre c, and their
 * shares of I.
 */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdio.h>

/* of mass and inertia; less makes joints less exact, more the motion of the body */
#define SHARE 0.05
/* how much of its margins an inertia must keep */
#define KEPT 0.25

static tr_dsym3 plus(tr_dsym3 a, double k, tr_dsym3 b)
{
    return (tr_dsym3){a.xx + k * b.xx, a.yy + k * b.yy, a.zz + k * b.zz,
                      a.xy + k * b.xy, a.xz + k * b.xz, a.yz + k * b.yz};
}

static tr_dsym3 about(tr_dvec3 d)
{
    return (tr_dsym3){
        d.y * d.y + d.z * d.z, d.z * d.z + d.x * d.x, d.x * d.x + d.y * d.y, -d.x * d.y, -d.x * d.z, -d.y * d.z};
}

/* The pivot of the carrier that follows joint *i, in the body's frame; *i is then the joint after it. */
static tr_dvec3 next_pivot(const mjcf *it, const mjcf_body *of, uint32_t *i)
{
    const mjcf_joint *joints = &it->joints[of->first_joint];
    const uint32_t before = *i;
    *i += tr3_mjcf_joined(it, of, *i);
    return tr3_times(0.5, tr3_plus(joints[before].pos, joints[*i].pos));
}

static uint32_t count_carriers(const mjcf *it, const mjcf_body *of)
{
    uint32_t joints = 0;
    for (uint32_t i = 0; i < of->count; i += tr3_mjcf_joined(it, of, i))
        joints++;
    return joints > 0 ? joints - 1 : 0;
}

static tr3_mass carrier_of(const tr3_mass *whole, double share, tr_dvec3 pivot)
{
    const tr_dvec3 d = tr3_minus(pivot, whole->center);
    const tr_dsym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    return (tr3_mass){share * whole->mass, pivot, plus(none, share, plus(whole->inertia, whole->mass, about(d)))};
}

/* what is left to the body if its carriers lie at their pivots; false if no body is so */
static bool take(const mjcf *it, const mjcf_body *of, uint32_t carriers, double share, tr3_mass *rest)
{
    const tr3_mass whole = of->mass;
    const double left = 1.0 - carriers * share;
    *rest = whole;
    rest->mass = left * whole.mass;
    for (uint32_t k = 0, i = 0; k < carriers; k++) {
        const tr3_mass carrier = carrier_of(&whole, share, next_pivot(it, of, &i));
        const tr_dvec3 d = tr3_minus(carrier.center, whole.center);
        rest->center = tr3_minus(rest->center, tr3_times(share / left, d));
        rest->inertia = plus(plus(rest->inertia, -1.0, carrier.inertia), -carrier.mass, about(d));
    }
    rest->inertia = plus(rest->inertia, -rest->mass, about(tr3_minus(rest->center, whole.center)));
    double least, triangle, whole_least, whole_triangle;
    tr3_inertia_margins(&whole.inertia, &whole_least, &whole_triangle);
    tr3_inertia_margins(&rest->inertia, &least, &triangle);
    return least > KEPT * whole_least && triangle >= KEPT * whole_triangle - 1e-6;
}

tr_status tr3_mjcf_make_carriers(mjcf *it, uint32_t body)
{
    tr3_model *model = it->model;
    mjcf_body *of = &it->bodies[body];
    const uint32_t carriers = count_carriers(it, of), node = it->parts[body].node;
    of->first_carrier = model->builder->scene->body_count;
    if (carriers == 0)
        return TR_OK;
    const double share = fmin(SHARE, 0.5 / carriers);
    const tr3_mass whole = of->mass;
    const tr_dsym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const bool at_pivots = take(it, of, carriers, share, &of->mass);
    if (!at_pivots)
        of->mass = (tr3_mass){(1.0 - carriers * share) * whole.mass, whole.center,
                              plus(none, 1.0 - carriers * share, whole.inertia)};
    tr3_model_notice(model, node, NULL,
                     "is on several joints: between two there is a carrier, with %g of its mass and inertia", share);
    tr_status status = TR_OK;
    for (uint32_t k = 0, i = 0; k < carriers && status == TR_OK; k++) {
        const mjcf_joint *joint = &it->joints[of->first_joint + i];
        const char *own = it->parts[body].name;
        const tr_dvec3 pivot = next_pivot(it, of, &i);
        const tr3_mass part = at_pivots
                                  ? carrier_of(&whole, share, pivot)
                                  : (tr3_mass){share * whole.mass, whole.center, plus(none, share, whole.inertia)};
        const tr3_frame pose = tr3_mjcf_pose(it, body, &it->start[of->parent], it->qpos, i);
        char name[96];
        uint32_t made = 0;
        snprintf(name, sizeof name, "%.40s on %.40s", own != NULL ? own : "body",
                 joint->name != NULL ? joint->name : "joint");
        tr_scene_tidy(name);
        status = tr3_model_body(model, node, name, TR_DYNAMIC, &pose, &part, &made);
    }
    return status;
}

#endif
