/*
 * Islands side by side in SIMD lanes: equal ones, which do the same. A lane does the same operations in the same order
 * whatever is in the others: an island has the same bits alone and among twins. What is out of the ordinary (not finite,
 * too fast, a pivot without its sign, rows that do not settle) is left to the general path, which begins the island's
 * step anew.
 *
 * A joint has one unknown for each of its coordinates, whatever acts along it: springs, motors, friction and stops with
 * the same J are one convex function of one rate. The sum of the impulses of those that are held, -(w + b)/e each, is
 * again such a one; those at bounds are numbers. So twins may have other features, and features that are off cost nothing
 * in the system.
 */
#ifndef TR_SOLVER_EXACT_LANES_H
#define TR_SOLVER_EXACT_LANES_H

#include "solver/exact/exact.h"

/* Bodies and joints of an island that is solved in lanes, at most; and of one that is solved in as many as the instruction
   set has: of greater ones the numbers of all lanes would not stay in the caches. */
#define TR_EXACT_LANES_NODES 131072u
#define TR_EXACT_WIDE_NODES  4096u
/* and targets of its program, per node */
#define TR_EXACT_LANES_TARGETS 16u

/* What a joint's row in lanes is. */
typedef enum trn_exact_row_kind {
    TR_EXACT_KEPT = 1, /* always held */
    TR_EXACT_LAW,      /* of a coordinate with features */
    TR_EXACT_RUBBED    /* of a block whose length is bounded */
} trn_exact_row_kind;

/* rows of a block whose length is bounded, at most */
#define TR_EXACT_RUBBED_MOST 3

/* Where a joint's rows come from. */
typedef enum trn_exact_source {
    TR_EXACT_BY_POINT = 1, /* those of a point, for all lanes at once */
    TR_EXACT_BY_TURN, /* these, and those of rotation that the dimension knows (trn_exact_turns_in_lanes()); or if it
                              does not begin with them one row, of the distance between points */
    TR_EXACT_BY_EQUATIONS /* its type's equations, lane by lane */
} trn_exact_source;

/* A joint's form is 0 if it is not solved in lanes. Otherwise bits: two of its source; three for each of its rows, of the
   kind, and whether it is linear. Those after the last row are 0. */
#define TR_EXACT_FORM_POINT                                                                                            \
    (TR_EXACT_BY_POINT | (4u | TR_EXACT_KEPT) << 2 | (4u | TR_EXACT_KEPT) << 5 |                                       \
     (TRN_AXES > 2 ? (4u | TR_EXACT_KEPT) << 8 : 0u))

static inline trn_exact_source trn_exact_source_of(uint32_t form)
{
    return (trn_exact_source)(form & 3);
}

/* 0: there is none */
static inline uint32_t trn_exact_row_form(uint32_t form, uint32_t row)
{
    return row < TR_EXACT_ROWS_MOST ? form >> (2 + 3 * row) & 3 : 0;
}

/* how many of its rows, the first, are those of a point */
static inline uint32_t trn_exact_points(uint32_t form)
{
    const uint32_t points = (((uint32_t)1 << 3 * TRN_AXES) - 1) << 2;
    const bool has = ((form ^ TR_EXACT_FORM_POINT) & points) == 0;
    return has && trn_exact_source_of(form) != TR_EXACT_BY_EQUATIONS ? TRN_AXES : 0;
}

static inline bool trn_exact_row_is_linear(uint32_t form, uint32_t row)
{
    return (form >> (2 + 3 * row) & 4) != 0;
}

static inline uint32_t trn_exact_width(uint32_t form)
{
    uint32_t count = 0;
    while (trn_exact_row_form(form, count) != 0)
        count++;
    return count;
}

/* Equations as rows in lanes: for each the first that it is of, and of a coordinate those of its features, below 0: none.
   All is in the direction in which the coordinate grows. */
typedef struct trn_exact_group {
    trn_exact_row_kind kind;
    uint32_t first;
    int8_t feature[TR_EXACT_FEATURES];
} trn_exact_group;

