/* MJCF: armature, and springs tuned to the inertia that a joint moves. */
#include "solver/space/geometry.h"
#include "space_mjcf.h"

#ifdef TR_WITH_XML

/* the inertia is that of all that hangs on the joint, and the armature: k = I / (T r)^2, c = 2 I / T */
static void springs_are_tuned_to_what_they_move(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        double inertia;
    } cases[] = {/* about the pivot: 1 of the first, and of the other 2 + 3 d^2, with its centre at (1, 0, 0) */
                 {"axis='0 0 1'", 1.0 + 2.0 + 3.0 + 0.5},
                 {"type='slide' axis='1 0 0'", 4.0 + 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body pos='1 0 0'><joint name='j' %s armature='.5' springdamper='2 .5' "
                 "stiffness='7'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body pos='0 1 0' euler='90 0 "
                 "0'><inertial pos='1 0 1' mass='3' diaginertia='2 2 2'/></body></body></worldbody></mujoco>",
                 cases[i].type);
        tr3_scene *scene = model(text);
        const double inertia = cases[i].inertia;
        const tr_spring *spring = &model_joint(scene, "j")->def.spring;
        model_near("stiffness", (double)spring->softness.a, inertia / (2.0 * 2.0 * 0.5 * 0.5), 1.0);
        model_near("damping", (double)spring->softness.b, inertia, 1.0);
        tr3_scene_destroy(scene);
    }
}

/* joints that are one have an inerter for each coordinate: about an axis of A, or of B */
static void joints_that_are_one_have_their_armature(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("", "<joint name='x' axis='1 0 0' armature='1'/><joint name='y' axis='0 1 0' "
                                      "armature='2'/>");
    const tr3_scene_joint *joint = model_joint(scene, "x+y"), *x = model_joint(scene, "armature of x"),
                          *y = model_joint(scene, "armature of y");
    assert_int_equal(joint->def.type, TR3_JOINT_UNIVERSAL);
    assert_true(x->body_a == joint->body_a && y->body_a == joint->body_b && y->def.inertance == 2.0f);
    model_near_vec("first axis", x->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    model_near_vec("second axis", y->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    tr3_scene_destroy(scene);
    scene = with_joint("", "<joint name='u' type='slide' axis='1 0 0' armature='1'/><joint name='x' axis='1 0 0' "
                           "armature='2'/>");
    assert_int_equal(model_joint(scene, "u+x")->def.type, TR3_JOINT_CYLINDRICAL);
    assert_true(model_joint(scene, "armature of u")->def.slides_b);
    assert_false(model_joint(scene, "armature of x")->def.slides_b);
    tr3_scene_destroy(scene);
    scene = with_joint("", "<joint name='x' axis='1 0 0' range='-9 9' armature='1'/><joint name='y' axis='0 1 0' "
                           "range='-9 9' armature='2'/><joint name='z' axis='0 0 1' range='-9 9' armature='3'/>");
    joint = model_joint(scene, "x+y+z");
    x = model_joint(scene, "armature of x");
    y = model_joint(scene, "armature of y");
    const tr3_scene_joint *z = model_joint(scene, "armature of z");
    assert_int_equal(joint->def.type, TR3_JOINT_GENERAL);
    assert_true(x->body_a == joint->body_a && y->body_a == joint->body_a && z->body_a == joint->body_b);
    assert_true(!x->def.across && y->def.across && !z->def.across && z->def.inertance == 3.0f);
    model_near_vec("first axis", x->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    model_near_vec("first axis", z->def.axis_b, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    model_near_vec("third axis", z->def.axis, (tr_dvec3){0.0, 0.0, 1.0}, 1.0);
    model_near_vec("third axis", y->def.axis_b, (tr_dvec3){0.0, 0.0, 1.0}, 1.0);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
    /* three free hinges with armature are no ball */
    scene = with_joint("", "<joint name='x' axis='1 0 0' armature='1'/><joint name='y' axis='0 1 0'/>"
                           "<joint name='z' axis='0 0 1'/>");
    assert_int_equal(model_joint(scene, "x+y")->def.type, TR3_JOINT_UNIVERSAL);
    assert_int_equal(model_joint(scene, "z")->def.type, TR3_JOINT_HINGE);
    tr3_scene_destroy(scene);
}

/* about three axes of the ball's body */
static void balls_have_their_armature(void **state)
{
    (void)state;
    static const char *const names[3] = {"armature of j about x", "armature of j about y", "armature of j about z"};
    tr3_scene *scene = with_joint("", "<joint name='j' type='ball' armature='.25' pos='1 0 0'/>");
    const tr3_scene_joint *joint = model_joint(scene, "j");
    assert_int_equal(scene->notice_count, 0);
    for (int i = 0; i < 3; i++) {
        const tr3_scene_joint *rotor = model_joint(scene, names[i]);
        assert_true(rotor->body_a == joint->body_b && rotor->body_b == joint->body_a && rotor->def.inertance == 0.25f);
        model_near_vec("axis", rotor->def.axis, (tr_dvec3){i == 0, i == 1, i == 2}, 1.0);
        model_near_vec("anchor", rotor->def.anchor_a, tr3_widen(joint->def.anchor_b), 1.0);
    }
    tr3_scene_destroy(scene);
}

/* a free body has no axis to turn a rotor about; also where a class says so for all joints */
static void armature_of_a_free_joint_is_left_out_with_a_notice(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("", "<joint name='j' type='free' armature='1'/>");
    model_want_notice(scene, "line 2: <joint> armature: is not simulated of a free joint");
    assert_int_equal(scene->joint_count, 0);
    tr3_scene_destroy(scene);
    scene = with_joint("<default><joint armature='1'/></default>", "<joint type='free'/>");
    model_want_notice(scene, "line 1: <joint> armature: is not simulated of a free joint");
    tr3_scene_destroy(scene);
    scene = with_joint("<default><joint armature='1'/></default>", "<freejoint/>");
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

/* a link on a motor with a heavy rotor falls as the two together: (I + a) q'' = m g l */
static void a_robot_with_armature_moves_as_both(void **state)
{
    (void)state;
    tr3_scene *scene =
        model("<mujoco><option gravity='0 0 -10' timestep='.004'/><worldbody><body><joint name='j' axis='0 1 0' "
              "armature='.75'/><inertial pos='.5 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody>"
              "</mujoco>");
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[2];
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    for (int step = 0; step < 10; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 250.0, 4));
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate(world, joints[tr3_scene_find_joint(scene, "j")], &at));
    /* m g l / (I + m l^2 + a) */
    model_near("rate", (double)at.rate, 0.04 * 5.0 / (0.1 + 0.25 + 0.75), 1e3);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_tuned_to_what_they_move),
        cmocka_unit_test(joints_that_are_one_have_their_armature),
        cmocka_unit_test(balls_have_their_armature),
        cmocka_unit_test(armature_of_a_free_joint_is_left_out_with_a_notice),
        cmocka_unit_test(a_robot_with_armature_moves_as_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
