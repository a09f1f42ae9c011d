/* What a world holds: bytes per body and per joint, through the hooks, and what features cost those who do not use
   them. */
#include <float.h>
#include <stdlib.h>

#include "weightless.h"
#include "world_fixture.h"

enum { SIDE = 100, BODIES = SIDE * SIDE, JOINTS = 2 * SIDE * (SIDE - 1) };
/* rows that a batch of so many joints makes: a few to spare, for those that are made one by one after it */
enum { ROWS = JOINTS + JOINTS / 256 };

/* a square net that hangs from its upper corners */
static void make_net_bodies(tr2_world *world, uint32_t side, tr2_body *ids)
{
    tr2_body_def *defs = calloc((size_t)side * side, sizeof *defs);
    assert_non_null(defs);
    for (uint32_t i = 0; i < side * side; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].type = i == 0 || i == side - 1 ? TR_STATIC : TR_DYNAMIC;
        defs[i].position.x = i % side;
        defs[i].position.y = -(double)(i / side);
    }
    assert_ok(world, tr2_world_create_bodies(world, defs, side * side, ids));
    free(defs);
}

static tr2_joint_def link_of(const tr2_body *ids, uint32_t a, uint32_t b)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    bool down = b != a + 1;
    def.body_a = ids[a];
    def.body_b = ids[b];
    def.anchor_a = (tr_vec2){down ? 0.0f : 0.5f, down ? -0.5f : 0.0f};
    def.anchor_b = (tr_vec2){-def.anchor_a.x, -def.anchor_a.y};
    return def;
}

static void make_net_joints(tr2_world *world, uint32_t side, const tr2_body *ids, tr2_joint *joints)
{
    tr2_joint_def *defs = calloc((size_t)2 * side * side, sizeof *defs);
    assert_non_null(defs);
    uint32_t count = 0;
    for (uint32_t i = 0; i < side * side; i++) {
        if (i % side + 1 < side)
            defs[count++] = link_of(ids, i, i + 1);
        if (i + side < side * side)
            defs[count++] = link_of(ids, i, i + side);
    }
    assert_int_equal(count, 2 * side * (side - 1));
    assert_ok(world, tr2_world_create_joints(world, defs, count, joints));
    free(defs);
}

static void make_bodies(tr2_world *world, tr2_body *ids)
{
    make_net_bodies(world, SIDE, ids);
}

static void make_joints(tr2_world *world, const tr2_body *ids, tr2_joint *joints)
{
    make_net_joints(world, SIDE, ids, joints);
}

/* bytes held after some steps: everything that a world makes for itself is then there */
static size_t held(const fixture *it)
{
    for (int i = 0; i < 3; i++)
        assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    assert_true(tr2_world_statistics(it->world).bytes == it->allocator.held);
    return it->allocator.held;
}

/* sleep has a line of its own */
static int setup_awake(void **state)
{
    const tr_sleep_settings off = {.enable = false};
    return setup(state) == 0 && tr2_world_set_sleep(((fixture *)*state)->world, &off) == TR_OK ? 0 : -1;
}

/* bytes per body, and per joint beside them */
static void hold_net(fixture *it, uint32_t side, double *per_body, double *per_joint)
{
    uint32_t bodies = side * side, joints = 2 * side * (side - 1);
    tr2_body *ids = calloc(bodies, sizeof *ids);
    size_t empty = it->allocator.held;
    make_net_bodies(it->world, side, ids);
    *per_body = (double)(held(it) - empty) / bodies;
    size_t before = it->allocator.held;
    make_net_joints(it->world, side, ids, NULL);
    *per_joint = (double)(held(it) - before) / joints;
    print_message("%u x %u: %.1f bytes per body, %.1f per revolute, %.1f per revolute with its share of the bodies\n",
                  side, side, *per_body, *per_joint, (double)it->allocator.held / joints);
    free(ids);
}

/* The lines are what was measured, and a twentieth: for the parts that do not grow with the world, and for change. */
static void a_net_of_revolutes_holds_no_more_than_its_line(void **state)
{
    double per_body, per_joint;
    hold_net(*state, SIDE, &per_body, &per_joint);
    assert_true(per_body < 164.0);
    assert_true(per_joint < 175.0);
}

