/* Internals of the world, common to the files of this folder; the solver accesses them through solver/system.h. */
#ifndef TR_WORLD_INTERNAL_H
#define TR_WORLD_INTERNAL_H

#include <stdatomic.h>

#include "base/map.h"
#include "base/pool.h"
#include "base/table.h"
#include "parallel/team.h"
#include "plan/plan.h"
#include "solver/core/joint_types.h"
#include "solver/core/system.h"
#include "trammel/joints2.h"
#include "trammel/statistics2.h"
#include "world/collision/collision.h"
#include "world/core/events.h"
#include "world/shapes/shape.h"

/* The application's contacts. Their rows and slots are with those of the joints: joints[TR2_CONTACT], joint_pool. */
typedef struct tr2_contact_set {
    tr_map slots;    /* joint slot by the application's id and the bodies */
    uint32_t *order; /* joint slot of each definition last set; TR_NONE: removed with one of its bodies */
    uint32_t count, order_capacity;
    uint32_t *next; /* the next order, while a set is being made */
    uint32_t next_capacity;
    uint32_t *removed; /* joint slots */
    uint32_t removed_capacity;
    tr_plan_edge *added;
    uint32_t added_capacity;
    bool bounces; /* some contact has had restitution */
} tr2_contact_set;

struct tr2_world {
    tr_memory memory;
    tr_log log;
    tr_host host;
    uint16_t tag;
    tr_error last_error;
    atomic_flag last_error_busy; /* lock while a thread writes it: tr2_check_of() */

    tr2_settings settings; /* gravity, joint softness, warm starting */
    uint32_t threads;      /* as requested; 0: automatic */
    uint64_t loads;        /* tr2_system.loads */

    tr_pool body_pool; /* rows are those of bodies.table */
    tr2_bodies bodies;
    tr_pool joint_pool; /* of joints and contacts; rows are those of joints[type].table */
    tr2_joints joints[TR2_TABLE_COUNT];
    tr2_watches watches; /* joints with thresholds */
    tr2_contact_set contacts;
    tr2_shapes shapes;
    tr2_collision collision; /* pairs and contacts of shapes */

    tr_plan *plan; /* vertices: body slots; edges: joint slots; kinds: tr2_kernel_of() */
    tr_team *team;
    tr2_solver *solver;
};

/* Bits of the flags columns used only by the world, in addition to those in solver/system.h. */
#define TR2_BODY_REPORTED  4u  /* its quarantine has been logged */
#define TR2_BODY_MARKED    8u  /* seen in the list of a call; never set between calls */
#define TR2_BODY_WEIGH     64u /* static; its shapes have changed since its mass was computed */
#define TR2_BODY_KEPT_TYPE 8   /* shift: the type that a disabled body, whose column says TR_STATIC, will have */
#define TR2_JOINT_MARKED   0x80000000u /* of contacts; distinct from the bits in solver/joint_types.h */
#define TR2_ROW_MARKED     0x40000000u /* set in the row number in a joint's pool; as TR2_BODY_MARKED */

#define TR2_THREADS_MAX  1024u
#define TR2_SWEEPS_MAX   1024u
#define TR2_SUBSTEPS_MAX 1024u

/*
 * Makes a const world writable for the three things that queries may write: the last error, even from several threads
 * at once; the plan's layout, computed when statistics first need it; and columns that are left out until a view needs
 * them. The last two only in calls that must not run concurrently. The const promises only that no object changes.
 */
static inline tr2_world *tr2_mutable(const tr2_world *world)
{
    return (tr2_world *)(uintptr_t)world;
}

/* Removes a joint from the plan, its table and its pool. */
void tr2_joint_remove(tr2_world *world, uint32_t slot);
/* The same for a joint of this type that was already removed from the plan. */
void tr2_joint_drop(tr2_world *world, uint32_t slot, tr2_joint_type type);

/* Removes a contact from the map and the order, before its row and slot. */
void tr2_contact_forget(tr2_world *world, uint32_t row);
void tr2_contacts_init(tr2_world *world);
void tr2_contacts_free(tr2_world *world);

static inline bool tr2_is_same_body(tr2_body a, tr2_body b)
{
    return a.index == b.index && a.world == b.world && a.generation == b.generation;
}

