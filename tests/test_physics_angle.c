/*
 * Angle joints, against the closed forms of two wheels in a ratio r: along the Jacobian A carries r^2 times B's inertia
 * and no power is lost; with equal torques it carries r times that, the pair keeps its angular momentum, and the joint
 * works.
 */
#include "physics.h"

static const double inertia_a = 0.5, inertia_b = 0.3;

/* two wheels on fixed axles, or free in space, and what ties their angles */
typedef struct wheels {
    tr2_world *world;
    tr2_body ground, a, b;
    tr2_joint joint;
} wheels;

static wheels wheels_of(double ratio, bool equal_torque, bool free, tr_softness angular)
{
    wheels w = {.world = world_of(0.0, 60.0f)};
    w.ground = static_at(w.world, 0, 0);
    w.a = body_at(w.world, 0, 0, 0.25, 1.0, inertia_a);
    w.b = body_at(w.world, 2, 0, -1.0, 1.0, inertia_b);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_ANGLE);
    def.body_a = w.a;
    def.body_b = w.b;
    def.ratio = (float)ratio;
    def.equal_torque = equal_torque;
    def.angular = angular;
    def.reference_angle = (float)(-1.0 - ratio * 0.25);
    w.joint = join(w.world, def);
    if (!free) {
        (void)revolute(w.world, w.ground, w.a, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        (void)revolute(w.world, w.ground, w.b, (tr_vec2){2, 0}, (tr_vec2){0, 0});
    }
    return w;
}

static double spin(const wheels *w, tr2_body body)
{
    return (double)body_now(w->world, body).angular_velocity;
}

static void set_spin(const wheels *w, tr2_body body, double speed)
{
    MUST(tr2_body_set_velocity(w->world, body, (tr_vec2){0, 0}, (float)speed));
}

/*
 * A torque T on A: A gains T / (IA + r back IB), back = r along the Jacobian, 1 with equal torques; B r times that, by
 * a torque of IB r times that, which is reported. The work of T and the energy of motion differ by what the joint does,
 * which is nothing along the Jacobian.
 */
static void a_torque_turns_both_by_the_ratio(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        bool equal_torque;
    } cases[] = {{2.0, false}, {-3.0, false}, {0.5, false}, {1.0, false}, {2.0, true}, {0.5, true}, {1.0, true}};
    const double torque = 0.75, t = 2.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double r = cases[i].ratio, back = cases[i].equal_torque ? 1.0 : r;
        double gain = torque / (inertia_a + r * back * inertia_b);
        wheels w = wheels_of(r, cases[i].equal_torque, false, tr_rigid());
        for (int step = 0; step < 120; step++) {
            MUST(tr2_body_apply_torque(w.world, w.a, (float)torque));
            steps(w.world, 1.0 / 60.0, 4, 1);
        }
        /* the rigid row gives way by some 1e-4 rad, and the speed swings by what that takes to build up */
        NEAR("A", spin(&w, w.a), gain * t, 2e-4 * gain * t);
        NEAR("B", spin(&w, w.b), r * gain * t, 2e-4 * fabs(r) * gain * t);
        NEAR("torque", (double)reaction_of(w.world, w.joint).torque, inertia_b * r * gain, 2e-3);
        double kinetic = tr2_world_measure(w.world).kinetic_energy, turned = body_now(w.world, w.a).angle - 0.25;
        /* power of the joint, lambda (wB - back wA) = lambda (r - back) wA, summed over the way that A has turned */
        double work = torque * turned + inertia_b * r * gain * (r - back) * turned;
        /* the sum of first-order steps turns by h/t more */
        NEAR("energy", kinetic, work, 3e-3 * kinetic);
        if (!cases[i].equal_torque)
            NEAR("energy is the work of the torque", kinetic, torque * turned, 3e-3 * kinetic);
        tr2_world_destroy(w.world);
    }
}

/*
 * Two wheels that spin freely and are then tied: an inelastic impact along the row. Along the Jacobian lambda = -(wB -
 * r wA) / (1/IB + r^2/IA), which keeps r IB wB + IA wA and takes (wB - r wA)^2 / 2 / (1/IB + r^2/IA) of the energy;
 * equal torques keep IA wA + IB wB.
 */
