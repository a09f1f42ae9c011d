/* Reader of Trammel's own JSON format (docs/scene-format.md): world, shapes, bodies. Its joints are in
   read_own_joints.c. */
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include "scene/own.h"

#define FORMAT_VERSION 1u

/* the most that read_word() chooses from */
#define MOST_WORDS 8u
_Static_assert(TR_METHOD_COUNT <= MOST_WORDS && TR_BREAKING_COUNT <= MOST_WORDS && TR2_MIXING_COUNT <= MOST_WORDS,
               "room for all words");

/*
 * World
 */
/* one of the first `count` words that `name` gives; if the key is missing, *out is unchanged */
static tr_status read_word(const tr2_reader *reader, const tr2_cursor *from, const char *key, uint32_t count,
                           const char *(*name)(uint32_t), const char *what, uint32_t *out)
{
    const char *words[MOST_WORDS];
    tr2_cursor at = tr2_json_member(from, key);
    if (at.value == NULL)
        return TR_OK;
    for (uint32_t i = 0; i < count; i++)
        words[i] = name(i);
    return tr2_json_word(reader, &at, words, count, what, out);
}

static const char *method_name(uint32_t i)
{
    return tr_method_name((tr_method)i);
}

static const char *breaking_name(uint32_t i)
{
    return tr_breaking_name((tr_breaking)i);
}

static const char *mixing_name(uint32_t i)
{
    return tr2_mixing_name((tr2_mixing)i);
}

static tr_status read_mixing(const tr2_reader *reader, const tr2_cursor *contacts, const char *key, tr2_mixing *out)
{
    uint32_t mixing = (uint32_t)*out;
    tr_status status = read_word(reader, contacts, key, TR2_MIXING_COUNT, mixing_name, "a rule of mixing", &mixing);
    *out = (tr2_mixing)mixing;
    return status;
}

static tr_status read_contacts(tr2_reader *reader, const tr2_cursor *world)
{
    const char *known[TR2_CONTACT_NUMBER_COUNT + 3] = {NULL};
    tr2_contact_settings *settings = &reader->builder->scene->contacts;
    char *contacts = (char *)settings;
    tr2_cursor at = tr2_json_member(world, "contacts");
    if (at.value == NULL)
        return TR_OK;
    for (uint32_t i = 0; i < TR2_CONTACT_NUMBER_COUNT; i++)
        known[i] = tr2_contact_numbers[i].key;
    known[TR2_CONTACT_NUMBER_COUNT] = TR2_FRICTION_MIXING_KEY;
    known[TR2_CONTACT_NUMBER_COUNT + 1] = TR2_RESTITUTION_MIXING_KEY;
    tr_status status = tr2_json_want_keys(reader, &at, known);
    for (uint32_t i = 0; i < TR2_CONTACT_NUMBER_COUNT && status == TR_OK; i++)
        status = tr2_json_get_float(reader, &at, known[i], (float *)(void *)(contacts + tr2_contact_numbers[i].offset));
    if (status == TR_OK)
        status = read_mixing(reader, &at, TR2_FRICTION_MIXING_KEY, &settings->friction_mixing);
    if (status == TR_OK)
        status = read_mixing(reader, &at, TR2_RESTITUTION_MIXING_KEY, &settings->restitution_mixing);
    return status;
}

