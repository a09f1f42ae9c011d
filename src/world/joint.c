/* Joints: creation and destruction, and their definitions as a whole and number by number. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "world/check.h"

/*
 * Definitions
 */

/*
 * The axis at length 1. One that is so already, to the rounding of its two numbers, stays as it is: a definition that
 * was read from a joint must give the same joint again.
 */
static tr_vec2 normalise(tr_vec2 axis)
{
    double x = (double)axis.x;
    double y = (double)axis.y;
    double square = x * x + y * y;
    if (fabs(square - 1.0) <= 2.4e-7)
        return axis;
    double length = sqrt(square);
    tr_vec2 out = {(float)(x / length), (float)(y / length)};
    return out;
}

/* a checked definition as it is kept; `turn` is that of the joint */
static tr2_joint_def cleaned(const tr2_world *world, const tr2_joint_def *def, int32_t turn)
{
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    tr2_joint_def out = *def;
    if ((info->fields & TR2_GROUP_AXIS) != 0)
        out.axis = normalise(def->axis);
    if ((info->fields & TR2_GROUP_AXIS_B) != 0)
        out.axis_b = normalise(def->axis_b);
    if (info->complete != NULL) {
        tr2_joint_pose pose;
        uint32_t rows[TR_ENDS];
        tr2_joint_rows(world, def, rows);
        tr2_joint_pose_get(&world->bodies, rows, &out, turn, &pose);
        info->complete(&out, &pose);
    }
    return out;
}

/* An anchor is used from the centre of mass, where it may leave the floats. */
static tr_status check_anchor(const tr2_check *check, const tr2_world *world, const char *name, tr2_body body,
                              tr_vec2 anchor)
{
    uint32_t row = tr2_body_row(world, body);
    tr_vec2 center = tr2_body_center(&world->bodies, row);
    float x = anchor.x - center.x;
    float y = anchor.y - center.y;
    tr_status status = tr2_check_result(check, name, (double)x);
    return status != TR_OK ? status : tr2_check_result(check, name, (double)y);
}

/* whole turns of B that bring the relative angle into -pi .. pi */
static double turns_of(const tr2_world *world, const tr2_joint_def *def)
{
    const tr2_bodies *bodies = &world->bodies;
    double angle = bodies->angle[tr2_body_row(world, def->body_b)] -
                   (double)def->ratio * bodies->angle[tr2_body_row(world, def->body_a)] - (double)def->reference_angle;
    return rint(angle / TR_TURN);
}

static tr_status check_anchors(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def)
{
    tr_status status = check_anchor(check, world, "anchor_a from body_a's center", def->body_a, def->anchor_a);
    if (status == TR_OK)
        status = check_anchor(check, world, "anchor_b from body_b's center", def->body_b, def->anchor_b);
    return status;
}

/* a body that another's coordinate is counted against; the null id is the world */
static tr_status check_carrier(const tr2_check *check, const tr2_world *world, const char *name, tr2_body carrier,
                               const char *body_name, tr2_body body)
{
    if (carrier.index == 0)
        return TR_OK;
    tr_status status = tr2_check_body(check, name, world, carrier);
    if (status == TR_OK && carrier.index == body.index)
        status = tr2_check_fail(check, TR_ERROR_SELF_JOINT, name, "is %s (slot %u)", body_name, body.index - 1);
    return status;
}

static tr_status check_carriers(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def)
{
    bool any = def->carrier_a.index != 0 || def->carrier_b.index != 0;
    if (any && !tr2_joint_types[def->type]->has_carriers)
        return tr2_check_fail(check, TR_ERROR_NO_PROPERTY, def->carrier_a.index != 0 ? "carrier_a" : "carrier_b",
                              "is set, but a %s joint does not have it", tr2_joint_type_name(def->type));
    tr_status status = check_carrier(check, world, "carrier_a", def->carrier_a, "body_a", def->body_a);
    if (status == TR_OK)
        status = check_carrier(check, world, "carrier_b", def->carrier_b, "body_b", def->body_b);
    return status;
}

