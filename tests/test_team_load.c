/*
 * The team of workers on a machine that it does not have to itself: late workers, held-up workers, more threads than
 * cores, cores that others use. `test_team_load cost` prints what a stage costs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
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
#include "trammel/trammel.h"
#include "weightless.h"

/*
 * Late workers
 */
static void spin_for(double seconds)
{
    double end = tr_clock_seconds() + seconds;
    while (tr_clock_seconds() < end)
        ;
}

typedef struct lateness {
    _Atomic uint32_t done;
    _Atomic uint32_t by_late_worker;
    uint32_t late_worker;
    uint32_t total;
    double last_done; /* written by the chunk that is the last */
} lateness;

static void run_lateness_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)chunk;
    lateness *l = context;
    spin_for(20e-6);
    if (worker == l->late_worker)
        atomic_fetch_add(&l->by_late_worker, 1);
    if (atomic_fetch_add(&l->done, 1) + 1 == l->total)
        l->last_done = tr_clock_seconds();
}

static void a_worker_that_starts_late_delays_no_stage(void **state)
{
    (void)state;
    enum { stages = 50, chunks = 8 };
    tr_pipeline_stage pipeline[stages];
    for (int s = 0; s < stages; s++)
        pipeline[s] = (tr_pipeline_stage){run_lateness_chunk, NULL, chunks, 0, false, 0};

    /* all of it is 8 ms of work, the delay is 25 times that, so a busy machine does not blur the two */
    for (uint32_t late = 0; late < 3; late++) {
        pthread_host host = {0, late, 200000};
        tr_team *team = new_team(3, (tr_host){run_on_pthreads, &host}, stages);
        lateness l = {.late_worker = late, .total = stages * chunks};
        double start = tr_clock_seconds();
        tr_team_run(team, pipeline, stages, 3, &l, NULL);
        print_message("worker %u starts 200 ms late: last chunk done after %.1f ms\n", late,
                      1e3 * (l.last_done - start));
        assert_int_equal(atomic_load(&l.done), stages * chunks);
        assert_int_equal(atomic_load(&l.by_late_worker), 0);
        assert_true(l.last_done - start < 0.2);
        tr_team_destroy(team);
    }
}

/* the chunk of that number does not end before all others have: they must be done by the other workers */
typedef struct hostage {
    _Atomic uint32_t done;
    uint32_t chunk;
    uint32_t others;
    bool freed;
} hostage;

static void run_hostage_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    hostage *h = context;
    if (chunk != h->chunk) {
        atomic_fetch_add_explicit(&h->done, 1, memory_order_relaxed);
        return;
    }
    double end = tr_clock_seconds() + 10.0;
    while (atomic_load_explicit(&h->done, memory_order_relaxed) < h->others && tr_clock_seconds() < end)
        tr_thread_yield();
    h->freed = atomic_load_explicit(&h->done, memory_order_relaxed) == h->others;
}

static void a_worker_that_is_held_up_holds_up_one_chunk(void **state)
{
    (void)state;
    for (uint32_t workers = 2; workers <= 4; workers++) {
        tr_team *team = new_team(workers, hosts[1].host, 1);
        for (uint32_t chunk = 0; chunk < 24; chunk++) {
            hostage h = {.chunk = chunk, .others = 23};
            tr_pipeline_stage stage = {run_hostage_chunk, NULL, 24, 0, false, 0};
            tr_team_run(team, &stage, 1, workers, &h, NULL);
            assert_true(h.freed);
        }
        tr_team_destroy(team);
    }
}

/* in an even pipeline, left alone, the same chunks go to the same worker. a fifth may stray: the machine may be busy.
 */
typedef struct homes {
    uint32_t last[64];
    _Atomic uint32_t visits, strays;
} homes;

static void run_home_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    homes *h = context;
    atomic_fetch_add_explicit(&h->visits, 1, memory_order_relaxed);
    if (h->last[chunk] != worker)
        atomic_fetch_add_explicit(&h->strays, 1, memory_order_relaxed);
    h->last[chunk] = worker;
    spin_for(2e-6);
}

