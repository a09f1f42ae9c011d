/* Kicks of islands side by side: rows at the present state, velocities and positions (solver/exact/lanes/lanes.inl). */

TR_INLINE lv velocity_of(const lane_body *body)
{
    lv out;
    UNROLLED
    for (int i = 0; i < AXES; i++)
        out.x[i] = body->v[i];
    return out;
}

TR_INLINE ls spin_of(const lane_body *body)
{
    ls out;
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        out.x[i] = body->v[AXES + i];
    return out;
}

/* out := matrix in */
TR_INLINE void turn_by(const wd matrix[SPINS][SPINS], const wd *in, wd *out)
{
    UNROLLED
    for (int i = 0; i < SPINS; i++) {
        wd sum = matrix[i][0] * in[0];
        UNROLLED
        for (int k = 1; k < SPINS; k++)
            sum = sum + matrix[i][k] * in[k];
        out[i] = sum;
    }
}

/* whether velocities, of all lanes, are those of bodies that go on (trn_exact_is_sane()) */
TR_INLINE wdm is_slow_enough(const lane_kick *kick, const wd v[DEGREES])
{
    const wd speed = wd_set(kick->speed_most), turn = wd_set(kick->turn_most);
    wdm sane = wd_le(wd_abs(v[0]), speed);
    UNROLLED
    for (int i = 1; i < DEGREES; i++)
        sane &= wd_le(wd_abs(v[i]), i < AXES ? speed : turn);
    return sane;
}

/* what a body does without impulses; lanes in which that is too fast */
TR_INLINE wdm begin_lane_body(const lane_pack *p, const lane_kick *kick, lane_body *body)
{
    const wd time = wd_set(kick->time), none = wd_set(0.0), *damping = body->rest->damping[kick->whole];
    wd rate[SPINS], next[DEGREES];
    lane_inertia(body);
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        body->fall[i] = i >= AXES       ? none
                        : body->weighed ? wd_set(kick->time * p->gravity[i])
                                        : time * body->rest->pull[i];
    if (body->twisted) {
        turn_by((const wd(*)[SPINS])body->inverse, body->rest->pull + AXES, rate);
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            body->fall[AXES + i] = time * rate[i];
    }
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        if (body->damped)
            body->fall[i] = body->fall[i] - damping[i >= AXES] * body->v[i];
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        next[i] = body->v[i] + body->fall[i];
    const wdm bad = ~is_slow_enough(kick, next);
    /* a memset of so little costs more */
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k <= i; k++)
            body->stiffness[i][k] = none;
    return bad;
}

#include "solver/exact/lanes/lanes_evaluate.inl"

#include "solver/exact/lanes/lanes_slow.inl"

/* `part`: of the curves of its bodies; its rows have taken joint->share already */
static void bend_lane_joint(lane_pack *p, const lane_kick *kick, lane_joint *joint, wd part)
{
    const uint32_t points = joint->points;
    wd share = wd_set(1.0), mirrored = wd_select(p->mirrored, wd_set(TR_EXACT_MIRRORED), wd_set(0.0));
    for (int end = 0; end < 2; end++)
        if (joint->end[end] < p->body_count) {
            const lane_body *body = &p->bodies[joint->end[end]];
            share = wd_min(body->rest->curve, share);
            mirrored = wd_select(body->rest->fine, mirrored, wd_set(0.0));
        }
    share = part * share;
    const wd more = share - joint->share;
    joint->share = share;
    lv bend;
    UNROLLED
    for (uint32_t r = 0; r < AXES && points > 0; r++)
        bend.x[r] = joint->rows[r].bend;
    if (points > 0)
        bend = curves_of_point(p, kick, joint, bend, false);
    UNROLLED
    for (uint32_t r = 0; r < AXES && points > 0; r++)
        joint->rows[r].b = share * held_curve(bend.x[r], joint->rows[r].u, mirrored);
    for (uint32_t r = points; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        const wd curve = curve_of(p, kick, joint, row), kept = held_curve(curve, row->u, mirrored);
        if (row->kind == TR_EXACT_KEPT)
            row->b = share * kept;
        if (row->kind != TR_EXACT_LAW)
            continue;
        const wd stop = more * curve, held = more * kept;
        for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_RIGID; f++)
            if ((row->law->used >> f & 1) != 0)
                row->law->feature[f].b = row->law->feature[f].b + (f == TR_EXACT_RIGID ? held : stop);
    }
}

