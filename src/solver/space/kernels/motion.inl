/* Motion and pose of bodies in space on TR_WIDTH lanes; vectors, rotations and symmetric matrices. */
#include "solver/kernels/pass.inl"

typedef struct w3 {
    wf x, y, z;
} w3;

/* velocity of a body; the inverse principal moments of inertia that are in the same records */
typedef struct motion {
    w3 v, w;
    wf ii_x, ii_y;
} motion;

/* displacement since the start of the step, and rotation of the principal axes to the world, a unit quaternion */
typedef struct pose {
    w3 p;
    wf ii_z;
    w4 q;
} pose;

/* those of two bodies, and b.p - a.p: 0 while no body has moved, when poses may be frames yet */
typedef struct pose_pair {
    pose a, b;
    w3 apart;
} pose_pair;

TR_INLINE w3 w3_of(wf x, wf y, wf z)
{
    return (w3){x, y, z};
}

TR_INLINE w3 w3_zero(void)
{
    return (w3){wf_zero(), wf_zero(), wf_zero()};
}

TR_INLINE w3 add(w3 a, w3 b)
{
    return (w3){a.x + b.x, a.y + b.y, a.z + b.z};
}

TR_INLINE w3 minus(w3 a, w3 b)
{
    return (w3){a.x - b.x, a.y - b.y, a.z - b.z};
}

TR_INLINE w3 times(wf s, w3 a)
{
    return (w3){s * a.x, s * a.y, s * a.z};
}

