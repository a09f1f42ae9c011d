/* Stages over chunks of joints: from their tables to blocks, passes, and back. */
#include <math.h>
#include <string.h>

#include "solver/core/stages.h"

trn_chunk trn_next_chunks(const trn_chunk *chunks, uint32_t count, uint32_t *next)
{
    trn_chunk all = chunks[(*next)++];
    while (*next < count && chunks[*next].kernel == all.kernel && chunks[*next].first == all.first + all.count &&
           chunks[*next].idle == all.idle && trn_kernel_type(all.kernel) != TR_CONTACT)
        all.count += chunks[(*next)++].count;
    return all;
}

void trn_prepare_chunk(trn_step *step, const trn_kernel_context *context, const trn_chunk *c)
{
    if (c->idle)
        return;
    step->kernels->joints[c->kernel].prepare(context, &step->columns[trn_kernel_type(c->kernel)],
                                             &step->solver->blocks[c->kernel], c->first, c->count);
    if (step->context.row_factor < step->carried.row_factor)
        trn_see_stiffness(step, c);
}

/* clears the impulses of the last sub-step */
static void begin_afresh(const trn_blocks *blocks, const trn_joint_type_info *info, uint32_t impulse_count,
                         const trn_chunk *c)
{
    for (uint32_t b = c->first; b < c->first + c->count; b++) {
        float *impulses = trn_block_columns(blocks, b);
        for (uint32_t i = 0; i < impulse_count; i++) {
            if (info->impulse_roles[i] < TR_ROLE_SUM)
                memset(impulses + i * TR_LANES, 0, TR_LANES * sizeof *impulses);
        }
    }
}

/* the kernel's pass, or the variant that computes the geometry first; *begun: it treats impulses as 0 itself */
static trn_pass_fn *pass_of(const trn_step *step, uint32_t kernel, const trn_action *action, bool known, bool *begun)
{
    const trn_placed *placed = &step->kernels->placed[kernel];
    trn_pass_kind pass = action->pass;
    bool anew = placed->columns > 0 && !known;
    *begun = false;
    if (anew && pass == TR_PASS_WARM_START)
        return action->still ? placed->warm_first : placed->warm_start;
    if (anew && pass == TR_PASS_SOLVE)
        pass = TR_PASS_STEP;
    if (pass == TR_PASS_STEP && action->afresh && placed->step_afresh != NULL) {
        *begun = true;
        return placed->step_afresh;
    }
    return step->kernels->joints[kernel].pass[pass];
}

void trn_pass_chunk(trn_step *step, const trn_kernel_context *context, const trn_chunk *c, const trn_action *action,
                    trn_keep keep, bool last)
{
    const trn_blocks *blocks = &step->solver->blocks[c->kernel];
    bool known = action->known && keep.here, begun;
    trn_pass_fn *pass = pass_of(step, c->kernel, action, known, &begun);
    if (c->idle || pass == NULL)
        return;
    if (action->afresh && !begun)
        begin_afresh(blocks, trn_joint_types[trn_kernel_type(c->kernel)],
                     step->kernels->joints[c->kernel].impulse_count, c);
    bool read = known || !(last || action->passing);
    float *places = read && keep.columns != NULL ? keep.columns + (size_t)c->place * TR_LANES : NULL;
    pass(context, blocks, c->first, c->count, places, step->kernels->placed[c->kernel].columns);
    if (action->ends && step->program.watches)
        trn_note_chunk(step, c, action->early);
}

/* whether what sweeps have found for a joint is its row's; otherwise the direct method writes that later */
static bool is_swept(const uint32_t *joint_flags, uint32_t row)
{
    return joint_flags == NULL || (joint_flags[row] & TR_JOINT_EXACT) == 0;
}

/* of 16 consecutive rows */
static bool are_swept(const uint32_t *joint_flags, uint32_t row)
{
    uint32_t any = 0;
    for (uint32_t lane = 0; joint_flags != NULL && lane < TR_LANES; lane++)
        any |= joint_flags[row + lane];
    return (any & TR_JOINT_EXACT) == 0;
}

/* the number of a block's joints, which are in its first lanes; *all: all of them act */
static uint32_t count_joints(const uint32_t *joint_flags, const uint32_t *rows, bool *all)
{
    uint32_t count = 0;
    *all = true;
    for (; count < TR_LANES && rows[count] != TR_NONE; count++)
        *all = *all && trn_joint_acts(joint_flags, rows[count]) && is_swept(joint_flags, rows[count]);
    return count;
}

