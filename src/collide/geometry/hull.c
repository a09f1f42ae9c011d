/*
 * Creation of shapes. All numbers are checked here, so that no later function needs to. Sides and lengths are computed
 * in double, in which differences and products of floats are almost exact.
 */
#include "collide/geometry/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_LENGTH   1e9f /* units: its square is far below the largest float */
#define LEAST_LENGTH  1e-6 /* units: anything shorter is no line */
#define FLAT          1e-5 /* relative to the hull's size */
#define LOOSE_CORNERS 24   /* room for corners before those that are too flat are dropped */

typedef struct direction {
    double x, y, length;
} direction;

static direction between(tr_vec2 a, tr_vec2 b)
{
    direction d = {(double)b.x - a.x, (double)b.y - a.y, 0.0};
    d.length = sqrt(d.x * d.x + d.y * d.y);
    return d;
}

/* unit vector to the right of a direction: outward if corners are counter-clockwise */
static tr_vec2 normal_of(direction d)
{
    return (tr_vec2){(float)(d.y / d.length), (float)(-d.x / d.length)};
}

/* distance of p to the right of the line from a to b, whose length is not 0 */
static double beyond(tr_vec2 a, tr_vec2 b, tr_vec2 p)
{
    direction edge = between(a, b), to = between(a, p);
    return (edge.y * to.x - edge.x * to.y) / edge.length;
}

static tr_status check_number(float unit, float number)
{
    if (isnan(number))
        return TR_ERROR_NAN;
    return fabsf(number) <= MOST_LENGTH * unit ? TR_OK : TR_ERROR_INFINITE;
}

static tr_status check_points(float unit, const tr_vec2 *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_status x = check_number(unit, points[i].x), y = check_number(unit, points[i].y);
        if (x != TR_OK || y != TR_OK)
            return x == TR_ERROR_NAN || y == TR_OK ? x : y;
    }
    return TR_OK;
}

static tr_status check_radius(float unit, float radius)
{
    tr_status status = check_number(unit, radius);
    return status == TR_OK && radius < 0.0f ? TR_ERROR_NEGATIVE : status;
}

/* length below which floats cannot represent a direction */
static double least_length(float unit, const tr_vec2 *points, uint32_t count)
{
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double x = fabs((double)points[i].x), y = fabs((double)points[i].y);
        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    double rounding = 4.0 * (double)FLT_EPSILON * most;
    double least = LEAST_LENGTH * (double)unit;
    return rounding > least ? rounding : least;
}

size_t tr2_geometry_size(const tr2_geometry *geometry)
{
    /* the corner of a circle has no normal */
    if (geometry->kind == TR2_GEOMETRY_CIRCLE)
        return offsetof(tr2_geometry, corners) + sizeof(tr_vec2);
    return offsetof(tr2_geometry, corners) + (geometry->count + 3u) / 4u * 4u * sizeof(tr2_corner);
}

/* fills the corners beyond the last with the first, up to a multiple of four */
static void repeat_first(tr2_geometry *geometry)
{
    for (uint32_t i = geometry->count; i % 4 != 0; i++)
        geometry->corners[i] = geometry->corners[0];
}

/* distance from the centre to the farthest corner plus the radius, rounded up */
static float extent_of(const tr2_geometry *geometry)
{
    double most = 0.0;
    for (uint32_t i = 0; i < geometry->count; i++) {
        double length = between(geometry->center, geometry->corners[i].point).length;
        most = length > most ? length : most;
    }
    return (float)((most + geometry->radius) * (1.0 + 2.0 * (double)FLT_EPSILON));
}

/* the rectangle around the centre, with half of the skin of lines; positions of centres and corners are rounded at
   their distance from the body's origin */
