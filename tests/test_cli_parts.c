/* The program's parts: strict numbers, JSON text, groups of bodies, round lengths, zig-zags, marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(TR_PROGRAM)

#include "cli/cli.h"
#include "cli/drawing.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/view.h"

#include <math.h>
#include <string.h>

static void numbers_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        double value;
    } cases[] = {{"1", true, 1.0},     {"-2.5e-1", true, -0.25}, {"+3", true, 3.0},     {".5", true, 0.5},
                 {"", false, 0.0},     {" 1", false, 0.0},       {"1 ", false, 0.0},    {"1x", false, 0.0},
                 {"nan", false, 0.0},  {"inf", false, 0.0},      {"0x10", false, 0.0},  {"1e999", false, 0.0},
                 {"1e", false, 0.0},   {"--1", false, 0.0},      {"1.2.3", false, 0.0}, {"101", false, 0.0},
                 {"-101", false, 0.0}, {"e", false, 0.0},        {"-", false, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double value = 77.0;
        assert_int_equal(cli_parse_real(cases[i].text, -100.0, 100.0, &value) == CLI_NUMBER_GOOD, cases[i].good);
        assert_true(value == (cases[i].good ? cases[i].value : 77.0));
    }
    uint32_t count = 77;
    static const char *const bad[] = {"", "-1", "+1", "1.0", " 1", "11", "0", "4294967297", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_not_equal(cli_parse_count(bad[i], 1, 10, &count), CLI_NUMBER_GOOD);
        assert_int_equal(count, 77);
    }
    assert_int_equal(cli_parse_count("10", 1, 10, &count), CLI_NUMBER_GOOD);
    assert_int_equal(count, 10);

    double pair[2] = {7.0, 7.0};
    assert_int_equal(cli_parse_pair("0,-9.81", ',', -100.0, 100.0, pair), CLI_NUMBER_GOOD);
    assert_true(pair[0] == 0.0 && pair[1] == -9.81);
    static const char *const bad_pairs[] = {"", ",", "1,", ",1", "1", "1,2,3", "1;2", "nan,1"};
    for (size_t i = 0; i < sizeof bad_pairs / sizeof bad_pairs[0]; ++i) {
        assert_int_equal(cli_parse_pair(bad_pairs[i], ',', -100.0, 100.0, pair), CLI_NUMBER_MALFORMED);
    }
}

static void numbers_beyond_the_range_are_told_from_what_is_no_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cli_number real, count; /* as a real within 0 to 100, and as a count */
    } cases[] = {{"1e30", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_MALFORMED},
                 {"1e999", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_MALFORMED},
                 {"-1", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_OUT_OF_RANGE},
                 {"-0.5", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_MALFORMED},
                 {"101", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_OUT_OF_RANGE},
                 {"99999999999999999999999", CLI_NUMBER_OUT_OF_RANGE, CLI_NUMBER_OUT_OF_RANGE},
                 {"x", CLI_NUMBER_MALFORMED, CLI_NUMBER_MALFORMED},
                 {"-", CLI_NUMBER_MALFORMED, CLI_NUMBER_MALFORMED},
                 {"", CLI_NUMBER_MALFORMED, CLI_NUMBER_MALFORMED},
                 {"1 ", CLI_NUMBER_MALFORMED, CLI_NUMBER_MALFORMED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double real = 7.0, pair[2];
        uint32_t count = 7;
        char text[64];
        assert_int_equal(cli_parse_real(cases[i].text, 0.0, 100.0, &real), cases[i].real);
        assert_int_equal(cli_parse_count(cases[i].text, 0, 100, &count), cases[i].count);
        assert_true(real == 7.0 && count == 7);
        snprintf(text, sizeof text, "1,%s", cases[i].text);
        assert_int_equal(cli_parse_pair(text, ',', 0.0, 100.0, pair), cases[i].real);
    }
}

