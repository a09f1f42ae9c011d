/*
 * The direct method: all rows of an island in one convex problem per sub-step, in double (docs/exact.md).
 *
 * A sub-step of length h begins with a kick: velocities change by the forces of the time `kick`, and by those impulses
 * lambda of the rows that minimise
 *
 *     1/2 |v - v*|^2_M  +  sum over rows l(J v)
 *
 * with the velocities v* without rows. All l are convex. A row's impulse is -(J v + b)/e within [low, high], where e is
 * the compliance of a spring, or one that is next to nothing. Then bodies drift for h. A step begins and ends with a
 * kick of h/2, so that velocities and positions are those of the same time, and errors are of second order.
 *
 * Bodies, joints and rows are stored island after island; arrays are kept from step to step. All memory is reserved
 * before anything of bodies and joints changes.
 */
#ifndef TR_SOLVER_EXACT_H
#define TR_SOLVER_EXACT_H

#include <math.h>

#include "dynamics/sparse.h"
#include "solver/core/solver_internal.h"
#include "solver/exact/exact_numbers.h"
#include TRN_CONTACT_FILE

/* A moving body. */
typedef struct trn_exact_body {
    uint32_t row; /* of the table */
    bool turns;   /* torques rotate it */
    bool pressed; /* some row of its contacts that are eliminated is held */
    bool bad;     /* it has turned non-finite: it stays where it was, and will be in quarantine */
    double mass;
    double inertia[TRN_SPINS][TRN_SPINS],
        inverse[TRN_SPINS][TRN_SPINS];             /* in the world's axes; 0 if it does not turn */
    double stiffness[TRN_SPINS][TRN_SPINS];        /* N m per rad, of the forces on it */
    double stiffness_before[TRN_SPINS][TRN_SPINS]; /* a kick earlier */
    double hung[TRN_DEGREES][TRN_DEGREES];         /* its mass, with what joints hang on it; the lower triangle */
    double turning[TRN_SPINS][TRN_SPINS];          /* inertia against turning as its joints let it */
    double slow[TRN_SPINS][TRN_SPINS], slow_inverse[TRN_SPINS][TRN_SPINS]; /* the inertia, with what h^2 times the
                                                                              stiffness is more than that; likewise */
    double slowness;            /* how much faster it would turn otherwise: 1 if it is not slowed down */
    uint32_t ties;              /* joints that hold a point of it */
    bool stiff;                 /* its own inertia is less than h^2 times its stiffness */
    double gyration[TRN_SPINS]; /* rad/s^2, free of torques */
    double fall[TRN_DEGREES], change[TRN_DEGREES]; /* of the velocity: by what is no row; by all */
    double shift[TRN_DEGREES];                     /* of the position, by the correction of errors */
    /* of an island with a border: its velocity in the sweeps; the change with which it moves, before sweeps relax; its share
       of its inverse mass there; that velocity, as sweeps had it; and its copies there, of trn_solver.hubs, or TR_NONE */
    double swept[TRN_DEGREES], moved[TRN_DEGREES];
    float ease, handed[TRN_DEGREES];
    uint32_t hub;
} trn_exact_body;

/* What a row does now. */
typedef enum trn_exact_state {
    TR_EXACT_HELD, /* its impulse is -(J v + b)/e */
    TR_EXACT_LOW,  /* it is the least, */
    TR_EXACT_HIGH  /* or the greatest */
} trn_exact_state;

typedef struct trn_exact_row {
    double k;           /* J M^-1 J^T */
    double u;           /* J v before the kick */
    double b;           /* m/s or rad/s */
    double bend;        /* of a row that keeps its error, or its gap: the second derivative of that, from velocities */
    double e[TRN_AXES]; /* of its impulse, and those of its block; for a block of one e[0] */
    double low, high;   /* N s, N m s; of a block `high`, of its length */
    double gap;         /* m or rad, of a stop; otherwise infinite */
    double close;       /* m or rad, what is corrected in the positions */
    double speed;       /* m/s or rad/s, of an inertia, before the kick */
    double stiff;       /* N/m, across a length: by the force along it, as this kick has found it, */
    double stiff_now;   /* and what of it counts */
    double lambda, force;  /* of this kick; of the last one per time, N or N m */
    double total[2];       /* sums of lambda: in the first half of the step's sub-steps, in the second */
    double w, dw;          /* J v + b at the present velocities, and its change along a direction */
    double soften;         /* of a block at its bound: factor of its compliance; */
    double along;          /* in Newton's method: of the unit vector along which it slides; otherwise 0 */
    double length;         /* by which the joint's impulse is more than the row's */
    trn_exact_state state; /* kept from kick to kick */
    uint8_t at, block;     /* place in its block; of the first row, their number */
    bool off;              /* moves nothing, or is idle: it is in no system */
    bool linear;
    bool bounded;  /* its block has a greatest length */
    bool curved;   /* `bend` counts; */
    bool keeps;    /* its error, always */
    bool inert;    /* of an inertia */
    bool across;   /* across a length */
    int8_t column; /* of the joint's impulses; below 0: none */
} trn_exact_row;

