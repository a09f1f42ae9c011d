/* How trees are sought: which joints may be parts of them, and which bodies carry too much for sweeps. */
#ifndef TR_SOLVER_TREES_SEARCH_H
#define TR_SOLVER_TREES_SEARCH_H

#include "solver/solver_internal.h"

/* Joints from which on a body gets into trouble with sweeps by their number alone. */
#define TR2_MANY_TIES 6u

typedef struct tr2_search {
    const tr2_solver *solver;
    const tr2_system *system;
    uint64_t kinds; /* of edges that trees are made of */
} tr2_search;

/* What the search stamps vertices with, from trees->stamp on. Bodies that are strained and in no tree are LEFT in the end; what
   hangs together with neither them nor a tree is found to be APART when it is edited. */
enum { TR2_WALKED, TR2_TAKEN, TR2_WALKED_PINS, TR2_HUB, TR2_APART, TR2_STAMPS };

/* Whether a kernel serves points whose free angle is acted on. */
static inline bool tr2_has_turn(uint32_t kind)
{
    const tr2_joint_type_info *info = tr2_joint_types[tr2_kernel_type(kind)];
    return tr2_kernel_is_featured(kind) && info->tie == TR2_TIE_POINT && info->angle_is_free;
}

/* What a joint of a kernel is in a tree: all that it does, so that it needs nothing of the sweeps. */
static inline tr2_tie_kind tr2_tie_kind_of(uint32_t kind)
{
    return !tr2_kernel_is_featured(kind) || tr2_has_turn(kind) ? tr2_joint_types[tr2_kernel_type(kind)]->tie
                                                               : TR2_TIE_NONE;
}

static inline bool tr2_is_chosen(const tr2_search *s, uint32_t edge)
{
    return tr_kind_is_among(s->kinds, tr_plan_kind(s->system->plan, edge));
}

static inline uint32_t tr2_row_of_vertex(const tr2_system *system, uint32_t vertex)
{
    return system->body_pool->row[vertex];
}

/* Whether a body ties others together that are so much heavier than it that sweeps do not settle (docs/solver.md). */
bool tr2_is_strained(const tr2_search *s, uint32_t vertex);
/* All that are, into trees->strained, by their bodies' rows. False: no memory. */
bool tr2_list_strained(tr2_trees *trees, const tr2_search *s);
/* Looks at one vertex again; *changed becomes true where that changes the list. False: no memory. */
bool tr2_renew_strained(tr2_trees *trees, const tr2_search *s, uint32_t vertex, bool *changed);

/* trees_edit.c: whether a new search would find the trees that there are, because no vertex of the news hangs together with one of
   these or with a strained body. The list of strained bodies must be as it was. */
bool tr2_trees_stay(tr2_trees *trees, const tr2_search *s);
/* Takes over the rows that the joints of trees have in their tables now: others that went may have moved them. */
void tr2_trees_follow_rows(tr2_trees *trees, const tr2_system *system);

#endif
