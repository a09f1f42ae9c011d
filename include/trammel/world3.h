/*
 * Trammel in space: a world of rigid bodies in three dimensions. Joints have a header of their own, joints3.h;
 * contacts3.h has contacts that the application finds; statistics3.h reads a world, accelerations.h solves its equations
 * of motion. There are no shapes in space yet.
 *
 * Units are metres, kilograms, seconds, newtons and radians. Rotations are unit quaternions (tr_quat) and turn by the
 * right hand. A positive coordinate, rate or impulse of a joint moves B relative to A: C = (B side) - (A side).
 *
 * The verbs, guarantees and errors are those of the plane (trammel/world2.h), with tr3_ instead of tr2_. A quantity
 * that is a number there and a vector here (angular velocity, torque) is in world axes. The two kinds of world share no
 * objects: an id of the one is no id of the other.
 *
 * Threads: different worlds may be used at the same time. A call that takes a `tr3_world *` must be the only one on its
 * world. Calls that take a `const tr3_world *` change nothing: any number of threads may make them at the same time.
 * Three calls are exceptions, because they build tables, and must be the only ones on their world:
 * tr3_world_statistics(), the first call of tr3_world_bodies(), and the first of tr3_world_joints() for each type. If
 * calls fail on several threads at the same time, the last error is that of one of them; read it when all are done.
 *
 * Errors: a call that returns anything but TR_OK has changed nothing, and tr3_world_last_error() has a message that
 * names the invalid argument. docs/errors.md has a table of the errors of each call.
 */
#ifndef TRAMMEL_WORLD3_H
#define TRAMMEL_WORLD3_H

#include "trammel/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tr3_world tr3_world;

/* Ids: 8 bytes, passed by value; all zero is the null id. After its object is destroyed, an id is never valid again. */
typedef struct tr3_body {
    uint32_t index;      /* slot + 1; 0: null */
    uint16_t world;      /* the world's tag */
    uint16_t generation; /* how often the slot has been used before */
} tr3_body;

typedef struct tr3_joint {
    uint32_t index;
    uint16_t world;
    uint16_t generation;
} tr3_joint;

/*
 * World
 */
typedef struct tr3_world_def {
    tr_vec3 gravity; /* m/s^2; default (0, -9.81, 0) */
    /* Hz, > 0; stiffness of rigid rows; default 60; at most a quarter of the sub-step rate is used. From 1,000 sub-steps per
       second on the frequency rises in proportion with them, up to a sixteenth of their rate */
    float joint_frequency;
    float joint_damping_ratio; /* >= 0; default 2 */
    tr_method method;          /* default TR_SOFT_STEP */
    uint32_t sweeps;           /* over all joints, per sub-step; 0, the default: 8 of TR_SEQUENTIAL_IMPULSES, else 1 */
    /* >= 0; default 10. An island is solved as by TR_DIRECT if the neighbours of one of its bodies together have more than
       this many times its mass, by rigid joints; with six joints or more fewer are enough. One of more than 256 bodies
       only if few joints close loops (docs/exact.md). 0: every island with joints; INFINITY: none */
    float direct_load;
    /* m, 1e-6 to 1e6; default 1: the size of what the world is made of, from 0.1 to 10 units. Lengths and speeds that
       no object states are multiples of it. It cannot be changed later. */
    float length_unit;
    tr_breaking breaking;    /* default TR_BREAKING_ALL */
    tr_sleep_settings sleep; /* docs/sleep.md */
    /* Upper bound on worker threads. A step uses fewer in small worlds, and one while other processes occupy the cores.
       0, the default: at most tr_physical_cores(), used only once measured to be faster. Never changes results. */
    uint32_t threads;
    uint16_t tag;          /* the `world` of this world's ids; 0: computed from the world's address */
    bool no_warm_starting; /* default false: impulses of one step start the next */
    tr_allocator allocator;
    tr_log log;
    tr_host host;
} tr3_world_def;

TR_API tr3_world_def tr3_world_def_default(void);

/* Makes an empty world. `error` may be null. TR_ERROR_NULL (also where an allocator has one of its two functions),
   _NAN, _INFINITE, _NEGATIVE, _ZERO (joint_frequency, length_unit), _MEMORY, _RANGE (threads or sweeps > 1024,
   method, length_unit, breaking). On failure *out is untouched. */
