/* Writers of URDF and MJCF: what the formats cannot say is listed; names are escaped; what is wrong is refused. */
#include "space_export.h"

#if defined(TR_WITH_XML) && defined(TR_WITH_SCENES)

/* the notices of a scene have each of these lines */
static void says(const char *text, tr3_export_format format, const char *const *want)
{
    tr3_scene *scene = space_parse(text);
    char *notices = NULL, *written = export_of(scene, format, &notices);
    /* nothing */
    if ((*want)[0] == '\0' && loses(notices))
        fail_msg("something is lost:\n%s", notices);
    for (; *want != NULL; want++)
        if (strstr(notices, *want) == NULL)
            fail_msg("no notice \"%s\" in\n%s", *want, notices);
    /* whatever is lost, it is a robot that can be read and built */
    tr3_scene *back = model(written);
    tr3_world_destroy(space_build(back));
    tr3_scene_destroy(back);
    tr3_scene_destroy(scene);
    free(written);
    free(notices);
}

#define PAIR(joint) "{\"name\": \"j\", \"body_a\": 1, \"body_b\": 2, " joint "}"
#define TWO         BODY("one", "0, 0, 0") ", " BODY("two", "1, 0, 0")

static void what_is_lost_is_listed(void **state)
{
    (void)state;
    static const struct {
        const char *bodies, *joints, *urdf[4], *mjcf[4];
    } cases[] = {
        {"{\"name\": \"a\", \"gravity_scale\": 2}",
         "",
         {"body \"a\": gravity_scale is not written: all fall alike"},
         {""}},
        {"{\"name\": \"a\", \"linear_damping\": 1, \"velocity\": [1, 0, 0], \"fixed_rotation\": true}",
         "",
         {"body \"a\": linear_damping and", "body \"a\": its velocity", "body \"a\": fixed_rotation"},
         {"body \"a\": linear_damping and", "body \"a\": its velocity", "body \"a\": fixed_rotation"}},
        {"{\"linear_damping\": 1}, {\"linear_damping\": 1}, {\"name\": \"c\", \"linear_damping\": 1}, "
         "{\"linear_damping\": "
         "1}",
         "",
         {"body 1, 2, \"c\" and 1 more: linear_damping"},
         {"body 1, 2, \"c\" and 1 more: linear_damping"}},
        {"{\"name\": \"a\", \"type\": \"kinematic\"}", "", {"body \"a\": is kinematic"}, {""}},
        {TWO, PAIR("\"type\": \"distance\""), {"joint \"j\": a distance joint"}, {"joint \"j\": a distance joint"}},
        {TWO, PAIR("\"type\": \"pulley\""), {"joint \"j\": a pulley joint"}, {"joint \"j\": a pulley joint"}},
        {TWO, PAIR("\"type\": \"parallel\""), {"joint \"j\": a parallel joint"}, {"joint \"j\": a parallel joint"}},
        {TWO, PAIR("\"type\": \"screw\""), {"joint \"j\": its pitch"}, {"joint \"j\": its pitch"}},
        {TWO,
         PAIR("\"type\": \"weld\", \"angular\": {\"kind\": \"frequency\", \"frequency\": 3, \"damping_ratio\": 1}"),
         {"joint \"j\": how soft it is"},
         {"joint \"j\": how soft it is"}},
        {TWO,
         PAIR("\"type\": \"ball\", \"cone_angle\": 0.5"),
         {"joint \"j\": a ball is written as three joints"},
         {"joint \"j\": cone and twist"}},
        {TWO,
         PAIR("\"type\": \"hinge\", \"spring\": {\"enable\": true, \"softness\": {\"kind\": \"frequency\", "
              "\"frequency\": 3, \"damping_ratio\": 1}}, \"motor\": {\"enable\": true, \"speed\": 2, "
              "\"maximum\": 3}, \"break\": {\"force\": 5}"),
         {"joint \"j\": a spring that is not", "joint \"j\": a motor that is on", "joint \"j\": event_at and break_at"},
         {"joint \"j\": a spring that is not", "joint \"j\": the speed of its motor", "joint \"j\": event_at"}},
        {TWO,
         PAIR("\"type\": \"hinge\", \"spring\": {\"enable\": true, \"target\": 1, \"softness\": {\"kind\": "
              "\"physical\", \"stiffness\": 3, \"damping\": 1}}, \"spring_force\": "
              "{\"lower\": -1, \"upper\": 1}"),
         {"joint \"j\": the stiffness of its spring"},
         {"joint \"j\": the bounds of the force of a spring"}},
        {TWO, PAIR("\"type\": \"hinge\", \"enabled\": false"), {"joint \"j\": is off"}, {"joint \"j\": is off"}},
        {TWO, PAIR("\"type\": \"slider\", \"enabled\": false"), {"joint \"j\": is off"}, {"joint \"j\": is off"}},
        {TWO,
         PAIR("\"type\": \"gear\", \"ratio\": 2"),
         {"joint \"j\": a gear whose two sides"},
         {"joint \"j\": a gear whose two sides"}},
        {TWO,
         PAIR("\"type\": \"slider\"") ", {\"name\": \"k\", \"type\": \"ball\", \"body_a\": 1, \"body_b\": 2, "
                                      "\"anchor_a\": [0.5, 0, 0], \"anchor_b\": [-0.5, 0, 0]}",
         {"joint \"k\": closes a loop, which URDF cannot say: read it with --loop 'one:two:0.5,0,0'"},
         {""}},
        {TWO,
         PAIR("\"type\": \"slider\"") ", {\"name\": \"k\", \"type\": \"hinge\", \"body_a\": 1, \"body_b\": 2}",
         {"joint \"k\": a hinge that closes a loop is not"},
         {"joint \"k\": a hinge that closes a loop is written as two balls"}},
        {TWO,
         "{\"name\": \"j\", \"type\": \"planar\", \"body_a\": 1, \"body_b\": 0}",
         {"joint \"j\": a planar that closes a loop or faces away"},
         {"joint \"j\": a planar that closes a loop or faces away"}},
        {TWO,
         PAIR("\"type\": \"universal\", \"axis\": [1, 0, 0], \"anchor_a\": [1, 0, 0]"),
         {"joint \"j\": is written as 2 joints"},
         {""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, SCENE("%s", "%s"), cases[i].bodies, cases[i].joints);
        says(text, TR3_EXPORT_URDF, cases[i].urdf);
        says(text, TR3_EXPORT_MJCF, cases[i].mjcf);
    }
    static const char *const of_world[] = {"world: 60 Hz: a reader takes 240", "world: joints of 60 Hz",
                                           "world: gravity 0 -9.81 0", "world: 8 sub-steps", NULL};
    says("{\"trammel\": 1, \"dimension\": 3, \"world\": {\"gravity\": [0, -9.81, 0], \"substeps\": 8}, \"bodies\": "
         "[{}]}",
         TR3_EXPORT_URDF, of_world);
}

/* with the option that the notice names, the loop is closed again */
static void a_loop_that_urdf_loses_comes_back_by_its_option(void **state)
{
    (void)state;
    tr3_scene *scene = model("<mujoco>" CHAIN_BODIES "<equality><connect name='e' body1='c' body2='d' anchor='0 2 0'/>"
                             "</equality></mujoco>");
    char *notices = NULL, *text = export_of(scene, TR3_EXPORT_URDF, &notices);
    /* d hangs on the ball then: there is no loop. So it is held by another one, too */
    assert_null(strstr(notices, "--loop"));
    free(text);
    free(notices);
    tr3_scene_destroy(scene);
    scene = model("<mujoco>" CHAIN_BODIES "<equality><connect name='e' body1='c' anchor='0 2 0'/></equality></mujoco>");
    text = export_of(scene, TR3_EXPORT_URDF, &notices);
    const char *option = strstr(notices, "--loop '");
    assert_non_null(option);
    char a[64], b[64];
    tr3_import_loop loop = {.body_a = a, .body_b = b, .type = TR3_JOINT_BALL, .axis = {1.0f, 0.0f, 0.0f}};
    assert_int_equal(
        sscanf(option, "--loop '%63[^:]:%63[^:]:%f,%f,%f'", a, b, &loop.anchor.x, &loop.anchor.y, &loop.anchor.z), 5);
    tr3_scene *back = model_with(text, (tr3_import_options){.loops = &loop, .loop_count = 1});
    adopt_world(back, scene);
    stage read = put_on(back), from = put_on(scene);
    assert_int_equal(back->joint_count, scene->joint_count);
    assert_true(run_both(&read, &from) < 1e-4);
    take_off(&read);
    take_off(&from);
    free(text);
    free(notices);
}

/*
 * Names, errors, size
 */
static void every_name_is_written(void **state)
{
    (void)state;
    static const char *const names[] = {"<a & \"b\">",
                                        "tab\tand\nline",
                                        "twice",
                                        "twice",
                                        "twice (3)",
                                        "world",
                                        "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82"};
    static const char *const urdf[] = {"<a & \"b\">",
                                       "tab\tand\nline",
                                       "twice",
                                       "twice (3) (3)",
                                       "twice (3)",
                                       "world (5)",
                                       "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
                                       "body 7",
                                       "bell\\u0007"};
    tr3_scene *scene = space_generate("lattice3d", 3);
    tr_error error = {TR_OK, ""};
    for (uint32_t i = 0; i < 9; i++) {
        free(scene->bodies[i].name);
        scene->bodies[i].name = NULL;
        if (i != 7)
            assert_int_equal(tr_scene_copy_text(i == 8 ? "bell\a" : names[i], &scene->bodies[i].name, &error), TR_OK);
    }
    free(scene->name);
    scene->name = NULL;
    assert_int_equal(tr_scene_copy_text("&<robot>\"", &scene->name, &error), TR_OK);
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        char *notices = NULL, *text = export_of(scene, (tr3_export_format)format, &notices);
        tr3_scene *back = model_with(text, (tr3_import_options){.weld_fixed = true});
        assert_string_equal(back->name, "&<robot>\"");
        if (strstr(notices, "body \"bell?\": its name has what XML cannot hold") == NULL)
            fail_msg("%s", notices);
        /* static bodies are parts of the world: what is asked is the text */
        static const char *const escaped[] = {"\"&lt;a &amp; &quot;b&quot;&gt;\"",
                                              "\"tab&#9;and&#10;line\"",
                                              "\"twice\"",
                                              "\"twice (3) (3)\"",
                                              "\"twice (3)\"",
                                              "\"world (5)\"",
                                              NULL,
                                              "\"body 7\"",
                                              "\"bell\\u0007\""};
        for (size_t i = 0; i < sizeof urdf / sizeof urdf[0]; i++)
            if (strstr(text, escaped[i] != NULL ? escaped[i] : urdf[i]) == NULL)
                fail_msg("%s is not written", urdf[i]);
        tr3_scene_destroy(back);
        free(text);
        free(notices);
    }
    tr3_scene_destroy(scene);
}

