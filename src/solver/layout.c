/* The layout of a step's packed data: which state row stands for which body, which lane of which block is which joint. */
#include <string.h>

#include "solver/joints2/contact.h"
#include "solver/solver_internal.h"

bool tr2_array_reserve(tr_memory *memory, tr2_array *array, uint32_t count, size_t size)
{
    return tr_grow(memory, &array->data, &array->capacity, count, size);
}

/* `apart`: rows that have their frames apart */
static bool reserve_bodies(tr2_solver *solver, uint32_t bodies, uint32_t rows, uint32_t apart, uint32_t hubs)
{
    tr_memory *m = solver->memory;
    uint32_t shared = hubs > 0 ? rows : 0;
    return tr2_array_reserve(m, &solver->state_of_body, bodies, sizeof(uint32_t)) &&
           tr2_array_reserve(m, &solver->body_of_state, rows, sizeof(uint32_t)) &&
           tr2_array_reserve(m, &solver->share, shared, sizeof(float)) &&
           tr2_array_reserve(m, &solver->inertia_share, shared, sizeof(float)) &&
           tr2_array_reserve(m, &solver->split, shared, sizeof(uint8_t)) &&
           tr2_array_reserve(m, &solver->hubs, hubs, sizeof(tr2_hub)) &&
           tr2_array_reserve(m, &solver->places, rows, sizeof(tr2_body_place)) &&
           tr2_array_reserve(m, &solver->velocities, rows, sizeof(tr2_body_velocity)) &&
           tr2_array_reserve(m, &solver->poses, rows + apart, sizeof(tr2_body_pose)) &&
           tr2_array_reserve(m, &solver->marks, rows, sizeof(uint8_t));
}

/* the unit of a row of the table of bodies that moves */
static uint32_t unit_of_body(const tr2_system *system, uint32_t row)
{
    return tr_plan_unit(system->plan, system->bodies->id[row].index - 1);
}

static uint32_t round_up(uint32_t count)
{
    return (count + TR_LANES - 1) / TR_LANES * TR_LANES;
}

/*
 * Units: the plan's, with their rows, each from a multiple of 16 on; then rows [*loose, the end) that are in none of
 * them, in units without joints. Room for these is made for any number of rows that the bodies can come to.
 */
static tr_status lay_out_units(tr2_solver *solver, const tr2_system *system, uint64_t loose_at_most, uint32_t *loose)
{
    const tr2_bodies *bodies = system->bodies;
    uint32_t planned = tr_plan_unit_count(system->plan);
    uint64_t most = planned + loose_at_most / TR2_BODY_CHUNK + 2;
    if (most * TR_LANES + 2 * loose_at_most > INT32_MAX / TR2_ROW - 2 * TR_LANES)
        return TR_ERROR_LIMIT;
    if (!tr2_array_reserve(solver->memory, &solver->units, (uint32_t)most, sizeof(tr2_unit)) ||
        !tr2_array_reserve(solver->memory, &solver->visits, (uint32_t)most, sizeof(uint32_t)))
        return TR_ERROR_MEMORY;
    tr2_unit *units = solver->units.data;
    memset(units, 0, most * sizeof *units);
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        uint32_t unit = bodies->type[row] == TR_DYNAMIC ? unit_of_body(system, row) : TR_NONE;
        if (unit != TR_NONE)
            units[unit].row_count++;
    }
    uint32_t next = 0;
    for (uint32_t u = 0; u < planned; u++) {
        units[u].first_row = next;
        units[u].moves = units[u].whole = units[u].row_count > 0;
        units[u].row_count = round_up(units[u].row_count);
        next += units[u].row_count;
    }
    solver->plan_units = planned;
    *loose = next;
    return TR_OK;
}

/* rows that are in no unit of the plan: from `first` on */
static void lay_out_loose(tr2_solver *solver, const tr2_system *system, uint32_t first)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    tr2_unit *units = solver->units.data;
    solver->unit_count = solver->plan_units;
    for (uint32_t row = first; row < solver->state_count; row += TR2_BODY_CHUNK) {
        uint32_t left = solver->state_count - row;
        tr2_unit *unit = &units[solver->unit_count++];
        *unit = (tr2_unit){.first_row = row, .row_count = left < TR2_BODY_CHUNK ? left : TR2_BODY_CHUNK};
        for (uint32_t i = row; i < row + unit->row_count; i++)
            unit->moves |= body_of_state[i] != TR_NONE && system->bodies->type[body_of_state[i]] != TR_STATIC;
    }
}

