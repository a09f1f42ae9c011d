/*
 * Animated pictures: one self-contained SVG with SMIL animations, which browsers play. animation.c writes what is around
 * the window; the dimension writes what is in it (cli/plane/animate.c, cli/space/animate.c).
 */
#ifndef TR_CLI_ANIMATION_H
#define TR_CLI_ANIMATION_H

#include "cli/core/palette.h"
#include "cli/core/picture.h"

typedef struct animation {
    FILE *stream;
    const picture *picture;
    palette colors;
    view view;
    tr_dvec2 origin; /* m, in the picture's plane: the origin of the file's coordinates */
    double scale;    /* pixels per metre */
    double width, height;
    char timing[64]; /* the attributes common to all animations */
} animation;

/* Writes what is in the window. False if out of memory. */
bool trn_animation_print(const animation *a);

/* Writes a number rounded to a tenth of a pixel, without needless characters; and two of them. */
void trn_print_tenths(FILE *stream, double value);
void trn_print_pair(FILE *stream, double x, double y);

/* A place in the picture's plane, in pixels from the file's origin. */
static inline tr_dvec2 animation_pixels(const animation *a, tr_dvec2 place)
{
    return (tr_dvec2){(place.x - a->origin.x) * a->scale, (a->origin.y - place.y) * a->scale};
}

static inline uint32_t frame_count(const animation *a)
{
    return a->picture->film->count;
}

static inline const snapshot *frame(const animation *a, uint32_t i)
{
    return &a->picture->film->frames[i];
}

#endif
