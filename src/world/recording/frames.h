/* A ring of frames: states that a world keeps for itself, to go back to. */
#ifndef TR_WORLD_FRAMES_H
#define TR_WORLD_FRAMES_H

#include "base/archive.h"
#include "solver/dimension.h"

/* A state in memory of the world's allocator. */
typedef struct trn_frame {
    uint64_t number;
    bool kept;
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t shape; /* tr_archive.shape */
    tr_archive_parts parts;
} trn_frame;

typedef struct trn_frames {
    trn_frame *frame; /* frame n is at n % count */
    uint32_t count;
    uint64_t version;      /* tr_archive.version */
    const trn_frame *here; /* the world is as it is there: no call has changed it since; null: nobody knows */
} trn_frames;

/* Every public call that may change the state says so, before it does: calls.c. */
static inline void trn_frames_leave(trn_frames *frames)
{
    frames->here = NULL;
}

void trn_frames_free(trn_frames *frames, tr_memory *memory);

#endif
