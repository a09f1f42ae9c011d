/*
 * What each feature of a joint promises: motors, limits, ropes, springs, and the reactions that they report.
 * Every case is one whose answer Newton's laws give in a line.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

/* a joint of B, about its centre, against the ground at the same place */
static tr2_joint_def held_to_ground(tr2_world *world, tr2_joint_type type, tr2_body body)
{
    tr2_body_def b = body_now(world, body);
    return joint_between(type, static_at(world, b.position.x, b.position.y), body, origin, origin);
}

/*
 * Motors
 */

/* torque 2 on inertia 4: the speed grows by 1/2 rad/s^2 to what is asked, and stays; all reported */
static void a_motor_turns_with_its_torque_up_to_its_speed(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body wheel = body_at(world, 0, 0, 0, 1.0, 4.0);
    tr2_joint_def def = held_to_ground(world, TR2_JOINT_REVOLUTE, wheel);
    def.motor = (tr_motor){true, 1.0f, 2.0f};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("speed after 1 s", (double)coordinate_of(world, joint).rate, 0.5, 1e-5);
    NEAR("torque", (double)reaction_of(world, joint).motor, 2.0, 1e-6);
    NEAR("torque", (double)reaction_of(world, joint).torque, 2.0, 1e-6);
    steps(world, 1.0 / 60.0, 4, 120);
    NEAR("speed after 3 s", (double)coordinate_of(world, joint).rate, 1.0, 1e-6);
    NEAR("torque at rest", (double)reaction_of(world, joint).motor, 0.0, 1e-4);

    /* against a load that it can carry it keeps its speed, and reports the load; otherwise it slips at its torque */
    for (int i = 0; i < 30; i++) {
        MUST(tr2_body_apply_torque(world, wheel, -1.5f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("speed under load", (double)coordinate_of(world, joint).rate, 1.0, 1e-5);
    NEAR("torque under load", (double)reaction_of(world, joint).motor, 1.5, 1e-4);
    for (int i = 0; i < 60; i++) {
        MUST(tr2_body_apply_torque(world, wheel, -4.0f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("speed after slipping 1 s", (double)coordinate_of(world, joint).rate, 1.0 - (4.0 - 2.0) / 4.0, 1e-4);
    NEAR("torque when slipping", (double)reaction_of(world, joint).motor, 2.0, 1e-6);
    tr2_world_destroy(world);
}

/* force 2 m against nothing: 2 m/s after 1 s, 1 m on its way, but for the half sub-step of the first-order sum */
static void a_linear_motor_pushes_with_its_force(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 3.0, 1.0);
    tr2_joint_def def = held_to_ground(world, TR2_JOINT_PRISMATIC, body);
    def.axis = (tr_vec2){0.6f, 0.8f};
    def.motor = (tr_motor){true, 100.0f, 6.0f};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("speed", (double)coordinate_of(world, joint).rate, 2.0, 1e-5);
    NEAR("way", (double)coordinate_of(world, joint).value, 1.0 + 1.0 / 240.0, 1e-5);
    tr2_reaction r = reaction_of(world, joint);
    /* the row across the axis holds what float has rounded of a way of 1 m: 1e-7 m times the mass times 67/s */
    NEAR("force x", (double)r.force.x, 3.6, 2e-5);
    NEAR("force y", (double)r.force.y, 4.8, 2e-5);
    tr2_world_destroy(world);
}

/* a body turned by an axle whose other side is free turns that the other way, by the ratio of inertias */
static void a_motor_between_free_bodies_turns_both(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0, 1.0, 1.0), b = body_at(world, 0, 0, 0, 1.0, 3.0);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, a, b, origin, origin);
    def.motor = (tr_motor){true, 4.0f, 1000.0f};
    (void)join(world, def);
    steps(world, 1.0 / 60.0, 4, 10);
    NEAR("A", (double)body_now(world, a).angular_velocity, -3.0, 1e-5);
    NEAR("B", (double)body_now(world, b).angular_velocity, 1.0, 1e-5);
    tr2_world_destroy(world);
}

/* implicit damping toward a moving target: v' = (v + dt c vt) / (1 + dt c), exactly, step by step; the table is that of
   the closed recurrence at c = 4/s, vt = 5 m/s, dt = 1/60 s */
static void a_damper_follows_its_recurrence(void **state)
{
    (void)state;
    static const struct {
        uint32_t step;
        double speed;
    } truth[] = {
        {1, 0.3125}, {2, 0.60546875}, {10, 2.37769762475636526}, {60, 4.89594892096236725}, {120, 4.99783467459022086}};
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body_def carrier = tr2_body_def_default();
    carrier.type = TR_KINEMATIC;
    carrier.velocity = (tr_vec2){5.0f, 0.0f};
    tr2_body moving, body = body_at(world, 0, 0, 0, 1.0, 1.0);
    MUST(tr2_world_create_body(world, &carrier, &moving));
    tr2_joint_def def = joint_between(TR2_JOINT_PRISMATIC, moving, body, origin, origin);
    def.spring = (tr_spring){true, 0.0f, tr_physical(0.0f, 4.0f)};
    (void)join(world, def);
    uint32_t done = 0;
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        steps(world, 1.0 / 60.0, 1, truth[i].step - done);
        done = truth[i].step;
        NEAR("speed", (double)body_now(world, body).velocity.x, truth[i].speed, 2e-6 * truth[i].step);
    }
    tr2_world_destroy(world);
}

/*
 * Springs
 */
typedef enum spring_kind {
    BY_LENGTH,
    BY_SLIDER,
    BY_WHEEL,
    BY_LINE,
    BY_LINEAR_MOTOR,
    BY_WELD,
    BY_DRIVE,
    BY_TARGET,
    SPRING_KINDS
} spring_kind;

static bool is_free_coordinate(spring_kind kind)
{
    return kind >= BY_SLIDER && kind <= BY_LINEAR_MOTOR;
}

static const tr2_joint_type spring_types[] = {TR2_JOINT_DISTANCE,     TR2_JOINT_PRISMATIC, TR2_JOINT_WHEEL, TR2_JOINT_LINE,
                                              TR2_JOINT_LINEAR_MOTOR, TR2_JOINT_WELD,      TR2_JOINT_MOTOR, TR2_JOINT_TARGET};

/* a body of 2 kg at x = 10, held to the origin (a distance: to length 20, from x = 30) by a spring in x */
static tr2_body sprung_body(tr2_world *world, spring_kind kind, tr_softness softness, tr2_joint *joint)
{
    tr2_body ground = static_at(world, 0, 0), body = body_at(world, kind == BY_LENGTH ? 30.0 : 10.0, 0, 0, 2.0, 1.0);
    tr2_joint_def def = joint_between(spring_types[kind], ground, body, origin, origin);
    if (kind == BY_LENGTH || kind == BY_WELD || kind == BY_TARGET)
        def.linear = softness;
    if (is_free_coordinate(kind))
        def.spring = (tr_spring){true, 0.0f, softness};
    if (kind == BY_DRIVE) {
        def.drive.position = true;
        def.drive.softness = softness;
        def.drive.max_force = def.drive.max_torque = 1e8f;
    }
    if (kind == BY_LENGTH)
        def.length = 20.0f;
    *joint = join(world, def);
    return body;
}

/* x'' = -w^2 x - 2 z w x', from 10 at rest */
static double oscillator(double frequency, double ratio, double t)
{
    double w = 2.0 * PI * frequency, d = w * sqrt(1.0 - ratio * ratio);
    return 10.0 * exp(-ratio * w * t) * (cos(d * t) + ratio * w / d * sin(d * t));
}

/* every kind of spring is that oscillator, step by step, to 1e-5 of ten metres: float's rounding, measured 1.2e-6 m,
   over 120 steps */
static void springs_follow_their_recurrence(void **state)
{
    (void)state;
    const double frequency = 2.0, ratio = 0.1, mass = 2.0, w = 2.0 * PI * frequency;
    for (int kind = 0; kind < SPRING_KINDS; kind++) {
        for (int physical = 0; physical < 2; physical++) {
            tr_softness s = physical ? tr_physical((float)(mass * w * w), (float)(2.0 * mass * ratio * w))
                                     : tr_frequency((float)frequency, (float)ratio);
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_joint joint;
            tr2_body body = sprung_body(world, (spring_kind)kind, s, &joint);
            double offset = kind == BY_LENGTH ? 20.0 : 0.0, x = 10.0, v = 0.0;
            /* the first step is implicit Euler's, whose table begins with 9.59599544182436 */
            for (int i = 1; i <= 120; i++) {
                steps(world, 1.0 / 60.0, 1, 1);
                oscillator_substep(frequency, ratio, 1.0 / 60.0, &x, &v);
                NEAR("place", body_now(world, body).position.x - offset, x, 1e-5);
                if (i == 1)
                    NEAR("first place", x, 9.59599544182436, 1e-9);
            }
            tr2_world_destroy(world);
        }
    }
}

/*
 * Sequential impulses take a spring's impulse once, where the step begins, which is implicit Euler: v' = (v - h w^2 x)
 * / (1 + 2 h z w + h^2 w^2), x' = x + h v'. Its table to 40 digits at 2 Hz, ratio 0.1, 1/60 s: step, place, speed; held
 * to 1e-6 of the largest, 10 m and 100 m/s, which is float's rounding over the steps.
 */
static void springs_of_sequential_impulses_are_implicit_euler(void **state)
{
    (void)state;
    static const struct {
        int step;
        double place, speed;
    } truth[] = {{1, 9.59599544182436006, -24.2402734905383964},   {2, 8.8362165936965734, -45.5867308876671997},
                 {3, 7.77945793836048316, -63.4055193201654142},   {5, 5.04369846798869645, -86.8902011403346878},
                 {10, -2.23714507091317182, -75.6335445993317033}, {20, -3.122024752314579, 42.9449942942516427},
                 {30, 2.75531427309876737, 8.83607832034229975},   {60, 0.709733292401536029, 4.99349680198626689},
                 {90, 0.167612655969099416, 2.07321501921740967},  {120, 0.0345818548912517052, 0.748495486645192668}};
    for (int kind = 0; kind < SPRING_KINDS; kind++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_joint joint;
        MUST(tr2_world_set_method(world, TR_SEQUENTIAL_IMPULSES, 0));
        tr2_body body = sprung_body(world, (spring_kind)kind, tr_frequency(2.0f, 0.1f), &joint);
        int done = 0;
        for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
            steps(world, 1.0 / 60.0, 1, (uint32_t)(truth[i].step - done));
            done = truth[i].step;
            tr2_body_def b = body_now(world, body);
            NEAR("place", b.position.x - (kind == BY_LENGTH ? 20.0 : 0.0), truth[i].place, 1e-5);
            NEAR("speed", (double)b.velocity.x, truth[i].speed, 1e-4);
        }
        tr2_world_destroy(world);
    }
}

/* and of the true motion as the step goes to zero, at first order: at 1/7680 s a first-order error of w^2 h t x is 2
   % */
static void springs_converge_to_the_damped_oscillator(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPRING_KINDS; kind++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            tr2_world *world = world_of(0.0, 60.0f);
            tr2_joint joint;
            tr2_body body = sprung_body(world, (spring_kind)kind, tr_frequency(2.0f, 0.1f), &joint);
            error[fine] = 0.0;
            for (int i = 1; i <= 60; i++) {
                steps(world, 1.0 / 60.0, fine ? 128 : 32, 1);
                double x = body_now(world, body).position.x - (kind == BY_LENGTH ? 20.0 : 0.0);
                error[fine] = fmax(error[fine], fabs(x - oscillator(2.0, 0.1, i / 60.0)));
            }
            tr2_world_destroy(world);
        }
        NEAR("largest error", error[1], 0.0, 0.2);
        NEAR("error at a quarter of the step", error[1], 0.0, error[0] / 3.0);
    }
}

