/*
 * MJCF: which joints of one body, one after the other, are one joint of the scene.
 *
 * Slides come first, then hinges through one point, whose axes are across each other: such are travels along a frame of
 * the parent and angles about its axes, one after another. That is exactly what a general joint has; where there is a type
 * with fewer rows it is taken.
 */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <string.h>

/* two axes are along or across each other */
#define ALIGNED 1e-6

static bool are_along(tr_dvec3 a, tr_dvec3 b)
{
    const tr_dvec3 n = tr3_cross(a, b);
    return tr3_dot(n, n) < ALIGNED * ALIGNED;
}

static bool are_across(tr_dvec3 a, tr_dvec3 b)
{
    return fabs(tr3_dot(a, b)) < ALIGNED;
}

static bool are_one_point(tr_dvec3 a, tr_dvec3 b)
{
    const tr_dvec3 apart = tr3_minus(a, b);
    return !(tr3_dot(apart, apart) > 0.0);
}

/* whether something acts along it */
static bool acts(const mjcf_joint *joint)
{
    return joint->limited || joint->stiffness > 0.0 || joint->damping > 0.0 || joint->friction > 0.0 ||
           joint->armature > 0.0;
}

/* whether three hinges through one point are a ball: nothing acts along any of them */
static bool are_ball(const mjcf_joint *hinge, uint32_t count)
{
    if (count < 3)
        return false;
    for (int i = 0; i < 3; i++)
        if (hinge[i].type != MJCF_HINGE || acts(&hinge[i]) || !are_one_point(hinge[i].pos, hinge[0].pos))
            return false;
    return fabs(tr3_dot(hinge[0].axis, tr3_cross(hinge[1].axis, hinge[2].axis))) > 0.1;
}

/* how many from the first on are of this type, with axes across each other; hinges go through one point */
static uint32_t count_across(const mjcf_joint *joint, uint32_t count, mjcf_joint_type type)
{
    uint32_t n = 0;
    for (; n < count && n < 3 && joint[n].type == type; n++) {
        bool fits = type == MJCF_SLIDE || are_one_point(joint[n].pos, joint[0].pos);
        for (uint32_t i = 0; i < n; i++)
            fits = fits && are_across(joint[i].axis, joint[n].axis);
        if (!fits)
            break;
    }
    return n;
}

/* The features of the first and the third angle let go where the second is near a quarter turn (general.inl): it must be
   limited to less, or there must be none. */
#define QUARTER 1.4

static bool keeps_off_quarters(const mjcf_joint *hinge)
{
    const double lower = hinge[1].range[0] - hinge[1].reference, upper = hinge[1].range[1] - hinge[1].reference;
    return (hinge[1].limited && lower > -QUARTER && upper < QUARTER) || (!acts(&hinge[0]) && !acts(&hinge[2]));
}

/* a general joint of `slides` slides and then `hinges` hinges; false: they are none */
static bool join(const mjcf_joint *joint, uint32_t slides, uint32_t hinges, mjcf_joined *out)
{
    const mjcf_joint *hinge = joint + slides;
    const uint32_t count = slides + hinges;
    if (count < 2 || (hinges == 3 && !keeps_off_quarters(hinge)))
        return false;
    mjcf_joined r = {.count = count, .type = TR3_JOINT_GENERAL, .pos = joint[count - 1].pos};
    r.x = hinges > 0 ? hinge[0].axis : joint[0].axis;
    r.y = hinges > 1 ? hinge[1].axis : joint[1].axis;
    if (hinges == 1)
        r.y = are_across(r.x, joint[0].axis) ? joint[0].axis : slides > 1 ? joint[1].axis : tr3_mjcf_across(r.x);
    if (!are_across(r.x, r.y))
        return false;
    const tr_dvec3 frame[3] = {r.x, r.y, tr3_cross(r.x, r.y)};
    for (uint32_t i = 0; i < r.count; i++) {
        uint8_t k = i < slides ? 0 : (uint8_t)(i - slides);
        while (i < slides && k < 3 && !are_along(frame[k], joint[i].axis))
            k++;
        if (k == 3)
            return false;
        r.coordinate[i] = (uint8_t)(i < slides ? k : 3 + k);
        r.backward[i] = tr3_dot(frame[k], joint[i].axis) < 0.0;
    }
    *out = r;
    return true;
}

/* a type with fewer rows and the same coordinates: `to` is where those of the general joint go */
static void simplify(mjcf_joined *it)
{
    static const struct {
        uint32_t coordinates; /* bits */
        tr3_joint_type type;
        uint8_t to[TR3_COORDINATES];
    } types[] = {{1u << 3 | 1u << 4, TR3_JOINT_UNIVERSAL, {0, 0, 0, 0, 1, 0}},
                 {1u << 0 | 1u << 3, TR3_JOINT_CYLINDRICAL, {0, 0, 0, 1, 0, 0}},
                 {1u << 1 | 1u << 2 | 1u << 3, TR3_JOINT_PLANAR, {0, 0, 1, 2, 0, 0}}};
    uint32_t has = 0;
    for (uint32_t i = 0; i < it->count; i++)
        has |= 1u << it->coordinate[i];
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        if (types[t].coordinates != has)
            continue;
        it->type = types[t].type;
        for (uint32_t i = 0; i < it->count; i++)
            it->coordinate[i] = types[t].to[it->coordinate[i]];
        return;
    }
}

/* a hinge and then a slide along one line: in either order they are the same */
static bool are_cylindrical(const mjcf_joint *joint, uint32_t count)
{
    return count >= 2 && joint[0].type == MJCF_HINGE && joint[1].type == MJCF_SLIDE &&
           are_along(joint[0].axis, joint[1].axis);
}

mjcf_joined tr3_mjcf_joined(const mjcf *it, const mjcf_body *of, uint32_t first)
{
    const mjcf_joint *joint = &it->joints[of->first_joint + first];
    const uint32_t left = of->count - first;
    mjcf_joined r = {.count = 1, .x = joint->axis, .pos = joint->pos};
    r.type = joint->type == MJCF_BALL ? TR3_JOINT_BALL : joint->type == MJCF_SLIDE ? TR3_JOINT_SLIDER : TR3_JOINT_HINGE;
    if (are_ball(joint, left)) {
        r.count = 3;
        r.type = TR3_JOINT_BALL;
        return r;
    }
    if (are_cylindrical(joint, left)) {
        r.count = 2;
        r.type = TR3_JOINT_CYLINDRICAL;
        r.y = tr3_mjcf_across(r.x);
        r.coordinate[0] = 1;
        r.backward[1] = tr3_dot(joint[0].axis, joint[1].axis) < 0.0;
        return r;
    }
    const uint32_t slides = count_across(joint, left, MJCF_SLIDE);
    for (uint32_t hinges = count_across(joint + slides, left - slides, MJCF_HINGE) + 1; hinges > 0; hinges--) {
        if (!join(joint, slides, hinges - 1, &r))
            continue;
        simplify(&r);
        break;
    }
    return r;
}

/* some direction across */
tr_dvec3 tr3_mjcf_across(tr_dvec3 n)
{
    const tr_dvec3 v = fabs(n.x) < 0.6 ? (tr_dvec3){1.0, 0.0, 0.0} : (tr_dvec3){0.0, 1.0, 0.0};
    const tr_dvec3 across = tr3_cross(n, v);
    return tr3_over(across, sqrt(tr3_dot(across, across)));
}

#endif
