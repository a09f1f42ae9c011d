/* The rows of an island's joints: Jacobians, targets, compliances and bounds at the present state. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "solver/exact/exact.h"

static double share_of(double x2)
{
    double t = (x2 - 0.25) / 3.75;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return TR_EXACT_SHARE_LEAST + t * (TR_EXACT_SHARE_MOST - TR_EXACT_SHARE_LEAST);
}

/* Of a damper's force, how much is that of the velocity after the kick. x: time over the time in which it dies away. */
static double weight_of(double x)
{
    return x > 2.0 ? 1.0 - 1.0 / x : 0.5;
}

void trn_exact_bodies_of(const trn_exact *it, const trn_system *system, const trn_exact_joint *joint, double elapsed,
                         trn_body_state moved[TR_ENDS], const trn_body_state *body[TR_ENDS])
{
    for (uint32_t i = 0; i < TR_ENDS; i++) {
        body[i] = NULL;
        if (joint->end[i] == TR_NONE)
            continue;
        body[i] = &it->state[joint->end[i]];
        if (system->bodies->type[joint->end[i]] != TR_KINEMATIC)
            continue;
        moved[i] = *body[i];
        trn_exact_drift(system->bodies, joint->end[i], &moved[i], elapsed, false);
        body[i] = &moved[i];
    }
}

void trn_exact_equations(const trn_exact *it, const trn_system *system, const trn_exact_joint *joint, double elapsed,
                         trn_joint_pose *pose, trn_equations *out)
{
    trn_body_state moved[TR_ENDS];
    const trn_body_state *body[TR_ENDS] = {NULL};
    trn_exact_bodies_of(it, system, joint, elapsed, moved, body);
    out->count = 0;
    out->incomplete = false;
    if (joint->type == TR_CONTACT) {
        trn_exact_contact_equations(it, joint, body, out);
        return;
    }
    trn_joint_pose_of(body, &joint->def, joint->turn, pose);
    if (trn_joint_types[joint->type]->wind != NULL)
        trn_pose_keep(pose, joint->last);
    if (joint->place >= 0)
        pose->angle += TR_TURN * rint((joint->angle - pose->angle) / TR_TURN);
    trn_joint_types[joint->type]->equations(&joint->def, pose, out);
}

void trn_exact_follow(trn_exact_joint *joint, trn_joint_pose *pose)
{
    /* contacts have no pose */
    if (joint->type == TR_CONTACT)
        return;
    if (joint->place >= 0 && isfinite(pose->angle))
        joint->angle = pose->angle;
    if (trn_joint_types[joint->type]->wind == NULL)
        return;
    trn_joint_types[joint->type]->wind(&joint->def, pose);
    trn_pose_kept(pose, joint->last);
}

/* J of each moving body, each once */
static void write_jacobian(trn_exact *it, const trn_exact_joint *joint, const trn_equations *from)
{
    double(*block)[TRN_DEGREES] = it->jacobian + joint->block;
    const uint32_t n = joint->row_count;
    memset(block, 0, (size_t)n * joint->body_count * sizeof *block);
    for (uint32_t end = 0; end < TR_ENDS; end++) {
        const uint32_t b = joint->at[end];
        /* what stays where it was moves no row */
        if (b == TR_ENDS || it->bodies[joint->body[b]].bad)
            continue;
        const uint32_t degrees = it->bodies[joint->body[b]].turns ? TRN_DEGREES : TRN_AXES;
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t i = 0; i < degrees; i++)
                block[b * n + r][i] += from->row[r].j[end][i];
    }
}

/* J M^-1 J'^T of two rows */
static double k_of(const trn_exact *it, const trn_exact_joint *joint, uint32_t r, uint32_t other)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < joint->body_count; b++) {
        const double(*block)[TRN_DEGREES] = trn_exact_jacobian(it, joint, b);
        const trn_exact_body *body = &it->bodies[joint->body[b]];
        double linear = 0.0;
        for (uint32_t i = 0; i < TRN_AXES; i++)
            linear += block[r][i] * block[other][i];
        sum += linear / body->mass;
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                sum += block[r][TRN_AXES + i] * body->inverse[i][k] * block[other][TRN_AXES + k];
    }
    return sum;
}

