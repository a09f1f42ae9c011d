/* Bodies that do not tunnel through dynamic ones. */
#include "world/core/check.h"

tr_status tr2_do_body_set_bullet(tr2_world *world, tr2_body id, bool bullet)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_set_bullet", "");
    tr_status status = tr2_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    tr2_bodies *bodies = &world->bodies;
    uint32_t row = tr2_body_row(world, id);
    bodies->bullets -= (bodies->flags[row] & TR_BODY_BULLET) != 0;
    bodies->bullets += bullet;
    bodies->flags[row] = (bodies->flags[row] & ~TR_BODY_BULLET) | (bullet ? TR_BODY_BULLET : 0);
    return TR_OK;
}
