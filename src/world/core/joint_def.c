/* Definitions of joints: checks, stored form, and reading from the tables. */
#include "world/core/joint_def.h"

#include "base/finite.h"

trn_joint_def trn_joint_cleaned(const trn_world *world, const trn_joint_def *def, double turn)
{
    const trn_joint_type_info *info = trn_joint_types[def->type];
    trn_joint_def out = *def;
    trn_joint_def_normalise(&out);
    if (info->complete != NULL) {
        trn_joint_pose pose;
        uint32_t rows[TR_ENDS];
        trn_joint_rows(world, def, rows);
        trn_joint_pose_get(&world->bodies, rows, &out, turn, &pose);
        info->complete(&out, &pose);
    }
    return out;
}

/* An anchor is used relative to the centre of mass, where it must still fit in a float. */
static tr_status check_anchor(const trn_check *check, const trn_world *world, const char *name, trn_body body,
                              trn_vec anchor)
{
    trn_vec center = trn_body_center(&world->bodies, trn_body_row(world, body));
    return trn_check_result(check, name, trn_extent(trn_narrow(trn_minus(trn_widen(anchor), trn_widen(center)))));
}

tr_status trn_joint_check_anchors(const trn_check *check, const trn_world *world, const trn_joint_def *def)
{
    tr_status status = check_anchor(check, world, "anchor_a from body_a's center", def->body_a, def->anchor_a);
    if (status == TR_OK)
        status = check_anchor(check, world, "anchor_b from body_b's center", def->body_b, def->anchor_b);
    return status;
}

/* checks a gear's carrier; the null id is the world */
static tr_status check_carrier(const trn_check *check, const trn_world *world, const char *name, trn_body carrier,
                               const char *body_name, trn_body body)
{
    if (carrier.index == 0)
        return TR_OK;
    tr_status status = trn_check_body(check, name, world, carrier);
    if (status == TR_OK && carrier.index == body.index)
        status = trn_check_fail(check, TR_ERROR_SELF_JOINT, name, "is %s (slot %u)", body_name, body.index - 1);
    return status;
}

tr_status trn_joint_check_carriers(const trn_check *check, const trn_world *world, const trn_joint_def *def)
{
    trn_body a = trn_def_end(def, 2), b = trn_def_end(def, 3);
    bool any = a.index != 0 || b.index != 0;
    if (any && !trn_joint_types[def->type]->has_carriers)
        return trn_check_fail(check, TR_ERROR_NO_PROPERTY, a.index != 0 ? "carrier_a" : "carrier_b",
                              "is set, but a %s joint does not have it", trn_joint_type_name(def->type));
    tr_status status = check_carrier(check, world, "carrier_a", a, "body_a", def->body_a);
    if (status == TR_OK)
        status = check_carrier(check, world, "carrier_b", b, "body_b", def->body_b);
    return status;
}

tr_status trn_joint_check_def(const trn_check *check, const trn_world *world, const trn_joint_def *def)
{
    tr_status status = trn_check_joint_def(check, def);
    if (status == TR_OK)
        status = trn_check_bodies(check, world, def->body_a, def->body_b);
    if (status == TR_OK)
        status = trn_joint_check_carriers(check, world, def);
    if (status == TR_OK)
        status = trn_joint_check_anchors(check, world, def);
    return status;
}

void trn_joint_begin_speed(trn_world *world, uint32_t slot)
{
    const trn_joint_type type = trn_joint_type_of(world, slot);
    const trn_joint_type_info *info = trn_joint_types[type];
    const trn_joints *joints = &world->joints[type];
    const uint32_t row = world->joint_pool.row[slot];
    if (!info->keeps_speed)
        return;
    trn_joint_def def;
    trn_joint_pose pose;
    double kept[3] = {0.0, 0.0, 0.0};
    trn_joint_read(world, type, row, &def);
    trn_joint_pose_read(world, type, row, &def, &pose);
    info->wind(&def, &pose);
    trn_pose_kept(&pose, kept);
    for (uint32_t i = 0, place = 0; i < info->impulse_count; i++)
        if (info->impulse_roles[i] == TR_ROLE_PLACE && joints->impulse[i] != NULL && place < 3)
            joints->impulse[i][row] = tr_finite_float(kept[place++]);
}

void trn_body_begin_speeds(trn_world *world, uint32_t body_slot)
{
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE; half = tr_plan_next(world->plan, half))
        trn_joint_begin_speed(world, tr_half_edge(half));
}

uint32_t trn_joint_kernel_of(const trn_joint_def *def)
{
    return trn_kernel_of(def->type, trn_joint_types[def->type]->is_featured(def));
}

/* flags that are no part of a definition */
#define KEPT_FLAGS (TR_JOINT_WAS_EXACT | TR_JOINT_STIFF | TR_JOINT_SPARE | TR_JOINT_RESTING)

void trn_joint_write_rest(trn_joints *joints, uint32_t row, const trn_joint_def *def)
{
    if (joints->flags != NULL)
        joints->flags[row] = (joints->flags[row] & KEPT_FLAGS) | (def->collide_connected ? TR_JOINT_COLLIDE : 0) |
                             (def->enabled ? 0 : TR_JOINT_DISABLED);
    if (joints->user_data != NULL)
        TR_TABLE_PUT(uint64_t, joints, user_data, row, def->user_data);
}

void trn_joint_write_turn(trn_joints *joints, uint32_t row, double turn)
{
    if (joints->turn != NULL)
        joints->turn[row] = turn;
}

void trn_joint_read_row(const trn_world *world, trn_joint_type type, trn_mask held, uint32_t row, trn_joint_def *out)
{
    const trn_joints *joints = &world->joints[type];
    out->body_a = trn_joint_body_of(world, joints->slot[row], 0);
    out->body_b = trn_joint_body_of(world, joints->slot[row], 1);
    trn_def_set_carriers(out, trn_joint_carrier(joints->carrier_a, row), trn_joint_carrier(joints->carrier_b, row));
    if (joints->flags != NULL) {
        out->collide_connected = (joints->flags[row] & TR_JOINT_COLLIDE) != 0;
        out->enabled = (joints->flags[row] & TR_JOINT_DISABLED) == 0;
    }
    trn_joint_row_get(joints, held, row, out);
    if (trn_is_rigid_cell((uint32_t)out->linear.kind))
        out->linear.kind = TR_RIGID;
    if (trn_is_rigid_cell((uint32_t)out->angular.kind))
        out->angular.kind = TR_RIGID;
}

void trn_joint_read(const trn_world *world, trn_joint_type type, uint32_t row, trn_joint_def *out)
{
    const trn_joints *joints = &world->joints[type];
    *out = trn_joint_def_default(type);
    trn_joint_read_row(world, type, trn_joint_fields_held(joints, type), row, out);
    if (joints->user_data != NULL)
        out->user_data = joints->user_data[row];
    const trn_watch *watch = trn_watches_find(&world->watches, joints->slot[row]);
    if (watch != NULL) {
        out->event_at = watch->event_at;
        out->break_at = watch->break_at;
    }
}
