/* Turns a scene's shapes into shapes of a world. Concave polygons become outlines of chain segments. */
#include <stdlib.h>
#include <string.h>

#include "scene/core/storage.h"

/* How a shape of the scene is represented in the world. */
typedef enum form {
    FORM_SINGLE,    /* one shape of the type's kind */
    FORM_ONE_SIDED, /* a one-sided chain; for a polygon its outline, solid inside */
    FORM_LINE       /* two one-sided chains, one in each direction: a two-sided line */
} form;

static form form_of(const tr2_scene *scene, const tr2_scene_shape *shape)
{
    if (shape->type == TR2_SCENE_CHAIN)
        return shape->one_sided ? FORM_ONE_SIDED : FORM_LINE;
    return shape->type != TR2_SCENE_POLYGON || tr2_scene_is_convex(scene, shape) ? FORM_SINGLE : FORM_ONE_SIDED;
}

static bool is_closed(const tr2_scene_shape *shape)
{
    return shape->type == TR2_SCENE_POLYGON || (shape->closed && shape->vertex_count > 2);
}

uint32_t tr2_scene_shape_part_count(const tr2_scene *scene, uint32_t i)
{
    if (scene == NULL || !scene->collide || i >= scene->shape_count)
        return 0;
    const tr2_scene_shape *shape = &scene->shapes[i];
    if (!tr2_scene_shape_is_whole(scene, shape))
        return 0;
    form made = form_of(scene, shape);
    uint32_t segments = is_closed(shape) ? shape->vertex_count : shape->vertex_count - 1;
    return made == FORM_SINGLE ? 1 : made == FORM_LINE ? 2 * segments : segments;
}

uint32_t tr2_scene_shape_id_count(const tr2_scene *scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; scene != NULL && i < scene->shape_count; i++)
        count += tr2_scene_shape_part_count(scene, i);
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
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
    def.contact_events = shape->contact_events;
    def.hit_events = shape->hit_events;
    def.custom_filter = shape->custom_filter;
    def.user_data = shape->user_data;
    /* the scene's bodies already have their masses */
    def.density = 0.0f;
    return def;
}

/* appends a chain through the points; `backwards`: in reverse order */
static uint32_t add_chain(const tr2_shape_def *surface, const tr_vec2 *points, uint32_t n, bool closed, bool backwards,
                          tr2_shape_def *out)
{
    uint32_t segments = closed ? n : n - 1;
    for (uint32_t i = 0; i < segments; i++) {
        /* indices of four consecutive points */
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
    if (made == FORM_SINGLE) {
        *out = surface_of(shape, tr2_scene_shape_infos[shape->type].kind, body);
        out->point_count = n;
        memcpy(out->point, points, n * sizeof *points);
        out->radius = shape->type == TR2_SCENE_SEGMENT ? 0.0f : shape->radius;
        return 1;
    }
    tr2_shape_def surface = surface_of(shape, TR2_CHAIN_SEGMENT, body);
    bool closed = is_closed(shape);
    uint32_t count = add_chain(&surface, points, n, closed, false, out);
    if (made == FORM_LINE)
        return count + add_chain(&surface, points, n, closed, true, out + count);
    if (!closed && shape->has_before) {
        out[0].has_before = true;
        out[0].before = shape->before;
    }
    if (!closed && shape->has_after) {
        out[count - 1].has_after = true;
        out[count - 1].after = shape->after;
    }
    return count;
}

/* finds the scene shape of the definition whose index is in the world's error message, or UINT32_MAX */
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
        uint32_t count = tr2_scene_shape_part_count(scene, i);
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
        return tr_scene_fail(error, status, "%s", message);
    /* the shape's index in the list of its body */
    uint32_t body = scene->shapes[shape].body, place = 0;
    for (uint32_t i = 0; i < shape; i++)
        place += scene->shapes[i].body == body;
    const char *dot = strstr(message, "].");
    return tr_scene_fail(error, status, "bodies[%u].shapes[%u]: %s", body, place, dot != NULL ? dot + 2 : message);
}

/* trn_scene_more; `context`: the array for ids, or null */
static tr_status add_shapes(const tr2_scene *scene, tr2_world *world, const tr2_body *bodies, void *context,
                            tr_error *error)
{
    tr2_shape *ids = context;
    if (!scene->collide)
        return TR_OK;
    uint64_t total = 0;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        if (!tr2_scene_shape_is_whole(scene, &scene->shapes[i]))
            return tr_scene_fail(error, TR_ERROR_RANGE, "shape %u: its body or vertices are not in the scene", i);
        total += tr2_scene_shape_part_count(scene, i);
    }
    if (total > INT32_MAX)
        return tr_scene_fail(error, TR_ERROR_LIMIT, "the scene has more than 2^31 - 1 shapes");
    tr2_shape_def *defs = calloc((size_t)total + 1, sizeof *defs);
    if (defs == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to build the scene");
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->shape_count; i++)
        count += add_shape(scene, &scene->shapes[i], bodies[scene->shapes[i].body], defs + count);
    tr_status status = tr2_world_create_shapes(world, defs, count, ids);
    free(defs);
    return status == TR_OK ? TR_OK : say_why(scene, world, status, error);
}

tr_status tr2_scene_build(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                          tr_error *error)
{
    return tr2_scene_build_shapes(scene, world, bodies, joints, NULL, error);
}

tr_status tr2_scene_build_shapes(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                                 tr2_shape *shapes, tr_error *error)
{
    return tr2_scene_build_with(scene, world, bodies, joints, add_shapes, shapes, error);
}
