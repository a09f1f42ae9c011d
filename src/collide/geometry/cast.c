/* Casts of rays, and of shapes translated without rotation, against shapes. */
#include "collide/geometry/core.h"

#include <float.h>
#include <math.h>

#define MOST_ROUNDS 32

static const tr2_cast_result missed = {.hit = false, .fraction = 1.0f};

/* a ray of length `length` along the unit vector `along`; it hits nothing nearer than `least` */
typedef struct ray {
    tr_vec2 origin, along;
    float length, least;
} ray;

typedef struct edge {
    tr_vec2 from, to, normal;
} edge;

/* the rounding error at this scale */
static float slack_of(const tr2_geometry *geometry, tr_vec2 origin)
{
    tr_vec2 to_center = tr_sub(geometry->center, origin);
    return 4.0f * FLT_EPSILON * (fabsf(to_center.x) + fabsf(to_center.y) + geometry->extent);
}

static void keep_nearer(const ray *cast, float distance, tr_vec2 normal, tr2_cast_result *best)
{
    float fraction = distance / cast->length;
    if (!(distance >= cast->least) || !(fraction <= 1.0f) || (best->hit && best->fraction <= fraction))
        return;
    *best = (tr2_cast_result){true, fraction, tr_along(cast->origin, distance, cast->along), normal};
}

/* intersection with the arc around a corner, from outside */
static void cast_corner(const ray *cast, tr_vec2 center, float radius, tr2_cast_result *best)
{
    tr_vec2 to = tr_sub(center, cast->origin);
    float along = tr_dot(to, cast->along), aside = tr_cross(to, cast->along);
    float half = radius * radius - aside * aside;
    if (half < 0.0f)
        return;
    float distance = along - sqrtf(half);
    tr_vec2 normal = tr_sub(tr_along(cast->origin, distance, cast->along), center);
    keep_nearer(cast, distance, tr_scale(1.0f / radius, normal), best);
}

/* intersection with the edge between two corners, offset by the radius, from outside. Neighbouring edges overlap by
   the rounding error, so that no ray passes between them. */
static void cast_edge(const ray *cast, const edge *side, float radius, float slack, tr2_cast_result *best)
{
    float closing = -tr_dot(cast->along, side->normal);
    if (!(closing > 0.0f))
        return;
    float out = tr_dot(tr_sub(cast->origin, side->from), side->normal) - radius;
    float distance = out / closing;
    tr_vec2 along = tr_left(side->normal), at = tr_along(cast->origin, distance, cast->along);
    if (tr_dot(tr_sub(at, side->from), along) < -slack || tr_dot(tr_sub(at, side->to), along) > slack)
        return;
    keep_nearer(cast, distance, side->normal, best);
}

static bool is_zero(tr_vec2 translation)
{
    return translation.x == 0.0f && translation.y == 0.0f;
}

/* Whether a ray that starts on the surface, within `slack`, or outside leaves the shape; otherwise none could leave the
   place where another one ended. `edges`: of those with an inside. */
static bool leaves(const tr2_geometry *geometry, tr_vec2 origin, tr_vec2 translation, uint32_t edges,
                   const tr2_nearest_result *nearest, float slack)
{
    for (uint32_t i = 0; i < edges; i++) {
        const tr2_corner *corner = &geometry->corners[i];
        float out = tr_dot(tr_sub(origin, corner->point), corner->normal) - geometry->radius;
        if (out >= -slack && tr_dot(translation, corner->normal) >= 0.0f)
            return true;
    }
    return geometry->radius > 0.0f && nearest->distance >= -slack && tr_dot(translation, nearest->normal) >= 0.0f;
}

