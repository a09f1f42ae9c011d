/* The direct method in space: what hangs at rest, torques under loads that slow light bodies down, and rods next to dependent. */
#include "space.h"

static const tr_vec3 down = {0.0f, 0.0f, -9.81f};

static tr3_joint_def ball_between(tr3_world *world, tr3_body a, tr3_body b, tr_dvec3 at)
{
    return space_between(world, TR3_JOINT_BALL, a, b, at, (tr_vec3){1.0f, 0.0f, 0.0f});
}

static void join_ball(tr3_world *world, tr3_body a, tr3_body b, tr_dvec3 at)
{
    const tr3_joint_def def = ball_between(world, a, b, at);
    (void)space_joint(world, &def);
}

#define LINKS 4

/* Four links of 0.25 m in balls under 10,000 times their mass, which swings across a torque on one of them. `alone`: with a joint
   that lanes do not know, and which does next to nothing. */
static void turn_link(bool alone, double spin[LINKS][3])
{
    const double length = 0.25;
    tr3_world *world = space_world(TR_DIRECT, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body link[LINKS], last = ground;
    const float across = (float)(0.1 * length * length / 12.0);
    for (int i = 0; i < LINKS; i++) {
        link[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, -length * (i + 0.5)}, 0.1f,
                             (tr_vec3){across, across, 0.1f * across});
        join_ball(world, last, link[i], (tr_dvec3){0.0, 0.0, -length * i});
        last = link[i];
    }
    const tr3_body ball =
        space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, -length * LINKS}, 1000.0f, (tr_vec3){10.0f, 10.0f, 10.0f});
    join_ball(world, last, ball, (tr_dvec3){0.0, 0.0, -length * LINKS});
    SPACE_OK(tr3_body_set_velocity(world, ball, (tr_vec3){0.0f, 0.3f, 0.0f}, (tr_vec3){0.0f, 4.9f, 0.0f}));
    if (alone) {
        tr3_joint_def def = ball_between(world, ground, link[0], (tr_dvec3){0.0, 0.0, 0.0});
        def.linear = tr_physical(1e-6f, 0.0f);
        (void)space_joint(world, &def);
    }
    for (int i = 0; i < 5; i++) {
        SPACE_OK(tr3_body_apply_torque(world, link[1], (tr_vec3){0.0f, 4.9f, 0.0f}));
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    }
    for (int i = 0; i < LINKS; i++) {
        tr3_body_def now;
        SPACE_OK(tr3_body_get(world, link[i], &now));
        spin[i][0] = (double)now.angular_velocity.x;
        spin[i][1] = (double)now.angular_velocity.y;
        spin[i][2] = (double)now.angular_velocity.z;
    }
    assert_true(tr3_world_measure(world).joint_error_max < 1e-5);
    tr3_world_destroy(world);
}

/* Torques act on all of the inertia of links that are slowed down, whose axes turn from kick to kick: alone as in lanes. */
static void torques_turn_what_is_slowed(void **state)
{
    (void)state;
    double lanes[LINKS][3], alone[LINKS][3], most = 0.0, apart = 0.0;
    turn_link(false, lanes);
    turn_link(true, alone);
    for (int i = 0; i < LINKS; i++)
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(lanes[i][k]));
            apart = fmax(apart, fabs(lanes[i][k] - alone[i][k]));
        }
    print_message("%.3g rad/s apart of %.3g\n", apart, most);
    assert_true(apart < 1e-3 * most);
}

static void lattices_hang_at_rest(void **state)
{
    (void)state;
    for (int n = 2; n <= 5; n++) {
        tr3_world *world = space_world(TR_DIRECT, down, 1);
        tr3_body bodies[5][5][5];
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                for (int z = 0; z < n; z++) {
                    const tr_dvec3 at = {x, y, z};
                    bodies[x][y][z] =
                        space_body(world, y == n - 1 ? TR_STATIC : TR_DYNAMIC, at, 1.0f, (tr_vec3){0.1f, 0.1f, 0.1f});
                    const tr3_body before[3] = {bodies[x > 0 ? x - 1 : 0][y][z], bodies[x][y > 0 ? y - 1 : 0][z],
                                                bodies[x][y][z > 0 ? z - 1 : 0]};
                    const tr_dvec3 middle[3] = {{x - 0.5, y, z}, {x, y - 0.5, z}, {x, y, z - 0.5}};
                    const int place[3] = {x, y, z};
                    for (int i = 0; i < 3; i++)
                        if (place[i] > 0)
                            join_ball(world, before[i], bodies[x][y][z], middle[i]);
                }
        for (int i = 0; i < 60; i++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        const tr3_measures m = tr3_world_measure(world);
        assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
        assert_true(m.joint_error_max < 1e-9 && m.kinetic_energy < 1e-12);
        tr3_world_destroy(world);
    }
}

/*
 * A plate of 5 kg on four rods of 3 m, one more than it needs, that swings and turns at once. Whenever it turns through where
 * the rods are parallel their rows are dependent; next to that they are nearly so. It has 5 and 20 J.
 */
static void a_plate_on_four_rods_gains_nothing(void **state)
{
    (void)state;
    for (int i = 1; i <= 2; i++) {
        tr3_world *world = space_world(TR_DIRECT, down, 1);
        tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        tr3_body plate = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 5.0f, (tr_vec3){2.5f, 2.5f, 5.0f});
        SPACE_OK(tr3_body_set_velocity(world, plate, (tr_vec3){(float)i, 0.0f, 0.0f}, (tr_vec3){0.0f, 0.0f, (float)i}));
        for (int k = 0; k < 4; k++) {
            const double x = k % 2 == 0 ? -1.1 : 1.1, y = k / 2 == 0 ? -1.1 : 1.1;
            tr3_joint_def def;
            SPACE_OK(tr3_joint_def_between(world, TR3_JOINT_DISTANCE, ground, plate, (tr_dvec3){x, y, 3.0},
                                           (tr_dvec3){x, y, 0.0}, (tr_vec3){1.0f, 0.0f, 0.0f}, &def));
            (void)space_joint(world, &def);
        }
        const tr3_measures first = tr3_world_measure(world);
        const double start = first.kinetic_energy + first.potential_energy;
        double most = start, last = start;
        for (int step = 0; step < 600; step++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            const tr3_measures now = tr3_world_measure(world);
            last = now.kinetic_energy + now.potential_energy;
            most = fmax(most, last);
            assert_true(now.joint_error_max < 1e-6);
        }
        print_message("%d m/s, %d rad/s: energy up by %.2g J, at last %.2g J of %.3g\n", i, i, most - start,
                      last - start, first.kinetic_energy);
        assert_true(most - start < 1e-3 * first.kinetic_energy && last - start > -0.1 * first.kinetic_energy);
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_turn_what_is_slowed),
        cmocka_unit_test(lattices_hang_at_rest),
        cmocka_unit_test(a_plate_on_four_rods_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
