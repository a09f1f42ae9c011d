/* Queries against brute force: every shape of a world looked at one by one, where its body is, by the geometry
   alone. */
#include <pthread.h>

#include "hash.h"
#include "shape_fixture.h"
#include "world/world_internal.h"

#define BODIES 120u
#define MOST   400u /* of shapes */
#define RAYS   2000u

/*
 * A world of all kinds of shapes and bodies
 */
static tr2_shape_def draw_shape(uint64_t *seed, tr2_body body)
{
    tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT));
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

static tr2_body draw_body(tr2_world *world, uint64_t *seed, double far)
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

static void fill(tr2_world *world, uint64_t *seed, tr2_body *bodies, double far)
{
    for (uint32_t i = 0; i < BODIES; i++)
        bodies[i] = draw_body(world, seed, far);
}

/* bodies come and go, jump, turn and change their type; no step follows */
static void edit(tr2_world *world, uint64_t *seed, tr2_body *bodies, double far)
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
static tr2_query draw_query(uint64_t *seed)
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

static bool agree(const tr2_filter *a, const tr2_filter *b)
{
    if (a->group == b->group && a->group != 0)
        return a->group > 0;
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

static uint32_t list_shapes(const tr2_world *world, const tr2_query *query, placed *out)
{
    tr2_shape_view view = tr2_world_shapes(world);
    assert_true(view.count <= MOST);
    for (uint32_t i = 0; i < view.count; i++) {
        out[i].id = view.id[i];
        out[i].geometry = world->shapes.geometry[i];
        assert_ok(world, tr2_world_get_transforms(world, &view.body[i], 1, &out[i].frame));
        bool sensor = (world->shapes.flags[i] & TR2_SHAPE_SENSOR) != 0;
        out[i].wanted = (query->sensors || !sensor) && agree(&query->filter, &view.filter[i]);
    }
    return view.count;
}

static tr_vec2 local_of(const placed *shape, double x, double y)
{
    double dx = x - shape->frame.position.x, dy = y - shape->frame.position.y;
    double c = cos(shape->frame.angle), s = sin(shape->frame.angle);
    return (tr_vec2){(float)(c * dx + s * dy), (float)(c * dy - s * dx)};
}

static tr_vec2 turned_back(const placed *shape, double x, double y)
{
    double c = cos(shape->frame.angle), s = sin(shape->frame.angle);
    return (tr_vec2){(float)(c * x + s * y), (float)(c * y - s * x)};
}

/*
 * Rays
 */
typedef struct rays {
    double x[RAYS], y[RAYS];
    float way_x[RAYS], way_y[RAYS];
    tr2_rays batch;
} rays;

static void draw_rays(rays *it, uint64_t *seed, double far)
{
    for (uint32_t i = 0; i < RAYS; i++) {
        it->x[i] = far + 40.0 * (draw(seed) - 0.5);
        it->y[i] = far + 40.0 * (draw(seed) - 0.5);
        float length = draw(seed) < 0.3 ? 2.0f : 60.0f;
        it->way_x[i] = draw(seed) < 0.1 ? 0.0f : length * ((float)draw(seed) - 0.5f);
        it->way_y[i] = draw(seed) < 0.1 ? 0.0f : length * ((float)draw(seed) - 0.5f);
    }
    it->batch = (tr2_rays){RAYS, it->x, it->y, it->way_x, it->way_y};
}

static tr2_cast_result cast_at(const placed *shape, const rays *it, uint32_t i)
{
    return tr2_geometry_ray_cast(shape->geometry, local_of(shape, it->x[i], it->y[i]),
                                 turned_back(shape, (double)it->way_x[i], (double)it->way_y[i]));
}

/* m; rounding of floats 30 m from a shape, at grazing incidence */
#define NEAR 2e-3

/* whether a ray all but grazes a shape: then rounding decides */
static bool grazes(const placed *shape, const rays *it, uint32_t i)
{
    float length = hypotf(it->way_x[i], it->way_y[i]);
    for (uint32_t k = 0; k < 4; k++) {
        rays moved = {.x = {0}};
        double aside = (k % 2 == 0 ? 1e-4 : -1e-4) / (double)(length > 0.0f ? length : 1.0f);
        double longer = k < 2 ? 1.0 : k == 2 ? 1.0001 : 0.9999;
        moved.x[0] = it->x[i] - (k < 2 ? aside * (double)it->way_y[i] : 0.0);
        moved.y[0] = it->y[i] + (k < 2 ? aside * (double)it->way_x[i] : 0.0);
        moved.way_x[0] = it->way_x[i] * (float)longer;
        moved.way_y[0] = it->way_y[i] * (float)longer;
        if (cast_at(shape, &moved, 0).hit != cast_at(shape, it, i).hit)
            return true;
    }
    return false;
}

static uint32_t check_ray(const placed *shapes, uint32_t count, const rays *it, uint32_t i, tr2_shape id,
                          float fraction, bool any)
{
    tr2_cast_result best = {.fraction = 2.0f};
    uint32_t which = UINT32_MAX;
    double length = hypot((double)it->way_x[i], (double)it->way_y[i]);
    for (uint32_t k = 0; k < count; k++) {
        if (!shapes[k].wanted)
            continue;
        tr2_cast_result one = cast_at(&shapes[k], it, i);
        if (shapes[k].id.index == id.index && one.hit && fabs((double)(fraction - one.fraction)) * length > NEAR)
            fail_msg("ray %u hits its shape at %g, not %g", i, (double)one.fraction, (double)fraction);
        if (one.hit && one.fraction < best.fraction && !(id.index == 0 && grazes(&shapes[k], it, i))) {
            best = one;
            which = k;
        }
    }
    assert_int_equal(any, id.index != 0);
    if (which == UINT32_MAX)
        return id.index != 0;
    if (id.index == 0)
        fail_msg("ray %u misses shape %u at %g", i, shapes[which].id.index, (double)best.fraction);
    if ((double)(fraction - best.fraction) * length > NEAR && !grazes(&shapes[which], it, i))
        fail_msg("ray %u hits at %g, shape %u is at %g", i, (double)fraction, shapes[which].id.index,
                 (double)best.fraction);
    return 1;
}

static uint32_t check_rays(const tr2_world *world, uint64_t *seed, double far)
{
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float fraction[RAYS], normal_x[RAYS], normal_y[RAYS];
    static double x[RAYS], y[RAYS];
    static bool any[RAYS];
    tr2_hits hits = {id, fraction, x, y, normal_x, normal_y};
    tr2_query query = draw_query(seed);
    uint32_t count = list_shapes(world, &query, shapes), hit = 0;
    draw_rays(&it, seed, far);
    tr_error error;
    assert_int_equal(tr2_world_cast_rays(world, &it.batch, &query, &hits, &error), TR_OK);
    assert_int_equal(tr2_world_test_rays(world, &it.batch, &query, any, &error), TR_OK);
    for (uint32_t i = 0; i < RAYS; i++) {
        hit += check_ray(shapes, count, &it, i, id[i], fraction[i], any[i]);
        /* the point is where the fraction says, the normal looks back */
        assert_true(fabs(x[i] - it.x[i] - (double)(fraction[i] * it.way_x[i])) < NEAR);
        assert_true(fabs(y[i] - it.y[i] - (double)(fraction[i] * it.way_y[i])) < NEAR);
        float square = normal_x[i] * normal_x[i] + normal_y[i] * normal_y[i];
        if (id[i].index != 0 && fraction[i] > 0.0f) {
            assert_true(fabsf(square - 1.0f) < 1e-4f);
            assert_true(normal_x[i] * it.way_x[i] + normal_y[i] * it.way_y[i] <= 1e-3f);
        }
    }
    return hit;
}

static void rays_hit_what_brute_force_says(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 1;
    uint32_t hit = 0, rounds = 0;
    for (uint32_t run = 0; run < 2; run++) {
        double far = run == 0 ? 0.0 : 1e5;
        tr2_body bodies[BODIES];
        fill(world, &seed, bodies, far);
        for (uint32_t round = 0; round < 26; round++, rounds++) {
            /* before any step, after edits, after steps, after both */
            if (round % 3 == 1)
                assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            if (round % 3 != 0 || round == 24)
                edit(world, &seed, bodies, far);
            if (round % 6 == 4)
                assert_ok(world, tr2_world_step(world, 1.0 / 10.0, 4));
            hit += check_rays(world, &seed, far);
        }
        for (uint32_t i = 0; i < BODIES; i++)
            assert_ok(world, tr2_world_destroy_body(world, bodies[i]));
    }
    /* 104,000 rays, of which many hit and many miss */
    assert_in_range(hit, rounds * RAYS / 4, rounds * RAYS * 9 / 10);
}

static void rays_through_a_world_list_all_that_they_hit(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 3;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_hit all[64 * RAYS], some[1000];
    static uint32_t first[RAYS + 1], short_first[RAYS + 1];
    fill(world, &seed, bodies, 0.0);
    draw_rays(&it, &seed, 0.0);
    tr2_query query = draw_query(&seed);
    uint32_t count = list_shapes(world, &query, shapes);
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, all, 64 * RAYS, first, NULL), TR_OK);
    assert_in_range(first[RAYS], RAYS, 64 * RAYS);
    for (uint32_t i = 0; i < RAYS; i++) {
        uint32_t found = 0, doubtful = 0;
        for (uint32_t k = 0; k < count; k++) {
            bool hits = shapes[k].wanted && cast_at(&shapes[k], &it, i).hit;
            bool listed = false;
            for (uint32_t h = first[i]; h < first[i + 1]; h++)
                listed = listed || all[h].shape.index == shapes[k].id.index;
            if (hits != listed)
                assert_true(shapes[k].wanted && grazes(&shapes[k], &it, i));
            doubtful += hits != listed;
            found += hits;
        }
        assert_in_range(first[i + 1] - first[i] + doubtful, found, found + 2 * doubtful);
        for (uint32_t h = first[i]; h < first[i + 1]; h++) {
            assert_int_equal(all[h].index, i);
            if (h > first[i])
                assert_true(all[h - 1].fraction < all[h].fraction ||
                            (all[h - 1].fraction == all[h].fraction && all[h - 1].shape.index < all[h].shape.index));
        }
    }
    /* without room for all: the counts are those, and what is there are the nearest of each */
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, some, 1000, short_first, NULL), TR_OK);
    assert_memory_equal(first, short_first, sizeof first);
    for (uint32_t h = 0; h < 1000; h++)
        assert_int_equal(some[h].shape.index, all[h].shape.index);
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, NULL, 0, short_first, NULL), TR_OK);
    assert_memory_equal(first, short_first, sizeof first);
}

