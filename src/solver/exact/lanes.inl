/*
 * A step of islands side by side (exact_lanes.h), with the equations of exact_rows.c and exact_solve.c for joints that
 * hold points together. The including file defines TR_WIDTH, and TR_LANES_TABLE as the name of the table.
 */
#include <float.h>
#include <string.h>

#include "base/finite.h"
#include "simd/doubles.h"
#include "solver/exact/exact_lanes.h"

#define AXES    TRN_AXES
#define SPINS   TRN_SPINS
#define DEGREES TRN_DEGREES

/* vectors, and spins, of all lanes */
typedef struct lv {
    wd x[AXES];
} lv;
typedef struct ls {
    wd x[SPINS];
} ls;

TR_INLINE lv lv_plus(lv a, lv b)
{
    for (int i = 0; i < AXES; i++)
        a.x[i] = a.x[i] + b.x[i];
    return a;
}

TR_INLINE lv lv_minus(lv a, lv b)
{
    for (int i = 0; i < AXES; i++)
        a.x[i] = a.x[i] - b.x[i];
    return a;
}

TR_INLINE lv lv_times(wd k, lv a)
{
    for (int i = 0; i < AXES; i++)
        a.x[i] = k * a.x[i];
    return a;
}

TR_INLINE wd lv_dot(lv a, lv b)
{
    wd sum = a.x[0] * b.x[0];
    for (int i = 1; i < AXES; i++)
        sum = sum + a.x[i] * b.x[i];
    return sum;
}

TR_INLINE wd lane_max(wd a, wd b)
{
    return wd_select(wd_lt(b, a), a, b);
}

TR_INLINE wd lane_min(wd a, wd b)
{
    return wd_select(wd_lt(a, b), a, b);
}

TR_INLINE bool lane_any(wdm m)
{
    int64_t any = 0;
    for (int i = 0; i < TR_DOUBLES; i++)
        any |= m[i];
    return any != 0;
}

/* As tr_sincos(), for angles below 1e9. */
TR_INLINE void lane_sincos(wd angle, wd *sine, wd *cosine)
{
    /* adding it leaves the nearest integer in the low bits */
    const wd magic = wd_set(6755399441055744.0);
    const wd shifted = angle * wd_set(6.36619772367581382433e-01) + magic;
    const wd q = shifted - magic;
    const wd r = ((angle - q * wd_set(1.57079632673412561417e+00)) - q * wd_set(6.07710050630396597660e-11)) -
                 q * wd_set(2.02226624879595063154e-21);
    const wd z = r * r;
    const wd s =
        r + r * z *
                (wd_set(-1.66666666666666324348e-01) +
                 z * (wd_set(8.33333333332248946124e-03) +
                      z * (wd_set(-1.98412698298579493134e-04) +
                           z * (wd_set(2.75573137070700676789e-06) +
                                z * (wd_set(-2.50507602534068634195e-08) + z * wd_set(1.58969099521155010221e-10))))));
    const wd c =
        wd_set(1.0) -
        (wd_set(0.5) * z -
         z * z *
             (wd_set(4.16666666666666019037e-02) +
              z * (wd_set(-1.38888888888741095749e-03) +
                   z * (wd_set(2.48015872894767294178e-05) +
                        z * (wd_set(-2.75573143513906633035e-07) +
                             z * (wd_set(2.08757232129817482790e-09) + z * wd_set(-1.13596475577881948265e-11)))))));
    const wdm bits = (wdm)shifted;
    const wdm odd = -(bits & 1), low = -((bits >> 1) & 1), negative = -(((bits >> 1) ^ bits) & 1);
    const wd swapped_s = wd_select(odd, c, s), swapped_c = wd_select(odd, s, c);
    *sine = wd_select(low, -swapped_s, swapped_s);
    *cosine = wd_select(negative, -swapped_c, swapped_c);
}

/* of a body, what no dimension has of its own: TRN_EXACT_LANES_FILE has lane_pose */
#include TRN_EXACT_LANES_FILE

