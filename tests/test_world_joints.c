/* Joints of a world: what goes in comes out, and what they tell about themselves. */
#include "solver/core/joint_fields.h"
#include "world_fixture.h"

static void every_type_has_a_name_fields_and_a_valid_default(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    static const char *const names[] = {"revolute", "distance", "prismatic",    "weld",  "wheel",  "motor",   "pulley",
                                        "gear",     "line",     "linear_motor", "angle", "target", "friction"};
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        assert_string_equal(tr2_joint_type_name((tr2_joint_type)type), names[type]);
        assert_int_equal(tr2_joint_type_has((tr2_joint_type)type, TR2_FIELD_ANCHOR_A_X), type != TR2_JOINT_ANGLE);
        assert_false(tr2_joint_type_has((tr2_joint_type)type, TR2_FIELD_COUNT));
        tr2_joint_def def;
        assert_ok(world, tr2_joint_get(world, make_joint(world, (tr2_joint_type)type, a, b), &def));
        tr2_joint_def standard = tr2_joint_def_default((tr2_joint_type)type);
        standard.body_a = a;
        standard.body_b = b;
        as_kept(&standard, &def);
        assert_same_joint(&def, &standard);
    }
    assert_string_equal(tr2_joint_type_name(TR2_JOINT_TYPE_COUNT), "unknown");
    assert_string_equal(tr2_joint_type_name((tr2_joint_type)1000), "unknown");
    assert_string_equal(tr2_field_name(TR2_FIELD_ANCHOR_A_X), "anchor_a.x");
    assert_string_equal(tr2_field_name(TR2_FIELD_MOTOR_SPEED), "motor.speed");
    assert_string_equal(tr2_field_name(TR2_FIELD_COUNT), "unknown");
    assert_string_equal(tr_stage_name(TR_STAGE_PLAN), "plan");
    assert_string_equal(tr_stage_name(TR_STAGE_COUNT), "unknown");
    assert_true(tr2_joint_type_has(TR2_JOINT_WHEEL, TR2_FIELD_AXIS_X));
    assert_false(tr2_joint_type_has(TR2_JOINT_WHEEL, TR2_FIELD_REFERENCE_ANGLE));
    assert_false(tr2_joint_type_has(TR2_JOINT_REVOLUTE, TR2_FIELD_LENGTH));
    assert_true(tr2_joint_type_has(TR2_JOINT_MOTOR, TR2_FIELD_DRIVE_MAX_TORQUE));
}

static void a_joint_is_read_as_it_was_made_and_set(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    for (int i = 0; i < TR2_JOINT_TYPE_COUNT; i++) {
        tr2_joint_type type = (tr2_joint_type)i;
        tr2_joint_def def = odd_joint(type);
        tr2_joint_def back;
        tr2_joint id;
        def.body_a = a;
        def.body_b = b;
        assert_ok(world, tr2_world_create_joint(world, &def, &id));
        assert_ok(world, tr2_joint_get(world, id, &back));
        assert_same_joint(&def, &back);

        tr2_joint_def plain = tr2_joint_def_default(type);
        plain.body_a = a;
        plain.body_b = b;
        assert_ok(world, tr2_joint_set(world, id, &plain));
        assert_ok(world, tr2_joint_get(world, id, &back));
        as_kept(&plain, &back);
        assert_same_joint(&plain, &back);
        assert_ok(world, tr2_joint_set(world, id, &def));
        assert_ok(world, tr2_joint_set_user_data(world, id, 5));
        assert_ok(world, tr2_joint_get(world, id, &back));
        def.user_data = 5;
        assert_same_joint(&def, &back);
    }
}

/* a valid number for a field that is not what odd_joint() has; the axis is apart */
static float other_value(tr2_field field)
{
    switch (field) {
    case TR2_FIELD_LINEAR_KIND:
    case TR2_FIELD_ANGULAR_KIND:
    case TR2_FIELD_SPRING_KIND:
    case TR2_FIELD_DRIVE_KIND:
    case TR2_FIELD_SPRING_ENABLE:
    case TR2_FIELD_MOTOR_ENABLE:
    case TR2_FIELD_LIMIT_ENABLE:
    case TR2_FIELD_DRIVE_POSITION:
    case TR2_FIELD_SLIDES_A:
    case TR2_FIELD_SLIDES_B:
    case TR2_FIELD_EQUAL_TORQUE:
        return 0.0f;
    case TR2_FIELD_LIMIT_LOWER:
        return 0.625f;
    case TR2_FIELD_SPRING_FORCE_LOWER:
        return -77.5f;
    default:
        return 77.5f;
    }
}

