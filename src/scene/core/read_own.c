/* Reader of Trammel's own JSON format (docs/scene-format.md): world and bodies. Its joints are in
   read_own_joints.c; shapes are in scene/plane and scene/space. */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include "scene/core/own.h"

#define FORMAT_VERSION 1u

_Static_assert(TR_METHOD_COUNT <= TR_MOST_WORDS && TR_BREAKING_COUNT <= TR_MOST_WORDS, "room for all words");

/*
 * World
 */
tr_status trn_read_word(const trn_reader *reader, const trn_cursor *from, const char *key, uint32_t count,
                        const char *(*name)(uint32_t), const char *what, uint32_t *out)
{
    const char *words[TR_MOST_WORDS];
    trn_cursor at = trn_json_member(from, key);
    if (at.value == NULL)
        return TR_OK;
    for (uint32_t i = 0; i < count; i++)
        words[i] = name(i);
    return trn_json_word(reader, &at, words, count, what, out);
}

static const char *method_name(uint32_t i)
{
    return tr_method_name((tr_method)i);
}

static const char *breaking_name(uint32_t i)
{
    return tr_breaking_name((tr_breaking)i);
}

static tr_status read_sleep(trn_reader *reader, const trn_cursor *world)
{
    static const char *const known[] = {"enable", "speed", "angular_speed", "time", NULL};
    tr_sleep_settings *settings = &reader->builder->scene->sleep;
    trn_cursor at = trn_json_member(world, "sleep");
    if (at.value == NULL)
        return TR_OK;
    tr_status status = trn_json_want_keys(reader, &at, known);
    if (status == TR_OK)
        status = trn_json_get_bool(reader, &at, "enable", &settings->enable);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &at, "speed", &settings->speed);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &at, "angular_speed", &settings->angular_speed);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &at, "time", &settings->time);
    return status;
}

static tr_status read_world(trn_reader *reader, const trn_cursor *root)
{
    static const char *const known[] = {
        "gravity",     "hertz",       "substeps", "joint_frequency", "joint_damping_ratio",    "method", "sweeps",
        "direct_load", "length_unit", "breaking", "sleep",           TRN_SCENE_WORLD_KEYS NULL};
    trn_scene *scene = reader->builder->scene;
    uint32_t method = (uint32_t)scene->method, breaking = (uint32_t)scene->breaking;
    trn_cursor world = trn_json_member(root, "world");
    if (world.value == NULL)
        return TR_OK;
    tr_status status = trn_json_want_keys(reader, &world, known);
    if (status == TR_OK)
        status = trn_json_get_vec(reader, &world, "gravity", &scene->gravity);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &world, "joint_frequency", &scene->joint_frequency);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &world, "joint_damping_ratio", &scene->joint_damping_ratio);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &world, "direct_load", &scene->direct_load);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &world, "length_unit", &scene->length_unit);
    trn_cursor unit = trn_json_member(&world, "length_unit");
    if (status == TR_OK && !(scene->length_unit > 0.0f))
        status = trn_json_fail(reader, &unit, "expected a number above 0, found %g", (double)scene->length_unit);
    trn_cursor substeps = trn_json_member(&world, "substeps");
    if (status == TR_OK)
        status = trn_json_integer(reader, &substeps, 1, 1024, &scene->substeps);
    trn_cursor sweeps = trn_json_member(&world, "sweeps");
    if (status == TR_OK)
        status = trn_json_integer(reader, &sweeps, 0, 1024, &scene->sweeps);
    if (status == TR_OK)
        status = trn_read_word(reader, &world, "method", TR_METHOD_COUNT, method_name, "a method", &method);
    if (status == TR_OK)
        status =
            trn_read_word(reader, &world, "breaking", TR_BREAKING_COUNT, breaking_name, "a way of breaking", &breaking);
    scene->method = (tr_method)method;
    scene->breaking = (tr_breaking)breaking;
    if (status == TR_OK)
        status = read_sleep(reader, &world);
    if (status == TR_OK)
        status = trn_read_own_world(reader, &world);
    trn_cursor hertz = trn_json_member(&world, "hertz");
    if (status == TR_OK)
        status = trn_json_double(reader, &hertz, &scene->hertz);
    if (status == TR_OK && !(scene->hertz > 0.0))
        status = trn_json_fail(reader, &hertz, "expected a number above 0, found %g", scene->hertz);
    return status;
}

/*
 * Bodies
 */
static tr_status read_property(const trn_reader *reader, const trn_cursor *at, trn_scene_kind kind, void *out)
{
    switch (kind) {
    case TR_SCENE_FLOAT:
        return trn_json_float(reader, at, out);
    case TR_SCENE_DOUBLE:
        return trn_json_double(reader, at, out);
    case TR_SCENE_BOOL:
        return trn_json_bool(reader, at, out);
    case TR_SCENE_VECTOR:
        return trn_json_vec(reader, at, out);
    case TR_SCENE_POINT:
        return trn_json_dvec(reader, at, out);
    case TR_SCENE_ROTATION:
        return trn_json_quat(reader, at, out);
    case TR_SCENE_TENSOR:
        return trn_json_sym3(reader, at, out);
    }
    return TR_OK;
}

