/* Scenes in space: every property survives writing and reading to the bit, and so does a world that is captured. */
#include "space_scene.h"

#include <unistd.h>

#include "scene/core/joint_paths.h"
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

/* numbers whose decimals are awkward: all distinct, none a default, none above pi */
static float awkward(uint32_t n)
{
    return 0.1f + (float)n * 0.0053f;
}

static tr_vec3 awkward_vec(uint32_t n)
{
    return (tr_vec3){awkward(n), -awkward(n + 1), awkward(n + 2)};
}

static tr_quat awkward_quat(uint32_t n)
{
    return (tr_quat){awkward(n), -awkward(n + 1), awkward(n + 2), -awkward(n + 3)};
}

/* every field that the type has, and what all types have */
static void fill_joint(tr3_joint_def *def, uint32_t seed)
{
    uint32_t kind = seed;
    for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++) {
        if (!tr3_joint_type_has(def->type, field))
            continue;
        if (tr3_field_infos[field].kind == TR_KIND_BOOL)
            tr3_field_write(def, field, tr3_field_read(def, field) == 0); /* not the default */
        else if (tr3_field_infos[field].kind == TR_KIND_KIND)
            tr3_field_write(def, field, 1 + kind++ % 3); /* not rigid, whose numbers mean nothing */
        else
            tr3_field_write_float(def, field,
                                  tr3_field_infos[field].kind == TR_KIND_NOT_POSITIVE ? -awkward(seed + field)
                                                                                      : awkward(seed + field));
    }
    def->event_at = (tr_event_at){awkward(seed + 50), awkward(seed + 51)};
    def->break_at = (tr_break_at){awkward(seed + 52), awkward(seed + 53), awkward(seed + 54), UINT32_MAX - seed};
    def->enabled = seed % 2 == 0;
    def->collide_connected = true;
    def->user_data = UINT64_MAX - seed;
}

static void fill_body(tr3_body_def *def, uint32_t seed)
{
    def->type = seed % 2 == 0 ? TR_DYNAMIC : TR_KINEMATIC;
    def->position = (tr_dvec3){0.1 + seed, -1.0 / 3.0, 1e10 / 7.0};
    def->rotation = awkward_quat(seed);
    def->velocity = awkward_vec(seed + 4);
    def->angular_velocity = awkward_vec(seed + 7);
    def->mass = awkward(seed + 10);
    def->inertia = (tr_sym3){1.1f, 1.2f, 1.3f, awkward(seed), -awkward(seed + 1), awkward(seed + 2)};
    def->center = awkward_vec(seed + 11);
    def->gravity_scale = awkward(seed + 14);
    def->linear_damping = awkward(seed + 15);
    def->angular_damping = awkward(seed + 16);
    def->sleep_scale = awkward(seed + 17);
    def->fixed_rotation = true;
    def->direct = true;
    def->enabled = seed % 4 != 0;
    def->allow_sleep = false;
    def->awake = seed % 4 == 3;
    def->user_data = UINT64_MAX - seed;
}

static void fill_shape(tr3_scene_shape *shape, uint32_t seed)
{
    const bool has_ends = shape->type == TR3_SCENE_CAPSULE || shape->type == TR3_SCENE_CYLINDER;
    if (has_ends) {
        shape->from = awkward_vec(seed);
        shape->to = awkward_vec(seed + 3);
    } else
        shape->center = awkward_vec(seed);
    if (shape->type == TR3_SCENE_BOX) {
        shape->rotation = awkward_quat(seed + 6);
        shape->half = (tr_vec3){awkward(seed), awkward(seed + 1), awkward(seed + 2)};
    } else
        shape->radius = awkward(seed + 10);
    shape->density = awkward(seed + 11);
    shape->user_data = UINT64_MAX / 3 + seed;
    SPACE_OK(tr_scene_copy_text("a \"shape\"\n\xc3\xa9", &shape->name, NULL));
}

