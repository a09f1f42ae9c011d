/* Bodies that are switched off and on again: they do nothing, keep everything, and come back. */
#include "all_threads.h"
#include "shape_fixture.h"
#include "weightless.h"

static void steps(tr2_world *world, int count)
{
    for (int i = 0; i < count; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
}

static uint32_t count_touches(const tr2_world *world, tr2_touch_kind kind)
{
    tr2_touch_view touches = tr2_world_touches(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < touches.count; i++)
        count += touches.event[i].kind == kind;
    return count;
}

/* how many shapes all kinds of queries see around the origin */
static uint32_t count_seen(const tr2_world *world)
{
    tr2_shape_def disc = weightless(tr2_circle_on((tr2_body){0, 0, 0}, (tr_vec2){0.0f, 0.0f}, 0.2f));
    double x = 0.0, y = 0.0, lower = -0.4, upper = 0.4;
    float translation = 0.1f;
    tr2_poses pose = {1, &x, &y, NULL};
    tr2_points point = {1, &x, &y};
    tr2_boxes box = {1, &lower, &lower, &upper, &upper};
    uint32_t seen = 0, first[2];
    tr2_hit hit;
    tr2_shape id;
    tr2_hits hits = {.shape = &id};
    tr2_nearest nearest = {.shape = &id};
    assert_int_equal(tr2_world_cast_ray(world, (tr_dvec2){-3.0, 0.0}, (tr_vec2){6.0f, 0.0f}, NULL, &hit, NULL), TR_OK);
    seen += hit.shape.index != 0;
    assert_int_equal(tr2_world_cast_shapes(world, &disc, &pose, &translation, &translation, NULL, &hits, NULL), TR_OK);
    seen += id.index != 0;
    assert_int_equal(tr2_world_nearest_shapes(world, &point, 0.1f, NULL, &nearest, NULL), TR_OK);
    seen += id.index != 0;
    assert_int_equal(tr2_world_overlap_shapes(world, &disc, &pose, NULL, NULL, 0, first, NULL), TR_OK);
    seen += first[1];
    assert_int_equal(tr2_world_overlap_boxes(world, &box, NULL, NULL, 0, first, NULL), TR_OK);
    seen += first[1];
    assert_int_equal(tr2_world_overlap_points(world, &point, NULL, NULL, 0, first, NULL), TR_OK);
    seen += first[1];
    assert_int_equal(tr2_world_collide_shapes(world, &disc, &pose, 0.1f, NULL, NULL, 0, first, NULL), TR_OK);
    return seen + first[1];
}

/* a box on a table: without the table it falls, without the box nothing is there */
static void a_disabled_body_is_not_there(void **state)
{
    tr2_world *world = world_of(state);
    for (uint32_t type = TR_STATIC; type <= TR_DYNAMIC; type++) {
        /* a dynamic table hovers, and is heavy enough not to move while the box lies on it */
        tr2_body table = make(world, (tr_body_type)type, 0.0, 0.0), box = make(world, TR_DYNAMIC, 0.0, 1.0);
        assert_ok(world, tr2_body_set_gravity_scale(world, table, 0.0f));
        tr2_shape_def board = tr2_box_on(table, 2.0f, 0.5f);
        board.density = 1e6f;
        add(world, board);
        add(world, weightless(tr2_box_on(box, 0.5f, 0.5f)));
        steps(world, 10);
        tr2_shape_contact contact;
        uint32_t count;
        assert_ok(world, tr2_body_contacts(world, box, &contact, 1, &count));
        assert_int_equal(count, 1);
        assert_int_equal(count_seen(world), 7);

        tr2_body_def before = body_now(world, table);
        assert_ok(world, tr2_body_set_enabled(world, table, false));
        tr2_body_def off = body_now(world, table);
        assert_true(!off.enabled && off.type == (tr_body_type)type && off.mass == before.mass);
        tr_body_type now;
        assert_ok(world, tr2_body_get_type(world, table, &now));
        assert_int_equal(now, type);
        /* the edit is seen at once, its touches end with the next step */
        assert_int_equal(count_seen(world), 0);
        assert_ok(world, tr2_body_contacts(world, box, &contact, 1, &count));
        assert_int_equal(count, 0);
        steps(world, 1);
        assert_int_equal(count_touches(world, TR2_TOUCH_END), 1);
        steps(world, 59);
        off = body_now(world, table);
        assert_true(off.position.y == before.position.y && off.velocity.y == 0.0f);
        /* a second of free fall, by implicit Euler: g t^2/2 (1 + h/t) */
        assert_true(fabs(body_now(world, box).position.y - (1.0 - 0.5 * 9.81 * (1.0 + 1.0 / 240.0))) < 0.01);

        /* back again, under the box */
        assert_ok(world, tr2_body_set_transform(world, box, (tr_dvec2){0.0, 1.0}, 0.0));
        assert_ok(world, tr2_body_set_velocity(world, box, (tr_vec2){0.0f, 0.0f}, 0.0f));
        assert_ok(world, tr2_body_set_enabled(world, table, true));
        assert_int_equal(count_seen(world), 7);
        steps(world, 1);
        assert_int_equal(count_touches(world, TR2_TOUCH_BEGIN), 1);
        steps(world, 59);
        assert_true(fabs(body_now(world, box).position.y - 1.0) < 0.01);
        assert_true(body_now(world, table).enabled);
        assert_ok(world, tr2_world_destroy_body(world, table));
        assert_ok(world, tr2_world_destroy_body(world, box));
        steps(world, 1);
    }
}

/* off and on without a step between: the touch lasts */
static void a_body_that_is_back_before_the_step_touches_on(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body box = make(world, TR_DYNAMIC, 0.0, 0.5);
    add(world, weightless(tr2_box_on(make(world, TR_STATIC, 0.0, -0.5), 5.0f, 0.5f)));
    add(world, weightless(tr2_box_on(box, 0.5f, 0.5f)));
    steps(world, 30);
    for (int i = 0; i < 10; i++) {
        assert_ok(world, tr2_body_set_enabled(world, box, false));
        assert_ok(world, tr2_body_set_enabled(world, box, true));
        steps(world, 1);
        assert_int_equal(tr2_world_touches(world).count, 0);
    }
    assert_true(fabs(body_now(world, box).position.y - 0.5) < 0.01);
}

/* of a chain of three the middle one is disabled: the last falls freely, and no joint has a reaction; then it hangs */
static void joints_of_a_disabled_body_rest(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body[4];
    tr2_joint joint[3];
    for (int i = 0; i < 4; i++)
        body[i] = make(world, i == 0 ? TR_STATIC : TR_DYNAMIC, 0.0, -(double)i);
    for (int i = 0; i < 3; i++) {
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        def.body_a = body[i];
        def.body_b = body[i + 1];
        def.anchor_b = (tr_vec2){0.0f, 1.0f};
        /* the joint at the end is new while its body is off */
        if (i == 2)
            assert_ok(world, tr2_body_set_enabled(world, body[2], false));
        assert_ok(world, tr2_world_create_joint(world, &def, &joint[i]));
        if (i == 1)
            steps(world, 5);
    }
    steps(world, 60);
    assert_true(fabs((double)body_now(world, body[3]).velocity.y + 9.81 * 65.0 / 60.0) < 0.01);
    assert_true(body_now(world, body[2]).position.y > -2.01);
    for (int i = 1; i < 3; i++) {
        tr2_reaction reaction;
        tr_joint_error_value error;
        assert_ok(world, tr2_joint_reaction(world, joint[i], &reaction));
        assert_ok(world, tr2_joint_error(world, joint[i], &error));
        assert_true(reaction.force.x == 0.0f && reaction.force.y == 0.0f && error.linear == 0.0f);
        tr2_joint_def def;
        assert_ok(world, tr2_joint_get(world, joint[i], &def));
        assert_true(def.enabled);
        /* an edit of the joint does not wake it */
        assert_ok(world, tr2_joint_set(world, joint[i], &def));
    }
    assert_int_equal(tr2_world_measure(world).rigid_joints, 1);
    tr2_joint listed[4];
    uint32_t count;
    assert_ok(world, tr2_body_joints(world, body[2], listed, 4, &count));
    assert_int_equal(count, 2);

    assert_ok(world, tr2_body_set_transform(world, body[3], (tr_dvec2){0.0, -3.0}, 0.0));
    assert_ok(world, tr2_body_set_velocity(world, body[3], (tr_vec2){0.0f, 0.0f}, 0.0f));
    assert_ok(world, tr2_body_set_enabled(world, body[2], true));
    steps(world, 120);
    tr2_reaction reaction;
    assert_ok(world, tr2_joint_reaction(world, joint[0], &reaction));
    assert_true(fabs(fabs((double)reaction.force.y) - 3.0 * 9.81) < 0.3);
    assert_int_equal(tr2_world_measure(world).rigid_joints, 3);
}

/* two bodies with a joint, of which both are disabled: it acts only when both are back */
static void a_joint_waits_for_both_bodies(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body a = make(world, TR_DYNAMIC, 0.0, 0.0), b = make(world, TR_DYNAMIC, 1.0, 0.0);
    assert_ok(world, tr2_body_set_gravity_scale(world, a, 0.0f));
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    def.body_a = a;
    def.body_b = b;
    assert_ok(world, tr2_world_create_joint(world, &def, NULL));
    assert_ok(world, tr2_body_set_enabled(world, a, false));
    assert_ok(world, tr2_body_set_enabled(world, b, false));
    steps(world, 10);
    assert_true(body_now(world, b).position.y == 0.0);
    assert_ok(world, tr2_body_set_enabled(world, b, true));
    steps(world, 10);
    assert_true(fabs((double)body_now(world, b).velocity.y + 9.81 / 6.0) < 1e-3);
    assert_true(body_now(world, b).velocity.x == 0.0f);
    assert_ok(world, tr2_body_set_enabled(world, a, true));
    steps(world, 60);
    tr2_body_def one = body_now(world, a), other = body_now(world, b);
    assert_true(fabs(hypot(other.position.x - one.position.x, other.position.y - one.position.y) - 1.0) < 0.02);
    /* half the force of a body that hangs on one that it carries along */
    assert_true(one.velocity.y < -1.0f);
}

static tr2_joint join(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, float anchor_a_x)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    tr2_joint id;
    def.body_a = a;
    def.body_b = b;
    def.anchor_a.x = anchor_a_x;
    assert_ok(world, tr2_world_create_joint(world, &def, &id));
    return id;
}

