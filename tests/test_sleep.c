/* Islands that sleep: when they fall asleep, and what is told of it. In the plane. */
#include "sleep_scale.h"
#include "sleep_world.h"
#include "trammel/scene2.h"

static void islands_at_rest_fall_asleep_and_stay_where_they_are(void **state)
{
    (void)state;
    rest it = make_rest(1);
    uint32_t count = fall_asleep(&it, SLEEPERS, 120);
    /* half a second, and the eight steps between searches */
    assert_in_range(count, 30, 120);
    uint64_t hash = tr2_world_state_hash(it.world);
    tr2_reaction before, after;
    MUST(tr2_joint_reaction(it.world, it.rope, &before));
    steps(it.world, DT, 4, 300);
    assert_true(tr2_world_state_hash(it.world) == hash);
    tr2_body_def def = body_now(it.world, it.stack[3]);
    assert_true(def.velocity.x == 0.0f && def.velocity.y == 0.0f && def.angular_velocity == 0.0f);
    assert_int_equal(def.type, TR_DYNAMIC);
    assert_false(def.awake);
    NEAR("height", def.position.y, 3.5, 0.03);
    /* forces keep their last values */
    MUST(tr2_joint_reaction(it.world, it.rope, &after));
    assert_memory_equal(&before, &after, sizeof before);
    NEAR("weight", fabs((double)before.force.y), G, 0.01);
    tr2_shape_contact contacts[4];
    uint32_t found;
    MUST(tr2_body_contacts(it.world, it.stack[0], contacts, 4, &found));
    assert_int_equal(found, 2);
    assert_true(contacts[0].impulse.normal[0] > 0.0f);
    tr2_world_destroy(it.world);
}

/* a world that may sleep moves as one that may not, to the step in which something falls asleep */
static void until_something_sleeps_no_bit_is_another(void **state)
{
    (void)state;
    rest it = make_rest(1), other = make_rest(1);
    const tr_sleep_settings off = {.enable = false};
    MUST(tr2_world_set_sleep(other.world, &off));
    uint32_t compared = 0;
    for (; sleepers(it.world) == 0; compared++) {
        const tr2_body_view a = tr2_world_bodies(it.world), b = tr2_world_bodies(other.world);
        const size_t wide = a.count * sizeof(double), narrow = a.count * sizeof(float);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.center_x, b.center_x, wide);
        assert_memory_equal(a.center_y, b.center_y, wide);
        assert_memory_equal(a.angle, b.angle, wide);
        assert_memory_equal(a.velocity_x, b.velocity_x, narrow);
        assert_memory_equal(a.velocity_y, b.velocity_y, narrow);
        assert_memory_equal(a.angular_velocity, b.angular_velocity, narrow);
        steps(it.world, DT, 4, 1);
        steps(other.world, DT, 4, 1);
    }
    assert_true(compared >= 30);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

/*
 * Thresholds
 */
static void bodies_that_may_not_sleep_keep_their_island_awake(void **state)
{
    (void)state;
    rest it = make_rest(1);
    MUST(tr2_body_set_allow_sleep(it.world, it.stack[1], false));
    steps(it.world, DT, 4, 300);
    assert_int_equal(sleepers(it.world), SLEEPERS - STACK);
    assert_true(awake(&it, it.stack[0]) && awake(&it, it.stack[3]) && !awake(&it, it.weight));
    assert_int_equal(tr2_body_set_awake(it.world, it.stack[0], false), TR_ERROR_RANGE);
    assert_non_null(strstr(tr2_world_last_error(it.world)->message, "may not sleep"));
    MUST(tr2_body_set_allow_sleep(it.world, it.stack[1], true));
    (void)fall_asleep(&it, SLEEPERS, 120);
    tr2_world_destroy(it.world);
}

static void speed_and_time_decide(void **state)
{
    (void)state;
    const struct {
        double speed, spin;
        float most, most_spin, time;
        bool sleeps;
    } cases[] = {
        {0.04, 0.0, 0.05f, 0.1f, 0.5f, true},  {0.06, 0.0, 0.05f, 0.1f, 0.5f, false},
        {0.0, 0.09, 0.05f, 0.1f, 0.5f, true},  {0.0, 0.11, 0.05f, 0.1f, 0.5f, false},
        {0.06, 0.0, 0.07f, 0.1f, 0.5f, true},  {0.0, 0.11, 0.05f, 0.2f, 0.5f, true},
        {0.04, 0.0, 0.05f, 0.1f, 5.0f, false}, {0.04, 0.0, 0.0f, 0.1f, 0.5f, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world = NULL;
        def.gravity = (tr_vec2){0.0f, 0.0f};
        def.sleep = (tr_sleep_settings){true, cases[i].most, cases[i].most_spin, cases[i].time};
        MUST(tr2_world_create(&def, &world, NULL));
        tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){(float)cases[i].speed, 0.0f}, (float)cases[i].spin));
        steps(world, DT, 4, 60);
        assert_int_equal(sleepers(world), cases[i].sleeps ? 1 : 0);
        tr2_world_destroy(world);
    }
}

