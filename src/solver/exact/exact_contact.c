/*
 * Contacts in the direct method: a stop per point, friction and rolling resistance. Their bounds are those of the
 * normal impulses of the kick before: so the problem is convex, and nothing is lifted by sliding. Where far more presses
 * than before, friction is set free and found again, within the bounds of what presses in this kick if it holds there. The
 * normal and the arms are those as the step begins, as in the kernels of contacts, until a body has turned much.
 */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "solver/exact/exact.h"

trn_equation trn_exact_contact_along(trn_dvec n, trn_dvec arm_a, trn_dvec arm_b, const trn_body_state *const body[2])
{
    trn_equation row = {.least = -INFINITY, .most = INFINITY, .block = 1, .column = -1, .linear = true};
    trn_equation_put(row.j[0], trn_times(-1.0, n), trn_moment(n, arm_a));
    trn_equation_put(row.j[1], n, trn_moment(arm_b, n));
    double va[TRN_DEGREES], vb[TRN_DEGREES];
    trn_exact_velocity(body[0], va);
    trn_exact_velocity(body[1], vb);
    for (int i = 0; i < TRN_DEGREES; i++)
        row.rate += row.j[0][i] * va[i] + row.j[1][i] * vb[i];
    return row;
}

/* the same of the normal at one of its points */
static trn_equation along_normal(const trn_exact_contact *c, uint32_t point, const trn_body_state *const body[2])
{
    return trn_exact_contact_along(c->normal, trn_plus(c->arm_a, c->further[point]),
                                   trn_plus(c->arm_b, c->further[point]), body);
}

void trn_exact_contact_read(const trn_exact *it, const trn_joints *contacts, trn_exact_joint *joint)
{
    trn_exact_contact *c = &joint->contact;
    const trn_body_state *const body[2] = {&it->begun[joint->end[0]], &it->begun[joint->end[1]]};
    trn_exact_contact_columns(contacts, joint->row, c);
    for (uint32_t p = 0; p < c->points; p++) {
        c->begun[p] = (double)contacts->impulse[trn_exact_contact_impulse(p) + TRN_CONTACT_SEPARATION_0][joint->row];
        c->approach[p] = along_normal(c, p, body).rate;
    }
    c->follows = false;
}

#if TRN_HAS_SHAPES
static bool has_turned(const trn_body_state *from, const trn_body_state *to)
{
    return fabs(trn_exact_turned(from, to)) > TR_EXACT_FOLLOWS;
}

/* whether all of a contact's points were farther than `reach`, m, as the step began */
static bool comes_from_afar(const trn_exact_contact *c, double reach)
{
    bool far = true;
    for (uint32_t p = 0; p < c->points; p++)
        far = far && c->begun[p] > reach;
    return far;
}

void trn_exact_contact_follow(const trn_exact_kick *kick, trn_exact_joint *joint)
{
    const trn_exact *it = kick->step->exact;
    const trn_system *system = kick->step->system;
    trn_exact_contact *c = &joint->contact;
    trn_body_state moved[TR_ENDS];
    const trn_body_state *body[TR_ENDS] = {NULL};
    trn_found_contact found;
    bool turned = c->follows;
    if (!trn_exact_follows(system, joint->end[0]) || !trn_exact_follows(system, joint->end[1]))
        return;
    trn_exact_bodies_of(it, system, joint, kick->elapsed, moved, body);
    for (uint32_t end = 0; end < 2; end++)
        turned = turned || has_turned(&it->begun[joint->end[end]], body[end]);
    if (!turned || !system->find_contact(system->settle_context, joint->row, body, &found))
        return;
    /* what comes from afar is that which the step has found ahead, until it is near */
    if (found.count == 0 && !c->follows && comes_from_afar(c, found.reach))
        return;
    c->follows = true;
    trn_exact_contact_found(c, &found, trn_minus(body[1]->center, body[0]->center));
}
#else
void trn_exact_contact_follow(const trn_exact_kick *kick, trn_exact_joint *joint)
{
    (void)kick;
    (void)joint;
}
#endif

