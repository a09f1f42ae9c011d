/*
 * Inequalities: limits, ropes, rods. They hold where they are reached, do nothing where they are not, and never pull
 * where they may only push.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

/* what a rigid row sags under a force at the default 60 Hz: F / (m (2 pi 60 Hz)^2), 7e-5 m or rad under 1 g */
#define SAG 1e-3

/* a body of 2 kg with its weight on a limit, below or above; the limit carries it and says so */
static void limits_carry_weight_and_report_it(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_PRISMATIC, TR2_JOINT_WHEEL};
    for (int t = 0; t < 2; t++) {
        for (int up = 0; up < 2; up++) {
            tr2_world *world = world_of(up ? -G : G, 60.0f);
            tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
            tr2_joint_def def = joint_between(types[t], static_at(world, 0, 0), body, origin, origin);
            def.axis = (tr_vec2){0.0f, 1.0f};
            def.limit = (tr_limit){true, -0.5f, 0.75f};
            tr2_joint joint = join(world, def);
            steps(world, 1.0 / 60.0, 4, 240);
            NEAR("place", (double)coordinate_of(world, joint).value, up ? 0.75 : -0.5, SAG);
            NEAR("rate", (double)coordinate_of(world, joint).rate, 0.0, 1e-4);
            tr2_reaction r = reaction_of(world, joint);
            NEAR("lower", (double)r.lower, up ? 0.0 : 2.0 * G, 1e-2);
            NEAR("upper", (double)r.upper, up ? -2.0 * G : 0.0, 1e-2);
            NEAR("force", (double)r.force.y, up ? -2.0 * G : 2.0 * G, 1e-2);
            tr2_world_destroy(world);
        }
    }
}

/* a hinge with a torque of 3 N m on it rests on its limit; let go and pushed the other way it leaves at once */
static void hinge_limits_hold_and_let_go(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
    def.limit = (tr_limit){true, -0.5f, 1.0f};
    tr2_joint joint = join(world, def);
    for (int way = -1; way <= 1; way += 2) {
        for (int i = 0; i < 240; i++) {
            MUST(tr2_body_apply_torque(world, body, 3.0f * (float)way));
            steps(world, 1.0 / 60.0, 4, 1);
        }
        tr2_reaction r = reaction_of(world, joint);
        NEAR("angle", (double)coordinate_of(world, joint).value, way < 0 ? -0.5 : 1.0, SAG);
        NEAR("lower", (double)r.lower, way < 0 ? 3.0 : 0.0, 1e-2);
        NEAR("upper", (double)r.upper, way < 0 ? 0.0 : -3.0, 1e-2);
        NEAR("torque", (double)r.torque, -3.0 * way, 1e-2);
    }
    /* one step of 1 N m away from the limit turns it as if there were none: 1 / 0.5 / 60 rad/s */
    MUST(tr2_body_apply_torque(world, body, -1.0f));
    steps(world, 1.0 / 60.0, 4, 1);
    NEAR("rate", (double)coordinate_of(world, joint).rate, -1.0 / 0.5 / 60.0, 3e-3);
    tr2_world_destroy(world);
}

/*
 * A body at 10 m/s toward the end of its slide: the limit looks one sub-step ahead, so the body stops at it, not
 * beyond it, with no rebound. Momentum is lost to the ground in that one sub-step: 2 kg 10 m/s.
 */
static void a_fast_body_stops_at_the_end_of_its_slide(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){10.0f * (float)way, 0.0f}, 0.0f));
        tr2_joint_def def = joint_between(TR2_JOINT_PRISMATIC, static_at(world, 0, 0), body, origin, origin);
        def.limit = (tr_limit){true, -1.23f, 1.23f};
        tr2_joint joint = join(world, def);
        double most = 0.0;
        for (int i = 0; i < 60; i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            most = fmax(most, way * (double)coordinate_of(world, joint).value);
            if (i < 7)
                NEAR("free until the end", (double)coordinate_of(world, joint).rate, 10.0 * way, 1e-5);
        }
        NEAR("furthest", most, 1.23, 1e-4);
        NEAR("rest", way * (double)coordinate_of(world, joint).value, 1.23, 1e-4);
        NEAR("rate", (double)coordinate_of(world, joint).rate, 0.0, 1e-4);
        tr2_world_destroy(world);
    }
}

