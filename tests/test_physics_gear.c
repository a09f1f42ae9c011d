/* Gears: two coordinates in a fixed ratio, against kinematics, the law of the lever and reduced inertia. */
#include "physics.h"

#define STEP (1.0 / 240.0)

/* a wheel on a bearing in the world */
typedef struct wheel {
    tr2_body body;
    tr2_joint bearing;
} wheel;

static wheel wheel_at(tr2_world *world, tr2_body ground, double x, double y, double inertia)
{
    wheel it;
    it.body = body_at(world, x, y, 0.0, 1.0, inertia);
    it.bearing = revolute(world, ground, it.body, local_point_of(world, ground, x, y), (tr_vec2){0, 0});
    return it;
}

static wheel slider_at(tr2_world *world, tr2_body ground, double x, double y, double mass, double way)
{
    wheel it;
    it.body = body_at(world, x, y, 0.0, mass, 1.0);
    tr2_joint_def def =
        joint_between(TR2_JOINT_PRISMATIC, ground, it.body, local_point_of(world, ground, x, y), (tr_vec2){0, 0});
    def.axis = (tr_vec2){(float)cos(way), (float)sin(way)};
    it.bearing = join(world, def);
    return it;
}

static void drive(tr2_world *world, tr2_joint joint, double speed, double maximum)
{
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_ENABLE, 1.0f));
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_SPEED, (float)speed));
    MUST(tr2_joint_set_value(world, joint, TR2_FIELD_MOTOR_MAXIMUM, (float)maximum));
}

static tr2_joint gear_between(tr2_world *world, tr2_joint a, tr2_joint b, double ratio)
{
    tr2_joint_def def;
    MUST(tr2_gear_between(world, a, b, (float)ratio, &def));
    return join(world, def);
}

/*
 * angle_B = -ratio angle_A after 100 turns and more, of A at 20 rad/s for 40 s. No error grows with the turns: what is
 * left is one of a rigid row and, of the angle itself (250 turns are 1,600 rad in double), nothing.
 */
static void the_ratio_of_turns_is_exact_after_a_hundred(void **state)
{
    (void)state;
    static const double ratios[] = {1.0, 2.5, -0.4, 1.0 / 3.0};
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body ground = static_at(world, 0, 0);
        wheel a = wheel_at(world, ground, 0, 0, 0.2), b = wheel_at(world, ground, 3, 0, 1.5);
        tr2_joint gear = gear_between(world, a.bearing, b.bearing, ratios[i]);
        drive(world, a.bearing, 20.0, 1000.0);
        steps(world, STEP, 4, 9600);
        double angle_a = body_now(world, a.body).angle, angle_b = body_now(world, b.body).angle;
        double ratio = (double)(float)ratios[i];
        assert_true(angle_a > 100.0 * 2.0 * PI);
        NEAR("angle of B", angle_b, -ratio * angle_a, 1e-5);
        NEAR("speed of B", (double)body_now(world, b.body).angular_velocity, -ratio * 20.0, 1e-4);
        NEAR("C", (double)coordinate_of(world, gear).value, 0.0, 1e-5);
        NEAR("error", (double)error_of(world, gear).angular, 0.0, 1e-5);
        tr2_world_destroy(world);
    }
}

/*
 * The law of the lever: a torque T on A is held at rest by T/ratio on B, which the gear transmits: its impulse is
 * T/ratio on B and T on A (statics of C = angle_B + ratio angle_A).
 */
static void torques_balance_in_the_ratio(void **state)
{
    (void)state;
    const double ratio = 2.5, torque = 10.0;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = wheel_at(world, ground, 0, 0, 0.2), b = wheel_at(world, ground, 3, 0, 1.5);
    tr2_joint gear = gear_between(world, a.bearing, b.bearing, ratio);
    for (int i = 0; i < 480; i++) {
        MUST(tr2_body_apply_torque(world, a.body, (float)torque));
        MUST(tr2_body_apply_torque(world, b.body, (float)(torque / ratio)));
        steps(world, STEP, 4, 1);
    }
    NEAR("A rests", (double)body_now(world, a.body).angular_velocity, 0.0, 1e-5);
    NEAR("B rests", (double)body_now(world, b.body).angular_velocity, 0.0, 1e-5);
    NEAR("torque on B", (double)reaction_of(world, gear).torque, -torque / ratio, 1e-3);
    tr2_world_destroy(world);
}