static tr_status read_world(tr2_reader *reader, const tr2_cursor *root)
{
    static const char *const known[] = {"gravity",  "hertz",    "substeps",    "joint_frequency", "joint_damping_ratio",
                                        "method",   "sweeps",   "direct_load", "length_unit",     "collide",
                                        "contacts", "breaking", NULL};
    tr2_scene *scene = reader->builder->scene;
    uint32_t method = (uint32_t)scene->method, breaking = (uint32_t)scene->breaking;
    tr2_cursor world = tr2_json_member(root, "world");
    if (world.value == NULL)
        return TR_OK;
    tr_status status = tr2_json_want_keys(reader, &world, known);
    if (status == TR_OK)
        status = tr2_json_get_vec2(reader, &world, "gravity", &scene->gravity);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &world, "joint_frequency", &scene->joint_frequency);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &world, "joint_damping_ratio", &scene->joint_damping_ratio);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &world, "direct_load", &scene->direct_load);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &world, "length_unit", &scene->length_unit);
    tr2_cursor unit = tr2_json_member(&world, "length_unit");
    if (status == TR_OK && !(scene->length_unit > 0.0f))
        status = tr2_json_fail(reader, &unit, "expected a number above 0, found %g", (double)scene->length_unit);
    /* speeds that the file does not state depend on it */
    scene->contacts = tr2_contact_settings_default(scene->length_unit);
    tr2_cursor substeps = tr2_json_member(&world, "substeps");
    if (status == TR_OK)
        status = tr2_json_integer(reader, &substeps, 1, 1024, &scene->substeps);
    tr2_cursor sweeps = tr2_json_member(&world, "sweeps");
    if (status == TR_OK)
        status = tr2_json_integer(reader, &sweeps, 0, 1024, &scene->sweeps);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, &world, "collide", &scene->collide);
    if (status == TR_OK)
        status = read_word(reader, &world, "method", TR_METHOD_COUNT, method_name, "a method", &method);
    if (status == TR_OK)
        status =
            read_word(reader, &world, "breaking", TR_BREAKING_COUNT, breaking_name, "a way of breaking", &breaking);
    scene->method = (tr_method)method;
    scene->breaking = (tr_breaking)breaking;
    if (status == TR_OK)
        status = read_contacts(reader, &world);
    tr2_cursor hertz = tr2_json_member(&world, "hertz");
    if (status == TR_OK)
        status = tr2_json_double(reader, &hertz, &scene->hertz);
    if (status == TR_OK && !(scene->hertz > 0.0))
        status = tr2_json_fail(reader, &hertz, "expected a number above 0, found %g", scene->hertz);
    return status;
}

/*
 * Shapes
 */
static tr_status read_vertices(const tr2_reader *reader, const tr2_cursor *shape, tr2_scene_shape_type type)
{
    const tr2_scene_shape_info *info = &tr2_scene_shape_infos[type];
    tr2_cursor vertices = tr2_json_member(shape, "vertices");
    tr_status status = tr2_json_want_array(reader, &vertices);
    if (status != TR_OK)
        return status;
    size_t count = json_array_size(vertices.value);
    if (count < info->least || count > info->most)
        return tr2_json_fail(reader, &vertices, "expected %s%u vertices, found %zu",
                             info->most > info->least ? "at least " : "", info->least, count);
    for (size_t i = 0; i < count && status == TR_OK; i++) {
        tr2_cursor at = tr2_json_element(&vertices, i);
        tr_vec2 vertex = {0.0f, 0.0f};
        status = tr2_json_vec2(reader, &at, &vertex);
        if (status == TR_OK)
            status = tr2_builder_vertex(reader->builder, vertex, reader->error);
    }
    return status == TR_OK && type == TR2_SCENE_POLYGON ? tr2_json_polygon(reader, &vertices) : status;
}

static tr_status read_contact_numbers(const tr2_reader *reader, const tr2_cursor *at, tr2_scene_shape *shape)
{
    tr2_cursor category = tr2_json_member(at, "category"), mask = tr2_json_member(at, "mask");
    tr_status status = tr2_json_get_float(reader, at, "rolling_resistance", &shape->rolling_resistance);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "tangent_speed", &shape->tangent_speed);
    if (status == TR_OK)
        status = tr2_json_u64(reader, &category, &shape->filter.category);
    if (status == TR_OK)
        status = tr2_json_u64(reader, &mask, &shape->filter.mask);
    return status == TR_OK ? tr2_json_get_group(reader, at, "group", &shape->filter.group) : status;
}

static tr_status read_shape_flags(const tr2_reader *reader, const tr2_cursor *at, tr2_scene_shape *shape)
{
    const struct {
        const char *key;
        bool *value;
    } flags[] = {{"closed", &shape->closed},
                 {"one_sided", &shape->one_sided},
                 {"contact_events", &shape->contact_events},
                 {"hit_events", &shape->hit_events},
                 {"custom_filter", &shape->custom_filter}};
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0] && status == TR_OK; i++)
        status = tr2_json_get_bool(reader, at, flags[i].key, flags[i].value);
    tr2_cursor user_data = tr2_json_member(at, "user_data");
    return status == TR_OK ? tr2_json_u64(reader, &user_data, &shape->user_data) : status;
}

