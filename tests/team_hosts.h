/*
 * What the tests of the team share: hosts of several kinds, and a team of each.
 *
 * The thread sanitizer's runtime does not see into OpenMP's, so OpenMP is left out there: a host of pthreads takes its
 * place, under which the sanitizer proves the team's own memory order.
 */
#ifndef TR_TESTS_TEAM_HOSTS_H
#define TR_TESTS_TEAM_HOSTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>

#include "instrumented.h"
#include "parallel/team.h"
#include "parallel/topology.h"

#define MAX_WORKERS 16

typedef void task_fn(void *argument, uint32_t worker);

typedef struct host_thread {
    task_fn *task;
    void *argument;
    uint32_t first, step, count; /* runs the workers first, first + step, ... below count */
    uint32_t delay_us;
} host_thread;

typedef struct pthread_host {
    uint32_t threads;     /* 0: one per worker */
    uint32_t late_worker; /* starts this much later */
    uint32_t delay_us;
} pthread_host;

static inline void *run_host_thread(void *pointer)
{
    const host_thread *thread = pointer;
    if (thread->delay_us > 0)
        tr_thread_sleep(thread->delay_us);
    for (uint32_t worker = thread->first; worker < thread->count; worker += thread->step)
        thread->task(thread->argument, worker);
    return NULL;
}

static inline void run_on_pthreads(task_fn *task, void *argument, uint32_t worker_count, void *context)
{
    const pthread_host *host = context;
    uint32_t count = host->threads > 0 && host->threads < worker_count ? host->threads : worker_count;
    pthread_t ids[MAX_WORKERS];
    host_thread threads[MAX_WORKERS];
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (host_thread){task, argument, i, count, worker_count, 0};
        if (host->delay_us > 0 && host->late_worker == i)
            threads[i].delay_us = host->delay_us;
        if (pthread_create(&ids[i], NULL, run_host_thread, &threads[i]) != 0)
            abort();
    }
    for (uint32_t i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
}

static inline void run_one_after_another(task_fn *task, void *argument, uint32_t worker_count, void *context)
{
    bool backwards = *(const bool *)context;
    for (uint32_t i = 0; i < worker_count; i++)
        task(argument, backwards ? worker_count - 1 - i : i);
}

static pthread_host every_worker_a_thread = {0, 0, 0};
static pthread_host two_threads = {2, 0, 0};
static bool forwards = false, backwards = true;

typedef struct named_host {
    const char *name;
    tr_host host;
} named_host;

static const named_host hosts[] = {
    {"OpenMP", {NULL, NULL}},
    {"pthreads", {run_on_pthreads, &every_worker_a_thread}},
    {"two pthreads", {run_on_pthreads, &two_threads}},
    {"one after another", {run_one_after_another, &forwards}},
    {"one after another, backwards", {run_one_after_another, &backwards}},
};
#define HOST_COUNT (sizeof hosts / sizeof hosts[0])

/* OpenMP where it can be used, else pthreads */
#if defined(TR_WITH_OPENMP) && !TR_THREAD_SANITIZER
#define FIRST_HOST 0u
#else
#define FIRST_HOST 1u
#endif
#define MAIN_HOST (hosts[FIRST_HOST].host)

static tr_memory memory;

static inline tr_team *new_team(uint32_t threads, tr_host host, uint32_t stage_count)
{
    tr_team *team = NULL;
    assert_int_equal(tr_team_create(&memory, threads, host, &team), TR_OK);
    assert_int_equal(tr_team_reserve(team, stage_count, 1000), TR_OK);
    return team;
}

static inline int set_up(void **state)
{
    (void)state;
    tr_memory_init(&memory, (tr_allocator){0});
    return 0;
}

/* nothing a test made is still held */
static inline int tear_down(void **state)
{
    (void)state;
    return memory.bytes == 0 ? 0 : -1;
}

static inline void run_empty_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)context;
    (void)stage_data;
    (void)chunk;
    (void)worker;
}

#endif
