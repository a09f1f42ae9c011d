/* The coordinates of a ball: springs and motors of twist and swing, and what is said of them. */
#define TR_DIMENSION 3

#include "all_threads.h"
#include "base/angle.h"
#include "solver/space/geometry.h"
#include "space_ball.h"
#include "space_bits.h"
#include "space_features.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f};
static const tr_vec3 unit = {1.0f, 1.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static void run(tr3_world *world, int steps)
{
    for (int i = 0; i < steps; i++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
}

static void turn(const bench *it, tr3_dquat q)
{
    SPACE_OK(tr3_body_set_transform(it->world, it->b, origin, tr3_narrow_quat(tr3_normalised(q))));
}

static tr3_dquat rotation_by(tr_dvec3 v)
{
    const double angle = sqrt(tr3_dot(v, v)), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    return (tr3_dquat){s * v.x, s * v.y, s * v.z, cos(0.5 * angle)};
}

/* the twist first, then the swing */
static tr3_dquat rotation_of(double twist, double y, double z)
{
    return tr3_compose(rotation_by((tr_dvec3){0.0, y, z}), rotation_by((tr_dvec3){twist, 0.0, 0.0}));
}

static void coordinates_are_twist_and_swing(void **state)
{
    (void)state;
    bench it = bench_of(TR_SOFT_STEP, unit, true);
    tr3_joint joint = space_joint(it.world, &it.def);
    uint64_t seed = 3;
    for (int round = 0; round < 500; round++) {
        const double twist = 3.1 * (double)space_random(&seed), y = 2.0 * (double)space_random(&seed);
        const double z = 2.0 * (double)space_random(&seed);
        turn(&it, rotation_of(twist, y, z));
        near_to("value", 0, coordinate(it.world, joint, 0), twist, 1e-5);
        near_to("value", 1, coordinate(it.world, joint, 1), y, 1e-5);
        near_to("value", 2, coordinate(it.world, joint, 2), z, 1e-5);
    }
    tr3_world_destroy(it.world);
}

/* small ones of 2 Hz with a damping ratio of 0.1: two damped periods, and what is left after each */
static void springs_swing_at_their_frequency(void **state)
{
    (void)state;
    const double f = 2.0, ratio = 0.1, period = 1.0 / (f * sqrt(1.0 - ratio * ratio));
    for (uint32_t k = 0; k < 3; k++) {
        bench it = bench_of(TR_SOFT_STEP, (tr_vec3){0.3f, 0.4f, 0.5f}, true);
        tr3_def_set_features(&it.def, k, (tr3_features){.spring = {true, 0.0f, tr_frequency((float)f, (float)ratio)}});
        tr3_joint joint = space_joint(it.world, &it.def);
        SPACE_OK(tr3_body_set_velocity(it.world, it.b, still, tr3_narrow(tr3_times(0.5, it.axis[k]))));
        double last = 0.0, time = 0.0, most[2] = {0.0, 0.0};
        int crossings = 0;
        for (int step = 1; step <= 4000 && crossings < 4; step++) {
            SPACE_OK(tr3_world_step(it.world, 1.0 / 1000.0, 16));
            const double value = coordinate(it.world, joint, k);
            if (step > 1 && (value > 0.0) != (last > 0.0)) {
                crossings++;
                time = step / 1000.0 - value / (value - last) / 1000.0;
            }
            if (crossings % 2 == 0 && crossings < 4)
                most[crossings / 2] = fmax(most[crossings / 2], value);
            last = value;
        }
        near_to("two periods", k, time, 2.0 * period, 2e-3 * period);
        near_to("decay", k, most[1] / most[0], exp(-TR_TURN * ratio / sqrt(1.0 - ratio * ratio)), 5e-3);
        for (uint32_t i = 0; i < 3; i++)
            near_to("another", i, i == k ? 0.0 : coordinate(it.world, joint, i), 0.0, 1e-5);
        tr3_world_destroy(it.world);
    }
}

/* an arm that lies level on its springs sinks: k a = m g r cos a; a twist under a weight beside the axis does the same */
static void springs_sag_under_a_weight(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        bench it = bench_of(TR_SOFT_STEP, (tr_vec3){0.1f, 0.1f, 0.1f}, true);
        const tr_vec3 gravity = k == 1 ? (tr_vec3){0.0f, 0.0f, 9.81f} : down;
        SPACE_OK(tr3_world_set_gravity(it.world, gravity));
        /* from the anchor to the centre of mass */
        it.def.anchor_b = k == 0 ? (tr_vec3){0.0f, 0.0f, 0.5f} : (tr_vec3){-0.5f, 0.0f, 0.0f};
        SPACE_OK(tr3_body_set_transform(it.world, it.b,
                                        (tr_dvec3){-(double)it.def.anchor_b.x, 0.0, -(double)it.def.anchor_b.z},
                                        (tr_quat){0, 0, 0, 1}));
        for (uint32_t i = 0; i < 3; i++)
            tr3_def_set_features(&it.def, i, (tr3_features){.spring = {true, 0.0f, tr_physical(20.0f, 4.0f)}});
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 900);
        double a = 0.0;
        for (int i = 0; i < 100; i++)
            a = 2.0 * 9.81 * 0.5 * cos(a) / 20.0;
        /* about x an arm along -z sinks one way, about y and z one along x the other */
        near_to("sag", k, fabs(coordinate(it.world, joint, k)), a, 2e-3);
        tr3_world_destroy(it.world);
    }
}

