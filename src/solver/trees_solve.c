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
 * What is not sane stays where it is: a body whose velocity is absurd is left out of its tree, and so is a pin whose ends
 * are absurdly far apart, and an impulse that would be absurd is dropped, as sweeps do. The tree falls in parts there, for
 * one sub-step; whoever moves bodies stops the one that is not sane, and reports it.
 *
 * Forces of long standing turn a light body back, as a weight does a pendulum, with the stiffness k = sum of r . F. Where
 * h^2 k is more than the inertia I, that is faster than a sub-step can follow; what it is more is added to I, and slows
 * the turning down, as an implicit step would. Nothing else is damped.
 */
#include <math.h>
#include <string.h>

#include "solver/solver_internal.h"

/* what does not move gives way by this little of what the other body gives. Equations hold numbers as large as the inverse
   of it, and their difference squares that: with 1e-9 all digits of a double are gone where a pinned body hangs from one
   side. A force F on a mass m is let through for one sub-step: 1e-5 F h^2 / m, which is taken back in the next. */
#define PIN_COMPLIANCE 1e-5

enum { XX, XY, YY, XW, YW, WW };

/*
 * Prepare and finish
 */
static void turn(double c, double s, const double v[2], double out[2])
{
    double x = c * v[0] - s * v[1];
    out[1] = s * v[0] + c * v[1];
    out[0] = x;
}

/* from a body's centre of mass to an anchor, in the world's frame */
static void arm_of(const tr2_bodies *bodies, uint32_t body, const double anchor[2], double out[2])
{
    tr_vec2 center = tr2_body_center(bodies, body);
    double from[2] = {anchor[0] - (double)center.x, anchor[1] - (double)center.y};
    turn((double)bodies->c[body], (double)bodies->s[body], from, out);
}

static void prepare_tie(const tr2_step *step, tr2_trees_tie *tie, uint32_t near, double force_per_impulse)
{
    const tr2_bodies *bodies = step->system->bodies;
    const tr2_joints *joints = &step->system->joints[tie->type];
    uint32_t far = ((const uint32_t *)step->solver->body_of_state.data)[tie->far];
    double a[2], b[2];
    for (uint32_t i = 0; i < 2; i++) {
        a[i] = (double)joints->field[TR2_ANCHOR_A_X + i][tie->row];
        b[i] = (double)joints->field[TR2_ANCHOR_B_X + i][tie->row];
    }
    arm_of(bodies, near, tie->near_is_b ? b : a, tie->near_arm);
    arm_of(bodies, far, tie->near_is_b ? a : b, tie->far_arm);
    tie->apart[0] = bodies->center_x[near] - bodies->center_x[far];
    tie->apart[1] = bodies->center_y[near] - bodies->center_y[far];
    tie->on = (joints->flags[tie->row] & TR2_JOINT_DISABLED) == 0;
    double sign = tie->near_is_b ? force_per_impulse : -force_per_impulse;
    for (uint32_t i = 0; i < 2; i++)
        tie->force[i] = tie->on ? sign * (double)joints->impulse[i][tie->row] : 0.0;
}

static void prepare_node(tr2_step *step, tr2_trees_node *node)
{
    const tr2_bodies *bodies = step->system->bodies;
    tr2_trees *trees = &step->solver->trees;
    double im = (double)tr2_body_inverse_mass(bodies, node->body);
    double ii = (double)tr2_body_inverse_inertia(bodies, node->body);
    double force = step->solver->last_h > 0.0f ? 1.0 / (double)step->solver->last_h : 0.0;
    node->mass = im > 0.0 ? 1.0 / im : 0.0;
    node->inertia = ii > 0.0 ? 1.0 / ii : 0.0;
    if (node->parent != TR_NONE)
        prepare_tie(step, &node->tie, node->body, force);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
        prepare_tie(step, &trees->pins[p], node->body, force);
}

