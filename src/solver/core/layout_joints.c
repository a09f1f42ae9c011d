/*
 * The layout of joints: which lane of which block is which joint, and which blocks are solved together. If only lanes
 * changed, it is patched: a span keeps its blocks and gets additional ones at the end of the array, and only blocks
 * with other joints, or other rows, are laid out again.
 */
#include <string.h>

#include "solver/core/solver_internal.h"

/*
 * State rows of a joint's bodies
 */
static uint32_t state_row(const trn_solver *solver, const trn_system *system, uint32_t vertex, uint32_t copy)
{
    if (copy > 0)
        return solver->first_copy + copy - 1;
    return ((const uint32_t *)solver->state_of_body.data)[system->body_pool->row[vertex]];
}

/* a carrier's state row, using the copy that the plan assigned to the edge; the null row for the world */
static uint32_t carrier_row(const trn_solver *solver, const trn_system *system, trn_body carrier, uint32_t edge)
{
    uint32_t count = carrier.index != 0 ? tr_plan_end_count(system->plan, edge) : 0;
    for (uint32_t end = 0; end < count; end++) {
        if (tr_plan_end(system->plan, edge, end) == carrier.index - 1)
            return state_row(solver, system, carrier.index - 1, tr_plan_end_copy(system->plan, edge, end));
    }
    return solver->null_row;
}

uint32_t trn_lane_rows(const trn_solver *solver, const trn_system *system, const tr_plan_span *span, uint32_t lane,
                       uint32_t end[TR_ENDS])
{
    const trn_joints *joints = &system->joints[trn_kernel_type(span->kind)];
    uint32_t edge = span->edges[lane], row = system->joint_pool->row[edge];
    end[0] = state_row(solver, system, tr_plan_end(system->plan, edge, 0), tr_span_copy(span, lane, 0));
    end[1] = state_row(solver, system, tr_plan_end(system->plan, edge, 1), tr_span_copy(span, lane, 1));
    if (!trn_kernel_has_carriers(span->kind))
        return 2;
    end[2] = carrier_row(solver, system, trn_joint_carrier(joints->carrier_a, row), edge);
    end[3] = carrier_row(solver, system, trn_joint_carrier(joints->carrier_b, row), edge);
    return 4;
}

/*
 * Reserving
 */

static uint32_t block_count(const tr_plan_span *span)
{
    return span->edge_count / TR_LANES + (span->edge_count % TR_LANES != 0);
}

/* makes room for `needed` blocks of a kernel; keeps the first `kept` */
static bool reserve_blocks(trn_solver *solver, uint32_t kernel, uint32_t needed, uint32_t kept)
{
    trn_blocks *b = &solver->blocks[kernel];
    uint32_t capacity = solver->block_capacity[kernel];
    /* the columns of a kernel are the same on every instruction set */
    b->stride =
        sizeof(trn_block_bodies) + (size_t)trn_kernels_scalar.joints[kernel].column_count * TR_LANES * sizeof(float);
    if (needed <= capacity)
        return true;
    tr_memory *m = solver->memory;
    uint32_t grown = tr_grown_capacity(capacity, needed);
    unsigned char *data = tr_allocate_array(m, grown, b->stride);
    uint32_t *rows = tr_allocate_array(m, grown, TR_LANES * sizeof(uint32_t));
    trn_block_flags *flags = tr_allocate_array(m, grown, sizeof *flags);
    bool done = data != NULL && rows != NULL && flags != NULL;
    if (done && kept > 0) {
        memcpy(data, b->data, kept * b->stride);
        memcpy(rows, b->rows, kept * (size_t)TR_LANES * sizeof(uint32_t));
        memcpy(flags, b->flags, kept * sizeof *flags);
    }
    tr_release(m, done ? b->data : data, (done ? capacity : grown) * b->stride);
    tr_release(m, done ? b->rows : rows, (done ? capacity : grown) * (size_t)TR_LANES * sizeof(uint32_t));
    tr_release(m, done ? b->flags : flags, (done ? capacity : grown) * sizeof *flags);
    if (!done)
        return false;
    b->data = data;
    b->rows = rows;
    b->flags = flags;
    solver->block_capacity[kernel] = grown;
    return true;
}

