/* Internals of the world, common to the files of this folder; the solver accesses them through solver/system.h. */
#ifndef TR_WORLD_INTERNAL_H
#define TR_WORLD_INTERNAL_H

#include <stdatomic.h>

#include "base/pool.h"
#include "base/table.h"
#include "parallel/team.h"
#include "plan/plan.h"
#include "solver/core/joint_types.h"
#include "solver/core/system.h"
#include "world/core/events.h"
#include "world/recording/calls.h"
#include "world/recording/frames.h"
#include "world/sleep/sleep.h"
#if TR_DIMENSION == 2
#include "world/plane/parts.h"
#else
#include "world/space/parts.h"
#endif

typedef struct trn_tape trn_tape;

struct trn_world {
    tr_memory memory;
    tr_log log;
    tr_host host;
    uint16_t tag;
    tr_error last_error;
    atomic_flag last_error_busy; /* lock while a thread writes it: trn_check_of() */

    trn_settings settings; /* gravity, joint softness, warm starting */
    uint32_t threads;      /* as requested; 0: automatic */
    uint64_t loads;        /* trn_system.loads */
    bool has_shared;       /* some joints side by side have given up more: joint_share.h */
    bool unsettled;        /* some joint that is alone now has its kernel yet to get: trn_joint_shares_settle() */
    double dt;             /* s, of the last step or part of one; before the first one TR_STEP_USUAL */
    double step_dt;        /* s, as the last step was called; 0 before the first */
    uint32_t step_substeps;

    tr_pool body_pool; /* rows are those of bodies.table */
    trn_bodies bodies;
    tr_pool joint_pool; /* of joints and contacts; rows are those of joints[type].table */
    trn_joints joints[TR_TABLE_COUNT];
    trn_watches watches; /* joints with thresholds */
    trn_sleep sleep;
    TRN_WORLD_PARTS

    tr_plan *plan; /* vertices: body slots; edges: joint slots; kinds: trn_kernel_of() */
    /* number of steps before the one in which the fresh plan was begun that is in the making, or before the one that
       finished it */
    uint64_t replan_step;
    bool pairs_unsorted; /* that step has not brought the pairs of shapes into the order of bodies */
    double plan_seconds; /* of the last step, for what there is of a fresh plan in it */
    trn_world *spare;    /* state.c: the tables that the next state is read into; null: none was */
    trn_frames frames;
    trn_tape *tape; /* tape.h; null: the world is neither recorded nor replayed */
    tr_team *team;
    trn_solver *solver;
};

/* Bits of the flags columns used only by the world, in addition to those in solver/system.h. */
#define TR_BODY_REPORTED  4u          /* its quarantine has been logged */
#define TR_BODY_MARKED    8u          /* seen in the list of a call; never set between calls */
#define TR_BODY_WEIGH     64u         /* static; its shapes have changed since its mass was computed */
#define TR_BODY_SEARCHED  4096u       /* at rest; a search for its island was in vain */
#define TR_BODY_WAKING    8192u       /* awake, but the plan has yet to know */
#define TR_BODY_CHANGED   16384u      /* in the ring of those that may have something to tell */
#define TR_BODY_TOLD      32768u      /* the last event about it was that it fell asleep */
#define TR_BODY_KEPT_TYPE 8           /* shift: the type that a disabled body, whose column says TR_STATIC, will have */
#define TR_JOINT_MARKED   0x80000000u /* of contacts; distinct from the bits in solver/joint_types.h */
#define TR_ROW_MARKED     0x40000000u /* set in the row number in a joint's pool; as TR_BODY_MARKED */

#define TR_STEP_USUAL (1.0 / 60.0)

#define TR_THREADS_MAX  1024u
#define TR_SWEEPS_MAX   1024u
#define TR_SUBSTEPS_MAX 1024u

/*
 * Makes a const world writable for the three things that queries may write: the last error, even from several threads
 * at once; the plan's layout, computed when statistics first need it; and columns that are left out until a view needs
 * them. The last two only in calls that must not run concurrently. The const promises only that no object changes.
 */
static inline trn_world *trn_mutable(const trn_world *world)
{
    return (trn_world *)(uintptr_t)world;
}

/* The tables and the plan of a world, in this memory; after TR_ERROR_MEMORY they are to be freed. And those that another
   state of the world is read into. */
tr_status trn_world_make_tables(trn_world *world, tr_memory *memory);
void trn_world_free_tables(trn_world *world, tr_memory *memory);
void trn_world_free_spare(trn_world *world);

/* The state of a world, kept in its spare tables. */
typedef struct trn_kept_state {
    trn_solver_state solver;
    bool had_spare; /* otherwise they are freed when the state is left */
} trn_kept_state;

/* Keeps it; TR_ERROR_MEMORY. Then it is left, and the world goes back to it first if what it was kept for has failed; that
   needs no memory. Columns that were left out may then be there. */
tr_status trn_state_keep(trn_world *world, trn_kept_state *out);
void trn_state_leave(trn_world *world, trn_kept_state *kept, bool failed);

