/* Functions common to the files of contacts: see tr2_collide(). All work in A's frame. */
#ifndef TR2_COLLIDE_MANIFOLD_INTERNAL_H
#define TR2_COLLIDE_MANIFOLD_INTERNAL_H

#include "collide/geometry/core.h"

#define TR2_PREFERENCE 16.0f /* B's edge becomes the reference if it is better by this many slacks */

/* Two cores of two or more corners, with B's corners in A's frame. `slack`: the rounding error at this scale. */
typedef struct tr2_pair {
    const tr2_geometry *a, *b;
    tr2_pose pose; /* of B */
    float margin;
    float reach; /* both radii and the margin: the greatest distance of cores with a contact */
    float slack;
    tr2_corner of_b[TR2_MAX_CORNERS];
} tr2_pair;

/* An edge and the separation along its normal: the greatest over all edges tells whether cores are separated. */
typedef struct tr2_axis {
    float separation; /* of the cores */
    uint32_t edge;    /* of the reference core */
    uint32_t support; /* the other core's corner with the least distance out of the edge */
    bool of_b;        /* the reference core is B */
} tr2_axis;

void tr2_pair_make(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin, tr2_pair *out);

/* The edge, among the first `edge_count`, with the greatest separation from the other's corners; does not set its
   support. */
tr2_axis tr2_best_edge(const tr2_corner *edges, uint32_t edge_count, const tr2_corner *others, uint32_t other_count);

void tr2_find_support(const tr2_corner *edges, const tr2_corner *others, uint32_t other_count, tr2_axis *axis);

/* Result of clipping: up to two points, and the least separation of the cores if the edges face each other. */
typedef struct tr2_clip {
    tr2_manifold manifold;
    bool facing; /* the edges overlap along the reference edge */
    float least; /* least of the cores' separations there */
} tr2_clip;

/* Clips the other core's edge that faces the axis's edge to the sides of that edge. */
tr2_clip tr2_clip_edges(const tr2_pair *pair, tr2_axis axis);

/* The single point between two corners, or a corner and an edge, found by a distance. */
tr2_manifold tr2_point_of_distance(const tr2_pair *pair, const tr2_core_distance *distance);

/* The single point at the corner deepest behind the axis's edge. */
tr2_manifold tr2_point_of_support(const tr2_pair *pair, tr2_axis axis);

static inline uint32_t tr2_point_id(uint32_t corner_a, uint32_t corner_b)
{
    return corner_a | corner_b << 8;
}

/* By kinds: A is never a circle; only for the second may B be a chain. */
tr2_manifold tr2_collide_flat(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin);
tr2_manifold tr2_collide_chain(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin);
tr2_manifold tr2_collide_chain_circle(const tr2_geometry *chain, tr2_pose b_in_a, const tr2_geometry *b, float margin);

/* moves the surfaces of two shapes apart by a skin */
static inline void tr2_take_skin(tr2_manifold *it, float skin)
{
    for (uint32_t i = 0; i < it->count; i++)
        it->points[i].separation -= skin;
}

/* A single point between a round surface around `center` and the surface with radius `radius_a` around `nearest`,
   the nearest point of A's core; none if farther than the margin. */
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
