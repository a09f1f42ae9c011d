/* Made scenes in space: counts, joints that start closed, motion that stays whole, the same scene on every machine. */
#include "scene/core/storage.h"
#include "space_scene.h"

typedef struct made_scene {
    const char *kind;
    uint32_t size, bodies, statics;
    uint32_t joints[TR3_JOINT_TYPE_COUNT];
    /* m: bounds of the rms and of the greatest error of all joints while it runs: half as much again as was measured. What
       hangs still stretches by what the softness of rigid joints gives; a chain that falls from the horizontal whips. */
    double rms, most;
    uint64_t text; /* hash of what is written */
} made_scene;

static const made_scene scenes[] = {
    {"sheet3d", 5, 25, 5, {[TR3_JOINT_BALL] = 40}, 3.5e-4, 9.5e-4, UINT64_C(0x059d4d74ec657520)},
    {"lattice3d", 4, 64, 16, {[TR3_JOINT_BALL] = 144}, 2.4e-4, 7e-4, UINT64_C(0xd0419cc434f621aa)},
    {"chains3d", 3, 61, 1, {[TR3_JOINT_BALL] = 60}, 0.02, 0.05, UINT64_C(0xd94ecb378cca2cc4)},
    {"bridge3d", 20, 22, 2, {[TR3_JOINT_HINGE] = 21}, 6.5e-3, 7e-3, UINT64_C(0x7fbe1cbe757b1a2b)},
    {"hub3d", 50, 52, 1, {[TR3_JOINT_HINGE] = 1, [TR3_JOINT_BALL] = 50}, 2e-4, 2.4e-4, UINT64_C(0xbae2db312ae3cd61)},
    {"ragdolls3d",
     5,
     56,
     1,
     {[TR3_JOINT_HINGE] = 20, [TR3_JOINT_BALL] = 30, [TR3_JOINT_DISTANCE] = 5},
     6e-3,
     0.012,
     UINT64_C(0x4980d43a63d53af4)},
    {"quadrupeds3d",
     5,
     66,
     1,
     {[TR3_JOINT_HINGE] = 60, [TR3_JOINT_DISTANCE] = 5},
     3.6e-3,
     6.5e-3,
     UINT64_C(0x96ca715658bbbfda)},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static void scenes_have_their_counts(void **state)
{
    (void)state;
    assert_int_equal(tr3_scene_generator_count(), SCENES);
    assert_null(tr3_scene_generator_name(SCENES));
    assert_null(tr3_scene_generator_help(UINT32_MAX));
    for (uint32_t i = 0; i < SCENES; i++) {
        assert_string_equal(tr3_scene_generator_name(i), scenes[i].kind);
        assert_true(strlen(tr3_scene_generator_help(i)) > 20);
        tr3_scene *scene = space_generate(scenes[i].kind, scenes[i].size);
        uint32_t statics = 0, joints[TR3_JOINT_TYPE_COUNT] = {0};
        assert_string_equal(scene->name, scenes[i].kind);
        assert_string_equal(scene->format, "generated");
        assert_true(scene->gravity.y == -10.0f && scene->hertz == 60.0 && scene->substeps == 4);
        assert_int_equal(scene->body_count, scenes[i].bodies);
        for (uint32_t b = 0; b < scene->body_count; b++)
            statics += scene->bodies[b].def.type == TR_STATIC;
        assert_int_equal(statics, scenes[i].statics);
        for (uint32_t j = 0; j < scene->joint_count; j++) {
            assert_true(scene->joints[j].body_a < scene->body_count && scene->joints[j].body_b < scene->body_count);
            joints[scene->joints[j].def.type]++;
        }
        assert_memory_equal(joints, scenes[i].joints, sizeof joints);
        tr3_scene_destroy(scene);
    }
}

/* every dynamic body has one solid that gives it the mass and moments that it has */
static void solids_have_the_mass_of_their_bodies(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SCENES; i++) {
        tr3_scene *scene = space_generate(scenes[i].kind, scenes[i].size);
        uint32_t weighed = 0;
        for (uint32_t s = 0; s < scene->shape_count; s++) {
            const tr3_scene_shape *shape = &scene->shapes[s];
            const tr3_body_def *def = &scene->bodies[shape->body].def;
            if (def->type != TR_DYNAMIC)
                continue;
            tr3_mass mass = tr3_scene_mass(scene, s, 1);
            /* floats */
            assert_true(fabs(mass.mass / (double)def->mass - 1.0) < 3e-7);
            assert_true(fabs(mass.inertia.xx / (double)def->inertia.xx - 1.0) < 1e-6);
            assert_true(fabs(mass.inertia.yy / (double)def->inertia.yy - 1.0) < 1e-6);
            assert_true(fabs(mass.inertia.zz / (double)def->inertia.zz - 1.0) < 1e-6);
            assert_true(space_length(mass.center) < 1e-6);
            weighed++;
        }
        assert_int_equal(weighed, scenes[i].bodies - scenes[i].statics);
        tr3_scene_destroy(scene);
    }
}

