/* The program's command line: exit codes and messages that scripts may rely on. */
#if defined(TR_PROGRAM)

#include "cli/program.h"

static void wrong_command_lines_exit_2_and_name_the_culprit(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *phrase;
    } cases[] = {
        {"", "Usage:"},
        {"fly", "'fly'; there are: run, info, generate"},
        {"help fly", "'fly'"},
        {"run", "which scene"},
        {"run a b", "'b' is one too many"},
        {"run grid:3 --bogus", "'--bogus'"},
        {"run grid:3 -z", "'-z'"},
        {"run grid:3 --seconds", "needs a value"},
        {"run grid:3 --json=1", "takes no value"},
        {"run grid:3 --seconds x", "'x'"},
        {"run grid:3 --seconds nan", "'nan'"},
        {"run grid:3 --seconds inf", "'inf'"},
        {"run grid:3 --seconds -1", "'-1'"},
        {"run grid:3 --seconds 1e30", "from 0 to 1e9"},
        {"run grid:3 --seconds 1e99", "'1e99'"},
        {"run grid:3 --seconds ''", "''"},
        {"run grid:3 --seconds ' 1'", "' 1'"},
        {"run grid:3 --seconds 1s", "'1s'"},
        {"run grid:3 --steps -3", "'-3'"},
        {"run grid:3 --steps 1.5", "'1.5'"},
        {"run grid:3 --steps 99999999999999999999", "--steps"},
        {"run grid:3 --steps 1 --seconds 1", "one of them"},
        {"run grid:3 --hertz 0", "--hertz"},
        {"run grid:3 --substeps 0", "--substeps"},
        {"run grid:3 --substeps 1025", "--substeps"},
        {"run grid:3 --method newton", "'newton'"},
        {"run grid:3 --method SOFT_STEP", "sequential_impulses"},
        {"run grid:3 --sweeps -1", "--sweeps"},
        {"run grid:3 --direct-load -1", "--direct-load"},
        {"run grid:3 --direct-load infinite", "or inf"},
        {"run grid:3 --sweeps 1025", "'1025'"},
        {"run grid:3 --gravity 1", "--gravity"},
        {"run grid:3 --gravity 1,2,3", "--gravity"},
        {"run grid:3 --gravity nan,0", "--gravity"},
        {"run grid:3 --gravity 1,2,3,4", "--gravity"},
        {"run grid:3 --gravity 0,0,-10", "the scene has 2 dimensions, so that 2 numbers are expected, not 3"},
        {"run sheet3d:3 --gravity 0,-10", "the scene has 3 dimensions, so that 3 numbers are expected, not 2"},
        {"run sheet3d:3 --camera 30", "YAW,PITCH in degrees"},
        {"run sheet3d:3 --camera 30,20,10", "YAW,PITCH in degrees"},
        {"run sheet3d:3 --camera north,0", "'north,0'"},
        {"run grid:3 --camera 30,20", "--camera: the scene is in the plane"},
        {"run sheet3d:0", "'sheet3d:0'"},
        {"run sheet3d:100000", "between 1 and"},
        {"run sheet3d:3 --follow nobody", "'nobody'"},
        {"run grid:3 --threads -1", "--threads"},
        {"run grid:3 --threads 2000", "--threads"},
        {"run grid:3 --isa mmx", "'mmx'"},
        {"run grid:3 --every 0", "--every"},
        {"run grid:3 --frames 0", "--frames"},
        {"run grid:3 --key-frames 1", "--key-frames"},
        {"run grid:3 --view sideways", "'sideways'"},
        {"run grid:3 --color pink", "'pink'"},
        {"run grid:3 --size 100", "--size"},
        {"run grid:3 --size 10x10", "--size"},
        {"run grid:3 --out result", "'result'"},
        {"run grid:3 --out result.txt", ".csv .npy .png .svg"},
        {"run grid:3 --out a.csv --out a.csv", "twice"},
        {"run grid:3 --out a.csv --out ./a.csv", "one file"},
        {"run grid:3 --out a.csv --out ../${PWD##*/}/a.csv", "one file"},
        {"run grid:3 --out a.csv --out b.csv --out $PWD//a.csv", "one file"},
        {"run grid:3 --steps 0 --follow nobody", "'nobody'"},
        {"run grid:x", "'grid:x'"},
        {"run grid:0", "'grid:0'"},
        {"run grid:", "'grid:'"},
        {"run ''", "a file, '-' for standard input, or a generated scene"},
        {"run grid:100000", "between 1 and 4000"},
        {"info grid:100000", "between 1 and 4000"},
        {"generate grid --size 100000", "between 1 and 4000"},
        {"info", "which scene"},
        {"info a b", "'b' is one too many"},
        {"info grid:3 --seconds 1", "'--seconds'"},
        {"generate", "which kind"},
        {"generate grid", "--size is missing"},
        {"generate grid --size 0", "'0'"},
        {"generate grid --size many", "'many'"},
        {"generate cloud --size 3", "'cloud' (did you mean crowd?); there are: grid, chains"},
        {"generate grid hub --size 3", "'hub' is one too many"},
        {"generate grid:3 --size 4", "'grid:3' says its size, and --size is one too many"},
        {"generate grid:", "'grid:': after 'grid:' goes a size"},
        {"generate grid:x -o x.json", "'grid:x': after 'grid:' goes a size"},
        {"generate grid:100000", "between 1 and 4000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expect(cases[i].arguments, 2, cases[i].phrase);
    }
}

