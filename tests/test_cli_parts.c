/* The program's parts: strict numbers, JSON text, groups of bodies, round lengths, zig-zags, marks, the camera. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(TR_PROGRAM)

#include "cli/cli.h"
#include "cli/core/view.h"
#include "cli/output.h"
#include "cli/plane/drawing.h"
#include "cli/report.h"

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
    assert_int_equal(cli_parse_reals("0,-9.81", ',', 2, 2, -100.0, 100.0, pair, &count), CLI_NUMBER_GOOD);
    assert_true(pair[0] == 0.0 && pair[1] == -9.81);
    static const char *const bad_pairs[] = {"", ",", "1,", ",1", "1", "1,2,3", "1;2", "nan,1"};
    for (size_t i = 0; i < sizeof bad_pairs / sizeof bad_pairs[0]; ++i) {
        assert_int_equal(cli_parse_reals(bad_pairs[i], ',', 2, 2, -100.0, 100.0, pair, &count), CLI_NUMBER_MALFORMED);
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
        assert_int_equal(cli_parse_reals(text, ',', 2, 2, 0.0, 100.0, pair, &count), cases[i].real);
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
    assert_true(tr2_groups_find(&g, scene));
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
    tr2_groups_free(&g);
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
    assert_true(tr2_groups_find(&g, scene));
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
    tr2_groups_free(&g);
    tr2_scene_destroy(scene);
}

/*
 * Pictures of joints to the ground
 */

/* a static body at the origin and one that moves, far away and turned, between which is one joint */
static tr2_scene *ground_scene(tr2_joint_type type, bool ground_first)
{
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("grid", 2, &scene, NULL), TR_OK);
    scene->joint_count = 1;
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        scene->bodies[i].def.type = i == 1 ? TR_DYNAMIC : TR_STATIC;
        scene->bodies[i].def.position = i == 1 ? (tr_dvec2){50.0, 20.0} : (tr_dvec2){0.0, 0.0};
    }
    scene->joints[0].def = tr2_joint_def_default(type);
    scene->joints[0].body_a = ground_first ? 0 : 1;
    scene->joints[0].body_b = ground_first ? 1 : 0;
    return scene;
}

/* what only pushes is drawn at the end that moves: many such joints to one ground are no star at its origin */
static void joints_that_only_push_are_drawn_at_the_end_that_moves(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINEAR_MOTOR, TR2_JOINT_MOTOR, TR2_JOINT_FRICTION};
    for (size_t i = 0; i < 12 * sizeof types / sizeof types[0]; ++i) {
        bool ground_first = i % 2 == 0, large = i / 2 % 2 == 0;
        uint32_t speed = (uint32_t)(i / 4 % 3);
        tr2_scene *scene = ground_scene(types[i / 12], ground_first);
        tr2_joint_def *def = &scene->joints[0].def;
        def->motor = (tr_motor){true, speed == 2 ? -1.0f : (float)speed, 1.0f};
        def->drive.velocity.y = types[i / 12] == TR2_JOINT_MOTOR ? (float)speed : 0.0f;
        if (types[i / 12] != TR2_JOINT_LINEAR_MOTOR) {
            def->motor = tr2_joint_def_default(types[i / 12]).motor;
        }
        groups g;
        drawing d;
        assert_true(tr2_groups_find(&g, scene));
        drawing_make(&d, scene, &g, 0.5, large ? 100.0 : 2.0);
        assert_false(d.failed);
        assert_true(d.mark_count > d.first_joint_mark);
        tr2_transform transforms[8] = {{{0.0, 0.0}, 0.0, 1.0f, 0.0f}};
        for (uint32_t b = 0; b <= scene->body_count; ++b) {
            transforms[b] = (tr2_transform){{0.0, 0.0}, 0.0, 1.0f, 0.0f};
        }
        /* a quarter turn */
        transforms[1] = (tr2_transform){{50.0, 20.0}, 0.25 * 6.283185307, 0.0f, 1.0f};
        const snapshot s = {.transforms = transforms};
        for (uint32_t k = d.first_joint_mark; k < d.mark_count; ++k) {
            const mark *m = &d.marks[k];
            tr_dvec2 ends[2];
            if (m->body_a != m->body_b) {
                assert_int_equal(m->kind, MARK_ARROW);
                drawing_ends(&d, m, &s, ends);
                /* the arrow keeps the direction of A when B turns */
                double x = ends[1].x - ends[0].x, y = ends[1].y - ends[0].y;
                bool along_y = types[i / 12] == TR2_JOINT_MOTOR;
                assert_true(fabs(along_y ? x : y) < 1e-6 && fabs(along_y ? y : x) > 0.0);
                assert_true(along_y || (x < 0.0) == (speed == 2));
            } else {
                assert_int_equal(m->body_a, 1);
                ends[0] = ends[1] = drawing_place(&s, 1, d.points[m->first_point]);
            }
            for (uint32_t e = 0; e < 2; ++e) {
                assert_true(fabs(ends[e].x - 50.0) < 5.0 && fabs(ends[e].y - 20.0) < 5.0);
            }
        }
        /* what holds or measures a place on the ground is drawn there, too */
        def->limit.enable = types[i / 12] == TR2_JOINT_LINEAR_MOTOR;
        def->drive.position = types[i / 12] == TR2_JOINT_MOTOR;
        assert_int_equal(tr2_joint_only_pushes(def), types[i / 12] == TR2_JOINT_FRICTION);
        drawing_free(&d);
        tr2_groups_free(&g);
        tr2_scene_destroy(scene);
    }
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; ++type) {
        tr2_joint_def def = tr2_joint_def_default((tr2_joint_type)type);
        bool pushes = type == TR2_JOINT_LINEAR_MOTOR || type == TR2_JOINT_MOTOR || type == TR2_JOINT_FRICTION;
        assert_int_equal(tr2_joint_only_pushes(&def), pushes);
    }
}

