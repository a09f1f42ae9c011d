/* Scenes made into worlds: ids in order, all or nothing, the culprit by name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trammel/scene2.h"
#include "trammel/statistics2.h"

static tr2_scene *ragdolls(uint32_t size)
{
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("ragdolls", size, &scene, NULL), TR_OK);
    return scene;
}

static tr2_world *make_world(const tr2_scene *scene)
{
    tr2_world_def def = scene != NULL ? tr2_scene_world_def(scene) : tr2_world_def_default();
    def.threads = 1;
    def.tag = 7;
    tr2_world *world = NULL;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    return world;
}

static void ids_come_in_the_scenes_order(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(5);
    tr2_world *world = make_world(scene);
    tr2_body *bodies = calloc(scene->body_count, sizeof *bodies);
    tr2_joint *joints = calloc(scene->joint_count, sizeof *joints);
    assert_non_null(bodies);
    assert_non_null(joints);
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_build(scene, world, bodies, joints, &error), TR_OK);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        tr2_body_def def;
        assert_int_equal(tr2_body_get(world, bodies[i], &def), TR_OK);
        assert_true(def.position.x == scene->bodies[i].def.position.x);
        assert_true(def.position.y == scene->bodies[i].def.position.y && def.mass == scene->bodies[i].def.mass);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        tr2_joint_def def;
        const tr2_scene_joint *joint = &scene->joints[i];
        assert_int_equal(tr2_joint_get(world, joints[i], &def), TR_OK);
        assert_int_equal(def.type, joint->def.type);
        assert_memory_equal(&def.body_a, &bodies[joint->body_a], sizeof def.body_a);
        assert_memory_equal(&def.body_b, &bodies[joint->body_b], sizeof def.body_b);
        assert_true(def.anchor_a.x == joint->def.anchor_a.x && def.limit.upper == joint->def.limit.upper);
    }
    assert_true(tr2_world_gravity(world).y == -10.0f);
    free(bodies);
    free(joints);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

static void the_world_takes_the_scenes_gravity(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(1);
    scene->gravity = (tr_vec2){1.0f, 2.0f};
    scene->joint_frequency = 30.0f;
    scene->joint_damping_ratio = 5.0f;
    scene->contacts.push_speed = 2.0f;
    tr2_world_def def = tr2_scene_world_def(scene);
    assert_true(def.gravity.x == 1.0f && def.joint_frequency == 30.0f && def.joint_damping_ratio == 5.0f);
    tr2_world *world = make_world(NULL);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
    assert_true(tr2_world_gravity(world).x == 1.0f && tr2_world_gravity(world).y == 2.0f);
    assert_true(tr2_world_contact_settings(world).push_speed == 2.0f);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

static void an_empty_scene_builds(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(1);
    uint32_t bodies = scene->body_count, joints = scene->joint_count;
    scene->body_count = 0;
    scene->joint_count = 0;
    tr2_world *world = make_world(NULL);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
    assert_int_equal(tr2_world_statistics(world).bodies, 0);
    scene->body_count = bodies;
    scene->joint_count = joints;
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* builds the scene into a world that has a body already, and checks that nothing of it stays */
static void check_refused(tr2_scene *scene, tr_status status, const char *fragment)
{
    tr2_world *world = make_world(NULL);
    tr2_body_def def = tr2_body_def_default();
    tr2_body body, sentinel = {7, 7, 7}, *bodies = calloc(scene->body_count, sizeof *bodies);
    assert_non_null(bodies);
    bodies[0] = sentinel;
    assert_int_equal(tr2_world_create_body(world, &def, &body), TR_OK);
    uint64_t before = tr2_world_state_hash(world);
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_build(scene, world, bodies, NULL, &error), status);
    assert_int_equal(error.status, status);
    if (strstr(error.message, fragment) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", error.message, fragment);
    assert_int_equal(tr2_scene_build(scene, world, bodies, NULL, NULL), status);
    assert_true(tr2_world_state_hash(world) == before);
    assert_int_equal(tr2_world_statistics(world).bodies, 1);
    assert_int_equal(tr2_world_statistics(world).joints, 0);
    assert_true(tr2_world_gravity(world).y == tr2_world_def_default().gravity.y);
    assert_memory_equal(bodies, &sentinel, sizeof sentinel);
    free(bodies);
    tr2_world_destroy(world);
}

/* A scene that is refused, at its bodies, joints, numbers or shapes, leaves the free slots as they were: the next one
   gets the same ids and moves with the same bits as where none was refused. */
