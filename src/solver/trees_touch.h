/* Contacts of trees: their rows, and how a solved tree responds to impulses on its nodes. */
#ifndef TR_SOLVER_TREES_TOUCH_H
#define TR_SOLVER_TREES_TOUCH_H

#include "solver/trees_tie.h"

/* greatest number of rows of a tree solved together; of more, those with the greatest errors */
#define TR2_TOUCH_ROWS_MOST 32u

/* One end of a row: the body, and the impulse (x, y, torque) on it per unit of the row's impulse. */
typedef struct tr2_row_end {
    tr2_trees_node *node; /* null: not in a tree that is solved here */
    uint32_t state;
    double push[3];
    double mass, inertia; /* inverse, of a body in no tree */
} tr2_row_end;

typedef struct tr2_touch_row {
    tr2_row_end end[2];
    float *impulse, *total;
    double wanted, rate;   /* m/s */
    double slip;           /* m/s: rate of the joints' error correction, beyond what the row resists */
    double push;           /* m/s: speed at which an overlap is removed */
    double alone, yields;  /* 1/kg: response of the two bodies alone, and compliance of the row */
    bool inside;           /* between bodies of the same tree */
    double before, change; /* N s: impulse before, and its change */
} tr2_touch_row;

typedef struct tr2_touch_rows {
    tr2_touch_row row[TR2_TOUCH_ROWS_MOST];
    double a[TR2_TOUCH_ROWS_MOST][TR2_TOUCH_ROWS_MOST]; /* by columns: change of all rates per unit impulse of a row */
    double now[TR2_TOUCH_ROWS_MOST];                    /* m/s: rates with the changes so far */
    uint32_t count;
    bool moves; /* some row is not satisfied */
} tr2_touch_rows;

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* After contacts have pushed back a closed tree, closes those of its violated limits by position that others were to
   close, with the others at rest; returns whether there are any. */
bool tr2_close_rest(tr2_step *step, tr2_trees_range range);
/* Sets the `answer` of a tree's nodes to 0. */
void tr2_rest_nodes(tr2_trees *trees, tr2_trees_range range);
/* Converts momenta in `answer` to velocity changes, for all nodes of a tree or those marked; with `errors`, also from
   the correction of joint errors. */
void tr2_respond(tr2_trees *trees, tr2_trees_range range, bool all, bool errors);
/* Computes how each row's impulse changes the rates of all. */
void tr2_add_columns(tr2_trees *trees, tr2_touch_rows *rows);

#endif
