/*
 * Bodies with two equal moments that are joined on the axis of the third: balls between them are solved as between
 * bodies whose inertia is a number, with what their own axis adds (docs/space.md). They must move as such bodies do
 * whose moments are just not equal, which are solved in general.
 */
#include "space.h"

/* which moment is another one, and what it is */
typedef struct shape {
    int axis;
    float equal, other;
} shape;

static const shape shapes[] = {{0, 0.09f, 0.01f}, {1, 0.08f, 0.005f}, {2, 0.07f, 0.02f}, {0, 0.1f, 0.19f}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

enum { LINKS = 6 };

/* moments along x, y, z; `apart`: the relative difference of the two that are equal */
static tr_vec3 moments_of(shape s, float apart)
{
    float m[3] = {s.equal, s.equal, s.equal};
    m[s.axis] = s.other;
    m[(s.axis + 1) % 3] *= 1.0f + apart;
    return (tr_vec3){m[0], m[1], m[2]};
}

static tr_dvec3 along(shape s, double length)
{
    return (tr_dvec3){s.axis == 0 ? length : 0.0, s.axis == 1 ? length : 0.0, s.axis == 2 ? length : 0.0};
}

static tr_vec3 anchor_on(shape s, float length)
{
    return (tr_vec3){s.axis == 0 ? length : 0.0f, s.axis == 1 ? length : 0.0f, s.axis == 2 ? length : 0.0f};
}

static tr_dvec3 plus(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static tr_vec3 thrown(uint64_t *seed)
{
    float x = space_random(seed), y = space_random(seed), z = space_random(seed);
    return (tr_vec3){x, y, z};
}

/* a chain of such bodies of 1 m, end to end, thrown and spun about all axes; every third is a ball of three equal
   moments if it is mixed */
static void make_chain(tr3_world *world, shape s, float apart, bool mixed, bool held, tr_dvec3 from, uint64_t seed,
                       tr3_body body[LINKS])
{
    tr3_body last = {0};
    for (int i = 0; i < LINKS; i++) {
        tr_dvec3 at = plus(from, along(s, i));
        tr_vec3 even = {0.05f, 0.05f, 0.05f};
        bool fixed = held && i == 0;
        body[i] = space_body(world, fixed ? TR_STATIC : TR_DYNAMIC, at, 1.0f,
                             mixed && i % 3 == 1 ? even : moments_of(s, apart));
        tr_vec3 v = thrown(&seed), w = thrown(&seed);
        if (!fixed)
            SPACE_OK(tr3_body_set_velocity(world, body[i], v, (tr_vec3){3.0f * w.x, 3.0f * w.y, 3.0f * w.z}));
        if (i > 0) {
            tr3_joint_def def = space_between(world, TR3_JOINT_BALL, last, body[i], plus(at, along(s, -0.5)),
                                              (tr_vec3){0.0f, 0.0f, 1.0f});
            space_joint(world, &def);
        }
        last = body[i];
    }
}

/* the greatest distance between places, and between angular velocities, of the same bodies of two worlds */
static void compare(const tr3_world *a, const tr3_world *b, const tr3_body *of_a, const tr3_body *of_b, int count,
                    double *place, double *spin)
{
    for (int i = 0; i < count; i++) {
        tr3_transform at_a, at_b;
        tr_vec3 va, wa, vb, wb;
        SPACE_OK(tr3_body_get_transform(a, of_a[i], &at_a));
        SPACE_OK(tr3_body_get_transform(b, of_b[i], &at_b));
        SPACE_OK(tr3_body_get_velocity(a, of_a[i], &va, &wa));
        SPACE_OK(tr3_body_get_velocity(b, of_b[i], &vb, &wb));
        tr_dvec3 w = {(double)(wb.x - wa.x), (double)(wb.y - wa.y), (double)(wb.z - wa.z)};
        *place = fmax(*place, space_length(space_minus(at_b.position, at_a.position)));
        *spin = fmax(*spin, space_length(w));
    }
}

static const tr_vec3 down = {0.0f, -9.81f, 0.0f}, nowhere = {0.0f, 0.0f, 0.0f};

/* Half a second, in which neighbours turn by a radian to each other. Moments that differ by 1e-4 change places by less
   than the 6 m of the chain times that, and a few times more in what is added up of it. */
static void rods_move_as_bodies_of_three_moments(void **state)
{
    (void)state;
    double worst_place = 0.0, worst_spin = 0.0;
    for (int method = 0; method < TR_DIRECT; method++) {
        for (uint32_t i = 0; i < 4 * SHAPES; i++) {
            const bool mixed = (i & 1) != 0, held = (i & 2) != 0;
            const shape s = shapes[i / 4];
            tr3_world *world[2];
            tr3_body body[2][LINKS];
            for (int k = 0; k < 2; k++) {
                world[k] = space_world((tr_method)method, down, 1);
                make_chain(world[k], s, k == 0 ? 0.0f : 1e-4f, mixed, held, (tr_dvec3){0.0, 0.0, 0.0}, i + 1, body[k]);
                for (int step = 0; step < 30; step++)
                    SPACE_OK(tr3_world_step(world[k], 1.0 / 60.0, 4));
            }
            compare(world[0], world[1], body[0], body[1], LINKS, &worst_place, &worst_spin);
            tr3_world_destroy(world[0]);
            tr3_world_destroy(world[1]);
        }
    }
    print_message("places differ by %.2g m, spins by %.2g rad/s\n", worst_place, worst_spin);
    assert_true(worst_place < 2e-4);
    assert_true(worst_spin < 2e-2);
}

/* two bodies that are askew, and a ball whose anchors are about `gap` apart, across the axis of the first */
static void make_pair(tr3_world *world, shape s, float apart, double gap, tr_dvec3 from, tr3_body body[2])
{
    const shape across = {(s.axis + 1) % 3, 0.0f, 0.0f};
    body[0] = space_body(world, TR_DYNAMIC, from, 1.0f, moments_of(s, apart));
    body[1] =
        space_body(world, TR_DYNAMIC, plus(plus(from, along(s, 1.0)), along(across, gap)), 1.0f, moments_of(s, apart));
    tr3_transform at;
    SPACE_OK(tr3_body_get_transform(world, body[1], &at));
    SPACE_OK(tr3_body_set_transform(world, body[1], at.position, (tr_quat){0.3f, 0.5f, 0.2f, 0.8f}));
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_BALL);
    def.body_a = body[0];
    def.body_b = body[1];
    def.anchor_a = anchor_on(s, 0.5f);
    def.anchor_b = anchor_on(s, -0.5f);
    space_joint(world, &def);
}

/* Where anchors are far apart, the axis of A counts as much as anything else. The bodies meet within 12 steps, and spin
   by up to 150 rad/s. */
static void rods_that_are_apart_come_together_alike(void **state)
{
    (void)state;
    double worst_place = 0.0, worst_spin = 0.0;
    for (uint32_t i = 0; i < SHAPES; i++) {
        tr3_world *world[2];
        tr3_body body[2][2];
        for (int k = 0; k < 2; k++) {
            world[k] = space_world(TR_SOFT_STEP, nowhere, 1);
            make_pair(world[k], shapes[i], k == 0 ? 0.0f : 1e-5f, 2.0, (tr_dvec3){0.0, 0.0, 0.0}, body[k]);
        }
        for (int step = 0; step < 12; step++) {
            for (int k = 0; k < 2; k++)
                SPACE_OK(tr3_world_step(world[k], 1.0 / 60.0, 4));
            compare(world[0], world[1], body[0], body[1], 2, &worst_place, &worst_spin);
        }
        assert_true((double)tr3_world_measure(world[0]).joint_error_max < 0.2);
        tr3_world_destroy(world[0]);
        tr3_world_destroy(world[1]);
    }
    print_message("places differ by %.2g m, spins by %.2g rad/s\n", worst_place, worst_spin);
    assert_true(worst_place < 4e-3);
    assert_true(worst_spin < 0.5);
}

/* Without forces, also while anchors are apart: by rounding only. By the position based method, whose velocities are
   differences of positions, no joints do. */
static void rods_keep_momentum(void **state)
{
    (void)state;
    double worst = 0.0;
    static const tr_method methods[] = {TR_SOFT_STEP, TR_SMALL_STEP, TR_SEQUENTIAL_IMPULSES};
    for (int method = 0; method < 3; method++) {
        for (uint32_t i = 0; i < SHAPES; i++) {
            tr3_world *world = space_world(methods[method], nowhere, 1);
            tr3_body body[LINKS], two[2];
            make_chain(world, shapes[i], 0.0f, false, false, (tr_dvec3){0.0, 0.0, 0.0}, i + 9, body);
            /* the small step corrects more than the whole of an error */
            make_pair(world, shapes[i], 0.0f, methods[method] == TR_SOFT_STEP ? 0.5 : 0.1, (tr_dvec3){0.0, 0.0, 3.0},
                      two);
            const tr_dvec3 before = tr3_world_measure(world).angular_momentum;
            for (int step = 0; step < 120; step++) {
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
                tr_dvec3 change = space_minus(tr3_world_measure(world).angular_momentum, before);
                worst = fmax(worst, space_length(change) / space_length(before));
            }
            tr3_world_destroy(world);
        }
    }
    print_message("angular momentum off by %.2g\n", worst);
    assert_true(worst < 2e-5);
}

/* Lanes beside each other: all shapes, mixed chains, anchors together and apart. */
static void lanes_of_rods_have_the_same_bits(void **state)
{
    (void)state;
    const tr_isa before = tr_get_isa();
    for (int method = 0; method < TR_DIRECT; method++) {
        uint64_t expected = 0;
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            SPACE_OK(tr_set_isa((tr_isa)isa));
            tr3_world *world = space_world((tr_method)method, down, 1);
            for (uint32_t i = 0; i < 100; i++) {
                tr3_body body[LINKS];
                const shape s = shapes[i % SHAPES];
                const double gap = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.1 : 0.0;
                make_chain(world, s, 0.0f, i % 5 == 0, i % 7 == 0, (tr_dvec3){10.0 * i, 0.0, 0.0}, i + 1, body);
                make_pair(world, s, 0.0f, gap, (tr_dvec3){10.0 * i, 0.0, 50.0}, body);
            }
            for (int step = 0; step < 20; step++)
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
            const uint64_t hash = tr3_world_state_hash(world);
            if (expected == 0)
                expected = hash;
            if (hash != expected)
                fail_msg("%s, %s: another state", tr_method_name((tr_method)method), tr_isa_name((tr_isa)isa));
            tr3_world_destroy(world);
        }
    }
    SPACE_OK(tr_set_isa(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_move_as_bodies_of_three_moments),
        cmocka_unit_test(rods_that_are_apart_come_together_alike),
        cmocka_unit_test(rods_keep_momentum),
        cmocka_unit_test(lanes_of_rods_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
