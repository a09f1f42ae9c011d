/*
 * Worlds that are edited at random in every step. What is edited depends on the step's number and on the world alone,
 * so a world that goes back to an earlier state does again what it did. Of both dimensions (solver/dimension.h).
 */
#ifndef TR_TESTS_SNAPSHOT_WALK_H
#define TR_TESTS_SNAPSHOT_WALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "instrumented.h"
#include "random.h"
#include "solver/core/solver_internal.h"
#include "trammel/trammel.h"
#include "world/core/world_internal.h"

#include "all_threads.h"

#define WALK_DT (1.0 / 60.0)

/* what is done to a world before a step, beside the edits; may be null */
typedef void walk_edit_fn(trn_world *world, uint64_t *random);

/* set while what is edited is no sane world: then calls may fail, but not crash */
static bool walk_is_wild;

static inline void walk_ok(const trn_world *world, tr_status status)
{
    if (status != TR_OK && !walk_is_wild)
        fail_msg("%s: %s", tr_status_name(status), trn_world_last_error(world)->message);
}

/* a slot that is in use; the pool has some */
static inline uint32_t walk_slot(const tr_pool *pool, uint64_t *random)
{
    uint32_t slot = random_index(random, pool->count);
    while (tr_pool_is_free(pool, slot))
        slot = (slot + 1) % pool->count;
    return slot;
}

static inline bool walk_any(const tr_pool *pool)
{
    for (uint32_t slot = 0; slot < pool->count; slot++) {
        if (!tr_pool_is_free(pool, slot))
            return true;
    }
    return false;
}

static inline trn_body walk_body(const trn_world *world, uint64_t *random)
{
    uint32_t slot = walk_slot(&world->body_pool, random);
    return (trn_body){slot + 1, world->tag, world->body_pool.generation[slot]};
}

/* a joint, no contact; the null id if the slot drawn is one of a contact */
static inline trn_joint walk_joint(const trn_world *world, uint64_t *random)
{
    if (!walk_any(&world->joint_pool))
        return (trn_joint){0, 0, 0};
    uint32_t slot = walk_slot(&world->joint_pool, random);
    return trn_joint_type_of(world, slot) == TR_CONTACT ? (trn_joint){0, 0, 0} : trn_joint_id_of(world, slot);
}

static inline float walk_number(uint64_t *random)
{
    return (float)random_index(random, 1u << 20) * 0x1p-19f - 1.0f;
}

/* a body beside another one, joined to it by a soft joint of any type */
static inline void walk_grow(trn_world *world, uint64_t *random)
{
    trn_body near = walk_body(world, random), id = {0, 0, 0};
    trn_body_def def;
    walk_ok(world, trn_body_get(world, near, &def));
    def.position.x += 1.0;
    def.type = random_index(random, 8) == 0 ? TR_KINEMATIC : TR_DYNAMIC;
    def.mass = def.mass > 0.0f ? def.mass : 1.0f;
    def.user_data = random_index(random, 3);
    def.gravity_scale = random_index(random, 3) == 0 ? 0.5f : 1.0f;
    def.sleep_scale = 0.5f * (float)random_index(random, 4);
    walk_ok(world, trn_world_create_body(world, &def, &id));
    trn_joint_def joint = trn_joint_def_default((trn_joint_type)random_index(random, TRN_JOINT_TYPE_COUNT));
    joint.body_a = near;
    joint.body_b = id;
    joint.length = 1.0f;
    joint.linear = tr_frequency(2.0f, 1.0f);
    joint.angular = tr_frequency(2.0f, 1.0f);
    joint.collide_connected = random_index(random, 2) == 0;
    if (random_index(random, 3) == 0)
        joint.break_at.force = 1000.0f;
    if (random_index(random, 3) == 0)
        joint.event_at.force = 10.0f;
    (void)trn_world_create_joint(world, &joint, NULL);
    /* several joints side by side are a case of their own */
    if (random_index(random, 4) == 0)
        (void)trn_world_create_joint(world, &joint, NULL);
}

