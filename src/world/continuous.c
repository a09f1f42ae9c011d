#include "world/continuous.h"

#include <math.h>
#include <string.h>

#include "collide/vector.h"
#include "world/body.h"
#include "world/collision_internal.h"

/* of the inner radius: no farther does a body go without being looked at, or sink in */
#define FAST_SHARE 0.5
#define SINK_SHARE 0.25f
/* m; less than this is never fast, and no more is ever sunk in */
#define FAST_LEAST 0.005
#define SINK_MOST  0.02f
/* m; how near two shapes are where they are said to meet */
#define TARGET 0.004f
/* m; what is followed by its middle alone is stopped this far from what it would pass through */
#define SHORT_OF 0.002f
/* rad; a way that turns by more is cut into parts, as many as are allowed */
#define TURN_PART  1.0f
#define PARTS_MOST 16u

#define SHAPES_PER_CHUNK 256u

/*
 * Shapes
 */
float tr2_geometry_inner(const tr2_geometry *geometry)
{
    if (geometry->count < 3)
        return geometry->radius;
    float inner = geometry->extent;
    for (uint32_t i = 0; i < geometry->count; i++) {
        tr_vec2 to = tr_sub(geometry->corners[i].point, geometry->center);
        inner = tr_least(inner, tr_dot(to, geometry->corners[i].normal));
    }
    return tr_most(inner, 0.0f) + geometry->radius;
}

bool tr2_is_fast(const tr2_geometry *geometry, double way)
{
    return way > FAST_LEAST && way > FAST_SHARE * (double)tr2_geometry_inner(geometry);
}

/* A shape without the first `by` of its depth: less round, then with its edges moved inward. What has no depth stays. */
static void shrink(const tr2_geometry *geometry, float by, tr2_geometry *out)
{
    memcpy(out, geometry, tr2_geometry_size(geometry));
    float round = tr_least(by, geometry->radius), flat = by - round;
    out->radius -= round;
    uint32_t count = geometry->count;
    if (count < 3 || !(flat > 0.0f))
        return;
    for (uint32_t i = 0; i < count; i++) {
        /* where the two edges of a corner come to meet; of a sharp one not so far */
        tr_vec2 before = geometry->corners[i > 0 ? i - 1 : count - 1].normal, after = geometry->corners[i].normal;
        float reach = flat / tr_most(1.0f + tr_dot(before, after), 0.25f);
        out->corners[i].point = tr_along(geometry->corners[i].point, -reach, tr_add(before, after));
    }
    for (uint32_t i = count; i < ((count + 3u) & ~3u); i++)
        out->corners[i] = out->corners[0];
}

/*
 * Ways
 */

/* A body's way through a step, seen from a place near. */
typedef struct track {
    tr_vec2 center; /* of mass, in the body's frame */
    tr_vec2 start;  /* of the centre of mass */
    tr2_motion motion;
    double angle; /* at the start */
} track;

static track track_of(const tr2_bodies *bodies, uint32_t body, tr_dvec2 from, tr2_motion motion, bool done)
{
    double share = done ? 1.0 : 0.0;
    track out = {.center = tr2_body_center(bodies, body), .motion = motion};
    out.start.x = (float)(bodies->center_x[body] - from.x - share * (double)motion.x);
    out.start.y = (float)(bodies->center_y[body] - from.y - share * (double)motion.y);
    out.angle = bodies->angle[body] - share * (double)motion.turn;
    return out;
}

/* where a body is at a part of its way, from 0 to 1 */
static tr2_transform transform_at(const track *it, float part)
{
    tr2_transform out = {.angle = it->angle + (double)(part * it->motion.turn)};
    tr2_rotation(out.angle, &out.c, &out.s);
    tr_dvec2 arm = tr2_rotate(out.c, out.s, it->center);
    out.position.x = (double)(it->start.x + part * it->motion.x) - arm.x;
    out.position.y = (double)(it->start.y + part * it->motion.y) - arm.y;
    return out;
}

