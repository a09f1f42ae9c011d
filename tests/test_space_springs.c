/*
 * Soft rows in space by frequency: every direction of a block has it, whatever the bodies' moments and the arms are. A
 * block's coordinates C then are C(0) times what one mass on a spring does, sub-step by sub-step.
 */
#include "oscillator.h"
#include "space.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, x_axis = {1.0f, 0.0f, 0.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

/* a thin rod of 2 m along its x axis, and a plate */
static const tr_vec3 rod = {0.002f, 0.3333f, 0.3333f}, plate = {0.5f, 0.1f, 0.6f};

/*
 * How far bodies are moved from rest, m or rad. Terms of second order are of this size relative to those of first; the
 * rod's moments differ by 170 times, which enters into them. A hundredth of it is left for these; and the rounding of
 * quaternions to floats is 3e-5 of it.
 */
#define AMPLITUDE 2e-3
#define TOLERANCE (0.01 * AMPLITUDE)

static tr_dvec3 plus(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static tr_dvec3 times(double k, tr_dvec3 v)
{
    return (tr_dvec3){k * v.x, k * v.y, k * v.z};
}

static tr_dvec3 cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(tr_dvec3 a, tr_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static tr_dvec3 any_vector(uint64_t *seed)
{
    double x = (double)space_random(seed), y = (double)space_random(seed);
    return (tr_dvec3){x, y, (double)space_random(seed)};
}

static tr_dvec3 unit(tr_dvec3 v)
{
    return times(1.0 / space_length(v), v);
}

static tr_quat any_rotation(uint64_t *seed)
{
    double q[4], square = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)space_random(seed);
        square += q[i] * q[i];
    }
    const double k = 1.0 / sqrt(square);
    return (tr_quat){(float)(k * q[0]), (float)(k * q[1]), (float)(k * q[2]), (float)(k * q[3])};
}

/* quaternions in double */
typedef struct quat {
    tr_dvec3 v;
    double w;
} quat;

static quat wide(tr_quat q)
{
    return (quat){{(double)q.x, (double)q.y, (double)q.z}, (double)q.w};
}

static quat back(quat q)
{
    return (quat){times(-1.0, q.v), q.w};
}

/* p q: first q, then p */
static quat after(quat p, quat q)
{
    return (quat){plus(plus(times(p.w, q.v), times(q.w, p.v)), cross(p.v, q.v)), p.w * q.w - dot(p.v, q.v)};
}

/* the turn by `small` (rad) after q */
static tr_quat turned_by(tr_dvec3 small, tr_quat q)
{
    const tr_dvec3 half = times(0.5, small);
    const quat r = after((quat){half, sqrt(1.0 - dot(half, half))}, wide(q));
    return (tr_quat){(float)r.v.x, (float)r.v.y, (float)r.v.z, (float)r.w};
}

/* A joint between two bodies, which is at rest at their first poses. */
typedef struct pair {
    tr3_world *world;
    tr3_body a, b;
    tr3_joint joint;
    tr_dvec3 axis; /* of a hinge or slider, in the world */
    quat rest;     /* conj(qA) qB at first */
} pair;

static tr_quat rotation_of(const tr3_world *world, tr3_body body)
{
    tr3_transform pose;
    SPACE_OK(tr3_body_get_transform(world, body, &pose));
    return pose.rotation;
}

/* C of the point, in the world's axes */
static tr_dvec3 apart(const pair *p)
{
    tr3_joint_def def;
    tr_dvec3 a, b;
    SPACE_OK(tr3_joint_get(p->world, p->joint, &def));
    SPACE_OK(tr3_body_world_point(p->world, p->a, def.anchor_a, &a));
    SPACE_OK(tr3_body_world_point(p->world, p->b, def.anchor_b, &b));
    return space_minus(b, a);
}

/* C of the rotation: 2 vec(qB conj(qA rest)) */
static tr_dvec3 rotated(const pair *p)
{
    const quat q = after(wide(rotation_of(p->world, p->b)), back(after(wide(rotation_of(p->world, p->a)), p->rest)));
    return times(q.w < 0.0 ? -2.0 : 2.0, q.v);
}

/* the part that the joint holds: across the axis for two rows */
static tr_dvec3 held_part(const pair *p, bool two, tr_dvec3 v)
{
    return two ? space_minus(v, times(dot(v, p->axis), p->axis)) : v;
}

