/*
 * A step of islands side by side (exact_lanes.h), with the equations of exact_rows.c and exact_solve.c. The including
 * file defines TR_WIDTH, and TR_LANES_TABLE as the name of the table.
 */
#include <float.h>
#include <stddef.h>
#include <string.h>

#include "base/angle.h"
#include "base/finite.h"
#include "simd/doubles.h"
#include "solver/exact/lanes/exact_lanes.h"

#define AXES    TRN_AXES
#define SPINS   TRN_SPINS
#define DEGREES TRN_DEGREES

/* before loops of a few turns with a known end: as loops they cost more than what they do */
#if defined(__clang__)
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 6")
#endif

/* of functions that compact kernels inline, too: they are made for sizes that are constants */
#define KNOWN_SIZES static inline __attribute__((always_inline))

/* as UNROLLED, of loops over lanes; and all of these as bits */
#if defined(__clang__)
#define UNROLLED_LANES
#else
#define UNROLLED_LANES _Pragma("GCC unroll 8")
#endif
#define ALL_LANES ((1u << TR_DOUBLES) - 1)

/* Rows of a table, one of each lane; and whether they are one after another, which mostly they are in pieces of hubs. */
typedef struct lane_places {
    uint32_t row[TR_DOUBLES];
    bool beside;
} lane_places;

TR_INLINE void note_beside(lane_places *at)
{
    uint32_t gaps = 0;
    UNROLLED_LANES
    for (uint32_t lane = 1; lane < TR_DOUBLES; lane++)
        gaps |= at->row[lane] - at->row[0] - lane;
    at->beside = gaps == 0;
}

/* a column of floats in some rows, or what it is if it is left out */
TR_INLINE wd lane_floats(const float *column, const lane_places *at, float preset)
{
    wd out = wd_set((double)preset);
    if (column == NULL)
        return out;
    if (at->beside) {
        wdf all;
        memcpy(&all, column + at->row[0], TR_DOUBLES * sizeof *column);
        return wd_widen(all);
    }
    UNROLLED_LANES
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        out[lane] = (double)column[at->row[lane]];
    return out;
}

TR_INLINE wd lane_doubles(const double *column, const lane_places *at)
{
    wd out = wd_set(0.0);
    if (at->beside)
        return wd_load(column + at->row[0]);
    UNROLLED_LANES
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        out[lane] = column[at->row[lane]];
    return out;
}

/* the rows of some lanes, as bits */
TR_INLINE void lane_doubles_write(double *column, const lane_places *at, uint32_t lanes, wd a)
{
    if (lanes == ALL_LANES && at->beside) {
        wd_store(column + at->row[0], a);
        return;
    }
    UNROLLED_LANES
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if ((lanes >> lane & 1) != 0)
            column[at->row[lane]] = a[lane];
}

TR_INLINE void lane_floats_write(float *column, const lane_places *at, uint32_t lanes, wdf a)
{
    if (lanes == ALL_LANES && at->beside) {
        memcpy(column + at->row[0], &a, TR_DOUBLES * sizeof *column);
        return;
    }
    UNROLLED_LANES
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if ((lanes >> lane & 1) != 0)
            column[at->row[lane]] = a[lane];
}

/* vectors, and spins, of all lanes */
typedef struct lv {
    wd x[AXES];
} lv;
typedef struct ls {
    wd x[SPINS];
} ls;

TR_INLINE lv lv_plus(lv a, lv b)
{
    UNROLLED
    for (int i = 0; i < AXES; i++)
        a.x[i] = a.x[i] + b.x[i];
    return a;
}

TR_INLINE lv lv_minus(lv a, lv b)
{
    UNROLLED
    for (int i = 0; i < AXES; i++)
        a.x[i] = a.x[i] - b.x[i];
    return a;
}

TR_INLINE lv lv_times(wd k, lv a)
{
    UNROLLED
    for (int i = 0; i < AXES; i++)
        a.x[i] = k * a.x[i];
    return a;
}

