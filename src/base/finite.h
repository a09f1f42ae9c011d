/* What is shown of numbers that floats or doubles cannot hold: a reader gets no infinite number and no NaN. */
#ifndef TR_BASE_FINITE_H
#define TR_BASE_FINITE_H

#include <float.h>
#include <math.h>

/* the number within +-most that is nearest to `a`; 0 for NaN */
static inline double tr_within(double a, double most)
{
    if (isnan(a))
        return 0.0;
    return a > most ? most : a < -most ? -most : a;
}

/* the nearest finite number */
static inline double tr_finite_double(double a)
{
    return tr_within(a, DBL_MAX);
}

static inline float tr_finite_float(double a)
{
    return (float)tr_within(a, (double)FLT_MAX);
}

#endif