/* the rows of bodies that are split, and what they mean for the units */
static void lay_out_hubs(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, uint32_t copies)
{
    const uint32_t *state_of_body = solver->state_of_body.data;
    uint32_t *body_of_state = solver->body_of_state.data;
    uint8_t *split = solver->split.data;
    tr2_hub *hubs = solver->hubs.data;
    solver->hub_count = plan->hub_count;
    for (uint32_t i = 0; i < plan->hub_count; i++) {
        const tr_plan_hub *h = &plan->hubs[i];
        uint32_t body_row = system->body_pool->row[h->vertex], unit = unit_of_body(system, body_row);
        hubs[i] = (tr2_hub){state_of_body[body_row], copies + h->first_copy, h->copy_count - 1};
        split[hubs[i].row] = 1;
        for (uint32_t row = hubs[i].first_copy; row < hubs[i].first_copy + hubs[i].copies; row++) {
            body_of_state[row] = body_row;
            split[row] = 1;
        }
        if (unit != TR_NONE)
            ((tr2_unit *)solver->units.data)[unit].whole = false;
    }
}

/* bodies: moving ones first, unit by unit, then the copies of split ones, then the null row, then the fixed ones */
static tr_status lay_out_bodies(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan)
{
    const tr2_bodies *bodies = system->bodies;
    uint32_t body_count = bodies->table.count, loose;
    tr_status status = lay_out_units(solver, system, (uint64_t)body_count + plan->copy_count + 1, &loose);
    if (status != TR_OK)
        return status;
    tr2_unit *units = solver->units.data;
    uint32_t others = plan->copy_count + 1;
    for (uint32_t row = 0; row < body_count; row++)
        others += bodies->type[row] != TR_DYNAMIC || unit_of_body(system, row) == TR_NONE;
    uint32_t padded = round_up(loose + others);
    if (!reserve_bodies(solver, body_count, padded, padded - loose, plan->hub_count))
        return TR_ERROR_MEMORY;

    uint32_t *state_of_body = solver->state_of_body.data, *body_of_state = solver->body_of_state.data;
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data;
    uint8_t *split = solver->split.data;
    for (uint32_t i = 0; i < padded; i++)
        body_of_state[i] = TR_NONE;
    for (uint32_t i = 0; plan->hub_count > 0 && i < padded; i++) {
        share[i] = inertia_share[i] = 1.0f;
        split[i] = 0;
    }

    /* first_row of a unit runs along while its bodies are dealt, and is put back */
    uint32_t moving = loose;
    for (uint32_t row = 0; row < body_count; row++) {
        if (bodies->type[row] != TR_DYNAMIC)
            continue;
        uint32_t unit = unit_of_body(system, row);
        state_of_body[row] = unit == TR_NONE ? moving++ : units[unit].first_row++;
    }
    for (uint32_t u = 0, next = 0; u < solver->plan_units; u++) {
        units[u].first_row = next;
        next += units[u].row_count;
    }
    solver->moving_end = moving + plan->copy_count;
    solver->null_row = solver->moving_end;
    solver->state_count = padded;
    solver->loose_row = loose;
    uint32_t fixed = solver->null_row + 1;
    for (uint32_t row = 0; row < body_count; row++) {
        if (bodies->type[row] != TR_DYNAMIC)
            state_of_body[row] = fixed++;
        body_of_state[state_of_body[row]] = row;
    }
    lay_out_hubs(solver, system, plan, moving);
    lay_out_loose(solver, system, loose);
    return TR_OK;
}

static uint32_t state_row(const tr2_solver *solver, const tr2_system *system, tr2_body body, uint32_t copy,
                          uint32_t moving)
{
    if (copy > 0)
        return moving + copy - 1;
    return ((const uint32_t *)solver->state_of_body.data)[system->body_pool->row[body.index - 1]];
}

/* what one joint asks of a split body's mass and inertia */
typedef struct tr2_wish {
    float mass, inertia;
} tr2_wish;