/* Forces of the last kick turn bodies back. */
static void stiffen(trn_exact *it, const trn_exact_joint *joint, const trn_joint_pose *pose, const trn_equations *from)
{
    for (uint32_t end = 0; end < 2; end++) {
        if (joint->at[end] == TR_ENDS)
            continue;
        trn_dvec force = trn_times(0.0, pose->r_a);
        for (uint32_t r = 0; r < joint->row_count; r++)
            force = trn_plus(force,
                             trn_times(it->rows[joint->first_row + r].force, trn_equation_linear(from->row[r].j[end])));
        trn_exact_stiffen(&it->bodies[joint->body[joint->at[end]]], end == 0 ? pose->r_a : pose->r_b, force);
    }
}

static double clamped(double a, double most)
{
    return a > most ? most : a < -most ? -most : a;
}

void trn_exact_set_bounds(const trn_exact_kick *kick, trn_exact_row *row, double least, double most)
{
    row->low = least * kick->time;
    row->high = most * kick->time;
    row->bounded = row->block > 1 && most < INFINITY;
}

/* a block of springs: from its first row on */
static void soften(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t first, const trn_equation *from,
                   tr_softness softness)
{
    const trn_exact *it = kick->step->exact;
    trn_exact_row *row = &it->rows[joint->first_row + first];
    const uint32_t count = row->block;
    const double omega = TR_TURN * (double)softness.a, h = kick->h, time = kick->time;
    const bool physical = softness.kind == TR_PHYSICAL;
    const double stiffness = physical ? (double)softness.a : omega * omega;
    const double damping = physical ? (double)softness.b : 2.0 * (double)softness.b * omega;
    double mean = 0.0;
    for (uint32_t i = 0; i < count; i++)
        mean += row[i].k / count;
    const double unit = physical ? mean : 1.0;
    const double back = share_of(h * h * stiffness * unit) * h * h * stiffness;
    const double whole = back + time * damping * weight_of(time * damping * unit);
    for (uint32_t i = 0; i < count; i++) {
        row[i].off = row[i].off || !(whole > 0.0);
        row[i].b = -row[i].u + time * (stiffness * from[i].value + damping * row[i].u) / whole;
        for (uint32_t k = 0; k < count; k++) {
            double each = k == i ? 1.0 : 0.0;
            if (!physical && from->relative == TR_BLOCK_K && count > 1)
                each = i == k ? row[i].k : k_of(it, joint, first + i, first + k);
            else if (!physical)
                each *= from->relative == TR_OWN_K ? row[i].k : mean;
            row[i].e[k] = each / whole;
        }
    }
}

/* a softness of numbers that say what a step does, whatever its length: gamma, and a share of the error */
static void soften_raw(const trn_exact_kick *kick, trn_exact_row *row, const trn_equation *from)
{
    row->b = (double)from->softness.b * from->value / kick->h;
    memset(row->e, 0, sizeof row->e);
    row->e[row->at] = (double)from->softness.a * kick->h / kick->time;
}

/* of a rigid row, as a share of its inverse effective mass */
static double compliance_of(const trn_exact_kick *kick, const trn_equation *from, const trn_exact_joint *joint)
{
    if (from->kind == TR_EQUATION_ROW)
        return kick->worker->compliance;
    if (joint->type != TR_CONTACT || from->kind == TR_EQUATION_STOP)
        return TR_EXACT_COMPLIANCE_BOUNDED;
    return joint->body_count == 1 ? TR_EXACT_COMPLIANCE_STAND : TR_EXACT_COMPLIANCE_RUB;
}

/* m or rad: how far a stop is */
static double room_of(const trn_exact_kick *kick, const trn_exact_joint *joint, double gap)
{
    const bool touch = joint->type == TR_CONTACT && joint->body_count == 1;
    const double least = touch ? TR_EXACT_TOUCHES * kick->step->unit : 0.0;
    return gap > least ? gap : 0.0;
}

