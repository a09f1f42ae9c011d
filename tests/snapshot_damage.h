/* Snapshots that are not what was saved: damaged, cut off, made up; and memory that is not there. Of both dimensions. */
#ifndef TR_TESTS_SNAPSHOT_DAMAGE_H
#define TR_TESTS_SNAPSHOT_DAMAGE_H

#include <stdio.h>

#include "allocator.h"
#include "snapshot_walk.h"

/* where the header has these (world/recording/snapshot.c) */
enum { AT_VERSION = 16, AT_DIMENSION = 20, AT_HASH = 40, HEADER = 48 };

/* gives changed bytes the checksum that they should have */
static inline void damage_sign(walk_state state)
{
    tr_archive_parts parts;
    memcpy(&parts, state.bytes + HEADER, sizeof parts);
    /* where parts are not where they can be, their hashes do not matter */
    (void)tr_archive_sum(&parts, state.bytes, HEADER + sizeof parts, state.size);
    memcpy(state.bytes + HEADER, &parts, sizeof parts);
    memset(state.bytes + AT_HASH, 0, 8);
    uint64_t hash = tr_archive_hash(&parts, sizeof parts);
    unsigned char header[HEADER];
    memcpy(header, state.bytes, HEADER);
    memcpy(header + AT_HASH, &hash, 8);
    hash = tr_archive_hash(header, HEADER);
    memcpy(state.bytes + AT_HASH, &hash, 8);
}

static inline void damage_refused(trn_world *world, const unsigned char *bytes, size_t size, tr_status wanted,
                                  const char *says)
{
    assert_int_equal(trn_world_restore(world, bytes, size), wanted);
    assert_int_equal(trn_world_last_error(world)->status, wanted);
    assert_non_null(strstr(trn_world_last_error(world)->message, says));
}

static inline void damage_refused_over(trn_world *world, unsigned char *bytes, size_t capacity, size_t size,
                                       tr_status wanted, const char *says)
{
    const size_t before = size;
    assert_int_equal(trn_world_save_over(world, bytes, capacity, &size), wanted);
    assert_non_null(strstr(trn_world_last_error(world)->message, says));
    assert_int_equal(size, before);
}

/* what is of another format is not taken for damaged, whatever its checksum is, and however short it is */
static inline void damage_old_format(trn_world *world)
{
    unsigned char bytes[HEADER] = "TRAMMEL\x1a";
    const uint32_t words[] = {0x01020304, 7, TR_VERSION, TR_DIMENSION};
    const uint64_t size = sizeof bytes;
    memcpy(bytes + 8, words, sizeof words);
    memcpy(bytes + 24, &size, sizeof size);
    damage_refused(world, bytes, sizeof bytes, TR_ERROR_UNSUPPORTED, "format 7; this is");
    damage_refused(world, bytes, sizeof bytes - 1, TR_ERROR_PARSE, "bytes");
}

