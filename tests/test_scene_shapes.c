/* Every shape that a world can have, in a scene: written, read back and built to the same world; ids by name. */
#include "scene_file.h"
#include "shape_fixture.h"
#include "weightless.h"

#ifdef TR_WITH_SCENES

static float draw_in(uint64_t *seed, double lower, double upper)
{
    return (float)(lower + (upper - lower) * draw(seed));
}

/* a scene by hand, as a host would fill one: arrays of its own */
typedef struct drawn {
    tr2_scene scene;
    tr2_scene_body bodies[40];
    tr2_scene_shape shapes[80];
    tr_vec2 vertices[400];
} drawn;

static void add_vertex(drawn *it, double x, double y)
{
    it->vertices[it->scene.vertex_count++] = (tr_vec2){(float)x, (float)y};
    it->scene.shapes[it->scene.shape_count - 1].vertex_count++;
}

/* every type, with any of its flags; convex and not, closed and open */
static void draw_vertices(drawn *it, tr2_scene_shape *shape, uint64_t *seed)
{
    shape->radius = shape->type == TR2_SCENE_CHAIN || shape->type == TR2_SCENE_SEGMENT ? 0.0f : draw_in(seed, 0.1, 0.3);
    switch (shape->type) {
    case TR2_SCENE_CIRCLE:
        add_vertex(it, draw(seed), draw(seed));
        break;
    case TR2_SCENE_POLYGON: {
        uint32_t corners = 3 + (uint32_t)(5.0 * draw(seed));
        bool star = draw(seed) < 0.3;
        if (star || draw(seed) < 0.5)
            shape->radius = 0.0f;
        for (uint32_t i = 0; i < corners; i++) {
            double r = star && i % 2 == 1 && corners > 3 ? 0.2 : 0.6, angle = 6.283185307179586 * i / corners;
            add_vertex(it, r * cos(angle), r * sin(angle));
        }
        break;
    }
    case TR2_SCENE_CHAIN: {
        uint32_t points = 3 + (uint32_t)(4.0 * draw(seed));
        shape->one_sided = draw(seed) < 0.6;
        shape->closed = draw(seed) < 0.4;
        for (uint32_t i = 0; i < points; i++)
            add_vertex(it, 2.0 * i, shape->closed && i % 2 == 1 ? 2.0 : draw(seed));
        shape->has_before = shape->one_sided && !shape->closed && draw(seed) < 0.5;
        shape->has_after = shape->one_sided && !shape->closed && draw(seed) < 0.5;
        shape->before = shape->has_before ? (tr_vec2){-1.5f, 0.3f} : (tr_vec2){0.0f, 0.0f};
        shape->after = shape->has_after ? (tr_vec2){20.5f, 0.7f} : (tr_vec2){0.0f, 0.0f};
        break;
    }
    default:
        add_vertex(it, -0.5, draw(seed));
        add_vertex(it, 0.5, draw(seed));
    }
}

