/* Characters: no move leads into what does not move, moves that fail are undone, and bad input is named. */
#include "characters.h"
#include "world/core/world_internal.h"

/*
 * No move may lead into what does not move
 */
/* a loop of chain segments, clockwise: solid outside */
static void add_ragged_walls(tr2_world *world, uint64_t *seed, tr2_body ground)
{
    tr_vec2 points[32];
    for (uint32_t i = 0; i < 32; i++) {
        float along = 18.0f * (float)(i % 8) / 8.0f - 9.0f, out = 10.0f - 2.5f * (float)draw(seed);
        tr_vec2 turned[4] = {{along, out}, {out, -along}, {-along, -out}, {-out, along}};
        points[i] = turned[i / 8];
    }
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = 32;
    chain.loop = true;
    chain.shape.body = ground;
    assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
}

static void fill_cave(tr2_world *world, uint64_t *seed, bool ragged)
{
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    if (ragged)
        add_ragged_walls(world, seed, ground);
    for (int i = 0; i < 4 && !ragged; i++) {
        float x = i == 0 ? -11.0f : i == 1 ? 11.0f : 0.0f, y = i == 2 ? -11.0f : i == 3 ? 11.0f : 0.0f;
        (void)add(world,
                  tr2_offset_box_on(ground, i < 2 ? 1.0f : 12.0f, i < 2 ? 12.0f : 1.0f, (tr_vec2){x, y}, 1.0f, 0.0f));
    }
    for (int i = 0; i < 60; i++) {
        /* one by one: the order in which arguments are evaluated is the compiler's */
        double x = 20.0 * draw(seed) - 10.0, y = 20.0 * draw(seed) - 10.0, angle = 6.0 * draw(seed);
        tr2_body body = make_turned(world, TR_STATIC, x, y, angle);
        tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT));
        if (def.kind == TR2_CHAIN_SEGMENT)
            def = tr2_shape_def_default(TR2_POLYGON);
        float size = 0.2f + 1.5f * (float)draw(seed);
        def.body = body;
        for (uint32_t k = 0; k < def.point_count; k++)
            def.point[k] = (tr_vec2){size * def.point[k].x, size * def.point[k].y};
        def.radius *= 0.5f * size;
        (void)add(world, def);
    }
}

static tr2_character free_place(const tr2_world *world, uint64_t *seed)
{
    for (;;) {
        double x = 14.0 * draw(seed) - 7.0, y = 14.0 * draw(seed) - 7.0;
        tr2_character it = at(x, y);
        if (!overlaps(world, &it))
            return it;
    }
}

static uint64_t mix(uint64_t hash, const tr2_character *it)
{
    uint64_t bits[2];
    memcpy(bits, &it->position, sizeof bits);
    return (hash ^ bits[0] ^ (bits[1] << 1 | bits[1] >> 63)) * 0x9e3779b97f4a7c15u;
}

/* 40,000 moves: small and large, fast and slow, in caves of all kinds of shapes */
static uint64_t wander(uint64_t seed, uint32_t *grounded)
{
    uint64_t hash = 0;
    for (int cave = 0; cave < 8; cave++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        fill_cave(world, &seed, cave % 2 == 1);
        tr2_character it = free_place(world, &seed);
        it.def.radius = 0.15f + 0.15f * (float)draw(&seed);
        it.def.height = 2.0f * it.def.radius + (float)(cave % 4) * 0.25f;
        it.def.step_up = 0.5f * (float)draw(&seed);
        float x = 0.0f, y = 0.0f;
        for (int i = 0; i < 5000; i++) {
            if (draw(&seed) < 0.05)
                x = (draw(&seed) < 0.2 ? 200.0f : 10.0f) * (float)(draw(&seed) - 0.5);
            y = draw(&seed) < 0.03 ? 16.0f * (float)draw(&seed) : y - 9.81f * DT;
            tr2_character_result result = go(world, &it, x, y);
            y = result.velocity.y;
            *grounded += result.on_ground;
            hash = mix(hash, &it);
            if (overlaps(world, &it) || fabs(it.position.x) > 10.0 || fabs(it.position.y) > 10.0)
                fail_msg("cave %d, move %d: inside at (%.9g, %.9g)", cave, i, it.position.x, it.position.y);
            assert_false(result.crushed);
        }
        tr2_world_destroy(world);
    }
    return hash;
}

static void no_move_leads_into_what_does_not_move(void **state)
{
    (void)state;
    uint32_t grounded = 0;
    (void)wander(5, &grounded);
    assert_true(grounded > 5000 && grounded < 35000);
}

/* also with every compiler and on every machine, so the hash is known; and on every instruction set */
static void repeats_give_the_same_bits(void **state)
{
    (void)state;
    uint32_t grounded = 0;
    uint64_t want = 0xaa5e71abbbd9fc55u;
    assert_true(wander(11, &grounded) == want);
    tr_isa before = tr_get_isa();
    for (int isa = 0; isa < TR_ISA_COUNT; isa++)
        if (tr_set_isa((tr_isa)isa) == TR_OK)
            assert_true(wander(11, &grounded) == want);
    assert_int_equal(tr_set_isa(before), TR_OK);
}

