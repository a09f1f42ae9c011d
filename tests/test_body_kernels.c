/*
 * Bodies sixteen at a time: every instruction set gives the bits of the scalar kernel, and a body in a crowd becomes
 * what it becomes alone, where it is prepared and finished by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "instrumented.h"
#include "kernel_rig.h"
#include "trammel/world2.h"

typedef struct body_numbers {
    double wide[3][TR_LANES]; /* center_x, center_y, angle */
    float number[15][TR_LANES];
    uint32_t flags[TR_LANES];
} body_numbers;

static tr2_bodies columns_of(body_numbers *n)
{
    return (tr2_bodies){.center_x = n->wide[0],
                        .center_y = n->wide[1],
                        .angle = n->wide[2],
                        .flags = n->flags,
                        .c = n->number[0],
                        .s = n->number[1],
                        .velocity_x = n->number[2],
                        .velocity_y = n->number[3],
                        .angular_velocity = n->number[4],
                        .local_center_x = n->number[5],
                        .local_center_y = n->number[6],
                        .mass = n->number[7],
                        .inertia = n->number[8],
                        .gravity_scale = n->number[9],
                        .linear_damping = n->number[10],
                        .angular_damping = n->number[11],
                        .force_x = n->number[12],
                        .force_y = n->number[13],
                        .torque = n->number[14]};
}

static void fill(rig *r, body_numbers *n, uint32_t seed)
{
    rig_fill(r, seed);
    for (int i = 0; i < TR_LANES; i++) {
        n->wide[0][i] = (double)rig_random(r, -1e6f, 1e6f);
        n->wide[1][i] = (double)rig_random(r, -10.0f, 10.0f);
        /* now and then beyond what is turned without a full turn taken off */
        n->wide[2][i] = (double)rig_random(r, -1.0f, 1.0f) * (seed % 5 == 4 ? 1e10 : 1e3);
        for (int c = 0; c < 15; c++)
            n->number[c][i] = rig_random(r, c < 7 ? -5.0f : 0.0f, 5.0f);
        n->flags[i] = rig_bits(r) % 4 == 0 ? TR_BODY_FIXED_ROTATION : 0;
    }
    if (seed % 3 == 2)
        r->velocities[seed % TR_LANES].y = seed % 2 == 0 ? NAN : 2e8f;
}

static void tiles_are_bit_equal_to_the_scalar_ones(void **state)
{
    (void)state;
    static rig scalar, wide;
    static body_numbers of_scalar, of_wide;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const tr2_kernels *kernels = tr2_kernels_of((tr_isa)isa);
        for (uint32_t seed = 0; seed < TRIALS(200); seed++) {
            fill(&scalar, &of_scalar, seed);
            wide = scalar;
            of_wide = of_scalar;
            tr2_bodies a = columns_of(&of_scalar), b = columns_of(&of_wide);
            tr2_kernel_context ca = rig_context(&scalar), cb = rig_context(&wide);
            bool whole = tr2_kernels_scalar.finish_bodies(&ca, &a, 0, 0);
            assert_int_equal(whole, kernels->finish_bodies(&cb, &b, 0, 0));
            assert_int_equal(whole, seed % 3 != 2);
            assert_memory_equal(&of_scalar, &of_wide, sizeof of_wide);
            assert_true(tr2_kernels_scalar.prepare_bodies(&ca, &a, 0, 16));
            assert_true(kernels->prepare_bodies(&cb, &b, 0, 16));
            assert_memory_equal(scalar.frames + 16, wide.frames + 16, 16 * sizeof *wide.frames);
            assert_memory_equal(scalar.places + 16, wide.places + 16, 16 * sizeof *wide.places);
            assert_memory_equal(scalar.velocities + 16, wide.velocities + 16, 16 * sizeof *wide.velocities);
            assert_memory_equal(scalar.poses, wide.poses, sizeof wide.poses);
            assert_memory_equal(scalar.scale, wide.scale, sizeof wide.scale);
            assert_memory_equal(scalar.gain, wide.gain, sizeof wide.gain);
            assert_memory_equal(scalar.marks, wide.marks, sizeof wide.marks);
        }
    }
}

