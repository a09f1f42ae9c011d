/*
 * Contacts from the application. An application with its own collision detection passes the points where two bodies
 * touch or will soon touch, with friction, restitution and rolling resistance. The world solves them together with the
 * joints and returns the impulses. Use this in place of trammel/shapes2.h, or together with it.
 *
 * The application's loop: step the world, read the transforms, find contacts, call tr2_world_set_contacts(), step
 * again. docs/contacts.md has the derivation and advice.
 */
#ifndef TRAMMEL_CONTACTS2_H
#define TRAMMEL_CONTACTS2_H

#include "trammel/base.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The greatest restitution. Above 1 an impact adds energy, as the bumpers of a pinball table do. */
#define TR2_RESTITUTION_MAX 10.0f

/*
 * One contact: one or two points that share a normal. An edge on an edge has two points, a curve one.
 *
 * The normal points from A to B. The separation is the distance along it from A's surface to B's. A positive separation
 * is a gap that may close in the coming step: pass such contacts too, so that fast bodies do not tunnel. A negative
 * separation is an overlap, which is pushed out softly. During a step the normal and the lever arms are constant, and
 * the separation follows the motion of the bodies. The same holds for further steps without new contacts.
 *
 * If the next set has a contact of two points again, with the same ids, its old normal and arms are kept until the
 * bodies have turned by 0.05 rad or slid by 0.05 of the contact's size (the distance between the points, or the shorter
 * arm if that is more). The new separation is always used. This keeps tall stacks standing (docs/contacts.md).
 *
 * Impulses carry over from set to set by (id, body_a, body_b), and within a contact by point_id. No two contacts of one
 * set may have the same (id, body_a, body_b). id 0 is an ordinary id; it is enough if each pair of bodies has one
 * contact. If the two point ids are equal, points are matched by their index.
 */
typedef struct tr2_contact_def {
    tr2_body body_a, body_b;
    tr_vec2 normal;       /* of length 1 (within 5 parts in 10,000; then normalised), from A to B, in the world */
    uint32_t point_count; /* 1 or 2; values of points beyond it are not read */
    tr_dvec2 point[2];    /* m, in the world; best halfway between the surfaces */
    float separation[2];  /* m */
    uint32_t point_id[2]; /* the application's, such as the index of a corner; matches points of successive sets */
    float friction;       /* coefficient, >= 0, both static and kinetic */
    float restitution;    /* 0 .. TR2_RESTITUTION_MAX */
    /* m/s, for conveyor belts: the velocity of B relative to A that friction drives towards, along the normal rotated
       by 90 degrees counter-clockwise */
    float tangent_speed;
    float rolling_resistance; /* m, >= 0: a coefficient times a radius; the torque against rolling is at most this times
                                 the normal force */
    uint64_t id;              /* the application's */
} tr2_contact_def;

/* One point, normal (0, 1), point ids 0 and 1; everything else 0. */
TR_API tr2_contact_def tr2_contact_def_default(void);

/*
 * Replaces the world's contacts by `count` others; all or none. A contact with the same id and bodies as before keeps
 * its impulses and its position in the plan, so a call with few changes is cheap. `count` 0 removes all contacts.
 * Contacts between two bodies that cannot move, or with a disabled one, are allowed and do nothing. Destroying or
 * disabling a body removes its contacts.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT (body_a is body_b), _NAN, _INFINITE, _NEGATIVE
 * (friction, rolling_resistance, restitution), _ZERO (normal), _RANGE (a normal not of length 1; point_count;
 * restitution above TR2_RESTITUTION_MAX; a point too far from a body for a float; two contacts with the same id and
 * bodies, unless one of these is disabled), _MEMORY, _LIMIT.
 */
TR_API tr_status tr2_world_set_contacts(tr2_world *world, const tr2_contact_def *defs, uint32_t count);

/* The `count` of the last set. It includes contacts removed with a body, so that indices stay valid. */
TR_API uint32_t tr2_world_contact_count(const tr2_world *world);

/* The impulses of one contact; zeros for a point that it does not have, and for a contact removed with a body. */
typedef struct tr2_contact_impulse {
    /* N s, >= 0, of the last sub-step, on B along the normal; the force is this divided by the sub-step's duration */
    float normal[2];
    /* N s, of the last sub-step, on B along the normal rotated by 90 degrees counter-clockwise. Two points share one
       friction impulse, divided in proportion to their normal impulses */
    float tangent[2];
    float rolling;  /* N m s, of the last sub-step, on B */
    float total[2]; /* N s, >= 0: normal impulse of the whole step, restitution included; for damage and sounds */
} tr2_contact_impulse;

/* Impulses of contacts `first` .. `first + count - 1`, in the order of the last set. TR_ERROR_NULL, TR_ERROR_RANGE. */
TR_API tr_status tr2_world_get_contact_impulses(const tr2_world *world, uint32_t first, uint32_t count,
                                                tr2_contact_impulse *out);

/* How the numbers a and b of two materials become that of their contact. */
typedef enum tr2_mixing {
    TR2_MIXING_GEOMETRIC_MEAN = 0, /* sqrt(a b) */
    TR2_MIXING_AVERAGE,            /* (a + b) / 2 */
    TR2_MIXING_MINIMUM,
    TR2_MIXING_MAXIMUM,
    TR2_MIXING_MULTIPLY, /* a b */
    TR2_MIXING_COUNT
} tr2_mixing;

TR_API const char *tr2_mixing_name(tr2_mixing mixing); /* "geometric_mean", ...; "unknown" outside the enumeration */

/* Stiffness of all contacts of a world, the speeds that limit their correction, restitution and hit events, and the
   rules that combine the materials of shapes (trammel/shapes2.h). */
typedef struct tr2_contact_settings {
    /* Hz, > 0: stiffness of the correction of overlap; default 45; at most a fifth of the sub-step rate is used;
       doubled if one body is static or kinematic */
    float frequency;
    float damping_ratio; /* >= 0; default 10, so that an overlap closes slowly and without rebound */
    /* speeds in m/s, >= 0; a world begins with the defaults times its tr2_world_def.length_unit */
    float push_speed;              /* maximum speed at which an overlap is pushed out; default 3 */
    float bounce_speed;            /* restitution needs a faster approach than this; default 1 */
    float hit_speed;               /* hit events of shapes need a faster approach than this; default 1 */
    tr2_mixing friction_mixing;    /* of two shapes; default TR2_MIXING_GEOMETRIC_MEAN */
    tr2_mixing restitution_mixing; /* of two shapes; default TR2_MIXING_MAXIMUM */
} tr2_contact_settings;

/* The settings that a world of this length unit (m; 1: that of tr2_world_def_default()) begins with. */
TR_API tr2_contact_settings tr2_contact_settings_default(float length_unit);
/* TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (frequency), _RANGE (a mixing outside the enumeration). */
TR_API tr_status tr2_world_set_contact_settings(tr2_world *world, const tr2_contact_settings *settings);
TR_API tr2_contact_settings tr2_world_contact_settings(const tr2_world *world);

#ifdef __cplusplus
}
#endif

#endif
