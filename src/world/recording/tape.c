/* Recording: what calls and callbacks say, in chunks to the application's sink. */
#include "world/recording/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "world/core/check.h"

/*
 * The chunk in the making
 */
static void release(trn_world *world, trn_tape *tape)
{
    tr_memory *memory = &world->memory;
    tr_release(memory, tape->bytes, tape->capacity);
    tr_release(memory, tape->answers, tape->answer_capacity);
    tr_release(memory, tape->mixes, tape->mix_capacity * sizeof *tape->mixes);
    tape->bytes = NULL;
    tape->answers = NULL;
    tape->mixes = NULL;
    tape->size = tape->capacity = 0;
    tape->answer_count = tape->answer_capacity = tape->mix_count = tape->mix_capacity = 0;
}

/* ends the recording with a reason; the log has what the sink has taken */
static void give_up(trn_world *world, tr_status status, const char *reason)
{
    trn_tape *tape = world->tape;
    if (tape->failure.status != TR_OK)
        return;
    tape->failure.status = status;
    snprintf(tape->failure.message, sizeof tape->failure.message, "the recording ended after %llu steps: %s",
             (unsigned long long)tape->steps, reason);
    release(world, tape);
    if (tape->sink.close != NULL)
        tape->sink.close(tape->sink.context);
    if (world->log.write != NULL)
        world->log.write(TR_LOG_WARNING, tape->failure.message, world->log.context);
}

/* room for so many bytes more; the first are for the chunk's header */
static bool reserve(trn_world *world, size_t more)
{
    trn_tape *tape = world->tape;
    if (tape->failure.status != TR_OK)
        return false;
    size_t size = tape->size > 0 ? tape->size : sizeof(tr_log_chunk), needed = size + more;
    if (needed <= tape->capacity && tape->size > 0)
        return true;
    if (needed > tape->capacity) {
        size_t capacity = needed + needed / 2;
        unsigned char *bytes = needed >= more ? tr_allocate(&world->memory, capacity) : NULL;
        if (bytes == NULL) {
            give_up(world, TR_ERROR_MEMORY, "no memory for what a call was given");
            return false;
        }
        if (tape->size > 0)
            memcpy(bytes, tape->bytes, tape->size);
        tr_release(&world->memory, tape->bytes, tape->capacity);
        tape->bytes = bytes;
        tape->capacity = capacity;
    }
    tape->size = size;
    return true;
}

/* without room for them they are left out, and the recording has ended */
static void append(trn_world *world, const void *bytes, size_t size)
{
    if (size == 0 || !reserve(world, size))
        return;
    memcpy(world->tape->bytes + world->tape->size, bytes, size);
    world->tape->size += size;
}

static void append_word(trn_world *world, uint32_t word)
{
    append(world, &word, sizeof word);
}

static void append_wide(trn_world *world, uint64_t word)
{
    append(world, &word, sizeof word);
}

void trn_tape_flush(trn_world *world)
{
    trn_tape *tape = world->tape;
    if (tape->failure.status != TR_OK || tape->size <= sizeof(tr_log_chunk))
        return;
    tr_log_chunk chunk = tr_log_chunk_of(tape->chunks, tape->bytes + sizeof chunk, tape->size - sizeof chunk);
    memcpy(tape->bytes, &chunk, sizeof chunk);
    if (!tape->sink.write(tape->bytes, tape->size, tape->sink.context)) {
        give_up(world, TR_ERROR_FILE, "its sink took no more");
        return;
    }
    tape->chunks++;
    tape->size = 0;
}

size_t trn_tape_mark(const trn_world *world)
{
    return world->tape != NULL ? world->tape->size : 0;
}

void trn_tape_rewind(trn_world *world, size_t mark)
{
    if (world->tape != NULL && world->tape->failure.status == TR_OK)
        world->tape->size = mark;
}

/*
 * Questions
 */
static trn_tape *recording_of(const trn_world *world)
{
    trn_tape *tape = world->tape;
    return tape != NULL && !tape->plays && tape->busy && tape->failure.status == TR_OK ? tape : NULL;
}

bool trn_tape_answer(const trn_world *world, bool *answer)
{
    trn_tape *tape = world->tape;
    if (tape == NULL)
        return false;
    if (!tape->plays) {
        /* calls that no call makes may be made by several threads */
        if (tape->busy)
            tape->asking++;
        return false;
    }
    bool known = tape->answer_at < tape->answer_count;
    tape->differs = tape->differs || !known;
    *answer = !known || tape->answers[tape->answer_at++] != 0;
    return true;
}

void trn_tape_keep(const trn_world *world, bool answer)
{
    if (world->tape == NULL || !world->tape->busy || --world->tape->asking > 0)
        return;
    trn_tape *tape = recording_of(world);
    if (tape == NULL)
        return;
    /* a tape is no object of the world that callers see as const */
    trn_world *owner = trn_mutable(world);
    if (tr_grow(&owner->memory, (void **)&tape->answers, &tape->answer_capacity, tape->answer_count + 1, 1))
        tape->answers[tape->answer_count++] = answer ? 1 : 0;
    else
        give_up(owner, TR_ERROR_MEMORY, "no memory for the answers of a callback");
}