/* bodies in a tile become what they become in rows */
static void tiles_are_bit_equal_to_rows(void **state)
{
    (void)state;
    static rig rows, tiled;
    static body_numbers of_rows, of_tiled;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const tr2_kernels *kernels = tr2_kernels_of((tr_isa)isa);
        for (uint32_t seed = 0; seed < TRIALS(100); seed++) {
            fill(&rows, &of_rows, seed);
            rows.even = true;
            memcpy(rows.frames, rows.poses, sizeof rows.frames);
            tiled = rows;
            of_tiled = of_rows;
            tr2_bodies a = columns_of(&of_rows), b = columns_of(&of_tiled);
            tr2_kernel_context in_rows = rig_context(&rows), in_tiles = rig_context(&tiled);
            in_tiles.tiled = true;
            kernels->turn_tiles(&in_tiles, 0, 16);
            assert_memory_not_equal(rows.poses, tiled.poses, sizeof rows.poses);
            bool whole = kernels->finish_bodies(&in_rows, &a, 0, 0);
            assert_int_equal(whole, kernels->finish_bodies(&in_tiles, &b, 0, 0));
            assert_memory_equal(&of_rows, &of_tiled, sizeof of_tiled);
            assert_true(kernels->prepare_bodies(&in_rows, &a, 0, 0));
            assert_true(kernels->prepare_bodies(&in_tiles, &b, 0, 0));
            /* in a step frames and poses of a tile are in the same memory */
            memcpy(rows.poses, rows.frames, sizeof rows.poses);
            memcpy(tiled.poses, tiled.frames, sizeof tiled.poses);
            kernels->turn_tiles(&in_tiles, 0, 16);
            assert_memory_equal(rows.poses, tiled.poses, sizeof rows.poses);
            assert_memory_equal(rows.velocities, tiled.velocities, sizeof rows.velocities);
            assert_int_equal(tiled.marks[0], rows.marks[0] | TR_MARK_TILED);
            assert_memory_equal(rows.marks + 1, tiled.marks + 1, sizeof rows.marks - 1);
        }
    }
}

/* a body in quarantine is prepared by itself, and so are those of its tile */
static void tiles_with_a_body_in_quarantine_are_left_alone(void **state)
{
    (void)state;
    static rig r, before;
    static body_numbers numbers;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        for (uint32_t i = 0; i < TR_LANES; i++) {
            fill(&r, &numbers, i);
            numbers.flags[i] |= TR_BODY_QUARANTINED;
            before = r;
            tr2_bodies bodies = columns_of(&numbers);
            tr2_kernel_context context = rig_context(&r);
            assert_false(tr2_kernels_of((tr_isa)isa)->prepare_bodies(&context, &bodies, 0, 16));
            assert_memory_equal(&r, &before, sizeof r);
        }
    }
}

/* a body that flies, spins and slows down by itself */
static tr2_body_def lone(uint32_t i)
{
    tr2_body_def def = tr2_body_def_default();
    def.mass = 1.0f + 0.25f * (float)(i % 7);
    def.inertia = 0.5f + 0.125f * (float)(i % 5);
    def.position = (tr_dvec2){3.0 * i, -1.5 * i};
    def.angle = 0.7 * i - 9.0;
    def.center = (tr_vec2){0.1f * (float)(i % 3), 0.0f};
    def.velocity = (tr_vec2){(float)i, 1.0f};
    def.angular_velocity = 0.3f * (float)i - 4.0f;
    def.linear_damping = 0.01f * (float)(i % 4);
    def.angular_damping = 0.02f * (float)(i % 6);
    def.gravity_scale = 1.0f - 0.1f * (float)(i % 2);
    return def;
}

static void step_all(tr2_world *world, const tr2_body *ids, uint32_t first, uint32_t count)
{
    for (int step = 0; step < 20; step++) {
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(tr2_body_apply_force_to_center(world, ids[i], (tr_vec2){0.5f * (float)(first + i), 2.0f}),
                             TR_OK);
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
    }
}

