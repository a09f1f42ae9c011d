/* Bodies: creation, destruction, and complete definitions. */
#include "world/core/body.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * Definitions
 */
static tr_status check_motion(const trn_check *check, const trn_body_def *def)
{
    tr_status status = trn_check_dvec(check, "position", def->position);
    if (status == TR_OK)
        status = trn_check_orientation(check, trn_def_orientation(def));
    if (status == TR_OK)
        status = trn_check_vec(check, "velocity", def->velocity);
    if (status == TR_OK)
        status = trn_check_spin(check, "angular_velocity", def->angular_velocity);
    return status;
}

/* The world position of the centre of mass is then finite, too: near the end of the range of a double, even the
   largest float vanishes in rounding. */
static tr_status check_def(const trn_check *check, const trn_body_def *def)
{
    if ((uint32_t)def->type > TR_DYNAMIC)
        return trn_check_fail(check, TR_ERROR_RANGE, "type", "is %d, no type of body", (int)def->type);
    tr_status status = check_motion(check, def);
    if (status == TR_OK)
        status = trn_check_mass(check, def->type == TR_DYNAMIC, def->mass, def->inertia);
    if (status == TR_OK)
        status = trn_check_vec(check, "center", def->center);
    if (status == TR_OK)
        status = trn_check_finite(check, "gravity_scale", (double)def->gravity_scale);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "linear_damping", (double)def->linear_damping);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "angular_damping", (double)def->angular_damping);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "sleep_scale", (double)def->sleep_scale);
    return status;
}

void trn_place_body(trn_bodies *bodies, uint32_t row, trn_dvec position, trn_orientation orientation, trn_vec center)
{
    trn_body_write_orientation(bodies, row, orientation);
    trn_body_write_mass_center(bodies, row, trn_plus(position, trn_body_rotate(bodies, row, center)));
}

trn_dvec trn_body_origin(const trn_bodies *bodies, uint32_t row)
{
    trn_dvec arm = trn_body_rotate(bodies, row, trn_body_center(bodies, row));
    return trn_minus(trn_body_mass_center(bodies, row), arm);
}

/* takes all velocity from a row */
static void stop(trn_bodies *bodies, uint32_t row)
{
    trn_body_write_velocity(bodies, row, (trn_vec){0}, (trn_spin){0});
}

static bool has_velocity(const trn_bodies *bodies, uint32_t row, const trn_body_def *def)
{
    return trn_is_same(trn_body_linear_velocity(bodies, row), def->velocity) &&
           trn_is_same_spin(trn_body_angular_velocity(bodies, row), def->angular_velocity);
}

/* writes a checked definition into the existing columns, except for the id and what the plan must know */
static void write_row(trn_bodies *bodies, uint32_t row, const trn_body_def *def)
{
    /* the inertia has its own axes, which turn with the body */
    trn_body_write_inertia(bodies, row, def->inertia);
    trn_place_body(bodies, row, def->position, trn_def_orientation(def), def->center);
    const bool goes_on = has_velocity(bodies, row, def);
    trn_body_write_velocity(bodies, row, def->velocity, def->angular_velocity);
    if (def->type == TR_STATIC)
        stop(bodies, row);
    trn_body_write_center(bodies, row, def->center);
    TR_TABLE_PUT(float, bodies, mass, row, def->mass);
    if (bodies->gravity_scale != NULL)
        TR_TABLE_PUT(float, bodies, gravity_scale, row, def->gravity_scale);
    if (bodies->linear_damping != NULL)
        TR_TABLE_PUT(float, bodies, linear_damping, row, def->linear_damping);
    if (bodies->angular_damping != NULL)
        TR_TABLE_PUT(float, bodies, angular_damping, row, def->angular_damping);
    if (bodies->sleep_scale != NULL)
        TR_TABLE_PUT(float, bodies, sleep_scale, row, def->sleep_scale);
    if (bodies->user_data != NULL)
        TR_TABLE_PUT(uint64_t, bodies, user_data, row, def->user_data);
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->bullets += trn_def_is_bullet(def);
    bodies->direct -= (bodies->flags[row] & TR_BODY_WANTS_DIRECT) != 0;
    bodies->direct += def->direct;
    bodies->still[row] = def->awake ? 0.0f : FLT_MAX;
    bodies->flags[row] =
        (bodies->flags[row] &
         (TR_BODY_DISABLED | TR_BODY_WAKING | TR_BODY_CHANGED | TR_BODY_TOLD | (goes_on ? TR_BODY_LATE : 0))) |
        (trn_def_is_bullet(def) ? TR_BODY_BULLET : 0) | (def->fixed_rotation ? TR_BODY_FIXED_ROTATION : 0) |
        (def->direct ? TR_BODY_WANTS_DIRECT : 0) | (def->allow_sleep ? 0 : TR_BODY_NEVER_SLEEPS);
    trn_body_write_type(bodies, row, def->type, def->enabled);
}

