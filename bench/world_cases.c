/*
 * Whole steps of worlds that collide, in every engine: one iteration is one step of 1/60 s, starting with a new scene.
 * The result is the mean over the steps of each step's least time in all repetitions: it weighs busy and calm phases of
 * a scene, and suppresses other load on the machine. The depth of overlaps, the motion of piles and the number of
 * intact welds are measured once per engine and setting, between the steps of the first repetition, by the same code
 * for all.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collide/geometry/geometry.h"

#define DT 0.016666666666666666

/* overlaps are measured from this step on, at this interval of steps */
#define SETTLED    60u
#define LOOK_EVERY 10u

/* m; a weld with its anchors farther apart than this has broken */
#define BROKEN 0.05

typedef struct world_quality {
    bool known;
    /* of the last state: equal for all instruction sets and numbers of threads; 0: not available */
    uint64_t hash;
    uint32_t welds, held; /* number of welds, and of those not broken */
    double deepest;       /* m, of the steps that were measured */
    double mean;          /* m, mean over these steps of the deepest overlap */
    double moved;         /* m, greatest horizontal displacement of a body */
} world_quality;

typedef struct world_setting {
    const bench_engine *engine;
    bench_options options;
    const char *kind;
    uint32_t size, steps, substeps; /* substeps 0: 4 */
    bool stands;                    /* whether the bodies should stay in place */
    bool discrete;                  /* Box2D only without its continuous collision, which would take minutes */
    world_quality *quality;
    double *least; /* s, of each step over the repetitions, which all simulate the same motion */
} world_setting;

typedef struct world_state {
    tr2_scene *scene;
    void *world;
    uint32_t stepped, looks;
    tr2_transform *bodies; /* null: the quality is known already */
    uint64_t *joined;      /* sorted pairs of bodies that a joint keeps from colliding; used with `bodies` */
    uint32_t joined_count;
    world_quality found;
} world_state;

/*
 * Overlaps
 */
typedef struct placed {
    double left, right, low, high;
    uint32_t shape;
    tr2_geometry geometry;
    tr2_transform frame;
} placed;

static int compare_lefts(const void *a, const void *b)
{
    double x = ((const placed *)a)->left, y = ((const placed *)b)->left;
    return (x > y) - (x < y);
}

static bool place(const tr2_scene *scene, uint32_t shape, const tr2_transform *bodies, placed *out)
{
    const tr2_scene_shape *of = &scene->shapes[shape];
    const tr_vec2 *vertices = scene->vertices + of->first_vertex;
    tr_status status = of->type == TR2_SCENE_CIRCLE
                           ? tr2_geometry_circle(1.0f, vertices[0], of->radius, &out->geometry)
                           : tr2_hull_make(1.0f, vertices, of->vertex_count, 0.0f, &out->geometry);
    out->shape = shape;
    out->frame = bodies[of->body];
    tr2_bounds box = tr2_geometry_bounds(&out->geometry, out->frame.c, out->frame.s);
    out->left = out->frame.position.x + (double)box.lower.x;
    out->right = out->frame.position.x + (double)box.upper.x;
    out->low = out->frame.position.y + (double)box.lower.y;
    out->high = out->frame.position.y + (double)box.upper.y;
    return status == TR_OK;
}