static void the_likely_name_is_the_nearest_and_a_far_one_is_none(void **state)
{
    (void)state;
    static const char *const names[] = {"seconds", "steps", "substeps", "sweeps", "size", "out", "json", "grid"};
    static const struct {
        const char *wrong, *likely;
    } cases[] = {{"stepz", "steps"},
                 {"step", "steps"},
                 {"sbsteps", "substeps"},
                 {"secnods", "seconds"},
                 {"sweep", "sweeps"},
                 {"gird", "grid"},
                 {"jsn", "json"},
                 {"uot", "out"},
                 {"bogus", NULL},
                 {"x", NULL},
                 {"", NULL},
                 {"thread", NULL},
                 {"stepsstepsst", NULL},
                 {"STEPS", NULL},
                 {"a name of more letters than any name that the program knows, or compares", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        cli_guess guess = {.wrong = cases[i].wrong};
        for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
            cli_guess_name(&guess, names[k]);
        }
        if (cases[i].likely == NULL) {
            assert_null(guess.likely);
            assert_string_equal(cli_guess_hint(&guess, "--"), "");
        } else {
            assert_non_null(guess.likely);
            assert_string_equal(guess.likely, cases[i].likely);
            assert_non_null(strstr(cli_guess_hint(&guess, "--"), cases[i].likely));
        }
    }
}

static void names_say_what_a_file_holds(void **state)
{
    (void)state;
    assert_int_equal(output_kind_of("a.csv"), OUTPUT_CSV);
    assert_int_equal(output_kind_of("dir.png/a.NPY"), OUTPUT_NPY);
    assert_int_equal(output_kind_of("a.svg"), OUTPUT_SVG);
    assert_int_equal(output_kind_of("a.anim.svg"), OUTPUT_ANIMATED);
    assert_int_equal(output_kind_of("a.png"), OUTPUT_PNG);
    assert_int_equal(output_kind_of(".png"), OUTPUT_UNKNOWN);
    assert_int_equal(output_kind_of("png"), OUTPUT_UNKNOWN);
    assert_int_equal(output_kind_of("a.csv.gz"), OUTPUT_UNKNOWN);
    assert_int_equal(output_kind_of(""), OUTPUT_UNKNOWN);
}

// a report printed into memory
static char *print(const report *r, bool json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_true(json ? report_print_json(r, stream) : report_print_table(r, stream));
    fclose(stream);
    return text;
}

static void json_texts_are_escaped_and_always_utf8(void **state)
{
    (void)state;
    report r = {0};
    report_list(&r, "t", "t");
    report_text(&r, NULL, "", "a\"b\\c\n\x01");
    report_text(&r, NULL, "", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    report_text(&r, NULL, "", "\xff|\xc3|\xe2\x82|\xc0\xaf|\xed\xa0\x80");
    report_text(&r, NULL, "", NULL);
    report_end(&r);
    report_real(&r, "n", "n", (double)NAN, "m");
    report_real(&r, "i", "i", (double)INFINITY, NULL);
    report_truth(&r, "b", "b", true);
    char *text = print(&r, true);
    assert_string_equal(text, "{\n  \"t\": [\"a\\\"b\\\\c\\u000a\\u0001\", \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\", "
                              "\"\\ufffd|\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\", null],\n"
                              "  \"n\": null,\n  \"i\": null,\n  \"b\": true\n}\n");
    free(text);
    report_free(&r);

    char title[] = "a\xff\x07\xc3\xa9";
    cli_clean_text(title);
    assert_string_equal(title, "a??\xc3\xa9");
}

static void tables_put_groups_on_lines_and_groups_of_groups_under_a_heading(void **state)
{
    (void)state;
    report r = {0};
    report_count(&r, "hidden", NULL, 9);
    report_object(&r, "stages", "stages");
    for (int i = 0; i < 2; ++i) {
        report_object(&r, i == 0 ? "a" : "b", i == 0 ? "a" : "b");
        report_real(&r, "min", "min", 1.5, "ms");
        report_count(&r, "max", "max", 2);
        report_end(&r);
    }
    report_end(&r);
    report_list(&r, "files", "files");
    report_text(&r, NULL, "", "x");
    report_text(&r, NULL, "", "y");
    report_end(&r);
    char *table = print(&r, false), *json = print(&r, true);
    assert_string_equal(table, "stages\n"
                               "  a                 min 1.5 ms   max 2\n"
                               "  b                 min 1.5 ms   max 2\n"
                               "files               x\n"
                               "                    y\n");
    assert_string_equal(json, "{\n  \"hidden\": 9,\n"
                              "  \"stages\": {\"a\": {\"min\": 1.5, \"max\": 2}, \"b\": {\"min\": 1.5, \"max\": 2}},\n"
                              "  \"files\": [\"x\", \"y\"]\n}\n");
    free(table);
    free(json);
    report_free(&r);
}

static void groups_are_the_connected_moving_bodies(void **state)
{
    (void)state;
    // two chains of 20 on one static body: two groups, both anchored
    tr2_scene *scene = NULL;
    groups g;
    assert_int_equal(tr2_scene_generate("chains", 2, &scene, NULL), TR_OK);
    assert_true(groups_find(&g, scene));
    assert_int_equal(g.count, 2);
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        fixed += g.of_body[i] == NO_GROUP;
    }
    assert_int_equal(fixed, 1);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(g.body_count[i], 20);
        assert_int_equal(g.joint_count[i], 20);
        assert_true(g.anchored[i]);
    }
    groups_free(&g);
    tr2_scene_destroy(scene);
}

