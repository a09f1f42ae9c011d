/* States of worlds whose bodies sleep, which no world can have, are refused. In the plane. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_moves_after_the_plan_knows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
