/* Turns a frame into flat pieces, sorted from the farthest to the nearest. */
#include "cli/space/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "cli/arrays.h"
#include "cli/core/body_look.h"

#define MOST_PIXELS 1e6  /* of a radius or a width; pieces that large are not drawn */
#define SMALL_REACH 5.0  /* pixels: below this reach, joints are lines without glyphs */
#define SMALL_SOLID 3.0  /* pixels, radius: smaller solids are one flat piece; */
#define SMALL_CROWD 8.0  /* where joints have no glyphs, those smaller than this */
#define RIM         24u  /* corners of a circle seen at an angle */
#define SMALL_LIGHT 0.06 /* steps of their brightness */
#define LEAST_EDGED 4.0  /* pixels, width: those that are smaller have no outline */
#define LEAST_WIDTH 1.5  /* pixels, of all */
#define EDGE        0.6f /* pixels, of outlines */
#define BALL_LIGHT  0.94 /* brightness of what is round */
#define LARGE       4.0  /* a solid of so many times the typical radius lies under what is around it */

/* the radius of a ball about the shape's middle that holds it */
static double radius_of(const tr3_scene_shape *shape)
{
    if (shape->type == TR3_SCENE_BOX) {
        return tr3_size(shape->half);
    }
    if (shape->type == TR3_SCENE_SPHERE) {
        return (double)shape->radius;
    }
    return 0.5 * tr3_distance(tr3_widen(shape->to), tr3_widen(shape->from)) + (double)shape->radius;
}

const uint32_t solids_axis_colors[3] = {0xc23b3b, 0x3b8f3b, 0x3b5bc2};

void solids_begin(solids *s, const picture *p, const view *v, double scale, const palette *colors, bool plain)
{
    const tr3_scene *scene = p->scene;
    *s = (solids){.picture = p, .view = v, .scale = scale, .colors = colors, .plain = plain};
    s->shaped = calloc((size_t)scene->body_count + 1, sizeof *s->shaped);
    double *radii = calloc((size_t)scene->shape_count + 1, sizeof *radii);
    s->failed = s->shaped == NULL || radii == NULL;
    for (uint32_t i = 0; !s->failed && i < scene->shape_count; ++i) {
        s->shaped[scene->shapes[i].body] = true;
        radii[i] = radius_of(&scene->shapes[i]);
    }
    if (!s->failed && scene->shape_count > 0) {
        qsort(radii, scene->shape_count, sizeof *radii, compare_doubles);
        s->typical = radii[scene->shape_count / 2];
    }
    free(radii);
}

void solids_free(solids *s)
{
    free(s->list);
    free(s->pieces);
    free(s->points);
    free(s->shaped);
    memset(s, 0, sizeof *s);
}

uint32_t solids_shade(uint32_t color, double brightness)
{
    uint32_t shaded = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        double part = ((color >> shift) & 0xff) * brightness;
        shaded |= (uint32_t)(part < 255.0 ? part + 0.5 : 255.0) << shift;
    }
    return shaded;
}

void solids_add(solids *s, tr_dvec3 at, double bias, solid_kind kind)
{
    void *list = s->list;
    s->failed = s->failed || !array_reserve(&list, &s->capacity, s->count, 1, sizeof *s->list);
    s->list = list;
    if (!s->failed) {
        s->list[s->count] = (solid){.depth = tr3_dot(s->view->camera.back, at) + bias,
                                    .order = s->count,
                                    .kind = kind,
                                    .first_piece = s->piece_count};
        ++s->count;
    }
}

static tr_dvec2 to_pixels(const solids *s, tr_dvec3 at)
{
    tr_dvec2 place = tr3_camera_at(&s->view->camera, at);
    return (tr_dvec2){(place.x - s->center.x) * s->scale, (s->center.y - place.y) * s->scale};
}

/* false if a point is far outside or not finite: what has such a point is left out */
static bool can_be_seen(const tr_dvec2 *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!(fabs(points[i].x) < 1e6 && fabs(points[i].y) < 1e6)) {
            return false;
        }
    }
    return true;
}