void trn_exact_contact_equations(const trn_exact *it, const trn_exact_joint *joint, const trn_body_state *const body[2],
                                 trn_equations *out)
{
    const trn_exact_contact *c = &joint->contact;
    const trn_body_state *from[2] = {&it->begun[joint->end[0]], &it->begun[joint->end[1]]};
    const trn_dvec apart = trn_minus(trn_minus(body[1]->center, from[1]->center),
                                     trn_minus(body[0]->center, from[0]->center)); /* B's motion, A's standing still */
    double moved_a[TRN_DEGREES], moved_b[TRN_DEGREES], load[TRN_CONTACT_POINTS] = {0.0};
    trn_equation_put(moved_a, trn_times(0.0, apart), trn_exact_turned(from[0], body[0]));
    trn_equation_put(moved_b, apart, trn_exact_turned(from[1], body[1]));
    const trn_exact_row *rows = joint->row_count > 0 ? &it->rows[joint->first_row] : NULL;
    for (uint32_t p = 0; p < c->points; p++) {
        trn_equation row = along_normal(c, p, body);
        row.value = c->begun[p] + trn_equation_product(row.j[1], moved_b, TRN_AXES) +
                    trn_equation_product(row.j[1] + TRN_AXES, moved_b + TRN_AXES, TRN_SPINS) +
                    trn_equation_product(row.j[0] + TRN_AXES, moved_a + TRN_AXES, TRN_SPINS);
        row.kind = TR_EQUATION_STOP;
        row.least = 0.0;
        row.column = trn_exact_contact_impulse(p);
        load[p] = rows != NULL ? rows[p].force : 0.0;
        if (c->follows)
            row.value = c->gap[p];
        if (c->follows && !c->there[p]) {
            row.kind = TR_EQUATION_IDLE;
            load[p] = 0.0;
        }
        out->row[out->count++] = row;
    }
    trn_exact_contact_rub(c, body, load, out);
}

/* At the end of a step a point that has touched leaves with its share of the speed at which it came. */
void trn_exact_contact_end(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    const trn_exact_contact *c = &joint->contact;
    const double least = (double)kick->step->system->settings.contacts.bounce_speed;
    const trn_exact *it = kick->step->exact;
    for (uint32_t p = 0; p < c->points; p++) {
        trn_exact_row *row = &it->rows[joint->first_row + p];
        if (!(c->restitution > 0.0) || c->approach[p] >= -least || row->total[0] + row->total[1] <= 0.0 ||
            !(row->k > 0.0))
            continue;
        row->off = false;
        /* what it had gained until it touched */
        double gain = 0.0;
        for (uint32_t b = 0; b < joint->body_count; b++)
            for (uint32_t i = 0; i < TRN_DEGREES; i++)
                gain -= trn_exact_jacobian(it, joint, b)[p][i] * it->bodies[joint->body[b]].fall[i] / kick->time;
        const double square = c->approach[p] * c->approach[p] + 2.0 * gain * fmax(c->begun[p], 0.0);
        row->b = -c->restitution * sqrt(fmax(square, 0.0));
        row->state = TR_EXACT_HELD;
        /* as stiff as if it were the only row: the mean of all would take some of the height */
        row->e[0] = TR_EXACT_COMPLIANCE_BOUNDED * row->k;
    }
}

/* friction has a bound that it could not do with */
static bool slips(const trn_exact_joint *joint, const trn_exact_row *rows)
{
    bool any = false;
    for (uint32_t r = joint->contact.points; r < joint->row_count; r++) {
        const trn_exact_row *row = &rows[r];
        any = any || (row->linear && row->k > 0.0 && (row->off || row->state != TR_EXACT_HELD || row->soften > 1.0));
    }
    return any;
}

/* N, of the normal impulses that were found; their sum */
static double load_of(const trn_exact_kick *kick, const trn_exact_joint *joint, double load[TRN_CONTACT_POINTS])
{
    const trn_exact_row *rows = &kick->step->exact->rows[joint->first_row];
    double sum = 0.0;
    for (uint32_t p = 0; p < joint->contact.points; p++) {
        load[p] = rows[p].off ? 0.0 : fmax(rows[p].lambda / kick->time, 0.0);
        sum += load[p];
    }
    return sum;
}