/* Removes a joint from the plan, its table and its pool. */
void trn_joint_remove(trn_world *world, uint32_t slot);
/* The same for a joint of this type that was already removed from the plan. */
void trn_joint_drop(trn_world *world, uint32_t slot, trn_joint_type type);

static inline bool trn_is_same_body(trn_body a, trn_body b)
{
    return a.index == b.index && a.world == b.world && a.generation == b.generation;
}

/* The ids of a joint and of its bodies, from its slot; end: 0 A, 1 B. */
trn_joint trn_joint_id_of(const trn_world *world, uint32_t slot);
trn_body trn_joint_body_of(const trn_world *world, uint32_t slot, uint32_t end);
/* Call when the bodies of a joint may start or stop colliding: finds their touches anew. */
void trn_joint_touch(trn_world *world, trn_body body_a, trn_body body_b);

/* The type of the joint in a slot, including TR_CONTACT, from the kind of its edge in the plan. */
static inline trn_joint_type trn_joint_type_of(const trn_world *world, uint32_t slot)
{
    return trn_kernel_type(tr_plan_kind(world->plan, slot));
}

/* Whether a body is disabled; most worlds have none that is. */
static inline bool trn_body_is_disabled(const trn_world *world, uint32_t row)
{
    return world->bodies.disabled > 0 && (world->bodies.flags[row] & TR_BODY_DISABLED) != 0;
}

/* Whether a row's joint is enabled, and its bodies. */
static inline bool trn_joint_is_enabled(const trn_joints *joints, uint32_t row)
{
    return joints->flags == NULL || (joints->flags[row] & (TR_JOINT_DISABLED | TR_JOINT_RESTING)) == 0;
}

/* Lets the joint in a slot rest if one of its bodies is disabled, and act if none is. The first function makes room for
   that at each joint of a body; false if out of memory. */
bool trn_joints_rest_reserve(trn_world *world, uint32_t body_slot);
void trn_joint_rest(trn_world *world, uint32_t slot);
/* Tells the solver if a joint has begun or ceased to have an effect: by the plan if it is one to a fixed body, because
   that decides what is solved exactly. `before`: its flags before the change. */
void trn_joint_weigh(trn_world *world, uint32_t slot, uint32_t before);

/* Whether the bodies of a row's joint may collide. */
static inline bool trn_joint_collides(const trn_joints *joints, uint32_t row)
{
    return joints->flags != NULL && (joints->flags[row] & TR_JOINT_COLLIDE) != 0;
}

/* The complete definition of a row's joint, with its bodies. */
void trn_joint_read(const trn_world *world, trn_joint_type type, uint32_t row, trn_joint_def *out);
/* The same without thresholds and user data, for reading all rows of a table: `out` holds the type's defaults or
   another of its rows. */
void trn_joint_read_row(const trn_world *world, trn_joint_type type, trn_mask held, uint32_t row, trn_joint_def *out);

/* The reaction of a slot's joint in the last sub-step. */
void trn_joint_reaction_read(const trn_world *world, uint32_t slot, trn_reaction *out);
/* The reaction of impulses that acted for one over inv_t seconds, with the bodies as they are now. */
void trn_joint_reaction_of(const trn_world *world, uint32_t slot, const float *impulse, float inv_t, trn_reaction *out);

/* The current pose of a row's joint. */
/* The measures of a joint that a call named `call` asks for, after the checks of world, id and output. */
tr_status trn_joint_measure_read(const trn_world *world, const char *call, trn_joint id, const void *out,
                                 trn_joint_measure *result);
void trn_joint_pose_read(const trn_world *world, trn_joint_type type, uint32_t row, const trn_joint_def *def,
                         trn_joint_pose *out);

/* Adds the whole turns of a pose's angle that are in the joint's impulses: in space. */
void trn_joint_pose_wind(const trn_joints *joints, trn_joint_type type, uint32_t row, trn_joint_pose *pose);
/* Puts the columns of carriers into a view that has them. */
void trn_joint_view_carriers(trn_joint_view *view, const trn_joints *joints);

/* Whole turns subtracted from the angle of a row's joint. */
static inline double trn_joint_turn(const trn_world *world, trn_joint_type type, uint32_t row)
{
    return world->joints[type].turn != NULL ? world->joints[type].turn[row] : 0;
}

static inline uint32_t trn_body_row(const trn_world *world, trn_body id)
{
    return world->body_pool.row[id.index - 1];
}

/* Table rows of a joint's bodies and carriers; TR_NONE if a carrier is the world. */
static inline void trn_joint_rows(const trn_world *world, const trn_joint_def *def, uint32_t rows[TR_ENDS])
{
    rows[0] = trn_body_row(world, def->body_a);
    rows[1] = trn_body_row(world, def->body_b);
    for (uint32_t end = 2; end < TR_ENDS; end++) {
        trn_body carrier = trn_def_end(def, end);
        rows[end] = carrier.index != 0 ? trn_body_row(world, carrier) : TR_NONE;
    }
}

#endif
