/*
 * A little state and a few blocks, so that tests can call the kernels by themselves: random bodies, random joints of
 * one type, two blocks of sixteen lanes.
 */
#ifndef TR_TESTS_KERNEL_RIG_H
#define TR_TESTS_KERNEL_RIG_H

#include <string.h>

#include "random.h"
#include "solver/core/kernels.h"
#include "solver/core/system.h"
#include "solver/joints2/contact.h"

#define RIG_MOVING 64 /* rows below moving_end */
#define RIG_NULL   64 /* the null row */
#define RIG_FIXED  65 /* 15 rows that do not move, or move by themselves */
#define RIG_ROWS   80
#define RIG_BLOCKS 2
#define RIG_JOINTS (RIG_BLOCKS * TR_LANES)

/* those of joints; contacts have tests of their own in test_contact_kernels.c */
#define JOINT_KERNELS (2 * TR2_JOINT_TYPE_COUNT)

/* more than any kernel needs */
#define RIG_COLUMNS 64
#define RIG_PLACES  16 /* apart from the block */

typedef struct rig {
    tr2_body_frame frames[RIG_ROWS];
    tr2_body_place places[RIG_ROWS];
    uint32_t body_of_row[RIG_ROWS]; /* itself; TR_NONE for the null row */
    double angle[RIG_ROWS];
    float local_center_x[RIG_ROWS], local_center_y[RIG_ROWS];
    tr2_body_velocity velocities[RIG_ROWS];
    tr2_body_pose poses[RIG_ROWS];
    float scale[4 * RIG_ROWS], gain[4 * RIG_ROWS], low[4 * RIG_ROWS];
    uint8_t marks[RIG_ROWS];
    float field[TR2_FIELD_COUNT][RIG_JOINTS];
    float own[TR2_MAX_OWN][RIG_JOINTS];
    double wide_field[TR2_FIELD_COUNT][RIG_JOINTS]; /* those of kind TR_KIND_DOUBLE */
    float impulse[TR2_MAX_IMPULSES][RIG_JOINTS];
    double turn[RIG_JOINTS];
    uint32_t joint_flags[RIG_JOINTS];
    struct {
        tr2_block_bodies bodies;
        float column[RIG_COLUMNS][TR_LANES];
    } block[RIG_BLOCKS];
    float place[RIG_BLOCKS][RIG_PLACES][TR_LANES];
    int32_t carrier[2][RIG_JOINTS]; /* by block and lane: state rows of the carriers of A and of B */
    uint32_t joint_rows[RIG_JOINTS];
    uint8_t flags[RIG_BLOCKS];
    bool even; /* gravity alone pulls */
    bool fine; /* what is left of velocities is kept */
    tr_vec2 gravity;
    float h;
    tr2_soft rigid, limit, gear, contact;
    float impulse_factor;
    uint64_t seed;
} rig;

static inline uint32_t rig_bits(rig *r)
{
    random_step(&r->seed);
    return (uint32_t)(r->seed >> 32);
}

static inline float rig_random(rig *r, float low, float high)
{
    return low + (high - low) * ((float)(rig_bits(r) >> 8) * 0x1p-24f);
}

/* what the kernels get; it points into the rig */
static inline tr2_kernel_context rig_context(rig *r)
{
    tr2_kernel_context c = {
        .h = r->h,
        .inv_h = 1.0f / r->h,
        .unit = 1.0f,
        .rigid = r->rigid,
        .driven = r->rigid,
        .limit = r->limit,
        .gear = r->gear,
        .contact = r->contact,
        .push_speed = 3.0f,
        .bounce_speed = 1.0f,
        .excess_from = (TR_EXCESS - 1.0f) * TR_EXCESS_SPEED,
        .relaxes = true,
        .impulse_factor = r->impulse_factor,
        .moving_end = RIG_MOVING,
        .frames = r->frames,
        .first_apart = INT32_MAX,
        .places = r->places,
        .body_of_row = r->body_of_row,
        .angle = r->angle,
        .local_center_x = r->local_center_x,
        .local_center_y = r->local_center_y,
        .velocities = r->velocities,
        .poses = r->poses,
        .gravity = r->gravity,
        .scale = r->even ? NULL : r->scale,
        .gain = r->gain,
        .low = r->fine ? r->low : NULL,
        .marks = r->marks,
    };
    return c;
}

