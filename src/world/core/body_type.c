/* Bodies: what type they are, whether they are enabled, and what follows for their joints and contacts. */
#include "world/core/body.h"
#include "world/core/joint_def.h"
#include "world/core/joint_share.h"

/*
 * Joints
 */

/* clears the impulses of a joint that is not solved, and thereby its reaction; a coordinate kept among them stays */
static void drop_impulses(trn_world *world, uint32_t slot)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count; i++) {
        /* the places of contacts are those of impulses that go with them */
        if (type == TR_CONTACT || trn_joint_types[type]->impulse_roles[i] != TR_ROLE_PLACE)
            trn_joint_drop_impulse(&world->joints[type], i, world->joint_pool.row[slot]);
    }
}

/* joints between fixed bodies are not solved */
static void drop_unsolved_impulses(trn_world *world, uint32_t body_slot)
{
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        if (tr_plan_color(world->plan, tr_half_edge(half)) == TR_NONE)
            drop_impulses(world, tr_half_edge(half));
    }
}

bool trn_joints_rest_reserve(trn_world *world, uint32_t body_slot)
{
    bool ok = true;
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE && ok;
         half = tr_plan_next(world->plan, half)) {
        trn_joint_type type = trn_joint_type_of(world, tr_half_edge(half));
        ok = world->joints[type].flags != NULL || trn_joints_hold_flags(&world->joints[type], type);
    }
    return ok;
}

void trn_joint_rest(trn_world *world, uint32_t slot)
{
    const trn_joints *joints = &world->joints[trn_joint_type_of(world, slot)];
    bool rests = false;
    for (uint32_t end = 0; end < tr_plan_end_count(world->plan, slot); end++)
        rests = rests || trn_body_is_disabled(world, world->body_pool.row[tr_plan_end(world->plan, slot, end)]);
    if (joints->flags == NULL)
        return;
    uint32_t *flags = &joints->flags[world->joint_pool.row[slot]];
    if (rests == ((*flags & TR_JOINT_RESTING) != 0))
        return;
    *flags ^= TR_JOINT_RESTING;
    trn_joint_weigh(world, slot, *flags ^ TR_JOINT_RESTING);
    drop_impulses(world, slot);
    if (!rests)
        trn_joint_begin_speed(world, slot);
}

/*
 * Types
 */
tr_status trn_body_replan(trn_world *world, const trn_check *check, trn_body id, tr_body_type type, bool enabled)
{
    uint32_t row = trn_body_row(world, id);
    bool dynamic = trn_body_is_dynamic(&world->bodies, row);
    tr_body_type was = dynamic ? TR_DYNAMIC : (tr_body_type)world->bodies.type[row];
    if (!enabled && !trn_joints_rest_reserve(world, id.index - 1))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for joints that rest");
    type = enabled ? type : TR_STATIC;
    bool moves = type == TR_DYNAMIC;
    /* the plan knows which bodies joints can move; the solver also needs to know which move at all */
    if ((was == TR_DYNAMIC) == moves) {
        if (was != type)
            tr_plan_touch(world->plan);
        return TR_OK;
    }
    tr_status status = tr_plan_set_moving(world->plan, id.index - 1, moves);
    if (status != TR_OK)
        return trn_check_fail(check, status, "type", "cannot change: no memory to plan the body's joints anew");
    drop_unsolved_impulses(world, id.index - 1);
    return TR_OK;
}

/* lets a body's joints rest or act; the application's contacts with a disabled one are gone, as with a destroyed one */
static void rest_joints(trn_world *world, uint32_t body_slot)
{
    bool disabled = trn_body_is_disabled(world, world->body_pool.row[body_slot]);
    for (uint32_t next, half = tr_plan_first(world->plan, body_slot); half != TR_NONE; half = next) {
        uint32_t slot = tr_half_edge(half);
        next = tr_plan_next(world->plan, half);
        if (trn_joint_type_of(world, slot) != TR_CONTACT)
            trn_joint_rest(world, slot);
        else if (disabled && trn_contact_is_given(world, world->joint_pool.row[slot]))
            trn_joint_remove(world, slot);
    }
}

void trn_body_settle_type(trn_world *world, trn_body id, tr_body_type was, bool was_enabled)
{
    uint32_t row = trn_body_row(world, id);
    if (was_enabled == trn_body_is_disabled(world, row))
        rest_joints(world, id.index - 1);
    if ((was == TR_DYNAMIC) != (trn_body_type_of(&world->bodies, row) == TR_DYNAMIC))
        trn_joint_share_renew(world, id.index - 1);
    trn_body_begin_speeds(world, id.index - 1);
    if (world->bodies.type[row] != TR_DYNAMIC)
        trn_sleep_drop(world, id.index - 1);
    trn_shapes_touch(world, id.index - 1);
}

static tr_status set_type(trn_world *world, const trn_check *check, trn_body id, tr_body_type type, bool enabled)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    tr_body_type was = trn_body_type_of(bodies, row);
    bool was_enabled = !trn_body_is_disabled(world, row);
    tr_status status = type == TR_STATIC ? TR_OK : trn_shapes_check_due(check, world, id.index - 1);
    if (status == TR_OK && type == TR_DYNAMIC)
        status = trn_check_positive(check, "mass", (double)trn_shapes_weight(world, id.index - 1).mass);
    if (status == TR_OK)
        status = trn_body_replan(world, check, id, type, enabled);
    if (status != TR_OK)
        return status;
    trn_sleep_disturb(world, id.index - 1);
    row = trn_body_row(world, id);
    if (type != TR_STATIC)
        trn_shapes_weigh(world, id.index - 1);
    trn_body_write_type(bodies, row, type, enabled);
    trn_body_settle_type(world, id, was, was_enabled);
    return TR_OK;
}

tr_status trn_do_body_set_type(trn_world *world, trn_body id, tr_body_type type)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_type", world, id);
    if (status == TR_OK && (uint32_t)type > TR_DYNAMIC)
        status = trn_check_fail(&check, TR_ERROR_RANGE, "type", "is %d, no type of body", (int)type);
    if (status != TR_OK)
        return status;
    return set_type(world, &check, id, type, !trn_body_is_disabled(world, trn_body_row(world, id)));
}

tr_status trn_do_body_set_enabled(trn_world *world, trn_body id, bool enabled)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_enabled", world, id);
    if (status != TR_OK || enabled != trn_body_is_disabled(world, trn_body_row(world, id)))
        return status;
    return set_type(world, &check, id, trn_body_type_of(&world->bodies, trn_body_row(world, id)), enabled);
}
