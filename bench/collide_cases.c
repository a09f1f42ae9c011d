/* Cost of a pair of shapes: manifolds of the common pairs, and a distance and a time of impact for comparison. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/angle.h"
#include "collide/geometry/geometry.h"

#define PAIRS   512u /* their shapes fit in the second-level cache */
#define PASSES  64u
#define MARGIN  0.02f
#define TIME_TO 0.6f /* time of the impact, as a part of the way to the other shape */

typedef enum pairing {
    CIRCLE_CIRCLE,
    BOX_CIRCLE,
    CAPSULE_CAPSULE,
    BOX_CAPSULE,
    BOX_BOX,
    BOX_BOX_CORNER,
    BOX_BOX_APART,
    ROUND_BOX_ROUND_BOX,
    OCTAGON_OCTAGON,
    CHAIN_CIRCLE,
    CHAIN_BOX
} pairing;

typedef enum operation { COLLIDE, COLLIDE_MANY, COLLIDE_QUADS, COLLIDE_POLYGON_CIRCLES, DISTANCE, IMPACT } operation;

typedef struct setting {
    pairing pair;
    operation operation;
} setting;

typedef struct pair_state {
    tr2_geometry a[PAIRS], b[PAIRS];
    tr2_pose pose[PAIRS];
    tr2_mover still, circles[PAIRS]; /* for the batched calls, and their positions */
    const tr2_mover *circles_a[PAIRS], *circles_b[PAIRS];
    uint32_t place[PAIRS];
    tr2_shape_pair pairs[PAIRS]; /* of tr2_collide_quads() and the like */
    tr2_manifold manifolds[PAIRS];
    uint64_t random;
    double least;
    uint64_t points;
    bool failed;
} pair_state;

static float uniform(pair_state *state, float low, float high)
{
    bench_random_step(&state->random);
    return low + (high - low) * (float)(state->random >> 40) / (float)(1u << 24);
}

static void check(pair_state *state, tr_status status)
{
    state->failed = state->failed || status != TR_OK;
}

static void box(pair_state *state, float radius, tr2_geometry *out)
{
    float half = 0.5f - radius;
    check(state, tr2_geometry_box(1.0f, half, half, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, radius, out));
}

static void round_shape(pair_state *state, bool capsule, tr2_geometry *out)
{
    tr_vec2 left = {-0.3f, 0.0f}, right = {0.3f, 0.0f}, middle = {0.0f, 0.0f};
    check(state,
          capsule ? tr2_geometry_capsule(1.0f, left, right, 0.5f, out) : tr2_geometry_circle(1.0f, middle, 0.5f, out));
}

static void octagon(pair_state *state, tr2_geometry *out)
{
    tr_vec2 points[8];
    for (uint32_t i = 0; i < 8; i++) {
        double angle = TR_TURN * (i + 0.5) / 8.0, reach = 0.5 / cos(TR_TURN / 16.0);
        points[i] = (tr_vec2){(float)(reach * cos(angle)), (float)(reach * sin(angle))};
    }
    check(state, tr2_hull_make(1.0f, points, 8, 0.0f, out));
}

/* a chain segment: solid below, flat, continued on both sides */
static void chain(pair_state *state, tr2_geometry *out)
{
    tr_vec2 before = {3.0f, 0.5f}, after = {-3.0f, 0.5f};
    check(state, tr2_geometry_chain(1.0f, &before, (tr_vec2){1.0f, 0.5f}, (tr_vec2){-1.0f, 0.5f}, &after, out));
}

/* places B above A, from a small overlap to a gap just below the margin, slightly rotated */
static void make_pair(pair_state *state, pairing pair, uint32_t i)
{
    tr2_geometry *a = &state->a[i], *b = &state->b[i];
    float x = uniform(state, -0.3f, 0.3f), y = 1.0f + uniform(state, -0.01f, 0.01f),
          turn = uniform(state, -0.01f, 0.01f);
    switch (pair) {
    case CIRCLE_CIRCLE:
        round_shape(state, false, a);
        round_shape(state, false, b);
        y = sqrtf(y * y - x * x);
        break;
    case BOX_CIRCLE:
        box(state, 0.0f, a);
        round_shape(state, false, b);
        break;
    case CAPSULE_CAPSULE:
        round_shape(state, true, a);
        round_shape(state, true, b);
        break;
    case BOX_CAPSULE:
        box(state, 0.0f, a);
        round_shape(state, true, b);
        break;
    case BOX_BOX:
        box(state, 0.0f, a);
        box(state, 0.0f, b);
        break;
    case BOX_BOX_CORNER:
        box(state, 0.0f, a);
        box(state, 0.0f, b);
        y += 0.2071f;
        turn += 0.7854f;
        break;
    case BOX_BOX_APART:
        box(state, 0.0f, a);
        box(state, 0.0f, b);
        y += 0.1f;
        break;
    case ROUND_BOX_ROUND_BOX:
        box(state, 0.1f, a);
        box(state, 0.1f, b);
        break;
    case OCTAGON_OCTAGON:
        octagon(state, a);
        octagon(state, b);
        break;
    case CHAIN_CIRCLE:
        chain(state, a);
        round_shape(state, false, b);
        break;
    case CHAIN_BOX:
        chain(state, a);
        box(state, 0.0f, b);
        break;
    }
    state->pose[i] = (tr2_pose){{x, y}, cosf(turn), sinf(turn)};
    state->still.extent = 0.5f;
    state->circles[i] = (tr2_mover){.x = (double)x, .y = (double)y, .extent = 0.5f};
    state->circles_a[i] = &state->still;
    state->circles_b[i] = &state->circles[i];
    state->place[i] = i;
    state->pairs[i] = (tr2_shape_pair){a, b, state->pose[i], MARGIN};
}

