/*
 * Sizes: a world does not know how long a metre is. Lengths and gravity times s, at the same times and masses, give
 * positions times s, if the length unit is s as well; with a power of two as s all roundings are the same, so every
 * bit is. What is tested with boxes of a metre is thereby tested with those of a millimetre and of a kilometre.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "standing/standing.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

enum { BODIES_MOST = 128, SUBSTEPS = 4 };

/* A world whose lengths are those of a common plan times `scale`. */
typedef struct scaled {
    tr2_world *world;
    double scale;
    tr2_body id[BODIES_MOST];
    uint32_t count;
} scaled;

static scaled scaled_world(double scale, float unit, tr_method method)
{
    scaled it = {.scale = scale};
    tr2_world_def def = tr2_world_def_default();
    def.gravity.y *= (float)scale;
    def.length_unit = unit;
    def.method = method;
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &it.world, NULL), TR_OK);
    return it;
}

static float far(const scaled *it, double length)
{
    return (float)length * (float)it->scale;
}

static tr_vec2 at(const scaled *it, double x, double y)
{
    return (tr_vec2){far(it, x), far(it, y)};
}

/* where, and how fast */
static tr2_body put(scaled *it, tr_body_type type, const double where[3], const double going[3])
{
    tr2_body_def def = tr2_body_def_default();
    def.type = type;
    def.position = (tr_dvec2){where[0] * it->scale, where[1] * it->scale};
    def.angle = where[2];
    def.velocity = at(it, going[0], going[1]);
    def.angular_velocity = (float)going[2];
    def.inertia *= (float)(it->scale * it->scale);
    def.bullet = going[0] > 100.0;
    assert_true(it->count < BODIES_MOST);
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &it->id[it->count]));
    return it->id[it->count++];
}

/* gives a body a shape, with a mass that does not depend on the scale */
static void dress(const scaled *it, tr2_shape_def shape, float density)
{
    shape.density = density / (float)(it->scale * it->scale);
    shape.contact_events = shape.hit_events = true;
    assert_ok(it->world, tr2_world_create_shape(it->world, &shape, NULL));
}

static const double still[3] = {0.0, 0.0, 0.0};

/* a floor of a box, a segment and a chain, with walls */
static void add_floor(scaled *it)
{
    tr2_body ground = put(it, TR_STATIC, still, still);
    dress(it, tr2_offset_box_on(ground, far(it, 10.0), far(it, 0.5), at(it, -10.0, -0.5), 1.0f, 0.0f), 0.0f);
    dress(it, tr2_segment_on(ground, at(it, 0.0, 0.0), at(it, 10.0, 0.0)), 0.0f);
    const tr_vec2 points[] = {at(it, 30.0, 8.0), at(it, 25.0, 0.0), at(it, 18.0, -0.7), at(it, 10.0, 0.0)};
    tr2_chain_def chain = tr2_chain_def_default();
    chain.shape.body = ground;
    chain.points = points;
    chain.count = 4;
    assert_ok(it->world, tr2_world_create_chain(it->world, &chain, NULL));
    dress(it, tr2_segment_on(ground, at(it, -20.0, 0.0), at(it, -20.0, 30.0)), 0.0f);
}

static void add_stacks(scaled *it)
{
    for (int i = 0; i < 8; i++) {
        tr2_body box = put(it, TR_DYNAMIC, (double[3]){-4.0 + 0.02 * (i % 3), 0.5 + 1.01 * i, 0.0}, still);
        dress(it, tr2_box_on(box, far(it, 0.5), far(it, 0.5)), 1.0f + (float)i);
        tr2_body log = put(it, TR_DYNAMIC, (double[3]){4.0, 0.3 + 0.62 * i, 0.01}, still);
        dress(it, tr2_capsule_on(log, at(it, -1.0, 0.0), at(it, 1.0, 0.0), far(it, 0.3)), 2.0f);
    }
}

static void add_rolling(scaled *it)
{
    for (int i = 0; i < 12; i++) {
        double x = 11.0 + 0.9 * (i % 8), y = 2.0 + 1.3 * (i / 4);
        tr2_body body = put(it, TR_DYNAMIC, (double[3]){x, y, 0.3 * i}, (double[3]){1.0 - 0.2 * i, 0.0, 2.0 * i - 9.0});
        tr2_shape_def shape = tr2_circle_on(body, at(it, 0.02 * (i % 2), 0.0), far(it, 0.3 + 0.02 * (i % 4)));
        const tr_vec2 corners[] = {at(it, -0.3, -0.2), at(it, 0.3, -0.3), at(it, 0.4, 0.2), at(it, 0.0, 0.4),
                                   at(it, -0.35, 0.2)};
        if (i % 3 == 2)
            shape = tr2_polygon_on(body, corners, 5);
        shape.surface.restitution = i % 2 == 0 ? 0.5f : 0.0f;
        shape.surface.rolling_resistance = 0.01f;
        dress(it, shape, 1.0f);
    }
}