/* a carrier's state row, by the copy that the plan has given the edge; the null row where it is the world */
static uint32_t carrier_row(const tr2_solver *solver, const tr2_system *system, tr2_body carrier, uint32_t edge,
                            uint32_t moving)
{
    uint32_t count = carrier.index != 0 ? tr_plan_end_count(system->plan, edge) : 0;
    for (uint32_t end = 0; end < count; end++) {
        if (tr_plan_end(system->plan, edge, end) == carrier.index - 1)
            return state_row(solver, system, carrier, tr_plan_end_copy(system->plan, edge, end), moving);
    }
    return solver->null_row;
}

/* state rows of the bodies of a lane: A, B and their carriers; returns how many the joint's kernel ties */
static uint32_t rows_of(const tr2_solver *solver, const tr2_system *system, const tr_plan_span *span, uint32_t lane,
                        uint32_t moving, uint32_t end[TR_ENDS])
{
    const tr2_joints *joints = &system->joints[span->kind / 2];
    uint32_t edge = span->edges[lane], row = system->joint_pool->row[edge];
    end[0] = state_row(solver, system, joints->body_a[row], tr_span_copy(span, lane, 0), moving);
    end[1] = state_row(solver, system, joints->body_b[row], tr_span_copy(span, lane, 1), moving);
    if (!tr2_kernel_has_carriers(span->kind))
        return 2;
    end[2] = carrier_row(solver, system, tr2_joint_carrier(joints->carrier_a, row), edge, moving);
    end[3] = carrier_row(solver, system, tr2_joint_carrier(joints->carrier_b, row), edge, moving);
    return 4;
}

/* of the bodies at a joint's other ends that can move, the least mass and inertia; this one's where there is none less */
static void least_of_others(const tr2_solver *solver, const tr2_bodies *bodies, const uint32_t *end, uint32_t count,
                            uint32_t k, float *mass, float *inertia)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    *mass = bodies->mass[body_of_state[end[k]]];
    *inertia = bodies->inertia[body_of_state[end[k]]];
    for (uint32_t i = 0; i < count; i++) {
        if (end[i] >= solver->moving_end)
            continue;
        uint32_t body = body_of_state[end[i]];
        *mass = bodies->mass[body] < *mass ? bodies->mass[body] : *mass;
        *inertia = bodies->inertia[body] < *inertia ? bodies->inertia[body] : *inertia;
    }
}

/* square of the distance from the centre of the body at an end to where the joint acts on it */
static float lever_of(const tr2_solver *solver, const tr2_system *system, const tr2_joints *joints, uint32_t row,
                      const uint32_t *end, uint32_t k)
{
    const tr2_bodies *bodies = system->bodies;
    const uint32_t *body_of_state = solver->body_of_state.data;
    uint32_t at = body_of_state[end[k % 2]];
    float x, y;
    if (joints == &system->joints[TR2_CONTACT]) {
        x = joints->own[k == 0 ? TR2_CONTACT_ARM_A_X : TR2_CONTACT_ARM_B_X][row];
        y = joints->own[k == 0 ? TR2_CONTACT_ARM_A_Y : TR2_CONTACT_ARM_B_Y][row];
    } else if (k < 2) {
        tr2_field anchor = k == 0 ? TR2_ANCHOR_A_X : TR2_ANCHOR_B_X;
        x = joints->field[anchor][row] - bodies->local_center_x[at];
        y = joints->field[anchor + 1][row] - bodies->local_center_y[at];
    } else {
        /* what it carries is at the anchor, some way off */
        x = (float)(bodies->center_x[at] - bodies->center_x[body_of_state[end[k]]]);
        y = (float)(bodies->center_y[at] - bodies->center_y[body_of_state[end[k]]]);
    }
    return x * x + y * y;
}

/* whether a joint acts on the body at an end by a torque alone */
static bool only_turns(const tr2_system *system, const tr2_joints *joints, uint32_t row, uint32_t k)
{
    const float *slides = joints->field[k % 2 == 0 ? TR2_SLIDES_A : TR2_SLIDES_B];
    if (slides == NULL)
        return joints->field[TR2_ANCHOR_A_X] == NULL && joints != &system->joints[TR2_CONTACT];
    uint32_t on;
    memcpy(&on, slides + row, sizeof on);
    return on == 0;
}

/*
 * Each joint asks for as much mass as it can use: that of the lightest body at its other ends, or the whole of this one's
 * where those are heavier or fixed; so a hub's own bearing is not as weak as one of its thousand spokes. Of the inertia it
 * asks for what that mass has at the anchor's distance, at most all there is, and a little where it has no lever arm. What
 * only turns it asks for the least inertia at its other ends, and for little mass.
 */
