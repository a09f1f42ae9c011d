/*
 * Exact accelerations and reactions in the plane: the dense solution of the same equations, large worlds, fine
 * simulations; and the call: what it leaves alone, its errors, memory.
 */
#include "exact_motion.h"

#include "accelerated.h"
#include "random.h"

/*
 * Many
 */

/* a body somewhere in a square, of any kind */
static tr2_body any_body(tr2_world *world, uint64_t *seed, double size)
{
    tr2_body_def def = tr2_body_def_default();
    uint32_t kind = random_index(seed, 12);
    def.type = kind == 0 ? TR_KINEMATIC : kind == 1 ? TR_STATIC : TR_DYNAMIC;
    def.position = (tr_dvec2){size * random_index(seed, 1000) / 1000.0, size * random_index(seed, 1000) / 1000.0};
    def.angle = random_index(seed, 628) / 100.0;
    def.mass = 0.25f + (float)random_index(seed, 1000) / 200.0f;
    def.inertia = kind == 2 ? 0.0f : 0.1f + (float)random_index(seed, 1000) / 500.0f;
    def.fixed_rotation = kind == 3;
    def.center = (tr_vec2){(float)random_index(seed, 10) / 20.0f, 0.125f};
    def.velocity =
        (tr_vec2){(float)random_index(seed, 200) / 100.0f - 1.0f, (float)random_index(seed, 200) / 100.0f - 1.0f};
    def.angular_velocity = (float)random_index(seed, 400) / 100.0f - 2.0f;
    tr2_body id;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

/* against the world, or on carriers, which may be one body */
static void any_gear(tr2_world *world, uint64_t *seed, const tr2_body *bodies, uint32_t count, uint32_t a, uint32_t b)
{
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_GEAR);
    uint32_t ca = random_index(seed, count), cb = random_index(seed, count);
    def.body_a = bodies[a];
    def.body_b = bodies[b];
    if (ca != a && random_index(seed, 3) > 0)
        def.carrier_a = bodies[ca];
    if (cb != b && random_index(seed, 3) > 0)
        def.carrier_b = bodies[cb];
    def.slides_a = random_index(seed, 2) == 0;
    def.slides_b = random_index(seed, 2) == 0;
    def.ratio = random_index(seed, 2) == 0 ? 1.0f : -0.5f;
    def.anchor_b = (tr_vec2){0.5f, 0.25f};
    (void)connect(world, &def);
}

static void any_joints(tr2_world *world, uint64_t *seed, const tr2_body *bodies, uint32_t count, uint32_t joints,
                       bool stops)
{
    for (uint32_t i = 0; i < joints; i++) {
        tr2_joint_type type = (tr2_joint_type)random_index(seed, TR2_JOINT_TYPE_COUNT);
        uint32_t a = random_index(seed, count), b = random_index(seed, count);
        if (a == b || (!stops && type == TR2_JOINT_PULLEY))
            continue;
        if (type == TR2_JOINT_GEAR) {
            any_gear(world, seed, bodies, count, a, b);
            continue;
        }
        double x = 4.0 * random_index(seed, 1000) / 1000.0, y = 4.0 * random_index(seed, 1000) / 1000.0;
        tr2_joint_def def = tr2_joint_def_default(type);
        def.body_a = bodies[a];
        def.body_b = bodies[b];
        if (type == TR2_JOINT_PULLEY) {
            def.ground_a = (tr_dvec2){0.0, 9.0};
            def.ground_b = (tr_dvec2){4.0, 9.0};
        }
        tr_dvec2 at = {x, y}, apart = {x + 1.0, y - 0.5};
        assert_ok(world, tr2_joint_def_initialize(world, &def, at, type == TR2_JOINT_DISTANCE ? apart : at,
                                                  (tr_vec2){0.6f, 0.8f}));
        if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE) && random_index(seed, 3) == 0)
            def.spring = (tr_spring){true, 0.1f, tr_frequency(2.0f, 0.3f)};
        if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND) && random_index(seed, 5) == 0)
            def.linear = tr_frequency(3.0f, 0.5f);
        if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE) && random_index(seed, 4) == 0)
            def.motor = (tr_motor){true, 1.0f, 5.0f};
        if (stops && tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE)) {
            /* at one of its stops */
            float from = type == TR2_JOINT_DISTANCE ? def.length : 0.0f;
            def.limit = random_index(seed, 2) == 0 ? (tr_limit){true, from, from + 2.0f} : (tr_limit){true, 0.0f, from};
            if (type == TR2_JOINT_DISTANCE)
                def.linear = tr_frequency(0.0f, 0.0f);
        }
        (void)connect(world, &def);
    }
}