/* a kinematic body carries another on a weld; while it is off it stands still, and what it carried flies on */
static void a_kinematic_body_stands_still_while_it_is_off(void **state)
{
    tr2_world *world = world_of(state);
    const tr_vec2 forward = {2.0f, 0.0f}, rest = {0.0f, 0.0f};
    tr2_body cart = make(world, TR_KINEMATIC, 0.0, 0.0), load = make(world, TR_DYNAMIC, 1.0, 0.0);
    assert_ok(world, tr2_body_set_gravity_scale(world, load, 0.0f));
    tr2_joint weld = join(world, TR2_JOINT_WELD, cart, load, 1.0f);
    assert_ok(world, tr2_body_set_velocity(world, cart, forward, 0.0f));
    assert_ok(world, tr2_body_set_velocity(world, load, forward, 0.0f));
    steps(world, 30);
    assert_true(fabs(body_now(world, cart).position.x - 1.0) < 1e-6);
    assert_ok(world, tr2_body_set_enabled(world, cart, false));
    assert_ok(world, tr2_body_set_velocity(world, cart, forward, 1.0f));
    double before = body_now(world, cart).position.x;
    steps(world, 60);
    tr2_body_def off = body_now(world, cart);
    assert_true(off.type == TR_KINEMATIC && off.position.x == before && off.angle == 0.0);
    assert_true(fabs(body_now(world, load).position.x - before - 3.0) < 1e-4);
    assert_true(fabsf(body_now(world, load).velocity.x - 2.0f) < 1e-4f);

    /* it comes back at rest, and carries what is put back on it */
    assert_ok(world, tr2_body_set_enabled(world, cart, true));
    assert_true(body_now(world, cart).velocity.x == 0.0f);
    assert_ok(world, tr2_body_set_transform(world, load, (tr_dvec2){before + 1.0, 0.0}, 0.0));
    assert_ok(world, tr2_body_set_velocity(world, load, rest, 0.0f));
    assert_ok(world, tr2_body_set_velocity(world, cart, (tr_vec2){0.0f, 1.0f}, 0.0f));
    steps(world, 60);
    tr_joint_error_value error;
    assert_ok(world, tr2_joint_error(world, weld, &error));
    assert_true(error.linear < 0.01f && error.angular < 0.01f);
    assert_true(fabs(body_now(world, cart).position.y - 1.0) < 1e-6);
    assert_true(fabs(body_now(world, load).position.y - 1.0) < 0.01);
}

