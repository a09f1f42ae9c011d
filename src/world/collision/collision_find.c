/* Finds pairs of shapes that may touch: boxes around the shapes, and the pairs that are wanted. */
#include <math.h>

#include "collide/broad/quad_bounds.h"
#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/core/body.h"

/* margin of a box around its shape, as a share of the shape's extent, and its limits in units */
#define MARGIN_SHARE 0.0625
#define MARGIN_LEAST 0.01
#define MARGIN_MOST  0.05
/* number of additional steps of motion for which a box has room; fewer if that were farther than this share of the
   shape's extent, but at least one */
#define STEPS_AHEAD 8.0
#define AHEAD_SHARE 0.5

#define SHAPES_PER_CHUNK 256u

#define INDEX_STEPS 32u

/* marks of a shape from the last step */
#define FORMER (TR2_SHAPE_DEEP | TR2_SHAPE_BY_FIXED | TR2_SHAPE_BY_DRIVEN)

/*
 * Boxes
 */
/* the centre of a shape in the world */
static tr_dvec2 middle_of(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry)
{
    if (tr2_is_centered(bodies, geometry))
        return (tr_dvec2){bodies->center_x[body], bodies->center_y[body]};
    tr_vec2 of_mass = tr2_body_center(bodies, body);
    tr_vec2 local = {geometry->center.x - of_mass.x, geometry->center.y - of_mass.y};
    tr_dvec2 arm = tr2_rotate(bodies->c[body], bodies->s[body], local);
    return (tr_dvec2){bodies->center_x[body] + arm.x, bodies->center_y[body] + arm.y};
}

static tr_dvec2 origin_of(const tr2_bodies *bodies, uint32_t body)
{
    return bodies->off_center ? tr2_body_origin(bodies, body)
                              : (tr_dvec2){bodies->center_x[body], bodies->center_y[body]};
}

/* from the body's origin, and the bounds at its rotation */
static tr2_box box_of(tr_dvec2 origin, const tr2_bounds *bounds)
{
    return (tr2_box){origin.x + (double)bounds->lower.x, origin.y + (double)bounds->lower.y,
                     origin.x + (double)bounds->upper.x, origin.y + (double)bounds->upper.y};
}

static tr2_box box_of_circle(tr_dvec2 center, float radius)
{
    double r = (double)radius;
    return (tr2_box){center.x - r, center.y - r, center.x + r, center.y + r};
}

tr2_box tr2_collide_box(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry)
{
    if (geometry->kind == TR2_GEOMETRY_CIRCLE)
        return box_of_circle(middle_of(bodies, body, geometry), geometry->radius);
    tr2_bounds bounds = tr2_geometry_bounds(geometry, bodies->c[body], bodies->s[body]);
    return box_of(origin_of(bodies, body), &bounds);
}

double tr2_collide_margin(const tr2_world *world, const tr2_geometry *geometry)
{
    double margin = MARGIN_SHARE * (double)geometry->extent, unit = (double)world->settings.length_unit;
    double least = MARGIN_LEAST * unit, most = MARGIN_MOST * unit;
    return margin < least ? least : margin > most ? most : margin;
}

/* Extends a box along a motion. The signs follow no pattern, and compilers make branches of x > 0.0 ? x : 0.0. */
static void stretch(tr2_box *box, double x, double y)
{
    double size_x = fabs(x), size_y = fabs(y);
    box->lower_x += 0.5 * (x - size_x);
    box->lower_y += 0.5 * (y - size_y);
    box->upper_x += 0.5 * (x + size_x);
    box->upper_y += 0.5 * (y + size_y);
}

void tr2_collide_foresee(const tr2_world *world, tr2_box *box, const tr2_geometry *geometry, double x, double y)
{
    tr2_box_widen(box, tr2_collide_margin(world, geometry));
    double travel = sqrt(x * x + y * y), most = AHEAD_SHARE * (double)geometry->extent, steps = STEPS_AHEAD;
    if (steps * travel > most)
        steps = travel < most ? most / travel : 1.0;
    stretch(box, steps * x, steps * y);
}

/* Writes the place of a shape around its body's centre, but for the half sides. Member by member: of a whole struct
   compilers make a copy on the stack, and wait for it. */
static inline void write_around(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, float spin,
                                tr2_shape_place *out)
{
    out->at.x = bodies->center_x[body];
    out->at.y = bodies->center_y[body];
    out->at.velocity_x = bodies->velocity_x[body];
    out->at.velocity_y = bodies->velocity_y[body];
    out->at.spin = spin;
    out->at.arm_x = 0.0f;
    out->at.arm_y = 0.0f;
    out->c = bodies->c[body];
    out->s = bodies->s[body];
    out->at.extent = geometry->extent;
    out->geometry = geometry;
}