TR_INLINE wd lv_dot(lv a, lv b)
{
    wd sum = a.x[0] * b.x[0];
    UNROLLED
    for (int i = 1; i < AXES; i++)
        sum = sum + a.x[i] * b.x[i];
    return sum;
}

/* Sine and cosine of r, from its square, as far as an eighth of a turn. With r 1 the sine is what it is over r. */
TR_INLINE void lane_sincos_core(wd r, wd z, wd *sine, wd *cosine)
{
    *sine =
        r + r * z *
                (wd_set(-1.66666666666666324348e-01) +
                 z * (wd_set(8.33333333332248946124e-03) +
                      z * (wd_set(-1.98412698298579493134e-04) +
                           z * (wd_set(2.75573137070700676789e-06) +
                                z * (wd_set(-2.50507602534068634195e-08) + z * wd_set(1.58969099521155010221e-10))))));
    *cosine =
        wd_set(1.0) -
        (wd_set(0.5) * z -
         z * z *
             (wd_set(4.16666666666666019037e-02) +
              z * (wd_set(-1.38888888888741095749e-03) +
                   z * (wd_set(2.48015872894767294178e-05) +
                        z * (wd_set(-2.75573143513906633035e-07) +
                             z * (wd_set(2.08757232129817482790e-09) + z * wd_set(-1.13596475577881948265e-11)))))));
}

/* what is less than an eighth of a turn, of which lane_sincos() takes no part away */
#define LANE_SMALL 0.78

/* As tr_sincos(), for angles below 1e9. */
TR_INLINE void lane_sincos(wd angle, wd *sine, wd *cosine)
{
    /* adding it leaves the nearest integer in the low bits */
    const wd magic = wd_set(6755399441055744.0);
    const wd shifted = angle * wd_set(6.36619772367581382433e-01) + magic;
    const wd q = shifted - magic;
    const wd r = ((angle - q * wd_set(1.57079632673412561417e+00)) - q * wd_set(6.07710050630396597660e-11)) -
                 q * wd_set(2.02226624879595063154e-21);
    wd s, c;
    lane_sincos_core(r, r * r, &s, &c);
    /* odd quadrants swap them, and two bits give the signs */
    const wdm bits = (wdm)shifted, sign = (wdm)wd_set(-0.0), swap = ((wdm)s ^ (wdm)c) & -(bits & 1);
    *sine = (wd)((wdm)s ^ swap ^ (bits << 62 & sign));
    *cosine = (wd)((wdm)c ^ swap ^ ((bits + 1) << 62 & sign));
}

/* the same of angles that are mostly small, sooner */
TR_INLINE void lane_small_sincos(wd angle, wd *sine, wd *cosine)
{
    if (wd_any(~wd_le(wd_abs(angle), wd_set(LANE_SMALL)))) {
        lane_sincos(angle, sine, cosine);
        return;
    }
    lane_sincos_core(angle, angle * angle, sine, cosine);
}

/* of a body, what no dimension has of its own: TRN_EXACT_LANES_FILE has lane_pose */
#include TRN_EXACT_LANES_FILE

/* What a body has that free kicks do not need. */
typedef struct lane_rest {
    wd gyration[SPINS];
    wd mirrored;        /* by how much held rows do less work, of points alone (lanes_points.inl) */
    wd pull[DEGREES];   /* acceleration; torque */
    wd damping[2][2];   /* in half a sub-step and in a whole one, of v and w: the share that is lost */
    wd mass, ties;      /* ties: joints that hold a point of it, in all pieces of the island */
    wdm owned;          /* of a body at which the island is cut: this is the first piece with it */
    wdm stiff;          /* lanes in which its own inertia is less than h^2 times its stiffness, in this kick */
    wdm fine;           /* it turns little */
    wd slowness, curve; /* how much of its curve it takes */
    wd change[DEGREES]; /* of the velocity by all, or the impulse */
    lv local;           /* of its centre of mass from its origin, in its own axes */
    wd slowed[2][SPINS][SPINS];
} lane_rest;

