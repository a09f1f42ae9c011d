/* Paints the marks of a drawing into a panel; combines marks of the same style into one stroke. */
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES

#include "cli/plane/paint.h"
#include "base/angle.h"
#include "cli/core/body_look.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdlib.h>

#define MOST_IN_ONE_STROKE 300u /* cairo's time for a stroke grows faster than its length */

/* a stroke in progress, which may take more marks of the same style */
typedef struct stroke {
    cairo_t *cairo;
    uint32_t color, count;
    float alpha, width;
    mark_dash dash;
} stroke;

typedef struct painter {
    const paint_panel *panel;
    const drawing *drawing;
    const snapshot *snapshot;
    stroke open;
} painter;

static void flush(stroke *s)
{
    if (s->count == 0) {
        return;
    }
    const double dashed[] = {4.0, 3.0}, dotted[] = {0.1, 2.6 * (double)s->width};
    paint_color(s->cairo, s->color, (double)s->alpha);
    cairo_set_line_width(s->cairo, (double)s->width);
    cairo_set_line_cap(s->cairo, s->dash == DASH_DASHED ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    if (s->dash == DASH_NONE) {
        cairo_set_dash(s->cairo, NULL, 0, 0.0);
    } else {
        cairo_set_dash(s->cairo, s->dash == DASH_DASHED ? dashed : dotted, 2, 0.0);
    }
    cairo_stroke(s->cairo);
    s->count = 0;
}

static tr_dvec2 to_pixels(const painter *p, tr_dvec2 world)
{
    return (tr_dvec2){p->panel->x + 0.5 * p->panel->width + (world.x - p->panel->center.x) * p->panel->scale,
                      p->panel->y + 0.5 * p->panel->height - (world.y - p->panel->center.y) * p->panel->scale};
}

static tr_dvec2 point_of(const painter *p, const mark *m, uint32_t k)
{
    if (m->body_b != m->body_a) {
        tr_dvec2 ends[2];
        drawing_ends(p->drawing, m, p->snapshot, ends);
        return to_pixels(p, ends[k]);
    }
    return to_pixels(p, drawing_place(p->snapshot, m->body_a, p->drawing->points[m->first_point + k]));
}

/* whether any part of a mark is within the panel; false for coordinates that are not finite or beyond 1e6 pixels */
static bool visible(const painter *p, const mark *m)
{
    double radius = m->kind == MARK_CIRCLE ? (double)m->size * p->panel->scale : 0.0;
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (uint32_t k = 0; k < m->point_count; ++k) {
        tr_dvec2 q = point_of(p, m, k);
        if (!isfinite(q.x) || !isfinite(q.y) || fabs(q.x) > 1e6 || fabs(q.y) > 1e6) {
            return false;
        }
        x0 = fmin(x0, q.x);
        x1 = fmax(x1, q.x);
        y0 = fmin(y0, q.y);
        y1 = fmax(y1, q.y);
    }
    const paint_panel *f = p->panel;
    double edge = radius + 8.0;
    return x1 + edge > f->x && x0 - edge < f->x + f->width && y1 + edge > f->y && y0 - edge < f->y + f->height;
}

static mark_dash dash_of(const painter *p, const mark *m)
{
    if (m->kind != MARK_ROPE) {
        return m->dash;
    }
    tr_dvec2 a = point_of(p, m, 0), b = point_of(p, m, 1);
    return hypot(b.x - a.x, b.y - a.y) < (double)m->size * p->panel->scale ? DASH_DOTTED : DASH_NONE;
}

#define LARGEST_CIRCLE 1e6 /* pixels, radius */

static void trace(const painter *p, const mark *m)
{
    cairo_t *cairo = p->open.cairo;
    if (m->kind == MARK_CIRCLE) {
        tr_dvec2 q = point_of(p, m, 0);
        double radius = (double)m->size * p->panel->scale;
        /*
         * cairo's coordinates have 24 bits for whole pixels, and it splits larger arcs finer: beyond this radius it
         * would draw nothing and practically never return
         */
        if (!(radius < LARGEST_CIRCLE)) {
            return;
        }
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, q.x, q.y, radius, 0.0, TR_TURN);
        cairo_close_path(cairo);
        return;
    }
    if (m->kind == MARK_SPRING) {
        tr_dvec2 q[SPRING_POINTS];
        tr_dvec2 a = point_of(p, m, 0), b = point_of(p, m, 1);
        drawing_zigzag(a, b, fmin(5.0, 0.12 * hypot(b.x - a.x, b.y - a.y)), q);
        for (uint32_t k = 0; k < SPRING_POINTS; ++k) {
            (k == 0 ? cairo_move_to : cairo_line_to)(cairo, q[k].x, q[k].y);
        }
        return;
    }
    if (m->kind == MARK_ARROW) {
        tr_dvec2 q[ARROW_POINTS];
        drawing_arrow(point_of(p, m, 0), point_of(p, m, 1), q);
        for (uint32_t k = 0; k < ARROW_POINTS; ++k) {
            (k == 0 ? cairo_move_to : cairo_line_to)(cairo, q[k].x, q[k].y);
        }
        return;
    }
    for (uint32_t k = 0; k < m->point_count; ++k) {
        tr_dvec2 q = point_of(p, m, k);
        (k == 0 ? cairo_move_to : cairo_line_to)(cairo, q.x, q.y);
    }
    if (m->kind == MARK_LOOP) {
        cairo_close_path(cairo);
    }
}