#include "solver/exact/lanes/lanes_put.inl"

#include "solver/exact/lanes/lanes_touch.inl"

#include "solver/exact/lanes/lanes_press.inl"

#include "solver/exact/lanes/lanes_pressed.inl"

#include "solver/exact/lanes/lanes_couple.inl"

#include "solver/exact/lanes/lanes_points.inl"

/* Lanes in which it is too fast, or nowhere. `known`: its change is in its unknowns. */
KNOWN_SIZES wdm move_lane_body(lane_pack *p, const lane_kick *kick, uint32_t b, wd scale, bool known)
{
    lane_body *body = &p->bodies[b];
    const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)b * DEGREES;
    const wd h = wd_set(kick->h), most = wd_set(DBL_MAX);
    ls by;
    if (!known && !body->early) {
        wd spin[SPINS];
        turn_by((const wd(*)[SPINS])body->slow_inverse, body->rest->change + AXES, spin);
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            body->rest->change[i] =
                (i < AXES ? body->inverse_mass * body->rest->change[i] : spin[i - AXES]) + body->fall[i];
    }
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        body->v[i] =
            body->v[i] + (known || (body->early && solves_once(p)) ? x[i][0] : body->rest->change[i]) + wd_set(0.0);
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        by.x[i] = scale * x[AXES + i][1];
    wdm sane = is_slow_enough(kick, body->v);
    UNROLLED
    for (int i = 0; i < AXES; i++) {
        body->center.x[i] = body->center.x[i] + scale * x[i][1] + wd_set(0.0);
        if (!kick->last)
            body->center.x[i] = body->center.x[i] + h * body->v[i];
        sane &= wd_le(wd_abs(body->center.x[i]), most);
    }
    return ~(sane & lane_rotate(body, by, kick->last ? 0.0 : kick->h));
}

#include "solver/exact/lanes/lanes_fused.inl"

/* The system of all lanes with what is held in each. */
static void put_lanes(lane_pack *p)
{
    if (p->free) {
        if (!p->fused)
            couple_points_alone(p);
        return;
    }
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    p->closes = (wdm)wd_set(0.0);
    for (uint32_t b = 0; b < p->body_count; b++)
        put_body(p, b);
    for (uint32_t j = 0; j < p->joint_count; j++) {
        const lane_joint *joint = &p->joints[j];
        if (joint->source != TR_EXACT_BY_POINT) {
            put_joint(p, joint);
            continue;
        }
        put_point(p, joint, AXES);
        if (joint->pushes)
            put_ends(joint, AXES);
    }
    put_touches(p);
    for (uint32_t i = 0; i < p->program->early_count; i++) {
        couple_body(p, &p->early[i]);
    }
}

/* The way back of its solution. */
static void release_lanes(lane_pack *p)
{
    solve_pack(p);
    if (p->free) {
        if (!p->fused)
            release_points(p);
        return;
    }
    for (uint32_t i = 0; i < p->program->early_count; i++) {
        if (p->early[i].plain)
            release_plain(&p->early[i]);
        else
            release_body(&p->early[i]);
    }
}

static void solve_lanes(lane_pack *p)
{
    put_lanes(p);
    factor_pack(p);
    release_lanes(p);
}

/* Solves until nothing is wrong in any lane. In one that has settled, or was not open, nothing changes: its system remains
   the same. What does not settle is for the general path. */
static void settle_open(lane_pack *p, wdm open)
{
    wdm solves = (wdm)wd_set(0.0), fewest = ~solves ^ INT64_MIN;
    wdm patience = solves + (int64_t)TR_EXACT_PATIENCE;
    for (uint32_t tries = 1;; tries++) {
        solve_lanes(p);
        if (!p->points) {
            take_joints(p);
            take_touches(p);
        }
        solves -= open;
        if (p->law_count + p->rub_count + p->footing_count == 0)
            break;
        wdm blocks;
        const wdm wrong = change_rows(p, &blocks);
        const wdm fewer = (wdm)(wrong < fewest), some = (wdm)(wrong > 0) & (wdm)(blocks == 0);
        patience = (fewer & (int64_t)TR_EXACT_PATIENCE) | (~fewer & (patience + some));
        fewest = (fewer & wrong) | (~fewer & fewest);
        open &= (wdm)(wrong + blocks > 0) & ~p->bad;
        p->bad |= tries >= TR_EXACT_TRIES ? open : open & (wdm)(patience <= 0);
        open &= ~p->bad;
        if (!wd_any(open))
            break;
    }
    p->solves += solves;
}

