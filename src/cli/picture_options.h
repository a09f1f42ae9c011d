/* What a run's pictures and trajectories are to show, as the command line says it. */
#ifndef TR_CLI_PICTURE_OPTIONS_H
#define TR_CLI_PICTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum color_mode {
    COLOR_TYPE,  /* joints by type */
    COLOR_FORCE, /* by the magnitude of their force */
    COLOR_GRAPH  /* by colour of the plan */
} color_mode;

typedef enum view_kind {
    VIEW_FOLLOW, /* the window moves with the bodies that it shows, unless it can hold all frames */
    VIEW_FIXED,  /* one window over all frames */
    VIEW_ALL     /* every moving body, in every frame */
} view_kind;

typedef struct recording_options {
    uint32_t every; /* steps between frames of trajectories, at least 1 */
    uint32_t strip_frames;
    uint32_t key_frames; /* 0: automatic, at most 60, to keep the file small */
    uint32_t save_at;    /* the step after which a snapshot is taken; UINT32_MAX: the last */
    color_mode color;
} recording_options;

/* Whether this program was built with cairo. Animated SVGs do not need it. */
static inline bool picture_available(void)
{
#if defined(TR_WITH_PICTURES) && TR_WITH_PICTURES
    return true;
#else
    return false;
#endif
}

/* The smallest length of 1, 2 or 5 times a power of ten that is at least `least`: for scale bars and grids. */
double view_round_length(double least);

#endif
