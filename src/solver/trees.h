/*
 * Trees of joints, solved exactly: where a body carries many times its own mass, sweeps over joints converge slowly or not
 * at all, while a tree can be solved at once, from its leaves to its root and back (docs/solver.md).
 *
 * A step finds trees when its layout is new, prepares them as it does blocks, and solves them after the last sweep of
 * every sub-step, of the seams between units too. Their joints keep their lanes in the blocks, where they do nothing.
 */
#ifndef TR_SOLVER_TREES_H
#define TR_SOLVER_TREES_H

#include "plan/forest.h"
#include "solver/system.h"

/* A joint between a node and its parent, or a body that does not move. The near end is the node's. */
typedef struct tr2_trees_tie {
    uint32_t edge, type, row; /* of the joint; its row in its table */
    tr2_tie_kind kind;
    uint32_t turn;                  /* what acts on its free angle: into trees.turns; TR_NONE: nothing */
    uint32_t far;                   /* state row of the far body */
    bool near_is_b;                 /* else the far end is */
    bool flat;                      /* it has no part in turning */
    bool on;                        /* off: it holds nothing */
    bool holds;                     /* in this sub-step */
    double apart[2];                /* m, the near centre less the far one, as the step began */
    double turned;                  /* rad, the angle that is held, likewise */
    double length;                  /* m, that is held */
    double lighter;                 /* kg, of a length: the less of both bodies' masses */
    double impulse[3];              /* N s, N m s: on the near body, of the sub-step before */
    double along[2];                /* of a length: toward the near end; of a slide: across its axis */
    double across[2];               /* of a slide: that as the step began */
    double drag;                    /* kg, of a length: what slows down the ends beside each other */
    double error[3];                /* m/s, rad/s: what it is off by, over h */
    double rate[3];                 /* m/s, rad/s: what is to be made up for, of the near end against the far one */
    double inverse[6];              /* kg, kg m, kg m^2: the impulse at the joint that takes one of rate away */
    double near_arm[2], far_arm[2]; /* m, from the centres of mass, as the step began */
    double near_at[2], far_at[2];   /* m, where the force acts, from both centres, now */
    double near_stiff, far_stiff;   /* N m s: how the impulse turns each body back */
} tr2_trees_tie;

/* What acts on the angle that a point leaves free; the later, the harder. */
typedef enum tr2_turn_part {
    TR2_TURN_SPRING,
    TR2_TURN_FRICTION,
    TR2_TURN_MOTOR,
    TR2_TURN_LOWER,
    TR2_TURN_UPPER,
    TR2_TURN_PARTS
} tr2_turn_part;

/* One of them: between a least and a most impulse it keeps the rate at its own, or follows it as a spring; beyond these it
   gives the one or the other. */
typedef struct tr2_turn_piece {
    bool on;
    double least, most; /* N m s */
    double rate;        /* rad/s of B against A: that it keeps, or at which a spring gives nothing */
    double yields;      /* rad/s per N m s: of a spring; 0: keeps its rate */
    int side;           /* 0: in between; -1, 1: gives the least, the most */
    double impulse;     /* N m s, on B */
} tr2_turn_piece;

/* What acts on the free angle of a joint in a tree, and how soft its point is. */
typedef struct tr2_trees_turn {
    double angle;                /* rad, as the step began */
    double lower, upper, target; /* rad */
    double spring_rate;          /* rad/s per rad */
    double point_yields;         /* m/s per N s, */
    double point_share;          /* and as a share of what an impulse between the bodies alone changes */
    double inverse_mass;         /* 1/kg, of both bodies together */
    double inverse_inertia[2];   /* 1/(kg m^2), of A and of B */
    double point_rate;           /* 1/s: of the error, taken back; of a rigid point 1/h */
    tr2_turn_piece part[TR2_TURN_PARTS];
    /* of this sub-step */
    uint32_t keeper; /* the part that keeps its rate; TR_NONE: none does */
    bool row;        /* the angle has a row: a keeper's, or a spring's */
    double given;    /* N m s: where there is no keeper, what those give that are at their bounds */
} tr2_trees_turn;

/* What hangs on a body, as its equations see it: a symmetric mass (xx, xy, yy, xw, yw, ww) and an impulse; how much inertia
   the forces' turning with the body is worth in a sub-step, and what is welded to it, kg m^2. */
typedef struct tr2_trees_load {
    double mass[6], impulse[3], stiffness, inertia;
} tr2_trees_load;