static inline void walk_change_joint(trn_world *world, uint64_t *random)
{
    trn_joint id = walk_joint(world, random);
    trn_joint_def def;
    if (id.index == 0)
        return;
    switch (random_index(random, 8)) {
    case 0:
        walk_ok(world, trn_world_destroy_joint(world, id));
        break;
    case 1:
    case 2:
        walk_ok(world, trn_joint_get(world, id, &def));
        walk_ok(world, trn_joint_set_enabled(world, id, !def.enabled));
        break;
    case 3:
        walk_ok(world, trn_joint_set_event_at(world, id, (tr_event_at){.force = 20.0f}));
        break;
    case 4:
        walk_ok(world, trn_joint_set_break_at(world, id, (tr_break_at){.force = 5000.0f, .steps = 3}));
        break;
    default:
        (void)trn_joint_set_value(world, id, (trn_field)random_index(random, TRN_FIELD_COUNT), walk_number(random));
    }
}

static inline void walk_change_body(trn_world *world, uint64_t *random)
{
    trn_body id = walk_body(world, random);
    trn_body_def def;
    walk_ok(world, trn_body_get(world, id, &def));
    switch (random_index(random, 8)) {
    case 0:
        if (random_index(random, 4) == 0)
            walk_ok(world, trn_world_destroy_body(world, id));
        break;
    case 1:
        walk_ok(world, trn_body_set_enabled(world, id, !def.enabled));
        break;
    case 2:
        def.type = (tr_body_type)random_index(random, 3);
        (void)trn_body_set_type(world, id, def.type);
        break;
    case 3:
        walk_ok(world, trn_body_set_damping(world, id, 0.5f, 0.5f));
        break;
    case 4:
        def.position.x += (double)walk_number(random) * 0.1;
        (void)trn_body_set(world, id, &def);
        break;
    case 5:
        (void)trn_body_set_mass(world, id, def.mass * 1.25f, def.inertia, def.center);
        break;
    default: {
        trn_vec push = {0};
        push.x = 5.0f * walk_number(random);
        push.y = 5.0f * walk_number(random);
        (void)trn_body_apply_force_to_center(world, id, push);
        (void)trn_body_apply_impulse_to_center(world, id, push);
    }
    }
}

/* the island of a body sleeps, if all of it may */
static inline void walk_sleep(trn_world *world, uint64_t *random)
{
    trn_body id = walk_body(world, random);
    const uint32_t what = random_index(random, 6);
    if (what == 0)
        walk_ok(world, trn_body_set_allow_sleep(world, id, random_index(random, 2) == 0));
    else if (what == 1)
        walk_ok(world, trn_body_set_direct(world, id, random_index(random, 3) == 0));
    else
        (void)trn_body_set_awake(world, id, random_index(random, 3) == 0);
}

static inline void walk_edit(trn_world *world, uint64_t *random)
{
    uint32_t what = random_index(random, 10);
    if (what < 3)
        walk_grow(world, random);
    else if (what < 6)
        walk_change_joint(world, random);
    else if (what < 9)
        walk_change_body(world, random);
    else if (random_index(random, 2) == 0)
        walk_sleep(world, random);
    else if (random_index(random, 4) == 0)
        walk_ok(world, trn_world_set_method(world, (tr_method)random_index(random, TR_METHOD_COUNT), 0));
}

static inline uint64_t walk_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

/* of all that can be read after a step */
static inline uint64_t walk_hash(const trn_world *world)
{
    uint64_t hash = trn_world_state_hash(world);
    trn_event_view events = trn_world_events(world);
    for (uint32_t i = 0; i < events.count; i++) {
        const trn_event *event = &events.event[i];
        hash = walk_mix(walk_mix(hash, (uint64_t)event->kind << 32 | event->joint.index), event->steps);
    }
    trn_sleep_event_view rests = trn_world_sleep_events(world);
    for (uint32_t i = 0; i < rests.count; i++)
        hash = walk_mix(walk_mix(hash, rests.event[i].body.index), rests.event[i].asleep);
#if TR_DIMENSION == 2
    tr2_touch_view touches = tr2_world_touches(world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *event = &touches.event[i];
        hash = walk_mix(walk_mix(hash, (uint64_t)event->shape_a.index << 32 | event->shape_b.index), event->kind);
    }
#endif
    return walk_mix(walk_mix(hash, world->watches.broken), trn_solver_last(world->solver)->steps);
}

/* a snapshot, to be freed */
typedef struct walk_state {
    unsigned char *bytes;
    size_t size;
} walk_state;

