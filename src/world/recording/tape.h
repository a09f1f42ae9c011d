/*
 * The tape of a world that is recorded or replayed (trammel/recording.h): what its calls and the application's callbacks
 * say goes on it, or comes from it. A world has one only then.
 *
 * A record is a word (the call; flags), the arguments, and by the flags the answers of callbacks and a hash of what the
 * call gave. A step's record ends a chunk, so that it is in the log when the step begins; what it gave is a
 * record of its own, in the next chunk.
 */
#ifndef TR_WORLD_TAPE_H
#define TR_WORLD_TAPE_H

#include "base/archive.h"
#include "solver/dimension.h"
#include "trammel/recording.h"
#include "world/core/world_internal.h"

/* records that are no calls */
enum { TR_TAPE_BEGIN = 0xfffd, TR_TAPE_GAVE = 0xfffe, TR_TAPE_END = 0xffff };
/* bits of the word: what follows the arguments */
#define TR_TAPE_ANSWERS 0x20000u
#define TR_TAPE_MIXES   0x40000u
#define TR_TAPE_NOTHING 0x80000u /* none of these, and no hash */
#define TR_TAPE_FLAGS   (TR_TAPE_ANSWERS | TR_TAPE_MIXES | TR_TAPE_NOTHING)

/* The answer of a surface mixer, by the indices of the ids of both shapes. */
typedef struct tr_tape_mix {
    uint32_t a, b;
    float surface[4]; /* a tr2_surface */
} tr_tape_mix;

struct trn_tape {
    tr_sink sink;
    bool plays;       /* a replay; else a recording */
    bool busy;        /* a call runs: the calls that it makes are not recorded on their own */
    tr_error failure; /* why the recording ended */
    uint32_t chunks;
    uint64_t steps;
    /* the chunk in the making: its header, then records. A replay has none */
    unsigned char *bytes;
    size_t size, capacity;
    /* of the running call: yes and no in the order of the questions; and mixes, which workers add in any order */
    uint8_t *answers;
    uint32_t answer_count, answer_capacity;
    uint32_t answer_at; /* of a replay: the next one */
    uint32_t asking;    /* questions that are open: a callback may make calls that ask on their own */
    tr_tape_mix *mixes; /* in order of a and b when the call has ended */
    uint32_t mix_count, mix_capacity;
    bool differs; /* a replay was asked what was not asked before */
};

/* Whether a call is to be recorded. */
static inline bool trn_tape_takes(const trn_tape *tape)
{
    return tape != NULL && !tape->plays && !tape->busy && tape->failure.status == TR_OK;
}

/*
 * A recorded call: begin; of a step its record; the call; of all others, if it succeeded, its record; end. A record is
 * the archive that trn_tape_open() gives room for, of the bytes that the arguments take, which are written to it.
 *
 * trn_tape_pack() is record and end in one, of a call that succeeded and gives nothing: where the arguments go. Null:
 * callbacks have answered, or the recording has ended.
 */
void trn_tape_begin(trn_world *world);
unsigned char *trn_tape_pack(trn_world *world, tr_call call, size_t size);
tr_archive trn_tape_open(trn_world *world, tr_call call, size_t size);
void trn_tape_end(trn_world *world, tr_call call, tr_status status, uint64_t result);
/* Writes the chunk. */
void trn_tape_flush(trn_world *world);

/* Ends a recording, or what is left of one that has ended by itself, with the reason. */
tr_error trn_tape_finish(trn_world *world);

/* The place in a recording, before calls that may be taken back; and back to it. No step may be between. */
size_t trn_tape_mark(const trn_world *world);
void trn_tape_rewind(trn_world *world, size_t mark);

/*
 * Questions of a running call to the application. trn_tape_answer(): of a replay, the recorded answer to a yes-or-no
 * question; false: ask the application, and then trn_tape_keep(), which does nothing if no call is recorded.
 */
bool trn_tape_answer(const trn_world *world, bool *answer);
void trn_tape_keep(const trn_world *world, bool answer);
/* The same for a surface mixer, on any thread; a recording needs room first, for so many at most. */
void trn_tape_reserve_mixes(trn_world *world, uint32_t most);
bool trn_tape_answer_mix(const trn_world *world, uint32_t a, uint32_t b, void *surface);
void trn_tape_keep_mix(const trn_world *world, uint32_t a, uint32_t b, const void *surface);

/*
 * A hash of the velocities of all bodies that are awake, and of their places, too. To read all places in each step, when
 * they have left the caches, would take most of the time of a recording; so a step has them if its number says so. What
 * differs in a place differs in a velocity soon after, mostly one step later, unless nothing touches or holds the body.
 */
#define TR_TAPE_PLACES_EVERY 16u
static inline bool trn_tape_has_places(uint64_t step)
{
    return step % TR_TAPE_PLACES_EVERY == 0;
}
uint64_t trn_tape_motion(const trn_world *world, bool places);
/* Of the arguments of all calls. */
uint64_t trn_calls_shape(void);

/*
 * Replay
 */

/* A record that is read. */
typedef struct trn_reader {
    trn_world *world;
    tr_archive archive; /* over the log, to the end of the chunk */
    tr_replay *replay;
    uint32_t word; /* the record's */
    bool skips;    /* the call is not to be made: it had failed */
    bool unfinished;
    bool said;         /* the world's last error says what is wrong */
    uint64_t recorded; /* of a step its hash; of others that of what they gave, or 0 */
    void *held[4];     /* arrays that are released afterwards */
    size_t held_size[4];
    uint32_t held_count;
} trn_reader;

/* An array that lives as long as the record; null if `count` is 0, or without memory, which the archive then says. */
void *trn_reader_room(trn_reader *reader, uint32_t count, size_t size);
/* When the arguments are read: reads what the call gave. Whether it is to be made. */
bool trn_reader_ready(trn_reader *reader, tr_call call);

const char *trn_call_name(tr_call call);
/* Reads the arguments of a call and makes it. *result is a hash of what it gave, or 0. */
tr_status trn_call_read(trn_reader *reader, tr_call call, uint64_t *result);

#endif