static inline tr2_joint_columns rig_columns(const rig *r, tr2_joint_type type)
{
    tr2_joint_columns c;
    memset(&c, 0, sizeof c);
    for (uint32_t f = 0; f < TR2_FIELD_COUNT; f++)
        if (tr2_joint_types[type]->fields >> f & 1u)
            c.field[f] =
                tr2_field_infos[f].kind == TR_KIND_DOUBLE ? (const float *)(const void *)r->wide_field[f] : r->field[f];
    for (uint32_t i = 0; i < tr2_joint_types[type]->own_count; i++)
        c.own[i] = r->own[i];
    for (uint32_t i = 0; i < tr2_joint_types[type]->impulse_count; i++)
        c.impulse[i] = r->impulse[i];
    c.turn = r->turn;
    c.flags = r->joint_flags;
    return c;
}

static inline tr2_blocks rig_blocks(rig *r)
{
    tr2_blocks b = {(unsigned char *)r->block, sizeof r->block[0], r->joint_rows, r->flags,
                    sizeof r->block / sizeof r->block[0]};
    return b;
}

/* some blocks' pass of a kernel, which keeps its places; TR_PASS_COUNT: the warm start that computes them first */
static inline void rig_pass(rig *r, const tr2_kernels *kernels, uint32_t kernel, int pass, uint32_t first,
                            uint32_t count)
{
    tr2_kernel_context context = rig_context(r);
    tr2_blocks blocks = rig_blocks(r);
    tr2_pass_fn *run = pass == TR_PASS_COUNT ? kernels->placed[kernel].warm_start : kernels->joints[kernel].pass[pass];
    if (run != NULL)
        run(&context, &blocks, first, count, r->place[first][0], RIG_PLACES);
}

/* from the tables into the blocks, and what a kernel that keeps its places apart would know of them then */
static inline void rig_prepare(rig *r, const tr2_kernels *kernels, uint32_t kernel)
{
    static rig warm;
    tr2_kernel_context context = rig_context(r);
    tr2_blocks blocks = rig_blocks(r);
    tr2_joint_columns columns = rig_columns(r, (tr2_joint_type)(kernel / 2));
    kernels->joints[kernel].prepare(&context, &columns, &blocks, 0, RIG_BLOCKS);
    warm = *r;
    rig_pass(&warm, kernels, kernel, TR_PASS_COUNT, 0, RIG_BLOCKS);
    memcpy(r->place, warm.place, sizeof r->place);
}

/* a softness as the world gives it to rigid rows (docs/solver.md) */
static inline tr2_soft rig_soft(float frequency, float damping_ratio, float h)
{
    float omega = 6.28318531f * frequency, a1 = 2.0f * damping_ratio + h * omega, a2 = h * omega * a1;
    tr2_soft soft = {omega / a1, a2 / (1.0f + a2), 1.0f / (1.0f + a2)};
    return soft;
}

static inline void rig_set_whole(rig *r, tr2_field field, uint32_t joint, uint32_t value)
{
    memcpy(&r->field[field][joint], &value, sizeof value);
}

static inline void rig_random_body(rig *r, uint32_t row)
{
    tr2_body_frame *f = &r->frames[row];
    r->body_of_row[row] = row == RIG_NULL ? TR_NONE : row;
    r->angle[row] = (double)rig_random(r, -20.0f, 20.0f);
    tr2_rotation(r->angle[row], &f->c, &f->s);
    r->places[row].x = 1000.0 + (double)rig_random(r, -2.0f, 2.0f);
    r->places[row].y = -500.0 + (double)rig_random(r, -2.0f, 2.0f);
    r->local_center_x[row] = rig_random(r, -0.5f, 0.5f);
    r->local_center_y[row] = rig_random(r, -0.5f, 0.5f);
    /* heavy, light, of no inertia */
    if (row < RIG_MOVING) {
        f->inverse_mass = 1.0f / rig_random(r, 0.1f, 10.0f);
        f->inverse_inertia = rig_bits(r) % 5 == 0 ? 0.0f : 1.0f / rig_random(r, 0.02f, 5.0f);
    }
    tr2_body_velocity *v = &r->velocities[row];
    v->x = rig_random(r, -3.0f, 3.0f);
    v->y = rig_random(r, -3.0f, 3.0f);
    v->w = rig_random(r, -5.0f, 5.0f);
    r->poses[row] = (tr2_body_pose){0.0f, 0.0f, 1.0f, 0.0f};
    for (int i = 0; i < 4; i++) {
        r->scale[4 * row + (uint32_t)i] = i == 3 ? 1.0f : rig_random(r, 0.9f, 1.0f);
        r->gain[4 * row + (uint32_t)i] = i == 3 ? 0.0f : rig_random(r, -0.1f, 0.1f);
    }
}