/*
 * One degree of freedom: with w_B = -r w_A the inertia seen at A is I_A + r^2 I_B, so a torque T on A gives T/(I_A +
 * r^2 I_B); T angle_A is all the work there is, and all of it is kinetic energy: a gear has no power.
 */
static void inertia_is_reduced_and_no_power_is_lost(void **state)
{
    (void)state;
    const double ratio = -3.0, torque = 5.0, inertia_a = 0.2, inertia_b = 0.7;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = wheel_at(world, ground, 0, 0, inertia_a), b = wheel_at(world, ground, 3, 0, inertia_b);
    tr2_joint gear = gear_between(world, a.bearing, b.bearing, ratio);
    for (int i = 0; i < 480; i++) {
        MUST(tr2_body_apply_torque(world, a.body, (float)torque));
        steps(world, STEP, 4, 1);
    }
    double wanted = torque / (inertia_a + ratio * ratio * inertia_b);
    double w = (double)body_now(world, a.body).angular_velocity;
    NEAR("acceleration", w / (480 * STEP), wanted, 1e-4 * wanted);
    NEAR("torque on B", (double)reaction_of(world, gear).torque, -ratio * inertia_b * wanted, 1e-3);
    /* the sum of h w is half a sub-step ahead of the integral: T w h / 2 */
    double work = torque * (body_now(world, a.body).angle - 0.5 * (STEP / 4.0) * w);
    NEAR("energy", tr2_world_measure(world).kinetic_energy, work, 2e-4 * work);

    /* free of torque they go on for ever */
    double before = tr2_world_measure(world).kinetic_energy;
    steps(world, STEP, 4, 4800);
    NEAR("energy kept", tr2_world_measure(world).kinetic_energy, before, 1e-5 * before);
    tr2_world_destroy(world);
}

/* x_B = -ratio angle_A: a pinion of radius |ratio| carries its rack by the arc that rolls off, along an axis aslant */
static void a_rack_travels_by_the_arc_of_its_pinion(void **state)
{
    (void)state;
    const double radius = 0.35, way = 0.6;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0.3, -0.2);
    wheel pinion = wheel_at(world, ground, 0, 0, 0.1), rack = slider_at(world, ground, 1.0, 2.0, 4.0, way);
    tr2_joint gear = gear_between(world, pinion.bearing, rack.bearing, -radius);
    drive(world, pinion.bearing, 6.0, 500.0);
    steps(world, STEP, 4, 2400);
    double angle = body_now(world, pinion.body).angle;
    tr2_body_def at = body_now(world, rack.body);
    double travel = (at.position.x - 1.0) * cos(way) + (at.position.y - 2.0) * sin(way);
    assert_true(angle > 50.0);
    NEAR("travel", travel, radius * angle, 2e-5);
    NEAR("across", (at.position.y - 2.0) * cos(way) - (at.position.x - 1.0) * sin(way), 0.0, 1e-5);
    NEAR("error", (double)error_of(world, gear).linear, 0.0, 1e-5);
    tr2_world_destroy(world);
}

/* and by its force: a weight m g on an upright rack is held by the torque m g radius on the pinion (virtual work) */
static void a_rack_is_held_by_its_pinion_s_torque(void **state)
{
    (void)state;
    const double radius = 0.35, mass = 4.0;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel pinion = wheel_at(world, ground, 0, 0, 0.1), rack = slider_at(world, ground, radius, 0.0, mass, PI / 2.0);
    tr2_joint gear = gear_between(world, pinion.bearing, rack.bearing, -radius);
    drive(world, pinion.bearing, 0.0, 100.0);
    steps(world, STEP, 4, 480);
    NEAR("motor", (double)reaction_of(world, pinion.bearing).motor, mass * G * radius, 2e-3);
    NEAR("force on the rack", (double)reaction_of(world, gear).force.y, mass * G, 2e-3);
    NEAR("no torque on the rack", (double)reaction_of(world, gear).torque, 0.0, 0.0);
    /* a rigid row and a motor give a little */
    NEAR("rack", body_now(world, rack.body).position.y, 0.0, 2e-3);
    tr2_world_destroy(world);
}

