/* The exact solution of trees, for one node (trees_solve.c). */
#ifndef TR_SOLVER_TREES_NODE_H
#define TR_SOLVER_TREES_NODE_H

#include "solver/core/solver_internal.h"

typedef void tr2_node_fn(tr2_step *step, tr2_trees_node *node);

extern tr2_node_fn *const tr2_node_works[TR_TREES_WORKS];

/* Updates the states of the features of its joints, after its tree was solved; returns whether any changed. `alone`:
   stop at the first. */
bool tr2_settle_node(tr2_step *step, const tr2_trees_node *node, bool alone);
/* If a tree is solved only once per sub-step, a feature that cannot reach its rate with its own impulse must not start
   by keeping it. */
void tr2_let_go_node(tr2_step *step, const tr2_trees_node *node);
/* Lets violated limits of its joints that others were to close take over when they are placed next; returns whether
   there are any. */
bool tr2_take_over_node(tr2_step *step, const tr2_trees_node *node);
/* Whether one of its joints corrects a violated limit. */
bool tr2_node_pushes(const tr2_trees *trees, const tr2_trees_node *node);
/* The longest lever of its joints, m. */
double tr2_node_reach(const tr2_trees *trees, const tr2_trees_node *node);
/* Counts the rates that limits keep as errors of its joints, `alone`: instead of others; and takes a share of these
   rates. */
void tr2_slip_node(tr2_trees *trees, tr2_trees_node *node, bool alone);
void tr2_slow_node(tr2_trees *trees, tr2_trees_node *node, double share);
/* Counts only the rates of the limits that take over as errors. */
void tr2_slip_rest_node(tr2_trees *trees, tr2_trees_node *node);
/* Lets the limits that it corrects give way when they are placed next, or not any more. */
void tr2_loosen_node(tr2_trees *trees, const tr2_trees_node *node, bool loose);
/* Restores the velocity from before the tree was solved. */
void tr2_put_back_node(tr2_step *step, const tr2_trees_node *node);

#endif
