/*
 * Characters: where they go. In the air a character slides along what it meets. On the ground it walks along it with
 * its speed, and anything else stops it: unless it is a step.
 */
#include "world/characters/character.h"

#define ROUNDS 8u

static double side_of(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

/*
 * Out of what has moved into it
 */

/* The shortest way, found in rounds, after which all contacts keep the skin. Their surfaces count as endless. */
static tr_dvec2 way_out(const tr2_walker *it, const tr2_query_contact *near, uint32_t count)
{
    tr_dvec2 way = {0.0, 0.0};
    for (uint32_t k = 0; k < 16 * count; k++) {
        const tr2_query_contact *contact = &near[k % count];
        tr_dvec2 normal = tr_widen(contact->normal);
        double lack = it->skin - tr2_walker_gap(contact) - tr_ddot(way, normal);
        if (lack > 0.0)
            way = tr_dalong(way, lack, normal);
    }
    return way;
}

/* keeps those closer than the guard in `inside`; the least gap */
static double sort_contacts(tr2_walker *it, const tr2_query_contact *near, uint32_t count)
{
    double least = it->skin;
    it->inside_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        double gap = tr2_walker_gap(&near[i]);
        least = fmin(least, gap);
        if (gap <= TR2_WALKER_GUARD * it->skin)
            it->inside[it->inside_count++] = near[i];
    }
    return least;
}

void tr2_walker_recover(tr2_walker *it)
{
    tr2_query_contact near[TR2_WALKER_NEAR];
    uint32_t count = 0;
    for (uint32_t round = 0; round < ROUNDS / 2; round++) {
        count = tr2_walker_near(it, it->skin, near);
        if (sort_contacts(it, near, count) >= TR2_WALKER_LEAST * it->skin)
            break;
        for (uint32_t i = 0; round == 0 && i < count; i++) {
            tr2_bump bump = tr2_walker_bump(it, &near[i]);
            if (!it->walking || !tr2_is_same_body(bump.body, it->ground.at.body))
                tr2_walker_strike(it, &bump);
        }
        tr_dvec2 way = way_out(it, near, count);
        tr2_bump hit;
        double left;
        (void)tr2_walker_cast(it, way, &hit, &left);
    }
    count = tr2_walker_near(it, it->skin, near);
    it->result->crushed = sort_contacts(it, near, count) < -it->skin;
}

void tr2_walker_carry(tr2_walker *it, tr_dvec2 way)
{
    for (uint32_t round = 0; round < ROUNDS / 2; round++) {
        tr2_bump hit;
        double length = tr_dlength(way), left;
        if (!(length > 0.0) || !tr2_walker_cast(it, way, &hit, &left))
            return;
        tr2_walker_strike(it, &hit);
        way = tr2_walker_slip(it, tr_dscale(left / length, way), hit.normal);
    }
}

/*
 * Ground
 */

/* the surface behind a corner that the foot touches: walkable, or zero */
static tr_dvec2 behind_corner(tr2_walker *it, const tr2_bump *at)
{
    double away = side_of(tr_ddot(at->normal, it->right));
    tr_dvec2 from = tr_dalong(tr_dalong(at->point, 2.0 * it->skin, it->up), -away * it->skin, it->right);
    tr_dvec2 normal = tr2_walker_look(it, from, tr_dscale(-4.0 * it->skin, it->up));
    return tr_ddot(normal, it->up) >= it->steepest ? normal : (tr_dvec2){0.0, 0.0};
}

/* Whether it can stand on a surface. A corner of something walkable may be too steep for the round foot: then it stands
   there while it moves onto it, and if there is ground under the middle of its foot, as on stairs. */
static bool stands_on(tr2_walker *it, const tr2_bump *at, double toward, tr_dvec2 *normal)
{
    double rise = tr_ddot(at->normal, it->up);
    *normal = at->normal;
    if (rise >= it->steepest)
        return true;
    double high = tr_ddot(tr_dsub(at->point, it->at), it->up);
    if (!(rise > 0.0) || high + it->skin > (double)it->def->step_up + 0.1 * it->skin)
        return false;
    *normal = behind_corner(it, at);
    if (!(tr_ddot(*normal, it->up) > 0.0))
        return false;
    if (toward * tr_ddot(at->normal, it->right) < 0.0)
        return true;
    double drop = (double)it->def->step_down + it->skin - high;
    return drop > 0.0 && tr_ddot(tr2_walker_look(it, it->at, tr_dscale(-drop, it->up)), it->up) >= it->steepest;
}

static tr2_stand stand_of(const tr2_walker *it, const tr2_bump *at, tr_dvec2 normal)
{
    return (tr2_stand){*at, normal, tr2_walker_point_velocity(it, at->body, at->point), true};
}

/* Ground that it touches, even if something steep is nearer to its foot; and between two surfaces that are too steep to
   stand on it stands, too. */
static tr2_stand touched_ground(tr2_walker *it)
{
    tr2_query_contact near[TR2_WALKER_NEAR];
    uint32_t count = tr2_walker_near(it, 2.0 * it->skin, near);
    tr2_stand found = {.found = false};
    bool left = false, right = false;
    for (uint32_t i = 0; i < count; i++) {
        tr2_bump bump = tr2_walker_bump(it, &near[i]);
        double rise = tr_ddot(bump.normal, it->up), aside = tr_ddot(bump.normal, it->right);
        if (rise >= it->steepest)
            return stand_of(it, &bump, bump.normal);
        if (!(rise > 0.01))
            continue;
        left = left || aside < 0.0;
        right = right || aside > 0.0;
        if (left && right)
            return stand_of(it, &bump, it->up);
    }
    return found;
}

