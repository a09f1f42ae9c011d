/*
 * The same scenes with every method, over sub-steps and sweeps, as compared in docs/methods.md. Cases are named
 * methods/KIND-SIZE/trammel/METHOD/NxM: N sub-steps of M sweeps. The direct method, which has no sweeps, in the scenes of
 * many islands, beside the soft step (docs/exact.md).
 */
#include "bench.h"

#include "scene/core/storage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct link_choice {
    float length, mass, inertia;
} link_choice;

/* adds a link to a horizontal chain that ends at `reach`, and advances `reach` */
static tr_status add_link(tr2_builder *builder, double *reach, float before, link_choice link)
{
    tr2_scene_body *body = NULL;
    tr2_scene_joint *joint = NULL;
    uint32_t index = builder->scene->body_count;
    tr_status status = tr2_builder_body(builder, &body, NULL);
    if (status == TR_OK)
        status = tr2_builder_joint(builder, TR2_JOINT_REVOLUTE, &joint, NULL);
    if (status != TR_OK)
        return status;
    body->def.position.x = *reach + 0.5 * (double)link.length;
    body->def.mass = link.mass;
    body->def.inertia = link.inertia;
    *reach += (double)link.length;
    joint->body_a = index - 1;
    joint->body_b = index;
    joint->def.anchor_a.x = 0.5f * before;
    joint->def.anchor_b.x = -0.5f * link.length;
    return TR_OK;
}

tr_status bench_make_heavy_chain(uint32_t links, tr2_scene **out)
{
    const link_choice link = {1.0f, 1.0f, 1.0f / 12.0f}, ball = {2.0f, 1000.0f, 500.0f};
    tr2_builder builder;
    tr_status status = tr2_builder_start(&builder, "generated", NULL);
    if (status != TR_OK)
        return status;
    builder.scene->gravity = (tr_vec2){0.0f, -10.0f};
    tr2_scene_body *ground = NULL;
    double reach = 0.0;
    status = tr2_builder_body(&builder, &ground, NULL);
    if (status == TR_OK)
        ground->def.type = TR_STATIC;
    for (uint32_t i = 0; i < links && status == TR_OK; i++)
        status = add_link(&builder, &reach, i == 0 ? 0.0f : link.length, link);
    if (status == TR_OK)
        status = add_link(&builder, &reach, link.length, ball);
    if (status != TR_OK) {
        tr2_builder_drop(&builder);
        return status;
    }
    *out = tr2_builder_take(&builder);
    return TR_OK;
}

static void add_choice(bench_suite *suite, bench_step_setting setting, tr_method method, uint32_t substeps,
                       uint32_t sweeps)
{
    char name[48];
    setting.engine = bench_engine_trammel();
    setting.options =
        (bench_options){.substeps = substeps, .isa = tr_get_isa(), .threads = 1, .method = method, .sweeps = sweeps};
    setting.accuracy = bench_accuracy_make(suite);
    (void)snprintf(name, sizeof name, "%s/%ux%u", tr_method_name(method), substeps, sweeps);
    bench_add_step_case(suite, "methods", name, setting);
}

/* the heavy chain, solved by sweeps instead of exactly, because the sweeps' methods are compared */
static tr_status make_swept_chain(uint32_t links, tr2_scene **out)
{
    tr_status status = bench_make_heavy_chain(links, out);
    if (status == TR_OK)
        (*out)->direct_load = INFINITY;
    return status;
}

void bench_add_methods(bench_suite *suite)
{
    static const bench_step_setting scenes[] = {
        {.kind = "grid", .size = 100, .steps = 500},
        {.kind = "chains", .size = 1000, .steps = 500},
        {.kind = "ragdolls", .size = 500, .steps = 500},
        {.kind = "hub", .size = 1000, .steps = 500},
        {.kind = "heavy-chain", .size = 30, .steps = 500, .make = make_swept_chain},
    };
    static const uint32_t classic[][2] = {{1, 4}, {1, 8}, {1, 16}, {1, 32}, {2, 8}, {4, 8}};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        for (tr_method method = TR_SOFT_STEP; method <= TR_POSITION_BASED; method++)
            for (uint32_t substeps = 1; substeps <= 32; substeps *= 2)
                add_choice(suite, scenes[s], method, substeps, 1);
        if (strcmp(scenes[s].kind, "chains") == 0 || strcmp(scenes[s].kind, "ragdolls") == 0)
            add_choice(suite, scenes[s], TR_DIRECT, 4, 1);
        for (size_t i = 0; i < sizeof classic / sizeof classic[0]; i++)
            add_choice(suite, scenes[s], TR_SEQUENTIAL_IMPULSES, classic[i][0], classic[i][1]);
    }
}
