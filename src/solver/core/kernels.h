/*
 * The kernel interface between the step and the instruction sets. A block has 16 joints of one kernel, column by
 * column. Blocks and results are bit-identical on every instruction set.
 *
 * State rows represent bodies during a step: the moving ones, then copies of split ones, then the null row, then the
 * fixed ones. Kernels write only rows below moving_end.
 */
#ifndef TR_SOLVER_KERNELS_H
#define TR_SOLVER_KERNELS_H

#include <math.h>

#include "solver/core/system.h"

/* Limits beyond which a body counts as non-finite: units/s (in metres a third of the speed of light); rad per step (the
   range of wf_sincos). */
#define TR_SANE_SPEED 1e8f
#define TR_SANE_TURN  4096.0f
/* Points nearer than this, in units, have no direction between them. */
#define TR_KNOWN_LENGTH 1e-9f
/* Impulses beyond this are dropped, N s or N m s; separations are at most this, m. */
#define TR_SANE_IMPULSE 1e30f

/* If each sub-step ends with a relaxing pass, impulses of contacts between two bodies that move are multiplied by this
   factor, as far as they change the rate by more than this speed (units/s): docs/contacts.md. */
#define TR_EXCESS       1.8f
#define TR_EXCESS_SPEED 0.5f

/* An impulse as it is kept for the next step: never NaN, infinite or absurd. */
static inline float trn_kept_impulse(float impulse)
{
    return fabsf(impulse) <= TR_SANE_IMPULSE ? impulse : 0.0f;
}

/* Softness of a row, from a frequency, a damping ratio and the length of a sub-step (docs/solver.md). */
typedef struct trn_soft {
    float bias_rate, mass_scale, impulse_scale;
} trn_soft;

/*
 * Which of some rows: all, those on the rim, or the others. On the rim are rows that others than the joints of their
 * unit may act on: bodies of seams, split bodies, and bodies in no unit. They are counted in groups of four consecutive
 * rows.
 */
typedef enum trn_part { TR_ALL_ROWS, TR_INNER_ROWS, TR_RIM_ROWS } trn_part;

/* Marks of a state row during a step. */
#define TR_MARK_BAD   1u  /* its velocity was not finite or above the limits */
#define TR_MARK_FALLS 2u  /* gravity acts on it */
#define TR_MARK_TILE  4u  /* first row of 16 that prepare_bodies() has prepared */
#define TR_MARK_STIFF 8u  /* its effective inertia is increased: stiffness.c */
#define TR_MARK_TILED 16u /* first row of 16 whose velocities and poses are a tile */

/*
 * What a pass prefetches while it visits a block: of the block `ahead` blocks behind it the cache lines [first_line,
 * end_line), and the records of four bodies. Those of the pass's first block begin at `row`.
 */
typedef struct trn_prefetch {
    uint32_t ahead; /* 0: no blocks */
    uint32_t first_line, end_line;
    uint32_t row, end_row;
} trn_prefetch;

/*
 * s: sub-steps that are shorter are fine. They add so little to a velocity that rounding it is not next to nothing, and as
 * gravity adds the same each time, it is rounded the same way each time: by up to 2e-3 of gravity at 100,000 sub-steps per
 * second. So what is left of the sum waits for the next sub-step (trn_kernel_context.low), and, between steps, in
 * TRN_BODY_LOW.
 */
#define TR_FINE_H 1e-3f