/* Whether lanes compute those of its rows of rotation that are not of a point; of a joint that begins with these. */
bool trn_exact_turns_in_lanes(trn_joint_type type, const trn_equations *equations, const trn_exact_group *groups,
                              uint32_t count);

/* The rows in lanes of a joint with these equations, and its form. 0: it is not solved in lanes. */
uint32_t trn_exact_form(trn_joint_type type, const trn_equations *equations, trn_exact_group out[TR_EXACT_ROWS_MOST]);

/* What acts along the coordinate of a row. */
trn_exact_law trn_exact_law_of(const trn_equations *equations, const trn_exact_group *group);

/* What is done with islands that are cut, stage after stage: with each of their pieces, or once with what they share. */
typedef enum trn_exact_phase {
    TR_EXACT_BEGIN, /* once */
    TR_EXACT_READ,
    TR_EXACT_EVALUATE,        /* moves after the kick before, and evaluates rows */
    TR_EXACT_SHARE_STIFFNESS, /* once */
    TR_EXACT_FACTOR,          /* if something is not factored yet */
    TR_EXACT_TRUNK,           /* once */
    TR_EXACT_RELEASE,
    TR_EXACT_WEIGH, /* once, if held rows may gain by curves: how much; if it is too much these three again, at most twice */
    TR_EXACT_PUSH,         /* if they may */
    TR_EXACT_SHARE_CHANGE, /* once */
    TR_EXACT_MOVE,
    TR_EXACT_CHECK, /* once: whether some piece has failed */
    TR_EXACT_WRITE
} trn_exact_phase;

typedef struct trn_exact_work {
    trn_exact_phase phase;
    uint32_t kick, round;
} trn_exact_work;

/* An island that is cut. */
typedef struct trn_exact_divided {
    uint32_t island, first_pack; /* of all that are solved side by side */
    size_t at;                   /* its memory in `pieces` */
    uint64_t shape;              /* the serial of its shape */
    bool asks;                   /* for the stages that come next */
} trn_exact_divided;

typedef struct trn_exact_lanes {
    uint32_t count; /* islands that are solved at once */
    /* what a worker needs for islands of a shape */
    size_t (*bytes)(const trn_exact_shape *shape);
    /* A step of `count` islands of one shape: writes bodies and joints to the tables, and states. Returns as bits which
       have failed; of these nothing has changed, but their states and joints (trn_exact_fill()). `islands`: a part of
       trn_exact's sequence, what comes after which is mostly next. `same`: in the memory is what these lanes left there of
       islands of that shape, maybe in another step. */
    uint32_t (*run)(const trn_exact_step *step, void *memory, const uint32_t *islands, uint32_t count, bool same);
    /* Of an island that is cut: how many packs of pieces side by side it has; the memory that it needs, and how that begins
       (`same`: it is as the step before has left it); one stage of a pack, or of what they share, which says whether the
       island asks for stages that are optional, or in TR_EXACT_CHECK whether it has failed, as above. */
    uint32_t (*packs)(const trn_exact_cut *cut);
    size_t (*cut_bytes)(const trn_exact_cut *cut);
    void (*begin_cut)(const trn_exact_cut *cut, void *memory, bool same);
    bool (*run_pieces)(const trn_exact_step *step, void *memory, uint32_t island, trn_exact_work work, uint32_t pack);
} trn_exact_lanes;

/* Null if it is not built in. */
const trn_exact_lanes *trn_exact_lanes_of(tr_isa isa);

/* Those that solve so many islands of a shape. */
static inline const trn_exact_lanes *trn_exact_lanes_for(const trn_exact *it, const trn_exact_shape *shape,
                                                         uint32_t count)
{
    const bool narrow = count <= it->narrow->count || shape->body_count + shape->joint_count > TR_EXACT_WIDE_NODES;
    return narrow ? it->narrow : it->lanes;
}

#endif
