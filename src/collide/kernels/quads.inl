/*
 * Contacts of pairs of quadrilaterals, one pair per lane. The operations are those of tr2_collide_flat(), in the same
 * order, so that the bits are the same. If the nearest edges do not face each other, a distance of corners is needed,
 * and the pair is left to tr2_collide_flat().
 *
 * TR_WIDTH as in simd/wide.h.
 */
#include <float.h>

#include "collide/geometry/manifold_internal.h"
#include "collide/kernels/kernels.h"
#include "simd/rows.h"

/* four corners, and the outward normals of the edges from them */
typedef struct quad {
    wf x[4], y[4], normal_x[4], normal_y[4];
} quad;

/* the best edge of one shape, and the other's separation from it */
typedef struct quad_axis {
    wf separation, edge;
} quad_axis;

TR_INLINE wm inverse(wm a)
{
    return wf_eq(wf_keep(a, wf_set(1.0f)), wf_zero());
}

/* element `number` of four */
TR_INLINE wf pick(wf number, wf of0, wf of1, wf of2, wf of3)
{
    wf low = wf_select(wf_eq(number, wf_set(1.0f)), of1, of0);
    wf high = wf_select(wf_eq(number, wf_set(3.0f)), of3, of2);
    return wf_select(wf_lt(number, wf_set(1.5f)), low, high);
}

/* the element after `number` */
TR_INLINE wf pick_next(wf number, const wf *of)
{
    return pick(number, of[1], of[2], of[3], of[0]);
}

TR_INLINE wf pick_before(wf number, const wf *of)
{
    return pick(number, of[3], of[0], of[1], of[2]);
}

TR_INLINE wf pick_at(wf number, const wf *of)
{
    return pick(number, of[0], of[1], of[2], of[3]);
}

/* the number of the next corner */
TR_INLINE wf next_of(wf number)
{
    return wf_keep(wf_lt(number, wf_set(2.5f)), number + wf_set(1.0f));
}

TR_INLINE quad load_quad(const float *const *corners)
{
    quad out;
    for (size_t i = 0; i < 4; i++) {
        w4 corner = w4_load_from(corners, 4 * i);
        out.x[i] = corner.x;
        out.y[i] = corner.y;
        out.normal_x[i] = corner.z;
        out.normal_y[i] = corner.w;
    }
    return out;
}

/* transforms from B's frame to A's */
TR_INLINE quad turned(const quad *in, const w4 *pose)
{
    quad out;
    wf x = pose->x, y = pose->y, c = pose->z, s = pose->w;
    for (int i = 0; i < 4; i++) {
        out.x[i] = (c * in->x[i] - s * in->y[i]) + x;
        out.y[i] = (s * in->x[i] + c * in->y[i]) + y;
        out.normal_x[i] = c * in->normal_x[i] - s * in->normal_y[i];
        out.normal_y[i] = s * in->normal_x[i] + c * in->normal_y[i];
    }
    return out;
}

TR_INLINE quad_axis best_edge(const quad *edges, const quad *others)
{
    quad_axis best = {wf_set(-FLT_MAX), wf_zero()};
    for (int i = 0; i < 4; i++) {
        wf x = edges->normal_x[i], y = edges->normal_y[i];
        wf least = x * others->x[0] + y * others->y[0];
        for (int k = 1; k < 4; k++)
            least = wf_min(x * others->x[k] + y * others->y[k], least);
        wf out = least - (x * edges->x[i] + y * edges->y[i]);
        best.edge = wf_select(wf_lt(best.separation, out), wf_set((float)i), best.edge);
        best.separation = wf_max(out, best.separation);
    }
    return best;
}

TR_INLINE quad choose(wm which, const quad *a, const quad *b)
{
    quad out;
    for (int i = 0; i < 4; i++) {
        out.x[i] = wf_select(which, a->x[i], b->x[i]);
        out.y[i] = wf_select(which, a->y[i], b->y[i]);
        out.normal_x[i] = wf_select(which, a->normal_x[i], b->normal_x[i]);
        out.normal_y[i] = wf_select(which, a->normal_y[i], b->normal_y[i]);
    }
    return out;
}

