/* Casts: rays and translated shapes. */
#include <math.h>

#include "world/collision/collision_internal.h"
#include "world/queries/query.h"

/* Tolerance of a shape's extent along a cast, as a share: more than all rounding errors. */
#define BEYOND 1e-4

/* A cast in progress. */
typedef struct cast {
    tr2_ask *ask;
    double x, y, translation_x, translation_y;
    const tr2_geometry *moved; /* null: a ray */
    tr2_transform frame;       /* of the translated shape */
    tr2_list *list;            /* of all hits; null: only the first hit */
    bool any;                  /* any hit will do */
    tr2_hit best;              /* null shape: none yet */
} cast;

/* The part of a translation, from 0 to 1, within `reach` of a point. False if there is none. This shortens long
   casts before they are rounded to floats. */
static bool clip(tr_dvec2 from, tr_dvec2 path, tr_vec2 center, double reach, double *begin, double *end)
{
    double x = (double)center.x - from.x, y = (double)center.y - from.y;
    double square = path.x * path.x + path.y * path.y;
    *begin = 0.0;
    *end = 1.0;
    if (!(square > 0.0))
        return x * x + y * y <= reach * reach;
    double aside = x * path.y - y * path.x;
    if (!(aside * aside <= reach * reach * square))
        return false;
    double middle = (x * path.x + y * path.y) / square, half = reach / sqrt(square);
    *begin = middle - half > 0.0 ? middle - half : 0.0;
    *end = middle + half < 1.0 ? middle + half : 1.0;
    return *begin <= *end;
}

static tr_dvec2 turned_back(const tr2_transform *frame, double x, double y)
{
    return (tr_dvec2){(double)frame->c * x + (double)frame->s * y, (double)frame->c * y - (double)frame->s * x};
}

/* casts against the shape of a row */
static bool cast_at(const cast *it, uint32_t row, tr2_hit *hit)
{
    const tr2_world *world = it->ask->world;
    const tr2_geometry *geometry = world->shapes.geometry[row];
    tr2_transform frame = tr2_ask_frame(world, row);
    tr_dvec2 from = tr2_frame_back(&frame, it->x, it->y),
             path = turned_back(&frame, it->translation_x, it->translation_y);
    double reach = (double)geometry->extent, begin, end;
    if (it->moved != NULL)
        reach += (double)tr2_geometry_reach(it->moved, (tr_vec2){0.0f, 0.0f});
    if (!clip(from, path, geometry->center, reach * (1.0 + BEYOND), &begin, &end))
        return false;
    /* whether a chain is hit depends on the side of the start, which clipping could change */
    if (it->moved != NULL && geometry->kind == TR2_GEOMETRY_CHAIN)
        begin = 0.0;

    double part = end - begin;
    tr_vec2 translation = {(float)(part * path.x), (float)(part * path.y)};
    tr2_cast_result result;
    if (it->moved == NULL) {
        tr_vec2 origin = {(float)(from.x + begin * path.x), (float)(from.y + begin * path.y)};
        result = tr2_geometry_ray_cast(geometry, origin, translation);
    } else {
        tr2_transform moved = it->frame;
        moved.position = (tr_dvec2){it->x + begin * it->translation_x, it->y + begin * it->translation_y};
        result = tr2_geometry_shape_cast_corners(geometry, tr2_pose_between(&frame, &moved), it->moved, translation);
    }
    if (!result.hit)
        return false;
    hit->shape = world->shapes.id[row];
    hit->index = it->ask->index;
    hit->fraction = (float)(begin + part * (double)result.fraction);
    hit->point = tr2_frame_point(&frame, result.point);
    hit->normal = (tr_vec2){frame.c * result.normal.x - frame.s * result.normal.y,
                            frame.s * result.normal.x + frame.c * result.normal.y};
    return true;
}

static bool hit_before(const void *a, const void *b)
{
    const tr2_hit *one = a, *other = b;
    return one->fraction < other->fraction ||
           (one->fraction == other->fraction && one->shape.index < other->shape.index);
}

