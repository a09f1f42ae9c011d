/* Definition of a gear from two joints in the plane. */
#include "world/core/gear.h"

tr_status tr2_gear_takes(const tr2_check *check, const char *name, tr2_joint_type type, bool travels, bool *slides)
{
    (void)travels;
    if (type != TR2_JOINT_REVOLUTE && type != TR2_JOINT_PRISMATIC)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "is a %s joint, must be revolute or prismatic",
                              tr2_joint_type_name(type));
    *slides = type == TR2_JOINT_PRISMATIC;
    return TR_OK;
}

tr_vec2 tr2_gear_axis_of_body(const tr2_world *world, uint32_t row, const tr2_joint_def *def)
{
    const uint32_t body = tr2_body_row(world, def->body_b);
    tr2_joint_pose pose;
    tr2_joint_pose_read(world, def->type, row, def, &pose);
    const tr_dvec2 local = tr2_unrotate(world->bodies.c[body], world->bodies.s[body], pose.axis);
    return (tr_vec2){(float)local.x, (float)local.y};
}

tr_vec2 tr2_gear_axis_in_world(const tr2_world *world, tr2_body body, tr_vec2 axis)
{
    const uint32_t row = tr2_body_row(world, body);
    const float c = world->bodies.c[row], s = world->bodies.s[row];
    return (tr_vec2){c * axis.x - s * axis.y, s * axis.x + c * axis.y};
}

/* an angle has no axis to turn round: it changes its sign */
static float sign_of(const tr2_gear_side *side)
{
    return side->turned && !side->slides ? -1.0f : 1.0f;
}

tr_status tr2_gear_between(const tr2_world *world, tr2_joint joint_a, tr2_joint joint_b, float ratio,
                           tr2_joint_def *out)
{
    tr2_gear_side side[2];
    tr2_joint_def def;
    const tr_status status = tr2_gear_read(world, joint_a, false, joint_b, false, ratio, out, side, &def);
    if (status != TR_OK)
        return status;
    if (side[0].slides)
        def.axis = side[0].axis;
    if (side[1].slides)
        def.axis_b = side[1].axis;
    def.ratio = ratio * sign_of(&side[0]) * sign_of(&side[1]);
    *out = def;
    return TR_OK;
}