/* two slides at an angle to each other: wedges */
static void two_slides_go_in_their_ratio(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = slider_at(world, ground, 0, 0, 1.0, 0.0), b = slider_at(world, ground, 3.0, 0, 2.0, PI / 2.0);
    (void)gear_between(world, a.bearing, b.bearing, -0.5);
    MUST(tr2_body_set_velocity(world, a.body, (tr_vec2){2.0f, 0.0f}, 0.0f));
    steps(world, STEP, 4, 240);
    double x = body_now(world, a.body).position.x, y = body_now(world, b.body).position.y;
    /* an impact on one: m_A v0 = (m_A + ratio^2 m_B) v, from J M^-1 J^T */
    NEAR("speed of A", (double)body_now(world, a.body).velocity.x, 2.0 / 1.5, 1e-3);
    NEAR("travel", y, 0.5 * x, 1e-5);
    tr2_world_destroy(world);
}

/* coordinates of joints are of B against A: with the static body as B they run the other way, and the gear follows
   them */
static void gears_follow_the_joints_coordinates_whichever_body_is_static(void **state)
{
    (void)state;
    for (int turned = 0; turned < 4; turned++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body ground = static_at(world, 0, 0);
        tr2_body a = body_at(world, 0, 0, 0.0, 1.0, 0.2), b = body_at(world, 3, 0, 0.0, 2.0, 1.0);
        tr2_joint on_a = turned % 2 == 0 ? revolute(world, ground, a, (tr_vec2){0, 0}, (tr_vec2){0, 0})
                                         : revolute(world, a, ground, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        tr2_joint_def slide = turned < 2 ? joint_between(TR2_JOINT_PRISMATIC, ground, b, (tr_vec2){3, 0}, (tr_vec2){0, 0})
                                         : joint_between(TR2_JOINT_PRISMATIC, b, ground, (tr_vec2){0, 0}, (tr_vec2){3, 0});
        slide.axis = (tr_vec2){0.6f, 0.8f};
        tr2_joint on_b = join(world, slide);
        (void)gear_between(world, on_a, on_b, 0.25);
        drive(world, on_a, 3.0, 100.0);
        steps(world, STEP, 4, 480);
        double angle = (double)coordinate_of(world, on_a).value, travel = (double)coordinate_of(world, on_b).value;
        assert_true(angle > 5.0);
        NEAR("travel", travel, -0.25 * angle, 1e-5);
        tr2_world_destroy(world);
    }
}

/* meshed where it is made; made again from what was read, also where it has run, it is the same gear */
static void a_gear_meshes_where_it_is_made_and_keeps_its_phase(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = wheel_at(world, ground, 0, 0, 0.2), b = wheel_at(world, ground, 3, 0, 0.5);
    MUST(tr2_body_set_transform(world, a.body, (tr_dvec2){0, 0}, 7.0));
    MUST(tr2_body_set_transform(world, b.body, (tr_dvec2){3, 0}, -40.25));
    tr2_joint gear = gear_between(world, a.bearing, b.bearing, 2.0);
    tr2_joint_def def;
    MUST(tr2_joint_get(world, gear, &def));
    assert_true(def.meshed && def.offset == -40.25 + 2.0 * 7.0);
    steps(world, STEP, 4, 10);
    NEAR("B stays", body_now(world, b.body).angle, -40.25, 1e-12);

    /* out of gear B turns alone; back in gear with the old phase it is brought back, unmeshed it is taken as it is */
    MUST(tr2_joint_set_enabled(world, gear, false));
    MUST(tr2_body_set_transform(world, b.body, (tr_dvec2){3, 0}, -40.0));
    MUST(tr2_joint_set_enabled(world, gear, true));
    NEAR("C", (double)coordinate_of(world, gear).value, 0.25, 1e-6);
    steps(world, STEP, 4, 240);
    NEAR("C, taken back", (double)coordinate_of(world, gear).value, 0.0, 1e-4);
    MUST(tr2_body_set_transform(world, b.body, (tr_dvec2){3, 0}, -39.0));
    MUST(tr2_joint_set_value(world, gear, TR2_FIELD_MESHED, 0.0f));
    NEAR("C, meshed anew", (double)coordinate_of(world, gear).value, 0.0, 1e-12);
    MUST(tr2_joint_get(world, gear, &def));
    assert_true(def.meshed);
    tr2_world_destroy(world);
}

/* a shaft that gives: of stiffness k at B, a torque T there turns it by T/k against a held A */
static void a_soft_gear_gives_by_its_stiffness(void **state)
{
    (void)state;
    const double torque = 4.0, k = 50.0;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = wheel_at(world, ground, 0, 0, 0.2), b = wheel_at(world, ground, 3, 0, 0.5);
    MUST(tr2_body_set_type(world, a.body, TR_STATIC));
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_GEAR);
    def.body_a = a.body;
    def.body_b = b.body;
    def.ratio = 3.0f;
    def.angular = tr_physical((float)k, 5.0f);
    tr2_joint gear = join(world, def);
    for (int i = 0; i < 1200; i++) {
        MUST(tr2_body_apply_torque(world, b.body, (float)torque));
        steps(world, STEP, 4, 1);
    }
    NEAR("give", (double)coordinate_of(world, gear).value, torque / k, 1e-4);
    NEAR("energy", tr2_world_measure(world).potential_energy, 0.5 * torque * torque / k, 1e-4);
    assert_true(error_of(world, gear).angular == 0.0f);
    tr2_world_destroy(world);
}