typedef struct lane_body {
    lane_pose pose;
    lv center;
    wd v[DEGREES];
    wd inverse_mass, inverse[SPINS][SPINS];
    wd inertia[SPINS][SPINS];
    wd stiffness[SPINS][SPINS], before[SPINS][SPINS]; /* lower triangles */
    wd fall[DEGREES]; /* of the velocity: by what is no row; of packs that are fused then the correction */
    bool early;       /* it is eliminated first, and the system has only what it couples */
    bool taken;       /* share_out() has seen it */
    bool cut;         /* the island is cut at it: it is in other pieces, too */
    bool straight;    /* its gyration is 0 in all lanes */
    bool damped;      /* it is slowed down by damping in some lane */
    bool twisted;     /* so is its turning, or a torque acts on it */
    bool weighed;     /* it falls in all lanes as gravity has it, and its linear pull need not be read */
    bool followed;    /* its states are those of the lanes at each kick, because equations read them */
    wd (*slow)[SPINS],
        (*slow_inverse)[SPINS];   /* as it is slowed down, and the inverse: the above if no lane is, or slowed */
    uint32_t tied;                /* joints here that hold a point of it */
    struct lane_footing *footing; /* of a body that touches what does not move in some lane; otherwise null */
    lane_rest *rest;
} lane_body;

/* What acts along a coordinate, in the direction in which that grows. */
typedef struct lane_feature {
    wdm there, on;        /* the joint has it; it acts in this kick */
    wdm held, top;        /* its impulse is -(w + b)/e; otherwise the greatest, or the least */
    wd low, high;         /* N s, N m s; of the kick */
    wd least, most;       /* N, N m */
    wd offset;            /* of its value from the coordinate's; of a motor the speed */
    wd b, inverse, close; /* inverse: 1/e */
    wd lambda, force, total[2];
    int8_t column[TR_DOUBLES];
} lane_feature;

typedef struct lane_law {
    uint32_t used; /* features, as bits: of some lane */
    wd value, length;
    wd stiffness, damping;
    wdm physical;
    wd rate, change; /* J v after the kick; of the sum of what is held: 1/e, */
    wd e, lean, ref; /* e, the sum of (b - ref)/e, and ref, that of what is stiffest */
    wd bounded;      /* sum of the impulses at bounds */
    wdm any;         /* something is held */
    lane_feature feature[TR_EXACT_FEATURES];
} lane_law;

/* A block of rows whose impulse has a greatest length. Where it slides, with J v + b of `rate` along a unit vector, its
   impulse is the greatest against that, and changes with the rate as that of Newton's method does: not along the vector, by
   high/rate across it. */
typedef struct lane_rub {
    uint32_t count;
    struct lane_row *first; /* of a joint */
    wdm on, slides;
    wdm freed;           /* it was held in this kick, and is not */
    wdm turns;           /* its impulse changes along the vector as across, because it slid back, */
    wdm braked;          /* and has become less than the bound by that as often */
    wd most, high, e, k; /* most: N, N m */
    wd rate, along[TR_EXACT_RUBBED_MOST];
    wd weight; /* of contacts: across the vector, in the system */
} lane_rub;

typedef struct lane_row {
    trn_exact_row_kind kind;
    bool linear;
    int8_t first[TR_DOUBLES], column[TR_DOUBLES]; /* among the joint's equations, impulses */
    lane_law *law;
    lane_rub *rub;
    wd j[2][DEGREES];
    wd u, b, bend, close, e;
    wd lambda, force, total[2]; /* not of points: the force */
    wd k;
    wdm on; /* it is in the system; not of points */
} lane_row;