/* adds a piece whose points are in pixels */
static void add_piece(solids *s, piece p, const tr_dvec2 *points, uint32_t count)
{
    void *pieces = s->pieces, *all = s->points;
    s->failed = s->failed || !array_reserve(&pieces, &s->piece_capacity, s->piece_count, 1, sizeof *s->pieces);
    s->pieces = pieces;
    s->failed = s->failed || !array_reserve(&all, &s->point_capacity, s->point_count, count, sizeof *s->points);
    s->points = all;
    if (s->failed) {
        return;
    }
    if (!can_be_seen(points, count) || !(p.size < 1e5f)) {
        return;
    }
    p.first_point = s->point_count;
    p.point_count = count;
    memcpy(s->points + s->point_count, points, count * sizeof *points);
    s->point_count += count;
    s->pieces[s->piece_count++] = p;
    ++s->list[s->count - 1].piece_count;
}

#define MOST_POINTS 64u

void solids_piece(solids *s, piece p, const tr_dvec3 *points, uint32_t count)
{
    tr_dvec2 pixels[MOST_POINTS];
    count = count < MOST_POINTS ? count : MOST_POINTS;
    for (uint32_t i = 0; i < count; ++i) {
        pixels[i] = to_pixels(s, points[i]);
    }
    add_piece(s, p, pixels, count);
}

/*
 * Bodies
 */

/* how bright a face with this unit normal is: the light comes from above, behind the viewer's left shoulder */
static double brightness_of(const solids *s, tr_dvec3 normal)
{
    const tr3_camera *c = &s->view->camera;
    double light = -0.40 * tr3_dot(normal, c->right) + 0.72 * tr3_dot(normal, c->up) + 0.57 * tr3_dot(normal, c->back);
    return 0.68 + 0.40 * fmax(light, 0.0);
}

static piece face_of(const solids *s, body_look look, tr_dvec3 normal)
{
    return (piece){.kind = PIECE_POLYGON,
                   .color = solids_shade(look.fill, brightness_of(s, normal)),
                   .edge = look.stroke,
                   .edge_width = EDGE};
}

static void draw_box(solids *s, const tr3_scene_shape *shape, const tr3_transform *t, body_look look)
{
    const tr3_dquat q = tr3_compose(tr3_widen_quat(t->rotation), tr3_normalised(tr3_widen_quat(shape->rotation)));
    const tr_dvec3 center = tr3_place(t, shape->center);
    const tr_dvec3 axes[3] = {tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                              tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0})};
    const double half[3] = {(double)shape->half.x, (double)shape->half.y, (double)shape->half.z};
    for (int k = 0; k < 3; ++k) {
        /* of two opposite faces one is seen */
        const double toward = tr3_dot(axes[k], s->view->camera.back), side = toward > 0.0 ? 1.0 : -1.0;
        if (!(fabs(toward) > 1e-6)) {
            continue;
        }
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const tr_dvec3 middle = tr3_plus(center, tr3_times(side * half[k], axes[k]));
        const tr_dvec3 u = tr3_times(half[i], axes[i]), v = tr3_times(half[j], axes[j]);
        const tr_dvec3 corners[4] = {tr3_minus(tr3_minus(middle, u), v), tr3_minus(tr3_plus(middle, u), v),
                                     tr3_plus(tr3_plus(middle, u), v), tr3_plus(tr3_minus(middle, u), v)};
        solids_piece(s, face_of(s, look, tr3_times(side, axes[k])), corners, 4);
    }
}

static void draw_ball(solids *s, tr_dvec3 center, double radius, body_look look)
{
    const float pixels = (float)fmin(radius * s->scale, MOST_PIXELS);
    piece disc = {.kind = PIECE_DISC,
                  .color = solids_shade(look.fill, 0.86),
                  .edge = look.stroke,
                  .edge_width = EDGE,
                  .size = pixels};
    solids_piece(s, disc, &center, 1);
    if ((double)pixels < SMALL_SOLID) {
        return;
    }
    /* two smaller discs toward the light */
    static const double shift[] = {0.16, 0.30}, size[] = {0.72, 0.36}, light[] = {0.97, 1.08};
    const tr_dvec2 at = to_pixels(s, center);
    for (int k = 0; k < 2; ++k) {
        const tr_dvec2 lit = {at.x - 0.6 * shift[k] * (double)pixels, at.y - shift[k] * (double)pixels};
        add_piece(
            s, (piece){.kind = PIECE_DISC, .color = solids_shade(look.fill, light[k]), .size = (float)size[k] * pixels},
            &lit, 1);
    }
}

