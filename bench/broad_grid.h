/*
 * The other way to find pairs, for comparison with the trees of src/collide: a hierarchical grid. Discs lie in the grid whose
 * cells are as large as their boxes, or up to twice as large; discs of one size make one uniform grid. Every step sorts all
 * of them by cells.
 */
#ifndef TR_BENCH_BROAD_GRID_H
#define TR_BENCH_BROAD_GRID_H

#include "collide/tree.h"

#define GRID_LEVELS 8

typedef struct grid_level {
    double cell; /* m */
    uint32_t cells_x, count;
    uint32_t *start; /* by cell and one beyond: where its entries begin */
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

/* Discs in a square of `side` m whose corner is the origin, with boxes up to so wide. False when there is no memory. */
bool bench_grid_make(bench_grid *grid, uint32_t discs, double side, const float *widths);
void bench_grid_free(bench_grid *grid);
/* A disc has another box. */
void bench_grid_move(bench_grid *grid, uint32_t disc, const tr2_box *box);
/* Sorts, and returns how many pairs overlap that did not before; `floor` lies below all discs. */
uint64_t bench_grid_find(bench_grid *grid, const tr2_box *floor);

#endif
