/* Loops of robots in a side file. */
#include "space_model.h"

#ifdef TR_WITH_XML

#define PATH "loops_of_robots.json"
#define LINK(name)                                                                                                     \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
#define QUARTER "1.5707963267948966"

/* three rods of a square; the fourth joint is that between c and d at the corner (1, 1, 0) */
static const char rods[] = "<robot name='rods'>" LINK("a") LINK("b") LINK("c")
    LINK("d") "<joint name='ab' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>"
              "<joint name='bc' type='continuous'><parent link='b'/><child link='c'/><origin xyz='0 1 0'/>"
              "<axis xyz='0 0 1'/></joint><joint name='ad' type='continuous'><parent link='a'/><child link='d'/>"
              "<origin xyz='1 0 0' rpy='0 0 " QUARTER "'/><axis xyz='0 0 1'/></joint></robot>";

static void write_loops(const char *text)
{
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void each_type_is_read(void **state)
{
    (void)state;
    static const tr3_joint_type types[] = {TR3_JOINT_BALL, TR3_JOINT_HINGE, TR3_JOINT_SLIDER, TR3_JOINT_WELD};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"loops\": [{\"name\": \"corner\", \"body_a\": \"c\", \"body_b\": \"d\", \"type\": \"%s\", "
                 "\"anchor\": [1, 0, 0], \"axis\": [0, 0, 2]}]}",
                 tr3_joint_type_name(types[i]));
        write_loops(text);
        tr3_scene *scene = model_with(rods, (tr3_import_options){.loops_file = PATH});
        const tr3_scene_joint *joint = model_joint(scene, "corner");
        assert_int_equal(joint->def.type, types[i]);
        model_near_vec("anchor", joint->def.anchor_a, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
        model_near_vec("anchor", joint->def.anchor_b, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
        if (types[i] == TR3_JOINT_HINGE || types[i] == TR3_JOINT_SLIDER)
            model_near_vec("axis", joint->def.axis, (tr_dvec3){0.0, 0.0, 1.0}, 1.0);
        tr3_scene_destroy(scene);
    }
    /* a ball at the origin of A's link, if nothing else is said; beside one of the options */
    write_loops("{\"loops\": [{\"body_a\": \"c\", \"body_b\": \"a\"}]}");
    const tr3_import_loop loop = {.body_a = "c", .body_b = "d", .type = TR3_JOINT_WELD, .name = "other"};
    tr3_scene *scene = model_with(rods, (tr3_import_options){.loops = &loop, .loop_count = 1, .loops_file = PATH});
    assert_int_equal(scene->joint_count, 5);
    assert_int_equal(model_joint(scene, "other")->def.type, TR3_JOINT_WELD);
    assert_int_equal(scene->joints[4].def.type, TR3_JOINT_BALL);
    model_near_vec("anchor", scene->joints[4].def.anchor_b, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    tr3_scene_destroy(scene);
    write_loops("{\"loops\": []}");
    scene = model_with(rods, (tr3_import_options){.loops_file = PATH});
    assert_int_equal(scene->joint_count, 3);
    tr3_scene_destroy(scene);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tr_status status;
        const char *message;
    } cases[] = {
        {"", TR_ERROR_PARSE, PATH},
        {"{\"loops\":\n[}", TR_ERROR_PARSE, PATH ":2"},
        {"[]", TR_ERROR_PARSE, PATH ": expected an object"},
        {"{}", TR_ERROR_PARSE, PATH ": loops: expected an array"},
        {"{\"loops\": {}}", TR_ERROR_PARSE, PATH ": loops: expected an array"},
        {"{\"loops\": [\n\n3]}", TR_ERROR_PARSE, PATH ":3: loops[0]: expected an object"},
        {"{\"loops\": [\n{}]}", TR_ERROR_PARSE, PATH ":2: loops[0].body_a: expected the name of a link or body"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": 3}]}", TR_ERROR_PARSE, PATH ":2: loops[0].body_b: expected"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"d\", \"name\": 1}]}", TR_ERROR_PARSE,
         PATH ":2: loops[0].name: expected a string"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"d\", \"type\": \"gear\"}]}", TR_ERROR_PARSE,
         PATH ":2: loops[0].type: expected \"ball\", \"hinge\", \"slider\" or \"weld\", found \"gear\""},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"d\", \"anchor\": [1, 2]}]}", TR_ERROR_PARSE,
         PATH ":2: loops[0].anchor"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"d\", \"anchor\": [1e30, 2, 3]}]}", TR_ERROR_RANGE,
         PATH ":2: loops[0]: anchor or axis is too large"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"d\", \"type\": \"hinge\", \"axis\": [0, 0, 0]}]}",
         TR_ERROR_ZERO, PATH ":2: loops[0]: axis is zero"},
        {"{\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"c\"}]}", TR_ERROR_SELF_JOINT,
         PATH ":2: loops[0]: c and c are one body"},
        /* whatever else is in the file before it: brackets and quotes in texts, other members, elements before it */
        {"{\"note\": [\"]}\\\\\\\"{\", {\"loops\": [1,\n2]}],\n\"loops\": [{\"body_a\": \"c,]\\\"}\",\n\"body_b\": "
         "\"d\"},\n"
         "{\"body_a\": \"c\", \"body_b\": \"d\"}]\n}",
         TR_ERROR_RANGE, PATH ":3: loops[0]: there is no link or body \"c,]\"}\""},
        {"{\"loops\": [{\"body_a\": \"c\", \"x\": [[1,\n2], {\"y\": 3}], \"body_b\": \"d\"}\n,\n {\"body_a\": \"c\"}]}",
         TR_ERROR_PARSE, PATH ":4: loops[1].body_b: expected"},
        /* a byte order mark */
        {"\xEF\xBB\xBF{\n\"loops\": [\n{\"body_a\": \"c\", \"body_b\": \"c\"}]}", TR_ERROR_SELF_JOINT,
         PATH ":3: loops[0]: c and c are one body"},
    };
    const tr3_import_options options = {.loops_file = PATH};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_loops(cases[i].text);
        model_refused(rods, &options, cases[i].status, cases[i].message);
    }
    const tr3_import_options absent = {.loops_file = "there_is_no_such_file.json"};
    model_refused(rods, &absent, TR_ERROR_FILE, "there_is_no_such_file.json");
    /* what is not known is said */
    write_loops("{\"version\": 1, \"loops\": [{\"body_a\": \"c\", \"body_b\": \"d\", \"ancor\": [1, 0, 0]}]}");
    tr3_scene *scene = model_with(rods, options);
    model_want_notice(scene, "unknown key version");
    model_want_notice(scene, "unknown key loops[].ancor");
    tr3_scene_destroy(scene);
}

