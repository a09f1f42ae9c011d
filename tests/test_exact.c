/*
 * The direct method in the plane (docs/exact.md): what sweeps cannot hold, closed linkages in positions where rows
 * become dependent, second order, features, redundant and impossible joints, the same bits for any number of threads.
 */
#include <string.h>

#include "exact_world.h"
#include "instrumented.h"
#include "random.h"

/* of 1 m */
static tr2_body bar_at(tr2_world *world, double x, double y, double angle, double mass)
{
    return body_at(world, x, y, angle, mass, mass / 12.0);
}

static tr2_joint pin(tr2_world *world, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def;
    tr2_joint joint;
    const tr_dvec2 at = {x, y};
    MUST(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, a, b, at, at, (tr_vec2){1.0f, 0.0f}, &def));
    MUST(tr2_world_create_joint(world, &def, &joint));
    return joint;
}

/* joint errors over all steps, m; the greatest rise and fall of energy above and below the start, and exchange, J */
typedef struct course {
    double rms, worst, up, down, exchanged;
} course;

static course run(tr2_world *world, double dt, uint32_t substeps, uint32_t count)
{
    course out = {0};
    const double begin = energy_of(world);
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        MUST(tr2_world_step(world, dt, substeps));
        tr2_measures m = tr2_world_measure(world);
        const double rise = m.kinetic_energy + m.potential_energy - begin;
        out.rms += m.joint_error_rms * m.joint_error_rms / count;
        out.worst = fmax(out.worst, m.joint_error_max);
        out.up = fmax(out.up, rise);
        out.down = fmax(out.down, -rise);
        most = fmax(most, m.kinetic_energy);
    }
    out.rms = sqrt(out.rms);
    out.exchanged = most;
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    assert_int_equal(tr2_world_statistics(world).direct_unsettled, 0);
    return out;
}

static void chains_carry_any_load(void **state)
{
    (void)state;
    const float loads[] = {1.0f, 1e3f, 1e5f};
    for (int k = 0; k < 6; k++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body last = static_at(world, 0.0, 0.0);
        for (int i = 0; i <= 30; i++) {
            tr2_body body = bar_at(world, i + 0.5, 0.0, 0.0, i < 30 ? 1.0 : (double)loads[k % 3]);
            pin(world, last, body, i, 0.0);
            last = body;
        }
        const course c = k < 3 ? run(world, 1.0 / 60.0, 4, 90) : run(world, 1.0 / 240.0, 1, 1200);
        print_message("load %g: rms %.2g m, worst %.2g m, energy up %.2g J of %.2g\n", (double)loads[k % 3], c.rms,
                      c.worst, c.up, c.exchanged);
        assert_true(c.rms < 2e-5 && c.worst < 1e-3);
        assert_true(c.up < 1e-3 * c.exchanged);
        tr2_world_destroy(world);
    }
}

/*
 * A torque of 0.02 W l on a link of l = 0.25 m under the weight W of a ball of 10,000 links tilts it by 0.02 rad at rest, so that the ball
 * swings by 2 * 0.02 l, although the link is slowed down: in lanes, and with a joint that these do not know.
 */
static void torques_turn_what_is_slowed(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body link[4], ball, last = static_at(world, 0.0, 0.0);
        for (int i = 0; i < 4; i++) {
            link[i] = body_at(world, 0.0, -0.25 * i - 0.125, 0.0, 0.1, 0.1 * 0.25 * 0.25 / 12.0);
            pin(world, last, link[i], 0.0, -0.25 * i);
            last = link[i];
        }
        ball = body_at(world, 0.0, -1.0, 0.0, 1000.0, 10.0);
        pin(world, last, ball, 0.0, -1.0);
        if (alone == 1)
            (void)join(world,
                       joint_between(TR2_JOINT_GEAR, link[0], link[3], (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f}));
        const double torque = 0.02 * 1000.0 * G * 0.25;
        double far = 0.0;
        for (int i = 0; i < 300; i++) {
            MUST(tr2_body_apply_torque(world, link[1], (float)torque));
            MUST(tr2_world_step(world, 1.0 / 60.0, 4));
            far = fmax(far, fabs(body_now(world, ball).position.x));
        }
        NEAR("swing", far, 0.01, 5e-4);
        assert_true(tr2_world_measure(world).joint_error_max < 1e-6);
        tr2_world_destroy(world);
    }
}

