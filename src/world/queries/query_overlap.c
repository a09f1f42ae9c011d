/* Queries at a location: shapes that overlap a shape, box or point, and the nearest shape. */
#include <math.h>
#include <string.h>

#include "world/collision/collision_internal.h"
#include "world/queries/query.h"

static bool shape_before(const void *a, const void *b)
{
    return ((const tr2_shape *)a)->index < ((const tr2_shape *)b)->index;
}

/* The object to overlap with a world's shapes: one of three kinds. */
typedef enum overlay_kind { OVERLAY_SHAPE, OVERLAY_BOX, OVERLAY_POINT } overlay_kind;

typedef struct overlay {
    tr2_ask *ask;
    tr2_list *list;
    overlay_kind kind;
    tr2_box box;                /* its bounding box; a box and a point are nothing else */
    const tr2_geometry *placed; /* of a shape */
    tr2_transform frame;
} overlay;

/* m: far outside of every shape, and floats still hold the squares */
#define FAR 1e12

/*
 * Overlap with the shape of a row
 */

/* the core of a box centred at (0, 0); a width or height of 0 makes it a line or a point */
static tr2_geometry core_of(tr_vec2 half)
{
    tr2_geometry out;
    memset(&out, 0, sizeof out);
    bool wide = half.x > 0.0f, high = half.y > 0.0f;
    out.count = (uint8_t)((wide ? 2 : 1) * (high ? 2 : 1));
    for (uint32_t i = 0; i < TR2_MAX_CORNERS; i++) {
        /* counter-clockwise around a box; both ends of a line; the rest repeats the first */
        uint32_t corner = i < out.count ? i : 0;
        bool right = wide && (high ? corner == 1 || corner == 2 : corner == 1), up = corner >= (wide ? 2u : 1u);
        out.corners[i].point = (tr_vec2){right ? half.x : -half.x, up ? half.y : -half.y};
    }
    out.extent = sqrtf(half.x * half.x + half.y * half.y);
    return out;
}

static bool overlaps_box(const tr2_box *box, const tr2_transform *frame, const tr2_geometry *geometry)
{
    /* clip the box to the shape's bounding box: the result is no larger than the shape, and near it */
    tr2_bounds bounds = tr2_geometry_bounds(geometry, frame->c, frame->s);
    double lower_x = fmax(box->lower_x - frame->position.x, (double)bounds.lower.x);
    double lower_y = fmax(box->lower_y - frame->position.y, (double)bounds.lower.y);
    double upper_x = fmin(box->upper_x - frame->position.x, (double)bounds.upper.x);
    double upper_y = fmin(box->upper_y - frame->position.y, (double)bounds.upper.y);
    if (!(lower_x <= upper_x && lower_y <= upper_y))
        return false;
    tr2_geometry core = core_of((tr_vec2){(float)(0.5 * (upper_x - lower_x)), (float)(0.5 * (upper_y - lower_y))});
    double x = 0.5 * (lower_x + upper_x), y = 0.5 * (lower_y + upper_y);
    tr2_pose pose = {
        {(float)((double)frame->c * x + (double)frame->s * y), (float)((double)frame->c * y - (double)frame->s * x)},
        frame->c,
        -frame->s};
    return tr2_distance(geometry, pose, &core).distance <= 0.0f;
}

static bool overlaps(const overlay *it, uint32_t row)
{
    const tr2_world *world = it->ask->world;
    const tr2_geometry *geometry = world->shapes.geometry[row];
    tr2_transform frame = tr2_ask_frame(world, row);
    if (it->kind == OVERLAY_SHAPE)
        return tr2_distance(geometry, tr2_pose_between(&frame, &it->frame), it->placed).distance <= 0.0f;
    if (it->kind == OVERLAY_BOX)
        return overlaps_box(&it->box, &frame, geometry);
    tr_dvec2 at = tr2_frame_back(&frame, it->box.lower_x, it->box.lower_y);
    return fabs(at.x) <= FAR && fabs(at.y) <= FAR &&
           tr2_geometry_contains(geometry, (tr_vec2){(float)at.x, (float)at.y});
}

static bool found(void *context, uint32_t slot)
{
    const overlay *it = context;
    tr2_ask *ask = it->ask;
    uint32_t row = tr2_ask_row(ask, slot);
    if (row == TR_NONE || !overlaps(it, row))
        return true;
    tr2_shape id = ask->world->shapes.id[row];
    if (ask->query.accept == NULL || ask->query.accept(id, ask->index, ask->query.context))
        tr2_list_add(it->list, &id);
    return true;
}

static void search(overlay *it, uint32_t index)
{
    const tr2_broad *broad = &it->ask->world->collision.broad;
    it->ask->index = index;
    tr2_list_start(it->list, index);
    tr2_tree_query(&broad->trees[0], &it->box, found, it);
    tr2_tree_query(&broad->trees[1], &it->box, found, it);
    tr2_list_sort(it->list);
}

/*
 * Overlaps
 */

