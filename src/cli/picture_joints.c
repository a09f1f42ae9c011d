/*
 * How each type of joint is drawn: the only place in the program that knows. A new type is one function and one line of
 * the table at the end.
 *
 * Marks hang on bodies and move with them, so every function says what belongs to A, what to B and what runs between.
 */
#include "cli/drawing.h"

#include <math.h>

#define FULL_RAIL 40.0f /* typical reaches: a longer range of travel is not drawn as a rail */

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

/* lines from the anchors to the centres of bodies that have no shape to show where they are */
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

/* a square around a point, one side along `axis` (a unit vector) */
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

/* the line that B's anchor may move along, with stops at its limits */
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

static bool is_spring(tr_softness softness)
{
    return softness.kind != TR_RIGID && softness.a > 0.0f;
}

static bool is_slack(tr_softness softness)
{
    return (softness.kind == TR_FREQUENCY && softness.a <= 0.0f) ||
           (softness.kind == TR_PHYSICAL && softness.a <= 0.0f && softness.b <= 0.0f);
}

/* a ring at the pivot */
static void draw_revolute(joint_pen *pen)
{
    arms(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, pen->glyph, 0.25f);
    }
}

/* a rod, a spring, or a rope that is dotted while slack */
static void draw_distance(joint_pen *pen)
{
    arms(pen);
    if (is_spring(pen->def->linear) && !pen->simple) {
        between(pen, MARK_SPRING, DASH_NONE, 0.0f);
    } else if (is_slack(pen->def->linear)) {
        float taut = pen->def->limit.enable ? 0.99f * pen->def->limit.upper : INFINITY;
        between(pen, MARK_ROPE, DASH_NONE, taut);
    } else {
        between(pen, MARK_LINE, DASH_NONE, 0.0f);
    }
    if (!pen->simple) {
        ring(pen, pen->body_a, pen->def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

/* a rail on A and a slider on B */
static void draw_prismatic(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        tr_vec2 axis = unit_axis(pen);
        float c = cosf(pen->def->reference_angle), s = sinf(pen->def->reference_angle);
        tr_vec2 axis_on_b = {c * axis.x + s * axis.y, c * axis.y - s * axis.x};
        square(pen, pen->body_b, pen->def->anchor_b, axis_on_b, 0.8f * pen->glyph, 0.25f);
    }
}

/* a cross in a square */
static void draw_weld(joint_pen *pen)
{
    arms(pen);
    if (!pen->simple) {
        tr_vec2 at = pen->def->anchor_a;
        float h = 0.8f * pen->glyph;
        square(pen, pen->body_a, at, (tr_vec2){1.0f, 0.0f}, h, 0.15f);
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y - h}, (tr_vec2){at.x + h, at.y + h});
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y + h}, (tr_vec2){at.x + h, at.y - h});
    }
}

/* the suspension's rail on A and a hub on B */
static void draw_wheel(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, pen->glyph, 0.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.4f * pen->glyph, 1.0f);
    }
}

