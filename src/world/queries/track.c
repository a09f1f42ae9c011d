/* Finds how far a shape may move before it sinks into another. */
#include "world/queries/track.h"

#include <math.h>
#include <string.h>

#include "collide/geometry/vector.h"
#include "world/core/body.h"

/* relative to the inner radius: depth to which a body may sink in */
#define SINK_SHARE 0.25f
/* units; greatest depth */
#define SINK_MOST 0.02f
/* units; a shape followed by its centre only is stopped this far from what it would pass through */
#define SHORT_OF     0.002f
#define POINT_ROUNDS 4u
/* it must be free to go on for so much longer: where it ends, rounding errors must not put it on the other side */
#define POINT_AHEAD 1.25f
/* units; its path is divided into pieces that bulge less from their chords, up to a greatest number */
#define BULGE_MOST  0.00002f
#define PIECES_MOST 32u
/* units; two lines that are nearer have sunk into nearly all of their skin: only a middle is followed */
#define LINES_LEAST 0.001f
/* rad; motions with a larger rotation are divided into parts, up to a greatest number */
#define TURN_PART  1.0f
#define PARTS_MOST ((uint32_t)(TR2_BLURRED_TURN / TURN_PART))

/*
 * Shapes
 */
/* m; how far a shape may sink in */
static float sink_of(const tr2_geometry *geometry, float unit)
{
    return tr_min(SINK_MOST * unit, SINK_SHARE * geometry->inner);
}

bool tr2_is_deep(const tr2_geometry *geometry, float depth, float unit)
{
    return depth > TR2_DEEP_LEAST * unit && depth > SINK_SHARE * geometry->inner;
}

/* Reduces a shape by the depth `by`: first its radius, then its edges move inward. A shape without depth stays. */
static void shrink(const tr2_geometry *geometry, float by, tr2_geometry *out)
{
    memcpy(out, geometry, tr2_geometry_size(geometry));
    float round = tr_min(by, geometry->radius), flat = by - round;
    out->radius -= round;
    uint32_t count = geometry->count;
    if (count < 3 || !(flat > 0.0f))
        return;
    for (uint32_t i = 0; i < count; i++) {
        /* where the two edges of a corner will meet; limited for sharp corners */
        tr_vec2 before = geometry->corners[i > 0 ? i - 1 : count - 1].normal, after = geometry->corners[i].normal;
        float reach = flat / tr_max(1.0f + tr_dot(before, after), 0.25f);
        out->corners[i].point = tr_along(geometry->corners[i].point, -reach, tr_add(before, after));
    }
    for (uint32_t i = count; i < ((count + 3u) & ~3u); i++)
        out->corners[i] = out->corners[0];
}

/*
 * Motion
 */

tr2_track tr2_track_rest(const tr2_track *it, float part)
{
    tr2_track out = *it;
    float left = 1.0f - part;
    out.start.x += part * it->motion.x;
    out.start.y += part * it->motion.y;
    out.angle += (double)(part * it->motion.turn);
    out.motion = (tr2_motion){left * it->motion.x, left * it->motion.y, left * it->motion.turn};
    return out;
}

tr2_motion tr2_track_carry(const tr2_track *by, tr_vec2 place)
{
    tr2_pose turned = {.c = 1.0f, .s = 0.0f};
    tr2_rotation((double)by->motion.turn, &turned.c, &turned.s);
    tr_vec2 arm = tr_sub(place, by->start), after = tr_rotate(turned, arm);
    return (tr2_motion){by->motion.x + (after.x - arm.x), by->motion.y + (after.y - arm.y), by->motion.turn};
}

tr2_transform tr2_track_at(const tr2_track *it, float part)
{
    tr2_transform out = {.angle = it->angle + (double)(part * it->motion.turn)};
    tr2_rotation(out.angle, &out.c, &out.s);
    tr_dvec2 arm = tr2_rotate(out.c, out.s, it->center);
    out.position.x = (double)(it->start.x + part * it->motion.x) - arm.x;
    out.position.y = (double)(it->start.y + part * it->motion.y) - arm.y;
    return out;
}