/* spare chunks per unit, so that it can grow without moving the following ones */
#define SPARE_CHUNKS 4u

/* assigns the blocks of all spans consecutively */
static bool place_afresh(trn_solver *solver, const tr_plan_layout *plan)
{
    trn_span_place *places = solver->span_places.data;
    /* clears the entries of later spans, too; without any span there is no table */
    if (places != NULL)
        memset(places, 0, solver->span_places.capacity * sizeof *places);
    for (uint32_t i = 0; places != NULL && i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        uint32_t *end = &solver->block_end[span->kind], blocks = block_count(span);
        places[span->number] = (trn_span_place){.first = *end, .room = blocks};
        *end += blocks;
    }
    /* a little spare room, so that the first edit does not move all blocks */
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        if (!reserve_blocks(solver, k, solver->block_end[k] + solver->block_end[k] / 256, 0))
            return false;
    }
    return true;
}

/* Gives a span that has outgrown its blocks more of them at the end of the array, and some spare. Blocks that it
   abandons stay idle; there are never more idle blocks than used ones. */
static bool place_more(trn_solver *solver, const tr_plan_span *span)
{
    trn_span_place *place = (trn_span_place *)solver->span_places.data + span->number;
    uint32_t *end = &solver->block_end[span->kind], blocks = block_count(span);
    if (blocks <= place->room + place->more_room)
        return true;
    uint32_t needed = blocks - place->room, room = needed + needed / 2;
    if (!reserve_blocks(solver, span->kind, *end + room, *end))
        return false;
    place->more = *end;
    place->more_room = room;
    place->laid = place->laid < place->room ? place->laid : place->room;
    *end += room;
    return true;
}

static tr_status reserve(trn_solver *solver, const tr_plan_layout *plan, bool afresh)
{
    uint64_t chunk_count = 0;
    uint32_t strands = 0;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        chunk_count += block_count(span) / TR_BLOCK_CHUNK + (span->unit == TR_NONE ? 4 : 2);
        strands += span->strand != TR_NONE && (i == 0 || span[-1].strand != span->strand);
    }
    chunk_count += (uint64_t)solver->plan_units * SPARE_CHUNKS;
    if (chunk_count > INT32_MAX)
        return TR_ERROR_LIMIT;
    /* at least one: units without chunks, too, say where theirs begin */
    const uint32_t chunk_room = chunk_count > 0 ? (uint32_t)chunk_count : 1;
    if (!trn_array_reserve(solver->memory, &solver->chunks, chunk_room, sizeof(trn_chunk)) ||
        !trn_array_reserve(solver->memory, &solver->strands, strands + 1, sizeof(uint32_t)) ||
        !trn_array_reserve(solver->memory, &solver->span_places, plan->span_numbers, sizeof(trn_span_place)))
        return TR_ERROR_MEMORY;
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        solver->blocks[k].count = 0;
        if (afresh)
            solver->block_end[k] = 0;
    }
    bool placed = !afresh || place_afresh(solver, plan);
    for (uint32_t i = 0; i < plan->span_count && placed && !afresh; i++)
        placed = place_more(solver, &plan->spans[i]);
    return placed ? TR_OK : TR_ERROR_MEMORY;
}

/*
 * Blocks
 */

/* puts the bodies of a seam's lanes on the rim */
static void add_lanes_to_rim(trn_solver *solver, const int32_t *bodies)
{
    for (uint32_t lane = 0; lane < TR_LANES; lane++)
        trn_add_to_rim(solver, trn_row_at(bodies[lane]));
}

/* fills in the carriers of a block's lanes: its last two columns */
static void lay_out_carriers(trn_solver *solver, const trn_system *system, const tr_plan_span *span, uint32_t first,
                             uint32_t block)
{
    const trn_blocks *b = &solver->blocks[span->kind];
    trn_block_bodies *carriers = trn_block_ends(b, block + 1) - 1;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        uint32_t end[TR_ENDS] = {[2] = solver->null_row, [3] = solver->null_row};
        if (first + lane < span->edge_count)
            (void)trn_lane_rows(solver, system, span, first + lane, end);
        carriers->a[lane] = trn_row_offset(end[2]);
        carriers->b[lane] = trn_row_offset(end[3]);
    }
    if (span->unit == TR_NONE) {
        add_lanes_to_rim(solver, carriers->a);
        add_lanes_to_rim(solver, carriers->b);
    }
}

