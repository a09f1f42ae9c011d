/*
 * Exact accelerations and reactions in the plane: closed forms of statics and dynamics, the dense solution of the same
 * equations, fine simulations.
 */
#include "exact_motion.h"
#include "random.h"
#include "world_fixture.h"

#define G 9.81f

static const tr_vec2 along_x = {1.0f, 0.0f};

static tr2_body place(tr2_world *world, tr_body_type type, double x, double y, float mass, float inertia)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.mass = mass;
    def.inertia = inertia;
    tr2_body id;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

static tr2_joint_def joint_at(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def;
    tr_dvec2 at = {x, y};
    assert_ok(world, tr2_joint_def_between(world, type, a, b, at, at, along_x, &def));
    return def;
}

static tr2_joint connect(tr2_world *world, const tr2_joint_def *def)
{
    tr2_joint id;
    assert_ok(world, tr2_world_create_joint(world, def, &id));
    return id;
}

static tr2_joint hinge(tr2_world *world, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def = joint_at(world, TR2_JOINT_REVOLUTE, a, b, x, y);
    return connect(world, &def);
}

static tr2_acceleration acceleration(const tr2_world *world, tr2_body id)
{
    tr2_acceleration out;
    assert_ok(world, tr2_body_acceleration(world, id, &out));
    return out;
}

static tr2_exact_reaction reaction(const tr2_world *world, tr2_joint id)
{
    tr2_exact_reaction out;
    assert_ok(world, tr2_joint_exact_reaction(world, id, &out));
    return out;
}

static tr_accelerations_report report_of(const tr2_world *world)
{
    tr2_accelerations all = {NULL, 0, NULL, NULL, 0, NULL};
    tr_accelerations_report report;
    assert_ok(world, tr2_world_accelerations(world, &all, NULL, &report));
    return report;
}

static void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

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

/*
 * Many
 */

/* a body somewhere in a square, of any kind */
static tr2_body any_body(tr2_world *world, uint64_t *seed, double size)
{
    tr2_body_def def = tr2_body_def_default();
    uint32_t kind = random_index(seed, 12);
    def.type = kind == 0 ? TR_KINEMATIC : kind == 1 ? TR_STATIC : TR_DYNAMIC;
    def.position = (tr_dvec2){size * random_index(seed, 1000) / 1000.0, size * random_index(seed, 1000) / 1000.0};
    def.angle = random_index(seed, 628) / 100.0;
    def.mass = 0.25f + (float)random_index(seed, 1000) / 200.0f;
    def.inertia = kind == 2 ? 0.0f : 0.1f + (float)random_index(seed, 1000) / 500.0f;
    def.fixed_rotation = kind == 3;
    def.center = (tr_vec2){(float)random_index(seed, 10) / 20.0f, 0.125f};
    def.velocity =
        (tr_vec2){(float)random_index(seed, 200) / 100.0f - 1.0f, (float)random_index(seed, 200) / 100.0f - 1.0f};
    def.angular_velocity = (float)random_index(seed, 400) / 100.0f - 2.0f;
    tr2_body id;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

static void any_joints(tr2_world *world, uint64_t *seed, const tr2_body *bodies, uint32_t count, uint32_t joints,
                       bool stops)
{
    for (uint32_t i = 0; i < joints; i++) {
        tr2_joint_type type = (tr2_joint_type)random_index(seed, TR2_JOINT_TYPE_COUNT);
        uint32_t a = random_index(seed, count), b = random_index(seed, count);
        if (a == b || type == TR2_JOINT_GEAR || (!stops && type == TR2_JOINT_PULLEY))
            continue;
        double x = 4.0 * random_index(seed, 1000) / 1000.0, y = 4.0 * random_index(seed, 1000) / 1000.0;
        tr2_joint_def def = tr2_joint_def_default(type);
        def.body_a = bodies[a];
        def.body_b = bodies[b];
        if (type == TR2_JOINT_PULLEY) {
            def.ground_a = (tr_dvec2){0.0, 9.0};
            def.ground_b = (tr_dvec2){4.0, 9.0};
        }
        tr_dvec2 at = {x, y}, apart = {x + 1.0, y - 0.5};
        assert_ok(world, tr2_joint_def_initialize(world, &def, at, type == TR2_JOINT_DISTANCE ? apart : at,
                                                  (tr_vec2){0.6f, 0.8f}));
        if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE) && random_index(seed, 3) == 0)
            def.spring = (tr_spring){true, 0.1f, tr_frequency(2.0f, 0.3f)};
        if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND) && random_index(seed, 5) == 0)
            def.linear = tr_frequency(3.0f, 0.5f);
        if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE) && random_index(seed, 4) == 0)
            def.motor = (tr_motor){true, 1.0f, 5.0f};
        if (stops && tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE)) {
            /* at one of its stops */
            float from = type == TR2_JOINT_DISTANCE ? def.length : 0.0f;
            def.limit = random_index(seed, 2) == 0 ? (tr_limit){true, from, from + 2.0f} : (tr_limit){true, 0.0f, from};
            if (type == TR2_JOINT_DISTANCE)
                def.linear = tr_frequency(0.0f, 0.0f);
        }
        (void)connect(world, &def);
    }
}

