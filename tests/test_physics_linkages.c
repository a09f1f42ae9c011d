/*
 * Linkages whose motion is known in closed form: the four-bar linkages of the IFToMM benchmark A02, the slider and
 * crank.
 */
#include "physics.h"

/*
 * A02 with N windows: N + 1 upright cranks on the ground, N couplers across their tops, uniform rods of 1 m and 1 kg;
 * more joints than it needs, and folded flat twice in a turn. The tops begin with 1 m/s. Closed form: one degree of
 * freedom, angle'' = a sin(angle).
 */
#define SECONDS 10

/* the top of the first crank of two windows, after each second */
static const double four_bar_truth[SECONDS][2] = {
    {-0.19502030194943509, -0.98079920566217383},  {0.057815795768011432, 0.99832726786345548},
    {-0.54933973930166855, -0.83559909695019108},  {0.11761610237680861, 0.9930591384513251},
    {-0.81131046100510741, -0.58461554534897555},  {0.1813811262234082, 0.98341287720363316},
    {-0.95827075489251511, -0.2858621351591169},   {0.25105591462830129, 0.96797258624929409},
    {-0.99996227254847904, 0.0086863962424772364}, {0.32845811154081538, 0.94451853817860096},
};

/* the first crank */
static tr2_body make_windows(tr2_world *world, int windows)
{
    tr2_body ground = static_at(world, 0, 0), first = ground, before = ground;
    for (int i = 0; i <= windows; i++) {
        tr2_body crank = body_at(world, i, 0.5, 0.0, 1.0, 1.0 / 12.0);
        MUST(tr2_body_set_velocity(world, crank, (tr_vec2){0.5f, 0}, -1.0f));
        (void)revolute(world, ground, crank, (tr_vec2){(float)i, 0}, (tr_vec2){0, -0.5f});
        if (i > 0) {
            tr2_body coupler = body_at(world, i - 0.5, 1.0, 0.0, 1.0, 1.0 / 12.0);
            MUST(tr2_body_set_velocity(world, coupler, (tr_vec2){1.0f, 0}, 0.0f));
            (void)revolute(world, before, coupler, (tr_vec2){0, 0.5f}, (tr_vec2){-0.5f, 0});
            (void)revolute(world, coupler, crank, (tr_vec2){0.5f, 0}, (tr_vec2){0, 0.5f});
        }
        first = i == 0 ? crank : first;
        before = crank;
    }
    return first;
}

static double error_of_top(const tr2_world *world, tr2_body crank, double x, double y)
{
    tr2_body_def b = body_now(world, crank);
    return hypot(b.position.x - 0.5 * sin(b.angle) - x, b.position.y + 0.5 * cos(b.angle) - y);
}

/* the largest errors of the top over the first two seconds and over all ten, and of the energy over all ten */
typedef struct four_bar_errors {
    double early, late, energy;
} four_bar_errors;

static four_bar_errors run_four_bar(uint32_t substeps)
{
    tr2_world *world = world_of(G, 1e4f);
    tr2_body crank = make_windows(world, 2);
    four_bar_errors e = {0.0, 0.0, 0.0};
    double energy = energy_of(world);
    for (int i = 1; i <= 100 * SECONDS; i++) {
        steps(world, 0.01, substeps, 1);
        e.energy = fmax(e.energy, fabs(energy_of(world) - energy));
        if (i % 100 != 0)
            continue;
        double error = error_of_top(world, crank, four_bar_truth[i / 100 - 1][0], four_bar_truth[i / 100 - 1][1]);
        e.late = fmax(e.late, error);
        e.early = i <= 200 ? fmax(e.early, error) : e.early;
    }
    tr2_world_destroy(world);
    return e;
}

/*
 * Each passage near the upper rest, where the motion is unstable with an exponent of 3.4 1/s, multiplies what error
 * there is by tens, and what is of second order in it dies out late: of first order from 1/1600 s on (2 s) and from
 * 1/800 s on (10 s, to a quarter), until float's rounding comes in at 1/6400 s. Rounding moves the place at
 * 2 s by some 0.04 mm (of 0.38 mm at 1/1600 s and 0.09 at 1/6400 s), so that only both halvings together are compared,
 * to a tenth. The benchmark asks for the energy, 0.1 J in 10 s: so much is left at 1/1600 s.
 */