/* from rest, and by every method: B comes to rest where it is to, whatever the moments */
static void springs_turn_to_a_target(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int round = 0; round < 10; round++) {
            bench it = bench_of((tr_method)method, (tr_vec3){0.3f, 0.4f, 0.5f}, round % 2 == 1);
            const double twist = 3.0 * (double)space_random(&seed), y = 1.6 * (double)space_random(&seed);
            const double z = 1.6 * (double)space_random(&seed);
            const tr3_dquat target = rotation_of(twist, y, z);
            /* as the reference is: B seen from A */
            tr3_transform a;
            SPACE_OK(tr3_body_get_transform(it.world, it.a, &a));
            const tr3_dquat from = tr3_conjugate(tr3_widen_quat(a.rotation));
            SPACE_OK(tr3_joint_def_set_target(&it.def, tr3_narrow_quat(tr3_compose(from, target))));
            near_to("target", 0, (double)it.def.spring.target, twist, 1e-5);
            near_to("target", 1, (double)it.def.second.spring.target, y, 1e-5);
            near_to("target", 2, (double)it.def.third.spring.target, z, 1e-5);
            it.def.spring.enable = it.def.second.spring.enable = it.def.third.spring.enable = true;
            it.def.spring.softness = it.def.second.spring.softness = it.def.third.spring.softness =
                tr_frequency(1.0f, 1.0f);
            tr3_joint joint = space_joint(it.world, &it.def);
            run(it.world, 300);
            near_to("rest", 0, coordinate(it.world, joint, 0), twist, 2e-3);
            near_to("rest", 1, coordinate(it.world, joint, 1), y, 2e-3);
            near_to("rest", 2, coordinate(it.world, joint, 2), z, 2e-3);
            tr3_transform b;
            SPACE_OK(tr3_body_get_transform(it.world, it.b, &b));
            const tr3_dquat off = tr3_compose(tr3_conjugate(target), tr3_widen_quat(b.rotation));
            near_to("rotation", 0, sqrt(off.x * off.x + off.y * off.y + off.z * off.z), 0.0, 2e-3);
            tr3_world_destroy(it.world);
        }
    }
}

