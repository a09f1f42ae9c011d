/*
 * Trammel in two dimensions: a world of rigid bodies and the joints between them.
 *
 * Units are metres, kilograms, seconds, newtons and radians. Angles grow counter-clockwise. A positive coordinate,
 * rate or impulse of a joint moves B against A: C = (B side) - (A side).
 *
 * Threads: different worlds may be used at the same time. A call that takes a `tr2_world *` must be the only one on its
 * world. Calls that take a `const tr2_world *` change nothing: any number of threads may make them at the same time.
 * Three exceptions must be alone: tr2_world_statistics(), the first call of tr2_world_bodies(), and the first of
 * tr2_world_joints() for each type, which build tables. If several threads fail at the same time, the last error is
 * that of one of them; read it when all are done.
 *
 * Errors: a call that returns anything but TR_OK has changed nothing, and tr2_world_last_error() has a sentence that
 * names the culprit. docs/errors.md has a table of what each call refuses.
 */
#ifndef TRAMMEL_WORLD2_H
#define TRAMMEL_WORLD2_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tr2_world tr2_world;

/* Ids: 8 bytes, by value; all zero is the null id. An id is never valid again once its object is destroyed. */
typedef struct tr2_body {
    uint32_t index;      /* slot + 1; 0: null */
    uint16_t world;      /* the world's tag */
    uint16_t generation; /* how often the slot has been used before */
} tr2_body;

typedef struct tr2_joint {
    uint32_t index;
    uint16_t world;
    uint16_t generation;
} tr2_joint;

/*
 * World
 */
/* How joints are solved; docs/methods.md compares them. Each gives the same bits on every machine. */
typedef enum tr2_method {
    TR2_SOFT_STEP = 0,       /* sub-steps with warm starting, soft constraints and a relaxing pass; the default */
    TR2_SMALL_STEP,          /* one sweep per sub-step that corrects the whole error, without warm starting */
    TR2_POSITION_BASED,      /* bodies move, then their positions are projected; velocities follow from the positions */
    TR2_SEQUENTIAL_IMPULSES, /* sweeps with warm starting and Baumgarte's bias, a little soft; for one sub-step */
    TR2_METHOD_COUNT
} tr2_method;

TR_API const char *tr2_method_name(tr2_method method); /* "soft_step", ...; "unknown" outside the enumeration */

typedef struct tr2_world_def {
    tr_vec2 gravity; /* m/s^2; default (0, -9.81) */
    /* Hz, > 0; stiffness of rigid rows; default 60; at most a quarter of the sub-step rate is used */
    float joint_frequency;
    float joint_damping_ratio; /* >= 0; default 2 */
    tr2_method method;         /* default TR2_SOFT_STEP */
    uint32_t sweeps;           /* over all joints, per sub-step; 0, the default: 8 of TR2_SEQUENTIAL_IMPULSES, else 1 */
    /* >= 0; default 10. A tree of revolutes, rigid welds, distances and prismatics is solved exactly if one of its bodies has
       neighbours of more than this many times its own mass; in proportion, less suffices with six joints or more, and
       their inertia counts likewise (docs/solver.md). 0: every tree; INFINITY: none */
    float direct_load;
    /* Upper bound on worker threads. A step uses fewer in small worlds, and one while other processes occupy the cores.
       0, the default: at most tr_physical_cores(), used only once measured to be faster. Never changes results. */
    uint32_t threads;
    uint16_t tag;          /* the `world` of this world's ids; 0: one is made from the world's address */
    bool no_warm_starting; /* default false: impulses of one step start the next */
    tr_allocator allocator;
    tr_log log;
    tr_host host;
} tr2_world_def;

TR_API tr2_world_def tr2_world_def_default(void);

/* Makes an empty world. `error` may be null. TR_ERROR_NULL (also where an allocator has one of its two functions),
   _NAN, _INFINITE, _NEGATIVE, _ZERO (joint_frequency), _MEMORY, _RANGE (threads or sweeps > 1024, method). On failure
   *out is untouched. */
TR_API tr_status tr2_world_create(const tr2_world_def *def, tr2_world **out, tr_error *error);
TR_API void tr2_world_destroy(tr2_world *world); /* null is fine */

/* The last failed call on this world; status TR_OK if none has failed. A call that succeeds leaves it, the next one
   that fails overwrites it. The pointer is valid as long as the world. For a null world its status is TR_ERROR_NULL,
   which is what every call on a null world returns; calls that return a value return zeros. */
TR_API const tr_error *tr2_world_last_error(const tr2_world *world);

/* The definition that would create the world with its current settings. `tag` is the one that it has: a second world
   needs another, or 0, so that ids of one are not taken for the other's. TR_ERROR_NULL. */
TR_API tr_status tr2_world_get(const tr2_world *world, tr2_world_def *out);

TR_API tr_status tr2_world_set_gravity(tr2_world *world, tr_vec2 gravity);
TR_API tr_vec2 tr2_world_gravity(const tr2_world *world);
/* Stiffness of rigid rows: frequency in Hz (> 0), damping ratio (>= 0). */
TR_API tr_status tr2_world_set_joint_softness(tr2_world *world, float frequency, float damping_ratio);
/* TR_ERROR_RANGE: no such method; more than 1024 sweeps. */
TR_API tr_status tr2_world_set_method(tr2_world *world, tr2_method method, uint32_t sweeps);
/* tr2_world_def.direct_load, from the next step on. TR_ERROR_NAN, _NEGATIVE. */
TR_API tr_status tr2_world_set_direct_load(tr2_world *world, float load);
TR_API tr_status tr2_world_set_threads(tr2_world *world, uint32_t threads); /* as in the definition */
/* The most threads that a step takes: the number given, or tr_physical_cores() for 0; 1 without OpenMP and without a
   tr_host. tr2_statistics.threads is how many the last step took. */
