/*
 * Where a joint's bodies and anchors are: as the step begins, as they stand now, and as columns between the two.
 */
#include "solver/freedom.inl"

/*
 * What prepare gives every kernel, for the lanes at hand.
 */
typedef struct setup {
    w2 ra, rb;   /* anchors from the centres of mass */
    w2 d;        /* centre of B less centre of A */
    wf c_a, s_a; /* rotation of A */
    wf c_b, s_b;
    wf angle;        /* of B less ratio times A's less reference_angle, unwrapped; for types with an angle */
    w2 out_a, out_b; /* centres from the ground points; for types with ground points */
    masses m;
    const int32_t *row_a, *row_b; /* bodies of the lanes, as in tr2_block_bodies */
    /* for what is not in fields: the table's columns, the lanes' rows in them (TR_NONE: no joint), and which lanes act
       (1, or 0; null: all) */
    const tr2_joint_columns *columns;
    const uint32_t *rows;
    const float *on;
} setup;

/* The columns that every kernel keeps: masses, anchors and centres as the step began. */
enum {
    BASE_IM_A,
    BASE_II_A,
    BASE_IM_B,
    BASE_II_B,
    BASE_RA_X,
    BASE_RA_Y,
    BASE_RB_X,
    BASE_RB_Y,
    BASE_D_X,
    BASE_D_Y,
    BASE_COLUMNS
};

TR_INLINE void base_put(float *c, int first, const setup *s)
{
    put(c, first + BASE_IM_A, s->m.im_a);
    put(c, first + BASE_II_A, s->m.ii_a);
    put(c, first + BASE_IM_B, s->m.im_b);
    put(c, first + BASE_II_B, s->m.ii_b);
    put(c, first + BASE_RA_X, s->ra.x);
    put(c, first + BASE_RA_Y, s->ra.y);
    put(c, first + BASE_RB_X, s->rb.x);
    put(c, first + BASE_RB_Y, s->rb.y);
    put(c, first + BASE_D_X, s->d.x);
    put(c, first + BASE_D_Y, s->d.y);
}

TR_INLINE masses masses_get(const float *c, int first)
{
    masses m = {get(c, first + BASE_IM_A), get(c, first + BASE_II_A), get(c, first + BASE_IM_B),
                get(c, first + BASE_II_B)};
    return m;
}

/* anchors as the bodies stand now, and the vector between them */
typedef struct anchors {
    w2 ra, rb, d;
} anchors;

TR_INLINE anchors anchors_now(const float *c, int first, const pose *pa, const pose *pb)
{
    w2 ra0 = {get(c, first + BASE_RA_X), get(c, first + BASE_RA_Y)};
    w2 rb0 = {get(c, first + BASE_RB_X), get(c, first + BASE_RB_Y)};
    anchors n;
    n.ra = rotate(pa->c, pa->s, ra0);
    n.rb = rotate(pb->c, pb->s, rb0);
    n.d.x = (get(c, first + BASE_D_X) + (pb->x - pa->x)) + (n.rb.x - n.ra.x);
    n.d.y = (get(c, first + BASE_D_Y) + (pb->y - pa->y)) + (n.rb.y - n.ra.y);
    return n;
}

/* an error or a coordinate as it was when the sub-step began, along its row: what the bias is for */
TR_INLINE wf begun(const tr2_kernel_context *k, tr2_pass pass, wf c, wf rate)
{
    if (pass.project)
        c = c - wf_set(k->h) * rate;
    return c;
}

TR_INLINE anchors anchors_first(const setup *s)
{
    anchors n = {s->ra, s->rb, {s->d.x + (s->rb.x - s->ra.x), s->d.y + (s->rb.y - s->ra.y)}};
    return n;
}

/* from A's centre to B's anchor, where both ends of a joint's force act: it then turns nothing that is not turned back */
TR_INLINE w2 arm_of(const anchors *n)
{
    w2 arm = {n->ra.x + n->d.x, n->ra.y + n->d.y};
    return arm;
}

/* A's axis as the step begins */
TR_INLINE w2 axis_first(const setup *s, tr2_fields f, int lane)
{
    w2 local = {field(f, TR2_AXIS_X, lane), field(f, TR2_AXIS_Y, lane)};
    return rotate(s->c_a, s->s_a, local);
}

/* What a point's rows need of where the bodies stand: the arms and (K + gamma)^-1. */
typedef struct pin {
    w2 ra, rb;
    sym2 inverse;
} pin;

TR_INLINE pin pin_of(const anchors *n, masses m, wf gamma)
{
    w2 arm = arm_of(n);
    pin r = {arm, n->rb, point_inverse(m, arm, n->rb, gamma)};
    return r;
}

/* as columns */
enum { PIN_RA_X, PIN_RA_Y, PIN_RB_X, PIN_RB_Y, PIN_M_XX, PIN_M_XY, PIN_M_YY, PIN_COLUMNS };

TR_INLINE void pin_put(float *c, int first, pin p)
{
    put(c, first + PIN_RA_X, p.ra.x);
    put(c, first + PIN_RA_Y, p.ra.y);
    put(c, first + PIN_RB_X, p.rb.x);
    put(c, first + PIN_RB_Y, p.rb.y);
    put(c, first + PIN_M_XX, p.inverse.xx);
    put(c, first + PIN_M_XY, p.inverse.xy);
    put(c, first + PIN_M_YY, p.inverse.yy);
}

TR_INLINE pin pin_get(const float *c, int first)
{
    pin r = {{get(c, first + PIN_RA_X), get(c, first + PIN_RA_Y)},
             {get(c, first + PIN_RB_X), get(c, first + PIN_RB_Y)},
             {get(c, first + PIN_M_XX), get(c, first + PIN_M_XY), get(c, first + PIN_M_YY)}};
    return r;
}

/* the error of a point, and of its sub-step's beginning */
TR_INLINE w2 point_error(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b, const anchors *n)
{
    w2 e = n->d;
    if (pass.project) {
        w2 rate = point_rate(a, b, arm_of(n), n->rb);
        e.x = begun(k, pass, e.x, rate.x);
        e.y = begun(k, pass, e.y, rate.y);
    }
    return e;
}

/* the angle that bodies have turned against each other since the step began, likewise */
TR_INLINE wf turned(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b)
{
    return begun(k, pass, b->angle - a->angle, b->w - a->w);
}