typedef struct lane_body {
    lane_pose pose;
    lv center;
    wd v[DEGREES];
    wd mass, inverse_mass;
    wd inertia[SPINS][SPINS], inverse[SPINS][SPINS], slow[SPINS][SPINS], slow_inverse[SPINS][SPINS];
    wd stiffness[SPINS][SPINS], before[SPINS][SPINS];
    wd slowness, gyration[SPINS];
    wd pull[DEGREES]; /* acceleration; torque */
    wd damping[2][2]; /* in half a sub-step and in a whole one, of v and w: the share that is lost */
    wd fall[DEGREES], change[DEGREES];
} lane_body;

/* A joint, whose rows are n . d for the axes n of the world. Their Jacobians are -n and n, and these: */
typedef struct lane_joint {
    uint32_t end[2]; /* into the bodies; those that do not move come after those that do */
    lv anchor[2];    /* from the centre of mass, in the axes of the pose */
    ls turn[2][AXES];
    wd u[AXES], b[AXES], bend[AXES], close[AXES], force[AXES], total[2][AXES];
    wd e;
} lane_joint;

typedef struct lane_pack {
    const trn_exact_step *step;
    const trn_exact_shape *shape;
    const tr_program *program;
    uint32_t body_count, joint_count, all_bodies;
    lane_body *bodies;
    lane_joint *joints;
    wd *value;  /* of the factor */
    wd (*x)[2]; /* changes of velocities and minus impulses; shifts */
    wd *scratch;
    wdm bad;
} lane_pack;

#define LANE_BODY_PARTS
#include TRN_EXACT_LANES_FILE
#undef LANE_BODY_PARTS

/*
 * The factor
 */

/* to -= u l^T of two blocks, of which all sizes are known where it is inlined */
TR_INLINE void take_block(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < (own ? r + 1 : columns); c++) {
            wd sum = to[r * columns + c];
            for (uint32_t k = 0; k < depth; k++)
                sum = sum - u[r * depth + k] * l[c * depth + k];
            to[r * columns + c] = sum;
        }
}

