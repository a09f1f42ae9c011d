/* Where the camera looks. */
#ifndef TR_CLI_VIEW_H
#define TR_CLI_VIEW_H

#include "cli/groups.h"
#include "cli/snapshot.h"

typedef enum view_kind {
    VIEW_FOLLOW, /* the window moves with the bodies that it shows */
    VIEW_FIXED,  /* one window over all frames */
    VIEW_ALL     /* every moving body, in every frame */
} view_kind;

/* The window of each frame: the same size everywhere, so that frames can be compared. */
typedef struct view {
    uint32_t count;
    tr_dvec2 *center;     /* m */
    double width, height; /* m, of what must be seen, with a margin */
    double reach;         /* m: the typical distance of an anchor from its body's centre */
} view;

/*
 * FOLLOW looks at the group of bodies with the most joints and the groups around it; where some of them are anchored to
 * static bodies the window stays with those, and what falls, falls out of the picture. `name` picks the group of that
 * body instead; null: none. False when there is no memory.
 */
bool view_fit(view *v, const tr2_scene *scene, const groups *g, const film *f, view_kind kind, const char *name);
void view_free(view *v);

/* The first body of that name, or of that index after a '#'; UINT32_MAX: none. */
uint32_t view_find_body(const tr2_scene *scene, const char *name);

/* A length of 1, 2 or 5 times a power of ten, at least `least`: for scale bars and grids. */
double view_round_length(double least);

#endif