/* bodies, shapes of every type and joints of every type, each property of which is not at its default */
static tr3_scene *odd_scene(void)
{
    tr3_builder builder;
    SPACE_OK(tr3_builder_start(&builder, "trammel", NULL));
    for (uint32_t i = 0; i < 6; i++) {
        tr3_scene_body *body;
        tr3_scene_shape *shape;
        SPACE_OK(tr3_builder_body(&builder, &body, NULL));
        fill_body(&body->def, i);
        SPACE_OK(tr_scene_copy_text("body", &body->name, NULL));
        for (uint32_t type = 0; type < TR3_SCENE_SHAPE_TYPE_COUNT; type++) {
            SPACE_OK(tr3_builder_shape(&builder, (tr3_scene_shape_type)type, i, &shape, NULL));
            fill_shape(shape, i + 5 * type);
        }
    }
    for (uint32_t i = 0; i < 3 * TR3_JOINT_TYPE_COUNT; i++) {
        tr3_scene_joint *joint;
        SPACE_OK(tr3_builder_joint(&builder, (tr3_joint_type)(i / 3), &joint, NULL));
        joint->body_a = i % 6;
        joint->body_b = (i % 6 + 1 + i / 6 % 5) % 6;
        fill_joint(&joint->def, i);
        if (joint->def.type == TR3_JOINT_GEAR || joint->def.type == TR3_JOINT_PULLEY) {
            joint->carrier_a = i % 3 == 0 ? 0 : 1 + joint->body_b;
            joint->carrier_b = i % 3 == 1 ? 0 : 1 + joint->body_a;
        }
        SPACE_OK(tr_scene_copy_text("joint", &joint->name, NULL));
    }
    tr3_scene *scene = tr3_builder_take(&builder);
    SPACE_OK(tr_scene_copy_text("odd", &scene->name, NULL));
    scene->gravity = awkward_vec(1);
    scene->hertz = 1e3 / 7.0;
    scene->substeps = 7;
    scene->method = TR_SMALL_STEP;
    scene->sweeps = 3;
    scene->joint_frequency = awkward(3);
    scene->joint_damping_ratio = awkward(4);
    scene->direct_load = awkward(5);
    scene->length_unit = awkward(6);
    scene->breaking = TR_BREAKING_ONE_PER_ISLAND;
    scene->sleep.enable = !scene->sleep.enable;
    scene->sleep.speed = awkward(7);
    scene->sleep.angular_speed = awkward(8);
    scene->sleep.time = awkward(9);
    return scene;
}

static void assert_same_joint(const tr3_scene_joint *want, const tr3_scene_joint *have)
{
    assert_int_equal(have->def.type, want->def.type);
    assert_true(have->body_a == want->body_a && have->body_b == want->body_b);
    assert_true(have->carrier_a == want->carrier_a && have->carrier_b == want->carrier_b);
    for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++)
        if (tr3_field_read(&have->def, field) != tr3_field_read(&want->def, field))
            fail_msg("%s.%s was not kept", tr3_joint_type_name(want->def.type), tr3_field_name(field));
    assert_memory_equal(&have->def.event_at, &want->def.event_at, sizeof want->def.event_at);
    assert_memory_equal(&have->def.break_at, &want->def.break_at, sizeof want->def.break_at);
    assert_true(have->def.enabled == want->def.enabled && have->def.user_data == want->def.user_data);
    assert_true(have->def.collide_connected == want->def.collide_connected);
}

static void assert_same_name(const char *want, const char *have)
{
    assert_true((want == NULL) == (have == NULL));
    assert_true(want == NULL || strcmp(want, have) == 0);
}

#define SAME(member) assert_memory_equal(&have->member, &want->member, sizeof want->member)

static void assert_same_shape(const tr3_scene_shape *want, const tr3_scene_shape *have)
{
    SAME(type);
    SAME(body);
    SAME(center);
    SAME(rotation);
    SAME(half);
    SAME(from);
    SAME(to);
    SAME(radius);
    SAME(density);
    SAME(user_data);
    assert_same_name(want->name, have->name);
}