/* a great circle on a ball, in the body's plane of x and z: it shows how the ball turns */
static void draw_equator(solids *s, tr_dvec3 center, double radius, const tr3_transform *t, body_look look)
{
    if (radius * s->scale < 8.0) {
        return;
    }
    const tr3_dquat q = tr3_widen_quat(t->rotation);
    tr_dvec3 arc[RIM + 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k <= 2 * RIM; ++k) {
        const double angle = TR_TURN * k / RIM;
        tr_dvec3 arm = tr3_turned(q, (tr_dvec3){radius * cos(angle), 0.0, radius * sin(angle)});
        if (tr3_dot(arm, s->view->camera.back) >= 0.0 && count <= RIM) {
            arc[count++] = tr3_plus(center, arm);
        } else if (count > 1 && k >= RIM) {
            break;
        } else {
            count = 0;
        }
    }
    if (count > 1) {
        solids_piece(s, (piece){.kind = PIECE_LINE, .color = look.stroke, .size = 0.9f}, arc, count);
    }
}

static void draw_capsule(solids *s, const tr3_scene_shape *shape, const tr3_transform *t, body_look look)
{
    const tr_dvec3 ends[2] = {tr3_place(t, shape->from), tr3_place(t, shape->to)};
    const float width = (float)fmin(2.0 * (double)shape->radius * s->scale, MOST_PIXELS);
    solids_piece(s,
                 (piece){.kind = PIECE_LINE,
                         .color = solids_shade(look.fill, 0.86),
                         .edge = look.stroke,
                         .edge_width = EDGE,
                         .size = width},
                 ends, 2);
    if ((double)width < 2.0 * SMALL_SOLID) {
        return;
    }
    tr_dvec2 lit[2];
    for (int k = 0; k < 2; ++k) {
        lit[k] = to_pixels(s, ends[k]);
        lit[k].x -= 0.06 * (double)width;
        lit[k].y -= 0.11 * (double)width;
    }
    add_piece(s, (piece){.kind = PIECE_LINE, .color = solids_shade(look.fill, 1.0), .size = 0.62f * width}, lit, 2);
}