/* the same as below for a disc around its body's centre, as most in crowds */
static tr2_box write_disc(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, tr2_shape_place *out)
{
    float radius = geometry->radius;
    write_around(bodies, body, geometry, 0.0f, out);
    out->at.extent = out->at.half_x = out->at.half_y = radius;
    return box_of_circle((tr_dvec2){out->at.x, out->at.y}, radius);
}

/* the same for a polygon or line around it */
static tr2_box write_centered(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry,
                              tr2_shape_place *out)
{
    tr2_bounds bounds = tr2_geometry_bounds(geometry, bodies->c[body], bodies->s[body]);
    write_around(bodies, body, geometry, bodies->angular_velocity[body], out);
    out->at.half_x = tr_max(bounds.upper.x, -bounds.lower.x);
    out->at.half_y = tr_max(bounds.upper.y, -bounds.lower.y);
    return box_of((tr_dvec2){out->at.x, out->at.y}, &bounds);
}

/* fills in a shape's data for its pairs; returns its bounding box */
static tr2_box write_place(const tr2_bodies *bodies, uint32_t body, const tr2_geometry *geometry, tr2_shape_place *out)
{
    bool circle = geometry->kind == TR2_GEOMETRY_CIRCLE;
    if (tr2_is_centered(bodies, geometry))
        return circle ? write_disc(bodies, body, geometry, out) : write_centered(bodies, body, geometry, out);
    float w = bodies->angular_velocity[body];
    tr_dvec2 middle = middle_of(bodies, body, geometry);
    tr2_mover at = {
        .x = middle.x,
        .y = middle.y,
        .spin = circle ? 0.0f : w,
        .extent = circle ? geometry->radius : geometry->extent,
        .arm_x = (float)(middle.x - bodies->center_x[body]),
        .arm_y = (float)(middle.y - bodies->center_y[body]),
        .half_x = geometry->radius,
        .half_y = geometry->radius,
    };
    at.velocity_x = bodies->velocity_x[body] - w * at.arm_y;
    at.velocity_y = bodies->velocity_y[body] + w * at.arm_x;
    tr2_box box = box_of_circle(middle, geometry->radius);
    if (!circle) {
        /* the rounding here is far below the outward rounding of the bounds */
        tr2_bounds bounds = tr2_geometry_bounds(geometry, bodies->c[body], bodies->s[body]);
        tr_dvec2 origin = origin_of(bodies, body);
        float arm_x = (float)(middle.x - origin.x), arm_y = (float)(middle.y - origin.y);
        box = box_of(origin, &bounds);
        at.half_x = tr_max(bounds.upper.x - arm_x, arm_x - bounds.lower.x);
        at.half_y = tr_max(bounds.upper.y - arm_y, arm_y - bounds.lower.y);
    }
    *out = (tr2_shape_place){at, bodies->c[body], bodies->s[body], geometry};
    return box;
}

void tr2_collide_place(tr2_world *world, uint32_t row)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t body = tr2_body_row(world, shapes->body[row]), slot = shapes->id[row].index - 1;
    (void)write_place(&world->bodies, body, shapes->geometry[row], &it->places[slot]);
}

/* Shapes of a body, and those of a negative group, never collide. For tr2_broad_set_family(). */
static uint32_t family_of(const tr2_shapes *shapes, uint32_t row)
{
    int32_t group = shapes->filter[row].group;
    return group < 0 ? (uint32_t)group : shapes->body[row].index;
}

/* Gives a shape that moves, with this bounding box, a new box if it may leave its box within the step, or is fresh. */
static inline void enter_moving(tr2_world *world, uint32_t slot, uint32_t body, bool fresh, tr2_box box, double dt)
{
    const tr2_bodies *bodies = &world->bodies;
    const tr2_geometry *geometry = world->collision.places[slot].geometry;
    tr2_broad *broad = &world->collision.broad;
    tr2_box_widen(&box, tr2_speculative(world));
    /* where it may be at the end of the step, ignoring contacts */
    double x = (double)bodies->velocity_x[body] * dt, y = (double)bodies->velocity_y[body] * dt;
    stretch(&box, x, y);
    double swing = tr2_swing(bodies, body, geometry, fabs((double)bodies->angular_velocity[body]) * dt);
    if (swing > 0.0)
        tr2_box_widen(&box, swing);
    if (!fresh && tr2_box_contains(&broad->boxes[slot], &box))
        return;
    tr2_collide_foresee(world, &box, geometry, x, y);
    if (fresh)
        tr2_broad_set(broad, slot, true, &box);
    else
        tr2_broad_move(broad, slot, &box);
}

