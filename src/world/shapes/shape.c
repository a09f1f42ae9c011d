/* Shapes: the table, creation, destruction, and complete definitions. */
#include "world/shapes/shape.h"

#include <string.h>

#include "world/core/take_back.h"
#include "world/shapes/shape_check.h"

/*
 * The table
 */
#define SIZE(type, name) (uint32_t)sizeof(type),
static const uint32_t sizes[] = {TR2_SHAPE_COLUMNS(SIZE)};
#undef SIZE

bool tr2_shapes_init(tr2_shapes *shapes, tr_memory *memory)
{
    tr_pool_init(&shapes->pool, memory);
    if (!tr_table_init(&shapes->table, memory, sizes, (uint32_t)(sizeof sizes / sizeof sizes[0])))
        return false;
    tr2_shapes_refresh(shapes);
    return true;
}

void tr2_shapes_refresh(tr2_shapes *shapes)
{
    void **column = shapes->table.columns;
#define COLUMN(type, name) shapes->name = *column++;
    TR2_SHAPE_COLUMNS(COLUMN)
#undef COLUMN
}

tr2_geometry *tr2_shapes_copy_geometry(tr2_shapes *shapes, const tr2_geometry *geometry)
{
    size_t size = tr2_geometry_size(geometry);
    tr2_geometry *copy = tr_allocate(shapes->pool.memory, size);
    if (copy == NULL)
        return NULL;
    shapes->bytes += size;
    return memcpy(copy, geometry, size);
}

void tr2_shapes_release_geometry(tr2_shapes *shapes, tr2_geometry *geometry)
{
    if (geometry == NULL)
        return;
    size_t size = tr2_geometry_size(geometry);
    shapes->bytes -= size;
    tr_release(shapes->pool.memory, geometry, size);
}

void tr2_shapes_free(tr2_shapes *shapes)
{
    tr_memory *memory = shapes->pool.memory;
    if (memory == NULL)
        return;
    for (uint32_t row = 0; row < shapes->table.count; row++)
        tr2_shapes_release_geometry(shapes, shapes->geometry[row]);
    tr_release(memory, shapes->newest, shapes->newest_capacity * sizeof *shapes->newest);
    tr_release(memory, shapes->summed, shapes->summed_capacity * sizeof *shapes->summed);
    tr_table_free(&shapes->table);
    tr_pool_free(&shapes->pool);
}

/*
 * A body's list of shapes, newest first
 */
static uint32_t row_of(const tr2_shapes *shapes, uint32_t slot)
{
    return shapes->pool.row[slot];
}

static void link_shape(tr2_shapes *shapes, uint32_t row)
{
    uint32_t slot = shapes->id[row].index - 1, body = shapes->body[row].index - 1;
    uint32_t older = tr2_shapes_newest(shapes, body);
    shapes->older[row] = older;
    shapes->newer[row] = TR_NONE;
    if (older != TR_NONE)
        shapes->newer[row_of(shapes, older)] = slot;
    shapes->newest[body] = slot + 1;
}

static void unlink_shape(tr2_shapes *shapes, uint32_t row)
{
    uint32_t older = shapes->older[row], newer = shapes->newer[row];
    tr2_shapes_forget_sum(shapes, shapes->body[row].index - 1);
    if (older != TR_NONE)
        shapes->newer[row_of(shapes, older)] = newer;
    if (newer != TR_NONE)
        shapes->older[row_of(shapes, newer)] = older;
    else
        shapes->newest[shapes->body[row].index - 1] = older + 1;
}

/*
 * Rows that rest
 */
static void exchange_rows(tr2_shapes *shapes, uint32_t a, uint32_t b)
{
    tr_table_swap(&shapes->table, a, b);
    tr_pool_set_row(&shapes->pool, shapes->id[a].index - 1, a);
    tr_pool_set_row(&shapes->pool, shapes->id[b].index - 1, b);
}

void tr2_shapes_rest(tr2_shapes *shapes, uint32_t body_slot)
{
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[row_of(shapes, slot)]) {
        uint32_t row = row_of(shapes, slot);
        /* marks of the last step */
        shapes->flags[row] &= ~(TR2_SHAPE_FAST | TR2_SHAPE_DEEP | TR2_SHAPE_BY_FIXED | TR2_SHAPE_BY_DRIVEN);
        if (shapes->rest_first == shapes->rest_end)
            shapes->rest_first = shapes->rest_end = row;
        if (row < shapes->rest_first)
            exchange_rows(shapes, row, --shapes->rest_first);
        else
            exchange_rows(shapes, row, shapes->rest_end++);
    }
}

