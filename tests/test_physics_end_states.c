/*
 * What other engines' tests ask of joints when all is done, worked out here from Newton's laws: motors reach their
 * speed and report their torque, limits stop and hold, friction gives its cap and no more, hinges count their turns.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

#define DEGREE (PI / 180.0)

/*
 * A motor of 20 degrees/s turns a rod of 2 kg and 1 m on its end through a whole turn under gravity. Its speed stays
 * what it is, so its torque is the moment of the weight, m g l/2 cos(angle), here 9.81 N m at level; the bearing
 * carries the weight and m w^2 l/2. Reported are those of the last sub-step: that angle is 20/240 degrees, 1.5e-3,
 * ahead.
 */
static void a_motor_reaches_its_speed_and_reports_its_torque(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body rod = body_at(world, 0.5, 0.0, 0.0, 2.0, 2.0 / 12.0);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), rod, origin, (tr_vec2){-0.5f, 0.0f});
    def.motor = (tr_motor){true, (float)(20.0 * DEGREE), 1000.0f};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 60);
    const double w = 20.0 * DEGREE;
    for (int i = 0; i < 18 * 60; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        tr_joint_coordinate_value c = coordinate_of(world, joint);
        tr2_reaction r = reaction_of(world, joint);
        double a = (double)c.value;
        /* the hinge is solved after its motor, and turns the rod by what is left of its swing */
        NEAR("speed", (double)c.rate, w, 1e-4);
        NEAR("motor's torque", (double)r.motor, 2.0 * G * 0.5 * cos(a), 0.03);
        NEAR("torque", (double)r.torque, (double)r.motor, 1e-6);
        NEAR("bearing, x", (double)r.force.x, -2.0 * 0.5 * w * w * cos(a), 0.03);
        NEAR("bearing, y", (double)r.force.y, 2.0 * (G - 0.5 * w * w * sin(a)), 0.03);
    }
    NEAR("angle after 19 s", (double)coordinate_of(world, joint).value, 19.0 * w, 1e-2);
    tr2_world_destroy(world);
}

/*
 * A force of 2 N for each kilogram accelerates at 2 m/s^2 up to the motor's speed of 3 m/s: 2 m/s after 1 s, 3 m/s
 * after 1.5 s and so after 2 s. On the way 1/2 2 t^2, 1 m and then 2.25 m + 1.5 m, and half a sub-step's speed more,
 * for velocities are summed before places: 1/2 h a t.
 */
static void a_linear_motor_of_2_n_per_kg_reaches_2_m_s_and_then_its_speed(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_PRISMATIC};
    static const float masses[] = {0.1f, 1.0f, 750.0f};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (int m = 0; m < 3; m++) {
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_body body = body_at(world, 0, 0, 0, (double)masses[m], 1.0);
            tr2_joint_def def = joint_between(types[t], static_at(world, 0, 0), body, origin, origin);
            def.motor = (tr_motor){true, 3.0f, 2.0f * masses[m]};
            tr2_joint joint = join(world, def);
            const double h = 1.0 / 240.0;
            steps(world, 1.0 / 60.0, 4, 60);
            tr_joint_coordinate_value c = coordinate_of(world, joint);
            NEAR("speed after 1 s", (double)c.rate, 2.0, 1e-5);
            NEAR("way after 1 s", (double)c.value, 1.0 + 0.5 * h * 2.0, 2e-5);
            NEAR("force over mass", (double)(reaction_of(world, joint).motor / masses[m]), 2.0, 1e-5);
            steps(world, 1.0 / 60.0, 4, 60);
            c = coordinate_of(world, joint);
            NEAR("speed after 2 s", (double)c.rate, 3.0, 1e-5);
            NEAR("way after 2 s", (double)c.value, 3.75 + 0.5 * h * 3.0, 5e-5);
            NEAR("force at its speed", (double)(reaction_of(world, joint).motor / masses[m]), 0.0, 1e-3);
            tr2_world_destroy(world);
        }
    }
}

/*
 * Every type whose angle is free and limited, its limits shut at 0: two free bodies that turn differently are one from
 * then on. Angular momentum stays: w = (I1 w1 + I2 w2) / (I1 + I2). A limit met is soft until relaxed, a fifth at most
 * of the way of the first sub-step, 10 rad/s / 240 s; that is given back.
 */
static void limits_of_an_angle_hold_the_rate_to_nothing(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (int way = -1; way <= 1; way += 2) {
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_body a = body_at(world, 0, 0, 0, 2.0, 0.5), b = body_at(world, 0, 0, 0, 1.0, 2.0);
            MUST(tr2_body_set_velocity(world, a, origin, 7.0f * (float)way));
            MUST(tr2_body_set_velocity(world, b, origin, -3.0f * (float)way));
            tr2_joint_def def = joint_between(types[t], a, b, origin, origin);
            def.limit = (tr_limit){true, 0.0f, 0.0f};
            tr2_joint joint = join(world, def);
            double common = (0.5 * 7.0 - 2.0 * 3.0) / 2.5 * way;
            for (int i = 0; i < 120; i++) {
                steps(world, 1.0 / 60.0, 4, 1);
                NEAR("rate", (double)coordinate_of(world, joint).rate, 0.0, 1e-5);
                NEAR("angle", (double)coordinate_of(world, joint).value, 0.0, i < 60 ? 0.2 * 10.0 / 240.0 : 1e-4);
                NEAR("turn of A", (double)body_now(world, a).angular_velocity, common, 1e-5);
                NEAR("turn of B", (double)body_now(world, b).angular_velocity, common, 1e-5);
            }
            tr2_world_destroy(world);
        }
    }
}

