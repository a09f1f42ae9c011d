/*
 * Contacts of trees. A sweep pushes a contact's body as if it were free. The tree, solved afterwards, distributes this
 * over the subtree and removes what the joints do not allow. So after a tree is solved, its contacts are solved
 * together with it. The matrix of all rows is A = J P M^-1 J^T, where P is the response of the tree to an impulse; each
 * column takes one elimination. Then
 *
 *   r + A x >= wanted,   l + x >= 0,   one of them an equality,
 *
 * with the rates r that the tree has left and the current impulses l. A contact that the joints do not allow to move
 * would need an infinite impulse, so each row has a small compliance, relative to that of its bodies alone.
 *
 * Friction has rows here unless the method relaxes in each sub-step: then it is rubbed after the tree, keeps its
 * impulse from one sub-step to the next, and so comes to what holds the tree. Without that it would be what holds the
 * lone body.
 */
#include "solver/trees/trees_touch.h"
#include "solver/joints2/contact.h"

/* how often contacts are solved per sub-step while features of free angles change state. Contacts are solved as if a
   friction that keeps its rate had no maximum; if their impulses exceed that, it gives way, and the bodies would be
   thrown by impulses that are too large. Mostly twice is enough. */
#define ROUNDS 8u

/* compliance of a row, as a share of the response of the two bodies alone; more for bodies of the same tree, whose
   joints may not allow them to separate at all, e.g. if welded together */
#define YIELDS        1e-5
#define YIELDS_INSIDE 1e-2

/* units/s, speed up to which a contact resists corrections of joint errors; in a sub-step loads cause far smaller
   ones */
#define SLIP_SPEED 0.2

/* units/s; growth of the rows' greatest error from which their impulses are taken back */
#define WORSE 0.05

/*
 * Rows
 */
static tr2_row_end end_of(const tr2_step *step, uint32_t node, int32_t row, const double normal[2], const double arm[2],
                          double sign)
{
    const tr2_solver *solver = step->solver;
    tr2_row_end out = {.node = node != TR_NONE ? &solver->trees.nodes[node] : NULL, .state = (uint32_t)(row / TR2_ROW)};
    out.push[0] = sign * normal[0];
    out.push[1] = sign * normal[1];
    out.push[2] = sign * (arm[0] * normal[1] - arm[1] * normal[0]);
    uint32_t body = ((const uint32_t *)solver->body_of_state.data)[out.state];
    out.mass = (double)tr2_body_inverse_mass(step->system->bodies, body);
    out.inertia = (double)tr2_body_inverse_inertia(step->system->bodies, body);
    if (solver->hub_count == 0)
        return out;
    float share = ((const float *)solver->share.data)[out.state];
    float inertia_share = ((const float *)solver->inertia_share.data)[out.state];
    out.mass = share > 0.0f ? out.mass / (double)share : 0.0;
    out.inertia = inertia_share > 0.0f ? out.inertia / (double)inertia_share : 0.0;
    return out;
}

static double rate_of(const tr2_step *step, const tr2_touch_row *row)
{
    double a[3], b[3];
    read_motion(step, row->end[0].state, a);
    read_motion(step, row->end[1].state, b);
    return dot3(row->end[0].push, a) + dot3(row->end[1].push, b);
}

/* speed at which an overlap is removed, as in sweeps */
static double push_of(const tr2_step *step, const tr2_touch_row *row, double separation)
{
    const tr2_kernel_context *k = &step->context;
    bool ground = row->end[0].mass <= 0.0 || row->end[1].mass <= 0.0;
    double rate = (double)(ground ? k->ground.bias_rate : k->contact.bias_rate), most = (double)k->push_speed;
    if (separation > 0.0)
        return 0.0;
    return -rate * separation < most ? -rate * separation : most;
}

/* error of a row at a rate; below 0: it is inactive, as it should be */
static double error_at(const tr2_touch_row *row, double rate)
{
    double error = row->wanted - rate;
    return error < 0.0 && *row->impulse > 0.0f ? -error : error;
}

static double error_of(const tr2_touch_row *row)
{
    return error_at(row, row->rate);
}

