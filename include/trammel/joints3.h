/*
 * Joints between bodies in space: definitions, changes, forces, breaking, and the table of joints that applications
 * read. The rules for threads and errors are in trammel/world3.h. The verbs are those of trammel/joints2.h.
 *
 * All types share one definition. Each type uses some of its groups (table below); tr3_joint_def_default() sets them
 * all. Leave a group that the type does not have at its default: TR_ERROR_NO_PROPERTY otherwise.
 *
 *   type      rows held                      free coordinate  groups (spring: `spring` and `spring_force`)
 *   BALL      point                          twist, 2 swings  anchors axis axis_2 reference linear angular cone twist
 *                                                             friction; spring spring_force motor of each coordinate
 *   HINGE     point, two rotations           angle            anchors axis reference linear angular spring motor limit
 *                                                             friction
 *   SLIDER    two directions, three rotations along the axis  anchors axis reference linear angular spring motor limit
 *                                                             friction
 *   WELD      point, three rotations         -                anchors reference linear angular
 *   DISTANCE  length                         length           anchors length linear spring_force motor limit friction
 *
 * Types with a frame have several free coordinates, each with all features: spring, spring_force, motor, limit,
 * friction. Those of the first coordinate are members of the definition, those of the others of `second` to `sixth`.
 * The frame is fixed in A: x is `axis`, y is `axis_2`, z = x cross y.
 *
 *   type         rows held                  free coordinates                     groups beside the features
 *   CYLINDRICAL  two directions, two tilts  travel along x; angle about x        anchors axis axis_2 reference linear
 *                                                                                angular
 *   UNIVERSAL    point, one rotation        angle about x; angle about B's y     anchors axis axis_2 reference linear
 *                                                                                angular
 *   PLANAR       one direction, two tilts   travels along y and z; angle about x anchors axis axis_2 reference linear
 *                                                                                angular
 *   LINE         two directions             travel along x                       anchors axis axis_2 linear
 *   PLANE        one direction              travels along y and z                anchors axis axis_2 linear
 *   PARALLEL     two tilts                  angle about x                        axis axis_2 reference angular
 *   GENERAL      what is locked             travels along x, y, z; angles about  anchors axis axis_2 reference linear
 *                                           x, y, z                              angular; `locked` of each coordinate
 *
 * Types of limited force:
 *
 *   MOTOR     point, three rotations: soft, capped      anchors reference linear angular max_force max_torque
 *   TARGET    point: soft, capped                       anchors linear max_force
 *   FRICTION  rates of the point and of the rotation    anchors max_force max_torque
 *
 * Types of ratios:
 *
 *   SCREW   two directions, two tilts, the travel by the angle   groups of a CYLINDRICAL, pitch
 *   GEAR    one coordinate of A and one of B in a ratio          anchors axis axis_b reference reference_b ratio
 *                                                                slides_a slides_b offset meshed angular carrier_a
 *                                                                carrier_b
 *   PULLEY  a rope from A to B; coordinate: its length           anchors ground_a ground_b length ratio linear
 *                                                                carrier_a carrier_b
 *
 * And
 *
 *   CIRCLE   a point of B on a circle; coordinate: the angle     anchors axis axis_2 length linear spring motor limit
 *                                                                friction
 *   INERTER  a flywheel, which holds nothing                     anchors axis axis_b slides_b inertance across
 *
 * Every type has event_at, break_at, enabled, collide_connected and user_data.
 *
 * Frames: `reference` is the rotation of B relative to A at which the joint is at rest: the angle of a HINGE is 0, a
 * WELD holds it. `axis` is a direction in A; in B it is that direction seen from B in the reference rotation. The angle
 * of a HINGE counts by the right hand about the axis, over any number of turns; so do the angles of the types with a
 * frame. `axis_2` is across `axis`, and like it also a direction in B.
 *
 * BALL leaves all rotations free. With cone_angle the axis in B stays within that angle of the axis in A; with `twist`
 * the rotation of B about that axis stays between limits; `friction` is the greatest torque that brakes the rotation
 * about whatever axis; `angular`, if it is not rigid, is a spring that turns B back to the reference rotation. With
 * cone_angle_2 the cone is elliptic: cone_angle is how far B leans about axis_2 (y), cone_angle_2 how far about z.
 *
 * The three coordinates of a BALL are its twist and the two parts of its swing, rad: B is turned about the axis by the
 * first, then the axis leans by the shortest way, by the length of the vector whose parts along y and z are the second
 * and the third. `spring` with `spring_force`, and `motor`, are those of the first, and members of `second` and `third`.
 * Springs act along the coordinates, toward their targets (tr3_joint_def_set_target() sets those of a rotation), and
 * let go where the axis of B is opposite to that of A. Motors drive the angular velocity of B relative to A about the
 * axis, axis_2 and z as they are in B, through any angle; `maximum` is each one's greatest torque.
 *
 * CYLINDRICAL: B slides along a line of A and rotates about it. UNIVERSAL: the axis of A and the second axis of B cross
 * at right angles, as the pins of the cross piece of a Cardan joint; the second coordinate turns B about the latter.
 * PLANAR: B slides on a plane of A, whose normal is the axis, and rotates about the normal. LINE and PLANE: a point of
 * B stays on a line or plane of A, and B rotates freely. PARALLEL: the axes stay parallel, and B moves freely; with A
 * static, B stays upright.
 *
 * GENERAL: each of six coordinates is locked (the default of all) or free with its features. The travels are those of
 * B's anchor along x, y and z. The angles turn B about x, then about y as it is then, then about z: a joint of three
 * hinges one after another. Where the second is a quarter turn the axes of the first and the third meet: if both are
 * free, their features let go near it. Locked coordinates have the softness `linear` or `angular`.
 *
 * MOTOR drives anchor_b toward anchor_a, and B's rotation toward the reference, by a force of at most max_force and a
 * torque of at most max_torque. TARGET pulls anchor_b toward anchor_a: to drag a body, body A is static and anchor_a
 * follows the cursor. Their `linear` and `angular` are frequency 5 Hz, damping ratio 0.7 by default; TR_RIGID is the
 * world's joint frequency, and they are never relaxed. FRICTION brakes the motion of anchor_b relative to A, and the
 * rotation of B relative to A. The bounds are on the lengths of force and torque. None of them has an error.
 *
 * SCREW is a CYLINDRICAL whose travel is `pitch` times the turns of B about the axis: right-handed if it is above 0.
 * Its two coordinates have the features of those of a CYLINDRICAL.
 *
 * GEAR holds coordinate_b + ratio coordinate_a = offset. A coordinate is the angle of the body about an axis of its
 * carrier, over any number of turns, counted from a reference rotation; or, with slides_a or slides_b, the travel of its
 * anchor along that axis, from the carrier's origin. A null carrier is the world. Unless `meshed`, references and offset
 * are computed from the poses when the gear is created or set. The gear does not hold its wheels on their axes: joints
 * do. tr3_joint_get() returns the offset for angles from -pi to pi: what the whole turns of both sides add is in it.
 *
 * PULLEY limits ratio length_a + length_b to `length`, each the distance from a ground point, fixed in a carrier or the
 * world, to the anchor of its body.
 *
 * CIRCLE keeps anchor_b at the distance `length` from anchor_a, across the axis: a link without mass that a hinge joins to
 * A and a ball to B. The angle turns the link about the axis, from axis_2, over any number of turns.
 *
 * INERTER adds an inertia to how B moves relative to A: `inertance` times the acceleration is a torque about the axis of
 * A, or with slides_b a force along it, on B, and the opposite on A. It is the rotor of a geared motor: of an inertia I
 * and a ratio n, inertance n^2 I. It is used beside a joint that leaves this motion free. The flywheel's speed is its own
 * (the impulse named "speed"): it is that of the bodies when the joint is created or enabled, or the velocity of one is
 * set, and otherwise changes only by what it gives to them, so that they share an impulse given to one of them.
 * With axis_b it is the rotor of one of three angles of B, about the axis, about an axis across both, and about axis_b,
 * as of the last three coordinates of a GENERAL: of the first, with `across` of the second; that of the third is that of
 * the first with A and B exchanged. Within 5.7 degrees of where the axes are parallel, sweeps let it turn less than the
 * angle does.
 *
 * A TR_FREQUENCY of `linear` is that of every direction in which the anchors can move apart, whatever the bodies' moments
 * and the arms are: a stiffness (2 pi f)^2 K^-1 and a damping 2 ratio (2 pi f) K^-1, matrices, with K = J M^-1 J^T of the
 * linear rows. The same holds for `angular` with K of the rows of rotation, by the moments of both bodies about their
 * centres. Each is as if the other were off; where both hold, an anchor away from the centres couples them.
 *
 * DISTANCE holds `length` with the softness `linear`, which makes it a rod or a spring; spring_force caps the spring's
 * force. With linear = tr_frequency(0, 0) only its limit holds: with limit {true, 0, 3} it is a rope of 3 m.
 */
