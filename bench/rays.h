/* The shapes and rays of the ray cases, the same for every engine. */
#ifndef TR_BENCH_RAYS_H
#define TR_BENCH_RAYS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ray_shape {
    double x, y;
    float angle, half_x, half_y; /* half_y 0: a circle of radius half_x */
} ray_shape;

typedef struct ray_scene {
    ray_shape *shapes;
    uint32_t shape_count, ray_count;
    double *x, *y;
    float *translation_x, *translation_y;
    float *fraction; /* result of each ray; 1 if nothing was hit */
} ray_scene;

/* An engine that casts rays. Functions as in bench_engine; an engine that is not in this build is null. */
typedef struct ray_engine {
    const char *name;
    void *(*create)(const ray_scene *scene);
    void (*destroy)(void *world);
    void (*cast)(void *world, const ray_scene *scene);
} ray_engine;

const ray_engine *ray_engine_box2d(void);
const ray_engine *ray_engine_chipmunk(void);

#ifdef __cplusplus
}
#endif

#endif
