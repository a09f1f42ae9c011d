/*
 * Characters: capsules that the application moves, not the solver. A character walks on slopes up to a limit, climbs
 * and descends steps, rides on bodies that move and turn, slides along walls and pushes dynamic bodies. It stays
 * upright.
 *
 * The application owns a tr2_character: plain data that it may copy, keep and write. A move changes nothing in the
 * world but the velocities of the dynamic bodies that the character pushes or stands on. The world does not know of the
 * character: give it a kinematic body if bodies, rays or other characters are to meet it (tr2_character_def.body).
 *
 * docs/characters.md explains the rules.
 */
#ifndef TRAMMEL_CHARACTER2_H
#define TRAMMEL_CHARACTER2_H

#include "trammel/base.h"
#include "trammel/queries2.h"
#include "trammel/shapes2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tr2_character_def {
    float radius;    /* m, > 0; default 0.3 */
    float height;    /* m, from foot to head, at least twice the radius; default 1.8 */
    tr_vec2 up;      /* a direction, not zero; default (0, 1) */
    float max_slope; /* rad, 0 .. 1.5; the steepest ground that it can stand and walk on; default 0.873 (50 degrees) */
    float step_up;   /* m, >= 0; the highest step that it climbs; default 0.35 */
    float step_down; /* m, >= 0; while walking it stays on ground that drops by no more than this; default 0.35 */
    float skin;      /* m, > 0, less than the radius; the gap that it keeps to everything; default 0.01 */
    float mass;      /* kg, >= 0; its weight presses on dynamic bodies under it; default 80 */
    float max_force; /* N, >= 0; the greatest force with which it pushes dynamic bodies, all together; default 500 */
    tr2_query query; /* what is in its way; `index` of `accept` is 0. Default: all but sensors */
    tr2_body body;   /* ignored: its own body, if it has one; default none */
} tr2_character_def;

TR_API tr2_character_def tr2_character_def_default(void);

/* A character between two moves. */
typedef struct tr2_character {
    tr2_character_def def; /* may be changed between moves */
    tr_dvec2 position;     /* m, of its foot, the lowest point of the capsule; to teleport it, write it */
    tr2_body ground;       /* the body on which it stands; null: it is in the air */
    /* the point of that body under it: in the body's frame, and in the world when the last move ended; m */
    tr_dvec2 ground_anchor, ground_point;
} tr2_character;

/* A character in the air. */
static inline tr2_character tr2_character_at(const tr2_character_def *def, tr_dvec2 position)
{
    tr2_character character = {*def, position, {0, 0, 0}, {0.0, 0.0}, {0.0, 0.0}};
    return character;
}

/* The capsule in a frame at the character's position, without rotation: for queries and for a body of its own. A circle
   if the height is twice the radius. Checks nothing. */
TR_API tr2_shape_def tr2_character_shape(const tr2_character_def *def);

#define TR2_CHARACTER_HITS 16

/* Something that the character ran into, or that ran into it. */
typedef struct tr2_character_hit {
    tr2_shape shape;
    tr2_body body;
    tr_dvec2 point;  /* m, in the world */
    tr_vec2 normal;  /* of length 1, outward from the shape */
    tr_vec2 impulse; /* N s, that the body has received */
} tr2_character_hit;

typedef struct tr2_character_result {
    tr_dvec2 position; /* m, as in the character */
    /* m/s, what is left of the velocity: that of the next move, before gravity and the player's wishes. Relative to the
       ground if it stands on any, then without a part along `up`; otherwise to the world */
    tr_vec2 velocity;
    bool on_ground;
    bool crushed;            /* overlaps something by more than its skin and found no way out */
    tr_vec2 ground_normal;   /* these are zero in the air */
    tr_vec2 ground_velocity; /* m/s, of the ground's point under it */
    tr2_body ground;
    tr2_shape ground_shape;
    uint32_t hit_count; /* of the entries below; further hits are not listed */
    tr2_character_hit hits[TR2_CHARACTER_HITS];
} tr2_character_result;

/*
 * Moves a character by `velocity` (m/s) during `dt` seconds. Call it after each step of the world, with the same dt:
 * first it goes where the ground has carried it, then where bodies have pushed it, then by its own motion. The velocity
 * is relative to the ground if the character stands on any (`ground`), otherwise to the world. On the ground its part
 * along `up` counts only if it is above 1 mm/s: then the character jumps. The application adds gravity.
 * dt 0: no motion of its own and no pushes; finds out what it stands on.
 *
 * Errors: TR_ERROR_NULL, _NAN, _INFINITE, _NEGATIVE, _ZERO (radius, height, skin, `up`), _RANGE (height, max_slope,
 * skin; a motion or a pushed body's velocity beyond the range of floats), _STALE_ID, _FOREIGN_ID (def.body), _LIMIT. A
 * ground that was destroyed or disabled is no error.
 */
TR_API tr_status tr2_character_move(tr2_world *world, tr2_character *character, tr_vec2 velocity, float dt,
                                    tr2_character_result *result);

#ifdef __cplusplus
}
#endif

#endif
