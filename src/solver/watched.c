/* The impulses of watched joints, summed over the sub-steps of a step. Joints that are not watched cost nothing. */
#include "solver/watched.h"

#include <string.h>

#include "plan/lane.h"
#include "solver/trees_tie.h"

void tr2_solver_watch(tr2_solver *solver, const tr2_watched *watched)
{
    solver->watched = *watched;
}

bool tr2_reserve_watched(tr2_solver *solver)
{
    bool done = true;
    for (uint32_t k = 0; k < TR2_KERNEL_COUNT && solver->watched.count > 0 && done; k++)
        done =
            tr2_array_reserve(solver->memory, &solver->watched_lanes[k], solver->block_capacity[k], sizeof(uint16_t));
    return done;
}

/* marks the lane of a joint */
static void mark_lane(const tr2_solver *solver, const tr_plan *plan, uint32_t slot)
{
    tr_plan_lane at;
    if (!tr_plan_lane_of(plan, slot, &at))
        return;
    const tr2_span_place *place = (const tr2_span_place *)solver->span_places.data + at.number;
    uint32_t block = tr2_span_block(place, at.lane / TR_LANES);
    uint16_t *lanes = (uint16_t *)solver->watched_lanes[at.kind].data + block;
    *lanes = (uint16_t)(*lanes | 1u << at.lane % TR_LANES);
}

void tr2_begin_watched(const tr2_step *step)
{
    tr2_solver *solver = step->solver;
    const tr2_watched *watched = &solver->watched;
    /* of a longer half than this step's only as much as falls into the same time: a mean stays what it is */
    uint32_t substeps = step->program.substeps;
    float span = (float)(substeps - substeps / 2) * step->context.h, before = solver->late_span;
    float keep = before > span ? span / before : 1.0f;
    solver->late_span = span;
    if (watched->count == 0)
        return;
    for (uint32_t record = 0; record < watched->count; record++) {
        tr2_watched_sums *sums = &watched->sums[record];
        for (uint32_t i = 0; i < TR2_MAX_IMPULSES; i++)
            sums->across[i] = keep * sums->late[i];
        memset(sums->step, 0, sizeof sums->step);
        memset(sums->late, 0, sizeof sums->late);
    }
    for (uint32_t k = 0; k < TR2_KERNEL_COUNT; k++) {
        if (solver->block_capacity[k] > 0)
            memset(solver->watched_lanes[k].data, 0, solver->block_capacity[k] * sizeof(uint16_t));
    }
    for (uint32_t word = 0; word < watched->word_count; word++) {
        for (uint64_t bits = watched->bits[word]; bits != 0; bits &= bits - 1)
            mark_lane(solver, step->system->plan, 64 * word + (uint32_t)__builtin_ctzll(bits));
    }
}

static void add(const tr2_watched *watched, uint32_t slot, uint32_t index, float impulse, bool early)
{
    tr2_watched_sums *sums = &watched->sums[watched->record_of[slot]];
    sums->step[index] += impulse;
    *(early ? &sums->across[index] : &sums->late[index]) += impulse;
}

void tr2_note_chunk(const tr2_step *step, const tr2_chunk *chunk, bool early)
{
    const tr2_solver *solver = step->solver;
    const tr2_blocks *blocks = &solver->blocks[chunk->kernel];
    const tr2_joints *joints = &step->system->joints[tr2_kernel_type(chunk->kernel)];
    const uint16_t *watched_lanes = solver->watched_lanes[chunk->kernel].data;
    uint32_t impulse_count = step->kernels->joints[chunk->kernel].impulse_count;
    for (uint32_t b = chunk->first; b < chunk->first + chunk->count; b++) {
        const float *impulses = (const float *)(void *)(blocks->data + b * blocks->stride + sizeof(tr2_block_bodies));
        const uint32_t *rows = blocks->rows + (size_t)b * TR_LANES;
        for (uint32_t lanes = watched_lanes[b]; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            if (!tr2_joint_acts(joints->flags, rows[lane]))
                continue;
            for (uint32_t i = 0; i < impulse_count; i++)
                add(&solver->watched, joints->slot[rows[lane]], i, impulses[i * TR_LANES + lane], early);
        }
    }
}

void tr2_note_tie(const tr2_step *step, const tr2_trees_tie *tie, bool early)
{
    const tr2_watched *watched = &step->solver->watched;
    uint32_t word = tie->edge / 64;
    if (word >= watched->word_count || (watched->bits[word] >> tie->edge % 64 & 1u) == 0)
        return;
    /* the table has what the step ended with in the end: until then nothing reads it */
    tr2_tie_finish(step, tie);
    const tr2_joints *joints = &step->system->joints[tie->type];
    for (uint32_t i = 0; i < tr2_joint_types[tie->type]->impulse_count; i++)
        add(watched, tie->edge, i, tr2_joint_impulse(joints, i, tie->row), early);
}
