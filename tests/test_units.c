/*
 * Units: whole islands come to the same bits as colour by colour over the whole world; a lattice in pieces holds as
 * well as one that is not cut, by every method, and has the same bits on every number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "all_threads.h"
#include "solver/core/solver_internal.h"
#include "trammel/scene2.h"
#include "world/core/world_internal.h"

#define DT       (1.0 / 60.0)
#define NO_UNITS 0u

/* a generated scene, planned afresh with so many bodies to a unit */
static tr2_world *make_world(const char *kind, uint32_t size, uint32_t unit_size, tr_method method, uint32_t threads)
{
    tr2_scene *scene;
    tr2_world *world;
    assert_int_equal(tr2_scene_generate(kind, size, &scene, NULL), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = threads;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    step_on_all_threads(world);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
    tr2_scene_destroy(scene);
    assert_int_equal(tr2_world_set_method(world, method, 0), TR_OK);
    tr_plan_set_unit_size(world->plan, unit_size);
    assert_int_equal(tr2_world_optimize(world), TR_OK);
    return world;
}

static void run(tr2_world *world, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++)
        assert_int_equal(tr2_world_step(world, DT, 4), TR_OK);
}

/* the links of a chain alternate between two colours, so filling blocks recolours none and the order is the same */
static void whole_islands_have_the_bits_of_a_world_without_units(void **state)
{
    (void)state;
    for (int method = 0; method < TR_DIRECT; method++) {
        uint64_t hash[2];
        for (int with = 0; with < 2; with++) {
            tr2_world *world = make_world("chains", 60, with ? 160 : NO_UNITS, (tr_method)method, 1);
            assert_int_equal(tr_plan_unit_count(world->plan) > 1, with);
            run(world, 30);
            /* three units of 16 chains, and what is left of 60 */
            assert_int_equal(tr2_world_statistics(world).interleaved_clusters, with ? 3 : 0);
            hash[with] = tr2_world_state_hash(world);
            tr2_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* A body that has had a damping keeps a world in rows; a damping of 0 changes no number. One chain is thrown so fast
   that it is put back, body by body. */
static void twins_have_the_same_bits_in_tiles_and_in_rows(void **state)
{
    (void)state;
    static const char *const kinds[] = {"chains", "ragdolls"};
    for (uint32_t kind = 0; kind < 2; kind++) {
        for (int method = 0; method < TR_DIRECT; method++) {
            static tr2_motion motion[2][1024];
            uint64_t hash[2];
            for (int rows = 0; rows < 2; rows++) {
                tr2_world *world = make_world(kinds[kind], 32, 200, (tr_method)method, 1);
                tr2_body first = tr2_world_bodies(world).id[0], thrown = tr2_world_bodies(world).id[40];
                if (rows) {
                    assert_int_equal(tr2_body_set_damping(world, first, 0.5f, 0.5f), TR_OK);
                    assert_int_equal(tr2_body_set_damping(world, first, 0.0f, 0.0f), TR_OK);
                }
                run(world, 10);
                assert_int_equal(tr2_world_statistics(world).interleaved_clusters > 0, !rows);
                for (uint32_t row = 0; row < world->bodies.table.count; row++)
                    motion[rows][row] = tr2_solver_motion(world->solver, row);
                assert_int_equal(tr2_body_set_velocity(world, thrown, (tr_vec2){9e7f, 9e7f}, 1e6f), TR_OK);
                run(world, 10);
                assert_true(tr2_world_statistics(world).nonfinite_bodies > 0);
                hash[rows] = tr2_world_state_hash(world);
                tr2_world_destroy(world);
            }
            assert_true(hash[0] == hash[1]);
            assert_memory_equal(motion[0], motion[1], sizeof motion[0]);
        }
    }
}

/* a hanging chain of `links` links of 1 kg each, and a ball of 100 kg at its end: it is strained, and far from all else */
static void hang_a_ball(tr2_world *world, uint32_t links)
{
    tr2_body above;
    tr2_body_def body = tr2_body_def_default();
    body.type = TR_STATIC;
    body.position = (tr_dvec2){0.0, 500.0};
    assert_int_equal(tr2_world_create_body(world, &body, &above), TR_OK);
    body.type = TR_DYNAMIC;
    for (uint32_t i = 0; i <= links; i++) {
        tr2_body link;
        body.position.y -= 1.0;
        body.mass = i < links ? 1.0f : 100.0f;
        assert_int_equal(tr2_world_create_body(world, &body, &link), TR_OK);
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        joint.body_a = above;
        joint.body_b = link;
        joint.anchor_b.y = 1.0f;
        assert_int_equal(tr2_world_create_joint(world, &joint, NULL), TR_OK);
        above = link;
    }
}

/* Two units of chains in tiles, and one with a strained island: only that one is kept in rows, and what a world computes
   that is all in rows comes to the same bits. */
static void twins_stay_in_tiles_beside_a_strained_island(void **state)
{
    (void)state;
    for (int method = 0; method < TR_DIRECT; method++) {
        uint64_t hash[2];
        for (int rows = 0; rows < 2; rows++) {
            tr2_world *world = make_world("chains", 32, 160, (tr_method)method, 1);
            if (rows) {
                tr2_body first = tr2_world_bodies(world).id[0];
                assert_int_equal(tr2_body_set_damping(world, first, 0.5f, 0.5f), TR_OK);
                assert_int_equal(tr2_body_set_damping(world, first, 0.0f, 0.0f), TR_OK);
            }
            hang_a_ball(world, 10);
            assert_int_equal(tr2_world_optimize(world), TR_OK);
            run(world, 10);
            tr_statistics statistics = tr2_world_statistics(world);
            assert_int_equal(statistics.exact_joints, 11);
            assert_int_equal(statistics.clusters, 3);
            assert_int_equal(statistics.interleaved_clusters, rows ? 0 : 2);
            hash[rows] = tr2_world_state_hash(world);
            tr2_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* the scene's bodies and joints, each of them far from those beside it */
static tr2_world *make_scattered(const char *kind, uint32_t size)
{
    enum { STRIDE = 617, MOST = 2000 }; /* a prime that divides none of the numbers of bodies or joints */
    static tr2_body bodies[MOST];
    tr2_scene *scene;
    tr2_world *world;
    assert_int_equal(tr2_scene_generate(kind, size, &scene, NULL), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_true(scene->body_count <= MOST);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        uint32_t body = i * STRIDE % scene->body_count;
        assert_int_equal(tr2_world_create_body(world, &scene->bodies[body].def, &bodies[body]), TR_OK);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        tr2_scene_joint *it = &scene->joints[i * STRIDE % scene->joint_count];
        tr2_joint_def joint = it->def;
        joint.body_a = bodies[it->body_a];
        joint.body_b = bodies[it->body_b];
        assert_int_equal(tr2_world_create_joint(world, &joint, NULL), TR_OK);
    }
    tr2_scene_destroy(scene);
    return world;
}

static void twins_made_in_any_order_are_tiled(void **state)
{
    (void)state;
    static const char *const kinds[] = {"chains", "ragdolls"};
    for (uint32_t kind = 0; kind < 2; kind++) {
        tr_statistics s[2];
        for (int scattered = 0; scattered < 2; scattered++) {
            tr2_world *world = scattered ? make_scattered(kinds[kind], 64)
                                         : make_world(kinds[kind], 64, TR_UNIT_AUTOMATIC, TR_SOFT_STEP, 1);
            run(world, 2);
            s[scattered] = tr2_world_statistics(world);
            tr2_world_destroy(world);
        }
        assert_true(s[0].identical_islands == 64 && s[0].interleaved_clusters > 0 && s[0].contiguous_blocks > 0);
        assert_int_equal(s[1].identical_islands, s[0].identical_islands);
        assert_int_equal(s[1].interleaved_clusters, s[0].interleaved_clusters);
        assert_int_equal(s[1].contiguous_blocks, s[0].contiguous_blocks);
    }
}

/* all stages of a step but the first, of what is in no unit, are one where no island is cut: one barrier each */
static void whole_islands_need_no_barriers_within_a_step(void **state)
{
    (void)state;
    tr2_world *world = make_world("chains", 200, 500, TR_SOFT_STEP, 2);
    run(world, 2);
    tr_statistics statistics = tr2_world_statistics(world);
    if (statistics.threads == 2)
        assert_in_range(statistics.barriers, 1, 2);
    tr2_world_destroy(world);
}

/* m, over the joints and so many steps */
static double rms_over(tr2_world *world, uint32_t steps)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < steps; i++) {
        run(world, 1);
        double rms = tr2_world_measure(world).joint_error_rms;
        sum += rms * rms;
    }
    return sqrt(sum / steps);
}

/* Joints come in another order, so numbers differ, by one percent at most where it was measured; a lattice that holds
   worse for being cut would be off by far more than the three that are allowed. */
static void a_lattice_in_pieces_holds_as_well_as_uncut(void **state)
{
    (void)state;
    tr2_world *cut = make_world("grid", 40, 100, TR_SOFT_STEP, 1);
    tr2_world *uncut = make_world("grid", 40, NO_UNITS, TR_SOFT_STEP, 1);
    assert_true(tr_plan_unit_count(cut->plan) >= 12);
    assert_int_equal(tr_plan_unit_count(uncut->plan), 0);
    for (int second = 0; second < 4; second++) {
        double is = rms_over(cut, 60), was = rms_over(uncut, 60);
        assert_true(was > 0.001 && is < 1.03 * was);
    }
    assert_true(tr2_world_state_hash(cut) != tr2_world_state_hash(uncut));
    tr2_world_destroy(cut);
    tr2_world_destroy(uncut);
}

/* A further sub-step adds one visit of all units, the sweep of the seams, a stage that moves positions, and what the
   seams do before the units relax: each of these is a stage, or one per colour. */
static void a_substep_visits_each_unit_once(void **state)
{
    (void)state;
    tr2_world *world = make_world("grid", 40, 100, TR_SOFT_STEP, 1);
    uint32_t span[4];
    for (uint32_t substeps = 1; substeps <= 4; substeps++) {
        assert_int_equal(tr2_world_step(world, DT, substeps), TR_OK);
        span[substeps - 1] = tr2_world_statistics(world).critical_path;
    }
    uint32_t colors = world->solver->color_count;
    assert_in_range(colors, 2, 16);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(span[i] - span[i - 1], 2 + 2 * colors);
    tr2_world_destroy(world);
}

/* A lattice that floats, each body thrown differently. Units and seams act on the same bodies, at different times; but
   no impulse may be lost on the way, nor act on one body only. */
static void pieces_conserve_momentum(void **state)
{
    (void)state;
    for (int method = 0; method < TR_DIRECT; method++) {
        tr2_world *world = make_world("grid", 30, 100, (tr_method)method, 1);
        tr2_body_view bodies = tr2_world_bodies(world);
        for (uint32_t i = 0; i < bodies.count; i++) {
            if (bodies.type[i] == TR_STATIC)
                assert_int_equal(tr2_body_set_type(world, bodies.id[i], TR_DYNAMIC), TR_OK);
            tr_vec2 velocity = {(float)(i % 7) - 3.0f, (float)(i % 11) - 5.0f};
            assert_int_equal(tr2_body_set_velocity(world, bodies.id[i], velocity, 0.0f), TR_OK);
        }
        tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f});
        assert_int_equal(tr2_world_optimize(world), TR_OK);
        tr2_measures before = tr2_world_measure(world);
        run(world, 30);
        tr2_measures after = tr2_world_measure(world);
        assert_true(tr2_world_statistics(world).clusters > 5 && after.kinetic_energy < 0.9 * before.kinetic_energy);
        assert_true(fabs(after.momentum.x - before.momentum.x) < 0.01);
        assert_true(fabs(after.momentum.y - before.momentum.y) < 0.01);
        tr2_world_destroy(world);
    }
}

static void pieces_have_the_same_bits_on_every_number_of_threads(void **state)
{
    (void)state;
    for (int method = 0; method < TR_DIRECT; method++) {
        uint64_t hash[4];
        for (uint32_t threads = 1; threads <= 4; threads++) {
            tr2_world *world = make_world("grid", 50, 150, (tr_method)method, threads);
            run(world, 12);
            hash[threads - 1] = tr2_world_state_hash(world);
            tr2_world_destroy(world);
        }
        for (int i = 1; i < 4; i++)
            assert_true(hash[i] == hash[0]);
    }
}

/*
 * What the statistics say of units. 200 chains of 20 bodies in units of 500: nothing is cut, all are alike and hang on
 * the ground, which joins nothing. Sixteen of them are a unit by themselves, twelve times, and the eight that are left
 * are one. A joint between two of them is a seam of two units, until it goes.
 */
static void statistics_follow_units_and_edits(void **state)
{
    (void)state;
    tr2_world *world = make_world("chains", 200, 500, TR_SOFT_STEP, 1);
    tr_statistics s = tr2_world_statistics(world);
    assert_int_equal(s.clusters, 13);
    assert_true(s.boundary_joints == 0 && s.independent_clusters == 0 && s.contiguous_blocks == 0);
    run(world, 1);
    s = tr2_world_statistics(world);
    assert_int_equal(s.independent_clusters, s.clusters);
    assert_in_range(s.identical_islands, 190, 200);
    assert_in_range(s.contiguous_blocks, s.blocks / 2, s.blocks);
    assert_true(s.full_layouts == 1 && s.partial_layouts == 0);

    tr2_body_view bodies = tr2_world_bodies(world);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    tr2_joint joint;
    def.length = 50.0f;
    /* rows are in the order of the plan: the first is in its first unit, the middle one in another */
    def.body_a = bodies.id[0];
    def.body_b = bodies.id[s.moving_bodies / 2];
    assert_int_equal(tr2_world_create_joint(world, &def, &joint), TR_OK);
    run(world, 1);
    s = tr2_world_statistics(world);
    assert_true(s.boundary_joints == 1 && s.independent_clusters == s.clusters - 2);
    assert_true(s.full_layouts == 1 && s.partial_layouts == 1);
    assert_int_equal(tr2_world_destroy_joint(world, joint), TR_OK);
    run(world, 1);
    s = tr2_world_statistics(world);
    assert_true(s.boundary_joints == 0 && s.independent_clusters == s.clusters);
    assert_true(s.full_layouts == 1 && s.partial_layouts == 2);

    /* rows of bodies move */
    tr2_body_def body = tr2_body_def_default();
    assert_int_equal(tr2_world_create_body(world, &body, NULL), TR_OK);
    run(world, 2);
    s = tr2_world_statistics(world);
    assert_true(s.full_layouts == 2 && s.partial_layouts == 2);
    tr2_world_destroy(world);

    /* a lattice in pieces: every unit has neighbours */
    world = make_world("grid", 40, 100, TR_SOFT_STEP, 1);
    run(world, 1);
    s = tr2_world_statistics(world);
    assert_true(s.clusters >= 12 && s.independent_clusters == 0 && s.identical_islands == 0);
    assert_in_range(s.boundary_joints, s.clusters, s.joints / 2);
    tr2_world_destroy(world);
}

/* Only some steps of a world with few units are timed. In the others the time is shared as in the last that was. */
static void the_time_of_every_step_is_shared_among_its_stages(void **state)
{
    (void)state;
    tr2_world *world = make_world("chains", 60, 160, TR_SOFT_STEP, 1);
    for (uint32_t step = 0; step < 20; step++) {
        run(world, 1);
        tr_statistics s = tr2_world_statistics(world);
        double sum = 0.0;
        for (uint32_t label = 0; label < TR_STAGE_COUNT; label++)
            sum += s.stage_seconds[label];
        for (uint32_t label = TR_STAGE_PREPARE; label < TR_STAGE_COUNT; label++)
            assert_true(s.stage_seconds[label] > 0.0);
        assert_true(sum <= s.seconds * (1.0 + 1e-9));
    }
    /* a method without warm start spends no time on it, from its first step on */
    assert_int_equal(tr2_world_set_method(world, TR_SMALL_STEP, 0), TR_OK);
    for (uint32_t step = 0; step < 3; step++) {
        run(world, 1);
        assert_true(tr2_world_statistics(world).stage_seconds[TR_STAGE_WARM_START] == 0.0);
    }
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_islands_have_the_bits_of_a_world_without_units),
        cmocka_unit_test(twins_have_the_same_bits_in_tiles_and_in_rows),
        cmocka_unit_test(twins_stay_in_tiles_beside_a_strained_island),
        cmocka_unit_test(twins_made_in_any_order_are_tiled),
        cmocka_unit_test(whole_islands_need_no_barriers_within_a_step),
        cmocka_unit_test(a_lattice_in_pieces_holds_as_well_as_uncut),
        cmocka_unit_test(a_substep_visits_each_unit_once),
        cmocka_unit_test(pieces_conserve_momentum),
        cmocka_unit_test(pieces_have_the_same_bits_on_every_number_of_threads),
        cmocka_unit_test(statistics_follow_units_and_edits),
        cmocka_unit_test(the_time_of_every_step_is_shared_among_its_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
