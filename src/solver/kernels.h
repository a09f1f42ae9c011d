/*
 * The kernel interface: what the step calls and each instruction set provides. Blocks hold 16 joints of one kernel,
 * column by column, and are the same on every instruction set; so are their bits.
 *
 * State rows stand for bodies during a step: the moving ones, then copies of split ones, then the null row, then the
 * fixed ones. Kernels write only the rows below moving_end.
 */
#ifndef TR_SOLVER_KERNELS_H
#define TR_SOLVER_KERNELS_H

#include "solver/system.h"

/* Beyond these a body counts as non-finite: m/s, a third of the speed of light; rad in one step, wf_sincos's range. */
#define TR2_SANE_SPEED 1e8f
#define TR2_SANE_TURN  4096.0f
/* Beyond this an impulse is dropped, N s or N m s. */
#define TR2_SANE_IMPULSE 1e30f

/* One body at the beginning of a step, in two records of 16 bytes: all that preparing most joints looks at. */
typedef struct tr2_body_frame {
    float c, s, inverse_mass, inverse_inertia; /* as this row sees it: a copy has its share of the mass */
} tr2_body_frame;

typedef struct tr2_body_place {
    double x, y; /* centre of mass, m */
} tr2_body_place;

/* One body during a step, in two records of four floats that are loaded and transposed together. */
typedef struct tr2_body_velocity {
    float x, y, w; /* m/s, rad/s */
    float angle;   /* rad, turned since the step began */
} tr2_body_velocity;

typedef struct tr2_body_pose {
    float x, y; /* m, moved since the step began */
    float c, s; /* cosine and sine of tr2_body_velocity.angle */
} tr2_body_pose;

/* How a row is held, from a frequency, a damping ratio and the length of a sub-step (docs/solver.md). */
typedef struct tr2_soft {
    float bias_rate, mass_scale, impulse_scale;
} tr2_soft;

/* What is known of a state row in a step. */
#define TR2_MARK_BAD   1u /* its velocity was not finite, or absurd */
#define TR2_MARK_FALLS 2u /* gravity moves it */
#define TR2_MARK_TILE  4u /* first of 16 that prepare_bodies() has prepared */
#define TR2_MARK_STIFF 8u /* it turns more slowly than its inertia says: stiffness.c */

typedef struct tr2_kernel_context {
    float h, inv_h;       /* s, 1/s: of a sub-step */
    tr2_soft rigid;       /* of rows that are to be rigid */
    tr2_soft contact;     /* of contacts that overlap */
    tr2_soft ground;      /* of those with what cannot move */
    float push_speed;     /* m/s, the fastest that an overlap is undone */
    float bounce_speed;   /* m/s of approach above which contacts bounce */
    float inv_step, fall; /* 1/s of a whole step; m/s that gravity adds in it */
    float impulse_factor; /* what warm starting keeps of the last impulses: 0, or the ratio of the sub-steps */
    float row_factor;     /* the same of rows, also where every sub-step begins them afresh */
    tr_vec2 gravity;      /* m/s^2 */
    bool relaxes;         /* each sub-step ends with a relaxing pass, and friction of contacts is left to that */
    bool prefetch;        /* the blocks do not stay in the cache from pass to pass */
    bool centered;        /* every body's centre of mass is its origin */
    bool tiled;           /* velocities and poses of the rows that are written lie in tiles (simd/rows.h) */
    int32_t moving_end;
    /*
     * A row's frame is read until its joints are prepared, and its pose is written after that: rows of units have both
     * in the same memory. Those that several units may look at, from TR2_ROW times the row first_apart on, have their
     * frames `apart` floats later: tr2_frame_row().
     */
    tr2_body_frame *frames;
    int32_t first_apart, apart;
    tr2_body_place *places;
    tr2_body_velocity *velocities;
    tr2_body_pose *poses;
    /* the rest of a body is in its table: columns, and the row there of each state row (TR_NONE: the null row). Centres: null where all are 0 */
    const uint32_t *body_of_row;
    const double *angle;
    const float *local_center_x, *local_center_y;
    /* four per row: integrating velocities is velocity * scale + gain. Null where gravity alone pulls at bodies, at all
       alike; then rows that fall gain h times gravity */
    float *scale, *gain;
    uint8_t *marks; /* per row: TR2_MARK_... */
} tr2_kernel_context;

