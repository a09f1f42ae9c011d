/* Joints in space that are made of others, as docs/joints/README.md says: wheels, constant velocity, a linear motor, a link. */
#define TR_DIMENSION 3

#include "solver/space/geometry.h"
#include "space.h"
#include "space_features.h"

#ifdef TR_WITH_SCENES
#include "space_scene.h"
#endif

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

static tr_joint_coordinate_value coordinate(const tr3_world *world, tr3_joint joint, uint32_t k)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate_of(world, joint, k, &at));
    return at;
}

static void near_to(const char *what, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s: %.9g, not %.9g", what, have, want);
}

#ifdef TR_WITH_SCENES

/* a general joint is a wheel: springs carry the carriage, m g/(4 k), steering holds its angle, motors their speed */
static void a_general_joint_is_a_wheel(void **state)
{
    (void)state;
    static const char *const names[] = {"front left", "front right", "rear left", "rear right"};
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_load(TR_SCENES_DIR "/space/joints/wheel.json", &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[16];
    assert_true(scene->joint_count <= 16);
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    for (int step = 0; step < 300; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    const double sinks = 2.4 * 0.3 * 0.9 * 150.0 * 9.81 / (4.0 * 8000.0);
    for (int i = 0; i < 4; i++) {
        const uint32_t index = tr3_scene_find_joint(scene, names[i]);
        assert_true(index != UINT32_MAX);
        near_to("suspension", (double)coordinate(world, joints[index], 0).value, sinks, 1e-3);
        near_to("steering", (double)coordinate(world, joints[index], 3).value, i < 2 ? 0.4 : 0.0, 1e-3);
        if (i >= 2)
            near_to("spin", (double)coordinate(world, joints[index], 5).rate, 10.0, 0.01);
        tr_joint_error_value off;
        SPACE_OK(tr3_joint_error(world, joints[index], &off));
        assert_true(off.linear < 1e-3f && off.angular < 1e-3f);
    }
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

#endif

/* a shaft drives another, bent by 0.5 rad: by a ball without twist evenly, by a universal between cos 0.5 and 1/cos 0.5 */
static void a_ball_without_twist_keeps_the_velocity(void **state)
{
    (void)state;
    const double bend = 0.5;
    for (int universal = 0; universal < 2; universal++) {
        tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
        tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
        tr3_body_def def = tr3_body_def_default();
        def.inertia = (tr_sym3){0.02f, 0.1f, 0.1f, 0.0f, 0.0f, 0.0f};
        def.position = (tr_dvec3){-0.3, 0.0, 0.0};
        tr3_body in, out;
        SPACE_OK(tr3_world_create_body(world, &def, &in));
        def.position = (tr_dvec3){0.3 * cos(bend), 0.3 * sin(bend), 0.0};
        def.rotation = (tr_quat){0.0f, 0.0f, (float)sin(0.5 * bend), (float)cos(0.5 * bend)};
        SPACE_OK(tr3_world_create_body(world, &def, &out));
        tr3_joint_def driven = space_between(world, TR3_JOINT_HINGE, ground, in, (tr_dvec3){-0.6, 0.0, 0.0}, x_axis);
        driven.motor = (tr_motor){true, 5.0f, 100.0f};
        space_joint(world, &driven);
        const tr_vec3 along = {(float)cos(bend), (float)sin(bend), 0.0f};
        tr3_joint_def held = space_between(world, TR3_JOINT_HINGE, ground, out, def.position, along);
        tr3_joint bearing = space_joint(world, &held);
        tr3_joint_def bent = space_between(world, universal == 1 ? TR3_JOINT_UNIVERSAL : TR3_JOINT_BALL, in, out,
                                           origin, universal == 1 ? z_axis : x_axis);
        if (universal == 1) {
            bent.axis_2 = (tr_vec3){-along.y, along.x, 0.0f};
        } else {
            bent.reference = (tr_quat){0.0f, 0.0f, 0.0f, 1.0f};
            bent.twist = (tr_limit){true, 0.0f, 0.0f};
        }
        space_joint(world, &bent);
        double slowest = INFINITY, fastest = 0.0;
        for (int step = 0; step < 300; step++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            const double rate = (double)coordinate(world, bearing, 0).rate;
            slowest = step < 60 ? slowest : fmin(slowest, rate);
            fastest = step < 60 ? fastest : fmax(fastest, rate);
        }
        near_to("slowest", slowest, universal == 1 ? 5.0 * cos(bend) : 5.0, 0.05);
        near_to("fastest", fastest, universal == 1 ? 5.0 / cos(bend) : 5.0, 0.05);
        tr3_world_destroy(world);
    }
}

/* a general joint that is free but for a motor drives along its axis with its force, up to its speed, and holds nothing */
static void a_free_general_joint_is_a_linear_motor(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body body = space_body(world, TR_DYNAMIC, origin, 2.0f, unit);
    tr3_joint_def def = space_between(world, TR3_JOINT_GENERAL, ground, body, origin, x_axis);
    for (uint32_t k = 0; k < TR3_COORDINATES; k++)
        tr3_def_set_features(&def, k, (tr3_features){.locked = false, .motor = {k == 0, 1.0f, k == 0 ? 2.0f : 0.0f}});
    space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, body, (tr_vec3){0.0f, 0.3f, -0.2f}, (tr_vec3){0.0f, 0.0f, 0.0f}));
    for (int second = 1; second <= 2; second++) {
        for (int step = 0; step < (second == 1 ? 30 : 90); step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        tr_vec3 v, w;
        SPACE_OK(tr3_body_get_velocity(world, body, &v, &w));
        near_to("along", (double)v.x, second == 1 ? 0.5 : 1.0, 1e-3);
        near_to("up", (double)v.y, 0.3, 1e-6);
        near_to("aside", (double)v.z, -0.2, 1e-6);
    }
    tr3_world_destroy(world);
}

/* a distance, and a plane across the axis: a point of B, which turns freely, stays on a circle about A's axis */
static void a_distance_and_a_plane_are_a_link(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, origin, 1.0f, unit);
    tr3_body body = space_body(world, TR_DYNAMIC, (tr_dvec3){0.7, 0.0, 0.1}, 1.0f, (tr_vec3){0.05f, 0.06f, 0.07f});
    const tr_dvec3 pin = {0.5, 0.0, 0.0};
    tr3_joint_def rod, across = space_between(world, TR3_JOINT_PLANE, ground, body, pin, z_axis);
    SPACE_OK(tr3_joint_def_between(world, TR3_JOINT_DISTANCE, ground, body, origin, pin, x_axis, &rod));
    space_joint(world, &rod);
    space_joint(world, &across);
    SPACE_OK(tr3_body_set_velocity(world, body, (tr_vec3){0.0f, 0.0f, 0.0f}, (tr_vec3){1.0f, 2.0f, 0.0f}));
    for (int step = 0; step < 300; step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        tr3_transform pose;
        SPACE_OK(tr3_body_get_transform(world, body, &pose));
        const tr_dvec3 at = tr3_plus(pose.position, tr3_turned(tr3_widen_quat(pose.rotation), tr3_widen(rod.anchor_b)));
        near_to("radius", hypot(at.x, at.y), 0.5, 5e-3);
        near_to("across", at.z, 0.0, 5e-3);
    }
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TR_WITH_SCENES
        cmocka_unit_test(a_general_joint_is_a_wheel),
#endif
        cmocka_unit_test(a_ball_without_twist_keeps_the_velocity),
        cmocka_unit_test(a_free_general_joint_is_a_linear_motor),
        cmocka_unit_test(a_distance_and_a_plane_are_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
