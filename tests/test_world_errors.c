/* Bad input to worlds and bodies, and bad ids, row by row as docs/errors.md has it: the status, the sentence, and a
   world that is as it was. */
#include "world_errors.h"

/*
 * The world
 */
static void reject_world(tr2_world_def def, tr_status expected, const char *sentence)
{
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_world_create(&def, &world, &error), expected);
    assert_int_equal(error.status, expected);
    assert_string_equal(error.message, sentence);
    assert_int_equal(tr2_world_create(&def, &world, NULL), expected);
    assert_null(world);
}

static void a_world_is_not_made_from_a_bad_definition(void **state)
{
    (void)state;
    tr2_world *world = NULL;
    tr_error error;
    tr2_world_def good = tr2_world_def_default();
    assert_int_equal(tr2_world_create(NULL, &world, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "world_create: def is null");
    assert_int_equal(tr2_world_create(&good, NULL, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "world_create: out is null");
#define BAD(member, value, status, sentence)                                                                           \
    do {                                                                                                               \
        tr2_world_def def = tr2_world_def_default();                                                                   \
        def.member = value;                                                                                            \
        reject_world(def, status, "world_create: def." sentence);                                                      \
    } while (0)
    BAD(gravity.x, NAN, TR_ERROR_NAN, "gravity.x is NaN");
    BAD(gravity.y, -INFINITY, TR_ERROR_INFINITE, "gravity.y is infinite");
    BAD(joint_frequency, NAN, TR_ERROR_NAN, "joint_frequency is NaN");
    BAD(joint_frequency, INFINITY, TR_ERROR_INFINITE, "joint_frequency is infinite");
    BAD(joint_frequency, -1.0f, TR_ERROR_NEGATIVE, "joint_frequency is -1, must not be negative");
    BAD(joint_frequency, 0.0f, TR_ERROR_ZERO, "joint_frequency is zero, must be positive");
    BAD(joint_damping_ratio, NAN, TR_ERROR_NAN, "joint_damping_ratio is NaN");
    BAD(joint_damping_ratio, INFINITY, TR_ERROR_INFINITE, "joint_damping_ratio is infinite");
    BAD(joint_damping_ratio, -2.0f, TR_ERROR_NEGATIVE, "joint_damping_ratio is -2, must not be negative");
    BAD(length_unit, NAN, TR_ERROR_NAN, "length_unit is NaN");
    BAD(length_unit, INFINITY, TR_ERROR_INFINITE, "length_unit is infinite");
    BAD(length_unit, -1.0f, TR_ERROR_NEGATIVE, "length_unit is -1, must not be negative");
    BAD(length_unit, 0.0f, TR_ERROR_ZERO, "length_unit is zero, must be positive");
    BAD(length_unit, 9e-7f, TR_ERROR_RANGE, "length_unit is 9e-07 m, must be 1e-06 to 1e+06 m");
    BAD(length_unit, 1.1e6f, TR_ERROR_RANGE, "length_unit is 1.1e+06 m, must be 1e-06 to 1e+06 m");
    BAD(threads, 1025, TR_ERROR_RANGE, "threads is 1025, more than 1024");
    BAD(allocator.allocate, test_allocate, TR_ERROR_NULL, "allocator.release is null, but the other is not");
    BAD(allocator.release, test_release, TR_ERROR_NULL, "allocator.allocate is null, but the other is not");
#undef BAD
}

static void settings_and_steps_refuse_bad_numbers(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    REJECT(tr2_world_set_gravity(w, (tr_vec2){NAN, 0.0f}), TR_ERROR_NAN, "world_set_gravity: gravity.x is NaN");
    REJECT(tr2_world_set_gravity(w, (tr_vec2){0.0f, INFINITY}), TR_ERROR_INFINITE,
           "world_set_gravity: gravity.y is infinite");
    REJECT(tr2_world_set_joint_softness(w, 0.0f, 1.0f), TR_ERROR_ZERO,
           "world_set_joint_softness: joint_frequency is zero, must be positive");
    REJECT(tr2_world_set_joint_softness(w, NAN, 1.0f), TR_ERROR_NAN,
           "world_set_joint_softness: joint_frequency is NaN");
    REJECT(tr2_world_set_joint_softness(w, 60.0f, -1.0f), TR_ERROR_NEGATIVE,
           "world_set_joint_softness: joint_damping_ratio is -1, must not be negative");
    REJECT(tr2_world_set_joint_softness(w, 60.0f, INFINITY), TR_ERROR_INFINITE,
           "world_set_joint_softness: joint_damping_ratio is infinite");
    REJECT(tr2_world_set_threads(w, 1025), TR_ERROR_RANGE, "world_set_threads: threads is 1025, more than 1024");
    REJECT(tr2_world_step(w, (double)NAN, 4), TR_ERROR_NAN, "world_step: dt is NaN");
    REJECT(tr2_world_step(w, (double)INFINITY, 4), TR_ERROR_INFINITE, "world_step: dt is infinite");
    REJECT(tr2_world_step(w, -0.5, 4), TR_ERROR_NEGATIVE, "world_step: dt is -0.5, must not be negative");
    REJECT(tr2_world_step(w, 0.5, 0), TR_ERROR_RANGE, "world_step: substeps is 0, must be 1 to 1024");
    REJECT(tr2_world_step(w, 0.5, 1025), TR_ERROR_RANGE, "world_step: substeps is 1025, must be 1 to 1024");
    REJECT(tr2_world_step(w, 1e-300, 1), TR_ERROR_RANGE,
           "world_step: dt makes a sub-step of 1e-300 s, must be 1e-12 to 1e+06");
    REJECT(tr2_world_step(w, 1e300, 1), TR_ERROR_RANGE,
           "world_step: dt makes a sub-step of 1e+300 s, must be 1e-12 to 1e+06");
}

/*
 * Bodies
 */
typedef struct bad_number {
    size_t offset; /* in tr2_body_def */
    bool wide;     /* a double */
    double value;
    tr_status status;
    const char *sentence;
} bad_number;

#define WIDE(member)   offsetof(tr2_body_def, member), true
#define NARROW(member) offsetof(tr2_body_def, member), false
static const bad_number bad_numbers[] = {
    {WIDE(position.x), (double)NAN, TR_ERROR_NAN, "position.x is NaN"},
    {WIDE(position.y), (double)INFINITY, TR_ERROR_INFINITE, "position.y is infinite"},
    {WIDE(angle), (double)NAN, TR_ERROR_NAN, "angle is NaN"},
    {WIDE(angle), (double)-INFINITY, TR_ERROR_INFINITE, "angle is infinite"},
    {WIDE(angle), 2e12, TR_ERROR_RANGE, "angle is 2e+12 rad, must lie within +-1e+12"},
    {WIDE(angle), -2e12, TR_ERROR_RANGE, "angle is -2e+12 rad, must lie within +-1e+12"},
    {NARROW(velocity.x), (double)NAN, TR_ERROR_NAN, "velocity.x is NaN"},
    {NARROW(velocity.y), (double)INFINITY, TR_ERROR_INFINITE, "velocity.y is infinite"},
    {NARROW(angular_velocity), (double)NAN, TR_ERROR_NAN, "angular_velocity is NaN"},
    {NARROW(angular_velocity), (double)INFINITY, TR_ERROR_INFINITE, "angular_velocity is infinite"},
    {NARROW(mass), (double)NAN, TR_ERROR_NAN, "mass is NaN"},
    {NARROW(mass), (double)INFINITY, TR_ERROR_INFINITE, "mass is infinite"},
    {NARROW(mass), -1.0, TR_ERROR_NEGATIVE, "mass is -1, must not be negative"},
    {NARROW(mass), 0.0, TR_ERROR_ZERO, "mass is zero, must be positive"},
    {NARROW(mass), 1e-40, TR_ERROR_RANGE, "mass is 9.99995e-41, so small that its inverse is infinite"},
    {NARROW(inertia), (double)NAN, TR_ERROR_NAN, "inertia is NaN"},
    {NARROW(inertia), (double)INFINITY, TR_ERROR_INFINITE, "inertia is infinite"},
    {NARROW(inertia), -1.0, TR_ERROR_NEGATIVE, "inertia is -1, must not be negative"},
    {NARROW(inertia), 1e-40, TR_ERROR_RANGE, "inertia is 9.99995e-41, so small that its inverse is infinite"},
    {NARROW(center.x), (double)NAN, TR_ERROR_NAN, "center.x is NaN"},
    {NARROW(center.y), (double)INFINITY, TR_ERROR_INFINITE, "center.y is infinite"},
    {NARROW(gravity_scale), (double)NAN, TR_ERROR_NAN, "gravity_scale is NaN"},
    {NARROW(gravity_scale), (double)INFINITY, TR_ERROR_INFINITE, "gravity_scale is infinite"},
    {NARROW(linear_damping), (double)NAN, TR_ERROR_NAN, "linear_damping is NaN"},
    {NARROW(linear_damping), (double)INFINITY, TR_ERROR_INFINITE, "linear_damping is infinite"},
    {NARROW(linear_damping), -1.0, TR_ERROR_NEGATIVE, "linear_damping is -1, must not be negative"},
    {NARROW(angular_damping), (double)NAN, TR_ERROR_NAN, "angular_damping is NaN"},
    {NARROW(angular_damping), (double)INFINITY, TR_ERROR_INFINITE, "angular_damping is infinite"},
    {NARROW(angular_damping), -1.0, TR_ERROR_NEGATIVE, "angular_damping is -1, must not be negative"},
    {NARROW(sleep_scale), (double)NAN, TR_ERROR_NAN, "sleep_scale is NaN"},
    {NARROW(sleep_scale), (double)INFINITY, TR_ERROR_INFINITE, "sleep_scale is infinite"},
    {NARROW(sleep_scale), -1.0, TR_ERROR_NEGATIVE, "sleep_scale is -1, must not be negative"},
};

/* one bad definition, by each of the three ways in */
static void reject_body(scene *it, const tr2_body_def *def, tr_status status, const char *sentence)
{
    char expected[TR_MESSAGE_SIZE];
    snprintf(expected, sizeof expected, "create_body: def.%s", sentence);
    REJECT(tr2_world_create_body(it->world, def, NULL), status, expected);
    snprintf(expected, sizeof expected, "body_set: def.%s", sentence);
    REJECT(tr2_body_set(it->world, it->a, def), status, expected);
    tr2_body_def defs[3] = {tr2_body_def_default(), tr2_body_def_default(), *def};
    snprintf(expected, sizeof expected, "create_bodies: defs[2].%s", sentence);
    REJECT(tr2_world_create_bodies(it->world, defs, 3, NULL), status, expected);
}

static void bodies_refuse_bad_numbers(void **state)
{
    scene *it = *state;
    for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++) {
        const bad_number *bad = &bad_numbers[i];
        tr2_body_def def = tr2_body_def_default();
        float narrow = (float)bad->value;
        if (bad->wide)
            memcpy((char *)&def + bad->offset, &bad->value, sizeof bad->value);
        else
            memcpy((char *)&def + bad->offset, &narrow, sizeof narrow);
        reject_body(it, &def, bad->status, bad->sentence);
    }
    tr2_body_def def = tr2_body_def_default();
    def.type = (tr_body_type)3;
    reject_body(it, &def, TR_ERROR_RANGE, "type is 3, no type of body");
    def.type = (tr_body_type)-1;
    reject_body(it, &def, TR_ERROR_RANGE, "type is -1, no type of body");
    /* the largest numbers are numbers */
    def = tr2_body_def_default();
    def.position.x = 1.7976931348623157e308;
    def.center.x = 3.4e38f;
    tr2_body id;
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &id));
    assert_true(isfinite(tr2_world_bodies(it->world).center_x[3]));
}

