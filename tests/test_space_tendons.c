/* MJCF: fixed tendons, as gears and springs between two joints; gravcomp. */
#include "solver/space/definitions.h"
#include "space_model.h"

#ifdef TR_WITH_XML

#define BALL "<geom size='.1' pos='.2 0 0'/>"
/* two hinges and a slide that swing and fall apart from each other */
#define MODEL(rest)                                                                                                    \
    "<mujoco><worldbody><body name='a'><joint name='x' axis='0 1 0' ref='30'/>" BALL "</body>"                         \
    "<body name='b' pos='0 3 0'><joint name='y' axis='0 1 0'/>" BALL "</body>"                                         \
    "<body name='c' pos='0 6 0'><joint name='z' type='slide' axis='0 0 1' ref='.5'/>" BALL "</body>"                   \
    "<body name='d' pos='0 9 0'><joint name='u' axis='1 0 0'/><joint name='v' axis='0 1 0'/>" BALL "</body>"           \
    "</worldbody>\n" rest "</mujoco>"
#define FIXED(attributes, one, other)                                                                                  \
    "<tendon><fixed name='t' " attributes "><joint joint='" one "' coef='2'/><joint joint='" other                     \
    "' coef='-.5'/></fixed></tendon>\n"

/* the coordinates after some steps, and the accelerations' differences: how far they have gone from the start */
static void run_model(const tr3_scene *scene, int steps, double moved[3])
{
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[8];
    static const char *const names[3] = {"x", "y", "z"};
    assert_true(scene->joint_count <= 8);
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    for (int step = 0; step < steps; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
    for (int i = 0; i < 3; i++) {
        tr_joint_coordinate_value value = {0.0f, 0.0f};
        SPACE_OK(tr3_joint_coordinate(world, joints[tr3_scene_find_joint(scene, names[i])], &value));
        moved[i] = (double)value.value;
    }
    tr3_world_destroy(world);
}

static const tr3_scene_joint *gear_of(const tr3_scene *scene)
{
    const tr3_scene_joint *found = NULL;
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        if (scene->joints[j].def.type != TR3_JOINT_GEAR)
            continue;
        assert_null(found);
        found = &scene->joints[j];
    }
    return found;
}

static void a_length_that_is_held_is_a_gear(void **state)
{
    (void)state;
    double moved[3];
    tr3_scene *scene = model(MODEL(FIXED("", "x", "y") "<equality><tendon name='e' tendon1='t'/></equality>"));
    assert_int_equal(scene->notice_count, 0);
    assert_string_equal(gear_of(scene)->name, "e");
    run_model(scene, 60, moved);
    print_message("x %g, y %g: apart by %g\n", moved[0], moved[1], 2.0 * moved[0] - 0.5 * moved[1]);
    assert_true(fabs(moved[0]) > 0.01 && fabs(2.0 * moved[0] - 0.5 * moved[1]) < 1e-3);
    tr3_scene_destroy(scene);
    /* a hinge and a slide */
    scene = model(MODEL(FIXED("", "x", "z") "<equality><tendon tendon1='t'/></equality>"));
    run_model(scene, 60, moved);
    assert_true(fabs(moved[0]) > 0.01 && fabs(2.0 * moved[0] - 0.5 * moved[2]) < 1e-3);
    tr3_scene_destroy(scene);
    scene = model(MODEL(FIXED("", "x", "y") "<equality><tendon tendon1='t' active='false'/></equality>"));
    assert_false(gear_of(scene)->def.enabled);
    tr3_scene_destroy(scene);
    /* two tendons of one joint each: 3 x = 2 (-y) */
    scene = model(
        MODEL("<tendon><fixed name='s'><joint joint='x' coef='3'/></fixed><fixed name='t'><joint joint='y' "
              "coef='-1'/></fixed></tendon><equality><tendon tendon1='s' tendon2='t' polycoef='0 2'/></equality>"));
    run_model(scene, 60, moved);
    assert_true(fabs(moved[0]) > 0.01 && fabs(3.0 * moved[0] + 2.0 * moved[1]) < 1e-3);
    tr3_scene_destroy(scene);
}

/* The torque of k (L - L0) on each joint is its coefficient times that: without gravity, with one joint made stiff by a
   great inertia, the other swings at the frequency of k c^2 / I. */
