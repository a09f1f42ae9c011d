/* Geometry of a joint's bodies and anchors: at the start of the step, at present, and stored in columns. */
#include "solver/kernels/freedom.inl"

/* Input that prepare computes for all kernels, for TR_WIDTH lanes. */
typedef struct setup {
    w2 ra, rb;   /* from the centres of mass to the anchors */
    w2 d;        /* B's centre minus A's */
    wf c_a, s_a; /* rotation of A */
    wf c_b, s_b;
    wf angle;        /* angleB - ratio angleA - reference_angle, not wrapped; for types with an angle */
    w2 out_a, out_b; /* from ground points to centres of mass; for types with ground points */
    masses m;
    const int32_t *row_a, *row_b; /* bodies of the lanes, as in tr2_block_bodies */
    /* for other data: the table's columns, the lanes' table rows (TR_NONE: no joint), and which lanes act (1 or 0;
       null: all) */
    const tr2_joint_columns *columns;
    const uint32_t *rows;
    const float *on;
} setup;

/* Columns common to all kernels: masses, anchors and centres at the start of the step. */
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

/* current anchors, the vector between them, and that from A's centre to B's anchor, where both ends of a joint's force
   act, so that angular momentum is conserved */
typedef struct anchors {
    w2 ra, rb, d, arm;
} anchors;

/* `apart`: B's centre minus A's */
TR_INLINE anchors anchors_of(w2 ra, w2 rb, w2 apart)
{
    anchors n = {ra, rb, {apart.x + (rb.x - ra.x), apart.y + (rb.y - ra.y)}, {apart.x + rb.x, apart.y + rb.y}};
    return n;
}

TR_INLINE anchors anchors_now(const float *c, int first, const pose_pair *at)
{
    w2 ra0 = {get(c, first + BASE_RA_X), get(c, first + BASE_RA_Y)};
    w2 rb0 = {get(c, first + BASE_RB_X), get(c, first + BASE_RB_Y)};
    w2 apart = {get(c, first + BASE_D_X) + at->apart.x, get(c, first + BASE_D_Y) + at->apart.y};
    return anchors_of(rotate(at->a.c, at->a.s, ra0), rotate(at->b.c, at->b.s, rb0), apart);
}

/* the value of an error or coordinate at the start of the sub-step, which the bias corrects; `rate`: its rate */
TR_INLINE wf begun(const tr2_kernel_context *k, tr2_pass pass, wf c, wf rate)
{
    if (pass.project)
        c = c - wf_set(k->h) * rate;
    return c;
}

TR_INLINE anchors anchors_first(const setup *s)
{
    return anchors_of(s->ra, s->rb, s->d);
}

/* A's axis at the start of the step */
TR_INLINE w2 axis_first(const setup *s, tr2_fields f, int lane)
{
    w2 local = {field(f, TR2_FIELD_AXIS_X, lane), field(f, TR2_FIELD_AXIS_Y, lane)};
    return rotate(s->c_a, s->s_a, local);
}

/* Geometry of a point's rows: the arms and (K + gamma)^-1. */
typedef struct pin {
    w2 ra, rb;
    sym2 inverse;
} pin;

TR_INLINE pin pin_of(const anchors *n, masses m, wf gamma)
{
    pin r = {n->arm, n->rb, point_inverse(m, n->arm, n->rb, gamma)};
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

/* the position error of a point at the start of its sub-step */
TR_INLINE w2 point_error(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b, const anchors *n)
{
    w2 e = n->d;
    if (pass.project) {
        w2 rate = point_rate(a, b, n->arm, n->rb);
        e.x = begun(k, pass, e.x, rate.x);
        e.y = begun(k, pass, e.y, rate.y);
    }
    return e;
}

/* the relative rotation of the bodies since the start of the step, taken at the start of the sub-step */
TR_INLINE wf turned(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b)
{
    return begun(k, pass, b->angle - a->angle, b->w - a->w);
}
