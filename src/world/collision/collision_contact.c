/* Writes the rows of the contacts of pairs. */
#include "collide/geometry/vector.h"
#include "world/collision/ahead.h"
#include "world/collision/collision_internal.h"
#include "world/contacts/contact_query.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"

#define ROWS_PER_CHUNK 128u
#define AHEAD          8u /* prefetch distance in rows */

static void write_surface(tr2_world *world, uint32_t row, uint32_t a, uint32_t b)
{
    tr2_joints *it = &world->joints[TR_CONTACT];
    const tr2_shapes *shapes = &world->shapes;
    float radius = tr_max(shapes->geometry[a]->radius, shapes->geometry[b]->radius);
    tr2_surface mixed = tr2_mix_surfaces(world, a, b);
    it->own[TR2_CONTACT_FRICTION][row] = mixed.friction;
    it->own[TR2_CONTACT_RESTITUTION][row] = mixed.restitution;
    it->own[TR2_CONTACT_TANGENT_SPEED][row] = mixed.tangent_speed;
    it->own[TR2_CONTACT_ROLLING][row] = radius * mixed.rolling_resistance;
}

/* m/s; approach speed of the surfaces at the contact, before the step changes it */
static float approach(const tr2_bodies *bodies, uint32_t a, uint32_t b, const tr2_contact_places *at)
{
    float wa = bodies->angular_velocity[a], wb = bodies->angular_velocity[b];
    float x = (bodies->velocity_x[b] - wb * at->arm_b.y) - (bodies->velocity_x[a] - wa * at->arm_a.y);
    float y = (bodies->velocity_y[b] + wb * at->arm_b.x) - (bodies->velocity_y[a] + wa * at->arm_a.x);
    return -(x * at->normal.x + y * at->normal.y);
}

/* tr2_collide_circles() returns them in the required format */
static void places_of_circles(const tr2_manifold *manifold, tr2_contact_places *out)
{
    *out = (tr2_contact_places){
        .normal = manifold->normal,
        .arm_a = manifold->points[0].point,
        .arm_b = manifold->points[1].point,
        .separation = {manifold->points[0].separation, 0.0f},
        .point_count = 1,
    };
}

static void places_of(const tr2_bodies *bodies, const tr2_manifold *manifold, uint32_t body_a, uint32_t body_b,
                      tr2_contact_places *out)
{
    tr2_pose frame_a = tr_turn_pose(bodies->c[body_a], bodies->s[body_a]);
    const tr2_manifold_point *points = manifold->points;
    tr_vec2 first = points[0].point, second = points[1].point, center = tr2_body_center(bodies, body_a);
    bool both = manifold->count == 2;
    out->normal = tr_rotate(frame_a, manifold->normal);
    out->arm_a = tr_rotate(frame_a, tr_sub(first, center));
    out->arm_b.x = (float)((double)out->arm_a.x - (bodies->center_x[body_b] - bodies->center_x[body_a]));
    out->arm_b.y = (float)((double)out->arm_a.y - (bodies->center_y[body_b] - bodies->center_y[body_a]));
    out->second = both ? tr_rotate(frame_a, tr_sub(second, first)) : (tr_vec2){0.0f, 0.0f};
    out->separation[0] = points[0].separation;
    out->separation[1] = both ? points[1].separation : 0.0f;
    out->point_count = manifold->count;
    out->ahead = false;
    out->point_id[0] = points[0].id;
    out->point_id[1] = both ? points[1].id : 0;
}

/* After a part of a step, B's centre is displaced. The contact of shapes that touch has the distance of the start:
   there, only what is across the normal counts. */
static void move_later(const tr2_bodies *bodies, const tr2_pair *pair, uint32_t body_a, uint32_t body_b, float dt,
                       tr2_contact_places *it)
{
    tr_vec2 apart = {bodies->velocity_x[body_b] - bodies->velocity_x[body_a],
                     bodies->velocity_y[body_b] - bodies->velocity_y[body_a]};
    if ((pair->flags & TR2_PAIR_MEETS) == 0) {
        tr_vec2 across = tr_left(it->normal);
        apart = tr_scale(tr_dot(apart, across), across);
    }
    it->arm_b = tr_along(it->arm_b, -pair->part * dt, apart);
    it->ahead = true;
}

/* Whether one of a pair's bodies may have to be kept from passing through the other: most bodies are dynamic, and no
   bullets. */
static bool may_stop(const tr2_world *world, const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_STILL) != 0 || world->bodies.bullets > 0;
}

