/*
 * How trees are solved: elimination from the leaves to the root, and back, in double precision. Of a node, with all that
 * hangs on it eliminated,
 *
 *   (M + A) v = M v0 + q                                          A, q: what its children and pins add
 *   J v - Jf vf + C/h = 0                                          its tie to the parent, of velocity vf
 *
 * so v = W (M v0 + q) + W J^T l with W = (M + A)^-1, and with S = J W J^T, u = J W (M v0 + q) + C/h,
 *
 *   l = -S^-1 (u - Jf vf):   the parent gets Jf^T S^-1 Jf added to its A, and Jf^T S^-1 u to its q.
 *
 * The constraint holds exactly with C/h, so that errors of one sub-step are gone in the next, and energy stays.
 *
 * What is not sane stays where it is: a body whose velocity is absurd is left out of its tree, and so is a joint whose ends
 * are absurdly far apart, and an impulse that would be absurd is dropped, as sweeps do. The tree falls in parts there, for
 * one sub-step; whoever moves bodies stops the one that is not sane, and reports it.
 *
 * The same holds for a weld, of one row more, for a length, of one row less, and for a slide, of as many (trees_tie.h).
 *
 * Forces of long standing turn a light body back, as a weight does a pendulum, with the stiffness k = sum of r . F. Where
 * h^2 k is more than the inertia I, that is faster than a sub-step can follow; what it is more is added to I, and slows
 * the turning down, as an implicit step would. Nothing else is damped.
 */
#include <math.h>

#include "solver/trees_tie.h"

/* what does not move gives way by this little of what the other body gives. Equations hold numbers as large as the inverse
   of it, and their difference squares that: with 1e-9 all digits of a double are gone where a pinned body hangs from one
   side. A force F on a mass m is let through for one sub-step: 1e-5 F h^2 / m, which is taken back in the next. */
#define PIN_COMPLIANCE 1e-5

/* How often a tree is solved in a sub-step while limits, motors and the like change hands: at first all at once, which may go round
   in circles; then the first alone each time, which does not (Murty 1974). What is left the next sub-step takes up. */
#define SETTLINGS_OF_ALL 12
#define SETTLINGS        64

/*
 * Prepare and finish
 */
static void prepare_node(tr2_step *step, tr2_trees_node *node)
{
    const tr2_bodies *bodies = step->system->bodies;
    tr2_trees *trees = &step->solver->trees;
    double im = (double)tr2_body_inverse_mass(bodies, node->body);
    double ii = (double)tr2_body_inverse_inertia(bodies, node->body);
    double scale = step->solver->last_h > 0.0f ? (double)step->context.h / (double)step->solver->last_h : 0.0;
    node->mass = im > 0.0 ? 1.0 / im : 0.0;
    node->inertia = ii > 0.0 ? 1.0 / ii : 0.0;
    if (node->parent != TR_NONE)
        tr2_tie_prepare(step, &node->tie, node->body, scale);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
        tr2_tie_prepare(step, &trees->pins[p], node->body, scale);
}

static void finish_node(tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees *trees = &step->solver->trees;
    if (node->parent != TR_NONE)
        tr2_tie_finish(step, &node->tie);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
        tr2_tie_finish(step, &trees->pins[p]);
}

/*
 * What is sane
 */

static double sane_impulse(double impulse)
{
    return fabs(impulse) <= (double)TR2_SANE_IMPULSE ? impulse : 0.0;
}

/* how a state row moves before its tree is solved; false: it is not sane */
static bool motion_of(const tr2_step *step, uint32_t state, double out[3])
{
    const tr2_body_velocity *v = &step->context.velocities[state];
    out[0] = (double)v->x;
    out[1] = (double)v->y;
    out[2] = (double)v->w;
    return is_sane_rate(step, out);
}

/*
 * Solve
 */

/* what acts on the angle of a joint beside its rows, on the near body */
static double given_by(const tr2_step *step, const tr2_trees_tie *tie)
{
    double given = tie->turn != TR_NONE ? step->solver->trees.turns[tie->turn].given : 0.0;
    return tie->near_is_b ? given : -given;
}

