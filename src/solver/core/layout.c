/*
 * The layout of a step's packed data: which state row is which body. (layout_joints.c: which lane of which block is
 * which joint.) It is rebuilt if bodies are added or removed; if only joints are, rows stay and the rest is patched.
 */
#include <string.h>

#include "solver/core/solver_internal.h"

bool trn_array_reserve(tr_memory *memory, trn_array *array, uint32_t count, size_t size)
{
    return tr_grow(memory, &array->data, &array->capacity, count, size);
}

/* `apart`: number of rows with separate frames */
static bool reserve_bodies(trn_solver *solver, uint32_t bodies, uint32_t rows, uint32_t apart, bool copies)
{
    tr_memory *m = solver->memory;
    uint32_t shared = copies ? rows : 0;
    return trn_array_reserve(m, &solver->state_of_body, bodies, sizeof(uint32_t)) &&
           trn_array_reserve(m, &solver->body_of_state, rows, sizeof(uint32_t)) &&
           trn_array_reserve(m, &solver->tile_bodies, rows / TR_LANES, sizeof(uint32_t)) &&
           trn_array_reserve(m, &solver->share, shared, sizeof(float)) &&
           trn_array_reserve(m, &solver->inertia_share, shared, sizeof(float)) &&
           trn_array_reserve(m, &solver->burden, shared, sizeof(float)) &&
           trn_array_reserve(m, &solver->split, shared, sizeof(uint8_t)) &&
           trn_array_reserve(m, &solver->places, rows, sizeof(trn_body_place)) &&
           trn_array_reserve(m, &solver->velocities, rows, sizeof(trn_body_velocity)) &&
           trn_array_reserve(m, &solver->poses, rows + apart, sizeof(trn_body_pose)) &&
           trn_array_reserve(m, &solver->marks, rows, sizeof(uint8_t)) &&
           trn_array_reserve(m, &solver->rims, rows / TR_LANES, sizeof(uint8_t));
}

/* whether a body is among those that the plan lets move. What has fallen asleep since the last fresh plan keeps a place
   there; what has slept through one is in no pass over the awake. */
static bool is_planned(const trn_bodies *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC || (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
}

/* the unit of a moving body, by its table row */
static uint32_t unit_of_body(const trn_system *system, uint32_t row)
{
    return tr_plan_unit(system->plan, system->bodies->slot[row]);
}

static uint32_t round_up(uint32_t count)
{
    return (count + TR_LANES - 1) / TR_LANES * TR_LANES;
}

/*
 * Gives each unit of the plan its rows, starting at a multiple of 16. Rows from *loose to the end are in units without
 * joints. Makes room for units of as many rows as the bodies can need.
 */
static tr_status lay_out_units(trn_solver *solver, const trn_system *system, uint64_t loose_at_most, uint32_t *loose)
{
    const trn_bodies *bodies = system->bodies;
    uint32_t planned = tr_plan_unit_count(system->plan);
    uint64_t most = planned + loose_at_most / TR_BODY_CHUNK + 4;
    if (most * TR_LANES + 2 * loose_at_most > INT32_MAX / (TRN_TILE / TR_LANES) - 2 * TR_LANES)
        return TR_ERROR_LIMIT;
    if (!trn_array_reserve(solver->memory, &solver->units, (uint32_t)most, sizeof(trn_unit)) ||
        !trn_array_reserve(solver->memory, &solver->visits, (uint32_t)most, sizeof(uint32_t)))
        return TR_ERROR_MEMORY;
    trn_unit *units = solver->units.data;
    memset(units, 0, most * sizeof *units);
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        uint32_t unit = is_planned(bodies, row) ? unit_of_body(system, row) : TR_NONE;
        if (unit == TR_NONE)
            continue;
        units[unit].row_count++;
        units[unit].moves = units[unit].moves || bodies->type[row] == TR_DYNAMIC;
    }
    uint32_t next = 0;
    for (uint32_t u = 0; u < planned; u++) {
        units[u].first_row = next;
        units[u].row_count = round_up(units[u].row_count);
        next += units[u].row_count;
    }
    solver->plan_units = planned;
    *loose = next;
    return TR_OK;
}