tr2_stand tr2_walker_ground(tr2_walker *it, double drop)
{
    tr_dvec2 start = it->at, normal;
    tr2_stand none = {.found = false}, found = none;
    /* what it overlaps is not seen by casts */
    for (uint32_t i = 0; i < it->inside_count; i++) {
        tr2_bump bump = tr2_walker_bump(it, &it->inside[i]);
        if (tr_ddot(bump.normal, it->up) >= it->steepest)
            found = stand_of(it, &bump, bump.normal);
    }
    tr2_bump hit;
    double left;
    if (!found.found && tr2_walker_cast(it, tr_dscale(-drop, it->up), &hit, &left) &&
        stands_on(it, &hit, it->walking ? it->speed : tr_ddot(it->velocity, it->right), &normal))
        found = stand_of(it, &hit, normal);
    if (!found.found)
        it->at = start;
    if (!found.found)
        found = touched_ground(it);
    if (!found.found || it->walking)
        return found;
    /* what it leaves is no ground */
    double rise = tr_ddot(tr_dsub(it->velocity, found.velocity), it->up);
    if (rise > TR2_WALKER_RISE) {
        it->at = start;
        return none;
    }
    return found;
}

/* from the air to the ground: the speed along `right` stays */
static void land(tr2_walker *it, const tr2_stand *ground)
{
    if (!it->walking)
        it->speed = tr_ddot(tr_dsub(it->velocity, ground->velocity), it->right);
    it->walking = true;
    it->ground = *ground;
}

static void take_off(tr2_walker *it)
{
    if (it->walking)
        it->velocity = tr2_walker_velocity(it);
    it->walking = false;
    it->ground = (tr2_stand){.found = false};
}

void tr2_walker_settle(tr2_walker *it, double drop)
{
    tr2_stand ground = tr2_walker_ground(it, drop);
    if (ground.found)
        land(it, &ground);
    else
        take_off(it);
}

/*
 * Steps
 */

/* Up, forward and down again: true if that ends on ground that is higher, but not by more than a step. The way forward
   is at least a few skins, because with less a foot at the side of a step would not come to stand on it. */
static bool climb(tr2_walker *it, double *left)
{
    tr_dvec2 start = it->at, normal;
    double most = (double)it->def->step_up, side = side_of(it->speed), rest;
    tr2_bump hit;
    if (!(most > 0.0))
        return false;
    (void)tr2_walker_cast(it, tr_dscale(most + it->skin, it->up), &hit, &rest);
    double forward = fmax(*left, 3.0 * it->skin);
    bool blocked = tr2_walker_cast(it, tr_dscale(side * forward, it->right), &hit, &rest);
    double gone = blocked ? forward - rest : forward, raised = tr_ddot(tr_dsub(it->at, start), it->up);
    if (raised > 0.0 && gone > 0.0 && tr2_walker_cast(it, tr_dscale(-raised, it->up), &hit, &rest) && rest > 0.0 &&
        tr_ddot(tr_dsub(hit.point, start), it->up) + it->skin <= most + 0.1 * it->skin &&
        tr_ddot(tr_dsub(it->at, start), it->up) > 0.0 && stands_on(it, &hit, side, &normal)) {
        it->ground = stand_of(it, &hit, normal);
        *left = fmax(*left - gone, 0.0);
        return true;
    }
    it->at = start;
    return false;
}

/*
 * Its own motion
 */

/* along the ground, `length` m in the direction of its speed */
static tr_dvec2 motion_along(const tr2_walker *it, double length)
{
    tr_dvec2 along = {it->ground.normal.y, -it->ground.normal.x};
    if (tr_ddot(along, it->right) < 0.0)
        along = tr_dscale(-1.0, along);
    return tr_dscale(side_of(it->speed) * length, along);
}

/* what stops it on the ground: it goes on with the speed of that, if it has any */
static void stop(tr2_walker *it, const tr2_bump *hit)
{
    tr_dvec2 theirs = tr_dsub(tr2_walker_point_velocity(it, hit->body, hit->point), it->ground.velocity);
    double side = side_of(it->speed), along = side * tr_ddot(theirs, it->right);
    it->speed = along > 0.0 ? side * fmin(along, fabs(it->speed)) : 0.0;
}

void tr2_walker_go(tr2_walker *it, tr_dvec2 velocity)
{
    double left = it->dt;
    tr_dvec2 way = it->walking ? motion_along(it, fabs(it->speed) * left) : tr_dscale(left, velocity);
    for (uint32_t round = 0; round < ROUNDS && it->status == TR_OK; round++) {
        double length = tr_dlength(way), rest;
        tr2_bump hit;
        if (!(length > 0.0) || !tr2_walker_cast(it, way, &hit, &rest))
            return;
        bool flat = tr_ddot(hit.normal, it->up) >= it->steepest;
        left *= rest / length;
        if (it->walking && !flat) {
            if (!climb(it, &rest)) {
                tr2_walker_strike(it, &hit);
                stop(it, &hit);
                return;
            }
            way = motion_along(it, rest);
        } else if (flat) {
            tr2_walker_strike(it, &hit);
            tr2_stand ground = stand_of(it, &hit, hit.normal);
            bool landed = !it->walking;
            land(it, &ground);
            way = motion_along(it, landed ? fabs(it->speed) * left : rest);
        } else {
            tr2_walker_strike(it, &hit);
            way = tr2_walker_slip(it, tr_dscale(rest / length, way), hit.normal);
        }
    }
}