static tr_vec2 half_of(float unit, const tr2_geometry *geometry)
{
    float x = 0.0f, y = 0.0f;
    for (uint32_t i = 0; i < geometry->count; i++) {
        tr_vec2 to = tr_sub(geometry->corners[i].point, geometry->center);
        x = tr_max(x, fabsf(to.x));
        y = tr_max(y, fabsf(to.y));
    }
    float far = fabsf(geometry->center.x) + fabsf(geometry->center.y) + geometry->extent;
    float room = geometry->radius + 0.5f * tr2_skin_of(geometry, geometry, unit) + 1e-5f * far;
    return (tr_vec2){x + room, y + room};
}

tr_status tr2_geometry_circle(float unit, tr_vec2 center, float radius, tr2_geometry *out)
{
    if (out == NULL)
        return TR_ERROR_NULL;
    tr_status status = check_points(unit, &center, 1);
    if (status == TR_OK)
        status = check_radius(unit, radius);
    if (status != TR_OK)
        return status;
    if (!(radius > 0.0f))
        return TR_ERROR_ZERO;

    tr2_geometry made = {.kind = TR2_GEOMETRY_CIRCLE, .count = 1, .radius = radius, .center = center};
    made.corners[0].point = center;
    made.extent = extent_of(&made);
    made.inner = radius;
    made.half = half_of(unit, &made);
    *out = made;
    return TR_OK;
}

/* common part of capsules, segments and chain segments: a line with normals on both sides */
static tr_status make_line(float unit, tr2_geometry_kind kind, tr_vec2 end0, tr_vec2 end1, float radius,
                           tr2_geometry *out)
{
    tr_vec2 ends[2] = {end0, end1};
    tr_status status = check_points(unit, ends, 2);
    if (status == TR_OK)
        status = check_radius(unit, radius);
    if (status != TR_OK)
        return status;
    direction line = between(end0, end1);
    if (line.length <= least_length(unit, ends, 2))
        return TR_ERROR_ZERO;

    *out = (tr2_geometry){.kind = (uint8_t)kind, .count = 2, .radius = radius};
    out->center = (tr_vec2){(float)(0.5 * ((double)end0.x + end1.x)), (float)(0.5 * ((double)end0.y + end1.y))};
    tr_vec2 normal = normal_of(line);
    out->corners[0] = (tr2_corner){end0, normal};
    out->corners[1] = (tr2_corner){end1, {-normal.x, -normal.y}};
    repeat_first(out);
    out->extent = extent_of(out);
    out->inner = radius;
    out->half = kind == TR2_GEOMETRY_CHAIN ? (tr_vec2){FLT_MAX, FLT_MAX} : half_of(unit, out);
    return TR_OK;
}

tr_status tr2_geometry_capsule(float unit, tr_vec2 end0, tr_vec2 end1, float radius, tr2_geometry *out)
{
    if (out == NULL)
        return TR_ERROR_NULL;
    tr2_geometry made;
    tr_status status = make_line(unit, TR2_GEOMETRY_CAPSULE, end0, end1, radius, &made);
    if (status == TR_OK && !(radius > 0.0f))
        status = TR_ERROR_ZERO;
    if (status == TR_OK)
        *out = made;
    return status;
}

tr_status tr2_geometry_segment(float unit, tr_vec2 end0, tr_vec2 end1, tr2_geometry *out)
{
    if (out == NULL)
        return TR_ERROR_NULL;
    tr2_geometry made;
    tr_status status = make_line(unit, TR2_GEOMETRY_SEGMENT, end0, end1, 0.0f, &made);
    if (status == TR_OK)
        *out = made;
    return status;
}

