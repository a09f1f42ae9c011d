/* Machines whose joints sweeps do not hold: chains with a load, a truss, a closed linkage whose motion is known. */
#include "bench.h"

#include "base/angle.h"
#include "scene/core/storage.h"

#include <math.h>

#define BENCH_GRAVITY 9.81f

typedef struct bar_def {
    double x, y, angle; /* of its middle, m, rad */
    float length, mass, inertia;
} bar_def;

/* gives its index in `out` */
static tr_status add_bar(tr2_builder *builder, bar_def bar, uint32_t *out)
{
    tr2_scene_body *body = NULL;
    *out = builder->scene->body_count;
    tr_status status = tr2_builder_body(builder, &body, NULL);
    if (status != TR_OK)
        return status;
    body->def.position = (tr_dvec2){bar.x, bar.y};
    body->def.angle = bar.angle;
    body->def.mass = bar.mass;
    body->def.inertia = bar.inertia;
    return TR_OK;
}

/* a revolute between a place in the frame of body `a` and an end of bar `b` */
static tr_status add_pin(tr2_builder *builder, uint32_t a, tr_vec2 at, uint32_t b, float end)
{
    tr2_scene_joint *joint = NULL;
    tr_status status = tr2_builder_joint(builder, TR2_JOINT_REVOLUTE, &joint, NULL);
    if (status != TR_OK)
        return status;
    joint->body_a = a;
    joint->body_b = b;
    joint->def.anchor_a = at;
    joint->def.anchor_b.x = end;
    return TR_OK;
}

/* A scene with one static body, at the origin; its islands are solved by the world's own method, whatever they carry. */
static tr_status start(tr2_builder *builder, float gravity)
{
    tr2_scene_body *ground = NULL;
    tr_status status = tr2_builder_start(builder, "generated", NULL);
    if (status != TR_OK)
        return status;
    builder->scene->gravity = (tr_vec2){0.0f, -gravity};
    builder->scene->direct_load = INFINITY;
    status = tr2_builder_body(builder, &ground, NULL);
    if (status == TR_OK)
        ground->def.type = TR_STATIC;
    return status;
}

static tr_status finish(tr2_builder *builder, tr_status status, tr2_scene **out)
{
    if (status == TR_OK)
        *out = tr2_builder_take(builder);
    else
        tr2_builder_drop(builder);
    return status;
}

tr_status bench_make_chain(uint32_t links, float load, tr2_scene **out)
{
    tr2_builder builder = {0};
    tr_status status = start(&builder, 10.0f);
    uint32_t last = 0, body = 0;
    for (uint32_t i = 0; i <= links && status == TR_OK; i++, last = body) {
        const bar_def link = {i + 0.5, 0.0, 0.0, 1.0f, 1.0f, 1.0f / 12.0f};
        const bar_def ball = {i + 1.0, 0.0, 0.0, 2.0f, load, 0.5f * load};
        status = add_bar(&builder, i < links ? link : ball, &body);
        if (status == TR_OK)
            status = add_pin(&builder, last, (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f}, body, i < links ? -0.5f : -1.0f);
    }
    return finish(&builder, status, out);
}

/* Node i is at i/2 across, every other one up; bars go from it to the next two. All of a node are pinned to the first there,
   and those of the first two to the ground. */
static tr_status add_truss(tr2_builder *builder, uint32_t nodes, float load)
{
    struct {
        uint32_t body;
        float end; /* 0: none yet */
    } first[64] = {{0}};
    tr_status status = TR_OK;
    uint32_t body = 0;
    if (nodes > sizeof first / sizeof first[0])
        return TR_ERROR_RANGE;
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t j = i + 1; j <= i + 2 && j < nodes && status == TR_OK; j++) {
            if (j == 1)
                continue;
            const double high = 0.5 * sqrt(3.0), y = i % 2 * high, rise = j % 2 * high - y, run = 0.5 * (j - i);
            const bar_def bar = {0.5 * i + 0.5 * run, y + 0.5 * rise, atan2(rise, run), 1.0f, 1.0f, 1.0f / 12.0f};
            const tr_vec2 on_ground = {0.5f * (float)i, (float)y}, on_first = {first[i].end, 0.0f};
            status = add_bar(builder, bar, &body);
            if (status == TR_OK)
                status = add_pin(builder, i < 2 ? 0 : first[i].body, i < 2 ? on_ground : on_first, body, -0.5f);
            if (status == TR_OK && first[j].end != 0.0f)
                status = add_pin(builder, first[j].body, (tr_vec2){first[j].end, 0.0f}, body, 0.5f);
            else {
                first[j].body = body;
                first[j].end = 0.5f;
            }
        }
    }
    const double x = 0.5 * (nodes - 1), y = (nodes - 1) % 2 * 0.5 * sqrt(3.0);
    if (status == TR_OK)
        status = add_bar(builder, (bar_def){x, y, 0.0, 1.0f, load, load / 12.0f}, &body);
    if (status == TR_OK)
        status = add_pin(builder, first[nodes - 1].body, (tr_vec2){first[nodes - 1].end, 0.0f}, body, 0.0f);
    return status;
}

