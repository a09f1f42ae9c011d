/*
 * Trammel in two dimensions: a world of rigid bodies and the joints between them.
 *
 * Units are metres, kilograms, seconds, newtons and radians. Angles grow counter-clockwise. A positive coordinate,
 * rate or impulse of a joint moves B against A: C = (B side) - (A side).
 *
 * A world is used by one thread at a time; different worlds may be used at once. A call that returns anything but
 * TR_OK has changed nothing that can be asked for, and tr2_world_last_error() has the sentence. (Without memory for a new
 * plan, rows may have moved in their tables.)
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
/* How joints are solved; docs/methods.md compares them. All share rows, plan and kernels, and give the same bits
   everywhere. */
typedef enum tr2_method {
    TR2_SOFT_STEP = 0,  /* sub-steps with warm starting, soft constraints and a relaxing pass; the default */
    TR2_SMALL_STEP,     /* one sweep per sub-step that takes the whole error back, without warm starting */
    TR2_POSITION_BASED, /* bodies move, then their positions are projected; velocities follow from the positions */
    TR2_SEQUENTIAL_IMPULSES, /* sweeps with warm starting and Baumgarte's bias, a little soft: the classic; for one sub-step */
    TR2_METHOD_COUNT
} tr2_method;

TR_API const char *tr2_method_name(tr2_method method); /* "soft_step", ...; "unknown" outside the enumeration */

typedef struct tr2_world_def {
    tr_vec2 gravity; /* m/s^2; default (0, -9.81) */
    /* Hz, > 0; stiffness of rigid rows; default 60; used value is at most a quarter of the sub-step rate */
    float joint_frequency;
    float joint_damping_ratio; /* >= 0; default 2 */
    tr2_method method;
    uint32_t sweeps; /* over all joints in each sub-step; 0: the method's own: 1, of TR2_SEQUENTIAL_IMPULSES 8 */
    /* >= 0; default 10: revolutes, rigid welds and distances that form a tree are solved exactly, where a body of it
       has more than so many times its own mass next to it; INFINITY: never */
    float direct_load;
    /* how many a large world's step takes, but where others hold the cores so that one is faster; 0: up to
       tr_physical_cores(), once they have been seen to pay; results do not depend on it */
    uint32_t threads;
    uint16_t tag;          /* the `world` of this world's ids; 0: one is made from the world's address */
    bool no_warm_starting; /* default false: impulses carry over from step to step */
    tr_allocator allocator;
    tr_log log;
    tr_host host;
} tr2_world_def;

TR_API tr2_world_def tr2_world_def_default(void);

/* Makes an empty world. `error` may be null. TR_ERROR_NULL (also where an allocator has one of its two functions), _NAN,
   _INFINITE, _NEGATIVE, _ZERO (joint_frequency), _MEMORY, _RANGE (threads or sweeps > 1024, method). On failure *out is untouched. */
TR_API tr_status tr2_world_create(const tr2_world_def *def, tr2_world **out, tr_error *error);
TR_API void tr2_world_destroy(tr2_world *world); /* null is fine */

/* The last failed call on this world; status TR_OK if none has failed. Valid until the next call on the world. For a
   null world TR_ERROR_NULL, which is what every call on a null world returns; those that return a value return zeros. */
TR_API const tr_error *tr2_world_last_error(const tr2_world *world);

TR_API tr_status tr2_world_set_gravity(tr2_world *world, tr_vec2 gravity);
TR_API tr_vec2 tr2_world_gravity(const tr2_world *world);
/* Stiffness of rigid rows: frequency in Hz (> 0), damping ratio (>= 0). */
TR_API tr_status tr2_world_set_joint_softness(tr2_world *world, float frequency, float damping_ratio);
/* TR_ERROR_RANGE: no such method; more than 1024 sweeps. */
TR_API tr_status tr2_world_set_method(tr2_world *world, tr2_method method, uint32_t sweeps);
/* tr2_world_def.direct_load, from the next step on. TR_ERROR_NAN, _NEGATIVE. */
TR_API tr_status tr2_world_set_direct_load(tr2_world *world, float load);
TR_API tr_status tr2_world_set_threads(tr2_world *world, uint32_t threads); /* as in the definition */
/* The most threads that a step takes: what was asked for, or tr_physical_cores(); 1 without OpenMP and without a
   host. */
