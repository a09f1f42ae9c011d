/* What `trammel run` and `trammel info` say: keys, counts, and the same result whatever the threads and lanes. */
#if defined(TR_PROGRAM)

#define _GNU_SOURCE // pseudo-terminals
#include "cli/program.h"
#include "instrumented.h"

#include <math.h>

#include "trammel/trammel.h"

#include <fcntl.h>

static void json_has_the_documented_keys(void **state)
{
    (void)state;
    outcome o = run("run grid:6 --steps 70 --no-sleep --json");
    assert_int_equal(o.code, 0);
    assert_string_equal(o.err, "");
    assert_true(json_is_valid(o.out));
    static const char *const keys[] = {"version",
                                       "scene",
                                       "notices",
                                       "bodies",
                                       "joints",
                                       "joints_by_type.revolute",
                                       "joints_by_type.motor",
                                       "colors",
                                       "lane_fill",
                                       "clusters",
                                       "independent_clusters",
                                       "boundary_joints",
                                       "identical_islands",
                                       "interleaved_clusters",
                                       "contiguous_blocks",
                                       "body_copies",
                                       "clamped_contacts",
                                       "plan_rebuilds",
                                       "full_layouts",
                                       "partial_layouts",
                                       "islands",
                                       "threads",
                                       "isa",
                                       "substeps",
                                       "hertz",
                                       "steps",
                                       "seconds",
                                       "step_ms.min",
                                       "step_ms.median",
                                       "step_ms.p99",
                                       "stage_ms.solve.median",
                                       "stage_ms.plan.p99",
                                       "ns_per_joint_step",
                                       "islands_by_size.16",
                                       "stage_bytes.solve",
                                       "work.chunks",
                                       "work.critical_path",
                                       "work.barriers",
                                       "projected_ms.1",
                                       "projected_ms.64",
                                       "joint_error.rms",
                                       "joint_error.max",
                                       "joint_error.settled_rms",
                                       "joint_error.end_rms",
                                       "joint_angle_error.max",
                                       "energy.start",
                                       "energy.end",
                                       "energy.drift",
                                       "nonfinite_bodies",
                                       "state_hash",
                                       "files"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (json_find(o.out, keys[i]) == NULL) {
            fail_msg("no key %s in %s", keys[i], o.out);
        }
    }
    assert_true(json_number(o.out, "bodies") == 36.0);
    assert_true(json_number(o.out, "joints") == 60.0);
    assert_true(json_number(o.out, "joints_by_type.revolute") == 60.0);
    assert_true(json_number(o.out, "steps") == 70.0);
    assert_true(json_number(o.out, "nonfinite_bodies") == 0.0);
    assert_true(json_number(o.out, "step_ms.min") <= json_number(o.out, "step_ms.median"));
    assert_true(json_number(o.out, "step_ms.median") <= json_number(o.out, "step_ms.p99"));
    assert_true(json_number(o.out, "joint_error.rms") <= json_number(o.out, "joint_error.max"));
    outcome_free(&o);
}

static void the_table_and_the_json_say_the_same(void **state)
{
    (void)state;
    outcome table = run("run chains:2 --steps 30"), json = run("run chains:2 --steps 30 --json");
    assert_int_equal(table.code, 0);
    const char *hash = json_find(json.out, "state_hash");
    assert_non_null(hash);
    char text[17] = "";
    memcpy(text, hash + 1, 16);
    assert_non_null(strstr(table.out, text));
    static const char *const labels[] = {"bodies",  "joints",     "colours",         "lanes filled",
                                         "threads", "islands",    "time of a step",  "joint error",
                                         "energy",  "state hash", "instruction set", "solve"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; ++i) {
        assert_non_null(strstr(table.out, labels[i]));
    }
    outcome_free(&table);
    outcome_free(&json);
}

static void bodies_at_rest_sleep_if_they_may(void **state)
{
    (void)state;
    outcome asleep = run("run tower:5 --seconds 2 --sleep --json"),
            awake = run("run tower:5 --seconds 2 --no-sleep --json");
    outcome plain = run("run tower:5 --seconds 2 --json");
    outcome table = run("run tower:5 --seconds 2 --sleep"), both = run("run tower:5 --sleep --no-sleep");
    assert_int_equal(asleep.code, 0);
    assert_true(json_number(asleep.out, "sleeping_bodies") == json_number(asleep.out, "moving_bodies"));
    assert_true(json_number(awake.out, "sleeping_bodies") == 0.0);
    assert_true(json_number(asleep.out, "asleep_seconds") >= 0.5 && json_number(asleep.out, "asleep_seconds") < 5.0);
    assert_non_null(strstr(awake.out, "\"asleep_seconds\": null"));
    assert_true(json_number(plain.out, "sleeping_bodies") == json_number(plain.out, "moving_bodies"));
    assert_non_null(strstr(table.out, "asleep"));
    assert_int_equal(both.code, 2);
    assert_non_null(strstr(both.err, "exclude"));
    outcome_free(&asleep);
    outcome_free(&awake);
    outcome_free(&plain);
    outcome_free(&table);
    outcome_free(&both);
}