/* A contact, as the step begins. */
typedef struct trn_exact_contact {
    trn_dvec normal, arm_a, arm_b, further[TRN_CONTACT_POINTS]; /* as in its columns; from the first point to each */
    double friction, restitution, rolling, torsion;             /* the last in space */
    double surface[TRN_AXES - 1];                               /* m/s, along the directions of its friction */
    double begun[TRN_CONTACT_POINTS], approach[TRN_CONTACT_POINTS]; /* m, m/s: separations, and their rates */
    double load[TRN_CONTACT_POINTS];                                /* N, before its friction was set free */
    uint32_t points;
    bool freed;
    bool follows;                   /* in this kick it is that which was found where its bodies are: */
    bool there[TRN_CONTACT_POINTS]; /* points that were found, */
    double gap[TRN_CONTACT_POINTS]; /* m, and their separations */
} trn_exact_contact;

/* What acts along a coordinate. */
typedef enum trn_exact_feature {
    TR_EXACT_SPRING,
    TR_EXACT_FRICTION,
    TR_EXACT_MOTOR,
    TR_EXACT_LOWER,
    TR_EXACT_UPPER,
    TR_EXACT_RIGID, /* holds its value */
    TR_EXACT_FEATURES
} trn_exact_feature;

/* All that does, in the direction in which the coordinate grows. */
typedef struct trn_exact_law {
    double value;                                             /* of the coordinate as it was when this was read */
    double least[TR_EXACT_FEATURES], most[TR_EXACT_FEATURES]; /* N, N m */
    double offset[TR_EXACT_FEATURES]; /* of its value from the coordinate's; of a motor the speed */
    tr_softness softness;             /* of the spring */
    int8_t column[TR_EXACT_FEATURES]; /* of the joint's impulses; below 0: none */
    uint8_t there;                    /* as bits */
} trn_exact_law;

/* rows of a joint in lanes, and coordinates with features among those that they compute by themselves, at most */
#define TR_EXACT_ROWS_MOST 10u
#define TR_EXACT_TURN_LAWS (TRN_SPINS == 1 ? 1u : 2u)

typedef struct trn_exact_joint {
    trn_joint_type type;
    uint32_t row, slot;                   /* of its table, in the pool */
    uint32_t end[TR_ENDS];                /* rows of the table of bodies; TR_NONE: the world */
    uint32_t body[TR_ENDS], body_count;   /* moving ones, each once: into `bodies` */
    uint8_t at[TR_ENDS];                  /* which of them an end is; TR_ENDS: none */
    uint32_t form;                        /* how it is solved in lanes (exact_lanes.h) */
    uint32_t first_row, row_count, block; /* into `rows`, `jacobian`: rows of the first body, of the second, ... */
    double turn;                          /* whole turns of its angle: trn_joint_pose_of() */
    int8_t place;                         /* the column that holds its angle; below 0: none */
    double angle;                         /* what goes there */
    double last[3];                       /* rad, of a type that winds: the angles in its first columns of places */
    trn_joint_def def;
    trn_exact_contact contact;
} trn_exact_joint;

/* What lanes know of rows that they compute by themselves beside a point's: coordinates, of which `value` is what they have
   beside what the poses of the bodies say; the columns of impulses of all. By itself, as joints are large. */
typedef struct trn_exact_turn {
    trn_exact_law law[TR_EXACT_TURN_LAWS];
    int8_t column[TR_EXACT_ROWS_MOST];
} trn_exact_turn;

/* What islands in lanes need of each joint: few bytes, because joints are too many and too large for the caches. */
typedef struct trn_exact_pin {
    trn_joint_type type;
    uint32_t row, slot, form;
    uint32_t end[2];  /* rows of the table of bodies */
    uint32_t body[2]; /* of the island; TR_NONE: that end does not move */
} trn_exact_pin;

/* A contact of a body that moves with what does not move by impulses. It adds to the body's block of the system and needs
   no node, so that structures stay while such contacts come and go. */
typedef struct trn_exact_touch {
    uint32_t row, slot, end[2]; /* rows of the tables of contacts, of bodies */
    uint32_t own;               /* which end moves */
    uint32_t body, nth;         /* of the island; which of its body */
} trn_exact_touch;

