/* Inerters as rotors of balls and of three angles, against the mass matrix: J^T I J with their inertances added. */
#define TR_DIMENSION 3

#include <stdlib.h>

#include "instrumented.h"
#include "solver/space/definitions.h"
#include "solver/space/geometry.h"
#include "space.h"
#include "space_bits.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 axis[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static void near_to(const char *what, tr_method method, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s, %s: %.9g, not %.9g", what, tr_method_name(method), have, want);
}

static void near_to_vec(const char *what, tr_method method, tr_dvec3 have, tr_dvec3 want, double slack)
{
    near_to(what, method, space_length(space_minus(have, want)), 0.0, slack);
}

static tr_dvec3 spin_of(const tr3_world *world, tr3_body body)
{
    tr_vec3 linear, angular;
    SPACE_OK(tr3_body_get_velocity(world, body, &linear, &angular));
    return tr3_widen(angular);
}

/* three about the axes of `b`, as MJCF has a ball's armature */
static void add_ball_rotors(tr3_world *world, tr3_body a, tr3_body b, float inertance)
{
    for (int i = 0; i < 3; i++) {
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_INERTER);
        def.body_a = b;
        def.body_b = a;
        def.axis = axis[i];
        def.inertance = inertance;
        space_joint(world, &def);
    }
}

/* of the angles of a general joint between a and b, about x, y1 and z of b */
static void add_angle_rotors(tr3_world *world, tr3_body a, tr3_body b, const float inertance[3])
{
    for (int i = 0; i < 3; i++) {
        tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_INERTER);
        def.body_a = i == 2 ? b : a;
        def.body_b = i == 2 ? a : b;
        def.axis = axis[i == 2 ? 2 : 0];
        def.axis_b = axis[i == 2 ? 0 : 2];
        def.across = i == 1;
        def.inertance = inertance[i];
        space_joint(world, &def);
    }
}

/* T = (I + b) w' about any axis */
static void a_ball_with_rotors_spins_up_by_both(void **state)
{
    (void)state;
    const tr_dvec3 n = {1.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0};
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        tr3_world *world = space_world(m, still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body body = space_body(world, TR_DYNAMIC, origin, 1.0f, (tr_vec3){0.4f, 0.4f, 0.4f});
        const tr3_joint_def def = space_between(world, TR3_JOINT_BALL, ground, body, origin, axis[0]);
        space_joint(world, &def);
        add_ball_rotors(world, ground, body, 1.0f);
        for (int step = 0; step < 60; step++) {
            SPACE_OK(tr3_body_apply_torque(world, body, tr3_narrow(tr3_times(2.8, n))));
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        }
        near_to_vec("rate", m, spin_of(world, body), tr3_times(2.0, n), 4e-4);
        near_to("energy", m, tr3_world_measure(world).kinetic_energy, 0.5 * 1.4 * 4.0, 4e-3);
        tr3_world_destroy(world);
    }
}

/* T = 2 pi sqrt((I + b) / (m g l)), in a plane that is none of the axes' */
static void a_ball_pendulum_swings_with_both(void **state)
{
    (void)state;
    const double first = 0.1, length = 0.5, mass = 2.0, own = 0.1, inertance = 0.8;
    const tr_dvec3 side = {0.6, 0.0, 0.8};
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        tr3_world *world = space_world(m, (tr_vec3){0.0f, -10.0f, 0.0f}, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body bob = space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -length, 0.0}, (float)mass,
                                  (tr_vec3){(float)own, (float)own, (float)own});
        const tr3_joint_def def = space_between(world, TR3_JOINT_BALL, ground, bob, origin, axis[0]);
        space_joint(world, &def);
        add_ball_rotors(world, ground, bob, (float)inertance);
        const double s = sin(0.5 * first);
        SPACE_OK(tr3_body_set_transform(
            world, bob, (tr_dvec3){length * sin(first) * side.x, -length * cos(first), length * sin(first) * side.z},
            (tr_quat){(float)(-s * side.z), 0.0f, (float)(s * side.x), (float)cos(0.5 * first)}));
        double before = first, pass = 0.0;
        int passes = 0;
        for (int step = 0; passes < 10 && step < 4000; step++) {
            tr3_transform at;
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            SPACE_OK(tr3_body_get_transform(world, bob, &at));
            const double now = tr3_dot(at.position, side);
            if (before * now <= 0.0) {
                passes++;
                pass = step + 1 - now / (now - before);
            }
            before = now;
        }
        const double total = own + mass * length * length + inertance;
        const double period = 6.283185307 * sqrt(total / (mass * 10.0 * length)) * (1.0 + first * first / 16.0);
        near_to("period", m, pass / 60.0 / 4.75, period, m == TR_DIRECT ? 1e-4 * period : 4e-3 * period);
        tr3_world_destroy(world);
    }
}

