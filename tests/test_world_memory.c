/* Batches are whole or nothing, and a call that finds no memory leaves the world as it was. */
#include "solver/core/solver_internal.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

static void a_batch_is_made_whole_or_not_at_all(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def bodies[100];
    tr2_body ids[100];
    for (uint32_t i = 0; i < 100; i++) {
        bodies[i] = tr2_body_def_default();
        bodies[i].position.x = i;
    }
    bodies[99].mass = NAN;
    memset(ids, 0xEE, sizeof ids);
    uint64_t hash = tr2_world_state_hash(world);
    assert_int_equal(tr2_world_create_bodies(world, bodies, 100, ids), TR_ERROR_NAN);
    assert_string_equal(tr2_world_last_error(world)->message, "create_bodies: defs[99].mass is NaN");
    assert_int_equal(ids[0].index, 0xEEEEEEEE);
    assert_int_equal(tr2_world_bodies(world).count, 0);
    assert_true(tr2_world_state_hash(world) == hash);
    bodies[99].mass = 1.0f;
    assert_ok(world, tr2_world_create_bodies(world, bodies, 100, ids));
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(ids[i].index, i + 1);

    tr2_joint_def joints[99];
    tr2_joint joint_ids[99];
    for (uint32_t i = 0; i < 99; i++) {
        joints[i] = tr2_joint_def_default((tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT));
        joints[i].body_a = ids[i];
        joints[i].body_b = ids[i + 1];
    }
    hash = tr2_world_state_hash(world);
    joints[98].body_b = joints[98].body_a;
    assert_int_equal(tr2_world_create_joints(world, joints, 99, joint_ids), TR_ERROR_SELF_JOINT);
    assert_string_equal(tr2_world_last_error(world)->message, "create_joints: defs[98].body_b is body_a (slot 98)");
    assert_true(tr2_world_state_hash(world) == hash);
    assert_int_equal(tr2_world_statistics(world).joints, 0);
    joints[98].body_b = ids[0];
    assert_ok(world, tr2_world_create_joints(world, joints, 99, joint_ids));
    assert_int_equal(tr2_world_statistics(world).joints, 99);
    for (uint32_t i = 0; i < 99; i++) {
        tr2_joint_def def;
        assert_ok(world, tr2_joint_get(world, joint_ids[i], &def));
        as_kept(&joints[i], &def);
        assert_same_joint(&def, &joints[i]);
    }

    /* destruction likewise: the last id twice */
    tr2_joint twice[3] = {joint_ids[4], joint_ids[5], joint_ids[4]};
    assert_int_equal(tr2_world_destroy_joints(world, twice, 3), TR_ERROR_STALE_ID);
    assert_true(tr2_joint_is_valid(world, joint_ids[4]) && tr2_joint_is_valid(world, joint_ids[5]));
    assert_ok(world, tr2_world_destroy_joints(world, twice, 2));
    tr2_body body_twice[3] = {ids[7], ids[8], ids[8]};
    assert_int_equal(tr2_world_destroy_bodies(world, body_twice, 3), TR_ERROR_STALE_ID);
    assert_true(tr2_body_is_valid(world, ids[7]) && tr2_body_is_valid(world, ids[8]));
    assert_ok(world, tr2_world_destroy_bodies(world, body_twice, 2));
    assert_int_equal(tr2_world_bodies(world).count, 98);
}

static void batches_and_single_calls_make_the_same_world(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_world_def world_def = tr2_world_def_default();
    world_def.threads = 1;
    tr2_world *other = NULL;
    assert_int_equal(tr2_world_create(&world_def, &other, NULL), TR_OK);
    tr2_body_def bodies[30];
    tr2_body ids[30], other_ids[30];
    for (uint32_t i = 0; i < 30; i++) {
        bodies[i] = tr2_body_def_default();
        bodies[i].position.x = i;
        bodies[i].type = i % 10 == 0 ? TR_STATIC : TR_DYNAMIC;
        assert_ok(other, tr2_world_create_body(other, &bodies[i], &other_ids[i]));
    }
    assert_ok(world, tr2_world_create_bodies(world, bodies, 30, ids));
    tr2_joint_def joints[29];
    for (uint32_t i = 0; i < 29; i++) {
        joints[i] = odd_joint((tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT));
        joints[i].body_a = other_ids[i];
        joints[i].body_b = other_ids[i + 1];
        assert_ok(other, tr2_world_create_joint(other, &joints[i], NULL));
        joints[i].body_a = ids[i];
        joints[i].body_b = ids[i + 1];
    }
    assert_ok(world, tr2_world_create_joints(world, joints, 29, NULL));
    assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(other));
    for (int i = 0; i < 30; i++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_ok(other, tr2_world_step(other, 1.0 / 60.0, 4));
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(other));
    }
    tr2_world_destroy(other);
}

