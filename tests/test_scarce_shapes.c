/* Memory that runs out in worlds whose shapes collide: scarce_run.h. */
#include "scarce_run.h"

/*
 * A crowd of shapes: fast ones, sensors, bullets; all that can be edited
 */
enum { CROWD = 130 };

static void crowd_bodies(run *it, tr2_body *ids, uint32_t count, float speed)
{
    tr2_body_def defs[CROWD];
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){20.0 * (double)draw(it) - 10.0, 20.0 * (double)draw(it) - 9.0};
        defs[i].velocity = (tr_vec2){speed * (draw(it) - 0.5f), speed * (draw(it) - 0.5f)};
        defs[i].bullet = i % 10 == 0;
        defs[i].type = i % 25 == 24 ? TR_KINEMATIC : TR_DYNAMIC;
    }
    DO(it, tr2_world_create_bodies(it->world, defs, count, ids));
    note_bytes(it, ids, count * sizeof *ids);
}

static void crowd_shapes(run *it, const tr2_body *bodies, tr2_shape *ids, uint32_t count)
{
    tr2_shape_def defs[CROWD];
    for (uint32_t i = 0; i < count; i++) {
        float size = 0.2f + 0.3f * draw(it);
        defs[i] = i % 3 == 0 ? tr2_circle_on(bodies[i], (tr_vec2){0.0f, 0.0f}, size)
                             : tr2_offset_box_on(bodies[i], size, 0.3f, (tr_vec2){0.1f, 0.0f}, 1.0f, 0.0f);
        defs[i].density = i % 2 == 0 ? 1.0f : 0.0f;
        defs[i].sensor = i % 20 == 19;
        defs[i].hit_events = i % 4 == 0;
        defs[i].user_data = i;
    }
    DO(it, tr2_world_create_shapes(it->world, defs, count, ids));
    note_bytes(it, ids, count * sizeof *ids);
}

static void crowd_floor(run *it)
{
    const tr_vec2 points[] = {{-30.0f, 20.0f}, {-30.0f, -10.0f}, {30.0f, -10.0f}, {30.0f, 20.0f}};
    tr2_body_def ground = tr2_body_def_default();
    tr2_chain_def chain = tr2_chain_def_default();
    tr2_body body = {0};
    tr2_shape ids[3] = {{0}};
    ground.type = TR_STATIC;
    DO(it, tr2_world_create_body(it->world, &ground, &body));
    chain.shape.body = body;
    chain.points = points;
    chain.count = 4;
    DO(it, tr2_world_create_chain(it->world, &chain, ids));
    NOTE(it, ids);
}

