/*
 * Properties of a single shape: mass, bounds, reach. Also poses.
 *
 * The area of a rounded polygon consists of its core, a rectangle on each edge, and a sector at each corner, from one
 * edge's normal to the next. A capsule is a polygon of two corners; a circle is one corner with a full turn.
 */
#include "collide/geometry/moments.h"
#include "collide/geometry/vector.h"

#include <float.h>

/* adds the core, by triangles from the centre */
static void add_core(tr2_moments *total, const tr2_geometry *geometry)
{
    double cx = geometry->center.x, cy = geometry->center.y;
    for (uint32_t i = 0; i < geometry->count; i++) {
        tr_vec2 p = geometry->corners[i].point, q = geometry->corners[i + 1 < geometry->count ? i + 1 : 0].point;
        double ax = p.x - cx, ay = p.y - cy, bx = q.x - cx, by = q.y - cy;
        tr2_moments_triangle(total, (tr_dvec2){ax, ay}, (tr_dvec2){bx, by});
    }
}

/* outward normal of the edge from corner i, in double */
static tr_dvec2 exact_normal(const tr2_geometry *geometry, uint32_t i, double *length)
{
    tr_vec2 p = geometry->corners[i].point, q = geometry->corners[i + 1 < geometry->count ? i + 1 : 0].point;
    double x = (double)q.x - p.x, y = (double)q.y - p.y;
    *length = sqrt(x * x + y * y);
    return (tr_dvec2){y / *length, -x / *length};
}

/* adds the rounding: rectangles and sectors */
static void add_rounding(tr2_moments *total, const tr2_geometry *geometry)
{
    double r = geometry->radius, length;
    if (!(r > 0.0))
        return;
    tr_dvec2 before = exact_normal(geometry, geometry->count - 1u, &length);
    for (uint32_t i = 0; i < geometry->count; i++) {
        double x = (double)geometry->corners[i].point.x - geometry->center.x;
        double y = (double)geometry->corners[i].point.y - geometry->center.y;
        tr_dvec2 normal = exact_normal(geometry, i, &length);

        tr2_moments_sector(total, (tr_dvec2){x, y}, r, before, normal);

        /* rectangle, about its centre */
        double area = length * r, along = 0.5 * length, out = 0.5 * r;
        tr2_moments_add(total, area, 0.0, 0.0, area * (length * length + r * r) / 12.0,
                        x - normal.y * along + normal.x * out, y + normal.x * along + normal.y * out);
        before = normal;
    }
}

tr2_shape_mass tr2_geometry_mass(const tr2_geometry *geometry, double density)
{
    tr2_moments total = {0.0, 0.0, 0.0, 0.0};
    double r = geometry->radius;
    if (geometry->kind == TR2_GEOMETRY_CIRCLE) {
        tr2_moments_add(&total, TR_PI * r * r, 0.0, 0.0, 0.5 * TR_PI * r * r * r * r, 0.0, 0.0);
    } else if (geometry->kind == TR2_GEOMETRY_CAPSULE || geometry->kind == TR2_GEOMETRY_POLYGON) {
        add_core(&total, geometry);
        add_rounding(&total, geometry);
    }
    tr2_shape_mass mass = {density * total.area, {geometry->center.x, geometry->center.y}, 0.0};
    if (!(total.area > 0.0))
        return mass;
    double x = total.x / total.area, y = total.y / total.area;
    mass.center = (tr_dvec2){mass.center.x + x, mass.center.y + y};
    mass.inertia = density * (total.second - total.area * (x * x + y * y));
    return mass;
}

static inline tr2_bounds bounds_of(const tr2_geometry *geometry, uint32_t count, float c, float s)
{
    tr2_pose turn = tr_turn_pose(c, s);
    tr_vec2 lower = tr_rotate(turn, geometry->corners[0].point), upper = lower;
    for (uint32_t i = 1; i < count; i++) {
        tr_vec2 p = tr_rotate(turn, geometry->corners[i].point);
        lower.x = tr_min(lower.x, p.x);
        lower.y = tr_min(lower.y, p.y);
        upper.x = tr_max(upper.x, p.x);
        upper.y = tr_max(upper.y, p.y);
    }
    /* five roundings, each at most half an epsilon of the greatest coordinate */
    float far = fabsf(geometry->center.x) + fabsf(geometry->center.y) + 1.5f * geometry->extent;
    float out = geometry->radius + 4.0f * FLT_EPSILON * far;
    return (tr2_bounds){{lower.x - out, lower.y - out}, {upper.x + out, upper.y + out}};
}

tr2_bounds tr2_geometry_bounds(const tr2_geometry *geometry, float c, float s)
{
    /* most shapes have four corners: a loop of constant length is faster */
    return geometry->count == 4 ? bounds_of(geometry, 4, c, s) : bounds_of(geometry, geometry->count, c, s);
}

float tr2_geometry_reach(const tr2_geometry *geometry, tr_vec2 point)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < geometry->count; i++)
        most = tr_max(most, tr_length(tr_sub(geometry->corners[i].point, point)));
    return (most + geometry->radius) * (1.0f + 4.0f * FLT_EPSILON);
}