static tr2_sweep sweep_of(const track *it, float first, float last)
{
    tr2_sweep out = {.center = it->center};
    out.start = (tr_vec2){it->start.x + first * it->motion.x, it->start.y + first * it->motion.y};
    out.end = (tr_vec2){it->start.x + last * it->motion.x, it->start.y + last * it->motion.y};
    tr2_rotation(it->angle + (double)(first * it->motion.turn), &out.c0, &out.s0);
    tr2_rotation(it->angle + (double)(last * it->motion.turn), &out.c1, &out.s1);
    return out;
}

/* a disc that turns about its middle is where it was */
static float turn_of(const tr2_geometry *geometry, const track *it)
{
    bool still = geometry->kind == TR2_GEOMETRY_CIRCLE && geometry->center.x == it->center.x &&
                 geometry->center.y == it->center.y;
    return still ? 0.0f : fabsf(it->motion.turn);
}

/* the first impact on two ways: tr2_time_of_impact() for turns of any size up to PARTS_MOST parts */
static tr2_impact impact_of(const tr2_geometry *a, const track *way_a, const tr2_geometry *b, const track *way_b)
{
    float turn = tr_most(turn_of(a, way_a), turn_of(b, way_b)) / TURN_PART;
    uint32_t parts = turn < (float)(PARTS_MOST - 1) ? 1 + (uint32_t)turn : PARTS_MOST;
    tr2_impact impact = {.state = TR2_IMPACT_NONE, .time = 1.0f};
    for (uint32_t k = 0; k < parts; k++) {
        float first = (float)k / (float)parts, last = (float)(k + 1) / (float)parts;
        tr2_sweep sweep_a = sweep_of(way_a, first, last), sweep_b = sweep_of(way_b, first, last);
        impact = tr2_time_of_impact(a, &sweep_a, b, &sweep_b, TARGET, 0.25f * TARGET);
        if (impact.state == TR2_IMPACT_NONE)
            continue;
        if (k > 0 && impact.state == TR2_IMPACT_OVERLAP)
            impact.state = TR2_IMPACT_HIT;
        impact.time = first + (last - first) * impact.time;
        return impact;
    }
    return impact;
}

/* whether one may come at a chain's segment from its right: from behind there is none, and what goes away does not meet it */
static bool comes_at(const tr2_geometry *chain, const track *way_chain, const tr2_geometry *geometry, const track *way)
{
    if (chain->kind != TR2_GEOMETRY_CHAIN)
        return true;
    tr2_transform frame = transform_at(way_chain, 0.0f), at = transform_at(way, 0.0f);
    tr2_transform frame_end = transform_at(way_chain, 1.0f), at_end = transform_at(way, 1.0f);
    tr2_pose before = tr2_pose_between(&frame, &at), after = tr2_pose_between(&frame_end, &at_end);
    tr_vec2 from = tr_sub(tr_to_outer(before, geometry->center), chain->corners[0].point);
    tr_vec2 to = tr_sub(tr_to_outer(after, geometry->center), chain->corners[0].point);
    float begins = tr_dot(from, chain->corners[0].normal), ends = tr_dot(to, chain->corners[0].normal);
    return begins >= 0.0f && (ends < begins || turn_of(geometry, way) > 0.0f);
}

/* The same for one point of a body, which goes straight as the other sees it: what begins next to a wall, or in it up to its
   middle, still does not come to the other side. */
static float free_part_of_point(tr_vec2 point, const track *way, const tr2_geometry *other, const track *other_way)
{
    tr2_transform at = transform_at(way, 0.0f), frame = transform_at(other_way, 0.0f);
    tr2_transform at_end = transform_at(way, 1.0f), frame_end = transform_at(other_way, 1.0f);
    tr_vec2 from = tr_to_outer(tr2_pose_between(&frame, &at), point);
    tr_vec2 to = tr_to_outer(tr2_pose_between(&frame_end, &at_end), point), along = tr_sub(to, from);
    tr2_cast_result cast = tr2_geometry_ray_cast(other, from, along);
    float closing = -tr_dot(along, cast.normal);
    /* inside already: contacts find the way out */
    if (!cast.hit || !(closing > 0.0f))
        return 1.0f;
    return tr_most(cast.fraction - SHORT_OF / closing, 0.0f);
}