/*
 * The camera
 */
#define FRAMES 61u

/* a film of FRAMES frames over ten seconds, in which body i is at start + velocity * time; frees with tr2_film_free() */
static film make_film(const tr2_scene *scene, const tr_dvec2 *velocity)
{
    film f;
    assert_true(tr2_film_begin_even(&f, FRAMES, FRAMES - 1, COLOR_TYPE));
    assert_int_equal(f.count, FRAMES);
    for (uint32_t i = 0; i < FRAMES; ++i) {
        snapshot *s = &f.frames[i];
        s->time = 10.0 * i / (FRAMES - 1);
        s->transforms = calloc((size_t)scene->body_count + 1, sizeof *s->transforms);
        assert_non_null(s->transforms);
        for (uint32_t b = 0; b < scene->body_count; ++b) {
            tr_dvec2 start = scene->bodies[b].def.position;
            s->transforms[b] = (tr2_transform){
                {start.x + velocity[b].x * s->time, start.y + velocity[b].y * s->time}, 0.0, 1.0f, 0.0f};
        }
    }
    f.taken = FRAMES;
    return f;
}

static bool window_shows(const view *v, uint32_t frame, tr_dvec2 at)
{
    return fabs(at.x - v->center[frame].x) <= 0.5 * v->width && fabs(at.y - v->center[frame].y) <= 0.5 * v->height;
}

/* the greatest distance that the window moves from one frame to the next */
static double greatest_jump(const view *v)
{
    double most = 0.0;
    for (uint32_t i = 1; i < v->count; ++i) {
        most = fmax(most, hypot(v->center[i].x - v->center[i - 1].x, v->center[i].y - v->center[i - 1].y));
    }
    return most;
}

#define STEPS_OF_BLOW 140 /* then the ball rolls on, away from what it has hit */

