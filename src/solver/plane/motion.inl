/* Motion and pose of bodies of the plane on TR_WIDTH lanes, and vectors. */
#include "solver/kernels/pass.inl"

/* velocity of a body, and its rotation since the start of the step */
typedef struct motion {
    wf vx, vy, w, angle;
} motion;

typedef struct pose {
    wf x, y, c, s;
} pose;

typedef struct masses {
    wf im_a, ii_a, im_b, ii_b;
} masses;

typedef struct w2 {
    wf x, y;
} w2;

/* those of two bodies; `apart`: how far B has moved minus how far A has */
typedef struct pose_pair {
    pose a, b;
    w2 apart;
} pose_pair;

/* conversion from records, and back */
TR_INLINE motion motion_of(w4 r)
{
    motion m = {r.x, r.y, r.z, r.w};
    return m;
}

TR_INLINE motion motion_still(void)
{
    return (motion){wf_zero(), wf_zero(), wf_zero(), wf_zero()};
}

TR_INLINE w4 motion_record(motion m)
{
    w4 r = {m.vx, m.vy, m.w, m.angle};
    return r;
}

TR_INLINE pose pose_of(w4 r)
{
    pose p = {r.x, r.y, r.z, r.w};
    return p;
}

/* moves bodies by the change of their velocities */
TR_INLINE w4 moved_on(const tr2_kernel_context *k, pose p, motion *now, motion before)
{
    const wf h = wf_set(k->h);
    w4 r;
    r.x = p.x + h * (now->vx - before.vx);
    r.y = p.y + h * (now->vy - before.vy);
    now->angle = now->angle + h * (now->w - before.w);
    wf_sincos(now->angle, &r.w, &r.z);
    return r;
}

/* the same for both components, with one test of both */
TR_INLINE w2 sane2(wf x, wf y)
{
    w2 r = {x, y};
    if (__builtin_expect(!wm_all(wf_le(wf_abs(x) + wf_abs(y), wf_set(TR_SANE_IMPULSE))), 0))
        r = (w2){sane(x), sane(y)};
    return r;
}

TR_INLINE w2 rotate(wf c, wf s, w2 v)
{
    w2 r = {c * v.x - s * v.y, s * v.x + c * v.y};
    return r;
}

TR_INLINE wf cross(w2 a, w2 b)
{
    return a.x * b.y - a.y * b.x;
}

TR_INLINE wf dot(w2 a, w2 b)
{
    return a.x * b.x + a.y * b.y;
}