static void refused(const tr3_scene *scene, int format, tr_status want, const char *fragment)
{
    char *text = NULL, *notices = NULL;
    tr_error error = {TR_OK, ""};
    const tr_status status = tr3_scene_export_text(scene, (tr3_export_format)format, &text, NULL, &notices, &error);
    if (status != want || strstr(error.message, fragment) == NULL)
        fail_msg("%s: %s\n    not %s: %s", tr_status_name(status), error.message, tr_status_name(want), fragment);
    assert_true(text == NULL && notices == NULL);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        tr3_scene *scene = space_parse(SCENE(TWO, PAIR("\"type\": \"hinge\"")));
        tr3_scene_body *body = &scene->bodies[2];
        tr3_scene_joint *joint = &scene->joints[0];
        refused(NULL, format, TR_ERROR_NULL, "must not be null");
        refused(scene, 7, TR_ERROR_RANGE, "there is no format 7");
        const tr3_scene_body saved = *body;
        const tr3_scene_joint kept = *joint;
        body->def.mass = NAN;
        refused(scene, format, TR_ERROR_NAN, "bodies[2]: a number is not finite");
        *body = saved;
        body->def.position.x = INFINITY;
        refused(scene, format, TR_ERROR_INFINITE, "bodies[2]: a number is not finite");
        *body = saved;
        body->def.rotation = (tr_quat){0.0f, 0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, "bodies[2]: rotation is zero");
        *body = saved;
        joint->def.axis = (tr_vec3){0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, "joints[0]: axis or reference is zero");
        *joint = kept;
        joint->body_b = 9;
        refused(scene, format, TR_ERROR_RANGE, "joints[0]");
        *joint = kept;
        joint->body_b = joint->body_a;
        refused(scene, format, TR_ERROR_SELF_JOINT, "joints[0]");
        *joint = kept;
        char cut[] = "\xc3";
        body->name = cut;
        refused(scene, format, TR_ERROR_PARSE, "bodies[2]: a name is not UTF-8");
        *body = saved;
        tr_error error = {TR_OK, ""};
        assert_int_equal(tr3_scene_export(scene, (tr3_export_format)format, "/nowhere/at/all", NULL, &error),
                         TR_ERROR_FILE);
        assert_int_equal(tr3_scene_export(scene, (tr3_export_format)format, NULL, NULL, &error), TR_ERROR_NULL);
        tr3_scene_destroy(scene);
    }
}

