/* Runs the exact solution of trees: node by node of a tree, tree by tree of a unit, or level by level. */
#include "solver/trees/trees_node.h"
#include "solver/trees/trees_touch.h"

/* How often a tree is solved per sub-step while features of free angles change state: at first all change at once,
   which may cycle; then only the first one each time, which cannot (Murty 1974). The next sub-step continues if that
   is not enough. */
#define SETTLINGS_OF_ALL 12
#define SETTLINGS        64

/* units/s: the greatest speed at which closing limits move bodies by position. Contacts are found from a distance of
   0.02 units and the way of the velocities on; this motion is in no velocity. */
#define CLOSING_SPEED 1.0

/* the way up visits children before parents, other passes parents before children */
static void go_through(tr2_step *step, tr2_trees_range range, tr2_trees_work work)
{
    tr2_trees_node *nodes = step->solver->trees.nodes + range.first;
    for (uint32_t n = 0; n < range.count; n++)
        tr2_node_works[work](step, &nodes[work == TR_TREES_UP ? range.count - 1 - n : n]);
}

/* updates the features of all nodes; returns whether any changed; `alone`: stop at the first */
static bool settle_all(tr2_step *step, tr2_trees_range range, bool alone)
{
    bool changed = false;
    for (uint32_t n = range.first; n < range.first + range.count && !(alone && changed); n++)
        changed = tr2_settle_node(step, &step->solver->trees.nodes[n], alone) || changed;
    return changed;
}

static void let_go_all(tr2_step *step, tr2_trees_range range)
{
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        tr2_let_go_node(step, &step->solver->trees.nodes[n]);
}

static void put_all_back(tr2_step *step, tr2_trees_range range)
{
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        tr2_put_back_node(step, &step->solver->trees.nodes[n]);
}

/* trees of a unit: from *first to the returned end */
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
    go_through(step, *range, TR_TREES_PREPARE);
    range->torn = false;
    for (uint32_t n = range->first; n < range->first + range->count; n++) {
        uint32_t *flags = &bodies->flags[nodes[n].body];
        range->torn = range->torn || (*flags & TR_BODY_PUT_BACK) != 0;
        *flags &= ~TR_BODY_PUT_BACK;
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
    go_through(step, range, TR_TREES_UP);
    go_through(step, range, TR_TREES_DOWN);
}

static void move_by_slip(const tr2_step *step, const tr2_trees_node *node, uint32_t state)
{
    float h = step->context.h;
    step->context.velocities[state].angle += h * (float)node->slip[2];
    step->context.poses[state].x += h * (float)node->slip[0];
    step->context.poses[state].y += h * (float)node->slip[1];
}

static double speed_of_slip(const tr2_trees *trees, const tr2_trees_node *node)
{
    return sqrt(node->slip[0] * node->slip[0] + node->slip[1] * node->slip[1]) +
           fabs(node->slip[2]) * tr2_node_reach(trees, node);
}

/* keeps limits from closing faster than contacts are found */
static void slow_closing(tr2_step *step, tr2_trees_range range)
{
    const tr2_trees *trees = &step->solver->trees;
    double most = 0.0, allowed = CLOSING_SPEED * (double)step->context.unit;
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        most = fmax(most, speed_of_slip(trees, &trees->nodes[n]));
    if (!(most > allowed))
        return;
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        tr2_slow_node(&step->solver->trees, &trees->nodes[n], allowed / most);
    tr2_slip_tree(step, range);
}

static void move_all_by_slip(tr2_step *step, tr2_trees_range range)
{
    const tr2_trees_node *nodes = step->solver->trees.nodes + range.first;
    for (uint32_t n = 0; n < range.count; n++) {
        const tr2_trees_node *node = &nodes[n];
        if (!node->holds || node->mass <= 0.0)
            continue;
        move_by_slip(step, node, node->state);
        for (uint32_t c = node->first_copy; c < node->first_copy + node->copies; c++)
            move_by_slip(step, node, c);
    }
}

/* Corrects errors of joints by position only. */
static void close_errors(tr2_step *step, tr2_trees_range range)
{
    tr2_leave_slip(step, range);
    if (range.pushes)
        slow_closing(step, range);
    move_all_by_slip(step, range);
}

