/*
 * A team of workers and the pipelines that it runs.
 *
 * A pipeline is a list of stages. A stage is a number of independent chunks of work, and starts when all chunks of the
 * previous stage are done. Any worker can run any chunk, so a preempted worker delays only the chunk that it is
 * running. Each worker starts at its own part of a stage, so a chunk stays on the same worker from run to run if none
 * is late.
 */
#ifndef TR_PARALLEL_TEAM_H
#define TR_PARALLEL_TEAM_H

#include "base/memory.h"
#include "trammel/base.h"

/* Runs one chunk. `worker` < worker count. Chunks of one stage may run concurrently; different stages never do. */
typedef void tr_chunk_fn(void *context, const void *stage_data, uint32_t chunk, uint32_t worker);

/* Whether somebody asks for the stages after one. */
typedef struct tr_pipeline_question {
    bool (*asks)(const void *context);
} tr_pipeline_question;

typedef struct tr_pipeline_stage {
    tr_chunk_fn *run;
    const void *data;
    uint32_t chunk_count;
    uint32_t label; /* time is summed per label, < TR_PIPELINE_LABELS */
    /* Each worker begins with the last of its chunks: after a stage in the other direction the caches still have what
       these need. */
    bool backward;
    /* If not 0, it only asks whether so many stages after it are run: `data` is a tr_pipeline_question, and it has one chunk. */
    uint32_t optional;
} tr_pipeline_stage;

#define TR_PIPELINE_LABELS 16

/* how many chunks of a stage run one after another on this many threads, at least */
static inline uint64_t tr_pipeline_rounds(uint32_t chunks, uint32_t threads)
{
    return ((uint64_t)chunks + threads - 1) / threads;
}

typedef struct tr_team tr_team;

#define TR_TEAM_MAX_THREADS 1024

/*
 * `threads` 0: tr_physical_cores(). `host.run` null: OpenMP, or one thread if it is not built in. Threads are created
 * in the first run that needs them. `memory` must outlive the team.
 * TR_ERROR_NULL, TR_ERROR_RANGE (more than TR_TEAM_MAX_THREADS), TR_ERROR_MEMORY: *out is unchanged.
 */
tr_status tr_team_create(tr_memory *memory, uint32_t threads, tr_host host, tr_team **out);
void tr_team_destroy(tr_team *team); /* may be null */
uint32_t tr_team_threads(const tr_team *team);

/*
 * Timing of a run. The seconds of all labels add up to the run's time: starting threads counts for the first stage with
 * chunks, joining them for the last one, and waiting for the stage that is waited for.
 */
typedef struct tr_pipeline_report {
    double seconds[TR_PIPELINE_LABELS]; /* by label */
    double held;       /* s, greatest of all workers: waiting, beyond a moment, for workers that did not run */
    uint32_t barriers; /* stages with chunks that several workers ran; 0 with one worker */
    uint32_t chunks;   /* in all stages */
} tr_pipeline_report;

/*
 * Reserves memory for a pipeline of this many stages, with at most `max_chunks` chunks in a stage, so that running it
 * cannot fail. The team keeps the memory until it is destroyed. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a count above 2^31 -
 * 1): the team is unchanged.
 */
tr_status tr_team_reserve(tr_team *team, uint32_t stage_count, uint32_t max_chunks);

/*
 * Runs all stages in order on `workers` workers, limited to the team's threads and the chunks of the largest stage.
 * Returns when all chunks are done and all workers have left. Runs on the calling thread alone with one worker, or if
 * the stages exceed those reserved. Only the argument `worker` depends on which worker runs a chunk; it can be any
 * number below the number of workers, even if fewer threads came. `report` may be null. One run at a time per team.
 */
void tr_team_run(tr_team *team, const tr_pipeline_stage *stages, uint32_t stage_count, uint32_t workers, void *context,
                 tr_pipeline_report *report);

/* Runs one stage, whose time is logged (below). */
static inline void tr_team_run_stage(tr_team *team, tr_chunk_fn *run, uint32_t chunks, uint32_t workers, void *context)
{
    const tr_pipeline_stage stage = {run, NULL, chunks, 0, false, 0};
    tr_team_run(team, &stage, 1, workers, context, NULL);
}

/* What runs cost, of which nobody asked for a report. */
#define TR_TEAM_LOGGED 16 /* later ones only add to `held` */

typedef struct tr_team_log {
    double held; /* s, sum of tr_pipeline_report.held */
    uint32_t count;
    struct {
        double seconds;
        uint32_t chunks, workers; /* the chunks are those of the largest stage */
    } runs[TR_TEAM_LOGGED];
} tr_team_log;

/* The runs without a report since one of these was called last. */
void tr_team_take_log(tr_team *team, tr_team_log *out);
void tr_team_forget_log(tr_team *team);
/* By how much less time these would take on this many threads, in rounds of chunks; below 0: more. */
double tr_team_log_saves(const tr_team_log *log, uint32_t threads);

/* Makes the next stage follow number `sequence`; tests use it to reach the overflow of the 32-bit numbers. */
void tr_team_set_sequence(tr_team *team, uint32_t sequence);

#endif
