/* Conversion of points and vectors between world and bodies' frames; joint definitions from the bodies' current
   poses. */
#include <math.h>

#include "base/angle.h"
#include "world/core/body.h"

/* the common start of these functions: checks world, output, id and numbers */
static tr_status begin(const tr2_world *world, tr2_check *check, const char *call, tr2_body id, const void *out,
                       const char *const name[2], tr_dvec2 in)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = tr2_check_of(world, call, "");
    tr_status status = tr2_check_pointer(check, "out", out);
    if (status == TR_OK)
        status = tr2_check_body(check, "id", world, id);
    return status != TR_OK ? status : tr2_check_dvec2(check, name[0], name[1], in);
}

static const char *const point_names[] = {"point.x", "point.y"};
static const char *const vector_names[] = {"vector.x", "vector.y"};

static tr_dvec2 widen(tr_vec2 v)
{
    return (tr_dvec2){(double)v.x, (double)v.y};
}

/* converts to floats if they fit */
static tr_status narrow(const tr2_check *check, tr_dvec2 v, tr_vec2 *out)
{
    tr_vec2 result = {(float)v.x, (float)v.y};
    tr_status status = tr2_check_result(check, "the result along x", (double)result.x);
    if (status == TR_OK)
        status = tr2_check_result(check, "the result along y", (double)result.y);
    if (status == TR_OK)
        *out = result;
    return status;
}

static tr_dvec2 to_local(const tr2_world *world, uint32_t row, tr_dvec2 point)
{
    const tr2_bodies *bodies = &world->bodies;
    tr_dvec2 origin = tr2_body_origin(bodies, row);
    tr_dvec2 arm = {point.x - origin.x, point.y - origin.y};
    return tr2_unrotate(bodies->c[row], bodies->s[row], arm);
}

tr_status tr2_body_local_point(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out)
{
    tr2_check check;
    tr_status status = begin(world, &check, "body_local_point", id, out, point_names, point);
    if (status != TR_OK)
        return status;
    return narrow(&check, to_local(world, tr2_body_row(world, id), point), out);
}

tr_status tr2_body_world_point(const tr2_world *world, tr2_body id, tr_vec2 point, tr_dvec2 *out)
{
    tr2_check check;
    tr_status status = begin(world, &check, "body_world_point", id, out, point_names, widen(point));
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    tr_dvec2 origin = tr2_body_origin(bodies, row), arm = tr2_rotate(bodies->c[row], bodies->s[row], point);
    *out = (tr_dvec2){origin.x + arm.x, origin.y + arm.y};
    return TR_OK;
}

tr_status tr2_body_local_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out)
{
    tr2_check check;
    tr_status status = begin(world, &check, "body_local_vector", id, out, vector_names, widen(vector));
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    return narrow(&check, tr2_unrotate(bodies->c[row], bodies->s[row], widen(vector)), out);
}

tr_status tr2_body_world_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out)
{
    tr2_check check;
    tr_status status = begin(world, &check, "body_world_vector", id, out, vector_names, widen(vector));
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    return narrow(&check, tr2_rotate(bodies->c[row], bodies->s[row], vector), out);
}

tr_status tr2_body_point_velocity(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out)
{
    tr2_check check;
    tr_status status = begin(world, &check, "body_point_velocity", id, out, point_names, point);
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    double w = (double)bodies->angular_velocity[row];
    tr_dvec2 velocity = {(double)bodies->velocity_x[row] - w * (point.y - bodies->center_y[row]),
                         (double)bodies->velocity_y[row] + w * (point.x - bodies->center_x[row])};
    return narrow(&check, velocity, out);
}

/*
 * Joint definitions
 */
