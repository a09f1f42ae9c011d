/* What the kernels of contacts believe, taken out of them and compared with the coordinates in double precision. That
   all instruction sets believe the same is in test_kernels.c. */
#include "joint_rows.h"

#define SEEDS 40

/* what each column of impulses acts on; totals and separations act on nothing */
static const int rows_of[TR2_CONTACT_IMPULSES] = {
    [TR2_CONTACT_NORMAL_0] = ALONG,
    [TR2_CONTACT_TANGENT] = ACROSS,
    [TR2_CONTACT_TURN] = ANGLE,
    [TR2_CONTACT_NORMAL_1] = ALONG,
};

static uint32_t kernel_of(bool featured)
{
    return tr2_kernel_of(TR_CONTACT, featured);
}

static uint32_t rows_in(bool featured)
{
    return tr2_kernels_scalar.joints[kernel_of(featured)].impulse_count;
}

/* The rig's contacts at places of their bodies: points where the anchors of B are, a normal that A has, and a second
   point. The columns of contacts are those in the world's axes. */
static void place_contacts(rig *r)
{
    for (uint32_t i = 0; i < RIG_JOINTS; i++) {
        uint32_t block = i / TR_LANES, lane = i % TR_LANES;
        joint it = joint_of(r, TR_CONTACT, block, lane);
        place p = place_of(r, block, lane);
        double b[2], c = cos(p.angle[0]), s = sin(p.angle[0]);
        double x = joint_field(&it, TR2_FIELD_AXIS_X), y = joint_field(&it, TR2_FIELD_AXIS_Y);
        anchor_at(&it, &p, 1, b);
        r->own[TR2_CONTACT_NORMAL_X][i] = (float)(c * x - s * y);
        r->own[TR2_CONTACT_NORMAL_Y][i] = (float)(s * x + c * y);
        r->own[TR2_CONTACT_ARM_A_X][i] = (float)(b[0] - p.x[0]);
        r->own[TR2_CONTACT_ARM_A_Y][i] = (float)(b[1] - p.y[0]);
        r->own[TR2_CONTACT_ARM_B_X][i] = (float)(b[0] - p.x[1]);
        r->own[TR2_CONTACT_ARM_B_Y][i] = (float)(b[1] - p.y[1]);
    }
}

/* the contact of a lane so far, 0 to 1, from its first point to its second, which is from it what its columns say */
static joint contact_of(const rig *r, uint32_t block, uint32_t lane, double along)
{
    joint j = joint_of(r, TR_CONTACT, block, lane);
    place p = place_of(r, block, lane);
    double x = along * (double)r->own[TR2_CONTACT_SECOND_X][j.row];
    double y = along * (double)r->own[TR2_CONTACT_SECOND_Y][j.row];
    for (int i = 0; i < 2; i++) {
        double c = cos(p.angle[i]), s = sin(p.angle[i]);
        j.anchor[i][0] += c * x + s * y;
        j.anchor[i][1] += c * y - s * x;
    }
    return j;
}

/* friction acts in the middle of the two */
static double place_of_row(uint32_t row, bool featured)
{
    return row >= TR2_CONTACT_NORMAL_1 ? 1.0 : row == TR2_CONTACT_TANGENT && featured ? 0.5 : 0.0;
}

static void unit_masses(rig *r)
{
    for (uint32_t i = 0; i < RIG_MOVING; i++)
        r->frames[i].inverse_mass = r->frames[i].inverse_inertia = 1.0f;
}

/* as the step begins; normals and arms stay for the step. Float rounding of arms of a few metres is some 1e-6. */
static void every_row_is_the_derivative_of_its_coordinate(void **state)
{
    (void)state;
    static rig r;
    for (int featured = 0; featured < 2; featured++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            place_contacts(&r);
            unit_masses(&r);
            prepare(&r, kernel_of(featured));
            uint32_t block = (uint32_t)seed % RIG_BLOCKS;
            for (uint32_t row = 0; row < rows_in(featured); row++) {
                quad j[TR_LANES];
                take_row(&r, kernel_of(featured), block, row, j);
                for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                    joint it = contact_of(&r, block, lane, place_of_row(row, featured != 0));
                    place p = place_of(&r, block, lane);
                    quad want = {{0.0}};
                    if (rows_of[row] != NO_ROW)
                        want = jacobian_of(&it, &p, rows_of[row]);
                    for (int i = 0; i < QUAD; i++)
                        if (fabs(j[lane].v[i] - want.v[i]) > 2e-5)
                            fail_msg("row %u, lane %u: J[%d] is %.9g, must be %.9g", row, lane, i, j[lane].v[i],
                                     want.v[i]);
                }
            }
        }
    }
}

