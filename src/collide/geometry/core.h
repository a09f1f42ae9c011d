/* Distance of cores, on which distances, times of impact, casts and contacts of separated shapes are based. */
#ifndef TR2_COLLIDE_CORE_H
#define TR2_COLLIDE_CORE_H

#include "collide/geometry/vector.h"

/* Nearest points of two cores, in A's frame, and the corners that define them. */
typedef struct tr2_core_distance {
    float distance; /* m; 0: the cores touch or overlap, and the points are equal */
    tr_vec2 point_a, point_b;
    tr_vec2 normal; /* unit vector from A to B; zero if distance is 0 */
    uint32_t count; /* 1: a corner of each; 2: at least one point lies on an edge; 3: overlap */
    uint8_t corner_a[3], corner_b[3];
} tr2_core_distance;

/* `guess`: the result for the same shapes in a similar pose, which saves most of the search; or null. It can change
   the result only by rounding. */
tr2_core_distance tr2_distance_of_cores(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                        const tr2_core_distance *guess);

/* The corner farthest along a direction in the shape's frame; the first of equals. */
static inline uint32_t tr2_farthest_corner(const tr2_geometry *geometry, tr_vec2 direction)
{
    uint32_t best = 0;
    float most = tr_dot(geometry->corners[0].point, direction);
    for (uint32_t i = 1; i < geometry->count; i++) {
        float along = tr_dot(geometry->corners[i].point, direction);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

#endif
