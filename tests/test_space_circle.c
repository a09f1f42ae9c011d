/* A point on a circle: a link without mass between a hinge and a ball, and its laws. */
#define TR_DIMENSION 3

#include "instrumented.h"
#include "solver/space/geometry.h"
#include "space.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -10.0f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static const tr_method methods[] = {TR_SOFT_STEP, TR_POSITION_BASED, TR_DIRECT};
#define METHODS (sizeof methods / sizeof methods[0])

static void run(tr3_world *world, int steps)
{
    for (int step = 0; step < steps; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
}

static void near_to(const char *what, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s: %.9g, not %.9g", what, have, want);
}

static tr3_joint_def circle_between(const tr3_world *world, tr3_body a, tr3_body b, tr_dvec3 foot, tr_dvec3 ball,
                                    tr_vec3 axis)
{
    tr3_joint_def def;
    SPACE_OK(tr3_joint_def_between(world, TR3_JOINT_CIRCLE, a, b, foot, ball, axis, &def));
    return def;
}

/* a bob of 2 kg on a level link of 0.5 m, which turns about z from the ground and is at its angle of 0 */
static tr3_joint_def level_link(tr3_world *world)
{
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body bob = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, unit);
    tr3_joint_def def =
        circle_between(world, ground, bob, origin, (tr_dvec3){0.5, 0.0, 0.0}, (tr_vec3){0.0f, 0.0f, 1.0f});
    def.axis_2 = (tr_vec3){1.0f, 0.0f, 0.0f};
    return def;
}

/* where a body's point is, in the frame of another at rest there */
static tr_dvec3 point_of(const tr3_world *world, tr3_body body, tr_vec3 anchor)
{
    tr3_transform at;
    SPACE_OK(tr3_body_get_transform(world, body, &at));
    return tr3_plus(at.position, tr3_turned(tr3_widen_quat(at.rotation), tr3_widen(anchor)));
}

/* two bodies on a circle or on a hinge, a link and a ball, after a second */
static tr_dvec3 hung(bool composed, float mass)
{
    const tr_dvec3 foot = {0.2, 0.1, 0.0}, ball = {0.2, 0.1, 0.5};
    const tr_vec3 axis = {0.6f, 0.8f, 0.0f};
    tr3_world *world = space_world(TR_DIRECT, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body b = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, -0.2, 0.7}, 2.0f, (tr_vec3){0.2f, 0.3f, 0.25f});
    SPACE_OK(tr3_body_set_velocity(world, b, still, (tr_vec3){0.0f, 0.0f, 0.0f}));
    tr3_joint_def def;
    if (composed) {
        const float i = 0.01f * mass;
        tr3_body link = space_body(world, TR_DYNAMIC, (tr_dvec3){0.2, 0.1, 0.25}, mass, (tr_vec3){i, i, i});
        def = space_between(world, TR3_JOINT_HINGE, ground, link, foot, axis);
        space_joint(world, &def);
        def = space_between(world, TR3_JOINT_BALL, link, b, ball, axis);
        space_joint(world, &def);
    } else {
        def = circle_between(world, ground, b, foot, ball, axis);
        space_joint(world, &def);
        near_to("radius", (double)def.length, 0.5, 1e-6);
    }
    /* fine enough not to slow the link down (docs/exact.md) */
    for (int step = 0; step < 3840; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 3840.0, 1));
    const tr_dvec3 at = point_of(world, b, still);
    tr3_world_destroy(world);
    return at;
}

/* what a link does that becomes lighter goes to what the circle does, by as much as its mass */
static void it_is_a_link_without_mass(void **state)
{
    (void)state;
    const tr_dvec3 circle = hung(false, 0.0f), light = hung(true, 0.004f), heavy = hung(true, 0.04f);
    const double off = space_length(space_minus(light, circle)), more = space_length(space_minus(heavy, circle));
    assert_true(space_length(space_minus(circle, (tr_dvec3){0.5, -0.2, 0.7})) > 0.2);
    near_to("with a light link", off, 0.0, 5e-4);
    near_to("with a link of ten times its mass", more / off, 10.0, 1.0);
}

