/*
 * Exact accelerations and reactions in space: source 004's system of 15 equations, closed forms, the dense solution of
 * the same equations, fine simulations.
 */
#include "allocator.h"
#include "space_accelerations.h"

/*
 * Source 004: two bodies on a ball joint, 15 equations (with its signs corrected: f acts on body 2), by elimination
 * with row exchanges. Body frames are those of the world, so that nothing is rounded to floats.
 */
static void solve_dense(double a[15][16])
{
    for (int c = 0; c < 15; c++) {
        int best = c;
        for (int r = c + 1; r < 15; r++)
            best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
        for (int k = 0; k < 16; k++) {
            double swap = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = swap;
        }
        for (int r = 0; r < 15; r++) {
            double factor = r == c ? 0.0 : a[r][c] / a[c][c];
            for (int k = c; k < 16; k++)
                a[r][k] -= factor * a[c][k];
        }
    }
    for (int c = 0; c < 15; c++)
        a[c][15] /= a[c][c];
}

/* rows from `row`, columns from `column`: scale times v -> r x v */
static void put_skew(double a[15][16], int row, int column, tr_dvec3 r, double scale)
{
    const double skew[3][3] = {{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            a[row + i][column + k] += scale * skew[i][k];
}

static void put_vector(double a[15][16], int row, tr_dvec3 v, double scale)
{
    a[row][15] += scale * v.x;
    a[row + 1][15] += scale * v.y;
    a[row + 2][15] += scale * v.z;
}

static tr_dvec3 wide(tr_vec3 v)
{
    return (tr_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

static tr_vec3 any_vector(uint64_t *seed, float most)
{
    float x = most * space_random(seed), y = most * space_random(seed);
    return (tr_vec3){x, y, most * space_random(seed)};
}

/* two bodies whose anchors are at one place, and have one velocity but for rounding to floats */
static tr3_joint ball_between(tr3_world *world, uint64_t *seed, tr3_body bodies[2])
{
    const tr_dvec3 at = {0.5, 0.25, -0.125};
    tr3_joint_def joint = tr3_joint_def_default(TR3_JOINT_BALL);
    tr_dvec3 at_anchor = {0.0, 0.0, 0.0};
    for (int b = 0; b < 2; b++) {
        tr_vec3 arm = any_vector(seed, 1.0f);
        tr3_body_def def = tr3_body_def_default();
        def.mass = 1.0f + 0.5f * space_random(seed);
        def.inertia.xx = 1.0f + 0.25f * space_random(seed);
        def.inertia.yy = 1.0f + 0.25f * space_random(seed);
        def.inertia.zz = 1.125f;
        def.position = space_minus(at, wide(arm));
        def.angular_velocity = any_vector(seed, 3.0f);
        tr_dvec3 own = cross(wide(def.angular_velocity), wide(arm));
        def.velocity = b == 0 ? any_vector(seed, 1.0f)
                              : (tr_vec3){(float)(at_anchor.x - own.x), (float)(at_anchor.y - own.y),
                                          (float)(at_anchor.z - own.z)};
        tr_dvec3 v = wide(def.velocity);
        at_anchor = (tr_dvec3){v.x + own.x, v.y + own.y, v.z + own.z};
        SPACE_OK(tr3_world_create_body(world, &def, &bodies[b]));
        *(b == 0 ? &joint.anchor_a : &joint.anchor_b) = arm;
    }
    joint.body_a = bodies[0];
    joint.body_b = bodies[1];
    return space_joint(world, &joint);
}

static void two_bodies_on_a_ball_follow_source_004(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 200; round++) {
        tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
        tr3_body bodies[2];
        tr3_joint joint = ball_between(world, &seed, bodies);
        double a[15][16] = {{0.0}};
        tr_dvec3 w[2], v[2];
        tr3_joint_def def;
        SPACE_OK(tr3_joint_get(world, joint, &def));
        for (int b = 0; b < 2; b++) {
            tr_vec3 velocity, turning;
            tr_sym3 inertia;
            float mass;
            SPACE_OK(tr3_body_get_mass(world, bodies[b], &mass, &inertia, NULL));
            SPACE_OK(tr3_body_get_velocity(world, bodies[b], &velocity, &turning));
            tr_dvec3 r = wide(b == 0 ? def.anchor_a : def.anchor_b);
            const double moments[3] = {(double)inertia.xx, (double)inertia.yy, (double)inertia.zz};
            const int row = 6 * b;
            const double sign = b == 0 ? 1.0 : -1.0; /* of f on the left side */
            w[b] = wide(turning);
            tr_dvec3 momentum = {moments[0] * w[b].x, moments[1] * w[b].y, moments[2] * w[b].z},
                     around = cross(w[b], r);
            v[b] = wide(velocity);
            v[b] = (tr_dvec3){v[b].x + around.x, v[b].y + around.y, v[b].z + around.z};
            for (int i = 0; i < 3; i++) {
                a[row + i][row + i] = (double)mass;
                a[row + i][12 + i] = sign;
                a[row + 3 + i][row + 3 + i] = moments[i];
                a[12 + i][row + i] = -sign;
            }
            put_skew(a, row + 3, 12, r, sign);
            put_vector(a, row, wide(down), (double)mass);
            put_vector(a, row + 3, cross(w[b], momentum), -1.0);
            /* a + alpha x r + w x (w x r): the same of both */
            put_skew(a, 12, row + 3, r, sign);
            put_vector(a, 12, cross(w[b], cross(w[b], r)), sign);
        }
        /* velocities are floats, so a rest of the anchors' relative velocity d' is left: it enters as -2 wA x d' */
        put_vector(a, 12, cross(w[0], space_minus(v[1], v[0])), 2.0);
        solve_dense(a);
        tr3_acceleration first = acceleration(world, bodies[0]), other = acceleration(world, bodies[1]);
        tr3_exact_reaction force = reaction(world, joint);
        const double got[15] = {first.linear.x,  first.linear.y,  first.linear.z, first.angular.x, first.angular.y,
                                first.angular.z, other.linear.x,  other.linear.y, other.linear.z,  other.angular.x,
                                other.angular.y, other.angular.z, force.force.x,  force.force.y,   force.force.z};
        double greatest = 0.0;
        for (int i = 0; i < 15; i++)
            greatest = fmax(greatest, fabs(a[i][15]));
        for (int i = 0; i < 15; i++)
            if (fabs(got[i] - a[i][15]) > 1e-10 * greatest)
                fail_msg("round %d, unknown %d: %.15g, densely %.15g", round, i, got[i], a[i][15]);
        tr3_world_destroy(world);
    }
}

/*
 * Closed forms
 */

/* Euler: I dw/dt = -w x (I w), in the principal axes and turned */
static void a_book_spins_as_euler_says(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body book = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 2.0f, (tr_vec3){1.0f, 2.0f, 2.5f});
    SPACE_OK(tr3_body_set_velocity(world, book, still, (tr_vec3){1.0f, 2.0f, -3.0f}));
    near_vector(acceleration(world, book).angular, (2.0 - 2.5) * 2.0 * -3.0 / 1.0, (2.5 - 1.0) * -3.0 * 1.0 / 2.0,
                (1.0 - 2.0) * 1.0 * 2.0 / 2.5, 1e-14);
    /* a quarter turn about z: x of the book is y of the world; and damping, torque */
    const float h = sqrtf(0.5f);
    SPACE_OK(tr3_body_set_transform(world, book, (tr_dvec3){0.0, 0.0, 0.0}, (tr_quat){0.0f, 0.0f, h, h}));
    SPACE_OK(tr3_body_set_velocity(world, book, still, (tr_vec3){-2.0f, 1.0f, -3.0f}));
    SPACE_OK(tr3_body_set_damping(world, book, 0.0f, 0.5f));
    SPACE_OK(tr3_body_apply_torque(world, book, (tr_vec3){0.0f, 4.0f, 0.0f}));
    tr_dvec3 a = acceleration(world, book).angular;
    near_vector(a, 4.5 / 2.0 + 0.5 * 2.0, 3.0 + 4.0 - 0.5 * 1.0, -2.0 / 2.5 + 0.5 * 3.0, 1e-6);
    tr3_world_destroy(world);
}

/* a conical pendulum: a bob on a ball joint circles at w^2 = g/h, and the joint pulls along the string */
static void a_conical_pendulum_circles(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    const tr_dvec3 at = {0.75, -1.0, 0.0};
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body bob = space_body(world, TR_DYNAMIC, at, 3.0f, (tr_vec3){0.0f, 0.0f, 0.0f});
    const float w = 3.5f;
    SPACE_OK(tr3_body_set_velocity(world, bob, (tr_vec3){0.0f, 0.0f, -0.75f * w}, (tr_vec3){0.0f, w, 0.0f}));
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_DISTANCE);
    def.body_a = ground;
    def.body_b = bob;
    def.length = 1.25f;
    tr3_joint rod = space_joint(world, &def);
    /* tension T: m g and m v^2/r have the parts along the rod: T = m (g 1 + w^2 0.75^2)/1.25 */
    const double speed = (double)(0.75f * w), tension = 3.0 * ((double)G + speed * speed) / 1.25;
    near_vector(reaction(world, rod).force, -tension * 0.6, tension * 0.8, 0.0, 1e-12 * tension);
    near_vector(acceleration(world, bob).linear, -tension * 0.6 / 3.0, tension * 0.8 / 3.0 - (double)G, 0.0,
                1e-12 * tension);
    tr3_world_destroy(world);
}

/* a wheel on the end of a horizontal axle that spins fast: it does not fall but precesses, M = w_p x L */
static void a_gyroscope_precesses(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body wheel = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 2.0f, (tr_vec3){0.25f, 0.125f, 0.125f});
    const double spin = 64.0, precession = 2.0 * (double)G * 0.5 / (0.25 * spin);
    const float p = (float)precession;
    SPACE_OK(tr3_body_set_velocity(world, wheel, (tr_vec3){0.0f, 0.0f, -0.5f * p}, (tr_vec3){(float)spin, p, 0.0f}));
    tr3_joint_def def = space_between(world, TR3_JOINT_BALL, ground, wheel, (tr_dvec3){0.0, 0.0, 0.0}, x_axis);
    tr3_joint pivot = space_joint(world, &def);
    /* the centre circles; the spin's axis turns with it: alpha = w_p x spin */
    near_vector(acceleration(world, wheel).linear, -0.5 * (double)p * (double)p, 0.0, 0.0, 1e-5);
    near_vector(acceleration(world, wheel).angular, 0.0, 0.0, -(double)p * spin, 1e-4);
    near_to(reaction(world, pivot).force.y, 2.0 * (double)G, 1e-5);
    tr3_world_destroy(world);
}

