/*
 * Steps of whole scenes: one iteration is one step of 1/60 s. Every repetition starts with a new scene, so that all
 * engines and repetitions simulate the same motion. Joint errors are measured once per engine and setting, in a
 * separate run.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DT 0.016666666666666666

/* m: with a larger joint error the scene counts as exploded */
#define EXPLODED 100.0

struct bench_accuracy {
    bool known;
    uint32_t steps; /* until it exploded, or all */
    bool exploded;
    double rms, max;    /* over joints and steps, m; or of the motion */
    double rms_last;    /* over joints after the last step, m */
    double drift, gain; /* of the energy: final change, and greatest gain over the start; in units of `moved` */
    double moved;       /* J: greatest kinetic energy or change of potential energy; 0: not available */
    uint64_t hash;      /* of the last state; 0: not available */
};

typedef struct step_state {
    tr2_scene *scene;
    void *world;
    uint32_t steps;   /* per world */
    uint32_t stepped; /* of this world */
    double *seconds;
    uint32_t count;
} step_state;

/* energies from the world's own measures; `first`: the measures to compare with */
static void follow_energy(bench_accuracy *result, tr2_measures first, tr2_measures now)
{
    double change = (now.kinetic_energy + now.potential_energy) - (first.kinetic_energy + first.potential_energy);
    result->drift = change;
    result->gain = fmax(result->gain, change);
    result->moved = fmax(result->moved, fmax(now.kinetic_energy, fabs(now.potential_energy - first.potential_energy)));
}

/* of the joints, or of the motion as if it were that of one joint */
static bench_joint_error measure_error(const bench_step_setting *setting, const tr2_scene *scene,
                                       const tr2_transform *bodies, uint32_t steps)
{
    if (setting->deviation == NULL)
        return bench_measure(scene, bodies);
    const double error = setting->deviation(setting->size, bodies, steps);
    return (bench_joint_error){error * error, error, 1};
}

/* one run from the start, measured after every step */
static bool measure_accuracy(const bench_step_setting *setting, const tr2_scene *scene)
{
    bench_accuracy result = {.known = true};
    tr2_transform *bodies = malloc(((size_t)scene->body_count + 1) * sizeof *bodies);
    void *world = bodies == NULL ? NULL : setting->engine->create(scene, &setting->options);
    bool ok = world != NULL;
    double sum = 0.0, samples = 0.0;
    tr2_measures first = {0};
    if (ok && setting->engine->measure != NULL) {
        first = setting->engine->measure(world);
        follow_energy(&result, first, first);
    }
    for (uint32_t i = 0; ok && !result.exploded && i < setting->steps; i++) {
        ok = setting->engine->step(world, DT);
        setting->engine->read(world, bodies);
        bench_joint_error error = measure_error(setting, scene, bodies, i + 1);
        result.steps = i + 1;
        result.exploded = !(error.max < EXPLODED);
        result.max = fmax(result.max, error.max);
        result.rms_last = error.joints == 0 ? 0.0 : sqrt(error.sum_of_squares / error.joints);
        sum += error.sum_of_squares;
        samples += error.joints;
        if (setting->engine->measure != NULL)
            follow_energy(&result, first, setting->engine->measure(world));
    }
    result.rms = samples > 0.0 ? sqrt(sum / samples) : 0.0;
    if (ok && setting->engine->hash != NULL)
        result.hash = setting->engine->hash(world);
    setting->engine->destroy(world);
    free(bodies);
    if (ok)
        *setting->accuracy = result;
    return ok;
}

static bool restart(step_state *state, const bench_step_setting *setting)
{
    setting->engine->destroy(state->world);
    state->world = setting->engine->create(state->scene, &setting->options);
    state->stepped = 0;
    return state->world != NULL;
}

static tr_status make_scene(const bench_step_setting *setting, tr2_scene **out)
{
    return setting->make != NULL ? setting->make(setting->size, out)
                                 : tr2_scene_generate(setting->kind, setting->size, out, NULL);
}