/* numbers, bodies, and what follows from both */
static tr_status check_def(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def)
{
    tr_status status = tr2_check_joint_def(check, def);
    if (status == TR_OK)
        status = tr2_check_bodies(check, world, def->body_a, def->body_b);
    if (status == TR_OK)
        status = check_carriers(check, world, def);
    if (status == TR_OK)
        status = check_anchors(check, world, def);
    return status;
}

static int32_t turn_of(const tr2_world *world, const tr2_joint_def *def)
{
    return tr2_joint_types[def->type]->has_angle ? (int32_t)turns_of(world, def) : 0;
}

/* only at creation and with a new ratio: otherwise the turns are kept */
static tr_status check_turns(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def)
{
    if (tr2_joint_types[def->type]->has_angle && fabs(turns_of(world, def)) > (double)INT32_MAX)
        return tr2_check_fail(check, TR_ERROR_RANGE, "reference_angle", "is %g rad, too many turns from the bodies'",
                              (double)def->reference_angle);
    return TR_OK;
}

static uint32_t kernel_of(const tr2_joint_def *def)
{
    return tr2_kernel_of(def->type, tr2_joint_types[def->type]->is_featured(def));
}

/* what is no field; columns that are left out have it already. What the solver has marked stays: its own to take away. */
static void write_rest(tr2_joints *joints, uint32_t row, const tr2_joint_def *def)
{
    if (joints->flags != NULL)
        joints->flags[row] = (joints->flags[row] & (TR2_JOINT_DIRECT | TR2_JOINT_STIFF)) |
                             (def->collide_connected ? TR2_JOINT_COLLIDE : 0) | (def->enabled ? 0 : TR2_JOINT_DISABLED);
    if (joints->user_data != NULL)
        joints->user_data[row] = def->user_data;
}

static void write_turn(tr2_joints *joints, uint32_t row, int32_t turn)
{
    if (joints->turn != NULL)
        joints->turn[row] = turn;
}

/*
 * Creation
 */
static tr_status check_defs(const tr2_world *world, tr2_check *check, const tr2_joint_def *defs, uint32_t count)
{
    check->subject = "defs";
    tr_status status = tr2_check_pointer(check, "", defs);
    if (status == TR_OK)
        status = tr2_check_room(check, &world->joint_pool, count, TR2_JOINT_BITS);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check->index = i;
        status = check_def(check, world, &defs[i]);
        if (status == TR_OK)
            status = check_turns(check, world, &defs[i]);
    }
    return status;
}

/* a batch with what it leaves to spare, so that the joints made one by one after it do not have to move it */
static uint32_t with_spare(uint32_t count)
{
    return count + count / 256;
}

static bool reserve_tables(tr2_world *world, const tr2_joint_def *defs, uint32_t count)
{
    uint32_t more[TR2_JOINT_TYPE_COUNT] = {0};
    for (uint32_t i = 0; i < count; i++)
        more[defs[i].type]++;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joints *joints = &world->joints[type];
        if (joints->table.count + more[type] <= joints->table.capacity)
            continue;
        bool ok = tr_table_reserve(&joints->table, joints->table.count + with_spare(more[type]));
        tr2_joints_refresh(joints, (tr2_joint_type)type);
        if (!ok)
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!tr2_joints_hold(&world->joints[defs[i].type], &defs[i], turn_of(world, &defs[i])))
            return false;
    }
    return true;
}

static uint32_t count_watched(const tr2_joint_def *defs, uint32_t count)
{
    uint32_t watched = 0;
    for (uint32_t i = 0; i < count; i++)
        watched += tr2_is_watched(&defs[i].event_at, &defs[i].break_at);
    return watched;
}

