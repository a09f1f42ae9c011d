/*
 * Bodies: what moves them besides joints, and what joints may do to them: kinematic and fixed bodies, damping,
 * gravity's scale, scenes that begin wrong, hubs, numbers that overflow.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

/* a kinematic body goes exactly where its velocity takes it, whatever hangs on it, and takes that along */
static void kinematic_bodies_move_as_told(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body_def def = tr2_body_def_default();
    def.type = TR_KINEMATIC;
    def.velocity = (tr_vec2){0.5f, -0.25f};
    def.angular_velocity = 2.0f;
    tr2_body crane;
    MUST(tr2_world_create_body(world, &def, &crane));
    tr2_body load = body_at(world, 0.0, -1.0, 0, 1000.0, 10.0);
    tr2_joint hook = revolute(world, crane, load, origin, (tr_vec2){0.0f, 1.0f});
    for (int i = 1; i <= 240; i++) {
        MUST(tr2_body_apply_force_to_center(world, crane, (tr_vec2){1e6f, 1e6f}));
        steps(world, 1.0 / 64.0, 4, 1);
        tr2_body_def b = body_now(world, crane);
        /* h and the velocities are powers of two: no rounding at all, but of the centimetres moved in a step */
        NEAR("x", b.position.x, 0.5 * i / 64.0, 1e-9 * i);
        NEAR("y", b.position.y, -0.25 * i / 64.0, 1e-9 * i);
        NEAR("angle", b.angle, 2.0 * i / 64.0, 1e-8 * i);
        assert_true(b.velocity.x == 0.5f && b.velocity.y == -0.25f && b.angular_velocity == 2.0f);
    }
    /* the load is still on the hook, and weighs what it did, as the hook does not accelerate */
    assert_true(error_of(world, hook).linear < 1e-3f);
    NEAR("x of the load", body_now(world, load).position.x, 0.5 * 240 / 64.0, 0.2);
    NEAR("weight", (double)reaction_of(world, hook).force.y, 1000.0 * G, 400.0);
    tr2_world_destroy(world);
}

/* no torque turns a body of fixed rotation: forces beside its centre, joints, torques; it is as if of infinite
   inertia */
static void fixed_rotation_is_never_turned(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0.3, 1.0, 0.1), other = body_at(world, 1.0, 0.5, 0, 1.0, 0.1);
    MUST(tr2_body_set_fixed_rotation(world, body, true));
    (void)revolute(world, static_at(world, -0.5, 0), body, origin, local_point_of(world, body, -0.5, 0.0));
    (void)revolute(world, body, other, local_point_of(world, body, 0.5, 0.25), (tr_vec2){-0.5f, -0.25f});
    for (int i = 0; i < 120; i++) {
        MUST(tr2_body_apply_torque(world, body, 3.0f));
        MUST(tr2_body_apply_force(world, body, (tr_vec2){0.0f, 5.0f}, (tr_dvec2){1.0, 0.0}));
        steps(world, 1.0 / 60.0, 4, 1);
        assert_true(body_now(world, body).angle == 0.3 && body_now(world, body).angular_velocity == 0.0f);
    }
    /* it cannot swing, so it stays on its hinge where it was; the other swings from it */
    NEAR("x", body_now(world, body).position.x, 0.0, 1e-3);
    assert_true(fabs(body_now(world, other).angle) > 0.1);
    tr2_world_destroy(world);
}

