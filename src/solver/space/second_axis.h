/* The second axis of a joint's frame, as it is stored: of length 1, across the first. */
#ifndef TR_SPACE_SECOND_AXIS_H
#define TR_SPACE_SECOND_AXIS_H

#include "solver/space/geometry.h"

/* What has length 1 up to rounding stays, because a definition read from a joint must create an identical joint. */
static inline bool tr3_is_unit(double square)
{
    return fabs(square - 1.0) <= 2.4e-7;
}

/* Of `other`, which is zero or not along `axis`, what is across the latter, of length 1; some direction across if it is
   zero. */
static inline tr3_vec tr3_second_axis(tr3_vec axis, tr3_vec other)
{
    tr3_dvec n = tr3_widen(axis), v = tr3_widen(other);
    n = tr3_over(n, sqrt(tr3_dot(n, n)));
    if (tr3_is_same(other, (tr3_vec){0.0f, 0.0f, 0.0f}))
        v = fabs(n.x) < 0.6 ? (tr3_dvec){1.0, 0.0, 0.0} : (tr3_dvec){0.0, 1.0, 0.0};
    else if (tr3_is_unit(tr3_dot(v, v)) && fabs(tr3_dot(n, v)) <= 2.4e-7)
        return other;
    v = tr3_part_across(n, v);
    return tr3_narrow(tr3_over(v, sqrt(tr3_dot(v, v))));
}

#endif