#ifndef TRAMMEL_JOINTS3_H
#define TRAMMEL_JOINTS3_H

#include "trammel/world3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, name): the list of all types. */
#define TR3_JOINT_TYPES(X)                                                                                             \
    X(TR3_JOINT_BALL, ball)                                                                                            \
    X(TR3_JOINT_HINGE, hinge)                                                                                          \
    X(TR3_JOINT_SLIDER, slider)                                                                                        \
    X(TR3_JOINT_WELD, weld)                                                                                            \
    X(TR3_JOINT_DISTANCE, distance)                                                                                    \
    X(TR3_JOINT_CYLINDRICAL, cylindrical)                                                                              \
    X(TR3_JOINT_UNIVERSAL, universal)                                                                                  \
    X(TR3_JOINT_PLANAR, planar)                                                                                        \
    X(TR3_JOINT_LINE, line)                                                                                            \
    X(TR3_JOINT_PLANE, plane)                                                                                          \
    X(TR3_JOINT_PARALLEL, parallel)                                                                                    \
    X(TR3_JOINT_GENERAL, general)                                                                                      \
    X(TR3_JOINT_MOTOR, motor)                                                                                          \
    X(TR3_JOINT_TARGET, target)                                                                                        \
    X(TR3_JOINT_FRICTION, friction)                                                                                    \
    X(TR3_JOINT_SCREW, screw)                                                                                          \
    X(TR3_JOINT_GEAR, gear)                                                                                            \
    X(TR3_JOINT_PULLEY, pulley)                                                                                        \
    X(TR3_JOINT_CIRCLE, circle)                                                                                        \
    X(TR3_JOINT_INERTER, inerter)

