/* Turns a scene into marks, and joints into colours. */
#include "cli/plane/drawing.h"
#include "cli/core/body_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "cli/arrays.h"

#define SMALL_REACH 5.0 /* pixels: below this reach, joints are drawn as lines without glyphs */

void drawing_free(drawing *d)
{
    free(d->marks);
    free(d->points);
    memset(d, 0, sizeof *d);
}

void drawing_add(drawing *d, mark m, const tr_vec2 *points, uint32_t count)
{
    void *marks = d->marks, *all_points = d->points;
    bool room = array_reserve(&marks, &d->mark_capacity, d->mark_count, 1, sizeof *d->marks);
    d->marks = marks;
    room = room && array_reserve(&all_points, &d->point_capacity, d->point_count, count, sizeof *d->points);
    d->points = all_points;
    if (!room) {
        d->failed = true;
        return;
    }
    m.first_point = d->point_count;
    m.point_count = count;
    d->marks[d->mark_count++] = m;
    memcpy(d->points + d->point_count, points, count * sizeof *points);
    d->point_count += count;
}

/* Rounds the corners of an outline with arcs, in steps of at most an eighth of a half turn. Two points make a
   capsule. */
#define ARC_STEPS      8
#define ROUNDED_POINTS (TR2_SHAPE_POINTS * (ARC_STEPS + 1))

static uint32_t round_off(const tr_vec2 *points, uint32_t count, float radius, tr_vec2 *out)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; ++i) {
        tr_vec2 before = points[(i + count - 1) % count], at = points[i], after = points[(i + 1) % count];
        double from = atan2((double)(before.x - at.x), (double)(at.y - before.y));
        double to = atan2((double)(at.x - after.x), (double)(after.y - at.y));
        /* counter-clockwise; at the ends of a line it is half a turn, and remainder() may give either sign */
        double turn = remainder(to - from, TR_TURN);
        turn = count == 2 ? 0.5 * TR_TURN : fmax(turn, 0.0);
        uint32_t steps = 1 + (uint32_t)(turn / (0.5 * TR_TURN) * (ARC_STEPS - 1));
        for (uint32_t k = 0; k <= steps; ++k) {
            double angle = from + turn * k / steps;
            out[made++] = (tr_vec2){at.x + radius * (float)cos(angle), at.y + radius * (float)sin(angle)};
        }
    }
    return made;
}

static void add_shape(drawing *d, const tr2_scene *scene, const groups *g, const tr2_scene_shape *shape)
{
    body_look look = tr2_body_look_of(scene, g, shape->body);
    mark m = {.body_a = shape->body,
              .body_b = shape->body,
              .joint = NO_JOINT,
              .width = 1.0f,
              .stroke = look.stroke,
              .fill = look.fill,
              .alpha = 1.0f,
              .fill_alpha = 0.75f};
    if (shape->sensor) {
        m.dash = DASH_DASHED;
        m.fill_alpha = 0.0f;
    }
    const tr_vec2 *points = scene->vertices + shape->first_vertex;
    switch (shape->type) {
    case TR2_SCENE_CIRCLE: {
        /* a spoke shows the rotation */
        const tr_vec2 spoke[2] = {points[0], {points[0].x + shape->radius, points[0].y}};
        m.kind = MARK_CIRCLE;
        m.size = shape->radius;
        drawing_add(d, m, points, 1);
        m.kind = MARK_LINE;
        m.fill_alpha = 0.0f;
        drawing_add(d, m, spoke, 2);
        break;
    }
    case TR2_SCENE_CAPSULE:
    case TR2_SCENE_POLYGON:
        m.kind = MARK_LOOP;
        if (shape->radius > 0.0f && shape->vertex_count <= TR2_SHAPE_POINTS) {
            tr_vec2 outline[ROUNDED_POINTS];
            drawing_add(d, m, outline, round_off(points, shape->vertex_count, shape->radius, outline));
        } else {
            drawing_add(d, m, points, shape->vertex_count);
        }
        break;
    default:
        m.kind = shape->closed ? MARK_LOOP : MARK_LINE;
        m.fill_alpha = 0.0f;
        m.width = 1.5f;
        drawing_add(d, m, points, shape->vertex_count);
    }
}

