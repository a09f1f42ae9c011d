/* Joints: creation and destruction. */
#include "world/core/joint_def.h"
#include "world/core/joint_share.h"

/*
 * Creation
 */
static tr_status check_defs(const trn_world *world, trn_check *check, const trn_joint_def *defs, uint32_t count)
{
    check->subject = "defs";
    tr_status status = trn_check_pointer(check, "", defs);
    if (status == TR_OK)
        status = trn_check_room(check, &world->joint_pool, count, TR_JOINT_BITS);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check->index = i;
        status = trn_joint_check_def(check, world, &defs[i]);
    }
    return status;
}

/* a batch plus some spare room, so that joints created one by one afterwards seldom move the table */
static uint32_t with_spare(uint32_t count)
{
    return count + count / 256;
}

static bool reserve_tables(trn_world *world, const trn_joint_def *defs, uint32_t count)
{
    uint32_t more[TRN_JOINT_TYPE_COUNT] = {0};
    for (uint32_t i = 0; i < count; i++)
        more[defs[i].type]++;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        trn_joints *joints = &world->joints[type];
        if (joints->table.count + more[type] <= joints->table.capacity)
            continue;
        bool ok = tr_table_reserve(&joints->table, joints->table.count + with_spare(more[type]));
        trn_joints_refresh(joints, (trn_joint_type)type);
        if (!ok)
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        trn_joints *joints = &world->joints[defs[i].type];
        double turn = trn_joint_turn_of(world, &defs[i]);
        /* normalisation may change an axis, so the stored one decides which columns are needed */
        bool cleans = (joints->left_out & TRN_NORMALISED) != 0;
        trn_joint_def clean;
        if (cleans)
            clean = trn_joint_cleaned(world, &defs[i], turn);
        if (!trn_joints_hold(joints, cleans ? &clean : &defs[i], turn))
            return false;
    }
    for (uint32_t i = 0; i < count && world->bodies.disabled > 0; i++) {
        if (!trn_joints_hold_flags(&world->joints[defs[i].type], defs[i].type))
            return false;
    }
    return true;
}

static uint32_t count_watched(const trn_joint_def *defs, uint32_t count)
{
    uint32_t watched = 0;
    for (uint32_t i = 0; i < count; i++)
        watched += trn_is_watched(&defs[i].event_at, &defs[i].break_at);
    return watched;
}

/* a joint's distinct bodies as ends of its edge: A, B, then carriers */
static uint32_t ends_of(const trn_joint_def *def, uint32_t ends[TR_ENDS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TR_ENDS; i++) {
        trn_body body = trn_def_end(def, i);
        bool known = body.index == 0;
        for (uint32_t end = 0; end < count; end++)
            known = known || ends[end] == body.index - 1;
        if (!known)
            ends[count++] = body.index - 1;
    }
    return count;
}

/* reserves what joints beside others need, of the new ones whose edges are in the plan; whether there are any */
static bool reserve_shares(trn_world *world, uint32_t count, bool *shared)
{
    const tr_pool *pool = &world->joint_pool;
    bool ok = true;
    *shared = false;
    for (uint32_t i = 0, slot = tr_pool_coming(pool); i < count && ok; i++, slot = tr_pool_coming_after(pool, slot)) {
        if (!trn_joint_is_newest_beside(world, slot))
            continue;
        *shared = true;
        ok = trn_joint_share_reserve(world, slot);
    }
    return ok;
}

/* reserves memory for the commit and the plan's edges; after a failure only capacities have changed */
static bool reserve_joints(trn_world *world, const trn_joint_def *defs, uint32_t count, bool *shared)
{
    tr_pool *pool = &world->joint_pool;
    if (!tr_pool_reserve(pool, with_spare(count)) || tr_plan_reserve(world->plan, 0, pool->capacity) != TR_OK ||
        !reserve_tables(world, defs, count) ||
        !trn_watches_reserve(&world->watches, &world->memory, count_watched(defs, count), pool->capacity))
        return false;
    uint32_t done = 0, churn = tr_plan_churn(world->plan);
    for (uint32_t slot = tr_pool_coming(pool); done < count; slot = tr_pool_coming_after(pool, slot), done++) {
        uint32_t ends[TR_ENDS], end_count = ends_of(&defs[done], ends);
        if (tr_plan_add_hyperedge(world->plan, slot, ends, end_count, trn_joint_kernel_of(&defs[done])) != TR_OK)
            break;
    }
    if (done == count && reserve_shares(world, count, shared))
        return true;
    for (uint32_t slot = tr_pool_coming(pool); done-- > 0; slot = tr_pool_coming_after(pool, slot))
        tr_plan_remove_edge(world->plan, slot);
    for (uint32_t i = 0; i < count; i++)
        trn_joint_share_settle(world, defs[i].body_a.index - 1, defs[i].body_b.index - 1);
    tr_plan_set_churn(world->plan, churn);
    return false;
}

