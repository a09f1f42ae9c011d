/* The fuzzer's target over its corpus and over the scenes that ship: a regression test without a fuzzer. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TR_FUZZ_REPLAY
#include "fuzz/fuzz_scene.c" /* NOLINT(bugprone-suspicious-include) */

#ifdef TR_WITH_SCENES

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    size_t room = (size_t)1 << 22;
    uint8_t *bytes = malloc(room);
    *size = bytes != NULL ? fread(bytes, 1, room, file) : 0;
    fclose(file);
    return bytes;
}

/* every file of a folder through the target; how many there were */
static uint32_t replay(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        fail_msg("%s is not there", folder);
        return 0;
    }
    uint32_t count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t size = 0;
        uint8_t *bytes = entry->d_name[0] != '.' ? read_whole(path, &size) : NULL;
        if (bytes == NULL)
            continue;
        /* a copy of the exact size, so that a sanitizer sees a read past it */
        uint8_t *exact = malloc(size > 0 ? size : 1);
        assert_non_null(exact);
        memcpy(exact, bytes, size);
        assert_int_equal(LLVMFuzzerTestOneInput(exact, size), 0);
        free(exact);
        free(bytes);
        count++;
    }
    closedir(directory);
    return count;
}

static void the_corpus_crashes_nothing(void **state)
{
    (void)state;
    assert_true(replay(TR_TESTS_DIR "/fuzz/corpus") >= 17);
}

static void the_scenes_that_ship_are_read_without_complaint(void **state)
{
    (void)state;
    assert_true(replay(TR_SCENES_DIR) >= 6 && replay(TR_SCENES_DIR "/joints") >= 13);
    assert_true(replay(TR_SCENES_DIR "/space") >= 2 && replay(TR_SCENES_DIR "/space/joints") >= 10);
    static const char *const names[] = {"demo",
                                        "pendulum",
                                        "bridge",
                                        "fourbar",
                                        "ragdoll",
                                        "truck",
                                        "joints/pulley",
                                        "joints/gear",
                                        "joints/weld",
                                        "joints/wheel",
                                        "joints/motor",
                                        "joints/line",
                                        "joints/linear_motor",
                                        "joints/angle",
                                        "joints/target",
                                        "joints/revolute",
                                        "joints/distance",
                                        "joints/prismatic",
                                        "planets",
                                        "crane"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.json", TR_SCENES_DIR, names[i]);
        tr2_scene *scene = NULL;
        tr_error error = {TR_OK, ""};
        if (tr2_scene_load(path, &scene, &error) != TR_OK)
            fail_msg("%s", error.message);
        /* nothing but that shapes do not collide */
        assert_int_equal(scene->notice_count, 1);
        tr2_scene_destroy(scene);
    }
}

/* runs a shipped scene for 10 s: everything finite, joints closed, nothing far from where it was */
static void check_behaviour(const char *name, double farthest)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", TR_SCENES_DIR, name);
    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_load(path, &scene, &error), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    if (tr2_scene_build(scene, world, NULL, NULL, &error) != TR_OK)
        fail_msg("%s: %s", name, error.message);
    double worst = 0.0;
    for (uint32_t step = 0; step < (uint32_t)(10.0 * scene->hertz); step++) {
        assert_int_equal(tr2_world_step(world, 1.0 / scene->hertz, scene->substeps), TR_OK);
        double rms = tr2_world_measure(world).joint_error_rms;
        worst = step > scene->hertz && rms > worst ? rms : worst;
        tr2_body_view view = tr2_world_bodies(world);
        for (uint32_t i = 0; i < view.count; i++)
            if (!(view.center_x[i] * view.center_x[i] + view.center_y[i] * view.center_y[i] < farthest * farthest))
                fail_msg("%s: step %u: body at (%g, %g)", name, step, view.center_x[i], view.center_y[i]);
    }
    if (!(worst < 5e-3))
        fail_msg("%s: rms joint error %g m", name, worst);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* the same in space: the scene's world after 10 s, and the ids of its joints */