static void place_shape(tr2_world *world, uint32_t row, double dt)
{
    const tr2_shapes *shapes = &world->shapes;
    tr2_broad *broad = &world->collision.broad;
    uint32_t slot = shapes->id[row].index - 1;
    if ((shapes->flags[row] & FORMER) != 0)
        shapes->flags[row] &= ~FORMER;
    bool fresh = (shapes->flags[row] & TR2_SHAPE_FRESH) != 0;
    if (!fresh && TR2_PROXY_KIND(broad->states[slot]) == TR2_PROXY_FIXED)
        return;
    if (fresh)
        tr2_broad_set_family(broad, slot, family_of(shapes, row));
    uint32_t body = tr2_body_row(world, shapes->body[row]);
    tr2_box box = write_place(&world->bodies, body, shapes->geometry[row], &world->collision.places[slot]);
    if (world->bodies.type[body] != TR_STATIC) {
        enter_moving(world, slot, body, fresh, box, dt);
        return;
    }
    tr2_box_widen(&box, tr2_speculative(world));
    tr2_broad_set(broad, slot, false, &box);
}

/* Quadrilaterals that are placed together. Those that may leave their boxes are then looked at one by one. */
typedef struct quad_run {
    tr2_quad_batch quads;
    uint32_t slot[TR2_QUAD_BATCH], body[TR2_QUAD_BATCH];
} quad_run;

/* Adds a shape that can be placed with others, and writes all of its place but the half sides. False: it cannot. */
static bool add_quad(quad_run *run, tr2_world *world, uint32_t row)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_geometry *geometry = shapes->geometry[row];
    if (!tr2_is_quad(geometry) || (shapes->flags[row] & TR2_SHAPE_FRESH) != 0)
        return false;
    const tr2_bodies *bodies = &world->bodies;
    const tr2_broad *broad = &world->collision.broad;
    uint32_t slot = shapes->id[row].index - 1, body = tr2_body_row(world, shapes->body[row]), n = run->quads.count;
    if (TR2_PROXY_KIND(broad->states[slot]) != TR2_PROXY_MOVING || !tr2_is_centered(bodies, geometry) ||
        bodies->type[body] == TR_STATIC)
        return false;
    tr_dvec2 middle = {bodies->center_x[body], bodies->center_y[body]};
    double far = TR2_QUAD_FAR * (double)world->settings.length_unit;
    if (!(fabs(middle.x) < far && fabs(middle.y) < far))
        return false;
    tr2_shape_place *place = &world->collision.places[slot];
    write_around(bodies, body, geometry, bodies->angular_velocity[body], place);
    shapes->flags[row] &= ~FORMER;
    run->quads.mover[n] = &place->at;
    run->quads.geometry[n] = geometry;
    run->quads.c[n] = place->c;
    run->quads.s[n] = place->s;
    run->quads.box[n] = &broad->boxes[slot];
    run->slot[n] = slot;
    run->body[n] = body;
    run->quads.count++;
    return true;
}

static void bound_run_of_quads(quad_run *run, tr2_world *world, double dt)
{
    if (run->quads.count == 0)
        return;
    uint32_t all = (UINT32_C(1) << run->quads.count) - 1;
    for (uint32_t left = all & ~tr2_quad_bounds(&run->quads); left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        const tr2_mover *at = run->quads.mover[i];
        tr2_bounds bounds = tr2_geometry_bounds(run->quads.geometry[i], run->quads.c[i], run->quads.s[i]);
        enter_moving(world, run->slot[i], run->body[i], false, box_of((tr_dvec2){at->x, at->y}, &bounds), dt);
    }
    run->quads.count = 0;
}

static void place_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr_row_range rows = tr2_shapes_of_chunk(&step->world->shapes, chunk, SHAPES_PER_CHUNK);
    quad_run run;
    run.quads.count = 0;
    run.quads.room = (float)tr2_speculative(step->world);
    run.quads.dt = (float)step->dt;
    for (uint32_t row = rows.first; (row = tr2_shapes_awake(&step->world->shapes, row)) < rows.end; row++) {
        if (!add_quad(&run, step->world, row))
            place_shape(step->world, row, step->dt);
        else if (run.quads.count == TR2_QUAD_BATCH)
            bound_run_of_quads(&run, step->world, step->dt);
    }
    bound_run_of_quads(&run, step->world, step->dt);
}

