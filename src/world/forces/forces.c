/* What forces from shapes share, and wind. */
#include "world/forces/forces.h"

#include <string.h>

#include "base/arithmetic.h"

/*
 * Ledger
 */
tr_status tr2_ledger_open(tr2_ledger *it, tr2_world *world, const tr2_check *check, uint32_t capacity, bool impulses)
{
    *it = (tr2_ledger){world, check, NULL, capacity, 0, impulses};
    if (capacity == 0)
        return TR_OK;
    it->entries = tr_allocate_array(&world->memory, capacity, sizeof *it->entries);
    if (it->entries == NULL || (!impulses && !tr2_bodies_hold_forces(&world->bodies))) {
        tr_release(&world->memory, it->entries, (size_t)capacity * sizeof *it->entries);
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "no memory for forces");
    }
    return TR_OK;
}

static void write_entry(const tr2_ledger *it, const tr2_ledger_entry *values)
{
    tr2_bodies *bodies = &it->world->bodies;
    (it->impulses ? bodies->velocity_x : bodies->force_x)[values->row] = values->x;
    (it->impulses ? bodies->velocity_y : bodies->force_y)[values->row] = values->y;
    (it->impulses ? bodies->angular_velocity : bodies->torque)[values->row] = values->turn;
}

tr_status tr2_ledger_give(tr2_ledger *it, uint32_t row, const tr2_load *amount)
{
    const tr2_bodies *bodies = &it->world->bodies;
    double by_mass = it->impulses ? (double)tr2_body_inverse_mass(bodies, row) : 1.0;
    double by_inertia = it->impulses ? (double)tr2_body_inverse_inertia(bodies, row) : 1.0;
    tr2_ledger_entry had = {row, it->impulses ? bodies->velocity_x[row] : bodies->force_x[row],
                            it->impulses ? bodies->velocity_y[row] : bodies->force_y[row],
                            it->impulses ? bodies->angular_velocity[row] : bodies->torque[row]};
    tr2_ledger_entry now = {row, (float)((double)had.x + by_mass * amount->force.x),
                            (float)((double)had.y + by_mass * amount->force.y),
                            (float)((double)had.turn + by_inertia * amount->torque)};
    const char *what = it->impulses ? "a body's velocity" : "the sum of forces on a body";
    tr_status status = tr2_check_result(it->check, what, (double)now.x);
    if (status == TR_OK)
        status = tr2_check_result(it->check, what, (double)now.y);
    if (status == TR_OK)
        status = tr2_check_result(it->check, what, (double)now.turn);
    if (status != TR_OK)
        return status;
    it->entries[it->count++] = had;
    write_entry(it, &now);
    return TR_OK;
}

tr_status tr2_ledger_close(tr2_ledger *it, tr_status status)
{
    while (status != TR_OK && it->count > 0)
        write_entry(it, &it->entries[--it->count]);
    /* rows move when bodies wake */
    for (uint32_t i = 0; i < it->count; i++)
        it->entries[i].row = it->world->bodies.slot[it->entries[i].row];
    for (uint32_t i = 0; i < it->count; i++)
        tr2_sleep_rouse(it->world, it->entries[i].row);
    tr_release(&it->world->memory, it->entries, (size_t)it->capacity * sizeof *it->entries);
    return status;
}

/*
 * Shapes of bodies
 */
/* the row of the shape in a slot if the query sees it, else TR_NONE */
static uint32_t seen(const tr2_ask *ask, uint32_t slot)
{
    uint32_t row = tr2_ask_row(ask, slot);
    bool accepted = row != TR_NONE && tr2_query_accepts(ask->world, &ask->query, ask->world->shapes.id[row], 0);
    return accepted ? row : TR_NONE;
}

static uint32_t oldest_shape(const tr2_world *world, uint32_t body_slot)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t slot = tr2_shapes_newest(shapes, body_slot);
    while (slot != TR_NONE && shapes->older[shapes->pool.row[slot]] != TR_NONE)
        slot = shapes->older[shapes->pool.row[slot]];
    return slot;
}