static tr2_wish wish_of(const tr2_solver *solver, const tr2_system *system, const tr2_joints *joints, uint32_t row,
                        const uint32_t *end, uint32_t count, uint32_t k)
{
    const tr2_bodies *bodies = system->bodies;
    uint32_t body = ((const uint32_t *)solver->body_of_state.data)[end[k]];
    float own = bodies->mass[body], inertia = bodies->inertia[body], other, theirs;
    least_of_others(solver, bodies, end, count, k, &other, &theirs);
    if (only_turns(system, joints, row, k))
        return (tr2_wish){1e-3f * other, theirs};
    float lever = other * lever_of(solver, system, joints, row, end, k);
    return (tr2_wish){other, (lever < inertia ? lever : inertia) + 1e-3f * inertia * (other / own)};
}

/* shares over a split body's rows, scaled to 1 in sum; equal ones where nothing was asked for */
static void scale_shares(const tr2_hub *hub, float *share)
{
    float sum = share[hub->row];
    for (uint32_t c = 0; c < hub->copies; c++)
        sum += share[hub->first_copy + c];
    bool none = !(sum > 0.0f);
    share[hub->row] = none ? 1.0f / (float)(hub->copies + 1) : share[hub->row] / sum;
    for (uint32_t c = 0; c < hub->copies; c++)
        share[hub->first_copy + c] = none ? 1.0f / (float)(hub->copies + 1) : share[hub->first_copy + c] / sum;
}

/* The shares of split bodies' masses and inertias, from the masses and anchors as they are now. */
static void share_masses(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, uint32_t moving)
{
    const tr2_hub *hubs = solver->hubs.data;
    const uint8_t *split = solver->split.data;
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data;
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        share[hubs[i].row] = inertia_share[hubs[i].row] = 0.0f;
        memset(share + hubs[i].first_copy, 0, hubs[i].copies * sizeof *share);
        memset(inertia_share + hubs[i].first_copy, 0, hubs[i].copies * sizeof *inertia_share);
    }
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        const tr2_joints *joints = &system->joints[span->kind / 2];
        for (uint32_t e = 0; e < span->edge_count; e++) {
            uint32_t row = system->joint_pool->row[span->edges[e]];
            uint32_t end[TR_ENDS], count = rows_of(solver, system, span, e, moving, end);
            for (uint32_t k = 0; k < count; k++) {
                /* a body at two ends asks once */
                bool again = (k == 2 && end[2] == end[1]) || (k == 3 && (end[3] == end[0] || end[3] == end[2]));
                if (!split[end[k]] || again)
                    continue;
                tr2_wish wish = wish_of(solver, system, joints, row, end, count, k);
                share[end[k]] += wish.mass;
                inertia_share[end[k]] += wish.inertia;
            }
        }
    }
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        scale_shares(&hubs[i], share);
        scale_shares(&hubs[i], inertia_share);
    }
}

/* how many blocks each kernel has, and room for them, for chunks, and for what is kept per block */
static tr_status reserve_blocks(tr2_solver *solver, const tr2_kernels *kernels, const tr_plan_layout *plan)
{
    uint64_t chunk_count = 0;
    for (uint32_t k = 0; k < TR2_KERNEL_COUNT; k++)
        solver->blocks[k].count = 0;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        uint32_t blocks = plan->spans[i].edge_count / TR_LANES + (plan->spans[i].edge_count % TR_LANES != 0);
        solver->blocks[plan->spans[i].kind].count += blocks;
        chunk_count += blocks / TR2_BLOCK_CHUNK + 1;
    }
    if (chunk_count > INT32_MAX)
        return TR_ERROR_LIMIT;
    if (!tr2_array_reserve(solver->memory, &solver->chunks, (uint32_t)chunk_count, sizeof(tr2_chunk)))
        return TR_ERROR_MEMORY;
    for (uint32_t k = 0; k < TR2_KERNEL_COUNT; k++) {
        tr2_blocks *b = &solver->blocks[k];
        b->stride = sizeof(tr2_block_bodies) + (size_t)kernels->joints[k].column_count * TR_LANES * sizeof(float);
        uint32_t capacity = solver->block_capacity[k], needed = b->count;
        if (needed <= capacity)
            continue;
        /* the packed data is made again in every step: nothing of the old needs to be kept */
        uint32_t grown = tr_grown_capacity(capacity, needed);
        void *data = tr_allocate_array(solver->memory, grown, b->stride);
        uint32_t *rows = tr_allocate_array(solver->memory, grown, TR_LANES * sizeof(uint32_t));
        uint8_t *flags = tr_allocate_array(solver->memory, grown, sizeof(uint8_t));
        if (data == NULL || rows == NULL || flags == NULL) {
            tr_release(solver->memory, data, grown * b->stride);
            tr_release(solver->memory, rows, grown * (size_t)TR_LANES * sizeof(uint32_t));
            tr_release(solver->memory, flags, grown);
            return TR_ERROR_MEMORY;
        }
        tr_release(solver->memory, b->data, capacity * b->stride);
        tr_release(solver->memory, b->rows, capacity * (size_t)TR_LANES * sizeof(uint32_t));
        tr_release(solver->memory, b->flags, capacity);
        b->data = data;
        b->rows = rows;
        b->flags = flags;
        solver->block_capacity[k] = grown;
    }
    return TR_OK;
}

