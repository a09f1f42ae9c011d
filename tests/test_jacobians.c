/*
 * What the kernels believe about each joint, taken out of the kernels themselves and compared with the joint's
 * coordinate C, written out here in double precision with the sign rule C = (B side) - (A side):
 *
 * - warm starting with one impulse of 1 changes the velocities by M^-1 J^T, which gives J, row by row; J v must be the
 *   central difference of C along v;
 * - after solving rows that are held with a known bias, J v + bias + gamma lambda = 0: true only if the kernel's K is
 *   J M^-1 J^T;
 * - impulses between two bodies leave their momentum as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "kernel_rig.h"

#define SEEDS 40

/* velocities of two bodies, or a row of J: A's x, y, turn, then B's */
typedef struct six {
    double v[6];
} six;

/* two bodies' centres and angles */
typedef struct place {
    double x[2], y[2], angle[2];
} place;

/* the numbers of one lane's joint that a coordinate needs */
typedef struct joint {
    double anchor[2][2]; /* from the centres of mass */
    double axis[2];
    double frame; /* angle of the frame in which SEEN_X and SEEN_Y are written */
    tr2_joint_type type;
} joint;

static void anchor_at(const joint *j, const place *p, int body, double out[2])
{
    double c = cos(p->angle[body]), s = sin(p->angle[body]);
    out[0] = p->x[body] + c * j->anchor[body][0] - s * j->anchor[body][1];
    out[1] = p->y[body] + s * j->anchor[body][0] + c * j->anchor[body][1];
}

typedef enum coordinate {
    ANGLE,
    LENGTH,
    ACROSS,
    ALONG,
    MINUS_ANGLE,
    MINUS_LENGTH,
    MINUS_ALONG,
    SEEN_X, /* d as A sees it, in a frame that turns with A */
    SEEN_Y
} coordinate;

/* what each column of impulses acts on; an upper limit pushes the other way */
static const coordinate rows[TR2_JOINT_TYPE_COUNT][TR2_MAX_IMPULSES] = {
    [TR2_REVOLUTE] = {SEEN_X, SEEN_Y, ANGLE, ANGLE, ANGLE, MINUS_ANGLE},
    [TR2_DISTANCE] = {LENGTH, LENGTH, LENGTH, MINUS_LENGTH},
    [TR2_PRISMATIC] = {ACROSS, ANGLE, ALONG, ALONG, ALONG, MINUS_ALONG},
    [TR2_WELD] = {SEEN_X, SEEN_Y, ANGLE},
    [TR2_WHEEL] = {ACROSS, ALONG, ALONG, MINUS_ALONG, ANGLE},
    [TR2_MOTOR] = {SEEN_X, SEEN_Y, ANGLE},
};

static double coordinate_at(const joint *j, const place *p, coordinate which)
{
    double a[2], b[2];
    anchor_at(j, p, 0, a);
    anchor_at(j, p, 1, b);
    double d[2] = {b[0] - a[0], b[1] - a[1]};
    double c = cos(p->angle[0]), s = sin(p->angle[0]);
    double n[2] = {c * j->axis[0] - s * j->axis[1], s * j->axis[0] + c * j->axis[1]};
    switch (which) {
    case ANGLE:
        return p->angle[1] - p->angle[0];
    case LENGTH:
        return sqrt(d[0] * d[0] + d[1] * d[1]);
    case ACROSS:
        return -n[1] * d[0] + n[0] * d[1];
    case ALONG:
        return n[0] * d[0] + n[1] * d[1];
    case SEEN_X:
        return cos(j->frame - p->angle[0]) * d[0] - sin(j->frame - p->angle[0]) * d[1];
    case SEEN_Y:
        return sin(j->frame - p->angle[0]) * d[0] + cos(j->frame - p->angle[0]) * d[1];
    case MINUS_ANGLE:
        return -coordinate_at(j, p, ANGLE);
    case MINUS_LENGTH:
        return -coordinate_at(j, p, LENGTH);
    default:
        return -coordinate_at(j, p, ALONG);
    }
}

