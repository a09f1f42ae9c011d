/*
 * Logs that are not what was written: cut off, damaged, made up; sinks that take no more; memory that is not there; worlds
 * that do something else. And the table of calls: whether it has all, and its records all members. Of both dimensions.
 */
#ifndef TR_TESTS_RECORDED_DAMAGE_H
#define TR_TESTS_RECORDED_DAMAGE_H

#include <dirent.h>
#include <stdio.h>

#include "allocator.h"
#include "base/log.h"
#include "recorded.h"

/*
 * The table
 */
#if TR_DIMENSION == 2
#define LOG_PREFIX "tr2_"
#else
#define LOG_PREFIX "tr3_"
#endif

/* public functions that take a world that is not const and are not recorded, and why */
static const char *const log_exceptions[] = {
    "world_destroy",        /* ends the recording */
    "world_set_threads",    /* never changes results; a replay has threads of its own */
    "world_save_over",      /* notes what groups are, which nobody sees */
    "world_release_memory", /* changes no state */
    "world_set_frames",     /* the frames are no part of the state */
    "world_keep_frame",     /* the same */
    "world_go_back",        /* recorded as world_restore() */
    "world_restore_file",   /* calls world_restore() */
    "scene_build",          /* calls world_create_...(), world_set_...() */
    "scene_build_shapes",   /* the same */
    "world_record",         /* of recordings themselves */
    "world_record_file",    /* the same */
    "world_stop_recording", /* the same */
    "world_replay",         /* a world that is recorded cannot be replayed */
};

static inline bool log_is_call(const char *name)
{
    for (uint32_t call = 0; call < TR_CALL_COUNT; call++) {
        if (strcmp(trn_call_name((tr_call)call), name) == 0)
            return true;
    }
    return false;
}

/* The name of the next declared function that takes a world that is not const; null: there is none. Ends it. */
static inline char *log_next_function(char **at)
{
    for (;;) {
        char *begin = strstr(*at, "TR_API "), *end = begin != NULL ? strchr(begin, ';') : NULL;
        if (end == NULL)
            return NULL;
        *end = '\0';
        *at = end + 1;
        char *open = strchr(begin, '('), *world = open != NULL ? strstr(open, LOG_PREFIX "world *") : NULL;
        /* not one that is made, `**out` */
        if (world == NULL || strncmp(world - 6, "const ", 6) == 0 || world[strlen(LOG_PREFIX "world *")] == '*')
            continue;
        *open = '\0';
        while (open > begin && open[-1] != ' ' && open[-1] != '*')
            open--;
        assert_true(strncmp(open, LOG_PREFIX, strlen(LOG_PREFIX)) == 0);
        return open + strlen(LOG_PREFIX);
    }
}

static inline char *log_read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1u << 18);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1u << 18) - 1, file) < (1u << 18) - 1);
    fclose(file);
    return text;
}

/* Every public function that changes a world is in the table, or an exception; and there are no others in these. */
static inline void log_table_is_whole(void)
{
    uint32_t calls = 0, exceptions = 0;
    DIR *folder = opendir(TR_SOURCE_DIR "/include/trammel");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[1024];
        snprintf(path, sizeof path, TR_SOURCE_DIR "/include/trammel/%s", entry->d_name);
        if (strstr(entry->d_name, ".h") == NULL)
            continue;
        char *text = log_read_text(path), *at = text, *name;
        while ((name = log_next_function(&at)) != NULL) {
            uint32_t e = 0;
            const uint32_t most = sizeof log_exceptions / sizeof log_exceptions[0];
            while (e < most && strcmp(log_exceptions[e], name) != 0)
                e++;
            if (!log_is_call(name) && e == most)
                fail_msg("%s: " LOG_PREFIX "%s() is not in the table of calls (src/world/recording/calls.h)",
                         entry->d_name, name);
            assert_false(log_is_call(name) && e < most);
            calls += e == most;
            exceptions += e < most;
        }
        free(text);
    }
    closedir(folder);
    assert_int_equal(calls, TR_CALL_COUNT);
    assert_true(exceptions > 0 && exceptions <= sizeof log_exceptions / sizeof log_exceptions[0]);
}

/* Each byte of a definition but its padding is in its record: a change of that byte changes the record, or, of a bool or
   a pointer, some change. */