tr_status tr2_geometry_chain(float unit, const tr_vec2 *before, tr_vec2 end0, tr_vec2 end1, const tr_vec2 *after,
                             tr2_geometry *out)
{
    if (out == NULL)
        return TR_ERROR_NULL;
    tr2_geometry made;
    tr_status status = make_line(unit, TR2_GEOMETRY_CHAIN, end0, end1, 0.0f, &made);
    if (status != TR_OK)
        return status;

    const tr_vec2 *ghosts[2] = {before, after};
    for (uint32_t k = 0; k < 2; k++) {
        if (ghosts[k] == NULL)
            continue;
        status = check_points(unit, ghosts[k], 1);
        if (status != TR_OK)
            return status;
        /* the chain's direction applies to the segment and its neighbour */
        tr_vec2 line[2] = {k == 0 ? *ghosts[k] : end1, k == 0 ? end0 : *ghosts[k]};
        direction neighbour = between(line[0], line[1]);
        if (neighbour.length <= least_length(unit, line, 2))
            return TR_ERROR_ZERO;
        made.ghosts |= (uint8_t)(1u << k);
        made.corners[2 + k] = (tr2_corner){*ghosts[k], normal_of(neighbour)};
        /* solid on the left, so a left turn is convex */
        double turn = k == 0 ? -beyond(*before, end0, end1) : -beyond(end0, end1, *after);
        if (turn > 0.0)
            made.convex |= (uint8_t)(1u << k);
    }
    *out = made;
    return TR_OK;
}

/* Hulls, by adding the farthest point outside of each edge: any number of points, but limited room for corners. */
typedef struct loose_hull {
    tr_vec2 corners[LOOSE_CORNERS];
    uint32_t count;
} loose_hull;

/* two points that are certainly corners: the one of least x, and the farthest from it */
static void first_corners(const tr_vec2 *points, uint32_t count, loose_hull *hull)
{
    tr_vec2 first = points[0];
    for (uint32_t i = 1; i < count; i++)
        if (points[i].x < first.x || (points[i].x == first.x && points[i].y < first.y))
            first = points[i];
    tr_vec2 second = first;
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double length = between(first, points[i]).length;
        if (length > most) {
            most = length;
            second = points[i];
        }
    }
    hull->corners[0] = first;
    hull->corners[1] = second;
    hull->count = 2;
}

/* the point farthest to the right of an edge, by more than `least`; of equals the one farthest along it */
static bool farthest(const tr_vec2 *points, uint32_t count, tr_vec2 a, tr_vec2 b, double least, tr_vec2 *out)
{
    double most = least, most_along = 0.0;
    direction edge = between(a, b);
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        direction to = between(a, points[i]);
        double off = (edge.y * to.x - edge.x * to.y) / edge.length;
        double along = edge.x * to.x + edge.y * to.y;
        if (off > most || (found && off == most && along > most_along)) {
            most = off;
            most_along = along;
            *out = points[i];
            found = true;
        }
    }
    return found;
}

/* adds corners; false if there is no room for another */
static bool grow(const tr_vec2 *points, uint32_t count, double least, loose_hull *hull)
{
    for (uint32_t i = 0; i < hull->count;) {
        tr_vec2 added;
        uint32_t next = i + 1 < hull->count ? i + 1 : 0;
        if (!farthest(points, count, hull->corners[i], hull->corners[next], least, &added)) {
            i++;
            continue;
        }
        if (hull->count == LOOSE_CORNERS)
            return false;
        memmove(&hull->corners[i + 2], &hull->corners[i + 1], (hull->count - i - 1) * sizeof(tr_vec2));
        hull->corners[i + 1] = added;
        hull->count++;
    }
    return true;
}

/* drops the corner that stands out least, as long as that is at most `least` */
static void drop_flat(double least, loose_hull *hull)
{
    while (hull->count >= 3) {
        uint32_t flattest = 0;
        double smallest = INFINITY;
        for (uint32_t i = 0; i < hull->count; i++) {
            tr_vec2 before = hull->corners[i > 0 ? i - 1 : hull->count - 1];
            tr_vec2 after = hull->corners[i + 1 < hull->count ? i + 1 : 0];
            double out = beyond(before, after, hull->corners[i]);
            if (out < smallest) {
                smallest = out;
                flattest = i;
            }
        }
        if (smallest > least)
            return;
        hull->count--;
        memmove(&hull->corners[flattest], &hull->corners[flattest + 1], (hull->count - flattest) * sizeof(tr_vec2));
    }
}