/* whether a block's bodies at one end are 16 state rows from a multiple of 16 on, in the order of a run */
static bool is_tile(const int32_t *bodies)
{
    bool tile = bodies[0] % TRN_TILE == 0;
    for (int32_t lane = 0; lane < TR_LANES; lane++)
        tile = tile && bodies[lane] == bodies[0] + 4 * TR_RUN_PLACE(lane);
    return tile;
}

/* which ends of a block are tiles: TRN_BLOCK_TILE_... */
static uint32_t tiles_of(const trn_solver *solver, const trn_block_bodies *bodies, bool run)
{
    uint32_t tiles = (is_tile(bodies->a) ? TR_BLOCK_TILE_A : 0u) | (is_tile(bodies->b) ? TR_BLOCK_TILE_B : 0u);
    if (run)
        return tiles == (TR_BLOCK_TILE_A | TR_BLOCK_TILE_B) ? tiles : 0u;
    const int32_t end = trn_row_offset(solver->moving_end);
    bool a_stands = true, b_stands = true;
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        a_stands = a_stands && bodies->a[lane] >= end;
        b_stands = b_stands && bodies->b[lane] >= end;
    }
    if (a_stands == b_stands)
        return 0;
    return tiles & (b_stands ? TR_BLOCK_TILE_A : TR_BLOCK_TILE_B);
}

/* lays out a block of a span: up to 16 edges from `first`; the lanes beyond have the null row and no joint */
static void lay_out_block(trn_solver *solver, const trn_system *system, const tr_plan_span *span, uint32_t first,
                          uint32_t block)
{
    const trn_blocks *b = &solver->blocks[span->kind];
    trn_block_bodies *bodies = trn_block_ends(b, block);
    uint32_t *rows = b->rows + (size_t)block * TR_LANES;
    uint32_t used = span->edge_count - first < TR_LANES ? span->edge_count - first : TR_LANES;
    const uint32_t *flags = system->joints[trn_kernel_type(span->kind)].flags;
    bool fixed = used < TR_LANES, apart = fixed, contiguous = used == TR_LANES, run = true, stiff = false;
    uint32_t ends[2][TR_LANES];
    tr_plan_ends(system->plan, span->edges + first, used, ends[0], ends[1]);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        rows[lane] = TR_NONE;
        bodies->a[lane] = bodies->b[lane] = trn_row_offset(solver->null_row);
        if (lane >= used)
            continue;
        uint32_t edge = span->edges[first + lane], row = system->joint_pool->row[edge];
        rows[lane] = row;
        uint32_t a = state_row(solver, system, ends[0][lane], tr_span_copy(span, first + lane, 0));
        uint32_t c = state_row(solver, system, ends[1][lane], tr_span_copy(span, first + lane, 1));
        bodies->a[lane] = trn_row_offset(a);
        bodies->b[lane] = trn_row_offset(c);
        fixed = fixed || a >= solver->moving_end || c >= solver->moving_end;
        apart = apart || a >= solver->loose_row || c >= solver->loose_row;
        contiguous = contiguous && row == rows[0] + lane;
        stiff = stiff || (flags != NULL && (flags[row] & TR_JOINT_STIFF) != 0);
        uint32_t group = lane % TR_RUN_GROUP;
        int32_t place = 4 * (int32_t)(lane / TR_RUN_GROUP);
        run = run && bodies->a[lane] == bodies->a[group] + place && bodies->b[lane] == bodies->b[group] + place;
    }
    if (trn_kernel_has_carriers(span->kind)) {
        lay_out_carriers(solver, system, span, first, block);
        run = false;
    }
    if (span->unit == TR_NONE) {
        add_lanes_to_rim(solver, bodies->a);
        add_lanes_to_rim(solver, bodies->b);
    }
    run = run && !fixed;
    uint32_t tiles = trn_kernel_has_carriers(span->kind) ? 0u : tiles_of(solver, bodies, run);
    b->flags[block] = (trn_block_flags)(tiles | (run ? TR_BLOCK_RUN : 0u) | (fixed ? TR_BLOCK_FIXED : 0u) |
                                        (apart ? TR_BLOCK_APART : 0u) | (contiguous ? TR_BLOCK_CONTIGUOUS : 0u) |
                                        (stiff ? TR_BLOCK_STIFF : 0u));
}