/*
 * Shapes
 */
static tr2_shape_def query_shape(uint64_t *seed)
{
    tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT));
    for (uint32_t i = 0; i < def.point_count; i++)
        def.point[i] = (tr_vec2){def.point[i].x + (float)draw(seed) - 0.5f, def.point[i].y};
    return def;
}

static tr2_geometry geometry_of(tr2_world *world, const tr2_shape_def *def)
{
    /* by way of a shape of a body, which is taken out again */
    tr2_body_def body = tr2_body_def_default();
    body.position.x = 1e6;
    tr2_shape_def made = *def;
    tr2_shape id;
    assert_ok(world, tr2_world_create_body(world, &body, &made.body));
    assert_ok(world, tr2_world_create_shape(world, &made, &id));
    tr2_geometry out;
    const tr2_geometry *geometry = world->shapes.geometry[world->shapes.pool.row[id.index - 1]];
    memcpy(&out, geometry, tr2_geometry_size(geometry));
    assert_ok(world, tr2_world_destroy_body(world, made.body));
    return out;
}

static tr2_transform place(double x, double y, float angle)
{
    tr2_transform out = {{x, y}, (double)angle, cosf(angle), sinf(angle)};
    return out;
}

static void shapes_that_are_moved_stop_where_brute_force_says(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 5;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float fraction[RAYS], angle[RAYS];
    fill(world, &seed, bodies, 0.0);
    uint32_t hit = 0, missed = 0;
    for (uint32_t round = 0; round < 6; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_shape_def def = query_shape(&seed);
        tr2_geometry moved = geometry_of(world, &def);
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        for (uint32_t i = 0; i < RAYS; i++)
            angle[i] = 6.0f * (float)draw(&seed);
        tr2_places from = {RAYS, it.x, it.y, round == 3 ? NULL : angle};
        tr2_hits hits = {id, fraction, NULL, NULL, NULL, NULL};
        assert_int_equal(tr2_world_cast_shapes(world, &def, &from, it.way_x, it.way_y, &query, &hits, NULL), TR_OK);
        for (uint32_t i = 0; i < RAYS; i++) {
            float best = 2.0f;
            uint32_t which = 0;
            double length = hypot((double)it.way_x[i], (double)it.way_y[i]);
            for (uint32_t k = 0; k < count; k++) {
                if (!shapes[k].wanted)
                    continue;
                tr2_transform at = place(it.x[i], it.y[i], round == 3 ? 0.0f : angle[i]);
                tr2_cast_result one =
                    tr2_geometry_shape_cast(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &moved,
                                            turned_back(&shapes[k], (double)it.way_x[i], (double)it.way_y[i]));
                if (one.hit && one.fraction < best) {
                    best = one.fraction;
                    which = k;
                }
            }
            if ((best <= 1.0f) != (id[i].index != 0) ||
                (best <= 1.0f && fabs((double)(best - fraction[i])) * length > NEAR))
                fail_msg("round %u, shape %u stops at %g, should at %g of %g m, on shape %u", round, i,
                         (double)fraction[i], (double)best, length, shapes[which].id.index);
            hit += best <= 1.0f;
            missed += best > 1.0f;
        }
    }
    assert_true(hit > 3000 && missed > 1000);
}

