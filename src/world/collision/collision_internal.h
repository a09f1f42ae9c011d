/* Internal interface of the collision files. */
#ifndef TR_WORLD_COLLISION_INTERNAL_H
#define TR_WORLD_COLLISION_INTERNAL_H

#include <math.h>

#include "collide/geometry/vector.h"
#include "world/core/world_internal.h"

/* units; shapes closer than this have a contact before they touch */
#define TR2_SPECULATIVE 0.02
/* the same in m */
static inline double tr2_speculative(const tr2_world *world)
{
    return TR2_SPECULATIVE * (double)world->settings.length_unit;
}

/* Parameters of a step's collision. */
typedef struct tr2_collide_step {
    tr2_world *world;
    double dt;
    uint32_t workers;
} tr2_collide_step;

/* The bounding box of a row's shape at its body's current pose; and the margin with which it is entered. */
tr2_box tr2_collide_box(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry);
double tr2_collide_margin(const tr2_world *world, const tr2_geometry *geometry);
/* Extends a box for some more steps with the displacement (x, y). */
void tr2_collide_foresee(const tr2_world *world, tr2_box *box, const tr2_geometry *geometry, double x, double y);

/* Whether a shape's centre is the origin and centre of mass of its body, as mostly where bodies have one shape. */
static inline bool tr2_is_centered(const tr2_bodies *bodies, const tr2_geometry *geometry)
{
    return !bodies->off_center && geometry->center.x == 0.0f && geometry->center.y == 0.0f;
}

/* Upper bound of the displacement of a shape's points when its body rotates by `turn` (rad, >= 0), m. With more than 2
   rad, a point may be anywhere around the centre of mass. */
static inline double tr2_swing(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, double turn)
{
    bool circle = geometry->kind == TR2_GEOMETRY_CIRCLE, centered = tr2_is_centered(bodies, geometry);
    if (circle && centered)
        return 0.0;
    double reach = circle ? 0.0 : (double)geometry->extent;
    if (!centered) {
        tr_vec2 center = tr2_body_center(bodies, body);
        double x = (double)geometry->center.x - (double)center.x;
        double y = (double)geometry->center.y - (double)center.y;
        reach += sqrt(x * x + y * y);
    }
    return (turn < 2.0 ? turn : 2.0) * reach;
}

/* The same for a motion that also translates. */
static inline double tr2_collide_travel(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry,
                                        tr2_motion motion)
{
    double x = (double)motion.x, y = (double)motion.y;
    return sqrt(x * x + y * y) + tr2_swing(bodies, body, geometry, fabs((double)motion.turn));
}

/* What a search changes: begins to write to the other arrays, and keeps what is needed to undo it; then, before contacts
   are exchanged in the tables, the rows that this changes, or all; then those of contacts among these joints, which are to
   be written early. False if out of memory. All is put back, or the search
   is at its end. */
bool tr2_before_begin(tr2_world *world);
bool tr2_before_contacts(tr2_world *world, bool all);
bool tr2_before_write(tr2_world *world, const uint64_t *joints, uint32_t count);
void tr2_before_return(tr2_world *world);
void tr2_before_end(tr2_world *world);
void tr2_before_free(tr2_before *it, tr_memory *memory);

/* Enters the shape of a row again, including its path in the last step, if it has left its box; returns whether it
   has. Several threads may enter different shapes concurrently; the trees must be updated afterwards. */
bool tr2_collide_enter_swept(tr2_world *world, uint32_t row, tr2_motion motion);

static inline uint32_t tr2_chunks_of(uint32_t count, uint32_t per_chunk)
{
    return count / per_chunk + (count % per_chunk != 0);
}

/* the end of the chunk that starts at `first`, which is below the count */
static inline uint32_t tr2_chunk_end(uint32_t count, uint32_t first, uint32_t per_chunk)
{
    return count - first < per_chunk ? count : first + per_chunk;
}

static inline uint32_t tr2_pair_chunks(uint32_t pairs)
{
    return tr2_chunks_of(pairs, TR2_PAIRS_PER_CHUNK);
}