static void round_lengths_are_1_2_or_5_times_a_power_of_ten(void **state)
{
    (void)state;
    static const double cases[][2] = {{0.9, 1.0},   {1.0, 1.0},      {1.1, 2.0}, {2.1, 5.0}, {5.1, 10.0},
                                      {0.03, 0.05}, {700.0, 1000.0}, {0.0, 1.0}, {-1.0, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_true(fabs(view_round_length(cases[i][0]) - cases[i][1]) < 1e-12 * cases[i][1]);
    }
    assert_true(view_round_length((double)INFINITY) == 1.0);
}

static void springs_zigzag_from_end_to_end(void **state)
{
    (void)state;
    tr_dvec2 p = {1.0, 2.0}, q = {1.0, 12.0}, corners[SPRING_POINTS];
    drawing_zigzag(p, q, 0.5, corners);
    assert_true(corners[0].x == p.x && corners[0].y == p.y);
    assert_true(fabs(corners[SPRING_POINTS - 1].x - q.x) < 1e-12 && fabs(corners[SPRING_POINTS - 1].y - q.y) < 1e-12);
    double left = 0.0, right = 0.0;
    for (uint32_t i = 0; i < SPRING_POINTS; ++i) {
        left = fmin(left, corners[i].x - 1.0);
        right = fmax(right, corners[i].x - 1.0);
        assert_true(i == 0 || corners[i].y > corners[i - 1].y);
    }
    assert_true(fabs(left + 0.5) < 1e-12 && fabs(right - 0.5) < 1e-12);
    // ends that coincide are no division by zero
    drawing_zigzag(p, p, 0.5, corners);
    assert_true(isfinite(corners[5].x) && isfinite(corners[5].y));
}

static void every_type_of_joint_leaves_a_mark(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    groups g;
    assert_int_equal(tr2_scene_generate("grid", 2, &scene, NULL), TR_OK);
    assert_true(groups_find(&g, scene));
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; ++type) {
        for (uint32_t j = 0; j < scene->joint_count; ++j) {
            scene->joints[j].def.type = (tr2_joint_type)type;
        }
        // small and large: lines only, and glyphs
        for (double scale = 2.0; scale < 500.0; scale *= 100.0) {
            drawing d;
            drawing_make(&d, scene, &g, 0.5, scale);
            assert_false(d.failed);
            uint32_t marked = 0;
            for (uint32_t i = d.first_joint_mark; i < d.mark_count; ++i) {
                assert_true(d.marks[i].joint < scene->joint_count);
                assert_true(d.marks[i].first_point + d.marks[i].point_count <= d.point_count);
                marked |= 1u << d.marks[i].joint;
            }
            assert_int_equal(marked, (1u << scene->joint_count) - 1);
            drawing_free(&d);
        }
        for (int other = 0; other < type; ++other) {
            assert_int_not_equal(joint_look_of((tr2_joint_type)type)->color,
                                 joint_look_of((tr2_joint_type)other)->color);
        }
    }
    groups_free(&g);
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
        cmocka_unit_test(numbers_beyond_the_range_are_told_from_what_is_no_number),
        cmocka_unit_test(the_likely_name_is_the_nearest_and_a_far_one_is_none),
        cmocka_unit_test(names_say_what_a_file_holds),
        cmocka_unit_test(json_texts_are_escaped_and_always_utf8),
        cmocka_unit_test(tables_put_groups_on_lines_and_groups_of_groups_under_a_heading),
        cmocka_unit_test(groups_are_the_connected_moving_bodies),
        cmocka_unit_test(round_lengths_are_1_2_or_5_times_a_power_of_ten),
        cmocka_unit_test(springs_zigzag_from_end_to_end),
        cmocka_unit_test(every_type_of_joint_leaves_a_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

// without the program there is nothing to test
int main(void)
{
    return 0;
}

#endif
