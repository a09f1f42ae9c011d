/*
 * The team of workers: every chunk once, stages in order, whatever runs the workers.
 *
 * Chunks hand each other plain data (not atomics) from stage to stage, so a run under the thread sanitizer proves the
 * memory order too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "team_hosts.h"

/*
 * A relay: each chunk adds up what all chunks of the stage before wrote and writes its own number from that. One chunk
 * too early, left out or not seen, and every later number is wrong.
 */
#define RELAY_STAGES     40
#define RELAY_MAX_CHUNKS 48

typedef struct relay_stage {
    uint32_t chunk_count;
    uint64_t numbers[RELAY_MAX_CHUNKS];
    _Atomic uint32_t runs[RELAY_MAX_CHUNKS];
    const struct relay_stage *before; /* the last one with chunks, or null */
} relay_stage;

typedef struct relay {
    uint32_t workers;
    _Atomic uint32_t strange_workers;
    relay_stage stages[RELAY_STAGES];
    tr_pipeline_stage pipeline[RELAY_STAGES];
} relay;

static uint64_t relay_number(const relay_stage *stage, uint32_t chunk)
{
    uint64_t sum = chunk + 1;
    if (stage->before != NULL) {
        for (uint32_t i = 0; i < stage->before->chunk_count; i++)
            sum += stage->before->numbers[i] * (i + 1);
    }
    return sum * 0x9e3779b97f4a7c15u;
}

static void run_relay_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    relay *r = context;
    relay_stage *stage = &r->stages[(const relay_stage *)stage_data - r->stages];
    if (worker >= r->workers)
        atomic_fetch_add_explicit(&r->strange_workers, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&stage->runs[chunk], 1, memory_order_relaxed);
    stage->numbers[chunk] = relay_number(stage, chunk);
}

static void prepare_relay(relay *r, uint32_t workers)
{
    /* none, one, fewer than workers, many; two empty ones in a row, and empty ones at both ends */
    static const uint32_t counts[] = {0, 1, 2, 5, 0, 0, 16, 3, 48, 1, 1, 33, 4};
    memset(r, 0, sizeof *r);
    r->workers = workers;
    const relay_stage *before = NULL;
    for (uint32_t s = 0; s < RELAY_STAGES; s++) {
        relay_stage *stage = &r->stages[s];
        stage->chunk_count = counts[s % (sizeof counts / sizeof counts[0])];
        stage->before = before;
        if (stage->chunk_count > 0)
            before = stage;
        r->pipeline[s] =
            (tr_pipeline_stage){run_relay_chunk, stage, stage->chunk_count, s % TR_PIPELINE_LABELS, s % 3 == 0, 0};
    }
}

static void check_relay(const relay *r)
{
    assert_int_equal(atomic_load(&r->strange_workers), 0);
    for (uint32_t s = 0; s < RELAY_STAGES; s++) {
        const relay_stage *stage = &r->stages[s];
        for (uint32_t i = 0; i < stage->chunk_count; i++) {
            assert_int_equal(atomic_load(&stage->runs[i]), 1);
            assert_true(stage->numbers[i] == relay_number(stage, i));
        }
    }
}

static void every_chunk_runs_once_and_after_the_stage_before(void **state)
{
    (void)state;
    static relay r;
    static const uint32_t worker_counts[] = {1, 2, 3, 4, 7, 16};
    for (size_t h = FIRST_HOST; h < HOST_COUNT; h++) {
        for (size_t w = 0; w < sizeof worker_counts / sizeof worker_counts[0]; w++) {
            tr_team *team = new_team(worker_counts[w], hosts[h].host, RELAY_STAGES);
            for (int repeat = 0; repeat < 20; repeat++) {
                prepare_relay(&r, worker_counts[w]);
                tr_team_run(team, r.pipeline, RELAY_STAGES, worker_counts[w], &r, NULL);
                check_relay(&r);
            }
            tr_team_destroy(team);
        }
    }
}

