/* Bodies of worlds in space: what is set and read again, forces and impulses, batches, ids that are stale, and no memory. */
#include "space_bodies.h"

/*
 * What is set and read again
 */
static tr3_body_def random_def(uint64_t *random, bool tilted)
{
    double x, y, z;
    random_moments(random, &x, &y, &z);
    tr3_body_def def = tr3_body_def_default();
    tr3_dquat none = {0.0, 0.0, 0.0, 1.0};
    def.position = (tr_dvec3){1e3 * random_number(random), random_number(random), random_number(random)};
    def.rotation = tr3_narrow_quat(random_rotation(random));
    def.velocity = (tr_vec3){1.0f, (float)random_number(random), 3.0f};
    def.angular_velocity = (tr_vec3){(float)random_number(random), 5.0f, 6.0f};
    def.mass = 2.0f;
    def.inertia = tensor_of(tilted ? random_rotation(random) : none, x, y, z);
    def.gravity_scale = 0.5f;
    def.linear_damping = 0.25f;
    def.angular_damping = 0.125f;
    def.sleep_scale = 2.5f;
    def.fixed_rotation = random_index(random, 2) == 0;
    def.user_data = 99;
    return def;
}

static void assert_same_motion(const tr3_body_def *a, const tr3_body_def *b)
{
    assert_true(tr3_is_same(a->velocity, b->velocity));
    assert_true(tr3_is_same(a->angular_velocity, b->angular_velocity));
    assert_true(a->mass == b->mass && a->gravity_scale == b->gravity_scale && a->linear_damping == b->linear_damping);
    assert_true(a->angular_damping == b->angular_damping && a->fixed_rotation == b->fixed_rotation);
    assert_true(a->sleep_scale == b->sleep_scale);
    assert_true(a->enabled == b->enabled && a->type == b->type && a->user_data == b->user_data);
}

static void a_body_is_read_as_it_was_made(void **state)
{
    fixture *it = *state;
    uint64_t random = 3;
    for (uint32_t i = 0; i < 400; i++) {
        bool tilted = i % 2 == 1, off_center = i % 4 >= 2;
        tr3_body_def def = random_def(&random, tilted), got, again;
        if (off_center)
            def.center = (tr_vec3){0.5f, (float)random_number(&random), -1.0f};
        tr3_body id;
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        assert_ok(it->world, tr3_body_get(it->world, id, &got));
        assert_same_motion(&got, &def);
        assert_true(tr3_is_same(got.center, def.center));
        double slack = off_center ? 1e-12 : 0.0;
        NEAR(got.position.x, def.position.x, slack);
        NEAR(got.position.y, def.position.y, slack);
        NEAR(got.position.z, def.position.z, slack);
        if (tilted) {
            NEAR(got.rotation.x, def.rotation.x, 3e-7);
            NEAR(got.rotation.w, def.rotation.w, 3e-7);
            assert_near_tensor(got.inertia, def.inertia, 2e-6);
        } else {
            assert_true(is_same_quat(got.rotation, def.rotation));
            assert_true(is_same_tensor(got.inertia, def.inertia));
        }

        /* what was read changes nothing when it is set, also not in the columns of principal axes */
        uint64_t before = off_center ? 0 : tr3_world_state_hash(it->world);
        assert_ok(it->world, tr3_body_set(it->world, id, &got));
        assert_true(off_center || tr3_world_state_hash(it->world) == before);
        assert_ok(it->world, tr3_body_get(it->world, id, &again));
        assert_true(is_same_quat(again.rotation, got.rotation));
        assert_true(is_same_tensor(again.inertia, got.inertia));

        tr3_transform pose;
        assert_ok(it->world, tr3_body_get_transform(it->world, id, &pose));
        assert_true(is_same_quat(pose.rotation, got.rotation));
        NEAR(pose.position.x, got.position.x, slack);
    }
}

static void rotations_are_normalised(void **state)
{
    fixture *it = *state;
    tr3_transform pose;
    const tr_quat long_ones[] = {{0.0f, 0.0f, 3.0f, 4.0f}, {0.0f, 0.0f, 3e-30f, 4e-30f}, {0.0f, 0.0f, 3e30f, 4e30f}};
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        assert_ok(it->world, tr3_body_set_transform(it->world, it->a, (tr_dvec3){0}, long_ones[i]));
        assert_ok(it->world, tr3_body_get_transform(it->world, it->a, &pose));
        NEAR(pose.rotation.z, 0.6, 1e-7);
        NEAR(pose.rotation.w, 0.8, 1e-7);
    }
}

