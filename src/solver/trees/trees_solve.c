/*
 * Exact solution of trees in double precision: elimination from the leaves to the root, then back-substitution. For a
 * node with its subtree eliminated,
 *
 *   (M + A) v = M v0 + q                                          A, q: contributions of children and pins
 *   J v - Jf vf + C/h = 0                                          tie to the parent, which has velocity vf
 *
 * so v = W (M v0 + q) + W J^T l with W = (M + A)^-1. With S = J W J^T and u = J W (M v0 + q) + C/h,
 *
 *   l = -S^-1 (u - Jf vf):   the parent's A gets Jf^T S^-1 Jf added, and its q gets Jf^T S^-1 u.
 *
 * The constraint holds exactly with C/h, so a sub-step's error is corrected in the next, and energy is conserved.
 *
 * Values that are not sane are left out, as in sweeps: a body with an absurd velocity, a joint with its ends absurdly
 * far apart, an absurd impulse. There the tree falls apart for one sub-step; integration then stops and reports the
 * body.
 *
 * The same holds for a weld with one more row, a length with one row less, and a slide with as many rows (trees_tie.h).
 *
 * Persistent forces act on a light body like a weight on a pendulum, with the rotational stiffness k = sum of r . F. If
 * h^2 k exceeds the inertia I, the oscillation is too fast for a sub-step. The excess is then added to I, which slows
 * the rotation like an implicit step would. Nothing else is damped.
 */
#include <math.h>

#include "solver/trees/trees_node.h"
#include "solver/trees/trees_tie.h"

/* the ties of a node: to its parent, if it has one, and its pins */
static uint32_t tie_count(const tr2_trees_node *node)
{
    return (node->parent != TR_NONE) + node->pin_count;
}

/* which pin a tie is; TR_NONE: it is the one to the parent */
static uint32_t pin_of(const tr2_trees_node *node, uint32_t i)
{
    if (node->parent == TR_NONE)
        return node->first_pin + i;
    return i == 0 ? TR_NONE : node->first_pin + i - 1;
}

static const tr2_trees_tie *tie_of(const tr2_trees *trees, const tr2_trees_node *node, uint32_t i)
{
    const uint32_t pin = pin_of(node, i);
    return pin == TR_NONE ? &node->tie : &trees->pins[pin];
}

/* the same to be changed */
static tr2_trees_tie *tie_at(tr2_trees *trees, tr2_trees_node *node, uint32_t i)
{
    const uint32_t pin = pin_of(node, i);
    return pin == TR_NONE ? &node->tie : &trees->pins[pin];
}

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
    for (uint32_t i = 0; i < tie_count(node); i++)
        tr2_tie_prepare(step, tie_at(trees, node, i), node->body, scale);
}

static void finish_node(tr2_step *step, tr2_trees_node *node)
{
    for (uint32_t i = 0; i < tie_count(node); i++)
        tr2_tie_finish(step, tie_of(&step->solver->trees, node, i));
}

static void note_node(const tr2_step *step, const tr2_trees_node *node, bool early)
{
    for (uint32_t i = 0; i < tie_count(node); i++)
        tr2_note_tie(step, tie_of(&step->solver->trees, node, i), early);
}

static void note_early(tr2_step *step, tr2_trees_node *node)
{
    note_node(step, node, true);
}

static void note_late(tr2_step *step, tr2_trees_node *node)
{
    note_node(step, node, false);
}

/*
 * Sanity checks
 */

static double sane_impulse(double impulse)
{
    return fabs(impulse) <= (double)TR_SANE_IMPULSE ? impulse : 0.0;
}

/* velocity of a state row before its tree is solved; false: it is not sane */
static bool motion_of(const tr2_step *step, uint32_t state, double out[3])
{
    read_motion(step, state, out);
    return is_sane_rate(step, out);
}

/*
 * Solve
 */

/* impulse of the features at their bounds on the near body */
static double given_by(const tr2_step *step, const tr2_trees_tie *tie)
{
    double given = tie->turn != TR_NONE ? step->solver->trees.turns[tie->turn].given : 0.0;
    return tie->near_is_b ? given : -given;
}

static bool tie_pushes(const tr2_trees *trees, const tr2_trees_tie *tie)
{
    return tie->turn != TR_NONE && tr2_turn_pushes(&trees->turns[tie->turn]);
}

/* computes the tie's geometry and error, and the far body's motion; false: it cannot hold in this sub-step */
static bool place_tie(const tr2_step *step, const tr2_trees_node *node, tr2_trees_tie *tie, double far[3])
{
    bool holds = tr2_tie_place(step, tie, node->state) && tie->on && motion_of(step, tie->far, far);
    memcpy(tie->error, tie->rate, sizeof tie->error);
    /* the rate that features of a free angle require is no error, except while a limit closes: tr2_slip_node() */
    tie->error[2] = tr2_tie_holds_angle(tie->kind) ? tie->error[2] : 0.0;
    return holds;
}

