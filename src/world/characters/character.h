/* A character during a move: what the files about it share. */
#ifndef TR_WORLD_CHARACTER_H
#define TR_WORLD_CHARACTER_H

#include "trammel/character2.h"
#include "world/core/body.h"
#include "world/plane/vector.h"

/* contacts at a place; further ones, with higher indices, are left to the casts */
#define TR2_WALKER_NEAR 32u
/* bodies whose velocities can be given back */
#define TR2_WALKER_PUSHES 64u

/* shares of the skin. Casts keep GUARD of it to everything, and all of it to what they hit. With less than LEAST
   something has moved into the skin. */
#define TR2_WALKER_GUARD 0.8
#define TR2_WALKER_LEAST 0.7

/* m/s: a velocity along `up` above it leaves the ground */
#define TR2_WALKER_RISE 1e-3

/* A surface that the character met. */
typedef struct tr2_bump {
    tr2_shape shape;
    tr2_body body;
    tr_dvec2 point;
    tr_dvec2 normal; /* outward from the shape */
} tr2_bump;

/* What it stands on. */
typedef struct tr2_stand {
    tr2_bump at;
    tr_dvec2 normal;   /* of the ground: at a corner not that of the contact */
    tr_dvec2 velocity; /* of the body's point */
    bool found;
} tr2_stand;

typedef struct tr2_walker {
    tr2_world *world;
    const tr2_character_def *def;
    tr2_shape_def shape, guarded; /* the capsule, and with the guard around it */
    tr2_query query;
    tr_dvec2 at, up, right;
    double steepest; /* cosine of max_slope */
    double skin, dt;

    /* on the ground the speed counts, along `right` and relative to the ground; in the air the velocity, in the
       world */
    bool walking;
    double speed;
    tr_dvec2 velocity;
    tr2_stand ground;

    tr2_body ignored; /* besides its own body */
    bool casting;     /* the shapes of `inside` are ignored too: they are planes instead */
    uint32_t inside_count;
    tr2_query_contact inside[TR2_WALKER_NEAR]; /* what is closer than the guard */

    double budget; /* N s, left for pushing */
    struct {
        uint32_t body; /* slot */
        float x, y, w;
    } before[TR2_WALKER_PUSHES];
    uint32_t before_count;
    tr2_character_result *result;
    tr_status status; /* of the first query or push that failed */
    tr_error error;
} tr2_walker;

/*
 * character_touch.c: what is in the way
 */

/* Prepares the query of all calls: the definition's, without what is ignored. */
void tr2_walker_ask(tr2_walker *it);
/* Moves by `way` up to the skin's distance from what is hit first; true: something was hit, and *left is the length
   that remains. */
bool tr2_walker_cast(tr2_walker *it, tr_dvec2 way, tr2_bump *hit, double *left);
/* The contacts at the current place that are closer than `margin`, without those that the character passes. */
uint32_t tr2_walker_near(tr2_walker *it, double margin, tr2_query_contact *out);
/* Least separation of a contact. */
double tr2_walker_gap(const tr2_query_contact *contact);
tr2_bump tr2_walker_bump(const tr2_walker *it, const tr2_query_contact *contact);
/* Takes from a vector what leads to the shapes that are closer than the guard. */
tr_dvec2 tr2_walker_leave(const tr2_walker *it, tr_dvec2 way);
/* Takes from a vector, in a frame in which the surface rests, what leads into it. A slope too steep to walk on turns no
   way along `right` into one along `up`. */
tr_dvec2 tr2_walker_slip(const tr2_walker *it, tr_dvec2 way, tr_dvec2 normal);
/* The first surface on a ray; its normal is zero if there is none. */
tr_dvec2 tr2_walker_look(tr2_walker *it, tr_dvec2 from, tr_dvec2 way);

/* The character's velocity in the world, and that of a body's point. */
tr_dvec2 tr2_walker_velocity(const tr2_walker *it);
tr_dvec2 tr2_walker_point_velocity(const tr2_walker *it, tr2_body body, tr_dvec2 point);
/* Runs into a surface: lists it, pushes its body, and slows the character down to its velocity. */
void tr2_walker_strike(tr2_walker *it, const tr2_bump *bump);
/* Gives a dynamic body an impulse in N s. */
void tr2_walker_push(tr2_walker *it, const tr2_bump *bump, tr_dvec2 impulse);
/* Gives all pushed bodies the velocities back that they had. */
void tr2_walker_undo(tr2_walker *it);

/*
 * character_walk.c: where it goes
 */

/* Out of what has moved into it. */
void tr2_walker_recover(tr2_walker *it);
/* By the way of the ground, sliding along what stops it. */
void tr2_walker_carry(tr2_walker *it, tr_dvec2 way);
/* What it stands on, at most `drop` below its foot; the second function also goes down to it. */
tr2_stand tr2_walker_ground(tr2_walker *it, double drop);
void tr2_walker_settle(tr2_walker *it, double drop);
/* Its own motion during the time that is left. */
void tr2_walker_go(tr2_walker *it, tr_dvec2 velocity);

#endif
