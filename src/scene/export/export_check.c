/* Writers of URDF and MJCF: scenes that neither can say, for a number that is not finite, or a zero that has no direction. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include "scene/core/joint_paths.h"

/* what is not finite among the numbers, if nothing has been before; else 0 */
static double not_finite(double before, const float *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count && isfinite(before); i++)
        if (!isfinite(numbers[i]))
            return (double)numbers[i];
    return before;
}

static double not_finite_doubles(double before, const double *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count && isfinite(before); i++)
        if (!isfinite(numbers[i]))
            return numbers[i];
    return before;
}

static tr_status status_of(double found)
{
    return isnan(found) ? TR_ERROR_NAN : TR_ERROR_INFINITE;
}

static bool is_zero(tr_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_zero_quat(tr_quat q)
{
    return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f;
}

/* direct_load may be infinite */
static tr_status check_world(const tr3_scene *scene, tr_error *error)
{
    const float numbers[] = {scene->joint_frequency, scene->joint_damping_ratio, scene->length_unit,
                             scene->sleep.speed,     scene->sleep.angular_speed, scene->sleep.time};
    double found = not_finite(0.0, &scene->gravity.x, 3);
    found = not_finite(found, numbers, sizeof numbers / sizeof numbers[0]);
    found = not_finite_doubles(found, &scene->hertz, 1);
    return isfinite(found) ? TR_OK : tr_scene_fail(error, status_of(found), "world: a number is not finite");
}

static tr_status check_body(const tr3_body_def *def, uint32_t b, tr_error *error)
{
    static const uint32_t counts[] = {
        [TR_SCENE_FLOAT] = 1, [TR_SCENE_DOUBLE] = 1,   [TR_SCENE_BOOL] = 0,  [TR_SCENE_VECTOR] = 3,
        [TR_SCENE_POINT] = 3, [TR_SCENE_ROTATION] = 4, [TR_SCENE_TENSOR] = 6};
    double found = 0.0;
    for (uint32_t i = 0; i < tr3_scene_body_property_count; i++) {
        const tr3_scene_property *property = &tr3_scene_body_properties[i];
        const void *value = (const char *)def + property->offset;
        if (property->kind == TR_SCENE_DOUBLE || property->kind == TR_SCENE_POINT)
            found = not_finite_doubles(found, value, counts[property->kind]);
        else if (property->kind != TR_SCENE_BOOL)
            found = not_finite(found, value, counts[property->kind]);
    }
    if (!isfinite(found))
        return tr_scene_fail(error, status_of(found), "bodies[%u]: a number is not finite", b);
    return is_zero_quat(def->rotation) ? tr_scene_fail(error, TR_ERROR_ZERO, "bodies[%u]: rotation is zero", b) : TR_OK;
}

/* of what its type has */
static tr_status check_shape(const tr3_scene_shape *shape, uint32_t s, tr_error *error)
{
    const bool box = shape->type == TR3_SCENE_BOX;
    const bool ends = shape->type == TR3_SCENE_CAPSULE || shape->type == TR3_SCENE_CYLINDER;
    double found = not_finite(0.0, &shape->density, 1);
    if (ends) {
        found = not_finite(found, &shape->from.x, 3);
        found = not_finite(found, &shape->to.x, 3);
    } else
        found = not_finite(found, &shape->center.x, 3);
    if (box) {
        found = not_finite(found, &shape->half.x, 3);
        found = not_finite(found, &shape->rotation.x, 4);
    } else
        found = not_finite(found, &shape->radius, 1);
    if (!isfinite(found))
        return tr_scene_fail(error, status_of(found), "shapes[%u]: a number is not finite", s);
    return box && is_zero_quat(shape->rotation) ? tr_scene_fail(error, TR_ERROR_ZERO, "shapes[%u]: rotation is zero", s)
                                                : TR_OK;
}

/* a gear that is not meshed takes its references from the poses */
static bool has_no_direction(const tr3_joint_def *def)
{
    const bool refers = def->type != TR3_JOINT_GEAR || def->meshed;
    return (tr3_joint_type_has(def->type, TR3_FIELD_AXIS_X) && is_zero(def->axis)) ||
           (def->type != TR3_JOINT_INERTER && tr3_joint_type_has(def->type, TR3_FIELD_AXIS_B_X) &&
            is_zero(def->axis_b)) ||
           (refers && tr3_joint_type_has(def->type, TR3_FIELD_REFERENCE_X) && is_zero_quat(def->reference)) ||
           (refers && tr3_joint_type_has(def->type, TR3_FIELD_REFERENCE_B_X) && is_zero_quat(def->reference_b));
}

static tr_status check_joint(const tr3_joint_def *def, uint32_t j, tr_error *error)
{
    for (uint32_t field = 0; field < TR3_FIELD_COUNT; field++) {
        const tr3_field_info *info = &tr3_field_infos[field];
        if (info->kind == TR_KIND_BOOL || info->kind == TR_KIND_KIND ||
            !tr3_joint_type_has(def->type, (tr3_field)field))
            continue;
        const double value = info->kind == TR_KIND_DOUBLE ? tr3_field_read_double(def, (tr3_field)field)
                                                          : (double)tr3_field_read_float(def, field);
        if (!isfinite(value))
            return tr_scene_fail(error, status_of(value), "joints[%u].%s: a number is not finite", j, info->name);
    }
    const float thresholds[] = {def->event_at.force, def->event_at.torque, def->break_at.force, def->break_at.torque,
                                def->break_at.impulse};
    const double found = not_finite(0.0, thresholds, sizeof thresholds / sizeof thresholds[0]);
    if (!isfinite(found))
        return tr_scene_fail(error, status_of(found), "joints[%u]: a number is not finite", j);
    if (has_no_direction(def))
        return tr_scene_fail(error, TR_ERROR_ZERO, "joints[%u]: axis or reference is zero", j);
    const bool second = tr3_joint_type_has(def->type, TR3_FIELD_AXIS_2_X) && !is_zero(def->axis_2);
    return second && !tr3_has_across(def->axis, def->axis_2)
               ? tr_scene_fail(error, TR_ERROR_ZERO, "joints[%u]: axis_2 is along axis", j)
               : TR_OK;
}

tr_status tr3_export_check(const tr3_scene *scene, tr_error *error)
{
    tr_status status = tr3_scene_check(scene, error);
    if (status == TR_OK)
        status = check_world(scene, error);
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++)
        status = check_body(&scene->bodies[b].def, b, error);
    for (uint32_t s = 0; s < scene->shape_count && status == TR_OK; s++)
        status = check_shape(&scene->shapes[s], s, error);
    for (uint32_t j = 0; j < scene->joint_count && status == TR_OK; j++)
        status = check_joint(&scene->joints[j].def, j, error);
    return status;
}

#endif