/* a body on three angles about its centre, in some pose; columns of J are the axes of the angles */
typedef struct gimbal {
    tr3_world *world;
    tr3_body body;
    tr_dvec3 j[3];
    tr3_dquat turn;
} gimbal;

static const tr_vec3 moments = {0.3f, 0.5f, 0.4f};
static const float inertances[3] = {1.0f, 0.5f, 0.8f};

static tr3_dquat about(int k, double angle)
{
    const double s = sin(0.5 * angle);
    return (tr3_dquat){k == 0 ? s : 0.0, k == 1 ? s : 0.0, k == 2 ? s : 0.0, cos(0.5 * angle)};
}

/* `sprung`: its second angle keeps off a quarter turn */
static gimbal gimbal_of(tr_method method, const double angle[3], bool sprung)
{
    gimbal it = {.world = space_world(method, still, 1)};
    tr3_body ground = space_body(it.world, TR_STATIC, origin, 1.0f, unit);
    it.body = space_body(it.world, TR_DYNAMIC, origin, 1.0f, moments);
    tr3_joint_def def = space_between(it.world, TR3_JOINT_GENERAL, ground, it.body, origin, axis[0]);
    def.axis_2 = axis[1];
    def.fourth.locked = def.fifth.locked = def.sixth.locked = false;
    def.fifth.spring = (tr_spring){sprung, 0.0f, tr_physical(20.0f, 0.0f)};
    space_joint(it.world, &def);
    add_angle_rotors(it.world, ground, it.body, inertances);
    it.turn = (tr3_dquat){0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 3; k++) {
        it.j[k] = tr3_turned(it.turn, tr3_widen(axis[k]));
        it.turn = tr3_compose(it.turn, about(k, angle[k]));
    }
    SPACE_OK(tr3_body_set_transform(it.world, it.body, origin, tr3_narrow_quat(it.turn)));
    return it;
}

/* I a of the body, in its pose */
static tr_dvec3 resisted(const gimbal *it, tr_dvec3 a)
{
    const tr_dvec3 in = tr3_turned(tr3_conjugate(it->turn), a);
    return tr3_turned(it->turn,
                      (tr_dvec3){(double)moments.x * in.x, (double)moments.y * in.y, (double)moments.z * in.z});
}

/* the acceleration from rest: J q'' with (J^T I J + b) q'' = J^T T */
static tr_dvec3 expected(const gimbal *it, tr_dvec3 torque)
{
    double m[3][4];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            m[i][k] = tr3_dot(it->j[i], resisted(it, it->j[k])) + (i == k ? (double)inertances[i] : 0.0);
        m[i][3] = tr3_dot(it->j[i], torque);
    }
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < 3; r++)
            for (int k = 3; k >= i && r != i; k--)
                m[r][k] -= m[r][i] / m[i][i] * m[i][k];
    tr_dvec3 sum = origin;
    for (int i = 0; i < 3; i++)
        sum = tr3_plus(sum, tr3_times(m[i][3] / m[i][i], it->j[i]));
    return sum;
}