static tr2_world *machine(uint64_t *seed, uint32_t joints, bool stops)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *world;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body bodies[10];
    for (int i = 0; i < 10; i++)
        bodies[i] = any_body(world, seed, 4.0);
    any_joints(world, seed, bodies, 10, joints, stops);
    return world;
}

/* velocities are any, so redundant rows contradict each other */
static void machines_are_solved_as_densely(void **state)
{
    (void)state;
    uint64_t seed = 17;
    uint32_t redundant = 0, regular = 0;
    for (int round = 0; round < 400; round++) {
        tr2_world *world = machine(&seed, (uint32_t)(round % 25), false);
        uint32_t more = check_forces(world, 1e-11, 1e-7);
        redundant += more > 0;
        regular += more == 0;
        tr2_world_destroy(world);
    }
    assert_true(redundant > 50 && regular > 50);
}

static void machines_at_their_stops_are_complementary(void **state)
{
    (void)state;
    uint64_t seed = 23;
    uint32_t pushing = 0;
    for (int round = 0; round < 300; round++) {
        tr2_world *world = machine(&seed, 1 + (uint32_t)(round % 12), true);
        pushing += check_stops(world);
        tr2_world_destroy(world);
    }
    assert_true(pushing > 100);
}

/* a lattice and a long chain, whose rows hold to rounding */
static void large_worlds_hold_all_rows(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { SIDE = 40, LINKS = 20000 };
    static tr2_body bodies[SIDE * SIDE];
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    for (int i = 0; i < SIDE * SIDE; i++)
        bodies[i] = place(world, TR_DYNAMIC, i % SIDE, -(double)(i / SIDE), 1.0f, 0.1f);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE)
            hinge(world, bodies[i], bodies[i + 1], i % SIDE + 0.5, -(double)(i / SIDE));
        if (i + SIDE < SIDE * SIDE)
            hinge(world, bodies[i], bodies[i + SIDE], i % SIDE, -(double)(i / SIDE) - 0.5);
    }
    tr2_joint left = hinge(world, ground, bodies[0], 0.0, 0.5),
              right = hinge(world, ground, bodies[SIDE - 1], SIDE - 1.0, 0.5);
    tr2_body last = ground;
    tr2_joint first = {0, 0, 0};
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = place(world, TR_DYNAMIC, -10.0, -1.0 - i, 1.0f, 0.1f);
        tr2_joint joint = hinge(world, last, link, -10.0, -0.5 - i);
        first = i == 0 ? joint : first;
        last = link;
    }
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.islands, 2);
    assert_int_equal(report.rows, 2 * (2 * SIDE * (SIDE - 1) + 2 + LINKS));
    assert_int_equal(report.redundant, 2 * (2 * SIDE * (SIDE - 1) + 2) - 3 * SIDE * SIDE);
    assert_true(report.error < 1e-9);
    const double weight = SIDE * SIDE * (double)G;
    near_to(reaction(world, left).force.y, 0.5 * weight, 1e-8 * weight);
    near_to(reaction(world, right).force.y, 0.5 * weight, 1e-8 * weight);
    near_to(reaction(world, first).force.y, LINKS * (double)G, 1e-8 * LINKS * (double)G);
}