/* the member that a field is, through the columns, which are checked against the definitions elsewhere */
static float column_value(const tr2_world *world, tr2_joint_type type, tr2_field field)
{
    tr2_joint_view view = tr2_world_joints(world, type);
    assert_int_equal(view.count, 1);
    assert_non_null(view.field[field]);
    assert_int_equal((uintptr_t)view.field[field] % 64, 0);
    if (tr2_field_infos[field].kind == TR_KIND_DOUBLE)
        return (float)((const double *)(const void *)view.field[field])[0];
    return view.field[field][0];
}

static void each_number_can_be_set_alone(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    for (int i = 0; i < TR2_JOINT_TYPE_COUNT; i++) {
        tr2_joint_type type = (tr2_joint_type)i;
        tr2_joint_def def = odd_joint(type);
        tr2_joint id;
        def.body_a = a;
        def.body_b = b;
        assert_ok(world, tr2_world_create_joint(world, &def, &id));
        for (int f = 0; f < TR2_FIELD_COUNT; f++) {
            tr2_field field = (tr2_field)f;
            tr2_joint_view view = tr2_world_joints(world, type);
            if (!tr2_joint_type_has(type, field)) {
                assert_null(view.field[field]);
                assert_int_equal(tr2_joint_set_value(world, id, field, 0.0f), TR_ERROR_NO_PROPERTY);
                continue;
            }
            if (field == TR2_FIELD_AXIS_X || field == TR2_FIELD_AXIS_Y || field == TR2_FIELD_AXIS_B_X || field == TR2_FIELD_AXIS_B_Y ||
                field == TR2_FIELD_MESHED)
                continue;
            /* all the others must stay as they are */
            uint64_t before[TR2_FIELD_COUNT] = {0};
            for (int k = 0; k < TR2_FIELD_COUNT; k++)
                if (view.field[k] != NULL)
                    memcpy(&before[k], view.field[k], tr2_field_size((tr2_field)k));
            float value = other_value(field);
            assert_ok(world, tr2_joint_set_value(world, id, field, value));
            view = tr2_world_joints(world, type);
            /* of joints side by side a rigid kind has another number */
            float kept;
            assert_ok(world, tr2_joint_get_value(world, id, field, &kept));
            assert_true(kept == value);
            if (tr2_field_infos[field].kind != TR_KIND_KIND || value != 0.0f)
                assert_true(column_value(world, type, field) == value);
            for (int k = 0; k < TR2_FIELD_COUNT; k++)
                if (view.field[k] != NULL && k != f)
                    assert_memory_equal(&before[k], view.field[k], tr2_field_size((tr2_field)k));
        }
    }
}

/* Columns of numbers that no joint has otherwise than its type's default take no memory. In the first joint of a table
   an axis may have such a number as it is given, but not at length 1. */
static void the_first_axis_of_a_table_is_kept_at_length_one(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0, 0), b = make_body(world, 1, 0);
    uint32_t types = 0;
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_def def = tr2_joint_def_default((tr2_joint_type)type), back;
        if (!tr2_joint_type_has((tr2_joint_type)type, TR2_FIELD_AXIS_X))
            continue;
        def.body_a = a;
        def.body_b = b;
        def.axis = (tr_vec2){1.0f, 1.0f};
        if (tr2_joint_type_has((tr2_joint_type)type, TR2_FIELD_AXIS_B_X))
            def.axis_b = def.axis;
        tr2_joint id;
        assert_ok(world, tr2_world_create_joint(world, &def, &id));
        assert_ok(world, tr2_joint_get(world, id, &back));
        assert_true(fabsf(back.axis.x - 0.70710678f) < 1e-7f && fabsf(back.axis.y - 0.70710678f) < 1e-7f);
        types++;
    }
    assert_true(types >= 4);
}

static void the_axis_is_kept_at_length_one(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_PRISMATIC);
    tr2_joint_def back;
    tr2_joint id;
    def.body_a = a;
    def.body_b = b;
    def.axis.x = 3e38f;
    def.axis.y = -3e38f;
    assert_ok(world, tr2_world_create_joint(world, &def, &id));
    assert_ok(world, tr2_joint_get(world, id, &back));
    assert_true(fabsf(back.axis.x - 0.70710678f) < 1e-7f && fabsf(back.axis.y + 0.70710678f) < 1e-7f);

    /* what was read makes the same joint again, to the bit */
    for (int i = 0; i < 1000; i++) {
        float angle = (float)i * 0.01f;
        def.axis.x = cosf(angle) * 1e-30f;
        def.axis.y = sinf(angle) * 1e-30f;
        assert_ok(world, tr2_joint_set(world, id, &def));
        assert_ok(world, tr2_joint_get(world, id, &back));
        tr2_joint_def again;
        assert_ok(world, tr2_joint_set(world, id, &back));
        assert_ok(world, tr2_joint_get(world, id, &again));
        assert_memory_equal(&back.axis, &again.axis, sizeof back.axis);
    }
    def.axis.x = 1.0f;
    def.axis.y = 0.0f;
    assert_ok(world, tr2_joint_set(world, id, &def));
    assert_ok(world, tr2_joint_set_value(world, id, TR2_FIELD_AXIS_Y, 1.0f));
    assert_true(fabsf(column_value(world, TR2_JOINT_PRISMATIC, TR2_FIELD_AXIS_X) - 0.70710678f) < 1e-7f);
    assert_ok(world, tr2_joint_set_value(world, id, TR2_FIELD_AXIS_X, 0.0f));
    assert_true(column_value(world, TR2_JOINT_PRISMATIC, TR2_FIELD_AXIS_Y) == 1.0f);
}

