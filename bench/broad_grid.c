#include "broad_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bench_grid_make(bench_grid *grid, uint32_t discs, double side, const float *widths)
{
    *grid = (bench_grid){.side = side, .disc_count = discs};
    grid->boxes = calloc(discs, sizeof *grid->boxes);
    grid->former = calloc(discs, sizeof *grid->former);
    grid->level = calloc(discs, 1);
    grid->moved = calloc(discs, 1);
    grid->cell_of = calloc(discs, sizeof *grid->cell_of);
    bool ok = grid->boxes != NULL && grid->former != NULL && grid->level != NULL && grid->moved != NULL &&
              grid->cell_of != NULL;
    float least = INFINITY;
    for (uint32_t i = 0; i < discs; i++)
        least = widths[i] < least ? widths[i] : least;
    for (uint32_t i = 0; ok && i < discs; i++) {
        uint32_t level = 0;
        while (level + 1 < GRID_LEVELS && (double)widths[i] > (double)least * (double)(1u << level) * 1.001)
            level++;
        grid->level[i] = (uint8_t)level;
        grid->levels[level].count++;
        grid->level_count = level >= grid->level_count ? level + 1 : grid->level_count;
    }
    for (uint32_t level = 0; ok && level < grid->level_count; level++) {
        grid_level *it = &grid->levels[level];
        it->cell = (double)least * (double)(1u << level) * 1.001;
        it->cells_x = (uint32_t)(side / it->cell) + 1;
        it->start = calloc((size_t)it->cells_x * it->cells_x + 1, sizeof *it->start);
        it->discs = calloc((size_t)it->count + 1, sizeof *it->discs);
        it->boxes = calloc((size_t)it->count + 1, sizeof *it->boxes);
        ok = it->start != NULL && it->discs != NULL && it->boxes != NULL;
    }
    if (!ok)
        bench_grid_free(grid);
    return ok;
}

void bench_grid_free(bench_grid *grid)
{
    for (uint32_t level = 0; level < GRID_LEVELS; level++) {
        free(grid->levels[level].start);
        free(grid->levels[level].discs);
        free(grid->levels[level].boxes);
    }
    free(grid->boxes);
    free(grid->former);
    free(grid->level);
    free(grid->moved);
    free(grid->cell_of);
    *grid = (bench_grid){0};
}

void bench_grid_move(bench_grid *grid, uint32_t disc, const tr2_box *box)
{
    if (grid->moved[disc] == 0)
        grid->former[disc] = grid->boxes[disc];
    grid->moved[disc] = 1;
    grid->boxes[disc] = *box;
}

static uint32_t column_of(const grid_level *it, double x)
{
    double column = x / it->cell;
    return column <= 0.0 ? 0 : column >= (double)it->cells_x ? it->cells_x - 1 : (uint32_t)column;
}

/* sorts all discs by the cells of their centres */
static void sort(bench_grid *grid)
{
    for (uint32_t level = 0; level < grid->level_count; level++) {
        grid_level *it = &grid->levels[level];
        memset(it->start, 0, ((size_t)it->cells_x * it->cells_x + 1) * sizeof *it->start);
    }
    for (uint32_t i = 0; i < grid->disc_count; i++) {
        grid_level *it = &grid->levels[grid->level[i]];
        const tr2_box *box = &grid->boxes[i];
        uint32_t x = column_of(it, 0.5 * (box->lower_x + box->upper_x));
        uint32_t y = column_of(it, 0.5 * (box->lower_y + box->upper_y));
        grid->cell_of[i] = y * it->cells_x + x;
        it->start[grid->cell_of[i]]++;
    }
    for (uint32_t level = 0; level < grid->level_count; level++) {
        grid_level *it = &grid->levels[level];
        uint32_t end = 0, cells = it->cells_x * it->cells_x;
        for (uint32_t cell = 0; cell < cells; cell++)
            it->start[cell] = end += it->start[cell];
        it->start[cells] = end;
    }
    /* each start moves down from the end of its cell */
    for (uint32_t i = grid->disc_count; i-- > 0;) {
        grid_level *it = &grid->levels[grid->level[i]];
        uint32_t entry = --it->start[grid->cell_of[i]];
        it->discs[entry] = i;
        it->boxes[entry] = grid->boxes[i];
    }
}

static const tr2_box *former_box(const bench_grid *grid, uint32_t disc)
{
    return grid->moved[disc] != 0 ? &grid->former[disc] : &grid->boxes[disc];
}

static uint64_t find_of(const bench_grid *grid, uint32_t disc)
{
    const tr2_box *box = &grid->boxes[disc];
    uint64_t found = 0;
    for (uint32_t level = 0; level < grid->level_count; level++) {
        const grid_level *it = &grid->levels[level];
        double reach = 0.5 * it->cell;
        uint32_t from = column_of(it, box->lower_x - reach), to = column_of(it, box->upper_x + reach);
        uint32_t top = column_of(it, box->upper_y + reach);
        for (uint32_t y = column_of(it, box->lower_y - reach); y <= top; y++) {
            uint32_t end = it->start[(size_t)y * it->cells_x + to + 1];
            for (uint32_t entry = it->start[(size_t)y * it->cells_x + from]; entry < end; entry++) {
                uint32_t other = it->discs[entry];
                if (!tr2_boxes_overlap(box, &it->boxes[entry]) || other == disc)
                    continue;
                /* if both moved, the pair counts for the lower number */
                found += !(grid->moved[other] != 0 && other < disc) &&
                         !tr2_boxes_overlap(&grid->former[disc], former_box(grid, other));
            }
        }
    }
    return found;
}

uint64_t bench_grid_find(bench_grid *grid, const tr2_box *floor)
{
    uint64_t found = 0;
    sort(grid);
    for (uint32_t i = 0; i < grid->disc_count; i++) {
        if (grid->moved[i] != 0)
            found += find_of(grid, i) +
                     (tr2_boxes_overlap(&grid->boxes[i], floor) && !tr2_boxes_overlap(&grid->former[i], floor));
    }
    memset(grid->moved, 0, grid->disc_count);
    return found;
}
