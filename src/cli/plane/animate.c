/* What is in the window of an animated picture of the plane. A body is one group of marks with a list of positions and
   a list of angles. A mark between two bodies has a list of paths. */
#include "base/angle.h"
#include "cli/core/animation.h"
#include "cli/core/body_look.h"
#include "cli/interrupt.h"
#include "cli/plane/drawing.h"

#include <math.h>
#include <stdlib.h>

/* writes stroke and fill attributes; a joint's colour is that of the first frame */
static void print_style(const animation *a, const mark *m)
{
    uint32_t stroke = m->stroke, fill = m->fill;
    if (m->joint != NO_JOINT) {
        stroke = fill =
            tr2_palette_color(&a->colors, tr2_palette_level(&a->colors, a->picture->scene, frame(a, 0), m->joint));
    }
    if (m->fill_alpha > 0.0f) {
        fprintf(a->stream, " fill=\"#%06x\"", fill);
        if (m->fill_alpha < 1.0f) {
            fprintf(a->stream, " fill-opacity=\"%.2g\"", (double)m->fill_alpha);
        }
    }
    if (m->width > 0.0f) {
        fprintf(a->stream, " stroke=\"#%06x\"", stroke);
        if (m->width != 1.0f) {
            fprintf(a->stream, " stroke-width=\"%.2g\"", (double)m->width);
        }
    }
    if (m->dash != DASH_NONE || m->kind == MARK_ROPE) {
        fprintf(a->stream, " stroke-dasharray=\"%s\"", m->dash == DASH_DASHED ? "4 3" : "1 3");
    }
}

/* animates the colour of a joint; false if it is constant */
static bool print_colors(const animation *a, const mark *m, const char *attribute)
{
    if (m->joint == NO_JOINT || a->colors.mode == COLOR_TYPE || frame_count(a) < 2) {
        return false;
    }
    const tr2_scene *scene = a->picture->scene;
    uint32_t first = tr2_palette_level(&a->colors, scene, frame(a, 0), m->joint);
    bool changes = false;
    for (uint32_t i = 1; i < frame_count(a); ++i) {
        changes = changes || tr2_palette_level(&a->colors, scene, frame(a, i), m->joint) != first;
    }
    if (!changes) {
        return false;
    }
    fprintf(a->stream, "<animate attributeName=\"%s\" values=\"", attribute);
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        uint32_t level = tr2_palette_level(&a->colors, scene, frame(a, i), m->joint);
        fprintf(a->stream, "%s#%06x", i > 0 ? ";" : "", tr2_palette_color(&a->colors, level));
    }
    fprintf(a->stream, "\"%s/>", a->timing);
    return true;
}

/* the first frame in which a mark's joint is broken, or the number of frames if it never breaks */
static uint32_t broken_from(const animation *a, const mark *m)
{
    uint32_t i = 0;
    while (i < frame_count(a) && (m->joint == NO_JOINT || snapshot_has_joint(frame(a, i), m->joint))) {
        ++i;
    }
    return i;
}

/* hides a joint's mark from the frame in which the joint is broken */
static void print_breaking(const animation *a, const mark *m)
{
    uint32_t first = broken_from(a, m);
    if (first < frame_count(a)) {
        fprintf(a->stream,
                "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"visible;hidden\" "
                "keyTimes=\"0;%.6g\"%s/>",
                (double)first / (frame_count(a) - 1), a->timing);
    }
}

/* whether a mark's body sleeps in some frame */
static bool sleeps_once(const animation *a, const mark *m)
{
    bool any = false;
    for (uint32_t i = 0; i < frame_count(a) && !any; ++i) {
        any = m->joint == NO_JOINT && snapshot_sleeps(frame(a, i), m->body_a);
    }
    return any;
}

/* a colour of a body's mark that is greyed in the frames in which the body sleeps */
static void print_rest(const animation *a, const mark *m, const char *attribute, uint32_t color)
{
    fprintf(a->stream, "<animate attributeName=\"%s\" calcMode=\"discrete\" values=\"", attribute);
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        bool asleep = snapshot_sleeps(frame(a, i), m->body_a);
        if (i == 0 || asleep != snapshot_sleeps(frame(a, i - 1), m->body_a)) {
            fprintf(a->stream, "%s#%06x", i > 0 ? ";" : "", asleep ? tr2_body_look_asleep(color) : color);
        }
    }
    fputs("\" keyTimes=\"", a->stream);
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        if (i == 0 || snapshot_sleeps(frame(a, i), m->body_a) != snapshot_sleeps(frame(a, i - 1), m->body_a)) {
            fprintf(a->stream, "%s%.6g", i > 0 ? ";" : "", i > 0 ? (double)i / (frame_count(a) - 1) : 0.0);
        }
    }
    fprintf(a->stream, "\"%s/>", a->timing);
}