/* what is too fast for a step, what pushes, and lines that meet lines: all kinds of continuous collision */
static void add_fast(scaled *it)
{
    for (int i = 0; i < 4; i++) {
        tr2_body ball = put(it, TR_DYNAMIC, (double[3]){-18.0, 12.0 + i, 0.0}, (double[3]){150.0, 3.0 * i, 20.0});
        dress(it, tr2_circle_on(ball, at(it, 0.0, 0.0), far(it, 0.05)), 5.0f);
        tr2_body plate = put(it, TR_DYNAMIC, (double[3]){-12.0 - i, 9.0, 0.1 * i}, (double[3]){-40.0, -30.0, 8.0});
        dress(it, tr2_box_on(plate, far(it, 0.6), far(it, 0.02)), 3.0f);
        tr2_body rod = put(it, TR_DYNAMIC, (double[3]){8.0, 4.0 + i, 0.5 * i}, (double[3]){2.0, -20.0, 3.0});
        dress(it, tr2_segment_on(rod, at(it, -0.7, 0.0), at(it, 0.7, 0.1)), 0.0f);
    }
    tr2_body wall = put(it, TR_KINEMATIC, (double[3]){-19.0, 5.0, 0.0}, (double[3]){3.0, -1.0, 0.7});
    dress(it, tr2_box_on(wall, far(it, 0.2), far(it, 3.0)), 0.0f);
    tr2_body tower = put(it, TR_STATIC, (double[3]){-8.0, 10.0, 0.0}, still);
    dress(it, tr2_segment_on(tower, at(it, 0.0, 0.0), at(it, 0.0, 8.0)), 0.0f);
}

/* light links that carry a heavy ball, which falls on the floor: a strained island with contacts; and the joints whose
   directions come from lengths */
static void add_joints(scaled *it)
{
    tr2_joint_def defs[24];
    uint32_t count = 0;
    tr2_body last = it->id[0];
    for (int i = 0; i < 6; i++) {
        tr2_body link = put(it, TR_DYNAMIC, (double[3]){-6.0 - 0.5 * i, 2.0, 0.0}, still);
        float heavy = i == 5 ? 300.0f : 1.0f;
        dress(it, tr2_box_on(link, far(it, 0.2), far(it, i == 5 ? 0.2 : 0.05)), heavy);
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        joint.body_a = last;
        joint.body_b = link;
        joint.anchor_a = i == 0 ? at(it, -5.75, 2.0) : at(it, -0.25, 0.0);
        joint.anchor_b = at(it, 0.25, 0.0);
        joint.limit.enable = true;
        joint.limit.lower = -0.6f;
        joint.limit.upper = 0.6f;
        defs[count++] = joint;
        last = link;
    }
    for (int i = 0; i < 3; i++) {
        tr2_body ball = put(it, TR_DYNAMIC, (double[3]){2.0 + i, 7.0, 0.0}, still);
        dress(it, tr2_circle_on(ball, at(it, 0.0, 0.0), far(it, 0.2)), 1.0f + 40.0f * (float)i);
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        joint.body_a = i == 0 ? it->id[0] : last;
        joint.body_b = ball;
        joint.anchor_a = i == 0 ? at(it, 2.0, 8.5) : at(it, 0.0, 0.0);
        joint.length = far(it, i == 0 ? 1.5 : 1.0);
        defs[count++] = joint;
        last = ball;
    }
    assert_ok(it->world, tr2_world_create_joints(it->world, defs, count, NULL));
    assert_ok(it->world, tr2_world_step(it->world, DT, SUBSTEPS));
    assert_true(tr2_world_statistics(it->world).exact_joints > 0);
}

enum { ADD_STACKS = 1, ADD_ROLLING = 2, ADD_FAST = 4, ADD_JOINTS = 8 };

static void fill(scaled *it, int parts)
{
    add_floor(it);
    if ((parts & ADD_STACKS) != 0)
        add_stacks(it);
    if ((parts & ADD_ROLLING) != 0)
        add_rolling(it);
    if ((parts & ADD_FAST) != 0)
        add_fast(it);
    if ((parts & ADD_JOINTS) != 0)
        add_joints(it);
}

/* the first body that is not where that of the other world is, times the scale; the count if there is none */
static uint32_t first_astray(const scaled *it, const scaled *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        tr2_body_def is, want;
        assert_ok(it->world, tr2_body_get(it->world, it->id[i], &is));
        assert_ok(plan->world, tr2_body_get(plan->world, plan->id[i], &want));
        bool same = is.position.x == it->scale * want.position.x && is.position.y == it->scale * want.position.y &&
                    is.angle == want.angle && is.angular_velocity == want.angular_velocity &&
                    is.velocity.x == (float)it->scale * want.velocity.x &&
                    is.velocity.y == (float)it->scale * want.velocity.y;
        if (!same)
            return i;
    }
    return plan->count;
}

