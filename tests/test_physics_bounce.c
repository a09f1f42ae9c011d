/* What falls flat on a wall leaves it with e of its speed and without a rotation, whatever the direction of gravity. */
#include "shape_fixture.h"
#include "weightless.h"

/* a body without friction that meets a wall of this direction flat, at 1.5 m/s or more */
typedef struct flight {
    double angle, speed, gap; /* of the wall's normal; m/s; m from the wall */
    float gravity, scale, restitution;
    bool capsule;
} flight;

static tr2_body launch(tr2_world *world, const flight *f)
{
    double c = cos(f->angle), s = sin(f->angle);
    tr2_shape_def wall =
        weightless(tr2_box_on(make_turned(world, TR_STATIC, -0.5 * c, -0.5 * s, f->angle), 0.5f, 20.0f));
    wall.surface.friction = 0.0f;
    wall.surface.restitution = f->restitution;
    add(world, wall);
    tr2_body body = make_turned(world, TR_DYNAMIC, (0.3 + f->gap) * c, (0.3 + f->gap) * s, f->angle);
    tr2_shape_def shape = tr2_box_on(body, 0.3f, 0.3f);
    if (f->capsule)
        shape = tr2_capsule_on(body, (tr_vec2){0.0f, -0.2f}, (tr_vec2){0.0f, 0.2f}, 0.3f);
    shape.surface = wall.surface;
    shape.density = 1.0f;
    add(world, shape);
    assert_ok(world, tr2_body_set_gravity_scale(world, body, f->scale));
    assert_ok(world,
              tr2_body_set_velocity(world, body, (tr_vec2){(float)(-f->speed * c), (float)(-f->speed * s)}, 0.0f));
    return body;
}

/* m/s, the velocity that gravity adds to a body in half a sub-step. A body is on the parabola of one that is ahead of
   its velocity by so much, because a sub-step adds gravity before it moves it. */
static double lead(const flight *f)
{
    return (double)(f->gravity * f->scale) * sin(f->angle) / 480.0;
}

/* m/s along the wall's normal, as if it left from the wall, which gravity changes by the height that it has gained */
static double speed_from_wall(tr2_world *world, tr2_body body, const flight *f, tr2_body_def *now)
{
    double c = cos(f->angle), s = sin(f->angle), fall = (double)(f->gravity * f->scale) * s;
    assert_ok(world, tr2_body_get(world, body, now));
    double along = (double)now->velocity.x * c + (double)now->velocity.y * s - lead(f);
    double height = now->position.x * c + now->position.y * s - 0.3;
    double square = along * fabs(along) + 2.0 * fall * height;
    return square > 0.0 ? sqrt(square) : -sqrt(-square);
}

/* m: contacts are soft, and sink by gravity / omega^2, 0.12 mm at 45 Hz */
#define SUNK 1.2e-4

/* e u, u what gravity makes of the speed on the way: Newton's law. Gravity along a wall plays no part. The tolerance is
   what gravity adds over the depth to which a contact sinks, and some roundings of each way. */
static void a_flat_impact_leaves_with_its_restitution(void **state)
{
    (void)state;
    for (int i = 0; i < 8 * 5 * 4 * 2 * 3; i++) {
        static const float scales[5] = {0.0f, 1.0f, 2.0f, -1.0f, -2.0f};
        static const double gaps[3] = {0.31, 0.3173, 0.322};
        static const float restitutions[4] = {1.0f, 0.5f, 1.5f, TR2_RESTITUTION_MAX};
        flight f = {.angle = i % 8 * (2.0 * 3.14159265358979 / 8.0), .gravity = 9.81f, .scale = scales[i / 8 % 5]};
        f.restitution = restitutions[i / 40 % 4];
        f.capsule = i / 160 % 2 == 0;
        f.gap = gaps[i / 320];
        f.speed = i % 3 == 0 ? 20.0 : 4.0;
        tr2_world *world = NULL;
        tr2_world_def def = tr2_world_def_default();
        def.gravity = (tr_vec2){0.0f, -f.gravity};
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        tr2_body body = launch(world, &f);
        double begin = f.speed + lead(&f), v = 0.0;
        double u = sqrt(begin * begin + 2.0 * (double)(f.gravity * f.scale) * sin(f.angle) * f.gap);
        tr2_body_def now = tr2_body_def_default();
        for (int step = 0; step < 30 && v <= 0.0; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            double along = speed_from_wall(world, body, &f, &now);
            v = (double)now.velocity.x * cos(f.angle) + (double)now.velocity.y * sin(f.angle) > 0.0 ? along : 0.0;
        }
        double e = (double)f.restitution, want = e * u;
        double tolerance = (double)(f.gravity * fabsf(f.scale)) * SUNK / want + 1e-5 * want;
        if (fabs(v - want) > tolerance || 0.3 * fabs((double)now.angular_velocity) > 0.02 * u)
            fail_msg("%s, wall at %g, gravity scale %g, e %g, %g m/s: leaves at %g m/s, should be %g; turns at %g",
                     f.capsule ? "capsule" : "box", f.angle, (double)f.scale, e, u, v, want,
                     (double)now.angular_velocity);
        tr2_world_destroy(world);
    }
}