static void end_element(const animation *a, const mark *m, const char *name)
{
    if (frame_count(a) > 1 && sleeps_once(a, m)) {
        fputc('>', a->stream);
        print_rest(a, m, "stroke", m->stroke);
        if (m->fill_alpha > 0.0f) {
            print_rest(a, m, "fill", m->fill);
        }
        fprintf(a->stream, "</%s>", name);
        return;
    }
    if (m->joint == NO_JOINT || (a->colors.mode == COLOR_TYPE && broken_from(a, m) == frame_count(a))) {
        fputs("/>", a->stream);
        return;
    }
    fputc('>', a->stream);
    print_breaking(a, m);
    print_colors(a, m, "stroke");
    if (m->fill_alpha > 0.0f) {
        print_colors(a, m, "fill");
    }
    fprintf(a->stream, "</%s>", name);
}

/* writes a mark of one body, in the body's frame */
static void print_mark(const animation *a, const drawing *d, const mark *m)
{
    const tr_vec2 *points = d->points + m->first_point;
    if (m->kind == MARK_CIRCLE) {
        fputs("<circle cx=\"", a->stream);
        tr2_print_tenths(a->stream, (double)points[0].x * a->scale);
        fputs("\" cy=\"", a->stream);
        tr2_print_tenths(a->stream, -(double)points[0].y * a->scale);
        fputs("\" r=\"", a->stream);
        tr2_print_tenths(a->stream, (double)m->size * a->scale);
        fputc('"', a->stream);
        print_style(a, m);
        end_element(a, m, "circle");
        return;
    }
    fputs("<path d=\"M", a->stream);
    for (uint32_t k = 0; k < m->point_count; ++k) {
        fputs(k > 0 ? " " : "", a->stream);
        tr2_print_pair(a->stream, (double)points[k].x * a->scale, -(double)points[k].y * a->scale);
    }
    fputs(m->kind == MARK_LOOP ? "Z\"" : "\"", a->stream);
    print_style(a, m);
    end_element(a, m, "path");
}

static void print_link_path(const animation *a, const drawing *d, const mark *m, const snapshot *s)
{
    tr_dvec2 ends[2], corners[SPRING_POINTS];
    drawing_ends(d, m, s, ends);
    ends[0] = animation_pixels(a, ends[0]);
    ends[1] = animation_pixels(a, ends[1]);
    uint32_t count = 2;
    const tr_dvec2 *path = ends;
    if (m->kind == MARK_SPRING) {
        drawing_zigzag(ends[0], ends[1], fmin(5.0, 0.12 * hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y)),
                       corners);
        path = corners;
        count = SPRING_POINTS;
    } else if (m->kind == MARK_ARROW) {
        drawing_arrow(ends[0], ends[1], corners);
        path = corners;
        count = ARROW_POINTS;
    }
    fputc('M', a->stream);
    for (uint32_t k = 0; k < count; ++k) {
        fputs(k > 0 ? "L" : "", a->stream);
        tr2_print_pair(a->stream, path[k].x, path[k].y);
    }
}

/* writes a mark between two bodies: a path in world coordinates */
static void print_link(const animation *a, const drawing *d, const mark *m)
{
    fputs("<path d=\"", a->stream);
    print_link_path(a, d, m, frame(a, 0));
    fputc('"', a->stream);
    print_style(a, m);
    fputc('>', a->stream);
    if (frame_count(a) > 1) {
        fputs("<animate attributeName=\"d\" values=\"", a->stream);
        for (uint32_t i = 0; i < frame_count(a); ++i) {
            fputs(i > 0 ? ";" : "", a->stream);
            print_link_path(a, d, m, frame(a, i));
        }
        fprintf(a->stream, "\"%s/>", a->timing);
    }
    print_breaking(a, m);
    print_colors(a, m, "stroke");
    fputs("</path>\n", a->stream);
}

static double degrees_of(const animation *a, uint32_t i, uint32_t body)
{
    return -frame(a, i)->transforms[body].angle * 180.0 / TR_PI;
}

/* opens the group of a body and animates its transform over the frames */
static void begin_body(const animation *a, uint32_t body)
{
    const tr2_transform *start = &frame(a, 0)->transforms[body];
    tr_dvec2 at = animation_pixels(a, start->position);
    fputs("<g transform=\"translate(", a->stream);
    tr2_print_pair(a->stream, at.x, at.y);
    fputs(")rotate(", a->stream);
    tr2_print_tenths(a->stream, degrees_of(a, 0, body));
    fputs(")\">", a->stream);

    bool moves = false;
    for (uint32_t i = 1; i < frame_count(a); ++i) {
        const tr2_transform *now = &frame(a, i)->transforms[body];
        moves = moves || now->position.x != start->position.x || now->position.y != start->position.y ||
                now->angle != start->angle;
    }
    if (!moves) {
        return;
    }
    fputs("<animateTransform attributeName=\"transform\" type=\"translate\" values=\"", a->stream);
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        tr_dvec2 place = animation_pixels(a, frame(a, i)->transforms[body].position);
        fputs(i > 0 ? ";" : "", a->stream);
        tr2_print_pair(a->stream, place.x, place.y);
    }
    fprintf(a->stream, "\"%s/><animateTransform attributeName=\"transform\" type=\"rotate\" additive=\"sum\" values=\"",
            a->timing);
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        fputs(i > 0 ? ";" : "", a->stream);
        tr2_print_tenths(a->stream, degrees_of(a, i, body));
    }
    fprintf(a->stream, "\"%s/>", a->timing);
}