/* A joint, of which the rows of a point are n . d for the axes n of the world. */
typedef struct lane_joint {
    uint32_t end[2];    /* into the bodies; those that do not move come after those that do */
    lane_body *body[2]; /* of packs that are fused: its ends, */
    wd (*x)[2];         /* and unknowns */
    wd *own, *to[2];    /* its block of the factor; those with its ends, null: there is none */
    bool pushes;        /* an end moves, and is not eliminated first */
    bool grounded;      /* an end does not move */
    bool taken;         /* share_out() has seen it */
    bool backward;      /* of packs that are fused: its second body is eliminated before its first; */
    bool turned[2];     /* its block with an end is row by row of the joint */
    lv anchor[2]; /* of a point: from the centre of mass, in the axes of the pose; otherwise the arm in the world */
    lv arm[2];    /* of a point, in the world: its rows' J for rotation are arm x n; that of the first end is turned
                             round */
    lv force;     /* of a point, N */
    wd weight;    /* of a point: the sum of J M^-1 J^T of its rows */
    trn_exact_source source;
    uint32_t row_count, points; /* and how many of these, the first, are n . d of a point */
    uint32_t number;            /* its first unknown */
    lane_row *rows;
    lane_turn *turn; /* of rows that are computed beside a point's */
    wd share;        /* of the curves of its bodies */
} lane_joint;

/* A joint on a body that is eliminated first. */
typedef struct lane_link {
    wdm sign; /* of the points' rows: -0 at the first end */
    const lv *arm;
    lane_row *rows;
    wd (*x)[2];
    uint32_t end, n, points; /* rows, and how many of them, the first, are of a point */
    uint32_t joint;
} lane_link;

/* Such a body, of which the system has only what it couples (lanes_couple.inl). */
typedef struct lane_early {
    lane_link link[2];
    lane_body *body;
    wd (*x)[2];
    wd *to[3]; /* the blocks of its joints: the first, between them, the second */
    uint32_t count;
    bool points, turns; /* all are points; all are those with an angle */
    bool plain;         /* two points, and nothing that does not move touches it */
} lane_early;

/* The same body in a pack that is fused, with what is needed of it in each kick alone, and close together. */
typedef struct lane_visit {
    lane_body *body;
    lane_joint *link[2]; /* of points; if it is the second body of one and the first of the other in that order */
    wd *cross;           /* the block between them */
    /* which bodies and joints no body before this one in the order has, and has it */
    lane_body *bodies[3];
    lane_joint *joints[2];
    uint8_t end[2]; /* of the points */
    uint8_t count, body_count, joint_count;
    bool through; /* it is such a body; */
    bool swapped; /* and in its block they are in the other order */
} lane_visit;

/* A row of a contact with what does not move; with it all is as for rows of joints. */
typedef struct lane_touch_row {
    bool used; /* there in some lane */
    wdm there, on, held, top;
    wd j[DEGREES], drive;                /* drive: what the other body adds to the rate */
    wd speed, coefficient;               /* of what rubs: of the surface; of the load */
    wd u, b, k, e, weight, close, curve; /* curve: of a normal, what b has of its body's curve */
    wd low, high, rate, lambda, force, total[2];
} lane_touch_row;

#define TOUCH_POINTS TRN_CONTACT_POINTS
#define TOUCH_TURNS  (TOUCH_POINTS + TR_EXACT_TOUCH_RUBS) /* the first row of rotation */
#define TOUCH_ROWS   TR_EXACT_TOUCH_ROWS
/* pairs of rows that rub together: in space of each point, and of rolling */
#define TOUCH_PAIRS (SPINS == 1 ? 0u : TOUCH_POINTS + 1u)

/* A contact with what does not move by impulses. */
typedef struct lane_touch {
    bool used; /* some lane has it */
    uint32_t row[TR_DOUBLES], slot[TR_DOUBLES];
    wdm there, freed;                                                  /* freed: its friction is, in this kick */
    wd sign, restitution, friction, torsion, rolling;                  /* sign: of J, of the end that moves */
    lv normal, across[AXES - 1], arm[2], further[TOUCH_POINTS];        /* of both ends, that which moves first */
    wd surface[AXES - 1], other[DEGREES];                              /* the velocity of the other end */
    wd begun[TOUCH_POINTS], gap[TOUCH_POINTS], approach[TOUCH_POINTS]; /* as in trn_exact_contact */
    wd load[TOUCH_POINTS];                                             /* N, before friction was set free */
    lane_touch_row rows[TOUCH_ROWS];                                   /* normals, friction, rotation */
    lane_rub pairs[TOUCH_PAIRS + 1];
} lane_touch;