/* Falling crates, doors that swing and presses that close may push it, and crush it: never into what does not move. */
static void nothing_pushes_it_into_what_does_not_move(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 41;
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    for (int i = 0; i < 4; i++) {
        tr2_shape_def wall = tr2_offset_box_on(
            ground, i < 2 ? 1.0f : 8.0f, i < 2 ? 8.0f : 1.0f,
            (tr_vec2){i == 0 ? -7.0f : (i == 1 ? 7.0f : 0.0f), i == 2 ? -7.0f : (i == 3 ? 7.0f : 0.0f)}, 1.0f, 0.0f);
        wall.filter.category = 2;
        (void)add(world, wall);
    }
    tr2_body movers[6];
    for (int i = 0; i < 6; i++) {
        movers[i] = make(world, TR_KINEMATIC, 10.0 * draw(&seed) - 5.0, 10.0 * draw(&seed) - 5.0);
        (void)add(world, tr2_box_on(movers[i], 0.5f + (float)draw(&seed), 0.4f));
        assert_ok(world,
                  tr2_body_set_velocity(world, movers[i], (tr_vec2){0.0f, 0.0f}, 2.0f * (float)draw(&seed) - 1.0f));
    }
    for (int i = 0; i < 30; i++) {
        tr2_body crate = make(world, TR_DYNAMIC, 10.0 * draw(&seed) - 5.0, 10.0 * draw(&seed) - 5.0);
        tr2_shape_def box = tr2_box_on(crate, 0.1f + 0.3f * (float)draw(&seed), 0.2f);
        box.density = 50.0f;
        (void)add(world, box);
    }
    tr2_character it = at(0.0, -5.9), probe;
    tr_vec2 velocity = {0.0f, 0.0f};
    uint32_t crushed = 0, pushed = 0, grounded = 0;
    for (int i = 0; i < 6000; i++) {
        for (int k = 0; k < 6 && i % 50 == 0; k++) {
            tr2_body_def now = body_now(world, movers[k]);
            /* back to the middle, so that they stay in the room */
            assert_ok(world,
                      tr2_body_set_velocity(world, movers[k],
                                            (tr_vec2){3.0f * (float)(draw(&seed) - 0.5) - 0.3f * (float)now.position.x,
                                                      3.0f * (float)(draw(&seed) - 0.5) - 0.3f * (float)now.position.y},
                                            now.angular_velocity));
        }
        if (draw(&seed) < 0.02)
            velocity.y += 5.0f;
        float x = i % 200 < 100 ? 3.0f : -3.0f;
        tr2_character_result result = frame(world, &it, &velocity, x);
        crushed += result.crushed;
        grounded += result.on_ground;
        pushed += result.hit_count > 0;
        probe = it;
        probe.def.query.filter.mask = 2;
        if (overlaps(world, &probe) || fabs(it.position.x) > 6.0 || fabs(it.position.y) > 6.0)
            fail_msg("frame %d: in a wall at (%g, %g)", i, it.position.x, it.position.y);
        assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    }
    assert_true(pushed > 500 && grounded > 500 && crushed < 600);
}

/* a weight that no float holds is an error, and what was pushed before it gets its velocity back */
static void a_move_that_fails_is_undone(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body raft = make(world, TR_DYNAMIC, 0.0, -0.5), crate = make(world, TR_DYNAMIC, 0.82, 1.0);
    tr2_shape_def box = tr2_box_on(raft, 2.0f, 0.5f);
    box.density = 1e-3f;
    (void)add(world, box);
    box = tr2_box_on(crate, 0.5f, 0.9f);
    box.density = 1.0f;
    (void)add(world, box);
    tr2_character it = at(0.0, 0.01);
    tr2_character_result result, kept;
    assert_ok(world, tr2_character_move(world, &it, (tr_vec2){0.0f, 0.0f}, 0.0f, &result));
    assert_true(result.on_ground);
    it.def.mass = 3e38f;
    tr2_character same = it;
    kept = result;
    uint64_t before = tr2_world_state_hash(world);
    assert_int_equal(tr2_character_move(world, &it, (tr_vec2){2.0f, 0.0f}, DT, &result), TR_ERROR_RANGE);
    assert_true(tr2_world_state_hash(world) == before);
    assert_memory_equal(&it, &same, sizeof it);
    assert_memory_equal(&result, &kept, sizeof result);
    /* with a weight that floats hold the same move pushes the crate */
    it.def.mass = 80.0f;
    assert_true(go(world, &it, 2.0f, 0.0f).hits[0].impulse.x > 0.0f);
}

/*
 * Invalid input
 */
