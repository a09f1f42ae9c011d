/* What joins chosen islands by contacts for a step, and the marks of what the direct method solves in it: exact_choose.h. */
#include "solver/exact/exact_choose.h"

#include <string.h>

#include "base/sort.h"
#include "solver/core/solver_internal.h"

static uint32_t row_of(const trn_system *system, uint32_t vertex)
{
    return system->body_pool->row[vertex];
}

/* what is known of an island while it is looked at what joins */
typedef enum trn_join { NOT_LOOKED_AT, JOINED, APART } trn_join;

/* What hangs together by contacts: islands in `group`, and others in the list from `first` on. */
typedef struct cluster {
    uint32_t islands, first;
    uint32_t bodies, largest; /* of islands that do not ask: all; of the largest */
} cluster;

static uint32_t end_of(const trn_chosen *it, uint32_t island)
{
    return island + 1 < it->island_count ? it->first[island + 1] : it->core;
}

static void add_to_cluster(trn_chosen *it, uint32_t island, cluster *to)
{
    const uint32_t size = end_of(it, island) - it->first[island];
    it->found[island] = JOINED;
    it->group[to->islands++] = island;
    if (island < it->asked)
        return;
    to->bodies += size;
    to->largest = size > to->largest ? size : to->largest;
}

/* Adds what a body touches, with all that joints connect to that. Whether it is little enough: if not, it would not be from
   any other body of the cluster either. */
static bool add_touching(trn_chosen *it, const trn_system *system, uint32_t vertex, cluster *to)
{
    const tr_plan *plan = system->plan;
    const trn_joints *contacts = &system->joints[TR_CONTACT];
    bool fits = true;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && fits; half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half);
        if (trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT ||
            (contacts->flags[system->joint_pool->row[edge]] & TR_JOINT_OFF) != 0)
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - tr_half_end(half));
        if (trn_chosen_is_free(it, system, other)) {
            const uint32_t besides = it->count - to->first + to->bodies - to->largest;
            fits = trn_chosen_add_touching(it, system, other, TR_CHOSEN_TOUCHES - besides);
        } else if ((it->marks[other] & TR_CHOSEN_CORE) != 0) {
            fits = it->found[it->island[other]] != APART;
            if (it->found[it->island[other]] == NOT_LOOKED_AT)
                add_to_cluster(it, it->island[other], to);
            fits = fits && it->count - to->first + to->bodies - to->largest <= TR_CHOSEN_TOUCHES;
        }
    }
    return fits;
}

static void set_apart(trn_chosen *it, const cluster *all)
{
    for (uint32_t i = all->first; i < it->count; i++)
        it->marks[it->list[i]] &= (uint8_t)~TR_CHOSEN_TOUCHING;
    it->count = all->first;
    for (uint32_t g = 0; g < all->islands; g++) {
        const uint32_t island = it->group[g];
        it->found[island] = APART;
        for (uint32_t i = it->first[island]; i < end_of(it, island); i++)
            it->marks[it->list[i]] |= TR_CHOSEN_APART;
    }
}

static void join_cluster(trn_chosen *it, const trn_system *system, uint32_t island)
{
    cluster all = {.first = it->count};
    bool fits = true;
    add_to_cluster(it, island, &all);
    for (uint32_t g = 0, i = all.first; fits && (g < all.islands || i < it->count);) {
        if (g == all.islands) {
            fits = add_touching(it, system, it->list[i++], &all);
            continue;
        }
        const uint32_t from = it->group[g++];
        for (uint32_t k = it->first[from]; k < end_of(it, from) && fits; k++)
            fits = add_touching(it, system, it->list[k], &all);
    }
    if (!fits)
        set_apart(it, &all);
    trn_chosen_forget_refused(it);
}

static void join(trn_chosen *it, const trn_system *system)
{
    for (uint32_t i = 0; i < it->count; i++)
        it->marks[it->list[i]] &= (uint8_t) ~(TR_CHOSEN_TOUCHING | TR_CHOSEN_APART);
    it->count = it->core;
    for (uint32_t k = 0; k < it->island_count; k++)
        it->found[k] = NOT_LOOKED_AT;
    for (uint32_t k = 0; k < it->island_count && system->joints[TR_CONTACT].table.count > 0; k++)
        if (it->found[k] == NOT_LOOKED_AT)
            join_cluster(it, system, k);
}