static inline walk_state walk_save(const trn_world *world)
{
    walk_state state = {NULL, trn_world_save_size(world)};
    size_t size = 0;
    state.bytes = malloc(state.size);
    assert_non_null(state.bytes);
    walk_ok(world, trn_world_save(world, state.bytes, state.size, &size));
    assert_int_equal(size, state.size);
    return state;
}

static inline void walk_assert_same(walk_state a, walk_state b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

/* Rings of snapshots that are written over each other, of whatever worlds walk; and a world that goes to and fro in it. */
enum { WALK_RING = 3 };
static struct {
    walk_state slot[WALK_RING];
    size_t capacity[WALK_RING];
    trn_world *mirror;
    uint32_t calls, count;
} walk_ring;

/* restores a snapshot of the ring, over another one, which must be that */
static inline void walk_mirror(const walk_state *slot)
{
    const trn_world_def def = trn_world_def_default();
    if (walk_ring.mirror == NULL)
        walk_ok(NULL, trn_world_create(&def, &walk_ring.mirror, NULL));
    walk_ok(walk_ring.mirror, trn_world_restore(walk_ring.mirror, slot->bytes, slot->size));
    walk_state is = walk_save(walk_ring.mirror);
    walk_assert_same(*slot, is);
    free(is.bytes);
}

/* Saves over an older snapshot, at every seventh call: what comes out is the same as what is written whole, and goes back.
   What a call before left out is left out still, unless all of its group has been written since. */
static inline void walk_keep(trn_world *world)
{
    if (walk_ring.calls++ % 7 != 0)
        return;
    const uint32_t at = walk_ring.count++ % WALK_RING;
    walk_state *slot = &walk_ring.slot[at], whole = walk_save(world);
    if (whole.size > walk_ring.capacity[at]) {
        walk_ring.capacity[at] = whole.size + whole.size / 4;
        slot->bytes = realloc(slot->bytes, walk_ring.capacity[at]);
        assert_non_null(slot->bytes);
    }
    walk_ok(world, trn_world_save_over(world, slot->bytes, walk_ring.capacity[at], &slot->size));
    walk_assert_same(whole, *slot);
    free(whole.bytes);
    const walk_state *any = &walk_ring.slot[walk_ring.count * 5 % 7 % WALK_RING];
    if (!walk_is_wild && walk_ring.count % 4 == 0 && any->size > 0)
        walk_mirror(any);
}

/* the edits before a step; and the step */
static inline void walk_prepare(trn_world *world, uint32_t number, uint32_t edits, walk_edit_fn *more)
{
    uint64_t random = 77 + 1000003u * (uint64_t)number;
    for (uint32_t i = 0; i < edits && walk_any(&world->body_pool); i++)
        walk_edit(world, &random);
    if (more != NULL)
        more(world, &random);
    walk_keep(world);
}

static inline uint64_t walk_go(trn_world *world, uint32_t number)
{
    walk_ok(world, trn_world_step(world, number % 7 == 3 ? WALK_DT / 2.0 : WALK_DT, 4));
    walk_keep(world);
    return walk_hash(world);
}

/* one step, with so many edits before it */
static inline uint64_t walk_step(trn_world *world, uint32_t number, uint32_t edits, walk_edit_fn *more)
{
    walk_prepare(world, number, edits, more);
    return walk_go(world, number);
}

/* The steps from `first` on, the first of which is edited already: each has the hash that it had. */
static inline void walk_again(trn_world *world, uint32_t first, uint32_t count, uint32_t edits, walk_edit_fn *more,
                              const uint64_t *hashes)
{
    assert_true(walk_go(world, first) == hashes[0]);
    for (uint32_t i = 1; i < count; i++)
        assert_true(walk_step(world, first + i, edits, more) == hashes[i]);
}

/*
 * Goes on with a ring of frames, back in it by every distance, and makes these steps again: a frame is what the world was,
 * byte by byte, and so is what follows.
 */
enum { WALK_FRAMES = 7 };

typedef struct walk_frame {
    walk_state state;
    uint64_t hash; /* of the step from it */
} walk_frame;

static inline void walk_keep_frame(trn_world *world, uint32_t number, walk_frame *frames, bool again)
{
    walk_frame *frame = &frames[number % WALK_FRAMES];
    walk_state is = walk_save(world);
    walk_ok(world, trn_world_keep_frame(world, number));
    if (again)
        walk_assert_same(frame->state, is);
    free(frame->state.bytes);
    frame->state = is;
    /* memory that is given back changes nothing */
    if (again && number % 4 == 1)
        walk_ok(world, trn_world_release_memory(world));
    uint64_t hash = walk_go(world, number);
    assert_true(!again || hash == frame->hash);
    frame->hash = hash;
}

static inline void walk_frames(trn_world *world, uint32_t first, uint32_t count, uint32_t edits, walk_edit_fn *more)
{
    walk_frame frames[WALK_FRAMES] = {{{NULL, 0}, 0}};
    walk_ok(world, trn_world_set_frames(world, WALK_FRAMES));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = first + i, far = i / 3 % WALK_FRAMES;
        walk_prepare(world, number, edits, more);
        walk_keep_frame(world, number, frames, false);
        if (i % 3 != 2 || far > i)
            continue;
        walk_ok(world, trn_world_go_back(world, number - far));
        walk_keep_frame(world, number - far, frames, true);
        for (uint32_t again = number - far + 1; again <= number; again++) {
            walk_prepare(world, again, edits, more);
            walk_keep_frame(world, again, frames, true);
        }
    }
    for (uint32_t i = 0; i < WALK_FRAMES; i++)
        free(frames[i].state.bytes);
    walk_ok(world, trn_world_set_frames(world, 0));
}