/* a new centre of mass moves neither the origin nor the points; a new inertia does not turn the body */
static void new_mass_does_not_move_the_body(void **state)
{
    fixture *it = *state;
    uint64_t random = 4;
    for (uint32_t i = 0; i < 200; i++) {
        tr3_body_def def = random_def(&random, i % 2 == 0), got;
        tr3_body id;
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        assert_ok(it->world, tr3_body_get(it->world, id, &def));
        const tr_dvec3 point = {def.position.x + 1.0, 2.0, 3.0};
        tr_vec3 before, after, center = {0.25f, -0.5f, (float)random_number(&random)};
        assert_ok(it->world, tr3_body_point_velocity(it->world, id, point, &before));
        tr_sym3 inertia = random_def(&random, i % 4 < 2).inertia;
        assert_ok(it->world, tr3_body_set_mass(it->world, id, 3.0f, inertia, center));
        assert_ok(it->world, tr3_body_get(it->world, id, &got));
        NEAR(got.position.x, def.position.x, 1e-6);
        NEAR(got.position.y, def.position.y, 1e-6);
        NEAR(got.rotation.x, def.rotation.x, 3e-7);
        NEAR(got.rotation.y, def.rotation.y, 3e-7);
        NEAR(got.rotation.z, def.rotation.z, 3e-7);
        assert_near_tensor(got.inertia, inertia, 2e-6);
        assert_ok(it->world, tr3_body_point_velocity(it->world, id, point, &after));
        NEAR(after.x, before.x, 1e-5);
        NEAR(after.y, before.y, 1e-5);
        NEAR(after.z, before.z, 1e-5);
        float mass;
        tr_vec3 now;
        assert_ok(it->world, tr3_body_get_mass(it->world, id, &mass, NULL, &now));
        assert_true(mass == 3.0f && tr3_is_same(now, center));
    }
}

static void a_static_body_has_no_velocity(void **state)
{
    fixture *it = *state;
    tr3_body_def def = tr3_body_def_default();
    def.type = TR_STATIC;
    def.mass = 0.0f;
    def.inertia = (tr_sym3){0};
    def.velocity.z = 1.0f;
    def.angular_velocity.x = 1.0f;
    tr3_body id;
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    assert_ok(it->world, tr3_body_get(it->world, id, &def));
    assert_true(def.velocity.z == 0.0f && def.angular_velocity.x == 0.0f);
    REJECT(it->world, tr3_body_set_type(it->world, id, TR_DYNAMIC), TR_ERROR_ZERO,
           "body_set_type: mass is zero, must be positive");

    /* and a disabled one stops */
    assert_ok(it->world, tr3_body_set_velocity(it->world, it->a, (tr_vec3){1.0f, 2.0f, 3.0f}, (tr_vec3){0}));
    assert_ok(it->world, tr3_body_set_enabled(it->world, it->a, false));
    tr_vec3 v;
    assert_ok(it->world, tr3_body_get_velocity(it->world, it->a, &v, NULL));
    assert_true(v.x == 0.0f && v.y == 0.0f && v.z == 0.0f);
    tr_body_type type;
    assert_ok(it->world, tr3_body_get_type(it->world, it->a, &type));
    assert_int_equal(type, TR_DYNAMIC);
}

/*
 * Forces and impulses
 */

/* an impulse at a point changes the momenta by it and its moment, whatever the axes of inertia are */
static void impulses_change_momenta(void **state)
{
    fixture *it = *state;
    uint64_t random = 6;
    for (uint32_t i = 0; i < 200; i++) {
        tr3_body_def def = random_def(&random, i % 2 == 0);
        def.fixed_rotation = false;
        def.position.x /= 1e3;
        def.center = (tr_vec3){0.0f, 0.5f, 0.0f};
        tr3_body id;
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        tr3_measures before = tr3_world_measure(it->world);
        tr_vec3 impulse = {1.0f, -2.0f, (float)random_number(&random)},
                turn = {0.5f, (float)random_number(&random), 2.0f};
        const tr_dvec3 point = {random_number(&random), 2.0, 1.0};
        assert_ok(it->world, tr3_body_apply_impulse(it->world, id, impulse, point));
        assert_ok(it->world, tr3_body_apply_angular_impulse(it->world, id, turn));
        assert_ok(it->world, tr3_body_apply_impulse_to_center(it->world, id, (tr_vec3){0}));
        tr3_measures after = tr3_world_measure(it->world);
        tr_dvec3 gain = tr3_minus(after.momentum, before.momentum);
        tr_dvec3 spin = tr3_minus(after.angular_momentum, before.angular_momentum);
        tr_dvec3 expected = tr3_plus(tr3_cross(point, tr3_widen(impulse)), tr3_widen(turn));
        NEAR(gain.x, impulse.x, 2e-6);
        NEAR(gain.y, impulse.y, 2e-6);
        NEAR(gain.z, impulse.z, 2e-6);
        NEAR(spin.x, expected.x, 2e-5);
        NEAR(spin.y, expected.y, 2e-5);
        NEAR(spin.z, expected.z, 2e-5);
        assert_ok(it->world, tr3_world_destroy_body(it->world, id));
    }
}

