/* Points and vectors between the world and bodies' frames, and joint definitions from where bodies are. */
#include "world_fixture.h"

/* far from the origin, turned, with a centre of mass of its own: nothing is what it is by accident */
static tr2_body make_odd_body(tr2_world *world, double x, double y, double angle)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position = (tr_dvec2){x, y};
    def.angle = angle;
    def.center = (tr_vec2){0.25f, -0.5f};
    def.velocity = (tr_vec2){1.0f, -2.0f};
    def.angular_velocity = 3.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

/* a quarter turn: (1, 0) of the body is (0, 1) of the world; to the rounding of one float rotation */
static void test_points_and_vectors_follow_the_body(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_odd_body(world, 10.0, 20.0, 1.5707963267948966);
    tr_dvec2 out;
    tr_vec2 local;
    assert_ok(world, tr2_body_world_point(world, id, (tr_vec2){2.0f, 1.0f}, &out));
    assert_true(fabs(out.x - 9.0) < 1e-6 && fabs(out.y - 22.0) < 1e-6);
    assert_ok(world, tr2_body_local_point(world, id, (tr_dvec2){9.0, 22.0}, &local));
    assert_true(fabsf(local.x - 2.0f) < 1e-6f && fabsf(local.y - 1.0f) < 1e-6f);
    assert_ok(world, tr2_body_world_vector(world, id, (tr_vec2){2.0f, 1.0f}, &local));
    assert_true(fabsf(local.x + 1.0f) < 1e-6f && fabsf(local.y - 2.0f) < 1e-6f);
    assert_ok(world, tr2_body_local_vector(world, id, local, &local));
    assert_true(fabsf(local.x - 2.0f) < 1e-6f && fabsf(local.y - 1.0f) < 1e-6f);
}

/* the velocity of a point is how far it comes in a short free flight: to the float's digits over a thousandth of a
   second */
static void test_the_velocity_of_a_point_is_how_it_moves(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body id = make_odd_body(world, 1.0, 2.0, 0.7);
    tr_dvec2 before, after;
    tr_vec2 velocity;
    const tr_vec2 place = {3.0f, -1.0f};
    assert_ok(world, tr2_body_world_point(world, id, place, &before));
    assert_ok(world, tr2_body_point_velocity(world, id, before, &velocity));
    double dt = 1e-3;
    assert_ok(world, tr2_world_step(world, dt, 1));
    assert_ok(world, tr2_body_world_point(world, id, place, &after));
    /* the way is curved: half of w^2 r dt away from straight, 1.5e-2 m/s here */
    assert_true(fabs((after.x - before.x) / dt - (double)velocity.x) < 0.03);
    assert_true(fabs((after.y - before.y) / dt - (double)velocity.y) < 0.03);
}

static const tr_dvec2 point_a = {101.0, 49.0}, point_b = {103.5, 52.25};
static const tr_vec2 slope = {30.0f, 40.0f};

/* every type but the gear, made from points of the world, owes nothing and begins at coordinate 0, or its length */
static void test_placed_joints_are_satisfied(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    for (tr2_joint_type type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        if (type == TR2_JOINT_GEAR)
            continue;
        /* turned against each other by more than a turn */
        tr2_body a = make_odd_body(world, 100.0, 50.0, 0.4), b = make_odd_body(world, 104.0, 51.0, 9.0);
        /* a point or an axis that both share; a length or an offset between two */
        bool apart = type == TR2_JOINT_DISTANCE || type == TR2_JOINT_PULLEY || type == TR2_JOINT_MOTOR;
        tr2_joint_def def = tr2_joint_def_default(type);
        def.body_a = a;
        def.body_b = b;
        if (type == TR2_JOINT_PULLEY) {
            def.ratio = 2.0f;
            def.ground_a = (tr_dvec2){101.0, 59.0};
            def.ground_b = (tr_dvec2){103.5, 57.25};
        }
        if (type == TR2_JOINT_MOTOR) {
            def.drive.position = true;
            def.drive.softness = tr_rigid();
        }
        assert_ok(world, tr2_joint_def_initialize(world, &def, point_a, apart ? point_b : point_a, slope));
        tr2_joint joint;
        assert_ok(world, tr2_world_create_joint(world, &def, &joint));
        tr_joint_error_value error;
        tr_joint_coordinate_value at;
        assert_ok(world, tr2_joint_error(world, joint, &error));
        assert_ok(world, tr2_joint_coordinate(world, joint, &at));
        /* anchors are rounded to floats of a few metres, angles to one of a turn: some 5e-7 */
        if (!(error.linear < 2e-6f && error.angular < 2e-6f))
            fail_msg("%s begins off by %g m, %g rad", tr2_joint_type_name(type), (double)error.linear,
                     (double)error.angular);
        double wanted = type == TR2_JOINT_DISTANCE ? hypot(2.5, 3.25)
                        : type == TR2_JOINT_PULLEY ? 2.0 * 10.0 + 5.0
                                                   : 0.0;
        if (!(fabs((double)at.value - wanted) < 4e-6))
            fail_msg("%s begins at %g", tr2_joint_type_name(type), (double)at.value);
        if (type == TR2_JOINT_MOTOR) {
            tr_vec2 offset = {2.5f, 3.25f}, local;
            assert_ok(world, tr2_body_local_vector(world, a, offset, &local));
            assert_true(fabsf(def.drive.offset.x - local.x) < 2e-6f && fabsf(def.drive.offset.y - local.y) < 2e-6f);
            assert_true(fabs((double)def.drive.angular_offset - (8.6 - 2.0 * 3.14159265358979)) < 2e-6);
        }
    }
}

