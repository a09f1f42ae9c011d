/*
 * Symmetric sparse systems, made of small dense blocks, solved by K = L D L^T in double. Meant for the equations of
 * motion
 *
 *     K = [ M  J^T ]      M positive, E positive or zero,
 *         [ J  -E  ]
 *
 * whose nodes are bodies and joints, with one to TR_SPARSE_SIZE numbers each. Nodes are eliminated in an order that
 * keeps fill low (minimum degree: Amestoy, Davis, Duff 1996). A body's pivots are positive in any order. Those of a
 * joint's rows are negative, unless other rows hold what they hold, if the bodies that are already eliminated can give
 * way to it: so a joint waits until they can (order.h), and no rows need to be exchanged.
 *
 * The result depends on nothing but the input.
 */
#ifndef TR_DYNAMICS_SPARSE_H
#define TR_DYNAMICS_SPARSE_H

#include "base/memory.h"

#define TR_SPARSE_SIZE 30 /* numbers of a node, at most: of a general joint with all features in space */

/* An off-diagonal block, between a body a and a joint b. `opens`: the body by itself can give way to all of the joint's
   rows. */
typedef struct tr_sparse_edge {
    uint32_t a, b;
    bool opens;
} tr_sparse_edge;

/*
 * The structure of a system. Nodes before `body_count` are bodies, the others joints, each with `size` numbers. No two
 * edges are between the same nodes. `grounded`, by node: a joint that acts on what is no body of the system (a row that
 * changes if all its bodies move as one); a body that cannot move in all directions, as one that does not rotate.
 * `early`, by node: bodies that are eliminated before all else, in their order, so that what is left has their joints
 * coupled by J M^-1 J^T; null: none. They must be able to move in all directions. `late`, by node: those that are
 * eliminated only when nothing else can be; null: none. `by_turns`: of those that may be eliminated with the same fill the
 * one is next that could be for longest, so a chain goes from both ends, and what comes next does not wait for the last.
 */
typedef struct tr_sparse_shape {
    uint32_t node_count, body_count;
    const uint8_t *size;
    const bool *grounded;
    const bool *early;
    const tr_sparse_edge *edges;
    uint32_t edge_count;
    const bool *late;
    bool by_turns;
} tr_sparse_shape;

typedef struct tr_sparse tr_sparse;

/* Null if out of memory. */
tr_sparse *tr_sparse_create(tr_memory *memory);
void tr_sparse_destroy(tr_sparse *sparse); /* may be null */

/* Orders a system. TR_ERROR_MEMORY; TR_ERROR_LIMIT: more than 2^31 - 1 numbers or blocks. There is no system then. A
   system can be factored many times, by several threads at once, each with its own factor. */
tr_status tr_sparse_plan(tr_sparse *sparse, const tr_sparse_shape *shape);

/* Where the block of nodes a and b is among a factor's numbers, and whether that of b and a is there instead. */
size_t tr_sparse_place(const tr_sparse *sparse, uint32_t a, uint32_t b, bool *turned);

/* Numbers of a system, and work space; memory is kept for the next system. Null if out of memory. */
typedef struct tr_factor tr_factor;

tr_factor *tr_factor_create(tr_memory *memory);
void tr_factor_destroy(tr_factor *factor); /* may be null */
/* Makes room for a system. False if out of memory. */
bool tr_factor_reserve(tr_factor *factor, const tr_sparse *sparse);
/* Begins the numbers of a system for which there is room: all are 0. */
void tr_factor_begin(tr_factor *factor, const tr_sparse *sparse);
/* A block is size(a) x size(b), row by row; of a diagonal block the lower triangle counts. `at`, `turned`: its place. */
void tr_factor_add(tr_factor *factor, uint32_t a, uint32_t b, const double *block);
void tr_factor_add_at(tr_factor *factor, size_t at, bool turned, uint32_t rows, uint32_t columns, const double *block);

/* Factors in place. A pivot of a joint whose magnitude is not above its `least` (one per number, node by node) is
   left out with its row, as if the unknown were 0. Returns how many were. */
uint32_t tr_factor_make(tr_factor *factor, const double *least);
/* x := K^-1 x, node by node; unknowns left out are 0. */
void tr_factor_solve(const tr_factor *factor, double *x);

/*
 * A factorization as a list of what it does, for those who factor the numbers of several systems side by side. The
 * numbers of a column begin with its own width x width; after them come its blocks, each size x width. When a column is
 * factored, each two of its blocks i >= j change a block of a later column: that at `target`, in the order (0, 0),
 * (1, 0), (1, 1), (2, 0), ...
 *
 * The first columns are those of early bodies, which have no numbers: whoever uses the program knows M^-1, and gives what
 * they change in others by itself.
 */
typedef struct tr_program_column {
    uint32_t start;                /* of its numbers */
    uint32_t node, number;         /* which node; its first unknown, node by node */
    uint32_t first, count, target; /* into the blocks; into the targets */
    uint8_t width;
    bool joint; /* its pivots are negative */
} tr_program_column;

typedef struct tr_program_block {
    uint32_t node, number; /* its first unknown */
    uint8_t size;
} tr_program_block;

typedef struct tr_program {
    tr_program_column *columns;
    tr_program_block *blocks;
    uint32_t *targets;
    uint32_t column_count, value_count, number_count;
    uint32_t early_count; /* columns of early bodies */
    uint32_t
        soon_count;   /* columns before the first of a late node: whoever uses the program may leave out the others */
    uint32_t skipped; /* numbers of these, which tr_sparse_place() counts and the program does not */
    uint32_t rows;    /* of a column, at most */
    void *memory;     /* of all */
    size_t size;
} tr_program;

/* Lists a system's factorization, if it has no more than `most` targets; otherwise there are no columns. `late_only`: all
   columns before the first of a late node are as those of early bodies. False if out of memory. */
bool tr_program_make(tr_program *out, tr_memory *memory, const tr_sparse *sparse, size_t most, bool late_only);
void tr_program_free(tr_program *program, tr_memory *memory);

#endif
