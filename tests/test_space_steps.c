/*
 * Error against step in space (docs/methods.md): a spinning top, whose motion is known, and a chain of hinges, with sub-steps
 * down to 1/100,000 s. As in the plane (test_steps.c), no method has a greater error there than with longer ones.
 */
#include "instrumented.h"
#include "random.h"
#include "space.h"

static const tr_vec3 down = {0.0f, 0.0f, -9.81f};

static tr3_world *world_by(tr_method method)
{
    tr3_world *world = space_world(method, down, 1);
    SPACE_OK(tr3_world_set_direct_load(world, INFINITY));
    return world;
}

static tr3_body ground_of(tr3_world *world)
{
    return space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
}

static const struct {
    double hz;
    uint32_t substeps;
} rates[] = {{60.0, 4}, {60.0, 16}, {60.0, 64}, {60.0, 256}, {120.0, 853}};
enum { AT_240, AT_960, AT_3840, AT_15360, AT_102360, RATES };
/* hundreds of thousands of sub-steps under a sanitizer show nothing that thousands do not */
#define RATE_COUNT (TRIALS(10) < 10 ? AT_3840 + 1 : RATES)

/*
 * A gyroscope: a body on a ball joint at 0.5 m from its centre, level, that spins about its axis by w3 and precesses about the
 * vertical by W = m g l / (I3 w3). The greatest distance of its centre from there in 2 s, m.
 */
static double gyroscope_error(tr_method method, double hz, uint32_t substeps)
{
    const double l = 0.5, i3 = 0.25, spin = 39.25, rate = -(double)down.z * l / (i3 * spin);
    tr3_world *world = world_by(method);
    tr3_body ground = ground_of(world);
    tr3_body_def def = tr3_body_def_default();
    def.position = (tr_dvec3){l, 0.0, 0.0};
    def.inertia = (tr_sym3){(float)i3, 0.125f, 0.125f, 0.0f, 0.0f, 0.0f};
    def.angular_velocity = (tr_vec3){(float)spin, 0.0f, (float)rate};
    def.velocity = (tr_vec3){0.0f, (float)(rate * l), 0.0f};
    tr3_body top;
    SPACE_OK(tr3_world_create_body(world, &def, &top));
    tr3_joint_def joint =
        space_between(world, TR3_JOINT_BALL, ground, top, (tr_dvec3){0.0, 0.0, 0.0}, (tr_vec3){1.0f, 0.0f, 0.0f});
    (void)space_joint(world, &joint);
    double worst = 0.0;
    for (uint32_t step = 1; step <= (uint32_t)(2.0 * hz + 0.5); step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / hz, substeps));
        const double angle = rate * step / hz;
        tr3_transform at;
        SPACE_OK(tr3_world_get_transforms(world, &top, 1, &at));
        const tr_dvec3 want = {l * cos(angle), l * sin(angle), 0.0};
        worst = fmax(worst, space_length(space_minus(at.position, want)));
    }
    tr3_world_destroy(world);
    return worst;
}

enum { LINKS = 3 };

/* a level chain of three links of 1 m on hinges across each other, 1 s after it is let go */
static void hinges_fall(tr_method method, double hz, uint32_t substeps, tr3_transform out[LINKS])
{
    static const tr_vec3 axes[LINKS] = {{0.0f, 1.0f, 0.0f}, {0.0f, 0.6f, 0.8f}, {0.0f, 0.0f, 1.0f}};
    tr3_world *world = world_by(method);
    tr3_body last = ground_of(world), links[LINKS];
    for (int i = 0; i < LINKS; i++) {
        links[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){i + 0.5, 0.0, 0.0}, 1.0f,
                              (tr_vec3){0.015625f, 0.0625f, 0.078125f});
        tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, last, links[i], (tr_dvec3){i, 0.0, 0.0}, axes[i]);
        (void)space_joint(world, &def);
        last = links[i];
    }
    for (uint32_t step = 0; step < (uint32_t)(hz + 0.5); step++)
        SPACE_OK(tr3_world_step(world, 1.0 / hz, substeps));
    SPACE_OK(tr3_world_get_transforms(world, links, LINKS, out));
    tr3_world_destroy(world);
}

/* m: from the direct method at 15,360 sub-steps per second, which an integration by itself shows to be within 3e-8 m */
static double hinges_error(tr_method method, double hz, uint32_t substeps)
{
    static tr3_transform truth[LINKS];
    static bool known;
    tr3_transform is[LINKS];
    double worst = 0.0;
    if (!known)
        hinges_fall(TR_DIRECT, 60.0, 256, truth);
    known = true;
    hinges_fall(method, hz, substeps, is);
    for (int i = 0; i < LINKS; i++)
        worst = fmax(worst, space_length(space_minus(is[i].position, truth[i].position)));
    return worst;
}

static void measure(const char *name, double (*error_of)(tr_method, double, uint32_t), tr_method method,
                    double error[RATES])
{
    print_message("%s, %s, mm:", name, tr_method_name(method));
    for (int i = 0; i < RATE_COUNT; i++) {
        error[i] = error_of(method, rates[i].hz, rates[i].substeps);
        print_message(" %.2g", 1e3 * error[i]);
    }
    print_message("\n");
}