/* whether something turns so often that it is all of the disc that it turns in */
static bool is_blurred(const tr2_geometry *geometry, const track *way)
{
    return turn_of(geometry, way) > TURN_PART * (float)PARTS_MOST;
}

/* a disc about the centre of mass that a shape turns in */
static tr2_geometry disc_of(const tr2_geometry *geometry, tr_vec2 center)
{
    tr2_geometry out;
    memset(&out, 0, sizeof out);
    out.kind = TR2_GEOMETRY_CIRCLE;
    out.count = 1;
    out.center = center;
    out.radius = out.extent = tr2_geometry_reach(geometry, center);
    for (uint32_t i = 0; i < TR2_MAX_CORNERS; i++)
        out.corners[i].point = center;
    return out;
}

/* the same for a disc that something blurred turns in; where it reaches over the other already, its middle comes no nearer */
static float free_part_of_disc(const tr2_geometry *disc, const track *way, const tr2_geometry *other,
                               const track *other_way)
{
    tr2_impact impact = impact_of(disc, way, other, other_way);
    if (impact.state != TR2_IMPACT_OVERLAP)
        return impact.time;
    tr2_transform at = transform_at(way, 0.0f), frame = transform_at(other_way, 0.0f);
    tr2_geometry middle = *disc;
    middle.radius = 0.0f;
    tr2_distance_result near = tr2_distance(other, tr2_pose_between(&frame, &at), &middle);
    tr2_pose turn = {{0.0f, 0.0f}, frame.c, frame.s};
    tr_vec2 along = {way->motion.x - other_way->motion.x, way->motion.y - other_way->motion.y};
    return tr_dot(along, tr_rotate(turn, near.normal)) < 0.0f ? 0.0f : 1.0f;
}

/* The part of its way, from 0 to 1, that a body goes until a shape of it sinks into another; 1: it does not. */
static float free_part(const tr2_geometry *self, const track *way, const tr2_geometry *other, const track *other_way)
{
    if (!comes_at(other, other_way, self, way) || !comes_at(self, way, other, other_way))
        return 1.0f;
    if (is_blurred(self, way)) {
        tr2_geometry disc = disc_of(self, way->center);
        return free_part_of_disc(&disc, way, other, other_way);
    }
    float inner = tr2_geometry_inner(self);
    tr2_geometry small;
    shrink(self, tr_least(SINK_MOST, SINK_SHARE * inner), &small);
    tr2_impact deep = impact_of(&small, way, other, other_way);
    if (deep.state == TR2_IMPACT_NONE)
        return 1.0f;
    if (deep.state == TR2_IMPACT_OVERLAP) {
        /* it begins in there already: deeper it does not go, or at least not through */
        shrink(self, (float)FAST_SHARE * inner, &small);
        deep = impact_of(&small, way, other, other_way);
        return deep.state != TR2_IMPACT_OVERLAP ? deep.time : free_part_of_point(self->center, way, other, other_way);
    }
    tr2_impact first = impact_of(self, way, other, other_way);
    bool touches = first.state == TR2_IMPACT_HIT || first.state == TR2_IMPACT_SLOW;
    return touches && first.time < deep.time ? first.time : deep.time;
}

/*
 * Before a step
 */

/* m/s; how fast the points of two bodies come apart along a normal */
static float parting(const tr2_bodies *bodies, uint32_t a, uint32_t b, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal)
{
    tr_vec2 v_a =
        tr_along((tr_vec2){bodies->velocity_x[a], bodies->velocity_y[a]}, bodies->angular_velocity[a], tr_left(arm_a));
    tr_vec2 v_b =
        tr_along((tr_vec2){bodies->velocity_x[b], bodies->velocity_y[b]}, bodies->angular_velocity[b], tr_left(arm_b));
    return tr_dot(normal, tr_sub(v_b, v_a));
}

static tr2_motion motion_of(const tr2_bodies *bodies, uint32_t body, float dt)
{
    return (tr2_motion){dt * bodies->velocity_x[body], dt * bodies->velocity_y[body],
                        dt * bodies->angular_velocity[body]};
}

/* the rest of the work is for where a body may not be passed through */
static bool is_wall(const tr2_bodies *bodies, uint32_t body)
{
    return bodies->type[body] != TR_DYNAMIC || (bodies->flags[body] & TR2_BODY_BULLET) != 0;
}

bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t row_a = shapes->pool.row[slot_a], row_b = shapes->pool.row[slot_b];
    uint32_t a = tr2_body_row(world, shapes->body[row_a]), b = tr2_body_row(world, shapes->body[row_b]);
    if (!is_wall(bodies, a) && !is_wall(bodies, b))
        return false;
    const tr2_geometry *shape_a = shapes->geometry[row_a], *shape_b = shapes->geometry[row_b];
    tr_dvec2 from = {bodies->center_x[a], bodies->center_y[a]};
    track way_a = track_of(bodies, a, from, motion_of(bodies, a, (float)dt), false);
    track way_b = track_of(bodies, b, from, motion_of(bodies, b, (float)dt), false);
    if (turn_of(shape_a, &way_a) > TURN_PART || turn_of(shape_b, &way_b) > TURN_PART ||
        !comes_at(shape_a, &way_a, shape_b, &way_b) || !comes_at(shape_b, &way_b, shape_a, &way_a))
        return false;
    tr2_impact impact = impact_of(shape_a, &way_a, shape_b, &way_b);
    if (impact.state != TR2_IMPACT_HIT)
        return false;

    /* the contact that there will be, and how far it is from now */
    tr2_transform frame_a = transform_at(&way_a, impact.time), frame_b = transform_at(&way_b, impact.time);
    tr2_manifold manifold = tr2_collide(shape_a, tr2_pose_between(&frame_a, &frame_b), shape_b, (float)TR2_SPECULATIVE);
    if (manifold.count == 0)
        return false;
    tr2_pose turn = {{0.0f, 0.0f}, frame_a.c, frame_a.s};
    tr_vec2 first = tr_sub(manifold.points[0].point, way_a.center);
    tr_vec2 apart = {way_b.start.x + impact.time * way_b.motion.x - way_a.start.x - impact.time * way_a.motion.x,
                     way_b.start.y + impact.time * way_b.motion.y - way_a.start.y - impact.time * way_a.motion.y};
    memset(out, 0, sizeof *out);
    out->normal = tr_rotate(turn, manifold.normal);
    out->arm_a = tr_rotate(turn, first);
    out->arm_b = tr_sub(out->arm_a, apart);
    out->point_count = manifold.count;
    if (manifold.count == 2)
        out->second = tr_rotate(turn, tr_sub(manifold.points[1].point, manifold.points[0].point));
    for (uint32_t i = 0; i < manifold.count; i++) {
        tr_vec2 more = i > 0 ? out->second : (tr_vec2){0.0f, 0.0f};
        float rate = parting(bodies, a, b, tr_add(out->arm_a, more), tr_add(out->arm_b, more), out->normal);
        out->separation[i] = manifold.points[i].separation - rate * impact.time * (float)dt;
        out->point_id[i] = manifold.points[i].id;
    }
    return true;
}

/*
 * After a step
 */

/* One shape of a body that is followed, and the earliest end of its way up to now. */
typedef struct chase {
    const tr2_world *world;
    uint32_t slot, body; /* of the shape; row of the body */
    const tr2_geometry *geometry;
    tr_dvec2 from; /* where the ways are seen from */
    track way;
    double gone; /* m; tr2_collide_way */
    float part;
    tr_vec2 carried; /* m, by what it has met, on the rest of the way */
} chase;

/* the rest of a step what it has met goes on, and takes it along */
static tr_vec2 carry_of(const chase *it, const track *other, float part)
{
    tr_vec2 at = {it->way.start.x + part * it->way.motion.x, it->way.start.y + part * it->way.motion.y};
    tr_vec2 center = {other->start.x + part * other->motion.x, other->start.y + part * other->motion.y};
    tr2_pose turned = {.c = 1.0f, .s = 0.0f};
    tr2_rotation((double)((1.0f - part) * other->motion.turn), &turned.c, &turned.s);
    tr_vec2 arm = tr_sub(at, center), after = tr_rotate(turned, arm);
    return (tr_vec2){(1.0f - part) * other->motion.x + after.x - arm.x,
                     (1.0f - part) * other->motion.y + after.y - arm.y};
}