/* divides some rows, which are in no unit of the plan, into units */
static void lay_out_loose(trn_solver *solver, const trn_system *system, uint32_t first, uint32_t end)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    trn_unit *units = solver->units.data;
    for (uint32_t row = first; row < end; row += TR_BODY_CHUNK) {
        uint32_t left = end - row;
        trn_unit *unit = &units[solver->unit_count++];
        *unit = (trn_unit){.first_row = row, .row_count = left < TR_BODY_CHUNK ? left : TR_BODY_CHUNK};
        /* there may be copies later, even if there are none now */
        unit->moves = row < solver->moving_end && row + unit->row_count > solver->first_copy && solver->copy_room > 0;
        for (uint32_t i = row; i < row + unit->row_count; i++)
            unit->moves |= body_of_state[i] != TR_NONE && system->bodies->type[body_of_state[i]] != TR_STATIC;
    }
}

/* the units of rows that have no bodies yet: these have no rows, and so cost a step nothing */
static void lay_out_late(trn_solver *solver)
{
    trn_unit *units = solver->units.data;
    for (uint32_t row = solver->late_row; row < solver->late_end; row += TR_BODY_CHUNK)
        units[solver->unit_count++] = (trn_unit){.first_row = row};
}

/* spare room for copies, so that a single additional one seldom changes all rows */
static uint64_t room_for_copies(const trn_solver *solver, const tr_plan_layout *plan)
{
    bool wanted = plan->copy_count > 0 || solver->copy_room > 0;
    return wanted ? (uint64_t)plan->copy_count + plan->copy_count / 4 + TR_LANES : 0;
}

/*
 * Spare room for bodies that have slept through a fresh plan and wake, so that these need no layout of all: for a quarter
 * as many as are awake. Whatever takes more wakes so many that the layout is in proportion.
 */
static uint32_t room_for_late(const trn_bodies *bodies)
{
    const uint32_t asleep = bodies->rest_end - bodies->rest_first, awake = bodies->table.count - asleep;
    const uint32_t most = 4 * TR_LANES + awake / 4;
    return round_up(asleep < most ? asleep : most);
}

/* resets the rows of bodies that were split */
static void forget_hubs(trn_solver *solver)
{
    const trn_hub *hubs = solver->hubs.data;
    uint32_t *body_of_state = solver->body_of_state.data;
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data;
    uint8_t *split = solver->split.data;
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        share[hubs[i].row] = inertia_share[hubs[i].row] = 1.0f;
        split[hubs[i].row] = 0;
    }
    for (uint32_t row = solver->first_copy; row < solver->first_copy + solver->copy_room; row++) {
        share[row] = inertia_share[row] = 1.0f;
        split[row] = 0;
        body_of_state[row] = TR_NONE;
    }
    solver->hub_count = 0;
}

/* records the rows of split bodies; there is room for their copies */
static bool lay_out_hubs(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan)
{
    if (!trn_array_reserve(solver->memory, &solver->hubs, plan->hub_count, sizeof(trn_hub)))
        return false;
    const uint32_t *state_of_body = solver->state_of_body.data;
    uint32_t *body_of_state = solver->body_of_state.data;
    uint8_t *split = solver->split.data;
    trn_hub *hubs = solver->hubs.data;
    solver->hub_count = plan->hub_count;
    for (uint32_t i = 0; i < plan->hub_count; i++) {
        const tr_plan_hub *h = &plan->hubs[i];
        uint32_t body_row = system->body_pool->row[h->vertex];
        hubs[i] =
            (trn_hub){state_of_body[body_row], solver->first_copy + h->first_copy, h->copy_count - 1, 1.0f, false};
        split[hubs[i].row] = 1;
        trn_add_to_rim(solver, hubs[i].row);
        for (uint32_t row = hubs[i].first_copy; row < hubs[i].first_copy + hubs[i].copies; row++) {
            body_of_state[row] = body_row;
            split[row] = 1;
        }
    }
    solver->copies_version = plan->copies_version;
    return true;
}

