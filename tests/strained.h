/* What the tests of strained islands share: their worlds, how far joints are off, and a light hub. */
#ifndef TR_TESTS_STRAINED_H
#define TR_TESTS_STRAINED_H

#include "physics.h"

/* one thread; `direct_load` as in tr2_world_def: all islands with joints are solved directly at 0, none at INFINITY */
static inline tr2_world *strained_world(double gravity, tr_method method, float direct_load)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.gravity = (tr_vec2){0.0f, -(float)gravity};
    def.method = method;
    def.direct_load = direct_load;
    def.threads = 1;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

/* rms of what joints are off over `count` steps, m */
static inline double error_over(tr2_world *world, uint32_t substeps, uint32_t count)
{
    double squares = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        steps(world, 1.0 / 60.0, substeps, 1);
        double rms = tr2_world_measure(world).joint_error_rms;
        squares += rms * rms;
    }
    return sqrt(squares / count);
}

/* 10 kg pinned at the origin, turning at `rate` rad/s: light, for what is tied to it */
static inline tr2_body make_hub(tr2_world *world, double inertia, double rate)
{
    tr2_body ground = static_at(world, 0.0, 0.0), hub = body_at(world, 0.0, 0.0, 0.0, 10.0, inertia);
    MUST(tr2_body_set_velocity(world, hub, (tr_vec2){0.0f, 0.0f}, (float)rate));
    (void)revolute(world, ground, hub, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    return hub;
}

/* the i-th of `count` places on the hub, from 2 m out to `reach`, in pairs that balance each other */
static inline tr_vec2 place_on_hub(uint32_t i, uint32_t count, double reach)
{
    double r = 2.0 + (reach - 2.0) * (i / 2) / (count / 2), angle = 2.4 * (i / 2) + PI * (i % 2);
    return (tr_vec2){(float)(r * cos(angle)), (float)(r * sin(angle))};
}

/* 0.5 kg that go around with a hub, `down` below a place on it, turning at `spin` themselves */
static inline tr2_body body_on_hub(tr2_world *world, tr_vec2 place, double down, double rate, double spin)
{
    tr2_body body = body_at(world, (double)place.x, (double)place.y - down, 0.0, 0.5, 0.005);
    tr_vec2 velocity = {-(float)rate * place.y, (float)rate * place.x};
    MUST(tr2_body_set_velocity(world, body, velocity, (float)spin));
    return body;
}

#endif
