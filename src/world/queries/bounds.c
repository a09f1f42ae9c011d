/* Axis-aligned bounding boxes of shapes and bodies at their current poses. */
#include "world/core/body.h"
#include "world/shapes/shape_check.h"

/* the pose of a row's body */
typedef struct pose {
    tr_dvec2 origin;
    float c, s;
} pose;

static pose pose_of(const tr2_bodies *bodies, uint32_t row)
{
    return (pose){tr2_body_origin(bodies, row), bodies->c[row], bodies->s[row]};
}

static tr2_aabb point_box(tr_dvec2 point)
{
    return (tr2_aabb){point, point};
}

/* comparisons, not fmin and fmax: gcc 12 for arm64 fails inside its vectoriser on loops of those */
static void include(tr2_aabb *box, const tr2_aabb *other)
{
    box->lower.x = other->lower.x < box->lower.x ? other->lower.x : box->lower.x;
    box->lower.y = other->lower.y < box->lower.y ? other->lower.y : box->lower.y;
    box->upper.x = other->upper.x > box->upper.x ? other->upper.x : box->upper.x;
    box->upper.y = other->upper.y > box->upper.y ? other->upper.y : box->upper.y;
}

/* In doubles, from the corners: tr2_geometry_bounds() is in floats, and wider by their rounding. A chain segment's
   ghosts do not belong to it. */
static tr2_aabb box_of(const tr2_geometry *geometry, const pose *at)
{
    tr2_aabb box = {{0.0, 0.0}, {0.0, 0.0}};
    for (uint32_t i = 0; i < geometry->count; i++) {
        tr_dvec2 arm = tr2_rotate(at->c, at->s, geometry->corners[i].point);
        tr2_aabb corner = point_box((tr_dvec2){at->origin.x + arm.x, at->origin.y + arm.y});
        if (i == 0)
            box = corner;
        include(&box, &corner);
    }
    double radius = (double)geometry->radius;
    return (tr2_aabb){{box.lower.x - radius, box.lower.y - radius}, {box.upper.x + radius, box.upper.y + radius}};
}

static tr2_aabb shape_box(const tr2_world *world, tr2_shape id)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t row = shapes->pool.row[id.index - 1];
    pose at = pose_of(&world->bodies, tr2_body_row(world, shapes->body[row]));
    return box_of(shapes->geometry[row], &at);
}

static tr2_aabb body_box(const tr2_world *world, tr2_body id)
{
    const tr2_shapes *shapes = &world->shapes;
    const uint32_t *rows = shapes->pool.row;
    pose at = pose_of(&world->bodies, tr2_body_row(world, id));
    uint32_t newest = tr2_shapes_newest(shapes, id.index - 1);
    if (newest == TR_NONE)
        return point_box(at.origin);
    tr2_aabb box = box_of(shapes->geometry[rows[newest]], &at);
    for (uint32_t slot = shapes->older[rows[newest]]; slot != TR_NONE; slot = shapes->older[rows[slot]]) {
        tr2_aabb other = box_of(shapes->geometry[rows[slot]], &at);
        include(&box, &other);
    }
    return box;
}

/* the common start of the batch calls */
static tr_status begin(const tr2_world *world, tr2_check *check, const char *call, const void *ids, const void *out)
{
    *check = tr2_check_of(world, call, "");
    tr_status status = tr2_check_pointer(check, "ids", ids);
    if (status == TR_OK)
        status = tr2_check_pointer(check, "out", out);
    check->subject = "ids";
    return status;
}

tr_status tr2_world_get_body_bounds(const tr2_world *world, const tr2_body *ids, uint32_t count, tr2_aabb *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check;
    tr_status status = begin(world, &check, "get_body_bounds", ids, out);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check.index = i;
        status = tr2_check_body(&check, "", world, ids[i]);
    }
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        out[i] = body_box(world, ids[i]);
    return status;
}

tr_status tr2_world_get_shape_bounds(const tr2_world *world, const tr2_shape *ids, uint32_t count, tr2_aabb *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check;
    tr_status status = begin(world, &check, "get_shape_bounds", ids, out);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check.index = i;
        status = tr2_check_shape_id(&check, "", world, ids[i]);
    }
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        out[i] = shape_box(world, ids[i]);
    return status;
}

tr_status tr2_body_get_bounds(const tr2_world *world, tr2_body id, tr2_aabb *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_get_bounds", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    if (status == TR_OK)
        *out = body_box(world, id);
    return status;
}

tr_status tr2_shape_get_bounds(const tr2_world *world, tr2_shape id, tr2_aabb *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "shape_get_bounds", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_shape_id(&check, "id", world, id);
    if (status == TR_OK)
        *out = shape_box(world, id);
    return status;
}
