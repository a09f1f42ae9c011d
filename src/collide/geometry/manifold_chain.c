/*
 * Contacts with a chain segment: only on one side, and smooth where segments join.
 *
 * A segment handles contact directions near its own normal. At a convex corner, these reach from its normal to the
 * bisector of the corner; the neighbour has the other half, so that each direction belongs to one segment. At a flat or
 * concave corner, no direction remains: anything nearest to the corner is nearer to the neighbour's face. So the normal
 * of such a corner, on which bodies would catch, never occurs. The chain's ends are round.
 *
 * A line, be it a segment or that of another chain, may be far longer than a chain segment that moves. Then its centre
 * does not tell on which side it is, but the direction of the contact does, as long as the two are apart. Of two chain
 * segments that cross, the centre of the shorter tells, whichever comes first.
 */
#include "collide/geometry/manifold_internal.h"

#include <float.h>

static bool at_end(uint32_t bits, uint32_t end)
{
    return (bits >> end & 1u) != 0;
}

/* Whether a contact direction at one end belongs to this segment. `slack`: tolerance for rounding, relative to the
   direction's length; handling a contact twice is harmless, missing it is not. */
static bool owns(const tr2_geometry *chain, uint32_t end, tr_vec2 direction, float slack)
{
    tr_vec2 normal = chain->corners[0].normal;
    if (!at_end(chain->ghosts, end))
        return tr_dot(direction, normal) >= -slack;
    /* along the chain at the corner, halfway between the directions of both segments; points into this segment */
    tr_vec2 halfway =
        at_end(chain->convex, end) ? tr_left(tr_add(normal, chain->corners[2u + end].normal)) : tr_left(normal);
    return tr_dot(direction, end == 0 ? halfway : tr_negative(halfway)) >= -slack;
}

tr2_manifold tr2_collide_chain_circle(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin)
{
    const tr2_manifold nothing = {.count = 0};
    tr_vec2 center = tr_to_outer(b_in_a, b->center);
    tr_vec2 p = chain->corners[0].point, q = chain->corners[1].point, normal = chain->corners[0].normal;
    tr_vec2 along = tr_left(normal), from_p = tr_sub(center, p), from_q = tr_sub(center, q);
    float off = tr_dot(from_p, normal);
    if (off < 0.0f || off > b->radius + margin)
        return nothing;
    bool early = tr_dot(from_p, along)<0.0f, late = tr_dot(from_q, along)> 0.0f;
    if (!early && !late)
        return tr2_point_contact(tr_along(center, -off, normal), 0.0f, center, b->radius, normal, off, margin);

    uint32_t end = early ? 0u : 1u;
    tr_vec2 corner = early ? p : q, apart = early ? from_p : from_q;
    float length = tr_length(apart), slack = 4.0f * FLT_EPSILON * (chain->extent + b->extent);
    if (!owns(chain, end, apart, slack))
        return nothing;
    /* at a flat corner the direction differs from the normal only by rounding */
    bool bent = !at_end(chain->ghosts, end) || at_end(chain->convex, end);
    tr_vec2 out = bent && length > FLT_MIN ? tr_scale(1.0f / length, apart) : normal;
    return tr2_point_contact(corner, 0.0f, center, b->radius, out, length, margin);
}

/* Whether a centre is on the colliding side: in front of the segment, or around a corner, where it may be below the
   segment's line while the shape still leans on the corner. */
static bool in_front(const tr2_geometry *chain, tr_vec2 center)
{
    tr_vec2 normal = chain->corners[0].normal;
    if (tr_dot(tr_sub(center, chain->corners[0].point), normal) >= 0.0f)
        return true;
    for (uint32_t end = 0; end < 2; end++) {
        tr_vec2 away = end == 0 ? tr_right(normal) : tr_left(normal);
        if (at_end(chain->ghosts, end))
            away = chain->corners[2u + end].normal;
        bool round = !at_end(chain->ghosts, end) || at_end(chain->convex, end);
        if (round && tr_dot(tr_sub(center, chain->corners[end].point), away) > 0.0f)
            return true;
    }
    return false;
}

/* distance of B's farthest corner in front of the segment's line */
static float most_in_front(const tr2_pair *pair)
{
    tr2_corner front = pair->a->corners[0];
    float most = -FLT_MAX;
    for (uint32_t i = 0; i < pair->b->count; i++)
        most = tr_max(most, tr_dot(front.normal, tr_sub(pair->of_b[i].point, front.point)));
    return most;
}