static inline void rig_random_softness(rig *r, tr2_field kind, uint32_t joint)
{
    uint32_t k = rig_bits(r) % 4;
    rig_set_whole(r, kind, joint, k);
    bool off = rig_bits(r) % 6 == 0;
    r->field[kind + 1][joint] = off                 ? 0.0f
                                : k == TR_FREQUENCY ? rig_random(r, 0.5f, 20.0f)
                                                    : rig_random(r, 1.0f, 500.0f);
    r->field[kind + 2][joint] = off                 ? 0.0f
                                : k == TR_FREQUENCY ? rig_random(r, 0.0f, 2.0f)
                                : k == TR_RAW       ? rig_random(r, 0.0f, 1.0f)
                                                    : rig_random(r, 0.0f, 10.0f);
}

/* any joint: rigid, soft, with and without springs, motors and limits that are reached and that are not */
static inline void rig_random_joint(rig *r, uint32_t joint)
{
    for (uint32_t f = 0; f < TR2_FIELD_COUNT; f++)
        r->field[f][joint] = rig_random(r, -1.0f, 1.0f);
    float c, s;
    tr2_rotation((double)rig_random(r, -3.0f, 3.0f), &c, &s);
    r->field[TR2_FIELD_AXIS_X][joint] = c;
    r->field[TR2_FIELD_AXIS_Y][joint] = s;
    r->field[TR2_FIELD_LENGTH][joint] = rig_random(r, 0.0f, 2.0f);
    rig_random_softness(r, TR2_FIELD_LINEAR_KIND, joint);
    rig_random_softness(r, TR2_FIELD_ANGULAR_KIND, joint);
    rig_random_softness(r, TR2_FIELD_SPRING_KIND, joint);
    rig_random_softness(r, TR2_FIELD_DRIVE_KIND, joint);
    rig_set_whole(r, TR2_FIELD_SPRING_ENABLE, joint, rig_bits(r) & 1u);
    rig_set_whole(r, TR2_FIELD_MOTOR_ENABLE, joint, rig_bits(r) & 1u);
    rig_set_whole(r, TR2_FIELD_LIMIT_ENABLE, joint, rig_bits(r) & 1u);
    rig_set_whole(r, TR2_FIELD_DRIVE_POSITION, joint, rig_bits(r) & 1u);
    r->field[TR2_FIELD_MOTOR_MAXIMUM][joint] = rig_random(r, 0.0f, 50.0f);
    r->field[TR2_FIELD_SPRING_FORCE_LOWER][joint] = rig_bits(r) & 1u ? 0.0f : rig_random(r, -50.0f, 0.0f);
    r->field[TR2_FIELD_SPRING_FORCE_UPPER][joint] = rig_bits(r) & 1u ? 0.0f : rig_random(r, 0.0f, 50.0f);
    r->field[TR2_FIELD_FRICTION][joint] = rig_bits(r) & 1u ? 0.0f : rig_random(r, 0.0f, 20.0f);
    r->joint_flags[joint] = rig_bits(r) % 8 == 0 ? TR_JOINT_DISABLED : 0;
    r->field[TR2_FIELD_LIMIT_UPPER][joint] = r->field[TR2_FIELD_LIMIT_LOWER][joint] + rig_random(r, 0.0f, 3.0f);
    r->field[TR2_FIELD_DRIVE_MAX_FORCE][joint] = rig_random(r, 0.0f, 500.0f);
    r->field[TR2_FIELD_DRIVE_MAX_TORQUE][joint] = rig_random(r, 0.0f, 500.0f);
    r->field[TR2_FIELD_MAX_FORCE][joint] = rig_random(r, 0.0f, 500.0f);
    rig_set_whole(r, TR2_FIELD_EQUAL_TORQUE, joint, rig_bits(r) & 1u);
    for (uint32_t i = 0; i < TR2_MAX_OWN; i++)
        r->own[i][joint] = rig_random(r, -1.0f, 1.0f);
    r->own[TR2_CONTACT_FRICTION][joint] = rig_random(r, 0.0f, 1.0f);
    r->own[TR2_CONTACT_RESTITUTION][joint] = rig_bits(r) % 3 == 0 ? 0.0f : rig_random(r, 0.0f, 1.0f);
    r->own[TR2_CONTACT_ROLLING][joint] = rig_random(r, 0.0f, 0.1f);
    /* now and then a body is at its pulley's wheel */
    r->field[TR2_FIELD_RATIO][joint] = rig_random(r, 0.3f, 3.0f);
    r->wide_field[TR2_FIELD_GROUND_A_X][joint] = 1000.0 + (double)rig_random(r, -3.0f, 3.0f);
    r->wide_field[TR2_FIELD_GROUND_A_Y][joint] = -500.0 + (double)rig_random(r, -3.0f, 3.0f);
    r->wide_field[TR2_FIELD_GROUND_B_X][joint] = 1000.0 + (double)rig_random(r, -3.0f, 3.0f);
    r->wide_field[TR2_FIELD_GROUND_B_Y][joint] = -500.0 + (double)rig_random(r, -3.0f, 3.0f);
    r->wide_field[TR2_FIELD_OFFSET][joint] = (double)rig_random(r, -30.0f, 30.0f);
    tr2_rotation((double)rig_random(r, -3.0f, 3.0f), &c, &s);
    r->field[TR2_FIELD_AXIS_B_X][joint] = c;
    r->field[TR2_FIELD_AXIS_B_Y][joint] = s;
    rig_set_whole(r, TR2_FIELD_SLIDES_A, joint, rig_bits(r) & 1u);
    rig_set_whole(r, TR2_FIELD_SLIDES_B, joint, rig_bits(r) & 1u);
    rig_set_whole(r, TR2_FIELD_MESHED, joint, 1);
    for (uint32_t i = 0; i < TR2_MAX_IMPULSES; i++)
        r->impulse[i][joint] = rig_random(r, -0.2f, 0.2f);
    r->turn[joint] = (double)(rig_bits(r) % 7) - 3.0;
}

