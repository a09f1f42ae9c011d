/*
 * Writer of URDF: coordinates. Gears become mimics. A coordinate counts as in the scene if the joint then starts where a
 * reader starts it, which is at 0, or at the limit next to 0; otherwise it counts from the start.
 */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#define SAME  1e-6 /* m or rad */
#define RATIO 1e6  /* the greatest that a reader takes */

/* one end of a gear */
typedef struct end {
    uint32_t body;
    export_axis *axis;
} end;

static end end_of(exporter *it, const tr3_scene_joint *gear, uint32_t side, double *sign)
{
    bool backward = false;
    end found = {EXPORT_NONE, NULL};
    const export_axis *axis = tr3_export_side(it, gear, side, &found.body, &backward);
    if (axis == NULL)
        return found;
    found.axis = &it->limbs[found.body].axes[axis - it->limbs[found.body].axes];
    *sign *= backward ? -1.0 : 1.0;
    return found;
}

/* Whether one may mimic another, or the one that this mimics itself: URDF has no chains of mimics. */
static bool mimic(exporter *it, const end *follower, const end *leader, double factor)
{
    end to = *leader;
    if (to.axis->leader != EXPORT_NONE) {
        factor *= to.axis->factor;
        to.body = leader->axis->leader;
        to.axis = &it->limbs[to.body].axes[leader->axis->led_by];
    }
    if (follower->axis->leader != EXPORT_NONE || follower->axis->leads || follower->axis == to.axis ||
        !(fabs(factor) > 1.0 / RATIO && fabs(factor) < RATIO))
        return false;
    follower->axis->leader = to.body;
    follower->axis->led_by = (uint32_t)(to.axis - it->limbs[to.body].axes);
    follower->axis->factor = factor;
    to.axis->leads = true;
    return true;
}

static void link_gear(exporter *it, uint32_t j)
{
    const tr3_scene_joint *gear = &it->scene->joints[j];
    double sign = 1.0;
    const end a = end_of(it, gear, 0, &sign), b = end_of(it, gear, 1, &sign);
    /* b + ratio a stays */
    const double factor = -sign * (double)gear->def.ratio;
    if (a.axis == NULL || b.axis == NULL) {
        tr3_lose_joint(it, j, "a gear whose two sides are not hinges or sliders is not written");
        return;
    }
    if (!gear->def.enabled || gear->def.angular.kind != TR_RIGID) {
        tr3_lose_joint(it, j, "a gear that is off or soft is not written: URDF has only stiff mimics");
        return;
    }
    if (fabs(tr3_export_gear_gap(it, gear)) > EXPORT_GAP)
        tr3_lose_joint(it, j, "the offset of a gear is not written: it keeps the one that it starts with");
    if (!mimic(it, &b, &a, factor) && !mimic(it, &a, &b, 1.0 / factor))
        tr3_lose_joint(it, j, "a gear of joints that are in others is not written: URDF has no chains of mimics");
}

static void set_zero(exporter *it, uint32_t joint, export_axis *axis)
{
    const tr_limit limit = tr3_def_features(&it->scene->joints[joint].def, axis->coordinate).limit;
    const double there = limit.enable ? fmin(fmax(0.0, (double)limit.lower), (double)limit.upper) : 0.0;
    /* a mimic says where it starts */
    if (axis->leader != EXPORT_NONE || fabs(axis->start - there) < SAME)
        return;
    axis->zero = axis->start;
    tr3_lose_joint(it, joint, "its coordinate counts from where it starts: that is 0 in the file");
}

void tr3_urdf_coordinates(exporter *it)
{
    for (uint32_t j = 0; j < it->scene->joint_count; j++)
        if (it->scene->joints[j].def.type == TR3_JOINT_GEAR)
            link_gear(it, j);
    for (uint32_t b = 0; b < it->scene->body_count; b++) {
        export_limb *limb = &it->limbs[b];
        for (uint32_t k = 0; k < limb->count; k++)
            set_zero(it, limb->joint, &limb->axes[k]);
    }
}

#endif