/* two wheels on bearings of a frame, with a gear: while the frame is off each turns by itself */
static void a_gear_rests_while_its_carrier_is_off(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body frame = make(world, TR_DYNAMIC, 0.0, 0.0), wheel[2];
    tr2_joint bearing[2], gear;
    assert_ok(world, tr2_body_set_gravity_scale(world, frame, 0.0f));
    for (int i = 0; i < 2; i++) {
        wheel[i] = make(world, TR_DYNAMIC, i, 0.0);
        assert_ok(world, tr2_body_set_gravity_scale(world, wheel[i], 0.0f));
        bearing[i] = join(world, TR2_JOINT_REVOLUTE, frame, wheel[i], (float)i);
    }
    tr2_joint_def def;
    assert_ok(world, tr2_gear_between(world, bearing[0], bearing[1], 1.0f, &def));
    assert_int_equal(def.carrier_a.index, frame.index);
    assert_ok(world, tr2_world_create_joint(world, &def, &gear));
    for (int round = 0; round < 3; round++) {
        bool on = round == 1;
        assert_ok(world, tr2_body_set_enabled(world, frame, on));
        for (int i = 0; i < 2; i++) {
            assert_ok(world, tr2_body_set_transform(world, wheel[i], (tr_dvec2){i, 0.0}, 0.0));
            assert_ok(world, tr2_body_set_velocity(world, wheel[i], (tr_vec2){0.0f, 0.0f}, i == 0 ? 2.0f : 0.0f));
        }
        steps(world, 10);
        float first = body_now(world, wheel[0]).angular_velocity, second = body_now(world, wheel[1]).angular_velocity;
        tr2_reaction reaction;
        assert_ok(world, tr2_joint_reaction(world, gear, &reaction));
        float around = body_now(world, frame).angular_velocity;
        if (on)
            assert_true(second < -0.3f && fabsf(first - around + (second - around)) < 0.01f);
        else
            assert_true(first == 2.0f && second == 0.0f && reaction.torque == 0.0f);
    }
}

