/* Shorthands for worlds of shapes. */
#ifndef TR_TEST_SHAPE_FIXTURE_H
#define TR_TEST_SHAPE_FIXTURE_H

#include "random.h"
#include "world_fixture.h"

static inline tr2_world *world_of(void **state)
{
    return ((fixture *)*state)->world;
}

/* 0 <= x < 1, from a seed that goes on */
static inline double draw(uint64_t *seed)
{
    random_step(seed);
    return (double)(*seed >> 33) / 2147483648.0;
}

static inline tr2_body make_turned(tr2_world *world, tr_body_type type, double x, double y, double angle)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.angle = angle;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

static inline tr2_body make(tr2_world *world, tr_body_type type, double x, double y)
{
    return make_turned(world, type, x, y, 0.0);
}

static inline tr2_body_def body_now(const tr2_world *world, tr2_body id)
{
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, id, &def));
    return def;
}

static inline tr2_shape add(tr2_world *world, tr2_shape_def def)
{
    tr2_shape id;
    assert_ok(world, tr2_world_create_shape(world, &def, &id));
    return id;
}

#endif
