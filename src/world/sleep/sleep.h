/*
 * Islands that sleep (docs/sleep.md). A body that sleeps is static for all passes of a step: its column of types says
 * so, its vertex in the plan does not move, and its flag TR_BODY_ASLEEP says that it is dynamic. Its island, the bodies
 * that joints and contacts connect through moving bodies, falls asleep and wakes as a whole.
 *
 * Waking has two parts. The first needs no memory, so that any edit can wake: the bodies are dynamic again. The second,
 * before the next step, tells the plan and the trees of boxes.
 */
#ifndef TR_WORLD_SLEEP_H
#define TR_WORLD_SLEEP_H

#include "plan/plan.h"
#include "solver/core/system.h"

/* Slots of bodies in a ring; each is in one at most. */
typedef struct trn_ring_link {
    uint32_t next, before;
} trn_ring_link;

/* Where a body was when its motion was last judged. */
typedef struct trn_anchor {
    trn_dvec center;
    trn_orientation orientation;
    double since; /* s, ago */
} trn_anchor;

/* A body that a step has woken, as it was before. */
typedef struct trn_woken {
    uint32_t slot, row, flags;
    float still;
    bool moved; /* its row is another since */
    trn_ring_link island, change;
} trn_woken;

typedef struct trn_sleep {
    uint32_t asleep; /* bodies */
    /* by slots of bodies: the ring of its island while it sleeps, then that of those that the plan has yet to know of;
       the ring of those whose state may differ from what was told; and the last search that has reached it */
    trn_ring_link *islands, *changes;
    uint32_t *searches;
    trn_anchor *anchors; /* by slots, of bodies at rest; zero for most others, so that frames need not have them */
    uint32_t *list;      /* slots, while an island is searched */
    uint32_t used;       /* nothing was ever written for slots from this one on; read by several threads, and raised */
    uint32_t island_capacity, change_capacity, search_capacity, anchor_capacity, list_capacity;
    uint32_t waking, changed; /* some slot of these rings; TR_NONE: they are empty */
    uint32_t changed_count;
    uint32_t search;         /* number of the last search */
    trn_sleep_event *events; /* of the last step */
    uint32_t event_count, event_capacity;
    /* what a step has woken that can still be undone: bodies, if it notes them; those that the plan knows of; and
       `waking` before it */
    bool notes;
    trn_woken *woken;
    uint32_t woken_count, woken_capacity;
    tr_plan_woken *settled;
    uint32_t waking_before;
} trn_sleep;

void trn_sleep_init(trn_sleep *sleep);
void trn_sleep_free(trn_sleep *sleep, tr_memory *memory);

/* Visits it (base/archive.h); afterwards, when all tables are sound: whether it fits them. */
void trn_sleep_archive(trn_world *world, tr_archive *archive);
bool trn_sleep_is_sound(const trn_world *world);

/* Wakes the island of a body if that sleeps; whether it does. Rows of bodies, shapes and contacts move. */
bool trn_sleep_wake(trn_world *world, uint32_t body_slot);
/* The same for a body that an edit or the application acts on: it has not been at rest for some time, either. */
void trn_sleep_rouse(trn_world *world, uint32_t body_slot);
/* For all bodies of a joint or contact. */
void trn_sleep_rouse_joint(trn_world *world, uint32_t slot);
/* For a body that is about to be moved, changed or destroyed: if it is no dynamic one, wakes what its joints and
   contacts connect it to. */
void trn_sleep_disturb(trn_world *world, uint32_t body_slot);
/* Wakes all; the second also forgets how long each body has been at rest. */
void trn_sleep_wake_all(trn_world *world);
void trn_sleep_forget_rest(trn_world *world);
/* Call when a body is destroyed or ceases to be dynamic; it is awake. */
void trn_sleep_drop(trn_world *world, uint32_t body_slot);

/* Before a step: room for all that may fall asleep, and the second part of waking. False if out of memory; the next
   call goes on. The second function is that part alone. */
bool trn_sleep_begin(trn_world *world);
bool trn_sleep_settle(trn_world *world);
/* What has been woken since the first of these, or what the plan was told of, is undone, after all later changes of the
   plan and of rows; or settled. Of bodies this is so while `notes` is set, and there is room for them. The first two may
   also be called where nothing has woken. */
void trn_sleep_keep(trn_world *world);
void trn_sleep_undo(trn_world *world);
void trn_sleep_leave(trn_world *world);
bool trn_sleep_note_reserve(trn_world *world, uint32_t bodies);
/* After a step of dt seconds, or a part of one: what falls asleep; after the last part, the events of the step. */
void trn_sleep_end(trn_world *world, double dt, bool last);

/* The squared angle between two orientations, rad^2; in space less where it is large (src/world/plane,
   src/world/space). */
double trn_turn_square(trn_orientation a, trn_orientation b);

/* TR_ERROR_NAN, _INFINITE, _NEGATIVE. */
struct trn_check;
tr_status trn_check_sleep(const struct trn_check *check, const tr_sleep_settings *settings);

#endif