/* Whether the direct method solves an edge: all joints of what it solves, but no contacts with others, nor between two islands
   that are apart and of which one does not ask for it. */
static bool is_inside(const trn_chosen *it, const trn_system *system, uint32_t edge)
{
    if (trn_chosen_leads_on(system, edge))
        return true;
    const uint32_t a = tr_plan_end(system->plan, edge, 0), b = tr_plan_end(system->plan, edge, 1);
    if (trn_chosen_is_free(it, system, a) || trn_chosen_is_free(it, system, b))
        return false;
    return ((it->marks[a] & it->marks[b]) & TR_CHOSEN_APART) == 0 || it->island[a] == it->island[b] ||
           (it->island[a] < it->asked && it->island[b] < it->asked);
}

static bool hold_flags(const trn_system *system)
{
    bool held = true;
    for (uint32_t type = 0; type < TR_TABLE_COUNT && held; type++)
        held = system->joints[type].table.count == 0 || system->joints[type].flags != NULL ||
               trn_joints_hold_flags(&system->joints[type], type);
    return held;
}

static uint32_t *flags_of(const trn_system *system, uint32_t edge)
{
    return system->joints[trn_kernel_type(tr_plan_kind(system->plan, edge))].flags;
}

static uint64_t key_of(trn_joint_type type, uint32_t row)
{
    return (uint64_t)type << 32 | row;
}

/* marks a body as one that is swept before, once */
static void mark_bordered(trn_chosen *it, const trn_system *system, uint32_t vertex, uint32_t *count)
{
    uint32_t *flags = &system->bodies->flags[row_of(system, vertex)];
    if ((*flags & TR_BODY_BORDERED) == 0)
        it->rows[(*count)++] = vertex;
    *flags |= TR_BODY_BORDERED;
}

/* Marks the bodies, and of those that some contact with others moves all that hangs together with them. */
static void mark_bodies(trn_chosen *it, const trn_system *system)
{
    const tr_plan *plan = system->plan;
    const bool touches = system->joints[TR_CONTACT].table.count > 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->count; i++) {
        const uint32_t vertex = it->list[i];
        system->bodies->flags[row_of(system, vertex)] |= TR_BODY_DIRECT;
        for (uint32_t half = touches ? tr_plan_first(plan, vertex) : TR_NONE; half != TR_NONE;
             half = tr_plan_next(plan, half))
            if (!is_inside(it, system, tr_half_edge(half)))
                mark_bordered(it, system, vertex, &count);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t half = tr_plan_first(plan, it->rows[i]); half != TR_NONE; half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            for (uint32_t end = 0; end < tr_plan_end_count(plan, edge); end++) {
                const uint32_t other = tr_plan_end(plan, edge, end);
                if ((it->marks[other] & (TR_CHOSEN_CORE | TR_CHOSEN_TOUCHING)) != 0)
                    mark_bordered(it, system, other, &count);
            }
        }
}

/* Marks what a body has inside, and counts it. */
static void mark_joints(trn_chosen *it, const trn_system *system, uint32_t vertex)
{
    const tr_plan *plan = system->plan;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half);
        uint32_t *flags = &flags_of(system, edge)[system->joint_pool->row[edge]];
        if (!is_inside(it, system, edge) || (*flags & TR_JOINT_EXACT) != 0)
            continue;
        *flags |= TR_JOINT_EXACT;
        it->joint_count++;
    }
}

/* Comparing costs more than looking at all rows if more than one row of so many is marked. */
#define SCAN_FROM 16u

static void list_rows(trn_chosen *it, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    uint32_t count = 0;
    if (it->count > bodies->table.count / SCAN_FROM) {
        for (uint32_t row = 0; row < bodies->table.count; row++)
            if ((bodies->flags[row] & TR_BODY_DIRECT) != 0)
                it->rows[count++] = row;
        return;
    }
    for (uint32_t i = 0; i < it->count; i++)
        it->rows[i] = row_of(system, it->list[i]);
    tr_sort_u32(it->rows, it->count);
}

