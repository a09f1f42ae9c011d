/* Shapes in a world: what is refused, what is read back, what bodies weigh, and that nothing is lost without memory. */
#include "hash.h"
#include "shape_fixture.h"
#include "weightless.h"
#include "world/core/world_internal.h"

/*
 * Refusals
 */
typedef struct refusal {
    void (*spoil)(tr2_shape_def *def);
    tr_status status;
    const char *message;
} refusal;

static void null_body(tr2_shape_def *def)
{
    def->body.index = 0;
}
static void stale_body(tr2_shape_def *def)
{
    def->body.index = UINT32_MAX;
}
static void bad_kind(tr2_shape_def *def)
{
    def->kind = TR2_SHAPE_KIND_COUNT;
}
static void few_points(tr2_shape_def *def)
{
    def->point_count = 2;
}
static void many_points(tr2_shape_def *def)
{
    def->point_count = TR2_SHAPE_POINTS + 1;
}
static void nan_point(tr2_shape_def *def)
{
    def->point[3].y = NAN;
}
static void far_point(tr2_shape_def *def)
{
    def->point[0].x = 2e9f;
}
static void flat_polygon(tr2_shape_def *def)
{
    for (uint32_t i = 0; i < 4; i++)
        def->point[i] = (tr_vec2){(float)i, 2.0f * (float)i};
}
static void negative_radius(tr2_shape_def *def)
{
    def->radius = -0.5f;
}
static void point_circle(tr2_shape_def *def)
{
    *def = weightless(tr2_circle_on(def->body, (tr_vec2){0.0f, 0.0f}, 0.0f));
}
static void round_segment(tr2_shape_def *def)
{
    tr2_body body = def->body;
    *def = tr2_shape_def_default(TR2_SEGMENT);
    def->body = body;
    def->radius = 0.25f;
}
static void short_segment(tr2_shape_def *def)
{
    *def = tr2_segment_on(def->body, (tr_vec2){1.0f, 1.0f}, (tr_vec2){1.0f, 1.0f});
}
static void infinite_density(tr2_shape_def *def)
{
    def->density = INFINITY;
}
static void negative_friction(tr2_shape_def *def)
{
    def->surface.friction = -0.1f;
}
static void much_restitution(tr2_shape_def *def)
{
    def->surface.restitution = 15.0f;
}
static void nan_tangent_speed(tr2_shape_def *def)
{
    def->surface.tangent_speed = NAN;
}
static void huge_mass(tr2_shape_def *def)
{
    def->density = 3e38f;
    for (uint32_t i = 0; i < 4; i++)
        def->point[i] = (tr_vec2){100.0f * def->point[i].x, 100.0f * def->point[i].y};
}

static const refusal refusals[] = {
    {null_body, TR_ERROR_NULL_ID, "create_shape: def.body is the null id"},
    {stale_body, TR_ERROR_STALE_ID, "create_shape: def.body is stale (slot 4294967294 was never used)"},
    {bad_kind, TR_ERROR_RANGE, "create_shape: def.kind is 5, no kind of shape"},
    {few_points, TR_ERROR_RANGE, "create_shape: def.point_count is 2, must be 3 to 16"},
    {many_points, TR_ERROR_RANGE, "create_shape: def.point_count is 17, must be 3 to 16"},
    {nan_point, TR_ERROR_NAN, "create_shape: def.point[3].y is NaN"},
    {far_point, TR_ERROR_INFINITE, "create_shape: def.point or radius is beyond 1e+09 m"},
    {flat_polygon, TR_ERROR_ZERO, "create_shape: def.point makes a polygon without area"},
    {negative_radius, TR_ERROR_NEGATIVE, "create_shape: def.radius is -0.5, must not be negative"},
    {point_circle, TR_ERROR_ZERO, "create_shape: def.radius is zero, must be positive"},
    {round_segment, TR_ERROR_RANGE, "create_shape: def.radius is 0.25, but a segment has none: a capsule has"},
    {short_segment, TR_ERROR_ZERO, "create_shape: def.point makes a line without length"},
    {infinite_density, TR_ERROR_INFINITE, "create_shape: def.density is infinite"},
    {negative_friction, TR_ERROR_NEGATIVE, "create_shape: def.surface.friction is -0.1, must not be negative"},
    {much_restitution, TR_ERROR_RANGE, "create_shape: def.surface.restitution is 15, must be 0 to 10"},
    {nan_tangent_speed, TR_ERROR_NAN, "create_shape: def.surface.tangent_speed is NaN"},
    {huge_mass, TR_ERROR_INFINITE, "create_shape: def.mass is infinite"},
};

