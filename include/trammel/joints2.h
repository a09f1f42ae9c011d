/*
 * Joints between bodies: definitions, changes, forces, breaking, and the table of joints that applications read. The
 * rules for threads and errors are in trammel/world2.h.
 *
 * All types share one definition. Each type uses some of its groups (table below); tr2_joint_def_default() sets them
 * all. Leave a group that the type does not have at its default: TR_ERROR_NO_PROPERTY otherwise. docs/joints/ has a
 * page with equations and an example for each type.
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
 *   FRICTION      -                      -                anchors drive.max_force drive.max_torque
 *
 * Every type has event_at, break_at, enabled, collide_connected and user_data.
 *
 * A TR_FREQUENCY of a point holds in both directions; but of a WELD `linear` is one stiffness for both, that of the mean
 * of their K = J M^-1 J^T.
 *
 * DISTANCE holds `length` with the softness `linear`, which makes it a rod or a spring; spring_force caps the spring's
 * force. With linear = tr_frequency(0, 0) only its limit holds: with limit {true, 0, 3} it is a rope of 3 m.
 *
 * PULLEY is a rope from anchor_a over two fixed wheels to anchor_b, never longer than `length`: ratio |anchor_a -
 * ground_a| + |anchor_b - ground_b| <= length. It pulls and never pushes. A ratio r > 0 makes a block and tackle: r
 * parts of the rope carry A, which is pulled with r times the force on B.
 *
 * GEAR holds coordinate_b + ratio coordinate_a = offset. A coordinate is the angle of the body relative to its carrier,
 * or, with slides_a or slides_b, the translation of its anchor along an axis fixed in the carrier. A null carrier is
 * the world. ratio 1: two equal wheels in mesh, which turn in opposite directions. One side sliding: rack and pinion,
 * ratio in m/rad or rad/m. One body may carry both, and B may carry A. tr2_gear_between() fills in a definition from
 * two joints.
 *
 * ANGLE holds angle of B - ratio * angle of A = reference_angle, unwrapped, with the softness `angular`; with frequency
 * 0 only spring, motor, limit and friction act. Changing the ratio counts full turns anew, as at creation. The torque
 * is lambda on B and -ratio lambda on A, along the Jacobian, so the constraint does no work: it acts as a gear between
 * axles whose bearings take the remaining torque. With equal_torque it is -lambda on A: angular momentum is conserved,
 * and the joint does work if the ratio is not 1.
 *
 * TARGET pulls anchor_b to anchor_a with the softness `linear` (default: 5 Hz, ratio 0.7) and a force of at most
 * max_force. For a mouse joint, body A is static and anchor_a is set to the cursor. TARGET is never relaxed and
 * reports no error. TR_RIGID here means a spring with the stiffness of rigid rows.
 *
 * FRICTION is friction in a plane seen from above. It brakes the velocity of anchor_b relative to A with a force of at
 * most drive.max_force in any direction, and B's rotation relative to A with a torque of at most drive.max_torque; both
 * are unbounded until they are set. anchor_a is used only for drawing. (The `friction` of other types, and
 * TR2_FIELD_FRICTION, is the friction along their free coordinate.)
 */
#ifndef TRAMMEL_JOINTS2_H
#define TRAMMEL_JOINTS2_H

#include "trammel/base.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, name): the list of all types. */
#define TR2_JOINT_TYPES(X)                                                                                             \
    X(TR2_JOINT_REVOLUTE, revolute)                                                                                    \
    X(TR2_JOINT_DISTANCE, distance)                                                                                    \
    X(TR2_JOINT_PRISMATIC, prismatic)                                                                                  \
    X(TR2_JOINT_WELD, weld)                                                                                            \
    X(TR2_JOINT_WHEEL, wheel)                                                                                          \
    X(TR2_JOINT_MOTOR, motor)                                                                                          \
    X(TR2_JOINT_PULLEY, pulley)                                                                                        \
    X(TR2_JOINT_GEAR, gear)                                                                                            \
    X(TR2_JOINT_LINE, line)                                                                                            \
    X(TR2_JOINT_LINEAR_MOTOR, linear_motor)                                                                            \
    X(TR2_JOINT_ANGLE, angle)                                                                                          \
    X(TR2_JOINT_TARGET, target)                                                                                        \
    X(TR2_JOINT_FRICTION, friction)

