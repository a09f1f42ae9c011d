/* Characters: what is in their way, and what they push. */
#include "collide/geometry/geometry.h"
#include "world/characters/character.h"
#include "world/queries/query.h"
#include "world/shapes/shape.h"

double tr2_walker_gap(const tr2_query_contact *contact)
{
    float least = contact->separation[0];
    if (contact->point_count == 2 && contact->separation[1] < least)
        least = contact->separation[1];
    return (double)least;
}

tr2_bump tr2_walker_bump(const tr2_walker *it, const tr2_query_contact *contact)
{
    const tr2_shapes *shapes = &it->world->shapes;
    uint32_t deepest = contact->point_count == 2 && contact->separation[1] < contact->separation[0];
    return (tr2_bump){contact->shape, shapes->body[shapes->pool.row[contact->shape.index - 1]], contact->point[deepest],
                      tr_widen(contact->normal)};
}

/*
 * Velocities
 */
tr_dvec2 tr2_walker_velocity(const tr2_walker *it)
{
    if (!it->walking)
        return it->velocity;
    /* along the ground, to the right */
    tr_dvec2 along = {it->ground.normal.y, -it->ground.normal.x};
    return tr_dalong(it->ground.velocity, tr_ddot(along, it->right) < 0.0 ? -it->speed : it->speed, along);
}

tr_dvec2 tr2_walker_point_velocity(const tr2_walker *it, tr2_body body, tr_dvec2 point)
{
    const tr2_bodies *bodies = &it->world->bodies;
    uint32_t row = tr2_body_row(it->world, body);
    double w = (double)bodies->angular_velocity[row];
    return (tr_dvec2){(double)bodies->velocity_x[row] - w * (point.y - bodies->center_y[row]),
                      (double)bodies->velocity_y[row] + w * (point.x - bodies->center_x[row])};
}

/*
 * Queries
 */
static bool accepts(tr2_shape shape, uint32_t index, void *context)
{
    const tr2_walker *it = context;
    const tr2_shapes *shapes = &it->world->shapes;
    tr2_body body = shapes->body[shapes->pool.row[shape.index - 1]];
    if (tr2_is_same_body(body, it->def->body) || tr2_is_same_body(body, it->ignored))
        return false;
    for (uint32_t i = 0; it->casting && i < it->inside_count; i++)
        if (it->inside[i].shape.index == shape.index)
            return false;
    return tr2_query_accepts(it->world, &it->def->query, shape, index);
}

void tr2_walker_ask(tr2_walker *it)
{
    it->query = it->def->query;
    it->query.accept = accepts;
    it->query.context = it;
}

static bool failed(tr2_walker *it, tr_status status)
{
    if (status != TR_OK && it->status == TR_OK)
        it->status = status;
    return status != TR_OK;
}

/* A chain segment holds only what comes from its right side. What overlaps it by much has come from behind, or is on
   its way out. */
static bool passes(const tr2_walker *it, const tr2_query_contact *contact)
{
    const tr2_shapes *shapes = &it->world->shapes;
    if (shapes->kind[shapes->pool.row[contact->shape.index - 1]] != TR2_CHAIN_SEGMENT)
        return false;
    double gap = tr2_walker_gap(contact);
    if (gap >= 0.0)
        return false;
    tr2_bump bump = tr2_walker_bump(it, contact);
    tr_dvec2 way = tr_dsub(tr2_walker_velocity(it), tr2_walker_point_velocity(it, bump.body, bump.point));
    return gap < -0.5 * (double)it->def->radius || tr_ddot(way, bump.normal) > TR2_WALKER_RISE;
}

uint32_t tr2_walker_near(tr2_walker *it, double margin, tr2_query_contact *out)
{
    uint32_t first[2], count = 0;
    tr2_poses place = {1, &it->at.x, &it->at.y, NULL};
    if (failed(it, tr2_world_collide_shapes(it->world, &it->shape, &place, (float)margin, &it->query, out,
                                            TR2_WALKER_NEAR, first, &it->error)))
        return 0;
    for (uint32_t i = 0; i < first[1] && i < TR2_WALKER_NEAR; i++)
        if (!passes(it, &out[i]))
            out[count++] = out[i];
    return count;
}

