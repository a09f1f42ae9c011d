/*
 * Contacts in the direct method: a stop per point, friction and rolling resistance. Their bounds are those of the
 * normal impulses of the kick before: so the problem is convex, and nothing is lifted by sliding. The normal and the
 * arms are those as the step begins, as in solver/joints2/contact.inl.
 */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "solver/exact/exact.h"
#include "solver/joints2/contact.h"

static tr_dvec2 vector_of(const tr2_joints *contacts, int column, uint32_t row)
{
    return (tr_dvec2){(double)contacts->own[column][row], (double)contacts->own[column + 1][row]};
}

static int impulse_of(uint32_t point)
{
    return point == 0 ? TR2_CONTACT_NORMAL_0 : TR2_CONTACT_NORMAL_1;
}

/* n . d of a point, whose arms are these */
static tr2_equation along(tr_dvec2 n, tr_dvec2 arm_a, tr_dvec2 arm_b, const tr2_body_state *a, const tr2_body_state *b)
{
    tr2_equation row = {.least = -INFINITY, .most = INFINITY, .block = 1, .column = -1, .linear = true};
    tr2_equation_put(row.j[0], tr2_times(-1.0, n), -tr2_moment(arm_a, n));
    tr2_equation_put(row.j[1], n, tr2_moment(arm_b, n));
    double va[TR2_DEGREES], vb[TR2_DEGREES];
    tr2_exact_velocity(a, va);
    tr2_exact_velocity(b, vb);
    for (int i = 0; i < TR2_DEGREES; i++)
        row.rate += row.j[0][i] * va[i] + row.j[1][i] * vb[i];
    return row;
}

void tr2_exact_contact_read(const tr2_exact *it, const tr2_joints *contacts, tr2_exact_joint *joint)
{
    const uint32_t row = joint->row;
    tr2_exact_contact *c = &joint->contact;
    c->normal = vector_of(contacts, TR2_CONTACT_NORMAL_X, row);
    c->arm_a = vector_of(contacts, TR2_CONTACT_ARM_A_X, row);
    c->arm_b = vector_of(contacts, TR2_CONTACT_ARM_B_X, row);
    c->second = vector_of(contacts, TR2_CONTACT_SECOND_X, row);
    c->friction = (double)contacts->own[TR2_CONTACT_FRICTION][row];
    c->restitution = (double)contacts->own[TR2_CONTACT_RESTITUTION][row];
    c->tangent_speed = (double)contacts->own[TR2_CONTACT_TANGENT_SPEED][row];
    c->rolling = (double)contacts->own[TR2_CONTACT_ROLLING][row];
    c->points = (contacts->flags[row] & TR_JOINT_FEATURED) != 0 ? 2 : 1;
    const tr2_body_state *a = &it->begun[joint->end[0]], *b = &it->begun[joint->end[1]];
    for (uint32_t p = 0; p < c->points; p++) {
        const tr_dvec2 more = p == 0 ? (tr_dvec2){0.0, 0.0} : c->second;
        c->begun[p] = (double)contacts->impulse[impulse_of(p) + TR2_CONTACT_SEPARATION_0][row];
        c->approach[p] = along(c->normal, tr2_plus(c->arm_a, more), tr2_plus(c->arm_b, more), a, b).rate;
    }
}

