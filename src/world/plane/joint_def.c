/* Definitions of joints of the plane: defaults, axes, whole turns, and what follows from the bodies' poses. */
#include "world/core/joint_def.h"

#include <float.h>
#include <math.h>

#include "base/angle.h"

void tr2_joint_def_preset(tr2_joint_def *def)
{
    def->ratio = 1.0f;
    def->axis_b.x = 1.0f;
    def->drive.max_force = FLT_MAX;
    def->drive.max_torque = FLT_MAX;
    def->max_force = FLT_MAX;
}

/*
 * Normalises an axis. If its length is already 1 up to rounding it stays, because a definition read from a joint must
 * create an identical joint.
 */
static tr_vec2 normalise(tr_vec2 axis)
{
    double x = (double)axis.x;
    double y = (double)axis.y;
    double square = x * x + y * y;
    if (fabs(square - 1.0) <= 2.4e-7)
        return axis;
    double length = sqrt(square);
    tr_vec2 out = {(float)(x / length), (float)(y / length)};
    return out;
}

void tr2_joint_def_normalise(tr2_joint_def *def)
{
    const tr2_mask fields = tr2_joint_types[def->type]->fields;
    if ((fields & TR2_GROUP_AXIS) != 0)
        def->axis = normalise(def->axis);
    if ((fields & TR2_GROUP_AXIS_B) != 0)
        def->axis_b = normalise(def->axis_b);
}

/*
 * Whole turns
 */

/* number of whole turns of B that bring the relative angle into -pi .. pi */
static double turns_of(const tr2_world *world, const tr2_joint_def *def)
{
    const tr2_bodies *bodies = &world->bodies;
    double angle = bodies->angle[tr2_body_row(world, def->body_b)] -
                   (double)def->ratio * bodies->angle[tr2_body_row(world, def->body_a)] - (double)def->reference_angle;
    return rint(angle / TR_TURN);
}

double tr2_joint_turn_of(const tr2_world *world, const tr2_joint_def *def)
{
    return tr2_joint_types[def->type]->has_angle ? turns_of(world, def) : 0;
}

bool tr2_joint_has_new_ratio(const tr2_joints *joints, uint32_t row, const tr2_joint_def *def)
{
    return tr2_joint_types[def->type]->has_angle && joints->field[TR2_FIELD_RATIO] != NULL &&
           joints->field[TR2_FIELD_RATIO][row] != def->ratio;
}

/* the column of turns says it all */
void tr2_joint_pose_wind(const tr2_joints *joints, tr2_joint_type type, uint32_t row, tr2_joint_pose *pose)
{
    (void)joints;
    (void)type;
    (void)row;
    (void)pose;
}

/*
 * Poses and views
 */
void tr2_joint_def_fit(const tr2_world *world, tr2_joint_def *def)
{
    const tr2_joint_type_info *info = tr2_joint_types[def->type];
    uint32_t rows[TR_ENDS];
    tr2_joint_pose pose;
    tr2_joint_rows(world, def, rows);
    def->reference_angle = 0.0f;
    tr2_joint_pose_get(&world->bodies, rows, def, 0, &pose);
    if ((info->fields & TR2_GROUP_LENGTH) != 0) {
        /* for a type with a length, it is the free coordinate */
        tr2_joint_measure measured = {0};
        info->measure(def, &pose, &measured);
        def->length = measured.coordinate;
    }
    if (tr2_joint_has(def->type, TR2_FIELD_DRIVE_OFFSET_X)) {
        tr_dvec2 offset = tr2_unrotate((float)pose.c_a, (float)pose.s_a, pose.d);
        def->drive.offset = (tr_vec2){(float)offset.x, (float)offset.y};
        def->drive.angular_offset = (float)remainder(pose.angle, TR_TURN);
    }
    /* drop whole turns, which are counted relative to the reference, so that a float suffices */
    if ((info->fields & TR2_GROUP_REFERENCE) != 0)
        def->reference_angle = (float)remainder(pose.angle, TR_TURN);
}

void tr2_joint_view_carriers(tr2_joint_view *view, const tr2_joints *joints)
{
    view->carrier_a = joints->carrier_a;
    view->carrier_b = joints->carrier_b;
}