/* where a tie's ends are, and what it is off by; false: it holds nothing now */
static bool place_tie(const tr2_step *step, const tr2_trees_node *node, tr2_trees_tie *tie)
{
    double far[3];
    bool holds = tr2_tie_place(step, tie, node->state) && tie->on && motion_of(step, tie->far, far);
    memcpy(tie->error, tie->rate, sizeof tie->error);
    /* of a free angle it is what acts on it that asks for a rate */
    tie->error[2] = tr2_tie_holds_angle(tie->kind) ? tie->error[2] : 0.0;
    return holds;
}

/* a pin is a leaf that nothing moves: what it adds to the node. `held`: the inverse of the node's mass and of what hangs on
   it otherwise */
static void add_pin(const tr2_step *step, const tr2_trees_node *node, tr2_trees_tie *pin, const double held[6],
                    tr2_trees_load *load)
{
    double h = (double)step->context.h, fixed[3], rate[3], k[6];
    memset(pin->inverse, 0, sizeof pin->inverse);
    pin->holds = place_tie(step, node, pin) && motion_of(step, pin->far, fixed);
    if (!pin->holds)
        return;
    shift(held, pin->near_at, k);
    for (uint32_t i = 0; i < 6; i++)
        k[i] *= PIN_COMPLIANCE;
    tr2_tie_invert(pin, step->solver->trees.turns, k);
    /* from here on the rate that the near end is to have */
    rate_at(pin->far_at, fixed, rate);
    for (uint32_t i = 0; i < 3; i++)
        pin->rate[i] = rate[i] - pin->rate[i];
    load_at(load, pin->near_at, pin->inverse, pin->rate, pin->flat);
    load->impulse[2] += given_by(step, pin);
    load->stiffness += h * pin->near_stiff;
}

static void add_pins(tr2_step *step, const tr2_trees_node *node, tr2_trees_load *all)
{
    double mass[6], held[6] = {0};
    memcpy(mass, all->mass, sizeof mass);
    mass[XX] += node->mass;
    mass[YY] += node->mass;
    mass[WW] += node->inertia;
    if (node->mass > 0.0)
        invert3(mass, node->inertia > 0.0, held);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
        add_pin(step, node, &step->solver->trees.pins[p], held, all);
}

static void add_load(tr2_trees_load *sum, const tr2_trees_load *load)
{
    for (uint32_t i = 0; i < 6; i++)
        sum->mass[i] += load->mass[i];
    for (uint32_t i = 0; i < 3; i++)
        sum->impulse[i] += load->impulse[i];
    sum->stiffness += load->stiffness;
    sum->inertia += load->inertia;
}

/* v = W (M v0 + q), from how it moved before; `more`: what is added to its inertia, which slows it down */
static void move_up(tr2_trees_node *node, double more, tr2_trees_load *all)
{
    bool turns = node->inertia > 0.0;
    double *v = node->motion, inertia = node->inertia + more;
    if (turns)
        v[2] *= node->inertia / inertia;
    double p[3] = {node->mass * v[0] + all->impulse[0], node->mass * v[1] + all->impulse[1],
                   inertia * v[2] + all->impulse[2]};
    all->mass[XX] += node->mass;
    all->mass[YY] += node->mass;
    all->mass[WW] += inertia;
    if (!turns) {
        p[0] -= all->mass[XW] * v[2];
        p[1] -= all->mass[YW] * v[2];
    }
    invert3(all->mass, turns, node->inverse);
    double w = v[2];
    times(node->inverse, p, v);
    if (!turns)
        v[2] = w;
}

/* what a node is to its parent */
static void load_parent(const tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees_node *parent = &step->solver->trees.nodes[node->parent];
    tr2_trees_tie *tie = &node->tie;
    double h = (double)step->context.h, rate[3], k[6];
    rate_at(tie->near_at, node->motion, rate);
    shift(node->inverse, tie->near_at, k);
    if (node->mass <= 0.0 && parent->mass > 0.0)
        k[XX] = k[YY] = PIN_COMPLIANCE / parent->mass;
    /* what cannot turn does not give way to what it is welded to either, but for as little */
    if (node->inertia <= 0.0)
        k[WW] = parent->inertia > 0.0 ? PIN_COMPLIANCE / parent->inertia : 0.0;
    tr2_tie_invert(tie, step->solver->trees.turns, k);
    for (uint32_t i = 0; i < 3; i++)
        tie->rate[i] += rate[i];
    load_at(&node->load, tie->far_at, tie->inverse, tie->rate, tie->flat);
    node->load.impulse[2] -= given_by(step, tie);
    node->load.stiffness += h * tie->far_stiff;
}

