/* Screws, gears and pulleys in space against the laws of machines with ratios. */
#define TR_DIMENSION 3

#include "base/angle.h"
#include "solver/space/geometry.h"
#include "space.h"
#include "space_bits.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, y_axis = {0.0f, 1.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static const tr_method methods[] = {TR_SOFT_STEP, TR_DIRECT};

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

static double coordinate(const tr3_world *world, tr3_joint joint)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    return (double)at.value;
}

static double rate(const tr3_world *world, tr3_joint joint)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    return (double)at.rate;
}

static tr3_joint hold(tr3_world *world, tr3_joint_type type, tr3_body a, tr3_body b, tr_dvec3 at, tr_vec3 axis)
{
    tr3_joint_def def = space_between(world, type, a, b, at, axis);
    /* a joint with features counts its turns */
    if (tr3_joint_type_has(type, TR3_FIELD_LIMIT_ENABLE))
        def.limit = (tr_limit){true, -1e6f, 1e6f};
    return space_joint(world, &def);
}

static tr3_joint mesh(tr3_world *world, tr3_joint a, tr3_joint b, float ratio)
{
    tr3_joint_def def;
    tr_status status = tr3_gear_between(world, a, false, b, false, ratio, &def);
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
    return space_joint(world, &def);
}

/* linear and angular momentum of all bodies, whose moments are equal, about the origin */
static void momenta(const tr3_world *world, const tr3_body *bodies, uint32_t count, const float *inertia, tr_dvec3 *p,
                    tr_dvec3 *l)
{
    *p = *l = origin;
    for (uint32_t i = 0; i < count; i++) {
        tr3_body_def b;
        SPACE_OK(tr3_body_get(world, bodies[i], &b));
        const tr_dvec3 v = tr3_times((double)b.mass, tr3_widen(b.velocity));
        *p = tr3_plus(*p, v);
        *l = tr3_plus(*l,
                      tr3_plus(tr3_cross(b.position, v), tr3_times((double)inertia[i], tr3_widen(b.angular_velocity))));
    }
}

/*
 * Gears
 */

/* three wheels on axes in three directions: the ratio of the turns, and the torques in balance */
static void a_train_of_three_keeps_its_ratios(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        tr3_world *world = space_world(methods[m], still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit), wheel[3];
        const tr_vec3 axis[3] = {z_axis, {0.6f, 0.0f, 0.8f}, y_axis};
        tr3_joint bearing[3];
        for (int i = 0; i < 3; i++) {
            const tr_dvec3 at = {2.0 * i, 1.0, 0.0};
            wheel[i] = space_body(world, TR_DYNAMIC, at, 1.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
            bearing[i] = hold(world, TR3_JOINT_HINGE, ground, wheel[i], at, axis[i]);
        }
        const tr3_joint gear[2] = {mesh(world, bearing[0], bearing[1], 2.0f),
                                   mesh(world, bearing[1], bearing[2], -0.5f)};
        SPACE_OK(tr3_body_set_velocity(world, wheel[0], still, (tr_vec3){0.0f, 0.0f, 3.0f}));
        SPACE_OK(tr3_body_set_velocity(world, wheel[1], still, (tr_vec3){-3.6f, 0.0f, -4.8f}));
        SPACE_OK(tr3_body_set_velocity(world, wheel[2], still, (tr_vec3){0.0f, -3.0f, 0.0f}));
        const int steps = methods[m] == TR_DIRECT ? 1000 : 10000;
        for (int step = 0; step < steps; step += 100) {
            run(world, 100);
            const double a = coordinate(world, bearing[0]), b = coordinate(world, bearing[1]),
                         c = coordinate(world, bearing[2]);
            /* the angles of the hinges are floats */
            near_to("second wheel", b + 2.0 * a, 0.0, 1e-4 + 3e-7 * fabs(b));
            near_to("third wheel", c - 0.5 * b, 0.0, 1e-4 + 3e-7 * fabs(b));
            near_to("mesh", coordinate(world, gear[0]), 0.0, 2e-5);
        }
        near_to("speed", rate(world, bearing[0]), 3.0, 3e-3);
        near_to("turns", coordinate(world, bearing[0]), 3.0 * steps / 60.0, 2e-3 * 3.0 * steps / 60.0);
        tr3_world_destroy(world);
    }
}