/* the axis turns with A: along (3, 4) of the world, in A's frame turned back by A's angle */
static void test_an_axis_is_in_the_frame_of_a(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_odd_body(world, 0.0, 0.0, 1.5707963267948966), b = make_odd_body(world, 1.0, 0.0, 0.0);
    tr2_joint_def def;
    tr_dvec2 point = {0.5, 0.0};
    assert_ok(world, tr2_joint_def_between(world, TR2_JOINT_PRISMATIC, a, b, point, point, slope, &def));
    assert_true(fabsf(def.axis.x - 0.8f) < 1e-6f && fabsf(def.axis.y + 0.6f) < 1e-6f);
    tr2_joint_def plain = tr2_joint_def_default(TR2_JOINT_PRISMATIC);
    assert_memory_equal(&def.spring, &plain.spring, sizeof def.spring);
    assert_int_equal(def.type, TR2_JOINT_PRISMATIC);
}

/* a rope lets what it holds come nearer, and not farther than its length: to the softness of a limit, a few
   millimetres */
static void test_a_rope_pulls_and_never_pushes(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def nail = tr2_body_def_default();
    nail.type = TR_STATIC;
    tr2_body a, b = make_body(world, 0.0, -1.0);
    assert_ok(world, tr2_world_create_body(world, &nail, &a));
    tr2_joint_def def;
    tr2_joint rope;
    assert_ok(world, tr2_joint_def_between(world, TR2_JOINT_DISTANCE, a, b, (tr_dvec2){0.0, 0.0}, (tr_dvec2){0.0, -1.0},
                                           (tr_vec2){0.0f, 0.0f}, &def));
    assert_true(def.length == 1.0f);
    tr2_joint_def_make_rope(&def, 1.5f);
    assert_ok(world, tr2_world_create_joint(world, &def, &rope));
    tr2_reaction reaction;
    for (int i = 0; i < 6; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_joint_reaction(world, rope, &reaction));
    assert_true(reaction.force.y == 0.0f);
    for (int i = 0; i < 114; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    tr_joint_coordinate_value at;
    assert_ok(world, tr2_joint_coordinate(world, rope, &at));
    assert_true(fabsf(at.value - 1.5f) < 5e-3f);
    assert_ok(world, tr2_joint_reaction(world, rope, &reaction));
    assert_true(fabsf(reaction.force.y - 9.81f) < 0.1f);
}

static void test_bad_input_changes_nothing(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0), b = make_body(world, 1e60, 0.0), none = {0, 0, 0};
    tr_dvec2 point = {0.0, 0.0}, bad = {NAN, 0.0}, far = {1e200, 0.0}, out = {5.0, 6.0};
    tr_vec2 local = {3.0f, 4.0f}, no_axis = {0.0f, 0.0f};
    assert_int_equal(tr2_body_local_point(world, none, point, &local), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_body_local_point(world, a, bad, &local), TR_ERROR_NAN);
    assert_int_equal(tr2_body_local_point(world, a, far, &local), TR_ERROR_RANGE);
    assert_int_equal(tr2_body_local_point(world, a, point, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_body_local_point(NULL, a, point, &local), TR_ERROR_NULL);
    assert_int_equal(tr2_body_world_point(world, a, (tr_vec2){INFINITY, 0.0f}, &out), TR_ERROR_INFINITE);
    assert_true(local.x == 3.0f && local.y == 4.0f && out.x == 5.0 && out.y == 6.0);

    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_WELD), was = def;
    tr2_joint_type none_such = TR2_JOINT_TYPE_COUNT;
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, a, point, point, no_axis, &def),
                     TR_ERROR_SELF_JOINT);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, none, point, point, no_axis, &def),
                     TR_ERROR_NULL_ID);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_LINE, a, b, point, point, no_axis, &def), TR_ERROR_ZERO);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_GEAR, a, b, point, point, slope, &def), TR_ERROR_RANGE);
    assert_int_equal(tr2_joint_def_between(world, none_such, a, b, point, point, slope, &def), TR_ERROR_RANGE);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, b, point, bad, slope, &def), TR_ERROR_NAN);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, b, point, point, slope, &def), TR_ERROR_RANGE);
    assert_int_equal(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, b, point, point, slope, NULL), TR_ERROR_NULL);
    assert_memory_equal(&def, &was, sizeof def);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_points_and_vectors_follow_the_body), TEST(test_the_velocity_of_a_point_is_how_it_moves),
        TEST(test_placed_joints_are_satisfied),        TEST(test_an_axis_is_in_the_frame_of_a),
        TEST(test_a_rope_pulls_and_never_pushes),      TEST(test_bad_input_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
