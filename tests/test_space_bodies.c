/*
 * Bodies of worlds in space, without a step: definitions, the errors that name what is wrong with them, and principal
 * axes of tensors.
 */
#include "space_bodies.h"

/*
 * The world
 */
static void a_world_has_the_settings_of_its_definition(void **state)
{
    fixture *it = *state;
    tr3_world_def def = tr3_world_def_default();
    assert_true(def.gravity.x == 0.0f && def.gravity.y == -9.81f && def.gravity.z == 0.0f);
    assert_true(def.joint_frequency == 60.0f && def.joint_damping_ratio == 2.0f && def.method == TR_SOFT_STEP);
    assert_ok(it->world, tr3_world_set_gravity(it->world, (tr_vec3){1.0f, 2.0f, 3.0f}));
    assert_true(tr3_world_gravity(it->world).z == 3.0f);
    assert_ok(it->world, tr3_world_get(it->world, &def));
    assert_true(def.gravity.x == 1.0f && def.gravity.y == 2.0f && def.gravity.z == 3.0f && def.tag == 7);

    tr3_world *world = NULL;
    tr_error error;
    def.gravity.z = NAN;
    assert_int_equal(tr3_world_create(&def, &world, &error), TR_ERROR_NAN);
    assert_string_equal(error.message, "world_create: def.gravity.z is NaN");
    REJECT(it->world, tr3_world_set_gravity(it->world, (tr_vec3){0.0f, 0.0f, INFINITY}), TR_ERROR_INFINITE,
           "world_set_gravity: gravity.z is infinite");
    assert_int_equal(tr3_world_set_gravity(NULL, (tr_vec3){0}), TR_ERROR_NULL);
    assert_true(tr3_world_gravity(NULL).y == 0.0f);
    assert_true(tr3_world_state_hash(NULL) == 0);
}

/*
 * Definitions
 */
static void a_body_has_the_defaults(void **state)
{
    fixture *it = *state;
    tr3_body_def def;
    assert_ok(it->world, tr3_body_get(it->world, it->a, &def));
    assert_int_equal(def.type, TR_DYNAMIC);
    assert_true(is_same_quat(def.rotation, (tr_quat){0.0f, 0.0f, 0.0f, 1.0f}));
    assert_true(is_same_tensor(def.inertia, (tr_sym3){1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f}));
    assert_true(def.mass == 1.0f && def.gravity_scale == 1.0f && def.enabled && !def.fixed_rotation);
    assert_true(def.sleep_scale == 1.0f);
}

typedef struct bad_number {
    size_t offset; /* in tr3_body_def */
    bool wide;     /* a double */
    double value;
    tr_status status;
    const char *sentence;
} bad_number;