trn_joint trn_joint_id_of(const trn_world *world, uint32_t slot)
{
    return (trn_joint){slot + 1, world->tag, world->joint_pool.generation[slot]};
}

trn_body trn_joint_body_of(const trn_world *world, uint32_t slot, uint32_t end)
{
    uint32_t body = tr_plan_end(world->plan, slot, end);
    return (trn_body){body + 1, world->tag, world->body_pool.generation[body]};
}

static trn_joint commit_joint(trn_world *world, const trn_joint_def *def)
{
    double turn = trn_joint_turn_of(world, def);
    trn_joint_def clean = trn_joint_cleaned(world, def, turn);
    trn_joints *joints = &world->joints[def->type];
    uint32_t row = tr_table_append(&joints->table);
    uint32_t slot = tr_pool_take(&world->joint_pool, row);
    trn_joint id = trn_joint_id_of(world, slot);
    TR_TABLE_PUT(uint32_t, joints, slot, row, slot);
    if (joints->id != NULL)
        TR_TABLE_PUT(trn_joint, joints, id, row, id);
    if (joints->body_a != NULL)
        TR_TABLE_PUT(trn_body, joints, body_a, row, def->body_a);
    if (joints->body_b != NULL)
        TR_TABLE_PUT(trn_body, joints, body_b, row, def->body_b);
    if (joints->carrier_a != NULL) {
        TR_TABLE_PUT(trn_body, joints, carrier_a, row, trn_def_end(def, 2));
        TR_TABLE_PUT(trn_body, joints, carrier_b, row, trn_def_end(def, 3));
    }
    trn_joint_write_turn(joints, row, turn);
    /* clear flags left in the row by another joint */
    if (joints->flags != NULL)
        joints->flags[row] = 0;
    trn_joint_write_rest(joints, row, &clean);
    if (world->bodies.disabled > 0)
        trn_joint_rest(world, slot);
    trn_joint_row_set(joints, def->type, row, &clean);
    trn_joint_begin_speed(world, slot);
    trn_watches_set(&world->watches, slot, &def->event_at, &def->break_at);
    if (!def->collide_connected)
        trn_joint_touch(world, def->body_a, def->body_b);
    return id;
}

/* of the joints that each table has got since */
static void write_shares(trn_world *world, const uint32_t before[TRN_JOINT_TYPE_COUNT], uint32_t count)
{
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        const trn_joints *joints = &world->joints[type];
        for (uint32_t row = before[type]; row < joints->table.count; row++) {
            if (trn_joint_is_newest_beside(world, joints->slot[row]))
                trn_joint_share_write(world, joints->slot[row], count > 1);
        }
    }
}

static tr_status create_joints(trn_world *world, trn_check *check, const trn_joint_def *defs, uint32_t count,
                               trn_joint *ids)
{
    bool shared;
    if (!reserve_joints(world, defs, count, &shared)) {
        check->subject = "";
        check->index = TR_NONE;
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for %u joints", count);
    }
    uint32_t before[TRN_JOINT_TYPE_COUNT];
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++)
        before[type] = world->joints[type].table.count;
    for (uint32_t i = 0; i < count; i++) {
        trn_joint id = commit_joint(world, &defs[i]);
        if (ids != NULL)
            ids[i] = id;
    }
    if (shared)
        write_shares(world, before, count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t end = 0; end < TR_ENDS; end++) {
            trn_body body = trn_def_end(&defs[i], end);
            if (body.index != 0)
                trn_sleep_rouse(world, body.index - 1);
        }
    }
    return TR_OK;
}

tr_status trn_do_world_create_joints(trn_world *world, const trn_joint_def *defs, uint32_t count, trn_joint *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "create_joints", "");
    tr_status status = check_defs(world, &check, defs, count);
    return status != TR_OK ? status : create_joints(world, &check, defs, count, ids);
}