/*
 * Goes `before` steps, edits, saves, goes `after` more; then goes back and on again: in the same world, at once and
 * after part of the way, and in a fresh one on other threads, on every instruction set. Every step gives the same hash,
 * and the last one the same snapshot.
 */
static inline void walk_there_and_back(trn_world *world, uint32_t before, uint32_t after, uint32_t edits,
                                       walk_edit_fn *more)
{
    uint64_t *hashes = malloc(after * sizeof *hashes), saved;
    assert_non_null(hashes);
    /* islands come to rest and wake all the time */
    const tr_sleep_settings rest = {.enable = true, .speed = 0.5f, .angular_speed = 0.5f, .time = 0.05f};
    walk_ok(world, trn_world_set_sleep(world, &rest));
    for (uint32_t i = 0; i < before; i++)
        walk_step(world, i, edits, more);
    walk_prepare(world, before, edits, more);
    saved = walk_hash(world);
    walk_state state = walk_save(world);
    hashes[0] = walk_go(world, before);
    for (uint32_t i = 1; i < after; i++)
        hashes[i] = walk_step(world, before + i, edits, more);
    walk_state end = walk_save(world);

    /* back from further and further away */
    for (uint32_t far = 1; far < after; far = 3 * far + 1) {
        walk_ok(world, trn_world_restore(world, state.bytes, state.size));
        assert_true(walk_hash(world) == saved);
        walk_state again = walk_save(world);
        walk_assert_same(state, again);
        free(again.bytes);
        walk_again(world, before, far, edits, more, hashes);
    }
    tr_isa isa = tr_get_isa();
    for (int to = 0; to < TR_ISA_COUNT; to++) {
        trn_world *other = NULL;
        trn_world_def def = trn_world_def_default();
        def.threads = 1 + (uint32_t)to % 3;
        if (!tr_isa_available((tr_isa)to))
            continue;
        walk_ok(world, tr_set_isa((tr_isa)to));
        walk_ok(NULL, trn_world_create(&def, &other, NULL));
        step_on_all_threads(other);
        walk_ok(other, trn_world_restore(other, state.bytes, state.size));
        assert_true(walk_hash(other) == saved);
        walk_again(other, before, after, edits, more, hashes);
        walk_state again = walk_save(other);
        walk_assert_same(end, again);
        free(again.bytes);
        trn_world_destroy(other);
    }
    walk_ok(world, tr_set_isa(isa));
    free(end.bytes);
    free(state.bytes);
    free(hashes);
}

/* a generated scene in a world of one thread */
static inline trn_world *walk_world(const char *kind, uint32_t size)
{
    trn_scene *scene = NULL;
    walk_ok(NULL, trn_scene_generate(kind, size, &scene, NULL));
    trn_world_def def = trn_scene_world_def(scene);
    trn_world *world = NULL;
    def.threads = 1;
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    walk_ok(world, trn_scene_build(scene, world, NULL, NULL, NULL));
    trn_scene_destroy(scene);
    return world;
}

#endif