static pair pair_of(tr3_joint_type type, bool fixed, bool at_centers, tr_softness linear, tr_softness angular,
                    uint64_t *seed)
{
    pair p = {.world = space_world(TR_SOFT_STEP, still, 1)};
    tr3_body_def def = tr3_body_def_default();
    def.type = fixed ? TR_STATIC : TR_DYNAMIC;
    def.mass = 3.0f;
    def.inertia = (tr_sym3){plate.x, plate.y, plate.z, 0.0f, 0.0f, 0.0f};
    def.rotation = any_rotation(seed);
    SPACE_OK(tr3_world_create_body(p.world, &def, &p.a));
    def.type = TR_DYNAMIC;
    def.mass = 1.0f;
    def.inertia = (tr_sym3){rod.x, rod.y, rod.z, 0.0f, 0.0f, 0.0f};
    def.rotation = any_rotation(seed);
    if (!at_centers)
        def.position = any_vector(seed);
    SPACE_OK(tr3_world_create_body(p.world, &def, &p.b));
    tr_dvec3 at = origin;
    if (!at_centers)
        SPACE_OK(tr3_body_world_point(p.world, p.b, (tr_vec3){1.0f, 0.0f, 0.0f}, &at));
    p.axis = unit(any_vector(seed));
    tr3_joint_def on =
        space_between(p.world, type, p.a, p.b, at, (tr_vec3){(float)p.axis.x, (float)p.axis.y, (float)p.axis.z});
    on.linear = linear;
    on.angular = angular;
    p.joint = space_joint(p.world, &on);
    p.rest = after(back(wide(rotation_of(p.world, p.a))), wide(rotation_of(p.world, p.b)));
    return p;
}

/* moves B by `shift` and turns it by `turn` about its anchor */
static void displace(const pair *p, tr_dvec3 shift, tr_dvec3 turn)
{
    tr3_joint_def def;
    tr3_transform pose;
    tr_dvec3 before, after;
    SPACE_OK(tr3_joint_get(p->world, p->joint, &def));
    SPACE_OK(tr3_body_get_transform(p->world, p->b, &pose));
    SPACE_OK(tr3_body_world_point(p->world, p->b, def.anchor_b, &before));
    SPACE_OK(tr3_body_set_transform(p->world, p->b, pose.position, turned_by(turn, pose.rotation)));
    SPACE_OK(tr3_body_world_point(p->world, p->b, def.anchor_b, &after));
    tr_dvec3 position = plus(pose.position, plus(shift, space_minus(before, after)));
    SPACE_OK(tr3_body_set_transform(p->world, p->b, position, turned_by(turn, pose.rotation)));
}

static void near_vector(const char *what, int step, tr_dvec3 is, tr_dvec3 want, double tolerance)
{
    if (!(space_length(space_minus(is, want)) <= tolerance))
        fail_msg("%s, step %d: %g %g %g, expected %g %g %g", what, step, is.x, is.y, is.z, want.x, want.y, want.z);
}

/* from rest, d^2C/dt^2 of the exact accelerations is -(2 pi f)^2 C; anchors are floats */
static void accelerates(const char *what, const pair *p, bool angular, bool two, double frequency)
{
    tr3_joint_def def;
    tr3_transform at_a, at_b;
    tr3_acceleration a = {0}, b;
    tr_dvec3 anchor;
    SPACE_OK(tr3_joint_get(p->world, p->joint, &def));
    SPACE_OK(tr3_body_get_transform(p->world, p->a, &at_a));
    SPACE_OK(tr3_body_get_transform(p->world, p->b, &at_b));
    SPACE_OK(tr3_body_world_point(p->world, p->b, def.anchor_b, &anchor));
    SPACE_OK(tr3_body_acceleration(p->world, p->b, &b));
    SPACE_OK(tr3_body_acceleration(p->world, p->a, &a));
    tr_dvec3 of_a = plus(a.linear, cross(a.angular, space_minus(anchor, at_a.position)));
    tr_dvec3 of_b = plus(b.linear, cross(b.angular, space_minus(anchor, at_b.position)));
    tr_dvec3 is = angular ? space_minus(b.angular, a.angular) : space_minus(of_b, of_a);
    const double w = 2.0 * 3.14159265358979323846 * frequency;
    tr_dvec3 c = angular ? rotated(p) : apart(p);
    near_vector(what, 0, held_part(p, two, is), times(-w * w, held_part(p, two, c)), 2e-3 * w * w * AMPLITUDE);
}