TR_API uint32_t tr2_world_threads(const tr2_world *world);

/*
 * Finds what shapes touch (trammel/shapes2.h), and advances the world by `dt` seconds in `substeps` equal sub-steps of the
 * world's method (soft step: integrate velocities, warm start, solve, integrate positions, relax). Forces and torques
 * applied since the last step act throughout and are then cleared.
 * dt 0 does nothing: forces stay. Errors: TR_ERROR_NAN, _INFINITE, _NEGATIVE (dt), TR_ERROR_RANGE (substeps 0 or over
 * 1024, or a sub-step shorter than 1e-12 s or longer than 1e6 s), TR_ERROR_MEMORY (the world is as before the call, but
 * that what shapes touch may have been found already, where it is).
 */
TR_API tr_status tr2_world_step(tr2_world *world, double dt, uint32_t substeps);

/* Plans afresh: islands, order of bodies and joints in memory, colours. A step does this by itself after large
   changes. */
TR_API tr_status tr2_world_optimize(tr2_world *world);

/* 64 bits over the positions, rotations and velocities of all bodies and, of all joints, the impulses and how many steps
   in a row they have been over their thresholds, in order of slots.
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
    float mass;             /* kg; > 0 for a dynamic body, >= 0 and kept but not used for others; default 1 */
    float inertia;          /* kg m^2 about the centre of mass; 0: a point mass, which no torque turns; default 1 */
    tr_vec2 center;         /* m, of mass, in the body's frame */
    float gravity_scale;    /* default 1 */
    float linear_damping;   /* 1/s, >= 0 */
    float angular_damping;  /* 1/s, >= 0 */
    bool fixed_rotation;    /* no torque turns it */
    bool bullet; /* its shapes do not pass through those that move either (docs/collision.md); default false. Through
                    static and kinematic bodies nothing passes */
    uint64_t user_data;
} tr2_body_def;

TR_API tr2_body_def tr2_body_def_default(void);

/*
 * Makes `count` bodies from an array of definitions; all or none. `ids` (count entries) may be null. `count` 0 is fine.
 * Errors: TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (mass of a dynamic body), _RANGE (type; angle; a mass or
 * inertia so small, below 2.94e-39, that its inverse is infinite), _MEMORY, _LIMIT. docs/errors.md has the table for
 * every call.
 */