/* rows of such a contact, at most: along the normal, of friction, of rotation */
#define TR_EXACT_TOUCH_RUBS  (TRN_SPINS == 1 ? 1u : 2u * TRN_CONTACT_POINTS)
#define TR_EXACT_TOUCH_TURNS (TRN_SPINS == 1 ? 1u : 3u)
#define TR_EXACT_TOUCH_ROWS  (TRN_CONTACT_POINTS + TR_EXACT_TOUCH_RUBS + TR_EXACT_TOUCH_TURNS)

/* A joint before joints are sorted. */
typedef struct trn_exact_listed {
    trn_joint_type type;
    uint32_t row, slot, end[TR_ENDS];
} trn_exact_listed;

/* A piece of an island that is cut, in a lane: as an island of its shape. */
typedef struct trn_exact_piece {
    uint32_t shape;                   /* among the cut's */
    uint32_t first_body, first_joint; /* in the cut's lists, as many as the shape has: bodies at which it is cut last */
    uint32_t first_late, first_target;
} trn_exact_piece;

/*
 * How a great island is cut at bodies into pieces, so that equal pieces are solved side by side. A joint is in one piece, a
 * body at which it is cut in each of its pieces. Each piece eliminates what it can; what is left of all, these bodies and
 * the joints that must wait for them, is the trunk, which is solved when all pieces have added to it.
 */
typedef struct trn_exact_cut {
    struct trn_exact_shape *shapes;
    trn_exact_piece *pieces; /* in the order of shapes */
    uint32_t shape_count, piece_count;
    uint32_t body_count, joint_count; /* in the trunk */
    uint32_t *bodies, *joints;        /* of the island, piece after piece */
    uint32_t (*ends)[2];              /* of these joints: bodies of the piece; TR_NONE: it does not move */
    uint32_t *late;        /* of each column of late nodes: which node of the trunk it is; bodies come first */
    uint32_t *target;      /* of each block of these columns, the own one first: its place in the trunk, doubled, and
                                  whether it is turned */
    uint32_t *owner, *own; /* of the trunk's bodies: the first piece that has it; the place of their block */
    uint32_t *number;      /* of the trunk's nodes: the first unknown */
    uint32_t shape_capacity, piece_capacity, list_body_capacity, list_joint_capacity, end_capacity, late_capacity,
        target_capacity;
    uint32_t trunk_capacity[3];
    tr_sparse *sparse;
    tr_program program; /* of the trunk */
} trn_exact_cut;

/* The structure of some islands: equal ones share it. */
typedef struct trn_exact_shape {
    uint64_t hash;
    void *key;
    size_t key_size;
    uint32_t numbers; /* of the system */
    tr_sparse *sparse;
    size_t *place; /* of the blocks of bodies, joints, edges in the factor */
    bool *turned;  /* edges */
    uint32_t place_count;
    uint32_t body_count, joint_count, fixed_count; /* ends of joints that do not move, of joints between two bodies */
    uint32_t lane_rows, laws, rubs;                /* of its joints in lanes */
    uint32_t *touches;                             /* of each body at most, of all islands in lanes in this step; */
    uint32_t touched, touch_count;                 /* bodies that have some, and the sum */
    tr_program program;                            /* without columns if islands of this shape are solved one by one */
    trn_exact_cut *cut;                            /* of a great island in lanes; null: it is solved as a whole */
    uint32_t cut_count;                            /* of a piece: bodies at which it was cut, its last ones */
    uint64_t used, serial;                         /* by which step; of all shapes that were made */
    uint32_t next;                                 /* scratch: in the sequence of islands */
} trn_exact_shape;

typedef struct trn_exact_island {
    uint32_t first_body, body_count, first_joint, joint_count, first_row, row_count, first_block;
    uint32_t node_count; /* of the joints, the first, that are nodes of the system: the others are its touches, */
    uint32_t first_touch, touch_count; /* which are among the joints unless it is plain */
    uint32_t shape;                    /* TR_NONE: it has no joints */
    uint32_t lane_shape;               /* the same of what is solved in lanes */
    /* solved in lanes: of bodies only rows and whether they turn are filled, of joints ends and form: exact_read.c */
    bool plain;
    uint32_t solves, most, unsettled; /* in the step */
} trn_exact_island;

/* What a worker needs. */
typedef struct trn_exact_worker {
    tr_factor *factor;
    double *x; /* [2 numbers]: unknowns; the least pivots of the factor */
    uint32_t room;
    void *lanes; /* of islands side by side */
    size_t lanes_size;
    const struct trn_exact_lanes *lanes_of; /* those that used it last; null: none did */
    uint64_t lanes_shape;                   /* for islands of the shape with this serial */
    bool stopped;                           /* it has stopped a body in this step */
    bool mirrored;                          /* held rows do less work in this kick: trn_exact_mirrors() */
    double bent, compliance; /* more of the curves of bodies than rows had at first; share of held rows, in this kick */
    bool factored;           /* the factor is that of rows as they are */
} trn_exact_worker;