static tr2_sweep sweep_of(const tr2_track *it, float first, float last)
{
    tr2_sweep out = {.center = it->center};
    out.start = (tr_vec2){it->start.x + first * it->motion.x, it->start.y + first * it->motion.y};
    out.end = (tr_vec2){it->start.x + last * it->motion.x, it->start.y + last * it->motion.y};
    tr2_rotation(it->angle + (double)(first * it->motion.turn), &out.c0, &out.s0);
    tr2_rotation(it->angle + (double)(last * it->motion.turn), &out.c1, &out.s1);
    return out;
}

float tr2_turn_of(const tr2_geometry *geometry, const tr2_track *it)
{
    bool still = geometry->kind == TR2_GEOMETRY_CIRCLE && geometry->center.x == it->center.x &&
                 geometry->center.y == it->center.y;
    return still ? 0.0f : fabsf(it->motion.turn);
}

/* the first time at which two shapes are within `target`, to within a quarter of `near` */
static tr2_motion_impact impact_within(const tr2_geometry *a, const tr2_track *track_a, const tr2_geometry *b,
                                       const tr2_track *track_b, float target, float near)
{
    float turn = tr_max(tr2_turn_of(a, track_a), tr2_turn_of(b, track_b)) / TURN_PART;
    uint32_t parts = turn < (float)(PARTS_MOST - 1) ? 1 + (uint32_t)turn : PARTS_MOST;
    tr2_motion_impact impact = {.state = TR2_IMPACT_NONE, .time = 1.0f};
    for (uint32_t k = 0; k < parts; k++) {
        float first = (float)k / (float)parts, last = (float)(k + 1) / (float)parts;
        tr2_sweep sweep_a = sweep_of(track_a, first, last), sweep_b = sweep_of(track_b, first, last);
        impact = tr2_time_of_impact(a, &sweep_a, b, &sweep_b, target, 0.25f * near);
        if (impact.state == TR2_IMPACT_NONE) {
            impact.near = first + (last - first) * impact.near;
            continue;
        }
        if (k > 0 && impact.state == TR2_IMPACT_OVERLAP)
            impact.state = TR2_IMPACT_HIT;
        impact.time = first + (last - first) * impact.time;
        return impact;
    }
    return impact;
}

tr2_motion_impact tr2_first_impact(const tr2_geometry *a, const tr2_track *track_a, const tr2_geometry *b,
                                   const tr2_track *track_b, float target, float unit)
{
    return impact_within(a, track_a, b, track_b, tr2_skin_of(a, b, unit) + target, target);
}

/* A point of a body at a fraction of its motion, in the other's frame; in double, because at kilometres from the
   other's origin floats are too coarse to tell on which side of it the point is. */
static tr_dvec2 seen_by(const tr2_track *other_track, const tr2_track *track, tr_vec2 point, float part)
{
    tr2_transform at = tr2_track_at(track, part), frame = tr2_track_at(other_track, part);
    tr_dvec2 arm = tr2_rotate(at.c, at.s, point);
    double x = at.position.x - frame.position.x + (double)(track->lost.x - other_track->lost.x) + arm.x;
    double y = at.position.y - frame.position.y + (double)(track->lost.y - other_track->lost.y) + arm.y;
    double c = (double)frame.c, s = (double)frame.s;
    return (tr_dvec2){c * x + s * y, c * y - s * x};
}

/* Upper bound of how far the path of a body's point, as the other body sees it, bulges from its chord: by an eighth of
   its acceleration, which is centrifugal, 2 w v of Coriolis, and that of the point's own rotation. */
static float bulge_of(tr_vec2 point, const tr2_track *track, const tr2_track *other_track)
{
    float turn = other_track->motion.turn, own = track->motion.turn - turn;
    tr_vec2 far = tr_sub(track->start, other_track->start);
    tr_vec2 gone = {track->motion.x - other_track->motion.x, track->motion.y - other_track->motion.y};
    tr_vec2 bends = tr_along(tr_scale(turn, far), 2.0f, tr_left(gone));
    float first = fabsf(turn) * (tr_length(bends) + fabsf(turn) * tr_length(gone));
    return 0.125f * (first + own * own * tr_length(tr_sub(point, track->center)));
}

