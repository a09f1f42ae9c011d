/*
 * The table of docs/joints/README.md, cell by cell: whatever a type has, by its fields, must do on it what it does on
 * all. A static body A at the origin, B of 2 kg and 0.5 kg m^2 beside it, no gravity; the free coordinate q moves by
 * 1/m or 1/I.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

typedef struct bench {
    tr2_world *world;
    tr2_body b;
    tr2_joint_def def;
    double k; /* 1/m or 1/I of the coordinate */
    double q; /* where it begins */
} bench;

/* whether q is an angle */
static bool is_angular(tr2_joint_type type)
{
    return !tr2_joint_type_has(type, TR2_FIELD_AXIS_X) && !tr2_joint_type_has(type, TR2_FIELD_LENGTH);
}

/* what holds the coordinate itself in some types is let go */
static bench bench_of(tr2_joint_type type)
{
    bench it;
    bool length = tr2_joint_type_has(type, TR2_FIELD_LENGTH);
    it.world = world_of(0.0, 60.0f);
    it.b = body_at(it.world, length ? 1.0 : 0.0, 0, 0, 2.0, 0.5);
    it.def = joint_between(type, static_at(it.world, 0, 0), it.b, origin, origin);
    if (length)
        it.def.linear = tr_frequency(0.0f, 0.0f);
    if (type == TR2_JOINT_ANGLE)
        it.def.angular = tr_frequency(0.0f, 0.0f);
    it.k = is_angular(type) ? 2.0 : 0.5;
    it.q = length ? 1.0 : 0.0;
    return it;
}

static void push(const bench *it, double rate)
{
    bool angular = is_angular(it->def.type);
    MUST(tr2_body_set_velocity(it->world, it->b, (tr_vec2){angular ? 0.0f : (float)rate, 0.0f},
                               angular ? (float)rate : 0.0f));
}

static bool has_free_features(tr2_joint_type type, tr2_field field)
{
    return type != TR2_JOINT_PULLEY && type != TR2_JOINT_GEAR && tr2_joint_type_has(type, field);
}

#define FOR_TYPES(with)                                                                                                \
    for (tr2_joint_type type = 0; type < TR2_JOINT_TYPE_COUNT; type++)                                                 \
        if (with)

static void motors_push_with_their_force_and_report_it(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(has_free_features(type, TR2_FIELD_MOTOR_ENABLE))
    {
        bench it = bench_of(type);
        it.def.motor = (tr_motor){true, 2.5f, 1.0f};
        tr2_joint joint = join(it.world, it.def);
        steps(it.world, 1.0 / 60.0, 4, 60);
        /* a wheel's motor turns it, whatever its suspension does */
        double k = type == TR2_JOINT_WHEEL ? 2.0 : it.k;
        double rate = type == TR2_JOINT_WHEEL ? (double)body_now(it.world, it.b).angular_velocity
                                        : (double)coordinate_of(it.world, joint).rate;
        NEAR(tr2_joint_type_name(type), rate, k, 1e-4);
        NEAR("motor", (double)reaction_of(it.world, joint).motor, 1.0, 1e-5);
        steps(it.world, 1.0 / 60.0, 4, 300);
        rate = type == TR2_JOINT_WHEEL ? (double)body_now(it.world, it.b).angular_velocity
                                 : (double)coordinate_of(it.world, joint).rate;
        NEAR("its speed", rate, 2.5, 1e-4);
        tr2_world_destroy(it.world);
        tried++;
    }
    assert_int_equal(tried, 7);
}

static void friction_slows_by_its_force_and_reports_it(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(has_free_features(type, TR2_FIELD_FRICTION))
    {
        bench it = bench_of(type);
        it.def.friction = 0.5f;
        tr2_joint joint = join(it.world, it.def);
        push(&it, 2.0);
        steps(it.world, 1.0 / 60.0, 4, 60);
        NEAR(tr2_joint_type_name(type), (double)coordinate_of(it.world, joint).rate, 2.0 - 0.5 * it.k, 1e-4);
        NEAR("friction", (double)reaction_of(it.world, joint).friction, -0.5, 1e-5);
        tr2_world_destroy(it.world);
        tried++;
    }
    assert_int_equal(tried, 7);
}

