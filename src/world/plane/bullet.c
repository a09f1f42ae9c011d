/* Bodies that do not tunnel through dynamic ones. */
#include "world/core/body.h"

tr_status tr2_do_body_set_bullet(tr2_world *world, tr2_body id, bool bullet)
{
    tr2_check check;
    tr_status status = tr2_check_body_call(&check, "body_set_bullet", world, id);
    if (status != TR_OK)
        return status;
    tr2_bodies *bodies = &world->bodies;
    bodies->bullets -= tr2_body_set_flag(bodies, tr2_body_row(world, id), TR_BODY_BULLET, bullet);
    bodies->bullets += bullet;
    return TR_OK;
}