/* a second of oscillation in any direction, by 4 sub-steps of 60 Hz */
static void oscillates(const char *what, const pair *p, const tr_softness *linear, const tr_softness *angular,
                       bool two_linear, bool two_angular)
{
    const tr_dvec3 d = apart(p), t = rotated(p);
    double x = 1.0, rate = 0.0, turn = 1.0, spin = 0.0;
    for (int step = 1; step <= 60; step++) {
        SPACE_OK(tr3_world_step(p->world, 1.0 / 60.0, 4));
        for (int i = 0; i < 4; i++) {
            if (linear != NULL)
                oscillator_substep((double)linear->a, (double)linear->b, 1.0 / 240.0, &x, &rate);
            if (angular != NULL)
                oscillator_substep((double)angular->a, (double)angular->b, 1.0 / 240.0, &turn, &spin);
        }
        if (linear != NULL)
            near_vector(what, step, held_part(p, two_linear, apart(p)), times(x, held_part(p, two_linear, d)),
                        TOLERANCE);
        if (angular != NULL)
            near_vector(what, step, held_part(p, two_angular, rotated(p)), times(turn, held_part(p, two_angular, t)),
                        TOLERANCE);
    }
}

/* each kind of rows by itself, at the end of the rod, along axes and between; A fixed or free */
static void every_direction_has_the_frequency(void **state)
{
    (void)state;
    static const tr3_joint_type types[] = {TR3_JOINT_WELD, TR3_JOINT_HINGE, TR3_JOINT_SLIDER, TR3_JOINT_BALL};
    const tr_softness off = tr_frequency(0.0f, 0.0f), soft = tr_frequency(2.0f, 0.1f);
    uint64_t seed = 7;
    for (int round = 0; round < 160; round++) {
        const tr3_joint_type type = types[round % 4];
        const bool angular = round / 4 % 2 == 1, fixed = round / 8 % 2 == 1;
        const bool two = angular ? type == TR3_JOINT_HINGE : type == TR3_JOINT_SLIDER;
        pair p = pair_of(type, fixed, false, angular ? off : soft, angular ? soft : off, &seed);
        tr_dvec3 way = unit(held_part(&p, two, any_vector(&seed)));
        displace(&p, angular ? origin : times(AMPLITUDE, way), angular ? times(AMPLITUDE, way) : origin);
        accelerates(tr3_joint_type_name(type), &p, angular, two, 2.0);
        oscillates(tr3_joint_type_name(type), &p, angular ? NULL : &soft, angular ? &soft : NULL, two, two);
        tr3_world_destroy(p.world);
    }
}

/* both kinds of rows at once, each at its own frequency, where no arm couples them */
static void point_and_rotation_have_their_own(void **state)
{
    (void)state;
    static const tr3_joint_type types[] = {TR3_JOINT_WELD, TR3_JOINT_HINGE, TR3_JOINT_SLIDER};
    const tr_softness linear = tr_frequency(3.0f, 0.2f), angular = tr_frequency(1.5f, 0.1f);
    uint64_t seed = 11;
    for (int round = 0; round < 60; round++) {
        const tr3_joint_type type = types[round % 3];
        pair p = pair_of(type, round / 3 % 2 == 1, true, linear, angular, &seed);
        displace(&p, times(AMPLITUDE, held_part(&p, type == TR3_JOINT_SLIDER, unit(any_vector(&seed)))),
                 times(AMPLITUDE, held_part(&p, type == TR3_JOINT_HINGE, unit(any_vector(&seed)))));
        oscillates(tr3_joint_type_name(type), &p, &linear, &angular, type == TR3_JOINT_SLIDER, type == TR3_JOINT_HINGE);
        tr3_world_destroy(p.world);
    }
}

/*
 * Soft in both, a rod of the length L that is welded to the ground at its end has two modes. With C = (y, angle) at the
 * anchor, K is 4/m and 12/(m L^2) on its diagonal and -6/(m L) beside it, and C'' = -w^2 [1 -L/2; -3/(2 L) 1] C, so the
 * modes have w^2 (1 +- c), c = sqrt(3)/2, and angle/y = -+2 c/L; damping ratios go with the frequencies.
 */
