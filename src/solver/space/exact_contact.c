/* Contacts in space in the direct method: their columns, friction, torsional friction and rolling resistance. */
#include <math.h>

#include "solver/exact/exact.h"
#include "solver/joints3/contact.h"

static tr_dvec3 vector_of(const tr3_joints *contacts, int column, uint32_t row)
{
    return tr3_widen(tr3_contact_vector(contacts->own, column, row));
}

int tr3_exact_contact_impulse(uint32_t point)
{
    return tr3_contact_impulse_of(point);
}

/* as the kernels take it: twice the vector of the quaternion */
tr_dvec3 tr3_exact_turned(const tr3_body_state *from, const tr3_body_state *to)
{
    const tr3_dquat q = tr3_compose(to->rotation, tr3_conjugate(from->rotation));
    return tr3_times(q.w < 0.0 ? -2.0 : 2.0, (tr_dvec3){q.x, q.y, q.z});
}

void tr3_exact_contact_columns(const tr3_joints *contacts, uint32_t row, tr3_exact_contact *out)
{
    const tr_dvec3 surface = vector_of(contacts, TR3_CONTACT_SURFACE, row);
    tr_dvec3 across[2];
    out->normal = vector_of(contacts, TR3_CONTACT_NORMAL, row);
    out->arm_a = vector_of(contacts, TR3_CONTACT_ARM_A, row);
    out->arm_b = vector_of(contacts, TR3_CONTACT_ARM_B, row);
    out->further[0] = (tr_dvec3){0.0, 0.0, 0.0};
    out->points = (contacts->flags[row] & TR_JOINT_FEATURED) != 0 ? tr3_contact_count(contacts->own, row) : 1;
    for (uint32_t p = 1; p < out->points; p++)
        out->further[p] = vector_of(contacts, TR3_CONTACT_FURTHER + 3 * (int)(p - 1), row);
    tr3_contact_across(tr3_narrow(out->normal), across);
    out->surface[0] = tr3_dot(across[0], surface);
    out->surface[1] = tr3_dot(across[1], surface);
    out->friction = (double)contacts->own[TR3_CONTACT_FRICTION][row];
    out->restitution = (double)contacts->own[TR3_CONTACT_RESTITUTION][row];
    out->torsion = (double)contacts->own[TR3_CONTACT_TORSION][row];
    out->rolling = (double)contacts->own[TR3_CONTACT_ROLLING][row];
}

static tr3_equation about(tr_dvec3 axis, const tr3_body_state *const body[2])
{
    tr3_equation row = {.block = 1, .column = -1};
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    tr3_equation_put(row.j[0], none, tr3_times(-1.0, axis));
    tr3_equation_put(row.j[1], none, axis);
    row.rate = tr3_dot(axis, tr3_minus(body[1]->w, body[0]->w));
    return row;
}

/* appends rows that brake: one, or two whose impulse is in a disc */
static void rub(tr3_equations *out, const tr3_equation *rows, uint32_t count, double most, int column)
{
    for (uint32_t i = 0; i < count; i++) {
        tr3_equation row = rows[i];
        row.kind = TR_EQUATION_FRICTION;
        row.block = i == 0 ? count : 0;
        row.most = most;
        row.least = -most;
        row.column = column + (int32_t)i;
        out->row[out->count++] = row;
    }
}

void tr3_exact_contact_rub(const tr3_exact_contact *c, const tr3_body_state *const body[2], const double *load,
                           tr3_equations *out)
{
    tr_dvec3 across[2];
    double all = 0.0;
    tr3_contact_across(tr3_narrow(c->normal), across);
    for (uint32_t p = 0; p < c->points; p++) {
        const tr_dvec3 arm_a = tr3_plus(c->arm_a, c->further[p]), arm_b = tr3_plus(c->arm_b, c->further[p]);
        tr3_equation rows[2];
        for (int i = 0; i < 2; i++) {
            rows[i] = tr3_exact_contact_along(across[i], arm_a, arm_b, body);
            rows[i].speed = c->surface[i];
        }
        rub(out, rows, 2, c->friction * load[p], tr3_contact_impulse_of(p) + TR3_CONTACT_RUB_0);
        all += load[p];
    }
    const tr3_equation twist = about(c->normal, body), turn[2] = {about(across[0], body), about(across[1], body)};
    rub(out, &twist, 1, c->torsion * all, TR3_CONTACT_TWIST);
    rub(out, turn, 2, c->rolling * all, TR3_CONTACT_TURN);
}