tr2_cast_result tr2_geometry_ray_cast(const tr2_geometry *geometry, tr_vec2 origin, tr_vec2 translation)
{
    uint32_t edges = geometry->kind == TR2_GEOMETRY_CHAIN ? 1u : geometry->count > 1 ? geometry->count : 0u;
    ray cast = {origin, {0.0f, 0.0f}, tr_length(translation), 0.0f};
    float slack = slack_of(geometry, origin), reach = 2.0f * slack + 8.0f * FLT_EPSILON * cast.length;
    if (geometry->kind != TR2_GEOMETRY_SEGMENT && geometry->kind != TR2_GEOMETRY_CHAIN) {
        tr2_nearest_result nearest = tr2_geometry_nearest(geometry, origin);
        if (cast.length > 0.0f && leaves(geometry, origin, translation, edges, &nearest, reach))
            return missed;
        bool inside = nearest.distance < -reach || !(cast.length > 0.0f);
        if (nearest.distance <= 0.0f)
            return (tr2_cast_result){true, 0.0f, origin, inside ? (tr_vec2){0.0f, 0.0f} : nearest.normal};
    }
    tr2_cast_result best = missed;
    if (!(cast.length > 0.0f))
        return best;
    cast.along = tr_scale(1.0f / cast.length, translation);
    /* a line has no inside: a ray that starts on it leaves it on either side */
    if (geometry->kind == TR2_GEOMETRY_SEGMENT)
        cast.least = reach;

    for (uint32_t i = 0; i < edges; i++) {
        tr_vec2 next = geometry->corners[i + 1u < geometry->count ? i + 1u : 0u].point;
        tr_vec2 corner = geometry->corners[i].point;
        edge side = {corner, next, geometry->corners[i].normal};
        cast_edge(&cast, &side, geometry->radius, slack, &best);
    }
    if (geometry->radius > 0.0f)
        for (uint32_t i = 0; i < geometry->count; i++)
            cast_corner(&cast, geometry->corners[i].point, geometry->radius, &best);
    return best;
}

/* the line through a segment's ends, in double: on a long one the rounding error of floats is millimetres */
typedef struct exact_line {
    double from_x, from_y, x, y, length; /* `x` and `y`: unit vector to the second end */
} exact_line;

static exact_line line_of(const tr2_geometry *segment)
{
    tr_vec2 first = segment->corners[0].point, second = segment->corners[1].point;
    double x = (double)second.x - (double)first.x, y = (double)second.y - (double)first.y;
    double length = sqrt(x * x + y * y);
    return (exact_line){(double)first.x, (double)first.y, x / length, y / length, length};
}

static double height_over(const exact_line *line, tr_dvec2 point)
{
    return (point.x - line->from_x) * line->y - (point.y - line->from_y) * line->x;
}

double tr2_geometry_height(const tr2_geometry *segment, tr_dvec2 point)
{
    exact_line line = line_of(segment);
    return height_over(&line, point);
}

tr2_cast_result tr2_geometry_side_cast(const tr2_geometry *geometry, tr_dvec2 origin, tr_vec2 translation)
{
    if (geometry->kind != TR2_GEOMETRY_SEGMENT && geometry->kind != TR2_GEOMETRY_CHAIN)
        return tr2_geometry_ray_cast(geometry, (tr_vec2){(float)origin.x, (float)origin.y}, translation);
    exact_line line = line_of(geometry);
    double x = line.x, y = line.y, translation_x = (double)translation.x, translation_y = (double)translation.y;
    double out = height_over(&line, origin), side = out < 0.0 ? -1.0 : 1.0,
           closing = side * (translation_y * x - translation_x * y);
    double fraction = (side * out - (double)geometry->radius) / closing;
    if (!(closing > 0.0 && fraction >= 0.0 && fraction <= 1.0) || (geometry->kind == TR2_GEOMETRY_CHAIN && side < 0.0))
        return missed;
    double along = (origin.x - line.from_x + fraction * translation_x) * x +
                   (origin.y - line.from_y + fraction * translation_y) * y;
    double slack = (double)slack_of(geometry, (tr_vec2){(float)origin.x, (float)origin.y});
    if (!(along >= -slack && along <= line.length + slack))
        return missed;
    return (tr2_cast_result){
        true,
        (float)fraction,
        {(float)(origin.x + fraction * translation_x), (float)(origin.y + fraction * translation_y)},
        {(float)(side * y), (float)(-side * x)}};
}