/* where the caches do not hold what passes compute of where bodies stand, it is not kept: then these are the lines that
   were drawn, 128 for a revolute and 160 for a body */
static void a_large_net_holds_less_for_each(void **state)
{
    double per_body, per_joint;
    hold_net(*state, 316, &per_body, &per_joint);
    assert_true(per_body <= 160.0);
    assert_true(per_joint <= 128.0);
}

/* Joints made one by one after a batch find room in the tables and in the plan, in which nothing has to be copied. */
static void the_first_joints_after_a_batch_find_room(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    make_bodies(it->world, ids);
    make_joints(it->world, ids, NULL);
    size_t before = held(it);
    for (uint32_t i = 0; i < JOINTS / 256; i++) {
        tr2_joint_def def = link_of(ids, 200 + 120 * i, 202 + 120 * i);
        assert_ok(it->world, tr2_world_create_joint(it->world, &def, NULL));
    }
    /* spans of colours that a unit did not have, longer lists of degrees: less than the least column for another
       joint */
    size_t more = it->allocator.held - before;
    print_message("%zu bytes more for %d joints\n", more, JOINTS / 256);
    assert_true(more < 4 * (JOINTS / 4));
    free(ids);
}

/* Discs of half a metre, `pitch` apart: bytes for each, with its body. */
static double held_by_discs(fixture *it, double pitch, double *contacts)
{
    size_t empty = it->allocator.held;
    tr2_body_def *defs = calloc(BODIES, sizeof *defs);
    tr2_shape_def *discs = calloc(BODIES, sizeof *discs);
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    for (uint32_t i = 0; i < BODIES; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){pitch * (i % SIDE), pitch * (double)(i / SIDE)};
    }
    assert_ok(it->world, tr2_world_create_bodies(it->world, defs, BODIES, ids));
    for (uint32_t i = 0; i < BODIES; i++)
        discs[i] = weightless(tr2_circle_on(ids[i], (tr_vec2){0.0f, 0.0f}, 0.25f));
    assert_ok(it->world, tr2_world_create_shapes(it->world, discs, BODIES, NULL));
    double bytes = (double)(held(it) - empty) / BODIES;
    *contacts = (double)tr2_world_statistics(it->world).contacts / BODIES;
    assert_ok(it->world, tr2_world_destroy_bodies(it->world, ids, BODIES));
    free(defs);
    free(discs);
    free(ids);
    return bytes;
}

/* apart, and in rows and columns that touch: two contacts for each, and two pairs more across the corners */
static void a_crowd_of_discs_holds_no_more_than_its_line(void **state)
{
    fixture *it = *state;
    double contacts;
    double apart = held_by_discs(it, 2.0, &contacts);
    assert_true(contacts == 0.0);
    print_message("%.1f bytes per body with a disc\n", apart);
    assert_true(apart < 500.0);
}

static void a_packed_crowd_of_discs_holds_no_more_than_its_line(void **state)
{
    fixture *it = *state;
    double contacts, packed = held_by_discs(it, 0.5, &contacts);
    assert_true(contacts > 1.9 && contacts < 2.0);
    print_message("%.1f bytes per body with a disc and two contacts\n", packed);
    /* with the manifolds and pairs of the step before, to which a step goes back that is refused for memory */
    assert_true(packed < 1824.0);
}

/* A world of its own for each of many small machines must not cost much: what was measured, 46.7 kB, and a little. */
static void a_small_world_is_small(void **state)
{
    fixture *it = *state;
    tr2_body a = {0}, b = {0};
    tr2_body_def body = tr2_body_def_default();
    assert_ok(it->world, tr2_world_create_body(it->world, &body, &a));
    body.position.x = 1.0;
    assert_ok(it->world, tr2_world_create_body(it->world, &body, &b));
    tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    joint.body_a = a;
    joint.body_b = b;
    joint.anchor_a.x = 1.0f;
    assert_ok(it->world, tr2_world_create_joint(it->world, &joint, NULL));
    size_t bytes = held(it);
    print_message("%zu bytes for two bodies and a joint\n", bytes);
    assert_true(bytes < 47500);
}

