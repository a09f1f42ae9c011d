/*
 * Contacts of shapes with edges: lines and polygons, rounded or not.
 *
 * Method: separating axes. The reference is the edge of either core with the greatest separation. If an edge of the
 * other core faces it, clipping the two edges gives up to two points with the reference normal. Otherwise, if the cores
 * are separated, the nearest features are two corners, whose distance (distance.c) gives the normal, so that rounded
 * corners behave as round. The greatest separation over the faces never exceeds the distance of the cores; if clipping
 * attains it, the distance is known. Most pairs need nothing more.
 */
#include "collide/geometry/manifold_internal.h"

#include <float.h>

/* four corners side by side; every instruction set has four lanes */
#define TR_WIDTH 4
#include "simd/rows.h"

static const int32_t four[4] = {0, 1, 2, 3};

static w4 load_corners(const tr2_corner *corners)
{
    return w4_load_rows(&corners->point.x, four, 4);
}

void tr2_pair_make(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin, tr2_pair *out)
{
    out->a = a;
    out->b = b;
    out->pose = b_in_a;
    out->margin = margin;
    out->reach = a->radius + b->radius + margin;
    out->slack = 1e-5f * tr_min(a->extent, b->extent) + 1e-6f * tr_max(a->extent, b->extent);
    wf c = wf_set(b_in_a.c), s = wf_set(b_in_a.s), x = wf_set(b_in_a.p.x), y = wf_set(b_in_a.p.y);
    for (uint32_t i = 0; i < b->count; i += 4) {
        w4 corner = load_corners(b->corners + i), turned;
        turned.x = (c * corner.x - s * corner.y) + x;
        turned.y = (s * corner.x + c * corner.y) + y;
        turned.z = c * corner.z - s * corner.w;
        turned.w = s * corner.z + c * corner.w;
        w4_store_rows(&out->of_b[i].point.x, four, 4, turned);
    }
}

tr2_axis tr2_best_edge(const tr2_corner *edges, uint32_t edge_count, const tr2_corner *others, uint32_t other_count)
{
    tr2_axis best = {-FLT_MAX, 0, 0, false};
    for (uint32_t i = 0; i < edge_count; i += 4) {
        w4 edge = load_corners(edges + i);
        wf least = edge.z * wf_set(others[0].point.x) + edge.w * wf_set(others[0].point.y);
        for (uint32_t k = 1; k < other_count; k++)
            least = wf_min(edge.z * wf_set(others[k].point.x) + edge.w * wf_set(others[k].point.y), least);
        float out[4];
        wf_store(out, least - (edge.z * edge.x + edge.w * edge.y));
        for (uint32_t k = 0; k < 4 && i + k < edge_count; k++) {
            best.edge = out[k] > best.separation ? i + k : best.edge;
            best.separation = tr_max(out[k], best.separation);
        }
    }
    return best;
}

void tr2_find_support(const tr2_corner *edges, const tr2_corner *others, uint32_t other_count, tr2_axis *axis)
{
    tr_vec2 normal = edges[axis->edge].normal;
    float least = tr_dot(normal, others[0].point);
    axis->support = 0;
    for (uint32_t k = 1; k < other_count; k++) {
        float out = tr_dot(normal, others[k].point);
        axis->support = out < least ? k : axis->support;
        least = tr_min(out, least);
    }
}

/* the edge at a corner that faces a normal */
static uint32_t facing_edge(const tr2_corner *corners, uint32_t count, uint32_t corner, tr_vec2 normal)
{
    uint32_t before = corner > 0 ? corner - 1u : count - 1u;
    return tr_dot(corners[before].normal, normal) < tr_dot(corners[corner].normal, normal) ? before : corner;
}

/* a position on the incident edge: along the reference edge, and distance out of it */
typedef struct place {
    float along, out;
} place;

/* moves an end along the edge to a bound that it exceeds; branchless, because the branch would be unpredictable */
static place bounded(place end, place other, float high)
{
    float bound = tr_min(tr_max(end.along, 0.0f), high), length = other.along - end.along;
    float share = (bound - end.along) / (length == 0.0f ? 1.0f : length);
    return (place){bound, end.out + tr_min(share, 1.0f) * (other.out - end.out)};
}

