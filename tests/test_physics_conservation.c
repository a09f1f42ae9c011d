/*
 * What must not change, and what must not grow: momentum of free bodies whatever joins them, energy of passive ones. Random
 * trees of up to 16 bodies, tied by joints of every type, of mass ratios up to 30 within a tree.
 */
#include "physics_tree.h"

#define TREES 40

/* angular momentum about the common centre of mass, and what its parts' sizes sum up to */
typedef struct spin {
    double mass, x, y, momentum_x, momentum_y, angular, size;
} spin;

static spin spin_of(const tr2_world *world)
{
    tr2_body_view v = tr2_world_bodies(world);
    spin s = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < v.count; i++) {
        double m = (double)v.mass[i];
        s.mass += m;
        s.x += m * v.center_x[i];
        s.y += m * v.center_y[i];
        s.momentum_x += m * (double)v.velocity_x[i];
        s.momentum_y += m * (double)v.velocity_y[i];
    }
    s.x /= s.mass;
    s.y /= s.mass;
    for (uint32_t i = 0; i < v.count; i++) {
        double x = v.center_x[i] - s.x, y = v.center_y[i] - s.y;
        double vx = (double)v.velocity_x[i] - s.momentum_x / s.mass,
               vy = (double)v.velocity_y[i] - s.momentum_y / s.mass;
        double orbit = (double)v.mass[i] * (x * vy - y * vx),
               own = (double)v.inertia[i] * (double)v.angular_velocity[i];
        s.angular += orbit + own;
        s.size += fabs(orbit) + fabs(own);
    }
    return s;
}

/*
 * Free in space for 2,000 steps. Every impulse acts on two bodies in opposite directions and at one point, so all that is
 * left is rounding: 16,000 sub-steps with some tens of impulses each, 6e-8 each, as a random walk 6e-8 sqrt(5e5) = 4e-5.
 */
static void momentum_stays(void **state)
{
    (void)state;
    double worst_linear = 0.0, worst_angular = 0.0;
    for (uint64_t run = 0; run < TREES; run++) {
        uint64_t seed = 77 * run + 1;
        tr2_world *world = world_of(0.0, 60.0f);
        double ratio = 1.0 + 29.0 * (double)run / (TREES - 1);
        (void)make_tree(world, &seed, (tree_options){ratio, run % 2 == 1, 1.0, 0.0, 0.0});
        spin before = spin_of(world);
        steps(world, 1.0 / 60.0, 8, 2000);
        spin after = spin_of(world);
        double linear = hypot(after.momentum_x - before.momentum_x, after.momentum_y - before.momentum_y) / before.mass;
        double angular = fabs(after.angular - before.angular) / before.size;
        worst_linear = fmax(worst_linear, linear);
        worst_angular = fmax(worst_angular, angular);
        NEAR("momentum, per kilogram", linear, 0.0, 4e-5);
        NEAR("angular momentum, relative", angular, 0.0, 1e-4);
        tr2_world_destroy(world);
    }
    print_message("worst: momentum %.1e m/s, angular momentum %.1e of itself\n", worst_linear, worst_angular);
}

/* kinetic, of gravity, and in springs of known stiffness */
static double energy_of(const tr2_world *world)
{
    tr2_measures m = tr2_world_measure(world);
    return m.kinetic_energy + m.potential_energy;
}

/*
 * Hung up by one body and let go: gravity, springs, dampers, friction, limits. Nothing drives it, so the energy may only
 * fall: here at 8 sub-steps; at 4 welds and sliders of such mass ratios may gain some (docs/solver.md, stability). The
 * tolerance, a millimetre of the tree's weight, is for what the soft correction of joints lifts and lowers again.
 */
static void energy_of_passive_joints_never_grows(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t run = 0; run < 2 * TREES; run++) {
        uint64_t seed = 77 * run + 1;
        tr2_world *world = world_of(G, 60.0f);
        double ratio = 1.0 + 29.0 * (double)(run / 2) / (TREES - 1), weight = 0.0;
        tree t = make_tree(world, &seed, (tree_options){ratio, run % 2 == 1, 1.0, 0.0, 0.0});
        (void)revolute(world, static_at(world, 0, 0), t.body[0], (tr_vec2){0, 0}, (tr_vec2){0, 0});
        for (uint32_t i = 0; i < t.bodies; i++)
            weight += G * (double)body_now(world, t.body[i]).mass;
        double most = energy_of(world), before = most;
        for (int i = 0; i < 300; i++) {
            steps(world, 1.0 / 60.0, 8, 1);
            most = fmax(most, energy_of(world));
        }
        worst = fmax(worst, (most - before) / weight);
        NEAR("growth of energy, in metres of its weight", (most - before) / weight, 0.0, 1e-3);
        assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
        tr2_world_destroy(world);
    }
    print_message("worst growth: %.1e m of the weight\n", worst);
}

/* and in free flight nothing but spin and springs has energy: it falls, by what joints damp away */
static void energy_in_free_flight_never_grows(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < TREES; run++) {
        uint64_t seed = 177 * run + 5;
        tr2_world *world = world_of(0.0, 60.0f);
        double ratio = 1.0 + 29.0 * (double)run / (TREES - 1);
        (void)make_tree(world, &seed, (tree_options){ratio, run % 2 == 1, 2.0, 0.0, 0.0});
        double before = energy_of(world), most = 0.0;
        for (int i = 0; i < 300; i++) {
            steps(world, 1.0 / 60.0, 8, 1);
            most = fmax(most, energy_of(world));
        }
        /* rounding of float */
        assert_true(most <= before * (1.0 + 1e-5));
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(energy_of_passive_joints_never_grows),
        cmocka_unit_test(energy_in_free_flight_never_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