/* Each byte of a snapshot is changed in a few ways, and each byte is the last one once. */
static inline void damage_is_refused(trn_world *world)
{
    walk_state state = walk_save(world);
    trn_world *other = walk_world(TR_DIMENSION == 2 ? "chains" : "chains3d", 1);
    walk_state before = walk_save(other);
    static const unsigned char flips[] = {0x01, 0x80, 0xff};
    const size_t stride = TRIALS(10) < 10 ? 13 : 1;
    for (size_t at = 0; at < state.size; at += at < 64 ? 1 : stride) {
        for (size_t i = 0; i < sizeof flips; i++) {
            state.bytes[at] ^= flips[i];
            tr_status status = trn_world_restore(other, state.bytes, state.size);
            assert_true(status == TR_ERROR_PARSE || (status == TR_ERROR_UNSUPPORTED && at >= 8 && at < 20));
            state.bytes[at] ^= flips[i];
        }
    }
    for (size_t size = 0; size < state.size; size += stride) {
        /* in a block of its own, so that a sanitizer sees what is read behind it */
        unsigned char *cut = malloc(size > 0 ? size : 1);
        memcpy(cut, state.bytes, size);
        assert_int_equal(trn_world_restore(other, cut, size), TR_ERROR_PARSE);
        free(cut);
    }
    walk_state after = walk_save(other);
    walk_assert_same(before, after);

    /* the checksum is right, and it is of something else */
    state.bytes[AT_VERSION] ^= 1;
    damage_sign(state);
    damage_refused(other, state.bytes, state.size, TR_ERROR_UNSUPPORTED, "is of version 0.1.1");
    state.bytes[AT_VERSION] ^= 1;
    damage_old_format(other);
    state.bytes[AT_DIMENSION] ^= 1;
    damage_sign(state);
    damage_refused(other, state.bytes, state.size, TR_ERROR_UNSUPPORTED, "dimensions");
    state.bytes[AT_DIMENSION] ^= 1;
    damage_sign(state);
    for (int i = 0; i < 2; i++) {
        unsigned char kept = state.bytes[8 + i];
        state.bytes[8 + i] = state.bytes[11 - i];
        state.bytes[11 - i] = kept;
    }
    damage_sign(state);
    damage_refused(other, state.bytes, state.size, TR_ERROR_UNSUPPORTED, "order of bytes");
    for (int i = 0; i < 2; i++) {
        unsigned char kept = state.bytes[8 + i];
        state.bytes[8 + i] = state.bytes[11 - i];
        state.bytes[11 - i] = kept;
    }
    damage_sign(state);
    walk_ok(other, trn_world_restore(other, state.bytes, state.size));
    assert_true(walk_hash(other) == walk_hash(world));

    /* arguments */
    size_t size = 5;
    damage_refused(other, NULL, state.size, TR_ERROR_NULL, "memory");
    assert_int_equal(trn_world_save(other, state.bytes, state.size - 1, &size), TR_ERROR_RANGE);
    assert_non_null(strstr(trn_world_last_error(other)->message, "capacity is"));
    assert_int_equal(trn_world_save(other, state.bytes, 0, &size), TR_ERROR_RANGE);
    assert_int_equal(trn_world_save(other, NULL, state.size, &size), TR_ERROR_NULL);
    assert_int_equal(trn_world_save(other, state.bytes, state.size, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_save(NULL, state.bytes, state.size, &size), TR_ERROR_NULL);
    assert_int_equal(trn_world_restore(NULL, state.bytes, state.size), TR_ERROR_NULL);
    assert_int_equal(trn_world_save_size(NULL), 0);
    assert_int_equal(size, 5);
    trn_world_destroy(other);
    free(state.bytes);
    free(before.bytes);
    free(after.bytes);
}

/* A snapshot is written over what is none, what is one of another world, what is too short, and what was changed: then it
   comes out right, or is refused. */
static inline void damage_written_over(trn_world *world)
{
    trn_world *other = walk_world(TR_DIMENSION == 2 ? "chains" : "chains3d", 3);
    walk_state one = walk_save(world), two = walk_save(other);
    const size_t capacity = one.size > two.size ? one.size : two.size;
    walk_state slot = {malloc(capacity), 0};
    uint32_t refused = 0;
    memset(slot.bytes, 0x5a, capacity);
    for (uint32_t i = 0; i < 6; i++) {
        walk_ok(world, trn_world_save_over(i % 2 == 0 ? world : other, slot.bytes, capacity, &slot.size));
        walk_assert_same(i % 2 == 0 ? one : two, slot);
        /* no snapshot any more, but for the size; one that is cut off */
        if (i == 2)
            slot.bytes[0] ^= 1;
        if (i == 4)
            slot.size--;
    }
    for (size_t at = 0; at < slot.size; at += 61) {
        walk_ok(other, trn_world_save_over(other, slot.bytes, capacity, &slot.size));
        slot.bytes[at] ^= 0x10;
        walk_ok(other, trn_world_save_over(other, slot.bytes, capacity, &slot.size));
        const bool same = memcmp(slot.bytes, two.bytes, slot.size) == 0;
        assert_int_equal(trn_world_restore(world, slot.bytes, slot.size), same ? TR_OK : TR_ERROR_PARSE);
        refused += !same;
        memcpy(slot.bytes, two.bytes, two.size);
    }
    assert_true(refused > 0);
    walk_ok(world, trn_world_restore(world, one.bytes, one.size));

    /* on failure nothing is written */
    damage_refused_over(other, slot.bytes, slot.size - 1, slot.size - 1, TR_ERROR_RANGE, "must be");
    damage_refused_over(other, slot.bytes, slot.size - 1, slot.size, TR_ERROR_RANGE, "size");
    damage_refused_over(other, slot.bytes, 0, 0, TR_ERROR_RANGE, "capacity is 0");
    damage_refused_over(other, NULL, slot.size, 0, TR_ERROR_NULL, "memory");
    assert_int_equal(trn_world_save_over(other, slot.bytes, slot.size, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_save_over(NULL, slot.bytes, capacity, &slot.size), TR_ERROR_NULL);
    walk_assert_same(two, slot);
    trn_world_destroy(other);
    free(one.bytes);
    free(two.bytes);
    free(slot.bytes);
}

/* an empty world whose allocations can fail */
static inline trn_world *damage_world(test_allocator *memory)
{
    trn_world_def def = trn_world_def_default();
    trn_world *world = NULL;
    def.threads = 1;
    def.allocator = test_hooks(memory);
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    return world;
}

/* A world whose allocations fail one after the other, until it can be restored; then it goes on like the other. */
static inline void damage_memory(trn_world *from)
{
    walk_state state = walk_save(from);
    test_allocator memory = {0};
    trn_world *world = damage_world(&memory);
    trn_body_def body = trn_body_def_default();
    walk_ok(world, trn_world_create_body(world, &body, NULL));
    walk_state before = walk_save(world);
    uint64_t failed = 0;
    tr_status status = TR_ERROR_MEMORY;
    for (; status == TR_ERROR_MEMORY; failed++) {
        test_fail_in(&memory, failed + 1);
        status = trn_world_restore(world, state.bytes, state.size);
        test_fail_in(&memory, 0);
        if (status != TR_ERROR_MEMORY)
            break;
        walk_state after = walk_save(world);
        walk_assert_same(before, after);
        free(after.bytes);
        walk_ok(world, trn_world_step(world, 0.0, 1));
    }
    assert_int_equal(status, TR_OK);
    assert_true(failed > 30);
    walk_state after = walk_save(world);
    walk_assert_same(state, after);
    /* both tables have their room then: to go back again takes no memory */
    for (int i = 0; i < 2; i++)
        walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    uint64_t calls = memory.calls;
    for (int i = 0; i < 3; i++)
        walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    assert_true(memory.calls == calls);
    trn_world_destroy(world);
    assert_true(memory.held == 0 && memory.mismatches == 0);
    free(after.bytes);
    free(before.bytes);
    free(state.bytes);
}

/* a call for which each of its allocations fails once, and then none; nothing has changed before */
#define DAMAGE_EACH(world, memory, call)                                                                               \
    do {                                                                                                               \
        walk_state before_ = walk_save(world);                                                                         \
        uint64_t failed_ = 1;                                                                                          \
        for (test_fail_in(memory, failed_); (call) != TR_OK; test_fail_in(memory, ++failed_)) {                        \
            test_fail_in(memory, 0);                                                                                   \
            assert_int_equal(trn_world_last_error(world)->status, TR_ERROR_MEMORY);                                    \
            walk_state after_ = walk_save(world);                                                                      \
            walk_assert_same(before_, after_);                                                                         \
            free(after_.bytes);                                                                                        \
        }                                                                                                              \
        test_fail_in(memory, 0);                                                                                       \
        assert_true(failed_ > 1);                                                                                      \
        free(before_.bytes);                                                                                           \
    } while (0)

static inline void damage_not_kept(trn_world *world, uint64_t frame)
{
    walk_state before = walk_save(world);
    assert_int_equal(trn_world_go_back(world, frame), TR_ERROR_RANGE);
    assert_non_null(strstr(trn_world_last_error(world)->message, "which is not kept"));
    walk_state after = walk_save(world);
    walk_assert_same(before, after);
    free(before.bytes);
    free(after.bytes);
}

/* Frames that are not there, in the own world and in another one, and memory that is not. */
static inline void damage_frames(trn_world *from)
{
    walk_state state = walk_save(from);
    test_allocator memory = {0};
    trn_world *world = damage_world(&memory);
    walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    assert_int_equal(trn_world_set_frames(NULL, 2), TR_ERROR_NULL);
    assert_int_equal(trn_world_keep_frame(NULL, 0), TR_ERROR_NULL);
    assert_int_equal(trn_world_go_back(NULL, 0), TR_ERROR_NULL);
    assert_int_equal(trn_world_keep_frame(world, 0), TR_ERROR_RANGE);
    assert_non_null(strstr(trn_world_last_error(world)->message, "has no frames"));
    damage_not_kept(world, 0);
    DAMAGE_EACH(world, &memory, trn_world_set_frames(world, 2));
    damage_not_kept(world, 0);
    DAMAGE_EACH(world, &memory, trn_world_keep_frame(world, 4));
    damage_not_kept(world, 2);
    damage_not_kept(world, 5);
    /* another world has frames of its own */
    walk_ok(from, trn_world_set_frames(from, 2));
    damage_not_kept(from, 4);
    walk_ok(from, trn_world_set_frames(from, 0));

    /* a larger state needs more room, and without it what was there is still there */
    trn_body_def body = trn_body_def_default();
    for (uint32_t i = 0; i < 4000; i++) {
        body.position.x = 100.0 + 2.0 * i;
        walk_ok(world, trn_world_create_body(world, &body, NULL));
    }
    walk_ok(world, trn_world_step(world, WALK_DT, 2));
    test_fail_in(&memory, 1);
    assert_int_equal(trn_world_keep_frame(world, 6), TR_ERROR_MEMORY);
    test_fail_in(&memory, 0);
    damage_not_kept(world, 6);
    walk_ok(world, trn_world_keep_frame(world, 7));
    walk_state large = walk_save(world);
    DAMAGE_EACH(world, &memory, trn_world_go_back(world, 4));
    walk_state is = walk_save(world);
    walk_assert_same(state, is);
    free(is.bytes);
    walk_ok(world, trn_world_go_back(world, 7));
    is = walk_save(world);
    walk_assert_same(large, is);
    free(is.bytes);
    walk_ok(world, trn_world_keep_frame(world, 6));
    damage_not_kept(world, 4);

    /* a frame that is kept again is as the world is: as it was there, or as calls have made it since */
    for (uint32_t edits = 0; edits < 3; edits++) {
        walk_ok(world, trn_world_go_back(world, 7));
        if (edits > 0)
            walk_ok(world, trn_world_create_body(world, &body, NULL));
        walk_state edited = walk_save(world);
        walk_ok(world, trn_world_keep_frame(world, 7));
        if (edits == 2) {
            walk_ok(world, trn_world_step(world, WALK_DT, 2));
            free(edited.bytes);
            edited = walk_save(world);
            walk_ok(world, trn_world_keep_frame(world, 7));
        }
        walk_ok(world, trn_world_step(world, WALK_DT, 2));
        walk_ok(world, trn_world_go_back(world, 7));
        is = walk_save(world);
        walk_assert_same(edited, is);
        free(is.bytes);
        free(edited.bytes);
    }

    /* all has its room then, but for what steps need */
    for (uint32_t round = 0; round < 4; round++) {
        uint64_t before = memory.calls;
        for (uint32_t i = 0; i < 2; i++) {
            walk_ok(world, trn_world_keep_frame(world, 8 + i));
            assert_true(round == 0 || memory.calls == before);
            walk_ok(world, trn_world_step(world, WALK_DT, 2));
            before = memory.calls;
        }
        walk_ok(world, trn_world_go_back(world, 8));
    }
    walk_ok(world, trn_world_go_back(world, 8));
    const uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < 3; i++)
        walk_ok(world, trn_world_go_back(world, 8));
    assert_true(memory.calls == calls);
    walk_ok(world, trn_world_set_frames(world, 1));
    damage_not_kept(world, 8);
    walk_ok(world, trn_world_keep_frame(world, UINT64_MAX));
    walk_ok(world, trn_world_go_back(world, UINT64_MAX));
    trn_world_destroy(world);
    assert_true(memory.held == 0 && memory.mismatches == 0);
    free(large.bytes);
    free(state.bytes);
}

/* Memory of what is gone, and of what sleeps, is given back; what is there stays, frames too. */
static inline void damage_release(trn_world *from)
{
    enum { MANY = 4000 };
    walk_state state = walk_save(from);
    test_allocator memory = {0};
    trn_world *world = damage_world(&memory);
    walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    assert_int_equal(trn_world_release_memory(NULL), TR_ERROR_NULL);
    walk_ok(world, trn_world_set_frames(world, 1));
    walk_ok(world, trn_world_keep_frame(world, 3));
    /* the team keeps its list of stages */
    walk_ok(world, trn_world_step(world, WALK_DT, 2));
    walk_ok(world, trn_world_go_back(world, 3));
    DAMAGE_EACH(world, &memory, trn_world_release_memory(world));
    walk_state is = walk_save(world);
    walk_assert_same(state, is);
    free(is.bytes);
    const size_t least = memory.held;
    trn_body_def body = trn_body_def_default();
    trn_body *ids = calloc(MANY, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = 0; i < MANY; i++) {
        body.position.x = 100.0 + 2.0 * i;
        walk_ok(world, trn_world_create_body(world, &body, &ids[i]));
    }
    walk_ok(world, trn_world_step(world, WALK_DT, 2));
    const size_t most = memory.held;
    walk_ok(world, trn_world_release_memory(world));
    /* the solver's records of the bodies come back with the next step */
    assert_true(memory.held + (size_t)MANY * 64 < most);
    walk_ok(world, trn_world_step(world, WALK_DT, 2));
    for (uint32_t i = 0; i < MANY; i++)
        walk_ok(world, trn_world_destroy_body(world, ids[i]));
    walk_ok(world, trn_world_step(world, WALK_DT, 2));
    assert_true(memory.held > most / 2);
    walk_ok(world, trn_world_release_memory(world));
    /* their ids stay used up: generations, and for each slot what sleep and the plan have */
    assert_in_range(memory.held, 1, least + (size_t)MANY * 160);
    walk_ok(world, trn_world_go_back(world, 3));
    is = walk_save(world);
    walk_assert_same(state, is);
    free(is.bytes);
    walk_ok(world, trn_world_release_memory(world));
    assert_in_range(memory.held, 1, least);
    trn_world_destroy(world);
    assert_true(memory.held == 0 && memory.mismatches == 0);
    free(ids);
    free(state.bytes);
}

/* some bytes of the state become others */
static inline void damage_scatter(walk_state state, uint64_t *random)
{
    uint32_t count = 1 + random_index(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = HEADER + (((size_t)random_index(random, 1u << 15) << 15 | random_index(random, 1u << 15)) %
                              (state.size - HEADER));
        uint32_t word = random_index(random, 3) == 0 ? random_index(random, 64) : UINT32_MAX - random_index(random, 4);
        switch (random_index(random, 4)) {
        case 0:
            state.bytes[at] = (unsigned char)random_index(random, 256);
            break;
        case 1:
            state.bytes[at] = (unsigned char)(state.bytes[at] + 1);
            break;
        case 2:
            at = at / 4 * 4;
            memcpy(state.bytes + at, &word, at + 4 <= state.size ? 4 : 1);
            break;
        default:
            state.bytes[at] ^= (unsigned char)(1u << random_index(random, 8));
        }
    }
}

/*
 * Made up states with the right checksum: refused, or taken for good. What is taken is stepped and edited, and neither
 * crashes. TR_RANDOM_CALLS sets the number of states, TR_RANDOM_SEED where they begin.
 */
static inline void damage_fuzz(trn_world *from, uint32_t trials, uint64_t seed)
{
    const char *calls = getenv("TR_RANDOM_CALLS"), *start = getenv("TR_RANDOM_SEED");
    trials = calls != NULL ? (uint32_t)strtoul(calls, NULL, 10) : trials;
    seed += start != NULL ? strtoull(start, NULL, 10) : 0;
    walk_state state = walk_save(from), changed = {malloc(state.size), state.size};
    trn_world *world = NULL;
    trn_world_def def = trn_world_def_default();
    uint32_t taken = 0;
    def.threads = 1;
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    for (uint32_t i = 0; i < trials; i++) {
        memcpy(changed.bytes, state.bytes, state.size);
        damage_scatter(changed, &seed);
        damage_sign(changed);
        uint64_t hash = trn_world_state_hash(world);
        tr_status status = trn_world_restore(world, changed.bytes, changed.size);
        if (status != TR_OK) {
            assert_int_equal(status, TR_ERROR_PARSE);
            assert_true(trn_world_state_hash(world) == hash);
            continue;
        }
        taken++;
        walk_is_wild = true;
        for (uint32_t k = 0; k < 3; k++)
            walk_step(world, i + k, k, NULL);
        (void)trn_world_measure(world);
        walk_is_wild = false;
    }
    print_message("%u of %u changed states were taken\n", taken, trials);
    assert_true(taken > 0 && taken < trials);
    /* nothing is left of them */
    walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    walk_state after = walk_save(world);
    walk_assert_same(state, after);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(walk_step(world, i, 0, NULL) == walk_step(from, i, 0, NULL));
    trn_world_destroy(world);
    free(after.bytes);
    free(changed.bytes);
    free(state.bytes);
}

/*
 * States with the hashes of another one: a word of a group is changed, and so is the one 64 bytes on, by which the hash's
 * lane is what it was (tr_archive_hash()).
 */
static inline uint64_t damage_lane(uint64_t lane, uint64_t word)
{
    const uint64_t mixed = (lane ^ word) * UINT64_C(0xD1B54A32D192ED03);
    return mixed << 29 | mixed >> 35;
}

static inline uint64_t damage_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* `at`: of the word in the run of bytes, in the first half of a block of 128 */
static inline void damage_collide(unsigned char *run, size_t at, uint64_t with)
{
    const size_t index = at % 128 / 8;
    uint64_t lane = UINT64_C(0x9E3779B97F4A7C15) + index * UINT64_C(0xD1B54A32D192ED03);
    for (size_t before = index * 8; before < at; before += 128)
        lane = damage_lane(lane, damage_word(run + before)) + damage_word(run + before + 64);
    const uint64_t second =
        damage_word(run + at + 64) + damage_lane(lane, damage_word(run + at)) - damage_lane(lane, with);
    memcpy(run + at, &with, sizeof with);
    memcpy(run + at + 64, &second, sizeof second);
}

static inline void damage_is_linked(const trn_world *world)
{
    uint32_t joints = 0;
    assert_true(tr_pool_is_sound(&world->body_pool, world->bodies.table.count));
    for (uint32_t row = 0; row < world->bodies.table.count; row++) {
        assert_true(world->bodies.slot[row] < world->body_pool.count);
        assert_int_equal(world->body_pool.row[world->bodies.slot[row]], row);
        assert_true(world->bodies.type[row] <= TR_DYNAMIC);
    }
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const trn_joints *table = &world->joints[type];
        joints += table->table.count;
        for (uint32_t row = 0; row < table->table.count; row++) {
            assert_true(table->slot[row] < world->joint_pool.count);
            assert_int_equal(world->joint_pool.row[table->slot[row]], row);
        }
    }
    assert_true(tr_pool_is_sound(&world->joint_pool, joints));
}