/* How much inertia is added where forces turn a body back too fast. What is welded to its parent turns with that: so there. */
static double added_inertia(tr2_trees_node *node, const tr2_trees_load *all)
{
    double inertia = node->inertia + all->inertia;
    if (node->tie.holds && tr2_tie_holds_angle(node->tie.kind)) {
        node->load.stiffness = all->stiffness;
        node->load.inertia = inertia;
        return 0.0;
    }
    return node->inertia > 0.0 && all->stiffness > inertia ? all->stiffness - inertia : 0.0;
}

/* a node, after all its children: W, its own motion, and what it is to its parent */
static void solve_up(tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees *trees = &step->solver->trees;
    tr2_trees_tie *tie = &node->tie;
    tr2_trees_load all;
    double h = (double)step->context.h;
    memset(&all, 0, sizeof all);
    memset(&node->load, 0, sizeof node->load);
    memset(node->inverse, 0, sizeof node->inverse);
    memset(tie->inverse, 0, sizeof tie->inverse);
    node->holds = motion_of(step, node->state, node->motion);
    for (uint32_t i = 0; i < 3; i++)
        node->before[i] = (float)node->motion[i];
    tie->holds = false;
    if (!node->holds)
        return;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++)
        add_load(&all, &trees->nodes[c].load);
    if (node->pin_count > 0)
        add_pins(step, node, &all);
    if (node->parent != TR_NONE)
        tie->holds = place_tie(step, node, tie);
    if (tie->holds) {
        all.stiffness += h * tie->near_stiff;
        all.impulse[2] += given_by(step, tie);
    }
    double more = added_inertia(node, &all);
    if (node->mass > 0.0)
        move_up(node, more, &all);
    if (tie->holds)
        load_parent(step, node);
}

/* the impulse on the near body that changes the joint's rate by so much */
static void impulse_of(tr2_trees_tie *tie, const double change[3])
{
    double *l = tie->impulse;
    const double *s = tie->inverse;
    if (tie->flat) {
        l[0] = s[XX] * change[0] + s[XY] * change[1];
        l[1] = s[XY] * change[0] + s[YY] * change[1];
    } else {
        times(s, change, l);
    }
    for (uint32_t i = 0; i < 3; i++)
        l[i] = tie->holds ? sane_impulse(l[i]) : 0.0;
}

/* a node, after its parent: its impulses, and how it moves */
static void solve_down(tr2_step *step, tr2_trees_node *node)
{
    tr2_trees *trees = &step->solver->trees;
    double rate[3];
    if (node->parent != TR_NONE) {
        const double *above = trees->nodes[node->parent].motion;
        node->tie.holds = node->tie.holds && is_sane_rate(step, above);
        rate_at(node->tie.far_at, above, rate);
        for (uint32_t i = 0; i < 3; i++)
            rate[i] -= node->tie.rate[i];
        impulse_of(&node->tie, rate);
        push(node->inverse, node->tie.near_at, node->tie.impulse, node->motion);
    }
    bool sane = node->holds && is_sane_rate(step, node->motion);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++) {
        tr2_trees_tie *pin = &trees->pins[p];
        pin->holds = pin->holds && sane;
        rate_at(pin->near_at, node->motion, rate);
        for (uint32_t i = 0; i < 3; i++)
            rate[i] = pin->rate[i] - rate[i];
        impulse_of(pin, rate);
    }
    if (node->mass <= 0.0 || !node->holds)
        return;
    tr2_body_velocity *velocity = &step->context.velocities[node->state];
    velocity->x = (float)node->motion[0];
    velocity->y = (float)node->motion[1];
    velocity->w = (float)node->motion[2];
    for (uint32_t c = node->first_copy; c < node->first_copy + node->copies; c++)
        step->context.velocities[c] = *velocity;
}

/*
 * Angles that are acted on
 */
