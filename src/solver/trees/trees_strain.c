/*
 * Finds bodies that carry too much for sweeps (strained bodies). A sweep over the joints of one body effectively uses
 * the lower triangle of their matrix K, which is not symmetric. With warm starting, velocities and impulses together
 * form a second-order integrator, which diverges if the antisymmetric part of that triangle is large. With n joints
 * that happens if the bodies joined to it have more than a few times its own mass (or inertia, including their levers):
 * the more joints, the lower the limit (docs/solver.md).
 */
#include <math.h>
#include <string.h>

#include "solver/trees/trees_search.h"

/* bodies with more joints are split */
#define WHOLE_TIES 32u

/* For many joints: a body with n of them may carry EACH / n + LEAST times its mass or inertia, at a direct_load of
   LOAD. A linear model of a star diverges from 8.6, 6.4, 5.1, 4.3 and 4.0 on, with 6, 8, 12, 20 and 32 joints. With
   four and five joints it diverges from inertias of 22.9 and 11.5 on, with fewer never. */
#define EACH         20.0
#define LEAST        3.2
#define LOAD         10.0
#define INERTIA_FOUR 20.0
#define INERTIA_FIVE 11.0

/* with few joints, a body joined by one with features on its free angle counts less, because such trees take at
   least twice as long */
#define TURN_SHARE 0.25

/* A body of mass m and inertia I that hangs from a fixed one by a joint at distance r has the inertia m r^2 about the
   joint. If a soft joint yields by d, sweeps use rB as the lever of its body B, not rB - d. So the body gains energy if
   m r^2 is much more than I (docs/solver.md). */
#define PIN_INERTIA 30.0

/* what a body carries through joints that can be in trees */
typedef struct load {
    uint32_t ties;
    double reach;         /* m, the longest lever of a joint to a fixed body */
    double mass, counted; /* kg; `counted`: with less weight for joints with features on their free angle */
    double inertia; /* kg m^2 about its centre, of masses at their levers, or of rigid parts if the angle is fixed */
} load;

/* distance from the centre of mass of an end's body to the joint, m */
static double lever_of(const tr2_system *system, const tr2_joints *joints, uint32_t row, uint32_t end, uint32_t body)
{
    tr2_field anchor = end == 0 ? TR2_FIELD_ANCHOR_A_X : TR2_FIELD_ANCHOR_B_X;
    tr_vec2 center = tr2_body_center(system->bodies, body);
    double x = (double)joints->field[anchor][row] - (double)center.x;
    double y = (double)joints->field[anchor + 1][row] - (double)center.y;
    return sqrt(x * x + y * y);
}

static void add_tie(const tr2_search *s, uint32_t edge, uint32_t end, load *sum)
{
    const tr2_system *system = s->system;
    const tr2_bodies *bodies = system->bodies;
    uint32_t own = tr2_row_of_vertex(system, tr_plan_end(system->plan, edge, end));
    uint32_t other = tr2_row_of_vertex(system, tr_plan_end(system->plan, edge, 1 - end));
    uint32_t kind = tr_plan_kind(system->plan, edge), row = system->joint_pool->row[edge];
    const tr2_joints *joints = &system->joints[tr2_kernel_type(kind)];
    double mass = (double)bodies->mass[other], reach = lever_of(system, joints, row, end, own);
    sum->ties++;
    if (bodies->type[other] != TR_DYNAMIC) {
        /* lines do not count: a compact body below a line may rotate faster than any sub-step can follow, which sweeps
           damp and exact trees do not */
        bool counts = reach > sum->reach && tr2_tie_kind_of(kind) != TR_TIE_LINE;
        sum->reach = counts ? reach : sum->reach;
        return;
    }
    if (tr2_tie_holds_angle(tr2_tie_kind_of(kind))) {
        reach += lever_of(system, joints, row, 1 - end, other);
        sum->inertia += (double)bodies->inertia[other];
    }
    sum->mass += mass;
    sum->counted += tr2_has_turn(kind) ? TURN_SHARE * mass : mass;
    sum->inertia += mass * reach * reach;
}

/* limits of mass and inertia relative to the body's own, for a number of joints, at a direct_load of LOAD; for a
   split body, each limit if the other is 0 */
