/* Existing joints: reading and writing complete definitions or single numbers. */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "world/core/joint_def.h"
#include "world/core/joint_share.h"

static trn_joint_type type_of(const trn_world *world, trn_joint id)
{
    return trn_joint_type_of(world, id.index - 1);
}

/* the common start of these calls: checks world and id */
static tr_status begin(const trn_world *world, trn_check *check, const char *call, trn_joint id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = trn_check_of(world, call, "");
    return trn_check_joint(check, "id", world, id);
}

/* what whole turns since the joint was made have added to `offset`, of a definition of its type */
static double turned(const trn_world *world, uint32_t row, const trn_joint_def *def)
{
    const trn_joint_type_info *info = trn_joint_types[def->type];
    trn_joint_pose pose;
    if (info->turned == NULL)
        return 0.0;
    trn_joint_pose_read(world, def->type, row, def, &pose);
    return info->turned(def, &pose);
}

/* the definition that would make the joint as it is: a new one has not turned yet */
static trn_joint_def read(const trn_world *world, trn_joint id)
{
    trn_joint_def def;
    const uint32_t row = world->joint_pool.row[id.index - 1];
    trn_joint_read(world, type_of(world, id), row, &def);
    if (trn_joint_types[def.type]->turned != NULL)
        def.offset -= turned(world, row, &def);
    return def;
}

/* the same for a definition that becomes that of a joint, which has turned; an offset that it has already stays */
static void add_turns(const trn_world *world, trn_joint id, uint32_t row, trn_joint_def *def)
{
    const trn_joint_def now = read(world, id);
    trn_joint_def stored;
    trn_joint_read(world, def->type, row, &stored);
    const double before = turned(world, row, &stored), after = turned(world, row, def);
    def->offset = def->offset == now.offset && before == after ? stored.offset : def->offset + after;
}

tr_status trn_joint_get(const trn_world *world, trn_joint id, trn_joint_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_get", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = trn_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        *out = read(world, id);
    return status;
}

/* Clears the impulses of features that are off, so that they are neither warm-started nor reported. A coordinate that
   is kept among them stays. */
static void drop_idle_impulses(trn_joints *joints, uint32_t row, const trn_joint_def *def)
{
    const trn_joint_type_info *info = trn_joint_types[def->type];
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        if (info->impulse_roles[i] == TR_ROLE_PLACE)
            continue;
        const bool further = info->features_at > 0 && i >= info->features_at;
        const uint32_t apart = info->features_apart > 0 ? info->features_apart : TR_FEATURE_IMPULSES;
        const trn_uses uses = further ? trn_def_uses(def, (i - info->features_at) / apart) : trn_def_uses_first(def);
        const bool on[] = {[TR_ROLE_ROW] = true,
                           [TR_ROLE_SPRING] = uses.spring,
                           [TR_ROLE_MOTOR] = uses.motor,
                           [TR_ROLE_LIMIT] = uses.limit,
                           [TR_ROLE_FRICTION] = uses.friction};
        if (!def->enabled || !on[info->impulse_roles[i]])
            trn_joint_drop_impulse(joints, i, row);
    }
}

static bool has_new_anchors(const trn_joints *joints, uint32_t row, const trn_joint_def *def)
{
    bool changed = false;
    for (trn_mask left = trn_joint_types[def->type]->fields & TRN_GROUP_ANCHORS; left != 0; left &= left - 1) {
        trn_field field = (trn_field)trn_mask_first(left);
        uint32_t bits[2] = {trn_joint_cell(joints, field, row), trn_field_read(def, field)};
        float anchor[2];
        memcpy(anchor, bits, sizeof anchor);
        changed = changed || anchor[0] != anchor[1];
    }
    return changed;
}

/* whether the definition changes what the joint's bodies carry by it, but for its anchors: trn_system.loads */
static bool has_new_load(const trn_joints *joints, uint32_t row, const trn_joint_def *def)
{
    bool was_rigid = trn_is_rigid_cell(trn_joint_cell(joints, TRN_FIELD_LINEAR_KIND, row));
    bool changed = trn_joint_has(def->type, TRN_FIELD_LINEAR_KIND) &&
                   was_rigid != trn_is_rigid_cell(trn_field_read(def, TRN_FIELD_LINEAR_KIND));
    for (trn_mask left = trn_joint_types[def->type]->fields & TRN_LOADING; left != 0; left &= left - 1) {
        trn_field field = (trn_field)trn_mask_first(left);
        changed = changed || trn_joint_cell(joints, field, row) != trn_field_read(def, field);
    }
    return changed;
}

/* Anchors, masses and what is rigid decide which joints are solved exactly. One end is enough to notify both: use the one
   with fewer joints. */