static void bound_friction(const trn_exact_kick *kick, trn_exact_row *row, double most)
{
    row->off = !(row->k > 0.0) || !(most > 0.0);
    trn_exact_set_bounds(kick, row, -most, most);
    row->state = TR_EXACT_HELD;
    row->soften = 1.0;
}

static void friction_at(const trn_exact_kick *kick, const trn_exact_joint *joint, const double *load,
                        trn_equations *out)
{
    const trn_exact *it = kick->step->exact;
    const trn_body_state *const body[2] = {&it->state[joint->end[0]], &it->state[joint->end[1]]};
    out->count = 0;
    trn_exact_contact_rub(&joint->contact, body, load, out);
}

bool trn_exact_contact_free(const trn_exact_kick *kick, trn_exact_joint *joint)
{
    trn_exact_contact *c = &joint->contact;
    trn_exact_row *rows = &kick->step->exact->rows[joint->first_row];
    double load[TRN_CONTACT_POINTS] = {0.0}, before = 0.0;
    trn_equations friction;
    for (uint32_t p = 0; p < c->points; p++)
        before += rows[p].force;
    /* between two that move heaps would jam */
    c->freed = joint->body_count == 1 && c->friction > 0.0 && slips(joint, rows) &&
               load_of(kick, joint, load) > TR_EXACT_LOADED * before;
    if (!c->freed)
        return false;
    memcpy(c->load, load, sizeof c->load);
    friction_at(kick, joint, load, &friction);
    for (uint32_t r = c->points; r < joint->row_count; r++) {
        const double most = friction.row[r - c->points].most;
        bound_friction(kick, &rows[r], rows[r].linear && most > 0.0 ? INFINITY : most);
    }
    return true;
}

void trn_exact_contact_bind(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    const trn_exact_contact *c = &joint->contact;
    trn_exact_row *rows = &kick->step->exact->rows[joint->first_row];
    double load[TRN_CONTACT_POINTS] = {0.0};
    trn_equations held, before;
    if (!c->freed)
        return;
    (void)load_of(kick, joint, load);
    friction_at(kick, joint, load, &held);
    friction_at(kick, joint, c->load, &before);
    for (uint32_t r = c->points; r < joint->row_count;) {
        const uint32_t count = rows[r].block > 0 ? rows[r].block : 1;
        double square = 0.0;
        for (uint32_t i = 0; i < count; i++)
            square += rows[r + i].off ? 0.0 : rows[r + i].lambda * rows[r + i].lambda;
        const double most = held.row[r - c->points].most * kick->time,
                     once = before.row[r - c->points].most * kick->time;
        const bool holds = square <= most * most;
        const double share = rows[r].linear && !holds ? sqrt(square) / (sqrt(square) + once - most) : 1.0;
        for (uint32_t i = 0; i < count; i++)
            bound_friction(kick, &rows[r + i],
                           rows[r].linear && holds ? held.row[r - c->points].most
                                                   : share * before.row[r - c->points].most);
        r += count;
    }
}

void trn_exact_contact_write(const trn_exact_step *step, const trn_exact_joint *joint)
{
    const trn_exact *it = step->exact;
    const trn_joints *contacts = &step->system->joints[TR_CONTACT];
    const trn_body_state *const body[2] = {&it->state[joint->end[0]], &it->state[joint->end[1]]};
    trn_equations equations = {.count = 0};
    trn_exact_contact_equations(it, joint, body, &equations);
    for (uint32_t p = 0; p < joint->contact.points; p++) {
        const trn_exact_row *row = &it->rows[joint->first_row + p];
        const int at = trn_exact_contact_impulse(p);
        const double total = row->total[0] + row->total[1];
        contacts->impulse[at + TRN_CONTACT_TOTAL_0][joint->row] =
            fabs(total) <= (double)TR_SANE_IMPULSE ? (float)total : 0.0f;
        contacts->impulse[at + TRN_CONTACT_SEPARATION_0][joint->row] = tr_finite_float(equations.row[p].value);
    }
}