/* A door on two hinges: five rows twice, five freedoms; weight and the rest are shared equally. */
static void a_door_on_two_hinges_shares_equally(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body frame = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body door = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 20.0f, (tr_vec3){7.0f, 2.0f, 8.0f});
    tr3_joint hinges[2];
    for (int i = 0; i < 2; i++) {
        tr3_joint_def def =
            space_between(world, TR3_JOINT_HINGE, frame, door, (tr_dvec3){0.0, i == 0 ? 0.75 : -0.75, 0.0}, y_axis);
        hinges[i] = space_joint(world, &def);
    }
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.rows, 10);
    assert_int_equal(report.redundant, 5);
    tr3_exact_reaction top = reaction(world, hinges[0]), bottom = reaction(world, hinges[1]);
    const double weight = 20.0 * (double)G;
    near_to(top.force.y, 0.5 * weight, 1e-10 * weight);
    near_to(bottom.force.y, 0.5 * weight, 1e-10 * weight);
    /* the moment of the weight: equal torques, and opposite forces */
    near_to(top.torque.z, bottom.torque.z, 1e-10 * weight);
    near_to(top.force.x, -bottom.force.x, 1e-10 * weight);
    near_to(0.75 * (bottom.force.x - top.force.x) + top.torque.z + bottom.torque.z, 0.5 * weight, 1e-10 * weight);
    near_vector(acceleration(world, door).angular, 0.0, 0.0, 0.0, 1e-12);
    /* pushed, it opens, and swings about its hinges with m w^2 r */
    SPACE_OK(tr3_body_set_velocity(world, door, (tr_vec3){0.0f, 0.0f, -1.0f}, (tr_vec3){0.0f, 2.0f, 0.0f}));
    SPACE_OK(tr3_body_apply_torque(world, door, (tr_vec3){0.0f, 14.0f, 0.0f}));
    near_vector(acceleration(world, door).angular, 0.0, 14.0 / (2.0 + 20.0 * 0.25), 0.0, 1e-10);
    near_to(acceleration(world, door).linear.x, -4.0 * 0.5, 1e-10);
    near_to(reaction(world, hinges[0]).force.x + reaction(world, hinges[1]).force.x, -40.0, 1e-8);
    tr3_world_destroy(world);
}