typedef enum tr3_joint_type {
#define TR3_ENUMERATOR(enumerator, name) enumerator,
    TR3_JOINT_TYPES(TR3_ENUMERATOR)
#undef TR3_ENUMERATOR
        TR3_JOINT_TYPE_COUNT
} tr3_joint_type;

/* Free coordinates of a joint, at most. */
#define TR3_COORDINATES 6

/* What a free coordinate has beyond the first, whose features are members of the definition by the same names. */
typedef struct tr3_features {
    tr_spring spring;
    tr_force_range spring_force;
    tr_motor motor;
    tr_limit limit;
    float friction; /* N or N m, >= 0 */
    bool locked;    /* of a GENERAL: the coordinate is held at 0, and the other members have no effect */
} tr3_features;

typedef struct tr3_joint_def {
    tr3_joint_type type;
    tr3_body body_a, body_b;
    tr3_body carrier_a, carrier_b; /* of a GEAR or PULLEY; null, the default: the world */
    tr_vec3 anchor_a, anchor_b;    /* m, in the frame of each body, from its origin */
    tr_vec3 axis;        /* in A's frame, of a GEAR in its carrier's; normalised when set; default (1, 0, 0) */
    tr_quat reference;   /* rotation of B relative to A at rest; normalised when set; default: none */
    float length;        /* m, >= 0; of a CIRCLE the radius */
    tr_softness linear;  /* of the point, direction or length rows */
    tr_softness angular; /* of the rows of rotation; of a BALL the spring toward the reference, default off */
    tr_spring spring;
    tr_force_range spring_force;
    tr_motor motor;
    tr_limit limit;
    float friction;      /* N or N m, >= 0: maximum friction along the free coordinate; of a BALL the whole torque */
    bool locked;         /* as in tr3_features */
    tr3_features second; /* of the second to the sixth free coordinate */
    tr3_features third;
    tr3_features fourth;
    tr3_features fifth;
    tr3_features sixth;
    tr_vec3 axis_2;     /* across `axis`, in A's frame; made perpendicular and normalised when set; default (0, 0, 0):
                           some direction across it (a BALL keeps 0) */
    float cone_angle;   /* rad, 0 to pi, of a BALL; default pi: no limit */
    float cone_angle_2; /* rad, 0 to pi, of a BALL: that about z; then cone_angle is that about axis_2, and not 0.
                           Default 0: as cone_angle, a round cone */
    tr_limit twist;     /* rad, -pi to pi, of a BALL: rotation of B about the axis */
    float max_force;    /* N, >= 0, of MOTOR, TARGET, FRICTION; default FLT_MAX: unbounded; 0: none */
    float max_torque;   /* N m, likewise */
    float ratio;        /* of a GEAR, not 0; of a PULLEY, above 0; default 1 */
    float pitch;        /* m, of a SCREW, not 0: travel in one turn; default 1 */
    tr_vec3 axis_b; /* of a GEAR, as axis, for B, in its carrier's frame; default (1, 0, 0). Of an INERTER an axis of
                       B, in its frame, not read with slides_b; default (0, 0, 0): none */
    tr_quat reference_b;     /* of a GEAR: `reference` is that of A relative to its carrier, this is that of B */
    bool slides_a, slides_b; /* of a GEAR, slides_b also of an INERTER: along the axis, not about it */
    bool meshed;             /* of a GEAR: whether offset and references are given; false: when set, from the poses */
    bool across;             /* of an INERTER with axis_b: about what is across both axes */
    double offset;           /* of a GEAR, rad or m: what coordinate_b + ratio coordinate_a is */
    tr_dvec3 ground_a, ground_b; /* m, of a PULLEY, in the frame of each carrier, or in the world */
    float inertance;             /* kg m^2, or kg along the axis, >= 0, of an INERTER; default 0: none */
    tr_event_at event_at;        /* default: no events */
    tr_break_at break_at;        /* default: never breaks */
    bool enabled;                /* default true; false: the joint exists and does nothing */
    bool collide_connected;      /* whether shapes of the two bodies will collide; stored, there are no shapes yet */
    uint64_t user_data;
} tr3_joint_def;