/* the step in which a body first is astray, or two worlds have unlike touch events; 0: never */
static uint32_t run_both(scaled *it, scaled *plan, uint32_t steps)
{
    for (uint32_t step = 1; step <= steps; step++) {
        assert_ok(it->world, tr2_world_step(it->world, DT, SUBSTEPS));
        assert_ok(plan->world, tr2_world_step(plan->world, DT, SUBSTEPS));
        bool same_touches = tr2_world_touches(it->world).count == tr2_world_touches(plan->world).count;
        if (first_astray(it, plan) < plan->count || !same_touches)
            return step;
    }
    return 0;
}

static uint32_t compare(double scale, float unit, tr_method method, int parts)
{
    scaled it = scaled_world(scale, unit, method), plan = scaled_world(1.0, 1.0f, method);
    fill(&it, parts);
    fill(&plan, parts);
    uint32_t step = run_both(&it, &plan, 150);
    if (step != 0)
        print_message("scale %g, unit %g, %s, parts %d: step %u, body %u\n", scale, (double)unit,
                      tr_method_name(method), parts, step, first_astray(&it, &plan));
    tr2_world_destroy(it.world);
    tr2_world_destroy(plan.world);
    return step;
}

static void a_scaled_world_moves_as_the_unscaled_one(void **state)
{
    (void)state;
    static const int parts[] = {ADD_STACKS, ADD_ROLLING, ADD_STACKS | ADD_ROLLING | ADD_FAST, ADD_STACKS | ADD_JOINTS,
                                ADD_ROLLING | ADD_FAST | ADD_JOINTS};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
            assert_int_equal(compare(0x1p-10, 0x1p-10f, (tr_method)method, parts[i]), 0);
            assert_int_equal(compare(0x1p10, 0x1p10f, (tr_method)method, parts[i]), 0);
        }
    }
}

/* with the unit of the unscaled one it does not: the law holds by the unit, and the test sees what lacks it */
static void without_its_unit_a_scaled_world_moves_otherwise(void **state)
{
    (void)state;
    static const int parts[] = {ADD_STACKS, ADD_ROLLING, ADD_FAST, ADD_JOINTS};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_int_not_equal(compare(0x1p-10, 1.0f, TR_SOFT_STEP, parts[i]), 0);
}

/*
 * Columns of ten
 */
/* as stiff as the sub-steps allow, and with the fewest sub-steps (a power of two) with which they sink by less than a
   fifth of a side, they stand; `least`: that number */
static void assert_stands(standing_column it, uint32_t least)
{
    it.stiff = true;
    it.substeps = 1;
    while (standing_sink(&it) > 0.2 * it.side)
        it.substeps *= 2;
    if (it.substeps != least || !standing_stands(&it))
        fail_msg("side %g, unit %g, gravity %g, mass %g: %u sub-steps", it.side, (double)it.unit, it.gravity,
                 it.top_heavier, it.substeps);
}

static void columns_of_all_sizes_stand(void **state)
{
    (void)state;
    static const uint32_t least[] = {128, 32, 16, 4, 1, 1, 1};
    for (int i = 0; i < 7; i++) {
        standing_column it = standing_default();
        it.side = pow(10.0, i - 4);
        assert_stands(it, least[i]);
        it.unit = (float)it.side;
        assert_stands(it, least[i]);
    }
}

static void columns_of_all_weights_stand(void **state)
{
    (void)state;
    static const uint32_t least[] = {1, 1, 4, 16, 32};
    static const double gravity[] = {1.0, 10.0, 100.0, 1e3, 1e4};
    for (int i = 0; i < 5; i++) {
        standing_column it = standing_default();
        it.gravity = gravity[i];
        assert_stands(it, least[i]);
    }
    static const uint32_t of_masses[] = {1, 2, 4, 16, 64};
    for (int i = 0; i < 5; i++) {
        standing_column it = standing_default();
        it.top_heavier = pow(10.0, i);
        assert_stands(it, of_masses[i]);
    }
}

/* what the default settings hold, and no more: then contacts are not as stiff as more sub-steps would allow */
static void the_default_settings_hold_boxes_of_ten_centimetres(void **state)
{
    (void)state;
    standing_column it = standing_default();
    it.side = 0.1;
    assert_true(standing_stands(&it));
    it.side = 0.01;
    assert_false(standing_stands(&it));
    it.substeps = 16;
    assert_false(standing_stands(&it));
    it.stiff = true;
    assert_true(standing_stands(&it));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scaled_world_moves_as_the_unscaled_one),
        cmocka_unit_test(without_its_unit_a_scaled_world_moves_otherwise),
        cmocka_unit_test(columns_of_all_sizes_stand),
        cmocka_unit_test(columns_of_all_weights_stand),
        cmocka_unit_test(the_default_settings_hold_boxes_of_ten_centimetres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
