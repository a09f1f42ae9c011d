/* What a host reads of a world one by one, and sets one by one; and that threads may read at once, also where reading
   fails. */
#include <pthread.h>

#include "shape_fixture.h"
#include "weightless.h"

/* what was set is what is got, and makes the same world again */
static void a_world_knows_its_settings(void **state)
{
    tr2_world *world = world_of(state), *again;
    tr2_world_def def;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){1.0f, 2.0f}));
    assert_ok(world, tr2_world_set_method(world, TR_SMALL_STEP, 3));
    assert_ok(world, tr2_world_set_joint_softness(world, 30.0f, 1.5f));
    assert_ok(world, tr2_world_set_direct_load(world, 7.0f));
    assert_ok(world, tr2_world_set_threads(world, 2));
    assert_ok(world, tr2_world_get(world, &def));
    assert_true(def.gravity.x == 1.0f && def.gravity.y == 2.0f && def.joint_frequency == 30.0f);
    assert_true(def.joint_damping_ratio == 1.5f && def.direct_load == 7.0f && !def.no_warm_starting);
    assert_int_equal(def.method, TR_SMALL_STEP);
    assert_int_equal(def.sweeps, 3);
    assert_int_equal(def.threads, 2);
    assert_int_equal(def.tag, 7);
    assert_true(def.allocator.allocate == test_hooks(&((fixture *)*state)->allocator).allocate);
    def.length_unit = 0.25f;
    assert_int_equal(tr2_world_create(&def, &again, NULL), TR_OK);
    tr2_world_def other;
    assert_ok(again, tr2_world_get(again, &other));
    assert_memory_equal(&other.method, &def.method, sizeof def.method);
    assert_true(other.gravity.y == def.gravity.y && other.direct_load == def.direct_load);
    assert_true(other.length_unit == 0.25f && tr2_world_contact_settings(again).push_speed == 0.75f);
    tr2_world_destroy(again);
    assert_int_equal(tr2_world_get(world, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get(NULL, &def), TR_ERROR_NULL);
}

/* every field of every type, as it was given */
static void joints_are_read_number_by_number(void **state)
{
    tr2_world *world = world_of(state);
    for (tr2_joint_type type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_def def = odd_joint(type);
        def.body_a = make_body(world, 0.0, 0.0);
        def.body_b = make_body(world, 1.0, 0.0);
        tr2_joint id;
        assert_ok(world, tr2_world_create_joint(world, &def, &id));
        for (tr2_field field = 0; field < TR2_FIELD_COUNT; field++) {
            float value = -99.0f;
            tr_status status = tr2_joint_get_value(world, id, field, &value);
            assert_int_equal(status, tr2_joint_type_has(type, field) ? TR_OK : TR_ERROR_NO_PROPERTY);
            /* a number that is set as it was read is as it was */
            if (status == TR_OK)
                assert_ok(world, tr2_joint_set_value(world, id, field, value));
            else
                assert_true(value == -99.0f);
        }
        if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_SPEED)) {
            float speed, enabled;
            assert_ok(world, tr2_joint_get_value(world, id, TR2_FIELD_MOTOR_SPEED, &speed));
            assert_ok(world, tr2_joint_get_value(world, id, TR2_FIELD_MOTOR_ENABLE, &enabled));
            assert_true(speed == -2.0f && enabled == 1.0f);
        }
    }
    tr2_joint joint = make_joint(world, TR2_JOINT_WELD, make_body(world, 0.0, 0.0), make_body(world, 0.0, 0.0)),
              none = {0, 0, 0};
    float value;
    assert_int_equal(tr2_joint_get_value(world, joint, TR2_FIELD_COUNT, &value), TR_ERROR_RANGE);
    assert_int_equal(tr2_joint_get_value(world, joint, TR2_FIELD_ANCHOR_A_X, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_joint_get_value(world, none, TR2_FIELD_ANCHOR_A_X, &value), TR_ERROR_NULL_ID);
}

/* who asks for a spring where it has another name is told that */
static void a_missing_spring_says_what_there_is(void **state)
{
    tr2_world *world = world_of(state);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    def.body_a = make_body(world, 0.0, 0.0);
    def.body_b = make_body(world, 1.0, 0.0);
    def.spring.enable = true;
    tr2_joint id;
    assert_int_equal(tr2_world_create_joint(world, &def, &id), TR_ERROR_NO_PROPERTY);
    assert_string_equal(
        tr2_world_last_error(world)->message,
        "create_joint: def.spring.enable is set, but a distance joint does not have it: its spring is `linear`");
}

