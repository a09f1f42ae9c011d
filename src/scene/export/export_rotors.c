/* Writers of MJCF: inerters that are the armature of a joint. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <math.h>

static bool are_one(const exporter *it, uint32_t body, uint32_t other)
{
    return body == other || (!tr3_export_moves(it, body) && !tr3_export_moves(it, other));
}

/* whether all three angles of a general joint are free */
static bool is_bent(const tr3_joint_def *def)
{
    return def->type == TR3_JOINT_GENERAL && !def->fourth.locked && !def->fifth.locked && !def->sixth.locked;
}

/* whether the rate of an axis is that about or along an axis that is fixed in the body of the limb, or in its parent */
static bool is_fixed(const tr3_joint_def *def, const export_axis *axis, bool in_b)
{
    if (def->type == TR3_JOINT_UNIVERSAL || (def->type == TR3_JOINT_GENERAL && axis->coordinate == 4))
        return in_b == (axis->coordinate != 0) && !is_bent(def);
    return axis->slides || !is_bent(def);
}

static bool are_along(tr_dvec3 a, tr_dvec3 b)
{
    const tr_dvec3 off = tr3_cross(a, b);
    return tr3_dot(off, off) < 1e-10;
}

static tr_dvec3 in_world(const exporter *it, const export_limb *limb, uint32_t axis)
{
    return tr3_turned(tr3_export_pose(it, limb->parent).turn, tr3_export_axis_now(limb, axis));
}

/* an inerter whose A is the body or its parent, and its axes in the world; `angle`: of an angle, so that there are two */
typedef struct wheel {
    const tr3_joint_def *def;
    export_limb *limb;
    bool of_child, angle;
    tr_dvec3 axis, axis_b;
} wheel;

/* the axis that it goes with, whose rate is about or along one that is fixed in A */
static export_axis *find_plain(const exporter *it, const wheel *of)
{
    const tr3_scene_joint *joint = &it->scene->joints[of->limb->joint];
    const uint32_t body = of->of_child ? it->limb_of[of->limb->joint] : of->limb->parent;
    for (uint32_t k = 0; k < of->limb->count; k++) {
        export_axis *axis = &of->limb->axes[k];
        if (axis->slides == of->def->slides_b && are_along(in_world(it, of->limb, k), of->axis) &&
            is_fixed(&joint->def, axis, are_one(it, body, joint->body_b)))
            return axis;
    }
    return NULL;
}

/* of three angles: that about an axis of A has the axis of the last one, which is of B, and the other way round */
static export_axis *find_angle(const exporter *it, const wheel *of)
{
    uint32_t at[3] = {EXPORT_NONE, EXPORT_NONE, EXPORT_NONE};
    if (!is_bent(&it->scene->joints[of->limb->joint].def))
        return NULL;
    for (uint32_t k = 0; k < of->limb->count; k++)
        if (of->limb->axes[k].coordinate > 2)
            at[of->limb->axes[k].coordinate - 3] = k;
    if (at[0] == EXPORT_NONE || at[1] == EXPORT_NONE || at[2] == EXPORT_NONE)
        return NULL;
    const uint32_t own = of->of_child ? 2 : 0;
    if (!are_along(in_world(it, of->limb, at[own]), of->axis) ||
        !are_along(in_world(it, of->limb, at[2 - own]), of->axis_b))
        return NULL;
    return &of->limb->axes[at[of->def->across ? 1 : own]];
}

/* inerters about axes of one body that together are the same about all axes */
static bool are_even(const double sum[6])
{
    const double most = sum[0] > 0.0 ? 1e-5 * sum[0] : 0.0;
    return most > 0.0 && fabs(sum[1] - sum[0]) <= most && fabs(sum[2] - sum[0]) <= most && fabs(sum[3]) <= most &&
           fabs(sum[4]) <= most && fabs(sum[5]) <= most;
}

/* whether an inerter goes with the limb of its A or of its B, by `side` */
static bool read_wheel(const exporter *it, uint32_t j, uint32_t side, wheel *out)
{
    const tr3_scene_joint *inerter = &it->scene->joints[j];
    const tr_dvec3 n = tr3_widen(inerter->def.axis), m = tr3_widen(inerter->def.axis_b);
    const double length = sqrt(tr3_dot(n, n)), length_b = sqrt(tr3_dot(m, m));
    if (inerter->def.type != TR3_JOINT_INERTER || !inerter->def.enabled || !(length > 0.0))
        return false;
    const uint32_t body = side == 0 ? inerter->body_a : inerter->body_b;
    const uint32_t other = side == 0 ? inerter->body_b : inerter->body_a;
    *out = (wheel){.def = &inerter->def, .limb = &it->limbs[body], .of_child = side == 0};
    if ((out->limb->kind != EXPORT_AXES && out->limb->kind != EXPORT_BALL) || !are_one(it, out->limb->parent, other))
        return false;
    out->angle = length_b > 0.0 && !inerter->def.slides_b;
    out->axis = tr3_turned(tr3_export_pose(it, inerter->body_a).turn, tr3_over(n, length));
    if (out->angle)
        out->axis_b = tr3_turned(tr3_export_pose(it, inerter->body_b).turn, tr3_over(m, length_b));
    return true;
}

static export_axis *find_axis(const exporter *it, uint32_t j, wheel *of)
{
    for (uint32_t side = 0; side < 2; side++) {
        export_axis *axis = NULL;
        if (!read_wheel(it, j, side, of))
            continue;
        if (of->limb->kind == EXPORT_BALL)
            axis = !of->angle && !of->def->slides_b && are_even(of->limb->rotors[side]) ? &of->limb->axes[0] : NULL;
        else
            axis = of->angle ? find_angle(it, of) : find_plain(it, of);
        if (axis != NULL)
            return axis;
    }
    return NULL;
}

export_axis *tr3_export_rotor(const exporter *it, uint32_t j)
{
    wheel of;
    return find_axis(it, j, &of);
}

/* the sum of b n n^T: xx, yy, zz, xy, xz, yz */
static void add_rotor(double sum[6], double inertance, tr_dvec3 n)
{
    const double parts[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
    for (int i = 0; i < 6; i++)
        sum[i] += inertance * parts[i];
}

void tr3_export_find_rotors(exporter *it)
{
    for (uint32_t j = 0; j < it->scene->joint_count; j++)
        for (uint32_t side = 0; side < 2; side++) {
            wheel of;
            if (read_wheel(it, j, side, &of) && of.limb->kind == EXPORT_BALL && !of.angle && !of.def->slides_b)
                add_rotor(of.limb->rotors[side], (double)of.def->inertance, of.axis);
        }
    for (uint32_t j = 0; j < it->scene->joint_count; j++) {
        wheel of;
        export_axis *axis = find_axis(it, j, &of);
        if (axis != NULL && of.limb->kind != EXPORT_BALL)
            axis->armature += (double)it->scene->joints[j].def.inertance;
    }
    for (uint32_t b = 0; b < it->scene->body_count; b++)
        for (uint32_t side = 0; side < 2; side++)
            if (it->limbs[b].kind == EXPORT_BALL && are_even(it->limbs[b].rotors[side]))
                it->limbs[b].axes[0].armature += it->limbs[b].rotors[side][0];
}

#endif
