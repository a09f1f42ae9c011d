/* Bodies: creation, destruction, and complete definitions. */
#include "world/core/body.h"

#include <math.h>
#include <string.h>

/*
 * Definitions
 */
static tr_status check_motion(const tr2_check *check, const tr2_body_def *def)
{
    tr_status status = tr2_check_dvec2(check, "position.x", "position.y", def->position);
    if (status == TR_OK)
        status = tr2_check_angle(check, "angle", def->angle);
    if (status == TR_OK)
        status = tr2_check_vec2(check, "velocity.x", "velocity.y", def->velocity);
    if (status == TR_OK)
        status = tr2_check_finite(check, "angular_velocity", (double)def->angular_velocity);
    return status;
}

/* The world position of the centre of mass is then finite, too: near the end of the range of a double, even the
   largest float vanishes in rounding. */
static tr_status check_def(const tr2_check *check, const tr2_body_def *def)
{
    if ((uint32_t)def->type > TR_DYNAMIC)
        return tr2_check_fail(check, TR_ERROR_RANGE, "type", "is %d, no type of body", (int)def->type);
    tr_status status = check_motion(check, def);
    if (status == TR_OK)
        status = tr2_check_mass(check, def->type == TR_DYNAMIC, def->mass, def->inertia);
    if (status == TR_OK)
        status = tr2_check_vec2(check, "center.x", "center.y", def->center);
    if (status == TR_OK)
        status = tr2_check_finite(check, "gravity_scale", (double)def->gravity_scale);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "linear_damping", (double)def->linear_damping);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "angular_damping", (double)def->angular_damping);
    return status;
}

tr2_placement tr2_placement_of(tr_dvec2 position, double angle, tr_vec2 local_center)
{
    tr2_placement out;
    tr2_rotation(angle, &out.c, &out.s);
    tr_dvec2 arm = tr2_rotate(out.c, out.s, local_center);
    out.center.x = position.x + arm.x;
    out.center.y = position.y + arm.y;
    out.angle = angle;
    return out;
}

void tr2_body_place(tr2_bodies *bodies, uint32_t row, const tr2_placement *placement)
{
    bodies->center_x[row] = placement->center.x;
    bodies->center_y[row] = placement->center.y;
    bodies->angle[row] = placement->angle;
    bodies->c[row] = placement->c;
    bodies->s[row] = placement->s;
}

tr_dvec2 tr2_body_origin(const tr2_bodies *bodies, uint32_t row)
{
    tr_vec2 local = tr2_body_center(bodies, row);
    tr_dvec2 arm = tr2_rotate(bodies->c[row], bodies->s[row], local);
    tr_dvec2 out = {bodies->center_x[row] - arm.x, bodies->center_y[row] - arm.y};
    return out;
}

/* writes a checked definition into the existing columns, except for the id and what the plan must know */
static void write_row(tr2_bodies *bodies, uint32_t row, const tr2_body_def *def)
{
    tr2_placement placement = tr2_placement_of(def->position, def->angle, def->center);
    tr2_body_place(bodies, row, &placement);
    bool still = def->type == TR_STATIC;
    bodies->velocity_x[row] = still ? 0.0f : def->velocity.x;
    bodies->velocity_y[row] = still ? 0.0f : def->velocity.y;
    bodies->angular_velocity[row] = still ? 0.0f : def->angular_velocity;
    tr2_body_write_center(bodies, row, def->center);
    bodies->mass[row] = def->mass;
    bodies->inertia[row] = def->inertia;
    if (bodies->gravity_scale != NULL)
        bodies->gravity_scale[row] = def->gravity_scale;
    if (bodies->linear_damping != NULL)
        bodies->linear_damping[row] = def->linear_damping;
    if (bodies->angular_damping != NULL)
        bodies->angular_damping[row] = def->angular_damping;
    if (bodies->user_data != NULL)
        bodies->user_data[row] = def->user_data;
    bodies->bullets -= (bodies->flags[row] & TR2_BODY_BULLET) != 0;
    bodies->bullets += def->bullet;
    bodies->flags[row] = (bodies->flags[row] & TR2_BODY_DISABLED) | (def->bullet ? TR2_BODY_BULLET : 0) |
                         (def->fixed_rotation ? TR2_BODY_FIXED_ROTATION : 0);
    tr2_body_write_type(bodies, row, def->type, def->enabled);
}