static inline void log_covers(const char *name, void (*visit)(tr_archive *, void *, size_t), size_t size,
                              size_t padding)
{
    unsigned char data[2048] = {0}, plain[2048], changed[2048];
    size_t covered = 0;
    assert_true(size <= sizeof data);
    tr_archive archive = {.mode = TR_ARCHIVE_WRITE, .bytes = plain, .size = sizeof plain};
    visit(&archive, data, size);
    assert_int_equal(archive.status, TR_OK);
    size_t length = archive.at;
    for (size_t at = 0; at < size; at++) {
        data[at] = 1;
        archive = (tr_archive){.mode = TR_ARCHIVE_WRITE, .bytes = changed, .size = sizeof changed};
        visit(&archive, data, size);
        covered += archive.at != length || memcmp(plain, changed, length) != 0;
        data[at] = 0;
    }
    if (covered + padding != size)
        fail_msg("%s: %zu of %zu bytes are recorded; %zu are not", name, covered, size, padding);
}

/*
 * Small logs
 */
/* of a world that does something: bodies and joints come and go, some of many steps */
static inline void log_small(memory_log *log, const char *kind, walk_edit_fn *more, uint32_t steps)
{
    trn_world *world = walk_world(kind, 2);
    log_begin(log, world);
    for (uint32_t i = 0; i < steps; i++)
        walk_step(world, i, 2, more);
    log_end(log, world);
    trn_world_destroy(world);
}

/* replays what there is; whether the end was reached. A log that is refused has changed nothing since. */
static inline tr_status log_try(trn_world *world, const unsigned char *bytes, size_t size, tr_replay_kind *last,
                                uint64_t *steps)
{
    /* in a block of its own, so that a sanitizer sees what is read behind it */
    unsigned char *own = malloc(size > 0 ? size : 1);
    assert_non_null(own);
    memcpy(own, bytes, size);
    tr_replay replay = tr_replay_of(own, size);
    tr_replay_record record = {.kind = TR_REPLAY_BEGIN};
    tr_status status = TR_OK;
    while (status == TR_OK && record.kind != TR_REPLAY_END && record.kind != TR_REPLAY_CUT_OFF) {
        status = trn_world_replay(world, &replay, &record);
        assert_true(walk_is_wild || status != TR_OK || !record.differs);
    }
    *last = record.kind;
    *steps = replay.steps;
    free(own);
    return status;
}

