/* Malformed scenes: each is refused with where it is and what was expected, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trammel/scene2.h"

#ifdef TR_WITH_SCENES

typedef struct bad_scene {
    const char *text;
    const char *fragments[3]; /* that the message must have */
} bad_scene;

#define OWN(rest)        "{\"trammel\": 1, " rest "}"
#define OWN_JOINT(rest)  OWN("\"bodies\": [{}, {}], \"joints\": [{\"body_a\": 0, \"body_b\": 1, " rest "}]")
#define RUBE_JOINT(rest) "{\"body\": [{}, {}], \"joint\": [{\"bodyA\": 0, \"bodyB\": 1, " rest "}]}"

static const bad_scene bad_scenes[] = {
    /* not JSON: file, line and column */
    {"", {"test:1:"}},
    {"\n\n{\"trammel\": 1,, }", {"test:3:"}},
    {"{\"trammel\": 1, \"bodies\": [{\"posi", {"test:1:", "end of input"}},
    {"{\"trammel\": 1}\n{\"trammel\": 1}", {"test:2:", "end of file expected"}},
    {"{\"trammel\": 1, \"trammel\": 1}", {"test:1:", "duplicate"}},
    {OWN("\"bodies\": [{\"mass\": NaN}]"), {"test:1:"}},
    {OWN("\"bodies\": [{\"mass\": Infinity}]"), {"test:1:"}},
    {OWN("\"bodies\": [{\"mass\": 1e999}]"), {"test:1:", "overflow"}},
    {OWN("\"bodies\": [{\"mass\": 99999999999999999999999}]"), {"test:1:", "too big"}},
    {OWN("\"bodies\": [{\"name\": \"\xff\"}]"), {"test:1:", "decode byte 0xff"}},
    {OWN("\"bodies\": [{\"name\": \"a\\u0000b\"}]"), {"test:1:"}},
    /* JSON, but no scene */
    {"[]", {"test: expected an object, found an array"}},
    {"{}", {"expected a scene", "\"trammel\""}},
    {"{\"metaworld\": {}}", {"project", "export"}},
    {"{\"trammel\": \"1\"}", {"test: trammel: expected the format's version, 1, found a string"}},
    {"{\"trammel\": 2}", {"format version 2", "reads version 1"}},
    {"{\"trammel\": 1.5}", {"format version 1.5", "reads version 1"}},
    /* world */
    {OWN("\"world\": []"), {"world: expected an object, found an array"}},
    {OWN("\"world\": {\"gravity\": [1]}"), {"world.gravity: expected a vector"}},
    {OWN("\"world\": {\"gravity\": 0}"), {"world.gravity: expected a vector", "found a number"}},
    {OWN("\"world\": {\"gravity\": [1, \"2\"]}"), {"world.gravity[1]: expected a number, found a string"}},
    {OWN("\"world\": {\"hertz\": 0}"), {"world.hertz: expected a number above 0"}},
    {OWN("\"world\": {\"length_unit\": 0}"), {"world.length_unit: expected a number above 0, found 0"}},
    {OWN("\"world\": {\"hertz\": null}"), {"world.hertz: expected a number, found null"}},
    {OWN("\"world\": {\"substeps\": 0}"), {"world.substeps: expected an integer from 1 to 1024, found 0"}},
    {OWN("\"world\": {\"substeps\": 2.5}"), {"found 2.5"}},
    {OWN("\"world\": {\"substeps\": -1}"), {"world.substeps", "found -1"}},
    {OWN("\"world\": {\"joint_frequency\": 1e39}"), {"world.joint_frequency: 1e+39 does not fit"}},
    {OWN("\"name\": 3"), {"name: expected a string, found a number"}},
    /* bodies and shapes */
    {OWN("\"bodies\": {}"), {"bodies: expected an array, found an object"}},
    {OWN("\"bodies\": [1]"), {"bodies[0]: expected an object, found a number"}},
    {OWN("\"bodies\": [{}, {\"type\": \"soft\"}]"), {"bodies[1].type: expected \"static\"", "found \"soft\""}},
    {OWN("\"bodies\": [{\"type\": 2}]"), {"bodies[0].type", "found a number"}},
    {OWN("\"bodies\": [{\"position\": {\"x\": true}}]"), {"bodies[0].position.x: expected a number, found a boolean"}},
    {OWN("\"bodies\": [{\"fixed_rotation\": 1}]"), {"bodies[0].fixed_rotation: expected true or false"}},
    {OWN("\"bodies\": [{\"user_data\": -1}]"), {"bodies[0].user_data: expected an integer from 0"}},
    {OWN("\"bodies\": [{\"user_data\": \"18446744073709551616\"}]"), {"bodies[0].user_data"}},
    {OWN("\"bodies\": [{\"user_data\": \"\"}]"), {"bodies[0].user_data"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"radius\": 1}]}]"), {"bodies[0].shapes[0].type", "found nothing"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"polygon\"}]}]"),
     {"bodies[0].shapes[0].vertices: expected an array, found nothing"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 1]]}]}]"),
     {"expected at least 3 vertices, found 2"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"polygon\", \"vertices\": [[0.1, 0.3], [0.2, 0.6], [0.7, 2.1]]}]}]"),
     {"bodies[0].shapes[0].vertices: ", "no area"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"polygon\", \"vertices\": [[5, 5], [5, 5], [5, 5], [5, 5]]}]}]"),
     {"bodies[0].shapes[0].vertices: ", "no area"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 1], [1, 0], [0, 1]]}]}]"),
     {"bodies[0].shapes[0].vertices: ", "parts cancel"}},
    {OWN("\"bodies\": [{}, {\"shapes\": [{\"type\": \"circle\", \"radius\": -0.5}]}]"),
     {"bodies[1].shapes[0].radius: ", "found -0.5"}},
    {OWN("\"bodies\": [{\"shapes\": [{\"type\": \"circle\", \"radius\": 3e38, \"density\": 1}]}]"),
     {"bodies[0]: its mass, inertia or centre does not fit"}},
    /* joints */
    {OWN("\"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1}]"),
     {"joints[0].body_a: there is no body 0; the scene has 0"}},
    {OWN_JOINT("\"name\": \"x\""), {"joints[0].type: expected a type of joint: "}},
    {OWN_JOINT("\"type\": \"rope\""), {"joints[0].type", "found \"rope\""}},
    {OWN_JOINT("\"type\": \"revolute\", \"motor\": {\"speed\": \"fast\"}"),
     {"joints[0].motor.speed: expected a number, found a string"}},
    {OWN_JOINT("\"type\": \"revolute\", \"motor\": 3"), {"joints[0].motor: expected an object, found a number"}},
    {OWN_JOINT("\"type\": \"weld\", \"motor\": {\"speed\": 1}"), {"joints[0].motor: a weld joint has no motor"}},
    {OWN_JOINT("\"type\": \"weld\", \"motor\": {}"), {"joints[0].motor: a weld joint has no motor"}},
    {OWN_JOINT("\"type\": \"weld\", \"event\": 3"), {"joints[0].event: expected an object, found a number"}},
    {OWN_JOINT("\"type\": \"weld\", \"event\": {\"torque\": []}"), {"joints[0].event.torque: expected a number"}},
    {OWN_JOINT("\"type\": \"weld\", \"break\": \"soon\""), {"joints[0].break: expected an object, found a string"}},
    {OWN_JOINT("\"type\": \"weld\", \"break\": {\"impulse\": true}"), {"joints[0].break.impulse: expected a number"}},
    {OWN_JOINT("\"type\": \"weld\", \"break\": {\"force\": 1e39}"), {"joints[0].break.force"}},
    {OWN_JOINT("\"type\": \"weld\", \"break\": {\"steps\": -1}"),
     {"joints[0].break.steps: expected an integer from 0"}},
    {OWN_JOINT("\"type\": \"weld\", \"break\": {\"steps\": 2.5}"),
     {"joints[0].break.steps: expected an integer from 0"}},
    {OWN_JOINT("\"type\": \"weld\", \"linear\": 3"), {"joints[0].linear", "\"frequency\"", "found a number"}},
    {OWN_JOINT("\"type\": \"weld\", \"linear\": {}"), {"joints[0].linear.kind", "found nothing"}},
    {OWN_JOINT("\"type\": \"weld\", \"linear\": \"frequency\""), {"wants an object with frequency and damping_ratio"}},
    {OWN_JOINT("\"type\": \"weld\", \"linear\": {\"kind\": \"soft\"}"), {"joints[0].linear.kind", "found \"soft\""}},
    {OWN_JOINT("\"type\": \"weld\", \"linear\": {\"kind\": \"physical\", \"stiffness\": []}"),
     {"joints[0].linear.stiffness: expected a number, found an array"}},
    {OWN_JOINT("\"type\": \"revolute\", \"limit\": {\"enable\": \"yes\"}"),
     {"joints[0].limit.enable: expected true or"}},
    {OWN_JOINT("\"type\": \"prismatic\", \"axis\": \"x\""), {"joints[0].axis: expected a vector", "found a string"}},
    {OWN("\"bodies\": [{}], \"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 0}]"),
     {"joints[0]: joins body 0 to itself"}},
    {OWN("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 2}]"),
     {"joints[0].body_b: there is no body 2; the scene has 2"}},
    {OWN("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": -1, \"body_b\": 0}]"),
     {"joints[0].body_a: there is no body -1"}},
    {OWN("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": 0.0, \"body_b\": 1}]"),
     {"joints[0].body_a: expected a body's index or name, found a number"}},
    {OWN("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": 0}]"),
     {"joints[0].body_b: expected a body's index or name, found nothing"}},
    {OWN("\"bodies\": [{\"name\": \"a\"}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": \"b\", \"body_b\": 0}]"),
     {"joints[0].body_a: there is no body \"b\""}},
    {OWN("\"bodies\": [{\"name\": \"a\"}, {}, {\"name\": \"a\"}], \"joints\": [{\"type\": \"weld\", \"body_a\": \"a\","
         "\"body_b\": 1}]"),
     {"\"a\" is the name of bodies 0 and 2; use an index"}},
    /* R.U.B.E. */
    {"{\"body\": {}}", {"test: body: expected an array, found an object"}},
    {"{\"gravity\": 9.8}", {"gravity: expected a vector"}},
    {"{\"gravity\": 0, \"stepsPerSecond\": -1}", {"stepsPerSecond: expected a number above 0"}},
    {"{\"body\": [{\"type\": 3}]}", {"body[0].type: expected an integer from 0 to 2, found 3"}},
    {"{\"body\": [{\"angle\": \"3F80\"}]}", {"body[0].angle: expected a number, or eight hexadecimal digits"}},
    {"{\"body\": [{\"angle\": \"3F8000000\"}]}", {"eight hexadecimal"}},
    {"{\"body\": [{\"angle\": \"7F800000\"}]}", {"body[0].angle: expected a finite number"}},
    {"{\"body\": [{\"angle\": \"7FC00000\"}]}", {"expected a finite number"}},
    {"{\"body\": [{\"fixture\": [{\"polygon\": {\"vertices\": {\"x\": [1, 2, 3], \"y\": [1, 2, 3]}}}]}]}",
     {"body[0].fixture[0].polygon.vertices: ", "no area"}},
    {"{\"body\": [{\"fixture\": [{\"circle\": {\"radius\": -1}}]}]}",
     {"body[0].fixture[0].circle.radius: ", "found -1"}},
    {"{\"body\": [{\"fixture\": [{\"polygon\": {\"vertices\": {\"x\": [1, 2, 3], \"y\": [1, 2]}}}]}]}",
     {"body[0].fixture[0].polygon.vertices: expected as many y as x, found 2 and 3"}},
    {"{\"body\": [{\"fixture\": [{\"chain\": {\"vertices\": {\"x\": [1], \"y\": [1]}}}]}]}", {"at least 2 vertices"}},
    {"{\"body\": [{\"fixture\": [{\"circle\": 1}]}]}", {"fixture[0].circle: expected an object"}},
    {"{\"body\": [{\"type\": 2, \"massData-mass\": 1e300}]}", {"body[0]: its mass"}},
    {RUBE_JOINT("\"name\": \"x\""), {"joint[0].type: expected a type of joint, found nothing"}},
    {RUBE_JOINT("\"type\": \"hinge\""), {"joint[0].type", "found \"hinge\""}},
    {RUBE_JOINT("\"type\": \"weld\", \"frequency\": []"), {"joint[0].frequency: expected a number, found an array"}},
    {"{\"body\": [{}], \"joint\": [{\"type\": \"weld\"}]}", {"joint[0]: joins body 0 to itself"}},
    {"{\"body\": [{}], \"joint\": [{\"type\": \"weld\", \"bodyB\": 1}]}", {"joint[0].bodyB", "from 0 to 0, found 1"}},
    {"{\"gravity\": 0, \"joint\": [{\"type\": \"weld\"}]}", {"joint[0]: there are no bodies to join"}},
};

