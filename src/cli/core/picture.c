/* Strips of frames: layout, captions and legend around the panels that the dimension draws (canvas.h). */
#include "cli/core/picture.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES

#include "cli/core/canvas.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_HEIGHT  34.0
#define LEGEND_HEIGHT 30.0
#define GAP           8.0
#define BAND          24.0 /* the caption of a panel */
#define DEFAULT_WIDTH 1440u

typedef struct layout {
    double width, height; /* pixels, of the whole picture */
    uint32_t columns, rows;
    double panel_width, panel_height; /* pixels, without the caption */
    double scale;                     /* pixels per metre */
} layout;

/* the scale (pixels per metre) if the panels are in `columns` columns */
static double scale_of(const view *v, double width, double height, uint32_t count, uint32_t columns)
{
    uint32_t rows = (count + columns - 1) / columns;
    double w = (width - GAP * (columns + 1)) / columns, h = (height - GAP * (rows - 1)) / rows - BAND;
    return w > 8.0 && h > 8.0 ? fmin(w / v->width, h / v->height) : 0.0;
}

static layout lay_out(const picture *p, const view *v)
{
    uint32_t count = v->count;
    double aspect = v->width / v->height;
    layout l = {.width = p->width != 0 ? p->width : DEFAULT_WIDTH, .columns = 1};

    if (p->height == 0) {
        /* tall panels stand side by side, flat ones above each other */
        double wanted = sqrt(count * 2.0 / aspect);
        l.columns = (uint32_t)fmin(fmax(floor(wanted + 0.5), aspect > 8.0 ? 1.0 : 2.0), count);
        l.columns = l.columns > 0 ? l.columns : 1;
        /* use fewer columns if that fills the last row without adding rows */
        while (l.columns > 1 && count % l.columns != 0 &&
               (count + l.columns - 2) / (l.columns - 1) == (count + l.columns - 1) / l.columns) {
            --l.columns;
        }
        l.rows = (count + l.columns - 1) / l.columns;
        l.panel_width = (l.width - GAP * (l.columns + 1)) / l.columns;
        l.panel_height = fmin(fmax(l.panel_width / aspect, 0.22 * l.panel_width), 1.6 * l.panel_width);
        l.height = floor(TITLE_HEIGHT + LEGEND_HEIGHT + l.rows * (l.panel_height + BAND) + (l.rows - 1) * GAP);
    } else {
        l.height = p->height;
        double inner = l.height - TITLE_HEIGHT - LEGEND_HEIGHT;
        for (uint32_t columns = 2; columns <= count; ++columns) {
            if (scale_of(v, l.width, inner, count, columns) > scale_of(v, l.width, inner, count, l.columns)) {
                l.columns = columns;
            }
        }
        l.rows = (count + l.columns - 1) / l.columns;
        l.panel_width = (l.width - GAP * (l.columns + 1)) / l.columns;
        l.panel_height = fmax(8.0, (inner - GAP * (l.rows - 1)) / l.rows - BAND);
    }
    l.scale = fmin(l.panel_width / v->width, l.panel_height / v->height);
    return l;
}

/* the caption above a panel: the time on the left, a scale bar on the right */
static void draw_band(cairo_t *cairo, const paint_panel *f, const snapshot *s)
{
    double x = f->x + f->width - 10.0, y = f->y - 0.5 * BAND;
    char text[64];
    snprintf(text, sizeof text, "t = %.2f s", s->time);
    paint_text(cairo, f->x + 8.0, y + 5.0, 13.0, 0x222222, text);
    double free_from = f->x + 24.0 + paint_text_width(cairo, 13.0, text);

    /* the longest bar that leaves room for the time */
    double left = 0.0, label = 0.0;
    for (int least = 60; least > 5 && label <= free_from; least -= 10) {
        double length = view_round_length(least / f->scale);
        snprintf(text, sizeof text, "%g m", length);
        left = x - length * f->scale;
        label = left - 8.0 - paint_text_width(cairo, 11.0, text);
    }
    if (label <= free_from) {
        return;
    }
    paint_text(cairo, label, y + 4.0, 11.0, 0x333333, text);
    paint_color(cairo, 0x333333, 1.0);
    cairo_set_line_width(cairo, 1.5);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cairo, NULL, 0, 0.0);
    cairo_move_to(cairo, left, y - 3.0);
    cairo_line_to(cairo, left, y + 3.0);
    cairo_move_to(cairo, left, y);
    cairo_line_to(cairo, x, y);
    cairo_move_to(cairo, x, y - 3.0);
    cairo_line_to(cairo, x, y + 3.0);
    cairo_stroke(cairo);
}

