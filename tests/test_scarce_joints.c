/* Memory that runs out in worlds of joints, of which some are solved directly, or all: scarce_run.h. */
#include "scarce_run.h"

/*
 * Joints of all types on one body, beside others, with thresholds; contacts of the application
 */
enum { STAR = 72 };

static void set_contacts(run *it, const tr2_body *bodies, uint32_t from, uint32_t count)
{
    tr2_contact_def defs[STAR];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t one = from + i;
        defs[i] = tr2_contact_def_default();
        defs[i].body_a = bodies[one % 3];
        defs[i].body_b = bodies[3 + one % (STAR - 3)];
        defs[i].id = one;
        defs[i].point_count = 1 + (one + from / 5) % 2;
        defs[i].point[0] = defs[i].point[1] = (tr_dvec2){0.5 * one, 0.0};
        defs[i].point[1].y = 0.5;
        defs[i].friction = 0.5f;
    }
    DO(it, tr2_world_set_contacts(it->world, defs, count));
}

static void life_of_joints(run *it)
{
    tr2_body_def body_defs[STAR];
    tr2_body bodies[STAR] = {{0}};
    tr2_joint_def defs[STAR];
    tr2_joint joints[STAR] = {{0}}, more[STAR] = {{0}};
    begin(it);
    for (uint32_t i = 0; i < STAR; i++) {
        body_defs[i] = tr2_body_def_default();
        body_defs[i].position.x = 0.5 * i;
        body_defs[i].type = i % 30 == 29 ? TR_STATIC : TR_DYNAMIC;
    }
    DO(it, tr2_world_create_bodies(it->world, body_defs, STAR, bodies));
    NOTE(it, bodies);
    for (uint32_t i = 0; i + 1 < STAR; i++) {
        defs[i] = tr2_joint_def_default((tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT));
        defs[i].body_a = bodies[0];
        defs[i].body_b = bodies[i + 1];
    }
    DO(it, tr2_world_create_joints(it->world, defs, STAR - 1, joints));
    note_bytes(it, joints, (STAR - 1) * sizeof *joints);
    step(it, 1);
    set_contacts(it, bodies, 0, 20);
    step(it, 1);
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_def def = odd_joint((tr2_joint_type)type);
        def.body_a = defs[type].body_a;
        def.body_b = defs[type].body_b;
        DO(it, tr2_joint_set(it->world, joints[type], &def));
    }
    step(it, 1);
    /* beside those there are, of the second ten bodies */
    for (uint32_t i = 0; i < 20; i++) {
        defs[i] = tr2_joint_def_default(i % 2 == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_WELD);
        defs[i].body_a = bodies[0];
        defs[i].body_b = bodies[10 + i / 2];
    }
    DO(it, tr2_world_create_joints(it->world, defs, 20, more));
    note_bytes(it, more, 20 * sizeof *more);
    step(it, 1);
    DO(it, tr2_world_destroy_joints(it->world, more, 7));
    set_contacts(it, bodies, 5, 40);
    step(it, 1);
    DO(it, tr2_joint_set_break_at(it->world, joints[26], (tr_break_at){1.0f, 1.0f, 0.0f, 2}));
    DO(it, tr2_joint_set_event_at(it->world, joints[27], (tr_event_at){1.0f, 1.0f}));
    DO(it, tr2_joint_set_user_data(it->world, joints[27], 5));
    DO(it, tr2_joint_set_enabled(it->world, joints[28], false));
    DO(it, tr2_joint_set_collide_connected(it->world, joints[30], true));
    DO(it, tr2_joint_set_value(it->world, joints[39], TR2_FIELD_MOTOR_ENABLE, 1.0f));
    step(it, 2);
    look(it);
    DO(it, tr2_body_set_type(it->world, bodies[0], TR_STATIC));
    step(it, 1);
    DO(it, tr2_body_set_enabled(it->world, bodies[1], false));
    DO(it, tr2_body_set_type(it->world, bodies[0], TR_DYNAMIC));
    set_contacts(it, bodies, 20, 60);
    step(it, 1);
    DO(it, tr2_world_destroy_bodies(it->world, bodies + 40, 20));
    DO(it, tr2_world_create_bodies(it->world, body_defs + 40, 20, bodies + 40));
    NOTE(it, bodies);
    for (uint32_t i = 0; i < 19; i++) {
        defs[i] = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        defs[i].body_a = bodies[40 + i];
        defs[i].body_b = bodies[41 + i];
    }
    DO(it, tr2_world_create_joints(it->world, defs, 19, more));
    note_bytes(it, more, 19 * sizeof *more);
    step(it, 1);
    set_contacts(it, bodies, 20, 10);
    DO(it, tr2_world_optimize(it->world));
    step(it, 2);
}

/*
 * Islands that are solved directly: a light hub with many spokes, and chains with heavy ends that touch each other
 */
