/* One correction of a position: the plane is solved as a part of space. */
#include "trammel/impact.h"

#include "base/arithmetic.h"
#include "dynamics/check.h"
#include "dynamics/row.h"

tr2_correction_def tr2_correction_def_default(void)
{
    return (tr2_correction_def){.share = 1.0};
}

tr3_correction_def tr3_correction_def_default(void)
{
    return (tr3_correction_def){.share = 1.0};
}

static tr_status check_def(const tr_check *check, const tr3_correction_def *def)
{
    tr_status status = tr_check_body(check, "body_a", &def->body_a);
    if (status == TR_OK)
        status = tr_check_body(check, "body_b", &def->body_b);
    if (status == TR_OK)
        status = tr_check_direction(check, "direction", def->direction);
    if (status == TR_OK)
        status = tr_check_finite(check, "error", "", def->error);
    if (status == TR_OK)
        status = tr_check_not_negative(check, "share", "", def->share);
    if (status == TR_OK && def->share > 1.0)
        status = tr_check_fail(check, TR_ERROR_RANGE, "share", "", "is %g, must not be above 1", def->share);
    return status != TR_OK ? status : tr_check_not_negative(check, "slop", "", def->slop);
}

/* what of the error is beyond the slop */
static double excess(const tr3_correction_def *def)
{
    if (def->error < -def->slop)
        return def->error + def->slop;
    if (def->bilateral && def->error > def->slop)
        return def->error - def->slop;
    return 0.0;
}

static tr3_displacement pushed(double lambda, const tr_push *push)
{
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    return (tr3_displacement){tr_row_add(none, lambda, push->move), tr_row_add(none, lambda, push->turn)};
}

static tr_status correct(const tr_check *check, const tr3_correction_def *def, tr3_correction_result *out)
{
    tr_status status = check_def(check, def);
    if (status != TR_OK)
        return status;

    tr3_point_body a = def->body_a, b = def->body_b;
    if (def->linear_only) {
        const tr_dsym3 none = {.xx = 0.0};
        a.inverse_inertia = none;
        b.inverse_inertia = none;
    }
    tr_row row = tr_row_make(&a, &b, def->direction);
    status = tr_check_result(check, "inverse_effective_mass", row.k);
    if (status != TR_OK)
        return status;

    double beyond = def->share * excess(def);
    double lambda = row.held || beyond == 0.0 ? 0.0 : -beyond / row.k;
    tr3_correction_result result = {lambda, row.k, pushed(-lambda, &row.a), pushed(lambda, &row.b)};
    status = tr_check_result(check, "lambda", lambda);
    if (status == TR_OK)
        status = tr_check_motion(check, "displacement_a", result.displacement_a.linear, result.displacement_a.angular);
    if (status == TR_OK)
        status = tr_check_motion(check, "displacement_b", result.displacement_b.linear, result.displacement_b.angular);
    if (status == TR_OK)
        *out = result;
    return status;
}

tr_status tr3_correction(const tr3_correction_def *def, tr3_correction_result *out, tr_error *error)
{
    const tr_check check = {error, "correction", "def", false};
    tr_status status = tr_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr_check_pointer(&check, "out", out);
    if (status != TR_OK)
        return status;

    tr_arithmetic before = tr_arithmetic_plain();
    status = correct(&check, def, out);
    tr_arithmetic_restore(&before);
    return status;
}

static tr2_displacement displacement_in_plane(const tr3_displacement *displacement)
{
    return (tr2_displacement){tr_in_plane(displacement->linear), displacement->angular.z};
}

tr_status tr2_correction(const tr2_correction_def *def, tr2_correction_result *out, tr_error *error)
{
    const tr_check check = {error, "correction", "def", true};
    tr_status status = tr_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = tr_check_pointer(&check, "out", out);
    if (status != TR_OK)
        return status;

    const tr3_correction_def space = {
        .body_a = tr_body_in_space(&def->body_a),
        .body_b = tr_body_in_space(&def->body_b),
        .direction = tr_in_space(def->direction),
        .error = def->error,
        .share = def->share,
        .slop = def->slop,
        .bilateral = def->bilateral,
        .linear_only = def->linear_only,
    };
    tr3_correction_result result;
    tr_arithmetic before = tr_arithmetic_plain();
    status = correct(&check, &space, &result);
    tr_arithmetic_restore(&before);
    if (status == TR_OK)
        *out = (tr2_correction_result){result.lambda, result.inverse_effective_mass,
                                       displacement_in_plane(&result.displacement_a),
                                       displacement_in_plane(&result.displacement_b)};
    return status;
}
