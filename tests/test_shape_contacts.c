/* Contacts of shapes as hosts see them: who touches whom, where, with what force; the filter; events that say whose. */
#include "hash.h"
#include "shape_fixture.h"
#include "weightless.h"

static const double dt = 1.0 / 60.0;

static tr2_body make_floor(tr2_world *world)
{
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    add(world, tr2_segment_on(ground, (tr_vec2){-20.0f, 0.0f}, (tr_vec2){20.0f, 0.0f}));
    return ground;
}

static void step(tr2_world *world, int steps)
{
    for (int i = 0; i < steps; i++)
        assert_ok(world, tr2_world_step(world, dt, 4));
}

/* at rest the floor bears the weight: m g times the sub-step, to a thousandth, half at each corner */
static void a_box_at_rest_presses_with_its_weight(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make_floor(world), box = make(world, TR_DYNAMIC, 3.0, 0.5),
             other = make(world, TR_DYNAMIC, 9.0, 9.0);
    tr2_shape shape = add(world, weightless(tr2_box_on(box, 0.5f, 0.5f)));
    add(world, weightless(tr2_box_on(other, 0.5f, 0.5f)));
    step(world, 60);
    tr2_shape_contact contact;
    uint32_t count = 0;
    assert_ok(world, tr2_world_get_shape_contacts(world, &contact, 1, &count));
    assert_int_equal(count, 1);
    bool first = contact.body_a.index == ground.index;
    assert_memory_equal(first ? &contact.shape_b : &contact.shape_a, &shape, sizeof shape);
    assert_memory_equal(first ? &contact.body_b : &contact.body_a, &box, sizeof box);
    assert_int_equal(contact.point_count, 2);
    float up = first ? contact.normal.y : -contact.normal.y;
    assert_true(fabsf(up - 1.0f) < 1e-4f);
    double weight = 0.0;
    for (int i = 0; i < 2; i++) {
        weight += (double)contact.impulse.normal[i] / (dt / 4.0);
        assert_true(fabs(fabs(contact.point[i].x - 3.0) - 0.5) < 1e-3 && fabs(contact.point[i].y) < 0.01);
        assert_true(fabsf(contact.separation[i]) < 0.01f);
    }
    assert_true(fabs(weight - 9.81) < 0.01);

    /* asked of either body it is the same; of one that flies there is none */
    tr2_shape_contact own;
    assert_ok(world, tr2_body_contacts(world, box, &own, 1, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&own, &contact, sizeof own);
    assert_ok(world, tr2_body_contacts(world, ground, &own, 1, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&own, &contact, sizeof own);
    assert_ok(world, tr2_body_contacts(world, other, NULL, 0, &count));
    assert_int_equal(count, 0);
}

/* a stack of discs: the lowest bears all, each point lies halfway between two centres */
static void discs_touch_halfway(void **state)
{
    tr2_world *world = world_of(state);
    make_floor(world);
    tr2_body discs[3];
    for (uint32_t i = 0; i < 3; i++) {
        discs[i] = make(world, TR_DYNAMIC, 0.0, 0.5 + i);
        assert_ok(world, tr2_body_set_fixed_rotation(world, discs[i], true));
        /* aside of the body's origin, and turned: the place goes along */
        assert_ok(world, tr2_body_set_transform(world, discs[i], (tr_dvec2){0.0, 0.25 + i}, 1.5707963267948966));
        add(world, weightless(tr2_circle_on(discs[i], (tr_vec2){0.25f, 0.0f}, 0.5f)));
    }
    step(world, 30);
    tr2_shape_contact all[4];
    uint32_t count = 0;
    assert_ok(world, tr2_world_get_shape_contacts(world, all, 4, &count));
    assert_int_equal(count, 3);
    double highest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(all[i].point_count, 1);
        assert_true(fabs(all[i].point[0].x) < 1e-3);
        double nearest = rint(all[i].point[0].y);
        assert_true(fabs(all[i].point[0].y - nearest) < 0.02);
        highest = fmax(highest, nearest);
        /* what is above rests on it */
        double load = (double)all[i].impulse.normal[0] / (dt / 4.0);
        assert_true(fabs(load - 9.81 * (3.0 - nearest)) < 0.05 * 9.81);
    }
    assert_true(highest == 2.0);
}

/* the list is cut off at its capacity, and says how many there are; what is destroyed is no more among them */
static void lists_are_counted_and_follow_what_is_destroyed(void **state)
{
    tr2_world *world = world_of(state);
    make_floor(world);
    tr2_body boxes[5];
    tr2_shape shapes[5];
    for (uint32_t i = 0; i < 5; i++) {
        boxes[i] = make(world, TR_DYNAMIC, 2.0 * i, 0.5);
        shapes[i] = add(world, weightless(tr2_box_on(boxes[i], 0.5f, 0.5f)));
    }
    step(world, 10);
    tr2_shape_contact all[5], few[2];
    uint32_t count = 0;
    assert_ok(world, tr2_world_get_shape_contacts(world, NULL, 0, &count));
    assert_int_equal(count, 5);
    assert_ok(world, tr2_world_get_shape_contacts(world, all, 5, &count));
    assert_ok(world, tr2_world_get_shape_contacts(world, few, 2, &count));
    assert_int_equal(count, 5);
    assert_memory_equal(few, all, sizeof few);
    assert_ok(world, tr2_world_destroy_shape(world, shapes[1]));
    assert_ok(world, tr2_world_destroy_body(world, boxes[3]));
    /* one in the place of another: its slot is the same, it is not */
    shapes[1] = add(world, weightless(tr2_circle_on(boxes[1], (tr_vec2){0.0f, 0.0f}, 0.5f)));
    assert_ok(world, tr2_world_get_shape_contacts(world, all, 5, &count));
    assert_int_equal(count, 3);
    assert_ok(world, tr2_body_contacts(world, boxes[1], all, 5, &count));
    assert_int_equal(count, 0);
    step(world, 1);
    assert_ok(world, tr2_world_get_shape_contacts(world, all, 5, &count));
    assert_int_equal(count, 4);
}

/* the plan's edges of a body are its joints, newest first; contacts are none of them */
static void a_body_knows_its_joints(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make_floor(world), box = make(world, TR_DYNAMIC, 0.0, 0.5),
             far = make(world, TR_DYNAMIC, 9.0, 5.0);
    add(world, weightless(tr2_box_on(box, 0.5f, 0.5f)));
    tr2_joint rope = make_joint(world, TR2_JOINT_MOTOR, box, far), arm = make_joint(world, TR2_JOINT_MOTOR, far, box),
              list[2];
    uint32_t count = 0;
    step(world, 3);
    assert_ok(world, tr2_body_joints(world, box, list, 2, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(&list[0], &arm, sizeof arm);
    assert_memory_equal(&list[1], &rope, sizeof rope);
    assert_ok(world, tr2_world_destroy_joint(world, arm));
    assert_ok(world, tr2_body_joints(world, far, list, 2, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&list[0], &rope, sizeof rope);
    assert_ok(world, tr2_body_joints(world, ground, NULL, 0, &count));
    assert_int_equal(count, 0);
}

static const tr2_touch_event *find_event(const tr2_world *world, tr2_touch_kind kind)
{
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++)
        if (touches.event[i].kind == kind)
            return &touches.event[i];
    return NULL;
}

/* whose an event is it says by itself, also of a shape or a body that is gone */
static void events_say_whose_they_are(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make_floor(world), box = make(world, TR_DYNAMIC, 0.0, 0.5),
             disc = make(world, TR_DYNAMIC, 5.0, 0.5);
    tr2_shape_def def = weightless(tr2_box_on(box, 0.5f, 0.5f));
    def.user_data = 77;
    tr2_shape shape = add(world, def);
    const tr2_touch_event *event = NULL;
    for (int i = 0; i < 10 && event == NULL; i++) {
        step(world, 1);
        event = find_event(world, TR2_TOUCH_BEGIN);
    }
    assert_non_null(event);
    bool first = event->body_a.index == ground.index;
    assert_memory_equal(first ? &event->body_b : &event->body_a, &box, sizeof box);
    assert_int_equal(first ? event->user_data_b : event->user_data_a, 77);
    assert_int_equal(first ? event->user_data_a : event->user_data_b, 0);

    /* its slot is taken by another at once: the end is told of the one that was */
    assert_ok(world, tr2_world_destroy_shape(world, shape));
    def = weightless(tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, 0.5f));
    def.user_data = 88;
    tr2_shape second = add(world, def);
    assert_int_equal(second.index, shape.index);
    step(world, 1);
    event = find_event(world, TR2_TOUCH_END);
    assert_non_null(event);
    first = event->body_a.index == ground.index;
    assert_memory_equal(first ? &event->shape_b : &event->shape_a, &shape, sizeof shape);
    assert_memory_equal(first ? &event->body_b : &event->body_a, &box, sizeof box);
    assert_int_equal(first ? event->user_data_b : event->user_data_a, 77);
    step(world, 1);

    /* with its body */
    assert_ok(world, tr2_world_destroy_body(world, disc));
    step(world, 1);
    event = find_event(world, TR2_TOUCH_END);
    assert_non_null(event);
    first = event->body_a.index == ground.index;
    assert_memory_equal(first ? &event->body_b : &event->body_a, &disc, sizeof disc);
    assert_int_equal(first ? event->user_data_b : event->user_data_a, 88);
}

/*
 * The filter
 */
typedef struct platform {
    tr2_world *world;
    tr2_body body;
    uint32_t asked;
} platform;

/* solid from above: for what presses on it already, and what comes down on it and has not sunk into it */
static bool is_solid(const tr2_shape_contact *contact, void *context)
{
    platform *it = context;
    bool first = contact->body_a.index == it->body.index;
    float up = first ? contact->normal.y : -contact->normal.y, spin;
    tr_vec2 velocity;
    it->asked++;
    if (contact->impulse.total[0] > 0.0f || contact->impulse.total[1] > 0.0f)
        return true;
    bool ok = tr2_body_get_velocity(it->world, first ? contact->body_b : contact->body_a, &velocity, &spin) == TR_OK;
    return ok && up > 0.7f && velocity.y < 0.1f && contact->separation[0] > -0.1f;
}

/* a box thrown up from below goes through, comes down, and rests on it, whichever of the two asks */
static void check_platform(tr2_world *world, bool platform_asks)
{
    platform it = {world, make(world, TR_STATIC, 0.0, 2.0), 0};
    tr2_shape_def def = weightless(tr2_box_on(it.body, 3.0f, 0.1f));
    def.custom_filter = platform_asks;
    add(world, def);
    assert_ok(world, tr2_world_set_contact_filter(world, is_solid, &it));
    tr2_body box = make(world, TR_DYNAMIC, 0.0, 0.0), disc = make(world, TR_DYNAMIC, 2.0, 0.0);
    def = weightless(tr2_box_on(box, 0.25f, 0.25f));
    def.custom_filter = !platform_asks;
    add(world, def);
    def = weightless(tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, 0.25f));
    def.custom_filter = !platform_asks;
    add(world, def);
    /* faster than the platform is thick, too: nothing stops it on its way */
    assert_ok(world, tr2_body_set_velocity(world, box, (tr_vec2){0.0f, 9.0f}, 0.0f));
    assert_ok(world, tr2_body_set_velocity(world, disc, (tr_vec2){0.0f, 30.0f}, 0.0f));
    double highest = 0.0;
    tr2_transform at;
    for (int i = 0; i < 60; i++) {
        step(world, 1);
        assert_ok(world, tr2_body_get_transform(world, box, &at));
        highest = fmax(highest, at.position.y);
    }
    /* v^2 / 2g = 4.13 m, less what half a sub-step takes */
    assert_true(highest > 4.0 && highest < 4.2);
    /* and 30 m/s for a second, less g / 2 */
    assert_ok(world, tr2_body_get_transform(world, disc, &at));
    assert_true(fabs(at.position.y - 25.0) < 0.5);
    step(world, 420);
    assert_true(it.asked > 100);
    assert_ok(world, tr2_body_get_transform(world, box, &at));
    assert_true(fabs(at.position.y - 2.35) < 0.01);
    assert_ok(world, tr2_body_get_transform(world, disc, &at));
    assert_true(fabs(at.position.y - 2.35) < 0.01);

    /* without the filter it is as solid as any */
    assert_ok(world, tr2_world_set_contact_filter(world, NULL, NULL));
    step(world, 60);
    assert_ok(world, tr2_body_get_transform(world, box, &at));
    assert_true(fabs(at.position.y - 2.35) < 0.01);
}

static void a_platform_is_solid_from_above_only(void **state)
{
    check_platform(world_of(state), true);
}

static void what_asks_goes_through_a_platform_from_below(void **state)
{
    check_platform(world_of(state), false);
}

/* the place of a contact is where the shapes are, wherever their bodies have their centres of mass since */
static void contacts_of_circles_are_where_the_circles_are(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0), ball = make(world, TR_DYNAMIC, 0.0, 1.49);
    tr2_shape_def round = tr2_circle_on(ground, (tr_vec2){0.0f, 0.0f}, 1.0f);
    round.density = 1.0f;
    add(world, round);
    step(world, 1);
    round.point[0].x = 10.0f;
    add(world, round);
    add(world, weightless(tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.5f)));
    step(world, 1);
    tr2_shape_contact contact;
    uint32_t count = 0;
    assert_ok(world, tr2_world_get_shape_contacts(world, &contact, 1, &count));
    assert_int_equal(count, 1);
    assert_true(fabs(contact.point[0].x) < 0.01 && fabs(contact.point[0].y - 1.0) < 0.02);
}

