/* Inerters against the laws of rotors that turn with a joint. */
#define TR_DIMENSION 3

#include <stdlib.h>

#include "instrumented.h"
#include "solver/space/geometry.h"
#include "space.h"
#include "space_bits.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -10.0f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static void run(tr3_world *world, int steps)
{
    for (int step = 0; step < steps; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
}

static void near_to(const char *what, tr_method method, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s, %s: %.9g, not %.9g", what, tr_method_name(method), have, want);
}

static double rate(const tr3_world *world, tr3_joint joint)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate(world, joint, &at));
    return (double)at.rate;
}

static double speed(const tr3_world *world)
{
    return (double)tr3_world_joints(world, TR3_JOINT_INERTER).impulse[1][0];
}

static tr3_joint inerter(tr3_world *world, tr3_body a, tr3_body b, tr_dvec3 at, tr_vec3 axis, bool slides,
                         float inertance)
{
    tr3_joint_def def = space_between(world, TR3_JOINT_INERTER, a, b, at, axis);
    def.slides_b = slides;
    def.inertance = inertance;
    return space_joint(world, &def);
}

/* a wheel in a bearing, or a cart on a rail, with an inerter of two and a half times its inertia */
typedef struct bench {
    tr3_world *world;
    tr3_body body;
    tr3_joint joint, inerter;
} bench;

static bench bench_of(tr_method method, bool slides)
{
    bench it = {.world = space_world(method, still, 1)};
    tr3_body ground = space_body(it.world, TR_STATIC, origin, 1.0f, unit);
    it.body = space_body(it.world, TR_DYNAMIC, origin, 0.4f, (tr_vec3){0.4f, 0.4f, 0.4f});
    const tr3_joint_def def =
        space_between(it.world, slides ? TR3_JOINT_SLIDER : TR3_JOINT_HINGE, ground, it.body, origin, x_axis);
    it.joint = space_joint(it.world, &def);
    it.inerter = inerter(it.world, ground, it.body, origin, x_axis, slides, 1.0f);
    return it;
}

/* T = (I + b) q'', of every method, and the torque of the rotor is -b q'' */
static void a_constant_torque_accelerates_both(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++)
        for (int slides = 0; slides < 2; slides++) {
            bench it = bench_of(m, slides == 1);
            for (int step = 0; step < 60; step++) {
                SPACE_OK(slides == 1 ? tr3_body_apply_force_to_center(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f})
                                     : tr3_body_apply_torque(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f}));
                run(it.world, 1);
            }
            near_to("rate", m, rate(it.world, it.joint), 2.0, 2e-4);
            near_to("rotor", m, speed(it.world), 2.0, 2e-4);
            tr3_reaction r;
            SPACE_OK(tr3_joint_reaction(it.world, it.inerter, &r));
            near_to("its torque", m, (double)(slides == 1 ? r.force.x : r.torque.x), -2.0, 2e-3);
            near_to("its energy", m, tr3_world_measure(it.world).kinetic_energy, 0.5 * 1.4 * 4.0, 2e-3);
            tr3_world_destroy(it.world);
        }
}

/* the level of accelerations */
static void accelerations_are_those_of_both(void **state)
{
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        bench it = bench_of(TR_SOFT_STEP, slides == 1);
        SPACE_OK(slides == 1 ? tr3_body_apply_force_to_center(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f})
                             : tr3_body_apply_torque(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f}));
        tr3_acceleration out;
        tr3_exact_reaction force;
        tr_accelerations_report report;
        tr3_accelerations what = {&it.body, 1, &out, &it.inerter, 1, &force};
        SPACE_OK(tr3_world_accelerations(it.world, &what, NULL, &report));
        near_to("acceleration", TR_DIRECT, slides == 1 ? out.linear.x : out.angular.x, 2.0, 1e-6);
        near_to("reaction", TR_DIRECT, slides == 1 ? force.force.x : force.torque.x, -2.0, 1e-6);
        assert_true(report.error < 1e-9);
        tr3_world_destroy(it.world);
    }
}