/* 10,000 km away a slide's place has 2e-9 m, and the gear's offset as many digits: a rack is as exact there */
static void a_rack_far_from_the_origin_is_as_exact(void **state)
{
    (void)state;
    const double far = 1e7;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, far, far);
    wheel pinion = wheel_at(world, ground, far, far, 0.1), rack = slider_at(world, ground, far, far + 1.0, 1.0, 0.0);
    (void)gear_between(world, pinion.bearing, rack.bearing, -0.5);
    drive(world, pinion.bearing, 4.0, 100.0);
    steps(world, STEP, 4, 1200);
    NEAR("travel", body_now(world, rack.body).position.x - far, 0.5 * body_now(world, pinion.body).angle, 2e-5);
    tr2_world_destroy(world);
}

static void gears_that_cannot_be_are_refused(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body ground = static_at(world, 0, 0);
    wheel a = wheel_at(world, ground, 0, 0, 0.2), b = wheel_at(world, ground, 3, 0, 0.5);
    tr2_joint weld = join(world, joint_between(TR2_JOINT_WELD, ground, b.body, (tr_vec2){3, 0}, (tr_vec2){0, 0}));
    tr2_joint fixed = revolute(world, ground, static_at(world, 1, 0), (tr_vec2){1, 0}, (tr_vec2){0, 0});
    tr2_joint again = revolute(world, ground, a.body, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_WELD), untouched = def;
    const tr2_joint null = {0, 0, 0};
    assert_int_equal(tr2_gear_between(NULL, a.bearing, b.bearing, 1.0f, &def), TR_ERROR_NULL);
    assert_int_equal(tr2_gear_between(world, a.bearing, b.bearing, 1.0f, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_gear_between(world, a.bearing, null, 1.0f, &def), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_gear_between(world, a.bearing, b.bearing, 0.0f, &def), TR_ERROR_ZERO);
    assert_int_equal(tr2_gear_between(world, a.bearing, b.bearing, NAN, &def), TR_ERROR_NAN);
    assert_int_equal(tr2_gear_between(world, a.bearing, weld, 1.0f, &def), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "gear_between: joint_b is a weld joint, must be revolute or prismatic");
    assert_int_equal(tr2_gear_between(world, fixed, b.bearing, 1.0f, &def), TR_ERROR_RANGE);
    assert_int_equal(tr2_gear_between(world, a.bearing, again, 1.0f, &def), TR_ERROR_SELF_JOINT);
    MUST(tr2_world_destroy_joint(world, again));
    assert_int_equal(tr2_gear_between(world, a.bearing, again, 1.0f, &def), TR_ERROR_STALE_ID);
    assert_memory_equal(&def, &untouched, sizeof def);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ratio_of_turns_is_exact_after_a_hundred),
        cmocka_unit_test(torques_balance_in_the_ratio),
        cmocka_unit_test(inertia_is_reduced_and_no_power_is_lost),
        cmocka_unit_test(a_rack_travels_by_the_arc_of_its_pinion),
        cmocka_unit_test(a_rack_is_held_by_its_pinion_s_torque),
        cmocka_unit_test(two_slides_go_in_their_ratio),
        cmocka_unit_test(gears_follow_the_joints_coordinates_whichever_body_is_static),
        cmocka_unit_test(a_gear_meshes_where_it_is_made_and_keeps_its_phase),
        cmocka_unit_test(a_soft_gear_gives_by_its_stiffness),
        cmocka_unit_test(a_rack_far_from_the_origin_is_as_exact),
        cmocka_unit_test(gears_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