TR_API uint32_t tr2_world_threads(const tr2_world *world);

/*
 * Finds the contacts of shapes (trammel/shapes2.h), then advances the world by `dt` seconds in `substeps` equal
 * sub-steps of the world's method (soft step: integrate velocities, warm start, solve, integrate positions, relax).
 * Forces and torques applied since the last step act throughout and are then cleared.
 * dt 0 moves nothing and keeps forces; it empties the lists of events and touches. Errors: TR_ERROR_NAN, _INFINITE,
 * _NEGATIVE (dt), _RANGE (substeps 0 or over 1024; a sub-step shorter than 1e-12 s or longer than 1e6 s), _LIMIT (more
 * than 2^30 joints, contacts and pairs of near shapes), _MEMORY.
 */
TR_API tr_status tr2_world_step(tr2_world *world, double dt, uint32_t substeps);

/* Makes a fresh plan: islands, order of bodies and joints in memory, colours. A step does this by itself after large
   changes. TR_ERROR_MEMORY. */
TR_API tr_status tr2_world_optimize(tr2_world *world);

/* 64 bits over the positions, rotations and velocities of all bodies and, of all joints, the impulses and how many
   steps in a row they have been over their thresholds, in order of slots.
   Equal for any number of threads, any instruction set and compiler. */
TR_API uint64_t tr2_world_state_hash(const tr2_world *world);

/*
 * Bodies
 */
typedef enum tr_body_type {
    TR_STATIC = 0,    /* never moves */
    TR_KINEMATIC = 1, /* moves with its velocity; nothing else moves it */
    TR_DYNAMIC = 2
} tr_body_type;

typedef struct tr2_body_def {
    tr_body_type type; /* default TR_DYNAMIC */
    tr_dvec2 position; /* m, of the body's origin */
    double angle;      /* rad; any number of turns, within +-1e12 */
    tr_vec2 velocity;  /* m/s, of the centre of mass; a static body has none: what is given is checked and dropped */
    float angular_velocity; /* rad/s; as velocity */
    float mass;             /* kg; > 0 for a dynamic body; others: >= 0, kept and not used; default 1 */
    float inertia;          /* kg m^2 about the centre of mass; 0: a point mass, which no torque turns; default 1 */
    tr_vec2 center;         /* m, of mass, in the body's frame; default (0, 0) */
    float gravity_scale;    /* default 1 */
    float linear_damping;   /* 1/s, >= 0; default 0 */
    float angular_damping;  /* 1/s, >= 0; default 0 */
    bool fixed_rotation;    /* no torque turns it; default false */
    bool bullet; /* it does not tunnel through dynamic bodies either; default false. No body tunnels through static or
                    kinematic ones (docs/collision.md) */
    uint64_t user_data;
} tr2_body_def;

TR_API tr2_body_def tr2_body_def_default(void);

/*
 * Makes `count` bodies from an array of definitions; all or none. `ids` (count entries) may be null. `count` 0 is fine.
 * Errors: TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (mass of a dynamic body), _RANGE (type; angle; a mass or
 * inertia so small, below 2.94e-39, that its inverse is infinite), _MEMORY, _LIMIT.
 */
