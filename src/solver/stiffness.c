/*
 * Geometric stiffness: a force F that acts at the arm r of a body turns it back, as a weight does a pendulum, by the torque
 * r . F per angle. Where h^2 times the sum of these, k, is over the body's inertia I, that is faster than a sub-step can
 * follow, and from four times I on the body whips ever further, until it tears its joints apart. There the body turns as if its
 * inertia were h^2 k, for all that acts on it: it swings with a period of six sub-steps then (Andrews et al. 2017). A swing of a
 * slower frequency w comes late by less than (h w)^2 / 2 of its period. Trees do the same by themselves.
 *
 * Forces are those at the end of the step before, of points alone: where bodies are pushed, by contacts above all, the sum is
 * negative. Joints that count are marked in their table, one step after they have been seen in passing by who prepares them; a mark
 * stays while the body is slowed down and the joint has some part in it. So who is not strained keeps all of its bits, and
 * pays for one comparison.
 *
 * Sums go joint by joint from the tables: of seams before all stages, of units before their rows are prepared, or before all
 * stages too where bodies are split. So they are the same for any number of threads, and for every layout.
 */
#include <math.h>

#include "solver/solver_internal.h"

/* of a body that is slowed down already, what is worth looking at: less than any of 32 joints that share its load */
#define SLOWED_SHARE (1.0f / 64.0f)

static bool has_point(const tr2_chunk *chunk)
{
    return !chunk->idle && tr2_joint_types[tr2_kernel_type(chunk->kernel)]->tie == TR2_TIE_POINT;
}

/*
 * Marks
 */

/* whether what a joint does to the body of a state row is to be counted */
static bool counts(const tr2_step *step, int32_t body, float share, bool before)
{
    bool slowed = (step->context.marks[body / TR2_ROW] & TR2_MARK_STIFF) != 0;
    return share > (before && slowed ? SLOWED_SHARE : TR2_STIFF_SHARE) * step->context.inv_h;
}

void tr2_see_stiffness(const tr2_step *step, const tr2_chunk *chunk)
{
    const tr2_blocks *blocks = &step->solver->blocks[chunk->kernel];
    float share[2][TR_LANES], most = TR2_STIFF_SHARE * step->context.inv_h;
    for (uint32_t b = chunk->first; has_point(chunk) && b < chunk->first + chunk->count; b++) {
        bool any = false;
        step->kernels->stiffness(&step->carried, &step->columns[tr2_kernel_type(chunk->kernel)], blocks, b,
                                 step->kernels->joints[chunk->kernel].impulse_count, share);
        for (uint32_t lane = 0; lane < TR_LANES; lane++)
            any = any || !(share[0][lane] <= most && share[1][lane] <= most);
        if (any)
            blocks->flags[b] |= TR2_BLOCK_STIFF;
    }
}

void tr2_look_for_stiffness(const tr2_step *step, uint32_t kernel, uint32_t block)
{
    const tr2_blocks *blocks = &step->solver->blocks[kernel];
    const tr2_block_bodies *bodies = (const void *)(blocks->data + block * blocks->stride);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES;
    uint32_t *flags = step->system->joints[tr2_kernel_type(kernel)].flags;
    float share[2][TR_LANES];
    bool any = false;
    step->kernels->stiffness(&step->carried, &step->columns[tr2_kernel_type(kernel)], blocks, block,
                             step->kernels->joints[kernel].impulse_count, share);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        if (rows[lane] == TR_NONE)
            continue;
        bool before = (flags[rows[lane]] & TR2_JOINT_STIFF) != 0;
        bool now = counts(step, bodies->a[lane], share[0][lane], before) ||
                   counts(step, bodies->b[lane], share[1][lane], before);
        if (now != before)
            flags[rows[lane]] ^= TR2_JOINT_STIFF;
        any = any || now;
    }
    if (!any)
        blocks->flags[block] &= (uint8_t)~TR2_BLOCK_STIFF;
}

void tr2_end_stiffness(tr2_solver *solver)
{
    const tr2_chunk *chunks = solver->chunks.data;
    uint32_t any = 0;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const uint8_t *flags = solver->blocks[chunks[c].kernel].flags + chunks[c].first;
        for (uint32_t b = 0; has_point(&chunks[c]) && b < chunks[c].count; b++)
            any |= flags[b];
    }
    solver->stiff = (any & TR2_BLOCK_STIFF) != 0;
}

/*
 * Sums
 */

/* r times the impulse on B at a joint's end, whose body has this row */
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
    const tr2_block_bodies *ends = (const void *)(blocks->data + block * blocks->stride);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES, *body_of_state = step->solver->body_of_state.data;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        if (rows[lane] == TR_NONE || (joints->flags[rows[lane]] & TR2_JOINT_STIFF) == 0)
            continue;
        int32_t a = ends->a[lane] / TR2_ROW, b = ends->b[lane] / TR2_ROW;
        /* others may be at work on what does not move */
        if (a < step->context.moving_end)
            step->stiffness[a] -= turn_back(bodies, joints, rows[lane], body_of_state[a], TR2_ANCHOR_A_X);
        if (b < step->context.moving_end)
            step->stiffness[b] += turn_back(bodies, joints, rows[lane], body_of_state[b], TR2_ANCHOR_B_X);
    }
}

void tr2_sum_stiffness(const tr2_step *step, const tr2_chunk *chunks, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        const uint8_t *flags = step->solver->blocks[chunks[c].kernel].flags;
        for (uint32_t b = chunks[c].first; has_point(&chunks[c]) && b < chunks[c].first + chunks[c].count; b++) {
            if ((flags[b] & TR2_BLOCK_STIFF) != 0)
                add_block(step, &chunks[c], b);
        }
    }
}

tr_status tr2_reserve_stiffness(tr2_solver *solver, const tr2_system *system)
{
    if (!solver->stiff)
        return TR_OK;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        if (tr2_joint_types[type]->tie == TR2_TIE_POINT && !tr2_joints_hold_flags(&system->joints[type], type))
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
    uint32_t seams = solver->color_first_chunk[0];
    tr2_sum_stiffness(step, (const tr2_chunk *)solver->chunks.data + seams, solver->chunk_count - seams);
    /* copies of a body that is split belong to no unit, and joints of units may be theirs */
    if (solver->hub_count > 0)
        tr2_sum_stiffness(step, solver->chunks.data, seams);
}

/*
 * Rows
 */

void tr2_stiffen_rows(const tr2_step *step, uint32_t first)
{
    const tr2_kernel_context *k = &step->context;
    /* the impulses were those of another sub-step */
    float scale = k->h * (k->h / step->solver->last_h);
    for (uint32_t row = first; row < first + TR_LANES; row++) {
        if (!(step->stiffness[row] > 0.0f))
            continue;
        float inertia = step->stiffness[row] * scale;
        float *inverse = &k->frames[tr2_frame_row(k, TR2_ROW * (int32_t)row) / TR2_ROW].inverse_inertia;
        if (!(inertia * *inverse > 1.0f))
            continue;
        /* torques of the host turn it as slowly as joints do */
        if (k->scale != NULL)
            k->gain[4 * (size_t)row + 2] *= 1.0f / (inertia * *inverse);
        *inverse = 1.0f / inertia;
        k->marks[row] |= TR2_MARK_STIFF;
    }
}