static void assert_same_scene(const tr3_scene *want, const tr3_scene *have)
{
    SAME(gravity);
    SAME(hertz);
    SAME(substeps);
    SAME(method);
    SAME(sweeps);
    SAME(joint_frequency);
    SAME(joint_damping_ratio);
    SAME(direct_load);
    SAME(length_unit);
    SAME(breaking);
    SAME(sleep.enable);
    SAME(sleep.speed);
    SAME(sleep.angular_speed);
    SAME(sleep.time);
    SAME(body_count);
    SAME(joint_count);
    SAME(shape_count);
    assert_same_name(want->name, have->name);
    for (uint32_t i = 0; i < want->body_count; i++) {
        assert_true(space_mix_body(1, &have->bodies[i].def) == space_mix_body(1, &want->bodies[i].def));
        assert_same_name(want->bodies[i].name, have->bodies[i].name);
    }
    for (uint32_t i = 0; i < want->joint_count; i++) {
        assert_same_joint(&want->joints[i], &have->joints[i]);
        assert_same_name(want->joints[i].name, have->joints[i].name);
    }
    for (uint32_t i = 0; i < want->shape_count; i++)
        assert_same_shape(&want->shapes[i], &have->shapes[i]);
}

/* written, read, and written again: the same scene, text, world and motion */
static void assert_survives(const tr3_scene *scene, uint32_t steps)
{
    char *text = space_write(scene);
    tr3_scene *back = space_parse(text);
    char *again = space_write(back);
    assert_string_equal(again, text);
    assert_int_equal(back->notice_count, 0);
    assert_string_equal(back->format, "trammel");
    assert_same_scene(scene, back);
    assert_true(space_run(scene, 0) == space_run(back, 0));
    assert_true(space_run(scene, steps) == space_run(back, steps));
    tr3_scene_destroy(back);
    free(again);
    free(text);
}

static void every_property_survives(void **state)
{
    (void)state;
    tr3_scene *scene = odd_scene();
    /* nothing is left at its default: a property that is added must be filled above */
    const tr3_body_def standard = tr3_body_def_default();
    for (uint32_t i = 0; i < tr3_scene_body_property_count; i++) {
        static const size_t sizes[] = {[TR_SCENE_FLOAT] = sizeof(float),    [TR_SCENE_DOUBLE] = sizeof(double),
                                       [TR_SCENE_BOOL] = sizeof(bool),      [TR_SCENE_VECTOR] = sizeof(tr_vec3),
                                       [TR_SCENE_POINT] = sizeof(tr_dvec3), [TR_SCENE_ROTATION] = sizeof(tr_quat),
                                       [TR_SCENE_TENSOR] = sizeof(tr_sym3)};
        const tr3_scene_property *property = &tr3_scene_body_properties[i];
        if (memcmp((const char *)&scene->bodies[0].def + property->offset, (const char *)&standard + property->offset,
                   sizes[property->kind]) == 0)
            fail_msg("%s is at its default", property->key);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr3_joint_def *def = &scene->joints[i].def, plain = tr3_joint_def_default(def->type);
        for (tr3_field field = 0; field < TR3_FIELD_COUNT; field++)
            if (tr3_joint_type_has(def->type, field) && tr3_field_infos[field].kind != TR_KIND_KIND &&
                tr3_field_read(def, field) == tr3_field_read(&plain, field))
                fail_msg("%s.%s is at its default", tr3_joint_type_name(def->type), tr3_field_name(field));
    }
    assert_survives(scene, 20);
    tr3_scene_destroy(scene);
}

static void generated_scenes_survive(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < tr3_scene_generator_count(); i++) {
        for (uint32_t size = 1; size <= 4; size += 3) {
            tr3_scene *scene = space_generate(tr3_scene_generator_name(i), size);
            assert_survives(scene, 30);
            tr3_scene_destroy(scene);
        }
    }
}