/* A definition of this type with every member at its default: rigid rows, no spring, motor or limit, length 1, anchors
   at the bodies' origins. */
TR_API tr3_joint_def tr3_joint_def_default(tr3_joint_type type);
TR_API const char *tr3_joint_type_name(tr3_joint_type type); /* "ball", ...; "unknown" outside the enumeration */

/*
 * Makes `count` joints from an array of definitions, of any types; all or none. `ids` (count entries) may be null.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _NEGATIVE, _ZERO (axis,
 * reference), _RANGE, _NO_PROPERTY, _MEMORY, _LIMIT. Joints between two bodies that cannot move are allowed and do
 * nothing.
 */
TR_API tr_status tr3_world_create_joints(tr3_world *world, const tr3_joint_def *defs, uint32_t count, tr3_joint *ids);
TR_API tr_status tr3_world_create_joint(tr3_world *world, const tr3_joint_def *def, tr3_joint *id);

/*
 * Computes a definition from the current poses of the bodies, so that the joint is satisfied when it is created.
 * Anchors (m) and axis (of any length) are in world coordinates. It reads the type and the bodies. It sets those of
 * these members that the type has, and nothing else: anchor_a, anchor_b, axis, reference, length; axis_2 only as far as
 * it must be across the axis. Of a GEAR it also reads the carriers, and sets axis and axis_b along the same axis,
 * reference, reference_b, offset and meshed. Arguments that the type does not need are not read. On failure *def is
 * untouched.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT, _NAN, _INFINITE, _ZERO (axis); _RANGE (no such
 * type; an anchor or length that does not fit a float).
 */