typedef struct tr2_trees_node {
    uint32_t body, state;        /* row in the table of bodies, row of the state */
    uint32_t first_copy, copies; /* more state rows, where the body is split */
    uint32_t parent;             /* node; TR_NONE: the root */
    uint32_t first_child, child_count;
    uint32_t first_pin, pin_count; /* ties to bodies that do not move */
    tr2_trees_tie tie;             /* to the parent; of a root nothing */
    double mass, inertia;          /* 0: nothing moves it, or turns it */
    bool holds;                    /* in this sub-step: its motion was sane before */
    float before[3];               /* m/s, rad/s: how it moved before its tree was solved */
    double inverse[6];             /* of its mass and what hangs on it: 1/kg */
    double motion[3];              /* m/s, rad/s: what is solved for */
    tr2_trees_load load;           /* what it and what hangs on it are to its parent */
    /* while the contacts of its tree are solved (trees_touch.c) */
    uint32_t tree;  /* into trees.near, of a tree that one worker solves */
    double slip[3]; /* m/s, rad/s: what closes joints that were torn open, by places alone, in this sub-step */
    bool reached;   /* such a contact pushes it, or what hangs on it */
    double answer[3], lift[3]; /* how it moves after an impulse, and what that makes of its tie's rate from below */
} tr2_trees_node;

/* A contact with an end in a tree: its lane, and the nodes of its bodies; TR_NONE: that is in no tree that one worker solves. */
typedef struct tr2_touch {
    uint32_t kernel, block, lane, node[2];
} tr2_touch;

/* Nodes that lie next to each other. Of a tree: the root first, parents before children. */
typedef struct tr2_trees_range {
    uint32_t first, count;
    bool turns; /* some joint of the tree has its angle acted on */
    bool whole; /* of levels: several, so narrow that one worker does them */
    bool torn;  /* a body was put back after the last step */
    bool slips; /* in this sub-step places alone take back errors of joints */
} tr2_trees_range;

/* Trees whose bodies are all in one unit go with it. Of the others those whose angles are acted on are each solved by one worker,
   as they may have to be solved again, unless they are large; all others together are solved level by level. */
typedef struct tr2_trees {
    tr_forest forest;
    tr2_trees_node *nodes;
    uint32_t node_count, node_capacity, far_first; /* nodes from far_first on are those of levels */
    tr2_trees_tie *pins;
    uint32_t pin_count, pin_capacity;
    tr2_trees_turn *turns;
    uint32_t turn_count, turn_capacity;
    tr2_trees_range *
        near; /* trees that one worker solves: of unit u from unit_near[u] to unit_near[u + 1]; then those of no unit */
    uint32_t lone_first, lone_count; /* of these */
    uint32_t near_capacity;
    uint32_t *unit_near;
    uint32_t unit_capacity, unit_count;
    tr2_trees_range *levels; /* from the roots' on */
    uint32_t level_count, level_capacity;
    uint32_t joint_count; /* that trees solve */
    tr2_touch *touches;   /* of tree t of near from first_touch[t] to first_touch[t + 1] */
    uint32_t touch_count, touch_capacity;
    uint32_t *first_touch, first_touch_capacity;
    uint32_t *node_of_state, node_of_state_capacity; /* by state row; TR_NONE: of no such tree */
    uint32_t *strained; /* vertices that carry too much for sweeps, by their bodies' rows: trees are sought from them */
    uint32_t strained_count, strained_capacity;
    uint32_t *seen, seen_capacity, stamp; /* of the search */
    bool known;                           /* strained and trees are those of the layout before */
} tr2_trees;

typedef struct tr2_solver tr2_solver;

void tr2_trees_init(tr2_trees *trees, tr_memory *memory);
void tr2_trees_destroy(tr2_trees *trees);

/*
 * Finds the trees of a layout, and marks their joints and idle chunks; before tr_plan_settle(). Not `rows_move`: bodies have
 * the state rows that they had; then only what is news is looked at for strain, and trees stay as they are where a new search would
 * find the same. TR_ERROR_MEMORY: there are none.
 */
tr_status tr2_trees_plant(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool rows_move);

/* Lists the contacts of trees that one worker solves, as they are laid out. `planted`: the trees are new since the last call. False: no
   memory; then the trees must be planted again. */
bool tr2_trees_touch(tr2_solver *solver, bool planted);

#endif