/*
 * Pairs
 */

/* whether a joint keeps the bodies from colliding; searches at the body with fewer edges */
static bool are_joined(const tr2_world *world, uint32_t body_a, uint32_t body_b)
{
    const tr_plan *plan = world->plan;
    bool swap = tr_plan_degree(plan, body_b) < tr_plan_degree(plan, body_a);
    uint32_t near = swap ? body_b : body_a, far = swap ? body_a : body_b;
    for (uint32_t half = tr_plan_first(plan, near); half != TR_NONE; half = tr_plan_next(plan, half)) {
        /* a gear's carriers, which are further ends, may collide */
        uint32_t slot = tr_half_edge(half), end = tr_half_end(half);
        if (end > 1 || tr_plan_end(plan, slot, 1 - end) != far)
            continue;
        uint32_t type = tr2_joint_type_of(world, slot);
        if (type != TR_CONTACT && !tr2_joint_collides(&world->joints[type], world->joint_pool.row[slot]))
            return true;
    }
    return false;
}

bool tr2_pair_is_wanted(const tr2_world *world, uint32_t slot_a, uint32_t slot_b)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t a = shapes->pool.row[slot_a], b = shapes->pool.row[slot_b];
    uint32_t body_a = shapes->body[a].index - 1, body_b = shapes->body[b].index - 1;
    if (body_a == body_b || !tr2_filters_agree(&shapes->filter[a], &shapes->filter[b]))
        return false;
    uint32_t body_row_a = world->body_pool.row[body_a], body_row_b = world->body_pool.row[body_b];
    if (tr2_body_is_disabled(world, body_row_a) || tr2_body_is_disabled(world, body_row_b))
        return false;
    const tr2_bodies *bodies = &world->bodies;
    bool dynamic = tr2_body_is_dynamic(bodies, body_row_a) || tr2_body_is_dynamic(bodies, body_row_b);
    bool sensor_a = (shapes->flags[a] & TR2_SHAPE_SENSOR) != 0, sensor_b = (shapes->flags[b] & TR2_SHAPE_SENSOR) != 0;
    if (sensor_a || sensor_b)
        return sensor_a != sensor_b &&
               (dynamic || bodies->type[body_row_a] != TR_STATIC || bodies->type[body_row_b] != TR_STATIC);
    return dynamic && !are_joined(world, body_a, body_b);
}

/* Makes the index of known pairs if it is not up to date, and keeps it so for some steps. Only fresh shapes need it; to
   keep it while pairs come and go costs time. TR_ERROR_MEMORY or TR_ERROR_LIMIT. */
static tr_status keep_index(tr2_collision *it)
{
    if (it->index_steps == 0) {
        tr2_pair_index_clear(&it->index);
        tr_status status = tr2_pair_index_reserve(&it->index, it->pairs, it->count);
        if (status != TR_OK)
            return status;
        for (uint32_t i = 0; i < it->count; i++)
            tr2_pair_index_put(&it->index, it->pairs, i);
    }
    it->index_steps = INDEX_STEPS;
    return TR_OK;
}

/* pairs that were apart before need no search among the known pairs */
static bool is_new(const void *context, uint32_t a, uint32_t b, bool apart)
{
    const tr2_world *world = context;
    const tr2_collision *it = &world->collision;
    if (apart)
        return tr2_pair_is_wanted(world, a, b);
    uint32_t known = tr2_pair_index_find(&it->index, it->pairs, a, b);
    if (known != TR2_PAIR_UNKNOWN && (it->pairs[known].flags & TR2_PAIR_DEAD) == 0)
        return false;
    return tr2_pair_is_wanted(world, a, b);
}

/* whether a proxy exists, and is the one that it was when pairs were last settled, even if its box is another */
static bool is_known(uint32_t state)
{
    return TR2_PROXY_IN(state) != TR2_PROXY_NONE && (state & (TR2_PROXY_MOVED | TR2_PROXY_ASKED)) != TR2_PROXY_MOVED;
}