TR_API tr_status tr3_world_create(const tr3_world_def *def, tr3_world **out, tr_error *error);
TR_API void tr3_world_destroy(tr3_world *world); /* null is fine */

/* The error of the last failed call on this world; status TR_OK if none has failed. A call that succeeds does not
   change it. The pointer is valid as long as the world. For a null world its status is TR_ERROR_NULL, which every call
   on a null world returns; calls that return a value return zeros. */
TR_API const tr_error *tr3_world_last_error(const tr3_world *world);

/* The definition that would create the world with its current settings. It includes the world's `tag`: a second world
   needs another, or 0, so that each world refuses ids of the other. TR_ERROR_NULL. */
TR_API tr_status tr3_world_get(const tr3_world *world, tr3_world_def *out);

TR_API tr_status tr3_world_set_gravity(tr3_world *world, tr_vec3 gravity);
TR_API tr_vec3 tr3_world_gravity(const tr3_world *world);
/* Stiffness of rigid rows: frequency in Hz (> 0), damping ratio (>= 0). */
TR_API tr_status tr3_world_set_joint_softness(tr3_world *world, float frequency, float damping_ratio);
/* TR_ERROR_RANGE: unknown method; more than 1024 sweeps. */
TR_API tr_status tr3_world_set_method(tr3_world *world, tr_method method, uint32_t sweeps);
/* tr3_world_def.direct_load, from the next step on. TR_ERROR_NAN, _NEGATIVE. */
TR_API tr_status tr3_world_set_direct_load(tr3_world *world, float load);
/* tr3_world_def.breaking, from the next step on (docs/events.md). TR_ERROR_RANGE: outside the enumeration. */
TR_API tr_status tr3_world_set_breaking(tr3_world *world, tr_breaking breaking);
/* tr3_world_def.sleep. Setting it wakes all bodies. TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE. */
TR_API tr_status tr3_world_set_sleep(tr3_world *world, const tr_sleep_settings *settings);
TR_API tr_status tr3_world_get_sleep(const tr3_world *world, tr_sleep_settings *out);
TR_API tr_status tr3_world_set_threads(tr3_world *world, uint32_t threads); /* as in the definition */
/* The maximum number of threads of a step: the number in the definition, or tr_physical_cores() for 0; 1 without OpenMP
   and without a tr_host. tr_statistics.threads is the number that the last step used. */
TR_API uint32_t tr3_world_threads(const tr3_world *world);

/*
 * Advances the world by `dt` seconds in `substeps` equal sub-steps of the world's method (soft step: integrate
 * velocities, warm start, solve, integrate positions, relax). Forces and torques applied since the last step act during
 * the whole step and are then cleared. dt 0 moves nothing and keeps forces; it empties the list of events. Errors:
 * TR_ERROR_NAN, _INFINITE, _NEGATIVE (dt), _RANGE (substeps 0 or over 1024; a sub-step shorter than 1e-12 s or longer
 * than 1e6 s), _LIMIT (more joints than the solver can count), _MEMORY; after each of them the world is
 * as it was (docs/errors.md).
 */
TR_API tr_status tr3_world_step(tr3_world *world, double dt, uint32_t substeps);

/* Makes a new plan: islands, order of bodies and joints in memory, colours. A step does this by itself after large
   changes. TR_ERROR_MEMORY. */
TR_API tr_status tr3_world_optimize(tr3_world *world);

/* A 64-bit hash of the positions, rotations and velocities of all bodies, and of the impulses and threshold step counts
   (tr3_event.steps) of all joints, in order of slots. It does not depend on the number of threads, the instruction set
   and the compiler. A body's position is that of its centre, its rotation that of its principal axes
   (tr3_body_view). */
TR_API uint64_t tr3_world_state_hash(const tr3_world *world);

/*
 * Snapshots: the state of a world as bytes, and back (docs/snapshots.md). A world that goes on from a restored state has
 * the same bits in every step as one that went on without: on any instruction set, with any number of threads, with the
 * same edits. All that later steps depend on is in a snapshot, ids of all kinds, settings and the events of the last
 * step. Not in it are times, and what the application has set (threads, allocator, log, host): a world
 * keeps its own. A snapshot is for the same version of Trammel and machines of the same byte order.
 */

/* The bytes that tr3_world_save() would take now; 0 for a null world. Edits make it more or less. */
TR_API size_t tr3_world_save_size(const tr3_world *world);
/* Writes a snapshot to `memory`, which has room for `capacity` bytes, needs no alignment and may be overwritten on
   failure; *size receives the bytes used. Allocates nothing. TR_ERROR_NULL; TR_ERROR_RANGE: the capacity is too
   small. */