/* a hub of many spokes makes no dense system */
static void hubs_are_sparse(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { SPOKES = 3000 };
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             hub = place(world, TR_DYNAMIC, 0.0, 0.0, 10.0f, 5.0f);
    tr2_joint axle = hinge(world, ground, hub, 0.0, 0.0);
    double moment = 5.0, torque = 0.0;
    for (int i = 0; i < SPOKES; i++) {
        double angle = 0.001 * i, x = 2.0 * cos(angle), y = 2.0 * sin(angle);
        tr2_body spoke = place(world, TR_DYNAMIC, x, y, 0.5f, 0.125f);
        tr2_joint_def def = joint_at(world, TR2_JOINT_WELD, hub, spoke, 0.5 * x, 0.5 * y);
        (void)connect(world, &def);
        moment += 0.125 + 0.5 * 4.0;
        torque -= 0.5 * (double)G * x;
    }
    near_to(acceleration(world, hub).angular, torque / moment, 1e-5 * fabs(torque / moment));
    assert_true(fabs(reaction(world, axle).force.y) > 1.0);
}

/*
 * Simulations
 */

/* the derivative of velocities at the begin of a fine simulation, from three of them */
static void fine_simulations_begin_as_the_equations_say(void **state)
{
    (void)state;
    uint64_t seed = 31;
    uint32_t compared = 0;
    for (int round = 0; round < 40; round++) {
        tr2_world *world = machine(&seed, 0, false);
        tr2_body_view view = tr2_world_bodies(world);
        tr2_body bodies[10];
        memcpy(bodies, view.id, sizeof bodies);
        /* trees at rest, whose joints are satisfied in position and velocity */
        for (int i = 0; i < 10; i++)
            assert_ok(world, tr2_body_set_velocity(world, bodies[i], (tr_vec2){0.0f, 0.0f}, 0.0f));
        for (uint32_t i = 1; i < 6; i++) {
            const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE, TR2_JOINT_WELD,  TR2_JOINT_PRISMATIC, TR2_JOINT_LINE,
                                            TR2_JOINT_WHEEL,    TR2_JOINT_ANGLE, TR2_JOINT_DISTANCE};
            tr2_joint_type type = types[random_index(&seed, 7)];
            tr2_joint_def def = tr2_joint_def_default(type);
            def.body_a = bodies[random_index(&seed, i)];
            def.body_b = bodies[i];
            tr2_transform a, b;
            assert_ok(world, tr2_body_get_transform(world, def.body_a, &a));
            assert_ok(world, tr2_body_get_transform(world, def.body_b, &b));
            tr_dvec2 at = {0.5 * (a.position.x + b.position.x), 0.5 * (a.position.y + b.position.y)};
            tr_dvec2 far = {b.position.x + 0.25, b.position.y};
            assert_ok(world, tr2_joint_def_initialize(world, &def, at, type == TR2_JOINT_DISTANCE ? far : at,
                                                      (tr_vec2){0.6f, 0.8f}));
            if (type == TR2_JOINT_REVOLUTE)
                def.spring = (tr_spring){true, 0.2f, tr_frequency(1.5f, 0.2f)};
            (void)connect(world, &def);
        }
        assert_ok(world, tr2_world_set_joint_softness(world, 4000.0f, 1.0f));
        tr2_acceleration exact[10];
        tr2_accelerations what = {bodies, 10, exact, NULL, 0, NULL};
        assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
        const double time = 1.0 / 256.0;
        assert_ok(world, tr2_world_set_direct_load(world, 0.0f));
        assert_ok(world, tr2_world_step(world, time, 256));
        for (int i = 0; i < 10; i++) {
            tr_vec2 v;
            float w;
            assert_ok(world, tr2_body_get_velocity(world, bodies[i], &v, &w));
            double scale = 0.02 * ((double)G + hypot(exact[i].linear.x, exact[i].linear.y) + fabs(exact[i].angular));
            near_to((double)v.x / time, exact[i].linear.x, scale);
            near_to((double)v.y / time, exact[i].linear.y, scale);
            near_to((double)w / time, exact[i].angular, scale);
            compared++;
        }
        tr2_world_destroy(world);
    }
    assert_int_equal(compared, 400);
}

