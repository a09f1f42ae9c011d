/*
 * Error against step in the plane (docs/methods.md): machines whose motion is known, with sub-steps down to 1/100,000 s, as
 * many in a step and as short steps. No method has a greater error there than with longer ones. Sweeps compute in float;
 * shorter than 1 ms, sub-steps keep what floats leave of velocities (solver/core/low.c).
 */
#include "exact_world.h"

/* gravity as the world has it */
static const double g = (double)(float)G;

#define MOST_BODIES 5

/* Bodies' places and angles by a few coordinates, and these from their equation: y is coordinates, then rates. */
typedef struct machine {
    const char *name;
    uint32_t coordinates, bodies;
    double begin[4], seconds;
    void (*rates)(const double *y, double *out);
    void (*place)(const double *y, tr_dvec3 *out); /* x, y, angle */
    void (*join)(tr2_world *world, tr2_body ground, const tr2_body *bodies);
    double mass[MOST_BODIES], inertia[MOST_BODIES];
} machine;

static void step_of(const machine *m, double *y, double h)
{
    double k[4][4], at[4];
    const uint32_t n = 2 * m->coordinates;
    const double part[4] = {0.0, 0.5, 0.5, 1.0};
    for (uint32_t stage = 0; stage < 4; stage++) {
        for (uint32_t i = 0; i < n; i++)
            at[i] = y[i] + (stage > 0 ? part[stage] * h * k[stage - 1][i] : 0.0);
        for (uint32_t i = 0; i < m->coordinates; i++)
            k[stage][i] = at[m->coordinates + i];
        m->rates(at, &k[stage][m->coordinates]);
    }
    for (uint32_t i = 0; i < n; i++)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

/* a uniform rod of 1 m and 12 kg, let go at level */
static void pendulum_rates(const double *y, double *out)
{
    out[0] = -12.0 * g * 0.5 / 4.0 * sin(y[0]);
}

static void pendulum_place(const double *y, tr_dvec3 *out)
{
    out[0] = (tr_dvec3){0.5 * sin(y[0]), -0.5 * cos(y[0]), y[0]};
}

static void pendulum_join(tr2_world *world, tr2_body ground, const tr2_body *bodies)
{
    (void)revolute(world, ground, bodies[0], (tr_vec2){0, 0}, (tr_vec2){0, 0.5f});
}

/* two such rods, let go at 30 and 45 degrees from straight down */
static void double_rates(const double *y, double *out)
{
    const double c = 6.0 * cos(y[0] - y[1]), s = 6.0 * sin(y[0] - y[1]), first = 16.0, second = 4.0;
    const double a = -s * y[3] * y[3] - 18.0 * g * sin(y[0]), b = s * y[2] * y[2] - 6.0 * g * sin(y[1]);
    out[0] = (a * second - b * c) / (first * second - c * c);
    out[1] = (b * first - a * c) / (first * second - c * c);
}

static void double_place(const double *y, tr_dvec3 *out)
{
    pendulum_place(y, out);
    out[1] = (tr_dvec3){sin(y[0]) + 0.5 * sin(y[1]), -cos(y[0]) - 0.5 * cos(y[1]), y[1]};
}

static void double_join(tr2_world *world, tr2_body ground, const tr2_body *bodies)
{
    pendulum_join(world, ground, bodies);
    (void)revolute(world, bodies[0], bodies[1], (tr_vec2){0, -0.5f}, (tr_vec2){0, 0.5f});
}

/* Slider and crank, which nothing drives but gravity: a crank of 0.25 m, a rod of 0.75 m, a slider on the x axis, of 1 kg each.
   With x' and so on by the crank's angle a, the inertia is M(a) = sum of m x'^2 + I angle'^2. */
static double crank_inertia(double a)
{
    const double s = 0.25 * sin(a), c = 0.25 * cos(a), q = sqrt(0.5625 - s * s), x = -s - s * c / q;
    const double rod = -s - 0.5 * s * c / q;
    return 0.0078125 + 0.015625 + rod * rod + 0.25 * c * c + 0.0625 * c * c / (q * q) + x * x;
}

static void crank_rates(const double *y, double *out)
{
    const double e = 1e-3, a = y[0];
    const double slope = (8.0 * (crank_inertia(a + e) - crank_inertia(a - e)) - crank_inertia(a + 2.0 * e) +
                          crank_inertia(a - 2.0 * e)) /
                         (12.0 * e);
    out[0] = -(0.5 * slope * y[1] * y[1] + 0.25 * g * cos(a)) / crank_inertia(a);
}

static void crank_place(const double *y, tr_dvec3 *out)
{
    const double s = 0.25 * sin(y[0]), c = 0.25 * cos(y[0]), q = sqrt(0.5625 - s * s);
    out[0] = (tr_dvec3){0.5 * c, 0.5 * s, y[0]};
    out[1] = (tr_dvec3){c + 0.5 * q, 0.5 * s, -atan2(s, q)};
    out[2] = (tr_dvec3){c + q, 0.0, 0.0};
}

static void crank_join(tr2_world *world, tr2_body ground, const tr2_body *bodies)
{
    (void)revolute(world, ground, bodies[0], (tr_vec2){0, 0}, (tr_vec2){-0.125f, 0});
    (void)revolute(world, bodies[0], bodies[1], (tr_vec2){0.125f, 0}, (tr_vec2){-0.375f, 0});
    (void)revolute(world, bodies[1], bodies[2], (tr_vec2){0.375f, 0}, (tr_vec2){0, 0});
    (void)join(world, joint_between(TR2_JOINT_PRISMATIC, ground, bodies[2], (tr_vec2){0, 0}, (tr_vec2){0, 0}));
}

/* IFToMM A02 with two windows, of bars of 12 kg: it folds flat twice in a turn */
static void windows_rates(const double *y, double *out)
{
    out[0] = g * 42.0 / 36.0 * sin(y[0]);
}

static void windows_place(const double *y, tr_dvec3 *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = (tr_dvec3){i + 0.5 * sin(y[0]), 0.5 * cos(y[0]), -y[0]};
    for (int i = 0; i < 2; i++)
        out[3 + i] = (tr_dvec3){i + 0.5 + sin(y[0]), cos(y[0]), 0.0};
}

static void windows_join(tr2_world *world, tr2_body ground, const tr2_body *bodies)
{
    for (int i = 0; i < 3; i++)
        (void)revolute(world, ground, bodies[i], (tr_vec2){(float)i, 0}, (tr_vec2){0, -0.5f});
    for (int i = 0; i < 4; i++) {
        const int window = i / 2, side = i % 2;
        (void)revolute(world, bodies[window + side], bodies[3 + window], (tr_vec2){0, 0.5f},
                       (tr_vec2){side == 0 ? -0.5f : 0.5f, 0});
    }
}

static const machine machines[] = {
    {"pendulum", 1, 1, {0.5 * PI}, 1.0, pendulum_rates, pendulum_place, pendulum_join, {12.0}, {1.0}},
    {"double pendulum",
     2,
     2,
     {PI / 6.0, PI / 4.0},
     1.0,
     double_rates,
     double_place,
     double_join,
     {12.0, 12.0},
     {1.0, 1.0}},
    {"slider crank",
     1,
     3,
     {0.0, 10.0},
     1.0,
     crank_rates,
     crank_place,
     crank_join,
     {1.0, 1.0, 1.0},
     {0.0078125, 0.0625, 1.0}},
    {"A02, 2 windows",
     1,
     5,
     {0.0, 1.0},
     2.0,
     windows_rates,
     windows_place,
     windows_join,
     {12.0, 12.0, 12.0, 12.0, 12.0},
     {1.0, 1.0, 1.0, 1.0, 1.0}},
};
enum { PENDULUM, DOUBLE_PENDULUM, SLIDER_CRANK, WINDOWS, MACHINE_COUNT };

static tr2_world *make(const machine *m, tr_method method, tr2_body *bodies)
{
    tr2_world *world = direct_world(1, (tr_allocator){0});
    MUST(tr2_world_set_method(world, method, 0));
    MUST(tr2_world_set_direct_load(world, INFINITY));
    tr2_body ground = static_at(world, 0.0, 0.0);
    tr_dvec3 at[MOST_BODIES], after[MOST_BODIES], before[MOST_BODIES];
    double ahead[4], behind[4];
    const double e = 1e-5;
    for (uint32_t i = 0; i < 4; i++)
        ahead[i] = behind[i] = m->begin[i];
    for (uint32_t i = 0; i < m->coordinates; i++) {
        ahead[i] += e * m->begin[m->coordinates + i];
        behind[i] -= e * m->begin[m->coordinates + i];
    }
    m->place(m->begin, at);
    m->place(ahead, after);
    m->place(behind, before);
    for (uint32_t i = 0; i < m->bodies; i++) {
        bodies[i] = body_at(world, at[i].x, at[i].y, at[i].z, m->mass[i], m->inertia[i]);
        const tr_vec2 v = {(float)((after[i].x - before[i].x) / (2.0 * e)),
                           (float)((after[i].y - before[i].y) / (2.0 * e))};
        MUST(tr2_body_set_velocity(world, bodies[i], v, (float)((after[i].z - before[i].z) / (2.0 * e))));
    }
    m->join(world, ground, bodies);
    return world;
}

/* the greatest distance of a body from where it should be, m, at any quarter of the time */
static double error_of_machine(const machine *m, tr_method method, double hz, uint32_t substeps)
{
    tr2_body bodies[MOST_BODIES];
    tr2_world *world = make(m, method, bodies);
    double y[4], worst = 0.0;
    memcpy(y, m->begin, sizeof y);
    for (int quarter = 0; quarter < 4; quarter++) {
        const double seconds = 0.25 * m->seconds, count = 1e4 * m->seconds;
        for (int i = 0; i < (int)count; i++)
            step_of(m, y, seconds / count);
        steps(world, 1.0 / hz, substeps, (uint32_t)(seconds * hz + 0.5));
        tr_dvec3 want[MOST_BODIES];
        m->place(y, want);
        for (uint32_t i = 0; i < m->bodies; i++) {
            const tr2_body_def is = body_now(world, bodies[i]);
            worst = fmax(worst, hypot(is.position.x - want[i].x, is.position.y - want[i].y));
        }
    }
    tr2_world_destroy(world);
    return worst;
}

/* sub-steps per second, as many sub-steps of a step as there may be; hundreds of thousands under a sanitizer show nothing that
   thousands do not */
static const struct {
    double hz;
    uint32_t substeps;
} rates[] = {{60.0, 4}, {60.0, 16}, {60.0, 64}, {60.0, 256}, {120.0, 853}};
enum { AT_240, AT_960, AT_3840, AT_15360, AT_102360, RATES };
#define RATE_COUNT (TRIALS(10) < 10 ? AT_3840 + 1 : RATES)

static void measure(const machine *m, tr_method method, double error[RATES])
{
    print_message("%s, %s, mm:", m->name, tr_method_name(method));
    for (uint32_t i = 0; i < RATE_COUNT; i++) {
        error[i] = error_of_machine(m, method, rates[i].hz, rates[i].substeps);
        print_message(" %.2g", 1e3 * error[i]);
    }
    print_message("\n");
}

/*
 * Sweeps are of first order, so from 3,840 sub-steps per second on to 102,360 errors should become 27 times as small. Floats
 * leave some; 8 times is asked for. (They were 4 times as great again as at 15,360 before, because each sub-step rounded
 * gravity.) A02 stands on its head for a moment, where what rounding there is grows by tens: its errors end at 1 mm.
 */
static void sweeps_lose_nothing_by_short_steps(void **state)
{
    (void)state;
    for (int i = 0; i < MACHINE_COUNT; i++) {
        for (tr_method method = TR_SOFT_STEP; method < TR_METHOD_COUNT; method++) {
            double e[RATES];
            if (method == TR_DIRECT)
                continue;
            measure(&machines[i], method, e);
            assert_true(e[AT_960] < e[AT_240] && e[AT_3840] < (method == TR_POSITION_BASED ? 1.0 : 0.5) * e[AT_960]);
            for (uint32_t k = AT_15360; k < RATE_COUNT && i != WINDOWS; k++)
                assert_true(e[k] < 0.5 * e[k - 1]);
            if (RATE_COUNT == RATES && i != WINDOWS)
                assert_true(e[AT_102360] < e[AT_3840] / 8.0);
            for (uint32_t k = AT_15360; k < RATE_COUNT && i == WINDOWS; k++)
                assert_true(e[k] < fmax(0.5 * e[k - 1], 1e-3));
        }
    }
}

/* The direct method is of second order to the end: what is left at 102,360 per second is below 1e-7 m. */
static void the_direct_method_gains_to_the_end(void **state)
{
    (void)state;
    for (int i = 0; i < MACHINE_COUNT; i++) {
        double e[RATES];
        measure(&machines[i], TR_DIRECT, e);
        assert_true(e[AT_240] < 0.02 && e[AT_3840] < e[AT_960] / 10.0);
        for (uint32_t k = AT_15360; k < RATE_COUNT; k++)
            assert_true(e[k] < fmax(0.1 * e[k - 1], 3e-7));
        /* as short steps */
        const double apart = RATE_COUNT == RATES ? error_of_machine(&machines[i], TR_DIRECT, 102360.0, 1) : 0.0;
        print_message("as steps of one: %.2g mm\n", 1e3 * apart);
        assert_true(apart < 1e-7);
    }
}

enum { MANY_BODIES = 64 };

/*
 * A body falls for 5 s, alone, with half of gravity, with a force, and with a damping: to 49 m/s, where a float has 4e-6 m/s left
 * and gravity adds 1.6e-4 in a sub-step. Exactly g t^2/2, and what the method is off by, h g t/2; the damped one follows v' = g
 * - c v to first order. They were off by 0.15 m.
 */
static void falls_lose_nothing_by_short_steps(void **state)
{
    (void)state;
    for (int many = 0; many < 2; many++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body[MANY_BODIES];
        const uint32_t count = many == 0 ? 1 : MANY_BODIES;
        for (uint32_t i = 0; i < count; i++)
            body[i] = body_at(world, 2.0 * i, 0.0, 0.0, 1.0, 1.0);
        const uint32_t seconds = TRIALS(50) / 10;
        for (uint32_t i = 0; i < seconds * 60; i++) {
            if (many == 1)
                MUST(tr2_body_apply_force(world, body[1], (tr_vec2){3.0f, 0.0f},
                                          (tr_dvec2){2.0, body_now(world, body[1]).position.y}));
            if (many == 1 && i == 0) {
                MUST(tr2_body_set_gravity_scale(world, body[2], 0.5f));
                MUST(tr2_body_set_damping(world, body[3], 0.125f, 0.0f));
            }
            steps(world, 1.0 / 60.0, 1024, 1);
        }
        const double t = seconds, h = 1.0 / 61440.0;
        for (uint32_t i = 0; i < count; i++) {
            const double pull = many == 1 && i == 2 ? 0.5 * g : g, way = 0.5 * pull * t * (t + h);
            const double damped = pull / 0.125 * (t - (1.0 - exp(-0.125 * t)) / 0.125);
            const double y = body_now(world, body[i]).position.y;
            NEAR("fall", y, many == 1 && i == 3 ? -damped : -way, many == 1 && i == 3 ? 4e-4 : 5e-5);
        }
        if (many == 1)
            NEAR("pushed", body_now(world, body[1]).position.x - 2.0, 0.5 * 3.0 * t * (t + h), 1e-4);
        tr2_world_destroy(world);
    }
}

/* chains and single bodies, some with dampings and forces, so that there is one of each way in which velocities gain */
static tr2_world *crowd(uint32_t threads, bool pushed)
{
    tr2_world *world = world_of(G, 60.0f);
    MUST(tr2_world_set_threads(world, threads));
    uint64_t seed = 5;
    tr2_body ground = static_at(world, 0.0, 0.0);
    for (int k = 0; k < 120; k++) {
        tr2_body last = ground;
        for (int i = 0; i < (k % 2 == 0 ? 8 : 1); i++) {
            tr2_body body = body_at(world, 20.0 * k + i + 0.5, 0.0, 0.0, random_between(&seed, 1.0, 3.0), 1.0);
            if (k % 2 == 0)
                (void)revolute(world, last, body, (tr_vec2){i == 0 ? 20.0f * (float)k : 0.5f, 0}, (tr_vec2){-0.5f, 0});
            if (pushed && k % 3 == 0)
                MUST(tr2_body_set_damping(world, body, 0.1f, 0.2f));
            last = body;
        }
    }
    return world;
}

/* The same bits with one thread and three, by all instruction sets, and from a snapshot on. */
static void bits_of_short_steps_are_the_same(void **state)
{
    (void)state;
    static unsigned char snapshot[1 << 22];
    const tr_isa set = tr_get_isa();
    for (int pushed = 0; pushed < 2; pushed++) {
        uint64_t hash = 0;
        for (int isa = -2; isa < TR_ISA_COUNT; isa++) {
            if (isa >= 0 && !tr_isa_available((tr_isa)isa))
                continue;
            MUST(tr_set_isa(isa >= 0 ? (tr_isa)isa : set));
            tr2_world *world = crowd(isa == -1 ? 3 : 1, pushed == 1);
            steps(world, 1.0 / 60.0, 64, 8);
            if (isa >= 0) {
                /* into another world, and on from there */
                size_t size;
                MUST(tr2_world_save(world, snapshot, sizeof snapshot, &size));
                tr2_world_destroy(world);
                world = world_of(0.0, 60.0f);
                MUST(tr2_world_restore(world, snapshot, size));
            }
            steps(world, 1.0 / 4000.0, 1, 8);
            steps(world, 1.0 / 60.0, 4, 2);
            steps(world, 1.0 / 60.0, 64, 2);
            const uint64_t is = tr2_world_state_hash(world);
            hash = isa == -2 ? is : hash;
            assert_true(is == hash);
            tr2_world_destroy(world);
        }
    }
    MUST(tr_set_isa(set));
}

/* What is left of a velocity is not kept by a longer step: after it a body falls as one that begins there. */
static void longer_steps_drop_what_is_left(void **state)
{
    (void)state;
    for (int long_steps = 0; long_steps < 2; long_steps++) {
        tr2_world *worlds[2];
        tr2_body body[2];
        worlds[0] = world_of(G, 60.0f);
        body[0] = body_at(worlds[0], 0.0, 0.0, 0.0, 1.0, 1.0);
        steps(worlds[0], 1.0 / 60.0, 1000, 7);
        steps(worlds[0], 1.0 / 60.0, 4, (uint32_t)long_steps);
        const tr2_body_def now = body_now(worlds[0], body[0]);
        worlds[1] = world_of(G, 60.0f);
        body[1] = body_at(worlds[1], now.position.x, now.position.y, 0.0, 1.0, 1.0);
        MUST(tr2_body_set_velocity(worlds[1], body[1], now.velocity, now.angular_velocity));
        steps(worlds[0], 1.0 / 60.0, 1000, 1);
        steps(worlds[1], 1.0 / 60.0, 1000, 1);
        const tr2_body_def a = body_now(worlds[0], body[0]), b = body_now(worlds[1], body[1]);
        assert_int_equal(a.velocity.y == b.velocity.y && a.position.y == b.position.y, long_steps == 1);
        tr2_world_destroy(worlds[0]);
        tr2_world_destroy(worlds[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_lose_nothing_by_short_steps), cmocka_unit_test(the_direct_method_gains_to_the_end),
        cmocka_unit_test(falls_lose_nothing_by_short_steps),  cmocka_unit_test(bits_of_short_steps_are_the_same),
        cmocka_unit_test(longer_steps_drop_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
