/* Describes the last step: amount of work, sequential stages, bytes; computed on request. */
#include <string.h>

#include "solver/core/method.h"
#include "solver/core/solver_internal.h"
#include "solver/exact/exact.h"

/* bytes of a pass over joints: blocks, geometry columns, and the velocities of each lane's two bodies, read and
   written */
static size_t pass_bytes(const trn_solver *solver)
{
    size_t bytes = 0;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        const trn_blocks *blocks = &solver->blocks[k];
        size_t places = trn_kernels_scalar.placed[k].columns * TR_LANES * sizeof(float);
        bytes += blocks->count * (blocks->stride + places + (size_t)4 * TR_LANES * sizeof(trn_body_velocity));
    }
    return bytes;
}

/* bytes of the poses that a pass reads to recompute the geometry */
static size_t pose_bytes(const trn_solver *solver)
{
    size_t bytes = 0;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++)
        bytes += solver->blocks[k].count * ((size_t)2 * TR_LANES * sizeof(trn_body_pose));
    return bytes;
}

/* bytes that a sub-step reads to update a row's velocity */
static size_t pull_bytes(const trn_solver *solver)
{
    return solver->scale.capacity > 0 ? 8 * sizeof(float) : sizeof(uint8_t);
}

/* number of state rows on the rim */
static size_t rim_rows(const trn_solver *solver)
{
    const uint8_t *rims = solver->rims.data;
    size_t groups = 0;
    for (uint32_t tile = 0; tile < solver->state_count / TR_LANES; tile++)
        groups += (size_t)__builtin_popcount(rims[tile]);
    return groups * TR_RUN_GROUP;
}

/* adds the bytes between the tables and the solver's arrays, at the start and the end of a step */
static void add_ends(const trn_solver *solver, size_t *bytes)
{
    const size_t rows = solver->state_count, table_row = 100; /* m, I, place, turn, motion, forces of a body */
    const size_t state_row = sizeof(trn_body_frame) + sizeof(trn_body_place) + sizeof(trn_body_velocity) +
                             sizeof(trn_body_pose) + pull_bytes(solver);
    bytes[TR_STAGE_PREPARE] += rows * (table_row + state_row);
    bytes[TR_STAGE_FINISH] += rows * (sizeof(trn_body_velocity) + sizeof(trn_body_pose) + table_row / 2);
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        const trn_blocks *blocks = &solver->blocks[k];
        size_t impulses = trn_kernels_scalar.joints[k].impulse_count * TR_LANES * sizeof(float);
        bytes[TR_STAGE_PREPARE] +=
            blocks->count * (blocks->stride + 2 * TR_LANES * (sizeof(trn_body_frame) + sizeof(trn_body_place)));
        bytes[TR_STAGE_FINISH] += blocks->count * 2 * impulses;
    }
}

static void describe_bytes(const trn_solver *solver, trn_solver_work *out)
{
    size_t *bytes = out->bytes;
    const trn_scheme *scheme = trn_scheme_of(solver->stage_method);
    const size_t substeps = solver->stage_substeps, sweeps = solver->stage_sweeps, rows = solver->state_count;
    const size_t pass = pass_bytes(solver), refresh = pose_bytes(solver);
    bool anew = scheme->first != TR_PASS_SOLVE;
    /* velocities: accelerations, velocity read and written; positions: velocity and pose read and written */
    bytes[TR_STAGE_INTEGRATE] =
        substeps * rows * (pull_bytes(solver) + 4 * sizeof(trn_body_velocity) + 2 * sizeof(trn_body_pose));
    /* what seams warm start ahead of time is read and cleared in all sub-steps but the first, and cleared before */
    if (trn_warms_first(solver, scheme) && substeps > 1)
        bytes[TR_STAGE_INTEGRATE] += (2 * substeps - 1) * rim_rows(solver) * sizeof(trn_body_velocity);
    bytes[TR_STAGE_WARM_START] = scheme->warm_start ? substeps * pass : 0;
    bytes[TR_STAGE_SOLVE] = substeps * (sweeps * pass + (anew ? refresh : 0));
    bytes[TR_STAGE_RELAX] = (scheme->relax_each ? substeps : scheme->relax_last ? 1 : 0) * (pass + refresh);
    /* 0 if the list of stages must be made anew */
    size_t passes = bytes[TR_STAGE_WARM_START] + bytes[TR_STAGE_SOLVE] + bytes[TR_STAGE_RELAX];
    out->bytes_per_substep = substeps > 0 ? passes / substeps : 0;
    add_ends(solver, bytes);
}

/* describes the units and blocks of the layout */
static void describe_layout(const trn_solver *solver, trn_solver_work *out)
{
    const trn_unit *units = solver->units.data;
    for (uint32_t u = 0; u < solver->plan_units; u++) {
        out->whole_units += units[u].whole;
        out->tiled_units += trn_unit_is_tiled(solver, &units[u]);
    }
    const trn_chunk *chunks = solver->chunks.data;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const trn_block_flags *flags = solver->blocks[chunks[c].kernel].flags;
        for (uint32_t b = chunks[c].first; b < chunks[c].first + chunks[c].count; b++)
            out->run_blocks += (flags[b] & TR_BLOCK_RUN) != 0;
    }
}

void trn_solver_describe(const trn_solver *solver, trn_solver_work *out)
{
    memset(out, 0, sizeof *out);
    if (solver->report.steps == 0)
        return;
    /* the list has no stages without chunks */
    out->span = solver->stage_count;
    describe_bytes(solver, out);
    if (solver->laid_out)
        describe_layout(solver, out);
    if (solver->direct || solver->mixed)
        out->exact_joints = trn_exact_joint_count(solver->exact);
}

/* number of sequential chunks per kind of stage on this many threads; visits of units are a kind of their own */
static void count_rounds(const trn_solver *solver, uint32_t threads, uint64_t rounds[TR_STAGE_COUNT + 1])
{
    const tr_pipeline_stage *stages = solver->stages.data;
    memset(rounds, 0, (TR_STAGE_COUNT + 1) * sizeof *rounds);
    for (uint32_t s = 0; s < solver->stage_count; s++)
        rounds[stages[s].label] += tr_pipeline_rounds(stages[s].chunk_count, threads);
}

double trn_solver_project(const trn_solver *solver, uint32_t threads)
{
    const trn_solver_report *r = &solver->report;
    if (r->steps == 0 || threads == 0)
        return 0.0;
    uint64_t then[TR_STAGE_COUNT + 1], now[TR_STAGE_COUNT + 1];
    count_rounds(solver, threads, then);
    count_rounds(solver, r->threads, now);
    double seconds = r->stage_seconds[TR_STAGE_PLAN];
    for (uint32_t i = 0; i <= TR_STAGE_COUNT; i++)
        seconds += now[i] > 0 ? r->kind_seconds[i] * (double)then[i] / (double)now[i] : 0.0;
    return seconds;
}