/* dC/dt along a velocity */
static double coordinate_rate(const joint *j, const place *p, coordinate which, const six *v)
{
    const double e = 1e-6;
    joint seen = *j;
    seen.frame = p->angle[0];
    place forth = *p, back = *p;
    for (int body = 0; body < 2; body++) {
        forth.x[body] += e * v->v[3 * body];
        forth.y[body] += e * v->v[3 * body + 1];
        forth.angle[body] += e * v->v[3 * body + 2];
        back.x[body] -= e * v->v[3 * body];
        back.y[body] -= e * v->v[3 * body + 1];
        back.angle[body] -= e * v->v[3 * body + 2];
    }
    return (coordinate_at(&seen, &forth, which) - coordinate_at(&seen, &back, which)) / (2.0 * e);
}

/*
 * The rig's lanes as the test sees them: all blocks, all with two moving bodies
 */
static void rig_two_moving(rig *r, uint64_t seed)
{
    rig_fill(r, seed);
    for (uint32_t b = 0; b < RIG_BLOCKS; b++) {
        for (int32_t i = 0; i < TR_LANES; i++) {
            r->block[b].bodies.a[i] = (i + 5 * (int32_t)b) % TR_LANES;
            r->block[b].bodies.b[i] = TR_LANES + (3 * i + (int32_t)b) % TR_LANES;
            r->joint_rows[b * TR_LANES + (uint32_t)i] = b * TR_LANES + (uint32_t)i;
        }
        r->flags[b] = 0;
    }
    /* near the origin: differences of positions are not the matter here */
    for (uint32_t i = 0; i < RIG_MOVING; i++) {
        r->frames[i].x -= 1000.0;
        r->frames[i].y += 500.0;
        if (r->frames[i].inverse_inertia == 0.0f)
            r->frames[i].inverse_inertia = 2.0f;
    }
}

static joint joint_of(const rig *r, tr2_joint_type type, uint32_t block, uint32_t lane)
{
    uint32_t row = block * TR_LANES + lane;
    const tr2_body_frame *a = &r->frames[r->block[block].bodies.a[lane]],
                         *b = &r->frames[r->block[block].bodies.b[lane]];
    joint j = {.type = type};
    j.anchor[0][0] = (double)r->field[TR2_ANCHOR_A_X][row] - (double)a->local_center_x;
    j.anchor[0][1] = (double)r->field[TR2_ANCHOR_A_Y][row] - (double)a->local_center_y;
    j.anchor[1][0] = (double)r->field[TR2_ANCHOR_B_X][row] - (double)b->local_center_x;
    j.anchor[1][1] = (double)r->field[TR2_ANCHOR_B_Y][row] - (double)b->local_center_y;
    j.axis[0] = (double)r->field[TR2_AXIS_X][row];
    j.axis[1] = (double)r->field[TR2_AXIS_Y][row];
    return j;
}

/* where the two bodies of a lane are: as the step began, plus what they have moved since */
static place place_of(const rig *r, uint32_t block, uint32_t lane)
{
    place p;
    const int32_t row[2] = {r->block[block].bodies.a[lane], r->block[block].bodies.b[lane]};
    for (int i = 0; i < 2; i++) {
        p.x[i] = r->frames[row[i]].x + (double)r->poses[row[i]].x;
        p.y[i] = r->frames[row[i]].y + (double)r->poses[row[i]].y;
        p.angle[i] = r->frames[row[i]].angle + (double)r->velocities[row[i]].angle;
    }
    return p;
}

static six velocity_of(const rig *r, uint32_t block, uint32_t lane)
{
    const tr2_body_velocity *a = &r->velocities[r->block[block].bodies.a[lane]],
                            *b = &r->velocities[r->block[block].bodies.b[lane]];
    six v = {{(double)a->x, (double)a->y, (double)a->w, (double)b->x, (double)b->y, (double)b->w}};
    return v;
}