/* the rim before hubs and seams are laid out: bodies in no unit */
static void begin_rims(trn_solver *solver)
{
    uint8_t *rims = solver->rims.data;
    uint32_t loose = solver->loose_row / TR_LANES;
    memset(rims, 0, loose);
    memset(rims + loose, (1 << TR_RUN_GROUP) - 1, solver->state_count / TR_LANES - loose);
}

/* Finds whether 16 state rows are consecutive dynamic bodies. Copies of split ones have no rows yet. A body that becomes
   dynamic, or is no longer, gets another row. */
static void list_tile(trn_solver *solver, const trn_bodies *bodies, uint32_t row)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    const uint32_t first = body_of_state[row];
    bool tile = first != TR_NONE;
    for (uint32_t i = 0; i < TR_LANES && tile; i++)
        tile = body_of_state[row + i] == first + i && bodies->type[first + i] == TR_DYNAMIC;
    ((uint32_t *)solver->tile_bodies.data)[row / TR_LANES] = tile ? first : TR_NONE;
}

/* assigns state rows: moving bodies by unit, then room for those that wake, then copies of split ones, then the null row,
   then the fixed bodies */
static tr_status lay_out_bodies(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan)
{
    const trn_bodies *bodies = system->bodies;
    uint32_t body_count = bodies->table.count, loose, late_room = room_for_late(bodies);
    uint64_t copy_room = room_for_copies(solver, plan);
    tr_status status = lay_out_units(solver, system, body_count + copy_room + late_room + TR_LANES, &loose);
    if (status != TR_OK)
        return status;
    trn_unit *units = solver->units.data;
    uint32_t moving = loose, fixed = 0;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < body_count; row++) {
        const bool planned = is_planned(bodies, row);
        moving += planned && unit_of_body(system, row) == TR_NONE;
        fixed += !planned;
    }
    solver->loose_row = loose;
    solver->late_row = late_room > 0 ? round_up(moving) : moving;
    solver->late_end = solver->late_row + late_room;
    solver->late_next = solver->late_row;
    solver->first_copy = solver->late_end;
    solver->copy_room = (uint32_t)copy_room;
    solver->moving_end = solver->first_copy + solver->copy_room;
    solver->null_row = solver->moving_end;
    uint32_t padded = round_up(solver->null_row + 1 + fixed);
    if (!reserve_bodies(solver, body_count, padded, padded - loose, copy_room > 0))
        return TR_ERROR_MEMORY;
    solver->state_count = padded;

    uint32_t *state_of_body = solver->state_of_body.data, *body_of_state = solver->body_of_state.data;
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data;
    uint8_t *split = solver->split.data;
    for (uint32_t i = 0; i < padded; i++)
        body_of_state[i] = TR_NONE;
    for (uint32_t i = 0; copy_room > 0 && i < padded; i++) {
        share[i] = inertia_share[i] = 1.0f;
        split[i] = 0;
    }

    for (uint32_t row = bodies->rest_first; row < bodies->rest_end; row++)
        state_of_body[row] = TR_NONE;
    /* use first_row of each unit as a running index, then restore it */
    uint32_t next_loose = loose, next_fixed = solver->null_row + 1;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < body_count; row++) {
        const bool planned = is_planned(bodies, row);
        const uint32_t unit = planned ? unit_of_body(system, row) : TR_NONE;
        state_of_body[row] = !planned ? next_fixed++ : unit == TR_NONE ? next_loose++ : units[unit].first_row++;
        body_of_state[state_of_body[row]] = row;
    }
    for (uint32_t u = 0, next = 0; u < solver->plan_units; u++) {
        units[u].first_row = next;
        next += units[u].row_count;
    }
    for (uint32_t row = 0; row < padded; row += TR_LANES)
        list_tile(solver, bodies, row);
    solver->unit_count = solver->plan_units;
    if (late_room == 0) {
        lay_out_loose(solver, system, loose, padded);
    } else {
        lay_out_loose(solver, system, loose, solver->late_row);
        solver->late_unit = solver->unit_count;
        lay_out_late(solver);
        lay_out_loose(solver, system, solver->late_end, padded);
    }
    begin_rims(solver);
    return lay_out_hubs(solver, system, plan) ? TR_OK : TR_ERROR_MEMORY;
}