/* The contacts of a body with what does not move, which are eliminated: they add J^T E^-1 J to its block. */
typedef struct lane_footing {
    uint32_t body, count;
    lane_touch *touches;
    lv center;
    lane_pose pose;                           /* as the step begins, both */
    wd moved[DEGREES];                        /* since then */
    wdm pressed;                              /* something is held */
    wd block[DEGREES][DEGREES];               /* what is added, lower triangle */
    wd pull[DEGREES][2];                      /* to the right-hand sides */
    wd l[DEGREES][DEGREES], inverse[DEGREES]; /* the factor of the sum, of a body that is eliminated first */
    wdm follows;                              /* its contacts may be found anew (trn_exact_follows()) */
} lane_footing;

/* The mass of a body with what joints hang on it (exact_slow.c), a lower triangle. */
typedef struct lane_hung {
    wd mass[DEGREES][DEGREES];
} lane_hung;

/* Where a column of the factor is (lanes_factor.inl). */
typedef struct lane_column {
    wd *own, (*x)[2];      /* its numbers, those of its first block after its own; its unknowns */
    wd *target, (*out)[2]; /* of its first block */
    uint8_t sizes;         /* how its sizes are known; 0: by the program */
    bool joint;
} lane_column;

typedef struct lane_pack {
    const trn_exact_step *step;
    const trn_exact_shape *shape;
    const tr_program *program;
    uint32_t body_count, joint_count, all_bodies;
    double gravity[DEGREES];
    uint32_t count; /* lanes with an island of their own; others do what the first does */
    trn_exact_island *own[TR_DOUBLES];
    const uint32_t *body_row[TR_DOUBLES];
    const trn_exact_pin *pins[TR_DOUBLES];
    const trn_exact_cut *cut; /* lanes have pieces of an island; null: islands */
    const trn_exact_piece *piece[TR_DOUBLES];
    lane_body *bodies;
    lane_rest *rests; /* of these */
    lane_hung *hung;  /* of those that are stiff in this kick */
    lane_joint *joints;
    lane_turn *turns; /* of these */
    lane_row *rows;
    lane_law *laws;
    lane_rub *rubs;
    lane_early *early;  /* as many as the program has */
    lane_visit *visits; /* as many */
    lane_footing *footings;
    lane_touch *touches;
    uint32_t footing_count;
    lane_column *columns;
    uint32_t row_count, law_count, rub_count;
    wd *value;  /* of the factor */
    wd (*x)[2]; /* changes of velocities and minus impulses; shifts */
    wd *scratch;
    wd compliance;        /* of held rows, as a share (TR_EXACT_COMPLIANCE_LEAST) */
    wd touch_greatest[2]; /* of contacts, of the last solution: greatest_touch() */
    wdm bad;
    bool watches;   /* impulses are summed up, too */
    bool points;    /* nothing but points acts; */
    bool free;      /* nor is a body slowed down, in this kick: lanes_points.inl */
    bool ahead;     /* of a piece: it is factored before it is known how stiff its copies are (lanes_pieces.inl) */
    bool slowed;    /* some body was, or may have been, since all had their own inertia */
    bool filled;    /* each number of the factor is that of a joint by itself, or of two joints on one body */
    bool fused;     /* all of it are these: it is evaluated and coupled body by body (lanes_fused.inl); */
    uint32_t unset; /* of a piece: the first number of the factor that is to be 0 before; */
    bool waits;     /* their bodies have velocities after the last kick, but have not moved yet: */
    wd scale;       /* by this share of the correction */
    wdm hindered;   /* some body turns far, or is slowed down, in this kick */
    wd shift[2];    /* the greatest corrections of bodies that were eliminated first, in a free kick */
    bool bends;     /* some row does not take all of its curve, or goes less far from it, in this kick */
    wdm touched;    /* islands that touch something */
    wdm mirrors; /* whole islands that nothing touches, without lengths; and in which, in this kick, nothing is slowed down */
    wdm mirrored;
    wdm slows;        /* some body that is slowed down turns much, in this kick */
    wdm closes;       /* something is to be corrected */
    bool levers;      /* rows of points have their J for rotation as numbers, too */
    wdm solves, most; /* systems, in a kick at most */
} lane_pack;

