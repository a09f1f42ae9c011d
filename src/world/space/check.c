/* Checks of vectors, bodies and joints in space. */
#include "world/core/check.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"

/* a number of a vector; the name is put together only if there is an error to write */
static tr_status check_part(const tr3_check *check, const char *name, const char *part, double value)
{
    if (isfinite(value))
        return TR_OK;
    char full[64];
    snprintf(full, sizeof full, "%s.%s", name, part);
    return tr3_check_finite(check, full, value);
}

tr_status tr3_check_vec(const tr3_check *check, const char *name, tr_vec3 value)
{
    return tr3_check_dvec(check, name, tr3_widen(value));
}

tr_status tr3_check_dvec(const tr3_check *check, const char *name, tr_dvec3 value)
{
    tr_status status = check_part(check, name, "x", value.x);
    if (status == TR_OK)
        status = check_part(check, name, "y", value.y);
    return status != TR_OK ? status : check_part(check, name, "z", value.z);
}

tr_status tr3_check_spin(const tr3_check *check, const char *name, tr3_spin value)
{
    return tr3_check_vec(check, name, value);
}

static tr_status check_result_along(const tr3_check *check, const char *name, const char *axis, float value)
{
    if (isfinite(value))
        return TR_OK;
    char full[64];
    snprintf(full, sizeof full, "%s along %s", name, axis);
    return tr3_check_result(check, full, (double)value);
}

tr_status tr3_check_result_vec(const tr3_check *check, const char *name, tr_vec3 value)
{
    tr_status status = check_result_along(check, name, "x", value.x);
    if (status == TR_OK)
        status = check_result_along(check, name, "y", value.y);
    return status != TR_OK ? status : check_result_along(check, name, "z", value.z);
}

tr_status tr3_check_result_spin(const tr3_check *check, const char *name, tr3_spin value)
{
    return tr3_check_result_vec(check, name, value);
}

/* a quaternion that is to be normalised */
static tr_status check_quat(const tr3_check *check, const char *name, tr_quat q)
{
    tr_status status = tr3_check_vec(check, name, (tr_vec3){q.x, q.y, q.z});
    if (status == TR_OK)
        status = check_part(check, name, "w", (double)q.w);
    if (status == TR_OK && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f)
        status = tr3_check_fail(check, TR_ERROR_ZERO, name, "has no length");
    return status;
}

/*
 * Bodies
 */
tr_status tr3_check_orientation(const tr3_check *check, tr3_orientation orientation)
{
    return check_quat(check, "rotation", orientation);
}

/* For roundings, as parts of the greatest moment. Floats hold the least moment of a tensor that is not diagonal only
   within a few parts of ten million of the greatest. */
#define LEAST_TILTED 1e-6
#define TRIANGLE     1e-5

/* the principal moments of a tensor whose diagonal is positive */
static tr_status check_moments(const tr3_check *check, tr3_inertia inertia)
{
    tr_dvec3 moments;
    tr3_dquat frame;
    tr3_principal(inertia, &moments, &frame);
    double x = moments.x, y = moments.y, z = moments.z;
    double most = fmax(x, fmax(y, z)), least = fmin(x, fmin(y, z));
    if (tr3_inertia_tilts(inertia) && least < LEAST_TILTED * most)
        return tr3_check_fail(check, TR_ERROR_RANGE, "inertia",
                              "has the principal moments %g, %g and %g: the least must be %g of the greatest or more",
                              x, y, z, LEAST_TILTED);
    if (most > x + y + z - most + TRIANGLE * most)
        return tr3_check_fail(check, TR_ERROR_RANGE, "inertia",
                              "has the principal moments %g, %g and %g: none may exceed the sum of the others", x, y,
                              z);
    if (!isfinite((float)most))
        return tr3_check_fail(check, TR_ERROR_RANGE, "inertia", "has a principal moment that does not fit a float, %g",
                              most);
    return tr3_check_inverse(check, "inertia", (float)least);
}

tr_status tr3_check_inertia(const tr3_check *check, tr3_inertia inertia)
{
    const struct {
        const char *name;
        float value;
    } parts[] = {{"inertia.xx", inertia.xx}, {"inertia.yy", inertia.yy}, {"inertia.zz", inertia.zz},
                 {"inertia.xy", inertia.xy}, {"inertia.xz", inertia.xz}, {"inertia.yz", inertia.yz}};
    bool point = true; /* a point mass: all zero */
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < 6 && status == TR_OK; i++) {
        double value = (double)parts[i].value;
        status =
            i < 3 ? tr3_check_not_negative(check, parts[i].name, value) : tr3_check_finite(check, parts[i].name, value);
        point = point && value == 0.0;
    }
    for (uint32_t i = 0; i < 3 && status == TR_OK && !point; i++) {
        if (parts[i].value == 0.0f)
            status = tr3_check_fail(check, TR_ERROR_ZERO, parts[i].name, "is zero, but the others are not");
    }
    return status != TR_OK || point ? status : check_moments(check, inertia);
}

