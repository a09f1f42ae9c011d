/*
 * Shapes give bodies their collision geometry. At the beginning of each step a world finds the contacts of its shapes
 * and solves them together with the joints. A body may have any number of shapes; a body without shapes collides with
 * nothing. An application with its own collision detection uses trammel/contacts2.h; one world may have both.
 *
 * docs/collision.md explains them, docs/collision-design.md the method and its cost.
 */
#ifndef TRAMMEL_SHAPES2_H
#define TRAMMEL_SHAPES2_H

#include "trammel/base.h"
#include "trammel/contacts2.h"
#include "trammel/world2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An id, with the same rules as ids of bodies and joints. */
typedef struct tr2_shape {
    uint32_t index; /* slot + 1; 0: null */
    uint16_t world;
    uint16_t generation;
} tr2_shape;

/* The kinds of shapes. Each is a core (a point, a line or a polygon) with a radius around it. */
typedef enum tr2_shape_kind {
    TR2_CIRCLE = 0,    /* one point, and a radius > 0 */
    TR2_CAPSULE,       /* two points, and a radius > 0 */
    TR2_SEGMENT,       /* two points; thin, both sides collide. Two lines stay 1 cm apart */
    TR2_CHAIN_SEGMENT, /* two points; one-sided: solid on the left of the direction from the first to the second,
                          collides on its right. `before` and `after` are the neighbouring points of the chain; they
                          let bodies slide over the corners without catching. Two chains collide where their right
                          sides meet, and stay 1 cm apart, as lines do. See tr2_world_create_chain() */
    TR2_POLYGON,       /* the convex hull of 3 to 16 points; a radius > 0 rounds it outward */
    TR2_SHAPE_KIND_COUNT
} tr2_shape_kind;

TR_API const char *tr2_shape_kind_name(tr2_shape_kind kind); /* "circle", ...; "unknown" outside the enumeration */

#define TR2_SHAPE_POINTS 16

/*
 * Decides which shapes collide. Two shapes collide if (a.category & b.mask) != 0 and (b.category & a.mask) != 0. If
 * both have the same group, other than 0, only the group counts: positive groups collide, negative ones do not. These
 * never collide: shapes of one body; shapes of two bodies of which none is dynamic; shapes of two bodies connected by a
 * joint whose `collide_connected` is false; shapes of a disabled body.
 */
typedef struct tr2_filter {
    uint64_t category; /* default 1 */
    uint64_t mask;     /* default: all bits */
    int32_t group;     /* default 0 */
} tr2_filter;

/* The material of a shape. A contact combines two materials: friction by tr2_contact_settings.friction_mixing, by
   default the geometric mean; restitution by restitution_mixing, by default the maximum; rolling resistance is the
   maximum, times the greater radius; tangent speed the sum. tr2_world_set_surface_mixer() replaces these rules. */
typedef struct tr2_surface {
    float friction;           /* coefficient, >= 0; default 0.6 */
    float restitution;        /* 0 .. TR2_RESTITUTION_MAX; default 0; above 1 impacts add energy */
    float rolling_resistance; /* coefficient, >= 0; default 0; acts on shapes with a radius */
    /* m/s, default 0; a conveyor belt. Bodies that touch it are driven along its outward normal rotated by 90 degrees
       counter-clockwise: a floor with 2 carries them to the left */
    float tangent_speed;
} tr2_surface;

typedef struct tr2_shape_def {
    tr2_body body;
    tr2_shape_kind kind;
    uint32_t point_count;            /* number of points that the kind needs; further entries are not read */
    tr_vec2 point[TR2_SHAPE_POINTS]; /* m, in the body's frame; within 1e9 length units of its origin */
    float radius;                    /* m, >= 0; 0 for a segment */
    tr_vec2 before, after;           /* of a chain segment: the neighbouring points of its chain, if it has them */
    bool has_before, has_after;
    /* m; what tr2_box_on() was given, so that creation names a negative one. Not used otherwise; default (0, 0) */
    tr_vec2 half_extent;
    /* kg/m^2, >= 0; default 1, of lines, which have no area, 0. 0: the shape adds nothing to the body's mass. A sensor
       adds its mass, too */
    float density;
    tr2_surface surface;
    tr2_filter filter;
    bool sensor; /* collides with nothing; overlaps with it are reported (below). Default false */
    /* Report begin and end of contact (for a sensor: of overlap). Reported only if both shapes set it. Default true. If
       it is cleared during a touch, the end is not reported. If it is set again, a lasting touch begins again. */
    bool contact_events;
    bool hit_events;    /* Report hard hits. Reported if either shape sets it. Default false. */
    bool custom_filter; /* The world's contact filter is called for this shape's contacts (below). Default false. */
    uint64_t user_data;
} tr2_shape_def;

