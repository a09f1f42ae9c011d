/*
 * What one pass of a joint's kernel does, against the joint's rows in double precision (joint_rows.h): the impulses are
 * those of the dense K = J M^-1 J^T; rows that are held are satisfied, J v + bias + gamma lambda = 0, rigidly and
 * softly; springs, motors and limits too, each by itself; drives reach their velocity or their cap.
 */
#include "instrumented.h"
#include "joint_rows.h"

#define SEEDS TRIALS(40)

#define PI 3.14159265358979323846

/* the numbers that a softness is given here, by its group; they differ from group to group */
static double given_a(tr_softness_kind kind, uint32_t group)
{
    return kind == TR_PHYSICAL ? 300.0 + 100.0 * group : 10.0 + 5.0 * group;
}

static double given_b(tr_softness_kind kind)
{
    return kind == TR_PHYSICAL ? 5.0 : 0.7;
}

/* 0, 1, ... in the order of the fields */
static uint32_t group_of(tr2_field kind_field)
{
    uint32_t group = 0;
    for (uint32_t f = 0; f < (uint32_t)kind_field; f++)
        group += tr2_field_infos[f].kind == TR_KIND_KIND ? 1u : 0u;
    return group;
}

/*
 * Nothing but the held rows, at first without impulses: every spring, motor and limit off, every softness of the kind
 * said. A drive holds an offset, with all the force in the world.
 */
static void hold_only(rig *r, tr_softness_kind kind)
{
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        for (uint32_t f = 0; f < TR2_FIELD_COUNT; f++) {
            bool feature = f != TR2_FIELD_SLIDES_A && f != TR2_FIELD_SLIDES_B && f != TR2_FIELD_EQUAL_TORQUE;
            if (tr2_field_infos[f].kind == TR_KIND_BOOL && feature)
                rig_set_whole(r, (tr2_field)f, i, 0);
            if (tr2_field_infos[f].kind != TR_KIND_KIND)
                continue;
            rig_set_whole(r, (tr2_field)f, i, (uint32_t)kind);
            r->field[f + 1][i] = (float)given_a(kind, group_of((tr2_field)f));
            r->field[f + 2][i] = (float)given_b(kind);
        }
        r->field[TR2_FIELD_DRIVE_MAX_FORCE][i] = r->field[TR2_FIELD_DRIVE_MAX_TORQUE][i] = 1e9f;
        r->field[TR2_FIELD_MAX_FORCE][i] = 1e9f;
        for (uint32_t m = 0; m < TR2_MAX_IMPULSES; m++)
            r->impulse[m][i] = 0.0f;
        r->turn[i] = 0;
    }
    r->rigid = (tr2_soft){30.0f, 1.0f, 0.0f};
    r->limit = (tr2_soft){20.0f, 1.0f, 0.0f};
    r->gear = (tr2_soft){25.0f, 1.0f, 0.0f};
}

/* impulses in the rows that are held, as a step before would have left them */
static void give_impulses(rig *r, tr2_joint_type type)
{
    for (uint32_t m = 0; m < descriptions[type].held; m++)
        for (uint32_t i = 0; i < RIG_JOINTS; i++)
            r->impulse[m][i] = rig_random(r, -0.2f, 0.2f);
}

/* which softness a held row has */
static tr2_field kind_field_of(tr2_joint_type type, int which)
{
    if (descriptions[type].drives)
        return TR2_FIELD_DRIVE_KIND;
    bool angular = is_angular(which) || !tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND);
    return angular && tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND) ? TR2_FIELD_ANGULAR_KIND : TR2_FIELD_LINEAR_KIND;
}