/* the direction of the right side of a chain's segment */
static tr_vec2 front_of(const tr2_geometry *chain, const tr2_transform *at)
{
    return tr_rotate(tr_turn_pose(at->c, at->s), chain->corners[0].normal);
}

bool tr2_meets_front(const tr2_geometry *shape, const tr2_track *track, float part, tr_vec2 away)
{
    if (shape->kind != TR2_GEOMETRY_CHAIN)
        return true;
    tr2_transform at = tr2_track_at(track, part);
    return tr_dot(front_of(shape, &at), away) >= 0.0f;
}

/* Whether another shape, which may be far larger than a chain segment, is on the right side of it. If they overlap, its
   centre tells. */
static bool is_before(const tr2_geometry *chain, const tr2_track *track_chain, const tr2_geometry *geometry,
                      const tr2_track *track)
{
    if (chain->kind != TR2_GEOMETRY_CHAIN)
        return true;
    tr2_transform at = tr2_track_at(track, 0.0f), frame = tr2_track_at(track_chain, 0.0f);
    tr2_distance_result near = tr2_distance(chain, tr2_pose_between(&frame, &at), geometry);
    if (near.distance > 0.0f)
        return tr_dot(near.normal, chain->corners[0].normal) >= 0.0f;
    return tr2_geometry_height(chain, seen_by(track_chain, track, geometry->center, 0.0f)) >= 0.0;
}

bool tr2_comes_at(const tr2_geometry *chain, const tr2_track *track_chain, const tr2_geometry *geometry,
                  const tr2_track *track)
{
    if (chain->kind != TR2_GEOMETRY_CHAIN || tr2_is_line(geometry))
        return true;
    double begins = tr2_geometry_height(chain, seen_by(track_chain, track, geometry->center, 0.0f));
    double ends = tr2_geometry_height(chain, seen_by(track_chain, track, geometry->center, 1.0f));
    /* a path that ends higher may dip before: at first it falls by up to four times its bulge */
    return begins >= 0.0 && (tr2_turn_of(geometry, track) > 0.0f ||
                             ends < begins + 4.0 * (double)bulge_of(geometry->center, track, track_chain));
}

/* The end of the free part of a piece of a point's motion, from `first` to `last`, as if the piece were straight; the
   shorter it gets, the straighter it is. */
static float free_end(tr_vec2 point, const tr2_track *track, const tr2_geometry *other, const tr2_track *other_track,
                      float first, float last, float unit)
{
    tr_dvec2 from = seen_by(other_track, track, point, first);
    float end = last;
    for (uint32_t round = 0; round < POINT_ROUNDS; round++) {
        tr_dvec2 to = seen_by(other_track, track, point, end);
        tr_vec2 along = {POINT_AHEAD * (float)(to.x - from.x), POINT_AHEAD * (float)(to.y - from.y)};
        tr2_cast_result cast = tr2_geometry_side_cast(other, from, along);
        float closing = -tr_dot(along, cast.normal);
        /* it is inside already: contacts push it out */
        if (!cast.hit || !(closing > 0.0f))
            break;
        float part = POINT_AHEAD * (cast.fraction - SHORT_OF * unit / closing);
        if (!(part < 1.0f))
            break;
        end = first + (end - first) * tr_max(part, 0.0f);
    }
    return end;
}

/* The free part of the motion of a single point of a body: a shape that starts next to a wall, or in it up to its
   centre, still does not pass through. Its path is divided into pieces that are almost straight, as the other body sees
   them: a path that bulges through a wall and back may end in between, where something else stops the body. */
static float free_part_of_point(tr_vec2 point, const tr2_track *track, const tr2_geometry *other,
                                const tr2_track *other_track, float unit)
{
    float wanted = sqrtf(bulge_of(point, track, other_track) / (BULGE_MOST * unit));
    uint32_t pieces = wanted < (float)(PIECES_MOST - 1) ? 1 + (uint32_t)wanted : PIECES_MOST;
    for (uint32_t k = 0; k < pieces; k++) {
        float first = (float)k / (float)pieces, last = (float)(k + 1) / (float)pieces;
        float end = free_end(point, track, other, other_track, first, last, unit);
        if (end < last)
            return tr_min(end, free_end(point, track, other, other_track, 0.0f, last, unit));
    }
    return 1.0f;
}