static void each_bad_definition_is_named_and_changes_nothing(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make_body(world, 0.0, 0.0);
    uint64_t hash = tr2_world_state_hash(world);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        tr2_shape_def good = weightless(tr2_box_on(body, 0.5f, 0.5f)), def = good;
        refusals[i].spoil(&def);
        tr2_shape id = {77, 0, 0};
        assert_int_equal(tr2_world_create_shape(world, &def, &id), refusals[i].status);
        assert_string_equal(tr2_world_last_error(world)->message, refusals[i].message);
        assert_int_equal(id.index, 77);
        /* in a batch the others are not made either, and the bad one is told by its number */
        tr2_shape_def batch[3] = {good, good, def};
        assert_int_equal(tr2_world_create_shapes(world, batch, 3, NULL), refusals[i].status);
        assert_non_null(strstr(tr2_world_last_error(world)->message, "create_shapes: defs[2]"));
        assert_int_equal(tr2_world_shapes(world).count, 0);
        assert_true(tr2_world_state_hash(world) == hash);
        assert_true(body_now(world, body).mass == 1.0f);
    }
    tr2_shape_def good = weightless(tr2_box_on(body, 0.5f, 0.5f));
    assert_int_equal(add(world, good).index, 1);
}

static void ids_of_shapes_go_stale(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make_body(world, 0.0, 0.0);
    tr2_shape_def def = weightless(tr2_box_on(body, 0.5f, 0.5f));
    tr2_shape one = add(world, def), two = add(world, def);
    const tr2_shape twice[2] = {one, one}, none = {0, 0, 0};
    assert_int_equal(tr2_world_destroy_shapes(world, twice, 2), TR_ERROR_STALE_ID);
    assert_true(tr2_shape_is_valid(world, one));
    assert_ok(world, tr2_world_destroy_shape(world, one));
    assert_false(tr2_shape_is_valid(world, one));
    assert_int_equal(tr2_world_destroy_shape(world, one), TR_ERROR_STALE_ID);
    assert_int_equal(tr2_shape_get(world, none, &def), TR_ERROR_NULL_ID);
    assert_true(add(world, def).generation == 1);
    /* shapes go with their body */
    assert_ok(world, tr2_world_destroy_body(world, body));
    assert_false(tr2_shape_is_valid(world, two));
    assert_int_equal(tr2_world_shapes(world).count, 0);
}

/*
 * Reading back
 */
