/* Snapshots: the state of a world that a picture needs. */
#ifndef TR_CLI_SNAPSHOT_H
#define TR_CLI_SNAPSHOT_H

#include "trammel/scene2.h"

typedef enum color_mode {
    COLOR_TYPE,  /* joints by type */
    COLOR_FORCE, /* by the magnitude of their force */
    COLOR_GRAPH  /* by colour of the plan */
} color_mode;

typedef struct snapshot {
    uint32_t step;
    double time;               /* s */
    tr2_transform *transforms; /* of all bodies, in the scene's order; then one for the world, at snapshot_origin() */
    float *force;              /* N, of all joints; null unless COLOR_FORCE */
    uint32_t *color;           /* of all joints; null unless COLOR_GRAPH */
    bool *broken;              /* of all joints; null while none is broken */
} snapshot;

static inline bool snapshot_has_joint(const snapshot *s, uint32_t joint)
{
    return s->broken == NULL || !s->broken[joint];
}

/* A series of snapshots at given steps, in ascending order. */
typedef struct film {
    uint32_t count, taken;
    snapshot *frames;
    color_mode mode;
} film;

/* A point near the scene, used as origin so that coordinates relative to it are small. */
tr_dvec2 snapshot_origin(const tr2_scene *scene);

/* `count` snapshots spread over steps 0 .. steps, including both ends; fewer if there are fewer steps. */
bool film_begin_spread(film *f, uint32_t count, uint32_t steps, color_mode mode);
/* At most `count` snapshots at equal intervals from step 0 on, because an animation runs at constant speed. */
bool film_begin_even(film *f, uint32_t count, uint32_t steps, color_mode mode);
void film_free(film *f);

/* Call after step `step` (0: before the first): takes a snapshot if the film has one at this step. */
bool film_visit(film *f, uint32_t step, double time, const tr2_scene *scene, const tr2_world *world,
                const tr2_body *bodies, const tr2_joint *joints);

#endif