typedef struct trn_exact_chunk {
    uint32_t first, count; /* islands, in the order of `sequence` */
} trn_exact_chunk;

struct trn_exact {
    tr_memory *memory;
    trn_body_state *state, *begun; /* of each row of the table of bodies: now, as the step began */
    uint32_t *moving;              /* of each row: into `bodies`, or TR_NONE */
    uint32_t *movers;              /* rows of which it is not, ascending */
    uint32_t *parent;              /* disjoint sets of rows; then the island of each */
    uint32_t state_count;          /* rows whose states are there */
    bool mixed;                    /* only bodies and joints that are marked for the step: exact_choose.h; */
    const trn_chosen *chosen;      /* their lists; otherwise null */
    uint32_t mover_count, mover_capacity;
    uint32_t body_rows, state_capacity, begun_capacity, moving_capacity, parent_capacity;
    trn_exact_body *bodies;
    uint32_t *body_row; /* of each of these */
    trn_exact_joint *joints;
    trn_exact_pin *pins;   /* of each of these, if its island is plain; */
    trn_exact_turn *turns; /* and of those that have one */
    trn_exact_row *rows;
    double (*jacobian)[TRN_DEGREES];
    trn_exact_island *islands;
    trn_exact_chunk *chunks;
    uint32_t *sequence; /* islands: those that are solved in lanes by their shapes, then the others */
    uint32_t sequence_capacity;
    const struct trn_exact_lanes *lanes, *narrow; /* of the instruction set; for one or two islands */
    trn_exact_listed *order;                      /* joints before they are sorted by islands */
    trn_exact_touch *touches, *touch_order;       /* touches by islands; as they are listed */
    uint32_t *touched;                            /* of each moving body, how many */
    uint32_t *rests; /* rows of bodies that do not move, at the ends of listed joints of a mixed world */
    uint32_t touch_count, touch_capacity, touch_order_capacity, touched_capacity, rest_count, rest_capacity;
    /* of each worker, for a plain island that leaves the lanes: where the first is, and how many */
    uint32_t spare_joint, spare_joints, spare_row, spare_rows, spare_block, spare_blocks;
    bool kept;            /* the order of bodies and joints is that of the step before, if these are the same */
    uint64_t plain_types; /* as bits: of which all joints only hold points together */
    /* the version of the plan of which all joints were listed, if it is known; how many of each type; and the types, as
       bits, of which nothing but the plan says which joints act, and between what */
    uint64_t plan_version, bare_types, list_number; /* list_number: trn_chosen.list_number, of a mixed world */
    bool plan_known;
    uint32_t listed[TR_TABLE_COUNT];
    uint8_t *kind; /* of each row of the table of bodies: exact_list.c */
    uint32_t kind_capacity;
    uint32_t contact_count; /* among the joints */
    uint32_t body_row_capacity, pin_capacity, turn_capacity;
    uint32_t body_count, body_capacity, joint_count, joint_capacity, row_count, row_capacity, block_count,
        block_capacity, island_count, island_capacity, chunk_count, chunk_capacity, order_capacity;
    trn_exact_shape *shapes;
    uint32_t shape_count, shape_capacity, last_shape; /* that of the island before, or any */
    unsigned char *key;
    uint32_t key_capacity;
    trn_exact_worker *workers;
    uint32_t worker_count;
    struct trn_exact_border *borders; /* exact_border.h */
    /* of each unit of the plan, or TR_NONE; whether a border is there of an island that is not all in one unit */
    uint32_t *first_border;
    uint8_t *near_border, more[TR_RESPONSE_CHUNKS]; /* some island asks for another pass, by chunks of islands */
    uint32_t border_count, border_capacity, unit_capacity, near_capacity, divided_borders;
    struct trn_exact_divided *divided; /* islands that are cut: lanes/exact_lanes.h; */
    unsigned char *pieces;             /* memory of these, for all workers */
    size_t pieces_size;
    const struct trn_exact_lanes *pieces_of; /* those that used it in the last step; null: that has no pieces */
    bool pieces_kept, to_and_fro; /* of the same islands, in the same places; stages change their direction */
    uint64_t shape_serial;        /* shapes that were made */
    tr_pipeline_stage *stages;
    struct trn_exact_work *works; /* and of their stages */
    uint32_t divided_count, divided_capacity, pack_count, stage_count, stage_capacity, work_capacity;
    uint64_t steps;
    trn_motion *motions; /* of each row of the table of bodies, in the plane; */
    bool follows;        /* in this step, in which somebody asks for them */
    uint32_t motion_capacity;
    unsigned char *cells; /* columns of definitions, as they were when joints were read: exact_cells.c */
    uint32_t cells_capacity, cells_size;
    trn_joint_def preset[TR_TABLE_COUNT]; /* of each type */
    trn_mask fields_held[TR_TABLE_COUNT]; /* likewise: fields that have a column */
};