void trn_body_write_type(trn_bodies *bodies, uint32_t row, tr_body_type type, bool enabled)
{
    uint32_t kept = enabled ? 0 : TR_BODY_DISABLED | (uint32_t)type << TR_BODY_KEPT_TYPE;
    bodies->disabled -= (bodies->flags[row] & TR_BODY_DISABLED) != 0;
    bodies->disabled += !enabled;
    bodies->flags[row] = (bodies->flags[row] & ~(TR_BODY_DISABLED | 3u << TR_BODY_KEPT_TYPE)) | kept;
    type = enabled ? type : TR_STATIC;
    if (type != TR_DYNAMIC)
        bodies->flags[row] &= ~TR_BODY_LATE;
    TR_TABLE_PUT(uint32_t, bodies, type, row, (uint32_t)type);
    if (type == TR_STATIC)
        stop(bodies, row);
    if (type != TR_DYNAMIC)
        trn_body_clear_force(bodies, row);
    trn_body_update_inverse(bodies, row);
}

/*
 * Creation
 */
static tr_status check_defs(const trn_world *world, trn_check *check, const trn_body_def *defs, uint32_t count)
{
    check->subject = "defs";
    tr_status status = trn_check_pointer(check, "", defs);
    if (status == TR_OK)
        status = trn_check_room(check, &world->body_pool, count, TR_BODY_BITS);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check->index = i;
        status = check_def(check, &defs[i]);
    }
    return status;
}

/* reserves memory for the commit and the plan's vertices; after a failure only capacities have changed */
static bool reserve_bodies(trn_world *world, const trn_body_def *defs, uint32_t count)
{
    bool ok = tr_pool_reserve(&world->body_pool, count) &&
              tr_plan_reserve(world->plan, world->body_pool.capacity, 0) == TR_OK &&
              tr_table_reserve(&world->bodies.table, world->bodies.table.count + count);
    trn_bodies_refresh(&world->bodies);
    for (uint32_t i = 0; i < count && ok; i++)
        ok = trn_bodies_hold(&world->bodies, &defs[i]);
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

static tr_status create_bodies(trn_world *world, trn_check *check, const trn_body_def *defs, uint32_t count,
                               trn_body *ids)
{
    if (!reserve_bodies(world, defs, count)) {
        check->subject = "";
        check->index = TR_NONE;
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for %u bodies", count);
    }
    trn_bodies *bodies = &world->bodies;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = tr_table_append(&bodies->table);
        uint32_t slot = tr_pool_take(&world->body_pool, row);
        trn_body id = {slot + 1, world->tag, world->body_pool.generation[slot]};
        TR_TABLE_PUT(uint32_t, bodies, slot, row, slot);
        if (bodies->id != NULL)
            TR_TABLE_PUT(trn_body, bodies, id, row, id);
        trn_body_begin(bodies, row);
        write_row(bodies, row, &defs[i]);
        if (ids != NULL)
            ids[i] = id;
    }
    return TR_OK;
}

tr_status trn_do_world_create_bodies(trn_world *world, const trn_body_def *defs, uint32_t count, trn_body *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "create_bodies", "");
    tr_status status = check_defs(world, &check, defs, count);
    return status != TR_OK ? status : create_bodies(world, &check, defs, count, ids);
}

tr_status trn_do_world_create_body(trn_world *world, const trn_body_def *def, trn_body *id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "create_body", "def");
    tr_status status = trn_check_pointer(&check, "", def);
    if (status == TR_OK)
        status = trn_check_room(&check, &world->body_pool, 1, TR_BODY_BITS);
    if (status == TR_OK)
        status = check_def(&check, def);
    return status != TR_OK ? status : create_bodies(world, &check, def, 1, id);
}

/*
 * Destruction
 */
static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void remove_body(trn_world *world, uint32_t slot)
{
    trn_sleep_disturb(world, slot);
    for (uint32_t half = tr_plan_first(world->plan, slot); half != TR_NONE; half = tr_plan_first(world->plan, slot))
        trn_joint_remove(world, tr_half_edge(half));
    trn_shapes_remove_body(world, slot);
    trn_sleep_drop(world, slot);
    tr_plan_remove_vertex(world->plan, slot);

    /* the last row moves into this one */
    trn_bodies *bodies = &world->bodies;
    uint32_t row = world->body_pool.row[slot];
    uint32_t last = bodies->slot[bodies->table.count - 1];
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->disabled -= (bodies->flags[row] & TR_BODY_DISABLED) != 0;
    bodies->direct -= (bodies->flags[row] & TR_BODY_WANTS_DIRECT) != 0;
    tr_table_remove(&bodies->table, row);
    bodies->rest_end = lesser(bodies->rest_end, bodies->table.count);
    bodies->rest_first = lesser(bodies->rest_first, bodies->rest_end);
    tr_pool_set_row(&world->body_pool, last, row);
    tr_pool_give(&world->body_pool, slot);
}