static void springs_come_to_rest_at_their_target(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(has_free_features(type, TR2_FIELD_SPRING_ENABLE))
    {
        bench it = bench_of(type);
        it.def.spring = (tr_spring){true, (float)it.q + 0.2f, tr_physical(50.0f, 5.0f)};
        tr2_joint joint = join(it.world, it.def);
        steps(it.world, 1.0 / 60.0, 4, 1);
        assert_true(reaction_of(it.world, joint).spring > 5.0f);
        steps(it.world, 1.0 / 60.0, 4, 1200);
        NEAR(tr2_joint_type_name(type), (double)coordinate_of(it.world, joint).value, it.q + 0.2, 1e-4);
        tr2_world_destroy(it.world);
        tried++;
    }
    assert_int_equal(tried, 6);
}

/* reached at 3 m/s or rad/s, held against 1 N or N m */
static void limits_are_not_passed_and_bear_what_pushes(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(has_free_features(type, TR2_FIELD_LIMIT_ENABLE))
    {
        for (int way = -1; way <= 1; way += 2) {
            bench it = bench_of(type);
            it.def.limit = (tr_limit){true, (float)it.q - 0.1f, (float)it.q + 0.1f};
            tr2_joint joint = join(it.world, it.def);
            push(&it, 3.0 * way);
            double most = 0.0;
            for (int i = 0; i < 120; i++) {
                if (is_angular(type))
                    MUST(tr2_body_apply_torque(it.world, it.b, (float)way));
                else
                    MUST(tr2_body_apply_force_to_center(it.world, it.b, (tr_vec2){(float)way, 0.0f}));
                steps(it.world, 1.0 / 60.0, 4, 1);
                most = fmax(most, way * ((double)coordinate_of(it.world, joint).value - it.q));
            }
            NEAR(tr2_joint_type_name(type), most, 0.1, 1e-3);
            NEAR("rate", (double)coordinate_of(it.world, joint).rate, 0.0, 1e-4);
            tr2_reaction r = reaction_of(it.world, joint);
            NEAR("limit", (double)(way > 0 ? r.upper : r.lower), -way, 1e-3);
            tr2_world_destroy(it.world);
        }
        tried++;
    }
    assert_int_equal(tried, 7);
}

/*
 * Rows held with 500 N/m or N m/rad give by load over stiffness: a force of 5 N across the axis (along it where a
 * length or a target is held), a torque of 5 N m.
 */
static void soft_rows_give_by_load_over_stiffness(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(type != TR2_JOINT_PULLEY && type != TR2_JOINT_GEAR)
    {
        bool linear = tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND), angular = tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND);
        for (int turn = 0; turn <= 1; turn++) {
            if (!(turn ? angular : linear))
                continue;
            bench it = bench_of(type);
            if (turn)
                it.def.angular = tr_physical(500.0f, 50.0f);
            else
                it.def.linear = tr_physical(500.0f, 50.0f);
            (void)join(it.world, it.def);
            bool along = tr2_joint_type_has(type, TR2_FIELD_LENGTH);
            for (int i = 0; i < 600; i++) {
                if (turn)
                    MUST(tr2_body_apply_torque(it.world, it.b, 5.0f));
                else
                    MUST(tr2_body_apply_force_to_center(it.world, it.b,
                                                        along ? (tr_vec2){5.0f, 0.0f} : (tr_vec2){0.0f, 5.0f}));
                steps(it.world, 1.0 / 60.0, 4, 1);
            }
            tr2_body_def b = body_now(it.world, it.b);
            double gives = turn ? b.angle : along ? b.position.x - 1.0 : b.position.y;
            NEAR(tr2_joint_type_name(type), gives, 0.01, 1e-5);
            tr2_world_destroy(it.world);
            tried++;
        }
    }
    assert_int_equal(tried, 10);
}