static void spinning_wheels_that_are_tied_keep_what_they_must(void **state)
{
    (void)state;
    static const double ratios[] = {1.0, 2.0, 0.4, -1.5};
    const double wa = 3.0, wb = -2.0;
    for (int i = 0; i < 7; i++) {
        double r = ratios[i % 4];
        bool equal = i >= 4;
        double back = equal ? 1.0 : r, lambda = -(wb - r * wa) / (1.0 / inertia_b + r * back / inertia_a);
        wheels w = wheels_of(r, equal, true, tr_rigid());
        set_spin(&w, w.a, wa);
        set_spin(&w, w.b, wb);
        double before = tr2_world_measure(w.world).kinetic_energy;
        steps(w.world, 1.0 / 60.0, 4, 120);
        double now_a = spin(&w, w.a), now_b = spin(&w, w.b);
        NEAR("A", now_a, wa - back * lambda / inertia_a, 1e-5);
        NEAR("B", now_b, wb + lambda / inertia_b, 1e-5);
        NEAR("ratio", now_b - r * now_a, 0.0, 1e-5);
        double lost = 0.5 * pow(wb - r * wa, 2.0) / (1.0 / inertia_b + r * r / inertia_a);
        if (equal)
            NEAR("angular momentum", inertia_a * now_a + inertia_b * now_b, inertia_a * wa + inertia_b * wb, 1e-5);
        else
            NEAR("energy", tr2_world_measure(w.world).kinetic_energy, before - lost, 1e-5);
        /* and on: nothing that is kept drifts in 10,000 steps; what is left to go is the joint's own settling */
        steps(w.world, 1.0 / 60.0, 4, 10000);
        NEAR("A later", spin(&w, w.a), now_a, 2e-5);
        NEAR("B later", spin(&w, w.b), now_b, 2e-5);
        tr2_world_destroy(w.world);
    }
}

/* 100 turns of A, ratio exact all the time; then made again from what it says, it stands where it stood, at 0 */
static void the_ratio_holds_over_a_hundred_turns(void **state)
{
    (void)state;
    static const double ratios[] = {2.0, -2.0, 1.0 / 3.0, 2.7182818};
    for (int i = 0; i < 4; i++) {
        wheels w = wheels_of(ratios[i], false, false, tr_rigid());
        double r = (double)(float)ratios[i];
        tr2_joint_def drive = joint_between(TR2_JOINT_REVOLUTE, w.ground, w.a, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        /* gently: what the rigid row gives way by goes with the torque */
        drive.motor = (tr_motor){true, 20.0f, 10.0f};
        (void)join(w.world, drive);
        for (int step = 0; step < 3000; step++) {
            steps(w.world, 1.0 / 60.0, 4, 1);
            NEAR("angle", (double)coordinate_of(w.world, w.joint).value, 0.0, 2e-3);
        }
        steps(w.world, 1.0 / 60.0, 4, 60);
        double a = body_now(w.world, w.a).angle, b = body_now(w.world, w.b).angle;
        assert_true(a > 100.0 * 2.0 * PI);
        /* what the reference has been rounded to, and some 1e-5 rad of float within a step */
        NEAR("B against A", (b + 1.0) - r * (a - 0.25), 0.0, 5e-5);
        tr2_joint_def again;
        MUST(tr2_joint_get(w.world, w.joint, &again));
        float before = coordinate_of(w.world, w.joint).value;
        MUST(tr2_world_destroy_joint(w.world, w.joint));
        assert_true(coordinate_of(w.world, join(w.world, again)).value == before);
        tr2_world_destroy(w.world);
    }
}

/* changed to another ratio at 50 rad the joint begins anew within half a turn, not tens of turns off */
static void a_new_ratio_counts_its_turns_anew(void **state)
{
    (void)state;
    wheels w = wheels_of(2.0, false, false, tr_frequency(0.0f, 0.0f));
    MUST(tr2_body_set_transform(w.world, w.a, (tr_dvec2){0, 0}, 50.0));
    MUST(tr2_body_set_transform(w.world, w.b, (tr_dvec2){2, 0}, 101.0));
    double reference = (double)(float)(-1.0 - 2.0 * 0.25);
    NEAR("before", (double)coordinate_of(w.world, w.joint).value, 101.0 - 100.0 - reference, 1e-6);
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_RATIO, 3.0f));
    NEAR("after", (double)coordinate_of(w.world, w.joint).value, remainder(101.0 - 150.0 - reference, 2.0 * PI), 1e-6);
    tr2_world_destroy(w.world);
}

/* a motor of 5 N m against limits several turns apart, on the coordinate B less 2 A; it reports its torque, they
   theirs */
static void limits_beyond_half_a_turn_stop_the_motor(void **state)
{
    (void)state;
    wheels w = wheels_of(2.0, false, false, tr_frequency(0.0f, 0.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_LIMIT_UPPER, 15.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_LIMIT_LOWER, -10.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_LIMIT_ENABLE, 1.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_MOTOR_MAXIMUM, 5.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_MOTOR_ENABLE, 1.0f));
    for (int way = 1; way >= -1; way -= 2) {
        MUST(tr2_joint_set_motor_speed(w.world, w.joint, 20.0f * (float)way));
        steps(w.world, 1.0 / 60.0, 4, 300);
        tr2_reaction r = reaction_of(w.world, w.joint);
        NEAR("angle", (double)coordinate_of(w.world, w.joint).value, way > 0 ? 15.0 : -10.0, 2e-3);
        NEAR("rate", (double)coordinate_of(w.world, w.joint).rate, 0.0, 1e-4);
        NEAR("motor", (double)r.motor, 5.0 * way, 1e-3);
        NEAR("upper", (double)r.upper, way > 0 ? -5.0 : 0.0, 1e-2);
        NEAR("lower", (double)r.lower, way > 0 ? 0.0 : 5.0, 1e-2);
        NEAR("together", (double)r.torque, 0.0, 1e-2);
        NEAR("error", (double)error_of(w.world, w.joint).angular, 0.0, 2e-3);
    }
    tr2_world_destroy(w.world);
}

