/*
 * Finds bodies that carry too much for sweeps by joints of any type: the masses at the other ends of their rigid joints
 * are too many times their own (docs/solver.md), without inertias and levers, since lattices of light bodies have large
 * levers and are swept well.
 */
#include <math.h>
#include <string.h>

#include "solver/core/solver_internal.h"

#define MANY_TIES  6u  /* from here on a body is a hub */
#define WHOLE_TIES 32u /* bodies with more are split, and are left to sweeps */

/* limits relative to the body's mass, at a direct_load of LOAD */
#define LOAD  10.0
#define EACH  20.0
#define LEAST 3.2

/* a joint with features counts less, of bodies with few joints */
#define FEATURED_SHARE 0.25

uint64_t trn_strain_kinds(void)
{
    uint64_t kinds = 0;
    for (uint32_t kind = 0; kind < TR_KERNEL_COUNT && kind < 64; kind++)
        kinds |= (uint64_t)(trn_kernel_type(kind) != TR_CONTACT) << kind;
    return kinds;
}

static uint32_t row_of(const trn_system *system, uint32_t vertex)
{
    return system->body_pool->row[vertex];
}

/* Whether a joint passes on loads: it holds a point or a distance rigidly. Not those along whose axis the bodies are free
   and may hang on a spring, such as wheels. */
static bool carries(const trn_system *system, uint32_t edge)
{
    const trn_joint_type type = trn_kernel_type(tr_plan_kind(system->plan, edge));
    return type != TR_CONTACT && trn_joint_has(type, TRN_FIELD_LINEAR_KIND) && !trn_joint_types[type]->has_carriers &&
           trn_joint_types[type]->tie != TR_TIE_LINE &&
           trn_is_rigid_cell(
               trn_joint_cell(&system->joints[type], TRN_FIELD_LINEAR_KIND, system->joint_pool->row[edge]));
}

/* Whether a joint has no effect, and its end does not move. It counts as little as none. */
static bool is_idle_pin(const trn_system *system, uint32_t edge, uint32_t end)
{
    const uint32_t *flags = system->joints[trn_kernel_type(tr_plan_kind(system->plan, edge))].flags;
    return flags != NULL && (flags[system->joint_pool->row[edge]] & TR_JOINT_OFF) != 0 &&
           system->bodies->type[row_of(system, tr_plan_end(system->plan, edge, end))] != TR_DYNAMIC;
}

static double limit_of(uint32_t ties)
{
    return ties < MANY_TIES ? LOAD : EACH / ties + LEAST;
}

static uint64_t count_joints(const trn_system *system, uint32_t vertex, uint64_t most)
{
    uint64_t count = 0;
    for (uint32_t half = tr_plan_first(system->plan, vertex); half != TR_NONE && count < most;
         half = tr_plan_next(system->plan, half))
        count += trn_kernel_type(tr_plan_kind(system->plan, tr_half_edge(half))) != TR_CONTACT;
    return count;
}

/* The moving bodies around a hub have less than half as many joints on average. If all have many, as in a lattice, they
   support each other. */
static bool is_hub(const trn_system *system, uint32_t vertex, uint32_t ties)
{
    const tr_plan *plan = system->plan;
    const trn_bodies *bodies = system->bodies;
    const uint64_t most = (uint64_t)ties * ties;
    uint64_t around = 0;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && 2 * around < most;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || !carries(system, edge))
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - end);
        around += bodies->type[row_of(system, other)] == TR_DYNAMIC ? count_joints(system, other, most) : 0;
    }
    return 2 * around < most;
}

/* Whether some joint ties a body: that is enough for a direct_load of 0. */
static bool is_tied(const trn_system *system, uint32_t vertex)
{
    const tr_plan *plan = system->plan;
    bool tied = false;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && !tied; half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        tied =
            trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT && !(end < 2 && is_idle_pin(system, edge, 1 - end));
    }
    return tied;
}

