/* Contacts of the plane in the direct method: their columns, friction and rolling resistance. */
#include <math.h>

#include "solver/exact/exact.h"
#include "solver/joints2/contact.h"

static tr_dvec2 vector_of(const tr2_joints *contacts, int column, uint32_t row)
{
    return (tr_dvec2){(double)contacts->own[column][row], (double)contacts->own[column + 1][row]};
}

int tr2_exact_contact_impulse(uint32_t point)
{
    return point == 0 ? TR2_CONTACT_NORMAL_0 : TR2_CONTACT_NORMAL_1;
}

double tr2_exact_turned(const tr2_body_state *from, const tr2_body_state *to)
{
    return to->angle - from->angle;
}

void tr2_exact_contact_columns(const tr2_joints *contacts, uint32_t row, tr2_exact_contact *out)
{
    out->normal = vector_of(contacts, TR2_CONTACT_NORMAL_X, row);
    out->arm_a = vector_of(contacts, TR2_CONTACT_ARM_A_X, row);
    out->arm_b = vector_of(contacts, TR2_CONTACT_ARM_B_X, row);
    out->further[0] = (tr_dvec2){0.0, 0.0};
    out->further[1] = vector_of(contacts, TR2_CONTACT_SECOND_X, row);
    out->friction = (double)contacts->own[TR2_CONTACT_FRICTION][row];
    out->restitution = (double)contacts->own[TR2_CONTACT_RESTITUTION][row];
    out->surface[0] = (double)contacts->own[TR2_CONTACT_TANGENT_SPEED][row];
    out->rolling = (double)contacts->own[TR2_CONTACT_ROLLING][row];
    out->torsion = 0.0;
    out->points = (contacts->flags[row] & TR_JOINT_FEATURED) != 0 ? 2 : 1;
}

void tr2_exact_contact_rub(const tr2_exact_contact *c, const tr2_body_state *const body[2], const double *load,
                           tr2_equations *out)
{
    const double all = c->points == 2 ? load[0] + load[1] : load[0];
    const tr_dvec2 tangent = {-c->normal.y, c->normal.x};
    tr2_equation rub = tr2_exact_contact_along(tangent, c->arm_a, c->arm_b, body);
    rub.kind = TR_EQUATION_FRICTION;
    rub.speed = c->surface[0];
    rub.most = c->friction * all;
    rub.least = -rub.most;
    rub.column = TR2_CONTACT_TANGENT;
    out->row[out->count++] = rub;
    tr2_equation roll = {.block = 1, .column = TR2_CONTACT_TURN, .kind = TR_EQUATION_FRICTION};
    roll.j[0][2] = -1.0;
    roll.j[1][2] = 1.0;
    roll.rate = body[1]->w - body[0]->w;
    roll.most = c->rolling * all;
    roll.least = -roll.most;
    out->row[out->count++] = roll;
}