/*
 * A weight on a spring between two walls swings at `hertz` by `amplitude` (m). It rests if it stays in its place and is not
 * faster than five times the threshold. Returns how fast it was at most in the half second before it fell
 * asleep; negative: it never did.
 */
static double swing_on_spring(float hertz, double amplitude, uint32_t count)
{
    enum { RECENT = 30 };
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, 0.0f};
    def.sleep.enable = true;
    MUST(tr2_world_create(&def, &world, NULL));
    tr2_body wall = body_of(world, TR_STATIC, 0.0, 0.0), weight = body_of(world, TR_DYNAMIC, amplitude, 0.0);
    tr2_joint_def spring = tr2_joint_def_default(TR2_JOINT_LINE);
    spring.body_a = wall;
    spring.body_b = weight;
    spring.axis = (tr_vec2){1.0f, 0.0f};
    spring.spring.enable = true;
    spring.spring.softness = tr_frequency(hertz, 0.0f);
    MUST(tr2_world_create_joint(world, &spring, NULL));
    double recent[RECENT] = {0.0}, most = -1.0;
    for (uint32_t i = 0; i < count && most < 0.0; i++) {
        steps(world, DT, 64, 1);
        if (sleepers(world) == 0)
            recent[i % RECENT] = fabs((double)body_now(world, weight).velocity.x);
        else
            most = 0.0;
    }
    for (int k = 0; k < RECENT && most >= 0.0; k++)
        most = fmax(most, recent[k]);
    tr2_world_destroy(world);
    return most;
}

static void what_shakes_in_place_rests_and_what_swings_does_not(void **state)
{
    (void)state;
    /* 0.075 m/s at most, 1.2 mm to and fro: it was above the threshold until it fell asleep */
    assert_true(swing_on_spring(10.0f, 0.0012, 60) > 0.06);
    /* 0.63 m/s, more than five times the threshold */
    assert_true(swing_on_spring(10.0f, 0.01, 60) < 0.0);
    /* 0.19 m/s, so far that it leaves its place */
    assert_true(swing_on_spring(0.5f, 0.06, 300) < 0.0);
}

/* all limbs of a heap are one island, which sleeps only when the last of them rests */
static void a_heap_of_ragdolls_falls_asleep(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    MUST(tr2_scene_generate("heap", 100, &scene, NULL));
    scene->sleep.enable = true;
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_scene_build(scene, world, NULL, NULL, NULL));
    const uint32_t limbs = scene->body_count - 1;
    assert_int_equal(limbs, 100 * 11);
    tr2_scene_destroy(scene);
    for (uint32_t i = 0; i < 720 && sleepers(world) < limbs; i++)
        steps(world, DT, 4, 1);
    assert_int_equal(sleepers(world), limbs);
    tr2_world_destroy(world);
}

static void lengths_are_in_units(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world = NULL;
        def.gravity = (tr_vec2){0.0f, 0.0f};
        def.sleep.enable = true;
        def.length_unit = 50.0f;
        MUST(tr2_world_create(&def, &world, NULL));
        tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){i == 0 ? 2.4f : 2.6f, 0.0f}, 0.0f));
        steps(world, DT, 4, 60);
        assert_int_equal(sleepers(world), i == 0 ? 1 : 0);
        tr2_world_destroy(world);
    }
}

