/*
 * A heap of balls on a plate of a five thousandth of its mass, on four rods, one more than it needs, in space: the plate is
 * solved directly, balls are swept, and where they meet nothing is thrown (docs/exact.md).
 */
#include "space_contacts.h"

#define BALLS  50
#define RADIUS 0.15
#define HALF   1.2
#define THICK  0.05
#define CLOSE  0.08 /* m, at which contacts are made */

static double energy_now(const tr3_world *world)
{
    const tr3_measures now = tr3_world_measure(world);
    return now.kinetic_energy + now.potential_energy;
}

static tr3_contact_def contact(tr3_body a, tr3_body b, tr_dvec3 normal, tr_dvec3 center, double back, double gap)
{
    tr3_contact_def out = space_between_bodies(a, b, normal);
    out.point_count = 1;
    out.point[0] = (tr_dvec3){center.x - back * normal.x, center.y - back * normal.y, center.z - back * normal.z};
    out.separation[0] = (float)gap;
    out.friction = 0.5f;
    return out;
}

/* with the plate and its four rims; returns how many */
static uint32_t touch_plate(const tr3_world *world, tr3_body plate, tr3_body ball, tr3_contact_def *out)
{
    const tr_dvec3 center = space_now(world, ball).position;
    tr_vec3 at;
    SPACE_OK(tr3_body_local_point(world, plate, center, &at));
    const double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    const struct {
        tr_vec3 normal;
        double gap;
    } face[] = {{{0.0f, 1.0f, 0.0f}, y - THICK - RADIUS},
                {{1.0f, 0.0f, 0.0f}, x + HALF - RADIUS},
                {{-1.0f, 0.0f, 0.0f}, HALF - x - RADIUS},
                {{0.0f, 0.0f, 1.0f}, z + HALF - RADIUS},
                {{0.0f, 0.0f, -1.0f}, HALF - z - RADIUS}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < sizeof face / sizeof *face; i++) {
        tr_vec3 n;
        if (face[i].gap > CLOSE)
            continue;
        SPACE_OK(tr3_body_world_vector(world, plate, face[i].normal, &n));
        out[count] = contact(plate, ball, (tr_dvec3){(double)n.x, (double)n.y, (double)n.z}, center,
                             RADIUS + 0.5 * face[i].gap, face[i].gap);
        out[count++].id = i;
    }
    return count;
}

static uint32_t touch_balls(const tr3_world *world, const tr3_body *ball, uint32_t first, tr3_contact_def *out)
{
    const tr_dvec3 a = space_now(world, ball[first]).position;
    uint32_t count = 0;
    for (uint32_t i = first + 1; i < BALLS; i++) {
        const tr_dvec3 b = space_now(world, ball[i]).position, d = {b.x - a.x, b.y - a.y, b.z - a.z};
        const double far = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), gap = far - 2.0 * RADIUS;
        if (gap < CLOSE)
            out[count++] =
                contact(ball[first], ball[i], (tr_dvec3){d.x / far, d.y / far, d.z / far}, b, 0.5 * far, gap);
    }
    return count;
}

/* Contacts are found, and a step is made. */
static void step_once(tr3_world *world, tr3_body plate, const tr3_body *ball)
{
    static tr3_contact_def contacts[BALLS * BALLS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < BALLS; i++) {
        count += touch_plate(world, plate, ball[i], contacts + count);
        count += touch_balls(world, ball, i, contacts + count);
    }
    SPACE_OK(tr3_world_set_contacts(world, contacts, count));
    SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
}

static tr3_world *world_with_plate(double mass, tr3_body *ground, tr3_body *plate)
{
    tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -9.81f, 0.0f}, 1);
    *ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    *plate = space_box(world, (tr_dvec3){0.0, 2.0, 0.0}, (tr_dvec3){HALF, THICK, HALF}, mass);
    SPACE_OK(tr3_body_set_direct(world, *plate, true));
    return world;
}

static void add_balls(tr3_world *world, tr3_body *ball)
{
    for (int i = 0; i < BALLS; i++)
        ball[i] = space_ball(world,
                             (tr_dvec3){-0.7 + 0.36 * (i % 5) + 0.01 * (i % 3), 2.6 + 0.35 * (i / 25),
                                        -0.7 + 0.36 * (i / 5 % 5) + 0.007 * (i % 4)},
                             RADIUS, 10.0);
}

