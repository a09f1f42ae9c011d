/*
 * Memory that runs out anywhere in the life of a world. A scenario is run again and again, and each time another of its
 * allocations fails. A call that fails leaves the world as it was, byte by byte. It is made once more, and in the end all
 * must be as if nothing had failed: the states after each call, ids, events, answers of queries. Then it is not made
 * again, and all must be as if it had been left out. The world's allocator and the malloc of src/scene are counted alike.
 *
 * Allocations that the same chain of callers makes, up to the line of the scenario, are alike: the first and the last of
 * these fail, and of the others one in a few, from another one on in each chain. TR_MEMORY_EVERY sets in how many; 1 is
 * all of them.
 */
#ifndef TR_TESTS_SCARCE_RUN_H
#define TR_TESTS_SCARCE_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define KNOWS_CALLERS
#endif
#endif

#include "hash.h"
#include "instrumented.h"
#include "random.h"
#include "recorded.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

/* the one that is scarce now; null: there is enough */
static test_allocator *scarce;

/* Which functions made each allocation of a run: a hash of the chain of them. */
typedef struct chains {
    uint64_t *of;
    size_t count, capacity;
} chains;

/* of the run that is being watched; null: none is */
static chains *watched;

static inline void note_callers(void)
{
    uint64_t hash = 0;
    if (watched == NULL)
        return;
    if (watched->count == watched->capacity) {
        watched->capacity = 2 * watched->capacity + 64;
        watched->of = realloc(watched->of, watched->capacity * sizeof *watched->of);
        assert_non_null(watched->of);
    }
#ifdef KNOWS_CALLERS
    void *callers[64];
    int count = backtrace(callers, sizeof callers / sizeof callers[0]);
    hash = mix_bytes(hash, callers, (size_t)count * sizeof callers[0]);
#else
    hash = watched->count;
#endif
    watched->of[watched->count++] = hash;
}

static inline void *allocate(size_t size, size_t alignment, void *context)
{
    note_callers();
    return test_allocate(size, alignment, context);
}

#define NONE UINT32_MAX

/*
 * The whole state of a world, as a snapshot has it, part by part
 */
enum {
    PART_PLAN,
    PART_SOLVER,
    PART_BODIES,
    PART_JOINTS,
    PART_WATCHES,
    PART_SLEEP,
    PART_CONTACTS,
    PART_SHAPES,
    PART_COLLISION,
    PARTS
};

static const char *const part_names[PARTS] = {"plan",  "solver",   "bodies", "joints",   "watches",
                                              "sleep", "contacts", "shapes", "collision"};

/* an archive that does not read does not write to the world */
static inline void visit_part(tr2_world *world, uint32_t part, tr_archive *archive)
{
    tr2_solver_state solver = tr2_solver_state_of(world->solver);
    switch (part) {
    case PART_PLAN:
        tr_plan_archive(world->plan, archive);
        break;
    case PART_SOLVER:
        tr2_solver_state_archive(&solver, archive);
        break;
    case PART_BODIES:
        tr_pool_archive(&world->body_pool, archive);
        tr2_bodies_archive(&world->bodies, archive);
        break;
    case PART_JOINTS:
        tr_pool_archive(&world->joint_pool, archive);
        for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
            tr2_joints_archive(&world->joints[type], archive, (tr2_joint_type)type);
        break;
    case PART_WATCHES:
        tr2_watches_archive(&world->watches, archive, &world->joint_pool);
        break;
    case PART_SLEEP:
        tr2_sleep_archive(world, archive);
        break;
    case PART_CONTACTS:
        tr2_contacts_archive(&world->contacts, archive);
        break;
    case PART_SHAPES:
        tr2_shapes_archive(&world->shapes, archive, &world->body_pool);
        break;
    default:
        tr2_collision_archive(world, archive);
        break;
    }
}

typedef struct parts {
    uint64_t hash[PARTS];
} parts;

