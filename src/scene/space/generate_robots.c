/* Generators of scenes of robots in space: quadrupeds. */
#include "scene/space/generate.h"

/*
 * A quadruped of 13 bodies and 12 hinges of the size and masses of Solo 12 (F. Grimminger et al., "An open
 * torque-controlled modular robot architecture for legged locomotion research", IEEE RA-L 2020): x is forward, z right.
 * Each leg has a shoulder that swings it sideways, an upper and a lower leg. Servos bend hip and knee.
 */
enum { LEGS = 4, QUADRUPED_BODIES = 1 + 3 * LEGS, QUADRUPED_JOINTS = 3 * LEGS + 1 };

static const tr_quat upright = {0.0f, 0.0f, 0.0f, 1.0f};
/* m; sideways from the hip that of the second hinge, of the upper leg, of the knee and of the lower leg */
static const float hip_ahead = 0.1946f, hip_aside = 0.0875f, half_leg = 0.08f;
static const float hinge_aside = 0.014f, upper_aside = 0.0334f, knee_aside = 0.0515f, lower_aside = 0.0594f;

static tr_dvec3 beside(tr_dvec3 p, float x, float y, float z)
{
    return (tr_dvec3){p.x + (double)x, p.y + (double)y, p.z + (double)z};
}

/* a hinge between stops with a servo: a spring to `target` (rad), of bounded torque */
static tr_status add_servo(tr3_builder *builder, uint32_t a, uint32_t b, tr_vec3 at_a, tr_vec3 at_b, tr_vec3 axis,
                           float target, tr_error *error)
{
    const float torque = 2.7f; /* N m */
    tr3_scene_joint *hinge = TR_NULL;
    tr_status status = tr3_generate_joint(builder, TR3_JOINT_HINGE, a, b, at_a, at_b, &hinge, error);
    if (status != TR_OK)
        return status;
    hinge->def.axis = axis;
    hinge->def.spring = (tr_spring){true, target, tr_physical(3.0f, 0.05f)};
    hinge->def.spring_force = (tr_force_range){-torque, torque};
    hinge->def.limit = (tr_limit){true, -2.5f, 2.5f};
    return TR_OK;
}

static tr_status add_leg(tr3_builder *builder, tr_dvec3 place, uint32_t base, uint32_t leg, tr_error *error)
{
    const float ahead = leg < 2 ? hip_ahead : -hip_ahead, side = leg % 2 == 0 ? -1.0f : 1.0f;
    const tr_vec3 x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const tr_dvec3 hip = beside(place, ahead, 0.0f, side * hip_aside);
    const uint32_t shoulder = builder->scene->body_count, upper = shoulder + 1, lower = shoulder + 2;
    tr_status status = tr3_generate_box(builder, hip, upright, (tr_vec3){0.03f, 0.02f, 0.014f}, 0.1485f, error);
    if (status == TR_OK)
        status = tr3_generate_capsule(builder, beside(hip, 0.0f, -half_leg, side * upper_aside), 1, half_leg, 0.015f,
                                      0.1485f, error);
    if (status == TR_OK)
        status = tr3_generate_capsule(builder, beside(hip, 0.0f, -3.0f * half_leg, side * lower_aside), 1, half_leg,
                                      0.008f, 0.0376f, error);
    /* sideways, then in the plane of the leg */
    if (status == TR_OK)
        status = add_servo(builder, base, shoulder, (tr_vec3){ahead, 0.0f, side * hip_aside},
                           (tr_vec3){0.0f, 0.0f, 0.0f}, x, 0.0f, error);
    if (status == TR_OK)
        status = add_servo(builder, shoulder, upper, (tr_vec3){0.0f, 0.0f, side * hinge_aside},
                           (tr_vec3){0.0f, half_leg, side * (hinge_aside - upper_aside)}, z, 0.8f, error);
    if (status == TR_OK)
        status = add_servo(builder, upper, lower, (tr_vec3){0.0f, -half_leg, side * (knee_aside - upper_aside)},
                           (tr_vec3){0.0f, half_leg, side * (knee_aside - lower_aside)}, z, -1.6f, error);
    return status;
}

tr_status tr3_generate_quadrupeds(tr3_builder *builder, uint32_t n, tr_error *error)
{
    tr_status status =
        tr3_builder_reserve(builder, n * QUADRUPED_BODIES + 1, n * QUADRUPED_JOINTS, n * QUADRUPED_BODIES, error);
    if (status == TR_OK)
        status = tr3_generate_static(builder, "ground", (tr_dvec3){0.0, 0.0, 0.0}, error);
    for (uint32_t i = 0; i < n && status == TR_OK; i++) {
        const tr_dvec3 place = tr3_generate_place(i, n, 1.0, 0.8);
        const uint32_t base = builder->scene->body_count;
        const float length = 0.5f;
        status = tr3_generate_box(builder, place, upright, (tr_vec3){0.2f, 0.03f, 0.07f}, 1.1612f, error);
        for (uint32_t leg = 0; leg < LEGS && status == TR_OK; leg++)
            status = add_leg(builder, place, base, leg, error);
        /* it hangs by its back */
        tr3_scene_joint *rod = TR_NULL;
        if (status == TR_OK)
            status = tr3_generate_joint(builder, TR3_JOINT_DISTANCE, 0, base,
                                        (tr_vec3){(float)place.x, (float)place.y + 0.03f + length, (float)place.z},
                                        (tr_vec3){0.0f, 0.03f, 0.0f}, &rod, error);
        if (status == TR_OK)
            rod->def.length = length;
    }
    return status;
}
