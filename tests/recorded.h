/*
 * Logs of calls in tests: a sink in memory, and a replay that must find no difference, on every instruction set and with
 * other numbers of threads. Of both dimensions (solver/dimension.h).
 */
#ifndef TR_TESTS_RECORDED_H
#define TR_TESTS_RECORDED_H

#include "snapshot_walk.h"

typedef struct memory_log {
    unsigned char *bytes;
    size_t size, capacity;
    size_t most; /* bytes that the sink takes; 0: any number */
    uint32_t writes, closed;
} memory_log;

static inline bool log_write(const void *bytes, size_t size, void *context)
{
    memory_log *it = context;
    if (it->most > 0 && size > it->most - it->size)
        return false;
    if (it->size + size > it->capacity) {
        it->capacity = 2 * (it->size + size);
        it->bytes = realloc(it->bytes, it->capacity);
    }
    assert_non_null(it->bytes);
    memcpy(it->bytes + it->size, bytes, size);
    it->size += size;
    it->writes++;
    return true;
}

static inline void log_close(void *context)
{
    memory_log *it = context;
    it->closed++;
}

static inline void log_begin(memory_log *it, trn_world *world)
{
    tr_sink sink = {log_write, log_close, it};
    it->size = it->closed = 0;
    walk_ok(world, trn_world_record(world, &sink));
    assert_true(trn_world_is_recording(world));
}

static inline void log_end(memory_log *it, trn_world *world)
{
    walk_ok(world, trn_world_stop_recording(world));
    assert_false(trn_world_is_recording(world));
    assert_int_equal(it->closed, 1);
}

static inline void log_free(memory_log *it)
{
    free(it->bytes);
}

/* an empty world, that has a tag and settings of its own */
static inline trn_world *log_world(uint32_t threads)
{
    trn_world *world = NULL;
    trn_world_def def = trn_world_def_default();
    def.threads = threads;
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    return world;
}

/* The next record, which must be as it was recorded. */
static inline tr_replay_record log_next(trn_world *world, tr_replay *replay)
{
    tr_replay_record record;
    walk_ok(world, trn_world_replay(world, replay, &record));
    if (record.differs)
        fail_msg("step %llu, %s: %s; %s", (unsigned long long)record.step, record.call, tr_status_name(record.status),
                 trn_world_last_error(world)->message);
    return record;
}

/* Replays a whole log; step i ends with hashes[i], if there are some. */
static inline void log_play(const memory_log *it, trn_world *world, const uint64_t *hashes)
{
    tr_replay replay = tr_replay_of(it->bytes, it->size);
    uint64_t steps = 0;
    assert_int_equal(tr_replay_dimension(it->bytes, it->size), TR_DIMENSION);
    for (;;) {
        tr_replay_record record = log_next(world, &replay);
        if (record.kind == TR_REPLAY_END)
            break;
        assert_true(record.kind != TR_REPLAY_CUT_OFF);
        if (record.kind != TR_REPLAY_STEP)
            continue;
        if (hashes != NULL)
            assert_true(walk_hash(world) == hashes[steps]);
        steps++;
        assert_int_equal(record.step, steps);
        assert_true(record.hash == record.recorded_hash);
    }
    assert_int_equal(log_next(world, &replay).kind, TR_REPLAY_END);
}

static inline void log_play_everywhere(const memory_log *it, const uint64_t *hashes)
{
    tr_isa isa = tr_get_isa();
    for (int to = 0; to < TR_ISA_COUNT; to++) {
        if (!tr_isa_available((tr_isa)to))
            continue;
        walk_ok(NULL, tr_set_isa((tr_isa)to));
        trn_world *other = log_world(1 + (uint32_t)to % 3);
        step_on_all_threads(other);
        log_play(it, other, hashes);
        trn_world_destroy(other);
    }
    walk_ok(NULL, tr_set_isa(isa));
}

/* Records a world that goes `before` steps first, and replays what it did; frees it. */
static inline void log_walk(trn_world *world, uint32_t before, uint32_t after, uint32_t edits, walk_edit_fn *more)
{
    uint64_t *hashes = malloc((after + 1) * sizeof *hashes);
    memory_log log = {0};
    assert_non_null(hashes);
    for (uint32_t i = 0; i < before; i++)
        walk_step(world, i, edits, more);
    log_begin(&log, world);
    for (uint32_t i = 0; i < after; i++)
        hashes[i] = walk_step(world, before + i, edits, more);
    log_end(&log, world);
    /* one write of the header, one of the state, one before each step, one at the end */
    assert_int_equal(log.writes, 2 + after + 1);
    trn_world_destroy(world);
    log_play_everywhere(&log, hashes);
    log_free(&log);
    free(hashes);
}

#endif