/* The ids of a joint and of its bodies, from its slot; end: 0 A, 1 B. */
tr2_joint tr2_joint_id_of(const tr2_world *world, uint32_t slot);
tr2_body tr2_joint_body_of(const tr2_world *world, uint32_t slot, uint32_t end);
/* Call when the bodies of a joint may start or stop colliding: finds their touches anew. */
void tr2_joint_touch(tr2_world *world, tr2_body body_a, tr2_body body_b);

/* The type of the joint in a slot, including TR2_CONTACT, from the kind of its edge in the plan. */
static inline tr2_joint_type tr2_joint_type_of(const tr2_world *world, uint32_t slot)
{
    return tr2_kernel_type(tr_plan_kind(world->plan, slot));
}

/* Whether a body is disabled; most worlds have none that is. */
static inline bool tr2_body_is_disabled(const tr2_world *world, uint32_t row)
{
    return world->bodies.disabled > 0 && (world->bodies.flags[row] & TR2_BODY_DISABLED) != 0;
}

/* Whether a row's joint is enabled, and its bodies. */
static inline bool tr2_joint_is_enabled(const tr2_joints *joints, uint32_t row)
{
    return joints->flags == NULL || (joints->flags[row] & (TR2_JOINT_DISABLED | TR2_JOINT_RESTING)) == 0;
}

/* Lets the joint in a slot rest if one of its bodies is disabled, and act if none is. The first function makes room for
   that at each joint of a body; false if out of memory. */
bool tr2_joints_rest_reserve(tr2_world *world, uint32_t body_slot);
void tr2_joint_rest(tr2_world *world, uint32_t slot);
/* Tells the solver if a joint has begun or ceased to have an effect: by the plan if it is one to a fixed body, because
   that decides what is solved exactly. `before`: its flags before the change. */
void tr2_joint_weigh(tr2_world *world, uint32_t slot, uint32_t before);

/* Whether the bodies of a row's joint may collide. */
static inline bool tr2_joint_collides(const tr2_joints *joints, uint32_t row)
{
    return joints->flags != NULL && (joints->flags[row] & TR2_JOINT_COLLIDE) != 0;
}

/* The complete definition of a row's joint, with its bodies. */
void tr2_joint_read(const tr2_world *world, tr2_joint_type type, uint32_t row, tr2_joint_def *out);
/* The same without thresholds and user data, for reading all rows of a table: `out` holds the type's defaults or
   another of its rows. */
void tr2_joint_read_row(const tr2_world *world, tr2_joint_type type, uint64_t held, uint32_t row, tr2_joint_def *out);

/* The reaction of a slot's joint in the last sub-step. */
void tr2_joint_reaction_read(const tr2_world *world, uint32_t slot, tr2_reaction *out);
/* The reaction of impulses that acted for one over inv_t seconds, with the bodies as they are now. */
void tr2_joint_reaction_of(const tr2_world *world, uint32_t slot, const float *impulse, float inv_t, tr2_reaction *out);

/* The current pose of a row's joint. */
void tr2_joint_pose_read(const tr2_world *world, tr2_joint_type type, uint32_t row, const tr2_joint_def *def,
                         tr2_joint_pose *out);

/* Whole turns subtracted from the angle of a row's joint. */
static inline int32_t tr2_joint_turn(const tr2_world *world, tr2_joint_type type, uint32_t row)
{
    return world->joints[type].turn != NULL ? world->joints[type].turn[row] : 0;
}

static inline uint32_t tr2_body_row(const tr2_world *world, tr2_body id)
{
    return world->body_pool.row[id.index - 1];
}

/* Whether a shape's body is disabled; by the shape's row. */
static inline bool tr2_shape_is_disabled(const tr2_world *world, uint32_t row)
{
    return tr2_body_is_disabled(world, tr2_body_row(world, world->shapes.body[row]));
}

/* Table rows of a joint's bodies and carriers; TR_NONE if a carrier is the world. */
static inline void tr2_joint_rows(const tr2_world *world, const tr2_joint_def *def, uint32_t rows[TR_ENDS])
{
    rows[0] = tr2_body_row(world, def->body_a);
    rows[1] = tr2_body_row(world, def->body_b);
    rows[2] = def->carrier_a.index != 0 ? tr2_body_row(world, def->carrier_a) : TR_NONE;
    rows[3] = def->carrier_b.index != 0 ? tr2_body_row(world, def->carrier_b) : TR_NONE;
}

#endif