TR_INLINE wf dot(w3 a, w3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

TR_INLINE w3 cross(w3 a, w3 b)
{
    return (w3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TR_INLINE w3 w3_select(wm m, w3 a, w3 b)
{
    return (w3){wf_select(m, a.x, b.x), wf_select(m, a.y, b.y), wf_select(m, a.z, b.z)};
}

/* as sane(), of three components with one test */
TR_INLINE w3 sane3(w3 v)
{
    wf sum = (wf_abs(v.x) + wf_abs(v.y)) + wf_abs(v.z);
    if (__builtin_expect(!wm_all(wf_le(sum, wf_set(TR_SANE_IMPULSE))), 0))
        v = (w3){sane(v.x), sane(v.y), sane(v.z)};
    return v;
}

/*
 * Rotations
 */

/* the product of quaternions: first b, then a */
TR_INLINE w4 turn_after(w4 a, w4 b)
{
    w4 r = {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
            (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
    return r;
}

TR_INLINE wf w4_dot(w4 a, w4 b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

/* the rotation from a to b, as seen from a */
TR_INLINE w4 turn_between(w4 a, w4 b)
{
    w4 r = {(a.w * b.x - a.x * b.w) + (a.z * b.y - a.y * b.z), (a.w * b.y - a.y * b.w) + (a.x * b.z - a.z * b.x),
            (a.w * b.z - a.z * b.w) + (a.y * b.x - a.x * b.y), (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z)};
    return r;
}

TR_INLINE w4 turn_back(w4 q)
{
    return (w4){-q.x, -q.y, -q.z, q.w};
}

/* of length 1 again; if it has none, no rotation */
TR_INLINE w4 turn_unit(w4 q)
{
    wf square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    wm some = wf_lt(wf_zero(), square);
    wf f = wf_set(1.0f) / wf_sqrt(wf_select(some, square, wf_set(1.0f)));
    return (w4){q.x * f, q.y * f, q.z * f, wf_select(some, q.w * f, wf_set(1.0f))};
}

/* the columns of a rotation's matrix: where the axes go */
typedef struct axes {
    w3 x, y, z;
} axes;

TR_INLINE axes axes_of(w4 q)
{
    const wf one = wf_set(1.0f);
    wf x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    wf xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    wf wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (axes){
        {one - (yy + zz), xy + wz, xz - wy}, {xy - wz, one - (xx + zz), yz + wx}, {xz + wy, yz - wx, one - (xx + yy)}};
}

/* v rotated by a unit quaternion: for a single vector, less than by axes_of() */
TR_INLINE w3 turned_vector(w4 q, w3 v)
{
    w3 u = {q.x, q.y, q.z}, t = cross(u, v);
    t = add(t, t);
    return add(add(v, times(q.w, t)), cross(u, t));
}

/* from the body's axes to the world's, and back */
TR_INLINE w3 to_world(const axes *r, w3 v)
{
    return (w3){(r->x.x * v.x + r->y.x * v.y) + r->z.x * v.z, (r->x.y * v.x + r->y.y * v.y) + r->z.y * v.z,
                (r->x.z * v.x + r->y.z * v.y) + r->z.z * v.z};
}

TR_INLINE w3 to_body(const axes *r, w3 v)
{
    return (w3){dot(r->x, v), dot(r->y, v), dot(r->z, v)};
}

/* the rotation about v by its length, rad; for short v, without dividing by the length */
TR_INLINE w4 turn_by(w3 v)
{
    wf square = dot(v, v), angle = wf_sqrt(square), sine, cosine;
    wf_sincos(wf_set(0.5f) * angle, &sine, &cosine);
    wm tiny = wf_lt(angle, wf_set(1e-4f));
    wf f = wf_select(tiny, wf_set(0.5f), sine / wf_select(tiny, wf_set(1.0f), angle));
    return (w4){f * v.x, f * v.y, f * v.z, cosine};
}

/* A square of a length that is 1 but for rounding is this near to 1: then one step of Newton's iteration for the
   inverse root is exact to 2e-8. */
#define NEARLY_ONE 2.4e-4f

/*
 * The rotation by the vector v, rad. A turn by less than a quarter takes the polynomials of wf_sincos_near() without a
 * root, as these are of the square of the half angle; other lanes take turn_by().
 */
TR_INLINE w4 turn_near(w3 v)
{
    const wf one = wf_set(1.0f), half = wf_set(0.5f);
    w3 u = times(half, v);
    wf a2 = dot(u, u);
    wf f = one + a2 * (wf_set(-1.6666654611e-1f) + a2 * (wf_set(8.3321608736e-3f) + a2 * wf_set(-1.9515295891e-4f)));
    wf cosine = (one - half * a2) + a2 * a2 *
                                        (wf_set(4.166664568298827e-2f) +
                                         a2 * (wf_set(-1.388731625493765e-3f) + a2 * wf_set(2.443315711809948e-5f)));
    w4 turn = {f * u.x, f * u.y, f * u.z, cosine};
    wm near = wf_le(a2, wf_set(TR_SINCOS_NEAR * TR_SINCOS_NEAR));
    if (__builtin_expect(!wm_all(near), 0))
        turn = w4_select(near, turn, turn_by(v));
    return turn;
}

/* a product of unit quaternions, of length 1 again */
TR_INLINE w4 unit_again(w4 q)
{
    const wf one = wf_set(1.0f), half = wf_set(0.5f);
    wf square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w), by = wf_set(1.5f) - half * square;
    w4 unit = {q.x * by, q.y * by, q.z * by, q.w * by};
    wm nearly = wf_le(wf_abs(square - one), wf_set(NEARLY_ONE));
    if (__builtin_expect(!wm_all(nearly), 0))
        unit = w4_select(nearly, unit, turn_unit(q));
    return unit;
}

/* q turned by a rotation vector, rad, in the world's axes; and in those that q turns */
TR_INLINE w4 turned_by(w4 q, w3 v)
{
    return unit_again(turn_after(turn_near(v), q));
}

TR_INLINE w4 turned_within(w4 q, w3 v)
{
    return unit_again(turn_after(q, turn_near(v)));
}

/*
 * Symmetric matrices
 */
typedef struct sym3 {
    wf xx, yy, zz, xy, xz, yz;
} sym3;

TR_INLINE w3 sym3_times(const sym3 *m, w3 v)
{
    return (w3){(m->xx * v.x + m->xy * v.y) + m->xz * v.z, (m->xy * v.x + m->yy * v.y) + m->yz * v.z,
                (m->xz * v.x + m->yz * v.y) + m->zz * v.z};
}

TR_INLINE sym3 sym3_sum(const sym3 *a, const sym3 *b)
{
    return (sym3){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz, a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

/* the inverse inertia in the world's axes, R diag(i) R^T */
TR_INLINE sym3 inverse_inertia(const axes *r, w3 i)
{
    w3 x = times(i.x, r->x), y = times(i.y, r->y), z = times(i.z, r->z);
    return (sym3){(x.x * r->x.x + y.x * r->y.x) + z.x * r->z.x, (x.y * r->x.y + y.y * r->y.y) + z.y * r->z.y,
                  (x.z * r->x.z + y.z * r->y.z) + z.z * r->z.z, (x.x * r->x.y + y.x * r->y.y) + z.x * r->z.y,
                  (x.x * r->x.z + y.x * r->y.z) + z.x * r->z.z, (x.y * r->x.z + y.y * r->y.z) + z.y * r->z.z};
}

/* Bodies of a visit: inverse masses, and inverse inertias in the world's axes. `even`, a constant after inlining: these
   are numbers, ii_a.xx and ii_b.xx, and nothing else of them is set. */
typedef struct masses {
    wf im_a, im_b;
    sym3 ii_a, ii_b;
    bool even;
} masses;

/* the change of angular velocity by an angular impulse */
TR_INLINE w3 spun_a(const masses *m, w3 p)
{
    return m->even ? times(m->ii_a.xx, p) : sym3_times(&m->ii_a, p);
}

TR_INLINE w3 spun_b(const masses *m, w3 p)
{
    return m->even ? times(m->ii_b.xx, p) : sym3_times(&m->ii_b, p);
}

/*
 * Records
 */
TR_INLINE motion motion_of(w4 linear, w4 angular)
{
    return (motion){{linear.x, linear.y, linear.z}, {angular.x, angular.y, angular.z}, linear.w, angular.w};
}

TR_INLINE motion motion_still(void)
{
    return (motion){w3_zero(), w3_zero(), wf_zero(), wf_zero()};
}

TR_INLINE w4 linear_record(const motion *m)
{
    return (w4){m->v.x, m->v.y, m->v.z, m->ii_x};
}

TR_INLINE w4 angular_record(const motion *m)
{
    return (w4){m->w.x, m->w.y, m->w.z, m->ii_y};
}

TR_INLINE pose pose_of(w4 place, w4 q)
{
    return (pose){{place.x, place.y, place.z}, place.w, q};
}

TR_INLINE w4 place_record(const pose *p)
{
    return (w4){p->p.x, p->p.y, p->p.z, p->ii_z};
}

/* moves a body by the change of its velocity */
TR_INLINE pose moved_on(const tr3_kernel_context *k, pose p, const motion *now, const motion *before)
{
    const wf h = wf_set(k->h);
    p.p = add(p.p, times(h, minus(now->v, before->v)));
    p.q = turned_by(p.q, times(h, minus(now->w, before->w)));
    return p;
}