static void forces_add_up_until_the_step(void **state)
{
    fixture *it = *state;
    tr3_body_def def = tr3_body_def_default();
    def.type = TR_KINEMATIC;
    tr3_body kinematic;
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &kinematic));
    assert_ok(it->world,
              tr3_body_apply_force(it->world, it->a, (tr_vec3){1.0f, 2.0f, 3.0f}, (tr_dvec3){0.0, 0.0, 2.0}));
    assert_ok(it->world, tr3_body_apply_force_to_center(it->world, it->a, (tr_vec3){10.0f, 20.0f, 30.0f}));
    assert_ok(it->world, tr3_body_apply_torque(it->world, it->a, (tr_vec3){100.0f, 200.0f, 300.0f}));
    assert_ok(it->world, tr3_body_apply_force_to_center(it->world, kinematic, (tr_vec3){1.0f, 1.0f, 1.0f}));
    tr3_body_view view = tr3_world_bodies(it->world);
    assert_true(view.force_x[0] == 11.0f && view.force_y[0] == 22.0f && view.force_z[0] == 33.0f);
    /* (0, 0, 2) x (1, 2, 3) = (-4, 2, 0) */
    assert_true(view.torque_x[0] == 96.0f && view.torque_y[0] == 202.0f && view.torque_z[0] == 300.0f);
    assert_true(view.force_x[1] == 0.0f && view.torque_z[1] == 0.0f);
    /* a body that is not dynamic loses them */
    assert_ok(it->world, tr3_body_set_type(it->world, it->a, TR_KINEMATIC));
    view = tr3_world_bodies(it->world);
    assert_true(view.force_z[0] == 0.0f && view.torque_x[0] == 0.0f);
    assert_true(view.inverse_mass[0] == 0.0f && view.inverse_inertia_x[0] == 0.0f);
}

static void frames_convert_both_ways(void **state)
{
    fixture *it = *state;
    uint64_t random = 7;
    for (uint32_t i = 0; i < 100; i++) {
        tr3_body_def def = random_def(&random, i % 2 == 0);
        tr3_body id;
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        const tr_vec3 local = {1.0f, 2.0f, (float)random_number(&random)};
        tr_dvec3 world_point;
        tr_vec3 back, turned;
        assert_ok(it->world, tr3_body_world_point(it->world, id, local, &world_point));
        assert_ok(it->world, tr3_body_local_point(it->world, id, world_point, &back));
        NEAR(back.x, local.x, 1e-6);
        NEAR(back.y, local.y, 1e-6);
        NEAR(back.z, local.z, 1e-6);
        assert_ok(it->world, tr3_body_world_vector(it->world, id, local, &turned));
        NEAR((double)turned.x, world_point.x - def.position.x, 2e-6);
        NEAR((double)turned.z, world_point.z - def.position.z, 2e-6);
        assert_ok(it->world, tr3_body_local_vector(it->world, id, turned, &back));
        NEAR(back.y, local.y, 1e-6);
    }
    /* a quarter turn about z takes x to y; a point of a body that turns about z at 2 rad/s */
    assert_ok(it->world, tr3_body_set_transform(it->world, it->a, (tr_dvec3){0}, (tr_quat){0.0f, 0.0f, 1.0f, 1.0f}));
    tr_vec3 out;
    assert_ok(it->world, tr3_body_world_vector(it->world, it->a, (tr_vec3){1.0f, 0.0f, 0.0f}, &out));
    NEAR(out.x, 0.0, 1e-7);
    NEAR(out.y, 1.0, 1e-7);
    assert_ok(it->world, tr3_body_set_velocity(it->world, it->a, (tr_vec3){0}, (tr_vec3){0.0f, 0.0f, 2.0f}));
    assert_ok(it->world, tr3_body_point_velocity(it->world, it->a, (tr_dvec3){1.0, 0.0, 5.0}, &out));
    assert_true(out.x == 0.0f && out.y == 2.0f && out.z == 0.0f);
}

/*
 * Batches and ids
 */