static void a_body_that_is_not_dynamic_may_have_no_mass(void **state)
{
    scene *it = *state;
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = TR_KINEMATIC;
    def.mass = 0.0f;
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &id));
    /* but then it cannot become dynamic */
    assert_int_equal(tr2_body_set_type(it->world, id, TR_DYNAMIC), TR_ERROR_ZERO);
    assert_string_equal(tr2_world_last_error(it->world)->message, "body_set_type: mass is zero, must be positive");
    assert_int_equal(tr2_world_bodies(it->world).type[3], TR_KINEMATIC);
    def.mass = -1.0f;
    assert_int_equal(tr2_world_create_body(it->world, &def, &id), TR_ERROR_NEGATIVE);
}

static void single_properties_of_bodies_refuse_bad_numbers(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    const tr_vec2 zero = {0.0f, 0.0f};
    const tr_vec2 nan_x = {NAN, 0.0f}, inf_y = {0.0f, INFINITY};
    const tr_dvec2 origin = {0.0, 0.0};
    const tr_dvec2 nan_point = {0.0, (double)NAN}, far = {(double)INFINITY, 0.0};
    REJECT(tr2_body_set_transform(w, it->a, nan_point, 0.0), TR_ERROR_NAN, "body_set_transform: position.y is NaN");
    REJECT(tr2_body_set_transform(w, it->a, far, 0.0), TR_ERROR_INFINITE, "body_set_transform: position.x is infinite");
    REJECT(tr2_body_set_transform(w, it->a, origin, (double)NAN), TR_ERROR_NAN, "body_set_transform: angle is NaN");
    REJECT(tr2_body_set_transform(w, it->a, origin, 1e13), TR_ERROR_RANGE,
           "body_set_transform: angle is 1e+13 rad, must lie within +-1e+12");
    REJECT(tr2_body_set_velocity(w, it->a, nan_x, 0.0f), TR_ERROR_NAN, "body_set_velocity: velocity.x is NaN");
    REJECT(tr2_body_set_velocity(w, it->a, zero, -INFINITY), TR_ERROR_INFINITE,
           "body_set_velocity: angular_velocity is infinite");
    REJECT(tr2_body_set_mass(w, it->a, 0.0f, 1.0f, zero), TR_ERROR_ZERO,
           "body_set_mass: mass is zero, must be positive");
    REJECT(tr2_body_set_mass(w, it->a, 1.0f, -1.0f, zero), TR_ERROR_NEGATIVE,
           "body_set_mass: inertia is -1, must not be negative");
    REJECT(tr2_body_set_mass(w, it->a, 1.0f, 1e-40f, zero), TR_ERROR_RANGE,
           "body_set_mass: inertia is 9.99995e-41, so small that its inverse is infinite");
    REJECT(tr2_body_set_mass(w, it->a, 1.0f, 1.0f, inf_y), TR_ERROR_INFINITE, "body_set_mass: center.y is infinite");
    REJECT(tr2_body_set_type(w, it->a, (tr_body_type)77), TR_ERROR_RANGE, "body_set_type: type is 77, no type of body");
    REJECT(tr2_body_set_damping(w, it->a, -1.0f, 0.0f), TR_ERROR_NEGATIVE,
           "body_set_damping: linear is -1, must not be negative");
    REJECT(tr2_body_set_damping(w, it->a, 0.0f, NAN), TR_ERROR_NAN, "body_set_damping: angular is NaN");
    REJECT(tr2_body_set_gravity_scale(w, it->a, INFINITY), TR_ERROR_INFINITE,
           "body_set_gravity_scale: scale is infinite");
    REJECT(tr2_body_set_sleep_scale(w, it->a, -1.0f), TR_ERROR_NEGATIVE,
           "body_set_sleep_scale: scale is -1, must not be negative");
    REJECT(tr2_body_set_sleep_scale(w, it->a, INFINITY), TR_ERROR_INFINITE, "body_set_sleep_scale: scale is infinite");
    REJECT(tr2_body_get_sleep_scale(w, it->a, NULL), TR_ERROR_NULL, "body_get_sleep_scale: scale is null");
}