static void draw_scene(drawn *it, uint64_t *seed)
{
    memset(it, 0, sizeof *it);
    tr2_scene *scene = &it->scene;
    scene->gravity = (tr_vec2){0.0f, -9.81f};
    scene->hertz = 60.0;
    scene->substeps = 4;
    scene->joint_frequency = 60.0f;
    scene->joint_damping_ratio = 2.0f;
    scene->contacts = tr2_contact_settings_default(1.0f);
    scene->direct_load = 10.0f;
    scene->length_unit = 1.0f;
    scene->collide = true;
    scene->bodies = it->bodies;
    scene->shapes = it->shapes;
    scene->vertices = it->vertices;
    scene->body_count = 30;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        it->bodies[i].def = tr2_body_def_default();
        it->bodies[i].def.type = i < 4 ? TR_STATIC : TR_DYNAMIC;
        it->bodies[i].def.position = (tr_dvec2){10.0 * draw(seed), i < 4 ? 0.0 : 1.0 + 12.0 * draw(seed)};
        it->bodies[i].def.angle = 6.0 * draw(seed);
        for (uint32_t k = 0; k < 1 + i % 2; k++) {
            tr2_scene_shape *shape = &it->shapes[scene->shape_count++];
            shape->type = (tr2_scene_shape_type)(TR2_SCENE_SHAPE_TYPE_COUNT * draw(seed));
            shape->body = i;
            shape->first_vertex = scene->vertex_count;
            shape->density = draw_in(seed, 0.0, 3.0);
            shape->friction = draw(seed) < 0.3 ? 0.6f : draw_in(seed, 0.0, 1.0);
            shape->restitution = draw_in(seed, 0.0, 0.5);
            shape->filter = weightless(tr2_shape_def_default(TR2_CIRCLE)).filter;
            shape->filter.group = draw(seed) < 0.1 ? -3 : 0;
            shape->sensor = draw(seed) < 0.1;
            shape->contact_events = draw(seed) < 0.7;
            shape->hit_events = draw(seed) < 0.3;
            shape->custom_filter = draw(seed) < 0.2;
            shape->user_data = draw(seed) < 0.5 ? 0 : (uint64_t)(1e18 * draw(seed));
            draw_vertices(it, shape, seed);
        }
    }
}

static void assert_same_shape(const tr2_scene *a, uint32_t i, const tr2_scene *b)
{
    const tr2_scene_shape *one = &a->shapes[i], *other = &b->shapes[i];
    assert_int_equal(one->type, other->type);
    assert_int_equal(one->body, other->body);
    assert_int_equal(one->vertex_count, other->vertex_count);
    assert_memory_equal(a->vertices + one->first_vertex, b->vertices + other->first_vertex,
                        one->vertex_count * sizeof *a->vertices);
    assert_true(one->radius == other->radius && one->density == other->density && one->friction == other->friction);
    assert_true(one->restitution == other->restitution && one->closed == other->closed);
    assert_true(one->one_sided == other->one_sided && one->sensor == other->sensor);
    assert_true(one->has_before == other->has_before && one->has_after == other->has_after);
    assert_memory_equal(&one->before, &other->before, sizeof one->before);
    assert_memory_equal(&one->after, &other->after, sizeof one->after);
    assert_true(one->contact_events == other->contact_events && one->hit_events == other->hit_events);
    assert_true(one->custom_filter == other->custom_filter && one->user_data == other->user_data);
    assert_int_equal(one->filter.group, other->filter.group);
}

static tr2_world *build(const tr2_scene *scene, tr2_shape *shapes)
{
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    def.tag = 9;
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    if (tr2_scene_build_shapes(scene, world, NULL, NULL, shapes, &error) != TR_OK)
        fail_msg("%s", error.message);
    return world;
}

/* a saved world is the same world: every shape to the bit, and half a second of steps */
static void worlds_of_any_shapes_are_saved_and_loaded(void **state)
{
    (void)state;
    static drawn it;
    static tr2_shape ids[2][1000];
    uint32_t seen[TR2_SHAPE_KIND_COUNT] = {0};
    for (uint64_t round = 0; round < 20; round++) {
        uint64_t seed = round;
        draw_scene(&it, &seed);
        tr2_scene *back = round_trip(&it.scene);
        assert_int_equal(back->notice_count, 0);
        assert_int_equal(back->shape_count, it.scene.shape_count);
        for (uint32_t i = 0; i < back->shape_count; i++)
            assert_same_shape(&it.scene, i, back);
        assert_true(tr2_scene_shape_id_count(back) <= 1000);
        tr2_world *world = build(&it.scene, ids[0]), *again = build(back, ids[1]);
        assert_memory_equal(ids[0], ids[1], tr2_scene_shape_id_count(back) * sizeof ids[0][0]);
        for (uint32_t i = 0; i < tr2_scene_shape_id_count(back); i++) {
            tr2_shape_def one, other;
            assert_ok(world, tr2_shape_get(world, ids[0][i], &one));
            assert_ok(again, tr2_shape_get(again, ids[1][i], &other));
            assert_memory_equal(&one, &other, sizeof one);
            seen[one.kind]++;
        }
        for (int step = 0; step < 30; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            assert_ok(again, tr2_world_step(again, 1.0 / 60.0, 4));
        }
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(again));
        tr2_world_destroy(world);
        tr2_world_destroy(again);
        tr2_scene_destroy(back);
    }
    for (uint32_t kind = 0; kind < TR2_SHAPE_KIND_COUNT; kind++)
        assert_true(seen[kind] > 20);
}

