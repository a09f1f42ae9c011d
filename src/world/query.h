/* What the files of queries share: who asks, what counts, and lists of results. */
#ifndef TR_WORLD_QUERY_H
#define TR_WORLD_QUERY_H

#include "base/arithmetic.h"
#include "collide/geometry.h"
#include "trammel/queries2.h"
#include "world/check.h"

/* A batch that is being answered. */
typedef struct tr2_ask {
    const tr2_world *world;
    tr2_query query;
    tr2_check check;
    uint32_t index; /* of the entry */
} tr2_ask;

/* Begins a call: null world, batch or output are TR_ERROR_NULL. */
tr_status tr2_ask_begin(tr2_ask *ask, const char *call, const tr2_world *world, const tr2_query *query,
                        const void *batch, const void *out, tr_error *error);
/* Ends one that has worked: no error. */
tr_status tr2_ask_end(const tr2_ask *ask);

typedef enum tr2_number_kind { TR2_DOUBLES, TR2_FLOATS } tr2_number_kind;

/* Whether an array of `count` numbers of a kind is there, and each is finite. */
tr_status tr2_ask_check_numbers(tr2_ask *ask, const char *name, const void *values, tr2_number_kind kind,
                                uint32_t count);
tr_status tr2_ask_check_places(tr2_ask *ask, const tr2_places *places);
/* The geometry of a definition whose body is not asked for. */
tr_status tr2_ask_check_shape(tr2_ask *ask, const tr2_shape_def *def, tr2_geometry *out);

/* The row of a shape that counts, TR_NONE of one that does not. `slot`: of the shape. */
uint32_t tr2_ask_row(const tr2_ask *ask, uint32_t slot);
/* Where the body of a shape's row is. */
tr2_transform tr2_ask_frame(const tr2_world *world, uint32_t row);
/* Where the placed shape of entry `index` is. */
tr2_transform tr2_ask_place(const tr2_places *places, uint32_t index);

/* A place of a frame in the world. */
static inline tr_dvec2 tr2_frame_point(const tr2_transform *frame, tr_vec2 p)
{
    tr_dvec2 out = {frame->position.x + ((double)frame->c * (double)p.x - (double)frame->s * (double)p.y),
                    frame->position.y + ((double)frame->s * (double)p.x + (double)frame->c * (double)p.y)};
    return out;
}

/* And back, in double: differences first. */
static inline tr_dvec2 tr2_frame_back(const tr2_transform *frame, double x, double y)
{
    double dx = x - frame->position.x, dy = y - frame->position.y;
    return (tr_dvec2){(double)frame->c * dx + (double)frame->s * dy, (double)frame->c * dy - (double)frame->s * dx};
}

/*
 * Lists: the results of entries one after another, each entry's in order. Of more than there is room for, the first.
 */
typedef bool tr2_before_fn(const void *a, const void *b);

typedef struct tr2_list {
    unsigned char *out;
    size_t size; /* of an element */
    uint32_t capacity, *first;
    tr2_before_fn *before;
    uint32_t begin, kept; /* of the entry: where its own begin in `out`, and how many are written */
    uint64_t count;       /* of all results up to now */
} tr2_list;

/* Makes a list ready; TR_ERROR_NULL as above. */
tr_status tr2_list_begin(const tr2_ask *ask, tr2_list *list, void *out, size_t size, uint32_t capacity, uint32_t *first,
                         tr2_before_fn *before);
void tr2_list_start(tr2_list *list, uint32_t index);
void tr2_list_add(tr2_list *list, const void *element);
void tr2_list_sort(tr2_list *list);
/* All entries are done: TR_ERROR_LIMIT where the results are too many to count. */
tr_status tr2_list_end(const tr2_ask *ask, tr2_list *list, uint32_t entries);

#endif
