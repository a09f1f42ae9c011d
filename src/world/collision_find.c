/* Which shapes may touch: the boxes around them, and the pairs that are wanted. */
#include <math.h>

#include "world/body.h"
#include "world/collision_internal.h"

/* m; how much larger than its shape a box is entered, between these, as a share of the shape's size */
#define MARGIN_SHARE 0.25
#define MARGIN_LEAST 0.01
#define MARGIN_MOST  0.1
/* steps of its motion that a box is entered ahead */
#define STEPS_AHEAD 3.0
/* rad; a turn of more than this in a step takes every point of a shape anywhere about the centre of mass */
#define TURN_MOST 2.0

#define SHAPES_PER_CHUNK 256u
#define PAIRS_PER_CHUNK  256u

/*
 * Boxes
 */
static void widen(tr2_box *box, double by)
{
    box->lower_x -= by;
    box->lower_y -= by;
    box->upper_x += by;
    box->upper_y += by;
}

/* along a motion */
static void stretch(tr2_box *box, double x, double y)
{
    box->lower_x += x < 0.0 ? x : 0.0;
    box->lower_y += y < 0.0 ? y : 0.0;
    box->upper_x += x > 0.0 ? x : 0.0;
    box->upper_y += y > 0.0 ? y : 0.0;
}

static tr2_box box_of(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry)
{
    tr2_bounds bounds = tr2_geometry_bounds(geometry, bodies->c[body], bodies->s[body]);
    tr_dvec2 origin = tr2_body_origin(bodies, body);
    return (tr2_box){origin.x + (double)bounds.lower.x, origin.y + (double)bounds.lower.y,
                     origin.x + (double)bounds.upper.x, origin.y + (double)bounds.upper.y};
}

/* no point of a shape moves farther than this by its body's turning, in `dt` */
static double turning(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, double dt)
{
    double x = (double)geometry->center.x - (double)bodies->local_center_x[body];
    double y = (double)geometry->center.y - (double)bodies->local_center_y[body];
    /* a circle that turns about itself is where it was */
    double own = geometry->kind == TR2_GEOMETRY_CIRCLE ? 0.0 : (double)geometry->extent;
    double turn = fabs((double)bodies->angular_velocity[body]) * dt;
    return (turn < TURN_MOST ? turn : TURN_MOST) * (sqrt(x * x + y * y) + own);
}

/* a shape that has left its box, or is fresh, gets a new one */
static void place_shape(tr2_world *world, uint32_t row, double dt)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    tr2_broad *broad = &world->collision.broad;
    uint32_t slot = shapes->id[row].index - 1;
    bool fresh = (shapes->flags[row] & TR2_SHAPE_FRESH) != 0;
    if (!fresh && TR2_PROXY_KIND(broad->states[slot]) == TR2_PROXY_FIXED)
        return;
    const tr2_geometry *geometry = shapes->geometry[row];
    uint32_t body = tr2_body_row(world, shapes->body[row]);
    tr2_box box = box_of(bodies, body, geometry);
    widen(&box, TR2_SPECULATIVE);
    if (bodies->type[body] == TR_STATIC) {
        tr2_broad_set(broad, slot, false, &box);
        return;
    }
    /* where it may be at the end of the step, contacts unseen */
    double x = (double)bodies->velocity_x[body] * dt, y = (double)bodies->velocity_y[body] * dt;
    stretch(&box, x, y);
    widen(&box, turning(bodies, body, geometry, dt));
    if (!fresh && tr2_box_contains(&broad->boxes[slot], &box))
        return;
    double margin = MARGIN_SHARE * (double)geometry->extent;
    margin = margin < MARGIN_LEAST ? MARGIN_LEAST : margin > MARGIN_MOST ? MARGIN_MOST : margin;
    widen(&box, margin);
    stretch(&box, (STEPS_AHEAD - 1.0) * x, (STEPS_AHEAD - 1.0) * y);
    tr2_broad_set(broad, slot, true, &box);
}