static void pushes_refuse_bad_numbers_and_results(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    const tr_vec2 nan_x = {NAN, 0.0f}, inf_y = {0.0f, INFINITY}, huge = {0.0f, 3e38f};
    const tr_dvec2 origin = {0.0, 0.0}, nan_point = {0.0, (double)NAN}, far = {1e300, 0.0};
    REJECT(tr2_body_apply_force(w, it->a, nan_x, origin), TR_ERROR_NAN, "body_apply_force: force.x is NaN");
    REJECT(tr2_body_apply_force(w, it->a, huge, nan_point), TR_ERROR_NAN, "body_apply_force: point.y is NaN");
    REJECT(tr2_body_apply_force(w, it->a, huge, far), TR_ERROR_RANGE,
           "body_apply_force: the sum of torques would not be finite");
    REJECT(tr2_body_apply_force_to_center(w, it->a, inf_y), TR_ERROR_INFINITE,
           "body_apply_force_to_center: force.y is infinite");
    REJECT(tr2_body_apply_torque(w, it->a, NAN), TR_ERROR_NAN, "body_apply_torque: torque is NaN");
    REJECT(tr2_body_apply_impulse(w, it->a, inf_y, origin), TR_ERROR_INFINITE,
           "body_apply_impulse: impulse.y is infinite");
    REJECT(tr2_body_apply_impulse(w, it->a, huge, far), TR_ERROR_RANGE,
           "body_apply_impulse: the angular velocity would not be finite");
    REJECT(tr2_body_apply_angular_impulse(w, it->a, NAN), TR_ERROR_NAN, "body_apply_angular_impulse: impulse is NaN");

    /* sums overflow, too */
    tr2_body id = make_body(w, 0.0, 0.0);
    assert_ok(w, tr2_body_apply_force_to_center(w, id, huge));
    assert_int_equal(tr2_body_apply_force_to_center(w, id, huge), TR_ERROR_RANGE);
    assert_true(tr2_world_bodies(w).force_y[3] == 3e38f);
    assert_ok(w, tr2_body_apply_impulse(w, id, huge, origin));
    assert_int_equal(tr2_body_apply_impulse(w, id, huge, origin), TR_ERROR_RANGE);
    assert_true(tr2_world_bodies(w).velocity_y[3] == 3e38f);
}

