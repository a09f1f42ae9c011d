/*
 * Shapes: what bodies collide with. A world finds by itself where its shapes touch, at the beginning of each step, and solves
 * the contacts in the same rows, colours and lanes as those of a host (trammel/contacts2.h); both kinds may be in one
 * world. A body may have any number of shapes; one without shapes collides with nothing.
 *
 * docs/collision.md has how it works and what it costs.
 */
#ifndef TRAMMEL_SHAPES2_H
#define TRAMMEL_SHAPES2_H

#include "trammel/base.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ids: as those of bodies and joints. */
typedef struct tr2_shape {
    uint32_t index; /* slot + 1; 0: null */
    uint16_t world;
    uint16_t generation;
} tr2_shape;

/* What a shape is: a core and a radius around it. */
typedef enum tr2_shape_kind {
    TR2_CIRCLE = 0,    /* one point, and a radius > 0 */
    TR2_CAPSULE,       /* two points, and a radius > 0 */
    TR2_SEGMENT,       /* two points; thin, both sides collide */
    TR2_CHAIN_SEGMENT, /* two points; solid to the left of the way from the first to the second, collides on its right.
                          What slides along a chain does not catch where its segments meet: the neighbouring points in
                          `before` and `after` say how it goes on. tr2_world_create_chain() makes a whole chain */
    TR2_POLYGON,       /* the convex hull of its points, of 3 to 16 corners; a radius rounds it outward */
    TR2_SHAPE_KIND_COUNT
} tr2_shape_kind;

TR_API const char *tr2_shape_kind_name(tr2_shape_kind kind); /* "circle", ...; "unknown" outside the enumeration */

#define TR2_SHAPE_POINTS 16

/*
 * Who collides with whom. Two shapes do where
 * (a.category & b.mask) != 0 and (b.category & a.mask) != 0. Where both have the same group, and it is not 0, that
 * alone decides: positive groups collide, negative ones do not.
 */
typedef struct tr2_filter {
    uint64_t category; /* default 1 */
    uint64_t mask;     /* default: all bits */
    int32_t group;     /* default 0 */
} tr2_filter;

/* How a shape's surface is. Two surfaces make a contact by these rules: friction is the geometric mean, restitution the
   greater, rolling resistance the greater times the greater radius, tangent speed the sum. */
typedef struct tr2_surface {
    float friction;           /* coefficient, >= 0; default 0.6 */
    float restitution;        /* 0 .. 1; default 0 */
    float rolling_resistance; /* coefficient, >= 0; default 0; acts on shapes with a radius */
    float tangent_speed; /* m/s at which the surface drives what lies on it, along the outward normal turned a quarter
                                 counter-clockwise; conveyor belts */
} tr2_surface;

typedef struct tr2_shape_def {
    tr2_body body;
    tr2_shape_kind kind;
    uint32_t point_count;            /* of `point`: as the kind says; a polygon 3 to 16; numbers beyond are not read */
    tr_vec2 point[TR2_SHAPE_POINTS]; /* m, in the body's frame; within 1e9 of its origin */
    float radius;                    /* m, >= 0; of a segment 0 */
    tr_vec2 before, after;           /* of a chain segment: the neighbouring points of its chain, where it has them */
    bool has_before, has_after;
    float density; /* kg/m^2, >= 0; default 0: the body's mass is not this shape's concern */
    tr2_surface surface;
    tr2_filter filter;
    bool sensor; /* collides with nothing, and sees what overlaps it */
    /* whether beginning and end of contact are events, of a sensor of overlap; where both have it. Default true */
    bool contact_events;
    bool hit_events; /* whether hard hits are events; either shape's flag will do. Default false */
    uint64_t user_data;
} tr2_shape_def;

/* A unit of the kind: a circle of radius 1, a square of side 1, a line from (-0.5, 0) to (0.5, 0). */
TR_API tr2_shape_def tr2_shape_def_default(tr2_shape_kind kind);

/* The usual ones. */
static inline tr2_shape_def tr2_circle_on(tr2_body body, tr_vec2 center, float radius)
{
    tr2_shape_def def = tr2_shape_def_default(TR2_CIRCLE);
    def.body = body;
    def.point[0] = center;
    def.radius = radius;
    return def;
}
static inline tr2_shape_def tr2_box_on(tr2_body body, float half_x, float half_y)
{
    tr2_shape_def def = tr2_shape_def_default(TR2_POLYGON);
    def.body = body;
    for (uint32_t i = 0; i < 4; i++) {
        def.point[i].x = i == 0 || i == 3 ? -half_x : half_x;
        def.point[i].y = i < 2 ? -half_y : half_y;
    }
    return def;
}
static inline tr2_shape_def tr2_segment_on(tr2_body body, tr_vec2 from, tr_vec2 to)
{
    tr2_shape_def def = tr2_shape_def_default(TR2_SEGMENT);
    def.body = body;
    def.point[0] = from;
    def.point[1] = to;
    return def;
}