static void place_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    uint32_t count = step->world->shapes.table.count, first = chunk * SHAPES_PER_CHUNK;
    uint32_t end = count - first < SHAPES_PER_CHUNK ? count : first + SHAPES_PER_CHUNK;
    for (uint32_t row = first; row < end; row++)
        place_shape(step->world, row, step->dt);
}

/*
 * Pairs
 */

/* whether a joint says that its bodies do not collide; looked for at the body that has fewer */
static bool are_joined(const tr2_world *world, uint32_t body_a, uint32_t body_b)
{
    const tr_plan *plan = world->plan;
    bool swap = tr_plan_degree(plan, body_b) < tr_plan_degree(plan, body_a);
    uint32_t near = swap ? body_b : body_a, far = swap ? body_a : body_b;
    for (uint32_t half = tr_plan_first(plan, near); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t slot = tr_half_edge(half);
        const tr2_joints *joints = &world->joints[world->joint_type[slot]];
        uint32_t row = world->joint_pool.row[slot];
        uint32_t a = joints->body_a[row].index - 1, b = joints->body_b[row].index - 1;
        bool both = (a == near && b == far) || (a == far && b == near);
        if (both && world->joint_type[slot] != TR2_CONTACT && !tr2_joint_collides(joints, row))
            return true;
    }
    return false;
}

static bool passes(const tr2_filter *a, const tr2_filter *b)
{
    if (a->group != 0 && a->group == b->group)
        return a->group > 0;
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

bool tr2_pair_is_wanted(const tr2_world *world, uint32_t slot_a, uint32_t slot_b)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t a = shapes->pool.row[slot_a], b = shapes->pool.row[slot_b];
    uint32_t body_a = shapes->body[a].index - 1, body_b = shapes->body[b].index - 1;
    if (body_a == body_b || !passes(&shapes->filter[a], &shapes->filter[b]))
        return false;
    uint32_t type_a = world->bodies.type[world->body_pool.row[body_a]];
    uint32_t type_b = world->bodies.type[world->body_pool.row[body_b]];
    bool sensor_a = (shapes->flags[a] & TR2_SHAPE_SENSOR) != 0, sensor_b = (shapes->flags[b] & TR2_SHAPE_SENSOR) != 0;
    if (sensor_a || sensor_b)
        return sensor_a != sensor_b && (type_a != TR_STATIC || type_b != TR_STATIC);
    return (type_a == TR_DYNAMIC || type_b == TR_DYNAMIC) && !are_joined(world, body_a, body_b);
}

static tr_map_key key_of(uint32_t a, uint32_t b)
{
    return (tr_map_key){a, b};
}

static bool is_new(const void *context, uint32_t a, uint32_t b)
{
    const tr2_world *world = context;
    const tr2_collision *it = &world->collision;
    uint32_t known = tr_map_find(&it->keys, key_of(a, b));
    if (known != TR_MAP_NONE && (it->pairs[known].flags & TR2_PAIR_DEAD) == 0)
        return false;
    return tr2_pair_is_wanted(world, a, b);
}

static bool names(const tr2_shapes *shapes, uint32_t slot, uint16_t generation)
{
    return shapes->pool.row[slot] != TR_POOL_FREE && shapes->pool.generation[slot] == generation;
}

/* whether a known pair lives on; that of a fresh shape is looked at as if it were new */
static void weed_pair(tr2_world *world, tr2_pair *pair)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_broad *broad = &world->collision.broad;
    pair->flags |= TR2_PAIR_DEAD;
    if (!names(shapes, pair->a, pair->generation_a) || !names(shapes, pair->b, pair->generation_b) ||
        !tr2_boxes_overlap(&broad->boxes[pair->a], &broad->boxes[pair->b]))
        return;
    uint32_t flags_a = shapes->flags[shapes->pool.row[pair->a]], flags_b = shapes->flags[shapes->pool.row[pair->b]];
    if (((flags_a | flags_b) & TR2_SHAPE_FRESH) != 0) {
        if (!tr2_pair_is_wanted(world, pair->a, pair->b))
            return;
        pair->flags = (pair->flags & TR2_PAIR_TOUCHING) | tr2_pair_flags(shapes, pair->a, pair->b);
    }
    pair->flags &= ~TR2_PAIR_DEAD;
}

