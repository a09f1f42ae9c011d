/* Cost of a ray in a world of boxes and circles, in every engine: the same shapes, the same rays, the same results. */
#include "rays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/angle.h"

#define RAYS   10000u
#define LENGTH 40.0f /* m */

typedef struct ray_setting {
    const ray_engine *engine;
    uint32_t shapes;
} ray_setting;

typedef struct ray_state {
    ray_scene scene;
    void *world;
    double least;
    uint64_t random;
} ray_state;

static double uniform(ray_state *state, double low, double high)
{
    bench_random_step(&state->random);
    return low + (high - low) * (double)(state->random >> 40) / (double)(1u << 24);
}

/*
 * Trammel
 */
static void *create_trammel(const ray_scene *scene)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    if (tr2_world_create(&def, &world, NULL) != TR_OK)
        return NULL;
    bool ok = true;
    for (uint32_t i = 0; i < scene->shape_count && ok; i++) {
        const ray_shape *it = &scene->shapes[i];
        tr2_body_def body = tr2_body_def_default();
        tr2_body id;
        body.type = TR_STATIC;
        body.position = (tr_dvec2){it->x, it->y};
        body.angle = (double)it->angle;
        ok = tr2_world_create_body(world, &body, &id) == TR_OK;
        tr2_shape_def shape = it->half_y > 0.0f ? tr2_box_on(id, it->half_x, it->half_y)
                                                : tr2_circle_on(id, (tr_vec2){0.0f, 0.0f}, it->half_x);
        ok = ok && tr2_world_create_shape(world, &shape, NULL) == TR_OK;
    }
    /* the step sorts the shapes that were created one by one */
    ok = ok && tr2_world_step(world, 1.0 / 60.0, 1) == TR_OK;
    if (ok)
        return world;
    tr2_world_destroy(world);
    return NULL;
}

static void destroy_trammel(void *world)
{
    tr2_world_destroy(world);
}

static void cast_trammel(void *world, const ray_scene *scene)
{
    tr2_rays rays = {scene->ray_count, scene->x, scene->y, scene->translation_x, scene->translation_y};
    tr2_hits hits = {.fraction = scene->fraction};
    (void)tr2_world_cast_rays(world, &rays, NULL, &hits, NULL);
}

static const ray_engine trammel = {"trammel", create_trammel, destroy_trammel, cast_trammel};

/*
 * Cases
 */

/* the number of shapes per area is the same for all sizes, so that a ray meets equally many */
static bool make_scene(ray_state *state, uint32_t shapes)
{
    ray_scene *it = &state->scene;
    it->shape_count = shapes;
    it->ray_count = RAYS;
    it->shapes = calloc(shapes, sizeof *it->shapes);
    it->x = calloc(RAYS, sizeof *it->x);
    it->y = calloc(RAYS, sizeof *it->y);
    it->translation_x = calloc(RAYS, sizeof *it->translation_x);
    it->translation_y = calloc(RAYS, sizeof *it->translation_y);
    it->fraction = calloc(RAYS, sizeof *it->fraction);
    if (it->shapes == NULL || it->x == NULL || it->y == NULL || it->translation_x == NULL ||
        it->translation_y == NULL || it->fraction == NULL)
        return false;
    double side = 3.0 * sqrt((double)shapes);
    for (uint32_t i = 0; i < shapes; i++) {
        ray_shape *shape = &it->shapes[i];
        shape->x = uniform(state, 0.0, side);
        shape->y = uniform(state, 0.0, side);
        shape->angle = (float)uniform(state, 0.0, TR_TURN);
        shape->half_x = (float)uniform(state, 0.1, 0.5);
        shape->half_y = i % 2 == 0 ? (float)uniform(state, 0.1, 0.5) : 0.0f;
    }
    for (uint32_t i = 0; i < RAYS; i++) {
        double angle = uniform(state, 0.0, TR_TURN);
        it->x[i] = uniform(state, 0.0, side);
        it->y[i] = uniform(state, 0.0, side);
        it->translation_x[i] = LENGTH * (float)cos(angle);
        it->translation_y[i] = LENGTH * (float)sin(angle);
    }
    return true;
}

static void begin(bench_run *run)
{
    const ray_setting *of = run->of->setting;
    ray_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL || !make_scene(state, of->shapes)) {
        bench_fail(run, "no memory");
        return;
    }
    state->least = 1e9;
    state->world = of->engine->create(&state->scene);
    if (state->world == NULL)
        bench_fail(run, "no world");
}

static double iterate(bench_run *run)
{
    const ray_setting *of = run->of->setting;
    ray_state *state = run->state;
    double start = bench_clock();
    of->engine->cast(state->world, &state->scene);
    double seconds = bench_clock() - start;
    state->least = seconds < state->least ? seconds : state->least;
    return seconds;
}

static void end(bench_run *run)
{
    const ray_setting *of = run->of->setting;
    ray_state *state = run->state;
    if (state == NULL)
        return;
    ray_scene *it = &state->scene;
    if (run->error == NULL) {
        double sum = 0.0;
        uint32_t hits = 0;
        for (uint32_t i = 0; i < it->ray_count; i++) {
            sum += (double)it->fraction[i];
            hits += it->fraction[i] < 1.0f;
        }
        bench_count(run, "ns_per_ray", 1e9 * state->least / RAYS);
        bench_count(run, "hits_per_ray", (double)hits / RAYS);
        /* equal for all engines if their results are equal */
        bench_count(run, "mean_length", (double)LENGTH * sum / RAYS);
    }
    if (state->world != NULL)
        of->engine->destroy(state->world);
    free(it->shapes);
    free(it->x);
    free(it->y);
    free(it->translation_x);
    free(it->translation_y);
    free(it->fraction);
    free(state);
}

void bench_add_rays(bench_suite *suite)
{
    const ray_engine *engines[3] = {&trammel, ray_engine_box2d(), ray_engine_chipmunk()};
    const uint32_t sizes[2] = {1000, 100000};
    for (uint32_t i = 0; i < 6; i++) {
        const ray_engine *engine = engines[i % 3];
        if (engine == NULL)
            continue;
        ray_setting *setting = malloc(sizeof *setting);
        if (setting == NULL) {
            suite->failed = true;
            return;
        }
        *setting = (ray_setting){engine, sizes[i / 3]};
        bench_case added = {.iterations = 10, .setting = setting, .begin = begin, .iterate = iterate, .end = end};
        snprintf(added.name, sizeof added.name, "rays/%u/%s", sizes[i / 3], engine->name);
        bench_suite_add(suite, added);
    }
}