/* C as the kernel must see it: with the reference, the rest length, the offset taken off */
static double held_error(const joint *j, const place *p, int which)
{
    joint here = *j;
    here.frame = p->angle[0];
    double value = coordinate_at(&here, p, which), c = cos(p->angle[0]), s = sin(p->angle[0]);
    bool offset = descriptions[j->type].drives;
    double x = offset ? joint_field(j, TR2_FIELD_DRIVE_OFFSET_X) : 0.0,
           y = offset ? joint_field(j, TR2_FIELD_DRIVE_OFFSET_Y) : 0.0;
    if (which == SEEN_X)
        return value - (c * x - s * y);
    if (which == SEEN_Y)
        return value - (s * x + c * y);
    if (which == LENGTH)
        return value - joint_field(j, TR2_FIELD_LENGTH);
    if (is_angular(which))
        return value - joint_field(j, TR2_FIELD_REFERENCE_ANGLE);
    if (which == MESH)
        return value - joint_field(j, TR2_FIELD_OFFSET);
    return value;
}

/* an implicit spring (docs/solver.md): J v + (bias rate) C + gamma lambda = 0 after the solve */
static void soft_numbers(const rig *r, tr2_soft rigid, tr_softness_kind kind, uint32_t group, double k, double *bias,
                         double *gamma)
{
    double h = (double)r->h, a = given_a(kind, group), b = given_b(kind);
    if (kind == TR_RIGID) {
        *bias = (double)rigid.bias_rate;
        *gamma = 0.0;
    } else if (kind == TR_PHYSICAL) {
        *bias = a / (b + h * a);
        *gamma = 1.0 / (h * (b + h * a));
    } else {
        double omega = 2.0 * PI * a, a1 = 2.0 * b + h * omega;
        *bias = omega / a1;
        *gamma = k / (h * omega * a1);
    }
}

/*
 * The rows of one lane's joint, in double
 */
typedef struct dense {
    quad j[TR2_MAX_IMPULSES], mj[TR2_MAX_IMPULSES]; /* J, M^-1 J^T */
} dense;

static dense dense_of(const joint *j, const place *p, const quad *inverse_masses)
{
    dense d;
    for (uint32_t row = 0; row < tr2_joint_types[j->type]->impulse_count; row++) {
        d.j[row] = jacobian_of(j, p, descriptions[j->type].row[row]);
        quad push = push_of(j, p, descriptions[j->type].row[row]);
        d.mj[row] = times_inverse_masses(&push, inverse_masses);
    }
    return d;
}

/* K of a row, as a softness of a frequency takes it */
static double row_k(const dense *d, tr2_joint_type type, uint32_t row)
{
    double k = dot_quad(&d->j[row], &d->mj[row]);
    if (descriptions[type].frequency == MEAN_POINT && !is_angular(descriptions[type].row[row]))
        k = 0.5 * (k + dot_quad(&d->j[1 - row], &d->mj[1 - row]));
    return k;
}

/*
 * From the same poses and two different velocities, one pass gives impulses that differ by as much as the dense K says:
 * K (lambda' - lambda) = -J (v' - v), for the rows that are held. The kernels work in float on K whose condition is
 * some thousands: what is left is 1e-7 of the largest terms, times that.
 */
static void impulses_are_those_of_the_dense_matrix(void **state)
{
    (void)state;
    static rig one, other;
    double worst = 0.0;
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        tr2_joint_type type = (tr2_joint_type)(kernel / 2);
        const joint_description *about = &descriptions[type];
        uint32_t rows = tr2_kernels_scalar.joints[kernel].impulse_count;
        for (uint64_t seed = 0; seed < SEEDS && about->held > 0; seed++) {
            uint32_t block = (uint32_t)seed % RIG_BLOCKS;
            rig_two_moving(&one, seed);
            hold_only(&one, TR_RIGID);
            prepare(&one, kernel);
            other = one;
            for (uint32_t i = 0; i < RIG_MOVING; i++)
                other.velocities[i] =
                    (tr2_body_velocity){rig_random(&one, -3, 3), rig_random(&one, -3, 3), rig_random(&one, -5, 5), 0};
            rig start = one, other_start = other;
            pass(&one, kernel, block, false);
            pass(&other, kernel, block, false);
            for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                joint j = joint_of(&start, type, block, lane);
                place p = place_of(&start, block, lane);
                quad m = inverse_masses_of(&start, block, lane), v = velocity_of(&start, block, lane),
                     w = velocity_of(&other_start, block, lane);
                if (is_singular(&j, &p))
                    continue;
                dense d = dense_of(&j, &p, &m);
                for (uint32_t row = 0; row < about->held; row++) {
                    double sum = dot_quad(&d.j[row], &w) - dot_quad(&d.j[row], &v), size = 1.0 + fabs(sum);
                    for (uint32_t i = 0; i < rows; i++) {
                        double change =
                            (double)other.block[block].column[i][lane] - (double)one.block[block].column[i][lane];
                        double term = dot_quad(&d.j[row], &d.mj[i]) * change;
                        sum += term;
                        size += fabs(term);
                    }
                    worst = fmax(worst, fabs(sum) / size);
                    if (fabs(sum) > 5e-4 * size)
                        fail_msg("%s kernel %u, row %u, lane %u: K dlambda + J dv is %.3g of %.3g",
                                 tr2_joint_types[type]->name, kernel, row, lane, sum, size);
                }
            }
        }
    }
    print_message("largest residual: %.1e of the terms\n", worst);
}

