/* What is recorded in space is made again, call by call, with the same bits. */
#include "recorded_damage.h"
#include "world/core/visits.inl"

static void edit(tr3_world *world, uint64_t *random)
{
    for (uint32_t i = 0; i < 6; i++)
        log_edit(world, random);
}

static void walks_are_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("sheet3d", 10), 20, TRIALS(100), 3, NULL);
    log_walk(walk_world("ragdolls3d", 10), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("hub3d", 100), 20, TRIALS(100), 2, NULL);
}

static void every_call_is_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("chains3d", 4), 10, TRIALS(200), 2, edit);
    log_walk(walk_world("sheet3d", 8), 10, TRIALS(200), 2, edit);
    log_all_were_made();
}

static void records_have_every_member(void **state)
{
    (void)state;
    /* the last number is that of bytes of padding */
    log_covers("tr3_body_def", visit_body_def, sizeof(tr3_body_def), 4 + 4);
    log_covers("tr3_joint_def", visit_joint_def, sizeof(tr3_joint_def), 4 * 3 + 2 + 5 * 12 + 12);
}

#include "recorded_tests.h"