/* the law of a pendulum whose bob turns freely: m L^2 q'' = -m g L sin q, and what holds it */
static void a_bob_swings_as_a_point(void **state)
{
    (void)state;
    const double length = 0.8, g = 10.0, first = 0.1;
    for (size_t m = 0; m < METHODS; m++) {
        tr3_world *world = space_world(methods[m], down, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body bob =
            space_body(world, TR_DYNAMIC, (tr_dvec3){length * sin(first), -length * cos(first), 0.0}, 3.0f, unit);
        SPACE_OK(tr3_body_set_velocity(world, bob, still, (tr_vec3){1.0f, 2.0f, 3.0f}));
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_CIRCLE);
        def.body_a = ground;
        def.body_b = bob;
        def.axis = (tr_vec3){0.0f, 0.0f, 1.0f};
        def.axis_2 = (tr_vec3){0.0f, -1.0f, 0.0f};
        def.length = (float)length;
        def.friction = 1e-9f; /* the angle is counted */
        tr3_joint joint = space_joint(world, &def);
        tr_joint_coordinate_value at;
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        near_to("angle", (double)at.value, first, 1e-6);
        /* up to its tenth pass through the middle */
        int passes = 0, step = 0;
        double before = (double)at.value, pass = 0.0;
        while (passes < 10 && step < 2000) {
            run(world, 1);
            step++;
            SPACE_OK(tr3_joint_coordinate(world, joint, &at));
            if (before * (double)at.value <= 0.0) {
                passes++;
                pass = step - (double)at.value / ((double)at.value - before);
            }
            before = (double)at.value;
        }
        /* a quarter and nine halves; of greater swings more, by 1 + q^2/16 */
        const double period = 6.283185307 * sqrt(length / g) * (1.0 + first * first / 16.0);
        near_to("period", pass / 60.0 / 4.75, period, methods[m] == TR_DIRECT ? 1e-4 : 5e-3);
        /* it turns as nothing turned it */
        tr_vec3 v, w;
        SPACE_OK(tr3_body_get_velocity(world, bob, &v, &w));
        near_to("spin", space_length(space_minus(tr3_widen(w), (tr_dvec3){1.0, 2.0, 3.0})), 0.0, 1e-5);
        tr3_world_destroy(world);
    }
}

/* a motor holds the link level: its torque is the weight times the length, and the ground has the weight */
static void a_motor_holds_a_weight(void **state)
{
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        tr3_world *world = space_world(methods[m], down, 1);
        tr3_joint_def def = level_link(world);
        def.spring = (tr_spring){true, 0.0f, tr_physical(400.0f, 40.0f)};
        tr3_joint joint = space_joint(world, &def);
        run(world, 600);
        tr_joint_coordinate_value at;
        tr3_reaction force;
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        SPACE_OK(tr3_joint_reaction(world, joint, &force));
        /* k q = -m g L cos q */
        near_to("sag", 400.0 * (double)at.value, -10.0 * cos((double)at.value), 0.02);
        near_to("torque", (double)force.spring, 10.0 * cos((double)at.value), 0.02);
        near_to("weight", (double)force.force.y, 20.0, 0.02);
        near_to("no other force", (double)force.force.z, 0.0, 0.02);
        tr3_world_destroy(world);
    }
}