TR_API tr_status tr3_world_save(const tr3_world *world, void *memory, size_t capacity, size_t *size);
/*
 * The same into memory that holds the snapshot of *size bytes that was written there last, of any world; or nothing of
 * use, with *size 0. The bytes come out as of the call above, but parts that are there already, as most are that do not
 * change from step to step, are not written again: for rings of snapshots. On failure the memory and *size stay as they
 * are. Where the memory was changed in between, what comes out may be refused as damaged.
 * TR_ERROR_NULL; TR_ERROR_RANGE: the capacity is too small, or less than *size.
 */
TR_API tr_status tr3_world_save_over(tr3_world *world, void *memory, size_t capacity, size_t *size);
/*
 * Puts the state of a snapshot of exactly `size` bytes in the place of the world's, whatever that was; all or nothing.
 * Ids are valid again as they were when it was saved, and those made since are not; the world has the saved `tag`.
 * Pointers of views and events are not valid any more: get them anew. The world keeps the memory of its
 * former state for the next call, as much as it has for this one. If only numbers differ, the plan stays, and the next
 * step is no slower than others; otherwise it lays out its data afresh.
 * TR_ERROR_NULL; TR_ERROR_PARSE: it is no snapshot, or is damaged; TR_ERROR_UNSUPPORTED: it is of another version, byte
 * order or dimension; TR_ERROR_MEMORY.
 */
TR_API tr_status tr3_world_restore(tr3_world *world, const void *memory, size_t size);

/*
 * Rollback: a ring of states that the world keeps in its own memory, for those who go back by a few steps and make these
 * again. Faster than snapshots, which have checksums and can leave the world. Going back is as tr3_world_restore(): the
 * same is in a frame, and the same holds for ids and pointers.
 */

/* Makes room for as many frames; 0: none. Those kept so far are gone. TR_ERROR_NULL; TR_ERROR_MEMORY: they are still
   there. */
TR_API tr_status tr3_world_set_frames(tr3_world *world, uint32_t count);
/* Keeps the state as it is now as this frame, in the place of the one that is a multiple of `count` before or behind it.
   Memory is allocated only when a frame takes more than its place had. TR_ERROR_NULL; TR_ERROR_RANGE: there are no frames;
   TR_ERROR_MEMORY: the one in its place is still there. */
TR_API tr_status tr3_world_keep_frame(tr3_world *world, uint64_t frame);
/* Goes back to a frame, all or nothing; it and all others are kept on. TR_ERROR_NULL; TR_ERROR_RANGE: it is not kept;
   TR_ERROR_MEMORY. */
TR_API tr_status tr3_world_go_back(tr3_world *world, uint64_t frame);

/*
 * Gives back the memory that the world holds beyond what its state needs: room for bodies, joints and contacts that are
 * gone, what the solver had laid out for those that sleep, and what the last tr3_world_restore() has left. The frames of
 * tr3_world_set_frames() stay. Changes no bits of later steps, and no id; pointers of views and events are not valid
 * any more: get them anew. The next step lays out its data afresh, and takes the memory that it needs. Meanwhile the state
 * is there three times. TR_ERROR_NULL; TR_ERROR_MEMORY: the state is as it was.
 */
TR_API tr_status tr3_world_release_memory(tr3_world *world);

/*
 * Bodies
 */
typedef struct tr3_body_def {
    tr_body_type type;        /* default TR_DYNAMIC */
    tr_dvec3 position;        /* m, of the body's origin */
    tr_quat rotation;         /* of the body's frame to the world; normalised when set; default none: (0, 0, 0, 1) */
    tr_vec3 velocity;         /* m/s, of the centre of mass; for a static body checked and ignored */
    tr_vec3 angular_velocity; /* rad/s, in world axes; as velocity */
    float mass;               /* kg; > 0 for a dynamic body; others: >= 0, stored but not used; default 1 */
    /* kg m^2 about the centre of mass, in the axes of the body's frame; all 0: a point mass, which no torque rotates;
       default (1, 1, 1, 0, 0, 0) */
    tr_sym3 inertia;
    tr_vec3 center;        /* m, the centre of mass in the body's frame; default (0, 0, 0) */
    float gravity_scale;   /* default 1 */
    float linear_damping;  /* 1/s, >= 0; default 0 */
    float angular_damping; /* 1/s, >= 0; default 0 */
    bool fixed_rotation;   /* no torque rotates it; default false */
    bool enabled;          /* default true; false: it exists and does nothing (tr3_body_set_enabled) */
    /* default false; true: the joints and contacts of its island are solved together, as by TR_DIRECT (docs/exact.md) */
    bool direct;
    bool allow_sleep;  /* default true; false: neither it nor its island ever falls asleep */
    bool awake;        /* default true; false: it sleeps, or need not wait until it does (docs/sleep.md) */
    float sleep_scale; /* >= 0; default 1: times both speeds of the sleep settings; 0: it is never at rest */
    uint64_t user_data;
} tr3_body_def;

