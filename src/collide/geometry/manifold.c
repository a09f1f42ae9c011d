/*
 * Contact manifolds: dispatch by the kinds of a pair, and the pairs with a circle. A circle has a single point, with
 * one normal, whose id is always 0.
 */
#include "collide/geometry/manifold_internal.h"

#include <float.h>

static tr2_manifold collide_circles(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, float margin)
{
    tr_vec2 from = a->center, to = tr_to_outer(pose, b->center), apart = tr_sub(to, from);
    float square = tr_dot(apart, apart), far = a->radius + b->radius + margin;
    if (!(square <= far * far))
        return (tr2_manifold){.count = 0};
    float length = sqrtf(square);
    tr_vec2 normal = length > FLT_MIN ? tr_scale(1.0f / length, apart) : (tr_vec2){0.0f, 1.0f};
    return tr2_point_contact(from, a->radius, to, b->radius, normal, length, margin);
}

/* a line of two corners, and a circle */
static tr2_manifold collide_line_circle(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, float margin)
{
    tr_vec2 center = tr_to_outer(pose, b->center);
    tr_vec2 p = a->corners[0].point, q = a->corners[1].point, normal = a->corners[0].normal, along = tr_left(normal);
    tr_vec2 from_p = tr_sub(center, p);
    float off = tr_dot(from_p, normal);
    bool early = tr_dot(from_p, along) <= 0.0f, late = tr_dot(tr_sub(center, q), along) >= 0.0f;
    if (!early && !late) {
        tr_vec2 out = off < 0.0f ? tr_negative(normal) : normal;
        return tr2_point_contact(tr_along(center, -off, normal), a->radius, center, b->radius, out, fabsf(off), margin);
    }
    tr_vec2 corner = early ? p : q, apart = tr_sub(center, corner);
    float length = tr_length(apart);
    tr_vec2 out = length > FLT_MIN ? tr_scale(1.0f / length, apart) : normal;
    return tr2_point_contact(corner, a->radius, center, b->radius, out, length, margin);
}

static tr2_manifold collide_polygon_circle(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b, float margin)
{
    tr_vec2 center = tr_to_outer(pose, b->center);
    float reach = a->radius + b->radius + margin, most = -FLT_MAX;
    uint32_t best = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        float out = tr_dot(a->corners[i].normal, tr_sub(center, a->corners[i].point));
        if (out > reach)
            return (tr2_manifold){.count = 0};
        if (out > most) {
            most = out;
            best = i;
        }
    }

    tr_vec2 p = a->corners[best].point, normal = a->corners[best].normal, along = tr_left(normal);
    tr_vec2 q = a->corners[best + 1u < a->count ? best + 1u : 0u].point;
    if (most > 0.0f) {
        /* past an end of the edge: the corner is nearest */
        bool early = tr_dot(tr_sub(center, p), along)<0.0f, late = tr_dot(tr_sub(center, q), along)> 0.0f;
        tr_vec2 corner = early ? p : q, apart = tr_sub(center, corner);
        float length = tr_length(apart);
        if ((early || late) && length > FLT_MIN)
            return tr2_point_contact(corner, a->radius, center, b->radius, tr_scale(1.0f / length, apart), length,
                                     margin);
    }
    return tr2_point_contact(tr_along(center, -most, normal), a->radius, center, b->radius, normal, most, margin);
}

/* the same contact with A and B exchanged */
static tr2_manifold swapped(tr2_manifold manifold, tr2_pose b_in_a)
{
    manifold.normal = tr_negative(tr_rotate(b_in_a, manifold.normal));
    for (uint32_t i = 0; i < manifold.count; i++) {
        tr2_manifold_point *point = &manifold.points[i];
        point->point = tr_to_outer(b_in_a, point->point);
        point->id = tr2_point_id(point->id >> 8, point->id & 0xffu);
    }
    return manifold;
}

typedef tr2_manifold (*collider)(const tr2_geometry *, tr2_pose, const tr2_geometry *, float);

/* by the kinds of A and B; null: exchange them */
static const collider colliders[TR2_GEOMETRY_KIND_COUNT][TR2_GEOMETRY_KIND_COUNT] = {
    [TR2_GEOMETRY_CIRCLE] = {[TR2_GEOMETRY_CIRCLE] = collide_circles},
    [TR2_GEOMETRY_CAPSULE] = {[TR2_GEOMETRY_CIRCLE] = collide_line_circle,
                              [TR2_GEOMETRY_CAPSULE] = tr2_collide_flat,
                              [TR2_GEOMETRY_SEGMENT] = tr2_collide_flat,
                              [TR2_GEOMETRY_POLYGON] = tr2_collide_flat},
    [TR2_GEOMETRY_SEGMENT] = {[TR2_GEOMETRY_CIRCLE] = collide_line_circle,
                              [TR2_GEOMETRY_CAPSULE] = tr2_collide_flat,
                              [TR2_GEOMETRY_SEGMENT] = tr2_collide_flat,
                              [TR2_GEOMETRY_POLYGON] = tr2_collide_flat},
    [TR2_GEOMETRY_CHAIN] = {[TR2_GEOMETRY_CIRCLE] = tr2_collide_chain_circle,
                            [TR2_GEOMETRY_CAPSULE] = tr2_collide_chain,
                            [TR2_GEOMETRY_SEGMENT] = tr2_collide_chain,
                            [TR2_GEOMETRY_CHAIN] = tr2_collide_chain,
                            [TR2_GEOMETRY_POLYGON] = tr2_collide_chain},
    [TR2_GEOMETRY_POLYGON] = {[TR2_GEOMETRY_CIRCLE] = collide_polygon_circle,
                              [TR2_GEOMETRY_CAPSULE] = tr2_collide_flat,
                              [TR2_GEOMETRY_SEGMENT] = tr2_collide_flat,
                              [TR2_GEOMETRY_POLYGON] = tr2_collide_flat},
};

tr2_manifold tr2_collide(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin)
{
    /* a pose with NaN has no contacts */
    if (!(fabsf((b_in_a.p.x + b_in_a.p.y) + (b_in_a.c + b_in_a.s)) <= FLT_MAX))
        return (tr2_manifold){.count = 0};
    collider collide = colliders[a->kind][b->kind];
    if (collide != NULL)
        return collide(a, b_in_a, b, margin);
    collide = colliders[b->kind][a->kind];
    if (collide == NULL)
        return (tr2_manifold){.count = 0};
    return swapped(collide(b, tr_inverse(b_in_a), a, margin), b_in_a);
}

tr2_manifold tr2_collide_solid(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin, float unit)
{
    float skin = tr2_skin_of(a, b, unit);
    tr2_manifold out = tr2_collide(a, b_in_a, b, margin + skin);
    tr2_take_skin(&out, skin);
    return out;
}