/* A world that is in a state goes to one with the same hashes: rows, slots and types are checked nevertheless. */
static inline void damage_same_hashes(trn_world *from)
{
    walk_state state = walk_save(from), forged = {malloc(state.size), state.size};
    trn_world *world = walk_world(TR_DIMENSION == 2 ? "chains" : "chains3d", 1);
    walk_state before = walk_save(world);
    tr_archive_parts parts;
    uint32_t refused = 0, taken = 0;
    memcpy(&parts, state.bytes + HEADER, sizeof parts);
    walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    for (uint32_t i = 0; i < TR_ARCHIVE_PARTS; i++) {
        const size_t size = parts.part[i].size < TRIALS(8192) ? (size_t)parts.part[i].size : TRIALS(8192);
        for (size_t at = 0; at / 128 * 128 + 128 <= size; at += at % 128 < 56 ? 8 : 72) {
            const size_t place = (size_t)parts.part[i].at;
            tr_archive_parts same = parts;
            memcpy(forged.bytes, state.bytes, state.size);
            damage_collide(forged.bytes + place, at,
                           at % 3 == 0 ? UINT64_MAX : damage_word(forged.bytes + place + at) + 1);
            assert_true(tr_archive_sum(&same, forged.bytes, HEADER + sizeof parts, forged.size));
            assert_memory_equal(&same, &parts, sizeof parts);
            const tr_status status = trn_world_restore(world, forged.bytes, forged.size);
            damage_is_linked(world);
            if (status != TR_OK) {
                assert_int_equal(status, TR_ERROR_PARSE);
                refused++;
            } else {
                taken++;
                (void)trn_world_step(world, 1.0 / 60.0, 4);
                (void)trn_world_measure(world);
                /* twice, so that nothing is left of it, for which the other one would be taken */
                for (int k = 0; k < 2; k++)
                    walk_ok(world, trn_world_restore(world, before.bytes, before.size));
            }
            /* nothing that was refused is taken for it */
            walk_ok(world, trn_world_restore(world, state.bytes, state.size));
        }
    }
    print_message("%u states with the hashes of another one were refused, %u taken\n", refused, taken);
    assert_true(refused > 0);
    walk_state after = walk_save(world);
    walk_assert_same(state, after);
    trn_world_destroy(world);
    free(after.bytes);
    free(before.bytes);
    free(forged.bytes);
    free(state.bytes);
}