static bool chase_one(void *context, uint32_t other)
{
    chase *it = context;
    const tr2_world *world = it->world;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t row = shapes->pool.row[other], body = tr2_body_row(world, shapes->body[row]);
    uint32_t low = other < it->slot ? other : it->slot, high = other < it->slot ? it->slot : other;
    if (body == it->body || (shapes->flags[row] & TR2_SHAPE_SENSOR) != 0 || !tr2_pair_is_wanted(world, low, high))
        return true;
    const tr2_geometry *geometry = shapes->geometry[row];
    /* what went wrong in this step stays where the step began */
    bool still = world->bodies.type[body] == TR_STATIC || (world->bodies.flags[body] & TR2_BODY_QUARANTINED) != 0;
    tr2_motion motion = still ? (tr2_motion){0.0f, 0.0f, 0.0f} : tr2_solver_motion(world->solver, body);
    double gone = still ? 0.0 : tr2_collide_way(&world->bodies, body, geometry, motion);
    if (!tr2_is_fast(it->geometry, it->gone + gone))
        return true;
    track way = track_of(&world->bodies, body, it->from, motion, true);
    float part = free_part(it->geometry, &it->way, geometry, &way);
    if (part < it->part) {
        it->part = part;
        it->carried = still ? (tr_vec2){0.0f, 0.0f} : carry_of(it, &way, part);
    }
    return true;
}

/* all that a shape comes over on its way */
static tr2_box way_box(const chase *it)
{
    tr2_box box = tr2_collide_box(&it->world->bodies, it->body, it->geometry);
    tr2_transform start = transform_at(&it->way, 0.0f);
    tr2_bounds bounds = tr2_geometry_bounds(it->geometry, start.c, start.s);
    double x = it->from.x + start.position.x, y = it->from.y + start.position.y;
    box.lower_x = fmin(box.lower_x, x + (double)bounds.lower.x);
    box.lower_y = fmin(box.lower_y, y + (double)bounds.lower.y);
    box.upper_x = fmax(box.upper_x, x + (double)bounds.upper.x);
    box.upper_y = fmax(box.upper_y, y + (double)bounds.upper.y);
    /* between the two a turn bulges out */
    tr2_motion turn = {0.0f, 0.0f, it->way.motion.turn};
    tr2_box_widen(&box, (double)TARGET + 0.5 * tr2_collide_way(&it->world->bodies, it->body, it->geometry, turn));
    return box;
}

/* how far a body may go for all its shapes, among those of one tree */
static tr2_bullet chase_body(const tr2_world *world, uint32_t body, uint32_t tree, bool all_shapes)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    chase it = {.world = world, .body = body, .part = 1.0f};
    tr2_motion motion = tr2_solver_motion(world->solver, body);
    it.from = (tr_dvec2){bodies->center_x[body], bodies->center_y[body]};
    it.way = track_of(bodies, body, it.from, motion, true);
    for (uint32_t slot = tr2_shapes_newest(shapes, bodies->slot[body]); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        uint32_t row = shapes->pool.row[slot], flags = shapes->flags[row];
        if ((flags & TR2_SHAPE_SENSOR) != 0 || (!all_shapes && (flags & TR2_SHAPE_FAST) == 0))
            continue;
        it.slot = slot;
        it.geometry = shapes->geometry[row];
        it.gone = tr2_collide_way(bodies, body, it.geometry, motion);
        tr2_box box = way_box(&it);
        tr2_tree_query(&world->collision.broad.trees[tree], &box, chase_one, &it);
    }
    return (tr2_bullet){body, it.part, it.carried};
}

/* puts a body back to where it may be */
static void put_back(tr2_world *world, const tr2_bullet *to)
{
    if (!(to->part < 1.0f))
        return;
    tr2_bodies *bodies = &world->bodies;
    uint32_t body = to->body;
    tr2_motion motion = tr2_solver_motion(world->solver, body);
    tr2_motion kept = {to->part * motion.x + to->carried.x, to->part * motion.y + to->carried.y,
                       to->part * motion.turn};
    bodies->center_x[body] -= (double)motion.x - (double)kept.x;
    bodies->center_y[body] -= (double)motion.y - (double)kept.y;
    bodies->angle[body] -= (double)motion.turn - (double)kept.turn;
    tr2_rotation(bodies->angle[body], &bodies->c[body], &bodies->s[body]);
    tr2_solver_set_motion(world->solver, body, kept);
}

