/*
 * Passive joints make no energy: 300 random ragdolls, hinges with limits, masses from 1:1 to 30:1 within one, at the
 * usual 4 sub-steps of a 60th of a second. Whatever happens in 5 s, none has ever more energy than it began with.
 *
 * Within a run the energy is not monotonous: limits that were hit hard, and joints that one sweep left apart, give back
 * in later steps what they took (docs/solver.md).
 */
#include "physics_ragdoll.h"

#define RAGDOLLS 300

typedef enum start {
    THROWN,   /* every part with a velocity of its own, in free flight */
    SPINNING, /* as one rigid body, in free flight: the limbs fly out into their limits */
    HUNG,     /* by one of its parts, at rest: it falls and swings */
    STARTS
} start;

static const char *const start_names[STARTS] = {"thrown", "spinning", "hung"};

static void spin_as_one(tr2_world *world, const ragdoll *r, double rate)
{
    for (uint32_t i = 0; i < RAGDOLL_BODIES; i++) {
        tr2_body_def b = body_now(world, r->body[i]);
        tr_vec2 v = {(float)(-rate * b.position.y), (float)(rate * b.position.x)};
        MUST(tr2_body_set_velocity(world, r->body[i], v, (float)rate));
    }
}

/* the most energy above that of the start, and above that of any earlier step: in free flight as a part of the energy
   at the start, hung up in metres of the weight */
typedef struct growth {
    double above_start, above_earlier;
} growth;

static growth run_ragdoll(uint64_t run, start how, uint32_t substeps)
{
    uint64_t seed = 977 * run + 3;
    tr2_world *world = world_of(how == HUNG ? G : 0.0, 60.0f);
    double mass_ratio = 1.0 + 29.0 * (double)run / (RAGDOLLS - 1), scale = 0.0;
    ragdoll r = make_ragdoll(world, &seed, (ragdoll_options){mass_ratio, how == THROWN ? 3.0 : 0.0});
    if (how == SPINNING)
        spin_as_one(world, &r, 5.0);
    double first = energy_of(world), least = first;
    if (how == HUNG) {
        tr2_body part = r.body[run % RAGDOLL_BODIES];
        tr_dvec2 at = body_now(world, part).position;
        (void)revolute(world, static_at(world, at.x, at.y), part, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        for (uint32_t i = 0; i < RAGDOLL_BODIES; i++)
            scale += G * (double)body_now(world, r.body[i]).mass;
    } else {
        scale = first;
    }
    growth g = {-INFINITY, 0.0};
    for (int i = 0; i < 300; i++) {
        steps(world, 1.0 / 60.0, substeps, 1);
        double energy = energy_of(world);
        g.above_start = fmax(g.above_start, (energy - first) / scale);
        g.above_earlier = fmax(g.above_earlier, (energy - least) / scale);
        least = fmin(least, energy);
    }
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
    return g;
}

/* nothing but rounding: 1e-6 of the energy */
static void ragdolls_never_have_more_energy_than_at_first(void **state)
{
    (void)state;
    for (int how = 0; how < STARTS; how++) {
        growth worst = {-INFINITY, 0.0};
        for (uint64_t run = 0; run < RAGDOLLS; run += RAGDOLLS / TRIALS(RAGDOLLS)) {
            growth g = run_ragdoll(run, (start)how, 4);
            if (g.above_start > 1e-6)
                fail_msg("ragdoll %u, %s: energy grows by %g", (unsigned)run, start_names[how], g.above_start);
            worst.above_start = fmax(worst.above_start, g.above_start);
            worst.above_earlier = fmax(worst.above_earlier, g.above_earlier);
        }
        print_message("%s: at most %.1e above the start, %.2g above an earlier step\n", start_names[how],
                      worst.above_start, worst.above_earlier);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ragdolls_never_have_more_energy_than_at_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