/* The coordinate of a centre. What is left of it by rounding is nothing: a box around its body's origin has its centre
   there, exactly, which saves work in each step. */
static float coordinate(double corner, double from_there)
{
    double sum = corner + from_there;
    return fabs(sum) < 1e-12 * fabs(corner) ? 0.0f : (float)sum;
}

/* centroid of the area, by triangles from the first corner */
static tr_vec2 center_of(const loose_hull *hull)
{
    double area = 0.0, x = 0.0, y = 0.0;
    for (uint32_t i = 1; i + 1 < hull->count; i++) {
        direction a = between(hull->corners[0], hull->corners[i]);
        direction b = between(hull->corners[0], hull->corners[i + 1]);
        double cross = a.x * b.y - a.y * b.x;
        area += cross;
        x += cross * (a.x + b.x);
        y += cross * (a.y + b.y);
    }
    return (tr_vec2){coordinate(hull->corners[0].x, x / (3.0 * area)),
                     coordinate(hull->corners[0].y, y / (3.0 * area))};
}

/* for a polygon */
static float inner_of(const tr2_geometry *geometry)
{
    float inner = geometry->extent;
    for (uint32_t i = 0; i < geometry->count; i++) {
        tr_vec2 to = tr_sub(geometry->corners[i].point, geometry->center);
        inner = tr_min(inner, tr_dot(to, geometry->corners[i].normal));
    }
    return tr_max(inner, 0.0f) + geometry->radius;
}

static void finish(float unit, const loose_hull *hull, float radius, tr2_geometry *out)
{
    *out = (tr2_geometry){.kind = TR2_GEOMETRY_POLYGON, .count = (uint8_t)hull->count, .radius = radius};
    for (uint32_t i = 0; i < hull->count; i++) {
        tr_vec2 next = hull->corners[i + 1 < hull->count ? i + 1 : 0];
        out->corners[i] = (tr2_corner){hull->corners[i], normal_of(between(hull->corners[i], next))};
    }
    repeat_first(out);
    out->center = center_of(hull);
    out->extent = extent_of(out);
    out->inner = inner_of(out);
    out->half = half_of(unit, out);
}

tr_status tr2_hull_make(float unit, const tr_vec2 *points, uint32_t count, float radius, tr2_geometry *out)
{
    if (points == NULL || out == NULL)
        return TR_ERROR_NULL;
    tr_status status = check_points(unit, points, count);
    if (status == TR_OK)
        status = check_radius(unit, radius);
    if (status != TR_OK)
        return status;
    if (count < 3)
        return TR_ERROR_ZERO;

    loose_hull hull;
    double least = least_length(unit, points, count);
    first_corners(points, count, &hull);
    double size = between(hull.corners[0], hull.corners[1]).length;
    if (size <= least)
        return TR_ERROR_ZERO;
    if (FLAT * size > least)
        least = FLAT * size;
    if (!grow(points, count, least, &hull))
        return TR_ERROR_RANGE;
    drop_flat(least, &hull);
    if (hull.count < 3)
        return TR_ERROR_ZERO;
    if (hull.count > TR2_MAX_CORNERS)
        return TR_ERROR_RANGE;
    finish(unit, &hull, radius, out);
    return TR_OK;
}

tr_status tr2_geometry_box(float unit, float half_x, float half_y, tr_vec2 center, float c, float s, float radius,
                           tr2_geometry *out)
{
    if (half_x < 0.0f || half_y < 0.0f)
        return TR_ERROR_NEGATIVE;
    const tr_vec2 sides[4] = {{-half_x, -half_y}, {half_x, -half_y}, {half_x, half_y}, {-half_x, half_y}};
    tr_vec2 points[4];
    for (uint32_t i = 0; i < 4; i++)
        points[i] =
            (tr_vec2){center.x + (c * sides[i].x - s * sides[i].y), center.y + (s * sides[i].x + c * sides[i].y)};
    return tr2_hull_make(unit, points, 4, radius, out);
}
