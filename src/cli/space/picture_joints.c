/*
 * Drawing of joints in space: the elements common to all types. The file of each type in solver/joints3/ is included
 * here for the function that draws it.
 */
#include "cli/space/solids.h"

#include <math.h>

#include "solver/space/second_axis.h"

#define FULL_RAIL 40.0 /* travel of more than this many typical reaches is drawn without stops */

static tr_dvec3 anchor_a(const joint_pen *pen)
{
    return tr3_place(pen->a, pen->def->anchor_a);
}

static tr_dvec3 anchor_b(const joint_pen *pen)
{
    return tr3_place(pen->b, pen->def->anchor_b);
}

static void line(const joint_pen *pen, tr_dvec3 p, tr_dvec3 q, bool dotted)
{
    const tr_dvec3 points[2] = {p, q};
    solids_piece(pen->solids, (piece){.kind = PIECE_LINE, .color = pen->color, .size = pen->width, .dotted = dotted},
                 points, 2);
}

/* lines from the anchors to the centres of mass of bodies without shapes, and between anchors that are apart */
static void arms(const joint_pen *pen)
{
    if (pen->arm_a) {
        line(pen, tr3_place(pen->a, pen->center_a), anchor_a(pen), false);
    }
    if (pen->arm_b) {
        line(pen, anchor_b(pen), tr3_place(pen->b, pen->center_b), false);
    }
}

static void dot(const joint_pen *pen, tr_dvec3 at, double radius)
{
    solids_piece(pen->solids,
                 (piece){.kind = PIECE_DISC,
                         .color = pen->color,
                         .edge = 0xffffff,
                         .edge_width = pen->simple ? 0.0f : 0.7f,
                         .size = (float)(radius * pen->solids->scale)},
                 &at, 1);
}

/* a direction and a point in a carrier's frame */
static tr_dvec3 carried_axis(const tr3_transform *carrier, tr_vec3 axis)
{
    const tr_dvec3 n = tr3_turned(tr3_widen_quat(carrier->rotation), tr3_widen(axis));
    const double length = sqrt(tr3_dot(n, n));
    return length > 0.0 ? tr3_over(n, length) : (tr_dvec3){1.0, 0.0, 0.0};
}

static tr_dvec3 carried_point(const tr3_transform *carrier, tr_dvec3 point)
{
    return tr3_plus(carrier->position, tr3_turned(tr3_widen_quat(carrier->rotation), point));
}

/* the joint's axis in the world */
static tr_dvec3 axis_of(const joint_pen *pen)
{
    tr_dvec3 axis = tr3_turned(tr3_widen_quat(pen->a->rotation), tr3_widen(pen->def->axis));
    const double length = sqrt(tr3_dot(axis, axis));
    return length > 0.0 ? tr3_over(axis, length) : (tr_dvec3){1.0, 0.0, 0.0};
}

/* the second axis in A's frame */
static tr_dvec3 second_axis(const joint_pen *pen)
{
    const tr_vec3 none = {0.0f, 0.0f, 0.0f}, axis = pen->def->axis, other = pen->def->axis_2;
    if (tr3_is_same(axis, none)) {
        return (tr_dvec3){0.0, 1.0, 0.0};
    }
    return tr3_widen(tr3_second_axis(axis, tr3_has_across(axis, other) ? other : none));
}

/* in the world, as it is fixed in A, and in B */
static tr_dvec3 axis_2_of(const joint_pen *pen)
{
    return tr3_turned(tr3_widen_quat(pen->a->rotation), second_axis(pen));
}

static tr_dvec3 axis_2_in_b(const joint_pen *pen)
{
    const tr3_dquat back = tr3_conjugate(tr3_normalised(tr3_widen_quat(pen->def->reference)));
    return tr3_turned(tr3_widen_quat(pen->b->rotation), tr3_turned(back, second_axis(pen)));
}

/* a short thick line along an axis: a pin */
static void stroke(const joint_pen *pen, tr_dvec3 at, tr_dvec3 axis)
{
    const tr_dvec3 pin = tr3_times((pen->simple ? 1.0 : 1.8) * pen->glyph, axis);
    solids_piece(pen->solids, (piece){.kind = PIECE_LINE, .color = pen->color, .size = pen->simple ? 1.2f : 3.0f},
                 (const tr_dvec3[2]){tr3_minus(at, pin), tr3_plus(at, pin)}, 2);
}

/* a line along an axis from the anchor of A, as long as limits of the travel say */
static void rail(const joint_pen *pen, tr_dvec3 axis, tr_limit limit)
{
    const bool limited = limit.enable && (double)limit.upper - (double)limit.lower < FULL_RAIL * pen->reach;
    const double lower = limited ? (double)limit.lower : -pen->reach,
                 upper = limited ? (double)limit.upper : pen->reach;
    const tr_dvec3 at = anchor_a(pen);
    line(pen, tr3_plus(at, tr3_times(lower, axis)), tr3_plus(at, tr3_times(upper, axis)), false);
}

/* the outline of a square across an axis, around the anchor of A */
static void patch(const joint_pen *pen, tr_dvec3 axis)
{
    const tr_dvec3 at = anchor_a(pen);
    const tr_dvec3 y = tr3_times(fmax(0.7 * pen->reach, 3.0 * pen->glyph), axis_2_of(pen)), z = tr3_cross(axis, y);
    const tr_dvec3 corner[4] = {tr3_plus(at, tr3_plus(y, z)), tr3_plus(at, tr3_minus(y, z)),
                                tr3_minus(at, tr3_plus(y, z)), tr3_plus(at, tr3_minus(z, y))};
    for (int i = 0; i < 4; i++) {
        line(pen, corner[i], corner[(i + 1) % 4], false);
    }
}

#define TR_JOINT_LOOK
#include "solver/joints3/table.h"

#define LOOK(enumerator, name) [enumerator] = {name##_color, draw_##name},
static const joint_look looks[] = {TR3_JOINT_TYPES(LOOK)};

const joint_look *tr3_joint_look_of(tr3_joint_type type)
{
    return &looks[type];
}

uint32_t tr3_type_color(tr3_joint_type type)
{
    return looks[type].color;
}