/*
 * A four-bar linkage on hinges: 20 rows, and the bars have 18 freedoms of which one is left, so 3 rows are redundant. It
 * moves as the same linkage on revolutes in the plane, which has 8 rows that all are needed; across the plane nothing
 * acts.
 */
static void a_four_bar_linkage_moves_as_in_the_plane(void **state)
{
    (void)state;
    const double x[4] = {0.0, 0.5, 3.0, 2.5}, y[4] = {0.0, 1.5, 2.0, 0.0}; /* of the pivots */
    tr3_world *space = space_world(TR_SOFT_STEP, down, 1);
    tr2_world_def settings = tr2_world_def_default();
    settings.gravity = (tr_vec2){0.0f, -G};
    settings.threads = 1;
    tr2_world *plane;
    SPACE_OK(tr2_world_create(&settings, &plane, NULL));
    tr3_body bars[4];
    tr2_body flat[4];
    tr3_joint hinges[4];
    tr2_joint pins[4];
    for (int i = 0; i < 4; i++) {
        /* bar i is from pivot i - 1 to pivot i; bar 0 is the ground */
        tr2_body_def def = tr2_body_def_default();
        def.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        def.position = i == 0 ? (tr_dvec2){0.0, 0.0} : (tr_dvec2){0.5 * (x[i - 1] + x[i]), 0.5 * (y[i - 1] + y[i])};
        def.mass = 1.0f + 0.5f * (float)i;
        def.inertia = 0.25f * (float)(i + 1);
        SPACE_OK(tr2_world_create_body(plane, &def, &flat[i]));
        bars[i] = space_body(space, def.type, (tr_dvec3){def.position.x, def.position.y, 0.0}, def.mass,
                             (tr_vec3){0.75f * def.inertia, 0.5f * def.inertia, def.inertia});
    }
    for (int i = 0; i < 4; i++) {
        tr2_joint_def pin;
        tr_dvec2 at = {x[i], y[i]};
        SPACE_OK(tr2_joint_def_between(plane, TR2_JOINT_REVOLUTE, flat[i], flat[(i + 1) % 4], at, at,
                                       (tr_vec2){1.0f, 0.0f}, &pin));
        SPACE_OK(tr2_world_create_joint(plane, &pin, &pins[i]));
        tr3_joint_def hinge =
            space_between(space, TR3_JOINT_HINGE, bars[i], bars[(i + 1) % 4], (tr_dvec3){x[i], y[i], 0.0}, z_axis);
        hinges[i] = space_joint(space, &hinge);
    }
    SPACE_OK(tr2_body_apply_torque(plane, flat[1], 12.0f));
    SPACE_OK(tr3_body_apply_torque(space, bars[1], (tr_vec3){0.0f, 0.0f, 12.0f}));
    tr_accelerations_report report = report_of(space);
    assert_int_equal(report.rows, 20);
    assert_int_equal(report.redundant, 3);
    assert_true(report.error < 1e-12);
    for (int i = 0; i < 4; i++) {
        tr2_acceleration a;
        tr2_exact_reaction force;
        SPACE_OK(tr2_body_acceleration(plane, flat[i], &a));
        SPACE_OK(tr2_joint_exact_reaction(plane, pins[i], &force));
        near_vector(acceleration(space, bars[i]).linear, a.linear.x, a.linear.y, 0.0, 1e-10);
        near_vector(acceleration(space, bars[i]).angular, 0.0, 0.0, a.angular, 1e-10);
        near_vector(reaction(space, hinges[i]).force, force.force.x, force.force.y, 0.0, 1e-9);
        near_vector(reaction(space, hinges[i]).torque, 0.0, 0.0, 0.0, 1e-9);
    }
    tr2_world_destroy(plane);
    tr3_world_destroy(space);
}

