/*
 * Geometric stiffness: a force F at the arm r of a body causes the restoring torque r . F per angle, like a weight on a
 * pendulum. Let k be the sum over a body's forces. If h^2 k exceeds the body's inertia I, the oscillation is too fast
 * for a sub-step; from four times I on, it grows until joints break apart. Such a body gets the effective inertia h^2 k
 * for all torques; it then oscillates with a period of six sub-steps (Andrews et al. 2017). An oscillation of lower
 * frequency w is delayed by less than (h w)^2 / 2 of its period.
 *
 * The forces are those of point joints at the end of the last step. (For bodies under pressure, above all by contacts,
 * the sum is negative.) Preparing a joint compares its torque with a threshold. A joint above it is marked in its table
 * and counts from the next step on; it keeps the mark while the body is slowed down and the joint contributes to it. So
 * other bodies keep identical bits and cost one comparison per joint.
 *
 * The sums are computed joint by joint from the tables: those of seams before all stages; those of units before their
 * rows are prepared, or before all stages, too, if bodies are split. So they do not depend on the number of threads or
 * the layout.
 */
#include <math.h>

#include "solver/core/solver_internal.h"

/* threshold for a body that is slowed down already: below the share of any of 32 joints that carry its load together */
#define SLOWED_SHARE (1.0f / 64.0f)

static bool has_point(const tr2_chunk *chunk)
{
    return !chunk->idle && tr2_joint_types[tr2_kernel_type(chunk->kernel)]->tie == TR_TIE_POINT;
}

/*
 * Marks
 */

/* whether a joint's effect on the body of a state row counts */
static bool counts(const tr2_step *step, int32_t body, float share, bool before)
{
    bool slowed = (step->context.marks[body / TR2_ROW] & TR_MARK_STIFF) != 0;
    return share > (before && slowed ? SLOWED_SHARE : TR_STIFF_SHARE) * step->context.inv_h;
}

void tr2_see_stiffness(const tr2_step *step, const tr2_chunk *chunk)
{
    const tr2_blocks *blocks = &step->solver->blocks[chunk->kernel];
    float share[2][TR_LANES], most = TR_STIFF_SHARE * step->context.inv_h;
    for (uint32_t b = chunk->first; has_point(chunk) && b < chunk->first + chunk->count; b++) {
        bool any = false;
        step->kernels->stiffness(&step->carried, &step->columns[tr2_kernel_type(chunk->kernel)], blocks, b,
                                 step->kernels->joints[chunk->kernel].impulse_count, share);
        for (uint32_t lane = 0; lane < TR_LANES; lane++)
            any = any || !(share[0][lane] <= most && share[1][lane] <= most);
        if (any)
            blocks->flags[b] |= TR_BLOCK_STIFF;
    }
}

void tr2_look_for_stiffness(const tr2_step *step, uint32_t kernel, uint32_t block)
{
    const tr2_blocks *blocks = &step->solver->blocks[kernel];
    const tr2_block_bodies *bodies = tr2_block_ends(blocks, block);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES;
    uint32_t *flags = step->system->joints[tr2_kernel_type(kernel)].flags;
    float share[2][TR_LANES];
    bool any = false;
    step->kernels->stiffness(&step->carried, &step->columns[tr2_kernel_type(kernel)], blocks, block,
                             step->kernels->joints[kernel].impulse_count, share);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        if (rows[lane] == TR_NONE)
            continue;
        bool before = (flags[rows[lane]] & TR_JOINT_STIFF) != 0;
        bool now = counts(step, bodies->a[lane], share[0][lane], before) ||
                   counts(step, bodies->b[lane], share[1][lane], before);
        if (now != before)
            flags[rows[lane]] ^= TR_JOINT_STIFF;
        any = any || now;
    }
    if (!any)
        blocks->flags[block] &= (uint8_t)~TR_BLOCK_STIFF;
}

void tr2_end_stiffness(tr2_solver *solver)
{
    const tr2_chunk *chunks = solver->chunks.data;
    uint32_t any = 0;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        /* null for a spare chunk, whose kernel may have no blocks */
        const uint8_t *flags = solver->blocks[chunks[c].kernel].flags;
        for (uint32_t b = 0; has_point(&chunks[c]) && b < chunks[c].count; b++)
            any |= flags[chunks[c].first + b];
    }
    solver->stiff = (any & TR_BLOCK_STIFF) != 0;
}

/*
 * Sums
 */