static const double poses[][3] = {{0.4, -0.7, 0.5}, {-1.2, 1.1, 2.0}, {0.0, 0.0, 0.0}, {2.5, 2.2, -0.6}};

static void angles_accelerate_by_the_mass_matrix(void **state)
{
    (void)state;
    const tr_dvec3 torque = {0.06, 0.12, -0.09};
    for (size_t p = 0; p < sizeof poses / sizeof poses[0]; p++)
        for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
            gimbal it = gimbal_of(m, poses[p], false);
            const tr_dvec3 want = expected(&it, torque);
            tr3_acceleration out;
            tr_accelerations_report report;
            tr3_accelerations what = {&it.body, 1, &out, NULL, 0, NULL};
            SPACE_OK(tr3_body_apply_torque(it.world, it.body, tr3_narrow(torque)));
            SPACE_OK(tr3_world_accelerations(it.world, &what, NULL, &report));
            near_to_vec("acceleration", m, out.angular, want, 1e-6);
            for (int step = 0; step < 200; step++) {
                SPACE_OK(tr3_world_step(it.world, 1.0 / 2000.0, 4));
                SPACE_OK(tr3_body_apply_torque(it.world, it.body, tr3_narrow(torque)));
            }
            const double share = m == TR_DIRECT ? 1e-3 : m == TR_POSITION_BASED ? 2e-2 : 4e-3;
            near_to_vec("rate", m, spin_of(it.world, it.body), tr3_times(0.1, want), share * 0.1 * space_length(want));
            tr3_world_destroy(it.world);
        }
}

/* springs turn angles by more than a turn, with all others free: each method counts their turns */
static void angles_count_over_turns(void **state)
{
    (void)state;
    static const struct {
        tr3_joint_type type;
        uint32_t coordinate;
    } cases[] = {{TR3_JOINT_HINGE, 0},     {TR3_JOINT_CYLINDRICAL, 1}, {TR3_JOINT_PLANAR, 2},  {TR3_JOINT_PARALLEL, 0},
                 {TR3_JOINT_UNIVERSAL, 0}, {TR3_JOINT_UNIVERSAL, 1},   {TR3_JOINT_GENERAL, 3}, {TR3_JOINT_GENERAL, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
            tr3_world *world = space_world(m, still, 1);
            tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
            tr3_body body = space_body(world, TR_DYNAMIC, origin, 1.0f, moments);
            tr3_joint_def def = space_between(world, cases[i].type, ground, body, origin, axis[0]);
            if (cases[i].type == TR3_JOINT_GENERAL)
                def.fourth.locked = def.fifth.locked = def.sixth.locked = false;
            tr3_features f = tr3_def_features(&def, cases[i].coordinate);
            f.spring = (tr_spring){true, 8.0f, tr_physical(4.0f, 2.0f)};
            tr3_def_set_features(&def, cases[i].coordinate, f);
            tr3_joint joint = space_joint(world, &def);
            for (int step = 0; step < 180; step++)
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            tr_joint_coordinate_value at;
            SPACE_OK(tr3_joint_coordinate_of(world, joint, cases[i].coordinate, &at));
            near_to(tr3_joint_type_name(cases[i].type), m, (double)at.value, 8.0, 0.1);
            tr3_world_destroy(world);
        }
}

/* their energy is in the body's motion and theirs, and none is made as all turn */
static void angles_keep_their_energy(void **state)
{
    (void)state;
    for (tr_method m = 0; m < TR_METHOD_COUNT; m++) {
        gimbal it = gimbal_of(m, poses[2], true);
        SPACE_OK(tr3_body_set_velocity(it.world, it.body, still, (tr_vec3){1.0f, 0.5f, -0.8f}));
        SPACE_OK(tr3_world_step(it.world, 1.0 / 60.0, 4));
        const tr3_measures begin = tr3_world_measure(it.world);
        const double energy = begin.kinetic_energy + begin.potential_energy;
        double most = energy;
        for (int left = TRIALS(1500); left > 0; left--) {
            SPACE_OK(tr3_world_step(it.world, 1.0 / 60.0, 4));
            const tr3_measures now = tr3_world_measure(it.world);
            most = fmax(most, now.kinetic_energy + now.potential_energy);
            if (m == TR_DIRECT)
                near_to("energy", m, now.kinetic_energy + now.potential_energy, energy, 2e-4 * energy);
        }
        near_to("greatest energy", m, most, energy, 0.02 * energy);
        tr3_world_destroy(it.world);
    }
}

static void what_lies_across_needs_an_axis_of_b(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body a = space_body(world, TR_DYNAMIC, origin, 1.0f, unit),
             b = space_body(world, TR_DYNAMIC, origin, 1.0f, unit);
    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_INERTER), back;
    def.body_a = a;
    def.body_b = b;
    assert_true(tr3_is_same(def.axis_b, still));
    def.across = true;
    assert_int_equal(tr3_world_create_joint(world, &def, NULL), TR_ERROR_ZERO);
    assert_non_null(strstr(tr3_world_last_error(world)->message, "axis_b"));
    def.axis_b = (tr_vec3){0.0f, 3.0f, 4.0f};
    tr3_joint joint = space_joint(world, &def);
    SPACE_OK(tr3_joint_get(world, joint, &back));
    assert_true(back.across && tr3_is_same(back.axis_b, (tr_vec3){0.0f, 0.6f, 0.8f}));
    SPACE_OK(tr3_joint_set_value(world, joint, TR3_FIELD_ACROSS, 0.0f));
    SPACE_OK(tr3_joint_set_value(world, joint, TR3_FIELD_AXIS_B_Y, 0.0f));
    SPACE_OK(tr3_joint_set_value(world, joint, TR3_FIELD_AXIS_B_Z, 0.0f));
    SPACE_OK(tr3_joint_get(world, joint, &back));
    assert_true(tr3_is_same(back.axis_b, still));
    tr3_world_destroy(world);
}

