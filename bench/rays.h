/* What rays are cast in: the same shapes and rays for every engine. */
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
    float *way_x, *way_y;
    float *fraction; /* the answer: of each ray; 1 where nothing was hit */
} ray_scene;

/* An engine that casts rays: each function as of bench_engine; null engines are not in this build. */
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
