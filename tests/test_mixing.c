/* How the materials of two shapes become that of their contact: the rules of a world, and the application's mixer. */
#include <float.h>
#include <stdatomic.h>

#include "all_threads.h"
#include "scene_file.h"
#include "shape_fixture.h"
#include "world/contacts/contact_row.h"

#define DT (1.0 / 60.0)

static const tr2_surface first = {0.2f, 0.5f, 0.01f, 1.0f}, second = {0.8f, 0.25f, 0.03f, -3.0f};

/* a disc of 0.5 m on a floor, with these materials; after a step they have a contact */
typedef struct pair {
    tr2_body disc;
    tr2_shape below, above;
} pair;

static pair make_pair(tr2_world *world, tr2_surface below, tr2_surface above)
{
    pair it;
    tr2_shape_def floor = tr2_box_on(make(world, TR_STATIC, 0.0, -0.5), 50.0f, 0.5f);
    floor.surface = below;
    floor.user_data = 1;
    it.disc = make(world, TR_DYNAMIC, 0.0, 0.5);
    tr2_shape_def disc = tr2_circle_on(it.disc, (tr_vec2){0.0f, 0.0f}, 0.5f);
    disc.surface = above;
    disc.user_data = 2;
    it.below = add(world, floor);
    it.above = add(world, disc);
    return it;
}

/* the material of the only contact, after a step */
static tr2_surface mixed_of(tr2_world *world)
{
    assert_ok(world, tr2_world_step(world, DT, 4));
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    assert_int_equal(contacts->table.count, 1);
    return (tr2_surface){contacts->own[TR2_CONTACT_FRICTION][0], contacts->own[TR2_CONTACT_RESTITUTION][0],
                         contacts->own[TR2_CONTACT_ROLLING][0], contacts->own[TR2_CONTACT_TANGENT_SPEED][0]};
}

static void set_mixing(tr2_world *world, tr2_mixing friction, tr2_mixing restitution)
{
    tr2_contact_settings settings = tr2_world_contact_settings(world);
    settings.friction_mixing = friction;
    settings.restitution_mixing = restitution;
    assert_ok(world, tr2_world_set_contact_settings(world, &settings));
}

static void the_defaults_are_the_mean_and_the_maximum(void **state)
{
    tr2_world *world = world_of(state);
    make_pair(world, first, second);
    tr2_surface mixed = mixed_of(world);
    assert_true(mixed.friction == sqrtf(first.friction * second.friction));
    assert_true(mixed.restitution == first.restitution);
    assert_true(mixed.rolling_resistance == 0.5f * second.rolling_resistance);
    assert_true(mixed.tangent_speed == -2.0f);
}

/* each rule for each number, also of a contact that is there already */
static void every_rule_is_what_it_is_called(void **state)
{
    tr2_world *world = world_of(state);
    make_pair(world, first, second);
    for (tr2_mixing rule = 0; rule < TR2_MIXING_COUNT; rule++) {
        const float friction[TR2_MIXING_COUNT] = {0.4f, 0.5f, 0.2f, 0.8f, 0.16f};
        const float restitution[TR2_MIXING_COUNT] = {0.35355339f, 0.375f, 0.25f, 0.5f, 0.125f};
        tr2_mixing other = (rule + 1) % TR2_MIXING_COUNT;
        set_mixing(world, rule, other);
        tr2_surface mixed = mixed_of(world);
        assert_true(fabsf(mixed.friction - friction[rule]) < 1e-6f);
        assert_true(fabsf(mixed.restitution - restitution[other]) < 1e-6f);
    }
}

static void large_numbers_stay_finite_or_within_range(void **state)
{
    tr2_world *world = world_of(state);
    tr2_surface most = {FLT_MAX, TR2_RESTITUTION_MAX, 0.0f, 0.0f};
    make_pair(world, most, most);
    set_mixing(world, TR2_MIXING_AVERAGE, TR2_MIXING_MULTIPLY);
    tr2_surface mixed = mixed_of(world);
    assert_true(mixed.friction == FLT_MAX && mixed.restitution == TR2_RESTITUTION_MAX);
}

/*
 * The mixer
 */
typedef struct seen {
    atomic_uint calls;
    tr2_surface answer;
    bool answers;
    tr2_shape below, above;
} seen;

static void note(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed, void *context)
{
    seen *it = context;
    const tr2_mixed_shape *floor = a->user_data == 1 ? a : b, *disc = a->user_data == 1 ? b : a;
    it->calls++;
    it->below = floor->shape;
    it->above = disc->shape;
    if (disc->surface.friction != second.friction || floor->surface.restitution != first.restitution ||
        mixed->friction != sqrtf(first.friction * second.friction))
        it->calls += 1000;
    if (it->answers)
        *mixed = it->answer;
}