TR_API tr_status tr3_joint_def_initialize(const tr3_world *world, tr3_joint_def *def, tr_dvec3 anchor_a,
                                          tr_dvec3 anchor_b, tr_vec3 axis);
/* The type's default definition between two bodies, placed as above. On failure *out is untouched. */
static inline tr_status tr3_joint_def_between(const tr3_world *world, tr3_joint_type type, tr3_body body_a,
                                              tr3_body body_b, tr_dvec3 anchor_a, tr_dvec3 anchor_b, tr_vec3 axis,
                                              tr3_joint_def *out)
{
    if (out == TR_NULL)
        return tr3_joint_def_initialize(world, TR_NULL, anchor_a, anchor_b, axis);
    tr3_joint_def def = tr3_joint_def_default(type);
    def.body_a = body_a;
    def.body_b = body_b;
    tr_status status = tr3_joint_def_initialize(world, &def, anchor_a, anchor_b, axis);
    if (status == TR_OK)
        *out = def;
    return status;
}
/* Sets the targets of a BALL's springs to a rotation of B relative to A, given as `reference` is; of any length. Reads the
   axes and the reference. On failure *def is untouched. Errors: TR_ERROR_NULL, _NAN, _INFINITE, _ZERO (rotation, axis,
   reference), _RANGE (no BALL; axis_2 along the axis). */
TR_API tr_status tr3_joint_def_set_target(tr3_joint_def *def, tr_quat rotation);
/*
 * Makes a definition of a GEAR between the coordinates of two joints, as they are now: each a HINGE, whose coordinate is
 * its angle, a SLIDER, whose coordinate is its travel, or a CYLINDRICAL, whose coordinate is the travel if `travels_a`
 * or `travels_b`, else the angle; of the others these are ignored. It holds (coordinate of joint_b) + ratio (coordinate
 * of joint_a) at its value. The bodies at the other ends of the joints become its carriers; the world does if they are
 * static. The gear does not depend on the joints, which may be destroyed. If both joints move the same body, one of
 * them is used with its bodies exchanged. On failure *out is untouched.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE, _ZERO (ratio), _RANGE (a joint of another
 * type, or between static bodies), _SELF_JOINT (both move the same body relative to the world).
 */
TR_API tr_status tr3_gear_between(const tr3_world *world, tr3_joint joint_a, bool travels_a, tr3_joint joint_b,
                                  bool travels_b, float ratio, tr3_joint_def *out);
/* Changes a DISTANCE definition to a rope: it pulls if it is longer than `length` (m, >= 0), and never pushes. */
static inline void tr3_joint_def_make_rope(tr3_joint_def *def, float length)
{
    def->linear = tr_frequency(0.0f, 0.0f);
    def->limit.enable = true;
    def->limit.lower = 0.0f;
    def->limit.upper = length;
}

TR_API tr_status tr3_world_destroy_joints(tr3_world *world, const tr3_joint *ids, uint32_t count);
TR_API tr_status tr3_world_destroy_joint(tr3_world *world, tr3_joint id);
TR_API bool tr3_joint_is_valid(const tr3_world *world, tr3_joint id);