static void no_steps_only_report(void **state)
{
    (void)state;
    outcome o = run("run bridge:5 --steps 0 --json");
    assert_int_equal(o.code, 0);
    assert_true(json_is_valid(o.out));
    assert_true(json_number(o.out, "steps") == 0.0);
    assert_int_equal(strncmp(json_find(o.out, "step_ms.median"), "null", 4), 0);
    assert_true(json_number(o.out, "energy.drift") == 0.0);
    outcome_free(&o);
}

/* without steps and files the joints are looked at some at a time: what is said of them is what the whole world says */
static void a_survey_says_what_the_world_says(void **state)
{
    (void)state;
    static const char *const scenes[] = {"grid:60", "ragdolls:9", "sheet3d:20", "ragdolls3d:9",
                                         TR_SCENES_DIR "/demo.json"};
    static const char *const numbers[] = {
        "bodies",          "moving_bodies",         "joints",      "joint_error.start_rms",
        "joint_error.max", "joint_angle_error.rms", "energy.start"};
    static const char *const planned[] = {"islands", "colors", "lane_fill", "max_degree", "bytes"};
    char folder[] = "/tmp/trammel-survey-XXXXXX", command[512], and_file[600];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        snprintf(command, sizeof command, "run %s --steps 0 --json", scenes[i]);
        snprintf(and_file, sizeof and_file, "%s --out %s/t.csv", command, folder);
        outcome survey = run(command), whole = run(and_file);
        assert_int_equal(survey.code, 0);
        assert_int_equal(whole.code, 0);
        assert_true(json_is_valid(survey.out));
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k) {
            assert_true(json_number(survey.out, numbers[k]) == json_number(whole.out, numbers[k]));
        }
        assert_memory_equal(json_find(survey.out, "state_hash"), json_find(whole.out, "state_hash"), 18);
        const char *types = json_find(whole.out, "joints_by_type");
        assert_memory_equal(json_find(survey.out, "joints_by_type"), types, strcspn(types, "}"));
        for (size_t k = 0; k < sizeof planned / sizeof planned[0]; ++k) {
            assert_int_equal(strncmp(json_find(survey.out, planned[k]), "null", 4), 0);
            assert_true(json_number(whole.out, planned[k]) >= 0.0);
        }
        outcome_free(&survey);
        outcome_free(&whole);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* boxes that come to rest on each other lose all their motion: the report names the contacts */
static void contacts_are_a_reason_for_lost_energy(void **state)
{
    (void)state;
    outcome touching = run("run pyramid:3 --steps 5 --json"), free_fall = run("run chains:1 --steps 5 --json");
    assert_non_null(strstr(json_find(touching.out, "energy.note"), "not conserved: contacts"));
    assert_int_equal(strncmp(json_find(free_fall.out, "energy.note"), "null", 4), 0);
    outcome_free(&touching);
    outcome_free(&free_fall);
}

/* the method is for one sub-step: with the scene's four the notice names the remedy, with one it is silent */
static void sequential_impulses_warn_of_many_substeps(void **state)
{
    (void)state;
    outcome many = run("run chains:1 --steps 1 --method sequential_impulses --json");
    outcome one = run("run chains:1 --steps 1 --method sequential_impulses --substeps 1 --json");
    outcome other = run("run chains:1 --steps 1 --json");
    assert_non_null(strstr(many.out, "use --substeps 1"));
    assert_null(strstr(one.out, "--substeps 1"));
    assert_null(strstr(other.out, "--substeps 1"));
    outcome_free(&many);
    outcome_free(&one);
    outcome_free(&other);
}

