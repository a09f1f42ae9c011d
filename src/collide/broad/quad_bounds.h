/* Bounding boxes of many moving quadrilaterals at once, as in debris, masonry and ragdolls. */
#ifndef TR_COLLIDE_QUAD_BOUNDS_H
#define TR_COLLIDE_QUAD_BOUNDS_H

#include "collide/broad/tree.h"
#include "collide/geometry/geometry.h"

#define TR2_QUAD_BATCH 16u

/* units; greatest coordinates. Rounding of sums with farther ones would be more than the kernel's slack. */
#define TR2_QUAD_FAR 1e7

/* Polygons of four corners, 1 to 16, each around the origin and centre of mass of its body, and that body's
   rotation. */
typedef struct tr2_quad_batch {
    tr2_mover *mover[TR2_QUAD_BATCH]; /* the half sides are not yet known; the others are */
    const tr2_geometry *geometry[TR2_QUAD_BATCH];
    float c[TR2_QUAD_BATCH], s[TR2_QUAD_BATCH];
    const tr2_box *box[TR2_QUAD_BATCH]; /* that it was entered with */
    uint32_t count;
    float room; /* m, around a shape */
    float dt;   /* s */
} tr2_quad_batch;

/* Writes the half sides of their bounding boxes, which are those of tr2_geometry_bounds(), bit for bit. Returns a bit
   for each one that surely stays within its box, with that much room, if it moves on for `dt`. Others may stay, too.
   Uses the lanes of the current instruction set. */
uint32_t tr2_quad_bounds(const tr2_quad_batch *quads);

#endif