/* whether all writable bodies of a chunk's blocks are in tiles */
static bool chunk_is_tiled(const trn_solver *solver, const trn_chunk *chunk)
{
    const trn_block_flags *flags = solver->blocks[chunk->kernel].flags;
    bool tiled = trn_kernel_type(chunk->kernel) != TR_CONTACT;
    for (uint32_t b = chunk->first; b < chunk->first + chunk->count && tiled; b++)
        tiled = (flags[b] & (TR_BLOCK_TILE_A | TR_BLOCK_TILE_B)) != 0;
    return tiled;
}

bool trn_unit_is_tiled(const trn_solver *solver, const trn_unit *unit)
{
    const trn_chunk *chunks = (const trn_chunk *)solver->chunks.data + unit->first_chunk;
    bool tiled = unit->whole && unit->chunk_count > 0 && solver->scale.capacity == 0;
    for (uint32_t c = 0; c < unit->chunk_count && tiled; c++)
        tiled = chunk_is_tiled(solver, &chunks[c]);
    return tiled;
}

/* finds the units that run a whole step at once, and lists those that need visits */
static void list_visits(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan)
{
    trn_unit *units = solver->units.data;
    for (uint32_t u = 0; u < solver->plan_units; u++)
        units[u].whole = units[u].moves && !units[u].driven && tr_plan_unit_seams(system->plan, u) == 0;
    for (uint32_t i = 0; i < plan->hub_count; i++) {
        uint32_t unit = tr_plan_unit(system->plan, plan->hubs[i].vertex);
        if (unit != TR_NONE)
            units[unit].whole = false;
    }
    uint32_t *visits = solver->visits.data;
    solver->visit_count = solver->visit_loose = 0;
    for (uint32_t u = 0; u < solver->unit_count; u++) {
        if (units[u].moves && !units[u].whole && !units[u].idle)
            visits[solver->visit_count++] = u;
        if (u < solver->plan_units)
            solver->visit_loose = solver->visit_count;
    }
}

/* Patches what changed since the layout was made; rebuilds everything if more than joints changed. */
static tr_status lay_out(trn_solver *solver, const trn_system *system)
{
    const tr_plan_layout *plan;
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    if (status != TR_OK)
        return status;
    bool afresh =
        !solver->laid_out || solver->plan_epoch != tr_plan_epoch(system->plan) || plan->copy_count > solver->copy_room;
    bool rows_move = afresh || solver->copies_version != plan->copies_version;
    solver->laid_out = false;
    if (afresh) {
        status = lay_out_bodies(solver, system, plan);
    } else if (solver->copies_version != plan->copies_version) {
        forget_hubs(solver);
        status = lay_out_hubs(solver, system, plan) ? TR_OK : TR_ERROR_MEMORY;
    }
    /* chosen islands may have left chunks idle that must be solved now */
    const bool idled = solver->chosen.idles;
    bool in_place = false;
    if (!rows_move && !idled)
        status = trn_lay_out_lanes(solver, system, plan, &in_place);
    if (status == TR_OK && !in_place)
        status = trn_lay_out_joints(solver, system, plan, afresh);
    if (status != TR_OK)
        return status;
    bool news;
    if (!trn_strain_renew(solver, system, rows_move, &news))
        return TR_ERROR_MEMORY;
    /* some body that asks for the direct method sleeps, or has woken */
    news = news || !trn_chosen_is_valid(&solver->chosen, system);
    status = trn_choose_all(solver, system, news);
    if (status != TR_OK)
        return status;
    trn_choose_idle(solver, system);
    const uint32_t visits = solver->visit_count, loose = solver->visit_loose;
    list_visits(solver, system, plan);
    /* the list of stages depends on the numbers of chunks and visits */
    if (!in_place || visits != solver->visit_count || loose != solver->visit_loose || idled || solver->chosen.idles)
        solver->stage_substeps = 0;
    tr_plan_settle(system->plan);
    solver->plan_version = tr_plan_version(system->plan);
    solver->plan_epoch = tr_plan_epoch(system->plan);
    solver->laid_out = true;
    solver->report.layouts += afresh;
    solver->report.patches += !afresh;
    return TR_OK;
}

