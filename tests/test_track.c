/* Free parts of motions: the centre of a shape that begins deep in a wall stays before it, however the wall turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"
#include "world/queries/track.h"

#define MOTIONS 10000
#define SAMPLES 200

typedef enum walls { SEGMENT, CHAIN, CAPSULE, PLATE, WALLS } walls;

/* what is above it, in its frame, is before it */
static tr2_geometry make_wall(walls kind)
{
    const tr_vec2 from = {20.0f, 0.0f}, to = {-20.0f, 0.0f};
    tr2_geometry out;
    tr_status status = TR_OK;
    if (kind == SEGMENT)
        status = tr2_geometry_segment(1.0f, from, to, &out);
    else if (kind == CHAIN)
        status = tr2_geometry_chain(1.0f, NULL, from, to, NULL, &out);
    else if (kind == CAPSULE)
        status = tr2_geometry_capsule(1.0f, (tr_vec2){from.x, -0.005f}, (tr_vec2){to.x, -0.005f}, 0.005f, &out);
    else
        status = tr2_geometry_box(1.0f, 20.0f, 0.005f, (tr_vec2){0.0f, -0.005f}, 1.0f, 0.0f, 0.0f, &out);
    assert_int_equal(status, TR_OK);
    return out;
}

/* at a fraction of both motions: how far a body's centre is before the wall */
static double height_at(const tr2_track *wall, const tr2_track *track, double part)
{
    double angle = wall->angle + part * (double)wall->motion.turn;
    double x =
        (double)track->start.x - (double)wall->start.x + part * ((double)track->motion.x - (double)wall->motion.x);
    double y =
        (double)track->start.y - (double)wall->start.y + part * ((double)track->motion.y - (double)wall->motion.y);
    return cos(angle) * y - sin(angle) * x;
}

static tr_vec2 world_point(const tr2_track *wall, double part, float x, float y)
{
    double angle = wall->angle + part * (double)wall->motion.turn, c = cos(angle), s = sin(angle);
    return (tr_vec2){wall->start.x + (float)part * wall->motion.x + (float)(c * (double)x - s * (double)y),
                     wall->start.y + (float)part * wall->motion.y + (float)(s * (double)x + c * (double)y)};
}

/* what has happened in some motions */
typedef struct tally {
    uint32_t stopped, dips; /* of these, motions that would pass and come back */
} tally;

/* a disc along a wall, from a small height to another, or to behind it */
static void check_motion(generator *random, walls kind, float most_turn, tally *sum)
{
    tr2_geometry wall = make_wall(kind), disc;
    float radius = uniform(random, 0.02f, 0.3f), begins = uniform(random, 0.001f, 1.2f * radius);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, radius, &disc), TR_OK);
    tr2_track by = {.start = uniform_point(random, 1.0f), .angle = (double)uniform(random, -4.0f, 4.0f)};
    by.motion = (tr2_motion){uniform(random, -0.5f, 0.5f), uniform(random, -0.5f, 0.5f),
                             uniform(random, -most_turn, most_turn)};
    tr2_track track = {.start = world_point(&by, 0.0, uniform(random, -5.0f, 5.0f), begins)};
    tr_vec2 end = world_point(&by, 1.0, uniform(random, -5.0f, 5.0f), uniform(random, -0.05f, 0.05f));
    track.motion = (tr2_motion){end.x - track.start.x, end.y - track.start.y, 0.0f};

    double part = (double)tr2_free_part(&disc, &track, &wall, &by, 1.0f), first = height_at(&by, &track, 0.0),
           least = first;
    assert_true(part >= 0.0 && part <= 1.0);
    for (uint32_t i = 1; i <= SAMPLES; i++) {
        double now = height_at(&by, &track, part * (double)i / SAMPLES);
        /* m: what a path may bulge unseen, and rounding errors */
        if (now < -2.5e-5)
            fail_msg("wall %u, turns by %g: %g m behind it, begun %g m before it", kind, (double)by.motion.turn, -now,
                     first);
        least = fmin(least, height_at(&by, &track, (double)i / SAMPLES));
    }
    /* a straight path leaves 2 mm, or a fifth of the distance: at less, rounding errors would tell the side in the
       end */
    double last = height_at(&by, &track, part);
    if (most_turn == 0.0f && last < fmin(0.2 * first, 0.002) - 1e-5)
        fail_msg("wall %u: %g m before it, begun %g m", kind, last, first);
    sum->stopped += part < 1.0;
    sum->dips += part < 1.0 && least < -1e-3 && height_at(&by, &track, 1.0) > 0.0;
}

static void what_begins_deep_stays_before_walls_that_turn(void **state)
{
    (void)state;
    generator random = {51};
    for (uint32_t kind = 0; kind < WALLS; kind++) {
        tally straight = {0, 0}, bent = {0, 0};
        for (uint32_t k = 0; k < MOTIONS; k++) {
            check_motion(&random, (walls)kind, 0.0f, &straight);
            check_motion(&random, (walls)kind, 0.2f, &bent);
        }
        assert_in_range(straight.stopped, MOTIONS / 10, 9 * MOTIONS / 10);
        assert_in_range(bent.stopped, MOTIONS / 10, 9 * MOTIONS / 10);
        assert_true(bent.dips > MOTIONS / 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_begins_deep_stays_before_walls_that_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