/*
 * 1 kg at (0.1, 0.9), on a rope of 1 m to the origin, g = 10: falls freely to y = -sqrt(0.99), reached after 0.6156 s
 * at 6.156 m/s; the rope takes the speed along it (6.125), leaves that across it (0.6156). In closed form.
 */
static void a_rope_goes_taut_and_not_before(void **state)
{
    (void)state;
    const double taut = 0.615627718204211457, across = 0.615627718204211457;
    tr2_world *world = world_of(10.0, 60.0f);
    tr2_body body = body_at(world, 0.1, 0.9, 0, 1.0, 0.0);
    tr2_joint_def def = joint_between(TR2_JOINT_DISTANCE, static_at(world, 0, 0), body, origin, origin);
    def.linear = tr_frequency(0.0f, 0.0f);
    def.limit = (tr_limit){true, 0.0f, 1.0f};
    tr2_joint joint = join(world, def);
    const double dt = 1.0 / 480.0, h = dt / 8.0;
    for (int i = 1; i <= 480; i++) {
        steps(world, dt, 8, 1);
        double t = i * dt;
        tr2_body_def b = body_now(world, body);
        if (t < taut - dt) {
            /* the sum of first-order steps, 1/2 g t (t + h), and the rounding of 2,000 sums in float */
            NEAR("free fall", b.position.y, 0.9 - 5.0 * t * (t + h), 2e-5);
            NEAR("free fall", b.position.x, 0.1, 1e-7);
            assert_true(reaction_of(world, joint).upper == 0.0f);
        }
        assert_true((double)coordinate_of(world, joint).value < 1.0 + 2e-4);
        if (t > taut && t < taut + 2.0 * dt) {
            /* what is left goes round, to first order in the 2 ms since */
            NEAR("speed along", (double)coordinate_of(world, joint).rate, 0.0, 1e-2);
            NEAR("speed across", hypot((double)b.velocity.x, (double)b.velocity.y), across, 2e-2);
        }
    }
    tr2_world_destroy(world);
}

/* a rod of two masses in free flight pulls with mu d w^2 = 0.75 * 2 * 25; here with a rope, and with rigid distance */
static void a_spinning_dumbbell_pulls_on_its_rod(void **state)
{
    (void)state;
    for (int rope = 0; rope < 2; rope++) {
        tr2_world *world = world_of(0.0, 1e4f);
        tr2_body a = body_at(world, -1.5, 0, 0, 1.0, 0.0), b = body_at(world, 0.5, 0, 0, 3.0, 0.0);
        MUST(tr2_body_set_velocity(world, a, (tr_vec2){0.0f, -7.5f}, 0.0f));
        MUST(tr2_body_set_velocity(world, b, (tr_vec2){0.0f, 2.5f}, 0.0f));
        tr2_joint_def def = joint_between(TR2_JOINT_DISTANCE, a, b, origin, origin);
        def.length = 2.0f;
        if (rope) {
            def.linear = tr_frequency(0.0f, 0.0f);
            def.limit = (tr_limit){true, 0.5f, 2.0f};
        }
        tr2_joint joint = join(world, def);
        steps(world, 1.0 / 240.0, 8, 240);
        tr2_reaction r = reaction_of(world, joint);
        NEAR("tension", hypot((double)r.force.x, (double)r.force.y), 37.5, 0.1);
        NEAR("upper", (double)r.upper, rope ? -37.5 : 0.0, 0.1);
        NEAR("length", (double)coordinate_of(world, joint).value, 2.0, 1e-3);
        /* it pulls B towards A */
        tr2_body_def p = body_now(world, a), q = body_now(world, b);
        assert_true(
            (double)r.force.x * (p.position.x - q.position.x) + (double)r.force.y * (p.position.y - q.position.y) > 0);
        tr2_world_destroy(world);
    }
}