static void a_four_bar_linkage_converges_to_its_closed_form(void **state)
{
    (void)state;
    four_bar_errors e[4]; /* 1/800 to 1/6400 s */
    for (uint32_t i = 0; i < 4; i++)
        e[i] = run_four_bar(8u << i);
    NEAR("2 s: 1/6400 s over 1/1600 s", e[3].early / e[1].early, 0.25, 0.1);
    NEAR("10 s: 1/1600 s over 1/800 s", e[1].late / e[0].late, 0.5, 0.125);
    NEAR("10 s: 1/3200 s over 1/1600 s", e[2].late / e[1].late, 0.5, 0.125);
    for (uint32_t i = 1; i < 4; i++)
        NEAR("energy over that at twice the step", e[i].energy / e[i - 1].energy, 0.5, 0.06);
    NEAR("energy at 1/1600 s", e[1].energy, 0.0, 0.1);
    NEAR("place at 2 s, 1/6400 s", e[3].early, 0.0, 0.95e-4 + 0.4e-4);
    NEAR("place at 10 s, 1/3200 s", e[2].late, 0.0, 2.5e-2);
}

/* 81 links, ten revolutions in 20 s; a hinge 40 joints from the first is heard only after many sweeps, so the step
   alone does not say the error: measured 1.8e-2 m at 1/1600 s and 1.2e-2 m at 1/3200 s */
static void forty_windows_turn_as_one(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 1e4f);
    tr2_body crank = make_windows(world, 40);
    steps(world, 0.01, 16, 2000);
    NEAR("place after 20 s", error_of_top(world, crank, 0.41090115376294522, 0.91167990097198065), 0.0, 3e-2);
    tr2_world_destroy(world);
}

/*
 * Slider and crank: crank of 0.2 m at 10 rad/s, rod of 0.5 m, slider on the x axis through the crank's hinge:
 * x = r cos a + q, q = sqrt(L^2 - r^2 sin^2 a); the rod at asin(-r sin a / L), turning at -r w cos a / q. The joints
 * hold to 1e-5 m here, rates to what a sub-step of 1/1920 s brings at 28 m/s^2 and 40 rad/s^2; the crank's angle is
 * that of the motor exactly, as its torque is ample.
 */
static void a_slider_follows_its_crank(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 1e4f);
    tr2_body ground = static_at(world, 0, 0), slider = body_at(world, 0.7, 0, 0, 1.0, 0.1);
    tr2_body crank = body_at(world, 0.1, 0, 0, 1.0, 0.01), rod = body_at(world, 0.45, 0, 0, 1.0, 0.02);
    MUST(tr2_body_set_velocity(world, crank, (tr_vec2){0.0f, 1.0f}, 10.0f));
    MUST(tr2_body_set_velocity(world, rod, (tr_vec2){0.0f, 1.0f}, -4.0f));
    tr2_joint_def motor = joint_between(TR2_JOINT_REVOLUTE, ground, crank, (tr_vec2){0, 0}, (tr_vec2){-0.1f, 0});
    motor.motor = (tr_motor){true, 10.0f, 1e5f};
    tr2_joint drive = join(world, motor);
    (void)revolute(world, crank, rod, (tr_vec2){0.1f, 0}, (tr_vec2){-0.25f, 0});
    (void)revolute(world, rod, slider, (tr_vec2){0.25f, 0}, (tr_vec2){0, 0});
    tr2_joint guide = join(world, joint_between(TR2_JOINT_PRISMATIC, ground, slider, (tr_vec2){0, 0}, (tr_vec2){0, 0}));
    double least = 1.0, most = 0.0;
    for (int i = 1; i <= 240; i++) {
        steps(world, 1.0 / 240.0, 8, 1);
        double a = (double)coordinate_of(world, drive).value, x = (double)coordinate_of(world, guide).value;
        NEAR("crank's angle", a, 10.0 * i / 240.0, 0.01);
        double across = 0.2 * sin(a), along = 0.2 * cos(a), q = sqrt(0.25 - across * across);
        NEAR("slider", x, along + q, 1e-4);
        NEAR("slider's speed", (double)coordinate_of(world, guide).rate, -10.0 * across * (1.0 + along / q), 1.5e-2);
        NEAR("rod", body_now(world, rod).angle, asin(-across / 0.5), 1e-4);
        NEAR("rod's rate", (double)body_now(world, rod).angular_velocity, -10.0 * along / q, 2e-2);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    /* from one dead point to the other */
    NEAR("inner dead point", least, 0.3, 1e-3);
    NEAR("outer dead point", most, 0.7, 1e-3);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_linkage_converges_to_its_closed_form),
        cmocka_unit_test(forty_windows_turn_as_one),
        cmocka_unit_test(a_slider_follows_its_crank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
