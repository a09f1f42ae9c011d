/*
 * Geometry of convex shapes: hulls, mass, bounds, contacts, distances, times of impact, casts. Pure functions without
 * world, memory or tables; the results are bit-identical on every machine (plain float arithmetic and square roots, no
 * libm).
 *
 * A shape is a core (a point, a line, or a convex polygon) with a radius around it. Lengths are in metres. Lengths that
 * do not come from the shapes, such as the skin of lines, are multiples of a world's length unit: `unit`, in metres.
 * Functions of two shapes work in A's frame; B's pose there is a difference of doubles rounded to float
 * (tr2_pose_between), so that results do not depend on the distance of the bodies from the world's origin.
 */
#ifndef TR2_COLLIDE_GEOMETRY_H
#define TR2_COLLIDE_GEOMETRY_H

#include <math.h>

#include "base/finite.h"
#include "trammel/base.h"
#include "trammel/world2.h"

#define TR2_MAX_CORNERS 16

typedef enum tr2_geometry_kind {
    TR2_GEOMETRY_CIRCLE,  /* one corner: the centre */
    TR2_GEOMETRY_CAPSULE, /* two corners: the centres of the ends */
    TR2_GEOMETRY_SEGMENT, /* two corners; collides on both sides */
    TR2_GEOMETRY_CHAIN,   /* a chain segment: two corners, then the chain's corners before and after it as ghosts */
    TR2_GEOMETRY_POLYGON, /* 3 to 16 corners, convex, counter-clockwise; the radius rounds it outward */
    TR2_GEOMETRY_KIND_COUNT
} tr2_geometry_kind;

/* A corner, and the outward unit normal of the edge from it to the next. Zero for a circle. */
typedef struct tr2_corner {
    tr_vec2 point;
    tr_vec2 normal;
} tr2_corner;

/* A convex shape in its body's frame. Corners are read in groups of four, and those beyond `count` repeat the first; of
   a circle's only the point is read. Only tr2_geometry_size() bytes are ever read, so a shape can be stored in that
   many. */
typedef struct tr2_geometry {
    uint8_t kind;   /* tr2_geometry_kind */
    uint8_t count;  /* corners of the core, without a chain segment's ghosts */
    uint8_t ghosts; /* chain: bit 0: there is a corner before, bit 1: there is one after; they are corners 2 and 3, each
                        with the normal of the neighbouring segment */
    uint8_t convex; /* chain: bit 0: solid and convex at the first corner, bit 1: at the second */
    float radius;   /* around the core, >= 0 */
    tr_vec2 center; /* of the area; of a line: its midpoint */
    float extent;   /* greatest distance of a point of the shape from `center` */
    float inner;    /* radius of a disc around `center` that is inside the shape; 0 for a line */
    /* m; half the sides of a rectangle around `center`, along the body's axes, that contains the shape with room for
       rounding errors; of a chain segment everything, because it may get contacts beyond its end */
    tr_vec2 half;
    tr2_corner corners[TR2_MAX_CORNERS];
} tr2_geometry;

/* Number of bytes of a shape that are used. */
size_t tr2_geometry_size(const tr2_geometry *geometry);

/*
 * Creation of shapes (hull.c)
 *
 * Errors of all functions: TR_ERROR_NULL, TR_ERROR_NAN, TR_ERROR_INFINITE (also a coordinate or radius above 1e9
 * units),
 * TR_ERROR_NEGATIVE (radius), TR_ERROR_ZERO (a circle or capsule without radius, a line of at most 1e-6 units, a
 * polygon without area), TR_ERROR_RANGE (a hull with more than 16 corners). On an error, `out` is unchanged.
 */
tr_status tr2_geometry_circle(float unit, tr_vec2 center, float radius, tr2_geometry *out);
tr_status tr2_geometry_capsule(float unit, tr_vec2 end0, tr_vec2 end1, float radius, tr2_geometry *out);
tr_status tr2_geometry_segment(float unit, tr_vec2 end0, tr_vec2 end1, tr2_geometry *out);
/* A segment that is solid on the left of the direction from `end0` to `end1` and collides on its right, so that a
   counter-clockwise outline is solid inside. `before` and `after`: the chain's neighbouring corners, or null at an
   end of the chain; such an end is round. */
tr_status tr2_geometry_chain(float unit, const tr_vec2 *before, tr_vec2 end0, tr_vec2 end1, const tr_vec2 *after,
                             tr2_geometry *out);
/* The convex hull of `count` points in any order, rounded outward by `radius` (>= 0). Points that stand out from
   their neighbours' line by at most 1e-5 of the hull's size (or by the rounding error) are dropped. The number of
   points is not limited. With fewer than 3 corners left: TR_ERROR_ZERO; with more than 16: TR_ERROR_RANGE. */