tr2_clip tr2_clip_edges(const tr2_pair *pair, tr2_axis axis)
{
    const tr2_geometry *reference = axis.of_b ? pair->b : pair->a, *incident = axis.of_b ? pair->a : pair->b;
    const tr2_corner *edges = axis.of_b ? pair->of_b : pair->a->corners;
    const tr2_corner *others = axis.of_b ? pair->a->corners : pair->of_b;
    uint32_t r0 = axis.edge, r1 = r0 + 1u < reference->count ? r0 + 1u : 0u;
    tr_vec2 from = edges[r0].point, normal = edges[r0].normal, along = tr_left(normal);
    uint32_t i0 = facing_edge(others, incident->count, axis.support, normal);
    uint32_t i1 = i0 + 1u < incident->count ? i0 + 1u : 0u;

    /* the incident edge has the opposite direction: its end is at the reference edge's start */
    tr_vec2 to0 = tr_sub(others[i1].point, from), to1 = tr_sub(others[i0].point, from);
    place end0 = {tr_dot(to0, along), tr_dot(to0, normal)}, end1 = {tr_dot(to1, along), tr_dot(to1, normal)};
    float length = tr_dot(tr_sub(edges[r1].point, from), along);

    tr2_clip clip = {.manifold = {.count = 0}, .facing = false, .least = FLT_MAX};
    if (tr_min(end0.along, end1.along) > length || tr_max(end0.along, end1.along) < 0.0f)
        return clip;
    place places[2] = {bounded(end0, end1, length), bounded(end1, end0, length)};
    clip.facing = true;
    clip.least = tr_min(places[0].out, places[1].out);

    uint32_t ids[2] = {axis.of_b ? tr2_point_id(i1, r0) : tr2_point_id(r0, i1),
                       axis.of_b ? tr2_point_id(i0, r1) : tr2_point_id(r1, i0)};
    clip.manifold.normal = axis.of_b ? tr_negative(normal) : normal;
    for (uint32_t k = 0; k < 2; k++) {
        if (!(places[k].out <= pair->reach))
            continue;
        tr2_manifold_point *point = &clip.manifold.points[clip.manifold.count++];
        float halfway = 0.5f * (places[k].out + reference->radius - incident->radius);
        point->point = tr_along(tr_along(from, places[k].along, along), halfway, normal);
        point->separation = places[k].out - reference->radius - incident->radius;
        point->id = ids[k];
    }
    return clip;
}

tr2_manifold tr2_point_of_distance(const tr2_pair *pair, const tr2_core_distance *distance)
{
    tr2_manifold manifold = tr2_point_contact(distance->point_a, pair->a->radius, distance->point_b, pair->b->radius,
                                              distance->normal, distance->distance, pair->margin);
    manifold.points[0].id = tr2_point_id(distance->corner_a[0], distance->corner_b[0]);
    return manifold;
}

tr2_manifold tr2_point_of_support(const tr2_pair *pair, tr2_axis axis)
{
    const tr2_corner *edges = axis.of_b ? pair->of_b : pair->a->corners;
    const tr2_corner *others = axis.of_b ? pair->a->corners : pair->of_b;
    tr_vec2 outward = edges[axis.edge].normal, corner = others[axis.support].point;
    tr_vec2 foot = tr_along(corner, -axis.separation, outward);
    tr2_manifold manifold =
        tr2_point_contact(axis.of_b ? corner : foot, pair->a->radius, axis.of_b ? foot : corner, pair->b->radius,
                          axis.of_b ? tr_negative(outward) : outward, axis.separation, pair->margin);
    manifold.points[0].id = axis.of_b ? tr2_point_id(axis.support, axis.edge) : tr2_point_id(axis.edge, axis.support);
    return manifold;
}

tr2_manifold tr2_collide_flat(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin)
{
    const tr2_manifold nothing = {.count = 0};
    if (a->count == 0 || b->count == 0)
        return nothing;
    tr2_pair pair;
    tr2_pair_make(a, b_in_a, b, margin, &pair);
    tr2_axis axis = tr2_best_edge(a->corners, a->count, pair.of_b, b->count);
    if (axis.separation > pair.reach)
        return nothing;
    tr2_axis other = tr2_best_edge(pair.of_b, b->count, a->corners, a->count);
    if (other.separation > pair.reach)
        return nothing;

    /* prefer A's edge if the difference is small, so that the reference of resting bodies does not alternate */
    if (other.separation > axis.separation + TR2_PREFERENCE * pair.slack) {
        axis = other;
        axis.of_b = true;
        tr2_find_support(pair.of_b, a->corners, a->count, &axis);
    } else {
        tr2_find_support(a->corners, pair.of_b, b->count, &axis);
    }
    tr2_clip clip = tr2_clip_edges(&pair, axis);
    if (clip.facing && (clip.least <= axis.separation + pair.slack || axis.separation < -pair.slack))
        return clip.manifold;

    /* the edges do not face each other: two corners, if the cores are separated */
    tr2_core_distance distance = {.distance = 0.0f};
    if (axis.separation > -pair.slack)
        distance = tr2_distance_of_cores(a, b_in_a, b, NULL);
    if (distance.distance > pair.slack && (distance.count == 1 || !clip.facing))
        return tr2_point_of_distance(&pair, &distance);
    return clip.facing ? clip.manifold : tr2_point_of_support(&pair, axis);
}

tr2_manifold tr2_collide_edge(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin,
                              uint32_t edge, bool of_b, float unit)
{
    float skin = tr2_skin_of(a, b, unit);
    tr2_pair pair = {.margin = margin + skin};
    tr2_pair_make(a, b_in_a, b, margin + skin, &pair);
    tr2_axis axis = {.edge = edge, .of_b = of_b};
    if (of_b)
        tr2_find_support(pair.of_b, a->corners, a->count, &axis);
    else
        tr2_find_support(a->corners, pair.of_b, b->count, &axis);
    tr2_manifold out = tr2_clip_edges(&pair, axis).manifold;
    tr2_take_skin(&out, skin);
    return out;
}
