/* Made scenes: counts, shapes of the graph, joints that start closed, the same scene every time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trammel/scene2.h"

static tr2_scene *make(const char *kind, uint32_t size)
{
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_generate(kind, size, &scene, &error) != TR_OK)
        fail_msg("%s %u: %s", kind, size, error.message);
    return scene;
}

static tr_dvec2 anchor_place(const tr2_scene *scene, uint32_t body, tr_vec2 anchor)
{
    const tr2_body_def *def = &scene->bodies[body].def;
    double c = cos(def->angle), s = sin(def->angle), x = (double)anchor.x, y = (double)anchor.y;
    return (tr_dvec2){def->position.x + c * x - s * y, def->position.y + s * x + c * y};
}

/* the largest distance between the two anchors of a revolute */
static double largest_gap(const tr2_scene *scene)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        if (joint->def.type != TR2_JOINT_REVOLUTE)
            continue;
        tr_dvec2 a = anchor_place(scene, joint->body_a, joint->def.anchor_a);
        tr_dvec2 b = anchor_place(scene, joint->body_b, joint->def.anchor_b);
        double gap = hypot(b.x - a.x, b.y - a.y);
        largest = gap > largest ? gap : largest;
    }
    return largest;
}

static uint32_t count_bodies(const tr2_scene *scene, tr_body_type type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->body_count; i++)
        count += scene->bodies[i].def.type == type ? 1 : 0;
    return count;
}

static uint32_t count_joints(const tr2_scene *scene, tr2_joint_type type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->joint_count; i++)
        count += scene->joints[i].def.type == type ? 1 : 0;
    return count;
}

static void the_grid_of_100_is_the_benchmarks_grid(void **state)
{
    (void)state;
    tr2_scene *scene = make("grid", 100);
    assert_int_equal(scene->body_count, 10000);
    assert_int_equal(scene->joint_count, 19800);
    assert_int_equal(count_joints(scene, TR2_JOINT_REVOLUTE), 19800);
    assert_int_equal(count_bodies(scene, TR_STATIC), 7);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const tr2_body_def *def = &scene->bodies[i].def;
        bool held = def->position.y > -0.5 && def->position.x > 46.5 && def->position.x < 53.5;
        assert_int_equal(def->type, held ? TR_STATIC : TR_DYNAMIC);
        assert_true(fabs((double)def->inertia - 0.5 * (double)def->mass * 0.16) < 1e-7);
    }
    assert_true(largest_gap(scene) < 1e-12);
    assert_true(scene->gravity.y == -10.0f && scene->gravity.x == 0.0f);
    assert_true(scene->hertz == 60.0);
    assert_int_equal(scene->substeps, 4);
    tr2_scene_destroy(scene);
}

static void small_grids_clip_the_static_bodies(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n++) {
        tr2_scene *scene = make("grid", n);
        assert_int_equal(scene->body_count, n * n);
        assert_int_equal(scene->joint_count, 2 * n * (n - 1));
        uint32_t last = n / 2 + 3 < n - 1 ? n / 2 + 3 : n - 1, first = n / 2 > 3 ? n / 2 - 3 : 0;
        assert_int_equal(count_bodies(scene, TR_STATIC), last - first + 1);
        tr2_scene_destroy(scene);
    }
}

static void chains_bridges_ragdolls_and_hubs_have_their_counts_and_start_closed(void **state)
{
    (void)state;
    const struct {
        const char *kind;
        uint32_t size, bodies, revolutes, distances, statics;
    } cases[] = {
        {"chains", 1, 21, 20, 0, 1},     {"chains", 50, 1001, 1000, 0, 1}, {"bridge", 1, 3, 2, 0, 2},
        {"bridge", 100, 102, 101, 0, 2}, {"ragdolls", 1, 12, 10, 1, 1},    {"ragdolls", 30, 331, 300, 30, 1},
        {"hub", 1, 3, 2, 0, 1},          {"hub", 5000, 5002, 5001, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr2_scene *scene = make(cases[i].kind, cases[i].size);
        assert_int_equal(scene->body_count, cases[i].bodies);
        assert_int_equal(count_joints(scene, TR2_JOINT_REVOLUTE), cases[i].revolutes);
        assert_int_equal(count_joints(scene, TR2_JOINT_DISTANCE), cases[i].distances);
        assert_int_equal(scene->joint_count, cases[i].revolutes + cases[i].distances);
        assert_int_equal(count_bodies(scene, TR_STATIC), cases[i].statics);
        /* anchors are floats: half a unit in the last place of some 20 m */
        assert_true(largest_gap(scene) < 2e-6);
        tr2_scene_destroy(scene);
    }
}

static void every_dynamic_body_has_mass_and_every_index_is_inside(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < tr2_scene_generator_count(); kind++) {
        assert_non_null(tr2_scene_generator_help(kind));
        tr2_scene *scene = make(tr2_scene_generator_name(kind), 7);
        assert_string_equal(scene->format, "generated");
        assert_string_equal(scene->name, tr2_scene_generator_name(kind));
        for (uint32_t i = 0; i < scene->body_count; i++)
            assert_true(scene->bodies[i].def.mass > 0.0f && scene->bodies[i].def.inertia > 0.0f);
        for (uint32_t i = 0; i < scene->joint_count; i++) {
            assert_true(scene->joints[i].body_a < scene->body_count && scene->joints[i].body_b < scene->body_count);
            assert_true(scene->joints[i].body_a != scene->joints[i].body_b);
        }
        for (uint32_t i = 0; i < scene->shape_count; i++) {
            assert_true(scene->shapes[i].body < scene->body_count);
            assert_true(scene->shapes[i].first_vertex + scene->shapes[i].vertex_count <= scene->vertex_count);
        }
        tr2_scene_destroy(scene);
    }
    assert_null(tr2_scene_generator_name(tr2_scene_generator_count()));
    assert_null(tr2_scene_generator_help(UINT32_MAX));
}