static double cross(tr_dvec2 o, tr_dvec2 a, tr_dvec2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int compare_points(const void *a, const void *b)
{
    const tr_dvec2 *p = a, *q = b;
    int by_x = (p->x > q->x) - (p->x < q->x);
    return by_x != 0 ? by_x : (p->y > q->y) - (p->y < q->y);
}

/* the convex hull of finite points (Andrew's monotone chain); sorts them; returns its number of corners. `out` has room for
   twice as many points, since rounding may keep one on both sides. */
static uint32_t hull_of(tr_dvec2 *points, uint32_t count, tr_dvec2 *out)
{
    uint32_t made = 0;
    qsort(points, count, sizeof *points, compare_points);
    for (int pass = 0; pass < 2; ++pass) {
        const uint32_t start = made;
        for (uint32_t i = 0; i < count; ++i) {
            const tr_dvec2 p = points[pass == 0 ? i : count - 1 - i];
            while (made >= start + 2 && cross(out[made - 2], out[made - 1], p) <= 0.0) {
                --made;
            }
            out[made++] = p;
        }
        --made;
    }
    return made;
}

static void draw_cylinder(solids *s, const tr3_scene_shape *shape, const tr3_transform *t, body_look look)
{
    const tr_dvec3 ends[2] = {tr3_place(t, shape->from), tr3_place(t, shape->to)};
    tr_dvec3 axis = tr3_minus(ends[1], ends[0]);
    const double length = sqrt(tr3_dot(axis, axis));
    if (!(length > 0.0)) {
        return;
    }
    axis = tr3_over(axis, length);
    const tr_dvec3 aside = fabs(axis.x) < 0.7 ? (tr_dvec3){1.0, 0.0, 0.0} : (tr_dvec3){0.0, 1.0, 0.0};
    tr_dvec3 u = tr3_whirl(axis, aside);
    u = tr3_times((double)shape->radius / sqrt(tr3_dot(u, u)), u);
    const tr_dvec3 v = tr3_whirl(axis, u);
    tr_dvec3 rim[2][RIM];
    tr_dvec2 pixels[2 * RIM], outline[4 * RIM];
    for (uint32_t k = 0; k < RIM; ++k) {
        const double angle = TR_TURN * k / RIM;
        const tr_dvec3 arm = tr3_plus(tr3_times(cos(angle), u), tr3_times(sin(angle), v));
        for (int end = 0; end < 2; ++end) {
            rim[end][k] = tr3_plus(ends[end], arm);
            pixels[2 * k + (uint32_t)end] = to_pixels(s, rim[end][k]);
        }
    }
    if (!can_be_seen(pixels, 2 * RIM)) {
        return;
    }
    const uint32_t corners = hull_of(pixels, 2 * RIM, outline);
    /* the side that faces the viewer, and the end that does */
    const double toward = tr3_dot(axis, s->view->camera.back), side = toward > 0.0 ? 1.0 : -1.0;
    const tr_dvec3 out = tr3_minus(s->view->camera.back, tr3_times(toward, axis));
    const double across = sqrt(tr3_dot(out, out));
    add_piece(s, face_of(s, look, across > 1e-6 ? tr3_over(out, across) : axis), outline, corners);
    solids_piece(s, face_of(s, look, tr3_times(side, axis)), rim[side > 0.0 ? 1 : 0], RIM);
}

static bool is_simple(const solids *s)
{
    return s->plain || s->view->reach * s->scale < SMALL_REACH;
}

static bool is_small(const solids *s, double radius)
{
    return s->plain || radius * s->scale < (is_simple(s) ? SMALL_CROWD : SMALL_SOLID);
}

/* how bright a box is on average, as far as it is seen */
static double mean_brightness(const solids *s, const double *half, const tr_dvec3 *axes)
{
    double sum = 0.0, room = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double toward = tr3_dot(axes[k], s->view->camera.back);
        const double part = fabs(toward) * half[(k + 1) % 3] * half[(k + 2) % 3];
        sum += part * brightness_of(s, tr3_times(toward > 0.0 ? 1.0 : -1.0, axes[k]));
        room += part;
    }
    return room > 0.0 ? sum / room : BALL_LIGHT;
}

/* A line with round ends, about as long and as wide as the solid. It has few brightnesses, so that a moving picture of
   many small solids has many that are alike. */
static void draw_small(solids *s, const tr3_scene_shape *shape, const tr3_transform *t, body_look look)
{
    tr_dvec3 ends[2] = {tr3_place(t, shape->center), tr3_place(t, shape->center)};
    double radius = (double)shape->radius, brightness = BALL_LIGHT;
    if (shape->type == TR3_SCENE_BOX) {
        const tr3_dquat q = tr3_compose(tr3_widen_quat(t->rotation), tr3_normalised(tr3_widen_quat(shape->rotation)));
        const double half[3] = {(double)shape->half.x, (double)shape->half.y, (double)shape->half.z};
        const tr_dvec3 axes[3] = {tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                                  tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0})};
        const int longest = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
        radius = fmax(half[(longest + 1) % 3], half[(longest + 2) % 3]);
        brightness = floor(mean_brightness(s, half, axes) / SMALL_LIGHT + 0.5) * SMALL_LIGHT;
        const tr_dvec3 along = tr3_times(half[longest] - radius, axes[longest]);
        ends[0] = tr3_minus(ends[0], along);
        ends[1] = tr3_plus(ends[1], along);
    } else if (shape->type != TR3_SCENE_SPHERE) {
        const tr_dvec3 from = tr3_place(t, shape->from), to = tr3_place(t, shape->to);
        const tr_dvec3 middle = tr3_times(0.5, tr3_plus(from, to));
        const double length = tr3_distance(to, from);
        /* the ends of a cylinder are flat */
        const double part = shape->type == TR3_SCENE_CAPSULE ? 1.0 : fmax(1.0 - 2.0 * radius / length, 0.0);
        ends[0] = tr3_plus(middle, tr3_times(part, tr3_minus(from, middle)));
        ends[1] = tr3_plus(middle, tr3_times(part, tr3_minus(to, middle)));
    }
    solids_piece(s,
                 (piece){.kind = PIECE_LINE,
                         .color = solids_shade(look.fill, brightness),
                         .edge = look.stroke,
                         .edge_width = 2.0 * radius * s->scale > LEAST_EDGED ? EDGE : 0.0f,
                         .size = (float)fmax(2.0 * radius * s->scale, LEAST_WIDTH)},
                 ends, 2);
}