TR_API tr_status tr2_world_create_bodies(tr2_world *world, const tr2_body_def *defs, uint32_t count, tr2_body *ids);
TR_API tr_status tr2_world_create_body(tr2_world *world, const tr2_body_def *def, tr2_body *id);
/* Destroys bodies and the joints on them; all or none. The same id twice is TR_ERROR_STALE_ID. */
TR_API tr_status tr2_world_destroy_bodies(tr2_world *world, const tr2_body *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_body(tr2_world *world, tr2_body id);
TR_API bool tr2_body_is_valid(const tr2_world *world, tr2_body id);

/* The definition that would recreate the body as it is now: position, velocity and the rest are the current ones. With
   a non-zero `center`, `position` is recomputed from the stored centre of mass and may differ from what you set by
   rounding. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_body_get(const tr2_world *world, tr2_body id, tr2_body_def *out);
/* Replaces every property at once, checked as at creation. Joints stay. Also ends a body's quarantine. */
TR_API tr_status tr2_body_set(tr2_world *world, tr2_body id, const tr2_body_def *def);

/* One property each; the rest stays. Setting the transform or the velocity ends a body's quarantine. A new centre of
   mass changes neither the origin nor the motion of the body's points. tr2_body_set_type(): TR_ERROR_ZERO if a body
   without mass is to become dynamic, TR_ERROR_MEMORY. The first damping, gravity_scale other than 1, or user_data of a
   world allocates a column: TR_ERROR_MEMORY. */
TR_API tr_status tr2_body_set_transform(tr2_world *world, tr2_body id, tr_dvec2 position, double angle);
TR_API tr_status tr2_body_set_velocity(tr2_world *world, tr2_body id, tr_vec2 velocity, float angular_velocity);
TR_API tr_status tr2_body_set_mass(tr2_world *world, tr2_body id, float mass, float inertia, tr_vec2 center);
TR_API tr_status tr2_body_set_type(tr2_world *world, tr2_body id, tr_body_type type);
TR_API tr_status tr2_body_set_damping(tr2_world *world, tr2_body id, float linear, float angular);
TR_API tr_status tr2_body_set_gravity_scale(tr2_world *world, tr2_body id, float scale);
TR_API tr_status tr2_body_set_fixed_rotation(tr2_world *world, tr2_body id, bool fixed);
TR_API tr_status tr2_body_set_bullet(tr2_world *world, tr2_body id, bool bullet);
TR_API tr_status tr2_body_set_user_data(tr2_world *world, tr2_body id, uint64_t user_data);

/* Parts of what tr2_body_get() gives. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_body_get_velocity(const tr2_world *world, tr2_body id, tr_vec2 *velocity, float *angular_velocity);
TR_API tr_status tr2_body_get_mass(const tr2_world *world, tr2_body id, float *mass, float *inertia, tr_vec2 *center);
TR_API tr_status tr2_body_get_type(const tr2_world *world, tr2_body id, tr_body_type *type);
TR_API tr_status tr2_body_get_user_data(const tr2_world *world, tr2_body id, uint64_t *user_data);

/* A body's joints, newest first. *count is how many there are; the first `capacity` of them are written to `out`, which
   may be null if capacity is 0. A gear is also among the joints of its carriers. */
TR_API tr_status tr2_body_joints(const tr2_world *world, tr2_body id, tr2_joint *out, uint32_t capacity,
                                 uint32_t *count);

/* Force in N at a point in world coordinates, for the next step. No effect on static and kinematic bodies.
   TR_ERROR_RANGE: the sum of forces, or the velocity after an impulse, would not be finite. The first force of a world
   allocates: TR_ERROR_MEMORY. */
TR_API tr_status tr2_body_apply_force(tr2_world *world, tr2_body id, tr_vec2 force, tr_dvec2 point);
TR_API tr_status tr2_body_apply_force_to_center(tr2_world *world, tr2_body id, tr_vec2 force);
TR_API tr_status tr2_body_apply_torque(tr2_world *world, tr2_body id, float torque);                     /* N m */
TR_API tr_status tr2_body_apply_impulse(tr2_world *world, tr2_body id, tr_vec2 impulse, tr_dvec2 point); /* N s, now */
TR_API tr_status tr2_body_apply_impulse_to_center(tr2_world *world, tr2_body id, tr_vec2 impulse);       /* N s, now */
TR_API tr_status tr2_body_apply_angular_impulse(tr2_world *world, tr2_body id, float impulse); /* N m s, now */

/* Poses of bodies: entry n is for id n; all or none. For drawing, and for hosts that keep ids. TR_ERROR_NULL, _NULL_ID,
   _STALE_ID, _FOREIGN_ID. */
typedef struct tr2_transform {
    tr_dvec2 position; /* m, of the body's origin */
    double angle;      /* rad, unwrapped */
    float c, s;        /* cosine and sine of the angle */
} tr2_transform;

TR_API tr_status tr2_world_get_transforms(const tr2_world *world, const tr2_body *ids, uint32_t count,
                                          tr2_transform *out);
/* Of one body. */
static inline tr_status tr2_body_get_transform(const tr2_world *world, tr2_body id, tr2_transform *out)
{
    return tr2_world_get_transforms(world, &id, 1, out);
}

/*
 * Conversion between the frame of the world and that of a body at its current pose. Points are translated and rotated,
 * vectors only rotated. The velocity (m/s) is that of the point of the body that is at this point of the world.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE; _RANGE: the result does not fit a float.
 */
TR_API tr_status tr2_body_local_point(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out);
TR_API tr_status tr2_body_world_point(const tr2_world *world, tr2_body id, tr_vec2 point, tr_dvec2 *out);
TR_API tr_status tr2_body_local_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out);
TR_API tr_status tr2_body_world_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out);
TR_API tr_status tr2_body_point_velocity(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out);

/* Flag: in one step the body became non-finite, exceeded 1e8 m/s, or turned by more than 4,096 rad. It was put back to
   where that step began and is held still until tr2_body_set(), _set_transform() or _set_velocity(). */
#define TR2_BODY_QUARANTINED 1u

/*
 * The body table itself: arrays of `count` entries, one row per body. Read only; valid until the next call that is not
 * const on this world. Rows may be in another order after a step or tr2_world_optimize(); `id` and `user_data` identify
 * a row. Each array is tightly packed and aligned to 64 bytes.
 *
 * The first call allocates the arrays of ids and inverse masses, and those of numbers that no body has yet (local
 * centres, gravity_scale, dampings, forces, user_data): 56 bytes per body. Without memory for ids `count` is 0; any
 * other array without memory is null.
 */
typedef struct tr2_body_view {
    uint32_t count;
    const tr2_body *id;
    const double *center_x, *center_y; /* m, the centre of mass in the world */
    const double *angle;               /* rad, unwrapped */
    const float *c, *s;                /* cosine and sine of the angle */
    const float *velocity_x, *velocity_y, *angular_velocity;
    const float *local_center_x, *local_center_y; /* m, in the body's frame: origin = center - R(c, s) local_center */
    const float *mass, *inertia;                  /* as set; kg, kg m^2 */
    const float *inverse_mass, *inverse_inertia;  /* as solved: 0 for what cannot be moved or turned */
    const float *gravity_scale, *linear_damping, *angular_damping;
    const float *force_x, *force_y, *torque; /* applied for the next step */
    const uint32_t *type;                    /* tr_body_type */
    const uint32_t *flags;                   /* TR2_BODY_... */
    const uint64_t *user_data;
} tr2_body_view;

TR_API tr2_body_view tr2_world_bodies(const tr2_world *world);

