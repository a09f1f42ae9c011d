/* Chooses islands for the direct method in a world of sweeps: exact_choose.h. */
#include "solver/exact/exact_choose.h"

#include <string.h>

#include "solver/core/solver_internal.h"

void trn_chosen_free(trn_chosen *it, tr_memory *memory)
{
    tr_release(memory, it->marks, it->mark_capacity * sizeof *it->marks);
    tr_release(memory, it->list, it->list_capacity * sizeof *it->list);
    tr_release(memory, it->first, it->first_capacity * sizeof *it->first);
    tr_release(memory, it->refused, it->refused_capacity * sizeof *it->refused);
    tr_release(memory, it->wanted, it->wanted_capacity * sizeof *it->wanted);
    tr_release(memory, it->rows, it->row_capacity * sizeof *it->rows);
    tr_release(memory, it->joints, it->joint_capacity * sizeof *it->joints);
    tr_release(memory, it->last_bodies, it->last_body_capacity * sizeof *it->last_bodies);
    tr_release(memory, it->local, it->local_capacity * sizeof *it->local);
    tr_release(memory, it->wide, it->wide_capacity * sizeof *it->wide);
    tr_release(memory, it->island, it->island_capacity * sizeof *it->island);
    tr_release(memory, it->group, it->group_capacity * sizeof *it->group);
    tr_release(memory, it->found, it->found_capacity * sizeof *it->found);
    tr_release(memory, it->last_joints, it->last_joint_capacity * sizeof *it->last_joints);
    memset(it, 0, sizeof *it);
}

bool trn_chosen_reserve(trn_chosen *it, tr_memory *m, const trn_system *system)
{
    const uint32_t slots = system->body_pool->count;
    it->memory = m;
    it->failed = false;
    return tr_grow(m, (void **)&it->marks, &it->mark_capacity, slots, sizeof *it->marks) &&
           tr_grow(m, (void **)&it->list, &it->list_capacity, slots, sizeof *it->list) &&
           tr_grow(m, (void **)&it->first, &it->first_capacity, slots, sizeof *it->first) &&
           tr_grow(m, (void **)&it->local, &it->local_capacity, slots, sizeof *it->local) &&
           tr_grow(m, (void **)&it->island, &it->island_capacity, slots, sizeof *it->island) &&
           tr_grow(m, (void **)&it->group, &it->group_capacity, it->island_count, sizeof *it->group) &&
           tr_grow(m, (void **)&it->found, &it->found_capacity, it->island_count, sizeof *it->found) &&
           tr_grow(m, (void **)&it->refused, &it->refused_capacity, slots, sizeof *it->refused) &&
           tr_grow(m, (void **)&it->wanted, &it->wanted_capacity, system->bodies->direct, sizeof *it->wanted);
}

static uint32_t row_of(const trn_system *system, uint32_t vertex)
{
    return system->body_pool->row[vertex];
}

bool trn_chosen_is_free(const trn_chosen *it, const trn_system *system, uint32_t vertex)
{
    return (it->marks[vertex] & (TR_CHOSEN_CORE | TR_CHOSEN_TOUCHING)) == 0 &&
           system->bodies->type[row_of(system, vertex)] == TR_DYNAMIC;
}

bool trn_chosen_leads_on(const trn_system *system, uint32_t edge)
{
    return trn_kernel_type(tr_plan_kind(system->plan, edge)) != TR_CONTACT;
}

/* What an island may be: beyond so many bodies and loops its work is bounded; 0 for each body: no more bodies. */
typedef struct bounds {
    uint32_t most;
    int64_t loops;
    uint32_t work, more;
} bounds;

static const bounds any_island = {UINT32_MAX, INT64_MAX, 0, 0},
                    strained_island = {TR_CHOSEN_MOST, TR_CHOSEN_LOOPS, TR_CHOSEN_WORK, TR_CHOSEN_WORK_MORE},
                    lever_island = {TR_CHOSEN_LEVER_MOST, 0, TR_CHOSEN_LEVER_WORK, 0};

/* Of a complete island in the list. What a part needs the whole needs, too, so parts are looked at first, each twice as many
   bodies as the one before, from that on that would be too much in a lattice. They are bounded by what the whole may need: so
   the order of the list does not matter. */