static void chunks_stay_with_their_worker(void **state)
{
    (void)state;
    enum { stages = 500 };
    static tr_pipeline_stage pipeline[stages];
    for (int s = 0; s < stages; s++)
        pipeline[s] = (tr_pipeline_stage){run_home_chunk, NULL, 16, 0, s % 2 != 0, 0};
    if (tr_physical_cores() < 2)
        skip();
    tr_team *team = new_team(2, MAIN_HOST, stages);
    double best = 1.0;
    for (int repeat = 0; repeat < 20; repeat++) {
        homes h = {0};
        tr_team_run(team, pipeline, stages, 2, &h, NULL);
        double share = (double)atomic_load(&h.strays) / (double)atomic_load(&h.visits);
        best = share < best ? share : best;
    }
    tr_team_destroy(team);
    print_message("chunks that changed worker: %.2f %%\n", 100.0 * best);
    assert_true(best < 0.2);
}

/*
 * More threads than cores, and cores that others use
 */
static void more_threads_than_cores_do_not_hang(void **state)
{
    (void)state;
    enum { stages = 20000 };
    static tr_pipeline_stage pipeline[stages];
    for (int s = 0; s < stages; s++)
        pipeline[s] = (tr_pipeline_stage){run_empty_chunk, NULL, 16, 0, false, 0};
    static const uint32_t worker_counts[] = {4, 16};
    for (size_t h = FIRST_HOST; h < 2; h++) {
        for (size_t w = 0; w < 2; w++) {
            tr_team *team = new_team(worker_counts[w], hosts[h].host, stages);
            tr_pipeline_report report;
            double start = tr_clock_seconds();
            tr_team_run(team, pipeline, stages, worker_counts[w], NULL, &report);
            double seconds = tr_clock_seconds() - start;
            print_message("%d empty stages, %u workers, %s: %.1f ms\n", stages, worker_counts[w], hosts[h].name,
                          1e3 * seconds);
            assert_int_equal(report.barriers, stages);
            assert_true(seconds < 20.0);
            tr_team_destroy(team);
        }
    }
}

/* a process that keeps the processor of that number busy; it ends by itself after ten seconds */
static pid_t start_busy_process(size_t processor)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
    spin_for(10.0);
    _exit(0);
}

static void run_heavy_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)context;
    (void)stage_data;
    (void)chunk;
    (void)worker;
    volatile float x = 1.0f;
    for (int i = 0; i < 4000; i++)
        x = x * 0.999f + 0.001f;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct run_times {
    double median, p90, worst;
} run_times;

/* about a step of a large world: 100 stages of 16 chunks of some microseconds */
static run_times time_heavy_runs(uint32_t workers)
{
    enum { stages = 100, runs = TRIALS(61) };
    static tr_pipeline_stage pipeline[stages];
    for (int s = 0; s < stages; s++)
        pipeline[s] = (tr_pipeline_stage){run_heavy_chunk, NULL, 16, 0, false, 0};
    tr_team *team = new_team(workers, MAIN_HOST, stages);
    double times[runs];
    for (int i = 0; i < runs; i++) {
        double start = tr_clock_seconds();
        tr_team_run(team, pipeline, stages, workers, NULL, NULL);
        times[i] = tr_clock_seconds() - start;
    }
    tr_team_destroy(team);
    qsort(times, runs, sizeof times[0], compare_doubles);
    return (run_times){times[runs / 2], times[runs * 9 / 10], times[runs - 1]};
}

