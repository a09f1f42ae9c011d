/*
 * Finds bodies that carry too much for sweeps by joints of any type: the masses at the other ends of their rigid joints
 * are too many times their own, or, of hubs, the inertias of these masses at their levers; or they hang on a lever that is
 * too long (docs/solver.md). In lattices of light bodies levers are large, too, and are swept well.
 */
#include <math.h>
#include <string.h>

#include "solver/core/solver_internal.h"

#define HUB_TIES   4u  /* from here on inertias count, of hubs, and */
#define MANY_TIES  6u  /* from here on masses only of hubs; */
#define WHOLE_TIES 32u /* bodies with more are split, */
#define SPLIT_MANY 1000u

/* Limits relative to the body's mass or inertia, at a direct_load of LOAD. A linear model of a star diverges from 22.9,
   11.5, 8.6, 6.4, 5.1, 4.3 and 4.0 times its inertia on, with 4, 5, 6, 8, 12, 20 and 32 joints; with fewer never. Of split
   bodies both add up. */
#define LOAD             10.0
#define EACH             20.0
#define LEAST            3.2
#define INERTIA_FOUR     20.0
#define INERTIA_FIVE     11.0
#define SPLIT_MASS       3.5
#define SPLIT_INERTIA    3.0
#define SPLIT_SHARE      0.8
#define SPLIT_SHARE_MANY 1.2

/* a joint with features counts less, of bodies with few joints, which sweeps hold better than others */
#define FEATURED_SHARE 0.25

/* A body of mass m and inertia I that hangs from a fixed one by a joint at distance r has the inertia m r^2 about the
   joint. If a soft joint yields by d, sweeps use rB as the lever of its body B, not rB - d. So the body gains energy if
   m r^2 is this many times I. */
#define PIN_INERTIA 30.0

/* what a body carries */
typedef struct load {
    uint32_t ties;
    double mass, counted; /* kg; `counted`: with less weight for joints with features */
    double inertia,
        pin; /* relative to its own: of masses at their levers; of its own mass at that of a joint to a fixed
                             body, at most */
} load;

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

/* whether a joint is one along whose axis the bodies are free, such as a wheel */
static bool is_line(const trn_system *system, uint32_t edge)
{
    return trn_joint_types[trn_kernel_type(tr_plan_kind(system->plan, edge))]->tie == TR_TIE_LINE;
}

