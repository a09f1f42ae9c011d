/* Definitions of shapes: defaults, checks, and rows. */
#include <stdio.h>
#include <string.h>

#include "world/shapes/shape_check.h"

_Static_assert((int)TR2_CIRCLE == (int)TR2_GEOMETRY_CIRCLE && (int)TR2_CAPSULE == (int)TR2_GEOMETRY_CAPSULE &&
                   (int)TR2_SEGMENT == (int)TR2_GEOMETRY_SEGMENT && (int)TR2_CHAIN_SEGMENT == (int)TR2_GEOMETRY_CHAIN &&
                   (int)TR2_POLYGON == (int)TR2_GEOMETRY_POLYGON && TR2_SHAPE_POINTS == TR2_MAX_CORNERS,
               "a kind of shape is its kind of geometry");

const char *tr2_shape_kind_name(tr2_shape_kind kind)
{
    static const char *const names[TR2_SHAPE_KIND_COUNT] = {
        [TR2_CIRCLE] = "circle",   [TR2_CAPSULE] = "capsule",
        [TR2_SEGMENT] = "segment", [TR2_CHAIN_SEGMENT] = "chain_segment",
        [TR2_POLYGON] = "polygon",
    };
    return (uint32_t)kind < TR2_SHAPE_KIND_COUNT ? names[kind] : "unknown";
}

tr2_shape_def tr2_shape_def_default(tr2_shape_kind kind)
{
    tr2_shape_def def;
    memset(&def, 0, sizeof def);
    def.kind = kind;
    /* lines have no area to give mass with */
    def.density = kind == TR2_SEGMENT || kind == TR2_CHAIN_SEGMENT ? 0.0f : 1.0f;
    def.surface.friction = 0.6f;
    def.filter.category = 1;
    def.filter.mask = UINT64_MAX;
    def.contact_events = true;
    switch (kind) {
    case TR2_CIRCLE:
        def.point_count = 1;
        def.radius = 1.0f;
        break;
    case TR2_CAPSULE:
    case TR2_SEGMENT:
    case TR2_CHAIN_SEGMENT:
        def.point_count = 2;
        def.point[0].x = -0.5f;
        def.point[1].x = 0.5f;
        def.radius = kind == TR2_CAPSULE ? 0.5f : 0.0f;
        break;
    case TR2_POLYGON:
        def.point_count = 4;
        for (uint32_t i = 0; i < 4; i++) {
            def.point[i].x = i == 0 || i == 3 ? -0.5f : 0.5f;
            def.point[i].y = i < 2 ? -0.5f : 0.5f;
        }
        break;
    case TR2_SHAPE_KIND_COUNT:
        break;
    }
    return def;
}

tr2_chain_def tr2_chain_def_default(void)
{
    tr2_chain_def def;
    memset(&def, 0, sizeof def);
    def.shape = tr2_shape_def_default(TR2_CHAIN_SEGMENT);
    return def;
}

/*
 * Checks
 */
tr_status tr2_check_shape_id(const tr2_check *check, const char *name, const tr2_world *world, tr2_shape id)
{
    return tr2_check_id(check, name, world, &world->shapes.pool, id.index, id.world, id.generation);
}

tr_status tr2_check_surface(const tr2_check *check, const tr2_surface *surface)
{
    tr_status status = tr2_check_not_negative(check, "surface.friction", (double)surface->friction);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "surface.restitution", (double)surface->restitution);
    if (status == TR_OK && surface->restitution > TR2_RESTITUTION_MAX)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "surface.restitution", "is %s, must be 0 to %g",
                                tr_number((double)surface->restitution).text, (double)TR2_RESTITUTION_MAX);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "surface.rolling_resistance", (double)surface->rolling_resistance);
    if (status == TR_OK)
        status = tr2_check_finite(check, "surface.tangent_speed", (double)surface->tangent_speed);
    return status;
}

static tr_status check_point_count(const tr2_check *check, const tr2_shape_def *def)
{
    uint32_t least = def->kind == TR2_POLYGON ? 3 : def->kind == TR2_CIRCLE ? 1 : 2;
    uint32_t most = def->kind == TR2_POLYGON ? TR2_SHAPE_POINTS : least;
    if (def->point_count >= least && def->point_count <= most)
        return TR_OK;
    if (least == most)
        return tr2_check_fail(check, TR_ERROR_RANGE, "point_count", "is %u, must be %u", def->point_count, least);
    return tr2_check_fail(check, TR_ERROR_RANGE, "point_count", "is %u, must be %u to %u", def->point_count, least,
                          most);
}

static tr_status check_points(const tr2_check *check, const tr2_shape_def *def)
{
    tr_status status = check_point_count(check, def);
    for (uint32_t i = 0; i < TR2_SHAPE_POINTS && i < def->point_count && status == TR_OK; i++) {
        char name[16];
        snprintf(name, sizeof name, "point[%u]", i);
        status = tr2_check_vec(check, name, def->point[i]);
    }
    if (status == TR_OK && def->kind == TR2_CHAIN_SEGMENT && def->has_before)
        status = tr2_check_vec(check, "before", def->before);
    if (status == TR_OK && def->kind == TR2_CHAIN_SEGMENT && def->has_after)
        status = tr2_check_vec(check, "after", def->after);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "radius", (double)def->radius);
    if (status == TR_OK && (def->kind == TR2_SEGMENT || def->kind == TR2_CHAIN_SEGMENT) && def->radius > 0.0f)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "radius", "is %g, but a %s has none: a capsule has",
                                (double)def->radius, tr2_shape_kind_name(def->kind));
    if (status == TR_OK && (def->kind == TR2_CIRCLE || def->kind == TR2_CAPSULE) && def->radius == 0.0f)
        status = tr2_check_fail(check, TR_ERROR_ZERO, "radius", "is zero, must be positive");
    return status;
}

