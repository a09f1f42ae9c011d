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
         {"joint \"k\": closes a loop, which URDF cannot say: read it with --loop 'one:two:0,0,0:hinge:1,0,0'"},
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

/*
 * Bounds
 */

/* what is written of two bodies and a joint: the text has this in it, and not that; "" as a notice: nothing is lost */
typedef struct expected {
    tr3_export_format format;
    const char *joint, *has, *has_not, *notice;
} expected;

static tr3_scene *write_and_read(const expected *it)
{
    char text[2000];
    snprintf(text, sizeof text,
             SCENE("%s", "{\"name\": \"j\", \"body_a\": 1, \"body_b\": 2, \"anchor_a\": [1, 0, 0], %s}"), TWO,
             it->joint);
    tr3_scene *scene = space_parse(text);
    char *notices = NULL, *out = export_of(scene, it->format, &notices);
    if (strstr(out, it->has) == NULL || (it->has_not[0] != '\0' && strstr(out, it->has_not) != NULL))
        fail_msg("%s: not %s, or %s, in\n%s", it->joint, it->has, it->has_not, out);
    if (it->notice[0] == '\0' ? loses(notices) : strstr(notices, it->notice) == NULL)
        fail_msg("%s: \"%s\" is not\n%s", it->joint, it->notice, notices);
    tr3_scene *back = model(out);
    assert_int_equal(model_has_notice(back, "velocity"), model_joint(back, "j")->def.motor.speed != 0.0f);
    tr3_world_destroy(space_build(back));
    tr3_scene_destroy(scene);
    free(out);
    free(notices);
    return back;
}

#define LIMIT(lower, upper)                                                                                            \
    "\"type\": \"hinge\", \"limit\": {\"enable\": true, \"lower\": " lower ", \"upper\": " upper "}"

