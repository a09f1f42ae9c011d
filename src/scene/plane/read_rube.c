/*
 * Reader of R.U.B.E. / b2dJson JSON, as the editor and the library write it for Box2D 2.x: absent numbers are 0, an
 * absent vector is zero, a zero vector may be the number 0, floats may be eight hexadecimal digits. Joints are in
 * read_rube_joints.c.
 */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <math.h>
#include <string.h>

#include "scene/core/json_read.h"
#include "scene/plane/rube.h"

/*
 * Fixtures become shapes
 */

/* appends {"x": [...], "y": [...]} to the last shape's vertices */
static tr_status read_fixture_vertices(const tr2_reader *reader, const tr2_cursor *holder, bool is_polygon)
{
    uint32_t minimum = is_polygon ? 3 : 2;
    tr2_cursor at = tr2_json_member(holder, "vertices");
    tr_status status = tr2_json_want_object(reader, &at);
    if (status != TR_OK)
        return status;
    tr2_cursor xs = tr2_json_member(&at, "x"), ys = tr2_json_member(&at, "y");
    status = tr2_json_want_array(reader, &xs);
    if (status == TR_OK)
        status = tr2_json_want_array(reader, &ys);
    if (status != TR_OK)
        return status;
    size_t count = json_array_size(xs.value);
    if (json_array_size(ys.value) != count)
        return tr2_json_fail(reader, &at, "expected as many y as x, found %zu and %zu", json_array_size(ys.value),
                             count);
    if (count < minimum)
        return tr2_json_fail(reader, &at, "expected at least %u vertices, found %zu", minimum, count);
    for (size_t i = 0; i < count && status == TR_OK; i++) {
        tr2_cursor x = tr2_json_element(&xs, i), y = tr2_json_element(&ys, i);
        tr_vec2 vertex = {0.0f, 0.0f};
        status = tr2_json_float(reader, &x, &vertex.x);
        if (status == TR_OK)
            status = tr2_json_float(reader, &y, &vertex.y);
        if (status == TR_OK)
            status = tr2_builder_vertex(reader->builder, vertex, reader->error);
    }
    return status == TR_OK && is_polygon ? tr2_read_polygon(reader, &at) : status;
}

static tr_status read_fixture_circle(const tr2_reader *reader, const tr2_cursor *circle, tr2_scene_shape *shape)
{
    tr_vec2 center = {0.0f, 0.0f};
    tr2_cursor radius = tr2_json_member(circle, "radius");
    tr_status status = tr2_json_size(reader, &radius, &shape->radius);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, circle, "center", &center);
    return status == TR_OK ? tr2_builder_vertex(reader->builder, center, reader->error) : status;
}

static tr_status read_fixture_edge(const tr2_reader *reader, const tr2_cursor *edge)
{
    tr_vec2 ends[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    tr_status status = tr2_json_get_vec(reader, edge, "vertex1", &ends[0]);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, edge, "vertex2", &ends[1]);
    for (uint32_t i = 0; i < 2 && status == TR_OK; i++)
        status = tr2_builder_vertex(reader->builder, ends[i], reader->error);
    return status;
}

/* the keys of a fixture's shape; a polygon of two vertices is a line, as in b2dJson */
typedef enum rube_shape { RUBE_CIRCLE, RUBE_POLYGON, RUBE_CHAIN, RUBE_LOOP, RUBE_EDGE, RUBE_SHAPE_COUNT } rube_shape;
static const char *const fixture_keys[RUBE_SHAPE_COUNT] = {"circle", "polygon", "chain", "loop", "edge"};

static tr2_scene_shape_type fixture_shape_type(rube_shape kind, const tr2_cursor *at)
{
    if (kind == RUBE_CIRCLE)
        return TR2_SCENE_CIRCLE;
    if (kind != RUBE_POLYGON)
        return TR2_SCENE_CHAIN;
    const json_t *xs = json_object_get(json_object_get(at->value, "vertices"), "x");
    return json_array_size(xs) == 2 ? TR2_SCENE_CHAIN : TR2_SCENE_POLYGON;
}

/* Box2D has 16 bits for each mask; a filter that is left out is (1, all, 0), as in Box2D */
static tr_status read_filter(const tr2_reader *reader, const tr2_cursor *at, tr2_filter *filter)
{
    int32_t category = 1, mask = UINT16_MAX;
    tr_status status = tr2_json_get_group(reader, at, "filter-categoryBits", &category);
    if (status == TR_OK)
        status = tr2_json_get_group(reader, at, "filter-maskBits", &mask);
    filter->category = (uint16_t)category;
    filter->mask = (uint16_t)mask;
    return status == TR_OK ? tr2_json_get_group(reader, at, "filter-groupIndex", &filter->group) : status;
}

