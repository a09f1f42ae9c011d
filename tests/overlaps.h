/*
 * How deep the shapes of a world overlap, by geometry alone: every pair that may collide, in double, from where the
 * bodies are. Nothing of the narrow phase is used. Chain segments count as plain ones.
 */
#ifndef TR_TESTS_OVERLAPS_H
#define TR_TESTS_OVERLAPS_H

#include <stdlib.h>

#include "geometry.h"
#include "trammel/trammel.h"
#include "world/core/world_internal.h"

typedef struct placed_shape {
    double left, right, low, high;
    uint32_t row;
    tr2_transform frame;
} placed_shape;

static inline int compare_lefts(const void *a, const void *b)
{
    double x = ((const placed_shape *)a)->left, y = ((const placed_shape *)b)->left;
    return (x > y) - (x < y);
}

typedef struct overlap {
    double depth; /* m; 0: none */
    tr2_shape a, b;
} overlap;

static inline bool place_shape(const tr2_world *world, uint32_t row, placed_shape *out)
{
    const tr2_geometry *geometry = world->shapes.geometry[row];
    if (tr2_world_get_transforms(world, &world->shapes.body[row], 1, &out->frame) != TR_OK)
        return false;
    tr2_bounds box = tr2_geometry_bounds(geometry, out->frame.c, out->frame.s);
    out->row = row;
    out->left = out->frame.position.x + (double)box.lower.x;
    out->right = out->frame.position.x + (double)box.upper.x;
    out->low = out->frame.position.y + (double)box.lower.y;
    out->high = out->frame.position.y + (double)box.upper.y;
    return true;
}

static inline double overlap_of(const tr2_world *world, const placed_shape *a, const placed_shape *b)
{
    const tr2_geometry *one = world->shapes.geometry[a->row], *other = world->shapes.geometry[b->row];
    double apart = exact_separation(one, tr2_pose_between(&a->frame, &b->frame), other);
    return (double)one->radius + (double)other->radius - apart;
}

static inline bool both_are_chains(const tr2_world *world, uint32_t a, uint32_t b)
{
    return world->shapes.geometry[a]->kind == TR2_GEOMETRY_CHAIN &&
           world->shapes.geometry[b]->kind == TR2_GEOMETRY_CHAIN;
}

/* of all pairs; a depth of infinity where there is no memory or a body is not there */
static inline overlap deepest_overlap(const tr2_world *world)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t count = shapes->table.count;
    overlap deepest = {.depth = 0.0};
    placed_shape *placed = malloc(((size_t)count + 1) * sizeof *placed);
    for (uint32_t i = 0; i < count; i++) {
        if (placed == NULL || !place_shape(world, i, &placed[i])) {
            free(placed);
            return (overlap){.depth = INFINITY};
        }
    }
    qsort(placed, count, sizeof *placed, compare_lefts);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 1; k < count && placed[k].left <= placed[i].right; k++) {
            const placed_shape *a = &placed[i], *b = &placed[k];
            tr2_shape id_a = shapes->id[a->row], id_b = shapes->id[b->row];
            if (a->low > b->high || b->low > a->high || both_are_chains(world, a->row, b->row) ||
                ((shapes->flags[a->row] | shapes->flags[b->row]) & TR2_SHAPE_SENSOR) != 0 ||
                !tr2_pair_is_wanted(world, id_a.index - 1, id_b.index - 1))
                continue;
            double depth = overlap_of(world, a, b);
            if (depth > deepest.depth)
                deepest = (overlap){depth, id_a, id_b};
        }
    }
    free(placed);
    return deepest;
}

#endif