static tr_status read_properties(const trn_reader *reader, const trn_cursor *at, trn_body_def *def)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < trn_scene_body_property_count && status == TR_OK; i++) {
        const trn_scene_property *property = &trn_scene_body_properties[i];
        trn_cursor value = trn_json_member(at, property->key);
        status = read_property(reader, &value, property->kind, (char *)def + property->offset);
    }
    trn_cursor user_data = trn_json_member(at, "user_data");
    return status == TR_OK ? trn_json_u64(reader, &user_data, &def->user_data) : status;
}

/* computes mass, inertia and centre from the shapes if the file has none of the three */
static tr_status mass_from_shapes(const trn_reader *reader, const trn_cursor *at, uint32_t body, uint32_t first_shape)
{
    const trn_body_def *def = &reader->builder->scene->bodies[body].def;
    if (def->type != TR_DYNAMIC || json_object_get(at->value, "mass") != NULL ||
        json_object_get(at->value, "inertia") != NULL || json_object_get(at->value, "center") != NULL)
        return TR_OK;
    return trn_read_own_mass(reader, at, body, first_shape);
}

static tr_status read_body(trn_reader *reader, const trn_cursor *at)
{
    const char *known[TR_SCENE_PROPERTIES + 5] = {"name", "type", "user_data", "shapes", NULL};
    for (uint32_t i = 0; i < trn_scene_body_property_count; i++)
        known[4 + i] = trn_scene_body_properties[i].key;
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    tr_status status = trn_json_want_keys(reader, at, known);
    uint32_t index = reader->builder->scene->body_count, first_shape = reader->builder->scene->shape_count;
    trn_scene_body *body = NULL;
    if (status == TR_OK)
        status = trn_builder_body(reader->builder, &body, reader->error);
    if (status == TR_OK)
        status = trn_json_get_name(reader, at, &body->name);
    trn_cursor type_at = trn_json_member(at, "type");
    uint32_t type = TR_DYNAMIC;
    if (status == TR_OK && type_at.value != NULL)
        status = trn_json_word(reader, &type_at, types, 3, "\"static\", \"kinematic\" or \"dynamic\"", &type);
    if (status != TR_OK)
        return status;
    body->def.type = (tr_body_type)type;
    status = read_properties(reader, at, &body->def);

    trn_cursor shapes = trn_json_member(at, "shapes");
    if (status == TR_OK && shapes.value != NULL) {
        status = trn_json_want_array(reader, &shapes);
        for (size_t i = 0; status == TR_OK && i < json_array_size(shapes.value); i++) {
            trn_cursor shape = trn_json_element(&shapes, i);
            status = trn_read_own_shape(reader, &shape, index);
        }
    }
    return status == TR_OK ? mass_from_shapes(reader, at, index, first_shape) : status;
}

tr_status trn_read_own(trn_reader *reader, const trn_cursor *root)
{
    static const char *const known[] = {"trammel", "dimension", "name", "comment", "world", "bodies", "joints", NULL};
    trn_cursor version_at = trn_json_member(root, "trammel");
    if (!json_is_number(version_at.value))
        return trn_json_fail(reader, &version_at, "expected the format's version, %u, found %s", FORMAT_VERSION,
                             trn_json_kind(version_at.value));
    if (json_number_value(version_at.value) != FORMAT_VERSION)
        return trn_json_fail(reader, &version_at, "the file is of format version %.17g, this library reads version %u",
                             json_number_value(version_at.value), FORMAT_VERSION);
    uint32_t dimension = 2;
    trn_cursor dimension_at = trn_json_member(root, "dimension");
    tr_status status = trn_json_integer(reader, &dimension_at, 2, 3, &dimension);
    if (status == TR_OK && dimension != TR_DIMENSION)
        return trn_json_fail(reader, &dimension_at, "the scene has %u dimensions: tr%u_scene_load() reads it",
                             dimension, dimension);
    if (status == TR_OK)
        status = trn_json_want_keys(reader, root, known);
    if (status == TR_OK)
        status = trn_json_get_name(reader, root, &reader->builder->scene->name);
    if (status == TR_OK)
        status = read_world(reader, root);
    trn_cursor bodies = trn_json_member(root, "bodies");
    if (status == TR_OK && bodies.value != NULL)
        status = trn_json_want_array(reader, &bodies);
    for (size_t i = 0; status == TR_OK && i < json_array_size(bodies.value); i++) {
        trn_cursor at = trn_json_element(&bodies, i);
        status = read_body(reader, &at);
    }
    return status == TR_OK ? trn_read_own_joints(reader, root) : status;
}

#endif
