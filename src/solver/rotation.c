#include <math.h>

#include "base/angle.h"
#include "solver/system.h"

/*
 * By quadrants and the polynomials of Cephes (S. Moshier) for +-pi/4, in double, so that a body's rotation follows from
 * its angle alone and never drifts. The C library's functions differ from machine to machine; these do not.
 */
void tr2_rotation(double angle, float *c, float *s)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52: the sum has no bits left for a fraction */
    if (fabs(angle) > 1e8)
        angle = fmod(angle, TR_TURN); /* exact, on every machine */
    double q = (angle * 0.63661977236758134308 + magic) - magic;
    double r = ((angle - q * 1.57079625129699707031) - q * 7.54978941586159635335e-8) - q * 5.39030285815811905290e-15;
    double r2 = r * r;
    double sine = r + r * r2 *
                          (-1.66666666666666307295e-1 +
                           r2 * (8.33333333332211858878e-3 +
                                 r2 * (-1.98412698295895385996e-4 +
                                       r2 * (2.75573136213857245213e-6 +
                                             r2 * (-2.50507477628578072866e-8 + r2 * 1.58962301576546568060e-10)))));
    double cosine = (1.0 - 0.5 * r2) +
                    r2 * r2 *
                        (4.16666666666665929218e-2 +
                         r2 * (-1.38888888888730564116e-3 +
                               r2 * (2.48015872888517045348e-5 +
                                     r2 * (-2.75573141792967388112e-7 +
                                           r2 * (2.08757008419747316778e-9 + r2 * -1.13585365213876817300e-11)))));
    switch ((int64_t)q & 3) {
    case 0:
        break;
    case 1: {
        double t = sine;
        sine = cosine;
        cosine = -t;
        break;
    }
    case 2:
        sine = -sine;
        cosine = -cosine;
        break;
    default: {
        double t = sine;
        sine = -cosine;
        cosine = t;
        break;
    }
    }
    *c = (float)cosine;
    *s = (float)sine;
}
