/* Reports the structure of a step and its projected times on more threads. */
#include <math.h>
#include <stdio.h>

#include "cli/core/run_report.h"

void trn_report_islands(report *r, run_texts *texts, const tr_statistics *s)
{
    report_object(r, "islands_by_size", s->islands > 1 ? "  from bodies" : NULL);
    for (uint32_t k = 0; k < TR_ISLAND_SIZES; ++k) {
        if (s->islands_by_size[k] > 0) {
            snprintf(texts->sizes[k], sizeof texts->sizes[k], "%lu", 1ul << k);
            report_count(r, texts->sizes[k], texts->sizes[k], s->islands_by_size[k]);
        }
    }
    report_end(r);
}

void trn_report_clusters(report *r, const tr_statistics *s)
{
    report_count(r, "clusters", s->clusters > 0 ? "clusters" : NULL, s->clusters);
    report_count(r, "boundary_joints", s->clusters > 0 ? "  boundary joints" : NULL, s->boundary_joints);
    report_count(r, "identical_islands", s->identical_islands > 0 ? "identical islands" : NULL, s->identical_islands);
}

static void report_bytes(report *r, const tr_statistics *s)
{
    report_object(r, "stage_bytes", "bytes by stage");
    for (uint32_t stage = 0; stage < TR_STAGE_COUNT; ++stage) {
        const char *name = tr_stage_name((tr_stage)stage);
        report_real(r, name, s->stage_bytes[stage] > 0 ? name : NULL, (double)s->stage_bytes[stage], "B");
    }
    report_end(r);
    report_real(r, "bytes_per_substep", NULL, (double)s->bytes_per_substep, "B");
}

/* The greatest possible speed-up of the step, from measured times: chunks differ too much in size for counting them.
   NaN if the step was too short for the clock. */
static double parallelism_of(const simulation *sim)
{
    double least = trn_world_projected_seconds(sim->world, UINT32_MAX);
    return least > 0.0 ? trn_world_projected_seconds(sim->world, 1) / least : NAN;
}

/* reported only for runs on one thread: with others running, chunks take different times */
static void report_projection(report *r, run_texts *texts, const simulation *sim)
{
    report_object(r, "projected_ms", "  on threads");
    for (uint32_t i = 0; i < RUN_PROJECTIONS; ++i) {
        uint32_t threads = 1u << i;
        snprintf(texts->threads[i], sizeof texts->threads[i], "%u", threads);
        report_real(r, texts->threads[i], texts->threads[i], 1e3 * trn_world_projected_seconds(sim->world, threads),
                    "ms");
    }
    report_end(r);
}

void trn_report_work(report *r, run_texts *texts, const simulation *sim, const tr_statistics *s)
{
    report_bytes(r, s);
    report_object(r, "work", "work");
    report_count(r, "chunks", "chunks", s->chunks);
    report_count(r, "critical_path", "critical path", s->critical_path);
    report_real(r, "parallelism", "greatest speed-up", parallelism_of(sim), NULL);
    report_count(r, "barriers", "barriers", s->barriers);
    report_end(r);
    if (s->steps > 0 && s->threads == 1) {
        report_projection(r, texts, sim);
    }
}