void trn_tape_reserve_mixes(trn_world *world, uint32_t most)
{
    trn_tape *tape = recording_of(world);
    if (tape != NULL && !tr_grow(&world->memory, (void **)&tape->mixes, &tape->mix_capacity, tape->mix_count + most,
                                 sizeof *tape->mixes))
        give_up(world, TR_ERROR_MEMORY, "no memory for the answers of the surface mixer");
}

static int compare_mixes(const void *a, const void *b)
{
    const tr_tape_mix *x = a, *y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

bool trn_tape_answer_mix(const trn_world *world, uint32_t a, uint32_t b, void *surface)
{
    trn_tape *tape = world->tape;
    if (tape == NULL || !tape->plays)
        return false;
    tr_tape_mix wanted = {.a = a, .b = b};
    const tr_tape_mix *found =
        tape->mix_count > 0 ? bsearch(&wanted, tape->mixes, tape->mix_count, sizeof wanted, compare_mixes) : NULL;
    if (found != NULL)
        memcpy(surface, found->surface, sizeof found->surface);
    else
        __atomic_store_n(&tape->differs, true, __ATOMIC_RELAXED);
    return true;
}

void trn_tape_keep_mix(const trn_world *world, uint32_t a, uint32_t b, const void *surface)
{
    trn_tape *tape = recording_of(world);
    if (tape == NULL)
        return;
    uint32_t at = __atomic_fetch_add(&tape->mix_count, 1, __ATOMIC_RELAXED);
    if (at >= tape->mix_capacity)
        return;
    tape->mixes[at].a = a;
    tape->mixes[at].b = b;
    memcpy(tape->mixes[at].surface, surface, sizeof tape->mixes[at].surface);
}

/*
 * Records
 */
void trn_tape_begin(trn_world *world)
{
    trn_tape *tape = world->tape;
    tape->busy = true;
    tape->asking = 0;
    tape->answer_count = tape->mix_count = 0;
}

tr_archive trn_tape_open(trn_world *world, tr_call call, size_t size)
{
    trn_tape *tape = world->tape;
    uint32_t word = (uint32_t)call;
    tr_archive none = {.mode = TR_ARCHIVE_WRITE};
    if (size > SIZE_MAX / 4 || !reserve(world, sizeof word + size))
        return none;
    if (tape->answer_count > 0)
        word |= TR_TAPE_ANSWERS;
    if (tape->mix_count > 0)
        word |= TR_TAPE_MIXES;
    append_word(world, word);
    tr_archive archive = {.mode = TR_ARCHIVE_WRITE, .bytes = tape->bytes + tape->size, .size = size};
    tape->size += size;
    return archive;
}

unsigned char *trn_tape_pack(trn_world *world, tr_call call, size_t size)
{
    trn_tape *tape = world->tape;
    const uint32_t word = (uint32_t)call | TR_TAPE_NOTHING;
    if (tape->answer_count > 0 || tape->mix_count > 0 || !reserve(world, sizeof word + size))
        return NULL;
    unsigned char *at = tape->bytes + tape->size;
    memcpy(at, &word, sizeof word);
    tape->size += sizeof word + size;
    tape->busy = false;
    return at + sizeof word;
}

/* what callbacks answered, behind a record whose word says so */
static void append_answers(trn_world *world)
{
    trn_tape *tape = world->tape;
    if (tape->answer_count > 0) {
        append_word(world, tape->answer_count);
        append(world, tape->answers, tape->answer_count);
    }
    if (tape->mix_count > 0) {
        append_word(world, tape->mix_count);
        append(world, tape->mixes, tape->mix_count * sizeof *tape->mixes);
    }
}

/* the whole state, as a call to restore it, but for what that call gave */
static void append_state(trn_world *world)
{
    trn_tape *tape = world->tape;
    size_t size = trn_world_save_size(world);
    if (!reserve(world, 4 + 8 + size))
        return;
    append_word(world, TR_CALL_world_restore);
    append_wide(world, size);
    (void)trn_world_save(world, tape->bytes + tape->size, size, &size);
    tape->size += size;
}

static void end_step(trn_world *world, tr_status status)
{
    trn_tape *tape = world->tape;
    uint32_t flags = (tape->answer_count > 0 ? TR_TAPE_ANSWERS : 0) | (tape->mix_count > 0 ? TR_TAPE_MIXES : 0);
    if (status == TR_OK)
        tape->steps++;
    append_word(world, TR_TAPE_GAVE | flags);
    append_word(world, (uint32_t)status);
    append_wide(world, status == TR_OK ? trn_tape_motion(world, trn_tape_has_places(tape->steps)) : 0);
    append_answers(world);
}

void trn_tape_end(trn_world *world, tr_call call, tr_status status, uint64_t result)
{
    trn_tape *tape = world->tape;
    tape->busy = false;
    if (tape->failure.status != TR_OK)
        return;
    if (tape->mix_count > tape->mix_capacity)
        tape->mix_count = tape->mix_capacity;
    if (tape->mix_count > 1)
        qsort(tape->mixes, tape->mix_count, sizeof *tape->mixes, compare_mixes);
    if (call == TR_CALL_world_step)
        end_step(world, status);
    else if (status == TR_OK) {
        append_answers(world);
        append_wide(world, result);
    }
    /* these may have changed more than shows (docs/errors.md, Memory) */
    bool plans = call == TR_CALL_world_step || call == TR_CALL_world_optimize;
    if (plans && (status == TR_ERROR_MEMORY || status == TR_ERROR_LIMIT)) {
        append_state(world);
        append_wide(world, 0);
    }
}

/*
 * Hash of the motion: of columns, as they are in memory. Rows that sleep do not move, and there may be very many: passed by.
 */
static uint64_t add_column(uint64_t hash, const trn_bodies *bodies, const void *column, size_t size)
{
    const size_t count = bodies->table.count, first = bodies->rest_first, end = bodies->rest_end;
    const unsigned char *bytes = column;
    const bool rest = first < end;
    hash = (hash ^ tr_archive_hash(bytes, (rest ? first : count) * size)) * UINT64_C(0x9E3779B97F4A7C15);
    if (rest && end < count)
        hash = (hash ^ tr_archive_hash(bytes + end * size, (count - end) * size)) * UINT64_C(0x9E3779B97F4A7C15);
    return hash;
}

uint64_t trn_tape_motion(const trn_world *world, bool places)
{
    const trn_bodies *bodies = &world->bodies;
    uint64_t hash = bodies->table.count;
#define ADD(column) hash = add_column(hash, bodies, bodies->column, sizeof *bodies->column);
    TRN_VELOCITY_COLUMNS(ADD)
    if (places) {
        TRN_PLACE_COLUMNS(ADD)
    }
#undef ADD
    return hash;
}

/*
 * Recordings
 */
/* there is memory for it before the sink gets anything */
static bool write_beginning(trn_world *world)
{
    trn_tape *tape = world->tape;
    tr_log_header header = tr_log_header_of(TR_DIMENSION, trn_calls_shape());
    append_word(world, TR_TAPE_BEGIN);
    append_word(world, trn_parts_hooks(world));
    append_state(world);
    if (tape->failure.status == TR_OK && !tape->sink.write(&header, sizeof header, tape->sink.context))
        tape->failure.status = TR_ERROR_FILE;
    trn_tape_flush(world);
    return tape->failure.status == TR_OK;
}

static void drop(trn_world *world)
{
    release(world, world->tape);
    tr_release(&world->memory, world->tape, sizeof *world->tape);
    world->tape = NULL;
}

tr_status trn_world_record(trn_world *world, const tr_sink *sink)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_record", "");
    tr_status status = trn_check_pointer(&check, "sink", sink);
    if (status == TR_OK && sink->write == NULL)
        status = trn_check_fail(&check, TR_ERROR_NULL, "sink.write", "is null");
    if (status != TR_OK)
        return status;
    if (trn_world_is_recording(world))
        return trn_check_fail(&check, TR_ERROR_RANGE, "world", "is recorded already");
    if (world->tape != NULL)
        drop(world);
    world->tape = tr_allocate(&world->memory, sizeof *world->tape);
    if (world->tape == NULL)
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory to begin");
    /* until it has begun, nothing is closed, and no warning is written */
    tr_log log = world->log;
    world->log.write = NULL;
    world->tape->sink = (tr_sink){sink->write, NULL, sink->context};
    bool begun = write_beginning(world);
    world->log = log;
    if (!begun) {
        status = world->tape->failure.status;
        drop(world);
        return status == TR_ERROR_MEMORY ? trn_check_fail(&check, status, "", "no memory for the world's state")
                                         : trn_check_fail(&check, status, "sink", "did not take the beginning");
    }
    /* as large as the state: edits are smaller */
    release(world, world->tape);
    world->tape->sink.close = sink->close;
    return TR_OK;
}

tr_error trn_tape_finish(trn_world *world)
{
    trn_tape *tape = world->tape;
    if (tape->failure.status == TR_OK) {
        append_word(world, TR_TAPE_END);
        append_wide(world, tape->steps);
        append_wide(world, trn_tape_motion(world, true));
        append_wide(world, trn_world_state_hash(world));
        trn_tape_flush(world);
    }
    tr_error failure = tape->failure;
    if (failure.status == TR_OK && tape->sink.close != NULL)
        tape->sink.close(tape->sink.context);
    drop(world);
    return failure;
}

tr_status trn_world_stop_recording(trn_world *world)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (world->tape == NULL)
        return TR_OK;
    trn_check check = trn_check_of(world, "world_stop_recording", "");
    tr_error failure = trn_tape_finish(world);
    return failure.status == TR_OK ? TR_OK : trn_check_fail(&check, failure.status, "", "%s", failure.message);
}

bool trn_world_is_recording(const trn_world *world)
{
    return world != NULL && world->tape != NULL && world->tape->failure.status == TR_OK;
}
