/* Contacts passed by the application: cost of a set if all contacts persist, or if a tenth are new; and of a step
   with 10,000. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#define DT      0.016666666666666666
#define COLUMNS 71u
#define DISCS   (COLUMNS * COLUMNS)
#define MOST    (2u * DISCS)
#define RADIUS  0.25

/* discs in columns on the ground, each touching its neighbours: 10,011 contacts */
typedef struct contact_state {
    tr2_world *world;
    tr2_body ground, ids[DISCS];
    tr2_transform at[DISCS];
    tr2_contact_def defs[MOST];
    uint32_t count;
    uint64_t fresh; /* next id that was never used */
    bench_sets sets;
} contact_state;

static void touch(contact_state *state, tr2_body a, tr2_body b, tr_dvec2 from, tr_dvec2 to, double radii)
{
    tr2_contact_def *def = &state->defs[state->count++];
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    *def = tr2_contact_def_default();
    def->body_a = a;
    def->body_b = b;
    def->normal = (tr_vec2){(float)(x / length), (float)(y / length)};
    def->point[0] = (tr_dvec2){0.5 * (from.x + to.x), 0.5 * (from.y + to.y)};
    def->separation[0] = (float)(length - radii);
    def->friction = 0.5f;
}

static bool find_contacts(contact_state *state)
{
    if (tr2_world_get_transforms(state->world, state->ids, DISCS, state->at) != TR_OK)
        return false;
    state->count = 0;
    for (uint32_t i = 0; i < DISCS; i++) {
        tr_dvec2 here = state->at[i].position;
        if (i % COLUMNS > 0)
            touch(state, state->ids[i - 1], state->ids[i], state->at[i - 1].position, here, 2.0 * RADIUS);
        if (i >= COLUMNS)
            touch(state, state->ids[i - COLUMNS], state->ids[i], state->at[i - COLUMNS].position, here, 2.0 * RADIUS);
        else
            touch(state, state->ground, state->ids[i], (tr_dvec2){here.x, -1.0}, here, 1.0 + RADIUS);
    }
    return true;
}

static bool set(const contact_state *state)
{
    return tr2_world_set_contacts(state->world, state->defs, state->count) == TR_OK;
}

static void begin(bench_run *run)
{
    contact_state *state = calloc(1, sizeof *state);
    run->state = state;
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.threads = 1;
    bool ok = state != NULL && tr2_world_create(&def, &state->world, NULL) == TR_OK;
    tr2_body_def body = tr2_body_def_default();
    body.type = TR_STATIC;
    ok = ok && tr2_world_create_body(state->world, &body, &state->ground) == TR_OK;
    body.type = TR_DYNAMIC;
    body.inertia = (float)(0.5 * RADIUS * RADIUS);
    for (uint32_t i = 0; i < DISCS && ok; i++) {
        body.position = (tr_dvec2){2.0 * RADIUS * (i % COLUMNS), RADIUS * (1.0 + 2.0 * (i / COLUMNS))};
        ok = tr2_world_create_body(state->world, &body, &state->ids[i]) == TR_OK;
    }
    for (int i = 0; i < 10 && ok; i++)
        ok = find_contacts(state) && set(state) && tr2_world_step(state->world, DT, 4) == TR_OK;
    if (!ok)
        bench_fail(run, "the world cannot be made");
}

/* sets the same contacts again */
static double iterate_same(bench_run *run)
{
    contact_state *state = run->state;
    double start = bench_clock();
    bool ok = set(state);
    double seconds = bench_clock() - start;
    if (!ok)
        bench_fail(run, "the contacts were refused");
    return bench_sets_add(&state->sets, seconds, 0.0);
}

/* replaces every tenth contact by a new one */
static double iterate_tenth(bench_run *run)
{
    contact_state *state = run->state;
    for (uint32_t i = (uint32_t)(state->fresh % 10); i < state->count; i += 10)
        state->defs[i].id = 1 + state->fresh++;
    return iterate_same(run);
}

static double iterate_step(bench_run *run)
{
    contact_state *state = run->state;
    bool ok = find_contacts(state);
    double start = bench_clock();
    ok = ok && set(state);
    double between = bench_clock();
    ok = ok && tr2_world_step(state->world, DT, 4) == TR_OK;
    double end = bench_clock();
    if (!ok)
        bench_fail(run, "the step failed");
    return bench_sets_add(&state->sets, between - start, end - between);
}

static void end(bench_run *run)
{
    contact_state *state = run->state;
    if (state == NULL)
        return;
    if (state->sets.samples > 0 && run->error == NULL) {
        tr_statistics statistics = tr2_world_statistics(state->world);
        bench_count(run, "contacts", state->count);
        bench_count_sets(run, &state->sets, state->count);
        bench_count(run, "colors", statistics.colors);
        bench_count(run, "lane_fill", statistics.lane_fill);
    }
    tr2_world_destroy(state->world);
    free(state);
}

void bench_add_contacts(bench_suite *suite)
{
    const bench_case cases[] = {
        {"contacts/set/same", 100, NULL, begin, iterate_same, end},
        {"contacts/set/tenth-new", 100, NULL, begin, iterate_tenth, end},
        {"contacts/step", 100, NULL, begin, iterate_step, end},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        bench_suite_add(suite, cases[i]);
}