/* what may be written in more than one way */
static void other_spellings_mean_the_same(void **state)
{
    (void)state;
    tr3_scene *scene = space_parse(
        "{\"trammel\": 1, \"dimension\": 3.0, \"comment\": \"not kept\", \"world\": {\"gravity\": {\"y\": -3}},"
        " \"bodies\": [{\"inertia\": 2.5}, {\"inertia\": [1, 2, 3]}, {\"inertia\": [1, 2, 3, 0.5, 0, 0]},"
        " {\"position\": {\"x\": 1, \"z\": 2}, \"rotation\": {\"y\": 1}, \"name\": \"turned\"}],"
        " \"joints\": [{\"type\": \"weld\", \"body_a\": \"turned\", \"body_b\": 0, \"linear\": {\"kind\": "
        "\"rigid\"}}]}");
    assert_true(scene->gravity.x == 0.0f && scene->gravity.y == -3.0f && scene->gravity.z == 0.0f);
    const tr_sym3 even = {2.5f, 2.5f, 2.5f, 0.0f, 0.0f, 0.0f}, diagonal = {1.0f, 2.0f, 3.0f, 0.0f, 0.0f, 0.0f};
    const tr_sym3 full = {1.0f, 2.0f, 3.0f, 0.5f, 0.0f, 0.0f};
    assert_memory_equal(&scene->bodies[0].def.inertia, &even, sizeof even);
    assert_memory_equal(&scene->bodies[1].def.inertia, &diagonal, sizeof diagonal);
    assert_memory_equal(&scene->bodies[2].def.inertia, &full, sizeof full);
    const tr3_body_def *turned = &scene->bodies[3].def;
    assert_true(turned->position.x == 1.0 && turned->position.y == 0.0 && turned->position.z == 2.0);
    assert_true(turned->rotation.y == 1.0f && turned->rotation.w == 0.0f);
    assert_int_equal(scene->joints[0].body_a, 3);
    assert_int_equal(scene->notice_count, 0);
    assert_survives(scene, 5);
    tr3_scene_destroy(scene);
}

static void unknown_keys_become_notices_once_each(void **state)
{
    (void)state;
    tr3_scene *scene = space_parse(
        "{\"trammel\": 1, \"dimension\": 3, \"colour\": 1, \"world\": {\"collide\": true, \"contacts\": {}}, "
        "\"bodies\": ["
        "{\"angle\": 1, \"shapes\": [{\"type\": \"sphere\", \"radius\": 1, \"half\": [1, 1, 1]}]}, {\"angle\": 2}],"
        " \"joints\": [{\"type\": \"ball\", \"body_a\": 0, \"body_b\": 1, \"carrier_c\": 0, \"twist\": {\"soft\": "
        "1}}]}");
    static const char *const keys[] = {"colour",
                                       "world.collide",
                                       "world.contacts",
                                       "bodies[].angle",
                                       "bodies[].shapes[].half",
                                       "joints[].carrier_c",
                                       "joints[].twist.soft"};
    assert_int_equal(scene->notice_count, sizeof keys / sizeof keys[0]);
    for (uint32_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        char notice[100];
        uint32_t found = 0;
        snprintf(notice, sizeof notice, "unknown key %s: ignored", keys[k]);
        for (uint32_t i = 0; i < scene->notice_count; i++)
            found += strcmp(scene->notices[i], notice) == 0;
        if (found != 1)
            fail_msg("%s: %u notices", keys[k], found);
    }
    tr3_scene_destroy(scene);
}

/*
 * Either dimension
 */
