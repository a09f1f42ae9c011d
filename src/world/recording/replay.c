/* Replay: makes the calls of a log again. */
#include <string.h>

#include "base/log.h"
#include "world/core/check.h"
#include "world/recording/tape.h"

/*
 * What a record holds besides its arguments
 */
void *trn_reader_room(trn_reader *reader, uint32_t count, size_t size)
{
    if (reader->archive.status != TR_OK || count == 0)
        return NULL;
    void *room = tr_allocate_array(&reader->world->memory, count, size);
    if (room == NULL) {
        reader->archive.status = TR_ERROR_MEMORY;
        return NULL;
    }
    reader->held[reader->held_count] = room;
    reader->held_size[reader->held_count++] = count * size;
    return room;
}

static void release(trn_reader *reader)
{
    for (uint32_t i = 0; i < reader->held_count; i++)
        tr_release(&reader->world->memory, reader->held[i], reader->held_size[i]);
}

static void read_answers(trn_reader *reader, uint32_t word)
{
    tr_archive *archive = &reader->archive;
    trn_tape *tape = reader->world->tape;
    uint32_t count = 0;
    if ((word & TR_TAPE_ANSWERS) != 0) {
        tr_archive_value(archive, count);
        if (tr_archive_has(archive, count, 1)) {
            /* reading does not write to the log */
            tape->answers = archive->bytes + archive->at;
            tape->answer_count = count;
            archive->at += count;
        }
    }
    if ((word & TR_TAPE_MIXES) != 0) {
        count = 0;
        tr_archive_value(archive, count);
        if (tr_archive_has(archive, count, sizeof *tape->mixes)) {
            tape->mixes = trn_reader_room(reader, count, sizeof *tape->mixes);
            if (tape->mixes != NULL)
                tr_archive_bytes(archive, tape->mixes, count * sizeof *tape->mixes);
            tape->mix_count = tape->mixes != NULL ? count : 0;
        }
    }
}

/* Goes to the next record, which may be in the next chunk. */
static tr_log_next next_record(tr_replay *replay)
{
    while (replay->at == replay->chunk_end) {
        size_t at = replay->at, end = 0;
        tr_log_next next = tr_log_enter(replay->log, replay->size, replay->chunks, &at, &end);
        if (next != TR_LOG_CHUNK)
            return next;
        replay->at = at;
        replay->chunk_end = end;
        replay->chunks++;
    }
    return TR_LOG_CHUNK;
}

static tr_archive archive_at(const trn_reader *reader)
{
    const tr_replay *replay = reader->replay;
    return (tr_archive){.mode = TR_ARCHIVE_READ,
                        .memory = &reader->world->memory,
                        .bytes = (unsigned char *)(uintptr_t)replay->log,
                        .size = replay->chunk_end,
                        .at = replay->at};
}

/* What a step gave is a record of its own, behind the step's. If it is missing, the program ended in this step. */
static void read_outcome(trn_reader *reader)
{
    tr_replay *replay = reader->replay;
    tr_archive *archive = &reader->archive;
    uint32_t word = 0, status = 0;
    replay->at = archive->at;
    tr_log_next next = next_record(replay);
    reader->unfinished = next == TR_LOG_CUT_OFF;
    if (reader->unfinished)
        return;
    if (next == TR_LOG_DAMAGED) {
        tr_archive_refuse(archive);
        return;
    }
    *archive = archive_at(reader);
    tr_archive_value(archive, word);
    if ((word & ~TR_TAPE_FLAGS) != TR_TAPE_GAVE)
        tr_archive_refuse(archive);
    tr_archive_value(archive, status);
    tr_archive_value(archive, reader->recorded);
    reader->skips = status != TR_OK;
    read_answers(reader, word);
}

bool trn_reader_ready(trn_reader *reader, tr_call call)
{
    if (reader->archive.status != TR_OK)
        return false;
    if (call == TR_CALL_world_step)
        read_outcome(reader);
    else if ((reader->word & TR_TAPE_NOTHING) == 0) {
        read_answers(reader, reader->word);
        tr_archive_value(&reader->archive, reader->recorded);
    }
    return reader->archive.status == TR_OK && !reader->skips;
}

