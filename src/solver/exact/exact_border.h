/* Borders of islands that the direct method solves: what exact_border.c does in a step. */
#ifndef TR_SOLVER_EXACT_BORDER_H
#define TR_SOLVER_EXACT_BORDER_H

#include "solver/exact/exact.h"

/* rows of a contact for which it is found how an island gives way: along the normal at each point, and across it */
#define TR_EXACT_GIVES (TRN_CONTACT_POINTS + TRN_AXES - 1)

/* A contact of the border of an island. */
typedef struct trn_exact_meeting {
    uint32_t slot, row, color; /* in the pool, in the table; of the plan */
    uint32_t end, body;        /* which end is of the island, and which of its bodies that is; */
    uint32_t place;            /* the place of that among those of the border */
    uint32_t other; /* the state row of the other body, or TR_NONE if that is left to the sweeps: exact_block.c */
    uint32_t points;
    double along[TRN_CONTACT_POINTS][2][TRN_DEGREES]; /* J of the normals: of the island's body, of the other one */
    double given[TRN_CONTACT_POINTS];                 /* N s, while others bounce: exact_block.c */
    float give[TR_EXACT_GIVES];                       /* 1/kg */
    bool rolls;                                       /* it resists rolling or torsion */
} trn_exact_meeting;

/* A stop of an island, or a contact of its own, which may press in the step, though it is not among the rows that hold in the
   island's response to its border: one more coordinate of that, along which its impulse acts. */
typedef struct trn_exact_border_stop {
    uint32_t joint, nth; /* of the island; which of its rows */
    double w, lambda, e; /* J v + b, N s or N m s, compliance, by all that passes have done so far */
} trn_exact_border_stop;

/* An island with a border, while sweeps solve that (exact_border.c). */
typedef struct trn_exact_border {
    uint32_t island;
    uint32_t unit, next; /* the unit that has all bodies of its border, or TR_NONE; and the next in that */
    bool whole;          /* that has all of it, and is solved by itself */
    trn_exact_worker own;
    trn_exact_row *rows; /* as the step began, while it is found how it gives way */
    uint32_t row_room;
    uint32_t substep, solves; /* in which it is; how many systems had been made before that; */
    bool settled;             /* and whether its rows have settled there */
    double first;             /* s, of the step's first kick */
    /* the contacts of its border, and by how much the island gives way to each of their rows; none if they are too many */
    trn_exact_meeting *meetings;
    uint32_t meeting_count, meeting_room;
    /* by how much it gives way to their normals, as a share of what its bodies would if they were free */
    double yields;
    trn_exact_border_stop stops[TR_EXACT_BORDER_STOPS];
    uint32_t stop_count, stop_room;
    double did, done; /* N s: what this pass has done to its bodies, all of them; and so far in the sub-step */
    double net[TR_EXACT_BORDER_NUMBERS]; /* the same of each coordinate of the border's bodies, with its sign */
    bool any;                            /* this pass has done something to them */
    /* first the velocities of the border's bodies, and of stops, by an impulse of 1 on each of their coordinates */
    double *scratch;
    struct trn_exact_block_row *block; /* exact_block.c: rows, and a matrix */
    double *matrix;
    uint32_t scratch_room, block_room, matrix_room;
} trn_exact_border;

/* Where a contact is in the kernels' blocks: columns of its block, and its lane there. */
typedef struct trn_exact_contact_lane {
    float *columns;
    uint32_t lane;
    bool featured;
} trn_exact_contact_lane;

/* Whether a contact of the border is the first of its body: those of a body follow each other. */
static inline bool trn_exact_begins_body(const trn_exact_border *own, uint32_t meeting)
{
    return meeting == 0 || own->meetings[meeting - 1].place != own->meetings[meeting].place;
}

/* How many coordinates the bodies of the border have. */
static inline uint32_t trn_exact_border_numbers(const trn_exact_border *own)
{
    return own->meeting_count > 0 ? (own->meetings[own->meeting_count - 1].place + 1) * TRN_DEGREES : 0;
}

/* The same with its stops: of the response. */
static inline uint32_t trn_exact_response_numbers(const trn_exact_border *own)
{
    return trn_exact_border_numbers(own) + own->stop_count;
}

/* Memory for borders, false if there is none; before the sweeps; and after them. */
bool trn_exact_reserve_borders(trn_exact *it, const trn_solver *solver, const trn_system *system);
void trn_exact_free_borders(trn_exact *it);
void trn_exact_begin_borders(const trn_step *step, uint32_t workers);
void trn_exact_end_borders(const trn_step *step, uint32_t workers);
/* the share of its inverse mass that the body of a row has in the sweeps, where its island has a border */
float trn_exact_ease(const trn_solver *solver, uint32_t body_row);
/* exact_answer.c: what a pass has done to a body since it was handed over is one more of what changes its velocity without rows:
   whether that is anything, by how much, and its sum over bodies; a body gets the velocity that it is handed, and all its copies;
   stops as the direct method has found them. */
bool trn_exact_take_pass(const trn_step *step, trn_exact_body *body, double *did, double push[TRN_DEGREES]);
void trn_exact_push(trn_exact_body *body, const double push[TRN_DEGREES]);
void trn_exact_hand_to(const trn_step *step, const trn_exact_body *body, bool moves);
void trn_exact_read_stops(const trn_exact_kick *kick, trn_exact_border *own);
void trn_exact_answer(const trn_step *step, trn_exact_border *own, const trn_action *pass);
/* Bodies of the border take up changes of their velocities, which are those of all coordinates of the response, once stops press
   as far as they must. */
void trn_exact_move_border(const trn_step *step, trn_exact_border *own, double *change, bool moves);
/* the copies of a body that is split, of trn_solver.hubs, or TR_NONE */
uint32_t trn_exact_hub_of(const trn_solver *solver, uint32_t row);
/* exact_block.c: memory; which contacts it solves; and these all at once, after a pass */
bool trn_exact_reserve_block(const trn_exact *it, trn_exact_border *own);
void trn_exact_free_block(const trn_exact *it, trn_exact_border *own);
void trn_exact_find_others(const trn_exact_step *step, trn_exact_border *own);
void trn_exact_solve_block(const trn_step *step, trn_exact_border *own, const trn_action *action);
/* exact_give.c: by how much an island gives way to its border as a step begins, with which share of their inverse mass its bodies
   are swept, and contacts as light as that; the last within the step, before the first pass. */
void trn_exact_find_gives(const trn_exact_kick *kick, trn_exact_border *own);
void trn_exact_find_eases(const trn_exact_step *step, const trn_exact_border *own);
void trn_exact_give_way(const trn_step *step, const trn_exact_border *own);
/* false if it is in no block */
bool trn_exact_lane_of(const trn_step *step, const trn_exact_meeting *meeting, trn_exact_contact_lane *out);
/* exact_step.c: the time of an island's first kick in a step, which is half a sub-step but for what is late; a body takes up its
   change of velocity and its correction, and drifts but for a last kick; and one that stays where the step began, at rest. */
double trn_exact_first_time(const trn_exact_step *step, const trn_exact_island *island);
void trn_exact_move_body(const trn_exact_kick *kick, trn_exact_body *body);
void trn_exact_put_back(const trn_exact_kick *kick, trn_exact_body *body);
/* exact_solve.c: the impulses of rows that are held, of the unknowns of a system */
void trn_exact_take_impulses(const trn_exact_kick *kick);

#endif
