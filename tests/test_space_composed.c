/* Joints in space that are made of others, as docs/joints/README.md says: wheels, constant velocity, a linear motor, a link. */
#define TR_DIMENSION 3

#include "instrumented.h"
#include "solver/space/geometry.h"
#include "space.h"
#include "space_features.h"

#ifdef TR_WITH_SCENES
#include "space_scene.h"
#endif

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static tr_joint_coordinate_value coordinate(const tr3_world *world, tr3_joint joint, uint32_t k)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate_of(world, joint, k, &at));
    return at;
}

static void near_to(const char *what, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s: %.9g, not %.9g", what, have, want);
}

#ifdef TR_WITH_SCENES

/* a general joint is a wheel: springs carry the carriage, m g/(4 k), steering holds its angle, motors their speed */
static void a_general_joint_is_a_wheel(void **state)
{
    (void)state;
    static const char *const names[] = {"front left", "front right", "rear left", "rear right"};
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_load(TR_SCENES_DIR "/space/joints/wheel.json", &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[16];
    assert_true(scene->joint_count <= 16);
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    for (int step = 0; step < 300; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    const double sinks = 2.4 * 0.3 * 0.9 * 150.0 * 9.81 / (4.0 * 8000.0);
    for (int i = 0; i < 4; i++) {
        const uint32_t index = tr3_scene_find_joint(scene, names[i]);
        assert_true(index != UINT32_MAX);
        near_to("suspension", (double)coordinate(world, joints[index], 0).value, sinks, 1e-3);
        near_to("steering", (double)coordinate(world, joints[index], 3).value, i < 2 ? 0.4 : 0.0, 1e-3);
        if (i >= 2)
            near_to("spin", (double)coordinate(world, joints[index], 5).rate, 10.0, 0.01);
        tr_joint_error_value off;
        SPACE_OK(tr3_joint_error(world, joints[index], &off));
        assert_true(off.linear < 1e-3f && off.angular < 1e-3f);
    }
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

/* two shafts at a bend of 0.5 rad, driven at 3 rad/s: behind a ball without twist evenly, behind a universal not */
static void a_scene_shows_constant_velocity(void **state)
{
    (void)state;
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_load(TR_SCENES_DIR "/space/joints/constant_velocity.json", &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[16];
    assert_true(scene->joint_count <= 16);
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    const uint32_t even = tr3_scene_find_joint(scene, "bearing"), uneven = tr3_scene_find_joint(scene, "rear bearing");
    assert_true(even != UINT32_MAX && uneven != UINT32_MAX);
    double off[2] = {0.0, 0.0};
    for (int step = 0; step < 300; step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        for (int k = 0; k < 2 && step >= 60; k++) {
            const tr3_joint joint = joints[k == 0 ? even : uneven];
            off[k] = fmax(off[k], fabs((double)coordinate(world, joint, 0).rate - 3.0));
        }
        assert_true(tr3_world_measure(world).joint_error_max < 2e-4);
    }
    near_to("off the driver's speed", off[0], 0.0, 0.01);
    near_to("of a universal", off[1], 3.0 / cos(0.5) - 3.0, 0.03);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

#endif

/* What docs/joints/README.md has without a type: general joints and balls, and what is free of them. */
typedef struct composed {
    const char *name;
    tr3_joint_type type;
    uint32_t count, free[TR3_COORDINATES], travels; /* travels: of the free ones, the first */
} composed;

static const composed all[] = {
    {"wheel", TR3_JOINT_GENERAL, 3, {0, 3, 5}, 1},
    {"wheel without steering", TR3_JOINT_GENERAL, 2, {0, 5}, 1},
    {"constant velocity", TR3_JOINT_BALL, 2, {1, 2}, 0},
    {"linear motor", TR3_JOINT_GENERAL, 6, {0, 1, 2, 3, 4, 5}, 3},
};

static tr3_joint_def composed_between(tr3_world *world, const composed *it, tr3_body a, tr3_body b, tr_dvec3 at,
                                      tr_vec3 axis)
{
    tr3_joint_def def = space_between(world, it->type, a, b, at, axis);
    for (uint32_t k = 0; k < it->count; k++) {
        tr3_features f = tr3_def_features(&def, it->free[k]);
        f.locked = false;
        tr3_def_set_features(&def, it->free[k], f);
    }
    if (it->type == TR3_JOINT_BALL) {
        def.twist = (tr_limit){true, 0.0f, 0.0f};
        def.cone_angle = 0.7f;
        def.cone_angle_2 = 0.5f;
        def.friction = 0.01f;
    }
    return def;
}

/* two free bodies, with springs, limits and friction on every free coordinate, for 10,000 steps; then with motors, too */
static void composed_pairs_keep_momentum_and_gain_no_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (uint32_t round = 0; round < 2 * sizeof all / sizeof all[0]; round++) {
        const composed *it = &all[round / 2];
        const bool driven = round % 2 == 1;
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.1 * i, 0.0}, 1.0f + 0.5f * (float)i,
                                   (tr_vec3){0.25f, 0.3f, 0.35f});
            const tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            const tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v, w));
        }
        tr3_joint_def def = composed_between(world, it, bodies[0], bodies[1], (tr_dvec3){0.5, 0.0, 0.1}, x_axis);
        for (uint32_t k = 0; k < it->count; k++) {
            tr3_features f = tr3_def_features(&def, it->free[k]);
            f.spring = (tr_spring){true, 0.1f, tr_physical(5.0f, 0.1f)};
            if (it->type == TR3_JOINT_GENERAL) {
                f.limit = (tr_limit){true, -0.4f, 0.5f};
                f.friction = 0.05f;
            }
            f.motor = (tr_motor){driven, 0.5f, 1.0f};
            tr3_def_set_features(&def, it->free[k], f);
        }
        space_joint(world, &def);
        const tr3_measures begin = tr3_world_measure(world);
        for (uint32_t step = 0; step < TRIALS(10000); step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        const tr3_measures end = tr3_world_measure(world);
        near_to(it->name, space_length(space_minus(end.momentum, begin.momentum)), 0.0, 5e-4);
        near_to(it->name, space_length(space_minus(end.angular_momentum, begin.angular_momentum)), 0.0,
                5e-3 * (1.0 + space_length(begin.angular_momentum)));
        const double before = begin.kinetic_energy + begin.potential_energy;
        if (!driven && !(end.kinetic_energy + end.potential_energy <= 1.01 * before))
            fail_msg("%s: energy %g of %g", it->name, end.kinetic_energy + end.potential_energy, before);
        tr3_world_destroy(world);
    }
}