TR_INLINE void take_sized(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
{
    if (own && rows == AXES)
        take_block(to, u, l, AXES, AXES, depth, true);
    else if (own)
        take_block(to, u, l, DEGREES, DEGREES, depth, true);
    else if (rows == AXES && columns == AXES)
        take_block(to, u, l, AXES, AXES, depth, false);
    else if (rows == AXES)
        take_block(to, u, l, AXES, DEGREES, depth, false);
    else if (columns == AXES)
        take_block(to, u, l, DEGREES, AXES, depth, false);
    else
        take_block(to, u, l, DEGREES, DEGREES, depth, false);
}

/* Factors a column, and takes what it gives to the right-hand sides: the way forward is done when all columns are. */
TR_INLINE void factor_column(lane_pack *p, const tr_program_column *column, uint32_t width)
{
    const tr_program_block *blocks = p->program->blocks + column->first;
    const uint32_t *target = p->program->targets + column->target;
    wd *own = p->value + column->start, *u = p->scratch;
    wd above[DEGREES], inverse[DEGREES];
    for (uint32_t c = 0; c < width; c++) {
        const wd d = own[c * width + c], none = wd_set(0.0);
        p->bad |= ~(column->joint ? wd_lt(d, none) : wd_lt(none, d));
        inverse[c] = wd_set(1.0) / d;
        for (uint32_t r = c + 1; r < width; r++) {
            above[r] = own[r * width + c];
            const wd l = above[r] * inverse[c];
            for (uint32_t k = c + 1; k <= r; k++)
                own[r * width + k] = own[r * width + k] - l * above[k];
            own[r * width + c] = l;
        }
    }
    wd(*unknown)[2] = p->x + column->number, x[DEGREES][2];
    for (uint32_t c = 0; c < width; c++)
        for (int side = 0; side < 2; side++) {
            x[c][side] = unknown[c][side];
            for (uint32_t k = 0; k < c; k++)
                x[c][side] = x[c][side] - own[c * width + k] * x[k][side];
            unknown[c][side] = x[c][side] * inverse[c];
        }
    wd *row = own + width * width;
    for (uint32_t i = 0; i < column->count; i++) {
        wd(*out)[2] = p->x + blocks[i].number;
        for (uint32_t r = 0; r < blocks[i].size; r++, row += width, u += width) {
            wd one = out[r][0], other = out[r][1];
            for (uint32_t c = 0; c < width; c++) {
                wd sum = row[c];
                for (uint32_t k = 0; k < c; k++)
                    sum = sum - u[k] * own[c * width + k];
                u[c] = sum;
                row[c] = sum * inverse[c];
                one = one - row[c] * x[c][0];
                other = other - row[c] * x[c][1];
            }
            out[r][0] = one;
            out[r][1] = other;
        }
    }
    const wd *l = own + width * width;
    u = p->scratch;
    for (uint32_t i = 0; i < column->count; i++) {
        const wd *from = l;
        for (uint32_t j = 0; j <= i; j++, target++) {
            take_sized(p->value + *target, u, from, blocks[i].size, blocks[j].size, width, i == j);
            from += blocks[j].size * width;
        }
        u += blocks[i].size * width;
    }
}

static void factor_pack(lane_pack *p)
{
    for (uint32_t i = 0; i < p->program->column_count; i++) {
        const tr_program_column *column = &p->program->columns[i];
        if (column->joint)
            factor_column(p, column, AXES);
        else
            factor_column(p, column, DEGREES);
    }
}

/* own -= L^T out of a block, whose rows have `width` numbers each, for both right-hand sides */
TR_INLINE void back_rows(wd (*own)[2], const wd *l, wd (*out)[2], uint32_t rows, uint32_t width)
{
    for (uint32_t r = 0; r < rows; r++, l += width)
        for (uint32_t c = 0; c < width; c++) {
            own[c][0] = own[c][0] - l[c] * out[r][0];
            own[c][1] = own[c][1] - l[c] * out[r][1];
        }
}

TR_INLINE void back_column(lane_pack *p, const tr_program_column *column, uint32_t width)
{
    const wd *own_l = p->value + column->start, *l = own_l + width * width;
    wd(*own)[2] = p->x + column->number, x[DEGREES][2];
    for (uint32_t c = 0; c < width; c++)
        for (int side = 0; side < 2; side++)
            x[c][side] = own[c][side];
    for (uint32_t i = 0; i < column->count; i++) {
        const tr_program_block *block = &p->program->blocks[column->first + i];
        if (block->size == AXES)
            back_rows(x, l, p->x + block->number, AXES, width);
        else
            back_rows(x, l, p->x + block->number, DEGREES, width);
        l += block->size * width;
    }
    for (uint32_t c = width; c-- > 0;)
        for (int side = 0; side < 2; side++) {
            for (uint32_t r = c + 1; r < width; r++)
                x[c][side] = x[c][side] - own_l[r * width + c] * x[r][side];
            own[c][side] = x[c][side];
        }
}

static void solve_pack(lane_pack *p)
{
    const tr_program_column *columns = p->program->columns;
    for (uint32_t i = p->program->column_count; i-- > 0;) {
        if (columns[i].joint)
            back_column(p, &columns[i], AXES);
        else
            back_column(p, &columns[i], DEGREES);
    }
}

/*
 * A kick
 */
typedef struct lane_kick {
    double h, time;
    bool first, last, early;
} lane_kick;

TR_INLINE lv velocity_of(const lane_body *body)
{
    lv out;
    for (int i = 0; i < AXES; i++)
        out.x[i] = body->v[i];
    return out;
}

TR_INLINE ls spin_of(const lane_body *body)
{
    ls out;
    for (int i = 0; i < SPINS; i++)
        out.x[i] = body->v[AXES + i];
    return out;
}

/* out := matrix in */
TR_INLINE void turn_by(const wd matrix[SPINS][SPINS], const wd *in, wd *out)
{
    for (int i = 0; i < SPINS; i++) {
        wd sum = matrix[i][0] * in[0];
        for (int k = 1; k < SPINS; k++)
            sum = sum + matrix[i][k] * in[k];
        out[i] = sum;
    }
}

/* whether velocities, of all lanes, are those of bodies that go on (trn_exact_is_sane()) */
TR_INLINE wdm is_slow_enough(const lane_pack *p, const wd v[DEGREES])
{
    const wd speed = wd_set((double)TR_SANE_SPEED * p->step->unit), turn = wd_set((double)TR_SANE_TURN / p->step->h);
    wdm sane = wd_le(wd_abs(v[0]), speed);
    for (int i = 1; i < DEGREES; i++)
        sane &= wd_le(wd_abs(v[i]), i < AXES ? speed : turn);
    return sane;
}

static void begin_lane_body(lane_pack *p, const lane_kick *kick, lane_body *body)
{
    const wd time = wd_set(kick->time);
    wd rate[DEGREES], next[DEGREES];
    lane_inertia(body);
    for (int i = 0; i < AXES; i++)
        rate[i] = body->pull[i];
    turn_by((const wd(*)[SPINS])body->inverse, body->pull + AXES, rate + AXES);
    const wd *damping = body->damping[kick->time == kick->h];
    for (int i = 0; i < DEGREES; i++) {
        body->fall[i] = time * rate[i] - damping[i >= AXES] * body->v[i];
        next[i] = body->v[i] + body->fall[i];
    }
    p->bad |= ~is_slow_enough(p, next);
    memset(body->stiffness, 0, sizeof body->stiffness);
}

static void evaluate_lane_joint(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const ls wa = spin_of(a), wb = spin_of(b);
    const lv ra = lane_turned(&a->pose, joint->anchor[0]), rb = lane_turned(&b->pose, joint->anchor[1]);
    const lv d = lv_plus(lv_minus(b->center, a->center), lv_minus(rb, ra));
    const lv d_rate =
        lv_minus(lv_plus(velocity_of(b), lane_whirl(wb, rb)), lv_plus(velocity_of(a), lane_whirl(wa, ra)));
    const lv arm = lv_plus(ra, d), turning = lane_whirl(wa, d);
    const lv rate = lv_minus(d_rate, turning);
    const lv centripetal = lv_minus(lane_whirl(wb, lane_whirl(wb, rb)), lane_whirl(wa, lane_whirl(wa, ra)));
    const lv bend =
        lv_plus(centripetal, lv_minus(lane_whirl(wa, turning), lv_times(wd_set(2.0), lane_whirl(wa, d_rate))));
    lane_levers(arm, joint->turn[0]);
    for (int r = 0; r < AXES; r++)
        for (int i = 0; i < SPINS; i++)
            joint->turn[0][r].x[i] = -joint->turn[0][r].x[i];
    lane_levers(rb, joint->turn[1]);
    const wd most = wd_set(TR_EXACT_CORRECTS_AT * p->step->unit * kick->h);
    wd sum = wd_set(0.0);
    for (int r = 0; r < AXES; r++) {
        joint->u[r] = rate.x[r];
        joint->b[r] = wd_set(0.0);
        joint->bend[r] = bend.x[r];
        joint->close[r] = lane_max(lane_min(d.x[r], most), -most);
        for (int end = 0; end < 2; end++) {
            const lane_body *body = end == 0 ? a : b;
            if (joint->end[end] >= p->body_count)
                continue;
            wd moved[SPINS];
            turn_by((const wd(*)[SPINS])body->inverse, joint->turn[end][r].x, moved);
            sum = sum + body->inverse_mass;
            for (int i = 0; i < SPINS; i++)
                sum = sum + joint->turn[end][r].x[i] * moved[i];
        }
    }
    joint->e = sum * wd_set(TR_EXACT_COMPLIANCE / AXES);
    lv force;
    for (int r = 0; r < AXES; r++)
        force.x[r] = joint->force[r];
    if (joint->end[0] < p->body_count)
        lane_stiffen(a, ra, lv_times(wd_set(-1.0), force));
    if (joint->end[1] < p->body_count)
        lane_stiffen(b, rb, force);
}

TR_INLINE wd trace_of_lanes(wd a[SPINS][SPINS])
{
    wd sum = a[0][0];
    for (int i = 1; i < SPINS; i++)
        sum = sum + a[i][i];
    return sum;
}

static void slow_lane_body(const lane_kick *kick, lane_body *body)
{
    const wdm less = wd_lt(trace_of_lanes(body->before), trace_of_lanes(body->stiffness));
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++) {
            const wd now = body->stiffness[i][k];
            if (!kick->first)
                body->stiffness[i][k] = wd_select(less, body->before[i][k], now);
            body->before[i][k] = now;
        }
    lane_slow(body, kick->h * kick->h / TR_EXACT_STIFF_FROM);
}