static body_look look_of(const solids *s, uint32_t body)
{
    body_look look = tr3_body_look_of(s->picture->scene, s->picture->groups, body);
    if (snapshot_sleeps(s->snapshot, body)) {
        look = (body_look){tr3_body_look_asleep(look.fill), tr3_body_look_asleep(look.stroke)};
    }
    return look;
}

static void draw_shape(solids *s, const tr3_scene_shape *shape)
{
    const tr3_transform *t = &s->snapshot->transforms[shape->body];
    const body_look look = look_of(s, shape->body);
    const double radius = radius_of(shape);
    const bool has_ends = shape->type == TR3_SCENE_CAPSULE || shape->type == TR3_SCENE_CYLINDER;
    tr_dvec3 center = tr3_place(t, shape->center);
    if (has_ends) {
        center = tr3_times(0.5, tr3_plus(tr3_place(t, shape->from), tr3_place(t, shape->to)));
    }
    const bool small = is_small(s, radius);
    solids_add(s, center, radius > LARGE * s->typical ? -radius : 0.0, small ? SOLID_SMALL : SOLID_WHOLE);
    if (small) {
        draw_small(s, shape, t, look);
    } else if (shape->type == TR3_SCENE_SPHERE) {
        draw_ball(s, center, radius, look);
        draw_equator(s, center, radius, t, look);
    } else if (shape->type == TR3_SCENE_CAPSULE) {
        draw_capsule(s, shape, t, look);
    } else if (shape->type == TR3_SCENE_CYLINDER) {
        draw_cylinder(s, shape, t, look);
    } else {
        draw_box(s, shape, t, look);
    }
}

/* a body without shapes: a small ball and its axes (x red, y green, z blue); a static one is seen where joints hold on to
   it */
static void draw_default_body(solids *s, uint32_t body)
{
    const groups *g = s->picture->groups;
    const tr3_transform *t = &s->snapshot->transforms[body];
    const tr_vec3 middle = s->picture->scene->bodies[body].def.center;
    const tr_dvec3 center = tr3_place(t, middle);
    const body_look look = look_of(s, body);
    const double reach = s->view->reach, radius = fmax(0.15 * reach, 1.2 / s->scale);
    if (g->of_body[body] == NO_GROUP) {
        return;
    }
    const bool small = is_small(s, 2.0 * radius);
    solids_add(s, center, 0.0, small ? SOLID_SMALL : SOLID_WHOLE);
    if (small) {
        const tr3_scene_shape ball = {.type = TR3_SCENE_SPHERE, .center = middle, .radius = (float)radius};
        draw_small(s, &ball, t, look);
        return;
    }
    draw_ball(s, center, radius, look);
    const tr3_dquat q = tr3_widen_quat(t->rotation);
    for (int k = 0; k < 3; ++k) {
        const tr_dvec3 arm = {k == 0 ? 0.4 * reach : 0.0, k == 1 ? 0.4 * reach : 0.0, k == 2 ? 0.4 * reach : 0.0};
        const tr_dvec3 line[2] = {center, tr3_plus(center, tr3_turned(q, arm))};
        solids_piece(s, (piece){.kind = PIECE_LINE, .color = solids_axis_colors[k], .size = 1.4f}, line, 2);
    }
}

/*
 * Joints
 */

/* the pose of a scene's body, as index + 1; 0: the world */
static tr3_transform carrier_of(const solids *s, uint32_t carrier)
{
    return carrier > 0 ? s->snapshot->transforms[carrier - 1] : tr3_frame_at((tr_dvec3){0.0, 0.0, 0.0});
}