bool tr2_is_blurred(const tr2_geometry *geometry, const tr2_track *track)
{
    return tr2_turn_of(geometry, track) > TR2_BLURRED_TURN;
}

tr2_geometry tr2_disc_of(const tr2_geometry *geometry, tr_vec2 center)
{
    tr2_geometry out;
    memset(&out, 0, sizeof out);
    out.kind = TR2_GEOMETRY_CIRCLE;
    out.count = 1;
    out.center = center;
    out.radius = out.extent = out.inner = tr2_geometry_reach(geometry, center);
    for (uint32_t i = 0; i < TR2_MAX_CORNERS; i++)
        out.corners[i].point = center;
    return out;
}

/* the same for the disc swept by a blurred shape; if the disc overlaps already, its centre may not come nearer */
static float free_part_of_disc(const tr2_geometry *disc, const tr2_track *track, const tr2_geometry *other,
                               const tr2_track *other_track, float unit)
{
    tr2_motion_impact impact = tr2_first_impact(disc, track, other, other_track, TR2_MEET * unit, unit);
    if (impact.state != TR2_IMPACT_OVERLAP)
        return impact.time;
    tr2_transform at = tr2_track_at(track, 0.0f), frame = tr2_track_at(other_track, 0.0f);
    tr2_geometry middle = *disc;
    middle.radius = 0.0f;
    tr2_distance_result near = tr2_distance(other, tr2_pose_between(&frame, &at), &middle);
    tr2_pose turn = tr_turn_pose(frame.c, frame.s);
    tr2_motion carry = tr2_track_carry(other_track, track->start);
    tr_vec2 along = {track->motion.x - carry.x, track->motion.y - carry.y};
    bool nearer = tr_dot(along, tr_rotate(turn, near.normal)) < 0.0f;
    return nearer ? 0.0f : free_part_of_point(disc->center, track, other, other_track, unit);
}

/* Whether the middle of a chain's segment moves towards its right side, as the other sees it. */
static bool goes_forward(const tr2_geometry *self, const tr2_track *track, const tr2_track *other_track)
{
    tr2_transform at = tr2_track_at(track, 0.0f), frame = tr2_track_at(other_track, 0.0f);
    tr_dvec2 from = seen_by(other_track, track, self->center, 0.0f),
             to = seen_by(other_track, track, self->center, 1.0f);
    tr_vec2 motion = {(float)(to.x - from.x), (float)(to.y - from.y)};
    return tr_dot(tr_rotate(tr_turn_pose(frame.c, frame.s), motion), front_of(self, &at)) >= 0.0f;
}

/* Whether an impact is none from behind a segment of a chain: of the one that moves, or that a line meets. Others have
   been judged where they come from. A chain that overlaps the other may be on its way through, from behind. */
static bool fronts_meet(const tr2_geometry *self, const tr2_track *track, const tr2_geometry *other,
                        const tr2_track *other_track, const tr2_motion_impact *impact)
{
    bool line = tr2_is_line(self);
    if (impact->state == TR2_IMPACT_OVERLAP)
        return (self->kind != TR2_GEOMETRY_CHAIN || goes_forward(self, track, other_track)) &&
               is_before(self, track, other, other_track) && (!line || is_before(other, other_track, self, track));
    return tr2_meets_front(self, track, impact->time, impact->normal) &&
           (!line || tr2_meets_front(other, other_track, impact->time, tr_negative(impact->normal)));
}

