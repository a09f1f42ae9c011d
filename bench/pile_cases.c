/*
 * Contacts of the application in space: columns of boxes, of which each rests on the next by one, two or four points; the
 * cost of a set that keeps all contacts, and of a step. `balls`: the same bodies on ball joints, to compare with.
 */
#include "bench.h"
#include "trammel/trammel.h"

#include <stdio.h>
#include <stdlib.h>

#define DT      0.016666666666666666
#define COLUMNS 1000u
#define HEIGHT  10u
#define BODIES  (COLUMNS * HEIGHT)
#define HALF    0.5
#define MOST    100u

typedef struct pile_state {
    tr3_world *world;
    tr3_body ground, ids[BODIES];
    tr3_contact_def contacts[BODIES];
    bench_sets sets;
    uint32_t points; /* of each contact; 0: balls */
} pile_state;

/* where a box touches what is under it: the middle of its lower face, two points of that or its corners */
static void find_contacts(pile_state *state)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        tr3_contact_def *contact = &state->contacts[i];
        const uint32_t column = i / HEIGHT, row = i % HEIGHT;
        *contact = tr3_contact_def_default();
        contact->body_a = row == 0 ? state->ground : state->ids[i - 1];
        contact->body_b = state->ids[i];
        contact->point_count = state->points;
        contact->friction = 0.6f;
        for (uint32_t k = 0; k < state->points; k++) {
            const double x = state->points == 1 ? 0.0 : k % 2 == 0 ? -HALF : HALF;
            const double z = state->points < 4 ? 0.0 : k / 2 == 0 ? -HALF : HALF;
            contact->point[k] = (tr_dvec3){2.0 * column + x, row, z};
        }
    }
}

static bool make_balls(const pile_state *state)
{
    bool ok = true;
    for (uint32_t i = 0; i < BODIES && ok; i++) {
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_BALL);
        const tr_dvec3 at = {2.0 * (i / HEIGHT), i % HEIGHT, 0.0};
        ok = tr3_joint_def_between(state->world, TR3_JOINT_BALL, i % HEIGHT == 0 ? state->ground : state->ids[i - 1],
                                   state->ids[i], at, at, (tr_vec3){1.0f, 0.0f, 0.0f}, &def) == TR_OK &&
             tr3_world_create_joint(state->world, &def, NULL) == TR_OK;
    }
    return ok;
}

static void begin(bench_run *run)
{
    pile_state *state = calloc(1, sizeof *state);
    run->state = state;
    tr3_world_def def = tr3_world_def_default();
    def.sleep.enable = false;
    def.threads = 1;
    bool ok = state != NULL && tr3_world_create(&def, &state->world, NULL) == TR_OK;
    tr3_body_def body = tr3_body_def_default();
    body.type = TR_STATIC;
    ok = ok && tr3_world_create_body(state->world, &body, &state->ground) == TR_OK;
    body.type = TR_DYNAMIC;
    body.inertia = (tr_sym3){1.0f / 6.0f, 1.0f / 6.0f, 1.0f / 6.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < BODIES && ok; i++) {
        body.position = (tr_dvec3){2.0 * (i / HEIGHT), HALF + i % HEIGHT, 0.0};
        ok = tr3_world_create_body(state->world, &body, &state->ids[i]) == TR_OK;
    }
    if (ok) {
        state->points = *(const uint32_t *)run->of->setting;
        find_contacts(state);
        ok = state->points > 0 || make_balls(state);
    }
    if (!ok)
        bench_fail(run, "the world cannot be made");
}

static double iterate(bench_run *run)
{
    pile_state *state = run->state;
    const double start = bench_thread_clock();
    bool ok = state->points == 0 || tr3_world_set_contacts(state->world, state->contacts, BODIES) == TR_OK;
    const double between = state->points == 0 ? start : bench_thread_clock();
    ok = ok && tr3_world_step(state->world, DT, 4) == TR_OK;
    const double end = bench_thread_clock();
    if (!ok)
        bench_fail(run, "the step failed");
    return bench_sets_add(&state->sets, between - start, end - between);
}

static void end(bench_run *run)
{
    pile_state *state = run->state;
    if (state == NULL)
        return;
    if (state->sets.samples > 0 && run->error == NULL) {
        bench_count_sets(run, &state->sets, BODIES);
        bench_count(run, "nonfinite", tr3_world_statistics(state->world).nonfinite_bodies);
    }
    tr3_world_destroy(state->world);
    free(state);
}

void bench_add_piles(bench_suite *suite)
{
    static const uint32_t points[] = {0, 1, 2, 4};
    static const char *const names[] = {"balls", "points-1", "points-2", "points-4"};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        uint32_t *own = malloc(sizeof *own);
        if (own == NULL) {
            suite->failed = true;
            return;
        }
        *own = points[i];
        bench_case added = {.iterations = MOST, .setting = own, .begin = begin, .iterate = iterate, .end = end};
        snprintf(added.name, sizeof added.name, "space/contacts/%s", names[i]);
        bench_suite_add(suite, added);
    }
}
