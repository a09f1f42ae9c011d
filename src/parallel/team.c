/*
 * How a pipeline runs.
 *
 * Each stage is cut into one slice per worker. A slice is one 64-bit word: the number of the stage it was last cut for,
 * and what is left of it. Its owner claims chunks from the front, the others, when they have nothing left of their own,
 * from the back, all by compare-exchange; so any worker can do any chunk, and no worker has to be there for the work to
 * go on. The numbers of stages grow from run to run, so that nothing is reset between stages: a word with an older
 * number is a whole slice, one with a newer number tells a late worker that the stage is over.
 *
 * Progress is one number, `done`, the chunks finished since the run began. Stage s is over when it reaches ends[s], the
 * chunks of the stages up to s; waiting is waiting for that, never for a worker.
 *
 * Memory order: the claim words decide who runs a chunk and carry no data, so they are relaxed. What a stage wrote
 * reaches the next one through `done` alone: a worker adds to it with release after its chunks; the additions form one
 * release sequence, so whoever reads ends[s] or more with acquire sees what all chunks of all stages up to s wrote, and
 * all that they read was read before. Fields that are set before the workers start and the stamps that are read after
 * they have ended are ordered by the start and the join themselves.
 */
#include "parallel/team.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

#define CACHE_LINE 64

/* what is left of a slice is kept as two 16-bit numbers: longer stages are claimed by more than one chunk at a time */
#define MAX_UNITS 65535u

/* looks at the progress before taking work that another worker is about to begin, and before leaving the core to others
 */
#define POLITE_LOOKS 8
#define EAGER_LOOKS  1000
#define YIELDS       50
#define SLEEP_US     30

typedef struct team_slice {
    _Alignas(
        CACHE_LINE) _Atomic uint64_t word; /* stage number, first unit left, end of the units left: 32, 16, 16 bits */
    double held,
        left; /* its owner's: s that it waited for long, and when it had nothing more to do; 0: it did not come */
} team_slice;

struct tr_team {
    tr_memory *memory;
    tr_host host;
    uint32_t threads;
    uint32_t stage_capacity;
    uint32_t sequence; /* the number of the last stage run */
    team_slice *slices;
    uint64_t *ends; /* per stage: chunks of the stages up to and with it */
    double *stamps; /* per stage: when it was over; only where the label changes */

    /* the run in progress */
    const tr_pipeline_stage *stages;
    uint32_t stage_count;
    uint32_t workers;
    void *context;

    _Alignas(CACHE_LINE) _Atomic uint64_t done;
};

/* one worker's part of a stage, in units of `grain` chunks */
typedef struct slice_range {
    uint32_t first;
    uint32_t count;
    uint32_t grain;
} slice_range;

static void relax_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* waits until `target` chunks are done. it gives the core away step by step: the worker that holds the missing chunk
   may need this very core to finish it. */
static uint64_t wait_for(tr_team *team, uint64_t target, double *held)
{
    uint32_t looks = 0;
    double since = 0.0;
    for (;;) {
        uint64_t done = atomic_load_explicit(&team->done, memory_order_acquire);
        if (done >= target) {
            if (looks >= EAGER_LOOKS)
                *held += tr_clock_seconds() - since;
            return done;
        }
        if (looks == EAGER_LOOKS)
            since = tr_clock_seconds();
        if (looks < EAGER_LOOKS)
            relax_core();
        else if (looks < EAGER_LOOKS + YIELDS)
            tr_thread_yield();
        else
            tr_thread_sleep(SLEEP_US);
        if (looks < EAGER_LOOKS + YIELDS)
            looks++;
    }
}

static slice_range slice_of(uint32_t chunk_count, uint32_t slice, uint32_t workers)
{
    uint32_t grain = chunk_count <= MAX_UNITS ? 1 : 1 + (chunk_count - 1) / MAX_UNITS;
    uint64_t units = grain == 1 ? chunk_count : 1 + (chunk_count - 1) / grain;

    /* rounded up, so that a lone chunk is worker 0's, which is the thread that is surely awake */
    uint64_t first = (slice * units + workers - 1) / workers;
    uint64_t end = ((slice + 1) * units + workers - 1) / workers;
    return (slice_range){(uint32_t)first, (uint32_t)(end - first), grain};
}