/* decides whether a known pair stays; if a shape is fresh, with the conditions for new pairs */
static __attribute__((noinline)) void weed_changed_pair(tr2_world *world, tr2_pair *pair)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_broad *broad = &world->collision.broad;
    pair->flags |= TR2_PAIR_DEAD;
    if (!tr2_shape_is_there(shapes, pair->a, pair->generation_a) ||
        !tr2_shape_is_there(shapes, pair->b, pair->generation_b) ||
        !tr2_boxes_overlap(&broad->boxes[pair->a], &broad->boxes[pair->b]))
        return;
    uint32_t flags_a = shapes->flags[shapes->pool.row[pair->a]], flags_b = shapes->flags[shapes->pool.row[pair->b]];
    if (((flags_a | flags_b) & TR2_SHAPE_FRESH) != 0) {
        uint32_t flags = tr2_pair_flags(world, pair->a, pair->b), changed = pair->flags ^ flags;
        /* a change between touch and sensor overlap ends one and starts the other */
        if (!tr2_pair_is_wanted(world, pair->a, pair->b) || (changed & (TR2_PAIR_SENSOR | TR2_PAIR_SENSOR_B)) != 0)
            return;
        /* if events have just been enabled, an existing touch begins anew, so that its end has a beginning */
        uint32_t kept = (changed & flags & TR2_PAIR_EVENTS) != 0 ? TR2_PAIR_HELD : TR2_PAIR_TOUCHING | TR2_PAIR_HELD;
        pair->flags = (pair->flags & kept) | flags;
    }
    pair->flags &= ~TR2_PAIR_DEAD;
}

static void weed_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    tr2_collision *it = &step->world->collision;
    tr2_pair_range pairs = tr2_pairs_of_chunk(it, tr2_pairs_awake(it), chunk);
    /* no write changes these */
    const tr2_box *boxes = it->broad.boxes;
    const uint8_t *states = it->broad.states;
    tr2_pair *all = it->pairs;
    for (uint32_t i = pairs.first; i < pairs.end; i++) {
        tr2_pair *pair = &all[i];
        uint32_t a = states[pair->a], b = states[pair->b];
        if (!is_known(a) || !is_known(b) || (pair->flags & TR2_PAIR_DEAD) != 0)
            weed_changed_pair(step->world, pair);
        else if (((a | b) & TR2_PROXY_MOVED) != 0 && !tr2_boxes_overlap(&boxes[pair->a], &boxes[pair->b]))
            pair->flags |= TR2_PAIR_DEAD;
    }
}

/* appends the new pairs to the known ones; they count only after everything else has succeeded */
static tr_status append_pairs(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    uint64_t total = (uint64_t)it->count + it->broad.pair_count;
    if (total > TR2_PAIRS_MOST)
        return TR_ERROR_LIMIT;
    if (it->index_steps > 0 && tr2_pair_index_reserve(&it->index, it->pairs, (uint32_t)total) != TR_OK)
        return TR_ERROR_MEMORY;
    if (!tr_grow(&world->memory, (void **)&it->pairs, &it->capacity, (uint32_t)total, sizeof *it->pairs))
        return TR_ERROR_MEMORY;
    for (uint32_t i = 0; i < it->broad.pair_count; i++) {
        tr2_proxy_pair found = it->broad.pairs[i];
        it->pairs[it->count + i] = (tr2_pair){
            .a = found.a,
            .b = found.b,
            .generation_a = shapes->pool.generation[found.a],
            .generation_b = shapes->pool.generation[found.b],
            .contact = TR_NONE,
            .flags = tr2_pair_flags(world, found.a, found.b),
        };
    }
    return TR_OK;
}

tr_status tr2_collide_find(tr2_collide_step *step)
{
    tr2_world *world = step->world;
    tr2_collision *it = &world->collision;
    uint32_t shape_chunks = tr2_chunks_of(tr2_shapes_awake_count(&world->shapes), SHAPES_PER_CHUNK);
    uint32_t pair_chunks = tr2_pair_chunks(tr2_pairs_awake(it));
    uint32_t most = shape_chunks > pair_chunks ? shape_chunks : pair_chunks;
    if (tr_team_reserve(world->team, 2, most) != TR_OK)
        return TR_ERROR_MEMORY;
    const tr_pipeline_stage stages[2] = {{place_chunk, NULL, shape_chunks, 0, false, 0},
                                         {weed_chunk, NULL, pair_chunks, 0, false, 0}};
    tr_team_run(world->team, stages, 2, step->workers, step, NULL);
    tr_status status = it->fresh ? keep_index(it) : TR_OK;
    if (status != TR_OK)
        return status;
    if (!tr2_broad_find(&it->broad, &it->before.broad, world->team, step->workers, is_new, world))
        return it->broad.too_many ? TR_ERROR_LIMIT : TR_ERROR_MEMORY;
    return append_pairs(world);
}