static void stiffness_is_that_of_the_length(void **state)
{
    (void)state;
    tr3_scene *scene =
        model("<mujoco><option gravity='0 0 0'/><worldbody>"
              "<body name='a'><joint name='x' axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1e6 1e6 "
              "1e6'/></body><body name='b' pos='0 3 0'><joint name='y' axis='0 1 0' ref='0'/><inertial "
              "pos='0 0 0' mass='1' diaginertia='.5 .5 .5'/></body><body name='c'><joint name='z'/>"
              "<geom size='.1'/></body></worldbody>"
              "<tendon><fixed stiffness='40' springlength='1'><joint joint='x' coef='3'/><joint joint='y' "
              "coef='2'/></fixed></tendon></mujoco>");
    assert_true(fabs((double)gear_of(scene)->def.angular.a - 160.0) < 1e-3);
    assert_true(gear_of(scene)->def.meshed);
    /* rests at L = 1, y = 1/2; starts at 0: half a period of sqrt(160 / 0.5) later it is at 1 */
    const double half = 3.14159265358979 / sqrt(160.0 / 0.5);
    double moved[3];
    scene->hertz = 240.0;
    run_model(scene, (int)lround(half * 240.0), moved);
    print_message("y after half a period: %g\n", moved[1]);
    assert_true(fabs(moved[1] - 1.0) < 0.03);
    run_model(scene, (int)lround(0.5 * half * 240.0), moved);
    assert_true(fabs(moved[1] - 0.5) < 0.03);
    tr3_scene_destroy(scene);
    /* at the length that it starts with nothing pulls: 2 * 30 degrees - 0 */
    scene = model(MODEL("<option gravity='0 0 0'/>" FIXED("stiffness='40' damping='1'", "x", "y")));
    assert_false(gear_of(scene)->def.meshed);
    run_model(scene, 60, moved);
    assert_true(fabs(moved[0]) < 1e-6 && fabs(moved[1]) < 1e-6);
    tr3_scene_destroy(scene);
}

static void servos_of_two_joints_pull_their_length_to_zero(void **state)
{
    (void)state;
    double moved[3];
    /* x starts at 30 degrees, z at 0.5 m: L = 2 x - 0.5 z = 0.797; much damping brings it to 0 */
    tr3_scene *scene = model(MODEL("<option gravity='0 0 0'/>" FIXED(
        "", "x", "z") "<actuator><position name='p' tendon='t' kp='200' kv='60' gear='2'/></actuator>"));
    assert_int_equal(scene->notice_count, 0);
    assert_string_equal(gear_of(scene)->name, "p");
    assert_true(fabs((double)gear_of(scene)->def.angular.a - 200.0 * 4.0 * 0.25) < 1e-3);
    run_model(scene, 480, moved);
    const double length = 2.0 * (moved[0] + 3.14159265358979 / 6.0) - 0.5 * (moved[2] + 0.5);
    print_message("the length after 2 s: %g\n", length);
    assert_true(fabs(length) < 0.02);
    tr3_scene_destroy(scene);
    /* from a keyframe the length is that of the pose */
    const tr3_import_options options = {.keyframe = "k"};
    scene = model_with(MODEL("<option gravity='0 0 0'/>" FIXED(
                           "stiffness='9'", "x", "y") "<keyframe><key name='k' qpos='0 0 0 0 0'/></keyframe>"),
                       options);
    assert_true(gear_of(scene)->def.meshed);
    tr3_scene_destroy(scene);
}

static void actuators_on_a_tendon_of_one_joint_are_those_of_the_joint(void **state)
{
    (void)state;
    tr3_scene *scene = model(MODEL("<tendon><fixed name='t'><joint joint='y' coef='-3'/></fixed></tendon><actuator>"
                                   "<motor tendon='t' gear='2' ctrlrange='-5 5'/></actuator>"));
    assert_int_equal(scene->notice_count, 0);
    assert_true(fabs((double)model_joint(scene, "y")->def.motor.maximum - 30.0) < 1e-3);
    tr3_scene_destroy(scene);
    scene = model(MODEL("<tendon><fixed name='t'><joint joint='y' coef='-3'/></fixed></tendon><actuator>"
                        "<position tendon='t' kp='2' kv='1'/></actuator>"));
    assert_true(fabs((double)model_joint(scene, "y")->def.spring.softness.a - 18.0) < 1e-3);
    tr3_scene_destroy(scene);
}