/* a strut keeps its ends apart, a rod's limits both ways; lower pushes, upper pulls */
static void lengths_are_limited_both_ways(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    tr2_body above = body_at(world, 0, 2.0, 0, 1.5, 0.0), below = body_at(world, 0, -2.0, 0, 1.5, 0.0);
    tr2_joint_def def = joint_between(TR2_JOINT_DISTANCE, ground, above, origin, origin);
    def.linear = tr_frequency(0.0f, 0.0f);
    def.limit = (tr_limit){true, 1.0f, 3.0f};
    tr2_joint strut = join(world, def);
    def.body_b = below;
    tr2_joint rope = join(world, def);
    steps(world, 1.0 / 60.0, 4, 120);
    NEAR("strut", (double)coordinate_of(world, strut).value, 1.0, SAG);
    NEAR("push", (double)reaction_of(world, strut).lower, 1.5 * G, 1e-2);
    NEAR("push", (double)reaction_of(world, strut).force.y, 1.5 * G, 1e-2);
    NEAR("rope", (double)coordinate_of(world, rope).value, 3.0, SAG);
    NEAR("pull", (double)reaction_of(world, rope).upper, -1.5 * G, 1e-2);
    NEAR("pull", (double)reaction_of(world, rope).force.y, 1.5 * G, 1e-2);
    tr2_world_destroy(world);
}

/* a motor of 20 rad/s for 10 s turns 31.8 turns, and the angle says so; float has 2e-5 of 200 rad */
static void a_hinge_counts_its_turns(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
    def.motor = (tr_motor){true, 20.0f, 1e4f};
    tr2_joint joint = join(world, def);
    double before = 0.0;
    for (int i = 1; i <= 600; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        double now = (double)coordinate_of(world, joint).value;
        NEAR("turn of a step", now - before, 20.0 / 60.0, 1e-4);
        before = now;
    }
    NEAR("angle", before, 200.0, 1e-3);
    NEAR("angle of the body", body_now(world, body).angle, 200.0, 1e-3);
    tr2_world_destroy(world);
}

/* limits at -10 and 15 rad, several turns apart, stop a motor each where they are */
static void limits_beyond_a_turn_hold(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
    def.motor = (tr_motor){true, 20.0f, 5.0f};
    def.limit = (tr_limit){true, -10.0f, 15.0f};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 200);
    NEAR("upper", (double)coordinate_of(world, joint).value, 15.0, SAG);
    tr2_reaction r = reaction_of(world, joint);
    NEAR("motor", (double)r.motor, 5.0, 1e-3);
    NEAR("limit", (double)r.upper, -5.0, 1e-2);
    NEAR("together", (double)r.torque, 0.0, 1e-2);
    MUST(tr2_joint_set_motor_speed(world, joint, -20.0f));
    steps(world, 1.0 / 60.0, 4, 300);
    NEAR("lower", (double)coordinate_of(world, joint).value, -10.0, SAG);
    tr2_world_destroy(world);
}

/* a slider that begins beyond its limit by decimetres comes back, without being thrown past the other one */
static void a_limit_violated_at_first_is_restored_gently(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0.3, 0, 0, 1.0, 1.0);
    tr2_joint_def def = joint_between(TR2_JOINT_PRISMATIC, static_at(world, 0, 0), body, origin, origin);
    def.limit = (tr_limit){true, -0.1f, 0.1f};
    tr2_joint joint = join(world, def);
    double before = 0.3;
    for (int i = 0; i < 60; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        double now = (double)coordinate_of(world, joint).value;
        assert_true(now <= before + 1e-6 && now > 0.09);
        before = now;
    }
    NEAR("place", before, 0.1, 1e-4);
    /* and has not been given a speed */
    NEAR("rate", (double)coordinate_of(world, joint).rate, 0.0, 1e-4);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_carry_weight_and_report_it),
        cmocka_unit_test(hinge_limits_hold_and_let_go),
        cmocka_unit_test(a_fast_body_stops_at_the_end_of_its_slide),
        cmocka_unit_test(a_rope_goes_taut_and_not_before),
        cmocka_unit_test(a_spinning_dumbbell_pulls_on_its_rod),
        cmocka_unit_test(lengths_are_limited_both_ways),
        cmocka_unit_test(a_hinge_counts_its_turns),
        cmocka_unit_test(limits_beyond_a_turn_hold),
        cmocka_unit_test(a_limit_violated_at_first_is_restored_gently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