static inline parts parts_of(tr2_world *world)
{
    parts out;
    for (uint32_t part = 0; part < PARTS; part++) {
        tr_archive archive = {.mode = TR_ARCHIVE_COUNT};
        visit_part(world, part, &archive);
        tr_archive write = {.mode = TR_ARCHIVE_WRITE, .bytes = malloc(archive.at + 1), .size = archive.at};
        assert_non_null(write.bytes);
        visit_part(world, part, &write);
        assert_true(write.status == TR_OK && write.at == archive.at);
        out.hash[part] = mix_bytes(0, write.bytes, write.at);
        free(write.bytes);
    }
    return out;
}

/* One run of a scenario. */
typedef struct run {
    test_allocator allocator;
    tr2_world *world;
    uint64_t random;
    uint64_t digest;       /* of all that the calls have given, and of the states after them */
    uint64_t state;        /* the world's state hash after the last call */
    uint64_t bodies;       /* and that of its bodies alone */
    uint32_t call;         /* how many there have been */
    uint32_t refused;      /* of these, for memory */
    uint32_t skip;         /* the call that is left out; NONE: none */
    bool gives_up;         /* does not make a call again that was refused */
    const char *failed_in; /* the call in which an allocation failed */
    uint64_t *until;       /* how many allocations there have been after each call; null: not asked for */
    const uint64_t *known; /* the same of the undisturbed run; null: this is it */
    parts before;          /* the world before the call in which the allocation fails */
    unsigned char *slot;   /* its snapshot then, which is written over after it */
    size_t slot_size, slot_capacity;
    memory_log log; /* the whole run is recorded */
} run;

/* most calls of a scenario */
#define CALLS_MOST 1024u

static inline void note_bytes(run *it, const void *data, size_t size)
{
    it->digest = mix_bytes(it->digest, data, size);
}

#define NOTE(it, value) note_bytes(it, &(value), sizeof(value))

/* of the bodies alone */
static inline uint64_t hash_bodies(const tr2_world *world)
{
    uint64_t hash = 0;
    for (uint32_t slot = 0; slot < world->body_pool.count; slot++) {
        if (tr_pool_is_free(&world->body_pool, slot))
            continue;
        const tr2_bodies *bodies = &world->bodies;
        uint32_t row = world->body_pool.row[slot];
        const double numbers[] = {
            bodies->center_x[row],           bodies->center_y[row],           bodies->angle[row],
            (double)bodies->velocity_x[row], (double)bodies->velocity_y[row], (double)bodies->angular_velocity[row],
            (double)bodies->mass[row],       (double)bodies->type[row]};
        hash = mix_bytes(hash, numbers, sizeof numbers);
    }
    return hash;
}

static inline void note_state(run *it)
{
    it->state = tr2_world_state_hash(it->world);
    it->bodies = hash_bodies(it->world);
    NOTE(it, it->state);
    NOTE(it, it->bodies);
}

/* of a step: its events, but for padding */
static inline void note_events(run *it)
{
    tr2_event_view events = tr2_world_events(it->world);
    for (uint32_t i = 0; i < events.count; i++) {
        const tr2_event *event = &events.event[i];
        NOTE(it, event->kind);
        NOTE(it, event->joint);
        NOTE(it, event->user_data);
        NOTE(it, event->steps);
    }
    tr2_touch_view touches = tr2_world_touches(it->world);
    for (uint32_t i = 0; i < touches.count; i++) {
        const tr2_touch_event *event = &touches.event[i];
        NOTE(it, event->kind);
        NOTE(it, event->shape_a);
        NOTE(it, event->shape_b);
        NOTE(it, event->body_a);
        NOTE(it, event->body_b);
        NOTE(it, event->user_data_a);
        NOTE(it, event->user_data_b);
        NOTE(it, event->point);
    }
}

/* whether the next call is the one that is left out */
static inline bool skips(run *it)
{
    if (it->call != it->skip)
        return false;
    it->call++;
    note_state(it);
    return true;
}

/* before each call, and again if it was refused */
static inline void keep_if_it_fails(run *it)
{
    if (it->known == NULL || it->allocator.failures > 0 || it->allocator.fail_at <= it->allocator.calls ||
        it->allocator.fail_at > it->known[it->call])
        return;
    it->before = parts_of(it->world);
    free(it->slot);
    /* columns that a refused call has made stay */
    it->slot_capacity = 2 * tr2_world_save_size(it->world) + 65536;
    it->slot_size = 0;
    it->slot = malloc(it->slot_capacity);
    assert_non_null(it->slot);
    assert_int_equal(tr2_world_save_over(it->world, it->slot, it->slot_capacity, &it->slot_size), TR_OK);
}

