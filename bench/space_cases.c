/*
 * Worlds in space. space/TYPE: a sheet of 100x100 unit cubes that hangs on its top row, with 19,800 joints of one type to
 * the right and below, plain and with features. space/scenes: balls, by three methods: this sheet, also of bodies with
 * three unlike moments, a larger one, also on two threads, chains, also by the direct method, and a hub; and hinges with
 * servos and stops: 1,000 quadrupeds. With TRAMMEL_BENCH_ROBOT in the environment, a file in URDF or MJCF, also 1,000 of
 * that robot, with a motor on each coordinate that has an effort. A visit is one joint in one pass (warm start, solve, relax).
 */
#include "bench.h"
#include "trammel/scene3.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DT       0.016666666666666666
#define SUBSTEPS 4u
#define PASSES   3u
#define MOST     120u
#define LINKS    20u
#define CHAINS   1000u
#define SPOKES   5000u
#define HUB_SIZE 10.0
#define HUB_MASS 5000.0f
#define SPOKE    0.5f
#define ROBOTS   1000u

typedef enum space_scene { SHEET, CHAIN, HUB, QUADRUPEDS, ROBOT_FILE } space_scene;

#define ROBOT_VARIABLE "TRAMMEL_BENCH_ROBOT"
#define ROBOT_SPEED    1.0f

typedef struct space_setting {
    space_scene scene;
    uint32_t size; /* of a sheet: bodies per side */
    tr3_joint_type type;
    bool featured, uneven;
    tr_method method;
    uint32_t threads;
    uint32_t steps;
} space_setting;

typedef struct space_state {
    tr3_world *world;
    tr3_body *ids;
    tr3_body_def *bodies;
    tr3_joint_def *joints;
    tr3_scene *robots;
    tr_error error;
    uint32_t body_count, joint_count;
    double step[MOST], passes[MOST];
    uint32_t samples;
    size_t body_bytes; /* of a world of the same bodies without joints */
} space_state;

/* on every coordinate of a joint with a frame; of a general one all are free */
static void give_features(tr3_joint_def *def, tr_softness soft)
{
    tr3_features *const further[] = {&def->second, &def->third, &def->fourth, &def->fifth, &def->sixth};
    const tr3_features all = {
        .spring = {true, 0.0f, soft}, .motor = {true, 0.1f, 0.5f}, .limit = {true, -1.0f, 1.0f}, .friction = 0.1f};
    def->locked = false;
    if (!tr3_joint_type_has(def->type, TR3_FIELD_LIMIT_ENABLE))
        return;
    def->spring = all.spring;
    def->motor = all.motor;
    def->limit = all.limit;
    def->friction = all.friction;
    for (uint32_t k = 1; k < TR3_COORDINATES; k++)
        if (tr3_joint_type_has(def->type, tr3_field_of(TR3_FIELD_SPRING_ENABLE, k)))
            *further[k - 1] = all;
}

/* in the middle between neighbours, without an error; `featured`: with what the type has, at low strength */
static tr_status make_joint(const space_setting *setting, const space_state *state, uint32_t a, uint32_t b,
                            tr3_joint_def *out)
{
    const tr_dvec3 *from = &state->bodies[a].position, *to = &state->bodies[b].position;
    tr_dvec3 middle = {0.5 * (from->x + to->x), 0.5 * (from->y + to->y), 0.0};
    bool rod = setting->type == TR3_JOINT_DISTANCE || setting->type == TR3_JOINT_CIRCLE;
    tr_status status =
        tr3_joint_def_between(state->world, setting->type, state->ids[a], state->ids[b], rod ? *from : middle,
                              rod ? *to : middle, (tr_vec3){0.0f, 0.0f, 1.0f}, out);
    out->inertance = setting->type == TR3_JOINT_INERTER ? 0.5f : 0.0f;
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
        give_features(out, soft);
        break;
    }
    return status;
}

static void put_body(space_state *state, tr_body_type type, tr_dvec3 at, float mass, tr_sym3 inertia)
{
    tr3_body_def *def = &state->bodies[state->body_count++];
    *def = tr3_body_def_default();
    def->type = type;
    def->position = at;
    def->mass = mass;
    def->inertia = inertia;
}