/* `k`: what its compliance is a share of; `closes`: m/s or rad/s, how fast it is closed if it is violated */
static void hold(const trn_exact_kick *kick, trn_exact_row *row, const trn_equation *from, double k, double closes,
                 const trn_exact_joint *joint)
{
    const double unit = row->linear ? kick->step->unit : 1.0;
    memset(row->e, 0, sizeof row->e);
    row->e[row->at] = k * compliance_of(kick, from, joint);
    row->b = 0.0;
    switch (from->kind) {
    case TR_EQUATION_MOTOR:
        row->b = -from->speed;
        break;
    case TR_EQUATION_FRICTION:
        row->b = -from->speed;
        row->off = row->off || !(row->high > 0.0);
        break;
    case TR_EQUATION_INERTIA:
        row->e[row->at] = 1.0 / from->inertance;
        row->inert = true;
        row->bend = from->bend;
        break;
    case TR_EQUATION_STOP:
        row->b = kick->last ? 0.0 : room_of(kick, joint, from->value) / kick->h;
        row->off =
            row->off || (kick->last && from->value > (row->force > 0.0 ? TR_EXACT_LEFT : TR_EXACT_REACHED) * unit);
        row->curved = !kick->last;
        row->bend = from->bend;
        /* what is violated at rest is held, so that it closes */
        if (from->value < 0.0 && row->state == TR_EXACT_LOW)
            row->state = TR_EXACT_HELD;
        if (from->value < 0.0)
            row->close = clamped(TR_EXACT_CLOSES_SHARE * from->value, closes * kick->h);
        break;
    default:
        row->keeps = true;
        row->curved = !kick->last;
        row->bend = from->bend;
        row->close = clamped(from->value, TR_EXACT_CORRECTS_AT * unit * kick->h);
        break;
    }
}

/* Across a length the force along it is a stiffness. It counts only if it has for two kicks, as that of bodies. */
static void find_stiffness(const trn_exact_kick *kick, trn_exact_row *row, double pull, double length)
{
    const double now = length > 0.0 ? fmax(pull, 0.0) / length : 0.0;
    row->stiff_now = kick->elapsed > 0.0 ? fmin(now, row->stiff) : now;
    row->stiff = now;
    row->speed = length > 0.0 ? row->u / length : 0.0;
}

static bool is_finite_row(const trn_equation *from, const trn_exact_row *row)
{
    return isfinite(from->value) && isfinite(from->rate) && isfinite(from->bend) && isfinite(row->k);
}

static double closing_speed(const trn_exact_kick *kick, const trn_exact_joint *joint, const trn_exact_row *row)
{
    if (joint->type == TR_CONTACT)
        return (double)kick->step->system->settings.contacts.push_speed;
    return row->linear ? TR_EXACT_CLOSES_AT * kick->step->unit : TR_EXACT_TURNS_BACK;
}

/* A motor at a speed that no body can have takes its bodies with it, and no others. */
static void stop_wild(const trn_exact_kick *kick, const trn_exact_joint *joint, trn_exact_row *row,
                      const trn_equation *from)
{
    const double most = row->linear ? (double)TR_SANE_SPEED * kick->step->unit : (double)TR_SANE_TURN / kick->h;
    if (from->kind != TR_EQUATION_MOTOR || fabs(from->speed) <= most)
        return;
    row->off = true;
    for (uint32_t b = 0; b < joint->body_count; b++)
        kick->step->exact->bodies[joint->body[b]].bad = true;
}