/* lane by lane: the residual of each held row beside the largest term in it */
static void check_held(const rig *start, const rig *r, uint32_t kernel, uint32_t block, tr_softness_kind kind,
                       bool relax)
{
    tr2_joint_type type = (tr2_joint_type)(kernel / 2);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        joint j = joint_of(r, type, block, lane);
        place p = place_of(r, block, lane);
        quad v = velocity_of(r, block, lane), before = velocity_of(start, block, lane);
        quad m = inverse_masses_of(r, block, lane);
        if (is_singular(&j, &p))
            continue;
        dense d = dense_of(&j, &p, &m);
        for (uint32_t row = 0; row < descriptions[type].held; row++) {
            int which = descriptions[type].row[row];
            double bias, gamma, lambda = (double)r->block[block].column[row][lane];
            tr2_soft rigid = type == TR2_JOINT_GEAR ? r->gear : type == TR2_JOINT_TARGET ? r->limit : r->rigid;
            soft_numbers(r, rigid, kind, group_of(kind_field_of(type, which)), row_k(&d, type, row), &bias, &gamma);
            double c = held_error(&j, &p, which);
            double terms[3] = {dot_quad(&d.j[row], &v),
                               relax && kind == TR_RIGID && !descriptions[type].unrelaxed ? 0.0 : bias * c,
                               gamma * lambda};
            double size = 1.0 + fabs(dot_quad(&d.j[row], &before)) + fabs(terms[1]) + fabs(terms[2]);
            /* the block's inverse in float: K has a condition of some thousands here */
            if (fabs(terms[0] + terms[1] + terms[2]) > 1e-3 * size)
                fail_msg(
                    "%s kernel %u, held as %d, %s, row %u, lane %u: J v %.9g + bias %.9g + gamma lambda %.9g is not 0",
                    tr2_joint_types[type]->name, kernel, (int)kind, relax ? "relax" : "solve", row, lane, terms[0],
                    terms[1], terms[2]);
        }
    }
}

static void solve_and_check(uint32_t kernel, tr_softness_kind kind, uint64_t seed, bool relax)
{
    static rig r, start;
    rig_two_moving(&r, seed);
    hold_only(&r, kind);
    give_impulses(&r, (tr2_joint_type)(kernel / 2));
    prepare(&r, kernel);
    if (relax)
        move(&r);
    uint32_t block = (uint32_t)seed % RIG_BLOCKS;
    start = r;
    pass(&r, kernel, block, relax);
    check_held(&start, &r, kernel, block, kind, relax);
}

/* frequencies that are relative to a whole block: see below */
static void solve_and_check_all(bool relax)
{
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        const joint_description *about = &descriptions[kernel / 2];
        bool featured = kernel % 2 == 1;
        for (uint64_t seed = 0; seed < SEEDS && (featured || !about->drives); seed++) {
            solve_and_check(kernel, TR_RIGID, seed, relax);
            if (featured && about->frequency != WHOLE_BLOCK)
                solve_and_check(kernel, TR_FREQUENCY, seed, relax);
            if (featured)
                solve_and_check(kernel, TR_PHYSICAL, seed, relax);
        }
    }
}