/* motor, limit and spring of a hinge; the torque that holds an arm */
static void hinges_have_motors_stops_and_springs(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body arm = space_body(world, TR_DYNAMIC, (tr_dvec3){1.0, 0.0, 0.0}, 2.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, ground, arm, (tr_dvec3){0.0, 0.0, 0.0}, z_axis);
    def.motor = (tr_motor){true, 0.0f, 3.0f};
    tr3_joint joint = space_joint(world, &def);
    const double weight = 2.0 * (double)G;
    near_to(reaction(world, joint).motor, weight, 1e-11);
    near_to(reaction(world, joint).torque.z, weight, 1e-11);
    def.motor.enable = false;
    def.limit = (tr_limit){true, 0.0f, 1.0f};
    SPACE_OK(tr3_joint_set(world, joint, &def));
    near_to(reaction(world, joint).lower, weight, 1e-11);
    def.limit = (tr_limit){true, -1.0f, 0.0f};
    SPACE_OK(tr3_joint_set(world, joint, &def));
    near_to(reaction(world, joint).upper, 0.0, 0.0);
    near_to(acceleration(world, arm).angular.z, -weight / 2.5, 1e-11);
    def.limit.enable = false;
    def.spring = (tr_spring){true, 0.25f, tr_physical(20.0f, 0.0f)};
    SPACE_OK(tr3_joint_set(world, joint, &def));
    near_to(reaction(world, joint).spring, 5.0, 1e-6);
    near_to(acceleration(world, arm).angular.z, (5.0 - weight) / 2.5, 1e-6);
    tr3_world_destroy(world);
}