/* lanes of one block share no moving row; fixed rows may be in many. The last block ends in empty lanes. */
static inline void rig_random_block(rig *r, uint32_t block, bool contiguous)
{
    int32_t row[RIG_MOVING];
    for (int32_t i = 0; i < RIG_MOVING; i++)
        row[i] = i;
    uint32_t used = block + 1 == RIG_BLOCKS && !contiguous ? 1 + rig_bits(r) % TR_LANES : TR_LANES;
    r->flags[block] = contiguous ? TR_BLOCK_CONTIGUOUS : 0;
    for (uint32_t i = 0; i < TR_LANES; i++) {
        int32_t ends[2];
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t next = 2 * i + e, j = next + rig_bits(r) % (RIG_MOVING - next);
            ends[e] = row[j];
            row[j] = row[next];
            if (e == rig_bits(r) % 4)
                ends[e] = RIG_FIXED + (int32_t)(rig_bits(r) % 3);
            if (i >= used)
                ends[e] = RIG_NULL;
            if (ends[e] >= RIG_MOVING)
                r->flags[block] |= TR_BLOCK_FIXED;
        }
        r->block[block].bodies.a[i] = TR2_ROW * ends[0];
        r->block[block].bodies.b[i] = TR2_ROW * ends[1];
        uint32_t joint = contiguous ? i : TR_LANES - 1 - i;
        r->joint_rows[block * TR_LANES + i] = i < used ? block * TR_LANES + joint : TR_NONE;
    }
}

/*
 * Carriers for the kernels that have them, the world for the others: rows that no other lane of the block has, or one
 * for both, or the lane's own A or B, or one that does not move, or the world.
 */