static bool settle_tie(tr2_step *step, const tr2_trees_node *node, const tr2_trees_tie *tie, const double *far)
{
    double sign = tie->near_is_b ? 1.0 : -1.0;
    if (tie->turn == TR_NONE || !tie->holds)
        return false;
    return tr2_turn_settle(&step->solver->trees.turns[tie->turn], sign * (node->motion[2] - far[2]),
                           sign * tie->impulse[2]);
}

/* whether other parts of its joints keep their rates than it was solved with */
static bool settle_node(tr2_step *step, const tr2_trees_node *node, bool alone)
{
    const tr2_trees *trees = &step->solver->trees;
    bool changed = node->parent != TR_NONE && settle_tie(step, node, &node->tie, trees->nodes[node->parent].motion);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count && !(alone && changed); p++) {
        double fixed[3];
        if (motion_of(step, trees->pins[p].far, fixed))
            changed = settle_tie(step, node, &trees->pins[p], fixed) || changed;
    }
    return changed;
}

/* Where a tree is solved once in a sub-step, what cannot come to its rate by its own impulse must not begin by keeping it. */
static void let_go_tie(tr2_step *step, const tr2_trees_node *node, const tr2_trees_tie *tie)
{
    const tr2_body_velocity *v = step->context.velocities;
    double rate = (double)v[node->state].w - (double)v[tie->far].w;
    if (tie->turn != TR_NONE)
        tr2_turn_let_go(&step->solver->trees.turns[tie->turn], tie->near_is_b ? rate : -rate);
}

static void let_go(tr2_step *step, tr2_trees_range range)
{
    const tr2_trees *trees = &step->solver->trees;
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        const tr2_trees_node *node = &trees->nodes[n];
        if (node->parent != TR_NONE)
            let_go_tie(step, node, &node->tie);
        for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
            let_go_tie(step, node, &trees->pins[p]);
    }
}

/* as it moved before it was solved */
static void put_back(tr2_step *step, const tr2_trees_node *node)
{
    tr2_body_velocity *v = &step->context.velocities[node->state];
    v->x = node->before[0];
    v->y = node->before[1];
    v->w = node->before[2];
    for (uint32_t c = node->first_copy; c < node->first_copy + node->copies; c++)
        step->context.velocities[c] = *v;
}

/*
 * Units and levels
 */
typedef void node_fn(tr2_step *step, tr2_trees_node *node);

static node_fn *const works[TR2_TREES_WORKS] = {
    [TR2_TREES_PREPARE] = prepare_node,
    [TR2_TREES_UP] = solve_up,
    [TR2_TREES_DOWN] = solve_down,
    [TR2_TREES_FINISH] = finish_node,
};

/* children come before their parents on the way up, and after them otherwise */
static void go_through(tr2_step *step, tr2_trees_range range, tr2_trees_work work)
{
    tr2_trees_node *nodes = step->solver->trees.nodes + range.first;
    for (uint32_t n = 0; n < range.count; n++)
        works[work](step, &nodes[work == TR2_TREES_UP ? range.count - 1 - n : n]);
}

/* whether others keep their rates now; `alone`: no more than one joint changes */
static bool settle_all(tr2_step *step, tr2_trees_range range, bool alone)
{
    bool changed = false;
    for (uint32_t n = range.first; n < range.first + range.count && !(alone && changed); n++)
        changed = settle_node(step, &step->solver->trees.nodes[n], alone) || changed;
    return changed;
}

static void put_all_back(tr2_step *step, tr2_trees_range range)
{
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        put_back(step, &step->solver->trees.nodes[n]);
}

/* trees of a unit: from *first to the end that is returned */
static uint32_t trees_of_unit(const tr2_trees *trees, uint32_t unit, uint32_t *first)
{
    *first = unit < trees->unit_count ? trees->unit_near[unit] : 0;
    return unit < trees->unit_count ? trees->unit_near[unit + 1] : 0;
}

static void go_through_unit(tr2_step *step, uint32_t unit, tr2_trees_work work)
{
    uint32_t tree, end = trees_of_unit(&step->solver->trees, unit, &tree);
    for (; tree < end; tree++)
        go_through(step, step->solver->trees.near[tree], work);
}

