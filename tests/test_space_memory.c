/*
 * Memory that runs out anywhere in the life of a world in space. The life is lived once per allocation that it makes,
 * and that one fails. A call that fails has changed nothing that can be read; it is made once more, and in the end all
 * is as if nothing had failed: states after each call, ids, events, views.
 *
 * TR_MEMORY_EVERY sets how many allocations there are per one that fails; 1 is all of them, which takes a minute. By default
 * one in ten fails, under sanitizers one in a hundred.
 */
#define TR_DIMENSION 3

#include <stdlib.h>

#include "allocator.h"
#include "instrumented.h"
#include "space_state.h"

enum { BODIES = 400, JOINTS = 600, CALLS = 2000 };

/* One run of a life. */
typedef struct run {
    test_allocator allocator;
    tr3_world *world;
    tr3_body bodies[BODIES];
    tr3_joint joints[JOINTS];
    uint32_t body_count, joint_count; /* made so far */
    uint32_t call;                    /* how many there have been */
    uint32_t refused;                 /* of these, for memory */
    const char *failed_in;            /* the call in which an allocation failed */
} run;

/* after each call of the run in which nothing fails */
static uint64_t states[CALLS];

static uint64_t state_of(const run *it)
{
    return space_state(it->world, it->bodies, it->body_count, it->joints, it->joint_count);
}

/* Whether a call has to be made again: it was refused for memory, and has changed nothing. */
static bool again(run *it, tr_status status, const char *what)
{
    /* also where it went on without, or was made again */
    bool failed_now = it->allocator.failures > 0 && (it->failed_in == NULL || it->failed_in == what);
    if (failed_now)
        it->failed_in = what;
    if (status == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        assert_true(it->allocator.failures == 1);
        if (it->call > 0 && state_of(it) != states[it->call - 1])
            fail_msg("%s (allocation %llu): refused, and the state has changed", what,
                     (unsigned long long)it->allocator.fail_at);
        return true;
    }
    if (status != TR_OK)
        fail_msg("%s (allocation %llu): %s: %s", what, (unsigned long long)it->allocator.fail_at,
                 tr_status_name(status), tr3_world_last_error(it->world)->message);
    assert_true(it->call < CALLS);
    if (it->allocator.fail_at == 0)
        states[it->call] = state_of(it);
    else if (failed_now && state_of(it) != states[it->call])
        fail_msg("%s (allocation %llu): the state is another than without a failure", what,
                 (unsigned long long)it->allocator.fail_at);
    it->call++;
    return false;
}

