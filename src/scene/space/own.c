/* What Trammel's own JSON format has in space only: solids. */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include "scene/core/own.h"

/* no setting of a world is of space only */
tr_status tr3_read_own_world(tr3_reader *reader, const tr3_cursor *world)
{
    (void)reader;
    (void)world;
    return TR_OK;
}

void tr3_write_own_world(tr_line *world, const tr3_scene *scene)
{
    (void)world;
    (void)scene;
}

/*
 * Shapes: the members of each type
 */
enum { HAS_CENTER = 1, HAS_ENDS = 2, HAS_RADIUS = 4, HAS_BOX = 8 };

static unsigned members_of(tr3_scene_shape_type type)
{
    static const unsigned members[TR3_SCENE_SHAPE_TYPE_COUNT] = {
        [TR3_SCENE_SPHERE] = HAS_CENTER | HAS_RADIUS,
        [TR3_SCENE_CAPSULE] = HAS_ENDS | HAS_RADIUS,
        [TR3_SCENE_CYLINDER] = HAS_ENDS | HAS_RADIUS,
        [TR3_SCENE_BOX] = HAS_CENTER | HAS_BOX,
    };
    return members[type];
}

/* a member that the shape cannot do without */
static tr_status require(const tr3_reader *reader, const tr3_cursor *at, const char *key)
{
    tr3_cursor member = tr3_json_member(at, key);
    return member.value != NULL ? TR_OK : tr3_json_fail(reader, &member, "is missing");
}

static tr_status read_geometry(const tr3_reader *reader, const tr3_cursor *at, tr3_scene_shape *shape)
{
    const struct {
        unsigned of;
        const char *key;
        tr_vec3 *out;
        bool required;
    } points[] = {{HAS_CENTER, "center", &shape->center, false},
                  {HAS_ENDS, "from", &shape->from, true},
                  {HAS_ENDS, "to", &shape->to, true},
                  {HAS_BOX, "half", &shape->half, true}};
    const unsigned members = members_of(shape->type);
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof points / sizeof points[0] && status == TR_OK; i++) {
        if ((members & points[i].of) == 0)
            continue;
        status = points[i].required ? require(reader, at, points[i].key) : TR_OK;
        if (status == TR_OK)
            status = tr3_json_get_vec(reader, at, points[i].key, points[i].out);
    }
    tr3_cursor half = tr3_json_member(at, "half"), rotation = tr3_json_member(at, "rotation");
    tr3_cursor radius = tr3_json_member(at, "radius");
    if (status == TR_OK && (members & HAS_BOX) != 0) {
        if (!(shape->half.x > 0.0f && shape->half.y > 0.0f && shape->half.z > 0.0f))
            return tr3_json_fail(reader, &half, "expected three numbers above 0");
        status = tr3_json_quat(reader, &rotation, &shape->rotation);
        const tr_quat q = shape->rotation;
        if (status == TR_OK && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f)
            return tr3_json_fail(reader, &rotation, "is zero: it has no direction");
    }
    tr3_cursor to = tr3_json_member(at, "to");
    if (status == TR_OK && shape->type == TR3_SCENE_CYLINDER && tr3_is_same(shape->from, shape->to))
        return tr3_json_fail(reader, &to, "is the point of `from`: the cylinder has no length");
    if (status == TR_OK && (members & HAS_RADIUS) != 0) {
        status = require(reader, at, "radius");
        if (status == TR_OK)
            status = tr3_json_float(reader, &radius, &shape->radius);
        if (status == TR_OK && !(shape->radius > 0.0f))
            return tr3_json_fail(reader, &radius, "expected a number above 0, found %g", (double)shape->radius);
    }
    return status;
}

