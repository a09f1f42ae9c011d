/*
 * The geometry of convex shapes: hulls, mass, bounds, contact points, distances, times of impact, casts. Pure functions:
 * no world, no memory, no tables; the same bits on every machine (plain float arithmetic and square roots, no libm).
 *
 * A shape is a core (a point, a line between two points, a convex polygon) and a radius around it. Lengths are in
 * metres. Frames: whatever has two shapes works in A's frame, where the pose of B is a difference of doubles rounded to
 * float (tr2_pose_between), so that nothing depends on how far from the origin the bodies are.
 */
#ifndef TR2_COLLIDE_GEOMETRY_H
#define TR2_COLLIDE_GEOMETRY_H

#include "trammel/base.h"
#include "trammel/world2.h"

#define TR2_MAX_CORNERS 16

typedef enum tr2_geometry_kind {
    TR2_GEOMETRY_CIRCLE,  /* one corner: the centre */
    TR2_GEOMETRY_CAPSULE, /* two corners: the centres of its ends */
    TR2_GEOMETRY_SEGMENT, /* two corners; both sides collide */
    TR2_GEOMETRY_CHAIN, /* a segment of a chain: two corners, then the chain's corner before and the one after as ghosts */
    TR2_GEOMETRY_POLYGON, /* 3 to 16 corners, convex, counter-clockwise; the radius rounds it outward */
    TR2_GEOMETRY_KIND_COUNT
} tr2_geometry_kind;

/* A corner and the outward unit normal of the edge from it to the next. A circle's normal is zero. */
typedef struct tr2_corner {
    tr_vec2 point;
    tr_vec2 normal;
} tr2_corner;

/* One convex shape in its body's frame. Corners are read by fours, and those beyond `count` repeat the first; only
   tr2_geometry_size() bytes are ever read, so that a shape may be stored in as many. */
typedef struct tr2_geometry {
    uint8_t kind;   /* tr2_geometry_kind */
    uint8_t count;  /* corners of the core; a chain segment's two ghosts not counted */
    uint8_t ghosts; /* chain: bit 0: there is a corner before, bit 1: there is one after; they are corners 2 and 3, each
                        with the normal of the neighbouring segment */
    uint8_t convex; /* chain: bit 0: solid and convex at the first corner, bit 1: at the second */
    float radius;   /* around the core, >= 0 */
    tr_vec2 center; /* of the area; of a line: its middle */
    float extent;   /* no point of the shape is farther than this from `center` */
    tr2_corner corners[TR2_MAX_CORNERS];
} tr2_geometry;

/* Bytes of a shape that are in use. */
size_t tr2_geometry_size(const tr2_geometry *geometry);

/*
 * Making shapes (hull.c)
 *
 * Errors of all: TR_ERROR_NULL, TR_ERROR_NAN, TR_ERROR_INFINITE (also: a coordinate or radius above 1e9 m),
 * TR_ERROR_NEGATIVE (radius), TR_ERROR_ZERO (a circle or capsule without radius, a line without length, a polygon
 * without area), TR_ERROR_RANGE (a hull of more than 16 corners). `out` is not touched then.
 */
tr_status tr2_geometry_circle(tr_vec2 center, float radius, tr2_geometry *out);
tr_status tr2_geometry_capsule(tr_vec2 end0, tr_vec2 end1, float radius, tr2_geometry *out);
tr_status tr2_geometry_segment(tr_vec2 end0, tr_vec2 end1, tr2_geometry *out);
/* A segment that is solid to the left of the way from `end0` to `end1` and collides on its right: an outline that runs
   counter-clockwise is solid inside. `before` and `after`: the chain's neighbouring corners, or null where the chain ends;
   an end without neighbour is round. */
tr_status tr2_geometry_chain(const tr_vec2 *before, tr_vec2 end0, tr_vec2 end1, const tr_vec2 *after,
                             tr2_geometry *out);
/* The convex hull of `count` points in any order, rounded outward by `radius` (>= 0). Points that stand out from the
   line of their neighbours by no more than 1e-5 of the hull's size (or by what floats can tell apart) are dropped. Any
   number of points may be given; fewer than 3 corners left is TR_ERROR_ZERO, more than 16 TR_ERROR_RANGE. */