/* a number that no joint has but one costs its column, four bytes for each joint of the type; impulses likewise */
static void the_columns_of_a_feature_come_with_the_first_that_has_it(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    tr2_joint *joints = calloc(JOINTS, sizeof *joints);
    make_bodies(it->world, ids);
    make_joints(it->world, ids, joints);
    tr2_joint_view view = tr2_world_joints(it->world, TR2_JOINT_REVOLUTE);
    assert_null(view.field[TR2_FIELD_MOTOR_SPEED]);
    assert_null(view.user_data);
    assert_null(view.impulse[view.impulse_count - 1]);
    assert_non_null(view.field[TR2_FIELD_ANCHOR_A_X]);
    assert_non_null(view.impulse[0]);
    size_t before = it->allocator.held;
    uint64_t hash = tr2_world_state_hash(it->world);

    /* written but not switched on: one column */
    assert_ok(it->world, tr2_joint_set_value(it->world, joints[77], TR2_FIELD_MOTOR_SPEED, 2.0f));
    assert_int_equal(it->allocator.held - before, 4 * ROWS);
    assert_true(tr2_world_state_hash(it->world) == hash);
    view = tr2_world_joints(it->world, TR2_JOINT_REVOLUTE);
    for (uint32_t row = 0; row < view.count; row++)
        assert_true(view.field[TR2_FIELD_MOTOR_SPEED][row] == (view.id[row].index == joints[77].index ? 2.0f : 0.0f));

    /* switched on: two more, and the impulses of spring, motor, limits and friction */
    assert_ok(it->world, tr2_joint_set_value(it->world, joints[77], TR2_FIELD_MOTOR_ENABLE, 1.0f));
    assert_ok(it->world, tr2_joint_set_value(it->world, joints[77], TR2_FIELD_MOTOR_MAXIMUM, 1.0f));
    view = tr2_world_joints(it->world, TR2_JOINT_REVOLUTE);
    assert_true(it->allocator.held - before >= (1 + 2 + 5) * 4 * ROWS);
    for (uint32_t i = 0; i < view.impulse_count; i++)
        assert_non_null(view.impulse[i]);
    tr2_joint_def def;
    assert_ok(it->world, tr2_joint_get(it->world, joints[77], &def));
    assert_true(def.motor.enable && def.motor.speed == 2.0f && def.motor.maximum == 1.0f);
    assert_ok(it->world, tr2_joint_get(it->world, joints[78], &def));
    assert_true(!def.motor.enable && def.motor.speed == 0.0f && def.motor.maximum == FLT_MAX);
    free(joints);
    free(ids);
}

/* switched off, disabled, with user data: what lies beside the fields */
static void what_lies_beside_the_fields_comes_with_the_first_too(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    tr2_joint *joints = calloc(JOINTS, sizeof *joints);
    make_bodies(it->world, ids);
    make_joints(it->world, ids, joints);
    assert_ok(it->world, tr2_joint_set_user_data(it->world, joints[5], 99));
    assert_ok(it->world, tr2_joint_set_enabled(it->world, joints[6], false));
    assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    tr2_joint_def def;
    for (uint32_t i = 4; i < 8; i++) {
        assert_ok(it->world, tr2_joint_get(it->world, joints[i], &def));
        assert_true(def.user_data == (i == 5 ? 99 : 0));
        assert_true(def.enabled == (i != 6));
    }
    tr2_reaction reaction;
    assert_ok(it->world, tr2_joint_reaction(it->world, joints[6], &reaction));
    assert_true(reaction.force.x == 0.0f && reaction.force.y == 0.0f);
    free(joints);
    free(ids);
}

/* which island a body is in, where it was, and events that tell of all */
static void sleep_holds_no_more_than_its_line(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    make_bodies(it->world, ids);
    const tr_sleep_settings on = tr2_world_def_default().sleep;
    assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    size_t before = held(it);
    assert_ok(it->world, tr2_world_set_sleep(it->world, &on));
    assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    double per_body = (double)(held(it) - before) / BODIES;
    print_message("%.1f bytes per body for sleep\n", per_body);
    assert_true(per_body > 0.0 && per_body < 84.0);
    free(ids);
}