static void life_of_a_crowd(run *it)
{
    tr2_body bodies[2 * CROWD] = {{0}};
    tr2_shape shapes[2 * CROWD] = {{0}};
    tr2_shape_def shape = tr2_shape_def_default(TR2_CIRCLE);
    uint32_t count = 0;
    begin(it);
    crowd_floor(it);
    crowd_bodies(it, bodies, CROWD, 60.0f);
    crowd_shapes(it, bodies, shapes, CROWD);
    step(it, 3);
    ask(it);
    crowd_bodies(it, bodies + CROWD, 40, 5.0f);
    crowd_shapes(it, bodies + CROWD, shapes + CROWD, 40);
    step(it, 1);
    /* a second shape moves the centre of mass */
    shape = tr2_circle_on(bodies[3], (tr_vec2){0.4f, 0.2f}, 0.3f);
    shape.density = 2.0f;
    DO(it, tr2_world_create_shape(it->world, &shape, &shapes[2 * CROWD - 1]));
    step(it, 1);
    for (uint32_t i = 20; i < 50; i++) {
        DO(it, tr2_shape_get(it->world, shapes[i], &shape));
        shape.density = 3.0f;
        shape.radius = 0.1f;
        DO(it, tr2_shape_set(it->world, shapes[i], &shape));
    }
    step(it, 1);
    DO(it, tr2_shape_set_sensor(it->world, shapes[9], true));
    DO(it, tr2_shape_set_filter(it->world, shapes[10], (tr2_filter){2, 4, 0}));
    DO(it, tr2_body_set_type(it->world, bodies[11], TR_STATIC));
    DO(it, tr2_body_set_enabled(it->world, bodies[12], false));
    DO(it, tr2_body_set_damping(it->world, bodies[13], 0.1f, 0.2f));
    DO(it, tr2_body_set_gravity_scale(it->world, bodies[14], 0.5f));
    DO(it, tr2_body_set_sleep_scale(it->world, bodies[14], 0.5f));
    DO(it, tr2_body_set_user_data(it->world, bodies[15], 9));
    DO(it, tr2_body_set_mass(it->world, bodies[16], 2.0f, 3.0f, (tr_vec2){0.1f, 0.1f}));
    DO(it, tr2_body_apply_force_to_center(it->world, bodies[17], (tr_vec2){50.0f, 90.0f}));
    step(it, 1);
    DO(it, tr2_world_destroy_shapes(it->world, shapes + 60, 30));
    DO(it, tr2_world_destroy_bodies(it->world, bodies + 100, 30));
    step(it, 1);
    look(it);
    DO(it, tr2_body_set_enabled(it->world, bodies[12], true));
    DO(it, tr2_body_set_type(it->world, bodies[11], TR_DYNAMIC));
    step(it, 1);
    crowd_bodies(it, bodies + 100, 30, 100.0f);
    crowd_shapes(it, bodies + 100, shapes + 100, 30);
    step(it, 3);
    DO(it, tr2_world_get_shape_contacts(it->world, NULL, 0, &count));
    NOTE(it, count);
    DO(it, tr2_world_set_threads(it->world, 2));
    DO(it, tr2_world_optimize(it->world));
    step(it, 3);
    ask(it);
    /* a crowd that becomes small */
    DO(it, tr2_world_destroy_bodies(it->world, bodies, 80));
    step(it, 1);
    crowd_bodies(it, bodies, 20, 5.0f);
    crowd_shapes(it, bodies, shapes, 20);
    step(it, 3);
}

/* A crowd whose neighbours world_optimize looks for, and that is elsewhere when the next step does. */
static void life_of_a_crowd_that_turns(run *it)
{
    enum { SOME = 60 };
    tr2_body bodies[SOME] = {{0}};
    tr2_shape shapes[SOME] = {{0}};
    begin(it);
    crowd_floor(it);
    crowd_bodies(it, bodies, SOME, 60.0f);
    crowd_shapes(it, bodies, shapes, SOME);
    for (uint32_t round = 0; round < 2; round++) {
        step(it, 2);
        DO(it, tr2_world_optimize(it->world));
        for (uint32_t i = round; i < SOME; i += 3) {
            tr_vec2 velocity = {60.0f * (draw(it) - 0.5f), 60.0f * (draw(it) - 0.5f)};
            tr_dvec2 place = {20.0 * (double)draw(it) - 10.0, 20.0 * (double)draw(it) - 9.0};
            DO(it, tr2_body_set_velocity(it->world, bodies[i], velocity, 0.0f));
            if (i % 2 == 0)
                DO(it, tr2_body_set_transform(it->world, bodies[i], place, 0.0));
        }
    }
    step(it, 6);
    ask(it);
}

/* heavy rocks that do not move: they get the mass of their shapes in the next step or world_optimize, around a centre
   that is not the origin of all */
static void rocks(run *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_body_def def = tr2_body_def_default();
        tr2_body body = {0};
        def.type = TR_STATIC;
        def.position = (tr_dvec2){3.0 * (double)draw(it), -3.0 * (double)i};
        DO(it, tr2_world_create_body(it->world, &def, &body));
        tr2_shape_def shape = tr2_circle_on(body, (tr_vec2){0.3f * (float)i, 0.1f}, 0.4f);
        shape.density = 5.0f;
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    }
}