/* The same with friction that is set free and found again, as find_all_impulses() of exact_solve.c. */
static void settle_lanes(lane_pack *p, const lane_kick *kick, wdm lanes)
{
    settle_open(p, lanes & ~p->bad);
    const wdm free = free_touches(p, kick, lanes);
    if (!wd_any(free))
        return;
    settle_open(p, free & ~p->bad);
    bind_touches(p, kick);
    settle_open(p, free & ~p->bad);
}

/* What held rows gain by the curves of their bodies, and what that is compared with, as in exact_curves.c. Of the copies of
   a body at which an island is cut that of the first piece counts. */
static wd gain_by_curves(const lane_pack *p, wd *moved)
{
    const wd none = wd_set(0.0), half = wd_set(0.5);
    wd gain = none, all = none;
    for (uint32_t b = 0; b < p->body_count; b++) {
        const lane_body *body = &p->bodies[b];
        const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)b * DEGREES;
        wd mean[DEGREES], by[DEGREES], own = none, rest = none, slowed = none;
        UNROLLED
        for (int i = 0; i < DEGREES; i++) {
            mean[i] = body->v[i] + half * x[i][0];
            by[i] = x[i][0] - body->fall[i];
        }
        UNROLLED
        for (int i = 0; i < AXES; i++) {
            own = own + body->rest->mass * mean[i] * by[i];
            rest = rest + body->rest->mass * mean[i] * mean[i];
        }
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            for (int k = 0; k < SPINS; k++) {
                const wd work = mean[AXES + i] * by[AXES + k];
                own = own + body->inertia[i][k] * work;
                rest = rest + body->inertia[i][k] * mean[AXES + i] * mean[AXES + k];
                slowed = slowed + (body->inertia[i][k] - body->slow[i][k]) * work;
            }
        const wdm counts = body->cut ? body->rest->owned : (wdm)(none == none);
        gain = gain + wd_select(counts, slowed, none);
        all = all + wd_select(counts, wd_abs(own) + wd_set(0.5 * TR_EXACT_GAIN_REST) * rest, none);
    }
    for (uint32_t j = 0; j < p->joint_count; j++)
        for (uint32_t r = 0; r < p->joints[j].row_count; r++) {
            const lane_row *row = &p->joints[j].rows[r];
            if (r < p->joints[j].points || row->kind == TR_EXACT_KEPT) {
                const wd lambda = -p->x[p->joints[j].number + r][0];
                gain = gain + half * lambda * (row->u - row->b - row->e * lambda);
            } else if (row->kind == TR_EXACT_LAW && (row->law->used >> TR_EXACT_RIGID & 1) != 0) {
                const lane_feature *rigid = &row->law->feature[TR_EXACT_RIGID];
                gain =
                    gain + half * wd_select(rigid->on & rigid->held,
                                            rigid->lambda * (row->u - rigid->b - rigid->lambda / rigid->inverse), none);
            }
        }
    *moved = all;
    return gain;
}

static void bend_lanes(lane_pack *p, const lane_kick *kick, wd part)
{
    for (uint32_t j = 0; j < p->joint_count; j++)
        bend_lane_joint(p, kick, &p->joints[j], part);
}

/* As find_along_curves() has it, in each lane. */
static void settle_along_curves(lane_pack *p, const lane_kick *kick)
{
    const wd none = wd_set(0.0), one = wd_set(1.0);
    wd moved;
    settle_lanes(p, kick, ~(wdm)none);
    if (kick->last || !wd_any(p->slows))
        return;
    const wd gain = gain_by_curves(p, &moved);
    const wdm gains = wd_lt(wd_set(TR_EXACT_GAIN_MOST) * moved, gain) & p->slows & ~p->bad;
    if (!wd_any(gains))
        return;
    const wd without = wd_select(gains, none, one);
    bend_lanes(p, kick, without);
    bend_touches(p, one, without);
    settle_lanes(p, kick, gains);
    const wd loss = -gain_by_curves(p, &moved);
    const wdm loses = wd_lt(none, loss) & gains & ~p->bad;
    if (!wd_any(loses))
        return;
    const wd part = wd_select(loses, loss / (loss + gain), without);
    bend_lanes(p, kick, part);
    bend_touches(p, without, part);
    settle_lanes(p, kick, loses);
}