static void malformed_scenes_are_refused_with_place_and_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_scenes / sizeof bad_scenes[0]; i++) {
        const bad_scene *bad = &bad_scenes[i];
        tr2_scene *untouched = (tr2_scene *)&state, *scene = untouched;
        tr_error error = {TR_OK, ""};
        tr_status status = tr2_scene_parse(bad->text, strlen(bad->text), "test", &scene, &error);
        if (status != TR_ERROR_PARSE || error.status != status)
            fail_msg("%s: got %s", bad->text, tr_status_name(status));
        assert_ptr_equal(scene, untouched);
        for (size_t f = 0; f < 3 && bad->fragments[f] != NULL; f++)
            if (strstr(error.message, bad->fragments[f]) == NULL)
                fail_msg("%s: \"%s\" lacks \"%s\"", bad->text, error.message, bad->fragments[f]);
        /* and without anyone to tell */
        assert_int_equal(tr2_scene_parse(bad->text, strlen(bad->text), NULL, &scene, NULL), TR_ERROR_PARSE);
    }
}

static void every_truncation_of_a_scene_is_refused(void **state)
{
    (void)state;
    const char *const texts[] = {
        OWN("\"bodies\": [{\"name\": \"\xc3\xa9\", \"position\": [1.5, -2e3]}, {}], \"joints\": [{\"type\": \"weld\","
            "\"body_a\": 0, \"body_b\": 1, \"linear\": \"rigid\"}]"),
        RUBE_JOINT("\"type\": \"wheel\", \"localAxisA\": {\"x\": 0, \"y\": \"3F800000\"}"),
    };
    for (size_t t = 0; t < 2; t++) {
        size_t size = strlen(texts[t]);
        tr2_scene *scene = NULL;
        assert_int_equal(tr2_scene_parse(texts[t], size, "test", &scene, NULL), TR_OK);
        tr2_scene_destroy(scene);
        for (size_t i = 0; i < size; i++) {
            /* a copy of the exact size, so that a sanitizer sees a read past it */
            char *part = malloc(i + 1);
            assert_non_null(part);
            memcpy(part, texts[t], i);
            tr_error error = {TR_OK, ""};
            assert_int_equal(tr2_scene_parse(part, i, "test", &scene, &error), TR_ERROR_PARSE);
            assert_int_equal(strncmp(error.message, "test:1:", 7), 0);
            free(part);
        }
    }
}

