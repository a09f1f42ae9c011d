/*
 * Limits of exact trees that are violated, as when they are enabled beyond where a joint is, or when bodies are set there:
 * they close and leave no speed.
 */
#include "exact_trees.h"
#include "physics_ragdoll.h"

static double violation_of(const tr2_world *world, tr2_joint joint)
{
    tr2_joint_def def;
    MUST(tr2_joint_get(world, joint, &def));
    double value = (double)coordinate_of(world, joint).value;
    return fmax(fmax((double)def.limit.lower - value, value - (double)def.limit.upper), 0.0);
}

/*
 * Ragdolls at rest, masses to 1:10, of whose ten hinges every other one is 0.05 to 0.3 rad beyond a limit. Solved exactly
 * they are moved by position only, and what is left is the correction of hinges that turning by lines has opened.
 */
static void ragdolls_beyond_their_limits_stay_calm(void **state)
{
    (void)state;
    for (int m = 0; m < TR2_METHOD_COUNT; m++) {
        uint64_t seed = 11;
        double energy = 0.0, left = 0.0;
        for (int trial = 0; trial < TRIALS(30); trial++) {
            tr2_world *world = tree_world(0.0, (tr2_method)m, 0.0f);
            ragdoll r = make_ragdoll(world, &seed, (ragdoll_options){.mass_ratio = 10.0});
            for (uint32_t i = 1; i < RAGDOLL_BODIES; i += 2) {
                tr2_joint_def def;
                MUST(tr2_joint_get(world, r.hinge[i], &def));
                double value = (double)coordinate_of(world, r.hinge[i]).value;
                def.limit.lower = (float)(value + random_between(&seed, 0.05, 0.3));
                def.limit.upper = def.limit.lower + 1.0f;
                MUST(tr2_joint_set(world, r.hinge[i], &def));
            }
            steps(world, 1.0 / 60.0, 4, 60);
            energy = fmax(energy, tr2_world_measure(world).kinetic_energy);
            for (uint32_t i = 1; i < RAGDOLL_BODIES; i++)
                left = fmax(left, violation_of(world, r.hinge[i]));
            tr2_world_destroy(world);
        }
        if (!(energy < 0.2 && left < 0.05))
            fail_msg("%s: %.3g J, %.3g rad left", tr2_method_name((tr2_method)m), energy, left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ragdolls_beyond_their_limits_stay_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
