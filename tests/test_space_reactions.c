/*
 * The reaction of a joint of every type is what its rows do to its bodies: in one step the momentum of B changes by
 * gravity and by `force`, its spin by `torque` and the moment of `force`, and those of A by the opposite, at B's point, but
 * for ropes and wheels, of which the other end has a force or a torque of its own. The direct method has two kicks in a
 * step, and its reaction is that of the last.
 */
#define TR_DIMENSION 3

#include "solver/space/geometry.h"
#include "space.h"
#include "space_features.h"

static const tr_vec3 down = {0.0f, -9.81f, 0.0f};

typedef struct moved {
    tr_dvec3 force, torque; /* N, N m: what the change of a body's velocities stands for */
} moved;

/* of a body of this mass and of even moments, so that spinning changes no velocity */
static moved moved_by(const tr3_world *world, tr3_body body, double mass, double moment, const tr_vec3 before[2],
                      double h)
{
    tr_vec3 v, w;
    SPACE_OK(tr3_body_get_velocity(world, body, &v, &w));
    return (moved){
        tr3_minus(tr3_times(mass / h, tr3_minus(tr3_widen(v), tr3_widen(before[0]))), tr3_times(mass, tr3_widen(down))),
        tr3_times(moment / h, tr3_minus(tr3_widen(w), tr3_widen(before[1])))};
}

static void same(const char *what, tr3_joint_type type, tr_method method, tr_dvec3 have, tr_dvec3 want, double slack)
{
    if (!(space_length(space_minus(have, want)) <= slack))
        fail_msg("%s, %s, %s: %g %g %g, not %g %g %g", tr3_joint_type_name(type), tr_method_name(method), what, have.x,
                 have.y, have.z, want.x, want.y, want.z);
}

static void reactions_are_what_moves_bodies(void **state)
{
    (void)state;
    static const tr_method methods[] = {TR_SOFT_STEP, TR_SMALL_STEP, TR_SEQUENTIAL_IMPULSES};
    /* short, so that no direction turns by much */
    const double h = 1.0 / 2400.0, moment[2] = {0.3, 0.2}, mass[2] = {1.5, 1.0};
    uint64_t seed = 21;
    for (uint32_t round = 0; round < 3 * 8 * TR3_JOINT_TYPE_COUNT; round++) {
        const tr3_joint_type type = (tr3_joint_type)(round % TR3_JOINT_TYPE_COUNT);
        const tr_method method = methods[round / TR3_JOINT_TYPE_COUNT % 3];
        tr3_world *world = space_world(method, down, 1);
        tr3_body bodies[2];
        tr_vec3 before[2][2];
        for (int i = 0; i < 2; i++) {
            const float m = (float)moment[i];
            bodies[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){(double)i, 0.25 * i, 0.1 * i}, (float)mass[i],
                                   (tr_vec3){m, m, m});
            for (int k = 0; k < 2; k++)
                before[i][k] =
                    (tr_vec3){0.2f * space_random(&seed), 0.2f * space_random(&seed), 0.2f * space_random(&seed)};
            SPACE_OK(tr3_body_set_velocity(world, bodies[i], before[i][0], before[i][1]));
        }
        const tr_dvec3 pin = {0.6, -0.1, 0.2};
        const bool apart = type == TR3_JOINT_DISTANCE || type == TR3_JOINT_PULLEY || type == TR3_JOINT_CIRCLE;
        const tr_vec3 axis = {space_random(&seed), space_random(&seed), 1.0f};
        /* of a circle the first is the foot of the other on the axis */
        const tr_dvec3 x = tr3_over(tr3_widen(axis), space_length(tr3_widen(axis))),
                       other = tr3_plus(pin, tr3_part_across(x, (tr_dvec3){0.3, 0.4, -0.2}));
        tr3_joint_def def;
        SPACE_OK(tr3_joint_def_between(world, type, bodies[0], bodies[1], pin, apart ? other : pin, axis, &def));
        space_give_features(&def, round / TR3_JOINT_TYPE_COUNT);
        if (type == TR3_JOINT_DISTANCE) {
            def.spring = tr3_joint_def_default(type).spring;
            def.limit = (tr_limit){true, 0.1f, 1.0f};
        }
        /* what is far outside of its limit turns by much */
        if (type == TR3_JOINT_CIRCLE)
            def.limit = (tr_limit){true, -4.0f, 4.0f};
        const tr3_joint joint = space_joint(world, &def);
        tr3_transform at[2];
        for (int i = 0; i < 2; i++)
            SPACE_OK(tr3_body_get_transform(world, bodies[i], &at[i]));
        SPACE_OK(tr3_world_step(world, h, 1));
        tr3_reaction reaction;
        SPACE_OK(tr3_joint_reaction(world, joint, &reaction));
        const tr_dvec3 force = tr3_widen(reaction.force), torque = tr3_widen(reaction.torque);
        const tr_dvec3 arm = tr3_turned(tr3_widen_quat(at[1].rotation), tr3_widen(def.anchor_b));
        const tr_dvec3 point = tr3_plus(at[1].position, arm);
        const moved b = moved_by(world, bodies[1], mass[1], moment[1], before[1], h);
        const moved a = moved_by(world, bodies[0], mass[0], moment[0], before[0], h);
        const double size = 1.0 + space_length(force) + space_length(torque), slack = 2e-3 * size;
        same("force on B", type, method, b.force, force, slack);
        same("torque on B", type, method, b.torque, tr3_plus(torque, tr3_cross(arm, force)), slack);
        const bool own = type == TR3_JOINT_PULLEY || type == TR3_JOINT_GEAR;
        if (!own) {
            same("force on A", type, method, a.force, tr3_times(-1.0, force), slack);
            same("torque on A", type, method, a.torque,
                 tr3_times(-1.0, tr3_plus(torque, tr3_cross(tr3_minus(point, at[0].position), force))), slack);
        }
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reactions_are_what_moves_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