static double met(void *context, uint32_t slot, double limit)
{
    cast *it = context;
    tr2_ask *ask = it->ask;
    uint32_t row = tr2_ask_row(ask, slot);
    tr2_hit hit;
    if (row == TR_NONE || !cast_at(it, row, &hit))
        return limit;
    bool better = it->list != NULL || it->best.shape.index == 0 || hit_before(&hit, &it->best);
    if (!better || (ask->query.accept != NULL && !ask->query.accept(hit.shape, ask->index, ask->query.context)))
        return limit;
    if (it->list != NULL) {
        tr2_list_add(it->list, &hit);
        return limit;
    }
    it->best = hit;
    return it->any ? -1.0 : (double)hit.fraction;
}

/* searches both trees; hits in one shorten the search of the other */
static void search(cast *it)
{
    const tr2_broad *broad = &it->ask->world->collision.broad;
    tr2_tree_cast box = {it->x, it->y, it->translation_x, it->translation_y, 0.0, 0.0};
    if (it->moved != NULL) {
        tr2_bounds bounds = tr2_geometry_bounds(it->moved, it->frame.c, it->frame.s);
        box.half_x = 0.5 * ((double)bounds.upper.x - (double)bounds.lower.x);
        box.half_y = 0.5 * ((double)bounds.upper.y - (double)bounds.lower.y);
        box.x += (double)bounds.lower.x + box.half_x;
        box.y += (double)bounds.lower.y + box.half_y;
    }
    it->best = (tr2_hit){
        {0, 0, 0}, it->ask->index, 1.0f, {it->x + it->translation_x, it->y + it->translation_y}, {0.0f, 0.0f}};
    for (uint32_t i = 0; i < 2; i++) {
        bool found = it->best.shape.index != 0;
        if (found && it->any)
            return;
        tr2_tree_cast_box(&broad->trees[i], &box, (double)it->best.fraction, met, it);
    }
}

static void write_hit(const tr2_hits *out, uint32_t i, const tr2_hit *hit)
{
    if (out->shape != NULL)
        out->shape[i] = hit->shape;
    if (out->fraction != NULL)
        out->fraction[i] = hit->fraction;
    if (out->point_x != NULL)
        out->point_x[i] = hit->point.x;
    if (out->point_y != NULL)
        out->point_y[i] = hit->point.y;
    if (out->normal_x != NULL)
        out->normal_x[i] = hit->normal.x;
    if (out->normal_y != NULL)
        out->normal_y[i] = hit->normal.y;
}

/*
 * Rays
 */
static tr_status check_rays(tr2_ask *ask, const tr2_rays *rays)
{
    tr_status status = tr2_ask_check_numbers(ask, "rays.x", rays->x, TR2_DOUBLES, rays->count);
    if (status == TR_OK)
        status = tr2_ask_check_numbers(ask, "rays.y", rays->y, TR2_DOUBLES, rays->count);
    if (status == TR_OK)
        status = tr2_ask_check_numbers(ask, "rays.translation_x", rays->translation_x, TR2_FLOATS, rays->count);
    return status != TR_OK
               ? status
               : tr2_ask_check_numbers(ask, "rays.translation_y", rays->translation_y, TR2_FLOATS, rays->count);
}

static void aim(cast *it, const tr2_rays *rays, uint32_t i)
{
    it->ask->index = i;
    it->x = rays->x[i];
    it->y = rays->y[i];
    it->translation_x = (double)rays->translation_x[i];
    it->translation_y = (double)rays->translation_y[i];
}

