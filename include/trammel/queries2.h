/*
 * Queries: ray casts, shape casts, overlaps, contacts, nearest shapes. They see shapes (trammel/shapes2.h) at the
 * current poses of their bodies, both after a step and after an edit. A query sees sensors only if it asks for them.
 *
 * Queries come in batches: arrays in, arrays out, one entry per query. They change nothing, not even the world's last
 * error, and allocate nothing. Any number of threads may query one world at the same time, as long as no thread changes
 * it. Results do not depend on threads. Equal results are ordered by the index of the shape's id.
 *
 * Errors of all calls: TR_ERROR_NULL (world, batch, an array of it, an output), _NAN, _INFINITE. On failure a call
 * writes only *error; `error` may be null. `query` may be null: the default. A count of 0 is fine.
 *
 * docs/queries.md has examples and costs.
 */
#ifndef TRAMMEL_QUERIES2_H
#define TRAMMEL_QUERIES2_H

#include "trammel/base.h"
#include "trammel/shapes2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which shapes a query sees. */
typedef struct tr2_query {
    /* The query sees shapes that collide with this filter. Default: all bits of category and mask, group 0 */
    tr2_filter filter;
    bool sensors; /* whether the query sees sensors; default false */
    /* Called for each shape that the filter passes; false: the query ignores the shape. `index` is the entry's index in
       the batch. It is called on the thread that makes the query. It must not change the world. It may make the calls
       that any number of threads may make at the same time (trammel/world2.h). Null: every shape counts. */
    bool (*accept)(tr2_shape shape, uint32_t index, void *context);
    void *context;
} tr2_query;

TR_API tr2_query tr2_query_default(void);

/*
 * Rays
 */
typedef struct tr2_rays {
    uint32_t count;
    const double *x, *y; /* m, the start of each, in the world */
    /* m, the vector from start to end; a ray of length zero hits only shapes that contain its start */
    const float *translation_x, *translation_y;
} tr2_rays;

/* The first hit of each entry; arrays that are null are not written. If nothing was hit: the null id, fraction 1, the
   end of the ray, and a zero normal. */
typedef struct tr2_hits {
    tr2_shape *shape;
    float *fraction;           /* 0 .. 1 of the ray or translation */
    double *point_x, *point_y; /* m, in the world, on the surface that is hit */
    /* the outward unit normal of that surface. A query that starts inside a shape hits it at fraction 0 with a zero
       normal. One that starts on the surface, within rounding, hits the shape only if it moves into it; a ray that
       starts on a segment does not hit that segment. So a query can start where another one ended */
    float *normal_x, *normal_y;
} tr2_hits;

/* The first shape that each ray hits. Rays hit chain segments only from the side on which they collide, segments from
   both sides. */
TR_API tr_status tr2_world_cast_rays(const tr2_world *world, const tr2_rays *rays, const tr2_query *query,
                                     const tr2_hits *out, tr_error *error);
/* Whether each ray hits anything; faster than finding the first hit. */
TR_API tr_status tr2_world_test_rays(const tr2_world *world, const tr2_rays *rays, const tr2_query *query, bool *out,
                                     tr_error *error);

/* One of several hits. */
typedef struct tr2_hit {
    tr2_shape shape;
    uint32_t index; /* of the ray */
    float fraction;
    tr_dvec2 point; /* as in tr2_hits */
    tr_vec2 normal;
} tr2_hit;

/*
 * All shapes that each ray hits, at the points where it enters them. The hits of ray i are out[first[i]] to
 * out[first[i + 1] - 1], ordered by fraction. `first` has count + 1 entries and counts all hits; entries of `out` from
 * `capacity` on are not written. If first[count] exceeds `capacity`, `out` has the nearest hits that fit of each ray.
 * `out` may be null if capacity is 0. TR_ERROR_LIMIT: more than 2^32 - 1 hits.
 */
TR_API tr_status tr2_world_cast_rays_through(const tr2_world *world, const tr2_rays *rays, const tr2_query *query,
                                             tr2_hit *out, uint32_t capacity, uint32_t *first, tr_error *error);

/* One ray: *out is the first hit. */
static inline tr_status tr2_world_cast_ray(const tr2_world *world, tr_dvec2 origin, tr_vec2 translation,
                                           const tr2_query *query, tr2_hit *out, tr_error *error)
{
    tr2_rays ray = {1, &origin.x, &origin.y, &translation.x, &translation.y};
    if (out == TR_NULL)
        return tr2_world_cast_rays(world, &ray, query, TR_NULL, error);
    tr2_hits hit = {&out->shape, &out->fraction, &out->point.x, &out->point.y, &out->normal.x, &out->normal.y};
    out->index = 0;
    return tr2_world_cast_rays(world, &ray, query, &hit, error);
}