/* a header of the library says INFINITY for "no island", and so may the command line */
static void direct_load_may_be_infinite(void **state)
{
    (void)state;
    outcome infinite = run("run hub:50 --steps 1 --direct-load inf --json");
    outcome every = run("run hub:50 --steps 1 --direct-load 0 --json");
    assert_int_equal(infinite.code, 0);
    assert_true(json_number(infinite.out, "exact_joints") == 0.0);
    assert_true(json_number(every.out, "exact_joints") > 0.0);
    outcome_free(&infinite);
    outcome_free(&every);
}

/* drift is a share of what was exchanged; where nothing was, there is no share and the table does not speak of one */
static void energy_drift_says_what_it_is_a_share_of(void **state)
{
    (void)state;
    outcome o = run("run chains:1 --seconds 1 --json"), still = run("run grid:3 --steps 5 --gravity 0,0 --json");
    double exchanged = json_number(o.out, "energy.exchanged"), share = json_number(o.out, "energy.relative_drift");
    assert_true(exchanged > 0.0);
    /* the report has ten digits of each */
    assert_true(fabs(share * exchanged - json_number(o.out, "energy.drift")) < 1e-8 * exchanged);
    assert_int_equal(strncmp(json_find(still.out, "energy.relative_drift"), "null", 4), 0);
    outcome_free(&o);
    outcome_free(&still);

    o = run("run chains:1 --seconds 1");
    still = run("run grid:3 --steps 5 --gravity 0,0");
    assert_non_null(strstr(o.out, "drift by exchanged"));
    assert_null(strstr(still.out, "exchanged"));
    outcome_free(&o);
    outcome_free(&still);
}

/* each method ends elsewhere, and what is run is said; sweeps 0 are the method's own, 8 of the classic */
static void methods_and_sweeps_are_options(void **state)
{
    (void)state;
    outcome soft = run("run grid:6 --steps 30 --json");
    outcome soft_by_name = run("run grid:6 --steps 30 --method soft_step --json");
    outcome small = run("run grid:6 --steps 30 --method small_step --json");
    outcome classic = run("run grid:6 --steps 30 --method sequential_impulses --sweeps 0 --json");
    outcome classic_8 = run("run grid:6 --steps 30 --method sequential_impulses --sweeps 8 --json");
    outcome classic_9 = run("run grid:6 --steps 30 --method sequential_impulses --sweeps 9 --json");
    assert_int_equal(classic_9.code, 0);
    assert_non_null(strstr(soft.out, "\"method\": \"soft_step\""));
    assert_non_null(strstr(small.out, "\"method\": \"small_step\""));
    assert_true(json_same(soft.out, soft_by_name.out, "state_hash"));
    assert_false(json_same(soft.out, small.out, "state_hash"));
    assert_false(json_same(soft.out, classic.out, "state_hash"));
    assert_true(json_same(classic.out, classic_8.out, "state_hash"));
    assert_false(json_same(classic.out, classic_9.out, "state_hash"));
    outcome_free(&soft);
    outcome_free(&soft_by_name);
    outcome_free(&small);
    outcome_free(&classic);
    outcome_free(&classic_8);
    outcome_free(&classic_9);
}

static void options_override_the_scene(void **state)
{
    (void)state;
    outcome o = run("run grid:3 --seconds 0.5 --hertz 120 --substeps 7 --gravity 0,0 --json");
    assert_int_equal(o.code, 0);
    assert_true(json_number(o.out, "steps") == 60.0);
    assert_true(json_number(o.out, "hertz") == 120.0);
    assert_true(json_number(o.out, "substeps") == 7.0);
    // nothing pulls and nothing moves: energy is exactly what it was
    assert_true(json_number(o.out, "energy.drift") == 0.0);
    outcome_free(&o);
}

/* cairo counts pixels in 24 bits: what lies beyond is left out, and neither the view nor an arc goes on for ever */
static void pictures_of_what_is_far_away_end(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        "{\"trammel\":1,\"bodies\":[{\"type\":\"static\",\"position\":[1e20,0]},{\"position\":[1e20,1]}],"
        "\"joints\":[{\"type\":\"revolute\",\"body_a\":0,\"body_b\":1,\"anchor_b\":[0,-1]}]}",
        "{\"trammel\":1,\"bodies\":[{\"type\":\"static\"},{\"position\":[1,0]},{\"position\":[1e300,0]},"
        "{\"position\":[-1e300,5]}],"
        "\"joints\":[{\"type\":\"revolute\",\"body_a\":0,\"body_b\":1,\"anchor_b\":[-1,0]}]}"};
    static const char *const views[] = {"follow", "fixed", "all"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        FILE *file = fopen("far.json", "w");
        assert_non_null(file);
        assert_true(fputs(scenes[i], file) >= 0 && fclose(file) == 0);
        for (size_t v = 0; v < sizeof views / sizeof views[0]; ++v) {
            char arguments[128];
            snprintf(arguments, sizeof arguments,
                     "run far.json --steps 2 --quiet --view %s --out far.png --out far.anim.svg", views[v]);
            outcome o = run(arguments);
            if (o.code != 0) {
                fail_msg("%s: %s", arguments, o.err);
            }
            outcome_free(&o);
        }
    }
}