/* takes one unit of a slice, at its front or its back, for the stage of that number. false: nothing is left. */
static bool claim(team_slice *slice, const slice_range *range, uint32_t sequence, bool front, uint32_t *unit)
{
    uint64_t word = atomic_load_explicit(&slice->word, memory_order_relaxed);
    for (;;) {
        uint32_t number = (uint32_t)(word >> 32);
        uint32_t first = 0, end = range->count;
        if (number > sequence)
            return false;
        if (number == sequence) {
            first = (uint32_t)(word >> 16) & 0xffffu;
            end = (uint32_t)word & 0xffffu;
        }
        if (first == end)
            return false;
        *unit = range->first + (front ? first : end - 1);
        if (front)
            first++;
        else
            end--;
        uint64_t taken = (uint64_t)sequence << 32 | (uint64_t)first << 16 | end;
        if (atomic_compare_exchange_weak_explicit(&slice->word, &word, taken, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    }
}

/* runs the chunks of a unit, gives their number */
static uint32_t run_unit(const tr_team *team, const tr_pipeline_stage *stage, uint32_t unit, uint32_t grain,
                         uint32_t worker)
{
    uint32_t first = unit * grain;
    uint32_t count = stage->chunk_count - first < grain ? stage->chunk_count - first : grain;
    for (uint32_t i = 0; i < count; i++)
        stage->run(team->context, stage->data, first + i, worker);
    return count;
}

/* whether time changes hands after stage s: the next stage with work has another label */
static bool label_ends(const tr_pipeline_stage *stages, uint32_t stage_count, uint32_t s)
{
    for (uint32_t next = s + 1; next < stage_count; next++) {
        if (stages[next].chunk_count > 0)
            return stages[next].label != stages[s].label;
    }
    return false;
}

/* counts finished chunks of stage s; the worker that brings the last one notes the time */
static uint64_t publish(tr_team *team, uint32_t s, uint32_t count)
{
    uint64_t done = atomic_fetch_add_explicit(&team->done, count, memory_order_acq_rel) + count;
    if (done == team->ends[s] && label_ends(team->stages, team->stage_count, s))
        team->stamps[s] = tr_clock_seconds();
    return done;
}

/* does what this worker finds to do in stage s; gives the chunks known to be done */
static uint64_t work_on_stage(tr_team *team, uint32_t s, uint32_t worker, uint32_t workers, uint64_t done)
{
    const tr_pipeline_stage *stage = &team->stages[s];
    uint32_t sequence = team->sequence + 1 + s;
    uint32_t unit;

    /* its own slice, counted once at the end: until then it holds a chunk, and the stage cannot be over */
    slice_range own = slice_of(stage->chunk_count, worker, workers);
    uint32_t finished = 0;
    while (claim(&team->slices[worker], &own, sequence, true, &unit))
        finished += run_unit(team, stage, unit, own.grain, worker);
    if (finished > 0)
        done = publish(team, s, finished);

    /* a moment for the others: in an even stage they are about to finish, and a look at their words would cost them
       the cache line */
    for (uint32_t look = 0; look < POLITE_LOOKS && done < team->ends[s]; look++) {
        relax_core();
        done = atomic_load_explicit(&team->done, memory_order_acquire);
    }

    /* the others' slices, from the back, which their owners reach last */
    for (uint32_t i = 1; i < workers && done < team->ends[s]; i++) {
        uint32_t victim = worker + i < workers ? worker + i : worker + i - workers;
        slice_range range = slice_of(stage->chunk_count, victim, workers);
        while (claim(&team->slices[victim], &range, sequence, false, &unit))
            done = publish(team, s, run_unit(team, stage, unit, range.grain, worker));
    }
    return done;
}

/* one worker's way through the stages */
static void work_through(tr_team *team, uint32_t worker, uint32_t workers)
{
    /* a late worker begins where the others are, an early one steps over empty stages */
    uint64_t done = atomic_load_explicit(&team->done, memory_order_acquire);
    for (uint32_t s = 0;;) {
        while (s < team->stage_count && team->ends[s] <= done)
            s++;
        if (s == team->stage_count)
            return;
        done = work_on_stage(team, s, worker, workers, done);
        if (done < team->ends[s])
            done = wait_for(team, team->ends[s], &team->slices[worker].held);
    }
}

/* one worker's run. `workers` is the number of slices, the same for all of them. */
static void work(tr_team *team, uint32_t worker, uint32_t workers)
{
    tr_arithmetic before = tr_arithmetic_plain();
    team->slices[worker].held = 0.0;
    work_through(team, worker, workers);
    team->slices[worker].left = tr_clock_seconds();
    tr_arithmetic_restore(&before);
}

static void host_task(void *argument, uint32_t worker)
{
    tr_team *team = argument;
    work(team, worker, team->workers);
}

static void run_threads(tr_team *team)
{
    if (team->host.run != NULL) {
        team->host.run(host_task, team, team->workers, team->host.context);
        return;
    }
#if defined(_OPENMP)
    /* OpenMP may give fewer threads than asked for; all of them are told the same number */
#pragma omp parallel num_threads((int)team->workers) default(none) shared(team)
    work(team, (uint32_t)omp_get_thread_num(), (uint32_t)omp_get_num_threads());
#else
    work(team, 0, 1);
#endif
}

/* one worker: no threads, no atomics */
static void run_in_place(const tr_pipeline_stage *stages, uint32_t stage_count, void *context,
                         tr_pipeline_report *report)
{
    double since = tr_clock_seconds();
    for (uint32_t s = 0; s < stage_count; s++) {
        const tr_pipeline_stage *stage = &stages[s];
        for (uint32_t chunk = 0; chunk < stage->chunk_count; chunk++)
            stage->run(context, stage->data, chunk, 0);
        if (stage->chunk_count == 0 || !label_ends(stages, stage_count, s))
            continue;
        double now = tr_clock_seconds();
        report->seconds[stage->label] += now - since;
        since = now;
    }

    /* the rest belongs to the last stage that did anything */
    for (uint32_t s = stage_count; s-- > 0;) {
        if (stages[s].chunk_count > 0) {
            report->seconds[stages[s].label] += tr_clock_seconds() - since;
            return;
        }
    }
}

/* shares the time from `start` to `end` out to the labels. a worker can be held up between finishing a stage and
   reading the clock, so a stamp may be later than the next one: going backwards, the earlier of the two is the better.
 */
static void sum_seconds(const tr_team *team, double start, double end, tr_pipeline_report *report)
{
    const tr_pipeline_stage *next = NULL;
    double until = end;
    for (uint32_t s = team->stage_count; s-- > 0;) {
        const tr_pipeline_stage *stage = &team->stages[s];
        if (stage->chunk_count == 0)
            continue;
        if (next != NULL && next->label != stage->label) {
            double since = team->stamps[s] < until ? team->stamps[s] : until;
            report->seconds[next->label] += until - since;
            until = since;
        }
        next = stage;
    }
    if (next != NULL)
        report->seconds[next->label] += until - start;
}

/* the longest that a worker waited for others; who had left early waited for those who came last */
static double longest_held(const tr_team *team, double end)
{
    double most = 0.0;
    for (uint32_t i = 0; i < team->workers; i++) {
        const team_slice *slice = &team->slices[i];
        double held = slice->left > 0.0 ? slice->held + (end - slice->left) : 0.0;
        most = held > most ? held : most;
    }
    return most;
}

void tr_team_run(tr_team *team, const tr_pipeline_stage *stages, uint32_t stage_count, uint32_t workers, void *context,
                 tr_pipeline_report *report)
{
    tr_pipeline_report own_report;
    if (report == NULL)
        report = &own_report;
    *report = (tr_pipeline_report){0};

    uint64_t chunks = 0;
    uint32_t busy_stages = 0, most_chunks = 0;
    bool room = stage_count <= team->stage_capacity;
    for (uint32_t s = 0; s < stage_count; s++) {
        chunks += stages[s].chunk_count;
        busy_stages += stages[s].chunk_count > 0;
        most_chunks = stages[s].chunk_count > most_chunks ? stages[s].chunk_count : most_chunks;
        if (room)
            team->ends[s] = chunks;
    }
    report->chunks = chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;

    /* a worker more than there are chunks would only wait */
    workers = workers < team->threads ? workers : team->threads;
    workers = workers < most_chunks ? workers : most_chunks;
    if (workers <= 1 || !room) {
        run_in_place(stages, stage_count, context, report);
        return;
    }

    /* stage numbers only grow; when they would run out, every slice goes back to the number that no stage has */
    if (team->sequence > UINT32_MAX - stage_count) {
        for (uint32_t i = 0; i < team->threads; i++)
            atomic_store_explicit(&team->slices[i].word, 0, memory_order_relaxed);
        team->sequence = 0;
    }

    double start = tr_clock_seconds();
    team->stages = stages;
    team->stage_count = stage_count;
    team->workers = workers;
    team->context = context;
    for (uint32_t i = 0; i < workers; i++)
        team->slices[i].left = 0.0;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    run_threads(team);
    double end = tr_clock_seconds();
    team->sequence += stage_count;
    report->barriers = busy_stages;
    report->held = longest_held(team, end);
    sum_seconds(team, start, end, report);
}

tr_status tr_team_create(tr_memory *memory, uint32_t threads, tr_host host, tr_team **out)
{
    if (memory == NULL || out == NULL)
        return TR_ERROR_NULL;
    if (threads > TR_TEAM_MAX_THREADS)
        return TR_ERROR_RANGE;
    if (threads == 0)
        threads = tr_physical_cores();
    if (threads > TR_TEAM_MAX_THREADS)
        threads = TR_TEAM_MAX_THREADS;
#if !defined(_OPENMP)
    if (host.run == NULL)
        threads = 1;
#endif

    tr_team *team = tr_allocate(memory, sizeof *team);
    team_slice *slices = tr_allocate_array(memory, threads, sizeof *slices);
    if (team == NULL || slices == NULL) {
        tr_release(memory, slices, threads * sizeof *slices);
        tr_release(memory, team, sizeof *team);
        return TR_ERROR_MEMORY;
    }
    team->memory = memory;
    team->host = host;
    team->threads = threads;
    team->slices = slices;
    for (uint32_t i = 0; i < threads; i++)
        atomic_init(&slices[i].word, 0);
    atomic_init(&team->done, 0);
    *out = team;
    return TR_OK;
}

void tr_team_destroy(tr_team *team)
{
    if (team == NULL)
        return;
    tr_memory *memory = team->memory;
    tr_release(memory, team->ends, team->stage_capacity * sizeof *team->ends);
    tr_release(memory, team->stamps, team->stage_capacity * sizeof *team->stamps);
    tr_release(memory, team->slices, team->threads * sizeof *team->slices);
    tr_release(memory, team, sizeof *team);
}

uint32_t tr_team_threads(const tr_team *team)
{
    return team->threads;
}

tr_status tr_team_reserve(tr_team *team, uint32_t stage_count, uint32_t max_chunks)
{
    if (team == NULL)
        return TR_ERROR_NULL;
    if (stage_count > INT32_MAX || max_chunks > INT32_MAX)
        return TR_ERROR_LIMIT;
    if (stage_count <= team->stage_capacity)
        return TR_OK;

    /* half as much again, so that a pipeline that grows a little each step does not allocate each step */
    uint32_t capacity = team->stage_capacity + team->stage_capacity / 2;
    capacity = capacity > stage_count ? capacity : stage_count;
    uint64_t *ends = tr_allocate_array(team->memory, capacity, sizeof *ends);
    double *stamps = tr_allocate_array(team->memory, capacity, sizeof *stamps);
    if (ends == NULL || stamps == NULL) {
        tr_release(team->memory, ends, capacity * sizeof *ends);
        tr_release(team->memory, stamps, capacity * sizeof *stamps);
        return TR_ERROR_MEMORY;
    }
    tr_release(team->memory, team->ends, team->stage_capacity * sizeof *team->ends);
    tr_release(team->memory, team->stamps, team->stage_capacity * sizeof *team->stamps);
    team->ends = ends;
    team->stamps = stamps;
    team->stage_capacity = capacity;
    return TR_OK;
}

void tr_team_set_sequence(tr_team *team, uint32_t sequence)
{
    for (uint32_t i = 0; i < team->threads; i++)
        atomic_store_explicit(&team->slices[i].word, (uint64_t)sequence << 32, memory_order_relaxed);
    team->sequence = sequence;
}