TR_API tr_status tr2_world_create_bodies(tr2_world *world, const tr2_body_def *defs, uint32_t count, tr2_body *ids);
TR_API tr_status tr2_world_create_body(tr2_world *world, const tr2_body_def *def, tr2_body *id);
/* Destroys bodies and the joints on them; all or none. The same id twice is TR_ERROR_STALE_ID. */
TR_API tr_status tr2_world_destroy_bodies(tr2_world *world, const tr2_body *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_body(tr2_world *world, tr2_body id);
TR_API bool tr2_body_is_valid(const tr2_world *world, tr2_body id);

/* The body's definition as it would recreate the body now (position, velocity and so on are the present ones). Where
   `center` is not zero, position is that of the centre of mass less it, to rounding. */
TR_API tr_status tr2_body_get(const tr2_world *world, tr2_body id, tr2_body_def *out);
/* Replaces every property at once, checked as at creation. Joints stay. Also ends a body's quarantine. */
TR_API tr_status tr2_body_set(tr2_world *world, tr2_body id, const tr2_body_def *def);

/* One property each; the rest stays. Setting transform or velocity ends a body's quarantine. A new centre of mass leaves
   the origin where it is and the motion of the body's points as it was. A change of type that needs a mass that the body
   does not have is TR_ERROR_ZERO; one that needs memory to plan anew may be TR_ERROR_MEMORY, and so may be what no body
   had yet: damping, another gravity_scale, user_data. */
TR_API tr_status tr2_body_set_transform(tr2_world *world, tr2_body id, tr_dvec2 position, double angle);
TR_API tr_status tr2_body_set_velocity(tr2_world *world, tr2_body id, tr_vec2 velocity, float angular_velocity);
TR_API tr_status tr2_body_set_mass(tr2_world *world, tr2_body id, float mass, float inertia, tr_vec2 center);
TR_API tr_status tr2_body_set_type(tr2_world *world, tr2_body id, tr_body_type type);
TR_API tr_status tr2_body_set_damping(tr2_world *world, tr2_body id, float linear, float angular);
TR_API tr_status tr2_body_set_gravity_scale(tr2_world *world, tr2_body id, float scale);
TR_API tr_status tr2_body_set_fixed_rotation(tr2_world *world, tr2_body id, bool fixed);
TR_API tr_status tr2_body_set_bullet(tr2_world *world, tr2_body id, bool bullet);
TR_API tr_status tr2_body_set_user_data(tr2_world *world, tr2_body id, uint64_t user_data);

/* Force in N at a point of the world, for the next step. No effect on static and kinematic bodies. TR_ERROR_RANGE: a sum
   of forces, or a velocity after an impulse, would not be finite. The first force may be TR_ERROR_MEMORY. */
TR_API tr_status tr2_body_apply_force(tr2_world *world, tr2_body id, tr_vec2 force, tr_dvec2 point);
TR_API tr_status tr2_body_apply_force_to_center(tr2_world *world, tr2_body id, tr_vec2 force);
TR_API tr_status tr2_body_apply_torque(tr2_world *world, tr2_body id, float torque);                     /* N m */
TR_API tr_status tr2_body_apply_impulse(tr2_world *world, tr2_body id, tr_vec2 impulse, tr_dvec2 point); /* N s, now */
TR_API tr_status tr2_body_apply_angular_impulse(tr2_world *world, tr2_body id, float impulse); /* N m s, now */

/* Where bodies' origins are: the n-th entry for the n-th id; all or none. For drawing and for hosts that keep ids. */
typedef struct tr2_transform {
    tr_dvec2 position; /* m, of the body's origin */
    double angle;      /* rad, unwrapped */
    float c, s;        /* cosine and sine of the angle */
} tr2_transform;

TR_API tr_status tr2_world_get_transforms(const tr2_world *world, const tr2_body *ids, uint32_t count,
                                          tr2_transform *out);

/*
 * Between the world's frame and a body's, where the body is now: a point from the body's origin, a vector without regard to
 * where it is. The velocity (m/s) is that of the body's material at a point of the world.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE; _RANGE: the result is no float.
 */
TR_API tr_status tr2_body_local_point(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out);
TR_API tr_status tr2_body_world_point(const tr2_world *world, tr2_body id, tr_vec2 point, tr_dvec2 *out);
TR_API tr_status tr2_body_local_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out);
TR_API tr_status tr2_body_world_vector(const tr2_world *world, tr2_body id, tr_vec2 vector, tr_vec2 *out);
TR_API tr_status tr2_body_point_velocity(const tr2_world *world, tr2_body id, tr_dvec2 point, tr_vec2 *out);

/* Flag: the body went non-finite, faster than 1e8 m/s, or turned by more than 4,096 rad in one step; it was put back to
   where that step began and is held still until it is set again. */
#define TR2_BODY_QUARANTINED 1u