tr_status bench_make_truss(uint32_t triangles, tr2_scene **out)
{
    tr2_builder builder = {0};
    tr_status status = start(&builder, 9.81f);
    if (status == TR_OK)
        status = add_truss(&builder, triangles + 2, 100.0f);
    return finish(&builder, status, out);
}

/*
 * The linkage of the IFToMM benchmark A02: cranks of 1 m, and couplers between their ends that stay level
 */
tr_status bench_make_linkage(uint32_t windows, tr2_scene **out)
{
    tr2_builder builder = {0};
    tr_status status = start(&builder, BENCH_GRAVITY);
    uint32_t body = 0;
    for (uint32_t i = 0; i <= windows && status == TR_OK; i++) {
        status = add_bar(&builder, (bar_def){i, 0.5, 0.5 * TR_PI, 1.0f, 12.0f, 1.0f}, &body);
        if (status != TR_OK)
            break;
        builder.scene->bodies[body].def.velocity.x = 0.5f;
        builder.scene->bodies[body].def.angular_velocity = -1.0f;
        status = add_pin(&builder, 0, (tr_vec2){(float)i, 0.0f}, body, -0.5f);
    }
    for (uint32_t i = 0; i < windows && status == TR_OK; i++) {
        status = add_bar(&builder, (bar_def){i + 0.5, 1.0, 0.0, 1.0f, 12.0f, 1.0f}, &body);
        if (status != TR_OK)
            break;
        builder.scene->bodies[body].def.velocity.x = 1.0f;
        status = add_pin(&builder, 1 + i, (tr_vec2){0.5f, 0.0f}, body, -0.5f);
        if (status == TR_OK)
            status = add_pin(&builder, 2 + i, (tr_vec2){0.5f, 0.0f}, body, 0.5f);
    }
    return finish(&builder, status, out);
}

/* rad: the angle whose second derivative is `gain` times its sine, after `steps` steps of 1/60 s from the given one. By the
   method of Runge and Kutta in steps so short that what is left is rounding. */
static double turned(double gain, double angle, double rate, uint32_t steps)
{
    const double h = 1.0 / 1920.0;
    for (uint32_t i = 0; i < 32 * steps; i++) {
        const double r1 = rate, a1 = gain * sin(angle);
        const double r2 = rate + 0.5 * h * a1, a2 = gain * sin(angle + 0.5 * h * r1);
        const double r3 = rate + 0.5 * h * a2, a3 = gain * sin(angle + 0.5 * h * r2);
        const double r4 = rate + h * a3, a4 = gain * sin(angle + h * r3);
        angle += h / 6.0 * (r1 + 2.0 * r2 + 2.0 * r3 + r4);
        rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return angle;
}

/* of cranks from upright, as one degree of freedom */
double bench_linkage_deviation(uint32_t windows, const tr2_transform *bodies, uint32_t steps)
{
    const double cranks = windows + 1.0, couplers = windows;
    const double gain = (double)BENCH_GRAVITY * (0.5 * cranks + couplers) / (cranks / 3.0 + couplers);
    const double angle = turned(gain, 0.0, 1.0, steps);
    const tr_dvec2 coupler = bodies[windows + 2].position;
    return hypot(coupler.x - 0.5 - sin(angle), coupler.y - cos(angle));
}

/* a rod of 1 m, let go at level */
tr_status bench_make_pendulum(uint32_t size, tr2_scene **out)
{
    tr2_builder builder = {0};
    tr_status status = start(&builder, BENCH_GRAVITY);
    uint32_t body = 0;
    (void)size;
    if (status == TR_OK)
        status = add_bar(&builder, (bar_def){0.5, 0.0, 0.0, 1.0f, 12.0f, 1.0f}, &body);
    if (status == TR_OK)
        status = add_pin(&builder, 0, (tr_vec2){0.0f, 0.0f}, body, -0.5f);
    return finish(&builder, status, out);
}

double bench_pendulum_deviation(uint32_t size, const tr2_transform *bodies, uint32_t steps)
{
    const double angle = turned(1.5 * (double)BENCH_GRAVITY, 0.5 * TR_PI, 0.0, steps);
    (void)size;
    return hypot(bodies[1].position.x - 0.5 * sin(angle), bodies[1].position.y - 0.5 * cos(angle));
}
