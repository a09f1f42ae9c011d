/*
 * What the core asks of what a world has beside bodies and joints (world/plane/parts.h): in space there are the
 * application's contacts and no shapes, so much of it is empty.
 */
#ifndef TR_SPACE_PARTS_H
#define TR_SPACE_PARTS_H

#include "plan/plan.h"
#include "trammel/statistics3.h"
#include "world/core/contact_set.h"

/* members of the world */
#define TR3_WORLD_PARTS tr3_contact_set contacts;

bool tr3_parts_init(tr3_world *world, tr_memory *memory);
void tr3_parts_free(tr3_world *world, tr_memory *memory);
void tr3_parts_archive(tr3_world *world, tr_archive *archive);
bool tr3_parts_enter(tr3_world *world, tr_archive *archive);
void tr3_parts_swap(tr3_world *world, tr3_world *other);

static inline uint32_t tr3_parts_hooks(const tr3_world *world)
{
    (void)world;
    return 0;
}

static inline void tr3_parts_set_hooks(tr3_world *world, uint32_t hooks)
{
    (void)world;
    (void)hooks;
}

bool tr3_parts_bounce(const tr3_world *world);
bool tr3_parts_follow(const tr3_world *world);
uint32_t tr3_parts_contacts(const tr3_world *world);

static inline tr_status tr3_parts_keep(tr3_world *world, const tr3_check *check)
{
    (void)world;
    (void)check;
    return TR_OK;
}

static inline tr_status tr3_parts_begin(tr3_world *world, const tr3_check *check, double dt)
{
    (void)world;
    (void)check;
    (void)dt;
    return TR_OK;
}

static inline tr_status tr3_parts_ready(tr3_world *world, const tr3_check *check)
{
    (void)world;
    (void)check;
    return TR_OK;
}

/* Tells the solver that nothing runs beside it. */
void tr3_parts_end(tr3_world *world, bool last);

static inline tr_status tr3_parts_find(tr3_world *world, const tr3_check *check)
{
    (void)world;
    (void)check;
    return TR_OK;
}

static inline bool tr3_parts_find_contact(const tr3_world *world, uint32_t row, const tr3_body_state *const body[2],
                                          tr3_found_contact *out)
{
    (void)world;
    (void)row;
    (void)body;
    (void)out;
    return false;
}

static inline bool tr3_parts_write(tr3_world *world, const uint64_t *joints, uint32_t count)
{
    (void)world;
    (void)joints;
    (void)count;
    return true;
}

static inline void tr3_parts_settle(tr3_world *world)
{
    (void)world;
}

static inline void tr3_parts_undo(tr3_world *world)
{
    (void)world;
}

static inline void tr3_parts_idle(tr3_world *world)
{
    (void)world;
}

static inline void tr3_parts_leave(tr3_world *world, bool failed)
{
    (void)world;
    (void)failed;
}

static inline void tr3_parts_describe(const tr3_world *world, tr_statistics *out)
{
    (void)world;
    (void)out;
}

static inline double tr3_parts_seconds(const tr3_world *world)
{
    (void)world;
    return 0.0;
}

static inline double tr3_parts_saves(const tr3_world *world, uint32_t threads)
{
    (void)world;
    (void)threads;
    return 0.0;
}

typedef struct tr3_pair_order {
    char none;
} tr3_pair_order;

static inline bool tr3_pair_order_reserve(tr3_world *world, tr3_pair_order *out)
{
    (void)world;
    (void)out;
    return true;
}

static inline void tr3_pair_order_release(tr3_world *world, tr3_pair_order *order)
{
    (void)world;
    (void)order;
}

static inline void tr3_pairs_sort(tr3_world *world, tr3_pair_order *order)
{
    (void)world;
    (void)order;
}

static inline void tr3_shapes_touch(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline void tr3_shapes_remove_body(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline tr_status tr3_shapes_check_due(const tr3_check *check, tr3_world *world, uint32_t body_slot)
{
    (void)check;
    (void)world;
    (void)body_slot;
    return TR_OK;
}

static inline void tr3_shapes_weigh(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline void tr3_pair_forget(tr3_world *world, uint32_t pair)
{
    (void)world;
    (void)pair;
}

/* all contacts are the application's */
static inline bool tr3_contact_is_given(const tr3_world *world, uint32_t row)
{
    (void)world;
    (void)row;
    return true;
}

static inline bool tr3_rest_reserve(tr3_world *world)
{
    (void)world;
    return true;
}

static inline void tr3_rest_body(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline bool tr3_rest_again(const tr3_world *world)
{
    (void)world;
    return false;
}

static inline void tr3_rest_pairs(tr3_world *world)
{
    (void)world;
}

/* there are no sensors */
typedef bool tr3_reach_fn(void *context, uint32_t body_slot);

static inline bool tr3_sensors_list(tr3_world *world)
{
    (void)world;
    return false;
}

static inline bool tr3_sensors_across(const tr3_world *world, uint32_t body_slot, tr3_reach_fn *reach, void *context)
{
    (void)world;
    (void)body_slot;
    (void)reach;
    (void)context;
    return true;
}

static inline void tr3_sensors_unlist(tr3_world *world)
{
    (void)world;
}

static inline void tr3_rest_rows(tr3_world *world)
{
    (void)world;
}

static inline void tr3_rest_trim(tr3_world *world)
{
    (void)world;
}

static inline void tr3_rouse_contact(tr3_world *world, uint32_t slot)
{
    (void)world;
    (void)slot;
}

static inline void tr3_rouse_body(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline void tr3_disturb_body(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

static inline bool tr3_wake_reserve(tr3_world *world, const uint32_t *body_slots, uint32_t count)
{
    (void)world;
    (void)body_slots;
    (void)count;
    return true;
}

static inline void tr3_wake_body(tr3_world *world, uint32_t body_slot)
{
    (void)world;
    (void)body_slot;
}

#endif