static void put_sheet(space_state *state, const space_setting *setting)
{
    const float sixth = 1.0f / 6.0f;
    const tr_sym3 cube = {sixth, sixth, sixth, 0.0f, 0.0f, 0.0f}, box = {sixth, 0.2f, 0.25f, 0.0f, 0.0f, 0.0f};
    for (uint32_t row = 0; row < setting->size; row++)
        for (uint32_t column = 0; column < setting->size; column++)
            put_body(state, row == 0 ? TR_STATIC : TR_DYNAMIC, (tr_dvec3){column, -(double)row, 0.0}, 1.0f,
                     setting->uneven ? box : cube);
}

/* chains of rods of 1 m, stretched out sideways, each at a static body */
static void put_chains(space_state *state)
{
    for (uint32_t i = 0; i < CHAINS; i++)
        for (uint32_t link = 0; link <= LINKS; link++)
            put_body(state, link == 0 ? TR_STATIC : TR_DYNAMIC, (tr_dvec3){link, 0.0, 2.0 * i}, 1.0f,
                     (tr_sym3){0.01f, 0.09f, 0.09f, 0.0f, 0.0f, 0.0f});
}

/* a heavy disc on a pin, bodies around its rim */
static void put_hub(space_state *state)
{
    const float half = 0.25f * HUB_MASS * (float)(HUB_SIZE * HUB_SIZE);
    put_body(state, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_sym3){1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f});
    put_body(state, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, HUB_MASS,
             (tr_sym3){half, 2.0f * half, half, 0.0f, 0.0f, 0.0f});
    for (uint32_t i = 0; i < SPOKES; i++) {
        const double angle = 6.283185307179586 * i / SPOKES;
        put_body(state, TR_DYNAMIC, (tr_dvec3){HUB_SIZE * cos(angle), -0.5, HUB_SIZE * sin(angle)}, SPOKE,
                 (tr_sym3){0.05f, 0.05f, 0.05f, 0.0f, 0.0f, 0.0f});
    }
}

/* Motors turn every other joint forwards and the rest backwards, as hard as the file says. */
static void drive(tr3_scene *robots)
{
    for (uint32_t i = 0; i < robots->joint_count; i++) {
        tr_motor *motor = &robots->joints[i].def.motor;
        motor->enable = motor->maximum > 0.0f && motor->maximum < FLT_MAX;
        motor->speed = motor->enable ? (i % 2 == 0 ? ROBOT_SPEED : -ROBOT_SPEED) : 0.0f;
    }
}

static tr_status open_robots(space_scene scene, tr3_scene **out, tr_error *error)
{
    if (scene == QUADRUPEDS)
        return tr3_scene_generate("quadrupeds3d", ROBOTS, out, error);
    tr_status status = tr3_scene_import(getenv(ROBOT_VARIABLE), NULL, out, error);
    if (status == TR_OK)
        status = tr3_scene_repeat(*out, ROBOTS, 0.0, error);
    if (status == TR_OK)
        drive(*out);
    return status;
}

static void put_robots(space_state *state)
{
    for (uint32_t i = 0; i < state->robots->body_count; i++)
        state->bodies[state->body_count++] = state->robots->bodies[i].def;
}

static void join_robots(space_state *state)
{
    for (uint32_t i = 0; i < state->robots->joint_count; i++) {
        const tr3_scene_joint *joint = &state->robots->joints[i];
        tr3_joint_def *def = &state->joints[state->joint_count++];
        *def = joint->def;
        def->body_a = state->ids[joint->body_a];
        def->body_b = state->ids[joint->body_b];
    }
}

static tr_status join_sheet(space_state *state, const space_setting *setting)
{
    tr_status status = TR_OK;
    const uint32_t size = setting->size;
    for (uint32_t row = 0; row < size; row++) {
        for (uint32_t column = 0; column < size && status == TR_OK; column++) {
            const uint32_t i = row * size + column;
            if (column + 1 < size)
                status = make_joint(setting, state, i, i + 1, &state->joints[state->joint_count++]);
            if (row + 1 < size && status == TR_OK)
                status = make_joint(setting, state, i, i + size, &state->joints[state->joint_count++]);
        }
    }
    return status;
}

static tr_status join_chains(space_state *state, const space_setting *setting)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i + 1 < state->body_count && status == TR_OK; i++) {
        tr_dvec3 at = state->bodies[i].position;
        if (i % (LINKS + 1) == LINKS)
            continue;
        at.x += 0.5;
        status = tr3_joint_def_between(state->world, setting->type, state->ids[i], state->ids[i + 1], at, at,
                                       (tr_vec3){0.0f, 0.0f, 1.0f}, &state->joints[state->joint_count++]);
    }
    return status;
}