/* m; nearer than this to touching, rounding decides */
#define TOUCHING 3e-4f

static void overlaps_are_those_of_brute_force(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 7;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape found[64 * RAYS];
    static uint32_t first[RAYS + 1];
    static float angle[RAYS];
    static double upper_x[RAYS], upper_y[RAYS];
    fill(world, &seed, bodies, 0.0);
    for (uint32_t round = 0; round < 9; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_shape_def def = query_shape(&seed);
        tr2_geometry laid = geometry_of(world, &def);
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        for (uint32_t i = 0; i < RAYS; i++) {
            angle[i] = 6.0f * (float)draw(&seed);
            /* some boxes are lines, some points */
            upper_x[i] = it.x[i] + (draw(&seed) < 0.1 ? 0.0 : 4.0 * draw(&seed));
            upper_y[i] = it.y[i] + (draw(&seed) < 0.1 ? 0.0 : 4.0 * draw(&seed));
        }
        tr2_places places = {RAYS, it.x, it.y, angle};
        tr2_boxes boxes = {RAYS, it.x, it.y, upper_x, upper_y};
        tr2_points points = {RAYS, it.x, it.y};
        tr_status status =
            round % 3 == 0   ? tr2_world_overlap_shapes(world, &def, &places, &query, found, 64 * RAYS, first, NULL)
            : round % 3 == 1 ? tr2_world_overlap_boxes(world, &boxes, &query, found, 64 * RAYS, first, NULL)
                             : tr2_world_overlap_points(world, &points, &query, found, 64 * RAYS, first, NULL);
        assert_int_equal(status, TR_OK);
        assert_in_range(first[RAYS], 50, 64 * RAYS);
        for (uint32_t i = 0; i < RAYS; i++) {
            for (uint32_t h = first[i] + 1; h < first[i + 1]; h++)
                assert_true(found[h - 1].index < found[h].index);
            for (uint32_t k = 0; k < count; k++) {
                bool listed = false;
                for (uint32_t h = first[i]; h < first[i + 1]; h++)
                    listed = listed || found[h].index == shapes[k].id.index;
                float distance;
                if (round % 3 == 2) {
                    tr_vec2 at = local_of(&shapes[k], it.x[i], it.y[i]);
                    bool hollow = shapes[k].geometry->kind == TR2_GEOMETRY_SEGMENT ||
                                  shapes[k].geometry->kind == TR2_GEOMETRY_CHAIN;
                    distance = hollow ? 1.0f : tr2_geometry_nearest(shapes[k].geometry, at).distance;
                } else if (round % 3 == 1) {
                    tr2_geometry box;
                    float x = (float)fmax(0.5 * (upper_x[i] - it.x[i]), 1e-4),
                          y = (float)fmax(0.5 * (upper_y[i] - it.y[i]), 1e-4);
                    assert_int_equal(tr2_geometry_box(x, y, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
                    tr2_transform at = place(0.5 * (it.x[i] + upper_x[i]), 0.5 * (it.y[i] + upper_y[i]), 0.0f);
                    distance = tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &box).distance;
                } else {
                    tr2_transform at = place(it.x[i], it.y[i], angle[i]);
                    distance =
                        tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &laid).distance;
                }
                /* a listed one may only be apart by rounding, one that is not listed overlap by no more */
                if (listed && (!shapes[k].wanted || distance > TOUCHING))
                    fail_msg("round %u, entry %u: shape %u is listed, wanted %d, %g m away", round, i,
                             shapes[k].id.index, shapes[k].wanted, (double)distance);
                if (!listed && shapes[k].wanted && distance <= (round % 3 == 2 ? -TOUCHING : 0.0f)) {
                    tr2_transform aside = place(it.x[i] + 1e-4, it.y[i] + 1e-4, angle[i]);
                    bool doubtful =
                        round % 3 == 0 &&
                        tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &aside), &laid).distance >
                            0.0f;
                    if (!doubtful)
                        fail_msg("round %u, entry %u: shape %u is not listed", round, i, shapes[k].id.index);
                }
            }
        }
    }
}