static void finish_tie(tr2_step *step, const tr2_trees_tie *tie)
{
    const tr2_joints *joints = &step->system->joints[tie->type];
    double sign = tie->near_is_b ? (double)step->context.h : -(double)step->context.h;
    for (uint32_t i = 0; i < 2; i++)
        joints->impulse[i][tie->row] = tie->on ? (float)(sign * tie->force[i]) : 0.0f;
}

static void finish_node(tr2_step *step, tr2_trees_node *node)
{
    const tr2_trees *trees = &step->solver->trees;
    if (node->parent != TR_NONE)
        finish_tie(step, &node->tie);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++)
        finish_tie(step, &trees->pins[p]);
}

/*
 * Small matrices
 */

/* rate of a point at r of what moves by v */
static void rate_at(const double r[2], const double v[3], double out[2])
{
    out[0] = v[0] - v[2] * r[1];
    out[1] = v[1] + v[2] * r[0];
}

/* v += m J^T l, of an impulse at r */
static void push(const double m[6], const double r[2], const double l[2], double v[3])
{
    double w = r[0] * l[1] - r[1] * l[0];
    v[0] += m[XX] * l[0] + m[XY] * l[1] + m[XW] * w;
    v[1] += m[XY] * l[0] + m[YY] * l[1] + m[YW] * w;
    v[2] += m[XW] * l[0] + m[YW] * l[1] + m[WW] * w;
}

/* J m J^T for the point at r */
static void point_of(const double m[6], const double r[2], double out[3])
{
    double x = m[XW] - r[1] * m[WW], y = m[YW] + r[0] * m[WW];
    out[0] = m[XX] - r[1] * m[XW] - r[1] * x;
    out[1] = m[XY] - r[1] * m[YW] + r[0] * x;
    out[2] = m[YY] + r[0] * m[YW] + r[0] * y;
}

/* the symmetric inverse; 0 where there is none */
static void invert2(const double m[3], double out[3])
{
    double determinant = m[0] * m[2] - m[1] * m[1];
    double d = determinant > 0.0 ? 1.0 / determinant : 0.0;
    out[0] = m[2] * d;
    out[1] = -m[1] * d;
    out[2] = m[0] * d;
}

/* the inverse of a mass by its blocks: first what only shifts, then what is left of turning */
static void invert3(const double m[6], bool turns, double out[6])
{
    double shift[3];
    invert2(m, shift);
    memcpy(out, shift, sizeof shift);
    out[XW] = out[YW] = out[WW] = 0.0;
    if (!turns)
        return;
    double x = shift[0] * m[XW] + shift[1] * m[YW], y = shift[1] * m[XW] + shift[2] * m[YW];
    double left = m[WW] - (m[XW] * x + m[YW] * y);
    out[WW] = left > 0.0 ? 1.0 / left : 0.0;
    out[XW] = -x * out[WW];
    out[YW] = -y * out[WW];
    out[XX] -= x * out[XW];
    out[XY] -= x * out[YW];
    out[YY] -= y * out[YW];
}

/* a far body's share: Jf^T S^-1 Jf, Jf^T S^-1 u, and how its force turns it back */
static void add_tie(const tr2_trees_tie *tie, double h, tr2_trees_load *load)
{
    const double *r = tie->far_at, *s = tie->inverse, *u = tie->rate;
    double xw = -r[1] * s[0] + r[0] * s[1], yw = -r[1] * s[1] + r[0] * s[2];
    double x = s[0] * u[0] + s[1] * u[1], y = s[1] * u[0] + s[2] * u[1];
    load->mass[XX] += s[0];
    load->mass[XY] += s[1];
    load->mass[YY] += s[2];
    load->mass[XW] += xw;
    load->mass[YW] += yw;
    load->mass[WW] += -r[1] * xw + r[0] * yw;
    load->impulse[0] += x;
    load->impulse[1] += y;
    load->impulse[2] += r[0] * y - r[1] * x;
    load->stiffness -= h * h * (r[0] * tie->force[0] + r[1] * tie->force[1]);
}