static void begin(bench_run *run)
{
    const bench_step_setting *setting = run->of->setting;
    step_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    state->steps = setting->steps;
    state->seconds = malloc(run->of->iterations * sizeof(double));
    if (state->seconds == NULL || make_scene(setting, &state->scene) != TR_OK) {
        bench_fail(run, "the scene cannot be made");
        return;
    }
    if (setting->accuracy != NULL) {
        if (!setting->accuracy->known && !measure_accuracy(setting, state->scene)) {
            bench_fail(run, "the engine failed in the run for accuracy");
            return;
        }
        state->steps = setting->accuracy->steps;
    }
    if (!restart(state, setting))
        bench_fail(run, "the engine cannot make the world");
}

static double iterate(bench_run *run)
{
    const bench_step_setting *setting = run->of->setting;
    step_state *state = run->state;
    if (state->stepped == state->steps && !restart(state, setting)) {
        bench_fail(run, "the engine cannot make the world again");
        return 0.0;
    }
    double start = bench_clock();
    bool ok = setting->engine->step(state->world, DT);
    double seconds = bench_clock() - start;
    if (!ok)
        bench_fail(run, "the step failed");
    if (setting->engine->stepped != NULL)
        setting->engine->stepped(state->world);
    state->stepped++;
    state->seconds[state->count++] = seconds;
    return seconds;
}

static void count_results(bench_run *run, step_state *state)
{
    const bench_step_setting *setting = run->of->setting;
    const bench_accuracy *a = setting->accuracy;
    double joints = state->scene->joint_count;
    bench_count(run, "joints", joints);
    bench_count(run, "ns_per_joint", 1e9 * bench_median(state->seconds, state->count) / joints);
    /* bench_median() has sorted them */
    if (state->count > 0)
        bench_count(run, "least_ns_per_joint", 1e9 * state->seconds[0] / joints);
    if (setting->engine->report != NULL)
        setting->engine->report(state->world, run);
    if (a == NULL)
        return;
    bench_count(run, "steps", a->steps);
    bench_count(run, "exploded", a->exploded ? 1.0 : 0.0);
    if (!a->exploded) {
        bench_count(run, "rms_mm", 1e3 * a->rms);
        bench_count(run, "max_mm", 1e3 * a->max);
        bench_count(run, "rms_last_mm", 1e3 * a->rms_last);
        if (a->moved > 0.0) {
            bench_count(run, "energy_drift", a->drift / a->moved);
            bench_count(run, "energy_gain", a->gain / a->moved);
        }
    }
    /* all instruction sets and numbers of threads must reach the same state */
    if (setting->engine->hash != NULL && state->stepped == a->steps && setting->engine->hash(state->world) != a->hash)
        bench_fail(run, "the state differs from that of the run for accuracy");
}

static void end(bench_run *run)
{
    const bench_step_setting *setting = run->of->setting;
    step_state *state = run->state;
    if (state == NULL)
        return;
    if (run->error == NULL)
        count_results(run, state);
    setting->engine->destroy(state->world);
    tr2_scene_destroy(state->scene);
    free(state->seconds);
    free(state);
}

/*
 * The list
 */
typedef struct scene_choice {
    const char *kind;
    uint32_t size, steps;
    bool every_isa; /* for each size, and for every engine */
} scene_choice;

bench_accuracy *bench_accuracy_make(bench_suite *suite)
{
    return bench_suite_own(suite, sizeof(bench_accuracy));
}

void bench_add_step_case(bench_suite *suite, const char *group, const char *name, bench_step_setting setting)
{
    bench_case added = {.iterations = setting.steps, .begin = begin, .iterate = iterate, .end = end};
    bench_step_setting *kept = malloc(sizeof *kept);
    if (kept == NULL || setting.engine == NULL) {
        suite->failed = suite->failed || kept == NULL;
        free(kept);
        return;
    }
    *kept = setting;
    added.setting = kept;
    (void)snprintf(added.name, sizeof added.name, "%s/%s-%u/%s/%s", group, setting.kind, setting.size,
                   setting.engine->name, name);
    bench_suite_add(suite, added);
}