#define WIDE(member)   offsetof(tr3_body_def, member), true
#define NARROW(member) offsetof(tr3_body_def, member), false
static const bad_number bad_numbers[] = {
    {WIDE(position.x), (double)NAN, TR_ERROR_NAN, "position.x is NaN"},
    {WIDE(position.y), (double)INFINITY, TR_ERROR_INFINITE, "position.y is infinite"},
    {WIDE(position.z), (double)-INFINITY, TR_ERROR_INFINITE, "position.z is infinite"},
    {NARROW(rotation.x), (double)NAN, TR_ERROR_NAN, "rotation.x is NaN"},
    {NARROW(rotation.y), (double)INFINITY, TR_ERROR_INFINITE, "rotation.y is infinite"},
    {NARROW(rotation.z), (double)NAN, TR_ERROR_NAN, "rotation.z is NaN"},
    {NARROW(rotation.w), (double)NAN, TR_ERROR_NAN, "rotation.w is NaN"},
    {NARROW(rotation.w), 0.0, TR_ERROR_ZERO, "rotation has no length"},
    {NARROW(velocity.z), (double)NAN, TR_ERROR_NAN, "velocity.z is NaN"},
    {NARROW(angular_velocity.x), (double)INFINITY, TR_ERROR_INFINITE, "angular_velocity.x is infinite"},
    {NARROW(angular_velocity.z), (double)NAN, TR_ERROR_NAN, "angular_velocity.z is NaN"},
    {NARROW(mass), 0.0, TR_ERROR_ZERO, "mass is zero, must be positive"},
    {NARROW(mass), 1e-39, TR_ERROR_RANGE, "mass is 1e-39, so small that its inverse is infinite"},
    {NARROW(inertia.xx), (double)NAN, TR_ERROR_NAN, "inertia.xx is NaN"},
    {NARROW(inertia.yy), -1.0, TR_ERROR_NEGATIVE, "inertia.yy is -1, must not be negative"},
    {NARROW(inertia.zz), (double)INFINITY, TR_ERROR_INFINITE, "inertia.zz is infinite"},
    {NARROW(inertia.zz), 0.0, TR_ERROR_ZERO, "inertia.zz is zero, but the others are not"},
    {NARROW(inertia.zz), 2.1, TR_ERROR_RANGE,
     "inertia has the principal moments 1, 1 and 2.1: none may exceed the sum of the others"},
    {NARROW(inertia.xy), (double)NAN, TR_ERROR_NAN, "inertia.xy is NaN"},
    {NARROW(inertia.xz), (double)INFINITY, TR_ERROR_INFINITE, "inertia.xz is infinite"},
    {NARROW(inertia.yz), 1.5, TR_ERROR_RANGE,
     "inertia has the principal moments 1, -0.5 and 2.5: the least must be 1e-06 of the greatest or more"},
    {NARROW(inertia.yz), 1.0, TR_ERROR_RANGE,
     "inertia has the principal moments 1, 0 and 2: the least must be 1e-06 of the greatest or more"},
    {NARROW(inertia.xx), 1e-39, TR_ERROR_RANGE, "inertia is 1e-39, so small that its inverse is infinite"},
    {NARROW(center.z), (double)NAN, TR_ERROR_NAN, "center.z is NaN"},
    {NARROW(linear_damping), -1.0, TR_ERROR_NEGATIVE, "linear_damping is -1, must not be negative"},
};

static tr3_body_def with(const bad_number *bad)
{
    tr3_body_def def = tr3_body_def_default();
    float narrow = (float)bad->value;
    if (bad->wide)
        memcpy((unsigned char *)&def + bad->offset, &bad->value, sizeof bad->value);
    else
        memcpy((unsigned char *)&def + bad->offset, &narrow, sizeof narrow);
    return def;
}

static void errors_name_what_is_wrong(void **state)
{
    fixture *it = *state;
    for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++) {
        char sentence[TR_MESSAGE_SIZE];
        tr3_body_def defs[3] = {tr3_body_def_default(), with(&bad_numbers[i]), tr3_body_def_default()};
        tr3_body ids[3] = {{0}};
        snprintf(sentence, sizeof sentence, "create_bodies: defs[1].%s", bad_numbers[i].sentence);
        REJECT(it->world, tr3_world_create_bodies(it->world, defs, 3, ids), bad_numbers[i].status, sentence);
        assert_int_equal(ids[0].index, 0);
        snprintf(sentence, sizeof sentence, "create_body: def.%s", bad_numbers[i].sentence);
        REJECT(it->world, tr3_world_create_body(it->world, &defs[1], NULL), bad_numbers[i].status, sentence);
        snprintf(sentence, sizeof sentence, "body_set: def.%s", bad_numbers[i].sentence);
        REJECT(it->world, tr3_body_set(it->world, it->a, &defs[1]), bad_numbers[i].status, sentence);
    }
    assert_int_equal(tr3_world_bodies(it->world).count, 1);
}

