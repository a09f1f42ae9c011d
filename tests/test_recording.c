/* What is recorded is made again, call by call, with the same bits. */
#include "recorded_damage.h"
#include "world/recording/visits.inl"

/*
 * Calls that only the plane has
 */
static tr2_shape a_shape(const tr2_world *world, uint64_t *random)
{
    tr2_shape_view view = tr2_world_shapes(world);
    return view.count > 0 ? view.id[random_index(random, view.count)] : (tr2_shape){0, 0, 0};
}

/* callbacks that depend on more than the world, as those of applications do: a replay could not call them */
static uint32_t asked;

static bool filter(const tr2_shape_contact *contact, void *context)
{
    (void)contact;
    (void)context;
    return asked++ % 3 != 0;
}

static float stickiness;

static void mixer(const tr2_mixed_shape *a, const tr2_mixed_shape *b, tr2_surface *mixed, void *context)
{
    (void)context;
    mixed->friction = 0.1f * (float)((a->shape.index ^ b->shape.index) % 8) + stickiness;
    mixed->tangent_speed = 0.2f * stickiness;
}

static bool accept(tr2_shape shape, uint32_t index, void *context)
{
    const tr2_world *world = context;
    tr2_submersion submersion;
    tr2_body body;
    (void)index;
    /* a callback may ask the world; what that asks is not the call's */
    tr2_fluid fluid = tr2_fluid_default();
    fluid.query.accept = accept;
    fluid.query.context = NULL;
    if (world != NULL && tr2_shape_get_body(world, shape, &body) == TR_OK)
        (void)tr2_body_submersion(world, body, &fluid, &submersion, NULL);
    return asked++ % 4 != 0;
}

static void edit_shape(tr2_world *world, uint64_t *random)
{
    tr2_shape id = a_shape(world, random);
    tr2_shape_def def = tr2_circle_on(walk_body(world, random), (tr_vec2){0.1f, 0.0f}, 0.3f), defs[2] = {def, def};
    const tr_vec2 points[] = {{40.0f, -3.0f}, {0.0f, -4.0f}, {-40.0f, -3.0f}, {-41.0f, 10.0f}};
    tr2_chain_def chain = tr2_chain_def_default();
    tr2_body_def body = tr2_body_def_default();
    tr2_shape ids[4];
    def.custom_filter = random_index(random, 2) == 0;
    switch (random_index(random, 11)) {
    case 0:
        walk_ok(world, tr2_world_create_shape(world, &def, &id));
        break;
    case 1:
        defs[1].custom_filter = true;
        defs[1].point[0].x = 0.5f;
        walk_ok(world, tr2_world_create_shapes(world, defs, 2, ids));
        break;
    case 2:
        body.type = TR_STATIC;
        walk_ok(world, tr2_world_create_body(world, &body, &chain.shape.body));
        chain.points = points;
        chain.count = 4;
        chain.loop = random_index(random, 2) == 0;
        walk_ok(world, tr2_world_create_chain(world, &chain, random_index(random, 2) == 0 ? ids : NULL));
        break;
    case 3:
        (void)tr2_world_destroy_shape(world, id);
        break;
    case 4:
        (void)tr2_world_destroy_shapes(world, &id, 1);
        break;
    case 5:
        if (tr2_shape_get(world, id, &def) != TR_OK)
            break;
        def.surface.friction += 0.01f;
        def.custom_filter = true;
        walk_ok(world, tr2_shape_set(world, id, &def));
        break;
    case 6:
        (void)tr2_shape_set_surface(world, id, (tr2_surface){0.5f, 0.1f, 0.01f, 0.1f});
        break;
    case 7:
        (void)tr2_shape_set_filter(world, id, (tr2_filter){3, ~(uint64_t)0, 0});
        break;
    case 8:
        (void)tr2_shape_set_sensor(world, id, random_index(random, 4) == 0);
        break;
    case 9:
        (void)tr2_shape_set_user_data(world, id, *random);
        break;
    default:
        (void)tr2_body_update_mass_from_shapes(world, walk_body(world, random));
    }
}