void tr2_exact_contact_equations(const tr2_exact *it, const tr2_exact_joint *joint, const tr2_body_state *const body[2],
                                 tr2_equations *out)
{
    const tr2_exact_contact *c = &joint->contact;
    const tr2_body_state *from_a = &it->begun[joint->end[0]], *from_b = &it->begun[joint->end[1]];
    const tr_dvec2 moved =
        tr2_minus(tr2_minus(body[1]->center, from_b->center), tr2_minus(body[0]->center, from_a->center));
    const double turned_a = body[0]->angle - from_a->angle, turned_b = body[1]->angle - from_b->angle;
    const tr2_exact_row *rows = joint->row_count > 0 ? &it->rows[joint->first_row] : NULL;
    double load = 0.0;
    for (uint32_t p = 0; p < c->points; p++) {
        const tr_dvec2 more = p == 0 ? (tr_dvec2){0.0, 0.0} : c->second;
        const tr_dvec2 arm_a = tr2_plus(c->arm_a, more), arm_b = tr2_plus(c->arm_b, more);
        tr2_equation row = along(c->normal, arm_a, arm_b, body[0], body[1]);
        row.value = c->begun[p] + (c->normal.x * moved.x + c->normal.y * moved.y) +
                    tr2_moment(arm_b, c->normal) * turned_b - tr2_moment(arm_a, c->normal) * turned_a;
        row.kind = TR_EQUATION_STOP;
        row.least = 0.0;
        row.column = impulse_of(p);
        load += rows != NULL ? rows[p].force : 0.0;
        out->row[out->count++] = row;
    }
    const tr_dvec2 tangent = {-c->normal.y, c->normal.x};
    tr2_equation rub = along(tangent, c->arm_a, c->arm_b, body[0], body[1]);
    rub.kind = TR_EQUATION_FRICTION;
    rub.speed = c->tangent_speed;
    rub.most = c->friction * load;
    rub.least = -rub.most;
    rub.column = TR2_CONTACT_TANGENT;
    out->row[out->count++] = rub;
    tr2_equation roll = {.block = 1, .column = TR2_CONTACT_TURN, .kind = TR_EQUATION_FRICTION};
    roll.j[0][2] = -1.0;
    roll.j[1][2] = 1.0;
    roll.rate = body[1]->w - body[0]->w;
    roll.most = c->rolling * load;
    roll.least = -roll.most;
    out->row[out->count++] = roll;
}

/* At the end of a step a point that has touched leaves with its share of the speed at which it came. */
void tr2_exact_contact_end(const tr2_exact_kick *kick, const tr2_exact_joint *joint)
{
    const tr2_exact_contact *c = &joint->contact;
    const double least = (double)kick->step->system->settings.contacts.bounce_speed;
    const tr2_exact *it = kick->step->exact;
    for (uint32_t p = 0; p < c->points; p++) {
        tr2_exact_row *row = &it->rows[joint->first_row + p];
        if (!(c->restitution > 0.0) || c->approach[p] >= -least || row->total[0] + row->total[1] <= 0.0 ||
            !(row->k > 0.0))
            continue;
        row->off = false;
        /* what it had gained until it touched */
        double gain = 0.0;
        for (uint32_t b = 0; b < joint->body_count; b++)
            for (uint32_t i = 0; i < TR2_DEGREES; i++)
                gain -= tr2_exact_jacobian(it, joint, b)[p][i] * it->bodies[joint->body[b]].fall[i] / kick->time;
        const double square = c->approach[p] * c->approach[p] + 2.0 * gain * fmax(c->begun[p], 0.0);
        row->b = -c->restitution * sqrt(fmax(square, 0.0));
        row->state = TR_EXACT_HELD;
        /* not softly: a contact's compliance would take some of the height */
        row->e[0] = TR_EXACT_COMPLIANCE_BOUNDED * row->k;
    }
}

void tr2_exact_contact_write(const tr2_exact_step *step, const tr2_exact_joint *joint)
{
    const tr2_exact *it = step->exact;
    const tr2_joints *contacts = &step->system->joints[TR_CONTACT];
    const tr2_body_state *const body[2] = {&it->state[joint->end[0]], &it->state[joint->end[1]]};
    tr2_equations equations = {.count = 0};
    tr2_exact_contact_equations(it, joint, body, &equations);
    for (uint32_t p = 0; p < joint->contact.points; p++) {
        const tr2_exact_row *row = &it->rows[joint->first_row + p];
        const int at = impulse_of(p);
        const double total = row->total[0] + row->total[1];
        contacts->impulse[at + TR2_CONTACT_TOTAL_0][joint->row] =
            fabs(total) <= (double)TR_SANE_IMPULSE ? (float)total : 0.0f;
        contacts->impulse[at + TR2_CONTACT_SEPARATION_0][joint->row] = tr_finite_float(equations.row[p].value);
    }
}