static void shapes_are_read_back_as_they_were_made(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make_body(world, 0.0, 0.0);
    for (int kind = 0; kind < TR2_SHAPE_KIND_COUNT; kind++) {
        tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)kind);
        def.body = body;
        def.density = kind == TR2_POLYGON ? 2.5f : 0.0f;
        def.surface = (tr2_surface){0.25f, 0.5f, 0.125f, -3.0f};
        def.filter = (tr2_filter){6, 9, -4};
        def.sensor = kind == TR2_CAPSULE;
        def.contact_events = kind != TR2_CIRCLE;
        def.hit_events = kind == TR2_CIRCLE;
        def.custom_filter = kind == TR2_POLYGON;
        def.user_data = 1000u + (uint64_t)kind;
        if (kind == TR2_CHAIN_SEGMENT) {
            def.has_after = true;
            def.after = (tr_vec2){2.0f, 1.0f};
        }
        tr2_shape_def kept, again;
        tr2_shape id = add(world, def);
        assert_ok(world, tr2_shape_get(world, id, &kept));
        assert_int_equal(kept.kind, kind);
        assert_int_equal(kept.point_count, def.point_count);
        assert_true(kept.radius == def.radius && kept.density == def.density && kept.user_data == def.user_data);
        assert_memory_equal(&kept.surface, &def.surface, sizeof def.surface);
        assert_true(kept.filter.category == 6 && kept.filter.mask == 9 && kept.filter.group == -4);
        assert_true(kept.sensor == def.sensor && kept.contact_events == def.contact_events);
        assert_true(kept.hit_events == def.hit_events && kept.custom_filter == def.custom_filter);
        assert_true(kept.has_before == def.has_before && kept.has_after == def.has_after);
        assert_true(kept.after.x == def.after.x && kept.after.y == def.after.y);
        /* a polygon's hull may begin with another corner, and is its own hull */
        assert_ok(world, tr2_shape_get(world, add(world, kept), &again));
        assert_memory_equal(again.point, kept.point, sizeof kept.point);
        if (kind != TR2_POLYGON)
            assert_memory_equal(kept.point, def.point, sizeof def.point);
    }
    uint32_t count = 0;
    tr2_shape list[10];
    assert_ok(world, tr2_body_shapes(world, body, list, 10, &count));
    assert_int_equal(count, 2 * TR2_SHAPE_KIND_COUNT);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(list[i].index, i + 1);
    /* the table has the same */
    tr2_shape_view view = tr2_world_shapes(world);
    assert_int_equal(view.count, count);
    for (uint32_t i = 0; i < count; i++) {
        tr2_shape_def def;
        assert_ok(world, tr2_shape_get(world, view.id[i], &def));
        assert_true(view.kind[i] == def.kind && view.density[i] == def.density && view.user_data[i] == def.user_data);
        assert_true(((view.flags[i] & TR2_SHAPE_SENSOR) != 0) == def.sensor);
        assert_true(((view.flags[i] & TR2_SHAPE_CONTACT_EVENTS) != 0) == def.contact_events);
        assert_true(((view.flags[i] & TR2_SHAPE_HIT_EVENTS) != 0) == def.hit_events);
        assert_true(((view.flags[i] & TR2_SHAPE_CUSTOM_FILTER) != 0) == def.custom_filter);
    }
}

static void chains_know_their_neighbours(void **state)
{
    tr2_world *world = world_of(state);
    const tr_vec2 points[4] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 2.0f}, {0.0f, 2.0f}};
    for (uint32_t loop = 0; loop < 2; loop++) {
        tr2_chain_def chain = tr2_chain_def_default();
        chain.points = points;
        chain.count = 4;
        chain.loop = loop == 1;
        chain.shape.body = make_body(world, 0.0, 0.0);
        tr2_shape ids[4];
        assert_ok(world, tr2_world_create_chain(world, &chain, ids));
        for (uint32_t i = 0; i < 3 + loop; i++) {
            tr2_shape_def def;
            assert_ok(world, tr2_shape_get(world, ids[i], &def));
            assert_true(def.point[0].x == points[i].x && def.point[1].y == points[(i + 1) % 4].y);
            assert_int_equal(def.has_before, loop == 1 || i > 0);
            assert_int_equal(def.has_after, loop == 1 || i < 2);
            if (def.has_before)
                assert_true(def.before.x == points[(i + 3) % 4].x && def.before.y == points[(i + 3) % 4].y);
            if (def.has_after)
                assert_true(def.after.x == points[(i + 2) % 4].x && def.after.y == points[(i + 2) % 4].y);
        }
        chain.count = 1 + loop;
        assert_int_equal(tr2_world_create_chain(world, &chain, NULL), TR_ERROR_RANGE);
        /* the segment without length is named, not the one before it */
        const tr_vec2 twice[4] = {points[0], points[1], points[1], points[2]};
        chain.points = twice;
        chain.count = 4;
        assert_int_equal(tr2_world_create_chain(world, &chain, NULL), TR_ERROR_ZERO);
        assert_string_equal(tr2_world_last_error(world)->message,
                            "create_chain: segment[1].point makes a line without length");
    }
}