static void a_joints_angle_starts_within_half_a_turn_and_is_unwrapped_after(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 0.0, 0.0);
    tr_dvec2 origin = {0.0, 0.0};
    const double turn = 6.283185307179586;
    assert_ok(world, tr2_body_set_transform(world, b, origin, 5.0 * turn + 1.0));
    tr2_joint id = make_joint(world, TR2_JOINT_REVOLUTE, a, b);
    tr_joint_coordinate_value coordinate;
    assert_ok(world, tr2_joint_coordinate(world, id, &coordinate));
    assert_true(fabsf(coordinate.value - 1.0f) < 1e-6f);
    /* later transforms and references count in full */
    assert_ok(world, tr2_body_set_transform(world, b, origin, 6.0 * turn + 1.0));
    assert_ok(world, tr2_joint_coordinate(world, id, &coordinate));
    assert_true(fabsf(coordinate.value - (float)(turn + 1.0)) < 1e-5f);
    assert_ok(world, tr2_joint_set_value(world, id, TR2_FIELD_REFERENCE_ANGLE, (float)(2.0 * turn)));
    assert_ok(world, tr2_joint_coordinate(world, id, &coordinate));
    assert_true(fabsf(coordinate.value - (float)(1.0 - turn)) < 1e-5f);
}

static void errors_and_coordinates_are_those_of_the_bodies_now(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 3.0, 4.0);
    tr_vec2 velocity = {0.0f, 1.0f};
    assert_ok(world, tr2_body_set_velocity(world, b, velocity, 2.0f));
    tr_joint_error_value error;
    tr_joint_coordinate_value coordinate;
    tr2_joint revolute = make_joint(world, TR2_JOINT_REVOLUTE, a, b);
    assert_ok(world, tr2_joint_error(world, revolute, &error));
    assert_true(fabsf(error.linear - 5.0f) < 1e-6f);
    assert_ok(world, tr2_joint_coordinate(world, revolute, &coordinate));
    assert_true(coordinate.rate == 2.0f);
    tr2_joint distance = make_joint(world, TR2_JOINT_DISTANCE, a, b);
    assert_ok(world, tr2_joint_error(world, distance, &error));
    assert_true(fabsf(error.linear - 4.0f) < 1e-6f); /* from the length of 1 */
    assert_ok(world, tr2_joint_coordinate(world, distance, &coordinate));
    assert_true(fabsf(coordinate.value - 5.0f) < 1e-6f && fabsf(coordinate.rate - 0.8f) < 1e-6f);

    tr2_measures measures = tr2_world_measure(world);
    assert_int_equal(measures.rigid_joints, 2);
    assert_true(fabs(measures.joint_error_max - 5.0) < 1e-6);
    assert_true(fabs(measures.joint_error_rms - sqrt((25.0 + 16.0) / 2.0)) < 1e-6);
    /* 1 kg at 1 m/s, 1 kg m^2 at 2 rad/s, 4 m up */
    assert_true(fabs(measures.kinetic_energy - 2.5) < 1e-6);
    assert_true(fabs(measures.potential_energy - 4.0 * (double)9.81f) < 1e-4);
    assert_true(measures.momentum.x == 0.0 && measures.momentum.y == 1.0);
    assert_true(measures.angular_momentum == 3.0 + 2.0);
    tr2_reaction reaction;
    assert_ok(world, tr2_joint_reaction(world, revolute, &reaction));
    assert_true(reaction.force.x == 0.0f && reaction.torque == 0.0f); /* no step yet */
}