static void nearest_shapes_are_those_of_brute_force(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 11;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float distance[RAYS], normal_x[RAYS], normal_y[RAYS];
    static double x[RAYS], y[RAYS];
    const float mosts[4] = {0.0f, 0.3f, 5.0f, INFINITY};
    uint32_t told_apart = 0;
    fill(world, &seed, bodies, 0.0);
    for (uint32_t round = 0; round < 8; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        tr2_points points = {RAYS, it.x, it.y};
        tr2_nearest out = {id, distance, x, y, normal_x, normal_y};
        float most = mosts[round % 4];
        assert_int_equal(tr2_world_nearest_shapes(world, &points, most, &query, &out, NULL), TR_OK);
        for (uint32_t i = 0; i < RAYS; i++) {
            float best = INFINITY, second = INFINITY;
            uint32_t which = 0;
            for (uint32_t k = 0; k < count; k++) {
                if (!shapes[k].wanted)
                    continue;
                float now = tr2_geometry_nearest(shapes[k].geometry, local_of(&shapes[k], it.x[i], it.y[i])).distance;
                second = fminf(second, fmaxf(best, now));
                which = now < best ? k : which;
                best = fminf(best, now);
            }
            if (fabsf(best - most) < TOUCHING)
                continue;
            assert_int_equal(best < most, id[i].index != 0);
            if (id[i].index == 0)
                continue;
            assert_true(fabsf(best - distance[i]) < TOUCHING);
            /* it is that shape, unless another is as near but for rounding */
            if (second - best > TOUCHING) {
                assert_int_equal(id[i].index, shapes[which].id.index);
                told_apart++;
            }
            /* from the point of the surface out along the normal is the point that was asked about */
            assert_true(fabs(x[i] + (double)(distance[i] * normal_x[i]) - it.x[i]) < 1e-3);
            assert_true(fabs(y[i] + (double)(distance[i] * normal_y[i]) - it.y[i]) < 1e-3);
        }
    }
    assert_true(told_apart > 5000);
}