static void prepare_tree(tr2_step *step, tr2_trees_range *range)
{
    tr2_bodies *bodies = step->system->bodies;
    const tr2_trees_node *nodes = step->solver->trees.nodes;
    go_through(step, *range, TR2_TREES_PREPARE);
    range->torn = false;
    for (uint32_t n = range->first; n < range->first + range->count; n++) {
        uint32_t *flags = &bodies->flags[nodes[n].body];
        range->torn = range->torn || (*flags & TR2_BODY_PUT_BACK) != 0;
        *flags &= ~TR2_BODY_PUT_BACK;
    }
}

void tr2_prepare_trees(tr2_step *step, uint32_t unit)
{
    uint32_t tree, end = trees_of_unit(&step->solver->trees, unit, &tree);
    for (; tree < end; tree++)
        prepare_tree(step, &step->solver->trees.near[tree]);
}

static void solve_once(tr2_step *step, tr2_trees_range range)
{
    go_through(step, range, TR2_TREES_UP);
    go_through(step, range, TR2_TREES_DOWN);
}

void tr2_settle_tree(tr2_step *step, tr2_trees_range range)
{
    for (uint32_t again = 1; range.turns && again < SETTLINGS && settle_all(step, range, again > SETTLINGS_OF_ALL);
         again++) {
        put_all_back(step, range);
        solve_once(step, range);
    }
}

/* Joints that are open since a body was put back are closed by places alone: taken back in one sub-step, what they are open by
   would be a speed out of nothing. */
static void close_torn(tr2_step *step, tr2_trees_range range)
{
    tr2_trees_node *nodes = step->solver->trees.nodes + range.first;
    float h = step->context.h;
    tr2_slip_tree(step, range);
    for (uint32_t n = 0; n < range.count; n++) {
        tr2_trees_node *node = &nodes[n];
        if (!node->holds || node->mass <= 0.0)
            continue;
        tr2_body_velocity *velocity = &step->context.velocities[node->state];
        for (uint32_t i = 0; i < 3; i++)
            node->motion[i] -= node->slip[i];
        velocity->x = (float)node->motion[0];
        velocity->y = (float)node->motion[1];
        velocity->w = (float)node->motion[2];
        velocity->angle += h * (float)node->slip[2];
        step->context.poses[node->state].x += h * (float)node->slip[0];
        step->context.poses[node->state].y += h * (float)node->slip[1];
    }
}

/* *range: torn in its first sub-step */
static void solve_tree(tr2_step *step, tr2_trees_range *range)
{
    solve_once(step, *range);
    tr2_settle_tree(step, *range);
    range->slips = range->torn;
    if (range->torn)
        close_torn(step, *range);
    range->torn = false;
}

void tr2_solve_trees(tr2_step *step, uint32_t unit)
{
    tr2_trees *trees = &step->solver->trees;
    uint32_t first, end = trees_of_unit(trees, unit, &first);
    for (uint32_t tree = first; tree < end; tree++)
        solve_tree(step, &trees->near[tree]);
    /* what several units move is not one worker's to touch */
    bool whole = ((const tr2_unit *)step->solver->units.data)[unit].whole;
    for (uint32_t tree = first; tree < end && whole && trees->touch_count > 0; tree++)
        tr2_touch_tree(step, tree);
}

void tr2_finish_trees(tr2_step *step, uint32_t unit)
{
    go_through_unit(step, unit, TR2_TREES_FINISH);
}

void tr2_run_lone_trees(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    tr2_trees_range *range = &step->solver->trees.near[stage->first + chunk];
    if (stage->work == TR2_TREES_UP)
        solve_tree(step, range);
    else if (stage->work == TR2_TREES_PREPARE)
        prepare_tree(step, range);
    else
        go_through(step, *range, stage->work);
}

void tr2_run_trees(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr2_stage_data *stage = data;
    uint32_t first = chunk * TR2_TREE_CHUNK, left = stage->count - first;
    bool all = stage->whole || left < TR2_TREE_CHUNK;
    tr2_trees_range nodes = {stage->first + first, all ? left : TR2_TREE_CHUNK, false, false, false, false};
    tr2_step *step = context;
    bool turns = step->solver->trees.turn_count > 0;
    if (turns && stage->work == TR2_TREES_UP)
        let_go(step, nodes);
    go_through(step, nodes, stage->work);
    /* what changes hands here does so in the next sub-step */
    if (turns && stage->work == TR2_TREES_DOWN)
        (void)settle_all(step, nodes, false);
}
