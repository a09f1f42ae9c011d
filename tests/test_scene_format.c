/* Trammel's own JSON: every property survives writing and reading, to the bit. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/core/storage.h"
#include "scene_file.h"
#include "solver/core/joint_fields.h"
#include "trammel/scene2.h"

#ifdef TR_WITH_SCENES

/* numbers whose decimals are awkward: all distinct, none a default */
static float awkward(uint32_t n)
{
    return 0.1f + (float)n * 0.37f;
}

static void fill_joint(tr2_joint_def *def, uint32_t seed)
{
    uint32_t kind = seed;
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++) {
        if (!tr2_joint_type_has(def->type, (tr2_field)field))
            continue;
        float value = awkward(seed + field);
        uint32_t bits = 0;
        memcpy(&bits, &value, sizeof bits);
        if (tr2_field_infos[field].kind == TR_KIND_BOOL)
            bits = 1;
        /* 1 or 2: the numbers of rigid rows mean nothing */
        if (tr2_field_infos[field].kind == TR_KIND_KIND)
            bits = 1 + kind++ % 2;
        tr2_field_write(def, (tr2_field)field, bits);
    }
    def->event_at = (tr_event_at){awkward(seed + 100), awkward(seed + 101)};
    def->break_at = (tr_break_at){awkward(seed + 102), awkward(seed + 103), awkward(seed + 104), UINT32_MAX - seed};
    def->collide_connected = true;
    def->user_data = UINT64_MAX - seed;
}

static void every_field_of_every_joint_type_survives(void **state)
{
    (void)state;
    tr2_builder builder;
    assert_int_equal(tr2_builder_start(&builder, "generated", NULL), TR_OK);
    tr2_scene_body *body = NULL;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(tr2_builder_body(&builder, &body, NULL), TR_OK);
    for (uint32_t i = 0; i < 2 * TR2_JOINT_TYPE_COUNT; i++) {
        tr2_scene_joint *joint = NULL;
        assert_int_equal(tr2_builder_joint(&builder, (tr2_joint_type)(i / 2), &joint, NULL), TR_OK);
        joint->body_a = 1;
        joint->body_b = 2;
        fill_joint(&joint->def, i);
    }
    tr2_scene *scene = tr2_builder_take(&builder), *back = round_trip(scene);
    assert_int_equal(back->notice_count, 0);
    assert_int_equal(back->joint_count, scene->joint_count);
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_joint_def *want = &scene->joints[i].def, *have = &back->joints[i].def;
        assert_int_equal(have->type, want->type);
        assert_int_equal(back->joints[i].body_a, 1);
        assert_int_equal(back->joints[i].body_b, 2);
        assert_true(have->collide_connected);
        assert_true(have->user_data == want->user_data);
        assert_memory_equal(&have->event_at, &want->event_at, sizeof have->event_at);
        assert_memory_equal(&have->break_at, &want->break_at, sizeof have->break_at);
        for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++)
            if (tr2_field_read(have, (tr2_field)field) != tr2_field_read(want, (tr2_field)field))
                fail_msg("%s.%s was not kept", tr2_joint_type_name(want->type), tr2_field_name((tr2_field)field));
    }
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static void each_joint_property_alone_survives(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++) {
            /* the two numbers of a softness are nothing without its kind */
            const char *tail = strrchr(tr2_field_infos[field].name, '.');
            bool within = tail != NULL && (strcmp(tail, ".a") == 0 || strcmp(tail, ".b") == 0);
            if (within || !tr2_joint_type_has((tr2_joint_type)type, (tr2_field)field))
                continue;
            tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{}, {}], \"joints\": ["
                                     "{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1}]}");
            tr2_joint_def *def = &scene->joints[0].def;
            *def = tr2_joint_def_default((tr2_joint_type)type);
            float value = awkward(field);
            uint32_t bits = 1;
            if (tr2_field_infos[field].kind != TR_KIND_BOOL && tr2_field_infos[field].kind != TR_KIND_KIND)
                memcpy(&bits, &value, sizeof bits);
            tr2_field_write(def, (tr2_field)field, bits);
            tr2_scene *back = round_trip(scene);
            for (uint32_t other = 0; other < TR2_FIELD_COUNT; other++)
                assert_int_equal(tr2_field_read(&back->joints[0].def, (tr2_field)other),
                                 tr2_field_read(def, (tr2_field)other));
            tr2_scene_destroy(scene);
            tr2_scene_destroy(back);
        }
    }
}

