/*
 * Drawing of joints: the elements common to all types. The file of each type in solver/joints2/ is included here a
 * second time for the function that draws it.
 *
 * Marks are attached to bodies and move with them: each function attaches marks to A, to B, or between both.
 */
#include "cli/plane/drawing.h"

#include <math.h>

#define FULL_RAIL 40.0f /* travel of more than this many typical reaches is drawn without stops */

static mark joint_mark(const joint_pen *pen, mark_kind kind, uint32_t body_a, uint32_t body_b)
{
    return (mark){
        .kind = kind, .body_a = body_a, .body_b = body_b, .joint = pen->joint, .width = pen->width, .alpha = 1.0f};
}

static void line_on(const joint_pen *pen, uint32_t body, tr_vec2 p, tr_vec2 q)
{
    const tr_vec2 points[2] = {p, q};
    drawing_add(pen->drawing, joint_mark(pen, MARK_LINE, body, body), points, 2);
}

/* lines from the anchors to the centres of mass of bodies without shapes */
static void arms(const joint_pen *pen)
{
    if (pen->arm_a) {
        line_on(pen, pen->body_a, pen->center_a, pen->def->anchor_a);
    }
    if (pen->arm_b) {
        line_on(pen, pen->body_b, pen->def->anchor_b, pen->center_b);
    }
}

static void ring(const joint_pen *pen, uint32_t body, tr_vec2 at, float radius, float fill)
{
    mark m = joint_mark(pen, MARK_CIRCLE, body, body);
    m.size = radius;
    m.fill_alpha = fill;
    drawing_add(pen->drawing, m, &at, 1);
}

static void between(const joint_pen *pen, mark_kind kind, mark_dash dash, float size)
{
    const tr_vec2 points[2] = {pen->def->anchor_a, pen->def->anchor_b};
    mark m = joint_mark(pen, kind, pen->body_a, pen->body_b);
    m.dash = dash;
    m.size = size;
    drawing_add(pen->drawing, m, points, 2);
}

/* a square around a point, with one pair of sides parallel to `axis` (a unit vector) */
static void square(const joint_pen *pen, uint32_t body, tr_vec2 at, tr_vec2 axis, float half, float fill)
{
    float x = half * axis.x, y = half * axis.y;
    const tr_vec2 corners[4] = {{at.x - x + y, at.y - y - x},
                                {at.x + x + y, at.y + y - x},
                                {at.x + x - y, at.y + y + x},
                                {at.x - x - y, at.y - y + x}};
    mark m = joint_mark(pen, MARK_LOOP, body, body);
    m.fill_alpha = fill;
    drawing_add(pen->drawing, m, corners, 4);
}

static tr_vec2 unit_axis(const joint_pen *pen)
{
    float length = hypotf(pen->def->axis.x, pen->def->axis.y);
    return length > 0.0f ? (tr_vec2){pen->def->axis.x / length, pen->def->axis.y / length} : (tr_vec2){1.0f, 0.0f};
}

/* the line along which B's anchor may move, with stops at its limits */
static void rail(const joint_pen *pen)
{
    const tr2_joint_def *def = pen->def;
    tr_vec2 axis = unit_axis(pen), at = def->anchor_a;
    bool limited = def->limit.enable && def->limit.upper - def->limit.lower < FULL_RAIL * pen->reach;
    float lower = limited ? def->limit.lower : -pen->reach, upper = limited ? def->limit.upper : pen->reach;
    tr_vec2 p = {at.x + lower * axis.x, at.y + lower * axis.y}, q = {at.x + upper * axis.x, at.y + upper * axis.y};
    line_on(pen, pen->body_a, p, q);

    if (limited && !pen->simple) {
        float x = -0.6f * pen->glyph * axis.y, y = 0.6f * pen->glyph * axis.x;
        line_on(pen, pen->body_a, (tr_vec2){p.x - x, p.y - y}, (tr_vec2){p.x + x, p.y + y});
        line_on(pen, pen->body_a, (tr_vec2){q.x - x, q.y - y}, (tr_vec2){q.x + x, q.y + y});
    }
}

/* an arrow along which B is pushed, a vector in A's frame, at the end that moves; a dot there if it has no direction */
static void push(const joint_pen *pen, tr_vec2 along)
{
    float length = hypotf(along.x, along.y), size = (pen->simple ? 2.0f : 3.0f) * pen->glyph;
    if (!pen->simple || !(length > 0.0f)) {
        ring(pen, pen->ground_b ? pen->body_a : pen->body_b, pen->ground_b ? pen->def->anchor_a : pen->def->anchor_b,
             0.45f * pen->glyph, 1.0f);
    }
    if (!(length > 0.0f)) {
        return;
    }
    tr_vec2 shaft = {along.x / length * size, along.y / length * size};
    mark m = joint_mark(pen, MARK_ARROW, pen->body_a, pen->body_b);
    if (pen->ground_b) {
        /* what pushes B one way pushes A the other */
        tr_dvec2 path[ARROW_POINTS];
        tr_vec2 points[ARROW_POINTS], at = pen->def->anchor_a;
        drawing_arrow((tr_dvec2){at.x, at.y}, (tr_dvec2){(double)at.x - shaft.x, (double)at.y - shaft.y}, path);
        for (uint32_t k = 0; k < ARROW_POINTS; ++k) {
            points[k] = (tr_vec2){(float)path[k].x, (float)path[k].y};
        }
        m.kind = MARK_LINE;
        m.body_b = pen->body_a;
        drawing_add(pen->drawing, m, points, ARROW_POINTS);
    } else {
        const tr_vec2 points[2] = {shaft, pen->def->anchor_b};
        drawing_add(pen->drawing, m, points, 2);
    }
}

#define TR_JOINT_LOOK
#include "solver/joints2/table.h"

#define LOOK(enumerator, name) [enumerator] = {name##_color, draw_##name},
static const joint_look looks[] = {TR2_JOINT_TYPES(LOOK)};

const joint_look *joint_look_of(tr2_joint_type type)
{
    return &looks[type];
}

uint32_t tr2_type_color(tr2_joint_type type)
{
    return joint_look_of(type)->color;
}
