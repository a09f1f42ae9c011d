/* Bodies: queries of one, several or all. */
#include "world/core/body.h"

/* checks world, id and the output pointer */
static tr_status begin(const trn_world *world, const char *call, trn_body id, const char *name, const void *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, call, "");
    tr_status status = trn_check_pointer(&check, name, out);
    return status != TR_OK ? status : trn_check_body(&check, "id", world, id);
}

/* checks world and id: every output may be null */
static tr_status begin_optional(const trn_world *world, const char *call, trn_body id)
{
    trn_check check;
    return trn_check_body_call(&check, call, world, id);
}

/*
 * One body
 */
tr_status trn_body_get_velocity(const trn_world *world, trn_body id, trn_vec *velocity, trn_spin *angular_velocity)
{
    tr_status status = begin_optional(world, "body_get_velocity", id);
    if (status != TR_OK)
        return status;
    uint32_t row = trn_body_row(world, id);
    if (velocity != NULL)
        *velocity = trn_body_linear_velocity(&world->bodies, row);
    if (angular_velocity != NULL)
        *angular_velocity = trn_body_angular_velocity(&world->bodies, row);
    return TR_OK;
}

tr_status trn_body_get_mass(const trn_world *world, trn_body id, float *mass, trn_inertia *inertia, trn_vec *center)
{
    tr_status status = begin_optional(world, "body_get_mass", id);
    if (status != TR_OK)
        return status;
    trn_body_weight weight = trn_shapes_weight(world, id.index - 1);
    if (mass != NULL)
        *mass = weight.mass;
    if (inertia != NULL)
        *inertia = weight.inertia;
    if (center != NULL)
        *center = weight.center;
    return TR_OK;
}

tr_status trn_body_get_type(const trn_world *world, trn_body id, tr_body_type *type)
{
    tr_status status = begin(world, "body_get_type", id, "type", type);
    if (status == TR_OK)
        *type = trn_body_type_of(&world->bodies, trn_body_row(world, id));
    return status;
}

tr_status trn_body_get_user_data(const trn_world *world, trn_body id, uint64_t *user_data)
{
    tr_status status = begin(world, "body_get_user_data", id, "user_data", user_data);
    if (status == TR_OK)
        *user_data = world->bodies.user_data != NULL ? world->bodies.user_data[trn_body_row(world, id)] : 0;
    return status;
}

static trn_transform transform_of(const trn_world *world, trn_body id)
{
    const trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_body_row(world, id);
    return trn_transform_of(bodies, row, trn_body_origin(bodies, row));
}

tr_status trn_body_get_transform(const trn_world *world, trn_body id, trn_transform *out)
{
    tr_status status = begin(world, "body_get_transform", id, "out", out);
    if (status == TR_OK)
        *out = transform_of(world, id);
    return status;
}

tr_status trn_body_joints(const trn_world *world, trn_body id, trn_joint *out, uint32_t capacity, uint32_t *count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_joints", "");
    tr_status status = trn_check_list(&check, out, capacity, count);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    uint32_t found = 0;
    for (uint32_t half = tr_plan_first(world->plan, id.index - 1); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        uint32_t slot = tr_half_edge(half);
        /* a contact is an edge as well */
        if (trn_joint_type_of(world, slot) == TR_CONTACT)
            continue;
        if (found < capacity)
            out[found] = trn_joint_id_of(world, slot);
        found++;
    }
    *count = found;
    return TR_OK;
}

/*
 * Several bodies
 */
tr_status trn_world_get_transforms(const trn_world *world, const trn_body *ids, uint32_t count, trn_transform *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    trn_check check = trn_check_of(world, "get_transforms", "");
    tr_status status = trn_check_pointer(&check, "ids", ids);
    if (status == TR_OK)
        status = trn_check_pointer(&check, "out", out);
    check.subject = "ids";
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check.index = i;
        status = trn_check_body(&check, "", world, ids[i]);
    }
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        out[i] = transform_of(world, ids[i]);
    return status;
}

trn_body_view trn_world_bodies(const trn_world *world)
{
    trn_body_view view = {0};
    if (world == NULL)
        return view;
    /* readers of the view see all columns, including those left out of the table */
    trn_bodies *bodies = &trn_mutable(world)->bodies;
    bool had = bodies->id != NULL;
    if (!trn_bodies_hold_all(bodies) || bodies->id == NULL)
        return view;
    for (uint32_t row = 0; !had && row < bodies->table.count; row++) {
        TR_TABLE_PUT(trn_body, bodies, id, row,
                     (trn_body){bodies->slot[row] + 1, world->tag, world->body_pool.generation[bodies->slot[row]]});
        trn_body_update_inverse(bodies, row);
    }
    view.count = bodies->table.count;
#define COLUMN(type, name) view.name = world->bodies.name;
    TRN_BODY_COLUMNS(COLUMN)
#undef COLUMN
    return view;
}
