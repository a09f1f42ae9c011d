/* Exact accelerations and reactions in the plane: closed forms of statics and dynamics, springs, motors, stops. */
#include "accelerated.h"

/*
 * Closed forms
 */

/* a body by itself: gravity with its scale, force, torque, damping */
static void a_free_body_follows_its_forces(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body body = place(world, TR_DYNAMIC, 1.0, 2.0, 4.0f, 0.5f);
    assert_ok(world, tr2_body_set_gravity_scale(world, body, 0.5f));
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){3.0f, -1.0f}, 2.0f));
    assert_ok(world, tr2_body_set_damping(world, body, 0.25f, 0.75f));
    assert_ok(world, tr2_body_apply_force(world, body, (tr_vec2){8.0f, 0.0f}, (tr_dvec2){1.0, 1.5}));
    tr2_acceleration a = acceleration(world, body);
    near_to(a.linear.x, 8.0 / 4.0 - 0.25 * 3.0, 1e-14);
    near_to(a.linear.y, -0.5 * (double)G + 0.25, 1e-14);
    near_to(a.angular, 0.5 * 8.0 / 0.5 - 0.75 * 2.0, 1e-14);
}

/* (I + m L^2) alpha = -m g L cos; the pivot carries weight, tangential and centripetal force */
static void a_pendulum_swings_about_its_pivot(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_body body = place(world, TR_DYNAMIC, 0.75, 1.0, 2.0f, 0.3f);
    const double w = 2.5, m = 2.0, inertia = (double)0.3f, x = 0.75, y = 1.0;
    /* v = w x r */
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){-2.5f, 1.875f}, 2.5f));
    tr2_joint joint = hinge(world, ground, body, 0.0, 0.0);
    double alpha = -m * (double)G * x / (inertia + m * (x * x + y * y));
    tr_dvec2 a = {-alpha * y - w * w * x, alpha * x - w * w * y};
    tr2_acceleration got = acceleration(world, body);
    near_to(got.angular, alpha, 1e-13);
    near_to(got.linear.x, a.x, 1e-12);
    near_to(got.linear.y, a.y, 1e-12);
    tr2_exact_reaction force = reaction(world, joint);
    near_to(force.force.x, m * a.x, 1e-12);
    near_to(force.force.y, m * a.y + m * (double)G, 1e-12);
    near_to(force.torque, 0.0, 0.0);
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.islands, 1);
    assert_int_equal(report.rows, 2);
    assert_int_equal(report.redundant, 0);
    assert_int_equal(report.left_out, 0);
    assert_true(report.error < 1e-12);
}

/*
 * Two rods, of length 2 c_i, mass m_i, inertia I_i, one below the other (Lagrange; angles from straight down):
 *   (I1 + m1 c1^2 + m2 l1^2) t1'' + m2 l1 c2 cos(t1 - t2) t2'' = -m2 l1 c2 sin(t1 - t2) t2'^2 - (m1 c1 + m2 l1) g sin t1
 *   (I2 + m2 c2^2) t2'' + m2 l1 c2 cos(t1 - t2) t1'' =           m2 l1 c2 sin(t1 - t2) t1'^2 - m2 c2 g sin t2
 */