/* whether joints of a span can connect a unit to a kinematic body */
static bool may_be_driven(const tr_plan_span *span)
{
    return span->unit != TR_NONE && (span->color >= TR_COLORS_MOVING || trn_kernel_has_carriers(span->kind));
}

/* marks a block that has such a joint */
static void mark_driven(const trn_solver *solver, const trn_system *system, const tr_plan_span *span, uint32_t first,
                        uint32_t block)
{
    bool driven = false;
    for (uint32_t e = first; e < first + TR_LANES && e < span->edge_count; e++) {
        uint32_t ends = tr_plan_end_count(system->plan, span->edges[e]);
        for (uint32_t end = 0; end < ends; end++) {
            uint32_t vertex = tr_plan_end(system->plan, span->edges[e], end);
            driven = driven || system->bodies->type[system->body_pool->row[vertex]] == TR_KINEMATIC;
        }
    }
    solver->blocks[span->kind].flags[block] |= driven ? TR_BLOCK_DRIVEN : 0u;
}

/* lays out the blocks of a span that have changed */
static void lay_out_blocks(trn_solver *solver, const trn_system *system, const tr_plan_span *span,
                           trn_span_place *place)
{
    uint32_t blocks = block_count(span);
    bool may = may_be_driven(span);
    for (uint32_t b = span->changed != 0 ? 0 : place->laid; b < blocks; b++) {
        uint32_t block = trn_span_block(place, b);
        if (b < place->laid && !tr_span_block_changed(span, b))
            continue;
        lay_out_block(solver, system, span, b * TR_LANES, block);
        if (may)
            mark_driven(solver, system, span, b * TR_LANES, block);
    }
    place->laid = blocks;
    /* check all blocks: a block that connected the unit to a kinematic body may be gone */
    const trn_block_flags *flags = solver->blocks[span->kind].flags;
    for (uint32_t b = 0; may && b < blocks; b++)
        ((trn_unit *)solver->units.data)[span->unit].driven |= (flags[trn_span_block(place, b)] & TR_BLOCK_DRIVEN) != 0;
}

/*
 * Chunks
 */

static trn_chunk chunk_of(const tr_plan_span *span, uint32_t first, uint32_t count)
{
    return (trn_chunk){.kernel = span->kind,
                       .first = first,
                       .count = count,
                       .color = (uint8_t)span->color,
                       .fixed = span->color >= TR_COLORS_MOVING};
}

/* Number of blocks per chunk of a seam. Two workers share even a small colour, such as each of a hub's, unless
   sharing it would take longer than solving it. */
static uint32_t chunk_size(uint32_t blocks)
{
    uint32_t half = blocks / 2 + blocks % 2;
    return half < TR_BLOCK_CHUNK / 4 ? TR_BLOCK_CHUNK / 4 : half < TR_BLOCK_CHUNK ? half : TR_BLOCK_CHUNK;
}

/* adds chunks of consecutive blocks: one chunk in a unit or strand, several in a seam for different workers */
static void add_chunks(trn_solver *solver, const tr_plan_span *span, uint32_t first, uint32_t blocks)
{
    trn_chunk *chunks = solver->chunks.data;
    uint32_t most = chunk_size(blocks);
    if (blocks == 0)
        return;
    if (span->unit != TR_NONE) {
        trn_unit *unit = (trn_unit *)solver->units.data + span->unit;
        if (unit->chunk_count++ == 0)
            unit->first_chunk = solver->chunk_count;
    }
    if (span->unit != TR_NONE || span->strand != TR_NONE)
        most = blocks;
    for (uint32_t b = 0; b < blocks; b += most) {
        uint32_t count = blocks - b < most ? blocks - b : most;
        chunks[solver->chunk_count++] = chunk_of(span, first + b, count);
    }
}

