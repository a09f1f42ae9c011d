/* Joints in space: laws of statics and dynamics that each type must hold, and the same bits everywhere. */
#define TR_DIMENSION 3

#include <float.h>

#include "all_threads.h"
#include "hash/hash.h"
#include "instrumented.h"
#include "space.h"
#include "space_bits.h"
#include "space_features.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_vec3 unit = {1.0f, 1.0f, 1.0f};

static void run(tr3_world *world, double seconds, uint32_t rate, uint32_t substeps)
{
    for (int step = 0; step < (int)(seconds * rate + 0.5); step++)
        SPACE_OK(tr3_world_step(world, 1.0 / rate, substeps));
}

static double near_to(double a, double b)
{
    return fabs(a - b);
}

/*
 * Free trees of 2 to 8 bodies, on joints of one type or mixed, thrown and spun: sums of momentum stay, energy does not
 * grow. Gears and pulleys are on a third body of the tree, because the world would take a part, and gears slide: one that
 * rotates needs bearings (test_space_gears.c).
 */
static void free_trees_keep_momentum(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 120; round++) {
        tr3_world *world = space_world((tr_method)(round % 3 == 2 ? TR_SMALL_STEP : TR_SOFT_STEP), still, 1);
        tr3_body bodies[8];
        uint32_t count = 2 + random_index(&seed, 7);
        for (uint32_t i = 0; i < count; i++) {
            tr_vec3 inertia = {0.25f + 0.1f * space_random(&seed), 0.25f + 0.1f * space_random(&seed), 0.28f};
            tr_dvec3 at = {(double)i, 0.3 * (double)space_random(&seed), 0.3 * (double)space_random(&seed)};
            bodies[i] = space_body(world, TR_DYNAMIC, at, 1.0f + 0.5f * space_random(&seed), inertia);
            tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v, w));
        }
        for (uint32_t i = 1; i < count; i++) {
            tr3_joint_type type =
                (tr3_joint_type)(round % 6 < 5 ? (uint32_t)round % 6 : random_index(&seed, TR3_JOINT_SCREW));
            if (round >= 60)
                type = (tr3_joint_type)(round < 105 ? TR3_JOINT_SCREW + (uint32_t)round / 15 % 3
                                                    : random_index(&seed, TR3_JOINT_TYPE_COUNT));
            const bool carried = type == TR3_JOINT_GEAR || type == TR3_JOINT_PULLEY;
            if (carried && i < 2)
                type = TR3_JOINT_BALL;
            tr_vec3 axis = {space_random(&seed), space_random(&seed), 1.0f};
            /* long levers between light bodies are too much for the small step, and for a thread, which is solved apart
               from the other rows of its screw */
            uint32_t neighbour = i - 1 - (i > 1 ? random_index(&seed, 2) : 0);
            uint32_t from = round % 3 == 2 || type == TR3_JOINT_SCREW ? neighbour : random_index(&seed, i);
            tr3_body a = bodies[from];
            tr_dvec3 at = {(double)i - 0.5, 0.2, 0.0}, other = {(double)i, 0.1, 0.1};
            tr3_joint_def def;
            SPACE_OK(tr3_joint_def_between(world, type, a, bodies[i], type == TR3_JOINT_DISTANCE ? other : at, at, axis,
                                           &def));
            if (carried && i >= 2) {
                def.carrier_a = def.carrier_b = bodies[from == 0 ? 1 : from - 1];
                def.slides_a = def.slides_b = type == TR3_JOINT_GEAR;
                if (type == TR3_JOINT_PULLEY)
                    def.ground_a = (tr_dvec3){0.2, 0.1, 0.0}, def.ground_b = (tr_dvec3){-0.2, 0.1, 0.1};
                SPACE_OK(tr3_joint_def_initialize(world, &def, at, other, axis));
            }
            /* a slider that is 30 m out is a lever that one pass per sub-step does not solve */
            for (uint32_t k = 0; k < space_slides(type) && type != TR3_JOINT_GENERAL; k++)
                tr3_def_set_features(&def, k, (tr3_features){.limit = {true, -1.0f, 1.0f}});
            space_joint(world, &def);
        }
        tr3_measures begin = tr3_world_measure(world);
        run(world, TRIALS(600) / 60.0, 60, 4);
        tr3_measures end = tr3_world_measure(world);
        double moved = space_length(space_minus(end.momentum, begin.momentum));
        double turned = space_length(space_minus(end.angular_momentum, begin.angular_momentum));
        if (moved > 2e-4 || turned > 2e-3 * (1.0 + space_length(begin.angular_momentum)) ||
            end.kinetic_energy > begin.kinetic_energy * 1.01)
            fail_msg("round %d, %u bodies: momentum off by %g, angular momentum by %g of %g; energy %g of %g", round,
                     count, moved, turned, space_length(begin.angular_momentum), end.kinetic_energy,
                     begin.kinetic_energy);
        tr3_world_destroy(world);
    }
}