/* whether the snapshot before a call, written over after it, is that of the world */
static inline bool is_slot_whole(run *it)
{
    size_t size = 0;
    unsigned char *whole = malloc(it->slot_capacity);
    assert_non_null(whole);
    assert_int_equal(tr2_world_save_over(it->world, it->slot, it->slot_capacity, &it->slot_size), TR_OK);
    assert_int_equal(tr2_world_save(it->world, whole, it->slot_capacity, &size), TR_OK);
    const bool same = size == it->slot_size && memcmp(whole, it->slot, size) == 0;
    free(whole);
    return same;
}

/* Whether a part may be written otherwise after a call was refused. The plan counts its changes and keeps lists that have
   become empty; tables of bodies and joints keep columns that they have got; a step may know which joints will be solved
   exactly. What is said by these is the same. */
static inline bool may_be_rewritten(const char *what, uint32_t part)
{
    bool step = strstr(what, "_step(") != NULL;
    return part == PART_PLAN || (part == PART_SOLVER && step) ||
           (part == PART_JOINTS && (step || strstr(what, "joint") != NULL)) ||
           (part == PART_BODIES && (step || strstr(what, "_scene_build") != NULL));
}

/* a part of the world that is not what it was before the call; null: there is none */
static const char *changed_part(const run *it, const char *what)
{
    const parts now = parts_of(it->world);
    for (uint32_t part = 0; part < PARTS; part++) {
        if (now.hash[part] != it->before.hash[part] && !may_be_rewritten(what, part))
            return part_names[part];
    }
    return NULL;
}

/* whether there is a world without the call */
static inline bool may_be_left_out(const char *what)
{
    return strstr(what, "_world_create(") == NULL;
}

/* Whether a call has to be made again: it was refused for memory, and has changed nothing. Where a call was left out,
   others are refused that need what it would have made. */
static inline bool again(run *it, tr_status status, const char *what)
{
    if (it->failed_in == NULL && it->allocator.failures > 0)
        it->failed_in = what;
    if (status == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        assert_true(it->allocator.failures == 1);
        if (tr2_world_state_hash(it->world) != it->state || hash_bodies(it->world) != it->bodies)
            fail_msg("%s (allocation %llu): refused, and the state has changed", what,
                     (unsigned long long)it->allocator.fail_at);
        const char *changed = changed_part(it, what);
        if (changed != NULL)
            fail_msg("%s (allocation %llu): refused, and the state of %s has changed", what,
                     (unsigned long long)it->allocator.fail_at, changed);
        if (!is_slot_whole(it))
            fail_msg("%s (allocation %llu): refused, and save_over misses what has changed", what,
                     (unsigned long long)it->allocator.fail_at);
        if (!it->gives_up || !may_be_left_out(what))
            return true;
        it->skip = it->call;
        (void)skips(it);
        return false;
    }
    if (it->call > it->skip)
        NOTE(it, status);
    else if (status != TR_OK)
        fail_msg("%s (allocation %llu): %s: %s", what, (unsigned long long)it->allocator.fail_at,
                 tr_status_name(status), tr2_world_last_error(it->world)->message);
    if (it->until != NULL) {
        assert_true(it->call < CALLS_MOST);
        it->until[it->call] = it->allocator.calls;
    }
    it->call++;
    note_state(it);
    return false;
}