static void a_double_pendulum_follows_lagrange(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    const double t1 = 0.7, t2 = -0.4, w1 = 1.5, w2 = -2.25, c1 = 0.5, l1 = 1.0, c2 = 0.75, m1 = 2.0, m2 = 3.0;
    const double i1 = (double)0.2f, i2 = (double)0.6f, g = (double)G;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f), rod[2];
    tr2_body_def def = tr2_body_def_default();
    /* frames that are exact: the state that the world has is used below, angles as they are */
    def.mass = 2.0f;
    def.inertia = 0.2f;
    def.angle = t1;
    def.position = (tr_dvec2){c1 * sin(t1), -c1 * cos(t1)};
    def.angular_velocity = (float)w1;
    def.velocity = (tr_vec2){(float)(c1 * w1 * cos(t1)), (float)(c1 * w1 * sin(t1))};
    assert_ok(world, tr2_world_create_body(world, &def, &rod[0]));
    def.mass = 3.0f;
    def.inertia = 0.6f;
    def.angle = t2;
    def.position = (tr_dvec2){l1 * sin(t1) + c2 * sin(t2), -l1 * cos(t1) - c2 * cos(t2)};
    def.angular_velocity = (float)w2;
    def.velocity =
        (tr_vec2){(float)(l1 * w1 * cos(t1) + c2 * w2 * cos(t2)), (float)(l1 * w1 * sin(t1) + c2 * w2 * sin(t2))};
    assert_ok(world, tr2_world_create_body(world, &def, &rod[1]));
    hinge(world, ground, rod[0], 0.0, 0.0);
    hinge(world, rod[0], rod[1], l1 * sin(t1), -l1 * cos(t1));
    double a = i1 + m1 * c1 * c1 + m2 * l1 * l1, b = m2 * l1 * c2 * cos(t1 - t2), d = i2 + m2 * c2 * c2;
    double e = -m2 * l1 * c2 * sin(t1 - t2) * w2 * w2 - (m1 * c1 + m2 * l1) * g * sin(t1);
    double f = m2 * l1 * c2 * sin(t1 - t2) * w1 * w1 - m2 * c2 * g * sin(t2);
    double determinant = a * d - b * b;
    /* rotations and anchors are floats */
    near_to(acceleration(world, rod[0]).angular, (e * d - b * f) / determinant, 2e-5);
    near_to(acceleration(world, rod[1]).angular, (a * f - b * e) / determinant, 2e-5);
}

/* link n of a hanging chain carries all below it, and itself */
static void a_hanging_chain_carries_what_is_below(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { LINKS = 200 };
    tr2_body last = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_joint joints[LINKS];
    tr2_exact_reaction reactions[LINKS];
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = place(world, TR_DYNAMIC, 0.0, -1.0 - i, i % 2 == 0 ? 0.5f : 2.0f, 0.1f);
        joints[i] = hinge(world, last, link, 0.0, -0.5 - i);
        last = link;
    }
    tr2_accelerations what = {NULL, 0, NULL, joints, LINKS, reactions};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
    double below = 0.0;
    for (int i = LINKS; i-- > 0;) {
        below += (i % 2 == 0 ? 0.5 : 2.0) * (double)G;
        near_to(reactions[i].force.x, 0.0, 1e-9);
        near_to(reactions[i].force.y, below, 1e-12 * below);
    }
}

/* A beam on two hinges: weight is shared by the law of the lever, and the row that both hold is shared equally. */
static void a_beam_on_two_hinges_shares_its_redundant_row(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_body beam = place(world, TR_DYNAMIC, 0.0, 0.0, 6.0f, 2.0f);
    tr2_joint left = hinge(world, ground, beam, -1.0, 0.0), right = hinge(world, ground, beam, 1.0, 0.0);
    assert_ok(world, tr2_body_apply_force_to_center(world, beam, (tr_vec2){10.0f, 0.0f}));
    assert_ok(world, tr2_body_apply_torque(world, beam, 4.0f));
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.rows, 4);
    assert_int_equal(report.redundant, 1);
    assert_true(report.error < 1e-12);
    tr2_exact_reaction l = reaction(world, left), r = reaction(world, right);
    near_to(l.force.x, -5.0, 1e-11);
    near_to(r.force.x, -5.0, 1e-11);
    near_to(l.force.y, 3.0 * (double)G + 2.0, 1e-11);
    near_to(r.force.y, 3.0 * (double)G - 2.0, 1e-11);
}

/* a turning table carries a puck on a rod: the rod pulls with m w^2 r, and the table does not accelerate */
static void kinematic_bodies_move_what_hangs_on_them(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body table = place(world, TR_KINEMATIC, 0.0, 0.0, 1.0f, 1.0f),
             puck = place(world, TR_DYNAMIC, 2.0, 0.0, 3.0f, 0.0f);
    assert_ok(world, tr2_body_set_velocity(world, table, (tr_vec2){0.0f, 0.0f}, 4.0f));
    assert_ok(world, tr2_body_set_velocity(world, puck, (tr_vec2){0.0f, 8.0f}, 4.0f));
    tr2_joint_def def = joint_at(world, TR2_JOINT_WELD, table, puck, 2.0, 0.0);
    tr2_joint weld = connect(world, &def);
    near_to(acceleration(world, puck).linear.x, -32.0, 1e-12);
    near_to(acceleration(world, table).linear.x, 0.0, 0.0);
    near_to(acceleration(world, table).angular, 0.0, 0.0);
    near_to(reaction(world, weld).force.x, -96.0, 1e-11);
    /* a point mass is not rotated, so nothing holds its angle */
    assert_int_equal(report_of(world).rows, 2);
}

