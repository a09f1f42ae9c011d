/* Trammel as an engine. */
#include "bench.h"

#include <stdlib.h>

typedef struct trammel_world {
    tr2_world *world;
    tr2_body *ids;
    uint32_t bodies, joints, substeps;
    double stage_seconds[TR_STAGE_COUNT]; /* least of all steps so far */
} trammel_world;

static void destroy(void *context)
{
    trammel_world *w = context;
    if (w == NULL)
        return;
    tr2_world_destroy(w->world);
    free(w->ids);
    free(w);
}

static void *create(const tr2_scene *scene, const bench_options *options)
{
    if (tr_set_isa(options->isa) != TR_OK)
        return NULL;
    trammel_world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->bodies = scene->body_count;
    w->joints = scene->joint_count;
    w->substeps = options->substeps;
    w->ids = malloc(((size_t)scene->body_count + 1) * sizeof *w->ids);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = options->threads;
    if (w->ids == NULL || tr2_world_create(&def, &w->world, NULL) != TR_OK ||
        tr2_scene_build(scene, w->world, w->ids, NULL, NULL) != TR_OK || !bench_stays_awake(w->world) ||
        tr2_world_set_method(w->world, options->method, options->sweeps) != TR_OK ||
        tr2_world_optimize(w->world) != TR_OK) {
        destroy(w);
        return NULL;
    }
    return w;
}

static bool step(void *context, double dt)
{
    trammel_world *w = context;
    return tr2_world_step(w->world, dt, w->substeps) == TR_OK;
}

static void read(void *context, tr2_transform *out)
{
    trammel_world *w = context;
    (void)tr2_world_get_transforms(w->world, w->ids, w->bodies, out);
}

static uint64_t hash(void *context)
{
    trammel_world *w = context;
    return tr2_world_state_hash(w->world);
}

static void stepped(void *context)
{
    trammel_world *w = context;
    tr_statistics statistics = tr2_world_statistics(w->world);
    for (uint32_t i = 0; i < TR_STAGE_COUNT; i++)
        if (statistics.steps == 1 || statistics.stage_seconds[i] < w->stage_seconds[i])
            w->stage_seconds[i] = statistics.stage_seconds[i];
}

static void report(void *context, bench_run *run)
{
    trammel_world *w = context;
    tr_statistics statistics = tr2_world_statistics(w->world);
    bench_count(run, "bytes_per_joint", (double)statistics.bytes / (double)w->joints);
    bench_count(run, "stream_bytes", (double)statistics.bytes_per_substep / (double)w->joints);
    bench_count(run, "colors", (double)statistics.colors);
    bench_count(run, "lane_fill", statistics.lane_fill);
    bench_count(run, "workers", (double)statistics.threads);
    static const struct {
        const char *name;
        tr_stage stage;
    } stages[] = {{"prepare_ns", TR_STAGE_PREPARE},       {"integrate_ns", TR_STAGE_INTEGRATE},
                  {"warm_start_ns", TR_STAGE_WARM_START}, {"solve_ns", TR_STAGE_SOLVE},
                  {"relax_ns", TR_STAGE_RELAX},           {"finish_ns", TR_STAGE_FINISH}};
    for (uint32_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        bench_count(run, stages[i].name, 1e9 * w->stage_seconds[stages[i].stage] / (double)w->joints);
}

static void report_world(void *context, bench_run *run)
{
    trammel_world *w = context;
    tr_statistics statistics = tr2_world_statistics(w->world);
    double solving = 0.0;
    for (uint32_t i = 0; i < TR_STAGE_COUNT; i++)
        solving += statistics.stage_seconds[i];
    bench_count(run, "contacts", (double)statistics.contacts);
    bench_count(run, "solving_us", 1e6 * solving);
    bench_count(run, "last_step_us", 1e6 * statistics.seconds);
}

static tr2_measures measure(void *context)
{
    trammel_world *w = context;
    return tr2_world_measure(w->world);
}

const bench_engine *bench_engine_trammel(void)
{
    static const bench_engine engine = {"trammel", create,  destroy, step,    read,
                                        hash,      stepped, report,  measure, report_world};
    return &engine;
}
