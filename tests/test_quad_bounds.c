/* Tests of the bounding boxes of many quadrilaterals at once, and of whether they stay in the boxes of the broad
   phase. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/quad_bounds.h"
#include "geometry.h"

enum { ROUNDS = 500 };

static const float room = 0.02f, dt = 1.0f / 60.0f;

typedef struct placed {
    tr2_geometry geometry;
    tr2_mover mover;
    tr2_box box;
    float c, s;
} placed;

/* how far a shape needs its box beyond its position to each side, in double; as collision_find.c */
static tr2_box needs(const placed *it)
{
    tr2_bounds bounds = tr2_geometry_bounds(&it->geometry, it->c, it->s);
    double x = (double)it->mover.velocity_x * (double)dt, y = (double)it->mover.velocity_y * (double)dt;
    double turn = fmin(fabs((double)it->mover.spin) * (double)dt, 2.0);
    double more = (double)room + turn * (double)it->geometry.extent;
    return (tr2_box){(double)bounds.lower.x + fmin(x, 0.0) - more, (double)bounds.lower.y + fmin(y, 0.0) - more,
                     (double)bounds.upper.x + fmax(x, 0.0) + more, (double)bounds.upper.y + fmax(y, 0.0) + more};
}

/* mostly boxes, some of them rounded; one side of one in two boxes is as near as rounding tells, inside or out */
static placed random_placed(generator *random)
{
    placed out = {.geometry = {0}};
    float radius = draw(random, 4) == 0 ? uniform(random, 0.0f, 0.2f) : 0.0f, half = uniform(random, 0.02f, 2.0f);
    assert_int_equal(tr2_geometry_box(1.0f, half, uniform(random, 0.02f, 2.0f), (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f,
                                      radius, &out.geometry),
                     TR_OK);
    tr2_pose turn = random_pose(random, 1.0f);
    float speed = draw(random, 5) == 0 ? 100.0f : 1.0f;
    out.c = turn.c;
    out.s = turn.s;
    out.mover = (tr2_mover){
        .x = (double)uniform(random, -9e6f, 9e6f),
        .y = (double)uniform(random, -1.0f, 1.0f),
        .velocity_x = uniform(random, -speed, speed),
        .velocity_y = uniform(random, -speed, speed),
        .spin = draw(random, 3) == 0 ? 0.0f : uniform(random, -speed, speed),
        .extent = out.geometry.extent,
    };
    tr2_box most = needs(&out);
    double gap = draw(random, 2) == 0 ? 1e-8 : 0.1, wide = draw(random, 8) == 0 ? -0.1 : 0.1;
    gap = draw(random, 2) == 0 ? gap : -gap;
    out.box = (tr2_box){out.mover.x + most.lower_x - wide, out.mover.y + most.lower_y - wide,
                        out.mover.x + most.upper_x + wide, out.mover.y + most.upper_y + wide};
    double *sides[4] = {&out.box.lower_x, &out.box.lower_y, &out.box.upper_x, &out.box.upper_y};
    uint32_t side = draw(random, 4);
    *sides[side] += (side < 2 ? wide - gap : gap - wide);
    return out;
}

static bool stays(const placed *it)
{
    tr2_box most = needs(it);
    tr2_box box = {it->mover.x + most.lower_x, it->mover.y + most.lower_y, it->mover.x + most.upper_x,
                   it->mover.y + most.upper_y};
    return tr2_box_contains(&it->box, &box);
}

/* the same with more room than the kernel's slack */
static bool stays_clearly(const placed *it)
{
    placed wide = *it;
    double more = 1e-5 * (double)(it->geometry.extent + 3.0f);
    tr2_box_widen(&wide.box, -more);
    return stays(&wide);
}

static void many_quadrilaterals_at_once_have_the_sides_of_each_by_itself_on_every_set(void **state)
{
    (void)state;
    const tr_isa before = tr_get_isa();
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) != TR_OK)
            continue;
        generator random = {11};
        uint32_t clear = 0, out = 0;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            placed shapes[TR2_QUAD_BATCH];
            tr2_quad_batch quads = {.count = 1 + round % TR2_QUAD_BATCH, .room = room, .dt = dt};
            for (uint32_t i = 0; i < quads.count; i++) {
                shapes[i] = random_placed(&random);
                quads.mover[i] = &shapes[i].mover;
                quads.geometry[i] = &shapes[i].geometry;
                quads.c[i] = shapes[i].c;
                quads.s[i] = shapes[i].s;
                quads.box[i] = &shapes[i].box;
            }
            uint32_t bits = tr2_quad_bounds(&quads);
            assert_int_equal(bits >> quads.count, 0);
            for (uint32_t i = 0; i < quads.count; i++) {
                const placed *it = &shapes[i];
                tr2_bounds bounds = tr2_geometry_bounds(&it->geometry, it->c, it->s);
                float half_x = tr_max(bounds.upper.x, -bounds.lower.x);
                float half_y = tr_max(bounds.upper.y, -bounds.lower.y);
                assert_memory_equal(&it->mover.half_x, &half_x, sizeof half_x);
                assert_memory_equal(&it->mover.half_y, &half_y, sizeof half_y);
                bool said = (bits >> i & 1u) != 0;
                assert_true(stays(it) || !said);
                assert_true(said || !stays_clearly(it));
                clear += stays_clearly(it);
                out += !stays(it);
            }
        }
        /* both answers are tested */
        assert_true(clear > ROUNDS && out > ROUNDS);
    }
    assert_int_equal(tr_set_isa(before), TR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_quadrilaterals_at_once_have_the_sides_of_each_by_itself_on_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