/* a weight on each type of joint that can carry it: force and torque of statics on B at the anchor */
static void reactions_carry_a_weight(void **state)
{
    (void)state;
    static const tr3_joint_type types[] = {TR3_JOINT_BALL, TR3_JOINT_HINGE, TR3_JOINT_WELD, TR3_JOINT_DISTANCE};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
        tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
        /* hung below the joint, but for the weld, which holds it out */
        bool held = types[i] == TR3_JOINT_WELD;
        tr_dvec3 at = {held ? 1.0 : 0.0, held ? 0.0 : -1.0, 0.0}, pin = {0.0, 0.0, 0.0};
        tr3_body weight = space_body(world, TR_DYNAMIC, at, 2.0f, unit);
        tr3_joint_def def;
        SPACE_OK(tr3_joint_def_between(world, types[i], post, weight, pin, types[i] == TR3_JOINT_DISTANCE ? at : pin,
                                       z_axis, &def));
        tr3_joint joint = space_joint(world, &def);
        run(world, 3.0, 60, 4);
        tr3_reaction r;
        SPACE_OK(tr3_joint_reaction(world, joint, &r));
        if (near_to((double)r.force.y, 2.0 * 9.81) > 0.02 || fabs((double)r.force.x) > 0.02 ||
            fabs((double)r.force.z) > 0.02)
            fail_msg("%s: force %g, %g, %g", tr3_joint_type_name(types[i]), (double)r.force.x, (double)r.force.y,
                     (double)r.force.z);
        /* about the anchor the weight, at 1 m, has the moment -m g about z, which the weld balances */
        double torque = held ? 2.0 * 9.81 : 0.0;
        if (near_to((double)r.torque.z, torque) > 0.05 || fabs((double)r.torque.x) > 0.05 ||
            fabs((double)r.torque.y) > 0.05)
            fail_msg("%s: torque %g, %g, %g", tr3_joint_type_name(types[i]), (double)r.torque.x, (double)r.torque.y,
                     (double)r.torque.z);
        tr_joint_error_value error;
        SPACE_OK(tr3_joint_error(world, joint, &error));
        assert_true(error.linear < 2e-3f && error.angular < 2e-3f);
        tr3_world_destroy(world);
    }
}

/* a slider along a slope of 30 degrees: what is across it carries m g cos, a limit m g sin along it */
static void a_slider_carries_across_and_its_limit_along(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body weight = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 2.0f, unit);
    tr_vec3 slope = {0.8660254f, 0.5f, 0.0f};
    tr3_joint_def def = space_between(world, TR3_JOINT_SLIDER, post, weight, (tr_dvec3){0.0, 0.0, 0.0}, slope);
    def.limit = (tr_limit){true, -0.5f, 0.5f};
    tr3_joint joint = space_joint(world, &def);
    run(world, 3.0, 60, 4);
    tr3_reaction r;
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_reaction(world, joint, &r));
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    assert_true(near_to((double)at.value, -0.5) < 2e-3);
    assert_true(near_to((double)r.lower, 2.0 * 9.81 * 0.5) < 0.02);
    assert_true(near_to((double)r.force.y, 2.0 * 9.81) < 0.02 && fabs((double)r.force.x) < 0.02);
    tr3_world_destroy(world);
}