/* Static bodies that are weighed in a call that fails. */
static void life_of_rocks(run *it)
{
    tr2_body bodies[40] = {{0}};
    tr2_shape shapes[40] = {{0}};
    begin(it);
    rocks(it, 2);
    crowd_bodies(it, bodies, 40, 5.0f);
    crowd_shapes(it, bodies, shapes, 40);
    step(it, 2);
    rocks(it, 3);
    DO(it, tr2_world_optimize(it->world));
    rocks(it, 2);
    step(it, 1);
    rocks(it, 1);
    look(it);
    DO(it, tr2_world_optimize(it->world));
    step(it, 2);
}

/* A crowd at rest that bursts by forces, which its shapes' boxes do not foresee: they leave them within the step, and
   the trees are sorted after it. */
static void life_of_a_burst(run *it)
{
    enum { SIDE = 12 };
    tr2_body_def defs[SIDE * SIDE];
    tr2_body bodies[SIDE * SIDE] = {{0}};
    tr2_shape_def shapes[SIDE * SIDE];
    tr_vec2 places[SIDE * SIDE];
    begin(it);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        places[i] = (tr_vec2){0.45f * (float)(i % SIDE) - 2.4f, 0.45f * (float)(i / SIDE) - 2.4f};
        defs[i] = tr2_body_def_default();
        defs[i].position = (tr_dvec2){(double)places[i].x, (double)places[i].y};
    }
    DO(it, tr2_world_create_bodies(it->world, defs, SIDE * SIDE, bodies));
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        shapes[i] = tr2_circle_on(bodies[i], (tr_vec2){0.0f, 0.0f}, 0.2f);
    DO(it, tr2_world_create_shapes(it->world, shapes, SIDE * SIDE, NULL));
    step(it, 2);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        tr_vec2 force = {4000.0f * places[i].x, 4000.0f * places[i].y};
        DO(it, tr2_body_apply_force_to_center(it->world, bodies[i], force));
    }
    step(it, 1);
    /* back again */
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        DO(it,
           tr2_body_set_velocity(it->world, bodies[i], (tr_vec2){-20.0f * places[i].y, -30.0f * places[i].x}, 0.0f));
    step(it, 20);
}

/* Columns of boxes and linked bodies that fall asleep on the ground; then some are hit, shaken or moved, and others wake with
   them. */
static void life_of_sleepers(run *it)
{
    enum { COLUMNS = 6, HIGH = 3, ALL = COLUMNS * HIGH };
    tr2_body bodies[ALL] = {{0}}, ball = {0};
    tr2_body_def def = tr2_body_def_default();
    tr2_shape_def shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f);
    bool awake = true;
    begin(it);
    def.type = TR_STATIC;
    DO(it, tr2_world_create_body(it->world, &def, &ball));
    shape = tr2_offset_box_on(ball, 30.0f, 1.0f, (tr_vec2){0.0f, -11.0f}, 1.0f, 0.0f);
    DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    def.type = TR_DYNAMIC;
    DO(it, tr2_world_set_sleep(it->world, &(tr_sleep_settings){true, 0.05f, 0.1f, 0.1f}));
    for (uint32_t i = 0; i < ALL; i++) {
        def.position = (tr_dvec2){1.5 * (i % COLUMNS), -9.5 + 1.0 * (i / COLUMNS)};
        DO(it, tr2_world_create_body(it->world, &def, &bodies[i]));
        shape = tr2_box_on(bodies[i], 0.5f, 0.5f);
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
    }
    for (uint32_t i = 0; i + 1 < COLUMNS; i += 3) {
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        joint.body_a = bodies[ALL - 1 - i];
        joint.body_b = bodies[ALL - 2 - i];
        joint.length = 1.5f;
        DO(it, tr2_world_create_joint(it->world, &joint, NULL));
    }
    step(it, 64);
    DO(it, tr2_body_is_awake(it->world, bodies[0], &awake));
    assert_true(!awake || it->skip != NONE);
    for (uint32_t round = 0; round < 3; round++) {
        def.position = (tr_dvec2){1.5 * round - 0.9, -9.6};
        def.velocity = (tr_vec2){10.0f, 0.0f};
        DO(it, tr2_world_create_body(it->world, &def, &ball));
        shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f);
        DO(it, tr2_world_create_shape(it->world, &shape, NULL));
        step(it, 3);
        DO(it, tr2_body_apply_impulse_to_center(it->world, bodies[COLUMNS - 1 - round], (tr_vec2){2.0f, 0.0f}));
        step(it, 1);
        DO(it, tr2_world_optimize(it->world));
        DO(it, tr2_body_set_awake(it->world, bodies[3], true));
        DO(it, tr2_world_destroy_body(it->world, ball));
        step(it, 2);
    }
    ask(it);
}

