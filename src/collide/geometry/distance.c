/*
 * Distance of two convex shapes by the algorithm of Gilbert, Johnson and Keerthi. The set of all differences b - a is
 * convex, and the distance is that of the origin from it. Its point nearest to the origin lies on a corner, edge or
 * triangle (the simplex) of differences of corners, which is improved by adding the corner farthest towards the origin.
 */
#include "collide/geometry/core.h"

#include <float.h>

#define MOST_ROUNDS 40 /* far above the need of any pair of 16 corners: only a guard against rounding */

typedef struct vertex {
    tr_vec2 a, b, w; /* corners in A's frame, and b - a */
    float share;     /* weight of this vertex in the nearest point */
    uint8_t ia, ib;
} vertex;

typedef struct simplex {
    vertex v[3];
    uint32_t count;
} simplex;

static vertex vertex_at(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, uint32_t ia, uint32_t ib)
{
    vertex made = {.a = a->corners[ia].point, .ia = (uint8_t)ia, .ib = (uint8_t)ib, .share = 1.0f};
    made.b = tr_to_outer(pose, b->corners[ib].point);
    made.w = tr_sub(made.b, made.a);
    return made;
}

/* the difference of corners least far along `direction` (in A's frame) */
static vertex least_along(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, tr_vec2 direction)
{
    uint32_t ia = tr2_farthest_corner(a, direction);
    uint32_t ib = tr2_farthest_corner(b, tr_rotate_back(pose, tr_negative(direction)));
    return vertex_at(a, pose, b, ia, ib);
}

/* reduces a line to the part with the nearest point: an end, or the line */
static void solve_line(simplex *s)
{
    tr_vec2 line = tr_sub(s->v[1].w, s->v[0].w);
    float share0 = tr_dot(s->v[1].w, line), share1 = -tr_dot(s->v[0].w, line);
    if (share1 <= 0.0f) {
        s->count = 1;
    } else if (share0 <= 0.0f) {
        s->v[0] = s->v[1];
        s->count = 1;
    } else {
        s->v[0].share = share0 / (share0 + share1);
        s->v[1].share = share1 / (share0 + share1);
        return;
    }
    s->v[0].share = 1.0f;
}

/* side of the line from p to q on which the origin lies, times the line's length; positive: left */
static float side_of_origin(tr_vec2 p, tr_vec2 q)
{
    return tr_cross(p, q);
}

/* Reduces a triangle to the part with the nearest point: all of it if the origin is inside. The third vertex was
   added last, beyond the line of the other two, so the nearest point is never on these alone. */
static void solve_triangle(simplex *s)
{
    float area = tr_cross(tr_sub(s->v[1].w, s->v[0].w), tr_sub(s->v[2].w, s->v[0].w));
    float turn = area < 0.0f ? -1.0f : 1.0f;
    float out0 = turn * side_of_origin(s->v[1].w, s->v[2].w); /* of the edge opposite to vertex 0 */
    float out1 = turn * side_of_origin(s->v[2].w, s->v[0].w);
    float out2 = turn * side_of_origin(s->v[0].w, s->v[1].w);
    if (out0 > 0.0f && out1 > 0.0f && out2 >= 0.0f) {
        float whole = out0 + out1 + out2;
        s->v[0].share = out0 / whole;
        s->v[1].share = out1 / whole;
        s->v[2].share = out2 / whole;
        return;
    }

    /* outside: the nearer one of the two new edges */
    simplex edges[2] = {{{s->v[0], s->v[2]}, 2}, {{s->v[1], s->v[2]}, 2}};
    float square[2];
    for (uint32_t k = 0; k < 2; k++) {
        solve_line(&edges[k]);
        tr_vec2 nearest = tr_scale(edges[k].v[0].share, edges[k].v[0].w);
        if (edges[k].count == 2)
            nearest = tr_along(nearest, edges[k].v[1].share, edges[k].v[1].w);
        square[k] = tr_dot(nearest, nearest);
    }
    *s = edges[square[1] < square[0]];
}

/* from the origin to the nearest point of the simplex: the direction of separation. For a line it is the
   perpendicular, which is accurate even if the distance is small compared to the line. */
static tr_vec2 apart(const simplex *s)
{
    if (s->count == 1)
        return s->v[0].w;
    tr_vec2 line = tr_sub(s->v[1].w, s->v[0].w);
    return side_of_origin(s->v[0].w, s->v[1].w) > 0.0f ? tr_right(line) : tr_left(line);
}

static bool known(const simplex *s, vertex v)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->v[i].ia == v.ia && s->v[i].ib == v.ib)
            return true;
    return false;
}

static tr2_core_distance result_of(const simplex *s)
{
    tr2_core_distance result = {.count = s->count};
    for (uint32_t i = 0; i < s->count; i++) {
        result.point_a = tr_along(result.point_a, s->v[i].share, s->v[i].a);
        result.point_b = tr_along(result.point_b, s->v[i].share, s->v[i].b);
        result.corner_a[i] = s->v[i].ia;
        result.corner_b[i] = s->v[i].ib;
    }
    tr_vec2 direction = apart(s);
    float length = tr_length(direction);
    float distance = length > 0.0f ? tr_dot(s->v[0].w, direction) / length : 0.0f;
    if (s->count == 3 || !(distance > 0.0f)) {
        result.point_b = result.point_a;
        return result;
    }
    result.distance = distance;
    result.normal = tr_scale(1.0f / length, direction);
    return result;
}