static bool is_too_much(trn_chosen *it, const trn_system *system, uint32_t first, uint8_t mark, const bounds *of)
{
    const uint32_t count = it->count - first;
    const uint64_t most = of->work * (uint64_t)count + of->more;
    uint64_t part = 2 * (uint64_t)of->most, work;
    const double square = (double)most * (double)most / (TR_CHOSEN_LATTICE_WORK * TR_CHOSEN_LATTICE_WORK);
    while (part < count && (double)part * (double)part * (double)part < square)
        part += part / 8;
    do {
        part = part < count ? part : count;
        if (!trn_chosen_work(it, system, first, (uint32_t)part, mark, &work)) {
            it->failed = true;
            return true;
        }
        part *= 2;
    } while (work <= most && part < 2 * (uint64_t)count);
    return work > most;
}

/* Whether a body has too many joints side by side: each is coupled with each. */
static bool has_many_beside(trn_chosen *it, const trn_system *system, uint32_t vertex)
{
    const tr_plan *plan = system->plan;
    bool many = false;
    if (tr_plan_degree(plan, vertex) <= TR_CHOSEN_BESIDE)
        return false;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            uint32_t *count = &it->local[tr_plan_end(plan, edge, tr_half_end(half) == 0 ? 1 : 0)];
            *count = round == 0 ? 0 : trn_kernel_type(tr_plan_kind(plan, edge)) == TR_CONTACT ? *count : *count + 1;
            many = many || (round == 1 && *count > TR_CHOSEN_BESIDE);
        }
    return many;
}

/*
 * Appends all that joints connect to a body, with a mark; returns their number. 0: they are passed, because they are too many
 * or too much work.
 */
static uint32_t add_island(trn_chosen *it, const trn_system *system, uint32_t vertex, uint8_t mark, bounds of)
{
    const tr_plan *plan = system->plan;
    const uint32_t first = it->count;
    /* joints to what is in the island or does not move: one of each body but the first leads back, those of loops count
       twice, to the ground once */
    int64_t back = 0;
    bool refused = (it->marks[vertex] & TR_CHOSEN_REFUSED) != 0 || of.most == 0;
    if (refused)
        return 0;
    it->marks[vertex] |= mark;
    it->list[it->count++] = vertex;
    for (uint32_t i = first; i < it->count && !refused; i++) {
        refused = of.most < UINT32_MAX && has_many_beside(it, system, it->list[i]);
        for (uint32_t half = tr_plan_first(plan, it->list[i]); half != TR_NONE && !refused;
             half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            if (!trn_chosen_leads_on(system, edge))
                continue;
            for (uint32_t end = 0; end < tr_plan_end_count(plan, edge) && !refused; end++) {
                if (end == tr_half_end(half))
                    continue;
                const uint32_t other = tr_plan_end(plan, edge, end);
                if (!trn_chosen_is_free(it, system, other)) {
                    back += other != it->list[i];
                    continue;
                }
                refused = (it->marks[other] & TR_CHOSEN_REFUSED) != 0;
                if (refused)
                    break;
                it->marks[other] |= mark;
                it->list[it->count++] = other;
            }
        }
        refused = refused || (of.work == 0 && it->count - first > of.most);
    }
    const uint32_t count = it->count - first;
    if (!refused && count > of.most && (back - (count - 1)) / 2 > of.loops)
        refused = is_too_much(it, system, first, mark, &of);
    if (!refused)
        return count;
    for (uint32_t i = first; i < it->count; i++) {
        it->marks[it->list[i]] = (uint8_t)((it->marks[it->list[i]] & ~mark) | TR_CHOSEN_REFUSED);
        it->refused[it->refused_count++] = it->list[i];
    }
    it->count = first;
    return 0;
}

void trn_chosen_forget_refused(trn_chosen *it)
{
    for (uint32_t i = 0; i < it->refused_count; i++)
        it->marks[it->refused[i]] &= (uint8_t)~TR_CHOSEN_REFUSED;
    it->refused_count = 0;
}

bool trn_chosen_add_touching(trn_chosen *it, const trn_system *system, uint32_t vertex, uint32_t most)
{
    return add_island(it, system, vertex, TR_CHOSEN_TOUCHING, (bounds){most, -1, 0, 0}) > 0;
}