static void what_tendons_lose_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *notice;
    } cases[] = {
        {MODEL("<tendon><spatial name='s'><site site='q'/></spatial></tendon>"), "line 2: <spatial>: is not simulated"},
        {MODEL(FIXED("range='0 1'", "x", "y")), "line 2: <fixed> range: is not simulated of a tendon"},
        {MODEL(FIXED("frictionloss='1'", "x", "y")), "line 2: <fixed> frictionloss: is not simulated of a tendon"},
        {MODEL(FIXED("armature='1'", "x", "y")), "line 2: <fixed> armature: is not read"},
        {MODEL(FIXED("stiffness='1'", "x", "u")), "line 2: <fixed> stiffness: is simulated only of two joints"},
        {MODEL("<default><tendon damping='3'/></default>" FIXED("", "x", "u")),
         "line 2: <fixed> damping: is simulated only of two joints"},
        {MODEL(FIXED("stiffness='1' springlength='1 2'", "x", "y")), "<fixed> springlength: only the first is read"},
        {MODEL(FIXED("", "x", "y") "<actuator><motor tendon='t'/></actuator>"),
         "line 3: <motor> tendon: is not simulated"},
        {MODEL(FIXED("", "x", "u") "<actuator><position tendon='t'/></actuator>"),
         "line 3: <position> tendon: is not simulated"},
        {MODEL(FIXED("", "x", "y") "<actuator><position tendon='t' forcerange='-1 1'/></actuator>"),
         "line 3: <position>: the bounds of its force are not read"},
        {MODEL(FIXED("", "x", "u") "<equality><tendon tendon1='t'/></equality>"),
         "line 3: <tendon>: is simulated only of two joints"},
        {MODEL(FIXED("", "x", "y") "<equality><tendon tendon1='t' polycoef='1'/></equality>"),
         "line 3: <tendon> polycoef: only the second is read"},
    };
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {MODEL("<tendon><fixed><joint joint='none' coef='1'/></fixed></tendon>"),
         "test:2: <joint> joint: there is no joint \"none\""},
        {MODEL("<tendon><fixed><joint joint='x'/></fixed></tendon>"), "test:2: <joint> coef: is missing"},
        {MODEL("<tendon><fixed><joint coef='1'/></fixed></tendon>"), "test:2: <joint> joint: is missing"},
        {MODEL("<tendon><fixed><joint joint='x' coef='one'/></fixed></tendon>"), "test:2: <joint> coef"},
        {MODEL(FIXED("stiffness='-1'", "x", "y")), "test:2: <fixed> stiffness: expected a number from 0"},
        {MODEL("<equality><tendon tendon1='t'/></equality>"), "test:2: <tendon> tendon1: there is no tendon \"t\""},
        {MODEL("<equality><tendon/></equality>"), "test:2: <tendon> tendon1: is missing"},
        {MODEL("<actuator><motor tendon='t'/></actuator>"), "test:2: <motor> tendon: there is no tendon \"t\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr3_scene *scene = model(cases[i].text);
        model_want_notice(scene, cases[i].notice);
        tr3_scene_destroy(scene);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        model_refused(wrong[i].text, NULL, TR_ERROR_PARSE, wrong[i].message);
}

static void weight_may_be_taken_off(void **state)
{
    (void)state;
    tr3_scene *scene =
        model("<mujoco><worldbody><body name='a' gravcomp='.25'><freejoint/><geom size='.1'/>"
              "<body gravcomp='.25'><geom size='.1' pos='1 0 0'/></body>"
              "<body name='b'><joint/><joint pos='1 0 0'/><geom size='.1'/></body></body></worldbody></mujoco>");
    assert_true(model_body(scene, "a")->def.gravity_scale == 0.75f);
    assert_true(model_body(scene, "b")->def.gravity_scale == 1.0f);
    assert_false(model_has_notice(scene, "gravcomp"));
    tr3_scene_destroy(scene);
    /* of a body with parts, by their masses; its carriers have the same */
    scene =
        model("<mujoco><worldbody><body name='a' gravcomp='1'><joint/><joint pos='1 0 0'/><geom mass='3' size='.1'/>"
              "<body><geom mass='1' size='.1' pos='1 0 0'/></body></body></worldbody></mujoco>");
    model_want_notice(scene, "<body> gravcomp: is that of the whole body");
    for (uint32_t b = 1; b < scene->body_count; b++)
        assert_true(scene->bodies[b].def.gravity_scale == 0.25f);
    assert_int_equal(scene->body_count, 3);
    tr3_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_that_is_held_is_a_gear),
        cmocka_unit_test(stiffness_is_that_of_the_length),
        cmocka_unit_test(servos_of_two_joints_pull_their_length_to_zero),
        cmocka_unit_test(actuators_on_a_tendon_of_one_joint_are_those_of_the_joint),
        cmocka_unit_test(what_tendons_lose_is_said),
        cmocka_unit_test(weight_may_be_taken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
