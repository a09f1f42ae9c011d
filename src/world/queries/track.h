/* The motion of a body through a step, and how far a shape may move before it sinks into another. */
#ifndef TR_WORLD_TRACK_H
#define TR_WORLD_TRACK_H

#include "collide/geometry/geometry.h"
#include "solver/core/system.h"

/* Lengths in this file are multiples of the world's length unit (`unit`, in m). */

/* units; a smaller displacement is never fast; and the distance at which shapes are considered to meet */
#define TR2_FAST_LEAST 0.005
#define TR2_MEET       0.004f

/* relative to the inner radius: greatest displacement that is not followed */
#define TR2_FAST_SHARE 0.5

/* Whether a shape with a displacement of `travel` (m) may have passed through something thin. */
static inline bool tr2_is_fast(const tr2_geometry *geometry, double travel, float unit)
{
    return travel > TR2_FAST_LEAST * (double)unit && travel > TR2_FAST_SHARE * (double)geometry->inner;
}

/* units; smaller overlaps are ignored */
#define TR2_DEEP_LEAST 0.0025f
/* Whether a shape is so deep (m) in another that its centre may reach the other side before it counts as fast. */
bool tr2_is_deep(const tr2_geometry *geometry, float depth, float unit);

/* A body's motion through a step or the rest of one, relative to a nearby point. */
typedef struct tr2_track {
    tr_vec2 center; /* of mass, in the body's frame */
    tr_vec2 start;  /* of the centre of mass */
    tr_vec2 lost;   /* what rounding has taken from it */
    tr2_motion motion;
    double angle; /* at the start */
} tr2_track;

/* The motion of a body from its current pose on, or up to it (`done`). */
static inline tr2_track tr2_track_of(const tr2_bodies *bodies, uint32_t body, tr_dvec2 from, tr2_motion motion,
                                     bool done)
{
    double share = done ? 1.0 : 0.0;
    tr2_track out = {.center = tr2_body_center(bodies, body), .motion = motion};
    double x = bodies->center_x[body] - from.x - share * (double)motion.x;
    double y = bodies->center_y[body] - from.y - share * (double)motion.y;
    out.start = (tr_vec2){(float)x, (float)y};
    out.lost = (tr_vec2){(float)(x - (double)out.start.x), (float)(y - (double)out.start.y)};
    out.angle = bodies->angle[body] - share * (double)motion.turn;
    return out;
}

/* The rest of a motion after a fraction of it, from 0 to 1. */
tr2_track tr2_track_rest(const tr2_track *it, float part);
/* The transform of a body at a fraction of its motion. */
tr2_transform tr2_track_at(const tr2_track *it, float part);
/* The motion of a point that is carried along by another body, as if fixed to it. */
tr2_motion tr2_track_carry(const tr2_track *by, tr_vec2 place);

/* rad, rotation of a shape in a motion; 0 for a disc around its centre of mass */
float tr2_turn_of(const tr2_geometry *geometry, const tr2_track *it);
/* rad; no time of impact follows a larger rotation in a step */
#define TR2_BLURRED_TURN 16.0f
/* Whether a shape rotates so fast that it is treated as the disc that it sweeps; and that disc, around its centre of
   mass. */
bool tr2_is_blurred(const tr2_geometry *geometry, const tr2_track *track);
tr2_geometry tr2_disc_of(const tr2_geometry *geometry, tr_vec2 center);

/* Whether a shape may approach a chain segment from its right side: it must not start behind the segment or move
   away from it. True for all other kinds, and for lines: they may be far longer than the segment, so that only their
   impact tells. */
bool tr2_comes_at(const tr2_geometry *chain, const tr2_track *track_chain, const tr2_geometry *geometry,
                  const tr2_track *track);
/* Whether a direction away from a shape, at a fraction of its motion, leads from the side of it that collides: not
   behind a segment of a chain. */
bool tr2_meets_front(const tr2_geometry *shape, const tr2_track *track, float part, tr_vec2 away);
/* The first time at which two motions bring shapes, and the skin between lines, within `target` (m):
   tr2_time_of_impact() for rotations up to those of blurred shapes, to within a quarter of it. */
tr2_motion_impact tr2_first_impact(const tr2_geometry *a, const tr2_track *track_a, const tr2_geometry *b,
                                   const tr2_track *track_b, float target, float unit);
/* The fraction of its motion, from 0 to 1, after which a body's shape sinks into another; 1: it does not. */
float tr2_free_part(const tr2_geometry *self, const tr2_track *track, const tr2_geometry *other,
                    const tr2_track *other_track, float unit);
/*
 * The rest of a motion after its impact with a body that may give way. What runs into the other goes slower, along its
 * own way: a joint that led it there still holds. If the other would still come into it, by no more than shapes may
 * sink in, it is pushed out of its way along the normal. Else it moves on with the point of the other that it touches,
 * and does not turn: as if fixed to it, a long shape would be thrown by something light that spins.
 */
tr2_motion tr2_track_push(const tr2_geometry *self, const tr2_track *track, const tr2_geometry *other,
                          const tr2_track *other_track, float unit);

#endif