static void bend_lane_joint(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    const wd one = wd_set(1.0), h = wd_set(kick->h);
    const wd turn_most = wd_set(TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST), slow_from = wd_set(TR_EXACT_SLOW_FROM);
    wd share = one;
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        if (joint->end[end] >= p->body_count)
            continue;
        wd square = wd_set(0.0);
        for (int i = AXES; i < DEGREES; i++)
            square = square + h * h * body->v[i] * body->v[i];
        const wdm slow = wd_le(body->slowness, slow_from), fast = wd_lt(turn_most, square);
        if (lane_any(slow | fast)) {
            wd own = wd_select(slow, body->slowness / slow_from, one);
            own = wd_select(fast, own * (turn_most / square), own);
            share = lane_min(own, share);
        }
        for (int r = 0; r < AXES; r++)
            for (int i = 0; i < SPINS; i++)
                joint->bend[r] = joint->bend[r] + joint->turn[end][r].x[i] * body->gyration[i];
    }
    for (int r = 0; r < AXES; r++)
        joint->b[r] = wd_set(0.5) * h * share * joint->bend[r];
}

/* the numbers of a body, and of a joint, in the system and its right-hand sides */
static void put_body(lane_pack *p, uint32_t b)
{
    const lane_body *body = &p->bodies[b];
    wd *own = p->value + p->shape->place[b], (*x)[2] = p->x + (size_t)b * DEGREES;
    wd spin[SPINS];
    for (int i = 0; i < AXES; i++) {
        own[i * DEGREES + i] = body->mass;
        x[i][0] = body->mass * body->fall[i];
    }
    turn_by(body->slow, body->fall + AXES, spin);
    for (int i = 0; i < SPINS; i++) {
        x[AXES + i][0] = spin[i];
        for (int k = 0; k <= i; k++)
            own[(AXES + i) * DEGREES + AXES + k] = body->slow[i][k];
    }
    for (int i = 0; i < DEGREES; i++)
        x[i][1] = wd_set(0.0);
}

