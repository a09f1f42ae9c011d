/* Snapshots: what a picture needs of a moment. */
#ifndef TR_CLI_SNAPSHOT_H
#define TR_CLI_SNAPSHOT_H

#include "trammel/scene2.h"

typedef enum color_mode {
    COLOR_TYPE,  /* joints by type */
    COLOR_FORCE, /* by the magnitude of their force */
    COLOR_GRAPH  /* by the batch of the plan */
} color_mode;

typedef struct snapshot {
    uint32_t step;
    double time;               /* s */
    tr2_transform *transforms; /* of all bodies, in the scene's order; then the world's own, at snapshot_origin() */
    float *force;              /* N, of all joints; null unless COLOR_FORCE */
    uint32_t *color;           /* of all joints; null unless COLOR_GRAPH */
    bool *broken;              /* of all joints; null while none is */
} snapshot;

static inline bool snapshot_has_joint(const snapshot *s, uint32_t joint)
{
    return s->broken == NULL || !s->broken[joint];
}

/* Moments to be taken, in ascending order of steps. */
typedef struct film {
    uint32_t count, taken;
    snapshot *frames;
    color_mode mode;
} film;

/* A place that is not far from what there is, so that points of the world from there are small. */
tr_dvec2 snapshot_origin(const tr2_scene *scene);

/* `count` moments spread over the steps 0 .. steps, first and last among them; fewer where there are fewer steps. */
bool film_begin_spread(film *f, uint32_t count, uint32_t steps, color_mode mode);
/* At most `count` moments an equal number of steps apart, from step 0 on: an animation's clock is even. */
bool film_begin_even(film *f, uint32_t count, uint32_t steps, color_mode mode);
void film_free(film *f);

/* After step `step` (0: before the first): takes a snapshot if this is one of the moments. */
bool film_visit(film *f, uint32_t step, double time, const tr2_scene *scene, const tr2_world *world,
                const tr2_body *bodies, const tr2_joint *joints);

#endif