static void weed_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    tr2_collision *it = &step->world->collision;
    uint32_t first = chunk * PAIRS_PER_CHUNK;
    uint32_t end = it->count - first < PAIRS_PER_CHUNK ? it->count : first + PAIRS_PER_CHUNK;
    for (uint32_t i = first; i < end; i++)
        weed_pair(step->world, &it->pairs[i]);
}

static uint32_t chunks_of(uint32_t count, uint32_t per_chunk)
{
    return count / per_chunk + (count % per_chunk != 0);
}

/* the new pairs come after those that are known, and count only once all else has worked */
static bool append_pairs(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    uint64_t total = (uint64_t)it->count + it->broad.pair_count;
    if (total > INT32_MAX ||
        !tr_grow(&world->memory, (void **)&it->pairs, &it->capacity, (uint32_t)total, sizeof *it->pairs) ||
        !tr_map_reserve(&it->keys, (uint32_t)total))
        return false;
    for (uint32_t i = 0; i < it->broad.pair_count; i++) {
        tr2_proxy_pair found = it->broad.pairs[i];
        it->pairs[it->count + i] = (tr2_pair){
            .a = found.a,
            .b = found.b,
            .generation_a = shapes->pool.generation[found.a],
            .generation_b = shapes->pool.generation[found.b],
            .contact = TR_NONE,
            .flags = tr2_pair_flags(shapes, found.a, found.b),
        };
    }
    return true;
}

bool tr2_collide_find(tr2_collide_step *step)
{
    tr2_world *world = step->world;
    tr2_collision *it = &world->collision;
    uint32_t shape_chunks = chunks_of(world->shapes.table.count, SHAPES_PER_CHUNK);
    uint32_t pair_chunks = chunks_of(it->count, PAIRS_PER_CHUNK);
    uint32_t most = shape_chunks > pair_chunks ? shape_chunks : pair_chunks;
    if (tr_team_reserve(world->team, 2, most) != TR_OK)
        return false;
    const tr_pipeline_stage stages[2] = {{place_chunk, NULL, shape_chunks, 0}, {weed_chunk, NULL, pair_chunks, 0}};
    tr_team_run(world->team, stages, 2, step->workers, step, NULL);
    return tr2_broad_find(&it->broad, world->team, step->workers, is_new, world) && append_pairs(world);
}

void tr2_collide_settle_pairs(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_broad_settle(&it->broad);
    /* what goes first: its slots may be those of a new pair */
    for (uint32_t i = 0; i < it->count; i++) {
        if ((it->pairs[i].flags & TR2_PAIR_DEAD) == 0)
            continue;
        tr_map_remove(&it->keys, key_of(it->pairs[i].a, it->pairs[i].b));
        tr2_touch_ended(it, world->tag, &it->pairs[i]);
    }
    for (uint32_t i = 0; i < it->broad.pair_count; i++, it->count++)
        tr_map_put(&it->keys, key_of(it->pairs[it->count].a, it->pairs[it->count].b), it->count);
    it->broad.pair_count = 0;

    /* the last takes the place of one that is gone */
    for (uint32_t i = 0; i < it->count;) {
        if ((it->pairs[i].flags & TR2_PAIR_DEAD) == 0) {
            i++;
            continue;
        }
        uint32_t last = --it->count;
        if (i == last)
            break;
        bool dead = (it->pairs[last].flags & TR2_PAIR_DEAD) != 0;
        it->pairs[i] = it->pairs[last];
        it->manifolds[i] = it->manifolds[last];
        if (dead)
            continue;
        tr_map_remove(&it->keys, key_of(it->pairs[i].a, it->pairs[i].b));
        tr_map_put(&it->keys, key_of(it->pairs[i].a, it->pairs[i].b), i);
        tr2_pair_moved(world, i);
    }
}