/*
 * The bodies of a block's lanes, as TR2_ROW times their state row: where their records begin in floats, which saves
 * every visit the multiplication. The kernel's columns of 16 floats follow.
 */
#define TR2_ROW ((int32_t)(sizeof(tr2_body_velocity) / sizeof(float)))

/* Where a row's frame is, from TR2_ROW times the row, likewise times TR2_ROW. */
static inline int32_t tr2_frame_row(const tr2_kernel_context *context, int32_t body)
{
    return body + (body >= context->first_apart ? context->apart : 0);
}

_Static_assert(sizeof(tr2_body_frame) == sizeof(tr2_body_velocity) && sizeof(tr2_body_place) == sizeof(tr2_body_pose) &&
                   sizeof(tr2_body_pose) == sizeof(tr2_body_velocity),
               "one numbering for all records");
typedef struct tr2_block_bodies {
    int32_t a[TR_LANES], b[TR_LANES];
} tr2_block_bodies;

#define TR2_BLOCK_FIXED      1u /* some lane has a state row that must not be written */
#define TR2_BLOCK_CONTIGUOUS 2u /* the joints' rows follow each other */
/* A run (plan.h): the bodies of each group follow each other at both ends, and all of them are written. Loads and stores
   then go by whole vectors. */
#define TR2_BLOCK_RUN    4u
#define TR2_BLOCK_DRIVEN 8u  /* some lane has a body that the host moves */
#define TR2_BLOCK_APART  16u /* some lane has a body with its frame apart: tr2_frame_row() */
#define TR2_BLOCK_STIFF  32u /* some lane turns a body back by more than TR2_STIFF_SHARE */

/* What a joint's force F at the arm r is worth in a sub-step, h^2 r . F, of the body's inertia, that is looked at. */
#define TR2_STIFF_SHARE 0.5f
/* The bodies of one end are a tile: 16 state rows from a multiple of 16 on, in the order of a run. Those of the other are one too,
   where the block is a run, or else none of them is written. */
#define TR2_BLOCK_TILE_A 64u
#define TR2_BLOCK_TILE_B 128u

/* All blocks of one kernel. */
typedef struct tr2_blocks {
    unsigned char *data; /* `stride` bytes each */
    size_t stride;
    uint32_t *rows; /* 16 per block: rows of the joint table; TR_NONE where the lane is empty */
    uint8_t *flags; /* per block: TR2_BLOCK_... */
    uint32_t count;
} tr2_blocks;

/* Whether a joint's lane acts: it is not switched off, nor a tree's. `joint_flags`: the table's column, null where nobody
   has any. */
static inline bool tr2_joint_acts(const uint32_t *joint_flags, uint32_t row)
{
    return joint_flags == NULL || (joint_flags[row] & (TR2_JOINT_DISABLED | TR2_JOINT_DIRECT)) == 0;
}

/* Whether 16 joints that follow each other in the table from `row` on all act. */
static inline bool tr2_joints_act(const uint32_t *joint_flags, uint32_t row)
{
    uint32_t any = 0;
    for (uint32_t lane = 0; joint_flags != NULL && lane < TR_LANES; lane++)
        any |= joint_flags[row + lane];
    return (any & (TR2_JOINT_DISABLED | TR2_JOINT_DIRECT)) == 0;
}

/* The columns of a joint table that a kernel reads in prepare. Null where every joint has what it begins with. */
typedef struct tr2_joint_columns {
    const float *field[TR2_FIELD_COUNT];
    const uint32_t *preset; /* per field: the bits of what stands for a column that is null */
    const float *own[TR2_MAX_OWN];
    const int32_t *turn;
    const uint32_t *flags; /* TR2_JOINT_... */
    const float *impulse[TR2_MAX_IMPULSES];
} tr2_joint_columns;

typedef void tr2_prepare_fn(const tr2_kernel_context *context, const tr2_joint_columns *columns,
                            const tr2_blocks *blocks, uint32_t first, uint32_t count);
/*
 * What a pass computes of where bodies stand most kernels keep in their blocks, where prepare has put it first; some in columns
 * apart (tr2_placed). `places` has those of block `first` and of the ones after it, 16 times `stride` floats each; null:
 * nothing reads them again.
 */