/* stops, a motor and friction along the angle, over whole turns */
static void features_act_along_the_angle(void **state)
{
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        tr3_world *world = space_world(methods[m], still, 1);
        tr3_joint_def def = level_link(world);
        def.motor = (tr_motor){true, 8.0f, 0.25f}; /* q'' = T / (m L^2) */
        def.limit = (tr_limit){true, -1.0f, 15.0f};
        tr3_joint joint = space_joint(world, &def);
        tr_joint_coordinate_value at;
        run(world, 60);
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        near_to("rate", (double)at.rate, 0.5, 2e-3);
        def.motor.maximum = 4.0f;
        SPACE_OK(tr3_joint_set(world, joint, &def));
        run(world, 90);
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        near_to("speed", (double)at.rate, 8.0, 0.02);
        run(world, 240);
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        near_to("stop after two turns", (double)at.value, 15.0, 5e-3);
        /* friction T takes the speed of T t / (m L^2) */
        def.motor.enable = def.limit.enable = false;
        def.friction = 0.25f;
        SPACE_OK(tr3_joint_set(world, joint, &def));
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        const double angle = fmod((double)at.value, 6.283185307);
        SPACE_OK(
            tr3_body_set_velocity(world, def.body_b, (tr_vec3){(float)(-sin(angle)), (float)cos(angle), 0.0f}, still));
        run(world, 60);
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        near_to("braked", (double)at.rate, 1.5, methods[m] == TR_POSITION_BASED ? 0.03 : 5e-3);
        tr3_world_destroy(world);
    }
}

/* two free bodies: momenta and energy stay, and the point stays on the circle */
static void a_free_pair_keeps_momenta_and_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t m = 0; m < METHODS; m++) {
        /* which makes velocities of positions, and keeps angular momentum less well */
        if (methods[m] == TR_POSITION_BASED)
            continue;
        tr3_world *world = space_world(methods[m], still, 1);
        tr3_body body[2];
        for (int i = 0; i < 2; i++) {
            body[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.1 * i, 0.0}, 1.0f + (float)i,
                                 (tr_vec3){0.25f, 0.3f, 0.35f});
            const tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, body[i], v, (tr_vec3){0.5f, (float)i, -0.5f}));
        }
        tr3_joint_def def = circle_between(world, body[0], body[1], (tr_dvec3){0.3, 0.0, 0.1},
                                           (tr_dvec3){0.6, -0.4, 0.1}, (tr_vec3){0.8f, 0.6f, 0.0f});
        tr3_joint joint = space_joint(world, &def);
        run(world, 1);
        const tr3_measures begin = tr3_world_measure(world);
        run(world, methods[m] == TR_DIRECT ? TRIALS(1500) : TRIALS(10000));
        const tr3_measures end = tr3_world_measure(world);
        near_to("momentum", space_length(space_minus(end.momentum, begin.momentum)), 0.0, 5e-4);
        near_to("angular momentum", space_length(space_minus(end.angular_momentum, begin.angular_momentum)), 0.0,
                5e-3 * space_length(begin.angular_momentum));
        /* the others lose some, and gain none */
        if (methods[m] == TR_DIRECT)
            near_to("energy", end.kinetic_energy, begin.kinetic_energy, 1e-3 * begin.kinetic_energy);
        assert_true(end.kinetic_energy < 1.01 * begin.kinetic_energy);
        tr_joint_error_value error;
        SPACE_OK(tr3_joint_error(world, joint, &error));
        near_to("error", (double)error.linear, 0.0, 1e-3);
        tr3_world_destroy(world);
    }
}

/* where the anchors meet the angle has no row, and nothing fails */
static void a_radius_of_zero_is_a_ball(void **state)
{
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        tr3_world *world = space_world(methods[m], down, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body bob = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, (tr_vec3){0.2f, 0.2f, 0.2f});
        tr3_joint_def def = space_between(world, TR3_JOINT_CIRCLE, ground, bob, origin, (tr_vec3){0.0f, 1.0f, 0.0f});
        assert_true(def.length == 0.0f);
        def.motor = (tr_motor){true, 8.0f, 1.0f};
        tr3_joint joint = space_joint(world, &def);
        run(world, 60);
        tr_joint_error_value error;
        SPACE_OK(tr3_joint_error(world, joint, &error));
        assert_true(isfinite(point_of(world, bob, still).x) && (double)error.linear < 0.05);
        assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_link_without_mass),
        cmocka_unit_test(a_bob_swings_as_a_point),
        cmocka_unit_test(a_motor_holds_a_weight),
        cmocka_unit_test(features_act_along_the_angle),
        cmocka_unit_test(a_free_pair_keeps_momenta_and_energy),
        cmocka_unit_test(a_radius_of_zero_is_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