static void a_refused_scene_leaves_no_trace(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(2);
    uint32_t count = scene->body_count;
    tr2_body *bodies[2];
    tr2_world *worlds[2];
    uint64_t hashes[2];
    scene->collide = true;
    for (uint32_t which = 0; which < 2; which++) {
        bodies[which] = calloc(count, sizeof **bodies);
        worlds[which] = make_world(NULL);
        assert_non_null(bodies[which]);
        assert_int_equal(tr2_scene_build(scene, worlds[which], bodies[which], NULL, NULL), TR_OK);
        assert_int_equal(tr2_world_destroy_bodies(worlds[which], bodies[which] + 3, count / 2), TR_OK);
    }
    float *const bad[] = {&scene->bodies[count - 1].def.mass, &scene->joints[scene->joint_count - 1].def.friction,
                          &scene->joint_frequency, &scene->shapes[scene->shape_count - 1].friction};
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        float kept = *bad[i];
        *bad[i] = -1.0f;
        assert_int_equal(tr2_scene_build(scene, worlds[0], NULL, NULL, NULL), TR_ERROR_NEGATIVE);
        *bad[i] = kept;
    }
    for (uint32_t which = 0; which < 2; which++) {
        assert_int_equal(tr2_scene_build(scene, worlds[which], bodies[which], NULL, NULL), TR_OK);
        for (uint32_t i = 0; i < 30; i++)
            assert_int_equal(tr2_world_step(worlds[which], 1.0 / 60.0, 4), TR_OK);
        hashes[which] = tr2_world_state_hash(worlds[which]);
    }
    assert_memory_equal(bodies[0], bodies[1], count * sizeof **bodies);
    assert_true(hashes[0] == hashes[1]);
    for (uint32_t which = 0; which < 2; which++) {
        free(bodies[which]);
        tr2_world_destroy(worlds[which]);
    }
    tr2_scene_destroy(scene);
}

static void what_the_world_refuses_is_named_and_leaves_nothing(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(1);
#define REFUSED(place, value, status, fragment)                                                                        \
    do {                                                                                                               \
        __typeof__(place) kept = (place);                                                                              \
        (place) = (value);                                                                                             \
        check_refused(scene, (status), (fragment));                                                                    \
        (place) = kept;                                                                                                \
    } while (0)
    char knee[] = "left knee";
    char *nothing = scene->joints[3].name;
    scene->joints[3].name = knee;
    REFUSED(scene->bodies[3].def.mass, -1.0f, TR_ERROR_NEGATIVE, "body 3 \"head\": mass is -1");
    REFUSED(scene->bodies[2].def.mass, 0.0f, TR_ERROR_ZERO, "body 2 \"torso\": mass is zero");
    REFUSED(scene->bodies[2].def.position.x, (double)NAN, TR_ERROR_NAN, "body 2 \"torso\": position.x is NaN");
    REFUSED(scene->joints[3].def.limit.lower, 9.0f, TR_ERROR_RANGE, "joint 3 \"left knee\": limit.lower is 9");
    REFUSED(scene->joints[4].def.motor.maximum, -1.0f, TR_ERROR_NEGATIVE, "joint 4: motor.maximum is -1");
    REFUSED(scene->joints[4].def.length, 3.0f, TR_ERROR_NO_PROPERTY, "joint 4: length is set");
    REFUSED(scene->joints[4].body_a, scene->joints[4].body_b, TR_ERROR_SELF_JOINT, "joint 4: body_b is body_a");
    REFUSED(scene->joints[4].body_a, 1000u, TR_ERROR_RANGE, "joint 4: there is no body 1000");
    REFUSED(scene->gravity.x, NAN, TR_ERROR_NAN, "world: gravity.x is NaN");
    REFUSED(scene->joint_frequency, -1.0f, TR_ERROR_NEGATIVE, "world: joint_frequency is -1");
    REFUSED(scene->contacts.frequency, 0.0f, TR_ERROR_ZERO, "world: contacts.frequency is zero");
    scene->joints[3].name = nothing;
    tr2_scene_destroy(scene);
}

static void null_is_refused(void **state)
{
    (void)state;
    tr2_scene *scene = ragdolls(1);
    tr2_world *world = make_world(scene);
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_build(NULL, world, NULL, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_build(scene, NULL, NULL, NULL, &error), TR_ERROR_NULL);
    assert_non_null(strstr(error.message, "null"));
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_come_in_the_scenes_order),
        cmocka_unit_test(the_world_takes_the_scenes_gravity),
        cmocka_unit_test(an_empty_scene_builds),
        cmocka_unit_test(a_refused_scene_leaves_no_trace),
        cmocka_unit_test(what_the_world_refuses_is_named_and_leaves_nothing),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