/* the carriers of a block's lanes: its last two columns */
static void lay_out_carriers(tr2_solver *solver, const tr2_system *system, const tr_plan_span *span, uint32_t first,
                             uint32_t block, uint32_t moving)
{
    const tr2_blocks *b = &solver->blocks[span->kind];
    int32_t *column = (int32_t *)(void *)(b->data + (block + 1) * b->stride) - 2 * TR_LANES;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        uint32_t end[TR_ENDS] = {[2] = solver->null_row, [3] = solver->null_row};
        if (first + lane < span->edge_count)
            (void)rows_of(solver, system, span, first + lane, moving, end);
        column[lane] = TR2_ROW * (int32_t)end[2];
        column[TR_LANES + lane] = TR2_ROW * (int32_t)end[3];
    }
}

/* one block of a span: up to 16 edges from `first`; the lanes beyond have the null row and no joint */
static void lay_out_block(tr2_solver *solver, const tr2_system *system, const tr_plan_span *span, uint32_t first,
                          uint32_t block, uint32_t moving)
{
    const tr2_blocks *b = &solver->blocks[span->kind];
    const tr2_joints *joints = &system->joints[span->kind / 2];
    tr2_block_bodies *bodies = (tr2_block_bodies *)(void *)(b->data + block * b->stride);
    uint32_t *rows = b->rows + (size_t)block * TR_LANES;
    uint32_t used = span->edge_count - first < TR_LANES ? span->edge_count - first : TR_LANES;
    bool fixed = used < TR_LANES, contiguous = used == TR_LANES, run = true;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        rows[lane] = TR_NONE;
        bodies->a[lane] = bodies->b[lane] = TR2_ROW * (int32_t)solver->null_row;
        if (lane >= used)
            continue;
        uint32_t row = system->joint_pool->row[span->edges[first + lane]];
        rows[lane] = row;
        uint32_t a = state_row(solver, system, joints->body_a[row], tr_span_copy(span, first + lane, 0), moving);
        uint32_t c = state_row(solver, system, joints->body_b[row], tr_span_copy(span, first + lane, 1), moving);
        bodies->a[lane] = TR2_ROW * (int32_t)a;
        bodies->b[lane] = TR2_ROW * (int32_t)c;
        fixed = fixed || a >= solver->moving_end || c >= solver->moving_end;
        contiguous = contiguous && row == rows[0] + lane;
        uint32_t group = lane % TR_RUN_GROUP;
        int32_t place = TR2_ROW * (int32_t)(lane / TR_RUN_GROUP);
        run = run && bodies->a[lane] == bodies->a[group] + place && bodies->b[lane] == bodies->b[group] + place;
    }
    if (tr2_kernel_has_carriers(span->kind)) {
        lay_out_carriers(solver, system, span, first, block, moving);
        run = false;
    }
    b->flags[block] = (uint8_t)((run && !fixed ? TR2_BLOCK_RUN : 0u) | (fixed ? TR2_BLOCK_FIXED : 0u) |
                                (contiguous ? TR2_BLOCK_CONTIGUOUS : 0u));
}