static uint64_t key_of(uint32_t body_a, uint32_t body_b)
{
    return body_a < body_b ? (uint64_t)body_a << 32 | body_b : (uint64_t)body_b << 32 | body_a;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool list_joined(world_state *state)
{
    const tr2_scene *scene = state->scene;
    state->joined = malloc(((size_t)scene->joint_count + 1) * sizeof *state->joined);
    for (uint32_t i = 0; state->joined != NULL && i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        if (!joint->def.collide_connected)
            state->joined[state->joined_count++] = key_of(joint->body_a, joint->body_b);
    }
    if (state->joined != NULL)
        qsort(state->joined, state->joined_count, sizeof *state->joined, compare_keys);
    return state->joined != NULL;
}

/* whether two shapes can collide in these scenes: not within a ragdoll, which has a group of its own, and not
   between bodies that a joint connected, so bricks with a broken weld between them are not tested */
static bool may_collide(const world_state *state, uint32_t a, uint32_t b)
{
    const tr2_scene *scene = state->scene;
    const tr2_scene_shape *one = &scene->shapes[a], *other = &scene->shapes[b];
    bool moves = scene->bodies[one->body].def.type == TR_DYNAMIC || scene->bodies[other->body].def.type == TR_DYNAMIC;
    if (!moves || one->body == other->body || (one->filter.group != 0 && one->filter.group == other->filter.group))
        return false;
    uint64_t key = key_of(one->body, other->body);
    return state->joined_count == 0 ||
           bsearch(&key, state->joined, state->joined_count, sizeof key, compare_keys) == NULL;
}

static double overlap_of(const placed *a, const placed *b)
{
    tr2_manifold found = tr2_collide(&a->geometry, tr2_pose_between(&a->frame, &b->frame), &b->geometry, 0.0f);
    double deepest = 0.0;
    for (uint32_t i = 0; i < found.count; i++)
        deepest = fmax(deepest, -(double)found.points[i].separation);
    return deepest;
}

/* NAN if out of memory or a shape is invalid */
static double deepest_overlap(const world_state *state)
{
    const tr2_scene *scene = state->scene;
    placed *all = malloc(((size_t)scene->shape_count + 1) * sizeof *all);
    double deepest = all == NULL ? NAN : 0.0;
    for (uint32_t i = 0; all != NULL && i < scene->shape_count; i++)
        if (!place(scene, i, state->bodies, &all[i]))
            deepest = NAN;
    if (all != NULL && !isnan(deepest)) {
        qsort(all, scene->shape_count, sizeof *all, compare_lefts);
        for (uint32_t i = 0; i < scene->shape_count; i++)
            for (uint32_t k = i + 1; k < scene->shape_count && all[k].left <= all[i].right; k++)
                if (all[i].low <= all[k].high && all[k].low <= all[i].high &&
                    may_collide(state, all[i].shape, all[k].shape))
                    deepest = fmax(deepest, overlap_of(&all[i], &all[k]));
    }
    free(all);
    return deepest;
}

static void count_welds(const tr2_scene *scene, const tr2_transform *bodies, world_quality *out)
{
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        if (joint->def.type != TR2_JOINT_WELD)
            continue;
        out->welds++;
        out->held += bench_anchors_apart(joint, bodies) < BROKEN;
    }
}

/* measures the quality between two steps, not timed */
static void look(const world_setting *setting, world_state *state)
{
    if (state->stepped > SETTLED && state->stepped % LOOK_EVERY == 0) {
        setting->engine->read(state->world, state->bodies);
        double deepest = deepest_overlap(state);
        state->found.deepest = fmax(state->found.deepest, deepest);
        state->found.mean += deepest;
        state->looks++;
    }
    if (state->stepped < setting->steps)
        return;
    setting->engine->read(state->world, state->bodies);
    for (uint32_t i = 0; i < state->scene->body_count; i++)
        state->found.moved =
            fmax(state->found.moved, fabs(state->bodies[i].position.x - state->scene->bodies[i].def.position.x));
    state->found.mean /= state->looks > 0 ? state->looks : 1;
    count_welds(state->scene, state->bodies, &state->found);
    state->found.hash = setting->engine->hash != NULL ? setting->engine->hash(state->world) : 0;
    state->found.known = true;
    *setting->quality = state->found;
}

/*
 * The case
 */
static void begin(bench_run *run)
{
    const world_setting *setting = run->of->setting;
    world_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    if (tr2_scene_generate(setting->kind, setting->size, &state->scene, NULL) != TR_OK) {
        bench_fail(run, "the scene cannot be made");
        return;
    }
    bool looks = setting->quality != NULL && !setting->quality->known;
    if (looks)
        state->bodies = malloc(((size_t)state->scene->body_count + 1) * sizeof *state->bodies);
    if (setting->quality == NULL || setting->least == NULL ||
        (looks && (state->bodies == NULL || !list_joined(state)))) {
        bench_fail(run, "no memory");
        return;
    }
    state->world = setting->engine->create(state->scene, &setting->options);
    if (state->world == NULL)
        bench_fail(run, "the engine cannot make the world");
}

static double iterate(bench_run *run)
{
    const world_setting *setting = run->of->setting;
    world_state *state = run->state;
    /* on one thread measure its CPU time, which other load on the machine does not affect */
    double (*clock)(void) = setting->options.threads > 1 ? bench_clock : bench_thread_clock;
    double start = clock();
    bool ok = setting->engine->step(state->world, DT);
    double seconds = clock() - start;
    if (!ok)
        bench_fail(run, "the step failed");
    double *least = &setting->least[state->stepped++];
    if (*least == 0.0 || seconds < *least)
        *least = seconds;
    if (ok && state->bodies != NULL)
        look(setting, state);
    return seconds;
}