/* If a shape is deep in a body that cannot give way, or a bullet's in one that is no bullet, it is followed in this
   step even if it is slow. A separate function, because few shapes are so deep. */
static __attribute__((noinline)) void mark_deep(tr2_world *world, const tr2_pair *pair, float depth)
{
    tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = shapes->pool.row[pair->a], b = shapes->pool.row[pair->b];
    uint32_t body_a = tr2_body_row(world, shapes->body[a]), body_b = tr2_body_row(world, shapes->body[b]);
    bool a_yields = tr2_body_is_dynamic(bodies, body_a), b_yields = tr2_body_is_dynamic(bodies, body_b);
    if (a_yields && b_yields) {
        a_yields = (bodies->flags[body_a] & TR_BODY_BULLET) != 0;
        b_yields = (bodies->flags[body_b] & TR_BODY_BULLET) != 0;
    }
    uint32_t row = a_yields ? a : b;
    /* workers of its other contacts may mark it concurrently */
    if (a_yields != b_yields && tr2_is_deep(shapes->geometry[row], depth, world->settings.length_unit))
        __atomic_fetch_or(&shapes->flags[row], TR2_SHAPE_DEEP, __ATOMIC_RELAXED);
}

/* a fast path for most contacts of crowds, which needs no data of their bodies */
static bool write_circles(tr2_world *world, uint32_t row, const tr2_pair *pair, const tr2_manifold *manifold)
{
    const uint32_t others = TR2_PAIR_FRESH | TR2_PAIR_AHEAD | TR2_PAIR_HITS;
    if ((pair->flags & TR2_PAIR_CIRCLES) == 0 || (pair->flags & others) != 0)
        return false;
    tr2_contact_places places;
    places_of_circles(manifold, &places);
    tr2_contact_write_single(&world->joints[TR_CONTACT], row, &places);
    if (places.separation[0] < -TR2_DEEP_LEAST * world->settings.length_unit && may_stop(world, pair))
        mark_deep(world, pair, -places.separation[0]);
    return true;
}

static void write_row(tr2_world *world, uint32_t row, double dt)
{
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t index = tr2_contact_own(contacts, TR2_CONTACT_ORDER, row);
    tr2_pair *pair = &world->collision.pairs[index];
    const tr2_manifold *manifold = &world->collision.manifolds[index];
    if (write_circles(world, row, pair, manifold))
        return;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t body_a = tr2_body_row(world, contacts->body_a[row]), body_b = tr2_body_row(world, contacts->body_b[row]);
    bool circles = (pair->flags & TR2_PAIR_CIRCLES) != 0, fresh = (pair->flags & TR2_PAIR_FRESH) != 0;
    tr2_contact_places places;
    if (circles)
        places_of_circles(manifold, &places);
    else
        places_of(bodies, manifold, body_a, body_b, &places);
    /* with one point, the second separation is 0 */
    float least = tr_min(places.separation[0], places.separation[1]);
    if (least < -TR2_DEEP_LEAST * world->settings.length_unit && may_stop(world, pair))
        mark_deep(world, pair, -least);
    if ((pair->flags & TR2_PAIR_AHEAD) != 0)
        (void)tr2_meet_ahead(world, pair->a, pair->b, dt, &places);
    if ((pair->flags & TR2_PAIR_TURNS) != 0)
        move_later(bodies, pair, body_a, body_b, (float)dt, &places);
    if ((pair->flags & TR2_PAIR_HITS) != 0)
        pair->speed = tr_finite_float((double)approach(bodies, body_a, body_b, &places));
    if (circles && !fresh)
        tr2_contact_write_single(contacts, row, &places);
    else
        tr2_contact_write_places(world, row, &places);
    if (fresh)
        write_surface(world, row, world->shapes.pool.row[pair->a], world->shapes.pool.row[pair->b]);
    pair->flags = (pair->flags & ~(TR2_PAIR_HELD | TR2_PAIR_FRESH)) | manifold->count * TR2_PAIR_HOLD;
}

/* the row itself, or the first one after those that rest */
static uint32_t awake_row(const tr2_collision *it, uint32_t row)
{
    return row >= it->contact_rest_first && row < it->contact_rest_end ? it->contact_rest_end : row;
}

/* Of a row that does not rest. The first pairs rest, and the contacts of others that rest are with what does not move. */
static bool is_written(const tr2_world *world, uint32_t row)
{
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    return (contacts->flags[row] & TR2_CONTACT_OF_SHAPES) != 0 &&
           tr2_contact_own(contacts, TR2_CONTACT_ORDER, row) >= world->collision.resting;
}