/* Whether a joint passes on loads: it holds a point or a distance rigidly. Not lines on which bodies may hang by a spring. */
static bool carries(const trn_system *system, uint32_t edge)
{
    const trn_joint_type type = trn_kernel_type(tr_plan_kind(system->plan, edge));
    return type != TR_CONTACT && trn_joint_has(type, TRN_FIELD_LINEAR_KIND) && !trn_joint_types[type]->has_carriers &&
           !(is_line(system, edge) && trn_kernel_is_featured(tr_plan_kind(system->plan, edge))) &&
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

/* the lever of a joint about the centre of mass of its end's body, in the body's frame; false: it has none */
static bool lever_of(const trn_system *system, uint32_t edge, uint32_t end, double lever[TRN_AXES])
{
    const trn_joints *joints = &system->joints[trn_kernel_type(tr_plan_kind(system->plan, edge))];
    const trn_field anchor = end == 0 ? TRN_FIELD_ANCHOR_A_X : TRN_FIELD_ANCHOR_B_X;
    const trn_vec center = trn_body_center(system->bodies, row_of(system, tr_plan_end(system->plan, edge, end)));
    float at[TRN_AXES];
    memcpy(at, &center, sizeof at);
    for (uint32_t i = 0; i < TRN_AXES; i++) {
        const float *column = joints->field[anchor + i];
        if (column == NULL)
            return false;
        lever[i] = (double)column[system->joint_pool->row[edge]] - (double)at[i];
    }
    return true;
}

static double length_of(const double lever[TRN_AXES])
{
    double square = 0.0;
    for (uint32_t i = 0; i < TRN_AXES; i++)
        square += lever[i] * lever[i];
    return sqrt(square);
}

#if TRN_SPINS == 1
/* The inertia of a mass at a lever that is longer by `more`, and another inertia, relative to those of a body. */
static double turning_of(const trn_bodies *bodies, uint32_t row, double mass, const double lever[TRN_AXES], double more,
                         double other)
{
    const double own = (double)bodies->inertia[row], reach = length_of(lever) + more;
    if (!(own > 0.0) || (bodies->flags[row] & TR_BODY_FIXED_ROTATION) != 0)
        return 0.0;
    return (mass * reach * reach + other) / own;
}

static double inertia_of(const trn_bodies *bodies, uint32_t row)
{
    return (double)bodies->inertia[row];
}
#else
/* The same in space: of the two axes across the lever the mean. */
static double turning_of(const trn_bodies *bodies, uint32_t row, double mass, const double lever[TRN_AXES], double more,
                         double other)
{
    const tr_sym3 f = trn_body_inertia(bodies, row);
    const double xx = (double)f.xx, yy = (double)f.yy, zz = (double)f.zz, xy = (double)f.xy, xz = (double)f.xz,
                 yz = (double)f.yz, length = length_of(lever), reach = length + more;
    /* the adjugate, along the diagonal and across it */
    const double a = yy * zz - yz * yz, b = xx * zz - xz * xz, c = xx * yy - xy * xy, d = xz * yz - xy * zz,
                 e = xy * yz - xz * yy, g = xy * xz - yz * xx, det = xx * a + xy * d + xz * e;
    if (!(det > 0.0) || (bodies->flags[row] & TR_BODY_FIXED_ROTATION) != 0)
        return 0.0;
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < 3 && length > 0.0; i++)
        n[i] = lever[i] / length;
    const double along = (a * n[0] * n[0] + b * n[1] * n[1] + c * n[2] * n[2]) +
                         2.0 * (d * n[0] * n[1] + e * n[0] * n[2] + g * n[1] * n[2]);
    return (0.5 * mass * reach * reach * (a + b + c - along) + other * (a + b + c) / 3.0) / det;
}

static double inertia_of(const trn_bodies *bodies, uint32_t row)
{
    const tr_sym3 f = trn_body_inertia(bodies, row);
    return ((double)f.xx + (double)f.yy + (double)f.zz) / 3.0;
}
#endif

/* whether a joint also holds the angle, so that what it carries turns along */
static bool holds_angle(const trn_system *system, uint32_t edge)
{
    return trn_joint_has(trn_kernel_type(tr_plan_kind(system->plan, edge)), TRN_FIELD_ANGULAR_KIND);
}

/* What the body at the other end of a joint does to that at this end; of a fixed one how this one hangs on it. `many`: there
   are enough joints for inertias to count. */
static void add_tie(const trn_system *system, uint32_t edge, uint32_t end, bool many, load *sum)
{
    const trn_bodies *bodies = system->bodies;
    const uint32_t own = row_of(system, tr_plan_end(system->plan, edge, end)),
                   other = row_of(system, tr_plan_end(system->plan, edge, 1 - end));
    const bool moves = bodies->type[other] == TR_DYNAMIC;
    double lever[TRN_AXES], far[TRN_AXES];
    const bool levers = (many || !moves) && lever_of(system, edge, end, lever) && lever_of(system, edge, 1 - end, far);
    sum->ties++;
    if (!moves) {
        if (levers && !is_line(system, edge))
            sum->pin = fmax(sum->pin, turning_of(bodies, own, (double)bodies->mass[own], lever, 0.0, 0.0));
        return;
    }
    const double mass = (double)bodies->mass[other];
    const bool turns = holds_angle(system, edge);
    sum->mass += mass;
    sum->counted += trn_kernel_is_featured(tr_plan_kind(system->plan, edge)) ? FEATURED_SHARE * mass : mass;
    if (levers)
        sum->inertia +=
            turning_of(bodies, own, mass, lever, turns ? length_of(far) : 0.0, turns ? inertia_of(bodies, other) : 0.0);
}