/* the inertia that a torque at the first wheel feels, and the torque that holds the second against it */
static void torque_goes_through_a_ratio(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        tr3_world *world = space_world(methods[m], still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body a = space_body(world, TR_DYNAMIC, origin, 1.0f, (tr_vec3){0.2f, 0.2f, 0.2f});
        tr3_body b = space_body(world, TR_DYNAMIC, (tr_dvec3){3.0, 0.0, 0.0}, 1.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
        tr3_joint on_a = hold(world, TR3_JOINT_HINGE, ground, a, origin, z_axis);
        tr3_joint on_b = hold(world, TR3_JOINT_HINGE, ground, b, (tr_dvec3){3.0, 0.0, 0.0}, x_axis);
        tr3_joint gear = mesh(world, on_a, on_b, -3.0f);
        for (int step = 0; step < 60; step++) {
            SPACE_OK(tr3_body_apply_torque(world, a, (tr_vec3){0.0f, 0.0f, 4.0f}));
            run(world, 1);
        }
        /* I = Ia + ratio^2 Ib */
        near_to("speed", rate(world, on_a), 4.0 / (0.2 + 9.0 * 0.5), 2e-3);
        /* the second wheel against a stop: torque in = ratio x torque out */
        tr3_joint_def def;
        SPACE_OK(tr3_joint_get(world, on_b, &def));
        const float at = (float)coordinate(world, on_b);
        def.limit = (tr_limit){true, at - 0.5f, at};
        SPACE_OK(tr3_joint_set(world, on_b, &def));
        for (int step = 0; step < 400; step++) {
            SPACE_OK(tr3_body_apply_torque(world, a, (tr_vec3){0.0f, 0.0f, 4.0f}));
            run(world, 1);
        }
        tr3_reaction tooth, stop;
        SPACE_OK(tr3_joint_reaction(world, gear, &tooth));
        SPACE_OK(tr3_joint_reaction(world, on_b, &stop));
        near_to("torque of the gear", (double)tooth.torque.x, 4.0 / 3.0, 2e-3);
        near_to("torque of the stop", (double)stop.upper, -4.0 / 3.0, 2e-3);
        tr3_world_destroy(world);
    }
}

/* a wheel and a rack that slides across it, on a carrier that is free: the ratio and all momenta */
static void a_rack_on_a_free_carrier_keeps_momenta(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    const float inertia[3] = {2.0f, 0.1f, 0.3f};
    tr3_body body[3];
    const tr_dvec3 at[3] = {{0.0, 0.0, 0.0}, {0.5, 0.0, 0.2}, {-0.4, 0.3, 0.0}};
    for (int i = 0; i < 3; i++)
        body[i] =
            space_body(world, TR_DYNAMIC, at[i], i == 0 ? 3.0f : 1.0f, (tr_vec3){inertia[i], inertia[i], inertia[i]});
    tr3_joint bearing = hold(world, TR3_JOINT_HINGE, body[0], body[1], at[1], (tr_vec3){0.0f, 0.6f, 0.8f});
    tr3_joint guide = hold(world, TR3_JOINT_SLIDER, body[0], body[2], at[2], x_axis);
    tr3_joint gear = mesh(world, bearing, guide, -0.05f);
    SPACE_OK(tr3_body_set_velocity(world, body[0], (tr_vec3){0.1f, 0.0f, 0.0f}, (tr_vec3){0.3f, -0.2f, 0.1f}));
    SPACE_OK(tr3_body_set_velocity(world, body[1], still, (tr_vec3){0.0f, 3.0f, 4.0f}));
    run(world, 1);
    tr_dvec3 p0, l0, p, l;
    momenta(world, body, 3, inertia, &p0, &l0);
    const double energy = tr3_world_measure(world).kinetic_energy;
    for (int i = 0; i < 100; i++) {
        run(world, 100);
        /* angles and travels are floats */
        const double turns = coordinate(world, bearing);
        near_to("ratio", coordinate(world, guide) - 0.05 * turns, 0.0, 2e-5 + 1e-7 * fabs(turns));
        near_to("mesh", coordinate(world, gear), 0.0, 2e-5);
    }
    momenta(world, body, 3, inertia, &p, &l);
    near_to("momentum", space_length(tr3_minus(p, p0)), 0.0, 1e-4);
    near_to("angular momentum", space_length(tr3_minus(l, l0)), 0.0, 5e-3 * space_length(l0));
    assert_true(tr3_world_measure(world).kinetic_energy <= 1.01 * energy);
    assert_true(fabs(coordinate(world, bearing)) > 10.0);
    tr3_world_destroy(world);
}

/*
 * What a gear holds is the twist of its wheels about its axis. Its row is about that axis n, which is right for a wheel in
 * bearings. A loose wheel whose own axis m leans away from n twists at p . w, p = (n + m)/(1 + n . m): what corrects the
 * twist along n may then do work. So gears need bearings, which is why loose ones are in no test of energy.
 */
static void a_gear_is_right_about_a_held_axis(void **state)
{
    (void)state;
    for (int lean = 0; lean < 2; lean++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body wheel[2];
        for (int i = 0; i < 2; i++)
            wheel[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){i, 0.0, 0.0}, 1.0f, (tr_vec3){0.3f, 0.3f, 0.3f});
        tr3_joint_def def = space_between(world, TR3_JOINT_GEAR, wheel[0], wheel[1], origin, z_axis);
        def.angular = tr_frequency(0.0f, 0.0f); /* it is only looked at */
        tr3_joint gear = space_joint(world, &def);
        /* B leans by 0.8 rad about x, and turns about y and z */
        const tr_vec3 w = {0.0f, lean == 1 ? 0.7f : 0.0f, 0.5f};
        if (lean == 1)
            SPACE_OK(tr3_body_set_transform(world, wheel[1], (tr_dvec3){1.0, 0.0, 0.0},
                                            (tr_quat){(float)sin(0.4), 0.0f, 0.0f, (float)cos(0.4)}));
        SPACE_OK(tr3_body_set_velocity(world, wheel[1], still, w));
        tr_joint_coordinate_value before, after;
        SPACE_OK(tr3_joint_coordinate(world, gear, &before));
        SPACE_OK(tr3_world_step(world, 1e-3, 1));
        SPACE_OK(tr3_joint_coordinate(world, gear, &after));
        const double rate = ((double)after.value - (double)before.value) / 1e-3;
        const tr_dvec3 n = {0.0, 0.0, 1.0}, m = {0.0, lean * -sin(0.8), lean == 1 ? cos(0.8) : 1.0};
        const tr_dvec3 p = tr3_times(1.0 / (1.0 + tr3_dot(n, m)), tr3_plus(n, m));
        near_to("what the row takes for its rate", (double)before.rate, 0.5, 1e-6);
        near_to("its rate", rate, tr3_dot(p, (tr_dvec3){0.0, (double)w.y, 0.5}), 1e-3);
        assert_true((fabs(rate - 0.5) < 1e-3) == (lean == 0));
        tr3_world_destroy(world);
    }
}