/* What a step hands to its workers. */
typedef struct trn_exact_step {
    trn_exact *exact;
    trn_solver *solver;
    trn_system *system;
    double h, unit;
    uint32_t substeps;
} trn_exact_step;

/* A kick of an island. */
typedef struct trn_exact_kick {
    const trn_exact_step *step;
    trn_exact_worker *worker;
    trn_exact_island *island;
    const trn_exact_shape *shape;
    double h, time;   /* s: of the sub-step; of the kick */
    double elapsed;   /* s, since the step began */
    double counts;    /* how much of its impulses is in sums over the step: not what makes up for a late velocity */
    bool last, early; /* bodies do not move after it; it is in the first half of the step */
    bool untouched;   /* no contact acts on the island, nor what sweeps have solved */
} trn_exact_kick;

/* Whether contacts of a row's body follow it: not if its island has a border, whose forces are of contacts that do not. */
static inline bool trn_exact_follows(const trn_system *system, uint32_t body_row)
{
    return system->find_contact != NULL && (system->bodies->flags[body_row] & TR_BODY_BORDERED) == 0;
}

/* exact_step.c */
tr_status trn_exact_create(tr_memory *memory, trn_exact **out);
void trn_exact_destroy(trn_exact *it); /* may be null */
/* All of a step that can fail: TR_ERROR_MEMORY, TR_ERROR_LIMIT; and all else of it. */
tr_status trn_exact_reserve(trn_exact *it, const trn_solver *solver, trn_system *system, uint32_t substeps, bool mixed);
void trn_exact_run(trn_exact *it, trn_solver *solver, trn_system *system, double dt, uint32_t substeps,
                   uint32_t workers, tr_pipeline_report *pipeline);
/* The plan may be another one, though its version is the same. */
void trn_exact_forget_plan(trn_exact *it);
uint32_t trn_exact_joint_count(const trn_exact *it); /* of the last step */
/* A step of a plain island that has failed in lanes, by itself. */
void trn_exact_run_alone(const trn_exact_step *step, uint32_t worker, uint32_t island);
/* Whether an island is solved in pieces. One that touches what does not move is not. */
static inline bool trn_exact_is_cut(const trn_exact *it, const trn_exact_island *island)
{
    return island->plain && island->touch_count == 0 && it->shapes[island->lane_shape].cut != NULL;
}
/* exact_pieces.c: memory for islands that are cut, false if there is none; and the stages in which they are solved. */
bool trn_exact_reserve_pieces(trn_exact *it, uint32_t substeps, uint32_t threads);
void trn_exact_add_stages(trn_exact *it, uint32_t substeps);
/* Whether the last step of a world of sweeps moved a row's body. */
static inline bool trn_exact_moved(const trn_exact *it, uint32_t body_row)
{
    return it->mixed && body_row < it->body_rows && it->moving[body_row] != TR_NONE;
}
static inline bool trn_solver_moves_directly(const trn_solver *solver, uint32_t body_row)
{
    return solver->direct || (solver->mixed && trn_exact_moved(solver->exact, body_row));
}
/* How rows' bodies move in this step, or have moved in the last one. Null: nobody asks. */
static inline trn_motion *trn_exact_motions(const trn_exact *it)
{
    return it->follows ? it->motions : NULL;
}

/* exact_list.c: what the order of bodies and joints depends on, of a body */
enum { TR_EXACT_MOVES = 1, TR_EXACT_TURNS = 2, TR_EXACT_DRIVEN = 4, TR_EXACT_BORDERED = 8, TR_EXACT_LATE = 16 };
static inline bool trn_exact_has_border(const trn_exact *it, const trn_exact_island *island)
{
    return (it->kind[it->bodies[island->first_body].row] & TR_EXACT_BORDERED) != 0;
}
/* Reads the states of bodies, and lists those that move and the joints that act. `kept`: as in the step before. False if
   out of memory. */
