/*
 * Definitions of joints in space, without a step: errors that name what is wrong, what is set and read again, placing
 * by points of the world, and the pose of a joint, of which errors and coordinates are measured.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/angle.h"
#include "random.h"
#include "trammel/statistics3.h"
#include "world/core/world_internal.h"

typedef struct fixture {
    tr3_world *world;
    tr3_body a, b; /* tilted axes of inertia, centres beside the origins, any pose */
} fixture;

static void assert_ok(const tr3_world *world, tr_status status)
{
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
}

static tr3_body odd_body(tr3_world *world, float shift)
{
    tr3_body_def def = tr3_body_def_default();
    def.position = (tr_dvec3){1.0 + (double)shift, -2.0, 0.5};
    def.rotation = (tr_quat){0.1f + shift, -0.7f, 0.3f, 0.6f};
    def.inertia = (tr_sym3){2.0f, 2.5f, 3.0f, 0.25f, -0.5f, 0.125f};
    def.center = (tr_vec3){0.25f, -0.5f, shift};
    def.velocity = (tr_vec3){1.0f, 2.0f, shift};
    def.angular_velocity = (tr_vec3){-1.0f, shift, 0.5f};
    tr3_body id;
    assert_ok(world, tr3_world_create_body(world, &def, &id));
    return id;
}

static int set_up(void **state)
{
    static fixture it;
    tr3_world_def def = tr3_world_def_default();
    def.tag = 7;
    assert_int_equal(tr3_world_create(&def, &it.world, NULL), TR_OK);
    it.a = odd_body(it.world, 0.5f);
    it.b = odd_body(it.world, -1.5f);
    *state = &it;
    return 0;
}

static int tear_down(void **state)
{
    tr3_world_destroy(((fixture *)*state)->world);
    return 0;
}

#define NEAR(a, b, slack) assert_true(fabs((double)(a) - (double)(b)) <= (slack))

/* in -1 .. 1 */
static float space_part(uint64_t *random)
{
    return (float)random_index(random, 2001) / 1000.0f - 1.0f;
}

static tr3_joint_def joint_of(const fixture *it, tr3_joint_type type)
{
    tr3_joint_def def = tr3_joint_def_default(type);
    def.body_a = it->a;
    def.body_b = it->b;
    return def;
}

static void reject(fixture *it, const tr3_joint_def *def, tr_status expected, const char *sentence)
{
    char message[TR_MESSAGE_SIZE];
    tr3_joint id = {0, 0, 0};
    assert_int_equal(tr3_world_create_joint(it->world, def, &id), expected);
    snprintf(message, sizeof message, "create_joint: def.%s", sentence);
    assert_string_equal(tr3_world_last_error(it->world)->message, message);
    assert_int_equal(id.index, 0);
}

/*
 * Errors
 */
static void defaults_are_accepted(void **state)
{
    fixture *it = *state;
    for (tr3_joint_type type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_def def = joint_of(it, type);
        assert_true(def.axis.x == 1.0f && def.reference.w == 1.0f && def.length == 1.0f && def.enabled);
        assert_true(def.cone_angle == (float)TR_PI && !def.twist.enable);
        tr3_joint id;
        assert_ok(it->world, tr3_world_create_joint(it->world, &def, &id));
    }
    assert_int_equal(tr3_world_statistics(it->world).joints, TR3_JOINT_TYPE_COUNT);
    assert_string_equal(tr3_joint_type_name(TR3_JOINT_TYPE_COUNT), "unknown");
    assert_string_equal(tr3_field_name(TR3_FIELD_TWIST_UPPER), "twist.upper");
}