static void setters_name_what_is_wrong(void **state)
{
    fixture *it = *state;
    tr3_world *w = it->world;
    const tr_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    const tr_vec3 zero = {0.0f, 0.0f, 0.0f};
    const tr_sym3 unit = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    const tr_dvec3 far = {0.0, 0.0, 1e39};
    REJECT(w, tr3_body_set_transform(w, it->a, (tr_dvec3){0.0, 0.0, (double)NAN}, none), TR_ERROR_NAN,
           "body_set_transform: position.z is NaN");
    REJECT(w, tr3_body_set_transform(w, it->a, (tr_dvec3){0}, (tr_quat){0}), TR_ERROR_ZERO,
           "body_set_transform: rotation has no length");
    REJECT(w, tr3_body_set_velocity(w, it->a, (tr_vec3){0.0f, NAN, 0.0f}, zero), TR_ERROR_NAN,
           "body_set_velocity: velocity.y is NaN");
    REJECT(w, tr3_body_set_velocity(w, it->a, zero, (tr_vec3){0.0f, 0.0f, INFINITY}), TR_ERROR_INFINITE,
           "body_set_velocity: angular_velocity.z is infinite");
    REJECT(w, tr3_body_set_mass(w, it->a, -1.0f, unit, zero), TR_ERROR_NEGATIVE,
           "body_set_mass: mass is -1, must not be negative");
    REJECT(w, tr3_body_set_mass(w, it->a, 1.0f, (tr_sym3){1.0f, 1.0f, 1.0f, 0.0f, NAN, 0.0f}, zero), TR_ERROR_NAN,
           "body_set_mass: inertia.xz is NaN");
    REJECT(w, tr3_body_apply_force(w, it->a, (tr_vec3){0.0f, 3e38f, 0.0f}, far), TR_ERROR_RANGE,
           "body_apply_force: the sum of torques along x would not be finite");
    REJECT(w, tr3_body_apply_torque(w, it->a, (tr_vec3){0.0f, NAN, 0.0f}), TR_ERROR_NAN,
           "body_apply_torque: torque.y is NaN");
    REJECT(w, tr3_body_apply_angular_impulse(w, it->a, (tr_vec3){0.0f, 0.0f, INFINITY}), TR_ERROR_INFINITE,
           "body_apply_angular_impulse: impulse.z is infinite");
    tr_vec3 out;
    REJECT(w, tr3_body_local_point(w, it->a, far, &out), TR_ERROR_RANGE,
           "body_local_point: the result along z would not be finite");
}

/* A point mass; a plate, whose greatest moment is the sum of the others but for rounding; and a needle. */
static void limits_of_inertia_are_allowed(void **state)
{
    fixture *it = *state;
    const tr_sym3 allowed[] = {{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
                               {0.1f, 0.2f, 0.3f, 0.0f, 0.0f, 0.0f},
                               {1e-9f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f},
                               {1e30f, 1e30f, 1e30f, 1e29f, 0.0f, 0.0f},
                               {1e-30f, 1e-30f, 1e-30f, 1e-31f, 0.0f, 0.0f}};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        tr3_body_def def = tr3_body_def_default(), got;
        tr3_body id;
        def.inertia = allowed[i];
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        assert_ok(it->world, tr3_body_get(it->world, id, &got));
        assert_near_tensor(got.inertia, def.inertia, 1e-6 * (double)def.inertia.zz);
        assert_ok(it->world, tr3_body_set(it->world, id, &got));
    }
    uint64_t random = 5;
    for (uint32_t i = 0; i < 2000; i++) {
        double x = 1.5 + random_number(&random), y = 1.5 + random_number(&random);
        tr3_body_def def = tr3_body_def_default();
        def.inertia = tensor_of(random_rotation(&random), x, y, x + y);
        tr3_body id;
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    }
}

/* a torque leaves a point mass as it is */
static void a_point_mass_is_not_turned(void **state)
{
    fixture *it = *state;
    tr3_body_def def = tr3_body_def_default();
    tr3_body id;
    def.inertia = (tr_sym3){0};
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    assert_ok(it->world, tr3_body_apply_angular_impulse(it->world, id, (tr_vec3){1.0f, 2.0f, 3.0f}));
    tr_vec3 w;
    assert_ok(it->world, tr3_body_get_velocity(it->world, id, NULL, &w));
    assert_true(w.x == 0.0f && w.y == 0.0f && w.z == 0.0f);
}

/*
 * Principal axes
 */
