/* What Trammel's own JSON format has of the plane only: shapes with vertices, contacts, R.U.B.E. beside it. */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <stddef.h>
#include <string.h>

#include "scene/core/own.h"
#include "scene/plane/rube.h"
#include "scene/read.h"

_Static_assert(TR2_MIXING_COUNT <= TR_MOST_WORDS, "room for all words");

/*
 * Settings of a world
 */
const tr2_contact_number tr2_contact_numbers[TR2_CONTACT_NUMBER_COUNT] = {
    {"frequency", offsetof(tr2_contact_settings, frequency)},
    {"damping_ratio", offsetof(tr2_contact_settings, damping_ratio)},
    {"push_speed", offsetof(tr2_contact_settings, push_speed)},
    {"bounce_speed", offsetof(tr2_contact_settings, bounce_speed)},
    {"hit_speed", offsetof(tr2_contact_settings, hit_speed)},
};

static const char *mixing_name(uint32_t i)
{
    return tr2_mixing_name((tr2_mixing)i);
}

static tr_status read_mixing(const tr2_reader *reader, const tr2_cursor *contacts, const char *key, tr2_mixing *out)
{
    uint32_t mixing = (uint32_t)*out;
    tr_status status = tr2_read_word(reader, contacts, key, TR2_MIXING_COUNT, mixing_name, "a rule of mixing", &mixing);
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

tr_status tr2_read_own_world(tr2_reader *reader, const tr2_cursor *world)
{
    tr2_scene *scene = reader->builder->scene;
    /* speeds that the file does not state depend on it */
    scene->contacts = tr2_contact_settings_default(scene->length_unit);
    tr_status status = tr2_json_get_bool(reader, world, "collide", &scene->collide);
    return status == TR_OK ? read_contacts(reader, world) : status;
}

static void put_contacts(tr_line *out, const tr2_scene *scene)
{
    const tr2_contact_settings *contacts = &scene->contacts;
    const tr2_contact_settings standard = tr2_contact_settings_default(scene->length_unit);
    if (tr_scene_same_bits(contacts, &standard, sizeof standard))
        return;
    tr_put_key(out, "contacts");
    tr_line inner = {out->text, false};
    for (uint32_t i = 0; i < TR2_CONTACT_NUMBER_COUNT; i++) {
        const size_t offset = tr2_contact_numbers[i].offset;
        float value;
        memcpy(&value, (const char *)contacts + offset, sizeof value);
        if (!tr_scene_same_bits(&value, (const char *)&standard + offset, sizeof value))
            tr_put_float(&inner, tr2_contact_numbers[i].key, value);
    }
    if (contacts->friction_mixing != standard.friction_mixing)
        tr_put_word(&inner, TR2_FRICTION_MIXING_KEY, tr2_mixing_name(contacts->friction_mixing));
    if (contacts->restitution_mixing != standard.restitution_mixing)
        tr_put_word(&inner, TR2_RESTITUTION_MIXING_KEY, tr2_mixing_name(contacts->restitution_mixing));
    tr_put_end(&inner);
}

void tr2_write_own_world(tr_line *world, const tr2_scene *scene)
{
    if (scene->collide)
        tr_put_bool(world, "collide", true);
    put_contacts(world, scene);
}

/*
 * Reading shapes
 */
tr_status tr2_read_polygon(const tr2_reader *reader, const tr2_cursor *at)
{
    const tr2_scene *scene = reader->builder->scene;
    const tr2_scene_shape *shape = &scene->shapes[scene->shape_count - 1];
    if (!tr2_scene_orient(scene->vertices + shape->first_vertex, shape->vertex_count))
        return tr2_json_fail(reader, at, "the polygon has no area: its vertices lie on one line, or its parts cancel");
    return TR_OK;
}

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
        status = tr2_json_vec(reader, &at, &vertex);
        if (status == TR_OK)
            status = tr2_builder_vertex(reader->builder, vertex, reader->error);
    }
    return status == TR_OK && type == TR2_SCENE_POLYGON ? tr2_read_polygon(reader, &vertices) : status;
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
    tr_status status = tr2_json_get_vec(reader, at, "before", &shape->before);
    return status == TR_OK ? tr2_json_get_vec(reader, at, "after", &shape->after) : status;
}

tr_status tr2_read_own_shape(tr2_reader *reader, const tr2_cursor *at, uint32_t body)
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
    const char *word = status == TR_OK ? json_string_value(json_object_get(at->value, "type")) : NULL;
    if (word != NULL && (strcmp(word, "sphere") == 0 || strcmp(word, "cylinder") == 0 || strcmp(word, "box") == 0)) {
        tr2_cursor word_at = tr2_json_member(at, "type");
        return tr2_json_fail(reader, &word_at, "a %s is a solid: is \"dimension\": 3 missing at the top of the file?",
                             word);
    }
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
    status = tr2_json_get_vec(reader, at, "center", &center);
    return status == TR_OK ? tr2_builder_vertex(reader->builder, center, reader->error) : status;
}