/* held back by more than it may, a spring with bounds gives way with what is over */
static void bounded_springs_give_way(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        bench it = bench_of(TR_SOFT_STEP, (tr_vec3){0.5f, 0.5f, 0.5f}, true);
        tr3_def_set_features(
            &it.def, k,
            (tr3_features){.spring = {true, 0.0f, tr_frequency(20.0f, 1.0f)}, .spring_force = {-2.0f, 2.0f}});
        tr3_joint joint = space_joint(it.world, &it.def);
        for (int i = 0; i < 24; i++) {
            SPACE_OK(tr3_body_apply_torque(it.world, it.b, tr3_narrow(tr3_times(i < 12 ? 1.9 : 3.0, it.axis[k]))));
            run(it.world, 1);
            if (i == 11)
                near_to("held", k, coordinate(it.world, joint, k), 1.9 / (0.5 * 4.0 * 9.8696 * 400.0), 1e-3);
        }
        tr_joint_coordinate_value at;
        SPACE_OK(tr3_joint_coordinate_of(it.world, joint, k, &at));
        near_to("rate", k, (double)at.rate, 0.2 * (3.0 - 2.0) / 0.5, 2e-2);
        tr3_world_destroy(it.world);
    }
}

/* a motor's speed is reached with its greatest torque, and kept through all turns, also through where axes are opposite;
   more than its torque turns it back */
static void motors_turn_at_their_speed(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (uint32_t k = 0; k < 3; k++) {
            bench it = bench_of((tr_method)method, (tr_vec3){0.5f, 0.5f, 0.5f}, true);
            tr3_def_set_features(&it.def, k, (tr3_features){.motor = {true, 2.0f, 1.5f}});
            tr3_joint joint = space_joint(it.world, &it.def);
            tr_vec3 v, w;
            run(it.world, 12);
            SPACE_OK(tr3_body_get_velocity(it.world, it.b, &v, &w));
            near_to("rate", k, tr3_dot(tr3_widen(w), it.axis[k]), 0.2 * 1.5 / 0.5, 1e-3);
            for (int i = 0; i < 600; i++) {
                run(it.world, 1);
                SPACE_OK(tr3_body_get_velocity(it.world, it.b, &v, &w));
                near_to("size", k, sqrt(tr3_dot(tr3_widen(w), tr3_widen(w))), fmin(2.0, (0.2 + (i + 1) / 60.0) * 3.0),
                        2e-3);
            }
            near_to("speed", k, tr3_dot(tr3_widen(w), it.axis[k]), 2.0, 2e-3);
            for (int i = 0; i < 12; i++) {
                SPACE_OK(tr3_body_apply_torque(it.world, it.b, tr3_narrow(tr3_times(-2.5, it.axis[k]))));
                run(it.world, 1);
            }
            SPACE_OK(tr3_body_get_velocity(it.world, it.b, &v, &w));
            near_to("overcome", k, tr3_dot(tr3_widen(w), it.axis[k]), 2.0 - 0.2 * (2.5 - 1.5) / 0.5, 5e-3);
            tr3_reaction r;
            SPACE_OK(tr3_joint_reaction(it.world, joint, &r));
            near_to("torque", k, tr3_dot(tr3_widen(r.torque), it.axis[k]), 1.5, 1e-3);
            if (k == 0)
                near_to("motor", k, (double)r.motor, 1.5, 1e-3);
            tr3_world_destroy(it.world);
        }
    }
}

/*
 * The torque of the kernels at any twist and swing is the gradient of the energy that is measured, and what the reaction
 * says. Nearer to opposite axes than 0.2 rad the rows are shortened.
 */
