/* Joints in space of limited force: a motor toward a pose, a target that drags, friction in all directions. */
#define TR_DIMENSION 3

#include "space.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -10.0f, 0.0f};
static const tr_vec3 unit = {1.0f, 1.0f, 1.0f}, x_axis = {1.0f, 0.0f, 0.0f};

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

/* B, of 2 kg and 0.5 kg m^2, somewhere beside a static A at the origin */
typedef struct pair {
    tr3_world *world;
    tr3_body b;
    tr3_joint_def def;
} pair;

static pair pair_of(tr3_joint_type type, tr_vec3 gravity, tr_dvec3 at)
{
    pair it = {.world = space_world(TR_SOFT_STEP, gravity, 1)};
    tr3_body a = space_body(it.world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, unit);
    it.b = space_body(it.world, TR_DYNAMIC, at, 2.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
    it.def = tr3_joint_def_default(type);
    it.def.body_a = a;
    it.def.body_b = it.b;
    return it;
}

static tr3_body_def now(const pair *it)
{
    tr3_body_def def;
    SPACE_OK(tr3_body_get(it->world, it->b, &def));
    return def;
}

static tr3_reaction reaction(const pair *it, tr3_joint joint)
{
    tr3_reaction r;
    SPACE_OK(tr3_joint_reaction(it->world, joint, &r));
    return r;
}

static void a_target_pulls_with_its_force_at_most(void **state)
{
    (void)state;
    pair it = pair_of(TR3_JOINT_TARGET, still, (tr_dvec3){3.0, 4.0, 12.0});
    assert_int_equal(it.def.linear.kind, TR_FREQUENCY);
    it.def.max_force = 4.0f;
    tr3_joint joint = space_joint(it.world, &it.def);
    run(it.world, 30);
    /* 2 m/s^2 toward the origin, 13 m away */
    tr3_body_def b = now(&it);
    near_to("x", (double)b.velocity.x, -1.0 * 3.0 / 13.0, 1e-4);
    near_to("y", (double)b.velocity.y, -1.0 * 4.0 / 13.0, 1e-4);
    near_to("z", (double)b.velocity.z, -1.0 * 12.0 / 13.0, 1e-4);
    tr3_reaction r = reaction(&it, joint);
    near_to("force", sqrt((double)(r.force.x * r.force.x + r.force.y * r.force.y + r.force.z * r.force.z)), 4.0, 1e-4);
    near_to("torque", (double)r.torque.x, 0.0, 0.0);
    tr3_world_destroy(it.world);
}

static void a_target_holds_a_weight(void **state)
{
    (void)state;
    static const tr_softness softness[] = {
        {TR_RIGID, 0.0f, 0.0f}, {TR_FREQUENCY, 5.0f, 0.7f}, {TR_PHYSICAL, 400.0f, 30.0f}};
    for (int i = 0; i < 3; i++) {
        pair it = pair_of(TR3_JOINT_TARGET, down, (tr_dvec3){0.0, 0.0, 0.0});
        it.def.linear = softness[i];
        tr3_joint joint = space_joint(it.world, &it.def);
        run(it.world, 600);
        /* m g/k; of a frequency k is m (2 pi f)^2 */
        double k = i == 1 ? 2.0 * pow(2.0 * 3.14159265 * 5.0, 2.0) : 400.0;
        if (i > 0)
            near_to("sag", now(&it).position.y, -20.0 / k, 1e-4);
        assert_true(fabs(now(&it).position.y) < 0.06);
        near_to("force", (double)reaction(&it, joint).force.y, 20.0, 1e-3);
        tr3_world_destroy(it.world);
    }
}

static void a_motor_drives_to_a_pose(void **state)
{
    (void)state;
    pair it = pair_of(TR3_JOINT_MOTOR, still, (tr_dvec3){2.0, 0.0, 0.0});
    it.def.anchor_a = (tr_vec3){1.0f, 2.0f, 3.0f};
    it.def.reference = (tr_quat){0.0f, 0.6f, 0.0f, 0.8f};
    tr3_joint joint = space_joint(it.world, &it.def);
    run(it.world, 300);
    tr3_body_def b = now(&it);
    near_to("x", b.position.x, 1.0, 1e-4);
    near_to("y", b.position.y, 2.0, 1e-4);
    near_to("z", b.position.z, 3.0, 1e-4);
    near_to("rotation", fabs((double)(0.6f * b.rotation.y + 0.8f * b.rotation.w)), 1.0, 1e-6);
    /* against a force and a torque, by its stiffness */
    it.def.linear = tr_physical(100.0f, 40.0f);
    it.def.angular = tr_physical(20.0f, 5.0f);
    SPACE_OK(tr3_joint_set(it.world, joint, &it.def));
    for (int i = 0; i < 600; i++) {
        SPACE_OK(tr3_body_apply_force_to_center(it.world, it.b, (tr_vec3){0.0f, 0.0f, 5.0f}));
        SPACE_OK(tr3_body_apply_torque(it.world, it.b, x_axis));
        run(it.world, 1);
    }
    near_to("pushed", now(&it).position.z, 3.05, 1e-4);
    tr3_reaction r = reaction(&it, joint);
    near_to("force", (double)r.force.z, -5.0, 1e-2);
    near_to("torque", (double)r.torque.x, -1.0, 1e-2);
    tr3_world_destroy(it.world);
}

static void a_motor_has_caps_of_force_and_torque(void **state)
{
    (void)state;
    for (int none = 0; none < 2; none++) {
        pair it = pair_of(TR3_JOINT_MOTOR, down, (tr_dvec3){0.0, 0.0, 0.0});
        it.def.max_force = none ? 0.0f : 16.0f;
        it.def.max_torque = none ? 0.0f : 2.0f;
        tr3_joint joint = space_joint(it.world, &it.def);
        for (int i = 0; i < 30; i++) {
            SPACE_OK(tr3_body_apply_torque(it.world, it.b, (tr_vec3){0.0f, 0.0f, 3.0f}));
            run(it.world, 1);
        }
        /* 20 N pull, 16 N hold; within the first sub-steps the spring is not stretched */
        near_to("falls", (double)now(&it).velocity.y, none ? -5.0 : -1.0, none ? 1e-4 : 0.4);
        near_to("turns", (double)now(&it).angular_velocity.z, none ? 3.0 : 1.0, none ? 1e-4 : 0.6);
        tr3_reaction r = reaction(&it, joint);
        near_to("force", (double)r.force.y, none ? 0.0 : 16.0, 1e-3);
        near_to("torque", (double)r.torque.z, none ? 0.0 : -2.0, 1e-3);
        tr3_world_destroy(it.world);
    }
}

static void friction_is_the_same_in_all_directions(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 20; round++) {
        pair it = pair_of(TR3_JOINT_FRICTION, still, (tr_dvec3){0.0, 0.0, 0.0});
        it.def.max_force = 4.0f;
        it.def.max_torque = 1.0f;
        space_joint(it.world, &it.def);
        tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
        tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
        double speed = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
        double spin = sqrt((double)(w.x * w.x + w.y * w.y + w.z * w.z));
        float to_v = (float)(3.0 / speed), to_w = (float)(4.0 / spin);
        v = (tr_vec3){to_v * v.x, to_v * v.y, to_v * v.z};
        w = (tr_vec3){to_w * w.x, to_w * w.y, to_w * w.z};
        SPACE_OK(tr3_body_set_velocity(it.world, it.b, v, w));
        run(it.world, 60);
        /* 2 m/s^2 and 2 rad/s^2 against both */
        tr3_body_def b = now(&it);
        double dv = (double)(b.velocity.x * v.x + b.velocity.y * v.y + b.velocity.z * v.z) / 3.0;
        double dw =
            (double)(b.angular_velocity.x * w.x + b.angular_velocity.y * w.y + b.angular_velocity.z * w.z) / 4.0;
        near_to("speed", dv, 1.0, 1e-3);
        near_to("spin", dw, 2.0, 1e-3);
        run(it.world, 120);
        b = now(&it);
        near_to("way", space_length(b.position), 3.0 * 3.0 / 4.0, 1e-2);
        near_to("rest", fabs((double)b.velocity.x) + fabs((double)b.angular_velocity.z), 0.0, 1e-5);
        /* it holds less than its force */
        for (int i = 0; i < 30; i++) {
            SPACE_OK(tr3_body_apply_force_to_center(it.world, it.b, (tr_vec3){2.2f, -2.2f, 2.2f}));
            run(it.world, 1);
        }
        near_to("held", space_length(space_minus(now(&it).position, b.position)), 0.0, 1e-4);
        tr3_world_destroy(it.world);
    }
}

