/* Snapshots: the state of a world that a picture needs. */
#ifndef TR_CLI_SNAPSHOT_H
#define TR_CLI_SNAPSHOT_H

#include "cli/core/dimension.h"
#include "cli/picture_options.h"

typedef struct snapshot {
    uint32_t step;
    double time; /* s */
    trn_transform
        *transforms; /* of all bodies, in the scene's order; then one for the world, at trn_snapshot_origin() */
    float *force;    /* N, of all joints; null unless COLOR_FORCE */
    uint32_t *color; /* of all joints; null unless COLOR_GRAPH */
    bool *broken;    /* of all joints; null while none is broken */
    bool *asleep;    /* of all bodies; null while none sleeps */
} snapshot;

static inline bool snapshot_has_joint(const snapshot *s, uint32_t joint)
{
    return s->broken == NULL || !s->broken[joint];
}

static inline bool snapshot_sleeps(const snapshot *s, uint32_t body)
{
    return s->asleep != NULL && s->asleep[body];
}

/* A series of snapshots at given steps, in ascending order. */
typedef struct film {
    uint32_t count, taken;
    snapshot *frames;
    color_mode mode;
} film;

/* A point near the scene, used as origin so that coordinates relative to it are small. */
trn_dvec trn_snapshot_origin(const trn_scene *scene);

/* `count` snapshots spread over steps 0 .. steps, including both ends; fewer if there are fewer steps. */
bool trn_film_begin_spread(film *f, uint32_t count, uint32_t steps, color_mode mode);
/* At most `count` snapshots at equal intervals from step 0 on, because an animation runs at constant speed. */
bool trn_film_begin_even(film *f, uint32_t count, uint32_t steps, color_mode mode);
void trn_film_free(film *f);

/* Call after step `step` (0: before the first): takes a snapshot if the film has one at this step. */
bool trn_film_visit(film *f, uint32_t step, double time, const trn_scene *scene, const trn_world *world,
                    const trn_body *bodies, const trn_joint *joints);

#endif