static void every_size_starts_closed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SCENES; i++) {
        for (uint32_t size = 1; size <= 12; size++) {
            tr3_scene *scene = space_generate(scenes[i].kind, size);
            tr3_world *world = space_build(scene);
            tr3_measures measures = tr3_world_measure(world);
            /* anchors are floats: half a unit in the last place of some 40 m */
            if (!(measures.joint_error_max < 4e-6 && measures.joint_angle_error_max < 1e-6))
                fail_msg("%s %u: %g m, %g rad", scenes[i].kind, size, measures.joint_error_max,
                         measures.joint_angle_error_max);
            tr3_world_destroy(world);
            tr3_scene_destroy(scene);
        }
    }
}

static void ten_seconds_stay_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SCENES; i++) {
        tr3_scene *scene = space_generate(scenes[i].kind, scenes[i].size);
        tr3_world *world = space_build(scene);
        double rms = 0.0, most = 0.0;
        for (uint32_t step = 0; step < 600; step++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            tr3_measures measures = tr3_world_measure(world);
            rms = fmax(rms, measures.joint_error_rms);
            most = fmax(most, measures.joint_error_max);
            assert_true(isfinite(measures.kinetic_energy) && isfinite(measures.joint_error_max));
        }
        assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
        if (!(rms < scenes[i].rms && most < scenes[i].most))
            fail_msg("%s: %.2g m rms, %.2g m at most", scenes[i].kind, rms, most);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
}

/*
 * A robot on servos by the methods that start each sub-step without impulses: a row that holds a weight gives way by what
 * it falls in a sub-step, g h^2, times the load on it over what it moves, some times here. So the error must fall with
 * h^2, from 2 sub-steps on: springs of light links must not excite the rows beside them. No servo adds energy.
 */
static void servos_hold_by_methods_without_warm_start(void **state)
{
    static const tr_method methods[] = {TR_SMALL_STEP, TR_POSITION_BASED};
    (void)state;
    for (int m = 0; m < 2; m++) {
        for (uint32_t substeps = 2; substeps <= 8; substeps *= 2) {
            tr3_scene *scene = space_generate("quadrupeds3d", 1);
            scene->method = methods[m];
            tr3_world *world = space_build(scene);
            const double fall = 10.0 / (3600.0 * substeps * substeps);
            const tr3_measures begin = tr3_world_measure(world);
            const double start = begin.kinetic_energy + begin.potential_energy;
            for (uint32_t step = 0; step < 600; step++) {
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, substeps));
                const tr3_measures measures = tr3_world_measure(world);
                const double energy = measures.kinetic_energy + measures.potential_energy;
                const double most = step >= 120 ? 6.0 * fall : 40.0 * fall;
                if (!(measures.joint_error_rms < most && energy < start + 1e-3))
                    fail_msg("method %d, %u sub-steps: %.2g m rms and %.3g J in step %u", (int)methods[m], substeps,
                             measures.joint_error_rms, energy, step);
            }
            assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
            tr3_world_destroy(world);
            tr3_scene_destroy(scene);
        }
    }
}

#ifdef TR_WITH_SCENES

/* generators use no function that differs between machines, so the text is the same on all */
static void the_text_is_the_same_on_every_machine(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SCENES; i++) {
        tr3_scene *scene = space_generate(scenes[i].kind, scenes[i].size);
        char *text = space_write(scene);
        const uint64_t hash = mix_bytes(UINT64_C(0xcbf29ce484222325), text, strlen(text));
        if (hash != scenes[i].text)
            fail_msg("%s: 0x%016llx", scenes[i].kind, (unsigned long long)hash);
        free(text);
        tr3_scene_destroy(scene);
    }
}

#endif

static void sizes_that_cannot_be_are_refused(void **state)
{
    tr3_scene *untouched = (tr3_scene *)(void *)state, *scene = untouched;
    tr_error error = {TR_OK, ""};
    for (uint32_t i = 0; i < SCENES; i++) {
        assert_int_equal(tr3_scene_generate(scenes[i].kind, 0, &scene, &error), TR_ERROR_RANGE);
        assert_non_null(strstr(error.message, scenes[i].kind));
        assert_int_equal(tr3_scene_generate(scenes[i].kind, UINT32_MAX, &scene, &error), TR_ERROR_RANGE);
        assert_non_null(strstr(error.message, "the size must lie between 1 and "));
        assert_int_equal(tr3_scene_generate(scenes[i].kind, 0, &scene, NULL), TR_ERROR_RANGE);
    }
    assert_int_equal(tr3_scene_generate("grid", 1, &scene, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "there is no generated scene \"grid\"; there are sheet3d, lattice3d, chains3d, "
                                       "bridge3d, hub3d, ragdolls3d and quadrupeds3d");
    assert_int_equal(tr3_scene_generate(NULL, 1, &scene, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_generate("hub3d", 1, NULL, &error), TR_ERROR_NULL);
    assert_ptr_equal(scene, untouched);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_have_their_counts),
        cmocka_unit_test(solids_have_the_mass_of_their_bodies),
        cmocka_unit_test(every_size_starts_closed),
        cmocka_unit_test(ten_seconds_stay_whole),
        cmocka_unit_test(servos_hold_by_methods_without_warm_start),
#ifdef TR_WITH_SCENES
        cmocka_unit_test(the_text_is_the_same_on_every_machine),
#endif
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