/* a call, and once more if there was no memory for it */
#define DO(it, call)                                                                                                   \
    do {                                                                                                               \
    } while (again(it, call, #call))

static void step(run *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        DO(it, tr3_world_step(it->world, 1.0 / 60.0, 2));
}

static void look(run *it)
{
    tr3_body_view bodies = tr3_world_bodies(it->world);
    const void *const columns[] = {bodies.id,
                                   bodies.inverse_mass,
                                   bodies.inverse_inertia_x,
                                   bodies.inverse_inertia_z,
                                   bodies.local_center_x,
                                   bodies.local_center_z,
                                   bodies.frame_x,
                                   bodies.frame_w,
                                   bodies.gravity_scale,
                                   bodies.linear_damping,
                                   bodies.angular_damping,
                                   bodies.sleep_scale,
                                   bodies.force_x,
                                   bodies.force_z,
                                   bodies.torque_x,
                                   bodies.torque_z,
                                   bodies.user_data};
    /* one that is there is there for each row */
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        for (uint32_t row = 0; columns[i] != NULL && row < bodies.count; row++)
            (void)((const volatile unsigned char *)columns[i])[4 * (size_t)row + 3];
    assert_true(bodies.count == 0 || bodies.id != NULL);
    if (it->allocator.fail_at == 0 && bodies.count > 0)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
            assert_non_null(columns[i]);
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_view joints = tr3_world_joints(it->world, (tr3_joint_type)type);
        assert_true(joints.count == 0 || (joints.id != NULL && joints.body_a != NULL && joints.body_b != NULL));
    }
    (void)tr3_world_statistics(it->world);
    (void)tr3_world_projected_seconds(it->world, 4);
    tr3_measures measures = tr3_world_measure(it->world);
    assert_true(isfinite(measures.kinetic_energy));
    (void)again(it, TR_OK, "views");
}

static void make_bodies(run *it, const tr3_body_def *defs, uint32_t count)
{
    assert_true(it->body_count + count <= BODIES);
    tr3_body *ids = it->bodies + it->body_count;
    tr_status status;
    do {
        status = tr3_world_create_bodies(it->world, defs, count, ids);
        it->body_count += status == TR_OK ? count : 0;
    } while (again(it, status, "tr3_world_create_bodies()"));
}

static void make_joints(run *it, const tr3_joint_def *defs, uint32_t count)
{
    assert_true(it->joint_count + count <= JOINTS);
    tr3_joint *ids = it->joints + it->joint_count;
    tr_status status;
    do {
        status = tr3_world_create_joints(it->world, defs, count, ids);
        it->joint_count += status == TR_OK ? count : 0;
    } while (again(it, status, "tr3_world_create_joints()"));
}

static void begin(run *it, tr_method method)
{
    tr3_world_def def = tr3_world_def_default();
    def.threads = 1;
    def.tag = 7;
    def.method = method;
    def.allocator = test_hooks(&it->allocator);
    while (tr3_world_create(&def, &it->world, NULL) == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        it->failed_in = "tr3_world_create()";
    }
    assert_non_null(it->world);
    (void)again(it, TR_OK, "tr3_world_create()");
}

/* the i-th: each in another place */
static tr3_body_def plain_body(uint32_t i)
{
    tr3_body_def def = tr3_body_def_default();
    def.position = (tr_dvec3){1.0 * (i % 16), -0.5 * (i / 16), 0.1 * (i % 3)};
    def.inertia = (tr_sym3){0.3f, 0.35f, 0.4f, 0.0f, 0.0f, 0.0f};
    return def;
}

static tr3_joint_def plain_joint(run *it, tr3_joint_type type, tr3_body a, tr3_body b, tr_dvec3 at)
{
    return space_between(it->world, type, a, b, at, (tr_vec3){0.0f, 1.0f, 0.0f});
}

/* a chain of every type of joint from body `first` on, which is anchored */
static void chain(run *it, uint32_t first, uint32_t count)
{
    tr3_joint_def defs[BODIES];
    for (uint32_t i = 0; i + 1 < count; i++) {
        tr3_body a = it->bodies[first + i], b = it->bodies[first + i + 1];
        tr3_transform pose;
        SPACE_OK(tr3_body_get_transform(it->world, b, &pose));
        defs[i] = plain_joint(it, (tr3_joint_type)(i % TR3_JOINT_TYPE_COUNT), a, b, pose.position);
        if (defs[i].type == TR3_JOINT_DISTANCE)
            defs[i].length = 0.5f;
    }
    make_joints(it, defs, count - 1);
}

/*
 * Every property of bodies and joints, each for the first time of its world
 */
static void set_bodies(run *it)
{
    const tr3_body *b = it->bodies;
    tr3_body_def def;
    DO(it, tr3_body_set_damping(it->world, b[1], 0.1f, 0.2f));
    DO(it, tr3_body_set_gravity_scale(it->world, b[2], 0.5f));
    DO(it, tr3_body_set_sleep_scale(it->world, b[2], 0.5f));
    DO(it, tr3_body_set_user_data(it->world, b[3], 9));
    DO(it, tr3_body_set_mass(it->world, b[4], 2.0f, (tr_sym3){1.0f, 1.1f, 1.2f, 0.0f, 0.0f, 0.0f},
                             (tr_vec3){0.1f, 0.1f, 0.0f}));
    DO(it, tr3_body_set_mass(it->world, b[5], 2.0f, (tr_sym3){1.0f, 1.1f, 1.2f, 0.1f, 0.0f, -0.1f}, (tr_vec3){0}));
    DO(it, tr3_body_apply_force(it->world, b[6], (tr_vec3){5.0f, 9.0f, 1.0f}, (tr_dvec3){0.0, 1.0, 0.0}));
    DO(it, tr3_body_apply_force_to_center(it->world, b[7], (tr_vec3){5.0f, 9.0f, 1.0f}));
    DO(it, tr3_body_apply_torque(it->world, b[7], (tr_vec3){1.0f, 0.0f, 1.0f}));
    DO(it, tr3_body_apply_impulse(it->world, b[8], (tr_vec3){1.0f, 0.0f, 1.0f}, (tr_dvec3){0.0, 1.0, 0.0}));
    DO(it, tr3_body_apply_impulse_to_center(it->world, b[8], (tr_vec3){1.0f, 0.0f, 1.0f}));
    DO(it, tr3_body_apply_angular_impulse(it->world, b[8], (tr_vec3){1.0f, 0.0f, 1.0f}));
    step(it, 1);
    DO(it, tr3_body_set_fixed_rotation(it->world, b[9], true));
    DO(it, tr3_body_set_transform(it->world, b[10], (tr_dvec3){0.0, 5.0, 0.0}, (tr_quat){0.6f, 0.0f, 0.0f, 0.8f}));
    DO(it, tr3_body_set_velocity(it->world, b[11], (tr_vec3){1.0f, 0.0f, 0.0f}, (tr_vec3){0.0f, 2.0f, 0.0f}));
    DO(it, tr3_body_set_type(it->world, b[12], TR_STATIC));
    DO(it, tr3_body_set_type(it->world, b[13], TR_KINEMATIC));
    DO(it, tr3_body_set_enabled(it->world, b[14], false));
    step(it, 1);
    DO(it, tr3_body_set_enabled(it->world, b[14], true));
    DO(it, tr3_body_set_type(it->world, b[12], TR_DYNAMIC));
    DO(it, tr3_body_get(it->world, b[15], &def));
    def.center = (tr_vec3){0.0f, 0.1f, 0.0f};
    def.inertia.xy = 0.05f;
    def.linear_damping = 0.1f;
    def.gravity_scale = 0.5f;
    def.type = TR_KINEMATIC;
    def.user_data = 5;
    DO(it, tr3_body_set(it->world, b[15], &def));
    step(it, 1);
}

static void set_joints(run *it)
{
    const tr3_joint *j = it->joints;
    /* none of them moves far: the joints stay what they are */
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++) {
            float value;
            /* a fifth of the fields stands for all of a type with many */
            bool left_out = type > TR3_JOINT_DISTANCE && field % 5 != type % 5;
            if (!tr3_joint_type_has((tr3_joint_type)type, field) || left_out)
                continue;
            DO(it, tr3_joint_get_value(it->world, j[type], field, &value));
            const char *name = tr3_field_name(field);
            if (strstr(name, "kind") != NULL || strstr(name, "enable") != NULL || strstr(name, "locked") != NULL ||
                strstr(name, "slides") != NULL || strstr(name, "meshed") != NULL)
                value = 1.0f;
            else if (strstr(name, "lower") != NULL)
                value = -0.5f;
            else
                value = value * 0.5f + 0.25f;
            DO(it, tr3_joint_set_value(it->world, j[type], field, value));
        }
        step(it, 1);
    }
    tr3_joint_def def;
    DO(it, tr3_joint_get(it->world, j[6], &def));
    def.limit = (tr_limit){true, -0.1f, 0.1f};
    def.motor = (tr_motor){true, 1.0f, 2.0f};
    def.friction = 0.1f;
    def.event_at.force = 1.0f;
    DO(it, tr3_joint_set(it->world, j[6], &def));
    DO(it, tr3_joint_set_user_data(it->world, j[7], 5));
    DO(it, tr3_joint_set_collide_connected(it->world, j[8], true));
    DO(it, tr3_joint_set_enabled(it->world, j[8], false));
    DO(it, tr3_joint_set_event_at(it->world, j[9], (tr_event_at){1.0f, 1.0f}));
    DO(it, tr3_joint_set_break_at(it->world, j[10], (tr_break_at){1.0f, 1.0f, 0.0f, 2}));
    step(it, 3);
    DO(it, tr3_joint_set_event_at(it->world, j[9], (tr_event_at){0.0f, 0.0f}));
    DO(it, tr3_joint_set_enabled(it->world, j[8], true));
    step(it, 1);
}