static void push(tr2_world *world, uint64_t *random)
{
    static tr2_character character;
    tr2_character_result result;
    tr2_body id = walk_body(world, random), bodies[2] = {id, walk_body(world, random)};
    tr2_body_def def;
    tr2_explosion explosion = tr2_explosion_default();
    tr2_wind wind = tr2_wind_default();
    tr2_fluid fluid = tr2_fluid_default();
    tr2_query query = tr2_query_default();
    walk_ok(world, tr2_body_get(world, id, &def));
    query.accept = random_index(random, 2) == 0 ? accept : NULL;
    query.context = world;
    explosion.query = wind.query = fluid.query = query;
    explosion.position = (tr_dvec2){def.position.x + 0.4, def.position.y - 1.0};
    explosion.impulse_per_length = 0.5f;
    wind.velocity = (tr_vec2){2.0f, 0.0f};
    fluid.point = def.position;
    switch (random_index(random, 5)) {
    case 0:
        (void)tr2_world_explode(world, &explosion);
        break;
    case 1:
        (void)tr2_world_apply_wind(world, &wind, bodies, random_index(random, 2) == 0 ? 2 : TR2_ALL_BODIES,
                                   (float)WALK_DT);
        break;
    case 2:
        (void)tr2_world_apply_buoyancy(world, &fluid, bodies, random_index(random, 2) == 0 ? 2 : TR2_ALL_BODIES,
                                       (float)WALK_DT);
        break;
    case 3:
        walk_ok(world, tr2_body_set_bullet(world, id, !def.bullet));
        break;
    default:
        character.def.query.context = world;
        if (random_index(random, 3) == 0) {
            tr2_character_def walker = tr2_character_def_default();
            walker.query = query;
            character = tr2_character_at(&walker, (tr_dvec2){def.position.x, def.position.y + 1.0});
        }
        if (character.def.radius > 0.0f)
            (void)tr2_character_move(world, &character, (tr_vec2){1.0f, -1.0f}, (float)WALK_DT, &result);
    }
}

static void touch(tr2_world *world, uint64_t *random)
{
    tr2_contact_settings settings = tr2_world_contact_settings(world);
    tr2_contact_def contact = tr2_contact_def_default();
    tr2_body_def def;
    switch (random_index(random, 4)) {
    case 0:
        contact.body_a = walk_body(world, random);
        contact.body_b = walk_body(world, random);
        walk_ok(world, tr2_body_get(world, contact.body_a, &def));
        contact.point[0] = def.position;
        (void)tr2_world_set_contacts(world, &contact, random_index(random, 3) == 0 ? 0 : 1);
        break;
    case 1:
        settings.push_speed += 0.01f;
        walk_ok(world, tr2_world_set_contact_settings(world, &settings));
        break;
    case 2:
        walk_ok(world, tr2_world_set_contact_filter(world, random_index(random, 3) == 0 ? NULL : filter, NULL));
        break;
    default:
        stickiness += 0.01f;
        walk_ok(world, tr2_world_set_surface_mixer(world, random_index(random, 3) == 0 ? NULL : mixer, NULL));
    }
}

static void edit(tr2_world *world, uint64_t *random)
{
    for (uint32_t i = 0; i < 4; i++) {
        log_edit(world, random);
        edit_shape(world, random);
        push(world, random);
        touch(world, random);
    }
}

/* chains swing over a floor; some are shut off */
static tr2_world *colliding(const char *kind, uint32_t size, uint32_t threads)
{
    tr2_world *world = walk_world(kind, size);
    walk_ok(world, tr2_world_set_threads(world, threads));
    if (threads > 1)
        step_on_all_threads(world);
    tr2_body_def floor = tr2_body_def_default();
    floor.type = TR_STATIC;
    floor.position.y = -3.0;
    tr2_body id;
    walk_ok(world, tr2_world_create_body(world, &floor, &id));
    tr2_shape_def box = tr2_box_on(id, 40.0f, 1.0f);
    walk_ok(world, tr2_world_create_shape(world, &box, NULL));
    return world;
}