/* a number out of range is told with the range, and what is no number with what it should be */
static void wrong_numbers_are_told_with_their_range(void **state)
{
    (void)state;
    static const struct {
        const char *option, *low, *high, *range;
    } cases[] = {
        {"seconds", "-1", "1e10", "from 0 to 1e9"},
        {"steps", "-1", "2147483648", "from 0 to 2147483647"},
        {"hertz", "0", "1e7", "from 0.001 to 1e6"},
        {"substeps", "0", "1025", "from 1 to 1024"},
        {"sweeps", "-1", "1025", "from 0 to 1024"},
        {"direct-load", "-1", "1e31", "from 0 to 1e30, or inf"},
        {"threads", "-1", "1025", "from 0 to 1024"},
        {"every", "0", "99999999999999999999", "from 1 to 2147483647"},
        {"frames", "0", "101", "from 1 to 100"},
        {"key-frames", "1", "1001", "from 2 to 1000"},
        {"gravity", "0,-1e7", "1e30,0", "X,Y or X,Y,Z in m/s^2, each from -1e6 to 1e6"},
        {"camera", "0,-361", "360.5,0", "YAW,PITCH in degrees, each from -360 to 360"},
        {"size", "63x100", "100x16385", "WIDTHxHEIGHT, each from 64 to 16384"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *const values[] = {cases[i].low, cases[i].high, "x"};
        for (size_t k = 0; k < 3; ++k) {
            char arguments[128];
            snprintf(arguments, sizeof arguments, "run grid:3 -q --%s=%s", cases[i].option, values[k]);
            outcome o = run(arguments);
            assert_int_equal(o.code, 2);
            bool told = strstr(o.err, cases[i].option) != NULL && strstr(o.err, cases[i].range) != NULL;
            if (!told || (strstr(o.err, "out of range") != NULL) != (k < 2)) {
                fail_msg("trammel %s: %s", arguments, o.err);
            }
            outcome_free(&o);
        }
    }
    /* of two numbers, the wrong one */
    expect("run grid:3 --gravity 1e30,0", 2, "'1e30' is out of range");
    expect("run grid:3 --gravity 0,1e31", 2, "'1e31' is out of range");
    expect("run grid:3 --size 100x20000", 2, "'20000' is out of range");
    expect("run grid:3 --size 100.5x200", 2, "whole number from 64 to 16384");
    expect("generate grid --size -1", 2, "out of range: it must be a whole number from 1 to 2147483647");
}

static void mistyped_names_are_told_with_the_likely_one(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *phrase;
    } cases[] = {
        {"run grid:3 --stepz 3", "unknown option '--stepz' (did you mean --steps?)"},
        {"run grid:3 --stepz=3", "(did you mean --steps?)"},
        {"run grid:3 --key-frame5 3", "(did you mean --key-frames?)"},
        {"run grid:3 --colour type", "(did you mean --color?)"},
        {"run grid:3 --s 1", "option '--s' is ambiguous: --seconds, --steps, --spacing, --substeps, --sleep, --sweeps, "
                             "--save, --save-at, --scene, "
                             "--size"},
        {"info grid:3 --jsno", "(did you mean --json?)"},
        {"generate grid --sise 3", "(did you mean --size?)"},
        {"generate gird --size 3", "'gird' (did you mean grid?)"},
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
        {"run ragdols:3", "(did you mean ragdolls?)"},
#endif
        {"rum grid:3", "'rum' (did you mean run?)"},
        {"help generat", "'generat' (did you mean generate?)"},
        {"--versoin", "(did you mean --version?)"},
        {"run grid:3 --method softstep", "(did you mean soft_step?)"},
        {"run grid:3 --isa avx521", "(did you mean avx512?)"},
        {"run grid:3 --view folow", "(did you mean follow?)"},
        {"run grid:3 --color graf", "(did you mean graph?)"},
        {"run ragdolls:1 -n 0 --follow haed", "'haed' (did you mean head?)"},
        {"run ragdolls3d:1 -n 0 --follow torsso", "'torsso' (did you mean torso?)"},
        {"run sheet3d:3 --camerra 0,0", "(did you mean --camera?)"},
        {"generate chaims3d --size 3", "(did you mean chains3d?)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expect(cases[i].arguments, 2, cases[i].phrase);
    }
    outcome o = run("run grid:3 --bogus");
    assert_null(strstr(o.err, "did you mean"));
    outcome_free(&o);
}

static void failures_exit_1_and_name_the_file(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    expect("run missing.json", 1, "missing.json");
    expect("info missing.json", 1, "missing.json");
    /* what can only have been meant as a generated scene is the command line's mistake, as it is where one is
       generated */
    expect("run grid", 2, "grid:100");
    expect("run cloud:10", 2, "'cloud' no kind of generated scene (did you mean crowd?); there are: grid, chains");
    expect("run sheet3d", 2, "sheet3d:100");
    expect("run shet3d:30", 2, "'shet3d' no kind of generated scene (did you mean sheet3d?)");
    expect("info cloud:", 2, "there are: grid, chains");
    expect("generate cloud:10", 2, "'cloud' no kind of generated scene (did you mean crowd?); there are: grid, chains");
    expect("generate no:file.json", 1, "no:file.json: cannot be opened");
    expect("run ./cloud:10", 1, "cloud:10: cannot be opened");
    expect("run .", 1, ".");
    expect("generate grid --size 3 -o no/such/folder/x.json", 1, "no/such/folder");
    FILE *file = fopen("broken.json", "w");
    assert_non_null(file);
    fputs("{\"bodies\": [", file);
    fclose(file);
    expect("run broken.json", 1, "broken.json");
    expect("info - < broken.json", 1, "standard input");
#else
    expect("run missing.json", 1, "TRAMMEL_WITH_SCENES");
    expect("generate grid --size 3", 1, "TRAMMEL_WITH_SCENES");
#endif
}

/* what the reader takes and the world does not: the file, the place and the name in it, and nothing of the library's */
static void what_the_world_refuses_is_said_in_the_files_words(void **state)
{
    (void)state;
#if defined(TR_WITH_SCENES) && TR_WITH_SCENES
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"trammel\": 1, \"bodies\": [{}, {\"name\": \"pole\", \"mass\": -1}]}",
         "trammel: refused.json: bodies[1] \"pole\": mass is -1, must not be negative\n"},
        {"{\"trammel\": 1, \"bodies\": [{}, {}], \"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1},"
         " {\"type\": \"revolute\", \"name\": \"knee\", \"body_a\": 0, \"body_b\": 1, \"motor\": {\"maximum\": -3}}]}",
         "trammel: refused.json: joints[1] \"knee\": motor.maximum is -3, must not be negative\n"},
        {"{\"trammel\": 1, \"world\": {\"joint_frequency\": -1}}",
         "trammel: refused.json: world.joint_frequency is -1, must not be negative\n"},
        {"{\"trammel\": 1, \"world\": {\"contacts\": {\"hit_speed\": -1}}}",
         "trammel: refused.json: world.contacts.hit_speed is -1, must not be negative\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        FILE *file = fopen("refused.json", "w");
        assert_non_null(file);
        fputs(cases[i].text, file);
        fclose(file);
        outcome run_it = run("run refused.json --steps 1"), info = run("info refused.json");
        assert_int_equal(run_it.code, 1);
        assert_int_equal(info.code, 1);
        assert_string_equal(run_it.err, cases[i].message);
        assert_string_equal(info.err, cases[i].message);
        outcome_free(&run_it);
        outcome_free(&info);
    }
#else
    print_message("skipped: built without scene readers\n");
    skip();
#endif
}