/* the groups are written only where they say something, and a threshold of 0 is not written */
static void each_threshold_alone_survives(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tr_event_at event_at;
        tr_break_at break_at;
    } cases[] = {
        {"\"event\": {\"force\": 2.5}", {2.5f, 0}, {0, 0, 0, 0}},
        {"\"event\": {\"torque\": 0.1}", {0, 0.1f}, {0, 0, 0, 0}},
        {"\"break\": {\"force\": 1e30}", {0, 0}, {1e30f, 0, 0, 0}},
        {"\"break\": {\"torque\": 7}", {0, 0}, {0, 7.0f, 0, 0}},
        {"\"break\": {\"impulse\": 0.3}", {0, 0}, {0, 0, 0.3f, 0}},
        {"\"break\": {\"steps\": 4294967295}", {0, 0}, {0, 0, 0, UINT32_MAX}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"trammel\": 1, \"bodies\": [{}, {}], \"joints\": ["
                 "{\"type\": \"distance\", \"body_a\": 0, \"body_b\": 1, %s}]}",
                 cases[i].text);
        tr2_scene *scene = parse(text), *back = round_trip(scene);
        char *written = write_text(scene);
        const tr2_joint_def *def = &back->joints[0].def;
        assert_memory_equal(&def->event_at, &cases[i].event_at, sizeof def->event_at);
        assert_memory_equal(&def->break_at, &cases[i].break_at, sizeof def->break_at);
        assert_int_equal(strstr(written, "\"event\"") != NULL, i < 2);
        assert_int_equal(strstr(written, "\"break\"") != NULL, i >= 2);
        assert_int_equal(scene->notice_count, 0);
        free(written);
        tr2_scene_destroy(scene);
        tr2_scene_destroy(back);
    }
}

static const char *const body_text =
    "{\"trammel\": 1, \"name\": \"\\u00e9t\\u00e9 \\\"2\\\"\","
    "\"world\": {\"gravity\": [0.1, -9.7], \"hertz\": 59.94, \"substeps\": 7, \"joint_frequency\": 33.3,"
    "\"joint_damping_ratio\": 1.7, \"sleep\": {\"enable\": false, \"speed\": 0.2, \"angular_speed\": 0.3, \"time\": 4},"
    "\"contacts\": {\"frequency\": 50.5, \"damping_ratio\": 3, \"push_speed\": 2.5,"
    "\"bounce_speed\": 0.5, \"hit_speed\": 4}},"
    "\"bodies\": [{\"name\": \"first\", \"type\": \"kinematic\", \"position\": [1.1, -2.2], \"angle\": 71.3,"
    "\"velocity\": [3.3, 4.4], \"angular_velocity\": -5.5, \"mass\": 6.6, \"inertia\": 7.7, \"center\": [0.8, 0.9],"
    "\"gravity_scale\": -0.3, \"linear_damping\": 0.11, \"angular_damping\": 0.12, \"fixed_rotation\": true, "
    "\"direct\": true, "
    "\"bullet\": true, \"enabled\": false, \"allow_sleep\": false, \"sleep_scale\": 2.25, "
    "\"awake\": false, \"user_data\": \"18446744073709551615\", \"shapes\": ["
    "{\"type\": \"circle\", \"name\": \"disc\", \"center\": [0.4, 0.5], \"radius\": 0.6, \"density\": 0.7,"
    "\"friction\": 0.8, \"restitution\": 0.9, \"sensor\": true},"
    "{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0], [2, 1]], \"closed\": true},"
    "{\"type\": \"polygon\", \"vertices\": [[0, 0], [0.3, 0], [0, 0.3]]}]}]}";