/* What a body carries over what it may, at a direct_load of LOAD, whatever is around it; and what it may carry if it is a
   hub. */
static void strains_of(const load *it, double own, double *any, double *hub)
{
    const double limit = EACH / it->ties + LEAST;
    *any = *hub = 0.0;
    if (it->ties > WHOLE_TIES) {
        const double share = it->ties < SPLIT_MANY ? SPLIT_SHARE : SPLIT_SHARE_MANY;
        *hub = (it->mass / (SPLIT_MASS * own) + it->inertia / SPLIT_INERTIA) / share;
    } else if (it->ties >= MANY_TIES) {
        *hub = fmax(it->mass / own, it->inertia) / limit;
    } else {
        *any = it->ties < 2 ? 0.0 : it->counted / (LOAD * own);
        *hub = it->ties < HUB_TIES ? 0.0 : it->inertia / (it->ties == HUB_TIES ? INERTIA_FOUR : INERTIA_FIVE);
    }
}

static uint64_t count_joints(const trn_system *system, uint32_t vertex, uint64_t most)
{
    uint64_t count = 0;
    for (uint32_t half = tr_plan_first(system->plan, vertex); half != TR_NONE && count < most;
         half = tr_plan_next(system->plan, half))
        count += trn_kernel_type(tr_plan_kind(system->plan, tr_half_edge(half))) != TR_CONTACT;
    return count;
}

/* Whether a body has been met at this body before; it has been then. Joints side by side are mostly made one after another; at bodies with
   many joints, which have marks, others are looked for, too. */
static bool is_met(trn_chosen *it, uint32_t other, uint32_t before, bool wide)
{
    if (other == before || (wide && (it->marks[other] & TR_CHOSEN_MET) != 0))
        return true;
    if (wide)
        it->marks[other] |= TR_CHOSEN_MET;
    return false;
}

static void forget_met(trn_chosen *it, const trn_system *system, uint32_t vertex, bool wide)
{
    const tr_plan *plan = system->plan;
    for (uint32_t half = wide ? tr_plan_first(plan, vertex) : TR_NONE; half != TR_NONE;
         half = tr_plan_next(plan, half)) {
        const uint32_t end = tr_half_end(half);
        if (end < 2)
            it->marks[tr_plan_end(plan, tr_half_edge(half), 1 - end)] &= (uint8_t)~TR_CHOSEN_MET;
    }
}

/* The moving bodies around a hub have less than half as many joints on average. If all have many, as in a lattice, they
   support each other. */
static bool is_hub(trn_chosen *it, const trn_system *system, uint32_t vertex, uint32_t ties, bool wide)
{
    const tr_plan *plan = system->plan;
    const trn_bodies *bodies = system->bodies;
    const uint64_t most = (uint64_t)ties * ties;
    uint64_t around = 0;
    uint32_t before = TR_NONE;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && 2 * around < most;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || !carries(system, edge))
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - end);
        if (!is_met(it, other, before, wide) && bodies->type[row_of(system, other)] == TR_DYNAMIC)
            around += count_joints(system, other, most);
        before = other;
    }
    forget_met(it, system, vertex, wide);
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

/* 0, TR_CHOSEN_STRAINED, or TR_CHOSEN_LEVER: only by how it hangs on a fixed body */
static uint8_t strain_on(trn_chosen *it, const trn_system *system, uint32_t vertex, bool wide)
{
    const trn_bodies *bodies = system->bodies;
    const tr_plan *plan = system->plan;
    const uint32_t row = row_of(system, vertex);
    const double unit = (double)system->settings.direct_load / LOAD;
    const bool many = tr_plan_degree(plan, vertex) >= HUB_TIES;
    load sum = {0};
    uint32_t before = TR_NONE;
    if (bodies->type[row] != TR_DYNAMIC)
        return 0;
    if (!(system->settings.direct_load > 0.0f))
        return is_tied(system, vertex) ? TR_CHOSEN_STRAINED : 0;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || !carries(system, edge) || is_idle_pin(system, edge, 1 - end))
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - end);
        if (!is_met(it, other, before, wide))
            add_tie(system, edge, end, many, &sum);
        before = other;
    }
    forget_met(it, system, vertex, wide);
    double any, hub;
    strains_of(&sum, (double)bodies->mass[row], &any, &hub);
    if (any > unit || (hub > unit && is_hub(it, system, vertex, sum.ties, wide)))
        return TR_CHOSEN_STRAINED;
    return sum.pin > unit * PIN_INERTIA ? TR_CHOSEN_LEVER : 0;
}