/* A unit shape of the kind: a circle of radius 1, a square of side 1, a line from (-0.5, 0) to (0.5, 0). */
TR_API tr2_shape_def tr2_shape_def_default(tr2_shape_kind kind);

/*
 * Definitions of common shapes. Lengths are in m, points in the body's frame. A circle: centre, radius. A box about the
 * body's origin: half its width, half its height. A box about another point, rotated by the angle with cosine c and
 * sine s. A polygon, the convex hull of its points (3 to 16; creation refuses other counts). A capsule: both ends,
 * radius. A segment: both ends. All other members are at their defaults. These functions check nothing;
 * tr2_world_create_shape() does, also that no half of a box is negative.
 *
 * A corner of a polygon that stands out by less than 1e-5 of the polygon's size, 1e-6 m, or the rounding of its
 * coordinates is left out. A polygon thinner than that has no area and is refused.
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
    def.half_extent.x = half_x;
    def.half_extent.y = half_y;
    for (uint32_t i = 0; i < 4; i++) {
        def.point[i].x = i == 0 || i == 3 ? -half_x : half_x;
        def.point[i].y = i < 2 ? -half_y : half_y;
    }
    return def;
}
static inline tr2_shape_def tr2_offset_box_on(tr2_body body, float half_x, float half_y, tr_vec2 center, float c,
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
 * Mass: if any shape of a body has a density, and by default it has, the body's mass, centre and inertia come from its
 * shapes, whatever tr2_body_def.mass says: set the densities to 0 where that is to be the mass. They are
 * computed again whenever a shape with density is created, changed or destroyed; until then tr2_body_set_mass()
 * overrides them. The body's origin and the motion of its points do not change. A body without such shapes keeps the
 * mass of its definition. A body whose last shape with density is destroyed keeps the mass that was computed last.
 *
 * A static body needs no mass. Its mass is computed only when you read it, when the body changes its type, and in the
 * next step. Therefore a mass beyond the range of floats is refused by tr2_body_set_type(), not by this call. If the
 * last shape with density of a static body is destroyed, its mass is that of the last step; if there was no step since
 * it got the shape, it is the one that was set or defined. tr2_body_update_mass_from_shapes() computes it at once.
 *
 * Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE (also a point or radius beyond 1e9 length
 * units), _NEGATIVE (also half a box's width or height), _ZERO (a radius, a line of at most 1e-6 length units, a
 * polygon without area), _RANGE (kind, point_count, a hull of more than 16 corners, restitution above
 * TR2_RESTITUTION_MAX, a radius on a segment; a mass or inertia beyond the range of floats), _MEMORY, _LIMIT.
 */
TR_API tr_status tr2_world_create_shapes(tr2_world *world, const tr2_shape_def *defs, uint32_t count, tr2_shape *ids);
TR_API tr_status tr2_world_create_shape(tr2_world *world, const tr2_shape_def *def, tr2_shape *id);

/* A polyline of chain segments through `count` points, solid on its left. A counter-clockwise loop is solid inside.
   Ground with bodies above it has its points from right to left. */
typedef struct tr2_chain_def {
    const tr_vec2 *points; /* m, in the body's frame; neighbours differ */
    uint32_t count;        /* >= 2; for a loop >= 3 */
    bool loop;             /* whether a segment connects the last point to the first */
    tr2_shape_def shape; /* body, surface, filter, flags and user data of each segment; kind and points are not read */
} tr2_chain_def;

TR_API tr2_chain_def tr2_chain_def_default(void);
/* Makes the chain's shapes, all or none: `count` for a loop, otherwise count - 1. `ids` (as many entries) may be null.
   Errors as above; TR_ERROR_RANGE: too few points. */
TR_API tr_status tr2_world_create_chain(tr2_world *world, const tr2_chain_def *def, tr2_shape *ids);

/* Destroys shapes; all or none. The same id twice is TR_ERROR_STALE_ID. Destroying a body destroys its shapes. Each call
   sums the masses of all shapes that remain on a moving body with some that have density: destroy many at once. */
TR_API tr_status tr2_world_destroy_shapes(tr2_world *world, const tr2_shape *ids, uint32_t count);
TR_API tr_status tr2_world_destroy_shape(tr2_world *world, tr2_shape id);
TR_API bool tr2_shape_is_valid(const tr2_world *world, tr2_shape id);

/* The definition that would recreate the shape; for a polygon, with the corners of its hull. */
TR_API tr_status tr2_shape_get(const tr2_world *world, tr2_shape id, tr2_shape_def *out);
/* Replaces every property at once, checked as at creation; the body must be the same (TR_ERROR_RANGE). */
TR_API tr_status tr2_shape_set(tr2_world *world, tr2_shape id, const tr2_shape_def *def);