static void check_body(const tr2_scene *scene)
{
    assert_string_equal(scene->format, "trammel");
    assert_string_equal(scene->name, "\xc3\xa9t\xc3\xa9 \"2\"");
    assert_true(scene->gravity.x == 0.1f && scene->gravity.y == -9.7f);
    assert_true(scene->hertz == 59.94);
    assert_int_equal(scene->substeps, 7);
    assert_true(scene->joint_frequency == 33.3f && scene->joint_damping_ratio == 1.7f);
    assert_true(!scene->sleep.enable && scene->sleep.speed == 0.2f && scene->sleep.angular_speed == 0.3f &&
                scene->sleep.time == 4.0f);
    const tr2_contact_settings *contacts = &scene->contacts;
    assert_true(contacts->frequency == 50.5f && contacts->damping_ratio == 3.0f && contacts->push_speed == 2.5f);
    assert_true(contacts->bounce_speed == 0.5f && contacts->hit_speed == 4.0f);
    const tr2_body_def *def = &scene->bodies[0].def;
    assert_string_equal(scene->bodies[0].name, "first");
    assert_int_equal(def->type, TR_KINEMATIC);
    assert_true(def->position.x == 1.1 && def->position.y == -2.2 && def->angle == 71.3);
    assert_true(def->velocity.x == 3.3f && def->velocity.y == 4.4f && def->angular_velocity == -5.5f);
    assert_true(def->mass == 6.6f && def->inertia == 7.7f && def->center.x == 0.8f && def->center.y == 0.9f);
    assert_true(def->gravity_scale == -0.3f && def->linear_damping == 0.11f && def->angular_damping == 0.12f);
    assert_true(!def->allow_sleep && !def->awake && def->sleep_scale == 2.25f);
    assert_true(def->direct && def->fixed_rotation && def->bullet && !def->enabled && def->user_data == UINT64_MAX);
    assert_int_equal(scene->shape_count, 3);
    const tr2_scene_shape *disc = &scene->shapes[0], *chain = &scene->shapes[1], *corner = &scene->shapes[2];
    assert_int_equal(disc->type, TR2_SCENE_CIRCLE);
    assert_string_equal(disc->name, "disc");
    assert_true(disc->radius == 0.6f && disc->density == 0.7f && disc->friction == 0.8f && disc->restitution == 0.9f);
    assert_true(disc->sensor && !disc->closed && disc->vertex_count == 1);
    assert_true(scene->vertices[disc->first_vertex].x == 0.4f && scene->vertices[disc->first_vertex].y == 0.5f);
    assert_int_equal(chain->type, TR2_SCENE_CHAIN);
    assert_true(chain->closed && !chain->sensor && chain->vertex_count == 3 && chain->name == NULL);
    assert_int_equal(corner->type, TR2_SCENE_POLYGON);
    assert_true(corner->vertex_count == 3 && scene->vertices[corner->first_vertex + 2].y == 0.3f);
}

static void every_property_of_world_body_and_shape_survives(void **state)
{
    (void)state;
    tr2_scene *scene = parse(body_text);
    check_body(scene);
    tr2_scene *back = round_trip(scene);
    check_body(back);
    assert_int_equal(back->notice_count, 1);
    assert_non_null(strstr(back->notices[0], "do not collide"));
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static void what_is_left_out_is_the_default(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{}, {}], \"joints\": ["
                             "{\"type\": \"distance\", \"body_a\": 0, \"body_b\": 1}]}");
    tr2_body_def body = tr2_body_def_default();
    tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_DISTANCE);
    tr2_world_def world = tr2_world_def_default();
    assert_memory_equal(&scene->bodies[0].def, &body, sizeof body);
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++)
        assert_int_equal(tr2_field_read(&scene->joints[0].def, (tr2_field)field),
                         tr2_field_read(&joint, (tr2_field)field));
    assert_true(scene->gravity.y == world.gravity.y && scene->joint_frequency == world.joint_frequency);
    assert_true(scene->hertz == 60.0 && scene->substeps == 4);
    tr2_contact_settings contacts = tr2_contact_settings_default(1.0f);
    assert_memory_equal(&scene->contacts, &contacts, sizeof contacts);
    char *text = write_text(scene);
    assert_non_null(strstr(text, "\"bodies\": [\n    {},\n    {}\n  ]"));
    assert_non_null(strstr(text, "{\"type\": \"distance\", \"body_a\": 0, \"body_b\": 1}"));
    free(text);
    tr2_scene_destroy(scene);
}