typedef void tr2_pass_fn(const tr2_kernel_context *context, const tr2_blocks *blocks, uint32_t first, uint32_t count,
                         float *places, uint32_t stride);

/* The ways to go through blocks of joints; the methods (solver/method.h) put them together. */
typedef enum tr2_pass_kind {
    TR2_PASS_WARM_START, /* applies the impulses so far */
    TR2_PASS_SOLVE,      /* with bias, in the geometry as it was last computed */
    TR2_PASS_RELAX,      /* geometry anew; rigid rows without bias */
    TR2_PASS_STEP,       /* geometry anew; with bias */
    TR2_PASS_PROJECT,    /* positions have moved already: geometry anew, with bias, and what it changes moves them on */
    TR2_PASS_BOUNCE,     /* once after all sub-steps; for few types */
    TR2_PASS_REBOUND,    /* after that, some times: what bounces of one body agrees */
    TR2_PASS_COUNT
} tr2_pass_kind;

/* One variant of one joint type. The first impulse_count columns of a block are the first impulses of the table. */
typedef struct tr2_joint_kernel {
    uint32_t column_count, impulse_count;
    tr2_prepare_fn *prepare;
    tr2_pass_fn *pass[TR2_PASS_COUNT]; /* null: nothing bounces */
} tr2_joint_kernel;

/*
 * What a kernel has that keeps its places apart: blocks are smaller, and who has no room for the places of all of them goes
 * without. Where they are not known a sweep is TR2_PASS_STEP, and these are the warm start, and the sweep of impulses that begin
 * at 0.
 */
typedef struct tr2_placed {
    uint32_t columns; /* 0: in the block */
    tr2_pass_fn *warm_start;
    tr2_pass_fn *step_afresh; /* null: impulses are put to 0 before TR2_PASS_STEP */
} tr2_placed;

typedef struct tr2_kernels {
    /*
     * 16 state rows from `row` on, of as many rows of the table from `body` on: dynamic bodies, neither split nor in
     * quarantine. What most bodies are; others are prepared and finished one by one. prepare_bodies: all but poses.
     * finish_bodies: false where some body is not sane, and nothing is written.
     */
    void (*prepare_bodies)(const tr2_kernel_context *context, const tr2_bodies *bodies, uint32_t body, uint32_t row);
    bool (*finish_bodies)(const tr2_kernel_context *context, const tr2_bodies *bodies, uint32_t body, uint32_t row);
    /* rows [first, first + count) of the state; count is a multiple of 16 */
    void (*turn_tiles)(const tr2_kernel_context *context, uint32_t first, uint32_t count); /* into tiles, and back */
    void (*integrate_velocities)(const tr2_kernel_context *context, uint32_t first, uint32_t count);
    /* all mark rows whose velocity is not sane as bad, and put them back to where the step began, at rest */
    void (*integrate_positions)(const tr2_kernel_context *context, uint32_t first, uint32_t count);
    /* positions and then velocities, in one go */
    void (*integrate_both)(const tr2_kernel_context *context, uint32_t first, uint32_t count);
    /* of the lanes of a block whose first impulses are a force on B's anchor, with the impulses that the table has: the share of
       each body's inertia that r times impulse is worth, 1/s: to be compared with TR2_STIFF_SHARE / h */
    void (*stiffness)(const tr2_kernel_context *context, const tr2_joint_columns *columns, const tr2_blocks *blocks,
                      uint32_t block, uint32_t impulse_count, float share[2][TR_LANES]);
    tr2_joint_kernel joints[TR2_KERNEL_COUNT];
    tr2_placed placed[TR2_KERNEL_COUNT];
} tr2_kernels;

/* Null where it is not built in. Indexed by tr_isa. */
const tr2_kernels *tr2_kernels_of(tr_isa isa);

extern const tr2_kernels tr2_kernels_scalar;
#if defined(__x86_64__)
extern const tr2_kernels tr2_kernels_sse2;
extern const tr2_kernels tr2_kernels_avx2;
extern const tr2_kernels tr2_kernels_avx512;
#elif defined(__aarch64__)
extern const tr2_kernels tr2_kernels_neon;
#endif

#endif