static void choose(trn_chosen *it, const trn_system *system, uint32_t vertex, bounds of)
{
    const uint32_t first = it->count;
    if (trn_chosen_is_free(it, system, vertex) && add_island(it, system, vertex, TR_CHOSEN_CORE, of) > 0) {
        for (uint32_t i = first; i < it->count; i++)
            it->island[it->list[i]] = it->island_count;
        it->first[it->island_count++] = first;
    }
    it->core = it->count;
}

bool trn_chosen_is_wanted(const trn_chosen *it, const trn_system *system)
{
    bool same = it->wanted_count == system->bodies->direct;
    for (uint32_t i = 0; i < it->wanted_count && same; i++) {
        const uint32_t vertex = it->wanted[i];
        same = vertex < system->body_pool->count && tr_plan_has_vertex(system->plan, vertex) &&
               (system->bodies->flags[row_of(system, vertex)] & TR_BODY_WANTS_DIRECT) != 0;
    }
    return same;
}

bool trn_chosen_is_valid(const trn_chosen *it, const trn_system *system)
{
    bool same = trn_chosen_is_wanted(it, system);
    /* a body without joints falls asleep and wakes without news */
    for (uint32_t i = 0; i < it->wanted_count && same; i++)
        same = (system->bodies->type[row_of(system, it->wanted[i])] == TR_DYNAMIC) ==
               ((it->marks[it->wanted[i]] & TR_CHOSEN_CORE) != 0);
    return same;
}

bool trn_chosen_stays(const trn_chosen *it, const trn_system *system)
{
    const uint32_t *news;
    uint32_t count;
    bool stays = !it->strain_changed && !it->look_again && tr_plan_news(system->plan, &news, &count) &&
                 trn_chosen_is_valid(it, system);
    for (uint32_t i = 0; stays && i < count; i++)
        stays = news[i] >= it->mark_capacity || (it->marks[news[i]] & TR_CHOSEN_CORE) == 0;
    return stays;
}

/* first the islands of bodies that ask for it */
static void choose_wanted(trn_chosen *it, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    for (uint32_t row = 0; row < bodies->table.count && bodies->direct > 0; row++) {
        if ((bodies->flags[row] & TR_BODY_WANTS_DIRECT) == 0)
            continue;
        it->wanted[it->wanted_count++] = bodies->slot[row];
        choose(it, system, bodies->slot[row], any_island);
    }
    it->asked = it->island_count;
}

static void choose_strained(trn_chosen *it, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    /* what only levers strain last, because it may be less work */
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t row = 0; it->strained > 0 && (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
            const uint32_t vertex = bodies->slot[row];
            if ((it->marks[vertex] & (round == 0 ? TR_CHOSEN_STRAINED : TR_CHOSEN_LEVER)) != 0)
                choose(it, system, vertex, round == 0 ? strained_island : lever_island);
        }
    it->look_again = it->refused_count > 0;
    trn_chosen_forget_refused(it);
}

tr_status trn_choose_all(trn_solver *solver, const trn_system *system, bool news)
{
    trn_chosen *it = &solver->chosen;
    if (!news || trn_chosen_is_idle(it, system->bodies) || trn_chosen_stays(it, system))
        return TR_OK;
    for (uint32_t v = 0; v < it->mark_capacity; v++)
        it->marks[v] &= TR_CHOSEN_STRAINS;
    it->core = it->count = it->island_count = it->wanted_count = 0;
    it->look_again = true;
    it->searches++;
    if (!trn_chosen_reserve(it, solver->memory, system))
        return TR_ERROR_MEMORY;
    choose_wanted(it, system);
    choose_strained(it, system);
    return it->failed ? TR_ERROR_MEMORY : TR_OK;
}

/* Whether all moving ends of an edge are of chosen islands. What has only touched one in the last step may be elsewhere in
   this one. */
static bool is_of_core(const trn_chosen *it, const trn_system *system, uint32_t edge)
{
    bool core = true;
    for (uint32_t end = 0; end < tr_plan_end_count(system->plan, edge) && core; end++) {
        const uint32_t vertex = tr_plan_end(system->plan, edge, end);
        core = system->bodies->type[row_of(system, vertex)] != TR_DYNAMIC || (it->marks[vertex] & TR_CHOSEN_CORE) != 0;
    }
    return core;
}

