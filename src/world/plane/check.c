/* Checks of vectors, bodies and joints of the plane. */
#include "world/core/check.h"

#include <math.h>
#include <stdio.h>

#include "solver/plane/rotation.h"

/* a number of a vector; the name is put together only if there is an error to write */
static tr_status check_part(const tr2_check *check, const char *name, const char *part, double value)
{
    if (isfinite(value))
        return TR_OK;
    char full[64];
    snprintf(full, sizeof full, "%s.%s", name, part);
    return tr2_check_finite(check, full, value);
}

tr_status tr2_check_vec(const tr2_check *check, const char *name, tr_vec2 value)
{
    return tr2_check_dvec(check, name, tr2_widen(value));
}

tr_status tr2_check_dvec(const tr2_check *check, const char *name, tr_dvec2 value)
{
    tr_status status = check_part(check, name, "x", value.x);
    return status != TR_OK ? status : check_part(check, name, "y", value.y);
}

tr_status tr2_check_spin(const tr2_check *check, const char *name, tr2_spin value)
{
    return tr2_check_finite(check, name, (double)value);
}

static tr_status check_result_along(const tr2_check *check, const char *name, const char *axis, float value)
{
    if (isfinite(value))
        return TR_OK;
    char full[64];
    snprintf(full, sizeof full, "%s along %s", name, axis);
    return tr2_check_result(check, full, (double)value);
}

tr_status tr2_check_result_vec(const tr2_check *check, const char *name, tr_vec2 value)
{
    tr_status status = check_result_along(check, name, "x", value.x);
    return status != TR_OK ? status : check_result_along(check, name, "y", value.y);
}

tr_status tr2_check_result_spin(const tr2_check *check, const char *name, tr2_spin value)
{
    return tr2_check_result(check, name, (double)value);
}

/*
 * Bodies
 */
tr_status tr2_check_orientation(const tr2_check *check, tr2_orientation orientation)
{
    tr_status status = tr2_check_finite(check, "angle", orientation);
    if (status == TR_OK && fabs(orientation) > TR2_ANGLE_MAX)
        status = tr2_check_fail(check, TR_ERROR_RANGE, "angle", "is %s rad, must lie within +-%g",
                                tr_number(orientation).text, TR2_ANGLE_MAX);
    return status;
}

tr_status tr2_check_inertia(const tr2_check *check, tr2_inertia inertia)
{
    tr_status status = tr2_check_not_negative(check, "inertia", (double)inertia);
    return status != TR_OK ? status : tr2_check_inverse(check, "inertia", inertia);
}

/*
 * Joints
 */
uint32_t tr2_check_fields(const tr2_joint_def *def, const tr2_joint_def *standard)
{
    (void)def;
    (void)standard;
    return TR2_FIELD_COUNT;
}

tr_status tr2_check_joint_own(const tr2_check *check, const tr2_joint_def *def)
{
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    if ((info->fields & TR2_GROUP_AXIS) != 0 && def->axis.x == 0.0f && def->axis.y == 0.0f)
        return tr2_check_fail(check, TR_ERROR_ZERO, "axis", "has no length");
    if ((info->fields & TR2_GROUP_AXIS_B) != 0 && def->axis_b.x == 0.0f && def->axis_b.y == 0.0f)
        return tr2_check_fail(check, TR_ERROR_ZERO, "axis_b", "has no length");
    /* a rope cannot push */
    if ((info->fields & TR2_GROUP_GROUND) != 0 && def->ratio < 0.0f)
        return tr2_check_fail(check, TR_ERROR_NEGATIVE, "ratio", "is %g, must not be negative", (double)def->ratio);
    if (def->equal_torque && def->ratio < 0.0f)
        return tr2_check_fail(check, TR_ERROR_RANGE, "ratio", "is %g, must be positive with equal_torque",
                              (double)def->ratio);
    return TR_OK;
}
