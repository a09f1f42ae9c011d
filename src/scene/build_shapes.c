/* A scene's shapes made into shapes of a world: polygons that are convex as they are, outlines and lines as chains. */
#include <stdlib.h>
#include <string.h>

#include "scene/storage.h"

const char tr2_scene_no_collision[] =
    "shapes give mass and are drawn, but do not collide: the scene does not ask for it (world.collide)";

/* whether the corners, counter-clockwise, turn left everywhere: a star that goes round twice is not looked for */
static bool is_convex(const tr_vec2 *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_vec2 a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
        double turn = ((double)b.x - (double)a.x) * ((double)c.y - (double)b.y) -
                      ((double)b.y - (double)a.y) * ((double)c.x - (double)b.x);
        if (turn < 0.0)
            return false;
    }
    return true;
}

/* What becomes of a shape. */
typedef enum form {
    FORM_CIRCLE,
    FORM_POLYGON,
    FORM_OUTLINE, /* a closed chain, solid inside */
    FORM_LINE     /* two chains, one each way, for both sides */
} form;

static form form_of(const tr2_scene *scene, const tr2_scene_shape *shape)
{
    if (shape->type == TR2_SHAPE_CIRCLE)
        return FORM_CIRCLE;
    if (shape->type == TR2_SHAPE_CHAIN)
        return FORM_LINE;
    bool fits = shape->vertex_count <= TR2_SHAPE_POINTS;
    return fits && is_convex(scene->vertices + shape->first_vertex, shape->vertex_count) ? FORM_POLYGON : FORM_OUTLINE;
}

/* how many shapes of a world that takes */
static uint32_t count_of(const tr2_scene *scene, const tr2_scene_shape *shape)
{
    form made = form_of(scene, shape);
    if (made == FORM_CIRCLE || made == FORM_POLYGON)
        return 1;
    bool closed = made == FORM_OUTLINE || (shape->closed && shape->vertex_count > 2);
    uint32_t segments = closed ? shape->vertex_count : shape->vertex_count - 1;
    return made == FORM_LINE ? 2 * segments : segments;
}

static tr2_shape_def surface_of(const tr2_scene_shape *shape, tr2_shape_kind kind, tr2_body body)
{
    tr2_shape_def def = tr2_shape_def_default(kind);
    def.body = body;
    def.surface.friction = shape->friction;
    def.surface.restitution = shape->restitution;
    def.surface.rolling_resistance = shape->rolling_resistance;
    def.surface.tangent_speed = shape->tangent_speed;
    def.filter = shape->filter;
    def.sensor = shape->sensor;
    /* the scene's bodies have their masses already */
    def.density = 0.0f;
    return def;
}

/* a chain through the points, or through them backwards */
static uint32_t add_chain(const tr2_shape_def *surface, const tr_vec2 *points, uint32_t n, bool closed, bool backwards,
                          tr2_shape_def *out)
{
    uint32_t segments = closed ? n : n - 1;
    for (uint32_t i = 0; i < segments; i++) {
        /* the places of four points in a row, counted from the end where it goes backwards */
        uint32_t place[4] = {(i + n - 1) % n, i, (i + 1) % n, (i + 2) % n};
        for (uint32_t k = 0; k < 4 && backwards; k++)
            place[k] = n - 1 - place[k];
        out[i] = *surface;
        out[i].point[0] = points[place[1]];
        out[i].point[1] = points[place[2]];
        out[i].has_before = closed || i > 0;
        out[i].has_after = closed || i + 1 < segments;
        if (out[i].has_before)
            out[i].before = points[place[0]];
        if (out[i].has_after)
            out[i].after = points[place[3]];
    }
    return segments;
}

static uint32_t add_shape(const tr2_scene *scene, const tr2_scene_shape *shape, tr2_body body, tr2_shape_def *out)
{
    const tr_vec2 *points = scene->vertices + shape->first_vertex;
    uint32_t n = shape->vertex_count;
    form made = form_of(scene, shape);
    if (made == FORM_CIRCLE || made == FORM_POLYGON) {
        *out = surface_of(shape, made == FORM_CIRCLE ? TR2_CIRCLE : TR2_POLYGON, body);
        out->point_count = n;
        memcpy(out->point, points, n * sizeof *points);
        out->radius = made == FORM_CIRCLE ? shape->radius : 0.0f;
        return 1;
    }
    tr2_shape_def surface = surface_of(shape, TR2_CHAIN_SEGMENT, body);
    bool closed = made == FORM_OUTLINE || (shape->closed && n > 2);
    uint32_t count = add_chain(&surface, points, n, closed, false, out);
    if (made == FORM_LINE)
        count += add_chain(&surface, points, n, closed, true, out + count);
    return count;
}

/* which of the scene's shapes the n-th definition came of, as the world's sentence counts them */
static uint32_t culprit_of(const tr2_scene *scene, const char *message)
{
    static const char before[] = "create_shapes: defs[";
    if (strncmp(message, before, sizeof before - 1) != 0)
        return UINT32_MAX;
    char *end;
    unsigned long index = strtoul(message + sizeof before - 1, &end, 10);
    if (*end != ']')
        return UINT32_MAX;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        uint32_t count = count_of(scene, &scene->shapes[i]);
        if (index < count)
            return i;
        index -= count;
    }
    return UINT32_MAX;
}

static tr_status say_why(const tr2_scene *scene, const tr2_world *world, tr_status status, tr_error *error)
{
    const char *message = tr2_world_last_error(world)->message;
    uint32_t shape = culprit_of(scene, message);
    if (shape == UINT32_MAX)
        return tr2_scene_fail(error, status, "%s", message);
    /* its place in its body's list */
    uint32_t body = scene->shapes[shape].body, place = 0;
    for (uint32_t i = 0; i < shape; i++)
        place += scene->shapes[i].body == body;
    const char *dot = strstr(message, "].");
    return tr2_scene_fail(error, status, "bodies[%u].shapes[%u]: %s", body, place, dot != NULL ? dot + 2 : message);
}

tr_status tr2_scene_build_shapes(const tr2_scene *scene, tr2_world *world, const tr2_body *bodies, tr_error *error)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const tr2_scene_shape *shape = &scene->shapes[i];
        uint32_t least = shape->type == TR2_SHAPE_CIRCLE ? 1 : shape->type == TR2_SHAPE_CHAIN ? 2 : 3;
        if (shape->body >= scene->body_count || shape->vertex_count < least ||
            shape->first_vertex > scene->vertex_count ||
            shape->vertex_count > scene->vertex_count - shape->first_vertex)
            return tr2_scene_fail(error, TR_ERROR_RANGE, "shape %u: its body or vertices are not in the scene", i);
        total += count_of(scene, shape);
    }
    if (total > INT32_MAX)
        return tr2_scene_fail(error, TR_ERROR_LIMIT, "the scene has more than 2^31 - 1 shapes");
    tr2_shape_def *defs = calloc((size_t)total + 1, sizeof *defs);
    if (defs == NULL)
        return tr2_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to build the scene");
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->shape_count; i++)
        count += add_shape(scene, &scene->shapes[i], bodies[scene->shapes[i].body], defs + count);
    tr_status status = tr2_world_create_shapes(world, defs, count, NULL);
    free(defs);
    return status == TR_OK ? TR_OK : say_why(scene, world, status, error);
}