static tr2_world *machine(uint64_t *seed, uint32_t joints, bool stops)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *world;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body bodies[10];
    for (int i = 0; i < 10; i++)
        bodies[i] = any_body(world, seed, 4.0);
    any_joints(world, seed, bodies, 10, joints, stops);
    return world;
}

/* Velocities are any, so redundant rows contradict each other. What of that no accelerations can satisfy is told from
   what hardly any can, in states near those in which a machine is stuck: to 1e-5 of the forces. */
static void machines_are_solved_as_densely(void **state)
{
    (void)state;
    uint64_t seed = 17;
    uint32_t redundant = 0, regular = 0;
    for (int round = 0; round < 400; round++) {
        tr2_world *world = machine(&seed, (uint32_t)(round % 25), false);
        uint32_t more = check_forces(world, 1e-10, 1e-5);
        redundant += more > 0;
        regular += more == 0;
        tr2_world_destroy(world);
    }
    assert_true(redundant > 50 && regular > 50);
}

static void machines_at_their_stops_are_complementary(void **state)
{
    (void)state;
    uint64_t seed = 23;
    uint32_t pushing = 0;
    for (int round = 0; round < 300; round++) {
        tr2_world *world = machine(&seed, 1 + (uint32_t)(round % 12), true);
        pushing += check_stops(world);
        tr2_world_destroy(world);
    }
    assert_true(pushing > 100);
}

/* a lattice and a long chain, whose rows hold to rounding */
static void large_worlds_hold_all_rows(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { SIDE = 40, LINKS = 20000 };
    static tr2_body bodies[SIDE * SIDE];
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    for (int i = 0; i < SIDE * SIDE; i++)
        bodies[i] = place(world, TR_DYNAMIC, i % SIDE, -(double)(i / SIDE), 1.0f, 0.1f);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE)
            hinge(world, bodies[i], bodies[i + 1], i % SIDE + 0.5, -(double)(i / SIDE));
        if (i + SIDE < SIDE * SIDE)
            hinge(world, bodies[i], bodies[i + SIDE], i % SIDE, -(double)(i / SIDE) - 0.5);
    }
    tr2_joint left = hinge(world, ground, bodies[0], 0.0, 0.5),
              right = hinge(world, ground, bodies[SIDE - 1], SIDE - 1.0, 0.5);
    tr2_body last = ground;
    tr2_joint first = {0, 0, 0};
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = place(world, TR_DYNAMIC, -10.0, -1.0 - i, 1.0f, 0.1f);
        tr2_joint joint = hinge(world, last, link, -10.0, -0.5 - i);
        first = i == 0 ? joint : first;
        last = link;
    }
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.islands, 2);
    assert_int_equal(report.rows, 2 * (2 * SIDE * (SIDE - 1) + 2 + LINKS));
    assert_int_equal(report.redundant, 2 * (2 * SIDE * (SIDE - 1) + 2) - 3 * SIDE * SIDE);
    assert_true(report.error < 1e-9);
    const double weight = SIDE * SIDE * (double)G;
    near_to(reaction(world, left).force.y, 0.5 * weight, 1e-8 * weight);
    near_to(reaction(world, right).force.y, 0.5 * weight, 1e-8 * weight);
    near_to(reaction(world, first).force.y, LINKS * (double)G, 1e-8 * LINKS * (double)G);
}