/* an elastic box between two walls keeps its energy for 20 s, some 60 impacts */
static void a_box_between_walls_keeps_its_energy(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    flight left = {.gap = 0.5, .speed = 4.0, .gravity = 9.81f, .restitution = 1.0f};
    tr2_body body = launch(world, &left);
    tr2_shape_def wall = weightless(tr2_box_on(make_turned(world, TR_STATIC, 2.1, 0.0, 0.0), 0.5f, 20.0f));
    wall.surface = (tr2_surface){.restitution = 1.0f};
    add(world, wall);
    double begin = tr2_world_measure(world).kinetic_energy;
    for (int step = 0; step < 20 * 60; step++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        double now = tr2_world_measure(world).kinetic_energy;
        if (fabs(now - begin) > 0.01 * begin)
            fail_msg("step %d: %g J of %g", step, now, begin);
    }
    tr2_body_def now;
    assert_ok(world, tr2_body_get(world, body, &now));
    assert_true(fabs((double)now.angular_velocity) < 0.05);
    tr2_world_destroy(world);
}

/* Between bumpers a disc gets faster with every impact, until it is quarantined; it does not leave them, and the other
   body does not notice. */
static void what_gains_speed_for_ever_is_quarantined(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, 0.0f};
    tr2_world *world = NULL;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    for (int side = -1; side <= 1; side += 2) {
        tr2_shape_def bumper = weightless(tr2_box_on(make(world, TR_STATIC, 1.5 * side, 0.0), 0.5f, 5.0f));
        bumper.surface.restitution = 2.0f;
        add(world, bumper);
    }
    tr2_body disc = make(world, TR_DYNAMIC, 0.0, 0.0), other = make(world, TR_DYNAMIC, 0.0, 3.0);
    add(world, weightless(tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, 0.2f)));
    add(world, weightless(tr2_circle_on(other, (tr_vec2){0.0f, 0.0f}, 0.2f)));
    assert_ok(world, tr2_body_set_velocity(world, disc, (tr_vec2){2.0f, 0.0f}, 0.0f));
    tr2_body_def now;
    for (int step = 0; step < 60 * 60; step++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_ok(world, tr2_body_get(world, disc, &now));
        assert_true(fabs(now.position.x) < 1.0 && fabs(now.position.y) < 1e-3);
        assert_ok(world, tr2_body_get(world, other, &now));
        assert_true(now.position.y == 3.0 && now.velocity.x == 0.0f);
    }
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 1);
    tr2_world_destroy(world);
}

/* A box that rests stays at rest with any restitution and no threshold. It sinks at 0.8 mm/s at most, and trembles by
   much less than the speed that gravity adds in half a sub-step, 20 mm/s. */
static void what_rests_does_not_begin_to_bounce(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * 2; i++) {
        static const float restitutions[3] = {0.1f, 0.5f, 1.0f}, thresholds[2] = {0.0f, 1e-6f};
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world = NULL;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        tr2_contact_settings settings = tr2_world_contact_settings(world);
        settings.bounce_speed = thresholds[i / 3];
        assert_ok(world, tr2_world_set_contact_settings(world, &settings));
        tr2_shape_def ground = weightless(tr2_box_on(make(world, TR_STATIC, 0.0, -0.5), 20.0f, 0.5f));
        ground.surface.restitution = restitutions[i % 3];
        add(world, ground);
        tr2_body body = make(world, TR_DYNAMIC, 0.0, 0.5);
        tr2_shape_def box = tr2_box_on(body, 0.5f, 0.5f);
        box.surface.restitution = restitutions[i % 3];
        box.density = 1.0f;
        add(world, box);
        for (int step = 0; step < 10 * 60; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            tr2_body_def now;
            assert_ok(world, tr2_body_get(world, body, &now));
            double speed = hypot((double)now.velocity.x, (double)now.velocity.y);
            if (speed > 2e-3 || now.position.y > 0.5)
                fail_msg("threshold %g, e %g, step %d: %g m/s at %g m", (double)settings.bounce_speed,
                         (double)restitutions[i % 3], step, speed, now.position.y);
        }
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_impact_leaves_with_its_restitution),
        cmocka_unit_test(a_box_between_walls_keeps_its_energy),
        cmocka_unit_test(what_rests_does_not_begin_to_bounce),
        cmocka_unit_test(what_gains_speed_for_ever_is_quarantined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
