/* What a host leaves out: shapes weigh and motors drive without more, and what is wrong in one entry of many is
   named. */
#include <float.h>

#include "scene_file.h"
#include "shape_fixture.h"

#define DT (1.0 / 60.0)

/*
 * Mass
 */
static void shapes_weigh_by_their_area(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 0.0, 0.0);
    add(world, tr2_box_on(body, 1.0f, 0.5f));
    tr2_body_def def = body_now(world, body);
    assert_true(fabsf(def.mass - 2.0f) < 1e-6f && fabsf(def.inertia - 2.0f * 5.0f / 12.0f) < 1e-6f);
    add(world, tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 1.0f));
    assert_true(fabsf(body_now(world, body).mass - 5.1415927f) < 1e-6f);
}

static void shapes_without_density_leave_the_mass(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body_def def = tr2_body_def_default();
    tr2_body body;
    def.mass = 7.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &body));
    tr2_shape_def box = tr2_box_on(body, 1.0f, 1.0f);
    box.density = 0.0f;
    add(world, box);
    assert_true(body_now(world, body).mass == 7.0f);
    /* lines have no area, and no density either */
    add(world, tr2_segment_on(body, (tr_vec2){0.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}));
    assert_true(tr2_shape_def_default(TR2_SEGMENT).density == 0.0f && tr2_chain_def_default().shape.density == 0.0f);
    assert_true(body_now(world, body).mass == 7.0f);
}

static void a_box_turned_inside_out_is_refused(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 0.0, 0.0);
    tr2_shape_def good = tr2_box_on(body, 1.0f, 1.0f);
    const tr2_shape_def bad[] = {
        tr2_box_on(body, -1.0f, 1.0f),
        tr2_box_on(body, 1.0f, -2.0f),
        tr2_offset_box_on(body, -1.0f, -1.0f, (tr_vec2){1.0f, 1.0f}, 0.6f, 0.8f),
        tr2_box_on(body, NAN, 1.0f),
        tr2_box_on(body, 1.0f, INFINITY),
        tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, -1.0f),
        tr2_capsule_on(body, (tr_vec2){0.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, -0.5f),
        tr2_box_on(body, 0.0f, 1.0f),
    };
    static const struct {
        tr_status status;
        const char *message;
    } wanted[] = {
        {TR_ERROR_NEGATIVE, "half_extent.x is -1, must not be negative"},
        {TR_ERROR_NEGATIVE, "half_extent.y is -2, must not be negative"},
        {TR_ERROR_NEGATIVE, "half_extent.x is -1, must not be negative"},
        {TR_ERROR_NAN, "half_extent.x is NaN"},
        {TR_ERROR_INFINITE, "half_extent.y is infinite"},
        {TR_ERROR_NEGATIVE, "radius is -1, must not be negative"},
        {TR_ERROR_NEGATIVE, "radius is -0.5, must not be negative"},
        {TR_ERROR_ZERO, "point makes a polygon without area"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr2_shape_def defs[2] = {good, bad[i]};
        char message[TR_MESSAGE_SIZE];
        assert_int_equal(tr2_world_create_shape(world, &bad[i], NULL), wanted[i].status);
        snprintf(message, sizeof message, "create_shape: def.%s", wanted[i].message);
        assert_string_equal(tr2_world_last_error(world)->message, message);
        assert_int_equal(tr2_world_create_shapes(world, defs, 2, NULL), wanted[i].status);
        snprintf(message, sizeof message, "create_shapes: defs[1].%s", wanted[i].message);
        assert_string_equal(tr2_world_last_error(world)->message, message);
    }
    assert_int_equal(tr2_world_shapes(world).count, 0);
}

/*
 * Motors
 */
static tr2_body_def moving(double x)
{
    tr2_body_def def = tr2_body_def_default();
    def.position.x = x;
    return def;
}