/* a row of the one body of a contact with what does not move */
static const double *touch_row(const trn_exact *it, const trn_exact_joint *joint, uint32_t r)
{
    return trn_exact_jacobian(it, joint, 0)[r];
}

/* compliance of a row by itself, or across its block's vector */
static double across(const trn_exact_row *row)
{
    return row->e[row->at] * row->soften;
}

static void add_square(double *block, double weight, const double *j)
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        for (uint32_t k = 0; k < TRN_DEGREES; k++)
            block[i * TRN_DEGREES + k] += weight * j[i] * j[k];
}

void trn_exact_factor_touches(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    for (uint32_t j = island->node_count; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        double block[TRN_DEGREES * TRN_DEGREES] = {0.0}, along[TRN_DEGREES];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const trn_exact_row *row = &it->rows[joint->first_row + r];
            if (trn_exact_is_held(row))
                add_square(block, 1.0 / across(row), touch_row(it, joint, r));
            if (!trn_exact_slides(row))
                continue;
            memset(along, 0, sizeof along);
            for (uint32_t b = 0; b < row->block; b++)
                for (uint32_t i = 0; i < TRN_DEGREES; i++)
                    along[i] += row[b].along * touch_row(it, joint, r + b)[i];
            add_square(block, -TR_EXACT_AHEAD / across(row), along);
        }
        const size_t place = kick->shape->place[joint->body[0] - island->first_body];
        tr_factor_add_at(kick->worker->factor, place, false, TRN_DEGREES, TRN_DEGREES, block);
    }
}

/* Impulses of what is held at these rates of all rows; 0 of others. `shift`: they are shifts, which have no bounds. */
static void press(const trn_exact_row *rows, uint32_t count, const double *rate, bool shift, double *out)
{
    for (uint32_t r = 0; r < count; r++)
        out[r] = trn_exact_is_held(&rows[r]) ? -rate[r] / across(&rows[r]) : 0.0;
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_row *first = &rows[r];
        double forward = 0.0;
        if (!trn_exact_slides(first))
            continue;
        for (uint32_t b = 0; b < first->block; b++)
            forward += first[b].along * rate[r + b];
        for (uint32_t b = 0; b < first->block; b++)
            out[r + b] += TR_EXACT_AHEAD * first[b].along * (forward / across(first) - (shift ? 0.0 : first->high));
    }
}

void trn_exact_pull_touches(const trn_exact_kick *kick, bool shift)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    for (uint32_t j = island->node_count; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        const trn_exact_row *rows = &it->rows[joint->first_row];
        double *to = kick->worker->x + (size_t)(joint->body[0] - island->first_body) * TRN_DEGREES;
        double rate[TR_EXACT_TOUCH_ROWS] = {0.0}, pull[TR_EXACT_TOUCH_ROWS] = {0.0};
        for (uint32_t r = 0; r < joint->row_count; r++)
            rate[r] = shift ? rows[r].close : rows[r].u + rows[r].b;
        press(rows, joint->row_count, rate, shift, pull);
        for (uint32_t r = 0; r < joint->row_count; r++)
            for (uint32_t i = 0; i < TRN_DEGREES && trn_exact_is_held(&rows[r]); i++)
                to[i] += pull[r] * touch_row(it, joint, r)[i];
    }
}

void trn_exact_take_touches(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    for (uint32_t j = island->node_count; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        const double *x = kick->worker->x + (size_t)(joint->body[0] - island->first_body) * TRN_DEGREES;
        trn_exact_row *rows = &it->rows[joint->first_row];
        double rate[TR_EXACT_TOUCH_ROWS] = {0.0}, lambda[TR_EXACT_TOUCH_ROWS] = {0.0};
        for (uint32_t r = 0; r < joint->row_count; r++)
            rate[r] = rows[r].u + rows[r].b + trn_equation_product(touch_row(it, joint, r), x, TRN_DEGREES);
        press(rows, joint->row_count, rate, false, lambda);
        for (uint32_t r = 0; r < joint->row_count; r++)
            if (trn_exact_is_held(&rows[r]))
                rows[r].lambda = lambda[r];
    }
}