static six inverse_masses_of(const rig *r, uint32_t block, uint32_t lane)
{
    const tr2_body_frame *a = &r->frames[r->block[block].bodies.a[lane]],
                         *b = &r->frames[r->block[block].bodies.b[lane]];
    six m = {{(double)a->inverse_mass, (double)a->inverse_mass, (double)a->inverse_inertia, (double)b->inverse_mass,
              (double)b->inverse_mass, (double)b->inverse_inertia}};
    return m;
}

static void stop(rig *r)
{
    for (uint32_t i = 0; i < RIG_ROWS; i++)
        r->velocities[i].x = r->velocities[i].y = r->velocities[i].w = 0.0f;
}

static double dot6(const six *a, const six *b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += a->v[i] * b->v[i];
    return sum;
}

/* moves every body a little, as half a step of sub-steps would have */
static void move(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++) {
        float angle = rig_random(r, -0.6f, 0.6f), c, s;
        tr2_rotation((double)angle, &c, &s);
        r->velocities[i].angle = angle;
        r->poses[i] = (tr2_body_pose){rig_random(r, -0.3f, 0.3f), rig_random(r, -0.3f, 0.3f), c, s};
    }
}

/* one unit impulse in one row of every joint, and in nothing else; then what it does to bodies at rest */
static void push_row(rig *r, uint32_t kernel, uint32_t row)
{
    const tr2_joint_kernel *k = &tr2_kernels_scalar.joints[kernel];
    for (uint32_t b = 0; b < RIG_BLOCKS; b++)
        for (uint32_t i = 0; i < k->impulse_count; i++)
            for (uint32_t lane = 0; lane < TR_LANES; lane++)
                r->block[b].column[i][lane] = i == row ? 1.0f : 0.0f;
}

static void warm_start_block(rig *r, uint32_t kernel, uint32_t block)
{
    tr2_kernel_context context = rig_context(r);
    tr2_blocks blocks = rig_blocks(r);
    tr2_kernels_scalar.joints[kernel].warm_start(&context, &blocks, block, 1);
}

static void prepare(rig *r, uint32_t kernel)
{
    tr2_kernel_context context = rig_context(r);
    tr2_blocks blocks = rig_blocks(r);
    tr2_joint_columns columns = rig_columns(r, (tr2_joint_type)(kernel / 2));
    tr2_kernels_scalar.joints[kernel].prepare(&context, &columns, &blocks, 0, RIG_BLOCKS);
}

static void pass(rig *r, uint32_t kernel, uint32_t block, bool relax)
{
    tr2_kernel_context context = rig_context(r);
    tr2_blocks blocks = rig_blocks(r);
    const tr2_joint_kernel *k = &tr2_kernels_scalar.joints[kernel];
    (relax ? k->relax : k->solve)(&context, &blocks, block, 1);
}

/* M^-1 J^T of one row of the kernel, lane by lane of one block, as it stands after prepare or relax */
static void take_row(const rig *prepared, uint32_t kernel, uint32_t block, uint32_t row, six *out)
{
    static rig r;
    r = *prepared;
    stop(&r);
    push_row(&r, kernel, row);
    warm_start_block(&r, kernel, block);
    for (uint32_t lane = 0; lane < TR_LANES; lane++)
        out[lane] = velocity_of(&r, block, lane);
}

/* with masses of 1 that is J itself */
static void unit_masses(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++)
        r->frames[i].inverse_mass = r->frames[i].inverse_inertia = 1.0f;
}

/* float rounding of arms of a few metres, some 1e-6, beside the central difference's 1e-9 */
static void check_row(rig *r, uint32_t kernel, uint32_t block, uint32_t row)
{
    tr2_joint_type type = (tr2_joint_type)(kernel / 2);
    six j[TR_LANES];
    take_row(r, kernel, block, row, j);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        joint joint_here = joint_of(r, type, block, lane);
        place here = place_of(r, block, lane);
        if (type == TR2_DISTANCE && coordinate_at(&joint_here, &here, LENGTH) < 0.05)
            continue;
        for (int sample = 0; sample < 4; sample++) {
            six v;
            for (int i = 0; i < 6; i++)
                v.v[i] = (double)rig_random(r, -1.0f, 1.0f);
            double want = coordinate_rate(&joint_here, &here, rows[type][row], &v), is = dot6(&j[lane], &v);
            if (fabs(is - want) > 2e-5)
                fail_msg("%s kernel %u, row %u, lane %u: J v is %.9g, the coordinate changes by %.9g",
                         tr2_joint_types[type]->name, kernel, row, lane, is, want);
        }
    }
}

