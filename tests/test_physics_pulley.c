/* Pulleys: a rope over two wheels fixed in the world, against statics, Atwood's machine and reference numbers. */
#include "physics.h"

#define STEP (1.0 / 240.0)

static tr2_joint_def rope_between(tr2_body a, tr2_body b, tr_dvec2 ground_a, tr_dvec2 ground_b, double length,
                                  double ratio)
{
    tr2_joint_def def = joint_between(TR2_JOINT_PULLEY, a, b, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    def.ground_a = ground_a;
    def.ground_b = ground_b;
    def.length = (float)length;
    def.ratio = (float)ratio;
    return def;
}

/* two masses that hang straight down, A 4 m below its wheel and B 5 m, the rope just taut */
typedef struct atwood {
    tr2_world *world;
    tr2_body a, b;
    tr2_joint rope;
} atwood;

static atwood hang(double mass_a, double mass_b, double ratio, tr_dvec2 origin)
{
    atwood it = {.world = world_of(G, 60.0f)};
    it.a = body_at(it.world, origin.x - 1.0, origin.y - 4.0, 0.0, mass_a, 1.0);
    it.b = body_at(it.world, origin.x + 1.0, origin.y - 5.0, 0.0, mass_b, 1.0);
    it.rope = join(it.world, rope_between(it.a, it.b, (tr_dvec2){origin.x - 1.0, origin.y},
                                          (tr_dvec2){origin.x + 1.0, origin.y}, 4.0 * ratio + 5.0, ratio));
    return it;
}

/*
 * Newton for both masses and ratio a_A + a_B = 0, with downward accelerations a: m_A a_A = m_A g - ratio T, m_B a_B =
 * m_B g - T, so T = g (1 + ratio) / (1/m_B + ratio^2/m_A). The rope's give is one of a rigid row: gone after some
 * steps, and it lengthens by 3e-4 of the coordinate; the accelerations are differences of float speeds.
 */
static void check_atwood(double mass_a, double mass_b, double ratio, tr_dvec2 origin, double tension, double down_a,
                         double down_b)
{
    atwood it = hang(mass_a, mass_b, ratio, origin);
    /* the rope is to be as it is under its load */
    steps(it.world, STEP, 4, 20);
    double before_a = (double)body_now(it.world, it.a).velocity.y,
           before_b = (double)body_now(it.world, it.b).velocity.y;
    steps(it.world, STEP, 4, 40);
    double t = 40 * STEP;
    tr2_reaction r = reaction_of(it.world, it.rope);
    NEAR("tension", -(double)r.upper, tension, 2e-4 * tension);
    NEAR("force on B", (double)r.force.y, tension, 2e-4 * tension);
    NEAR("force on B, sideways", (double)r.force.x, 0.0, 1e-5 * tension);
    NEAR("A's acceleration", (before_a - (double)body_now(it.world, it.a).velocity.y) / t, down_a, 2e-4 * G);
    NEAR("B's acceleration", (before_b - (double)body_now(it.world, it.b).velocity.y) / t, down_b, 2e-4 * G);
    NEAR("rate of the rope", (double)coordinate_of(it.world, it.rope).rate, 0.0, 1e-4);
    NEAR("too long", (double)error_of(it.world, it.rope).linear, 0.0, 1e-3);
    tr2_world_destroy(it.world);
}

static void atwood_s_machine_accelerates_by_the_law(void **state)
{
    (void)state;
    static const double cases[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 2}, {3, 1, 0.5}, {8, 2, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double a = cases[i][0], b = cases[i][1], ratio = cases[i][2];
        double tension = G * (1.0 + ratio) / (1.0 / b + ratio * ratio / a);
        check_atwood(a, b, ratio, (tr_dvec2){0, 0}, tension, G - ratio * tension / a, G - tension / b);
    }
}

/* numbers computed elsewhere from l1 + ratio l2 = const, some of which another engine's test prints too: body 1 is our
   B */
static void reference_tensions_are_met(void **state)
{
    (void)state;
    static const struct {
        double m1, m2, ratio, tension, down_1, down_2;
    } truth[] = {
        {1, 1, 1, 9.81, 0, 0},
        {1, 2, 1, 13.08, -3.27, 3.27},
        {3, 1, 1, 14.715, 4.905, -4.905},
        {1, 1, 0.5, 11.772, -1.962, 3.924},
        {1, 1, 2, 5.886, 3.924, -1.962},
        {2, 1.5, 1.5, 12.2625, 3.67875, -2.4525},
        {10, 1, 3, 4.31208791208791209, 9.37879120879120879, -3.12626373626373626},
    };
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++)
        check_atwood(truth[i].m2, truth[i].m1, truth[i].ratio, (tr_dvec2){0, 0}, truth[i].tension, truth[i].down_2,
                     truth[i].down_1);
}