void tr2_force_outlines(const tr2_ask *ask, uint32_t body_row, const tr2_turned *at,
                        void (*visit)(const tr2_outline *outline, void *context), void *context)
{
    const tr2_shapes *shapes = &ask->world->shapes;
    tr2_outline outline;
    uint32_t slot = oldest_shape(ask->world, ask->world->bodies.slot[body_row]);
    for (; slot != TR_NONE; slot = shapes->newer[shapes->pool.row[slot]]) {
        uint32_t row = seen(ask, slot);
        if (row == TR_NONE)
            continue;
        tr2_outline_make(shapes->geometry[row], at, &outline);
        visit(&outline, context);
    }
}

/*
 * Drag
 */

static tr_dvec2 flow_at(const tr2_flow *it, tr_dvec2 point)
{
    return (tr_dvec2){it->velocity.x + it->spin * point.y, it->velocity.y - it->spin * point.x};
}

static void blow_on_part(tr2_flow *it, const tr2_piece *piece)
{
    tr2_sample samples[TR2_SAMPLES];
    tr2_piece_samples(piece, samples);
    for (uint32_t i = 0; i < TR2_SAMPLES; i++) {
        tr_dvec2 w = flow_at(it, samples[i].point), across = {-w.y, w.x}, n = samples[i].normal;
        double against = -tr_ddot(w, n), speed = tr_dlength(w);
        if (!(against > 0.0))
            continue;
        double size = 0.5 * it->density * samples[i].length * against;
        tr2_load_add(&it->along, tr_dscale(size * it->drag, w), samples[i].point);
        tr2_load_add(&it->aside, tr_dscale(-size * it->lift * tr_ddot(n, across) / speed, across), samples[i].point);
    }
}

/* cut where it changes from meeting the flow to its lee: along a line w.n is linear, on an arc the spin adds nothing */
void tr2_flow_meet(tr2_flow *it, const tr2_piece *piece)
{
    tr2_piece parts[3];
    tr_dvec2 n = piece->normal_from, axis = {it->spin * n.y, -it->spin * n.x};
    double level = tr_ddot(it->velocity, n);
    if (piece->radius > 0.0) {
        axis = flow_at(it, piece->center);
        level = tr_ddot(piece->center, axis);
    }
    uint32_t count = tr2_piece_cut(piece, axis, level, parts);
    for (uint32_t i = 0; i < count; i++)
        blow_on_part(it, &parts[i]);
}

/* energy of a motion with inverse mass and inertia; one that nothing can change does not count */
static double energy_of(tr_dvec2 velocity, double spin, double by_mass, double by_inertia)
{
    return tr_ddot(velocity, velocity) / by_mass + (by_inertia > 0.0 ? spin * spin / by_inertia : 0.0);
}

tr2_load tr2_flow_load(const tr2_flow *it, const tr2_bodies *bodies, uint32_t row, double dt)
{
    double by_mass = (double)tr2_body_inverse_mass(bodies, row);
    double by_inertia = (double)tr2_body_inverse_inertia(bodies, row);
    tr_dvec2 velocity = tr_dscale(-1.0, it->velocity), drag = it->along.force, lift = it->aside.force;
    double spin = by_inertia > 0.0 ? it->spin : 0.0;
    double work = tr_ddot(velocity, drag) + spin * it->along.torque;
    double square = tr_ddot(drag, drag) * by_mass + it->along.torque * it->along.torque * by_inertia;
    double share = !(square > 0.0) ? 1.0 : work < 0.0 ? fmin(1.0, -work / (square * dt)) : 0.0;
    tr2_load total = tr2_load_scaled(&it->along, share);
    if (it->lift == 0.0)
        return total;

    velocity = tr_dalong(velocity, dt * by_mass, total.force);
    spin += dt * by_inertia * total.torque;
    double before = energy_of(velocity, spin, by_mass, by_inertia);
    velocity = tr_dalong(velocity, dt * by_mass, lift);
    spin += dt * by_inertia * it->aside.torque;
    double after = energy_of(velocity, spin, by_mass, by_inertia);
    double excess = after > before ? (1.0 - sqrt(before / after)) / dt : 0.0;
    total.force = tr_dalong(tr_dalong(total.force, 1.0, lift), -excess / by_mass, velocity);
    total.torque += it->aside.torque - (by_inertia > 0.0 ? excess * spin / by_inertia : 0.0);
    return total;
}

/*
 * Lists of bodies
 */
