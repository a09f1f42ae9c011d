/* Checks of shapes, and whether they count. */
#ifndef TR_WORLD_SHAPE_CHECK_H
#define TR_WORLD_SHAPE_CHECK_H

#include "world/core/check.h"

/* TR_ERROR_NULL_ID, _FOREIGN_ID, _STALE_ID. */
tr_status tr2_check_shape_id(const tr2_check *check, const char *name, const tr2_world *world, tr2_shape id);
/* Friction, restitution, rolling resistance and tangent speed of a shape. */
tr_status tr2_check_surface(const tr2_check *check, const tr2_surface *surface);
/* A shape's definition without the body, in a world with this length unit (m); *out receives its geometry. */
tr_status tr2_check_shape(const tr2_check *check, float unit, const tr2_shape_def *def, tr2_geometry *out);
/* Whether a body can have the total mass of its unmarked shapes. A static body can always: it does not need it yet. */
tr_status tr2_shapes_check_mass(const tr2_check *check, tr2_world *world, uint32_t body_slot);

/* Whether a shape's body is disabled; by the shape's row. */
static inline bool tr2_shape_is_disabled(const tr2_world *world, uint32_t row)
{
    return tr2_body_is_disabled(world, tr2_body_row(world, world->shapes.body[row]));
}

#endif
