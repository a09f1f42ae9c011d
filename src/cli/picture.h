/* Pictures: strips of frames, drawn with cairo, and animated SVGs. */
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
    uint32_t width, height; /* pixels; 0: automatic */
} picture;

/* Whether this program was built with cairo. Animated SVGs do not need it. */
bool picture_available(void);

/* Draws a strip into an open output, as SVG or PNG. False with a message on failure, and without one if interrupted. */
bool picture_draw_strip(const picture *p, output *o);

/* The same for an animated SVG, which browsers play. */
bool picture_write_animation(const picture *p, output *o);

#endif