typedef enum tr2_joint_type {
#define TR2_ENUMERATOR(enumerator, name) enumerator,
    TR2_JOINT_TYPES(TR2_ENUMERATOR)
#undef TR2_ENUMERATOR
        TR2_JOINT_TYPE_COUNT
} tr2_joint_type;

/* What a MOTOR joint drives, in A's frame: the velocity of anchor_b relative to A (zero: friction), or its offset. A
   FRICTION joint has max_force and max_torque only. */
typedef struct tr2_drive {
    bool position;          /* false: velocity and angular_velocity; true: offset and angular_offset */
    tr_vec2 velocity;       /* m/s */
    float angular_velocity; /* rad/s */
    tr_vec2 offset;         /* m, of anchor_b from anchor_a */
    float angular_offset;   /* rad, angle of B - angle of A */
    tr_softness softness;   /* of the offset */
    float max_force;        /* N, >= 0; default FLT_MAX: unbounded; 0: none */
    float max_torque;       /* N m, >= 0; default FLT_MAX: unbounded; 0: none */
} tr2_drive;

typedef struct tr2_joint_def {
    tr2_joint_type type;
    tr2_body body_a, body_b;
    tr2_body carrier_a, carrier_b; /* of a GEAR; null, the default: the world */
    tr_vec2 anchor_a, anchor_b;    /* m, in the frame of each body, from its origin */
    tr_vec2 axis;                  /* in A's frame; normalised when set */
    float reference_angle;         /* rad: angle of B - angle of A at which the joint's angle is 0 */
    float length;                  /* m, >= 0 */
    tr_softness linear;            /* of the point, axis or length rows */
    tr_softness angular;           /* of the angle row */
    tr_spring spring;
    tr_force_range spring_force;
    tr_motor motor;
    tr_limit limit;
    float friction; /* N or N m, >= 0: maximum friction along the free coordinate */
    tr2_drive drive;
    tr_event_at event_at;        /* default: no events */
    tr_break_at break_at;        /* default: never breaks */
    float ratio;                 /* not 0; default 1; of a PULLEY, GEAR or ANGLE, see above */
    tr_dvec2 ground_a, ground_b; /* m, in the world: the wheels that a PULLEY's rope runs over */
    tr_vec2 axis_b;              /* as axis, for B; a GEAR has each in its carrier's frame */
    bool slides_a, slides_b; /* GEAR: this side's coordinate is the translation of its anchor, not its body's angle */
    double offset;           /* m or rad: GEAR: the value of coordinate_b + ratio coordinate_a that is held */
    bool meshed;            /* GEAR: whether `offset` is used. False, the default: the offset is computed from the poses
                               of the bodies when the joint is created or set, and this becomes true */
    bool equal_torque;      /* of an ANGLE: see above; its ratio must then be positive */
    float max_force;        /* N, >= 0, of a TARGET; default FLT_MAX: unbounded */
    bool enabled;           /* default true; false: the joint exists and does nothing */
    bool collide_connected; /* whether shapes of the two bodies collide (trammel/shapes2.h); default false */
    uint64_t user_data;
} tr2_joint_def;

/* A definition of this type with every member at its default: rigid rows, no spring, motor or limit, axis (1, 0),
   length 1, reference_angle 0, anchors at the bodies' origins. */
TR_API tr2_joint_def tr2_joint_def_default(tr2_joint_type type);
TR_API const char *tr2_joint_type_name(tr2_joint_type type); /* "revolute", ...; "unknown" outside the enumeration */

/*
 * Makes `count` joints from an array of definitions, of any types; all or none. `ids` (count entries) may be null.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _NEGATIVE, _ZERO (axis),
 * _RANGE, _NO_PROPERTY, _MEMORY, _LIMIT. Joints between two bodies that cannot move are allowed and do nothing.
 * Two bodies can move relative to each other in three ways. If the joints between them have more than nine rigid rows,
 * some of the welds and revolutes are not needed. Those of them without limits, motors, springs and friction have no
 * effect and no force until another joint is destroyed or disabled.
 */
TR_API tr_status tr2_world_create_joints(tr2_world *world, const tr2_joint_def *defs, uint32_t count, tr2_joint *ids);
TR_API tr_status tr2_world_create_joint(tr2_world *world, const tr2_joint_def *def, tr2_joint *id);