/* in a building that a fast ball breaks, the ball and all bricks are in every frame, and the window does not jump */
static void the_camera_frames_all_that_moves(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("debris", 10, &scene, NULL), TR_OK);
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_body bodies[16];
    tr2_joint joints[16];
    assert_true(scene->body_count <= 16 && scene->joint_count <= 16);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(tr2_scene_build(scene, world, bodies, joints, NULL), TR_OK);
    film f;
    groups g;
    assert_true(tr2_film_begin_even(&f, 60, STEPS_OF_BLOW, COLOR_TYPE));
    assert_true(tr2_groups_find(&g, scene));
    for (uint32_t step = 0; step <= STEPS_OF_BLOW; ++step) {
        assert_true(tr2_film_visit(&f, step, step / 60.0, scene, world, bodies, joints));
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, scene->substeps), TR_OK);
    }
    view v;
    assert_true(tr2_view_fit(&v, scene, &g, &f, VIEW_FOLLOW, NULL, NULL));
    for (uint32_t i = 0; i < f.taken; ++i) {
        for (uint32_t b = 1; b < scene->body_count; ++b) {
            assert_true(window_shows(&v, i, f.frames[i].transforms[b].position));
        }
    }
    assert_true(greatest_jump(&v) < 0.01 * v.width);
    tr2_view_free(&v);
    tr2_groups_free(&g);
    tr2_film_free(&f);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* a window that cannot hold all moves as fast as what it shows, no faster, and keeps it inside */
static void the_camera_moves_smoothly_with_what_moves(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("grid", 3, &scene, NULL), TR_OK);
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        scene->bodies[i].def.type = TR_DYNAMIC;
    }
    groups g;
    assert_true(tr2_groups_find(&g, scene));
    tr_dvec2 velocity[9];
    for (uint32_t i = 0; i < 9; ++i) {
        velocity[i] = (tr_dvec2){20.0, -5.0};
    }
    film f = make_film(scene, velocity);
    view v;
    assert_true(tr2_view_fit(&v, scene, &g, &f, VIEW_FOLLOW, NULL, NULL));
    double speed = hypot(20.0, 5.0) * 10.0 / (FRAMES - 1);
    assert_true(v.width < 10.0);
    assert_true(greatest_jump(&v) < 1.001 * speed);
    for (uint32_t i = 0; i < FRAMES; ++i) {
        for (uint32_t b = 0; b < 9; ++b) {
            assert_true(window_shows(&v, i, f.frames[i].transforms[b].position));
        }
    }
    tr2_view_free(&v);
    tr2_film_free(&f);

    /* two of nine fly off either way: the window stays with the others, and does not jump when it loses the two */
    for (uint32_t i = 0; i < 9; ++i) {
        velocity[i] = (tr_dvec2){i == 0 ? -30.0 : i == 8 ? 40.0 : 0.1, 0.0};
    }
    f = make_film(scene, velocity);
    assert_true(tr2_view_fit(&v, scene, &g, &f, VIEW_FOLLOW, NULL, NULL));
    assert_true(v.width < 10.0);
    for (uint32_t i = 0; i < FRAMES; ++i) {
        for (uint32_t b = 1; b < 8; ++b) {
            assert_true(window_shows(&v, i, f.frames[i].transforms[b].position));
        }
    }
    tr2_view_free(&v);
    tr2_film_free(&f);
    tr2_groups_free(&g);
    tr2_scene_destroy(scene);
}

/* what a joint to the ground only pushes may be far from the ground's origin, which is then not in the picture */
static void the_camera_does_not_show_the_ground_that_is_pushed_from(void **state)
{
    (void)state;
    tr2_scene *scene = ground_scene(TR2_JOINT_LINEAR_MOTOR, true);
    groups g;
    assert_true(tr2_groups_find(&g, scene));
    const tr_dvec2 still[9] = {{0.0, 0.0}};
    film f = make_film(scene, still);
    view v;
    assert_true(tr2_view_fit(&v, scene, &g, &f, VIEW_FOLLOW, NULL, NULL));
    assert_true(window_shows(&v, 0, (tr_dvec2){50.0, 20.0}));
    assert_false(window_shows(&v, 0, (tr_dvec2){0.0, 0.0}));
    tr2_view_free(&v);
    tr2_film_free(&f);
    tr2_groups_free(&g);
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
        cmocka_unit_test(joints_that_only_push_are_drawn_at_the_end_that_moves),
        cmocka_unit_test(the_camera_frames_all_that_moves),
        cmocka_unit_test(the_camera_moves_smoothly_with_what_moves),
        cmocka_unit_test(the_camera_does_not_show_the_ground_that_is_pushed_from),
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