static void evaluate_joint(const trn_exact_kick *kick, trn_exact_joint *joint)
{
    trn_exact *it = kick->step->exact;
    trn_joint_pose pose;
    trn_equations equations;
    if (joint->type == TR_CONTACT)
        trn_exact_contact_follow(kick, joint);
    trn_exact_equations(it, kick->step->system, joint, kick->elapsed, &pose, &equations);
    trn_exact_follow(joint, &pose);
    write_jacobian(it, joint, &equations);
    if (joint->type != TR_CONTACT)
        stiffen(it, joint, &pose, &equations);
    double sum[2] = {0.0, 0.0}, pull = 0.0;
    uint32_t count[2] = {0, 0};
    for (uint32_t r = 0; r < joint->row_count; r++) {
        trn_exact_row *row = &it->rows[joint->first_row + r];
        const trn_equation *from = &equations.row[r];
        row->k = k_of(it, joint, r, r);
        row->u = from->rate;
        row->across = from->kind == TR_EQUATION_ACROSS;
        if (row->across)
            find_stiffness(kick, row, pull, from->value);
        else
            pull -= from->turned ? -row->force : row->force;
        row->length = from->length > 0.0 ? from->length : 1.0;
        row->close = row->bend = 0.0;
        row->gap = from->kind == TR_EQUATION_STOP ? from->value : INFINITY;
        row->keeps = row->curved = row->inert = false;
        row->soften = 1.0;
        row->along = 0.0;
        row->off = !(row->k > 0.0) || !is_finite_row(from, row) || from->kind == TR_EQUATION_IDLE || row->across;
        trn_exact_set_bounds(kick, row, from->least, from->most);
        stop_wild(kick, joint, row, from);
        /* the first kick goes on from the speed that is kept between steps, others from that after the one before */
        if (from->kind == TR_EQUATION_INERTIA)
            row->speed = kick->elapsed > 0.0 ? row->speed - row->lambda / from->inertance : from->speed;
        if (row->off)
            continue;
        sum[row->linear] += row->k;
        count[row->linear]++;
    }
    const trn_settings *settings = &kick->step->system->settings;
    for (uint32_t r = 0; r < joint->row_count; r++) {
        trn_exact_row *row = &it->rows[joint->first_row + r];
        const trn_equation *from = &equations.row[r];
        if (trn_exact_is_rigid(from)) {
            if (!row->off)
                hold(kick, row, from, sum[row->linear] / count[row->linear], closing_speed(kick, joint, row), joint);
            continue;
        }
        if (from->softness.kind == TR_RAW)
            soften_raw(kick, row, from);
        else if (row->at == 0)
            soften(kick, joint, r, from,
                   from->softness.kind == TR_RIGID
                       ? tr_frequency(settings->joint_frequency, settings->joint_damping_ratio)
                       : from->softness);
    }
    if (kick->last && joint->type == TR_CONTACT)
        trn_exact_contact_end(kick, joint);
}

void trn_exact_respond(const trn_exact_body *body, const double in[TRN_DEGREES], double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_AXES; i++)
        out[i] = in[i] / body->mass;
    for (uint32_t i = 0; i < TRN_SPINS; i++) {
        double sum = 0.0;
        for (uint32_t k = 0; k < TRN_SPINS; k++)
            sum += body->slow_inverse[i][k] * in[TRN_AXES + k];
        out[TRN_AXES + i] = sum;
    }
}

/* the compliance of held rows, as a share (TR_EXACT_COMPLIANCE_LEAST) */
static double find_compliance(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const trn_exact_body *bodies = &it->bodies[island->first_body];
    const double joints = (double)island->joint_count;
    double least = INFINITY, most = 0.0;
    bool touches = false;
    for (uint32_t j = 0; j < island->joint_count && !touches; j++)
        touches = it->joints[island->first_joint + j].type == TR_CONTACT;
    for (uint32_t b = 0; b < island->body_count && !touches; b++) {
        least = fmin(least, bodies[b].mass);
        most = fmax(most, bodies[b].mass);
    }
    const bool cut = trn_exact_is_cut(it, island);
    const double share = touches || cut ? 0.0 : TR_EXACT_COMPLIANCE_COSTS * least / (4.0 * joints * joints * most);
    return fmax(fmin(share, TR_EXACT_COMPLIANCE_MOST), TR_EXACT_COMPLIANCE_LEAST);
}

/* all rows, with the full inertias of bodies, which are known: as the step began, or since trn_exact_begin_body() */
static void begin_rows(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    kick->worker->factored = false;
    kick->worker->bent = 0.0;
    kick->worker->compliance = find_compliance(kick);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        memset(body->stiffness, 0, sizeof body->stiffness);
    }
    for (uint32_t j = 0; j < island->joint_count; j++)
        evaluate_joint(kick, &it->joints[island->first_joint + j]);
}

void trn_exact_evaluate(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    begin_rows(kick);
    trn_exact_slow_down(kick);
    kick->worker->mirrored = trn_exact_mirrors(kick);
    for (uint32_t j = 0; j < island->joint_count; j++)
        trn_exact_bend_joint(kick, &it->joints[island->first_joint + j]);
}

void trn_exact_evaluate_held(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    begin_rows(kick);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        trn_exact_slow(body, 0.0);
    }
    for (uint32_t r = 0; r < island->row_count; r++) {
        trn_exact_row *row = &it->rows[island->first_row + r];
        const bool holds = row->keeps || (row->gap < INFINITY && row->force > 0.0);
        /* what is off and yet not held may press later */
        row->state = row->off || holds ? TR_EXACT_HELD : TR_EXACT_LOW;
        row->off = row->off || !holds;
        row->u = row->b = 0.0;
    }
}