/* the points before and after a one-sided chain (ghost vertices) */
static tr_status read_neighbours(const tr2_reader *reader, const tr2_cursor *at, tr2_scene_shape *shape)
{
    shape->has_before = json_object_get(at->value, "before") != NULL;
    shape->has_after = json_object_get(at->value, "after") != NULL;
    tr_status status = tr2_json_get_vec2(reader, at, "before", &shape->before);
    return status == TR_OK ? tr2_json_get_vec2(reader, at, "after", &shape->after) : status;
}

static tr_status read_shape(tr2_reader *reader, const tr2_cursor *at, uint32_t body)
{
    static const char *const known[] = {"type",
                                        "name",
                                        "sensor",
                                        "density",
                                        "friction",
                                        "restitution",
                                        "center",
                                        "radius",
                                        "vertices",
                                        "closed",
                                        "rolling_resistance",
                                        "tangent_speed",
                                        "category",
                                        "mask",
                                        "group",
                                        "one_sided",
                                        "before",
                                        "after",
                                        "contact_events",
                                        "hit_events",
                                        "custom_filter",
                                        "user_data",
                                        NULL};
    const char *types[TR2_SCENE_SHAPE_TYPE_COUNT];
    for (uint32_t i = 0; i < TR2_SCENE_SHAPE_TYPE_COUNT; i++)
        types[i] = tr2_scene_shape_infos[i].name;
    tr_status status = tr2_json_want_keys(reader, at, known);
    uint32_t type = 0;
    tr2_cursor type_at = tr2_json_member(at, "type"), radius_at = tr2_json_member(at, "radius");
    if (status == TR_OK)
        status = tr2_json_word(reader, &type_at, types, TR2_SCENE_SHAPE_TYPE_COUNT,
                               "\"circle\", \"polygon\", \"chain\", \"capsule\" or \"segment\"", &type);
    tr2_scene_shape *shape = NULL;
    if (status == TR_OK)
        status = tr2_builder_shape(reader->builder, (tr2_scene_shape_type)type, body, &shape, reader->error);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, at, &shape->name);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "sensor", &shape->sensor);
    const tr2_shape_def standard = tr2_shape_def_default(tr2_scene_shape_infos[type].kind);
    if (status == TR_OK) {
        shape->density = standard.density;
        status = tr2_json_get_float(reader, at, "density", &shape->density);
    }
    if (status == TR_OK) {
        shape->friction = standard.surface.friction;
        status = tr2_json_get_float(reader, at, "friction", &shape->friction);
    }
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "restitution", &shape->restitution);
    if (status == TR_OK)
        status = tr2_json_size(reader, &radius_at, &shape->radius);
    if (status == TR_OK)
        status = read_contact_numbers(reader, at, shape);
    if (status == TR_OK)
        status = read_shape_flags(reader, at, shape);
    if (status == TR_OK)
        status = read_neighbours(reader, at, shape);
    if (status != TR_OK)
        return status;
    if (type != TR2_SCENE_CIRCLE)
        return read_vertices(reader, at, (tr2_scene_shape_type)type);
    tr_vec2 center = {0.0f, 0.0f};
    status = tr2_json_get_vec2(reader, at, "center", &center);
    return status == TR_OK ? tr2_builder_vertex(reader->builder, center, reader->error) : status;
}

/*
 * Bodies
 */
static tr_status read_body_numbers(const tr2_reader *reader, const tr2_cursor *at, tr2_body_def *def)
{
    const struct {
        const char *key;
        float *value;
    } floats[] = {
        {"angular_velocity", &def->angular_velocity},
        {"mass", &def->mass},
        {"inertia", &def->inertia},
        {"gravity_scale", &def->gravity_scale},
        {"linear_damping", &def->linear_damping},
        {"angular_damping", &def->angular_damping},
    };
    tr_status status = tr2_json_get_dvec2(reader, at, "position", &def->position);
    if (status == TR_OK)
        status = tr2_json_get_double(reader, at, "angle", &def->angle);
    if (status == TR_OK)
        status = tr2_json_get_vec2(reader, at, "velocity", &def->velocity);
    if (status == TR_OK)
        status = tr2_json_get_vec2(reader, at, "center", &def->center);
    for (size_t i = 0; i < sizeof floats / sizeof floats[0] && status == TR_OK; i++)
        status = tr2_json_get_float(reader, at, floats[i].key, floats[i].value);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "fixed_rotation", &def->fixed_rotation);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "bullet", &def->bullet);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "enabled", &def->enabled);
    tr2_cursor user_data = tr2_json_member(at, "user_data");
    return status == TR_OK ? tr2_json_u64(reader, &user_data, &def->user_data) : status;
}