/*
 * Ids: every call that takes one
 */
typedef struct body_call {
    const char *name;
    tr_status (*call)(tr2_world *world, tr2_body id);
} body_call;

#define BODY_CALL(label, expression)                                                                                   \
    static tr_status call_##label(tr2_world *w, tr2_body id)                                                           \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
BODY_CALL(destroy_body, tr2_world_destroy_body(w, id))
BODY_CALL(body_get, tr2_body_get(w, id, &(tr2_body_def){0}))
BODY_CALL(body_set, tr2_body_set(w, id, &(tr2_body_def){0}))
BODY_CALL(body_set_transform, tr2_body_set_transform(w, id, no_dvec2, 0.0))
BODY_CALL(body_set_velocity, tr2_body_set_velocity(w, id, no_vec2, 0.0f))
BODY_CALL(body_set_mass, tr2_body_set_mass(w, id, 1.0f, 1.0f, no_vec2))
BODY_CALL(body_set_type, tr2_body_set_type(w, id, TR_DYNAMIC))
BODY_CALL(body_set_damping, tr2_body_set_damping(w, id, 0.0f, 0.0f))
BODY_CALL(body_set_gravity_scale, tr2_body_set_gravity_scale(w, id, 1.0f))
BODY_CALL(body_set_sleep_scale, tr2_body_set_sleep_scale(w, id, 1.0f))
BODY_CALL(body_get_sleep_scale, tr2_body_get_sleep_scale(w, id, &(float){0.0f}))
BODY_CALL(body_set_fixed_rotation, tr2_body_set_fixed_rotation(w, id, false))
BODY_CALL(body_set_enabled, tr2_body_set_enabled(w, id, false))
BODY_CALL(body_set_bullet, tr2_body_set_bullet(w, id, true))
BODY_CALL(body_set_user_data, tr2_body_set_user_data(w, id, 0))
BODY_CALL(body_apply_force, tr2_body_apply_force(w, id, no_vec2, no_dvec2))
BODY_CALL(body_apply_force_to_center, tr2_body_apply_force_to_center(w, id, no_vec2))
BODY_CALL(body_apply_torque, tr2_body_apply_torque(w, id, 0.0f))
BODY_CALL(body_apply_impulse, tr2_body_apply_impulse(w, id, no_vec2, no_dvec2))
BODY_CALL(body_apply_angular_impulse, tr2_body_apply_angular_impulse(w, id, 0.0f))

