/*
 * Execution of pipelines.
 *
 * Each stage is cut into one slice per worker. A slice is one 64-bit word: the number of the stage for which it was
 * last used, and the units of that stage that are left. The owner claims units from the front. Other workers that have
 * finished their own slices steal from the back. All claims are compare-exchanges, so any worker can run any chunk, and
 * no particular worker has to arrive for the work to proceed. Stage numbers increase from run to run, so slices need no
 * reset: a word with an older number means a full slice; a newer number tells a late worker that the stage is over.
 *
 * Progress is one number, `done`: the chunks finished since the run began. Stage s is over when `done` reaches ends[s],
 * the number of chunks in stages 0 to s. Workers wait for that number, never for another worker.
 *
 * Memory order: claim words only decide who runs a chunk and publish no data, so they are relaxed. Data written in one
 * stage reach the next through `done` alone. A worker adds to it with release order after its chunks, and the additions
 * form one release sequence. A worker that reads ends[s] or more with acquire order therefore sees all writes of stages
 * 0 to s, and all their reads are complete. Starting and joining the workers orders the fields set before the run, and
 * the stamps read after it.
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

/* a slice has 16-bit positions, so the unit of a stage with more chunks than this is several chunks */
#define MAX_UNITS 65535u

/* how often a worker looks at `done` before it steals, before it yields, and before it sleeps */
#define POLITE_LOOKS 8
#define EAGER_LOOKS  1000
#define YIELDS       50
#define SLEEP_US     30

typedef struct team_slice {
    _Alignas(
        CACHE_LINE) _Atomic uint64_t word; /* stage number, first unit left, end of the units left: 32, 16, 16 bits */
    double held, left; /* owner's: s spent waiting for long, and time when it left; 0: it never came */
} team_slice;

struct tr_team {
    tr_memory *memory;
    tr_host host;
    uint32_t threads;
    uint32_t stage_capacity;
    uint32_t sequence; /* the number of the last stage that ran */
    team_slice *slices;
    uint64_t *ends; /* per stage: chunks of stages 0 to this one */
    double *stamps; /* per stage: end time; only if the next stage has another label */

    /* the run in progress */
    const tr_pipeline_stage *stages;
    uint32_t stage_count;
    uint32_t workers;
    void *context;
    uint64_t left_chunks; /* of stages that were left out; written by whoever has done the stage before them */
    uint32_t left_stages; /* of these, those with chunks */

    tr_team_log log; /* since tr_team_take_log() */

    _Alignas(CACHE_LINE) _Atomic uint64_t done;
};

/* one worker's part of a stage, in units of `grain` chunks; the last unit may be shorter */
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

/* waits until `target` chunks are done: spins, then yields, then sleeps, because the worker with the missing chunk
   may need this very core */