/* A level chain of 12 links of 1 kg with rods of 0.5 m between them, and a load at its end. A rod's force turns with it: that
   is as stiff across as force over length, with a frequency of h w = 12 for 1e5 links. Errors would be 0.24 m without it. */
static void rods_carry_any_load(void **state)
{
    (void)state;
    const double loads[] = {1.0, 1e3, 1e5};
    for (int k = 0; k < 6; k++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body last = static_at(world, 0.0, 0.0);
        for (int i = 0; i <= 12; i++) {
            tr2_body body = bar_at(world, i + 0.5, 0.0, 0.0, i < 12 ? 1.0 : loads[k % 3]);
            tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
            def.body_a = last;
            def.body_b = body;
            def.anchor_a.x = i == 0 ? 0.0f : 0.25f;
            def.anchor_b.x = -0.25f;
            def.length = i == 0 ? 0.25f : 0.5f;
            (void)join(world, def);
            last = body;
        }
        /* it whips from 1.5 s on, by chance, but gains next to nothing by it at 8 sub-steps */
        const course c = k < 3 ? run(world, 1.0 / 60.0, 4, 90) : run(world, 1.0 / 60.0, 8, TRIALS(1200));
        print_message("load %g: rms %.2g m, worst %.2g m, energy up %.2g J of %.2g\n", loads[k % 3], c.rms, c.worst,
                      c.up, c.exchanged);
        assert_true(k >= 3 || (c.rms < 1e-4 && c.worst < 1e-3));
        assert_true(c.up < 5e-3 * 12.5 * G * (loads[k % 3] + 6.0));
        tr2_world_destroy(world);
    }
}

/* A level chain of 30 links of 1 kg and 1 m with a ball at its end swings down, and whips from 14 s on, by 50 rad/s and
   more. Nothing gives it energy. What turns by less than 0.005 rad in a sub-step may gain what it then gives back: at most
   0.1 % of what is exchanged; it was up to 8 times that. */
static void whips_gain_no_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double ball = k % 2 == 0 ? 30.0 : 1000.0;
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body last = static_at(world, 0.0, 0.0);
        for (int i = 0; i < 30; i++) {
            tr2_body body = bar_at(world, i + 0.5, 0.0, 0.0, 1.0);
            pin(world, last, body, i, 0.0);
            last = body;
        }
        pin(world, last, body_at(world, 31.0, 0.0, 0.0, ball, 0.5 * ball), 30.0, 0.0);
        const course c = run(world, 1.0 / 60.0, k / 2 == 0 ? 4 : 8, TRIALS(1800));
        print_message("ball of %g: energy up by %.2g, down by %.2g of %g J\n", ball, c.up / (31.0 * G * ball),
                      c.down / (31.0 * G * ball), 31.0 * G * ball);
        assert_true(c.up < 1e-3 * 31.0 * G * ball);
        tr2_world_destroy(world);
    }
}

/* A body of 1 kg whose centre is 2 m below its pin swings for 20 s, alone from the level or below 4 light links. Its own inertia
   is far too small for the force of its pin, but with one end held it turns about that. With its own inertia only it
   lost 6 to 20 %. What is left is second order, and comes back in each swing. */
static void compact_bobs_keep_their_energy(void **state)
{
    (void)state;
    const double inertias[] = {1e-4, 1e-6, 1e-4, 1e-2};
    for (int k = 0; k < 4; k++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body last = static_at(world, 0.0, 0.0);
        const double angle = k < 2 ? 0.5 * PI : 0.5, x = sin(angle), y = -cos(angle);
        const int links = k < 2 ? 0 : 4;
        for (int i = 0; i < links; i++) {
            tr2_body link = body_at(world, (0.5 * i + 0.25) * x, (0.5 * i + 0.25) * y, angle, 0.01, 0.01 / 48.0);
            pin(world, last, link, 0.5 * i * x, 0.5 * i * y);
            last = link;
        }
        const double from = 0.5 * links;
        tr2_body bob = body_at(world, (from + 2.0) * x, (from + 2.0) * y, angle, 1.0, 4.0 * inertias[k]);
        pin(world, last, bob, from * x, from * y);
        const course c = run(world, 1.0 / 60.0, 4, 1200);
        print_message("bob of %g m r^2 below %d links: energy up %.2g, down %.2g of %.2g J\n", inertias[k], links, c.up,
                      c.down, c.exchanged);
        assert_true(c.up < 1e-3 * c.exchanged && c.down < 1e-3 * c.exchanged);
        tr2_world_destroy(world);
    }
}

