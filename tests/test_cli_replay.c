/* Snapshots and logs of the program: what goes on from a snapshot, and what is replayed, has the same bits. */
#if defined(TR_PROGRAM) && defined(TR_WITH_SCENES)

#include "cli/program.h"

#include "base/log.h"

/* a text of the JSON that a command prints: the value of a key, up to the end of its line */
static char *value_of(const char *arguments, const char *key, int code)
{
    static char value[256];
    char quoted[64];
    outcome o = run(arguments);
    if (o.code != code) {
        fail_msg("trammel %s: exit code %d, stderr: %s", arguments, o.code, o.err);
    }
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(o.out, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\n"), at);
    outcome_free(&o);
    return value;
}

static void assert_value(const char *arguments, const char *key, const char *wanted)
{
    const char *is = value_of(arguments, key, 0);
    if (strcmp(is, wanted) != 0) {
        fail_msg("trammel %s: %s is %s, not %s", arguments, key, is, wanted);
    }
}

static void goes_on(const char *scene)
{
    char arguments[256], whole[256];
    snprintf(arguments, sizeof arguments, "run %s --steps 40 --json --save all.snapshot --save-at 25", scene);
    snprintf(whole, sizeof whole, "%s", value_of(arguments, "state_hash", 0));
    assert_value("run --restore all.snapshot --steps 15 --json", "state_hash", whole);
    assert_value("run --restore all.snapshot --steps 15 --json --threads 2 --isa scalar", "state_hash", whole);
    /* and again from a snapshot of that */
    expect("run --restore all.snapshot --steps 5 --quiet --save later.snapshot", 0, NULL);
    assert_value("run --restore later.snapshot --steps 10 --json", "state_hash", whole);
    /* as a scene: the bodies of the snapshot */
    expect("run --restore later.snapshot --steps 0 --quiet --scene later.json --out later.csv", 0, NULL);
    snprintf(whole, sizeof whole, "%s", value_of("run --restore later.snapshot --steps 0 --json", "joints", 0));
    assert_value("info later.json --json", "joints", whole);
    assert_true(file_exists("later.csv"));
}

/* what is restored goes on in steps as the saved run had */
static void what_is_restored_keeps_its_rates(void **state)
{
    (void)state;
    char whole[64];
    snprintf(whole, sizeof whole, "%s",
             value_of("run grid:3 --steps 12 --hertz 93 --substeps 7 --json", "state_hash", 0));
    expect("run grid:3 --steps 5 --hertz 93 --substeps 7 --quiet --save rates.snapshot", 0, NULL);
    assert_value("run --restore rates.snapshot --steps 7 --json", "state_hash", whole);
    assert_value("run --restore rates.snapshot --steps 7 --json", "substeps", "7,");
    assert_value("run --restore rates.snapshot --steps 7 --substeps 2 --json", "substeps", "2,");
    expect("run grid:3 --steps 0 --quiet --save none.snapshot", 0, NULL);
    assert_value("run --restore none.snapshot --steps 1 --json", "substeps", "4,");
}

/* --sleep and --no-sleep change a restored world, too; without them it sleeps on, with the bits that it had */
static void what_is_restored_sleeps_as_it_is_told(void **state)
{
    (void)state;
    expect("run tower:3 --seconds 2 --quiet --save asleep.snapshot", 0, NULL);
    assert_value("run --restore asleep.snapshot --steps 0 --json", "sleeping_bodies", "7,");
    assert_value("run --restore asleep.snapshot --steps 5 --json", "sleeping_bodies", "7,");
    char whole[256];
    snprintf(whole, sizeof whole, "%s", value_of("run tower:3 --steps 125 --json", "state_hash", 0));
    assert_value("run --restore asleep.snapshot --steps 5 --json", "state_hash", whole);
    assert_value("run --restore asleep.snapshot --steps 5 --sleep --json", "sleeping_bodies", "7,");
    assert_value("run --restore asleep.snapshot --steps 5 --no-sleep --json", "sleeping_bodies", "0,");
    expect("run tower:3 --seconds 2 --no-sleep --quiet --save awake.snapshot", 0, NULL);
    assert_value("run --restore awake.snapshot --seconds 2 --json", "sleeping_bodies", "0,");
    assert_value("run --restore awake.snapshot --seconds 2 --sleep --json", "sleeping_bodies", "7,");
}

static void a_run_goes_on_from_its_snapshot(void **state)
{
    (void)state;
    goes_on("grid:8");
    goes_on("rain:20");
    goes_on("ragdolls3d:2");
}

static void replays(const char *scene, const char *dimension)
{
    char arguments[256], hash[256];
    snprintf(arguments, sizeof arguments, "run %s --steps 30 --json --record run.log", scene);
    snprintf(hash, sizeof hash, "%s", value_of(arguments, "state_hash", 0));
    assert_value("replay run.log --json", "state_hash", hash);
    assert_value("replay run.log --json", "dimension", dimension);
    assert_value("replay run.log --isa scalar --threads 3 --json", "state_hash", hash);
    assert_value("replay run.log --json", "difference", "null,");
    assert_value("replay run.log --json", "steps", "30,");
    assert_value("replay run.log --json", "cut_off", "false,");
    /* in two parts: up to a step, and on from there as a run */
    assert_value("replay run.log --until 12 --save part.snapshot --json", "steps", "12,");
    assert_value("run --restore part.snapshot --steps 18 --json", "state_hash", hash);
    expect("replay run.log --until 31", 1, "there is no step 31; the log has 30");
    outcome o = run("replay run.log --list");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "        30  step of 0.0166666667 s in 4, "));
    assert_non_null(strstr(o.out, "the end, "));
    outcome_free(&o);
    /* a run that goes on is recorded, too */
    expect("run --restore part.snapshot --steps 18 --quiet --record rest.log", 0, NULL);
    assert_value("replay rest.log --json", "state_hash", hash);
}

