/* Definition of a gear from two joints in space. */
#include "world/core/gear.h"

tr_status tr3_gear_takes(const tr3_check *check, const char *name, tr3_joint_type type, bool travels, bool *slides)
{
    if (type != TR3_JOINT_HINGE && type != TR3_JOINT_SLIDER && type != TR3_JOINT_CYLINDRICAL)
        return tr3_check_fail(check, TR_ERROR_RANGE, name, "is a %s joint, must be hinge, slider or cylindrical",
                              tr3_joint_type_name(type));
    *slides = type == TR3_JOINT_SLIDER || (type == TR3_JOINT_CYLINDRICAL && travels);
    return TR_OK;
}

/* as the joint is satisfied, B's axis is that of A seen from B at the reference */
tr_vec3 tr3_gear_axis_of_body(const tr3_world *world, uint32_t row, const tr3_joint_def *def)
{
    (void)world;
    (void)row;
    const tr3_dquat reference = tr3_normalised(tr3_widen_quat(def->reference));
    return tr3_narrow(tr3_turned(tr3_conjugate(reference), tr3_widen(def->axis)));
}

tr_vec3 tr3_gear_axis_in_world(const tr3_world *world, tr3_body body, tr_vec3 axis)
{
    const tr3_dquat rotation = tr3_body_rotation(&world->bodies, tr3_body_row(world, body));
    return tr3_narrow(tr3_turned(rotation, tr3_widen(axis)));
}

tr_status tr3_gear_between(const tr3_world *world, tr3_joint joint_a, bool travels_a, tr3_joint joint_b, bool travels_b,
                           float ratio, tr3_joint_def *out)
{
    tr3_gear_side side[2];
    tr3_joint_def def;
    const tr_status status = tr3_gear_read(world, joint_a, travels_a, joint_b, travels_b, ratio, out, side, &def);
    if (status != TR_OK)
        return status;
    def.axis = side[0].axis;
    def.axis_b = side[1].axis;
    def.ratio = ratio;
    *out = def;
    return TR_OK;
}