static void every_row_is_the_derivative_of_its_coordinate(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < TR2_KERNEL_COUNT; kernel++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            unit_masses(&r);
            prepare(&r, kernel);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++)
                check_row(&r, kernel, (uint32_t)seed % RIG_BLOCKS, row);
        }
    }
}

/* after bodies have moved, the relaxing pass takes the rows anew where they are */
static void every_row_follows_the_bodies_through_the_step(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < TR2_KERNEL_COUNT; kernel++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            unit_masses(&r);
            prepare(&r, kernel);
            move(&r);
            uint32_t block = (uint32_t)seed % RIG_BLOCKS;
            pass(&r, kernel, block, true);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++)
                check_row(&r, kernel, block, row);
        }
    }
}

/*
 * K
 */

/* the rows that a joint holds as one block or row: how many, and how each is held */
static uint32_t held_rows(tr2_joint_type type)
{
    static const uint32_t count[TR2_JOINT_TYPE_COUNT] = {2, 1, 2, 3, 1, 2};
    return count[type];
}

static bool is_angular(coordinate which)
{
    return which == ANGLE || which == MINUS_ANGLE;
}

/* nothing but the held rows; every joint held as said. A motor joint holds an offset, with all the force in the world. */
static void hold_only(rig *r, tr_softness_kind kind)
{
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        static const tr2_field groups[] = {TR2_LINEAR_KIND, TR2_ANGULAR_KIND, TR2_DRIVE_KIND};
        for (int g = 0; g < 3; g++) {
            rig_set_whole(r, groups[g], i, (uint32_t)kind);
            /* frequency and ratio, or stiffness and damping; the two groups differ */
            r->field[groups[g] + 1][i] = kind == TR_PHYSICAL ? 300.0f + 100.0f * (float)g : 10.0f + 5.0f * (float)g;
            r->field[groups[g] + 2][i] = kind == TR_PHYSICAL ? 5.0f : 0.7f;
        }
        rig_set_whole(r, TR2_SPRING_ENABLE, i, 0);
        rig_set_whole(r, TR2_MOTOR_ENABLE, i, 0);
        rig_set_whole(r, TR2_LIMIT_ENABLE, i, 0);
        r->field[TR2_DRIVE_MAX_FORCE][i] = r->field[TR2_DRIVE_MAX_TORQUE][i] = 1e9f;
        for (uint32_t m = 0; m < TR2_MAX_IMPULSES; m++)
            if (m >= 3)
                r->impulse[m][i] = 0.0f;
    }
    /* features keep no impulses where they are off */
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        r->impulse[2][i] = 0.0f;
        r->turn[i] = 0;
    }
}

/* C of a held row as the kernel must see it: with the reference, the rest length, the offset taken off */
static double held_error(const rig *r, const joint *j, const place *p, coordinate which, uint32_t row)
{
    joint here = *j;
    here.frame = p->angle[0];
    double value = coordinate_at(&here, p, which), c = cos(p->angle[0]), s = sin(p->angle[0]);
    bool offset = j->type == TR2_MOTOR;
    double x = offset ? (double)r->field[TR2_DRIVE_OFFSET_X][row] : 0.0;
    double y = offset ? (double)r->field[TR2_DRIVE_OFFSET_Y][row] : 0.0;
    if (which == SEEN_X)
        return value - (c * x - s * y);
    if (which == SEEN_Y)
        return value - (s * x + c * y);
    if (which == LENGTH)
        return value - (double)r->field[TR2_LENGTH][row];
    if (is_angular(which))
        return value - (double)r->field[TR2_REFERENCE_ANGLE][row];
    return value;
}

