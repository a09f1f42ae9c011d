/* Definitions of joints in space: defaults, axes, whole turns, and what follows from the bodies' poses. */
#include "world/core/joint_def.h"

#include <float.h>
#include <math.h>

#include "base/angle.h"
#include "base/trigonometry.h"
#include "solver/space/second_axis.h"

void tr3_joint_def_preset(tr3_joint_def *def)
{
    def->reference.w = def->reference_b.w = 1.0f;
    def->ratio = def->pitch = 1.0f;
    def->axis_b.x = 1.0f;
    def->cone_angle = (float)TR_PI;
    /* what has no maximum set is unbounded */
    def->max_force = def->max_torque = FLT_MAX;
    def->second.motor.maximum = def->third.motor.maximum = def->fourth.motor.maximum = FLT_MAX;
    def->fifth.motor.maximum = def->sixth.motor.maximum = FLT_MAX;
}

/* an inerter may have none */
static bool has_axis_b(const tr3_joint_def *def)
{
    const bool has = (tr3_joint_types[def->type]->fields & TR3_GROUP_AXIS_B) != 0;
    return has && !tr3_is_same(def->axis_b, (tr_vec3){0.0f, 0.0f, 0.0f});
}

/* The second axis of a ball says something only of some features: that of others stays 0, and takes no column. */
static bool has_no_second(const tr3_joint_def *def)
{
    return def->type == TR3_JOINT_BALL && tr3_is_same(def->axis_2, (tr_vec3){0.0f, 0.0f, 0.0f});
}

static tr_vec3 normalise(tr_vec3 axis)
{
    const tr_dvec3 v = tr3_widen(axis);
    return tr3_is_unit(tr3_dot(v, v)) ? axis : tr3_narrow(tr3_over(v, sqrt(tr3_dot(v, v))));
}

static tr_quat normalise_quat(tr_quat q)
{
    const tr3_dquat d = tr3_widen_quat(q);
    return tr3_is_unit(tr3_quat_square(d)) ? q : tr3_narrow_quat(tr3_normalised(d));
}

void tr3_joint_def_normalise(tr3_joint_def *def)
{
    const tr3_mask fields = tr3_joint_types[def->type]->fields;
    if ((fields & TR3_GROUP_AXIS) != 0)
        def->axis = normalise(def->axis);
    if ((fields & TR3_GROUP_AXIS_2) != 0 && !has_no_second(def))
        def->axis_2 = tr3_second_axis(def->axis, def->axis_2);
    if (has_axis_b(def))
        def->axis_b = normalise(def->axis_b);
    if ((fields & TR3_GROUP_REFERENCE) != 0)
        def->reference = normalise_quat(def->reference);
    if (tr3_joint_type_has(def->type, TR3_FIELD_REFERENCE_B_X))
        def->reference_b = normalise_quat(def->reference_b);
}

/*
 * Whole turns: a joint with a free angle keeps it among its impulses, with the role of a place.
 */
double tr3_joint_turn_of(const tr3_world *world, const tr3_joint_def *def)
{
    (void)world;
    (void)def;
    return 0.0;
}

bool tr3_joint_has_new_ratio(const tr3_joints *joints, uint32_t row, const tr3_joint_def *def)
{
    (void)joints;
    (void)row;
    (void)def;
    return false;
}

/* Angles are the nearest to those at the end of the last step. */
void tr3_joint_pose_wind(const tr3_joints *joints, tr3_joint_type type, uint32_t row, tr3_joint_pose *pose)
{
    const tr3_joint_type_info *info = tr3_joint_types[type];
    uint32_t places = 0;
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        if (info->impulse_roles[i] == TR_ROLE_PLACE)
            pose->last[places++] = (double)tr3_joint_impulse(joints, i, row);
    }
    if (places > 0)
        pose->angle = tr3_angle_near(pose->angle, pose->last[0]);
}

/*
 * Poses and views
 */