/* each type with a motor or drive turns or moves a body of 1,000 kg as told, against its weight, without a maximum */
static void motors_drive_without_a_maximum(void **state)
{
    tr2_world *world = world_of(state);
    for (tr2_joint_type type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        bool motor = tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE);
        bool drive = tr2_joint_type_has(type, TR2_FIELD_DRIVE_MAX_FORCE);
        tr2_joint_def def = tr2_joint_def_default(type);
        assert_true(def.motor.maximum == FLT_MAX && def.max_force == FLT_MAX);
        assert_true(def.drive.max_force == FLT_MAX && def.drive.max_torque == FLT_MAX);
        if (!motor && !drive)
            continue;
        tr2_body_def heavy = moving(2.0);
        heavy.mass = heavy.inertia = 1000.0f;
        def.body_a = make(world, TR_STATIC, 0.0, 0.0);
        assert_ok(world, tr2_world_create_body(world, &heavy, &def.body_b));
        if (tr2_joint_type_has(type, TR2_FIELD_AXIS_X))
            def.axis = (tr_vec2){0.0f, 1.0f};
        if (type == TR2_JOINT_DISTANCE) {
            def.length = 2.0f;
            def.linear = tr_frequency(0.0f, 0.0f);
            heavy.position = (tr_dvec2){0.0, -2.0};
            assert_ok(world, tr2_body_set(world, def.body_b, &heavy));
        }
        if (type == TR2_JOINT_ANGLE)
            def.angular = tr_frequency(0.0f, 0.0f);
        def.motor.enable = motor;
        def.motor.speed = motor ? 0.5f : 0.0f;
        tr2_joint joint;
        assert_ok(world, tr2_world_create_joint(world, &def, &joint));
        for (int step = 0; step < 30; step++)
            assert_ok(world, tr2_world_step(world, DT, 4));
        tr_joint_coordinate_value at;
        assert_ok(world, tr2_joint_coordinate(world, joint, &at));
        tr_vec2 velocity;
        float spin;
        assert_ok(world, tr2_body_get_velocity(world, def.body_b, &velocity, &spin));
        /* a drive without a velocity holds: half a second of free fall would be 4.9 m/s */
        if (drive)
            assert_true(fabsf(velocity.x) < 1e-3f && fabsf(velocity.y) < 1e-3f && fabsf(spin) < 1e-3f);
        else if (type == TR2_JOINT_WHEEL)
            assert_true(fabsf(spin - 0.5f) < 1e-3f);
        else if (fabsf(at.rate - 0.5f) > 5e-3f)
            fail_msg("%s: %g instead of 0.5", tr2_joint_type_name(type), (double)at.rate);
        assert_ok(world, tr2_world_destroy_body(world, def.body_b));
    }
}

/*
 * Batches
 */
typedef struct batch {
    tr2_world *world;
    tr2_body bodies[4], gone;
    tr2_joint joints[3];
    tr2_shape shapes[3];
} batch;

static batch make_batch(tr2_world *world)
{
    batch it = {.world = world};
    for (int i = 0; i < 4; i++)
        it.bodies[i] = make(world, TR_DYNAMIC, i, 0.0);
    for (int i = 0; i < 3; i++) {
        it.joints[i] = make_joint(world, TR2_JOINT_WELD, it.bodies[i], it.bodies[i + 1]);
        it.shapes[i] = add(world, tr2_box_on(it.bodies[i], 0.4f, 0.4f));
    }
    it.gone = make(world, TR_DYNAMIC, 9.0, 0.0);
    assert_ok(world, tr2_world_destroy_body(world, it.gone));
    return it;
}

static void assert_stale(const batch *it, tr_status status, const char *message)
{
    assert_int_equal(status, TR_ERROR_STALE_ID);
    assert_string_equal(tr2_world_last_error(it->world)->message, message);
}