static void errors_name_what_is_wrong(void **state)
{
    fixture *it = *state;
    tr3_joint_def def;
#define BAD(type, member, value, status, sentence)                                                                     \
    do {                                                                                                               \
        def = joint_of(it, type);                                                                                      \
        def.member = value;                                                                                            \
        reject(it, &def, status, sentence);                                                                            \
    } while (0)
    const tr_vec3 none = {0.0f, 0.0f, 0.0f};
    const tr_quat no_turn = {0.0f, 0.0f, 0.0f, 0.0f};
    BAD(TR3_JOINT_HINGE, type, (tr3_joint_type)99, TR_ERROR_RANGE, "type is 99, no type of joint");
    BAD(TR3_JOINT_HINGE, anchor_a.z, NAN, TR_ERROR_NAN, "anchor_a.z is NaN");
    BAD(TR3_JOINT_HINGE, anchor_b.y, INFINITY, TR_ERROR_INFINITE, "anchor_b.y is infinite");
    BAD(TR3_JOINT_HINGE, axis.z, NAN, TR_ERROR_NAN, "axis.z is NaN");
    BAD(TR3_JOINT_HINGE, axis, none, TR_ERROR_ZERO, "axis has no length");
    BAD(TR3_JOINT_WELD, reference.x, NAN, TR_ERROR_NAN, "reference.x is NaN");
    BAD(TR3_JOINT_WELD, reference.w, INFINITY, TR_ERROR_INFINITE, "reference.w is infinite");
    BAD(TR3_JOINT_WELD, reference, no_turn, TR_ERROR_ZERO, "reference has no length");
    BAD(TR3_JOINT_BALL, cone_angle, -1.0f, TR_ERROR_NEGATIVE, "cone_angle is -1, must not be negative");
    BAD(TR3_JOINT_BALL, cone_angle, 3.25f, TR_ERROR_RANGE, "cone_angle is 3.25 rad, more than pi");
    BAD(TR3_JOINT_BALL, twist.lower, -3.5f, TR_ERROR_RANGE, "twist.lower is -3.5 rad, less than -pi");
    BAD(TR3_JOINT_BALL, twist.upper, 3.5f, TR_ERROR_RANGE, "twist.upper is 3.5 rad, more than pi");
    BAD(TR3_JOINT_BALL, twist.lower, 0.5f, TR_ERROR_RANGE, "twist.lower is 0.5, above twist.upper, 0");
    BAD(TR3_JOINT_DISTANCE, length, -1.0f, TR_ERROR_NEGATIVE, "length is -1, must not be negative");
    BAD(TR3_JOINT_SLIDER, limit.lower, 1.0f, TR_ERROR_RANGE, "limit.lower is 1, above limit.upper, 0");
    BAD(TR3_JOINT_UNIVERSAL, axis_2, ((tr_vec3){-3.0f, 0.0f, 0.0f}), TR_ERROR_RANGE, "axis_2 is along axis");
    BAD(TR3_JOINT_UNIVERSAL, axis_2.y, NAN, TR_ERROR_NAN, "axis_2.y is NaN");
    BAD(TR3_JOINT_HINGE, axis_2.y, 1.0f, TR_ERROR_NO_PROPERTY, "axis_2.y is set, but a hinge joint does not have it");
    BAD(TR3_JOINT_CYLINDRICAL, second.limit.lower, 1.0f, TR_ERROR_RANGE,
        "second.limit.lower is 1, above second.limit.upper, 0");
    BAD(TR3_JOINT_GENERAL, sixth.limit.upper, -1.0f, TR_ERROR_RANGE,
        "sixth.limit.lower is 0, above sixth.limit.upper, -1");
    BAD(TR3_JOINT_GENERAL, fourth.motor.maximum, -1.0f, TR_ERROR_NEGATIVE,
        "fourth.motor.maximum is -1, must not be negative");
    BAD(TR3_JOINT_CYLINDRICAL, third.friction, 1.0f, TR_ERROR_NO_PROPERTY,
        "third.friction is set, but a cylindrical joint does not have it");
    BAD(TR3_JOINT_CYLINDRICAL, second.locked, true, TR_ERROR_NO_PROPERTY,
        "second.locked is set, but a cylindrical joint does not have it");
    BAD(TR3_JOINT_BALL, second.friction, 1.0f, TR_ERROR_NO_PROPERTY,
        "second.friction is set, but a ball joint does not have it");
    BAD(TR3_JOINT_BALL, limit.enable, true, TR_ERROR_NO_PROPERTY,
        "limit.enable is set, but a ball joint does not have it");
    BAD(TR3_JOINT_BALL, fourth.motor.speed, 1.0f, TR_ERROR_NO_PROPERTY,
        "fourth.motor.speed is set, but a ball joint does not have it");
    BAD(TR3_JOINT_BALL, third.motor.maximum, -1.0f, TR_ERROR_NEGATIVE,
        "third.motor.maximum is -1, must not be negative");
    BAD(TR3_JOINT_BALL, cone_angle_2, -1.0f, TR_ERROR_NEGATIVE, "cone_angle_2 is -1, must not be negative");
    BAD(TR3_JOINT_BALL, cone_angle_2, 3.25f, TR_ERROR_RANGE, "cone_angle_2 is 3.25 rad, more than pi");
    BAD(TR3_JOINT_HINGE, length, 2.0f, TR_ERROR_NO_PROPERTY, "length is set, but a hinge joint does not have it");
    BAD(TR3_JOINT_HINGE, cone_angle, 1.0f, TR_ERROR_NO_PROPERTY,
        "cone_angle is set, but a hinge joint does not have it");
    BAD(TR3_JOINT_WELD, motor.enable, true, TR_ERROR_NO_PROPERTY,
        "motor.enable is set, but a weld joint does not have it");
    BAD(TR3_JOINT_HINGE, body_b, it->a, TR_ERROR_SELF_JOINT, "body_b is body_a (slot 0)");
#undef BAD
    /* an anchor is used relative to the centre of mass */
    tr_vec3 far = {0.0f, 3e38f, 0.0f}, center = {0.0f, -3e38f, 0.0f};
    assert_ok(it->world, tr3_body_set_velocity(it->world, it->b, none, none));
    assert_ok(it->world, tr3_body_set_mass(it->world, it->b, 1.0f, tr3_body_def_default().inertia, center));
    def = joint_of(it, TR3_JOINT_WELD);
    def.anchor_b = far;
    reject(it, &def, TR_ERROR_RANGE, "anchor_b from body_b's center would not be finite");
    assert_int_equal(tr3_world_statistics(it->world).joints, 0);
}