tr_status tr2_hull_make(float unit, const tr_vec2 *points, uint32_t count, float radius, tr2_geometry *out);
/* A box of the given half sides around `center`, rotated by (c, s), rounded outward by `radius`. */
tr_status tr2_geometry_box(float unit, float half_x, float half_y, tr_vec2 center, float c, float s, float radius,
                           tr2_geometry *out);

/*
 * Mass and bounds (shape_geometry.c)
 */
typedef struct tr2_shape_mass {
    double mass;     /* kg */
    tr_dvec2 center; /* m, centre of mass in the body's frame */
    double inertia;  /* kg m^2, about `center` */
} tr2_shape_mass;

/* Exact, including rounded corners. Segments and chains have no mass. `density` in kg/m^2. */
tr2_shape_mass tr2_geometry_mass(const tr2_geometry *geometry, double density);

typedef struct tr2_bounds {
    tr_vec2 lower, upper;
} tr2_bounds;

/* The bounding box of the shape of a body rotated by (c, s), relative to the body's origin, in world axes. It is
   rounded outward, so that it contains the shape despite rounding. Add the body's position in double. */
tr2_bounds tr2_geometry_bounds(const tr2_geometry *geometry, float c, float s);

/* An upper bound of the distance between `point` (in the body's frame) and any point of the shape. */
float tr2_geometry_reach(const tr2_geometry *geometry, tr_vec2 point);

/*
 * Poses
 */
typedef struct tr2_pose {
    tr_vec2 p;  /* m */
    float c, s; /* cosine and sine of the angle */
} tr2_pose;

/* Farther apart than any two shapes reach, m; floats hold its square. */
#define TR2_APART_MOST 1e18

/* B's pose in A's frame; bodies that are farther apart than that are as far apart. */
static inline tr2_pose tr2_pose_between(const tr2_transform *a, const tr2_transform *b)
{
    double x = tr_within(b->position.x - a->position.x, TR2_APART_MOST);
    double y = tr_within(b->position.y - a->position.y, TR2_APART_MOST);
    tr2_pose pose;
    pose.p.x = (float)((double)a->c * x + (double)a->s * y);
    pose.p.y = (float)((double)a->c * y - (double)a->s * x);
    pose.c = a->c * b->c + a->s * b->s;
    pose.s = a->c * b->s - a->s * b->c;
    return pose;
}

/*
 * Contacts (manifold.c and its neighbours)
 */
typedef struct tr2_manifold_point {
    tr_vec2 point;    /* m, halfway between the surfaces, in A's frame */
    float separation; /* m, along the normal; negative: overlap */
    uint32_t id;      /* the corners involved: constant from step to step while these stay the same */
} tr2_manifold_point;

typedef struct tr2_manifold {
    tr_vec2 normal; /* unit vector in A's frame, from A to B */
    uint32_t count; /* number of points; 0: farther than the margin */
    tr2_manifold_point points[2];
} tr2_manifold;

/* The least separation of a contact's points; infinite if it has none. */
static inline float tr2_least_separation(const tr2_manifold *it)
{
    float least = it->count > 0 ? it->points[0].separation : INFINITY;
    return it->count == 2 && it->points[1].separation < least ? it->points[1].separation : least;
}

/* The contact of two shapes that touch or are closer than `margin` (m, >= 0), of all pairs of kinds. A chain segment
   has none if the other's centre is behind it (and not around a corner), or if the other is a line apart from it and
   not on its right side. */
tr2_manifold tr2_collide(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin);

/* without thickness */
static inline bool tr2_is_line(const tr2_geometry *geometry)
{
    return geometry->kind == TR2_GEOMETRY_SEGMENT || geometry->kind == TR2_GEOMETRY_CHAIN;
}

/* units; two lines have no inside that could tell how deep they overlap, so bodies keep them so far apart */
#define TR2_SKIN 0.01f
static inline float tr2_skin_of(const tr2_geometry *a, const tr2_geometry *b, float unit)
{
    return tr2_is_line(a) && tr2_is_line(b) ? TR2_SKIN * unit : 0.0f;
}

/* The contact of shapes of two bodies: tr2_collide(), with a skin between lines. */
tr2_manifold tr2_collide_solid(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin, float unit);

/* The same along one edge, of A or of B, for shapes with edges: the other's edge that faces it, clipped to its sides.
   None where they do not face each other, or are farther apart than `margin`. */
tr2_manifold tr2_collide_edge(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b, float margin,
                              uint32_t edge, bool of_b, float unit);

