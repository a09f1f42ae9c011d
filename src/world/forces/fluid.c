/* Fluids: buoyancy, drag and damping of what is under a surface. */
#include <string.h>

#include "base/arithmetic.h"
#include "world/forces/forces.h"

tr2_fluid tr2_fluid_default(void)
{
    tr2_fluid it;
    memset(&it, 0, sizeof it);
    it.normal.y = 1.0f;
    it.density = 1000.0f;
    it.drag = 1.0f;
    it.damping = 0.5f;
    it.query = tr2_query_default();
    return it;
}

static tr_status check_fluid(const tr2_check *check, const tr2_fluid *fluid)
{
    tr_status status = tr2_check_dvec(check, "point", fluid->point);
    if (status == TR_OK)
        status = tr2_check_vec(check, "normal", fluid->normal);
    if (status == TR_OK && fluid->normal.x == 0.0f && fluid->normal.y == 0.0f)
        status = tr2_check_fail(check, TR_ERROR_ZERO, "normal", "is (0, 0)");
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "density", (double)fluid->density);
    if (status == TR_OK)
        status = tr2_check_vec(check, "velocity", fluid->velocity);
    if (status == TR_OK)
        status = tr2_check_not_negative(check, "drag", (double)fluid->drag);
    return status != TR_OK ? status : tr2_check_not_negative(check, "damping", (double)fluid->damping);
}

/* A body in a fluid: the surface is where axis.x = level, from its centre of mass. */
typedef struct bath {
    tr_dvec2 axis;
    double level, damping;
    tr2_flow flow;
    tr2_moments sum; /* of what is submerged */
} bath;

static void sum_bath(const tr2_outline *outline, void *context)
{
    bath *it = context;
    tr2_moments part = tr2_outline_moments(outline, it->axis, it->level);
    it->sum.area += part.area;
    it->sum.x += part.x;
    it->sum.y += part.y;
    it->sum.second += part.second;
}

static void meet_fluid(const tr2_outline *outline, void *context)
{
    bath *it = context;
    sum_bath(outline, it);
    for (uint32_t i = 0; i < outline->count; i++) {
        tr2_piece parts[3];
        uint32_t count = tr2_piece_cut(&outline->piece[i], it->axis, it->level, parts);
        for (uint32_t k = 0; k < count; k++)
            if (tr_ddot(tr2_piece_middle(&parts[k]), it->axis) <= it->level)
                tr2_flow_meet(&it->flow, &parts[k]);
    }
}

static bath bath_of(const tr2_bodies *bodies, uint32_t row, const tr2_fluid *fluid, tr_dvec2 center)
{
    bath it;
    memset(&it, 0, sizeof it);
    tr_dvec2 normal = tr_widen(fluid->normal);
    it.axis = tr_dscale(1.0 / tr_dlength(normal), normal);
    it.level = tr_ddot(tr_dsub(fluid->point, center), it.axis);
    it.damping = (double)fluid->damping;
    it.flow = tr2_flow_around(bodies, row, fluid->velocity, fluid->density, fluid->drag, 0.0f);
    return it;
}

/* the sum of -damping density (v - velocity) dA over the submerged area */
static void add_damping(bath *it)
{
    const tr2_flow *around = &it->flow;
    double by = it->damping * around->density;
    tr_dvec2 u = around->velocity;
    it->flow.along.force.x += by * (it->sum.area * u.x + around->spin * it->sum.y);
    it->flow.along.force.y += by * (it->sum.area * u.y - around->spin * it->sum.x);
    it->flow.along.torque += by * (it->sum.x * u.y - it->sum.y * u.x - around->spin * it->sum.second);
}

static tr2_load fluid_load(const tr2_ask *ask, const void *medium, uint32_t row, double dt)
{
    const tr2_fluid *fluid = medium;
    const tr2_bodies *bodies = &ask->world->bodies;
    /* the middle of the step */
    tr_dvec2 center = {bodies->center_x[row] + 0.5 * dt * (double)bodies->velocity_x[row],
                       bodies->center_y[row] + 0.5 * dt * (double)bodies->velocity_y[row]};
    float c, s;
    tr2_rotation(bodies->angle[row] + 0.5 * dt * (double)bodies->angular_velocity[row], &c, &s);
    tr2_turned at = {tr2_body_center(bodies, row), (double)c, (double)s};
    bath it = bath_of(bodies, row, fluid, center);
    tr2_force_outlines(ask, row, &at, meet_fluid, &it);
    add_damping(&it);
    tr2_load total = tr2_flow_load(&it.flow, bodies, row, dt);

    tr_dvec2 gravity = tr_widen(ask->world->settings.gravity);
    double density = (double)fluid->density;
    total.force = tr_dalong(total.force, -density * it.sum.area, gravity);
    total.torque += -density * (it.sum.x * gravity.y - it.sum.y * gravity.x);
    return total;
}

tr_status tr2_do_world_apply_buoyancy(tr2_world *world, const tr2_fluid *fluid, const tr2_body *bodies, uint32_t count,
                                      float dt)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "apply_buoyancy", "");
    tr_status status = tr2_check_pointer(&check, "fluid", fluid);
    check.subject = "fluid";
    if (status == TR_OK)
        status = check_fluid(&check, fluid);
    return status != TR_OK ? status
                           : tr2_force_apply(world, &check, bodies, count, dt, &fluid->query, fluid_load, fluid);
}

/* a separate function, as explode() */
static __attribute__((noinline)) tr2_submersion submersion_of(const tr2_ask *ask, uint32_t row, const tr2_fluid *fluid)
{
    const tr2_bodies *bodies = &ask->world->bodies;
    tr_dvec2 center = {bodies->center_x[row], bodies->center_y[row]};
    tr2_turned at = tr2_force_pose(bodies, row);
    bath it = bath_of(bodies, row, fluid, center);
    tr2_force_outlines(ask, row, &at, sum_bath, &it);
    tr2_submersion out = {it.sum.area, center};
    if (it.sum.area > 0.0)
        out.centroid = tr_dalong(center, 1.0 / it.sum.area, (tr_dvec2){it.sum.x, it.sum.y});
    return out;
}

tr_status tr2_body_submersion(const tr2_world *world, tr2_body id, const tr2_fluid *fluid, tr2_submersion *out,
                              tr_error *error)
{
    tr2_check check = {error, "body_submersion", "", TR_NONE, NULL};
    tr_status status = tr2_check_pointer(&check, "world", world);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "fluid", fluid);
    if (status == TR_OK)
        status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_body(&check, "id", world, id);
    check.subject = "fluid";
    if (status == TR_OK)
        status = check_fluid(&check, fluid);
    if (status != TR_OK)
        return status;
    tr2_ask ask = tr2_force_ask(world, &fluid->query);
    ask.check = check;
    tr_arithmetic before = tr_arithmetic_plain();
    *out = submersion_of(&ask, tr2_body_row(world, id), fluid);
    tr_arithmetic_restore(&before);
    return tr2_ask_end(&ask);
}
