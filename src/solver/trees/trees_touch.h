/* Contacts of trees: their rows, their solution, and how a solved tree responds to impulses on its nodes. */
#ifndef TR_SOLVER_TREES_TOUCH_H
#define TR_SOLVER_TREES_TOUCH_H

#include "solver/trees/trees_tie.h"

/* greatest number of points of a tree solved together; of more, those with the greatest errors */
#define TR2_TOUCH_POINTS_MOST 32u

/* and of rows: each contact may have one of friction, too, and as far as there is room one of rolling resistance */
#define TR2_TOUCH_ROWS_MOST (2 * TR2_TOUCH_POINTS_MOST)

/* One end of a row: the body, and the impulse (x, y, torque) on it per unit of the row's impulse. */
typedef struct tr2_row_end {
    tr2_trees_node *node; /* null: not in a tree that is solved here */
    uint32_t state;
    double push[3];
    double mass, inertia; /* inverse, of a body in no tree */
} tr2_row_end;

typedef struct tr2_touch_row {
    tr2_row_end end[2];
    const tr2_touch *touch;
    float *impulse, *total; /* total: of points only */
    double wanted, rate;    /* m/s */
    double slip;            /* m/s: rate of the joints' error correction, beyond what the row resists */
    double push;            /* m/s: speed at which an overlap is removed */
    double alone, yields;   /* 1/kg: response of the two bodies alone, and compliance of the row */
    bool inside;            /* between bodies of the same tree */
    double before, change;  /* N s: impulse before, and its change */
    uint32_t rub;           /* of a point: the row of its friction; TR_NONE: it has none */
    double friction;        /* coefficient, of a point that of its friction; or of rolling resistance */
    double rubbed;          /* N s: the point's share of the impulse of friction */
} tr2_touch_row;

/* units/s, or rad/s; tolerance of a row's rate */
#define TR2_NEAR_ENOUGH 1e-4

typedef struct tr2_touch_rows {
    tr2_touch_row row[TR2_TOUCH_ROWS_MOST];
    double now[TR2_TOUCH_ROWS_MOST]; /* m/s: rates with the changes so far */
    /* change of all rates per unit impulse of a row: `stride` numbers for each row */
    double columns[TR2_TOUCH_ROWS_MOST * TR2_TOUCH_ROWS_MOST];
    uint32_t stride;
    double unit;                  /* m, the world's length unit */
    uint32_t points, rubs, count; /* the points come first, then friction, then rolling */
    bool moves;                   /* some row is not satisfied */
} tr2_touch_rows;

static inline double *column_of(tr2_touch_rows *rows, uint32_t row)
{
    return rows->columns + row * rows->stride;
}

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
/* Computes the changes of impulses, and the rates with them. */
void tr2_solve_rows(tr2_touch_rows *rows);

#endif