/* computes mass, inertia and centre from the shapes if the file has none of the three */
static tr_status mass_from_shapes(const tr2_reader *reader, const tr2_cursor *at, uint32_t body, uint32_t first_shape)
{
    tr2_scene *scene = reader->builder->scene;
    tr2_body_def *def = &scene->bodies[body].def;
    if (def->type != TR_DYNAMIC || json_object_get(at->value, "mass") != NULL ||
        json_object_get(at->value, "inertia") != NULL || json_object_get(at->value, "center") != NULL)
        return TR_OK;
    tr2_mass mass = tr2_scene_mass(scene, first_shape, scene->shape_count - first_shape);
    return mass.mass > 0.0 ? tr2_json_mass(reader, at, &mass, def) : TR_OK;
}

static tr_status read_body(tr2_reader *reader, const tr2_cursor *at)
{
    static const char *const known[] = {
        "name",           "type",    "position", "angle",         "velocity",       "angular_velocity",
        "mass",           "inertia", "center",   "gravity_scale", "linear_damping", "angular_damping",
        "fixed_rotation", "enabled", "bullet",   "user_data",     "shapes",         NULL};
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    tr_status status = tr2_json_want_keys(reader, at, known);
    uint32_t index = reader->builder->scene->body_count, first_shape = reader->builder->scene->shape_count;
    tr2_scene_body *body = NULL;
    if (status == TR_OK)
        status = tr2_builder_body(reader->builder, &body, reader->error);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, at, &body->name);
    tr2_cursor type_at = tr2_json_member(at, "type");
    uint32_t type = TR_DYNAMIC;
    if (status == TR_OK && type_at.value != NULL)
        status = tr2_json_word(reader, &type_at, types, 3, "\"static\", \"kinematic\" or \"dynamic\"", &type);
    if (status != TR_OK)
        return status;
    body->def.type = (tr_body_type)type;
    status = read_body_numbers(reader, at, &body->def);

    tr2_cursor shapes = tr2_json_member(at, "shapes");
    if (status == TR_OK && shapes.value != NULL) {
        status = tr2_json_want_array(reader, &shapes);
        for (size_t i = 0; status == TR_OK && i < json_array_size(shapes.value); i++) {
            tr2_cursor shape = tr2_json_element(&shapes, i);
            status = read_shape(reader, &shape, index);
        }
    }
    return status == TR_OK ? mass_from_shapes(reader, at, index, first_shape) : status;
}

tr_status tr2_read_own(tr2_reader *reader, const tr2_cursor *root)
{
    static const char *const known[] = {"trammel", "name", "comment", "world", "bodies", "joints", NULL};
    tr2_cursor version_at = tr2_json_member(root, "trammel");
    if (!json_is_number(version_at.value))
        return tr2_json_fail(reader, &version_at, "expected the format's version, %u, found %s", FORMAT_VERSION,
                             tr2_json_kind(version_at.value));
    if (json_number_value(version_at.value) != FORMAT_VERSION)
        return tr2_json_fail(reader, &version_at, "the file is of format version %.17g, this library reads version %u",
                             json_number_value(version_at.value), FORMAT_VERSION);
    tr_status status = tr2_json_want_keys(reader, root, known);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, root, &reader->builder->scene->name);
    if (status == TR_OK)
        status = read_world(reader, root);
    tr2_cursor bodies = tr2_json_member(root, "bodies");
    if (status == TR_OK && bodies.value != NULL)
        status = tr2_json_want_array(reader, &bodies);
    for (size_t i = 0; status == TR_OK && i < json_array_size(bodies.value); i++) {
        tr2_cursor at = tr2_json_element(&bodies, i);
        status = read_body(reader, &at);
    }
    return status == TR_OK ? tr2_read_own_joints(reader, root) : status;
}

#endif
