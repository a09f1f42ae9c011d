/* The results of a run as a report. */
#ifndef TR_CLI_RUN_REPORT_H
#define TR_CLI_RUN_REPORT_H

#include "cli/output.h"
#include "cli/report.h"
#include "cli/simulation.h"

#define RUN_PROJECTIONS 7 /* 1, 2, 4, ... 64 threads */

/* Texts that the report borrows. */
typedef struct run_texts {
    char hash[24];
    char energy[160];
    char clamped[200];
    char quarantined[120];
    char sizes[TR_ISLAND_SIZES][12], threads[RUN_PROJECTIONS][8];
} run_texts;

void run_report(report *r, run_texts *texts, simulation *sim, const char *source, const output *outputs,
                uint32_t output_count);

/* What a step is made of (run_work.c): islands by size; bytes by stage, work, span, and what more threads would make of them. */
void report_islands(report *r, run_texts *texts, const tr2_statistics *statistics);
/* units, seams and twins of the plan */
void report_units(report *r, const tr2_statistics *statistics);
void report_work(report *r, run_texts *texts, const simulation *sim, const tr2_statistics *statistics);

/* Parts that `trammel info` says in the same words. */
void report_scene(report *r, const tr2_scene *scene, const char *source);
void report_joints_by_type(report *r, const tr2_statistics *statistics);
/* The scene's notices, and that shapes do not collide where it has shapes and its reader has not said so. */
void report_notices(report *r, const tr2_scene *scene);

#endif