/*
 * Joints
 */
static tr_status check_swing(const tr3_check *check, const tr3_joint_def *def)
{
    const float half_turn = (float)TR_PI;
    if (def->cone_angle > half_turn)
        return tr3_check_fail(check, TR_ERROR_RANGE, "cone_angle", "is %g rad, more than pi", (double)def->cone_angle);
    if (def->cone_angle_2 > half_turn)
        return tr3_check_fail(check, TR_ERROR_RANGE, "cone_angle_2", "is %g rad, more than pi",
                              (double)def->cone_angle_2);
    if (def->cone_angle_2 > 0.0f && def->cone_angle == 0.0f)
        return tr3_check_fail(check, TR_ERROR_RANGE, "cone_angle", "is 0, but cone_angle_2 is %g rad: no ellipse",
                              (double)def->cone_angle_2);
    if (def->twist.lower < -half_turn)
        return tr3_check_fail(check, TR_ERROR_RANGE, "twist.lower", "is %g rad, less than -pi",
                              (double)def->twist.lower);
    if (def->twist.upper > half_turn)
        return tr3_check_fail(check, TR_ERROR_RANGE, "twist.upper", "is %g rad, more than pi",
                              (double)def->twist.upper);
    if (def->twist.lower > def->twist.upper)
        return tr3_check_fail(check, TR_ERROR_RANGE, "twist.lower", "is %g, above twist.upper, %g",
                              (double)def->twist.lower, (double)def->twist.upper);
    return TR_OK;
}

/* the last fields, of further coordinates, only if they have been written */
uint32_t tr3_check_fields(const tr3_joint_def *def, const tr3_joint_def *standard)
{
    /* bytes between members may differ, too: then all fields are looked at */
    const size_t from = offsetof(tr3_joint_def, second);
    const size_t size = offsetof(tr3_joint_def, sixth) + sizeof def->sixth - from;
    bool further = (tr3_joint_types[def->type]->fields & TR3_GROUP_FURTHER) != 0 ||
                   memcmp((const char *)def + from, (const char *)standard + from, size) != 0;
    return further ? TR3_FIELD_AFTER_FURTHER : TR3_FIELD_SECOND_SPRING_ENABLE;
}

/* the limits of the second coordinate and the others */
static tr_status check_further(const tr3_check *check, const tr3_joint_def *def)
{
    for (uint32_t k = 1; k < TR3_COORDINATES; k++) {
        const tr_limit limit = tr3_def_features(def, k).limit;
        const tr3_field lower = tr3_field_of(TR3_FIELD_LIMIT_LOWER, k), upper = tr3_field_of(TR3_FIELD_LIMIT_UPPER, k);
        if (limit.lower > limit.upper)
            return tr3_check_fail(check, TR_ERROR_RANGE, tr3_field_name(lower), "is %s, above %s, %s",
                                  tr_number((double)limit.lower).text, tr3_field_name(upper),
                                  tr_number((double)limit.upper).text);
    }
    return TR_OK;
}

tr_status tr3_check_joint_own(const tr3_check *check, const tr3_joint_def *def)
{
    const tr3_mask fields = tr3_joint_types[def->type]->fields;
    if ((fields & TR3_GROUP_AXIS) != 0 && tr3_is_same(def->axis, (tr_vec3){0.0f, 0.0f, 0.0f}))
        return tr3_check_fail(check, TR_ERROR_ZERO, "axis", "has no length");
    if ((fields & TR3_GROUP_AXIS_2) != 0 && !tr3_is_same(def->axis_2, (tr_vec3){0.0f, 0.0f, 0.0f}) &&
        !tr3_has_across(def->axis, def->axis_2))
        return tr3_check_fail(check, TR_ERROR_RANGE, "axis_2", "is along axis");
    /* an inerter without one turns with the rate about its axis */
    const bool needs_b = def->type != TR3_JOINT_INERTER || (def->across && !def->slides_b);
    if (needs_b && (fields & TR3_GROUP_AXIS_B) != 0 && tr3_is_same(def->axis_b, (tr_vec3){0.0f, 0.0f, 0.0f}))
        return tr3_check_fail(check, TR_ERROR_ZERO, "axis_b", "has no length");
    /* a rope cannot push */
    if (def->type == TR3_JOINT_PULLEY && def->ratio < 0.0f)
        return tr3_check_fail(check, TR_ERROR_NEGATIVE, "ratio", "is %g, must not be negative", (double)def->ratio);
    tr_status status = (fields & TR3_GROUP_REFERENCE) != 0 ? check_quat(check, "reference", def->reference) : TR_OK;
    if (status == TR_OK && def->type == TR3_JOINT_GEAR)
        status = check_quat(check, "reference_b", def->reference_b);
    if (status == TR_OK && (fields & TR3_GROUP_FURTHER) != 0)
        status = check_further(check, def);
    return status == TR_OK && (fields & TR3_GROUP_SWING) != 0 ? check_swing(check, def) : status;
}
