/* The row of a free coordinate in space: along a direction or about an axis. */
#include "solver/space/kernels/rows.inl"

/* which features a type has; constants after inlining */
typedef struct freedom {
    bool spring, motor, limit, friction;
} freedom;

/* the coordinate's row and what follows from it */
typedef struct course {
    jacobian row;
    levers levers;
    wf k;
} course;

TR_INLINE course course_of(const masses *m, jacobian r)
{
    course c = {r, levers_of(m, &r), wf_zero()};
    c.k = rows_k(m, &r, &r, &c.levers);
    return c;
}

TR_INLINE wf free_rate(const motion *a, const motion *b, freedom has, course c)
{
    (void)has;
    return row_rate(a, b, &c.row);
}

TR_INLINE void free_apply(motion *a, motion *b, masses m, freedom has, course c, wf impulse)
{
    (void)has;
    row_apply_by(a, b, &m, &c.row, &c.levers, impulse);
}

TR_INLINE wf free_k(masses m, freedom has, course c)
{
    (void)m;
    (void)has;
    return c.k;
}
