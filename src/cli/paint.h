/* Marks on a cairo surface. */
#ifndef TR_CLI_PAINT_H
#define TR_CLI_PAINT_H

#include "cli/drawing.h"

#include <cairo.h>

/* A window of the world on a rectangle of the surface. */
typedef struct paint_panel {
    double x, y, width, height; /* pixels */
    tr_dvec2 center;            /* m, in the middle of the rectangle */
    double scale;               /* pixels per metre */
} paint_panel;

/* Draws one frame: bodies, then joints by level of the palette. The caller clips. False when there is no memory. */
bool paint_frame(cairo_t *cairo, const paint_panel *panel, const drawing *d, const tr2_scene *scene, const snapshot *s,
                 const palette *colors);

void paint_color(cairo_t *cairo, uint32_t color, double alpha);

#endif