static bool is_strained(const trn_system *system, uint32_t vertex, double heaviest)
{
    const trn_bodies *bodies = system->bodies;
    const tr_plan *plan = system->plan;
    const uint32_t row = row_of(system, vertex);
    if (!(system->settings.direct_load > 0.0f))
        return bodies->type[row] == TR_DYNAMIC && is_tied(system, vertex);
    const double unit = (double)system->settings.direct_load / LOAD, own = (double)bodies->mass[row];
    double mass = 0.0, counted = 0.0;
    uint32_t ties = 0, before = TR_NONE;
    /* most bodies cannot carry so much, whatever they are joined to */
    if (bodies->type[row] != TR_DYNAMIC || heaviest * tr_plan_degree(plan, vertex) <= 0.999 * unit * LEAST * own)
        return false;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && ties <= WHOLE_TIES;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half), kind = tr_plan_kind(plan, edge);
        if (end > 1 || !carries(system, edge) || is_idle_pin(system, edge, 1 - end))
            continue;
        const uint32_t other = row_of(system, tr_plan_end(plan, edge, 1 - end));
        /* joints side by side are mostly made one after another */
        if (other == before)
            continue;
        before = other;
        const double load = bodies->type[other] == TR_DYNAMIC ? (double)bodies->mass[other] : 0.0;
        ties++;
        mass += load;
        counted += trn_kernel_is_featured(kind) ? FEATURED_SHARE * load : load;
    }
    if (ties < 2 || ties > WHOLE_TIES)
        return false;
    const double load = ties < MANY_TIES ? counted : mass;
    return load > unit * limit_of(ties) * own && (ties < MANY_TIES || is_hub(system, vertex, ties));
}

/* There are no marks while none is needed. False: out of memory. */
static bool mark(trn_solver *solver, const trn_system *system, uint32_t vertex, bool strained)
{
    trn_chosen *it = &solver->chosen;
    const bool was = vertex < it->mark_capacity && (it->marks[vertex] & TR_CHOSEN_STRAINED) != 0;
    if (was == strained)
        return true;
    if (strained &&
        !tr_grow(solver->memory, (void **)&it->marks, &it->mark_capacity, system->body_pool->count, sizeof *it->marks))
        return false;
    it->marks[vertex] ^= TR_CHOSEN_STRAINED;
    it->strain_changed = true;
    it->strained += strained ? 1u : 0u;
    it->strained -= strained ? 0u : 1u;
    return true;
}

static double heaviest_of(const trn_bodies *bodies)
{
    float most = 0.0f;
    for (uint32_t row = 0; row < bodies->table.count; row++)
        most = bodies->mass[row] > most ? bodies->mass[row] : most;
    return (double)most;
}

static bool examine_all(trn_solver *solver, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    const double heaviest = heaviest_of(bodies);
    bool done = true;
    for (uint32_t v = 0; v < solver->chosen.mark_capacity && solver->chosen.strained > 0; v++)
        (void)mark(solver, system, v, false);
    for (uint32_t row = 0; done && (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++)
        done = mark(solver, system, bodies->slot[row], is_strained(system, bodies->slot[row], heaviest));
    return done;
}

static bool examine(trn_solver *solver, const trn_system *system, uint32_t vertex)
{
    return mark(solver, system, vertex, is_strained(system, vertex, INFINITY));
}

/* A body of the news, and the hubs around it, which depend on the number of its joints; *last: the last of them. */
static bool examine_around(trn_solver *solver, const trn_system *system, uint32_t vertex, uint32_t *last)
{
    const tr_plan *plan = system->plan;
    bool done = examine(solver, system, vertex);
    const bool moves = system->bodies->type[row_of(system, vertex)] == TR_DYNAMIC;
    for (uint32_t half = moves ? tr_plan_first(plan, vertex) : TR_NONE; half != TR_NONE && done;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || trn_kernel_type(tr_plan_kind(plan, edge)) == TR_CONTACT)
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - end);
        if (other == *last || tr_plan_degree(plan, other) < MANY_TIES)
            continue;
        *last = other;
        done = examine(solver, system, other);
    }
    return done;
}

bool trn_strain_renew(trn_solver *solver, const trn_system *system, bool all, bool *changed)
{
    trn_chosen *it = &solver->chosen;
    const uint32_t *news = NULL;
    uint32_t count = 0, last = TR_NONE;
    *changed = true;
    it->strain_changed = false;
    tr_plan_watch(system->plan, trn_strain_kinds());
    all = all || !it->known || !tr_plan_news(system->plan, &news, &count);
    it->look_again = it->look_again || all;
    bool done = true;
    if (all)
        done = examine_all(solver, system);
    else
        *changed = count > 0;
    for (uint32_t i = 0; i < count && !all && done; i++)
        if (tr_plan_has_vertex(system->plan, news[i]) && !tr_plan_news_repeats(system->plan, i))
            done = examine_around(solver, system, news[i], &last);
    it->known = done;
    return done;
}