/* the impulses of a contact, in its lane */
static float *impulses_of(const tr2_step *step, const tr2_touch *touch)
{
    const tr2_blocks *blocks = &step->solver->blocks[touch->kernel];
    return tr2_block_columns(blocks, touch->block) + touch->lane;
}

/* its row in the table */
static uint32_t table_row_of(const tr2_step *step, const tr2_touch *touch)
{
    return step->solver->blocks[touch->kernel].rows[(size_t)touch->block * TR_LANES + touch->lane];
}

typedef enum row_kind { ALONG, ACROSS, TURN } row_kind;

/* a row along a contact's normal, across it, or of its rotation alone; `second`: the share of the way from its first
   point to the second */
static void place_row(const tr2_step *step, const tr2_touch *touch, row_kind kind, double second, tr2_touch_row *row)
{
    const tr2_blocks *blocks = &step->solver->blocks[touch->kernel];
    const tr2_block_bodies *bodies = tr2_block_ends(blocks, touch->block);
    float *const *own = step->system->joints[TR_CONTACT].own;
    uint32_t at = table_row_of(step, touch);
    double n[2], arm_a[2], arm_b[2];
    for (uint32_t i = 0; i < 2; i++) {
        double more = second > 0.0 ? second * (double)own[TR2_CONTACT_SECOND_X + i][at] : 0.0;
        n[i] = (double)own[TR2_CONTACT_NORMAL_X + i][at];
        arm_a[i] = (double)own[TR2_CONTACT_ARM_A_X + i][at] + more;
        arm_b[i] = (double)own[TR2_CONTACT_ARM_B_X + i][at] + more;
    }
    const double along[TURN + 1][2] = {{n[0], n[1]}, {-n[1], n[0]}, {0.0, 0.0}};
    *row = (tr2_touch_row){.touch = touch, .rub = TR_NONE};
    row->end[0] = end_of(step, touch->node[0], bodies->a[touch->lane], along[kind], arm_a, -1.0);
    row->end[1] = end_of(step, touch->node[1], bodies->b[touch->lane], along[kind], arm_b, 1.0);
    row->end[0].push[2] -= kind == TURN ? 1.0 : 0.0;
    row->end[1].push[2] += kind == TURN ? 1.0 : 0.0;
    for (uint32_t e = 0; e < 2; e++) {
        const double *p = row->end[e].push;
        row->alone += row->end[e].mass * (p[0] * p[0] + p[1] * p[1]) + row->end[e].inertia * (p[2] * p[2]);
    }
    const tr2_trees_node *a = row->end[0].node, *b = row->end[1].node;
    row->inside = a != NULL && b != NULL && a->tree == b->tree;
    row->yields = (row->inside ? YIELDS_INSIDE : YIELDS) * row->alone;
    row->rate = rate_of(step, row);
}

static void place_point(const tr2_step *step, const tr2_touch *touch, uint32_t point, tr2_touch_row *row)
{
    place_row(step, touch, ALONG, (double)point, row);
    row->impulse = impulses_of(step, touch) + (point == 1 ? TR2_CONTACT_NORMAL_1 : TR2_CONTACT_NORMAL_0) * TR_LANES;
    row->total = row->impulse + TR2_CONTACT_TOTAL_0 * TR_LANES;
    double separation = (double)row->impulse[TR2_CONTACT_SEPARATION_0 * TR_LANES];
    /* an open gap may close within the sub-step */
    row->wanted = separation > 0.0 ? -separation / (double)step->context.h : 0.0;
    row->push = push_of(step, row, separation);
    row->before = (double)*row->impulse;
}

static void add_point(tr2_touch_rows *rows, const tr2_touch_row *row)
{
    if (rows->points < TR2_TOUCH_POINTS_MOST) {
        rows->row[rows->points++] = *row;
        return;
    }
    tr2_touch_row *least = rows->row;
    for (uint32_t i = 1; i < TR2_TOUCH_POINTS_MOST; i++)
        least = error_of(&rows->row[i]) < error_of(least) ? &rows->row[i] : least;
    if (error_of(row) > error_of(least))
        *least = *row;
}