static void settings_are_checked(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    def.sleep.time = -1.0f;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_ERROR_NEGATIVE);
    assert_non_null(strstr(error.message, "def.sleep.time"));
    def.sleep.time = 0.0f;
    def.sleep.speed = NAN;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_ERROR_NAN);
    def.sleep.speed = 1.0f;
    MUST(tr2_world_create(&def, &world, NULL));
    tr_sleep_settings settings = {.angular_speed = INFINITY};
    assert_int_equal(tr2_world_set_sleep(world, &settings), TR_ERROR_INFINITE);
    assert_int_equal(tr2_world_set_sleep(world, NULL), TR_ERROR_NULL);
    MUST(tr2_world_get_sleep(world, &settings));
    assert_true(settings.speed == 1.0f && settings.time == 0.0f);
    tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
    settings.enable = false;
    MUST(tr2_world_set_sleep(world, &settings));
    assert_int_equal(tr2_body_set_awake(world, body, false), TR_ERROR_RANGE);
    bool is;
    assert_int_equal(tr2_body_is_awake(world, (tr2_body){0, 0, 0}, &is), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_body_is_awake(world, body, NULL), TR_ERROR_NULL);
    tr2_world_destroy(world);
}

static void put_to_sleep_by_hand(void **state)
{
    (void)state;
    rest it = make_rest(1);
    steps(it.world, DT, 4, 3);
    MUST(tr2_body_set_awake(it.world, it.stack[2], false));
    for (int i = 0; i < STACK; i++)
        assert_false(awake(&it, it.stack[i]));
    assert_int_equal(sleepers(it.world), STACK);
    /* a falling body sleeps in the air, and falls on when it wakes */
    tr2_body ball = body_of(it.world, TR_DYNAMIC, -10.0, 8.0);
    steps(it.world, DT, 4, 5);
    MUST(tr2_body_set_awake(it.world, ball, false));
    double height = body_now(it.world, ball).position.y;
    steps(it.world, DT, 4, 5);
    assert_true(body_now(it.world, ball).position.y == height);
    MUST(tr2_body_set_awake(it.world, ball, true));
    steps(it.world, DT, 4, 5);
    assert_true(body_now(it.world, ball).position.y < height);
    /* static bodies are always awake */
    MUST(tr2_body_set_awake(it.world, it.floor, false));
    assert_true(awake(&it, it.floor));
    MUST(tr2_body_set_velocity(it.world, it.platform, (tr_vec2){0.1f, 0.0f}, 0.0f));
    steps(it.world, DT, 4, 1);
    assert_int_equal(tr2_body_set_awake(it.world, it.rider, false), TR_ERROR_RANGE);
    tr2_world_destroy(it.world);
}

/*
 * Events
 */
static void events_tell_who_fell_asleep_and_who_woke(void **state)
{
    (void)state;
    rest it = make_rest(1);
    MUST(tr2_body_set_user_data(it.world, it.weight, 42));
    uint32_t slept = 0, woke = 0;
    bool told = false;
    for (int i = 0; i < 120; i++) {
        steps(it.world, DT, 4, 1);
        tr2_sleep_event_view events = tr2_world_sleep_events(it.world);
        for (uint32_t k = 0; k < events.count; k++) {
            slept += events.event[k].asleep;
            woke += !events.event[k].asleep;
            told = told || (events.event[k].body.index == it.weight.index && events.event[k].user_data == 42);
            assert_false(awake(&it, events.event[k].body));
        }
    }
    assert_int_equal(slept, SLEEPERS);
    assert_int_equal(woke, 0);
    assert_true(told);
    MUST(tr2_body_set_awake(it.world, it.stack[0], true));
    /* what wakes and is put to sleep again between two steps tells nothing */
    MUST(tr2_body_set_awake(it.world, it.weight, true));
    MUST(tr2_body_set_awake(it.world, it.weight, false));
    steps(it.world, DT, 4, 1);
    tr2_sleep_event_view events = tr2_world_sleep_events(it.world);
    assert_int_equal(events.count, STACK);
    for (uint32_t k = 0; k < events.count; k++)
        assert_false(events.event[k].asleep);
    MUST(tr2_world_step(it.world, 0.0, 4));
    assert_int_equal(tr2_world_sleep_events(it.world).count, 0);
    tr2_world_destroy(it.world);
}

static void flags_and_types_in_the_view(void **state)
{
    (void)state;
    rest it = make_rest(1);
    (void)fall_asleep(&it, SLEEPERS, 120);
    tr2_body_view view = tr2_world_bodies(it.world);
    uint32_t asleep = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        bool sleeps = (view.flags[i] & TR_BODY_ASLEEP) != 0;
        asleep += sleeps;
        assert_true(!sleeps || view.type[i] == TR_STATIC);
        assert_true(!sleeps || view.inverse_mass[i] > 0.0f);
        assert_true(!sleeps || view.still[i] >= 0.5f);
        assert_true(sleeps == !awake(&it, view.id[i]));
    }
    assert_int_equal(asleep, SLEEPERS);
    tr2_world_destroy(it.world);
}

