/* The rows of a free coordinate in the plane: an angle, an angle relative to a multiple of A's, or a direction. */
#include <float.h>

#include "solver/plane/rows.inl"

/* which features a type has, and what its coordinate is; constants after inlining */
typedef struct freedom {
    bool angular, geared, spring, motor, limit, friction;
} freedom;

/* the coordinate's row, unless it is a plain angle */
typedef struct course {
    direction along;
    gearing turn;
} course;

TR_INLINE course course_angle(void)
{
    const wf none = wf_zero();
    course r = {{{none, none}, none, none}, {none, none}};
    return r;
}

TR_INLINE course course_along(direction along)
{
    course r = course_angle();
    r.along = along;
    return r;
}

TR_INLINE course course_geared(gearing turn)
{
    course r = course_angle();
    r.turn = turn;
    return r;
}

TR_INLINE wf free_rate(const motion *a, const motion *b, freedom has, course r)
{
    if (has.angular)
        return b->w - a->w;
    return has.geared ? gearing_rate(a, b, r.turn) : direction_rate(a, b, r.along);
}

TR_INLINE void free_apply(motion *a, motion *b, masses m, freedom has, course r, wf impulse)
{
    if (has.angular)
        angle_apply(a, b, m, impulse);
    else if (has.geared)
        gearing_apply(a, b, m, r.turn, impulse);
    else
        direction_apply(a, b, m, r.along, impulse);
}

TR_INLINE wf free_k(masses m, freedom has, course r)
{
    if (has.angular)
        return m.ii_a + m.ii_b;
    return has.geared ? gearing_k(m, r.turn) : direction_k(m, r.along);
}
