/*
 * Lines and linear motors, against Newton's laws: a bead on an inclined rail with and without friction, a push of known
 * force, stops, and the reactions of each of them.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

/* how far a rigid row gives way to a weight that hangs on it, 3/4 F K / omega^2 (docs/solver.md): 5e-5 m for g at 60
   Hz */
#define SAG 1e-4

/* down a slope, to the right */
static tr_vec2 downhill(double slope)
{
    return (tr_vec2){(float)cos(slope), -(float)sin(slope)};
}

static tr2_joint_def on_rail(tr2_world *world, tr2_joint_type type, tr2_body body, tr_vec2 axis)
{
    tr2_joint_def def = joint_between(type, static_at(world, 0, 0), body, origin, origin);
    def.axis = axis;
    return def;
}

/*
 * A bead of 2 kg slides down a rail: g sin(slope), less friction / m; it stays on the rail, which carries m g
 * cos(slope), and goes on turning as it did. The way is that of the first-order sum, a/2 t (t + h), in float.
 */
static void a_bead_slides_down_its_rail_and_turns_freely(void **state)
{
    (void)state;
    const double slope = 0.5, mass = 2.0, spin = 3.0, h = 1.0 / 240.0;
    static const double frictions[] = {0.0, 4.0};
    for (int i = 0; i < 2; i++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body bead = body_at(world, 0, 0, 0, mass, 0.5);
        MUST(tr2_body_set_velocity(world, bead, (tr_vec2){0, 0}, (float)spin));
        tr2_joint_def def = on_rail(world, TR2_JOINT_LINE, bead, downhill(slope));
        def.friction = (float)frictions[i];
        tr2_joint joint = join(world, def);
        double a = G * sin(slope) - frictions[i] / mass;
        for (int step = 1; step <= 120; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            double t = step / 60.0;
            tr_joint_coordinate_value c = coordinate_of(world, joint);
            NEAR("speed", (double)c.rate, a * t, 1e-5 * (1.0 + a * t));
            NEAR("way", (double)c.value, 0.5 * a * t * (t + h), 2e-5 * (1.0 + a * t));
            NEAR("off the rail", (double)error_of(world, joint).linear, 0.0, SAG);
            NEAR("spin", (double)body_now(world, bead).angular_velocity, spin, 1e-6);
        }
        tr2_reaction r = reaction_of(world, joint);
        double across = mass * G * cos(slope);
        NEAR("friction", (double)r.friction, -frictions[i], 1e-6);
        NEAR("force, x", (double)r.force.x, across * sin(slope) - frictions[i] * cos(slope), 2e-3);
        NEAR("force, y", (double)r.force.y, across * cos(slope) + frictions[i] * sin(slope), 2e-3);
        assert_true(r.torque == 0.0f);
        tr2_world_destroy(world);
    }
}

/* friction above m g sin(slope) = 9.4 N holds the bead where it is, with just that */
static void enough_friction_holds_the_bead(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINE, TR2_JOINT_LINEAR_MOTOR};
    for (int i = 0; i < 2; i++) {
        tr2_world *world = world_of(i == 0 ? G : 0.0, 60.0f);
        tr2_body bead = body_at(world, 0, 0, 0, 2.0, 0.5);
        tr2_joint_def def = on_rail(world, types[i], bead, downhill(0.5));
        def.friction = 10.0f;
        tr2_joint joint = join(world, def);
        for (int step = 0; step < 120; step++) {
            /* what the weight does on the line, a force does on the linear motor, which would let the bead fall */
            if (i == 1)
                MUST(tr2_body_apply_force_to_center(
                    world, bead,
                    (tr_vec2){(float)(2.0 * G * sin(0.5) * cos(0.5)), -(float)(2.0 * G * pow(sin(0.5), 2))}));
            steps(world, 1.0 / 60.0, 4, 1);
        }
        NEAR("way", (double)coordinate_of(world, joint).value, 0.0, 1e-6);
        NEAR("friction", (double)reaction_of(world, joint).friction, -2.0 * G * sin(0.5), 1e-3);
        tr2_world_destroy(world);
    }
}

