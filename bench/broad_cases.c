/*
 * Cost of the broad phase: discs that move about on one huge floor, of one size or of sizes over a factor of 16. A step
 * moves all of them, enters the boxes of those that have left theirs, and searches new pairs. The trees of src/collide
 * and a grid (broad_grid.c) do the same and must find equally many. Cases are named broad/SIZES-COUNT/METHOD.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/angle.h"
#include "broad_grid.h"
#include "collide/broad/broad.h"

#define STEPS  30u
#define DT     (1.0 / 60.0)
#define SPEED  1.4 /* m/s, a walking pace */
#define MARGIN 0.05
#define FILL   0.5 /* share of the area covered by discs */

typedef struct broad_setting {
    uint32_t discs;
    bool mixed, grid;
    uint64_t *found; /* pairs of all steps, equal for both methods; 0: not known yet */
} broad_setting;

typedef struct broad_state {
    tr_memory memory;
    tr_team *team;
    tr2_broad broad;
    bench_grid grid;
    double side, seconds;
    double *x, *y;
    float *radius, *way_x, *way_y;
    tr2_box floor;
    uint64_t random, found;
} broad_state;

static double draw(broad_state *state)
{
    bench_random_step(&state->random);
    return (double)(state->random >> 33) / 2147483648.0;
}

static bool accept(const void *context, uint32_t a, uint32_t b, bool apart)
{
    (void)context;
    (void)a;
    (void)b;
    /* all proxies were there in the last step, so a pair is new if it was apart */
    return apart;
}

static tr2_box box_of(const broad_state *state, uint32_t i, double more)
{
    double reach = (double)state->radius[i] + more;
    return (tr2_box){state->x[i] - reach, state->y[i] - reach, state->x[i] + reach, state->y[i] + reach};
}

/* small sizes are more frequent; positions are random, so some discs overlap */
static bool make_discs(broad_state *state, const broad_setting *of)
{
    uint32_t n = of->discs;
    state->x = calloc(n, sizeof *state->x);
    state->y = calloc(n, sizeof *state->y);
    state->radius = calloc(n, sizeof *state->radius);
    state->way_x = calloc(n, sizeof *state->way_x);
    state->way_y = calloc(n, sizeof *state->way_y);
    if (state->x == NULL || state->y == NULL || state->radius == NULL || state->way_x == NULL || state->way_y == NULL)
        return false;
    double area = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double radius = of->mixed ? 0.1 / (1.0 - draw(state) * (15.0 / 16.0)) : 0.25;
        state->radius[i] = (float)radius;
        area += 0.5 * TR_TURN * radius * radius;
    }
    state->side = sqrt(area / FILL);
    for (uint32_t i = 0; i < n; i++) {
        double angle = TR_TURN * draw(state);
        state->x[i] = state->side * draw(state);
        state->y[i] = state->side * draw(state);
        state->way_x[i] = (float)(SPEED * DT * cos(angle));
        state->way_y[i] = (float)(SPEED * DT * sin(angle));
    }
    state->floor = (tr2_box){-10.0, -10.0, state->side + 10.0, 0.0};
    return true;
}

static bool make_trees(broad_state *state, uint32_t discs)
{
    tr2_broad_init(&state->broad, &state->memory);
    if (tr_team_create(&state->memory, 1, (tr_host){0}, &state->team) != TR_OK ||
        !tr2_broad_reserve(&state->broad, discs + 1))
        return false;
    for (uint32_t i = 0; i < discs; i++) {
        tr2_box box = box_of(state, i, MARGIN);
        tr2_broad_set(&state->broad, i, true, &box);
    }
    tr2_broad_set(&state->broad, discs, false, &state->floor);
    if (!tr2_broad_find(&state->broad, NULL, state->team, 1, accept, NULL))
        return false;
    tr2_broad_settle(&state->broad);
    return true;
}

