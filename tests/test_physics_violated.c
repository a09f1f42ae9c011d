/*
 * Limits that are violated, as when they are enabled beyond where a joint is, or when bodies are set there: they close
 * and leave no speed.
 */
#include "exact_trees.h"
#include "physics_ragdoll.h"

static const tr_vec2 origin = {0.0f, 0.0f};

typedef struct violated {
    const char *name;
    tr2_joint_type type;
    bool free; /* between two bodies that move, of 2 and 1 kg */
    bool upper;
    tr_vec2 anchor_b; /* B's centre is at minus this from the joint's place */
    double inertia;   /* kg m^2, of both */
    double energy;    /* J, most that may be left from 0.1, in all methods */
} violated;

/*
 * A row is solved as if no other held its bodies. Beside a centre the joint's own rows take back a part of what a limit
 * does, and of the speed to be taken away: 1/(1 + m r^2 / I) of it remains to the limit. Where that is a half or more,
 * bodies come to rest on the limit. Where it is a hundredth they pass it, at no more than
 * the speed of the correction.
 */
static const violated violations[] = {
    {"slider", TR2_PRISMATIC, false, false, {0.0f, 0.0f}, 1.0, 1e-8},
    {"slider, upper", TR2_PRISMATIC, true, true, {0.0f, 0.0f}, 1.0, 1e-8},
    {"slider beside its centre", TR2_PRISMATIC, true, false, {0.1f, -0.4f}, 0.5, 1e-5},
    {"wheel", TR2_WHEEL, false, true, {0.0f, -0.5f}, 0.5, 1e-3},
    {"line", TR2_LINE, true, false, {-0.3f, -0.5f}, 0.5, 5e-3},
    {"linear motor", TR2_LINEAR_MOTOR, false, false, {0.0f, 0.0f}, 0.5, 1e-8},
    {"rope", TR2_DISTANCE, false, true, {0.0f, -0.5f}, 0.5, 1e-3},
    {"strut", TR2_DISTANCE, true, false, {0.2f, -0.5f}, 0.5, 1e-3},
    {"hinge", TR2_REVOLUTE, false, false, {0.0f, 0.0f}, 1.0, 1e-8},
    {"hinge 1 m beside", TR2_REVOLUTE, false, true, {-1.0f, 0.0f}, 1.0, 1e-5},
    {"hinge of a pair", TR2_REVOLUTE, true, false, {-0.3f, 0.0f}, 0.2, 1e-5},
    {"hinge of a light body", TR2_REVOLUTE, false, false, {-1.0f, 0.0f}, 0.01, 2.0},
    {"angle", TR2_ANGLE, true, true, {0.0f, 0.0f}, 0.5, 1e-8},
};

/* a joint at rest, violated by `beyond` */
static tr2_joint violate(tr2_world *world, const violated *v, double beyond)
{
    double length = v->type == TR2_DISTANCE ? 2.0 : 0.0, x = (double)v->anchor_b.x, y = (double)v->anchor_b.y;
    tr2_body a = v->free ? body_at(world, 0, 0, 0, 2.0, v->inertia) : static_at(world, 0, 0);
    tr2_joint_def def =
        joint_between(v->type, a, body_at(world, length - x, -y, 0, 1.0, v->inertia), origin, v->anchor_b);
    if (tr2_joint_type_has(v->type, TR2_SPRING_ENABLE))
        def.spring.enable = false;
    if (v->type == TR2_DISTANCE)
        def.linear = tr_frequency(0.0f, 0.0f);
    if (v->type == TR2_ANGLE)
        def.angular = tr_frequency(0.0f, 0.0f);
    if (v->type == TR2_LINEAR_MOTOR)
        def.motor.maximum = 0.0f;
    def.limit.enable = true;
    def.limit.lower = (float)(v->upper ? fmax(length - 5.0, 0.0) - (length > 0.0 ? 0.0 : 5.0) : length + beyond);
    def.limit.upper = (float)(v->upper ? length - beyond : length + 5.0);
    return join(world, def);
}

static double violation_of(const tr2_world *world, tr2_joint joint)
{
    tr2_joint_def def;
    MUST(tr2_joint_get(world, joint, &def));
    double value = (double)coordinate_of(world, joint).value;
    return fmax(fmax((double)def.limit.lower - value, value - (double)def.limit.upper), 0.0);
}

/*
 * 15 % of 0.1 m or rad close per sub-step, in the soft step 28 % or less, at 3 m/s and rad/s at most; at 10 in methods
 * without warm start. So after 1 s less than 1e-3 is left, with one sub-step too.
 */
static void a_violated_limit_closes_without_speed(void **state)
{
    (void)state;
    for (int m = 0; m < TR2_METHOD_COUNT; m++) {
        for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
            for (size_t i = 0; i < sizeof violations / sizeof *violations; i++) {
                const violated *v = &violations[i];
                tr2_world *world = world_of(0.0, 60.0f);
                MUST(tr2_world_set_method(world, (tr2_method)m, 0));
                tr2_joint joint = violate(world, v, 0.1);
                double fastest = 0.0, most = m == TR2_SMALL_STEP || m == TR2_POSITION_BASED ? 10.0 : 3.0;
                for (int step = 0; step < 60; step++) {
                    steps(world, 1.0 / 60.0, substeps, 1);
                    fastest = fmax(fastest, fabs((double)coordinate_of(world, joint).rate));
                }
                double left = violation_of(world, joint), energy = tr2_world_measure(world).kinetic_energy;
                if (!(energy <= v->energy && left < 1e-3 && fastest < 1.05 * most))
                    fail_msg("%s, %u sub-steps, %s: %.3g J, %.3g left, %.3g m/s or rad/s at most",
                             tr2_method_name((tr2_method)m), substeps, v->name, energy, left, fastest);
                tr2_world_destroy(world);
            }
        }
    }
}

/*
 * Ragdolls at rest, masses to 1:10, of whose ten hinges every other one is 0.05 to 0.3 rad beyond a limit. Moved limb
 * by limb, by sweeps, they keep up to 3.1 J, less than 1 kg has at 3 m/s; solved exactly they are moved by position only,
 * and what is left is the correction of hinges that turning by lines has opened.
 */
static void ragdolls_beyond_their_limits_stay_calm(void **state)
{
    (void)state;
    for (int m = 0; m < TR2_METHOD_COUNT; m++) {
        for (int exact = 0; exact < 2; exact++) {
            uint64_t seed = 11;
            double energy = 0.0, left = 0.0;
            for (int trial = 0; trial < TRIALS(30); trial++) {
                tr2_world *world = tree_world(0.0, (tr2_method)m, exact ? 0.0f : INFINITY);
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
            if (!(energy < (exact ? 0.2 : 3.5) && left < 0.05))
                fail_msg("%s, %s: %.3g J, %.3g rad left", tr2_method_name((tr2_method)m), exact ? "exact" : "sweeps",
                         energy, left);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violated_limit_closes_without_speed),
        cmocka_unit_test(ragdolls_beyond_their_limits_stay_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