static void either_dimension_is_loaded_by_what_the_file_says(void **state)
{
    (void)state;
    char path[] = "/tmp/trammel-scene-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    tr3_scene *made = space_generate("bridge3d", 3), *space = NULL;
    tr2_scene *plane = (tr2_scene *)&made;
    SPACE_OK(tr3_scene_save(made, path, NULL));
    SPACE_OK(tr_scene_load(path, &plane, &space, NULL));
    assert_null(plane);
    assert_same_scene(made, space);
    tr3_scene_destroy(space);
    SPACE_OK(tr3_scene_load(path, &space, NULL));
    assert_same_scene(made, space);
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_load(path, &plane, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "tr3_scene_load"));
    assert_null(plane);
    tr3_scene_destroy(space);
    tr3_scene_destroy(made);

    SPACE_OK(tr2_scene_generate("bridge", 3, &plane, NULL));
    SPACE_OK(tr2_scene_save(plane, path, NULL));
    tr2_scene_destroy(plane);
    space = (tr3_scene *)&made;
    SPACE_OK(tr_scene_load(path, &plane, &space, NULL));
    assert_null(space);
    assert_int_equal(plane->body_count, 5);
    assert_int_equal(tr3_scene_load(path, &space, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "tr2_scene_load"));
    assert_null(space);
    tr2_scene_destroy(plane);
    (void)remove(path);

    static const struct {
        const char *text;
        bool is_space;
    } texts[] = {{"{\"trammel\": 1}", false},
                 {"{\"trammel\": 1, \"dimension\": 2}", false},
                 {"{\"trammel\": 1, \"dimension\": 3}", true},
                 {"{\"trammel\": 1, \"dimension\": 3.0}", true},
                 {"{\"body\": [], \"dimension\": 3}", false}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SPACE_OK(tr_scene_parse(texts[i].text, strlen(texts[i].text), NULL, &plane, &space, NULL));
        assert_true((space != NULL) == texts[i].is_space && (plane != NULL) == !texts[i].is_space);
        tr2_scene_destroy(plane);
        tr3_scene_destroy(space);
    }
}

