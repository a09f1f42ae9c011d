/*
 * What is in the window of an animated picture of space: one drawing for each frame, of which one at a time is shown.
 * What turns in space changes its outline, and which of two bodies is in front changes, too.
 *
 * Coordinates are whole tenths of a pixel, relative to the point before. Small pieces of one colour that are at about
 * the same depth share one path: a scene of ten thousand bodies would be many times as large otherwise.
 */
#include "cli/core/animation.h"
#include "cli/interrupt.h"
#include "cli/space/solids.h"

#include <math.h>
#include <stdlib.h>

#define SHARES       64u /* of the pieces of a frame: those in one share may change places */
#define MOST_WAITING 16384u
#define CROWD        12000u /* bodies, shapes and joints: with more, all are drawn as small ones are */

/* a piece that waits for others like it */
typedef struct waiting {
    solid_kind kind;
    uint32_t color, edge; /* `edge` is NO_EDGE without an outline */
    float size;
    uint32_t piece;
} waiting;

#define NO_EDGE UINT32_MAX

typedef struct pen {
    FILE *stream;
    const solids *solids;
    long x, y; /* tenths of a pixel: the last point of the path */
    waiting *list;
    uint32_t count;
    uint32_t paths; /* with a name: those that are drawn twice */
} pen;

static void print_number(FILE *stream, long value, bool first)
{
    fprintf(stream, first || value < 0 ? "%ld" : " %ld", value);
}

/* the way from the last point to this one */
static void print_step(pen *p, tr_dvec2 to, bool first)
{
    const long x = lround(10.0 * to.x), y = lround(10.0 * to.y);
    print_number(p->stream, x - p->x, first);
    print_number(p->stream, y - p->y, false);
    p->x = x;
    p->y = y;
}

/* a polyline, as part of a path */
static void print_line(pen *p, const piece *q)
{
    const tr_dvec2 *points = p->solids->points + q->first_point;
    fputc('m', p->stream);
    print_step(p, points[0], true);
    if (q->point_count < 2) {
        fputs("h0", p->stream);
    }
    for (uint32_t k = 1; k < q->point_count; ++k) {
        if (k == 1) {
            fputc('l', p->stream);
        }
        print_step(p, points[k], k == 1);
    }
}

static void begin_path(pen *p)
{
    fputs("<path d=\"", p->stream);
    p->x = p->y = 0;
}

static void print_stroke(const pen *p, uint32_t color, double width)
{
    fprintf(p->stream, " stroke=\"#%06x\" stroke-width=\"%ld\"", color, lround(10.0 * width));
}

static void print_piece(pen *p, const piece *q)
{
    if (q->kind == PIECE_LINE && q->edge_width > 0.0f) {
        begin_path(p);
        print_line(p, q);
        fputs("\" fill=\"none\"", p->stream);
        print_stroke(p, q->edge, (double)q->size + 2.0 * (double)q->edge_width);
        fputs("/>", p->stream);
    }
    if (q->kind == PIECE_DISC) {
        const tr_dvec2 at = p->solids->points[q->first_point];
        fprintf(p->stream, "<circle cx=\"%ld\" cy=\"%ld\" r=\"%ld\"", lround(10.0 * at.x), lround(10.0 * at.y),
                lround(10.0 * (double)q->size));
    } else {
        begin_path(p);
        print_line(p, q);
        fputs(q->kind == PIECE_POLYGON ? "z\"" : "\"", p->stream);
    }
    if (q->kind == PIECE_LINE) {
        fputs(" fill=\"none\"", p->stream);
        print_stroke(p, q->color, (double)q->size);
        fputs(q->dotted ? " stroke-dasharray=\"10 30\"" : "", p->stream);
    } else {
        fprintf(p->stream, " fill=\"#%06x\"", q->color);
        if (q->edge_width > 0.0f) {
            fprintf(p->stream, " stroke=\"#%06x\"", q->edge);
        }
    }
    fputs("/>", p->stream);
}

/* Dots and straight lines look the same as parts of one path, which draws them as lines with round ends. */
static bool can_wait(const solid *one, const piece *q)
{
    return one->kind != SOLID_WHOLE && ((q->kind == PIECE_DISC && !(q->edge_width > 0.0f)) ||
                                        (q->kind == PIECE_LINE && q->point_count <= 2 && !q->dotted));
}

/* whether two look different, and which is the first */
static int compare_looks(const waiting *p, const waiting *q)
{
    if (p->kind != q->kind) {
        return p->kind < q->kind ? -1 : 1;
    }
    if (p->color != q->color) {
        return p->color < q->color ? -1 : 1;
    }
    if (p->edge != q->edge) {
        return p->edge < q->edge ? -1 : 1;
    }
    return (p->size > q->size) - (p->size < q->size);
}

/* what looks the same is side by side, in the order of depth */
static int compare_waiting(const void *a, const void *b)
{
    const waiting *p = a, *q = b;
    const int looks = compare_looks(p, q);
    return looks != 0 ? looks : (p->piece > q->piece) - (p->piece < q->piece);
}