/* a case that turns, and two shafts on it, which turn relative to it by opposite angles: its speed is their mean */
static void a_gear_on_a_case_is_a_differential(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body body[3];
    tr3_joint shaft[2];
    body[0] = space_body(world, TR_DYNAMIC, origin, 1.0f, unit);
    tr3_joint axle = hold(world, TR3_JOINT_HINGE, ground, body[0], origin, x_axis);
    for (int i = 0; i < 2; i++) {
        const tr_dvec3 at = {i == 0 ? -1.0 : 1.0, 0.0, 0.0};
        body[1 + i] = space_body(world, TR_DYNAMIC, at, 1.0f, (tr_vec3){0.2f, 0.2f, 0.2f});
        shaft[i] = hold(world, TR3_JOINT_HINGE, body[0], body[1 + i], at, x_axis);
    }
    (void)mesh(world, shaft[0], shaft[1], 1.0f);
    /* one shaft drags: the case is driven, and its torque is shared equally */
    for (int step = 0; step < 120; step++) {
        SPACE_OK(tr3_body_apply_torque(world, body[0], (tr_vec3){2.0f, 0.0f, 0.0f}));
        SPACE_OK(tr3_body_apply_torque(world, body[1], (tr_vec3){-0.5f, 0.0f, 0.0f}));
        run(world, 1);
        tr3_body_def def[3];
        for (int i = 0; i < 3; i++)
            SPACE_OK(tr3_body_get(world, body[i], &def[i]));
        near_to("mean", (double)(def[1].angular_velocity.x + def[2].angular_velocity.x),
                2.0 * (double)def[0].angular_velocity.x, 2e-4 * (1.0 + fabs((double)def[2].angular_velocity.x)));
    }
    /* shafts s, case c: c = (s1 + s2)/2; I s1' = -0.5 + t, I s2' = t, J c' = 2 - 2 t */
    near_to("case", rate(world, axle), 2.0 * 1.5 / (1.0 + 2.0 * 0.2), 5e-3);
    tr3_world_destroy(world);
}