static void everything_can_be_edited_meanwhile(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body_def def = tr2_body_def_default();
    def.enabled = false;
    def.velocity.x = 5.0f;
    def.user_data = 77;
    def.bullet = true;
    tr2_body body;
    assert_ok(world, tr2_world_create_body(world, &def, &body));
    assert_int_equal(tr2_world_bodies(world).flags[0] & TR_BODY_DISABLED, TR_BODY_DISABLED);
    assert_int_equal(tr2_world_bodies(world).type[0], TR_STATIC);
    tr2_body_def now = body_now(world, body);
    assert_true(!now.enabled && now.type == TR_DYNAMIC && now.bullet && now.user_data == 77 && now.velocity.x == 0.0f);
    tr2_shape_def box = tr2_box_on(body, 0.5f, 0.5f);
    box.density = 3.0f;
    tr2_shape shape = add(world, box);
    assert_true(body_now(world, body).mass == 3.0f);
    assert_int_equal(tr2_body_set_mass(world, body, 0.0f, 1.0f, (tr_vec2){0.0f, 0.0f}), TR_ERROR_ZERO);
    assert_ok(world, tr2_body_set_transform(world, body, (tr_dvec2){4.0, 5.0}, 1.0));
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){1.0f, 1.0f}, 1.0f));
    assert_ok(world, tr2_body_apply_impulse(world, body, (tr_vec2){1.0f, 1.0f}, (tr_dvec2){0.0, 0.0}));
    assert_ok(world, tr2_body_apply_force_to_center(world, body, (tr_vec2){1.0f, 1.0f}));
    steps(world, 3);
    now = body_now(world, body);
    assert_true(now.position.x == 4.0 && now.position.y == 5.0 && now.angle == 1.0);
    assert_true(now.velocity.x == 0.0f && now.angular_velocity == 0.0f);
    assert_ok(world, tr2_body_set_type(world, body, TR_KINEMATIC));
    assert_ok(world, tr2_body_get(world, body, &now));
    assert_true(!now.enabled && now.type == TR_KINEMATIC);
    now.type = TR_DYNAMIC;
    now.enabled = true;
    assert_ok(world, tr2_body_set(world, body, &now));
    assert_ok(world, tr2_world_destroy_shape(world, shape));
    steps(world, 1);
    assert_true(body_now(world, body).velocity.y < 0.0f);
    now.enabled = false;
    assert_ok(world, tr2_body_set(world, body, &now));
    assert_ok(world, tr2_world_destroy_body(world, body));
    assert_int_equal(world->bodies.disabled, 0);
}