static tr_status join_hub(space_state *state, const space_setting *setting)
{
    tr_status status = TR_OK;
    for (uint32_t i = 1; i < state->body_count && status == TR_OK; i++) {
        tr_dvec3 at = state->bodies[i].position;
        at.y = 0.0;
        status = tr3_joint_def_between(state->world, setting->type, state->ids[i == 1 ? 0 : 1], state->ids[i], at, at,
                                       (tr_vec3){0.0f, 0.0f, 1.0f}, &state->joints[state->joint_count++]);
    }
    return status;
}

static tr_status make_bodies(const space_setting *setting, space_state *state)
{
    tr3_world_def def = tr3_world_def_default();
    def.sleep.enable = false;
    def.threads = setting->threads;
    def.method = setting->method;
    tr_status status = tr3_world_create(&def, &state->world, NULL);
    if (status == TR_OK)
        status = tr3_world_create_bodies(state->world, state->bodies, state->body_count, state->ids);
    return status;
}

static tr_status weigh_bodies(const space_setting *setting, space_state *state)
{
    tr_status status = make_bodies(setting, state);
    if (status == TR_OK)
        status = tr3_world_step(state->world, DT, SUBSTEPS);
    if (status == TR_OK)
        state->body_bytes = tr3_world_statistics(state->world).bytes;
    tr3_world_destroy(state->world);
    state->world = NULL;
    return status;
}

static tr_status make_world(const space_setting *setting, space_state *state)
{
    tr_status status = weigh_bodies(setting, state);
    if (status == TR_OK)
        status = make_bodies(setting, state);
    if (status == TR_OK && state->robots != NULL)
        join_robots(state);
    else if (status == TR_OK)
        status = setting->scene == SHEET   ? join_sheet(state, setting)
                 : setting->scene == CHAIN ? join_chains(state, setting)
                                           : join_hub(state, setting);
    if (status == TR_OK)
        status = tr3_world_create_joints(state->world, state->joints, state->joint_count, NULL);
    return status == TR_OK ? tr3_world_optimize(state->world) : status;
}

/* at least one for each two joints */
static uint32_t most_bodies(const space_setting *setting, const tr3_scene *robots)
{
    if (robots != NULL)
        return robots->body_count > robots->joint_count / 2 ? robots->body_count : robots->joint_count / 2 + 1;
    return setting->scene == SHEET   ? setting->size * setting->size
           : setting->scene == CHAIN ? CHAINS * (LINKS + 1)
                                     : SPOKES + 2;
}

static void begin(bench_run *run)
{
    const space_setting *setting = run->of->setting;
    space_state *state = calloc(1, sizeof *state);
    run->state = state;
    if (state != NULL && setting->scene >= QUADRUPEDS &&
        open_robots(setting->scene, &state->robots, &state->error) != TR_OK) {
        bench_fail(run, state->error.message);
        return;
    }
    if (state != NULL) {
        const uint32_t most = most_bodies(setting, state->robots);
        state->ids = calloc(most, sizeof *state->ids);
        state->bodies = calloc(most, sizeof *state->bodies);
        state->joints = calloc((size_t)2 * most, sizeof *state->joints);
    }
    if (state == NULL || state->ids == NULL || state->bodies == NULL || state->joints == NULL) {
        bench_fail(run, "no memory");
        return;
    }
    if (setting->scene == SHEET)
        put_sheet(state, setting);
    else if (setting->scene == CHAIN)
        put_chains(state);
    else if (setting->scene == HUB)
        put_hub(state);
    else
        put_robots(state);
    tr_status status = make_world(setting, state);
    if (status != TR_OK)
        bench_fail(run, state->world != NULL ? tr3_world_last_error(state->world)->message : tr_status_name(status));
}

/* on one thread the time of the processor, because other work on the machine does not count in it */
static double iterate(bench_run *run)
{
    const space_setting *setting = run->of->setting;
    space_state *state = run->state;
    const double began = bench_thread_clock();
    if (tr3_world_step(state->world, DT, SUBSTEPS) != TR_OK)
        bench_fail(run, "the step failed");
    const double took = bench_thread_clock() - began;
    tr_statistics s = tr3_world_statistics(state->world);
    state->passes[state->samples] =
        s.stage_seconds[TR_STAGE_WARM_START] + s.stage_seconds[TR_STAGE_SOLVE] + s.stage_seconds[TR_STAGE_RELAX];
    state->step[state->samples++] = setting->threads == 1 ? took : s.seconds;
    return state->step[state->samples - 1];
}

