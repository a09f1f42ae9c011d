/* Memory that runs out while scenes are built, captured and destroyed: scarce_run.h. */
#include "scarce.h"
#include "scarce_run.h"
#include "trammel/scene2.h"

static bool runs_out(void)
{
    if (scarce == NULL)
        return false;
    note_callers();
    if (++scarce->calls != scarce->fail_at)
        return false;
    scarce->failures++;
    return true;
}

void *scarce_malloc(size_t size)
{
    return runs_out() ? NULL : malloc(size);
}

void *scarce_calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : calloc(count, size);
}

void *scarce_realloc(void *old, size_t size)
{
    return runs_out() ? NULL : realloc(old, size);
}

void scarce_free(void *block)
{
    free(block);
}

char *scarce_realpath(const char *path, char *resolved)
{
    return realpath(path, resolved);
}

/*
 * Scenes: built, captured, destroyed and built again
 */
static const tr2_scene *yard; /* that life_of_a_scene() builds */

static void build(run *it, const tr2_scene *scene, tr2_body *bodies)
{
    tr2_joint *joints = calloc((size_t)scene->joint_count + 1, sizeof *joints);
    tr2_shape *shapes = calloc((size_t)tr2_scene_shape_id_count(scene) + 1, sizeof *shapes);
    tr_error error = {TR_OK, ""};
    DO(it, tr2_scene_build_shapes(scene, it->world, bodies, joints, shapes, &error));
    note_bytes(it, bodies, scene->body_count * sizeof *bodies);
    note_bytes(it, joints, scene->joint_count * sizeof *joints);
    note_bytes(it, shapes, tr2_scene_shape_id_count(scene) * sizeof *shapes);
    free(joints);
    free(shapes);
}

static void life_of_a_scene(run *it)
{
    tr2_scene *copy = NULL;
    tr2_body *bodies = calloc((size_t)yard->body_count + 1, sizeof *bodies);
    tr2_body *others = calloc((size_t)yard->body_count + 1, sizeof *others);
    begin(it);
    build(it, yard, bodies);
    look(it);
    step(it, 3);
    DO(it, tr2_scene_capture(it->world, &copy, NULL));
    if (copy != NULL)
        build(it, copy, others);
    step(it, 1);
    DO(it, tr2_world_destroy_bodies(it->world, bodies, yard->body_count));
    step(it, 1);
    build(it, yard, bodies);
    step(it, 2);
    ask(it);
    DO(it, tr2_world_destroy_bodies(it->world, others, yard->body_count / 2));
    DO(it, tr2_world_optimize(it->world));
    step(it, 5);
    look(it);
    step(it, 3);
    tr2_scene_destroy(copy);
    free(bodies);
    free(others);
}

static void end_the_same(tr2_scene *scene, bool collide)
{
    scene->collide = collide;
    yard = scene;
    exhaust(life_of_a_scene);
    tr2_scene_destroy(scene);
}

static void scenes_end_the_same_whatever_fails(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
#ifdef TR_WITH_SCENES
    assert_int_equal(tr2_scene_load(TR_SCENES_DIR "/demo.json", &scene, NULL), TR_OK);
#else
    assert_int_equal(tr2_scene_generate("bridge", 40, &scene, NULL), TR_OK);
#endif
    end_the_same(scene, false);
}

static void scenes_that_collide_end_the_same_whatever_fails(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("ragdolls", 3, &scene, NULL), TR_OK);
    end_the_same(scene, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_end_the_same_whatever_fails),
        cmocka_unit_test(scenes_that_collide_end_the_same_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