/*
 * Joints
 *
 * One definition serves all types. Each type has some of its groups (table below); tr2_joint_def_default() sets them
 * all. A group that the type does not have must be left at its default: TR_ERROR_NO_PROPERTY otherwise. docs/joints/
 * has a page with equations and an example for each type.
 *
 *   type          rows held              free coordinate  groups (spring: `spring` and `spring_force`)
 *   REVOLUTE      point                  angle            anchors reference_angle linear spring motor limit friction
 *   DISTANCE      length                 length           anchors length linear spring_force motor limit friction
 *   PRISMATIC     across the axis, angle along the axis   anchors axis reference_angle linear angular spring motor
 *                                                         limit friction
 *   WELD          point, angle           -                anchors reference_angle linear angular
 *   WHEEL         across the axis        along the axis   anchors axis linear spring limit friction; motor: spin
 *   MOTOR         -                      -                anchors drive
 *   PULLEY        rope                   rope's length    anchors ground_a ground_b length ratio linear
 *   GEAR          mesh                   distance from    anchors ratio axis axis_b slides_a slides_b offset meshed
 *                                        the mesh         angular carrier_a carrier_b
 *   LINE          across the axis        along the axis   anchors axis linear spring motor limit friction
 *   LINEAR_MOTOR  -                      along the axis   anchors axis spring motor limit friction
 *   ANGLE         angle                  angle            reference_angle angular ratio equal_torque spring motor
 *                                                         limit friction
 *   TARGET        point, soft, capped    -                anchors linear max_force
 *   FRICTION_JOINT -                     -                anchors drive.max_force drive.max_torque
 *
 * Every type has event_at, break_at, enabled, collide_connected and user_data.
 *
 * DISTANCE holds `length` with the softness `linear`, which makes it a rod or a spring; spring_force caps the spring's
 * force. With linear = tr_frequency(0, 0) only its limit holds: with limit {true, 0, 3} it is a rope of 3 m.
 *
 * PULLEY is a rope from anchor_a over two fixed wheels to anchor_b, never longer than `length`: ratio |anchor_a -
 * ground_a| + |anchor_b - ground_b| <= length. It pulls and never pushes. A ratio r > 0 makes a block and tackle: r
 * parts of the rope carry A, which is pulled with r times the force on B.
 *
 * GEAR holds coordinate_b + ratio coordinate_a = offset. A coordinate is the angle of the body against its carrier, or,
 * with slides_a or slides_b, the translation of its anchor along an axis fixed in the carrier. A null carrier is the
 * world. ratio 1: two equal wheels in mesh, which turn opposite ways. One side sliding: rack and pinion, ratio in m/rad
 * or rad/m. One body may carry both, and B may carry A. tr2_gear_between() fills in a definition from two joints.
 *
 * ANGLE holds angle of B - ratio * angle of A = reference_angle, unwrapped, with the softness `angular`; with frequency
 * 0 only spring, motor, limit and friction act. A new ratio counts the turns from 0. Its torque is lambda on B and
 * -ratio lambda on A, along the Jacobian, so that no energy is lost: a gear between axles whose bearings take the rest.
 * With equal_torque it is -lambda on A: angular momentum is conserved, and the joint does work if the ratio is not 1.
 *
 * TARGET pulls anchor_b to anchor_a with the softness `linear` (default: 5 Hz, ratio 0.7) and a force of at most
 * max_force. A mouse joint: body A static, anchor_a set to the cursor. It is never relaxed and has no error. TR_RIGID
 * here means a spring as stiff as rigid rows are.
 *
 * FRICTION_JOINT is friction in a plane seen from above: it brakes the velocity of anchor_b against A with a force of
 * at most drive.max_force in any direction, and B's rotation against A with a torque of at most drive.max_torque.
 * anchor_a is only where it is drawn. (TR2_FRICTION is another thing: the friction along the free coordinate of other
 * types.)
 */
/* X(enumerator, name): the list of all types. */
#define TR2_JOINT_TYPES(X)                                                                                             \
    X(TR2_REVOLUTE, revolute)                                                                                          \
    X(TR2_DISTANCE, distance)                                                                                          \
    X(TR2_PRISMATIC, prismatic)                                                                                        \
    X(TR2_WELD, weld)                                                                                                  \
    X(TR2_WHEEL, wheel)                                                                                                \
    X(TR2_MOTOR, motor)                                                                                                \
    X(TR2_PULLEY, pulley)                                                                                              \
    X(TR2_GEAR, gear)                                                                                                  \
    X(TR2_LINE, line)                                                                                                  \
    X(TR2_LINEAR_MOTOR, linear_motor)                                                                                  \
    X(TR2_ANGLE, angle)                                                                                                \
    X(TR2_TARGET, target)                                                                                              \
    X(TR2_FRICTION_JOINT, friction)

typedef enum tr2_joint_type {
#define TR2_ENUMERATOR(enumerator, name) enumerator,
    TR2_JOINT_TYPES(TR2_ENUMERATOR)
#undef TR2_ENUMERATOR
        TR2_JOINT_TYPE_COUNT
} tr2_joint_type;

/* A spring on the free coordinate toward `target`. */
typedef struct tr_spring {
    bool enable;
    float target;         /* m or rad */
    tr_softness softness; /* TR_RIGID: as stiff as rigid rows are */
} tr_spring;

/* Bounds of a spring's force along the coordinate: N or N m, lower <= 0 <= upper; both 0, the default: unbounded. With
   upper 0 and lower negative the spring only pulls; with lower 0 and upper positive it only pushes. */