/* a hub of many spokes makes no dense system */
static void hubs_are_sparse(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { SPOKES = 3000 };
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             hub = place(world, TR_DYNAMIC, 0.0, 0.0, 10.0f, 5.0f);
    tr2_joint axle = hinge(world, ground, hub, 0.0, 0.0);
    double moment = 5.0, torque = 0.0;
    for (int i = 0; i < SPOKES; i++) {
        double angle = 0.001 * i, x = 2.0 * cos(angle), y = 2.0 * sin(angle);
        tr2_body spoke = place(world, TR_DYNAMIC, x, y, 0.5f, 0.125f);
        tr2_joint_def def = joint_at(world, TR2_JOINT_WELD, hub, spoke, 0.5 * x, 0.5 * y);
        connect(world, &def);
        moment += 0.125 + 0.5 * 4.0;
        torque -= 0.5 * (double)G * x;
    }
    near_to(acceleration(world, hub).angular, torque / moment, 1e-5 * fabs(torque / moment));
    assert_true(fabs(reaction(world, axle).force.y) > 1.0);
}

/*
 * Simulations
 */

/* the derivative of velocities at the begin of a fine simulation, from three of them */
static void fine_simulations_begin_as_the_equations_say(void **state)
{
    (void)state;
    uint64_t seed = 31;
    uint32_t compared = 0;
    for (int round = 0; round < 40; round++) {
        tr2_world *world = machine(&seed, 0, false);
        tr2_body_view view = tr2_world_bodies(world);
        tr2_body bodies[10];
        memcpy(bodies, view.id, sizeof bodies);
        /* trees at rest, whose joints are satisfied in position and velocity */
        for (int i = 0; i < 10; i++)
            assert_ok(world, tr2_body_set_velocity(world, bodies[i], (tr_vec2){0.0f, 0.0f}, 0.0f));
        for (uint32_t i = 1; i < 6; i++) {
            const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE, TR2_JOINT_WELD,  TR2_JOINT_PRISMATIC, TR2_JOINT_LINE,
                                            TR2_JOINT_WHEEL,    TR2_JOINT_ANGLE, TR2_JOINT_DISTANCE};
            tr2_joint_type type = types[random_index(&seed, 7)];
            tr2_joint_def def = tr2_joint_def_default(type);
            def.body_a = bodies[random_index(&seed, i)];
            def.body_b = bodies[i];
            tr2_transform a, b;
            assert_ok(world, tr2_body_get_transform(world, def.body_a, &a));
            assert_ok(world, tr2_body_get_transform(world, def.body_b, &b));
            tr_dvec2 at = {0.5 * (a.position.x + b.position.x), 0.5 * (a.position.y + b.position.y)};
            tr_dvec2 far = {b.position.x + 0.25, b.position.y};
            assert_ok(world, tr2_joint_def_initialize(world, &def, at, type == TR2_JOINT_DISTANCE ? far : at,
                                                      (tr_vec2){0.6f, 0.8f}));
            if (type == TR2_JOINT_REVOLUTE)
                def.spring = (tr_spring){true, 0.2f, tr_frequency(1.5f, 0.2f)};
            (void)connect(world, &def);
        }
        assert_ok(world, tr2_world_set_joint_softness(world, 4000.0f, 1.0f));
        tr2_acceleration exact[10];
        tr2_accelerations what = {bodies, 10, exact, NULL, 0, NULL};
        assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
        const double time = 1.0 / 256.0;
        assert_ok(world, tr2_world_set_direct_load(world, 0.0f));
        assert_ok(world, tr2_world_step(world, time, 256));
        for (int i = 0; i < 10; i++) {
            tr_vec2 v;
            float w;
            assert_ok(world, tr2_body_get_velocity(world, bodies[i], &v, &w));
            double scale = 0.02 * ((double)G + hypot(exact[i].linear.x, exact[i].linear.y) + fabs(exact[i].angular));
            near_to((double)v.x / time, exact[i].linear.x, scale);
            near_to((double)v.y / time, exact[i].linear.y, scale);
            near_to((double)w / time, exact[i].angular, scale);
            compared++;
        }
        tr2_world_destroy(world);
    }
    assert_int_equal(compared, 400);
}