typedef struct trn_kernel_context {
    float h, inv_h;       /* s, 1/s: length of a sub-step */
    float unit;           /* m, the world's length unit */
    trn_soft rigid;       /* of rigid rows */
    trn_soft driven;      /* of those of joints with features */
    trn_soft limit;       /* of violated limits, and of rigid targets */
    trn_soft gear;        /* of rigid gears */
    trn_soft contact;     /* of overlapping contacts */
    trn_soft ground;      /* of contacts with bodies that cannot move */
    float push_speed;     /* m/s, greatest speed at which overlaps are removed */
    float bounce_speed;   /* m/s, approach speed above which contacts bounce */
    float excess_from;    /* m/s, (TR_EXCESS - 1) times that speed */
    float inv_step;       /* 1/s, of a whole step */
    float least_gravity;  /* the least gravity scale of any body, at most 0 */
    float most_gravity;   /* the greatest, at least 1 */
    float impulse_factor; /* scale of warm starting: 0, or the ratio of the sub-steps */
    float row_factor;     /* the same for rows; also set if every sub-step starts from impulse 0 */
    trn_vec gravity;      /* m/s^2 */
    bool relaxes;         /* each sub-step ends with a relaxing pass, which also solves contact friction */
    bool gaps_before;     /* no relaxing pass ends the step: contacts' gaps are those before its last motion */
    bool centered;        /* every body's centre of mass is its origin */
    bool tiled;           /* frames, velocities and poses of writable rows are stored in tiles (simd/rows.h) */
    bool unmoved;         /* no body has moved, and some poses are frames yet: read of them only rotations */
    trn_prefetch prefetch;
    int32_t moving_end;
    /*
     * A row's frame is read until its joints are prepared, and its pose is written only after that, so rows of units
     * share the memory of both. Rows that several units may read, from the offset first_apart on, have
     * their frames `apart` floats later: trn_frame_row().
     */
    trn_body_frame *frames;
    int32_t first_apart, apart;
    trn_body_place *places; /* in the plane not of rows in tiles */
    trn_body_velocity *velocities;
    trn_body_pose *poses;
    /* other body data stay in the table: columns, and the table row of each state row (TR_NONE: the null row); columns
       that are left out are null */
    const uint32_t *body_of_row;
#define COLUMN(type, name) const type *name;
    TRN_CONTEXT_COLUMNS(COLUMN)
#undef COLUMN
    /* four per row: velocities become velocity * scale + gain. Null if only gravity acts on bodies, equally on all;
       then falling rows gain h times gravity */
    float *scale, *gain;
    /* as many: what floats have left of the velocities, which the next sub-step adds. Null but in fine steps; in these `scale`
       is less 1 */
    float *low;
    uint8_t *marks;      /* per row: TR_MARK_... */
    const uint8_t *rims; /* per 16 rows: bit i: the i-th group of four is on the rim */
} trn_kernel_context;

/* TR_SANE_SPEED in m/s */
static inline float trn_sane_speed(const trn_kernel_context *k)
{
    return TR_SANE_SPEED * k->unit;
}

/* The groups of four of a part among the 16 rows from `row` on: a mask. */
static inline uint32_t trn_groups_of(const trn_kernel_context *context, uint32_t row, trn_part part)
{
    const uint32_t all = (1u << TR_RUN_GROUP) - 1;
    if (part == TR_ALL_ROWS)
        return all;
    return part == TR_RIM_ROWS ? context->rims[row / TR_LANES] : all & ~(uint32_t)context->rims[row / TR_LANES];
}

/* Offset of a row's frame, from that of its other records. */
static inline int32_t trn_frame_row(const trn_kernel_context *context, int32_t body)
{
    return body + (body >= context->first_apart ? context->apart : 0);
}

/* The records of a group of four rows, from a multiple of four on: in each of their TRN_PARTS four floats per row, a line
   of the cache. */
static inline float *trn_group_of(void *records, uint32_t row, int part)
{
    return (float *)records + trn_row_offset(row) + 4 * TR_LANES * part;
}

/* for loops over the 16 rows of a tile: gcc does not vectorise them once it has unrolled them */
#define TR_TILE_LOOP _Pragma("GCC unroll 1")

_Static_assert(sizeof(trn_body_frame) == sizeof(trn_body_velocity) && sizeof(trn_body_place) == sizeof(trn_body_pose) &&
                   sizeof(trn_body_pose) == sizeof(trn_body_velocity),
               "one numbering for all records");
typedef struct trn_block_bodies {
    int32_t a[TR_LANES], b[TR_LANES];
} trn_block_bodies;

#define TR_BLOCK_FIXED      1u /* some lane has a state row that must not be written */
#define TR_BLOCK_CONTIGUOUS 2u /* the joints' table rows are consecutive */
/* A run (plan.h): the bodies of each group are consecutive at both ends, and all are writable. Whole vectors can be
   loaded and stored. */
#define TR_BLOCK_RUN    4u
#define TR_BLOCK_DRIVEN 8u  /* some lane has a body moved by the application (kinematic) */
#define TR_BLOCK_APART  16u /* some lane has a body with a separate frame: trn_frame_row() */
#define TR_BLOCK_STIFF  32u /* in the plane: some lane's restoring torque exceeds TR_STIFF_SHARE */
#define TR_BLOCK_EVEN   32u /* in space: the principal moments of each body are equal; set by prepare */

/* A force F at arm r gives a body a rotational stiffness r . F. This is the share h^2 r . F / inertia above which it
   is counted. */