/* separate functions, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void overlap_shapes(overlay *it, const tr2_poses *poses)
{
    for (uint32_t i = 0; i < poses->count; i++) {
        it->frame = tr2_ask_pose(poses, i);
        tr2_bounds bounds = tr2_geometry_bounds(it->placed, it->frame.c, it->frame.s);
        double x = poses->x[i], y = poses->y[i];
        it->box = (tr2_box){x + (double)bounds.lower.x, y + (double)bounds.lower.y, x + (double)bounds.upper.x,
                            y + (double)bounds.upper.y};
        search(it, i);
    }
}

tr_status tr2_world_overlap_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *poses,
                                   const tr2_query *query, tr2_shape *out, uint32_t capacity, uint32_t *first,
                                   tr_error *error)
{
    tr2_ask ask;
    tr2_list list;
    tr2_geometry placed;
    tr_status status = tr2_ask_begin(&ask, "overlap_shapes", world, query, poses, first, error);
    if (status == TR_OK)
        status = tr2_ask_check_shape(&ask, shape, &placed);
    if (status == TR_OK)
        status = tr2_ask_check_poses(&ask, poses);
    if (status == TR_OK)
        status = tr2_list_begin(&ask, &list, out, sizeof *out, capacity, first, shape_before);
    if (status != TR_OK)
        return status;
    overlay it = {.ask = &ask, .list = &list, .kind = OVERLAY_SHAPE, .placed = &placed};
    tr_arithmetic before = tr_arithmetic_plain();
    overlap_shapes(&it, poses);
    tr_arithmetic_restore(&before);
    return tr2_list_end(&ask, &list, poses->count);
}

static tr_status check_boxes(tr2_ask *ask, const tr2_boxes *boxes)
{
    const double *const columns[4] = {boxes->lower_x, boxes->lower_y, boxes->upper_x, boxes->upper_y};
    static const char *const names[4] = {"boxes.lower_x", "boxes.lower_y", "boxes.upper_x", "boxes.upper_y"};
    tr_status status = TR_OK;
    for (uint32_t k = 0; k < 4 && status == TR_OK; k++)
        status = tr2_ask_check_numbers(ask, names[k], columns[k], TR2_DOUBLES, boxes->count);
    tr2_check each = {ask->check.error, ask->check.call, "boxes", 0, NULL};
    for (uint32_t i = 0; i < boxes->count && status == TR_OK; i++) {
        each.index = i;
        if (boxes->lower_x[i] > boxes->upper_x[i] || boxes->lower_y[i] > boxes->upper_y[i])
            status = tr2_check_fail(&each, TR_ERROR_RANGE, "", "has a lower side above its upper");
    }
    return status;
}

static __attribute__((noinline)) void overlap_boxes(overlay *it, const tr2_boxes *boxes)
{
    for (uint32_t i = 0; i < boxes->count; i++) {
        it->box = (tr2_box){boxes->lower_x[i], boxes->lower_y[i], boxes->upper_x[i], boxes->upper_y[i]};
        search(it, i);
    }
}

tr_status tr2_world_overlap_boxes(const tr2_world *world, const tr2_boxes *boxes, const tr2_query *query,
                                  tr2_shape *out, uint32_t capacity, uint32_t *first, tr_error *error)
{
    tr2_ask ask;
    tr2_list list;
    tr_status status = tr2_ask_begin(&ask, "overlap_boxes", world, query, boxes, first, error);
    if (status == TR_OK)
        status = check_boxes(&ask, boxes);
    if (status == TR_OK)
        status = tr2_list_begin(&ask, &list, out, sizeof *out, capacity, first, shape_before);
    if (status != TR_OK)
        return status;
    overlay it = {.ask = &ask, .list = &list, .kind = OVERLAY_BOX};
    tr_arithmetic before = tr_arithmetic_plain();
    overlap_boxes(&it, boxes);
    tr_arithmetic_restore(&before);
    return tr2_list_end(&ask, &list, boxes->count);
}

static tr_status check_points(tr2_ask *ask, const tr2_points *points)
{
    tr_status status = tr2_ask_check_numbers(ask, "points.x", points->x, TR2_DOUBLES, points->count);
    return status != TR_OK ? status : tr2_ask_check_numbers(ask, "points.y", points->y, TR2_DOUBLES, points->count);
}

static __attribute__((noinline)) void overlap_points(overlay *it, const tr2_points *points)
{
    for (uint32_t i = 0; i < points->count; i++) {
        it->box = (tr2_box){points->x[i], points->y[i], points->x[i], points->y[i]};
        search(it, i);
    }
}

tr_status tr2_world_overlap_points(const tr2_world *world, const tr2_points *points, const tr2_query *query,
                                   tr2_shape *out, uint32_t capacity, uint32_t *first, tr_error *error)
{
    tr2_ask ask;
    tr2_list list;
    tr_status status = tr2_ask_begin(&ask, "overlap_points", world, query, points, first, error);
    if (status == TR_OK)
        status = check_points(&ask, points);
    if (status == TR_OK)
        status = tr2_list_begin(&ask, &list, out, sizeof *out, capacity, first, shape_before);
    if (status != TR_OK)
        return status;
    overlay it = {.ask = &ask, .list = &list, .kind = OVERLAY_POINT};
    tr_arithmetic before = tr_arithmetic_plain();
    overlap_points(&it, points);
    tr_arithmetic_restore(&before);
    return tr2_list_end(&ask, &list, points->count);
}

/*
 * Nearest shape
 */