static void principal_axes_make_the_tensor_again(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        double x, y, z;
        random_moments(&random, &x, &y, &z);
        /* also two that are equal, and all three */
        y = i % 4 == 1 ? x : y;
        z = i % 8 == 1 ? x : z;
        tr_sym3 tensor = tensor_of(random_rotation(&random), x, y, z);
        tr_dvec3 moments;
        tr3_dquat frame;
        tr3_principal(tensor, &moments, &frame);
        NEAR(tr3_quat_square(frame), 1.0, 1e-14);
        /* as floats: the tensor was rounded to them */
        assert_near_tensor(tensor_of(frame, moments.x, moments.y, moments.z), tensor, 5e-7);
        NEAR(moments.x + moments.y + moments.z, x + y + z, 1e-6);
    }
}

static void a_diagonal_tensor_keeps_its_axes(void **state)
{
    fixture *it = *state;
    tr3_body_def def = tr3_body_def_default();
    tr3_body id;
    def.inertia = (tr_sym3){3.0f, 2.0f, 4.0f, 0.0f, -0.0f, 0.0f};
    def.rotation = (tr_quat){0.5f, -0.5f, 0.5f, 0.5f};
    assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
    size_t held = it->allocator.held;
    tr3_body_view view = tr3_world_bodies(it->world);
    assert_true(it->allocator.held > held); /* no array of frames before */
    assert_true(view.inertia_x[1] == 3.0f && view.inertia_y[1] == 2.0f && view.inertia_z[1] == 4.0f);
    assert_true(view.frame_x[1] == 0.0f && view.frame_y[1] == 0.0f && view.frame_z[1] == 0.0f &&
                view.frame_w[1] == 1.0f);
    assert_true(view.rotation_x[1] == 0.5f && view.rotation_y[1] == -0.5f && view.rotation_w[1] == 0.5f);
    assert_true(view.inverse_inertia_x[1] == 1.0f / 3.0f && view.inverse_inertia_y[1] == 0.5f);
    assert_true(view.inverse_mass[1] == 1.0f);
}

/* in the view, rotation * conjugate(frame) is the body's rotation; the moments are those that were put in */
static void the_view_has_the_principal_axes(void **state)
{
    fixture *it = *state;
    uint64_t random = 2;
    for (uint32_t i = 0; i < 300; i++) {
        double x, y, z;
        random_moments(&random, &x, &y, &z);
        tr3_body_def def = tr3_body_def_default();
        tr3_body id;
        def.inertia = tensor_of(random_rotation(&random), x, y, z);
        def.rotation = tr3_narrow_quat(random_rotation(&random));
        assert_ok(it->world, tr3_world_create_body(it->world, &def, &id));
        tr3_body_view view = tr3_world_bodies(it->world);
        uint32_t row = view.count - 1;
        tr3_dquat rotation = {(double)view.rotation_x[row], (double)view.rotation_y[row], (double)view.rotation_z[row],
                              (double)view.rotation_w[row]};
        tr3_dquat frame = {(double)view.frame_x[row], (double)view.frame_y[row], (double)view.frame_z[row],
                           (double)view.frame_w[row]};
        tr3_dquat own = tr3_compose(rotation, tr3_conjugate(frame));
        NEAR(own.x, def.rotation.x, 3e-7);
        NEAR(own.y, def.rotation.y, 3e-7);
        NEAR(own.z, def.rotation.z, 3e-7);
        NEAR(own.w, def.rotation.w, 3e-7);
        double ix = (double)view.inertia_x[row], iy = (double)view.inertia_y[row], iz = (double)view.inertia_z[row];
        NEAR(ix + iy + iz, x + y + z, 1e-6);
        NEAR(ix * iy * iz, x * y * z, 1e-5);
        assert_true(view.inverse_inertia_z[row] == 1.0f / view.inertia_z[row]);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_world_has_the_settings_of_its_definition),
        TEST(a_body_has_the_defaults),
        TEST(errors_name_what_is_wrong),
        TEST(setters_name_what_is_wrong),
        TEST(limits_of_inertia_are_allowed),
        TEST(a_point_mass_is_not_turned),
        cmocka_unit_test(principal_axes_make_the_tensor_again),
        TEST(a_diagonal_tensor_keeps_its_axes),
        TEST(the_view_has_the_principal_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