static void an_arm_couples_point_and_rotation(void **state)
{
    (void)state;
    const double length = 2.0, c = sqrt(0.75), frequency = 2.0, ratio = 0.1;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double factor = sqrt(1.0 + sign * c);
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        tr3_body body = space_body(world, TR_DYNAMIC, (tr_dvec3){0.5 * length, 0.0, 0.0}, 1.0f,
                                   (tr_vec3){0.002f, 1.0f / 3.0f, 1.0f / 3.0f});
        tr3_joint_def on = space_between(world, TR3_JOINT_WELD, ground, body, origin, x_axis);
        on.linear = on.angular = tr_frequency((float)frequency, (float)ratio);
        pair p = {.world = world, .a = ground, .b = body, .joint = space_joint(world, &on)};
        p.rest = wide(rotation_of(world, body));
        const tr_dvec3 y = {0.0, 0.5 * AMPLITUDE, 0.0}, turn = {0.0, 0.0, -sign * c / length * AMPLITUDE};
        displace(&p, y, turn);
        const tr_softness mode = tr_frequency((float)(factor * frequency), (float)(factor * ratio));
        oscillates(sign < 0 ? "slow mode" : "fast mode", &p, &mode, &mode, false, false);
        tr3_world_destroy(world);
    }
}

/*
 * The first velocities of a fine simulation from rest are the accelerations, with every kind of softness. Over the time
 * T a spring's force falls by its damping, z w T of it, and by (w T)^2/6: 0.5 % at 0.5 Hz with z 0.1.
 */
static void fine_simulations_begin_as_the_equations_say(void **state)
{
    (void)state;
    enum { BODIES = 4 };
    uint64_t seed = 13;
    for (int round = 0; round < 60; round++) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -9.81f, 0.0f}, 1);
        tr3_body bodies[BODIES];
        for (uint32_t i = 0; i < BODIES; i++) {
            tr3_body_def def = tr3_body_def_default();
            def.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
            def.position = plus((tr_dvec3){1.5 * i, 0.0, 0.0}, times(0.3, any_vector(&seed)));
            def.rotation = any_rotation(&seed);
            def.mass = 1.0f + 0.5f * space_random(&seed);
            def.inertia = (tr_sym3){0.1f, 0.3f, 0.3f, 0.0f, 0.0f, 0.0f};
            SPACE_OK(tr3_world_create_body(world, &def, &bodies[i]));
        }
        for (uint32_t i = 1; i < BODIES; i++) {
            static const tr3_joint_type types[] = {TR3_JOINT_WELD, TR3_JOINT_HINGE, TR3_JOINT_SLIDER};
            const tr_softness kinds[] = {tr_rigid(), tr_frequency(0.5f, 0.1f), tr_physical(5.0f, 0.05f),
                                         tr_frequency(0.0f, 0.0f)};
            tr_dvec3 way = unit(any_vector(&seed));
            tr3_joint_def def = space_between(world, types[random_index(&seed, 3)], bodies[random_index(&seed, i)],
                                              bodies[i], (tr_dvec3){1.5 * i - 0.75, 0.2, 0.1},
                                              (tr_vec3){(float)way.x, (float)way.y, (float)way.z});
            def.linear = kinds[random_index(&seed, 4)];
            def.angular = kinds[random_index(&seed, 4)];
            /* springs are away from rest; rigid rows have no error */
            if (def.linear.kind != TR_RIGID)
                def.anchor_b.y += 0.3f;
            if (def.angular.kind != TR_RIGID)
                def.reference = turned_by(times(0.5, any_vector(&seed)), def.reference);
            space_joint(world, &def);
        }
        tr3_acceleration exact[BODIES];
        tr3_accelerations what = {bodies, BODIES, exact, NULL, 0, NULL};
        tr_accelerations_report report;
        SPACE_OK(tr3_world_accelerations(world, &what, NULL, &report));
        assert_int_equal(report.left_out, 0);
        const double time = 1.0 / 64.0;
        SPACE_OK(tr3_world_set_joint_softness(world, 1000.0f, 1.0f));
        SPACE_OK(tr3_world_set_method(world, TR_SOFT_STEP, 4));
        SPACE_OK(tr3_world_step(world, time, 512));
        for (int i = 0; i < BODIES; i++) {
            tr_vec3 v, w;
            SPACE_OK(tr3_body_get_velocity(world, bodies[i], &v, &w));
            double scale = 0.03 * (10.0 + space_length(exact[i].linear) + space_length(exact[i].angular));
            tr_dvec3 linear = {(double)v.x / time, (double)v.y / time, (double)v.z / time};
            tr_dvec3 angular = {(double)w.x / time, (double)w.y / time, (double)w.z / time};
            near_vector("linear", round, linear, exact[i].linear, scale);
            near_vector("angular", round, angular, exact[i].angular, scale);
        }
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_direction_has_the_frequency),
        cmocka_unit_test(point_and_rotation_have_their_own),
        cmocka_unit_test(an_arm_couples_point_and_rotation),
        cmocka_unit_test(fine_simulations_begin_as_the_equations_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
