/* What the files of collision share. */
#ifndef TR_WORLD_COLLISION_INTERNAL_H
#define TR_WORLD_COLLISION_INTERNAL_H

#include "world/world_internal.h"

/* m; shapes that are nearer than this have a contact, before they touch */
#define TR2_SPECULATIVE 0.02

/* pairs in a piece of work; counts are kept for each */
#define TR2_PAIRS_PER_CHUNK 128u

static inline uint32_t tr2_pair_chunks(uint32_t pairs)
{
    return pairs / TR2_PAIRS_PER_CHUNK + (pairs % TR2_PAIRS_PER_CHUNK != 0);
}

/* What the work of a step shares. */
typedef struct tr2_collide_step {
    tr2_world *world;
    double dt;
    uint32_t workers;
} tr2_collide_step;

/* The box around a shape of the body of a row, where that is now; and how much larger it is entered. */
tr2_box tr2_collide_box(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry);
double tr2_collide_margin(const tr2_geometry *geometry);
/* Makes room in a box for some steps more like one that goes by so much. */
void tr2_collide_foresee(tr2_box *box, const tr2_geometry *geometry, double x, double y);
/* No point of a shape has gone farther than this, in m, by its body's motion. */
double tr2_collide_way(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, tr2_motion motion);

/* Enters the shape of a row anew, with the way that it has come, where it has left its box: true then. Different shapes
   may be entered by several threads at once; the trees are to be brought up to date afterwards. */
bool tr2_collide_enter_way(tr2_world *world, uint32_t row, tr2_motion motion);

static inline uint32_t tr2_chunks_of(uint32_t count, uint32_t per_chunk)
{
    return count / per_chunk + (count % per_chunk != 0);
}

/* where the chunk ends that begins at `first`, which is below the count */
static inline uint32_t tr2_chunk_end(uint32_t count, uint32_t first, uint32_t per_chunk)
{
    return count - first < per_chunk ? count : first + per_chunk;
}

/* Boxes, and pairs: the dead ones are marked, the new ones lie after the known. TR_ERROR_MEMORY; TR_ERROR_LIMIT of more
   than 2^30 pairs. */
tr_status tr2_collide_find(tr2_collide_step *step);
/* Takes the dead pairs out and the new ones in; those that die have no contacts any more. */
void tr2_collide_settle_pairs(tr2_world *world);

/* Contact points of all pairs, known and new, and what they come to, by chunks. False when there is no memory. */
bool tr2_collide_touch(tr2_collide_step *step);
/* Room to write so many contacts, so that it cannot fail; false when there is no memory. */
bool tr2_collide_reserve_write(const tr2_collide_step *step, uint32_t contacts);
/* Writes the rows of all contacts of shapes. */
void tr2_collide_write(tr2_collide_step *step);

/* Whether the shape that a pair knows in a slot is still there. */
static inline bool tr2_shape_is_there(const tr2_shapes *shapes, uint32_t slot, uint16_t generation)
{
    return !tr_pool_is_free(&shapes->pool, slot) && shapes->pool.generation[slot] == generation;
}

/* How many points two shapes have; of sensors, too. */
static inline uint32_t tr2_pair_touches(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_POINTS) / TR2_PAIR_POINT;
}

/* How many points a pair's contact is to have; 0: none. */
static inline uint32_t tr2_pair_points(const tr2_pair *pair)
{
    return (pair->flags & (TR2_PAIR_SENSOR | TR2_PAIR_DEAD)) != 0 ? 0 : tr2_pair_touches(pair);
}

/* The flags of a pair that follow from its shapes. */
uint32_t tr2_pair_flags(const tr2_shapes *shapes, uint32_t slot_a, uint32_t slot_b);
/* The ends of the pairs that die, of those that have begun; there must be room. */
void tr2_touches_end(tr2_world *world);

/* A pair has another index: its contact is told. */
void tr2_pair_moved(tr2_world *world, uint32_t pair);

#endif