/* Steps whose allocations fail one after the other: then a snapshot that is written over the one before is whole. */
static inline void damage_refused_steps(trn_world *from)
{
    walk_state state = walk_save(from);
    const size_t capacity = 2 * state.size + 65536;
    walk_state slot = {malloc(capacity), 0};
    test_allocator memory = {0};
    trn_world_def def = trn_world_def_default();
    trn_world *world = NULL;
    uint32_t refused = 0;
    def.threads = 1;
    def.allocator = test_hooks(&memory);
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    walk_ok(world, trn_world_restore(world, state.bytes, state.size));
    for (uint32_t i = 0; i < 4; i++) {
        tr_status status = TR_ERROR_MEMORY;
        for (uint32_t n = 1; status == TR_ERROR_MEMORY; n++) {
            walk_ok(world, trn_world_save_over(world, slot.bytes, capacity, &slot.size));
            test_fail_in(&memory, n);
            status = trn_world_step(world, 1.0 / 60.0, 4);
            test_fail_in(&memory, 0);
            refused += status == TR_ERROR_MEMORY;
            walk_ok(world, trn_world_save_over(world, slot.bytes, capacity, &slot.size));
            walk_state whole = walk_save(world);
            walk_assert_same(whole, slot);
            free(whole.bytes);
        }
        walk_ok(world, status);
    }
    assert_true(refused > 0);
    trn_world_destroy(world);
    free(slot.bytes);
    free(state.bytes);
}