static tr_status make_geometry(float unit, const tr2_shape_def *def, tr2_geometry *out)
{
    switch (def->kind) {
    case TR2_CIRCLE:
        return tr2_geometry_circle(unit, def->point[0], def->radius, out);
    case TR2_CAPSULE:
        return tr2_geometry_capsule(unit, def->point[0], def->point[1], def->radius, out);
    case TR2_SEGMENT:
        return tr2_geometry_segment(unit, def->point[0], def->point[1], out);
    case TR2_CHAIN_SEGMENT:
        return tr2_geometry_chain(unit, def->has_before ? &def->before : NULL, def->point[0], def->point[1],
                                  def->has_after ? &def->after : NULL, out);
    case TR2_POLYGON:
        return tr2_hull_make(unit, def->point, def->point_count, def->radius, out);
    case TR2_SHAPE_KIND_COUNT:
        break;
    }
    return TR_ERROR_RANGE;
}

tr_status tr2_check_shape(const tr2_check *check, float unit, const tr2_shape_def *def, tr2_geometry *out)
{
    if ((uint32_t)def->kind >= TR2_SHAPE_KIND_COUNT)
        return tr2_check_fail(check, TR_ERROR_RANGE, "kind", "is %d, no kind of shape", (int)def->kind);
    /* before the points, which come of these */
    tr_status status = tr2_check_not_negative(check, "half_extent.x", (double)def->half_extent.x);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "half_extent.y", (double)def->half_extent.y);
    if (status == TR_OK)
        status = check_points(check, def);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "density", (double)def->density);
    if (status == TR_OK)
        status = tr2_check_surface(check, &def->surface);
    if (status != TR_OK)
        return status;

    /* conditions on several numbers together */
    status = make_geometry(unit, def, out);
    if (status == TR_ERROR_ZERO)
        return tr2_check_fail(check, status, "point",
                              def->kind == TR2_POLYGON ? "makes a polygon without area"
                                                       : "makes a line without length");
    if (status == TR_ERROR_INFINITE)
        return tr2_check_fail(check, status, "point", "or radius is beyond %g m", 1e9 * (double)unit);
    if (status != TR_OK)
        return tr2_check_fail(check, status, "point", "makes no %s", tr2_shape_kind_name(def->kind));
    return TR_OK;
}

/*
 * Rows
 */
static void read_geometry(const tr2_geometry *geometry, tr2_shape_def *out)
{
    out->point_count = geometry->count;
    for (uint32_t i = 0; i < geometry->count; i++)
        out->point[i] = geometry->corners[i].point;
    out->radius = geometry->radius;
    if (geometry->kind != TR2_GEOMETRY_CHAIN)
        return;
    uint32_t ghost = geometry->count;
    out->has_before = (geometry->ghosts & 1u) != 0;
    out->has_after = (geometry->ghosts & 2u) != 0;
    if (out->has_before)
        out->before = geometry->corners[ghost].point;
    if (out->has_after)
        out->after = geometry->corners[ghost + 1].point;
}

void tr2_shape_read(const tr2_shapes *shapes, uint32_t row, tr2_shape_def *out)
{
    memset(out, 0, sizeof *out);
    out->body = shapes->body[row];
    out->kind = (tr2_shape_kind)shapes->kind[row];
    read_geometry(shapes->geometry[row], out);
    out->density = shapes->density[row];
    out->surface = shapes->surface[row];
    out->filter = shapes->filter[row];
    out->sensor = (shapes->flags[row] & TR2_SHAPE_SENSOR) != 0;
    out->contact_events = (shapes->flags[row] & TR2_SHAPE_CONTACT_EVENTS) != 0;
    out->hit_events = (shapes->flags[row] & TR2_SHAPE_HIT_EVENTS) != 0;
    out->custom_filter = (shapes->flags[row] & TR2_SHAPE_CUSTOM_FILTER) != 0;
    out->user_data = shapes->user_data[row];
}

void tr2_shape_write(tr2_shapes *shapes, uint32_t row, const tr2_shape_def *def)
{
    shapes->kind[row] = (uint32_t)def->kind;
    shapes->density[row] = def->density;
    shapes->surface[row] = def->surface;
    shapes->bounces = shapes->bounces || def->surface.restitution > 0.0f;
    shapes->filter[row] = def->filter;
    shapes->user_data[row] = def->user_data;
    shapes->flags[row] = (def->sensor ? TR2_SHAPE_SENSOR : 0) | (def->contact_events ? TR2_SHAPE_CONTACT_EVENTS : 0) |
                         (def->hit_events ? TR2_SHAPE_HIT_EVENTS : 0) |
                         (def->custom_filter ? TR2_SHAPE_CUSTOM_FILTER : 0) | TR2_SHAPE_FRESH;
}