static void a_recorded_run_is_replayed(void **state)
{
    (void)state;
    replays("grid:8", "2,");
    replays("rain:20", "2,");
    replays("ragdolls3d:2", "3,");
}

static void write_whole(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

static void what_differs_is_said(void **state)
{
    (void)state;
    size_t size = 0;
    expect("run grid:4 --steps 10 --quiet --record good.log", 0, NULL);
    char *log = read_whole("good.log", &size);
    assert_non_null(log);

    /* a whole log, less its end */
    write_whole("cut.log", log, size - 10);
    assert_value("replay cut.log --json", "cut_off", "true,");
    assert_value("replay cut.log --json", "steps", "10,");
    /* nothing can be made of less than the state that it begins with, and nothing is written */
    write_whole("begin.log", log, 200);
    expect("replay begin.log --save begin.snapshot", 1, "cut off within the state");
    assert_false(file_exists("begin.snapshot"));
    /* the fifth step's hash is changed: of the chunk before the sixth step, which begins with what the fifth gave */
    size_t at = tr_log_start(log);
    tr_log_chunk chunk;
    for (uint32_t index = 0;; index++) {
        memcpy(&chunk, log + at, sizeof chunk);
        if (index == 6) {
            break;
        }
        at += sizeof chunk + (size_t)chunk.size;
    }
    char *content = log + at + sizeof chunk;
    content[8] ^= 1;
    write_whole("damaged.log", log, size);
    expect("replay damaged.log", 1, "is damaged behind its byte");
    chunk = tr_log_chunk_of(6, content, (size_t)chunk.size);
    memcpy(log + at, &chunk, sizeof chunk);
    write_whole("other.log", log, size);
    outcome o = run("replay other.log");
    assert_int_equal(o.code, 4);
    assert_non_null(strstr(o.out, "step 5: bodies have other bits"));
    outcome_free(&o);
    free(log);
}

static void mistakes_name_the_culprit(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        int code;
        const char *phrase;
    } cases[] = {
        {"replay", 2, "which log?"},
        {"replay a b", 2, "'b' is one too many"},
        {"replay a --list --json", 2, "one of them"},
        {"replay a --until x", 2, "'x'"},
        {"replay a --isa mmx", 2, "'mmx'"},
        {"replay a --thread 2000", 2, "2000"},
        {"replay a --utnil 3", 2, "(did you mean --until?)"},
        {"replay nothing.log", 1, "nothing.log: No such file"},
        {"replay a --save no/such/folder/x", 1, "no/such/folder"},
        {"repaly a", 2, "(did you mean replay?)"},
        {"run grid:3 --restore a", 2, "'grid:3' is one too many"},
        {"run --restore nothing.snapshot", 1, "nothing.snapshot: No such file"},
        {"run grid:3 --save-at 3", 2, "there is no --save"},
        {"run grid:3 --steps 5 --save a --save-at 6", 2, "there is no step 6; the run has 5"},
        {"run grid:3 --save a --save b", 2, "'a' and 'b'"},
        {"run grid:3 --save a --scene a", 2, "'a' is to be written twice"},
        {"run grid:3 --save no/such/folder/x", 1, "no/such/folder"},
        {"run grid:3 --record no/such/folder/x", 1, "no/such/folder"},
        {"run grid:3 --scene no/such/folder/x", 1, "no/such/folder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(cases[i].arguments, cases[i].code, cases[i].phrase);
    }
    write_whole("text.log", "this is no log of calls, and no snapshot of a world either", 58);
    expect("replay text.log", 1, "text.log: after step 0: world_replay: replay.log is no log of calls");
    expect("run --restore text.log", 1, "text.log: world_restore: memory is no snapshot");
    expect("run grid:3 --steps 1 --quiet --save 3.snapshot --record 3.log", 0, NULL);
    expect("run --restore 3.log", 1, "3.log: world_restore: memory is no snapshot");
    expect("replay 3.snapshot", 1, "is no log of calls");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_restored_sleeps_as_it_is_told),
        cmocka_unit_test(a_run_goes_on_from_its_snapshot),
        cmocka_unit_test(what_is_restored_keeps_its_rates),
        cmocka_unit_test(a_recorded_run_is_replayed),
        cmocka_unit_test(what_differs_is_said),
        cmocka_unit_test(mistakes_name_the_culprit),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* without the program, or files, there is nothing to test */

int main(void)
{
    return 0;
}

#endif