/* forces, damping and the like: four bytes for each body, when the first body has them */
static void the_columns_of_bodies_come_with_the_first_that_needs_them(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    make_bodies(it->world, ids);
    size_t before = it->allocator.held;
    assert_ok(it->world, tr2_body_set_damping(it->world, ids[3], 0.0f, 0.0f));
    assert_ok(it->world, tr2_body_set_gravity_scale(it->world, ids[3], 1.0f));
    assert_ok(it->world, tr2_body_apply_force_to_center(it->world, ids[0], (tr_vec2){1.0f, 0.0f})); /* static */
    assert_int_equal(it->allocator.held, before);

    assert_ok(it->world, tr2_body_set_gravity_scale(it->world, ids[3], 0.5f));
    assert_int_equal(it->allocator.held - before, 4 * BODIES);
    assert_ok(it->world, tr2_body_apply_force_to_center(it->world, ids[4], (tr_vec2){0.0f, 2.0f * 9.81f}));
    assert_int_equal(it->allocator.held - before, (4 + 12) * BODIES);

    /* the others are as they were: half of gravity, gravity upside down, gravity */
    assert_ok(it->world, tr2_world_step(it->world, 1.0, 1));
    const float speeds[] = {-4.905f, 9.81f, -9.81f};
    for (uint32_t i = 0; i < 3; i++) {
        tr2_body_def def;
        assert_ok(it->world, tr2_body_get(it->world, ids[3 + i], &def));
        assert_true(fabsf(def.velocity.y - speeds[i]) < 1e-5f);
        assert_true(def.gravity_scale == (i == 0 ? 0.5f : 1.0f));
        assert_true(def.linear_damping == 0.0f && def.user_data == 0);
    }

    /* the view has all: ids, inverse masses, centres, damping twice, scales of sleep and user data, too */
    before = it->allocator.held;
    tr2_body_view view = tr2_world_bodies(it->world);
    assert_int_equal(it->allocator.held - before, (7 * 4 + 8 + 8) * BODIES);
    for (uint32_t row = 0; row < view.count; row++) {
        assert_true(view.gravity_scale[row] == (view.id[row].index == ids[3].index ? 0.5f : 1.0f));
        assert_true(view.torque[row] == 0.0f && view.angular_damping[row] == 0.0f && view.user_data[row] == 0);
    }
    free(ids);
}

static bool same_id(tr2_body a, tr2_body b)
{
    return a.index == b.index && a.world == b.world && a.generation == b.generation;
}

/* each row of the view names the joint that tr2_joint_get() finds there, and its bodies */
static void check_ids(const fixture *it)
{
    tr2_joint_view view = tr2_world_joints(it->world, TR2_JOINT_REVOLUTE);
    for (uint32_t row = 0; row < view.count; row++) {
        tr2_joint_def def;
        assert_ok(it->world, tr2_joint_get(it->world, view.id[row], &def));
        assert_true(def.anchor_a.x == view.field[TR2_FIELD_ANCHOR_A_X][row] &&
                    def.anchor_a.y == view.field[TR2_FIELD_ANCHOR_A_Y][row]);
        assert_true(same_id(view.body_a[row], def.body_a) && same_id(view.body_b[row], def.body_b));
    }
    tr2_body_view bodies = tr2_world_bodies(it->world);
    for (uint32_t row = 0; row < bodies.count; row++) {
        tr2_body_def def;
        assert_ok(it->world, tr2_body_get(it->world, bodies.id[row], &def));
        assert_true(def.position.x == bodies.center_x[row] && def.position.y == bodies.center_y[row]);
        assert_true(bodies.inverse_mass[row] == (def.type == TR_DYNAMIC ? 1.0f / def.mass : 0.0f));
    }
}