/*
 * The body table itself: arrays of `count` entries, one row per body. Read only; valid until the next call that is not
 * const on this world. Rows may be in another order after a step or tr2_world_optimize(); `id` and `user_data` say who
 * is who. The layout of each array is fixed: tightly packed, aligned to 64 bytes. The first call makes the
 * arrays of ids and inverse masses, and of what no body has yet (local centres, gravity_scale, dampings, forces, user_data):
 * 56 bytes per body. Those there is no memory for are null, but without memory for ids count is 0.
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
 * One definition serves all types; each type has some of its groups (table below) and a default function that sets
 * sensible values. A group that the type does not have must be left at its default: TR_ERROR_NO_PROPERTY otherwise.
 *
 *   type          rows held              free coordinate  groups (`drag` is the number `friction`)
 *   REVOLUTE      point                  angle            anchors reference_angle linear spring motor limit drag
 *   DISTANCE      length                 length           anchors length linear motor limit drag
 *   PRISMATIC     across the axis, angle along the axis   anchors axis reference_angle linear angular spring motor limit drag
 *   WELD          point, angle           -                anchors reference_angle linear angular
 *   WHEEL         across the axis        along the axis   anchors axis linear spring limit drag; motor drives the spin
 *   MOTOR         -                      -                anchors drive
 *   PULLEY        rope                   rope's length    anchors ground_a ground_b length ratio linear
 *   GEAR          mesh                   how far off      anchors ratio axis axis_b slides_a slides_b offset meshed angular
 *   LINE          across the axis        along the axis   anchors axis linear spring motor limit drag
 *   LINEAR_MOTOR  -                      along the axis   anchors axis spring motor limit drag
 *   ANGLE         angle                  angle            reference_angle angular ratio equal_torque spring motor limit drag
 *   TARGET        point, capped          -                anchors linear max_force
 *   FRICTION_JOINT -                     -                anchors drive.max_force drive.max_torque
 *
 * Every type has event_at and break_at.
 *
 * DISTANCE holds `length` with the softness `linear`; with frequency 0 (or stiffness and damping 0) only its limits
 * hold: limit {true, 0, 3} is a rope of 3 m. Its row is its spring, whose
 * force spring_force caps.
 *
 * PULLEY is a rope from anchor_a over two fixed wheels to anchor_b, never longer than `length`: ratio |anchor_a - ground_a| +
 * |anchor_b - ground_b| <= length. It pulls and never pushes. With a ratio r it is a block and tackle: r parts of the rope
 * carry A, which is pulled with r times the force on B. ratio > 0.
 *
 * GEAR holds coordinate_b + ratio coordinate_a = offset, each coordinate the angle of its body against carrier_a or
 * carrier_b, or the travel of its anchor along an axis fixed in that carrier (slides_a, slides_b); a null carrier is the world.
 * ratio 1 is two equal wheels in mesh, which turn opposite ways; with one side sliding it is a rack and pinion, ratio in m/rad
 * or rad/m. One body may carry both, and B may carry A. tr2_gear_between() fills in a definition from two joints.
 *
 * ANGLE holds angle of B - ratio * angle of A - reference_angle, unwrapped, with the softness `angular`; with frequency 0
 * only its features act. A new ratio counts the turns anew. Its torque on B is lambda; on A it is -ratio lambda, along the
 * Jacobian, so that no energy is lost: a gear between axles whose bearings take the rest. With equal_torque it is -lambda:
 * the pair keeps its angular momentum, and the joint does work where the ratio is not 1.
 *
 * TARGET pulls anchor_b to anchor_a with the softness `linear` (default: 5 Hz, ratio 0.7) and a force of at most
 * max_force. A mouse: body A static, anchor_a set to where it points. It has no error: nothing is owed.
 * TR_RIGID there is a spring as stiff as rigid rows are.
 *
 * FRICTION_JOINT is friction seen from above: what A is under B's anchor_b holds that point with a force of at most
 * drive.max_force, whatever its direction, and B's turning against A with at most drive.max_torque. What turns along with A is at
 * rest. anchor_a is only where it is drawn. (TR2_FRICTION is the friction within another joint.)
 */
/* X(enumerator, name): all there is to say of a type; the rest hangs on its name. */
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
    tr_softness softness; /* TR_RIGID here is a stiff position target */
} tr_spring;

/* What the force of a spring stays between: N or N m along the coordinate, lower <= 0 <= upper; both 0, the default: any
   force. With lower below 0 and upper 0 it only pulls back what is beyond its target, the other way round it only pushes. */
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

/* What a MOTOR joint drives: the velocity of anchor_b against A (friction, when zero), or an offset. In A's frame. Of a
   FRICTION_JOINT the two caps, which alone it has. */
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