void tr3_joint_def_fit(const tr3_world *world, tr3_joint_def *def)
{
    const tr3_joint_type_info *info = tr3_joint_types[def->type];
    uint32_t rows[TR_ENDS];
    tr3_joint_pose pose;
    tr3_joint_rows(world, def, rows);
    def->reference = (tr_quat){0.0f, 0.0f, 0.0f, 1.0f};
    tr3_joint_pose_get(&world->bodies, rows, def, 0, &pose);
    if ((info->fields & TR3_GROUP_LENGTH) != 0) {
        /* for a type with a length, it is the free coordinate, or what the type says */
        tr3_joint_measure measured = {0};
        info->measure(def, &pose, &measured);
        def->length = measured.span > 0.0f ? measured.span : measured.coordinate;
    }
    if (info->complete != NULL) {
        /* a gear: the axis, which is in A's frame, is that of both sides, and it meshes as the bodies are now */
        const tr_dvec3 axis = pose.axis;
        def->axis = tr3_narrow(tr3_turned(tr3_conjugate(pose.body[2].rotation), axis));
        def->axis_b = tr3_narrow(tr3_turned(tr3_conjugate(pose.body[3].rotation), axis));
        def->meshed = false;
        info->complete(def, &pose);
    } else if ((info->fields & TR3_GROUP_REFERENCE) != 0) {
        def->reference = tr3_narrow_quat(pose.relative);
    }
    if ((info->fields & TR3_GROUP_AXIS_2) != 0 && !has_no_second(def)) {
        bool along = !tr3_has_across(def->axis, def->axis_2);
        def->axis_2 = tr3_second_axis(def->axis, along ? (tr_vec3){0.0f, 0.0f, 0.0f} : def->axis_2);
    }
}

static tr_status not_finite(const double *value, int count)
{
    tr_status status = TR_OK;
    for (int i = 0; i < count && status == TR_OK; i++)
        status = isnan(value[i]) ? TR_ERROR_NAN : isinf(value[i]) ? TR_ERROR_INFINITE : TR_OK;
    return status;
}

/* Of a rotation the twist t about x comes first, then the swing s across it: q = s t, and |q.x|, |q.w| are cos(s/2)
   times those of t. */
tr_status tr3_joint_def_set_target(tr3_joint_def *def, tr_quat rotation)
{
    if (def == NULL)
        return TR_ERROR_NULL;
    if (def->type != TR3_JOINT_BALL)
        return TR_ERROR_RANGE;
    const tr3_dquat to = tr3_widen_quat(rotation), from = tr3_widen_quat(def->reference);
    const tr_dvec3 axis = tr3_widen(def->axis), other = tr3_widen(def->axis_2);
    const double read[] = {to.x,   to.y,   to.z,   to.w,   from.x,  from.y,  from.z,
                           from.w, axis.x, axis.y, axis.z, other.x, other.y, other.z};
    const tr_status status = not_finite(read, sizeof read / sizeof read[0]);
    if (status != TR_OK)
        return status;
    if (!(tr3_quat_square(to) > 0.0) || !(tr3_quat_square(from) > 0.0) || !(tr3_dot(axis, axis) > 0.0))
        return TR_ERROR_ZERO;
    if (tr3_dot(other, other) > 0.0 && !tr3_has_across(def->axis, def->axis_2))
        return TR_ERROR_RANGE;
    const tr_dvec3 x = tr3_over(axis, sqrt(tr3_dot(axis, axis)));
    const tr_dvec3 y = tr3_widen(tr3_second_axis(def->axis, def->axis_2)), z = tr3_cross(x, y);
    const tr3_dquat q = tr3_compose(tr3_normalised(to), tr3_conjugate(tr3_normalised(from)));
    const double along = tr3_dot((tr_dvec3){q.x, q.y, q.z}, x), sign = q.w < 0.0 ? -1.0 : 1.0;
    const tr_dvec3 b = tr3_turned(q, x), n = tr3_cross(x, b);
    const double sine = sqrt(tr3_dot(n, n)), swing = tr_arctan2(sine, tr3_dot(x, b));
    /* the shortest way to the opposite of the axis is not known: about y */
    const tr_dvec3 about = sine > 0.0 ? tr3_over(n, sine) : y;
    def->spring.target = along == 0.0 && q.w == 0.0 ? 0.0f : (float)(2.0 * tr_arctan2(sign * along, fabs(q.w)));
    def->second.spring.target = (float)(swing * tr3_dot(about, y));
    def->third.spring.target = (float)(swing * tr3_dot(about, z));
    return TR_OK;
}

void tr3_joint_view_carriers(tr3_joint_view *view, const tr3_joints *joints)
{
    view->carrier_a = joints->carrier_a;
    view->carrier_b = joints->carrier_b;
}

tr_status tr3_joint_coordinate_of(const tr3_world *world, tr3_joint id, uint32_t coordinate,
                                  tr_joint_coordinate_value *out)
{
    tr3_joint_measure result;
    if (world != NULL && coordinate >= TR3_COORDINATES) {
        tr3_check check = tr3_check_of(world, "joint_coordinate_of", "");
        return tr3_check_fail(&check, TR_ERROR_RANGE, "coordinate", "is %u, must be below %d", coordinate,
                              TR3_COORDINATES);
    }
    tr_status status = tr3_joint_measure_read(world, "joint_coordinate_of", id, out, &result);
    if (status != TR_OK)
        return status;
    *out = coordinate == 0 ? (tr_joint_coordinate_value){result.coordinate, result.rate} : result.further[coordinate];
    return TR_OK;
}
