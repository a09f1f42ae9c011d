/* Functions common to all queries. */
#include "world/queries/query.h"

#include <math.h>
#include <string.h>

#include "world/core/body.h"
#include "world/recording/tape.h"
#include "world/shapes/shape_check.h"

tr2_query tr2_query_default(void)
{
    tr2_query query;
    memset(&query, 0, sizeof query);
    query.filter.category = UINT64_MAX;
    query.filter.mask = UINT64_MAX;
    return query;
}

/*
 * Calls
 */
tr_status tr2_ask_begin(tr2_ask *ask, const char *call, const tr2_world *world, const tr2_query *query,
                        const void *batch, const void *out, tr_error *error)
{
    ask->world = world;
    ask->query = query != NULL ? *query : tr2_query_default();
    ask->check = (tr2_check){error, call, "", TR_NONE, NULL};
    ask->index = 0;
    tr_status status = tr2_check_pointer(&ask->check, "world", world);
    if (status == TR_OK)
        status = tr2_check_pointer(&ask->check, "batch", batch);
    return status != TR_OK ? status : tr2_check_pointer(&ask->check, "out", out);
}

tr_status tr2_ask_end(const tr2_ask *ask)
{
    if (ask->check.error != NULL)
        memset(ask->check.error, 0, sizeof *ask->check.error);
    return TR_OK;
}

tr_status tr2_ask_check_numbers(tr2_ask *ask, const char *name, const void *values, tr2_number_kind kind,
                                uint32_t count)
{
    if (count == 0)
        return TR_OK;
    const double *doubles = values;
    const float *floats = values;
    tr_status status = tr2_check_pointer(&ask->check, name, values);
    tr2_check each = {ask->check.error, ask->check.call, name, 0, NULL};
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        each.index = i;
        status = tr2_check_finite(&each, "", kind == TR2_DOUBLES ? doubles[i] : (double)floats[i]);
    }
    return status;
}

tr_status tr2_ask_check_poses(tr2_ask *ask, const tr2_poses *poses)
{
    tr_status status = tr2_ask_check_numbers(ask, "poses.x", poses->x, TR2_DOUBLES, poses->count);
    if (status == TR_OK)
        status = tr2_ask_check_numbers(ask, "poses.y", poses->y, TR2_DOUBLES, poses->count);
    if (status == TR_OK && poses->angle != NULL)
        status = tr2_ask_check_numbers(ask, "poses.angle", poses->angle, TR2_FLOATS, poses->count);
    return status;
}

tr_status tr2_ask_check_shape(tr2_ask *ask, const tr2_shape_def *def, tr2_geometry *out)
{
    tr_status status = tr2_check_pointer(&ask->check, "shape", def);
    tr2_check check = {ask->check.error, ask->check.call, "shape", TR_NONE, NULL};
    return status != TR_OK ? status : tr2_check_shape(&check, ask->world->settings.length_unit, def, out);
}

/*
 * Shapes
 */
uint32_t tr2_ask_row(const tr2_ask *ask, uint32_t slot)
{
    const tr2_shapes *shapes = &ask->world->shapes;
    uint32_t row = shapes->pool.row[slot];
    if (!ask->query.sensors && (shapes->flags[row] & TR2_SHAPE_SENSOR) != 0)
        return TR_NONE;
    if (tr2_shape_is_disabled(ask->world, row))
        return TR_NONE;
    return tr2_filters_agree(&ask->query.filter, &shapes->filter[row]) ? row : TR_NONE;
}

bool tr2_query_accepts(const tr2_world *world, const tr2_query *query, tr2_shape shape, uint32_t index)
{
    bool accepted = true;
    if (query->accept != NULL && !tr2_tape_answer(world, &accepted)) {
        accepted = query->accept(shape, index, query->context);
        tr2_tape_keep(world, accepted);
    }
    return accepted;
}

tr2_transform tr2_ask_frame(const tr2_world *world, uint32_t row)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t body = tr2_body_row(world, world->shapes.body[row]);
    return (tr2_transform){tr2_body_origin(bodies, body), bodies->angle[body], bodies->c[body], bodies->s[body]};
}

tr2_transform tr2_ask_pose(const tr2_poses *poses, uint32_t index)
{
    tr2_transform out = {{poses->x[index], poses->y[index]}, 0.0, 1.0f, 0.0f};
    if (poses->angle != NULL) {
        out.angle = (double)poses->angle[index];
        tr2_rotation(out.angle, &out.c, &out.s);
    }
    return out;
}

/*
 * Lists
 */
_Static_assert(sizeof(tr2_hit) <= TR2_LIST_ELEMENT && sizeof(tr2_shape) <= TR2_LIST_ELEMENT, "lists can be sorted");

tr_status tr2_list_begin(const tr2_ask *ask, tr2_list *list, void *out, size_t size, uint32_t capacity, uint32_t *first,
                         tr2_before_fn *before)
{
    *list = (tr2_list){.out = out, .size = size, .capacity = capacity, .before = before};
    list->first = first;
    return capacity > 0 ? tr2_check_pointer(&ask->check, "out", out) : TR_OK;
}

void tr2_list_start(tr2_list *list, uint32_t index)
{
    uint32_t count = (uint32_t)(list->count < UINT32_MAX ? list->count : UINT32_MAX);
    list->first[index] = count;
    list->begin = count < list->capacity ? count : list->capacity;
    list->kept = 0;
}

static unsigned char *element_at(const tr2_list *list, uint32_t i)
{
    return list->out + (size_t)(list->begin + i) * list->size;
}

static void swap(const tr2_list *list, uint32_t i, uint32_t k)
{
    unsigned char spare[TR2_LIST_ELEMENT];
    memcpy(spare, element_at(list, i), list->size);
    memcpy(element_at(list, i), element_at(list, k), list->size);
    memcpy(element_at(list, k), spare, list->size);
}

/* heap with the last element of the order at its top: restores it if only element i may be misplaced */
static void sink(const tr2_list *list, uint32_t i, uint32_t count)
{
    for (uint32_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && list->before(element_at(list, child), element_at(list, child + 1)))
            child++;
        if (!list->before(element_at(list, i), element_at(list, child)))
            return;
        swap(list, i, child);
        i = child;
    }
}

static void make_heap(const tr2_list *list)
{
    for (uint32_t i = list->kept / 2; i-- > 0;)
        sink(list, i, list->kept);
}

void tr2_list_add(tr2_list *list, const void *element)
{
    uint32_t room = list->capacity - list->begin;
    list->count++;
    if (list->kept < room) {
        memcpy(element_at(list, list->kept++), element, list->size);
        /* the list is full: from now on the last element is replaced */
        if (list->kept == room)
            make_heap(list);
    } else if (room > 0 && list->before(element, element_at(list, 0))) {
        memcpy(element_at(list, 0), element, list->size);
        sink(list, 0, room);
    }
}

void tr2_list_sort(tr2_list *list)
{
    make_heap(list);
    for (uint32_t left = list->kept; left > 1; left--) {
        swap(list, 0, left - 1);
        sink(list, 0, left - 1);
    }
}

tr_status tr2_list_end(const tr2_ask *ask, tr2_list *list, uint32_t entries)
{
    tr2_list_start(list, entries);
    if (list->count > UINT32_MAX)
        return tr2_check_fail(&ask->check, TR_ERROR_LIMIT, "", "found more than 2^32 - 1 shapes");
    return tr2_ask_end(ask);
}