/* draws one frame below its caption */
static bool draw_panel(cairo_t *cairo, const paint_panel *f, canvas *c, const snapshot *s)
{
    cairo_rectangle(cairo, f->x, f->y - BAND, f->width, f->height + BAND);
    paint_color(cairo, 0xfdfdfb, 1.0);
    cairo_fill(cairo);

    cairo_save(cairo);
    cairo_rectangle(cairo, f->x, f->y, f->width, f->height);
    cairo_clip(cairo);
    bool painted = trn_canvas_paint(c, cairo, f, s);
    cairo_restore(cairo);
    draw_band(cairo, f, s);

    paint_color(cairo, 0xc9c6bc, 1.0);
    cairo_set_line_width(cairo, 1.0);
    cairo_set_dash(cairo, NULL, 0, 0.0);
    cairo_rectangle(cairo, floor(f->x) + 0.5, floor(f->y - BAND) + 0.5, floor(f->width), floor(f->height + BAND));
    cairo_stroke(cairo);
    return painted;
}

static void draw_title(cairo_t *cairo, const layout *l, const picture *p)
{
    char facts[128];
    const uint32_t bodies = p->scene->body_count, joints = p->scene->joint_count;
    snprintf(facts, sizeof facts, "%u %s, %u joint%s, %g Hz, %u sub-step%s", bodies, bodies == 1 ? "body" : "bodies",
             joints, joints == 1 ? "" : "s", p->hertz, p->substeps, p->substeps == 1 ? "" : "s");
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    paint_text(cairo, GAP, 22.0, 15.0, 0x222222, p->title);
    double end = GAP + paint_text_width(cairo, 15.0, p->title);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    double x = l->width - GAP - paint_text_width(cairo, 12.0, facts);
    if (x > end + 2.0 * GAP) {
        paint_text(cairo, x, 22.0, 12.0, 0x666666, facts);
    }
}

static void swatch(cairo_t *cairo, double x, double y, double width, uint32_t color)
{
    paint_color(cairo, color, 1.0);
    cairo_rectangle(cairo, x, y - 9.0, width, 9.0);
    cairo_fill(cairo);
}

