/* What the files of contact points share: see tr2_collide(). All work in A's frame. */
#ifndef TR2_COLLIDE_MANIFOLD_INTERNAL_H
#define TR2_COLLIDE_MANIFOLD_INTERNAL_H

#include "collide/core.h"

#define TR2_PREFERENCE 16.0f /* slacks that B's edge must be better by than A's to be the reference */

/* Two cores of two corners or more, B's corners brought into A's frame. `slack`: what is too small to tell apart. */
typedef struct tr2_pair {
    const tr2_geometry *a, *b;
    tr2_pose pose; /* of B */
    float margin;
    float reach; /* both radii and the margin: cores farther apart than this do not matter */
    float slack;
    tr2_corner of_b[TR2_MAX_CORNERS];
} tr2_pair;

/* An edge and how far the other core is out of it: the greatest over the edges tells whether cores are apart. */
typedef struct tr2_axis {
    float separation; /* of the cores */
    uint32_t edge;    /* of the reference */
    uint32_t support; /* the corner of the other that is least far out */
    bool of_b;        /* the reference is B */
} tr2_axis;

void tr2_pair_make(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin, tr2_pair *out);

/* The edge of one, among its first `edge_count`, that the other's corners are farthest out of; without its support. */
tr2_axis tr2_best_edge(const tr2_corner *edges, uint32_t edge_count, const tr2_corner *others, uint32_t other_count);

void tr2_find_support(const tr2_corner *edges, const tr2_corner *others, uint32_t other_count, tr2_axis *axis);

/* What a clip leaves: up to two points, and the least separation of the cores where the edges face each other. */
typedef struct tr2_clip {
    tr2_manifold manifold;
    bool facing; /* the edges overlap along the reference edge */
    float least; /* of the cores' separations there */
} tr2_clip;

/* Clips the edge of the other that faces the axis's edge to the sides of this one. */
tr2_clip tr2_clip_edges(const tr2_pair *pair, tr2_axis axis);

/* The single point between two corners, or a corner and an edge, that a distance found. */
tr2_manifold tr2_point_of_distance(const tr2_pair *pair, const tr2_core_distance *distance);

/* The single point of the corner that is deepest beyond the axis's edge. */
tr2_manifold tr2_point_of_support(const tr2_pair *pair, tr2_axis axis);

static inline uint32_t tr2_point_id(uint32_t corner_a, uint32_t corner_b)
{
    return corner_a | corner_b << 8;
}

/* Pairs of a kind: A is never a circle; B may not be a chain. */
tr2_manifold tr2_collide_flat(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin);
tr2_manifold tr2_collide_chain(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin);
tr2_manifold tr2_collide_chain_circle(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin);

/* One point between a round surface about `center` and the surface of radius `radius_a` about `nearest`, the point of
   A's core nearest to it; none where farther than the margin. */
static inline tr2_manifold tr2_point_contact(tr_vec2 nearest, float radius_a, tr_vec2 center, float radius_b,
                                             tr_vec2 normal, float core_separation, float margin)
{
    tr2_manifold manifold = {.count = 0};
    float separation = core_separation - radius_a - radius_b;
    if (!(separation <= margin))
        return manifold;
    manifold.normal = normal;
    manifold.count = 1;
    tr_vec2 on_a = tr_along(nearest, radius_a, normal), on_b = tr_along(center, -radius_b, normal);
    manifold.points[0] = (tr2_manifold_point){tr_middle(on_a, on_b), separation, 0};
    return manifold;
}

#endif