/* A file's length unit comes before the speeds that it does not state, is written and captured, and must be that of the
   world. */
static void a_length_unit_is_kept_and_scales_the_speeds_not_stated(void **state)
{
    (void)state;
    static const char text[] =
        "{\"trammel\": 1, \"world\": {\"contacts\": {\"hit_speed\": 0.25}, \"length_unit\": 0.5}}";
    tr2_scene *scene = NULL, *captured = NULL, *read = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_parse(text, sizeof text - 1, "text", &scene, &error), TR_OK);
    assert_true(scene->length_unit == 0.5f && scene->contacts.push_speed == 1.5f);
    assert_true(scene->contacts.hit_speed == 0.25f && scene->contacts.bounce_speed == 0.5f);

    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "world.length_unit is 0.5, but the world has 1");
    assert_true(tr2_world_contact_settings(world).hit_speed == 1.0f);
    tr2_world_destroy(world);

    def = tr2_scene_world_def(scene);
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, &error), TR_OK);
    assert_int_equal(tr2_scene_capture(world, &captured, &error), TR_OK);
    char *written = write_text(captured);
    assert_non_null(strstr(written, "\"length_unit\": 0.5, "));
    assert_non_null(strstr(written, "\"contacts\": {\"hit_speed\": 0.25}"));
    assert_int_equal(tr2_scene_parse(written, strlen(written), "text", &read, &error), TR_OK);
    assert_true(read->length_unit == 0.5f);
    assert_memory_equal(&read->contacts, &scene->contacts, sizeof read->contacts);
    free(written);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(captured);
    tr2_scene_destroy(read);
}

static void numbers_read_back_to_the_same_bits_in_any_locale(void **state)
{
    (void)state;
    const double doubles[] = {-0.0,
                              0.1,
                              1.0 / 3.0,
                              DBL_MIN,
                              DBL_TRUE_MIN,
                              DBL_MAX,
                              -1e16,
                              1e17,
                              123456789012345678.0,
                              9007199254740993.0,
                              5e-324,
                              4.35,
                              2.0000000000000004};
    const float floats[] = {-0.0f,       0.1f,  1.0f / 3.0f, FLT_MIN,    FLT_TRUE_MIN, FLT_MAX,    -FLT_MAX,
                            16777216.0f, 1e10f, 0.3f,        123456.78f, 8.589973e9f,  1.00000012f};
    const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    for (size_t l = 0; l < sizeof locales / sizeof locales[0]; l++) {
        if (setlocale(LC_ALL, locales[l]) == NULL)
            continue;
        for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
            tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{}]}");
            tr2_body_def *def = &scene->bodies[0].def;
            def->position = (tr_dvec2){doubles[i], 1.0};
            def->angle = doubles[i];
            def->mass = floats[i];
            def->velocity = (tr_vec2){floats[i], 1.0f};
            tr2_scene *back = round_trip(scene);
            const tr2_body_def *have = &back->bodies[0].def;
            assert_memory_equal(&have->position, &def->position, sizeof def->position);
            assert_memory_equal(&have->angle, &def->angle, sizeof def->angle);
            assert_memory_equal(&have->mass, &def->mass, sizeof def->mass);
            assert_memory_equal(&have->velocity, &def->velocity, sizeof def->velocity);
            tr2_scene_destroy(scene);
            tr2_scene_destroy(back);
        }
        setlocale(LC_ALL, "C");
    }
}

