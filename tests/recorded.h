/*
 * Logs of calls in tests: a sink in memory, and a replay that must find no difference, on every instruction set and with
 * other numbers of threads. Of both dimensions (solver/dimension.h).
 */
#ifndef TR_TESTS_RECORDED_H
#define TR_TESTS_RECORDED_H

#include "snapshot_walk.h"
#include "world/recording/tape.h"

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

/* by the names of all calls in the table, how often they were replayed */
static uint32_t log_count[TR_CALL_COUNT];

static inline void log_note(const char *name)
{
    for (uint32_t call = 0; call < TR_CALL_COUNT; call++)
        log_count[call] += strcmp(trn_call_name((tr_call)call), name) == 0;
}

/* shorter walks, under sanitizers, make not all */
static inline void log_all_were_made(void)
{
    if (TRIALS(100) < 100)
        return;
    for (uint32_t call = 0; call < TR_CALL_COUNT; call++) {
        if (log_count[call] == 0)
            fail_msg("%s was not recorded", trn_call_name((tr_call)call));
    }
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
        log_note(record.call);
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

/* on another instruction set, the plainest if it is not that */
static inline void log_play_elsewhere(const memory_log *it)
{
    tr_isa isa = tr_get_isa(), other_isa = isa == TR_ISA_SCALAR ? TR_ISA_SSE2 : TR_ISA_SCALAR;
    if (tr_isa_available(other_isa))
        walk_ok(NULL, tr_set_isa(other_isa));
    trn_world *other = log_world(1);
    log_play(it, other, NULL);
    trn_world_destroy(other);
    walk_ok(NULL, tr_set_isa(isa));
}

/* What snapshot_walk.h does not do to a world: one of the calls that both dimensions have. */
static inline void log_edit(trn_world *world, uint64_t *random)
{
    trn_body id = walk_body(world, random), ids[3];
    trn_joint joint = walk_joint(world, random), joints[2];
    trn_body_def defs[3];
    trn_joint_def joint_defs[2];
    trn_vec push = {0};
    trn_spin spin = {0};
    push.x = walk_number(random);
    push.y = walk_number(random);
    walk_ok(world, trn_body_get(world, id, &defs[0]));
    trn_dvec point = defs[0].position;
    memcpy(&spin, &push, sizeof spin < sizeof push ? sizeof spin : sizeof push);
    switch (random_index(random, 28)) {
    case 0:
        point.x += 0.01;
        walk_ok(world, trn_body_set_transform(world, id, point, trn_def_orientation(&defs[0])));
        break;
    case 1:
        walk_ok(world, trn_body_set_velocity(world, id, push, spin));
        break;
    case 2:
        walk_ok(world, trn_body_set_gravity_scale(world, id, 1.0f + 0.1f * push.x));
        break;
    case 3:
        walk_ok(world, trn_body_set_fixed_rotation(world, id, !defs[0].fixed_rotation));
        break;
    case 4:
        walk_ok(world, trn_body_set_user_data(world, id, *random));
        break;
    case 5:
        walk_ok(world, trn_body_apply_force(world, id, push, point));
        break;
    case 6:
        walk_ok(world, trn_body_apply_torque(world, id, spin));
        break;
    case 7:
        (void)trn_body_apply_impulse(world, id, push, point);
        break;
    case 8:
        walk_ok(world, trn_body_apply_angular_impulse(world, id, spin));
        break;
    case 9:
        for (uint32_t i = 0; i < 3; i++) {
            defs[i] = trn_body_def_default();
            defs[i].position = point;
            defs[i].position.x += 0.5 * i;
        }
        walk_ok(world, trn_world_create_bodies(world, defs, 3, random_index(random, 2) == 0 ? ids : NULL));
        break;
    case 10:
        ids[0] = id;
        ids[1] = walk_body(world, random);
        (void)trn_world_destroy_bodies(world, ids, 2);
        break;
    case 11:
        joint_defs[0] = trn_joint_def_default((trn_joint_type)0);
        joint_defs[0].body_a = id;
        joint_defs[0].body_b = walk_body(world, random);
        joint_defs[0].linear = tr_frequency(2.0f, 1.0f);
        joint_defs[1] = joint_defs[0];
        (void)trn_world_create_joints(world, joint_defs, 2, joints);
        break;
    case 12:
        joints[0] = joint;
        (void)trn_world_destroy_joints(world, joints, 1);
        break;
    case 13:
        if (joint.index == 0)
            break;
        walk_ok(world, trn_joint_get(world, joint, &joint_defs[0]));
        joint_defs[0].user_data++;
        walk_ok(world, trn_joint_set(world, joint, &joint_defs[0]));
        break;
    case 14:
        (void)trn_joint_set_user_data(world, joint, *random);
        break;
    case 15:
        (void)trn_joint_set_collide_connected(world, joint, random_index(random, 2) == 0);
        break;
    case 16:
        push.y -= 9.0f;
        walk_ok(world, trn_world_set_gravity(world, push));
        break;
    case 17:
        walk_ok(world, trn_world_set_joint_softness(world, 50.0f + push.x, 2.0f));
        break;
    case 18:
        walk_ok(world, trn_world_set_direct_load(world, 10.0f + push.x));
        break;
    case 19:
        walk_ok(world, trn_world_set_breaking(world, (tr_breaking)random_index(random, TR_BREAKING_COUNT)));
        break;
    case 20:
        walk_ok(world, trn_world_optimize(world));
        break;
    case 21: {
        /* to and fro: other bits if the snapshot were not recorded */
        walk_state state = walk_save(world);
        walk_ok(world, trn_world_set_frames(world, 2));
        walk_ok(world, trn_world_keep_frame(world, 3));
        walk_ok(world, trn_world_step(world, WALK_DT, 2));
        const uint32_t how = random_index(random, 3);
        if (how == 0)
            walk_ok(world, trn_world_restore(world, state.bytes, state.size));
        else if (how == 1)
            walk_ok(world, trn_world_go_back(world, 3));
        free(state.bytes);
        break;
    }
    case 22: {
        const tr_sleep_settings rest = {.enable = random_index(random, 4) != 0, 0.5f, 0.5f, 0.1f};
        walk_ok(world, trn_world_set_sleep(world, &rest));
        break;
    }
    case 23:
        /* refused where bodies may not sleep */
        (void)trn_body_set_awake(world, id, random_index(random, 2) == 0);
        break;
    case 24:
        walk_ok(world, trn_body_set_allow_sleep(world, id, random_index(random, 3) != 0));
        break;
    case 25:
        walk_ok(world, trn_body_set_sleep_scale(world, id, 0.5f * (float)random_index(random, 4)));
        break;
    case 26:
        walk_ok(world, trn_body_set_direct(world, id, random_index(random, 3) == 0));
        break;
    default:
        /* refused: left out */
        assert_int_equal(trn_world_destroy_body(world, (trn_body){id.index, id.world, (uint16_t)(id.generation + 1)}),
                         TR_ERROR_STALE_ID);
    }
}

/* Records a world that goes `before` steps first, and replays what it did; frees it. */
static inline void log_walk(trn_world *world, uint32_t before, uint32_t after, uint32_t edits, walk_edit_fn *more)
{
    /* edits may step, too */
    uint64_t *hashes = more == NULL ? malloc((after + 1) * sizeof *hashes) : NULL;
    memory_log log = {0};
    for (uint32_t i = 0; i < before; i++)
        walk_step(world, i, edits, more);
    log_begin(&log, world);
    for (uint32_t i = 0; i < after; i++) {
        uint64_t hash = walk_step(world, before + i, edits, more);
        if (hashes != NULL)
            hashes[i] = hash;
    }
    log_end(&log, world);
    trn_world_destroy(world);
    log_play_everywhere(&log, hashes);
    log_free(&log);
    free(hashes);
}

#endif