/*
 * Records
 */
/* the numbers of a step, which are the first of its record */
static void read_step(const trn_reader *reader, tr_replay_record *out)
{
    tr_archive archive = reader->archive;
    tr_archive_value(&archive, out->dt);
    tr_archive_value(&archive, out->substeps);
}

static tr_status play_call(trn_reader *reader, tr_call call, tr_replay_record *out)
{
    trn_world *world = reader->world;
    trn_tape tape = {.plays = true};
    uint64_t result = 0;
    bool is_step = call == TR_CALL_world_step;
    if (is_step)
        read_step(reader, out);
    world->tape = &tape;
    tr_status status = trn_call_read(reader, call, &result);
    world->tape = NULL;
    if (reader->archive.status != TR_OK)
        return reader->archive.status;
    if (status == TR_ERROR_MEMORY)
        return status;
    out->kind = !is_step ? TR_REPLAY_CALL : reader->skips ? TR_REPLAY_FAILED : TR_REPLAY_STEP;
    out->call = trn_call_name(call);
    out->status = status;
    out->unfinished = reader->unfinished;
    out->differs = status != TR_OK;
    if (reader->skips || status != TR_OK)
        return TR_OK;
    if (is_step) {
        const uint64_t step = reader->replay->steps + 1;
        const bool places = trn_tape_has_places(step);
        out->hash = trn_tape_motion(world, places);
        out->motion = places ? out->hash : trn_tape_motion(world, true);
        out->recorded_hash = reader->recorded;
        out->differs = !out->unfinished && out->hash != out->recorded_hash;
        out->since = out->differs ? reader->replay->checked + 1 : 0;
        if (places && !out->differs && !out->unfinished)
            reader->replay->checked = step;
    } else {
        /* the log has all places here */
        if (call == TR_CALL_world_restore)
            reader->replay->checked = reader->replay->steps;
        out->differs = reader->recorded != 0 && result != 0 && reader->recorded != result;
    }
    bool asked = tape.differs || tape.answer_at != tape.answer_count;
    out->differs = out->differs || (asked && !out->unfinished);
    return TR_OK;
}

static tr_status play_beginning(trn_reader *reader, tr_replay_record *out)
{
    uint32_t hooks = 0, word = 0;
    uint64_t size = 0;
    tr_archive *archive = &reader->archive;
    tr_archive_value(archive, hooks);
    tr_archive_value(archive, word);
    tr_archive_value(archive, size);
    if (archive->status == TR_OK && (word != TR_CALL_world_restore || size > archive->size - archive->at))
        tr_archive_refuse(archive);
    if (archive->status != TR_OK)
        return archive->status;
    tr_status status = trn_do_world_restore(reader->world, archive->bytes + archive->at, (size_t)size);
    archive->at += (size_t)size;
    reader->said = status != TR_OK;
    if (status == TR_OK)
        trn_parts_set_hooks(reader->world, hooks);
    out->kind = TR_REPLAY_BEGIN;
    return status;
}

static tr_status play_end(trn_reader *reader, tr_replay_record *out)
{
    uint64_t steps = 0, motion = 0;
    tr_archive_value(&reader->archive, steps);
    tr_archive_value(&reader->archive, motion);
    tr_archive_value(&reader->archive, out->recorded_hash);
    if (reader->archive.status != TR_OK)
        return reader->archive.status;
    out->kind = TR_REPLAY_END;
    out->hash = trn_world_state_hash(reader->world);
    out->motion = trn_tape_motion(reader->world, true);
    /* if only what came after the last step can be the cause, that step is the nearest name */
    const uint64_t next = reader->replay->checked + 1;
    if (out->motion != motion)
        out->since = next < reader->replay->steps ? next : reader->replay->steps;
    out->differs = out->hash != out->recorded_hash || steps != reader->replay->steps;
    reader->replay->ended = true;
    return TR_OK;
}