static void ids_of_destroyed_bodies_are_stale(void **state)
{
    fixture *it = *state;
    tr3_body_def defs[4];
    tr3_body ids[4], twice[3];
    for (uint32_t i = 0; i < 4; i++) {
        defs[i] = tr3_body_def_default();
        defs[i].user_data = i;
    }
    assert_ok(it->world, tr3_world_create_bodies(it->world, defs, 4, ids));
    twice[0] = ids[0];
    twice[1] = twice[2] = ids[1];
    REJECT(it->world, tr3_world_destroy_bodies(it->world, twice, 3), TR_ERROR_STALE_ID,
           "destroy_bodies: ids[2] names a body that the list has already");
    assert_ok(it->world, tr3_world_destroy_bodies(it->world, ids, 2));
    assert_false(tr3_body_is_valid(it->world, ids[1]));
    assert_true(tr3_body_is_valid(it->world, ids[3]));
    REJECT(it->world, tr3_body_set_user_data(it->world, ids[0], 1), TR_ERROR_STALE_ID,
           "body_set_user_data: id is stale (slot 1, generation 0)");
    uint64_t data;
    assert_ok(it->world, tr3_body_get_user_data(it->world, ids[3], &data));
    assert_int_equal(data, 3);
    tr3_body foreign = ids[2];
    foreign.world = 8;
    REJECT(it->world, tr3_body_get_user_data(it->world, foreign, &data), TR_ERROR_FOREIGN_ID,
           "body_get_user_data: id belongs to another world (tag 8; this one's is 7)");
    tr3_transform poses[2];
    REJECT(it->world, tr3_world_get_transforms(it->world, &ids[1], 2, poses), TR_ERROR_STALE_ID,
           "get_transforms: ids[0] is stale (slot 2, generation 0)");
    tr3_body again;
    assert_ok(it->world, tr3_world_create_body(it->world, &defs[0], &again));
    assert_int_equal(again.generation, 1);
}

/* a body that takes the row of one that had all properties has none of them */
static void a_new_body_has_nothing_of_an_old_one(void **state)
{
    fixture *it = *state;
    uint64_t random = 8;
    tr3_body_def def = random_def(&random, true), got;
    def.center = (tr_vec3){1.0f, 2.0f, 3.0f};
    tr3_body id;
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    assert_ok(it->world, tr3_body_apply_torque(it->world, id, (tr_vec3){1.0f, 1.0f, 1.0f}));
    (void)tr3_world_bodies(it->world);
    assert_ok(it->world, tr3_world_destroy_body(it->world, id));
    def = tr3_body_def_default();
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    assert_ok(it->world, tr3_body_get(it->world, id, &got));
    assert_same_motion(&got, &def);
    assert_true(is_same_quat(got.rotation, def.rotation) && is_same_tensor(got.inertia, def.inertia));
    assert_true(tr3_is_same(got.center, def.center) && got.position.x == 0.0);
    assert_true(tr3_world_bodies(it->world).torque_x[1] == 0.0f);
}

/* a call whose n-th allocation fails, for every n, changes nothing; how many failed */
typedef tr_status changes_fn(tr3_world *world, tr3_body id, const tr3_body_def *def);

static uint32_t fail_each_allocation(fixture *it, changes_fn *changes, const tr3_body_def *def)
{
    uint64_t before = tr3_world_state_hash(it->world);
    for (uint32_t failures = 0;; failures++) {
        it->allocator.calls = 0;
        it->allocator.fail_at = failures + 1;
        tr_status status = changes(it->world, it->a, def);
        it->allocator.fail_at = 0;
        if (status == TR_OK)
            return failures;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_true(tr3_world_state_hash(it->world) == before);
        tr3_body_def got;
        assert_ok(it->world, tr3_body_get(it->world, it->a, &got));
        assert_true(is_same_tensor(got.inertia, tr3_body_def_default().inertia) && got.center.x == 0.0f);
    }
}

static tr_status set_mass(tr3_world *world, tr3_body id, const tr3_body_def *def)
{
    return tr3_body_set_mass(world, id, def->mass, def->inertia, def->center);
}

static tr_status create_many(tr3_world *world, tr3_body id, const tr3_body_def *def)
{
    (void)id;
    tr3_body_def defs[100];
    for (uint32_t i = 0; i < 100; i++)
        defs[i] = *def;
    return tr3_world_create_bodies(world, defs, 100, NULL);
}

static void without_memory_nothing_changes(void **state)
{
    fixture *it = *state;
    uint64_t random = 9;
    tr3_body_def def = random_def(&random, true);
    def.center = (tr_vec3){1.0f, 2.0f, 3.0f};
    assert_true(fail_each_allocation(it, create_many, &def) >= 4);
    tear_down(state);
    set_up(state);
    assert_true(fail_each_allocation(it, tr3_body_set, &def) >= 4);
    tear_down(state);
    set_up(state);
    /* three columns of centres, four of axes */
    assert_true(fail_each_allocation(it, set_mass, &def) >= 4);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_body_is_read_as_it_was_made),
        TEST(rotations_are_normalised),
        TEST(new_mass_does_not_move_the_body),
        TEST(a_static_body_has_no_velocity),
        TEST(impulses_change_momenta),
        TEST(forces_add_up_until_the_step),
        TEST(frames_convert_both_ways),
        TEST(ids_of_destroyed_bodies_are_stale),
        TEST(a_new_body_has_nothing_of_an_old_one),
        TEST(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