/* a joint's bodies, each once, as ends of its edge: A, B, then carriers */
static uint32_t ends_of(const tr2_joint_def *def, uint32_t ends[TR_ENDS])
{
    const tr2_body body[TR_ENDS] = {def->body_a, def->body_b, def->carrier_a, def->carrier_b};
    uint32_t count = 0;
    for (uint32_t i = 0; i < TR_ENDS; i++) {
        bool known = body[i].index == 0;
        for (uint32_t end = 0; end < count; end++)
            known = known || ends[end] == body[i].index - 1;
        if (!known)
            ends[count++] = body[i].index - 1;
    }
    return count;
}

/* room for everything that committing writes, and the edges; on failure only room has grown */
static bool reserve_joints(tr2_world *world, const tr2_joint_def *defs, uint32_t count)
{
    tr_pool *pool = &world->joint_pool;
    if (!tr_pool_reserve(pool, with_spare(count)) || tr_plan_reserve(world->plan, 0, pool->capacity) != TR_OK ||
        !reserve_tables(world, defs, count) ||
        !tr2_watches_reserve(&world->watches, &world->memory, count_watched(defs, count), pool->capacity))
        return false;
    uint32_t done = 0;
    for (uint32_t slot = tr_pool_coming(pool); done < count; slot = tr_pool_coming_after(pool, slot), done++) {
        uint32_t ends[TR_ENDS], end_count = ends_of(&defs[done], ends);
        if (tr_plan_add_hyperedge(world->plan, slot, ends, end_count, kernel_of(&defs[done])) != TR_OK)
            break;
    }
    bool all = done == count;
    for (uint32_t slot = tr_pool_coming(pool); !all && done-- > 0; slot = tr_pool_coming_after(pool, slot))
        tr_plan_remove_edge(world->plan, slot);
    return all;
}

tr2_joint tr2_joint_id_of(const tr2_world *world, uint32_t slot)
{
    return (tr2_joint){slot + 1, world->tag, world->joint_pool.generation[slot]};
}

tr2_body tr2_joint_body_of(const tr2_world *world, uint32_t slot, uint32_t end)
{
    uint32_t body = tr_plan_end(world->plan, slot, end);
    return (tr2_body){body + 1, world->tag, world->body_pool.generation[body]};
}

static tr2_joint commit_joint(tr2_world *world, const tr2_joint_def *def)
{
    int32_t turn = turn_of(world, def);
    tr2_joint_def clean = cleaned(world, def, turn);
    tr2_joints *joints = &world->joints[def->type];
    uint32_t row = tr_table_append(&joints->table);
    uint32_t slot = tr_pool_take(&world->joint_pool, row);
    tr2_joint id = tr2_joint_id_of(world, slot);
    joints->slot[row] = slot;
    if (joints->id != NULL)
        joints->id[row] = id;
    if (joints->body_a != NULL)
        joints->body_a[row] = def->body_a;
    if (joints->body_b != NULL)
        joints->body_b[row] = def->body_b;
    if (joints->carrier_a != NULL) {
        joints->carrier_a[row] = def->carrier_a;
        joints->carrier_b[row] = def->carrier_b;
    }
    write_turn(joints, row, turn);
    /* what another joint has left in the row */
    if (joints->flags != NULL)
        joints->flags[row] = 0;
    write_rest(joints, row, &clean);
    tr2_joint_row_set(joints, def->type, row, &clean);
    tr2_watches_set(&world->watches, slot, &def->event_at, &def->break_at);
    if (!def->collide_connected)
        tr2_joint_touch(world, def->body_a, def->body_b);
    return id;
}

static tr_status create_joints(tr2_world *world, tr2_check *check, const tr2_joint_def *defs, uint32_t count,
                               tr2_joint *ids)
{
    if (!reserve_joints(world, defs, count)) {
        check->subject = "";
        check->index = TR_NONE;
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "no memory for %u joints", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        tr2_joint id = commit_joint(world, &defs[i]);
        if (ids != NULL)
            ids[i] = id;
    }
    return TR_OK;
}