/* every call that takes an array, with a stale id in its third entry: the message has the entry and the id */
static void batches_name_the_entry_that_is_stale(void **state)
{
    tr2_world *world = world_of(state);
    batch it = make_batch(world);
    assert_ok(world, tr2_world_destroy_joint(world, it.joints[2]));
    assert_ok(world, tr2_world_destroy_shape(world, it.shapes[2]));
    const tr2_body bodies[3] = {it.bodies[0], it.bodies[1], it.gone};
    const tr2_body twice[3] = {it.bodies[0], it.bodies[1], it.bodies[0]};
    tr2_transform transforms[3];
    tr2_aabb boxes[3];
    assert_stale(&it, tr2_world_get_transforms(world, bodies, 3, transforms),
                 "get_transforms: ids[2] is stale (slot 4, generation 0)");
    assert_stale(&it, tr2_world_get_body_bounds(world, bodies, 3, boxes),
                 "get_body_bounds: ids[2] is stale (slot 4, generation 0)");
    assert_stale(&it, tr2_world_get_shape_bounds(world, it.shapes, 3, boxes),
                 "get_shape_bounds: ids[2] is stale (slot 2, generation 0)");
    assert_stale(&it, tr2_world_destroy_bodies(world, bodies, 3),
                 "destroy_bodies: ids[2] is stale (slot 4, generation 0)");
    assert_stale(&it, tr2_world_destroy_bodies(world, twice, 3),
                 "destroy_bodies: ids[2] names a body that the list has already");
    assert_stale(&it, tr2_world_destroy_joints(world, it.joints, 3),
                 "destroy_joints: ids[2] is stale (slot 2, generation 0)");
    assert_stale(&it, tr2_world_destroy_shapes(world, it.shapes, 3),
                 "destroy_shapes: ids[2] is stale (slot 2, generation 0)");

    tr2_joint_def joints[3];
    tr2_shape_def shapes[3];
    tr2_contact_def contacts[3];
    for (int i = 0; i < 3; i++) {
        joints[i] = tr2_joint_def_default(TR2_JOINT_WELD);
        contacts[i] = tr2_contact_def_default();
        joints[i].body_a = contacts[i].body_a = it.bodies[3];
        joints[i].body_b = contacts[i].body_b = bodies[i];
        shapes[i] = tr2_box_on(bodies[i], 0.1f, 0.1f);
    }
    assert_stale(&it, tr2_world_create_joints(world, joints, 3, NULL),
                 "create_joints: defs[2].body_b is stale (slot 4, generation 0)");
    assert_stale(&it, tr2_world_create_shapes(world, shapes, 3, NULL),
                 "create_shapes: defs[2].body is stale (slot 4, generation 0)");
    assert_stale(&it, tr2_world_set_contacts(world, contacts, 3),
                 "set_contacts: defs[2].body_b is stale (slot 4, generation 0)");

    /* and one by one, without an entry */
    assert_stale(&it, tr2_body_get_transform(world, it.gone, transforms),
                 "body_get_transform: id is stale (slot 4, generation 0)");
    assert_int_equal(tr2_body_get_transform(world, it.bodies[0], NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_body_get_transform(NULL, it.bodies[0], transforms), TR_ERROR_NULL);
    tr2_transform one;
    assert_ok(world, tr2_world_get_transforms(world, bodies, 2, transforms));
    assert_ok(world, tr2_body_get_transform(world, bodies[1], &one));
    assert_true(one.position.x == transforms[1].position.x && one.position.y == transforms[1].position.y);
    assert_true(one.angle == transforms[1].angle && one.c == transforms[1].c && one.s == transforms[1].s);
}

/*
 * Files
 */
static const char own[] =
    "{\"trammel\": 1, \"bodies\": [{\"type\": \"static\"},"
    "{\"shapes\": [{\"type\": \"circle\", \"radius\": 1}]},"
    "{\"mass\": 3, \"shapes\": [{\"type\": \"circle\", \"radius\": 1}]},"
    "{\"shapes\": [{\"type\": \"circle\", \"radius\": 1, \"density\": 0}]},"
    "{\"shapes\": [{\"type\": \"segment\", \"vertices\": [[0, 0], [1, 0]]}]}],"
    "\"joints\": [{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 1, \"motor\": {\"enable\": true, \"speed\": 1}},"
    "{\"type\": \"motor\", \"body_a\": 0, \"body_b\": 2, \"drive\": {}},"
    "{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 3, \"motor\": {\"enable\": true, \"maximum\": 0}}]}";

static void a_scene_file_has_the_same_defaults(void **state)
{
    (void)state;
    tr2_scene *read = parse(own);
    tr2_scene *both[2] = {read, round_trip(read)};
    for (int i = 0; i < 2; i++) {
        const tr2_scene *it = both[i];
        assert_true(it->shapes[0].density == 1.0f && it->shapes[1].density == 1.0f);
        assert_true(it->shapes[2].density == 0.0f && it->shapes[3].density == 0.0f);
        assert_true(fabsf(it->bodies[1].def.mass - 3.1415927f) < 1e-6f);
        assert_true(it->bodies[2].def.mass == 3.0f && it->bodies[3].def.mass == 1.0f && it->bodies[4].def.mass == 1.0f);
        assert_true(it->joints[0].def.motor.maximum == FLT_MAX && it->joints[2].def.motor.maximum == 0.0f);
        assert_true(it->joints[1].def.drive.max_force == FLT_MAX && it->joints[1].def.drive.max_torque == FLT_MAX);
    }
    tr2_scene_destroy(both[1]);
    tr2_scene_destroy(read);
}

static const char rube[] =
    "{\"gravity\": {\"x\": 0, \"y\": -10}, \"body\": ["
    "{\"name\": \"ground\", \"type\": 0},"
    "{\"name\": \"box\", \"type\": 2, \"massData-mass\": 2, \"massData-I\": 1, \"fixture\": ["
    "{\"name\": \"f\", \"circle\": {\"center\": 0, \"radius\": 1}}]}],"
    "\"joint\": [{\"type\": \"revolute\", \"bodyA\": 0, \"bodyB\": 1, \"enableMotor\": true, \"motorSpeed\": 1},"
    "{\"type\": \"friction\", \"bodyA\": 0, \"bodyB\": 1}]}";

/* R.U.B.E. omits zeros */
static void what_a_rube_file_omits_is_zero(void **state)
{
    (void)state;
    tr2_scene *it = parse(rube);
    assert_string_equal(it->format, "rube");
    assert_true(it->shapes[0].density == 0.0f && it->shapes[0].friction == 0.0f);
    assert_true(it->joints[0].def.motor.enable && it->joints[0].def.motor.maximum == 0.0f);
    assert_true(it->joints[1].def.drive.max_force == 0.0f && it->joints[1].def.drive.max_torque == 0.0f);
    tr2_scene_destroy(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shapes_weigh_by_their_area),
        TEST(shapes_without_density_leave_the_mass),
        TEST(a_box_turned_inside_out_is_refused),
        TEST(motors_drive_without_a_maximum),
        TEST(batches_name_the_entry_that_is_stale),
        cmocka_unit_test(a_scene_file_has_the_same_defaults),
        cmocka_unit_test(what_a_rube_file_omits_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
