/* How a solved tree responds to impulses on its nodes. */
#include "solver/trees/trees_touch.h"

/* marks the nodes from these rows' bodies up to their roots: only these respond to impulses of rows */
static void reach_nodes(tr2_trees *trees, const tr2_touch_rows *rows, bool reached)
{
    for (uint32_t i = 0; i < 2 * rows->count; i++) {
        tr2_trees_node *node = rows->row[i / 2].end[i % 2].node;
        while (node != NULL && node->reached != reached) {
            node->reached = reached;
            node = node->parent != TR_NONE ? &trees->nodes[node->parent] : NULL;
        }
    }
}

void tr2_respond(tr2_trees *trees, tr2_trees_range range, bool all, bool errors)
{
    double v[3], back[3];
    for (uint32_t n = range.first + range.count; n-- > range.first;) {
        tr2_trees_node *node = &trees->nodes[n];
        if (!all && !node->reached)
            continue;
        memcpy(v, node->answer, sizeof v);
        times(node->inverse, v, node->answer);
        if (node->parent == TR_NONE || !node->tie.holds)
            continue;
        double *up = trees->nodes[node->parent].answer;
        rate_at(node->tie.near_at, node->answer, node->lift);
        for (uint32_t i = 0; i < 3 && errors; i++)
            node->lift[i] += node->tie.error[i];
        tie_impulse(&node->tie, node->lift, back);
        up[0] += back[0];
        up[1] += back[1];
        up[2] += node->tie.far_at[0] * back[1] - node->tie.far_at[1] * back[0] + back[2];
    }
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        tr2_trees_node *node = &trees->nodes[n];
        if ((!all && !node->reached) || node->parent == TR_NONE || !node->tie.holds)
            continue;
        rate_at(node->tie.far_at, trees->nodes[node->parent].answer, v);
        for (uint32_t i = 0; i < 3; i++)
            v[i] -= node->lift[i];
        tie_impulse(&node->tie, v, node->lift);
        push(node->inverse, node->tie.near_at, node->lift, node->answer);
    }
}

void tr2_rest_nodes(tr2_trees *trees, tr2_trees_range range)
{
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        memset(trees->nodes[n].answer, 0, sizeof trees->nodes[n].answer);
}

void tr2_slip_tree(tr2_step *step, tr2_trees_range range)
{
    tr2_trees *trees = &step->solver->trees;
    double back[3];
    tr2_rest_nodes(trees, range);
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        tr2_trees_node *node = &trees->nodes[n];
        for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++) {
            const tr2_trees_tie *pin = &trees->pins[p];
            tie_impulse(pin, pin->error, back);
            for (uint32_t i = 0; i < 3 && pin->holds; i++)
                node->answer[i] -= i < 2 ? back[i] : pin->near_at[0] * back[1] - pin->near_at[1] * back[0] + back[2];
        }
    }
    tr2_respond(trees, range, true, true);
    for (uint32_t n = range.first; n < range.first + range.count; n++)
        memcpy(trees->nodes[n].slip, trees->nodes[n].answer, sizeof trees->nodes[n].slip);
}

/* takes the slip's part out of an impulse of a tie, and out of that of the feature that keeps the rate of its angle */
static void leave_impulse(tr2_trees *trees, tr2_trees_tie *tie, const double slip[3])
{
    for (uint32_t i = 0; i < 3 && tie->holds; i++)
        tie->impulse[i] -= slip[i];
    if (tie->turn != TR_NONE && tie->holds)
        tr2_turn_leave(&trees->turns[tie->turn], tie->near_is_b ? slip[2] : -slip[2]);
}

void tr2_leave_slip(tr2_step *step, tr2_trees_range range)
{
    tr2_trees *trees = &step->solver->trees;
    double rate[3], impulse[3];
    tr2_slip_tree(step, range);
    for (uint32_t n = range.first; n < range.first + range.count; n++) {
        tr2_trees_node *node = &trees->nodes[n];
        if (!node->holds || node->mass <= 0.0)
            continue;
        for (uint32_t i = 0; i < 3; i++)
            node->motion[i] -= node->slip[i];
        write_motion(step, node);
        if (node->parent != TR_NONE)
            leave_impulse(trees, &node->tie, node->lift);
        for (uint32_t p = node->first_pin; p < node->first_pin + node->pin_count; p++) {
            tr2_trees_tie *pin = &trees->pins[p];
            rate_at(pin->near_at, node->slip, rate);
            for (uint32_t i = 0; i < 3; i++)
                rate[i] = -(rate[i] + pin->error[i]);
            tie_impulse(pin, rate, impulse);
            leave_impulse(trees, pin, impulse);
        }
    }
}

/* adds the effect of a unit impulse of a row, at one of its ends, on all rows' rates */
static void add_column(tr2_trees *trees, tr2_touch_rows *rows, uint32_t column, const tr2_row_end *from)
{
    if (from->node != NULL) {
        tr2_rest_nodes(trees, trees->near[from->node->tree]);
        memcpy(from->node->answer, from->push, sizeof from->push);
        tr2_respond(trees, trees->near[from->node->tree], false, false);
    }
    double *change = column_of(rows, column);
    for (uint32_t i = 0; i < rows->count; i++) {
        for (uint32_t e = 0; e < 2; e++) {
            const tr2_row_end *to = &rows->row[i].end[e];
            const double *p = to->push, *q = from->push;
            if (from->node != NULL && to->node != NULL && to->node->tree == from->node->tree)
                change[i] += dot3(p, to->node->answer);
            else if (from->node == NULL && to->state == from->state)
                change[i] += from->mass * (p[0] * q[0] + p[1] * q[1]) + from->inertia * (p[2] * q[2]);
        }
    }
}

void tr2_add_columns(tr2_trees *trees, tr2_touch_rows *rows)
{
    reach_nodes(trees, rows, true);
    rows->stride = rows->count;
    for (uint32_t i = 0; i < rows->count; i++) {
        memset(column_of(rows, i), 0, rows->count * sizeof *rows->columns);
        add_column(trees, rows, i, &rows->row[i].end[0]);
        add_column(trees, rows, i, &rows->row[i].end[1]);
    }
    reach_nodes(trees, rows, false);
}