/* m r^2 w: a bead on a rod that turns by itself gets the Coriolis force 2 m w v, and the rod its moment */
static void a_bead_on_a_turning_rod_feels_coriolis(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             rod = place(world, TR_DYNAMIC, 0.0, 0.0, 5.0f, 2.0f);
    tr2_body bead = place(world, TR_DYNAMIC, 1.5, 0.0, 0.5f, 0.25f);
    hinge(world, ground, rod, 0.0, 0.0);
    const double w = 3.0, v = 2.0, r = 1.5, m = 0.5, inertia = 2.0;
    assert_ok(world, tr2_body_set_velocity(world, rod, (tr_vec2){0.0f, 0.0f}, 3.0f));
    assert_ok(world, tr2_body_set_velocity(world, bead, (tr_vec2){2.0f, 4.5f}, 3.0f));
    tr2_joint_def def = joint_at(world, TR2_JOINT_PRISMATIC, rod, bead, 1.5, 0.0);
    tr2_joint slide = connect(world, &def);
    /* angular momentum (I + i + m r^2) w stays: alpha = -2 m r v w/(I + i + m r^2) */
    double alpha = -2.0 * m * r * v * w / (inertia + 0.25 + m * r * r);
    near_to(acceleration(world, rod).angular, alpha, 1e-13);
    near_to(acceleration(world, bead).angular, alpha, 1e-13);
    near_to(acceleration(world, bead).linear.x, -w * w * r + w * w * r, 1e-12);
    near_to(acceleration(world, bead).linear.y, alpha * r + 2.0 * w * v, 1e-12);
    near_to(reaction(world, slide).force.y, m * (alpha * r + 2.0 * w * v), 1e-12);
    near_to(reaction(world, slide).torque, 0.25 * alpha, 1e-12);
}

/*
 * Springs, motors, stops
 */
static void springs_are_forces(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 2.0, 0.0, 4.0f, 1.0f);
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){1.5f, 0.0f}, 0.0f));
    tr2_joint_def def = joint_at(world, TR2_JOINT_DISTANCE, ground, body, 0.0, 0.0);
    def.anchor_b = (tr_vec2){0.0f, 0.0f};
    def.length = 1.75f;
    def.linear = tr_physical(100.0f, 8.0f);
    tr2_joint spring = connect(world, &def);
    near_to(reaction(world, spring).spring, -25.0 - 12.0, 1e-12);
    near_to(reaction(world, spring).force.x, -37.0, 1e-12);
    near_to(acceleration(world, body).linear.x, -37.0 / 4.0, 1e-12);
    /* the same by frequency: k = m (2 pi f)^2, c = 2 ratio m 2 pi f */
    const double omega = 2.0 * 3.14159265358979323846 * 2.0;
    def.linear = tr_frequency(2.0f, 0.5f);
    assert_ok(world, tr2_joint_set(world, spring, &def));
    near_to(acceleration(world, body).linear.x, -omega * omega * 0.25 - omega * 1.5, 1e-11);
    /* and capped */
    def.spring_force = (tr_force_range){-30.0f, 20.0f};
    assert_ok(world, tr2_joint_set(world, spring, &def));
    near_to(reaction(world, spring).spring, -30.0, 0.0);
    /* off, and of a softness that has no force without a sub-step */
    def.linear = tr_frequency(0.0f, 0.0f);
    assert_ok(world, tr2_joint_set(world, spring, &def));
    near_to(acceleration(world, body).linear.x, 0.0, 0.0);
    assert_int_equal(report_of(world).left_out, 0);
    def.linear = tr_raw(0.5f, 0.2f);
    assert_ok(world, tr2_joint_set(world, spring, &def));
    assert_int_equal(report_of(world).left_out, 1);
    assert_int_equal(report_of(world).rows, 0);
    /* none of it is softness 0 */
    def.linear = tr_raw(0.0f, 0.2f);
    assert_ok(world, tr2_joint_set(world, spring, &def));
    assert_int_equal(report_of(world).left_out, 0);
    near_to(acceleration(world, body).linear.x, 0.0, 1e-13);
}