/*
 * The call
 */

/* asking changes nothing, and the answer does not depend on what else is asked */
static void asking_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = 41;
    tr2_world *world = machine(&seed, 12, true);
    uint64_t before = tr2_world_state_hash(world);
    tr2_body_view view = tr2_world_bodies(world);
    tr2_body bodies[10];
    memcpy(bodies, view.id, sizeof bodies);
    tr2_acceleration all[10];
    tr2_accelerations what = {bodies, 10, all, NULL, 0, NULL};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
    for (int i = 0; i < 10; i++) {
        tr2_acceleration one = acceleration(world, bodies[i]);
        assert_true(is_same(one, all[i]));
    }
    assert_true(before == tr2_world_state_hash(world));
    /* another order of rows: the same to rounding */
    assert_ok(world, tr2_world_optimize(world));
    for (int i = 0; i < 10; i++)
        near_to(acceleration(world, bodies[i]).angular, all[i].angular, 1e-8 * (1.0 + fabs(all[i].angular)));
    tr2_world_destroy(world);
}

static void bad_arguments_are_named(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_joint joint = hinge(world, ground, body, 0.0, 0.0);
    tr2_acceleration out[2];
    tr2_exact_reaction force;
    memset(out, 0x5a, sizeof out);
    memset(&force, 0x5a, sizeof force);
    tr_accelerations_report report;
    memset(&report, 0x5a, sizeof report);
    const tr_accelerations_report untouched = report;
    tr_accelerations_options options = tr_accelerations_options_default();
    const tr2_body good[2] = {body, ground}, null[2] = {body, {0, 0, 0}}, foreign[2] = {body, {1, 9, 0}},
                   stale[2] = {body, {77, 7, 0}};
    const tr2_joint none = {0, 0, 0};
    const struct {
        tr2_accelerations what;
        double gap;
        tr_status status;
        const char *message;
    } cases[] = {
        {{NULL, 1, out, NULL, 0, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.bodies is null"},
        {{good, 2, NULL, NULL, 0, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.accelerations is null"},
        {{good, 2, out, NULL, 1, &force}, 0.0, TR_ERROR_NULL, "accelerations: what.joints is null"},
        {{good, 2, out, &joint, 1, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.reactions is null"},
        {{null, 2, out, &joint, 1, &force}, 0.0, TR_ERROR_NULL_ID, "accelerations: what.bodies[1] is the null id"},
        {{foreign, 2, out, &joint, 1, &force},
         0.0,
         TR_ERROR_FOREIGN_ID,
         "accelerations: what.bodies[1] belongs to another world"},
        {{stale, 2, out, &joint, 1, &force}, 0.0, TR_ERROR_STALE_ID, "accelerations: what.bodies[1] is stale"},
        {{good, 2, out, &none, 1, &force}, 0.0, TR_ERROR_NULL_ID, "accelerations: what.joints[0] is the null id"},
        {{good, 2, out, &joint, 1, &force}, -0.1, TR_ERROR_NEGATIVE, "accelerations: options.stop_gap is -0.1"},
        {{good, 2, out, &joint, 1, &force}, (double)NAN, TR_ERROR_NAN, "accelerations: options.stop_gap is NaN"},
        {{good, 2, out, &joint, 1, &force},
         (double)INFINITY,
         TR_ERROR_INFINITE,
         "accelerations: options.stop_gap is inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options.stop_gap = cases[i].gap;
        assert_int_equal(tr2_world_accelerations(world, &cases[i].what, &options, &report), cases[i].status);
        const char *message = tr2_world_last_error(world)->message;
        if (strncmp(message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("\"%s\", expected \"%s\"", message, cases[i].message);
        assert_true(report.rows == untouched.rows && report.islands == untouched.islands);
        assert_true(((unsigned char *)out)[0] == 0x5a && ((unsigned char *)&force)[0] == 0x5a);
    }
    assert_int_equal(tr2_world_accelerations(NULL, &cases[0].what, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_accelerations(world, NULL, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_body_acceleration(world, body, NULL), TR_ERROR_NULL);
    /* and none at all, in an empty world too */
    assert_ok(world, tr2_world_accelerations(world, &(tr2_accelerations){NULL, 0, NULL, NULL, 0, NULL}, NULL, NULL));
    assert_ok(world, tr2_world_destroy_bodies(world, good, 2));
    assert_int_equal(report_of(world).islands, 0);
}

/* each allocation of the call fails once: a status, nothing written, all memory back */
static void failed_allocations_change_nothing(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f), bodies[3];
    tr2_joint joint = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        bodies[i] = place(world, TR_DYNAMIC, 1.0 + i, 0.0, 2.0f, 0.5f);
        joint = hinge(world, i > 0 ? bodies[i - 1] : ground, bodies[i], 0.5 + i, 0.0);
    }
    hinge(world, ground, bodies[2], 3.0, 0.0);
    hinge(world, ground, bodies[2], 3.5, 0.0);
    tr2_acceleration expected[3], got[3];
    tr2_exact_reaction force;
    tr2_accelerations what = {bodies, 3, expected, &joint, 1, &force};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
    const size_t held = it->allocator.held;
    what.accelerations = got;
    uint32_t refused = 0;
    for (uint64_t n = 1;; n++) {
        memset(got, 0x5a, sizeof got);
        test_fail_in(&it->allocator, n);
        tr_status status = tr2_world_accelerations(world, &what, NULL, NULL);
        const bool failed = it->allocator.failures > 0;
        test_fail_in(&it->allocator, 0);
        assert_true(it->allocator.held == held);
        if (!failed) {
            assert_int_equal(status, TR_OK);
            break;
        }
        refused++;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_true(((unsigned char *)got)[0] == 0x5a);
    }
    assert_true(refused >= 15);
    for (int i = 0; i < 3; i++)
        assert_true(is_same(got[i], expected[i]));
}

/* the ends of what worlds hold: whatever comes out is finite */
static void results_are_finite(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_body body = place(world, TR_DYNAMIC, 1e200, 0.0, 1e-38f, 1e38f),
             other = place(world, TR_DYNAMIC, 1.0, 0.0, 1e38f, 1e-38f);
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){1e38f, -1e38f}, 3e38f));
    assert_ok(world, tr2_body_set_velocity(world, other, (tr_vec2){1e38f, -1e38f}, -3e38f));
    assert_ok(world, tr2_body_apply_force_to_center(world, body, (tr_vec2){3e38f, 3e38f}));
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    def.body_a = ground;
    def.body_b = body;
    def.anchor_a = (tr_vec2){1e38f, 1e38f};
    def.spring = (tr_spring){true, 1.0f, tr_frequency(1e38f, 1e38f)};
    tr2_joint joints[2];
    joints[0] = connect(world, &def);
    def.body_a = other;
    joints[1] = connect(world, &def);
    tr2_body bodies[2] = {body, other};
    tr2_acceleration a[2];
    tr2_exact_reaction r[2];
    tr_accelerations_report report;
    tr2_accelerations what = {bodies, 2, a, joints, 2, r};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, &report));
    double all[sizeof a / (sizeof(double))], forces[sizeof r / (sizeof(double))];
    memcpy(all, a, sizeof a);
    memcpy(forces, r, sizeof r);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_true(isfinite(all[i]));
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++)
        assert_true(isfinite(forces[i]));
    assert_true(isfinite(report.error));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_solved_as_densely),
        cmocka_unit_test(machines_at_their_stops_are_complementary),
        TEST(large_worlds_hold_all_rows),
        TEST(hubs_are_sparse),
        cmocka_unit_test(fine_simulations_begin_as_the_equations_say),
        cmocka_unit_test(asking_changes_nothing),
        TEST(bad_arguments_are_named),
        TEST(failed_allocations_change_nothing),
        TEST(results_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