/* between free bodies, far from each other, for 10,000 steps */
static void momentum_stays(void **state)
{
    (void)state;
    uint64_t seed = 9;
    static const tr3_joint_type types[] = {TR3_JOINT_MOTOR, TR3_JOINT_TARGET, TR3_JOINT_FRICTION};
    for (int round = 0; round < 6; round++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body bodies[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){1.5 * i, 0.1 * i, 0.3}, 1.0f + (float)i,
                                   (tr_vec3){0.25f, 0.3f, 0.35f});
            tr_vec3 v = {space_random(&seed), space_random(&seed), space_random(&seed)};
            tr_vec3 w = {space_random(&seed), space_random(&seed), space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], v, w));
        }
        tr3_joint_def def = tr3_joint_def_default(types[round % 3]);
        def.body_a = bodies[0];
        def.body_b = bodies[1];
        def.anchor_a = (tr_vec3){0.2f, -0.1f, 0.3f};
        def.anchor_b = (tr_vec3){-0.3f, 0.1f, 0.0f};
        if (types[round % 3] != TR3_JOINT_FRICTION)
            def.linear = tr_physical(5.0f, 0.5f);
        if (types[round % 3] == TR3_JOINT_MOTOR)
            def.angular = tr_physical(1.0f, 0.1f);
        def.max_force = round < 3 ? def.max_force : 1.0f;
        if (types[round % 3] != TR3_JOINT_TARGET)
            def.max_torque = round < 3 ? def.max_torque : 0.2f;
        space_joint(world, &def);
        tr3_measures begin = tr3_world_measure(world);
        run(world, 10000);
        tr3_measures end = tr3_world_measure(world);
        double moved = space_length(space_minus(end.momentum, begin.momentum));
        double turned = space_length(space_minus(end.angular_momentum, begin.angular_momentum));
        double before = begin.kinetic_energy + begin.potential_energy;
        if (!(moved <= 5e-4) || !(turned <= 5e-3 * (1.0 + space_length(begin.angular_momentum))) ||
            !(end.kinetic_energy <= 1.01 * before))
            fail_msg("%s, round %d: momentum off by %g, angular momentum by %g of %g; energy %g of %g",
                     tr3_joint_type_name(types[round % 3]), round, moved, turned, space_length(begin.angular_momentum),
                     end.kinetic_energy, before);
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_pulls_with_its_force_at_most),
        cmocka_unit_test(a_target_holds_a_weight),
        cmocka_unit_test(a_motor_drives_to_a_pose),
        cmocka_unit_test(a_motor_has_caps_of_force_and_torque),
        cmocka_unit_test(friction_is_the_same_in_all_directions),
        cmocka_unit_test(momentum_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