/* one of a body's fast shapes stands for all: the newest */
static bool stands_for_body(const tr2_shapes *shapes, uint32_t row)
{
    uint32_t slot = tr2_shapes_newest(shapes, shapes->body[row].index - 1);
    while ((shapes->flags[shapes->pool.row[slot]] & TR2_SHAPE_FAST) == 0)
        slot = shapes->older[shapes->pool.row[slot]];
    return shapes->pool.row[slot] == row;
}

static void fast_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    tr2_world *world = context;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t count = shapes->table.count, first = chunk * SHAPES_PER_CHUNK;
    uint32_t end = count - first < SHAPES_PER_CHUNK ? count : first + SHAPES_PER_CHUNK;
    for (uint32_t row = first; row < end; row++) {
        if ((shapes->flags[row] & TR2_SHAPE_FAST) == 0 || !stands_for_body(shapes, row))
            continue;
        uint32_t body = tr2_body_row(world, shapes->body[row]);
        /* nothing that is looked at here moves, so that it does not matter who is first */
        tr2_bullet to = chase_body(world, body, 0, false);
        put_back(world, &to);
    }
}

static void run(tr2_world *world, tr_chunk_fn *chunk, uint32_t chunks)
{
    const tr_pipeline_stage stage = {chunk, NULL, chunks, 0};
    tr_team_run(world->team, &stage, 1, tr2_solver_last(world->solver)->threads, world, NULL);
}

void tr2_stop_fast(tr2_world *world)
{
    run(world, fast_chunk, tr2_chunks_of(world->shapes.table.count, SHAPES_PER_CHUNK));
}

/*
 * Bullets
 */
#define BULLETS_PER_CHUNK 16u

bool tr2_bullets_reserve(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    uint32_t count = world->bodies.bullets;
    return count == 0 ||
           (tr_grow(&world->memory, (void **)&it->bullets, &it->bullet_capacity, count, sizeof *it->bullets) &&
            tr_team_reserve(world->team, 1, tr2_chunks_of(count, BULLETS_PER_CHUNK)) == TR_OK);
}

static void bullet_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    tr2_world *world = context;
    tr2_collision *it = &world->collision;
    uint32_t first = chunk * BULLETS_PER_CHUNK;
    uint32_t end = it->bullet_count - first < BULLETS_PER_CHUNK ? it->bullet_count : first + BULLETS_PER_CHUNK;
    for (uint32_t i = first; i < end; i++)
        it->bullets[i] = chase_body(world, it->bullets[i].body, 1, true);
}

static void enter_body(tr2_world *world, uint32_t body)
{
    const tr2_shapes *shapes = &world->shapes;
    for (uint32_t slot = tr2_shapes_newest(shapes, world->bodies.slot[body]); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]])
        tr2_collide_enter(world, shapes->pool.row[slot]);
}

void tr2_stop_bullets(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_bodies *bodies = &world->bodies;
    const uint32_t both = TR2_BODY_BULLET | TR2_BODY_QUARANTINED;
    it->bullet_count = 0;
    for (uint32_t row = 0; row < bodies->table.count && it->bullet_count < bodies->bullets; row++) {
        if ((bodies->flags[row] & both) == TR2_BODY_BULLET && bodies->type[row] == TR_DYNAMIC)
            it->bullets[it->bullet_count++].body = row;
    }
    run(world, bullet_chunk, tr2_chunks_of(it->bullet_count, BULLETS_PER_CHUNK));
    /* all at once: each has seen the others where they would have come to */
    for (uint32_t i = 0; i < it->bullet_count; i++) {
        put_back(world, &it->bullets[i]);
        /* what was carried along may be out of the boxes around its way */
        if (it->bullets[i].carried.x != 0.0f || it->bullets[i].carried.y != 0.0f)
            enter_body(world, it->bullets[i].body);
    }
}