/* soft points act by the whole matrix K, so a free body is pulled straight to where it belongs */
static void a_soft_point_pulls_by_its_matrix(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 1.0, 0.0, 4.0f, 0.5f);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_TARGET);
    def.body_a = ground;
    def.body_b = body;
    def.anchor_a = (tr_vec2){0.25f, 0.125f};
    def.anchor_b = (tr_vec2){-1.0f, -0.5f};
    def.linear = tr_frequency(1.0f, 0.0f);
    tr2_joint target = connect(world, &def);
    /* the anchor accelerates by -(2 pi)^2 d */
    tr2_acceleration a = acceleration(world, body);
    const double omega2 = 4.0 * 3.14159265358979323846 * 3.14159265358979323846, dx = -0.25, dy = -0.625;
    near_to(a.linear.x + a.angular * 0.5, -omega2 * dx, 1e-10);
    near_to(a.linear.y - a.angular * 1.0, -omega2 * dy, 1e-10);
    /* capped in length, and rigid: of the world's frequency */
    tr2_exact_reaction all = reaction(world, target);
    def.max_force = 5.0f;
    assert_ok(world, tr2_joint_set(world, target, &def));
    tr2_exact_reaction capped = reaction(world, target);
    near_to(hypot(capped.force.x, capped.force.y), 5.0, 1e-12);
    near_to(capped.force.x * all.force.y, capped.force.y * all.force.x, 1e-9);
    def.max_force = 1e30f;
    def.linear = tr_rigid();
    assert_ok(world, tr2_joint_set(world, target, &def));
    near_to(acceleration(world, body).linear.x * 3600.0, 3600.0 * 3600.0 * a.linear.x, 1e-4 * 3600.0 * 3600.0);
}

/* the torque that holds an arm, and what is asked of a motor that is not regarded */
static void motors_hold_their_rate(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             arm = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_joint_def def = joint_at(world, TR2_JOINT_REVOLUTE, ground, arm, 0.0, 0.0);
    def.motor = (tr_motor){true, 0.0f, 1.0f};
    tr2_joint joint = connect(world, &def);
    tr2_exact_reaction held = reaction(world, joint);
    near_to(held.motor, 2.0 * (double)G, 1e-12);
    near_to(held.torque, held.motor, 0.0);
    near_to(acceleration(world, arm).angular, 0.0, 1e-13);
    tr_accelerations_options options = tr_accelerations_options_default();
    options.motors = false;
    tr2_acceleration a;
    tr2_accelerations what = {&arm, 1, &a, NULL, 0, NULL};
    assert_ok(world, tr2_world_accelerations(world, &what, &options, NULL));
    near_to(a.angular, -2.0 * (double)G / (0.5 + 2.0), 1e-12);
    /* one of maximum 0 does nothing */
    def.motor.maximum = 0.0f;
    assert_ok(world, tr2_joint_set(world, joint, &def));
    near_to(acceleration(world, arm).angular, -2.0 * (double)G / (0.5 + 2.0), 1e-12);
    /* friction is left out, and said to be */
    def.friction = 3.0f;
    assert_ok(world, tr2_joint_set(world, joint, &def));
    assert_int_equal(report_of(world).left_out, 1);
}

static void drives_hold_or_pull(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_joint_def def = joint_at(world, TR2_JOINT_MOTOR, ground, body, 1.0, 0.0);
    tr2_joint joint = connect(world, &def);
    near_to(reaction(world, joint).force.y, 2.0 * (double)G, 1e-12);
    assert_int_equal(report_of(world).rows, 3);
    def.drive.position = true;
    def.drive.offset = (tr_vec2){0.5f, 0.0f};
    def.drive.angular_offset = 0.25f;
    def.drive.softness = tr_physical(40.0f, 0.0f);
    def.drive.max_torque = 8.0f;
    assert_ok(world, tr2_joint_set(world, joint, &def));
    near_to(reaction(world, joint).force.x, 40.0 * 0.5, 1e-12);
    near_to(reaction(world, joint).torque, 8.0, 1e-12);
    near_to(acceleration(world, body).linear.x, 10.0, 1e-12);
}