/* from the marks of tables */
static void scan_joints(trn_chosen *it, const trn_system *system)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const trn_joints *joints = &system->joints[type];
        for (uint32_t row = 0; row < joints->table.count; row++)
            if ((joints->flags[row] & TR_JOINT_EXACT) != 0)
                it->joints[count++] = key_of((trn_joint_type)type, row);
    }
}

static bool is_first(const trn_chosen *it, const tr_plan *plan, uint32_t half)
{
    bool first = true;
    for (uint32_t end = 0; end < tr_half_end(half) && first; end++)
        first = (it->marks[tr_plan_end(plan, tr_half_edge(half), end)] & (TR_CHOSEN_CORE | TR_CHOSEN_TOUCHING)) == 0;
    return first;
}

/* from the bodies */
static void gather_joints(trn_chosen *it, const trn_system *system)
{
    const tr_plan *plan = system->plan;
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->count; i++)
        for (uint32_t half = tr_plan_first(plan, it->list[i]); half != TR_NONE; half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half), row = system->joint_pool->row[edge];
            /* by the first end that is chosen */
            if ((flags_of(system, edge)[row] & TR_JOINT_EXACT) != 0 && is_first(it, plan, half))
                it->joints[count++] = key_of(trn_kernel_type(tr_plan_kind(plan, edge)), row);
        }
    tr_sort_u64(it->joints, count);
}

static void list_chosen_joints(trn_chosen *it, const trn_system *system)
{
    uint64_t all = 0;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        all += system->joints[type].table.count;
    if (it->joint_count > all / SCAN_FROM)
        scan_joints(it, system);
    else
        gather_joints(it, system);
}

void trn_chosen_forget_lists(trn_chosen *it)
{
    it->listed = it->released = false;
}

static void mark(uint32_t *flags, uint32_t count, uint32_t bit, bool marks)
{
    for (uint32_t i = 0; i < count; i++)
        flags[i] = marks ? flags[i] | bit : flags[i] & ~bit;
}

/* Sets or clears the marks of what is listed: without contacts nothing has a border. */
static void mark_listed(const trn_chosen *it, const trn_system *system, bool marks)
{
    for (uint32_t i = 0, run; i < it->count; i += run) {
        run = trn_chosen_rows_run(it->rows + i, it->count - i);
        mark(&system->bodies->flags[it->rows[i]], run, TR_BODY_DIRECT, marks);
    }
    for (uint32_t i = 0, run; i < it->joint_count; i += run) {
        run = trn_chosen_run(it->joints + i, it->joint_count - i);
        mark(&system->joints[it->joints[i] >> 32].flags[(uint32_t)it->joints[i]], run, TR_JOINT_EXACT, marks);
    }
}

/* clears the marks of all that is chosen, from the plan */
static void clear_marks(const trn_chosen *it, const trn_system *system)
{
    const tr_plan *plan = system->plan;
    for (uint32_t i = 0; i < it->count; i++) {
        system->bodies->flags[row_of(system, it->list[i])] &= ~(TR_BODY_DIRECT | TR_BODY_BORDERED);
        for (uint32_t half = tr_plan_first(plan, it->list[i]); half != TR_NONE; half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            uint32_t *flags = flags_of(system, edge);
            if (flags != NULL)
                flags[system->joint_pool->row[edge]] &= ~TR_JOINT_EXACT;
        }
    }
}

/* what is marked, from the plan; false: out of memory, and nothing is marked */
static bool list_chosen(trn_chosen *it, tr_memory *m, const trn_system *system)
{
    join(it, system);
    if (!tr_grow(m, (void **)&it->rows, &it->row_capacity, it->count, sizeof *it->rows) ||
        !tr_grow(m, (void **)&it->last_bodies, &it->last_body_capacity, it->count, sizeof *it->last_bodies))
        return false;
    mark_bodies(it, system);
    for (uint32_t i = 0; i < it->count; i++)
        mark_joints(it, system, it->list[i]);
    if (!tr_grow(m, (void **)&it->joints, &it->joint_capacity, it->joint_count, sizeof *it->joints) ||
        !tr_grow(m, (void **)&it->last_joints, &it->last_joint_capacity, it->joint_count, sizeof *it->last_joints)) {
        clear_marks(it, system);
        return false;
    }
    list_rows(it, system);
    list_chosen_joints(it, system);
    return true;
}