/*
 * Poses of a shape
 *
 * These calls test a shape that is not in the world, at given poses. Of its definition they read kind, points, radius
 * and a chain segment's neighbours. It is solid on both sides, even if it is a chain segment. Further errors: those of
 * the definition (tr2_world_create_shapes).
 */
typedef struct tr2_poses {
    uint32_t count;
    const double *x, *y; /* m, of the shape's origin, in the world */
    const float *angle;  /* rad; null: 0 everywhere */
} tr2_poses;

/* The first shape that the shape hits when it is translated from each pose by (translation_x, translation_y), without
   rotation. translation_x and translation_y have one entry per pose, in m. If the two overlap at the start, it hits at
   fraction 0 with a zero normal. If they only touch there, it hits only if it moves into the other. */
TR_API tr_status tr2_world_cast_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *from,
                                       const float *translation_x, const float *translation_y, const tr2_query *query,
                                       const tr2_hits *out, tr_error *error);
/* All shapes that overlap or touch the shape at each pose, ordered by index; `out`, `capacity`, `first` as above. */
TR_API tr_status tr2_world_overlap_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *poses,
                                          const tr2_query *query, tr2_shape *out, uint32_t capacity, uint32_t *first,
                                          tr_error *error);

/* A contact of the shape at one of its poses with a shape of the world. */
typedef struct tr2_query_contact {
    tr2_shape shape;
    uint32_t index;       /* of the pose */
    uint32_t point_count; /* 1 or 2; values of points beyond it are 0 */
    tr_vec2 normal;       /* of length 1, in the world, outward from the world's shape */
    tr_dvec2 point[2];    /* m, in the world, halfway between the surfaces */
    float separation[2];  /* m, along the normal; below 0: overlap */
} tr2_query_contact;

/* The contacts that a body with this shape would have at each pose with the shapes that it touches or that are closer
   than `margin` (m, 0 .. 1e9 length units), ordered by the index of the world's shape; `out`, `capacity`, `first` as
   above. Chain segments have contacts only on the side on which they collide; lines that are 1 cm apart touch each
   other. Characters: trammel/character2.h.
   TR_ERROR_NAN, _INFINITE, _NEGATIVE, _RANGE: `margin`. */
TR_API tr_status tr2_world_collide_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *poses,
                                          float margin, const tr2_query *query, tr2_query_contact *out,
                                          uint32_t capacity, uint32_t *first, tr_error *error);

/*
 * Boxes and points
 */
typedef struct tr2_boxes {
    uint32_t count;
    const double *lower_x, *lower_y, *upper_x, *upper_y; /* m, in the world; TR_ERROR_RANGE: a lower above its upper */
} tr2_boxes;

/* All shapes that overlap or touch each box, ordered by index; `out`, `capacity`, `first` as above. The shapes
   themselves are tested, not their bounding boxes. */
TR_API tr_status tr2_world_overlap_boxes(const tr2_world *world, const tr2_boxes *boxes, const tr2_query *query,
                                         tr2_shape *out, uint32_t capacity, uint32_t *first, tr_error *error);

typedef struct tr2_points {
    uint32_t count;
    const double *x, *y; /* m, in the world */
} tr2_points;

/* All shapes that contain each point, ordered by index; never segments and chains. `out`, `capacity`, `first` as
   above. */
TR_API tr_status tr2_world_overlap_points(const tr2_world *world, const tr2_points *points, const tr2_query *query,
                                          tr2_shape *out, uint32_t capacity, uint32_t *first, tr_error *error);

/* The nearest shape of each entry; arrays that are null are not written. If no shape is near enough: the null id, the
   distance `max_distance`, the point itself, and a zero normal. */
typedef struct tr2_nearest {
    tr2_shape *shape;
    float *distance;            /* m, to its surface, at most FLT_MAX; negative inside */
    double *point_x, *point_y;  /* m, in the world, the nearest point of the surface */
    float *normal_x, *normal_y; /* of the surface there, outward, of length 1 */
} tr2_nearest;

/* The shape nearest to each point, at a distance of at most `max_distance` (m, >= 0; infinity: any). If a point is
   inside several shapes, the one in which it is deepest. TR_ERROR_NEGATIVE, TR_ERROR_NAN: `max_distance`. */
TR_API tr_status tr2_world_nearest_shapes(const tr2_world *world, const tr2_points *points, float max_distance,
                                          const tr2_query *query, const tr2_nearest *out, tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
