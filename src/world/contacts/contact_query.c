/* Queries of contacts between shapes, from the pairs, manifolds and rows of the last step; and the application's
   filter. */
#include "world/contacts/contact_query.h"

#include <string.h>

#include "base/finite.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"
#include "world/recording/tape.h"
#include "world/shapes/shape_check.h"

tr2_pair_place tr2_pair_place_of(const tr2_world *world, uint32_t index)
{
    const tr2_collision *it = &world->collision;
    const tr2_pair *pair = &it->pairs[index];
    const tr2_manifold *manifold = &it->manifolds[index];
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = tr2_body_row(world, world->shapes.body[world->shapes.pool.row[pair->a]]);
    tr_dvec2 origin = tr2_body_origin(bodies, a);
    tr2_pair_place out = {.count = tr2_pair_touches(pair)};
    if ((pair->flags & TR2_PAIR_CIRCLES) != 0) {
        /* halfway between the surfaces, from the current position of A's circle: the manifold's normal is in world
           axes */
        const tr2_geometry *circle = world->shapes.geometry[world->shapes.pool.row[pair->a]];
        tr_dvec2 arm = tr2_rotate(bodies->c[a], bodies->s[a], circle->center);
        double out_by = (double)circle->radius + 0.5 * (double)manifold->points[0].separation;
        out.normal = manifold->normal;
        out.point[0] = (tr_dvec2){origin.x + arm.x + out_by * (double)out.normal.x,
                                  origin.y + arm.y + out_by * (double)out.normal.y};
        return out;
    }
    tr_dvec2 normal = tr2_rotate(bodies->c[a], bodies->s[a], manifold->normal);
    for (uint32_t i = 0; i < out.count; i++) {
        tr_dvec2 arm = tr2_rotate(bodies->c[a], bodies->s[a], manifold->points[i].point);
        out.point[i] = (tr_dvec2){origin.x + arm.x, origin.y + arm.y};
    }
    out.normal = (tr_vec2){(float)normal.x, (float)normal.y};
    return out;
}

static void read_contact(const tr2_world *world, uint32_t index, tr2_shape_contact *out)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    const tr2_pair *pair = &it->pairs[index];
    const tr2_manifold *manifold = &it->manifolds[index];
    uint32_t a = shapes->pool.row[pair->a], b = shapes->pool.row[pair->b];
    tr2_pair_place place = tr2_pair_place_of(world, index);
    memset(out, 0, sizeof *out);
    out->shape_a = shapes->id[a];
    out->shape_b = shapes->id[b];
    out->body_a = shapes->body[a];
    out->body_b = shapes->body[b];
    out->normal = place.normal;
    out->point_count = place.count;
    for (uint32_t i = 0; i < place.count; i++) {
        out->point[i] = place.point[i];
        out->separation[i] = tr_finite_float((double)manifold->points[i].separation);
    }
    if (pair->contact != TR_NONE)
        tr2_contact_read_impulse(&world->joints[TR_CONTACT], world->joint_pool.row[pair->contact], &out->impulse);
}

static bool is_contact(const tr2_world *world, uint32_t index)
{
    const tr2_pair *pair = &world->collision.pairs[index];
    const uint32_t *rows = world->shapes.pool.row;
    /* after a failed step, a contact may be missing or removed */
    return pair->contact != TR_NONE && tr2_pair_touches(pair) > 0 &&
           tr2_shape_is_there(&world->shapes, pair->a, pair->generation_a) &&
           tr2_shape_is_there(&world->shapes, pair->b, pair->generation_b) &&
           !tr2_shape_is_disabled(world, rows[pair->a]) && !tr2_shape_is_disabled(world, rows[pair->b]);
}

/* adds a contact to a list: counts it, and writes it if there is room */
static void list(const tr2_world *world, uint32_t index, tr2_shape_contact *out, uint32_t capacity, uint32_t *found)
{
    if (!is_contact(world, index))
        return;
    if (*found < capacity)
        read_contact(world, index, &out[*found]);
    (*found)++;
}

tr_status tr2_world_get_shape_contacts(const tr2_world *world, tr2_shape_contact *out, uint32_t capacity,
                                       uint32_t *count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "get_shape_contacts", "");
    tr_status status = tr2_check_list(&check, out, capacity, count);
    if (status != TR_OK)
        return status;
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->collision.count; i++)
        list(world, i, out, capacity, &found);
    *count = found;
    return TR_OK;
}

/*
 * Contacts of one body: its edges in the plan include contacts as well as joints
 */
tr_status tr2_body_contacts(const tr2_world *world, tr2_body id, tr2_shape_contact *out, uint32_t capacity,
                            uint32_t *count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_contacts", "");
    tr_status status = tr2_check_list(&check, out, capacity, count);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t found = 0;
    for (uint32_t half = tr_plan_first(world->plan, id.index - 1); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        uint32_t slot = tr_half_edge(half), row = world->joint_pool.row[slot];
        if (tr2_joint_type_of(world, slot) != TR_CONTACT || (contacts->flags[row] & TR2_CONTACT_OF_SHAPES) == 0)
            continue;
        list(world, tr2_contact_own(contacts, TR2_CONTACT_ORDER, row), out, capacity, &found);
    }
    *count = found;
    return TR_OK;
}

/*
 * The application's filter
 */
tr_status tr2_do_world_set_contact_filter(tr2_world *world, tr2_contact_filter filter, void *context)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    world->collision.filter = filter;
    world->collision.filter_context = context;
    return TR_OK;
}

bool tr2_pair_filter(tr2_world *world, uint32_t index)
{
    tr2_collision *it = &world->collision;
    if ((it->pairs[index].flags & TR2_PAIR_ASKS) == 0 || tr2_pair_points(&it->pairs[index]) == 0)
        return false;
    tr2_shape_contact contact;
    read_contact(world, index, &contact);
    bool passes;
    if (!tr2_tape_answer(world, &passes)) {
        passes = it->filter(&contact, it->filter_context);
        tr2_tape_keep(world, passes);
    }
    if (passes)
        return false;
    it->pairs[index].flags &= ~TR2_PAIR_FOUND;
    return true;
}