/* straight between two pins: no force would be enough, so the bridge stretches by what rounding asks for */
static void bridges_carry_any_load(void **state)
{
    (void)state;
    for (float load = 1e3f; load <= 1e5f; load *= 100.0f) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body ground = static_at(world, 0.0, 0.0), last = ground;
        for (int i = 0; i < 30; i++) {
            tr2_body body = bar_at(world, i + 0.5, 0.0, 0.0, i == 15 ? (double)load : 1.0);
            pin(world, last, body, i, 0.0);
            last = body;
        }
        pin(world, ground, last, 30.0, 0.0);
        const course c = run(world, 1.0 / 60.0, 4, 300);
        print_message("load %g: rms %.2g m, worst %.2g m\n", (double)load, c.rms, c.worst);
        assert_true(c.rms < 2e-5 && c.worst < 1e-4);
        tr2_world_destroy(world);
    }
}

/* A truss of triangles of bars, whose first two nodes are on the ground; a weight hangs at the last. */
static void truss(uint32_t triangles, float load)
{
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0), first[256];
    bool begun[256] = {false};
    const uint32_t nodes = triangles + 2;
    for (uint32_t i = 0; i < nodes; i++) {
        /* node i is at (i/2, height), from it bars go to i + 1 and i + 2; all are pinned to the first of a node */
        const double x = 0.5 * i, y = i % 2 == 0 ? 0.0 : 0.8660254;
        for (uint32_t k = 1; k <= 2 && i + k < nodes; k++) {
            const uint32_t j = i + k;
            const double xe = 0.5 * j, ye = j % 2 == 0 ? 0.0 : 0.8660254;
            if (j < 2)
                continue;
            tr2_body bar = bar_at(world, 0.5 * (x + xe), 0.5 * (y + ye), atan2(ye - y, xe - x), 1.0);
            pin(world, i < 2 ? ground : first[i], bar, x, y);
            if (begun[j])
                pin(world, first[j], bar, xe, ye);
            else
                first[j] = bar;
            begun[j] = true;
        }
    }
    tr2_body weight = bar_at(world, 0.5 * (nodes - 1), (nodes - 1) % 2 == 0 ? 0.0 : 0.8660254, 0.0, (double)load);
    pin(world, first[nodes - 1], weight, 0.5 * (nodes - 1), (nodes - 1) % 2 == 0 ? 0.0 : 0.8660254);
    const course c = run(world, 1.0 / 60.0, 4, triangles > 50 ? 60 : 300);
    print_message("%u triangles: rms %.2g m, worst %.2g m\n", triangles, c.rms, c.worst);
    assert_true(c.rms < 1e-3 && c.worst < 1e-2);
    tr2_world_destroy(world);
}

static void trusses_hold(void **state)
{
    (void)state;
    truss(20, 100.0f);
    truss(200, 100.0f);
}

/* The four-bar linkage with `windows` windows of the IFToMM benchmark A02, of bars of 12 kg, whose inertia is a float;
   returns the first coupler. */
static tr2_body linkage(tr2_world *world, int windows, float heavy)
{
    tr2_body ground = static_at(world, 0.0, 0.0), crank[64], coupler[64];
    for (int i = 0; i <= windows; i++) {
        crank[i] = bar_at(world, i, 0.5, 0.0, i == 0 ? 12.0 * (double)heavy : 12.0);
        pin(world, ground, crank[i], i, 0.0);
        MUST(tr2_body_set_velocity(world, crank[i], (tr_vec2){0.5f, 0.0f}, -1.0f));
    }
    for (int i = 0; i < windows; i++) {
        coupler[i] = bar_at(world, i + 0.5, 1.0, 0.0, 12.0);
        pin(world, crank[i], coupler[i], i, 1.0);
        pin(world, crank[i + 1], coupler[i], i + 1, 1.0);
        MUST(tr2_body_set_velocity(world, coupler[i], (tr_vec2){1.0f, 0.0f}, 0.0f));
    }
    return coupler[0];
}