/* a call, and once more if there was no memory for it, unless it is left out */
#define DO(it, call)                                                                                                   \
    do {                                                                                                               \
        if (skips(it))                                                                                                 \
            break;                                                                                                     \
        keep_if_it_fails(it);                                                                                          \
    } while (again(it, call, #call))

static inline void step(run *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        DO(it, tr2_world_step(it->world, 1.0 / 60.0, 4));
        note_events(it);
    }
}

static inline float draw(run *it)
{
    return (float)random_index(&it->random, 10000) / 10000.0f;
}

/* What returns no status may come back empty. A view of all columns or of none. */
static inline void look(run *it)
{
    tr2_body_view bodies = tr2_world_bodies(it->world);
    const void *const columns[] = {bodies.id,
                                   bodies.local_center_x,
                                   bodies.local_center_y,
                                   bodies.inverse_mass,
                                   bodies.inverse_inertia,
                                   bodies.gravity_scale,
                                   bodies.linear_damping,
                                   bodies.angular_damping,
                                   bodies.sleep_scale,
                                   bodies.force_x,
                                   bodies.force_y,
                                   bodies.torque,
                                   bodies.user_data};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        assert_true((columns[i] != NULL) == (bodies.id != NULL));
    assert_true(bodies.count == 0 || bodies.id != NULL);
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_view joints = tr2_world_joints(it->world, (tr2_joint_type)type);
        assert_true(joints.count == 0 || (joints.id != NULL && joints.body_a != NULL && joints.body_b != NULL));
    }
    tr_statistics statistics = tr2_world_statistics(it->world);
    NOTE(it, statistics.bodies);
    (void)again(it, TR_OK, "views");
}

static inline void ask(run *it)
{
    double x[40], y[40];
    float translation_x[40], translation_y[40], fraction[40] = {0.0f}, distance[40] = {0.0f};
    tr2_shape hit[40] = {{0}}, nearest[40] = {{0}}, list[200] = {{0}};
    uint32_t first[41] = {0};
    for (uint32_t i = 0; i < 40; i++) {
        x[i] = 40.0 * (double)draw(it) - 20.0;
        y[i] = 40.0 * (double)draw(it) - 20.0;
        translation_x[i] = 40.0f * draw(it) - 20.0f;
        translation_y[i] = 40.0f * draw(it) - 20.0f;
    }
    tr2_query query = tr2_query_default();
    query.sensors = true;
    tr2_rays rays = {40, x, y, translation_x, translation_y};
    tr2_hits hits = {.shape = hit, .fraction = fraction};
    tr2_points points = {40, x, y};
    tr2_nearest near = {.shape = nearest, .distance = distance};
    tr2_shape_def shape = tr2_circle_on((tr2_body){0}, (tr_vec2){0.0f, 0.0f}, 3.0f);
    tr2_poses places = {40, x, y, NULL};
    DO(it, tr2_world_cast_rays(it->world, &rays, &query, &hits, NULL));
    NOTE(it, hit);
    NOTE(it, fraction);
    DO(it, tr2_world_nearest_shapes(it->world, &points, 5.0f, &query, &near, NULL));
    NOTE(it, nearest);
    NOTE(it, distance);
    DO(it, tr2_world_overlap_shapes(it->world, &shape, &places, &query, list, 200, first, NULL));
    NOTE(it, list);
    NOTE(it, first);
}

static inline void begin(run *it)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.tag = 7;
    def.allocator = test_hooks(&it->allocator);
    def.allocator.allocate = allocate;
    while (tr2_world_create(&def, &it->world, NULL) == TR_ERROR_MEMORY && it->refused == 0) {
        it->refused++;
        it->failed_in = "tr2_world_create()";
    }
    assert_non_null(it->world);
    note_state(it);
    tr_sink sink = {log_write, log_close, &it->log};
    DO(it, tr2_world_record(it->world, &sink));
}

/*
 * All runs of a scenario
 */
typedef void scenario(run *it);

/* of allocations that are alike one in so many fails; and one in so many of those that are chosen, less with sanitizers */
#define REPEATS 4u
#define STRIDE  (TRIALS(4) < 4 ? 120u : 20u)

