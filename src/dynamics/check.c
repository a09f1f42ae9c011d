#include "dynamics/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

tr_status tr_check_fail(const tr_check *check, tr_status status, const char *member, const char *part,
                        const char *format, ...)
{
    if (check->error == NULL)
        return status;
    char sentence[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    check->error->status = status;
    snprintf(check->error->message, TR_MESSAGE_SIZE, "%s: %s%s%s%s%s %s", check->call, check->subject,
             check->subject[0] != '\0' ? "." : "", member, part[0] != '\0' ? "." : "", part, sentence);
    return status;
}

tr_status tr_check_pointer(const tr_check *check, const char *name, const void *pointer)
{
    tr_check whole = {check->error, check->call, "", check->plane};
    return pointer == NULL ? tr_check_fail(&whole, TR_ERROR_NULL, name, "", "is null") : TR_OK;
}

tr_status tr_check_finite(const tr_check *check, const char *member, const char *part, double value)
{
    if (isnan(value))
        return tr_check_fail(check, TR_ERROR_NAN, member, part, "is NaN");
    if (isinf(value))
        return tr_check_fail(check, TR_ERROR_INFINITE, member, part, "is infinite");
    return TR_OK;
}

tr_status tr_check_not_negative(const tr_check *check, const char *member, const char *part, double value)
{
    tr_status status = tr_check_finite(check, member, part, value);
    if (status == TR_OK && value < 0.0)
        status = tr_check_fail(check, TR_ERROR_NEGATIVE, member, part, "is %g, must not be negative", value);
    return status;
}

/* "arm" and 'x' make "arm.x"; without a part "x" */
static const char *component(char out[24], const char *part, const char *name)
{
    snprintf(out, 24, "%s%s%s", part, part[0] != '\0' ? "." : "", name);
    return out;
}

tr_status tr_check_vec3(const tr_check *check, const char *member, const char *part, tr_dvec3 value)
{
    const char *const names[3] = {"x", "y", "z"};
    const double values[3] = {value.x, value.y, value.z};
    tr_status status = TR_OK;
    char name[24];
    for (int i = 0; i < 3 && status == TR_OK; i++)
        if (!isfinite(values[i]))
            status = tr_check_finite(check, member, component(name, part, names[i]), values[i]);
    return status;
}

/*
 * The pivots of T + tolerance E are positive if no eigenvalue of T is below -tolerance. Entries are relative to the
 * greatest, so that no product overflows; they may have been rounded to floats.
 */
static bool is_semidefinite(tr_dsym3 t)
{
    const double tolerance = 1e-6;
    double scale = fmax(fmax(t.xx, fmax(t.yy, t.zz)), fmax(fabs(t.xy), fmax(fabs(t.xz), fabs(t.yz))));
    if (scale == 0.0)
        return true;
    double xy = t.xy / scale, xz = t.xz / scale, yz = t.yz / scale;
    double first = t.xx / scale + tolerance;
    double second = t.yy / scale + tolerance - xy * xy / first;
    if (!(second > 0.0))
        return false;
    double rest = yz - xy * xz / first;
    return t.zz / scale + tolerance - xz * xz / first - rest * rest / second > 0.0;
}

static tr_status check_tensor(const tr_check *check, const char *member, tr_dsym3 t)
{
    if (check->plane)
        return tr_check_not_negative(check, member, "inverse_inertia", t.zz);

    const char *const names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const double values[6] = {t.xx, t.yy, t.zz, t.xy, t.xz, t.yz};
    tr_status status = TR_OK;
    char name[24];
    for (int i = 0; i < 6 && status == TR_OK; i++)
        if (!isfinite(values[i]) || (i < 3 && values[i] < 0.0))
            status = tr_check_not_negative(check, member, component(name, "inverse_inertia", names[i]), values[i]);
    if (status == TR_OK && !is_semidefinite(t))
        status = tr_check_fail(check, TR_ERROR_RANGE, member, "inverse_inertia", "has a negative eigenvalue");
    return status;
}

tr_status tr_check_body(const tr_check *check, const char *member, const tr3_point_body *body)
{
    tr_status status = tr_check_not_negative(check, member, "inverse_mass", body->inverse_mass);
    if (status == TR_OK)
        status = check_tensor(check, member, body->inverse_inertia);
    return status != TR_OK ? status : tr_check_vec3(check, member, "arm", body->arm);
}

tr_status tr_check_direction(const tr_check *check, const char *member, tr_dvec3 value)
{
    tr_status status = tr_check_vec3(check, member, "", value);
    if (status == TR_OK && value.x == 0.0 && value.y == 0.0 && value.z == 0.0)
        status = tr_check_fail(check, TR_ERROR_ZERO, member, "", "has no length");
    return status;
}

tr_status tr_check_result(const tr_check *check, const char *name, double value)
{
    tr_check whole = {check->error, check->call, "", check->plane};
    return isfinite(value) ? TR_OK : tr_check_fail(&whole, TR_ERROR_RANGE, name, "", "would not be finite");
}

tr_status tr_check_motion(const tr_check *check, const char *name, tr_dvec3 linear, tr_dvec3 angular)
{
    const double values[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    tr_status status = TR_OK;
    for (int i = 0; i < 6 && status == TR_OK; i++)
        status = tr_check_result(check, name, values[i]);
    return status;
}