static void linkages_pass_singular_positions(void **state)
{
    (void)state;
    const int windows[] = {1, 2, 3, 4, 5, 8, 13, 20, 32, 40};
    for (int k = 0; k < 20; k++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        linkage(world, windows[k / 2], k % 2 == 0 ? 1.0f : 20.0f);
        const course c = run(world, 1.0 / 60.0, 4, TRIALS(600));
        if (c.up > 0.01 * c.exchanged || c.down > 0.01 * c.exchanged || c.worst > 1e-5)
            fail_msg("%d windows, heavy %d: energy up %g, down %g of %g J, errors up to %g m", windows[k / 2], k % 2,
                     c.up, c.down, c.exchanged, c.worst);
        tr2_world_destroy(world);
    }
    for (int k = 0; k < 6; k++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        linkage(world, windows[k / 2], k % 2 == 0 ? 1.0f : 20.0f);
        const course c = run(world, 1e-3, 1, TRIALS(10000));
        if (fmax(c.up, c.down) > 1e-3 * c.exchanged)
            fail_msg("%d windows, heavy %d, 1,000 Hz: energy up %g, down %g of %g J", windows[k / 2], k % 2, c.up,
                     c.down, c.exchanged);
        tr2_world_destroy(world);
    }
}

/* the most sub-steps of a millisecond: hundreds of thousands under a sanitizer show nothing that thousands do not */
#define MANY TRIALS(100u)

/* B0 of A02 with two windows at 3 s, m: truth/A02_four_bar_N2.csv */
static double linkage_error(double hz, uint32_t substeps)
{
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body coupler = linkage(world, 2, 1.0f);
    const uint32_t count = (uint32_t)(3.0 * hz + 0.5);
    for (uint32_t i = 0; i < count; i++)
        MUST(tr2_world_step(world, 1.0 / hz, substeps));
    tr2_transform pose;
    MUST(tr2_body_get_transform(world, coupler, &pose));
    tr2_world_destroy(world);
    const double x = pose.position.x - 0.5 + 0.54933973930166855, y = pose.position.y + 0.83559909695019108;
    return sqrt(x * x + y * y);
}

static void ten_times_the_steps_give_a_hundredth_of_the_error(void **state)
{
    (void)state;
    const double coarse = linkage_error(100.0, 1), middle = linkage_error(1000.0, 1), fine = linkage_error(1000.0, 10),
                 finest = MANY > 10 ? linkage_error(1000.0, 100) : fine;
    print_message("A02 at 3 s: %.2g, %.2g, %.2g, %.2g m\n", coarse, middle, fine, finest);
    assert_true(middle < 1e-3 && middle < coarse / 80.0);
    /* then what remains is that 9.81 is a float */
    assert_true(fine < 5e-7 && finest < 5e-7);
    double drift[3];
    for (uint32_t k = 0, substeps = 1; k < 3; k++, substeps *= 10) {
        if (substeps > MANY) {
            drift[k] = 0.0;
            break;
        }
        tr2_world *world = direct_world(1, (tr_allocator){0});
        linkage(world, 2, 1.0f);
        const course c = run(world, 1e-3, substeps, 1500);
        drift[k] = fmax(c.up, c.down) / c.exchanged;
        tr2_world_destroy(world);
    }
    print_message("energy off by %.2g, %.2g, %.2g of what it exchanges\n", drift[0], drift[1], drift[2]);
    /* and here that velocities are measured as floats */
    assert_true(drift[1] < drift[0] / 30.0 && drift[2] < 2e-7);
}