/* What was recorded is made again, whatever had failed: all of it, or up to where there was no memory to record more. */
static inline void play(run *it)
{
    /* steps that fail, and records, are what is special; of the others some */
    bool played = it->refused == 0 || strstr(it->failed_in, "_step(") != NULL || it->allocator.fail_at % 8 == 0;
    bool began = it->log.size > 0, whole = tr2_world_is_recording(it->world);
    tr_status status = tr2_world_stop_recording(it->world);
    assert_int_equal(status, !began || whole ? TR_OK : TR_ERROR_MEMORY);
    assert_int_equal(it->log.closed, began);
    tr2_world *world = log_world(1);
    tr_replay replay = tr_replay_of(it->log.bytes, it->log.size);
    tr_replay_record record = {.kind = TR_REPLAY_END};
    do {
        if (began && played)
            record = log_next(world, &replay);
    } while (record.kind != TR_REPLAY_END && record.kind != TR_REPLAY_CUT_OFF);
    assert_true((record.kind == TR_REPLAY_END) == (!began || !played || whole));
    tr2_world_destroy(world);
    log_free(&it->log);
}

static inline run once(scenario *live, run it)
{
    it.random = 1;
    scarce = &it.allocator;
    live(&it);
    scarce = NULL;
    watched = NULL;
    play(&it);
    tr2_world_destroy(it.world);
    free(it.slot);
    it.slot = NULL;
    assert_int_equal(it.allocator.held, 0);
    assert_int_equal(it.allocator.mismatches, 0);
    return it;
}

/* The digests of runs in which one call is left out, by that call; each is made when it is first needed. */
static inline uint64_t digest_without(scenario *live, uint32_t call, uint64_t *digests)
{
    if (digests[call] == 0)
        digests[call] = once(live, (run){.skip = call}).digest;
    return digests[call];
}

/* counts, and tells of the first few */
static inline void expect(bool same, const run *it, const char *how, uint32_t *differ)
{
    if (!same && ++*differ <= 20)
        print_message("allocation %llu: the world ends otherwise if it fails in %s and that is %s\n",
                      (unsigned long long)it->allocator.fail_at, it->failed_in, how);
}

/* Whether an allocation fails in some run: the first and the last one of a chain of callers, and one in `every` of the
   others, those of each chain from another one on. */
static inline bool is_chosen(const chains *all, size_t n, uint64_t every)
{
    uint64_t before = 0, after = 0;
    size_t first = n;
    for (size_t i = all->count; i-- > 0;) {
        if (all->of[i] != all->of[n])
            continue;
        before += i < n;
        after += i > n;
        first = i;
    }
    return before == 0 || after == 0 || (before + first) % every == 0;
}

static inline void exhaust(scenario *live)
{
    const char *text = getenv("TR_MEMORY_EVERY");
    uint64_t every = text != NULL ? strtoull(text, NULL, 10) : REPEATS, chosen = 0, refused = 0;
    uint64_t *until = calloc(CALLS_MOST, sizeof *until), *digests = calloc(CALLS_MOST, sizeof *digests);
    chains all = {NULL, 0, 0};
    uint32_t differ = 0, left_out = 0;
    assert_true(until != NULL && digests != NULL);
    watched = &all;
    const run undisturbed = once(live, (run){.skip = NONE, .until = until});
    assert_int_equal(all.count, undisturbed.allocator.calls);
    for (uint64_t n = 1; n <= undisturbed.allocator.calls; n++) {
        if (!is_chosen(&all, n - 1, every > 0 ? every : 1) || (text == NULL && chosen++ % STRIDE != 0))
            continue;
        const run fails = {.allocator = {.fail_at = n}, .skip = NONE, .known = until};
        const run it = once(live, fails);
        assert_int_equal(it.allocator.failures, 1);
        expect(it.digest == undisturbed.digest, &it, "made again", &differ);
        refused += it.refused;
        if (it.refused == 0 || !may_be_left_out(it.failed_in))
            continue;
        run gives_up = fails;
        gives_up.gives_up = true;
        const run without = once(live, gives_up);
        expect(without.digest == digest_without(live, without.skip, digests), &without, "left out", &differ);
        left_out++;
    }
    print_message("%llu allocations, %llu calls refused and made again, %u left out\n",
                  (unsigned long long)undisturbed.allocator.calls, (unsigned long long)refused, left_out);
    free(all.of);
    free(until);
    free(digests);
    assert_int_equal(differ, 0);
    assert_true(refused > 0 && left_out > 0);
}

#endif
