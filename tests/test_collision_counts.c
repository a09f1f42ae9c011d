/* What the bytes of collision in the statistics are counted from: they agree with a recount after any edits. */
#include "query_world.h"

static void assert_as_recounted(const tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    const size_t shapes = world->shapes.table.count;
    size_t geometry = 0, contacts = 0;
    for (uint32_t row = 0; row < shapes; row++)
        geometry += tr2_geometry_size(world->shapes.geometry[row]);
    for (uint32_t i = 0; i < it->count; i++)
        contacts += it->pairs[i].contact != TR_NONE;
    size_t broad = 2 * shapes * (sizeof(tr2_shape_place) + sizeof(tr2_box)) + 2 * it->count * sizeof(tr2_pair);
    size_t narrow = 2 * it->count * (sizeof(tr2_pair) + sizeof(tr2_shape_place));
    tr_statistics is = tr2_world_statistics(world);
    assert_int_equal(is.stage_bytes[TR_STAGE_BROAD], geometry + broad);
    assert_int_equal(is.stage_bytes[TR_STAGE_NARROW],
                     narrow + contacts * (2 * geometry / (shapes > 0 ? shapes : 1) + 3 * sizeof(tr2_manifold)));
}

/* the application's contacts, some with bodies that are destroyed or disabled later; those are no contacts of shapes */
static void set_contacts(tr2_world *world, uint64_t *seed, const tr2_body *bodies)
{
    tr2_contact_def defs[8];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t a = (uint32_t)(draw(seed) * BODIES);
        defs[count] = tr2_contact_def_default();
        defs[count].id = i;
        defs[count].body_a = bodies[a];
        defs[count].body_b = bodies[(a + 1) % BODIES];
        count += draw(seed) < 0.8;
    }
    assert_ok(world, tr2_world_set_contacts(world, defs, count));
}

/* shapes of which some have no memory, so that none is made; and shapes that change and go */
static void fail_and_destroy(fixture *it, uint64_t *seed, tr2_body body)
{
    tr2_shape_def defs[3] = {draw_shape(seed, body), draw_shape(seed, body), draw_shape(seed, body)};
    tr2_shape ids[3];
    test_fail_in(&it->allocator, 1 + (uint64_t)(draw(seed) * 5.0));
    tr_status status = tr2_world_create_shapes(it->world, defs, 3, ids);
    if (status == TR_OK)
        status = tr2_shape_set(it->world, ids[0], &defs[1]);
    assert_true(status == TR_OK || status == TR_ERROR_MEMORY);
    test_fail_in(&it->allocator, 0);
    uint32_t count;
    tr2_shape own[16];
    assert_ok(it->world, tr2_body_shapes(it->world, body, own, 16, &count));
    while (count > 3)
        assert_ok(it->world, tr2_world_destroy_shape(it->world, own[--count]));
}

static void bytes_of_collision_are_those_of_a_recount(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    uint64_t seed = 5;
    tr2_body bodies[BODIES];
    fill(world, &seed, bodies, 0.0);
    size_t shaped = 0, set = 0;
    for (uint32_t step = 0; step < 60; step++) {
        edit(world, &seed, bodies, 0.0);
        set_contacts(world, &seed, bodies);
        fail_and_destroy(it, &seed, bodies[step]);
        if (step > 0)
            assert_as_recounted(world);
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 2));
        assert_as_recounted(world);
        set += world->contacts.slots.count;
        shaped += world->joints[TR_CONTACT].table.count - world->contacts.slots.count;
    }
    assert_true(set > 60 && shaped > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bytes_of_collision_are_those_of_a_recount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