/* a motor of a hinge: its speed, its torque while it accelerates, and the angle over many turns */
static void a_hinge_motor_turns_and_counts_turns(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body wheel = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){0.5f, 0.5f, 0.8f});
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, post, wheel, (tr_dvec3){0.0, 0.0, 0.0}, z_axis);
    def.motor = (tr_motor){true, 20.0f, 4.0f};
    tr3_joint joint = space_joint(world, &def);
    run(world, 1.0, 60, 4);
    tr3_reaction r;
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_reaction(world, joint, &r));
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    /* torque 4 N m on 0.8 kg m^2: 5 rad/s^2 */
    assert_true(near_to((double)r.motor, 4.0) < 1e-3 && near_to((double)r.torque.z, 4.0) < 1e-3);
    assert_true(near_to((double)at.rate, 5.0) < 0.01 && near_to((double)at.value, 2.5) < 0.05);
    run(world, 9.0, 60, 4);
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    /* 4 s to full speed, 40 rad; 6 s at it, 120 rad: 25 turns */
    print_message("angle %g rad, rate %g rad/s\n", (double)at.value, (double)at.rate);
    assert_true(near_to((double)at.value, 160.0) < 0.5 && near_to((double)at.rate, 20.0) < 0.01);
    tr3_world_destroy(world);
}

/* limits of a hinge hold a bar that falls against them, friction holds one that it can */
static void hinge_limits_and_friction_hold(void **state)
{
    (void)state;
    for (int friction = 0; friction < 2; friction++) {
        tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
        tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
        tr3_body bar = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, (tr_vec3){0.01f, 0.2f, 0.2f});
        tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, post, bar, (tr_dvec3){0.0, 0.0, 0.0}, z_axis);
        if (friction == 0)
            def.limit = (tr_limit){true, -0.5f, 0.5f};
        else
            def.friction = 15.0f; /* more than m g 0.5 m = 9.81 N m */
        tr3_joint joint = space_joint(world, &def);
        run(world, 5.0, 60, 4);
        tr3_reaction r;
        tr_joint_coordinate_value at;
        SPACE_OK(tr3_joint_reaction(world, joint, &r));
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        double angle = friction == 0 ? -0.5 : 0.0;
        print_message("angle %g, lower %g, friction %g\n", (double)at.value, (double)r.lower, (double)r.friction);
        assert_true(near_to((double)at.value, angle) < 5e-3);
        assert_true(near_to((double)(friction == 0 ? r.lower : r.friction), 9.81 * cos(angle)) < 0.1);
        tr3_world_destroy(world);
    }
}

/* period of a small spring on a hinge, and of a pendulum, in the limit of small steps */
static void a_hinge_spring_swings_at_its_period(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body disc = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){0.3f, 0.3f, 0.5f});
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, post, disc, (tr_dvec3){0.0, 0.0, 0.0}, z_axis);
    def.spring = (tr_spring){true, 0.0f, tr_physical(20.0f, 0.0f)};
    tr3_joint joint = space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, disc, still, (tr_vec3){0.0f, 0.0f, 0.5f}));
    const double period = 2.0 * 3.14159265358979 * sqrt(0.5 / 20.0);
    double last = 0.0, time = 0.0;
    int crossings = 0;
    for (int step = 1; step <= 4000 && crossings < 4; step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 1000.0, 4));
        tr_joint_coordinate_value at;
        SPACE_OK(tr3_joint_coordinate(world, joint, &at));
        if (step > 1 && ((double)at.value > 0.0) != (last > 0.0)) {
            crossings++;
            time = step / 1000.0 - (double)at.value / ((double)at.value - last) / 1000.0;
        }
        last = (double)at.value;
    }
    print_message("two periods %g s, exactly %g\n", time, 2.0 * period);
    assert_true(near_to(time, 2.0 * period) < 2e-3 * period);
    tr3_world_destroy(world);
}

