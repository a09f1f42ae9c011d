/* Pictures: a strip of frames with cairo, or an SVG that moves. */
#ifndef TR_CLI_PICTURE_H
#define TR_CLI_PICTURE_H

#include "cli/drawing.h"
#include "cli/output.h"
#include "cli/view.h"

typedef struct picture {
    const tr2_scene *scene;
    const groups *groups;
    const film *film;
    const char *title;
    double hertz;
    uint32_t substeps;
    view_kind view;
    const char *follow;     /* name of a body, or null */
    uint32_t width, height; /* pixels; 0: chosen */
} picture;

/* Whether this program can draw: it was built with cairo. Moving SVGs need none. */
bool picture_available(void);

/* Draws a strip into an open output, SVG or PNG by its kind. False with a message where that fails, and without one
   where it was interrupted. */
bool picture_draw_strip(const picture *p, output *o);

/* The same for an SVG that plays in a browser. */
bool picture_write_animation(const picture *p, output *o);

#endif