typedef struct nearest {
    tr2_ask *ask;
    tr_dvec2 at;
    tr2_shape shape; /* null: none yet */
    double distance;
    tr_dvec2 point;
    tr_vec2 normal;
} nearest;

/* The nearest point of a shape. Of a point that is far away a point in the same direction, at this multiple of the
   shape's extent, has the same nearest point up to the rounding of floats, and is as much nearer. */
#define SEEN_FROM 1e5

typedef struct near_point {
    double distance;
    tr_vec2 point, normal; /* in the body's frame */
} near_point;

static near_point near_point_of(const tr2_geometry *geometry, const tr2_transform *frame, tr_dvec2 at)
{
    tr_dvec2 local = tr2_frame_back(frame, at.x, at.y);
    double x = local.x - (double)geometry->center.x, y = local.y - (double)geometry->center.y;
    double far = fmax(fabs(x), fabs(y)), closer = 0.0;
    tr_vec2 point = {(float)local.x, (float)local.y};
    if (far > FAR) {
        double length = far * sqrt(x / far * (x / far) + y / far * (y / far)),
               seen_from = SEEN_FROM * (double)geometry->extent;
        closer = length - seen_from;
        point.x = (float)((double)geometry->center.x + x / length * seen_from);
        point.y = (float)((double)geometry->center.y + y / length * seen_from);
    }
    tr2_nearest_result result = tr2_geometry_nearest(geometry, point);
    return (near_point){closer + (double)result.distance, result.point, result.normal};
}

static double look_near(void *context, uint32_t slot, double max_distance)
{
    nearest *it = context;
    tr2_ask *ask = it->ask;
    uint32_t row = tr2_ask_row(ask, slot);
    if (row == TR_NONE)
        return max_distance;
    tr2_transform frame = tr2_ask_frame(ask->world, row);
    near_point result = near_point_of(ask->world->shapes.geometry[row], &frame, it->at);
    tr2_shape id = ask->world->shapes.id[row];
    bool better = result.distance < it->distance ||
                  (result.distance == it->distance && (it->shape.index == 0 || id.index < it->shape.index));
    if (!better || (ask->query.accept != NULL && !ask->query.accept(id, ask->index, ask->query.context)))
        return max_distance;
    it->shape = id;
    it->distance = result.distance;
    it->point = tr2_frame_point(&frame, result.point);
    it->normal = (tr_vec2){frame.c * result.normal.x - frame.s * result.normal.y,
                           frame.s * result.normal.x + frame.c * result.normal.y};
    return fmax(it->distance, 0.0);
}

static void write_nearest(const tr2_nearest *out, uint32_t i, const nearest *it)
{
    if (out->shape != NULL)
        out->shape[i] = it->shape;
    if (out->distance != NULL)
        out->distance[i] = it->shape.index != 0 ? tr_finite_float(it->distance) : (float)it->distance;
    if (out->point_x != NULL)
        out->point_x[i] = it->point.x;
    if (out->point_y != NULL)
        out->point_y[i] = it->point.y;
    if (out->normal_x != NULL)
        out->normal_x[i] = it->normal.x;
    if (out->normal_y != NULL)
        out->normal_y[i] = it->normal.y;
}

static __attribute__((noinline)) void find_nearest(tr2_ask *ask, const tr2_points *points, float max_distance,
                                                   const tr2_nearest *out)
{
    const tr2_broad *broad = &ask->world->collision.broad;
    for (uint32_t i = 0; i < points->count; i++) {
        ask->index = i;
        tr_dvec2 at = {points->x[i], points->y[i]};
        nearest it = {ask, at, {0, 0, 0}, (double)max_distance, at, {0.0f, 0.0f}};
        for (uint32_t k = 0; k < 2; k++)
            tr2_tree_near(&broad->trees[k], at.x, at.y, fmax(it.distance, 0.0), look_near, &it);
        write_nearest(out, i, &it);
    }
}

tr_status tr2_world_nearest_shapes(const tr2_world *world, const tr2_points *points, float max_distance,
                                   const tr2_query *query, const tr2_nearest *out, tr_error *error)
{
    tr2_ask ask;
    tr_status status = tr2_ask_begin(&ask, "nearest_shapes", world, query, points, out, error);
    if (status == TR_OK && max_distance != max_distance)
        status = tr2_check_fail(&ask.check, TR_ERROR_NAN, "max_distance", "is NaN");
    if (status == TR_OK && max_distance < 0.0f)
        status = tr2_check_fail(&ask.check, TR_ERROR_NEGATIVE, "max_distance", "is %g, must not be negative",
                                (double)max_distance);
    if (status == TR_OK)
        status = check_points(&ask, points);
    if (status != TR_OK)
        return status;
    tr_arithmetic before = tr_arithmetic_plain();
    find_nearest(&ask, points, max_distance, out);
    tr_arithmetic_restore(&before);
    return tr2_ask_end(&ask);
}
