/*
 * Friction seen from above, against Coulomb's law: nothing moves below the cap, beyond it the force is the cap and
 * points against the motion. Proven of the joint of that name and of a motor joint whose velocity is 0, which are one
 * law.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};
static const tr2_joint_type types[] = {TR2_JOINT_MOTOR, TR2_JOINT_FRICTION};

#define TYPES (sizeof types / sizeof types[0])

static tr2_joint rub(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double force, double torque)
{
    tr2_joint_def def = joint_between(type, a, b, origin, origin);
    def.drive.max_force = (float)force;
    def.drive.max_torque = (float)torque;
    return join(world, def);
}

/* at rest up to its cap; beyond it what is left over accelerates, and a sliding body is stopped by the cap exactly */
static void check_cap(tr2_joint_type type)
{
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 2.0, 0.5);
    tr2_joint joint = rub(world, type, static_at(world, 0, 0), body, 10.0, 1.0);
    for (int i = 0; i < 60; i++) {
        MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){5.9f, 7.9f}));
        MUST(tr2_body_apply_torque(world, body, 0.95f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("x below the cap", body_now(world, body).position.x, 0.0, 1e-6);
    NEAR("angle below the cap", body_now(world, body).angle, 0.0, 1e-6);
    NEAR("force", (double)reaction_of(world, joint).force.x, -5.9, 1e-4);
    NEAR("torque", (double)reaction_of(world, joint).torque, -0.95, 1e-4);

    /* the cap is on the length of the force: 15 N along (0.6, 0.8) leaves 5 N */
    for (int i = 0; i < 60; i++) {
        MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){9.0f, 12.0f}));
        MUST(tr2_body_apply_torque(world, body, 2.0f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    tr2_body_def b = body_now(world, body);
    NEAR("speed x", (double)b.velocity.x, 0.6 * 2.5, 1e-4);
    NEAR("speed y", (double)b.velocity.y, 0.8 * 2.5, 1e-4);
    NEAR("spin", (double)b.angular_velocity, 2.0, 1e-4);
    tr2_reaction r = reaction_of(world, joint);
    NEAR("force", hypot((double)r.force.x, (double)r.force.y), 10.0, 1e-4);
    NEAR("torque", (double)r.torque, -1.0, 1e-5);

    /* let go it slides for v / (F / m) = 0.5 s more, through v^2 / (2 F / m) = 0.625 m, less half a sub-step's way */
    double x = b.position.x, y = b.position.y;
    steps(world, 1.0 / 60.0, 4, 60);
    b = body_now(world, body);
    NEAR("way", hypot(b.position.x - x, b.position.y - y), 0.625, 2.5 / 240.0);
    NEAR("speed", hypot((double)b.velocity.x, (double)b.velocity.y), 0.0, 1e-6);
    tr2_world_destroy(world);
}

static void friction_saturates_at_its_cap(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++)
        check_cap(types[i]);
}

/* friction between bodies that turn along with each other, however far their anchors are, does nothing */
static void check_common_turn(tr2_joint_type type)
{
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = body_at(world, 0, 0, 0, 1000.0, 1000.0), b = body_at(world, 1.0, 0, 0, 1.0, 1.0);
    MUST(tr2_body_set_velocity(world, a, origin, 1.0f));
    MUST(tr2_body_set_velocity(world, b, (tr_vec2){0.0f, 1.0f}, 1.0f));
    (void)rub(world, type, a, b, 1e4, 1e4);
    tr2_measures before = tr2_world_measure(world);
    steps(world, 1.0 / 60.0, 16, 120);
    tr2_measures after = tr2_world_measure(world);
    /* it also carries B round; that costs the turn next to nothing: 1 in 1000 */
    NEAR("turn of A", (double)body_now(world, a).angular_velocity, 1.0, 1e-3);
    NEAR("turn of B", (double)body_now(world, b).angular_velocity, 1.0, 1e-3);
    NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 0.05);
    tr2_body_def q = body_now(world, b);
    NEAR("distance", hypot(q.position.x, q.position.y), 1.0, 0.02);
    tr2_world_destroy(world);
}