TR_API tr3_body_def tr3_body_def_default(void);

/*
 * Makes `count` bodies from an array of definitions; all or none. `ids` (count entries) may be null. `count` 0 is fine.
 * Errors: TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (mass of a dynamic body; a rotation of no length; a zero on
 * the diagonal of an inertia that is not all zero), _RANGE (type; a mass or principal moment so small, below 2.94e-39,
 * that its inverse is infinite; an inertia that no body has), _MEMORY, _LIMIT.
 *
 * A body has an inertia whose principal moments are positive, and none of them greater than the sum of the two others
 * (by more than 1e-5 of the greatest, for rounding). If the inertia is not diagonal, floats carry moments down to 1e-6
 * of the greatest: less is refused.
 */
TR_API tr_status tr3_world_create_bodies(tr3_world *world, const tr3_body_def *defs, uint32_t count, tr3_body *ids);
TR_API tr_status tr3_world_create_body(tr3_world *world, const tr3_body_def *def, tr3_body *id);
/* Destroys bodies and the joints on them; all or none. The same id twice is TR_ERROR_STALE_ID. */
TR_API tr_status tr3_world_destroy_bodies(tr3_world *world, const tr3_body *ids, uint32_t count);
TR_API tr_status tr3_world_destroy_body(tr3_world *world, tr3_body id);
TR_API bool tr3_body_is_valid(const tr3_world *world, tr3_body id);

/* The definition that would recreate the body in its current state. With a non-zero `center`, `position` is recomputed
   from the stored centre of mass and may differ from what you set by rounding; so may `rotation` and `inertia` of an
   inertia that is not diagonal, whose principal axes are stored. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr3_body_get(const tr3_world *world, tr3_body id, tr3_body_def *out);
/* Replaces every property at once, checked as at creation. Joints stay. Also ends a body's quarantine. */
TR_API tr_status tr3_body_set(tr3_world *world, tr3_body id, const tr3_body_def *def);

/* Each changes one property and leaves the others. Setting the transform or the velocity ends a body's quarantine. A
   new centre of mass changes neither the origin nor the motion of the body's points. tr3_body_set_type(): TR_ERROR_ZERO
   if a body without mass is to become dynamic, TR_ERROR_MEMORY. The first damping, gravity_scale other than 1,
   user_data, center or inertia that is not diagonal of a world allocates an array: TR_ERROR_MEMORY. */
TR_API tr_status tr3_body_set_transform(tr3_world *world, tr3_body id, tr_dvec3 position, tr_quat rotation);
TR_API tr_status tr3_body_set_velocity(tr3_world *world, tr3_body id, tr_vec3 velocity, tr_vec3 angular_velocity);
TR_API tr_status tr3_body_set_mass(tr3_world *world, tr3_body id, float mass, tr_sym3 inertia, tr_vec3 center);
TR_API tr_status tr3_body_set_type(tr3_world *world, tr3_body id, tr_body_type type);
TR_API tr_status tr3_body_set_damping(tr3_world *world, tr3_body id, float linear, float angular);
TR_API tr_status tr3_body_set_gravity_scale(tr3_world *world, tr3_body id, float scale);
TR_API tr_status tr3_body_set_fixed_rotation(tr3_world *world, tr3_body id, bool fixed);
/* tr3_body_def.direct, from the next step on; wakes the body. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr3_body_set_direct(tr3_world *world, tr3_body id, bool direct);
TR_API tr_status tr3_body_set_user_data(tr3_world *world, tr3_body id, uint64_t user_data);

/*
 * Sleep (docs/sleep.md). A body that sleeps has no velocity and does not move until something wakes it: a touch by what
 * is awake, a force, an edit of it or of what it touches or is joined to. It is put to sleep and woken with its island:
 * all bodies that joints and contacts connect it to through moving bodies. Both are without effect on static,
 * kinematic and disabled bodies, which are always awake. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID; false also
 * TR_ERROR_MEMORY and TR_ERROR_RANGE: nothing sleeps in this world, or some body of the island may not, or is joined to
 * or touches a kinematic body that moves. Putting bodies to sleep takes time in proportion to the island and all pairs
 * of shapes near each other that are awake.
 */
