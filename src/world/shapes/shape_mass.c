/* Mass of bodies from their shapes. */
#include <math.h>

#include "base/arithmetic.h"
#include "world/core/body.h"
#include "world/shapes/shape_check.h"

/* adds a shape; inertia moves to the centre of all with Steiner's theorem, without differences of large moments */
static void add_shape(tr2_mass_sum *sum, tr2_shape_mass one)
{
    if (!(one.mass > 0.0))
        return;
    if (sum->mass > 0.0) {
        double x = one.center.x - sum->moment_x / sum->mass, y = one.center.y - sum->moment_y / sum->mass;
        sum->inertia += sum->mass * (one.mass / (sum->mass + one.mass)) * (x * x + y * y);
    }
    sum->mass += one.mass;
    sum->moment_x += one.mass * one.center.x;
    sum->moment_y += one.mass * one.center.y;
    sum->inertia += one.inertia;
}

/* The sum over a body's unmarked shapes, oldest first: that of a body with one more shape continues the last sum, with
   the same bits as if all were new. For a body with one less there is no such way, nor can its sum wait until it is
   needed: sums of floats depend on their order, and each of them moves the centre of mass, which rounds its place and
   velocity. */
static tr2_mass_sum sum_of(const tr2_world *world, uint32_t body_slot)
{
    const tr2_shapes *shapes = &world->shapes;
    const uint32_t *rows = shapes->pool.row;
    tr2_mass_sum sum = {0, 0.0, 0.0, 0.0, 0.0};
    uint32_t slot = tr2_shapes_newest(shapes, body_slot);
    if (slot == TR_NONE)
        return sum;
    sum.upto = slot + 1;
    uint32_t upto = body_slot < shapes->summed_capacity ? shapes->summed[body_slot].upto : 0;
    if (upto != 0) {
        sum = shapes->summed[body_slot];
        sum.upto = slot + 1;
        slot = shapes->newer[rows[upto - 1]];
    } else {
        while (shapes->older[rows[slot]] != TR_NONE)
            slot = shapes->older[rows[slot]];
    }
    for (; slot != TR_NONE; slot = shapes->newer[rows[slot]]) {
        uint32_t row = rows[slot];
        if (shapes->density[row] > 0.0f && (shapes->flags[row] & TR2_SHAPE_MARKED) == 0)
            add_shape(&sum, tr2_geometry_mass(shapes->geometry[row], (double)shapes->density[row]));
    }
    return sum;
}

/* the sum, kept for what follows; not in getters, which may run at the same time */
static tr2_mass_sum keep_sum(tr2_world *world, uint32_t body_slot)
{
    tr2_mass_sum sum = sum_of(world, body_slot);
    if (body_slot < world->shapes.summed_capacity)
        world->shapes.summed[body_slot] = sum;
    return sum;
}

/* the sum as a body's numbers */
static tr2_body_weight weight_of(const tr2_mass_sum *sum)
{
    return (tr2_body_weight){(float)sum->mass,
                             (float)sum->inertia,
                             {(float)(sum->moment_x / sum->mass), (float)(sum->moment_y / sum->mass)},
                             true};
}

static bool is_due(const tr2_world *world, uint32_t body_slot)
{
    return (world->bodies.flags[world->body_pool.row[body_slot]] & TR_BODY_WEIGH) != 0;
}

static tr_status check_sum(const tr2_check *check, tr2_world *world, uint32_t body_slot)
{
    tr2_mass_sum sum = keep_sum(world, body_slot);
    if (!(sum.mass > 0.0))
        return TR_OK;
    tr2_body_weight now = weight_of(&sum);
    return tr2_body_check_mass(check, &world->bodies, world->body_pool.row[body_slot], now.mass, now.inertia,
                               now.center);
}

static void apply_sum(tr2_world *world, uint32_t body_slot)
{
    tr2_mass_sum sum = keep_sum(world, body_slot);
    uint32_t row = world->body_pool.row[body_slot];
    world->bodies.flags[row] &= ~TR_BODY_WEIGH;
    if (!(sum.mass > 0.0))
        return;
    tr2_body_weight before = tr2_body_weight_of(&world->bodies, row), now = weight_of(&sum);
    tr2_body_write_mass(&world->bodies, row, now.mass, now.inertia, now.center);
    tr2_body_weigh(world, row, before);
}

static bool is_static(const tr2_world *world, uint32_t body_slot)
{
    return tr2_body_type_of(&world->bodies, world->body_pool.row[body_slot]) == TR_STATIC;
}

tr_status tr2_shapes_check_mass(const tr2_check *check, tr2_world *world, uint32_t body_slot)
{
    return is_static(world, body_slot) ? TR_OK : check_sum(check, world, body_slot);
}

void tr2_shapes_apply_mass(tr2_world *world, uint32_t body_slot)
{
    if (!is_static(world, body_slot)) {
        apply_sum(world, body_slot);
        return;
    }
    world->shapes.due += !is_due(world, body_slot);
    world->shapes.weigh = true;
    world->bodies.flags[world->body_pool.row[body_slot]] |= TR_BODY_WEIGH;
}

tr_status tr2_shapes_check_due(const tr2_check *check, tr2_world *world, uint32_t body_slot)
{
    return is_due(world, body_slot) ? check_sum(check, world, body_slot) : TR_OK;
}

