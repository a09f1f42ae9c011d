/* Internal interface of the queries: parameters, filtering, and lists of results. */
#ifndef TR_WORLD_QUERY_H
#define TR_WORLD_QUERY_H

#include "base/arithmetic.h"
#include "base/finite.h"
#include "collide/geometry/geometry.h"
#include "trammel/queries2.h"
#include "world/core/check.h"

/* The parameters of a batch of queries. */
typedef struct tr2_ask {
    const tr2_world *world;
    tr2_query query;
    tr2_check check;
    uint32_t index; /* of the current entry */
} tr2_ask;

/* Starts a call. Null world, batch or output: TR_ERROR_NULL. */
tr_status tr2_ask_begin(tr2_ask *ask, const char *call, const tr2_world *world, const tr2_query *query,
                        const void *batch, const void *out, tr_error *error);
/* Ends a successful call: clears the error. */
tr_status tr2_ask_end(const tr2_ask *ask);

typedef enum tr2_number_kind { TR2_DOUBLES, TR2_FLOATS } tr2_number_kind;

/* Checks that an array of `count` numbers exists and all are finite. */
tr_status tr2_ask_check_numbers(tr2_ask *ask, const char *name, const void *values, tr2_number_kind kind,
                                uint32_t count);
tr_status tr2_ask_check_poses(tr2_ask *ask, const tr2_poses *poses);
/* Checks a definition, whose body is ignored, and computes its geometry. */
tr_status tr2_ask_check_shape(tr2_ask *ask, const tr2_shape_def *def, tr2_geometry *out);

/* The row of the shape in `slot` if the query's filter accepts it, else TR_NONE. */
uint32_t tr2_ask_row(const tr2_ask *ask, uint32_t slot);
/* Whether `accept` takes a shape, in a call that changes the world: the answer is recorded, or comes from a recording. */
bool tr2_query_accepts(const tr2_world *world, const tr2_query *query, tr2_shape shape, uint32_t index);
/* The transform of the body of a shape's row. */
tr2_transform tr2_ask_frame(const tr2_world *world, uint32_t row);
/* The transform of the placed shape of entry `index`. */
tr2_transform tr2_ask_pose(const tr2_poses *poses, uint32_t index);

/* The world position of a point in a frame. */
static inline tr_dvec2 tr2_frame_point(const tr2_transform *frame, tr_vec2 p)
{
    tr_dvec2 out = {frame->position.x + ((double)frame->c * (double)p.x - (double)frame->s * (double)p.y),
                    frame->position.y + ((double)frame->s * (double)p.x + (double)frame->c * (double)p.y)};
    return out;
}

/* The inverse, in double: subtracts first. Finite also where the difference is not. */
static inline tr_dvec2 tr2_frame_back(const tr2_transform *frame, double x, double y)
{
    double dx = tr_within(x - frame->position.x, 4e307), dy = tr_within(y - frame->position.y, 4e307);
    return (tr_dvec2){(double)frame->c * dx + (double)frame->s * dy, (double)frame->c * dy - (double)frame->s * dx};
}

/*
 * Lists: the results of all entries in sequence, each entry's in order. If there is not enough room, those first in
 * order are kept.
 */
typedef bool tr2_before_fn(const void *a, const void *b);

#define TR2_LIST_ELEMENT sizeof(tr2_query_contact) /* bytes, at most */

typedef struct tr2_list {
    unsigned char *out;
    size_t size; /* of an element */
    uint32_t capacity, *first;
    tr2_before_fn *before;
    uint32_t begin, kept; /* of the entry: start of its results in `out`, and number written */
    uint64_t count;       /* of all results so far */
} tr2_list;

/* Prepares a list. TR_ERROR_NULL as above. */
tr_status tr2_list_begin(const tr2_ask *ask, tr2_list *list, void *out, size_t size, uint32_t capacity, uint32_t *first,
                         tr2_before_fn *before);
void tr2_list_start(tr2_list *list, uint32_t index);
void tr2_list_add(tr2_list *list, const void *element);
void tr2_list_sort(tr2_list *list);
/* Ends the list after the last entry. TR_ERROR_LIMIT if there are too many results to count. */
tr_status tr2_list_end(const tr2_ask *ask, tr2_list *list, uint32_t entries);

#endif