/* There are no marks while none is needed. False: out of memory. */
static bool mark(trn_solver *solver, const trn_system *system, uint32_t vertex, uint8_t strain)
{
    trn_chosen *it = &solver->chosen;
    const uint8_t was = vertex < it->mark_capacity ? it->marks[vertex] & TR_CHOSEN_STRAINS : 0;
    if (was == strain)
        return true;
    if (strain != 0 &&
        !tr_grow(solver->memory, (void **)&it->marks, &it->mark_capacity, system->body_pool->count, sizeof *it->marks))
        return false;
    it->marks[vertex] ^= was ^ strain;
    it->strain_changed = true;
    it->strained += was == 0 ? 1u : 0u;
    it->strained -= strain == 0 ? 1u : 0u;
    return true;
}

static bool examine(trn_solver *solver, const trn_system *system, uint32_t vertex)
{
    trn_chosen *it = &solver->chosen;
    const bool wide = tr_plan_degree(system->plan, vertex) > WHOLE_TIES;
    if (wide &&
        !tr_grow(solver->memory, (void **)&it->marks, &it->mark_capacity, system->body_pool->count, sizeof *it->marks))
        return false;
    return mark(solver, system, vertex, strain_on(it, system, vertex, wide));
}

static bool examine_all(trn_solver *solver, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    bool done = true;
    for (uint32_t v = 0; v < solver->chosen.mark_capacity && solver->chosen.strained > 0; v++)
        (void)mark(solver, system, v, 0);
    for (uint32_t row = 0; done && (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++)
        done = examine(solver, system, bodies->slot[row]);
    return done;
}

/* Bodies of many joints that have been examined since the news: each is once. */
static bool has_seen(trn_solver *solver, const trn_system *system, uint32_t vertex, bool *done)
{
    trn_chosen *it = &solver->chosen;
    if (tr_plan_degree(system->plan, vertex) <= WHOLE_TIES)
        return false;
    *done =
        tr_grow(solver->memory, (void **)&it->marks, &it->mark_capacity, system->body_pool->count, sizeof *it->marks) &&
        tr_grow(solver->memory, (void **)&it->wide, &it->wide_capacity, it->wide_count + 1, sizeof *it->wide);
    if (!*done || (it->marks[vertex] & TR_CHOSEN_SEEN) != 0)
        return true;
    it->marks[vertex] |= TR_CHOSEN_SEEN;
    it->wide[it->wide_count++] = vertex;
    return false;
}

/* A body of the news, and the hubs around it, which depend on the number of its joints; *last: the last of them. */
static bool examine_around(trn_solver *solver, const trn_system *system, uint32_t vertex, uint32_t *last)
{
    const tr_plan *plan = system->plan;
    bool done = true;
    if (!has_seen(solver, system, vertex, &done))
        done = examine(solver, system, vertex);
    const bool moves = system->bodies->type[row_of(system, vertex)] == TR_DYNAMIC;
    for (uint32_t half = moves ? tr_plan_first(plan, vertex) : TR_NONE; half != TR_NONE && done;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || trn_kernel_type(tr_plan_kind(plan, edge)) == TR_CONTACT)
            continue;
        const uint32_t other = tr_plan_end(plan, edge, 1 - end);
        if (other == *last || tr_plan_degree(plan, other) < HUB_TIES || has_seen(solver, system, other, &done))
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
    while (it->wide_count > 0)
        it->marks[it->wide[--it->wide_count]] &= (uint8_t)~TR_CHOSEN_SEEN;
    it->known = done;
    return done;
}