static void solving_satisfies_the_rows_that_are_held(void **state)
{
    (void)state;
    solve_and_check_all(false);
}

static void relaxing_leaves_no_bias_in_rigid_rows_and_springs_as_they_are(void **state)
{
    (void)state;
    solve_and_check_all(true);
}

/*
 * A revolute's frequency is relative to the whole 2 x 2 block: the change of lambda is (mass scale) of the rigid one
 * less (impulse scale) lambda, so J v_new = J v - (mass scale)(J v + bias) - (impulse scale) K lambda.
 */
static void a_revolute_of_a_frequency_is_soft_as_a_block(void **state)
{
    (void)state;
    static rig r, start;
    const uint32_t kernel = tr2_kernel_of(TR2_JOINT_REVOLUTE, true);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_two_moving(&r, seed);
        hold_only(&r, TR_FREQUENCY);
        give_impulses(&r, TR2_JOINT_REVOLUTE);
        prepare(&r, kernel);
        start = r;
        pass(&r, kernel, 0, false);
        tr2_soft soft = rig_soft((float)given_a(TR_FREQUENCY, 0), (float)given_b(TR_FREQUENCY), r.h);
        for (uint32_t lane = 0; lane < TR_LANES; lane++) {
            joint j = joint_of(&r, TR2_JOINT_REVOLUTE, 0, lane);
            place p = place_of(&r, 0, lane);
            quad v = velocity_of(&r, 0, lane), before = velocity_of(&start, 0, lane),
                 m = inverse_masses_of(&r, 0, lane);
            dense d = dense_of(&j, &p, &m);
            for (uint32_t row = 0; row < 2; row++) {
                double k_lambda = 0.0;
                for (uint32_t i = 0; i < 2; i++)
                    k_lambda += dot_quad(&d.j[row], &d.mj[i]) * (double)start.block[0].column[i][lane];
                double rate = dot_quad(&d.j[row], &before),
                       c = held_error(&j, &p, descriptions[TR2_JOINT_REVOLUTE].row[row]);
                double want = rate - (double)soft.mass_scale * (rate + (double)soft.bias_rate * c) -
                              (double)soft.impulse_scale * k_lambda;
                double is = dot_quad(&d.j[row], &v);
                if (fabs(is - want) > 1e-3 * (1.0 + fabs(rate) + fabs(k_lambda)))
                    fail_msg("lane %u, row %u: J v is %.9g, must be %.9g", lane, row, is, want);
            }
        }
    }
}

/*
 * Springs, motors, limits: each alone, found by the names of the impulses
 */
typedef enum feature { SPRING, MOTOR, LOWER, UPPER, NO_FEATURE } feature;

static feature feature_of(tr2_joint_type type, uint32_t row)
{
    static const char *const names[] = {"spring", "motor", "lower", "upper"};
    for (int f = 0; f < NO_FEATURE; f++)
        if (strcmp(tr2_joint_types[type]->impulse_names[row], names[f]) == 0)
            return (feature)f;
    return NO_FEATURE;
}

/* the free coordinate that a feature acts on, upward */
static double free_coordinate(const joint *j, const place *p, uint32_t row)
{
    int which = abs(descriptions[j->type].row[row]);
    return coordinate_at(j, p, which) - (is_angular(which) ? joint_field(j, TR2_FIELD_REFERENCE_ANGLE) : 0.0);
}