/* the row of friction of a point's contact; adds it, unless another point has */
static tr2_touch_row *friction_of(const tr2_step *step, tr2_touch_rows *rows, tr2_touch_row *point)
{
    for (point->rub = rows->points; point->rub < rows->count; point->rub++) {
        if (rows->row[point->rub].touch == point->touch)
            return &rows->row[point->rub];
    }
    float *const *own = step->system->joints[TR_CONTACT].own;
    uint32_t at = table_row_of(step, point->touch);
    bool two = tr2_kernel_is_featured(point->touch->kernel);
    tr2_touch_row *row = &rows->row[rows->count++];
    place_row(step, point->touch, ACROSS, two ? 0.5 : 0.0, row);
    row->impulse = impulses_of(step, point->touch) + TR2_CONTACT_TANGENT * TR_LANES;
    row->wanted = (double)own[TR2_CONTACT_TANGENT_SPEED][at];
    row->friction = (double)own[TR2_CONTACT_FRICTION][at];
    row->before = point->rubbed = (double)*row->impulse;
    return row;
}

static void add_friction(const tr2_step *step, tr2_touch_rows *rows, tr2_touch_row *point)
{
    const tr2_touch_row *row = friction_of(step, rows, point);
    bool slips = fabs(row->wanted - row->rate) > TR2_NEAR_ENOUGH * rows->unit;
    point->friction = row->friction;
    rows->moves = rows->moves || (slips && point->before > 0.0);
}

static void add_rolling(const tr2_step *step, tr2_touch_rows *rows, const tr2_touch *touch)
{
    double rolling = (double)step->system->joints[TR_CONTACT].own[TR2_CONTACT_ROLLING][table_row_of(step, touch)];
    if (!(rolling > 0.0) || rows->count == TR2_TOUCH_ROWS_MOST)
        return;
    tr2_touch_row *row = &rows->row[rows->count++];
    place_row(step, touch, TURN, 0.0, row);
    row->impulse = impulses_of(step, touch) + TR2_CONTACT_TURN * TR_LANES;
    row->before = (double)*row->impulse;
    row->friction = rolling;
    rows->moves = rows->moves || fabs(row->rate) > TR2_NEAR_ENOUGH;
}

static bool is_held(const tr2_touch *touch, const tr2_trees *trees, uint32_t end)
{
    return touch->node[end] == TR_NONE || trees->nodes[touch->node[end]].holds;
}

static void gather(const tr2_step *step, uint32_t tree, tr2_touch_rows *out)
{
    const tr2_trees *trees = &step->solver->trees;
    const double unit = (double)step->context.unit, enough = TR2_NEAR_ENOUGH * unit;
    out->unit = unit;
    out->points = 0;
    out->moves = trees->near[tree].slips;
    for (uint32_t i = trees->first_touch[tree]; i < trees->first_touch[tree + 1]; i++) {
        const tr2_touch *touch = &trees->touches[i];
        /* bodies that are not sane are left out of their trees */
        uint32_t points = tr2_kernel_is_featured(touch->kernel) ? 2 : 1;
        for (uint32_t point = 0; point < points && is_held(touch, trees, 0) && is_held(touch, trees, 1); point++) {
            tr2_touch_row row;
            place_point(step, touch, point, &row);
            out->moves = out->moves || error_of(&row) > enough || row.push > enough;
            add_point(out, &row);
        }
    }
    out->count = out->points;
    for (uint32_t i = 0; i < out->points && !step->context.relaxes; i++)
        add_friction(step, out, &out->row[i]);
    out->rubs = out->count;
    for (uint32_t i = out->points; i < out->rubs; i++)
        add_rolling(step, out, out->row[i].touch);
}

/*
 * Impulses
 */

static void push_node(tr2_trees_node *node, const tr2_row_end *end, double impulse)
{
    for (uint32_t i = 0; i < 3; i++) {
        double m = i < 2 ? node->mass : node->inertia;
        node->answer[i] += impulse * end->push[i];
        if (m > 0.0)
            node->before[i] += (float)(impulse * end->push[i] / m);
    }
}