/* a rigid joint whose body stands 1 cm or 0.01 rad off says so, and takes it back */
static void errors_are_told_and_taken_back(void **state)
{
    (void)state;
    uint32_t tried = 0;
    FOR_TYPES(tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND) && type != TR2_JOINT_TARGET && type != TR2_JOINT_PULLEY)
    {
        bench it = bench_of(type);
        it.def.linear = tr_rigid();
        tr2_joint joint = join(it.world, it.def);
        bool along = tr2_joint_type_has(type, TR2_FIELD_LENGTH);
        MUST(tr2_body_set_transform(it.world, it.b, along ? (tr_dvec2){1.01, 0.0} : (tr_dvec2){0.0, 0.01}, 0.0));
        NEAR(tr2_joint_type_name(type), (double)error_of(it.world, joint).linear, 0.01, 1e-7);
        steps(it.world, 1.0 / 60.0, 4, 60);
        NEAR("taken back", (double)error_of(it.world, joint).linear, 0.0, 1e-4);
        tr2_world_destroy(it.world);
        tried++;
    }
    FOR_TYPES(tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND) && type != TR2_JOINT_GEAR)
    {
        bench it = bench_of(type);
        it.def.angular = tr_rigid();
        tr2_joint joint = join(it.world, it.def);
        MUST(tr2_body_set_transform(it.world, it.b, (tr_dvec2){0.0, 0.0}, 0.01));
        NEAR(tr2_joint_type_name(type), (double)error_of(it.world, joint).angular, 0.01, 1e-7);
        steps(it.world, 1.0 / 60.0, 4, 60);
        NEAR("taken back", (double)error_of(it.world, joint).angular, 0.0, 1e-4);
        tr2_world_destroy(it.world);
        tried++;
    }
    assert_int_equal(tried, 9);
}

/* pulled by 50 N across and along and turned by 50 N m, a joint that bears 10 N or N m breaks, and one of 2,000 does
   not: the wheel, which is swung around, comes to 1,150 N in the mean of a step */
static void joints_break_when_they_bear_too_much(void **state)
{
    (void)state;
    FOR_TYPES(true)
    {
        for (int strong = 0; strong <= 1; strong++) {
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_body a = static_at(world, 0, 0), b = body_at(world, 1, 0, 0, 2.0, 0.5);
            tr2_joint_def def = joint_between(type, a, b, origin, (tr_vec2){-1.0f, 0.0f});
            if (tr2_joint_type_has(type, TR2_FIELD_LENGTH) || !tr2_joint_type_has(type, TR2_FIELD_ANCHOR_B_X))
                def.anchor_b = origin;
            if (tr2_joint_type_has(type, TR2_FIELD_GROUND_A_X)) {
                def.ground_a = (tr_dvec2){-1.0, 0.0};
                def.ground_b = (tr_dvec2){-2.0, 0.0};
                def.length = 4.0f;
            }
            if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_MAX_FORCE))
                def.drive.max_force = def.drive.max_torque = 100.0f;
            if (type == TR2_JOINT_LINEAR_MOTOR)
                def.motor = (tr_motor){true, 0.0f, 1000.0f};
            def.break_at.force = def.break_at.torque = strong ? 2000.0f : 10.0f;
            tr2_joint joint = join(world, def);
            for (int i = 0; i < 30; i++) {
                MUST(tr2_body_apply_force_to_center(world, b, (tr_vec2){50.0f, 50.0f}));
                MUST(tr2_body_apply_torque(world, b, 50.0f));
                steps(world, 1.0 / 60.0, 4, 1);
            }
            if (tr2_joint_is_valid(world, joint) != (strong == 1))
                fail_msg("%s: %s", tr2_joint_type_name(type), strong ? "broke" : "did not break");
            tr2_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motors_push_with_their_force_and_report_it),
        cmocka_unit_test(friction_slows_by_its_force_and_reports_it),
        cmocka_unit_test(springs_come_to_rest_at_their_target),
        cmocka_unit_test(limits_are_not_passed_and_bear_what_pushes),
        cmocka_unit_test(soft_rows_give_by_load_over_stiffness),
        cmocka_unit_test(errors_are_told_and_taken_back),
        cmocka_unit_test(joints_break_when_they_bear_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