/* its rate is the derivative of each free coordinate, along any motion that locked angles leave, by central differences */
static void rates_are_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (uint32_t round = 0; round < 50 * sizeof all / sizeof all[0]; round++) {
        const composed *it = &all[round % (sizeof all / sizeof all[0])];
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        tr3_transform at[2];
        tr_vec3 v[2], w[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.1 * i, 0.0}, 1.0f, unit);
            SPACE_OK(tr3_body_get_transform(world, bodies[i], &at[i]));
            v[i] = (tr_vec3){space_random(&seed), space_random(&seed), space_random(&seed)};
            w[i] = (tr_vec3){space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v[i], w[i]));
        }
        tr3_joint_def def = composed_between(world, it, bodies[0], bodies[1], (tr_dvec3){0.5, 0.0, 0.1}, x_axis);
        const tr3_joint joint = space_joint(world, &def);
        /* where a wheel may be: turned about its steering and its axle, and moved along its suspension */
        const double travel = 0.2 * (double)space_random(&seed);
        const bool steers = it->free[1] == 3 || it->count == TR3_COORDINATES;
        const double steered = steers ? 0.3 * (double)space_random(&seed) : 0.0;
        const tr3_dquat steer = tr3_normalised((tr3_dquat){steered, 0.0, 0.0, 1.0});
        const tr3_dquat spin = tr3_normalised((tr3_dquat){0.0, 0.0, (double)space_random(&seed), 1.0});
        const tr3_dquat bend =
            tr3_normalised((tr3_dquat){0.0, 0.2 * (double)space_random(&seed), 0.2 * (double)space_random(&seed), 1.0});
        const tr3_dquat turn = it->type == TR3_JOINT_GENERAL ? tr3_compose(steer, spin) : bend;
        const tr_dvec3 arm = tr3_turned(turn, tr3_widen(def.anchor_b));
        at[1].rotation = tr3_narrow_quat(turn);
        at[1].position = tr3_minus((tr_dvec3){0.5, 0.0, 0.1}, arm);
        at[1].position.x += it->type == TR3_JOINT_GENERAL ? travel : 0.0;
        /* along what locks leave: about the steering and about the axle */
        if (it->type == TR3_JOINT_GENERAL && it->count < TR3_COORDINATES) {
            const tr_dvec3 axle = tr3_turned(turn, (tr_dvec3){0.0, 0.0, 1.0});
            tr_dvec3 relative = tr3_times((double)space_random(&seed), axle);
            relative.x += steers ? (double)space_random(&seed) : 0.0;
            w[1] = tr3_narrow(tr3_plus(tr3_widen(w[0]), relative));
        }
        const double e = 1e-3;
        double value[2][TR3_COORDINATES];
        for (int side = 0; side < 3; side++) {
            const double h = side == 0 ? e : side == 1 ? -e : 0.0;
            for (int i = 0; i < 2; i++) {
                const tr_dvec3 moved = tr3_plus(at[i].position, tr3_times(h, tr3_widen(v[i])));
                const tr_dvec3 half = tr3_times(0.5 * h, tr3_widen(w[i]));
                const tr3_dquat by = tr3_normalised((tr3_dquat){half.x, half.y, half.z, 1.0});
                SPACE_OK(tr3_body_set_transform(world, bodies[i], moved,
                                                tr3_narrow_quat(tr3_compose(by, tr3_widen_quat(at[i].rotation)))));
                SPACE_OK(tr3_body_set_velocity(world, bodies[i], v[i], w[i]));
            }
            for (uint32_t k = 0; k < it->count; k++) {
                const tr_joint_coordinate_value now = coordinate(world, joint, it->free[k]);
                if (side < 2)
                    value[side][k] = (double)now.value;
                else /* values are floats of rotations in floats */
                    near_to(it->name, (value[0][k] - value[1][k]) / (2.0 * e), (double)now.rate, 1e-3);
            }
        }
        tr3_world_destroy(world);
    }
}