static void paint_mark(painter *p, const mark *m, uint32_t color, uint32_t fill)
{
    if (!visible(p, m)) {
        return;
    }
    stroke *open = &p->open;
    mark_dash dash = dash_of(p, m);
    bool same = open->count > 0 && open->count < MOST_IN_ONE_STROKE && m->fill_alpha <= 0.0f && open->color == color &&
                open->alpha == m->alpha && open->width == m->width && open->dash == dash;
    if (!same) {
        flush(open);
    }
    if (m->fill_alpha > 0.0f) {
        trace(p, m);
        paint_color(open->cairo, fill, (double)m->fill_alpha);
        cairo_fill(open->cairo);
    }
    if (m->width > 0.0f) {
        trace(p, m);
        open->color = color;
        open->alpha = m->alpha;
        open->width = m->width;
        open->dash = dash;
        ++open->count;
    }
    if (m->fill_alpha > 0.0f) {
        flush(open);
    }
}

/*
 * sorts the joints' marks by colour level, stable within a level: marks of one colour share strokes, and greater forces
 * are drawn above smaller ones; `ends` gets the end of each level
 */
static uint32_t *sort_by_level(const drawing *d, const tr2_scene *scene, const snapshot *s, const palette *colors,
                               uint32_t ends[PALETTE_LEVELS])
{
    uint32_t count = d->mark_count - d->first_joint_mark;
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    uint8_t *levels = malloc((size_t)count + 1);
    uint32_t starts[PALETTE_LEVELS + 1] = {0};
    for (uint32_t i = 0; order != NULL && levels != NULL && i < count; ++i) {
        levels[i] = (uint8_t)tr2_palette_level(colors, scene, s, d->marks[d->first_joint_mark + i].joint);
        ++starts[levels[i] + 1];
    }
    for (uint32_t level = 0; level < PALETTE_LEVELS; ++level) {
        starts[level + 1] += starts[level];
        ends[level] = starts[level + 1];
    }
    for (uint32_t i = 0; order != NULL && levels != NULL && i < count; ++i) {
        order[starts[levels[i]]++] = d->first_joint_mark + i;
    }
    if (levels == NULL) {
        free(order);
        order = NULL;
    }
    free(levels);
    return order;
}

bool paint_frame(cairo_t *cairo, const paint_panel *panel, const drawing *d, const tr2_scene *scene, const snapshot *s,
                 const palette *colors)
{
    uint32_t ends[PALETTE_LEVELS];
    uint32_t *order = sort_by_level(d, scene, s, colors, ends);
    if (order == NULL) {
        return false;
    }
    painter p = {.panel = panel, .drawing = d, .snapshot = s, .open = {.cairo = cairo}};
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (uint32_t i = 0; i < d->first_joint_mark && !interrupt_seen(); ++i) {
        const mark *m = &d->marks[i];
        bool sleeps = snapshot_sleeps(s, m->body_a);
        paint_mark(&p, m, sleeps ? tr2_body_look_asleep(m->stroke) : m->stroke,
                   sleeps ? tr2_body_look_asleep(m->fill) : m->fill);
    }
    for (uint32_t level = 0, i = 0; level < PALETTE_LEVELS; ++level) {
        flush(&p.open);
        uint32_t color = i < ends[level] ? tr2_palette_color(colors, level) : 0;
        for (; i < ends[level] && !interrupt_seen(); ++i) {
            if (snapshot_has_joint(s, d->marks[order[i]].joint)) {
                paint_mark(&p, &d->marks[order[i]], color, color);
            }
        }
    }
    flush(&p.open);
    free(order);
    return true;
}

#else
typedef int paint_is_not_built; /* ISO C forbids an empty translation unit */
#endif