static void set_world(run *it)
{
    DO(it, tr3_world_set_gravity(it->world, (tr_vec3){0.0f, -5.0f, 1.0f}));
    DO(it, tr3_world_set_joint_softness(it->world, 30.0f, 1.0f));
    DO(it, tr3_world_set_direct_load(it->world, 3.0f));
    DO(it, tr3_world_set_breaking(it->world, TR_BREAKING_ONE_PER_ISLAND));
    DO(it, tr3_world_set_threads(it->world, 2));
    step(it, 1);
    for (int method = TR_METHOD_COUNT - 1; method >= 0; method--) {
        DO(it, tr3_world_set_method(it->world, (tr_method)method, 0));
        step(it, 1);
    }
}

static void life_of_settings(run *it)
{
    tr3_body_def defs[40];
    begin(it, TR_SOFT_STEP);
    for (uint32_t i = 0; i < 40; i++) {
        defs[i] = plain_body(i);
        defs[i].type = i == 0 ? TR_STATIC : TR_DYNAMIC;
    }
    make_bodies(it, defs, 40);
    chain(it, 0, 40);
    step(it, 1);
    set_bodies(it);
    look(it);
    set_joints(it);
    look(it);
    set_world(it);
    DO(it, tr3_world_optimize(it->world));
    step(it, 2);
    look(it);
}