float tr2_free_part(const tr2_geometry *self, const tr2_track *track, const tr2_geometry *other,
                    const tr2_track *other_track, float unit)
{
    if (!tr2_comes_at(other, other_track, self, track))
        return 1.0f;
    if (tr2_is_blurred(self, track)) {
        tr2_geometry disc = tr2_disc_of(self, track->center);
        if (tr2_is_line(self) && !tr2_comes_at(other, other_track, &disc, track))
            return 1.0f;
        return free_part_of_disc(&disc, track, other, other_track, unit);
    }
    tr2_geometry around;
    if (tr2_is_blurred(other, other_track)) {
        around = tr2_disc_of(other, other_track->center);
        other = &around;
    }
    tr2_geometry small;
    shrink(self, sink_of(self, unit), &small);
    /* lines may sink into their skin */
    tr2_motion_impact deep = impact_within(&small, track, other, other_track, TR2_MEET * unit, TR2_MEET * unit);
    if (deep.state == TR2_IMPACT_NONE)
        return 1.0f;
    if (deep.state == TR2_IMPACT_OVERLAP) {
        /* it starts that deep: prevent it from sinking deeper, or at least from passing through */
        float least = unit * (tr2_skin_of(self, other, unit) > 0.0f ? LINES_LEAST : TR2_MEET);
        shrink(self, (float)TR2_FAST_SHARE * self->inner, &small);
        deep = impact_within(&small, track, other, other_track, least, least);
        if (!fronts_meet(self, track, other, other_track, &deep))
            return 1.0f;
        return deep.state != TR2_IMPACT_OVERLAP ? deep.time
                                                : free_part_of_point(self->center, track, other, other_track, unit);
    }
    if (!fronts_meet(self, track, other, other_track, &deep))
        return 1.0f;
    tr2_motion_impact first = tr2_first_impact(self, track, other, other_track, TR2_MEET * unit, unit);
    bool touches = first.state == TR2_IMPACT_HIT || first.state == TR2_IMPACT_SLOW;
    return touches && first.time < deep.time ? first.time : deep.time;
}

/*
 * Motion after an impact
 */

/* m; how far a motion takes a point at an arm from the centre of mass along a normal, to first order */
static float motion_along(const tr2_track *it, tr_vec2 arm, tr_vec2 normal)
{
    return it->motion.x * normal.x + it->motion.y * normal.y + it->motion.turn * tr_cross(arm, normal);
}

tr2_motion tr2_track_push(const tr2_geometry *self, const tr2_track *track, const tr2_geometry *other,
                          const tr2_track *other_track, float unit)
{
    /* that far a shape's points do not move to first order */
    tr2_geometry own_disc, other_disc;
    if (tr2_is_blurred(self, track)) {
        own_disc = tr2_disc_of(self, track->center);
        self = &own_disc;
    }
    if (tr2_is_blurred(other, other_track)) {
        other_disc = tr2_disc_of(other, other_track->center);
        other = &other_disc;
    }
    tr2_transform at = tr2_track_at(track, 0.0f), frame = tr2_track_at(other_track, 0.0f);
    tr2_pose other_in_self = tr2_pose_between(&at, &frame), turn = tr_turn_pose(at.c, at.s);
    tr2_manifold found = tr2_collide_solid(self, other_in_self, other, SINK_MOST * unit, unit);
    tr_vec2 normal = tr_rotate(turn, found.normal);
    float own[2] = {0.0f, 0.0f}, allowed[2] = {0.0f, 0.0f}, share = 1.0f, push = 0.0f;
    for (uint32_t i = 0; i < found.count; i++) {
        tr_vec2 arm = tr_rotate(turn, tr_sub(found.points[i].point, track->center));
        float gap = tr_max(found.points[i].separation - TR2_MEET * unit, 0.0f);
        own[i] = motion_along(track, arm, normal);
        allowed[i] = gap + motion_along(other_track, tr_sub(tr_add(track->start, arm), other_track->start), normal);
        if (own[i] > 0.0f && own[i] > allowed[i])
            share = tr_min(share, tr_max(allowed[i], 0.0f) / own[i]);
    }
    for (uint32_t i = 0; i < found.count; i++)
        push = tr_max(push, share * own[i] - allowed[i]);
    /* deeper than that the normal may be that of the far side */
    bool shallow = -tr2_least_separation(&found) < (float)TR2_FAST_SHARE * tr_min(self->inner, other->inner);
    if (found.count > 0 && shallow && push < sink_of(self, unit))
        return (tr2_motion){share * track->motion.x - push * normal.x, share * track->motion.y - push * normal.y,
                            share * track->motion.turn};
    tr_vec2 point = tr2_distance(self, other_in_self, other).point_a;
    tr2_motion out = tr2_track_carry(other_track, tr_add(track->start, tr_rotate(turn, tr_sub(point, track->center))));
    out.turn = 0.0f;
    return out;
}
