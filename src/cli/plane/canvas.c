/* Frames of the plane: a grid at round coordinates, and the marks of a drawing that is made once. */
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES

#include "cli/plane/paint.h"

#include <math.h>
#include <stdlib.h>

struct canvas {
    const picture *picture;
    const palette *colors;
    drawing drawing;
};

canvas *tr2_canvas_begin(const picture *p, const view *v, double scale, const palette *colors)
{
    canvas *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->picture = p;
    c->colors = colors;
    drawing_make(&c->drawing, p->scene, p->groups, v->reach, scale);
    if (c->drawing.failed) {
        tr2_canvas_end(c);
        return NULL;
    }
    return c;
}

void tr2_canvas_end(canvas *c)
{
    if (c != NULL) {
        drawing_free(&c->drawing);
    }
    free(c);
}

/*
 * Finds the multiples of `step` within `half` of `center`: *first is the smallest, in steps; returns how many. The
 * count is bounded, because far from the origin the spacing of doubles can exceed `step`.
 */
static int grid_lines(double center, double half, double step, double *first)
{
    *first = ceil((center - half) / step);
    return isfinite(*first) ? (int)fmin(floor((center + half) / step) - *first + 1.0, 1000.0) : 0;
}

/* grid lines at round world coordinates, so that a moving window is visible as such */
static void draw_grid(cairo_t *cairo, const paint_panel *f)
{
    double step = view_round_length(70.0 / f->scale);
    double half_w = 0.5 * f->width / f->scale, half_h = 0.5 * f->height / f->scale;
    char text[32];
    cairo_set_line_width(cairo, 1.0);
    cairo_set_dash(cairo, NULL, 0, 0.0);
    double first;
    int lines = grid_lines(f->center.x, half_w, step, &first);
    for (int k = 0; k < lines; ++k) {
        double at = (first + k) * step;
        double x = floor(f->x + 0.5 * f->width + (at - f->center.x) * f->scale) + 0.5;
        paint_color(cairo, 0xeceae4, 1.0);
        cairo_move_to(cairo, x, f->y);
        cairo_line_to(cairo, x, f->y + f->height);
        cairo_stroke(cairo);
        snprintf(text, sizeof text, "%.6g", at);
        paint_text(cairo, x + 2.0, f->y + f->height - 4.0, 9.0, 0xa9a69b, text);
    }
    lines = grid_lines(f->center.y, half_h, step, &first);
    for (int k = 0; k < lines; ++k) {
        double at = (first + k) * step;
        double y = floor(f->y + 0.5 * f->height - (at - f->center.y) * f->scale) + 0.5;
        paint_color(cairo, 0xeceae4, 1.0);
        cairo_move_to(cairo, f->x, y);
        cairo_line_to(cairo, f->x + f->width, y);
        cairo_stroke(cairo);
        /* skip labels that would overlap those of the vertical lines */
        if (y < f->y + f->height - 16.0 && y > f->y + 10.0) {
            snprintf(text, sizeof text, "%.6g", at);
            paint_text(cairo, f->x + 3.0, y - 2.0, 9.0, 0xa9a69b, text);
        }
    }
}

bool tr2_canvas_paint(canvas *c, cairo_t *cairo, const paint_panel *panel, const snapshot *s)
{
    draw_grid(cairo, panel);
    return paint_frame(cairo, panel, &c->drawing, c->picture->scene, s, c->colors);
}

#else
typedef int canvas_is_not_built; /* ISO C forbids an empty translation unit */
#endif
