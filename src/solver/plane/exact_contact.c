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

/* squared distance */
static double apart_of(tr_dvec2 a, tr_dvec2 b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

void tr2_exact_contact_found(tr2_exact_contact *c, const tr2_found_contact *found, tr_dvec2 apart)
{
    tr_dvec2 was[TR2_CONTACT_POINTS];
    /* which of the found points are the contact's: those that are nearest to them, of a single one that which is deepest */
    uint32_t from[TR2_CONTACT_POINTS] = {0, 1};
    for (uint32_t p = 0; p < TR2_CONTACT_POINTS; p++)
        was[p] = (tr_dvec2){c->arm_a.x + c->further[p].x, c->arm_a.y + c->further[p].y};
    if (c->points == 1 && found->count == 2)
        from[0] = found->separation[1] < found->separation[0] ? 1 : 0;
    if (c->points == 2 && found->count == 2 &&
        apart_of(found->arm[0], was[1]) + apart_of(found->arm[1], was[0]) <
            apart_of(found->arm[0], was[0]) + apart_of(found->arm[1], was[1])) {
        from[0] = 1;
        from[1] = 0;
    }
    if (c->points == 2 && found->count == 1 && apart_of(found->arm[0], was[1]) < apart_of(found->arm[0], was[0])) {
        from[0] = 1;
        from[1] = 0;
    }
    tr_dvec2 first = was[0];
    for (uint32_t p = c->points; p-- > 0;) {
        c->there[p] = from[p] < found->count;
        c->gap[p] = c->there[p] ? found->separation[from[p]] : found->reach;
        was[p] = c->there[p] ? found->arm[from[p]] : was[p];
        first = c->there[p] ? was[p] : first;
    }
    if (found->count == 0)
        return;
    c->normal = found->normal;
    c->arm_a = first;
    c->arm_b = (tr_dvec2){first.x - apart.x, first.y - apart.y};
    for (uint32_t p = 0; p < c->points; p++)
        c->further[p] = (tr_dvec2){was[p].x - first.x, was[p].y - first.y};
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