/* Each changes one property and leaves the others. Checked as at creation. The next step finds the shape's contacts
   anew. */
TR_API tr_status tr2_shape_set_surface(tr2_world *world, tr2_shape id, tr2_surface surface);
TR_API tr_status tr2_shape_set_filter(tr2_world *world, tr2_shape id, tr2_filter filter);
TR_API tr_status tr2_shape_set_sensor(tr2_world *world, tr2_shape id, bool sensor);
TR_API tr_status tr2_shape_set_user_data(tr2_world *world, tr2_shape id, uint64_t user_data);
/* A shape's body, and its user data. TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID. */
TR_API tr_status tr2_shape_get_body(const tr2_world *world, tr2_shape id, tr2_body *body);
TR_API tr_status tr2_shape_get_user_data(const tr2_world *world, tr2_shape id, uint64_t *user_data);

/* A body's shapes, oldest first. *count is how many there are; the first `capacity` of them are written to `out`, which
   may be null if capacity is 0. */
TR_API tr_status tr2_body_shapes(const tr2_world *world, tr2_body id, tr2_shape *out, uint32_t capacity,
                                 uint32_t *count);
/* Sets the body's mass from its shapes again, after tr2_body_set_mass(). TR_ERROR_ZERO: no shape has density. */
TR_API tr_status tr2_body_update_mass_from_shapes(tr2_world *world, tr2_body id);

/* An axis-aligned bounding box in the world, m. */
typedef struct tr2_aabb {
    tr_dvec2 lower, upper;
} tr2_aabb;

/*
 * Bounding boxes at the current poses, radii included, without margins: of a shape; of a body, that of all its shapes
 * (sensors too), or its origin if it has none. Disabled bodies have theirs as well. Of several: out[n] is for ids[n]
 * (`count` entries each); all or none. Errors: TR_ERROR_NULL, _NULL_ID, _STALE_ID, _FOREIGN_ID.
 */
TR_API tr_status tr2_shape_get_bounds(const tr2_world *world, tr2_shape id, tr2_aabb *out);
TR_API tr_status tr2_body_get_bounds(const tr2_world *world, tr2_body id, tr2_aabb *out);
TR_API tr_status tr2_world_get_shape_bounds(const tr2_world *world, const tr2_shape *ids, uint32_t count,
                                            tr2_aabb *out);
TR_API tr_status tr2_world_get_body_bounds(const tr2_world *world, const tr2_body *ids, uint32_t count, tr2_aabb *out);

/* Bits of tr2_shape_view.flags, as in the definition; others are the world's own. */
#define TR2_SHAPE_SENSOR         1u
#define TR2_SHAPE_CONTACT_EVENTS 2u
#define TR2_SHAPE_HIT_EVENTS     4u
#define TR2_SHAPE_CUSTOM_FILTER  64u

/* The table of shapes, with the rules of tr2_body_view. Points and radius of a shape: tr2_shape_get(). */
typedef struct tr2_shape_view {
    uint32_t count;
    const tr2_shape *id;
    const tr2_body *body;
    const uint32_t *kind;  /* tr2_shape_kind */
    const uint32_t *flags; /* TR2_SHAPE_... */
    const float *density;
    const tr2_surface *surface;
    const tr2_filter *filter;
    const uint64_t *user_data;
} tr2_shape_view;

TR_API tr2_shape_view tr2_world_shapes(const tr2_world *world);

/*
 * Current contacts of shapes: the pairs that the last step found at its beginning to be touching or about to touch,
 * with the impulses of that step. Reading them needs no extra memory. Sensors have no contacts.
 */
typedef struct tr2_shape_contact {
    tr2_shape shape_a, shape_b;
    tr2_body body_a, body_b;
    tr_vec2 normal;              /* of length 1, from A to B, in the world */
    uint32_t point_count;        /* 1 or 2; values of points beyond it are 0 */
    tr_dvec2 point[2];           /* m, in the world, halfway between the surfaces; has moved with A since */
    float separation[2];         /* m, when the step began; above 0: a gap, which the step may have closed */
    tr2_contact_impulse impulse; /* all 0: the shapes are near, but do not press on each other */
} tr2_shape_contact;

/*
 * All contacts of shapes, in an order that does not depend on threads and instruction set. tr2_body_contacts() gives
 * those of one body. *count is how many there are; the first `capacity` of them are written to `out`, which may be null
 * if capacity is 0. Contacts of destroyed shapes are omitted. Contacts of a new shape appear with the next step.
 * Errors: TR_ERROR_NULL; for a body also TR_ERROR_NULL_ID, _STALE_ID, _FOREIGN_ID.
 */