/* the world's size is none of the rope's business: differences are taken before anything is a float */
static void a_pulley_far_from_the_origin_is_as_exact(void **state)
{
    (void)state;
    tr_dvec2 far = {1e7, -1e7};
    double tension = G * 3.0 / (1.0 + 2.0);
    check_atwood(2.0, 1.0, 2.0, far, tension, G - tension, G - tension);
    atwood near_one = hang(2.0, 1.5, 1.5, (tr_dvec2){0, 0}), far_one = hang(2.0, 1.5, 1.5, far);
    steps(near_one.world, STEP, 4, 120);
    steps(far_one.world, STEP, 4, 120);
    /* a double has 2e-9 m there, which goes into each of 480 sub-steps' bias */
    NEAR("speed", (double)body_now(far_one.world, far_one.b).velocity.y,
         (double)body_now(near_one.world, near_one.b).velocity.y, 1e-5);
    NEAR("height", body_now(far_one.world, far_one.b).position.y - far.y,
         body_now(near_one.world, near_one.b).position.y, 1e-5);
    tr2_world_destroy(near_one.world);
    tr2_world_destroy(far_one.world);
}

/* three parts of the rope carry A: a third of its weight on B holds it, wherever they are */
static void a_block_and_tackle_balances_a_third_of_the_weight(void **state)
{
    (void)state;
    atwood it = hang(3.0, 1.0, 3.0, (tr_dvec2){0, 0});
    steps(it.world, STEP, 4, 480);
    NEAR("A stays", body_now(it.world, it.a).position.y, -4.0, 1e-3);
    NEAR("B stays", body_now(it.world, it.b).position.y, -5.0, 1e-3);
    NEAR("A's speed", (double)body_now(it.world, it.a).velocity.y, 0.0, 1e-5);
    NEAR("tension", -(double)reaction_of(it.world, it.rope).upper, G, 1e-4);
    NEAR("length", (double)coordinate_of(it.world, it.rope).value, 17.0, 1e-3);
    tr2_world_destroy(it.world);
}

/* slack: both fall freely, to the bit as if there were no rope; a rope cannot push */
static void a_slack_rope_does_nothing(void **state)
{
    (void)state;
    tr2_world *with = world_of(G, 60.0f), *without = world_of(G, 60.0f);
    tr2_body a[2], b[2];
    for (int i = 0; i < 2; i++) {
        tr2_world *world = i == 0 ? with : without;
        a[i] = body_at(world, -1.0, -1.0, 0.3, 2.0, 0.5);
        b[i] = body_at(world, 1.0, -2.0, 0.1, 1.0, 0.2);
        MUST(tr2_body_set_velocity(world, b[i], (tr_vec2){0.5f, 1.0f}, 2.0f));
    }
    tr2_joint rope = join(with, rope_between(a[0], b[0], (tr_dvec2){-1, 0}, (tr_dvec2){1, 0}, 20.0, 2.0));
    for (int i = 0; i < 60; i++) {
        steps(with, STEP, 4, 1);
        steps(without, STEP, 4, 1);
        assert_true(body_now(with, a[0]).position.y == body_now(without, a[1]).position.y);
        assert_true(body_now(with, b[0]).position.x == body_now(without, b[1]).position.x);
        assert_true(body_now(with, b[0]).angle == body_now(without, b[1]).angle);
    }
    tr2_reaction r = reaction_of(with, rope);
    assert_true(r.force.x == 0.0f && r.force.y == 0.0f && r.upper == 0.0f);
    assert_true(error_of(with, rope).linear == 0.0f);
    tr2_world_destroy(with);
    tr2_world_destroy(without);
}