/* all or none, and the error says which */
static void batches_are_all_or_none(void **state)
{
    fixture *it = *state;
    tr3_joint_def defs[3] = {joint_of(it, TR3_JOINT_HINGE), joint_of(it, TR3_JOINT_SLIDER),
                             joint_of(it, TR3_JOINT_BALL)};
    tr3_joint ids[3];
    defs[2].cone_angle = 4.0f;
    assert_int_equal(tr3_world_create_joints(it->world, defs, 3, ids), TR_ERROR_RANGE);
    assert_string_equal(tr3_world_last_error(it->world)->message,
                        "create_joints: defs[2].cone_angle is 4 rad, more than pi");
    assert_int_equal(tr3_world_statistics(it->world).joints, 0);
    defs[2].cone_angle = 1.0f;
    assert_ok(it->world, tr3_world_create_joints(it->world, defs, 3, ids));
    tr3_joint of_a[4];
    uint32_t count;
    assert_ok(it->world, tr3_body_joints(it->world, it->a, of_a, 4, &count));
    assert_int_equal(count, 3);
    assert_int_equal(of_a[0].index, ids[2].index);
    assert_ok(it->world, tr3_world_destroy_body(it->world, it->b));
    assert_false(tr3_joint_is_valid(it->world, ids[1]));
    tr3_joint_def got;
    assert_int_equal(tr3_joint_get(it->world, ids[0], &got), TR_ERROR_STALE_ID);
}

/*
 * What is set and read again
 */
