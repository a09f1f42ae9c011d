/* Painting of marks on a cairo surface. */
#ifndef TR_CLI_PAINT_H
#define TR_CLI_PAINT_H

#include "cli/core/canvas.h"
#include "cli/plane/drawing.h"

/* Draws one frame: bodies, then joints by colour level. The caller sets the clip region. False if out of memory. */
bool paint_frame(cairo_t *cairo, const paint_panel *panel, const drawing *d, const tr2_scene *scene, const snapshot *s,
                 const palette *colors);

#endif