TR_API tr_status tr3_body_set_awake(tr3_world *world, tr3_body id, bool awake);
TR_API tr_status tr3_body_is_awake(const tr3_world *world, tr3_body id, bool *awake);
/* False wakes the body. */
TR_API tr_status tr3_body_set_allow_sleep(tr3_world *world, tr3_body id, bool allow);
/* tr3_body_def.sleep_scale, from the next step on; wakes nothing. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN,
   _INFINITE, _NEGATIVE; the first one other than 1 of a world allocates: _MEMORY. */
TR_API tr_status tr3_body_set_sleep_scale(tr3_world *world, tr3_body id, float scale);
TR_API tr_status tr3_body_get_sleep_scale(const tr3_world *world, tr3_body id, float *scale);

/* A body that fell asleep, or woke, since the step before the last one. */
typedef struct tr3_sleep_event {
    tr3_body body;
    uint64_t user_data;
    bool asleep; /* at the end of the last step */
} tr3_sleep_event;

typedef struct tr3_sleep_event_view {
    uint32_t count;
    const tr3_sleep_event *event;
} tr3_sleep_event_view;

/* Of the last successful step; none of a step of dt 0. Valid until the next step, as tr3_world_events(). */
TR_API tr3_sleep_event_view tr3_world_sleep_events(const tr3_world *world);

/*
 * Switches a body off and on again. A disabled body does not move. Its joints do nothing: they have no reactions,
 * errors and events. Everything keeps its id and settings, and can be edited. The body has no velocity, as a static
 * one, and begins at rest when it is enabled; the application's contacts with it are removed (trammel/contacts3.h).
 * TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _MEMORY; also the errors of tr3_body_set_type().
 */
TR_API tr_status tr3_body_set_enabled(tr3_world *world, tr3_body id, bool enabled);

/* Single properties of tr3_body_get(). Outputs of velocity and mass that are null are not written. TR_ERROR_NULL,
   _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr3_body_get_velocity(const tr3_world *world, tr3_body id, tr_vec3 *velocity,
                                       tr_vec3 *angular_velocity);
TR_API tr_status tr3_body_get_mass(const tr3_world *world, tr3_body id, float *mass, tr_sym3 *inertia, tr_vec3 *center);
TR_API tr_status tr3_body_get_type(const tr3_world *world, tr3_body id, tr_body_type *type);
TR_API tr_status tr3_body_get_user_data(const tr3_world *world, tr3_body id, uint64_t *user_data);

/* A body's joints, newest first. *count is how many there are; the first `capacity` of them are written to `out`, which
   may be null if capacity is 0. */
TR_API tr_status tr3_body_joints(const tr3_world *world, tr3_body id, tr3_joint *out, uint32_t capacity,
                                 uint32_t *count);

/* Force in N at a point in world coordinates, for the next step. No effect on static and kinematic bodies.
   TR_ERROR_RANGE: the sum of forces, or the velocity after an impulse, would not be finite. The first force of a world
   allocates: TR_ERROR_MEMORY. */
TR_API tr_status tr3_body_apply_force(tr3_world *world, tr3_body id, tr_vec3 force, tr_dvec3 point);
TR_API tr_status tr3_body_apply_force_to_center(tr3_world *world, tr3_body id, tr_vec3 force);
TR_API tr_status tr3_body_apply_torque(tr3_world *world, tr3_body id, tr_vec3 torque);                   /* N m */
TR_API tr_status tr3_body_apply_impulse(tr3_world *world, tr3_body id, tr_vec3 impulse, tr_dvec3 point); /* N s, now */
TR_API tr_status tr3_body_apply_impulse_to_center(tr3_world *world, tr3_body id, tr_vec3 impulse);       /* N s, now */
TR_API tr_status tr3_body_apply_angular_impulse(tr3_world *world, tr3_body id, tr_vec3 impulse); /* N m s, now */