/*
 * Computes a definition from the current poses of the bodies, so that the joint is satisfied when it is created.
 * Anchors (m) and axis (of any length) are in world coordinates. tr2_joint_def_initialize() reads the type, the bodies,
 * the ratio and, for a PULLEY, ground_a and ground_b. It sets those of these members that the type has, and nothing
 * else: anchor_a, anchor_b, axis; reference_angle, so that the joint's angle is 0; length, so that a rod or rope is
 * just taut; drive.offset and drive.angular_offset. Arguments that the type does not need are not read. On failure *def
 * is untouched.
 *
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _ZERO (axis); _RANGE (no such
 * type; an anchor or length that does not fit a float; a GEAR, for which there is tr2_gear_between()).
 */
TR_API tr_status tr2_joint_def_initialize(const tr2_world *world, tr2_joint_def *def, tr_dvec2 anchor_a,
                                          tr_dvec2 anchor_b, tr_vec2 axis);
/* The type's default definition between two bodies, with the members above computed from their poses. On failure *out
   is untouched. */
static inline tr_status tr2_joint_def_between(const tr2_world *world, tr2_joint_type type, tr2_body body_a,
                                              tr2_body body_b, tr_dvec2 anchor_a, tr_dvec2 anchor_b, tr_vec2 axis,
                                              tr2_joint_def *out)
{
    if (out == TR_NULL)
        return tr2_joint_def_initialize(world, TR_NULL, anchor_a, anchor_b, axis);
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = body_a;
    def.body_b = body_b;
    tr_status status = tr2_joint_def_initialize(world, &def, anchor_a, anchor_b, axis);
    if (status == TR_OK)
        *out = def;
    return status;
}
/* Changes a DISTANCE definition to a rope: it pulls if it is longer than `length` (m, >= 0), and never pushes. */
static inline void tr2_joint_def_make_rope(tr2_joint_def *def, float length)
{
    def->linear = tr_frequency(0.0f, 0.0f);
    def->limit.enable = true;
    def->limit.lower = 0.0f;
    def->limit.upper = length;
}

/*
 * Fills *out with a gear between two joints, each a revolute or a prismatic. The gear holds (coordinate of joint_b) +
 * ratio (coordinate of joint_a) at its value when the gear is created. It connects the two bodies that move. The bodies
 * at the other ends of the joints become its carriers; the world does if they are static. The gear does not depend on
 * the joints and continues to exist without them.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE, _ZERO (ratio); _RANGE (a joint of another
 * type, or between two bodies that cannot move), _SELF_JOINT (both joints hold the same body to the world).
 */
TR_API tr_status tr2_gear_between(const tr2_world *world, tr2_joint joint_a, tr2_joint joint_b, float ratio,
                                  tr2_joint_def *out);