static void weigh_ends(trn_world *world, uint32_t edge)
{
    uint32_t a = tr_plan_end(world->plan, edge, 0), b = tr_plan_end(world->plan, edge, 1);
    tr_plan_touch_vertex(world->plan, tr_plan_degree(world->plan, a) < tr_plan_degree(world->plan, b) ? a : b);
}

void trn_joint_weigh(trn_world *world, uint32_t slot, uint32_t before)
{
    const uint32_t *flags = world->joints[trn_joint_type_of(world, slot)].flags;
    uint32_t now = flags != NULL ? flags[world->joint_pool.row[slot]] : 0;
    if (((before & TR_JOINT_OFF) == 0) == ((now & TR_JOINT_OFF) == 0))
        return;
    bool fixed = false;
    for (uint32_t end = 0; end < 2; end++)
        fixed = fixed || world->bodies.type[world->body_pool.row[tr_plan_end(world->plan, slot, end)]] != TR_DYNAMIC;
    if (fixed)
        weigh_ends(world, slot);
    world->loads++;
}

/* writes a checked definition to an existing joint; steps that can fail come first */
static tr_status replace(trn_world *world, const trn_check *check, trn_joint id, const trn_joint_def *def)
{
    trn_joints *joints = &world->joints[def->type];
    uint32_t row = world->joint_pool.row[id.index - 1];
    double turn = trn_joint_turn(world, def->type, row);
    trn_joint_def clean = trn_joint_cleaned(world, def, turn);
    if (trn_joint_types[def->type]->turned != NULL)
        add_turns(world, id, row, &clean);
    if (trn_joint_has_new_ratio(joints, row, def))
        turn = trn_joint_turn_of(world, def);
    if (!trn_joints_hold(joints, &clean, turn))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "cannot change: no memory for its numbers");
    if (!trn_watch_reserve(world, id.index - 1, &def->event_at, &def->break_at))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "cannot change: no memory for thresholds");
    bool beside = trn_joint_is_beside(world, id.index - 1);
    uint32_t kernel = beside ? trn_kernel_of(def->type, true) : trn_joint_kernel_of(&clean);
    tr_status status = tr_plan_set_kind(world->plan, id.index - 1, kernel);
    if (status != TR_OK)
        return trn_check_fail(check, status, "", "cannot change: no memory to plan the joint anew");
    if (trn_joint_collides(joints, row) != def->collide_connected)
        trn_joint_touch(world, def->body_a, def->body_b);
    const bool loads = has_new_anchors(joints, row, &clean) || has_new_load(joints, row, &clean);
    world->loads += loads;
    uint32_t flags = joints->flags != NULL ? joints->flags[row] : 0;
    trn_joint_write_turn(joints, row, turn);
    trn_joint_write_rest(joints, row, &clean);
    trn_joint_row_set(joints, def->type, row, &clean);
    if (beside)
        trn_joint_share_write(world, id.index - 1, false);
    if (loads)
        weigh_ends(world, id.index - 1);
    trn_joint_weigh(world, id.index - 1, flags);
    drop_idle_impulses(joints, row, &clean);
    if ((flags & TR_JOINT_DISABLED) != 0 && def->enabled)
        trn_joint_begin_speed(world, id.index - 1);
    trn_watches_set(&world->watches, id.index - 1, &def->event_at, &def->break_at);
    trn_sleep_rouse_joint(world, id.index - 1);
    return TR_OK;
}

tr_status trn_do_joint_set(trn_world *world, trn_joint id, const trn_joint_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_set", "");
    tr_status status = trn_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = trn_check_joint(&check, "id", world, id);
    check.subject = "def";
    if (status == TR_OK)
        status = trn_joint_check_def(&check, world, def);
    if (status != TR_OK)
        return status;

    const trn_joints *joints = &world->joints[type_of(world, id)];
    uint32_t row = world->joint_pool.row[id.index - 1];
    if (def->type != type_of(world, id))
        return trn_check_fail(&check, TR_ERROR_RANGE, "type", "is %s, but the joint is %s",
                              trn_joint_type_name(def->type), trn_joint_type_name(type_of(world, id)));
    if (!trn_is_same_body(def->body_a, trn_joint_body_of(world, id.index - 1, 0)))
        return trn_check_fail(&check, TR_ERROR_RANGE, "body_a", "is not the joint's");
    if (!trn_is_same_body(def->body_b, trn_joint_body_of(world, id.index - 1, 1)))
        return trn_check_fail(&check, TR_ERROR_RANGE, "body_b", "is not the joint's");
    if (!trn_is_same_body(trn_def_end(def, 2), trn_joint_carrier(joints->carrier_a, row)))
        return trn_check_fail(&check, TR_ERROR_RANGE, "carrier_a", "is not the joint's");
    if (!trn_is_same_body(trn_def_end(def, 3), trn_joint_carrier(joints->carrier_b, row)))
        return trn_check_fail(&check, TR_ERROR_RANGE, "carrier_b", "is not the joint's");
    return replace(world, &check, id, def);
}