static void either_dimension_is_refused_whole(void **state)
{
    (void)state;
    tr2_scene *plane = (tr2_scene *)&state;
    tr3_scene *space = (tr3_scene *)&state;
    static const struct {
        const char *text, *fragment;
    } texts[] = {{"", "test:1:"},
                 {"[]", "test: expected an object, found an array"},
                 {"{\"dimension\": 3}", "expected a scene"},
                 {"{\"trammel\": 1, \"dimension\": 4}", "dimension: expected an integer from 2 to 3, found 4"},
                 {"{\"trammel\": 1, \"dimension\": 2.5}", "dimension: expected an integer from 2 to 3, found 2.5"},
                 {"{\"trammel\": 1, \"dimension\": \"3\"}", "dimension: expected an integer, found a string"},
                 {"{\"trammel\": 2, \"dimension\": 3}", "format version 2"},
                 {"{\"trammel\": 1, \"dimension\": 3, \"bodies\": 1}", "bodies: expected an array"},
                 {"{\"trammel\": 1, \"bodies\": 1}", "bodies: expected an array"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tr_error error = {TR_OK, ""};
        assert_int_equal(tr_scene_parse(texts[i].text, strlen(texts[i].text), "test", &plane, &space, &error),
                         TR_ERROR_PARSE);
        assert_int_equal(error.status, TR_ERROR_PARSE);
        if (strstr(error.message, texts[i].fragment) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", error.message, texts[i].fragment);
        assert_true((void *)plane == (void *)&state && (void *)space == (void *)&state);
    }
    assert_int_equal(tr_scene_load("/nowhere/scene.json", &plane, &space, NULL), TR_ERROR_FILE);
    assert_int_equal(tr_scene_load(NULL, &plane, &space, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_scene_load("x", NULL, &space, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_scene_load("x", &plane, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_scene_parse(NULL, 1, NULL, &plane, &space, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_scene_parse("{}", 2, NULL, NULL, &space, NULL), TR_ERROR_NULL);
    assert_int_equal(tr_scene_parse("{}", 2, NULL, &plane, NULL, NULL), TR_ERROR_NULL);
    assert_true((void *)plane == (void *)&state && (void *)space == (void *)&state);
}

/*
 * Capture
 */
static tr3_scene *capture(const tr3_world *world)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_capture(world, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

/* of a world of bodies whose centres are their origins and whose tensors are diagonal: what it stores is what it gives */
static void a_captured_world_goes_on_the_same(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ragdolls3d", "hub3d", "bridge3d", "lattice3d"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        tr3_scene *scene = space_generate(kinds[k], 3);
        scene->sleep.enable = false; /* a scene does not say for how long its bodies have been at rest */
        tr3_world_def def = tr3_scene_world_def(scene);
        tr3_world *worlds[2] = {NULL, NULL};
        def.threads = 1;
        def.tag = 5;
        def.no_warm_starting = true; /* nor what its impulses are */
        for (uint32_t i = 0; i < 2; i++)
            SPACE_OK(tr3_world_create(&def, &worlds[i], NULL));
        SPACE_OK(tr3_scene_build(scene, worlds[0], NULL, NULL, NULL));
        for (uint32_t i = 0; i < 60; i++)
            SPACE_OK(tr3_world_step(worlds[0], 1.0 / 60.0, 4));
        tr3_scene *taken = capture(worlds[0]);
        SPACE_OK(tr3_scene_build(taken, worlds[1], NULL, NULL, NULL));
        tr3_scene *again = capture(worlds[1]);
        assert_same_scene(taken, again);
        assert_int_equal(taken->body_count, scene->body_count);
        assert_int_equal(taken->shape_count, 0);
        for (uint32_t step = 0; step < 30; step++) {
            for (uint32_t i = 0; i < 2; i++)
                SPACE_OK(tr3_world_step(worlds[i], 1.0 / 60.0, 4));
            if (tr3_world_state_hash(worlds[0]) != tr3_world_state_hash(worlds[1]))
                fail_msg("%s differs after %u steps", kinds[k], step + 1);
        }
        for (uint32_t i = 0; i < 2; i++)
            tr3_world_destroy(worlds[i]);
        tr3_scene_destroy(taken);
        tr3_scene_destroy(again);
        tr3_scene_destroy(scene);
    }
}

/* tilted axes and centres off the origin: poses come back within rounding, all else exactly */
static void a_captured_odd_world_is_the_same_within_rounding(void **state)
{
    (void)state;
    tr3_scene *scene = odd_scene();
    tr3_world *world = space_build(scene);
    tr3_scene *taken = capture(world);
    assert_int_equal(taken->body_count, scene->body_count);
    assert_int_equal(taken->joint_count, scene->joint_count);
    assert_int_equal(taken->method, scene->method);
    assert_int_equal(taken->sweeps, scene->sweeps);
    assert_int_equal(taken->breaking, scene->breaking);
    assert_true(taken->length_unit == scene->length_unit && taken->direct_load == scene->direct_load);
    assert_true(taken->joint_frequency == scene->joint_frequency);
    assert_true(taken->joint_damping_ratio == scene->joint_damping_ratio);
    assert_memory_equal(&taken->gravity, &scene->gravity, sizeof taken->gravity);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const tr3_body_def *want = &scene->bodies[i].def, *have = &taken->bodies[i].def;
        SAME(type);
        if (want->enabled) {
            SAME(velocity);
            SAME(angular_velocity);
        }
        SAME(mass);
        SAME(center);
        SAME(gravity_scale);
        SAME(linear_damping);
        SAME(angular_damping);
        SAME(sleep_scale);
        SAME(fixed_rotation);
        SAME(enabled);
        SAME(user_data);
        /* 1e10 / 7 has 2^-22 in its last place */
        assert_true(space_length(space_minus(have->position, want->position)) < 1e-6);
        const double length = sqrt((double)(want->rotation.x * want->rotation.x + want->rotation.y * want->rotation.y +
                                            want->rotation.z * want->rotation.z + want->rotation.w * want->rotation.w));
        const float *a = &have->rotation.x, *b = &want->rotation.x;
        double along = 0.0;
        for (uint32_t c = 0; c < 4; c++)
            along += (double)a[c] * (double)b[c] / length;
        assert_true(fabs(fabs(along) - 1.0) < 1e-6);
        const float *p = &have->inertia.xx, *q = &want->inertia.xx;
        for (uint32_t c = 0; c < 6; c++)
            assert_true(fabs((double)p[c] - (double)q[c]) < 2e-6);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        /* the scene's axes and reference are of any length */
        tr3_scene_joint want = scene->joints[i];
        const tr3_scene_joint *have = &taken->joints[i];
        for (tr3_field field = TR3_FIELD_AXIS_X; field <= TR3_FIELD_REFERENCE_W; field++)
            tr3_field_write(&want.def, field, tr3_field_read(&have->def, field));
        want.def.axis_2 = have->def.axis_2;
        want.def.axis_b = have->def.axis_b;
        want.def.reference_b = have->def.reference_b;
        assert_same_joint(&want, have);
    }
    tr3_world_destroy(world);
    assert_survives(taken, 5);
    tr3_scene_destroy(taken);
    tr3_scene_destroy(scene);
}

static void a_world_with_gaps_is_captured_in_order_of_slots(void **state)
{
    (void)state;
    tr3_scene *scene = space_generate("chains3d", 1);
    tr3_world *world = space_world_of(scene);
    tr3_body bodies[21];
    tr3_joint joints[20];
    assert_true(scene->body_count == 21 && scene->joint_count == 20);
    SPACE_OK(tr3_scene_build(scene, world, bodies, joints, NULL));
    for (uint32_t i = 0; i < 21; i++)
        SPACE_OK(tr3_body_set_user_data(world, bodies[i], i));
    for (uint32_t i = 0; i < 20; i++)
        SPACE_OK(tr3_joint_set_user_data(world, joints[i], 100 + i));
    /* and with it joints 4 and 5 */
    SPACE_OK(tr3_world_destroy_body(world, bodies[5]));
    SPACE_OK(tr3_world_destroy_joint(world, joints[10]));
    tr3_scene *taken = capture(world);
    assert_int_equal(taken->body_count, 20);
    assert_int_equal(taken->joint_count, 17);
    for (uint32_t i = 0; i < 20; i++)
        assert_int_equal(taken->bodies[i].def.user_data, i < 5 ? i : i + 1);
    for (uint32_t i = 0; i < 17; i++) {
        const uint64_t number = taken->joints[i].def.user_data - 100;
        assert_int_equal(number, i < 4 ? i : i < 8 ? i + 2 : i + 3);
        assert_int_equal(taken->bodies[taken->joints[i].body_a].def.user_data, number);
        assert_int_equal(taken->bodies[taken->joints[i].body_b].def.user_data, number + 1);
    }
    tr3_scene *none = NULL;
    assert_int_equal(tr3_scene_capture(NULL, &none, NULL), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_capture(world, NULL, NULL), TR_ERROR_NULL);
    assert_null(none);
    tr3_scene_destroy(taken);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

static void things_are_found_by_name(void **state)
{
    (void)state;
    tr3_scene *scene = space_parse(
        "{\"trammel\": 1, \"dimension\": 3, \"bodies\": [{\"name\": \"a\"}, {\"shapes\": [{\"type\": \"sphere\","
        " \"radius\": 1}, {\"type\": \"sphere\", \"radius\": 1, \"name\": \"s\"}]}, {\"name\": \"b\"}, {\"name\": "
        "\"b\"}],"
        " \"joints\": [{\"type\": \"ball\", \"body_a\": 0, \"body_b\": 1}, {\"type\": \"ball\", \"body_a\": 0,"
        " \"body_b\": 2, \"name\": \"j\"}]}");
    assert_int_equal(tr3_scene_find_body(scene, "b"), 2);
    assert_int_equal(tr3_scene_find_shape(scene, "s"), 1);
    assert_int_equal(tr3_scene_find_joint(scene, "j"), 1);
    assert_true(tr3_scene_find_body(scene, "s") == UINT32_MAX && tr3_scene_find_joint(scene, NULL) == UINT32_MAX);
    assert_true(tr3_scene_find_shape(NULL, "s") == UINT32_MAX);
    tr3_scene_destroy(scene);
    tr3_scene_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_property_survives),
        cmocka_unit_test(generated_scenes_survive),
        cmocka_unit_test(other_spellings_mean_the_same),
        cmocka_unit_test(unknown_keys_become_notices_once_each),
        cmocka_unit_test(either_dimension_is_loaded_by_what_the_file_says),
        cmocka_unit_test(either_dimension_is_refused_whole),
        cmocka_unit_test(a_captured_world_goes_on_the_same),
        cmocka_unit_test(a_captured_odd_world_is_the_same_within_rounding),
        cmocka_unit_test(a_world_with_gaps_is_captured_in_order_of_slots),
        cmocka_unit_test(things_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