#define TR_STIFF_SHARE 0.5f
/* The bodies at one end are a tile: 16 state rows from a multiple of 16 on, in the order of a run. If the block is a
   run, those at the other end are a tile, too; otherwise none of them is writable. */
#define TR_BLOCK_TILE_A 64u
#define TR_BLOCK_TILE_B 128u
/* In space: all bodies are axial, and not all even (docs/architecture.md). Set by prepare, whose columns are others
   then. */
#define TR_BLOCK_AXIAL 256u
/* In space: prepare has filled the columns, and what they depend on but for the bodies has not been written since: the
   joints are those of then, and trn_joint_columns.same. */
#define TR_BLOCK_KEPT 512u

/* All blocks of one kernel. */
typedef struct trn_blocks {
    unsigned char *data; /* `stride` bytes each */
    size_t stride;
    uint32_t *rows;         /* 16 per block: rows of the joint table; TR_NONE for an empty lane */
    trn_block_flags *flags; /* per block: TR_BLOCK_... */
    uint32_t count;
} trn_blocks;

/* The bodies of a block's lanes, and the columns that follow. */
static inline trn_block_bodies *trn_block_ends(const trn_blocks *blocks, uint32_t i)
{
    return (trn_block_bodies *)(void *)(blocks->data + i * blocks->stride);
}

static inline float *trn_columns_behind(trn_block_bodies *ends)
{
    return (float *)(void *)(ends + 1);
}

static inline float *trn_block_columns(const trn_blocks *blocks, uint32_t i)
{
    return trn_columns_behind(trn_block_ends(blocks, i));
}

/* Whether a joint's lane acts: it is neither disabled nor part of an island that is solved directly.
   `joint_flags`: the table's column; null if no joint has flags. */
static inline bool trn_joint_acts(const uint32_t *joint_flags, uint32_t row)
{
    return joint_flags == NULL || (joint_flags[row] & (TR_JOINT_OFF | TR_JOINT_EXACT)) == 0;
}

/* Whether 16 joints with consecutive rows from `row` on all act. */
static inline bool trn_joints_act(const uint32_t *joint_flags, uint32_t row)
{
    uint32_t any = 0;
    for (uint32_t lane = 0; joint_flags != NULL && lane < TR_LANES; lane++)
        any |= joint_flags[row + lane];
    return (any & (TR_JOINT_OFF | TR_JOINT_EXACT)) == 0;
}

/* The columns of a joint table that prepare reads. A column is null if every joint has its default. */
typedef struct trn_joint_columns {
    const float *field[TRN_FIELD_COUNT];
    const uint32_t *preset; /* per field: the bits of the default, for columns that are null */
    const float *own[TRN_MAX_OWN];
    const double *turn;
    const uint32_t *flags; /* TR_JOINT_... */
    const float *impulse[TRN_MAX_IMPULSES];
    bool
        same; /* all joints act, and nothing but impulses has been written since blocks with TR_BLOCK_KEPT were prepared */
} trn_joint_columns;

typedef void trn_prepare_fn(const trn_kernel_context *context, const trn_joint_columns *columns,
                            const trn_blocks *blocks, uint32_t first, uint32_t count);
/*
 * The geometry that a pass computes from the current poses is stored in the blocks by most kernels; prepare computes it
 * first. Some kernels store it in separate columns (trn_placed). `places` has those of block `first` and of the
 * following ones, 16 times `stride` floats each; null: no later pass reads them.
 */
typedef void trn_pass_fn(const trn_kernel_context *context, const trn_blocks *blocks, uint32_t first, uint32_t count,
                         float *places, uint32_t stride);

/* Kinds of passes over blocks; the methods (solver/method.h) combine them. */
typedef enum trn_pass_kind {
    TR_PASS_WARM_START, /* applies the accumulated impulses */
    TR_PASS_SOLVE,      /* with bias, with the geometry last computed */
    TR_PASS_RELAX,      /* recomputes the geometry; rigid rows without bias */
    TR_PASS_STEP,       /* recomputes the geometry; with bias */
    TR_PASS_PROJECT,    /* positions have moved: recomputes the geometry, with bias; moves positions, too */
    TR_PASS_BOUNCE,     /* once after all sub-steps; few types have it */
    TR_PASS_REBOUND,    /* after that, several times: makes the bounces of each body consistent */
    TR_PASS_COUNT
} trn_pass_kind;

