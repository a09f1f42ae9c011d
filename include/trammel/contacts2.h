/*
 * Contacts that a host finds by itself and gives to a world: points where two bodies touch or soon will, with friction,
 * restitution and rolling resistance. Trammel solves them together with the joints, in the same colours and lanes, and
 * gives the impulses back. It finds none: which shapes there are and where they meet is the host's affair.
 *
 * The loop of a host: step the world, read the transforms, find contacts, tr2_world_set_contacts(), step again.
 * docs/contacts.md has the derivation and advice.
 */
#ifndef TRAMMEL_CONTACTS2_H
#define TRAMMEL_CONTACTS2_H

#include "trammel/base.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One contact: one or two points that share a normal. Two points are what an edge on an edge has; curves have one.
 *
 * The normal points from A to B; the separation is the distance along it from A's surface to B's. Greater than 0: a gap,
 * which may close in the coming step (give contacts that near, so that fast bodies do not pass through); less than 0: an
 * overlap, which is pushed out softly. During a step normal and lever arms stay as given, and the separation follows the
 * bodies' motion, also where a world is stepped again without new contacts. Of two points that are kept, with their ids,
 * normal and arms also stay from set to set until the bodies have turned by 0.05 rad or slid by 0.05 of the contact's size
 * (the distance between the points, or the shorter arm): tall stacks stand by that (docs/contacts.md). The separation is
 * always the one given.
 *
 * Impulses carry over from set to set by (id, body_a, body_b), and by point_id within. Two contacts of one set must not
 * have all three the same; id 0 is an id like any other, and enough where a pair of bodies has one contact. Where the two
 * point ids are equal (or all 0), points are told apart by their place in the array.
 */
typedef struct tr2_contact_def {
    tr2_body body_a, body_b;
    tr_vec2 normal;       /* of length 1 (to 5 parts in 10,000; made exact), from A to B, in the world */
    uint32_t point_count; /* 1 or 2; numbers of a point beyond are not read */
    tr_dvec2 point[2];    /* m, in the world: best halfway between the surfaces */
    float separation[2];  /* m */
    uint32_t point_id[2]; /* the host's: which corner, say; keeps a point's impulses where its place changes */
    float friction;       /* coefficient, >= 0, of sticking and sliding alike */
    float restitution;    /* 0 .. 1 */
    /* m/s that friction drives B at against A, along the normal turned a quarter counter-clockwise; conveyor belts */
    float tangent_speed;
    float rolling_resistance; /* m, >= 0: a coefficient times a radius; the torque against rolling is at most this times
                                 the normal force */
    uint64_t id;              /* the host's */
} tr2_contact_def;

/* One point, all other numbers 0, normal (0, 1), point ids 0 and 1. */
TR_API tr2_contact_def tr2_contact_def_default(void);

/*
 * Replaces the world's contacts by `count` others; all or none. What is kept (same id, same bodies) keeps its impulses and
 * its place in the plan, which makes a call with few changes cheap. `count` 0 takes all contacts away. Contacts between
 * two bodies that cannot move are allowed and do nothing. Destroying a body takes its contacts out.
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _SELF_JOINT (body_a is body_b), _NAN, _INFINITE, _NEGATIVE
 * (friction, rolling_resistance, restitution), _ZERO (normal), _RANGE (a normal not of length 1; point_count;
 * restitution above 1; a point too far from a body for a float; two contacts that are the same), _MEMORY, _LIMIT.
 */
TR_API tr_status tr2_world_set_contacts(tr2_world *world, const tr2_contact_def *defs, uint32_t count);

/* How many contacts were last set. Those that went with a body still count, so that places stay. */
TR_API uint32_t tr2_world_contact_count(const tr2_world *world);

/* What one contact did; zeros for a point that it does not have, or where it went with a body. */
typedef struct tr2_contact_impulse {
    float normal[2];  /* N s, >= 0, of the last sub-step, on B along the normal; over its length: the force */
    float tangent[2]; /* N s, of the last sub-step, on B along the normal turned a quarter counter-clockwise; two points
                         rub as one, and have shares of it as of the load */
    float rolling;    /* N m s, of the last sub-step, on B */
    float total[2];   /* N s, >= 0: of the normal over the whole step, with what bounced; for damage and sounds */
} tr2_contact_impulse;

/* Impulses of contacts `first` .. `first + count - 1`, in the order of the last set. TR_ERROR_NULL, TR_ERROR_RANGE. */
TR_API tr_status tr2_world_get_contact_impulses(const tr2_world *world, uint32_t first, uint32_t count,
                                                tr2_contact_impulse *out);

/* How all contacts of a world are held. */
typedef struct tr2_contact_settings {
    float frequency;     /* Hz, > 0: of pushing out an overlap; at most a fifth of the sub-step rate is used; twice that
                        with what cannot move; default 45 */
    float damping_ratio; /* >= 0; default 10: an overlap creeps out and does not spring out */
    float push_speed;    /* m/s, >= 0: the fastest that an overlap is pushed out; default 3 */
    /* m/s, >= 0: restitution acts on points that approach faster; default 1, so that resting rests */
    float bounce_speed;
} tr2_contact_settings;

TR_API tr2_contact_settings tr2_contact_settings_default(void);
/* TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (frequency). */
TR_API tr_status tr2_world_set_contact_settings(tr2_world *world, const tr2_contact_settings *settings);
TR_API tr2_contact_settings tr2_world_contact_settings(const tr2_world *world);

#ifdef __cplusplus
}
#endif

#endif
