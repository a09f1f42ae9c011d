#include "world/core/take_back.h"

#include "world/recording/tape.h"

trn_mark trn_mark_of(const trn_world *world)
{
    return (trn_mark){tr_plan_churn(world->plan), world->bodies.uneven,    world->bodies.off_center,
                      world->body_pool.count,     world->joint_pool.count, trn_tape_mark(world)};
}

/* the newest of all joints; those beside it go, too, so nothing has to be shared anew */
static void take_joint(trn_world *world, trn_mark mark, uint32_t slot)
{
    trn_joints *joints = &world->joints[trn_joint_type_of(world, slot)];
    tr_plan_remove_edge(world->plan, slot);
    trn_watches_remove(&world->watches, slot);
    tr_table_remove(&joints->table, world->joint_pool.row[slot]);
    tr_take_slot_back(&world->joint_pool, slot, mark.joint_slots);
}

/* the newest of all bodies */
static void take_body(trn_world *world, trn_mark mark, uint32_t slot)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = world->body_pool.row[slot];
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->disabled -= (bodies->flags[row] & TR_BODY_DISABLED) != 0;
    bodies->direct -= (bodies->flags[row] & TR_BODY_WANTS_DIRECT) != 0;
    tr_plan_remove_vertex(world->plan, slot);
    tr_table_remove(&bodies->table, row);
    tr_take_slot_back(&world->body_pool, slot, mark.body_slots);
}

void trn_world_take_back(trn_world *world, trn_mark mark, const trn_body *bodies, uint32_t body_count,
                         const trn_joint *joints, uint32_t joint_count)
{
    /* newest first, so that each is in the last row and its slot becomes the next free one */
    while (joint_count-- > 0)
        take_joint(world, mark, joints[joint_count].index - 1);
    while (body_count-- > 0)
        take_body(world, mark, bodies[body_count].index - 1);
    world->bodies.uneven = mark.uneven;
    world->bodies.off_center = mark.off_center;
    tr_plan_set_churn(world->plan, mark.churn);
    trn_tape_rewind(world, mark.recorded);
}
