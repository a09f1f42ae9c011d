/*
 * Trees of joints that are solved exactly. If a body carries many times its own mass, sweeps over the joints converge
 * slowly or not at all; a tree can be solved directly, from the leaves to the root and back (docs/solver.md).
 *
 * Trees are searched when the layout is made. They are prepared like blocks, and solved in every sub-step before
 * positions move: after the last sweep, including that of the seams, unless the method moves positions first. Their
 * joints keep lanes in the blocks, without effect.
 */
#ifndef TR_SOLVER_TREES_H
#define TR_SOLVER_TREES_H

#include "plan/forest.h"
#include "solver/core/system.h"
#include "solver/trees/leaves.h"

/* A joint between a node and its parent, or between a node and a body that does not move (a pin). The near body is
   the node's. */
typedef struct tr2_trees_tie {
    uint32_t edge, type, row; /* of the joint; its table row */
    tr2_tie_kind kind;
    uint32_t turn;                  /* features of its free angle: into trees.turns; TR_NONE: none */
    uint32_t far;                   /* state row of the far body */
    bool near_is_b;                 /* else the far body is B */
    bool flat;                      /* it exerts no torque of its own */
    bool on;                        /* false: disabled */
    bool holds;                     /* whether it holds in this sub-step */
    double apart[2];                /* m, near centre minus far centre, at the start of the step */
    double turned;                  /* rad, the fixed angle, at the start of the step */
    double length;                  /* m, the fixed distance */
    double lighter;                 /* kg, for a length: the lesser mass of both bodies */
    double impulse[3];              /* N s, N m s: on the near body, of the last sub-step */
    double along[2];                /* unit vector; for a length: toward the near end; for a slide: across its axis */
    double across[2];               /* for a slide: the same at the start of the step */
    double drag;                    /* kg, for a length: resistance to relative motion across it */
    double error[3];                /* m/s, rad/s: position error over h */
    double rate[3];                 /* m/s, rad/s: required change of the rate of the near end minus the far end */
    double inverse[6];              /* kg, kg m, kg m^2: effective mass: impulse per change of rate */
    double near_arm[2], far_arm[2]; /* m, anchors from the centres of mass, at the start of the step */
    double near_at[2], far_at[2];   /* m, from both centres to where the force acts, now */
    double near_stiff, far_stiff;   /* N m s: restoring torque of the impulse on each body */
} tr2_trees_tie;

/* The features that may act on the free angle of a point; later ones have priority. */
typedef enum tr2_turn_part {
    TR2_TURN_SPRING,
    TR2_TURN_FRICTION,
    TR2_TURN_MOTOR,
    TR2_TURN_LOWER,
    TR2_TURN_UPPER,
    TR2_TURN_PARTS
} tr2_turn_part;

/* One feature: it keeps the rate at a value, or follows it as a spring, as long as its impulse stays within [least,
   most]; at the bounds the impulse is constant. */
typedef struct tr2_turn_piece {
    bool on;
    double least, most; /* N m s */
    double rate;        /* rad/s of B relative to A, which it keeps; for a spring, the rate of no impulse */
    double yields;      /* rad/s per N m s: compliance of a spring; 0: it keeps its rate */
    int side;           /* 0: between the bounds; -1, 1: at least, at most */
    double impulse;     /* N m s, on B */
} tr2_turn_piece;

/* The features of the free angle of a joint in a tree, and the softness of its point. */
typedef struct tr2_trees_turn {
    double angle;                /* rad, at the start of the step */
    double lower, upper, target; /* rad */
    double spring_rate;          /* rad/s per rad */
    double point_yields;         /* m/s per N s: compliance of the point, */
    double point_share;          /* and as a share of 1 / effective mass of the two bodies alone */
    double inverse_mass;         /* 1/kg, sum of both bodies */
    double inverse_inertia[2];   /* 1/(kg m^2), of A and B */
    double point_rate;           /* 1/s: share of the error corrected per time; 1/h if rigid */
    tr2_turn_piece part[TR2_TURN_PARTS];
    /* state in this sub-step */
    uint32_t keeper; /* the feature that keeps its rate; TR_NONE: none */
    bool gives_way;  /* to contacts, when it is placed next: the keeper corrects a violated limit */
    double yields;   /* rad/s per N m s: compliance of its row */
    bool row;        /* the angle has a row: that of a keeper or a spring */
    double given;    /* N m s: without a keeper, the sum of the features at their bounds */
} tr2_trees_turn;