static void limits_of(uint32_t ties, double *mass, double *inertia)
{
    *mass = *inertia = ties < TR2_MANY_TIES ? LOAD : EACH / ties + LEAST;
    if (ties < TR2_MANY_TIES)
        *inertia = ties < 4 ? (double)INFINITY : ties == 4 ? INERTIA_FOUR : INERTIA_FIVE;
    if (ties > WHOLE_TIES) {
        *mass = TR2_SPLIT_MASS * tr2_split_share(ties);
        *inertia = TR2_SPLIT_INERTIA * tr2_split_share(ties);
    }
}

/* the inertia that resists a torque; 0: it cannot rotate */
static double inertia_of(const tr2_bodies *bodies, uint32_t row)
{
    return (bodies->flags[row] & TR_BODY_FIXED_ROTATION) != 0 ? 0.0 : (double)bodies->inertia[row];
}

bool tr2_is_strained(const tr2_search *s, uint32_t vertex)
{
    const tr2_bodies *bodies = s->system->bodies;
    const tr_plan *plan = s->system->plan;
    uint32_t row = tr2_row_of_vertex(s->system, vertex);
    double unit = (double)s->system->settings.direct_load / LOAD, most_mass, most_inertia;
    load sum = {0};
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        if (tr2_counts(s, tr_half_edge(half), 1 - tr_half_end(half)))
            add_tie(s, tr_half_edge(half), tr_half_end(half), &sum);
    }
    double own = inertia_of(bodies, row);
    if (own > 0.0 && (double)bodies->mass[row] * sum.reach * sum.reach > unit * PIN_INERTIA * own)
        return true;
    if (sum.ties < 2)
        return false;
    limits_of(sum.ties, &most_mass, &most_inertia);
    double inertias = own > 0.0 ? sum.inertia / (own * most_inertia) : 0.0;
    double masses = (sum.ties < TR2_MANY_TIES ? sum.counted : sum.mass) / ((double)bodies->mass[row] * most_mass);
    double both = sum.ties > WHOLE_TIES ? masses + inertias : masses > inertias ? masses : inertias;
    return both > unit;
}

static bool reserve_strained(tr2_trees *trees)
{
    return tr_grow(trees->forest.memory, (void **)&trees->strained, &trees->strained_capacity,
                   trees->strained_count + 1, sizeof *trees->strained);
}

/* upper bounds of what any body can carry at one joint, and of the lever of a joint to a fixed body */
typedef struct extreme {
    double mass, inertia, lever;
} extreme;

static double longest(const float *x, const float *y, uint32_t count)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        float square = x[i] * x[i] + y[i] * y[i];
        most = square > most ? square : most;
    }
    return sqrt((double)most);
}

/* the longest lever of a joint to a fixed body, of the body that it holds; lines do not count (add_tie()) */
static double longest_pin(const tr2_search *s)
{
    const tr2_system *system = s->system;
    const tr2_bodies *bodies = system->bodies;
    double most = 0.0;
    for (uint32_t row = 0; (row = tr2_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        uint32_t half = bodies->type[row] != TR_DYNAMIC ? tr_plan_first(system->plan, bodies->slot[row]) : TR_NONE;
        for (; half != TR_NONE; half = tr_plan_next(system->plan, half)) {
            uint32_t edge = tr_half_edge(half), end = 1 - tr_half_end(half), kind = tr_plan_kind(system->plan, edge);
            if (!tr2_counts(s, edge, 1 - end) || tr2_tie_kind_of(kind) == TR_TIE_LINE)
                continue;
            uint32_t held = tr2_row_of_vertex(system, tr_plan_end(system->plan, edge, end));
            const tr2_joints *joints = &system->joints[tr2_kernel_type(kind)];
            double lever = lever_of(system, joints, system->joint_pool->row[edge], end, held);
            most = lever > most ? lever : most;
        }
    }
    return most;
}

static extreme extreme_of(const tr2_search *s)
{
    const tr2_bodies *bodies = s->system->bodies;
    float mass = 0.0f, turns = 0.0f;
    double off = 0.0;
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        mass = bodies->mass[row] > mass ? bodies->mass[row] : mass;
        turns = bodies->inertia[row] > turns ? bodies->inertia[row] : turns;
    }
    if (bodies->local_center_x != NULL)
        off = longest(bodies->local_center_x, bodies->local_center_y, bodies->table.count);
    extreme each = {(double)mass, 0.0, longest_pin(s)};
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        const tr2_joints *joints = &s->system->joints[type];
        tr2_tie_kind tie = tr2_joint_types[type]->tie;
        if (tie == TR_TIE_NONE || joints->table.count == 0)
            continue;
        double a =
            longest(joints->field[TR2_FIELD_ANCHOR_A_X], joints->field[TR2_FIELD_ANCHOR_A_Y], joints->table.count);
        double b =
            longest(joints->field[TR2_FIELD_ANCHOR_B_X], joints->field[TR2_FIELD_ANCHOR_B_Y], joints->table.count);
        double reach = tr2_tie_holds_angle(tie) ? a + b + 2.0 * off : (a > b ? a : b) + off;
        double inertia = each.mass * reach * reach + (tr2_tie_holds_angle(tie) ? (double)turns : 0.0);
        each.inertia = inertia > each.inertia ? inertia : each.inertia;
    }
    return each;
}