static void a_core_kept_busy_by_another_process_does_not_stall_a_run(void **state)
{
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    uint32_t workers = (uint32_t)CPU_COUNT(&set) < 4 ? 2 : 4;
    run_times one = time_heavy_runs(1), all = time_heavy_runs(workers);
    print_message("idle machine: 1 worker %.2f ms, %u workers %.2f ms (p90 %.2f, worst %.2f)\n", 1e3 * one.median,
                  workers, 1e3 * all.median, 1e3 * all.p90, 1e3 * all.worst);

    /* the first processor that this process may use, then the second as well */
    pid_t children[2];
    int count = 0;
    for (size_t processor = 0; processor < CPU_SETSIZE && count < 2; processor++) {
        if (!CPU_ISSET(processor, &set))
            continue;
        children[count] = start_busy_process(processor);
        assert_true(children[count] > 0);
        count++;
        tr_thread_sleep(20000);
        run_times busy = time_heavy_runs(workers);
        print_message("%d processor(s) busy: %u workers %.2f ms (p90 %.2f, worst %.2f), %.2f of one worker's time\n",
                      count, workers, 1e3 * busy.median, 1e3 * busy.p90, 1e3 * busy.worst, busy.median / one.median);

        /* half of a core for each thread is twice the time; the bound only tells slow from hanging */
        assert_true(busy.median < 30.0 * one.median);
    }
    for (int i = 0; i < count; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
}

/*
 * What a stage costs: no test, but the program that docs/threads.md has its numbers from (`test_team_load cost`).
 */
static int print_the_cost_of_a_stage(void)
{
    enum { stages = 5000 };
    static tr_pipeline_stage pipeline[stages];
    tr_memory_init(&memory, (tr_allocator){0});
    uint32_t cores = tr_physical_cores();
    for (uint32_t workers = 1; workers <= (cores < 2 ? 2 : cores); workers++) {
        for (uint32_t each = 1; each <= 16; each *= 4) {
            for (int s = 0; s < stages; s++)
                pipeline[s] = (tr_pipeline_stage){run_empty_chunk, NULL, each * workers, 0, false, 0};
            tr_team *team = NULL;
            if (tr_team_create(&memory, workers, MAIN_HOST, &team) != TR_OK ||
                tr_team_reserve(team, stages, each * workers) != TR_OK)
                return 1;
            double times[31];
            for (int repeat = 0; repeat < 31; repeat++) {
                tr_pipeline_report report;
                tr_team_run(team, pipeline, stages, workers, NULL, &report);
                times[repeat] = 1e9 * report.seconds[0] / stages;
            }
            tr_team_destroy(team);
            qsort(times, 31, sizeof times[0], compare_doubles);
            printf("%u worker(s), %2u empty chunks each: min %6.1f, median %6.1f ns per stage\n", workers, each,
                   times[0], times[15]);
        }
    }
    return 0;
}

/*
 * A world
 */
typedef struct late_pairs {
    uint32_t runs; /* of the step so far: the first one looks for pairs of shapes */
    double delay;  /* s, of that one */
} late_pairs;

static void run_pairs_late(void (*task)(void *argument, uint32_t worker), void *argument, uint32_t worker_count,
                           void *context)
{
    late_pairs *late = context;
    task(argument, 0);
    if (late->runs++ == 0)
        spin_for(late->delay);
    for (uint32_t i = 1; i < worker_count; i++)
        task(argument, i);
}

static void a_world_rests_its_team_where_collision_waits_for_it(void **state)
{
    (void)state;
    enum { discs = 9000, steps = 40 };
    uint32_t together = 0;
    late_pairs late = {0, 0.0};
    tr2_world_def def = tr2_world_def_default();
    def.threads = 2;
    def.host = (tr_host){.run = run_pairs_late, .context = &late};
    tr2_world *world;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    for (uint32_t i = 0; i < discs; i++) {
        tr2_body_def body = tr2_body_def_default();
        body.position = (tr_dvec2){2.0 * (i % 100), 2.0 * (i / 100)};
        tr2_shape_def shape = weightless(tr2_shape_def_default(TR2_CIRCLE));
        shape.radius = 0.5f;
        assert_int_equal(tr2_world_create_body(world, &body, &shape.body), TR_OK);
        assert_int_equal(tr2_world_create_shape(world, &shape, NULL), TR_OK);
    }
    for (int i = 0; i < steps; i++) {
        double begin = tr_clock_seconds();
        late.runs = 0;
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
        /* as long as three steps, however long these take */
        if (i == 0)
            late.delay = 3.0 * (tr_clock_seconds() - begin);
        together += tr2_world_statistics(world).threads == 2;
    }
    tr2_world_destroy(world);
    /* until it is seen to be held up, and after each rest until it has lost as much as a few steps take */
    assert_in_range(together, 1, steps / 2);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "cost") == 0)
        return print_the_cost_of_a_stage();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_worker_that_starts_late_delays_no_stage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_worker_that_is_held_up_holds_up_one_chunk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chunks_stay_with_their_worker, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_threads_than_cores_do_not_hang, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_core_kept_busy_by_another_process_does_not_stall_a_run, set_up, tear_down),
        cmocka_unit_test(a_world_rests_its_team_where_collision_waits_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