/* The pairs [first, end) of a unit of work. */
typedef struct tr2_pair_range {
    uint32_t first, end;
} tr2_pair_range;

/* Of `pairs` pairs that do not rest. */
static inline tr2_pair_range tr2_pairs_of_chunk(const tr2_collision *it, uint32_t pairs, uint32_t chunk)
{
    uint32_t first = chunk * TR2_PAIRS_PER_CHUNK, end = tr2_chunk_end(pairs, first, TR2_PAIRS_PER_CHUNK);
    return (tr2_pair_range){it->resting + first, it->resting + end};
}

/* The chunk of a pair. */
static inline uint32_t tr2_chunk_of_pair(const tr2_collision *it, uint32_t pair)
{
    return (pair - it->resting) / TR2_PAIRS_PER_CHUNK;
}

/* The slot of a shape's body, its vertex in the plan, by the shape's slot. */
static inline uint32_t tr2_shape_body_slot(const tr2_shapes *shapes, uint32_t slot)
{
    return shapes->body[shapes->pool.row[slot]].index - 1;
}

/* The number of words of marks of a chunk's pairs. */
static inline uint32_t tr2_pair_words(tr2_pair_range pairs)
{
    return tr2_chunks_of(pairs.end - pairs.first, 64);
}

/* The pairs of such a word. */
static inline tr2_pair_range tr2_pairs_of_word(tr2_pair_range pairs, uint32_t word)
{
    uint32_t first = pairs.first + 64 * word;
    return (tr2_pair_range){first, tr2_chunk_end(pairs.end, first, 64)};
}

/* Takes the first mark of a chunk. False: there is none. */
static inline bool tr2_pair_take_mark(const tr2_collision *it, tr2_pair_counts *counts, uint32_t chunk, uint32_t *pair)
{
    for (uint32_t i = 0; i < TR2_PAIRS_PER_CHUNK / 64; i++) {
        uint64_t marked = counts->marked[i];
        if (marked == 0)
            continue;
        *pair = it->resting + chunk * TR2_PAIRS_PER_CHUNK + 64 * i + (uint32_t)__builtin_ctzll(marked);
        counts->marked[i] = marked & (marked - 1);
        return true;
    }
    return false;
}

/* The number of known pairs that do not rest; and with the new ones of a step. */
static inline uint32_t tr2_pairs_awake(const tr2_collision *collision)
{
    return collision->count - collision->resting;
}

static inline uint32_t tr2_pair_count(const tr2_collision *collision)
{
    return tr2_pairs_awake(collision) + collision->broad.pair_count;
}

/* Updates boxes and finds pairs: marks dead pairs, and appends new ones to the known ones. TR_ERROR_MEMORY;
   TR_ERROR_LIMIT for more than 2^30 pairs. */
tr_status tr2_collide_find(tr2_collide_step *step);
/* Makes room for the next two. False if out of memory. */
bool tr2_collide_reserve_settle(tr2_world *world);
/* Creates the contacts that are listed as added, and destroys those that are listed as removed. */
void tr2_collide_settle_contacts(tr2_world *world);
/* Makes room for the data of destroyed shapes while their touches end. False if out of memory. */
bool tr2_gone_reserve(tr2_collision *it, tr_memory *memory);
/* Forgets destroyed shapes, and releases their geometries. */
void tr2_gone_release(tr2_collision *it, tr_memory *memory);

/* Removes the dead pairs, whose contacts are gone, and enters the new ones. */
void tr2_collide_settle_pairs(tr2_world *world);

/* Runs a function for each chunk of a step's pairs or contacts, in parallel. False if out of memory. */
bool tr2_collide_run(tr2_collide_step *step, tr_chunk_fn *chunk, uint32_t chunks);
/* Computes the manifolds of all known and new pairs, and the counts of each chunk. False if out of memory. */
bool tr2_collide_touch(tr2_collide_step *step);
/* The same of the pairs before `end`, which have ceased to rest since. */
bool tr2_collide_touch_more(tr2_collide_step *step, uint32_t end);
/* Wakes the islands that something touches, and computes the manifolds of their pairs. False if out of memory. What has
   woken is undone with the search: this puts pairs, and rows of shapes and contacts, back to rest. */
