/*
 * Islands that are solved directly because they are strained, over sub-steps: a heavy chain and a light hub; great ones of
 * both in worlds of the direct method. A grid with its bodies in random order. Cases are named
 * strained/KIND-SIZE/trammel/substeps-N, direct/KIND-SIZE/trammel/substeps-4 and order/KIND-SIZE/trammel/substeps-4.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* the generated hub with a thousandth of its mass: a 250th of the mass that it carries */
static tr_status make_light_hub(uint32_t size, tr2_scene **out)
{
    tr_status status = tr2_scene_generate("hub", size, out, NULL);
    if (status == TR_OK) {
        (*out)->bodies[1].def.mass *= 1e-3f;
        (*out)->bodies[1].def.inertia *= 1e-3f;
    }
    return status;
}

/* the generated grid with its bodies in a fixed random order */
static tr_status make_shuffled_grid(uint32_t size, tr2_scene **out)
{
    tr_status status = tr2_scene_generate("grid", size, out, NULL);
    if (status != TR_OK)
        return status;
    tr2_scene *scene = *out;
    uint32_t *place = malloc(((size_t)scene->body_count + 1) * sizeof *place);
    if (place == NULL) {
        tr2_scene_destroy(scene);
        return TR_ERROR_MEMORY;
    }
    /* shuffle: place[i] is the former index of the body at i */
    uint64_t random = 1;
    for (uint32_t i = 0; i < scene->body_count; i++)
        place[i] = i;
    for (uint32_t i = scene->body_count; i-- > 1;) {
        bench_random_step(&random);
        uint32_t other = (uint32_t)((random >> 33) % (i + 1)), from = place[i];
        tr2_scene_body body = scene->bodies[i];
        scene->bodies[i] = scene->bodies[other];
        scene->bodies[other] = body;
        place[i] = place[other];
        place[other] = from;
    }
    uint32_t *now = calloc((size_t)scene->body_count + 1, sizeof *now);
    for (uint32_t i = 0; now != NULL && i < scene->body_count; i++)
        now[place[i]] = i;
    for (uint32_t j = 0; now != NULL && j < scene->joint_count; j++) {
        scene->joints[j].body_a = now[scene->joints[j].body_a];
        scene->joints[j].body_b = now[scene->joints[j].body_b];
    }
    free(place);
    bool done = now != NULL;
    free(now);
    if (!done)
        tr2_scene_destroy(scene);
    return done ? TR_OK : TR_ERROR_MEMORY;
}

/* a chain with a load that decides that it is strained */
static tr_status make_heavy_chain(uint32_t links, tr2_scene **out)
{
    tr_status status = bench_make_chain(links, 1e3f, out);
    if (status == TR_OK)
        (*out)->direct_load = tr2_world_def_default().direct_load;
    return status;
}

static void add(bench_suite *suite, const char *group, bench_step_setting setting, tr_method method, uint32_t substeps)
{
    char name[48];
    setting.engine = bench_engine_trammel();
    setting.options = (bench_options){.substeps = substeps, .isa = tr_get_isa(), .threads = 1, .method = method};
    setting.accuracy = bench_accuracy_make(suite);
    (void)snprintf(name, sizeof name, "substeps-%u", substeps);
    bench_add_step_case(suite, group, name, setting);
}

void bench_add_strained(bench_suite *suite)
{
    static const bench_step_setting strained[] = {
        {.kind = "heavy-chain", .size = 30, .steps = 500, .make = make_heavy_chain},
        {.kind = "light-hub", .size = 5000, .steps = 200, .make = make_light_hub},
    };
    static const bench_step_setting great[] = {
        {.kind = "heavy-chain", .size = 1000, .steps = 200, .make = make_heavy_chain},
        {.kind = "heavy-chain", .size = 5000, .steps = 100, .make = make_heavy_chain},
        {.kind = "light-hub", .size = 5000, .steps = 100, .make = make_light_hub},
    };
    static const bench_step_setting orders[] = {
        {.kind = "grid", .size = 100, .steps = 200},
        {.kind = "shuffled-grid", .size = 100, .steps = 200, .make = make_shuffled_grid},
        {.kind = "grid", .size = 316, .steps = 60},
        {.kind = "shuffled-grid", .size = 316, .steps = 60, .make = make_shuffled_grid},
    };
    for (size_t i = 0; i < sizeof strained / sizeof strained[0]; i++)
        for (uint32_t substeps = 1; substeps <= 8; substeps *= 2)
            add(suite, "strained", strained[i], TR_SOFT_STEP, substeps);
    for (size_t i = 0; i < sizeof great / sizeof great[0]; i++)
        add(suite, "direct", great[i], TR_DIRECT, 4);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        add(suite, "order", orders[i], TR_SOFT_STEP, 4);
}