typedef struct tr2_trees_node {
    uint32_t body, state;        /* row in the table of bodies, state row */
    uint32_t first_copy, copies; /* further state rows if the body is split */
    uint32_t parent;             /* node; TR_NONE: it is the root */
    uint32_t first_child, child_count;
    uint32_t first_bunch, bunch_count; /* its leaves in blocks */
    uint32_t first_pin, pin_count;     /* ties to bodies that do not move */
    tr2_trees_tie tie;                 /* to the parent; unused for a root */
    double mass, inertia;              /* 0: the body cannot move, or rotate */
    bool holds;                        /* whether its velocity at the start of this sub-step was sane */
    float before[3];                   /* m/s, rad/s: velocity before its tree was solved */
    double inverse[6];                 /* of its mass including its subtree: 1/kg */
    double motion[3];                  /* m/s, rad/s: the unknowns */
    tr2_trees_load load;               /* effect of its subtree on its parent */
    /* for solving the tree's contacts (trees_touch.c) */
    uint32_t tree;             /* into trees.near, if one worker solves the tree */
    double slip[3];            /* m/s, rad/s: position correction of joint errors in this sub-step */
    bool reached;              /* such a contact acts on its subtree */
    double answer[3], lift[3]; /* velocity due to an impulse, and the resulting rate of its tie */
} tr2_trees_node;

/* A leaf without a node (solver/leaves.h): its joint, and its row in the table of bodies. */
typedef struct tr2_leaf {
    uint32_t edge, type, row, body;
    bool is_b;
} tr2_leaf;

#define TR2_BUNCH 256u /* greatest number of leaves in a bunch */

/* Leaves of one parent on one kind of joint, the work of one worker at a time: in consecutive blocks, of which the last
   may not be full. */
typedef struct tr2_bunch {
    uint32_t parent; /* node */
    uint32_t first_block, count;
    tr2_tie_kind kind;   /* of all their joints */
    tr2_trees_load load; /* their effect on the parent */
} tr2_bunch;

/* A contact with a tree that one worker solves: its lane, and the nodes of its bodies; TR_NONE if a body is in no
   such tree. */
typedef struct tr2_touch {
    uint32_t kernel, block, lane, node[2];
} tr2_touch;

/* Consecutive nodes. For a tree: the root first, parents before children. */
typedef struct tr2_trees_range {
    uint32_t first, count;
    bool turns;  /* some joint has features on its free angle */
    bool whole;  /* for levels: several narrow ones, which one worker solves */
    bool torn;   /* a body was moved back after the last step: this is the first sub-step since */
    bool pushes; /* some joint corrects a violated limit */
    bool slips;  /* some errors are corrected by position only in this sub-step: by limits, or all if torn */
    bool left;   /* the slips, what is corrected by position only, have been taken out of its velocities */
} tr2_trees_range;

/* How many joints of a body can be in trees, in the search with this stamp. */
typedef struct tr2_tie_count {
    uint32_t stamp, count;
} tr2_tie_count;

/* Trees with all bodies in one unit are solved with it. Of the others, those with features on free angles are solved
   by one worker each, unless they are large, because they may need several solves. All remaining trees are solved
   together, level by level. */