bool trn_exact_list(trn_exact *it, const trn_system *system);
/* each body that moves is an island */
void trn_exact_part_bodies(trn_exact *it);
/* The first end that moves, whose island is the joint's. */
uint32_t trn_exact_first_moving(const trn_exact *it, const uint32_t end[TR_ENDS]);
/* Islands, and their bodies, in order. */
void trn_exact_part_islands(trn_exact *it);
/* Sorts touches by islands, when bodies are. False if out of memory. */
bool trn_exact_sort_touches(trn_exact *it);
/* How many the bodies of each shape have at most, when islands have their shapes. */
void trn_exact_count_touches(trn_exact *it);
/* Whether all touches are of plain islands. */
bool trn_exact_touches_are_plain(const trn_exact *it);
/* exact_read.c: bodies, joints, islands, and memory for all. TR_ERROR_MEMORY, TR_ERROR_LIMIT: nothing of the world has
   changed. */
tr_status trn_exact_read(trn_exact *it, const trn_system *system, double inv_h, uint32_t workers);
/* All of a plain island: its bodies, joints and rows as those of other ones, in the state in which the step began; where it
   has its joints there is room for touches after them. */
void trn_exact_fill(trn_exact *it, const trn_system *system, trn_exact_island *island, double inv_h);
/* The same in the worker's own room, with copies of the joints. */
void trn_exact_copy(trn_exact *it, const trn_system *system, uint32_t worker, trn_exact_island *island, double inv_h);
/* exact_cells.c: whether all definitions and turns of types that are not plain are those that were kept; and keeps
   them. False if out of memory. */
bool trn_exact_cells_are_same(const trn_exact *it, const trn_system *system);
bool trn_exact_keep_cells(trn_exact *it, const trn_system *system);
/* exact_lanes.c: the order in which islands are solved, and memory for islands side by side. False if out of memory. */
bool trn_exact_sort_islands(trn_exact *it);
bool trn_exact_reserve_lanes(trn_exact *it, trn_exact_worker *worker);
/* exact_shape.c: finds or makes the shape of an island, or of what is solved in lanes. */
tr_status trn_exact_shape_of(trn_exact *it, const trn_exact_island *island, bool lanes, uint32_t *out);
void trn_exact_forget_shapes(trn_exact *it, bool all);
/* Keys of shapes are the numbers of bodies and joints, then a word for each body and for each joint: bits of the body, and of
   the joint's rows, number of bodies and what else is there. After a joint's word come its bodies and its form. */
#define TR_EXACT_KEY_TURNS         1u
#define TR_EXACT_KEY_CUT           2u /* of a piece */
#define TR_EXACT_KEY_ROWS(joint)   ((joint)&255)
#define TR_EXACT_KEY_BODIES(joint) ((joint) >> 8 & 255)
#define TR_EXACT_KEY_GROUNDED      (1u << 16)
#define TR_EXACT_KEY_FIXED         (1u << 17) /* its first end */
#define TR_EXACT_KEY_FORMED        (1u << 18) /* its form comes after its bodies */
/* the joint after one */
static inline const uint32_t *trn_exact_key_next(const uint32_t *joint)
{
    return joint + 1 + TR_EXACT_KEY_BODIES(joint[0]) + ((joint[0] & TR_EXACT_KEY_FORMED) != 0 ? 1 : 0);
}
/* Orders the system of a key with so many edges. `late`, by node: as in tr_sparse_shape; null: none. */
tr_status trn_exact_plan(trn_exact *it, tr_sparse *sparse, const uint32_t *key, uint32_t edge_count, const bool *late);
/* Makes the shape of a key of so many bytes. `edges`: bodies of all its joints. */
tr_status trn_exact_shape_make(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, size_t key_size,
                               uint32_t edges);
void trn_exact_shape_free(trn_exact *it, trn_exact_shape *shape);
/* exact_cut.c: cuts what is solved in lanes, if there are enough equal pieces. False if out of memory. */
tr_status trn_exact_cut_make(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, uint32_t edges);
void trn_exact_cut_free(trn_exact *it, trn_exact_cut *cut);
/* exact_rows.c: the rows of an island at its present state; and out := M^-1 in, with slowed inertia. */
void trn_exact_evaluate(const trn_exact_kick *kick);
/* Of the rows only those that are held whatever their impulses are, and stops and contacts that press, before the first
   kick of a step; with full inertias. */
void trn_exact_evaluate_held(const trn_exact_kick *kick);
void trn_exact_respond(const trn_exact_body *body, const double in[TRN_DEGREES], double out[TRN_DEGREES]);
/* exact_slow.c: slows down what is turned back too fast, when all rows are evaluated. */
void trn_exact_slow_down(const trn_exact_kick *kick);
/* exact_step.c: a body's inertia where it is, and the change of its velocity by what is no row. What would turn non-finite
   by itself is stopped before it meets others. */