static void every_number_is_read_as_it_was_set(void **state)
{
    fixture *it = *state;
    for (tr3_joint_type type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_def def = joint_of(it, type), got;
        tr3_joint id;
        assert_ok(it->world, tr3_world_create_joint(it->world, &def, &id));
        for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++) {
            /* axis and reference are normalised: a test of their own */
            bool unit = (field >= TR3_FIELD_AXIS_X && field <= TR3_FIELD_REFERENCE_W) ||
                        (field >= TR3_FIELD_AXIS_2_X && field <= TR3_FIELD_AXIS_2_Z) ||
                        (field >= TR3_FIELD_AXIS_B_X && field <= TR3_FIELD_AXIS_B_Z) ||
                        (field >= TR3_FIELD_REFERENCE_B_X && field <= TR3_FIELD_REFERENCE_B_W);
            float value = -99.0f, again;
            tr_status status = tr3_joint_get_value(it->world, id, field, &value);
            assert_int_equal(status, tr3_joint_type_has(type, field) ? TR_OK : TR_ERROR_NO_PROPERTY);
            if (status != TR_OK || unit)
                continue;
            const tr3_field_kind kind = tr3_field_infos[field].kind;
            const float other = kind == TR_KIND_BOOL || kind == TR_KIND_KIND      ? 1.0f
                                : kind == TR_KIND_NOT_POSITIVE                    ? -0.5f
                                : strstr(tr3_field_name(field), ".lower") != NULL ? -0.25f
                                                                                  : 0.5f;
            assert_ok(it->world, tr3_joint_set_value(it->world, id, field, other));
            assert_ok(it->world, tr3_joint_get_value(it->world, id, field, &again));
            assert_true(again == other);
        }
        assert_ok(it->world, tr3_joint_get(it->world, id, &got));
        assert_ok(it->world, tr3_joint_set(it->world, id, &got));
        def = got;
        assert_ok(it->world, tr3_joint_get(it->world, id, &got));
        for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++)
            assert_int_equal(tr3_field_read(&got, field), tr3_field_read(&def, field));
    }
}

static void axes_and_references_are_normalised(void **state)
{
    fixture *it = *state;
    tr3_joint_def def = joint_of(it, TR3_JOINT_HINGE), got;
    def.axis = (tr_vec3){0.0f, 3.0f, 4.0f};
    def.reference = (tr_quat){0.0f, 0.0f, 30.0f, -40.0f};
    tr3_joint id;
    assert_ok(it->world, tr3_world_create_joint(it->world, &def, &id));
    assert_ok(it->world, tr3_joint_get(it->world, id, &got));
    assert_true(got.axis.x == 0.0f && got.axis.y == 0.6f && got.axis.z == 0.8f);
    assert_true(got.reference.z == 0.6f && got.reference.w == -0.8f);
    /* and after a change of one number */
    assert_ok(it->world, tr3_joint_set_value(it->world, id, TR3_FIELD_AXIS_X, 1.0f));
    assert_ok(it->world, tr3_joint_get(it->world, id, &got));
    NEAR(got.axis.x, sqrt(0.5), 1e-7);
    NEAR(got.axis.z, 0.8 * sqrt(0.5), 1e-7);
}

/* across the first, or some direction across it; what is across already keeps its bits */
static void second_axes_are_made_perpendicular(void **state)
{
    fixture *it = *state;
    tr3_joint_def def = joint_of(it, TR3_JOINT_UNIVERSAL), got;
    def.axis = (tr_vec3){0.0f, 0.0f, 2.0f};
    def.axis_2 = (tr_vec3){0.0f, 3.0f, 40.0f};
    tr3_joint id;
    assert_ok(it->world, tr3_world_create_joint(it->world, &def, &id));
    assert_ok(it->world, tr3_joint_get(it->world, id, &got));
    assert_true(got.axis_2.x == 0.0f && got.axis_2.y == 1.0f && got.axis_2.z == 0.0f);
    uint64_t random = 3;
    for (int i = 0; i < 300; i++) {
        def.axis = (tr_vec3){space_part(&random), space_part(&random), 0.1f};
        def.axis_2 =
            i % 3 == 0 ? (tr_vec3){0.0f, 0.0f, 0.0f} : (tr_vec3){space_part(&random), 0.2f, space_part(&random)};
        assert_ok(it->world, tr3_joint_set(it->world, id, &def));
        assert_ok(it->world, tr3_joint_get(it->world, id, &got));
        tr_dvec3 x = tr3_widen(got.axis), y = tr3_widen(got.axis_2);
        NEAR(tr3_dot(x, y), 0.0, 3e-7);
        NEAR(tr3_dot(y, y), 1.0, 3e-7);
        def = got;
        assert_ok(it->world, tr3_joint_set(it->world, id, &def));
        assert_ok(it->world, tr3_joint_get(it->world, id, &got));
        assert_memory_equal(&got.axis_2, &def.axis_2, sizeof got.axis_2);
    }
    /* one that a new axis makes useless is replaced when a definition is placed */
    def.axis_2 = (tr_vec3){0.0f, 0.0f, 1.0f};
    assert_ok(it->world, tr3_body_set_transform(it->world, it->a, (tr_dvec3){0}, (tr_quat){0.0f, 0.0f, 0.0f, 1.0f}));
    assert_ok(it->world, tr3_joint_def_initialize(it->world, &def, (tr_dvec3){0}, (tr_dvec3){0}, def.axis_2));
    NEAR(def.axis_2.z, 0.0, 1e-7);
    assert_ok(it->world, tr3_world_create_joint(it->world, &def, NULL));
}