tr_status tr2_world_create_joints(tr2_world *world, const tr2_joint_def *defs, uint32_t count, tr2_joint *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "create_joints", "");
    tr_status status = check_defs(world, &check, defs, count);
    return status != TR_OK ? status : create_joints(world, &check, defs, count, ids);
}

tr_status tr2_world_create_joint(tr2_world *world, const tr2_joint_def *def, tr2_joint *id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "create_joint", "def");
    tr_status status = tr2_check_pointer(&check, "", def);
    if (status == TR_OK)
        status = tr2_check_room(&check, &world->joint_pool, 1, TR2_JOINT_BITS);
    if (status == TR_OK)
        status = check_def(&check, world, def);
    if (status == TR_OK)
        status = check_turns(&check, world, def);
    return status != TR_OK ? status : create_joints(world, &check, def, 1, id);
}

/*
 * Destruction
 */
void tr2_joint_remove(tr2_world *world, uint32_t slot)
{
    tr2_joint_type type = tr2_joint_type_of(world, slot);
    tr_plan_remove_edge(world->plan, slot);
    tr2_watches_remove(&world->watches, slot);
    tr2_joint_drop(world, slot, type);
}

void tr2_joint_touch(tr2_world *world, tr2_body body_a, tr2_body body_b)
{
    /* of a pair of shapes one is enough; and one that cannot move may have very many */
    bool moves = world->bodies.type[tr2_body_row(world, body_b)] == TR_DYNAMIC;
    tr2_shapes_touch(world, (moves ? body_b : body_a).index - 1);
}

void tr2_joint_drop(tr2_world *world, uint32_t slot, tr2_joint_type type)
{
    tr2_joints *joints = &world->joints[type];
    uint32_t row = world->joint_pool.row[slot];
    if (type == TR2_CONTACT)
        tr2_contact_forget(world, row);
    else if (!tr2_joint_collides(joints, row))
        tr2_joint_touch(world, tr2_joint_body_of(world, slot, 0), tr2_joint_body_of(world, slot, 1));
    /* the last row takes the place of this one */
    uint32_t last = joints->slot[joints->table.count - 1];
    tr_table_remove(&joints->table, row);
    if (last != slot)
        tr_plan_touch_edge(world->plan, last);
    world->joint_pool.row[last] = row;
    if (type == TR2_CONTACT)
        tr_pool_give_unnamed(&world->joint_pool, slot);
    else
        tr_pool_give(&world->joint_pool, slot);
}

/* each id once: a joint met is marked beside its row, which needs no memory */
static tr_status check_ids(tr2_world *world, tr2_check *check, const tr2_joint *ids, uint32_t count)
{
    tr_status status = TR_OK;
    uint32_t marked = 0, *row = world->joint_pool.row;
    for (; marked < count; marked++) {
        check->index = marked;
        status = tr2_check_joint(check, "", world, ids[marked]);
        if (status == TR_OK && (row[ids[marked].index - 1] & TR2_ROW_MARKED) != 0)
            status = tr2_check_fail(check, TR_ERROR_STALE_ID, "", "names a joint that the list has already");
        if (status != TR_OK)
            break;
        row[ids[marked].index - 1] |= TR2_ROW_MARKED;
    }
    for (uint32_t i = 0; i < marked; i++)
        row[ids[i].index - 1] &= ~TR2_ROW_MARKED;
    return status;
}

tr_status tr2_world_destroy_joints(tr2_world *world, const tr2_joint *ids, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "destroy_joints", "ids");
    tr_status status = tr2_check_pointer(&check, "", ids);
    if (status == TR_OK)
        status = check_ids(world, &check, ids, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        tr2_joint_remove(world, ids[i].index - 1);
    return status;
}

