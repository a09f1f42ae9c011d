/* Animated pictures: the window's frame, the title, the clock and the legend. */
#include "cli/core/animation.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH 960.0
#define FOOT          34.0 /* pixels below the window, for the clock and the legend */

/* writes a number rounded to a tenth of a pixel, without needless characters */
void trn_print_tenths(FILE *stream, double value)
{
    long tenths = isfinite(value) && fabs(value) < 1e8 ? lround(value * 10.0) : 0;
    const char *sign = tenths < 0 ? "-" : "";
    tenths = labs(tenths);
    if (tenths % 10 == 0) {
        fprintf(stream, "%s%ld", sign, tenths / 10);
    } else {
        fprintf(stream, "%s%ld.%ld", sign, tenths / 10, tenths % 10);
    }
}

void trn_print_pair(FILE *stream, double x, double y)
{
    trn_print_tenths(stream, x);
    fputc(' ', stream);
    trn_print_tenths(stream, y);
}

/* escapes text for XML */
static void print_escaped(FILE *stream, const char *text)
{
    for (; *text != 0; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        default:
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, stream);
        }
    }
}

/* draws a clock that fills up, a scale bar and the numbers of joints */
static void print_foot(const animation *a)
{
    const trn_scene *scene = a->picture->scene;
    double length = view_round_length(60.0 / a->scale), seconds = frame(a, frame_count(a) - 1)->time;
    double y = a->height + 22.0, x = 150.0;
    fprintf(a->stream,
            "<rect x=\"8\" y=\"%.0f\" width=\"80\" height=\"6\" fill=\"#ddd9cd\"/>"
            "<rect x=\"8\" y=\"%.0f\" width=\"80\" height=\"6\" fill=\"#777\">",
            y - 8.0, y - 8.0);
    if (frame_count(a) > 1) {
        fprintf(a->stream, "<animate attributeName=\"width\" values=\"0;80\"%s/>", a->timing);
    }
    fprintf(a->stream, "</rect><text x=\"94\" y=\"%.0f\">%.3g s</text>\n", y, seconds);
    fprintf(a->stream,
            "<path d=\"M%.1f 12v6m0-3h%.1fm0-3v6\" fill=\"none\" stroke=\"#333\" stroke-width=\"1.5\"/>"
            "<text x=\"%.1f\" y=\"30\" text-anchor=\"middle\">%g m</text>\n",
            a->width - 12.0 - length * a->scale, length * a->scale, a->width - 12.0 - 0.5 * length * a->scale, length);

    if (a->colors.mode == COLOR_FORCE) {
        fprintf(a->stream, "<text x=\"%.0f\" y=\"%.0f\">joint force %.2g N</text>", x, y, a->colors.low);
        for (uint32_t level = 0; level < PALETTE_LEVELS; ++level) {
            fprintf(a->stream, "<rect x=\"%.0f\" y=\"%.0f\" width=\"5\" height=\"9\" fill=\"#%06x\"/>",
                    x + 130.0 + 5.0 * level, y - 9.0, trn_palette_color(&a->colors, level));
        }
        fprintf(a->stream, "<text x=\"%.0f\" y=\"%.0f\">%.2g N</text>\n", x + 136.0 + 5.0 * PALETTE_LEVELS, y,
                a->colors.high);
        return;
    }
    for (int type = 0; a->colors.mode == COLOR_TYPE && type < TRN_JOINT_TYPE_COUNT; ++type) {
        uint32_t count = 0;
        for (uint32_t j = 0; j < scene->joint_count; ++j) {
            count += scene->joints[j].def.type == (trn_joint_type)type;
        }
        if (count > 0) {
            fprintf(a->stream,
                    "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"9\" fill=\"#%06x\"/>"
                    "<text x=\"%.0f\" y=\"%.0f\">%u %s</text>\n",
                    x, y - 9.0, trn_palette_color(&a->colors, (uint32_t)type), x + 16.0, y, count,
                    trn_joint_type_name((trn_joint_type)type));
            x += 110.0;
        }
    }
}

static bool print_all(const animation *a)
{
    fprintf(a->stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#444\">\n<title>",
            a->width, a->height + FOOT, a->width, a->height + FOOT);
    print_escaped(a->stream, a->picture->title);
    fprintf(a->stream,
            "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#f4f2ec\"/>\n"
            "<clipPath id=\"window\"><rect width=\"%.0f\" height=\"%.0f\"/></clipPath>\n"
            "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fdfdfb\"/>\n"
            "<g clip-path=\"url(#window)\">\n",
            a->width, a->height, a->width, a->height);
    bool made = trn_animation_print(a);
    fputs("</g>\n<text x=\"8\" y=\"20\" font-weight=\"bold\" font-size=\"14\">", a->stream);
    print_escaped(a->stream, a->picture->title);
    fputs("</text>\n", a->stream);
    print_foot(a);
    fputs("</svg>\n", a->stream);
    return made;
}

bool trn_picture_write_animation(const picture *p, output *o)
{
    animation a = {.stream = o->stream, .picture = p, .colors = trn_palette_fit(p->film, p->scene)};
    if (!trn_view_fit(&a.view, p->scene, p->groups, p->film, p->view, p->follow, p->angles)) {
        cli_fail("%s: out of memory", o->path);
        return false;
    }
    double aspect = fmin(fmax(a.view.width / a.view.height, 0.6), 3.0);
    a.width = p->width != 0 ? p->width : DEFAULT_WIDTH;
    a.height = p->height > FOOT + 10.0 ? p->height - FOOT : floor(a.width / aspect);
    a.scale = fmin(a.width / a.view.width, a.height / a.view.height);
    a.origin = a.view.center[0];
    double seconds = fmax(frame(&a, frame_count(&a) - 1)->time, 0.001);
    snprintf(a.timing, sizeof a.timing, " dur=\"%.4gs\" repeatCount=\"indefinite\"", seconds);

    bool made = print_all(&a);
    trn_view_free(&a.view);
    if (!made) {
        cli_fail("%s: out of memory", o->path);
    }
    return made && !interrupt_seen();
}