static void a_reaction_carries_the_weight(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(world, tr2_world_create_body(world, &fixed, &ground));
    tr2_body ball = make_body(world, 0.0, 0.0);
    tr2_joint id = make_joint(world, TR2_JOINT_REVOLUTE, ground, ball);
    for (int i = 0; i < 120; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    tr2_reaction reaction;
    assert_ok(world, tr2_joint_reaction(world, id, &reaction));
    assert_true(fabsf(reaction.force.y - 9.81f) < 0.05f && fabsf(reaction.force.x) < 0.01f);
    tr2_joint_view view = tr2_world_joints(world, TR2_JOINT_REVOLUTE);
    assert_true(view.impulse_count >= 2);
    assert_non_null(view.impulse_name[0]);
    assert_true(fabsf(view.impulse[1][0] - reaction.force.y / 240.0f) < 1e-4f);
    assert_memory_equal(&view.id[0], &id, sizeof id);
    assert_memory_equal(&view.body_a[0], &ground, sizeof ground);
    assert_memory_equal(&view.body_b[0], &ball, sizeof ball);
}

static void a_feature_that_is_switched_off_leaves_no_impulse_behind(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 0.0, 0.0);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    tr2_joint id;
    def.body_a = a;
    def.body_b = b;
    def.motor.enable = true;
    def.motor.speed = 1000.0f;
    def.motor.maximum = 3.0f;
    assert_ok(world, tr2_world_create_joint(world, &def, &id));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    tr2_reaction reaction;
    assert_ok(world, tr2_joint_reaction(world, id, &reaction));
    assert_true(fabsf(reaction.motor - 3.0f) < 1e-3f);
    assert_true(fabsf(reaction.torque - 3.0f) < 1e-3f);
    assert_ok(world, tr2_joint_set_value(world, id, TR2_FIELD_MOTOR_ENABLE, 0.0f));
    assert_ok(world, tr2_joint_reaction(world, id, &reaction));
    assert_true(reaction.motor == 0.0f && reaction.torque == 0.0f);
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_joint_reaction(world, id, &reaction));
    assert_true(reaction.motor == 0.0f && reaction.torque == 0.0f);
}

static void an_id_never_names_another_joint(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    tr2_joint old = make_joint(world, TR2_JOINT_WELD, a, b);
    assert_ok(world, tr2_world_destroy_joint(world, old));
    /* the slot may be another type's next time */
    tr2_joint next = make_joint(world, TR2_JOINT_WHEEL, a, b);
    assert_int_equal(next.index, old.index);
    assert_false(tr2_joint_is_valid(world, old));
    assert_true(tr2_joint_is_valid(world, next));
    tr2_joint_def def;
    assert_int_equal(tr2_joint_get(world, old, &def), TR_ERROR_STALE_ID);
    assert_ok(world, tr2_joint_get(world, next, &def));
    assert_int_equal(def.type, TR2_JOINT_WHEEL);
}

static void a_joint_between_fixed_bodies_may_go_without_a_trace(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground[2];
    for (int i = 0; i < 2; i++)
        assert_ok(world, tr2_world_create_body(world, &fixed, &ground[i]));
    tr2_body a = make_body(world, 0.0, 0.0);
    tr2_body b = make_body(world, 1.0, 0.0);
    tr2_joint idle = make_joint(world, TR2_JOINT_REVOLUTE, ground[0], ground[1]);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    def.body_a = ground[0];
    def.body_b = a;
    assert_ok(world, tr2_world_create_joint(world, &def, NULL));
    tr2_joint last;
    def.body_a = a;
    def.body_b = b;
    def.anchor_a.x = 1.0f;
    assert_ok(world, tr2_world_create_joint(world, &def, &last));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    uint32_t color = 0;
    assert_ok(world, tr2_joint_color(world, idle, &color));
    assert_true(color == UINT32_MAX);
    assert_ok(world, tr2_joint_color(world, last, &color));
    assert_true(color != UINT32_MAX);

    /* the row that it had is another joint's from now on */
    assert_ok(world, tr2_world_destroy_joint(world, idle));
    for (int i = 0; i < 60; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    tr_joint_error_value error;
    assert_ok(world, tr2_joint_error(world, last, &error));
    assert_true(error.linear < 0.01f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_type_has_a_name_fields_and_a_valid_default),
        TEST(a_joint_is_read_as_it_was_made_and_set),
        TEST(each_number_can_be_set_alone),
        TEST(the_axis_is_kept_at_length_one),
        TEST(the_first_axis_of_a_table_is_kept_at_length_one),
        TEST(a_joints_angle_starts_within_half_a_turn_and_is_unwrapped_after),
        TEST(errors_and_coordinates_are_those_of_the_bodies_now),
        TEST(a_reaction_carries_the_weight),
        TEST(a_feature_that_is_switched_off_leaves_no_impulse_behind),
        TEST(an_id_never_names_another_joint),
        TEST(a_joint_between_fixed_bodies_may_go_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