static void bodies_are_read_one_by_one(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body_def def = tr2_body_def_default();
    tr2_body id, none = {0, 0, 0};
    def.type = TR_KINEMATIC;
    def.position = (tr_dvec2){3.0, 4.0};
    def.velocity = (tr_vec2){1.0f, -2.0f};
    def.angular_velocity = 0.5f;
    def.mass = 6.0f;
    def.inertia = 7.0f;
    def.center = (tr_vec2){0.25f, 0.5f};
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    tr_vec2 velocity, center;
    float spin, mass, inertia;
    tr_body_type type;
    tr2_transform at;
    uint64_t user_data = 5;
    assert_ok(world, tr2_body_get_velocity(world, id, &velocity, &spin));
    assert_ok(world, tr2_body_get_mass(world, id, &mass, &inertia, &center));
    assert_ok(world, tr2_body_get_type(world, id, &type));
    assert_ok(world, tr2_body_get_transform(world, id, &at));
    assert_ok(world, tr2_body_get_user_data(world, id, &user_data));
    assert_true(velocity.x == 1.0f && velocity.y == -2.0f && spin == 0.5f && mass == 6.0f && inertia == 7.0f);
    assert_true(center.x == 0.25f && center.y == 0.5f && type == TR_KINEMATIC && user_data == 0);
    assert_true(at.position.x == 3.0 && at.position.y == 4.0 && at.c == 1.0f);
    assert_ok(world, tr2_body_set_user_data(world, id, 9));
    assert_ok(world, tr2_body_get_user_data(world, id, &user_data));
    assert_int_equal(user_data, 9);
    assert_int_equal(tr2_body_get_velocity(world, none, &velocity, &spin), TR_ERROR_NULL_ID);

    /* an output that is not wanted may be null: the others are written */
    velocity = (tr_vec2){0.0f, 0.0f};
    spin = mass = inertia = -1.0f;
    assert_ok(world, tr2_body_get_velocity(world, id, &velocity, NULL));
    assert_ok(world, tr2_body_get_velocity(world, id, NULL, &spin));
    assert_true(velocity.x == def.velocity.x && spin == def.angular_velocity);
    assert_ok(world, tr2_body_get_mass(world, id, &mass, NULL, NULL));
    assert_ok(world, tr2_body_get_mass(world, id, NULL, &inertia, NULL));
    assert_ok(world, tr2_body_get_mass(world, id, NULL, NULL, NULL));
    assert_true(mass == def.mass && inertia == def.inertia);
    assert_int_equal(tr2_body_get_mass(world, none, NULL, NULL, NULL), TR_ERROR_NULL_ID);
}

/* an impulse at the centre of mass changes the velocity by its share of the mass, and no turning */
static void an_impulse_at_the_center_does_not_turn(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body id = make_body(world, 5.0, 5.0);
    tr_vec2 velocity;
    float spin;
    assert_ok(world, tr2_body_set_mass(world, id, 4.0f, 2.0f, (tr_vec2){3.0f, -1.0f}));
    assert_ok(world, tr2_body_apply_impulse_to_center(world, id, (tr_vec2){2.0f, -8.0f}));
    assert_ok(world, tr2_body_get_velocity(world, id, &velocity, &spin));
    assert_true(velocity.x == 0.5f && velocity.y == -2.0f && spin == 0.0f);
    assert_int_equal(tr2_body_apply_impulse_to_center(world, id, (tr_vec2){NAN, 0.0f}), TR_ERROR_NAN);
}