static void a_mixer_gets_both_shapes_and_decides(void **state)
{
    tr2_world *world = world_of(state);
    pair made = make_pair(world, first, second);
    seen it = {.answers = false};
    assert_ok(world, tr2_world_set_surface_mixer(world, note, &it));
    tr2_surface mixed = mixed_of(world);
    assert_true(mixed.friction == sqrtf(first.friction * second.friction) && mixed.restitution == first.restitution);
    assert_int_equal(it.calls, 1);
    assert_memory_equal(&it.below, &made.below, sizeof it.below);
    assert_memory_equal(&it.above, &made.above, sizeof it.above);
    /* a contact that goes on is not mixed again; after a change of the mixer, a rule or a shape it is */
    mixed_of(world);
    assert_int_equal(it.calls, 1);
    it.answers = true;
    it.answer = (tr2_surface){0.125f, 2.0f, 0.5f, -1.0f};
    assert_ok(world, tr2_world_set_surface_mixer(world, note, &it));
    mixed = mixed_of(world);
    assert_true(mixed.friction == 0.125f && mixed.restitution == 2.0f && mixed.rolling_resistance == 0.25f);
    assert_true(mixed.tangent_speed == -1.0f);
    assert_int_equal(it.calls, 2);
    set_mixing(world, TR2_MIXING_GEOMETRIC_MEAN, TR2_MIXING_MINIMUM);
    mixed_of(world);
    assert_int_equal(it.calls, 3);
    assert_ok(world, tr2_shape_set_surface(world, made.above, second));
    mixed_of(world);
    assert_int_equal(it.calls, 4);
    assert_ok(world, tr2_world_set_surface_mixer(world, NULL, NULL));
    assert_true(mixed_of(world).restitution == second.restitution);
    assert_int_equal(it.calls, 4);
    assert_int_equal(tr2_world_set_surface_mixer(NULL, note, &it), TR_ERROR_NULL);
}

static void what_a_surface_may_not_have_is_replaced(void **state)
{
    tr2_world *world = world_of(state);
    make_pair(world, first, second);
    seen it = {.answers = true, .answer = {-1.0f, 11.0f, NAN, INFINITY}};
    assert_ok(world, tr2_world_set_surface_mixer(world, note, &it));
    tr2_surface mixed = mixed_of(world);
    assert_true(mixed.friction == 0.0f && mixed.restitution == TR2_RESTITUTION_MAX);
    assert_true(mixed.rolling_resistance == 0.5f * second.rolling_resistance && mixed.tangent_speed == -2.0f);
    it.answer = (tr2_surface){INFINITY, -0.5f, -1.0f, -INFINITY};
    assert_ok(world, tr2_world_set_surface_mixer(world, note, &it));
    mixed = mixed_of(world);
    assert_true(mixed.friction == sqrtf(first.friction * second.friction) && mixed.restitution == 0.0f);
    assert_true(mixed.rolling_resistance == 0.0f && mixed.tangent_speed == -2.0f);
}

static void make_bouncy(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed, void *context)
{
    (void)a;
    (void)b;
    (void)context;
    mixed->restitution = 1.0f;
}

/* restitution of a mixer acts in a world none of whose shapes has any */
static void what_only_a_mixer_makes_bouncy_bounces(void **state)
{
    tr2_world *world = world_of(state);
    const tr2_surface dull = {0.6f, 0.0f, 0.0f, 0.0f};
    pair made = make_pair(world, dull, dull);
    assert_ok(world, tr2_world_set_surface_mixer(world, make_bouncy, NULL));
    assert_ok(world, tr2_body_set_transform(world, made.disc, (tr_dvec2){0.0, 2.5}, 0.0));
    double highest = 0.0;
    bool down = false;
    for (int step = 0; step < 120; step++) {
        assert_ok(world, tr2_world_step(world, DT, 4));
        tr2_transform at;
        assert_ok(world, tr2_body_get_transform(world, made.disc, &at));
        down = down || at.position.y < 0.6;
        highest = down && at.position.y > highest ? at.position.y : highest;
    }
    /* it falls 2 m and comes up again; a step's share of 6.3 m/s is 0.1 m */
    assert_true(highest > 2.4 && highest < 2.6);
}