/* two weights on a rope over two wheels: (mA - mB) g/(mA + mB), tension 2 mA mB g/(mA + mB); and ratio 2 */
static void a_pulley_is_atwoods_machine(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body a = place(world, TR_DYNAMIC, -1.0, 0.0, 3.0f, 1.0f), b = place(world, TR_DYNAMIC, 1.0, 0.0, 5.0f, 1.0f);
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_PULLEY);
    def.body_a = a;
    def.body_b = b;
    def.ground_a = (tr_dvec2){-1.0, 4.0};
    def.ground_b = (tr_dvec2){1.0, 4.0};
    def.length = 8.0f;
    tr2_joint pulley = connect(world, &def);
    const double g = (double)G, tension = 2.0 * 3.0 * 5.0 * g / 8.0;
    near_to(acceleration(world, a).linear.y, 2.0 * g / 8.0, 1e-12);
    near_to(acceleration(world, b).linear.y, -2.0 * g / 8.0, 1e-12);
    near_to(reaction(world, pulley).force.y, tension, 1e-12);
    near_to(reaction(world, pulley).upper, -tension, 1e-12);
    /* B falls half as fast as A, whose force is twice the tension: aB = -2 aA */
    def.ratio = 2.0f;
    def.length = 12.0f;
    assert_ok(world, tr2_joint_set(world, pulley, &def));
    double rise = (2.0 * 5.0 - 3.0) * g / (3.0 + 4.0 * 5.0);
    near_to(acceleration(world, a).linear.y, rise, 1e-12);
    near_to(acceleration(world, b).linear.y, -2.0 * rise, 1e-12);
    /* a slack rope does nothing, and a rope does not push */
    def.length = 12.5f;
    assert_ok(world, tr2_joint_set(world, pulley, &def));
    near_to(acceleration(world, a).linear.y, -g, 0.0);
    def.length = 12.0f;
    assert_ok(world, tr2_joint_set(world, pulley, &def));
    assert_ok(world, tr2_body_apply_force_to_center(world, a, (tr_vec2){0.0f, 300.0f}));
    assert_ok(world, tr2_body_apply_force_to_center(world, b, (tr_vec2){0.0f, 300.0f}));
    near_to(acceleration(world, b).linear.y, 60.0 - g, 1e-12);
    near_to(reaction(world, pulley).upper, 0.0, 0.0);
    assert_int_equal(report_of(world).rows, 0);
    /* a soft rope pulls by what it is stretched */
    def.linear = tr_physical(100.0f, 0.0f);
    def.length = 11.5f;
    assert_ok(world, tr2_joint_set(world, pulley, &def));
    near_to(reaction(world, pulley).force.y, 50.0, 1e-11);
    near_to(reaction(world, pulley).upper, -50.0, 1e-11);
}

/* an arm on its lower stop: the stop carries it, unless something lifts it */
static void limits_push_and_do_not_pull(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             arm = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_joint_def def = joint_at(world, TR2_JOINT_REVOLUTE, ground, arm, 0.0, 0.0);
    def.limit = (tr_limit){true, 0.0f, 1.0f};
    tr2_joint joint = connect(world, &def);
    near_to(reaction(world, joint).lower, 2.0 * (double)G, 1e-12);
    near_to(reaction(world, joint).upper, 0.0, 0.0);
    near_to(acceleration(world, arm).angular, 0.0, 1e-13);
    assert_ok(world, tr2_body_apply_torque(world, arm, 30.0f));
    near_to(reaction(world, joint).lower, 0.0, 0.0);
    near_to(acceleration(world, arm).angular, (30.0 - 2.0 * (double)G) / 2.5, 1e-12);
    /* beyond the gap it is free; what leaves the stop is, too */
    def.limit = (tr_limit){true, -0.25f, 1.0f};
    assert_ok(world, tr2_joint_set(world, joint, &def));
    assert_int_equal(report_of(world).rows, 2);
    def.limit = (tr_limit){true, 0.0f, 0.0f};
    assert_ok(world, tr2_joint_set(world, joint, &def));
    near_to(reaction(world, joint).upper, 2.0 * (double)G - 30.0, 1e-11);
    def.limit = (tr_limit){true, 0.0f, 1.0f};
    assert_ok(world, tr2_joint_set(world, joint, &def));
    assert_ok(world, tr2_body_set_velocity(world, arm, (tr_vec2){0.0f, 0.5f}, 0.5f));
    assert_int_equal(report_of(world).rows, 2);
    tr_accelerations_options options = tr_accelerations_options_default();
    options.stop_gap = 0.6;
    tr2_accelerations all = {NULL, 0, NULL, NULL, 0, NULL};
    tr_accelerations_report report;
    assert_ok(world, tr2_world_accelerations(world, &all, &options, &report));
    assert_int_equal(report.rows, 2); /* within the gap, but the torque lifts it */
    assert_ok(world, tr2_body_apply_torque(world, arm, -60.0f));
    assert_ok(world, tr2_world_accelerations(world, &all, &options, &report));
    assert_int_equal(report.rows, 3);
}

