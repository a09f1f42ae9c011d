/*
 * Outlines of shapes: lines and arcs, counter-clockwise. Forces are integrals along them; cuts make these smooth, and
 * samples by Gauss's rule of five points then integrate them nearly exactly.
 */
#ifndef TR_WORLD_OUTLINE_H
#define TR_WORLD_OUTLINE_H

#include "collide/geometry/geometry.h"
#include "collide/geometry/moments.h"
#include "world/plane/vector.h"

typedef struct tr2_piece {
    tr_dvec2 from, to;
    tr_dvec2 normal_from, normal_to; /* outward unit vectors; of a line the same */
    tr_dvec2 center;                 /* of an arc */
    double radius;                   /* of an arc, of at most a quarter turn; 0: a line */
} tr2_piece;

/* a line and two arcs per corner at most */
#define TR2_PIECES (3u * TR2_MAX_CORNERS)

typedef struct tr2_outline {
    uint32_t count;
    bool has_area; /* else it is both sides of a line */
    tr2_piece piece[TR2_PIECES];
} tr2_outline;

/* Where a body is: its centre of mass is the origin of outlines. */
typedef struct tr2_turned {
    tr_vec2 center; /* m, the centre of mass in the body's frame */
    double c, s;
} tr2_turned;

void tr2_outline_make(const tr2_geometry *geometry, const tr2_turned *at, tr2_outline *out);

/* Cuts a piece where axis.x = level; returns the number of parts, 1 to 3, in order. */
uint32_t tr2_piece_cut(const tr2_piece *piece, tr_dvec2 axis, double level, tr2_piece out[3]);
/* A point in the middle. */
tr_dvec2 tr2_piece_middle(const tr2_piece *piece);

#define TR2_SAMPLES 5u

typedef struct tr2_sample {
    tr_dvec2 point, normal;
    double length; /* m: weight */
} tr2_sample;

void tr2_piece_samples(const tr2_piece *piece, tr2_sample out[TR2_SAMPLES]);

/* The moments of the part of the shape where axis.x <= level, about the origin. */
tr2_moments tr2_outline_moments(const tr2_outline *outline, tr_dvec2 axis, double level);

#endif