static void misuse_points_to_help(void **state)
{
    (void)state;
    expect("run grid:3 --bogus", 2, "trammel run --help");
    expect("generate --bogus", 2, "trammel generate --help");
    expect("info --bogus", 2, "trammel info --help");
    expect("fly", 2, "trammel --help");
}

static void help_is_printed_on_stdout_and_names_every_option(void **state)
{
    (void)state;
    static const char *const options[] = {"--seconds",    "--steps",   "--hertz", "--substeps", "--gravity",
                                          "--threads",    "--isa",     "--json",  "--quiet",    "--out",
                                          "--every",      "--frames",  "--view",  "--follow",   "--color",
                                          "--key-frames", "--animate", "--size",  "--camera",   "Exit codes"};
    outcome by_option = run("run --help"), by_command = run("help run"), top = run("--help");
    assert_int_equal(by_option.code, 0);
    assert_string_equal(by_option.out, by_command.out);
    assert_string_equal(by_option.err, "");
    for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
        assert_non_null(strstr(by_option.out, options[i]));
    }
    assert_int_equal(top.code, 0);
    static const char *const commands[] = {"run", "info", "generate", "--version", "Exit codes"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        assert_non_null(strstr(top.out, commands[i]));
    }
    outcome_free(&by_option);
    outcome_free(&by_command);
    outcome_free(&top);
    expect("info --help", 0, NULL);
    expect("generate --help", 0, NULL);
}