static void every_thread_count_and_instruction_set_gives_the_same_state(void **state)
{
    (void)state;
    outcome reference = run("run grid:40 --steps 20 --threads 1 --isa scalar --json");
    assert_int_equal(reference.code, 0);
    char arguments[128];
    uint32_t tried = 0;
    for (int isa = 0; isa < TR_ISA_COUNT; ++isa) {
        for (int threads = 1; threads <= 4; ++threads) {
            if (!tr_isa_available((tr_isa)isa)) {
                continue;
            }
            snprintf(arguments, sizeof arguments, "run grid:40 --steps 20 --threads %d --isa %s --json", threads,
                     tr_isa_name((tr_isa)isa));
            outcome o = run(arguments);
            assert_int_equal(o.code, 0);
            if (!json_same(reference.out, o.out, "state_hash")) {
                fail_msg("another state hash: %s", arguments);
            }
            ++tried;
            outcome_free(&o);
        }
    }
    assert_true(tried >= 4);
    // and other physics gives another state
    outcome other = run("run grid:40 --steps 20 --gravity 0,-9.8 --threads 1 --json");
    assert_false(json_same(reference.out, other.out, "state_hash"));
    outcome_free(&other);
    outcome_free(&reference);
}

static void an_instruction_set_that_is_not_here_exits_1(void **state)
{
    (void)state;
    for (int isa = 0; isa < TR_ISA_COUNT; ++isa) {
        if (!tr_isa_available((tr_isa)isa)) {
            char arguments[64];
            snprintf(arguments, sizeof arguments, "run grid:3 --isa %s", tr_isa_name((tr_isa)isa));
            expect(arguments, 1, "scalar");
        }
    }
    /* the environment's choice is not passed over in silence; the option comes before it */
    outcome o = run_with("TRAMMEL_ISA=sse9", "run grid:3 --steps 1");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "TRAMMEL_ISA: sse9"));
    outcome_free(&o);
    o = run_with("TRAMMEL_ISA=sse9", "run grid:3 --steps 1 --isa scalar");
    assert_int_equal(o.code, 0);
    outcome_free(&o);
}

static void quiet_says_nothing_and_pipes_see_no_progress_bar(void **state)
{
    (void)state;
    outcome quiet = run("run grid:30 --steps 60 --quiet"), plain = run("run grid:30 --steps 60");
    assert_int_equal(quiet.code, 0);
    assert_string_equal(quiet.out, "");
    assert_string_equal(quiet.err, "");
    assert_string_equal(plain.err, "");
    assert_null(strchr(plain.out, '\r'));
    outcome_free(&quiet);
    outcome_free(&plain);
}

