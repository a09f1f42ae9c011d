/* What the tests of queries share: a world of all kinds of shapes and bodies, its shapes one by one, and rays. */
#ifndef TR_TESTS_QUERY_WORLD_H
#define TR_TESTS_QUERY_WORLD_H

#include "shape_fixture.h"
#include "weightless.h"
#include "world/core/world_internal.h"

#define BODIES 120u
#define MOST   400u /* of shapes */
#define RAYS   2000u

/* m; rounding of floats 30 m from a shape, at grazing incidence: 6e-5 m over the sine of the angle to the surface, here
   down to 0.02 */
#define NEAR 4e-3

/*
 * A world of all kinds of shapes and bodies
 */
static inline tr2_shape_def draw_shape(uint64_t *seed, tr2_body body)
{
    tr2_shape_def def = weightless(tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT)));
    def.body = body;
    float size = draw(seed) < 0.1 ? 8.0f * (float)draw(seed) + 0.2f : 0.2f + (float)draw(seed);
    float x = (float)draw(seed) - 0.5f;
    for (uint32_t i = 0; i < def.point_count; i++)
        def.point[i] = (tr_vec2){size * def.point[i].x + x, size * def.point[i].y};
    def.radius *= size * 0.5f;
    if (def.kind == TR2_POLYGON && draw(seed) < 0.3)
        def.radius = 0.2f;
    def.filter.category = draw(seed) < 0.3 ? 2 : 1;
    def.filter.mask = draw(seed) < 0.2 ? 1 : UINT64_MAX;
    def.filter.group = draw(seed) < 0.2 ? (int32_t)(draw(seed) * 5.0) - 2 : 0;
    def.sensor = draw(seed) < 0.1;
    def.density = 1.0f;
    return def;
}

static inline tr2_body draw_body(tr2_world *world, uint64_t *seed, double far)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = (tr_body_type)(draw(seed) * 3.0);
    def.position = (tr_dvec2){far + 30.0 * (draw(seed) - 0.5), far + 30.0 * (draw(seed) - 0.5)};
    def.angle = 6.0 * draw(seed);
    if (def.type != TR_STATIC)
        def.velocity = (tr_vec2){20.0f * (float)draw(seed) - 10.0f, 20.0f * (float)draw(seed) - 10.0f};
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    for (uint32_t k = 0; k < 3; k++) {
        tr2_shape_def shape = draw_shape(seed, id);
        assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
    }
    return id;
}

static inline void fill(tr2_world *world, uint64_t *seed, tr2_body *bodies, double far)
{
    for (uint32_t i = 0; i < BODIES; i++)
        bodies[i] = draw_body(world, seed, far);
}

/* bodies come and go, jump, turn and change their type; no step follows */
static inline void edit(tr2_world *world, uint64_t *seed, tr2_body *bodies, double far)
{
    for (uint32_t i = 0; i < 30; i++) {
        tr2_body *body = &bodies[(uint32_t)(draw(seed) * BODIES)];
        double what = draw(seed);
        tr_dvec2 to = {far + 30.0 * (draw(seed) - 0.5), far + 30.0 * (draw(seed) - 0.5)};
        if (what < 0.2) {
            assert_ok(world, tr2_world_destroy_body(world, *body));
            *body = draw_body(world, seed, far);
        } else if (what < 0.6) {
            assert_ok(world, tr2_body_set_transform(world, *body, to, 6.0 * draw(seed)));
        } else if (what < 0.8) {
            assert_ok(world, tr2_body_set_type(world, *body, (tr_body_type)(draw(seed) * 3.0)));
            assert_ok(world, tr2_body_set_enabled(world, *body, draw(seed) < 0.8));
        } else {
            tr2_shape shapes[3];
            uint32_t count;
            assert_ok(world, tr2_body_shapes(world, *body, shapes, 3, &count));
            tr2_shape_def def = draw_shape(seed, *body);
            assert_ok(world, tr2_shape_set(world, shapes[0], &def));
        }
    }
}

/* what is asked with: now everything, now as a shape of some kind */
static inline tr2_query draw_query(uint64_t *seed)
{
    tr2_query query = tr2_query_default();
    query.sensors = draw(seed) < 0.5;
    if (draw(seed) < 0.5)
        query.filter =
            (tr2_filter){draw(seed) < 0.5 ? 1 : 2, draw(seed) < 0.5 ? 2 : UINT64_MAX, (int32_t)(3.0 * draw(seed)) - 1};
    return query;
}

/*
 * One shape
 */
typedef struct placed {
    tr2_shape id;
    const tr2_geometry *geometry;
    tr2_transform frame;
    bool wanted;
} placed;

static inline bool agree(const tr2_filter *a, const tr2_filter *b)
{
    if (a->group == b->group && a->group != 0)
        return a->group > 0;
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

static inline uint32_t list_shapes(const tr2_world *world, const tr2_query *query, placed *out)
{
    tr2_shape_view view = tr2_world_shapes(world);
    assert_true(view.count <= MOST);
    for (uint32_t i = 0; i < view.count; i++) {
        out[i].id = view.id[i];
        out[i].geometry = world->shapes.geometry[i];
        assert_ok(world, tr2_world_get_transforms(world, &view.body[i], 1, &out[i].frame));
        bool sensor = (world->shapes.flags[i] & TR2_SHAPE_SENSOR) != 0;
        tr2_body_def body;
        assert_ok(world, tr2_body_get(world, view.body[i], &body));
        out[i].wanted = body.enabled && (query->sensors || !sensor) && agree(&query->filter, &view.filter[i]);
    }
    return view.count;
}

static inline tr_vec2 local_of(const placed *shape, double x, double y)
{
    double dx = x - shape->frame.position.x, dy = y - shape->frame.position.y;
    double c = cos(shape->frame.angle), s = sin(shape->frame.angle);
    return (tr_vec2){(float)(c * dx + s * dy), (float)(c * dy - s * dx)};
}

static inline tr_vec2 turned_back(const placed *shape, double x, double y)
{
    double c = cos(shape->frame.angle), s = sin(shape->frame.angle);
    return (tr_vec2){(float)(c * x + s * y), (float)(c * y - s * x)};
}

/*
 * Rays
 */
typedef struct rays {
    double x[RAYS], y[RAYS];
    float translation_x[RAYS], translation_y[RAYS];
    tr2_rays batch;
} rays;

static inline void draw_rays(rays *it, uint64_t *seed, double far)
{
    for (uint32_t i = 0; i < RAYS; i++) {
        it->x[i] = far + 40.0 * (draw(seed) - 0.5);
        it->y[i] = far + 40.0 * (draw(seed) - 0.5);
        float length = draw(seed) < 0.3 ? 2.0f : 60.0f;
        it->translation_x[i] = draw(seed) < 0.1 ? 0.0f : length * ((float)draw(seed) - 0.5f);
        it->translation_y[i] = draw(seed) < 0.1 ? 0.0f : length * ((float)draw(seed) - 0.5f);
    }
    it->batch = (tr2_rays){RAYS, it->x, it->y, it->translation_x, it->translation_y};
}

#endif