/*
 * Threads
 */
typedef struct asker {
    const tr2_world *world;
    const tr2_rays *rays;
    const tr2_shape_def *shape;
    uint64_t hash;
    pthread_t thread;
} asker;

static void *ask(void *context)
{
    asker *it = context;
    tr2_shape *id = calloc(4 * RAYS, sizeof *id);
    uint32_t *first = calloc(RAYS + 1, sizeof *first);
    float *fraction = calloc(RAYS, sizeof *fraction);
    const double nan = NAN;
    it->hash = 1;
    for (uint32_t round = 0; round < 3; round++) {
        tr2_hits hits = {id, fraction, NULL, NULL, NULL, NULL};
        tr2_places places = {RAYS, it->rays->x, it->rays->y, NULL};
        tr2_points points = {RAYS, it->rays->x, it->rays->y}, wrong = {1, &nan, &nan};
        tr2_nearest nearest = {id, fraction, NULL, NULL, NULL, NULL};
        tr_error error;
        bool ok = tr2_world_cast_rays(it->world, it->rays, NULL, &hits, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_cast_shapes(it->world, it->shape, &places, it->rays->way_x, it->rays->way_y, NULL, &hits,
                                         &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_nearest_shapes(it->world, &points, INFINITY, NULL, &nearest, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_overlap_shapes(it->world, it->shape, &places, NULL, id, 4 * RAYS, first, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, 4 * RAYS * sizeof *id), first, (RAYS + 1) * sizeof *first);
        /* an error is the asker's own */
        ok = ok && tr2_world_nearest_shapes(it->world, &wrong, 1.0f, NULL, &nearest, &error) == TR_ERROR_NAN &&
             error.status == TR_ERROR_NAN;
        if (!ok)
            it->hash = 0;
    }
    free(id);
    free(first);
    free(fraction);
    return NULL;
}

static void any_threads_may_ask_at_once(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 13;
    tr2_body bodies[BODIES];
    static rays it;
    fill(world, &seed, bodies, 0.0);
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    edit(world, &seed, bodies, 0.0);
    draw_rays(&it, &seed, 0.0);
    tr2_shape_def box = tr2_shape_def_default(TR2_POLYGON);
    asker askers[4];
    uint64_t before = tr2_world_state_hash(world);
    size_t bytes = tr2_world_statistics(world).bytes;
    for (uint32_t i = 0; i < 4; i++) {
        askers[i] = (asker){.world = world, .rays = &it.batch, .shape = &box};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_not_equal(askers[i].hash, 0);
        assert_int_equal(askers[i].hash, askers[0].hash);
    }
    /* nothing has been written: no error, no byte, no state */
    assert_int_equal(tr2_world_last_error(world)->status, TR_OK);
    assert_int_equal(tr2_world_statistics(world).bytes, bytes);
    assert_int_equal(tr2_world_state_hash(world), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rays_hit_what_brute_force_says, setup, teardown),
        cmocka_unit_test_setup_teardown(rays_through_a_world_list_all_that_they_hit, setup, teardown),
        cmocka_unit_test_setup_teardown(shapes_that_are_moved_stop_where_brute_force_says, setup, teardown),
        cmocka_unit_test_setup_teardown(overlaps_are_those_of_brute_force, setup, teardown),
        cmocka_unit_test_setup_teardown(nearest_shapes_are_those_of_brute_force, setup, teardown),
        cmocka_unit_test_setup_teardown(any_threads_may_ask_at_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
