/* Conversion of points and vectors between world and bodies' frames; joint definitions from the bodies' current
   poses. */
#include "world/core/body.h"
#include "world/core/joint_def.h"

/* the common start of these functions: checks world, output, id and numbers */
static tr_status begin(const trn_world *world, trn_check *check, const char *call, trn_body id, const void *out,
                       const char *name, trn_dvec in)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = trn_check_of(world, call, "");
    tr_status status = trn_check_pointer(check, "out", out);
    if (status == TR_OK)
        status = trn_check_body(check, "id", world, id);
    return status != TR_OK ? status : trn_check_dvec(check, name, in);
}

/* converts to floats if they fit */
static tr_status narrow(const trn_check *check, trn_dvec v, trn_vec *out)
{
    trn_vec result = trn_narrow(v);
    tr_status status = trn_check_result_vec(check, "the result", result);
    if (status == TR_OK)
        *out = result;
    return status;
}

static trn_dvec to_local(const trn_world *world, uint32_t row, trn_dvec point)
{
    return trn_body_unrotate(&world->bodies, row, trn_minus(point, trn_body_origin(&world->bodies, row)));
}

tr_status trn_body_local_point(const trn_world *world, trn_body id, trn_dvec point, trn_vec *out)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_local_point", id, out, "point", point);
    if (status != TR_OK)
        return status;
    return narrow(&check, to_local(world, trn_body_row(world, id), point), out);
}

tr_status trn_body_world_point(const trn_world *world, trn_body id, trn_vec point, trn_dvec *out)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_world_point", id, out, "point", trn_widen(point));
    if (status != TR_OK)
        return status;
    const trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    *out = trn_plus(trn_body_origin(bodies, row), trn_body_rotate(bodies, row, point));
    return TR_OK;
}

tr_status trn_body_local_vector(const trn_world *world, trn_body id, trn_vec vector, trn_vec *out)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_local_vector", id, out, "vector", trn_widen(vector));
    if (status != TR_OK)
        return status;
    return narrow(&check, trn_body_unrotate(&world->bodies, trn_body_row(world, id), trn_widen(vector)), out);
}

tr_status trn_body_world_vector(const trn_world *world, trn_body id, trn_vec vector, trn_vec *out)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_world_vector", id, out, "vector", trn_widen(vector));
    if (status != TR_OK)
        return status;
    return narrow(&check, trn_body_rotate(&world->bodies, trn_body_row(world, id), vector), out);
}

tr_status trn_body_point_velocity(const trn_world *world, trn_body id, trn_dvec point, trn_vec *out)
{
    trn_check check;
    tr_status status = begin(world, &check, "body_point_velocity", id, out, "point", point);
    if (status != TR_OK)
        return status;
    const trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    trn_dspin w = trn_widen_spin(trn_body_angular_velocity(bodies, row));
    trn_dvec around = trn_whirl(w, trn_minus(point, trn_body_mass_center(bodies, row)));
    trn_dvec velocity = trn_plus(trn_widen(trn_body_linear_velocity(bodies, row)), around);
    return narrow(&check, velocity, out);
}

/*
 * Joint definitions
 */
static tr_status check_place(const trn_check *check, const trn_world *world, const trn_joint_def *def,
                             trn_dvec anchor_a, trn_dvec anchor_b, trn_vec axis)
{
    if ((uint32_t)def->type >= TRN_JOINT_TYPE_COUNT)
        return trn_check_fail(check, TR_ERROR_RANGE, "def.type", "is %d, no type of joint", (int)def->type);
    const trn_joint_type_info *info = trn_joint_types[def->type];
    if (info->has_carriers && !TRN_PLACES_CARRIED)
        return trn_check_fail(check, TR_ERROR_RANGE, "def.type", "is %s: tr2_gear_between() makes such a definition",
                              info->name);
    tr_status status = trn_check_bodies(check, world, def->body_a, def->body_b);
    if (status == TR_OK && info->has_carriers)
        status = trn_joint_check_carriers(check, world, def);
    if (status == TR_OK && (info->fields & TRN_GROUP_ANCHORS) != 0) {
        status = trn_check_dvec(check, "anchor_a", anchor_a);
        if (status == TR_OK)
            status = trn_check_dvec(check, "anchor_b", anchor_b);
    }
    if (status == TR_OK && (info->fields & TRN_GROUP_AXIS) != 0) {
        status = trn_check_vec(check, "axis", axis);
        if (status == TR_OK && trn_is_same(axis, (trn_vec){0}))
            status = trn_check_fail(check, TR_ERROR_ZERO, "axis", "has no length");
    }
    return status;
}

/* the axis as a unit vector in A's frame */
static trn_vec axis_in(const trn_bodies *bodies, uint32_t row_a, trn_vec axis)
{
    return trn_narrow(trn_body_unrotate(bodies, row_a, trn_over(trn_widen(axis), trn_size(axis))));
}

static tr_status place_anchor(const trn_check *check, const char *name, const trn_world *world, trn_body body,
                              trn_dvec point, trn_vec *out)
{
    *out = trn_narrow(to_local(world, trn_body_row(world, body), point));
    return trn_check_result(check, name, trn_extent(*out));
}

tr_status trn_joint_def_initialize(const trn_world *world, trn_joint_def *def, trn_dvec anchor_a, trn_dvec anchor_b,
                                   trn_vec axis)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_def_initialize", "");
    tr_status status = trn_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = check_place(&check, world, def, anchor_a, anchor_b, axis);
    if (status != TR_OK)
        return status;
    trn_joint_def placed = *def;
    trn_mask fields = trn_joint_types[def->type]->fields;
    if ((fields & TRN_GROUP_AXIS) != 0)
        placed.axis = axis_in(&world->bodies, trn_body_row(world, def->body_a), axis);
    if ((fields & TRN_GROUP_ANCHORS) != 0) {
        status = place_anchor(&check, "anchor_a in body_a's frame", world, def->body_a, anchor_a, &placed.anchor_a);
        if (status == TR_OK)
            status = place_anchor(&check, "anchor_b in body_b's frame", world, def->body_b, anchor_b, &placed.anchor_b);
    }
    if (status != TR_OK)
        return status;
    /* other types have none, whatever the definition says */
    if (!trn_joint_types[def->type]->has_carriers)
        trn_def_set_carriers(&placed, (trn_body){0, 0, 0}, (trn_body){0, 0, 0});
    trn_joint_def_fit(world, &placed);
    trn_def_set_carriers(&placed, trn_def_end(def, 2), trn_def_end(def, 3));
    status = trn_check_result(&check, "def.length", (double)placed.length);
    if (status == TR_OK)
        *def = placed;
    return status;
}