/*
 * A bob that hangs 0.5 m below its bead on a level rail without mass but the bob's own: the rail gives no force along
 * itself, so the bob's centre falls and rises straight up and down while the rod turns.
 */
static void nothing_pushes_along_a_rail(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body bob = body_at(world, 0.0, 0.0, 0.0, 2.0, 0.1);
    /* the rod points from the centre at an angle of 0.3 from level to the bead, which starts on the rail */
    tr2_joint_def def = joint_between(TR2_JOINT_LINE, static_at(world, 0, 0), bob,
                                      (tr_vec2){(float)(0.5 * cos(0.3)), (float)(0.5 * sin(0.3))},
                                      (tr_vec2){(float)(0.5 * cos(0.3)), (float)(0.5 * sin(0.3))});
    tr2_joint joint = join(world, def);
    double least = 0.0;
    for (int step = 0; step < 120; step++) {
        steps(world, 1.0 / 60.0, 8, 1);
        tr2_body_def b = body_now(world, bob);
        NEAR("x", b.position.x, 0.0, 1e-5);
        NEAR("bead above the centre", b.position.y + 0.5 * sin(b.angle + 0.3), 0.5 * sin(0.3), 1e-3);
        NEAR("force along", (double)reaction_of(world, joint).force.x, 0.0, 1e-5);
        least = fmin(least, b.position.y);
    }
    /* it has swung through its lowest place, 0.5 (1 - sin 0.3) below where it began */
    assert_true(least < -0.3 && least > -0.5 * (1.0 - sin(0.3)) - 1e-3);
    tr2_world_destroy(world);
}

/*
 * A motor of force 2 m: 2 m/s after 1 s and at most the speed asked for, 3 m/s, from 1.5 s on; the linear motor leaves
 * the rest to itself: across its axis the body falls freely, and it turns as it did.
 */
static void a_linear_motor_pushes_with_its_force_and_nothing_else(void **state)
{
    (void)state;
    const double h = 1.0 / 240.0;
    for (int featured = 0; featured < 2; featured++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 3.0, 1.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){0, 0}, 2.0f));
        tr2_joint_def def = on_rail(world, TR2_JOINT_LINEAR_MOTOR, body, (tr_vec2){1.0f, 0.0f});
        def.motor = (tr_motor){true, 3.0f, 6.0f};
        if (featured)
            def.limit = (tr_limit){true, -1.0f, 100.0f};
        tr2_joint joint = join(world, def);
        for (int step = 1; step <= 120; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            double t = step / 60.0;
            tr2_reaction r = reaction_of(world, joint);
            tr2_body_def b = body_now(world, body);
            NEAR("speed", (double)coordinate_of(world, joint).rate, fmin(2.0 * t, 3.0), 3e-5);
            NEAR("fall", (double)b.velocity.y, -G * t, 1e-5 * (1.0 + G * t));
            NEAR("height", b.position.y, -0.5 * G * t * (t + h), 1e-4);
            NEAR("spin", (double)b.angular_velocity, 2.0, 1e-6);
            NEAR("motor", (double)r.motor, t < 1.49 ? 6.0 : 0.0, t < 1.49 ? 1e-5 : t > 1.51 ? 1e-3 : 7.0);
            NEAR("force", (double)r.force.x, (double)r.motor, 1e-6);
            assert_true(r.force.y == 0.0f && r.torque == 0.0f);
        }
        NEAR("way", (double)coordinate_of(world, joint).value, 1.5 * 1.5 + 0.5 * 3.0, 2e-2);
        tr2_world_destroy(world);
    }
}