/* The definition that would recreate the joint as it is now. It does not contain full turns. TR_ERROR_NULL, _NULL_ID,
   _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr3_joint_get(const tr3_world *world, tr3_joint id, tr3_joint_def *out);
/* Replaces every property at once, checked as at creation; type and bodies must be the same (TR_ERROR_RANGE). Features
   that stay enabled keep their impulses. */
TR_API tr_status tr3_joint_set(tr3_world *world, tr3_joint id, const tr3_joint_def *def);

/* the fields of a tr3_features, in the order of those of the first coordinate, SPRING_ENABLE to LOCKED */
#define TR3_FEATURE_ENUMERATORS(N)                                                                                     \
    TR3_FIELD_##N##_SPRING_ENABLE, TR3_FIELD_##N##_SPRING_TARGET, TR3_FIELD_##N##_SPRING_KIND,                         \
        TR3_FIELD_##N##_SPRING_A, TR3_FIELD_##N##_SPRING_B, TR3_FIELD_##N##_MOTOR_ENABLE, TR3_FIELD_##N##_MOTOR_SPEED, \
        TR3_FIELD_##N##_MOTOR_MAXIMUM, TR3_FIELD_##N##_LIMIT_ENABLE, TR3_FIELD_##N##_LIMIT_LOWER,                      \
        TR3_FIELD_##N##_LIMIT_UPPER, TR3_FIELD_##N##_SPRING_FORCE_LOWER, TR3_FIELD_##N##_SPRING_FORCE_UPPER,           \
        TR3_FIELD_##N##_FRICTION, TR3_FIELD_##N##_LOCKED

/* The single numbers of a definition, to change them while the world runs. Booleans are 0 and 1; softness kinds are
   their values. */
typedef enum tr3_field {
    TR3_FIELD_ANCHOR_A_X,
    TR3_FIELD_ANCHOR_A_Y,
    TR3_FIELD_ANCHOR_A_Z,
    TR3_FIELD_ANCHOR_B_X,
    TR3_FIELD_ANCHOR_B_Y,
    TR3_FIELD_ANCHOR_B_Z,
    TR3_FIELD_AXIS_X,
    TR3_FIELD_AXIS_Y,
    TR3_FIELD_AXIS_Z,
    TR3_FIELD_REFERENCE_X,
    TR3_FIELD_REFERENCE_Y,
    TR3_FIELD_REFERENCE_Z,
    TR3_FIELD_REFERENCE_W,
    TR3_FIELD_LENGTH,
    TR3_FIELD_LINEAR_KIND,
    TR3_FIELD_LINEAR_A,
    TR3_FIELD_LINEAR_B,
    TR3_FIELD_ANGULAR_KIND,
    TR3_FIELD_ANGULAR_A,
    TR3_FIELD_ANGULAR_B,
    TR3_FIELD_SPRING_ENABLE,
    TR3_FIELD_SPRING_TARGET,
    TR3_FIELD_SPRING_KIND,
    TR3_FIELD_SPRING_A,
    TR3_FIELD_SPRING_B,
    TR3_FIELD_MOTOR_ENABLE,
    TR3_FIELD_MOTOR_SPEED,
    TR3_FIELD_MOTOR_MAXIMUM,
    TR3_FIELD_LIMIT_ENABLE,
    TR3_FIELD_LIMIT_LOWER,
    TR3_FIELD_LIMIT_UPPER,
    TR3_FIELD_SPRING_FORCE_LOWER,
    TR3_FIELD_SPRING_FORCE_UPPER,
    TR3_FIELD_FRICTION,
    TR3_FIELD_LOCKED,
    TR3_FIELD_CONE_ANGLE,
    TR3_FIELD_CONE_ANGLE_2,
    TR3_FIELD_TWIST_ENABLE,
    TR3_FIELD_TWIST_LOWER,
    TR3_FIELD_TWIST_UPPER,
    TR3_FIELD_AXIS_2_X,
    TR3_FIELD_AXIS_2_Y,
    TR3_FIELD_AXIS_2_Z,
    TR3_FIELD_MAX_FORCE,
    TR3_FIELD_MAX_TORQUE,
    TR3_FEATURE_ENUMERATORS(SECOND), /* TR3_FIELD_SECOND_SPRING_ENABLE, ... _LOCKED: tr3_field_of() */
    TR3_FEATURE_ENUMERATORS(THIRD),
    TR3_FEATURE_ENUMERATORS(FOURTH),
    TR3_FEATURE_ENUMERATORS(FIFTH),
    TR3_FEATURE_ENUMERATORS(SIXTH),
    TR3_FIELD_RATIO,
    TR3_FIELD_SLIDES_A,
    TR3_FIELD_SLIDES_B,
    TR3_FIELD_MESHED,
    TR3_FIELD_AXIS_B_X,
    TR3_FIELD_AXIS_B_Y,
    TR3_FIELD_AXIS_B_Z,
    TR3_FIELD_PITCH,
    TR3_FIELD_OFFSET,
    TR3_FIELD_REFERENCE_B_X,
    TR3_FIELD_REFERENCE_B_Y,
    TR3_FIELD_REFERENCE_B_Z,
    TR3_FIELD_REFERENCE_B_W,
    TR3_FIELD_GROUND_A_X,
    TR3_FIELD_GROUND_A_Y,
    TR3_FIELD_GROUND_A_Z,
    TR3_FIELD_GROUND_B_X,
    TR3_FIELD_GROUND_B_Y,
    TR3_FIELD_GROUND_B_Z,
    TR3_FIELD_INERTANCE,
    TR3_FIELD_ACROSS,
    TR3_FIELD_COUNT
} tr3_field;