bool tr2_close_rest(tr2_step *step, tr2_trees_range range)
{
    tr2_trees *trees = &step->solver->trees;
    bool any = false;
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        any = tr2_take_over_node(step, &trees->nodes[n]) || any;
    if (!any)
        return false;
    go_through(step, range, TR_TREES_UP);
    /* contacts push next from all that the tree has moved by; until then `motion` is free */
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        tr2_slip_rest_node(trees, &trees->nodes[n]);
        memcpy(trees->nodes[n].motion, trees->nodes[n].slip, sizeof trees->nodes[n].slip);
    }
    tr2_slip_tree(step, range);
    slow_closing(step, range);
    move_all_by_slip(step, range);
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        for (uint32_t i = 0; i < 3; i++)
            trees->nodes[n].slip[i] += trees->nodes[n].motion[i];
    }
    tr2_loosen_tree(step, range);
    return true;
}

/* whether some joint corrects a violated limit */
static bool some_push(const tr2_step *step, tr2_trees_range range)
{
    const tr2_trees *trees = &step->solver->trees;
    bool any = false;
    for (uint32_t n = range.first; range.turns && n < range.first + range.count && !any; n++)
        any = tr2_node_pushes(trees, &trees->nodes[n]);
    return any;
}

/* What violated limits correct, and after a body was moved back all errors, is corrected by position only: by velocity
   it would create energy. While a limit pushes, which may last if it is blocked, other errors are not: in each sub-step
   a turning body would lose 1 - cos(w h) of its velocity. */
bool tr2_settle_tree(tr2_step *step, tr2_trees_range *range)
{
    uint32_t again = 1;
    for (; range->turns && again < SETTLINGS && settle_all(step, *range, again > SETTLINGS_OF_ALL); again++) {
        put_all_back(step, *range);
        solve_once(step, *range);
    }
    range->pushes = some_push(step, *range);
    range->slips = range->torn || range->pushes;
    /* an open gap that the correction closes is closed by position, too */
    for (uint32_t n = range->first; n < range->first + range->count && range->pushes; n++)
        tr2_slip_node(&step->solver->trees, &step->solver->trees.nodes[n], !range->torn);
    return again > 1;
}

void tr2_close_tree(tr2_step *step, tr2_trees_range *range)
{
    range->torn = false;
    if (range->slips)
        close_errors(step, *range);
    range->left = range->slips;
}

void tr2_loosen_tree(tr2_step *step, tr2_trees_range range)
{
    tr2_trees *trees = &step->solver->trees;
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        tr2_loosen_node(trees, &trees->nodes[n], true);
    go_through(step, range, TR_TREES_UP);
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        tr2_loosen_node(trees, &trees->nodes[n], false);
}

static void solve_tree(tr2_step *step, uint32_t tree)
{
    tr2_trees_range *range = &step->solver->trees.near[tree];
    range->left = false;
    solve_once(step, *range);
    (void)tr2_settle_tree(step, range);
    if (!tr2_touches(step, tree))
        tr2_close_tree(step, range);
}

void tr2_solve_trees(tr2_step *step, uint32_t unit, const tr2_action *action)
{
    uint32_t first, end = trees_of_unit(&step->solver->trees, unit, &first);
    for (uint32_t tree = first; tree < end; tree++)
        solve_tree(step, tree);
    /* contacts that affect several units are not for this worker: tr2_run_touching() */
    bool whole = ((const tr2_unit *)step->solver->units.data)[unit].whole;
    if (whole)
        tr2_touch_trees(step, NULL, first, end);
    if (whole && step->program.watches)
        go_through_unit(step, unit, action->early ? TR_TREES_NOTE_EARLY : TR_TREES_NOTE_LATE);
}

void tr2_run_note_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    go_through_unit(step, ((const uint32_t *)step->solver->visits.data)[chunk], stage->work);
}

void tr2_finish_trees(tr2_step *step, uint32_t unit)
{
    go_through_unit(step, unit, TR_TREES_FINISH);
}

void tr2_run_lone_trees(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    uint32_t tree = stage->first + chunk;
    tr2_trees_range *range = &step->solver->trees.near[tree];
    if (stage->work == TR_TREES_UP)
        solve_tree(step, tree);
    else if (stage->work == TR_TREES_PREPARE)
        prepare_tree(step, range);
    else
        go_through(step, *range, stage->work);
}

void tr2_run_trees(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr2_stage_data *stage = data;
    uint32_t first = chunk * TR_TREE_CHUNK, left = stage->count - first;
    bool all = stage->whole || left < TR_TREE_CHUNK;
    tr2_trees_range nodes = {.first = stage->first + first, .count = all ? left : TR_TREE_CHUNK};
    tr2_step *step = context;
    bool turns = step->solver->trees.turn_count > 0;
    if (turns && stage->work == TR_TREES_UP)
        let_go_all(step, nodes);
    go_through(step, nodes, stage->work);
    /* with a single solve per sub-step, changes take effect in the next one */
    if (turns && stage->work == TR_TREES_DOWN)
        (void)settle_all(step, nodes, false);
}
