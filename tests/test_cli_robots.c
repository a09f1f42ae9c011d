/* The program with robots: every command reads URDF and MJCF, with their options, and info counts their freedom. */
#if defined(TR_PROGRAM)

#include "cli/program.h"

#include "trammel/trammel.h"

#include <math.h>

#if defined(TR_WITH_XML)

#define ARM  TR_SCENES_DIR "/space/arm.urdf"
#define LEGS TR_SCENES_DIR "/space/legs.xml"

static void expect_freedom(const char *arguments, double bodies, double joints, double loops, double freedom)
{
    outcome o = run(arguments);
    assert_int_equal(o.code, 0);
    assert_true(json_is_valid(o.out));
    const double have[4] = {json_number(o.out, "bodies"), json_number(o.out, "joints"), json_number(o.out, "loops"),
                            json_number(o.out, "degrees_of_freedom")};
    if (have[0] != bodies || have[1] != joints || have[2] != loops || have[3] != freedom) {
        fail_msg("%s: %g bodies, %g joints, %g loops, %g degrees of freedom", arguments, have[0], have[1], have[2],
                 have[3]);
    }
    outcome_free(&o);
}

static void info_counts_loops_and_degrees_of_freedom(void **state)
{
    (void)state;
    expect_freedom("info '" ARM "' --json", 4, 3, 0, 3);
    expect_freedom("info '" ARM "' --json --weld-fixed", 5, 4, 0, 3);
    /* a ball between the finger and the world takes three, of which the plane of the arm has two, and the gripper's way */
    expect_freedom("info '" ARM "' --json --loop stand:finger:0.6,0,0.2", 4, 4, 1, 1);
    expect_freedom("info '" ARM "' --json --loop stand:finger:0.6,0,0.2:weld", 4, 4, 1, 0);
    expect_freedom("info '" ARM "' --json --loop stand:finger:0.6,0,0.2:hinge:0,1,0", 4, 4, 1, 1);
    expect_freedom("info '" ARM "' --json --loop stand:finger:0.6,0,0.2:slider:1,0,0", 4, 4, 1, 1);
    expect_freedom("info '" LEGS "' --json", 5, 4, 0, 6);
    expect_freedom("info '" LEGS "' --json --pose stride", 5, 4, 0, 6);
    outcome o = run("info '" ARM "'");
    assert_non_null(strstr(o.out, "degrees of freedom  3"));
    assert_non_null(strstr(o.out, "urdf"));
    assert_non_null(strstr(o.out, "2 of 6 links are fixed to others"));
    outcome_free(&o);
}

static void write_scene(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* also in the plane, and where rows are redundant: in space a four-bar has more rows than its bodies have freedoms */
static void redundant_rows_take_no_freedom(void **state)
{
    (void)state;
    static const char *const joint = "{\"type\": \"%s\", \"body_a\": %d, \"body_b\": %d, \"anchor_a\": [%s], "
                                     "\"anchor_b\": [%s]%s}%s";
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const char *zero = dimension == 3 ? "0, 0, 0" : "0, 0", *one = dimension == 3 ? "1, 0, 0" : "1, 0";
        const char *up = dimension == 3 ? "0, 1, 0" : "0, 1";
        const char *type = dimension == 3 ? "hinge" : "revolute", *axis = dimension == 3 ? ", \"axis\": [0, 0, 1]" : "";
        char text[2048];
        int used =
            snprintf(text, sizeof text,
                     "{\"trammel\": 1, \"dimension\": %d, \"bodies\": [{\"type\": \"static\"}, {}, {\"position\": "
                     "[%s]}, {\"position\": [%s]}, {\"position\": [9, 9%s]}], \"joints\": [",
                     dimension, up, one, dimension == 3 ? ", 9" : "");
        used += snprintf(text + used, sizeof text - (size_t)used, joint, type, 0, 1, zero, zero, axis, ", ");
        used += snprintf(text + used, sizeof text - (size_t)used, joint, type, 1, 2, up, zero, axis, ", ");
        used += snprintf(text + used, sizeof text - (size_t)used, joint, type, 0, 3, one, zero, axis, ", ");
        used += snprintf(text + used, sizeof text - (size_t)used, joint, type, 3, 2, up, one, axis, "]}");
        assert_true((size_t)used < sizeof text);
        write_scene("fourbar.json", text);
        /* one of the four bars, and of a free body */
        expect_freedom("info fourbar.json --json", 5, 4, 1, dimension == 3 ? 7 : 4);
    }
}