static void add_load(tr2_trees_load *sum, const tr2_trees_load *load)
{
    for (uint32_t i = 0; i < 6; i++)
        sum->mass[i] += load->mass[i];
    for (uint32_t i = 0; i < 3; i++)
        sum->impulse[i] += load->impulse[i];
    sum->stiffness += load->stiffness;
}

/*
 * What is sane
 */

/* all of these are false for what is not a number */
static bool is_sane_motion(const tr2_step *step, const double v[3])
{
    return fabs(v[0]) <= (double)TR2_SANE_SPEED && fabs(v[1]) <= (double)TR2_SANE_SPEED &&
           fabs(v[2]) * (double)step->context.h <= (double)TR2_SANE_TURN;
}

static bool is_sane_rate(const double rate[2])
{
    return fabs(rate[0]) <= (double)TR2_SANE_SPEED && fabs(rate[1]) <= (double)TR2_SANE_SPEED;
}

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
    return is_sane_motion(step, out);
}

/*
 * Solve
 */

/* where the ends are now: both act at B's anchor, so that no angular momentum comes out of nothing; the bias into rate */
static void place_tie(const tr2_step *step, tr2_trees_tie *tie, uint32_t near)
{
    const tr2_body_pose *n = &step->context.poses[near], *f = &step->context.poses[tie->far];
    turn((double)n->c, (double)n->s, tie->near_arm, tie->near_at);
    turn((double)f->c, (double)f->s, tie->far_arm, tie->far_at);
    double inv_h = (double)step->context.inv_h, d[2];
    d[0] = (tie->apart[0] + ((double)n->x - (double)f->x)) + (tie->near_at[0] - tie->far_at[0]);
    d[1] = (tie->apart[1] + ((double)n->y - (double)f->y)) + (tie->near_at[1] - tie->far_at[1]);
    for (uint32_t i = 0; i < 2; i++) {
        tie->rate[i] = d[i] * inv_h;
        if (tie->near_is_b)
            tie->far_at[i] += d[i];
        else
            tie->near_at[i] -= d[i];
    }
}

/* a pin is a leaf that nothing moves, whose far body is the node: what it adds to the node. `held`: the inverse of the
   node's mass and of what hangs on it otherwise */
static void add_pin(const tr2_step *step, const tr2_trees_node *node, tr2_trees_tie *pin, const double held[6],
                    tr2_trees_load *load)
{
    double h = (double)step->context.h, fixed[3], rate[2], k[3];
    memset(pin->inverse, 0, sizeof pin->inverse);
    place_tie(step, pin, node->state);
    pin->holds = pin->on && is_sane_rate(pin->rate) && motion_of(step, pin->far, fixed);
    if (!pin->holds)
        return;
    rate_at(pin->far_at, fixed, rate);
    point_of(held, pin->near_at, k);
    for (uint32_t i = 0; i < 3; i++)
        k[i] *= PIN_COMPLIANCE;
    invert2(k, pin->inverse);
    /* seen from the pin the node is the far one, and the pin's rate is the one that it is to have */
    tr2_trees_tie back = *pin;
    for (uint32_t i = 0; i < 2; i++) {
        pin->rate[i] = rate[i] - pin->rate[i];
        back.rate[i] = pin->rate[i];
        back.far_at[i] = pin->near_at[i];
        back.force[i] = -pin->force[i];
    }
    add_tie(&back, h, load);
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
    const double *m = node->inverse, w = v[2];
    v[0] = m[XX] * p[0] + m[XY] * p[1] + m[XW] * p[2];
    v[1] = m[XY] * p[0] + m[YY] * p[1] + m[YW] * p[2];
    v[2] = turns ? m[XW] * p[0] + m[YW] * p[1] + m[WW] * p[2] : w;
}