tr_status tr2_world_destroy_joint(tr2_world *world, tr2_joint id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "destroy_joint", "id");
    tr_status status = tr2_check_joint(&check, "", world, id);
    if (status == TR_OK)
        tr2_joint_remove(world, id.index - 1);
    return status;
}

bool tr2_joint_is_valid(const tr2_world *world, tr2_joint id)
{
    tr2_check silent = TR2_CHECK_SILENT;
    return world != NULL && tr2_check_joint(&silent, "", world, id) == TR_OK;
}

/*
 * A joint as a whole
 */
void tr2_joint_read(const tr2_world *world, tr2_joint_type type, uint32_t row, tr2_joint_def *out)
{
    const tr2_joints *joints = &world->joints[type];
    *out = tr2_joint_def_default(type);
    out->body_a = tr2_joint_body_of(world, joints->slot[row], 0);
    out->body_b = tr2_joint_body_of(world, joints->slot[row], 1);
    out->carrier_a = tr2_joint_carrier(joints->carrier_a, row);
    out->carrier_b = tr2_joint_carrier(joints->carrier_b, row);
    if (joints->user_data != NULL)
        out->user_data = joints->user_data[row];
    if (joints->flags != NULL) {
        out->collide_connected = (joints->flags[row] & TR2_JOINT_COLLIDE) != 0;
        out->enabled = (joints->flags[row] & TR2_JOINT_DISABLED) == 0;
    }
    tr2_joint_row_get(joints, type, row, out);
    const tr2_watch *watch = tr2_watches_find(&world->watches, joints->slot[row]);
    if (watch != NULL) {
        out->event_at = watch->event_at;
        out->break_at = watch->break_at;
    }
}

static tr2_joint_type type_of(const tr2_world *world, tr2_joint id)
{
    return tr2_joint_type_of(world, id.index - 1);
}

tr_status tr2_joint_get(const tr2_world *world, tr2_joint id, tr2_joint_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_get", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        tr2_joint_read(world, type_of(world, id), world->joint_pool.row[id.index - 1], out);
    return status;
}

/* The impulse of a feature that is off is nothing to begin the next step with, and no reaction. */
static void drop_idle_impulses(tr2_joints *joints, uint32_t row, const tr2_joint_def *def)
{
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        const bool on[] = {[TR2_ROLE_ROW] = true,
                           [TR2_ROLE_SPRING] = def->spring.enable,
                           [TR2_ROLE_MOTOR] = def->motor.enable,
                           [TR2_ROLE_LIMIT] = def->limit.enable,
                           [TR2_ROLE_FRICTION] = def->friction > 0.0f};
        if (!def->enabled || !on[info->impulse_roles[i]])
            tr2_joint_drop_impulse(joints, i, row);
    }
}

/* against another multiple of A's angle the turns are others */
static bool has_new_ratio(const tr2_joints *joints, uint32_t row, const tr2_joint_def *def)
{
    return tr2_joint_types[def->type]->has_angle && joints->field[TR2_RATIO] != NULL &&
           joints->field[TR2_RATIO][row] != def->ratio;
}

static bool has_new_anchors(const tr2_joints *joints, uint32_t row, const tr2_joint_def *def)
{
    const float anchors[] = {def->anchor_a.x, def->anchor_a.y, def->anchor_b.x, def->anchor_b.y};
    bool changed = false;
    for (uint32_t i = 0; i < 4 && tr2_joint_has(def->type, TR2_ANCHOR_A_X); i++) {
        uint32_t bits = tr2_joint_cell(joints, TR2_ANCHOR_A_X + i, row);
        float before;
        memcpy(&before, &bits, sizeof before);
        changed = changed || before != anchors[i];
    }
    return changed;
}

/* Where joints act on bodies decides which are solved exactly. Either end tells: the one with fewer joints. */
static void weigh_ends(tr2_world *world, uint32_t edge)
{
    uint32_t a = tr_plan_end(world->plan, edge, 0), b = tr_plan_end(world->plan, edge, 1);
    tr_plan_touch_vertex(world->plan, tr_plan_degree(world->plan, a) < tr_plan_degree(world->plan, b) ? a : b);
}