typedef struct tr_force_range {
    float lower, upper;
} tr_force_range;

/* A velocity motor. */
typedef struct tr_motor {
    bool enable;
    float speed;   /* m/s or rad/s */
    float maximum; /* N or N m, >= 0; default 0, which does nothing */
} tr_motor;

/* Limits of the free coordinate; lower <= upper. */
typedef struct tr_limit {
    bool enable;
    float lower, upper; /* m or rad */
} tr_limit;

/* What a MOTOR joint drives, in A's frame: the velocity of anchor_b against A (friction, when zero), or its offset. A
   FRICTION_JOINT has max_force and max_torque only. */
typedef struct tr2_drive {
    bool position;          /* false: velocity and angular_velocity; true: offset and angular_offset */
    tr_vec2 velocity;       /* m/s */
    float angular_velocity; /* rad/s */
    tr_vec2 offset;         /* m, of anchor_b from anchor_a */
    float angular_offset;   /* rad, angle of B less angle of A */
    tr_softness softness;   /* of the offset */
    float max_force;        /* N, >= 0 */
    float max_torque;       /* N m, >= 0 */
} tr2_drive;

/* Reactions that are worth an event (docs/events.md); 0: none. Every type of joint has them. */
typedef struct tr2_event_at {
    float force;  /* N, >= 0; of the magnitude of tr2_reaction.force */
    float torque; /* N m, >= 0; of that of tr2_reaction.torque */
} tr2_event_at;

/* The load at which a joint breaks, at the end of the step in which its reaction exceeds it; 0: never. */
typedef struct tr2_break_at {
    float force;    /* N, >= 0 */
    float torque;   /* N m, >= 0 */
    float impulse;  /* N s, >= 0: force times the time of the step */
    uint32_t steps; /* break only after so many consecutive steps over any of these; 0 and 1: at once */
} tr2_break_at;

typedef struct tr2_joint_def {
    tr2_joint_type type;
    tr2_body body_a, body_b;
    tr2_body carrier_a, carrier_b; /* of a GEAR; null, the default: the world */
    tr_vec2 anchor_a, anchor_b;    /* m, in the frame of each body, from its origin */
    tr_vec2 axis;                  /* in A's frame; normalised when set */
    float reference_angle;         /* rad: angle of B less angle of A where the joint's angle is 0 */
    float length;                  /* m, >= 0 */
    tr_softness linear;            /* of the point, axis or length rows */
    tr_softness angular;           /* of the angle row */
    tr_spring spring;
    tr_force_range spring_force;
    tr_motor motor;
    tr_limit limit;
    float friction; /* N or N m, >= 0: maximum friction along the free coordinate */
    tr2_drive drive;
    tr2_event_at event_at;       /* default: no events */
    tr2_break_at break_at;       /* default: never breaks */
    float ratio;                 /* not 0; default 1; of a PULLEY, GEAR or ANGLE, see above */
    tr_dvec2 ground_a, ground_b; /* m, in the world: the wheels that a PULLEY's rope runs over */
    tr_vec2 axis_b;              /* as axis, for B; a GEAR has each in its carrier's frame */
    bool slides_a, slides_b; /* GEAR: that side counts the travel of its anchor along its axis, not its body's angle */
    double offset;           /* m or rad: GEAR: coordinate_b + ratio coordinate_a is held at this */
    bool meshed;            /* GEAR: whether `offset` is used. False, the default: the offset is taken from the poses of
                               the bodies when the joint is created or set, and this becomes true */
    bool equal_torque;      /* of an ANGLE: see above; its ratio must then be positive */
    float max_force;        /* N, >= 0, of a TARGET; default FLT_MAX: unbounded */
    bool enabled;           /* default true; false: the joint exists and does nothing */
    bool collide_connected; /* whether shapes of the two bodies collide (trammel/shapes2.h); default false */
    uint64_t user_data;
} tr2_joint_def;

/* A definition of this type with everything at its default: rigid rows, no spring, motor or limit, axis (1, 0), length
   1, reference_angle 0, anchors at the bodies' origins. */
TR_API tr2_joint_def tr2_joint_def_default(tr2_joint_type type);
TR_API const char *tr2_joint_type_name(tr2_joint_type type); /* "revolute", ...; "unknown" outside the enumeration */

/*
 * Makes `count` joints from an array of definitions, of any types; all or none. `ids` (count entries) may be null.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _NEGATIVE, _ZERO (axis),
 * _RANGE, _NO_PROPERTY, _MEMORY, _LIMIT. Joints between two bodies that cannot move are allowed and do nothing.
 */
TR_API tr_status tr2_world_create_joints(tr2_world *world, const tr2_joint_def *defs, uint32_t count, tr2_joint *ids);
TR_API tr_status tr2_world_create_joint(tr2_world *world, const tr2_joint_def *def, tr2_joint *id);

/*
 * Definitions from the current poses of the bodies, so that the joint is satisfied when it is created. Anchors (m) and
 * axis (of any length) are in world coordinates. tr2_joint_def_place() reads type, bodies, ratio and, of a PULLEY,
 * ground_a and ground_b. It sets those of the following that the type has, and nothing else: anchor_a, anchor_b, axis;
 * reference_angle, so that the joint's angle is 0; length, so that a rod or rope is just taut; drive.offset and
 * drive.angular_offset. Arguments that the type does not need are not read. On failure *def is untouched.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _ZERO (axis); _RANGE (no such
 * type; an anchor or length that does not fit a float; a GEAR, for which there is tr2_gear_between()).
 */