/* A cast that starts where the shapes touch, within `tolerance`, is free unless it moves them together; otherwise no
   cast could leave the place where another one ended. If they overlap by more, it hits without a normal. */
static tr2_cast_result start_touching(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                      tr_vec2 translation, const tr2_core_distance *near, float tolerance)
{
    float gap = near->distance - (a->radius + b->radius);
    tr2_cast_result result = {true, 0.0f, tr2_distance(a, b_in_a, b).point_a, {0.0f, 0.0f}};
    if (is_zero(translation))
        return gap <= 0.0f ? result : missed;
    tr_vec2 normal = near->normal;
    if (!(near->distance > 0.0f)) {
        tr2_manifold sharp = tr2_collide(a, b_in_a, b, tolerance);
        normal = sharp.normal;
        gap = sharp.count > 0 ? tr2_least_separation(&sharp) : -INFINITY;
    }
    if (!(gap >= -tolerance))
        return result;
    result.normal = normal;
    return -tr_dot(translation, normal) > tolerance ? result : missed;
}

/* a hit of what leaves a chain segment's line counts if it is at an end, on the right side */
static tr2_cast_result seen_from_right(const tr2_geometry *chain, bool leaving, tr2_cast_result hit)
{
    return leaving && !(tr_dot(hit.normal, chain->corners[0].normal) > 0.0f) ? missed : hit;
}

/* `corners`: what leaves the line of a chain segment on its right side can still hit its ends, seen from that side */
static tr2_cast_result cast_shape(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, tr_vec2 translation,
                                  bool corners)
{
    bool leaving = false;
    if (a->kind == TR2_GEOMETRY_CHAIN) {
        /* a chain cannot be hit from behind */
        tr_vec2 normal = a->corners[0].normal, from = tr_sub(tr_to_outer(b_in_a, b->center), a->corners[0].point);
        leaving = tr_dot(translation, normal) >= 0.0f;
        if (tr_dot(from, normal) < 0.0f || (leaving && !corners))
            return missed;
    }
    float radii = a->radius + b->radius, fraction = 0.0f;
    /* the rounding error at this scale */
    float far = fabsf(b_in_a.p.x) + fabsf(b_in_a.p.y) + a->extent + b->extent;
    float tolerance = 8.0f * FLT_EPSILON * (far + fabsf(translation.x) + fabsf(translation.y));
    tr2_cast_result result = missed;
    tr2_core_distance near;
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        tr2_pose moved = {tr_along(b_in_a.p, fraction, translation), b_in_a.c, b_in_a.s};
        near = tr2_distance_of_cores(a, moved, b, round > 0 ? &near : NULL);
        float gap = near.distance - radii;
        if (gap <= tolerance && round == 0)
            return seen_from_right(a, leaving, start_touching(a, moved, b, translation, &near, tolerance));
        /* touching cores have no normal: keep the last one */
        if (near.distance > 0.0f)
            result.normal = near.normal;
        result.point = tr_along(near.point_a, a->radius, result.normal);
        result.fraction = fraction;
        result.hit = true;
        if (gap <= tolerance)
            return seen_from_right(a, leaving, result);

        /* the distance is convex in the fraction, so a Newton step never passes the root */
        float closing = -tr_dot(translation, near.normal);
        if (!(closing > 0.0f) || gap > closing * (1.0f - fraction)) {
            result.hit = false;
            /* past the least distance: back to that of these two points */
            if (closing < 0.0f && round > 0)
                result.fraction = tr_max(fraction + closing * near.distance / tr_dot(translation, translation), 0.0f);
            return result;
        }
        float next = fraction + gap / closing;
        if (!(next > fraction))
            return seen_from_right(a, leaving, result);
        fraction = next;
    }
    return seen_from_right(a, leaving, result);
}

tr2_cast_result tr2_geometry_shape_cast(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                        tr_vec2 translation)
{
    return cast_shape(a, b_in_a, b, translation, false);
}

tr2_cast_result tr2_geometry_shape_cast_corners(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                                tr_vec2 translation)
{
    return cast_shape(a, b_in_a, b, translation, true);
}