/* an impulse on the body is shared: P = (I + b) q', and what sets the velocity sets the rotor's */
static void impulses_are_shared_and_velocities_set(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        bench it = bench_of(m, false);
        SPACE_OK(tr3_body_apply_angular_impulse(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f}));
        run(it.world, 2);
        near_to("after an impulse", m, rate(it.world, it.joint), 2.0, 2e-3);
        SPACE_OK(tr3_body_set_velocity(it.world, it.body, still, (tr_vec3){-3.0f, 0.0f, 0.0f}));
        near_to("rotor", m, speed(it.world), -3.0, 1e-6);
        run(it.world, 30);
        near_to("after a velocity", m, rate(it.world, it.joint), -3.0, 2e-3);
        /* off, the body turns alone; on, the rotor begins with its speed */
        SPACE_OK(tr3_joint_set_enabled(it.world, it.inerter, false));
        SPACE_OK(tr3_body_apply_angular_impulse(it.world, it.body, (tr_vec3){0.4f, 0.0f, 0.0f}));
        run(it.world, 2);
        near_to("off", m, rate(it.world, it.joint), -2.0, 2e-3);
        SPACE_OK(tr3_joint_set_enabled(it.world, it.inerter, true));
        run(it.world, 30);
        near_to("on", m, rate(it.world, it.joint), -2.0, 4e-3);
        tr3_world_destroy(it.world);
    }
}

/* what stops a body stops its rotor */
static void a_body_that_is_stopped_stops_the_rotor(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        bench it = bench_of(TR_SOFT_STEP, false);
        const tr_sleep_settings sleep = {.enable = true, .speed = 0.05f, .angular_speed = 0.05f, .time = 0.5f};
        SPACE_OK(tr3_world_set_sleep(it.world, &sleep));
        SPACE_OK(tr3_body_set_velocity(it.world, it.body, still, (tr_vec3){3.0f, 0.0f, 0.0f}));
        run(it.world, 10);
        if (how == 0) {
            SPACE_OK(tr3_body_set_awake(it.world, it.body, false));
            run(it.world, 2);
            bool awake = true;
            SPACE_OK(tr3_body_is_awake(it.world, it.body, &awake));
            assert_false(awake);
            SPACE_OK(tr3_body_set_awake(it.world, it.body, true));
        } else if (how == 1) {
            SPACE_OK(tr3_body_set_type(it.world, it.body, TR_STATIC));
            run(it.world, 2);
            SPACE_OK(tr3_body_set_type(it.world, it.body, TR_DYNAMIC));
        } else {
            SPACE_OK(tr3_body_set_enabled(it.world, it.body, false));
            SPACE_OK(tr3_body_set_velocity(it.world, it.body, still, still));
            SPACE_OK(tr3_body_set_enabled(it.world, it.body, true));
        }
        run(it.world, 10);
        near_to("stopped", TR_SOFT_STEP, rate(it.world, it.joint), 0.0, 1e-6);
        tr3_world_destroy(it.world);
    }
}

/* a rotor without inertance turns with the bodies, too, and so it does when it gets some */
static void inertance_may_come_later(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        bench it = bench_of(m, false);
        SPACE_OK(tr3_joint_set_value(it.world, it.inerter, TR3_FIELD_INERTANCE, 0.0f));
        SPACE_OK(tr3_body_apply_angular_impulse(it.world, it.body, (tr_vec3){1.2f, 0.0f, 0.0f}));
        run(it.world, 3);
        near_to("alone", m, rate(it.world, it.joint), 3.0, 2e-3);
        SPACE_OK(tr3_joint_set_value(it.world, it.inerter, TR3_FIELD_INERTANCE, 4.0f));
        run(it.world, 30);
        near_to("together", m, rate(it.world, it.joint), 3.0, 4e-3);
        assert_int_equal(tr3_joint_set_value(it.world, it.inerter, TR3_FIELD_INERTANCE, -1.0f), TR_ERROR_NEGATIVE);
        tr3_world_destroy(it.world);
    }
}

/* a rotor between bodies that move already turns with them from the first step */
static void it_begins_as_the_bodies_move(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        tr3_world *world = space_world(m, still, 1);
        tr3_body body[2];
        for (int i = 0; i < 2; i++) {
            body[i] = space_body(world, TR_DYNAMIC, origin, 1.0f, (tr_vec3){0.3f, 0.3f, 0.3f});
            SPACE_OK(tr3_body_set_velocity(world, body[i], still, (tr_vec3){0.0f, 0.0f, i == 0 ? 1.0f : 4.0f}));
        }
        const tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, body[0], body[1], origin, z_axis);
        tr3_joint hinge = space_joint(world, &def);
        (void)inerter(world, body[0], body[1], origin, z_axis, false, 5.0f);
        run(world, 60);
        near_to("rate", m, rate(world, hinge), 3.0, 1e-3);
        tr3_world_destroy(world);
    }
}

