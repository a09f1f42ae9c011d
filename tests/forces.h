/* Bodies in wind, fluids and explosions, for tests. */
#ifndef TR_TEST_FORCES_H
#define TR_TEST_FORCES_H

#include "shape_fixture.h"
#include "trammel/forces2.h"
#include "world/core/world_internal.h"

#define DT 0.01f
#define PI 3.14159265358979323846

static inline tr2_body solid(tr2_world *world, tr2_shape_def def, double x, double y, float density)
{
    def.body = make(world, TR_DYNAMIC, x, y);
    def.density = density;
    (void)add(world, def);
    return def.body;
}

static const tr2_body nobody = {0, 0, 0};

static inline tr2_shape_def box(float half_x, float half_y)
{
    return tr2_box_on(nobody, half_x, half_y);
}

static inline tr2_shape_def disc(float radius)
{
    return tr2_circle_on(nobody, (tr_vec2){0.0f, 0.0f}, radius);
}

/* the force that waits for the next step */
static inline void waiting(tr2_world *world, tr2_body id, double out[3])
{
    tr2_body_view view = tr2_world_bodies(world);
    uint32_t row = tr2_body_row(world, id);
    out[0] = (double)view.force_x[row];
    out[1] = (double)view.force_y[row];
    out[2] = (double)view.torque[row];
}

static inline void still(tr2_world *world)
{
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
}

#define NEARLY(a, b, tolerance)                                                                                        \
    do {                                                                                                               \
        double a_ = (a), b_ = (b);                                                                                     \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                                           \
            fail_msg(#a " = %.9g, not %.9g", a_, b_);                                                                  \
    } while (0)

#endif