static void a_world_that_cannot_be_made_holds_nothing(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.allocator = test_hooks(&allocator);
    tr2_world *world = NULL;
    uint64_t n = 1;
    for (;; n++) {
        tr_error error = {TR_OK, ""};
        test_fail_in(&allocator, n);
        tr_status status = tr2_world_create(&def, &world, &error);
        if (status == TR_OK)
            break;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_int_equal(error.status, TR_ERROR_MEMORY);
        assert_null(world);
        assert_int_equal(allocator.held, 0);
    }
    assert_true(n > 10);
    tr2_world_destroy(world);
    assert_int_equal(allocator.held, 0);
    assert_int_equal(allocator.mismatches, 0);
}

/* what a failed call must leave as it was */
typedef struct portrait {
    uint64_t hash, epoch; /* of the state; of the plan, which tells the solver to lay out anew */
    uint32_t bodies, joints[TR2_JOINT_TYPE_COUNT];
    uint32_t colors, spans, blocks, solved, islands;
    tr2_body_def first;
} portrait;

static portrait portray(test_allocator *allocator, const tr2_world *world, tr2_body first)
{
    test_fail_in(allocator, 0);
    tr_statistics statistics = tr2_world_statistics(world);
    portrait out;
    memset(&out, 0, sizeof out);
    out.hash = tr2_world_state_hash(world);
    out.epoch = tr_plan_epoch(world->plan);
    out.bodies = tr2_world_bodies(world).count;
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
        out.joints[type] = tr2_world_joints(world, (tr2_joint_type)type).count;
    out.colors = statistics.colors;
    out.spans = statistics.batches;
    out.blocks = statistics.blocks;
    out.solved = statistics.solved_joints;
    out.islands = statistics.islands;
    for (int stage = 0; stage < TR_STAGE_COUNT; stage++)
        assert_true(statistics.stage_bytes[stage] < (size_t)1 << 32);
    assert_int_equal(tr2_body_get(world, first, &out.first), TR_OK);
    return out;
}

/*
 * A call is tried with its first allocation failing, then its second, until none is left to fail: then it has happened.
 * Every failure must leave the world as it was. Returns how many calls that took.
 */
typedef struct crowd {
    fixture *owner;
    tr2_world *world;
    tr2_body first;
    tr2_body_def body_defs[70];
    tr2_joint_def joint_defs[70]; /* a star: more on the first body than one copy of it has room for */
    tr2_body bodies[70];
    tr2_joint joints[70];
    tr_body_type type; /* that try_set_type() sets */
    bool enabled;      /* that try_set_enabled() sets */
} crowd;

typedef tr_status attempt_fn(crowd *it);

static uint64_t exhaust(crowd *it, attempt_fn *attempt)
{
    test_allocator *allocator = &it->owner->allocator;
    portrait before = portray(allocator, it->world, it->first);
    for (uint64_t n = 1;; n++) {
        test_fail_in(allocator, n);
        tr_status status = attempt(it);
        if (status == TR_OK) {
            test_fail_in(allocator, 0);
            return n;
        }
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_int_equal(tr2_world_last_error(it->world)->status, TR_ERROR_MEMORY);
        portrait after = portray(allocator, it->world, it->first);
        assert_memory_equal(&before, &after, sizeof before);
    }
}

static tr_status try_bodies(crowd *it)
{
    return tr2_world_create_bodies(it->world, it->body_defs, 70, it->bodies);
}

static tr_status try_joints(crowd *it)
{
    return tr2_world_create_joints(it->world, it->joint_defs, 70, it->joints);
}

static tr_status try_step(crowd *it)
{
    return tr2_world_step(it->world, 1.0 / 60.0, 2);
}

static tr_status try_long_step(crowd *it)
{
    return tr2_world_step(it->world, 1.0 / 60.0, 64);
}

static tr_status try_set_type(crowd *it)
{
    return tr2_body_set_type(it->world, it->first, it->type);
}

static tr_status try_set_enabled(crowd *it)
{
    return tr2_body_set_enabled(it->world, it->first, it->enabled);
}

