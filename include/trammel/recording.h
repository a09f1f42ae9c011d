/*
 * Recordings: a log of the calls that change a world, edits and steps with their arguments, from which the same world is
 * made again, call by call, with the same bits: on any instruction set, with any number of threads. A bug report is then
 * a file; `trammel replay` runs it. docs/netcode.md and docs/snapshots.md say what it is good for.
 *
 * A log begins with a snapshot, so a recording may begin at any time. Written are the calls that succeeded; those that
 * failed have changed nothing. A step that failed for lack of memory may have changed the order of things in memory:
 * after it, and after such a tr2_world_optimize(), the log has another snapshot. Also written are
 *
 *   ids that calls gave           a hash of them
 *   steps                         a hash of the velocities of all bodies after the step, in the order of the tables, but
 *                                 for rows of what sleeps; after every 16th step also of positions and rotations
 *   the application's callbacks   what they answered: the contact filter, the surface mixer, `accept` of queries in calls
 *                                 that change a world. A replay does not call them
 *   the end of the recording      tr2_world_state_hash(): also joints and contacts
 *
 * so that a replay finds the first step after which velocities differ. A position that differs makes velocities differ
 * soon, mostly in the next step, unless nothing holds or touches the body: then a replay says between which steps it was.
 * Not written, because they change no bits: threads, allocator, log, host, tr2_world_set_threads(), and calls on a const
 * world. What definitions point to is written with
 * them. A recorded tr2_world_restore() has the whole snapshot.
 *
 * A log is for the same version of Trammel and machines of the same byte order. It is written in chunks with checksums,
 * one before each step, which has all calls up to and with this step. So when a program crashes or is killed in a step,
 * its log ends with this step; between steps, the calls since the last step are missing.
 */
#ifndef TRAMMEL_RECORDING_H
#define TRAMMEL_RECORDING_H

#include "trammel/world2.h"
#include "trammel/world3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a log goes. */
typedef struct tr_sink {
    /* Appends `size` bytes; false: it cannot, which ends the recording. Called on the thread of the recorded call, and
       must not use the world. */
    bool (*write)(const void *bytes, size_t size, void *context);
    void (*close)(void *context); /* called once, when the recording has ended; may be null */
    void *context;
} tr_sink;

/*
 * Begins to record a world; tr2_world_record_file() (trammel/scene2.h) does so to a file. The recording ends with
 * tr2_world_stop_recording() or tr2_world_destroy(). It also ends if it gets no memory from the world's allocator, or
 * its sink takes no more: then the log has all up to there, the world's tr_log a warning, and
 * tr2_world_stop_recording() the reason. A recording never makes a call fail, and never changes what a call does.
 * Errors: TR_ERROR_NULL (sink, sink.write), _RANGE (the world is recorded already), _MEMORY, _FILE (the sink did not take
 * the first bytes). If it fails, `close` is not called.
 */
TR_API tr_status tr2_world_record(tr2_world *world, const tr_sink *sink);
TR_API tr_status tr3_world_record(tr3_world *world, const tr_sink *sink);

/* Ends a recording. TR_OK: the log is complete, or there is none. TR_ERROR_NULL; _MEMORY, _FILE: the recording ended
   before, by itself; it is forgotten then. */
TR_API tr_status tr2_world_stop_recording(tr2_world *world);
TR_API tr_status tr3_world_stop_recording(tr3_world *world);

TR_API bool tr2_world_is_recording(const tr2_world *world);
TR_API bool tr3_world_is_recording(const tr3_world *world);

/*
 * Replay
 */

/* A place in a log; begin with tr_replay_of(). The other members are the replay's own. */
typedef struct tr_replay {
    const void *log;
    size_t size;
    size_t at, chunk_end; /* bytes; 0: before the beginning */
    uint32_t chunks;
    bool begun, ended, cut_off;
    uint64_t calls, steps; /* made so far */
    uint64_t checked;      /* the last step after which positions were as recorded, too */
} tr_replay;

/* The beginning of a log of `size` bytes, which must stay where it is. */
static inline tr_replay tr_replay_of(const void *log, size_t size)
{
    tr_replay replay = {log, size, 0, 0, 0, false, false, false, 0, 0, 0};
    return replay;
}

/* 2 or 3: of the worlds that a log is for; 0: it is no log. */
TR_API uint32_t tr_replay_dimension(const void *log, size_t size);

typedef enum tr_replay_kind {
    TR_REPLAY_BEGIN,  /* the world is as it was when the recording began */
    TR_REPLAY_CALL,   /* a call was made, no step */
    TR_REPLAY_STEP,   /* a step was made */
    TR_REPLAY_FAILED, /* a step that had failed was left out */
    TR_REPLAY_END,    /* the recording ended here */
    TR_REPLAY_CUT_OFF /* there is no more, and no end: the program that made the log crashed, or its disk was full */
} tr_replay_kind;

/* What one call of tr2_world_replay() has done. */
typedef struct tr_replay_record {
    tr_replay_kind kind;
    const char *call; /* "body_set_velocity"; valid for ever. "" at begin and end */
    uint64_t step;    /* number of steps so far, with this one */
    double dt;        /* s, of a step; otherwise 0 */
    uint32_t substeps;
    bool unfinished; /* the log ends in this step: there is nothing to compare with */
    /* this did not do what it did when it was recorded: it failed, gave other ids, asked other questions, or the hashes
       below differ */
    bool differs;
    tr_status status; /* of the call; if it failed, tr2_world_last_error() has the reason */
    /* what is compared after a step: of velocities, and after every 16th of positions and rotations; at the end of a log
       tr2_world_state_hash(); 0: none */
    uint64_t hash, recorded_hash;
    /* Of a step that differs: the first one after which a position or rotation may have differed already, while no
       velocity did; at the end of a log, too, 0 there if only joints and contacts differ. Otherwise 0. */
    uint64_t since;
    uint64_t motion; /* of positions, rotations and velocities after each step of this replay, to compare two replays */
} tr_replay_record;

/*
 * Does what the next record of a log says. The first one makes the world what it was when the recording began, whatever
 * it was, as tr2_world_restore() does. At the end, records are TR_REPLAY_END or TR_REPLAY_CUT_OFF again and again. A
 * world that was replayed can go on: its contact filter and surface mixer, if the recorded one had any, then pass
 * everything and change nothing, until they are set.
 * Errors: TR_ERROR_NULL; _RANGE (the world is recorded); _PARSE (no log, or damaged; the message says where);
 * _UNSUPPORTED (of another version, byte order or dimension); _MEMORY. The world and the place in the log are as before.
 */
TR_API tr_status tr2_world_replay(tr2_world *world, tr_replay *replay, tr_replay_record *out);
TR_API tr_status tr3_world_replay(tr3_world *world, tr_replay *replay, tr_replay_record *out);

#ifdef __cplusplus
}
#endif

#endif