static void torques_are_gradients_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        bench it = bench_of(TR_SOFT_STEP, (tr_vec3){0.5f, 0.6f, 0.7f}, true);
        for (uint32_t k = 0; k < 3; k++)
            tr3_def_set_features(
                &it.def, k,
                (tr3_features){.spring = {true, 0.5f * space_random(&seed), tr_physical(10.0f + (float)k, 0.0f)}});
        if (round % 2 == 0) /* the direction across is then any */
            it.def.axis_2 = still;
        tr3_joint joint = space_joint(it.world, &it.def);
        const double swing = 2.9 * fabs((double)space_random(&seed)), way = 3.2 * (double)space_random(&seed);
        const tr3_dquat q = rotation_of(2.0 * (double)space_random(&seed), swing * cos(way), swing * sin(way));
        double gradient[3], size = 0.0;
        for (int k = 0; k < 3; k++) {
            const double e = 1e-3;
            double energy[2];
            for (int side = 0; side < 2; side++) {
                turn(&it, tr3_compose(rotation_by(tr3_times(side == 0 ? -e : e, it.axis[k])), q));
                energy[side] = tr3_world_measure(it.world).potential_energy;
            }
            gradient[k] = (energy[1] - energy[0]) / (2.0 * e);
            size = fmax(size, fabs(gradient[k]));
        }
        turn(&it, q);
        const double time = 1e-4;
        SPACE_OK(tr3_world_step(it.world, time, 1));
        tr3_reaction r;
        SPACE_OK(tr3_joint_reaction(it.world, joint, &r));
        const double torque[3] = {(double)r.torque.x, (double)r.torque.y, (double)r.torque.z};
        for (int k = 0; k < 3; k++)
            if (!(fabs(torque[k] + gradient[k]) <= 0.01 * size + 1e-3))
                fail_msg("round %d, swing %g: torque %g about %d, the energy's gradient is %g of %g", round, swing,
                         torque[k], k, gradient[k], size);
        tr_vec3 v, w;
        SPACE_OK(tr3_body_get_velocity(it.world, it.b, &v, &w));
        tr3_measures m = tr3_world_measure(it.world);
        const double spin[3] = {m.angular_momentum.x, m.angular_momentum.y, m.angular_momentum.z};
        for (int k = 0; k < 3; k++)
            if (!(fabs(spin[k] / time - torque[k]) <= 2e-3 * size + 1e-3))
                fail_msg("round %d, swing %g: the body gets %g about %d, the reaction says %g", round, swing,
                         spin[k] / time, k, torque[k]);
        tr3_world_destroy(it.world);
    }
}

/* at a cone or a limit of the twist the reaction is the load, by every method, however far the axis leans */
static void reactions_are_the_load(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int kind = 0; kind < 3; kind++) {
            bench it = bench_of((tr_method)method, (tr_vec3){0.5f, 0.5f, 0.5f}, true);
            /* held by a cone: round, or elliptic; or by the twist, at a swing that springs keep */
            it.def.cone_angle = kind == 2 ? it.def.cone_angle : 0.9f;
            it.def.cone_angle_2 = kind == 1 ? 0.5f : 0.0f;
            for (uint32_t k = 0; k < 3; k++)
                tr3_def_set_features(&it.def, k,
                                     (tr3_features){.spring = {kind == 2 ? k > 0 : k == 0, k == 1 ? 1.2f : 0.0f,
                                                               tr_physical(60.0f, 12.0f)}});
            it.def.twist = (tr_limit){kind == 2, -0.1f, 0.1f};
            tr3_joint joint = space_joint(it.world, &it.def);
            const tr_vec3 load = kind == 2 ? (tr_vec3){3.0f, 0.0f, 0.0f} : (tr_vec3){0.0f, 2.0f, 1.0f};
            tr3_reaction r = {0};
            for (int i = 0; i < 600; i++) {
                SPACE_OK(tr3_body_apply_torque(it.world, it.b, load));
                /* the load is no gradient: what is left to move is braked */
                tr_vec3 v, w;
                SPACE_OK(tr3_body_get_velocity(it.world, it.b, &v, &w));
                SPACE_OK(tr3_body_apply_torque(it.world, it.b, (tr_vec3){-2.0f * w.x, -2.0f * w.y, -2.0f * w.z}));
                run(it.world, 1);
            }
            SPACE_OK(tr3_joint_reaction(it.world, joint, &r));
            /* a row taken for one of length 1 would be off by a fifth; methods that begin each sub-step anew by a little */
            const char *name = tr_method_name((tr_method)method);
            near_to(name, 0, (double)r.torque.x, -(double)load.x, 0.1);
            near_to(name, 1, (double)r.torque.y, -(double)load.y, 0.1);
            near_to(name, 2, (double)r.torque.z, -(double)load.z, 0.1);
            assert_true(r.upper < -1.0f);
            tr3_world_destroy(it.world);
        }
    }
}