static void workers_may_change_from_run_to_run(void **state)
{
    (void)state;
    static relay r;
    tr_team *team = new_team(7, MAIN_HOST, RELAY_STAGES);
    static const uint32_t worker_counts[] = {7, 2, 1, 5, 3, 100};
    for (int i = 0; i < 60; i++) {
        uint32_t workers = worker_counts[i % 6];
        prepare_relay(&r, workers < 7 ? workers : 7);
        tr_team_run(team, r.pipeline, RELAY_STAGES, workers, &r, NULL);
        check_relay(&r);
    }
    tr_team_destroy(team);
}

static void stage_numbers_survive_running_out(void **state)
{
    (void)state;
    static relay r;
    for (uint32_t left = RELAY_STAGES - 2; left <= 3 * RELAY_STAGES; left += RELAY_STAGES / 2 - 1) {
        tr_team *team = new_team(4, hosts[1].host, RELAY_STAGES);
        tr_team_set_sequence(team, UINT32_MAX - left);
        for (int repeat = 0; repeat < 5; repeat++) {
            prepare_relay(&r, 4);
            tr_team_run(team, r.pipeline, RELAY_STAGES, 4, &r, NULL);
            check_relay(&r);
        }
        tr_team_destroy(team);
    }
}

/* teams of different worlds run at once */
static void *run_own_team(void *argument)
{
    relay *r = argument;
    tr_memory own;
    tr_memory_init(&own, (tr_allocator){0});
    tr_team *team = NULL;
    if (tr_team_create(&own, 2, MAIN_HOST, &team) != TR_OK || tr_team_reserve(team, RELAY_STAGES, 64) != TR_OK)
        abort();
    for (int repeat = 0; repeat < 30; repeat++) {
        prepare_relay(r, 2);
        tr_team_run(team, r->pipeline, RELAY_STAGES, 2, r, NULL);
    }
    tr_team_destroy(team);
    return NULL;
}

static void teams_run_at_once(void **state)
{
    (void)state;
    static relay relays[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_own_team, &relays[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        check_relay(&relays[i]);
}

/* more chunks than a slice can number in 16 bits */
static void count_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    uint8_t *runs = context;
    runs[chunk]++;
}

static void a_stage_may_have_very_many_chunks(void **state)
{
    (void)state;
    static const uint32_t counts[] = {65535, 65536, 131070, 131071, 400001};
    tr_team *team = new_team(2, MAIN_HOST, 1);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint8_t *runs = calloc(counts[i], 1);
        assert_non_null(runs);
        tr_pipeline_stage stage = {count_chunk, NULL, counts[i], 0, i % 2 != 0, 0};
        tr_pipeline_report report;
        tr_team_run(team, &stage, 1, 2, runs, &report);
        assert_int_equal(report.chunks, counts[i]);
        for (uint32_t c = 0; c < counts[i]; c++)
            assert_int_equal(runs[c], 1);
        free(runs);
    }
    tr_team_destroy(team);
}

/* this same program, started anew with OMP_THREAD_LIMIT=2: four workers are asked for, two come */
static int run_limited(void)
{
    static relay r;
    tr_team *team = NULL;
    tr_memory_init(&memory, (tr_allocator){0});
    if (tr_team_create(&memory, 4, (tr_host){0}, &team) != TR_OK || tr_team_reserve(team, RELAY_STAGES, 64) != TR_OK)
        return 1;
    prepare_relay(&r, 4);
    tr_team_run(team, r.pipeline, RELAY_STAGES, 4, &r, NULL);
    tr_team_destroy(team);
    for (uint32_t s = 0; s < RELAY_STAGES; s++) {
        for (uint32_t i = 0; i < r.stages[s].chunk_count; i++) {
            if (atomic_load(&r.stages[s].runs[i]) != 1 || r.stages[s].numbers[i] != relay_number(&r.stages[s], i))
                return 1;
        }
    }
    return 0;
}