/* a weight at rest on a spring: m g = k x, wherever the spring is; at rest the implicit spring is the plain one */
static void a_spring_carries_the_weight(void **state)
{
    (void)state;
    for (int kind = BY_SLIDER; kind <= BY_LINEAR_MOTOR; kind++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
        tr2_joint_def def = held_to_ground(world, spring_types[kind], body);
        def.axis = (tr_vec2){0.0f, 1.0f};
        def.spring = (tr_spring){true, 0.0f, tr_physical(100.0f, 20.0f)};
        tr2_joint joint = join(world, def);
        steps(world, 1.0 / 60.0, 4, 600);
        NEAR("sag", (double)coordinate_of(world, joint).value, -2.0 * G / 100.0, 1e-4);
        tr2_reaction r = reaction_of(world, joint);
        NEAR("spring", (double)r.spring, 2.0 * G, 1e-3);
        NEAR("force", (double)r.force.y, 2.0 * G, 1e-3);
        NEAR("sideways", (double)r.force.x, 0.0, 1e-4);
        tr2_world_destroy(world);
    }
}

/* a torsion spring toward a target that moves: the hinge follows, and holds k (target - angle) */
static void a_hinge_spring_follows_its_target(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 1.0, 0.5);
    tr2_joint_def def = held_to_ground(world, TR2_JOINT_REVOLUTE, body);
    def.spring = (tr_spring){true, 1.0f, tr_physical(50.0f, 8.0f)};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 300);
    NEAR("angle", (double)coordinate_of(world, joint).value, 1.0, 1e-4);
    MUST(tr2_joint_set_spring_target(world, joint, -7.0f));
    steps(world, 1.0 / 60.0, 4, 300);
    NEAR("angle", (double)coordinate_of(world, joint).value, -7.0, 1e-4);
    for (int i = 0; i < 300; i++) {
        MUST(tr2_body_apply_torque(world, body, 5.0f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("angle under torque", (double)coordinate_of(world, joint).value, -7.0 + 5.0 / 50.0, 1e-3);
    NEAR("spring", (double)reaction_of(world, joint).spring, -5.0, 1e-3);
    tr2_world_destroy(world);
}

/* a position target held rigidly is reached and kept against a load */
static void a_drive_holds_its_offset_in_the_frame_of_a(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body_def turned = tr2_body_def_default();
    turned.type = TR_STATIC;
    turned.angle = 0.5 * PI;
    tr2_body ground, body = body_at(world, 0.5, 0.5, 0, 2.0, 1.0);
    MUST(tr2_world_create_body(world, &turned, &ground));
    tr2_joint_def def = joint_between(TR2_JOINT_MOTOR, ground, body, origin, origin);
    def.drive.position = true;
    def.drive.offset = (tr_vec2){1.0f, 2.0f};
    def.drive.angular_offset = 1.0f;
    def.drive.max_force = 1000.0f;
    def.drive.max_torque = 1000.0f;
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 240);
    tr2_body_def b = body_now(world, body);
    /* (1, 2) turned by a quarter is (-2, 1); the weight sags it by g / (2 pi 60 Hz)^2 = 7e-5 m */
    NEAR("x", b.position.x, -2.0, 1e-3);
    NEAR("y", b.position.y, 1.0, 1e-3);
    NEAR("angle", b.angle, 0.5 * PI + 1.0, 1e-3);
    NEAR("force", (double)reaction_of(world, joint).force.y, 2.0 * G, 1e-2);
    tr2_world_destroy(world);
}

/* between two free bodies that spin on together: the offset is A's, turning with it, and so is the angle */
static void a_drive_between_free_bodies_turns_with_them(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0, 2.0, 1.0), b = body_at(world, 0.9, 0.1, 0.2, 2.0, 1.0);
    MUST(tr2_body_set_velocity(world, a, (tr_vec2){0.0f, -1.5f}, 3.0f));
    MUST(tr2_body_set_velocity(world, b, (tr_vec2){0.0f, 1.5f}, 3.0f));
    tr2_joint_def def = joint_between(TR2_JOINT_MOTOR, a, b, origin, origin);
    def.drive.position = true;
    def.drive.offset = (tr_vec2){1.0f, 0.0f};
    def.drive.angular_offset = 0.5f;
    def.drive.max_force = def.drive.max_torque = 1e4f;
    (void)join(world, def);
    steps(world, 1.0 / 60.0, 8, 240);
    tr2_body_def p = body_now(world, a), q = body_now(world, b);
    double c = cos(p.angle), s = sin(p.angle), x = q.position.x - p.position.x, y = q.position.y - p.position.y;
    /* they still spin, at 3 rad/s as the common moment of inertia is what it was; the pull of 9 N gives way by 1e-4
       m */
    assert_true((double)p.angular_velocity > 2.0);
    NEAR("along", c * x + s * y, 1.0, 2e-3);
    NEAR("across", c * y - s * x, 0.0, 2e-3);
    NEAR("angle", q.angle - p.angle, 0.5, 2e-3);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_turns_with_its_torque_up_to_its_speed),
        cmocka_unit_test(a_linear_motor_pushes_with_its_force),
        cmocka_unit_test(a_motor_between_free_bodies_turns_both),
        cmocka_unit_test(a_damper_follows_its_recurrence),
        cmocka_unit_test(springs_follow_their_recurrence),
        cmocka_unit_test(springs_of_sequential_impulses_are_implicit_euler),
        cmocka_unit_test(springs_converge_to_the_damped_oscillator),
        cmocka_unit_test(a_spring_carries_the_weight),
        cmocka_unit_test(a_hinge_spring_follows_its_target),
        cmocka_unit_test(a_drive_holds_its_offset_in_the_frame_of_a),
        cmocka_unit_test(a_drive_between_free_bodies_turns_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
