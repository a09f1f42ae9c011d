/*
 * How evenly long the steps of large worlds are. One iteration is one step of 1/60 s; each repetition starts with a new
 * scene, loaded with tr2_world_optimize(). All repetitions simulate the same motion, so the least time of each step in
 * all of them is what it takes without other work on the machine. Counters: the time of loading and of the first step;
 * of the steps after it the median, the 99th percentile and the longest, as ratios to the median, too. The label is the
 * longest step: its number, and the stage that exceeds its own median by most, in wall time, so that it says little on
 * a busy machine. Cases are named
 * spikes/KIND-SIZE/threads-N.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 300u
#define DT    (1.0 / 60.0)

typedef struct step_times {
    double all, stage[TR_STAGE_COUNT]; /* s */
} step_times;

typedef struct spike_setting {
    const char *kind;
    uint32_t size, threads;
    uint64_t hash;     /* of the state after all steps; 0: not known yet */
    double loading;    /* s; 0: not known yet */
    step_times *least; /* of each step over the repetitions */
} spike_setting;

typedef struct spike_state {
    tr2_scene *scene;
    tr2_world *world;
    uint32_t stepped;
} spike_state;

static double now_of(const spike_setting *setting)
{
    /* the CPU time of one thread leaves out what other load on the machine takes */
    return setting->threads > 1 ? bench_clock() : bench_thread_clock();
}

static void keep_least(double *least, double seconds)
{
    if (*least == 0.0 || seconds < *least)
        *least = seconds;
}

static void begin(bench_run *run)
{
    spike_setting *setting = run->of->setting;
    spike_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL || setting->least == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    if (tr2_scene_generate(setting->kind, setting->size, &state->scene, NULL) != TR_OK) {
        bench_fail(run, "the scene cannot be made");
        return;
    }
    tr2_world_def def = tr2_scene_world_def(state->scene);
    def.threads = setting->threads;
    bool made = tr2_world_create(&def, &state->world, NULL) == TR_OK &&
                tr2_scene_build(state->scene, state->world, NULL, NULL, NULL) == TR_OK &&
                bench_stays_awake(state->world);
    double start = now_of(setting);
    if (!made || tr2_world_optimize(state->world) != TR_OK)
        bench_fail(run, "the world cannot be made");
    keep_least(&setting->loading, now_of(setting) - start);
}

static double iterate(bench_run *run)
{
    const spike_setting *setting = run->of->setting;
    spike_state *state = run->state;
    double start = now_of(setting);
    bool ok = tr2_world_step(state->world, DT, state->scene->substeps) == TR_OK;
    double seconds = now_of(setting) - start;
    if (!ok)
        bench_fail(run, "the step failed");
    step_times *least = &setting->least[state->stepped++];
    tr_statistics statistics = tr2_world_statistics(state->world);
    keep_least(&least->all, seconds);
    for (uint32_t stage = 0; stage < TR_STAGE_COUNT; stage++)
        keep_least(&least->stage[stage], statistics.stage_seconds[stage]);
    return seconds;
}

/* the median of a stage after the first step; `scratch` has room for all steps */
static double median_of(const spike_setting *setting, uint32_t stage, double *scratch)
{
    for (uint32_t i = 1; i < STEPS; i++)
        scratch[i - 1] = setting->least[i].stage[stage];
    return bench_median(scratch, STEPS - 1);
}

static void describe(const spike_setting *setting, bench_run *run, double *scratch)
{
    const step_times *least = setting->least;
    uint32_t longest = 1, stage = 0;
    double most = -INFINITY;
    for (uint32_t i = 1; i < STEPS; i++)
        longest = least[i].all > least[longest].all ? i : longest;
    for (uint32_t k = 0; k < TR_STAGE_COUNT; k++) {
        double excess = least[longest].stage[k] - median_of(setting, k, scratch);
        if (excess > most) {
            most = excess;
            stage = k;
        }
    }
    for (uint32_t i = 1; i < STEPS; i++)
        scratch[i - 1] = least[i].all;
    /* sorts them */
    double median = bench_median(scratch, STEPS - 1), worst = least[longest].all;
    double percentile = scratch[(STEPS - 1) * 99 / 100];
    bench_count(run, "loading_us", 1e6 * setting->loading);
    bench_count(run, "first_us", 1e6 * least[0].all);
    bench_count(run, "median_us", 1e6 * median);
    bench_count(run, "p99_us", 1e6 * percentile);
    bench_count(run, "p99_ratio", percentile / median);
    bench_count(run, "worst_us", 1e6 * worst);
    bench_count(run, "worst_ratio", worst / median);
    (void)snprintf(run->label, sizeof run->label, "longest: step %u, %s %.1f of %.1f ms, %.1f above its median",
                   longest + 1, tr_stage_name((tr_stage)stage), 1e3 * least[longest].stage[stage], 1e3 * worst,
                   1e3 * most);
}

static void end(bench_run *run)
{
    spike_setting *setting = run->of->setting;
    spike_state *state = run->state;
    if (state == NULL)
        return;
    double *scratch = malloc(STEPS * sizeof *scratch);
    if (scratch == NULL)
        bench_fail(run, "no memory");
    if (run->error == NULL) {
        uint64_t hash = tr2_world_state_hash(state->world);
        if (setting->hash != 0 && setting->hash != hash)
            bench_fail(run, "the state differs from that of the first run");
        setting->hash = hash;
        describe(setting, run, scratch);
    }
    free(scratch);
    tr2_world_destroy(state->world);
    tr2_scene_destroy(state->scene);
    free(state);
}

void bench_add_spikes(bench_suite *suite)
{
    static const struct {
        const char *kind;
        uint32_t size;
    } scenes[] = {{"debris", 20000}, {"crowd", 50000}};
    static const uint32_t threads[] = {1, 2};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
            if (threads[k] > tr_physical_cores())
                continue;
            spike_setting *setting = calloc(1, sizeof *setting);
            if (setting == NULL) {
                suite->failed = true;
                return;
            }
            *setting = (spike_setting){.kind = scenes[i].kind, .size = scenes[i].size, .threads = threads[k]};
            setting->least = bench_suite_own(suite, STEPS * sizeof *setting->least);
            bench_case added = {
                .iterations = STEPS, .setting = setting, .begin = begin, .iterate = iterate, .end = end};
            (void)snprintf(added.name, sizeof added.name, "spikes/%s-%u/threads-%u", setting->kind, setting->size,
                           setting->threads);
            bench_suite_add(suite, added);
        }
    }
}