/* adds some empty chunks behind those of a unit */
static void spare_chunks(trn_solver *solver, uint32_t unit)
{
    if (unit == TR_NONE)
        return;
    trn_unit *it = (trn_unit *)solver->units.data + unit;
    it->chunk_room = it->chunk_count + SPARE_CHUNKS;
    memset((trn_chunk *)solver->chunks.data + solver->chunk_count, 0, SPARE_CHUNKS * sizeof(trn_chunk));
    solver->chunk_count += SPARE_CHUNKS;
}

/* notes where the chunks of a strand begin, or of a colour of the other seams; last: the seam before; null: none */
static void begin_seam(trn_solver *solver, const tr_plan_span *span, const tr_plan_span *last)
{
    bool same = last != NULL && last->strand == span->strand;
    if (span->strand != TR_NONE && !same)
        ((uint32_t *)solver->strands.data)[solver->strand_count++] = solver->chunk_count;
    else if (span->strand == TR_NONE && !(same && last->color == span->color))
        solver->color_first_chunk[solver->color_count++] = solver->chunk_count;
}

static void lay_out_chunks(trn_solver *solver, const tr_plan_span *span, const trn_span_place *place)
{
    uint32_t blocks = block_count(span), first = blocks < place->room ? blocks : place->room;
    add_chunks(solver, span, place->first, first);
    add_chunks(solver, span, place->more, blocks - first);
    solver->blocks[span->kind].count += blocks;
}

/* Geometry columns that are kept from visit to visit while they fit in the caches; above this, recomputing them is
   faster. */
#define PLACES_KEPT ((1u << 20) / (TR_LANES * (uint32_t)sizeof(float)))

/* assigns geometry columns to chunks that belong together; returns the number of columns */
static uint32_t place_chunks(trn_chunk *chunks, uint32_t count)
{
    uint32_t next = 0;
    for (uint32_t c = 0; c < count; c++) {
        chunks[c].place = next;
        /* the columns of a kernel are the same on every instruction set */
        next += chunks[c].count * trn_kernels_scalar.placed[chunks[c].kernel].columns;
    }
    return next;
}

static void place_unit(trn_solver *solver, uint32_t unit)
{
    trn_unit *it = (trn_unit *)solver->units.data + unit;
    it->place_count =
        it->chunk_count > 0 ? place_chunks((trn_chunk *)solver->chunks.data + it->first_chunk, it->chunk_count) : 0;
}

/* assigns geometry columns to the units and the seams */
static void sum_places(trn_solver *solver)
{
    trn_unit *units = solver->units.data;
    uint32_t next = 0;
    solver->unit_places = 0;
    for (uint32_t u = 0; u < solver->plan_units; u++) {
        units[u].first_place = next;
        next += units[u].place_count;
        if (units[u].place_count > solver->unit_places)
            solver->unit_places = units[u].place_count;
    }
    solver->seam_places = next;
    next += solver->seam_place_count;
    solver->all_places = next <= PLACES_KEPT ? next : 0;
}

static bool is_chunk_of(const trn_chunk *chunk, uint32_t kind, const trn_span_place *place)
{
    return chunk->kernel == kind &&
           ((place->room > 0 && chunk->first == place->first) || (place->more_room > 0 && chunk->first == place->more));
}

/* Updates the chunks of a unit's span for its current number of blocks; `was`: its former blocks. False: the unit
   has no room for so many chunks. */