/* what a node is to its parent */
static void load_parent(const tr2_step *step, tr2_trees_node *node)
{
    tr2_trees_tie *tie = &node->tie;
    double rate[2], k[3], far = step->solver->trees.nodes[node->parent].mass;
    rate_at(tie->near_at, node->motion, rate);
    point_of(node->inverse, tie->near_at, k);
    if (node->mass <= 0.0 && far > 0.0)
        k[0] = k[2] = PIN_COMPLIANCE / far;
    invert2(k, tie->inverse);
    tie->rate[0] += rate[0];
    tie->rate[1] += rate[1];
    add_tie(tie, (double)step->context.h, &node->load);
}

/* a node, after all its children: W, its own motion, and what it is to its parent */
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
    tie->holds = false;
    if (!node->holds)
        return;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++)
        add_load(&all, &trees->nodes[c].load);
    if (node->pin_count > 0)
        add_pins(step, node, &all);
    if (node->parent != TR_NONE) {
        place_tie(step, tie, node->state);
        tie->holds = tie->on && is_sane_rate(tie->rate) && motion_of(step, tie->far, far);
    }
    if (tie->holds)
        all.stiffness += h * h * (tie->near_at[0] * tie->force[0] + tie->near_at[1] * tie->force[1]);
    bool stiff = node->inertia > 0.0 && all.stiffness > node->inertia;
    if (node->mass > 0.0)
        move_up(node, stiff ? all.stiffness - node->inertia : 0.0, &all);
    if (tie->holds)
        load_parent(step, node);
}

/* the impulse on the near body that changes the pin's rate by (x, y) */
static void impulse_of(tr2_trees_tie *tie, double x, double y, double h, double out[2])
{
    const double *s = tie->inverse;
    out[0] = tie->holds ? sane_impulse(s[0] * x + s[1] * y) : 0.0;
    out[1] = tie->holds ? sane_impulse(s[1] * x + s[2] * y) : 0.0;
    tie->force[0] = out[0] / h;
    tie->force[1] = out[1] / h;
}

/* a node, after its parent: its impulses, and how it moves */
static void solve_down(tr2_step *step, tr2_trees_node *node)
{
    tr2_trees *trees = &step->solver->trees;
    double h = (double)step->context.h, rate[2], l[2];
    if (node->parent != TR_NONE) {
        const double *above = trees->nodes[node->parent].motion;
        node->tie.holds = node->tie.holds && is_sane_motion(step, above);
        rate_at(node->tie.far_at, above, rate);
        impulse_of(&node->tie, rate[0] - node->tie.rate[0], rate[1] - node->tie.rate[1], h, l);
        push(node->inverse, node->tie.near_at, l, node->motion);
    }
    bool sane = node->holds && is_sane_motion(step, node->motion);
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++) {
        tr2_trees_tie *pin = &trees->pins[p];
        pin->holds = pin->holds && sane;
        rate_at(pin->near_at, node->motion, rate);
        impulse_of(pin, pin->rate[0] - rate[0], pin->rate[1] - rate[1], h, l);
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

void tr2_prepare_trees(tr2_step *step, uint32_t unit)
{
    go_through_unit(step, unit, TR2_TREES_PREPARE);
}

void tr2_solve_trees(tr2_step *step, uint32_t unit)
{
    uint32_t tree, end = trees_of_unit(&step->solver->trees, unit, &tree);
    for (; tree < end; tree++) {
        go_through(step, step->solver->trees.near[tree], TR2_TREES_UP);
        go_through(step, step->solver->trees.near[tree], TR2_TREES_DOWN);
    }
}

void tr2_finish_trees(tr2_step *step, uint32_t unit)
{
    go_through_unit(step, unit, TR2_TREES_FINISH);
}

void tr2_run_trees(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr2_stage_data *stage = data;
    uint32_t first = chunk * TR2_TREE_CHUNK, left = stage->count - first;
    tr2_trees_range nodes = {stage->first + first, left < TR2_TREE_CHUNK ? left : TR2_TREE_CHUNK};
    go_through(context, nodes, stage->work);
}
