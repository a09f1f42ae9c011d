/* Where shapes touch, and the rows of contacts that come of it. */
#include <math.h>

#include "collide/vector.h"
#include "world/body.h"
#include "world/collision_internal.h"
#include "world/contact_row.h"

#define PAIRS_PER_CHUNK 64u

static tr2_transform transform_of(const tr2_bodies *bodies, uint32_t row)
{
    return (tr2_transform){tr2_body_origin(bodies, row), bodies->angle[row], bodies->c[row], bodies->s[row]};
}

/* m/s; no faster do two shapes near each other */
static double closing_speed(const tr2_bodies *bodies, uint32_t a, uint32_t b)
{
    double x = (double)bodies->velocity_x[a] - (double)bodies->velocity_x[b];
    double y = (double)bodies->velocity_y[a] - (double)bodies->velocity_y[b];
    return sqrt(x * x + y * y);
}

/* Contact points are wanted somewhat before shapes touch: as far as they come in a step, but not so far that one which
   will pass by is turned away by where it would not have been. */
static float margin_of(const tr2_bodies *bodies, uint32_t a, uint32_t b, const tr2_geometry *shape_a,
                       const tr2_geometry *shape_b, double dt)
{
    double smaller = (double)tr_least(shape_a->extent, shape_b->extent);
    double way = closing_speed(bodies, a, b) * dt;
    return (float)(TR2_SPECULATIVE + (way < smaller ? way : smaller));
}

static tr2_manifold touch(const tr2_world *world, const tr2_pair *pair, double dt)
{
    static const tr2_manifold none;
    if ((pair->flags & TR2_PAIR_DEAD) != 0)
        return none;
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = shapes->pool.row[pair->a], b = shapes->pool.row[pair->b];
    const tr2_geometry *shape_a = shapes->geometry[a], *shape_b = shapes->geometry[b];
    uint32_t body_a = tr2_body_row(world, shapes->body[a]), body_b = tr2_body_row(world, shapes->body[b]);
    tr2_transform frame_a = transform_of(bodies, body_a), frame_b = transform_of(bodies, body_b);
    float margin =
        (pair->flags & TR2_PAIR_SENSOR) != 0 ? 0.0f : margin_of(bodies, body_a, body_b, shape_a, shape_b, dt);
    return tr2_collide(shape_a, tr2_pose_between(&frame_a, &frame_b), shape_b, margin);
}

static void touch_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    tr2_collision *it = &step->world->collision;
    uint32_t count = it->count + it->broad.pair_count, first = chunk * PAIRS_PER_CHUNK;
    uint32_t end = count - first < PAIRS_PER_CHUNK ? count : first + PAIRS_PER_CHUNK;
    for (uint32_t i = first; i < end; i++)
        it->manifolds[i] = touch(step->world, &it->pairs[i], step->dt);
}

static bool run(tr2_collide_step *step, tr_chunk_fn *chunk, uint32_t count)
{
    uint32_t chunks = count / PAIRS_PER_CHUNK + (count % PAIRS_PER_CHUNK != 0);
    if (tr_team_reserve(step->world->team, 1, chunks) != TR_OK)
        return false;
    const tr_pipeline_stage stage = {chunk, NULL, chunks, 0};
    tr_team_run(step->world->team, &stage, 1, step->workers, step, NULL);
    return true;
}

bool tr2_collide_touch(tr2_collide_step *step)
{
    tr2_collision *it = &step->world->collision;
    uint32_t count = it->count + it->broad.pair_count;
    return tr_grow(&step->world->memory, (void **)&it->manifolds, &it->manifold_capacity, count,
                   sizeof *it->manifolds) &&
           run(step, touch_chunk, count);
}

/*
 * Rows
 */
static tr_vec2 turn(const tr2_transform *frame, tr_vec2 v)
{
    return (tr_vec2){frame->c * v.x - frame->s * v.y, frame->s * v.x + frame->c * v.y};
}

