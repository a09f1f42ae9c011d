/* What is recorded in space is made again, call by call, with the same bits. */
#include "recorded_damage.h"
#include "world/recording/visits.inl"

/* a contact of two bodies, or none, and other settings */
static void touch(tr3_world *world, uint64_t *random)
{
    tr3_contact_def def = tr3_contact_def_default();
    tr3_contact_settings settings = tr3_world_contact_settings(world);
    tr3_body_def body;
    def.body_a = walk_body(world, random);
    def.body_b = walk_body(world, random);
    walk_ok(world, tr3_body_get(world, def.body_b, &body));
    def.point_count = 1 + random_index(random, 4);
    for (uint32_t i = 0; i < def.point_count; i++)
        def.point[i] =
            (tr_dvec3){body.position.x + 0.1 * (i % 2), body.position.y - 0.5, body.position.z + 0.1 * (i / 2)};
    def.separation[0] = 0.1f * walk_number(random);
    def.friction = 0.5f;
    def.torsional_friction = 0.01f;
    def.restitution = 0.5f;
    /* a body and itself is refused, which is recorded as well */
    (void)tr3_world_set_contacts(world, &def, random_index(random, 3) == 0 ? 0 : 1);
    settings.push_speed += 0.01f;
    walk_ok(world, tr3_world_set_contact_settings(world, &settings));
}

static void edit(tr3_world *world, uint64_t *random)
{
    for (uint32_t i = 0; i < 6; i++)
        log_edit(world, random);
    touch(world, random);
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
    log_covers("tr3_body_def", visit_body_def, sizeof(tr3_body_def), 4 + 3);
    log_covers("tr3_joint_def", visit_joint_def, sizeof(tr3_joint_def), 4 * 2 + 2 + 5 * 12 + 11);
    log_covers("tr3_contact_def", visit_contact_def, sizeof(tr3_contact_def), 4);
}

#include "recorded_tests.h"
