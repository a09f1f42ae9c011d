/*
 * A body on several joints, one after the other, as MJCF has them, and URDF with links without mass between them: it hangs
 * on the last. Between two of them there is a carrier, a body of its own, which has a share of the body's mass and
 * inertia, since no body is without. As the file has the bodies, a body and its carriers have together its mass, centre
 * and inertia.
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
#include "scene/space/model.h"

#ifdef TR_WITH_XML

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

static const tr_dsym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

tr3_mass tr3_carrier_mass(const tr3_mass *whole, tr_dvec3 pivot, bool at_pivot)
{
    if (!at_pivot)
        return (tr3_mass){TR3_CARRIER_SHARE * whole->mass, whole->center,
                          plus(none, TR3_CARRIER_SHARE, whole->inertia)};
    const tr_dvec3 d = tr3_minus(pivot, whole->center);
    return (tr3_mass){TR3_CARRIER_SHARE * whole->mass, pivot,
                      plus(none, TR3_CARRIER_SHARE, plus(whole->inertia, whole->mass, about(d)))};
}

bool tr3_carriers_take(tr3_mass *body, const tr_dvec3 *pivots, uint32_t count)
{
    const tr3_mass whole = *body;
    const double left = 1.0 - count * TR3_CARRIER_SHARE;
    tr3_mass rest = whole;
    rest.mass = left * whole.mass;
    for (uint32_t k = 0; k < count; k++) {
        const tr3_mass carrier = tr3_carrier_mass(&whole, pivots[k], true);
        const tr_dvec3 d = tr3_minus(pivots[k], whole.center);
        rest.center = tr3_minus(rest.center, tr3_times(TR3_CARRIER_SHARE / left, d));
        rest.inertia = plus(plus(rest.inertia, -1.0, carrier.inertia), -carrier.mass, about(d));
    }
    rest.inertia = plus(rest.inertia, -rest.mass, about(tr3_minus(rest.center, whole.center)));
    double least, triangle, whole_least, whole_triangle;
    tr3_inertia_margins(&whole.inertia, &whole_least, &whole_triangle);
    tr3_inertia_margins(&rest.inertia, &least, &triangle);
    if (least > KEPT * whole_least && triangle >= KEPT * whole_triangle - 1e-6) {
        *body = rest;
        return true;
    }
    *body = (tr3_mass){left * whole.mass, whole.center, plus(none, left, whole.inertia)};
    return false;
}

#endif