/* Whether the islands that were chosen with the layout are those of the bodies that ask for it, but for those that have
   fallen asleep or woken since. Another state of the world may have come. */
static bool choice_is_known(trn_solver *solver, const trn_system *system)
{
    bool news;
    if (!trn_chosen_is_wanted(&solver->chosen, system))
        return false;
    if (solver->chosen.known || !solver->laid_out)
        return true;
    return trn_chosen_is_valid(&solver->chosen, system) && trn_strain_renew(solver, system, true, &news) &&
           trn_chosen_is_idle(&solver->chosen, system->bodies);
}

tr_status trn_solver_layout(trn_solver *solver, const trn_system *system)
{
    if (!choice_is_known(solver, system))
        solver->laid_out = false;
    bool known = solver->laid_out && solver->plan_version == tr_plan_version(system->plan) &&
                 trn_chosen_is_valid(&solver->chosen, system);
    tr_status status = known ? TR_OK : lay_out(solver, system);
    solver->shares_due = solver->shares_due || !known || solver->loads != system->loads || solver->shares_vary;
    return status;
}

/* gives a body that has slept through the layout a row; false: there is no room */
static bool lay_out_woken(trn_solver *solver, const trn_bodies *bodies, uint32_t body_row)
{
    uint32_t *state_of_body = solver->state_of_body.data, *body_of_state = solver->body_of_state.data;
    if (solver->late_next == solver->late_end)
        return false;
    const uint32_t row = solver->late_next++, begin = row - row % TR_LANES;
    trn_unit *unit = (trn_unit *)solver->units.data + solver->late_unit + (row - solver->late_row) / TR_BODY_CHUNK;
    state_of_body[body_row] = row;
    body_of_state[row] = body_row;
    unit->row_count = begin + TR_LANES - unit->first_row;
    list_tile(solver, bodies, begin);
    return true;
}

/* the unit of a row, by the plan's for its body */
static trn_unit *unit_of_state(const trn_solver *solver, uint32_t planned, uint32_t row)
{
    uint32_t unit = planned;
    if (row >= solver->late_row && row < solver->late_end)
        unit = solver->late_unit + (row - solver->late_row) / TR_BODY_CHUNK;
    else if (planned == TR_NONE)
        unit = solver->plan_units + (row - solver->loose_row) / TR_BODY_CHUNK;
    return (trn_unit *)solver->units.data + unit;
}

void trn_solver_wake_row(trn_solver *solver, const tr_plan *plan, const trn_bodies *bodies, uint32_t body_row)
{
    const uint32_t *state_of_body = solver->state_of_body.data;
    if (!solver->laid_out || solver->plan_epoch != tr_plan_epoch(plan))
        return;
    const uint32_t planned = tr_plan_unit(plan, bodies->slot[body_row]);
    /* what fell asleep while the fresh plan was made has a unit there, but no row in it */
    if (state_of_body[body_row] == TR_NONE && (planned != TR_NONE || !lay_out_woken(solver, bodies, body_row))) {
        solver->laid_out = false;
        return;
    }
    unit_of_state(solver, planned, state_of_body[body_row])->moves = true;
}