tr_status tr2_hull_make(const tr_vec2 *points, uint32_t count, float radius, tr2_geometry *out);
/* A box of the given half sides about `center`, turned by (c, s), rounded outward by `radius`. */
tr_status tr2_geometry_box(float half_x, float half_y, tr_vec2 center, float c, float s, float radius,
                           tr2_geometry *out);

/*
 * Mass and bounds (shape_geometry.c)
 */
typedef struct tr2_shape_mass {
    double mass;     /* kg */
    tr_dvec2 center; /* m, of mass, in the body's frame */
    double inertia;  /* kg m^2, about `center` */
} tr2_shape_mass;

/* Exact, roundings included. Segments and chains have none. `density` in kg/m^2. */
tr2_shape_mass tr2_geometry_mass(const tr2_geometry *geometry, double density);

typedef struct tr2_bounds {
    tr_vec2 lower, upper;
} tr2_bounds;

/* The box around the shape of a body turned by (c, s), relative to the body's origin and along the world's axes, rounded
   outward: it holds the shape whatever the rounding of floats. Add the body's position in double. */
tr2_bounds tr2_geometry_bounds(const tr2_geometry *geometry, float c, float s);

/* No point of the shape is farther than this from `point` (of the body's frame). */
float tr2_geometry_reach(const tr2_geometry *geometry, tr_vec2 point);

/*
 * Poses
 */
typedef struct tr2_pose {
    tr_vec2 p;  /* m */
    float c, s; /* cosine and sine of the angle */
} tr2_pose;

/* B's pose in the frame of A. */
tr2_pose tr2_pose_between(const tr2_transform *a, const tr2_transform *b);

/*
 * Contact points (manifold.c and its neighbours)
 */
typedef struct tr2_manifold_point {
    tr_vec2 point;    /* m, halfway between the surfaces, in A's frame */
    float separation; /* m, along the normal; below 0: overlap */
    uint32_t id;      /* which corners meet: the same from step to step while they do */
} tr2_manifold_point;

typedef struct tr2_manifold {
    tr_vec2 normal; /* of length 1, in A's frame, from A to B */
    uint32_t count; /* 0: farther than the margin; 1 or 2 */
    tr2_manifold_point points[2];
} tr2_manifold;

/* Where two shapes touch, or are nearer than `margin` (m, >= 0). All pairs of kinds but those of two chain segments, of
   which nothing comes; a chain segment gives nothing where the other's centre is behind it (and not around a corner). */
tr2_manifold tr2_collide(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin);

/* Where a shape is in the world, and how it goes. */
typedef struct tr2_mover {
    double x, y;                  /* m: its middle, of a circle the centre */
    float velocity_x, velocity_y; /* m/s, there */
    float spin;                   /* rad/s; of a circle 0: it is where it was */
    float extent;                 /* m; of a circle its radius, of others no point is farther from the middle */
    float arm_x, arm_y;           /* m, from the centre of mass of its body to the middle */
    float half_x, half_y;         /* m; no point is farther from the middle along the axes */
} tr2_mover;

/* Many pairs of circles at once, as in crowds. A pair has a contact where it is nearer than a margin of what is speculative and
   of what it comes nearer in `dt` at its speed, but of that no more than the smaller radius. */
typedef struct tr2_circle_pairs {
    const tr2_mover *const *a, *const *b; /* `count` of each */
    uint32_t count;
    float speculative; /* m */
    float dt;          /* s */
} tr2_circle_pairs;

/* Pairs that share one tr2_circle_bits. */
#define TR2_CIRCLES_AT_ONCE 16u

/* A bit for each of 16 pairs: it has a contact; its circles come nearer by more than the smaller radius. */
typedef struct tr2_circle_bits {
    uint32_t near, passing;
} tr2_circle_bits;

/* Where pair i has a contact, out[place[i]] becomes what tr2_collide() gives, bit by bit, in the axes of the world; but the two
   points are the one there is, seen from the centre of mass of A's body and from that of B's. Nothing else is written. In lanes
   of the instruction set in use. */
void tr2_collide_circles(const tr2_circle_pairs *pairs, const uint32_t *place, tr2_manifold *out,
                         tr2_circle_bits *bits);