static void push_rows(lane_pack *p, const lane_joint *joint)
{
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count || p->bodies[joint->end[end]].early)
            continue;
        wd *to = p->bodies[joint->end[end]].rest->change;
        for (uint32_t r = joint->points; r < joint->row_count; r++)
            for (uint32_t i = 0; i < DEGREES; i++)
                to[i] = to[i] + joint->rows[r].j[end][i] * joint->rows[r].lambda;
    }
}

TR_INLINE void push_joint(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    const wd per_time = wd_set(kick->per_time);
    const int half = kick->early ? 0 : 1;
    const uint32_t points = joint->points;
    UNROLLED
    for (uint32_t r = 0; r < AXES && points > 0; r++) {
        joint->rows[r].lambda = -p->x[joint->number + r][0];
        joint->force.x[r] = joint->rows[r].lambda * per_time;
    }
    for (uint32_t r = 0; r < points && p->watches; r++)
        joint->rows[r].total[half] = joint->rows[r].total[half] + joint->rows[r].lambda;
    if (joint->pushes && points > 0)
        push_point(p, joint);
    if (points == joint->row_count)
        return;
    if (joint->pushes)
        push_rows(p, joint);
    for (uint32_t r = points; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        row->force = row->lambda * per_time;
        row->total[half] = row->total[half] + row->lambda;
        if (row->kind != TR_EXACT_LAW)
            continue;
        EACH_FEATURE(row->law, f)
        {
            lane_feature *own = &row->law->feature[f];
            own->force = own->lambda * per_time;
            own->total[half] = own->total[half] + own->lambda;
        }
    }
}

/* What impulses change in velocities: momentum is conserved whatever they are. That of bodies which were eliminated first is
   in their unknowns already. */
static void push_lanes(lane_pack *p, const lane_kick *kick)
{
    if (p->free && p->fused)
        release_fused(p, kick);
    if (p->points && !p->watches) {
        if (!p->free || !p->fused)
            push_points(p, kick);
        return;
    }
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)b * DEGREES;
        if (body->early && solves_once(p))
            continue;
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            body->rest->change[i] = body->early ? x[i][0] : wd_set(0.0);
    }
    for (uint32_t j = 0; j < p->joint_count; j++)
        push_joint(p, kick, &p->joints[j]);
    push_touches(p, kick);
    keep_solution(p);
}

/* In these lanes stops of joints that are violated give way to contacts and to others. */
static void yield_all(lane_pack *p, wdm lanes)
{
    yield_stops(p, lanes);
    solve_lanes(p);
    p->solves -= lanes;
}

/* The correction of errors, again while there are stops that it would pass. */
static void correct_lanes(lane_pack *p)
{
    const wdm blocked = p->footing_count > 0 ? close_stops(p) & held_touches(p) & ~p->bad : (wdm)wd_set(0.0);
    if (wd_any(blocked))
        yield_all(p, blocked);
    for (uint32_t round = 0; round < TR_EXACT_MEETINGS && !solves_once(p); round++) {
        const wdm meets = (meet_stops(p) | meet_touches(p)) & ~p->bad;
        if (!wd_any(meets))
            return;
        yield_all(p, meets);
    }
}

/* The share of the correction by which no body moves too far. Where contacts are held though no stop closes it is damped
   instead, which is done alone. */
static wd scale_of_shift(lane_pack *p, const lane_kick *kick)
{
    const wd one = wd_set(1.0), far = wd_set(TR_EXACT_SHIFTS_AT * kick->h);
    const wdm closes = close_stops(p);
    const wd linear = wd_select(closes, wd_set(TR_EXACT_CLOSES_AT * kick->time), far) * wd_set(p->step->unit);
    const wd turn = wd_select(closes, wd_set(TR_EXACT_TURNS_BACK * kick->time), far);
    wd most[2] = {wd_set(0.0), wd_set(0.0)};
    for (int i = 0; i < 2 && p->free; i++)
        most[i] = p->shift[i];
    /* of those that were eliminated first it has these already: of packs that are fused of all but copies */
    for (uint32_t b = p->free && p->fused ? first_copy(p) : 0; b < p->body_count; b++)
        for (int i = 0; i < DEGREES && !(p->free && p->bodies[b].early); i++)
            most[i >= AXES] = wd_max(wd_abs(p->x[(size_t)b * DEGREES + (uint32_t)i][1]), most[i >= AXES]);
    const wdm limited = wd_lt(linear, most[0]) | wd_lt(turn, most[1]);
    if (!wd_any(limited))
        return one;
    if (p->footing_count > 0)
        p->bad |= limited & ~closes & held_touches(p);
    return wd_min(wd_select(wd_lt(linear, most[0]), linear / most[0], one),
                  wd_select(wd_lt(turn, most[1]), turn / most[1], one));
}