static uint64_t wait_for(tr_team *team, uint64_t target, double *held)
{
    uint32_t looks = 0;
    double since = 0.0;
    for (;;) {
        uint64_t done = atomic_load_explicit(&team->done, memory_order_acquire);
        if (done >= target) {
            if (since > 0.0)
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

    /* rounding up gives a single chunk to worker 0, the calling thread, which is certainly awake */
    uint64_t first = (slice * units + workers - 1) / workers;
    uint64_t end = ((slice + 1) * units + workers - 1) / workers;
    return (slice_range){(uint32_t)first, (uint32_t)(end - first), grain};
}

/* claims one unit of a slice, at the front or the back, for stage number `sequence`; false if nothing is left */
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

/* whether the optional stages after this one are left out */
static bool leaves_out(const tr_pipeline_stage *stage, const void *context)
{
    return stage->optional > 0 && !((const tr_pipeline_question *)stage->data)->asks(context);
}

/* notes that the stages after stage s are left out; returns the number of their chunks */
static uint64_t leave_out(tr_team *team, const tr_pipeline_stage *stages, uint32_t s)
{
    uint64_t chunks = 0;
    for (uint32_t i = 1; i <= stages[s].optional; i++) {
        chunks += stages[s + i].chunk_count;
        team->left_stages += stages[s + i].chunk_count > 0;
    }
    team->left_chunks += chunks;
    return chunks;
}

/* runs the chunks of a unit of stage s; returns their number, with those of stages that are now left out */
static uint64_t run_unit(tr_team *team, uint32_t s, uint32_t unit, uint32_t grain, uint32_t worker)
{
    const tr_pipeline_stage *stage = &team->stages[s];
    uint32_t first = unit * grain;
    uint32_t count = stage->chunk_count - first < grain ? stage->chunk_count - first : grain;
    for (uint32_t i = 0; i < count && stage->optional == 0; i++)
        stage->run(team->context, stage->data, stage->backward ? first + count - 1 - i : first + i, worker);
    if (leaves_out(stage, team->context))
        return count + leave_out(team, team->stages, s);
    return count;
}

/* whether the time stamp after stage s is needed: the next stage with chunks has another label */
static bool label_ends(const tr_pipeline_stage *stages, uint32_t stage_count, uint32_t s)
{
    for (uint32_t next = s + 1; next < stage_count; next++) {
        if (stages[next].chunk_count > 0)
            return stages[next].label != stages[s].label;
    }
    return false;
}

/* adds finished chunks of stage s to `done`; the worker that completes the stage takes the time, for those left out, too */
static uint64_t publish(tr_team *team, uint32_t s, uint64_t count)
{
    uint64_t done = atomic_fetch_add_explicit(&team->done, count, memory_order_acq_rel) + count;
    for (; s < team->stage_count && team->ends[s] <= done; s++)
        if (label_ends(team->stages, team->stage_count, s))
            team->stamps[s] = tr_clock_seconds();
    return done;
}

/* runs the chunks of stage s that this worker can claim; returns the last known value of `done` */
static uint64_t work_on_stage(tr_team *team, uint32_t s, uint32_t worker, uint32_t workers, uint64_t done)
{
    const tr_pipeline_stage *stage = &team->stages[s];
    uint32_t sequence = team->sequence + 1 + s;
    uint32_t unit;

    /* own slice: publish once at the end; the stage cannot end before that */
    slice_range own = slice_of(stage->chunk_count, worker, workers);
    uint64_t finished = 0;
    while (claim(&team->slices[worker], &own, sequence, !stage->backward, &unit))
        finished += run_unit(team, s, unit, own.grain, worker);
    if (finished > 0)
        done = publish(team, s, finished);

    /* wait a moment before stealing: in a balanced stage the others are about to finish, and reading their words
       would take the cache lines from them */
    for (uint32_t look = 0; look < POLITE_LOOKS && done < team->ends[s]; look++) {
        relax_core();
        done = atomic_load_explicit(&team->done, memory_order_acquire);
    }

    /* steal from the end of the other slices that their owners reach last */
    for (uint32_t i = 1; i < workers && done < team->ends[s]; i++) {
        uint32_t victim = worker + i < workers ? worker + i : worker + i - workers;
        slice_range range = slice_of(stage->chunk_count, victim, workers);
        while (claim(&team->slices[victim], &range, sequence, stage->backward, &unit))
            done = publish(team, s, run_unit(team, s, unit, range.grain, worker));
    }
    return done;
}

/* runs one worker through the stages */
static void work_through(tr_team *team, uint32_t worker, uint32_t workers)
{
    /* a late worker skips the stages that are over; empty stages are skipped, too */
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

/* the body of one worker; `workers` is the number of slices, which all workers must agree on */
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
    /* OpenMP may start fewer threads than requested; all of them see the same number */
#pragma omp parallel num_threads((int)team->workers) default(none) shared(team)
    work(team, (uint32_t)omp_get_thread_num(), (uint32_t)omp_get_num_threads());
#else
    work(team, 0, 1);
#endif
}

/* runs with one worker: without threads or atomics */
static void run_in_place(tr_team *team, const tr_pipeline_stage *stages, uint32_t stage_count, void *context,
                         tr_pipeline_report *report)
{
    double since = tr_clock_seconds();
    for (uint32_t s = 0; s < stage_count; s++) {
        const tr_pipeline_stage *stage = &stages[s];
        for (uint32_t i = 0; i < stage->chunk_count && stage->optional == 0; i++)
            stage->run(context, stage->data, stage->backward ? stage->chunk_count - 1 - i : i, 0);
        if (leaves_out(stage, context)) {
            (void)leave_out(team, stages, s);
            s += stage->optional;
        }
        if (stage->chunk_count == 0 || !label_ends(stages, stage_count, s))
            continue;
        double now = tr_clock_seconds();
        report->seconds[stage->label] += now - since;
        since = now;
    }

    /* the remaining time belongs to the last stage with chunks */
    for (uint32_t s = stage_count; s-- > 0;) {
        if (stages[s].chunk_count > 0) {
            report->seconds[stages[s].label] += tr_clock_seconds() - since;
            return;
        }
    }
}

/* Distributes the time from `start` to `end` over the labels. A worker can be preempted between finishing a stage
   and taking the time, so a stamp may be later than the next one: going backwards, limit each stamp to the one after
   it. */
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

/* the longest time that any worker waited for others; one that left early waited for the last one to finish */
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

static double sum_of_labels(const tr_pipeline_report *report)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < TR_PIPELINE_LABELS; i++)
        sum += report->seconds[i];
    return sum;
}

static void log_run(tr_team *team, double seconds, uint32_t chunks, uint32_t workers, double held)
{
    tr_team_log *log = &team->log;
    log->held += held;
    if (log->count == TR_TEAM_LOGGED)
        return;
    log->runs[log->count].seconds = seconds;
    log->runs[log->count].chunks = chunks;
    log->runs[log->count++].workers = workers;
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
    team->left_chunks = team->left_stages = 0;

    /* more workers than chunks would only wait */
    workers = workers < team->threads ? workers : team->threads;
    workers = workers < most_chunks ? workers : most_chunks;
    if (workers <= 1 || !room) {
        run_in_place(team, stages, stage_count, context, report);
        report->chunks -= (uint32_t)team->left_chunks;
        if (report == &own_report)
            log_run(team, sum_of_labels(report), most_chunks, 1, 0.0);
        return;
    }

    /* when the stage numbers would overflow, reset all slices to 0, a number that no stage has */
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
    report->barriers = busy_stages - team->left_stages;
    report->chunks -= (uint32_t)team->left_chunks;
    report->held = longest_held(team, end);
    sum_seconds(team, start, end, report);
    if (report == &own_report)
        log_run(team, end - start, most_chunks, workers, report->held);
}

void tr_team_take_log(tr_team *team, tr_team_log *out)
{
    *out = team->log;
    tr_team_forget_log(team);
}

void tr_team_forget_log(tr_team *team)
{
    team->log.count = 0;
    team->log.held = 0.0;
}

double tr_team_log_saves(const tr_team_log *log, uint32_t threads)
{
    double saved = 0.0;
    for (uint32_t i = 0; i < log->count; i++) {
        uint32_t chunks = log->runs[i].chunks;
        double then = (double)tr_pipeline_rounds(chunks, threads);
        double now = (double)tr_pipeline_rounds(chunks, log->runs[i].workers);
        saved += chunks > 0 ? log->runs[i].seconds * (1.0 - then / now) : 0.0;
    }
    return saved;
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

    /* grow by half, so that a pipeline that grows a little every step does not allocate every step */
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
