/* Single shapes: read, replace, list; and the view of all. */
#include "world/shapes/shape.h"
#include "world/shapes/shape_check.h"

static uint32_t row_of(const tr2_world *world, tr2_shape id)
{
    return world->shapes.pool.row[id.index - 1];
}

bool tr2_shape_is_valid(const tr2_world *world, tr2_shape id)
{
    tr2_check silent = TR_CHECK_SILENT;
    return world != NULL && tr2_check_shape_id(&silent, "", world, id) == TR_OK;
}

tr_status tr2_shape_get(const tr2_world *world, tr2_shape id, tr2_shape_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "shape_get", "");
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_shape_id(&check, "id", world, id);
    if (status == TR_OK)
        tr2_shape_read(&world->shapes, row_of(world, id), out);
    return status;
}

/* sets a geometry and density; restores the old ones if the body cannot have the resulting mass */
static tr_status exchange(tr2_world *world, const tr2_check *check, uint32_t row, tr2_geometry *geometry, float density)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t body = shapes->body[row].index - 1;
    tr2_geometry *old = shapes->geometry[row];
    float old_density = shapes->density[row];
    shapes->geometry[row] = geometry;
    shapes->density[row] = density;
    tr2_shapes_forget_sum(shapes, body);
    bool weighs = old_density > 0.0f || density > 0.0f;
    tr_status status = weighs ? tr2_shapes_check_mass(check, world, body) : TR_OK;
    if (status != TR_OK) {
        shapes->geometry[row] = old;
        shapes->density[row] = old_density;
        tr2_shapes_forget_sum(shapes, body);
        return status;
    }
    if (weighs)
        tr2_shapes_apply_mass(world, body);
    tr2_shapes_release_geometry(shapes, old);
    return TR_OK;
}

/* writes a checked definition; its touches will be found anew */
static void write(tr2_world *world, uint32_t row, const tr2_shape_def *def)
{
    uint32_t slot = world->shapes.id[row].index - 1;
    tr2_sleep_disturb_shape(world, slot);
    row = world->shapes.pool.row[slot];
    tr2_shape_write(&world->shapes, row, def);
    tr2_collide_enter(world, row);
    world->collision.fresh = true;
}

tr_status tr2_do_shape_set(tr2_world *world, tr2_shape id, const tr2_shape_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "shape_set", "");
    tr_status status = tr2_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr2_check_shape_id(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    check.subject = "def";
    tr2_shapes *shapes = &world->shapes;
    uint32_t row = row_of(world, id);
    if (!tr2_is_same_body(def->body, shapes->body[row]))
        return tr2_check_fail(&check, TR_ERROR_RANGE, "body", "is not the shape's");
    tr2_geometry made;
    status = tr2_check_shape(&check, world->settings.length_unit, def, &made);
    if (status != TR_OK)
        return status;
    tr2_geometry *geometry = tr2_shapes_copy_geometry(shapes, &made);
    if (geometry == NULL)
        return tr2_check_fail(&check, TR_ERROR_MEMORY, "", "cannot change: no memory for its points");
    status = exchange(world, &check, row, geometry, def->density);
    if (status != TR_OK) {
        tr2_shapes_release_geometry(shapes, geometry);
        return status;
    }
    write(world, row, def);
    return TR_OK;
}

/*
 * Single properties
 */
static tr_status begin(const tr2_world *world, tr2_check *check, const char *call, tr2_shape id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    *check = tr2_check_of(world, call, "");
    return tr2_check_shape_id(check, "id", world, id);
}

/* the same, and reads the shape's definition */
static tr_status begin_edit(const tr2_world *world, tr2_check *check, const char *call, tr2_shape id,
                            tr2_shape_def *def)
{
    tr_status status = begin(world, check, call, id);
    if (status == TR_OK)
        tr2_shape_read(&world->shapes, row_of(world, id), def);
    return status;
}

