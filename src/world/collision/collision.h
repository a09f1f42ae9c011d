/*
 * Collision: pairs of shapes that are near each other, and their contacts. A pair exists while its boxes overlap. Its
 * contact exists while it has points, and keeps its impulses and its place in the plan.
 */
#ifndef TR_WORLD_COLLISION_H
#define TR_WORLD_COLLISION_H

#include "collide/broad/broad.h"
#include "collide/geometry/geometry.h"
#include "plan/plan.h"
#include "solver/core/system.h"
#include "trammel/shapes2.h"
#include "world/collision/before.h"
#include "world/collision/pair_index.h"

/* Bits of tr2_pair.flags. */
#define TR2_PAIR_SENSOR   1u     /* one of the two is a sensor: there is no contact */
#define TR2_PAIR_DEAD     2u     /* to be removed: apart, destroyed, or not wanted any more */
#define TR2_PAIR_EVENTS   4u     /* both shapes have contact_events */
#define TR2_PAIR_HITS     8u     /* one of them has hit_events */
#define TR2_PAIR_TOUCHING 16u    /* its begin event was sent, or would have been */
#define TR2_PAIR_SENSOR_B 32u    /* the sensor is b */
#define TR2_PAIR_CIRCLES  64u    /* both are circles */
#define TR2_PAIR_AHEAD    512u   /* its contact is at a later impact: tr2_meet_ahead() */
#define TR2_PAIR_QUADS    1024u  /* both are polygons of four corners */
#define TR2_PAIR_TURNS    2048u  /* its contact is that of a part of the step: ahead.h */
#define TR2_PAIR_FRESH    256u   /* its contact's surface and kind must be written */
#define TR2_PAIR_POINTS   12288u /* current number of points, 0 to 2, in units of TR2_PAIR_POINT */
#define TR2_PAIR_POINT    4096u
#define TR2_PAIR_ASKS     16384u  /* the application's filter is asked about its contact */
#define TR2_PAIR_STRUCK   32768u  /* it has hit, and is still being stopped */
#define TR2_PAIR_STILL    65536u  /* one of the two is on a static or kinematic body */
#define TR2_PAIR_STILL_B  131072u /* of the two, b is */
#define TR2_PAIR_HELD     786432u /* number of points that its contact has in the plan, in units of TR2_PAIR_HOLD */
#define TR2_PAIR_HOLD     262144u
#define TR2_PAIR_MEETS    1048576u /* its contact is that of an impact, or none: tr2_meet_passing() */
#define TR2_PAIR_ROUND    2097152u /* a polygon and a circle */
#define TR2_PAIR_LISTED   4194304u /* of a sensor, while islands are searched */

/* What the narrow phase decides anew in each step. */
#define TR2_PAIR_FOUND (TR2_PAIR_AHEAD | TR2_PAIR_TURNS | TR2_PAIR_MEETS | TR2_PAIR_POINTS)

/* A contact of a shape that moves with one that stands still, and the one before it of the same shape. */
typedef struct tr2_still_link {
    uint32_t pair;
    uint32_t before; /* a place + 1; 0: none */
} tr2_still_link;

/* pairs per unit of work; counts are stored for each */
#define TR2_PAIRS_PER_CHUNK 128u
_Static_assert(TR2_PAIRS_PER_CHUNK % 64 == 0, "the marks of a chunk's pairs are words of 64 bits");

/* Counts of a chunk of pairs, and later the positions of its entries in the lists. */
typedef struct tr2_pair_counts {
    uint32_t added, removed, changed, dying;
    uint32_t still;        /* contacts with TR2_PAIR_STILL */
    uint32_t sensors;      /* sensors and what they touch, both on dynamic bodies */
    uint32_t events, told; /* of touches: start of the chunk's, with room for the most; their end */
    /* a bit of each pair: it may change the plan; later, it may have a touch event */
    uint64_t marked[TR2_PAIRS_PER_CHUNK / 64];
} tr2_pair_counts;

/* The motion of a followed body: up to an impact, then as the body that it has hit lets it. */
typedef struct tr2_bullet {
    uint32_t body; /* row */
    bool stopped;
    tr2_motion kept;
} tr2_bullet;

/* Data of a destroyed shape for events. It is written over the shape's geometry, whose memory is then released later:
   destroying needs none. */
typedef struct tr2_gone_shape {
    struct tr2_gone_shape *next;
    uint32_t size; /* of the geometry, bytes */
    tr2_shape id;
    tr2_body body;
    uint64_t user_data;
} tr2_gone_shape;

/* The timed parts of a step's collision. */
enum { TR2_COLLIDE_BROAD, TR2_COLLIDE_NARROW, TR2_COLLIDE_PLAN, TR2_COLLIDE_STAGES };