/*
 * B falls 1 m before the rope is taut; A is static, so B is caught: after sqrt(2/g) s, in the sub-step that ends there,
 * and not below the rope's length. (The sub-step before slows it to what closes the rest of the gap.)
 */
static void a_falling_body_is_caught_in_the_right_sub_step(void **state)
{
    (void)state;
    const double h = 1.0 / 960.0, fall = sqrt(2.0 / G);
    tr2_world *world = world_of(G, 60.0f);
    tr2_body a = static_at(world, -1.0, -2.0), b = body_at(world, 1.0, -1.0, 0.0, 5.0, 1.0);
    tr2_joint rope = join(world, rope_between(a, b, (tr_dvec2){-1, 0}, (tr_dvec2){1, 0}, 4.0, 1.0));
    double lowest = 0.0, caught = 0.0;
    for (int i = 1; i <= 960; i++) {
        steps(world, h, 1, 1);
        tr2_body_def now = body_now(world, b);
        lowest = fmin(lowest, now.position.y);
        if (caught == 0.0 && fabsf(now.velocity.y) < 1e-4f)
            caught = i * h;
    }
    /* the integration's own fall is half a sub-step ahead */
    NEAR("time of the catch", caught, fall, 1.5 * h);
    NEAR("deepest", lowest, -2.0, 2e-4);
    NEAR("hangs", body_now(world, b).position.y, -2.0, 2e-4);
    NEAR("tension", -(double)reaction_of(world, rope).upper, 5.0 * G, 1e-3);
    tr2_world_destroy(world);
}

/* a rope of stiffness k lets B down by T/k, holds energy T^2/2k, and lets go of nothing when it is slack */
static void a_soft_rope_gives_by_its_tension(void **state)
{
    (void)state;
    const double k = 500.0, weight = 2.0 * G;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body a = static_at(world, -1.0, -2.0), b = body_at(world, 1.0, -2.0, 0.0, 2.0, 1.0);
    tr2_joint_def def = rope_between(a, b, (tr_dvec2){-1, 0}, (tr_dvec2){1, 0}, 4.0, 1.0);
    def.linear = tr_physical((float)k, 60.0f);
    tr2_joint rope = join(world, def);
    steps(world, STEP, 4, 1200);
    NEAR("give", -2.0 - body_now(world, b).position.y, weight / k, 1e-5);
    NEAR("tension", -(double)reaction_of(world, rope).upper, weight, 1e-3);
    /* a soft row is no error, but energy */
    assert_true(error_of(world, rope).linear == 0.0f);
    tr2_measures m = tr2_world_measure(world);
    double height = 2.0 * G * body_now(world, b).position.y;
    NEAR("energy", m.potential_energy - height, weight * weight / (2.0 * k), 1e-3);
    /* lifted, it is slack */
    MUST(tr2_body_set_transform(world, b, (tr_dvec2){1.0, -1.0}, 0.0));
    steps(world, STEP, 4, 1);
    assert_true(reaction_of(world, rope).upper == 0.0f);
    tr2_world_destroy(world);
}

/* at its wheel a body has no direction to be pulled in: it falls straight down and is caught there, and nothing is
   wild */