/* of functions that are called here and there, so that what only they call is inlined in them */
#define APART static __attribute__((noinline))

/* rows at the present state, but for what depends on all that acts on a body */
APART void evaluate_lanes(lane_pack *p, const lane_kick *kick)
{
    if (p->fused) {
        evaluate_fused(p, kick);
        return;
    }
    if (p->points) {
        evaluate_points(p, kick);
        return;
    }
    for (uint32_t b = 0; b < p->body_count; b++) {
        p->bad |= begin_lane_body(p, kick, &p->bodies[b]);
        if (p->bodies[b].followed && !kick->first)
            follow_body(p, b);
    }
    const wd none = wd_set(0.0), mirrored = kick->first ? none : wd_select(p->mirrors, wd_set(TR_EXACT_MIRRORED), none);
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        if (joint->source == TR_EXACT_BY_POINT && !joint->grounded) {
            const lane_view v = evaluate_point(p, kick, joint, mirrored, true);
            stiffen_ends(p, joint, &v, true);
        } else if (joint->source == TR_EXACT_BY_POINT) {
            const lane_view v = evaluate_point(p, kick, joint, mirrored, false);
            stiffen_ends(p, joint, &v, false);
        } else if (joint->source == TR_EXACT_BY_EQUATIONS) {
            evaluate_equations(p, kick, j);
        } else if (joint->points == 0) {
            evaluate_length(p, kick, joint);
        } else {
            evaluate_turn(p, kick, joint);
        }
    }
}

/* and that */
APART void form_rows(lane_pack *p, const lane_kick *kick)
{
    p->slows = (wdm)wd_set(0.0);
    p->bends = false;
    if (p->points) {
        p->free = moves_freely(p, kick, true);
        if (p->free)
            return;
        form_points(p, kick);
    }
    p->mirrored = kick->first ? (wdm)wd_set(0.0) : p->mirrors;
    slow_lanes(p, kick);
    p->bends = p->bends || (!kick->first && wd_any(p->mirrors & ~p->mirrored));
    for (uint32_t j = 0; j < p->joint_count && !kick->last; j++) {
        if (p->joints[j].source == TR_EXACT_BY_POINT && !p->bends)
            continue;
        p->joints[j].share = wd_set(0.0);
        bend_lane_joint(p, kick, &p->joints[j], wd_set(1.0));
    }
}

APART void move_lanes(lane_pack *p, const lane_kick *kick, wd scale)
{
    wdm bad = p->bad;
    if (p->filled)
        for (uint32_t b = 0; b < p->body_count; b++)
            bad |= move_lane_body(p, kick, b, scale, true);
    else
        for (uint32_t b = 0; b < p->body_count; b++)
            bad |= move_lane_body(p, kick, b, scale, false);
    p->bad = bad;
}

/* moves bodies by a kick, or leaves that to the next one */
static void leave_kick(lane_pack *p, const lane_kick *kick, wd scale)
{
    if (p->free && p->fused)
        leave_fused(p, kick, scale);
    else
        move_lanes(p, kick, scale);
}

static void run_lane_kick(lane_pack *p, const lane_kick *kick)
{
    evaluate_lanes(p, kick);
    form_rows(p, kick);
    begin_touches(p, kick);
    const wdm before = p->solves;
    settle_along_curves(p, kick);
    check_yielding(p);
    push_lanes(p, kick);
    correct_lanes(p);
    const wdm solves = p->solves - before, more = (wdm)(solves > p->most);
    p->most = (more & solves) | (~more & p->most);
    leave_kick(p, kick, scale_of_shift(p, kick));
}
