/*
 * What the kernels believe about each joint's rows, taken out of the kernels themselves and compared with the joint's
 * coordinate C (joint_rows.h): warm starting with one impulse of 1 changes the velocities by M^-1 J^T, which gives J,
 * row by row; J v must be the central difference of C along v. And impulses between two bodies leave their momentum as
 * it was.
 */
#include "joint_rows.h"

#define SEEDS 40

/* a type without a line in the table would pass every other test here */
static void every_type_is_described(void **state)
{
    (void)state;
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        const tr2_joint_type_info *info = tr2_joint_types[kernel / 2];
        const joint_description *d = &descriptions[kernel / 2];
        assert_true(tr2_kernels_scalar.joints[kernel].impulse_count <= info->impulse_count);
        for (uint32_t row = 0; row < TR2_MAX_IMPULSES; row++)
            if ((d->row[row] != NO_ROW) != (row < info->impulse_count))
                fail_msg("%s: row %u is not as described in joint_rows.h", info->name, row);
        assert_true(d->held <= info->impulse_count);
    }
}

/* with masses of 1, what an impulse does is J itself */
static void unit_masses(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++)
        r->frames[i].inverse_mass = r->frames[i].inverse_inertia = 1.0f;
}

/* float rounding of arms of a few metres, some 1e-6, beside the central difference's 1e-9 */
static void check_row(const rig *r, uint32_t kernel, uint32_t block, uint32_t row)
{
    tr2_joint_type type = (tr2_joint_type)(kernel / 2);
    quad j[TR_LANES];
    take_row(r, kernel, block, row, j);
    for (uint32_t lane = 0; lane < TR_LANES; lane++) {
        joint joint_here = joint_of(r, type, block, lane);
        place here = place_of(r, block, lane);
        if (is_singular(&joint_here, &here))
            continue;
        quad want = push_of(&joint_here, &here, descriptions[type].row[row]);
        quad m = inverse_masses_of(r, block, lane);
        want = times_inverse_masses(&want, &m);
        for (int i = 0; i < QUAD; i++)
            if (fabs(j[lane].v[i] - want.v[i]) > 2e-5)
                fail_msg("%s kernel %u, row %u, lane %u, entry %d: J is %.9g, the coordinate changes by %.9g",
                         tr2_joint_types[type]->name, kernel, row, lane, i, j[lane].v[i], want.v[i]);
    }
}

static void every_row_is_the_derivative_of_its_coordinate(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            unit_masses(&r);
            prepare(&r, kernel);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++)
                check_row(&r, kernel, (uint32_t)seed % RIG_BLOCKS, row);
        }
    }
}

/* after bodies have moved, the relaxing pass takes the rows anew where they are */
static void every_row_follows_the_bodies_through_the_step(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            unit_masses(&r);
            prepare(&r, kernel);
            move(&r);
            uint32_t block = (uint32_t)seed % RIG_BLOCKS;
            pass(&r, kernel, block, true);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++)
                check_row(&r, kernel, block, row);
        }
    }
}

/* Impulses between two bodies: linear and angular momentum stay, to rounding, also where the joint is not satisfied. */
static void impulses_conserve_momentum(void **state)
{
    (void)state;
    static rig r;
    for (uint32_t kernel = 0; kernel < JOINT_KERNELS; kernel++) {
        tr2_joint_type type = (tr2_joint_type)(kernel / 2);
        for (uint64_t seed = 0; seed < SEEDS && !descriptions[type].outside; seed++) {
            rig_two_moving(&r, seed);
            prepare(&r, kernel);
            for (uint32_t row = 0; row < tr2_kernels_scalar.joints[kernel].impulse_count; row++) {
                quad dv[TR_LANES];
                take_row(&r, kernel, 0, row, dv);
                for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                    joint here = joint_of(&r, type, 0, lane);
                    if (!keeps_momentum(&here))
                        continue;
                    quad m = inverse_masses_of(&r, 0, lane), p = over_inverse_masses(&dv[lane], &m);
                    place at = place_of(&r, 0, lane);
                    double x = 0.0, y = 0.0, twist = 0.0;
                    for (int end = 0; end < TR_ENDS; end++) {
                        bool again = false; /* each body once */
                        for (int other = 0; other < end; other++)
                            again = again || here.end[other] == here.end[end];
                        if (again)
                            continue;
                        const double *q = &p.v[3 * end];
                        x += q[0];
                        y += q[1];
                        twist += at.x[end] * q[1] - at.y[end] * q[0] + q[2];
                    }
                    if (fabs(x) > 2e-6 || fabs(y) > 2e-6 || fabs(twist) > 2e-5)
                        fail_msg("%s kernel %u, row %u: momentum %g, %g, angular %g out of nothing",
                                 tr2_joint_types[type]->name, kernel, row, x, y, twist);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_described),
        cmocka_unit_test(every_row_is_the_derivative_of_its_coordinate),
        cmocka_unit_test(every_row_follows_the_bodies_through_the_step),
        cmocka_unit_test(impulses_conserve_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