/* a body without shapes: a disc with a spoke, a dot if that is small, nothing if its joints already show it */
static void add_default_body(drawing *d, const tr2_scene *scene, const groups *g, uint32_t body, double reach,
                             double scale)
{
    bool fixed = g->of_body[body] == NO_GROUP;
    body_look look = tr2_body_look_of(scene, g, body);
    tr_vec2 center = scene->bodies[body].def.center;
    double radius = 0.3 * reach, pixels = radius * scale;
    mark m = {.body_a = body,
              .body_b = body,
              .joint = NO_JOINT,
              .width = 1.0f,
              .stroke = look.stroke,
              .fill = look.fill,
              .alpha = 1.0f,
              .fill_alpha = 0.9f};

    if (fixed && g->pinned[body]) {
        /* a support: a small dark square */
        float h = (float)(fmin(fmax(0.6 * pixels, 2.0), 5.0) / scale);
        const tr_vec2 corners[4] = {{center.x - h, center.y - h},
                                    {center.x + h, center.y - h},
                                    {center.x + h, center.y + h},
                                    {center.x - h, center.y + h}};
        m.kind = MARK_LOOP;
        m.fill = 0x55534b;
        m.stroke = 0x55534b;
        drawing_add(d, m, corners, 4);
    } else if (!fixed && pixels >= 1.5) {
        const tr_vec2 spoke[2] = {center, {center.x + (float)radius, center.y}};
        m.kind = MARK_CIRCLE;
        m.size = (float)radius;
        drawing_add(d, m, &center, 1);
        m.kind = MARK_LINE;
        m.fill_alpha = 0.0f;
        drawing_add(d, m, spoke, 2);
    } else if (!fixed && (pixels >= 0.75 || g->joint_count[g->of_body[body]] == 0)) {
        m.kind = MARK_CIRCLE;
        m.size = (float)(1.2 / scale);
        m.fill = look.stroke;
        m.width = 0.0f;
        drawing_add(d, m, &center, 1);
    }
}

static void add_joint(drawing *d, const tr2_scene *scene, const bool *shaped, uint32_t j, double reach, double scale)
{
    const tr2_scene_joint *joint = &scene->joints[j];
    const tr2_body_def *a = &scene->bodies[joint->body_a].def, *b = &scene->bodies[joint->body_b].def;
    bool simple = reach * scale < SMALL_REACH, pushes = tr2_joint_only_pushes(&joint->def);
    joint_pen pen = {.drawing = d,
                     .def = &joint->def,
                     .joint = j,
                     .body_a = joint->body_a,
                     .body_b = joint->body_b,
                     .world = scene->body_count,
                     .origin = tr2_snapshot_origin(scene),
                     .at_a = a,
                     .at_b = b,
                     .carried_a = joint->carrier_a > 0 ? scene->bodies[joint->carrier_a - 1].def.angle : 0.0,
                     .carried_b = joint->carrier_b > 0 ? scene->bodies[joint->carrier_b - 1].def.angle : 0.0,
                     .center_a = a->center,
                     .center_b = b->center,
                     .ground_a = pushes && a->type == TR_STATIC,
                     .ground_b = pushes && b->type == TR_STATIC && a->type != TR_STATIC,
                     .simple = simple,
                     .glyph = (float)(fmin(fmax(0.2 * reach * scale, 2.0), 6.0) / scale),
                     .reach = (float)reach,
                     .width = simple ? 0.8f : 1.3f};

    /* omit the arm to the centre of a large static body, which is no meaningful point */
    double arm_a = (double)hypotf(joint->def.anchor_a.x - a->center.x, joint->def.anchor_a.y - a->center.y);
    double arm_b = (double)hypotf(joint->def.anchor_b.x - b->center.x, joint->def.anchor_b.y - b->center.y);
    pen.arm_a =
        !pen.ground_a && !shaped[joint->body_a] && arm_a > 0.0 && (a->type == TR_DYNAMIC || arm_a < 3.0 * reach);
    pen.arm_b =
        !pen.ground_b && !shaped[joint->body_b] && arm_b > 0.0 && (b->type == TR_DYNAMIC || arm_b < 3.0 * reach);
    joint_look_of(joint->def.type)->draw(&pen);
}

