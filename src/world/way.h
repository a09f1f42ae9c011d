/* The way of a body through a step, and how far a shape may go on it until it sinks into another. */
#ifndef TR_WORLD_WAY_H
#define TR_WORLD_WAY_H

#include "collide/geometry.h"
#include "solver/system.h"

/* m; less is never fast; and how near two shapes are where they are said to meet */
#define TR2_FAST_LEAST 0.005
#define TR2_MEET       0.004f

/* The radius of a disc about a shape's middle that is within it; of a line 0. */
float tr2_geometry_inner(const tr2_geometry *geometry);

/* Whether a shape that has gone so far (m) may have passed through something thin. */
bool tr2_is_fast(const tr2_geometry *geometry, double way);

/* m; what is less deep in something than this is not looked at */
#define TR2_DEEP_LEAST 0.0025f
/* Whether a shape is so deep in something (m) that its middle may come to the other side before it is fast. */
bool tr2_is_deep(const tr2_geometry *geometry, float depth);

/* A body's way through a step, or through the rest of one, seen from a place near. */
typedef struct tr2_track {
    tr_vec2 center; /* of mass, in the body's frame */
    tr_vec2 start;  /* of the centre of mass */
    tr2_motion motion;
    double angle; /* at the start */
} tr2_track;

/* Of a body that has its motion before it, or behind it (`done`). */
tr2_track tr2_track_of(const tr2_bodies *bodies, uint32_t body, tr_dvec2 from, tr2_motion motion, bool done);
/* What is left of a way after a part of it, from 0 to 1. */
tr2_track tr2_track_rest(const tr2_track *it, float part);
/* Where a body is at a part of its way. */
tr2_transform tr2_track_at(const tr2_track *it, float part);
/* How a body goes on that is carried along by another, as if it were fixed to it, from a place on. */
tr2_motion tr2_track_carry(const tr2_track *by, tr_vec2 place);

/* rad, by which a shape turns on a way; a disc that turns about its middle is where it was */
float tr2_turn_of(const tr2_geometry *geometry, const tr2_track *it);
/* Whether something turns so often that it is all of the disc that it turns in, and that disc about its centre of mass. */
bool tr2_is_blurred(const tr2_geometry *geometry, const tr2_track *way);
tr2_geometry tr2_disc_of(const tr2_geometry *geometry, tr_vec2 center);

/* Whether one may come at a chain's segment from its right: from behind there is none, and what goes away does not meet it.
   True of all other kinds. */
bool tr2_comes_at(const tr2_geometry *chain, const tr2_track *way_chain, const tr2_geometry *geometry,
                  const tr2_track *way);
/* The first impact on two ways: tr2_time_of_impact() for turns of any size up to that of what is blurred. */
tr2_impact tr2_first_impact(const tr2_geometry *a, const tr2_track *way_a, const tr2_geometry *b,
                            const tr2_track *way_b);
/* The part of its way, from 0 to 1, that a body goes until a shape of it sinks into another; 1: it does not. */
float tr2_free_part(const tr2_geometry *self, const tr2_track *way, const tr2_geometry *other,
                    const tr2_track *other_way);

#endif
