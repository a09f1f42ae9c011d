/* Definitions of joints in space: defaults, axes, whole turns, and what follows from the bodies' poses. */
#include "world/core/joint_def.h"

#include <math.h>

#include "base/angle.h"

void tr3_joint_def_preset(tr3_joint_def *def)
{
    def->reference.w = 1.0f;
    def->cone_angle = (float)TR_PI;
}

/* What has length 1 up to rounding stays, because a definition read from a joint must create an identical joint. */
static bool is_unit(double square)
{
    return fabs(square - 1.0) <= 2.4e-7;
}

void tr3_joint_def_normalise(tr3_joint_def *def)
{
    const uint64_t fields = tr3_joint_types[def->type]->fields;
    tr_dvec3 axis = tr3_widen(def->axis);
    if ((fields & TR3_GROUP_AXIS) != 0 && !is_unit(tr3_dot(axis, axis)))
        def->axis = tr3_narrow(tr3_over(axis, sqrt(tr3_dot(axis, axis))));
    tr3_dquat reference = tr3_widen_quat(def->reference);
    if ((fields & TR3_GROUP_REFERENCE) != 0 && !is_unit(tr3_quat_square(reference)))
        def->reference = tr3_narrow_quat(tr3_normalised(reference));
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

/* The angle nearest to the one at the end of the last step. */
void tr3_joint_pose_wind(const tr3_joints *joints, tr3_joint_type type, uint32_t row, tr3_joint_pose *pose)
{
    const tr3_joint_type_info *info = tr3_joint_types[type];
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        if (info->impulse_roles[i] == TR_ROLE_PLACE)
            pose->angle += TR_TURN * rint(((double)tr3_joint_impulse(joints, i, row) - pose->angle) / TR_TURN);
    }
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
    if ((info->fields & TR3_GROUP_LENGTH) != 0)
        def->length = (float)sqrt(tr3_dot(pose.d, pose.d));
    if ((info->fields & TR3_GROUP_REFERENCE) != 0)
        def->reference = tr3_narrow_quat(pose.relative);
}

void tr3_joint_view_carriers(tr3_joint_view *view, const tr3_joints *joints)
{
    (void)view;
    (void)joints;
}
