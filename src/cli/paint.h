/* Painting of marks on a cairo surface. */
#ifndef TR_CLI_PAINT_H
#define TR_CLI_PAINT_H

#include "cli/drawing.h"

#include <cairo.h>

/* A panel: a rectangle of the surface that shows a window of the world. */
typedef struct paint_panel {
    double x, y, width, height; /* pixels */
    tr_dvec2 center;            /* m, in the middle of the rectangle */
    double scale;               /* pixels per metre */
} paint_panel;

/* Draws one frame: bodies, then joints by colour level. The caller sets the clip region. False if out of memory. */
bool paint_frame(cairo_t *cairo, const paint_panel *panel, const drawing *d, const tr2_scene *scene, const snapshot *s,
                 const palette *colors);

void paint_color(cairo_t *cairo, uint32_t color, double alpha);

#endif