static void begin(bench_run *run)
{
    pair_state *state = calloc(1, sizeof *state);
    const setting *of = run->of->setting;
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    state->least = INFINITY;
    for (uint32_t i = 0; i < PAIRS; i++)
        make_pair(state, of->pair, i);
    if (state->failed)
        bench_fail(run, "a shape was refused");
}

static uint32_t operate(const pair_state *state, operation what, uint32_t i)
{
    const tr2_geometry *a = &state->a[i], *b = &state->b[i];
    tr2_pose pose = state->pose[i];
    if (what == COLLIDE)
        return tr2_collide(a, pose, b, MARGIN).count;
    if (what == DISTANCE)
        return tr2_distance(a, pose, b).distance > 0.0f;
    /* B falls from a metre above to half a metre inside, while it rotates */
    tr2_sweep still = {.c0 = 1.0f, .c1 = 1.0f};
    tr2_sweep fall = {.start = pose.p, .end = pose.p, .c0 = pose.c, .s0 = pose.s, .c1 = pose.c, .s1 = pose.s + 0.1f};
    fall.start.y += TIME_TO;
    fall.end.y -= 1.0f - TIME_TO;
    return tr2_time_of_impact(a, &still, b, &fall, 0.0f, 1e-3f).state == TR2_IMPACT_HIT;
}

static uint64_t operate_all(pair_state *state, operation what)
{
    uint64_t points = 0;
    if (what == COLLIDE_MANY) {
        const tr2_mover_pairs circles = {state->circles_a, state->circles_b, PAIRS, MARGIN, 0.0f, 1.0f};
        tr2_circle_bits bits[(PAIRS + TR2_CIRCLES_AT_ONCE - 1) / TR2_CIRCLES_AT_ONCE];
        tr2_collide_circles(&circles, state->place, state->manifolds, bits);
        return PAIRS * (uint64_t)(bits[0].near & 1u);
    }
    if (what == COLLIDE_QUADS || what == COLLIDE_POLYGON_CIRCLES) {
        if (what == COLLIDE_QUADS)
            tr2_collide_quads(state->pairs, PAIRS, state->manifolds);
        else
            tr2_collide_polygon_circles(state->pairs, PAIRS, state->manifolds);
        for (uint32_t i = 0; i < PAIRS; i++)
            points += state->manifolds[i].count;
        return points;
    }
    for (uint32_t i = 0; i < PAIRS; i++)
        points += operate(state, what, i);
    return points;
}

static double iterate(bench_run *run)
{
    pair_state *state = run->state;
    const setting *of = run->of->setting;
    uint64_t points = 0;
    double start = bench_clock();
    for (uint32_t pass = 0; pass < PASSES; pass++)
        points += operate_all(state, of->operation);
    double seconds = bench_clock() - start;
    state->points = points;
    state->least = seconds < state->least ? seconds : state->least;
    return seconds;
}

static void end(bench_run *run)
{
    pair_state *state = run->state;
    if (state != NULL && run->error == NULL) {
        bench_count(run, "ns_per_pair", 1e9 * state->least / (PAIRS * PASSES));
        bench_count(run, "found_per_pair", (double)state->points / (PAIRS * PASSES));
    }
    free(state);
}

void bench_add_collisions(bench_suite *suite)
{
    static const struct {
        const char *name;
        setting setting;
    } cases[] = {
        {"collide/circle-circle", {CIRCLE_CIRCLE, COLLIDE}},
        {"collide/circle-circle/many", {CIRCLE_CIRCLE, COLLIDE_MANY}},
        {"collide/box-circle", {BOX_CIRCLE, COLLIDE}},
        {"collide/box-circle/many", {BOX_CIRCLE, COLLIDE_POLYGON_CIRCLES}},
        {"collide/capsule-capsule", {CAPSULE_CAPSULE, COLLIDE}},
        {"collide/box-capsule", {BOX_CAPSULE, COLLIDE}},
        {"collide/box-box", {BOX_BOX, COLLIDE}},
        {"collide/box-box/many", {BOX_BOX, COLLIDE_QUADS}},
        {"collide/box-box-corner", {BOX_BOX_CORNER, COLLIDE}},
        {"collide/box-box-apart", {BOX_BOX_APART, COLLIDE}},
        {"collide/round-box-round-box", {ROUND_BOX_ROUND_BOX, COLLIDE}},
        {"collide/octagon-octagon", {OCTAGON_OCTAGON, COLLIDE}},
        {"collide/chain-circle", {CHAIN_CIRCLE, COLLIDE}},
        {"collide/chain-box", {CHAIN_BOX, COLLIDE}},
        {"collide/distance/box-box", {BOX_BOX_APART, DISTANCE}},
        {"collide/distance/octagon-octagon", {OCTAGON_OCTAGON, DISTANCE}},
        {"collide/impact/box-box", {BOX_BOX, IMPACT}},
        {"collide/impact/box-circle", {BOX_CIRCLE, IMPACT}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setting *copy = malloc(sizeof *copy);
        if (copy == NULL) {
            suite->failed = true;
            return;
        }
        *copy = cases[i].setting;
        bench_case added = {.iterations = 20, .setting = copy, .begin = begin, .iterate = iterate, .end = end};
        snprintf(added.name, sizeof added.name, "%s", cases[i].name);
        bench_suite_add(suite, added);
    }
}
