/*
 * The same scenes with every method, over sub-steps and sweeps, as compared in docs/methods.md. Cases are named
 * methods/KIND-SIZE/trammel/METHOD/NxM: N sub-steps of M sweeps. The direct method, which has no sweeps, in the scenes of
 * many islands, beside the soft step. Machines and chains by three methods and the direct one, for the picture of
 * docs/exact.md: exact/KIND-SIZE/trammel/METHOD/Nx1. And machines whose motion is known, with ever shorter sub-steps, by all
 * methods: steps/KIND-SIZE/trammel/METHOD/NxM.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_choice(bench_suite *suite, const char *group, bench_step_setting setting, tr_method method,
                       uint32_t substeps, uint32_t sweeps)
{
    char name[48];
    setting.engine = bench_engine_trammel();
    setting.options =
        (bench_options){.substeps = substeps, .isa = tr_get_isa(), .threads = 1, .method = method, .sweeps = sweeps};
    setting.accuracy = bench_accuracy_make(suite);
    (void)snprintf(name, sizeof name, "%s/%ux%u", tr_method_name(method), substeps, sweeps);
    bench_add_step_case(suite, group, name, setting);
}

/* solved by sweeps instead of exactly, because the sweeps' methods are compared */
static tr_status make_heavy_chain(uint32_t links, tr2_scene **out)
{
    return bench_make_chain(links, 1e3f, out);
}

static tr_status make_heavier_chain(uint32_t links, tr2_scene **out)
{
    return bench_make_chain(links, 1e5f, out);
}

void bench_add_methods(bench_suite *suite)
{
    static const bench_step_setting scenes[] = {
        {.kind = "grid", .size = 100, .steps = 500},
        {.kind = "chains", .size = 1000, .steps = 500},
        {.kind = "ragdolls", .size = 500, .steps = 500},
        {.kind = "hub", .size = 1000, .steps = 500},
        {.kind = "heavy-chain", .size = 30, .steps = 500, .make = make_heavy_chain},
    };
    static const uint32_t classic[][2] = {{1, 4}, {1, 8}, {1, 16}, {1, 32}, {2, 8}, {4, 8}};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        for (tr_method method = TR_SOFT_STEP; method <= TR_POSITION_BASED; method++)
            for (uint32_t substeps = 1; substeps <= 32; substeps *= 2)
                add_choice(suite, "methods", scenes[s], method, substeps, 1);
        if (strcmp(scenes[s].kind, "chains") == 0 || strcmp(scenes[s].kind, "ragdolls") == 0)
            add_choice(suite, "methods", scenes[s], TR_DIRECT, 4, 1);
        for (size_t i = 0; i < sizeof classic / sizeof classic[0]; i++)
            add_choice(suite, "methods", scenes[s], TR_SEQUENTIAL_IMPULSES, classic[i][0], classic[i][1]);
    }
}

void bench_add_exact(bench_suite *suite)
{
    static const bench_step_setting scenes[] = {
        {.kind = "heavy-chain", .size = 30, .steps = 300, .make = make_heavy_chain},
        {.kind = "heavier-chain", .size = 30, .steps = 300, .make = make_heavier_chain},
        {.kind = "truss", .size = 20, .steps = 300, .make = bench_make_truss},
        {.kind = "linkage", .size = 2, .steps = 300, .make = bench_make_linkage, .deviation = bench_linkage_deviation},
        {.kind = "chains", .size = 1000, .steps = 120},
    };
    static const tr_method methods[] = {TR_SOFT_STEP, TR_SMALL_STEP, TR_POSITION_BASED, TR_DIRECT};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            for (uint32_t substeps = 1; substeps <= 64; substeps *= 2)
                add_choice(suite, "exact", scenes[s], methods[m], substeps, 1);
    static const bench_step_setting known[] = {
        {.kind = "pendulum",
         .size = 1,
         .steps = 120,
         .make = bench_make_pendulum,
         .deviation = bench_pendulum_deviation},
        {.kind = "linkage", .size = 2, .steps = 180, .make = bench_make_linkage, .deviation = bench_linkage_deviation},
    };
    for (size_t s = 0; s < sizeof known / sizeof known[0]; s++)
        for (tr_method method = TR_SOFT_STEP; method < TR_METHOD_COUNT; method++)
            for (uint32_t substeps = 4; substeps <= 1024; substeps *= 4)
                add_choice(suite, "steps", known[s], method, substeps, method == TR_SEQUENTIAL_IMPULSES ? 8 : 1);
}