static void random_bits_read_back_to_the_same_bits(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{}]}");
    for (uint32_t i = 0; i < 20000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t low = (uint32_t)random;
        float value;
        double wide;
        memcpy(&value, &low, sizeof value);
        memcpy(&wide, &random, sizeof wide);
        if (!isfinite(value) || !isfinite(wide))
            continue;
        scene->bodies[0].def.mass = value;
        scene->bodies[0].def.angle = wide;
        tr2_scene *back = round_trip(scene);
        assert_memory_equal(&back->bodies[0].def.mass, &value, sizeof value);
        assert_memory_equal(&back->bodies[0].def.angle, &wide, sizeof wide);
        tr2_scene_destroy(back);
    }
    tr2_scene_destroy(scene);
}

static void bodies_are_referred_to_by_index_or_name(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"trammel\": 1, \"bodies\": [{\"name\": \"b\"}, {\"name\": \"a\"}, {}, {\"name\": \"c\"}],"
              "\"joints\": [{\"type\": \"weld\", \"body_a\": \"c\", \"body_b\": \"b\"},"
              "{\"type\": \"weld\", \"body_a\": \"a\", \"body_b\": 2}]}");
    assert_int_equal(scene->joints[0].body_a, 3);
    assert_int_equal(scene->joints[0].body_b, 0);
    assert_int_equal(scene->joints[1].body_a, 1);
    assert_int_equal(scene->joints[1].body_b, 2);
    tr2_scene_destroy(scene);
}