/* what a terminal that is the program's stderr is sent; expects exit code 0 */
static void watch_terminal(const char *arguments, char *seen, size_t room)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        print_message("skipped: no pseudo-terminals here\n");
        skip();
    }
    char command[512];
    snprintf(command, sizeof command, "TERM=xterm '%s' %s >out.txt 2>'%s'", TR_PROGRAM, arguments, ptsname(terminal));
    int slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }

    // read on the way: a terminal that nobody reads from stops who writes to it
    size_t size = 0;
    int status = 0;
    for (bool ended = false; !ended;) {
        ended = waitpid(child, &status, WNOHANG) == child;
        for (ssize_t got; size < room - 1 && (got = read(terminal, seen + size, room - 1 - size)) > 0;) {
            size += (size_t)got;
        }
        usleep(10000);
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(slave);
    close(terminal);
    seen[size] = 0;
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void a_terminal_sees_a_progress_bar_that_goes_away(void **state)
{
    (void)state;
    char arguments[128], seen[1 << 16], total[32];
    snprintf(total, sizeof total, " of %d", TRIALS(4000));
    snprintf(arguments, sizeof arguments, "run grid:40 --steps %d --json", TRIALS(4000));
    watch_terminal(arguments, seen, sizeof seen);
    assert_non_null(strstr(seen, total));
    assert_non_null(strchr(seen, '%'));
    assert_true(ends_with(seen, "\r\033[K"));
}

/* before the first step and after the last one, too, and none of it stays or goes elsewhere */
static void a_terminal_sees_what_is_under_way(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *notes[4];
    } cases[] = {
        {"run grid:9 --steps 0 --out t.csv",
         {"making grid:9 ...", "building a world of 81 bodies", "measuring", "files"}},
        {"info grid:9", {"making grid:9 ...", "building a world of 81 bodies and 144 joints ...", "planning ..."}},
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
        {"generate grid --size 9 --output made.json", {"making grid:9 ...", "writing grid:9 ..."}},
        {"run made.json --steps 0", {"reading made.json ...", "surveying"}},
#endif
    };
    char seen[1 << 16];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        watch_terminal(cases[i].arguments, seen, sizeof seen);
        for (size_t k = 0; k < 4 && cases[i].notes[k] != NULL; ++k) {
            if (strstr(seen, cases[i].notes[k]) == NULL) {
                fail_msg("trammel %s: no '%s' in '%s'", cases[i].arguments, cases[i].notes[k], seen);
            }
        }
        assert_true(ends_with(seen, "\r\033[K"));
        expect(cases[i].arguments, 0, NULL);
    }
    watch_terminal("run grid:9 --steps 0 --quiet", seen, sizeof seen);
    assert_string_equal(seen, "");
}

// a body at the end of the floats and what hangs on it are caught, counted and told
static void a_run_that_ends_with_non_finite_bodies_exits_3(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    FILE *file = fopen("wild.json", "w");
    assert_non_null(file);
    fputs("{\"trammel\": 1, \"bodies\": [{\"velocity\": [3e38, 3e38], \"angular_velocity\": 3e38}, "
          "{\"position\": [1, 0]}, {\"position\": [5, 0]}], \"joints\": [{\"type\": \"revolute\", \"body_a\": 0, "
          "\"body_b\": 1, \"anchor_a\": [0.5, 0], \"anchor_b\": [-0.5, 0]}]}\n",
          file);
    fclose(file);
    outcome o = run("run wild.json --steps 20 --json --out wild.csv");
    assert_int_equal(o.code, 3);
    assert_true(json_is_valid(o.out));
    assert_true(json_number(o.out, "nonfinite_bodies") >= 1.0);
    assert_true(json_number(o.out, "nonfinite_bodies") <= 2.0);
    assert_non_null(strstr(o.out, "became non-finite"));
    assert_true(file_exists("wild.csv"));
    outcome_free(&o);
#else
    print_message("skipped: built without scene readers\n");
    skip();
#endif
}

static void disabled_bodies_do_not_count(void **state)
{
    (void)state;
    FILE *file = fopen("off.json", "w");
    assert_non_null(file);
    fputs("{\"trammel\": 1, \"bodies\": [{\"mass\": 2, \"inertia\": 1},"
          "{\"mass\": 50, \"inertia\": 1, \"enabled\": false, \"linear_damping\": 1},"
          "{\"type\": \"kinematic\", \"velocity\": [1, 0], \"enabled\": false}]}",
          file);
    fclose(file);
    outcome info = run("info off.json --json"), ran = run("run off.json --steps 2 --json");
    assert_true(json_number(info.out, "bodies") == 3.0 && json_number(info.out, "bodies_by_type.disabled") == 2.0);
    assert_true(json_number(info.out, "bodies_by_type.dynamic") == 1.0 && json_number(info.out, "mass.total") == 2.0);
    assert_true(json_number(info.out, "bodies_by_type.kinematic") == 0.0);
    assert_int_equal(strncmp(json_find(ran.out, "energy.note"), "null", 4), 0);
    outcome_free(&info);
    outcome_free(&ran);
}

static void info_counts_without_simulating(void **state)
{
    (void)state;
    outcome o = run("info ragdolls:3 --json");
    assert_int_equal(o.code, 0);
    assert_true(json_is_valid(o.out));
    assert_true(json_number(o.out, "bodies_by_type.dynamic") >= 33.0);
    assert_true(json_number(o.out, "joints") > 0.0);
    assert_true(json_number(o.out, "mass.max") >= json_number(o.out, "mass.min"));
    assert_true(json_number(o.out, "extent.x_max") > json_number(o.out, "extent.x_min"));
    assert_true(json_number(o.out, "degree.max") >= 2.0);
    assert_non_null(json_find(o.out, "joint_error.rms"));
    assert_non_null(json_find(o.out, "notices"));
    outcome_free(&o);
    expect("info hub:10", 0, NULL);
}

