/*
 * What is in the window of an animated picture of space: one drawing for each frame, of which one at a time is shown.
 * What turns in space changes its outline, and which of two bodies is in front changes, too.
 */
#include "cli/core/animation.h"
#include "cli/interrupt.h"
#include "cli/space/solids.h"

static void print_points(FILE *stream, const solids *s, const piece *p)
{
    for (uint32_t k = 0; k < p->point_count; ++k) {
        fputs(k > 0 ? " " : "M", stream);
        tr3_print_pair(stream, s->points[p->first_point + k].x, s->points[p->first_point + k].y);
    }
}

static void print_edge(FILE *stream, const piece *p)
{
    fprintf(stream, " fill=\"#%06x\"", p->color);
    if (p->edge_width > 0.0f) {
        fprintf(stream, " stroke=\"#%06x\"", p->edge);
    }
}

static void print_piece(FILE *stream, const solids *s, const piece *p)
{
    if (p->kind == PIECE_DISC) {
        const tr_dvec2 at = s->points[p->first_point];
        fputs("<circle cx=\"", stream);
        tr3_print_tenths(stream, at.x);
        fputs("\" cy=\"", stream);
        tr3_print_tenths(stream, at.y);
        fputs("\" r=\"", stream);
        tr3_print_tenths(stream, (double)p->size);
        fputc('"', stream);
        print_edge(stream, p);
    } else if (p->kind == PIECE_POLYGON) {
        fputs("<path d=\"", stream);
        print_points(stream, s, p);
        fputs("Z\"", stream);
        print_edge(stream, p);
    } else {
        fputs("<path d=\"", stream);
        print_points(stream, s, p);
        fprintf(stream, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"", p->color);
        tr3_print_tenths(stream, (double)p->size);
        fputs(p->dotted ? "\" stroke-dasharray=\"1 3\"" : "\"", stream);
    }
    fputs("/>", stream);
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

bool tr3_animation_print(const animation *a)
{
    solids s;
    solids_begin(&s, a->picture, &a->view, a->scale, &a->colors);
    fprintf(a->stream,
            "<g transform=\"translate(%.1f %.1f)\" stroke-width=\"0.6\" stroke-linecap=\"round\" "
            "stroke-linejoin=\"round\">\n",
            0.5 * a->width, 0.5 * a->height);
    for (uint32_t i = 0; i < frame_count(a) && !s.failed && !interrupt_seen(); ++i) {
        solids_draw(&s, frame(a, i), a->view.center[i]);
        begin_frame(a, i);
        for (uint32_t k = 0; k < s.count && !s.failed; ++k) {
            for (uint32_t n = 0; n < s.list[k].piece_count; ++n) {
                print_piece(a->stream, &s, &s.pieces[s.list[k].first_piece + n]);
            }
        }
        fputs("</g>\n", a->stream);
    }
    fputs("</g>", a->stream);
    bool made = !s.failed;
    solids_free(&s);
    return made;
}
