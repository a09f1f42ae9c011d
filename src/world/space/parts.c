/* What is left in space of what shapes do in the plane. */
#include "world/core/body.h"
#include "world/core/check.h"

void tr3_parts_end(tr3_world *world, bool last)
{
    (void)last;
    tr_team_forget_log(world->team);
    tr3_solver_took(world->solver, 0.0, 0.0, 0.0);
}

tr3_body_weight tr3_shapes_weight(const tr3_world *world, uint32_t body_slot)
{
    return tr3_body_weight_of(&world->bodies, world->body_pool.row[body_slot]);
}