static void a_spoke_of_the_hub_moves_with_the_hub(void **state)
{
    (void)state;
    tr2_scene *scene = make("hub", 100);
    const tr2_body_def *hub = &scene->bodies[1].def;
    assert_true(hub->mass == 10000.0f);
    for (uint32_t i = 2; i < scene->body_count; i++) {
        const tr2_body_def *def = &scene->bodies[i].def;
        double w = (double)hub->angular_velocity;
        assert_true(def->mass == 0.5f);
        assert_true(fabs((double)def->velocity.x + w * def->position.y) < 1e-5);
        assert_true(fabs((double)def->velocity.y - w * def->position.x) < 1e-5);
        assert_true(hypot(def->position.x, def->position.y) > 1.999);
        /* where its joint is: with vectors of neighbouring numbers gcc 12 would not round it to float */
        const tr_vec2 pin = scene->joints[i - 1].def.anchor_a;
        assert_true(def->position.x == (double)pin.x && def->position.y == (double)pin.y);
    }
    tr2_scene_destroy(scene);
}

static void the_bridge_is_an_arc_between_its_posts(void **state)
{
    (void)state;
    tr2_scene *scene = make("bridge", 50);
    double lowest = 0.0;
    for (uint32_t i = 2; i < scene->body_count; i++)
        lowest = scene->bodies[i].def.position.y < lowest ? scene->bodies[i].def.position.y : lowest;
    /* sagitta of an arc of 0.8 rad and about 50 m: R (1 - cos 0.4) with R = 50 / 0.8 */
    assert_true(fabs(lowest + 62.5 * (1.0 - cos(0.4))) < 0.02);
    assert_true(fabs(scene->bodies[0].def.position.x + scene->bodies[1].def.position.x) < 1e-12);
    tr2_scene_destroy(scene);
}

static void bad_requests_leave_the_result_untouched(void **state)
{
    (void)state;
    const struct {
        const char *kind;
        uint32_t size;
        tr_status status;
        const char *fragment;
    } cases[] = {
        {"grid", 0, TR_ERROR_RANGE, "between 1 and 4000"},
        {"grid", 4001, TR_ERROR_RANGE, "it is 4001"},
        {"hub", UINT32_MAX, TR_ERROR_RANGE, "hub"},
        {"steeple", 3, TR_ERROR_RANGE, "\"steeple\""},
        {"", 3, TR_ERROR_RANGE, "ragdolls"},
        {"", 3, TR_ERROR_RANGE, " and debris"},
        {NULL, 3, TR_ERROR_NULL, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr2_scene other = {0}, *untouched = &other, *scene = untouched;
        tr_error error = {TR_OK, ""};
        assert_int_equal(tr2_scene_generate(cases[i].kind, cases[i].size, &scene, &error), cases[i].status);
        assert_int_equal(error.status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].fragment));
        assert_ptr_equal(scene, untouched);
    }
    assert_int_equal(tr2_scene_generate("grid", 2, NULL, NULL), TR_ERROR_NULL);
    tr2_scene_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_of_100_is_the_benchmarks_grid),
        cmocka_unit_test(small_grids_clip_the_static_bodies),
        cmocka_unit_test(chains_bridges_ragdolls_and_hubs_have_their_counts_and_start_closed),
        cmocka_unit_test(every_dynamic_body_has_mass_and_every_index_is_inside),
        cmocka_unit_test(a_spoke_of_the_hub_moves_with_the_hub),
        cmocka_unit_test(the_bridge_is_an_arc_between_its_posts),
        cmocka_unit_test(bad_requests_leave_the_result_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
