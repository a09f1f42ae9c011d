/* How high balls bounce from a plane: with every method, and if the step's length changes. */
#include "contacts.h"

#define DT (1.0 / 60.0)

/* a world with a ball at rest 1 m above a plane */
typedef struct drop {
    tr2_world *world;
    plane floor;
    tr2_body ball;
    double e;
} drop;

static drop drop_of(tr_method method, double e)
{
    drop d = {.world = world_of(G, 60.0f), .e = e};
    MUST(tr2_world_set_method(d.world, method, 0));
    d.floor = plane_at(d.world, 0.0);
    d.ball = disc_at(d.world, 0.0, 1.2, 0.2, 2.0);
    return d;
}

/* the ball after a step of dt seconds; its height above where it touches, m */
static tr2_body_def drop_step(drop *d, double dt, uint32_t substeps, double *height)
{
    tr2_contact_def def = disc_on_plane(d->world, &d->floor, d->ball, 0.2);
    def.restitution = (float)d->e;
    MUST(tr2_world_set_contacts(d->world, &def, 1));
    steps(d->world, dt, substeps, 1);
    tr2_body_def now = body_now(d->world, d->ball);
    *height = now.position.y - 0.2;
    return now;
}

/* m: contacts are soft, and without a relaxing pass what hits in the last sub-step but one sinks in: 8 % of v h seen */
#define SUNK 4e-4

/* A ball that falls from 1 m comes back to e^2 m, if all steps are equally long. What is seen of its height at the ends
   of steps is less than the highest, by g dt^2 / 8 at most. It starts half a sub-step ahead: not more than that is
   won. */
static void bounce_from_a_metre(tr_method method, double e, uint32_t hertz, uint32_t substeps)
{
    double highest = 0.0, dt = 1.0 / hertz, height;
    drop d = drop_of(method, e);
    bool bounced = false;
    for (uint32_t i = 0; i < hertz + hertz / 2; i++) {
        bool up = drop_step(&d, dt, substeps, &height).velocity.y > 0.0f;
        if ((bounced || up) && height > highest)
            highest = height;
        if (bounced && !up)
            break;
        bounced = bounced || up;
    }
    NEAR("height over e^2", highest / (e * e), 1.0, (SUNK + G * dt * dt / 8.0) / (e * e));
    tr2_world_destroy(d.world);
}

static void a_ball_bounces_to_the_square_of_its_restitution(void **state)
{
    (void)state;
    static const double restitutions[] = {0.3, 0.5, 0.8, 1.0};
    static const uint32_t rates[] = {30, 60, 120, 480};
    for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
        for (uint32_t i = 0; i < 4 * 4 * 4; i++)
            bounce_from_a_metre((tr_method)method, restitutions[i % 4], rates[i / 4 % 4], 1u << (i / 16));
    }
}

/* The height to which an elastic ball's energy suffices after a minute of steps that are longer or shorter at random,
   by `spread` of them at most. Between steps it is on the parabola of a ball that is ahead by half a sub-step of
   gravity. */
static double height_after_a_minute(double spread, uint32_t substeps, uint64_t seed)
{
    drop d = drop_of(TR_SOFT_STEP, 1.0);
    double energy = 0.0;
    for (double time = 0.0; time < 60.0;) {
        double dt = DT * random_between(&seed, 1.0 - spread, 1.0 + spread), height;
        double up = (double)drop_step(&d, dt, substeps, &height).velocity.y - 0.5 * G * dt / substeps;
        energy = height + up * up / (2.0 * G);
        time += dt;
    }
    tr2_world_destroy(d.world);
    return energy;
}

/*
 * With steps of one length, an elastic ball keeps its height. If they change, a sub-step that is longer by d where the
 * ball strikes with v gives it d g v of energy per mass: 2 d g/v of its height. Random lengths add up to a random walk;
 * a ball that falls 1 m strikes 66 times in a minute, at 4.43 m/s. Allowed are five standard deviations: 4 % at 4
 * sub-steps and lengths of +-10 %.
 */
static void an_elastic_ball_wanders_with_the_length_of_steps(void **state)
{
    (void)state;
    for (uint32_t substeps = 1; substeps <= 4; substeps *= 4) {
        NEAR("height, equal steps", height_after_a_minute(0.0, substeps, 1), 1.0, 0.003);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            double deviation = 0.1 * DT / substeps / sqrt(3.0), walk = sqrt(66.0) * 2.0 * deviation * G / 4.43;
            NEAR("height, random steps", height_after_a_minute(0.1, substeps, seed), 1.0, 5.0 * walk);
        }
    }
}

/* a flat hit of a ceiling in one step: a box of 1 m with this speed, `gap` below it */
static bool hits_ceiling(uint32_t points, uint32_t substeps, double gravity, double speed, double gap, double e)
{
    tr2_world *world = world_of(gravity, 60.0f);
    tr2_body ceiling = static_at(world, 0.0, 0.5), box = body_at(world, 0.0, 0.0, 0.0, 1.0, 1.0 / 6.0);
    MUST(tr2_body_set_velocity(world, box, (tr_vec2){0.0f, (float)speed}, 0.0f));
    tr2_contact_def def = contact_between(ceiling, box, (tr_dvec2){0.0, -1.0}, 0);
    def.point_count = points;
    for (uint32_t i = 0; i < points; i++) {
        def.point[i] = (tr_dvec2){points == 1 ? 0.0 : (double)i - 0.5, 0.5};
        def.separation[i] = (float)gap;
    }
    def.restitution = (float)e;
    MUST(tr2_world_set_contacts(world, &def, 1));
    steps(world, DT, substeps, 1);
    double up = (double)body_now(world, box).velocity.y;
    bool hit = impulse_of(world, 0).total[0] > 0.0f;
    if (hit && up > 1e-5 * speed)
        fail_msg("%u points, %u sub-steps, g %g, %g m/s, gap %g, e %g: goes on with %g m/s", points, substeps, gravity,
                 speed, gap, e, up);
    tr2_world_destroy(world);
    return hit;
}

/* Restitution near 0 stops a body at a ceiling, however strong gravity is that pulls it away: 1e-5: some roundings */
static void what_hits_a_ceiling_does_not_go_on_into_it(void **state)
{
    (void)state;
    static const double gravities[] = {G, 3.0 * G, 10.0 * G}, restitutions[] = {0.001, 0.01, 0.05};
    uint32_t hits = 0, most = 2 * 3 * 3 * 3 * 3 * 4;
    for (uint32_t i = 0; i < most; i++)
        hits += hits_ceiling(1 + i % 2, 1u << (i / 2 % 3), gravities[i / 6 % 3], 1.5 + i / 18 % 3, 0.004 * (i / 162),
                             restitutions[i / 54 % 3]);
    assert_true(hits > most / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_the_square_of_its_restitution),
        cmocka_unit_test(an_elastic_ball_wanders_with_the_length_of_steps),
        cmocka_unit_test(what_hits_a_ceiling_does_not_go_on_into_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