static uint32_t put_joint(lane_pack *p, uint32_t j, uint32_t edge)
{
    const lane_joint *joint = &p->joints[j];
    const trn_exact_shape *shape = p->shape;
    wd *own = p->value + shape->place[p->body_count + j];
    wd(*x)[2] = p->x + (size_t)p->body_count * DEGREES + (size_t)j * AXES;
    for (int r = 0; r < AXES; r++) {
        own[r * AXES + r] = -joint->e;
        x[r][0] = -(joint->u[r] + joint->b[r]);
        x[r][1] = -joint->close[r];
    }
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count)
            continue;
        wd *to = p->value + shape->place[edge];
        const bool turned = shape->turned[edge++];
        const wd sign = wd_set(end == 0 ? -1.0 : 1.0);
        for (int r = 0; r < AXES; r++) {
            to[turned ? r * DEGREES + r : r * AXES + r] = sign;
            for (int i = 0; i < SPINS; i++)
                to[turned ? r * DEGREES + AXES + i : (AXES + i) * AXES + r] = joint->turn[end][r].x[i];
        }
    }
    return edge;
}

/* What impulses change in velocities: momentum is conserved whatever they are. */
static void push_lanes(lane_pack *p, const lane_kick *kick)
{
    const wd(*impulses)[2] = (const wd(*)[2])p->x + (size_t)p->body_count * DEGREES;
    const wd per_time = wd_set(1.0 / kick->time);
    for (uint32_t b = 0; b < p->body_count; b++)
        for (int i = 0; i < DEGREES; i++)
            p->bodies[b].change[i] = wd_set(0.0);
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        for (int r = 0; r < AXES; r++) {
            const wd lambda = -impulses[(size_t)j * AXES + (uint32_t)r][0];
            joint->force[r] = lambda * per_time;
            wd *total = &joint->total[kick->early ? 0 : 1][r];
            *total = *total + lambda;
            for (int end = 0; end < 2; end++) {
                if (joint->end[end] >= p->body_count)
                    continue;
                wd *to = p->bodies[joint->end[end]].change;
                to[r] = end == 0 ? to[r] - lambda : to[r] + lambda;
                for (int i = 0; i < SPINS; i++)
                    to[AXES + i] = to[AXES + i] + joint->turn[end][r].x[i] * lambda;
            }
        }
    }
}

