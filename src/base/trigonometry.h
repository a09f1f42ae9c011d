/*
 * Sine, cosine and arc tangent in double, with the same bits on every machine, unlike those of C libraries. Polynomials
 * and their coefficients are those of fdlibm (Sun Microsystems 1993), whose error is below one unit in the last place;
 * angles are reduced to quadrants by a product, which is exact up to 1e6 rad.
 */
#ifndef TR_BASE_TRIGONOMETRY_H
#define TR_BASE_TRIGONOMETRY_H

#include <math.h>
#include <stdint.h>

static inline void tr_sincos(double angle, double *sine, double *cosine)
{
    const double q = nearbyint(angle * 6.36619772367581382433e-01);
    const double r =
        ((angle - q * 1.57079632673412561417e+00) - q * 6.07710050630396597660e-11) - q * 2.02226624879595063154e-21;
    const double z = r * r;
    const double s = r + r * z *
                             (-1.66666666666666324348e-01 +
                              z * (8.33333333332248946124e-03 +
                                   z * (-1.98412698298579493134e-04 +
                                        z * (2.75573137070700676789e-06 +
                                             z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    const double c =
        1.0 - (0.5 * z - z * z *
                             (4.16666666666666019037e-02 +
                              z * (-1.38888888888741095749e-03 +
                                   z * (2.48015872894767294178e-05 +
                                        z * (-2.75573143513906633035e-07 +
                                             z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
    /* beyond 1e15 there is no quadrant, and no angle */
    const uint32_t quadrant = fabs(q) < 1e15 ? (uint32_t)((int64_t)q & 3) : 0;
    const double swapped_s = (quadrant & 1) != 0 ? c : s, swapped_c = (quadrant & 1) != 0 ? s : c;
    *sine = (quadrant & 2) != 0 ? -swapped_s : swapped_s;
    *cosine = quadrant == 1 || quadrant == 2 ? -swapped_c : swapped_c;
}

/* of x >= 0 */
static inline double tr_arctan(double x)
{
    static const double high[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
                                  1.57079632679489655800e+00},
                        low[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
                                 6.12323399573676603587e-17};
    int id = -1;
    if (!(x < 2.4375)) {
        id = 3;
        x = -1.0 / x;
    } else if (x >= 1.1875) {
        id = 2;
        x = (x - 1.5) / (1.0 + 1.5 * x);
    } else if (x >= 0.6875) {
        id = 1;
        x = (x - 1.0) / (x + 1.0);
    } else if (x >= 0.4375) {
        id = 0;
        x = (2.0 * x - 1.0) / (2.0 + x);
    }
    const double z = x * x, w = z * z;
    const double odd = z * (3.33333333333329318027e-01 +
                            w * (1.42857142725034663711e-01 +
                                 w * (9.09088713343650656196e-02 +
                                      w * (6.66107313738753120669e-02 +
                                           w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
    const double even =
        w *
        (-1.99999999998764832476e-01 +
         w * (-1.11111104054623557880e-01 +
              w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
    const double turned = x * (odd + even);
    return id < 0 ? x - turned : high[id] - ((turned - low[id]) - x);
}

/* The angle of (x, y), -pi to pi; that of (0, 0) is 0. */
static inline double tr_arctan2(double y, double x)
{
    const double a = fabs(y), b = fabs(x);
    double angle = a == 0.0 && b == 0.0 ? 0.0 : a <= b ? tr_arctan(a / b) : 1.57079632679489661923 - tr_arctan(b / a);
    if (x < 0.0)
        angle = 3.14159265358979323846 - angle;
    return y < 0.0 ? -angle : angle;
}

#endif
