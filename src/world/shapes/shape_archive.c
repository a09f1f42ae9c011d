/* The shapes in an archive. Of a body's list of shapes only the links are in it; sums of masses are made again. */
#include <string.h>

#include "world/shapes/shape_check.h"

enum {
#define COLUMN(type, name) COLUMN_##name,
    TR2_SHAPE_COLUMNS(COLUMN)
#undef COLUMN
};

/* what is read before its size is known */
#define GEOMETRY_HEAD offsetof(tr2_geometry, corners)

static bool is_head_sound(const tr2_geometry *it)
{
    static const struct {
        uint8_t least, most;
    } corners[TR2_GEOMETRY_KIND_COUNT] = {
        [TR2_GEOMETRY_CIRCLE] = {1, 1}, [TR2_GEOMETRY_CAPSULE] = {2, 2},  [TR2_GEOMETRY_SEGMENT] = {2, 2},
        [TR2_GEOMETRY_CHAIN] = {2, 2},  [TR2_GEOMETRY_POLYGON] = {3, 16},
    };
    return it->kind < TR2_GEOMETRY_KIND_COUNT && it->count >= corners[it->kind].least &&
           it->count <= corners[it->kind].most && it->ghosts <= 3 && it->convex <= 3;
}

/* reads a geometry into the memory of a former one, if it has the same size */
static void read_geometry(tr2_shapes *shapes, tr_archive *archive, uint32_t row)
{
    tr2_geometry head;
    memset(&head, 0, sizeof head);
    tr_archive_bytes(archive, &head, GEOMETRY_HEAD);
    if (archive->status != TR_OK || !is_head_sound(&head)) {
        tr_archive_refuse(archive);
        return;
    }
    size_t size = tr2_geometry_size(&head);
    if (shapes->geometry[row] != NULL && tr2_geometry_size(shapes->geometry[row]) != size) {
        tr2_shapes_release_geometry(shapes, shapes->geometry[row]);
        shapes->geometry[row] = NULL;
    }
    if (shapes->geometry[row] == NULL) {
        shapes->geometry[row] = tr_allocate(archive->memory, size);
        if (shapes->geometry[row] == NULL) {
            archive->status = TR_ERROR_MEMORY;
            return;
        }
        shapes->bytes += size;
    }
    memcpy(shapes->geometry[row], &head, GEOMETRY_HEAD);
    tr_archive_bytes(archive, (unsigned char *)shapes->geometry[row] + GEOMETRY_HEAD, size - GEOMETRY_HEAD);
}

static void visit_geometries(tr2_shapes *shapes, tr_archive *archive)
{
    for (uint32_t row = 0; row < shapes->table.count && archive->status == TR_OK; row++) {
        if (tr_archive_reads(archive))
            read_geometry(shapes, archive, row);
        else
            tr_archive_bytes(archive, shapes->geometry[row], tr2_geometry_size(shapes->geometry[row]));
    }
}

/* Visits the table. Rows that are read have the geometries of former rows, or none. */
static void visit_table(tr2_shapes *shapes, tr_archive *archive)
{
    uint32_t count = shapes->table.count, had = count;
    if (tr_archive_reads(archive)) {
        /* how many rows the table will have, with which the archive goes on */
        tr_archive ahead = *archive;
        tr_archive_value(&ahead, count);
        uint32_t keep = ahead.status == TR_OK && count <= shapes->table.capacity ? count : 0;
        for (uint32_t row = keep; row < had; row++)
            tr2_shapes_release_geometry(shapes, shapes->geometry[row]);
        had = keep < had ? keep : had;
        if (had != shapes->table.count)
            tr_archive_touch(&shapes->table.group);
        shapes->table.count = had;
    }
    tr_table_archive(&shapes->table, archive, INT32_MAX, COLUMN_geometry);
    if (tr_archive_reads(archive)) {
        tr2_shapes_refresh(shapes);
        for (uint32_t row = had; row < shapes->table.count; row++)
            shapes->geometry[row] = NULL;
    }
}

/* writes the newest shape of each body; false: the links are not lists of the bodies' shapes */
static bool link_newest(tr2_shapes *shapes, tr_archive *archive, const tr_pool *bodies)
{
    uint32_t listed = 0;
    if (!tr_grow(archive->memory, (void **)&shapes->newest, &shapes->newest_capacity, bodies->count,
                 sizeof *shapes->newest)) {
        archive->status = TR_ERROR_MEMORY;
        return true;
    }
    for (uint32_t body = 0; body < shapes->newest_capacity; body++)
        shapes->newest[body] = 0;
    for (uint32_t body = 0; body < shapes->summed_capacity; body++)
        shapes->summed[body].upto = 0;
    for (uint32_t row = 0; row < shapes->table.count; row++) {
        if (shapes->newer[row] != TR_NONE)
            continue;
        uint32_t body = shapes->body[row].index - 1, slot = shapes->id[row].index - 1, before = TR_NONE;
        if (shapes->newest[body] != 0)
            return false;
        shapes->newest[body] = slot + 1;
        for (; slot != TR_NONE; before = slot, slot = shapes->older[shapes->pool.row[slot]]) {
            if (slot >= shapes->pool.count || tr_pool_is_free(&shapes->pool, slot))
                return false;
            uint32_t at = shapes->pool.row[slot];
            if (shapes->body[at].index - 1 != body || (before != TR_NONE && shapes->newer[at] != before) ||
                listed++ >= shapes->table.count)
                return false;
        }
    }
    return listed == shapes->table.count;
}

static bool are_rows_sound(const tr2_shapes *shapes, const tr_pool *bodies)
{
    if (!tr_pool_is_sound(&shapes->pool, shapes->table.count))
        return false;
    for (uint32_t row = 0; row < shapes->table.count; row++) {
        uint32_t slot = shapes->id[row].index - 1, body = shapes->body[row].index - 1;
        if (slot >= shapes->pool.count || shapes->pool.row[slot] != row || body >= bodies->count ||
            tr_pool_is_free(bodies, body) || shapes->kind[row] >= TR2_SHAPE_KIND_COUNT ||
            (shapes->flags[row] & TR2_SHAPE_MARKED) != 0)
            return false;
    }
    return true;
}

void tr2_shapes_archive(tr2_shapes *shapes, tr_archive *archive, const tr_pool *bodies)
{
    tr_pool_archive(&shapes->pool, archive);
    visit_table(shapes, archive);
    visit_geometries(shapes, archive);
    tr_archive_flag(archive, &shapes->bounces);
    tr_archive_flag(archive, &shapes->weigh);
    tr_archive_value(archive, shapes->due);
    tr_archive_value(archive, shapes->rest_first);
    tr_archive_value(archive, shapes->rest_end);
    if (tr_archive_reads(archive) && archive->status == TR_OK &&
        !(are_rows_sound(shapes, bodies) && link_newest(shapes, archive, bodies)))
        tr_archive_refuse(archive);
}