/* the share of the correction by which no body moves too far */
static wd scale_of_shift(const lane_pack *p, const lane_kick *kick)
{
    const wd one = wd_set(1.0), time = wd_set(TR_EXACT_SHIFTS_AT * kick->h), linear = time * wd_set(p->step->unit);
    wd most[2] = {wd_set(0.0), wd_set(0.0)};
    for (uint32_t b = 0; b < p->body_count; b++)
        for (int i = 0; i < DEGREES; i++)
            most[i >= AXES] = lane_max(wd_abs(p->x[(size_t)b * DEGREES + (uint32_t)i][1]), most[i >= AXES]);
    if (!lane_any(wd_lt(linear, most[0]) | wd_lt(time, most[1])))
        return one;
    return lane_min(wd_select(wd_lt(linear, most[0]), linear / most[0], one),
                    wd_select(wd_lt(time, most[1]), time / most[1], one));
}

static void move_lane_body(lane_pack *p, const lane_kick *kick, uint32_t b, wd scale)
{
    lane_body *body = &p->bodies[b];
    const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)b * DEGREES;
    const wd h = wd_set(kick->h), most = wd_set(DBL_MAX);
    wd spin[SPINS];
    ls by;
    turn_by((const wd(*)[SPINS])body->slow_inverse, body->change + AXES, spin);
    for (int i = 0; i < AXES; i++)
        body->v[i] = body->v[i] + (body->inverse_mass * body->change[i] + body->fall[i]);
    for (int i = 0; i < SPINS; i++) {
        body->v[AXES + i] = body->v[AXES + i] + (spin[i] + body->fall[AXES + i]);
        by.x[i] = scale * x[AXES + i][1];
    }
    p->bad |= ~is_slow_enough(p, body->v);
    for (int i = 0; i < AXES; i++) {
        body->center.x[i] = body->center.x[i] + scale * x[i][1];
        if (!kick->last)
            body->center.x[i] = body->center.x[i] + h * body->v[i];
        p->bad |= ~wd_le(wd_abs(body->center.x[i]), most);
    }
    p->bad |= ~lane_rotate(body, by, kick->last ? 0.0 : kick->h);
}

static void run_lane_kick(lane_pack *p, const lane_kick *kick)
{
    uint32_t edge = p->body_count + p->joint_count;
    for (uint32_t b = 0; b < p->body_count; b++)
        begin_lane_body(p, kick, &p->bodies[b]);
    for (uint32_t j = 0; j < p->joint_count; j++)
        evaluate_lane_joint(p, kick, &p->joints[j]);
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    for (uint32_t b = 0; b < p->body_count; b++) {
        slow_lane_body(kick, &p->bodies[b]);
        put_body(p, b);
    }
    for (uint32_t j = 0; j < p->joint_count; j++) {
        if (!kick->last)
            bend_lane_joint(p, kick, &p->joints[j]);
        edge = put_joint(p, j, edge);
    }
    factor_pack(p);
    solve_pack(p);
    push_lanes(p, kick);
    const wd scale = scale_of_shift(p, kick);
    for (uint32_t b = 0; b < p->body_count; b++)
        move_lane_body(p, kick, b, scale);
}

/*
 * From the tables, and back
 */

/* the share of a velocity that is lost in a time: of second order, and never more than all of it */
static double lost(double c)
{
    return (c + 0.5 * c * c) / (1.0 + c + 0.5 * c * c);
}