/* v' = (v + h g s) / (1 + h d) in each sub-step: its closed form for the speed, in double */
static void damping_and_gravity_follow_their_law(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    const double h = 1.0 / 240.0, d = 0.8, spin_d = 1.7, scale = -0.5;
    tr2_body body = body_at(world, 0, 0, 0, 3.0, 1.0), plain = body_at(world, 5, 0, 0, 3.0, 1.0);
    MUST(tr2_body_set_velocity(world, body, (tr_vec2){4.0f, 1.0f}, 6.0f));
    MUST(tr2_body_set_damping(world, body, (float)d, (float)spin_d));
    MUST(tr2_body_set_gravity_scale(world, body, (float)scale));
    double x = 4.0, y = 1.0, w = 6.0;
    for (int i = 0; i < 240; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        for (int k = 0; k < 4; k++) {
            x /= 1.0 + h * d;
            y = (y - h * G * scale) / (1.0 + h * d);
            w /= 1.0 + h * spin_d;
        }
        tr2_body_def b = body_now(world, body);
        NEAR("vx", (double)b.velocity.x, x, 2e-5);
        NEAR("vy", (double)b.velocity.y, y, 2e-5);
        NEAR("w", (double)b.angular_velocity, w, 2e-5);
    }
    NEAR("an undamped body falls as it should", (double)body_now(world, plain).velocity.y, -G * 4.0, 1e-3);
    NEAR("and does not turn", (double)body_now(world, plain).angular_velocity, 0.0, 0.0);
    tr2_world_destroy(world);
}

/* a force beside the centre: a = F / m, and r x F / I about the centre of mass, which is not the origin here */
static void a_force_beside_the_centre_turns(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body_def def = tr2_body_def_default();
    def.mass = 2.0f;
    def.inertia = 0.5f;
    def.center = (tr_vec2){1.0f, 0.0f};
    def.angle = 0.5 * PI;
    tr2_body body;
    MUST(tr2_world_create_body(world, &def, &body));
    /* the centre is at (0, 1); a force in x at the origin has the arm (0, -1) */
    MUST(tr2_body_apply_force(world, body, (tr_vec2){3.0f, 0.0f}, (tr_dvec2){0.0, 0.0}));
    steps(world, 1.0 / 60.0, 4, 1);
    tr2_body_def b = body_now(world, body);
    NEAR("vx", (double)b.velocity.x, 3.0 / 2.0 / 60.0, 1e-6);
    NEAR("vy", (double)b.velocity.y, 0.0, 1e-6);
    NEAR("w", (double)b.angular_velocity, 3.0 / 0.5 / 60.0, 1e-6);
    /* for one step only */
    steps(world, 1.0 / 60.0, 4, 1);
    NEAR("w", (double)body_now(world, body).angular_velocity, 3.0 / 0.5 / 60.0, 1e-6);
    tr2_world_destroy(world);
}

/* a bridge whose joints begin some 8 cm wrong settles: no body is thrown, and the errors go */
static void a_scene_that_begins_wrong_settles(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    uint64_t seed = 11;
    tr2_body before = static_at(world, 0, 0), bodies[20];
    for (int i = 0; i < 20; i++) {
        double x = i + 0.5 + random_between(&seed, -0.04, 0.04), y = random_between(&seed, -0.04, 0.04);
        bodies[i] = body_at(world, x, y, random_between(&seed, -0.05, 0.05), 1.0, 0.1);
        (void)revolute(world, before, bodies[i], (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
        before = bodies[i];
    }
    (void)revolute(world, before, static_at(world, 19.9, 0), (tr_vec2){0.5f, 0.0f}, origin);
    assert_true(tr2_world_measure(world).joint_error_max > 0.08);
    tr2_measures begin = tr2_world_measure(world), now = begin;
    double most = 0.0;
    for (int i = 0; i < 300; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        now = tr2_world_measure(world);
        most = fmax(most, now.kinetic_energy + now.potential_energy);
    }
    /* putting things right lifts bodies, but not by more than they were wrong: 20 kg by 8 cm; it gives them no speed */
    assert_true(most < begin.kinetic_energy + begin.potential_energy + 20.0 * G * 0.08);
    /* what is left is sag: 20 kg hang in the bridge at a slope of a tenth, 1 kN or F / (m (2 pi 60 Hz)^2) = 7 mm */
    assert_true(now.joint_error_max < 0.01);
    tr2_world_destroy(world);
}

/*
 * Hubs: one body with more joints than the colours hold is split, its copies share its mass. Nothing is lost by it:
 * linear momentum stays, every joint works, all alike.
 */
static void hubs_are_split_and_hold(void **state)
{
    (void)state;
    for (uint32_t count = 100; count <= 1000; count *= 10) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body hub = body_at(world, 0, 0, 0, 500.0, 200.0), *spoke = calloc(count, sizeof *spoke);
        tr2_joint *joint = calloc(count, sizeof *joint);
        assert_true(spoke != NULL && joint != NULL);
        for (uint32_t i = 0; i < count; i++) {
            double a = 2.0 * PI * i / count, c = cos(a), s = sin(a);
            spoke[i] = body_at(world, 2.0 * c, 2.0 * s, a, 0.5, 0.05);
            joint[i] = revolute(world, hub, spoke[i], (tr_vec2){(float)c, (float)s}, (tr_vec2){-1.0f, 0.0f});
        }
        MUST(tr2_body_set_velocity(world, hub, (tr_vec2){1.0f, 0.5f}, 0.5f));
        tr2_measures before = tr2_world_measure(world);
        double worst = 0.0;
        for (int i = 0; i < 120; i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            worst = fmax(worst, tr2_world_measure(world).joint_error_max);
        }
        tr2_measures after = tr2_world_measure(world);
        tr_statistics s = tr2_world_statistics(world);
        assert_int_equal(s.split_bodies, 1);
        assert_int_equal(s.solved_joints, count);
        assert_true(s.body_copies >= count / 64);
        assert_int_equal(s.max_degree, count);
        assert_int_equal(s.nonfinite_bodies, 0);
        /* rounding of 480 sub-steps, each 6e-8 of what `count` impulses sum up to; and a point held with an error of
           0.4 mm gives d x P of angular momentum */
        NEAR("momentum x", after.momentum.x, before.momentum.x, 5e-6 * 559.0);
        NEAR("momentum y", after.momentum.y, before.momentum.y, 5e-6 * 559.0);
        NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 5e-4 * before.angular_momentum);
        NEAR("joint error", worst, 0.0, 1e-3);
        assert_true(after.kinetic_energy < before.kinetic_energy);
        for (uint32_t i = 0; i < count; i++)
            assert_true(error_of(world, joint[i]).linear < 1e-3f);
        free(spoke);
        free(joint);
        tr2_world_destroy(world);
    }
}

