/* Cost of edits and plans in a world of 100,000 joints: batches, full plans, a joint added and a joint removed. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan/plan.h"

#define DT   0.016666666666666666
#define SIZE 224u /* a grid of 99,904 joints */

#define MOST_ITERATIONS 64u

typedef struct edit_state {
    tr2_scene *scene;
    tr2_world *world;
    tr2_body *bodies;
    tr2_joint_def *joints; /* definitions with ids */
    double samples[4][MOST_ITERATIONS];
    uint32_t count;
} edit_state;

/*
 * Worlds
 */

/* a world with the scene's bodies, and definitions of its joints that refer to them */
static bool make_world(edit_state *state)
{
    tr2_world_destroy(state->world);
    state->world = NULL;
    tr2_world_def def = tr2_scene_world_def(state->scene);
    def.threads = 1;
    def.sleep.enable = false;
    if (tr2_world_create(&def, &state->world, NULL) != TR_OK)
        return false;
    const uint32_t count = state->scene->body_count;
    tr2_body_def *defs = malloc(count * sizeof *defs);
    if (defs == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        defs[i] = state->scene->bodies[i].def;
    tr_status status = tr2_world_create_bodies(state->world, defs, count, state->bodies);
    free(defs);
    for (uint32_t i = 0; i < state->scene->joint_count; i++) {
        const tr2_scene_joint *joint = &state->scene->joints[i];
        state->joints[i] = joint->def;
        state->joints[i].body_a = state->bodies[joint->body_a];
        state->joints[i].body_b = state->bodies[joint->body_b];
    }
    return status == TR_OK;
}

static bool make_joints(edit_state *state)
{
    return tr2_world_create_joints(state->world, state->joints, state->scene->joint_count, NULL) == TR_OK;
}

static void begin_scene(bench_run *run)
{
    edit_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL || tr2_scene_generate("grid", SIZE, &state->scene, NULL) != TR_OK) {
        bench_fail(run, "no memory");
        return;
    }
    state->bodies = malloc(state->scene->body_count * sizeof *state->bodies);
    state->joints = malloc(state->scene->joint_count * sizeof *state->joints);
    if (state->bodies == NULL || state->joints == NULL)
        bench_fail(run, "no memory");
}

static void begin_world(bench_run *run)
{
    begin_scene(run);
    edit_state *state = run->state;
    if (run->error != NULL)
        return;
    if (!make_world(state) || !make_joints(state) || tr2_world_step(state->world, DT, 4) != TR_OK)
        bench_fail(run, "the world cannot be made");
}

static void end_world(bench_run *run)
{
    edit_state *state = run->state;
    if (state == NULL)
        return;
    if (state->scene != NULL)
        bench_count(run, "joints", state->scene->joint_count);
    tr2_world_destroy(state->world);
    tr2_scene_destroy(state->scene);
    free(state->bodies);
    free(state->joints);
    free(state);
}

static double iterate_create_joints(bench_run *run)
{
    edit_state *state = run->state;
    if (!make_world(state)) {
        bench_fail(run, "the world cannot be made");
        return 0.0;
    }
    double start = bench_clock();
    bool ok = make_joints(state);
    double seconds = bench_clock() - start;
    if (!ok)
        bench_fail(run, "the joints cannot be made");
    return seconds;
}

/* the step after a batch, which makes a new plan and layout, allocates and solves */
static double iterate_first_step(bench_run *run)
{
    edit_state *state = run->state;
    if (!make_world(state) || !make_joints(state)) {
        bench_fail(run, "the world cannot be made");
        return 0.0;
    }
    double start = bench_clock();
    tr_status status = tr2_world_step(state->world, DT, 4);
    double seconds = bench_clock() - start;
    if (status != TR_OK)
        bench_fail(run, "the step failed");
    return seconds;
}

static double iterate_optimize(bench_run *run)
{
    edit_state *state = run->state;
    double start = bench_clock();
    tr_status status = tr2_world_optimize(state->world);
    double seconds = bench_clock() - start;
    if (status != TR_OK)
        bench_fail(run, "the plan failed");
    return seconds;
}

/*
 * Adds a joint between two bodies in the middle of the grid and steps, then removes it and steps. Each step is compared
 * with the one before it, in which nothing had changed.
 */
enum { EDIT_ADD, EDIT_REMOVE, EDIT_PLAIN, EDIT_CHANGED };

static double iterate_one_joint(bench_run *run)
{
    edit_state *state = run->state;
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    def.length = 2.0f;
    uint32_t middle = (SIZE / 2) * SIZE + SIZE / 2;
    def.body_a = state->bodies[middle];
    def.body_b = state->bodies[middle + 2];
    tr2_joint joint;
    bool ok = true;
    double t[7];
    t[0] = bench_clock();
    ok = tr2_world_step(state->world, DT, 4) == TR_OK && ok;
    t[1] = bench_clock();
    ok = tr2_world_create_joint(state->world, &def, &joint) == TR_OK && ok;
    t[2] = bench_clock();
    ok = tr2_world_step(state->world, DT, 4) == TR_OK && ok;
    t[3] = bench_clock();
    ok = ok && tr2_world_destroy_joint(state->world, joint) == TR_OK;
    t[4] = bench_clock();
    ok = tr2_world_step(state->world, DT, 4) == TR_OK && ok;
    if (!ok) {
        bench_fail(run, "an edit or a step failed");
        return 0.0;
    }
    state->samples[EDIT_ADD][state->count] = t[2] - t[1];
    state->samples[EDIT_REMOVE][state->count] = t[4] - t[3];
    state->samples[EDIT_PLAIN][state->count] = t[1] - t[0];
    state->samples[EDIT_CHANGED][state->count] = t[3] - t[2];
    state->count++;
    return t[3] - t[1];
}