static bool is_core_row(const trn_chosen *it, const trn_system *system, uint32_t body_row)
{
    return system->bodies->type[body_row] == TR_DYNAMIC &&
           (system->bodies->flags[body_row] & TR_BODY_QUARANTINED) == 0 &&
           (it->marks[system->bodies->slot[body_row]] & TR_CHOSEN_CORE) != 0;
}

/* Whether all joints of a chunk are of chosen islands; *some: one is. */
static bool is_chunk_of_core(const trn_solver *solver, const trn_system *system, const trn_chunk *chunk, bool *some)
{
    const trn_joint_type type = trn_kernel_type(chunk->kernel);
    const uint32_t *rows = solver->blocks[chunk->kernel].rows; /* null: there are none */
    const size_t first = (size_t)chunk->first * TR_LANES, end = first + (size_t)chunk->count * TR_LANES;
    bool all = true;
    for (size_t i = first; i < end; i++) {
        if (rows[i] == TR_NONE)
            continue;
        const bool core = is_of_core(&solver->chosen, system, system->joints[type].slot[rows[i]]);
        all = all && core;
        *some = *some || core;
    }
    return all;
}

/* The units at joints of chosen islands in a chunk that is swept are not idle: its lanes read all of its bodies. */
static void wake_units(trn_solver *solver, const trn_system *system, const trn_chunk *chunk)
{
    const tr_plan *plan = system->plan;
    const trn_joints *joints = &system->joints[trn_kernel_type(chunk->kernel)];
    const uint32_t *rows = solver->blocks[chunk->kernel].rows; /* null: there are none */
    const size_t first = (size_t)chunk->first * TR_LANES, end = first + (size_t)chunk->count * TR_LANES;
    trn_unit *units = solver->units.data;
    for (size_t i = first; i < end; i++) {
        const uint32_t edge = rows[i] != TR_NONE ? joints->slot[rows[i]] : TR_NONE;
        for (uint32_t k = 0; edge != TR_NONE && k < tr_plan_end_count(plan, edge); k++) {
            const uint32_t unit = tr_plan_unit(plan, tr_plan_end(plan, edge, k));
            if (unit != TR_NONE)
                units[unit].idle = false;
        }
    }
    /* copies of split bodies are in these */
    for (uint32_t u = solver->plan_units; u < solver->unit_count; u++)
        units[u].idle = false;
}

static bool is_unit_of_core(const trn_solver *solver, const trn_system *system, const trn_unit *unit)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    const uint32_t end = unit->first_row + unit->row_count;
    bool core = unit->row_count > 0 && (solver->null_row < unit->first_row || solver->null_row >= end);
    for (uint32_t row = unit->first_row; row < end && core; row++)
        core = body_of_state[row] == TR_NONE || is_core_row(&solver->chosen, system, body_of_state[row]);
    return core;
}

void trn_choose_idle(trn_solver *solver, const trn_system *system)
{
    trn_chosen *it = &solver->chosen;
    trn_chunk *chunks = solver->chunks.data;
    trn_unit *units = solver->units.data;
    trn_hub *hubs = solver->hubs.data;
    const uint32_t *body_of_state = solver->body_of_state.data;
    const uint32_t core = it->core;
    it->idles = core > 0 && system->joints[TR_CONTACT].table.count == 0 &&
                (core >= TR_CHOSEN_IDLE_FROM || core >= system->bodies->table.count / TR_CHOSEN_IDLE_SHARE);
    for (uint32_t u = 0; u < solver->unit_count; u++)
        units[u].idle = it->idles && is_unit_of_core(solver, system, &units[u]);
    for (uint32_t i = 0; i < solver->hub_count; i++)
        hubs[i].idle = it->idles && is_core_row(it, system, body_of_state[hubs[i].row]);
    for (uint32_t c = 0; c < solver->chunk_count && it->idles; c++) {
        bool some = false;
        chunks[c].idle =
            trn_kernel_type(chunks[c].kernel) != TR_CONTACT && is_chunk_of_core(solver, system, &chunks[c], &some);
        if (some && !chunks[c].idle)
            wake_units(solver, system, &chunks[c]);
    }
}
