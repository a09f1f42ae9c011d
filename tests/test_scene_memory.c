/*
 * Reading, writing, making, building and capturing scenes of either dimension with memory that runs out: at every single
 * allocation in turn, the call fails with TR_ERROR_MEMORY, leaves the result untouched and leaks nothing. Memory is that
 * of src/scene, of jansson and of worlds.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scarce.h"
#include "trammel/scene3.h"
#include "trammel/statistics3.h"

static uint64_t allowed = UINT64_MAX; /* allocations until memory runs out */
static int64_t live;                  /* blocks not yet released */
static bool json_ran_out;             /* the first refusal was jansson's, whose lexer calls it an invalid token */

static bool runs_out(void)
{
    if (allowed == 0)
        return true;
    allowed--;
    return false;
}

static void *counted(void *block)
{
    live += block != NULL ? 1 : 0;
    return block;
}

void *scarce_malloc(size_t size)
{
    return runs_out() ? NULL : counted(malloc(size));
}

void *scarce_calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : counted(calloc(count, size));
}

void *scarce_realloc(void *old, size_t size)
{
    void *block = runs_out() ? NULL : realloc(old, size);
    return old == NULL ? counted(block) : block;
}

void scarce_free(void *block)
{
    live -= block != NULL ? 1 : 0;
    free(block);
}

char *scarce_realpath(const char *path, char *resolved)
{
    if (!runs_out())
        return counted(realpath(path, resolved));
    errno = ENOMEM;
    return NULL;
}

