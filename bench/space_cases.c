/*
 * Worlds in space, on one thread: steps of a sheet of 100x100 unit cubes that hangs on its top row, with 19,800 joints
 * of one type to the right and below, plain and with features. A visit is one joint in one pass (warm start, solve,
 * relax).
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define DT       0.016666666666666666
#define SIZE     100u
#define BODIES   (SIZE * SIZE)
#define JOINTS   (2u * SIZE * (SIZE - 1u))
#define SUBSTEPS 4u
#define PASSES   3u
#define MOST     120u

typedef struct sheet_setting {
    tr3_joint_type type;
    bool featured;
} sheet_setting;

typedef struct sheet_state {
    tr3_world *world;
    tr3_body ids[BODIES];
    tr3_body_def bodies[BODIES];
    tr3_joint_def joints[JOINTS];
    double step[MOST], passes[MOST];
    uint32_t samples;
} sheet_state;

/* in the middle between neighbours, without an error; `featured`: with what the type has, at low strength */
static tr_status make_joint(const sheet_setting *setting, const sheet_state *state, uint32_t a, uint32_t b,
                            tr3_joint_def *out)
{
    const tr_dvec3 *from = &state->bodies[a].position, *to = &state->bodies[b].position;
    tr_dvec3 middle = {0.5 * (from->x + to->x), 0.5 * (from->y + to->y), 0.0};
    bool rod = setting->type == TR3_JOINT_DISTANCE;
    tr_status status =
        tr3_joint_def_between(state->world, setting->type, state->ids[a], state->ids[b], rod ? *from : middle,
                              rod ? *to : middle, (tr_vec3){0.0f, 0.0f, 1.0f}, out);
    if (status != TR_OK || !setting->featured)
        return status;
    tr_softness soft = tr_frequency(20.0f, 1.0f);
    switch (setting->type) {
    case TR3_JOINT_BALL:
        out->angular = tr_frequency(1.0f, 0.5f);
        out->cone_angle = 1.0f;
        out->twist = (tr_limit){true, -1.0f, 1.0f};
        out->friction = 0.1f;
        break;
    case TR3_JOINT_WELD:
        out->linear = out->angular = soft;
        break;
    case TR3_JOINT_HINGE:
    case TR3_JOINT_SLIDER:
        out->spring = (tr_spring){true, 0.0f, soft};
        out->limit = (tr_limit){true, -1.0f, 1.0f};
        out->motor = (tr_motor){true, 0.1f, 0.5f};
        out->friction = 0.1f;
        break;
    case TR3_JOINT_DISTANCE:
        out->linear = soft;
        out->limit = (tr_limit){true, 0.5f, 2.0f};
        break;
    default:
        break;
    }
    return status;
}

static tr_status make_sheet(sheet_state *state, const sheet_setting *setting)
{
    tr3_world_def def = tr3_world_def_default();
    def.threads = 1;
    for (uint32_t i = 0; i < BODIES; i++) {
        state->bodies[i] = tr3_body_def_default();
        state->bodies[i].type = i < SIZE ? TR_STATIC : TR_DYNAMIC;
        state->bodies[i].position = (tr_dvec3){i % SIZE, -(double)(i / SIZE), 0.0};
        state->bodies[i].inertia = (tr_sym3){1.0f / 6.0f, 1.0f / 6.0f, 1.0f / 6.0f, 0.0f, 0.0f, 0.0f};
    }
    tr_status status = tr3_world_create(&def, &state->world, NULL);
    if (status == TR_OK)
        status = tr3_world_create_bodies(state->world, state->bodies, BODIES, state->ids);
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES && status == TR_OK; i++) {
        if (i % SIZE + 1 < SIZE)
            status = make_joint(setting, state, i, i + 1, &state->joints[count++]);
        if (i + SIZE < BODIES && status == TR_OK)
            status = make_joint(setting, state, i, i + SIZE, &state->joints[count++]);
    }
    if (status == TR_OK)
        status = tr3_world_create_joints(state->world, state->joints, count, NULL);
    return status == TR_OK ? tr3_world_optimize(state->world) : status;
}

static void begin(bench_run *run)
{
    sheet_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    tr_status status = make_sheet(state, run->of->setting);
    if (status != TR_OK)
        bench_fail(run, state->world != NULL ? tr3_world_last_error(state->world)->message : tr_status_name(status));
}

static double iterate(bench_run *run)
{
    sheet_state *state = run->state;
    if (tr3_world_step(state->world, DT, SUBSTEPS) != TR_OK)
        bench_fail(run, "the step failed");
    tr_statistics s = tr3_world_statistics(state->world);
    state->passes[state->samples] =
        s.stage_seconds[TR_STAGE_WARM_START] + s.stage_seconds[TR_STAGE_SOLVE] + s.stage_seconds[TR_STAGE_RELAX];
    state->step[state->samples++] = s.seconds;
    return s.seconds;
}

static void end(bench_run *run)
{
    sheet_state *state = run->state;
    if (state == NULL)
        return;
    if (state->samples > 0 && run->error == NULL) {
        tr3_measures m = tr3_world_measure(state->world);
        bench_count(run, "ns_per_joint", 1e9 * bench_median(state->step, state->samples) / JOINTS);
        bench_count(run, "ns_per_visit",
                    1e9 * bench_median(state->passes, state->samples) / (JOINTS * SUBSTEPS * PASSES));
        bench_count(run, "rms_error_mm", 1e3 * m.joint_error_rms);
        bench_count(run, "max_error_mm", 1e3 * m.joint_error_max);
        bench_count(run, "nonfinite", tr3_world_statistics(state->world).nonfinite_bodies);
    }
    tr3_world_destroy(state->world);
    free(state);
}

void bench_add_space(bench_suite *suite)
{
    for (int type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        for (int featured = 0; featured <= 1; featured++) {
            bench_case added = {.iterations = MOST, .begin = begin, .iterate = iterate, .end = end};
            sheet_setting *setting = malloc(sizeof *setting);
            if (setting == NULL) {
                suite->failed = true;
                return;
            }
            *setting = (sheet_setting){(tr3_joint_type)type, featured != 0};
            added.setting = setting;
            snprintf(added.name, sizeof added.name, "space/%s/%s", tr3_joint_type_name((tr3_joint_type)type),
                     featured ? "featured" : "plain");
            bench_suite_add(suite, added);
        }
    }
}