/* a limb that falls: its axis stays within the cone, and it does not twist further than it may */
static void a_ball_keeps_its_cone_and_twist(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){2.0f, -9.81f, 3.0f}, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body limb = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, (tr_vec3){0.01f, 0.2f, 0.2f});
    tr3_joint_def def = space_between(world, TR3_JOINT_BALL, post, limb, (tr_dvec3){0.0, 0.0, 0.0}, x_axis);
    def.cone_angle = 0.4f;
    def.twist = (tr_limit){true, -0.2f, 0.3f};
    tr3_joint joint = space_joint(world, &def);
    double most = 0.0;
    for (int step = 0; step < 600; step++) {
        SPACE_OK(tr3_body_apply_torque(world, limb, (tr_vec3){0.5f, 0.0f, 0.0f}));
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        tr_joint_error_value error;
        SPACE_OK(tr3_joint_error(world, joint, &error));
        most = fmax(most, (double)error.angular);
    }
    tr_joint_error_value error;
    tr3_reaction r;
    SPACE_OK(tr3_joint_error(world, joint, &error));
    SPACE_OK(tr3_joint_reaction(world, joint, &r));
    print_message("beyond the limits by at most %g rad, in the end by %g; upper %g N m\n", most, (double)error.angular,
                  (double)r.upper);
    assert_true(error.angular < 0.01f && most < 0.2);
    assert_true(r.upper < -1.0f);
    tr3_world_destroy(world);
}

/* a rope is slack until it is taut, and a rod keeps its length */
static void ropes_pull_and_rods_hold(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body weight = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -1.0, 0.0}, 2.0f, unit);
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_DISTANCE);
    def.body_a = post;
    def.body_b = weight;
    tr3_joint_def_make_rope(&def, 3.0f);
    tr3_joint rope = space_joint(world, &def);
    tr3_reaction r;
    run(world, 0.3, 60, 4);
    SPACE_OK(tr3_joint_reaction(world, rope, &r));
    assert_true(space_length((tr_dvec3){(double)r.force.x, (double)r.force.y, (double)r.force.z}) < 1e-6);
    run(world, 4.0, 60, 4);
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_reaction(world, rope, &r));
    SPACE_OK(tr3_joint_coordinate(world, rope, &at));
    assert_true(near_to((double)at.value, 3.0) < 5e-3);
    assert_true(near_to((double)r.force.y, 2.0 * 9.81) < 0.05 && near_to((double)r.upper, -2.0 * 9.81) < 0.05);
    tr3_world_destroy(world);
}

/* a joint that carries too much tells it, and breaks */
static void overloaded_joints_tell_and_break(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    tr3_body weight = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -1.0, 0.0}, 2.0f, unit);
    tr3_joint_def def = space_between(world, TR3_JOINT_BALL, post, weight, (tr_dvec3){0.0, 0.0, 0.0}, x_axis);
    def.event_at.force = 10.0f;
    def.break_at.force = 15.0f;
    def.user_data = 42;
    tr3_joint joint = space_joint(world, &def);
    SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    tr3_event_view events = tr3_world_events(world);
    assert_int_equal(events.count, 2);
    assert_int_equal(events.event[0].kind, TR_EVENT_THRESHOLD);
    assert_int_equal(events.event[1].kind, TR_EVENT_BROKEN);
    assert_true(events.event[1].user_data == 42);
    assert_true(near_to((double)events.event[1].reaction.force.y, 2.0 * 9.81) < 1.0);
    assert_false(tr3_joint_is_valid(world, joint));
    tr3_world_destroy(world);
}

/* without a cone the axes pass through opposite directions, where there is no twist: limits of it add no energy */
static void a_twist_limit_adds_no_energy(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int round = 0; round < 20; round++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body post = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
        tr3_body arm = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 1.0f, (tr_vec3){0.1f, 0.12f, 0.14f});
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, post, arm, (tr_dvec3){0.0, 0.0, 0.0}, x_axis);
        def.twist = (tr_limit){true, -0.3f, 0.5f};
        space_joint(world, &def);
        tr_vec3 w = {6.0f * space_random(&seed), 6.0f * space_random(&seed), 6.0f * space_random(&seed)};
        tr_vec3 v = {0.0f, 0.5f * w.z, -0.5f * w.y};
        SPACE_OK(tr3_body_set_velocity(world, arm, v, w));
        double begin = tr3_world_measure(world).kinetic_energy;
        for (int step = 0; step < 600; step++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            tr3_measures m = tr3_world_measure(world);
            if (m.kinetic_energy > 1.02 * begin || m.joint_error_max > 0.02)
                fail_msg("round %d, step %d: energy %g of %g, error %g m", round, step, m.kinetic_energy, begin,
                         m.joint_error_max);
        }
        tr3_world_destroy(world);
    }
}

