/* What a dimension draws into the panels of a strip (cli/plane/canvas.c, cli/space/canvas.c). */
#ifndef TR_CLI_CANVAS_H
#define TR_CLI_CANVAS_H

#include <cairo.h>

#include "cli/core/palette.h"
#include "cli/core/picture.h"
#include "cli/paint_text.h"

/* A panel: a rectangle of the surface that shows a window of the world. */
typedef struct paint_panel {
    double x, y, width, height; /* pixels */
    tr_dvec2 center;            /* m, in the middle of the rectangle */
    double scale;               /* pixels per metre */
} paint_panel;

/* What all panels share: begin with trn_canvas_begin(). */
typedef struct canvas canvas;

/* Null if out of memory. `scale` in pixels per metre. */
canvas *trn_canvas_begin(const picture *p, const view *v, double scale, const palette *colors);
void trn_canvas_end(canvas *c);

/* Draws one frame with its background. The caller sets the clip region. False if out of memory. */
bool trn_canvas_paint(canvas *c, cairo_t *cairo, const paint_panel *panel, const snapshot *s);

#endif