#define ENTRY(label)                                                                                                   \
    {                                                                                                                  \
#label, call_##label                                                                                           \
    }
static const body_call body_calls[] = {
    ENTRY(destroy_body),
    ENTRY(body_get),
    ENTRY(body_set),
    ENTRY(body_set_transform),
    ENTRY(body_set_velocity),
    ENTRY(body_set_mass),
    ENTRY(body_set_type),
    ENTRY(body_set_damping),
    ENTRY(body_set_gravity_scale),
    ENTRY(body_set_sleep_scale),
    ENTRY(body_get_sleep_scale),
    ENTRY(body_set_fixed_rotation),
    ENTRY(body_set_enabled),
    ENTRY(body_set_bullet),
    ENTRY(body_set_user_data),
    ENTRY(body_apply_force),
    ENTRY(body_apply_force_to_center),
    ENTRY(body_apply_torque),
    ENTRY(body_apply_impulse),
    ENTRY(body_apply_angular_impulse),
};

static void reject_id(scene *it, const char *call, tr_status got, tr_status expected, const char *what)
{
    char sentence[TR_MESSAGE_SIZE];
    snprintf(sentence, sizeof sentence, "%s: id %s", call, what);
    reject(it, call, got, expected, sentence);
}

static void every_call_on_a_body_refuses_bad_ids(void **state)
{
    scene *it = *state;
    const tr2_body null = {0, 0, 0};
    for (size_t i = 0; i < sizeof body_calls / sizeof body_calls[0]; i++) {
        const body_call *c = &body_calls[i];
        reject_id(it, c->name, c->call(it->world, null), TR_ERROR_NULL_ID, "is the null id");
        reject_id(it, c->name, c->call(it->world, it->foreign), TR_ERROR_FOREIGN_ID, FOREIGN);
        reject_id(it, c->name, c->call(it->world, it->dead), TR_ERROR_STALE_ID, "is stale (slot 3, generation 0)");
        reject_id(it, c->name, c->call(it->world, it->never), TR_ERROR_STALE_ID, "is stale (slot 999 was never used)");
        assert_int_equal(c->call(NULL, it->a), TR_ERROR_NULL);
    }
    assert_false(tr2_body_is_valid(it->world, null));
    assert_false(tr2_body_is_valid(it->world, it->foreign));
    assert_false(tr2_body_is_valid(it->world, it->dead));
    assert_false(tr2_body_is_valid(it->world, it->never));
    assert_false(tr2_body_is_valid(NULL, it->a));
}