/* the start of the edge of `others` that faces a normal: at the support corner along it, or at the one before */
TR_INLINE wf facing_edge(const quad *others, wf x, wf y)
{
    wf least = x * others->x[0] + y * others->y[0], support = wf_zero(), facing[4];
    for (int k = 1; k < 4; k++) {
        wf out = x * others->x[k] + y * others->y[k];
        support = wf_select(wf_lt(out, least), wf_set((float)k), support);
        least = wf_min(out, least);
    }
    for (int k = 0; k < 4; k++)
        facing[k] = others->normal_x[k] * x + others->normal_y[k] * y;
    wf before = wf_select(wf_lt(support, wf_set(0.5f)), wf_set(3.0f), support - wf_set(1.0f));
    return wf_select(wf_lt(pick_before(support, facing), pick_at(support, facing)), before, support);
}

/* a position on the incident edge: along the reference edge, and distance out of it */
typedef struct quad_place {
    wf along, out;
} quad_place;

TR_INLINE quad_place bounded(quad_place end, quad_place other, wf high)
{
    wf bound = wf_min(wf_max(end.along, wf_zero()), high), length = other.along - end.along;
    wf share = (bound - end.along) / wf_select(wf_eq(length, wf_zero()), wf_set(1.0f), length);
    return (quad_place){bound, end.out + wf_min(share, wf_set(1.0f)) * (other.out - end.out)};
}

/* content of a manifold, by lane */
enum { NORMAL_X, NORMAL_Y, COUNT, POINT_0, POINT_1 = POINT_0 + 4, ROWS = POINT_1 + 4 };

TR_INLINE void write_manifolds(float rows[ROWS][TR_WIDTH], uint32_t count, tr2_manifold *out)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_manifold *m = &out[i];
        m->normal = (tr_vec2){rows[NORMAL_X][i], rows[NORMAL_Y][i]};
        m->count = (uint32_t)rows[COUNT][i];
        for (int k = 0; k < 2; k++) {
            float(*row)[TR_WIDTH] = rows + POINT_0 + 4 * k;
            m->points[k] = (tr2_manifold_point){{row[0][i], row[1][i]}, row[2][i], (uint32_t)row[3][i]};
        }
    }
}

/* sizes of both shapes other than their corners */
typedef struct quad_bounds {
    wf radius_a, radius_b, reach, slack;
} quad_bounds;

TR_INLINE quad_bounds bounds_of(const float *const *round_a, const float *const *round_b, wf margin)
{
    w4 a = w4_load_from(round_a, 0), b = w4_load_from(round_b, 0);
    quad_bounds out = {a.x, b.x, (a.x + b.x) + margin, wf_zero()};
    out.slack = wf_set(1e-5f) * wf_min(a.w, b.w) + wf_set(1e-6f) * wf_max(a.w, b.w);
    return out;
}

/* Clips the edge of `others` that faces the reference edge to its sides, as tr2_clip_edges(), and writes the result.
   Returns the lanes in which that is complete. */