static void a_crowd_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_crowd);
}

static void a_crowd_that_turns_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_crowd_that_turns);
}

static void a_burst_ends_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_a_burst);
}

static void sleepers_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_sleepers);
}

static void rocks_end_the_same_whatever_fails(void **state)
{
    (void)state;
    exhaust(life_of_rocks);
}

/* of the state that is read back from a snapshot */
static uint64_t hash_of_saved(const tr2_world *world)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *other = NULL;
    size_t size = tr2_world_save_size(world);
    void *saved = malloc(size);
    assert_non_null(saved);
    assert_int_equal(tr2_world_create(&def, &other, NULL), TR_OK);
    assert_int_equal(tr2_world_save(world, saved, size, &size), TR_OK);
    assert_ok(other, tr2_world_restore(other, saved, size));
    const uint64_t hash = tr2_world_state_hash(other);
    tr2_world_destroy(other);
    free(saved);
    return hash;
}

/*
 * A world that is large enough for a fresh plan to be made in parts. In the step that takes it, and in the one after that,
 * which brings pairs into the order of bodies, allocations fail one after the other, until the step needs none of them.
 * If it only lays out data later than it could, it succeeds, and is made again from a snapshot.
 */
static uint32_t refuse_all(tr2_world *world, test_allocator *allocator)
{
    const parts before = parts_of(world);
    const uint64_t hash = tr2_world_state_hash(world);
    uint32_t refused = 0;
    size_t size = tr2_world_save_size(world);
    void *saved = malloc(size);
    assert_non_null(saved);
    assert_ok(world, tr2_world_save(world, saved, size, &size));
    for (uint64_t n = 1;; n += TRIALS(3) < 3 ? 8 : 2) {
        test_fail_in(allocator, n);
        tr_status status = tr2_world_step(world, 1.0 / 60.0, 4);
        bool failed = allocator->failures > 0;
        test_fail_in(allocator, 0);
        if (!failed)
            break;
        if (status == TR_OK) {
            assert_ok(world, tr2_world_restore(world, saved, size));
            continue;
        }
        assert_int_equal(status, TR_ERROR_MEMORY);
        refused++;
        assert_true(tr2_world_state_hash(world) == hash);
        const parts now = parts_of(world);
        for (uint32_t part = 0; part < PARTS; part++) {
            if (now.hash[part] != before.hash[part] && !may_be_rewritten("_step(", part))
                fail_msg("allocation %llu: refused, and the state of %s has changed", (unsigned long long)n,
                         part_names[part]);
        }
        assert_true(hash_of_saved(world) == hash);
    }
    free(saved);
    return refused;
}

static tr2_world *make_world(test_allocator *allocator)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world;
    def.threads = 1;
    def.tag = 7;
    def.allocator = test_hooks(allocator);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    return world;
}

/* Boxes that tumble on a table of joints, which the direct method begins to solve in a step that fails: it has contacts
   written before all memory is there. What is saved after a refusal can be restored. */