static tr2_hits hits_of(tr2_hit *hit)
{
    return (tr2_hits){&hit->shape, &hit->fraction, &hit->point.x, &hit->point.y, &hit->normal.x, &hit->normal.y};
}

static bool cast(tr2_walker *it, tr_dvec2 way, tr2_hit *hit)
{
    tr2_poses from = {1, &it->at.x, &it->at.y, NULL};
    tr_vec2 by = tr_narrow(way);
    tr2_hits out = hits_of(hit);
    it->casting = true;
    tr_status status =
        tr2_world_cast_shapes(it->world, &it->guarded, &from, &by.x, &by.y, &it->query, &out, &it->error);
    it->casting = false;
    return !failed(it, status) && hit->shape.index != 0;
}

tr_dvec2 tr2_walker_look(tr2_walker *it, tr_dvec2 from, tr_dvec2 way)
{
    tr2_hit hit;
    if (failed(it, tr2_world_cast_ray(it->world, from, tr_narrow(way), &it->query, &hit, &it->error)))
        return (tr_dvec2){0.0, 0.0};
    return tr_widen(hit.normal);
}

tr_dvec2 tr2_walker_leave(const tr2_walker *it, tr_dvec2 way)
{
    for (uint32_t k = 0; k < 4 * it->inside_count; k++) {
        tr_dvec2 normal = tr_widen(it->inside[k % it->inside_count].normal);
        double into = tr_ddot(way, normal);
        if (into < 0.0)
            way = tr_dalong(way, -into, normal);
    }
    /* between surfaces that oppose each other nothing remains */
    for (uint32_t k = 0; k < it->inside_count; k++)
        if (tr_ddot(way, tr_widen(it->inside[k].normal)) < -1e-6 * tr_dlength(way))
            return (tr_dvec2){0.0, 0.0};
    return way;
}

tr_dvec2 tr2_walker_slip(const tr2_walker *it, tr_dvec2 way, tr_dvec2 normal)
{
    double rise = tr_ddot(normal, it->up), aside = tr_ddot(way, it->right);
    if (rise > 0.0 && rise < it->steepest && aside * tr_ddot(normal, it->right) < 0.0)
        way = tr_dalong(way, -aside, it->right);
    double into = tr_ddot(way, normal);
    return into < 0.0 ? tr_dalong(way, -into, normal) : way;
}

/* A shape that is closer than the guard becomes a plane: a cast that begins there tells no normal. */
static bool enters(tr2_walker *it, tr2_shape shape)
{
    tr2_query_contact near[TR2_WALKER_NEAR];
    uint32_t count = tr2_walker_near(it, it->skin, near);
    for (uint32_t i = 0; i < count; i++) {
        if (near[i].shape.index != shape.index || it->inside_count == TR2_WALKER_NEAR)
            continue;
        it->inside[it->inside_count++] = near[i];
        return true;
    }
    return false;
}

bool tr2_walker_cast(tr2_walker *it, tr_dvec2 way, tr2_bump *hit, double *left)
{
    tr2_hit found;
    bool met = false;
    *left = 0.0;
    for (uint32_t round = 0; round <= TR2_WALKER_NEAR; round++) {
        way = tr2_walker_leave(it, way);
        if (!(tr_dlength(way) > 0.0))
            return false;
        met = cast(it, way, &found);
        bool is_inside = met && found.normal.x == 0.0f && found.normal.y == 0.0f;
        if (it->status != TR_OK || (is_inside && !enters(it, found.shape)))
            return false;
        if (!is_inside)
            break;
    }
    if (!met) {
        it->at = tr_dalong(it->at, 1.0, way);
        return false;
    }
    const tr2_shapes *shapes = &it->world->shapes;
    *hit = (tr2_bump){found.shape, shapes->body[shapes->pool.row[found.shape.index - 1]], found.point,
                      tr_widen(found.normal)};
    double length = tr_dlength(way), closing = -tr_ddot(way, hit->normal) / length;
    double free =
        (double)found.fraction * length - (1.0 - TR2_WALKER_GUARD) * it->skin / (closing > 1e-3 ? closing : 1e-3);
    free = free > 0.0 ? free : 0.0;
    it->at = tr_dalong(it->at, free / length, way);
    *left = length - free;
    return true;
}