typedef struct tr2_collision {
    tr2_broad broad;         /* proxies: shape slots */
    bool fresh;              /* shapes with TR2_SHAPE_FRESH may exist */
    tr2_shape_place *places; /* by shape slot */
    uint32_t place_capacity;
    tr2_pair_index index; /* of known pairs, by their shape slots */
    uint32_t index_steps; /* for so many steps it is kept up to date; 0: it is not now */
    tr2_pair *pairs;      /* `count` known ones; during a step followed by the new ones that `broad` found */
    uint32_t count, capacity;
    /* the first ones rest: no step looks at them (collision_rest.c). Their places in the lists of their shapes, and of
       each shape the first of these + 1; 0: none */
    uint32_t resting;
    uint32_t
        sensing; /* pairs of a sensor and what it touches in the last step, both on dynamic bodies; TR_NONE: unknown */
    tr2_rest_link *rest_links;
    uint32_t *rest_first;
    uint32_t rest_link_capacity, rest_first_capacity;
    bool rest_again; /* pairs may have been taken from those that rest, that could rest again */
    /* rows of contacts: all of [contact_rest_first, contact_rest_end) rest; others may */
    uint32_t contact_rest_first, contact_rest_end;
    tr2_manifold *manifolds; /* of each pair with points; for circles see tr2_collide_circles() */
    uint32_t manifold_capacity;
    tr2_pair_counts *counts; /* by chunks of pairs */
    uint32_t counts_capacity;

    /* contacts with shapes that stand still, and of each shape that moves a place in `links` + 1, while they are
       brought together; 0 otherwise */
    uint32_t *last_still;
    tr2_still_link *links;
    uint32_t *groups; /* places in `links` + 1: the last of each shape that has two or more */
    uint32_t last_still_capacity, link_capacity, group_capacity;

    /* changes of the plan in a step */
    uint32_t *removed; /* joint slots */
    tr_plan_edge *added;
    uint32_t *added_pairs; /* their pairs */
    tr_plan_edge *changed; /* edge, kind: kept contacts with a changed number of points */
    uint32_t *dying;       /* pairs, in order */
    uint32_t removed_count, added_count, changed_count, dying_count;
    uint32_t removed_capacity, added_capacity, added_pair_capacity, changed_capacity, dying_capacity;
    /* which of what goes is replaced by which of what comes, by units: collision_settle.c */
    uint32_t *units, *holes, *fills;
    uint32_t unit_capacity, hole_capacity, fill_capacity;
    tr2_before before;                  /* the search in progress */
    double dt;                          /* s, of it */
    bool untimed;                       /* it is none of a step */
    double seconds[TR2_COLLIDE_STAGES]; /* duration in the last step */
    tr_team_log runs;                   /* in it: what of this several threads share */
    uint32_t workers;                   /* up to the solver's part of it */

    tr2_contact_filter filter; /* the application's; null: none */
    void *filter_context;
    tr2_surface_mixer mixer; /* the application's; null: the world's rules */
    void *mixer_context;

    tr2_bullet *bullets;
    uint32_t bullet_count, bullet_capacity;

    /* shapes destroyed since the last step, for the end events of their touches: a list; and copies in an array, sorted
       by id, while these are reported */
    tr2_gone_shape *first_gone, *gone;
    uint32_t gone_count, gone_capacity;

    /* touches: end events of removed pairs until a step reports them; and the events of the last step */
    tr2_touch_event *ended, *events;
    uint32_t ended_count, ended_capacity, event_count, event_capacity;
} tr2_collision;

void tr2_collision_init(tr2_collision *collision, tr_memory *memory);
void tr2_collision_free(tr2_collision *it, tr_memory *memory);

/*
 * Finds all touching shapes at the current poses, and lets contacts come and go in the plan and in their table; `dt` is
 * the length of the step that follows. TR_ERROR_MEMORY; TR_ERROR_LIMIT for more than 2^30 pairs of shapes near each
 * other. Then tr2_collide_finish() writes the contacts, which needs no memory. The first function comes before: false if
 * out of memory. What has been done since is taken back by the last one, which needs none.
 */
bool tr2_collide_keep(tr2_world *world);
tr_status tr2_collide_begin(tr2_world *world, double dt);
/* Writes some of them earlier, for a solver that reads them before all memory is there: those of these joints, type << 32
   | row, all of which have a mark of TR_JOINT_EXACT. False: out of memory. */
bool tr2_collide_write_early(tr2_world *world, const uint64_t *joints, uint32_t count);
void tr2_collide_finish(tr2_world *world);
void tr2_collide_undo(tr2_world *world);