static void push_body(const tr2_step *step, const tr2_row_end *end, double impulse)
{
    tr2_body_velocity *v = &step->context.velocities[end->state];
    v->x += (float)(impulse * end->mass * end->push[0]);
    v->y += (float)(impulse * end->mass * end->push[1]);
    v->w += (float)(impulse * end->inertia * end->push[2]);
}

/* applies a node's response to its velocity and its joints' impulses */
static void move_node(tr2_step *step, tr2_trees_node *node)
{
    tr2_trees *trees = &step->solver->trees;
    double rate[3], change[3];
    for (uint32_t i = 0; i < 3; i++) {
        node->motion[i] += node->answer[i];
        if (node->parent != TR_NONE && node->tie.holds)
            node->tie.impulse[i] += node->lift[i];
    }
    for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++) {
        tr2_trees_tie *pin = &trees->pins[p];
        rate_at(pin->near_at, node->answer, rate);
        tie_impulse(pin, rate, change);
        for (uint32_t i = 0; i < 3 && pin->holds; i++)
            pin->impulse[i] -= change[i];
    }
    if (node->mass > 0.0 && node->holds)
        write_motion(step, node);
}

/* lists the trees of these rows, each once */
static uint32_t list_trees(const tr2_touch_rows *rows, uint32_t out[2 * TR2_TOUCH_ROWS_MOST])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * rows->count; i++) {
        const tr2_trees_node *node = rows->row[i / 2].end[i % 2].node;
        bool known = node == NULL;
        for (uint32_t t = 0; t < count && !known; t++)
            known = out[t] == node->tree;
        if (!known)
            out[count++] = node->tree;
    }
    return count;
}

/* applies the impulses and the trees' exact response to them; returns whether features of free angles changed state.
   `held`: they keep their states. */
static bool apply(tr2_step *step, const tr2_touch_rows *rows, bool held)
{
    bool changed = false;
    tr2_trees *trees = &step->solver->trees;
    uint32_t tree[2 * TR2_TOUCH_ROWS_MOST], tree_count = list_trees(rows, tree);
    for (uint32_t t = 0; t < tree_count; t++)
        tr2_rest_nodes(trees, trees->near[tree[t]]);
    for (uint32_t i = 0; i < rows->count; i++) {
        const tr2_touch_row *row = &rows->row[i];
        /* round first, so that the bodies get exactly the impulse that the contact stores */
        float now = (float)((double)*row->impulse + row->change), change = now - *row->impulse;
        for (uint32_t e = 0; e < 2; e++) {
            if (row->end[e].node != NULL)
                push_node(row->end[e].node, &row->end[e], (double)change);
            else if (row->end[e].mass > 0.0 || row->end[e].inertia > 0.0)
                push_body(step, &row->end[e], (double)change);
        }
        if (!step->context.relaxes && row->total != NULL)
            *row->total += change;
        *row->impulse = now;
    }
    for (uint32_t t = 0; t < tree_count; t++) {
        tr2_trees_range range = trees->near[tree[t]];
        tr2_respond(trees, range, true, false);
        for (uint32_t n = range.first; n < range.first + range.count; n++)
            move_node(step, &trees->nodes[n]);
        changed = (!held && tr2_settle_tree(step, &trees->near[tree[t]])) || changed;
    }
    return changed;
}

/* Contacts must not resist large corrections of joint errors, nor any that are by position only: the impulse for that
   would create velocity out of nothing. Only the positions are kept from overlapping. */