static void end_one_joint(bench_run *run)
{
    edit_state *state = run->state;
    if (state != NULL && run->error == NULL) {
        double plain = bench_median(state->samples[EDIT_PLAIN], state->count);
        double changed = bench_median(state->samples[EDIT_CHANGED], state->count);
        bench_count(run, "add_us", 1e6 * bench_median(state->samples[EDIT_ADD], state->count));
        bench_count(run, "remove_us", 1e6 * bench_median(state->samples[EDIT_REMOVE], state->count));
        bench_count(run, "plain_step_us", 1e6 * plain);
        bench_count(run, "changed_step_us", 1e6 * changed);
        bench_count(run, "extra_us", 1e6 * (changed - plain));
    }
    end_world(run);
}

/*
 * The plan alone: pure graph algorithms
 */
typedef struct plan_state {
    tr_memory memory;
    tr_plan *plan;
    uint32_t edges;
    double samples[3][MOST_ITERATIONS];
    uint32_t count;
} plan_state;

static void begin_plan(bench_run *run)
{
    plan_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    tr_memory_init(&state->memory, (tr_allocator){0});
    tr_status status = tr_plan_create(&state->memory, 1, 32, &state->plan);
    for (uint32_t v = 0; v < SIZE * SIZE && status == TR_OK; v++)
        status = tr_plan_add_vertex(state->plan, v, true);
    for (uint32_t v = 0; v < SIZE * SIZE && status == TR_OK; v++) {
        if (v % SIZE > 0)
            status = tr_plan_add_edge(state->plan, state->edges++, v - 1, v, 0);
        if (v >= SIZE && status == TR_OK)
            status = tr_plan_add_edge(state->plan, state->edges++, v - SIZE, v, 0);
    }
    const tr_plan_layout *layout;
    if (status != TR_OK || tr_plan_optimize(state->plan, NULL) != TR_OK ||
        tr_plan_layout_get(state->plan, &layout) != TR_OK)
        bench_fail(run, "the plan cannot be made");
}

static double iterate_plan_optimize(bench_run *run)
{
    plan_state *state = run->state;
    double start = bench_clock();
    tr_status status = tr_plan_optimize(state->plan, NULL);
    double seconds = bench_clock() - start;
    if (status != TR_OK)
        bench_fail(run, "the plan failed");
    return seconds;
}

#define CHANGES 1000u

/* adds edges that skip a column, all over the grid, updates the layout, and removes them again */
static double iterate_plan_edges(bench_run *run)
{
    plan_state *state = run->state;
    const tr_plan_layout *layout;
    tr_status status = TR_OK;
    double t[4];
    t[0] = bench_clock();
    for (uint32_t i = 0; i < CHANGES && status == TR_OK; i++)
        status = tr_plan_add_edge(state->plan, state->edges + i, 47 * i, 47 * i + 2 * SIZE, 0);
    t[1] = bench_clock();
    if (status == TR_OK)
        status = tr_plan_layout_get(state->plan, &layout);
    t[2] = bench_clock();
    if (status != TR_OK) {
        bench_fail(run, "the plan failed");
        return 0.0;
    }
    for (uint32_t i = 0; i < CHANGES; i++)
        tr_plan_remove_edge(state->plan, state->edges + i);
    t[3] = bench_clock();
    state->samples[0][state->count] = (t[1] - t[0]) / CHANGES;
    state->samples[1][state->count] = t[2] - t[1];
    state->samples[2][state->count] = (t[3] - t[2]) / CHANGES;
    state->count++;
    return t[3] - t[0];
}

static void end_plan(bench_run *run)
{
    plan_state *state = run->state;
    if (state == NULL)
        return;
    bench_count(run, "joints", state->edges);
    if (state->count > 0 && run->error == NULL) {
        bench_count(run, "add_ns", 1e9 * bench_median(state->samples[0], state->count));
        bench_count(run, "layout_us", 1e6 * bench_median(state->samples[1], state->count));
        bench_count(run, "remove_ns", 1e9 * bench_median(state->samples[2], state->count));
    }
    tr_plan_destroy(state->plan);
    free(state);
}

void bench_add_plans(bench_suite *suite)
{
    const bench_case cases[] = {
        {"plan/world/create-joints", 5, NULL, begin_scene, iterate_create_joints, end_world},
        {"plan/world/first-step", 5, NULL, begin_scene, iterate_first_step, end_world},
        {"plan/world/optimize", 10, NULL, begin_world, iterate_optimize, end_world},
        {"plan/world/one-joint", 20, NULL, begin_world, iterate_one_joint, end_one_joint},
        {"plan/graph/optimize", 10, NULL, begin_plan, iterate_plan_optimize, end_plan},
        {"plan/graph/edges", 20, NULL, begin_plan, iterate_plan_edges, end_plan},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        bench_suite_add(suite, cases[i]);
}