uint32_t tr2_shapes_rouse(tr2_shapes *shapes, uint32_t body_slot, uint32_t *rows)
{
    uint32_t count = 0;
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[row_of(shapes, slot)]) {
        uint32_t row = row_of(shapes, slot);
        if (row < shapes->rest_first || row >= shapes->rest_end)
            continue;
        if (rows != NULL)
            rows[count] = row;
        count++;
        exchange_rows(shapes, row, --shapes->rest_end);
    }
    return count;
}

void tr2_shapes_rouse_undo(tr2_shapes *shapes, const uint32_t *rows, uint32_t count)
{
    while (count-- > 0)
        exchange_rows(shapes, rows[count], shapes->rest_end++);
}

/*
 * Creation
 */
static tr_status check_def(const tr2_check *check, const tr2_world *world, const tr2_shape_def *def,
                           tr2_geometry *geometry)
{
    tr_status status = tr2_check_body(check, "body", world, def->body);
    return status != TR_OK ? status : tr2_check_shape(check, world->settings.length_unit, def, geometry);
}

static bool reserve_shapes(tr2_world *world, const tr2_shape_def *defs, uint32_t count)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t bodies = 0;
    bool more = false;
    for (uint32_t i = 0; i < count; i++) {
        bodies = defs[i].body.index > bodies ? defs[i].body.index : bodies;
        more = more || tr2_shapes_newest(shapes, defs[i].body.index - 1) != TR_NONE;
    }
    /* larger indices are invalid, as the checks will find */
    bodies = bodies < world->body_pool.count ? bodies : world->body_pool.count;
    uint32_t sums = more ? bodies : 0;
    bool ok =
        tr_pool_reserve(&shapes->pool, count) && tr_table_reserve(&shapes->table, shapes->table.count + count) &&
        tr_grow(&world->memory, (void **)&shapes->newest, &shapes->newest_capacity, bodies, sizeof *shapes->newest) &&
        tr_grow(&world->memory, (void **)&shapes->summed, &shapes->summed_capacity, sums, sizeof *shapes->summed) &&
        tr2_broad_reserve(&world->collision.broad, shapes->pool.capacity) &&
        tr_grow(&world->memory, (void **)&world->collision.places, &world->collision.place_capacity,
                shapes->pool.capacity, sizeof *world->collision.places);
    tr2_shapes_refresh(shapes);
    return ok;
}

static void append(tr2_world *world, const tr2_shape_def *def, tr2_geometry *geometry)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t row = tr_table_append(&shapes->table);
    uint32_t slot = tr_pool_take(&shapes->pool, row);
    shapes->id[row] = (tr2_shape){slot + 1, world->tag, shapes->pool.generation[slot]};
    shapes->body[row] = def->body;
    shapes->geometry[row] = geometry;
    tr2_shape_write(shapes, row, def);
    link_shape(shapes, row);
}

/* removes the newest rows of a failed batch, whose slots nobody knows yet; `bounces`, `slots`: as they were before */
static void take_back(tr2_world *world, uint32_t count, bool bounces, uint32_t slots)
{
    tr2_shapes *shapes = &world->shapes;
    shapes->bounces = bounces;
    while (count-- > 0) {
        uint32_t row = shapes->table.count - 1;
        unlink_shape(shapes, row);
        tr2_shapes_release_geometry(shapes, shapes->geometry[row]);
        tr_take_slot_back(&shapes->pool, shapes->id[row].index - 1, slots);
        tr_table_remove(&shapes->table, row);
    }
}