static inline void rig_give_carriers(rig *r, uint32_t kernel)
{
    bool has = tr2_kernel_has_carriers(kernel);
    for (uint32_t b = 0; b < RIG_BLOCKS; b++) {
        for (uint32_t i = 0; i < TR_LANES; i++) {
            bool taken[RIG_MOVING] = {false};
            for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                const int32_t used[4] = {r->block[b].bodies.a[lane] / TR2_ROW, r->block[b].bodies.b[lane] / TR2_ROW,
                                         lane < i ? r->carrier[0][b * TR_LANES + lane] : RIG_NULL,
                                         lane < i ? r->carrier[1][b * TR_LANES + lane] : RIG_NULL};
                for (int e = 0; e < 4; e++)
                    if (used[e] < RIG_MOVING)
                        taken[used[e]] = true;
            }
            int32_t next[2] = {RIG_NULL, RIG_NULL}, found = 0;
            for (int32_t row = 0; row < RIG_MOVING && found < 2; row++)
                if (!taken[row])
                    next[found++] = row;
            int32_t a = r->block[b].bodies.a[i] / TR2_ROW, c = r->block[b].bodies.b[i] / TR2_ROW, ca = next[0],
                    cb = next[1];
            switch ((i + b) % 8) {
            case 1:
                cb = ca;
                break;
            case 2:
                cb = a;
                break;
            case 3:
                ca = c;
                break;
            case 4:
                ca = c;
                cb = a;
                break;
            case 5:
                ca = RIG_FIXED;
                break;
            case 6:
                cb = RIG_NULL;
                break;
            case 7:
                ca = RIG_NULL;
                break;
            default:
                break;
            }
            bool none = !has || r->joint_rows[b * TR_LANES + i] == TR_NONE;
            r->carrier[0][b * TR_LANES + i] = none ? RIG_NULL : ca;
            r->carrier[1][b * TR_LANES + i] = none ? RIG_NULL : cb;
        }
        uint32_t last = tr2_kernels_scalar.joints[kernel].column_count;
        for (uint32_t which = 0; has && which < 2; which++) {
            for (uint32_t i = 0; i < TR_LANES; i++) {
                int32_t place = TR2_ROW * r->carrier[which][b * TR_LANES + i];
                memcpy(&r->block[b].column[last - 2 + which][i], &place, sizeof place);
            }
        }
    }
}

static inline void rig_fill(rig *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    (void)rig_bits(r);
    r->h = 1.0f / 240.0f;
    r->rigid = rig_soft(60.0f, 2.0f, r->h);
    r->limit = rig_soft(50.0f, 2.0f, r->h);
    r->gear = rig_soft(40.0f, 2.0f, r->h);
    r->contact = rig_soft(30.0f, 10.0f, r->h);
    r->impulse_factor = 0.75f;
    r->gravity = (tr_vec2){0.5f, -10.0f};
    r->even = seed % 2 == 0;
    for (uint32_t i = 0; i < RIG_ROWS; i++)
        rig_random_body(r, i);
    r->frames[RIG_NULL] = (tr2_body_frame){.c = 1.0f};
    r->places[RIG_NULL] = (tr2_body_place){0.0, 0.0};
    r->angle[RIG_NULL] = 0.0;
    r->local_center_x[RIG_NULL] = r->local_center_y[RIG_NULL] = 0.0f;
    r->velocities[RIG_NULL] = (tr2_body_velocity){0.0f, 0.0f, 0.0f, 0.0f};
    memset(r->gain + 4 * RIG_NULL, 0, 4 * sizeof(float));
    /* two tiles that fall, two of which some rows do, one that stands */
    for (uint32_t i = 0; i < RIG_MOVING; i++)
        r->marks[i] = i < 2 * TR_LANES || i % 3 == 0 ? TR_MARK_FALLS : 0;
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        rig_random_joint(r, i);
        r->carrier[0][i] = r->carrier[1][i] = RIG_NULL;
    }
    for (uint32_t b = 0; b < RIG_BLOCKS; b++)
        rig_random_block(r, b, rig_bits(r) % 2 == 0);
    r->fine = seed % 4 >= 2;
    for (uint32_t i = 0; i < 4 * RIG_ROWS; i++)
        r->low[i] = i % 4 == 3 || i / 4 == RIG_NULL ? 0.0f : rig_random(r, -2e-7f, 2e-7f);
}

#endif
