/*
 * A hierarchical grid for finding pairs, for comparison with the trees of src/collide. A disc is in the grid whose
 * cells are as large as its box or up to twice as large; discs of one size make a uniform grid. Every step sorts all
 * discs by cell.
 */
#ifndef TR_BENCH_BROAD_GRID_H
#define TR_BENCH_BROAD_GRID_H

#include "collide/broad/tree.h"

#define GRID_LEVELS 8

typedef struct grid_level {
    double cell; /* m */
    uint32_t cells_x, count;
    uint32_t *start; /* by cell, and one more: index of its first entry */
    uint32_t *discs; /* by entry */
    tr2_box *boxes;  /* by entry */
} grid_level;

typedef struct bench_grid {
    double side;
    uint32_t disc_count, level_count;
    grid_level levels[GRID_LEVELS];
    tr2_box *boxes, *former; /* by disc */
    uint8_t *level, *moved;  /* by disc */
    uint32_t *cell_of;
} bench_grid;

/* Makes a grid for discs in a square of `side` m with a corner at the origin; `widths`: of their boxes. False if out
   of memory. */
bool bench_grid_make(bench_grid *grid, uint32_t discs, double side, const float *widths);
void bench_grid_free(bench_grid *grid);
/* Sets a disc's box. */
void bench_grid_move(bench_grid *grid, uint32_t disc, const tr2_box *box);
/* Sorts the discs and returns the number of new pairs; `floor` is below all discs. */
uint64_t bench_grid_find(bench_grid *grid, const tr2_box *floor);

#endif
