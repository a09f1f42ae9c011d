/* Bodies: queries of one, several or all. */
#include "world/core/body.h"

/* checks world, id and the output pointer */
static tr_status begin(const tr2_world *world, const char *call, tr2_body id, const char *name, const void *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, call, "");
    tr_status status = tr2_check_pointer(&check, name, out);
    return status != TR_OK ? status : tr2_check_body(&check, "id", world, id);
}

/* checks world and id: every output may be null */
static tr_status begin_optional(const tr2_world *world, const char *call, tr2_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, call, "");
    return tr2_check_body(&check, "id", world, id);
}

/*
 * One body
 */
tr_status tr2_body_get_velocity(const tr2_world *world, tr2_body id, tr_vec2 *velocity, float *angular_velocity)
{
    tr_status status = begin_optional(world, "body_get_velocity", id);
    if (status != TR_OK)
        return status;
    uint32_t row = tr2_body_row(world, id);
    if (velocity != NULL)
        *velocity = (tr_vec2){world->bodies.velocity_x[row], world->bodies.velocity_y[row]};
    if (angular_velocity != NULL)
        *angular_velocity = world->bodies.angular_velocity[row];
    return TR_OK;
}

tr_status tr2_body_get_mass(const tr2_world *world, tr2_body id, float *mass, float *inertia, tr_vec2 *center)
{
    tr_status status = begin_optional(world, "body_get_mass", id);
    if (status != TR_OK)
        return status;
    tr2_body_weight weight = tr2_shapes_weight(world, id.index - 1);
    if (mass != NULL)
        *mass = weight.mass;
    if (inertia != NULL)
        *inertia = weight.inertia;
    if (center != NULL)
        *center = weight.center;
    return TR_OK;
}

tr_status tr2_body_get_type(const tr2_world *world, tr2_body id, tr_body_type *type)
{
    tr_status status = begin(world, "body_get_type", id, "type", type);
    if (status == TR_OK)
        *type = tr2_body_type_of(&world->bodies, tr2_body_row(world, id));
    return status;
}

tr_status tr2_body_get_user_data(const tr2_world *world, tr2_body id, uint64_t *user_data)
{
    tr_status status = begin(world, "body_get_user_data", id, "user_data", user_data);
    if (status == TR_OK)
        *user_data = world->bodies.user_data != NULL ? world->bodies.user_data[tr2_body_row(world, id)] : 0;
    return status;
}

/*
 * Several bodies
 */
tr_status tr2_world_get_transforms(const tr2_world *world, const tr2_body *ids, uint32_t count, tr2_transform *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "get_transforms", "");
    tr_status status = tr2_check_pointer(&check, "ids", ids);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "out", out);
    check.subject = "ids";
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        check.index = i;
        status = tr2_check_body(&check, "", world, ids[i]);
    }
    if (status != TR_OK)
        return status;
    const tr2_bodies *bodies = &world->bodies;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = tr2_body_row(world, ids[i]);
        out[i].position = tr2_body_origin(bodies, row);
        out[i].angle = bodies->angle[row];
        out[i].c = bodies->c[row];
        out[i].s = bodies->s[row];
    }
    return TR_OK;
}

tr2_body_view tr2_world_bodies(const tr2_world *world)
{
    tr2_body_view view = {0};
    if (world == NULL)
        return view;
    /* readers of the view see all columns, including those left out of the table */
    tr2_bodies *bodies = &tr2_mutable(world)->bodies;
    bool had = bodies->id != NULL && bodies->inverse_mass != NULL && bodies->inverse_inertia != NULL;
    (void)tr2_bodies_hold_all(bodies);
    if (bodies->id == NULL)
        return view;
    for (uint32_t row = 0; !had && row < bodies->table.count; row++) {
        bodies->id[row] = (tr2_body){bodies->slot[row] + 1, world->tag, world->body_pool.generation[bodies->slot[row]]};
        tr2_body_update_inverse(bodies, row);
    }
    view.count = bodies->table.count;
#define COLUMN(type, name) view.name = world->bodies.name;
    TR2_BODY_COLUMNS(COLUMN)
#undef COLUMN
    return view;
}