/* the initial simplex: the corners of a guess that was no overlap, else the corner in the direction of the centres */
static void first_simplex(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, const tr2_core_distance *guess,
                          simplex *out)
{
    out->count = 1;
    if (guess == NULL || guess->count > 2) {
        out->v[0] = least_along(a, pose, b, tr_sub(tr_to_outer(pose, b->center), a->center));
        return;
    }
    out->v[0] = vertex_at(a, pose, b, guess->corner_a[0], guess->corner_b[0]);
    if (guess->count == 1)
        return;
    out->v[1] = vertex_at(a, pose, b, guess->corner_a[1], guess->corner_b[1]);
    out->count = 2;
    solve_line(out);
}

tr2_core_distance tr2_distance_of_cores(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                        const tr2_core_distance *guess)
{
    simplex s;
    first_simplex(a, b_in_a, b, guess, &s);
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        tr_vec2 direction = apart(&s);
        float square = tr_dot(direction, direction);
        if (!(square > 0.0f))
            break;
        /* no corner is nearer than the simplex: finished */
        vertex next = least_along(a, b_in_a, b, direction);
        float here = tr_dot(s.v[0].w, direction), there = tr_dot(next.w, direction);
        if (known(&s, next) || there >= here - FLT_EPSILON * fabsf(here))
            break;
        s.v[s.count++] = next;
        if (s.count == 2)
            solve_line(&s);
        else
            solve_triangle(&s);
        if (s.count == 3)
            break;
    }
    return result_of(&s);
}

tr2_distance_result tr2_distance(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b)
{
    tr2_core_distance cores = tr2_distance_of_cores(a, b_in_a, b, NULL);
    tr2_distance_result result = {.point_a = cores.point_a, .point_b = cores.point_b, .normal = cores.normal};
    float gap = cores.distance - a->radius - b->radius;
    if (gap > 0.0f) {
        result.distance = gap;
        result.point_a = tr_along(cores.point_a, a->radius, cores.normal);
        result.point_b = tr_along(cores.point_b, -b->radius, cores.normal);
    } else if (cores.distance > 0.0f) {
        /* the middle of the part of the line between the cores that is inside both shapes */
        float first = tr_max(0.0f, cores.distance - b->radius), last = tr_min(a->radius, cores.distance);
        result.point_a = result.point_b = tr_along(cores.point_a, 0.5f * (first + last), cores.normal);
    }
    return result;
}

/* the nearest point of a line or polygon core */
static tr2_nearest_result nearest_of_core(const tr2_geometry *geometry, tr_vec2 point)
{
    /* the edge with the greatest distance outside */
    uint32_t best = 0;
    float most = -FLT_MAX;
    for (uint32_t i = 0; i < geometry->count; i++) {
        float out = tr_dot(geometry->corners[i].normal, tr_sub(point, geometry->corners[i].point));
        if (out > most) {
            most = out;
            best = i;
        }
    }
    tr_vec2 from = geometry->corners[best].point, normal = geometry->corners[best].normal;
    tr_vec2 to = geometry->corners[best + 1u < geometry->count ? best + 1u : 0u].point;
    tr2_nearest_result inside = {most, tr_along(point, -most, normal), normal};
    tr_vec2 along = tr_left(normal);
    bool early = tr_dot(tr_sub(point, from), along) <= 0.0f, late = tr_dot(tr_sub(point, to), along) >= 0.0f;
    if ((!early && !late) || most < 0.0f)
        return inside;

    /* past an end of the edge: the corner */
    tr_vec2 corner = early ? from : to, away = tr_sub(point, corner);
    float length = tr_length(away);
    if (!(length > 0.0f))
        return (tr2_nearest_result){0.0f, corner, normal};
    return (tr2_nearest_result){length, corner, tr_scale(1.0f / length, away)};
}

tr2_nearest_result tr2_geometry_nearest(const tr2_geometry *geometry, tr_vec2 point)
{
    tr2_nearest_result result;
    if (geometry->count == 1) {
        tr_vec2 away = tr_sub(point, geometry->center);
        float length = tr_length(away);
        result.distance = length;
        result.point = geometry->center;
        result.normal = length > 0.0f ? tr_scale(1.0f / length, away) : (tr_vec2){0.0f, 1.0f};
    } else {
        result = nearest_of_core(geometry, point);
    }
    result.distance -= geometry->radius;
    result.point = tr_along(result.point, geometry->radius, result.normal);
    return result;
}

bool tr2_geometry_contains(const tr2_geometry *geometry, tr_vec2 point)
{
    if (geometry->kind == TR2_GEOMETRY_SEGMENT || geometry->kind == TR2_GEOMETRY_CHAIN)
        return false;
    return tr2_geometry_nearest(geometry, point).distance <= 0.0f;
}
