/* The table of shapes, and the interface to the rest of the world. */
#ifndef TR_WORLD_SHAPE_H
#define TR_WORLD_SHAPE_H

#include "base/pool.h"
#include "base/table.h"
#include "collide/geometry/geometry.h"
#include "trammel/shapes2.h"

/* X(type, name): one column per line. */
#define TR2_SHAPE_COLUMNS(X)                                                                                           \
    X(tr2_shape, id)                                                                                                   \
    X(tr2_body, body)                                                                                                  \
    X(uint32_t, kind)                                                                                                  \
    X(uint32_t, flags)                                                                                                 \
    X(tr2_geometry *, geometry) /* owned, tr2_geometry_size() bytes */                                                 \
    X(uint32_t, older)          /* slots of the previous and next of the body's shapes; TR_NONE at the ends */         \
    X(uint32_t, newer)                                                                                                 \
    X(float, density)                                                                                                  \
    X(tr2_surface, surface)                                                                                            \
    X(tr2_filter, filter)                                                                                              \
    X(uint64_t, user_data)

/* flags beside those of trammel/shapes2.h */
#define TR2_SHAPE_FRESH  8u  /* its box and its pairs must be computed anew */
#define TR2_SHAPE_MARKED 16u /* seen in the list of a call; never set between calls */
/* shapes ignored by continuous collision, both moving and hit: they may be passed through */
#define TR2_SHAPE_UNFOLLOWED (TR2_SHAPE_SENSOR | TR2_SHAPE_CUSTOM_FILTER)
#define TR2_SHAPE_FAST       32u  /* may have passed through something in the last step */
#define TR2_SHAPE_DEEP       128u /* was deep, at the start of the step, in a body that stops it: mark_deep() */
/* may have met a shape of a static, or of a kinematic body in the last step: their boxes overlapped */
#define TR2_SHAPE_BY_FIXED  256u
#define TR2_SHAPE_BY_DRIVEN 512u

/* The mass of a body's shapes, its first moments, and its inertia about the centre of mass; up to the shape in a slot
   (+ 1; 0: none). */
typedef struct tr2_mass_sum {
    uint32_t upto;
    double mass, moment_x, moment_y, inertia;
} tr2_mass_sum;

typedef struct tr2_shapes {
    tr_table table;
#define COLUMN(type, name) type *name;
    TR2_SHAPE_COLUMNS(COLUMN)
#undef COLUMN
    tr_pool pool;     /* rows are those of the table */
    uint32_t *newest; /* by body slot: slot + 1 of the body's newest shape; 0: none */
    uint32_t newest_capacity;
    /* by body slot: shapes that come to a body do not sum all of its again; most worlds have none that do */
    tr2_mass_sum *summed;
    uint32_t summed_capacity;
    size_t bytes;                  /* of all geometries */
    bool bounces;                  /* some shape has had restitution */
    bool weigh;                    /* some static body has become due to be weighed since the last step */
    uint32_t rest_first, rest_end; /* all rows of [rest_first, rest_end), and no others, are of bodies that sleep */
    uint64_t due;                  /* at most so many static bodies have TR_BODY_WEIGH */
    /* what the call in progress has weighed, as it was; and `off_center` of the bodies, and `due`, before */
    struct tr2_weighed *weighed;
    uint32_t weighed_count, weighed_capacity;
    bool was_off_center;
    uint64_t was_due;
} tr2_shapes;

bool tr2_shapes_init(tr2_shapes *shapes, tr_memory *memory);
void tr2_shapes_free(tr2_shapes *shapes);
void tr2_shapes_refresh(tr2_shapes *shapes);

/* The slot of a body's newest shape, the start of the list by `older`; TR_NONE if it has none. */
static inline uint32_t tr2_shapes_newest(const tr2_shapes *shapes, uint32_t body_slot)
{
    return body_slot < shapes->newest_capacity ? shapes->newest[body_slot] - 1 : UINT32_MAX;
}

/* In a pass over all rows: the row itself, or the first one after those that sleep. */
static inline uint32_t tr2_shapes_awake(const tr2_shapes *shapes, uint32_t row)
{
    return row >= shapes->rest_first && row < shapes->rest_end ? shapes->rest_end : row;
}

static inline uint32_t tr2_shapes_awake_count(const tr2_shapes *shapes)
{
    return shapes->table.count - (shapes->rest_end - shapes->rest_first);
}

/* Of a pass over these: the rows of a chunk, some of which may sleep. */
static inline tr_row_range tr2_shapes_of_chunk(const tr2_shapes *shapes, uint32_t chunk, uint32_t per_chunk)
{
    return tr_rows_of_chunk(shapes->table.count, shapes->rest_first, shapes->rest_end, chunk, per_chunk);
}

/* Moves the rows of a body's shapes to those that rest, or away from them: returns how many, and lists from where in
   `rows`, unless that is null, so that it can be undone when all later moves have been. */
void tr2_shapes_rest(tr2_shapes *shapes, uint32_t body_slot);
uint32_t tr2_shapes_rouse(tr2_shapes *shapes, uint32_t body_slot, uint32_t *rows);
void tr2_shapes_rouse_undo(tr2_shapes *shapes, const uint32_t *rows, uint32_t count);

/* Call when a shape of a body counts no longer, or counts again. */
static inline void tr2_shapes_forget_sum(tr2_shapes *shapes, uint32_t body_slot)
{
    if (body_slot < shapes->summed_capacity)
        shapes->summed[body_slot].upto = 0;
}

/* Whether shapes with these filters collide. */
static inline bool tr2_filters_agree(const tr2_filter *a, const tr2_filter *b)
{
    if (a->group != 0 && a->group == b->group)
        return a->group > 0;
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* A copy of a geometry that the table owns; NULL: no memory. */
tr2_geometry *tr2_shapes_copy_geometry(tr2_shapes *shapes, const tr2_geometry *geometry);
void tr2_shapes_release_geometry(tr2_shapes *shapes, tr2_geometry *geometry); /* may be null */

/* Visits the shapes (base/archive.h) on the bodies of this pool, which are sound. What is read is checked. */
void tr2_shapes_archive(tr2_shapes *shapes, tr_archive *archive, const tr_pool *bodies);

/* Destroys the shapes of a body that is being destroyed. */
void tr2_shapes_remove_body(tr2_world *world, uint32_t body_slot);
/* Call when a body was moved or has another type or other joints: finds the touches of its shapes anew. */
void tr2_shapes_touch(tr2_world *world, uint32_t body_slot);

/* Converts a row to a definition, and back: all but id, body, geometry and links. */
void tr2_shape_read(const tr2_shapes *shapes, uint32_t row, tr2_shape_def *out);
void tr2_shape_write(tr2_shapes *shapes, uint32_t row, const tr2_shape_def *def);

/* Gives a body the checked mass of its unmarked shapes; a body without shapes with density keeps its own. The mass of
   a static body has no effect, so it is only marked as due: level geometry may have thousands of shapes on one. */
void tr2_shapes_apply_mass(tr2_world *world, uint32_t body_slot);
/* Computes the mass of all static bodies for which it is due. TR_ERROR_MEMORY. A mass that floats cannot hold stays
   due. The call that has this done ends it, too: if it fails, these bodies are as they were. */
tr_status tr2_shapes_weigh_all(tr2_world *world);
void tr2_shapes_end_weighing(tr2_world *world, bool failed);

#endif