/* the view of joints has ids and bodies, 24 bytes for each, from the first time that somebody looks; they stay true */
static void ids_come_with_the_first_who_looks(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    tr2_joint *joints = calloc(JOINTS, sizeof *joints);
    make_bodies(it->world, ids);
    make_joints(it->world, ids, joints);
    size_t before = it->allocator.held;
    /* the first, the second and the third column without memory */
    for (uint64_t n = 1; n <= 3; n++) {
        test_fail_in(&it->allocator, n < 3 ? n : 2);
        assert_int_equal(tr2_world_joints(it->world, TR2_JOINT_REVOLUTE).count, 0);
    }
    test_fail_in(&it->allocator, 0);
    assert_int_equal(tr2_world_joints(it->world, TR2_JOINT_REVOLUTE).count, JOINTS);
    assert_int_equal(it->allocator.held - before, 24 * ROWS);
    test_fail_in(&it->allocator, 1);
    assert_int_equal(tr2_world_bodies(it->world).count, 0);
    test_fail_in(&it->allocator, 0);
    check_ids(it);

    /* after a step that moves rows about, some joints gone and some come, and a body with its joints */
    assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    assert_ok(it->world, tr2_world_destroy_joints(it->world, joints + 500, 30));
    assert_ok(it->world, tr2_world_destroy_body(it->world, ids[4321]));
    tr2_joint_def def = link_of(ids, 77, 4000);
    assert_ok(it->world, tr2_world_create_joint(it->world, &def, NULL));
    check_ids(it);
    assert_ok(it->world, tr2_world_optimize(it->world));
    check_ids(it);
    free(joints);
    free(ids);
}

/* a call that finds no memory for a column changes nothing */
static void a_column_without_memory_is_a_status(void **state)
{
    fixture *it = *state;
    tr2_body *ids = calloc(BODIES, sizeof *ids);
    tr2_joint *joints = calloc(JOINTS, sizeof *joints);
    make_bodies(it->world, ids);
    make_joints(it->world, ids, joints);
    size_t before = it->allocator.held;
    test_fail_in(&it->allocator, 1);
    assert_int_equal(tr2_body_set_user_data(it->world, ids[9], 1), TR_ERROR_MEMORY);
    test_fail_in(&it->allocator, 2);
    assert_int_equal(tr2_body_apply_torque(it->world, ids[9], 1.0f), TR_ERROR_MEMORY);
    test_fail_in(&it->allocator, 1);
    assert_int_equal(tr2_joint_set_user_data(it->world, joints[9], 1), TR_ERROR_MEMORY);
    test_fail_in(&it->allocator, 1);
    assert_int_equal(tr2_joint_set_value(it->world, joints[9], TR2_FIELD_FRICTION, 1.0f), TR_ERROR_MEMORY);
    test_fail_in(&it->allocator, 0);
    /* none of the three columns of forces has come */
    assert_int_equal(it->allocator.held, before);
    tr2_body_def body;
    tr2_joint_def joint;
    assert_ok(it->world, tr2_body_get(it->world, ids[9], &body));
    assert_ok(it->world, tr2_joint_get(it->world, joints[9], &joint));
    assert_true(body.user_data == 0 && joint.user_data == 0 && joint.friction == 0.0f);
    assert_ok(it->world, tr2_world_step(it->world, 1.0 / 60.0, 4));
    free(joints);
    free(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_large_net_holds_less_for_each, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(the_first_joints_after_a_batch_find_room, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(a_net_of_revolutes_holds_no_more_than_its_line, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(a_crowd_of_discs_holds_no_more_than_its_line, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(a_packed_crowd_of_discs_holds_no_more_than_its_line, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(a_small_world_is_small, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(the_columns_of_a_feature_come_with_the_first_that_has_it, setup_awake,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_lies_beside_the_fields_comes_with_the_first_too, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(sleep_holds_no_more_than_its_line, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(the_columns_of_bodies_come_with_the_first_that_needs_them, setup_awake,
                                        teardown),
        cmocka_unit_test_setup_teardown(ids_come_with_the_first_who_looks, setup_awake, teardown),
        cmocka_unit_test_setup_teardown(a_column_without_memory_is_a_status, setup_awake, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
