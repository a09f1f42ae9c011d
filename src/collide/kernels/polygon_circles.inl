/*
 * Contacts of polygons with circles, one pair per lane; either may be the first of its pair. The operations are those
 * of collide_polygon_circle() and swapped() in manifold.c, in the same order, so that the bits are the same. TR_WIDTH
 * as in simd/wide.h.
 */
#include <float.h>

#include "collide/kernels/kernels.h"
#include "simd/rows.h"

/* gathered pairs, in the frames of the polygons */
typedef struct polygon_circle_lanes {
    const tr2_geometry *polygon[TR_WIDTH];
    uint32_t most_corners;
    wm circle_first;
    w4 b_in_a; /* x, y, cosine and sine */
    wf x, y;   /* the circle's centre */
    wf polygon_radius, circle_radius, margin;
} polygon_circle_lanes;

/* the polygon's edge that the circle is farthest outside of */
typedef struct circle_edge {
    wf separation; /* of the circle's centre from the core */
    w4 start;      /* its first corner and its normal */
    w4 end;
} circle_edge;

TR_INLINE w4 inverse_pose(w4 pose)
{
    wf c = pose.z, s = pose.w;
    return (w4){-(c * pose.x + s * pose.y), -(c * pose.y - s * pose.x), c, -s};
}

/* the pairs of one vector; missing ones repeat the last */
TR_INLINE void load_polygon_circles(const tr2_shape_pair *pairs, uint32_t count, polygon_circle_lanes *out)
{
    const float *polygons[TR_WIDTH], *circles[TR_WIDTH], *poses[TR_WIDTH];
    float margins[TR_WIDTH], first[TR_WIDTH];
    out->most_corners = 0;
    for (uint32_t i = 0; i < TR_WIDTH; i++) {
        const tr2_shape_pair *pair = &pairs[i < count ? i : count - 1];
        bool circle_first = pair->a->kind == TR2_GEOMETRY_CIRCLE;
        const tr2_geometry *polygon = circle_first ? pair->b : pair->a, *circle = circle_first ? pair->a : pair->b;
        out->polygon[i] = polygon;
        out->most_corners = polygon->count > out->most_corners ? polygon->count : out->most_corners;
        polygons[i] = &polygon->radius;
        circles[i] = &circle->radius;
        poses[i] = &pair->b_in_a.p.x;
        margins[i] = pair->margin;
        first[i] = circle_first ? 1.0f : 0.0f;
    }
    out->circle_first = wf_lt(wf_zero(), wf_load(first));
    out->b_in_a = w4_load_from(poses, 0);
    out->margin = wf_load(margins);
    out->polygon_radius = w4_load_from(polygons, 0).x;
    /* the centre follows the radius */
    w4 circle = w4_load_from(circles, 0), inner = inverse_pose(out->b_in_a);
    out->circle_radius = circle.x;
    wf x = wf_select(out->circle_first, inner.x, out->b_in_a.x),
       y = wf_select(out->circle_first, inner.y, out->b_in_a.y);
    wf c = out->b_in_a.z, s = wf_select(out->circle_first, inner.w, out->b_in_a.w);
    out->x = (c * circle.y - s * circle.z) + x;
    out->y = (s * circle.y + c * circle.z) + y;
}

/* Pointers to the four corners from `first` on, or, where a polygon has none there, to its first four: these change
   nothing, as only a better edge does. */
TR_INLINE void list_corners(const polygon_circle_lanes *it, uint32_t first, const float **out)
{
    for (uint32_t i = 0; i < TR_WIDTH; i++) {
        const tr2_geometry *polygon = it->polygon[i];
        out[i] = &polygon->corners[first < polygon->count ? first : 0].point.x;
    }
}

TR_INLINE circle_edge nearest_edge(const polygon_circle_lanes *it)
{
    const float *corners[TR_WIDTH];
    list_corners(it, 0, corners);
    circle_edge best = {.separation = wf_set(-FLT_MAX)};
    w4 start = w4_load_from(corners, 0), first = start;
    best.start = best.end = first;
    for (uint32_t group = 0; group < it->most_corners; group += 4) {
        for (uint32_t k = 0; k < 4; k++) {
            w4 end = first;
            if (k < 3) {
                end = w4_load_from(corners, 4 * (k + 1));
            } else if (group + 4 < it->most_corners) {
                list_corners(it, group + 4, corners);
                end = w4_load_from(corners, 0);
            }
            wf out = start.z * (it->x - start.x) + start.w * (it->y - start.y);
            wm better = wf_lt(best.separation, out);
            best.separation = wf_select(better, out, best.separation);
            best.start = w4_select(better, start, best.start);
            best.end = w4_select(better, end, best.end);
            start = end;
        }
    }
    return best;
}