static void draw_motor(joint_pen *pen)
{
    between(pen, MARK_LINE, DASH_DASHED, 0.0f);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

static tr_vec2 from_origin(const joint_pen *pen, tr_dvec2 point)
{
    return (tr_vec2){(float)(point.x - pen->origin.x), (float)(point.y - pen->origin.y)};
}

static void line_between(const joint_pen *pen, uint32_t body_a, tr_vec2 a, uint32_t body_b, tr_vec2 b)
{
    const tr_vec2 points[2] = {a, b};
    drawing_add(pen->drawing, joint_mark(pen, MARK_LINE, body_a, body_b), points, 2);
}

/* the rope, and the two wheels it runs over */
static void draw_pulley(joint_pen *pen)
{
    const tr2_joint_def *def = pen->def;
    tr_vec2 ground_a = from_origin(pen, def->ground_a), ground_b = from_origin(pen, def->ground_b);
    arms(pen);
    line_between(pen, pen->body_a, def->anchor_a, pen->world, ground_a);
    line_on(pen, pen->world, ground_a, ground_b);
    line_between(pen, pen->body_b, def->anchor_b, pen->world, ground_b);
    if (!pen->simple) {
        ring(pen, pen->world, ground_a, pen->glyph, 0.25f);
        ring(pen, pen->world, ground_b, pen->glyph, 0.25f);
        ring(pen, pen->body_a, def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

static tr_dvec2 anchor_place(const tr2_body_def *at, tr_vec2 anchor)
{
    double c = cos(at->angle), s = sin(at->angle), x = (double)anchor.x, y = (double)anchor.y;
    return (tr_dvec2){at->position.x + c * x - s * y, at->position.y + s * x + c * y};
}

/* the radius of the pitch circle of a side that turns: where the two roll on each other without slipping */
static float pitch_radius(const joint_pen *pen, bool is_b)
{
    const tr2_joint_def *def = pen->def;
    float ratio = fabsf(def->ratio), radius;
    if (is_b ? def->slides_a : def->slides_b) {
        radius = is_b ? 1.0f / ratio : ratio;
    } else {
        tr_dvec2 a = anchor_place(pen->at_a, def->anchor_a), b = anchor_place(pen->at_b, def->anchor_b);
        radius = (float)hypot(b.x - a.x, b.y - a.y) / fabsf(1.0f + def->ratio) * (is_b ? 1.0f : ratio);
    }
    return radius > pen->glyph && radius < FULL_RAIL * pen->reach ? radius : pen->glyph;
}

/* a side that turns has its pitch circle, one that slides its pitch line */
static void pitch(const joint_pen *pen, bool is_b)
{
    const tr2_joint_def *def = pen->def;
    uint32_t body = is_b ? pen->body_b : pen->body_a;
    tr_vec2 at = is_b ? def->anchor_b : def->anchor_a;
    if (is_b ? !def->slides_b : !def->slides_a) {
        mark m = joint_mark(pen, MARK_CIRCLE, body, body);
        m.size = pitch_radius(pen, is_b);
        m.dash = DASH_DASHED;
        drawing_add(pen->drawing, m, &at, 1);
        return;
    }
    /* the axis is the world's, and the body does not turn */
    tr_vec2 axis = is_b ? def->axis_b : def->axis;
    double angle = is_b ? pen->at_b->angle : pen->at_a->angle;
    float c = (float)cos(angle), s = (float)sin(angle), length = hypotf(axis.x, axis.y);
    float x = (c * axis.x + s * axis.y) / length * pen->reach, y = (c * axis.y - s * axis.x) / length * pen->reach;
    const tr_vec2 points[2] = {{at.x - x, at.y - y}, {at.x + x, at.y + y}};
    mark m = joint_mark(pen, MARK_LINE, body, body);
    m.dash = DASH_DASHED;
    drawing_add(pen->drawing, m, points, 2);
}

static void draw_gear(joint_pen *pen)
{
    pitch(pen, false);
    pitch(pen, true);
    if (!pen->simple) {
        ring(pen, pen->body_a, pen->def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

/* the axis on A and a hub on B that turns */
static void draw_line(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.8f * pen->glyph, 0.25f);
    }
}

/* the axis on A and a head on B that is pushed along it */
static void draw_linear_motor(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

/* a belt from centre to centre, with a spoke on each body that shows its turn */
static void draw_angle(joint_pen *pen)
{
    const tr_vec2 centers[2] = {pen->center_a, pen->center_b};
    mark belt = joint_mark(pen, MARK_LINE, pen->body_a, pen->body_b);
    belt.dash = DASH_DASHED;
    drawing_add(pen->drawing, belt, centers, 2);
    const uint32_t body[2] = {pen->body_a, pen->body_b};
    for (int k = 0; k < 2 && !pen->simple; ++k) {
        ring(pen, body[k], centers[k], pen->glyph, 0.0f);
        line_on(pen, body[k], centers[k], (tr_vec2){centers[k].x + pen->glyph, centers[k].y});
    }
}

/* a cross where B is pulled to, and the pull */
static void draw_target(joint_pen *pen)
{
    between(pen, MARK_LINE, DASH_DASHED, 0.0f);
    if (!pen->simple) {
        tr_vec2 at = pen->def->anchor_a;
        float h = 0.7f * pen->glyph;
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y}, (tr_vec2){at.x + h, at.y});
        line_on(pen, pen->body_a, (tr_vec2){at.x, at.y - h}, (tr_vec2){at.x, at.y + h});
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

static const joint_look looks[] = {
    [TR2_REVOLUTE] = {0x1f6fb4, draw_revolute},   [TR2_DISTANCE] = {0xc2410c, draw_distance},
    [TR2_PRISMATIC] = {0x2f7d32, draw_prismatic}, [TR2_WELD] = {0x444444, draw_weld},
    [TR2_WHEEL] = {0x8e24aa, draw_wheel},         [TR2_MOTOR] = {0x00838f, draw_motor},
    [TR2_PULLEY] = {0x8d5a00, draw_pulley},       [TR2_GEAR] = {0xad1457, draw_gear},
    [TR2_LINE] = {0x5d8a00, draw_line},           [TR2_LINEAR_MOTOR] = {0x00897b, draw_linear_motor},
    [TR2_ANGLE] = {0xb71c1c, draw_angle},         [TR2_TARGET] = {0xd81b60, draw_target},
};

_Static_assert(sizeof looks / sizeof looks[0] == TR2_JOINT_TYPE_COUNT, "every type of joint has a look");

const joint_look *joint_look_of(tr2_joint_type type)
{
    return &looks[type];
}