static void leave_slips(tr2_step *step, tr2_touch_rows *rows)
{
    tr2_trees *trees = &step->solver->trees;
    uint32_t tree[2 * TR2_TOUCH_ROWS_MOST], tree_count = list_trees(rows, tree);
    for (uint32_t t = 0; t < tree_count; t++) {
        if (!trees->near[tree[t]].left)
            tr2_slip_tree(step, trees->near[tree[t]]);
    }
    const double most = SLIP_SPEED * rows->unit;
    for (uint32_t i = 0; i < rows->count; i++) {
        tr2_touch_row *row = &rows->row[i];
        double resisted = 0.0, inside = 0.0, left = 0.0;
        for (uint32_t e = 0; e < 2; e++) {
            const tr2_row_end *end = &row->end[e];
            if (end->node == NULL)
                continue;
            const tr2_trees_range *range = &trees->near[end->node->tree];
            double *sum = !range->slips ? &resisted : !range->left ? &inside : &left;
            *sum += dot3(end->push, end->node->slip);
        }
        inside += resisted - fmax(-most, fmin(resisted, most));
        row->rate -= inside;
        row->slip = inside + left;
    }
}

/*
 * Prepares the removal of overlaps by position only, like an impulse that acts for one sub-step and leaves no velocity:
 * from the current rates to those required.
 */
static bool want_push(tr2_touch_rows *rows)
{
    bool any = false;
    rows->count = rows->rubs = rows->points;
    for (uint32_t i = 0; i < rows->count; i++) {
        tr2_touch_row *row = &rows->row[i];
        row->rate = rows->now[i] + row->slip;
        row->before = row->change = row->rubbed = 0.0;
        row->rub = TR_NONE;
        row->wanted = row->push > 0.0 ? row->push : row->wanted;
        any = any || row->wanted - row->rate > TR2_NEAR_ENOUGH * rows->unit;
    }
    return any;
}

static void shift_row(const tr2_step *step, uint32_t state, double x, double y, double turn)
{
    double h = (double)step->context.h;
    tr2_body_pose *pose = &step->context.poses[state];
    pose->x += (float)(h * x);
    pose->y += (float)(h * y);
    step->context.velocities[state].angle += (float)(h * turn);
}

static void push_out(tr2_step *step, const tr2_touch_rows *rows)
{
    tr2_trees *trees = &step->solver->trees;
    uint32_t tree[2 * TR2_TOUCH_ROWS_MOST], tree_count = list_trees(rows, tree);
    for (uint32_t t = 0; t < tree_count; t++)
        tr2_rest_nodes(trees, trees->near[tree[t]]);
    for (uint32_t i = 0; i < 2 * rows->count; i++) {
        const tr2_row_end *end = &rows->row[i / 2].end[i % 2];
        const double change = rows->row[i / 2].change;
        const double *p = end->push;
        for (uint32_t k = 0; k < 3 && end->node != NULL; k++)
            end->node->answer[k] += change * p[k];
        if (end->node == NULL && (end->mass > 0.0 || end->inertia > 0.0))
            shift_row(step, end->state, change * end->mass * p[0], change * end->mass * p[1],
                      change * end->inertia * p[2]);
    }
    for (uint32_t t = 0; t < tree_count; t++) {
        tr2_trees_range range = trees->near[tree[t]];
        tr2_respond(trees, range, true, false);
        for (uint32_t n = range.first; n < range.first + range.count; n++) {
            const tr2_trees_node *node = &trees->nodes[n];
            if (node->mass > 0.0 && node->holds)
                shift_row(step, node->state, node->answer[0], node->answer[1], node->answer[2]);
            for (uint32_t i = 0; i < 3 && range.pushes; i++)
                trees->nodes[n].slip[i] += node->answer[i];
        }
    }
}

/* solves the contacts of a tree, with the features of its angles in their present states; false: nothing is to do */
static bool solve_touches(tr2_step *step, uint32_t tree, tr2_touch_rows *rows)
{
    gather(step, tree, rows);
    if (!rows->moves)
        return false;
    leave_slips(step, rows);
    tr2_add_columns(&step->solver->trees, rows);
    tr2_solve_rows(rows);
    return true;
}

static void push_rows(tr2_step *step, tr2_touch_rows *rows)
{
    tr2_solve_rows(rows);
    push_out(step, rows);
}

/* the greatest error of the rows, at the rates before they were solved or at those they have now */
static double greatest_error(const tr2_touch_rows *rows, bool now)
{
    double most = 0.0;
    for (uint32_t i = 0; i < rows->points; i++)
        most = fmax(most, error_at(&rows->row[i], now ? rows->now[i] : rows->row[i].rate));
    return most;
}