static void add_trammel(bench_suite *suite, const char *group, bench_step_setting setting, tr_isa isa, uint32_t threads)
{
    char name[48];
    setting.engine = bench_engine_trammel();
    setting.options = (bench_options){.substeps = 4, .isa = isa, .threads = threads};
    (void)snprintf(name, sizeof name, "%s/threads-%u", tr_isa_name(isa), threads);
    bench_add_step_case(suite, group, name, setting);
}

static void add_peer(bench_suite *suite, bench_step_setting setting, const bench_engine *engine, const char *name,
                     bench_options options)
{
    setting.engine = engine;
    setting.options = options;
    setting.accuracy = bench_accuracy_make(suite);
    bench_add_step_case(suite, "engines", name, setting);
}

/* 10^3 to 10^6 joints, with about the same time for each size; the peers only to 10^5, to limit their time */
static void add_sizes(bench_suite *suite)
{
    static const scene_choice sizes[] = {
        {"grid", 23, 500, true}, {"grid", 71, 500, true}, {"grid", 224, 60, true}, {"grid", 708, 12, false}};
    const bench_options small = {.substeps = 4, .iterations = 1, .position_iterations = 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bench_step_setting setting = {.kind = sizes[i].kind, .size = sizes[i].size, .steps = sizes[i].steps};
        for (tr_isa isa = 0; isa < TR_ISA_COUNT; isa++)
            if (tr_isa_available(isa))
                add_trammel(suite, "scaling", setting, isa, 1);
        const bench_engine *const peers[] = {bench_engine_box2d(), bench_engine_chipmunk()};
        for (size_t p = 0; sizes[i].every_isa && p < sizeof peers / sizeof peers[0]; p++) {
            setting.engine = peers[p];
            setting.options = small;
            bench_add_step_case(suite, "scaling", "substeps-4", setting);
        }
    }
}

/* one scene in every engine on one thread; Trammel also on two threads and on all cores */
static void add_scene(bench_suite *suite, scene_choice scene)
{
    const tr_isa best = tr_get_isa();
    const uint32_t cores = tr_physical_cores();
    bench_step_setting setting = {.kind = scene.kind, .size = scene.size, .steps = scene.steps};
    setting.accuracy = bench_accuracy_make(suite);
    for (tr_isa isa = 0; isa < TR_ISA_COUNT; isa++)
        if (tr_isa_available(isa) && (scene.every_isa || isa == best || isa == TR_ISA_AVX2))
            add_trammel(suite, "engines", setting, isa, 1);
    if (cores >= 2)
        add_trammel(suite, "engines", setting, best, 2);
    if (cores > 2)
        add_trammel(suite, "engines", setting, best, cores);

    const bench_options box2d_small = {.substeps = 4, .iterations = 1, .position_iterations = 1};
    const bench_options box2d_classic = {.substeps = 1, .iterations = 8, .position_iterations = 3};
    add_peer(suite, setting, bench_engine_box2d(), "substeps-4", box2d_small);
    add_peer(suite, setting, bench_engine_box2d(), "iterations-8-3", box2d_classic);
    const bench_options chipmunk_small = {.substeps = 4, .iterations = 1};
    const bench_options chipmunk_classic = {.substeps = 1, .iterations = 10};
    add_peer(suite, setting, bench_engine_chipmunk(), "substeps-4", chipmunk_small);
    add_peer(suite, setting, bench_engine_chipmunk(), "iterations-10", chipmunk_classic);
}

void bench_add_steps(bench_suite *suite)
{
    static const scene_choice scenes[] = {
        {"grid", 100, 500, true},       {"grid", 316, 60, true},   {"chains", 1000, 500, false},
        {"ragdolls", 2000, 500, false}, {"hub", 5000, 500, false}, {"bridge", 1000, 500, false},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        add_scene(suite, scenes[i]);

    add_sizes(suite);
    for (uint32_t threads = 1; threads <= tr_physical_cores(); threads++) {
        bench_step_setting setting = {.kind = "grid", .size = 316, .steps = 60};
        add_trammel(suite, "threads", setting, tr_get_isa(), threads);
        if (tr_get_isa() != TR_ISA_AVX2 && tr_isa_available(TR_ISA_AVX2))
            add_trammel(suite, "threads", setting, TR_ISA_AVX2, threads);
    }
}