static void bounds_are_within_what_readers_take(void **state)
{
    (void)state;
    static const char beyond[] = "joint \"j\": a limit or a greatest force beyond 1e+18 is taken for that";
    static const expected cases[] = {
        {TR3_EXPORT_URDF, LIMIT("-0.5", "3.4028235e38"), "upper=\"1e+18\"", "e+38", ""},
        {TR3_EXPORT_MJCF, LIMIT("-0.5", "3.4028235e38"), "range=\"-0.5 1e+18\"", "e+38", ""},
        {TR3_EXPORT_URDF, LIMIT("-3.4028235e38", "0.5"), "lower=\"-1e+18\"", "e+38", ""},
        {TR3_EXPORT_MJCF, LIMIT("-3.4028235e38", "0.5"), "range=\"-1e+18 0.5\"", "e+38", ""},
        {TR3_EXPORT_URDF, LIMIT("-1", "2e18"), "upper=\"1e+18\"", "2e+18", beyond},
        {TR3_EXPORT_MJCF, LIMIT("-1", "2e18"), "range=\"-1 1e+18\"", "2e+18", beyond},
        {TR3_EXPORT_MJCF, "\"type\": \"hinge\", \"motor\": {\"maximum\": 2e18}", "ctrlrange=\"-1e+18 1e+18\"", "2e+18",
         beyond},
        {TR3_EXPORT_URDF, "\"type\": \"slider\", \"motor\": {\"maximum\": 2e18}", "effort=\"1e+18\"", "2e+18", beyond},
        /* no greatest speed, or that of the motor */
        {TR3_EXPORT_URDF, LIMIT("-1", "2"), "velocity=\"1e+18\"", "", ""},
        {TR3_EXPORT_URDF, "\"type\": \"hinge\", \"motor\": {\"speed\": 2.5}", "effort=\"1e+18\" velocity=\"2.5\"",
         "lower", ""},
        {TR3_EXPORT_URDF, "\"type\": \"hinge\", \"motor\": {\"speed\": -2.5}", "velocity=\"2.5\"", "",
         "joint \"j\": the speed of its motor is written without its sign"},
        {TR3_EXPORT_MJCF, "\"type\": \"hinge\", \"motor\": {\"speed\": 2.5, \"maximum\": 3}", "ctrlrange=\"-3 3\"",
         "2.5", "joint \"j\": the speed of its motor is not written"},
        {TR3_EXPORT_URDF, LIMIT("0", "0") ", \"motor\": {\"maximum\": 0}", "lower=\"0\" upper=\"0\" effort=\"0\"", "",
         ""},
        {TR3_EXPORT_URDF, "\"type\": \"hinge\", \"friction\": 2e18", "friction=\"1e+18\"", "2e+18",
         "world: a number beyond 1e+18 is written as that"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        tr3_scene_destroy(write_and_read(&cases[i]));
}

/* MuJoCo takes a range of equal ends for none */
static void bounds_that_are_equal_are_no_such_range(void **state)
{
    (void)state;
    static const struct {
        expected text;
        float at;
    } limits[] = {
        {{TR3_EXPORT_MJCF, LIMIT("0", "0"), "range=\"-5e-07 5e-07\"", "range=\"0 0\"", ""}, 0.0f},
        {{TR3_EXPORT_MJCF, LIMIT("0.25", "0.25"), "range=\"0.24999", "\"0.25 0.25\"", ""}, 0.25f},
        {{TR3_EXPORT_MJCF, "\"type\": \"slider\", \"limit\": {\"enable\": true, \"lower\": -300, \"upper\": -300}",
          "range=\"-300.0000", "-300 -300", ""},
         -300.0f}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        tr3_scene *back = write_and_read(&limits[i].text);
        const tr3_joint_def *def = &model_joint(back, "j")->def;
        assert_true(def->limit.enable && def->limit.lower < def->limit.upper);
        model_near("lower", (double)def->limit.lower, (double)limits[i].at, 600.0);
        model_near("upper", (double)def->limit.upper, (double)limits[i].at, 600.0);
        tr3_scene_destroy(back);
    }
    static const expected motors[] = {
        {TR3_EXPORT_MJCF, "\"type\": \"hinge\", \"motor\": {\"maximum\": 0}", "<joint", "<actuator",
         "joint \"j\": a motor without force is not written"},
        {TR3_EXPORT_MJCF, "\"type\": \"hinge\", \"motor\": {\"enable\": true, \"speed\": 1, \"maximum\": 0}", "<joint",
         "<actuator", "joint \"j\": a motor without force is not written"},
        {TR3_EXPORT_MJCF, "\"type\": \"hinge\", \"motor\": {\"enable\": true, \"maximum\": 2}", "forcerange=\"-2 2\"",
         "", ""},
        {TR3_EXPORT_MJCF,
         "\"type\": \"ball\", \"axis\": [0, 0, 1], \"cone_angle\": 0, \"twist\": {\"enable\": true, \"lower\": 0, "
         "\"upper\": 0}",
         "range=\"0 1e-06\"", "range=\"0 0\"", ""}};
    for (size_t i = 0; i < sizeof motors / sizeof motors[0]; i++)
        tr3_scene_destroy(write_and_read(&motors[i]));
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

/* that of a hinge names its axis */
static void a_loop_on_a_hinge_comes_back_by_its_option(void **state)
{
    (void)state;
    tr3_scene *scene = space_parse(
        SCENE(TWO, PAIR("\"type\": \"slider\"") ", {\"name\": \"k\", \"type\": \"hinge\", "
                                                "\"body_a\": 1, \"body_b\": 2, \"anchor_a\": [0.5, 0.25, 0], "
                                                "\"axis\": [0.6, 0, 0.8]}"));
    char *notices = NULL, *text = export_of(scene, TR3_EXPORT_URDF, &notices);
    char a[64], b[64], type[16];
    tr3_import_loop loop = {.body_a = a, .body_b = b, .type = TR3_JOINT_HINGE};
    const char *option = strstr(notices, "--loop '");
    assert_non_null(option);
    assert_int_equal(sscanf(option, "--loop '%63[^:]:%63[^:]:%f,%f,%f:%15[^:]:%f,%f,%f'", a, b, &loop.anchor.x,
                            &loop.anchor.y, &loop.anchor.z, type, &loop.axis.x, &loop.axis.y, &loop.axis.z),
                     9);
    assert_string_equal(type, "hinge");
    tr3_scene *back = model_with(text, (tr3_import_options){.loops = &loop, .loop_count = 1});
    const tr3_scene_joint *have = &back->joints[back->joint_count - 1], *want = model_joint(scene, "k");
    const tr3_body_def *on = &back->bodies[have->body_a].def, *of = &scene->bodies[want->body_a].def;
    assert_int_equal(have->def.type, TR3_JOINT_HINGE);
    near_vec("hinge", "anchor", place_of(on, have->def.anchor_a), place_of(of, want->def.anchor_a), 3e-6);
    near_vec("hinge", "axis", tr3_turned(tr3_widen_quat(on->rotation), tr3_widen(have->def.axis)),
             tr3_turned(tr3_normalised(tr3_widen_quat(of->rotation)), tr3_widen(want->def.axis)), 3e-6);
    tr3_scene_destroy(back);
    tr3_scene_destroy(scene);
    free(text);
    free(notices);
}

/* an option that would name something else is not advised */
static void a_loop_of_odd_names_has_no_option(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool advised;
    } cases[] = {{"plain name", true},
                 {"it's", false},
                 {"a:b", false},
                 {"tab\\tand", false},
                 {"123456789 123456789 123456789 123456789 123456789 123456789 ", true},
                 {"123456789 123456789 123456789 123456789 123456789 123456789 1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 SCENE("%s, {\"name\": \"%s\", \"position\": [1, 0, 0]}",
                       PAIR("\"type\": \"slider\"") ", {\"name\": \"k\", \"type\": \"ball\", \"body_a\": 1, "
                                                    "\"body_b\": 2, \"anchor_a\": [1, 0, 0]}"),
                 BODY("one", "0, 0, 0"), cases[i].name);
        tr3_scene *scene = space_parse(text);
        char *notices = NULL, *out = export_of(scene, TR3_EXPORT_URDF, &notices);
        char option[200];
        snprintf(option, sizeof option, "--loop 'one:%s:1,0,0'\n", cases[i].name);
        const char *want = cases[i].advised ? option : "a ball that closes a loop is not written: a tr3_import_loop";
        if (strstr(notices, want) == NULL || (strstr(notices, "--loop") != NULL) != cases[i].advised)
            fail_msg("%s: %s", cases[i].name, notices);
        tr3_scene_destroy(scene);
        free(out);
        free(notices);
    }
}

/*
 * Names, errors, size
 */

static uint32_t count_of(const char *text, const char *words)
{
    uint32_t count = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        count += strncmp(text + i, words, strlen(words)) == 0 ? 1 : 0;
    return count;
}

/* what is one joint of the file has the whole name, and joints to the world have names of their own */
static void names_are_cut_only_into_joints_of_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *urdf[3], *mjcf[3];
    } cases[] = {
        {"\"type\": \"ball\"", {"x", "y", "z"}, {"x+y+z"}},
        {"\"type\": \"planar\"", {"x+y+z"}, {"x", "y", "z"}},
        {"\"type\": \"planar\", \"friction\": 1", {"x", "y", "z"}, {"x", "y", "z"}},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const tr3_export_format format = i % 2 == 0 ? TR3_EXPORT_URDF : TR3_EXPORT_MJCF;
        const char *const *want = format == TR3_EXPORT_URDF ? cases[i / 2].urdf : cases[i / 2].mjcf;
        char text[2000];
        snprintf(text, sizeof text, SCENE("%s", "{\"name\": \"x+y+z\", \"body_a\": 1, \"body_b\": 2, %s}"), TWO,
                 cases[i / 2].joint);
        tr3_scene *scene = space_parse(text);
        char *out = export_of(scene, format, NULL);
        uint32_t found = count_of(out, "<joint name=") - count_of(out, "<joint name=\"world to");
        for (uint32_t k = 0; k < 3 && want[k] != NULL; k++, found--) {
            char line[64];
            snprintf(line, sizeof line, "<joint name=\"%s\"", want[k]);
            if (strstr(out, line) == NULL)
                fail_msg("no %s in\n%s", line, out);
        }
        assert_int_equal(found, 0);
        tr3_scene_destroy(scene);
        free(out);
    }
    tr3_scene *scene =
        space_parse(SCENE(TWO, "{\"name\": \"world to one\", \"body_a\": 1, \"body_b\": 2, \"type\": \"hinge\"}"));
    char *out = export_of(scene, TR3_EXPORT_URDF, NULL);
    assert_non_null(strstr(out, "<joint name=\"world to one\" type=\"continuous\""));
    assert_null(strstr(out, "<joint name=\"world to one\" type=\"floating\""));
    assert_non_null(strstr(out, "<joint name=\"world to one ("));
    tr3_scene_destroy(scene);
    free(out);
}

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