/*
 * Motor, spring, friction and limit on every free coordinate at once: at rest the motor's force is the spring's, but for
 * the friction, or the limit takes what is left.
 */
static void all_features_act_at_once(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 2 * sizeof all / sizeof all[0]; round++) {
        const composed *it = &all[round / 2];
        const bool stopped = round % 2 == 1, ball = it->type == TR3_JOINT_BALL;
        /* angles about axes across each other are small here, so that none tilts another's axis by much */
        const double push = 0.2, stiffness = 2.0, rub = 0.01, stop = 0.06;
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body body = space_body(world, TR_DYNAMIC, origin, 1.0f, (tr_vec3){0.1f, 0.1f, 0.1f});
        tr3_joint_def def = composed_between(world, it, ground, body, origin, x_axis);
        for (uint32_t k = 0; k < it->count; k++) {
            tr3_features f = tr3_def_features(&def, it->free[k]);
            f.motor = (tr_motor){true, 1.0f, (float)push};
            f.spring = (tr_spring){true, 0.0f, tr_physical((float)stiffness, 1.0f)};
            if (!ball) {
                f.friction = (float)rub;
                f.limit = (tr_limit){true, -1.0f, stopped ? (float)stop : 1.0f};
            }
            tr3_def_set_features(&def, it->free[k], f);
        }
        if (ball && stopped)
            def.cone_angle = def.cone_angle_2 = (float)(sqrt(2.0) * stop);
        const tr3_joint joint = space_joint(world, &def);
        for (int step = 0; step < 1200; step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        for (uint32_t k = 0; k < it->count; k++) {
            const tr_joint_coordinate_value at = coordinate(world, joint, it->free[k]);
            near_to(it->name, (double)at.rate, 0.0, 1e-4);
            near_to(it->name, (double)at.value, stopped ? stop : push / stiffness,
                    stopped ? 1e-3 : 1.1 * rub / stiffness + 0.05 * push / stiffness);
        }
        if (ball)
            near_to("twist", (double)coordinate(world, joint, 0).value, 0.0, 1e-3);
        tr3_world_destroy(world);
    }
}

