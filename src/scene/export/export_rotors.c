/* Writers of MJCF: inerters that are the armature of a hinge or slide. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <math.h>

static bool are_one(const exporter *it, uint32_t body, uint32_t other)
{
    return body == other || (!tr3_export_moves(it, body) && !tr3_export_moves(it, other));
}

/* whether the rate of an axis is that about or along an axis that is fixed in the body of the limb, or in its parent */
static bool is_fixed(const tr3_joint_def *def, const export_axis *axis, bool in_b)
{
    const bool bent = def->type == TR3_JOINT_GENERAL && !def->fourth.locked && !def->fifth.locked && !def->sixth.locked;
    if (def->type == TR3_JOINT_UNIVERSAL || (def->type == TR3_JOINT_GENERAL && axis->coordinate == 4))
        return in_b == (axis->coordinate != 0) && !bent;
    return axis->slides || !bent;
}

export_axis *tr3_export_rotor(const exporter *it, uint32_t j)
{
    const tr3_scene_joint *inerter = &it->scene->joints[j];
    const tr_dvec3 n = tr3_widen(inerter->def.axis);
    const double length = sqrt(tr3_dot(n, n));
    if (inerter->def.type != TR3_JOINT_INERTER || !inerter->def.enabled || !(length > 0.0))
        return NULL;
    const tr_dvec3 axis = tr3_turned(tr3_export_pose(it, inerter->body_a).turn, tr3_over(n, length));
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t body = side == 0 ? inerter->body_a : inerter->body_b;
        const uint32_t other = side == 0 ? inerter->body_b : inerter->body_a;
        export_limb *limb = &it->limbs[body];
        if (limb->kind != EXPORT_AXES || !are_one(it, limb->parent, other))
            continue;
        const tr3_scene_joint *joint = &it->scene->joints[limb->joint];
        const tr3_frame parent = tr3_export_pose(it, limb->parent);
        for (uint32_t k = 0; k < limb->count; k++) {
            const tr_dvec3 off = tr3_cross(tr3_turned(parent.turn, tr3_export_axis_now(limb, k)), axis);
            if (limb->axes[k].slides == inerter->def.slides_b && tr3_dot(off, off) < 1e-10 &&
                is_fixed(&joint->def, &limb->axes[k], are_one(it, inerter->body_a, joint->body_b)))
                return &limb->axes[k];
        }
    }
    return NULL;
}

void tr3_export_find_rotors(exporter *it)
{
    for (uint32_t j = 0; j < it->scene->joint_count; j++) {
        export_axis *axis = tr3_export_rotor(it, j);
        if (axis != NULL)
            axis->armature += (double)it->scene->joints[j].def.inertance;
    }
}

#endif