/*
 * Poses
 */

/* the same from the public conversions of points and vectors, which are in float or relative to the origin */
static void a_pose_is_that_of_anchors_and_axes(void **state)
{
    fixture *it = *state;
    tr3_joint_def def = joint_of(it, TR3_JOINT_HINGE);
    def.anchor_a = (tr_vec3){0.5f, 1.0f, -2.0f};
    def.anchor_b = (tr_vec3){-1.0f, 0.25f, 3.0f};
    def.axis = (tr_vec3){0.0f, 0.6f, 0.8f};
    def.reference = (tr_quat){0.5f, 0.5f, -0.5f, 0.5f};
    const uint32_t rows[TR_ENDS] = {0, 1, TR_NONE, TR_NONE};
    tr3_joint_pose pose;
    tr3_joint_pose_get(&it->world->bodies, rows, &def, 0, &pose);

    tr_dvec3 at_a, at_b;
    assert_ok(it->world, tr3_body_world_point(it->world, it->a, def.anchor_a, &at_a));
    assert_ok(it->world, tr3_body_world_point(it->world, it->b, def.anchor_b, &at_b));
    NEAR(pose.d.x, at_b.x - at_a.x, 1e-13);
    NEAR(pose.d.y, at_b.y - at_a.y, 1e-13);
    NEAR(pose.d.z, at_b.z - at_a.z, 1e-13);
    NEAR(pose.r_a.y, at_a.y - it->world->bodies.center_y[0], 1e-13);
    NEAR(pose.r_b.z, at_b.z - it->world->bodies.center_z[1], 1e-13);
    tr_vec3 va, vb, axis;
    assert_ok(it->world, tr3_body_point_velocity(it->world, it->a, at_a, &va));
    assert_ok(it->world, tr3_body_point_velocity(it->world, it->b, at_b, &vb));
    NEAR(pose.d_rate.x, (double)vb.x - (double)va.x, 1e-6);
    NEAR(pose.d_rate.z, (double)vb.z - (double)va.z, 1e-6);
    assert_ok(it->world, tr3_body_world_vector(it->world, it->a, def.axis, &axis));
    NEAR(pose.axis.x, axis.x, 1e-7);
    NEAR(pose.axis.z, axis.z, 1e-7);
    /* the axis in B: seen from B in the reference rotation, which takes y, z to x, -y here by its inverse */
    tr3_dquat reference = tr3_widen_quat(def.reference);
    tr_dvec3 in_b = tr3_turned(tr3_conjugate(reference), tr3_widen(def.axis));
    assert_ok(it->world, tr3_body_world_vector(it->world, it->b, tr3_narrow(in_b), &axis));
    NEAR(pose.axis_b.x, axis.x, 2e-7);
    NEAR(pose.axis_b.y, axis.y, 2e-7);
    NEAR(pose.axis_b.z, axis.z, 2e-7);
    assert_true(pose.relative.w >= 0.0);
    NEAR(tr3_quat_square(pose.relative), 1.0, 1e-14);
}