static void a_plate_is_not_thrown(double mass)
{
    tr3_body ground, plate, ball[BALLS];
    tr3_world *world = world_with_plate(mass, &ground, &plate);
    tr3_joint rod[4];
    for (int i = 0; i < 4; i++) {
        const double x = i % 2 == 0 ? -1.1 : 1.1, z = i / 2 == 0 ? -1.1 : 1.1;
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_DISTANCE);
        def.body_a = ground;
        def.body_b = plate;
        SPACE_OK(tr3_joint_def_initialize(world, &def, (tr_dvec3){x, 5.0, z}, (tr_dvec3){x, 2.0, z},
                                          (tr_vec3){0.0f, 1.0f, 0.0f}));
        rod[i] = space_joint(world, &def);
    }
    add_balls(world, ball);
    const double begun = energy_now(world);
    double least = begun, rise = 0.0, carried = 0.0;
    for (int step = 0; step < 300; step++) {
        step_once(world, plate, ball);
        least = fmin(least, energy_now(world));
        rise = fmax(rise, energy_now(world) - least);
        for (int i = 0; i < 4 && step >= 240; i++) {
            tr3_reaction reaction;
            SPACE_OK(tr3_joint_reaction(world, rod[i], &reaction));
            carried += fabs((double)reaction.force.y) / 60.0;
        }
    }
    const double weight = (10.0 * BALLS + mass) * 9.81;
    print_message("plate of %g kg: energy rises by %.3g of %.4g J, rods carry %.5g of %.5g N\n", mass, rise,
                  begun - least, carried, weight);
    assert_true(rise < 0.01 * (begun - least));
    assert_true(fabs(carried - weight) < 0.005 * weight);
    tr3_world_destroy(world);
}

static void plates_on_rods_are_not_thrown(void **state)
{
    (void)state;
    a_plate_is_not_thrown(0.1);
    a_plate_is_not_thrown(5.0);
}

/* A plate that turns about a hinge, 10 cm off its middle, between stops: a see-saw. */
static void a_see_saw_is_not_thrown(double mass)
{
    tr3_body ground, plate, ball[BALLS];
    tr3_world *world = world_with_plate(mass, &ground, &plate);
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_HINGE);
    def.body_a = ground;
    def.body_b = plate;
    SPACE_OK(tr3_joint_def_initialize(world, &def, (tr_dvec3){0.1, 2.0, 0.0}, (tr_dvec3){0.1, 2.0, 0.0},
                                      (tr_vec3){0.0f, 0.0f, 1.0f}));
    def.limit = (tr_limit){true, -0.15f, 0.15f};
    const tr3_joint hinge = space_joint(world, &def);
    add_balls(world, ball);
    const double begun = energy_now(world);
    double least = begun, rise = 0.0, carried = 0.0, gap = 0.0;
    for (int step = 0; step < 300; step++) {
        tr3_reaction reaction;
        step_once(world, plate, ball);
        least = fmin(least, energy_now(world));
        rise = fmax(rise, energy_now(world) - least);
        SPACE_OK(tr3_joint_reaction(world, hinge, &reaction));
        carried += step >= 240 ? fabs((double)reaction.force.y) / 60.0 : 0.0;
        const tr_dvec3 at = space_now(world, plate).position;
        gap = fmax(gap, sqrt((at.x - 0.1) * (at.x - 0.1) + (at.y - 2.0) * (at.y - 2.0) + at.z * at.z));
    }
    const double weight = (10.0 * BALLS + mass) * 9.81;
    print_message("see-saw of %g kg: energy rises by %.3g of %.4g J, its hinge carries %.5g of %.5g N\n", mass, rise,
                  begun - least, carried, weight);
    assert_true(rise < 0.01 * (begun - least));
    assert_true(fabs(carried - weight) < 0.01 * weight);
    assert_true(gap < 0.1 + 1e-6);
    tr3_world_destroy(world);
}

static void see_saws_are_not_thrown(void **state)
{
    (void)state;
    a_see_saw_is_not_thrown(0.05);
    a_see_saw_is_not_thrown(5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plates_on_rods_are_not_thrown),
                                       cmocka_unit_test(see_saws_are_not_thrown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