static void impulses_conserve_momentum(void **state)
{
    (void)state;
    static rig r;
    for (int featured = 0; featured < 2; featured++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            rig_two_moving(&r, seed);
            place_contacts(&r);
            prepare(&r, kernel_of(featured));
            for (uint32_t row = 0; row < rows_in(featured); row++) {
                quad dv[TR_LANES];
                take_row(&r, kernel_of(featured), 0, row, dv);
                for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                    quad m = inverse_masses_of(&r, 0, lane), p = over_inverse_masses(&dv[lane], &m);
                    place at = place_of(&r, 0, lane);
                    double twist =
                        at.x[0] * p.v[1] - at.y[0] * p.v[0] + p.v[2] + at.x[1] * p.v[4] - at.y[1] * p.v[3] + p.v[5];
                    assert_true(fabs(p.v[0] + p.v[3]) < 1e-6 && fabs(p.v[1] + p.v[4]) < 1e-6 && fabs(twist) < 2e-5);
                }
            }
        }
    }
}

/*
 * One point, relaxed: lambda >= 0, the points do not come closer than they may, and one of the two is tight. Only so
 * where the kernel's K is J M^-1 J^T. Friction is inside its box and, where it is not at its edge, had stopped the slip
 * before the normal row was solved.
 */
static void relaxing_solves_the_complementarity_problem(void **state)
{
    (void)state;
    static rig r;
    uint32_t pushing = 0, open = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_two_moving(&r, seed);
        place_contacts(&r);
        for (uint32_t i = 0; i < RIG_JOINTS; i++) {
            r.impulse[TR2_CONTACT_NORMAL_0][i] = fabsf(r.impulse[TR2_CONTACT_NORMAL_0][i]);
            r.impulse[TR2_CONTACT_SEPARATION_0][i] *= 0.1f;
        }
        prepare(&r, kernel_of(false));
        uint32_t block = (uint32_t)seed % RIG_BLOCKS;
        static quad normal[TR_LANES];
        take_row(&r, kernel_of(false), block, TR2_CONTACT_NORMAL_0, normal);
        pass(&r, kernel_of(false), block, true);
        for (uint32_t lane = 0; lane < TR_LANES; lane++) {
            uint32_t row = block * TR_LANES + lane;
            quad m = inverse_masses_of(&r, block, lane), j = over_inverse_masses(&normal[lane], &m);
            quad v = velocity_of(&r, block, lane);
            double separation = (double)r.impulse[TR2_CONTACT_SEPARATION_0][row];
            double margin = dot_quad(&j, &v) + fmax(separation, 0.0) / (double)r.h;
            double lambda = (double)r.block[block].column[TR2_CONTACT_NORMAL_0][lane];
            double tangent = (double)r.block[block].column[TR2_CONTACT_TANGENT][lane];
            double before = (double)r.impulse[TR2_CONTACT_NORMAL_0][row] * (double)r.impulse_factor;
            double size = 1e-4 * (1.0 + fabs(dot_quad(&j, &v)) + fabs(separation) / (double)r.h);
            assert_true(lambda >= 0.0 && margin > -size);
            assert_true(lambda == 0.0 || margin < size);
            assert_true(fabs(tangent) <= (double)r.own[TR2_CONTACT_FRICTION][row] * before + 1e-6);
            pushing += lambda > 0.0;
            open += lambda == 0.0;
        }
    }
    /* both cases were met */
    assert_true(pushing > 50 && open > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_the_derivative_of_its_coordinate),
        cmocka_unit_test(impulses_conserve_momentum),
        cmocka_unit_test(relaxing_solves_the_complementarity_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
