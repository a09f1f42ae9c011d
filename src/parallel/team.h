/*
 * A team of workers and the pipelines it runs.
 *
 * A pipeline is a list of stages; a stage is a number of chunks of work that are independent of each other. A stage
 * begins when every chunk of the one before has been done. Any worker can do any chunk: a worker whose core is taken
 * away holds up nothing but the chunk in its hands. Each worker starts at its own part of a stage, so the same chunks
 * go to the same worker pass after pass as long as nobody is late.
 */
#ifndef TR_PARALLEL_TEAM_H
#define TR_PARALLEL_TEAM_H

#include "base/memory.h"
#include "trammel/base.h"

/* Runs one chunk. `worker` < worker count; two chunks of a stage may run at once, two stages never. */
typedef void tr_chunk_fn(void *context, const void *stage_data, uint32_t chunk, uint32_t worker);

typedef struct tr_pipeline_stage {
    tr_chunk_fn *run;
    const void *data;
    uint32_t chunk_count;
    uint32_t label; /* time is summed per label, < TR_PIPELINE_LABELS */
} tr_pipeline_stage;

#define TR_PIPELINE_LABELS 16

typedef struct tr_team tr_team;

#define TR_TEAM_MAX_THREADS 1024

/*
 * `threads` 0: tr_physical_cores(). `host.run` null: OpenMP, or one thread where it is not built in. No thread is made
 * before the first run that needs one. `memory` must outlive the team.
 * TR_ERROR_NULL, TR_ERROR_RANGE (more than TR_TEAM_MAX_THREADS), TR_ERROR_MEMORY: *out is as it was.
 */
tr_status tr_team_create(tr_memory *memory, uint32_t threads, tr_host host, tr_team **out);
void tr_team_destroy(tr_team *team); /* null is fine */
uint32_t tr_team_threads(const tr_team *team);

/*
 * What a run took. The seconds of all labels add up to the time of the whole run: starting the threads counts for the
 * first stage with chunks, joining them for the last, waiting for the stage waited for.
 */
typedef struct tr_pipeline_report {
    double seconds[TR_PIPELINE_LABELS]; /* by label */
    double held; /* s that some worker waited, beyond a moment, for others that did not run, also to leave: the most */
    uint32_t barriers; /* stages with chunks that several workers ran; 0 on one worker */
    uint32_t chunks;   /* of all stages */
} tr_pipeline_report;

/*
 * Makes room for a pipeline of this many stages and this many chunks in its largest stage, so that running it cannot
 * fail. Room is kept until the team is destroyed. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a count past 2^31 - 1): the team is
 * as it was.
 */
tr_status tr_team_reserve(tr_team *team, uint32_t stage_count, uint32_t max_chunks);

/*
 * Runs all stages in order on `workers` workers (at most the team's threads, and no more than the largest stage has
 * chunks). Returns when every chunk of every stage is done and all workers have left. Runs in place, on the calling
 * thread, with one worker, and where more stages are given than were reserved. Which worker runs a chunk changes
 * nothing but `worker`; it may be any from 0 to the number of workers - 1, also when fewer threads than that came.
 * `report` may be null. One run at a time per team.
 */
void tr_team_run(tr_team *team, const tr_pipeline_stage *stages, uint32_t stage_count, uint32_t workers, void *context,
                 tr_pipeline_report *report);

/* Makes the next stage the one after number `sequence`: for the test of what happens when the 32-bit numbers run out.
 */
void tr_team_set_sequence(tr_team *team, uint32_t sequence);

#endif
