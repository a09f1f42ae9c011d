/* Logs in files: what a program leaves that is killed, or whose disk is full, before the journal of its log has been emptied and afterwards. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "recorded.h"

#define PATH "recording_files.tmp"

enum { STEPS = 40, MANY = 3000 };

/* with many edits the journal is full after some steps */
static void play(tr2_world *world, uint32_t step, uint32_t edits)
{
    tr2_body_view bodies = tr2_world_bodies(world);
    for (uint32_t i = 0; i < edits; i++)
        walk_ok(world, tr2_body_set_user_data(world, bodies.id[i % bodies.count], i + step));
    (void)walk_step(world, step, 1, NULL);
}

/* Makes steps in a process of its own, which then kills itself in the middle of an edit; or, with a limit of the size of
   its files, goes on until the recording has ended, and says after how many steps. */
static uint32_t record_and_end(uint32_t steps, uint32_t edits, rlim_t most)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tr2_world *world = walk_world("grid", 3);
        const struct rlimit limit = {most, most};
        tr_error error;
        uint32_t i = 0;
        if (most > 0 && (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || setrlimit(RLIMIT_FSIZE, &limit) != 0))
            _exit(254);
        if (tr2_world_record_file(world, PATH, &error) != TR_OK)
            _exit(255);
        for (; i < steps && tr2_world_is_recording(world); i++)
            play(world, i, edits);
        if (most == 0) {
            walk_ok(world, tr2_world_set_gravity(world, (tr_vec2){0}));
            kill(getpid(), SIGKILL);
        }
        _exit(tr2_world_stop_recording(world) == TR_ERROR_FILE ? (int)i : 253);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    if (most == 0) {
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        return steps;
    }
    assert_true(WIFEXITED(status));
    return (uint32_t)WEXITSTATUS(status);
}

static memory_log read_log(void)
{
    memory_log log = {0};
    FILE *file = fopen(PATH, "rb");
    assert_non_null(file);
    log.capacity = 4u << 20;
    log.bytes = malloc(log.capacity);
    assert_non_null(log.bytes);
    log.size = fread(log.bytes, 1, log.capacity, file);
    assert_true(log.size < log.capacity);
    fclose(file);
    return log;
}

/* how many steps a log has that is cut off; the last one is the one in which the program ended. Less than the state that
   it begins with is refused: none. */
static uint64_t steps_of(const memory_log *log, size_t size)
{
    tr2_world *world = log_world(1);
    tr_replay replay = tr_replay_of(log->bytes, size);
    tr_replay_record record;
    bool unfinished = false;
    for (;;) {
        tr_status status = tr2_world_replay(world, &replay, &record);
        assert_true(status == TR_OK || (status == TR_ERROR_PARSE && !replay.begun));
        if (status != TR_OK || record.kind == TR_REPLAY_CUT_OFF)
            break;
        assert_true(record.kind != TR_REPLAY_END && !unfinished);
        unfinished = record.unfinished;
    }
    tr2_world_destroy(world);
    return replay.steps;
}

static void a_killed_program_loses_no_step(void **state)
{
    (void)state;
    const uint32_t edits[] = {0, 100, MANY};
    for (uint32_t i = 0; i < 3; i++) {
        record_and_end(STEPS, edits[i], 0);
        memory_log log = read_log();
        assert_int_equal(steps_of(&log, log.size), STEPS);
        size_t start = tr_log_start(log.bytes);
        assert_true(start > sizeof(tr_log_header));
        assert_true(edits[i] < MANY ? log.size == start : log.size > 2 * start);
        /* a copy that is cut off, too: in the chunks, at their beginning, in the journal */
        if (log.size > start)
            assert_true(steps_of(&log, log.size - 100) < STEPS);
        assert_true(steps_of(&log, start) <= STEPS);
        assert_int_equal(steps_of(&log, sizeof(tr_log_header)), 0);
        assert_int_equal(steps_of(&log, sizeof(tr_log_header) + 10), 0);
        /* what is wrong in the journal ends the log */
        uint64_t before = STEPS + 1;
        for (uint32_t k = 12; k > 0 && log.size == start; k--) {
            log.bytes[sizeof(tr_log_header) + 4000 * k] ^= 1;
            uint64_t steps = steps_of(&log, log.size);
            assert_true(steps <= before);
            before = steps;
        }
        log_free(&log);
    }
    remove(PATH);
}

static void a_full_disk_loses_no_step(void **state)
{
    (void)state;
    for (rlim_t most = 300000; most < 1500000; most += 170000) {
        uint32_t steps = record_and_end(200, MANY, most);
        memory_log log = read_log();
        assert_true(steps < 200);
        /* the step before which the disk was full is in the log no more */
        assert_int_equal(steps_of(&log, log.size), steps - 1);
        log_free(&log);
    }
    /* no place for the journal */
    assert_int_equal(record_and_end(200, MANY, 100000), 255);
    remove(PATH);
}

/* A log that ends has nothing in its journal; a new one in its place leaves the old one to whom it belongs. */
static void a_file_is_made_anew(void **state)
{
    (void)state;
    tr2_world *world = walk_world("grid", 3), *other = walk_world("grid", 2), *again = log_world(1);
    tr_error error;
    walk_ok(world, tr2_world_record_file(world, PATH, &error));
    play(world, 0, 10);
    walk_ok(other, tr2_world_record_file(other, PATH, &error));
    play(world, 1, MANY);
    walk_ok(world, tr2_world_stop_recording(world));
    play(other, 0, 10);
    walk_ok(other, tr2_world_stop_recording(other));
    memory_log log = read_log();
    log_play(&log, again, NULL);
    assert_true(walk_hash(again) == walk_hash(other));
    for (size_t at = sizeof(tr_log_header); at < tr_log_start(log.bytes); at++)
        assert_int_equal(log.bytes[at], 0);
    log_free(&log);
    tr2_world_destroy(world);
    tr2_world_destroy(other);
    tr2_world_destroy(again);
    remove(PATH);
}

/* A pipe gets the log as it comes. */
static void a_pipe_has_no_journal(void **state)
{
    (void)state;
    int ends[2];
    char path[64];
    tr_error error;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    tr2_world *world = walk_world("grid", 2), *again = log_world(1);
    walk_ok(world, tr2_world_record_file(world, path, &error));
    play(world, 0, 3);
    walk_ok(world, tr2_world_stop_recording(world));
    close(ends[1]);
    memory_log log = {.bytes = malloc(1u << 16), .capacity = 1u << 16};
    for (ssize_t more = 1; more > 0; log.size += (size_t)more)
        more = read(ends[0], log.bytes + log.size, log.capacity - log.size);
    close(ends[0]);
    log_play(&log, again, NULL);
    assert_int_equal(tr_log_start(log.bytes), sizeof(tr_log_header));
    log_free(&log);
    tr2_world_destroy(world);
    tr2_world_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_program_loses_no_step),
        cmocka_unit_test(a_full_disk_loses_no_step),
        cmocka_unit_test(a_file_is_made_anew),
        cmocka_unit_test(a_pipe_has_no_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
