/* The search for trees: which joints can be in them, and which bodies carry too much for sweeps (strained bodies). */
#ifndef TR_SOLVER_TREES_SEARCH_H
#define TR_SOLVER_TREES_SEARCH_H

#include "solver/core/solver_internal.h"

/* With this many joints a body can cause divergence of the sweeps by their number alone. */
#define TR2_MANY_TIES 6u

/* The copies of a split body are solved separately and then averaged. They diverge together: from 3.5 times the mass
   on if the body cannot rotate, from 3 times the inertia if it cannot move, and from two fifths of both. With many
   copies, from three quarters of both (docs/solver.md). */
#define TR2_SPLIT_MASS    3.5
#define TR2_SPLIT_INERTIA 3.0
#define TR2_SPLIT_MANY    1000u /* joints */

/* How much a split body may hold by a number of joints: m / TR2_SPLIT_MASS + i / TR2_SPLIT_INERTIA, with the mass m and
   the inertia i of what it holds relative to its own. */
static inline double tr2_split_share(uint32_t ties)
{
    return ties < TR2_SPLIT_MANY ? 0.8 : 1.2;
}

typedef struct tr2_search {
    const tr2_solver *solver;
    const tr2_system *system;
    uint64_t kinds; /* kinds of edges that can be in trees */
} tr2_search;

/* Stamps of vertices during the search, from trees->stamp on. */
enum {
    TR2_WALKED,        /* visited over all joints of the search, but in no tree */
    TR2_WALKED_OTHERS, /* the same over all but lines */
    TR2_TAKEN,         /* in a tree */
    TR2_WALKED_PINS,   /* visited over plain pins only, but in no tree */
    TR2_HUB,           /* a strained hub that is in no tree yet */
    TR2_APART,         /* an edited vertex that is connected with none of these */
    TR2_STAMPS
};

/* Whether a kernel's joints are points with features on a free angle. */
static inline bool tr2_has_turn(uint32_t kind)
{
    const tr2_joint_type_info *info = tr2_joint_types[tr2_kernel_type(kind)];
    return tr2_kernel_is_featured(kind) && info->tie == TR_TIE_POINT && info->angle_is_free;
}

/* The constraint of a kernel's joints in a tree, if the tree can do everything that they do; else TR_TIE_NONE. */
static inline tr2_tie_kind tr2_tie_kind_of(uint32_t kind)
{
    return !tr2_kernel_is_featured(kind) || tr2_has_turn(kind) ? tr2_joint_types[tr2_kernel_type(kind)]->tie
                                                               : TR_TIE_NONE;
}

static inline bool tr2_is_chosen(const tr2_search *s, uint32_t edge)
{
    return tr_kind_is_among(s->kinds, tr_plan_kind(s->system->plan, edge));
}

static inline uint32_t tr2_row_of_vertex(const tr2_system *system, uint32_t vertex)
{
    return system->body_pool->row[vertex];
}

/* Whether a joint has no effect, and the body at this end does not move. It holds nothing, so trees are as if it did
   not exist. Between bodies that move, a joint without effect counts, so that switching it off keeps a tree. */
static inline bool tr2_is_idle_pin(const tr2_search *s, uint32_t edge, uint32_t end)
{
    const tr2_system *system = s->system;
    const uint32_t *flags = system->joints[tr2_kernel_type(tr_plan_kind(system->plan, edge))].flags;
    return flags != NULL && (flags[system->joint_pool->row[edge]] & TR_JOINT_OFF) != 0 &&
           system->bodies->type[tr2_row_of_vertex(system, tr_plan_end(system->plan, edge, end))] != TR_DYNAMIC;
}

/* Whether a joint is of the kinds searched and no idle pin to the body at its end `far`. */
static inline bool tr2_counts(const tr2_search *s, uint32_t edge, uint32_t far)
{
    return tr2_is_chosen(s, edge) && !tr2_is_idle_pin(s, edge, far);
}

/* Whether the direct method solves a body's island. */
static inline bool tr2_is_direct(const tr2_search *s, uint32_t vertex)
{
    const tr2_chosen *chosen = &s->solver->chosen;
    return vertex < chosen->mark_capacity && (chosen->marks[vertex] & TR_CHOSEN_CORE) != 0;
}

/* Whether a body has a joint of the kinds searched to one that does not move. */
bool tr2_is_pinned(const tr2_search *s, uint32_t vertex);

/* trees_find.c: all kinds of joints that can be in trees. */
uint64_t tr2_tree_kinds(void);
/* Finds the trees with strained bodies, as trees->forest: over all kinds of joints; if that has a loop, without lines
   and then over plain pins only; then spanning trees of hubs. False: out of memory. */
bool tr2_find_trees(tr2_trees *trees, const tr2_search *s);
/* The unit with all bodies of a tree; the number of units if there is none, but one worker solves the tree; TR_NONE if
   several do, as for trees with split bodies, which have many joints. */
uint32_t tr2_unit_of_tree(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree);

/* trees_mark.c: lets the joints that other trees have marked leave these. False: out of memory; then some are left. */
bool tr2_unmark_foreign(tr2_trees *trees, const tr2_system *system);

/* trees_nodes.c: lists the nodes of the trees found. False: out of memory. */
bool tr2_add_tree_nodes(tr2_trees *trees, const tr2_search *s);

/* Adds the leaves among the children of a forest's node, the parent, as far as they need no nodes (trees_leaves.c), and
   sets `kinds`: child c is one if bit tr2_leaf_kind(child) is set. False: out of memory. */
bool tr2_add_leaves(tr2_trees *trees, const tr2_search *s, const tr_forest_node *from, uint32_t parent,
                    uint32_t *kinds);
/* The kind of joint of a node that can be a leaf; else TR_TIE_NONE. */
tr2_tie_kind tr2_leaf_kind(const tr2_search *s, const tr_forest_node *node);

/* Marks the joints and idle chunks of trees, so that sweeps leave them out (trees_mark.c). The first two return false
   if out of memory; nothing is marked then. Clearing marks needs the room of the second. */
bool tr2_mark_trees(tr2_trees *trees, const tr2_system *system);
bool tr2_reserve_unmarked(tr2_trees *trees);
void tr2_unmark_trees(tr2_trees *trees, const tr2_system *system);
void tr2_mark_idle_chunks(const tr2_solver *solver, const tr2_system *system);

/* Whether the bodies joined to a body are so much heavier that sweeps do not converge (docs/solver.md). */
bool tr2_is_strained(const tr2_search *s, uint32_t vertex);
/* Lists all of these in trees->strained, by body row. False: out of memory. */
bool tr2_list_strained(tr2_trees *trees, const tr2_search *s);
/* Examines one vertex again; sets *changed if the list changes. False: out of memory. */
bool tr2_renew_strained(tr2_trees *trees, const tr2_search *s, uint32_t vertex, bool *changed);

/* trees_edit.c: whether a new search would find the same trees, because no vertex of the news is connected with a
   tree or a strained body. The list of strained bodies must be unchanged. */
bool tr2_trees_stay(tr2_trees *trees, const tr2_search *s);
/* Updates the table rows of the trees' joints, which may move when other joints are removed. */
void tr2_trees_follow_rows(tr2_trees *trees, const tr2_system *system);

#endif