static void invalid_moves_change_nothing(void **state)
{
    tr2_world *world = world_of(state);
    (void)floor_at(world, 0.0);
    tr2_character good = at(0.0, 0.01), it;
    tr2_character_result result, kept;
    memset(&kept, 0x5a, sizeof kept);
    tr_vec2 none = {0.0f, 0.0f};
    assert_int_equal(tr2_character_move(NULL, &good, none, DT, &result), TR_ERROR_NULL);
    assert_int_equal(tr2_character_move(world, NULL, none, DT, &result), TR_ERROR_NULL);
    assert_int_equal(tr2_character_move(world, &good, none, DT, NULL), TR_ERROR_NULL);
#define CASE(field, value, status)                                                                                     \
    do {                                                                                                               \
        it = good;                                                                                                     \
        it.field = value;                                                                                              \
        tr2_character same = it;                                                                                       \
        memcpy(&result, &kept, sizeof kept);                                                                           \
        assert_int_equal(tr2_character_move(world, &it, none, DT, &result), status);                                   \
        assert_memory_equal(&it, &same, sizeof it);                                                                    \
        assert_memory_equal(&result, &kept, sizeof kept);                                                              \
    } while (0)
    CASE(def.radius, 0.0f, TR_ERROR_ZERO);
    CASE(def.radius, NAN, TR_ERROR_NAN);
    CASE(def.radius, -1.0f, TR_ERROR_NEGATIVE);
    CASE(def.height, 0.5f, TR_ERROR_RANGE);
    CASE(def.height, INFINITY, TR_ERROR_INFINITE);
    CASE(def.height, 2e9f, TR_ERROR_INFINITE);
    CASE(def.up.y, 0.0f, TR_ERROR_ZERO);
    CASE(def.up.x, NAN, TR_ERROR_NAN);
    CASE(def.max_slope, -0.1f, TR_ERROR_NEGATIVE);
    CASE(def.max_slope, 1.6f, TR_ERROR_RANGE);
    CASE(def.step_up, -0.1f, TR_ERROR_NEGATIVE);
    CASE(def.step_down, NAN, TR_ERROR_NAN);
    CASE(def.skin, 0.0f, TR_ERROR_ZERO);
    CASE(def.skin, 0.3f, TR_ERROR_RANGE);
    CASE(def.mass, -1.0f, TR_ERROR_NEGATIVE);
    CASE(def.max_force, INFINITY, TR_ERROR_INFINITE);
    CASE(def.body, ((tr2_body){77, 7, 0}), TR_ERROR_STALE_ID);
    CASE(def.body, ((tr2_body){1, 8, 0}), TR_ERROR_FOREIGN_ID);
    CASE(position.x, (double)NAN, TR_ERROR_NAN);
    CASE(ground_anchor.y, (double)INFINITY, TR_ERROR_INFINITE);
#undef CASE
    it = good;
    assert_int_equal(tr2_character_move(world, &it, (tr_vec2){NAN, 0.0f}, DT, &result), TR_ERROR_NAN);
    assert_int_equal(tr2_character_move(world, &it, none, -DT, &result), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_character_move(world, &it, (tr_vec2){3e38f, 0.0f}, 1e6f, &result), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message, "character_move: the way along x would not be finite");
}

/* a ground that is gone is no error: it falls */
static void ground_may_go(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    tr2_character it = at(0.0, 0.01);
    assert_true(go(world, &it, 0.0f, 0.0f).on_ground);
    assert_ok(world, tr2_body_set_enabled(world, ground, false));
    tr2_character_result result = go(world, &it, 0.0f, -1.0f);
    assert_true(!result.on_ground && fabs(it.position.y - 0.01 + 1.0 / 60.0) < 1e-6);
    assert_ok(world, tr2_body_set_enabled(world, ground, true));
    for (int i = 0; i < 4; i++)
        result = go(world, &it, 0.0f, -1.0f);
    assert_true(result.on_ground);
    assert_ok(world, tr2_world_destroy_body(world, ground));
    assert_false(go(world, &it, 0.0f, -1.0f).on_ground);
}

/* its own body, the filter and the callback decide what is in its way */
static bool none_counts(tr2_shape shape, uint32_t index, void *context)
{
    (void)shape;
    return index != 0 || context == NULL;
}

static void it_ignores_what_it_should(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body wall = make(world, TR_STATIC, 1.0, 1.0);
    tr2_shape_def box = tr2_box_on(wall, 0.2f, 2.0f);
    box.filter.category = 4;
    (void)add(world, box);
    for (int way = 0; way < 4; way++) {
        tr2_character it = at(0.0, 0.0);
        if (way == 1)
            it.def.body = wall;
        if (way == 2)
            it.def.query.filter.mask = ~(uint64_t)4;
        if (way == 3) {
            it.def.query.accept = none_counts;
            it.def.query.context = world;
        }
        for (int i = 0; i < 60; i++)
            (void)go(world, &it, 2.0f, 0.0f);
        assert_true(way == 0 ? it.position.x < 0.5 : fabs(it.position.x - 2.0) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(no_move_leads_into_what_does_not_move),
        TEST(nothing_pushes_it_into_what_does_not_move),
        TEST(repeats_give_the_same_bits),
        TEST(a_move_that_fails_is_undone),
        TEST(invalid_moves_change_nothing),
        TEST(ground_may_go),
        TEST(it_ignores_what_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
