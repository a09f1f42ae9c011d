/* Queries of contacts: where a shape, placed in a world, touches the world's shapes. */
#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/queries/query.h"

#define MARGIN_MOST 1e9f /* units, as of shapes: floats hold the squares */

static bool contact_before(const void *a, const void *b)
{
    return ((const tr2_query_contact *)a)->shape.index < ((const tr2_query_contact *)b)->shape.index;
}

typedef struct placing {
    tr2_ask *ask;
    tr2_list *list;
    const tr2_geometry *placed;
    tr2_transform frame;
    float margin;
} placing;

/* the contact with the shape of a row, as a body's, but from the world's shape to the placed one; false: none */
static bool meet(const placing *it, uint32_t row, tr2_query_contact *out)
{
    const tr2_world *world = it->ask->world;
    tr2_transform frame = tr2_ask_frame(world, row);
    tr2_manifold found = tr2_collide_solid(world->shapes.geometry[row], tr2_pose_between(&frame, &it->frame),
                                           it->placed, it->margin, world->settings.length_unit);
    if (found.count == 0)
        return false;
    tr2_pose turn = tr_turn_pose(frame.c, frame.s);
    *out = (tr2_query_contact){.shape = world->shapes.id[row],
                               .index = it->ask->index,
                               .normal = tr_rotate(turn, found.normal),
                               .point_count = found.count};
    for (uint32_t i = 0; i < found.count; i++) {
        out->point[i] = tr2_frame_point(&frame, found.points[i].point);
        out->separation[i] = found.points[i].separation;
    }
    return true;
}

static bool near(void *context, uint32_t slot)
{
    const placing *it = context;
    tr2_ask *ask = it->ask;
    uint32_t row = tr2_ask_row(ask, slot);
    tr2_query_contact contact;
    if (row == TR_NONE || !meet(it, row, &contact))
        return true;
    if (ask->query.accept == NULL || ask->query.accept(contact.shape, ask->index, ask->query.context))
        tr2_list_add(it->list, &contact);
    return true;
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void collide_poses(placing *it, const tr2_poses *poses)
{
    const tr2_broad *broad = &it->ask->world->collision.broad;
    for (uint32_t i = 0; i < poses->count; i++) {
        it->frame = tr2_ask_pose(poses, i);
        it->ask->index = i;
        tr2_bounds bounds = tr2_geometry_bounds(it->placed, it->frame.c, it->frame.s);
        double x = poses->x[i], y = poses->y[i];
        tr2_box box = {x + (double)bounds.lower.x, y + (double)bounds.lower.y, x + (double)bounds.upper.x,
                       y + (double)bounds.upper.y};
        tr2_box_widen(&box, (double)it->margin +
                                (double)tr2_skin_of(it->placed, it->placed, it->ask->world->settings.length_unit));
        tr2_list_start(it->list, i);
        tr2_tree_query(&broad->trees[0], &box, near, it);
        tr2_tree_query(&broad->trees[1], &box, near, it);
        tr2_list_sort(it->list);
    }
}

tr_status tr2_world_collide_shapes(const tr2_world *world, const tr2_shape_def *shape, const tr2_poses *poses,
                                   float margin, const tr2_query *query, tr2_query_contact *out, uint32_t capacity,
                                   uint32_t *first, tr_error *error)
{
    tr2_ask ask;
    tr2_list list;
    tr2_geometry placed;
    tr_status status = tr2_ask_begin(&ask, "collide_shapes", world, query, poses, first, error);
    if (status == TR_OK)
        status = tr2_ask_check_shape(&ask, shape, &placed);
    if (status == TR_OK)
        status = tr2_ask_check_poses(&ask, poses);
    if (status == TR_OK)
        status = tr2_check_not_negative(&ask.check, "margin", (double)margin);
    if (status == TR_OK && margin > MARGIN_MOST * world->settings.length_unit)
        status = tr2_check_fail(&ask.check, TR_ERROR_RANGE, "margin", "is %s, must be 0 to %g m",
                                tr_number((double)margin).text, (double)(MARGIN_MOST * world->settings.length_unit));
    if (status == TR_OK)
        status = tr2_list_begin(&ask, &list, out, sizeof *out, capacity, first, contact_before);
    if (status != TR_OK)
        return status;
    /* solid on both sides */
    if (shape->kind == TR2_CHAIN_SEGMENT)
        (void)tr2_geometry_segment(world->settings.length_unit, shape->point[0], shape->point[1], &placed);
    placing it = {.ask = &ask, .list = &list, .placed = &placed, .margin = margin};
    tr_arithmetic before = tr_arithmetic_plain();
    collide_poses(&it, poses);
    tr_arithmetic_restore(&before);
    return tr2_list_end(&ask, &list, poses->count);
}