bool trn_choose_for_step(trn_solver *solver, const trn_system *system)
{
    trn_chosen *it = &solver->chosen;
    const uint64_t version = tr_plan_version(system->plan);
    const bool touches = system->joints[TR_CONTACT].table.count > 0;
    if (it->listed && !touches && it->core > 0 && it->listed_version == version &&
        it->listed_searches == it->searches) {
        mark_listed(it, system, true);
        return true;
    }
    trn_chosen_forget_lists(it);
    it->joint_count = 0;
    it->list_number++;
    if (it->core == 0)
        return true;
    if (!trn_chosen_reserve(it, solver->memory, system) || !hold_flags(system) ||
        !list_chosen(it, solver->memory, system))
        return false;
    it->listed = !touches;
    it->listed_version = version;
    it->listed_searches = it->searches;
    return true;
}

void trn_choose_end(trn_solver *solver, const trn_system *system)
{
    const trn_chosen *it = &solver->chosen;
    if (it->listed)
        mark_listed(it, system, false);
    else
        clear_marks(it, system);
}

/* A joint is solved in another way than in the step before. */
static void release_joint(const trn_system *system, trn_joint_type type, uint32_t row)
{
    trn_joints *joints = &system->joints[type];
    const bool was = (joints->flags[row] & TR_JOINT_WAS_EXACT) != 0, is = (joints->flags[row] & TR_JOINT_EXACT) != 0;
    if (was == is)
        return;
    joints->flags[row] ^= TR_JOINT_WAS_EXACT;
    /* what sleeps keeps its reactions; contacts only push */
    const bool drops = was && type != TR_CONTACT && tr_plan_color(system->plan, joints->slot[row]) != TR_NONE;
    for (uint32_t i = 0; drops && i < trn_joint_types[type]->impulse_count; i++)
        if (trn_joint_types[type]->impulse_roles[i] < TR_ROLE_SUM)
            trn_joint_drop_impulse(joints, i, row);
}

static void release_last(const trn_chosen *it, const trn_system *system, bool fine)
{
    const tr_pool *joints = system->joint_pool, *bodies = system->body_pool;
    for (uint32_t i = 0; i < it->last_joint_count; i++) {
        const uint32_t edge = it->last_joints[i];
        /* what is in its place now may be another, which is not marked */
        if (edge < joints->count && !tr_pool_is_free(joints, edge) && flags_of(system, edge) != NULL)
            release_joint(system, trn_kernel_type(tr_plan_kind(system->plan, edge)), joints->row[edge]);
    }
    for (uint32_t i = 0; i < it->last_body_count && !fine; i++) {
        const uint32_t vertex = it->last_bodies[i];
        if (vertex < bodies->count && !tr_pool_is_free(bodies, vertex) &&
            (system->bodies->flags[bodies->row[vertex]] & TR_BODY_DIRECT) == 0)
            trn_bodies_round_row(system->bodies, bodies->row[vertex]);
    }
}

/* another state of the world has come, or a step of another kind */
static void release_any(const trn_system *system, bool fine)
{
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        for (uint32_t row = 0; system->joints[type].flags != NULL && row < system->joints[type].table.count; row++)
            release_joint(system, (trn_joint_type)type, row);
    if (!fine)
        trn_bodies_round(system->bodies, TR_BODY_DIRECT);
}

void trn_choose_release(trn_solver *solver, const trn_system *system, bool fine)
{
    trn_chosen *it = &solver->chosen;
    if (it->last_known && it->released && !fine)
        return;
    if (it->last_known)
        release_last(it, system, fine);
    else
        release_any(system, fine);
    /* what a fine step leaves is in all rows */
    it->last_known = !fine;
    it->released = it->listed && !fine;
    it->last_body_count = it->core > 0 ? it->count : 0;
    it->last_joint_count = it->core > 0 ? it->joint_count : 0;
    if (it->last_body_count > 0)
        memcpy(it->last_bodies, it->list, it->count * sizeof *it->list);
    for (uint32_t i = 0; i < it->last_joint_count; i++) {
        const trn_joint_type type = (trn_joint_type)(it->joints[i] >> 32);
        it->last_joints[i] = system->joints[type].slot[(uint32_t)it->joints[i]];
        release_joint(system, type, (uint32_t)it->joints[i]);
    }
}
