/*
 * Shapes, with which bodies collide. At the beginning of each step a world finds the contacts of its shapes and solves
 * them together with the joints. A body may have any number of shapes; a body without shapes collides with nothing. A
 * host that finds contacts by itself gives them with trammel/contacts2.h; one world may have both.
 *
 * docs/collision.md says how it works and what it costs.
 */
#ifndef TRAMMEL_SHAPES2_H
#define TRAMMEL_SHAPES2_H

#include "trammel/base.h"
#include "trammel/contacts2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An id, with the rules of those of bodies and joints. */
typedef struct tr2_shape {
    uint32_t index; /* slot + 1; 0: null */
    uint16_t world;
    uint16_t generation;
} tr2_shape;

/* The kinds of shapes: each is a core with a radius around it. */
typedef enum tr2_shape_kind {
    TR2_CIRCLE = 0,    /* one point, and a radius > 0 */
    TR2_CAPSULE,       /* two points, and a radius > 0 */
    TR2_SEGMENT,       /* two points; thin, both sides collide */
    TR2_CHAIN_SEGMENT, /* two points; one-sided: solid on the left of the direction from the first to the second,
                          collides on its right. `before` and `after` are the neighbouring points of the chain; with
                          them, bodies slide over the corners without catching. See tr2_world_create_chain() */
    TR2_POLYGON,       /* the convex hull of 3 to 16 points; a radius > 0 rounds it outward */
    TR2_SHAPE_KIND_COUNT
} tr2_shape_kind;

TR_API const char *tr2_shape_kind_name(tr2_shape_kind kind); /* "circle", ...; "unknown" outside the enumeration */

#define TR2_SHAPE_POINTS 16

/*
 * Which shapes collide. Two shapes do if (a.category & b.mask) != 0 and (b.category & a.mask) != 0. If both have the
 * same group, other than 0, the group alone decides: positive groups collide, negative ones do not. Shapes of one body
 * never collide, nor those of two bodies of which none is dynamic, nor those of two bodies with a joint between them
 * whose `collide_connected` is false.
 */
typedef struct tr2_filter {
    uint64_t category; /* default 1 */
    uint64_t mask;     /* default: all bits */
    int32_t group;     /* default 0 */
} tr2_filter;

/* The material of a shape. A contact combines two: friction is the geometric mean, restitution the maximum, rolling
   resistance the maximum times the greater radius, tangent speed the sum. */
typedef struct tr2_surface {
    float friction;           /* coefficient, >= 0; default 0.6 */
    float restitution;        /* 0 .. 1; default 0 */
    float rolling_resistance; /* coefficient, >= 0; default 0; acts on shapes with a radius */
    /* m/s, default 0: a conveyor belt; drives what touches it along the outward normal, turned a quarter
       counter-clockwise */
    float tangent_speed;
} tr2_surface;

typedef struct tr2_shape_def {
    tr2_body body;
    tr2_shape_kind kind;
    uint32_t point_count;            /* of `point`: what the kind needs; entries beyond are not read */
    tr_vec2 point[TR2_SHAPE_POINTS]; /* m, in the body's frame; within 1e9 of its origin */
    float radius;                    /* m, >= 0; of a segment 0 */
    tr_vec2 before, after;           /* of a chain segment: the neighbouring points of its chain, where it has them */
    bool has_before, has_after;
    float density; /* kg/m^2, >= 0; default 0: the shape adds nothing to the body's mass */
    tr2_surface surface;
    tr2_filter filter;
    bool sensor; /* collides with nothing; overlaps with it are reported (below). Default false */
    /* Report begin and end of contact (for a sensor: of overlap). Reported only if both shapes set it. Default true. If it
       is taken away during a touch, the end is not reported; if it is given again, a touch that lasts begins again. */
    bool contact_events;
    bool hit_events; /* Report hard hits. Reported if either shape sets it. Default false. */
    bool ask_filter; /* The world's contact filter is asked about this shape's contacts (below). Default false. */
    uint64_t user_data;
} tr2_shape_def;

/* A unit shape of the kind: a circle of radius 1, a square of side 1, a line from (-0.5, 0) to (0.5, 0). */
TR_API tr2_shape_def tr2_shape_def_default(tr2_shape_kind kind);