tr_status tr3_read_own_shape(tr3_reader *reader, const tr3_cursor *at, uint32_t body)
{
    static const char *const known[] = {"type", "name", "density", "user_data", "center", "radius", NULL};
    static const char *const known_ends[] = {"type", "name", "density", "user_data", "from", "to", "radius", NULL};
    static const char *const known_box[] = {"type", "name", "density", "user_data", "center", "half", "rotation", NULL};
    const char *types[TR3_SCENE_SHAPE_TYPE_COUNT];
    for (uint32_t i = 0; i < TR3_SCENE_SHAPE_TYPE_COUNT; i++)
        types[i] = tr3_scene_shape_type_name(i);
    uint32_t type = 0;
    tr_status status = tr3_json_want_object(reader, at);
    tr3_cursor type_at = tr3_json_member(at, "type");
    if (status == TR_OK)
        status = tr3_json_word(reader, &type_at, types, TR3_SCENE_SHAPE_TYPE_COUNT,
                               "\"sphere\", \"capsule\", \"cylinder\" or \"box\"", &type);
    const unsigned members = status == TR_OK ? members_of((tr3_scene_shape_type)type) : 0;
    if (status == TR_OK)
        status = tr3_json_want_keys(reader, at,
                                    (members & HAS_BOX) != 0    ? known_box
                                    : (members & HAS_ENDS) != 0 ? known_ends
                                                                : known);
    tr3_scene_shape *shape = NULL;
    if (status == TR_OK)
        status = tr3_builder_shape(reader->builder, (tr3_scene_shape_type)type, body, &shape, reader->error);
    if (status == TR_OK)
        status = tr3_json_get_name(reader, at, &shape->name);
    tr3_cursor density = tr3_json_member(at, "density"), user_data = tr3_json_member(at, "user_data");
    if (status == TR_OK)
        status = tr3_json_size(reader, &density, &shape->density);
    if (status == TR_OK)
        status = tr3_json_u64(reader, &user_data, &shape->user_data);
    return status == TR_OK ? read_geometry(reader, at, shape) : status;
}

tr_status tr3_read_own_mass(const tr3_reader *reader, const tr3_cursor *at, uint32_t body, uint32_t first_shape)
{
    tr3_scene *scene = reader->builder->scene;
    tr3_body_def *def = &scene->bodies[body].def;
    tr3_mass mass = tr3_scene_mass(scene, first_shape, scene->shape_count - first_shape);
    if (!(mass.mass > 0.0))
        return TR_OK;
    return tr3_mass_set(&mass, def)
               ? TR_OK
               : tr3_json_fail(reader, at, "its mass, inertia or centre does not fit a 32-bit number");
}

void tr3_write_own_shape(tr_text *text, const tr3_scene *scene, const tr3_scene_shape *shape)
{
    static const tr_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    static const tr_vec3 origin = {0.0f, 0.0f, 0.0f};
    const unsigned members = members_of(shape->type);
    tr_line out = {text, false};
    (void)scene;
    tr_put_word(&out, "type", tr3_scene_shape_type_name(shape->type));
    tr_put_string(&out, "name", shape->name);
    if ((members & HAS_CENTER) != 0 && !tr_scene_same_bits(&shape->center, &origin, sizeof origin))
        tr_put_floats(&out, "center", &shape->center.x, 3);
    if ((members & HAS_ENDS) != 0) {
        tr_put_floats(&out, "from", &shape->from.x, 3);
        tr_put_floats(&out, "to", &shape->to.x, 3);
    }
    if ((members & HAS_BOX) != 0) {
        tr_put_floats(&out, "half", &shape->half.x, 3);
        if (!tr_scene_same_bits(&shape->rotation, &none, sizeof none))
            tr_put_floats(&out, "rotation", &shape->rotation.x, 4);
    }
    if ((members & HAS_RADIUS) != 0)
        tr_put_float(&out, "radius", shape->radius);
    if (shape->density != 1000.0f)
        tr_put_float(&out, "density", shape->density);
    tr_put_user_data(&out, shape->user_data);
    tr_put_end(&out);
}

tr_status tr3_read_other(tr3_reader *reader, const tr3_cursor *root)
{
    return tr3_json_fail(reader, root, "expected a scene in space: an object with \"trammel\" and \"dimension\": 3");
}

/* what is read in space says all by itself */
tr_status tr3_read_remarks(tr3_builder *builder, tr_error *error)
{
    (void)builder;
    (void)error;
    return TR_OK;
}

#endif