/*
 * Solves contacts with the features held in the states that they have without contacts (without those gathered, if
 * there are more), however large the impulses on them: like joints they take energy, and bring none. A limit that is
 * passed meanwhile is a violated one in the next sub-step.
 */
static bool solve_held(tr2_step *step, uint32_t tree, tr2_touch_rows *rows)
{
    gather(step, tree, rows);
    for (uint32_t i = 0; i < rows->count; i++)
        rows->row[i].change = -rows->row[i].before;
    (void)apply(step, rows, false);
    bool solved = solve_touches(step, tree, rows);
    if (solved)
        (void)apply(step, rows, true);
    return solved;
}

/*
 * Contacts on both sides of a tree that its features make stiff have impulses far above those that the features
 * resist. These change states, others hold, and so on: from round to round all grow, or the last round leaves the
 * contacts worse than they were. Such impulses are taken back.
 */
static void touch_tree(tr2_step *step, uint32_t tree)
{
    tr2_touch_rows rows;
    bool solved = false, again = true;
    double error = 0.0;
    uint32_t round = 0;
    for (; round < ROUNDS && again; round++) {
        solved = solve_touches(step, tree, &rows);
        error = solved && round == 0 ? greatest_error(&rows, false) : error;
        again = solved && apply(step, &rows, false);
    }
    if (again || (solved && round > 1 && greatest_error(&rows, true) > error + WORSE * rows.unit))
        solved = solve_held(step, tree, &rows);
    if (solved && !step->solver->trees.near[tree].slips && want_push(&rows))
        push_rows(step, &rows);
}

/* removes the overlaps of a tree that has moved by position only; returns whether there are any */
static bool push_tree(tr2_step *step, uint32_t tree)
{
    tr2_touch_rows rows;
    gather(step, tree, &rows);
    leave_slips(step, &rows);
    for (uint32_t i = 0; i < rows.count; i++)
        rows.now[i] = rows.row[i].rate;
    if (!want_push(&rows))
        return false;
    tr2_add_columns(&step->solver->trees, &rows);
    push_rows(step, &rows);
    return true;
}

bool tr2_touches(const tr2_step *step, uint32_t tree)
{
    const tr2_trees *trees = &step->solver->trees;
    return trees->touch_count > 0 && trees->first_touch[tree] < trees->first_touch[tree + 1] &&
           !step->program.scheme->positions_first;
}

/* the i-th tree in an order; TR_NONE: it has no contacts to solve */
static uint32_t touched_tree(const tr2_step *step, const uint32_t *order, uint32_t i)
{
    uint32_t tree = order != NULL ? order[i] : i;
    return tr2_touches(step, tree) ? tree : TR_NONE;
}

/*
 * Limits that close by position give way to contacts: these push the tree as if its closing limits were soft. So its
 * joints hold, and the limits close as far as there is room. All trees give way before contacts push any of them. What
 * blocked limits were to close then closes by itself.
 */
void tr2_touch_trees(tr2_step *step, const uint32_t *order, uint32_t first, uint32_t end)
{
    tr2_trees_range *near = step->solver->trees.near;
    for (uint32_t i = first; i < end; i++) {
        uint32_t tree = touched_tree(step, order, i);
        if (tree != TR_NONE)
            touch_tree(step, tree);
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t tree = touched_tree(step, order, i);
        if (tree != TR_NONE) {
            tr2_close_tree(step, &near[tree]);
            if (near[tree].pushes)
                tr2_loosen_tree(step, near[tree]);
        }
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t tree = touched_tree(step, order, i);
        if (tree != TR_NONE && near[tree].slips && push_tree(step, tree) && near[tree].pushes &&
            tr2_close_rest(step, near[tree]))
            (void)push_tree(step, tree);
    }
}

void tr2_run_touching(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    const tr2_trees *trees = &((tr2_step *)context)->solver->trees;
    tr2_touch_trees(context, trees->touch_order, trees->touch_chunk[chunk], trees->touch_chunk[chunk + 1]);
}