static tr_status try_set_joint(crowd *it)
{
    tr2_joint_def def = tr2_joint_def_default(it->joint_defs[0].type);
    def.body_a = it->joint_defs[0].body_a;
    def.body_b = it->joint_defs[0].body_b;
    return tr2_joint_set(it->world, it->joints[0], &def);
}

static tr_status try_optimize(crowd *it)
{
    return tr2_world_optimize(it->world);
}

static tr_status try_threads(crowd *it)
{
    return tr2_world_set_threads(it->world, 2);
}

static void gather(crowd *it, fixture *owner)
{
    memset(it, 0, sizeof *it);
    it->owner = owner;
    it->world = owner->world;
    it->first = make_body(it->world, 0.0, 0.0);
    for (uint32_t i = 0; i < 70; i++) {
        it->body_defs[i] = tr2_body_def_default();
        it->body_defs[i].position.x = i + 1;
    }
}

static void add_star(crowd *it)
{
    assert_ok(it->world, try_bodies(it));
    for (uint32_t i = 0; i < 70; i++) {
        it->joint_defs[i] = odd_joint((tr2_joint_type)(i % TR2_JOINT_TYPE_COUNT));
        it->joint_defs[i].body_a = it->first;
        it->joint_defs[i].body_b = it->bodies[i];
    }
}

static void creation_without_memory_leaves_the_world_as_it_was(void **state)
{
    crowd it;
    gather(&it, *state);
    assert_true(exhaust(&it, try_bodies) > 10);
    assert_int_equal(tr2_world_bodies(it.world).count, 71);
    assert_ok(it.world, tr2_world_destroy_bodies(it.world, it.bodies, 70));
    add_star(&it);
    assert_true(exhaust(&it, try_joints) > 20);
    assert_int_equal(tr2_world_statistics(it.world).joints, 70);
    for (uint32_t i = 0; i < 70; i++) {
        tr2_joint_def def;
        assert_ok(it.world, tr2_joint_get(it.world, it.joints[i], &def));
        assert_same_joint(&def, &it.joint_defs[i]);
    }
}

static void changes_without_memory_leave_the_world_as_it_was(void **state)
{
    crowd it;
    gather(&it, *state);
    add_star(&it);
    assert_ok(it.world, try_joints(&it));
    /* a step that fails may have made a fresh plan before */
    assert_ok(it.world, tr2_world_optimize(it.world));
    assert_true(exhaust(&it, try_step) > 1);
    assert_true(exhaust(&it, try_set_joint) > 1);
    it.type = TR_STATIC;
    assert_true(exhaust(&it, try_set_type) > 1);
    it.type = TR_DYNAMIC;
    assert_true(exhaust(&it, try_set_type) > 1);
    assert_true(exhaust(&it, try_set_enabled) > 1);
    it.enabled = true;
    assert_true(exhaust(&it, try_set_enabled) > 1);
    assert_ok(it.world, tr2_world_optimize(it.world));
    assert_true(exhaust(&it, try_step) > 1);
    assert_true(exhaust(&it, try_threads) > 1);
    assert_int_equal(tr2_world_threads(it.world), threads_of(2));
}

/* a hub of 1 kg with 40 plain revolutes is solved exactly */
static void a_strained_hub_without_memory_leaves_the_world_as_it_was(void **state)
{
    crowd it;
    gather(&it, *state);
    assert_ok(it.world, try_bodies(&it));
    for (uint32_t i = 0; i < 40; i++) {
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        def.body_a = it.first;
        def.body_b = it.bodies[i];
        def.anchor_a.x = (float)(i + 1);
        assert_ok(it.world, tr2_world_create_joint(it.world, &def, &it.joints[i]));
    }
    /* a plan by which it is swept */
    assert_ok(it.world, tr2_world_set_direct_load(it.world, INFINITY));
    assert_ok(it.world, tr2_world_optimize(it.world));
    assert_ok(it.world, tr2_world_set_direct_load(it.world, 10.0f));
    assert_true(exhaust(&it, try_step) > 5);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 40);
}

/* a chain of four links of 1 kg and a ball of 100 kg, hung at x and y; its ball */
static tr2_body hang_chain(tr2_world *world, tr2_body ground, double x, double y)
{
    tr2_body last = ground;
    for (uint32_t i = 0; i < 5; i++) {
        tr2_body_def body = tr2_body_def_default();
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        body.position = (tr_dvec2){x, y - i};
        body.mass = i == 4 ? 100.0f : 1.0f;
        joint.body_a = last;
        joint.anchor_a = i == 0 ? (tr_vec2){(float)x, (float)y} : (tr_vec2){0.0f, -1.0f};
        assert_ok(world, tr2_world_create_body(world, &body, &last));
        joint.body_b = last;
        assert_ok(world, tr2_world_create_joint(world, &joint, NULL));
    }
    return last;
}