/* the application's contacts of a disabled body go, and new ones do nothing until it is back */
static void contacts_of_the_application_rest(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body floor = make(world, TR_STATIC, 0.0, 0.0), ball = make(world, TR_DYNAMIC, 0.0, 1.0);
    tr2_contact_def contacts[2];
    for (uint64_t i = 0; i < 2; i++) {
        contacts[i] = tr2_contact_def_default();
        contacts[i].body_a = floor;
        contacts[i].body_b = ball;
        contacts[i].id = i;
    }
    tr2_contact_impulse impulse[2];
    assert_ok(world, tr2_world_set_contacts(world, contacts, 2));
    steps(world, 2);
    assert_ok(world, tr2_world_get_contact_impulses(world, 0, 2, impulse));
    assert_true(impulse[0].total[0] + impulse[1].total[0] > 0.1f);
    assert_ok(world, tr2_body_set_enabled(world, floor, false));
    for (int round = 0; round < 2; round++) {
        steps(world, 2);
        assert_int_equal(tr2_world_contact_count(world), 2);
        assert_ok(world, tr2_world_get_contact_impulses(world, 0, 2, impulse));
        assert_true(impulse[0].total[0] == 0.0f && impulse[1].total[0] == 0.0f);
        assert_ok(world, tr2_world_set_contacts(world, contacts, 2));
    }
    assert_true(fabs((double)body_now(world, ball).velocity.y + 4.0 * 9.81 / 60.0) < 0.01);
    assert_ok(world, tr2_body_set_enabled(world, floor, true));
    assert_ok(world, tr2_world_set_contacts(world, contacts, 2));
    steps(world, 2);
    assert_ok(world, tr2_world_get_contact_impulses(world, 0, 2, impulse));
    assert_true(impulse[0].total[0] + impulse[1].total[0] > 0.1f);
    assert_ok(world, tr2_world_set_contacts(world, NULL, 0));
}

/*
 * The same bits: chains on static and kinematic bodies, some solved exactly, that fall on boxes and are switched off
 * and on at random
 */
#define STEPS 90u

static void run(uint32_t threads, uint64_t *hashes)
{
    tr2_world *world = world_on_all_threads(threads, NULL);
    tr2_body bodies[240];
    uint64_t seed = 23;
    add(world, weightless(tr2_box_on(make(world, TR_STATIC, 0.0, -1.0), 60.0f, 1.0f)));
    for (uint32_t i = 0; i < 240; i++) {
        tr_body_type type = i % 12 != 0 ? TR_DYNAMIC : i % 24 != 0 ? TR_KINEMATIC : TR_STATIC;
        bodies[i] = make(world, type, 2.0 * (double)(i / 12) - 20.0 + 0.6 * (i % 12), 6.0);
        tr2_shape_def shape = tr2_box_on(bodies[i], 0.25f, 0.15f);
        shape.density = i % 12 == 11 && i % 24 != 11 ? 100.0f : 1.0f;
        add(world, shape);
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        if (i % 12 == 0)
            continue;
        def.body_a = bodies[i - 1];
        def.body_b = bodies[i];
        def.anchor_a = (tr_vec2){0.3f, 0.0f};
        def.anchor_b = (tr_vec2){-0.3f, 0.0f};
        assert_ok(world, tr2_world_create_joint(world, &def, NULL));
        /* what hangs on a kinematic body is held by the static one of the chain before as well, while that is on */
        if (i % 24 == 13)
            (void)join(world, TR2_JOINT_WELD, bodies[i - 13], bodies[i], 2.6f);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < 4; i++)
            assert_ok(world, tr2_body_set_enabled(world, bodies[(uint32_t)(240.0 * draw(&seed))], draw(&seed) < 0.6));
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        hashes[step] = tr2_world_state_hash(world);
    }
    assert_true(world->bodies.disabled > 10 && tr2_world_statistics(world).contacts > 20);
    tr2_world_destroy(world);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    assert_int_equal(tr_set_isa(TR_ISA_SCALAR), TR_OK);
    run(1, want);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        assert_int_equal(tr_set_isa((tr_isa)isa), TR_OK);
        run(1 + (uint32_t)isa % 3, is);
        assert_memory_equal(is, want, sizeof want);
    }
    assert_int_equal(tr_set_isa(chosen), TR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_disabled_body_is_not_there),
        TEST(a_body_that_is_back_before_the_step_touches_on),
        TEST(joints_of_a_disabled_body_rest),
        TEST(a_joint_waits_for_both_bodies),
        TEST(a_kinematic_body_stands_still_while_it_is_off),
        TEST(a_gear_rests_while_its_carrier_is_off),
        TEST(everything_can_be_edited_meanwhile),
        TEST(contacts_of_the_application_rest),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