/* Contacts exist before shapes touch. With less motion (in units) along a contact until then, it is still the same. */
#define TR2_ASIDE_LEAST 0.002f
/* Steps in which they may meet. Relaxing passes also slow down what would meet in the sub-step after the last one,
   which may be as long as the step. */
#define TR2_STEPS_RELAXED 2.0f

/* The position and motion of a shape in the world. */
typedef struct tr2_mover {
    double x, y;                  /* m: its centre */
    float velocity_x, velocity_y; /* m/s, of the centre */
    float spin;                   /* rad/s; 0 for a circle, which rotation does not change */
    float extent;                 /* m; greatest distance of a point from the centre */
    float arm_x, arm_y;           /* m, from its body's centre of mass to the shape's centre */
    float half_x, half_y;         /* m; half the sides of its bounding box */
} tr2_mover;

/* Many pairs of shapes at once. A pair has a contact if it is closer than a margin: the speculative distance plus the
   approach in `dt`, but of the latter at most the smaller extent. */
typedef struct tr2_mover_pairs {
    const tr2_mover *const *a, *const *b; /* `count` each */
    uint32_t count;
    float speculative; /* m */
    float dt;          /* s */
    float unit;        /* m */
} tr2_mover_pairs;

/* Number of pairs per tr2_circle_bits. */
#define TR2_CIRCLES_AT_ONCE 16u

/* A bit for each of 16 pairs: it has a contact; its circles approach by more than the smaller radius, and it is not
   known whether they meet. */
typedef struct tr2_circle_bits {
    uint32_t near, passing;
} tr2_circle_bits;

/* Pairs of circles, as in crowds. If pair i has a contact, out[place[i]] becomes the result of tr2_collide(), bit for
   bit, in world axes; but its two points are the single contact point relative to the centres of mass of A's and B's
   bodies. Circles that move along their contact have that of their impact instead, or of where they are nearest if they
   pass each other in two steps, expressed at the start of the first; none if they are not near then, though they may be
   later. Nothing else is written. Uses the lanes of the current instruction set. */
void tr2_collide_circles(const tr2_mover_pairs *pairs, const uint32_t *place, tr2_manifold *out, tr2_circle_bits *bits);

/* A bit for each of 16 pairs: its bounding boxes are closer than its margin; its shapes approach by more than the
   smaller extent; one of them rotates by more than `turn_least`. */
typedef struct tr2_near_bits {
    uint32_t near, passing, turning;
} tr2_near_bits;

/* Pairs of any shapes: which of them need tr2_collide(), and their margins, with room for a multiple of 16. Uses the
   lanes of the current instruction set. */
void tr2_near_pairs(const tr2_mover_pairs *pairs, float turn_least, float *margins, tr2_near_bits *bits);

/* Position and motion of a shape at the start of a step: all that its pairs need, in a cache line. */
typedef struct tr2_shape_place {
    tr2_mover at;
    float c, s; /* of its body's angle */
    const tr2_geometry *geometry;
} tr2_shape_place;

/* For up to 16 pairs, a bit for each one that has no contact, because rectangles along the axes of one of the bodies
   are farther apart than the margin: shapes that slant have wide bounding boxes. Others may have none, too. Uses the
   lanes of the current instruction set. */
uint32_t tr2_apart_pairs(const tr2_shape_place *const *a, const tr2_shape_place *const *b, const float *margins,
                         uint32_t count);

/* The arguments of tr2_collide() for two shapes. */
typedef struct tr2_shape_pair {
    const tr2_geometry *a, *b;
    tr2_pose b_in_a;
    float margin; /* m */
} tr2_shape_pair;

/* polygons of four corners: mostly boxes, as in debris and masonry */
static inline bool tr2_is_quad(const tr2_geometry *geometry)
{
    return geometry->kind == TR2_GEOMETRY_POLYGON && geometry->count == 4;
}