TR_API tr_status tr2_world_get_shape_contacts(const tr2_world *world, tr2_shape_contact *out, uint32_t capacity,
                                              uint32_t *count);
TR_API tr_status tr2_body_contacts(const tr2_world *world, tr2_body id, tr2_shape_contact *out, uint32_t capacity,
                                   uint32_t *count);

/*
 * A contact filter, a callback for one-way platforms and the like. Each step calls it for every contact in which a
 * shape has custom_filter, before it solves the contact. If it returns false, the two shapes pass through each other in
 * this step. It is called on the thread that steps the world, in an order that does not depend on threads and
 * instruction set. The contact is as this step found it; its impulses are those of the last step, 0 if the contact is
 * new. The filter may read bodies, shapes and joints, and must change nothing. Continuous collision ignores shapes with
 * custom_filter: make them thicker than the distance that a fast body moves in one step. Null: no filter.
 * TR_ERROR_NULL: world.
 */
typedef bool (*tr2_contact_filter)(const tr2_shape_contact *contact, void *context);
TR_API tr_status tr2_world_set_contact_filter(tr2_world *world, tr2_contact_filter filter, void *context);

/*
 * A callback that combines the materials of two shapes, for tables of pairs of materials: friction of rubber on ice,
 * and the like. `mixed` comes with what the world's rules give (rolling_resistance not yet times a radius); the mixer
 * changes what it wants to. Numbers that a surface may not have are replaced: those that are too low by 0, too high by
 * the greatest, NaN and infinite ones by what came.
 *
 * A step calls it once for each new contact of two shapes, and again after a change of one of the shapes or of the
 * mixer or rules: on any of its threads, on several at the same time, in any order. So it must be a pure function of
 * its arguments, must treat A and B alike, and may not use the world. Then results are the same for any number of
 * threads. Sensors, the application's contacts and queries do not use it. A scene does not keep it.
 */
typedef struct tr2_mixed_shape {
    tr2_shape shape;
    tr2_surface surface;
    uint64_t user_data; /* the shape's as it is then; tr2_shape_set_user_data() does not mix again */
} tr2_mixed_shape;

typedef void (*tr2_surface_mixer)(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed,
                                  void *context);
/* Null: the world's rules. TR_ERROR_NULL: world. */
TR_API tr_status tr2_world_set_surface_mixer(tr2_world *world, tr2_surface_mixer mixer, void *context);

/*
 * Touches: begin, end and hit of contacts in a step. A touch begins in the step in which two shapes first press on each
 * other or overlap. It ends when they are farther apart than 2 cm plus their approach in one step.
 *
 * Sensors are tested once per step, with the poses at its beginning. A shape that crosses a sensor between two steps is
 * not detected. Filters apply to sensors; joints do not: a sensor also detects bodies connected to its own. A sensor
 * does not detect other sensors, shapes of its own body, or, if its body is static, shapes of static bodies. A chain
 * segment detects only shapes on the side on which it collides.
 */
typedef enum tr2_touch_kind {
    TR2_TOUCH_BEGIN,
    TR2_TOUCH_END,     /* also when one of the shapes is destroyed */
    TR2_TOUCH_HIT,     /* the approach speed exceeded the hit_speed of tr2_contact_settings */
    TR2_OVERLAP_BEGIN, /* of a sensor (shape_a) with another shape */
    TR2_OVERLAP_END
} tr2_touch_kind;

typedef struct tr2_touch_event {
    tr2_touch_kind kind;
    tr2_shape shape_a, shape_b; /* for an end: may have been destroyed */
    tr2_body body_a, body_b;    /* the bodies of the shapes; for an end: may have been destroyed */
    /* The shapes' user data. For a destroyed shape, body and user data are its last ones. */
    uint64_t user_data_a, user_data_b;
    tr_dvec2 point; /* m, in the world; for a begin or hit: the middle of the contact points */
    tr_vec2 normal; /* for a begin or hit: from A to B */
    float speed;    /* m/s; for a hit: the approach speed */
} tr2_touch_event;

typedef struct tr2_touch_view {
    uint32_t count;
    const tr2_touch_event *event;
} tr2_touch_view;

/* The touches of the last successful step: first the ends of destroyed shapes, then the others, ordered by pairs. The
   order does not depend on the number of threads or the instruction set. The pointer is valid until the next call of
   tr2_world_step(), whether that succeeds or fails; edits do not invalidate it. */
TR_API tr2_touch_view tr2_world_touches(const tr2_world *world);

#ifdef __cplusplus
}
#endif

#endif