void tr2_body_write_type(tr2_bodies *bodies, uint32_t row, tr_body_type type, bool enabled)
{
    uint32_t kept = enabled ? 0 : TR2_BODY_DISABLED | (uint32_t)type << TR2_BODY_KEPT_TYPE;
    bodies->disabled -= (bodies->flags[row] & TR2_BODY_DISABLED) != 0;
    bodies->disabled += !enabled;
    bodies->flags[row] = (bodies->flags[row] & ~(TR2_BODY_DISABLED | 3u << TR2_BODY_KEPT_TYPE)) | kept;
    type = enabled ? type : TR_STATIC;
    bodies->type[row] = (uint32_t)type;
    if (type == TR_STATIC) {
        bodies->velocity_x[row] = 0.0f;
        bodies->velocity_y[row] = 0.0f;
        bodies->angular_velocity[row] = 0.0f;
    }
    if (type != TR_DYNAMIC) {
        float *forces[] = {bodies->force_x, bodies->force_y, bodies->torque};
        for (int i = 0; i < 3; i++) {
            if (forces[i] != NULL)
                forces[i][row] = 0.0f;
        }
    }
    tr2_body_update_inverse(bodies, row);
}

/*
 * Creation
 */
static tr_status check_defs(const tr2_world *world, tr2_check *check, const tr2_body_def *defs, uint32_t count)
{
    check->subject = "defs";
    tr_status status = tr2_check_pointer(check, "", defs);
    if (status == TR_OK)
        status = tr2_check_room(check, &world->body_pool, count, TR2_BODY_BITS);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check->index = i;
        status = check_def(check, &defs[i]);
    }
    return status;
}

/* reserves memory for the commit and the plan's vertices; after a failure only capacities have changed */
static bool reserve_bodies(tr2_world *world, const tr2_body_def *defs, uint32_t count)
{
    bool ok = tr_pool_reserve(&world->body_pool, count) &&
              tr_plan_reserve(world->plan, world->body_pool.capacity, 0) == TR_OK &&
              tr_table_reserve(&world->bodies.table, world->bodies.table.count + count);
    tr2_bodies_refresh(&world->bodies);
    for (uint32_t i = 0; i < count && ok; i++)
        ok = tr2_bodies_hold(&world->bodies, &defs[i]);
    if (!ok)
        return false;
    const tr_pool *pool = &world->body_pool;
    uint32_t done = 0, churn = tr_plan_churn(world->plan);
    for (uint32_t slot = tr_pool_coming(pool); done < count; slot = tr_pool_coming_after(pool, slot), done++) {
        if (tr_plan_add_vertex(world->plan, slot, defs[done].type == TR_DYNAMIC && defs[done].enabled) != TR_OK)
            break;
    }
    bool all = done == count;
    for (uint32_t slot = tr_pool_coming(pool); !all && done-- > 0; slot = tr_pool_coming_after(pool, slot))
        tr_plan_remove_vertex(world->plan, slot);
    if (!all)
        tr_plan_set_churn(world->plan, churn);
    return all;
}

static tr_status create_bodies(tr2_world *world, tr2_check *check, const tr2_body_def *defs, uint32_t count,
                               tr2_body *ids)
{
    if (!reserve_bodies(world, defs, count)) {
        check->subject = "";
        check->index = TR_NONE;
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "no memory for %u bodies", count);
    }
    tr2_bodies *bodies = &world->bodies;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = tr_table_append(&bodies->table);
        uint32_t slot = tr_pool_take(&world->body_pool, row);
        tr2_body id = {slot + 1, world->tag, world->body_pool.generation[slot]};
        bodies->slot[row] = slot;
        if (bodies->id != NULL)
            bodies->id[row] = id;
        write_row(bodies, row, &defs[i]);
        if (ids != NULL)
            ids[i] = id;
    }
    return TR_OK;
}

tr_status tr2_world_create_bodies(tr2_world *world, const tr2_body_def *defs, uint32_t count, tr2_body *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "create_bodies", "");
    tr_status status = check_defs(world, &check, defs, count);
    return status != TR_OK ? status : create_bodies(world, &check, defs, count, ids);
}

tr_status tr2_world_create_body(tr2_world *world, const tr2_body_def *def, tr2_body *id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "create_body", "def");
    tr_status status = tr2_check_pointer(&check, "", def);
    if (status == TR_OK)
        status = tr2_check_room(&check, &world->body_pool, 1, TR2_BODY_BITS);
    if (status == TR_OK)
        status = check_def(&check, def);
    return status != TR_OK ? status : create_bodies(world, &check, def, 1, id);
}

/*
 * Destruction
 */