bool tr2_collide_writes(const tr2_world *world, uint32_t row)
{
    return awake_row(&world->collision, row) == row && is_written(world, row);
}

/* in the order of contact rows: a row is in many columns, but its pair in one place */
static void write_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr2_joints *contacts = &step->world->joints[TR_CONTACT];
    const tr2_collision *it = &step->world->collision;
    const tr_row_range rows =
        tr_rows_of_chunk(contacts->table.count, it->contact_rest_first, it->contact_rest_end, chunk, ROWS_PER_CHUNK);
    for (uint32_t row = rows.first; (row = awake_row(it, row)) < rows.end; row++) {
        uint32_t next = row + AHEAD < rows.end ? row + AHEAD : row;
        if ((contacts->flags[next] & TR2_CONTACT_OF_SHAPES) != 0) {
            uint32_t ahead = tr2_contact_own(contacts, TR2_CONTACT_ORDER, next);
            __builtin_prefetch(&it->pairs[ahead]);
            __builtin_prefetch(&it->manifolds[ahead]);
            __builtin_prefetch(&it->manifolds[ahead].points[1]);
        }
        if ((contacts->flags[row] & TR_JOINT_EXACT) == 0 && is_written(step->world, row))
            write_row(step->world, row, step->dt);
    }
}

void tr2_collide_write_kept(const tr2_collide_step *step)
{
    const tr2_before *before = &step->world->collision.before;
    for (uint32_t i = 0; i < before->written_count; i++) {
        const uint32_t row = step->world->joint_pool.row[before->written_slots[i]];
        uint32_t *flags = &step->world->joints[TR_CONTACT].flags[row];
        const uint32_t marks = *flags & TR_JOINT_EXACT;
        write_row(step->world, row, step->dt);
        *flags |= marks;
    }
}

bool tr2_collide_reserve_write(const tr2_collide_step *step, uint32_t contacts)
{
    return tr_team_reserve(step->world->team, 1, contacts / ROWS_PER_CHUNK + 1) == TR_OK;
}

void tr2_collide_write(tr2_collide_step *step)
{
    const tr2_collision *it = &step->world->collision;
    uint32_t resting = it->contact_rest_end - it->contact_rest_first;
    uint32_t count = step->world->joints[TR_CONTACT].table.count - resting;
    (void)tr2_collide_run(step, write_chunk, tr2_chunks_of(count, ROWS_PER_CHUNK));
}

/* units; contacts of bodies that are farther apart are not found within a step: no body that goes on moves by more in a
   sub-step of ordinary length */
#define FOUND_REACH 0.2f

static tr2_transform frame_of_state(const tr2_body_state *body)
{
    const double x = (double)body->local_center.x, y = (double)body->local_center.y;
    return (tr2_transform){{body->center.x - (body->c * x - body->s * y), body->center.y - (body->s * x + body->c * y)},
                           0.0,
                           (float)body->c,
                           (float)body->s};
}

bool tr2_find_contact(const tr2_world *world, uint32_t row, const tr2_body_state *const body[2], tr2_found_contact *out)
{
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    const tr2_shapes *shapes = &world->shapes;
    const float unit = world->settings.length_unit;
    if ((contacts->flags[row] & TR2_CONTACT_OF_SHAPES) == 0)
        return false;
    const tr2_pair *pair = &world->collision.pairs[tr2_contact_own(contacts, TR2_CONTACT_ORDER, row)];
    const tr2_transform frame[2] = {frame_of_state(body[0]), frame_of_state(body[1])};
    const tr2_manifold found =
        tr2_collide_solid(shapes->geometry[shapes->pool.row[pair->a]], tr2_pose_between(&frame[0], &frame[1]),
                          shapes->geometry[shapes->pool.row[pair->b]], FOUND_REACH * unit, unit);
    const double c = body[0]->c, s = body[0]->s, normal_x = (double)found.normal.x, normal_y = (double)found.normal.y;
    out->count = found.count;
    out->reach = (double)(FOUND_REACH * unit);
    out->normal = (tr_dvec2){c * normal_x - s * normal_y, s * normal_x + c * normal_y};
    for (uint32_t p = 0; p < found.count; p++) {
        const tr_vec2 arm = tr_sub(found.points[p].point, body[0]->local_center);
        const double x = (double)arm.x, y = (double)arm.y;
        out->arm[p] = (tr_dvec2){c * x - s * y, s * x + c * y};
        out->separation[p] = (double)found.points[p].separation;
    }
    return true;
}