/* a door on two hinges: each carries half */
static void redundant_joints_share(void **state)
{
    (void)state;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0), body = bar_at(world, 0.0, 0.0, 0.0, 2.0);
    tr2_joint joint[4];
    for (int i = 0; i < 4; i++) {
        tr2_joint_def def;
        const tr_dvec2 at = {i % 2 == 0 ? -1.0 : 1.0, i < 2 ? -1.0 : 1.0};
        MUST(tr2_joint_def_between(world, TR2_JOINT_WELD, ground, body, at, at, (tr_vec2){1.0f, 0.0f}, &def));
        MUST(tr2_world_create_joint(world, &def, &joint[i]));
    }
    steps(world, 1.0 / 60.0, 4, 60);
    for (int i = 0; i < 4; i++) {
        NEAR("share", (double)reaction_of(world, joint[i]).force.y, 2.0 * G / 4.0, 1e-4);
        NEAR("across", (double)reaction_of(world, joint[i]).force.x, 0.0, 1e-4);
    }
    tr2_world_destroy(world);
}

static double speed_of(tr2_world *world, tr2_body body)
{
    tr_vec2 v;
    float w;
    MUST(tr2_body_get_velocity(world, body, &v, &w));
    return fabs((double)v.x) + fabs((double)v.y) + fabs((double)w);
}

/* rods too short for their pins, motors that turn a body both ways, a welded lattice, with errors: they come to rest */
static void impossible_joints_rest(void **state)
{
    (void)state;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0), middle = bar_at(world, 1.0, 0.1, 0.0, 1.0);
    for (int i = 0; i < 2; i++) {
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        tr2_joint joint;
        def.body_a = ground;
        def.body_b = middle;
        def.anchor_a = (tr_vec2){2.0f * (float)i, 0.0f};
        def.length = 0.9f;
        MUST(tr2_world_create_joint(world, &def, &joint));
    }
    tr2_body wheel = bar_at(world, 5.0, 0.0, 0.0, 1.0);
    for (int i = 0; i < 2; i++) {
        tr2_joint_def def;
        tr2_joint joint;
        const tr_dvec2 at = {5.0, 0.0};
        MUST(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, ground, wheel, at, at, (tr_vec2){1.0f, 0.0f}, &def));
        def.motor = (tr_motor){.enable = true, .speed = i == 0 ? 3.0f : -3.0f, .maximum = 100.0f};
        MUST(tr2_world_create_joint(world, &def, &joint));
    }
    tr2_body grid[36];
    for (int i = 0; i < 36; i++)
        grid[i] = bar_at(world, 10.0 + i % 6, i / 6, 0.0, 1.0);
    for (int i = 0; i < 36; i++) {
        for (int k = 0; k < 2; k++) {
            const int other = k == 0 ? i + 1 : i + 6;
            if ((k == 0 && i % 6 == 5) || other >= 36)
                continue;
            tr2_joint_def def;
            tr2_joint joint;
            const tr_dvec2 at = {10.0 + 0.5 * (i % 6 + other % 6), 0.5 * (i / 6 + other / 6)};
            MUST(tr2_joint_def_between(world, TR2_JOINT_WELD, grid[i], grid[other], at, at, (tr_vec2){1.0f, 0.0f},
                                       &def));
            /* no lattice has these angles */
            def.reference_angle += i % 3 == 0 ? 0.01f : -0.01f;
            MUST(tr2_world_create_joint(world, &def, &joint));
        }
    }
    pin(world, ground, grid[30], 10.0, 5.0);
    pin(world, ground, grid[35], 15.0, 5.0);
    steps(world, 1.0 / 60.0, 4, 1200);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    print_message("rods %g m/s, wheel %g, lattice %g\n", speed_of(world, middle), speed_of(world, wheel),
                  speed_of(world, grid[14]));
    assert_true(speed_of(world, middle) < 0.05);
    assert_true(speed_of(world, wheel) < 1e-6);
    assert_true(speed_of(world, grid[14]) < 1e-3);
    tr2_world_destroy(world);
}