/* a chain that was solved exactly and has lost its load: its joints lose their impulses only if the step succeeds */
static void islands_without_memory_keep_the_impulses_of_a_lost_load(void **state)
{
    crowd it;
    gather(&it, *state);
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(it.world, tr2_world_create_body(it.world, &fixed, &ground));
    tr2_body ball = hang_chain(it.world, ground, 0.0, 20.0);
    for (uint32_t i = 0; i < 10; i++)
        assert_ok(it.world, try_step(&it));
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 5);
    assert_ok(it.world, tr2_world_destroy_body(it.world, ball));
    /* more sub-steps than ever, whose stages need room */
    assert_true(exhaust(&it, try_long_step) > 0);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 0);
}

/* two chains whose balls touch, in an island of a long row of bodies, which several workers solve */
static void islands_in_contact_without_memory_leave_the_world_as_it_was(void **state)
{
    crowd it;
    gather(&it, *state);
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground, ball[2], last = it.first;
    assert_ok(it.world, tr2_world_create_body(it.world, &fixed, &ground));
    for (uint32_t i = 0; i < 2; i++)
        ball[i] = hang_chain(it.world, ground, i, 20.0);
    for (uint32_t i = 0; i < 3000; i++) {
        tr2_body next = make_body(it.world, 0.0, 0.0);
        (void)make_joint(it.world, TR2_JOINT_REVOLUTE, last, next);
        last = next;
    }
    tr2_contact_def contacts[2] = {tr2_contact_def_default(), tr2_contact_def_default()};
    for (uint32_t i = 0; i < 2; i++) {
        contacts[i].body_a = i == 0 ? ball[0] : it.first;
        contacts[i].body_b = ball[1];
        contacts[i].id = i;
        contacts[i].point_count = 1;
        contacts[i].normal = (tr_vec2){1.0f, 0.0f};
        contacts[i].point[0] = (tr_dvec2){0.5, 16.0};
    }
    assert_ok(it.world, tr2_world_set_contacts(it.world, contacts, 2));
    /* a step by sweeps alone, which plans the joints */
    tr2_world_set_direct_load(it.world, INFINITY);
    assert_ok(it.world, try_step(&it));
    tr2_world_set_direct_load(it.world, 10.0f);
    assert_true(exhaust(&it, try_step) > 5);
    assert_int_equal(tr2_world_statistics(it.world).exact_joints, 10);
}

static void planning_afresh_without_memory_leaves_the_world_as_it_was(void **state)
{
    crowd it;
    gather(&it, *state);
    add_star(&it);
    assert_ok(it.world, try_joints(&it));
    uint64_t hash = tr2_world_state_hash(it.world);
    assert_true(exhaust(&it, try_optimize) > 10);
    for (uint32_t i = 0; i < 70; i++) {
        tr2_joint_def def;
        assert_ok(it.world, tr2_joint_get(it.world, it.joints[i], &def));
        assert_same_joint(&def, &it.joint_defs[i]);
    }
    assert_true(tr2_world_state_hash(it.world) == hash);
    assert_ok(it.world, try_step(&it));
    assert_true(tr2_world_state_hash(it.world) != hash);
}

/* Joints that are not made, for want of memory, change nothing later: neither when the world is planned afresh, nor the
   kernels of joints that they would be beside. */