/* bodies on three angles and on balls in rows, with rotors */
static tr3_world *rows_of_rotors(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, (tr_vec3){0.0f, -10.0f, 0.0f}, threads);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    for (int i = 0; i < 20; i++) {
        tr3_body last = ground;
        for (int k = 0; k < 4; k++) {
            const tr_dvec3 at = {(double)k + 0.5, 2.0 * i, 0.0}, foot = {(double)k, 2.0 * i, 0.0};
            tr3_body next = space_body(world, TR_DYNAMIC, at, 1.0f + 0.1f * (float)i, (tr_vec3){0.2f, 0.3f, 0.4f});
            const bool ball = (i + k) % 2 == 0;
            tr3_joint_def def =
                space_between(world, ball ? TR3_JOINT_BALL : TR3_JOINT_GENERAL, last, next, foot, axis[0]);
            if (!ball) {
                def.axis_2 = axis[1];
                def.fourth.locked = def.fifth.locked = def.sixth.locked = false;
                def.fifth.limit = (tr_limit){true, -1.2f, 1.2f};
            }
            space_joint(world, &def);
            if (ball)
                add_ball_rotors(world, last, next, 0.3f);
            else
                add_angle_rotors(world, last, next, inertances);
            last = next;
        }
    }
    return world;
}

static void all_sets_have_the_same_bits(void **state)
{
    (void)state;
    space_same_bits(rows_of_rotors, TRIALS(40), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_with_rotors_spins_up_by_both),
        cmocka_unit_test(a_ball_pendulum_swings_with_both),
        cmocka_unit_test(angles_accelerate_by_the_mass_matrix),
        cmocka_unit_test(angles_count_over_turns),
        cmocka_unit_test(angles_keep_their_energy),
        cmocka_unit_test(what_lies_across_needs_an_axis_of_b),
        cmocka_unit_test(all_sets_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