#define LANE_BODY_PARTS
#include TRN_EXACT_LANES_FILE
#undef LANE_BODY_PARTS

typedef struct lane_kick {
    double h, time, per_time, elapsed; /* per_time: 1/time */
    double speed_most, turn_most;      /* of bodies that go on (trn_exact_is_sane()) */
    double corrects_most;              /* of a row of a point, m */
    bool first, last, early, whole;    /* whole: of a whole sub-step */
} lane_kick;

/* the first of the copies of bodies at which the island is cut, which come last */
static uint32_t first_copy(const lane_pack *p)
{
    return p->body_count - p->shape->cut_count;
}

#include "solver/exact/lanes/lanes_factor.inl"
#include "solver/exact/lanes/lanes_laws.inl"
#include "solver/exact/lanes/lanes_tables.inl"

/* after what they are made of */
#include "solver/exact/lanes/lanes_rows.inl"

/* the next so many of that size in memory, or null without memory; `used` grows by them */
static void *lane_part(unsigned char *memory, size_t *used, size_t count, size_t size)
{
    void *out = memory != NULL ? memory + *used : NULL;
    *used += (count * size + TR_ALIGNMENT - 1) / TR_ALIGNMENT * TR_ALIGNMENT;
    return out;
}

/* places in memory, or with null how much of it: joints that are on something that does not move have a body for it */
static size_t lay_out_pack(lane_pack *p, const trn_exact_shape *shape, void *memory)
{
    size_t used = 0;
    const tr_program *program = &shape->program;
    p->program = program;
    p->shape = shape;
    p->body_count = p->all_bodies = shape->body_count;
    p->joint_count = shape->joint_count;
    p->bodies = lane_part(memory, &used, (size_t)shape->body_count + shape->fixed_count, sizeof *p->bodies);
    p->rests = lane_part(memory, &used, (size_t)shape->body_count + shape->fixed_count, sizeof *p->rests);
    p->hung = lane_part(memory, &used, shape->body_count, sizeof *p->hung);
    p->joints = lane_part(memory, &used, shape->joint_count, sizeof *p->joints);
    p->turns = lane_part(memory, &used, shape->joint_count, sizeof *p->turns);
    p->rows = lane_part(memory, &used, shape->lane_rows, sizeof *p->rows);
    p->laws = lane_part(memory, &used, shape->laws, sizeof *p->laws);
    p->rubs = lane_part(memory, &used, shape->rubs, sizeof *p->rubs);
    p->early = lane_part(memory, &used, program->early_count, sizeof *p->early);
    p->visits = lane_part(memory, &used, program->early_count, sizeof *p->visits);
    p->footings = lane_part(memory, &used, shape->touched, sizeof *p->footings);
    p->touches = lane_part(memory, &used, shape->touch_count, sizeof *p->touches);
    p->columns = lane_part(memory, &used, program->column_count, sizeof *p->columns);
    p->value = lane_part(memory, &used, program->value_count, sizeof *p->value);
    p->x = lane_part(memory, &used, program->number_count, sizeof *p->x);
    p->scratch = lane_part(memory, &used, (size_t)program->rows * WIDTH_MOST, sizeof *p->scratch);
#ifndef NDEBUG
    /* what other islands left there is not of these: numbers that nothing set are none */
    if (memory != NULL)
        memset(memory, 0xff, used);
#endif
    return used;
}