void drawing_make(drawing *d, const tr2_scene *scene, const groups *g, double reach, double scale)
{
    memset(d, 0, sizeof *d);
    bool *shaped = calloc((size_t)scene->body_count + 1, sizeof *shaped);
    if (shaped == NULL) {
        d->failed = true;
        return;
    }
    for (uint32_t i = 0; i < scene->shape_count; ++i) {
        shaped[scene->shapes[i].body] = true;
    }

    /* draw static bodies behind moving ones */
    static const tr_body_type order[] = {TR_STATIC, TR_KINEMATIC, TR_DYNAMIC};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; ++k) {
        for (uint32_t i = 0; i < scene->shape_count; ++i) {
            if (scene->bodies[scene->shapes[i].body].def.type == order[k]) {
                add_shape(d, scene, g, &scene->shapes[i]);
            }
        }
        for (uint32_t i = 0; i < scene->body_count; ++i) {
            if (scene->bodies[i].def.type == order[k] && !shaped[i]) {
                add_default_body(d, scene, g, i, reach, scale);
            }
        }
    }
    d->first_joint_mark = d->mark_count;
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        add_joint(d, scene, shaped, j, reach, scale);
    }
    free(shaped);
}

tr_dvec2 drawing_place(const snapshot *s, uint32_t body, tr_vec2 point)
{
    const tr2_camera camera = {0};
    return tr2_camera_place(&camera, &s->transforms[body], point);
}

void drawing_zigzag(tr_dvec2 p, tr_dvec2 q, double amplitude, tr_dvec2 out[SPRING_POINTS])
{
    double dx = q.x - p.x, dy = q.y - p.y, length = hypot(dx, dy);
    double nx = length > 0.0 ? -dy / length : 0.0, ny = length > 0.0 ? dx / length : 0.0;
    for (uint32_t i = 0; i < SPRING_POINTS; ++i) {
        /* straight ends, with coils over the middle */
        double along = i == 0 ? 0.0 : i == SPRING_POINTS - 1 ? 1.0 : 0.12 + 0.76 * (i - 1) / (SPRING_POINTS - 3);
        double side = i < 2 || i > SPRING_POINTS - 3 ? 0.0 : (i % 2 == 0 ? amplitude : -amplitude);
        out[i] = (tr_dvec2){p.x + along * dx + side * nx, p.y + along * dy + side * ny};
    }
}

void drawing_arrow(tr_dvec2 p, tr_dvec2 q, tr_dvec2 out[ARROW_POINTS])
{
    const double part = 0.4; /* of the barbs, which stand at 27 degrees */
    double x = part * (q.x - p.x), y = part * (q.y - p.y);
    out[0] = p;
    out[1] = out[3] = q;
    out[2] = (tr_dvec2){q.x - x - 0.5 * y, q.y - y + 0.5 * x};
    out[4] = (tr_dvec2){q.x - x + 0.5 * y, q.y - y - 0.5 * x};
}

void drawing_ends(const drawing *d, const mark *m, const snapshot *s, tr_dvec2 out[2])
{
    const tr_vec2 *points = d->points + m->first_point;
    out[1] = drawing_place(s, m->body_b, points[1]);
    if (m->kind == MARK_ARROW) {
        const tr2_transform *t = &s->transforms[m->body_a];
        out[0] = out[1];
        out[1].x += (double)t->c * points[0].x - (double)t->s * points[0].y;
        out[1].y += (double)t->s * points[0].x + (double)t->c * points[0].y;
    } else {
        out[0] = drawing_place(s, m->body_a, points[0]);
    }
}