/* the coordinate counts whole turns, but a definition does not: the gear that it makes meshes where the old one did */
static void a_definition_after_many_turns_makes_the_same_gear(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit), wheel[2];
    tr3_joint bearing[2];
    for (int i = 0; i < 2; i++) {
        const tr_dvec3 at = {2.0 * i, 0.0, 0.0};
        wheel[i] = space_body(world, TR_DYNAMIC, at, 1.0f, unit);
        bearing[i] = hold(world, TR3_JOINT_HINGE, ground, wheel[i], at, z_axis);
    }
    tr3_joint gear = mesh(world, bearing[0], bearing[1], 0.37f);
    SPACE_OK(tr3_body_set_velocity(world, wheel[0], still, (tr_vec3){0.0f, 0.0f, 20.0f}));
    run(world, 301);
    const double turned = coordinate(world, bearing[0]), other = coordinate(world, bearing[1]);
    assert_true(fabs(turned) > 20.0 * TR_PI && fabs(other) > 4.0 * TR_PI);
    tr3_joint_def def, again;
    SPACE_OK(tr3_joint_get(world, gear, &def));
    assert_true(def.meshed);
    /* set as it is, nothing changes */
    const uint64_t hash = tr3_world_state_hash(world);
    SPACE_OK(tr3_joint_set(world, gear, &def));
    assert_true(tr3_world_state_hash(world) == hash);
    SPACE_OK(tr3_joint_set_value(world, gear, TR3_FIELD_ANGULAR_KIND, 0.0f));
    assert_true(tr3_world_state_hash(world) == hash);
    SPACE_OK(tr3_joint_get(world, gear, &again));
    assert_true(again.offset == def.offset);
    SPACE_OK(tr3_world_destroy_joint(world, gear));
    gear = space_joint(world, &def);
    near_to("mesh", coordinate(world, gear), 0.0, 1e-5);
    run(world, 60);
    const double a = coordinate(world, bearing[0]) - turned, b = coordinate(world, bearing[1]) - other;
    near_to("ratio", b + (double)0.37f * a, 0.0, 1e-4);
    /* a clutch that closes meshes anew */
    SPACE_OK(tr3_joint_set_enabled(world, gear, false));
    SPACE_OK(tr3_body_set_velocity(world, wheel[1], still, still));
    run(world, 60);
    assert_true(fabs(coordinate(world, gear)) > 1.0);
    SPACE_OK(tr3_joint_set_value(world, gear, TR3_FIELD_MESHED, 0.0f));
    SPACE_OK(tr3_joint_set_enabled(world, gear, true));
    near_to("new mesh", coordinate(world, gear), 0.0, 1e-5);
    tr3_world_destroy(world);
}

/* the bodies that carry are named; errors leave `out` as it is */
static void gears_between_joints_are_checked(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body arm = space_body(world, TR_DYNAMIC, origin, 1.0f, unit);
    tr3_body wheel = space_body(world, TR_DYNAMIC, (tr_dvec3){1.0, 0.0, 0.0}, 1.0f, unit);
    tr3_joint axle = hold(world, TR3_JOINT_HINGE, ground, arm, origin, z_axis);
    tr3_joint pin = hold(world, TR3_JOINT_HINGE, arm, wheel, (tr_dvec3){1.0, 0.0, 0.0}, z_axis);
    tr3_joint ball = hold(world, TR3_JOINT_BALL, arm, wheel, (tr_dvec3){1.0, 0.0, 0.0}, z_axis);
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_GEAR);
    def.ratio = 7.0f;
    assert_int_equal(tr3_gear_between(world, axle, false, ball, false, 1.0f, &def), TR_ERROR_RANGE);
    assert_string_equal(tr3_world_last_error(world)->message,
                        "gear_between: joint_b is a ball joint, must be hinge, slider or cylindrical");
    assert_int_equal(tr3_gear_between(world, axle, false, pin, false, 0.0f, &def), TR_ERROR_ZERO);
    assert_int_equal(tr3_gear_between(world, axle, false, axle, false, 1.0f, &def), TR_ERROR_SELF_JOINT);
    assert_true(def.ratio == 7.0f);
    SPACE_OK(tr3_gear_between(world, axle, false, pin, false, 1.0f, &def));
    assert_true(def.body_a.index == arm.index && def.body_b.index == wheel.index);
    assert_true(def.carrier_a.index == 0 && def.carrier_b.index == arm.index);
    def.carrier_b = def.body_b;
    assert_int_equal(tr3_world_create_joint(world, &def, NULL), TR_ERROR_SELF_JOINT);
    def = tr3_joint_def_default(TR3_JOINT_BALL);
    def.body_a = ground;
    def.body_b = wheel;
    def.carrier_a = arm;
    assert_int_equal(tr3_world_create_joint(world, &def, NULL), TR_ERROR_NO_PROPERTY);
    tr3_world_destroy(world);
}