static tr_status check_place(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def,
                             tr_dvec2 anchor_a, tr_dvec2 anchor_b, tr_vec2 axis)
{
    if ((uint32_t)def->type >= TR2_JOINT_TYPE_COUNT)
        return tr2_check_fail(check, TR_ERROR_RANGE, "def.type", "is %d, no type of joint", (int)def->type);
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    if (info->has_carriers)
        return tr2_check_fail(check, TR_ERROR_RANGE, "def.type", "is %s: tr2_gear_between() makes such a definition",
                              info->name);
    tr_status status = tr2_check_bodies(check, world, def->body_a, def->body_b);
    if (status == TR_OK && (info->fields & TR2_GROUP_ANCHORS) != 0) {
        status = tr2_check_dvec2(check, "anchor_a.x", "anchor_a.y", anchor_a);
        if (status == TR_OK)
            status = tr2_check_dvec2(check, "anchor_b.x", "anchor_b.y", anchor_b);
    }
    if (status == TR_OK && (info->fields & TR2_GROUP_AXIS) != 0) {
        status = tr2_check_vec2(check, "axis.x", "axis.y", axis);
        if (status == TR_OK && axis.x == 0.0f && axis.y == 0.0f)
            status = tr2_check_fail(check, TR_ERROR_ZERO, "axis", "is (0, 0)");
    }
    return status;
}

/* the axis as a unit vector in A's frame */
static tr_vec2 axis_in(const tr2_bodies *bodies, uint32_t row_a, tr_vec2 axis)
{
    double x = (double)axis.x, y = (double)axis.y, length = sqrt(x * x + y * y);
    tr_dvec2 local = tr2_unrotate(bodies->c[row_a], bodies->s[row_a], (tr_dvec2){x / length, y / length});
    return (tr_vec2){(float)local.x, (float)local.y};
}

/* fills in the fields that depend on the current poses */
static void fill_pose(const tr2_world *world, tr2_joint_def *def)
{
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    uint32_t rows[TR_ENDS];
    tr2_joint_pose pose;
    tr2_joint_rows(world, def, rows);
    def->reference_angle = 0.0f;
    tr2_joint_pose_get(&world->bodies, rows, def, 0, &pose);
    if ((info->fields & TR2_GROUP_LENGTH) != 0) {
        /* for a type with a length, it is the free coordinate */
        tr2_joint_measure measured = {0};
        info->measure(def, &pose, &measured);
        def->length = measured.coordinate;
    }
    if (tr2_joint_has(def->type, TR2_FIELD_DRIVE_OFFSET_X)) {
        tr_dvec2 offset = tr2_unrotate((float)pose.c_a, (float)pose.s_a, pose.d);
        def->drive.offset = (tr_vec2){(float)offset.x, (float)offset.y};
        def->drive.angular_offset = (float)remainder(pose.angle, TR_TURN);
    }
    /* drop whole turns, which are counted relative to the reference, so that a float suffices */
    if ((info->fields & TR2_GROUP_REFERENCE) != 0)
        def->reference_angle = (float)remainder(pose.angle, TR_TURN);
}

static tr_status place_anchor(const tr2_check *check, const char *name, const tr2_world *world, tr2_body body,
                              tr_dvec2 point, tr_vec2 *out)
{
    tr_dvec2 local = to_local(world, tr2_body_row(world, body), point);
    *out = (tr_vec2){(float)local.x, (float)local.y};
    tr_status status = tr2_check_result(check, name, (double)out->x);
    return status != TR_OK ? status : tr2_check_result(check, name, (double)out->y);
}

tr_status tr2_joint_def_place(const tr2_world *world, tr2_joint_def *def, tr_dvec2 anchor_a, tr_dvec2 anchor_b,
                              tr_vec2 axis)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_def_place", "");
    tr_status status = tr2_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = check_place(&check, world, def, anchor_a, anchor_b, axis);
    if (status != TR_OK)
        return status;
    tr2_joint_def placed = *def;
    uint64_t fields = tr2_joint_types[def->type]->fields;
    if ((fields & TR2_GROUP_AXIS) != 0)
        placed.axis = axis_in(&world->bodies, tr2_body_row(world, def->body_a), axis);
    if ((fields & TR2_GROUP_ANCHORS) != 0) {
        status = place_anchor(&check, "anchor_a in body_a's frame", world, def->body_a, anchor_a, &placed.anchor_a);
        if (status == TR_OK)
            status = place_anchor(&check, "anchor_b in body_b's frame", world, def->body_b, anchor_b, &placed.anchor_b);
    }
    if (status != TR_OK)
        return status;
    fill_pose(world, &placed);
    status = tr2_check_result(&check, "def.length", (double)placed.length);
    if (status == TR_OK)
        *def = placed;
    return status;
}