/* a capsule of 2 by 0.5, a box aside and turned, a triangle: their areas are those of the textbook */
static void the_usual_shapes_weigh_what_they_should(void **state)
{
    tr2_world *world = world_of(state);
    const tr_vec2 corners[3] = {{0.0f, 0.0f}, {3.0f, 0.0f}, {0.0f, 2.0f}};
    tr2_body body = make_body(world, 0.0, 0.0);
    tr2_shape_def defs[3] = {weightless(tr2_capsule_on(body, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, 0.5f)),
                             weightless(tr2_offset_box_on(body, 1.0f, 0.5f, (tr_vec2){2.0f, 3.0f}, 0.6f, 0.8f)),
                             weightless(tr2_polygon_on(body, corners, 3))};
    const double area[3] = {2.0 * 1.0 + 3.14159265358979 * 0.25, 2.0, 3.0};
    const tr_dvec2 middle[3] = {{0.0, 0.0}, {2.0, 3.0}, {1.0, 2.0 / 3.0}};
    for (uint32_t i = 0; i < 3; i++) {
        float mass, inertia;
        tr_vec2 center;
        defs[i].density = 1.0f;
        tr2_shape shape = add(world, defs[i]);
        assert_ok(world, tr2_body_get_mass(world, body, &mass, &inertia, &center));
        assert_true(fabs((double)mass - area[i]) < 1e-5);
        assert_true(fabs((double)center.x - middle[i].x) < 1e-5 && fabs((double)center.y - middle[i].y) < 1e-5);
        assert_ok(world, tr2_body_set_mass(world, body, 1.0f, 1.0f, (tr_vec2){0.0f, 0.0f}));
        assert_int_equal(tr2_world_destroy_shape(world, shape), TR_OK);
    }
}

/* one property each: the rest stays, and what touches follows */
static void shapes_change_one_property_at_a_time(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0), box = make(world, TR_DYNAMIC, 0.0, 1.0), whose;
    add(world, weightless(tr2_box_on(ground, 10.0f, 0.5f)));
    tr2_shape_def def = tr2_box_on(box, 0.5f, 0.5f), now;
    def.density = 2.0f;
    def.hit_events = true;
    tr2_shape shape = add(world, def), none = {0, 0, 0};
    uint64_t user_data;
    assert_ok(world, tr2_shape_get_body(world, shape, &whose));
    assert_memory_equal(&whose, &box, sizeof box);
    assert_ok(world, tr2_shape_set_user_data(world, shape, 41));
    assert_ok(world, tr2_shape_get_user_data(world, shape, &user_data));
    assert_int_equal(user_data, 41);
    assert_ok(world, tr2_shape_set_surface(world, shape, (tr2_surface){0.1f, 0.2f, 0.3f, 0.4f}));
    assert_ok(world, tr2_shape_get(world, shape, &now));
    assert_true(now.surface.friction == 0.1f && now.surface.tangent_speed == 0.4f && now.density == 2.0f);
    assert_true(now.hit_events && now.user_data == 41);
    assert_int_equal(tr2_shape_set_surface(world, shape, (tr2_surface){-0.1f, 0.2f, 0.3f, 0.4f}), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_shape_set_sensor(world, none, true), TR_ERROR_NULL_ID);

    uint32_t count;
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_body_contacts(world, box, NULL, 0, &count));
    assert_int_equal(count, 1);
    assert_ok(world, tr2_shape_set_filter(world, shape, (tr2_filter){1, 0, 0}));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_body_contacts(world, box, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_ok(world, tr2_shape_set_filter(world, shape, def.filter));
    assert_ok(world, tr2_shape_set_sensor(world, shape, true));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_body_contacts(world, box, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_int_equal(tr2_world_touches(world).event[0].kind, TR2_OVERLAP_BEGIN);
}

/* two boxes in one place, joined: they collide only when told to */
static void joined_bodies_collide_when_told(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body a = make(world, TR_STATIC, 0.0, 0.0), b = make(world, TR_DYNAMIC, 0.0, 0.9);
    add(world, weightless(tr2_box_on(a, 0.5f, 0.5f)));
    add(world, weightless(tr2_box_on(b, 0.5f, 0.5f)));
    tr2_joint joint = make_joint(world, TR2_JOINT_MOTOR, a, b);
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t count;
        assert_ok(world, tr2_joint_set_collide_connected(world, joint, round % 2 == 1));
        assert_ok(world, tr2_world_step(world, 1e-4, 1));
        assert_ok(world, tr2_body_contacts(world, b, NULL, 0, &count));
        assert_int_equal(count, round % 2);
        tr2_joint_def def;
        assert_ok(world, tr2_joint_get(world, joint, &def));
        assert_int_equal(def.collide_connected, round % 2 == 1);
    }
}

/*
 * Threads. Under the thread sanitizer this is the proof that reading writes nothing that another thread reads; without
 * it, that what is read is right.
 */
#define ASKERS 4
#define ROUNDS 200

typedef struct asker {
    pthread_t thread;
    const tr2_world *world;
    tr2_body body;
    tr2_shape shape;
    tr2_joint joint;
    uint32_t wrong;
} asker;