/*
 * Screws
 */
static void a_screw_advances_by_its_pitch(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        tr3_world *world = space_world(methods[m], (tr_vec3){0.0f, -10.0f, 0.0f}, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body nut = space_body(world, TR_DYNAMIC, origin, 2.0f, (tr_vec3){0.1f, 0.05f, 0.1f});
        tr3_joint_def def = space_between(world, TR3_JOINT_SCREW, ground, nut, origin, y_axis);
        def.pitch = -0.5f;
        tr3_joint screw = space_joint(world, &def);
        const double p = 0.5 / TR_TURN;
        for (int step = 0; step < 180; step++) {
            run(world, 1);
            tr_joint_coordinate_value travel, angle;
            SPACE_OK(tr3_joint_coordinate_of(world, screw, 0, &travel));
            SPACE_OK(tr3_joint_coordinate_of(world, screw, 1, &angle));
            near_to("travel", (double)travel.value, -p * (double)angle.value, 2e-4);
        }
        /* falls with m g / (m + I / p^2) */
        const double a = 10.0 * 2.0 / (2.0 + 0.05 / (p * p)), t = 3.0;
        tr_joint_coordinate_value angle, travel;
        SPACE_OK(tr3_joint_coordinate_of(world, screw, 1, &angle));
        SPACE_OK(tr3_joint_coordinate_of(world, screw, 0, &travel));
        near_to("speed", (double)travel.rate, -a * t, 2e-3 * a * t);
        assert_true((double)angle.value > 2.0 * TR_PI);
        /* energy: what it has fallen */
        const double v = (double)travel.rate, w = (double)angle.rate;
        near_to("energy", 0.5 * 2.0 * v * v + 0.5 * 0.05 * w * w, -2.0 * 10.0 * (double)travel.value,
                2e-2 * 20.0 * fabs((double)travel.value));
        /* a torque of p m g holds it */
        SPACE_OK(tr3_body_set_velocity(world, nut, still, still));
        for (int step = 0; step < 120; step++) {
            SPACE_OK(tr3_body_apply_torque(world, nut, (tr_vec3){0.0f, (float)(-p * 20.0), 0.0f}));
            run(world, 1);
        }
        SPACE_OK(tr3_joint_coordinate_of(world, screw, 0, &travel));
        near_to("held", (double)travel.rate, 0.0, 2e-3);
        tr3_reaction force;
        SPACE_OK(tr3_joint_reaction(world, screw, &force));
        near_to("force", (double)force.force.y, 20.0, 0.05);
        near_to("torque", (double)force.torque.y, p * 20.0, 0.01);
        tr3_world_destroy(world);
    }
}