/* Whatever its length, a log goes as far as it is whole; and any byte that is changed is noticed. */
static inline void log_damage_is_noticed(const memory_log *log, uint32_t steps)
{
    trn_world *world = log_world(1);
    tr_replay_kind last;
    uint64_t done, before = 0;
    for (size_t size = 0; size < log->size; size++) {
        tr_status status = log_try(world, log->bytes, size, &last, &done);
        assert_int_equal(status, size < sizeof(tr_log_header) ? TR_ERROR_PARSE : TR_OK);
        assert_true(status != TR_OK || last == TR_REPLAY_CUT_OFF);
        assert_true(done >= before && done <= steps);
        before = done;
    }
    assert_int_equal(before, steps);
    unsigned char *bytes = malloc(log->size);
    assert_non_null(bytes);
    memcpy(bytes, log->bytes, log->size);
    for (size_t at = 0; at < log->size; at++) {
        bytes[at] ^= (unsigned char)(1u << at % 8);
        tr_status status = log_try(world, bytes, log->size, &last, &done);
        assert_true(status == TR_ERROR_PARSE || (status == TR_ERROR_UNSUPPORTED && at < sizeof(tr_log_header)));
        bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    free(bytes);
    trn_world_destroy(world);
}

/* gives all chunks the checksums that they should have */
static inline void log_sign(unsigned char *bytes, size_t size)
{
    size_t at = sizeof(tr_log_header);
    for (uint32_t index = 0; size - at >= sizeof(tr_log_chunk); index++) {
        tr_log_chunk chunk;
        memcpy(&chunk, bytes + at, sizeof chunk);
        chunk = tr_log_chunk_of(index, bytes + at + sizeof chunk, (size_t)chunk.size);
        memcpy(bytes + at, &chunk, sizeof chunk);
        at += sizeof chunk + (size_t)chunk.size;
    }
}

/* Logs with changed content and the right checksums do not crash: calls check what they are given. */
static inline void log_fuzz(const memory_log *log, uint32_t trials, uint64_t seed)
{
    size_t content = sizeof(tr_log_header);
    tr_log_chunk first;
    memcpy(&first, log->bytes + content, sizeof first);
    content += sizeof first + (size_t)first.size;
    uint64_t random = seed;
    uint32_t refused = 0, ended = 0;
    unsigned char *bytes = malloc(log->size);
    assert_non_null(bytes);
    walk_is_wild = true;
    for (uint32_t i = 0; i < trials; i++) {
        trn_world *world = log_world(1);
        tr_replay_kind last;
        uint64_t steps;
        memcpy(bytes, log->bytes, log->size);
        for (uint32_t changes = 1 + random_index(&random, 4); changes > 0; changes--) {
            /* of a chunk behind the state, which has its own fuzz (snapshot_damage.h), and no header of one */
            size_t begin = content, end, at = content + random_index(&random, (uint32_t)(log->size - content));
            for (;;) {
                tr_log_chunk chunk;
                memcpy(&chunk, log->bytes + begin, sizeof chunk);
                end = begin + sizeof chunk + (size_t)chunk.size;
                if (at < end)
                    break;
                begin = end;
            }
            if (at >= begin + sizeof(tr_log_chunk))
                bytes[at] = (unsigned char)(random_index(&random, 3) == 0 ? 0xff : random_index(&random, 256));
        }
        log_sign(bytes, log->size);
        tr_status status = log_try(world, bytes, log->size, &last, &steps);
        assert_true(status == TR_OK || status == TR_ERROR_PARSE || status == TR_ERROR_MEMORY);
        refused += status != TR_OK;
        ended += last == TR_REPLAY_END;
        trn_world_destroy(world);
    }
    walk_is_wild = false;
    free(bytes);
    assert_true(refused > trials / 100 && ended > trials / 100);
}

/* The first step that differs is named: here the one after which the application meddled with the replay. */
static inline void log_difference_is_named(const memory_log *log, uint32_t meddled, uint32_t steps)
{
    trn_world *world = log_world(1);
    tr_replay replay = tr_replay_of(log->bytes, log->size);
    tr_replay_record record;
    do
        record = log_next(world, &replay);
    while (record.kind != TR_REPLAY_STEP || record.step != meddled);
    trn_vec gravity = trn_world_gravity(world);
    gravity.x += 1e-3f;
    walk_ok(world, trn_world_set_gravity(world, gravity));
    uint64_t first = 0;
    do {
        walk_ok(world, trn_world_replay(world, &replay, &record));
        if (record.differs && first == 0 && record.kind == TR_REPLAY_STEP)
            first = record.step;
        assert_true(record.kind != TR_REPLAY_STEP || record.differs == (record.hash != record.recorded_hash));
    } while (record.kind != TR_REPLAY_END);
    assert_true(record.differs && record.step == steps);
    assert_int_equal(first, meddled + 1);
    trn_world_destroy(world);
}

/* a body that nothing holds or touches, through so many steps */
static inline void log_flight(memory_log *log, uint32_t steps)
{
    trn_world *world = log_world(1);
    trn_body_def def = trn_body_def_default();
    trn_body body;
    def.velocity.x = 3.0f;
    walk_ok(world, trn_world_create_body(world, &def, &body));
    log_begin(log, world);
    for (uint32_t i = 0; i < steps; i++)
        walk_ok(world, trn_world_step(world, 1.0 / 60.0, 2));
    log_end(log, world);
    trn_world_destroy(world);
}

/* replays a step, or the end, after which the body may be moved */
static inline tr_replay_record log_play_one(trn_world *world, tr_replay *replay, bool moves)
{
    tr_replay_record record;
    walk_ok(world, trn_world_replay(world, replay, &record));
    if (moves)
        world->bodies.center_x[0] += 1e-9;
    return record;
}

/* A position that differs while no velocity does, after step `meddled` and so in what the next one leaves, is found after
   step `found`, or at the end, with the range of steps; and the two replays side by side tell which it was. */
static inline void log_places_are_named(uint32_t steps, uint32_t meddled, uint32_t found, uint32_t since)
{
    memory_log log = {0};
    log_flight(&log, steps);
    trn_world *good = log_world(1), *bad = log_world(1);
    tr_replay replays[2] = {tr_replay_of(log.bytes, log.size), tr_replay_of(log.bytes, log.size)};
    tr_replay_record a, b;
    uint64_t apart = 0;
    do {
        const bool moves = replays[1].begun && replays[1].steps + 1 == meddled;
        a = log_play_one(good, &replays[0], false);
        b = log_play_one(bad, &replays[1], moves);
        assert_true(!a.differs && a.since == 0 && (a.motion != 0) == (a.kind != TR_REPLAY_BEGIN));
        apart = apart == 0 && a.motion != b.motion ? b.step : apart;
    } while (!b.differs && b.kind != TR_REPLAY_END);
    assert_true(b.differs && b.step == found && b.since == since && apart == meddled + 1);
    assert_int_equal(b.kind, found == steps && steps % TR_TAPE_PLACES_EVERY != 0 ? TR_REPLAY_END : TR_REPLAY_STEP);
    trn_world_destroy(good);
    trn_world_destroy(bad);
    log_free(&log);
}

/* A sink that takes no more ends the recording, and nothing else: the world goes on, and the log is good up to there. */
static inline void log_full_sinks(const char *kind, size_t whole, uint32_t steps)
{
    for (size_t most = 1; most < whole; most += whole / 40 + 1) {
        memory_log log = {.most = most};
        tr_sink sink = {log_write, log_close, &log};
        trn_world *world = walk_world(kind, 2), *twin = walk_world(kind, 2);
        tr_status began = trn_world_record(world, &sink);
        assert_true(began == TR_OK || began == TR_ERROR_FILE);
        for (uint32_t i = 0; i < steps; i++)
            assert_true(walk_step(world, i, 2, NULL) == walk_step(twin, i, 2, NULL));
        bool going = trn_world_is_recording(world);
        tr_status status = trn_world_stop_recording(world);
        assert_int_equal(status, began == TR_OK ? TR_ERROR_FILE : TR_OK);
        assert_true(began == TR_OK || !going);
        assert_int_equal(log.closed, began == TR_OK);
        if (began == TR_OK) {
            tr_replay_kind last;
            uint64_t done;
            assert_non_null(strstr(trn_world_last_error(world)->message, "took no more"));
            assert_int_equal(log_try(twin, log.bytes, log.size, &last, &done), TR_OK);
            assert_int_equal(last, TR_REPLAY_CUT_OFF);
        }
        trn_world_destroy(world);
        trn_world_destroy(twin);
        log_free(&log);
    }
}

/* Without memory a record is not made, and can be made again. */
static inline void log_memory(const memory_log *log)
{
    test_allocator allocator = {0};
    trn_world_def def = trn_world_def_default();
    def.threads = 1;
    def.allocator = test_hooks(&allocator);
    uint64_t failed = 0;
    for (uint64_t n = 1;; n++) {
        trn_world *world = NULL;
        walk_ok(NULL, trn_world_create(&def, &world, NULL));
        tr_replay replay = tr_replay_of(log->bytes, log->size);
        tr_replay_record record = {.kind = TR_REPLAY_BEGIN};
        test_fail_in(&allocator, n);
        do {
            tr_replay before = replay;
            tr_status status = trn_world_replay(world, &replay, &record);
            if (status == TR_OK) {
                assert_false(record.differs);
                continue;
            }
            assert_int_equal(status, TR_ERROR_MEMORY);
            assert_memory_equal(&before, &replay, sizeof before);
            failed++;
        } while (record.kind != TR_REPLAY_END);
        bool over = allocator.failures == 0;
        test_fail_in(&allocator, 0);
        trn_world_destroy(world);
        assert_int_equal(allocator.held, 0);
        assert_int_equal(allocator.mismatches, 0);
        if (over)
            break;
        n += n / 8;
    }
    assert_true(failed > 20);
}

/* A program that dies in a step leaves a log that ends with this step; one that dies between two, one without the calls
   since. */
static inline void log_crashes(const char *kind)
{
    memory_log log = {0};
    trn_world *world = walk_world(kind, 2), *other = log_world(1);
    tr_replay_record record;
    log_begin(&log, world);
    for (uint32_t i = 0; i < 5; i++)
        walk_step(world, i, 2, NULL);
    uint64_t hash = walk_hash(world);
    /* what has been written so far ends with the fifth step; a gravity is set, and was not written yet */
    walk_ok(world, trn_world_set_gravity(world, (trn_vec){0}));
    tr_replay replay = tr_replay_of(log.bytes, log.size);
    do
        record = log_next(other, &replay);
    while (record.kind != TR_REPLAY_STEP || record.step < 5);
    assert_true(record.unfinished && record.recorded_hash == 0);
    assert_true(walk_hash(other) == hash);
    assert_int_equal(log_next(other, &replay).kind, TR_REPLAY_CUT_OFF);
    assert_int_equal(log_next(other, &replay).kind, TR_REPLAY_CUT_OFF);
    trn_world_destroy(other);
    log_end(&log, world);
    trn_world_destroy(world);
    log_free(&log);
}

/* What is wrong is said, and changes nothing. */
static inline void log_misuse(const char *kind, const char *path)
{
    memory_log log = {0};
    trn_world *world = walk_world(kind, 2), *other = log_world(1);
    tr_sink sink = {log_write, log_close, &log}, none = {NULL, NULL, NULL};
    tr_replay_record record;
    tr_error error;
    assert_int_equal(trn_world_record(NULL, &sink), TR_ERROR_NULL);
    assert_int_equal(trn_world_record(world, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_record(world, &none), TR_ERROR_NULL);
    assert_int_equal(trn_world_stop_recording(NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_stop_recording(world), TR_OK);
    assert_false(trn_world_is_recording(NULL) || trn_world_is_recording(world));
    log_begin(&log, world);
    assert_int_equal(trn_world_record(world, &sink), TR_ERROR_RANGE);
    tr_replay replay = tr_replay_of(log.bytes, log.size);
    assert_int_equal(trn_world_replay(world, &replay, &record), TR_ERROR_RANGE);
    assert_int_equal(trn_world_replay(other, NULL, &record), TR_ERROR_NULL);
    assert_int_equal(trn_world_replay(other, &replay, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_world_replay(NULL, &replay, &record), TR_ERROR_NULL);
    /* the world is destroyed while it is recorded: the log is complete */
    walk_step(world, 0, 2, NULL);
    trn_world_destroy(world);
    assert_int_equal(log.closed, 1);
    log_play(&log, other, NULL);

    /* another version, another dimension */
    tr_log_header header = tr_log_header_of(5 - TR_DIMENSION, trn_calls_shape());
    memcpy(log.bytes, &header, sizeof header);
    replay = tr_replay_of(log.bytes, log.size);
    assert_int_equal(tr_replay_dimension(log.bytes, log.size), 5 - TR_DIMENSION);
    assert_int_equal(trn_world_replay(other, &replay, &record), TR_ERROR_UNSUPPORTED);
    header = tr_log_header_of(TR_DIMENSION, trn_calls_shape() + 1);
    memcpy(log.bytes, &header, sizeof header);
    assert_int_equal(trn_world_replay(other, &replay, &record), TR_ERROR_UNSUPPORTED);
    assert_int_equal(tr_replay_dimension("no log of calls at all, but as long as a header", 48), 0);
    replay = tr_replay_of("no log of calls at all, but as long as a header", 48);
    assert_int_equal(trn_world_replay(other, &replay, &record), TR_ERROR_PARSE);
    log_free(&log);

#ifdef TR_WITH_SCENES
    /* files */
    assert_int_equal(trn_world_record_file(other, "no/such/folder/log.tmp", &error), TR_ERROR_FILE);
    assert_non_null(strstr(error.message, "no/such/folder/log.tmp"));
    assert_int_equal(trn_world_record_file(other, NULL, &error), TR_ERROR_NULL);
    walk_ok(other, trn_world_record_file(other, path, &error));
    assert_int_equal(trn_world_record_file(other, path, &error), TR_ERROR_RANGE);
    uint64_t hash = walk_step(other, 0, 2, NULL);
    walk_ok(other, trn_world_stop_recording(other));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static unsigned char bytes[1u << 20];
    memory_log from_file = {.bytes = bytes, .size = fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    trn_world *again = log_world(1);
    log_play(&from_file, again, &hash);
    trn_world_destroy(again);
    remove(path);
#else
    assert_int_equal(trn_world_record_file(other, path, &error), TR_ERROR_UNSUPPORTED);
#endif
    trn_world_destroy(other);
}

/* A scene that cannot be built is taken back, and so is its record: later ids are what they were. */
static inline void log_scene_fails(const char *kind)
{
    trn_scene *scene = NULL;
    memory_log log = {0};
    trn_world *world = walk_world(kind, 2);
    walk_ok(NULL, trn_scene_generate(kind, 3, &scene, NULL));
    log_begin(&log, world);
    walk_step(world, 0, 2, NULL);
    scene->joints[scene->joint_count / 2].def.spring.target = -1.0f;
    scene->joints[scene->joint_count / 2].def.motor.maximum = -1.0f;
    tr_status failed = trn_scene_build(scene, world, NULL, NULL, NULL);
    assert_true(failed == TR_ERROR_NEGATIVE || failed == TR_ERROR_NO_PROPERTY);
    scene->joints[scene->joint_count / 2].def = scene->joints[0].def;
    walk_ok(world, trn_scene_build(scene, world, NULL, NULL, NULL));
    walk_step(world, 1, 4, NULL);
    log_end(&log, world);
    trn_world_destroy(world);
    log_play_everywhere(&log, NULL);
    log_free(&log);
    trn_scene_destroy(scene);
}

#endif