/* every type of shape has its count */
static void info_counts_every_type_of_shape(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    FILE *file = fopen("shapes.json", "w");
    assert_non_null(file);
    fputs("{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"circle\", \"radius\": 1},", file);
    fputs("{\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 0], [0, 1]]},", file);
    for (int i = 0; i < 3; ++i) {
        fputs("{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0]]},", file);
    }
    for (int i = 0; i < 4; ++i) {
        fputs("{\"type\": \"capsule\", \"radius\": 1, \"vertices\": [[0, 0], [1, 0]]},", file);
    }
    fputs("{\"type\": \"segment\", \"vertices\": [[0, 0], [1, 0]]}]}]}", file);
    fclose(file);
    outcome o = run("info shapes.json --json");
    assert_int_equal(o.code, 0);
    assert_true(json_is_valid(o.out));
    assert_true(json_number(o.out, "shapes") == 10.0);
    static const struct {
        const char *path;
        double count;
    } counts[] = {{"shapes_by_type.circle", 1.0},  {"shapes_by_type.polygon", 1.0}, {"shapes_by_type.chain", 3.0},
                  {"shapes_by_type.capsule", 4.0}, {"shapes_by_type.segment", 1.0}, {"shapes_by_type.sensor", 0.0}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        assert_true(json_number(o.out, counts[i].path) == counts[i].count);
    }
    outcome_free(&o);
#else
    print_message("skipped: built without scene readers\n");
    skip();
#endif
}

static void a_generated_file_runs_as_the_made_scene_does(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    static const char *const kinds[] = {"grid", "chains", "bridge", "ragdolls", "hub"};
    char arguments[128];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        snprintf(arguments, sizeof arguments, "generate %s --size 5 -o made.json", kinds[i]);
        expect(arguments, 0, NULL);
        snprintf(arguments, sizeof arguments, "run %s:5 --steps 10 --json", kinds[i]);
        outcome made = run(arguments), read = run("run made.json --steps 10 --json");
        assert_int_equal(made.code, 0);
        assert_int_equal(read.code, 0);
        assert_true(json_same(made.out, read.out, "state_hash"));
        outcome_free(&made);
        outcome_free(&read);
    }
    // the same through pipes: standard output of one, standard input of the other
    char before[512];
    snprintf(before, sizeof before, "'%s' generate hub:5 |", TR_PROGRAM);
    outcome piped = run_with(before, "run - --steps 10 --json"), direct = run("run hub:5 --steps 10 --json");
    assert_int_equal(piped.code, 0);
    assert_true(json_same(piped.out, direct.out, "state_hash"));
    outcome_free(&piped);
    outcome_free(&direct);
#else
    print_message("skipped: built without scene readers\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_documented_keys),
        cmocka_unit_test(the_table_and_the_json_say_the_same),
        cmocka_unit_test(bodies_at_rest_sleep_if_they_may),
        cmocka_unit_test(no_steps_only_report),
        cmocka_unit_test(a_survey_says_what_the_world_says),
        cmocka_unit_test(contacts_are_a_reason_for_lost_energy),
        cmocka_unit_test(sequential_impulses_warn_of_many_substeps),
        cmocka_unit_test(direct_load_may_be_infinite),
        cmocka_unit_test(energy_drift_says_what_it_is_a_share_of),
        cmocka_unit_test(options_override_the_scene),
        cmocka_unit_test(methods_and_sweeps_are_options),
        cmocka_unit_test(pictures_of_what_is_far_away_end),
        cmocka_unit_test(every_thread_count_and_instruction_set_gives_the_same_state),
        cmocka_unit_test(an_instruction_set_that_is_not_here_exits_1),
        cmocka_unit_test(quiet_says_nothing_and_pipes_see_no_progress_bar),
        cmocka_unit_test(a_terminal_sees_a_progress_bar_that_goes_away),
        cmocka_unit_test(a_terminal_sees_what_is_under_way),
        cmocka_unit_test(a_run_that_ends_with_non_finite_bodies_exits_3),
        cmocka_unit_test(disabled_bodies_do_not_count),
        cmocka_unit_test(info_counts_without_simulating),
        cmocka_unit_test(info_counts_every_type_of_shape),
        cmocka_unit_test(a_generated_file_runs_as_the_made_scene_does),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

// without the program there is nothing to test
int main(void)
{
    return 0;
}

#endif