/*
 * Limits at +-200 and +-350 degrees, beyond half a turn and not equal to what they are less a turn: a motor carries the
 * hinge to each and no further, and the motor and the limit are in balance there.
 */
static void limits_beyond_half_a_turn_hold(void **state)
{
    (void)state;
    static const double limits[] = {200.0, 350.0, 1000.0};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        for (int way = -1; way <= 1; way += 2) {
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
            tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
            def.motor = (tr_motor){true, 5.0f * (float)way, 2.0f};
            def.limit = (tr_limit){true, (float)(-limits[i] * DEGREE), (float)(limits[i] * DEGREE)};
            tr2_joint joint = join(world, def);
            steps(world, 1.0 / 60.0, 4, 60 * 6);
            /* the torque turns the limit by T / (I (2 pi 60 Hz)^2) = 3e-5 rad */
            NEAR("angle", (double)coordinate_of(world, joint).value, limits[i] * DEGREE * way, 1e-4);
            NEAR("rate", (double)coordinate_of(world, joint).rate, 0.0, 1e-4);
            tr2_reaction r = reaction_of(world, joint);
            NEAR("motor", (double)r.motor, 2.0 * way, 1e-3);
            NEAR("limit", (double)(r.lower + r.upper), -2.0 * way, 1e-2);
            tr2_world_destroy(world);
        }
    }
}

/* 100 turns each way, and back: the angle is what the motor's speed has summed up to; float has 3e-5 of 628 rad */
static void a_motor_turns_a_hinge_a_hundred_times_and_back(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
    const double turns = 100.0, seconds = 10.0, w = turns * 2.0 * PI / seconds;
    def.motor = (tr_motor){true, (float)w, 1e5f};
    tr2_joint joint = join(world, def);
    static const double reached[] = {100.0, 0.0, -100.0, 0.0};
    static const float ways[] = {1.0f, -1.0f, -1.0f, 1.0f};
    for (int leg = 0; leg < 4; leg++) {
        MUST(tr2_joint_set_motor_speed(world, joint, ways[leg] * (float)w));
        steps(world, 1.0 / 60.0, 4, (uint32_t)(60.0 * seconds));
        NEAR("turns", (double)coordinate_of(world, joint).value / (2.0 * PI), reached[leg], 1e-3);
        NEAR("turns of the body", body_now(world, body).angle / (2.0 * PI), reached[leg], 1e-3);
    }
    tr2_world_destroy(world);
}

/*
 * A rod of 1 m and 1 kg hangs from its end and is struck by 1 N s at d below the hinge: w = 3 P d / (m L^2), and the
 * hinge gives P (3 d / (2 L) - 1), nothing at the centre of percussion, 2/3 L. Without gravity, in the one sub-step
 * after.
 */
static void a_struck_rod_pushes_its_hinge(void **state)
{
    (void)state;
    static const double truth[][3] = {{0.0, 0.0, -1.0},      {0.25, 0.75, -0.625}, {0.5, 1.5, -0.25},
                                      {2.0 / 3.0, 2.0, 0.0}, {0.75, 2.25, 0.125},  {1.0, 3.0, 0.5}};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body rod = body_at(world, 0, -0.5, 0, 1.0, 1.0 / 12.0);
        tr2_joint hinge = revolute(world, static_at(world, 0, 0), rod, origin, (tr_vec2){0.0f, 0.5f});
        MUST(tr2_body_apply_impulse(world, rod, (tr_vec2){1.0f, 0.0f}, (tr_dvec2){0.0, -truth[i][0]}));
        const double h = 1e-6;
        steps(world, h, 1, 1);
        /* float's rounding of an impulse of 1 N s, over h for the force */
        NEAR("turn", (double)body_now(world, rod).angular_velocity, truth[i][1], 1e-5);
        NEAR("impulse of the hinge", (double)reaction_of(world, hinge).force.x * h, truth[i][2], 1e-5);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_reaches_its_speed_and_reports_its_torque),
        cmocka_unit_test(a_linear_motor_of_2_n_per_kg_reaches_2_m_s_and_then_its_speed),
        cmocka_unit_test(limits_of_an_angle_hold_the_rate_to_nothing),
        cmocka_unit_test(limits_beyond_half_a_turn_hold),
        cmocka_unit_test(a_motor_turns_a_hinge_a_hundred_times_and_back),
        cmocka_unit_test(a_struck_rod_pushes_its_hinge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