bool tr2_collide_wake(tr2_collide_step *step);
void tr2_rest_undo(tr2_world *world);
/* Whether a row's contact is of a body that sleeps. */
bool tr2_contact_rests(const tr2_world *world, uint32_t row);
/* Writes the place of a shape whose body has come to rest. */
void tr2_collide_place(tr2_world *world, uint32_t row);
/* What the pairs of a chunk come to, and which of them have contacts with what stands still. */
tr2_pair_counts tr2_count_pairs(const tr2_collision *it, tr2_pair_range pairs);
/* The current poses of the shapes of a pair without sensors, and the margin of its contact. */
tr2_shape_pair tr2_pair_frames(const tr2_world *world, const tr2_pair *pair, float dt);
/* The rotation of a shape's body. */
static inline tr2_pose tr2_place_turn(const tr2_shape_place *place)
{
    return tr_turn_pose(place->c, place->s);
}

/* Takes away the contacts at inner corners of what stands still. False when there is no memory. */
bool tr2_collide_corners(tr2_collide_step *step);
/* Makes room to write this many contacts, so that it cannot fail. False if out of memory. */
bool tr2_collide_reserve_write(const tr2_collide_step *step, uint32_t contacts);
/* Whether a contact between shapes may move, so that it is written in each step. */
bool tr2_collide_writes(const tr2_world *world, uint32_t row);
/* Writes the rows of all contacts between shapes but those with a mark of TR_JOINT_EXACT; and those that
   tr2_before_write() has kept, which have it. */
void tr2_collide_write(tr2_collide_step *step);
void tr2_collide_write_kept(const tr2_collide_step *step);

/* Whether the shape that a pair has stored for a slot still exists. */
static inline bool tr2_shape_is_there(const tr2_shapes *shapes, uint32_t slot, uint16_t generation)
{
    return !tr_pool_is_free(&shapes->pool, slot) && shapes->pool.generation[slot] == generation;
}

/* The number of points of a pair, also for sensors. */
static inline uint32_t tr2_pair_touches(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_POINTS) / TR2_PAIR_POINT;
}

/* The number of points that a pair's contact should have; 0: no contact. */
static inline uint32_t tr2_pair_points(const tr2_pair *pair)
{
    return (pair->flags & (TR2_PAIR_SENSOR | TR2_PAIR_DEAD)) != 0 ? 0 : tr2_pair_touches(pair);
}

/* Whether it is a sensor and what it touches, both on dynamic bodies: these connect islands. */
static inline bool tr2_pair_senses(const tr2_pair *pair)
{
    const uint32_t none = TR2_PAIR_DEAD | TR2_PAIR_STILL;
    return (pair->flags & (TR2_PAIR_SENSOR | none)) == TR2_PAIR_SENSOR && tr2_pair_touches(pair) > 0;
}

/* The number of points of a pair's contact as the plan knows it; 0: no contact. */
static inline uint32_t tr2_pair_held(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_HELD) / TR2_PAIR_HOLD;
}

/* A quick test for most pairs. False: the pair stays, and so does its contact, with its number of points. */
static inline bool tr2_pair_may_change(const tr2_pair *pair)
{
    const uint32_t flags = pair->flags, held = flags / (TR2_PAIR_HOLD / TR2_PAIR_POINT);
    return (((held ^ flags) & TR2_PAIR_POINTS) | (flags & TR2_PAIR_DEAD)) != 0;
}

/* The flags of a pair that depend on its shapes. */
uint32_t tr2_pair_flags(const tr2_world *world, uint32_t slot_a, uint32_t slot_b);
/* Lists the end events of dead pairs that have begun; there must be room. */
void tr2_touches_end(tr2_world *world);

/* Updates a pair's contact after the pair's index has changed. */
void tr2_pair_moved(tr2_world *world, uint32_t pair);

#endif