static void read_body(lane_pack *p, uint32_t b, int lane, uint32_t row, bool moves)
{
    const trn_exact_step *step = p->step;
    const trn_bodies *bodies = step->system->bodies;
    const trn_body_state *state = &step->exact->state[row];
    lane_body *to = &p->bodies[b];
    double v[DEGREES], pull[DEGREES];
    trn_exact_velocity(state, v);
    const double mass = moves ? (double)bodies->mass[row] : 1.0;
    const trn_dvec rate = trn_plus(
        trn_times((double)trn_body_number(bodies->gravity_scale, row, 1.0f), trn_widen(step->system->settings.gravity)),
        trn_times(1.0 / mass, trn_widen(trn_body_force(bodies, row))));
    trn_equation_put(pull, rate, trn_widen_spin(trn_body_torque(bodies, row)));
    const double damping[2] = {(double)trn_body_number(bodies->linear_damping, row, 0.0f),
                               (double)trn_body_number(bodies->angular_damping, row, 0.0f)};
    to->mass[lane] = mass;
    to->inverse_mass[lane] = 1.0 / mass;
    for (int i = 0; i < DEGREES; i++) {
        to->v[i][lane] = v[i];
        to->pull[i][lane] = pull[i];
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            to->damping[i][k][lane] = lost((i == 0 ? 0.5 : 1.0) * step->h * damping[k]);
    double center[AXES];
    trn_exact_center(state, center);
    for (int i = 0; i < AXES; i++)
        to->center.x[i][lane] = center[i];
    lane_pose_read(&to->pose, lane, bodies, row, state, moves);
    lane_inertia_read(to, lane, bodies, row, moves);
}

static void read_joint(lane_pack *p, uint32_t j, int lane, const trn_exact_joint *from, uint32_t first_body)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[from->type];
    lane_joint *to = &p->joints[j];
    for (uint32_t end = 0; end < 2; end++) {
        float anchor[AXES];
        for (uint32_t i = 0; i < AXES; i++) {
            const uint32_t bits =
                trn_joint_cell(joints, (trn_field)((uint32_t)TRN_FIELD_ANCHOR_A_X + end * AXES + i), from->row);
            memcpy(&anchor[i], &bits, sizeof bits);
        }
        const uint32_t row = from->end[end];
        if (from->at[end] != TR_ENDS) {
            to->end[end] = from->body[from->at[end]] - first_body;
        } else {
            if (lane == 0)
                to->end[end] = p->all_bodies++;
            read_body(p, to->end[end], lane, row, false);
        }
        double local[AXES];
        lane_anchor(step->system->bodies, row, &step->exact->state[row], anchor, local, from->at[end] != TR_ENDS);
        for (int i = 0; i < AXES; i++)
            to->anchor[end].x[i][lane] = local[i];
    }
    for (uint32_t r = 0; r < AXES; r++) {
        to->force[r][lane] = (double)trn_joint_impulse(joints, r, from->row) * (double)step->solver->report.inv_h;
        to->total[0][r][lane] = to->total[1][r][lane] = 0.0;
    }
}

/* The numbers of bodies are read and written body by body, because those of twins are mostly beside each other; the tables
   are large, so a body's are asked for some bodies ahead. */
#define AHEAD 4u

static void ask_for(const lane_pack *p, const trn_exact_island *first, uint32_t b)
{
    const trn_exact *it = p->step->exact;
    if (b >= p->body_count)
        return;
    const uint32_t row = it->bodies[first->first_body + b].row;
    const unsigned char *state = (const unsigned char *)&it->state[row];
    for (uint32_t byte = 0; byte < TR_DOUBLES * sizeof *it->state; byte += TR_ALIGNMENT)
        __builtin_prefetch(state + byte, 1);
}

static void read_islands(lane_pack *p, const trn_exact_island *const islands[TR_DOUBLES])
{
    const trn_exact *it = p->step->exact;
    for (uint32_t b = 0; b < p->body_count; b++) {
        ask_for(p, islands[0], b + AHEAD);
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            read_body(p, b, lane, it->bodies[islands[lane]->first_body + b].row, true);
    }
    for (uint32_t j = 0; j < p->joint_count; j++)
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            read_joint(p, j, lane, &it->joints[islands[lane]->first_joint + j], islands[lane]->first_body);
}

static void write_joint(const lane_pack *p, int lane, const lane_joint *joint, const trn_exact_joint *to)
{
    const trn_exact_step *step = p->step;
    const trn_joints *joints = &step->system->joints[to->type];
    const trn_watched *watched = &step->solver->watched;
    const bool watches = trn_exact_is_watched(watched, to->slot);
    for (uint32_t r = 0; r < AXES; r++) {
        if (joints->impulse[r] == NULL)
            continue;
        joints->impulse[r][to->row] = trn_exact_impulse(joint->force[r][lane] * step->h);
        for (uint32_t half = 0; half < 2 && watches; half++)
            trn_watched_add(watched, to->slot, r, tr_finite_float(joint->total[half][r][lane]), half == 0);
    }
}