/* What a joint bears; 0: anything. It breaks at the end of the step that makes it bear more. */
typedef struct tr2_break_at {
    float force;    /* N, >= 0 */
    float torque;   /* N m, >= 0 */
    float impulse;  /* N s, >= 0: force times the time of the step */
    uint32_t steps; /* only after so many steps in a row over any of these; 0 and 1: at once */
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
    float friction; /* N or N m, >= 0: the most that friction along the free coordinate takes */
    tr2_drive drive;
    tr2_event_at event_at;       /* default: no events */
    tr2_break_at break_at;       /* default: never breaks */
    float ratio;                 /* not 0; default 1; what it is a ratio of, the type says */
    tr_dvec2 ground_a, ground_b; /* m, in the world: the wheels that a PULLEY's rope runs over */
    tr_vec2 axis_b;              /* as axis, for B; a GEAR has each in its carrier's frame */
    bool slides_a, slides_b; /* GEAR: that side counts the travel of its anchor along its axis, not its body's angle */
    double offset;           /* m or rad: GEAR: what coordinate_b + ratio coordinate_a is held at */
    bool meshed;             /* GEAR: offset holds. False, the default: it is taken from where the bodies are when the
                                    joint is made or set; from then on this is true */
    bool equal_torque;       /* of an ANGLE: see above; its ratio must then be positive */
    float max_force;         /* N, >= 0, of a TARGET; default FLT_MAX: any */
    bool enabled;            /* default true; otherwise the joint keeps its place and does nothing */
    bool collide_connected;  /* whether shapes of the two bodies collide (trammel/shapes2.h); default false */
    uint64_t user_data;
} tr2_joint_def;

/* The definition of a joint of this type with everything at its default: rigid rows, no spring, motor or limit, axis
   (1, 0), length 1. */
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
 * Definitions from where the bodies are now, so that the joint is satisfied as it is made. Anchors (m) and axis (of any
 * length) are given in the world. tr2_joint_def_place() sets, of what def->type has: anchor_a, anchor_b, axis;
 * reference_angle, so that the joint's angle is 0; length, so that a distance or a rope is just taut (of a PULLEY
 * after ground_a, ground_b and ratio); drive.offset and drive.angular_offset. It reads type, bodies and ratio, and leaves
 * everything else. What the type does not have is not read: `axis` may then be anything. On failure *def is untouched.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _ZERO (axis); _RANGE (no such
 * type; an anchor or length that is no float; a GEAR, for which there is tr2_gear_between()).
 */
TR_API tr_status tr2_joint_def_place(const tr2_world *world, tr2_joint_def *def, tr_dvec2 anchor_a, tr_dvec2 anchor_b,
                                     tr_vec2 axis);
/* The type's default definition between two bodies, placed as above; *out is written only where that goes well. */
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
/* Makes a DISTANCE definition a rope, which pulls where it is longer than `length` (m, >= 0) and never pushes. */
static inline void tr2_joint_def_make_rope(tr2_joint_def *def, float length)
{
    def->linear = tr_frequency(0.0f, 0.0f);
    def->limit.enable = true;
    def->limit.lower = 0.0f;
    def->limit.upper = length;
}

/*
 * Fills *out with a gear between two joints, each a revolute or a prismatic, so that (coordinate of joint_b) + ratio
 * (coordinate of joint_a) stays as it is when the gear is made. Its bodies are those of the joints, the carriers those that
 * the joints hold them to; what is static is taken as the world. The gear is no part of the joints, and outlives them.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE, _ZERO (ratio); _RANGE (a joint of another type, or
 * with nothing that moves), _SELF_JOINT (both joints hold the same body to the world).
 */
TR_API tr_status tr2_gear_between(const tr2_world *world, tr2_joint joint_a, tr2_joint joint_b, float ratio,
                                  tr2_joint_def *out);

