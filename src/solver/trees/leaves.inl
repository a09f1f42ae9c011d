/*
 * Eliminates and restores leaves of exact trees (solver/leaves.h), in double precision; the equations are those of
 * trees_solve.c. The way down computes the geometry again, which is cheaper than storing it on the way up. Sums over
 * the eight lanes of a block are taken in a fixed order, so all widths give the same bits.
 */
#include "simd/doubles.h"
#include "solver/trees/leaves.h"

/* what the loops read, gathered from the state: double, by lanes */
typedef struct leaf_motions {
    double x[TR2_LEAF_LANES], y[TR2_LEAF_LANES], c[TR2_LEAF_LANES], s[TR2_LEAF_LANES];
    double vx[TR2_LEAF_LANES], vy[TR2_LEAF_LANES], w[TR2_LEAF_LANES];
} leaf_motions;

/* the parent's pose, and what is the same for all leaves */
typedef struct leaf_parent {
    double x, y, c, s, h, inv_h, sane_speed, known_length;
} leaf_parent;

/* m, from both centres to the anchors */
typedef struct leaf_arms {
    wd near_x, near_y, far_x, far_y;
} leaf_arms;

/* leaves, ready to be eliminated */
typedef struct leaf_row {
    wd near_x, near_y, far_x, far_y; /* m, from both centres to where the impulse acts */
    wd xx, xy, yy;                   /* kg, effective mass of the joint; 0: it does not hold */
    wd rate_x, rate_y;               /* m/s, rate of the leaf's end plus the error over h */
    wd impulse_x, impulse_y;         /* N s, of the last sub-step */
    wd vx, vy, w, inverse_inertia;   /* motion without the joint, with a rotation that restoring torques slow down */
    wd error_x, error_y;             /* m/s, the error over h */
    wd near_stiff, far_stiff;        /* N m s, the restoring torques on the leaf and on the parent per angle, times h */
    wd along_x, along_y;             /* of distances: unit vector to the leaf */
    wd drag;                         /* of distances: kg, the inverse of the compliance across them */
    wdm holds;
} leaf_row;

/* the effective mass from its inverse, K */
TR_INLINE void invert_point(leaf_row *r, wd k_xx, wd k_xy, wd k_yy)
{
    wd determinant = k_xx * k_yy - k_xy * k_xy, none = wd_set(0.0);
    /* lanes that do not hold may have numbers that are not finite */
    wdm solved = r->holds & wd_lt(none, determinant);
    wd inverse = wd_set(1.0) / determinant;
    r->xx = wd_select(solved, k_yy * inverse, none);
    r->xy = wd_select(solved, -k_xy * inverse, none);
    r->yy = wd_select(solved, k_xx * inverse, none);
}

/* the same for a row along n, with the compliance 1 / drag across it */
TR_INLINE void invert_length(leaf_row *r, wd k_xx, wd k_xy, wd k_yy)
{
    wd n_x = r->along_x, n_y = r->along_y, drag = r->drag, none = wd_set(0.0), one = wd_set(1.0);
    wd x = k_xx * n_x + k_xy * n_y, y = k_xy * n_x + k_yy * n_y;
    wd nn = x * n_x + y * n_y, nt = y * n_x - x * n_y;
    wd tt = (k_yy * n_x - k_xy * n_y) * n_x - (k_xy * n_x - k_xx * n_y) * n_y;
    wd across = one + drag * tt, determinant = nn * across - drag * nt * nt;
    wdm solved = r->holds & wd_lt(none, determinant);
    wd d = one / determinant;
    wd snn = across * d, snt = -drag * nt * d, stt = drag * nn * d;
    r->xx = wd_select(solved, snn * n_x * n_x - (snt + snt) * n_x * n_y + stt * n_y * n_y, none);
    r->xy = wd_select(solved, snn * n_x * n_y + snt * (n_x * n_x - n_y * n_y) - stt * n_x * n_y, none);
    r->yy = wd_select(solved, snn * n_y * n_y + (snt + snt) * n_x * n_y + stt * n_x * n_x, none);
}