static void version_says_what_is_built_in(void **state)
{
    (void)state;
    outcome o = run("--version");
    assert_int_equal(o.code, 0);
    assert_int_equal(strncmp(o.out, "trammel ", 8), 0);
    assert_non_null(strstr(o.out, "scalar (1)"));
    assert_non_null(strstr(o.out, "chosen: "));
    assert_non_null(strstr(o.out, "threads: "));
    assert_non_null(strstr(o.out, "built with: "));
    outcome_free(&o);
}

// /dev/full takes no byte: the program must not say that all went well
static void a_full_device_is_a_failure(void **state)
{
    (void)state;
    if (!file_exists("/dev/full")) {
        print_message("skipped: there is no /dev/full\n");
        skip();
    }
    char command[512];
    static const char *const commands[] = {"--version", "--help", "info grid:3", "run grid:3 --steps 1 --json"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        snprintf(command, sizeof command, "'%s' %s >/dev/full 2>err.txt", TR_PROGRAM, commands[i]);
        int status = system(command);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        char *message = read_whole("err.txt", NULL);
        assert_non_null(strstr(message, "standard output"));
        free(message);
    }
}

static void a_closed_pipe_is_an_exit_code_and_not_a_signal(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "{ sleep 0.3; '%s' --help; echo $? >code.txt; } 2>err.txt | true", TR_PROGRAM);
    assert_int_equal(system(command), 0);
    char *code = NULL;
    for (int i = 0; i < 50 && (code == NULL || code[0] == 0); ++i) {
        free(code);
        usleep(100000);
        code = read_whole("code.txt", NULL);
    }
    assert_non_null(code);
    assert_string_equal(code, "1\n");
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_command_lines_exit_2_and_name_the_culprit),
        cmocka_unit_test(wrong_numbers_are_told_with_their_range),
        cmocka_unit_test(mistyped_names_are_told_with_the_likely_one),
        cmocka_unit_test(failures_exit_1_and_name_the_file),
        cmocka_unit_test(what_the_world_refuses_is_said_in_the_files_words),
        cmocka_unit_test(misuse_points_to_help),
        cmocka_unit_test(help_is_printed_on_stdout_and_names_every_option),
        cmocka_unit_test(version_says_what_is_built_in),
        cmocka_unit_test(a_full_device_is_a_failure),
        cmocka_unit_test(a_closed_pipe_is_an_exit_code_and_not_a_signal),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* without the program there is nothing to test */
int main(void)
{
    return 0;
}

#endif