/* a shaft drives another, bent by 0.5 rad: by a ball without twist evenly, by a universal between cos 0.5 and 1/cos 0.5 */
static void a_ball_without_twist_keeps_the_velocity(void **state)
{
    (void)state;
    const double bend = 0.5;
    for (int universal = 0; universal < 2; universal++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body_def def = tr3_body_def_default();
        def.inertia = (tr_sym3){0.02f, 0.1f, 0.1f, 0.0f, 0.0f, 0.0f};
        def.position = (tr_dvec3){-0.3, 0.0, 0.0};
        tr3_body in, out;
        SPACE_OK(tr3_world_create_body(world, &def, &in));
        def.position = (tr_dvec3){0.3 * cos(bend), 0.3 * sin(bend), 0.0};
        def.rotation = (tr_quat){0.0f, 0.0f, (float)sin(0.5 * bend), (float)cos(0.5 * bend)};
        SPACE_OK(tr3_world_create_body(world, &def, &out));
        tr3_joint_def driven = space_between(world, TR3_JOINT_HINGE, ground, in, (tr_dvec3){-0.6, 0.0, 0.0}, x_axis);
        driven.motor = (tr_motor){true, 5.0f, 100.0f};
        space_joint(world, &driven);
        const tr_vec3 along = {(float)cos(bend), (float)sin(bend), 0.0f};
        tr3_joint_def held = space_between(world, TR3_JOINT_HINGE, ground, out, def.position, along);
        tr3_joint bearing = space_joint(world, &held);
        tr3_joint_def bent = space_between(world, universal == 1 ? TR3_JOINT_UNIVERSAL : TR3_JOINT_BALL, in, out,
                                           origin, universal == 1 ? z_axis : x_axis);
        if (universal == 1) {
            bent.axis_2 = (tr_vec3){-along.y, along.x, 0.0f};
        } else {
            bent.reference = (tr_quat){0.0f, 0.0f, 0.0f, 1.0f};
            bent.twist = (tr_limit){true, 0.0f, 0.0f};
        }
        space_joint(world, &bent);
        double slowest = INFINITY, fastest = 0.0;
        for (int step = 0; step < 300; step++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            const double rate = (double)coordinate(world, bearing, 0).rate;
            slowest = step < 60 ? slowest : fmin(slowest, rate);
            fastest = step < 60 ? fastest : fmax(fastest, rate);
        }
        near_to("slowest", slowest, universal == 1 ? 5.0 * cos(bend) : 5.0, 0.05);
        near_to("fastest", fastest, universal == 1 ? 5.0 / cos(bend) : 5.0, 0.05);
        tr3_world_destroy(world);
    }
}

/* Beside a ball without twist, a general joint whose third angle is about the second shaft limits each angle of the bend
   by itself, to either side: pressed to any side the shaft rests at one limit, into a corner at both. A cone holds no
   corner. */
static void each_angle_of_a_bend_has_limits_of_its_own(void **state)
{
    (void)state;
    const tr_limit about_y = {true, -0.2f, 0.6f}, about_z = {true, -0.5f, 0.1f};
    const double side[][2] = {{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}, {1.0, -1.0}, {-1.0, 1.0}};
    for (uint32_t i = 0; i < sizeof side / sizeof side[0]; i++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body first = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body second = space_body(world, TR_DYNAMIC, origin, 2.0f, (tr_vec3){0.4f, 0.5f, 0.5f});
        tr3_joint_def ball = space_between(world, TR3_JOINT_BALL, first, second, origin, x_axis);
        ball.twist = (tr_limit){true, 0.0f, 0.0f};
        ball.friction = 0.05f;
        tr3_joint even = space_joint(world, &ball);
        tr3_joint_def bend =
            space_between(world, TR3_JOINT_GENERAL, first, second, origin, (tr_vec3){0.0f, 1.0f, 0.0f});
        bend.axis_2 = z_axis;
        for (uint32_t k = 0; k < TR3_COORDINATES; k++)
            tr3_def_set_features(&bend, k, (tr3_features){.locked = false});
        bend.fourth.limit = about_y;
        bend.fifth.limit = about_z;
        tr3_joint limited = space_joint(world, &bend);
        for (int step = 0; step < 300; step++) {
            SPACE_OK(tr3_body_apply_torque(world, second, (tr_vec3){0.0f, (float)side[i][0], (float)side[i][1]}));
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        }
        const double y = (double)coordinate(world, limited, 3).value, z = (double)coordinate(world, limited, 4).value;
        if (side[i][0] != 0.0)
            near_to("about y", y, (double)(side[i][0] > 0.0 ? about_y.upper : about_y.lower), 2e-3);
        if (side[i][1] != 0.0)
            near_to("about z", z, (double)(side[i][1] > 0.0 ? about_z.upper : about_z.lower), 2e-3);
        near_to("twist", (double)coordinate(world, even, 0).value, 0.0, 1e-3);
        tr3_world_destroy(world);
    }
}