static void fewer_openmp_threads_than_asked_for_do_all_the_work(void **state)
{
    (void)state;
    if (FIRST_HOST != 0)
        skip();
    static const char *const limits[] = {"1", "2", "3"};
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setenv("OMP_THREAD_LIMIT", limits[i], 1);
            setenv("KMP_WARNINGS", "0", 1);
            execl("/proc/self/exe", "test_team", "limited", (char *)NULL);
            _exit(2);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/*
 * Reports
 */
static void run_waiting_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)context;
    (void)chunk;
    (void)worker;
    tr_thread_sleep(*(const uint32_t *)stage_data);
}

/* label 3 holds 6 ms of waiting at the least, label 0 as much, and nothing else is run. whether both were seen to take
   that long: a worker that is held up before it reads the clock moves time from one to the next. */
static bool check_report(tr_host host, uint32_t workers)
{
    static const uint32_t two_ms = 2000, six_ms = 6000;
    const tr_pipeline_stage pipeline[] = {
        {run_waiting_chunk, &two_ms, 1, 3, false, 0}, {run_waiting_chunk, &two_ms, 0, 5, false, 0},
        {run_waiting_chunk, &two_ms, 2, 3, false, 0}, {run_waiting_chunk, &six_ms, 2, 0, false, 0},
        {run_waiting_chunk, &two_ms, 4, 3, false, 0}, {run_waiting_chunk, &two_ms, 0, 0, false, 0},
    };
    tr_team *team = new_team(workers, host, 6);
    tr_pipeline_report report;
    double start = tr_clock_seconds();
    tr_team_run(team, pipeline, 6, workers, NULL, &report);
    double seconds = tr_clock_seconds() - start;
    tr_team_destroy(team);

    double sum = 0.0;
    for (int i = 0; i < TR_PIPELINE_LABELS; i++) {
        assert_true(report.seconds[i] >= 0.0);
        sum += report.seconds[i];
    }
    assert_true(sum >= 0.012);
    assert_true(sum <= seconds);
    assert_true(report.held >= 0.0 && report.held <= seconds && (workers > 1 || report.held == 0.0));
    assert_true(sum - report.seconds[3] - report.seconds[0] < 1e-12);
    assert_int_equal(report.chunks, 9);
    assert_int_equal(report.barriers, workers > 1 ? 4 : 0);
    return report.seconds[3] >= 0.006 && report.seconds[0] >= 0.006;
}

static void the_report_adds_up(void **state)
{
    (void)state;
    for (size_t h = FIRST_HOST; h < HOST_COUNT; h++) {
        for (uint32_t workers = 1; workers <= 4; workers++) {
            int tries = 0;
            while (!check_report(hosts[h].host, workers))
                assert_true(++tries < 5);
        }
    }
}

/* of two chunks one takes 20 ms: where two workers have them, one of these waits for the other */
static void who_waits_for_a_worker_is_held(void **state)
{
    (void)state;
    static const uint32_t nothing = 0, twenty_ms = 20000;
    const tr_pipeline_stage pipeline[] = {{run_waiting_chunk, &nothing, 2, 0, false, 0},
                                          {run_waiting_chunk, &twenty_ms, 1, 0, false, 0}};
    tr_team *team = new_team(2, MAIN_HOST, 2);
    tr_pipeline_report report = {.held = 0.0};
    /* a thread that comes late has nobody wait for it */
    for (int tries = 0; report.held < 0.01; tries++) {
        assert_true(tries < 50);
        tr_team_run(team, pipeline, 2, 2, NULL, &report);
    }
    tr_team_destroy(team);
}

typedef struct order_log {
    uint32_t chunks[100], count;
} order_log;

static void note_order(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    order_log *log = context;
    (void)data;
    (void)worker;
    log->chunks[log->count++] = chunk;
}