/* that feature and no other; limits a little before and beyond where the joint is */
static void enable_feature(rig *r, tr2_joint_type type, uint32_t row)
{
    static const tr2_field switches[] = {TR2_FIELD_SPRING_ENABLE, TR2_FIELD_MOTOR_ENABLE, TR2_FIELD_LIMIT_ENABLE,
                                         TR2_FIELD_LIMIT_ENABLE};
    const feature f = feature_of(type, row);
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        joint j = joint_of(r, type, i / TR_LANES, i % TR_LANES);
        place p = place_of(r, i / TR_LANES, i % TR_LANES);
        float near = (float)free_coordinate(&j, &p, row) + rig_random(r, -0.03f, 0.03f);
        rig_set_whole(r, switches[f], i, 1);
        r->field[TR2_FIELD_MOTOR_MAXIMUM][i] = 1e9f;
        r->field[TR2_FIELD_LIMIT_LOWER][i] = f == LOWER ? near : -1e6f;
        r->field[TR2_FIELD_LIMIT_UPPER][i] = f == UPPER ? near : 1e6f;
    }
}

/*
 * The impulse that a feature must have after one pass that began with none, from where and how fast the bodies were:
 * K lambda = -(J v + bias), of springs (K + gamma); limits push, or do nothing. J is that of the free coordinate: minus
 * for upper limits.
 */
static double feature_impulse(const rig *r, const joint *j, const place *p, const quad *v, const dense *d, uint32_t row,
                              tr_softness_kind kind)
{
    const feature f = feature_of(j->type, row);
    double k = dot_quad(&d->j[row], &d->mj[row]), rate = dot_quad(&d->j[row], v), c = free_coordinate(j, p, row), bias,
           gamma;
    if (f == SPRING) {
        soft_numbers(r, r->rigid, kind, group_of(TR2_FIELD_SPRING_KIND), k, &bias, &gamma);
        return -(rate + bias * (c - joint_field(j, TR2_FIELD_SPRING_TARGET))) / (k + gamma);
    }
    if (f == MOTOR)
        return (joint_field(j, TR2_FIELD_MOTOR_SPEED) - rate) / k;
    double gap = f == LOWER ? c - joint_field(j, TR2_FIELD_LIMIT_LOWER) : joint_field(j, TR2_FIELD_LIMIT_UPPER) - c;
    bias = gap > 0.0 ? gap / (double)r->h : (double)r->limit.bias_rate * gap;
    return fmax(-(rate + bias) / k, 0.0);
}

static void check_feature(tr2_joint_type type, uint32_t row, tr_softness_kind kind, uint64_t seed, uint32_t *pushed)
{
    static rig r, start;
    const uint32_t kernel = tr2_kernel_of(type, true), block = (uint32_t)seed % RIG_BLOCKS;
    rig_two_moving(&r, seed);
    hold_only(&r, kind);
    enable_feature(&r, type, row);
    prepare(&r, kernel);
    start = r;
    pass(&r, kernel, block, false);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        joint j = joint_of(&start, type, block, lane);
        place p = place_of(&start, block, lane);
        quad m = inverse_masses_of(&start, block, lane), v = velocity_of(&start, block, lane);
        if (is_singular(&j, &p))
            continue;
        dense d = dense_of(&j, &p, &m);
        double is = (double)r.block[block].column[row][lane];
        double want = feature_impulse(&start, &j, &p, &v, &d, row, kind);
        *pushed += want != 0.0 ? 1 : 0;
        /* float has 1e-6 of angles of some tens of radians, which the gap is a difference of: over h and K */
        double rounding = 1e-5 / (double)r.h / dot_quad(&d.j[row], &d.mj[row]);
        if (fabs(is - want) > 1e-4 * fabs(want) + rounding)
            fail_msg("%s, %s as %d, lane %u: impulse is %.9g, must be %.9g", tr2_joint_types[type]->name,
                     tr2_joint_types[type]->impulse_names[row], (int)kind, lane, is, want);
    }
}