/* an empty scene, and a chain that is long */
static void any_size_is_written(void **state)
{
    (void)state;
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        tr3_scene *scene = space_parse("{\"trammel\": 1, \"dimension\": 3}");
        char *text = export_of(scene, (tr3_export_format)format, NULL);
        tr3_scene *back = model(text);
        assert_int_equal(back->body_count, 1);
        tr3_scene_destroy(back);
        tr3_scene_destroy(scene);
        free(text);
        scene = space_generate("bridge3d", 900);
        text = export_of(scene, (tr3_export_format)format, NULL);
        back = model(text);
        assert_true(back->body_count >= 900);
        tr3_scene_destroy(back);
        tr3_scene_destroy(scene);
        free(text);
    }
}

/* gears hold what they have held since they were made; URDF closes the joints, which are apart by some tenths of a mm */
static void a_running_world_is_written(void **state)
{
    (void)state;
    tr3_scene *scene = model(
        "<mujoco>" CHAIN_BODIES "<equality><joint joint1='x' joint2='z' polycoef='0 -2'/></equality><tendon><fixed "
        "stiffness='9'><joint joint='x' coef='1'/><joint joint='y' coef='2'/></fixed></tendon></mujoco>");
    tr3_world *world = space_build(scene);
    for (int step = 0; step < 120; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
    tr3_scene *now = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr3_scene_capture(world, &now, &error), TR_OK);
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        char *notices = NULL, *text = export_of(now, (tr3_export_format)format, &notices);
        assert_non_null(strstr(notices, "its velocity is not written"));
        assert_null(strstr(notices, "offset"));
        tr3_scene *back = model(text);
        for (uint32_t b = 0; b < now->body_count; b++) {
            if (now->bodies[b].def.type != TR_DYNAMIC)
                continue;
            const tr3_body_def *have = &back->bodies[found_body(back, now, b)].def, *want = &now->bodies[b].def;
            near_vec("centre", "place", place_of(have, have->center), place_of(want, want->center), 1e-3);
        }
        tr3_scene_destroy(back);
        free(text);
        free(notices);
    }
    tr3_scene_destroy(now);
    tr3_scene_destroy(scene);
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lost_is_listed), cmocka_unit_test(a_loop_that_urdf_loses_comes_back_by_its_option),
        cmocka_unit_test(every_name_is_written),  cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(any_size_is_written),    cmocka_unit_test(a_running_world_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