static tr_status read_fixture(tr2_reader *reader, const tr2_cursor *at, uint32_t body)
{
    static const char *const known[] = {"name",
                                        "path",
                                        "restitution",
                                        "friction",
                                        "density",
                                        "sensor",
                                        "filter-categoryBits",
                                        "filter-maskBits",
                                        "filter-groupIndex",
                                        "customProperties",
                                        "circle",
                                        "polygon",
                                        "chain",
                                        "loop",
                                        "edge",
                                        NULL};
    tr_status status = tr2_json_want_keys(reader, at, known);
    if (status != TR_OK)
        return status;
    uint32_t kind = 0;
    while (kind < RUBE_SHAPE_COUNT && json_object_get(at->value, fixture_keys[kind]) == NULL)
        kind++;
    if (kind == RUBE_SHAPE_COUNT)
        return tr2_builder_notice(reader->builder, reader->error, "fixtures without a shape that is known: left out");
    tr2_cursor shape_at = tr2_json_member(at, fixture_keys[kind]);
    status = tr2_json_want_object(reader, &shape_at);
    if (status != TR_OK)
        return status;

    tr2_scene_shape *shape = NULL;
    tr2_scene_shape_type type = fixture_shape_type((rube_shape)kind, &shape_at);
    status = tr2_builder_shape(reader->builder, type, body, &shape, reader->error);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, at, &shape->name);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "restitution", &shape->restitution);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "friction", &shape->friction);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "density", &shape->density);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "sensor", &shape->sensor);
    if (status == TR_OK)
        status = read_filter(reader, at, &shape->filter);
    if (status != TR_OK)
        return status;
    shape->closed = kind == RUBE_LOOP;
    if (kind == RUBE_CIRCLE)
        return read_fixture_circle(reader, &shape_at, shape);
    if (kind == RUBE_EDGE)
        return read_fixture_edge(reader, &shape_at);
    return read_fixture_vertices(reader, &shape_at, type == TR2_SCENE_POLYGON);
}

/*
 * Bodies
 */

/* if less than this share of the inertia about the origin is left about the centre, it is rounding error */
#define INERTIA_SHARE 1e-5

/*
 * Box2D's massData-I is about the body's origin (b2Body::GetMassData), ours about the centre of mass. If the file has
 * no mass, it is computed from the fixtures. If they have none either, Box2D's rule holds: 1 kg that does not rotate.
 */
static tr_status read_mass_data(tr2_reader *reader, const tr2_cursor *at, uint32_t index, uint32_t first_shape)
{
    tr2_scene *scene = reader->builder->scene;
    tr2_body_def *def = &scene->bodies[index].def;
    double mass = 0.0, inertia = 0.0;
    tr_dvec2 center = {0.0, 0.0};
    tr_status status = tr2_json_get_double(reader, at, "massData-mass", &mass);
    if (status == TR_OK)
        status = tr2_json_get_double(reader, at, "massData-I", &inertia);
    tr2_cursor center_at = tr2_json_member(at, "massData-center");
    if (status == TR_OK)
        status = tr2_json_dvec(reader, &center_at, &center);
    if (status != TR_OK || def->type != TR_DYNAMIC)
        return status;

    tr2_mass shapes = tr2_scene_mass(scene, first_shape, scene->shape_count - first_shape);
    if (mass > 0.0 || mass < 0.0) {
        double about_center = inertia - mass * (center.x * center.x + center.y * center.y);
        if (inertia > 0.0 && !(about_center > INERTIA_SHARE * inertia)) {
            about_center = shapes.inertia;
            if (!def->fixed_rotation)
                status = tr2_builder_notice(reader->builder, reader->error,
                                            "bodies whose massData-I leaves no inertia about the centre of mass: "
                                            "taken from their fixtures");
        }
        inertia = about_center;
    } else if (shapes.mass > 0.0) {
        mass = shapes.mass;
        center = (tr_dvec2){shapes.x, shapes.y};
        inertia = shapes.inertia;
    } else {
        mass = 1.0;
        inertia = 0.0;
        status =
            tr2_builder_notice(reader->builder, reader->error,
                               "dynamic bodies without mass, in the file or from fixtures: 1 kg that does not turn");
    }
    tr2_mass whole = {mass, center.x, center.y, inertia};
    return status == TR_OK ? tr2_read_mass(reader, at, &whole, def) : status;
}