static bool finite_all_along(const animation *a, uint32_t body)
{
    for (uint32_t i = 0; i < frame_count(a); ++i) {
        const tr2_transform *t = &frame(a, i)->transforms[body];
        if (!isfinite(t->position.x) || !isfinite(t->position.y) || !isfinite(t->angle)) {
            return false;
        }
    }
    return true;
}

/* writes the marks grouped by body, in the order in which the drawing first shows each body */
static bool print_bodies(const animation *a, const drawing *d)
{
    uint32_t bodies = a->picture->scene->body_count;
    uint32_t *first = calloc((size_t)bodies + 1, sizeof *first);
    uint32_t *last = calloc((size_t)bodies + 1, sizeof *last);
    uint32_t *next = calloc((size_t)d->mark_count + 1, sizeof *next);
    bool made = first != NULL && last != NULL && next != NULL;
    for (uint32_t i = 0; made && i <= bodies; ++i) {
        first[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; made && i < d->mark_count; ++i) {
        uint32_t body = d->marks[i].body_a;
        next[i] = UINT32_MAX;
        if (d->marks[i].body_a != d->marks[i].body_b) {
            continue;
        }
        if (first[body] == UINT32_MAX) {
            first[body] = i;
        } else {
            next[last[body]] = i;
        }
        last[body] = i;
    }
    for (uint32_t i = 0; made && i < d->mark_count && !interrupt_seen(); ++i) {
        uint32_t body = d->marks[i].body_a;
        if (d->marks[i].body_a != d->marks[i].body_b || first[body] != i || !finite_all_along(a, body)) {
            continue;
        }
        begin_body(a, body);
        for (uint32_t k = i; k != UINT32_MAX; k = next[k]) {
            print_mark(a, d, &d->marks[k]);
        }
        fputs("</g>\n", a->stream);
    }
    free(first);
    free(last);
    free(next);
    return made;
}

/* draws the grid over all that the camera will show */
static void print_grid(const animation *a)
{
    double step = view_round_length(70.0 / a->scale), cell = step * a->scale;
    tr_dvec2 zero = animation_pixels(a, (tr_dvec2){0.0, 0.0});
    double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;
    for (uint32_t i = 0; i < a->view.count; ++i) {
        tr_dvec2 c = animation_pixels(a, a->view.center[i]);
        x0 = fmin(x0, c.x);
        y0 = fmin(y0, c.y);
        x1 = fmax(x1, c.x);
        y1 = fmax(y1, c.y);
    }
    fprintf(a->stream,
            "<pattern id=\"grid\" x=\"%.2f\" y=\"%.2f\" width=\"%.4f\" height=\"%.4f\" patternUnits=\"userSpaceOnUse\">"
            "<path d=\"M0 %.4fV0H%.4f\" fill=\"none\" stroke=\"#e6e3da\"/></pattern>\n"
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"url(#grid)\"/>\n",
            fmod(zero.x, cell), fmod(zero.y, cell), cell, cell, cell, cell, x0 - a->width, y0 - a->height,
            x1 - x0 + 2.0 * a->width, y1 - y0 + 2.0 * a->height);
}

/* opens the camera's group, which moves opposite to the followed bodies */
static void begin_camera(const animation *a)
{
    bool moves = false;
    for (uint32_t i = 1; i < a->view.count; ++i) {
        moves = moves || a->view.center[i].x != a->view.center[0].x || a->view.center[i].y != a->view.center[0].y;
    }
    fprintf(a->stream, "<g transform=\"translate(%.1f %.1f)\"><g>\n", 0.5 * a->width, 0.5 * a->height);
    if (!moves) {
        return;
    }
    fputs("<animateTransform attributeName=\"transform\" type=\"translate\" values=\"", a->stream);
    for (uint32_t i = 0; i < a->view.count; ++i) {
        tr_dvec2 c = animation_pixels(a, a->view.center[i]);
        fputs(i > 0 ? ";" : "", a->stream);
        tr2_print_pair(a->stream, -c.x, -c.y);
    }
    fprintf(a->stream, "\"%s/>\n", a->timing);
}

bool tr2_animation_print(const animation *a)
{
    drawing d;
    drawing_make(&d, a->picture->scene, a->picture->groups, a->view.reach, a->scale);
    begin_camera(a);
    print_grid(a);
    fputs("<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n", a->stream);
    bool made = !d.failed && print_bodies(a, &d);
    for (uint32_t i = d.first_joint_mark; made && i < d.mark_count && !interrupt_seen(); ++i) {
        const mark *m = &d.marks[i];
        if (m->body_a != m->body_b && finite_all_along(a, m->body_a) && finite_all_along(a, m->body_b)) {
            print_link(a, &d, m);
        }
    }
    fputs("</g></g></g>", a->stream);
    drawing_free(&d);
    return made;
}