TR_API tr_status tr2_joint_def_place(const tr2_world *world, tr2_joint_def *def, tr_dvec2 anchor_a, tr_dvec2 anchor_b,
                                     tr_vec2 axis);
/* The type's default definition between two bodies, placed as above. On failure *out is untouched. */
static inline tr_status tr2_joint_def_between(const tr2_world *world, tr2_joint_type type, tr2_body body_a,
                                              tr2_body body_b, tr_dvec2 anchor_a, tr_dvec2 anchor_b, tr_vec2 axis,
                                              tr2_joint_def *out)
{
    if (out == NULL)
        return tr2_joint_def_place(world, NULL, anchor_a, anchor_b, axis);
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = body_a;
    def.body_b = body_b;
    tr_status status = tr2_joint_def_place(world, &def, anchor_a, anchor_b, axis);
    if (status == TR_OK)
        *out = def;
    return status;
}
/* Turns a DISTANCE definition into a rope: it pulls when longer than `length` (m, >= 0), and never pushes. */
static inline void tr2_joint_def_make_rope(tr2_joint_def *def, float length)
{
    def->linear = tr_frequency(0.0f, 0.0f);
    def->limit.enable = true;
    def->limit.lower = 0.0f;
    def->limit.upper = length;
}

/*
 * Fills *out with a gear between two joints, each a revolute or a prismatic, so that (coordinate of joint_b) + ratio
 * (coordinate of joint_a) stays as it is when the gear is created. The gear joins the two bodies that move; the bodies
 * at the other ends of the joints become its carriers, or the world if they are static. The gear does not depend on the
 * joints, and outlives them.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE, _ZERO (ratio); _RANGE (a joint of another
 * type, or between two bodies that cannot move), _SELF_JOINT (both joints hold the same body to the world).
 */
TR_API tr_status tr2_gear_between(const tr2_world *world, tr2_joint joint_a, tr2_joint joint_b, float ratio,
                                  tr2_joint_def *out);