static void gather_leaves(const tr2_kernel_context *k, const tr2_leaf_block *b, leaf_motions *m)
{
    for (uint32_t i = 0; i < TR2_LEAF_LANES; i++) {
        const tr2_body_pose *p = &k->poses[b->state[i]];
        const tr2_body_velocity *v = &k->velocities[b->state[i]];
        m->x[i] = (double)p->x;
        m->y[i] = (double)p->y;
        m->c[i] = (double)p->c;
        m->s[i] = (double)p->s;
        m->vx[i] = (double)v->x;
        m->vy[i] = (double)v->y;
        m->w[i] = (double)v->w;
    }
}

static leaf_parent parent_of(const tr2_kernel_context *k, uint32_t far)
{
    const tr2_body_pose *p = &k->poses[far];
    return (leaf_parent){(double)p->x,
                         (double)p->y,
                         (double)p->c,
                         (double)p->s,
                         (double)k->h,
                         (double)k->inv_h,
                         (double)tr2_sane_speed(k),
                         1e-9 * (double)k->unit};
}

/* direction, error and restoring torques of a distance: a length with tension also turns when its ends move
   (trees_tie.c, stiffen_length()) */
TR_INLINE void place_length(leaf_row *r, const leaf_arms *own, const tr2_leaf_lengths *lengths, const leaf_parent *f,
                            wd dx, wd dy, uint32_t i)
{
    wd length = wd_sqrt(dx * dx + dy * dy), none = wd_set(0.0);
    wdm known = wd_lt(wd_set(f->known_length), length);
    r->holds = r->holds & known;
    r->along_x = wd_select(known, dx / length, none);
    r->along_y = wd_select(known, dy / length, none);
    wd error = (length - wd_load(lengths->length + i)) * wd_set(f->inv_h);
    r->error_x = r->along_x * error;
    r->error_y = r->along_y * error;
    wd along = r->along_x * r->impulse_x + r->along_y * r->impulse_y, pull = -along / length;
    wd x = own->near_x * r->along_x + own->near_y * r->along_y, y = own->far_x * r->along_x + own->far_y * r->along_y;
    r->near_stiff = x * along + pull * x * x;
    r->far_stiff = -(y * along) + pull * y * y;
    wd drag = wd_set(f->h) * pull - wd_set(0.5) * wd_load(lengths->lighter + i);
    r->drag = wd_select(wd_lt(none, drag), drag, none);
}