static tr_status read_rube_body_numbers(const tr2_reader *reader, const tr2_cursor *at, tr2_body_def *def)
{
    tr2_cursor position = tr2_json_member(at, "position");
    tr_status status = tr2_json_dvec(reader, &position, &def->position);
    if (status == TR_OK)
        status = tr2_json_get_double(reader, at, "angle", &def->angle);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, at, "linearVelocity", &def->velocity);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "angularVelocity", &def->angular_velocity);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "linearDamping", &def->linear_damping);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "angularDamping", &def->angular_damping);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "gravityScale", &def->gravity_scale);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "fixedRotation", &def->fixed_rotation);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "bullet", &def->bullet);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "allowSleep", &def->allow_sleep);
    const float speed = reader->builder->scene->sleep.speed;
    float threshold = def->sleep_scale * speed;
    if (status == TR_OK && tr2_json_member(at, "sleepThreshold").value != NULL)
        status = tr2_json_get_float(reader, at, "sleepThreshold", &threshold);
    if (status == TR_OK && threshold != def->sleep_scale * speed)
        def->sleep_scale = threshold / speed;
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "awake", &def->awake);
    return status;
}

static tr_status read_rube_body(tr2_reader *reader, const tr2_cursor *at)
{
    static const char *const known[] = {"name",
                                        "path",
                                        "type",
                                        "position",
                                        "angle",
                                        "linearVelocity",
                                        "angularVelocity",
                                        "linearDamping",
                                        "angularDamping",
                                        "gravityScale",
                                        "fixedRotation",
                                        "active",
                                        "awake",
                                        "allowSleep",
                                        "sleepThreshold",
                                        "bullet",
                                        "fixture",
                                        "massData-mass",
                                        "massData-center",
                                        "massData-I",
                                        "customProperties",
                                        NULL};
    tr_status status = tr2_json_want_keys(reader, at, known);
    uint32_t index = reader->builder->scene->body_count, first_shape = reader->builder->scene->shape_count;
    tr2_scene_body *body = NULL;
    if (status == TR_OK)
        status = tr2_builder_body(reader->builder, &body, reader->error);
    if (status != TR_OK)
        return status;
    status = tr2_json_get_name(reader, at, &body->name);
    uint32_t type = TR_STATIC;
    tr2_cursor type_at = tr2_json_member(at, "type");
    if (status == TR_OK)
        status = tr2_json_integer(reader, &type_at, TR_STATIC, TR_DYNAMIC, &type);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "active", &body->def.enabled);
    body->def.type = (tr_body_type)type;
    if (status == TR_OK)
        status = read_rube_body_numbers(reader, at, &body->def);

    tr2_cursor fixtures = tr2_json_member(at, "fixture");
    if (status == TR_OK && fixtures.value != NULL && !json_is_null(fixtures.value))
        status = tr2_json_want_array(reader, &fixtures);
    for (size_t i = 0; status == TR_OK && i < json_array_size(fixtures.value); i++) {
        tr2_cursor fixture = tr2_json_element(&fixtures, i);
        status = read_fixture(reader, &fixture, index);
    }
    return status == TR_OK ? read_mass_data(reader, at, index, first_shape) : status;
}

static tr_status read_rube_world(tr2_reader *reader, const tr2_cursor *root)
{
    /* keys that only Box2D needs are known, too: they need no notice */
    static const char *const known[] = {"gravity",
                                        "stepsPerSecond",
                                        "body",
                                        "joint",
                                        "image",
                                        "name",
                                        "path",
                                        "allowSleep",
                                        "autoClearForces",
                                        "warmStarting",
                                        "continuousPhysics",
                                        "subStepping",
                                        "velocityIterations",
                                        "positionIterations",
                                        "hasDestructionListener",
                                        "hasContactFilter",
                                        "hasContactListener",
                                        "collisionbitplanes",
                                        "customProperties",
                                        NULL};
    tr2_scene *scene = reader->builder->scene;
    scene->gravity = (tr_vec2){0.0f, 0.0f};
    scene->collide = true;
    tr_status status = tr2_json_want_keys(reader, root, known);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, root, &scene->name);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, root, "gravity", &scene->gravity);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, root, "allowSleep", &scene->sleep.enable);
    double hertz = 0.0;
    tr2_cursor hertz_at = tr2_json_member(root, "stepsPerSecond");
    if (status == TR_OK)
        status = tr2_json_double(reader, &hertz_at, &hertz);
    if (status == TR_OK && hertz < 0.0)
        status = tr2_json_fail(reader, &hertz_at, "expected a number above 0, found %g", hertz);
    if (hertz > 0.0)
        scene->hertz = hertz;
    return status;
}

tr_status tr2_read_rube(tr2_reader *reader, const tr2_cursor *root)
{
    reader->hexadecimal = true;
    reader->loose = true;
    tr_status status = read_rube_world(reader, root);
    tr2_cursor bodies = tr2_json_member(root, "body");
    if (status == TR_OK && bodies.value != NULL && !json_is_null(bodies.value))
        status = tr2_json_want_array(reader, &bodies);
    for (size_t i = 0; status == TR_OK && i < json_array_size(bodies.value); i++) {
        tr2_cursor at = tr2_json_element(&bodies, i);
        status = read_rube_body(reader, &at);
    }
    return status == TR_OK ? tr2_read_rube_joints(reader, root) : status;
}

#endif