TR_API tr_status tr2_world_destroy_joints(tr2_world *world, const tr2_joint *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_joint(tr2_world *world, tr2_joint id);
TR_API bool tr2_joint_is_valid(const tr2_world *world, tr2_joint id);

/* The definition as it would recreate the joint, whose angle then begins within half a turn of the reference again. */
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

/* Sets one number, checked as at creation with the others as they are: TR_ERROR_NO_PROPERTY if the type does not have it,
   _RANGE (no such field; a lower limit above the upper; a boolean or kind that is none). The axis is normalised again
   after each of its numbers. What no joint of the type had yet takes memory: TR_ERROR_MEMORY. ground_a, ground_b and offset get the float's value; tr2_joint_set gives them all digits. */
TR_API tr_status tr2_joint_set_value(tr2_world *world, tr2_joint id, tr2_field field, float value);
/* Switches a joint off and on; off, it keeps its place in the plan, has no impulses and no error. */
TR_API tr_status tr2_joint_set_enabled(tr2_world *world, tr2_joint id, bool enabled);
TR_API tr_status tr2_joint_set_user_data(tr2_world *world, tr2_joint id, uint64_t user_data); /* TR_ERROR_MEMORY */
/* Checked as at creation; all zero takes the threshold away, and with it the count of steps over it.
   TR_ERROR_MEMORY. */
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

/* What a joint did in the last sub-step: every row together, springs, limits and motors too. */
typedef struct tr2_reaction {
    /* N, on B; the opposite acts on A; of a PULLEY or GEAR A gets a force or torque of its own, ratio times as
       large; a GEAR's carriers get the opposite of each, and what is over goes into the world */
    tr_vec2 force;
    float torque; /* N m, on B about anchor_b, beside the moment of the force; for rows of angle */
    float spring, motor, lower, upper,
        friction; /* N or N m along the free coordinate, each feature's share (>= 0: lower, <= 0: upper);
                     a wheel's motor is the torque on its spin; a PULLEY's upper is minus the rope's tension at B */
} tr2_reaction;

TR_API tr_status tr2_joint_reaction(const tr2_world *world, tr2_joint id, tr2_reaction *out);

/*
 * Events
 *
 * After each step the joints with thresholds, and only those, are looked at: their reaction is that of
 * tr2_joint_reaction(), every row together, so the last sub-step's.
 */
typedef enum tr2_event_kind {
    TR2_EVENT_THRESHOLD, /* the reaction is over event_at: one event in each such step; steps 1 is the crossing */
    TR2_EVENT_BROKEN     /* the joint bore more than break_at and is destroyed; its bodies go on */
} tr2_event_kind;

typedef struct tr2_event {
    tr2_event_kind kind;
    tr2_joint_type type;
    tr2_joint joint; /* of a broken one, no longer valid */
    tr2_body body_a, body_b;
    uint64_t user_data;    /* the joint's */
    tr2_reaction reaction; /* that did it */
    uint32_t steps;        /* in a row over event_at or break_at, this one included */
} tr2_event;

typedef struct tr2_event_view {
    uint32_t count;
    const tr2_event *event;
} tr2_event_view;

/* The events of the last step, in order of joint slots (tr2_joint.index); of one joint TR2_EVENT_THRESHOLD first. The same
   for any number of threads and any instruction set. Valid until the next step, also one that fails; edits leave them. */
TR_API tr2_event_view tr2_world_events(const tr2_world *world);

/* How far the joint is from being satisfied now: rows held rigidly and violated limits count, springs do not. */
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

/* The table of one type of joint, as tr2_body_view; the first call makes the arrays of ids and bodies, 24 bytes per joint,
   and without memory for them count is 0. field[f] is null where the type has no field f, and it, user_data and
   impulse[i] may be where every joint of the type has the field at its default, no user data, no such impulse; booleans and kinds are uint32_t in the same four bytes; ground_a, ground_b and offset are arrays of
   double: cast the pointer. */
typedef struct tr2_joint_view {
    uint32_t count;
    const tr2_joint *id;
    const tr2_body *body_a, *body_b;
    const tr2_body *carrier_a, *carrier_b; /* null where the type has none */
    const uint64_t *user_data;
    const float *field[TR2_FIELD_COUNT];
    uint32_t impulse_count;      /* how many rows the type accumulates */
    const float *const *impulse; /* impulse[0 .. impulse_count - 1]: N s or N m s, of the last sub-step */
    const char *const *impulse_name;
} tr2_joint_view;

TR_API tr2_joint_view tr2_world_joints(const tr2_world *world, tr2_joint_type type);

/*
 * Numbers about a world
 */
typedef enum tr_stage {
    TR_STAGE_BROAD,  /* of shapes: which are near each other */
    TR_STAGE_NARROW, /* where they touch, and what began and ended to */
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
    uint32_t units;        /* groups of bodies that fit a cache, as the last full plan has made them */
    uint32_t whole_units;  /* of these, that nothing outside moved in the last step: one worker took each through it */
    uint32_t exact_joints; /* in the last step, solved exactly as parts of trees: tr2_world_def.direct_load */
    uint32_t seams;        /* solved joints and contacts that are in no unit */
    uint32_t twin_islands; /* islands that the last full plan has laid side by side with others of their shape */
    uint32_t run_blocks;   /* in the last step, whose bodies lay in rows: loaded and stored as whole vectors */
    uint32_t split_bodies; /* with more joints than fit the colours */
    uint32_t body_copies;  /* that stand for them */
    uint32_t max_degree;   /* joints and contacts on one moving body */
    uint32_t clamped_joints;   /* rigid joints held softer than asked, by the clamp at a quarter of the sub-step rate */
    uint32_t clamped_contacts; /* contacts that were asked to be stiffer than a fifth of the sub-step rate */
    uint32_t threads;          /* that the last step used */
    uint32_t barriers;         /* in the last step */
    uint32_t chunks;           /* units of work in the last step */
    uint64_t plan_rebuilds;    /* full plans since creation */
    /* since creation: how often the step's packed data was laid out anew, or only what joints and contacts had changed */
    uint64_t layouts, patches;
    uint64_t steps;
    uint32_t nonfinite_bodies; /* quarantined now */
    uint32_t watched_joints;   /* that have event_at or break_at */
    uint64_t broken_joints;    /* since creation */
    double seconds;            /* of the last step */
    double stage_seconds[TR_STAGE_COUNT];
    /* of the last step: chunks that wait for one another, one of each stage: tr2_world_projected_seconds() weighs them */
    uint32_t span;
    size_t stage_bytes[TR_STAGE_COUNT]; /* read and written in the last step, from memory or a cache; from PREPARE on */
    size_t bytes;                       /* that this world holds now */
    size_t bytes_per_substep;           /* that the solver reads and writes in the joints' streams */
} tr2_statistics;

TR_API tr2_statistics tr2_world_statistics(const tr2_world *world);

/*
 * Seconds that the last step would take on `threads` cores like those that it ran on: each stage as many rounds of chunks as it
 * then has, at what a chunk of its kind took. Without the cost of barriers and of sharing memory, so a bound from below; the plan
 * counts as it was, on one thread. Best asked after a step on one thread. 0 before the first step and for 0 threads.
 */
TR_API double tr2_world_projected_seconds(const tr2_world *world, uint32_t threads);

/* Sums over the world now, in a fixed order. */
typedef struct tr2_measures {
    double kinetic_energy; /* J */
    /* J, of gravity (zero at the world's origin) and of springs and soft rows whose stiffness is given
       (TR_PHYSICAL); that of a TR_FREQUENCY goes with the masses and is not counted */
    double potential_energy;
    tr_dvec2 momentum;       /* kg m/s */
    double angular_momentum; /* kg m^2/s about the world's origin */
    double joint_error_rms;  /* m, linear, over the joints with rows held rigidly */
    double joint_error_max;
    double joint_angle_error_rms; /* rad, over the joints with angle rows held rigidly */
    double joint_angle_error_max;
    uint32_t rigid_joints; /* that those count */
} tr2_measures;

TR_API tr2_measures tr2_world_measure(const tr2_world *world);

/* Which batch of the plan a joint is in: joints of one colour share no moving body. TR_OK and UINT32_MAX for a joint
   between bodies that cannot move. */
TR_API tr_status tr2_joint_color(const tr2_world *world, tr2_joint id, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
