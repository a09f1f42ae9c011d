/* Area, first and second moments of parts of shapes. */
#ifndef TR2_COLLIDE_MOMENTS_H
#define TR2_COLLIDE_MOMENTS_H

#include <math.h>
#include <stdbool.h>

#include "base/angle.h"
#include "trammel/base.h"

/* The angle in 0 .. pi with this ratio of cosine and sine (>= 0). The C library's functions differ between machines. */
static inline double tr_angle_of(double c, double s)
{
    double length = sqrt(c * c + s * s);
    bool obtuse = c < 0.0;
    /* half-angle formulas: tan(x/2) = s / (1 + c), then tan(x/2) = t / (1 + sqrt(1 + t^2)) */
    double t = s / (length + fabs(c));
    for (int i = 0; i < 3; i++)
        t = t / (1.0 + sqrt(1.0 + t * t));
    /* now below 0.1: the series of atan is accurate to 16 digits */
    double t2 = t * t, power = t, angle = 0.0;
    for (int i = 1; i < 18; i += 4) {
        angle += power / i - power * t2 / (i + 2);
        power *= t2 * t2;
    }
    angle *= 16.0;
    return obtuse ? TR_PI - angle : angle;
}

/* Sums over parts, about one reference point. */
typedef struct tr2_moments {
    double area, x, y; /* first moments */
    double second;     /* polar second moment */
} tr2_moments;

/* adds a part, given its area, first moments and second moment about its own reference point (x, y) */
static inline void tr2_moments_add(tr2_moments *total, double area, double mx, double my, double second, double x,
                                   double y)
{
    total->area += area;
    total->x += mx + area * x;
    total->y += my + area * y;
    total->second += second + 2.0 * (mx * x + my * y) + area * (x * x + y * y);
}

/* adds the triangle of the reference point, a and b; negative if they are in clockwise order */
static inline void tr2_moments_triangle(tr2_moments *total, tr_dvec2 a, tr_dvec2 b)
{
    double cross = a.x * b.y - a.y * b.x;
    double second = cross * (a.x * a.x + a.y * a.y + a.x * b.x + a.y * b.y + b.x * b.x + b.y * b.y) / 12.0;
    tr2_moments_add(total, 0.5 * cross, cross * (a.x + b.x) / 6.0, cross * (a.y + b.y) / 6.0, second, 0.0, 0.0);
}

/* Adds a sector with its tip at `tip`, counter-clockwise from one unit vector to another by at most half a turn. Of
   angle a: area a r^2 / 2; second moment a r^4 / 4 about its tip; first moment r^3 / 3 times the integral of its
   directions. */
static inline void tr2_moments_sector(tr2_moments *total, tr_dvec2 tip, double r, tr_dvec2 from, tr_dvec2 to)
{
    double angle = tr_angle_of(from.x * to.x + from.y * to.y, fabs(from.x * to.y - from.y * to.x));
    double third = r * r * r / 3.0;
    tr2_moments_add(total, 0.5 * angle * r * r, third * (to.y - from.y), -third * (to.x - from.x),
                    0.25 * angle * r * r * r * r, tip.x, tip.y);
}

#endif