void trn_exact_begin_body(const trn_exact_kick *kick, trn_exact_body *body);
/* exact_curves.c: what a joint's rates change by as its bodies move, in half of the sub-step: bodies that are slowed down
   much, or turn far, do not move along their curves. What changes in all rows if bodies take more of their curves, by this
   part. Of the impulses and changes that were found: what held rows gain by curves, J, if it is too much, else 0; and what
   they lose. */
void trn_exact_bend_joint(const trn_exact_kick *kick, const trn_exact_joint *joint);
void trn_exact_bend(const trn_exact_kick *kick, double more);
bool trn_exact_is_untouched(const trn_exact *it, const trn_exact_island *island);
bool trn_exact_mirrors(const trn_exact_kick *kick);
double trn_exact_gain(const trn_exact_kick *kick);
double trn_exact_loss(const trn_exact_kick *kick);
/* exact_solve.c: the impulses, with changes of velocities and corrections of positions. */
void trn_exact_solve(const trn_exact_kick *kick);
/* The first part of that: impulses and changes of velocities, which may be found again in a kick. Whether rows have settled. */
bool trn_exact_find(const trn_exact_kick *kick);
/* The rest, once: corrections, and forces and sums of impulses. `before`: how many systems had been made before the kick. */
void trn_exact_settle(const trn_exact_kick *kick, bool settled, uint32_t before);
/* The system of the rows that are held now. */
void trn_exact_factor(const trn_exact_kick *kick);

/* exact_contact.c: a contact of which type, row and ends are there; what it is in a kick, and its equations; what the last
   kick changes in its rows; and what is in its columns beside impulses. */
/* After a body has turned by TR_EXACT_FOLLOWS in the step, it is found where both are. */
void trn_exact_contact_follow(const trn_exact_kick *kick, trn_exact_joint *joint);
void trn_exact_contact_read(const trn_exact *it, const trn_joints *contacts, trn_exact_joint *joint);
void trn_exact_contact_equations(const trn_exact *it, const trn_exact_joint *joint, const trn_body_state *const body[2],
                                 trn_equations *out);
/* After the impulses were found: sets friction free that was bounded by far less than what now presses. Whether it was. */
bool trn_exact_contact_free(const trn_exact_kick *kick, trn_exact_joint *joint);
/* Binds it again, by what pressed then, if it holds with no more than that allows; else between that and what had pressed
   before: where friction is what it then allows, if what presses changes in proportion with friction. */
void trn_exact_contact_bind(const trn_exact_kick *kick, const trn_exact_joint *joint);
void trn_exact_contact_end(const trn_exact_kick *kick, const trn_exact_joint *joint);
void trn_exact_contact_write(const trn_exact_step *step, const trn_exact_joint *joint);
/* What is held of contacts with what does not move is eliminated: J^T J/e of it is added to the blocks of bodies in the
   factor; J^T of the impulses at no change to the right-hand side, with `shift` of the correction; and impulses are found
   when the unknowns are. */
void trn_exact_factor_touches(const trn_exact_kick *kick);
void trn_exact_pull_touches(const trn_exact_kick *kick, bool shift);
void trn_exact_take_touches(const trn_exact_kick *kick);
/* A row of a contact along n at a point with these arms. */
trn_equation trn_exact_contact_along(trn_dvec n, trn_dvec arm_a, trn_dvec arm_b, const trn_body_state *const body[2]);

/* The present states of a joint's bodies; `elapsed`: since the step began, for kinematic ones, which are `moved`. */
void trn_exact_bodies_of(const trn_exact *it, const trn_system *system, const trn_exact_joint *joint, double elapsed,
                         trn_body_state moved[TR_ENDS], const trn_body_state *body[TR_ENDS]);

/* The equations of a joint at these. */
void trn_exact_equations(const trn_exact *it, const trn_system *system, const trn_exact_joint *joint, double elapsed,
                         trn_joint_pose *pose, trn_equations *out);

/* Takes up what a joint's type goes on from at the pose that its equations were of; reads that from its columns, and writes it
   to them. */
void trn_exact_follow(trn_exact_joint *joint, trn_joint_pose *pose);
void trn_exact_read_places(const trn_system *system, trn_exact_joint *joint);
void trn_exact_write_places(const trn_exact_joint *joint, const trn_joints *joints);

/* Whether a row is none of a spring. */
static inline bool trn_exact_is_rigid(const trn_equation *from)
{
    switch (from->kind) {
    case TR_EQUATION_MOTOR:
        return !from->placed;
    case TR_EQUATION_SPRING:
        return false;
    case TR_EQUATION_ROW:
        return from->softness.kind == TR_RIGID || (from->softness.kind == TR_RAW && !(from->softness.a > 0.0f));
    default:
        return true;
    }
}