/* of worlds: blocks are aligned to 64 bytes */
static void *world_allocate(size_t size, size_t alignment, void *context)
{
    (void)context;
    return runs_out() ? NULL : counted(aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

static void world_release(void *memory, size_t size, void *context)
{
    (void)size;
    (void)context;
    scarce_free(memory);
}

/* what a call made, if anything */
typedef struct made {
    tr2_scene *plane;
    tr3_scene *space;
    char *text, *notices;
} made;

static void destroy(made *it)
{
    tr2_scene_destroy(it->plane);
    tr3_scene_destroy(it->space);
    scarce_free(it->text);
    scarce_free(it->notices);
}

/* one call whose memory runs out */
typedef tr_status attempt(made *out, tr_error *error);

/* with 0, 1, 2, ... allocations allowed, until the call succeeds; how many it took */
static uint64_t exhaust(attempt *call)
{
    for (uint64_t count = 0; count < 100000; count++) {
        made it = {NULL, NULL, NULL, NULL};
        tr_error error = {TR_OK, ""};
        int64_t before = live;
        allowed = count;
        json_ran_out = false;
        tr_status status = call(&it, &error);
        bool done = allowed > 0;
        allowed = UINT64_MAX;
        if (status == TR_OK) {
            /* giving back unused room may fail without harm, so success can come before memory suffices */
            destroy(&it);
            assert_int_equal(live, before);
            if (done)
                return count;
            continue;
        }
        if (status != TR_ERROR_MEMORY && !(json_ran_out && status == TR_ERROR_PARSE))
            fail_msg("%s: %s", tr_status_name(status), error.message);
        assert_int_equal(error.status, status);
        assert_true(it.plane == NULL && it.space == NULL && it.text == NULL);
        if (live != before)
            fail_msg("%lld blocks leaked at allocation %llu", (long long)(live - before), (unsigned long long)count);
    }
    fail_msg("never enough memory");
    return 0;
}

/*
 * Making
 */
static tr_status make_ragdolls_of_three(made *out, tr_error *error)
{
    return tr2_scene_generate("ragdolls", 3, &out->plane, error);
}

static tr_status make_hub_of_three(made *out, tr_error *error)
{
    return tr2_scene_generate("hub", 3, &out->plane, error);
}

static const char *space_kind; /* of the generator that make_space() calls */

static tr_status make_space(made *out, tr_error *error)
{
    return tr3_scene_generate(space_kind, 1, &out->space, error);
}

static void making_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(exhaust(make_ragdolls_of_three) > 5);
    assert_true(exhaust(make_hub_of_three) > 5);
    for (uint32_t i = 0; i < tr3_scene_generator_count(); i++) {
        space_kind = tr3_scene_generator_name(i);
        assert_true(exhaust(make_space) > 4);
    }
}

/*
 * Building and capturing in space (test_scarce_memory.c does the same in the plane)
 */
static tr3_world *world_that_counts(const tr3_scene *scene)
{
    tr3_world_def def = tr3_scene_world_def(scene);
    def.threads = 1;
    def.tag = 3;
    def.allocator = (tr_allocator){world_allocate, world_release, NULL};
    tr3_world *world = NULL;
    assert_int_equal(tr3_world_create(&def, &world, NULL), TR_OK);
    return world;
}

static uint64_t hash_after_steps(tr3_world *world)
{
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(tr3_world_step(world, 1.0 / 60.0, 4), TR_OK);
    return tr3_world_state_hash(world);
}

static void building_in_space_survives_every_failed_allocation(void **state)
{
    (void)state;
    enum { BODIES = 12, JOINTS = 11 };
    tr3_scene *scene = NULL;
    assert_int_equal(tr3_scene_generate("ragdolls3d", 1, &scene, NULL), TR_OK);
    assert_true(scene->body_count == BODIES && scene->joint_count == JOINTS);
    const int64_t before = live;
    tr3_world *world = world_that_counts(scene);
    tr3_body first_bodies[BODIES], bodies[BODIES];
    tr3_joint first_joints[JOINTS], joints[JOINTS];
    const uint64_t empty = tr3_world_state_hash(world);
    assert_int_equal(tr3_scene_build(scene, world, first_bodies, first_joints, NULL), TR_OK);
    const uint64_t undisturbed = hash_after_steps(world);
    tr3_world_destroy(world);
    assert_int_equal(live, before);

    uint64_t count = 0;
    for (bool done = false; !done && count < 10000; count++) {
        world = world_that_counts(scene);
        memset(bodies, 0xA5, sizeof bodies);
        memset(joints, 0xA5, sizeof joints);
        const tr3_body untouched = bodies[0];
        tr_error error = {TR_OK, ""};
        allowed = count;
        tr_status status = tr3_scene_build(scene, world, bodies, joints, &error);
        done = allowed > 0;
        allowed = UINT64_MAX;
        if (status != TR_OK) {
            assert_int_equal(status, TR_ERROR_MEMORY);
            assert_int_equal(error.status, status);
            assert_true(error.message[0] != '\0');
            assert_memory_equal(&bodies[0], &untouched, sizeof untouched);
            assert_true(tr3_world_state_hash(world) == empty);
            assert_int_equal(tr3_world_statistics(world).bodies, 0);
            assert_int_equal(tr3_world_statistics(world).joints, 0);
            assert_int_equal(tr3_scene_build(scene, world, bodies, joints, NULL), TR_OK);
        }
        /* also the same ids: what was taken back left no trace */
        assert_memory_equal(bodies, first_bodies, sizeof bodies);
        assert_memory_equal(joints, first_joints, sizeof joints);
        assert_true(hash_after_steps(world) == undisturbed);
        tr3_world_destroy(world);
        assert_int_equal(live, before);
    }
    assert_true(count > 20 && count < 10000);
    tr3_scene_destroy(scene);
}

static const tr3_world *to_capture;

static tr_status capture_one(made *out, tr_error *error)
{
    return tr3_scene_capture(to_capture, &out->space, error);
}

static void capturing_in_space_survives_every_failed_allocation(void **state)
{
    (void)state;
    tr3_scene *scene = NULL;
    assert_int_equal(tr3_scene_generate("ragdolls3d", 2, &scene, NULL), TR_OK);
    tr3_world *world = world_that_counts(scene);
    assert_int_equal(tr3_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
    to_capture = world;
    /* the views that it reads are made by the world and kept: once with them, and once before them */
    made once = {NULL, NULL, NULL, NULL};
    assert_int_equal(tr3_scene_capture(world, &once.space, NULL), TR_OK);
    assert_true(exhaust(capture_one) > 5);
    tr3_world_destroy(world);

    uint64_t count = 0;
    for (bool done = false; !done && count < 10000; count++) {
        int64_t before = live;
        world = world_that_counts(scene);
        assert_int_equal(tr3_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
        made it = {NULL, NULL, NULL, NULL};
        const uint64_t hash = tr3_world_state_hash(world);
        to_capture = world;
        allowed = count;
        tr_status status = capture_one(&it, NULL);
        done = allowed > 0;
        allowed = UINT64_MAX;
        assert_true(status == TR_OK || (status == TR_ERROR_MEMORY && it.space == NULL));
        if (status == TR_OK)
            assert_true(it.space->body_count == once.space->body_count &&
                        it.space->joint_count == once.space->joint_count);
        assert_true(tr3_world_state_hash(world) == hash);
        destroy(&it);
        tr3_world_destroy(world);
        assert_int_equal(live, before);
    }
    assert_true(count > 10 && count < 10000);
    destroy(&once);
    tr3_scene_destroy(scene);
}

#ifdef TR_WITH_SCENES

#include <jansson.h>

static void *json_malloc(size_t size)
{
    json_ran_out = json_ran_out || allowed == 0;
    return scarce_malloc(size);
}

/*
 * Reading and writing
 */
static const char *const own_text =
    "{\"trammel\": 1, \"name\": \"n\", \"odd\": 1, \"bodies\": [{\"name\": \"a\", \"shapes\": ["
    "{\"type\": \"polygon\", \"name\": \"p\", \"density\": 1, \"vertices\": [[0, 0], [1, 0], [1, 1], [0, 1]]}]},"
    "{\"name\": \"b\"}, {}], \"joints\": [{\"type\": \"revolute\", \"name\": \"j\", \"body_a\": \"a\","
    "\"body_b\": \"b\", \"motor\": {\"speed\": 1}, \"odd\": 1}]}";

static const char *const rube_text =
    "{\"gravity\": 0, \"odd\": 1, \"body\": [{\"name\": \"a\", \"fixture\": [{\"name\": \"f\", \"chain\": "
    "{\"vertices\":"
    "{\"x\": [0, 1], \"y\": [0, 1]}}}]}, {\"type\": 2}], \"joint\": [{\"name\": \"j\", \"type\": \"weld\","
    "\"bodyB\": 1}, {\"type\": \"gear\"}]}";

static const char *const space_text =
    "{\"trammel\": 1, \"dimension\": 3, \"name\": \"n\", \"odd\": 1, \"bodies\": [{\"name\": \"a\", \"shapes\": ["
    "{\"type\": \"box\", \"name\": \"p\", \"half\": [1, 2, 3]}, {\"type\": \"sphere\", \"radius\": 1}]},"
    "{\"name\": \"b\", \"inertia\": [1, 2, 3, 0, 0.1, 0]}, {}], \"joints\": [{\"type\": \"hinge\", \"name\": \"j\","
    "\"body_a\": \"a\", \"body_b\": \"b\", \"axis\": [0, 0, 1], \"motor\": {\"speed\": 1}, \"odd\": 1}]}";

#ifdef TR_WITH_XML

static const char *const urdf_text =
    "<robot name='r' odd='1'><link name='a'><inertial><mass value='1'/></inertial><visual name='v'><geometry>"
    "<box size='1 1 1'/></geometry></visual></link><link name='b'/><link name='c'/>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit effort='1'/></joint>"
    "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint></robot>";

static const char *const mjcf_text =
    "<mujoco model='m' odd='1'><default><geom size='1'/><default class='c'><joint damping='1'/></default></default>"
    "<worldbody><body name='a' childclass='c'><geom name='g'/><joint name='x'/><joint name='y' axis='1 0 0'/>"
    "<body name='b' pos='1 0 0'><geom/></body></body></worldbody><keyframe><key name='k' qpos='1 2'/></keyframe>"
    "<tendon><fixed name='t'><joint joint='x' coef='1'/></fixed></tendon>"
    "<equality><connect body1='a' anchor='0 0 0'/></equality><actuator><motor joint='x'/></actuator></mujoco>";

static tr_status parse_urdf(made *out, tr_error *error)
{
    const tr3_import_loop loop = {"a", "b", TR3_JOINT_WELD, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, NULL};
    const tr3_import_options options = {.weld_fixed = true, .loops = &loop, .loop_count = 1};
    return tr3_scene_import_text(urdf_text, strlen(urdf_text), "test", &options, &out->space, error);
}

static tr_status parse_mjcf(made *out, tr_error *error)
{
    const tr3_import_options options = {.keyframe = "k"};
    return tr3_scene_import_text(mjcf_text, strlen(mjcf_text), "test", &options, &out->space, error);
}

static char robot_path[64];

static tr_status load_robot_of_either(made *out, tr_error *error)
{
    return tr_scene_load(robot_path, &out->plane, &out->space, error);
}

static void write_robot(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void robots_survive_every_failed_allocation(void **state)
{
    (void)state;
    char folder[] = "/tmp/trammel-memory-XXXXXX", inner[64];
    assert_true(exhaust(parse_urdf) > 30);
    assert_true(exhaust(parse_mjcf) > 40);
    assert_non_null(mkdtemp(folder));
    snprintf(robot_path, sizeof robot_path, "%s/a.xml", folder);
    snprintf(inner, sizeof inner, "%s/b.xml", folder);
    write_robot(robot_path, "<mujoco><worldbody><include file='b.xml'/></worldbody></mujoco>");
    write_robot(inner, "<mujocoinclude><body><geom size='1'/></body></mujocoinclude>");
    assert_true(exhaust(load_robot_of_either) > 30);
    assert_int_equal(remove(robot_path), 0);
    assert_int_equal(remove(inner), 0);
    assert_int_equal(rmdir(folder), 0);
}

#endif

static tr_status parse_own(made *out, tr_error *error)
{
    return tr2_scene_parse(own_text, strlen(own_text), "test", &out->plane, error);
}

static tr_status parse_rube(made *out, tr_error *error)
{
    return tr2_scene_parse(rube_text, strlen(rube_text), "test", &out->plane, error);
}

static tr_status parse_space(made *out, tr_error *error)
{
    return tr3_scene_parse(space_text, strlen(space_text), "test", &out->space, error);
}

static tr_status parse_plane_of_either(made *out, tr_error *error)
{
    return tr_scene_parse(own_text, strlen(own_text), "test", &out->plane, &out->space, error);
}

static tr_status parse_space_of_either(made *out, tr_error *error)
{
    return tr_scene_parse(space_text, strlen(space_text), "test", &out->plane, &out->space, error);
}

static void parsing_survives_every_failed_allocation(void **state)
{
    (void)state;
    attempt *const calls[] = {parse_own, parse_rube, parse_space, parse_plane_of_either, parse_space_of_either};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        assert_true(exhaust(calls[i]) > 50);
}

static made to_write;
static const char *saved; /* the file */

static tr_status write_plane(made *out, tr_error *error)
{
    return tr2_scene_write(to_write.plane, &out->text, NULL, error);
}

static tr_status write_space(made *out, tr_error *error)
{
    return tr3_scene_write(to_write.space, &out->text, NULL, error);
}

static tr_status save_space(made *out, tr_error *error)
{
    (void)out;
    return tr3_scene_save(to_write.space, saved, error);
}

static tr_status load_either(made *out, tr_error *error)
{
    return tr_scene_load(saved, &out->plane, &out->space, error);
}

static tr3_export_format robot;

static tr_status write_robot_text(made *out, tr_error *error)
{
    return tr3_scene_export_text(to_write.space, robot, &out->text, NULL, &out->notices, error);
}

static tr_status save_robot(made *out, tr_error *error)
{
    return tr3_scene_export(to_write.space, robot, saved, &out->notices, error);
}

static void writing_survives_every_failed_allocation(void **state)
{
    (void)state;
    char path[] = "/tmp/trammel-memory-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(parse_own(&to_write, NULL), TR_OK);
    assert_int_equal(parse_space(&to_write, NULL), TR_OK);
    assert_true(exhaust(write_plane) > 10);
    assert_true(exhaust(write_space) > 10);
    saved = path;
    assert_true(exhaust(save_space) > 10);
    assert_true(exhaust(load_either) > 50);
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        robot = (tr3_export_format)format;
        assert_true(exhaust(write_robot_text) > 15);
        assert_true(exhaust(save_robot) > 15);
    }
    destroy(&to_write);
    (void)remove(path);
}

#endif

int main(void)
{
#ifdef TR_WITH_SCENES
    json_set_alloc_funcs(json_malloc, scarce_free);
#endif
    const struct CMUnitTest tests[] = {
#ifdef TR_WITH_SCENES
        cmocka_unit_test(parsing_survives_every_failed_allocation),
        cmocka_unit_test(writing_survives_every_failed_allocation),
#ifdef TR_WITH_XML
        cmocka_unit_test(robots_survive_every_failed_allocation),
#endif
#endif
        cmocka_unit_test(making_survives_every_failed_allocation),
        cmocka_unit_test(building_in_space_survives_every_failed_allocation),
        cmocka_unit_test(capturing_in_space_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