/*
 * Pushes
 */
void tr2_walker_push(tr2_walker *it, const tr2_bump *bump, tr_dvec2 impulse)
{
    const tr2_bodies *bodies = &it->world->bodies;
    uint32_t row = tr2_body_row(it->world, bump->body);
    if (it->status != TR_OK || it->before_count == TR2_WALKER_PUSHES)
        return;
    it->before[it->before_count].body = bump->body.index - 1;
    it->before[it->before_count].x = bodies->velocity_x[row];
    it->before[it->before_count].y = bodies->velocity_y[row];
    it->before[it->before_count].w = bodies->angular_velocity[row];
    it->before_count++;
    if (failed(it, tr2_body_apply_impulse(it->world, bump->body, tr_narrow(impulse), bump->point)))
        it->error = it->world->last_error;
}

void tr2_walker_undo(tr2_walker *it)
{
    tr2_bodies *bodies = &it->world->bodies;
    while (it->before_count > 0) {
        it->before_count--;
        uint32_t row = it->world->body_pool.row[it->before[it->before_count].body];
        bodies->velocity_x[row] = it->before[it->before_count].x;
        bodies->velocity_y[row] = it->before[it->before_count].y;
        bodies->angular_velocity[row] = it->before[it->before_count].w;
    }
}

static void list_hit(tr2_walker *it, const tr2_bump *bump, tr_dvec2 impulse)
{
    tr2_character_result *result = it->result;
    uint32_t i = 0;
    while (i < result->hit_count && result->hits[i].shape.index != bump->shape.index)
        i++;
    if (i == TR2_CHARACTER_HITS)
        return;
    if (i == result->hit_count) {
        result->hits[i] = (tr2_character_hit){bump->shape, bump->body, bump->point, tr_narrow(bump->normal), {0, 0}};
        result->hit_count++;
    }
    result->hits[i].impulse.x += (float)impulse.x;
    result->hits[i].impulse.y += (float)impulse.y;
}

/* 1/kg: how fast a unit of impulse along the normal makes the body's point */
static double give_of(const tr2_walker *it, const tr2_bump *bump)
{
    const tr2_bodies *bodies = &it->world->bodies;
    uint32_t row = tr2_body_row(it->world, bump->body);
    tr_dvec2 arm = {bump->point.x - bodies->center_x[row], bump->point.y - bodies->center_y[row]};
    double turn = tr_dcross(arm, bump->normal);
    return (double)tr2_body_inverse_mass(bodies, row) + turn * turn * (double)tr2_body_inverse_inertia(bodies, row);
}

void tr2_walker_strike(tr2_walker *it, const tr2_bump *bump)
{
    tr_dvec2 impulse = {0.0, 0.0}, theirs = tr2_walker_point_velocity(it, bump->body, bump->point);
    double closing = tr_ddot(tr_dsub(theirs, tr2_walker_velocity(it)), bump->normal);
    double give = give_of(it, bump), mass = (double)it->def->mass;
    if (closing > 0.0 && give > 0.0 && mass > 0.0 && it->budget > 0.0 && it->dt > 0.0) {
        /* an inelastic impact of two masses, as far as the character's force reaches */
        double size = fmin(closing / (1.0 / mass + give), it->budget);
        it->budget -= size;
        impulse = tr_dscale(-size, bump->normal);
        tr2_walker_push(it, bump, impulse);
        theirs = tr2_walker_point_velocity(it, bump->body, bump->point);
    }
    list_hit(it, bump, impulse);
    if (!it->walking)
        it->velocity = tr_dalong(tr2_walker_slip(it, tr_dsub(it->velocity, theirs), bump->normal), 1.0, theirs);
}