/* Of first order, as in the plane. A spin is rounded more than what falls, by 2e-6 rad/s: that is the end of the gyroscope. */
static void sweeps_lose_nothing_by_short_steps(void **state)
{
    (void)state;
    for (tr_method method = TR_SOFT_STEP; method < TR_METHOD_COUNT; method++) {
        double e[RATES];
        if (method == TR_DIRECT)
            continue;
        for (int hinges = 0; hinges < 2; hinges++) {
            measure(hinges ? "hinges" : "gyroscope", hinges ? hinges_error : gyroscope_error, method, e);
            assert_true(e[AT_960] < e[AT_240] && e[AT_3840] < e[AT_960]);
            for (int k = AT_15360; k < RATE_COUNT; k++)
                assert_true(e[k] < fmax(0.5 * e[k - 1], 1e-4));
        }
    }
}

static void the_direct_method_gains_to_the_end(void **state)
{
    (void)state;
    double e[RATES];
    for (int hinges = 0; hinges < 2; hinges++) {
        measure(hinges ? "hinges" : "gyroscope", hinges ? hinges_error : gyroscope_error, TR_DIRECT, e);
        assert_true(e[AT_960] < e[AT_240] / 10.0 && e[AT_3840] < e[AT_960] / 10.0);
        for (int k = AT_15360; k < RATE_COUNT; k++)
            assert_true(e[k] < fmax(0.1 * e[k - 1], 3e-7));
    }
}

/* As in the plane: 1 and 64 bodies, one with half of gravity, one damped; what is left of first order is h g t/2. */
static void falls_lose_nothing_by_short_steps(void **state)
{
    (void)state;
    enum { MANY = 64 };
    const double g = -(double)down.z, h = 1.0 / 61440.0, t = TRIALS(50) / 10;
    for (uint32_t count = 1; count <= MANY; count += MANY - 1) {
        tr3_world *world = world_by(TR_SOFT_STEP);
        tr3_body body[MANY];
        tr3_transform at[MANY];
        for (uint32_t i = 0; i < count; i++)
            body[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){2.0 * i, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        if (count > 1) {
            SPACE_OK(tr3_body_set_gravity_scale(world, body[1], 0.5f));
            SPACE_OK(tr3_body_set_damping(world, body[2], 0.125f, 0.0f));
        }
        for (int i = 0; i < (int)t * 60; i++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 1024));
        SPACE_OK(tr3_world_get_transforms(world, body, count, at));
        for (uint32_t i = 0; i < count; i++) {
            const double way = 0.5 * (i == 1 ? 0.5 * g : g) * t * (t + h);
            const double damped = g / 0.125 * (t - (1.0 - exp(-0.125 * t)) / 0.125);
            const double off = at[i].position.z + (i == 2 ? damped : way);
            if (fabs(off) > (i == 2 ? 4e-4 : 5e-5))
                fail_msg("body %u of %u: off by %g m", (unsigned)i, (unsigned)count, off);
        }
        tr3_world_destroy(world);
    }
}

/* The same bits with one thread and three, by all instruction sets, and from a snapshot on. */
static void bits_of_short_steps_are_the_same(void **state)
{
    (void)state;
    static unsigned char snapshot[1 << 22];
    const tr_isa set = tr_get_isa();
    uint64_t hash = 0;
    for (int isa = -2; isa < TR_ISA_COUNT; isa++) {
        if (isa >= 0 && !tr_isa_available((tr_isa)isa))
            continue;
        SPACE_OK(tr_set_isa(isa >= 0 ? (tr_isa)isa : set));
        tr3_world *world = space_world(TR_SOFT_STEP, down, isa == -1 ? 3 : 1);
        uint64_t seed = 3;
        tr3_body ground = ground_of(world);
        for (int k = 0; k < 90; k++) {
            tr3_body last = ground;
            for (int i = 0; i < (k % 2 == 0 ? 6 : 1); i++) {
                const float mass = 2.0f + space_random(&seed), moment = mass * (2.0f + space_random(&seed));
                tr3_body body = space_body(world, TR_DYNAMIC, (tr_dvec3){10.0 * k + i + 0.5, 0.0, 0.0}, mass,
                                           (tr_vec3){moment, 1.1f * moment, (k % 3 == 0 ? 1.1f : 1.3f) * moment});
                if (k % 2 == 0) {
                    tr3_joint_def def = space_between(world, TR3_JOINT_BALL, last, body,
                                                      (tr_dvec3){10.0 * k + i, 0.0, 0.0}, (tr_vec3){1.0f, 0.0f, 0.0f});
                    (void)space_joint(world, &def);
                }
                SPACE_OK(tr3_body_set_velocity(world, body, (tr_vec3){0.0f, 0.0f, 0.0f},
                                               (tr_vec3){space_random(&seed), 3.0f, space_random(&seed)}));
                if (k % 5 == 0)
                    SPACE_OK(tr3_body_set_damping(world, body, 0.1f, 0.2f));
                last = body;
            }
        }
        for (int i = 0; i < 6; i++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 64));
        if (isa >= 0) {
            size_t size;
            SPACE_OK(tr3_world_save(world, snapshot, sizeof snapshot, &size));
            tr3_world_destroy(world);
            world = space_world(TR_SOFT_STEP, down, 1);
            SPACE_OK(tr3_world_restore(world, snapshot, size));
        }
        for (int i = 0; i < 8; i++)
            SPACE_OK(tr3_world_step(world, i < 4 ? 1.0 / 4000.0 : 1.0 / 60.0, i < 4 ? 1 : i < 6 ? 4 : 64));
        const uint64_t is = tr3_world_state_hash(world);
        hash = isa == -2 ? is : hash;
        assert_true(is == hash);
        tr3_world_destroy(world);
    }
    SPACE_OK(tr_set_isa(set));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_lose_nothing_by_short_steps),
        cmocka_unit_test(the_direct_method_gains_to_the_end),
        cmocka_unit_test(falls_lose_nothing_by_short_steps),
        cmocka_unit_test(bits_of_short_steps_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