static void write_body(const lane_pack *p, uint32_t b, int lane, uint32_t row)
{
    trn_bodies *bodies = p->step->system->bodies;
    const lane_body *body = &p->bodies[b];
    trn_body_state *state = &p->step->exact->state[row];
    double v[DEGREES], center[AXES];
    for (int i = 0; i < DEGREES; i++)
        v[i] = body->v[i][lane];
    for (int i = 0; i < AXES; i++)
        center[i] = body->center.x[i][lane];
    trn_exact_set_velocity(state, v);
    trn_exact_set_center(state, center);
    lane_pose_write(&body->pose, lane, bodies, row, state);
    trn_exact_state_write(bodies, row, state);
}

/* of lanes that have not failed */
static void write_islands(const lane_pack *p, trn_exact_island *const islands[TR_DOUBLES], uint32_t count)
{
    const trn_exact *it = p->step->exact;
    for (uint32_t b = 0; b < p->body_count; b++) {
        ask_for(p, islands[0], b + AHEAD);
        for (int lane = 0; lane < (int)count; lane++)
            if (p->bad[lane] == 0)
                write_body(p, b, lane, it->bodies[islands[lane]->first_body + b].row);
    }
    for (uint32_t j = 0; j < p->joint_count; j++)
        for (int lane = 0; lane < (int)count; lane++)
            if (p->bad[lane] == 0)
                write_joint(p, lane, &p->joints[j], &it->joints[islands[lane]->first_joint + j]);
    for (int lane = 0; lane < (int)count; lane++) {
        islands[lane]->solves = p->step->substeps + 1;
        islands[lane]->most = 1;
        islands[lane]->unsettled = 0;
    }
}

static void *lane_part(unsigned char **from, size_t count, size_t size)
{
    void *out = *from;
    *from += (count * size + TR_ALIGNMENT - 1) / TR_ALIGNMENT * TR_ALIGNMENT;
    return out;
}

/* places in memory, or with null how much of it: joints that are on something that does not move have a body for it */
static size_t lay_out_pack(lane_pack *p, const trn_exact_shape *shape, void *memory)
{
    unsigned char *at = memory;
    const tr_program *program = &shape->program;
    p->program = program;
    p->shape = shape;
    p->body_count = p->all_bodies = shape->body_count;
    p->joint_count = shape->joint_count;
    p->bodies = lane_part(&at, (size_t)shape->body_count + shape->fixed_count, sizeof *p->bodies);
    p->joints = lane_part(&at, shape->joint_count, sizeof *p->joints);
    p->value = lane_part(&at, program->value_count, sizeof *p->value);
    p->x = lane_part(&at, program->number_count, sizeof *p->x);
    p->scratch = lane_part(&at, (size_t)program->rows * DEGREES, sizeof *p->scratch);
    return (size_t)(at - (unsigned char *)memory);
}

static size_t bytes_of_pack(const trn_exact_shape *shape)
{
    lane_pack pack;
    return lay_out_pack(&pack, shape, NULL);
}

static uint32_t run_pack(const trn_exact_step *step, void *memory, const uint32_t *islands, uint32_t count)
{
    trn_exact *it = step->exact;
    lane_pack pack = {.step = step};
    (void)lay_out_pack(&pack, &it->shapes[it->islands[islands[0]].shape], memory);
    trn_exact_island *own[TR_DOUBLES];
    for (uint32_t lane = 0; lane < TR_DOUBLES; lane++)
        own[lane] = &it->islands[islands[lane < count ? lane : 0]];
    read_islands(&pack, (const trn_exact_island *const *)own);
    for (uint32_t b = pack.body_count; b < pack.all_bodies; b++)
        lane_inertia(&pack.bodies[b]);
    for (uint32_t s = 0; s <= step->substeps; s++) {
        const bool last = s == step->substeps;
        const lane_kick kick = {.h = step->h,
                                .time = s == 0 || last ? 0.5 * step->h : step->h,
                                .first = s == 0,
                                .last = last,
                                .early = s < step->substeps / 2};
        run_lane_kick(&pack, &kick);
    }
    write_islands(&pack, own, count);
    uint32_t failed = 0;
    for (uint32_t lane = 0; lane < count; lane++)
        failed |= pack.bad[lane] != 0 ? 1u << lane : 0u;
    return failed;
}

const trn_exact_lanes TR_LANES_TABLE = {TR_DOUBLES, bytes_of_pack, run_pack};