static void robots_run_and_become_scenes(void **state)
{
    (void)state;
    static const struct {
        const char *make, *run;
    } pairs[] = {{"generate '" ARM "' -o made.json", "run '" ARM "' --steps 20 --json"},
                 {"generate '" LEGS "' --pose stride -o made.json", "run '" LEGS "' --pose stride --steps 20 --json"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        expect(pairs[i].make, 0, NULL);
        outcome robot = run(pairs[i].run), made = run("run made.json --steps 20 --json");
        assert_int_equal(robot.code, 0);
        assert_int_equal(made.code, 0);
        assert_true(json_same(robot.out, made.out, "state_hash"));
        outcome_free(&robot);
        outcome_free(&made);
    }
    /* the pose counts, and so does what is read from standard input */
    outcome plain = run("run '" LEGS "' --steps 20 --json"), posed = run(pairs[1].run);
    assert_false(json_same(plain.out, posed.out, "state_hash"));
    outcome piped = run_with("cat '" LEGS "' |", "run - --pose stride --steps 20 --json");
    assert_int_equal(piped.code, 0);
    assert_true(json_same(piped.out, posed.out, "state_hash"));
    outcome_free(&plain);
    outcome_free(&posed);
    outcome_free(&piped);
    expect("run '" ARM "' --steps 5 --quiet --out arm.csv --out arm.anim.svg", 0, NULL);
    assert_true(file_exists("arm.csv") && file_exists("arm.anim.svg"));
}

/* the same joints as options have, with names */
static void a_side_file_closes_loops(void **state)
{
    (void)state;
    write_scene("loops.json", "{\"loops\": [\n{\"body_a\": \"stand\", \"body_b\": \"finger\", \"type\": \"weld\", "
                              "\"name\": \"glue\", \"anchor\": [0.6, 0, 0.2]}]}");
    expect_freedom("info '" ARM "' --json --loops loops.json", 4, 4, 1, 0);
    expect("generate '" ARM "' --loops loops.json -o glued.json", 0, NULL);
    expect_freedom("info glued.json --json", 4, 4, 1, 0);
    write_scene("loops.json", "{\"loops\": [{\"body_a\": \"stand\",\n \"body_b\": \"finger\"},\n"
                              "{\"body_a\": \"stand\", \"body_b\": \"odd\"}]}");
    expect("info '" ARM "' --loops loops.json", 1, "loops.json:3: loops[1]: there is no link or body \"odd\"");
    expect("info '" ARM "' --loops absent.json", 1, "absent.json");
    expect("run grid:3 --loops loops.json", 2, "are for URDF and MJCF");
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    write_scene("bad.urdf", "<robot name='r'>\n<link name='a'/><joint name='j' type='odd'/></robot>");
    expect("run bad.urdf", 1, "bad.urdf:2: <joint> type: expected revolute");
    expect("info bad.urdf", 1, "bad.urdf:2: <joint> type: expected revolute");
    expect("info '" LEGS "' --pose odd", 1, "there is no keyframe \"odd\"");
    expect("info '" ARM "' --loop a:b", 2, "is not A:B:X,Y,Z");
    expect("info '" ARM "' --loop a:b:1,2", 2, "--loop");
    expect("info '" ARM "' --loop a:b:1,2,3:hinge", 2, "is not A:B:X,Y,Z");
    expect("info '" ARM "' --loop a:b:1,2,3:weld:1,0,0", 2, "is not A:B:X,Y,Z");
    expect("info '" ARM "' --loop a:b:1,2,3:slider:1,0", 2, "--loop");
    expect("info '" ARM "' --loop stand:finger:1,2,3:hinge:0,0,0", 1, "axis is zero");
    expect("info '" ARM "' --loop stand:odd:1,2,3", 1, "there is no link or body \"odd\"");
    expect("run grid:3 --fix-base", 2, "are for URDF and MJCF");
    expect("generate grid --size 3 --pose a", 2, "are for URDF and MJCF");
    expect("generate grid:3 --pose a", 2, "are for URDF and MJCF");
    expect("generate '" ARM "' --size 3", 2, "--size is of generated scenes, and");
    expect("generate odd.urdf", 2, "there is no kind or file 'odd.urdf'");
    /* a file that is empty, or says nothing, is of the format that its name tells */
    static const char *const robots[] = {"empty.urdf", "empty.mjcf", "empty.XML"};
    for (size_t i = 0; i < 3; ++i) {
        char arguments[64], message[64];
        snprintf(arguments, sizeof arguments, "info %s", robots[i]);
        snprintf(message, sizeof message, "%s: is empty: expected URDF or MJCF", robots[i]);
        write_scene(robots[i], "");
        expect(arguments, 1, message);
        snprintf(message, sizeof message, "%s: is no XML: expected URDF or MJCF", robots[i]);
        write_scene(robots[i], " \n[");
        expect(arguments, 1, message);
        write_scene(robots[i], "{\"trammel\": 1}");
        expect(arguments, 0, NULL);
    }
    write_scene("empty.json", "");
    expect("info empty.json", 1, "empty.json:1:0: '[' or '{' expected");
    write_scene("plane.json", "{\"trammel\": 1}");
    expect("run plane.json --fix-base", 1, "is no XML: expected URDF or MJCF");
    static const char *const commands[] = {"run --help", "info --help", "generate --help"};
    for (size_t i = 0; i < 3; ++i) {
        outcome o = run(commands[i]);
        assert_non_null(strstr(o.out, "--fix-base"));
        assert_non_null(strstr(o.out, "--loop A:B:X,Y,Z"));
        assert_non_null(strstr(o.out, "--loops FILE"));
        outcome_free(&o);
    }
}

/* by the end of the file's name, or by --format; what is lost is on standard error */
static void scenes_become_robots(void **state)
{
    (void)state;
    expect("generate '" ARM "' -o again.urdf", 0, NULL);
    expect_freedom("info again.urdf --json", 4, 3, 0, 3);
    expect("generate '" ARM "' -o again.XML", 0, NULL);
    expect_freedom("info again.XML --json", 4, 3, 0, 3);
    expect("generate '" LEGS "' -o legs.mjcf", 0, NULL);
    expect_freedom("info legs.mjcf --json", 5, 4, 0, 6);
    expect("generate '" LEGS "' -o legs.urdf", 0, "trammel: joint \"left knee\", \"right hip+right swing\"");
    expect_freedom("info legs.urdf --json", 7, 6, 0, 6);
    expect("generate again.urdf --format json -o json.urdf", 0, NULL);
    outcome own = run("info json.urdf --json"), printed = run("generate '" ARM "' --format mjcf");
    assert_non_null(strstr(own.out, "\"format\": \"trammel\""));
    assert_int_equal(printed.code, 0);
    assert_non_null(strstr(printed.out, "<mujoco model=\"arm\">"));
    outcome_free(&own);
    outcome_free(&printed);
    expect("generate chains3d --size 1 -o chain.xml", 0, "trammel: world: joints of 60 Hz");
    expect("generate grid --size 3 -o grid.urdf", 1, "this is a scene of the plane");
    expect("generate '" ARM "' --format odd", 2, "is not json, urdf or mjcf");
    assert_false(file_exists("grid.urdf"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_file_closes_loops),
        cmocka_unit_test(scenes_become_robots),
        cmocka_unit_test(info_counts_loops_and_degrees_of_freedom),
        cmocka_unit_test(redundant_rows_take_no_freedom),
        cmocka_unit_test(robots_run_and_become_scenes),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* without expat there is nothing to test */
int main(void)
{
    return 0;
}

#endif

#else

int main(void)
{
    return 0;
}

#endif