static void end(bench_run *run)
{
    const world_setting *setting = run->of->setting;
    world_state *state = run->state;
    if (state == NULL)
        return;
    if (run->error == NULL) {
        const world_quality *quality = setting->quality;
        double seconds = 0.0;
        for (uint32_t i = 0; i < state->stepped; i++)
            seconds += setting->least[i];
        bench_count(run, "bodies", state->scene->body_count);
        bench_count(run, "step_us", 1e6 * seconds / state->stepped);
        bench_count(run, "deepest_mm", 1e3 * quality->deepest);
        bench_count(run, "mean_deepest_mm", 1e3 * quality->mean);
        if (setting->stands)
            bench_count(run, "moved_mm", 1e3 * quality->moved);
        if (quality->welds > 0) {
            bench_count(run, "welds", quality->welds);
            bench_count(run, "held", quality->held);
        }
        if (quality->hash != 0 && setting->engine->hash(state->world) != quality->hash)
            bench_fail(run, "the state differs from that of the first run");
        if (setting->engine->report_world != NULL)
            setting->engine->report_world(state->world, run);
    }
    setting->engine->destroy(state->world);
    tr2_scene_destroy(state->scene);
    free(state->bodies);
    free(state->joined);
    free(state);
}

/*
 * The list
 */
static void add_case(bench_suite *suite, world_setting setting, const bench_engine *engine, const char *name,
                     bench_options options)
{
    world_setting *kept = engine != NULL ? malloc(sizeof *kept) : NULL;
    if (kept == NULL) {
        suite->failed = suite->failed || engine != NULL;
        return;
    }
    *kept = setting;
    kept->engine = engine;
    kept->options = options;
    if (kept->quality == NULL)
        kept->quality = bench_suite_own(suite, sizeof *kept->quality);
    kept->least = bench_suite_own(suite, setting.steps * sizeof *kept->least);
    bench_case added = {.iterations = setting.steps, .setting = kept, .begin = begin, .iterate = iterate, .end = end};
    (void)snprintf(added.name, sizeof added.name, "worlds/%s-%u/%s/%s", setting.kind, setting.size, engine->name, name);
    bench_suite_add(suite, added);
}

static void add_trammel(bench_suite *suite, world_setting setting, tr_isa isa, uint32_t threads)
{
    char name[48];
    (void)snprintf(name, sizeof name, "%s/threads-%u", tr_isa_name(isa), threads);
    add_case(suite, setting, bench_engine_trammel(), name,
             (bench_options){.substeps = setting.substeps > 0 ? setting.substeps : 4, .isa = isa, .threads = threads});
}

static void add_world(bench_suite *suite, world_setting setting)
{
    const tr_isa best = tr_get_isa();
    /* all instruction sets and numbers of threads simulate the same motion */
    world_setting own = setting;
    own.quality = bench_suite_own(suite, sizeof *own.quality);
    if (best != TR_ISA_AVX2 && tr_isa_available(TR_ISA_AVX2))
        add_trammel(suite, own, TR_ISA_AVX2, 1);
    add_trammel(suite, own, best, 1);
    if (tr_physical_cores() >= 2)
        add_trammel(suite, own, best, 2);
    /* in the other cases nothing collides, and Box2D's continuous collision is off */
    bench_options box2d = {.substeps = 1, .iterations = 8, .position_iterations = 3, .continuous = true};
    if (!setting.discrete)
        add_case(suite, setting, bench_engine_box2d(), "iterations-8-3", box2d);
    box2d.continuous = false;
    add_case(suite, setting, bench_engine_box2d(), "iterations-8-3-discrete", box2d);
    add_case(suite, setting, bench_engine_chipmunk(), "iterations-10",
             (bench_options){.substeps = 1, .iterations = 10});
}

void bench_add_worlds(bench_suite *suite)
{
    static const world_setting worlds[] = {
        {.kind = "pyramid", .size = 100, .steps = 200, .stands = true},
        {.kind = "pyramids", .size = 10, .steps = 200, .stands = true},
        {.kind = "tumbler", .size = 45, .steps = 400},
        {.kind = "rain", .size = 200, .steps = 400},
        {.kind = "smash", .size = 80, .steps = 120},
        {.kind = "discs", .size = 10000, .steps = 200},
        {.kind = "crowd", .size = 50000, .steps = 80},
        /* until the ball is through the first walls; with the scene's number of sub-steps */
        {.kind = "debris", .size = 20000, .steps = 100, .substeps = 8, .discrete = true},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        add_world(suite, worlds[i]);
}