/* one path of pieces that look the same; with an outline it is drawn twice */
static void print_alike(pen *p, const waiting *first, uint32_t count)
{
    const double width = (double)first->size;
    if (first->edge != NO_EDGE) {
        fputs("<g", p->stream);
        print_stroke(p, first->edge, width + 2.0 * (double)p->solids->pieces[first->piece].edge_width);
        fprintf(p->stream, "><path id=\"p%u\" d=\"", ++p->paths);
        p->x = p->y = 0;
    } else {
        begin_path(p);
    }
    for (uint32_t i = 0; i < count; ++i) {
        print_line(p, &p->solids->pieces[first[i].piece]);
    }
    if (first->edge != NO_EDGE) {
        fprintf(p->stream, "\"/></g><use href=\"#p%u\"", p->paths);
    } else {
        fputc('"', p->stream);
    }
    print_stroke(p, first->color, width);
    fputs("/>", p->stream);
}

static void print_waiting(pen *p)
{
    if (p->count > 1) {
        qsort(p->list, p->count, sizeof *p->list, compare_waiting);
    }
    for (uint32_t i = 0, alike = 0; i < p->count; i += alike) {
        for (alike = 1; i + alike < p->count && compare_looks(&p->list[i], &p->list[i + alike]) == 0;) {
            ++alike;
        }
        print_alike(p, &p->list[i], alike);
    }
    p->count = 0;
}

static void print_solid(pen *p, const solid *one)
{
    const solids *s = p->solids;
    for (uint32_t k = one->first_piece; k < one->first_piece + one->piece_count; ++k) {
        const piece *q = &s->pieces[k];
        if (!can_wait(one, q)) {
            print_waiting(p);
            print_piece(p, q);
            continue;
        }
        p->list[p->count++] = (waiting){.kind = one->kind,
                                        .color = q->color,
                                        .edge = q->edge_width > 0.0f ? q->edge : NO_EDGE,
                                        .size = q->kind == PIECE_DISC ? 2.0f * q->size : q->size,
                                        .piece = k};
        if (p->count >= MOST_WAITING || p->count >= s->piece_count / SHARES) {
            print_waiting(p);
        }
    }
}

/* shows what follows, to the end of the group, during frame i only */
static void begin_frame(const animation *a, uint32_t i)
{
    const uint32_t count = frame_count(a);
    fprintf(a->stream, "<g%s>", i > 0 ? " visibility=\"hidden\"" : "");
    if (count < 2) {
        return;
    }
    /* frame i stands for the times around it: the first and the last for half of that */
    const double from = i == 0 ? 0.0 : ((double)i - 0.5) / (count - 1);
    const double to = i + 1 == count ? 1.0 : ((double)i + 0.5) / (count - 1);
    fputs("<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"", a->stream);
    if (i == 0) {
        fprintf(a->stream, "visible;hidden\" keyTimes=\"0;%.6g\"", to);
    } else if (i + 1 == count) {
        fprintf(a->stream, "hidden;visible\" keyTimes=\"0;%.6g\"", from);
    } else {
        fprintf(a->stream, "hidden;visible;hidden\" keyTimes=\"0;%.6g;%.6g\"", from, to);
    }
    fprintf(a->stream, "%s/>", a->timing);
}

/* the world's axes in a corner, as in strips (canvas.c) */
static void print_axes(const animation *a)
{
    const tr3_camera *camera = &a->view.camera;
    const double right[] = {camera->right.x, camera->right.y, camera->right.z};
    const double up[] = {camera->up.x, camera->up.y, camera->up.z};
    const double x = 340.0 - 5.0 * a->width, y = 5.0 * a->height - 340.0;
    for (int k = 0; k < 3; ++k) {
        const double dx = 200.0 * right[k], dy = -200.0 * up[k];
        fprintf(a->stream,
                "<path d=\"M%ld %ldl%ld %ld\" stroke=\"#%06x\" stroke-width=\"14\"/>"
                "<text x=\"%ld\" y=\"%ld\" font-size=\"90\" fill=\"#%06x\">%c</text>",
                lround(x), lround(y), lround(dx), lround(dy), solids_axis_colors[k], lround(x + 1.25 * dx - 25.0),
                lround(y + 1.25 * dy + 30.0), solids_axis_colors[k], 'x' + k);
    }
}

bool tr3_animation_print(const animation *a)
{
    solids s;
    const tr3_scene *scene = a->picture->scene;
    const bool plain = (uint64_t)scene->body_count + scene->shape_count + scene->joint_count > CROWD;
    solids_begin(&s, a->picture, &a->view, a->scale, &a->colors, plain);
    pen p = {.stream = a->stream, .solids = &s};
    p.list = calloc(MOST_WAITING, sizeof *p.list);
    s.failed = s.failed || p.list == NULL;
    fprintf(a->stream,
            "<g transform=\"translate(%.1f %.1f) scale(.1)\" stroke-width=\"6\" stroke-linecap=\"round\" "
            "stroke-linejoin=\"round\">\n",
            0.5 * a->width, 0.5 * a->height);
    for (uint32_t i = 0; i < frame_count(a) && !s.failed && !interrupt_seen(); ++i) {
        solids_draw(&s, frame(a, i), a->view.center[i]);
        begin_frame(a, i);
        for (uint32_t k = 0; k < s.count && !interrupt_seen(); ++k) {
            print_solid(&p, &s.list[k]);
        }
        print_waiting(&p);
        fputs("</g>\n", a->stream);
    }
    print_axes(a);
    fputs("</g>", a->stream);
    bool made = !s.failed;
    free(p.list);
    solids_free(&s);
    return made;
}
