/*
 * Mass properties of shapes. A circle of area A = pi r^2 has inertia m r^2 / 2 about its centre. A polygon is the
 * signed sum of the triangles from its first vertex. A triangle with edges a and b from that vertex has m = rho (a x b)
 * / 2 and, about that vertex, I = rho (a x b) / 12 * (a.a + a.b + b.b).
 */
#include "base/angle.h"
#include "collide/geometry/geometry.h"
#include "scene/core/storage.h"

#include <float.h>
#include <math.h>

typedef struct sums {
    double mass, x, y; /* first moments */
    double inertia;    /* about the body's origin */
} sums;

static void add_circle(sums *total, tr_vec2 center, double radius, double density)
{
    double mass = TR_PI * radius * radius * density;
    double x = center.x, y = center.y;
    total->mass += mass;
    total->x += mass * x;
    total->y += mass * y;
    total->inertia += mass * (0.5 * radius * radius + x * x + y * y);
}

static void add_polygon(sums *total, const tr_vec2 *vertices, uint32_t count, double density)
{
    if (count < 3)
        return;
    double ox = vertices[0].x, oy = vertices[0].y;
    double area = 0.0, mx = 0.0, my = 0.0, second = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        double ax = vertices[i].x - ox, ay = vertices[i].y - oy;
        double bx = vertices[i + 1].x - ox, by = vertices[i + 1].y - oy;
        double cross = ax * by - ay * bx;
        area += 0.5 * cross;
        mx += cross * (ax + bx) / 6.0;
        my += cross * (ay + by) / 6.0;
        second += cross * (ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by) / 12.0;
    }
    /* parallel-axis theorem: move the moments from the first vertex to the body's origin */
    total->mass += density * area;
    total->x += density * (mx + area * ox);
    total->y += density * (my + area * oy);
    total->inertia += density * (second + 2.0 * (mx * ox + my * oy) + area * (ox * ox + oy * oy));
}

/* capsules and rounded polygons, with the mass that the same shape has in a world */
static void add_rounded(sums *total, const tr2_scene *scene, const tr2_scene_shape *shape)
{
    const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
    tr2_geometry geometry;
    tr_status status =
        shape->type == TR2_SCENE_CAPSULE
            ? tr2_geometry_capsule(scene->length_unit, vertices[0], vertices[1], shape->radius, &geometry)
            : tr2_hull_make(scene->length_unit, vertices, shape->vertex_count, shape->radius, &geometry);
    if (status != TR_OK)
        return;
    tr2_shape_mass own = tr2_geometry_mass(&geometry, (double)shape->density);
    total->mass += own.mass;
    total->x += own.mass * own.center.x;
    total->y += own.mass * own.center.y;
    total->inertia += own.inertia + own.mass * (own.center.x * own.center.x + own.center.y * own.center.y);
}

/* positive if the outline runs counter-clockwise */
static double signed_area(const tr_vec2 *vertices, uint32_t count)
{
    double area = 0.0, ox = vertices[0].x, oy = vertices[0].y;
    for (uint32_t i = 1; i + 1 < count; i++)
        area +=
            0.5 * ((vertices[i].x - ox) * (vertices[i + 1].y - oy) - (vertices[i].y - oy) * (vertices[i + 1].x - ox));
    return area;
}

/* the greatest area that rounding the vertices to float can give a degenerate polygon: FLT_EPSILON, times the
   largest coordinate, times half the outline of the bounding box */
static double area_of_rounding(const tr_vec2 *vertices, uint32_t count)
{
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        /* no fmin and fmax: gcc 12 for arm64 fails inside its vectoriser on loops of them */
        double x = (double)vertices[i].x, y = (double)vertices[i].y;
        x0 = x < x0 ? x : x0;
        x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0;
        y1 = y > y1 ? y : y1;
    }
    double farthest = fmax(fmax(fabs(x0), fabs(x1)), fmax(fabs(y0), fabs(y1)));
    return (double)FLT_EPSILON * farthest * (x1 - x0 + y1 - y0);
}

bool tr2_scene_orient(tr_vec2 *vertices, uint32_t count)
{
    if (count < 3)
        return false;
    /* the first vertex stays the first */
    if (signed_area(vertices, count) < 0.0) {
        for (uint32_t i = 1, k = count - 1; i < k; i++, k--) {
            tr_vec2 kept = vertices[i];
            vertices[i] = vertices[k];
            vertices[k] = kept;
        }
    }
    return signed_area(vertices, count) > area_of_rounding(vertices, count);
}

tr2_mass tr2_scene_mass(const tr2_scene *scene, uint32_t first, uint32_t count)
{
    sums total = {0.0, 0.0, 0.0, 0.0};
    for (uint32_t i = first; i < first + count; i++) {
        const tr2_scene_shape *shape = &scene->shapes[i];
        const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
        if (!(shape->density > 0.0f))
            continue;
        bool rounded = shape->type == TR2_SCENE_POLYGON && shape->radius > 0.0f && tr2_scene_is_convex(scene, shape);
        if ((shape->type == TR2_SCENE_CAPSULE && shape->vertex_count == 2) || rounded)
            add_rounded(&total, scene, shape);
        else if (shape->type == TR2_SCENE_CIRCLE && shape->vertex_count > 0)
            add_circle(&total, vertices[0], shape->radius, shape->density);
        else if (shape->type == TR2_SCENE_POLYGON)
            add_polygon(&total, vertices, shape->vertex_count, shape->density);
    }
    tr2_mass result = {0.0, 0.0, 0.0, 0.0};
    if (!(total.mass > 0.0) || !isfinite(total.mass))
        return result;
    result.mass = total.mass;
    result.x = total.x / total.mass;
    result.y = total.y / total.mass;
    result.inertia = total.inertia - total.mass * (result.x * result.x + result.y * result.y);
    /* cancellation far from the origin can leave a slightly negative value */
    if (!(result.inertia > 0.0))
        result.inertia = 0.0;
    return result;
}
