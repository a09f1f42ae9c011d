/* Mass of bodies from their shapes. */
#include <math.h>

#include "world/body.h"
#include "world/shape.h"

tr2_shape_mass tr2_shapes_mass(const tr2_world *world, uint32_t body_slot)
{
    const tr2_shapes *shapes = &world->shapes;
    tr2_shape_mass sum = {0.0, {0.0, 0.0}, 0.0};
    uint32_t first = tr2_shapes_newest(shapes, body_slot);
    /* the centre first, then inertia about it, to avoid the difference of large moments */
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t slot = first; slot != TR_NONE; slot = shapes->older[shapes->pool.row[slot]]) {
            uint32_t row = shapes->pool.row[slot];
            if (!(shapes->density[row] > 0.0f) || (shapes->flags[row] & TR2_SHAPE_MARKED) != 0)
                continue;
            tr2_shape_mass one = tr2_geometry_mass(shapes->geometry[row], (double)shapes->density[row]);
            if (pass == 0) {
                sum.mass += one.mass;
                sum.center.x += one.mass * one.center.x;
                sum.center.y += one.mass * one.center.y;
                continue;
            }
            double x = one.center.x - sum.center.x, y = one.center.y - sum.center.y;
            sum.inertia += one.inertia + one.mass * (x * x + y * y);
        }
        if (pass == 0 && sum.mass > 0.0) {
            sum.center.x /= sum.mass;
            sum.center.y /= sum.mass;
        }
    }
    return sum;
}

tr_status tr2_shapes_check_mass(const tr2_check *check, const tr2_world *world, uint32_t body_slot)
{
    tr2_shape_mass sum = tr2_shapes_mass(world, body_slot);
    if (!(sum.mass > 0.0))
        return TR_OK;
    tr_vec2 center = {(float)sum.center.x, (float)sum.center.y};
    return tr2_body_check_mass(check, &tr2_mutable(world)->bodies, world->body_pool.row[body_slot], (float)sum.mass,
                               (float)sum.inertia, center);
}

void tr2_shapes_apply_mass(tr2_world *world, uint32_t body_slot)
{
    tr2_shape_mass sum = tr2_shapes_mass(world, body_slot);
    if (!(sum.mass > 0.0))
        return;
    tr_vec2 center = {(float)sum.center.x, (float)sum.center.y};
    uint32_t row = world->body_pool.row[body_slot];
    tr2_body_weight before = tr2_body_weight_of(&world->bodies, row);
    tr2_body_write_mass(&world->bodies, row, (float)sum.mass, (float)sum.inertia, center);
    tr2_body_weigh_trees(world, row, before);
}

tr_status tr2_body_update_mass_from_shapes(tr2_world *world, tr2_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_update_mass_from_shapes", "");
    tr_status status = tr2_check_body(&check, "id", world, id);
    if (status == TR_OK && !(tr2_shapes_mass(world, id.index - 1).mass > 0.0))
        status = tr2_check_fail(&check, TR_ERROR_ZERO, "", "finds no shape with density and area on the body");
    if (status == TR_OK)
        status = tr2_shapes_check_mass(&check, world, id.index - 1);
    if (status == TR_OK)
        tr2_shapes_apply_mass(world, id.index - 1);
    return status;
}