/* Contacts of many pairs of one kind. */
typedef void tr2_collide_many_fn(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

/* The result of tr2_collide() for each pair of such polygons, bit for bit; several pairs at once in the lanes of the
   current instruction set. */
void tr2_collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

/* a polygon, of any number of corners, and a circle, in either order */
static inline bool tr2_is_polygon_circle(const tr2_geometry *a, const tr2_geometry *b)
{
    return (a->kind == TR2_GEOMETRY_POLYGON && b->kind == TR2_GEOMETRY_CIRCLE) ||
           (a->kind == TR2_GEOMETRY_CIRCLE && b->kind == TR2_GEOMETRY_POLYGON);
}

/* The same for such pairs, as of a crowd among walls, or balls among debris. A pair without points has zeros. */
void tr2_collide_polygon_circles(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

/* Distances (distance.c). Chain segments are treated as plain segments. */
typedef struct tr2_distance_result {
    float distance;           /* m, between the surfaces; 0 if they overlap */
    tr_vec2 point_a, point_b; /* nearest points of the surfaces, in A's frame; if they overlap, a common point */
    tr_vec2 normal;           /* unit vector from A to B; zero if the cores touch or overlap */
} tr2_distance_result;

tr2_distance_result tr2_distance(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b);

typedef struct tr2_nearest_result {
    float distance; /* m, to the surface; negative inside */
    tr_vec2 point;  /* on the surface */
    tr_vec2 normal; /* outward unit vector */
} tr2_nearest_result;

/* The point of the surface nearest to a point in the body's frame. */
tr2_nearest_result tr2_geometry_nearest(const tr2_geometry *geometry, tr_vec2 point);
/* Whether a point in the body's frame is inside or on the surface. False for segments and chains. */
bool tr2_geometry_contains(const tr2_geometry *geometry, tr_vec2 point);

/*
 * Time of impact (time_of_impact.c)
 */

/* A body's motion in a step, in a frame common to both bodies (e.g. A's origin at the start, world axes). The centre
   of mass moves on a straight line; the rotation goes from start to end the shorter way. */
typedef struct tr2_sweep {
    tr_vec2 center;     /* of mass, in the body's frame */
    tr_vec2 start, end; /* of the centre of mass */
    float c0, s0, c1, s1;
} tr2_sweep;

/* The pose at time `t` (0 .. 1) of a motion. */
tr2_pose tr2_sweep_pose(const tr2_sweep *sweep, float t);

typedef enum tr2_impact_state {
    TR2_IMPACT_NONE,    /* always farther apart than the target; time is 1 */
    TR2_IMPACT_HIT,     /* at `time` they reach the target distance; before they were farther apart */
    TR2_IMPACT_OVERLAP, /* closer than the target at the start; time is 0 */
    TR2_IMPACT_SLOW     /* search ended early: farther apart up to `time`, unknown after it */
} tr2_impact_state;

typedef struct tr2_motion_impact {
    tr2_impact_state state;
    float time;     /* 0 .. 1 */
    float near;     /* NONE: a time from which on it is clear that none follows, often near the least distance */
    tr_vec2 point;  /* at `time`, halfway between the surfaces; valid for HIT and SLOW */
    tr_vec2 normal; /* at `time`, from A to B; valid for HIT and SLOW */
} tr2_motion_impact;

/* The first time at which two moving shapes are `target` (m, >= 0) apart, to within `tolerance` (m, > 0).
   Conservative advancement: never later than the impact. TR2_IMPACT_SLOW can occur if a body rotates by more than 2
   rad. Chain segments are treated as plain segments. */
tr2_motion_impact tr2_time_of_impact(const tr2_geometry *a, const tr2_sweep *sweep_a, const tr2_geometry *b,
                                     const tr2_sweep *sweep_b, float target, float tolerance);

/*
 * Casts (cast.c), in the frame of the shape that is hit
 */
typedef struct tr2_cast_result {
    bool hit;
    float fraction; /* 0 .. 1 of the translation */
    tr_vec2 point;  /* on the surface that is hit */
    tr_vec2 normal; /* unit normal of that surface; zero if the cast starts inside, which is a hit at 0 */
} tr2_cast_result;

/* A ray from `origin` along `translation`. Chain segments can be hit only from their right side. */
tr2_cast_result tr2_geometry_ray_cast(const tr2_geometry *geometry, tr_vec2 origin, tr_vec2 translation);
/* m, height of a point over the right side of a segment or a segment of a chain, found in double */
double tr2_geometry_height(const tr2_geometry *segment, tr_dvec2 point);
/* A ray for a point that stays on its side of a segment, found in double: even if it is on one, it is on one of its
   sides, and a ray that leads to the other hits at 0. Nothing holds a point behind a chain. */
tr2_cast_result tr2_geometry_side_cast(const tr2_geometry *geometry, tr_dvec2 origin, tr_vec2 translation);
/* Shape B translated along `translation` (in A's frame, without rotation) until it touches A. Chain segments as for
   rays. Without a hit the fraction is one at which it is clear that none follows, mostly near the least distance. */
tr2_cast_result tr2_geometry_shape_cast(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                        tr_vec2 translation);

/* The same, but what moves to the right of a chain segment's line can still hit its ends from that side: a long shape
   at a corner of a chain may be so placed that it leaves both lines and yet meets the corner. Steps have contacts
   there. */
tr2_cast_result tr2_geometry_shape_cast_corners(const tr2_geometry *a, tr2_pose b_in_a, const tr2_geometry *b,
                                                tr_vec2 translation);

#endif