/* a motor turns at its speed up to its torque, a limit stops, friction holds up to its torque, a spring hangs at rest */
static void features_do_what_they_say(void **state)
{
    (void)state;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0), wheel[4];
    tr2_joint joint[4];
    for (int i = 0; i < 4; i++) {
        tr2_joint_def def;
        const tr_dvec2 at = {3.0 * i, 0.0};
        wheel[i] = bar_at(world, 3.0 * i, 0.0, 0.0, 12.0);
        MUST(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, ground, wheel[i], at, at, (tr_vec2){1.0f, 0.0f}, &def));
        if (i < 2)
            def.motor = (tr_motor){.enable = true, .speed = 2.0f, .maximum = i == 0 ? 100.0f : 0.5f};
        if (i == 1)
            def.friction = 0.25f;
        if (i == 2)
            def.limit = (tr_limit){.enable = true, .lower = -0.5f, .upper = 0.5f};
        if (i == 3)
            def.friction = 2.0f;
        MUST(tr2_world_create_joint(world, &def, &joint[i]));
    }
    MUST(tr2_body_set_velocity(world, wheel[2], (tr_vec2){0.0f, 0.0f}, 3.0f));
    MUST(tr2_body_set_velocity(world, wheel[3], (tr_vec2){0.0f, 0.0f}, 3.0f));
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("driven", (double)body_now(world, wheel[0]).angular_velocity, 2.0, 1e-5);
    NEAR("weak motor against friction", (double)body_now(world, wheel[1]).angular_velocity, 0.25, 1e-3);
    NEAR("at its stop", body_now(world, wheel[2]).angle, 0.5, 1e-5);
    NEAR("still", (double)body_now(world, wheel[2]).angular_velocity, 0.0, 1e-5);
    NEAR("rubbed", (double)body_now(world, wheel[3]).angular_velocity, 1.0, 1e-3);
    MUST(tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("stuck", (double)body_now(world, wheel[3]).angular_velocity, 0.0, 1e-6);
    tr2_world_destroy(world);
}

/* an undamped spring keeps its energy and frequency; a damped one comes to rest where its force is the weight */
static void springs_swing_and_hang(void **state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        tr2_world *world = direct_world(1, (tr_allocator){0});
        tr2_body ground = static_at(world, 0.0, 0.0), body = bar_at(world, 0.0, -1.0, 0.0, 2.0);
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        tr2_joint joint;
        def.body_a = ground;
        def.body_b = body;
        def.length = 1.0f;
        def.linear = tr_physical(200.0f, damped == 1 ? 20.0f : 0.0f);
        MUST(tr2_world_create_joint(world, &def, &joint));
        const double sag = 2.0 * G / 200.0, omega = 10.0;
        double worst = 0.0;
        for (int i = 1; i <= 600; i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            const double y = -1.0 - sag * (1.0 - cos(omega * i / 60.0));
            worst = fmax(worst, fabs(body_now(world, body).position.y - y));
        }
        if (damped == 0)
            assert_true(worst < 1e-3);
        else
            NEAR("hangs", body_now(world, body).position.y, -1.0 - sag, 1e-6);
        tr2_world_destroy(world);
    }
}

/* boxes on a floor that stand, and slide up to their friction */
static void boxes_stand_and_slide(void **state)
{
    (void)state;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, -0.5), box[5];
    tr2_shape_def shape = tr2_box_on(ground, 50.0f, 0.5f);
    tr2_shape id;
    MUST(tr2_world_create_shape(world, &shape, &id));
    for (int i = 0; i < 5; i++) {
        box[i] = bar_at(world, i < 3 ? 0.0 : 4.0 * i, i < 3 ? 0.5 + i : 0.5, 0.0, 1.0);
        shape = tr2_box_on(box[i], 0.5f, 0.5f);
        shape.density = 0.0f;
        MUST(tr2_world_create_shape(world, &shape, &id));
    }
    MUST(tr2_body_set_velocity(world, box[3], (tr_vec2){3.0f, 0.0f}, 0.0f));
    steps(world, 1.0 / 60.0, 4, 240);
    for (int i = 0; i < 3; i++) {
        NEAR("x", body_now(world, box[i]).position.x, 0.0, 1e-3);
        NEAR("y", body_now(world, box[i]).position.y, 0.5 + i, 0.02);
    }
    assert_true(speed_of(world, box[2]) < 0.01 && speed_of(world, box[3]) < 1e-3);
    const double way = body_now(world, box[3]).position.x - 12.0;
    NEAR("way", way, 9.0 / (2.0 * G * (double)shape.surface.friction), 0.1);
    tr2_world_destroy(world);
}

