/* What the program makes of joints that break: the counts it prints, and pictures without them from their frame on. */
#if defined(TR_PROGRAM) && defined(TR_WITH_SCENES) && TR_WITH_SCENES

#define _GNU_SOURCE
#include "cli/program.h"

#include <math.h>

/*
 * Three bodies of 1 kg that hang. One on a distance that breaks after 30 steps over half the weight, in the middle of
 * the second that is run; one on a revolute that only says that it is over; one on a joint without thresholds.
 */
static void write_scene(const char *path, bool breaks)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{\"trammel\": 1, \"world\": {\"sleep\": {\"enable\": false}}, \"bodies\": [{\"type\": \"static\"},"
            "{\"position\": [0, -1]}, {\"position\": [5, -1]}, {\"position\": [9, -1]}], \"joints\": ["
            "{\"type\": \"distance\", \"body_a\": 0, \"body_b\": 1%s},"
            "{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 2, \"anchor_a\": [5, -1], \"event\": {\"force\": 5}},"
            "{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 3, \"anchor_a\": [9, -1]}]}",
            breaks ? ", \"break\": {\"force\": 5, \"steps\": 30}" : "");
    fclose(file);
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* 60 steps over 5 N, and one joint broken after 30 */
static void broken_joints_and_events_are_counted(void **state)
{
    (void)state;
    write_scene("breaks.json", true);
    outcome o = run("run breaks.json --seconds 1 --json");
    assert_int_equal(o.code, 0);
    assert_true(json_number(o.out, "broken_joints") == 1.0);
    assert_true(json_number(o.out, "events") == 61.0);
    assert_true(json_number(o.out, "joints") == 2.0);
    assert_non_null(strstr(json_find(o.out, "energy.note"), "broken joints"));
    outcome_free(&o);
    o = run("run breaks.json --seconds 1");
    assert_non_null(strstr(o.out, "joints broken       1\n"));
    assert_non_null(strstr(o.out, "events              61\n"));
    outcome_free(&o);

    o = run("info breaks.json --json");
    assert_true(json_number(o.out, "watched_joints") == 2.0);
    outcome_free(&o);

    write_scene("holds.json", false);
    o = run("run holds.json --seconds 1 --json");
    assert_true(json_number(o.out, "broken_joints") == 0.0);
    assert_true(json_number(o.out, "events") == 60.0);
    outcome_free(&o);
    o = run("run holds.json --seconds 1");
    assert_null(strstr(o.out, "joints broken"));
    outcome_free(&o);
}

/* broken in step 30 of 60, which is the fourth of the seven key frames: hidden from the middle on */
static void an_animation_hides_a_broken_joint(void **state)
{
    (void)state;
    static const char *const colors[] = {"type", "force", "graph"};
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        char arguments[160];
        write_scene("breaks.json", true);
        snprintf(arguments, sizeof arguments,
                 "run breaks.json --seconds 1 --key-frames 7 --color %s --quiet --out b.anim.svg", colors[i]);
        expect(arguments, 0, NULL);
        char *svg = read_whole("b.anim.svg", NULL);
        /* the line, and the dots at its ends */
        assert_int_equal(
            count_of(svg, "\"visibility\" calcMode=\"discrete\" values=\"visible;hidden\" keyTimes=\"0;0.5\""), 3);
        assert_int_equal(count_of(svg, "\"visibility\""), 3);
        free(svg);
    }
    write_scene("holds.json", false);
    expect("run holds.json --seconds 1 --key-frames 7 --quiet --out h.anim.svg", 0, NULL);
    char *svg = read_whole("h.anim.svg", NULL);
    assert_int_equal(count_of(svg, "visibility"), 0);
    free(svg);
}

#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
/* how often the colour of distances is used: red 0xc2 is 76.07 or 76.08 percent */
static uint32_t uses_of_distance(const char *arguments, const char *path)
{
    expect(arguments, 0, NULL);
    char *svg = read_whole(path, NULL);
    uint32_t count = count_of(svg, "(76.07") + count_of(svg, "(76.08");
    free(svg);
    return count;
}

/* three frames, at 0, 0.5 and 1 s: the joint is in one of them or in all */
static void a_strip_leaves_a_broken_joint_out(void **state)
{
    (void)state;
    write_scene("breaks.json", true);
    write_scene("holds.json", false);
    uint32_t breaks = uses_of_distance("run breaks.json --seconds 1 --frames 3 --quiet --out b.svg", "b.svg");
    uint32_t holds = uses_of_distance("run holds.json --seconds 1 --frames 3 --quiet --out h.svg", "h.svg");
    /* one is the legend's */
    assert_true(breaks > 1);
    assert_int_equal(holds - 1, 3 * (breaks - 1));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_joints_and_events_are_counted),
        cmocka_unit_test(an_animation_hides_a_broken_joint),
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
        cmocka_unit_test(a_strip_leaves_a_broken_joint_out),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* without the program and its scenes there is nothing to test */
int main(void)
{
    return 0;
}

#endif