/* touches and overlaps go on while both sides sleep, and end when one is gone */
static void touches_do_not_end_by_sleep(void **state)
{
    (void)state;
    rest it = make_rest(1);
    tr2_shape_def eye = tr2_box_on(it.hook, 1.0f, 1.0f);
    eye.sensor = true;
    eye.point[0] = (tr_vec2){19.0f, -10.0f};
    eye.point[1] = (tr_vec2){21.0f, -10.0f};
    eye.point[2] = (tr_vec2){21.0f, -9.1f};
    eye.point[3] = (tr_vec2){19.0f, -9.1f};
    (void)shape_on(it.world, eye);
    uint32_t begun = 0, ended = 0;
    for (int i = 0; i < 200; i++) {
        steps(it.world, DT, 4, 1);
        tr2_touch_view touches = tr2_world_touches(it.world);
        for (uint32_t k = 0; k < touches.count; k++) {
            begun += touches.event[k].kind == TR2_TOUCH_BEGIN || touches.event[k].kind == TR2_OVERLAP_BEGIN;
            ended += touches.event[k].kind == TR2_TOUCH_END || touches.event[k].kind == TR2_OVERLAP_END;
        }
    }
    assert_int_equal(sleepers(it.world), SLEEPERS);
    assert_int_equal(ended, 0);
    /* the stack: four; the welded boxes: two; the rider; the sensor */
    assert_int_equal(begun, 8);
    MUST(tr2_world_destroy_body(it.world, it.stack[0]));
    steps(it.world, DT, 4, 1);
    tr2_touch_view touches = tr2_world_touches(it.world);
    for (uint32_t k = 0; k < touches.count; k++)
        ended += touches.event[k].kind == TR2_TOUCH_END || touches.event[k].kind == TR2_OVERLAP_END;
    assert_int_equal(ended, 3);
    tr2_world_destroy(it.world);
}

/* A sensor between two dynamic bodies connects them: neither sleeps without the other, what begins to overlap wakes, and
   they wake together. One on a static or kinematic body connects nothing. */
static void sensors_connect_islands(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 3; fixed++) {
        const tr_body_type types[] = {TR_DYNAMIC, TR_STATIC, TR_KINEMATIC};
        const bool connects = types[fixed] == TR_DYNAMIC;
        rest it = make_rest(1);
        tr2_body eye = body_of(it.world, types[fixed], 5.0, 0.5);
        tr2_shape_def def = tr2_box_on(eye, 4.8f, 0.5f);
        def.sensor = true;
        if (connects)
            (void)shape_on(it.world, tr2_box_on(eye, 0.5f, 0.5f));
        (void)shape_on(it.world, def);
        if (types[fixed] == TR_KINEMATIC)
            MUST(tr2_body_set_velocity(it.world, eye, (tr_vec2){0.0f, 1e-6f}, 0.0f));
        /* the eye sees the stack and one of the two that are welded: one island of STACK + 2 + 1 */
        MUST(tr2_body_set_allow_sleep(it.world, it.welded[1], false));
        steps(it.world, DT, 4, 120);
        assert_int_equal(awake(&it, it.stack[STACK - 1]), connects);
        assert_true(awake(&it, it.welded[0]));
        MUST(tr2_body_set_allow_sleep(it.world, it.welded[1], true));
        (void)fall_asleep(&it, SLEEPERS + connects, 120);
        MUST(tr2_body_set_awake(it.world, it.welded[1], true));
        assert_int_equal(awake(&it, it.stack[0]), connects);
        assert_false(awake(&it, it.rider));
        /* at once, by a call */
        steps(it.world, DT, 4, 1);
        MUST(tr2_body_set_awake(it.world, it.welded[1], false));
        assert_false(awake(&it, it.stack[0]) || awake(&it, it.welded[0]));
        /* what flies into the sensor, and touches nothing */
        tr2_body fly = body_of(it.world, TR_DYNAMIC, 3.0, 1.4);
        (void)shape_on(it.world, tr2_circle_on(fly, (tr_vec2){0.0f, 0.0f}, 0.1f));
        MUST(tr2_body_set_gravity_scale(it.world, fly, 0.0f));
        MUST(tr2_body_set_velocity(it.world, fly, (tr_vec2){0.0f, -1.0f}, 0.0f));
        steps(it.world, DT, 4, 10);
        assert_false(awake(&it, it.stack[0]));
        steps(it.world, DT, 4, 20);
        assert_int_equal(awake(&it, it.stack[0]), connects);
        assert_int_equal(awake(&it, it.welded[0]), connects);
        assert_false(awake(&it, it.rider));
        tr2_world_destroy(it.world);
    }
}