/* Memory to sort the pairs with. */
typedef struct tr2_pair_order {
    uint32_t bodies, *first; /* rows + 1; place of the first pair of each */
    uint32_t pairs, *place;  /* how many there are; the new place of each */
    void *copy;              /* of all pairs, then of all manifolds */
} tr2_pair_order;

/* Makes room for sorting the pairs. False if out of memory. */
bool tr2_pair_order_reserve(tr2_world *world, tr2_pair_order *out);
void tr2_pair_order_release(tr2_world *world, tr2_pair_order *order);
/* Sorts the pairs by their bodies' rows, after a fresh plan has moved these. */
void tr2_pairs_sort(tr2_world *world, tr2_pair_order *order);

/* Makes room in the trees for the shapes of `count` rows from `first_row` on. False if out of memory. */
bool tr2_collide_reserve(tr2_world *world, uint32_t first_row, uint32_t count);
/* Enters the shape of a row at its body's current pose, so that queries see it; there must be room. */
void tr2_collide_enter(tr2_world *world, uint32_t row);
/* After a step: enters shapes again that have left their boxes. */
void tr2_collide_follow(tr2_world *world);

/* Stores the data of a row's shape for events before it is destroyed. Whether it has taken the shape's geometry for
   that. */
bool tr2_touch_shape_goes(tr2_world *world, uint32_t row);
/* Makes room for all touches of a step. False if out of memory. The touches of the last step stay. */
bool tr2_touches_reserve(tr2_world *world);
/* Lists the touches at the end of a step. */
void tr2_touches_collect(tr2_world *world);

/* The contact in a row where its bodies are now (trn_system.find_contact). False: it is not one of shapes. */
bool tr2_find_contact(const tr2_world *world, uint32_t row, const tr2_body_state *const body[2],
                      tr2_found_contact *out);

/* The material of a contact of the shapes in two rows. */
tr2_surface tr2_mix_surfaces(const tr2_world *world, uint32_t row_a, uint32_t row_b);
/* Lets the next step combine the materials of all contacts anew. */
void tr2_surfaces_remix(tr2_world *world);

/* Visits the collision (base/archive.h) of a world whose shapes are visited before. Afterwards, and when all tables and
   the plan are sound: whether what was read fits them. */
void tr2_collision_archive(tr2_world *world, tr_archive *archive);
bool tr2_collision_is_sound(const tr2_world *world);

/*
 * What comes to rest (collision_rest.c), by slots of bodies; docs/sleep.md. Makes room for all that moves to rest. False
 * if out of memory.
 */
bool tr2_rest_reserve(tr2_world *world);
/* The shapes of a body that has just come to rest, and then all pairs of which nothing moves. */
void tr2_rest_body(tr2_world *world, uint32_t body_slot);
void tr2_rest_pairs(tr2_world *world);
/* The inverse, in two steps: pairs, and rows of shapes and contacts; then, for which there must be room, the boxes. */
void tr2_rouse_body(tr2_world *world, uint32_t body_slot);
bool tr2_wake_reserve(tr2_world *world, const uint32_t *body_slots, uint32_t count);
void tr2_wake_body(tr2_world *world, uint32_t body_slot);
/* Lets the pairs of a shape, or of all of a body, be looked at again, because they may have changed. */
void tr2_rouse_pairs(tr2_world *world, uint32_t shape_slot);
void tr2_disturb_body(tr2_world *world, uint32_t body_slot);
/* A sensor and what it touches belong to one island, if both bodies are dynamic. While islands are searched, such pairs of
   bodies that are awake are in lists, for which there must be room (tr2_rest_reserve()). The first function makes these:
   false if there are none, by the last step. Then the second one calls reach() for all bodies to which they connect one that
   is awake, until it says no: whether it never has. The third one ends it. */
typedef bool tr2_reach_fn(void *context, uint32_t body_slot);
bool tr2_sensors_list(tr2_world *world);
bool tr2_sensors_across(const tr2_world *world, uint32_t body_slot, tr2_reach_fn *reach, void *context);
void tr2_sensors_unlist(tr2_world *world);
/* Call before a shape is changed or destroyed: wakes what lies on it, or its body. */
void tr2_sleep_disturb_shape(tr2_world *world, uint32_t shape_slot);
/* After a fresh plan: finds the rows of contacts that rest. Before a contact is removed: takes it from these. */
void tr2_rest_rows(tr2_world *world);
/* After a row of contacts has been removed. */
void tr2_rest_trim(tr2_world *world);
/* Whether some pairs may rest again that were roused without need. */
bool tr2_rest_again(const tr2_world *world);
void tr2_rouse_contact(tr2_world *world, uint32_t slot);

/* Whether two shapes may touch, by their bodies' types, filters and joints. */
bool tr2_pair_is_wanted(const tr2_world *world, uint32_t slot_a, uint32_t slot_b);

#endif