/* a ball whose cone holds a hanging arm out, and whose twist holds it from turning */
static void cones_and_twists_are_stops(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body arm = space_body(world, TR_DYNAMIC, (tr_dvec3){1.0, 0.0, 0.0}, 2.0f, (tr_vec3){0.5f, 0.5f, 0.5f});
    tr3_joint_def def =
        space_between(world, TR3_JOINT_BALL, ground, arm, (tr_dvec3){0.0, 0.0, 0.0}, (tr_vec3){0.8f, 0.6f, 0.0f});
    /* B's axis is turned from A's by 0.5 rad, in the plane of the arm and down */
    def.reference = (tr_quat){0.0f, 0.0f, sinf(0.25f), cosf(0.25f)};
    def.cone_angle = 0.5f;
    def.twist = (tr_limit){true, -1.0f, 1.0f};
    tr3_joint joint = space_joint(world, &def);
    const double weight = 2.0 * (double)G;
    near_vector(acceleration(world, arm).angular, 0.0, 0.0, 0.0, 1e-6);
    near_to(reaction(world, joint).upper, -weight, 1e-5);
    near_to(reaction(world, joint).torque.z, weight, 1e-5);
    SPACE_OK(tr3_body_apply_torque(world, arm, (tr_vec3){0.0f, 0.0f, 30.0f}));
    near_to(reaction(world, joint).upper, 0.0, 0.0);
    near_to(acceleration(world, arm).angular.z, (30.0 - weight) / 2.5, 1e-6);
    /* a twist of 0 at its lower stop, with a torque against it */
    SPACE_OK(tr3_body_apply_torque(world, arm, (tr_vec3){-8.0f, 0.0f, 0.0f}));
    def.reference = (tr_quat){0.0f, 0.0f, 0.0f, 1.0f};
    def.axis = x_axis;
    def.twist = (tr_limit){true, 0.0f, 1.0f};
    SPACE_OK(tr3_joint_set(world, joint, &def));
    near_to(reaction(world, joint).lower, 8.0, 1e-6);
    near_to(acceleration(world, arm).angular.x, 0.0, 1e-9);
    tr3_world_destroy(world);
}
/*
 * The call
 */
