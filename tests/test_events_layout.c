/* Every watched joint is heard, however the layout of its joints came about. */
#include <stdlib.h>

#include "trammel/trammel.h"
#include "world_fixture.h"

#define MOST 2000u

/* bodies of 1 kg that hang on the ground, every fifth on the one before it, by welds and revolutes with an event from
   1 N on */
static void weld_more(tr2_world *world, tr2_body ground, tr2_joint *joints, uint32_t first, uint32_t count)
{
    tr2_joint_def *defs = malloc(count * sizeof *defs);
    assert_non_null(defs);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = first + i;
        defs[i] = tr2_joint_def_default(place % 3 == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_WELD);
        defs[i].body_a = place % 5 == 0 && i > 0 ? defs[i - 1].body_b : ground;
        defs[i].body_b = make_body(world, 3.0 * place, 0);
        defs[i].anchor_a = (tr_vec2){place % 5 == 0 && i > 0 ? 3.0f : 3.0f * (float)place, 0.0f};
        defs[i].event_at.force = 1.0f;
    }
    assert_ok(world, tr2_world_create_joints(world, defs, count, joints + first));
    free(defs);
}

static void step_and_hear(tr2_world *world, uint32_t alive)
{
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_int_equal(tr2_world_events(world).count, alive);
}

/* spans grow out of their room and shrink, and so blocks are no longer one after the other */
static void all_joints_are_heard_while_joints_come_and_go(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, -10.0f};
    def.direct_load = INFINITY;
    tr2_world *world;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(world, tr2_world_create_body(world, &fixed, &ground));
    static tr2_joint joints[MOST];
    uint32_t alive = 0;
    for (uint32_t count = 40; alive < MOST; count = alive / 2) {
        count = count < MOST - alive ? count : MOST - alive;
        weld_more(world, ground, joints, alive, count);
        alive += count;
        step_and_hear(world, alive);
        step_and_hear(world, alive);
    }
    /* from the last: bodies that hang on others go before these */
    for (uint32_t round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < MOST / 10; i++)
            assert_ok(world, tr2_world_destroy_joint(world, joints[--alive]));
        step_and_hear(world, alive);
    }
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_joints_are_heard_while_joints_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