static void springs_motors_and_limits_are_solved_with_their_own_k(void **state)
{
    (void)state;
    uint32_t found[NO_FEATURE] = {0};
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        for (uint32_t row = 0; row < tr2_joint_types[type]->impulse_count; row++) {
            feature f = feature_of((tr2_joint_type)type, row);
            if (f == NO_FEATURE)
                continue;
            uint32_t pushed = 0, kinds = f == SPRING ? 3 : 1;
            for (uint32_t kind = 0; kind < kinds; kind++)
                for (uint64_t seed = 0; seed < SEEDS; seed++)
                    check_feature((tr2_joint_type)type, row, (tr_softness_kind)kind, seed, &pushed);
            assert_true(pushed > SEEDS * TR_LANES / 5);
            found[f]++;
        }
    }
    for (int f = 0; f < NO_FEATURE; f++)
        assert_true(found[f] >= 3);
}

/* such a joint solves its angle, then its point: the point's rows are exact after one pass, and capped as a circle */
static void check_capped_drive(tr2_joint_type type)
{
    static rig r;
    const uint32_t kernel = tr2_kernel_of(type, false);
    uint32_t capped = 0, reached = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_two_moving(&r, seed);
        for (uint32_t i = 0; i < RIG_JOINTS; i++) {
            r.field[TR2_FIELD_DRIVE_MAX_FORCE][i] = i % 2 == 0 ? 1e9f : 20.0f;
            r.field[TR2_FIELD_DRIVE_MAX_TORQUE][i] = i % 4 < 2 ? 1e9f : 20.0f;
        }
        prepare(&r, kernel);
        pass(&r, kernel, 0, false);
        for (uint32_t lane = 0; lane < TR_LANES; lane++) {
            quad v = velocity_of(&r, 0, lane);
            double x = (double)r.block[0].column[0][lane], y = (double)r.block[0].column[1][lane];
            double twist = (double)r.block[0].column[2][lane], h = (double)r.h;
            double most = h * (double)r.field[TR2_FIELD_DRIVE_MAX_FORCE][lane];
            assert_true(fabs(twist) <= h * (double)r.field[TR2_FIELD_DRIVE_MAX_TORQUE][lane] * 1.000001);
            double length = sqrt(x * x + y * y);
            assert_true(length <= most * 1.000001);
            if (length > most * 0.999999) {
                capped++;
                continue;
            }
            reached++;
            joint j = joint_of(&r, type, 0, lane);
            place p = place_of(&r, 0, lane);
            double c = cos(p.angle[0]), s = sin(p.angle[0]), vx = 0.0, vy = 0.0;
            if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_VELOCITY_X)) {
                vx = (double)r.field[TR2_FIELD_DRIVE_VELOCITY_X][lane];
                vy = (double)r.field[TR2_FIELD_DRIVE_VELOCITY_Y][lane];
            }
            const double want[2] = {c * vx - s * vy, s * vx + c * vy};
            for (uint32_t row = 0; row < 2; row++) {
                quad along = jacobian_of(&j, &p, descriptions[type].row[row]);
                if (fabs(dot_quad(&along, &v) - want[row]) > 1e-3 * (1.0 + fabs(want[row])))
                    fail_msg("lane %u, row %u: velocity %.9g, must be %.9g", lane, row, dot_quad(&along, &v),
                             want[row]);
            }
        }
    }
    /* both happened, often */
    assert_true(capped > TRIALS(50) && reached > TRIALS(200));
}

static void a_motor_joint_reaches_its_velocity_or_its_cap(void **state)
{
    (void)state;
    check_capped_drive(TR2_JOINT_MOTOR);
}

static void a_friction_joint_comes_to_rest_or_to_its_cap(void **state)
{
    (void)state;
    check_capped_drive(TR2_JOINT_FRICTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_are_those_of_the_dense_matrix),
        cmocka_unit_test(solving_satisfies_the_rows_that_are_held),
        cmocka_unit_test(relaxing_leaves_no_bias_in_rigid_rows_and_springs_as_they_are),
        cmocka_unit_test(a_revolute_of_a_frequency_is_soft_as_a_block),
        cmocka_unit_test(springs_motors_and_limits_are_solved_with_their_own_k),
        cmocka_unit_test(a_motor_joint_reaches_its_velocity_or_its_cap),
        cmocka_unit_test(a_friction_joint_comes_to_rest_or_to_its_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