static void draw_legend(cairo_t *cairo, const layout *l, const picture *p, const palette *colors)
{
    double x = GAP, y = l->height - 10.0;
    char text[128];
    if (colors->mode == COLOR_FORCE) {
        snprintf(text, sizeof text, "joint force  %.2g N", colors->low);
        paint_text(cairo, x, y, 12.0, 0x444444, text);
        x += paint_text_width(cairo, 12.0, text) + GAP;
        for (uint32_t level = 0; level < PALETTE_LEVELS; ++level) {
            swatch(cairo, x + 6.0 * level, y, 6.5, trn_palette_color(colors, level));
        }
        x += 6.0 * PALETTE_LEVELS + GAP;
        snprintf(text, sizeof text, "%.2g N  (logarithmic)", colors->high);
        paint_text(cairo, x, y, 12.0, 0x444444, text);
        return;
    }
    if (colors->mode == COLOR_GRAPH) {
        snprintf(text, sizeof text, "%u colours: joints of one colour share no moving body", colors->colors);
        for (uint32_t level = 0; level < colors->colors && level < PALETTE_LEVELS - 1; ++level) {
            swatch(cairo, x, y, 11.0, trn_palette_color(colors, level));
            x += 13.0;
        }
        paint_text(cairo, x + GAP, y, 12.0, 0x444444, text);
        return;
    }
    for (int type = 0; type < TRN_JOINT_TYPE_COUNT; ++type) {
        uint32_t count = 0;
        for (uint32_t j = 0; j < p->scene->joint_count; ++j) {
            count += p->scene->joints[j].def.type == (trn_joint_type)type;
        }
        if (count > 0) {
            snprintf(text, sizeof text, "%u %s", count, trn_joint_type_name((trn_joint_type)type));
            swatch(cairo, x, y, 14.0, trn_palette_color(colors, (uint32_t)type));
            paint_text(cairo, x + 19.0, y, 12.0, 0x444444, text);
            x += 19.0 + paint_text_width(cairo, 12.0, text) + 2.0 * GAP;
        }
    }
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int count)
{
    /* encoding of the pixels can take long, so look at the interrupt flag here, too */
    bool written = !interrupt_seen() && fwrite(bytes, 1, count, (FILE *)closure) == count;
    return written ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* draws title, panels and legend on any kind of surface */
static cairo_status_t draw_all(cairo_surface_t *surface, const picture *p, const layout *l, const view *v, canvas *c,
                               const palette *colors)
{
    cairo_t *cairo = cairo_create(surface);
    paint_color(cairo, 0xf4f2ec, 1.0);
    cairo_paint(cairo);
    draw_title(cairo, l, p);
    bool painted = true;
    for (uint32_t i = 0; painted && i < v->count && !interrupt_seen(); ++i) {
        paint_panel panel = {.x = GAP + (i % l->columns) * (l->panel_width + GAP),
                             .y = TITLE_HEIGHT + BAND + (i / l->columns) * (l->panel_height + BAND + GAP),
                             .width = l->panel_width,
                             .height = l->panel_height,
                             .center = v->center[i],
                             .scale = l->scale};
        painted = draw_panel(cairo, &panel, c, &p->film->frames[i]);
    }
    draw_legend(cairo, l, p, colors);
    cairo_status_t status = painted ? cairo_status(cairo) : CAIRO_STATUS_NO_MEMORY;
    cairo_destroy(cairo);
    return status;
}

static cairo_status_t draw_file(const picture *p, const layout *l, const view *v, canvas *c, const palette *colors,
                                output *o)
{
    cairo_surface_t *surface =
        o->kind == OUTPUT_PNG
            ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)l->width, (int)l->height)
            : cairo_svg_surface_create_for_stream(write_bytes, o->stream, floor(l->width), floor(l->height));
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = draw_all(surface, p, l, v, c, colors);
    }
    if (status == CAIRO_STATUS_SUCCESS && o->kind == OUTPUT_PNG) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, o->stream);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    return status;
}

bool trn_picture_draw_strip(const picture *p, output *o)
{
    view v;
    if (!trn_view_fit(&v, p->scene, p->groups, p->film, p->view, p->follow, p->angles)) {
        cli_fail("%s: out of memory", o->path);
        return false;
    }
    layout l = lay_out(p, &v);
    palette colors = trn_palette_fit(p->film, p->scene);
    canvas *c = trn_canvas_begin(p, &v, l.scale, &colors);
    cairo_status_t status = c == NULL ? CAIRO_STATUS_NO_MEMORY : draw_file(p, &l, &v, c, &colors, o);
    trn_canvas_end(c);
    trn_view_free(&v);
    bool drawn = status == CAIRO_STATUS_SUCCESS && !interrupt_seen();
    if (!drawn && !interrupt_seen()) {
        cli_fail("%s: %s", o->path, cairo_status_to_string(status));
    }
    return drawn;
}

#else

bool trn_picture_draw_strip(const picture *p, output *o)
{
    (void)p;
    cli_fail("%s: this program was built without pictures (TRAMMEL_WITH_PICTURES)", o->path);
    return false;
}

#endif