/* ratio of the angles; the bearings carry the difference of the torques */
static void gears_and_angles_keep_their_ratio(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_body small = place(world, TR_DYNAMIC, 0.0, 0.0, 1.0f, 0.25f),
             large = place(world, TR_DYNAMIC, 3.0, 0.0, 4.0f, 2.0f);
    tr2_joint one = hinge(world, ground, small, 0.0, 0.0), two = hinge(world, ground, large, 3.0, 0.0);
    tr2_joint_def def;
    assert_ok(world, tr2_gear_between(world, one, two, 0.5f, &def));
    tr2_joint gear = connect(world, &def);
    assert_ok(world, tr2_body_apply_torque(world, small, 3.0f));
    /* angle of large = -0.5 angle of small: (0.25 + 0.25 * 2) alpha = 3 */
    near_to(acceleration(world, small).angular, 4.0, 1e-12);
    near_to(acceleration(world, large).angular, -2.0, 1e-12);
    near_to(reaction(world, gear).torque, -4.0, 1e-12);
    assert_ok(world, tr2_world_destroy_joint(world, gear));
    tr2_joint_def angle = joint_at(world, TR2_JOINT_ANGLE, small, large, 0.0, 0.0);
    angle.ratio = 0.5f;
    tr2_joint belt = connect(world, &angle);
    near_to(acceleration(world, large).angular, 2.0, 1e-12);
    near_to(reaction(world, belt).torque, 4.0, 1e-12);
    /* torques that are not along J have no place in the equations */
    angle.equal_torque = true;
    assert_ok(world, tr2_joint_set(world, belt, &angle));
    assert_int_equal(report_of(world).left_out, 1);
    near_to(acceleration(world, large).angular, 0.0, 0.0);
    angle.ratio = 1.0f;
    assert_ok(world, tr2_joint_set(world, belt, &angle));
    assert_int_equal(report_of(world).left_out, 0);
    near_to(acceleration(world, large).angular, 3.0 / 2.25, 1e-12);
}

/* a joint that is off, or whose body is, does nothing */
static void what_is_disabled_does_nothing(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_body other = place(world, TR_DYNAMIC, 2.0, 0.0, 2.0f, 0.5f);
    tr2_joint joint = hinge(world, ground, body, 0.0, 0.0), next = hinge(world, body, other, 1.5, 0.0);
    assert_ok(world, tr2_joint_set_enabled(world, joint, false));
    near_to(reaction(world, joint).force.y, 0.0, 0.0);
    near_to(acceleration(world, body).linear.y, -(double)G, 1e-12);
    assert_ok(world, tr2_joint_set_enabled(world, joint, true));
    assert_ok(world, tr2_body_set_enabled(world, body, false));
    near_to(acceleration(world, body).linear.y, 0.0, 0.0);
    near_to(acceleration(world, other).linear.y, -(double)G, 0.0);
    near_to(reaction(world, next).force.y, 0.0, 0.0);
    assert_int_equal(report_of(world).rows, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_free_body_follows_its_forces),
        TEST(a_pendulum_swings_about_its_pivot),
        TEST(a_double_pendulum_follows_lagrange),
        TEST(a_hanging_chain_carries_what_is_below),
        TEST(a_beam_on_two_hinges_shares_its_redundant_row),
        TEST(kinematic_bodies_move_what_hangs_on_them),
        TEST(a_bead_on_a_turning_rod_feels_coriolis),
        TEST(springs_are_forces),
        TEST(a_soft_point_pulls_by_its_matrix),
        TEST(motors_hold_their_rate),
        TEST(drives_hold_or_pull),
        TEST(a_pulley_is_atwoods_machine),
        TEST(limits_push_and_do_not_pull),
        TEST(gears_and_angles_keep_their_ratio),
        TEST(what_is_disabled_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
