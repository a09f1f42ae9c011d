/* States of worlds whose bodies sleep or rest: they go on as they were, and those that no world can have are refused. In the
   plane. */
#include "physics.h"
#include "world/core/world_internal.h"

static const double dt = 1.0 / 60.0;

/* the world, and a weight that hangs still and sleeps */
static tr2_world *make_hanging(tr2_body *weight)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_body_def body = tr2_body_def_default();
    tr2_joint_def rope = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    tr2_world *world;
    bool awake = true;
    def.threads = 1;
    def.sleep.enable = true;
    MUST(tr2_world_create(&def, &world, NULL));
    body.type = TR_STATIC;
    MUST(tr2_world_create_body(world, &body, &rope.body_a));
    body.type = TR_DYNAMIC;
    body.position.y = -3.0;
    MUST(tr2_world_create_body(world, &body, weight));
    rope.body_b = *weight;
    rope.anchor_b = (tr_vec2){0.0f, 3.0f};
    MUST(tr2_world_create_joint(world, &rope, NULL));
    steps(world, dt, 4, 120);
    MUST(tr2_body_is_awake(world, *weight, &awake));
    assert_false(awake);
    return world;
}

static void *saved_of(const tr2_world *world, size_t *size)
{
    const size_t room = tr2_world_save_size(world);
    void *memory = malloc(room);
    assert_non_null(memory);
    MUST(tr2_world_save(world, memory, room, size));
    return memory;
}

/* A body that has woken between two steps does not move in the plan yet. In a state with the same plan it has woken, too. */
static void a_body_moves_after_the_plan_knows(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    tr2_body weight;
    tr2_world *world = make_hanging(&weight), *other;
    size_t size = 0;
    MUST(tr2_body_set_awake(world, weight, true));
    void *good = saved_of(world, &size);
    MUST(tr2_world_create(&def, &other, NULL));
    MUST(tr2_world_restore(other, good, size));
    MUST(tr2_world_restore(world, good, size));
    /* as a fault could leave it: it was alone in the ring of those that have woken */
    uint32_t *flags = &other->bodies.flags[other->body_pool.row[weight.index - 1]];
    assert_true((*flags & TR_BODY_WAKING) != 0);
    *flags &= ~TR_BODY_WAKING;
    other->sleep.waking = TR_NONE;
    void *bad = saved_of(other, &size);
    const uint64_t hash = tr2_world_state_hash(world);
    assert_int_equal(tr2_world_restore(world, bad, size), TR_ERROR_PARSE);
    /* nor after the world went back to a frame, which shares what has not changed since */
    MUST(tr2_world_set_frames(world, 1));
    MUST(tr2_world_keep_frame(world, 1));
    MUST(tr2_world_go_back(world, 1));
    assert_int_equal(tr2_world_restore(world, bad, size), TR_ERROR_PARSE);
    assert_true(tr2_world_state_hash(world) == hash);
    steps(world, dt, 4, 1);
    free(good);
    free(bad);
    tr2_world_destroy(other);
    tr2_world_destroy(world);
}

/* Bodies that come to rest among others that move: few, and so the last ones only, or many. In a state, and in a frame, they
   have been at rest for as long, and there. */
static void rest_goes_on(uint32_t resting)
{
    enum { BODIES = 64 };
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world, *other;
    size_t size = 0;
    def.gravity = (tr_vec2){0};
    def.threads = 1;
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_world_create(&def, &other, NULL));
    MUST(tr2_world_set_frames(world, 1));
    for (uint32_t i = 0; i < BODIES; i++) {
        tr2_body_def body = tr2_body_def_default();
        body.position = (tr_dvec2){10.0 + i, 5.0};
        body.velocity.y = i >= BODIES - resting ? 0.04f : 1.0f;
        MUST(tr2_world_create_body(world, &body, NULL));
    }
    steps(world, dt, 4, 20);
    void *state = saved_of(world, &size);
    MUST(tr2_world_restore(other, state, size));
    MUST(tr2_world_keep_frame(world, 0));
    steps(world, dt, 4, 20);
    assert_int_equal(tr2_world_statistics(world).sleeping_bodies, resting);
    const uint64_t hash = tr2_world_state_hash(world);
    MUST(tr2_world_go_back(world, 0));
    tr2_world *const again[] = {world, other};
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(tr2_world_statistics(again[i]).sleeping_bodies, 0);
        steps(again[i], dt, 4, 20);
        assert_true(tr2_world_state_hash(again[i]) == hash);
        assert_int_equal(tr2_world_statistics(again[i]).sleeping_bodies, resting);
    }
    free(state);
    tr2_world_destroy(other);
    tr2_world_destroy(world);
}

static void bodies_rest_on_after_going_back(void **state)
{
    (void)state;
    rest_goes_on(2);
    rest_goes_on(40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_moves_after_the_plan_knows),
        cmocka_unit_test(bodies_rest_on_after_going_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
