#include "world/plane/take_back.h"

#include "world/core/world_internal.h"

tr2_mark tr2_mark_of(const tr2_world *world)
{
    return (tr2_mark){tr_plan_churn(world->plan), world->bodies.uneven, world->bodies.off_center};
}

/* the newest of all joints; those beside it go, too, so nothing has to be shared anew */
static void take_joint(tr2_world *world, uint32_t slot)
{
    tr2_joints *joints = &world->joints[tr2_joint_type_of(world, slot)];
    tr_plan_remove_edge(world->plan, slot);
    tr2_watches_remove(&world->watches, slot);
    tr_table_remove(&joints->table, world->joint_pool.row[slot]);
    tr_pool_give_unnamed(&world->joint_pool, slot);
}

/* the newest of all bodies */
static void take_body(tr2_world *world, uint32_t slot)
{
    tr2_bodies *bodies = &world->bodies;
    uint32_t row = world->body_pool.row[slot];
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->disabled -= (bodies->flags[row] & TR_BODY_DISABLED) != 0;
    tr_plan_remove_vertex(world->plan, slot);
    tr_table_remove(&bodies->table, row);
    tr_pool_give_unnamed(&world->body_pool, slot);
}

void tr2_world_take_back(tr2_world *world, tr2_mark mark, const tr2_body *bodies, uint32_t body_count,
                         const tr2_joint *joints, uint32_t joint_count)
{
    /* newest first, so that each is in the last row and its slot becomes the next free one */
    while (joint_count-- > 0)
        take_joint(world, joints[joint_count].index - 1);
    while (body_count-- > 0)
        take_body(world, bodies[body_count].index - 1);
    world->bodies.uneven = mark.uneven;
    world->bodies.off_center = mark.off_center;
    tr_plan_set_churn(world->plan, mark.churn);
}