/* separate functions, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void cast_rays(cast *it, const tr2_rays *rays, const tr2_hits *out, bool *any)
{
    for (uint32_t i = 0; i < rays->count; i++) {
        aim(it, rays, i);
        search(it);
        if (out != NULL)
            write_hit(out, i, &it->best);
        if (any != NULL)
            any[i] = it->best.shape.index != 0;
    }
}

tr_status tr2_world_cast_rays(const tr2_world *world, const tr2_rays *rays, const tr2_query *query, const tr2_hits *out,
                              tr_error *error)
{
    tr2_ask ask;
    tr_status status = tr2_ask_begin(&ask, "cast_rays", world, query, rays, out, error);
    if (status == TR_OK)
        status = check_rays(&ask, rays);
    if (status != TR_OK)
        return status;
    cast it = {.ask = &ask};
    tr_arithmetic before = tr_arithmetic_plain();
    cast_rays(&it, rays, out, NULL);
    tr_arithmetic_restore(&before);
    return tr2_ask_end(&ask);
}

tr_status tr2_world_test_rays(const tr2_world *world, const tr2_rays *rays, const tr2_query *query, bool *out,
                              tr_error *error)
{
    tr2_ask ask;
    tr_status status = tr2_ask_begin(&ask, "test_rays", world, query, rays, out, error);
    if (status == TR_OK)
        status = check_rays(&ask, rays);
    if (status != TR_OK)
        return status;
    cast it = {.ask = &ask, .any = true};
    tr_arithmetic before = tr_arithmetic_plain();
    cast_rays(&it, rays, NULL, out);
    tr_arithmetic_restore(&before);
    return tr2_ask_end(&ask);
}

static __attribute__((noinline)) void cast_rays_through(cast *it, const tr2_rays *rays)
{
    for (uint32_t i = 0; i < rays->count; i++) {
        aim(it, rays, i);
        tr2_list_start(it->list, i);
        search(it);
        tr2_list_sort(it->list);
    }
}

tr_status tr2_world_cast_rays_through(const tr2_world *world, const tr2_rays *rays, const tr2_query *query,
                                      tr2_hit *out, uint32_t capacity, uint32_t *first, tr_error *error)
{
    tr2_ask ask;
    tr2_list list;
    tr_status status = tr2_ask_begin(&ask, "cast_rays_through", world, query, rays, first, error);
    if (status == TR_OK)
        status = check_rays(&ask, rays);
    if (status == TR_OK)
        status = tr2_list_begin(&ask, &list, out, sizeof *out, capacity, first, hit_before);
    if (status != TR_OK)
        return status;
    cast it = {.ask = &ask, .list = &list};
    tr_arithmetic before = tr_arithmetic_plain();
    cast_rays_through(&it, rays);
    tr_arithmetic_restore(&before);
    return tr2_list_end(&ask, &list, rays->count);
}

/*
 * Shapes
 */
static __attribute__((noinline)) void cast_shapes(cast *it, const tr2_poses *from, const float *translation_x,
                                                  const float *translation_y, const tr2_hits *out)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const tr2_rays ray = {from->count, from->x, from->y, translation_x, translation_y};
        aim(it, &ray, i);
        it->frame = tr2_ask_pose(from, i);
        search(it);
        write_hit(out, i, &it->best);
    }
}

tr_status tr2_world_cast_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *from,
                                const float *translation_x, const float *translation_y, const tr2_query *query,
                                const tr2_hits *out, tr_error *error)
{
    tr2_ask ask;
    tr2_geometry moved;
    tr_status status = tr2_ask_begin(&ask, "cast_shapes", world, query, from, out, error);
    if (status == TR_OK)
        status = tr2_ask_check_shape(&ask, shape, &moved);
    if (status == TR_OK)
        status = tr2_ask_check_poses(&ask, from);
    if (status == TR_OK)
        status = tr2_ask_check_numbers(&ask, "translation_x", translation_x, TR2_FLOATS, from->count);
    if (status == TR_OK)
        status = tr2_ask_check_numbers(&ask, "translation_y", translation_y, TR2_FLOATS, from->count);
    if (status != TR_OK)
        return status;
    cast it = {.ask = &ask, .moved = &moved};
    tr_arithmetic before = tr_arithmetic_plain();
    cast_shapes(&it, from, translation_x, translation_y, out);
    tr_arithmetic_restore(&before);
    return tr2_ask_end(&ask);
}