/* a general joint that is free but for a motor drives along its axis with its force, up to its speed, and holds nothing */
static void a_free_general_joint_is_a_linear_motor(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body body = space_body(world, TR_DYNAMIC, origin, 2.0f, unit);
    tr3_joint_def def = space_between(world, TR3_JOINT_GENERAL, ground, body, origin, x_axis);
    for (uint32_t k = 0; k < TR3_COORDINATES; k++)
        tr3_def_set_features(&def, k, (tr3_features){.locked = false, .motor = {k == 0, 1.0f, k == 0 ? 2.0f : 0.0f}});
    space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, body, (tr_vec3){0.0f, 0.3f, -0.2f}, (tr_vec3){0.0f, 0.0f, 0.0f}));
    for (int second = 1; second <= 2; second++) {
        for (int step = 0; step < (second == 1 ? 30 : 90); step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        tr_vec3 v, w;
        SPACE_OK(tr3_body_get_velocity(world, body, &v, &w));
        near_to("along", (double)v.x, second == 1 ? 0.5 : 1.0, 1e-3);
        near_to("up", (double)v.y, 0.3, 1e-6);
        near_to("aside", (double)v.z, -0.2, 1e-6);
    }
    tr3_world_destroy(world);
}

/* a distance, and a plane across the axis: a point of B, which turns freely, stays on a circle about A's axis */
static void a_distance_and_a_plane_are_a_link(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body body = space_body(world, TR_DYNAMIC, (tr_dvec3){0.7, 0.0, 0.1}, 1.0f, (tr_vec3){0.05f, 0.06f, 0.07f});
    const tr_dvec3 pin = {0.5, 0.0, 0.0};
    tr3_joint_def rod, across = space_between(world, TR3_JOINT_PLANE, ground, body, pin, z_axis);
    SPACE_OK(tr3_joint_def_between(world, TR3_JOINT_DISTANCE, ground, body, origin, pin, x_axis, &rod));
    space_joint(world, &rod);
    space_joint(world, &across);
    SPACE_OK(tr3_body_set_velocity(world, body, (tr_vec3){0.0f, 0.0f, 0.0f}, (tr_vec3){1.0f, 2.0f, 0.0f}));
    for (int step = 0; step < 300; step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        tr3_transform pose;
        SPACE_OK(tr3_body_get_transform(world, body, &pose));
        const tr_dvec3 at = tr3_plus(pose.position, tr3_turned(tr3_widen_quat(pose.rotation), tr3_widen(rod.anchor_b)));
        near_to("radius", hypot(at.x, at.y), 0.5, 5e-3);
        near_to("across", at.z, 0.0, 5e-3);
    }
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TR_WITH_SCENES
        cmocka_unit_test(a_general_joint_is_a_wheel),
        cmocka_unit_test(a_scene_shows_constant_velocity),
#endif
        cmocka_unit_test(a_ball_without_twist_keeps_the_velocity),
        cmocka_unit_test(each_angle_of_a_bend_has_limits_of_its_own),
        cmocka_unit_test(a_free_general_joint_is_a_linear_motor),
        cmocka_unit_test(a_distance_and_a_plane_are_a_link),
        cmocka_unit_test(composed_pairs_keep_momentum_and_gain_no_energy),
        cmocka_unit_test(rates_are_derivatives),
        cmocka_unit_test(all_features_act_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