/*
 * Mass
 */

/* two squares of 2 kg and 6 kg, side by side: 8 kg, centre at a quarter of the way, Steiner's theorem */
static void bodies_weigh_what_their_shapes_do(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make_body(world, 3.0, 4.0);
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){1.0f, 2.0f}, 3.0f));
    tr2_shape_def left = tr2_box_on(body, 0.5f, 0.5f), right = left;
    left.density = 2.0f;
    right.density = 6.0f;
    for (uint32_t i = 0; i < 4; i++)
        right.point[i].x += 1.0f;
    const tr2_shape_def both[2] = {left, right};
    tr2_shape ids[2];
    assert_ok(world, tr2_world_create_shapes(world, both, 2, ids));
    tr2_body_def now = body_now(world, body);
    assert_true(fabsf(now.mass - 8.0f) < 1e-5f && fabsf(now.center.x - 0.75f) < 1e-6f);
    double inertia = (2.0 + 6.0) / 6.0 + 2.0 * 0.75 * 0.75 + 6.0 * 0.25 * 0.25;
    assert_true(fabs((double)now.inertia - inertia) < 1e-5);
    /* origin and motion of the points stay: v + w x r at the new centre */
    assert_true(fabs(now.position.x - 3.0) < 1e-12 && fabs(now.position.y - 4.0) < 1e-12);
    assert_true(fabsf(now.velocity.x - 1.0f) < 1e-6f && fabsf(now.velocity.y - 4.25f) < 1e-6f);

    /* what is set holds until shapes with density change */
    assert_ok(world, tr2_body_set_mass(world, body, 5.0f, 5.0f, (tr_vec2){0.0f, 0.0f}));
    tr2_shape_def light = weightless(tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 1.0f));
    add(world, light);
    assert_true(body_now(world, body).mass == 5.0f);
    assert_ok(world, tr2_body_update_mass_from_shapes(world, body));
    assert_true(fabsf(body_now(world, body).mass - 8.0f) < 1e-5f);
    assert_ok(world, tr2_world_destroy_shape(world, ids[1]));
    now = body_now(world, body);
    assert_true(fabsf(now.mass - 2.0f) < 1e-6f && fabsf(now.center.x) < 1e-6f);
    left.density = 4.0f;
    assert_ok(world, tr2_shape_set(world, ids[0], &left));
    assert_true(fabsf(body_now(world, body).mass - 4.0f) < 1e-5f);
    /* without any that has density, a body keeps what it has */
    assert_ok(world, tr2_world_destroy_shape(world, ids[0]));
    assert_true(fabsf(body_now(world, body).mass - 4.0f) < 1e-5f);
    assert_int_equal(tr2_body_update_mass_from_shapes(world, body), TR_ERROR_ZERO);
}

/*
 * Without memory
 */
static void a_pile(tr2_world *world, tr2_body *ids, uint32_t count)
{
    tr2_body_def floor_def = tr2_body_def_default();
    floor_def.type = TR_STATIC;
    tr2_body floor;
    assert_ok(world, tr2_world_create_body(world, &floor_def, &floor));
    tr2_shape_def ground = tr2_segment_on(floor, (tr_vec2){-10.0f, 0.0f}, (tr_vec2){10.0f, 0.0f});
    add(world, ground);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = make_body(world, 0.7 * (double)(i % 5) - 1.5 + 0.1 * (double)(i / 5), 0.5 + 0.9 * (double)(i / 5));
        tr2_shape_def def = i % 2 == 0 ? weightless(tr2_box_on(ids[i], 0.4f, 0.4f))
                                       : weightless(tr2_circle_on(ids[i], (tr_vec2){0.0f, 0.0f}, 0.4f));
        def.density = 1.0f;
        add(world, def);
    }
}