/* Where its axes are parallel, the rotor of an angle is coupled to nothing, and goes on as it was. */
static void it_goes_on_where_nothing_holds_it(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_DIRECT, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit),
             body = space_body(world, TR_DYNAMIC, origin, 1.0f, unit);
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_INERTER);
    def.body_a = ground;
    def.body_b = body;
    def.inertance = 2.0f;
    def.axis_b = (tr_vec3){0.0f, 1.0f, 0.0f};
    (void)space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, body, still, (tr_vec3){3.0f, 3.0f, 3.0f}));
    const double begun = speed(world);
    assert_true(fabs(begun) > 1.0);
    /* axis_b along the axis of A */
    const float half = sqrtf(0.5f);
    SPACE_OK(tr3_body_set_transform(world, body, origin,
                                    fabsf(def.axis.x) > 0.5f ? (tr_quat){0.0f, 0.0f, -half, half}
                                                             : (tr_quat){half, 0.0f, 0.0f, half}));
    SPACE_OK(tr3_body_set_velocity(world, body, still, still));
    run(world, 10);
    near_to("rotor", TR_DIRECT, speed(world), begun, 1e-6);
    tr3_world_destroy(world);
}

/* a pendulum with a rotor: T = 2 pi sqrt((I + b) / (m g l)), and its energy over 10,000 steps */
static void a_pendulum_swings_with_both_inertias(void **state)
{
    (void)state;
    const double first = 0.1, length = 0.5, mass = 2.0, own = 0.1, inertance = 0.8;
    for (size_t round = 0; round < 2; round++) {
        const tr_method m = round == 0 ? TR_SOFT_STEP : TR_DIRECT;
        tr3_world *world = space_world(m, down, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body bob = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -length, 0.0}, (float)mass,
                                  (tr_vec3){(float)own, (float)own, (float)own});
        tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, ground, bob, origin, z_axis);
        tr3_joint hinge = space_joint(world, &def);
        (void)inerter(world, ground, bob, origin, z_axis, false, (float)inertance);
        SPACE_OK(tr3_body_set_transform(world, bob, (tr_dvec3){length * sin(first), -length * cos(first), 0.0},
                                        (tr_quat){0.0f, 0.0f, (float)sin(0.5 * first), (float)cos(0.5 * first)}));
        tr_joint_coordinate_value at = {(float)first, 0.0f};
        double before = first, pass = 0.0, most = 0.0;
        int passes = 0, step = 0;
        for (; passes < 10 && step < 4000; step++) {
            run(world, 1);
            SPACE_OK(tr3_joint_coordinate(world, hinge, &at));
            if (before * (double)at.value <= 0.0) {
                passes++;
                pass = step + 1 - (double)at.value / ((double)at.value - before);
            }
            before = (double)at.value;
        }
        const double total = own + mass * length * length + inertance;
        const double period = 6.283185307 * sqrt(total / (mass * 10.0 * length)) * (1.0 + first * first / 16.0);
        near_to("period", m, pass / 60.0 / 4.75, period, m == TR_DIRECT ? 1e-4 * period : 3e-3 * period);
        /* above where it hangs */
        const double low = -mass * 10.0 * length, from = mass * 10.0 * length * (1.0 - cos(first));
        for (int left = m == TR_DIRECT ? TRIALS(2000) : TRIALS(10000); left > 0; left--) {
            run(world, 1);
            const tr3_measures now = tr3_world_measure(world);
            most = fmax(most, now.kinetic_energy + now.potential_energy - low);
            if (left == 1 && m == TR_DIRECT)
                near_to("energy", m, now.kinetic_energy + now.potential_energy - low, from, 0.01 * from);
        }
        near_to("greatest energy", m, most, from, 0.02 * from);
        tr3_world_destroy(world);
    }
}