/* two free bodies with everything on their ball: 5,000 steps keep momentum, and without motors energy does not grow */
static void free_pairs_keep_momentum(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (uint32_t round = 0; round < 12; round++) {
        const bool driven = round % 3 == 0;
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.1 * i, 0.0}, 1.0f + 0.5f * (float)i,
                                   (tr_vec3){0.25f, 0.3f, 0.35f});
            tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v, w));
        }
        tr_vec3 axis = {space_random(&seed), space_random(&seed), 1.0f};
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, bodies[0], bodies[1], (tr_dvec3){0.5, 0.0, 0.1}, axis);
        for (uint32_t k = 0; k < 3; k++)
            tr3_def_set_features(&def, k,
                                 (tr3_features){.spring = {true, 0.2f, tr_physical(5.0f, 0.1f)},
                                                .motor = {driven && k == round % 2, 0.5f, 0.5f}});
        def.cone_angle = 0.6f;
        def.cone_angle_2 = round % 2 == 0 ? 1.1f : 0.0f;
        def.twist = (tr_limit){true, -0.4f, 0.5f};
        def.friction = round % 4 == 0 ? 0.02f : 0.0f;
        space_joint(world, &def);
        const tr3_measures begin = tr3_world_measure(world);
        run(world, 10000);
        const tr3_measures end = tr3_world_measure(world);
        const double moved = space_length(space_minus(end.momentum, begin.momentum));
        const double turned = space_length(space_minus(end.angular_momentum, begin.angular_momentum));
        const double before = begin.kinetic_energy + begin.potential_energy;
        const double after = end.kinetic_energy + end.potential_energy;
        if (!(moved <= 5e-4) || !(turned <= 5e-3 * (1.0 + space_length(begin.angular_momentum))) ||
            (!driven && !(after <= 1.01 * before)))
            fail_msg("round %u: momentum off by %g, angular momentum by %g of %g; energy %g of %g", round, moved,
                     turned, space_length(begin.angular_momentum), after, before);
        tr3_world_destroy(world);
    }
}

/* an ellipse of nearly equal angles is the round cone, and one of equal angles has its bits */
static void a_round_ellipse_is_the_cone(void **state)
{
    (void)state;
    const float second[3] = {0.0f, 0.6f, 0.600001f};
    tr_dvec3 end[3];
    for (int i = 0; i < 3; i++) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){2.0f, -9.81f, 3.0f}, 1);
        tr3_body post = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body arm = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, (tr_vec3){0.01f, 0.2f, 0.2f});
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, post, arm, origin, (tr_vec3){1.0f, 0.0f, 0.0f});
        def.cone_angle = 0.6f;
        def.cone_angle_2 = second[i];
        def.friction = 0.2f;
        space_joint(world, &def);
        run(world, 120);
        tr3_transform at;
        SPACE_OK(tr3_body_get_transform(world, arm, &at));
        end[i] = at.position;
        tr3_world_destroy(world);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    assert_true(space_length(space_minus(end[2], end[0])) < 2e-3);
}