/* MJCF, from a keyframe: the loop holds at the pose that it starts from */
static void loops_of_mjcf_hold_at_the_start(void **state)
{
    (void)state;
    write_loops("{\"loops\": [{\"body_a\": \"p\", \"body_b\": \"q\", \"anchor\": [1, 0, 0]}]}");
    tr3_scene *scene = model_with("<mujoco><compiler angle='radian'/><worldbody><body name='p'><joint axis='0 0 1'/>"
                                  "<geom size='.1'/></body><body name='q' pos='0 2 0'><joint axis='0 0 1'/>"
                                  "<geom size='.1'/></body></worldbody><keyframe><key name='k' qpos='" QUARTER
                                  " 0'/></keyframe></mujoco>",
                                  (tr3_import_options){.keyframe = "k", .loops_file = PATH});
    const tr3_scene_joint *joint = &scene->joints[scene->joint_count - 1];
    model_near_vec("anchor", joint->def.anchor_b, (tr_dvec3){0.0, -1.0, 0.0}, 1.0);
    tr3_scene_destroy(scene);
}

static int remove_loops(void **state)
{
    (void)state;
    (void)remove(PATH);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_is_read),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(loops_of_mjcf_hold_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, remove_loops);
}

#else

int main(void)
{
    return 0;
}

#endif