typedef struct tr2_trees {
    tr_forest forest;
    tr2_trees_node *nodes;
    uint32_t node_count, node_capacity, far_first; /* nodes from far_first on are in levels */
    tr2_trees_tie *pins;
    uint32_t pin_count, pin_capacity;
    tr2_trees_turn *turns;
    uint32_t turn_count, turn_capacity;
    tr2_trees_range *
        near; /* trees that one worker solves: of unit u from unit_near[u] to unit_near[u + 1]; then those of no unit */
    uint32_t lone_first, lone_count; /* those of no unit */
    uint32_t near_capacity;
    uint32_t *unit_near;
    uint32_t unit_capacity, unit_count;
    tr2_trees_range *levels; /* from that of the roots on */
    uint32_t level_count, level_capacity;
    tr2_bunch *bunches; /* leaves of nodes in levels; they come before all levels on the way up, and after them back */
    uint32_t bunch_count, bunch_capacity;
    tr2_leaf_block *leaf_blocks;
    tr2_leaf_lengths *leaf_lengths; /* of as many blocks as there are up to the last one of distances */
    uint32_t leaf_lengths_capacity;
    uint32_t leaf_block_count, leaf_block_capacity;
    tr2_leaf *leaves; /* eight per block, in the same places; without a leaf, the edge is TR_NONE */
    uint32_t leaf_capacity;
    uint32_t joint_count; /* number of joints solved in trees */
    tr2_touch *touches;   /* those of tree t of `near` are from first_touch[t] to first_touch[t + 1] */
    uint32_t touch_count, touch_capacity;
    uint32_t *first_touch, first_touch_capacity;
    /* those that no unit's worker solves: trees by groups that are independent of each other; chunk c of the work is
       from touch_chunk[c] to touch_chunk[c + 1] */
    uint32_t *touch_order, *touch_chunk, *grouping;
    uint32_t touch_order_capacity, touch_chunk_capacity, grouping_capacity, touch_chunk_count;
    uint32_t *node_of_state, node_of_state_capacity; /* by state row; TR_NONE: in no tree that one worker solves */
    uint32_t *strained; /* vertices that carry too much for sweeps, sorted by body row; searches start from them */
    uint32_t strained_count, strained_capacity;
    tr2_unmarked *unmarked; /* joints that were in trees before the last searches, until they are released */
    uint32_t unmarked_count, unmarked_capacity;
    uint32_t *seen, seen_capacity, stamp; /* for the search */
    tr2_tie_count *tie_counts;            /* by vertex, for the search of hubs */
    uint32_t tie_count_capacity;
    bool known;   /* `strained` and the trees are those of the last layout */
    bool foreign; /* the marks of joints are of trees that are not these: tr2_trees_put() */
} tr2_trees;

typedef struct tr2_solver tr2_solver;

void tr2_trees_init(tr2_trees *trees, tr_memory *memory);
void tr2_trees_destroy(tr2_trees *trees);

/*
 * Finds the trees of a layout and marks their joints and idle chunks; call before tr_plan_settle(). `rows_move` false:
 * bodies kept their state rows, so only the news is examined, and trees stay if a new search would find the same. `news`:
 * islands for the direct method are chosen anew, too (exact_choose.h). After
 * TR_ERROR_MEMORY there are none to be solved, and the next call searches again.
 */
tr_status tr2_trees_plant(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool rows_move,
                          bool news);

/* Takes the impulses of joints that are in no tree any more: they start with none, like new ones. Theirs hold what the
   tree held, e.g. a load that was cut off, and would make a chain whip. Call when nothing can fail any more. */
void tr2_release_unmarked(tr2_trees *trees, const tr2_system *system);

/* The joints that have left trees since the last step: their number. */
uint32_t tr2_trees_left(const tr2_trees *trees, const tr2_unmarked **out);
/* Puts such joints of another state of the world in the place of all that there is. The joints that its tables say are
   in trees leave them, too, when the next tr2_trees_plant() searches. */
bool tr2_trees_put_reserve(tr2_trees *trees, uint32_t left);
void tr2_trees_put(tr2_trees *trees, const tr2_unmarked *left, uint32_t count);

/* Lists the contacts of trees that one worker solves, for the current layout. `planted`: the trees have changed
   since the last call. False if out of memory; then the trees must be planted again. */
bool tr2_trees_touch(tr2_solver *solver, bool planted);

#endif