static void a_body_without_mass_takes_its_shapes_mass(void **state)
{
    (void)state;
    /* a box 2 x 1 of 3 kg/m^2 whose lower left corner is the origin: m = 6, I = m (w^2 + h^2) / 12 = 2.5 */
    const char *box = "{\"type\": \"polygon\", \"density\": 3, \"vertices\": [[0, 0], [2, 0], [2, 1], [0, 1]]}";
    char text[800];
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [{\"shapes\": [%s]}, {\"mass\": 5, \"shapes\": [%s]},"
             "{\"type\": \"static\", \"shapes\": [%s]},"
             "{\"shapes\": [{\"type\": \"circle\", \"radius\": 2, \"center\": [1, 0], \"density\": 1}]}]}",
             box, box, box);
    tr2_scene *scene = parse(text), *back = round_trip(scene);
    const tr2_body_def *def = &back->bodies[0].def;
    assert_true(fabsf(def->mass - 6.0f) < 1e-6f && fabsf(def->inertia - 2.5f) < 1e-6f);
    assert_true(fabsf(def->center.x - 1.0f) < 1e-6f && fabsf(def->center.y - 0.5f) < 1e-6f);
    assert_true(back->bodies[1].def.mass == 5.0f && back->bodies[1].def.inertia == 1.0f);
    assert_true(back->bodies[2].def.mass == 1.0f);
    /* a disc: m = 4 pi, I = m r^2 / 2 about its own centre */
    def = &back->bodies[3].def;
    assert_true(fabsf(def->mass - 12.566371f) < 1e-5f && fabsf(def->inertia - 25.132742f) < 1e-4f);
    assert_true(fabsf(def->center.x - 1.0f) < 1e-6f);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static void clockwise_polygons_are_turned_round(void **state)
{
    (void)state;
    /* the same triangle both ways: read alike, the first vertex first; an L whose corner turns in stays as it is */
    tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{\"shapes\": ["
                             "{\"type\": \"polygon\", \"vertices\": [[0, 0], [3, 0], [0, 1]]},"
                             "{\"type\": \"polygon\", \"vertices\": [[0, 0], [0, 1], [3, 0]]},"
                             "{\"type\": \"polygon\", \"vertices\": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]},"
                             "{\"type\": \"chain\", \"vertices\": [[0, 0], [0, 1], [1, 0]]}]}]}");
    const tr_vec2 *v = scene->vertices;
    assert_memory_equal(&v[0], &v[3], 3 * sizeof *v);
    assert_true(v[4].x == 3.0f && v[5].y == 1.0f);
    assert_true(v[7].x == 2.0f && v[9].x == 1.0f && v[9].y == 1.0f && v[11].y == 2.0f);
    assert_true(v[13].y == 1.0f && v[14].x == 1.0f);
    tr2_scene_destroy(scene);
}

static void a_default_mass_beside_heavy_shapes_is_kept(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{\"mass\": 1, \"shapes\": ["
                             "{\"type\": \"circle\", \"radius\": 2, \"density\": 9}]}]}");
    tr2_scene *back = round_trip(scene);
    assert_true(back->bodies[0].def.mass == 1.0f && back->bodies[0].def.inertia == 1.0f);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static void unknown_keys_are_named_once_each(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"trammel\": 1, \"colour\": 1, \"comment\": \"free text\", \"bodies\": ["
                             "{\"paint\": 1}, {\"paint\": 2}], \"joints\": ["
                             "{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1, \"motr\": 1},"
                             "{\"type\": \"revolute\", \"body_a\": 0, \"body_b\": 1, \"motor\": {\"sped\": 1}}]}");
    const char *const expected[] = {"unknown key colour: ignored", "unknown key bodies[].paint: ignored",
                                    "unknown key joints[].motr: ignored", "unknown key joints[].motor.sped: ignored"};
    assert_int_equal(scene->notice_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(scene->notices[i], expected[i]);
    tr2_scene_destroy(scene);
}

static void a_flood_of_unknown_keys_is_cut_off(void **state)
{
    (void)state;
    size_t room = 40000, length = 0;
    char *text = malloc(room);
    assert_non_null(text);
    length += (size_t)snprintf(text, room, "{\"trammel\": 1");
    for (uint32_t i = 0; i < 1000; i++)
        length += (size_t)snprintf(text + length, room - length, ", \"k%u\": 0", i);
    snprintf(text + length, room - length, "}");
    tr2_scene *scene = parse(text);
    assert_int_equal(scene->notice_count, 65);
    assert_string_equal(scene->notices[64], "more unknown keys: ignored");
    tr2_scene_destroy(scene);
    free(text);
}

static void made_scenes_survive(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < tr2_scene_generator_count(); kind++) {
        tr2_scene *scene = NULL;
        assert_int_equal(tr2_scene_generate(tr2_scene_generator_name(kind), 13, &scene, NULL), TR_OK);
        tr2_scene *back = round_trip(scene);
        assert_int_equal(back->body_count, scene->body_count);
        assert_int_equal(back->joint_count, scene->joint_count);
        assert_int_equal(back->shape_count, scene->shape_count);
        for (uint32_t i = 0; i < scene->body_count; i++)
            assert_memory_equal(&back->bodies[i].def, &scene->bodies[i].def, sizeof(tr2_body_def));
        for (uint32_t i = 0; i < scene->joint_count; i++)
            for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++)
                assert_int_equal(tr2_field_read(&back->joints[i].def, (tr2_field)field),
                                 tr2_field_read(&scene->joints[i].def, (tr2_field)field));
        assert_memory_equal(back->vertices, scene->vertices, scene->vertex_count * sizeof(tr_vec2));
        tr2_scene_destroy(scene);
        tr2_scene_destroy(back);
    }
}

static void shapes_in_any_order_are_written_with_their_bodies(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"trammel\": 1, \"bodies\": ["
              "{\"shapes\": [{\"type\": \"circle\", \"radius\": 1}, {\"type\": \"circle\", \"radius\": 2}]},"
              "{\"shapes\": [{\"type\": \"circle\", \"radius\": 3}]}]}");
    tr2_scene_shape first = scene->shapes[0];
    scene->shapes[0] = scene->shapes[2];
    scene->shapes[2] = first;
    tr2_scene *back = round_trip(scene);
    assert_true(back->shapes[0].body == 0 && back->shapes[0].radius == 2.0f);
    assert_true(back->shapes[1].body == 0 && back->shapes[1].radius == 1.0f);
    assert_true(back->shapes[2].body == 1 && back->shapes[2].radius == 3.0f);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static void saving_replaces_the_file_or_leaves_it(void **state)
{
    (void)state;
    const char *path = "test_scene_format.saved.json";
    tr2_scene *scene = parse(body_text), *back = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_scene_save(scene, path, &error), TR_OK);
    assert_int_equal(tr2_scene_load(path, &back, &error), TR_OK);
    check_body(back);
    tr2_scene_destroy(back);

    /* a scene that cannot be written leaves what was there */
    scene->bodies[0].def.mass = NAN;
    assert_int_equal(tr2_scene_save(scene, path, &error), TR_ERROR_NAN);
    assert_non_null(strstr(error.message, "bodies[0]"));
    back = NULL;
    assert_int_equal(tr2_scene_load(path, &back, &error), TR_OK);
    check_body(back);
    tr2_scene_destroy(back);

    scene->bodies[0].def.mass = 1.0f;
    assert_int_equal(tr2_scene_save(scene, "no such folder/scene.json", &error), TR_ERROR_FILE);
    assert_non_null(strstr(error.message, "no such folder/scene.json"));
    assert_int_equal(tr2_scene_save(NULL, path, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_scene_save(scene, NULL, &error), TR_ERROR_NULL);
    remove(path);
    tr2_scene_destroy(scene);
}

/* by name and by index, of either side, and none; and what is wrong with them */
static void carriers_of_gears_survive(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"trammel\": 1, \"bodies\": [{}, {\"name\": \"arm\"}, {}, {}], \"joints\": [{\"type\": "
                             "\"gear\", \"body_a\": 0,"
                             "\"body_b\": 2, \"carrier_a\": \"arm\", \"carrier_b\": 3}, {\"type\": \"gear\", "
                             "\"body_a\": 2, \"body_b\": 3}]}");
    tr2_scene *back = round_trip(scene);
    for (int i = 0; i < 2; i++) {
        const tr2_scene_joint *joints = i == 0 ? scene->joints : back->joints;
        assert_int_equal(joints[0].carrier_a, 2);
        assert_int_equal(joints[0].carrier_b, 4);
        assert_int_equal(joints[1].carrier_a, 0);
        assert_int_equal(joints[1].carrier_b, 0);
    }
    tr2_world_def def = tr2_scene_world_def(back);
    tr2_world *world = NULL;
    tr2_body bodies[4];
    tr2_joint ids[2];
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(tr2_scene_build(back, world, bodies, ids, NULL), TR_OK);
    tr2_joint_def made;
    assert_int_equal(tr2_joint_get(world, ids[0], &made), TR_OK);
    assert_int_equal(made.carrier_a.index, bodies[1].index);
    assert_int_equal(made.carrier_b.index, bodies[3].index);
    back->joints[0].carrier_b = 5;
    assert_int_equal(tr2_scene_build(back, world, NULL, NULL, NULL), TR_ERROR_RANGE);
    tr2_world_destroy(world);
    tr2_scene_destroy(back);
    tr2_scene_destroy(scene);

    static const char *const bad[][2] = {
        {"\"type\": \"gear\", \"carrier_a\": 0", "which it is to carry"},
        {"\"type\": \"gear\", \"carrier_b\": 7", "there is no body 7"},
        {"\"type\": \"weld\", \"carrier_b\": 2", "a weld joint has no carrier_b"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[300];
        tr_error error = {TR_OK, ""};
        snprintf(text, sizeof text,
                 "{\"trammel\": 1, \"bodies\": [{}, {}, {}], \"joints\": [{\"body_a\": 0, \"body_b\": 1, %s}]}",
                 bad[i][0]);
        assert_int_equal(tr2_scene_parse(text, strlen(text), "test", &scene, &error), TR_ERROR_PARSE);
        assert_non_null(strstr(error.message, bad[i][1]));
    }
}

static void a_host_made_scene_that_makes_no_sense_is_not_written(void **state)
{
    (void)state;
    char *text = NULL;
    tr_error error = {TR_OK, ""};
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("bridge", 3, &scene, &error), TR_OK);
#define REFUSED(place, value, expected)                                                                                \
    do {                                                                                                               \
        __typeof__(place) kept = (place);                                                                              \
        (place) = (value);                                                                                             \
        assert_int_equal(tr2_scene_write(scene, &text, NULL, &error), (expected));                                     \
        assert_null(text);                                                                                             \
        (place) = kept;                                                                                                \
    } while (0)
    REFUSED(scene->joints[1].body_b, 99u, TR_ERROR_RANGE);
    REFUSED(scene->joints[1].body_b, scene->joints[1].body_a, TR_ERROR_SELF_JOINT);
    REFUSED(scene->joints[1].carrier_a, scene->body_count + 1, TR_ERROR_RANGE);
    REFUSED(scene->joints[1].def.type, (tr2_joint_type)99, TR_ERROR_RANGE);
    REFUSED(scene->joints[1].def.linear.kind, (tr_softness_kind)7, TR_ERROR_RANGE);
    REFUSED(scene->bodies[1].def.type, (tr_body_type)3, TR_ERROR_RANGE);
    REFUSED(scene->shapes[1].body, 99u, TR_ERROR_RANGE);
    REFUSED(scene->shapes[2].vertex_count, 99u, TR_ERROR_RANGE);
    REFUSED(scene->shapes[2].first_vertex, UINT32_MAX, TR_ERROR_RANGE);
    REFUSED(scene->joints[2].def.anchor_a.x, INFINITY, TR_ERROR_INFINITE);
    REFUSED(scene->gravity.x, NAN, TR_ERROR_NAN);
    char latin[] = "\xe9t\xe9", *kept = scene->bodies[0].name;
    scene->bodies[0].name = latin;
    assert_int_equal(tr2_scene_write(scene, &text, NULL, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "UTF-8"));
    scene->bodies[0].name = kept;
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_every_joint_type_survives),
        cmocka_unit_test(each_joint_property_alone_survives),
        cmocka_unit_test(each_threshold_alone_survives),
        cmocka_unit_test(every_property_of_world_body_and_shape_survives),
        cmocka_unit_test(what_is_left_out_is_the_default),
        cmocka_unit_test(a_length_unit_is_kept_and_scales_the_speeds_not_stated),
        cmocka_unit_test(numbers_read_back_to_the_same_bits_in_any_locale),
        cmocka_unit_test(random_bits_read_back_to_the_same_bits),
        cmocka_unit_test(bodies_are_referred_to_by_index_or_name),
        cmocka_unit_test(a_body_without_mass_takes_its_shapes_mass),
        cmocka_unit_test(clockwise_polygons_are_turned_round),
        cmocka_unit_test(a_default_mass_beside_heavy_shapes_is_kept),
        cmocka_unit_test(unknown_keys_are_named_once_each),
        cmocka_unit_test(a_flood_of_unknown_keys_is_cut_off),
        cmocka_unit_test(made_scenes_survive),
        cmocka_unit_test(shapes_in_any_order_are_written_with_their_bodies),
        cmocka_unit_test(saving_replaces_the_file_or_leaves_it),
        cmocka_unit_test(carriers_of_gears_survive),
        cmocka_unit_test(a_host_made_scene_that_makes_no_sense_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void reading_and_writing_say_that_they_are_not_built_in(void **state)
{
    (void)state;
    tr2_scene *scene = NULL, *read = NULL;
    tr_error error = {TR_OK, ""};
    char *text = NULL;
    assert_int_equal(tr2_scene_generate("grid", 3, &scene, &error), TR_OK);
    assert_int_equal(tr2_scene_parse("{}", 2, "test", &read, &error), TR_ERROR_UNSUPPORTED);
    assert_int_equal(tr2_scene_load("scene.json", &read, &error), TR_ERROR_UNSUPPORTED);
    assert_int_equal(tr2_scene_write(scene, &text, NULL, &error), TR_ERROR_UNSUPPORTED);
    assert_int_equal(tr2_scene_save(scene, "scene.json", &error), TR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "TRAMMEL_WITH_SCENES"));
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading_and_writing_say_that_they_are_not_built_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