/* whichever numbers a format writes, all must be some */
static void what_is_not_finite_or_zero_is_refused_wherever_it_is(void **state)
{
    (void)state;
    static const char *const zero = "axis or reference is zero";
    for (int format = 0; format < TR3_EXPORT_FORMAT_COUNT; format++) {
        tr3_scene *scene = space_parse(SCENE(
            BODY("one",
                 "0, 0, 0") ", {\"name\": \"two\", \"shapes\": [{\"type\": \"cylinder\", \"from\": [0, 0, 0], \"to\": "
                            "[0, 0, 1], \"radius\": 0.1}, {\"type\": \"box\", \"half\": [1, 1, 1]}]}",
            PAIR("\"type\": \"slider\"") ", " PAIR("\"type\": \"hinge\"") ", " PAIR("\"type\": \"weld\"") ", " PAIR(
                "\"type\": \"gear\"") ", " PAIR("\"type\": \"ball\"")));
        tr3_scene_joint *slider = &scene->joints[0], *hinge = &scene->joints[1], *weld = &scene->joints[2],
                        *gear = &scene->joints[3], *ball = &scene->joints[4];
        const tr3_joint_def kept[] = {slider->def, hinge->def, weld->def, gear->def, ball->def};
        struct {
            float *number;
            const char *fragment;
        } numbers[] = {{&slider->def.friction, "joints[0].friction: a number is not finite"},
                       {&slider->def.spring.softness.a, "joints[0].spring.softness.a: "},
                       {&slider->def.spring.softness.b, "joints[0].spring.softness.b: "},
                       {&slider->def.spring_force.lower, "joints[0].spring_force.lower: "},
                       {&slider->def.motor.maximum, "joints[0].motor.maximum: "},
                       {&slider->def.limit.upper, "joints[0].limit.upper: "},
                       {&slider->def.event_at.force, "joints[0]: "},
                       {&slider->def.break_at.impulse, "joints[0]: "},
                       {&hinge->def.anchor_a.z, "joints[1].anchor_a.z: "},
                       {&ball->def.angular.a, "joints[4].angular.a: "},
                       {&ball->def.cone_angle, "joints[4].cone_angle: "},
                       {&scene->shapes[0].to.z, "shapes[0]: "},
                       {&scene->shapes[0].density, "shapes[0]: "},
                       {&scene->shapes[1].rotation.w, "shapes[1]: "},
                       {&scene->bodies[1].def.linear_damping, "bodies[1]: "},
                       {&scene->bodies[0].def.velocity.y, "bodies[0]: "},
                       {&scene->gravity.x, "world: "},
                       {&scene->joint_frequency, "world: "}};
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            const float before = *numbers[i].number;
            *numbers[i].number = NAN;
            refused(scene, format, TR_ERROR_NAN, numbers[i].fragment);
            *numbers[i].number = -INFINITY;
            refused(scene, format, TR_ERROR_INFINITE, numbers[i].fragment);
            *numbers[i].number = before;
        }
        hinge->def.axis = (tr_vec3){0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, zero);
        hinge->def = kept[1];
        weld->def.reference = (tr_quat){0.0f, 0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, zero);
        weld->def = kept[2];
        gear->def.axis_b = (tr_vec3){0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, zero);
        gear->def = kept[3];
        gear->def.meshed = true;
        gear->def.reference_b = (tr_quat){0.0f, 0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, zero);
        gear->def = kept[3];
        ball->def.axis_2 = (tr_vec3){-2.0f * ball->def.axis.x, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, "joints[4]: axis_2 is along axis");
        ball->def = kept[4];
        scene->shapes[1].rotation = (tr_quat){0.0f, 0.0f, 0.0f, 0.0f};
        refused(scene, format, TR_ERROR_ZERO, "shapes[1]: rotation is zero");
        scene->shapes[1].rotation.w = 1.0f;
        free(export_of(scene, (tr3_export_format)format, NULL));
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
        cmocka_unit_test(bounds_are_within_what_readers_take),
        cmocka_unit_test(bounds_that_are_equal_are_no_such_range),
        cmocka_unit_test(a_loop_on_a_hinge_comes_back_by_its_option),
        cmocka_unit_test(a_loop_of_odd_names_has_no_option),
        cmocka_unit_test(names_are_cut_only_into_joints_of_the_file),
        cmocka_unit_test(what_is_not_finite_or_zero_is_refused_wherever_it_is),
        cmocka_unit_test(what_is_lost_is_listed),
        cmocka_unit_test(a_loop_that_urdf_loses_comes_back_by_its_option),
        cmocka_unit_test(every_name_is_written),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(any_size_is_written),
        cmocka_unit_test(a_running_world_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