/* The field of a coordinate (0 to TR3_COORDINATES - 1) that is `first` of the first, SPRING_ENABLE to LOCKED:
   tr3_field_of(TR3_FIELD_MOTOR_SPEED, 2) is TR3_FIELD_THIRD_MOTOR_SPEED. */
static inline tr3_field tr3_field_of(tr3_field first, uint32_t coordinate)
{
    const uint32_t apart = TR3_FIELD_THIRD_SPRING_ENABLE - TR3_FIELD_SECOND_SPRING_ENABLE;
    return coordinate == 0 ? first
                           : (tr3_field)((uint32_t)first + TR3_FIELD_SECOND_SPRING_ENABLE - TR3_FIELD_SPRING_ENABLE +
                                         apart * (coordinate - 1));
}

/* "anchor_a.x", "motor.speed", ...: the path within the definition; "unknown" outside the enumeration. */
TR_API const char *tr3_field_name(tr3_field field);
/* Whether joints of this type have the field. */
TR_API bool tr3_joint_type_has(tr3_joint_type type, tr3_field field);

/* Sets one number; the definition that results is checked as at creation. TR_ERROR_NO_PROPERTY if the type does not
   have it, _RANGE (no such field; a lower limit above the upper; not a value of the boolean or kind), _MEMORY (the
   first joint of the type that uses this field). Axes and reference are normalised after each change. */
TR_API tr_status tr3_joint_set_value(tr3_world *world, tr3_joint id, tr3_field field, float value);
TR_API tr_status tr3_joint_get_value(const tr3_world *world, tr3_joint id, tr3_field field, float *out);
/* Switches a joint off and on. A disabled joint keeps its position in the plan and has no impulses and no error. */
TR_API tr_status tr3_joint_set_enabled(tr3_world *world, tr3_joint id, bool enabled);
TR_API tr_status tr3_joint_set_collide_connected(tr3_world *world, tr3_joint id, bool collide); /* TR_ERROR_MEMORY */
TR_API tr_status tr3_joint_set_user_data(tr3_world *world, tr3_joint id, uint64_t user_data);   /* TR_ERROR_MEMORY */
/* Checked as at creation; all zero removes the thresholds and their count of steps. TR_ERROR_MEMORY. */
TR_API tr_status tr3_joint_set_event_at(tr3_world *world, tr3_joint id, tr_event_at event_at);
TR_API tr_status tr3_joint_set_break_at(tr3_world *world, tr3_joint id, tr_break_at break_at);