TR_INLINE wm clip_edges(const quad *edges, const quad *others, wm of_b, const quad_axis *axis,
                        const quad_bounds *bounds, wm apart, float rows[ROWS][TR_WIDTH])
{
    const wf zero = wf_zero(), half = wf_set(0.5f);
    wf r0 = axis->edge, r1 = next_of(r0);
    wf from_x = pick_at(r0, edges->x), from_y = pick_at(r0, edges->y);
    wf x = pick_at(r0, edges->normal_x), y = pick_at(r0, edges->normal_y);
    wf i0 = facing_edge(others, x, y), i1 = next_of(i0);
    wf along_x = -y, along_y = x;

    wf to0_x = pick_next(i0, others->x) - from_x, to0_y = pick_next(i0, others->y) - from_y;
    wf to1_x = pick_at(i0, others->x) - from_x, to1_y = pick_at(i0, others->y) - from_y;
    quad_place end0 = {to0_x * along_x + to0_y * along_y, to0_x * x + to0_y * y};
    quad_place end1 = {to1_x * along_x + to1_y * along_y, to1_x * x + to1_y * y};
    wf length = (pick_next(r0, edges->x) - from_x) * along_x + (pick_next(r0, edges->y) - from_y) * along_y;
    wm beyond = wm_or(wf_lt(length, wf_min(end0.along, end1.along)), wf_lt(wf_max(end0.along, end1.along), zero));
    quad_place places[2] = {bounded(end0, end1, length), bounded(end1, end0, length)};
    wf least = wf_min(places[0].out, places[1].out), separation = axis->separation;
    wm known = wm_or(wf_le(least, separation + bounds->slack), wf_lt(separation, -bounds->slack));
    wm facing = inverse(beyond), there = inverse(apart);

    wf radius = wf_select(of_b, bounds->radius_b, bounds->radius_a);
    wf other_radius = wf_select(of_b, bounds->radius_a, bounds->radius_b);
    wf point[2][4];
    wm near[2];
    for (int k = 0; k < 2; k++) {
        wf reference = k == 0 ? r0 : r1, incident = k == 0 ? i1 : i0, out = places[k].out;
        wf halfway = half * ((out + radius) - other_radius);
        near[k] = wm_and(wf_le(out, bounds->reach), wm_and(facing, there));
        point[k][0] = (from_x + places[k].along * along_x) + halfway * x;
        point[k][1] = (from_y + places[k].along * along_y) + halfway * y;
        point[k][2] = (out - radius) - other_radius;
        point[k][3] = wf_select(of_b, incident, reference) + wf_set(256.0f) * wf_select(of_b, reference, incident);
    }
    wm both = wm_and(near[0], near[1]);
    wf_store(rows[NORMAL_X], wf_keep(there, wf_select(of_b, -x, x)));
    wf_store(rows[NORMAL_Y], wf_keep(there, wf_select(of_b, -y, y)));
    wf_store(rows[COUNT], wf_keep(near[0], wf_set(1.0f)) + wf_keep(near[1], wf_set(1.0f)));
    for (int i = 0; i < 4; i++) {
        wf_store(rows[POINT_0 + i], wf_select(near[0], point[0][i], wf_keep(near[1], point[1][i])));
        wf_store(rows[POINT_1 + i], wf_keep(both, point[1][i]));
    }
    return wm_or(apart, wm_and(facing, known));
}

/* the pairs of one vector; missing ones repeat the last. Returns a bit for each pair that is complete. */
TR_INLINE uint32_t collide_lanes(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    const float *corners_a[TR_WIDTH], *corners_b[TR_WIDTH], *round_a[TR_WIDTH], *round_b[TR_WIDTH], *poses[TR_WIDTH];
    float margins[TR_WIDTH], rows[ROWS][TR_WIDTH];
    for (uint32_t i = 0; i < TR_WIDTH; i++) {
        const tr2_shape_pair *pair = &pairs[i < count ? i : count - 1];
        corners_a[i] = &pair->a->corners[0].point.x;
        corners_b[i] = &pair->b->corners[0].point.x;
        round_a[i] = &pair->a->radius;
        round_b[i] = &pair->b->radius;
        poses[i] = &pair->b_in_a.p.x;
        margins[i] = pair->margin;
    }
    w4 pose = w4_load_from(poses, 0);
    quad_bounds bounds = bounds_of(round_a, round_b, wf_load(margins));
    quad a = load_quad(corners_a), in_b = load_quad(corners_b), b = turned(&in_b, &pose);
    quad_axis of_a = best_edge(&a, &b), of_b = best_edge(&b, &a);
    wm apart = wm_or(wf_lt(bounds.reach, of_a.separation), wf_lt(bounds.reach, of_b.separation));
    /* prefer A's edge if the difference is small, as in tr2_collide_flat() */
    wm other = wf_lt(of_a.separation + wf_set(TR2_PREFERENCE) * bounds.slack, of_b.separation);
    quad_axis axis = {wf_select(other, of_b.separation, of_a.separation), wf_select(other, of_b.edge, of_a.edge)};
    quad edges = choose(other, &b, &a), others = choose(other, &a, &b);
    wm done = clip_edges(&edges, &others, other, &axis, &bounds, apart, rows);
    wm sane = wf_le(wf_abs((pose.x + pose.y) + (pose.z + pose.w)), wf_set(FLT_MAX));
    write_manifolds(rows, count, out);
    return wm_bits(wm_and(done, sane));
}

static uint32_t collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    uint32_t done = 0;
    for (uint32_t first = 0; first < count; first += TR_WIDTH)
        done |= collide_lanes(pairs + first, count - first < TR_WIDTH ? count - first : TR_WIDTH, out + first) << first;
    return ~done & (uint32_t)((UINT64_C(1) << count) - 1);
}
