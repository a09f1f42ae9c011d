/* Characters in worlds of shapes, for tests. */
#ifndef TR_TEST_CHARACTERS_H
#define TR_TEST_CHARACTERS_H

#include "shape_fixture.h"
#include "trammel/character2.h"

#define DT   (1.0f / 60.0f)
#define SKIN 0.01

static inline tr2_character at(double x, double y)
{
    tr2_character_def def = tr2_character_def_default();
    return tr2_character_at(&def, (tr_dvec2){x, y});
}

static inline tr2_character_result go(tr2_world *world, tr2_character *it, float x, float y)
{
    tr2_character_result result;
    assert_ok(world, tr2_character_move(world, it, (tr_vec2){x, y}, DT, &result));
    return result;
}

/* a frame as a game has it: gravity, a speed along x, and the step before it */
static inline tr2_character_result frame(tr2_world *world, tr2_character *it, tr_vec2 *velocity, float x)
{
    assert_ok(world, tr2_world_step(world, (double)DT, 4));
    velocity->x = x;
    velocity->y -= 9.81f * DT;
    tr2_character_result result = go(world, it, velocity->x, velocity->y);
    *velocity = result.velocity;
    return result;
}

static inline tr2_body floor_at(tr2_world *world, double y)
{
    tr2_body body = make(world, TR_STATIC, 0.0, y - 1.0);
    (void)add(world, tr2_box_on(body, 100.0f, 1.0f));
    return body;
}
/* whether the capsule overlaps anything */
static inline bool overlaps(const tr2_world *world, const tr2_character *it)
{
    tr2_character_def def = it->def;
    /* rounding of floats, some metres from the origin of the shapes */
    def.radius -= 1e-5f;
    tr2_shape_def shape = tr2_character_shape(&def);
    tr_dvec2 place = {it->position.x, it->position.y + 1e-5};
    tr2_poses places = {1, &place.x, &place.y, NULL};
    uint32_t first[2];
    assert_int_equal(tr2_world_overlap_shapes(world, &shape, &places, &it->def.query, NULL, 0, first, NULL), TR_OK);
    return first[1] > 0;
}

#endif