/*
 * The call
 */

/* asking changes nothing, and the answer does not depend on what else is asked */
static void asking_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = 41;
    tr2_world *world = machine(&seed, 12, true);
    uint64_t before = tr2_world_state_hash(world);
    tr2_body_view view = tr2_world_bodies(world);
    tr2_body bodies[10];
    memcpy(bodies, view.id, sizeof bodies);
    tr2_acceleration all[10];
    tr2_accelerations what = {bodies, 10, all, NULL, 0, NULL};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
    for (int i = 0; i < 10; i++) {
        tr2_acceleration one = acceleration(world, bodies[i]);
        assert_true(memcmp(&one, &all[i], sizeof one) == 0);
    }
    assert_true(before == tr2_world_state_hash(world));
    /* another order of rows: the same to rounding */
    assert_ok(world, tr2_world_optimize(world));
    for (int i = 0; i < 10; i++)
        near_to(acceleration(world, bodies[i]).angular, all[i].angular, 1e-8 * (1.0 + fabs(all[i].angular)));
    tr2_world_destroy(world);
}

static void bad_arguments_are_named(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f),
             body = place(world, TR_DYNAMIC, 1.0, 0.0, 2.0f, 0.5f);
    tr2_joint joint = hinge(world, ground, body, 0.0, 0.0);
    tr2_acceleration out[2];
    tr2_exact_reaction force;
    memset(out, 0x5a, sizeof out);
    memset(&force, 0x5a, sizeof force);
    tr_accelerations_report report;
    memset(&report, 0x5a, sizeof report);
    const tr_accelerations_report untouched = report;
    tr_accelerations_options options = tr_accelerations_options_default();
    const tr2_body good[2] = {body, ground}, null[2] = {body, {0, 0, 0}}, foreign[2] = {body, {1, 9, 0}},
                   stale[2] = {body, {77, 7, 0}};
    const tr2_joint none = {0, 0, 0};
    const struct {
        tr2_accelerations what;
        double gap;
        tr_status status;
        const char *message;
    } cases[] = {
        {{NULL, 1, out, NULL, 0, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.bodies is null"},
        {{good, 2, NULL, NULL, 0, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.accelerations is null"},
        {{good, 2, out, NULL, 1, &force}, 0.0, TR_ERROR_NULL, "accelerations: what.joints is null"},
        {{good, 2, out, &joint, 1, NULL}, 0.0, TR_ERROR_NULL, "accelerations: what.reactions is null"},
        {{null, 2, out, &joint, 1, &force}, 0.0, TR_ERROR_NULL_ID, "accelerations: what.bodies[1] is the null id"},
        {{foreign, 2, out, &joint, 1, &force},
         0.0,
         TR_ERROR_FOREIGN_ID,
         "accelerations: what.bodies[1] belongs to another world"},
        {{stale, 2, out, &joint, 1, &force}, 0.0, TR_ERROR_STALE_ID, "accelerations: what.bodies[1] is stale"},
        {{good, 2, out, &none, 1, &force}, 0.0, TR_ERROR_NULL_ID, "accelerations: what.joints[0] is the null id"},
        {{good, 2, out, &joint, 1, &force}, -0.1, TR_ERROR_NEGATIVE, "accelerations: options.stop_gap is -0.1"},
        {{good, 2, out, &joint, 1, &force}, (double)NAN, TR_ERROR_NAN, "accelerations: options.stop_gap is NaN"},
        {{good, 2, out, &joint, 1, &force},
         (double)INFINITY,
         TR_ERROR_INFINITE,
         "accelerations: options.stop_gap is inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options.stop_gap = cases[i].gap;
        assert_int_equal(tr2_world_accelerations(world, &cases[i].what, &options, &report), cases[i].status);
        const char *message = tr2_world_last_error(world)->message;
        if (strncmp(message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("\"%s\", expected \"%s\"", message, cases[i].message);
        assert_true(memcmp(&report, &untouched, sizeof report) == 0);
        assert_true(((unsigned char *)out)[0] == 0x5a && ((unsigned char *)&force)[0] == 0x5a);
    }
    assert_int_equal(tr2_world_accelerations(NULL, &cases[0].what, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_accelerations(world, NULL, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_body_acceleration(world, body, NULL), TR_ERROR_NULL);
    /* and none at all, in an empty world too */
    assert_ok(world, tr2_world_accelerations(world, &(tr2_accelerations){NULL, 0, NULL, NULL, 0, NULL}, NULL, NULL));
    assert_ok(world, tr2_world_destroy_bodies(world, good, 2));
    assert_int_equal(report_of(world).islands, 0);
}

/* each allocation of the call fails once: a status, nothing written, all memory back */
static void failed_allocations_change_nothing(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f), bodies[3];
    tr2_joint joint = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        bodies[i] = place(world, TR_DYNAMIC, 1.0 + i, 0.0, 2.0f, 0.5f);
        joint = hinge(world, i > 0 ? bodies[i - 1] : ground, bodies[i], 0.5 + i, 0.0);
    }
    hinge(world, ground, bodies[2], 3.0, 0.0);
    hinge(world, ground, bodies[2], 3.5, 0.0);
    tr2_acceleration expected[3], got[3];
    tr2_exact_reaction force;
    tr2_accelerations what = {bodies, 3, expected, &joint, 1, &force};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, NULL));
    const size_t held = it->allocator.held;
    what.accelerations = got;
    uint32_t refused = 0;
    for (uint64_t n = 1;; n++) {
        memset(got, 0x5a, sizeof got);
        test_fail_in(&it->allocator, n);
        tr_status status = tr2_world_accelerations(world, &what, NULL, NULL);
        const bool failed = it->allocator.failures > 0;
        test_fail_in(&it->allocator, 0);
        assert_true(it->allocator.held == held);
        if (!failed) {
            assert_int_equal(status, TR_OK);
            break;
        }
        refused++;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_true(((unsigned char *)got)[0] == 0x5a);
    }
    assert_true(refused >= 15);
    assert_true(memcmp(got, expected, sizeof got) == 0);
}

/* the ends of what worlds hold: whatever comes out is finite */
static void results_are_finite(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ground = place(world, TR_STATIC, 0.0, 0.0, 1.0f, 1.0f);
    tr2_body body = place(world, TR_DYNAMIC, 1e200, 0.0, 1e-38f, 1e38f),
             other = place(world, TR_DYNAMIC, 1.0, 0.0, 1e38f, 1e-38f);
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){1e38f, -1e38f}, 3e38f));
    assert_ok(world, tr2_body_set_velocity(world, other, (tr_vec2){1e38f, -1e38f}, -3e38f));
    assert_ok(world, tr2_body_apply_force_to_center(world, body, (tr_vec2){3e38f, 3e38f}));
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    def.body_a = ground;
    def.body_b = body;
    def.anchor_a = (tr_vec2){1e38f, 1e38f};
    def.spring = (tr_spring){true, 1.0f, tr_frequency(1e38f, 1e38f)};
    tr2_joint joints[2];
    joints[0] = connect(world, &def);
    def.body_a = other;
    joints[1] = connect(world, &def);
    tr2_body bodies[2] = {body, other};
    tr2_acceleration a[2];
    tr2_exact_reaction r[2];
    tr_accelerations_report report;
    tr2_accelerations what = {bodies, 2, a, joints, 2, r};
    assert_ok(world, tr2_world_accelerations(world, &what, NULL, &report));
    double all[sizeof a / (sizeof(double))], forces[sizeof r / (sizeof(double))];
    memcpy(all, a, sizeof a);
    memcpy(forces, r, sizeof r);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_true(isfinite(all[i]));
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++)
        assert_true(isfinite(forces[i]));
    assert_true(isfinite(report.error));
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
        cmocka_unit_test(machines_are_solved_as_densely),
        cmocka_unit_test(machines_at_their_stops_are_complementary),
        TEST(large_worlds_hold_all_rows),
        TEST(hubs_are_sparse),
        cmocka_unit_test(fine_simulations_begin_as_the_equations_say),
        cmocka_unit_test(asking_changes_nothing),
        TEST(bad_arguments_are_named),
        TEST(failed_allocations_change_nothing),
        TEST(results_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