/* a joint between a unit and what moves without it: another unit, or a body that the host moves */
static void mark_touched(tr2_solver *solver, const tr2_system *system, const tr_plan_span *span)
{
    tr2_unit *units = solver->units.data;
    for (uint32_t e = 0; e < span->edge_count; e++) {
        uint32_t ends = tr_plan_end_count(system->plan, span->edges[e]);
        for (uint32_t end = 0; end < ends; end++) {
            uint32_t vertex = tr_plan_end(system->plan, span->edges[e], end);
            uint32_t type = system->bodies->type[system->body_pool->row[vertex]];
            uint32_t unit = type == TR_DYNAMIC ? tr_plan_unit(system->plan, vertex) : TR_NONE;
            if (span->unit != TR_NONE && type == TR_KINEMATIC)
                units[span->unit].whole = false;
            else if (span->unit == TR_NONE && unit != TR_NONE)
                units[unit].whole = false;
        }
    }
}

/* chunks of a span's blocks: all at once in a unit, and so many that workers can share them in a seam */
static void lay_out_span(tr2_solver *solver, const tr_plan_span *span, uint32_t first)
{
    tr2_chunk *chunks = solver->chunks.data;
    uint32_t blocks = (span->edge_count + TR_LANES - 1) / TR_LANES, most = TR2_BLOCK_CHUNK;
    if (span->unit != TR_NONE) {
        tr2_unit *unit = (tr2_unit *)solver->units.data + span->unit;
        if (unit->chunk_count++ == 0)
            unit->first_chunk = solver->chunk_count;
        most = blocks;
    }
    for (uint32_t b = 0; b < blocks; b += most) {
        uint32_t count = blocks - b < most ? blocks - b : most;
        chunks[solver->chunk_count++] = (tr2_chunk){span->kind, first + b, count};
    }
}

static void lay_out_joints(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan)
{
    uint32_t next[TR2_KERNEL_COUNT] = {0}, color = TR_NONE;
    uint32_t moving = solver->moving_end - plan->copy_count;
    solver->chunk_count = 0;
    solver->color_count = 0;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        if (span->unit == TR_NONE && span->color != color) {
            solver->color_first_chunk[solver->color_count++] = solver->chunk_count;
            color = span->color;
        }
        uint32_t blocks = (span->edge_count + TR_LANES - 1) / TR_LANES, start = next[span->kind];
        for (uint32_t b = 0; b < blocks; b++)
            lay_out_block(solver, system, span, b * TR_LANES, start + b, moving);
        mark_touched(solver, system, span);
        lay_out_span(solver, span, start);
        next[span->kind] += blocks;
    }
    solver->color_first_chunk[solver->color_count] = solver->chunk_count;
    solver->span_count = plan->span_count;
    solver->solved_joints = plan->solved_edges;
}

/* the units that go through a step in many visits */
static void list_visits(tr2_solver *solver)
{
    const tr2_unit *units = solver->units.data;
    uint32_t *visits = solver->visits.data;
    solver->visit_count = solver->visit_loose = 0;
    for (uint32_t u = 0; u < solver->unit_count; u++) {
        if (units[u].moves && !units[u].whole)
            visits[solver->visit_count++] = u;
        if (u < solver->plan_units)
            solver->visit_loose = solver->visit_count;
    }
}

/* everything anew */
static tr_status lay_out(tr2_solver *solver, const tr2_system *system)
{
    solver->laid_out = false;
    solver->stage_substeps = 0;
    const tr_plan_layout *plan;
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    if (status == TR_OK)
        status = lay_out_bodies(solver, system, plan);
    /* the columns of a kernel are the same on every instruction set */
    if (status == TR_OK)
        status = reserve_blocks(solver, &tr2_kernels_scalar, plan);
    if (status != TR_OK)
        return status;
    lay_out_joints(solver, system, plan);
    list_visits(solver);
    solver->plan_version = tr_plan_version(system->plan);
    solver->laid_out = true;
    return TR_OK;
}

tr_status tr2_solver_layout(tr2_solver *solver, const tr2_system *system)
{
    bool known = solver->laid_out && solver->plan_version == tr_plan_version(system->plan);
    tr_status status = known ? TR_OK : lay_out(solver, system);
    if (status != TR_OK || solver->hub_count == 0)
        return status;
    /* masses and anchors may have changed, which the plan does not know */
    const tr_plan_layout *plan;
    status = tr_plan_layout_get(system->plan, &plan);
    if (status == TR_OK)
        share_masses(solver, system, plan, solver->moving_end - plan->copy_count);
    return status;
}
