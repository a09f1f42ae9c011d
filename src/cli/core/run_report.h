/* The results of a run. */
#ifndef TR_CLI_RUN_REPORT_H
#define TR_CLI_RUN_REPORT_H

#include "cli/core/simulation.h"
#include "cli/output.h"
#include "cli/report.h"

#define RUN_PROJECTIONS 7 /* 1, 2, 4, ... 64 threads */

/* Storage of strings that the report refers to. */
typedef struct run_texts {
    char hash[24];
    char energy[160];
    char clamped[200];
    char substeps[140];
    char quarantined[120];
    char sizes[TR_ISLAND_SIZES][12], threads[RUN_PROJECTIONS][8];
} run_texts;

void trn_run_report(report *r, run_texts *texts, simulation *sim, const char *source, const output *outputs,
                    uint32_t output_count);

/* The structure of a step (run_work.c): islands by size; bytes by stage; work, critical path and the projected time on
   more threads. */
void trn_report_islands(report *r, run_texts *texts, const tr_statistics *statistics);
/* Clusters, joints between them, and identical islands. */
void trn_report_clusters(report *r, const tr_statistics *statistics);
void trn_report_work(report *r, run_texts *texts, const simulation *sim, const tr_statistics *statistics);

/* Parts that `trammel info` has, too. */
void trn_report_scene(report *r, const trn_scene *scene, const char *source);
void trn_report_joints_by_type(report *r, const tr_statistics *statistics);
/* The scene's notices; adds one that shapes do not collide, if the reader has not done so. */
void trn_report_notices(report *r, const trn_scene *scene);

#endif