/* checks that each id occurs once: visited bodies are marked in their flags, which needs no memory */
static tr_status mark_bodies(trn_world *world, trn_check *check, const trn_body *ids, uint32_t count)
{
    uint32_t *flags = world->bodies.flags;
    tr_status status = TR_OK;
    uint32_t marked = 0;
    for (; marked < count && status == TR_OK; marked++) {
        check->index = marked;
        status = trn_check_body(check, "", world, ids[marked]);
        if (status == TR_OK && (flags[trn_body_row(world, ids[marked])] & TR_BODY_MARKED) != 0)
            status = trn_check_fail(check, TR_ERROR_STALE_ID, "", "names a body that the list has already");
        if (status != TR_OK)
            break;
        flags[trn_body_row(world, ids[marked])] |= TR_BODY_MARKED;
    }
    for (uint32_t i = 0; i < marked; i++)
        flags[trn_body_row(world, ids[i])] &= ~TR_BODY_MARKED;
    return status;
}

tr_status trn_do_world_destroy_bodies(trn_world *world, const trn_body *ids, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "destroy_bodies", "ids");
    tr_status status = trn_check_pointer(&check, "", ids);
    if (status == TR_OK)
        status = mark_bodies(world, &check, ids, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        remove_body(world, ids[i].index - 1);
    return status;
}

tr_status trn_do_world_destroy_body(trn_world *world, trn_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "destroy_body", "id");
    tr_status status = trn_check_body(&check, "", world, id);
    if (status == TR_OK)
        remove_body(world, id.index - 1);
    return status;
}

bool trn_body_is_valid(const trn_world *world, trn_body id)
{
    trn_check silent = TR_CHECK_SILENT;
    return world != NULL && trn_check_body(&silent, "", world, id) == TR_OK;
}

/*
 * A body as a whole
 */
tr_status trn_body_get(const trn_world *world, trn_body id, trn_body_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_get", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    const trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    memset(out, 0, sizeof *out);
    out->type = trn_body_type_of(bodies, row);
    out->position = trn_body_origin(bodies, row);
    out->velocity = trn_body_linear_velocity(bodies, row);
    out->angular_velocity = trn_body_angular_velocity(bodies, row);
    trn_body_weight weight = trn_shapes_weight(world, id.index - 1);
    out->mass = weight.mass;
    out->inertia = weight.inertia;
    out->center = weight.center;
    out->gravity_scale = trn_body_number(bodies->gravity_scale, row, 1.0f);
    out->linear_damping = trn_body_number(bodies->linear_damping, row, 0.0f);
    out->angular_damping = trn_body_number(bodies->angular_damping, row, 0.0f);
    out->sleep_scale = trn_body_number(bodies->sleep_scale, row, 1.0f);
    trn_def_set_own(out, trn_body_orientation(bodies, row), (bodies->flags[row] & TR_BODY_BULLET) != 0);
    out->fixed_rotation = (bodies->flags[row] & TR_BODY_FIXED_ROTATION) != 0;
    out->direct = (bodies->flags[row] & TR_BODY_WANTS_DIRECT) != 0;
    out->enabled = (bodies->flags[row] & TR_BODY_DISABLED) == 0;
    out->allow_sleep = (bodies->flags[row] & TR_BODY_NEVER_SLEEPS) == 0;
    out->awake = (bodies->flags[row] & TR_BODY_ASLEEP) == 0;
    out->user_data = bodies->user_data != NULL ? bodies->user_data[row] : 0;
    return TR_OK;
}

tr_status trn_do_body_set(trn_world *world, trn_body id, const trn_body_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_set", "");
    tr_status status = trn_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    check.subject = "def";
    if (status == TR_OK)
        status = check_def(&check, def);
    if (status == TR_OK && !trn_bodies_hold(&world->bodies, def))
        status = trn_check_fail(&check, TR_ERROR_MEMORY, "", "cannot change: no memory for its numbers");
    if (status == TR_OK)
        status = trn_body_replan(world, &check, id, def->type, def->enabled);
    if (status == TR_OK) {
        trn_sleep_disturb(world, id.index - 1);
        uint32_t row = trn_body_row(world, id);
        tr_body_type was = trn_body_type_of(&world->bodies, row);
        bool was_enabled = !trn_body_is_disabled(world, row);
        trn_body_weight before = trn_body_weight_of(&world->bodies, row);
        write_row(&world->bodies, row, def);
        trn_body_weigh(world, row, before);
        trn_body_settle_type(world, id, was, was_enabled);
    }
    return status;
}