static void lists_of_bodies_name_the_bad_one(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    tr2_transform out[2];
    tr2_transform before;
    memset(out, 0x5A, sizeof out);
    before = out[0];
    const tr2_body foreign[2] = {it->a, it->foreign};
    const tr2_body dead[2] = {it->a, it->dead};
    const tr2_body null[2] = {it->a, {0, 0, 0}};
    const tr2_body twice[2] = {it->a, it->a};
    REJECT(tr2_world_get_transforms(w, foreign, 2, out), TR_ERROR_FOREIGN_ID, "get_transforms: ids[1] " FOREIGN);
    REJECT(tr2_world_get_transforms(w, dead, 2, out), TR_ERROR_STALE_ID,
           "get_transforms: ids[1] is stale (slot 3, generation 0)");
    REJECT(tr2_world_get_transforms(w, NULL, 2, out), TR_ERROR_NULL, "get_transforms: ids is null");
    REJECT(tr2_world_get_transforms(w, dead, 2, NULL), TR_ERROR_NULL, "get_transforms: out is null");
    assert_memory_equal(&out[0], &before, sizeof before);
    REJECT(tr2_world_destroy_bodies(w, foreign, 2), TR_ERROR_FOREIGN_ID, "destroy_bodies: ids[1] " FOREIGN);
    REJECT(tr2_world_destroy_bodies(w, dead, 2), TR_ERROR_STALE_ID,
           "destroy_bodies: ids[1] is stale (slot 3, generation 0)");
    REJECT(tr2_world_destroy_bodies(w, null, 2), TR_ERROR_NULL_ID, "destroy_bodies: ids[1] is the null id");
    REJECT(tr2_world_destroy_bodies(w, twice, 2), TR_ERROR_STALE_ID,
           "destroy_bodies: ids[1] names a body that the list has already");
    REJECT(tr2_world_destroy_bodies(w, NULL, 1), TR_ERROR_NULL, "destroy_bodies: ids is null");
    assert_ok(w, tr2_world_destroy_bodies(w, NULL, 0));
    assert_ok(w, tr2_world_get_transforms(w, NULL, 0, NULL));
}

#define JOINT_CALL(label, expression)                                                                                  \
    static tr_status call_##label(tr2_world *w, tr2_joint id)                                                          \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