static void a_backward_stage_begins_with_its_last_chunk(void **state)
{
    (void)state;
    tr_team *team = new_team(1, MAIN_HOST, 2);
    const tr_pipeline_stage pipeline[] = {{note_order, NULL, 50, 0, false, 0}, {note_order, NULL, 50, 0, true, 0}};
    order_log log = {.count = 0};
    tr_team_run(team, pipeline, 2, 1, &log, NULL);
    assert_int_equal(log.count, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(log.chunks[i], i < 50 ? i : 99 - i);
    tr_team_destroy(team);
}

/* Stages 2 to 6 are optional, and among them once more 4 to 6; 1 and 3 ask. */
enum { OPTION_STAGES = 8 };
static const uint32_t option_chunks[OPTION_STAGES] = {8, 0, 16, 0, 3, 0, 33, 5};

typedef struct option_log {
    _Atomic uint32_t runs[OPTION_STAGES], too_early;
    uint32_t wanted; /* so often somebody asks */
} option_log;

static bool asks_for_more(const void *context)
{
    const option_log *log = context;
    return log->wanted > (log->runs[2] > 0 ? 1u : 0u);
}

static void run_option_chunk(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    option_log *log = context;
    const uint32_t stage = (uint32_t)((const uint32_t *)data - option_chunks);
    (void)chunk;
    (void)worker;
    atomic_fetch_add_explicit(&log->runs[stage], 1, memory_order_relaxed);
    for (uint32_t s = 0; s < stage; s++) {
        const uint32_t runs = atomic_load_explicit(&log->runs[s], memory_order_relaxed);
        if (runs != option_chunks[s] && (stage != OPTION_STAGES - 1 || runs != 0))
            atomic_fetch_add_explicit(&log->too_early, 1, memory_order_relaxed);
    }
}

static void nobody_waits_for_what_is_left_out(void **state)
{
    (void)state;
    static const uint32_t worker_counts[] = {1, 2, 4, 16};
    static const tr_pipeline_question question = {asks_for_more};
    tr_pipeline_stage pipeline[OPTION_STAGES];
    for (uint32_t s = 0; s < OPTION_STAGES; s++)
        pipeline[s] = (tr_pipeline_stage){run_option_chunk, &option_chunks[s], option_chunks[s], s % 3, false, 0};
    pipeline[1] = (tr_pipeline_stage){NULL, &question, 1, 1, false, 5};
    pipeline[3] = (tr_pipeline_stage){NULL, &question, 1, 0, false, 3};
    for (size_t h = FIRST_HOST; h < HOST_COUNT; h++) {
        for (size_t w = 0; w < sizeof worker_counts / sizeof worker_counts[0]; w++) {
            tr_team *team = new_team(worker_counts[w], hosts[h].host, OPTION_STAGES);
            for (uint32_t repeat = 0; repeat < 60; repeat++) {
                option_log log = {.wanted = repeat % 3};
                tr_pipeline_report report;
                uint32_t chunks = log.wanted > 0 ? 2 : 1, stages = chunks; /* that ask */
                tr_team_run(team, pipeline, OPTION_STAGES, worker_counts[w], &log, &report);
                for (uint32_t s = 0; s < OPTION_STAGES; s++) {
                    const bool out = (s >= 2 && s <= 6 && log.wanted == 0) || (s >= 4 && s <= 6 && log.wanted == 1);
                    assert_int_equal(log.runs[s], out ? 0 : option_chunks[s]);
                    chunks += log.runs[s];
                    stages += log.runs[s] > 0;
                }
                assert_int_equal(log.too_early, 0);
                assert_int_equal(report.chunks, chunks);
                assert_int_equal(report.barriers, worker_counts[w] > 1 ? stages : 0);
                for (uint32_t i = 0; i < TR_PIPELINE_LABELS; i++)
                    assert_true(report.seconds[i] >= 0.0);
            }
            tr_team_destroy(team);
        }
    }
}

static void an_empty_pipeline_is_fine(void **state)
{
    (void)state;
    tr_team *team = new_team(2, MAIN_HOST, 4);
    const tr_pipeline_stage empty[2] = {{run_empty_chunk, NULL, 0, 0, false, 0},
                                        {run_empty_chunk, NULL, 0, 1, false, 0}};
    tr_pipeline_report report;
    tr_team_run(team, NULL, 0, 2, NULL, &report);
    assert_int_equal(report.chunks, 0);
    tr_team_run(team, empty, 2, 2, NULL, &report);
    assert_int_equal(report.chunks, 0);
    assert_int_equal(report.barriers, 0);
    for (int i = 0; i < TR_PIPELINE_LABELS; i++)
        assert_true(report.seconds[i] == 0.0);
    tr_team_destroy(team);
}

/*
 * Errors
 */
static uint32_t allocations_left;

static void *allocate_some(size_t size, size_t alignment, void *context)
{
    (void)context;
    if (allocations_left == 0)
        return NULL;
    allocations_left--;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_some(void *block, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(block);
}

static void a_team_without_memory_is_as_before(void **state)
{
    (void)state;
    static relay r;
    tr_memory_init(&memory, (tr_allocator){allocate_some, release_some, NULL});
    tr_team *const nobody = (tr_team *)&r;
    tr_team *team = nobody;
    for (uint32_t i = 0; i < 2; i++) {
        allocations_left = i;
        assert_int_equal(tr_team_create(&memory, 3, hosts[1].host, &team), TR_ERROR_MEMORY);
        assert_ptr_equal(team, nobody);
        assert_int_equal(memory.bytes, 0);
    }
    allocations_left = 2;
    assert_int_equal(tr_team_create(&memory, 3, hosts[1].host, &team), TR_OK);
    allocations_left = 2;
    assert_int_equal(tr_team_reserve(team, RELAY_STAGES, 64), TR_OK);
    size_t held = memory.bytes;
    for (uint32_t i = 0; i < 2; i++) {
        allocations_left = i;
        assert_int_equal(tr_team_reserve(team, 10000, 64), TR_ERROR_MEMORY);
        assert_int_equal(memory.bytes, held);
    }

    /* what was reserved still runs, and running allocates nothing */
    allocations_left = 0;
    prepare_relay(&r, 3);
    tr_team_run(team, r.pipeline, RELAY_STAGES, 3, &r, NULL);
    check_relay(&r);
    tr_team_destroy(team);
    assert_int_equal(memory.bytes, 0);
}

static void bad_arguments_have_a_status(void **state)
{
    (void)state;
    tr_team *team = NULL;
    assert_int_equal(tr_team_create(NULL, 1, (tr_host){0}, &team), TR_ERROR_NULL);
    assert_int_equal(tr_team_create(&memory, 1, (tr_host){0}, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_team_create(&memory, TR_TEAM_MAX_THREADS + 1, (tr_host){0}, &team), TR_ERROR_RANGE);
    assert_null(team);
    team = new_team(2, hosts[1].host, 0);
    assert_int_equal(tr_team_reserve(NULL, 1, 1), TR_ERROR_NULL);
    assert_int_equal(tr_team_reserve(team, UINT32_MAX, 1), TR_ERROR_LIMIT);
    assert_int_equal(tr_team_reserve(team, 1, UINT32_MAX), TR_ERROR_LIMIT);
    tr_team_destroy(team);
    tr_team_destroy(NULL);
}

static void a_pipeline_that_was_not_reserved_runs_in_place(void **state)
{
    (void)state;
    static relay r;
    tr_team *team = new_team(3, hosts[1].host, RELAY_STAGES - 1);
    tr_pipeline_report report;
    prepare_relay(&r, 1);
    tr_team_run(team, r.pipeline, RELAY_STAGES, 3, &r, &report);
    check_relay(&r);
    assert_int_equal(report.barriers, 0);
    tr_team_destroy(team);
}

static void zero_threads_are_the_physical_cores(void **state)
{
    (void)state;
    tr_team *team = new_team(0, hosts[1].host, 1);
    assert_int_equal(tr_team_threads(team), tr_physical_cores());
    tr_team_destroy(team);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "limited") == 0)
        return run_limited();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_chunk_runs_once_and_after_the_stage_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(workers_may_change_from_run_to_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stage_numbers_survive_running_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(teams_run_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stage_may_have_very_many_chunks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fewer_openmp_threads_than_asked_for_do_all_the_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_backward_stage_begins_with_its_last_chunk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_report_adds_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_waits_for_a_worker_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_waits_for_what_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_pipeline_is_fine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_team_without_memory_is_as_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_arguments_have_a_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pipeline_that_was_not_reserved_runs_in_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zero_threads_are_the_physical_cores, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