/* a crowd of linkages, chains with motors, limits and springs */
static tr2_world *crowd(uint32_t threads)
{
    tr2_world *world = direct_world(threads, (tr_allocator){0});
    uint64_t seed = 7;
    tr2_body ground = static_at(world, 0.0, 0.0);
    for (int k = 0; k < 40; k++) {
        tr2_body last = ground;
        for (int i = 0; i < 8; i++) {
            tr2_joint_def def;
            tr2_joint joint;
            const tr_dvec2 at = {20.0 * k + i, 0.0};
            tr2_body body = bar_at(world, at.x + 0.5, 0.0, 0.0, 1.0 + random_index(&seed, 100));
            MUST(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, last, body, at, at, (tr_vec2){1.0f, 0.0f}, &def));
            def.motor = (tr_motor){.enable = k % 3 == 0, .speed = 1.0f, .maximum = 50.0f};
            def.limit = (tr_limit){.enable = k % 2 == 0, .lower = -0.7f, .upper = 0.7f};
            def.friction = k % 5 == 0 ? 5.0f : 0.0f;
            if (k % 7 == 0)
                def.spring = (tr_spring){true, 0.0f, tr_frequency(2.0f, 0.3f)};
            MUST(tr2_world_create_joint(world, &def, &joint));
            last = body;
        }
    }
    return world;
}

/* the bytes of a snapshot, which have all that later steps depend on */
static void bits_do_not_depend_on_threads_or_snapshots(void **state)
{
    (void)state;
    static unsigned char bytes[3][1 << 20];
    size_t size[3];
    for (uint32_t k = 0; k < 3; k++) {
        tr2_world *world = crowd(k == 1 ? 3 : 1);
        steps(world, 1.0 / 60.0, 3, 20);
        if (k == 2) {
            /* into another world, and on from there */
            MUST(tr2_world_save(world, bytes[2], sizeof bytes[2], &size[2]));
            tr2_world *other = direct_world(2, (tr_allocator){0});
            MUST(tr2_world_restore(other, bytes[2], size[2]));
            tr2_world_destroy(world);
            world = other;
        }
        steps(world, 1.0 / 60.0, 3, 20);
        MUST(tr2_world_save(world, bytes[k], sizeof bytes[k], &size[k]));
        tr2_world_destroy(world);
    }
    assert_true(size[0] == size[1] && size[0] == size[2]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_memory_equal(bytes[0], bytes[2], size[0]);
}

/* thresholds see the load of a joint, and a joint that breaks lets go */
static void joints_break(void **state)
{
    (void)state;
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body ground = static_at(world, 0.0, 0.0), body = bar_at(world, 0.0, -0.5, 0.0, 10.0);
    tr2_joint joint = pin(world, ground, body, 0.0, 0.0);
    MUST(tr2_joint_set_break_at(world, joint, (tr_break_at){.force = 120.0f}));
    steps(world, 1.0 / 60.0, 4, 30);
    NEAR("load", (double)reaction_of(world, joint).force.y, 10.0 * G, 1e-3);
    assert_int_equal(tr2_world_statistics(world).broken_joints, 0);
    MUST(tr2_body_apply_force(world, body, (tr_vec2){0.0f, -40.0f}, (tr_dvec2){0.0, -0.5}));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).broken_joints, 1);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_carry_any_load),
        cmocka_unit_test(torques_turn_what_is_slowed),
        cmocka_unit_test(rods_carry_any_load),
        cmocka_unit_test(whips_gain_no_energy),
        cmocka_unit_test(compact_bobs_keep_their_energy),
        cmocka_unit_test(bridges_carry_any_load),
        cmocka_unit_test(trusses_hold),
        cmocka_unit_test(linkages_pass_singular_positions),
        cmocka_unit_test(ten_times_the_steps_give_a_hundredth_of_the_error),
        cmocka_unit_test(redundant_joints_share),
        cmocka_unit_test(impossible_joints_rest),
        cmocka_unit_test(features_do_what_they_say),
        cmocka_unit_test(springs_swing_and_hang),
        cmocka_unit_test(boxes_stand_and_slide),
        cmocka_unit_test(bits_do_not_depend_on_threads_or_snapshots),
        cmocka_unit_test(joints_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