static void islands_that_begin_to_be_direct_are_taken_back(void **state)
{
    (void)state;
    enum { BOXES = 40 };
    test_allocator allocator = {0};
    uint64_t hash[2] = {0};
    uint32_t refused = 0;
    for (uint32_t fails = 0; fails < 2; fails++) {
        tr2_world *world = make_world(&allocator);
        tr2_body_def body = tr2_body_def_default();
        tr2_body ground, table, box;
        body.type = TR_STATIC;
        assert_ok(world, tr2_world_create_body(world, &body, &ground));
        body.type = TR_DYNAMIC;
        assert_ok(world, tr2_world_create_body(world, &body, &table));
        tr2_shape_def shape = tr2_box_on(table, 3.0f, 0.2f);
        assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
        for (uint32_t i = 0; i < 2; i++) {
            tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
            joint.body_a = ground;
            joint.body_b = table;
            joint.anchor_a = joint.anchor_b = (tr_vec2){i == 0 ? -2.5f : 2.5f, 0.0f};
            assert_ok(world, tr2_world_create_joint(world, &joint, NULL));
        }
        for (uint32_t i = 0; i < BOXES; i++) {
            body.position = (tr_dvec2){0.6 * (i % 8) - 2.1, 0.6 + 0.6 * (double)(i / 8)};
            body.angle = 0.4 * i;
            assert_ok(world, tr2_world_create_body(world, &body, &box));
            shape = tr2_box_on(box, 0.25f, 0.2f);
            assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
        }
        for (uint32_t i = 0; i < 14; i++)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_ok(world, tr2_body_set_direct(world, table, true));
        for (uint32_t i = 0; i < 4; i++) {
            if (fails == 1)
                refused += refuse_all(world, &allocator);
            else
                assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        }
        assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
        hash[fails] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    print_message("%u steps refused\n", refused);
    assert_true(hash[0] == hash[1] && refused > 10);
    assert_int_equal(allocator.held, 0);
}

static void a_plan_in_parts_is_taken_back(void **state)
{
    (void)state;
    enum { SIDE = 44, DISCS = SIDE * SIDE };
    test_allocator allocator = {0};
    uint64_t hash[2] = {0};
    uint32_t refused = 0;
    for (uint32_t fails = 0; fails < 2; fails++) {
        tr2_world *world = make_world(&allocator);
        static tr2_body_def defs[DISCS];
        static tr2_shape_def discs[DISCS];
        static tr2_body ids[DISCS];
        for (uint32_t i = 0; i < DISCS; i++) {
            defs[i] = tr2_body_def_default();
            defs[i].position = (tr_dvec2){0.5 * (i % SIDE), 0.5 * (double)(i / SIDE)};
            /* rows slide over each other, each pair of them at another speed, so that contacts change in all steps */
            float speed = 1.5f + 0.4f * (float)(i / SIDE % 7);
            defs[i].velocity = (tr_vec2){i / SIDE % 2 == 0 ? speed : -speed, 0.0f};
        }
        assert_ok(world, tr2_world_create_bodies(world, defs, DISCS, ids));
        for (uint32_t i = 0; i < DISCS; i++)
            discs[i] = tr2_circle_on(ids[i], (tr_vec2){0.0f, 0.0f}, 0.25f);
        assert_ok(world, tr2_world_create_shapes(world, discs, DISCS, NULL));
        uint64_t taken = UINT64_MAX;
        for (uint32_t i = 0; i < 60 && (taken == UINT64_MAX || i < taken + 3); i++) {
            const uint64_t steps = tr2_solver_last(world->solver)->steps;
            bool takes = tr_plan_is_begun(world->plan) && steps - world->replan_step + 1 > TR_PLAN_PARTS;
            if (takes && taken == UINT64_MAX)
                taken = i;
            if (fails == 1 && i - taken < 2)
                refused += refuse_all(world, &allocator);
            else
                assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        }
        assert_true(taken != UINT64_MAX);
        hash[fails] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    print_message("%u steps refused\n", refused);
    assert_true(hash[0] == hash[1] && refused > 10);
    assert_int_equal(allocator.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_ends_the_same_whatever_fails),
        cmocka_unit_test(a_crowd_that_turns_ends_the_same_whatever_fails),
        cmocka_unit_test(a_burst_ends_the_same_whatever_fails),
        cmocka_unit_test(sleepers_end_the_same_whatever_fails),
        cmocka_unit_test(rocks_end_the_same_whatever_fails),
        cmocka_unit_test(a_plan_in_parts_is_taken_back),
        cmocka_unit_test(islands_that_begin_to_be_direct_are_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
