/*
 * What the tests of geometry share: random shapes and poses, and the plainest computation of distances in double, by
 * every corner against every edge.
 */
#ifndef TR_TESTS_GEOMETRY_H
#define TR_TESTS_GEOMETRY_H

#include <math.h>
#include <stdint.h>

#include "base/angle.h"
#include "collide/geometry/vector.h"
#include "random.h"

typedef struct generator {
    uint64_t state;
} generator;

/* 0 .. limit - 1 */
static inline uint32_t draw(generator *random, uint32_t limit)
{
    random_step(&random->state);
    return (uint32_t)(random->state >> 33) % limit;
}

static inline float uniform(generator *random, float low, float high)
{
    return low + (high - low) * ((float)draw(random, 1u << 24) / (float)(1u << 24));
}

static inline tr_vec2 uniform_point(generator *random, float reach)
{
    float x = uniform(random, -reach, reach);
    return (tr_vec2){x, uniform(random, -reach, reach)};
}

static inline tr2_pose pose_at(float x, float y, double angle)
{
    return (tr2_pose){{x, y}, (float)cos(angle), (float)sin(angle)};
}

static inline tr2_pose random_pose(generator *random, float reach)
{
    tr_vec2 p = uniform_point(random, reach);
    return pose_at(p.x, p.y, (double)uniform(random, -4.0f, 4.0f));
}

/* a shape of about a metre of any kind but a chain segment; kind `TR2_GEOMETRY_KIND_COUNT` is any of them */
static inline tr2_geometry random_shape(generator *random, tr2_geometry_kind kind)
{
    static const tr2_geometry_kind any[] = {TR2_GEOMETRY_CIRCLE,  TR2_GEOMETRY_CAPSULE, TR2_GEOMETRY_SEGMENT,
                                            TR2_GEOMETRY_POLYGON, TR2_GEOMETRY_POLYGON, TR2_GEOMETRY_POLYGON};
    if (kind == TR2_GEOMETRY_KIND_COUNT)
        kind = any[draw(random, 6)];
    tr2_geometry made = {0};
    tr_status status = TR_ERROR_ZERO;
    while (status != TR_OK) {
        float radius = uniform(random, 0.05f, 0.5f);
        tr_vec2 p = uniform_point(random, 1.0f), q = uniform_point(random, 1.0f), points[TR2_MAX_CORNERS];
        uint32_t count = 3 + draw(random, TR2_MAX_CORNERS - 2);
        bool rounded = draw(random, 2) == 1;
        switch (kind) {
        case TR2_GEOMETRY_CIRCLE:
            status = tr2_geometry_circle(1.0f, p, radius, &made);
            break;
        case TR2_GEOMETRY_CAPSULE:
            status = tr2_geometry_capsule(1.0f, p, q, radius, &made);
            break;
        case TR2_GEOMETRY_SEGMENT:
            status = tr2_geometry_segment(1.0f, p, q, &made);
            break;
        default:
            for (uint32_t i = 0; i < count; i++)
                points[i] = uniform_point(random, 1.0f);
            status = tr2_hull_make(1.0f, points, count, rounded ? radius : 0.0f, &made);
        }
        /* no splinters: what is thinner than a centimetre has axes that floats can hardly tell apart */
        if (status == TR_OK && made.kind == TR2_GEOMETRY_POLYGON && made.radius == 0.0f &&
            tr2_geometry_mass(&made, 1.0).mass < 0.02)
            status = TR_ERROR_ZERO;
    }
    return made;
}

/* a core in double, in the frame that the other is in */
typedef struct exact_core {
    double x[TR2_MAX_CORNERS], y[TR2_MAX_CORNERS];
    uint32_t count;
} exact_core;

static inline exact_core exact_of(const tr2_geometry *geometry, tr2_pose pose)
{
    exact_core core = {.count = geometry->count};
    for (uint32_t i = 0; i < core.count; i++) {
        double x = (double)geometry->corners[i].point.x, y = (double)geometry->corners[i].point.y;
        core.x[i] = (double)pose.c * x - (double)pose.s * y + (double)pose.p.x;
        core.y[i] = (double)pose.s * x + (double)pose.c * y + (double)pose.p.y;
    }
    return core;
}

static const tr2_pose no_pose = {{0.0f, 0.0f}, 1.0f, 0.0f};