/* a snapshot in a file, beside one that cannot be read or written */
static inline void damage_files(trn_world *from, const char *path)
{
    trn_world *other = walk_world(TR_DIMENSION == 2 ? "chains" : "chains3d", 1);
    tr_error error = {0};
    if (strstr(tr_build_options(), "scenes") == NULL) {
        assert_int_equal(trn_world_save_file(from, path, &error), TR_ERROR_UNSUPPORTED);
        assert_int_equal(trn_world_restore_file(other, path, &error), TR_ERROR_UNSUPPORTED);
        trn_world_destroy(other);
        return;
    }
    walk_state state = walk_save(from), before = walk_save(other);
    walk_ok(from, trn_world_save_file(from, path, &error));
    walk_ok(from, trn_world_save_file(from, path, &error));
    walk_ok(other, trn_world_restore_file(other, path, &error));
    walk_state after = walk_save(other);
    walk_assert_same(state, after);
    free(after.bytes);

    walk_ok(other, trn_world_restore(other, before.bytes, before.size));
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fputc('x', file), 'x');
    assert_int_equal(fclose(file), 0);
    assert_int_equal(trn_world_restore_file(other, path, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(remove(path), 0);
    assert_int_equal(trn_world_restore_file(other, path, &error), TR_ERROR_FILE);
    assert_int_equal(trn_world_save_file(from, "/nowhere/at/all", &error), TR_ERROR_FILE);
    assert_int_equal(trn_world_save_file(NULL, path, &error), TR_ERROR_NULL);
    assert_int_equal(trn_world_save_file(from, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_restore_file(NULL, path, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_restore_file(other, NULL, &error), TR_ERROR_NULL);
    after = walk_save(other);
    walk_assert_same(before, after);
    free(after.bytes);
    free(before.bytes);
    free(state.bytes);
    trn_world_destroy(other);
}

#endif