static bool fit_chunks(trn_solver *solver, const tr_plan_span *span, const trn_span_place *was,
                       const trn_span_place *place)
{
    trn_unit *unit = (trn_unit *)solver->units.data + span->unit;
    trn_chunk *chunks = (trn_chunk *)solver->chunks.data + unit->first_chunk;
    uint32_t at = 0, old = 0, fresh = 0, blocks = block_count(span);
    while (at < unit->chunk_count && !is_chunk_of(&chunks[at], span->kind, was))
        at++;
    while (at + old < unit->chunk_count && is_chunk_of(&chunks[at + old], span->kind, was))
        old++;
    trn_chunk wanted[2];
    uint32_t first = blocks < place->room ? blocks : place->room;
    if (first > 0)
        wanted[fresh++] = chunk_of(span, place->first, first);
    if (blocks > first)
        wanted[fresh++] = chunk_of(span, place->more, blocks - first);
    if (unit->chunk_count - old + fresh > unit->chunk_room)
        return false;
    memmove(&chunks[at + fresh], &chunks[at + old], (unit->chunk_count - at - old) * sizeof *chunks);
    memcpy(&chunks[at], wanted, fresh * sizeof *chunks);
    /* who goes over the chunks of all units must not find the last ones again in the spare places */
    uint32_t count = unit->chunk_count - old + fresh;
    for (uint32_t c = count; c < unit->chunk_count; c++)
        chunks[c] = (trn_chunk){.count = 0};
    unit->chunk_count = count;
    return true;
}

tr_status trn_lay_out_lanes(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan, bool *done)
{
    trn_span_place *places = solver->span_places.data;
    bool grown = false;
    *done = false;
    if (solver->list_version != plan->list_version)
        return TR_OK;
    /* chunks of seams are in the list of stages, which would have to change */
    for (uint32_t i = 0; i < plan->changed_count; i++) {
        const tr_plan_span *span = &plan->spans[plan->changed[i]];
        bool more = block_count(span) != places[span->number].laid;
        if (may_be_driven(span) || (more && span->unit == TR_NONE))
            return TR_OK;
    }
    for (uint32_t i = 0; i < plan->changed_count; i++) {
        const tr_plan_span *span = &plan->spans[plan->changed[i]];
        trn_span_place *place = &places[span->number];
        uint32_t before = place->laid, blocks = block_count(span);
        trn_span_place old = *place;
        if (!place_more(solver, span))
            return TR_ERROR_MEMORY;
        if (blocks != before) {
            if (!fit_chunks(solver, span, &old, place))
                return TR_OK;
            place_unit(solver, span->unit);
            grown = true;
        }
        lay_out_blocks(solver, system, span, place);
        solver->blocks[span->kind].count += blocks - before;
    }
    if (grown)
        sum_places(solver);
    solver->solved_joints = plan->solved_edges;
    *done = true;
    return TR_OK;
}

tr_status trn_lay_out_joints(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan, bool afresh)
{
    tr_status status = reserve(solver, plan, afresh);
    if (status != TR_OK)
        return status;
    trn_unit *units = solver->units.data;
    trn_span_place *places = solver->span_places.data;
    for (uint32_t u = 0; u < solver->plan_units; u++) {
        units[u].chunk_count = 0;
        units[u].driven = false;
    }
    uint32_t unit = TR_NONE;
    const tr_plan_span *seam = NULL;
    solver->chunk_count = 0;
    solver->strand_count = 0;
    solver->color_count = 0;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        if (span->unit != unit)
            spare_chunks(solver, unit);
        unit = span->unit;
        if (span->unit == TR_NONE) {
            begin_seam(solver, span, seam);
            seam = span;
        }
        lay_out_blocks(solver, system, span, &places[span->number]);
        lay_out_chunks(solver, span, &places[span->number]);
    }
    spare_chunks(solver, unit);
    solver->color_first_chunk[solver->color_count] = solver->chunk_count;
    ((uint32_t *)solver->strands.data)[solver->strand_count] = solver->color_first_chunk[0];
    for (uint32_t u = 0; u < solver->plan_units; u++)
        place_unit(solver, u);
    uint32_t first_seam = trn_first_seam(solver);
    solver->seam_place_count = 0;
    if (solver->chunk_count > first_seam)
        solver->seam_place_count =
            place_chunks((trn_chunk *)solver->chunks.data + first_seam, solver->chunk_count - first_seam);
    sum_places(solver);
    solver->list_version = plan->list_version;
    solver->solved_joints = plan->solved_edges;
    return TR_OK;
}
