#include "world/collision/reach.h"

#include <math.h>

#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/core/body.h"

/* by both motions at the shape's body, by the relative rotation, and by the other's circular path, which bulges from
   its chord */
double tr2_travel_against(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, const tr2_track *track,
                          const tr2_track *other)
{
    tr2_motion carry = tr2_track_carry(other, track->start), own = track->motion;
    tr2_motion against = {own.x - carry.x, own.y - carry.y, own.turn - carry.turn};
    float bulge = tr_min(0.125f * carry.turn * carry.turn, 2.0f) * tr_length(tr_sub(track->start, other->start));
    return tr2_collide_travel(bodies, body, geometry, against) + (double)bulge;
}

double tr2_travel_bound(const tr2_world *world, uint32_t body, const tr2_geometry *geometry, uint32_t other)
{
    const tr2_bodies *bodies = &world->bodies;
    tr2_motion by = tr2_solver_motion(world->solver, other);
    double own = tr2_collide_travel(bodies, body, geometry, tr2_solver_motion(world->solver, body));
    double x = bodies->center_x[body] - bodies->center_x[other], y = bodies->center_y[body] - bodies->center_y[other];
    double moved_x = (double)by.x, moved_y = (double)by.y, moved = sqrt(moved_x * moved_x + moved_y * moved_y);
    /* an arc is at most its radius times the angle; the arm was at most this long when the step began */
    double turn = fabs((double)by.turn), arm = sqrt(x * x + y * y) + own + moved;
    return own + moved + turn * (1.0 + 0.125 * turn) * arm + tr2_swing(bodies, body, geometry, turn);
}

tr2_place_seen tr2_see_from(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, uint32_t other,
                            float unit)
{
    tr_vec2 from = {(float)(bodies->center_x[body] - bodies->center_x[other]),
                    (float)(bodies->center_y[body] - bodies->center_y[other])};
    if (!tr2_is_centered(bodies, geometry)) {
        tr_vec2 center = tr2_body_center(bodies, body);
        tr2_pose turned = tr_turn_pose(bodies->c[body], bodies->s[body]);
        from = tr_add(from, tr_rotate(turned, tr_sub(geometry->center, center)));
    }
    tr2_pose turn = tr_turn_pose(bodies->c[other], bodies->s[other]);
    tr_vec2 at = tr_add(tr_rotate_back(turn, from), tr2_body_center(bodies, other));
    /* rounding errors grow with the coordinates */
    float slack = 1e-3f * unit + 1e-5f * (tr_length(from) + tr_length(at));
    return (tr2_place_seen){at, geometry->extent + TR2_MEET * unit + slack};
}

double tr2_clearance(const tr2_place_seen *seen, const tr2_geometry *other)
{
    float clear = tr_length(tr_sub(seen->at, other->center)) - other->extent;
    /* a line has two sides */
    if (other->count == 2)
        clear = tr_max(clear, fabsf(tr_dot(other->corners[0].normal, tr_sub(seen->at, other->corners[0].point))) -
                                  other->radius);
    for (uint32_t i = 0; i < other->count && other->count > 2; i++)
        clear =
            tr_max(clear, tr_dot(other->corners[i].normal, tr_sub(seen->at, other->corners[i].point)) - other->radius);
    return (double)(clear - seen->size);
}

bool tr2_is_out_of_reach(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, uint32_t other_body,
                         const tr2_geometry *other, double gone, float unit)
{
    tr2_place_seen seen = tr2_see_from(bodies, body, geometry, other_body, unit);
    return tr2_clearance(&seen, other) > gone;
}