/* a table of materials, as a host would have: symmetric and pure */
static void by_table(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed, void *context)
{
    const float(*table)[3] = context;
    mixed->friction = table[a->user_data][b->user_data];
    mixed->restitution = 0.1f * (float)(a->user_data + b->user_data);
}

static void threads_do_not_change_what_is_mixed(void **state)
{
    (void)state;
    float table[3][3] = {{0.0f, 0.5f, 0.9f}, {0.5f, 0.1f, 0.3f}, {0.9f, 0.3f, 1.0f}};
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        tr2_world *world = world_on_all_threads(threads, NULL);
        assert_ok(world, tr2_world_set_surface_mixer(world, by_table, table));
        add(world, tr2_box_on(make(world, TR_STATIC, 20.0, -0.5), 100.0f, 0.5f));
        for (int i = 0; i < 400; i++) {
            tr2_body body = make(world, TR_DYNAMIC, i % 40, 0.5 + 1.1 * (i / 40));
            tr2_shape_def def =
                i % 2 == 0 ? tr2_box_on(body, 0.45f, 0.45f) : tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.45f);
            def.user_data = (uint64_t)i % 3;
            add(world, def);
        }
        for (int step = 0; step < 90; step++)
            assert_ok(world, tr2_world_step(world, DT, 4));
        assert_true(tr2_world_statistics(world).contacts > 300);
        hash = threads == 1 ? tr2_world_state_hash(world) : hash;
        assert_true(tr2_world_state_hash(world) == hash);
        tr2_world_destroy(world);
    }
}

static void a_wrong_rule_is_refused(void **state)
{
    tr2_world *world = world_of(state);
    tr2_contact_settings settings = tr2_contact_settings_default(1.0f);
    settings.friction_mixing = TR2_MIXING_COUNT;
    assert_int_equal(tr2_world_set_contact_settings(world, &settings), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "set_contact_settings: settings.friction_mixing is 5, no rule of mixing");
    settings = tr2_contact_settings_default(1.0f);
    settings.restitution_mixing = (tr2_mixing)-1;
    assert_int_equal(tr2_world_set_contact_settings(world, &settings), TR_ERROR_RANGE);
    settings = tr2_world_contact_settings(world);
    assert_int_equal(settings.friction_mixing, TR2_MIXING_GEOMETRIC_MEAN);
    assert_int_equal(settings.restitution_mixing, TR2_MIXING_MAXIMUM);
    assert_string_equal(tr2_mixing_name(TR2_MIXING_AVERAGE), "average");
    assert_string_equal(tr2_mixing_name(TR2_MIXING_COUNT), "unknown");
}

static void scenes_keep_the_rules(void **state)
{
    tr2_world *world = world_of(state);
    for (tr2_mixing rule = 0; rule < TR2_MIXING_COUNT; rule++) {
        tr2_scene *scene = NULL;
        set_mixing(world, rule, TR2_MIXING_COUNT - 1 - rule);
        assert_int_equal(tr2_scene_capture(world, &scene, NULL), TR_OK);
        tr2_scene *back = round_trip(scene);
        set_mixing(world, (rule + 1) % TR2_MIXING_COUNT, rule);
        assert_int_equal(tr2_scene_build(back, world, NULL, NULL, NULL), TR_OK);
        tr2_contact_settings settings = tr2_world_contact_settings(world);
        assert_int_equal(settings.friction_mixing, rule);
        assert_int_equal(settings.restitution_mixing, TR2_MIXING_COUNT - 1 - rule);
        tr2_scene_destroy(back);
        scene->contacts.restitution_mixing = TR2_MIXING_COUNT;
        char *text = NULL;
        assert_int_equal(tr2_scene_write(scene, &text, NULL, NULL), TR_ERROR_RANGE);
        tr2_scene_destroy(scene);
    }
    static const char wrong[] = "{\"trammel\": 1, \"world\": {\"contacts\": {\"friction_mixing\": \"mean\"}}}";
    tr2_scene *scene = NULL;
    tr_error error;
    assert_int_equal(tr2_scene_parse(wrong, sizeof wrong - 1, "test", &scene, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "world.contacts.friction_mixing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_defaults_are_the_mean_and_the_maximum),
        TEST(every_rule_is_what_it_is_called),
        TEST(large_numbers_stay_finite_or_within_range),
        TEST(a_mixer_gets_both_shapes_and_decides),
        TEST(what_a_surface_may_not_have_is_replaced),
        TEST(what_only_a_mixer_makes_bouncy_bounces),
        cmocka_unit_test(threads_do_not_change_what_is_mixed),
        TEST(a_wrong_rule_is_refused),
        TEST(scenes_keep_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