/* geometry, error and effective mass of TR_DOUBLES lanes from i on, from the current poses and the last impulses */
TR_INLINE leaf_row leaf_of(const tr2_leaf_block *b, const tr2_leaf_lengths *lengths, const leaf_motions *m,
                           const leaf_parent *f, uint32_t i)
{
    leaf_row r;
    wd c = wd_load(m->c + i), s = wd_load(m->s + i), far_c = wd_set(f->c), far_s = wd_set(f->s);
    wd h = wd_set(f->h), inv_h = wd_set(f->inv_h), one = wd_set(1.0), none = wd_set(0.0);
    wd near_x = wd_load(b->near_x + i), near_y = wd_load(b->near_y + i);
    wd far_x = wd_load(b->far_x + i), far_y = wd_load(b->far_y + i);
    r.near_x = c * near_x - s * near_y;
    r.near_y = s * near_x + c * near_y;
    r.far_x = far_c * far_x - far_s * far_y;
    r.far_y = far_s * far_x + far_c * far_y;
    wd dx = (wd_load(b->apart_x + i) + (wd_load(m->x + i) - wd_set(f->x))) + (r.near_x - r.far_x);
    wd dy = (wd_load(b->apart_y + i) + (wd_load(m->y + i) - wd_set(f->y))) + (r.near_y - r.far_y);
    r.error_x = dx * inv_h;
    r.error_y = dy * inv_h;
    wd is_b = wd_load(b->is_b + i), is_a = one - is_b;
    const leaf_arms own = {r.near_x, r.near_y, r.far_x, r.far_y};
    /* both ends act at B's anchor, so that angular momentum is conserved */
    r.far_x = r.far_x + is_b * dx;
    r.far_y = r.far_y + is_b * dy;
    r.near_x = r.near_x - is_a * dx;
    r.near_y = r.near_y - is_a * dy;
    r.vx = wd_load(m->vx + i);
    r.vy = wd_load(m->vy + i);
    r.w = wd_load(m->w + i);
    wd speed = wd_set(f->sane_speed), turn = wd_set((double)TR_SANE_TURN);
    r.holds = wd_lt(none, wd_load(b->on + i));
    r.impulse_x = wd_load(b->impulse_x + i);
    r.impulse_y = wd_load(b->impulse_y + i);
    if (lengths != NULL)
        place_length(&r, &own, lengths, f, dx, dy, i);
    else
        r.near_stiff = r.near_x * r.impulse_x + r.near_y * r.impulse_y;
    r.holds = r.holds & wd_le(wd_abs(r.error_x), speed) & wd_le(wd_abs(r.error_y), speed) & wd_le(wd_abs(r.vx), speed) &
              wd_le(wd_abs(r.vy), speed) & wd_le(wd_abs(r.w) * h, turn);
    /* the restoring torque of the last impulse, h^2 k, over the inertia: only the excess slows the rotation down */
    wd inertia = wd_load(b->inverse_inertia + i);
    wd stiff = h * r.near_stiff * inertia;
    wd turns = wd_select(wd_lt(one, stiff), one / stiff, one);
    r.inverse_inertia = inertia * turns;
    r.w = r.w * turns;
    r.rate_x = wd_select(r.holds, r.error_x + (r.vx - r.w * r.near_y), none);
    r.rate_y = wd_select(r.holds, r.error_y + (r.vy + r.w * r.near_x), none);
    wd yields = wd_load(b->yields + i), k_xy = -r.inverse_inertia * r.near_x * r.near_y;
    wd k_xx = yields + r.inverse_inertia * r.near_y * r.near_y;
    wd k_yy = yields + r.inverse_inertia * r.near_x * r.near_x;
    if (lengths != NULL)
        invert_length(&r, k_xx, k_xy, k_yy);
    else
        invert_point(&r, k_xx, k_xy, k_yy);
    r.far_x = wd_select(r.holds, r.far_x, none);
    r.far_y = wd_select(r.holds, r.far_y, none);
    if (lengths != NULL)
        r.far_stiff = wd_select(r.holds, r.far_stiff, none);
    else
        r.far_stiff = -(r.far_x * r.impulse_x + r.far_y * r.impulse_y);
    return r;
}

/* sums of loads by lane: mass, impulse, stiffness */
typedef struct leaf_sums {
    double of[10][TR2_LEAF_LANES];
} leaf_sums;

TR_INLINE void add_to(double *sum, wd more)
{
    wd_store(sum, wd_load(sum) + more);
}

TR_INLINE void add_leaves(const tr2_leaf_block *b, const tr2_leaf_lengths *lengths, const leaf_motions *m,
                          const leaf_parent *f, leaf_sums *sums)
{
    for (uint32_t i = 0; i < TR2_LEAF_LANES; i += TR_DOUBLES) {
        leaf_row r = leaf_of(b, lengths, m, f, i);
        wd x = r.far_x * r.xy - r.far_y * r.xx, y = r.far_x * r.yy - r.far_y * r.xy;
        wd px = r.xx * r.rate_x + r.xy * r.rate_y, py = r.xy * r.rate_x + r.yy * r.rate_y;
        add_to(sums->of[0] + i, r.xx);
        add_to(sums->of[1] + i, r.xy);
        add_to(sums->of[2] + i, r.yy);
        add_to(sums->of[3] + i, x);
        add_to(sums->of[4] + i, y);
        add_to(sums->of[5] + i, r.far_x * y - r.far_y * x);
        add_to(sums->of[6] + i, px);
        add_to(sums->of[7] + i, py);
        add_to(sums->of[8] + i, r.far_x * py - r.far_y * px);
        add_to(sums->of[9] + i, wd_set(f->h) * r.far_stiff);
    }
}