static void shapes_without_memory_are_not_made(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    tr2_body body = make_body(world, 0.0, 0.0);
    tr2_shape_def defs[40];
    for (uint32_t i = 0; i < 40; i++) {
        defs[i] = tr2_circle_on(body, (tr_vec2){(float)i, 0.0f}, 0.5f);
        defs[i].density = 1.0f;
    }
    uint64_t hash = tr2_world_state_hash(world);
    bool made = false;
    for (uint64_t n = 1; !made; n++) {
        assert_true(n < 200);
        test_fail_in(&it->allocator, n);
        tr_status status = tr2_world_create_shapes(world, defs, 40, NULL);
        made = status == TR_OK;
        if (made)
            break;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_int_equal(tr2_world_shapes(world).count, 0);
        assert_true(tr2_world_state_hash(world) == hash);
    }
    test_fail_in(&it->allocator, 0);
    assert_int_equal(tr2_world_shapes(world).count, 40);
}

/* positions and velocities of bodies, to the bit; a step that fails may have put their rows in another order */
static uint64_t bodies_hash(const tr2_world *world, const tr2_body *ids, uint32_t count)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < count; i++) {
        tr2_body_def b;
        assert_int_equal(tr2_body_get(world, ids[i], &b), TR_OK);
        hash = mix_bytes(hash, &b.position, sizeof b.position);
        hash = mix_bytes(hash, &b.angle, sizeof b.angle);
        hash = mix_bytes(hash, &b.velocity, sizeof b.velocity);
        hash = mix_bytes(hash, &b.angular_velocity, sizeof b.angular_velocity);
    }
    return hash;
}

/* hinges between some neighbours in the rows of a pile */
static void hinge(tr2_world *world, const tr2_body *ids, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i += 3) {
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        def.body_a = ids[i];
        def.body_b = ids[i + 1];
        def.anchor_a.x = 0.35f;
        def.anchor_b.x = -0.35f;
        if (i % 5 != 4)
            assert_ok(world, tr2_world_create_joint(world, &def, NULL));
    }
}

static void repeat_steps(fixture *it, uint32_t count, bool hinged, uint32_t steps)
{
    tr2_body ids[150], same[150];
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *other;
    assert_int_equal(tr2_world_create(&def, &other, NULL), TR_OK);
    a_pile(it->world, ids, count);
    a_pile(other, same, count);
    if (hinged) {
        hinge(it->world, ids, count);
        hinge(other, same, count);
    }
    uint32_t failures = 0;
    for (uint32_t step = 0; step < steps; step++) {
        assert_ok(other, tr2_world_step(other, 1.0 / 60.0, 4));
        for (uint64_t n = 1;; n++) {
            uint64_t before = bodies_hash(it->world, ids, count);
            test_fail_in(&it->allocator, n);
            tr_status status = tr2_world_step(it->world, 1.0 / 60.0, 4);
            test_fail_in(&it->allocator, 0);
            if (status == TR_OK)
                break;
            assert_int_equal(status, TR_ERROR_MEMORY);
            assert_true(bodies_hash(it->world, ids, count) == before);
            failures++;
        }
        assert_true(tr2_world_state_hash(it->world) == tr2_world_state_hash(other));
    }
    assert_true(failures > 20);
    tr2_world_destroy(other);
}

/* A step that fails anywhere, for want of memory, can be repeated and gives what it would have given, also if it has
   made a fresh plan before it failed, or laid out anew what was patched. */
static void steps_without_memory_lose_nothing(void **state)
{
    repeat_steps(*state, 30, false, 40);
}

static void steps_without_memory_lose_nothing_among_joints(void **state)
{
    repeat_steps(*state, 150, true, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_bad_definition_is_named_and_changes_nothing),
        TEST(ids_of_shapes_go_stale),
        TEST(shapes_are_read_back_as_they_were_made),
        TEST(chains_know_their_neighbours),
        TEST(bodies_weigh_what_their_shapes_do),
        TEST(shapes_without_memory_are_not_made),
        TEST(steps_without_memory_lose_nothing),
        TEST(steps_without_memory_lose_nothing_among_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