static void deep_nesting_is_refused_not_followed(void **state)
{
    (void)state;
    size_t depth = 1000000;
    char *text = malloc(depth);
    assert_non_null(text);
    memset(text, '[', depth);
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_parse(text, depth, "test", &scene, NULL), TR_ERROR_PARSE);
    free(text);
}

static void long_and_hostile_names_give_bounded_clean_messages(void **state)
{
    (void)state;
    char text[3000], name[2000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"%s\": 1, \"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\","
             "\"body_a\": \"\\u001b[31m%s\", \"body_b\": 1}]}",
             name, name + 1500);
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_parse(text, strlen(text), name, &scene, &error), TR_ERROR_PARSE);
    assert_true(strlen(error.message) < TR_MESSAGE_SIZE);
    assert_null(strchr(error.message, '\x1b'));
    assert_non_null(strstr(error.message, "joints[0].body_a"));
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_load("no/such/scene.json", &scene, &error), TR_ERROR_FILE);
    assert_non_null(strstr(error.message, "no/such/scene.json"));
    assert_int_equal(tr2_scene_load(TR_TESTS_DIR, &scene, &error), TR_ERROR_FILE);
    assert_int_equal(tr2_scene_load(NULL, &scene, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_load("scene.json", NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_parse(NULL, 3, "test", &scene, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_parse("{}", 2, "test", NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_parse(NULL, 0, "test", &scene, &error), TR_ERROR_PARSE);
    assert_null(scene);
}

static void a_byte_order_mark_is_passed_over(void **state)
{
    (void)state;
    const char *text = "\xEF\xBB\xBF{\"trammel\": 1}";
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_parse(text, strlen(text), "test", &scene, NULL), TR_OK);
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_scenes_are_refused_with_place_and_reason),
        cmocka_unit_test(every_truncation_of_a_scene_is_refused),
        cmocka_unit_test(deep_nesting_is_refused_not_followed),
        cmocka_unit_test(long_and_hostile_names_give_bounded_clean_messages),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