static void write_surface(tr2_joints *it, uint32_t row, const tr2_shapes *shapes, uint32_t a, uint32_t b)
{
    const tr2_surface *one = &shapes->surface[a], *other = &shapes->surface[b];
    float radius = tr_most(shapes->geometry[a]->radius, shapes->geometry[b]->radius);
    it->own[TR2_CONTACT_FRICTION][row] = sqrtf(one->friction * other->friction);
    it->own[TR2_CONTACT_RESTITUTION][row] = tr_most(one->restitution, other->restitution);
    it->own[TR2_CONTACT_TANGENT_SPEED][row] = one->tangent_speed + other->tangent_speed;
    it->own[TR2_CONTACT_ROLLING][row] = radius * tr_most(one->rolling_resistance, other->rolling_resistance);
}

/* m/s; how fast B's surface comes at A's where they will touch, before the step changes it */
static float approach(const tr2_bodies *bodies, uint32_t a, uint32_t b, const tr2_manifold *manifold)
{
    tr_vec2 from_a = {manifold->points[0].point.x - bodies->local_center_x[a],
                      manifold->points[0].point.y - bodies->local_center_y[a]};
    tr_dvec2 arm = tr2_rotate(bodies->c[a], bodies->s[a], from_a);
    tr_dvec2 n = tr2_rotate(bodies->c[a], bodies->s[a], manifold->normal);
    double bx = bodies->center_x[a] + arm.x - bodies->center_x[b],
           by = bodies->center_y[a] + arm.y - bodies->center_y[b];
    double wa = (double)bodies->angular_velocity[a], wb = (double)bodies->angular_velocity[b];
    double x = (double)bodies->velocity_x[b] - wb * by - (double)bodies->velocity_x[a] + wa * arm.y;
    double y = (double)bodies->velocity_y[b] + wb * bx - (double)bodies->velocity_y[a] - wa * arm.x;
    return (float)-(x * n.x + y * n.y);
}

static void write_pair(tr2_world *world, uint32_t index)
{
    tr2_pair *pair = &world->collision.pairs[index];
    const tr2_manifold *manifold = &world->collision.manifolds[index];
    const tr2_shapes *shapes = &world->shapes;
    tr2_joints *contacts = &world->joints[TR2_CONTACT];
    uint32_t row = world->joint_pool.row[pair->contact];
    uint32_t a = shapes->pool.row[pair->a], b = shapes->pool.row[pair->b];
    const tr2_bodies *bodies = &world->bodies;
    uint32_t body_a = tr2_body_row(world, shapes->body[a]), body_b = tr2_body_row(world, shapes->body[b]);
    tr2_transform frame_a = transform_of(bodies, body_a);
    if ((pair->flags & TR2_PAIR_HITS) != 0)
        pair->speed = approach(bodies, body_a, body_b, manifold);

    tr_vec2 first = manifold->points[0].point, second = manifold->points[1].point;
    tr_vec2 along = {second.x - first.x, second.y - first.y};
    tr_vec2 arm = {first.x - bodies->local_center_x[body_a], first.y - bodies->local_center_y[body_a]};
    tr2_contact_places places = {
        .normal = turn(&frame_a, manifold->normal),
        .arm_a = turn(&frame_a, arm),
        .point_count = manifold->count,
    };
    places.arm_b.x = (float)((double)places.arm_a.x - (bodies->center_x[body_b] - bodies->center_x[body_a]));
    places.arm_b.y = (float)((double)places.arm_a.y - (bodies->center_y[body_b] - bodies->center_y[body_a]));
    if (manifold->count == 2)
        places.second = turn(&frame_a, along);
    for (uint32_t i = 0; i < manifold->count; i++) {
        places.separation[i] = manifold->points[i].separation;
        places.point_id[i] = manifold->points[i].id;
    }
    tr2_contact_write_places(world, row, &places);
    write_surface(contacts, row, shapes, a, b);
}

static void write_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr2_collision *it = &step->world->collision;
    uint32_t first = chunk * PAIRS_PER_CHUNK;
    uint32_t end = it->count - first < PAIRS_PER_CHUNK ? it->count : first + PAIRS_PER_CHUNK;
    for (uint32_t i = first; i < end; i++)
        if (it->pairs[i].contact != TR_NONE)
            write_pair(step->world, i);
}

void tr2_collide_write(tr2_collide_step *step)
{
    /* there is room: of no more pairs than were touched */
    (void)run(step, write_chunk, step->world->collision.count);
}
