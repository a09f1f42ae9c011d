/* Frames of space, painted with cairo, and the directions of the axes. */
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES

#include "cli/core/canvas.h"
#include "cli/interrupt.h"
#include "cli/space/solids.h"

#include <math.h>
#include <stdlib.h>

#include "base/angle.h"

struct canvas {
    solids solids;
};

canvas *tr3_canvas_begin(const picture *p, const view *v, double scale, const palette *colors)
{
    canvas *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    solids_begin(&c->solids, p, v, scale, colors, false);
    if (c->solids.failed) {
        tr3_canvas_end(c);
        return NULL;
    }
    return c;
}

void tr3_canvas_end(canvas *c)
{
    if (c != NULL) {
        solids_free(&c->solids);
    }
    free(c);
}

static void trace(cairo_t *cairo, const solids *s, const piece *p)
{
    const tr_dvec2 *points = s->points + p->first_point;
    if (p->kind == PIECE_DISC) {
        cairo_arc(cairo, points[0].x, points[0].y, (double)p->size, 0.0, TR_TURN);
        return;
    }
    for (uint32_t k = 0; k < p->point_count; ++k) {
        (k == 0 ? cairo_move_to : cairo_line_to)(cairo, points[k].x, points[k].y);
    }
    if (p->kind == PIECE_POLYGON) {
        cairo_close_path(cairo);
    }
}

static void paint_piece(cairo_t *cairo, const solids *s, const piece *p)
{
    cairo_new_path(cairo);
    trace(cairo, s, p);
    if (p->kind == PIECE_LINE && p->edge_width > 0.0f) {
        paint_color(cairo, p->edge, 1.0);
        cairo_set_line_width(cairo, (double)p->size + 2.0 * (double)p->edge_width);
        cairo_stroke_preserve(cairo);
    }
    paint_color(cairo, p->color, 1.0);
    if (p->kind == PIECE_LINE) {
        const double dots[] = {0.1, 2.6 * (double)p->size};
        cairo_set_dash(cairo, dots, p->dotted ? 2 : 0, 0.0);
        cairo_set_line_width(cairo, (double)p->size);
        cairo_stroke(cairo);
        cairo_set_dash(cairo, NULL, 0, 0.0);
        return;
    }
    cairo_fill_preserve(cairo);
    if (p->edge_width > 0.0f) {
        paint_color(cairo, p->edge, 1.0);
        cairo_set_line_width(cairo, (double)p->edge_width);
        cairo_stroke(cairo);
    }
}

/* the world's axes in a corner: they show where the camera stands */
static void paint_axes(cairo_t *cairo, const tr3_camera *camera, double x, double y)
{
    static const char *const names[] = {"x", "y", "z"};
    const double length = 20.0;
    const double right[] = {camera->right.x, camera->right.y, camera->right.z};
    const double up[] = {camera->up.x, camera->up.y, camera->up.z};
    for (int k = 0; k < 3; ++k) {
        const double dx = length * right[k], dy = -length * up[k];
        paint_color(cairo, solids_axis_colors[k], 1.0);
        cairo_set_line_width(cairo, 1.4);
        cairo_move_to(cairo, x, y);
        cairo_line_to(cairo, x + dx, y + dy);
        cairo_stroke(cairo);
        paint_text(cairo, x + 1.25 * dx - 2.5, y + 1.25 * dy + 3.0, 9.0, solids_axis_colors[k], names[k]);
    }
}

bool tr3_canvas_paint(canvas *c, cairo_t *cairo, const paint_panel *panel, const snapshot *frame)
{
    solids *s = &c->solids;
    solids_draw(s, frame, panel->center);
    if (s->failed) {
        return false;
    }
    cairo_save(cairo);
    cairo_translate(cairo, panel->x + 0.5 * panel->width, panel->y + 0.5 * panel->height);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (uint32_t i = 0; i < s->count && !interrupt_seen(); ++i) {
        for (uint32_t k = 0; k < s->list[i].piece_count; ++k) {
            paint_piece(cairo, s, &s->pieces[s->list[i].first_piece + k]);
        }
    }
    cairo_restore(cairo);
    paint_axes(cairo, &s->view->camera, panel->x + 34.0, panel->y + panel->height - 34.0);
    return true;
}

#else
typedef int canvas_is_not_built; /* ISO C forbids an empty translation unit */
#endif