static tr2_world *copy_of(const tr2_world *world)
{
    const size_t size = tr2_world_save_size(world);
    void *bytes = malloc(size);
    size_t written = 0;
    tr2_world *copy = NULL;
    const tr2_world_def def = tr2_world_def_default();
    assert_non_null(bytes);
    MUST(tr2_world_save(world, bytes, size, &written));
    MUST(tr2_world_create(&def, &copy, NULL));
    MUST(tr2_world_restore(copy, bytes, written));
    free(bytes);
    return copy;
}

/* Bodies are put to sleep by hand before any step, and beside sensors whose shapes and bodies have changed or are gone since
   the last one; in a world that was restored as in the one of which that is. */
static void sensors_that_change_connect_as_they_did_or_not_at_all(void **state)
{
    (void)state;
    enum { NOTHING, DESTROY_SHAPE, DESTROY_BODY, DISABLE, KINEMATIC, FILTER, EDITS };
    for (int edit = 0; edit < EDITS; edit++) {
        rest it = make_rest(1);
        tr2_body eye = body_of(it.world, TR_DYNAMIC, 5.0, 0.5);
        tr2_shape_def def = tr2_box_on(eye, 4.8f, 0.5f);
        def.sensor = true;
        (void)shape_on(it.world, tr2_box_on(eye, 0.5f, 0.5f));
        tr2_shape sensor = shape_on(it.world, def);
        MUST(tr2_body_set_awake(it.world, eye, false));
        assert_true(awake(&it, it.stack[0]));
        MUST(tr2_body_set_awake(it.world, eye, true));
        steps(it.world, DT, 4, 3);
        tr2_filter nothing = {.category = 0, .mask = 0};
        tr_status status = edit == DESTROY_SHAPE  ? tr2_world_destroy_shape(it.world, sensor)
                           : edit == DESTROY_BODY ? tr2_world_destroy_body(it.world, eye)
                           : edit == DISABLE      ? tr2_body_set_enabled(it.world, eye, false)
                           : edit == KINEMATIC    ? tr2_body_set_type(it.world, eye, TR_KINEMATIC)
                           : edit == FILTER       ? tr2_shape_set_filter(it.world, sensor, nothing)
                                                  : TR_OK;
        MUST(status);
        tr2_world *copy = copy_of(it.world);
        MUST(tr2_body_set_awake(it.world, it.welded[0], false));
        MUST(tr2_body_set_awake(copy, it.welded[0], false));
        assert_true(tr2_world_state_hash(copy) == tr2_world_state_hash(it.world));
        if (edit == NOTHING || edit == DESTROY_SHAPE || edit == DESTROY_BODY)
            assert_int_equal(awake(&it, it.stack[0]), edit != NOTHING);
        for (int step = 0; step < 150; step++) {
            steps(it.world, DT, 4, 1);
            steps(copy, DT, 4, 1);
            assert_true(tr2_world_state_hash(copy) == tr2_world_state_hash(it.world));
        }
        /* what is no sensor between dynamic bodies any more does not connect the two */
        MUST(tr2_body_set_awake(it.world, it.stack[0], true));
        if (awake(&it, it.welded[0]) != (edit == NOTHING))
            fail_msg("edit %d: the two sleep by %d", edit, !awake(&it, it.welded[0]));
        tr2_world_destroy(copy);
        tr2_world_destroy(it.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_at_rest_fall_asleep_and_stay_where_they_are),
        cmocka_unit_test(until_something_sleeps_no_bit_is_another),
        cmocka_unit_test(bodies_that_may_not_sleep_keep_their_island_awake),
        cmocka_unit_test(speed_and_time_decide),
        cmocka_unit_test(what_shakes_in_place_rests_and_what_swings_does_not),
        cmocka_unit_test(a_heap_of_ragdolls_falls_asleep),
        cmocka_unit_test(lengths_are_in_units),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(put_to_sleep_by_hand),
        cmocka_unit_test(events_tell_who_fell_asleep_and_who_woke),
        cmocka_unit_test(flags_and_types_in_the_view),
        cmocka_unit_test(touches_do_not_end_by_sleep),
        cmocka_unit_test(sensors_connect_islands),
        cmocka_unit_test(sensors_that_change_connect_as_they_did_or_not_at_all),
        SLEEP_SCALE_TESTS,
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