/*
 * What an implicit spring must satisfy after the solve (docs/solver.md): J v + (bias rate) C + gamma lambda = 0. Rigid
 * here is without softness, so gamma is 0.
 */
static void held_as(const rig *r, tr_softness_kind kind, bool angular, bool drive, double k, double *bias,
                    double *gamma)
{
    double h = (double)r->h;
    int group = drive ? 2 : angular ? 1 : 0;
    if (kind == TR_RIGID) {
        *bias = (double)r->rigid.bias_rate;
        *gamma = 0.0;
    } else if (kind == TR_PHYSICAL) {
        double stiffness = 300.0 + 100.0 * group, damping = 5.0;
        *bias = stiffness / (damping + h * stiffness);
        *gamma = 1.0 / (h * (damping + h * stiffness));
    } else {
        double omega = 2.0 * 3.14159265358979323846 * (10.0 + 5.0 * group), a1 = 2.0 * 0.7 + h * omega;
        *bias = omega / a1;
        *gamma = k / (h * omega * a1);
    }
}

/* lane by lane: the residual of each held row beside the largest term in it */
static void check_solved(const rig *start, const rig *r, uint32_t kernel, uint32_t block, tr_softness_kind kind,
                         bool relax)
{
    tr2_joint_type type = (tr2_joint_type)(kernel / 2);
    uint32_t count = held_rows(type);
    static six mj[3][TR_LANES];
    for (uint32_t row = 0; row < count; row++)
        take_row(r, kernel, block, row, mj[row]);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        joint j = joint_of(r, type, block, lane);
        place p = place_of(r, block, lane);
        six v = velocity_of(r, block, lane), before = velocity_of(start, block, lane);
        six m = inverse_masses_of(r, block, lane);
        if (type == TR2_DISTANCE && coordinate_at(&j, &p, LENGTH) < 0.05)
            continue;
        for (uint32_t row = 0; row < count; row++) {
            coordinate which = rows[type][row];
            bool angular = is_angular(which);
            six jacobian;
            for (int i = 0; i < 6; i++)
                jacobian.v[i] = mj[row][lane].v[i] / m.v[i];
            double k = dot6(&jacobian, &mj[row][lane]), bias, gamma;
            /* a weld's two point rows share one softness, relative to the mean of their K */
            if (type == TR2_WELD && !angular) {
                double other = 0.0;
                for (int i = 0; i < 6; i++)
                    other += mj[1 - row][lane].v[i] * mj[1 - row][lane].v[i] / m.v[i];
                k = 0.5 * (k + other);
            }
            held_as(r, kind, angular, type == TR2_MOTOR, k, &bias, &gamma);
            double lambda = (double)r->block[block].column[row][lane];
            double c = held_error(r, &j, &p, which, block * TR_LANES + lane);
            double terms[3] = {dot6(&jacobian, &v), relax && kind == TR_RIGID ? 0.0 : bias * c, gamma * lambda};
            double size = 1.0 + fabs(dot6(&jacobian, &before)) + fabs(terms[1]) + fabs(terms[2]);
            /* the block's inverse in float: K has a condition of some thousands here */
            if (fabs(terms[0] + terms[1] + terms[2]) > 1e-3 * size)
                fail_msg(
                    "%s kernel %u, held as %d, %s, row %u, lane %u: J v %.9g + bias %.9g + gamma lambda %.9g is not 0",
                    tr2_joint_types[type]->name, kernel, (int)kind, relax ? "relax" : "solve", row, lane, terms[0],
                    terms[1], terms[2]);
        }
    }
}

static void solve_and_check(uint32_t kernel, tr_softness_kind kind, uint64_t seed, bool relax)
{
    static rig r, start;
    rig_two_moving(&r, seed);
    hold_only(&r, kind);
    r.rigid = (tr2_soft){30.0f, 1.0f, 0.0f};
    prepare(&r, kernel);
    if (relax)
        move(&r);
    uint32_t block = (uint32_t)seed % RIG_BLOCKS;
    start = r;
    pass(&r, kernel, block, relax);
    check_solved(&start, &r, kernel, block, kind, relax);
}