TR_API tr_status tr2_world_destroy_joints(tr2_world *world, const tr2_joint *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_joint(tr2_world *world, tr2_joint id);
TR_API bool tr2_joint_is_valid(const tr2_world *world, tr2_joint id);

/* The definition that would recreate the joint as it is now. It does not contain full turns: the angle of the new joint
   starts within half a turn of the reference. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_joint_get(const tr2_world *world, tr2_joint id, tr2_joint_def *out);
/* Replaces every property at once, checked as at creation; type and bodies must be the same (TR_ERROR_RANGE). Features
   that stay enabled keep their impulses. */
TR_API tr_status tr2_joint_set(tr2_world *world, tr2_joint id, const tr2_joint_def *def);

/* The single numbers of a definition, to change them while the world runs. Booleans are 0 and 1; softness kinds are
   their values. */
typedef enum tr2_field {
    TR2_FIELD_ANCHOR_A_X,
    TR2_FIELD_ANCHOR_A_Y,
    TR2_FIELD_ANCHOR_B_X,
    TR2_FIELD_ANCHOR_B_Y,
    TR2_FIELD_AXIS_X,
    TR2_FIELD_AXIS_Y,
    TR2_FIELD_REFERENCE_ANGLE,
    TR2_FIELD_LENGTH,
    TR2_FIELD_LINEAR_KIND,
    TR2_FIELD_LINEAR_A,
    TR2_FIELD_LINEAR_B,
    TR2_FIELD_ANGULAR_KIND,
    TR2_FIELD_ANGULAR_A,
    TR2_FIELD_ANGULAR_B,
    TR2_FIELD_SPRING_ENABLE,
    TR2_FIELD_SPRING_TARGET,
    TR2_FIELD_SPRING_KIND,
    TR2_FIELD_SPRING_A,
    TR2_FIELD_SPRING_B,
    TR2_FIELD_MOTOR_ENABLE,
    TR2_FIELD_MOTOR_SPEED,
    TR2_FIELD_MOTOR_MAXIMUM,
    TR2_FIELD_LIMIT_ENABLE,
    TR2_FIELD_LIMIT_LOWER,
    TR2_FIELD_LIMIT_UPPER,
    TR2_FIELD_DRIVE_POSITION,
    TR2_FIELD_DRIVE_VELOCITY_X,
    TR2_FIELD_DRIVE_VELOCITY_Y,
    TR2_FIELD_DRIVE_ANGULAR_VELOCITY,
    TR2_FIELD_DRIVE_OFFSET_X,
    TR2_FIELD_DRIVE_OFFSET_Y,
    TR2_FIELD_DRIVE_ANGULAR_OFFSET,
    TR2_FIELD_DRIVE_KIND,
    TR2_FIELD_DRIVE_A,
    TR2_FIELD_DRIVE_B,
    TR2_FIELD_DRIVE_MAX_FORCE,
    TR2_FIELD_DRIVE_MAX_TORQUE,
    TR2_FIELD_SPRING_FORCE_LOWER,
    TR2_FIELD_SPRING_FORCE_UPPER,
    TR2_FIELD_FRICTION,
    TR2_FIELD_RATIO,
    TR2_FIELD_GROUND_A_X,
    TR2_FIELD_GROUND_A_Y,
    TR2_FIELD_GROUND_B_X,
    TR2_FIELD_GROUND_B_Y,
    TR2_FIELD_AXIS_B_X,
    TR2_FIELD_AXIS_B_Y,
    TR2_FIELD_SLIDES_A,
    TR2_FIELD_SLIDES_B,
    TR2_FIELD_OFFSET,
    TR2_FIELD_MESHED,
    TR2_FIELD_EQUAL_TORQUE,
    TR2_FIELD_MAX_FORCE,
    TR2_FIELD_COUNT
} tr2_field;

/* "anchor_a.x", "motor.speed", ...: the path within the definition; "unknown" outside the enumeration. */
TR_API const char *tr2_field_name(tr2_field field);
/* Whether joints of this type have the field. */
TR_API bool tr2_joint_type_has(tr2_joint_type type, tr2_field field);

/* Sets one number; the definition that results is checked as at creation. TR_ERROR_NO_PROPERTY if the type does not
   have it, _RANGE (no such field; a lower limit above the upper; not a value of the boolean or kind), _MEMORY (the
   first joint of the type that uses this field). The axis is normalised after each change of x or y. ground_a, ground_b
   and offset are double; this call sets them to the float's value, tr2_joint_set() to full precision. */
TR_API tr_status tr2_joint_set_value(tr2_world *world, tr2_joint id, tr2_field field, float value);
/* One number; a double is rounded to float, to FLT_MAX if it is beyond. TR_ERROR_NULL, _NULL_ID, _STALE_ID,
   _FOREIGN_ID, _NO_PROPERTY, _RANGE (no such field). */
TR_API tr_status tr2_joint_get_value(const tr2_world *world, tr2_joint id, tr2_field field, float *out);
/* Switches a joint off and on. A disabled joint keeps its position in the plan and has no impulses and no error. */
TR_API tr_status tr2_joint_set_enabled(tr2_world *world, tr2_joint id, bool enabled);
/* Whether shapes of its two bodies collide, from the next step on. TR_ERROR_MEMORY. */
TR_API tr_status tr2_joint_set_collide_connected(tr2_world *world, tr2_joint id, bool collide);
TR_API tr_status tr2_joint_set_user_data(tr2_world *world, tr2_joint id, uint64_t user_data); /* TR_ERROR_MEMORY */
/* Checked as at creation; all zero removes the thresholds and their count of steps. TR_ERROR_MEMORY. */
TR_API tr_status tr2_joint_set_event_at(tr2_world *world, tr2_joint id, tr_event_at event_at);
TR_API tr_status tr2_joint_set_break_at(tr2_world *world, tr2_joint id, tr_break_at break_at);

static inline tr_status tr2_joint_set_motor_speed(tr2_world *world, tr2_joint id, float speed)
{
    return tr2_joint_set_value(world, id, TR2_FIELD_MOTOR_SPEED, speed);
}
static inline tr_status tr2_joint_set_spring_target(tr2_world *world, tr2_joint id, float target)
{
    return tr2_joint_set_value(world, id, TR2_FIELD_SPRING_TARGET, target);
}

/* The force and torque of a joint in the last sub-step: the sum over all its rows, including springs, limits and
   motors. With TR_SMALL_STEP they may be 1.5 times the mean of the step while the bodies move (docs/methods.md). */
typedef struct tr2_reaction {
    /* N, on B at anchor_b; the opposite acts on A. A PULLEY or GEAR acts on A with ratio times as much. The opposites
       of a GEAR's forces and torques act on its carriers, or on the world */
    tr_vec2 force;
    float torque; /* N m, on B, from rows that act on angles; without the moment of `force` */
    /* N or N m along the free coordinate: the part of each feature (lower >= 0, upper <= 0). A WHEEL's motor is the
       torque on its spin. A PULLEY's upper is minus the rope's tension at B */
    float spring, motor, lower, upper, friction;
} tr2_reaction;

TR_API tr_status tr2_joint_reaction(const tr2_world *world, tr2_joint id, tr2_reaction *out);

/*
 * Events
 *
 * After each step, each joint's thresholds are compared with its mean reaction in this step, and with its mean reaction
 * in the second half of the last step and the first half of this one. (tr2_joint_reaction() is different: it returns
 * the reaction in the last sub-step.)
 */
typedef struct tr2_event {
    tr_event_kind kind;
    tr2_joint_type type;
    tr2_joint joint; /* no longer valid if it broke */
    tr2_body body_a, body_b;
    uint64_t user_data;    /* the joint's */
    tr2_reaction reaction; /* the one that exceeded the threshold: a mean over dt */
    uint32_t steps;        /* consecutive steps over event_at or break_at, this one included */
} tr2_event;

typedef struct tr2_event_view {
    uint32_t count;
    const tr2_event *event;
} tr2_event_view;

/* The events of the last successful step, in order of tr2_joint.index; for one joint TR_EVENT_THRESHOLD comes first.
   They do not depend on the number of threads or the instruction set. The pointer is valid until the next call of
   tr2_world_step(), whether that succeeds or fails; edits do not invalidate it. */
TR_API tr2_event_view tr2_world_events(const tr2_world *world);

TR_API tr_status tr2_joint_error(const tr2_world *world, tr2_joint id, tr_joint_error_value *out);

TR_API tr_status tr2_joint_coordinate(const tr2_world *world, tr2_joint id, tr_joint_coordinate_value *out);

/* The table of one type of joint, with the rules of tr2_body_view. The first call allocates the arrays of ids and
   bodies, 24 bytes per joint; without memory for them `count` is 0.
   field[f] is null if the type does not have f. field[f], user_data and impulse[i] may also be null while every joint
   of the type has the default, because then nothing is stored. Arrays of booleans and kinds are of uint32_t; those of
   ground_a, ground_b and offset are of double: cast the pointer. A softness kind above 3 means TR_RIGID; the
   solver marks joints so if other joints hold the same two bodies (docs/solver.md). */
typedef struct tr2_joint_view {
    uint32_t count;
    const tr2_joint *id;
    const tr2_body *body_a, *body_b;
    const tr2_body *carrier_a, *carrier_b; /* null if the type has none */
    const uint64_t *user_data;
    const float *field[TR2_FIELD_COUNT];
    uint32_t impulse_count;      /* number of accumulated impulses of the type */
    const float *const *impulse; /* impulse[0 .. impulse_count - 1]: N s or N m s, of the last sub-step */
    const char *const *impulse_name;
} tr2_joint_view;

TR_API tr2_joint_view tr2_world_joints(const tr2_world *world, tr2_joint_type type);

#ifdef __cplusplus
}
#endif

#endif
