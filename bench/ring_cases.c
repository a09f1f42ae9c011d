/*
 * The rollback ring: a world keeps each step's frame in a ring of ten, goes back by eight steps and makes these again, with
 * a frame kept before each; compared with the eight steps alone, from the same frame, and with going back and the steps
 * without keeping. One thread, CPU time, after 20 steps of worlds that do not sleep; each iteration goes on by eight steps,
 * and the three take turns in being first.
 */
#include "bench.h"
#include "trammel/scene3.h"

#include <stdio.h>
#include <stdlib.h>

#define DT 0.016666666666666666

enum { WARM = 20, AHEAD = 8, FRAMES = 10, RUNS = 64 };

/* what is asked of a world, of either dimension */
typedef struct ring_calls {
    void *(*make)(const char *scene, uint32_t size);
    bool (*step)(void *world);
    bool (*keep)(void *world, uint64_t frame);
    bool (*back)(void *world, uint64_t frame);
    uint64_t (*hash)(void *world);
    void (*destroy)(void *world);
} ring_calls;

/* of a generated scene */
#define RING_CALLS(D)                                                                                                  \
    static void *make##D(const char *kind, uint32_t size)                                                              \
    {                                                                                                                  \
        tr##D##_scene *scene = NULL;                                                                                   \
        tr##D##_world *world = NULL;                                                                                   \
        if (tr##D##_scene_generate(kind, size, &scene, NULL) != TR_OK)                                                 \
            return NULL;                                                                                               \
        tr##D##_world_def def = tr##D##_scene_world_def(scene);                                                        \
        tr_sleep_settings awake = def.sleep;                                                                           \
        awake.enable = false;                                                                                          \
        def.threads = 1;                                                                                               \
        bool made = tr##D##_world_create(&def, &world, NULL) == TR_OK &&                                               \
                    tr##D##_scene_build(scene, world, NULL, NULL, NULL) == TR_OK &&                                    \
                    tr##D##_world_set_sleep(world, &awake) == TR_OK &&                                                 \
                    tr##D##_world_set_frames(world, FRAMES) == TR_OK;                                                  \
        tr##D##_scene_destroy(scene);                                                                                  \
        if (!made)                                                                                                     \
            tr##D##_world_destroy(world);                                                                              \
        return made ? world : NULL;                                                                                    \
    }                                                                                                                  \
    static bool step##D(void *world)                                                                                   \
    {                                                                                                                  \
        return tr##D##_world_step(world, DT, 4) == TR_OK;                                                              \
    }                                                                                                                  \
    static bool keep##D(void *world, uint64_t frame)                                                                   \
    {                                                                                                                  \
        return tr##D##_world_keep_frame(world, frame) == TR_OK;                                                        \
    }                                                                                                                  \
    static bool back##D(void *world, uint64_t frame)                                                                   \
    {                                                                                                                  \
        return tr##D##_world_go_back(world, frame) == TR_OK;                                                           \
    }                                                                                                                  \
    static uint64_t hash##D(void *world)                                                                               \
    {                                                                                                                  \
        return tr##D##_world_state_hash(world);                                                                        \
    }                                                                                                                  \
    static void destroy##D(void *world)                                                                                \
    {                                                                                                                  \
        tr##D##_world_destroy(world);                                                                                  \
    }                                                                                                                  \
    static const ring_calls calls##D = {make##D, step##D, keep##D, back##D, hash##D, destroy##D};
RING_CALLS(2)
RING_CALLS(3)

typedef struct ring_setting {
    const char *scene;
    uint32_t size;
    const ring_calls *calls;
} ring_setting;

/* The three ways to make eight steps. */
typedef enum ring_way { ALONE, BACK, KEPT, WAYS } ring_way;

typedef struct ring_state {
    void *world;
    uint64_t frame; /* the world's */
    double seconds[WAYS][RUNS];
    uint32_t runs;
} ring_state;

/* the eight steps from the world's frame on */
static bool ahead(const ring_calls *calls, const ring_state *it, bool keeps)
{
    bool done = true;
    for (uint32_t i = 0; i < AHEAD && done; i++)
        done = (!keeps || calls->keep(it->world, it->frame + i)) && calls->step(it->world);
    return done;
}

static void begin(bench_run *run)
{
    const ring_setting *setting = run->of->setting;
    ring_state *it = calloc(1, sizeof *it);
    run->state = it;
    if (it != NULL)
        it->world = setting->calls->make(setting->scene, setting->size);
    bool done = it != NULL && it->world != NULL;
    for (uint32_t i = 0; i < WARM && done; i++)
        done = setting->calls->step(it->world);
    /* so that all frames and both tables of the world have their room */
    for (uint32_t i = 0; i < 2 && done; i++) {
        done = ahead(setting->calls, it, true) && setting->calls->back(it->world, it->frame) &&
               ahead(setting->calls, it, true);
        it->frame += AHEAD;
    }
    if (!done)
        bench_fail(run, "cannot make the world");
}

static double iterate(bench_run *run)
{
    ring_state *it = run->state;
    const ring_calls *calls = ((const ring_setting *)run->of->setting)->calls;
    if (it->runs == RUNS)
        return 0.0;
    bool done = ahead(calls, it, true);
    const uint64_t hash = calls->hash(it->world);
    for (uint32_t i = 0; i < WAYS; i++) {
        const ring_way way = (ring_way)((i + it->runs) % WAYS);
        double start = bench_thread_clock();
        done = done && calls->back(it->world, it->frame);
        if (way == ALONE)
            start = bench_thread_clock();
        done = done && ahead(calls, it, way == KEPT);
        it->seconds[way][it->runs] = bench_thread_clock() - start;
        if (!done || calls->hash(it->world) != hash)
            bench_fail(run, "the steps are others after the way back");
    }
    it->frame += AHEAD;
    return it->seconds[KEPT][it->runs++];
}

/* more than the steps alone, percent: of the least times, and the median of runs */
static void count_more(bench_run *run, const ring_state *it, ring_way way, const char *least, const char *median)
{
    double ratio[RUNS], best = it->seconds[way][0], alone = it->seconds[ALONE][0];
    for (uint32_t i = 0; i < it->runs; i++) {
        ratio[i] = 100.0 * (it->seconds[way][i] / it->seconds[ALONE][i] - 1.0);
        best = it->seconds[way][i] < best ? it->seconds[way][i] : best;
        alone = it->seconds[ALONE][i] < alone ? it->seconds[ALONE][i] : alone;
    }
    if (way == BACK)
        bench_count(run, "steps_ms", 1e3 * alone);
    bench_count(run, least, 100.0 * (best / alone - 1.0));
    bench_count(run, median, bench_median(ratio, it->runs));
}

static void end(bench_run *run)
{
    ring_state *it = run->state;
    if (it == NULL)
        return;
    if (run->error == NULL && it->runs > 0) {
        count_more(run, it, BACK, "back_percent", "back_median");
        count_more(run, it, KEPT, "kept_percent", "kept_median");
    }
    if (it->world != NULL)
        ((const ring_setting *)run->of->setting)->calls->destroy(it->world);
    free(it);
}

void bench_add_rings(bench_suite *suite)
{
    static const ring_setting scenes[] = {
        {"grid", 100, &calls2},    {"ragdolls", 2000, &calls2}, {"hub", 5000, &calls2},        {"crowd", 5000, &calls2},
        {"debris", 2000, &calls2}, {"sheet3d", 100, &calls3},   {"ragdolls3d", 1000, &calls3},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        ring_setting *setting = malloc(sizeof *setting);
        if (setting == NULL) {
            suite->failed = true;
            return;
        }
        *setting = scenes[i];
        bench_case added = {.iterations = 24, .setting = setting, .begin = begin, .iterate = iterate, .end = end};
        (void)snprintf(added.name, sizeof added.name, "ring/%s-%u", setting->scene, setting->size);
        bench_suite_add(suite, added);
    }
}