typedef struct record {
    uint64_t hash;
    uint32_t asked;
} record;

static bool every_third(const tr2_shape_contact *contact, void *context)
{
    record *it = context;
    const uint32_t numbers[2] = {contact->shape_a.index, contact->shape_b.index};
    it->hash = mix_bytes(it->hash, numbers, sizeof numbers);
    return it->asked++ % 3 != 0;
}

/* asked in the same order, with the same outcome, on one thread and on four */
static void the_filter_is_asked_in_one_order(void **state)
{
    (void)state;
    record records[2] = {{0, 0}, {0, 0}};
    uint64_t hash[2];
    for (uint32_t run = 0; run < 2; run++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world;
        uint64_t seed = 5;
        def.threads = run == 0 ? 1 : 4;
        def.tag = 3;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        make_floor(world);
        assert_ok(world, tr2_world_set_contact_filter(world, every_third, &records[run]));
        for (uint32_t i = 0; i < 600; i++) {
            tr2_body body = make(world, TR_DYNAMIC, 10.0 * draw(&seed) - 5.0, 0.5 + 20.0 * draw(&seed));
            tr2_shape_def shape = i % 2 == 0 ? weightless(tr2_box_on(body, 0.2f, 0.2f))
                                             : weightless(tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.2f));
            shape.custom_filter = i % 3 == 0;
            add(world, shape);
        }
        step(world, 60);
        hash[run] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    assert_true(records[0].asked > 1000);
    assert_int_equal(records[0].asked, records[1].asked);
    assert_true(records[0].hash == records[1].hash && hash[0] == hash[1]);
}

static void bad_input_is_refused(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 0.0, 0.0), none = {0, 0, 0};
    tr2_shape_contact contact;
    tr2_joint joint;
    uint32_t count = 5;
    assert_int_equal(tr2_world_get_shape_contacts(NULL, &contact, 1, &count), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_shape_contacts(world, NULL, 1, &count), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_shape_contacts(world, &contact, 1, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_body_contacts(world, none, &contact, 1, &count), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_body_contacts(world, body, NULL, 1, &count), TR_ERROR_NULL);
    assert_int_equal(tr2_body_joints(world, none, &joint, 1, &count), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_world_set_contact_filter(NULL, every_third, NULL), TR_ERROR_NULL);
    assert_int_equal(count, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_box_at_rest_presses_with_its_weight),
        TEST(discs_touch_halfway),
        TEST(lists_are_counted_and_follow_what_is_destroyed),
        TEST(a_body_knows_its_joints),
        TEST(events_say_whose_they_are),
        TEST(a_platform_is_solid_from_above_only),
        TEST(what_asks_goes_through_a_platform_from_below),
        TEST(contacts_of_circles_are_where_the_circles_are),
        cmocka_unit_test(the_filter_is_asked_in_one_order),
        TEST(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