/*
 * Single numbers
 */

/* converts a number to the bits of its column: booleans are 0 or 1, kinds an enumerator */
static tr_status check_value(const trn_check *check, trn_field field, float value, uint32_t *bits)
{
    const trn_field_info *info = &trn_field_infos[field];
    tr_status status = trn_check_finite(check, info->name, (double)value);
    if (status != TR_OK)
        return status;
    if (info->kind != TR_KIND_BOOL && info->kind != TR_KIND_KIND) {
        memcpy(bits, &value, sizeof *bits);
        return trn_check_field(check, field, *bits);
    }
    float highest = info->kind == TR_KIND_BOOL ? 1.0f : (float)TR_RAW;
    if (!(value >= 0.0f && value <= highest && value == rintf(value)))
        return trn_check_fail(check, TR_ERROR_RANGE, info->name, "is %s, must be a whole number from 0 to %g",
                              tr_number((double)value).text, (double)highest);
    *bits = (uint32_t)value;
    return TR_OK;
}

static tr_status check_has(const trn_check *check, const trn_world *world, trn_joint id, trn_field field)
{
    if ((uint32_t)field >= TRN_FIELD_COUNT)
        return trn_check_fail(check, TR_ERROR_RANGE, "field", "is %d, no field of a joint", (int)field);
    trn_joint_type type = type_of(world, id);
    if (!trn_joint_type_has(type, field))
        return trn_check_fail(check, TR_ERROR_NO_PROPERTY, "", "a %s joint has no %s", trn_joint_type_name(type),
                              trn_field_name(field));
    return TR_OK;
}

tr_status trn_do_joint_set_value(trn_world *world, trn_joint id, trn_field field, float value)
{
    trn_check check;
    tr_status status = begin(world, &check, "joint_set_value", id);
    if (status != TR_OK)
        return status;
    status = check_has(&check, world, id, field);
    if (status != TR_OK)
        return status;

    /* the other numbers are valid, but some must be consistent with this one */
    uint32_t bits = 0;
    status = check_value(&check, field, value, &bits);
    if (status != TR_OK)
        return status;
    trn_joint_def def = read(world, id);
    trn_field_write(&def, field, bits);
    status = trn_check_joint_whole(&check, &def);
    if (status == TR_OK && (TR_BIT(field) & TRN_GROUP_ANCHORS) != 0)
        status = trn_joint_check_anchors(&check, world, &def);
    return status != TR_OK ? status : replace(world, &check, id, &def);
}

tr_status trn_joint_get_value(const trn_world *world, trn_joint id, trn_field field, float *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_get_value", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = trn_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        status = check_has(&check, world, id, field);
    if (status != TR_OK)
        return status;
    trn_joint_def def = read(world, id);
    uint32_t bits = trn_field_read(&def, field);
    trn_field_kind kind = trn_field_infos[field].kind;
    if (kind == TR_KIND_BOOL || kind == TR_KIND_KIND)
        *out = (float)bits;
    else if (kind == TR_KIND_DOUBLE)
        *out = tr_finite_float(trn_field_read_double(&def, field));
    else
        memcpy(out, &bits, sizeof *out);
    return TR_OK;
}

tr_status trn_do_joint_set_collide_connected(trn_world *world, trn_joint id, bool collide)
{
    trn_check check;
    tr_status status = begin(world, &check, "joint_set_collide_connected", id);
    if (status != TR_OK)
        return status;
    trn_joint_def def = read(world, id);
    def.collide_connected = collide;
    return replace(world, &check, id, &def);
}

tr_status trn_do_joint_set_enabled(trn_world *world, trn_joint id, bool enabled)
{
    trn_check check;
    tr_status status = begin(world, &check, "joint_set_enabled", id);
    if (status != TR_OK)
        return status;
    trn_joint_def def = read(world, id);
    def.enabled = enabled;
    return replace(world, &check, id, &def);
}

tr_status trn_do_joint_set_user_data(trn_world *world, trn_joint id, uint64_t user_data)
{
    trn_check check;
    tr_status status = begin(world, &check, "joint_set_user_data", id);
    if (status != TR_OK)
        return status;
    trn_joints *joints = &world->joints[type_of(world, id)];
    uint32_t row = world->joint_pool.row[id.index - 1];
    trn_joint_def def = read(world, id);
    def.user_data = user_data;
    if (!trn_joints_hold(joints, &def, 0))
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for user data");
    trn_joint_write_rest(joints, row, &def);
    return TR_OK;
}