/* what a world has after some steps, captured, saved, loaded and built: the same definitions, and the same steps from
   there on as of a world that was built of the capture itself */
static void a_world_is_captured_as_it_is(void **state)
{
    tr2_world *world = world_of(state);
    static drawn it;
    uint64_t seed = 77;
    draw_scene(&it, &seed);
    tr2_body bodies[30];
    assert_ok(world, tr2_world_set_joint_softness(world, 45.0f, 3.0f));
    it.scene.joint_frequency = 45.0f;
    it.scene.contacts.hit_speed = 2.5f;
    assert_int_equal(tr2_scene_build(&it.scene, world, bodies, NULL, NULL), TR_OK);
    for (tr2_joint_type type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_def def = odd_joint(type);
        def.body_a = bodies[4 + type];
        def.body_b = bodies[5 + type];
        if (type == TR2_JOINT_GEAR)
            def.carrier_a = bodies[2];
        assert_ok(world, tr2_world_create_joint(world, &def, NULL));
    }
    /* holes in the tables, and rows in another order */
    assert_ok(world, tr2_world_destroy_body(world, bodies[3]));
    assert_ok(world, tr2_world_destroy_body(world, bodies[25]));
    for (int step = 0; step < 20; step++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_world_optimize(world));

    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_capture(world, &scene, NULL), TR_OK);
    tr_statistics statistics = tr2_world_statistics(world);
    assert_int_equal(scene->body_count, 28);
    assert_int_equal(scene->joint_count, statistics.joints);
    assert_int_equal(scene->shape_count, tr2_world_shapes(world).count);
    assert_true(scene->joint_frequency == 45.0f && scene->gravity.y == it.scene.gravity.y);
    assert_true(scene->contacts.hit_speed == 2.5f);
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, bodies[20], &def));
    assert_memory_equal(&scene->bodies[19].def.position, &def.position, sizeof def.position);
    assert_true(scene->bodies[19].def.angle == def.angle && scene->bodies[19].def.velocity.y == def.velocity.y);

    tr2_scene *back = round_trip(scene);
    tr2_world *one = build(scene, NULL), *other = build(back, NULL);
    for (uint32_t i = 0; i < scene->shape_count; i++)
        assert_int_equal(tr2_scene_shape_part_count(scene, i), 1);
    assert_true(tr2_world_state_hash(one) == tr2_world_state_hash(other));
    for (int step = 0; step < 20; step++) {
        assert_ok(one, tr2_world_step(one, 1.0 / 60.0, 4));
        assert_ok(other, tr2_world_step(other, 1.0 / 60.0, 4));
    }
    assert_true(tr2_world_state_hash(one) == tr2_world_state_hash(other));
    tr2_world_destroy(one);
    tr2_world_destroy(other);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
    scene = NULL;
    assert_int_equal(tr2_scene_capture(NULL, &scene, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_capture(world, NULL, NULL), TR_ERROR_NULL);
    assert_null(scene);
}