/* Two shapes as tr2_collide() looks at them. */
typedef struct tr2_shape_pair {
    const tr2_geometry *a, *b;
    tr2_pose b_in_a;
    float margin; /* m */
} tr2_shape_pair;

/* polygons of four corners, boxes most of them, as in debris and masonry */
static inline bool tr2_is_quad(const tr2_geometry *geometry)
{
    return geometry->kind == TR2_GEOMETRY_POLYGON && geometry->count == 4;
}

/* What tr2_collide() gives for each pair of such polygons, bit by bit; several at once in the lanes of the instruction set in
   use. */
void tr2_collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

/*
 * Distances (distance.c). Chain segments count as plain segments.
 */
typedef struct tr2_distance_result {
    float distance;           /* m, between the surfaces; 0 where they overlap */
    tr_vec2 point_a, point_b; /* nearest points of the surfaces, in A's frame; where they overlap, a point of both */
    tr_vec2 normal;           /* of length 1, from A to B; zero where the cores touch or overlap */
} tr2_distance_result;

tr2_distance_result tr2_distance(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b);

typedef struct tr2_nearest_result {
    float distance; /* m, to the surface; below 0 inside */
    tr_vec2 point;  /* of the surface */
    tr_vec2 normal; /* outward, of length 1 */
} tr2_nearest_result;

/* The point of the surface nearest to a point of the body's frame. */
tr2_nearest_result tr2_geometry_nearest(const tr2_geometry *geometry, tr_vec2 point);
/* Whether a point of the body's frame is inside or on the surface. Never for segments and chains. */
bool tr2_geometry_contains(const tr2_geometry *geometry, tr_vec2 point);

/*
 * Time of impact (time_of_impact.c)
 */

/* The motion of a body in one step, in a frame that both bodies share (say A's origin at the start, the world's axes): its
   centre of mass goes straight, its rotation runs from one to the other the shorter way. */
typedef struct tr2_sweep {
    tr_vec2 center;     /* of mass, in the body's frame */
    tr_vec2 start, end; /* of the centre of mass */
    float c0, s0, c1, s1;
} tr2_sweep;

/* The pose at time `t` (0 .. 1) of a motion. */
tr2_pose tr2_sweep_pose(const tr2_sweep *sweep, float t);

typedef enum tr2_impact_state {
    TR2_IMPACT_NONE,    /* farther than the target all the way; time is 1 */
    TR2_IMPACT_HIT,     /* at `time` they are at the target distance, and were farther before */
    TR2_IMPACT_OVERLAP, /* nearer than the target to begin with; time is 0 */
    TR2_IMPACT_SLOW     /* the search ended early: they were farther up to `time`, and more is not known */
} tr2_impact_state;

typedef struct tr2_impact {
    tr2_impact_state state;
    float time;     /* 0 .. 1 */
    tr_vec2 point;  /* at `time`, halfway between the surfaces; valid on HIT and SLOW */
    tr_vec2 normal; /* at `time`, from A to B; valid on HIT and SLOW */
} tr2_impact;

/* When two moving shapes first come as near as `target` (m, >= 0), to within `tolerance` (m, > 0). By conservative
   advancement: never past an impact. TR2_IMPACT_SLOW can come of a body that turns by more than 2 rad. Chain segments count
   as plain segments. */
tr2_impact tr2_time_of_impact(const tr2_geometry *a, const tr2_sweep *sweep_a, const tr2_geometry *b,
                              const tr2_sweep *sweep_b, float target, float tolerance);

/*
 * Casts (cast.c), in the frame of the shape that is hit
 */
typedef struct tr2_cast_result {
    bool hit;
    float fraction; /* 0 .. 1 of the translation */
    tr_vec2 point;  /* of the surface that is hit */
    tr_vec2 normal; /* of that surface, of length 1; zero where the cast began inside, which hits at 0 */
} tr2_cast_result;

/* A ray from `origin` along `translation`. Chain segments are hit from their right side only. */
tr2_cast_result tr2_geometry_ray_cast(const tr2_geometry *geometry, tr_vec2 origin, tr_vec2 translation);
/* Shape B moved along `translation` (in A's frame, without turning) until it touches A. Chain segments as for rays. */
tr2_cast_result tr2_geometry_shape_cast(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                        tr_vec2 translation);

#endif