/* torque 2 turns the coordinate up at 2 (1/IB + r^2/IA) to the speed asked for; then it gives nothing */
static void a_motor_turns_with_its_torque_up_to_its_speed(void **state)
{
    (void)state;
    const double r = -1.5, speed = 30.0, gain = 2.0 * (1.0 / inertia_b + r * r / inertia_a);
    wheels w = wheels_of(r, false, true, tr_frequency(0.0f, 0.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_MOTOR_SPEED, (float)speed));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_MOTOR_MAXIMUM, 2.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_MOTOR_ENABLE, 1.0f));
    for (int step = 1; step <= 180; step++) {
        steps(w.world, 1.0 / 60.0, 4, 1);
        NEAR("rate", (double)coordinate_of(w.world, w.joint).rate, fmin(gain * step / 60.0, speed), 1e-3);
        if (gain * step / 60.0 < speed)
            NEAR("torque", (double)reaction_of(w.world, w.joint).motor, 2.0, 1e-5);
    }
    NEAR("torque at its speed", (double)reaction_of(w.world, w.joint).torque, 0.0, 1e-3);
    NEAR("A", spin(&w, w.a), -r * 2.0 / inertia_a * (speed / gain), 1e-3);
    tr2_world_destroy(w.world);
}

/* friction takes what slips up to its cap: from 8 rad/s at 2 N m, gain as above, and holds 1.9 N m then */
static void friction_stops_and_holds_the_angle(void **state)
{
    (void)state;
    const double r = 2.0, gain = 2.0 * (1.0 / inertia_b + r * r / inertia_a), start = 8.0;
    wheels w = wheels_of(r, false, true, tr_frequency(0.0f, 0.0f));
    MUST(tr2_joint_set_value(w.world, w.joint, TR2_FIELD_FRICTION, 2.0f));
    set_spin(&w, w.b, start);
    for (int step = 1; step <= 60; step++) {
        steps(w.world, 1.0 / 60.0, 4, 1);
        NEAR("rate", (double)coordinate_of(w.world, w.joint).rate, fmax(start - gain * step / 60.0, 0.0), 1e-4);
    }
    double place = (double)coordinate_of(w.world, w.joint).value;
    /* along J^T: what changes C alone */
    for (int step = 0; step < 60; step++) {
        MUST(tr2_body_apply_torque(w.world, w.b, 1.9f));
        MUST(tr2_body_apply_torque(w.world, w.a, (float)(-r * 1.9)));
        steps(w.world, 1.0 / 60.0, 4, 1);
    }
    NEAR("held", (double)coordinate_of(w.world, w.joint).value, place, 1e-4);
    NEAR("friction", (double)reaction_of(w.world, w.joint).friction, -1.9, 1e-4);
    tr2_world_destroy(w.world);
}

/*
 * Soft, between free wheels: C is the damped oscillator itself, step by step, whatever the ratio and the way of the
 * torques, since the frequency is relative to K; and so is the spring on the free coordinate. Rounding of float over
 * 120 steps.
 */
static void a_soft_angle_follows_its_recurrence(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool equal = i % 2 == 1, by_spring = i >= 2;
        wheels w = wheels_of(2.5, equal, true, by_spring ? tr_frequency(0.0f, 0.0f) : tr_frequency(2.0f, 0.1f));
        if (by_spring) {
            tr2_joint_def def;
            MUST(tr2_joint_get(w.world, w.joint, &def));
            def.spring = (tr_spring){true, 0.0f, tr_frequency(2.0f, 0.1f)};
            MUST(tr2_joint_set(w.world, w.joint, &def));
        }
        /* 3 turns off: a spring winds up */
        MUST(tr2_body_set_transform(w.world, w.b, (tr_dvec2){2, 0}, -1.0 + 6.0 * PI));
        double x = 6.0 * PI, v = 0.0;
        for (int step = 0; step < 120; step++) {
            steps(w.world, 1.0 / 60.0, 1, 1);
            oscillator_substep(2.0, 0.1, 1.0 / 60.0, &x, &v);
            NEAR("angle", (double)coordinate_of(w.world, w.joint).value, x, 5e-4);
        }
        tr2_world_destroy(w.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torque_turns_both_by_the_ratio),
        cmocka_unit_test(spinning_wheels_that_are_tied_keep_what_they_must),
        cmocka_unit_test(the_ratio_holds_over_a_hundred_turns),
        cmocka_unit_test(a_new_ratio_counts_its_turns_anew),
        cmocka_unit_test(limits_beyond_half_a_turn_stop_the_motor),
        cmocka_unit_test(a_motor_turns_with_its_torque_up_to_its_speed),
        cmocka_unit_test(friction_stops_and_holds_the_angle),
        cmocka_unit_test(a_soft_angle_follows_its_recurrence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