static void end(bench_run *run)
{
    const space_setting *setting = run->of->setting;
    space_state *state = run->state;
    if (state == NULL)
        return;
    if (state->samples > 0 && run->error == NULL) {
        tr3_measures m = tr3_world_measure(state->world);
        tr_statistics s = tr3_world_statistics(state->world);
        const double joints = state->joint_count;
        bench_count(run, "ns_per_joint", 1e9 * bench_median(state->step, state->samples) / joints);
        /* sorted now */
        bench_count(run, "ns_least", 1e9 * state->step[0] / joints);
        if (setting->method == TR_SOFT_STEP)
            bench_count(run, "ns_per_visit",
                        1e9 * bench_median(state->passes, state->samples) / (joints * SUBSTEPS * PASSES));
        bench_count(run, "rms_error_mm", 1e3 * m.joint_error_rms);
        bench_count(run, "max_error_mm", 1e3 * m.joint_error_max);
        bench_count(run, "bytes_per_joint", ((double)s.bytes - (double)state->body_bytes) / joints);
        bench_count(run, "bytes_per_body", (double)state->body_bytes / state->body_count);
        bench_count(run, "nonfinite", s.nonfinite_bodies);
    }
    tr3_world_destroy(state->world);
    tr3_scene_destroy(state->robots);
    free(state->joints);
    free(state->bodies);
    free(state->ids);
    free(state);
}

static void add(bench_suite *suite, const char *name, space_setting setting)
{
    bench_case added = {.iterations = setting.steps, .begin = begin, .iterate = iterate, .end = end};
    space_setting *own = malloc(sizeof *own);
    if (own == NULL) {
        suite->failed = true;
        return;
    }
    *own = setting;
    added.setting = own;
    snprintf(added.name, sizeof added.name, "space/%s", name);
    bench_suite_add(suite, added);
}

static void add_scenes(bench_suite *suite)
{
    const space_setting sheet = {.size = 100, .threads = 1, .steps = MOST};
    static const tr_method methods[] = {TR_SOFT_STEP, TR_SMALL_STEP, TR_POSITION_BASED};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct {
            const char *name;
            space_setting setting;
        } scenes[] = {
            {"sheet-100", sheet},
            {"sheet-100-uneven", {.size = 100, .uneven = true, .threads = 1, .steps = MOST}},
            {"sheet-316", {.size = 316, .threads = 1, .steps = MOST / 3}},
            {"sheet-316-threads-2", {.size = 316, .threads = 2, .steps = MOST / 3}},
            {"chains", {.scene = CHAIN, .threads = 1, .steps = MOST}},
            {"hub", {.scene = HUB, .threads = 1, .steps = MOST}},
            {"quadrupeds", {.scene = QUADRUPEDS, .threads = 1, .steps = MOST}},
            {"robot", {.scene = ROBOT_FILE, .threads = 1, .steps = MOST}},
        };
        const size_t count = sizeof scenes / sizeof scenes[0] - (getenv(ROBOT_VARIABLE) == NULL ? 1 : 0);
        for (size_t k = 0; k < count; k++) {
            char name[BENCH_NAME_SIZE / 2];
            space_setting setting = scenes[k].setting;
            setting.method = methods[i];
            snprintf(name, sizeof name, "scenes/%s/%s", scenes[k].name, tr_method_name(methods[i]));
            add(suite, name, setting);
        }
    }
    add(suite, "scenes/chains/direct",
        (space_setting){.scene = CHAIN, .method = TR_DIRECT, .threads = 1, .steps = MOST});
}

void bench_add_space(bench_suite *suite)
{
    for (int type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        for (int featured = 0; featured <= 1; featured++) {
            char name[BENCH_NAME_SIZE / 2];
            snprintf(name, sizeof name, "%s/%s", tr3_joint_type_name((tr3_joint_type)type),
                     featured ? "featured" : "plain");
            add(suite, name,
                (space_setting){
                    .size = 100, .type = (tr3_joint_type)type, .featured = featured != 0, .threads = 1, .steps = MOST});
        }
    }
    add_scenes(suite);
}