/* between two free bodies nothing is lost but to the ends of the axis */
static void a_free_screw_keeps_momenta(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    const float inertia[2] = {0.4f, 0.1f};
    tr3_body body[2];
    for (int i = 0; i < 2; i++)
        body[i] =
            space_body(world, TR_DYNAMIC, origin, i == 0 ? 3.0f : 1.0f, (tr_vec3){inertia[i], inertia[i], inertia[i]});
    tr3_joint_def def = space_between(world, TR3_JOINT_SCREW, body[0], body[1], origin, z_axis);
    def.pitch = 0.2f;
    tr3_joint screw = space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, body[1], (tr_vec3){0.1f, 0.0f, 0.3f}, (tr_vec3){0.05f, 0.0f, 9.0f}));
    tr_dvec3 p0, l0, p, l;
    momenta(world, body, 2, inertia, &p0, &l0);
    run(world, 600);
    momenta(world, body, 2, inertia, &p, &l);
    near_to("momentum", space_length(tr3_minus(p, p0)), 0.0, 2e-5);
    near_to("angular momentum", space_length(tr3_minus(l, l0)), 0.0, 1e-3 * space_length(l0));
    tr_joint_coordinate_value travel, angle;
    SPACE_OK(tr3_joint_coordinate_of(world, screw, 0, &travel));
    SPACE_OK(tr3_joint_coordinate_of(world, screw, 1, &angle));
    near_to("travel", (double)travel.value, 0.2 / TR_TURN * (double)angle.value, 3e-4);
    assert_true(fabs((double)angle.value) > 20.0 * TR_PI);
    tr3_world_destroy(world);
}

/*
 * Pulleys
 */

/* Atwood's machine with ratios: T = g (1 + ratio)/(1/mb + ratio^2/ma); its wheels on the world, or on a kinematic body */
static void a_pulley_is_a_machine_of_atwood(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        const float ratio = round % 4 < 2 ? 1.0f : 3.0f;
        tr3_world *world = space_world(methods[round % 2], (tr_vec3){0.0f, -10.0f, 0.0f}, 1);
        tr3_body frame = space_body(world, TR_KINEMATIC, (tr_dvec3){0.5, 9.0, 0.0}, 1.0f, unit);
        tr3_body a = space_body(world, TR_DYNAMIC, (tr_dvec3){-1.0, 5.0, 2.0}, 4.0f, unit);
        tr3_body b = space_body(world, TR_DYNAMIC, (tr_dvec3){1.0, 6.0, -2.0}, 1.0f, unit);
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_PULLEY);
        def.body_a = a;
        def.body_b = b;
        def.ratio = ratio;
        def.ground_a = (tr_dvec3){-1.0, 10.0, 2.0};
        def.ground_b = (tr_dvec3){1.0, 10.0, -2.0};
        def.length = ratio * 5.0f + 4.0f;
        if (round >= 4) {
            def.carrier_a = def.carrier_b = frame;
            def.ground_a = (tr_dvec3){-1.5, 1.0, 2.0};
            def.ground_b = (tr_dvec3){0.5, 1.0, -2.0};
        }
        tr3_joint rope = space_joint(world, &def);
        run(world, 30);
        const double r = (double)ratio, tension = 10.0 * (1.0 + r) / (1.0 + r * r / 4.0);
        tr3_reaction force;
        SPACE_OK(tr3_joint_reaction(world, rope, &force));
        near_to("tension", (double)force.force.y, tension, 2e-2 * tension);
        near_to("upper", (double)force.upper, -(double)force.force.y, 1e-4 * tension);
        tr3_body_def at;
        SPACE_OK(tr3_body_get(world, a, &at));
        near_to("speed of A", (double)at.velocity.y, 0.5 * (r * tension / 4.0 - 10.0), 0.03);
        near_to("length", coordinate(world, rope), (double)def.length, 2e-3);
        tr3_world_destroy(world);
    }
}

/* wheels on a body that is free: the rope moves all three, and their momenta stay */
static void a_rope_over_a_free_body_keeps_momenta(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    const float inertia[3] = {3.0f, 0.1f, 0.2f};
    const tr_dvec3 at[3] = {{0.0, 0.0, 0.0}, {-2.0, -1.0, 0.5}, {1.5, -2.0, 0.0}};
    tr3_body body[3];
    for (int i = 0; i < 3; i++)
        body[i] =
            space_body(world, TR_DYNAMIC, at[i], i == 0 ? 5.0f : 1.0f, (tr_vec3){inertia[i], inertia[i], inertia[i]});
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_PULLEY);
    def.body_a = body[1];
    def.body_b = body[2];
    def.carrier_a = def.carrier_b = body[0];
    def.anchor_a = (tr_vec3){0.0f, 0.1f, 0.0f};
    def.ground_a = (tr_dvec3){-0.5, 0.5, 0.0};
    def.ground_b = (tr_dvec3){0.5, 0.5, 0.1};
    def.ratio = 2.0f;
    def.length = 7.1f;
    tr3_joint rope = space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, body[1], (tr_vec3){-0.5f, 0.0f, 0.3f}, still));
    SPACE_OK(tr3_body_set_velocity(world, body[2], (tr_vec3){0.6f, -0.2f, 0.0f}, still));
    tr_dvec3 p0, l0, p, l;
    momenta(world, body, 3, inertia, &p0, &l0);
    const double energy = tr3_world_measure(world).kinetic_energy;
    double longest = 0.0;
    for (int step = 0; step < 10000; step++) {
        run(world, 1);
        longest = fmax(longest, coordinate(world, rope));
        assert_true(longest < 7.1 + 5e-3);
    }
    assert_true(longest > 7.1 - 1e-3);
    momenta(world, body, 3, inertia, &p, &l);
    near_to("momentum", space_length(tr3_minus(p, p0)), 0.0, 1e-4);
    near_to("angular momentum", space_length(tr3_minus(l, l0)), 0.0, 5e-3 * (1.0 + space_length(l0)));
    assert_true(tr3_world_measure(world).kinetic_energy <= 1.01 * energy);
    tr3_world_destroy(world);
}

