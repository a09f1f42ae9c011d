/*
 * Frames: the ring of states that a world keeps, and the way back. Their memory is the world's own, so they need no
 * checksums, and are not checked when the world goes back.
 */
#include "world/recording/frames.h"

#include "world/core/check.h"
#include "world/recording/state.h"
#include "world/recording/tape.h"

static void free_frame(trn_frame *frame, tr_memory *memory)
{
    tr_release(memory, frame->bytes, frame->capacity);
    *frame = (trn_frame){0};
}

tr_status trn_world_set_frames(trn_world *world, uint32_t count)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_frames", "");
    trn_frame *frame = tr_allocate_array(&world->memory, count, sizeof *frame);
    if (count > 0 && frame == NULL)
        return trn_check_fail(&check, TR_ERROR_MEMORY, "count", "is %u: no memory for so many frames", count);
    trn_frames_free(&world->frames, &world->memory);
    world->frames.frame = frame;
    world->frames.count = count;
    return TR_OK;
}

void trn_frames_free(trn_frames *frames, tr_memory *memory)
{
    for (uint32_t i = 0; i < frames->count; i++)
        free_frame(&frames->frame[i], memory);
    tr_release(memory, frames->frame, frames->count * sizeof *frames->frame);
    frames->frame = NULL;
    frames->count = 0;
    frames->here = NULL;
}

/* makes room for the state as it is now, with some more: contacts make it larger; what was there is lost then */
static bool have_room(trn_world *world, trn_frame *frame)
{
    tr_archive count = {.mode = TR_ARCHIVE_COUNT, .version = &world->frames.version};
    trn_state_visit(world, &count);
    if (count.at <= frame->capacity)
        return true;
    const size_t capacity = count.at + count.at / 4;
    unsigned char *bytes = tr_allocate_unset(&world->memory, capacity, 1);
    if (bytes == NULL)
        return false;
    free_frame(frame, &world->memory);
    frame->bytes = bytes;
    frame->capacity = capacity;
    return true;
}

tr_status trn_world_keep_frame(trn_world *world, uint64_t number)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_keep_frame", "");
    trn_frames *frames = &world->frames;
    if (frames->count == 0)
        return trn_check_fail(&check, TR_ERROR_RANGE, "frame", "is %llu, but the world has no frames",
                              (unsigned long long)number);
    trn_frame *frame = &frames->frame[number % frames->count];
    /* as after going back to it: then whoever makes steps again keeps it first */
    if (frames->here == frame && frame->kept && frame->number == number)
        return TR_OK;
    if (!have_room(world, frame))
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for frame %llu", (unsigned long long)number);
    /* groups that are in the frame's memory already are not written again: its parts say which */
    tr_archive archive = {.mode = TR_ARCHIVE_WRITE,
                          .bytes = frame->bytes,
                          .size = frame->capacity,
                          .parts = &frame->parts,
                          .before = &frame->parts,
                          .notes = true,
                          .version = &frames->version};
    trn_state_visit(world, &archive);
    tr_archive_finish(&archive);
    frame->number = number;
    frame->kept = archive.status == TR_OK;
    frame->size = archive.at;
    frame->shape = archive.shape;
    frames->here = frame->kept ? frame : NULL;
    return archive.status;
}

/*
 * Back
 */
static tr_status go_back(trn_world *world, uint64_t number)
{
    trn_check check = trn_check_of(world, "world_go_back", "");
    trn_frames *frames = &world->frames;
    trn_frame *frame = frames->count > 0 ? &frames->frame[number % frames->count] : NULL;
    if (frame == NULL || !frame->kept || frame->number != number)
        return trn_check_fail(&check, TR_ERROR_RANGE, "frame", "is %llu, which is not kept",
                              (unsigned long long)number);
    const tr_archive from = {
        .bytes = frame->bytes, .size = frame->size, .parts = &frame->parts, .version = &frames->version};
    const tr_status status = trn_state_read(world, &from, frame->shape);
    if (status == TR_OK)
        frames->here = frame;
    return status == TR_OK ? TR_OK
                           : trn_check_fail(&check, status, "",
                                            status == TR_ERROR_MEMORY ? "no memory for the state"
                                                                      : "the state is none of this world");
}

/* into the log: a replay has no frames */
static void record_state(trn_world *world)
{
    uint64_t size = trn_world_save_size(world);
    tr_archive archive = trn_tape_open(world, TR_CALL_world_restore, sizeof size + (size_t)size);
    size_t saved = 0;
    tr_archive_value(&archive, size);
    if (archive.status == TR_OK)
        (void)trn_world_save(world, archive.bytes + archive.at, (size_t)size, &saved);
}

tr_status trn_world_go_back(trn_world *world, uint64_t number)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    if (!trn_tape_takes(world->tape))
        return go_back(world, number);
    trn_tape_begin(world);
    const tr_status status = go_back(world, number);
    if (status == TR_OK)
        record_state(world);
    trn_tape_end(world, TR_CALL_world_restore, status, 0);
    return status;
}