/* half of the calls fail, which writes the world's last error */
static bool accept_none(tr2_shape shape, uint32_t index, void *context)
{
    asker *it = context;
    tr2_shape_def def;
    tr2_shape stale = {shape.index, shape.world, (uint16_t)(shape.generation + 1)};
    (void)index;
    it->wrong += tr2_shape_get(it->world, shape, &def) != TR_OK;
    it->wrong += tr2_shape_get(it->world, stale, &def) != TR_ERROR_STALE_ID;
    return false;
}

static void *ask(void *context)
{
    asker *it = context;
    tr2_query query = tr2_query_default();
    query.accept = accept_none;
    query.context = it;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        tr2_body none = {0, 0, 0};
        tr2_body_def body;
        tr2_joint_def joint;
        tr_joint_error_value error;
        tr2_shape_contact contact;
        tr2_hit hit;
        tr_vec2 point;
        float value;
        uint32_t count = 0;
        it->wrong +=
            tr2_world_cast_ray(it->world, (tr_dvec2){0.0, 9.0}, (tr_vec2){0.0f, -20.0f}, &query, &hit, NULL) != TR_OK;
        it->wrong += tr2_body_get(it->world, it->body, &body) != TR_OK;
        it->wrong += tr2_body_get(it->world, none, &body) != TR_ERROR_NULL_ID;
        it->wrong += tr2_body_local_point(it->world, it->body, (tr_dvec2){NAN, 0.0}, &point) != TR_ERROR_NAN;
        it->wrong += tr2_joint_get(it->world, it->joint, &joint) != TR_OK;
        it->wrong += tr2_joint_get_value(it->world, it->joint, TR2_FIELD_LENGTH, &value) != TR_ERROR_NO_PROPERTY;
        it->wrong += tr2_joint_error(it->world, it->joint, &error) != TR_OK;
        it->wrong += tr2_body_contacts(it->world, it->body, &contact, 1, &count) != TR_OK || count != 1;
        it->wrong += tr2_world_bodies(it->world).count != 2;
        for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
            it->wrong += tr2_world_joints(it->world, (tr2_joint_type)type).count != (type == TR2_JOINT_WELD ? 1u : 0u);
        it->wrong += !(tr2_world_measure(it->world).kinetic_energy < 1.0);
        it->wrong += tr2_world_state_hash(it->world) == 0;
    }
    return NULL;
}

static void threads_may_read_at_once_and_fail(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0), box = make(world, TR_DYNAMIC, 0.0, 1.0);
    add(world, weightless(tr2_box_on(ground, 5.0f, 0.5f)));
    tr2_shape shape = add(world, weightless(tr2_box_on(box, 0.5f, 0.5f)));
    tr2_joint_def def;
    tr_dvec2 place = {0.0, 0.5};
    tr2_joint joint;
    assert_ok(world,
              tr2_joint_def_between(world, TR2_JOINT_WELD, ground, box, place, place, (tr_vec2){0.0f, 0.0f}, &def));
    def.collide_connected = true;
    assert_ok(world, tr2_world_create_joint(world, &def, &joint));
    for (int i = 0; i < 10; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    /* views make their columns when they are first asked for */
    assert_int_equal(tr2_world_bodies(world).count, 2);
    assert_int_equal(tr2_world_joints(world, TR2_JOINT_WELD).count, 1);
    asker askers[ASKERS];
    for (uint32_t i = 0; i < ASKERS; i++) {
        askers[i] = (asker){.world = world, .body = box, .shape = shape, .joint = joint};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (uint32_t i = 0; i < ASKERS; i++) {
        assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
        assert_int_equal(askers[i].wrong, 0);
    }
    /* the sentence is a whole one, of one of them */
    const tr_error *last = tr2_world_last_error(world);
    assert_true(last->status != TR_OK && strchr(last->message, ':') != NULL);
    assert_true(strstr(last->message, "body_get: id") == last->message ||
                strstr(last->message, "shape_get: id") == last->message ||
                strstr(last->message, "body_local_point: point") == last->message ||
                strstr(last->message, "joint_get_value: a weld") == last->message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_world_knows_its_settings),
        TEST(joints_are_read_number_by_number),
        TEST(a_missing_spring_says_what_there_is),
        TEST(bodies_are_read_one_by_one),
        TEST(an_impulse_at_the_center_does_not_turn),
        TEST(the_usual_shapes_weigh_what_they_should),
        TEST(shapes_change_one_property_at_a_time),
        TEST(joined_bodies_collide_when_told),
        TEST(threads_may_read_at_once_and_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