/*
 * Tables that grow: views first, batches in a world that steps, destroyed and made again; a hub, and chains alike
 */
static void hub(run *it, uint32_t center, uint32_t first, uint32_t count)
{
    tr3_joint_def defs[BODIES];
    for (uint32_t i = 0; i < count; i++) {
        tr3_transform pose;
        SPACE_OK(tr3_body_get_transform(it->world, it->bodies[first + i], &pose));
        defs[i] = plain_joint(it, i % 3 == 0 ? TR3_JOINT_HINGE : TR3_JOINT_BALL, it->bodies[center],
                              it->bodies[first + i], pose.position);
    }
    make_joints(it, defs, count);
}

static void life_of_growth(run *it)
{
    tr3_body_def defs[100];
    begin(it, TR_SMALL_STEP);
    look(it);
    step(it, 1);
    for (uint32_t i = 0; i < 100; i++) {
        defs[i] = plain_body(i);
        defs[i].type = i % 30 == 29 ? TR_STATIC : TR_DYNAMIC;
        defs[i].mass = i == 1 ? 20.0f : 1.0f;
        defs[i].inertia.xy = i == 2 ? 0.1f : 0.0f;
        defs[i].center.x = i == 3 ? 0.1f : 0.0f;
        defs[i].angular_damping = i == 4 ? 0.1f : 0.0f;
        defs[i].user_data = i == 5 ? 1 : 0;
        defs[i].enabled = i != 6;
    }
    make_bodies(it, defs, 10);
    chain(it, 0, 10);
    look(it);
    step(it, 1);
    make_bodies(it, defs, 100);
    hub(it, 11, 12, 80);
    step(it, 2);
    /* chains that are alike */
    make_bodies(it, defs + 30, 60);
    for (uint32_t i = 0; i < 60; i += 3)
        chain(it, 110 + i, 3);
    step(it, 2);
    look(it);
    DO(it, tr3_world_destroy_joints(it->world, it->joints + 20, 15));
    step(it, 1);
    DO(it, tr3_world_destroy_joint(it->world, it->joints[0]));
    DO(it, tr3_world_destroy_bodies(it->world, it->bodies + 80, 50));
    DO(it, tr3_world_destroy_body(it->world, it->bodies[3]));
    step(it, 1);
    make_bodies(it, defs, 40);
    hub(it, 170, 171, 39);
    DO(it, tr3_world_optimize(it->world));
    DO(it, tr3_body_set_enabled(it->world, it->bodies[170], false));
    step(it, 1);
    DO(it, tr3_body_set_enabled(it->world, it->bodies[170], true));
    DO(it, tr3_world_set_method(it->world, TR_SOFT_STEP, 0));
    step(it, 2);
    /* one that becomes small */
    DO(it, tr3_world_destroy_bodies(it->world, it->bodies + 4, 70));
    DO(it, tr3_world_optimize(it->world));
    step(it, 2);
    look(it);
}

/*
 * All runs of a life
 */
typedef void life(run *it);

static run *once(life *live, uint64_t fail_at)
{
    static run it;
    it = (run){.allocator = {.fail_at = fail_at}};
    live(&it);
    bool same = state_of(&it) == states[it.call - 1];
    if (!same)
        fail_msg("allocation %llu, in %s: the world ends otherwise", (unsigned long long)fail_at, it.failed_in);
    tr3_world_destroy(it.world);
    assert_int_equal(it.allocator.held, 0);
    assert_int_equal(it.allocator.mismatches, 0);
    return &it;
}

static void exhaust(life *live)
{
    const char *text = getenv("TR_MEMORY_EVERY");
    uint64_t every = text != NULL ? strtoull(text, NULL, 10) : (uint64_t)(10 * (20 / TRIALS(20)));
    const run *it = once(live, 0);
    const uint64_t allocations = it->allocator.calls, calls = it->call;
    uint64_t refused = 0;
    for (uint64_t n = 1; n <= allocations; n += every > 0 ? every : 1) {
        it = once(live, n);
        assert_int_equal(it->allocator.failures, 1);
        assert_int_equal(it->call, calls);
        refused += it->refused > 0;
    }
    print_message("%llu calls, %llu allocations, %llu calls refused and made again\n", (unsigned long long)calls,
                  (unsigned long long)allocations, (unsigned long long)refused);
    assert_true(refused > 0);
}

static void settings_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_settings);
}

static void growth_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_growth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_end_the_same_whatever_fails),
        cmocka_unit_test(growth_ends_the_same_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
