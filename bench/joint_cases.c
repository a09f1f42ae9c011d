/*
 * Cost of a visit of each joint type: the same grid of 50x50 bodies and the same edges for all types, plain and with
 * all features, on one thread. The grid fits in the level 2 cache. A visit is one joint in one pass (warm start, solve,
 * relax).
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define DT       0.016666666666666666
#define SIZE     50u
#define BODIES   (SIZE * SIZE)
#define JOINTS   (2u * SIZE * (SIZE - 1u))
#define SUBSTEPS 4u
#define PASSES   3u
#define MOST     64u

typedef struct joint_setting {
    tr2_joint_type type;
    bool featured;
} joint_setting;

typedef struct joint_state {
    tr2_world *world;
    tr2_body ids[BODIES];
    tr2_body_def bodies[BODIES];
    tr2_joint_def joints[JOINTS];
    double seconds[MOST];
    uint32_t samples;
} joint_state;

/* a joint between neighbours with zero error; `featured`: with everything that the type has, at low strength */
static tr2_joint_def make_joint(const joint_setting *setting, const joint_state *state, uint32_t a, uint32_t b)
{
    tr2_joint_type type = setting->type;
    tr2_joint_def def = tr2_joint_def_default(type);
    bool right = b == a + 1;
    def.body_a = state->ids[a];
    def.body_b = state->ids[b];
    if (tr2_joint_type_has(type, TR2_FIELD_ANCHOR_A_X) && !tr2_joint_type_has(type, TR2_FIELD_LENGTH)) {
        def.anchor_a = right ? (tr_vec2){0.5f, 0.0f} : (tr_vec2){0.0f, -0.5f};
        def.anchor_b = right ? (tr_vec2){-0.5f, 0.0f} : (tr_vec2){0.0f, 0.5f};
    }
    if (tr2_joint_type_has(type, TR2_FIELD_AXIS_X))
        def.axis = right ? (tr_vec2){1.0f, 0.0f} : (tr_vec2){0.0f, 1.0f};
    if (tr2_joint_type_has(type, TR2_FIELD_GROUND_A_X)) {
        def.ground_a = (tr_dvec2){state->bodies[a].position.x, 1.0};
        def.ground_b = (tr_dvec2){state->bodies[b].position.x, 1.0};
        def.length = (float)(2.0 - state->bodies[a].position.y - state->bodies[b].position.y);
    }
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_MAX_FORCE))
        def.drive.max_force = def.drive.max_torque = 10.0f;
    if (!setting->featured)
        return def;
    tr_softness soft = tr_frequency(20.0f, 1.0f);
    if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND))
        def.linear = soft;
    if (tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND))
        def.angular = soft;
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE))
        def.spring = (tr_spring){true, 0.0f, soft};
    if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE))
        def.motor = (tr_motor){true, 0.1f, 0.5f};
    if (tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE))
        def.limit = (tr_limit){true, -2.0f, 2.0f};
    if (tr2_joint_type_has(type, TR2_FIELD_FRICTION))
        def.friction = 0.1f;
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_POSITION)) {
        def.drive.position = true;
        def.drive.softness = soft;
    }
    return def;
}

static void begin(bench_run *run)
{
    joint_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.threads = 1;
    def.gravity = (tr_vec2){0.0f, -0.1f};
    for (uint32_t i = 0; i < BODIES; i++) {
        state->bodies[i] = tr2_body_def_default();
        state->bodies[i].type = i == SIZE / 2 ? TR_STATIC : TR_DYNAMIC;
        state->bodies[i].position = (tr_dvec2){i % SIZE, -(double)(i / SIZE)};
    }
    if (tr2_world_create(&def, &state->world, NULL) != TR_OK ||
        tr2_world_create_bodies(state->world, state->bodies, BODIES, state->ids) != TR_OK) {
        bench_fail(run, "no memory for the world");
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        if (i % SIZE + 1 < SIZE)
            state->joints[count++] = make_joint(run->of->setting, state, i, i + 1);
        if (i + SIZE < BODIES)
            state->joints[count++] = make_joint(run->of->setting, state, i, i + SIZE);
    }
    if (tr2_world_create_joints(state->world, state->joints, count, NULL) != TR_OK ||
        tr2_world_optimize(state->world) != TR_OK)
        bench_fail(run, tr2_world_last_error(state->world)->message);
}

static double iterate(bench_run *run)
{
    joint_state *state = run->state;
    /* kick all bodies, so that no motion decays into denormal numbers, which would be slow */
    bool ok = true;
    for (uint32_t i = 0; i < BODIES; i++) {
        uint32_t random = (i + 1) * 2654435761u ^ (state->samples + 1) * 40503u;
        ok = ok && tr2_body_apply_force_to_center(state->world, state->ids[i],
                                                  (tr_vec2){(float)(random % 101) * 0.02f - 1.0f,
                                                            (float)(random / 101 % 101) * 0.02f - 1.0f}) == TR_OK;
        ok = ok &&
             tr2_body_apply_torque(state->world, state->ids[i], (float)(random / 10201 % 101) * 0.02f - 1.0f) == TR_OK;
    }
    if (!ok || tr2_world_step(state->world, DT, SUBSTEPS) != TR_OK)
        bench_fail(run, "the step failed");
    tr_statistics s = tr2_world_statistics(state->world);
    double seconds =
        s.stage_seconds[TR_STAGE_WARM_START] + s.stage_seconds[TR_STAGE_SOLVE] + s.stage_seconds[TR_STAGE_RELAX];
    state->seconds[state->samples++] = seconds;
    return seconds;
}

static void end(bench_run *run)
{
    joint_state *state = run->state;
    if (state == NULL)
        return;
    if (state->samples > 0 && run->error == NULL) {
        bench_count(run, "ns_per_visit",
                    1e9 * bench_median(state->seconds, state->samples) / (JOINTS * SUBSTEPS * PASSES));
        bench_count(run, "nonfinite", tr2_world_statistics(state->world).nonfinite_bodies);
    }
    tr2_world_destroy(state->world);
    free(state);
}

void bench_add_joints(bench_suite *suite)
{
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        for (int featured = 0; featured <= 1; featured++) {
            bench_case added = {.iterations = MOST, .begin = begin, .iterate = iterate, .end = end};
            joint_setting *setting = malloc(sizeof *setting);
            if (setting == NULL) {
                suite->failed = true;
                return;
            }
            *setting = (joint_setting){(tr2_joint_type)type, featured != 0};
            added.setting = setting;
            snprintf(added.name, sizeof added.name, "joints/%s/%s", tr2_joint_type_name((tr2_joint_type)type),
                     featured ? "featured" : "plain");
            bench_suite_add(suite, added);
        }
    }
}