static tr3_world *check_space_behaviour(const char *path, double farthest, tr3_scene **scene, tr3_joint *joints)
{
    tr2_scene *plane = NULL;
    tr3_world *world = NULL;
    tr_error error = {TR_OK, ""};
    if (tr_scene_load(path, &plane, scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    assert_true(plane == NULL && (*scene)->notice_count == 0);
    tr3_world_def def = tr3_scene_world_def(*scene);
    def.threads = 1;
    assert_int_equal(tr3_world_create(&def, &world, NULL), TR_OK);
    if (tr3_scene_build(*scene, world, NULL, joints, &error) != TR_OK)
        fail_msg("%s: %s", path, error.message);
    assert_true(tr3_world_measure(world).joint_error_max < 1e-6);
    for (uint32_t step = 0; step < (uint32_t)(10.0 * (*scene)->hertz); step++) {
        assert_int_equal(tr3_world_step(world, 1.0 / (*scene)->hertz, (*scene)->substeps), TR_OK);
        tr3_measures measures = tr3_world_measure(world);
        if (step > (*scene)->hertz && !(measures.joint_error_rms < 5e-3 && measures.joint_angle_error_rms < 1e-2))
            fail_msg("%s: step %u: %g m, %g rad", path, step, measures.joint_error_rms, measures.joint_angle_error_rms);
        tr3_body_view view = tr3_world_bodies(world);
        for (uint32_t i = 0; i < view.count; i++)
            if (!(view.center_x[i] * view.center_x[i] + view.center_y[i] * view.center_y[i] +
                      view.center_z[i] * view.center_z[i] <
                  farthest * farthest))
                fail_msg("%s: step %u: body at (%g, %g, %g)", path, step, view.center_x[i], view.center_y[i],
                         view.center_z[i]);
    }
    assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
    return world;
}

static double coordinate_of(const tr3_scene *scene, const tr3_world *world, const tr3_joint *joints, const char *name)
{
    tr_joint_coordinate_value coordinate;
    uint32_t joint = tr3_scene_find_joint(scene, name);
    assert_true(joint != UINT32_MAX);
    assert_int_equal(tr3_joint_coordinate(world, joints[joint], &coordinate), TR_OK);
    return (double)coordinate.value;
}

static void the_scenes_in_space_do_what_they_show(void **state)
{
    (void)state;
    tr3_scene *scene = NULL;
    tr3_joint joints[16];
    tr3_world *world = check_space_behaviour(TR_SCENES_DIR "/space/door.json", 3.0, &scene, joints);
    /* shut, and the handle back on its stop */
    assert_true(fabs(coordinate_of(scene, world, joints, "upper hinge")) < 0.01);
    assert_true(fabs(coordinate_of(scene, world, joints, "latch")) < 0.01);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
    world = check_space_behaviour(TR_SCENES_DIR "/space/crane.json", 20.0, &scene, joints);
    /* turned at 0.3 rad/s, less what the start took, and the trolley at its stop */
    const double turned = coordinate_of(scene, world, joints, "slewing ring");
    assert_true(turned > 2.8 && turned < 3.0);
    assert_true(fabs(coordinate_of(scene, world, joints, "rail") - 5.5) < 0.01);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

static void the_scenes_of_joints_in_space_stay_in_view_and_together(void **state)
{
    (void)state;
    static const char *const names[] = {"ball",     "cylindrical", "universal", "planar", "line",    "plane",
                                        "parallel", "general",     "motor",     "target", "friction"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        tr3_scene *scene = NULL;
        tr3_joint joints[16];
        snprintf(path, sizeof path, "%s/space/joints/%s.json", TR_SCENES_DIR, names[i]);
        tr3_world *world = check_space_behaviour(path, 4.0, &scene, joints);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
}

static void the_scenes_that_ship_stay_in_view_and_together(void **state)
{
    (void)state;
    check_behaviour("demo", 16.0);
    check_behaviour("pendulum", 4.0);
    check_behaviour("bridge", 14.0);
    check_behaviour("fourbar", 8.0);
    check_behaviour("ragdoll", 5.0);
    check_behaviour("truck", 8.0);
    check_behaviour("crane", 10.0);
    check_behaviour("joints/pulley", 4.0);
    check_behaviour("joints/gear", 6.0);
    check_behaviour("planets", 3.0);
    check_behaviour("joints/weld", 4.0);
    check_behaviour("joints/wheel", 3.0);
    check_behaviour("joints/motor", 4.0);
    check_behaviour("joints/line", 3.0);
    check_behaviour("joints/linear_motor", 3.0);
    check_behaviour("joints/angle", 3.0);
    check_behaviour("joints/target", 3.0);
    check_behaviour("joints/revolute", 3.0);
    check_behaviour("joints/distance", 3.0);
    check_behaviour("joints/prismatic", 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_crashes_nothing),
        cmocka_unit_test(the_scenes_that_ship_are_read_without_complaint),
        cmocka_unit_test(the_scenes_that_ship_stay_in_view_and_together),
        cmocka_unit_test(the_scenes_in_space_do_what_they_show),
        cmocka_unit_test(the_scenes_of_joints_in_space_stay_in_view_and_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
