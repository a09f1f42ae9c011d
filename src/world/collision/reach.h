/* How far apart two shapes are at the end of a step, compared with how far they have moved in it. */
#ifndef TR_WORLD_REACH_H
#define TR_WORLD_REACH_H

#include "world/core/world_internal.h"
#include "world/queries/track.h"

/* m; upper bound of the displacement of a shape's points as seen from another moving body. */
double tr2_travel_against(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, const tr2_track *track,
                          const tr2_track *other);
/* A coarser one for the whole step, of a body that was not moved back, which needs no rotation. */
double tr2_travel_bound(const tr2_world *world, uint32_t body, const tr2_geometry *geometry, uint32_t other);

/* A shape's centre in another body's frame at the end of the step, and its size with what rounding may add; m. */
typedef struct tr2_place_seen {
    tr_vec2 at;
    float size;
} tr2_place_seen;

/* `unit`: m, the world's length unit */
tr2_place_seen tr2_see_from(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, uint32_t other,
                            float unit);
/* m; lower bound of the distance between it and a shape of the other body, less that at which shapes meet. */
double tr2_clearance(const tr2_place_seen *seen, const tr2_geometry *other);

/*
 * Whether a shape is farther from another than any of its points has moved relative to it: by `gone`. This compares
 * distances at the end of the step, so it says nothing once the shape has been stopped on its path. It rules out most
 * shapes that overlap only the box of a large, rotated shape.
 */
bool tr2_is_out_of_reach(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, uint32_t other_body,
                         const tr2_geometry *other, double gone, float unit);

#endif
