/*
 * Snapshots: to save a world, to go back to a snapshot, and a rollback: back by eight steps, and these again, which is
 * compared with the eight steps alone; and sixteen steps that are recorded, with the same that are not. One thread, after
 * 20 steps. The least CPU time of all repetitions, because what is measured is short, and of recordings the median, too.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define DT 0.016666666666666666

enum { WARM = 20, AHEAD = 8, RECORDED = 16, RUNS = 64 };

typedef enum snapshot_kind { SAVE, RESTORE, ROLLBACK, RECORD, SNAPSHOT_KINDS } snapshot_kind;
static const char *const kind_names[SNAPSHOT_KINDS] = {"save", "restore", "rollback", "record"};

typedef struct snapshot_setting {
    const char *scene;
    uint32_t size;
    snapshot_kind kind;
} snapshot_setting;

typedef struct snapshot_state {
    tr2_world *world;
    void *memory;
    size_t size, capacity;
    double steps, back; /* s: the least of the steps alone, and with the way back or recorded */
    double ratio[RUNS]; /* of the two, by run */
    uint32_t runs;
} snapshot_state;

static bool step(tr2_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (tr2_world_step(world, DT, 4) != TR_OK)
            return false;
    }
    return true;
}

static bool make(snapshot_state *it, const snapshot_setting *setting)
{
    tr2_scene *scene = NULL;
    if (tr2_scene_generate(setting->scene, setting->size, &scene, NULL) != TR_OK)
        return false;
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = 1;
    bool done = tr2_world_create(&def, &it->world, NULL) == TR_OK &&
                tr2_scene_build(scene, it->world, NULL, NULL, NULL) == TR_OK && bench_stays_awake(it->world) &&
                step(it->world, WARM);
    tr2_scene_destroy(scene);
    /* with room for columns that later steps need */
    it->capacity = done ? tr2_world_save_size(it->world) / 4 * 5 : 0;
    it->memory = malloc(it->capacity + 1);
    /* twice, so that both tables of the world have their room */
    return done && it->memory != NULL && tr2_world_save(it->world, it->memory, it->capacity, &it->size) == TR_OK &&
           tr2_world_restore(it->world, it->memory, it->size) == TR_OK &&
           tr2_world_restore(it->world, it->memory, it->size) == TR_OK;
}

static void begin(bench_run *run)
{
    snapshot_state *it = calloc(1, sizeof *it);
    run->state = it;
    if (it == NULL || !make(it, run->of->setting))
        bench_fail(run, "cannot make the world");
}

/* the eight steps alone, then back and the same again; returns the seconds of the second */
static double roll(bench_run *run, snapshot_state *it)
{
    double start = bench_thread_clock();
    bool done = step(it->world, AHEAD);
    double alone = bench_thread_clock() - start;
    uint64_t hash = tr2_world_state_hash(it->world);
    start = bench_thread_clock();
    done = done && tr2_world_restore(it->world, it->memory, it->size) == TR_OK && step(it->world, AHEAD);
    double again = bench_thread_clock() - start;
    if (!done || tr2_world_state_hash(it->world) != hash || tr2_world_restore(it->world, it->memory, it->size) != TR_OK)
        bench_fail(run, "the steps are others after the way back");
    it->steps = it->steps > 0.0 && it->steps < alone ? it->steps : alone;
    it->back = it->back > 0.0 && it->back < again ? it->back : again;
    return again;
}

static bool take_all(const void *bytes, size_t size, void *context)
{
    (void)bytes;
    (void)size;
    (void)context;
    return true;
}

/* so many steps alone, and recorded: seconds */
static double record_steps(bench_run *run, snapshot_state *it, bool recorded)
{
    const tr_sink sink = {take_all, NULL, NULL};
    /* a step between, because the state that a recording begins with goes through the caches */
    bool done = tr2_world_restore(it->world, it->memory, it->size) == TR_OK &&
                (!recorded || tr2_world_record(it->world, &sink) == TR_OK) && step(it->world, 1);
    double start = bench_thread_clock();
    done = done && step(it->world, RECORDED);
    double seconds = bench_thread_clock() - start;
    if (!done || tr2_world_stop_recording(it->world) != TR_OK)
        bench_fail(run, tr2_world_last_error(it->world)->message);
    return seconds;
}

/* Sixteen steps from the same state, alone and recorded, by turns in being first: each sixteenth has more to compare.
   Returns the seconds of those that are recorded. */
static double record(bench_run *run, snapshot_state *it)
{
    const bool first = it->runs % 2 == 1;
    double seconds[2];
    seconds[first] = record_steps(run, it, first);
    seconds[!first] = record_steps(run, it, !first);
    it->steps = it->runs > 0 && it->steps < seconds[0] ? it->steps : seconds[0];
    it->back = it->runs > 0 && it->back < seconds[1] ? it->back : seconds[1];
    if (it->runs < RUNS)
        it->ratio[it->runs++] = 100.0 * (seconds[1] / seconds[0] - 1.0);
    return seconds[1];
}

static double iterate(bench_run *run)
{
    snapshot_state *it = run->state;
    const snapshot_setting *setting = run->of->setting;
    if (setting->kind == ROLLBACK)
        return roll(run, it);
    if (setting->kind == RECORD)
        return record(run, it);
    /* as it is used: other data has been in the caches */
    if (!step(it->world, 1))
        bench_fail(run, "cannot step");
    double start = bench_thread_clock();
    tr_status status = setting->kind == SAVE ? tr2_world_save(it->world, it->memory, it->capacity, &it->size)
                                             : tr2_world_restore(it->world, it->memory, it->size);
    double seconds = bench_thread_clock() - start;
    if (status != TR_OK)
        bench_fail(run, tr2_world_last_error(it->world)->message);
    it->back = it->back > 0.0 && it->back < seconds ? it->back : seconds;
    return seconds;
}

static void end(bench_run *run)
{
    snapshot_state *it = run->state;
    const snapshot_setting *setting = run->of->setting;
    if (it == NULL)
        return;
    if (run->error == NULL) {
        tr_statistics about = tr2_world_statistics(it->world);
        uint32_t joints = about.joints > 0 ? about.joints : 1;
        bench_count(run, "bytes", (double)it->size);
        bench_count(run, "bytes_per_joint", (double)it->size / joints);
        bench_count(run, "least_us", 1e6 * it->back);
        if (setting->kind == ROLLBACK || setting->kind == RECORD)
            bench_count(run, "more_percent", 100.0 * (it->back / it->steps - 1.0));
        if (setting->kind == RECORD)
            bench_count(run, "more_median", bench_median(it->ratio, it->runs));
    }
    tr2_world_destroy(it->world);
    free(it->memory);
    free(it);
}

void bench_add_snapshots(bench_suite *suite)
{
    static const snapshot_setting scenes[] = {{"grid", 100, SAVE}, {"ragdolls", 2000, SAVE}, {"hub", 5000, SAVE}};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        for (int kind = 0; kind < SNAPSHOT_KINDS; kind++) {
            snapshot_setting *setting = malloc(sizeof *setting);
            if (setting == NULL) {
                suite->failed = true;
                return;
            }
            *setting = scenes[i];
            setting->kind = (snapshot_kind)kind;
            bench_case added = {.iterations = 20, .setting = setting, .begin = begin, .iterate = iterate, .end = end};
            (void)snprintf(added.name, sizeof added.name, "snapshots/%s-%u/%s", setting->scene, setting->size,
                           kind_names[kind]);
            bench_suite_add(suite, added);
        }
    }
}