static tr_status play_record(trn_reader *reader, tr_replay_record *out)
{
    tr_archive *archive = &reader->archive;
    bool is_first = !reader->replay->begun;
    tr_archive_value(archive, reader->word);
    uint32_t call = reader->word & ~TR_TAPE_FLAGS;
    if (archive->status != TR_OK)
        return archive->status;
    if (is_first)
        return call == TR_TAPE_BEGIN ? play_beginning(reader, out) : TR_ERROR_PARSE;
    if (call == TR_TAPE_END)
        return play_end(reader, out);
    return call < TR_CALL_COUNT ? play_call(reader, (tr_call)call, out) : TR_ERROR_PARSE;
}

static tr_status damaged(const trn_check *check, size_t at)
{
    return trn_check_fail(check, TR_ERROR_PARSE, "replay.log", "is damaged behind its byte %zu", at);
}

/* the state at the end of a log, again and again */
static tr_status rest(tr_replay *replay, tr_replay_record *out, tr_replay_kind kind)
{
    out->kind = kind;
    out->step = replay->steps;
    replay->ended = true;
    replay->cut_off = kind == TR_REPLAY_CUT_OFF;
    return TR_OK;
}

static tr_status check_arguments(const trn_check *check, const trn_world *world, tr_replay *replay,
                                 tr_replay_record *out)
{
    tr_status status = trn_check_pointer(check, "replay", replay);
    if (status == TR_OK)
        status = trn_check_pointer(check, "replay.log", replay->log);
    if (status == TR_OK)
        status = trn_check_pointer(check, "out", out);
    if (status == TR_OK && trn_world_is_recording(world))
        status = trn_check_fail(check, TR_ERROR_RANGE, "world", "is recorded");
    if (status != TR_OK || replay->at > 0)
        return status;
    const char *wrong = tr_log_check(replay->log, replay->size, TR_DIMENSION, trn_calls_shape(), &status);
    if (wrong != NULL)
        return trn_check_fail(check, status, "replay.log", "%s", wrong);
    return TR_OK;
}

tr_status trn_world_replay(trn_world *world, tr_replay *replay, tr_replay_record *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_replay", "");
    tr_status status = check_arguments(&check, world, replay, out);
    if (status != TR_OK)
        return status;
    memset(out, 0, sizeof *out);
    out->call = "";
    if (replay->ended)
        return rest(replay, out, replay->cut_off ? TR_REPLAY_CUT_OFF : TR_REPLAY_END);
    trn_frames_leave(&world->frames);
    if (world->tape != NULL)
        (void)trn_tape_finish(world);

    tr_replay now = *replay;
    if (now.at == 0)
        now.at = now.chunk_end = tr_log_start(now.log);
    tr_log_next next = next_record(&now);
    if (next == TR_LOG_DAMAGED)
        return damaged(&check, now.at);
    if (next == TR_LOG_CUT_OFF)
        return rest(replay, out, TR_REPLAY_CUT_OFF);
    size_t begin = now.at;
    trn_reader reader = {.world = world, .replay = &now};
    reader.archive = archive_at(&reader);
    status = play_record(&reader, out);
    release(&reader);
    if (reader.said)
        return status;
    if (status == TR_ERROR_PARSE && reader.archive.status != TR_OK)
        return damaged(&check, begin);
    if (status == TR_ERROR_PARSE)
        return trn_check_fail(&check, status, "replay.log", "has no record behind its byte %zu", begin);
    if (status == TR_ERROR_MEMORY)
        return trn_check_fail(&check, status, "", "no memory for a call of the log");
    if (status != TR_OK)
        return status;
    if (!reader.unfinished)
        now.at = reader.archive.at;
    now.begun = true;
    now.steps += out->kind == TR_REPLAY_STEP;
    now.calls += out->kind == TR_REPLAY_CALL || out->kind == TR_REPLAY_STEP;
    out->step = now.steps;
    *replay = now;
    return TR_OK;
}