/* B turned about the axis by an angle has that angle; the axes agree then */
static void the_angle_is_about_the_axis(void **state)
{
    fixture *it = *state;
    uint64_t random = 1;
    for (uint32_t i = 0; i < 200; i++) {
        tr3_joint_def def = joint_of(it, TR3_JOINT_HINGE);
        def.axis = (tr_vec3){0.48f, 0.6f, 0.64f};
        def.reference = (tr_quat){0.1f, 0.7f, -0.1f, 0.7f};
        double angle = TR_PI * ((double)random_index(&random, 1999) / 1000.0 - 0.999);
        tr3_dquat turn = {0.48 * sin(angle / 2), 0.6 * sin(angle / 2), 0.64 * sin(angle / 2), cos(angle / 2)};
        tr3_dquat a = tr3_body_rotation(&it->world->bodies, 0);
        tr3_dquat b = tr3_compose(tr3_compose(a, turn), tr3_normalised(tr3_widen_quat(def.reference)));
        assert_ok(it->world, tr3_body_set_transform(it->world, it->b, (tr_dvec3){0}, tr3_narrow_quat(b)));
        const uint32_t rows[TR_ENDS] = {0, 1, TR_NONE, TR_NONE};
        tr3_joint_pose pose;
        tr3_joint_pose_get(&it->world->bodies, rows, &def, 0, &pose);
        NEAR(pose.angle, angle, 1e-6);
        NEAR(tr3_dot(pose.axis, pose.axis_b), tr3_dot(tr3_widen(def.axis), tr3_widen(def.axis)), 1e-6);
        tr3_joint_pose_get(&it->world->bodies, rows, &def, 3, &pose);
        NEAR(pose.angle, angle + 3.0 * TR_TURN, 1e-6);
    }
}

static void placed_joints_are_satisfied(void **state)
{
    fixture *it = *state;
    const tr_dvec3 point = {10.0, 20.0, 30.0}, other = {10.0, 23.0, 34.0};
    const tr_vec3 axis = {0.0f, 0.0f, 5.0f};
    for (tr3_joint_type type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_def def;
        tr_dvec3 anchor_b = type == TR3_JOINT_DISTANCE ? other : point;
        assert_ok(it->world, tr3_joint_def_between(it->world, type, it->a, it->b, point, anchor_b, axis, &def));
        assert_ok(it->world, tr3_world_create_joint(it->world, &def, NULL));
        const uint32_t rows[TR_ENDS] = {0, 1, TR_NONE, TR_NONE};
        tr3_joint_pose pose;
        tr3_joint_pose_get(&it->world->bodies, rows, &def, 0, &pose);
        if (type == TR3_JOINT_GEAR) {
            /* its axes are those of its carriers, here the world */
            NEAR(def.axis.z, 1.0, 1e-6);
            NEAR(def.axis_b.z, 1.0, 1e-6);
            assert_true(def.meshed);
            continue;
        }
        double length = sqrt(tr3_dot(pose.d, pose.d));
        if (tr3_joint_type_has(type, TR3_FIELD_ANCHOR_A_X))
            NEAR(length, type == TR3_JOINT_DISTANCE ? 5.0 : 0.0, 1e-5);
        if (type == TR3_JOINT_DISTANCE) {
            NEAR(def.length, 5.0, 1e-6);
            continue;
        }
        if (tr3_joint_type_has(type, TR3_FIELD_AXIS_X))
            NEAR(pose.axis.z, 1.0, 1e-6);
        if (!tr3_joint_type_has(type, TR3_FIELD_REFERENCE_X))
            continue;
        NEAR(pose.angle, 0.0, 1e-6);
        NEAR(pose.relative.w, 1.0, 1e-12);
        if (tr3_joint_type_has(type, TR3_FIELD_AXIS_X))
            NEAR(pose.axis_b.z, 1.0, 1e-6);
    }
    tr3_joint_def def = joint_of(it, TR3_JOINT_HINGE);
    assert_int_equal(tr3_joint_def_initialize(it->world, &def, point, point, (tr_vec3){0}), TR_ERROR_ZERO);
    assert_string_equal(tr3_world_last_error(it->world)->message, "joint_def_initialize: axis has no length");
    assert_int_equal(tr3_joint_def_initialize(it->world, &def, (tr_dvec3){1e39, 0.0, 0.0}, point, axis),
                     TR_ERROR_RANGE);
    assert_string_equal(tr3_world_last_error(it->world)->message,
                        "joint_def_initialize: anchor_a in body_a's frame would not be finite");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(defaults_are_accepted),
        TEST(errors_name_what_is_wrong),
        TEST(batches_are_all_or_none),
        TEST(every_number_is_read_as_it_was_set),
        TEST(axes_and_references_are_normalised),
        TEST(second_axes_are_made_perpendicular),
        TEST(a_pose_is_that_of_anchors_and_axes),
        TEST(the_angle_is_about_the_axis),
        TEST(placed_joints_are_satisfied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
