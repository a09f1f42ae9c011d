/* Steps of made scenes in which joints meet collision: a crowd with ropes, a building whose welds break. */
#include "bench.h"

#include <stdio.h>

typedef struct crowd_choice {
    const char *kind;
    uint32_t size, steps, substeps;
} crowd_choice;

static void add_threads(bench_suite *suite, const crowd_choice *choice, uint32_t threads)
{
    char name[48];
    const tr_isa best = tr_get_isa();
    (void)snprintf(name, sizeof name, "%s/threads-%u", tr_isa_name(best), threads);
    bench_step_setting setting = {
        .engine = bench_engine_trammel(),
        .options = {.substeps = choice->substeps, .isa = best, .threads = threads},
        .kind = choice->kind,
        .size = choice->size,
        .steps = choice->steps,
    };
    bench_add_step_case(suite, "crowds", name, setting);
}

void bench_add_crowds(bench_suite *suite)
{
    /* two seconds each: people meet, and the ball is through the first walls */
    static const crowd_choice choices[] = {{"crowd", 50000, 120, 4}, {"debris", 20000, 120, 8}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        for (uint32_t threads = 1; threads <= 2 && threads <= tr_physical_cores(); threads++)
            add_threads(suite, &choices[i], threads);
}