/* r . impulse on B, at the end whose body has this row */
static float turn_back(const tr2_bodies *bodies, const tr2_joints *joints, uint32_t joint, uint32_t body,
                       tr2_field anchor_x)
{
    tr_vec2 center = tr2_body_center(bodies, body);
    float x = joints->field[anchor_x][joint] - center.x, y = joints->field[anchor_x + 1][joint] - center.y;
    float c = bodies->c[body], s = bodies->s[body];
    return (c * x - s * y) * joints->impulse[0][joint] + (s * x + c * y) * joints->impulse[1][joint];
}

static void add_block(const tr2_step *step, const tr2_chunk *chunk, uint32_t block)
{
    const tr2_blocks *blocks = &step->solver->blocks[chunk->kernel];
    const tr2_joints *joints = &step->system->joints[tr2_kernel_type(chunk->kernel)];
    const tr2_bodies *bodies = step->system->bodies;
    const tr2_block_bodies *ends = tr2_block_ends(blocks, block);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES, *body_of_state = step->solver->body_of_state.data;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        if (rows[lane] == TR_NONE || (joints->flags[rows[lane]] & TR_JOINT_STIFF) == 0)
            continue;
        int32_t a = ends->a[lane] / TR2_ROW, b = ends->b[lane] / TR2_ROW;
        /* rows of fixed bodies may be in use by other workers */
        if (a < step->context.moving_end)
            step->stiffness[a] -= turn_back(bodies, joints, rows[lane], body_of_state[a], TR2_FIELD_ANCHOR_A_X);
        if (b < step->context.moving_end)
            step->stiffness[b] += turn_back(bodies, joints, rows[lane], body_of_state[b], TR2_FIELD_ANCHOR_B_X);
    }
}

void tr2_sum_stiffness(const tr2_step *step, const tr2_chunk *chunks, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        const uint8_t *flags = step->solver->blocks[chunks[c].kernel].flags;
        for (uint32_t b = chunks[c].first; has_point(&chunks[c]) && b < chunks[c].first + chunks[c].count; b++) {
            if ((flags[b] & TR_BLOCK_STIFF) != 0)
                add_block(step, &chunks[c], b);
        }
    }
}

tr_status tr2_reserve_stiffness(tr2_solver *solver, const tr2_system *system)
{
    if (!solver->stiff)
        return TR_OK;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        if (tr2_joint_types[type]->tie == TR_TIE_POINT && !tr2_joints_hold_flags(&system->joints[type], type))
            return TR_ERROR_MEMORY;
    }
    return tr2_array_reserve(solver->memory, &solver->stiffness, solver->state_count, sizeof(float)) ? TR_OK
                                                                                                     : TR_ERROR_MEMORY;
}

void tr2_begin_stiffness(tr2_step *step)
{
    tr2_solver *solver = step->solver;
    if (!solver->stiff || solver->last_h <= 0.0f)
        return;
    step->stiffness = solver->stiffness.data;
    memset(step->stiffness, 0, solver->state_count * sizeof *step->stiffness);
    uint32_t seams = tr2_first_seam(solver);
    tr2_sum_stiffness(step, (const tr2_chunk *)solver->chunks.data + seams, solver->chunk_count - seams);
    /* copies of split bodies belong to no unit, and joints of units may act on them */
    if (solver->hub_count > 0)
        tr2_sum_stiffness(step, solver->chunks.data, seams);
}

/*
 * Rows
 */

void tr2_stiffen_rows(const tr2_step *step, const tr2_kernel_context *k, uint32_t first)
{
    /* convert impulses of the last step's sub-step to this step's */
    float scale = k->h * (k->h / step->solver->last_h);
    for (uint32_t row = first; row < first + TR_LANES; row++) {
        if (!(step->stiffness[row] > 0.0f))
            continue;
        float inertia = step->stiffness[row] * scale;
        uint32_t frame = (uint32_t)(tr2_frame_row(k, TR2_ROW * (int32_t)row) / TR2_ROW);
        float *inverse = tr2_member(k->frames, frame, 3, k->tiled);
        if (!(inertia * *inverse > 1.0f))
            continue;
        /* torques applied by the application accelerate it as little as joints do */
        if (k->scale != NULL)
            k->gain[4 * (size_t)row + 2] *= 1.0f / (inertia * *inverse);
        *inverse = 1.0f / inertia;
        k->marks[row] |= TR_MARK_STIFF;
    }
}
