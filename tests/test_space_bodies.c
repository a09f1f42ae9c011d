/*
 * Bodies of worlds in space, without a step: definitions and the errors that name what is wrong with them, principal
 * axes of tensors, what is set and read again, forces and impulses, batches, ids that are stale.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "allocator.h"
#include "random.h"
#include "solver/core/system.h"
#include "trammel/statistics3.h"

typedef struct fixture {
    test_allocator allocator;
    tr3_world *world;
    tr3_body a; /* in the origin, with the defaults */
} fixture;

static void assert_ok(const tr3_world *world, tr_status status)
{
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
}

static int set_up(void **state)
{
    static fixture it;
    it = (fixture){0};
    tr3_world_def def = tr3_world_def_default();
    def.allocator = test_hooks(&it.allocator);
    def.tag = 7;
    assert_int_equal(tr3_world_create(&def, &it.world, NULL), TR_OK);
    tr3_body_def body = tr3_body_def_default();
    assert_ok(it.world, tr3_world_create_body(it.world, &body, &it.a));
    *state = &it;
    return 0;
}

static int tear_down(void **state)
{
    fixture *it = *state;
    tr3_world_destroy(it->world);
    assert_int_equal(it->allocator.held, 0);
    assert_int_equal(it->allocator.mismatches, 0);
    return 0;
}

/* a call fails with this sentence, and leaves the state as it was */
#define REJECT(world, call, expected, sentence)                                                                        \
    do {                                                                                                               \
        uint64_t before = tr3_world_state_hash(world);                                                                 \
        assert_int_equal(call, expected);                                                                              \
        assert_int_equal(tr3_world_last_error(world)->status, expected);                                               \
        assert_string_equal(tr3_world_last_error(world)->message, sentence);                                           \
        assert_true(tr3_world_state_hash(world) == before);                                                            \
    } while (0)

#define NEAR(a, b, slack) assert_true(fabs((double)(a) - (double)(b)) <= (slack))

/* -1 to 1 */
static double random_number(uint64_t *state)
{
    return (double)random_index(state, 2000001) / 1e6 - 1.0;
}

static tr3_dquat random_rotation(uint64_t *state)
{
    tr3_dquat q;
    do
        q = (tr3_dquat){random_number(state), random_number(state), random_number(state), random_number(state)};
    while (tr3_quat_square(q) < 0.01);
    return tr3_normalised(q);
}

/* the tensor with these moments about the axes that a rotation makes of x, y and z */
static tr_sym3 tensor_of(tr3_dquat q, double x, double y, double z)
{
    const double moment[3] = {x, y, z};
    const tr_dvec3 axis[3] = {tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                              tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0})};
    double sum[6] = {0};
    for (int i = 0; i < 3; i++) {
        const tr_dvec3 n = axis[i];
        const double part[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
        for (int k = 0; k < 6; k++)
            sum[k] += moment[i] * part[k];
    }
    return (tr_sym3){(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3], (float)sum[4], (float)sum[5]};
}

static void assert_near_tensor(tr_sym3 a, tr_sym3 b, double slack)
{
    NEAR(a.xx, b.xx, slack);
    NEAR(a.yy, b.yy, slack);
    NEAR(a.zz, b.zz, slack);
    NEAR(a.xy, b.xy, slack);
    NEAR(a.xz, b.xz, slack);
    NEAR(a.yz, b.yz, slack);
}

static bool is_same_tensor(tr_sym3 a, tr_sym3 b)
{
    return tr3_is_same_inertia(a, b);
}

static bool is_same_quat(tr_quat a, tr_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

/* three odd moments that some body has: the third between the difference and the sum of the others */
static void random_moments(uint64_t *state, double *x, double *y, double *z)
{
    *x = 1.5 + random_number(state);
    *y = 1.5 + random_number(state);
    *z = fabs(*x - *y) + (0.5 + 0.49 * random_number(state)) * (*x + *y - fabs(*x - *y));
}

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
        TEST(a_world_has_the_settings_of_its_definition),
        TEST(a_body_has_the_defaults),
        TEST(errors_name_what_is_wrong),
        TEST(setters_name_what_is_wrong),
        TEST(limits_of_inertia_are_allowed),
        TEST(a_point_mass_is_not_turned),
        cmocka_unit_test(principal_axes_make_the_tensor_again),
        TEST(a_diagonal_tensor_keeps_its_axes),
        TEST(the_view_has_the_principal_axes),
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