static void joints_that_fail_leave_no_trace(void **state)
{
    fixture *owner = *state;
    tr2_world_def plain = tr2_world_def_default();
    tr2_world *worlds[2] = {owner->world, NULL};
    plain.threads = 1;
    assert_int_equal(tr2_world_create(&plain, &worlds[1], NULL), TR_OK);
    uint64_t failures = 0;
    for (uint32_t which = 0; which < 2; which++) {
        tr2_world *world = worlds[which];
        tr2_body bodies[120];
        tr2_joint_def defs[50];
        for (uint32_t i = 0; i < 120; i++)
            bodies[i] = make_body(world, i, 0.01 * i * i);
        for (uint32_t i = 0; i + 1 < 120; i += 2)
            (void)make_joint(world, TR2_JOINT_REVOLUTE, bodies[i], bodies[i + 1]);
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        /* half of them beside others */
        for (uint32_t i = 0; i < 50; i++) {
            defs[i] = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
            defs[i].body_a = bodies[i];
            defs[i].body_b = bodies[i + 1];
        }
        for (uint64_t n = 1; which == 0; n++) {
            test_fail_in(&owner->allocator, n);
            tr_status status = tr2_world_create_joints(world, defs, 50, NULL);
            test_fail_in(&owner->allocator, 0);
            if (status == TR_OK)
                break;
            assert_int_equal(status, TR_ERROR_MEMORY);
            failures = n;
        }
        if (which == 1)
            assert_ok(world, tr2_world_create_joints(world, defs, 50, NULL));
    }
    assert_true(failures > 3);
    for (uint32_t step = 0; step < 40; step++) {
        for (uint32_t which = 0; which < 2; which++)
            assert_ok(worlds[which], tr2_world_step(worlds[which], 1.0 / 60.0, 4));
        assert_true(tr2_world_state_hash(worlds[0]) == tr2_world_state_hash(worlds[1]));
    }
    tr2_world_destroy(worlds[1]);
}

/* Of two joints side by side one is destroyed, and there is no memory to plan the other anew: the next step does that,
   or fails. The world goes on with the same bits as with enough memory. */
static void a_joint_that_is_left_alone_without_memory_is_planned_later(void **state)
{
    fixture *owner = *state;
    tr2_world_def plain = tr2_world_def_default();
    tr2_world *worlds[2] = {owner->world, NULL};
    plain.threads = 1;
    assert_int_equal(tr2_world_create(&plain, &worlds[1], NULL), TR_OK);
    for (uint32_t which = 0; which < 2; which++) {
        tr2_world *world = worlds[which];
        tr2_body a = make_body(world, 0.0, 0.0), b = make_body(world, 1.0, 0.25);
        (void)make_joint(world, TR2_JOINT_REVOLUTE, a, b);
        tr2_joint weld = make_joint(world, TR2_JOINT_WELD, a, b);
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_ok(world, tr2_world_optimize(world));
        test_fail_in(&owner->allocator, which == 0 ? 1 : 0);
        assert_ok(world, tr2_world_destroy_joint(world, weld));
        assert_true(world->unsettled == (which == 0));
    }
    test_fail_in(&owner->allocator, 1);
    assert_int_equal(tr2_world_step(worlds[0], 1.0 / 60.0, 4), TR_ERROR_MEMORY);
    assert_true(worlds[0]->unsettled);
    test_fail_in(&owner->allocator, 0);
    for (uint32_t step = 0; step < 30; step++) {
        for (uint32_t which = 0; which < 2; which++)
            assert_ok(worlds[which], tr2_world_step(worlds[which], 1.0 / 60.0, 4));
        assert_true(tr2_world_state_hash(worlds[0]) == tr2_world_state_hash(worlds[1]));
    }
    assert_false(worlds[0]->unsettled);
    tr2_world_destroy(worlds[1]);
}

static void destroying_needs_no_memory(void **state)
{
    crowd it;
    gather(&it, *state);
    add_star(&it);
    assert_ok(it.world, try_joints(&it));
    test_fail_in(&it.owner->allocator, 1);
    assert_ok(it.world, tr2_world_destroy_joints(it.world, it.joints, 35));
    assert_ok(it.world, tr2_world_destroy_bodies(it.world, it.bodies, 70));
    assert_int_equal(it.owner->allocator.calls, 0);
    assert_int_equal(tr2_world_statistics(it.world).joints, 0);
    test_fail_in(&it.owner->allocator, 0);
    assert_ok(it.world, tr2_world_step(it.world, 1.0 / 60.0, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_batch_is_made_whole_or_not_at_all),
        TEST(batches_and_single_calls_make_the_same_world),
        TEST(a_world_that_cannot_be_made_holds_nothing),
        TEST(creation_without_memory_leaves_the_world_as_it_was),
        TEST(changes_without_memory_leave_the_world_as_it_was),
        TEST(a_strained_hub_without_memory_leaves_the_world_as_it_was),
        TEST(islands_in_contact_without_memory_leave_the_world_as_it_was),
        TEST(islands_without_memory_keep_the_impulses_of_a_lost_load),
        TEST(planning_afresh_without_memory_leaves_the_world_as_it_was),
        TEST(joints_that_fail_leave_no_trace),
        TEST(a_joint_that_is_left_alone_without_memory_is_planned_later),
        TEST(destroying_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