static inline bool trn_exact_is_held(const trn_exact_row *row)
{
    return !row->off && row->state == TR_EXACT_HELD;
}

/* The compliance of a row to another of its block. What slides along n in Newton's method has the greatest impulse against n,
   which changes across n only, by that over the rate. */
static inline double trn_exact_compliance(const trn_exact_row *row, uint32_t other)
{
    const trn_exact_row *first = row - row->at;
    if (row->along == 0.0)
        return row->e[other] * row->soften;
    return (row->e[other] + (TR_EXACT_ALONG - 1.0) * first->e[0] * row->along * first[other].along) * row->soften;
}

/* Whether a row is the first of a block that slides so. */
static inline bool trn_exact_slides(const trn_exact_row *row)
{
    double any = 0.0;
    for (uint32_t i = 0; row->bounded && row->at == 0 && i < row->block; i++)
        any += fabs(row[i].along);
    return any > 0.0;
}

/* Of a joint's impulse what its column gets. */
static inline float trn_exact_impulse(double impulse)
{
    return fabs(impulse) <= (double)TR_SANE_IMPULSE ? (float)impulse : 0.0f;
}

static inline bool trn_exact_is_watched(const trn_watched *watched, uint32_t slot)
{
    return watched->count > 0 && slot / 64 < watched->word_count && (watched->bits[slot / 64] >> slot % 64 & 1) != 0;
}

static inline const double (*trn_exact_jacobian(const trn_exact *it, const trn_exact_joint *joint,
                                                uint32_t body))[TRN_DEGREES]
{
    return (const double(*)[TRN_DEGREES])(it->jacobian + joint->block + (size_t)body * joint->row_count);
}

/*
 * What a dimension supplies: exact_bodies.c of solver/plane and solver/space
 */

/* The state of a row with what its columns of TRN_BODY_LOW add, and back, where they must be. `known`: it is there as it was
   once, which may save some work. In the plane `motions` get how far the row moves, of rows; null: nobody asks. */
void trn_exact_state_read(const trn_bodies *bodies, uint32_t row, bool known, trn_body_state *state);
void trn_exact_state_write(trn_bodies *bodies, uint32_t row, const trn_body_state *state, trn_motion *motions);
/* Velocity as numbers. */
void trn_exact_velocity(const trn_body_state *state, double out[TRN_DEGREES]);
void trn_exact_set_velocity(trn_body_state *state, const double v[TRN_DEGREES]);
void trn_exact_set_center(trn_body_state *state, const double center[TRN_AXES]);
void trn_exact_center(const trn_body_state *state, double out[TRN_AXES]);
/* Inertia and its inverse at this state, and the free angular acceleration. */
void trn_exact_inertia(const trn_bodies *bodies, const trn_body_state *state, trn_exact_body *body);
/* Sets the bounds of a row's impulse, from those of its force. */
void trn_exact_set_bounds(const trn_exact_kick *kick, trn_exact_row *row, double least, double most);
/* Adds what a force at an arm gives to the stiffness. */
void trn_exact_stiffen(trn_exact_body *body, trn_dvec arm, trn_dvec force);
/* Slows a body down, if h^2 times its stiffness is more than its inertia against turning; `most`: that h^2. */
void trn_exact_slow(trn_exact_body *body, double most);
/* Where bodies and axes are as in the definition, and anchors at one point: coordinates are 0, but in the plane for whole turns. */
void trn_exact_rest(const trn_joint_def *def, double turn, trn_joint_pose *out);
/* Moves a body for a time; `free`: it rotates freely, otherwise its angular velocity stays. Then by a shift. */
void trn_exact_drift(const trn_bodies *bodies, uint32_t row, trn_body_state *state, double h, bool free);
void trn_exact_shift(trn_body_state *state, const double shift[TRN_DEGREES]);
/* What a contact's columns say, of which the row is there; the impulse of a point along the normal; the rotation from one
   state to another as a vector; and the rows of a contact that are not along the normal, appended. `load`: of each
   point, N. */
void trn_exact_contact_columns(const trn_joints *contacts, uint32_t row, trn_exact_contact *out);
#if TRN_HAS_SHAPES
/* Puts what was found into a contact; `apart`: from A's centre of mass to B's. */
void trn_exact_contact_found(trn_exact_contact *contact, const trn_found_contact *found, trn_dvec apart);
#endif
int trn_exact_contact_impulse(uint32_t point);
trn_dspin trn_exact_turned(const trn_body_state *from, const trn_body_state *to);
void trn_exact_contact_rub(const trn_exact_contact *contact, const trn_body_state *const body[2], const double *load,
                           trn_equations *out);
bool trn_exact_is_sane(const trn_body_state *state, double h, double unit);

#endif