JOINT_CALL(destroy_joint, tr2_world_destroy_joint(w, id))
JOINT_CALL(joint_get, tr2_joint_get(w, id, &(tr2_joint_def){0}))
JOINT_CALL(joint_set, tr2_joint_set(w, id, &(tr2_joint_def){0}))
JOINT_CALL(joint_set_event_at, tr2_joint_set_event_at(w, id, (tr_event_at){0}))
JOINT_CALL(joint_set_break_at, tr2_joint_set_break_at(w, id, (tr_break_at){0}))
JOINT_CALL(joint_set_value, tr2_joint_set_value(w, id, TR2_FIELD_ANCHOR_A_X, 0.0f))
JOINT_CALL(joint_set_user_data, tr2_joint_set_user_data(w, id, 0))
JOINT_CALL(joint_reaction, tr2_joint_reaction(w, id, &(tr2_reaction){0}))
JOINT_CALL(joint_error, tr2_joint_error(w, id, &(tr_joint_error_value){0}))
JOINT_CALL(joint_coordinate, tr2_joint_coordinate(w, id, &(tr_joint_coordinate_value){0}))
JOINT_CALL(joint_color, tr2_joint_color(w, id, &(uint32_t){0}))

static const struct joint_call {
    const char *name;
    tr_status (*call)(tr2_world *world, tr2_joint id);
} joint_calls[] = {
    ENTRY(destroy_joint),      ENTRY(joint_get),        ENTRY(joint_set),           ENTRY(joint_set_event_at),
    ENTRY(joint_set_break_at), ENTRY(joint_set_value),  ENTRY(joint_set_user_data), ENTRY(joint_reaction),
    ENTRY(joint_error),        ENTRY(joint_coordinate), ENTRY(joint_color),
};

static void every_call_on_a_joint_refuses_bad_ids(void **state)
{
    scene *it = *state;
    const tr2_joint null = {0, 0, 0};
    char stale[64];
    snprintf(stale, sizeof stale, "is stale (slot %d, generation 0)", (int)TR2_JOINT_TYPE_COUNT);
    for (size_t i = 0; i < sizeof joint_calls / sizeof joint_calls[0]; i++) {
        const struct joint_call *c = &joint_calls[i];
        reject_id(it, c->name, c->call(it->world, null), TR_ERROR_NULL_ID, "is the null id");
        reject_id(it, c->name, c->call(it->world, it->foreign_joint), TR_ERROR_FOREIGN_ID, FOREIGN);
        reject_id(it, c->name, c->call(it->world, it->dead_joint), TR_ERROR_STALE_ID, stale);
        reject_id(it, c->name, c->call(it->world, it->never_joint), TR_ERROR_STALE_ID,
                  "is stale (slot 999 was never used)");
        assert_int_equal(c->call(NULL, it->joint[0]), TR_ERROR_NULL);
    }
    assert_false(tr2_joint_is_valid(it->world, null));
    assert_false(tr2_joint_is_valid(it->world, it->foreign_joint));
    assert_false(tr2_joint_is_valid(it->world, it->dead_joint));
    assert_false(tr2_joint_is_valid(NULL, it->joint[0]));

    const tr2_joint list[3] = {it->joint[0], it->joint[1], it->joint[0]};
    const tr2_joint foreign[2] = {it->joint[0], it->foreign_joint};
    tr2_world *w = it->world;
    REJECT(tr2_world_destroy_joints(w, list, 3), TR_ERROR_STALE_ID,
           "destroy_joints: ids[2] names a joint that the list has already");
    REJECT(tr2_world_destroy_joints(w, foreign, 2), TR_ERROR_FOREIGN_ID, "destroy_joints: ids[1] " FOREIGN);
    REJECT(tr2_world_destroy_joints(w, NULL, 2), TR_ERROR_NULL, "destroy_joints: ids is null");
    assert_ok(w, tr2_world_destroy_joints(w, NULL, 0));
}

/*
 * Null pointers
 */