/* every type of joint with every feature, chains that are alike, a hub, and sheets */
static tr3_world *zoo(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, down, threads);
    step_on_all_threads(world);
    SPACE_OK(make_space(world, 12, SPACE_COMMON));
    SPACE_OK(make_space(world, 4, SPACE_FRAMED));
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    /* chains that are alike: solved side by side */
    for (int i = 0; i < 64; i++) {
        tr3_body last = ground;
        for (int j = 0; j < 8; j++) {
            tr_dvec3 at = {2.0 * i, 20.0, 20.0 + j};
            tr3_body next =
                space_body(world, TR_DYNAMIC, (tr_dvec3){at.x, at.y, at.z + 0.5}, 1.0f, (tr_vec3){0.1f, 0.1f, 0.05f});
            tr3_joint_def def = space_between(world, TR3_JOINT_BALL, last, next, at, x_axis);
            space_joint(world, &def);
            last = next;
        }
    }
    /* a hub */
    tr3_body hub = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 40.0, 0.0}, 50.0f, (tr_vec3){30.0f, 30.0f, 30.0f});
    tr3_joint_def pin = space_between(world, TR3_JOINT_BALL, ground, hub, (tr_dvec3){0.0, 40.0, 0.0}, x_axis);
    space_joint(world, &pin);
    for (int i = 0; i < 100; i++) {
        double angle = 0.0628 * i;
        tr_dvec3 at = {2.0 * cos(angle), 40.0, 2.0 * sin(angle)};
        tr3_body spoke =
            space_body(world, TR_DYNAMIC, (tr_dvec3){at.x, at.y - 0.5, at.z}, 0.5f, (tr_vec3){0.05f, 0.05f, 0.05f});
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, hub, spoke, at, x_axis);
        space_joint(world, &def);
    }
    /* a sheet, large enough for several units */
    enum { SIDE = 40 };
    static tr3_body sheet[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        sheet[i] = space_body(world, y == 0 ? TR_STATIC : TR_DYNAMIC, (tr_dvec3){x, -5.0 - y, -30.0}, 1.0f,
                              (tr_vec3){0.4f, 0.4f, 0.4f});
        for (int k = 0; k < 2; k++) {
            if (k == 0 ? x == 0 : y == 0)
                continue;
            tr_dvec3 at = {x - (k == 0 ? 0.5 : 0.0), -5.0 - y + (k == 1 ? 0.5 : 0.0), -30.0};
            tr3_joint_def def =
                space_between(world, TR3_JOINT_BALL, sheet[k == 0 ? i - 1 : i - SIDE], sheet[i], at, x_axis);
            space_joint(world, &def);
        }
    }
    return world;
}

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    space_same_bits(zoo, (int)TRIALS(30), (int)TRIALS(3));
}

/* what lies side by side in tiles, what is in several units, and the hub: joints stay together */
static void the_zoo_holds_together(void **state)
{
    (void)state;
    tr3_world *world = zoo(TR_SOFT_STEP, 2);
    run(world, 3.0, 60, 4);
    tr_statistics s = tr3_world_statistics(world);
    tr3_measures m = tr3_world_measure(world);
    print_message("%u joints, %u units, %u tiled, %u split bodies; rms %.2g m, worst %.2g m, %.2g rad\n", s.joints,
                  s.clusters, s.interleaved_clusters, s.split_bodies, m.joint_error_rms, m.joint_error_max,
                  m.joint_angle_error_max);
    assert_true(s.interleaved_clusters > 0 && s.split_bodies == 1 && s.clusters > 1);
    assert_true(m.joint_error_rms < 0.01 && m.joint_error_max < 0.1);
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_trees_keep_momentum),
        cmocka_unit_test(reactions_carry_a_weight),
        cmocka_unit_test(a_slider_carries_across_and_its_limit_along),
        cmocka_unit_test(a_hinge_motor_turns_and_counts_turns),
        cmocka_unit_test(hinge_limits_and_friction_hold),
        cmocka_unit_test(a_hinge_spring_swings_at_its_period),
        cmocka_unit_test(a_ball_keeps_its_cone_and_twist),
        cmocka_unit_test(ropes_pull_and_rods_hold),
        cmocka_unit_test(a_twist_limit_adds_no_energy),
        cmocka_unit_test(overloaded_joints_tell_and_break),
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(the_zoo_holds_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