static inline tr_status tr3_joint_set_motor_speed(tr3_world *world, tr3_joint id, float speed)
{
    return tr3_joint_set_value(world, id, TR3_FIELD_MOTOR_SPEED, speed);
}
static inline tr_status tr3_joint_set_spring_target(tr3_world *world, tr3_joint id, float target)
{
    return tr3_joint_set_value(world, id, TR3_FIELD_SPRING_TARGET, target);
}

/* The force and torque of a joint in the last sub-step: the sum over all its rows, including springs, limits and
   motors, on B; the opposite acts on A at the same point. */
typedef struct tr3_reaction {
    tr_vec3 force;  /* N, on B at anchor_b */
    tr_vec3 torque; /* N m, on B, from rows of rotation; without the moment of `force` */
    /* N or N m along the first free coordinate: the part of each feature (lower >= 0, upper <= 0); of a BALL upper is
       the torque of the cone and of the upper limit of the twist. Those of the others are tr3_joint_view.impulse. */
    float spring, motor, lower, upper, friction;
} tr3_reaction;

TR_API tr_status tr3_joint_reaction(const tr3_world *world, tr3_joint id, tr3_reaction *out);

/*
 * Events
 *
 * After each step, the mean reaction of each joint that has thresholds is compared with them: of the step, and of the
 * second half of the step before and the first of this. tr3_joint_reaction() returns that of the last sub-step.
 */
typedef struct tr3_event {
    tr_event_kind kind;
    tr3_joint_type type;
    tr3_joint joint; /* no longer valid if it broke */
    tr3_body body_a, body_b;
    uint64_t user_data;    /* the joint's */
    tr3_reaction reaction; /* the one that exceeded the threshold: a mean over dt */
    uint32_t steps;        /* consecutive steps over event_at or break_at, this one included */
} tr3_event;

typedef struct tr3_event_view {
    uint32_t count;
    const tr3_event *event;
} tr3_event_view;

/* The events of the last successful step, in order of tr3_joint.index; for one joint TR_EVENT_THRESHOLD comes first.
   The pointer is valid until the next call of tr3_world_step(). */
TR_API tr3_event_view tr3_world_events(const tr3_world *world);

TR_API tr_status tr3_joint_error(const tr3_world *world, tr3_joint id, tr_joint_error_value *out);
/* The first free coordinate; or any, counted from 0: 0 where the type has fewer, TR_ERROR_RANGE from TR3_COORDINATES
   on. */
TR_API tr_status tr3_joint_coordinate(const tr3_world *world, tr3_joint id, tr_joint_coordinate_value *out);
TR_API tr_status tr3_joint_coordinate_of(const tr3_world *world, tr3_joint id, uint32_t coordinate,
                                         tr_joint_coordinate_value *out);

/* The table of one type of joint, with the rules of tr3_body_view; as in trammel/joints2.h. field[f] is null if the type
   does not have f; field[f], user_data and impulse[i] may be null while every joint has the default, or 0. */
typedef struct tr3_joint_view {
    uint32_t count;
    const tr3_joint *id;
    const tr3_body *body_a, *body_b;
    const tr3_body *carrier_a, *carrier_b; /* null if the type has none, or while all are the world */
    const uint64_t *user_data;
    const float *field[TR3_FIELD_COUNT];
    uint32_t impulse_count;      /* number of accumulated impulses of the type */
    const float *const *impulse; /* impulse[0 .. impulse_count - 1]: N s or N m s, of the last sub-step */
    const char *const *impulse_name;
} tr3_joint_view;

TR_API tr3_joint_view tr3_world_joints(const tr3_world *world, tr3_joint_type type);

#ifdef __cplusplus
}
#endif

#endif