/* content of a manifold, by lane; in the polygon's frame at first */
typedef struct circle_contact {
    wf normal_x, normal_y, x, y, separation;
} circle_contact;

/* returns the lanes that have a contact */
TR_INLINE wm touch_edge(const polygon_circle_lanes *it, const circle_edge *edge, circle_contact *out)
{
    wf most = edge->separation, along_x = -edge->start.w, along_y = edge->start.z;
    wf from_x = it->x - edge->start.x, from_y = it->y - edge->start.y;
    wf to_x = it->x - edge->end.x, to_y = it->y - edge->end.y;
    wm early = wf_lt(from_x * along_x + from_y * along_y, wf_zero());
    wm late = wf_lt(wf_zero(), to_x * along_x + to_y * along_y);
    wf corner_x = wf_select(early, edge->start.x, edge->end.x), corner_y = wf_select(early, edge->start.y, edge->end.y);
    wf apart_x = it->x - corner_x, apart_y = it->y - corner_y;
    wf length = wf_sqrt(apart_x * apart_x + apart_y * apart_y);
    wm round = wm_and(wm_and(wf_lt(wf_zero(), most), wm_or(early, late)), wf_lt(wf_set(FLT_MIN), length));
    wf inverse = wf_set(1.0f) / wf_select(round, length, wf_set(1.0f));
    wf normal_x = wf_select(round, inverse * apart_x, edge->start.z);
    wf normal_y = wf_select(round, inverse * apart_y, edge->start.w);
    wf near_x = wf_select(round, corner_x, it->x + -most * normal_x);
    wf near_y = wf_select(round, corner_y, it->y + -most * normal_y);
    wf ra = it->polygon_radius, rb = it->circle_radius;
    out->normal_x = normal_x;
    out->normal_y = normal_y;
    out->separation = (wf_select(round, length, most) - ra) - rb;
    out->x = wf_set(0.5f) * ((near_x + ra * normal_x) + (it->x + -rb * normal_x));
    out->y = wf_set(0.5f) * ((near_y + ra * normal_y) + (it->y + -rb * normal_y));
    return wm_and(wf_le(out->separation, it->margin), wf_le(most, (ra + rb) + it->margin));
}

/* in the frame of A, from A to B, where that is the circle */
TR_INLINE void swap_contacts(const polygon_circle_lanes *it, circle_contact *contact)
{
    wf c = it->b_in_a.z, s = it->b_in_a.w;
    wf normal_x = -(c * contact->normal_x - s * contact->normal_y);
    wf normal_y = -(s * contact->normal_x + c * contact->normal_y);
    wf x = (c * contact->x - s * contact->y) + it->b_in_a.x;
    wf y = (s * contact->x + c * contact->y) + it->b_in_a.y;
    contact->normal_x = wf_select(it->circle_first, normal_x, contact->normal_x);
    contact->normal_y = wf_select(it->circle_first, normal_y, contact->normal_y);
    contact->x = wf_select(it->circle_first, x, contact->x);
    contact->y = wf_select(it->circle_first, y, contact->y);
}

static void collide_polygon_circles(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    for (uint32_t first = 0; first < count; first += TR_WIDTH) {
        polygon_circle_lanes lanes;
        uint32_t some = count - first < TR_WIDTH ? count - first : TR_WIDTH;
        load_polygon_circles(pairs + first, some, &lanes);
        circle_edge edge = nearest_edge(&lanes);
        circle_contact contact;
        wm touching = touch_edge(&lanes, &edge, &contact);
        swap_contacts(&lanes, &contact);
        w4 pose = lanes.b_in_a;
        wm sane = wf_le(wf_abs((pose.x + pose.y) + (pose.z + pose.w)), wf_set(FLT_MAX));
        uint32_t near = wm_bits(wm_and(touching, sane));
        float rows[5][TR_WIDTH];
        wf_store(rows[0], contact.normal_x);
        wf_store(rows[1], contact.normal_y);
        wf_store(rows[2], contact.x);
        wf_store(rows[3], contact.y);
        wf_store(rows[4], contact.separation);
        for (uint32_t i = 0; i < some; i++) {
            out[first + i] = (tr2_manifold){.count = 0};
            if ((near >> i & 1u) != 0)
                out[first + i] =
                    (tr2_manifold){{rows[0][i], rows[1][i]}, 1, {{{rows[2][i], rows[3][i]}, rows[4][i], 0}}};
        }
    }
}