static void remove_body(tr2_world *world, uint32_t slot)
{
    for (uint32_t half = tr_plan_first(world->plan, slot); half != TR_NONE; half = tr_plan_first(world->plan, slot))
        tr2_joint_remove(world, tr_half_edge(half));
    tr2_shapes_remove_body(world, slot);
    tr_plan_remove_vertex(world->plan, slot);

    /* the last row moves into this one */
    tr2_bodies *bodies = &world->bodies;
    uint32_t row = world->body_pool.row[slot];
    uint32_t last = bodies->slot[bodies->table.count - 1];
    bodies->bullets -= (bodies->flags[row] & TR2_BODY_BULLET) != 0;
    bodies->disabled -= (bodies->flags[row] & TR2_BODY_DISABLED) != 0;
    tr_table_remove(&bodies->table, row);
    world->body_pool.row[last] = row;
    tr_pool_give(&world->body_pool, slot);
}

/* checks that each id occurs once: visited bodies are marked in their flags, which needs no memory */
static tr_status mark_bodies(tr2_world *world, tr2_check *check, const tr2_body *ids, uint32_t count)
{
    uint32_t *flags = world->bodies.flags;
    tr_status status = TR_OK;
    uint32_t marked = 0;
    for (; marked < count && status == TR_OK; marked++) {
        check->index = marked;
        status = tr2_check_body(check, "", world, ids[marked]);
        if (status == TR_OK && (flags[tr2_body_row(world, ids[marked])] & TR2_BODY_MARKED) != 0)
            status = tr2_check_fail(check, TR_ERROR_STALE_ID, "", "names a body that the list has already");
        if (status != TR_OK)
            break;
        flags[tr2_body_row(world, ids[marked])] |= TR2_BODY_MARKED;
    }
    for (uint32_t i = 0; i < marked; i++)
        flags[tr2_body_row(world, ids[i])] &= ~TR2_BODY_MARKED;
    return status;
}

tr_status tr2_world_destroy_bodies(tr2_world *world, const tr2_body *ids, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "destroy_bodies", "ids");
    tr_status status = tr2_check_pointer(&check, "", ids);
    if (status == TR_OK)
        status = mark_bodies(world, &check, ids, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        remove_body(world, ids[i].index - 1);
    return status;
}

tr_status tr2_world_destroy_body(tr2_world *world, tr2_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "destroy_body", "id");
    tr_status status = tr2_check_body(&check, "", world, id);
    if (status == TR_OK)
        remove_body(world, id.index - 1);
    return status;
}

bool tr2_body_is_valid(const tr2_world *world, tr2_body id)
{
    tr2_check silent = TR2_CHECK_SILENT;
    return world != NULL && tr2_check_body(&silent, "", world, id) == TR_OK;
}

/*
 * A body as a whole
 */
tr_status tr2_body_get(const tr2_world *world, tr2_body id, tr2_body_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_get", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    memset(out, 0, sizeof *out);
    out->type = tr2_body_type_of(bodies, row);
    out->position = tr2_body_origin(bodies, row);
    out->angle = bodies->angle[row];
    out->velocity.x = bodies->velocity_x[row];
    out->velocity.y = bodies->velocity_y[row];
    out->angular_velocity = bodies->angular_velocity[row];
    tr2_body_weight weight = tr2_shapes_weight(world, id.index - 1);
    out->mass = weight.mass;
    out->inertia = weight.inertia;
    out->center = weight.center;
    out->gravity_scale = tr2_body_number(bodies->gravity_scale, row, 1.0f);
    out->linear_damping = tr2_body_number(bodies->linear_damping, row, 0.0f);
    out->angular_damping = tr2_body_number(bodies->angular_damping, row, 0.0f);
    out->bullet = (bodies->flags[row] & TR2_BODY_BULLET) != 0;
    out->fixed_rotation = (bodies->flags[row] & TR2_BODY_FIXED_ROTATION) != 0;
    out->enabled = (bodies->flags[row] & TR2_BODY_DISABLED) == 0;
    out->user_data = bodies->user_data != NULL ? bodies->user_data[row] : 0;
    return TR_OK;
}

tr_status tr2_body_set(tr2_world *world, tr2_body id, const tr2_body_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_set", "");
    tr_status status = tr2_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    check.subject = "def";
    if (status == TR_OK)
        status = check_def(&check, def);
    if (status == TR_OK && !tr2_bodies_hold(&world->bodies, def))
        status = tr2_check_fail(&check, TR_ERROR_MEMORY, "", "cannot change: no memory for its numbers");
    if (status == TR_OK)
        status = tr2_body_replan(world, &check, id, def->type, def->enabled);
    if (status == TR_OK) {
        uint32_t row = tr2_body_row(world, id);
        tr_body_type was = tr2_body_type_of(&world->bodies, row);
        bool was_enabled = !tr2_body_is_disabled(world, row);
        tr2_body_weight before = tr2_body_weight_of(&world->bodies, row);
        write_row(&world->bodies, row, def);
        tr2_body_weigh_trees(world, row, before);
        tr2_body_settle_type(world, id, was, was_enabled);
    }
    return status;
}
