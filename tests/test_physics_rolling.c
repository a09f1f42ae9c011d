/* Boxes that rock on a round shape: they swing as a pendulum does, and come to rest. */
#include "physics.h"

#define SIDE  0.5 /* m, of a box, which is 0.3 m high */
#define HIGH  0.3
#define DT    (1.0 / 60.0)
#define BOXES 2u

typedef struct rocking {
    tr2_world *world;
    tr2_body boxes[BOXES];
    double radius;
    uint32_t count;
} rocking;

/* a stack of boxes on top of a disc that stands still; it turns about the place where it touches by `spin`, rad/s */
static rocking make_rocking(double radius, uint32_t count, double wide, double high, double spin, bool sleep)
{
    rocking it = {.radius = radius, .count = count};
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = sleep;
    def.threads = 1;
    MUST(tr2_world_create(&def, &it.world, NULL));
    tr2_body_def body = tr2_body_def_default();
    tr2_body drum;
    body.type = TR_STATIC;
    MUST(tr2_world_create_body(it.world, &body, &drum));
    tr2_shape_def round = tr2_circle_on(drum, (tr_vec2){0.0f, 0.0f}, (float)radius);
    MUST(tr2_world_create_shape(it.world, &round, NULL));
    body.type = TR_DYNAMIC;
    for (uint32_t i = 0; i < count; i++) {
        double up = high * (0.5 + i);
        body.position.y = radius + up;
        MUST(tr2_world_create_body(it.world, &body, &it.boxes[i]));
        tr2_shape_def box = tr2_box_on(it.boxes[i], (float)(0.5 * wide), (float)(0.5 * high));
        MUST(tr2_world_create_shape(it.world, &box, NULL));
        MUST(tr2_body_set_velocity(it.world, it.boxes[i], (tr_vec2){(float)(-spin * up), 0.0f}, (float)spin));
    }
    return it;
}

/* the largest angle of the lowest box in so many steps */
static double largest_angle(const rocking *it, uint32_t substeps, uint32_t count)
{
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        steps(it->world, DT, substeps, 1);
        most = fmax(most, fabs(body_now(it->world, it->boxes[0]).angle));
    }
    return most;
}

/* What turns by w on a disc of radius r is touched r w dt farther along after each step. Where contacts came that much too
   late, boxes rocked ever more: from 1 degree until they lay on their corners, or slid off. */
static void what_rocks_on_a_disc_comes_to_rest(void **state)
{
    (void)state;
    static const double radii[] = {0.4, 1.0, 2.0, 5.2, 10.0};
    static const uint32_t substeps[] = {1, 4, 8};
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++) {
        for (size_t s = 0; s < sizeof substeps / sizeof substeps[0]; s++) {
            /* a stack stands on a disc that is wide enough */
            for (uint32_t count = 1; count <= (radii[r] < 2.0 ? 1 : BOXES); count++) {
                rocking it = make_rocking(radii[r], count, SIDE, HIGH, 0.3, true);
                double first = largest_angle(&it, substeps[s], 60), then = largest_angle(&it, substeps[s], 600);
                if (then > first || tr2_world_statistics(it.world).sleeping_bodies != count)
                    fail_msg("radius %g, %u boxes, %u sub-steps: %.4f rad, then %.4f, and %u sleep", radii[r], count,
                             substeps[s], first, then, tr2_world_statistics(it.world).sleeping_bodies);
                tr2_world_destroy(it.world);
            }
        }
    }
}

/* A body whose centre is h above the contact swings with the frequency sqrt(g (r - h) / (k^2 + h^2)), k its radius of
   gyration; and what is slow goes on for many periods. */
static void a_plank_swings_as_it_should(void **state)
{
    (void)state;
    const double radius = 5.0, wide = 4.0, high = 0.2, h = 0.5 * high;
    const double gyration = (wide * wide + high * high) / 12.0;
    const double period = 2.0 * acos(-1.0) * sqrt((gyration + h * h) / (G * (radius - h)));
    rocking it = make_rocking(radius, 1, wide, high, 0.3, false);
    /* from one passage through the middle to the one after the next, several times */
    enum { PERIODS = 4 };
    double before = 0.0, first = -1.0, last = 0.0;
    uint32_t passages = 0;
    for (uint32_t i = 1; passages <= 2 * PERIODS && i < 600; i++) {
        steps(it.world, DT, 4, 1);
        double now = body_now(it.world, it.boxes[0]).angle;
        if (before * now < 0.0) {
            last = DT * (i - now / (now - before));
            first = passages == 0 ? last : first;
            passages++;
        }
        before = now;
    }
    assert_int_equal(passages, 2 * PERIODS + 1);
    NEAR("period", (last - first) / PERIODS, period, 0.02 * period);
    double amplitude = 0.3 * period / (2.0 * acos(-1.0));
    assert_in_range((uint32_t)(100.0 * largest_angle(&it, 4, 60) / amplitude), 50, 100);
    tr2_world_destroy(it.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rocks_on_a_disc_comes_to_rest),
        cmocka_unit_test(a_plank_swings_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