/* writes a definition that has been checked into an existing joint; what can fail goes first */
static tr_status replace(tr2_world *world, const tr2_check *check, tr2_joint id, const tr2_joint_def *def)
{
    tr2_joints *joints = &world->joints[def->type];
    uint32_t row = world->joint_pool.row[id.index - 1];
    int32_t turn = tr2_joint_turn(world, def->type, row);
    tr2_joint_def clean = cleaned(world, def, turn);
    bool recount = has_new_ratio(joints, row, def);
    tr_status status = recount ? check_turns(check, world, def) : TR_OK;
    if (status != TR_OK)
        return status;
    if (recount)
        turn = turn_of(world, def);
    if (!tr2_joints_hold(joints, &clean, turn))
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "cannot change: no memory for its numbers");
    if (!tr2_watch_reserve(world, id.index - 1, &def->event_at, &def->break_at))
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "cannot change: no memory for thresholds");
    status = tr_plan_set_kind(world->plan, id.index - 1, kernel_of(&clean));
    if (status != TR_OK)
        return tr2_check_fail(check, status, "", "cannot change: no memory to plan the joint anew");
    if (tr2_joint_collides(joints, row) != def->collide_connected)
        tr2_joint_touch(world, def->body_a, def->body_b);
    bool moved = has_new_anchors(joints, row, &clean);
    write_turn(joints, row, turn);
    write_rest(joints, row, &clean);
    tr2_joint_row_set(joints, def->type, row, &clean);
    if (moved)
        weigh_ends(world, id.index - 1);
    drop_idle_impulses(joints, row, &clean);
    tr2_watches_set(&world->watches, id.index - 1, &def->event_at, &def->break_at);
    return TR_OK;
}

static bool same_body(tr2_body a, tr2_body b)
{
    return a.index == b.index && a.world == b.world && a.generation == b.generation;
}

tr_status tr2_joint_set(tr2_world *world, tr2_joint id, const tr2_joint_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_set", "");
    tr_status status = tr2_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr2_check_joint(&check, "id", world, id);
    check.subject = "def";
    if (status == TR_OK)
        status = check_def(&check, world, def);
    if (status != TR_OK)
        return status;

    const tr2_joints *joints = &world->joints[type_of(world, id)];
    uint32_t row = world->joint_pool.row[id.index - 1];
    if (def->type != type_of(world, id))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "type", "is %s, but the joint is %s",
                              tr2_joint_type_name(def->type), tr2_joint_type_name(type_of(world, id)));
    if (!same_body(def->body_a, tr2_joint_body_of(world, id.index - 1, 0)))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "body_a", "is not the joint's");
    if (!same_body(def->body_b, tr2_joint_body_of(world, id.index - 1, 1)))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "body_b", "is not the joint's");
    if (!same_body(def->carrier_a, tr2_joint_carrier(joints->carrier_a, row)))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "carrier_a", "is not the joint's");
    if (!same_body(def->carrier_b, tr2_joint_carrier(joints->carrier_b, row)))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "carrier_b", "is not the joint's");
    return replace(world, &check, id, def);
}

/*
 * Number by number
 */

/* a number as the bits of its column: booleans are 0 or 1, kinds one of their enumerators */
static tr_status check_value(const tr2_check *check, tr2_field field, float value, uint32_t *bits)
{
    const tr2_field_info *info = &tr2_field_infos[field];
    tr_status status = tr2_check_finite(check, info->name, (double)value);
    if (status != TR_OK)
        return status;
    if (info->kind != TR2_KIND_BOOL && info->kind != TR2_KIND_KIND) {
        memcpy(bits, &value, sizeof *bits);
        return tr2_check_field(check, field, *bits);
    }
    float highest = info->kind == TR2_KIND_BOOL ? 1.0f : (float)TR_RAW;
    if (!(value >= 0.0f && value <= highest && value == rintf(value)))
        return tr2_check_fail(check, TR_ERROR_RANGE, info->name, "is %g, must be a whole number from 0 to %g",
                              (double)value, (double)highest);
    *bits = (uint32_t)value;
    return TR_OK;
}