static void bad_arguments_are_named(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body body = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_acceleration out;
    const tr3_joint none = {0, 0, 0};
    tr3_exact_reaction force;
    tr3_accelerations what = {&body, 1, &out, &none, 1, &force};
    assert_int_equal(tr3_world_accelerations(world, &what, NULL, NULL), TR_ERROR_NULL_ID);
    assert_string_equal(tr3_world_last_error(world)->message, "accelerations: what.joints[0] is the null id");
    what.reactions = NULL;
    assert_int_equal(tr3_world_accelerations(world, &what, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr3_world_accelerations(NULL, &what, NULL, NULL), TR_ERROR_NULL);
    assert_int_equal(tr3_world_accelerations(world, NULL, NULL, NULL), TR_ERROR_NULL);
    tr3_world_destroy(world);
}

static void failed_allocations_change_nothing(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr3_world_def settings = tr3_world_def_default();
    settings.threads = 1;
    settings.allocator = test_hooks(&allocator);
    tr3_world *world;
    SPACE_OK(tr3_world_create(&settings, &world, NULL));
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    tr3_body door = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5, 0.0, 0.0}, 20.0f, (tr_vec3){7.0f, 2.0f, 8.0f});
    for (int i = 0; i < 2; i++) {
        tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, ground, door, (tr_dvec3){0.0, i - 0.5, 0.0}, y_axis);
        space_joint(world, &def);
    }
    const uint64_t before = tr3_world_state_hash(world);
    const size_t held = allocator.held;
    uint32_t refused = 0;
    for (uint64_t n = 1;; n++) {
        tr3_acceleration out;
        memset(&out, 0x5a, sizeof out);
        test_fail_in(&allocator, n);
        tr_status status = tr3_body_acceleration(world, door, &out);
        const bool failed = allocator.failures > 0;
        test_fail_in(&allocator, 0);
        assert_true(allocator.held == held);
        if (!failed) {
            assert_int_equal(status, TR_OK);
            break;
        }
        refused++;
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_true(((unsigned char *)&out)[0] == 0x5a);
    }
    assert_true(refused >= 15);
    assert_true(tr3_world_state_hash(world) == before);
    tr3_world_destroy(world);
    assert_int_equal(allocator.held, 0);
    assert_int_equal(allocator.mismatches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_on_a_ball_follow_source_004),
        cmocka_unit_test(a_book_spins_as_euler_says),
        cmocka_unit_test(a_conical_pendulum_circles),
        cmocka_unit_test(a_gyroscope_precesses),
        cmocka_unit_test(a_door_on_two_hinges_shares_equally),
        cmocka_unit_test(a_four_bar_linkage_moves_as_in_the_plane),
        cmocka_unit_test(hinges_have_motors_stops_and_springs),
        cmocka_unit_test(cones_and_twists_are_stops),
        cmocka_unit_test(bad_arguments_are_named),
        cmocka_unit_test(failed_allocations_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