/*
 * Definitions of common shapes: a circle (centre in the body's frame, radius, m); a box about the body's origin (half
 * its width, half its height, m), or about another point and turned by an angle with this cosine and sine; a polygon,
 * the hull of its points (3 to 16: creation refuses others); a capsule (both ends in the body's frame, radius, m); a
 * segment (both ends, m). Everything else is at its default, also the density: 0. They check nothing;
 * tr2_world_create_shape() does.
 */
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
static inline tr2_shape_def tr2_turned_box_on(tr2_body body, float half_x, float half_y, tr_vec2 center, float c,
                                              float s)
{
    tr2_shape_def def = tr2_box_on(body, half_x, half_y);
    for (uint32_t i = 0; i < 4; i++) {
        tr_vec2 p = def.point[i];
        def.point[i].x = center.x + (c * p.x - s * p.y);
        def.point[i].y = center.y + (s * p.x + c * p.y);
    }
    return def;
}
static inline tr2_shape_def tr2_polygon_on(tr2_body body, const tr_vec2 *points, uint32_t count)
{
    tr2_shape_def def = tr2_shape_def_default(TR2_POLYGON);
    def.body = body;
    def.point_count = count;
    for (uint32_t i = 0; i < count && i < TR2_SHAPE_POINTS; i++)
        def.point[i] = points[i];
    return def;
}
static inline tr2_shape_def tr2_capsule_on(tr2_body body, tr_vec2 from, tr_vec2 to, float radius)
{
    tr2_shape_def def = tr2_shape_def_default(TR2_CAPSULE);
    def.body = body;
    def.point[0] = from;
    def.point[1] = to;
    def.radius = radius;
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
 * Mass: if any shape of a body has a density, its shapes give the body mass, centre and inertia. These are computed
 * again whenever a shape with density is created, changed or destroyed; until then tr2_body_set_mass() overrides them.
 * The body's origin and the motion of its points do not change. A body without such shapes keeps the mass that it was
 * given.
 *
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE (also a point or radius beyond 1e9 m),
 * _NEGATIVE, _ZERO (a radius, a line without length, a polygon without area), _RANGE (kind, point_count, a hull of more
 * than 16 corners, restitution above 1, a radius on a segment; a mass or inertia beyond the range of floats), _MEMORY,
 * _LIMIT.
 */
TR_API tr_status tr2_world_create_shapes(tr2_world *world, const tr2_shape_def *defs, uint32_t count, tr2_shape *ids);
TR_API tr_status tr2_world_create_shape(tr2_world *world, const tr2_shape_def *def, tr2_shape *id);

/* A polyline of chain segments through `count` points; solid on its left: a counter-clockwise loop is solid inside, and
   ground under open sky has its points from right to left. */
typedef struct tr2_chain_def {
    const tr_vec2 *points; /* m, in the body's frame; neighbours differ */
    uint32_t count;        /* >= 2; of a loop >= 3 */
    bool loop;             /* whether the last point joins the first */
    tr2_shape_def shape; /* body, surface, filter, flags and user data of each segment; kind and points are not read */
} tr2_chain_def;

TR_API tr2_chain_def tr2_chain_def_default(void);
/* Makes the chain's shapes, all or none: count of a loop, else count - 1; `ids` (so many entries) may be null. Errors
   as above; TR_ERROR_RANGE: too few points. */
TR_API tr_status tr2_world_create_chain(tr2_world *world, const tr2_chain_def *def, tr2_shape *ids);

/* Destroys shapes; all or none. The same id twice is TR_ERROR_STALE_ID. Destroying a body destroys its shapes. */
TR_API tr_status tr2_world_destroy_shapes(tr2_world *world, const tr2_shape *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_shape(tr2_world *world, tr2_shape id);
TR_API bool tr2_shape_is_valid(const tr2_world *world, tr2_shape id);

/* The definition that would recreate the shape; of a polygon, the corners of its hull. */
TR_API tr_status tr2_shape_get(const tr2_world *world, tr2_shape id, tr2_shape_def *out);
/* Replaces every property at once, checked as at creation; the body must be the same (TR_ERROR_RANGE). */
TR_API tr_status tr2_shape_set(tr2_world *world, tr2_shape id, const tr2_shape_def *def);

/* One property each; the rest stays. Checked as at creation. The next step finds anew what the shape touches. */
TR_API tr_status tr2_shape_set_surface(tr2_world *world, tr2_shape id, tr2_surface surface);
TR_API tr_status tr2_shape_set_filter(tr2_world *world, tr2_shape id, tr2_filter filter);
TR_API tr_status tr2_shape_set_sensor(tr2_world *world, tr2_shape id, bool sensor);
TR_API tr_status tr2_shape_set_user_data(tr2_world *world, tr2_shape id, uint64_t user_data);
/* The body that a shape is on, and its user data. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_shape_get_body(const tr2_world *world, tr2_shape id, tr2_body *body);
TR_API tr_status tr2_shape_get_user_data(const tr2_world *world, tr2_shape id, uint64_t *user_data);

/* A body's shapes, oldest first. *count is how many there are; the first `capacity` of them are written to `out`, which
   may be null if capacity is 0. */
TR_API tr_status tr2_body_shapes(const tr2_world *world, tr2_body id, tr2_shape *out, uint32_t capacity,
                                 uint32_t *count);
/* Gives the body the mass of its shapes again, after tr2_body_set_mass(). TR_ERROR_ZERO: none has density. */
TR_API tr_status tr2_body_update_mass_from_shapes(tr2_world *world, tr2_body id);

/* The table of shapes, with the rules of tr2_body_view. */
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
 * Current contacts of shapes: pairs within reach of each other, as the last step found them at its beginning, with the
 * impulses that it needed. Nothing is kept for this: they are what a step works on. Sensors have no contacts.
 */
typedef struct tr2_shape_contact {
    tr2_shape shape_a, shape_b;
    tr2_body body_a, body_b;
    tr_vec2 normal;              /* of length 1, from A to B, in the world */
    uint32_t point_count;        /* 1 or 2; numbers of a point beyond are 0 */
    tr_dvec2 point[2];           /* m, in the world, halfway between the surfaces; moved along with A since */
    float separation[2];         /* m, when the step began; above 0: a gap, which the step may have closed */
    tr2_contact_impulse impulse; /* all 0: near, without pressing on each other */
} tr2_shape_contact;

/*
 * All contacts of shapes, in an order that does not depend on threads and instruction set. *count is how many there
 * are; the first `capacity` of them are written to `out`, which may be null if capacity is 0. Contacts of a shape that
 * was destroyed are left out; those of one that was made appear with the next step. tr2_body_contacts(): those of one
 * body. Errors: TR_ERROR_NULL; of a body also TR_ERROR_NULL_ID, _STALE_ID, _FOREIGN_ID.
 */
TR_API tr_status tr2_world_get_shape_contacts(const tr2_world *world, tr2_shape_contact *out, uint32_t capacity,
                                              uint32_t *count);
TR_API tr_status tr2_body_contacts(const tr2_world *world, tr2_body id, tr2_shape_contact *out, uint32_t capacity,
                                   uint32_t *count);

/*
 * A contact filter, for one-way platforms and the like. In each step it is asked about every contact of which a shape
 * has ask_filter, before the contact is solved. false: the two shapes pass through each other in this step. It is
 * called on the thread that steps the world, in an order that does not depend on threads and instruction set. The
 * contact is as this step found it; its impulses are those of the last step, 0 if the contact is new. The filter may
 * read bodies, shapes and joints, and must change nothing. A shape with ask_filter does not stop fast bodies on their
 * way, as other shapes do: make it thicker than they go in a step. Null: no filter. TR_ERROR_NULL: world.
 */
typedef bool (*tr2_contact_filter)(const tr2_shape_contact *contact, void *context);
TR_API tr_status tr2_world_set_contact_filter(tr2_world *world, tr2_contact_filter filter, void *context);

/*
 * Touches: begin, end and hit of contacts in a step. A touch begins in the step in which two shapes first press on each
 * other or overlap. It ends when they are farther apart than 2 cm plus their approach in one step.
 *
 * Sensors are tested once per step, with the poses at its beginning: what crosses a sensor between two steps is not
 * seen. Their filters act; joints do not keep a body from a sensor. A sensor does not see other sensors, shapes of its
 * own body, or, if its body is static, shapes of static bodies.
 */
typedef enum tr2_touch_kind {
    TR2_TOUCH_BEGIN,
    TR2_TOUCH_END,     /* also when one of the shapes is destroyed */
    TR2_TOUCH_HIT,     /* the approach speed exceeded the bounce_speed of tr2_contact_settings */
    TR2_OVERLAP_BEGIN, /* of a sensor (shape_a) with another shape */
    TR2_OVERLAP_END
} tr2_touch_kind;

typedef struct tr2_touch_event {
    tr2_touch_kind kind;
    tr2_shape shape_a, shape_b; /* of an end: may have been destroyed */
    tr2_body body_a, body_b;    /* that the shapes are or were on; of an end: may have been destroyed */
    /* The shapes' user data. Body and user data are also those of a shape that was destroyed, unless there was no
       memory to keep them: zeros then. */
    uint64_t user_data_a, user_data_b;
    tr_dvec2 point; /* m, in the world; of a begin or hit: the middle of the contact points */
    tr_vec2 normal; /* of a begin or hit: from A to B */
    float speed;    /* m/s; of a hit: the approach speed */
} tr2_touch_event;

typedef struct tr2_touch_view {
    uint32_t count;
    const tr2_touch_event *event;
} tr2_touch_view;

/* The touches of the last successful step: first ends of destroyed shapes, then by pairs, in an order that is the same
   for any number of threads and any instruction set. The pointer is valid until the next call of tr2_world_step(),
   whether that succeeds or fails; edits do not invalidate it. */
TR_API tr2_touch_view tr2_world_touches(const tr2_world *world);

#ifdef __cplusplus
}
#endif

#endif