/* spokes all alike on one hub pull all alike, whichever copy of the hub they are on */
static void the_joints_of_a_hub_share_its_load(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body hub = body_at(world, 0, 0, 0, 3.0, 1.0);
    tr2_joint joint[COUNT];
    tr2_body ground = static_at(world, 0, 0);
    for (int i = 0; i < COUNT; i++)
        joint[i] = revolute(world, ground, hub, origin, origin);
    for (int i = 0; i < 120; i++) {
        MUST(tr2_body_apply_force_to_center(world, hub, (tr_vec2){30.0f, -90.0f}));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    double x = 0.0, y = 0.0;
    for (int i = 0; i < COUNT; i++) {
        tr2_reaction r = reaction_of(world, joint[i]);
        x += (double)r.force.x;
        y += (double)r.force.y;
    }
    /* together they carry it all: Newton's third law over the copies */
    NEAR("x", x, -30.0, 0.3);
    NEAR("y", y, 90.0, 0.9);
    NEAR("place", hypot(body_now(world, hub).position.x, body_now(world, hub).position.y), 0.0, 1e-3);
    assert_int_equal(tr2_world_statistics(world).solved_joints, COUNT);
    tr2_world_destroy(world);
}

/*
 * What is not finite: a body driven beyond float by forces of 1e38 N is put back where the step began, held still,
 * counted and flagged; its neighbours through joints stay finite, and another island is bit for bit what it is without.
 */
typedef struct overflow_scene {
    tr2_world *world;
    tr2_body chain[5], alone[2];
} overflow_scene;

static overflow_scene make_overflow_scene(void)
{
    overflow_scene s = {.world = world_of(G, 60.0f)};
    tr2_body before = static_at(s.world, 0, 0);
    for (int i = 0; i < 5; i++) {
        s.chain[i] = body_at(s.world, i + 0.5, 0, 0, 1.0, 0.1);
        (void)revolute(s.world, before, s.chain[i], (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
        before = s.chain[i];
    }
    for (int i = 0; i < 2; i++)
        s.alone[i] = body_at(s.world, 20.5 + i, 0, 0, 1.0, 0.1);
    (void)revolute(s.world, static_at(s.world, 20, 0), s.alone[0], origin, (tr_vec2){-0.5f, 0.0f});
    (void)revolute(s.world, s.alone[0], s.alone[1], (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
    return s;
}

static bool is_finite_body(const tr2_body_def *b)
{
    return isfinite(b->position.x) && isfinite(b->position.y) && isfinite(b->angle) && isfinite(b->velocity.x) &&
           isfinite(b->velocity.y) && isfinite(b->angular_velocity);
}

static uint32_t flags_of(const tr2_world *world, tr2_body body)
{
    tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t i = 0; i < view.count; i++)
        if (view.id[i].index == body.index)
            return view.flags[i];
    fail_msg("the body is not in the view");
    return 0;
}

static void check_quarantine(overflow_scene *s, const overflow_scene *calm, tr_dvec2 place)
{
    steps(s->world, 1.0 / 60.0, 4, 1);
    steps(calm->world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(s->world).nonfinite_bodies, 1);
    assert_true((flags_of(s->world, s->chain[2]) & TR_BODY_QUARANTINED) != 0);
    tr2_body_def lost = body_now(s->world, s->chain[2]);
    assert_true(lost.position.x == place.x && lost.position.y == place.y);
    assert_true(lost.velocity.x == 0.0f && lost.velocity.y == 0.0f && lost.angular_velocity == 0.0f);

    for (int i = 0; i < 240; i++) {
        steps(s->world, 1.0 / 60.0, 4, 1);
        steps(calm->world, 1.0 / 60.0, 4, 1);
        for (int k = 0; k < 5; k++) {
            tr2_body_def b = body_now(s->world, s->chain[k]);
            assert_true(is_finite_body(&b));
            assert_true((flags_of(s->world, s->chain[k]) & TR_BODY_QUARANTINED) == (k == 2 ? TR_BODY_QUARANTINED : 0));
        }
        for (int k = 0; k < 2; k++) {
            tr2_body_def b = body_now(s->world, s->alone[k]), c = body_now(calm->world, calm->alone[k]);
            assert_true(b.position.x == c.position.x && b.position.y == c.position.y && b.angle == c.angle);
            assert_true(b.velocity.x == c.velocity.x && b.angular_velocity == c.angular_velocity);
        }
    }
    assert_int_equal(tr2_world_statistics(s->world).nonfinite_bodies, 1);
}

static void a_body_that_overflows_is_held_and_harms_nobody(void **state)
{
    (void)state;
    for (int torque = 0; torque < 2; torque++) {
        overflow_scene s = make_overflow_scene(), calm = make_overflow_scene();
        steps(s.world, 1.0 / 60.0, 4, 10);
        steps(calm.world, 1.0 / 60.0, 4, 10);
        tr_dvec2 place = body_now(s.world, s.chain[2]).position;
        if (torque)
            MUST(tr2_body_apply_torque(s.world, s.chain[2], 3e38f));
        else
            MUST(tr2_body_apply_force_to_center(s.world, s.chain[2], (tr_vec2){3e38f, -3e38f}));
        check_quarantine(&s, &calm, place);

        /* set again, it moves again */
        MUST(tr2_body_set_velocity(s.world, s.chain[2], origin, 0.0f));
        assert_int_equal(tr2_world_statistics(s.world).nonfinite_bodies, 0);
        steps(s.world, 1.0 / 60.0, 4, 60);
        tr2_body_def b = body_now(s.world, s.chain[2]);
        assert_true(is_finite_body(&b) && b.velocity.y != 0.0f);
        tr2_world_destroy(s.world);
        tr2_world_destroy(calm.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinematic_bodies_move_as_told),
        cmocka_unit_test(fixed_rotation_is_never_turned),
        cmocka_unit_test(damping_and_gravity_follow_their_law),
        cmocka_unit_test(a_force_beside_the_centre_turns),
        cmocka_unit_test(a_scene_that_begins_wrong_settles),
        cmocka_unit_test(hubs_are_split_and_hold),
        cmocka_unit_test(the_joints_of_a_hub_share_its_load),
        cmocka_unit_test(a_body_that_overflows_is_held_and_harms_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