/* A pack that is laid out gets islands. */
static void begin_pack(lane_pack *p, const trn_exact_step *step, const uint32_t *islands, uint32_t count)
{
    trn_exact *it = step->exact;
    const double none[DEGREES] = {0.0};
    p->step = step;
    p->count = count;
    p->bad = p->closes = p->solves = p->most = (wdm)wd_set(0.0);
    p->cut = NULL;
    p->watches = step->solver->watched.count > 0;
    for (uint32_t lane = 0; lane < TR_DOUBLES; lane++) {
        p->own[lane] = &it->islands[islands[lane < count ? lane : 0]];
        p->touched[lane] = p->own[lane]->touch_count > 0 ? -1 : 0;
        p->mirrors[lane] = ~p->touched[lane];
        p->body_row[lane] = it->body_row + p->own[lane]->first_body;
        p->pins[lane] = it->pins + p->own[lane]->first_joint;
    }
    trn_equation_put(p->gravity, trn_widen(step->system->settings.gravity), trn_equation_angular(none));
}

/* `same`: the pack that was there before was of the same shape, and nothing but points acted in it */
static void read_pack(lane_pack *p, bool same)
{
    p->free = false;
    p->slowed = true;
    p->footing_count = 0;
    if (!same) {
        begin_structure(p);
        read_islands(p);
        read_touches(p);
        for (uint32_t i = 0; i < p->program->early_count; i++)
            begin_early(p, &p->program->columns[i], &p->early[i]);
        p->points = has_points_alone(p);
        p->filled = is_filled(p);
        share_out(p);
        return;
    }
    read_islands(p);
}

/* the kick before a sub-step, or after the last one */
static lane_kick lane_kick_of(const trn_exact_step *step, uint32_t substep)
{
    const bool first = substep == 0, last = substep == step->substeps;
    const double time = first || last ? 0.5 * step->h : step->h;
    return (lane_kick){.h = step->h,
                       .time = time,
                       .per_time = 1.0 / time,
                       .elapsed = substep * step->h,
                       .corrects_most = TR_EXACT_CORRECTS_AT * step->unit * step->h,
                       .speed_most = (double)TR_SANE_SPEED * step->unit,
                       .turn_most = (double)TR_SANE_TURN / step->h,
                       .whole = !first && !last,
                       .first = first,
                       .last = last,
                       .early = substep < step->substeps / 2};
}

#include "solver/exact/lanes/lanes_pieces.inl"

#include "solver/exact/lanes/lanes_ahead.inl"

/* a pack is at the beginning of its memory, so that the next one finds what they have in common */
static size_t bytes_of_pack(const trn_exact_shape *shape)
{
    lane_pack pack;
    size_t used = 0;
    (void)lane_part(NULL, &used, 1, sizeof pack);
    return used + lay_out_pack(&pack, shape, NULL);
}

static uint32_t run_pack(const trn_exact_step *step, void *memory, const uint32_t *islands, uint32_t count, bool same)
{
    const trn_exact *it = step->exact;
    lane_ahead ahead;
    uint32_t failed = 0;
    size_t used = 0;
    lane_pack *p = lane_part(memory, &used, 1, sizeof *p);
    const trn_exact_shape *shape = &it->shapes[it->islands[islands[0]].lane_shape];
    same = same && p->points && shape->touched == 0;
    if (!same)
        (void)lay_out_pack(p, shape, (unsigned char *)memory + used);
    /* shapes may have moved */
    p->shape = shape;
    p->program = &shape->program;
    begin_pack(p, step, islands, count);
    read_pack(p, same);
    begin_ahead(&ahead, step, islands, count);
    for (uint32_t s = 0; s <= step->substeps; s++) {
        const lane_kick kick = lane_kick_of(step, s);
        fetch_ahead(&ahead, s, step->substeps + 1);
        run_lane_kick(p, &kick);
    }
    write_islands(p);
    write_touches(p);
    for (uint32_t lane = 0; lane < count; lane++)
        failed |= p->bad[lane] != 0 ? 1u << lane : 0u;
    return failed;
}

const trn_exact_lanes TR_LANES_TABLE = {TR_DOUBLES,   bytes_of_pack, run_pack,  count_packs,
                                        bytes_of_cut, begin_cut,     run_pieces};