/* between two free bodies: equal and opposite, and the speed is that of one against the other */
static void a_linear_motor_parts_two_free_bodies(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0.7, 1.0, 1.0), b = body_at(world, 2.0, 0.0, 0, 3.0, 1.0);
    tr2_joint_def def = joint_between(TR2_JOINT_LINEAR_MOTOR, a, b, origin, origin);
    def.axis = (tr_vec2){(float)cos(-0.7), (float)sin(-0.7)};
    def.motor = (tr_motor){true, 4.0f, 1e6f};
    (void)join(world, def);
    steps(world, 1.0 / 60.0, 4, 30);
    NEAR("A", (double)body_now(world, a).velocity.x, -3.0, 1e-4);
    NEAR("B", (double)body_now(world, b).velocity.x, 1.0, 1e-4);
    NEAR("A turns", (double)body_now(world, a).angular_velocity, 0.0, 1e-5);
    tr2_world_destroy(world);
}

/* against its stop the motor gives all its force, the stop the opposite, together nothing; 10 m/s are stopped at the
   stop */
static void stops_stop_and_report(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINE, TR2_JOINT_LINEAR_MOTOR};
    for (int i = 0; i < 4; i++) {
        int way = i % 2 == 0 ? 1 : -1;
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){6.0f * (float)way, 8.0f * (float)way}, 0.0f));
        tr2_joint_def def = on_rail(world, types[i / 2], body, (tr_vec2){0.6f, 0.8f});
        def.limit = (tr_limit){true, -1.23f, 1.23f};
        tr2_joint joint = join(world, def);
        double most = 0.0;
        for (int step = 0; step < 60; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            most = fmax(most, way * (double)coordinate_of(world, joint).value);
        }
        NEAR("furthest", most, 1.23, 1e-4);
        NEAR("rest", way * (double)coordinate_of(world, joint).value, 1.23, 1e-4);
        MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_SPEED, 5.0f * (float)way));
        MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_MAXIMUM, 7.0f));
        MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_ENABLE, 1.0f));
        steps(world, 1.0 / 60.0, 4, 60);
        tr2_reaction r = reaction_of(world, joint);
        NEAR("motor", (double)r.motor, 7.0 * way, 1e-4);
        NEAR("lower", (double)r.lower, way < 0 ? 7.0 : 0.0, 1e-2);
        NEAR("upper", (double)r.upper, way < 0 ? 0.0 : -7.0, 1e-2);
        NEAR("together", hypot((double)r.force.x, (double)r.force.y), 0.0, 1e-2);
        NEAR("error", (double)error_of(world, joint).linear, 0.0, SAG);
        tr2_world_destroy(world);
    }
}

/* a position target against a load: target + F / k, the spring reports F; the rest of the body is free */
static void a_position_target_holds_against_a_load(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 1.0);
    tr2_joint_def def = on_rail(world, TR2_JOINT_LINEAR_MOTOR, body, (tr_vec2){0.0f, 1.0f});
    def.spring = (tr_spring){true, 2.0f, tr_physical(200.0f, 40.0f)};
    tr2_joint joint = join(world, def);
    MUST(tr2_body_set_velocity(world, body, (tr_vec2){1.0f, 0.0f}, 0.0f));
    for (int step = 0; step < 300; step++) {
        MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){0.0f, -10.0f}));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("place", (double)coordinate_of(world, joint).value, 2.0 - 10.0 / 200.0, 1e-5);
    NEAR("spring", (double)reaction_of(world, joint).spring, 10.0, 1e-3);
    NEAR("energy", tr2_world_measure(world).potential_energy, 0.5 * 200.0 * 0.05 * 0.05, 1e-4);
    NEAR("across", body_now(world, body).position.x, 5.0, 1e-4);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bead_slides_down_its_rail_and_turns_freely),
        cmocka_unit_test(enough_friction_holds_the_bead),
        cmocka_unit_test(nothing_pushes_along_a_rail),
        cmocka_unit_test(a_linear_motor_pushes_with_its_force_and_nothing_else),
        cmocka_unit_test(a_linear_motor_parts_two_free_bodies),
        cmocka_unit_test(stops_stop_and_report),
        cmocka_unit_test(a_position_target_holds_against_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