/* One kernel of a joint type. The first impulse_count columns of a block are the first impulse columns of the table. */
typedef struct trn_joint_kernel {
    uint32_t column_count, impulse_count;
    trn_prepare_fn *prepare;
    trn_pass_fn *pass[TR_PASS_COUNT]; /* null: the type does not bounce */
} trn_joint_kernel;

/*
 * For kernels that store their geometry in separate columns, which makes the blocks smaller. The columns are optional.
 * Without stored geometry, a sweep is TR_PASS_STEP; the functions here are the warm start that computes it, and the
 * first sweep for impulses that start at 0.
 */
typedef struct trn_placed {
    uint32_t columns; /* 0: the geometry is in the block */
    trn_pass_fn *warm_start;
    trn_pass_fn *warm_first;  /* the same before bodies have moved, when poses may not be there yet */
    trn_pass_fn *step_afresh; /* null: clear the impulses, then use TR_PASS_STEP, which rounds otherwise */
} trn_placed;

/* A point of a contact in a lane of a block, during a step. */
typedef struct trn_contact_point {
    float inverse_mass[2], inverse_inertia[2][TRN_SPINS]; /* of the contact's ends; principal moments */
    float mass;                                           /* of its normal row, kg; 0: there is no such point */
    float separation;                                     /* m */
    float *impulse, *total;
    /* m/s, in passes that bounce; what it has been given back so far, or null: it does not bounce; and may be at most */
    float rebound, *bounced, most;
} trn_contact_point;

typedef struct trn_kernels {
    /*
     * For 16 state rows from `row` on and as many table rows from `body` on: dynamic bodies that are not split. Most
     * bodies are; others are prepared and finished one by one. prepare_bodies() sets everything but poses. It returns
     * false, and writes nothing, if some body is in quarantine; finish_bodies(), if some body's velocity is not finite
     * or above the limits.
     */
    bool (*prepare_bodies)(const trn_kernel_context *context, const trn_bodies *bodies, uint32_t body, uint32_t row);
    bool (*finish_bodies)(const trn_kernel_context *context, const trn_bodies *bodies, uint32_t body, uint32_t row);
    /* After contacts are prepared, one end of that in a lane of these columns of a block gives way by so much more, 1/kg: at
       each of TRN_CONTACT_POINTS, then across the normal. */
    void (*give_contact)(float *columns, bool featured, uint32_t lane, const float *give);
    /* a point of that contact */
    void (*read_contact)(float *columns, bool featured, uint32_t lane, uint32_t point, trn_contact_point *out);
    /* state rows [first, first + count), some also for a part of them; count is a multiple of 16 */
    /* after everything that reads the frames: sets the poses to "not moved yet" */
    void (*begin_rows)(const trn_kernel_context *context, uint32_t first, uint32_t count);
    /* turns rows into tiles, or back: velocities, and frames or poses */
    void (*turn_tiles)(const trn_kernel_context *context, uint32_t first, uint32_t count);
    /* these three mark rows whose velocity is not sane as bad, and reset them to the pose at the start of the step,
       at rest; poses may be null for velocities if begin_rows() is yet to come */
    void (*integrate_velocities)(const trn_kernel_context *context, uint32_t first, uint32_t count, trn_part part);
    void (*integrate_positions)(const trn_kernel_context *context, uint32_t first, uint32_t count, trn_part part);
    /* first positions, then velocities, in one pass over the rows */
    void (*integrate_both)(const trn_kernel_context *context, uint32_t first, uint32_t count);
#if TR_DIMENSION == 2
    /* for the lanes of a block whose first two impulses are a force on B's anchor, with the impulses of the table:
       |r . impulse| over inertia, 1/s, for both bodies, to be compared with TR_STIFF_SHARE / h */
    void (*stiffness)(const trn_kernel_context *context, const trn_joint_columns *columns, const trn_blocks *blocks,
                      uint32_t block, uint32_t impulse_count, float share[2][TR_LANES]);
#endif
    trn_joint_kernel joints[TR_KERNEL_COUNT];
    trn_placed placed[TR_KERNEL_COUNT];
} trn_kernels;

/* Null if it is not built in. Indexed by tr_isa. */
const trn_kernels *trn_kernels_of(tr_isa isa);

extern const trn_kernels trn_kernels_scalar;
#if defined(__x86_64__)
extern const trn_kernels trn_kernels_sse2;
extern const trn_kernels trn_kernels_avx2;
extern const trn_kernels trn_kernels_avx512;
#elif defined(__aarch64__)
extern const trn_kernels trn_kernels_neon;
#endif

#endif