/* free bodies on a slider that turns: the rotor takes and gives no momentum, and of energy none is lost by it */
static void a_free_pair_keeps_momenta(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        /* which makes velocities of positions, and keeps angular momentum less well */
        if (m == TR_POSITION_BASED)
            continue;
        tr3_world *world = space_world(m, still, 1);
        tr3_body body[2];
        for (int i = 0; i < 2; i++) {
            body[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){0.6 * i, 0.0, 0.0}, 1.0f + (float)i,
                                 (tr_vec3){0.4f, 0.4f, 0.4f});
            SPACE_OK(tr3_body_set_velocity(world, body[i], (tr_vec3){0.0f, 0.6f * (float)i, 0.0f},
                                           (tr_vec3){0.0f, 0.0f, 1.0f}));
        }
        tr3_joint_def def = space_between(world, TR3_JOINT_SLIDER, body[0], body[1], origin, x_axis);
        def.spring = (tr_spring){true, 0.0f, tr_physical(20.0f, 0.0f)};
        space_joint(world, &def);
        (void)inerter(world, body[0], body[1], origin, x_axis, true, 2.0f);
        run(world, 1);
        const tr3_measures begin = tr3_world_measure(world);
        const double energy = begin.kinetic_energy + begin.potential_energy;
        run(world, m == TR_DIRECT ? TRIALS(1500) : TRIALS(10000));
        const tr3_measures end = tr3_world_measure(world);
        near_to("momentum", m, space_length(space_minus(end.momentum, begin.momentum)), 0.0, 1e-4);
        near_to("angular momentum", m, space_length(space_minus(end.angular_momentum, begin.angular_momentum)), 0.0,
                2e-3 * space_length(begin.angular_momentum));
        if (m == TR_DIRECT)
            near_to("energy", m, end.kinetic_energy + end.potential_energy, energy, 1e-5 * energy);
        assert_true(end.kinetic_energy + end.potential_energy < 1.03 * energy);
        tr3_world_destroy(world);
    }
}

/* what goes on from a snapshot has the same bits, and the rotor's speed is in it */
static void snapshots_have_the_speed(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        bench it = bench_of(m, false);
        SPACE_OK(tr3_body_apply_angular_impulse(it.world, it.body, (tr_vec3){2.8f, 0.0f, 0.0f}));
        run(it.world, 3);
        size_t size = tr3_world_save_size(it.world);
        void *kept = malloc(size);
        assert_non_null(kept);
        SPACE_OK(tr3_world_save(it.world, kept, size, &size));
        run(it.world, 20);
        const uint64_t hash = tr3_world_state_hash(it.world);
        SPACE_OK(tr3_body_set_velocity(it.world, it.body, still, still));
        SPACE_OK(tr3_world_restore(it.world, kept, size));
        run(it.world, 20);
        assert_true(tr3_world_state_hash(it.world) == hash);
        free(kept);
        tr3_world_destroy(it.world);
    }
}

/* rows of bodies on hinges with rotors, and on circles with features */
static tr3_world *rows_of_both(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, down, threads);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    uint64_t seed = 3;
    for (int i = 0; i < 20; i++) {
        tr3_body last = ground;
        for (int k = 0; k < 4; k++) {
            const tr_dvec3 at = {(double)k + 0.5, 2.0 * i, 0.0}, foot = {(double)k, 2.0 * i, 0.0};
            tr3_body next = space_body(world, TR_DYNAMIC, at, 1.0f + 0.1f * (float)i, (tr_vec3){0.2f, 0.3f, 0.4f});
            tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, last, next, foot, z_axis);
            if ((i + k) % 3 == 0)
                SPACE_OK(tr3_joint_def_between(world, TR3_JOINT_CIRCLE, last, next, foot,
                                               (tr_dvec3){foot.x, foot.y + 0.3, 0.0}, z_axis, &def));
            if ((i + k) % 6 == 0) {
                def.motor = (tr_motor){true, space_random(&seed), 2.0f};
                def.limit = (tr_limit){true, -2.0f, 3.0f};
            }
            space_joint(world, &def);
            (void)inerter(world, last, next, at, k % 2 == 0 ? z_axis : x_axis, k % 2 == 1, 0.5f);
            last = next;
        }
    }
    return world;
}

static void all_sets_have_the_same_bits(void **state)
{
    (void)state;
    space_same_bits(rows_of_both, TRIALS(40), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_torque_accelerates_both),
        cmocka_unit_test(accelerations_are_those_of_both),
        cmocka_unit_test(impulses_are_shared_and_velocities_set),
        cmocka_unit_test(a_body_that_is_stopped_stops_the_rotor),
        cmocka_unit_test(inertance_may_come_later),
        cmocka_unit_test(it_begins_as_the_bodies_move),
        cmocka_unit_test(it_goes_on_where_nothing_holds_it),
        cmocka_unit_test(a_pendulum_swings_with_both_inertias),
        cmocka_unit_test(a_free_pair_keeps_momenta),
        cmocka_unit_test(snapshots_have_the_speed),
        cmocka_unit_test(all_sets_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