/* Whether to use the segment's own edge if the best edge is B's, with a direction that belongs to another segment:
   at a flat or concave corner, and at a convex one if the shape is about as deep behind the segment, because the
   neighbour might not touch it at all. */
static bool face_serves(const tr2_geometry *chain, tr2_axis face, tr2_axis other)
{
    uint32_t end = other.support;
    if (at_end(chain->ghosts, end) && !(at_end(chain->convex, end)))
        return true;
    return other.separation < 0.0f && face.separation > 2.0f * other.separation;
}

/* what a direction that is square to a normal has along it, by rounding: an upright end still meets what it stands
   on */
#define ACROSS 1e-6f

/* The contact with a shape whose centre is before the segment (`front`), or with a line that is apart from it on any
   side; a segment of another chain counts as one with two sides. */
static tr2_manifold collide_edges(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin,
                                  bool front)
{
    const tr2_manifold nothing = {.count = 0};
    tr2_pair pair;
    tr2_pair_make(chain, b_in_a, b, margin, &pair);
    /* only the right side of the segment */
    tr2_axis face = tr2_best_edge(chain->corners, 1, pair.of_b, b->count);
    if (face.separation > pair.reach || most_in_front(&pair) < -b->radius)
        return nothing;
    tr2_axis other = tr2_best_edge(pair.of_b, b->count, chain->corners, 2);
    if (other.separation > pair.reach)
        return nothing;
    other.of_b = true;
    bool of_b = other.separation > face.separation + TR2_PREFERENCE * pair.slack;
    if (of_b)
        tr2_find_support(pair.of_b, chain->corners, 2, &other);
    else
        tr2_find_support(chain->corners, pair.of_b, b->count, &face);
    tr2_axis axis = of_b ? other : face;
    bool apart = axis.separation > -pair.slack, line = tr2_is_line(b);
    tr_vec2 normal = chain->corners[0].normal;
    if (!front && !(line && apart))
        return nothing;
    tr2_clip clip = tr2_clip_edges(&pair, axis);

    /* the edges do not face each other: two corners, if the cores are separated and the corner belongs to this
       segment */
    if (!clip.facing || (apart && clip.least > axis.separation + pair.slack)) {
        tr2_core_distance distance = {.distance = 0.0f};
        if (apart)
            distance = tr2_distance_of_cores(chain, b_in_a, b, NULL);
        if (distance.distance > pair.slack && (distance.count == 1 || !clip.facing)) {
            uint32_t end = distance.corner_a[0];
            bool corner = distance.count == 1 || distance.corner_a[1] == end;
            float along = tr_dot(distance.normal, normal);
            bool own = corner ? owns(chain, end, distance.normal, ACROSS) && (!line || along >= -ACROSS) : along > 0.0f;
            return own ? tr2_point_of_distance(&pair, &distance) : nothing;
        }
    }
    /* before a face the line's edge tells the side; between two corners their direction did */
    if (line && apart && of_b && tr_dot(pair.of_b[other.edge].normal, normal) > ACROSS)
        return nothing;
    if (!of_b || owns(chain, other.support, tr_negative(pair.of_b[other.edge].normal), ACROSS))
        return clip.manifold;
    if (!face_serves(chain, face, other))
        return nothing;
    tr2_find_support(chain->corners, pair.of_b, b->count, &face);
    return tr2_clip_edges(&pair, face).manifold;
}

/* Whether another chain's segment touches with its right side, and a single point belongs to it. */
static bool is_met(const tr2_geometry *b, tr2_pose b_in_a, const tr2_manifold *manifold)
{
    tr_vec2 direction = tr_negative(tr_rotate_back(b_in_a, manifold->normal));
    float along = tr_dot(direction, b->corners[0].normal);
    if (manifold->count == 0 || !(along >= -ACROSS))
        return false;
    return (manifold->count == 2 && along > ACROSS) || owns(b, manifold->points[0].id >> 8, direction, ACROSS);
}

tr2_manifold tr2_collide_chain(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin)
{
    const tr2_manifold nothing = {.count = 0};
    bool front = in_front(chain, tr_to_outer(b_in_a, b->center)), one_sided = b->kind == TR2_GEOMETRY_CHAIN;
    if (one_sided) {
        bool back = in_front(b, tr_to_inner(b_in_a, chain->center));
        front = (front || chain->extent < b->extent) && (back || b->extent < chain->extent);
    }
    if (!front && !tr2_is_line(b))
        return nothing;
    tr2_manifold out = collide_edges(chain, b_in_a, b, margin, front);
    return !one_sided || is_met(b, b_in_a, &out) ? out : nothing;
}