static inline double point_to_edge(const exact_core *core, uint32_t i, double x, double y)
{
    uint32_t k = (i + 1) % core->count;
    double ex = core->x[k] - core->x[i], ey = core->y[k] - core->y[i];
    double px = x - core->x[i], py = y - core->y[i], square = ex * ex + ey * ey;
    double share = square > 0.0 ? (px * ex + py * ey) / square : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return hypot(px - share * ex, py - share * ey);
}

static inline bool point_inside(const exact_core *core, double x, double y)
{
    for (uint32_t i = 0; i < core->count; i++) {
        uint32_t k = (i + 1) % core->count;
        if ((core->x[k] - core->x[i]) * (y - core->y[i]) - (core->y[k] - core->y[i]) * (x - core->x[i]) < 0.0)
            return false;
    }
    return core->count > 2;
}

/* from the surface; below 0 inside. For a core of two corners or one, the radius makes the inside. */
static inline double signed_distance(const tr2_geometry *geometry, tr2_pose pose, double x, double y)
{
    exact_core core = exact_of(geometry, pose);
    double least = INFINITY;
    for (uint32_t i = 0; i < core.count; i++)
        least = fmin(least, point_to_edge(&core, i, x, y));
    return (point_inside(&core, x, y) ? -least : least) - (double)geometry->radius;
}

/* how far the corners of one are out of the edges of the other, at most: above 0 the cores are apart */
static inline double most_out(const exact_core *of, const exact_core *from)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < of->count && of->count > 1; i++) {
        uint32_t k = (i + 1) % of->count;
        double ex = of->x[k] - of->x[i], ey = of->y[k] - of->y[i], length = hypot(ex, ey), least = INFINITY;
        for (uint32_t j = 0; j < from->count; j++)
            least = fmin(least, (ey * (from->x[j] - of->x[i]) - ex * (from->y[j] - of->y[i])) / length);
        most = fmax(most, least);
    }
    return most;
}

static inline double turn_of(const exact_core *a, uint32_t i, uint32_t k, double x, double y)
{
    return (a->x[k] - a->x[i]) * (y - a->y[i]) - (a->y[k] - a->y[i]) * (x - a->x[i]);
}

static inline bool edges_cross(const exact_core *a, const exact_core *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            uint32_t i1 = (i + 1) % a->count, j1 = (j + 1) % b->count;
            if (turn_of(a, i, i1, b->x[j], b->y[j]) * turn_of(a, i, i1, b->x[j1], b->y[j1]) < 0.0 &&
                turn_of(b, j, j1, a->x[i], a->y[i]) * turn_of(b, j, j1, a->x[i1], a->y[i1]) < 0.0)
                return true;
        }
    return false;
}

/* of the cores: above 0 their distance, by every corner and edge; below 0 the least way that takes them apart */
static inline double exact_separation(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b)
{
    exact_core core_a = exact_of(a, no_pose), core_b = exact_of(b, pose);
    double least = INFINITY;
    for (uint32_t j = 0; j < core_b.count; j++)
        for (uint32_t i = 0; i < core_a.count; i++) {
            least = fmin(least, point_to_edge(&core_a, i, core_b.x[j], core_b.y[j]));
            least = fmin(least, point_to_edge(&core_b, j, core_a.x[i], core_a.y[i]));
        }
    bool overlap = edges_cross(&core_a, &core_b) || point_inside(&core_a, core_b.x[0], core_b.y[0]) ||
                   point_inside(&core_b, core_a.x[0], core_a.y[0]);
    return overlap ? fmax(most_out(&core_a, &core_b), most_out(&core_b, &core_a)) : least;
}

/* the separation of the surfaces along a direction from A to B */
static inline double separation_along(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, tr_vec2 normal)
{
    exact_core core_a = exact_of(a, no_pose), core_b = exact_of(b, pose);
    double most = -INFINITY, least = INFINITY;
    for (uint32_t i = 0; i < core_a.count; i++)
        most = fmax(most, core_a.x[i] * (double)normal.x + core_a.y[i] * (double)normal.y);
    for (uint32_t j = 0; j < core_b.count; j++)
        least = fmin(least, core_b.x[j] * (double)normal.x + core_b.y[j] * (double)normal.y);
    return least - most - (double)a->radius - (double)b->radius;
}

#endif
