/*
 * Contacts from the application, in space. An application with its own collision detection passes the points where two
 * bodies touch or will soon touch, with friction, torsional friction, rolling resistance, restitution and the velocity
 * of a surface. The world solves them together with the joints and returns the impulses.
 *
 * The application's loop: step the world, read the transforms, find contacts, call tr3_world_set_contacts(), step
 * again. docs/contacts.md has the derivation and advice.
 */
#ifndef TRAMMEL_CONTACTS3_H
#define TRAMMEL_CONTACTS3_H

#include "trammel/base.h"
#include "trammel/world3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The greatest restitution. Above 1 an impact adds energy, as the bumpers of a pinball table do. */
#define TR3_RESTITUTION_MAX 10.0f

/* The greatest number of points of one contact. */
#define TR3_CONTACT_POINTS 4

/*
 * One contact: one to four points that share a normal. A face on a face has four points (of a polygon with more
 * corners, the four that span the most), an edge on a face two, a curved surface one.
 *
 * The normal points from A to B. The separation is the distance along it from A's surface to B's. A positive separation
 * is a gap that may close in the coming step: pass such contacts too, so that fast bodies do not tunnel. A negative
 * separation is an overlap, which is pushed out softly. During a step the normal and the lever arms are constant, and
 * the separation follows the motion of the bodies. The same holds for further steps without new contacts.
 *
 * If the next set has a contact of several points again, with the same point ids in the same order, its old normal and
 * arms are kept until the bodies have turned by 0.05 rad or slid by 0.05 of the contact's size (the greatest distance
 * from its first point, or the shorter arm if that is more). The new separations are always used. This keeps tall
 * stacks standing (docs/contacts.md).
 *
 * Impulses carry over from set to set by (id, body_a, body_b), and within a contact by point_id. No two contacts of one
 * set may have the same (id, body_a, body_b). id 0 is an ordinary id; it is enough if each pair of bodies has one
 * contact. Of points with equal ids the one with the same index is meant.
 *
 * Friction acts at each point, in any direction across the normal. Torsional friction and rolling resistance are those
 * of the whole contact, for surfaces that touch in a patch which a single point stands for.
 */
typedef struct tr3_contact_def {
    tr3_body body_a, body_b;
    tr_vec3 normal;       /* of length 1 (within 5 parts in 10,000; then normalised), from A to B, in the world */
    uint32_t point_count; /* 1 to TR3_CONTACT_POINTS; values of points beyond it are not read */
    tr_dvec3 point[TR3_CONTACT_POINTS];    /* m, in the world; best halfway between the surfaces */
    float separation[TR3_CONTACT_POINTS];  /* m */
    uint32_t point_id[TR3_CONTACT_POINTS]; /* the application's, such as the index of a corner; matches points of
                                              successive sets */
    float friction;                        /* coefficient, >= 0, both static and kinetic, the same in all directions */
    float restitution;                     /* 0 .. TR3_RESTITUTION_MAX */
    float torsional_friction; /* m, >= 0: a coefficient times a radius of the patch; the torque about the normal that
                                 brakes spinning is at most this times the normal force */
    float rolling_resistance; /* m, >= 0: a coefficient times a radius; the torque against rolling, about axes across
                                 the normal, is at most this times the normal force */
    /* m/s, in the world, for conveyor belts: the velocity of B relative to A that friction drives towards; its part
       along the normal has no effect */
    tr_vec3 surface_velocity;
    uint64_t id; /* the application's */
} tr3_contact_def;

/* One point, normal (0, 1, 0), point ids 0 to 3; everything else 0. */
TR_API tr3_contact_def tr3_contact_def_default(void);

/*
 * Replaces the world's contacts by `count` others; all or none. A contact with the same id and bodies as before keeps
 * its impulses and its position in the plan, so a call with few changes is cheap. `count` 0 removes all contacts.
 * Contacts between two bodies that cannot move, or with a disabled one, are allowed and do nothing. Destroying or
 * disabling a body removes its contacts.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT (body_a is body_b), _NAN, _INFINITE, _NEGATIVE
 * (friction, restitution, torsional_friction, rolling_resistance), _ZERO (normal), _RANGE (a normal not of length 1;
 * point_count; restitution above TR3_RESTITUTION_MAX; a point too far from a body for a float; two contacts with the
 * same id and bodies, unless one of these is disabled), _MEMORY, _LIMIT.
 */
TR_API tr_status tr3_world_set_contacts(tr3_world *world, const tr3_contact_def *defs, uint32_t count);

/* The `count` of the last set. It includes contacts removed with a body, so that indices stay valid. */
TR_API uint32_t tr3_world_contact_count(const tr3_world *world);

/* The impulses of one contact; zeros for a point that it does not have, and for a contact removed with a body. All act
   on B, and the opposite ones on A. */
typedef struct tr3_contact_impulse {
    /* N s, >= 0, of the last sub-step, along the normal; the force is this divided by the sub-step's duration */
    float normal[TR3_CONTACT_POINTS];
    tr_vec3 friction[TR3_CONTACT_POINTS]; /* N s, of the last sub-step, across the normal, in the world */
    tr_vec3 rolling;                      /* N m s, of the last sub-step, across the normal, in the world */
    float torsion;                        /* N m s, of the last sub-step, about the normal */
    float total[TR3_CONTACT_POINTS]; /* N s, >= 0: normal impulse of the whole step, restitution included; for damage
                                        and sounds */
} tr3_contact_impulse;

/* Impulses of contacts `first` .. `first + count - 1`, in the order of the last set. TR_ERROR_NULL, TR_ERROR_RANGE. */
TR_API tr_status tr3_world_get_contact_impulses(const tr3_world *world, uint32_t first, uint32_t count,
                                                tr3_contact_impulse *out);

/* Stiffness of all contacts of a world, and the speeds that limit their correction and restitution. */
typedef struct tr3_contact_settings {
    /* Hz, > 0: stiffness of the correction of overlap; default 45; at most a fifth of the sub-step rate is used;
       doubled if one body is static or kinematic */
    float frequency;
    float damping_ratio; /* >= 0; default 10, so that an overlap closes slowly and without rebound */
    /* speeds in m/s, >= 0; a world begins with the defaults times its tr3_world_def.length_unit */
    float push_speed;   /* maximum speed at which an overlap is pushed out; default 3 */
    float bounce_speed; /* restitution needs a faster approach than this; default 1 */
} tr3_contact_settings;

/* The settings that a world of this length unit (m; 1: that of tr3_world_def_default()) begins with. */
TR_API tr3_contact_settings tr3_contact_settings_default(float length_unit);
/* TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (frequency). */
TR_API tr_status tr3_world_set_contact_settings(tr3_world *world, const tr3_contact_settings *settings);
TR_API tr3_contact_settings tr3_world_contact_settings(const tr3_world *world);

#ifdef __cplusplus
}
#endif

#endif
