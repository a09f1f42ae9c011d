/* The camera: which part of the world each frame shows. */
#ifndef TR_CLI_VIEW_H
#define TR_CLI_VIEW_H

#include "cli/core/groups.h"
#include "cli/core/snapshot.h"

/* The window of each frame. All have the same size, so that frames can be compared. */
typedef struct view {
    uint32_t count;
    trn_camera camera;
    tr_dvec2 *center;     /* m, in the picture's plane */
    double width, height; /* m, of the region to be shown, with a margin */
    double reach;         /* m: the typical distance of an anchor from its body's centre of mass */
} view;

/*
 * VIEW_FOLLOW shows the group of bodies with most joints and the moving bodies around it. If some of them are anchored
 * to static bodies, the window follows only those, and falling bodies leave the picture. `name` picks the group of that
 * body instead; may be null. `angles`: of the camera; null: the default. The window stays in its place if it then holds
 * all frames and is not too large. Otherwise it moves smoothly with what it follows, and where that spreads too far,
 * with the body in its middle. False if out of memory.
 */
bool trn_view_fit(view *v, const trn_scene *scene, const groups *g, const film *f, view_kind kind, const char *name,
                  const double *angles);
void trn_view_free(view *v);

/* The first body of that name, or the one of that index after a '#'; UINT32_MAX if there is none. */
uint32_t trn_view_find_body(const trn_scene *scene, const char *name);

#endif