static tr_status check_has(const tr2_check *check, const tr2_world *world, tr2_joint id, tr2_field field)
{
    if ((uint32_t)field >= TR2_FIELD_COUNT)
        return tr2_check_fail(check, TR_ERROR_RANGE, "field", "is %d, no field of a joint", (int)field);
    tr2_joint_type type = type_of(world, id);
    if (!tr2_joint_type_has(type, field))
        return tr2_check_fail(check, TR_ERROR_NO_PROPERTY, "", "a %s joint has no %s", tr2_joint_type_name(type),
                              tr2_field_name(field));
    return TR_OK;
}

tr_status tr2_joint_set_value(tr2_world *world, tr2_joint id, tr2_field field, float value)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_set_value", "");
    tr_status status = tr2_check_joint(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    status = check_has(&check, world, id, field);
    if (status != TR_OK)
        return status;
    tr2_joint_type type = type_of(world, id);

    /* the other numbers are good already, but some must go together */
    uint32_t bits = 0;
    status = check_value(&check, field, value, &bits);
    if (status != TR_OK)
        return status;
    tr2_joint_def def;
    tr2_joint_read(world, type, world->joint_pool.row[id.index - 1], &def);
    tr2_field_write(&def, field, bits);
    status = tr2_check_joint_whole(&check, &def);
    if (status == TR_OK && (TR2_BIT(field) & TR2_GROUP_ANCHORS) != 0)
        status = check_anchors(&check, world, &def);
    return status != TR_OK ? status : replace(world, &check, id, &def);
}

tr_status tr2_joint_get_value(const tr2_world *world, tr2_joint id, tr2_field field, float *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_get_value", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        status = check_has(&check, world, id, field);
    if (status != TR_OK)
        return status;
    tr2_joint_def def;
    tr2_joint_read(world, type_of(world, id), world->joint_pool.row[id.index - 1], &def);
    uint32_t bits = tr2_field_read(&def, field);
    tr2_field_kind kind = tr2_field_infos[field].kind;
    if (kind == TR2_KIND_BOOL || kind == TR2_KIND_KIND)
        *out = (float)bits;
    else
        memcpy(out, &bits, sizeof *out);
    return TR_OK;
}

tr_status tr2_joint_set_collide_connected(tr2_world *world, tr2_joint id, bool collide)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_set_collide_connected", "");
    tr_status status = tr2_check_joint(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    tr2_joint_def def;
    tr2_joint_read(world, type_of(world, id), world->joint_pool.row[id.index - 1], &def);
    def.collide_connected = collide;
    return replace(world, &check, id, &def);
}

tr_status tr2_joint_set_enabled(tr2_world *world, tr2_joint id, bool enabled)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_set_enabled", "");
    tr_status status = tr2_check_joint(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    tr2_joint_def def;
    tr2_joint_read(world, type_of(world, id), world->joint_pool.row[id.index - 1], &def);
    def.enabled = enabled;
    return replace(world, &check, id, &def);
}

tr_status tr2_joint_set_user_data(tr2_world *world, tr2_joint id, uint64_t user_data)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "joint_set_user_data", "");
    tr_status status = tr2_check_joint(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    tr2_joints *joints = &world->joints[type_of(world, id)];
    uint32_t row = world->joint_pool.row[id.index - 1];
    tr2_joint_def def;
    tr2_joint_read(world, type_of(world, id), row, &def);
    def.user_data = user_data;
    if (!tr2_joints_hold(joints, &def, 0))
        return tr2_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for user data");
    write_rest(joints, row, &def);
    return TR_OK;
}