tr_status trn_do_world_create_joint(trn_world *world, const trn_joint_def *def, trn_joint *id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "create_joint", "def");
    tr_status status = trn_check_pointer(&check, "", def);
    if (status == TR_OK)
        status = trn_check_room(&check, &world->joint_pool, 1, TR_JOINT_BITS);
    if (status == TR_OK)
        status = trn_joint_check_def(&check, world, def);
    return status != TR_OK ? status : create_joints(world, &check, def, 1, id);
}

/*
 * Destruction
 */
void trn_joint_remove(trn_world *world, uint32_t slot)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    trn_sleep_rouse_joint(world, slot);
    trn_joint_share_leave(world, slot);
    tr_plan_remove_edge(world->plan, slot);
    trn_watches_remove(&world->watches, slot);
    trn_joint_drop(world, slot, type);
}

void trn_joint_touch(trn_world *world, trn_body body_a, trn_body body_b)
{
    /* one of the two bodies is enough for each pair of shapes; prefer the moving one, because a fixed body may have
       very many */
    bool moves = trn_body_is_dynamic(&world->bodies, trn_body_row(world, body_b));
    trn_shapes_touch(world, (moves ? body_b : body_a).index - 1);
}

void trn_joint_drop(trn_world *world, uint32_t slot, trn_joint_type type)
{
    trn_joints *joints = &world->joints[type];
    if (type == TR_CONTACT)
        trn_rouse_contact(world, slot);
    uint32_t row = world->joint_pool.row[slot];
    if (type == TR_CONTACT)
        trn_contact_forget(world, row);
    else if (!trn_joint_collides(joints, row))
        trn_joint_touch(world, trn_joint_body_of(world, slot, 0), trn_joint_body_of(world, slot, 1));
    /* the last row moves into this one */
    uint32_t last = joints->slot[joints->table.count - 1];
    tr_table_remove(&joints->table, row);
    if (type == TR_CONTACT)
        trn_rest_trim(world);
    if (last != slot)
        tr_plan_touch_edge(world->plan, last);
    tr_pool_set_row(&world->joint_pool, last, row);
    if (type == TR_CONTACT)
        tr_pool_give_unnamed(&world->joint_pool, slot);
    else
        tr_pool_give(&world->joint_pool, slot);
}

/* checks that each id occurs once: visited joints are marked in the pool's rows, which needs no memory */
static tr_status check_ids(trn_world *world, trn_check *check, const trn_joint *ids, uint32_t count)
{
    tr_status status = TR_OK;
    uint32_t marked = 0;
    tr_pool *pool = &world->joint_pool;
    for (; marked < count; marked++) {
        check->index = marked;
        status = trn_check_joint(check, "", world, ids[marked]);
        if (status == TR_OK && (pool->row[ids[marked].index - 1] & TR_ROW_MARKED) != 0)
            status = trn_check_fail(check, TR_ERROR_STALE_ID, "", "names a joint that the list has already");
        if (status != TR_OK)
            break;
        tr_pool_set_row(pool, ids[marked].index - 1, pool->row[ids[marked].index - 1] | TR_ROW_MARKED);
    }
    for (uint32_t i = 0; i < marked; i++)
        tr_pool_set_row(pool, ids[i].index - 1, pool->row[ids[i].index - 1] & ~TR_ROW_MARKED);
    return status;
}

tr_status trn_do_world_destroy_joints(trn_world *world, const trn_joint *ids, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "destroy_joints", "ids");
    tr_status status = trn_check_pointer(&check, "", ids);
    if (status == TR_OK)
        status = check_ids(world, &check, ids, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        trn_joint_remove(world, ids[i].index - 1);
    return status;
}

tr_status trn_do_world_destroy_joint(trn_world *world, trn_joint id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "destroy_joint", "id");
    tr_status status = trn_check_joint(&check, "", world, id);
    if (status == TR_OK)
        trn_joint_remove(world, id.index - 1);
    return status;
}

bool trn_joint_is_valid(const trn_world *world, trn_joint id)
{
    trn_check silent = TR_CHECK_SILENT;
    return world != NULL && trn_check_joint(&silent, "", world, id) == TR_OK;
}