tr_status tr2_read_mass(const tr2_reader *reader, const tr2_cursor *at, const tr2_mass *mass, tr2_body_def *def)
{
    if (!tr_scene_to_float(mass->mass, &def->mass) || !tr_scene_to_float(mass->inertia, &def->inertia) ||
        !tr_scene_to_float(mass->x, &def->center.x) || !tr_scene_to_float(mass->y, &def->center.y))
        return tr2_json_fail(reader, at, "its mass, inertia or centre does not fit a 32-bit number");
    return TR_OK;
}

tr_status tr2_read_own_mass(const tr2_reader *reader, const tr2_cursor *at, uint32_t body, uint32_t first_shape)
{
    tr2_scene *scene = reader->builder->scene;
    tr2_mass mass = tr2_scene_mass(scene, first_shape, scene->shape_count - first_shape);
    return mass.mass > 0.0 ? tr2_read_mass(reader, at, &mass, &scene->bodies[body].def) : TR_OK;
}

/*
 * Writing shapes
 */
/* writes the members that differ from the default filter */
static void put_filter(tr_line *out, const tr2_filter *filter)
{
    tr2_filter standard = tr2_shape_def_default(TR2_CIRCLE).filter;
    if (filter->category != standard.category)
        tr_put_bits(out, "category", filter->category);
    if (filter->mask != standard.mask)
        tr_put_bits(out, "mask", filter->mask);
    if (filter->group != standard.group)
        tr_put_double(out, "group", filter->group);
}

void tr2_write_own_shape(tr_text *text, const tr2_scene *scene, const tr2_scene_shape *shape)
{
    const tr2_shape_def standard = tr2_shape_def_default(tr2_scene_shape_infos[shape->type].kind);
    const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
    tr_line out = {text, false};
    tr_put_word(&out, "type", tr2_scene_shape_infos[shape->type].name);
    tr_put_string(&out, "name", shape->name);
    if (shape->type == TR2_SCENE_CIRCLE) {
        const tr_vec2 origin = {0.0f, 0.0f};
        if (!tr_scene_same_bits(&vertices[0], &origin, sizeof origin))
            tr_put_floats(&out, "center", &vertices[0].x, 2);
    } else {
        tr_put_key(&out, "vertices");
        for (uint32_t i = 0; i < shape->vertex_count; i++) {
            tr_text_append(text, i == 0 ? "[" : ", ");
            tr_append_floats(text, &vertices[i].x, 2);
        }
        tr_text_append(text, "]");
    }
    const struct {
        const char *key;
        float value, standard;
    } floats[] = {{"radius", shape->radius, 0.0f},
                  {"density", shape->density, standard.density},
                  {"friction", shape->friction, standard.surface.friction},
                  {"restitution", shape->restitution, standard.surface.restitution},
                  {"rolling_resistance", shape->rolling_resistance, standard.surface.rolling_resistance},
                  {"tangent_speed", shape->tangent_speed, standard.surface.tangent_speed}};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (!tr_scene_same_bits(&floats[i].value, &floats[i].standard, sizeof(float)))
            tr_put_float(&out, floats[i].key, floats[i].value);
    if (shape->has_before)
        tr_put_floats(&out, "before", &shape->before.x, 2);
    if (shape->has_after)
        tr_put_floats(&out, "after", &shape->after.x, 2);
    const struct {
        const char *key;
        bool value, standard;
    } flags[] = {{"closed", shape->closed, false},
                 {"one_sided", shape->one_sided, false},
                 {"sensor", shape->sensor, standard.sensor},
                 {"contact_events", shape->contact_events, standard.contact_events},
                 {"hit_events", shape->hit_events, standard.hit_events},
                 {"custom_filter", shape->custom_filter, standard.custom_filter}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].value != flags[i].standard)
            tr_put_bool(&out, flags[i].key, flags[i].value);
    tr_put_user_data(&out, shape->user_data);
    put_filter(&out, &shape->filter);
    tr_put_end(&out);
}

/*
 * Whole documents
 */
tr_status tr2_read_other(tr2_reader *reader, const tr2_cursor *root)
{
    const json_t *document = root->value;
    if (json_object_get(document, "metaworld") != NULL)
        return tr2_json_fail(reader, root,
                             "this is a project of the R.U.B.E. editor; export it as JSON (File, Export)");
    if (json_object_get(document, "body") == NULL && json_object_get(document, "gravity") == NULL)
        return tr2_json_fail(reader, root,
                             "expected a scene: an object with \"trammel\" (our format) or \"body\" (R.U.B.E. JSON)");
    return tr2_read_rube(reader, root);
}

tr_status tr2_read_xml(const char *text, size_t size, const char *label, bool from_file, tr2_scene **out,
                       tr_error *error)
{
    (void)text, (void)size, (void)from_file, (void)out;
    return tr_scene_fail(error, TR_ERROR_PARSE, "%.60s: is XML, which has 3 dimensions: tr3_scene_load() reads it",
                         label);
}

tr_status tr2_read_remarks(tr2_builder *builder, tr_error *error)
{
    const tr2_scene *scene = builder->scene;
    return scene->shape_count > 0 && !scene->collide ? tr2_builder_notice(builder, error, "%s", tr_scene_no_collision)
                                                     : TR_OK;
}

#endif