static tr_status check_list(const tr2_check *check, const tr2_world *world, const tr2_body *bodies, uint32_t count)
{
    if (count == 0 || count == TR2_ALL_BODIES)
        return TR_OK;
    tr_status status = tr2_check_pointer(check, "bodies", bodies);
    tr2_check each = *check;
    each.subject = "bodies";
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        each.index = i;
        status = tr2_check_body(&each, "", world, bodies[i]);
    }
    return status;
}

/* a separate function, as explode() */
static __attribute__((noinline)) tr_status load_bodies(tr2_ledger *it, const tr2_ask *ask, const tr2_body *list,
                                                       uint32_t count, double dt, tr2_load_fn *of, const void *medium)
{
    const tr2_world *world = it->world;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        uint32_t row = list != NULL ? tr2_body_row(world, list[i]) : i;
        if (!tr2_force_moves(&world->bodies, row))
            continue;
        tr2_load amount = of(ask, medium, row, dt);
        status = tr2_ledger_give(it, row, &amount);
    }
    return status;
}

tr_status tr2_force_apply(tr2_world *world, tr2_check *check, const tr2_body *bodies, uint32_t count, float dt,
                          const tr2_query *query, tr2_load_fn *of, const void *medium)
{
    check->subject = "";
    tr_status status = check_list(check, world, bodies, count);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "dt", (double)dt);
    if (count == TR2_ALL_BODIES) {
        bodies = NULL;
        count = world->bodies.table.count;
    }
    if (status != TR_OK || count == 0 || dt == 0.0f)
        return status;
    tr2_ledger it;
    status = tr2_ledger_open(&it, world, check, count, false);
    if (status != TR_OK)
        return status;
    tr2_ask ask = tr2_force_ask(world, query);
    tr_arithmetic before = tr_arithmetic_plain();
    status = load_bodies(&it, &ask, bodies, count, (double)dt, of, medium);
    tr_arithmetic_restore(&before);
    return tr2_ledger_close(&it, status);
}

/*
 * Wind
 */
tr2_wind tr2_wind_default(void)
{
    tr2_wind it;
    memset(&it, 0, sizeof it);
    it.density = 1.2f;
    it.drag = 1.0f;
    it.query = tr2_query_default();
    return it;
}

static void meet_wind(const tr2_outline *outline, void *context)
{
    tr2_flow *it = context;
    for (uint32_t i = 0; i < outline->count; i++)
        tr2_flow_meet(it, &outline->piece[i]);
}

tr2_flow tr2_flow_around(const tr2_bodies *bodies, uint32_t row, tr_vec2 velocity, float density, float drag,
                         float lift)
{
    tr2_flow it;
    memset(&it, 0, sizeof it);
    it.velocity.x = (double)velocity.x - (double)bodies->velocity_x[row];
    it.velocity.y = (double)velocity.y - (double)bodies->velocity_y[row];
    it.spin = (double)bodies->angular_velocity[row];
    it.density = (double)density;
    it.drag = (double)drag;
    it.lift = (double)lift;
    return it;
}

static tr2_load wind_load(const tr2_ask *ask, const void *medium, uint32_t row, double dt)
{
    const tr2_wind *wind = medium;
    const tr2_bodies *bodies = &ask->world->bodies;
    tr2_flow it = tr2_flow_around(bodies, row, wind->velocity, wind->density, wind->drag, wind->lift);
    tr2_turned at = tr2_force_pose(bodies, row);
    tr2_force_outlines(ask, row, &at, meet_wind, &it);
    return tr2_flow_load(&it, bodies, row, dt);
}

tr_status tr2_do_world_apply_wind(tr2_world *world, const tr2_wind *wind, const tr2_body *bodies, uint32_t count,
                                  float dt)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "apply_wind", "");
    tr_status status = tr2_check_pointer(&check, "wind", wind);
    check.subject = "wind";
    if (status == TR_OK)
        status = tr2_check_vec(&check, "velocity", wind->velocity);
    if (status == TR_OK)
        status = tr2_check_not_negative(&check, "density", (double)wind->density);
    if (status == TR_OK)
        status = tr2_check_not_negative(&check, "drag", (double)wind->drag);
    if (status == TR_OK)
        status = tr2_check_not_negative(&check, "lift", (double)wind->lift);
    return status != TR_OK ? status : tr2_force_apply(world, &check, bodies, count, dt, &wind->query, wind_load, wind);
}