static void a_body_at_its_wheel_is_not_flung(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body a = static_at(world, -1.0, -2.0), b = body_at(world, 1.0, 0.0, 0.0, 1.0, 1.0);
    tr2_joint rope = join(world, rope_between(a, b, (tr_dvec2){-1, 0}, (tr_dvec2){1, 0}, 2.0, 1.0));
    double fastest = 0.0;
    for (int i = 0; i < 240; i++) {
        steps(world, STEP, 4, 1);
        tr2_body_def now = body_now(world, b);
        fastest = fmax(fastest, hypot((double)now.velocity.x, (double)now.velocity.y));
    }
    NEAR("stays", hypot(body_now(world, b).position.x - 1.0, body_now(world, b).position.y), 0.0, 1e-3);
    assert_true(fastest < 0.1);
    NEAR("too long", (double)error_of(world, rope).linear, 0.0, 1e-3);
    tr2_world_destroy(world);
}

/* the force along the rope has a moment about B's centre where the anchor is off it: B swings under its anchor, and
   rests */
static void a_body_hung_by_an_edge_comes_to_hang_below_it(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body a = static_at(world, -1.0, -2.0), b = body_at(world, 1.0, -2.0, 0.0, 1.0, 0.1);
    tr2_joint_def def = rope_between(a, b, (tr_dvec2){-1, 0}, (tr_dvec2){1, 0}, 4.0, 1.0);
    def.anchor_b = (tr_vec2){0.3f, 0.0f};
    (void)join(world, def);
    MUST(tr2_body_set_damping(world, b, 2.0f, 2.0f));
    steps(world, STEP, 4, 4800);
    /* the anchor, at +x of the body, is straight above the centre */
    double turned = remainder(body_now(world, b).angle - PI / 2.0, 2.0 * PI);
    NEAR("angle", turned, 0.0, 1e-3);
    NEAR("x", body_now(world, b).position.x, 1.0, 1e-3);
    tr2_world_destroy(world);
}

static void what_a_pulley_cannot_be_is_refused(void **state)
{
    (void)state;
    atwood it = hang(1.0, 1.0, 1.0, (tr_dvec2){0, 0});
    tr2_joint_def def;
    MUST(tr2_joint_get(it.world, it.rope, &def));
    def.ratio = -1.0f;
    assert_int_equal(tr2_joint_set(it.world, it.rope, &def), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_joint_set_value(it.world, it.rope, TR2_FIELD_RATIO, 0.0f), TR_ERROR_ZERO);
    assert_int_equal(tr2_joint_set_value(it.world, it.rope, TR2_FIELD_LENGTH, -1.0f), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_joint_set_value(it.world, it.rope, TR2_FIELD_GROUND_A_X, NAN), TR_ERROR_NAN);
    /* a ground point has all its digits */
    def.ratio = 1.0f;
    def.ground_b.x = 1e7 + 1.0 / 3.0;
    MUST(tr2_joint_set(it.world, it.rope, &def));
    MUST(tr2_joint_get(it.world, it.rope, &def));
    assert_true(def.ground_b.x == 1e7 + 1.0 / 3.0);
    tr2_world_destroy(it.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atwood_s_machine_accelerates_by_the_law),
        cmocka_unit_test(reference_tensions_are_met),
        cmocka_unit_test(a_pulley_far_from_the_origin_is_as_exact),
        cmocka_unit_test(a_block_and_tackle_balances_a_third_of_the_weight),
        cmocka_unit_test(a_slack_rope_does_nothing),
        cmocka_unit_test(a_falling_body_is_caught_in_the_right_sub_step),
        cmocka_unit_test(a_soft_rope_gives_by_its_tension),
        cmocka_unit_test(a_body_at_its_wheel_is_not_flung),
        cmocka_unit_test(a_body_hung_by_an_edge_comes_to_hang_below_it),
        cmocka_unit_test(what_a_pulley_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