static void walks_are_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("grid", 10), 20, TRIALS(100), 3, NULL);
    log_walk(walk_world("hub", 100), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("ragdolls", 10), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("debris", 60), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("pyramid", 8), 20, TRIALS(100), 0, NULL);
    /* begins, and steps, while plans are in the making, which a large world spreads over steps */
    log_walk(walk_world("grid", 50), 7, TRIALS(20), 500, NULL);
}

static void every_call_is_made_again(void **state)
{
    (void)state;
    log_walk(colliding("chains", 3, 1), 10, TRIALS(80), 1, edit);
    log_walk(colliding("crowd", 40, 3), 10, TRIALS(80), 1, edit);
    log_walk(colliding("pyramid", 5, 1), 0, TRIALS(80), 0, edit);
    log_all_were_made();
}

/* Bodies that sleep are in no hash of a step; one falls on them, and they wake. */
static void what_sleeps_is_made_again(void **state)
{
    (void)state;
    enum { BOXES = 40, STEPS = 120 };
    tr2_world *world = log_world(1);
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    memory_log log = {0};
    uint64_t hashes[STEPS];
    def.type = TR_STATIC;
    def.position.y = -0.5;
    walk_ok(world, tr2_world_create_body(world, &def, &id));
    tr2_shape_def box = tr2_box_on(id, 100.0f, 0.5f);
    walk_ok(world, tr2_world_create_shape(world, &box, NULL));
    for (uint32_t i = 0; i <= BOXES; i++) {
        def.type = TR_DYNAMIC;
        def.position = i < BOXES ? (tr_dvec2){2.0 * i, 0.5} : (tr_dvec2){4.0, 30.0};
        def.awake = i == BOXES;
        walk_ok(world, tr2_world_create_body(world, &def, &id));
        box = tr2_box_on(id, 0.5f, 0.5f);
        walk_ok(world, tr2_world_create_shape(world, &box, NULL));
    }
    for (uint32_t i = 0; i < 60; i++)
        walk_ok(world, tr2_world_step(world, WALK_DT, 4));
    assert_int_equal(tr2_world_statistics(world).sleeping_bodies, BOXES);
    walk_ok(world, tr2_world_optimize(world));
    assert_int_equal(world->bodies.rest_end - world->bodies.rest_first, BOXES);
    log_begin(&log, world);
    for (uint32_t i = 0; i < STEPS; i++) {
        walk_ok(world, tr2_world_step(world, WALK_DT, 4));
        hashes[i] = walk_hash(world);
    }
    log_end(&log, world);
    /* one was hit */
    assert_int_equal(world->bodies.rest_end - world->bodies.rest_first, BOXES - 1);
    log_play_everywhere(&log, hashes);
    log_free(&log);
    tr2_world_destroy(world);
}

static void records_have_every_member(void **state)
{
    (void)state;
    /* the last number is that of bytes of padding, and of pointers that are no part of the record */
    const size_t filter = 4, query = filter + 7 + sizeof(void *), shape = 2 + 4 + filter + 4;
    log_covers("tr2_body_def", visit_body_def, sizeof(tr2_body_def), 4 + 6);
    log_covers("tr2_joint_def", visit_joint_def, sizeof(tr2_joint_def), 4 * 3 + 6 + 2 + 6);
    log_covers("tr2_shape_def", visit_shape_def, sizeof(tr2_shape_def), shape);
    log_covers("tr2_chain_def", visit_chain_def, sizeof(tr2_chain_def), sizeof(void *) + 3 + shape);
    log_covers("tr2_contact_def", visit_contact_def, sizeof(tr2_contact_def), 4);
    log_covers("tr2_filter", visit_filter, sizeof(tr2_filter), filter);
    log_covers("tr2_explosion", visit_explosion, sizeof(tr2_explosion), 4 + query);
    log_covers("tr2_wind", visit_wind, sizeof(tr2_wind), 4 + query);
    log_covers("tr2_fluid", visit_fluid, sizeof(tr2_fluid), 4 + query);
    log_covers("tr2_character", visit_character, sizeof(tr2_character), query);
}

#include "recorded_tests.h"