/* a quick test that rules out most bodies without examining their joints: none could be heavy enough */
static bool is_light_enough(const tr2_search *s, uint32_t vertex, const extreme *each)
{
    const tr2_bodies *bodies = s->system->bodies;
    uint32_t row = tr2_row_of_vertex(s->system, vertex), degree = tr_plan_degree(s->system->plan, vertex);
    double unit = 0.999 * (double)s->system->settings.direct_load / LOAD, mass, inertia, own = inertia_of(bodies, row);
    /* some of these joints may not count, so take the lower limit of fewer */
    limits_of(degree < TR2_SPLIT_MANY ? degree : TR2_SPLIT_MANY - 1, &mass, &inertia);
    double half = degree > WHOLE_TIES ? 0.5 : 1.0;
    double pinned = (double)bodies->mass[row] * each->lever * each->lever;
    return each->mass * degree <= half * unit * mass * (double)bodies->mass[row] &&
           (!(own > 0.0) || pinned <= unit * PIN_INERTIA * own) &&
           (!(own > 0.0) || degree < 4 || each->inertia * degree <= half * unit * inertia * own);
}

bool tr2_list_strained(tr2_trees *trees, const tr2_search *s)
{
    const tr2_bodies *bodies = s->system->bodies;
    const extreme each = extreme_of(s);
    trees->strained_count = 0;
    for (uint32_t row = 0; (row = tr2_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        uint32_t vertex = bodies->slot[row];
        if (bodies->type[row] != TR_DYNAMIC || is_light_enough(s, vertex, &each) || !tr2_is_strained(s, vertex))
            continue;
        if (!reserve_strained(trees))
            return false;
        trees->strained[trees->strained_count++] = vertex;
    }
    return true;
}

/* the index of a body's row in the list, or where to insert it */
static uint32_t place_of(const tr2_trees *trees, const tr2_search *s, uint32_t row)
{
    uint32_t low = 0, high = trees->strained_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tr2_row_of_vertex(s->system, trees->strained[middle]) < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tr2_renew_strained(tr2_trees *trees, const tr2_search *s, uint32_t vertex, bool *changed)
{
    uint32_t row = tr2_row_of_vertex(s->system, vertex), place = place_of(trees, s, row);
    bool was = place < trees->strained_count && trees->strained[place] == vertex;
    /* a body that has fallen asleep carries nothing */
    bool is = s->system->bodies->type[row] == TR_DYNAMIC && tr2_is_strained(s, vertex);
    if (was == is)
        return true;
    *changed = true;
    if (is && !reserve_strained(trees))
        return false;
    uint32_t *at = trees->strained + place;
    size_t after = (trees->strained_count - place) * sizeof *at;
    if (is) {
        memmove(at + 1, at, after);
        *at = vertex;
        trees->strained_count++;
    } else {
        memmove(at, at + 1, after - sizeof *at);
        trees->strained_count--;
    }
    return true;
}