static bool make_grid(broad_state *state, uint32_t discs)
{
    float *widths = calloc(discs, sizeof *widths);
    for (uint32_t i = 0; widths != NULL && i < discs; i++)
        widths[i] = 2.0f * (state->radius[i] + (float)MARGIN);
    bool ok = widths != NULL && bench_grid_make(&state->grid, discs, state->side, widths);
    for (uint32_t i = 0; ok && i < discs; i++)
        state->grid.boxes[i] = box_of(state, i, MARGIN);
    free(widths);
    return ok;
}

static void begin(bench_run *run)
{
    const broad_setting *of = run->of->setting;
    broad_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL || of->found == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    state->random = 1;
    tr_memory_init(&state->memory, (tr_allocator){0});
    if (!make_discs(state, of) || !(of->grid ? make_grid(state, of->discs) : make_trees(state, of->discs)))
        bench_fail(run, "no memory");
}

/* moves one disc, which reverses at the walls */
static void move(broad_state *state, const broad_setting *of, uint32_t i)
{
    state->x[i] += (double)state->way_x[i];
    state->y[i] += (double)state->way_y[i];
    if (state->x[i] < 0.0 || state->x[i] > state->side)
        state->way_x[i] = -state->way_x[i];
    if (state->y[i] < 0.0 || state->y[i] > state->side)
        state->way_y[i] = -state->way_y[i];
    tr2_box tight = box_of(state, i, 0.0), box = box_of(state, i, MARGIN);
    const tr2_box *entered = of->grid ? &state->grid.boxes[i] : &state->broad.boxes[i];
    if (tr2_box_contains(entered, &tight))
        return;
    if (of->grid)
        bench_grid_move(&state->grid, i, &box);
    else
        tr2_broad_move(&state->broad, i, &box);
}

static double iterate(bench_run *run)
{
    const broad_setting *of = run->of->setting;
    broad_state *state = run->state;
    double start = bench_clock();
    for (uint32_t i = 0; i < of->discs; i++)
        move(state, of, i);
    if (of->grid) {
        state->found += bench_grid_find(&state->grid, &state->floor);
    } else {
        if (!tr2_broad_find(&state->broad, NULL, state->team, 1, accept, NULL))
            bench_fail(run, "no memory");
        state->found += state->broad.pair_count;
        tr2_broad_settle(&state->broad);
    }
    double seconds = bench_clock() - start;
    state->seconds += seconds;
    return seconds;
}

static void end(bench_run *run)
{
    const broad_setting *of = run->of->setting;
    broad_state *state = run->state;
    if (state == NULL)
        return;
    if (run->error == NULL) {
        if (*of->found == 0)
            *of->found = state->found;
        if (*of->found != state->found)
            bench_fail(run, "other pairs than by the other way");
        bench_count(run, "discs", of->discs);
        bench_count(run, "ns_per_body", 1e9 * state->seconds / STEPS / of->discs);
        bench_count(run, "pairs_per_body", (double)state->found / STEPS / of->discs);
    }
    tr2_broad_free(&state->broad);
    tr_team_destroy(state->team);
    bench_grid_free(&state->grid);
    free(state->x);
    free(state->y);
    free(state->radius);
    free(state->way_x);
    free(state->way_y);
    free(state);
}

static void add(bench_suite *suite, broad_setting setting)
{
    broad_setting *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        suite->failed = true;
        return;
    }
    *kept = setting;
    bench_case added = {.iterations = STEPS, .setting = kept, .begin = begin, .iterate = iterate, .end = end};
    (void)snprintf(added.name, sizeof added.name, "broad/%s-%u/%s", setting.mixed ? "mixed" : "alike", setting.discs,
                   setting.grid ? "grid" : "trees");
    bench_suite_add(suite, added);
}

void bench_add_broad(bench_suite *suite)
{
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t discs = 1000; discs <= 1000000; discs *= 10) {
            uint64_t *found = bench_suite_own(suite, sizeof *found);
            add(suite, (broad_setting){discs, i == 1, false, found});
            add(suite, (broad_setting){discs, i == 1, true, found});
        }
    }
}