/* a motor joint that holds an offset is featured, and solves its angle before its point, which then is exact */
static bool holds(uint32_t kernel)
{
    return kernel != tr2_kernel_of(TR2_MOTOR, false);
}

/* a frequency is relative to the whole block of a point, not to each row: see below */
static bool frequency_by_row(uint32_t kernel)
{
    return kernel / 2 != TR2_REVOLUTE && kernel / 2 != TR2_MOTOR;
}

static void solve_and_check_all(bool relax)
{
    for (uint32_t kernel = 0; kernel < TR2_KERNEL_COUNT; kernel++) {
        bool featured = kernel % 2 == 1;
        for (uint64_t seed = 0; seed < SEEDS && holds(kernel); seed++) {
            solve_and_check(kernel, TR_RIGID, seed, relax);
            if (featured && frequency_by_row(kernel))
                solve_and_check(kernel, TR_FREQUENCY, seed, relax);
            if (featured)
                solve_and_check(kernel, TR_PHYSICAL, seed, relax);
        }
    }
}

static void solving_satisfies_the_rows_that_are_held(void **state)
{
    (void)state;
    solve_and_check_all(false);
}

static void relaxing_leaves_no_bias_in_rigid_rows_and_springs_as_they_are(void **state)
{
    (void)state;
    solve_and_check_all(true);
}

/*
 * A revolute's frequency is relative to the whole 2 x 2 block: the change of lambda is (mass scale) of the rigid one less
 * (impulse scale) lambda, so J v_new = J v - (mass scale)(J v + bias) - (impulse scale) K lambda.
 */
static void a_revolute_of_a_frequency_is_soft_as_a_block(void **state)
{
    (void)state;
    static rig r, start;
    const uint32_t kernel = tr2_kernel_of(TR2_REVOLUTE, true);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_two_moving(&r, seed);
        hold_only(&r, TR_FREQUENCY);
        prepare(&r, kernel);
        start = r;
        pass(&r, kernel, 0, false);
        tr2_soft soft = rig_soft(10.0f, 0.7f, r.h);
        six mj[2][TR_LANES];
        take_row(&r, kernel, 0, 0, mj[0]);
        take_row(&r, kernel, 0, 1, mj[1]);
        for (uint32_t lane = 0; lane < TR_LANES; lane++) {
            joint j = joint_of(&r, TR2_REVOLUTE, 0, lane);
            place p = place_of(&r, 0, lane);
            six v = velocity_of(&r, 0, lane), before = velocity_of(&start, 0, lane), m = inverse_masses_of(&r, 0, lane);
            for (uint32_t row = 0; row < 2; row++) {
                six jacobian;
                for (int i = 0; i < 6; i++)
                    jacobian.v[i] = mj[row][lane].v[i] / m.v[i];
                double k_lambda = 0.0;
                for (uint32_t other = 0; other < 2; other++)
                    k_lambda += dot6(&jacobian, &mj[other][lane]) * (double)start.block[0].column[other][lane];
                double rate = dot6(&jacobian, &before), c = held_error(&r, &j, &p, rows[TR2_REVOLUTE][row], lane);
                double want = rate - (double)soft.mass_scale * (rate + (double)soft.bias_rate * c) -
                              (double)soft.impulse_scale * k_lambda;
                double is = dot6(&jacobian, &v);
                if (fabs(is - want) > 1e-3 * (1.0 + fabs(rate) + fabs(k_lambda)))
                    fail_msg("lane %u, row %u: J v is %.9g, must be %.9g", lane, row, is, want);
            }
        }
    }
}