/* balls of all kinds side by side, so that lanes of one block differ */
static tr3_world *many(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, down, threads);
    step_on_all_threads(world);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    for (uint32_t i = 0; i < 60; i++) {
        tr3_body last = ground;
        for (uint32_t j = 0; j < 4; j++) {
            const tr_dvec3 at = {2.0 * i, 0.0, (double)j};
            tr3_body next = space_body(world, TR_DYNAMIC, (tr_dvec3){at.x, at.y, at.z + 0.5},
                                       1.0f + 0.1f * (float)(i % 5), (tr_vec3){0.1f, 0.12f, 0.05f});
            tr3_joint_def def = space_between(world, TR3_JOINT_BALL, last, next, at, (tr_vec3){0.0f, 0.0f, 1.0f});
            for (uint32_t k = 0; k < 3; k++)
                tr3_def_set_features(
                    &def, k,
                    (tr3_features){.spring = {(i + k + j) % 3 == 0, 0.2f, tr_frequency(2.0f, 0.3f)},
                                   .spring_force = {i % 4 == 0 ? -3.0f : 0.0f, i % 4 == 0 ? 3.0f : 0.0f},
                                   .motor = {(i + 2 * k + j) % 5 == 0, 0.5f, 1.0f}});
            if (i % 2 == 0)
                def.cone_angle = 0.5f;
            if (i % 4 < 2)
                def.cone_angle_2 = 0.9f;
            if (i % 7 == 0)
                def.axis_2 = (tr_vec3){1.0f, 1.0f, 0.0f};
            if (i % 9 == 0)
                def.angular = tr_frequency(1.0f, 0.5f);
            if (i % 11 == 0)
                def.friction = 0.1f;
            space_joint(world, &def);
            last = next;
        }
    }
    return world;
}

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    space_same_bits(many, 60, 5);
}

static const float *impulse_of(const tr3_joint_view *view, const char *name)
{
    for (uint32_t i = 0; i < view->impulse_count; i++)
        if (strcmp(view->impulse_name[i], name) == 0)
            return view->impulse[i];
    fail_msg("there is no impulse %s", name);
    return NULL;
}

/* one feature that is switched off leaves no impulse, and the others stay */
static void what_is_switched_off_has_no_impulse(void **state)
{
    (void)state;
    static const char *const names[3][2] = {
        {"spring", "motor"}, {"second.spring", "second.motor"}, {"third.spring", "third.motor"}};
    for (uint32_t k = 0; k < 3; k++) {
        bench it = bench_of(TR_SOFT_STEP, unit, false);
        const tr3_features both = {.spring = {true, 1.0f, tr_frequency(1.0f, 1.0f)}, .motor = {true, 1.0f, 5.0f}};
        for (uint32_t i = 0; i < 3; i++)
            tr3_def_set_features(&it.def, i, both);
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 5);
        tr3_features f = both;
        f.spring.enable = false;
        tr3_def_set_features(&it.def, k, f);
        tr3_def_set_features(&it.def, (k + 1) % 3, (tr3_features){.spring = both.spring});
        SPACE_OK(tr3_joint_set(it.world, joint, &it.def));
        const tr3_joint_view view = tr3_world_joints(it.world, TR3_JOINT_BALL);
        assert_true(impulse_of(&view, names[k][0])[0] == 0.0f && impulse_of(&view, names[k][1])[0] != 0.0f);
        assert_true(impulse_of(&view, names[(k + 1) % 3][0])[0] != 0.0f);
        assert_true(impulse_of(&view, names[(k + 1) % 3][1])[0] == 0.0f);
        assert_true(impulse_of(&view, names[(k + 2) % 3][0])[0] != 0.0f);
        tr3_world_destroy(it.world);
    }
}