void tr2_shapes_weigh(tr2_world *world, uint32_t body_slot)
{
    if (is_due(world, body_slot))
        apply_sum(world, body_slot);
}

/* A static body as it was before it was weighed. */
typedef struct tr2_weighed {
    uint32_t slot;
    tr2_body_weight weight;
    tr_dvec2 center; /* in the world */
} tr2_weighed;

/* makes room to keep those that are due as they are */
static bool begin_weighing(tr2_world *world)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t most = world->bodies.table.count < shapes->due ? world->bodies.table.count : (uint32_t)shapes->due;
    shapes->was_off_center = world->bodies.off_center;
    shapes->was_due = shapes->due;
    shapes->weighed_count = 0;
    return tr_grow(&world->memory, (void **)&shapes->weighed, &shapes->weighed_capacity, most, sizeof *shapes->weighed);
}

static void keep_as_it_is(tr2_world *world, uint32_t row)
{
    tr2_bodies *bodies = &world->bodies;
    tr2_weighed *kept = &world->shapes.weighed[world->shapes.weighed_count++];
    *kept = (tr2_weighed){bodies->slot[row], tr2_body_weight_of(bodies, row), tr2_body_mass_center(bodies, row)};
}

static void put_back(tr2_world *world, const tr2_weighed *kept)
{
    tr2_bodies *bodies = &world->bodies;
    uint32_t row = world->body_pool.row[kept->slot];
    tr2_body_weight weighed = tr2_body_weight_of(bodies, row);
    tr2_body_write_mass(bodies, row, kept->weight.mass, kept->weight.inertia, kept->weight.center);
    /* without the rounding of having moved it there and back */
    tr2_body_write_mass_center(bodies, row, kept->center);
    bodies->flags[row] |= TR_BODY_WEIGH;
    tr2_body_weigh(world, row, weighed);
}

void tr2_shapes_end_weighing(tr2_world *world, bool failed)
{
    tr2_shapes *shapes = &world->shapes;
    if (shapes->weighed == NULL)
        return;
    for (uint32_t i = 0; i < shapes->weighed_count && failed; i++)
        put_back(world, &shapes->weighed[i]);
    if (failed) {
        world->bodies.off_center = shapes->was_off_center;
        shapes->due = shapes->was_due;
        shapes->weigh = true;
    }
    /* few worlds weigh static bodies again */
    tr_release(&world->memory, shapes->weighed, shapes->weighed_capacity * sizeof *shapes->weighed);
    shapes->weighed = NULL;
    shapes->weighed_count = shapes->weighed_capacity = 0;
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) tr_status weigh_plainly(tr2_world *world)
{
    const tr2_bodies *bodies = &world->bodies;
    uint64_t left = world->shapes.due, kept = 0;
    if (!begin_weighing(world))
        return TR_ERROR_MEMORY;
    /* if one has its centre of mass apart from its origin, there must be room for that before any gets its mass */
    for (uint32_t row = 0; row < bodies->table.count && left > 0 && bodies->local_center_x == NULL; row++) {
        if (tr2_shapes_check_due(&TR_CHECK_SILENT, world, bodies->slot[row]) == TR_ERROR_MEMORY)
            return TR_ERROR_MEMORY;
    }
    for (uint32_t row = 0; row < bodies->table.count && left > 0; row++) {
        if ((bodies->flags[row] & TR_BODY_WEIGH) == 0)
            continue;
        left--;
        if (tr2_shapes_check_due(&TR_CHECK_SILENT, world, bodies->slot[row]) == TR_OK) {
            keep_as_it_is(world, row);
            tr2_shapes_weigh(world, bodies->slot[row]);
        } else {
            kept++;
        }
    }
    world->shapes.due = kept;
    world->shapes.weigh = false;
    return TR_OK;
}

tr_status tr2_shapes_weigh_all(tr2_world *world)
{
    if (!world->shapes.weigh)
        return TR_OK;
    tr_arithmetic before = tr_arithmetic_plain();
    tr_status status = weigh_plainly(world);
    tr_arithmetic_restore(&before);
    return status;
}

tr2_body_weight tr2_shapes_weight(const tr2_world *world, uint32_t body_slot)
{
    tr2_body_weight stored = tr2_body_weight_of(&world->bodies, world->body_pool.row[body_slot]);
    if (!is_due(world, body_slot))
        return stored;
    tr2_mass_sum sum = sum_of(world, body_slot);
    if (!(sum.mass > 0.0))
        return stored;
    tr2_body_weight due = weight_of(&sum);
    bool fits = tr2_check_mass(&TR_CHECK_SILENT, false, due.mass, due.inertia) == TR_OK &&
                tr2_check_vec(&TR_CHECK_SILENT, "", due.center) == TR_OK;
    return fits ? due : stored;
}

tr_status tr2_do_body_update_mass_from_shapes(tr2_world *world, tr2_body id)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "body_update_mass_from_shapes", "");
    tr_status status = tr2_check_body(&check, "id", world, id);
    if (status == TR_OK && !(sum_of(world, id.index - 1).mass > 0.0))
        status = tr2_check_fail(&check, TR_ERROR_ZERO, "", "finds no shape with density and area on the body");
    if (status == TR_OK)
        status = check_sum(&check, world, id.index - 1);
    if (status == TR_OK) {
        tr2_sleep_rouse(world, id.index - 1);
        apply_sum(world, id.index - 1);
    }
    return status;
}