/* what a definition in C would make, number by number */
static void shapes_become_what_c_would_make(void **state)
{
    (void)state;
    tr2_scene *scene = parse(
        "{\"trammel\": 1, \"world\": {\"collide\": true}, \"bodies\": [{\"name\": \"body\", \"shapes\": ["
        "{\"type\": \"capsule\", \"vertices\": [[0, -1], [0, 1]], \"radius\": 0.5, \"density\": 2, \"name\": \"pill\"},"
        "{\"type\": \"segment\", \"vertices\": [[0, 0], [3, 4]], \"hit_events\": true, \"contact_events\": false},"
        "{\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 0], [0, 1]], \"radius\": 0.25, \"density\": 0, "
        "\"custom_filter\": true},"
        "{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0], [2, 1]], \"one_sided\": true, \"before\": [-1, 2],"
        " \"after\": [3, 3], \"user_data\": 7, \"name\": \"path\"},"
        "{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0], [2, 1]]}]}]}");
    tr2_shape ids[9];
    assert_int_equal(tr2_scene_shape_id_count(scene), 9);
    const uint32_t made[5] = {1, 1, 1, 2, 4};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(tr2_scene_shape_part_count(scene, i), made[i]);
    assert_int_equal(tr2_scene_shape_part_count(scene, 5), 0);
    tr2_world *world = build(scene, ids);
    tr2_shape_def def;
    assert_ok(world, tr2_shape_get(world, ids[0], &def));
    assert_true(def.kind == TR2_CAPSULE && def.radius == 0.5f && def.point[1].y == 1.0f &&
                def.surface.friction == 0.6f);
    assert_ok(world, tr2_shape_get(world, ids[1], &def));
    assert_true(def.kind == TR2_SEGMENT && def.point[1].x == 3.0f && def.hit_events && !def.contact_events);
    assert_ok(world, tr2_shape_get(world, ids[2], &def));
    assert_true(def.kind == TR2_POLYGON && def.point_count == 3 && def.radius == 0.25f && def.custom_filter);
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(world, tr2_shape_get(world, ids[3 + i], &def));
        assert_true(def.kind == TR2_CHAIN_SEGMENT && def.has_before && def.has_after && def.user_data == 7);
        assert_true(def.before.x == (i == 0 ? -1.0f : 0.0f) && def.after.x == (i == 0 ? 2.0f : 3.0f));
    }
    /* by name */
    assert_int_equal(tr2_scene_find_shape(scene, "path"), 3);
    assert_int_equal(tr2_scene_find_shape(scene, "pill"), 0);
    assert_int_equal(tr2_scene_find_shape(scene, "no such"), UINT32_MAX);
    assert_int_equal(tr2_scene_find_body(scene, "body"), 0);
    assert_int_equal(tr2_scene_find_joint(scene, "body"), UINT32_MAX);
    assert_int_equal(tr2_scene_find_body(NULL, NULL), UINT32_MAX);

    /* a capsule's mass: 2 kg/m^2 on 2 m by 1 m and a disc of radius 0.5 m */
    tr2_body_def body;
    assert_ok(world, tr2_body_get(world, tr2_world_bodies(world).id[0], &body));
    assert_true(fabs((double)body.mass - 2.0 * (2.0 + 3.14159265358979 * 0.25)) < 1e-5);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

static void wrong_vertices_are_named(void **state)
{
    (void)state;
    const char *const texts[] = {
        "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"capsule\", \"vertices\": [[0, 0]]}]}]}",
        "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"segment\", \"vertices\": [[0, 0], [1, 0], [2, "
        "0]]}]}]}",
        "{\"trammel\": 1, \"bodies\": [{\"shapes\": [{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0]], \"before\": "
        "3}]}]}"};
    const char *const parts[] = {"expected 2 vertices, found 1", "expected 2 vertices, found 3", "shapes[0].before"};
    for (uint32_t i = 0; i < 3; i++) {
        tr2_scene *scene = NULL;
        tr_error error = {TR_OK, ""};
        assert_int_equal(tr2_scene_parse(texts[i], strlen(texts[i]), "test", &scene, &error), TR_ERROR_PARSE);
        if (strstr(error.message, parts[i]) == NULL)
            fail_msg("%s", error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_of_any_shapes_are_saved_and_loaded),
        TEST(a_world_is_captured_as_it_is),
        cmocka_unit_test(shapes_become_what_c_would_make),
        cmocka_unit_test(wrong_vertices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