/* Poses of bodies: entry n is for id n; all or none. For drawing, and for applications that store ids. TR_ERROR_NULL,
   _NULL_ID, _STALE_ID, _FOREIGN_ID. */
typedef struct tr3_transform {
    tr_dvec3 position; /* m, of the body's origin */
    tr_quat rotation;  /* of the body's frame to the world */
} tr3_transform;

TR_API tr_status tr3_world_get_transforms(const tr3_world *world, const tr3_body *ids, uint32_t count,
                                          tr3_transform *out);
TR_API tr_status tr3_body_get_transform(const tr3_world *world, tr3_body id, tr3_transform *out); /* the same of one */

/*
 * Conversion between the frame of the world and that of a body at its current pose. Points are translated and rotated,
 * vectors only rotated. The velocity (m/s) is that of the body's point at this position in the world.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE; _RANGE: the result does not fit a float.
 */
TR_API tr_status tr3_body_local_point(const tr3_world *world, tr3_body id, tr_dvec3 point, tr_vec3 *out);
TR_API tr_status tr3_body_world_point(const tr3_world *world, tr3_body id, tr_vec3 point, tr_dvec3 *out);
TR_API tr_status tr3_body_local_vector(const tr3_world *world, tr3_body id, tr_vec3 vector, tr_vec3 *out);
TR_API tr_status tr3_body_world_vector(const tr3_world *world, tr3_body id, tr_vec3 vector, tr_vec3 *out);
TR_API tr_status tr3_body_point_velocity(const tr3_world *world, tr3_body id, tr_dvec3 point, tr_vec3 *out);

/*
 * Direct view of the body table: arrays of `count` entries, one row per body. Read only; valid until the next call on
 * this world that takes a non-const world. A step or tr3_world_optimize() may change the order of rows, even if it
 * fails; `id` and `user_data` identify a row. Each array is tightly packed and aligned to 64 bytes.
 *
 * The first call allocates the arrays of ids and inverse masses, and those of properties that no body has used yet
 * (local centres, frames, gravity_scale, dampings, sleep_scale, forces, user_data): 100 bytes per body. Without memory
 * for ids `count` is 0; any other array without memory is null.
 *
 * `rotation` and `inertia` are of the principal axes: a frame at the centre of mass in which the body's inertia is
 * diagonal, with the moments `inertia`. `rotation` is that of this frame to the world, and `frame` that of it to the
 * body's frame: the body's own rotation is rotation * conjugate(frame), which tr3_world_get_transforms() returns. A
 * body whose inertia is diagonal has no rotation in `frame`, (0, 0, 0, 1), so that both are the same.
 */
typedef struct tr3_body_view {
    uint32_t count;
    const tr3_body *id;
    const double *center_x, *center_y, *center_z;                              /* m, the centre of mass in the world */
    const float *rotation_x, *rotation_y, *rotation_z, *rotation_w;            /* of the principal axes, as above */
    const float *velocity_x, *velocity_y, *velocity_z;                         /* m/s, of the centre of mass */
    const float *angular_velocity_x, *angular_velocity_y, *angular_velocity_z; /* rad/s, in world axes */
    const float *local_center_x, *local_center_y, *local_center_z; /* m, in the body's frame: the centre of mass */
    const float *frame_x, *frame_y, *frame_z, *frame_w;            /* of the principal axes to the body's frame */
    const float *mass;                                             /* kg */
    const float *inertia_x, *inertia_y, *inertia_z;                /* kg m^2, the principal moments */
    const float *inverse_mass; /* this and the next as the solver uses them: 0 for bodies that cannot move or turn */
    const float *inverse_inertia_x, *inverse_inertia_y, *inverse_inertia_z; /* of the principal moments */
    const float *gravity_scale, *linear_damping, *angular_damping, *sleep_scale;
    const float *force_x, *force_y, *force_z; /* applied for the next step */
    const float *torque_x, *torque_y, *torque_z;
    const float *still;    /* s, for which the body has been at rest (docs/sleep.md) */
    const uint32_t *type;  /* tr_body_type; TR_STATIC while a body is disabled or sleeps */
    const uint32_t *flags; /* TR_BODY_... */
    const uint64_t *user_data;
} tr3_body_view;

TR_API tr3_body_view tr3_world_bodies(const tr3_world *world);

#ifdef __cplusplus
}
#endif

#endif