/*
 * Makes `count` shapes from an array of definitions; all or none. `ids` (count entries) may be null. `count` 0 is fine.
 *
 * Mass: a body that has shapes with density has the mass, centre and inertia of those, worked out anew with each call
 * that makes, changes or destroys a shape of the body that has density; its origin and the motion of its points stay.
 * A body none of whose shapes has density keeps the mass that it was given. tr2_body_set_mass() holds until the next such
 * call.
 *
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE (also a point or radius beyond 1e9 m),
 * _NEGATIVE, _ZERO (a radius, a line without length, a polygon without area), _RANGE (kind, point_count, a hull of more
 * than 16 corners, restitution above 1, a radius on a segment; a mass or inertia that is out of the floats), _MEMORY, _LIMIT.
 */
TR_API tr_status tr2_world_create_shapes(tr2_world *world, const tr2_shape_def *defs, uint32_t count, tr2_shape *ids);
TR_API tr_status tr2_world_create_shape(tr2_world *world, const tr2_shape_def *def, tr2_shape *id);

/* A line of chain segments through `count` points; solid on its left, so counter-clockwise loops are solid inside. */
typedef struct tr2_chain_def {
    const tr_vec2 *points; /* m, in the body's frame; neighbours differ */
    uint32_t count;        /* >= 2; of a loop >= 3 */
    bool loop;             /* whether the last point joins the first */
    tr2_shape_def shape; /* whose chain it is, its surface, filter, flags and user data; kind and points are not read */
} tr2_chain_def;

TR_API tr2_chain_def tr2_chain_def_default(void);
/* Makes the chain's shapes, all or none: count - 1, of a loop count; `ids` (so many entries) may be null. Errors as above;
   TR_ERROR_RANGE: too few points. */
TR_API tr_status tr2_world_create_chain(tr2_world *world, const tr2_chain_def *def, tr2_shape *ids);

/* Destroys shapes; all or none. The same id twice is TR_ERROR_STALE_ID. Destroying a body destroys its shapes. */
TR_API tr_status tr2_world_destroy_shapes(tr2_world *world, const tr2_shape *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_shape(tr2_world *world, tr2_shape id);
TR_API bool tr2_shape_is_valid(const tr2_world *world, tr2_shape id);

/* The definition as it would make the shape again; of a polygon, the corners of its hull. */
TR_API tr_status tr2_shape_get(const tr2_world *world, tr2_shape id, tr2_shape_def *out);
/* Replaces every property at once, checked as at creation; the body must be the same (TR_ERROR_RANGE). */
TR_API tr_status tr2_shape_set(tr2_world *world, tr2_shape id, const tr2_shape_def *def);

/* A body's shapes, oldest first: *count is how many there are, of which the first `capacity` are written to `out` (null
   where capacity is 0). */
TR_API tr_status tr2_body_shapes(const tr2_world *world, tr2_body id, tr2_shape *out, uint32_t capacity,
                                 uint32_t *count);
/* Gives the body the mass of its shapes again, after tr2_body_set_mass(). TR_ERROR_ZERO: none has density. */
TR_API tr_status tr2_body_update_mass_from_shapes(tr2_world *world, tr2_body id);

/* The table of shapes, as tr2_body_view. */
typedef struct tr2_shape_view {
    uint32_t count;
    const tr2_shape *id;
    const tr2_body *body;
    const uint32_t *kind; /* tr2_shape_kind */
    const float *density;
    const tr2_surface *surface;
    const tr2_filter *filter;
    const uint64_t *user_data;
} tr2_shape_view;

TR_API tr2_shape_view tr2_world_shapes(const tr2_world *world);

/*
 * Touches: what began, ended or hit in a step. Two shapes touch from the step in which they first press on each other or
 * overlap, until they are out of each other's reach (2 cm and what they come nearer in a step). Sensors are looked at
 * where the step begins.
 */
typedef enum tr2_touch_kind {
    TR2_TOUCH_BEGIN,
    TR2_TOUCH_END,     /* also where one of the shapes is destroyed */
    TR2_TOUCH_HIT,     /* they came together faster than the contacts' bounce_speed (tr2_contact_settings) */
    TR2_OVERLAP_BEGIN, /* of a sensor (shape_a) with another shape */
    TR2_OVERLAP_END
} tr2_touch_kind;

typedef struct tr2_touch_event {
    tr2_touch_kind kind;
    tr2_shape shape_a, shape_b; /* of an end, perhaps no longer valid */
    tr_dvec2 point;             /* m, in the world, of a begin or hit: the middle of where they touch */
    tr_vec2 normal;             /* of a begin or hit: from A to B */
    float speed;                /* m/s, of a hit: at which they came together */
} tr2_touch_event;

typedef struct tr2_touch_view {
    uint32_t count;
    const tr2_touch_event *event;
} tr2_touch_view;

/* The touches of the last step: ends of destroyed shapes first, then by pairs, in an order that is the same for any number
   of threads and any instruction set. Valid until the next step, also one that fails. Begin and end are told where both
   shapes have contact_events, hits where one of them has hit_events. */
TR_API tr2_touch_view tr2_world_touches(const tr2_world *world);

#ifdef __cplusplus
}
#endif

#endif