static void draw_joint(solids *s, uint32_t j)
{
    const tr3_scene *scene = s->picture->scene;
    const tr3_scene_joint *joint = &scene->joints[j];
    const tr3_body_def *a = &scene->bodies[joint->body_a].def, *b = &scene->bodies[joint->body_b].def;
    const tr3_transform *at_a = &s->snapshot->transforms[joint->body_a];
    const tr3_transform *at_b = &s->snapshot->transforms[joint->body_b];
    const double reach = s->view->reach, pixels = reach * s->scale;
    const bool simple = is_simple(s);
    const double arm_a = tr3_distance(tr3_widen(joint->def.anchor_a), tr3_widen(a->center));
    const double arm_b = tr3_distance(tr3_widen(joint->def.anchor_b), tr3_widen(b->center));
    joint_pen pen = {
        .solids = s,
        .def = &joint->def,
        .a = at_a,
        .b = at_b,
        .carrier = {carrier_of(s, joint->carrier_a), carrier_of(s, joint->carrier_b)},
        .center_a = a->center,
        .center_b = b->center,
        /* no arm to the centre of a large static body, which is no meaningful point */
        .arm_a = !s->shaped[joint->body_a] && arm_a > 0.0 && (a->type == TR_DYNAMIC || arm_a < 3.0 * reach),
        .arm_b = !s->shaped[joint->body_b] && arm_b > 0.0 && (b->type == TR_DYNAMIC || arm_b < 3.0 * reach),
        .simple = simple,
        .color = tr3_palette_color(s->colors, tr3_palette_level(s->colors, scene, s->snapshot, j)),
        .glyph = fmin(fmax(0.2 * pixels, 2.0), 6.0) / s->scale,
        .reach = reach,
        .width = simple ? 0.8f : 1.4f,
    };
    /* in front of the bodies that it holds together: as near as the nearer of its ends */
    const tr_dvec3 a_end = tr3_place(at_a, joint->def.anchor_a), b_end = tr3_place(at_b, joint->def.anchor_b);
    const tr_dvec3 back = s->view->camera.back;
    solids_add(s, tr3_dot(back, a_end) > tr3_dot(back, b_end) ? a_end : b_end, reach,
               simple ? SOLID_SMALL_JOINT : SOLID_WHOLE);
    tr3_joint_look_of(joint->def.type)->draw(&pen);
}

/* a small dark cube where a joint holds on to a static body without shapes */
static void draw_support(solids *s, uint32_t body, tr_vec3 anchor)
{
    if (s->picture->groups->of_body[body] != NO_GROUP || s->shaped[body]) {
        return;
    }
    const tr3_transform *t = &s->snapshot->transforms[body];
    const float half = (float)(fmin(fmax(0.18 * s->view->reach * s->scale, 2.0), 5.0) / s->scale);
    const tr3_scene_shape cube = {
        .type = TR3_SCENE_BOX, .center = anchor, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .half = {half, half, half}};
    solids_add(s, tr3_place(t, anchor), 0.0, s->plain ? SOLID_SMALL : SOLID_WHOLE);
    (s->plain ? draw_small : draw_box)(s, &cube, t, (body_look){0x6b695f, 0x44423b});
}

static int compare_depths(const void *a, const void *b)
{
    const solid *p = a, *q = b;
    if (p->depth != q->depth) {
        return p->depth < q->depth ? -1 : 1;
    }
    return (p->order > q->order) - (p->order < q->order);
}

void solids_draw(solids *s, const snapshot *frame, tr_dvec2 center)
{
    const tr3_scene *scene = s->picture->scene;
    s->count = s->piece_count = s->point_count = 0;
    s->snapshot = frame;
    s->center = center;
    for (uint32_t i = 0; i < scene->shape_count && !s->failed; ++i) {
        draw_shape(s, &scene->shapes[i]);
    }
    for (uint32_t i = 0; i < scene->body_count && !s->failed; ++i) {
        if (!s->shaped[i]) {
            draw_default_body(s, i);
        }
    }
    for (uint32_t j = 0; j < scene->joint_count && !s->failed; ++j) {
        if (snapshot_has_joint(frame, j)) {
            draw_support(s, scene->joints[j].body_a, scene->joints[j].def.anchor_a);
            draw_support(s, scene->joints[j].body_b, scene->joints[j].def.anchor_b);
            draw_joint(s, j);
        }
    }
    /* a depth that is no number would spoil the order */
    for (uint32_t i = 0; i < s->count; ++i) {
        s->list[i].depth = isfinite(s->list[i].depth) ? s->list[i].depth : 0.0;
    }
    if (!s->failed && s->count > 0) {
        qsort(s->list, s->count, sizeof *s->list, compare_depths);
    }
}