/* updates the masses of the bodies of shapes, each body once: first checks all, then writes all */
static tr_status update_masses(tr2_world *world, tr2_check *check, const tr2_shape *ids, uint32_t count)
{
    const tr2_shapes *shapes = &world->shapes;
    tr_status status = TR_OK;
    for (uint32_t i = count; i-- > 0 && status == TR_OK;) {
        uint32_t row = row_of(shapes, ids[i].index - 1);
        uint32_t *flags = &world->bodies.flags[tr2_body_row(world, shapes->body[row])];
        if (!(shapes->density[row] > 0.0f) || (*flags & TR_BODY_MARKED) != 0)
            continue;
        check->index = check->index == TR_NONE ? TR_NONE : i;
        *flags |= TR_BODY_MARKED;
        status = tr2_shapes_check_mass(check, world, shapes->body[row].index - 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = row_of(shapes, ids[i].index - 1);
        uint32_t *flags = &world->bodies.flags[tr2_body_row(world, shapes->body[row])];
        if ((*flags & TR_BODY_MARKED) == 0)
            continue;
        *flags &= ~TR_BODY_MARKED;
        if (status == TR_OK)
            tr2_shapes_apply_mass(world, shapes->body[row].index - 1);
    }
    return status;
}

static tr_status create_shapes(tr2_world *world, tr2_check *check, const tr2_shape_def *defs, uint32_t count,
                               tr2_shape *ids)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t first = shapes->table.count, slots = shapes->pool.count;
    bool bounces = shapes->bounces;
    tr_status status = reserve_shapes(world, defs, count) ? TR_OK : TR_ERROR_MEMORY;
    uint32_t made = 0;
    for (; made < count && status == TR_OK; made++) {
        if (check->index != TR_NONE)
            check->index = made;
        tr2_geometry geometry, *copy = NULL;
        status = check_def(check, world, &defs[made], &geometry);
        if (status != TR_OK)
            break;
        copy = tr2_shapes_copy_geometry(shapes, &geometry);
        if (copy == NULL) {
            status = TR_ERROR_MEMORY;
            break;
        }
        append(world, &defs[made], copy);
    }
    if (status == TR_OK)
        status = tr2_collide_reserve(world, first, count) ? TR_OK : TR_ERROR_MEMORY;
    if (status == TR_OK)
        status = update_masses(world, check, &shapes->id[first], count);
    if (status != TR_OK) {
        take_back(world, made, bounces, slots);
        if (status != TR_ERROR_MEMORY)
            return status;
        tr2_check whole = {check->error, check->call, "", TR_NONE, check->busy};
        return tr2_check_fail(&whole, status, "", "no memory for %u shapes", count);
    }
    tr2_broad_close_holes(&world->collision.broad);
    for (uint32_t i = 0; i < count; i++) {
        tr2_sleep_rouse(world, defs[i].body.index - 1);
        tr2_collide_enter(world, first + i);
        if (ids != NULL)
            ids[i] = shapes->id[first + i];
    }
    world->collision.fresh = true;
    return TR_OK;
}

tr_status tr2_do_world_create_shapes(tr2_world *world, const tr2_shape_def *defs, uint32_t count, tr2_shape *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "create_shapes", "defs");
    tr_status status = tr2_check_pointer(&check, "", defs);
    if (status == TR_OK)
        status = tr2_check_room(&check, &world->shapes.pool, count, 31);
    check.index = 0;
    return status != TR_OK ? status : create_shapes(world, &check, defs, count, ids);
}

tr_status tr2_do_world_create_shape(tr2_world *world, const tr2_shape_def *def, tr2_shape *id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "create_shape", "def");
    tr_status status = tr2_check_pointer(&check, "", def);
    if (status == TR_OK)
        status = tr2_check_room(&check, &world->shapes.pool, 1, 31);
    return status != TR_OK ? status : create_shapes(world, &check, def, 1, id);
}

/* the index of a chain's point `by` after point i, wrapping around */
static uint32_t chain_place(const tr2_chain_def *def, uint32_t i, uint32_t by)
{
    uint32_t place = i + by;
    return place < def->count ? place : place - def->count;
}

/* the definition of one segment of a chain */
static tr2_shape_def chain_segment(const tr2_chain_def *def, uint32_t i)
{
    uint32_t n = def->count;
    tr2_shape_def out = def->shape;
    out.kind = TR2_CHAIN_SEGMENT;
    out.point_count = 2;
    out.radius = 0.0f;
    out.point[0] = def->points[i];
    out.point[1] = def->points[chain_place(def, i, 1)];
    out.has_before = def->loop || i > 0;
    out.has_after = def->loop || i + 2 < n;
    if (out.has_before)
        out.before = def->points[chain_place(def, i, n - 1)];
    if (out.has_after)
        out.after = def->points[chain_place(def, i, 2)];
    return out;
}

/* names a segment without length itself, not the one before it, to which it is a neighbour */
static tr_status check_lengths(tr2_check *check, float unit, const tr2_shape_def *segments, uint32_t count)
{
    tr2_geometry line;
    for (check->index = 0; check->index < count; check->index++) {
        const tr2_shape_def *one = &segments[check->index];
        if (tr2_geometry_segment(unit, one->point[0], one->point[1], &line) == TR_ERROR_ZERO)
            return tr2_check_fail(check, TR_ERROR_ZERO, "point", "makes a line without length");
    }
    check->index = 0;
    return TR_OK;
}

