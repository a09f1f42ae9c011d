/* Cosine and sine of an angle, in code that compilers can vectorise. */
#ifndef TR_SOLVER_ROTATION_H
#define TR_SOLVER_ROTATION_H

#include <stdint.h>
#include <string.h>

/* larger angles are first reduced modulo a full turn: tr2_rotation() */
#define TR2_ROTATION_MOST 1e8
/* The greatest angle of a body, rad: definitions beyond it are refused, and a step that would pass it quarantines the
   body. So a step leaves only what a definition may have; floats of a joint's angle say nothing there anyway. */
#define TR2_ANGLE_MAX 1e12

static inline uint64_t tr2_bits_of(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline uint32_t tr2_float_bits_of(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline float tr2_float_of(uint32_t bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/*
 * Reduction to quadrants, and polynomials for +-pi/4 with the least greatest error, 5e-12 of the sine and 5e-11 of the
 * cosine, in double. A body's rotation follows from its angle alone and cannot drift. Unlike the C library's functions,
 * the result is the same on every machine.
 */
static inline void tr2_rotation_of(double angle, float *c, float *s)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to an integer */
    double shifted = angle * 0.63661977236758134308 + magic;
    double q = shifted - magic;
    /* pi/2 in two parts: the product with the first, of 27 bits, is exact */
    double r = (angle - q * 1.57079632580280303955) - q * 9.92093579680540425193e-10;
    double r2 = r * r;
    double sine = r + r * (r2 * (-1.66666666407970426311e-1 +
                                 r2 * (8.33332930484251797887e-3 +
                                       r2 * (-1.98393122694850884387e-4 + r2 * 2.71812162798315925705e-6))));
    double cosine =
        1.0 +
        r2 * (-4.99999997251082739513e-1 +
              r2 * (4.16666233243472086678e-2 + r2 * (-1.38867637944091394837e-3 + r2 * 2.43904507038888273402e-5)));
    /* the quadrant is in the lowest bits of the shifted sum: odd quadrants swap sine and cosine, and two bits give
       the signs */
    uint32_t quadrant = (uint32_t)tr2_bits_of(shifted), odd = 0 - (quadrant & 1), sign = UINT32_C(1) << 31;
    uint32_t y = tr2_float_bits_of((float)sine), x = tr2_float_bits_of((float)cosine), swap = (y ^ x) & odd;
    *s = tr2_float_of(y ^ swap ^ (quadrant << 30 & sign));
    *c = tr2_float_of(x ^ swap ^ ((quadrant + 1) << 30 & sign));
}

#endif