static void null_pointers_are_refused(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    REJECT(tr2_world_create_body(w, NULL, NULL), TR_ERROR_NULL, "create_body: def is null");
    REJECT(tr2_world_create_bodies(w, NULL, 1, NULL), TR_ERROR_NULL, "create_bodies: defs is null");
    REJECT(tr2_body_get(w, it->a, NULL), TR_ERROR_NULL, "body_get: out is null");
    REJECT(tr2_body_set(w, it->a, NULL), TR_ERROR_NULL, "body_set: def is null");
    REJECT(tr2_world_create_joint(w, NULL, NULL), TR_ERROR_NULL, "create_joint: def is null");
    REJECT(tr2_world_create_joints(w, NULL, 1, NULL), TR_ERROR_NULL, "create_joints: defs is null");
    REJECT(tr2_joint_get(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_get: out is null");
    REJECT(tr2_joint_set(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_set: def is null");
    REJECT(tr2_joint_reaction(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_reaction: out is null");
    REJECT(tr2_joint_error(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_error: out is null");
    REJECT(tr2_joint_coordinate(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_coordinate: out is null");
    REJECT(tr2_joint_color(w, it->joint[0], NULL), TR_ERROR_NULL, "joint_color: out is null");
    assert_ok(w, tr2_world_create_bodies(w, NULL, 0, NULL));
    assert_ok(w, tr2_world_create_joints(w, NULL, 0, NULL));
}

static void a_null_world_is_refused_and_reads_as_nothing(void **state)
{
    scene *it = *state;
    assert_int_equal(tr2_world_set_gravity(NULL, no_vec2), TR_ERROR_NULL);
    assert_int_equal(tr2_world_set_joint_softness(NULL, 1.0f, 1.0f), TR_ERROR_NULL);
    assert_int_equal(tr2_world_set_threads(NULL, 1), TR_ERROR_NULL);
    assert_int_equal(tr2_world_step(NULL, 1.0, 1), TR_ERROR_NULL);
    assert_int_equal(tr2_world_optimize(NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_create_body(NULL, &it->body_defs[0], NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_create_bodies(NULL, it->body_defs, 1, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_destroy_bodies(NULL, &it->a, 1), TR_ERROR_NULL);
    assert_int_equal(tr2_world_create_joint(NULL, &it->joint_defs[0], NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_create_joints(NULL, it->joint_defs, 1, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_destroy_joints(NULL, it->joint, 1), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_transforms(NULL, &it->a, 1, &(tr2_transform){0}), TR_ERROR_NULL);
    assert_int_equal(tr2_world_last_error(NULL)->status, TR_ERROR_NULL);
    assert_string_equal(tr2_world_last_error(NULL)->message, "the world is null");
    assert_true(tr2_world_gravity(NULL).y == 0.0f);
    assert_int_equal(tr2_world_threads(NULL), 0);
    assert_true(tr2_world_state_hash(NULL) == 0);
    assert_int_equal(tr2_world_bodies(NULL).count, 0);
    assert_int_equal(tr2_world_joints(NULL, TR2_JOINT_WELD).count, 0);
    assert_int_equal(tr2_world_joints(it->world, (tr2_joint_type)99).count, 0);
    assert_int_equal(tr2_world_statistics(NULL).bodies, 0);
    assert_int_equal(tr2_world_measure(NULL).rigid_joints, 0);
    tr2_world_destroy(NULL);
}

static void more_objects_than_can_be_numbered_are_refused(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    /* refused before the first definition is read */
    REJECT(tr2_world_create_bodies(w, it->body_defs, UINT32_MAX, NULL), TR_ERROR_LIMIT,
           "create_bodies: defs would pass 2^31 - 1 (4294967295 more)");
    REJECT(tr2_world_create_joints(w, it->joint_defs, UINT32_MAX, NULL), TR_ERROR_LIMIT,
           "create_joints: defs would pass 2^30 - 1 (4294967295 more)");
}

static void a_failure_stays_the_last_error_until_the_next(void **state)
{
    scene *it = *state;
    tr2_world *w = it->world;
    REJECT(tr2_world_step(w, -1.0, 1), TR_ERROR_NEGATIVE, "world_step: dt is -1, must not be negative");
    assert_ok(w, tr2_body_set_user_data(w, it->a, 0));
    assert_int_equal(tr2_world_last_error(w)->status, TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_world_last_error(it->other)->status, TR_OK);
    assert_string_equal(tr2_world_last_error(it->other)->message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_not_made_from_a_bad_definition),
        CASE(settings_and_steps_refuse_bad_numbers),
        CASE(bodies_refuse_bad_numbers),
        CASE(a_body_that_is_not_dynamic_may_have_no_mass),
        CASE(single_properties_of_bodies_refuse_bad_numbers),
        CASE(pushes_refuse_bad_numbers_and_results),
        CASE(every_call_on_a_body_refuses_bad_ids),
        CASE(lists_of_bodies_name_the_bad_one),
        CASE(every_call_on_a_joint_refuses_bad_ids),
        CASE(null_pointers_are_refused),
        CASE(a_null_world_is_refused_and_reads_as_nothing),
        CASE(more_objects_than_can_be_numbered_are_refused),
        CASE(a_failure_stays_the_last_error_until_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