TR_API tr_status tr2_world_destroy_joints(tr2_world *world, const tr2_joint *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_joint(tr2_world *world, tr2_joint id);
TR_API bool tr2_joint_is_valid(const tr2_world *world, tr2_joint id);

/* The definition that would recreate the joint as it is now. Full turns are not in it: the angle of the new joint
   begins within half a turn of the reference. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_joint_get(const tr2_world *world, tr2_joint id, tr2_joint_def *out);
/* Replaces every property at once, checked as at creation; type and bodies must be the same (TR_ERROR_RANGE). Keeps the
   impulses of what stays enabled. */
TR_API tr_status tr2_joint_set(tr2_world *world, tr2_joint id, const tr2_joint_def *def);

/* The numbers of a definition one by one (booleans as 0 and 1, softness kinds as their value), for changes while
   running. */
typedef enum tr2_field {
    TR2_ANCHOR_A_X,
    TR2_ANCHOR_A_Y,
    TR2_ANCHOR_B_X,
    TR2_ANCHOR_B_Y,
    TR2_AXIS_X,
    TR2_AXIS_Y,
    TR2_REFERENCE_ANGLE,
    TR2_LENGTH,
    TR2_LINEAR_KIND,
    TR2_LINEAR_A,
    TR2_LINEAR_B,
    TR2_ANGULAR_KIND,
    TR2_ANGULAR_A,
    TR2_ANGULAR_B,
    TR2_SPRING_ENABLE,
    TR2_SPRING_TARGET,
    TR2_SPRING_KIND,
    TR2_SPRING_A,
    TR2_SPRING_B,
    TR2_MOTOR_ENABLE,
    TR2_MOTOR_SPEED,
    TR2_MOTOR_MAXIMUM,
    TR2_LIMIT_ENABLE,
    TR2_LIMIT_LOWER,
    TR2_LIMIT_UPPER,
    TR2_DRIVE_POSITION,
    TR2_DRIVE_VELOCITY_X,
    TR2_DRIVE_VELOCITY_Y,
    TR2_DRIVE_ANGULAR_VELOCITY,
    TR2_DRIVE_OFFSET_X,
    TR2_DRIVE_OFFSET_Y,
    TR2_DRIVE_ANGULAR_OFFSET,
    TR2_DRIVE_KIND,
    TR2_DRIVE_A,
    TR2_DRIVE_B,
    TR2_DRIVE_MAX_FORCE,
    TR2_DRIVE_MAX_TORQUE,
    TR2_SPRING_FORCE_LOWER,
    TR2_SPRING_FORCE_UPPER,
    TR2_FRICTION,
    TR2_RATIO,
    TR2_GROUND_A_X,
    TR2_GROUND_A_Y,
    TR2_GROUND_B_X,
    TR2_GROUND_B_Y,
    TR2_AXIS_B_X,
    TR2_AXIS_B_Y,
    TR2_SLIDES_A,
    TR2_SLIDES_B,
    TR2_OFFSET,
    TR2_MESHED,
    TR2_EQUAL_TORQUE,
    TR2_MAX_FORCE,
    TR2_FIELD_COUNT
} tr2_field;

/* "anchor_a.x", "motor.speed", ...: the path within the definition; "unknown" outside the enumeration. */
TR_API const char *tr2_field_name(tr2_field field);
/* Whether joints of this type have the field. */
TR_API bool tr2_joint_type_has(tr2_joint_type type, tr2_field field);

/* Sets one number, checked as at creation together with the others: TR_ERROR_NO_PROPERTY if the type does not have it,
   _RANGE (no such field; a lower limit above the upper; not a value of the boolean or kind), TR_ERROR_MEMORY (a number
   that no joint of the type had yet). The axis is normalised after each of its numbers. ground_a, ground_b and offset
   are double and get the float's value here; tr2_joint_set() sets all their digits. */
TR_API tr_status tr2_joint_set_value(tr2_world *world, tr2_joint id, tr2_field field, float value);
/* One number; of a double the float nearest to it. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NO_PROPERTY,
   _RANGE (no such field). */
TR_API tr_status tr2_joint_get_value(const tr2_world *world, tr2_joint id, tr2_field field, float *out);
/* Switches a joint off and on. A disabled joint keeps its place in the plan and has no impulses and no error. */
TR_API tr_status tr2_joint_set_enabled(tr2_world *world, tr2_joint id, bool enabled);
/* Whether shapes of its two bodies collide, from the next step on. TR_ERROR_MEMORY. */
TR_API tr_status tr2_joint_set_collide_connected(tr2_world *world, tr2_joint id, bool collide);
TR_API tr_status tr2_joint_set_user_data(tr2_world *world, tr2_joint id, uint64_t user_data); /* TR_ERROR_MEMORY */
/* Checked as at creation; all zero removes the threshold and its count of steps. TR_ERROR_MEMORY. */
TR_API tr_status tr2_joint_set_event_at(tr2_world *world, tr2_joint id, tr2_event_at event_at);
TR_API tr_status tr2_joint_set_break_at(tr2_world *world, tr2_joint id, tr2_break_at break_at);

static inline tr_status tr2_joint_set_motor_speed(tr2_world *world, tr2_joint id, float speed)
{
    return tr2_joint_set_value(world, id, TR2_MOTOR_SPEED, speed);
}
static inline tr_status tr2_joint_set_spring_target(tr2_world *world, tr2_joint id, float target)
{
    return tr2_joint_set_value(world, id, TR2_SPRING_TARGET, target);
}

/* The force and torque of a joint in the last sub-step: the sum of all its rows, springs, limits and motors
   included. */
typedef struct tr2_reaction {
    /* N, on B at anchor_b; the opposite acts on A. A PULLEY or GEAR acts on A with a force or torque of its own, ratio
       times as large; the opposite of a GEAR's acts on its carriers or the world */
    tr_vec2 force;
    float torque; /* N m, on B, beside the moment of the force; of rows that act on angles */
    float spring, motor, lower, upper,
        friction; /* N or N m along the free coordinate: the share of each feature (lower >= 0, upper <= 0); a WHEEL's
                     motor is the torque on its spin; a PULLEY's upper is minus the rope's tension at B */
} tr2_reaction;

TR_API tr_status tr2_joint_reaction(const tr2_world *world, tr2_joint id, tr2_reaction *out);

/*
 * Events
 *
 * After each step the reaction of each joint that has thresholds (tr2_joint_reaction(), so that of the last sub-step)
 * is compared with them.
 */
typedef enum tr2_event_kind {
    TR2_EVENT_THRESHOLD, /* the reaction exceeds event_at: one event in each such step; `steps` is 1 in the first */
    TR2_EVENT_BROKEN     /* the reaction exceeded break_at, and the joint was destroyed */
} tr2_event_kind;

typedef struct tr2_event {
    tr2_event_kind kind;
    tr2_joint_type type;
    tr2_joint joint; /* of a broken one, no longer valid */
    tr2_body body_a, body_b;
    uint64_t user_data;    /* the joint's */
    tr2_reaction reaction; /* that exceeded the threshold */
    uint32_t steps;        /* consecutive steps over event_at or break_at, this one included */
} tr2_event;

typedef struct tr2_event_view {
    uint32_t count;
    const tr2_event *event;
} tr2_event_view;

/* The events of the last successful step, in order of tr2_joint.index; of one joint TR2_EVENT_THRESHOLD first. The same
   for any number of threads and any instruction set. The pointer is valid until the next call of tr2_world_step(),
   whether that succeeds or fails; edits do not invalidate it. */
TR_API tr2_event_view tr2_world_events(const tr2_world *world);

/* How far the joint is from being satisfied now. Rigid rows and violated limits count, springs do not. */
typedef struct tr2_joint_error_value {
    float linear;  /* m, >= 0 */
    float angular; /* rad, >= 0 */
} tr2_joint_error_value;

TR_API tr_status tr2_joint_error(const tr2_world *world, tr2_joint id, tr2_joint_error_value *out);

/* The free coordinate (angle, translation or length) and its rate; 0 where the type has none. */
typedef struct tr2_joint_coordinate_value {
    float value, rate; /* m, m/s or rad, rad/s */
} tr2_joint_coordinate_value;

TR_API tr_status tr2_joint_coordinate(const tr2_world *world, tr2_joint id, tr2_joint_coordinate_value *out);

/* The table of one type of joint, with the rules of tr2_body_view. The first call allocates the arrays of ids and
   bodies, 24 bytes per joint; without memory for them `count` is 0.
   field[f] is null if the type lacks f. field[f], user_data and impulse[i] may also be null when every joint of the
   type has the default: nothing is stored. Booleans and kinds are uint32_t in the same four bytes; ground_a, ground_b
   and offset are arrays of double: cast the pointer. */
typedef struct tr2_joint_view {
    uint32_t count;
    const tr2_joint *id;
    const tr2_body *body_a, *body_b;
    const tr2_body *carrier_a, *carrier_b; /* null where the type has none */
    const uint64_t *user_data;
    const float *field[TR2_FIELD_COUNT];
    uint32_t impulse_count;      /* of accumulated impulses of the type */
    const float *const *impulse; /* impulse[0 .. impulse_count - 1]: N s or N m s, of the last sub-step */
    const char *const *impulse_name;
} tr2_joint_view;

TR_API tr2_joint_view tr2_world_joints(const tr2_world *world, tr2_joint_type type);

/*
 * Numbers about a world
 */
typedef enum tr_stage {
    TR_STAGE_BROAD,  /* of shapes: which are near each other; after the step, continuous collision */
    TR_STAGE_NARROW, /* their contact points, and the events of touches */
    TR_STAGE_PLAN,
    TR_STAGE_PREPARE,
    TR_STAGE_INTEGRATE,
    TR_STAGE_WARM_START,
    TR_STAGE_SOLVE,
    TR_STAGE_RELAX,
    TR_STAGE_FINISH,
    TR_STAGE_COUNT
} tr_stage;

TR_API const char *tr_stage_name(tr_stage stage); /* "plan", ... */

/* Counts of the plan, and costs of the last step. */
typedef struct tr2_statistics {
    uint32_t bodies, moving_bodies, joints;
    uint32_t joints_of_type[TR2_JOINT_TYPE_COUNT];
    uint32_t contacts;                         /* of the host (trammel/contacts2.h) and of shapes (trammel/shapes2.h) */
    uint32_t solved_joints;                    /* joints and contacts with at least one body that can move */
    uint32_t colors;                           /* with at least one of these */
    uint32_t spans, blocks;                    /* of 16 lanes */
    double lane_fill;                          /* solved_joints / (16 blocks); 1 where there are none */
    uint32_t islands, largest_island;          /* connected groups of moving bodies; bodies in the largest */
    uint32_t islands_by_size[TR_ISLAND_SIZES]; /* of 2^k to 2^(k + 1) - 1 bodies */
    uint32_t units;                            /* groups of bodies that fit a cache, of the last full plan */
    uint32_t whole_units;  /* units that one worker took through the whole last step: nothing outside moved them */
    uint32_t tiled_units;  /* of these, made of twin islands sixteen by sixteen: no vector was put together from rows */
    uint32_t exact_joints; /* in the last step, solved exactly as parts of trees: tr2_world_def.direct_load */
    uint32_t seams;        /* solved joints and contacts that are in no unit */
    uint32_t twin_islands; /* islands that the last full plan laid side by side with others of their shape */
    uint32_t run_blocks;   /* blocks of the last step whose bodies are loaded and stored as whole vectors */
    uint32_t split_bodies; /* bodies with more joints than fit the colours */
    uint32_t body_copies;  /* the copies that stand for split bodies */
    uint32_t max_degree;   /* most joints and contacts on one moving body */
    uint32_t clamped_joints;   /* rigid joints held softer than asked: clamped at a quarter of the sub-step rate */
    uint32_t clamped_contacts; /* contacts held softer than asked: clamped at a fifth of the sub-step rate */
    uint32_t threads;          /* that the last step used */
    uint32_t barriers;         /* in the last step */
    uint32_t chunks;           /* units of work in the last step */
    uint64_t plan_rebuilds;    /* full plans since creation */
    uint64_t layouts, patches; /* since creation: full and partial layouts of the step's packed data */
    uint64_t steps;
    uint32_t nonfinite_bodies; /* quarantined now */
    uint32_t watched_joints;   /* that have event_at or break_at */
    uint64_t broken_joints;    /* since creation */
    double seconds;            /* of the last step */
    double stage_seconds[TR_STAGE_COUNT];
    uint32_t span; /* chunks of the last step that must run one after another, whatever the number of threads */
    size_t stage_bytes[TR_STAGE_COUNT]; /* read and written in the last step, from memory or a cache; from PREPARE on */
    size_t bytes;                       /* allocated by this world now */
    size_t bytes_per_substep; /* of stage_bytes: what passes over joints and contacts read and write in a sub-step */
} tr2_statistics;

TR_API tr2_statistics tr2_world_statistics(const tr2_world *world);

/*
 * Estimated seconds of the last step on `threads` such cores. Each stage takes ceil(chunks / threads) rounds at its
 * mean time per chunk; planning and collision count as measured. Barriers and shared memory bandwidth are not counted,
 * so this is a lower bound. Most exact after a step on one thread. 0 before the first step and for 0 threads.
 */
TR_API double tr2_world_projected_seconds(const tr2_world *world, uint32_t threads);

/* Sums over the world now, in a fixed order. */
typedef struct tr2_measures {
    double kinetic_energy; /* J */
    /* J, of gravity (zero at the world's origin) and of springs and soft rows of kind TR_PHYSICAL; those of kind
       TR_FREQUENCY, whose stiffness depends on the masses, are not counted */
    double potential_energy;
    tr_dvec2 momentum;       /* kg m/s */
    double angular_momentum; /* kg m^2/s about the world's origin */
    double joint_error_rms;  /* m, linear, over the joints with rows held rigidly */
    double joint_error_max;
    double joint_angle_error_rms; /* rad, over the joints with angle rows held rigidly */
    double joint_angle_error_max;
    uint32_t rigid_joints; /* how many joints these errors are over */
} tr2_measures;

TR_API tr2_measures tr2_world_measure(const tr2_world *world);

/* The colour (batch) of a joint: joints of one colour share no moving body. UINT32_MAX for a joint between two bodies
   that cannot move. */
TR_API tr_status tr2_joint_color(const tr2_world *world, tr2_joint id, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