static bool all_sane(const float *numbers, uint32_t count)
{
    uint32_t other = 0;
    for (uint32_t i = 0; i < count; i++)
        other |= !(fabsf(numbers[i]) <= TR_SANE_IMPULSE);
    return other == 0;
}

/* a separation that is not a number is a gap that nothing closes */
static float kept_separation(float separation)
{
    return isnan(separation) ? TR_SANE_IMPULSE : fmaxf(-TR_SANE_IMPULSE, fminf(separation, TR_SANE_IMPULSE));
}

/* what a block carries to the next step, which queries read and the state hash covers */
static void keep_sane(const trn_joint_type_info *info, uint32_t impulse_count, float *impulses)
{
    if (all_sane(impulses, impulse_count * TR_LANES))
        return;
    for (uint32_t i = 0; i < impulse_count * TR_LANES; i++)
        impulses[i] = info->impulse_roles[i / TR_LANES] == TR_ROLE_PLACE ? kept_separation(impulses[i])
                                                                         : trn_kept_impulse(impulses[i]);
}

/* stores a column of a block, whose rows are anywhere */
static void scatter(float *restrict to, const uint32_t *restrict rows, const float *restrict from, uint32_t count)
{
    for (uint32_t lane = 0; lane < count; lane++)
        to[rows[lane]] = from[lane];
}

void trn_finish_chunk(const trn_step *step, const trn_chunk *c)
{
    if (c->idle)
        return;
    if (step->program.watches)
        trn_end_watched(step, c);
    const trn_blocks *blocks = &step->solver->blocks[c->kernel];
    const trn_joints *joints = &step->system->joints[trn_kernel_type(c->kernel)];
    uint32_t impulse_count = step->kernels->joints[c->kernel].impulse_count;
    for (uint32_t b = c->first; b < c->first + c->count; b++) {
        float *impulses = trn_block_columns(blocks, b);
        const uint32_t *rows = blocks->rows + (size_t)b * TR_LANES;
        keep_sane(trn_joint_types[trn_kernel_type(c->kernel)], impulse_count, impulses);
        if (step->stiffness != NULL && (blocks->flags[b] & TR_BLOCK_STIFF) != 0)
            trn_look_for_stiffness(step, c->kernel, b);
        if ((blocks->flags[b] & TR_BLOCK_CONTIGUOUS) != 0 && trn_joints_act(joints->flags, rows[0]) &&
            are_swept(joints->flags, rows[0])) {
            for (uint32_t i = 0; i < impulse_count; i++)
                memcpy(joints->impulse[i] + rows[0], impulses + i * TR_LANES, TR_LANES * sizeof *impulses);
            continue;
        }
        bool all;
        const uint32_t count = count_joints(joints->flags, rows, &all);
        for (uint32_t i = 0; all && i < impulse_count; i++)
            scatter(joints->impulse[i], rows, impulses + i * TR_LANES, count);
        for (uint32_t lane = 0; lane < count && !all; lane++) {
            const bool acts = trn_joint_acts(joints->flags, rows[lane]);
            for (uint32_t i = 0; is_swept(joints->flags, rows[lane]) && i < impulse_count; i++)
                joints->impulse[i][rows[lane]] = acts ? impulses[i * TR_LANES + lane] : 0.0f;
        }
    }
}

static void run_seam(trn_step *step, const trn_stage_data *stage, const trn_chunk *c)
{
    trn_keep keep = {NULL, false};
    if (step->all_places != NULL)
        keep = (trn_keep){step->all_places + (size_t)step->solver->seam_places * TR_LANES, true};
    if (stage->prepares)
        trn_prepare_chunk(step, &step->context, c);
    if (stage->action.kind == TR_PASS)
        trn_pass_chunk(step, stage->action.still ? &step->still : &step->context, c, &stage->action, keep, false);
    if (stage->warms) {
        trn_action warm_start = trn_warm_start_at(&step->program, stage->substep);
        trn_pass_chunk(step, &step->ahead, c, &warm_start, keep, false);
    }
    if (stage->finishes)
        trn_finish_chunk(step, c);
}

void trn_run_seams(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    trn_step *step = context;
    const trn_stage_data *stage = data;
    run_seam(step, stage, (const trn_chunk *)step->solver->chunks.data + stage->first + chunk);
}

void trn_run_strand(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    trn_step *step = context;
    const uint32_t *first = (const uint32_t *)step->solver->strands.data + chunk;
    for (uint32_t c = first[0]; c < first[1];) {
        const trn_chunk all = trn_next_chunks(step->solver->chunks.data, first[1], &c);
        run_seam(step, data, &all);
    }
}
