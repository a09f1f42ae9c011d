/* The impulses of watched joints, summed over the sub-steps of a step. Joints that are not watched cost nothing. */
#include "solver/core/watched.h"

#include <string.h>

#include "plan/lane.h"
#include "solver/core/solver_internal.h"

void trn_solver_watch(trn_solver *solver, const trn_watched *watched)
{
    solver->watched = *watched;
}

/* floats of a half of a step */
static size_t half_of(uint32_t kernel)
{
    /* all instruction sets have the same kernels */
    return TR_LANES * (size_t)trn_kernels_scalar.joints[kernel].impulse_count;
}

size_t trn_watched_size(uint32_t kernel)
{
    return 2 * half_of(kernel) * sizeof(float);
}

/* contacts are not watched */
static bool is_watchable(uint32_t kernel)
{
    return trn_kernel_type(kernel) != TR_CONTACT;
}

bool trn_reserve_watched(trn_solver *solver)
{
    bool done = true;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT && solver->watched.count > 0 && done; k++) {
        if (!is_watchable(k))
            continue;
        uint32_t blocks = solver->block_capacity[k];
        uint32_t most = blocks < solver->watched.count ? blocks : solver->watched.count;
        done = trn_array_reserve(solver->memory, &solver->watched_blocks[k], blocks, sizeof(trn_watched_block)) &&
               trn_array_reserve(solver->memory, &solver->watched_columns[k], most, trn_watched_size(k));
    }
    return done;
}

static float *columns_of(const trn_solver *solver, uint32_t kernel, const trn_watched_block *block)
{
    return (float *)solver->watched_columns[kernel].data + 2 * half_of(kernel) * block->at;
}

/* marks the lane of a joint; `counts`: of the blocks of each kernel with such lanes */
static void mark_lane(const trn_solver *solver, const tr_plan *plan, uint32_t slot, uint32_t *counts)
{
    tr_plan_lane at;
    if (!tr_plan_lane_of(plan, slot, &at))
        return;
    const trn_span_place *place = (const trn_span_place *)solver->span_places.data + at.number;
    uint32_t block = trn_span_block(place, at.lane / TR_LANES);
    trn_watched_block *watched = (trn_watched_block *)solver->watched_blocks[at.kind].data + block;
    if (watched->lanes == 0) {
        watched->at = counts[at.kind]++;
        memset(columns_of(solver, at.kind, watched), 0, trn_watched_size(at.kind));
    }
    watched->lanes |= 1u << at.lane % TR_LANES;
}

void trn_begin_sums(trn_solver *solver, uint32_t substeps, float h)
{
    const trn_watched *watched = &solver->watched;
    /* of a longer half than this step's only as much as falls into the same time: a mean stays what it is */
    float span = (float)(substeps - substeps / 2) * h, before = solver->late_span;
    float keep = before > span ? span / before : 1.0f;
    solver->late_span = span;
    for (uint32_t word = 0; word < watched->word_count; word++) {
        for (uint64_t bits = watched->bits[word]; bits != 0; bits &= bits - 1) {
            const uint32_t slot = 64 * word + (uint32_t)__builtin_ctzll(bits);
            trn_watched_sums *sums = &watched->sums[watched->record_of[slot]];
            for (uint32_t i = 0; i < TRN_MAX_IMPULSES; i++)
                sums->across[i] = keep * sums->late[i];
            memset(sums->step, 0, sizeof sums->step);
            memset(sums->late, 0, sizeof sums->late);
        }
    }
}

void trn_begin_watched(const trn_step *step)
{
    trn_solver *solver = step->solver;
    const trn_watched *watched = &solver->watched;
    trn_begin_sums(solver, step->program.substeps, step->context.h);
    if (watched->count == 0)
        return;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        if (solver->block_capacity[k] > 0 && is_watchable(k))
            memset(solver->watched_blocks[k].data, 0, solver->block_capacity[k] * sizeof(trn_watched_block));
    }
    uint32_t counts[TR_KERNEL_COUNT] = {0};
    for (uint32_t word = 0; word < watched->word_count; word++) {
        for (uint64_t bits = watched->bits[word]; bits != 0; bits &= bits - 1)
            mark_lane(solver, step->system->plan, 64 * word + (uint32_t)__builtin_ctzll(bits), counts);
    }
}

/* restrict allows vectorisation */
static void add_columns(float *restrict sums, const float *restrict impulses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] += impulses[i];
}

/* All lanes of a block, the others too: whole columns are quicker, and trn_end_watched() takes what is watched. */
void trn_note_chunk(const trn_step *step, const trn_chunk *chunk, bool early)
{
    const trn_solver *solver = step->solver;
    const trn_blocks *blocks = &solver->blocks[chunk->kernel];
    const trn_watched_block *watched = solver->watched_blocks[chunk->kernel].data;
    const size_t half = half_of(chunk->kernel);
    if (!is_watchable(chunk->kernel))
        return;
    for (uint32_t b = chunk->first; b < chunk->first + chunk->count; b++) {
        const float *impulses = trn_block_columns(blocks, b);
        if (watched[b].lanes != 0)
            add_columns(columns_of(solver, chunk->kernel, &watched[b]) + (early ? 0 : half), impulses, half);
    }
}

/* the sums of a block's watched joints to their records */
static void end_block(const trn_step *step, uint32_t kernel, uint32_t block)
{
    const trn_solver *solver = step->solver;
    const trn_joints *joints = &step->system->joints[trn_kernel_type(kernel)];
    const trn_watched_block *watched = (const trn_watched_block *)solver->watched_blocks[kernel].data + block;
    const uint32_t *rows = solver->blocks[kernel].rows + (size_t)block * TR_LANES;
    const size_t half = half_of(kernel);
    for (uint32_t lanes = watched->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes), slot = joints->slot[rows[lane]];
        if (!trn_joint_acts(joints->flags, rows[lane]) ||
            (joints->flags != NULL && (joints->flags[rows[lane]] & TR_JOINT_EXACT) != 0))
            continue;
        const float *early = columns_of(solver, kernel, watched) + lane, *late = early + half;
        for (uint32_t i = 0; i < half / TR_LANES; i++) {
            trn_watched_add(&solver->watched, slot, i, early[i * TR_LANES], true);
            trn_watched_add(&solver->watched, slot, i, late[i * TR_LANES], false);
        }
    }
}

void trn_end_watched(const trn_step *step, const trn_chunk *chunk)
{
    const trn_watched_block *watched = step->solver->watched_blocks[chunk->kernel].data;
    for (uint32_t b = chunk->first; b < chunk->first + chunk->count && is_watchable(chunk->kernel); b++) {
        if (watched[b].lanes != 0)
            end_block(step, chunk->kernel, b);
    }
}