static void life_of_strained_chains(run *it)
{
    tr2_body_def defs[60];
    tr2_body bodies[60] = {{0}};
    tr2_joint_def joint_defs[60];
    tr2_joint joints[60] = {{0}};
    begin(it);
    for (uint32_t i = 0; i < 60; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){0.25 * i, -0.5 * i};
        defs[i].type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        defs[i].mass = i % 10 == 9 ? 200.0f : 1.0f;
    }
    DO(it, tr2_world_create_bodies(it->world, defs, 60, bodies));
    for (uint32_t i = 1; i < 60; i++) {
        joint_defs[i] = tr2_joint_def_default(i % 7 == 0 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE);
        joint_defs[i].body_a = i % 10 == 0 || i > 30 ? bodies[i > 30 ? 30 : 0] : bodies[i - 1];
        joint_defs[i].body_b = bodies[i];
        joint_defs[i].friction = joint_defs[i].type == TR2_JOINT_REVOLUTE && i % 5 == 0 ? 0.2f : 0.0f;
        DO(it, tr2_joint_def_initialize(it->world, &joint_defs[i], defs[i].position, defs[i].position,
                                        (tr_vec2){1.0f, 0.0f}));
    }
    DO(it, tr2_world_create_joints(it->world, joint_defs + 1, 59, joints + 1));
    step(it, 2);
    DO(it, tr2_body_set_mass(it->world, bodies[5], 400.0f, 1.0f, (tr_vec2){0.2f, 0.0f}));
    look(it);
    step(it, 2);
    set_contacts(it, bodies, 0, 12);
    step(it, 2);
    DO(it, tr2_world_destroy_body(it->world, bodies[19]));
    step(it, 2);
    DO(it, tr2_joint_set_value(it->world, joints[33], TR2_FIELD_LIMIT_ENABLE, 1.0f));
    DO(it, tr2_world_set_direct_load(it->world, 3.0f));
    step(it, 2);
    DO(it, tr2_world_set_method(it->world, TR_SMALL_STEP, 0));
    step(it, 2);
    DO(it, tr2_world_optimize(it->world));
    step(it, 4);
}

/*
 * The first step of the direct method, in a world of its own or in one of sweeps: a chain on two bodies that do not move,
 * whose rows are among the others
 */
enum { CHAIN = 6 };

/* the state after some steps, of which the n-th allocation of the first fails; 0: none does. Its allocations. */
static uint64_t direct_chain(bool mixed, uint64_t n, uint64_t *allocations)
{
    test_allocator allocator = {0};
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr2_body before = {0};
    def.threads = 1;
    def.tag = 7;
    def.method = mixed ? TR_SOFT_STEP : TR_DIRECT;
    def.allocator = test_hooks(&allocator);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    for (uint32_t i = 0; i < CHAIN; i++) {
        tr2_body_def body_def = tr2_body_def_default();
        tr2_body body;
        body_def.position.x = i;
        body_def.type = i == 2 || i == CHAIN - 1 ? TR_STATIC : TR_DYNAMIC;
        body_def.direct = mixed && body_def.type == TR_DYNAMIC;
        assert_int_equal(tr2_world_create_body(world, &body_def, &body), TR_OK);
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        joint.body_a = before;
        joint.body_b = body;
        joint.anchor_a.x = 0.5f;
        joint.anchor_b.x = -0.5f;
        if (i > 0)
            assert_int_equal(tr2_world_create_joint(world, &joint, NULL), TR_OK);
        before = body;
    }
    const uint64_t begun = allocator.calls;
    allocator.fail_at = n > 0 ? begun + n : 0;
    tr_status status = tr2_world_step(world, 1.0 / 60.0, 4);
    *allocations = allocator.calls - begun;
    assert_int_equal(status, allocator.failures > 0 ? TR_ERROR_MEMORY : TR_OK);
    for (uint32_t i = status == TR_OK ? 1 : 0; i < 4; i++)
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
    const uint64_t hash = tr2_world_state_hash(world);
    assert_true(tr2_world_statistics(world).direct_islands > 0);
    tr2_world_destroy(world);
    assert_int_equal(allocator.held, 0);
    return hash;
}

static void direct_steps_end_the_same_whatever_fails(void **state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        uint64_t all, some;
        const uint64_t hash = direct_chain(mixed == 1, 0, &all);
        assert_true(all > 10);
        for (uint64_t n = 1; n <= all; n++)
            if (direct_chain(mixed == 1, n, &some) != hash)
                fail_msg("allocation %u of %u: the world ends otherwise if it fails", (unsigned)n, (unsigned)all);
    }
}

static void joints_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_joints);
}

static void strained_chains_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_strained_chains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_end_the_same_whatever_fails),
        cmocka_unit_test(strained_chains_end_the_same_whatever_fails),
        cmocka_unit_test(direct_steps_end_the_same_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