tr_status tr2_do_world_create_chain(tr2_world *world, const tr2_chain_def *def, tr2_shape *ids)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "create_chain", "");
    tr_status status = tr2_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "def.points", def->points);
    if (status == TR_OK && def->count < (def->loop ? 3u : 2u))
        status = tr2_check_fail(&check, TR_ERROR_RANGE, "def.count", "is %u, must be at least %u", def->count,
                                def->loop ? 3u : 2u);
    if (status == TR_OK)
        status = tr2_check_room(&check, &world->shapes.pool, def->count, 31);
    if (status != TR_OK)
        return status;
    uint32_t count = def->loop ? def->count : def->count - 1;
    tr2_shape_def *segments = tr_allocate_array(&world->memory, count, sizeof *segments);
    if (segments == NULL)
        return tr2_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for %u segments", count);
    for (uint32_t i = 0; i < count; i++)
        segments[i] = chain_segment(def, i);
    check.subject = "segment";
    status = check_lengths(&check, world->settings.length_unit, segments, count);
    if (status == TR_OK)
        status = create_shapes(world, &check, segments, count, ids);
    tr_release(&world->memory, segments, count * sizeof *segments);
    return status;
}

/*
 * Destruction
 */
/* after a row has been removed, and the last one was moved to its place: if that rests, all that do are together again */
static void keep_rest(tr2_shapes *shapes, uint32_t row)
{
    if (shapes->rest_end <= shapes->table.count)
        return;
    if (shapes->rest_first == shapes->rest_end) {
        shapes->rest_first = shapes->rest_end = 0;
        return;
    }
    shapes->rest_end = shapes->table.count;
    if (shapes->rest_first < shapes->rest_end) {
        exchange_rows(shapes, row, --shapes->rest_first);
    } else {
        shapes->rest_first = row;
        shapes->rest_end = row + 1;
    }
}

static void remove_shape(tr2_world *world, uint32_t slot)
{
    tr2_shapes *shapes = &world->shapes;
    tr2_sleep_disturb_shape(world, slot);
    uint32_t row = row_of(shapes, slot);
    bool kept = tr2_touch_shape_goes(world, row);
    tr2_broad_remove(&world->collision.broad, slot);
    unlink_shape(shapes, row);
    if (!kept)
        tr2_shapes_release_geometry(shapes, shapes->geometry[row]);

    /* the last row moves into this one */
    uint32_t last = shapes->id[shapes->table.count - 1].index - 1;
    tr_table_remove(&shapes->table, row);
    tr_pool_set_row(&shapes->pool, last, row);
    tr_pool_give(&shapes->pool, slot);
    /* the last row may have been one that rests: it takes the place before the others, or after them */
    keep_rest(shapes, row);
}

void tr2_shapes_remove_body(tr2_world *world, uint32_t body_slot)
{
    for (uint32_t slot = tr2_shapes_newest(&world->shapes, body_slot); slot != TR_NONE;
         slot = tr2_shapes_newest(&world->shapes, body_slot))
        remove_shape(world, slot);
}

static tr_status mark_shapes(tr2_world *world, tr2_check *check, const tr2_shape *ids, uint32_t count, uint32_t *marked)
{
    tr2_shapes *shapes = &world->shapes;
    for (; *marked < count; (*marked)++) {
        check->index = check->index == TR_NONE ? TR_NONE : *marked;
        tr_status status = tr2_check_shape_id(check, "", world, ids[*marked]);
        if (status != TR_OK)
            return status;
        uint32_t row = row_of(shapes, ids[*marked].index - 1), *flags = &shapes->flags[row];
        if ((*flags & TR2_SHAPE_MARKED) != 0)
            return tr2_check_fail(check, TR_ERROR_STALE_ID, "", "names a shape that the list has already");
        *flags |= TR2_SHAPE_MARKED;
        tr2_shapes_forget_sum(shapes, shapes->body[row].index - 1);
    }
    return TR_OK;
}

/* marks shapes first, so that the bodies' masses without them can be checked before anything changes */
static tr_status destroy_shapes(tr2_world *world, tr2_check *check, const tr2_shape *ids, uint32_t count)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t marked = 0;
    tr_status status = mark_shapes(world, check, ids, count, &marked);
    if (status == TR_OK)
        status = update_masses(world, check, ids, count);
    for (uint32_t i = 0; i < marked && status != TR_OK; i++) {
        uint32_t row = row_of(shapes, ids[i].index - 1);
        shapes->flags[row] &= ~TR2_SHAPE_MARKED;
        tr2_shapes_forget_sum(shapes, shapes->body[row].index - 1);
    }
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        remove_shape(world, ids[i].index - 1);
    return status;
}

tr_status tr2_do_world_destroy_shapes(tr2_world *world, const tr2_shape *ids, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (count == 0)
        return TR_OK;
    tr2_check check = tr2_check_of(world, "destroy_shapes", "ids");
    tr_status status = tr2_check_pointer(&check, "", ids);
    check.index = 0;
    return status != TR_OK ? status : destroy_shapes(world, &check, ids, count);
}

tr_status tr2_do_world_destroy_shape(tr2_world *world, tr2_shape id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "destroy_shape", "id");
    return destroy_shapes(world, &check, &id, 1);
}