/* a second axis takes no room where nobody asked for one, and comes back as it was given */
static void definitions_come_back(void **state)
{
    (void)state;
    bench it = bench_of(TR_SOFT_STEP, unit, false);
    tr3_joint_def plain = space_between(it.world, TR3_JOINT_BALL, it.a, it.b, origin, (tr_vec3){0.0f, 2.0f, 0.0f});
    tr3_joint joint = space_joint(it.world, &plain);
    tr3_joint_view view = tr3_world_joints(it.world, TR3_JOINT_BALL);
    assert_null(view.field[TR3_FIELD_AXIS_2_X]);
    assert_null(view.field[TR3_FIELD_CONE_ANGLE_2]);
    assert_null(view.field[TR3_FIELD_SECOND_MOTOR_SPEED]);
    it.def.cone_angle = 0.5f;
    it.def.cone_angle_2 = 0.25f;
    it.def.third.motor = (tr_motor){true, 2.0f, 3.0f};
    it.def.second.spring = (tr_spring){true, 0.5f, tr_physical(4.0f, 1.0f)};
    it.def.second.spring_force = (tr_force_range){-1.0f, 2.0f};
    it.def.anchor_a = plain.anchor_a;
    SPACE_OK(tr3_joint_set(it.world, joint, &it.def));
    tr3_joint_def out;
    SPACE_OK(tr3_joint_get(it.world, joint, &out));
    assert_true(out.cone_angle_2 == 0.25f && out.third.motor.maximum == 3.0f && out.second.spring.softness.a == 4.0f);
    assert_true(out.second.spring_force.upper == 2.0f && out.axis_2.y == it.def.axis_2.y);
    SPACE_OK(tr3_joint_set_value(it.world, joint, TR3_FIELD_THIRD_MOTOR_SPEED, -1.0f));
    float speed = 0.0f;
    SPACE_OK(tr3_joint_get_value(it.world, joint, TR3_FIELD_THIRD_MOTOR_SPEED, &speed));
    assert_true(speed == -1.0f);
    assert_int_equal(tr3_joint_set_value(it.world, joint, TR3_FIELD_CONE_ANGLE, 0.0f), TR_ERROR_RANGE);
    assert_string_equal(tr3_world_last_error(it.world)->message,
                        "joint_set_value: cone_angle is 0, but cone_angle_2 is 0.25 rad: no ellipse");
    tr3_world_destroy(it.world);
}

static void targets_are_checked(void **state)
{
    (void)state;
    const tr_quat some = {0.0f, 0.0f, 0.5f, 1.0f};
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_BALL);
    assert_int_equal(tr3_joint_def_set_target(NULL, some), TR_ERROR_NULL);
    assert_int_equal(tr3_joint_def_set_target(&def, (tr_quat){0.0f, 0.0f, 0.0f, 0.0f}), TR_ERROR_ZERO);
    assert_int_equal(tr3_joint_def_set_target(&def, (tr_quat){NAN, 0.0f, 0.0f, 1.0f}), TR_ERROR_NAN);
    assert_int_equal(tr3_joint_def_set_target(&def, (tr_quat){0.0f, INFINITY, 0.0f, 1.0f}), TR_ERROR_INFINITE);
    def.axis_2 = def.axis;
    assert_int_equal(tr3_joint_def_set_target(&def, some), TR_ERROR_RANGE);
    def.axis = still;
    assert_int_equal(tr3_joint_def_set_target(&def, some), TR_ERROR_ZERO);
    assert_true(def.spring.target == 0.0f && def.third.spring.target == 0.0f);
    def = tr3_joint_def_default(TR3_JOINT_HINGE);
    assert_int_equal(tr3_joint_def_set_target(&def, some), TR_ERROR_RANGE);
    /* the axis turned to its opposite leans by half a turn some way */
    def = tr3_joint_def_default(TR3_JOINT_BALL);
    SPACE_OK(tr3_joint_def_set_target(&def, (tr_quat){0.0f, 0.0f, 1.0f, 0.0f}));
    near_to("swing", 1, hypot((double)def.second.spring.target, (double)def.third.spring.target), TR_PI, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_twist_and_swing),
        cmocka_unit_test(springs_swing_at_their_frequency),
        cmocka_unit_test(springs_sag_under_a_weight),
        cmocka_unit_test(springs_turn_to_a_target),
        cmocka_unit_test(bounded_springs_give_way),
        cmocka_unit_test(motors_turn_at_their_speed),
        cmocka_unit_test(torques_are_gradients_of_the_energy),
        cmocka_unit_test(reactions_are_the_load),
        cmocka_unit_test(free_pairs_keep_momentum),
        cmocka_unit_test(a_round_ellipse_is_the_cone),
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(what_is_switched_off_has_no_impulse),
        cmocka_unit_test(definitions_come_back),
        cmocka_unit_test(targets_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