TR_INLINE void eliminate(const tr2_kernel_context *k, const tr2_leaf_block *blocks, const tr2_leaf_lengths *lengths,
                         uint32_t count, uint32_t far, tr2_trees_load *out)
{
    const leaf_parent parent = parent_of(k, far);
    leaf_motions motions;
    leaf_sums sums;
    double all[10];
    memset(&sums, 0, sizeof sums);
    for (uint32_t b = 0; TR2_LEAF_LANES * b < count; b++) {
        gather_leaves(k, &blocks[b], &motions);
        add_leaves(&blocks[b], lengths != NULL ? &lengths[b] : NULL, &motions, &parent, &sums);
    }
    for (uint32_t n = 0; n < 10; n++) {
        all[n] = 0.0;
        for (uint32_t i = 0; i < TR2_LEAF_LANES; i++)
            all[n] += sums.of[n][i];
    }
    memcpy(out->mass, all, sizeof out->mass);
    memcpy(out->impulse, all + 6, sizeof out->impulse);
    out->stiffness = all[9];
    out->inertia = 0.0;
}

static void leaves_up(const tr2_kernel_context *k, const tr2_leaf_block *blocks, const tr2_leaf_lengths *lengths,
                      uint32_t count, uint32_t far, tr2_trees_load *out)
{
    if (lengths != NULL)
        eliminate(k, blocks, lengths, count, far, out);
    else
        eliminate(k, blocks, NULL, count, far, out);
}

/* an impulse, or 0 if it is absurd */
TR_INLINE wd sane_impulses(wd impulse)
{
    return wd_select(wd_le(wd_abs(impulse), wd_set((double)TR_SANE_IMPULSE)), impulse, wd_set(0.0));
}

/* impulses, and the velocities with them */
TR_INLINE void restore_leaves(tr2_leaf_block *b, tr2_leaf_lengths *lengths, leaf_motions *m, const leaf_parent *f,
                              const double above[3])
{
    for (uint32_t i = 0; i < TR2_LEAF_LANES; i += TR_DOUBLES) {
        leaf_row r = leaf_of(b, lengths, m, f, i);
        wd x = wd_set(above[0]), y = wd_set(above[1]), w = wd_set(above[2]), mass = wd_load(b->inverse_mass + i);
        x = x - w * r.far_y - r.rate_x;
        y = y + w * r.far_x - r.rate_y;
        wd px = sane_impulses(r.xx * x + r.xy * y), py = sane_impulses(r.xy * x + r.yy * y);
        wd torque = r.near_x * py - r.near_y * px;
        wd_store(b->impulse_x + i, px);
        wd_store(b->impulse_y + i, py);
        if (lengths != NULL) {
            wd_store(lengths->along_x + i, r.along_x);
            wd_store(lengths->along_y + i, r.along_y);
        }
        wd_store(m->vx + i, r.vx + mass * px);
        wd_store(m->vy + i, r.vy + mass * py);
        w = wd_select(r.holds, r.w + r.inverse_inertia * torque, wd_load(m->w + i));
        wd_store(m->w + i, w);
    }
}

TR_INLINE void restore(const tr2_kernel_context *k, tr2_leaf_block *blocks, tr2_leaf_lengths *lengths, uint32_t count,
                       uint32_t far, const double above[3])
{
    const leaf_parent parent = parent_of(k, far);
    leaf_motions m;
    for (uint32_t b = 0; TR2_LEAF_LANES * b < count; b++) {
        uint32_t left = count - TR2_LEAF_LANES * b, lanes = left < TR2_LEAF_LANES ? left : TR2_LEAF_LANES;
        gather_leaves(k, &blocks[b], &m);
        restore_leaves(&blocks[b], lengths != NULL ? &lengths[b] : NULL, &m, &parent, above);
        for (uint32_t i = 0; i < lanes; i++) {
            tr2_body_velocity *v = &k->velocities[blocks[b].state[i]];
            v->x = (float)m.vx[i];
            v->y = (float)m.vy[i];
            v->w = (float)m.w[i];
        }
    }
}

static void leaves_down(const tr2_kernel_context *k, tr2_leaf_block *blocks, tr2_leaf_lengths *lengths, uint32_t count,
                        uint32_t far, const double above[3])
{
    if (lengths != NULL)
        restore(k, blocks, lengths, count, far, above);
    else
        restore(k, blocks, NULL, count, far, above);
}