/* adds a pin's effect to the node: a pin is a leaf that cannot move. `held`: inverse mass of the node with its
   subtree, without this pin */
static void add_pin(const tr2_step *step, const tr2_trees_node *node, tr2_trees_tie *pin, const double held[6],
                    tr2_trees_load *load)
{
    double h = (double)step->context.h, fixed[3], rate[3], k[6];
    memset(pin->inverse, 0, sizeof pin->inverse);
    pin->holds = place_tie(step, node, pin, fixed);
    if (!pin->holds)
        return;
    shift(held, pin->near_at, k);
    for (uint32_t i = 0; i < 6; i++)
        k[i] *= TR2_PIN_COMPLIANCE;
    tr2_tie_invert(pin, step->solver->trees.turns, k);
    /* from here on, pin->rate is the rate that the near end must have */
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

/* v = W (M v0 + q), from the velocity before; `more`: inertia to add, which slows the rotation */
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

/* computes the effect of a node on its parent */
static void load_parent(const tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees_node *parent = &step->solver->trees.nodes[node->parent];
    tr2_trees_tie *tie = &node->tie;
    double h = (double)step->context.h, rate[3], k[6];
    rate_at(tie->near_at, node->motion, rate);
    shift(node->inverse, tie->near_at, k);
    if (node->mass <= 0.0 && parent->mass > 0.0)
        k[XX] = k[YY] = TR2_PIN_COMPLIANCE / parent->mass;
    /* likewise for a body that cannot rotate but is welded to its parent */
    if (node->inertia <= 0.0)
        k[WW] = parent->inertia > 0.0 ? TR2_PIN_COMPLIANCE / parent->inertia : 0.0;
    tr2_tie_invert(tie, step->solver->trees.turns, k);
    for (uint32_t i = 0; i < 3; i++)
        tie->rate[i] += rate[i];
    load_at(&node->load, tie->far_at, tie->inverse, tie->rate, tie->flat);
    node->load.impulse[2] -= given_by(step, tie);
    node->load.stiffness += h * tie->far_stiff;
}

/* The inertia against which forces turn a body that is alone on its pins: with its mass at their lever, so a pendulum
   is not slowed down. Infinite if nothing turns it. */
static double inertia_about_pins(const tr2_trees_node *node, const tr2_trees_load *all)
{
    double mass[6], inverse[6];
    memcpy(mass, all->mass, sizeof mass);
    mass[XX] += node->mass;
    mass[YY] += node->mass;
    mass[WW] += node->inertia;
    invert3(mass, node->inertia > 0.0, inverse);
    return inverse[WW] > 0.0 ? 1.0 / inverse[WW] : (double)INFINITY;
}

/* The inertia to add if the restoring torque is too stiff. A body welded to its parent rotates with it, so there it
   is passed on. */
static double added_inertia(tr2_trees_node *node, const tr2_trees_load *all)
{
    double inertia = node->inertia + all->inertia;
    if (node->tie.holds && tr2_tie_holds_angle(node->tie.kind)) {
        node->load.stiffness = all->stiffness;
        node->load.inertia = inertia;
        return 0.0;
    }
    if (node->parent == TR_NONE && node->child_count == 0 && node->bunch_count == 0)
        inertia = inertia_about_pins(node, all);
    return node->inertia > 0.0 && all->stiffness > inertia ? all->stiffness - inertia : 0.0;
}

/* processes a node after its children: W, its velocity without the parent, and its effect on the parent */
static void solve_up(tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees *trees = &step->solver->trees;
    tr2_trees_tie *tie = &node->tie;
    tr2_trees_load all;
    double h = (double)step->context.h, far[3];
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
    for (uint32_t b = node->first_bunch; b < node->first_bunch + node->bunch_count; b++)
        add_load(&all, &trees->bunches[b].load);
    if (node->pin_count > 0)
        add_pins(step, node, &all);
    if (node->parent != TR_NONE)
        tie->holds = place_tie(step, node, tie, far);
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

/* sets the impulse on the near body that changes the joint's rate by `change` */
static void impulse_of(tr2_trees_tie *tie, const double change[3])
{
    double *l = tie->impulse;
    tie_impulse(tie, change, l);
    for (uint32_t i = 0; i < 3; i++)
        l[i] = tie->holds ? sane_impulse(l[i]) : 0.0;
}

/* processes a node after its parent: impulses and velocity */
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
    if (node->mass > 0.0 && node->holds)
        write_motion(step, node);
}

/*
 * Features of free angles
 */
static bool settle_tie(tr2_step *step, const tr2_trees_node *node, const tr2_trees_tie *tie, const double *far)
{
    double sign = tie->near_is_b ? 1.0 : -1.0;
    if (tie->turn == TR_NONE || !tie->holds)
        return false;
    return tr2_turn_settle(&step->solver->trees.turns[tie->turn], sign * (node->motion[2] - far[2]),
                           sign * tie->impulse[2]);
}

bool tr2_settle_node(tr2_step *step, const tr2_trees_node *node, bool alone)
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

/* how fast B turns relative to A */
static double turning_rate(const tr2_step *step, const tr2_trees_node *node, const tr2_trees_tie *tie)
{
    const tr2_body_velocity *v = step->context.velocities;
    double rate = (double)v[node->state].w - (double)v[tie->far].w;
    return tie->near_is_b ? rate : -rate;
}

void tr2_let_go_node(tr2_step *step, const tr2_trees_node *node)
{
    tr2_trees *trees = &step->solver->trees;
    for (uint32_t i = 0; i < tie_count(node); i++) {
        const tr2_trees_tie *tie = tie_of(trees, node, i);
        if (tie->turn != TR_NONE)
            tr2_turn_let_go(&trees->turns[tie->turn], turning_rate(step, node, tie));
    }
}

bool tr2_take_over_node(tr2_step *step, const tr2_trees_node *node)
{
    tr2_trees *trees = &step->solver->trees;
    bool any = false;
    for (uint32_t i = 0; i < tie_count(node); i++) {
        const tr2_trees_tie *tie = tie_of(trees, node, i);
        if (tie->turn != TR_NONE && tie->holds)
            any = tr2_turn_take_over(&trees->turns[tie->turn], turning_rate(step, node, tie)) || any;
    }
    return any;
}

bool tr2_node_pushes(const tr2_trees *trees, const tr2_trees_node *node)
{
    bool any = false;
    for (uint32_t i = 0; i < tie_count(node) && !any; i++) {
        const tr2_trees_tie *tie = tie_of(trees, node, i);
        any = tie->holds && tie_pushes(trees, tie);
    }
    return any;
}

static double length_of(const double v[2])
{
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

double tr2_node_reach(const tr2_trees *trees, const tr2_trees_node *node)
{
    double most = 0.0;
    for (uint32_t i = 0; i < tie_count(node); i++)
        most = fmax(most, length_of(tie_of(trees, node, i)->near_at));
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++)
        most = fmax(most, length_of(trees->nodes[c].tie.far_at));
    return most;
}

/* `alone`: without other errors; `rest`: only for limits that have taken over */
static void slip_ties(tr2_trees *trees, tr2_trees_node *node, bool alone, bool rest)
{
    for (uint32_t i = 0; i < tie_count(node); i++) {
        tr2_trees_tie *tie = tie_at(trees, node, i);
        if (alone)
            memset(tie->error, 0, sizeof tie->error);
        if (tie->holds && tie->turn != TR_NONE && (!rest || tr2_turn_takes_over(&trees->turns[tie->turn])))
            tie->error[2] = tr2_turn_limit_rate(&trees->turns[tie->turn], tie->near_is_b ? 1.0 : -1.0);
    }
}

void tr2_slip_node(tr2_trees *trees, tr2_trees_node *node, bool alone)
{
    slip_ties(trees, node, alone, false);
}

void tr2_slip_rest_node(tr2_trees *trees, tr2_trees_node *node)
{
    slip_ties(trees, node, true, true);
}

void tr2_slow_node(tr2_trees *trees, tr2_trees_node *node, double share)
{
    for (uint32_t i = 0; i < tie_count(node); i++) {
        tr2_trees_tie *tie = tie_at(trees, node, i);
        tie->error[2] *= tie->turn != TR_NONE ? share : 1.0;
    }
}

void tr2_loosen_node(tr2_trees *trees, const tr2_trees_node *node, bool loose)
{
    for (uint32_t i = 0; i < tie_count(node); i++) {
        const tr2_trees_tie *tie = tie_of(trees, node, i);
        if (tie->turn != TR_NONE)
            trees->turns[tie->turn].gives_way = loose && tie->holds && tie_pushes(trees, tie);
    }
}

void tr2_put_back_node(tr2_step *step, const tr2_trees_node *node)
{
    tr2_body_velocity *v = &step->context.velocities[node->state];
    v->x = node->before[0];
    v->y = node->before[1];
    v->w = node->before[2];
    for (uint32_t c = node->first_copy; c < node->first_copy + node->copies; c++)
        step->context.velocities[c] = *v;
}

tr2_node_fn *const tr2_node_works[TR_TREES_WORKS] = {
    [TR_TREES_PREPARE] = prepare_node,  [TR_TREES_UP] = solve_up,         [TR_TREES_DOWN] = solve_down,
    [TR_TREES_NOTE_EARLY] = note_early, [TR_TREES_NOTE_LATE] = note_late, [TR_TREES_FINISH] = finish_node,
};