static void a_body_in_a_crowd_becomes_what_it_becomes_alone(void **state)
{
    (void)state;
    enum { COUNT = 40 }; /* two tiles and a rest */
    tr2_body_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        defs[i] = lone(i);
    tr2_world_def settings = tr2_world_def_default();
    settings.threads = 1;
    tr2_world *crowd;
    tr2_body ids[COUNT];
    assert_int_equal(tr2_world_create(&settings, &crowd, NULL), TR_OK);
    assert_int_equal(tr2_world_create_bodies(crowd, defs, COUNT, ids), TR_OK);
    step_all(crowd, ids, 0, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        tr2_world *world;
        tr2_body id;
        assert_int_equal(tr2_world_create(&settings, &world, NULL), TR_OK);
        assert_int_equal(tr2_world_create_bodies(world, &defs[i], 1, &id), TR_OK);
        step_all(world, &id, i, 1);
        tr2_body_def of_crowd, alone;
        assert_int_equal(tr2_body_get(crowd, ids[i], &of_crowd), TR_OK);
        assert_int_equal(tr2_body_get(world, id, &alone), TR_OK);
        assert_true(of_crowd.position.x == alone.position.x && of_crowd.position.y == alone.position.y);
        assert_true(of_crowd.angle == alone.angle && of_crowd.angular_velocity == alone.angular_velocity);
        assert_true(of_crowd.velocity.x == alone.velocity.x && of_crowd.velocity.y == alone.velocity.y);
        tr2_world_destroy(world);
    }
    tr2_world_destroy(crowd);
}

/* A force of 0 makes the columns of what pulls beside gravity; without them only gravity is added. A tile and a
   rest. */
static void gravity_alone_moves_bodies_as_it_does_beside_forces(void **state)
{
    (void)state;
    enum { COUNT = 23 };
    tr2_world_def settings = tr2_world_def_default();
    tr2_body_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        defs[i] = lone(i);
        defs[i].linear_damping = defs[i].angular_damping = 0.0f;
        defs[i].gravity_scale = 1.0f;
        defs[i].type = i % 9 == 8 ? TR_STATIC : i % 11 == 10 ? TR_KINEMATIC : TR_DYNAMIC;
    }
    tr2_world *world[2];
    tr2_body ids[2][COUNT];
    for (int w = 0; w < 2; w++) {
        assert_int_equal(tr2_world_create(&settings, &world[w], NULL), TR_OK);
        assert_int_equal(tr2_world_create_bodies(world[w], defs, COUNT, ids[w]), TR_OK);
        if (w == 1)
            assert_int_equal(tr2_body_apply_torque(world[w], ids[w][3], 0.0f), TR_OK);
        for (int step = 0; step < 20; step++)
            assert_int_equal(tr2_world_step(world[w], 1.0 / 60.0, 4), TR_OK);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        tr2_body_def a, b;
        assert_int_equal(tr2_body_get(world[0], ids[0][i], &a), TR_OK);
        assert_int_equal(tr2_body_get(world[1], ids[1][i], &b), TR_OK);
        assert_true(a.position.x == b.position.x && a.position.y == b.position.y && a.angle == b.angle);
        assert_true(a.velocity.x == b.velocity.x && a.velocity.y == b.velocity.y);
        assert_true(i % 9 == 8 || i % 11 == 10 ? a.velocity.y == 0.0f || a.type == TR_KINEMATIC : a.velocity.y < -2.0f);
    }
    tr2_world_destroy(world[0]);
    tr2_world_destroy(world[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_bit_equal_to_the_scalar_ones),
        cmocka_unit_test(tiles_are_bit_equal_to_rows),
        cmocka_unit_test(tiles_with_a_body_in_quarantine_are_left_alone),
        cmocka_unit_test(a_body_in_a_crowd_becomes_what_it_becomes_alone),
        cmocka_unit_test(gravity_alone_moves_bodies_as_it_does_beside_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