tr_status tr2_do_shape_set_surface(tr2_world *world, tr2_shape id, tr2_surface surface)
{
    tr2_check check;
    tr2_shape_def def;
    tr_status status = begin_edit(world, &check, "shape_set_surface", id, &def);
    if (status == TR_OK)
        status = tr2_check_surface(&check, &surface);
    if (status != TR_OK)
        return status;
    def.surface = surface;
    write(world, row_of(world, id), &def);
    return TR_OK;
}

tr_status tr2_do_shape_set_filter(tr2_world *world, tr2_shape id, tr2_filter filter)
{
    tr2_check check;
    tr2_shape_def def;
    tr_status status = begin_edit(world, &check, "shape_set_filter", id, &def);
    if (status != TR_OK)
        return status;
    def.filter = filter;
    write(world, row_of(world, id), &def);
    return TR_OK;
}

tr_status tr2_do_shape_set_sensor(tr2_world *world, tr2_shape id, bool sensor)
{
    tr2_check check;
    tr2_shape_def def;
    tr_status status = begin_edit(world, &check, "shape_set_sensor", id, &def);
    if (status != TR_OK)
        return status;
    def.sensor = sensor;
    write(world, row_of(world, id), &def);
    return TR_OK;
}

tr_status tr2_do_shape_set_user_data(tr2_world *world, tr2_shape id, uint64_t user_data)
{
    tr2_check check;
    tr_status status = begin(world, &check, "shape_set_user_data", id);
    if (status == TR_OK)
        world->shapes.user_data[row_of(world, id)] = user_data;
    return status;
}

tr_status tr2_shape_get_body(const tr2_world *world, tr2_shape id, tr2_body *body)
{
    tr2_check check;
    tr_status status = begin(world, &check, "shape_get_body", id);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "body", body);
    if (status == TR_OK)
        *body = world->shapes.body[row_of(world, id)];
    return status;
}

tr_status tr2_shape_get_user_data(const tr2_world *world, tr2_shape id, uint64_t *user_data)
{
    tr2_check check;
    tr_status status = begin(world, &check, "shape_get_user_data", id);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "user_data", user_data);
    if (status == TR_OK)
        *user_data = world->shapes.user_data[row_of(world, id)];
    return status;
}

tr_status tr2_body_shapes(const tr2_world *world, tr2_body id, tr2_shape *out, uint32_t capacity, uint32_t *count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_shapes", "");
    tr_status status = tr2_check_list(&check, out, capacity, count);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t all = 0, first = tr2_shapes_newest(shapes, id.index - 1);
    for (uint32_t slot = first; slot != TR_NONE; slot = shapes->older[shapes->pool.row[slot]])
        all++;
    uint32_t place = all;
    for (uint32_t slot = first; slot != TR_NONE; slot = shapes->older[shapes->pool.row[slot]]) {
        if (--place < capacity)
            out[place] = shapes->id[shapes->pool.row[slot]];
    }
    *count = all;
    return TR_OK;
}

tr2_shape_view tr2_world_shapes(const tr2_world *world)
{
    tr2_shape_view view;
    memset(&view, 0, sizeof view);
    if (world == NULL)
        return view;
    const tr2_shapes *shapes = &world->shapes;
    view.count = shapes->table.count;
    view.id = shapes->id;
    view.body = shapes->body;
    view.kind = shapes->kind;
    view.flags = shapes->flags;
    view.density = shapes->density;
    view.surface = shapes->surface;
    view.filter = shapes->filter;
    view.user_data = shapes->user_data;
    return view;
}

void tr2_shapes_touch(tr2_world *world, uint32_t body_slot)
{
    tr2_shapes *shapes = &world->shapes;
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        tr2_rouse_pairs(world, slot);
        shapes->flags[shapes->pool.row[slot]] |= TR2_SHAPE_FRESH;
        tr2_collide_enter(world, shapes->pool.row[slot]);
        world->collision.fresh = true;
    }
}
