/* Pictures: strips of frames, drawn with cairo, and animated SVGs. */
#ifndef TR_CLI_PICTURE_H
#define TR_CLI_PICTURE_H

#include "cli/core/view.h"
#include "cli/output.h"

typedef struct picture {
    const trn_scene *scene;
    const groups *groups;
    const film *film;
    const char *title;
    double hertz;
    uint32_t substeps;
    view_kind view;
    const char *follow;     /* name of a body, or null */
    const double *angles;   /* degrees, of the camera; null: the default */
    uint32_t width, height; /* pixels; 0: automatic */
} picture;

/* Draws a strip into an open output, as SVG or PNG. False with a message on failure, and without one if interrupted. */
bool trn_picture_draw_strip(const picture *p, output *o);

/* The same for an animated SVG, which browsers play. */
bool trn_picture_write_animation(const picture *p, output *o);

#endif
