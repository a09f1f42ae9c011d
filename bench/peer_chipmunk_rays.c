/* Chipmunk 7 as an engine that casts rays, if installed. */
#include "rays.h"

#if TR_BENCH_CHIPMUNK

#include <chipmunk/chipmunk.h>

static void *create(const ray_scene *scene)
{
    cpSpace *space = cpSpaceNew();
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const ray_shape *it = &scene->shapes[i];
        cpBody *body = cpSpaceAddBody(space, cpBodyNewStatic());
        cpBodySetPosition(body, cpv(it->x, it->y));
        cpBodySetAngle(body, (cpFloat)it->angle);
        cpShape *shape = it->half_y > 0.0f
                             ? cpBoxShapeNew(body, 2.0 * (cpFloat)it->half_x, 2.0 * (cpFloat)it->half_y, 0.0)
                             : cpCircleShapeNew(body, (cpFloat)it->half_x, cpvzero);
        cpSpaceAddShape(space, shape);
    }
    cpSpaceStep(space, 1.0 / 60.0);
    return space;
}

static void free_shape(cpShape *shape, void *context)
{
    (void)context;
    cpShapeFree(shape);
}

/* freeing a space does not free its bodies; they are small and left to the end of the process */
static void destroy(void *world)
{
    cpSpaceEachShape(world, free_shape, NULL);
    cpSpaceFree(world);
}

static void cast(void *world, const ray_scene *scene)
{
    for (uint32_t i = 0; i < scene->ray_count; i++) {
        cpVect from = cpv(scene->x[i], scene->y[i]);
        cpVect to = cpv(scene->x[i] + (double)scene->translation_x[i], scene->y[i] + (double)scene->translation_y[i]);
        cpSegmentQueryInfo found;
        found.alpha = 1.0;
        (void)cpSpaceSegmentQueryFirst(world, from, to, 0.0, CP_SHAPE_FILTER_ALL, &found);
        scene->fraction[i] = (float)found.alpha;
    }
}

static const ray_engine engine = {"chipmunk", create, destroy, cast};

const ray_engine *ray_engine_chipmunk(void)
{
    return &engine;
}

#else

const ray_engine *ray_engine_chipmunk(void)
{
    return NULL;
}

#endif