/* a motor joint solves its angle, then its point: the point's rows are exact after one pass, and capped as a circle */
static void a_motor_joint_reaches_its_velocity_or_its_cap(void **state)
{
    (void)state;
    static rig r;
    const uint32_t kernel = tr2_kernel_of(TR2_MOTOR, false);
    uint32_t capped = 0, reached = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_two_moving(&r, seed);
        for (uint32_t i = 0; i < RIG_JOINTS; i++) {
            r.field[TR2_DRIVE_MAX_FORCE][i] = i % 2 == 0 ? 1e9f : 20.0f;
            r.field[TR2_DRIVE_MAX_TORQUE][i] = i % 4 < 2 ? 1e9f : 20.0f;
        }
        prepare(&r, kernel);
        pass(&r, kernel, 0, false);
        six mj[2][TR_LANES];
        take_row(&r, kernel, 0, 0, mj[0]);
        take_row(&r, kernel, 0, 1, mj[1]);
        for (uint32_t lane = 0; lane < TR_LANES; lane++) {
            six v = velocity_of(&r, 0, lane), m = inverse_masses_of(&r, 0, lane);
            double x = (double)r.block[0].column[0][lane], y = (double)r.block[0].column[1][lane];
            double twist = (double)r.block[0].column[2][lane], h = (double)r.h;
            double most = h * (double)r.field[TR2_DRIVE_MAX_FORCE][lane];
            assert_true(fabs(twist) <= h * (double)r.field[TR2_DRIVE_MAX_TORQUE][lane] * 1.000001);
            double length = sqrt(x * x + y * y);
            assert_true(length <= most * 1.000001);
            if (length > most * 0.999999) {
                capped++;
                continue;
            }
            reached++;
            place p = place_of(&r, 0, lane);
            double c = cos(p.angle[0]), s = sin(p.angle[0]);
            double vx = (double)r.field[TR2_DRIVE_VELOCITY_X][lane], vy = (double)r.field[TR2_DRIVE_VELOCITY_Y][lane];
            const double want[2] = {c * vx - s * vy, s * vx + c * vy};
            for (uint32_t row = 0; row < 2; row++) {
                six jacobian;
                for (int i = 0; i < 6; i++)
                    jacobian.v[i] = mj[row][lane].v[i] / m.v[i];
                if (fabs(dot6(&jacobian, &v) - want[row]) > 1e-3 * (1.0 + fabs(want[row])))
                    fail_msg("lane %u, row %u: velocity %.9g, must be %.9g", lane, row, dot6(&jacobian, &v), want[row]);
            }
        }
    }
    /* both happened, often */
    assert_true(capped > 50 && reached > 200);
}

/* Impulses between two bodies: linear and angular momentum stay, to rounding, also where the joint is not satisfied. */
static void impulses_conserve_momentum(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < TR2_KERNEL_COUNT; kernel++) {
        tr2_joint_type type = (tr2_joint_type)(kernel / 2);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            prepare(&r, kernel);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++) {
                six dv[TR_LANES];
                take_row(&r, kernel, 0, row, dv);
                for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                    six m = inverse_masses_of(&r, 0, lane), p;
                    place at = place_of(&r, 0, lane);
                    for (int i = 0; i < 6; i++)
                        p.v[i] = dv[lane].v[i] / m.v[i];
                    double twist =
                        at.x[0] * p.v[1] - at.y[0] * p.v[0] + p.v[2] + at.x[1] * p.v[4] - at.y[1] * p.v[3] + p.v[5];
                    if (fabs(p.v[0] + p.v[3]) > 1e-6 || fabs(p.v[1] + p.v[4]) > 1e-6 || fabs(twist) > 2e-5)
                        fail_msg("%s kernel %u, row %u: momentum %g, %g, angular %g out of nothing",
                                 tr2_joint_types[type]->name, kernel, row, p.v[0] + p.v[3], p.v[1] + p.v[4], twist);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_the_derivative_of_its_coordinate),
        cmocka_unit_test(every_row_follows_the_bodies_through_the_step),
        cmocka_unit_test(solving_satisfies_the_rows_that_are_held),
        cmocka_unit_test(relaxing_leaves_no_bias_in_rigid_rows_and_springs_as_they_are),
        cmocka_unit_test(a_revolute_of_a_frequency_is_soft_as_a_block),
        cmocka_unit_test(a_motor_joint_reaches_its_velocity_or_its_cap),
        cmocka_unit_test(impulses_conserve_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
