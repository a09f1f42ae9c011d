/* Cosine and sine of an angle, in code that compilers can vectorise. */
#ifndef TR_SOLVER_ROTATION_H
#define TR_SOLVER_ROTATION_H

#include <stdint.h>
#include <string.h>

/* larger angles are first reduced modulo a full turn: tr2_rotation() */
#define TR2_ROTATION_MOST 1e8

static inline uint64_t tr2_bits_of(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline double tr2_double_of(uint64_t bits)
{
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/*
 * Reduction to quadrants and the polynomials of Cephes (S. Moshier) for +-pi/4, in double. A body's rotation follows
 * from its angle alone and cannot drift. Unlike the C library's functions, the result is the same on every machine.
 */
static inline void tr2_rotation_of(double angle, float *c, float *s)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to an integer */
    double shifted = angle * 0.63661977236758134308 + magic;
    double q = shifted - magic;
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
                                           r2 * (2.08757008419747316778e-9 + r2 * -1.13585353213876817300e-11)))));
    /* the quadrant is in the lowest bits of the shifted sum: odd quadrants swap sine and cosine, and two bits give
       the signs */
    uint64_t quadrant = tr2_bits_of(shifted), odd = 0 - (quadrant & 1), sign = UINT64_C(1) << 63;
    uint64_t y = tr2_bits_of(sine), x = tr2_bits_of(cosine), swap = (y ^ x) & odd, flip = (quadrant << 62) & sign;
    *s = (float)tr2_double_of(y ^ swap ^ flip);
    *c = (float)tr2_double_of(x ^ swap ^ flip ^ (odd & sign));
}

#endif