static void friction_leaves_a_common_turn_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++)
        check_common_turn(types[i]);
}

/*
 * A puck of m = 0.5 kg on a table that turns at w = 2 rad/s, r = 0.8 m from its middle, begun with the table: what
 * carries it round is m w^2 r = 1.6 N. With 5 % more it stays where it is on the table, to what float and sub-steps of
 * 1/960 s lose (a tenth of a millimetre); with 5 % less it slides outward.
 */
static double slid_on_table(tr2_joint_type type, double force)
{
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body_def turning = tr2_body_def_default();
    turning.type = TR_KINEMATIC;
    turning.angular_velocity = 2.0f;
    tr2_body table, puck = body_at(world, 0.8, 0, 0, 0.5, 0.01);
    MUST(tr2_world_create_body(world, &turning, &table));
    MUST(tr2_body_set_velocity(world, puck, (tr_vec2){0.0f, 1.6f}, 2.0f));
    (void)rub(world, type, table, puck, force, 1.0);
    steps(world, 1.0 / 60.0, 16, 120);
    tr2_body_def p = body_now(world, puck);
    double c = cos(4.0), s = sin(4.0);
    double x = c * p.position.x + s * p.position.y, y = c * p.position.y - s * p.position.x;
    tr2_world_destroy(world);
    return hypot(x - 0.8, y);
}

static void a_puck_is_carried_by_a_table_while_friction_can(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++) {
        double held = slid_on_table(types[i], 1.05 * 1.6), slips = slid_on_table(types[i], 0.95 * 1.6);
        if (held > 5e-3 || slips < 0.05)
            fail_msg("%s: slid %.3g m held and %.3g m not", tr2_joint_type_name(types[i]), held, slips);
    }
}

/*
 * Two free bodies that slide on each other at u = 2 m/s, masses 1 and 3 kg, cap 1.5 N: the relative speed falls by
 * F (1/m + 1/M) = 2 m/s^2 and is gone after 1 s; both then move at the common speed, and momentum is kept to float's
 * rounding.
 */
static void sliding_bodies_come_to_their_common_speed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TYPES; i++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body a = body_at(world, 0, 0, 0, 3.0, 1.0), b = body_at(world, 0, 0, 0, 1.0, 0.2);
        MUST(tr2_body_set_velocity(world, b, (tr_vec2){1.2f, -1.6f}, 0.0f));
        (void)rub(world, types[i], a, b, 1.5, 0.0);
        tr2_measures before = tr2_world_measure(world);
        steps(world, 1.0 / 60.0, 4, 30);
        tr2_body_def p = body_now(world, a), q = body_now(world, b);
        NEAR("half way", hypot((double)(q.velocity.x - p.velocity.x), (double)(q.velocity.y - p.velocity.y)), 1.0,
             1e-3);
        steps(world, 1.0 / 60.0, 4, 60);
        tr2_measures after = tr2_world_measure(world);
        /* where they have slid apart the force turns A, too: they stand still against each other at B's anchor */
        p = body_now(world, a);
        q = body_now(world, b);
        double x = q.position.x - p.position.x, y = q.position.y - p.position.y, w = (double)p.angular_velocity;
        NEAR("rest x", (double)(q.velocity.x - p.velocity.x) + w * y, 0.0, 1e-3);
        NEAR("rest y", (double)(q.velocity.y - p.velocity.y) - w * x, 0.0, 1e-3);
        NEAR("momentum x", after.momentum.x, before.momentum.x, 1e-5);
        NEAR("momentum y", after.momentum.y, before.momentum.y, 1e-5);
        NEAR("angular momentum", after.angular_momentum, before.angular_momentum, 1e-4);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_saturates_at_its_cap),
        cmocka_unit_test(friction_leaves_a_common_turn_alone),
        cmocka_unit_test(a_puck_is_carried_by_a_table_while_friction_can),
        cmocka_unit_test(sliding_bodies_come_to_their_common_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
