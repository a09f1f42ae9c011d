/*
 * What shapes touch: pairs of shapes that are near each other, and the contacts that come of them. Pairs live as long as
 * their boxes overlap; a pair's contact lives as long as it has points, and keeps its impulses and its place in the plan.
 */
#ifndef TR_WORLD_COLLISION_H
#define TR_WORLD_COLLISION_H

#include "collide/broad.h"
#include "collide/geometry.h"
#include "plan/plan.h"
#include "solver/system.h"
#include "trammel/shapes2.h"
#include "world/pair_index.h"

/* Bits of tr2_pair.flags. */
#define TR2_PAIR_SENSOR   1u     /* one of the two is a sensor: there is no contact */
#define TR2_PAIR_DEAD     2u     /* to be taken out: apart, destroyed, or not wanted any more */
#define TR2_PAIR_EVENTS   4u     /* both shapes have contact_events */
#define TR2_PAIR_HITS     8u     /* one of them has hit_events */
#define TR2_PAIR_TOUCHING 16u    /* its begin was told, or would have been */
#define TR2_PAIR_SENSOR_B 32u    /* of the two, b is the sensor */
#define TR2_PAIR_CIRCLES  64u    /* both are circles */
#define TR2_PAIR_TWO      128u   /* its contact has two points */
#define TR2_PAIR_AHEAD    512u   /* its contact is where they will meet: tr2_meet_ahead() */
#define TR2_PAIR_QUADS    1024u  /* both are polygons of four corners */
#define TR2_PAIR_TURNS    2048u  /* its contact is as it will be halfway: tr2_touch_turning() */
#define TR2_PAIR_FRESH    256u   /* its contact's surface and kind are to be written */
#define TR2_PAIR_POINTS   12288u /* 0 to 2 points that it has now, from TR2_PAIR_POINT on */
#define TR2_PAIR_POINT    4096u
#define TR2_PAIR_ASKS     16384u /* the host's filter is asked about its contact */

/* Where a shape is when a step begins: all that its pairs ask for, in a line of the cache. */
typedef struct tr2_shape_place {
    tr2_mover at;
    float c, s; /* of its body's angle */
    const tr2_geometry *geometry;
} tr2_shape_place;

/* What a run of pairs comes to; and where in the lists what comes of it begins. */
typedef struct tr2_pair_counts {
    uint32_t added, removed, changed, dying;
    uint32_t events, told; /* of touches: where a chunk's begin, with room for the most; where they end */
} tr2_pair_counts;

/* How far a body may go in a step, where it has met something: a part of its way, and the rest with that. */
typedef struct tr2_bullet {
    uint32_t body; /* row */
    bool stopped;
    tr2_motion kept;
} tr2_bullet;

/* What an event says of a shape that is no more. */
typedef struct tr2_gone_shape {
    tr2_shape id;
    tr2_body body;
    uint64_t user_data;
} tr2_gone_shape;

/* The parts of a step's collision that are timed. */
enum { TR2_COLLIDE_BROAD, TR2_COLLIDE_NARROW, TR2_COLLIDE_PLAN, TR2_COLLIDE_STAGES };

typedef struct tr2_collision {
    tr2_broad broad;         /* proxies: shape slots */
    bool fresh;              /* there are shapes with TR2_SHAPE_FRESH, or may be */
    tr2_shape_place *places; /* by shape slot */
    uint32_t place_capacity;
    tr2_pair_index index; /* pairs by their shape slots */
    tr2_pair *pairs; /* `count` known ones; while a step looks, as many new ones behind them as `broad` has found */
    uint32_t count, capacity;
    tr2_manifold *manifolds; /* of each pair that has points, now; of circles see tr2_collide_circles() */
    uint32_t manifold_capacity;
    tr2_pair_counts *counts; /* by chunks of pairs */
    uint32_t counts_capacity;

    /* what a step does to the plan */
    uint32_t *removed; /* joint slots */
    tr_plan_edge *added;
    uint32_t *added_pairs; /* whose they are */
    tr_plan_edge *changed; /* edge, kind: kept ones whose number of points changes */
    uint32_t *dying;       /* pairs, in order */
    uint32_t removed_count, added_count, changed_count, dying_count;
    uint32_t removed_capacity, added_capacity, added_pair_capacity, changed_capacity, dying_capacity;
    double seconds[TR2_COLLIDE_STAGES]; /* that the last step took for it */

    tr2_contact_filter filter; /* the host's; null: none */
    void *filter_context;

    tr2_bullet *bullets;
    uint32_t bullet_count, bullet_capacity;

    /* shapes that were destroyed since the last step, by id, for the ends of what they touched; sorted once that is told */
    tr2_gone_shape *gone;
    uint32_t gone_count, gone_capacity;

    /* touches: those of pairs that are gone, until a step has told them; and what the last step told */
    tr2_touch_event *ended, *events;
    uint32_t ended_count, ended_capacity, event_count, event_capacity;
} tr2_collision;

void tr2_collision_init(tr2_collision *collision, tr_memory *memory);
void tr2_collision_free(tr2_collision *it, tr_memory *memory);

/*
 * Finds what touches, where the bodies are now, and makes the world's contacts those; `dt` is the length of the step that
 * follows. TR_ERROR_MEMORY, TR_ERROR_LIMIT (more than 2^30 pairs of shapes are near each other): no contact has changed.
 */
tr_status tr2_collide_world(tr2_world *world, double dt);

/* Room in the trees for the shapes of rows from `first` on; false when there is no memory. */
bool tr2_collide_reserve(tr2_world *world, uint32_t first_row, uint32_t count);
/* Enters the shape of a row where its body is now, so that queries see it there; there must be room. */
void tr2_collide_enter(tr2_world *world, uint32_t row);
/* After a step: what has come out of its box is entered again. */
void tr2_collide_follow(tr2_world *world);

/* Keeps what events will say of the shape of a row, which goes; without memory for it they say nothing. */
void tr2_touch_shape_goes(tr2_world *world, uint32_t row);
/* Room for all touches of a step; false when there is no memory. The touches of the last step stay. */
bool tr2_touches_reserve(tr2_world *world);
/* Lists the touches of a step that is done. */
void tr2_touches_collect(tr2_world *world);

/* Whether two shapes may touch: by their bodies' types, filters and joints. */
bool tr2_pair_is_wanted(const tr2_world *world, uint32_t slot_a, uint32_t slot_b);

#endif