/*
 * All together: the same bits on every instruction set, with any number of threads
 */
static tr3_world *machines(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, (tr_vec3){0.0f, -9.81f, 0.0f}, threads);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    for (int i = 0; i < 20; i++) {
        const tr_dvec3 at = {0.0, 5.0, 4.0 * i};
        tr3_body part[4];
        tr3_joint bearing[3];
        for (int k = 0; k < 4; k++)
            part[k] = space_body(world, TR_DYNAMIC, (tr_dvec3){at.x + 0.5 * k, at.y, at.z}, 1.0f,
                                 (tr_vec3){0.1f, 0.12f, 0.14f});
        bearing[0] = hold(world, TR3_JOINT_HINGE, ground, part[0], at, (tr_vec3){0.0f, 0.6f, 0.8f});
        bearing[1] = hold(world, TR3_JOINT_HINGE, part[0], part[1], (tr_dvec3){0.4, 5.0, at.z}, x_axis);
        bearing[2] = hold(world, TR3_JOINT_SLIDER, part[0], part[2], (tr_dvec3){0.8, 5.0, at.z}, y_axis);
        (void)mesh(world, bearing[1], bearing[2], 0.1f + 0.01f * (float)i);
        if (i % 2 == 0)
            (void)mesh(world, bearing[0], bearing[1], -0.5f);
        tr3_joint_def def = space_between(world, TR3_JOINT_SCREW, part[2], part[3], (tr_dvec3){1.2, 5.0, at.z}, x_axis);
        def.pitch = 0.05f;
        def.second.limit = (tr_limit){i % 3 == 0, -9.0f, 9.0f};
        space_joint(world, &def);
        tr3_body left = space_body(world, TR_DYNAMIC, (tr_dvec3){-1.0, 3.0, at.z}, 1.0f, unit);
        def = tr3_joint_def_default(TR3_JOINT_PULLEY);
        def.body_a = left;
        def.body_b = part[0];
        def.carrier_b = i % 2 == 0 ? part[1] : def.carrier_b;
        def.ground_a = (tr_dvec3){-1.0, 6.0, at.z};
        def.ground_b = i % 2 == 0 ? (tr_dvec3){0.0, 0.5, 0.0} : (tr_dvec3){0.0, 6.0, at.z};
        def.anchor_b = (tr_vec3){0.1f, 0.0f, 0.1f};
        def.length = 4.2f;
        space_joint(world, &def);
    }
    return world;
}

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    space_same_bits(machines, 60, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_train_of_three_keeps_its_ratios),
        cmocka_unit_test(torque_goes_through_a_ratio),
        cmocka_unit_test(a_rack_on_a_free_carrier_keeps_momenta),
        cmocka_unit_test(a_gear_is_right_about_a_held_axis),
        cmocka_unit_test(a_gear_on_a_case_is_a_differential),
        cmocka_unit_test(a_definition_after_many_turns_makes_the_same_gear),
        cmocka_unit_test(gears_between_joints_are_checked),
        cmocka_unit_test(a_screw_advances_by_its_pitch),
        cmocka_unit_test(a_free_screw_keeps_momenta),
        cmocka_unit_test(a_pulley_is_a_machine_of_atwood),
        cmocka_unit_test(a_rope_over_a_free_body_keeps_momenta),
        cmocka_unit_test(bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
