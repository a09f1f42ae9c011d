/* URDF: frames, masses, every type of joint, what is left out, and what is wrong. */
#include "solver/space/definitions.h"
#include "space_model.h"

#ifdef TR_WITH_XML

#define QUARTER "1.5707963267948966"
#define ROOT    0.70710678118654752

/* a root of 2 kg and what else the robot has */
#define ROBOT(rest)                                                                                                    \
    "<robot name='r'>\n"                                                                                               \
    "<link name='a'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n" rest "</robot>"
#define LINK(name)                                                                                                     \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"

/* with a link b and one joint of this type between both */
static tr3_scene *with_joint(const char *type, const char *inside)
{
    char text[2048];
    snprintf(text, sizeof text,
             ROBOT(LINK("b") "<joint name='j' type='%s'><parent link='a'/><child link='b'/>%s</joint>\n"), type,
             inside);
    return model(text);
}

static void a_robot_is_read(void **state)
{
    (void)state;
    tr3_scene *scene = model(ROBOT(""));
    assert_string_equal(scene->format, "urdf");
    assert_string_equal(scene->name, "r");
    assert_true(scene->gravity.x == 0.0f && scene->gravity.y == 0.0f && scene->gravity.z == -9.81f);
    assert_int_equal(scene->body_count, 1);
    assert_int_equal(scene->bodies[0].def.type, TR_DYNAMIC);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

/* the inertial frame is turned by a quarter about z, so that its x is the link's y */
static void inertia_is_turned_into_the_frame_of_the_link(void **state)
{
    (void)state;
    tr3_scene *scene = model("<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 " QUARTER "'/>"
                             "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0.2' iyz='0.3'/>"
                             "</inertial></link></robot>");
    const model_numbers want = {"a", 2.0, {1.0, 2.0, 3.0}, {2.0, 1.0, 2.5, -0.1, -0.3, 0.2}, {0.0, 0.0, 0.0}};
    model_check_body(&scene->bodies[0].def, &want);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

/* roll, pitch and yaw are about the fixed axes, in this order: x goes to y by the yaw, z to y and then to -x */
static void joints_are_at_the_origin_of_their_child(void **state)
{
    (void)state;
    tr3_scene *scene =
        with_joint("revolute", "<origin xyz='1 2 3' rpy='" QUARTER " 0 " QUARTER "'/><axis xyz='0 0 2'/>");
    const tr3_scene_joint *joint = model_joint(scene, "j");
    const tr3_body_def *child = &model_body(scene, "b")->def;
    assert_int_equal(joint->def.type, TR3_JOINT_HINGE);
    model_near_vec("anchor", joint->def.anchor_a, (tr_dvec3){1.0, 2.0, 3.0}, 1.0);
    model_near_vec("anchor of the child", joint->def.anchor_b, (tr_dvec3){0.0, 0.0, 0.0}, 1.0);
    /* Rz(90) Rx(90): x -> y, y -> z, z -> x */
    model_near_vec("axis", joint->def.axis, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
    assert_true(fabs((double)joint->def.reference.x - 0.5) < 1e-6 && fabs((double)joint->def.reference.w - 0.5) < 1e-6);
    assert_true(child->position.x == 1.0 && child->position.y == 2.0 && child->position.z == 3.0);
    assert_memory_equal(&child->rotation, &joint->def.reference, sizeof child->rotation);
    model_want_closed(scene);
    tr3_scene_destroy(scene);
}

static void limits_damping_and_friction_are_read(void **state)
{
    (void)state;
    tr3_scene *scene =
        with_joint("prismatic", "<axis xyz='0 1 0'/><limit lower='-1' upper='2' effort='30' velocity='4'/>"
                                "<dynamics damping='0.5' friction='0.25'/>");
    const tr3_joint_def *def = &model_joint(scene, "j")->def;
    assert_int_equal(def->type, TR3_JOINT_SLIDER);
    assert_true(def->limit.enable && def->limit.lower == -1.0f && def->limit.upper == 2.0f);
    /* the motor waits for the application */
    assert_true(!def->motor.enable && def->motor.maximum == 30.0f && def->motor.speed == 4.0f);
    assert_true(def->friction == 0.25f && def->spring.enable && def->spring.softness.kind == TR_PHYSICAL);
    assert_true(def->spring.softness.a == 0.0f && def->spring.softness.b == 0.5f);
    model_want_notice(scene, "line 4: <limit> velocity: is the speed of the joint's motor, which is off");
    tr3_scene_destroy(scene);
}

static void joints_start_within_their_limits(void **state)
{
    (void)state;
    static const struct {
        const char *type, *limit;
        double start;
        tr_dvec3 at; /* of the child, whose origin is 1 m along x; the axis is z */
    } cases[] = {{"revolute", "lower='0.5' upper='1'", 0.5, {1.0, 0.0, 0.0}},
                 {"revolute", "lower='-2' upper='-1'", -1.0, {1.0, 0.0, 0.0}},
                 {"revolute", "lower='-2' upper='1'", 0.0, {1.0, 0.0, 0.0}},
                 {"prismatic", "lower='0.5' upper='1'", 0.5, {1.0, 0.0, 0.5}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char inside[200];
        snprintf(inside, sizeof inside, "<origin xyz='1 0 0'/><axis xyz='0 0 1'/><limit effort='1' velocity='0' %s/>",
                 cases[i].limit);
        tr3_scene *scene = with_joint(cases[i].type, inside);
        const tr_dvec3 at = model_body(scene, "b")->def.position;
        model_near("x", at.x, cases[i].at.x, 1.0);
        model_near("z", at.z, cases[i].at.z, 1.0);
        tr3_world *world = space_world_of(scene);
        tr3_joint joint;
        tr_joint_coordinate_value coordinate;
        SPACE_OK(tr3_scene_build(scene, world, NULL, &joint, NULL));
        SPACE_OK(tr3_joint_coordinate(world, joint, &coordinate));
        model_near("start", (double)coordinate.value, cases[i].start, 1.0);
        assert_int_equal(model_has_notice(scene, "line 4: <limit>: leaves out 0: the joint starts at its limit"),
                         cases[i].start != 0.0);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
}

static void what_exporters_write_for_no_limit_is_none(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("revolute", "<limit lower='0' upper='0' effort='0' velocity='0'/>");
    assert_false(model_joint(scene, "j")->def.limit.enable);
    model_want_notice(scene, "line 4: <limit>: is all zero");
    tr3_scene_destroy(scene);
    /* with an effort it is a locked joint */
    scene = with_joint("revolute", "<limit lower='0' upper='0' effort='1' velocity='0'/>");
    assert_true(model_joint(scene, "j")->def.limit.enable);
    tr3_scene_destroy(scene);
    scene = with_joint("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>");
    assert_false(model_joint(scene, "j")->def.limit.enable);
    model_want_notice(scene, "<limit> lower: is above upper");
    tr3_scene_destroy(scene);
    scene = with_joint("revolute", "<limit lower='-1' upper='1' effort='1' velocity='1e18'/>");
    assert_true(model_joint(scene, "j")->def.motor.speed == 0.0f);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
    scene = with_joint("continuous", "<limit lower='-1' upper='1' effort='2' velocity='0'/>");
    assert_false(model_joint(scene, "j")->def.limit.enable);
    assert_true(model_joint(scene, "j")->def.motor.maximum == 2.0f);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

static void floating_is_no_joint(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("floating", "<origin xyz='1 0 0'/>");
    assert_int_equal(scene->joint_count, 0);
    assert_int_equal(scene->body_count, 2);
    assert_true(model_body(scene, "b")->def.position.x == 1.0);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

#define MOVES(name, type, child, inside)                                                                               \
    "<joint name='" name "' type='" type "'><parent link='a'/><child link='" child "'/><axis xyz='0 1 0'/>" inside     \
    "</joint>\n"

/* a gripper: the second finger comes from the other side, and a wheel turns by five radians per metre */
static void joints_that_mimic_follow(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        tr3_scene *scene = model_with(
            ROBOT(LINK("b") LINK("c") LINK("d")
                      MOVES("k", "prismatic", "c", "<mimic joint='j' multiplier='-1' offset='0.02'/>")
                          MOVES("j", "prismatic", "b", "<limit lower='-1' upper='1' effort='50' velocity='0'/>")
                              MOVES("m", "continuous", "d", "<origin xyz='0 0 1'/><mimic joint='j' multiplier='5'/>")),
            (tr3_import_options){.fix_base = fixed == 1});
        tr3_joint joints[5];
        tr_joint_coordinate_value at[3];
        assert_int_equal(scene->joint_count, 5);
        assert_int_equal(scene->joints[3].def.type, TR3_JOINT_GEAR);
        tr3_world *world = space_world_of(scene);
        SPACE_OK(tr3_world_set_gravity(world, (tr_vec3){0.0f, 0.0f, 0.0f}));
        SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
        tr3_joint_def drive;
        SPACE_OK(tr3_joint_get(world, joints[1], &drive));
        drive.motor = (tr_motor){true, 0.25f, 50.0f};
        SPACE_OK(tr3_joint_set(world, joints[1], &drive));
        for (int step = 0; step < 240; step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
        for (int i = 0; i < 3; i++)
            SPACE_OK(tr3_joint_coordinate(world, joints[i], &at[i]));
        const double way = (double)at[1].value;
        assert_true(way > 0.2 && way < 0.3);
        assert_true(fabs((double)at[0].value - (0.02 - way)) < 2e-4 && fabs((double)at[2].value - 5.0 * way) < 2e-3);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
    /* a multiplier of 0, and what has no coordinate */
    tr3_scene *scene = model(ROBOT(LINK("b") LINK("c") MOVES("j", "continuous", "b", "")
                                       MOVES("k", "continuous", "c", "<mimic joint='j' multiplier='0'/>")));
    assert_int_equal(scene->joint_count, 2);
    model_want_notice(scene, "<mimic>: is not simulated: it needs two joints that turn or slide");
    tr3_scene_destroy(scene);
}

/* in the plane across the axis, with what acts along each of the three coordinates */
static void planar_joints_slide_and_turn(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("planar", "<origin xyz='0 0 1'/><axis xyz='0 0 2'/>"
                                            "<dynamics damping='2' friction='0.5'/><limit effort='3'/>");
    assert_int_equal(scene->joint_count, 1);
    const tr3_joint_def *def = &model_joint(scene, "j")->def;
    assert_int_equal(def->type, TR3_JOINT_PLANAR);
    model_near_vec("axis", def->axis, (tr_dvec3){0.0, 0.0, 1.0}, 1.0);
    for (uint32_t k = 0; k < 3; k++) {
        const tr3_features f = tr3_def_features(def, k);
        assert_true(f.friction == 0.5f && f.spring.enable && f.spring.softness.a == 0.0f &&
                    f.spring.softness.b == 2.0f);
        assert_true(!f.motor.enable && !f.limit.enable);
    }
    model_want_notice(scene, "line 4: <limit>: is not read of a planar joint: it has three coordinates");
    tr3_scene_destroy(scene);
}

/* b hangs on a, c on b; b is turned by a quarter about z, so that c is at (1, 1, 0) */
#define THREE                                                                                                          \
    ROBOT(LINK("b")                                                                                                    \
              LINK("c") "<joint name='ab' type='fixed'><parent link='a'/><child link='b'/>"                            \
                        "<origin xyz='1 0 0' rpy='0 0 " QUARTER "'/></joint>"                                          \
                        "<joint name='bc' type='fixed'><parent link='b'/><child link='c'/>"                            \
                        "<origin xyz='1 0 0'/></joint>"                                                                \
                        "<link name='d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"      \
                        "</link><joint name='cd' type='continuous'><parent link='c'/><child link='d'/>"                \
                        "<origin xyz='1 0 0'/><axis xyz='1 0 0'/></joint>")

static void fixed_links_are_one_body_or_welded(void **state)
{
    (void)state;
    tr3_scene *scene = model(THREE);
    assert_int_equal(scene->body_count, 2);
    assert_int_equal(scene->joint_count, 1);
    /* masses 2, 1, 1 at 0, (1, 0), (1, 1): the centre is (0.5, 0.25); about it, by parallel axes:
       xx = 3 + sum m (y - 0.25)^2 = 3.75, yy = 3 + sum m (x - 0.5)^2 = 4, zz = 3 + both = 4.75, xy = -0.5 */
    const model_numbers want = {"a", 4.0, {0.5, 0.25, 0.0}, {3.75, 4.0, 4.75, -0.5, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    model_check_body(&model_body(scene, "a")->def, &want);
    const tr3_scene_joint *joint = model_joint(scene, "cd");
    model_near_vec("anchor", joint->def.anchor_a, (tr_dvec3){1.0, 2.0, 0.0}, 1.0);
    model_near_vec("axis", joint->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    model_want_notice(scene, "2 of 4 links are fixed to others");
    tr3_scene_destroy(scene);

    tr3_import_options options = tr3_import_options_default();
    options.weld_fixed = true;
    scene = model_with(THREE, options);
    assert_int_equal(scene->body_count, 4);
    assert_int_equal(scene->joint_count, 3);
    assert_int_equal(model_joint(scene, "ab")->def.type, TR3_JOINT_WELD);
    assert_int_equal(scene->notice_count, 0);
    model_want_closed(scene);
    tr3_scene_destroy(scene);
}

static void links_without_mass_find_one(void **state)
{
    (void)state;
    tr3_import_options options = tr3_import_options_default();
    /* a tool frame is never a body of its own if it is fixed */
    const char *tool =
        ROBOT("<link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>");
    options.weld_fixed = true;
    tr3_scene *scene = model_with(tool, options);
    assert_int_equal(scene->body_count, 1);
    tr3_scene_destroy(scene);
    /* one that must move gets a thousandth of its parent's */
    scene =
        model(ROBOT("<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"));
    model_near("small mass", (double)model_body(scene, "b")->def.mass, 0.002, 0.002);
    model_want_notice(scene, "line 3: <link>: has no mass and must move");
    tr3_scene_destroy(scene);
    /* a root without mass carries an arm, or is the body of what is fixed to it */
    scene = model("<robot name='r'><link name='b'/>" LINK("c") "<joint name='j' type='continuous'><parent link='b'/>"
                                                               "<child link='c'/></joint></robot>");
    assert_int_equal(model_body(scene, "b")->def.type, TR_STATIC);
    model_want_notice(scene, "is a root without mass: it is static");
    tr3_scene_destroy(scene);
    scene = model("<robot name='r'><link name='b'/>" LINK("c") "<joint name='j' type='fixed'><parent link='b'/>"
                                                               "<child link='c'/></joint></robot>");
    assert_int_equal(model_body(scene, "b")->def.type, TR_DYNAMIC);
    assert_true(model_body(scene, "b")->def.mass == 1.0f);
    tr3_scene_destroy(scene);
}

/* a rod on two hinges, with a link without mass between them, and more rods on it */
#define HOOK(n, before)                                                                                                \
    "<link name='m" n "'/><joint type='continuous'><parent link='" before "'/><child link='m" n "'/>"                  \
    "<origin xyz='.4 0 0'/><axis xyz='0 1 0'/></joint><link name='" n "'><inertial><origin xyz='.2 0 0'/>"             \
    "<mass value='1'/><inertia ixx='.002' iyy='.0143' izz='.0143'/></inertial></link><joint type='continuous'>"        \
    "<parent link='m" n "'/><child link='" n "'/><axis xyz='0 0 1'/></joint>"

static void links_without_mass_between_joints_carry_a_share(void **state)
{
    (void)state;
    tr3_scene *scene =
        model("<robot name='r'><link name='world'/>" HOOK("1", "world") HOOK("2", "1") HOOK("3", "2") "</robot>");
    assert_int_equal(scene->body_count, 7);
    model_want_notice(scene, "<link>: has no mass and must move: it gets 0.05 of what hangs on it (3 times)");
    const tr3_body_def *link = &model_body(scene, "m1")->def, *rod = &model_body(scene, "1")->def;
    model_near("share", (double)link->mass, 0.05, 1.0);
    model_near("rest", (double)rod->mass, 0.95, 1.0);
    /* the weight about the pivot, and the inertia about it, are those of the file: 1 kg at 0.2 m */
    model_near_vec("pivot", link->center, (tr_dvec3){0.0, 0.0, 0.0}, 1.0);
    model_near("weight", (double)rod->mass * (double)rod->center.x, 0.2, 1.0);
    model_near("inertia",
               (double)rod->inertia.yy + (double)rod->mass * (double)rod->center.x * (double)rod->center.x +
                   (double)link->inertia.yy,
               0.0143 + 0.04, 1.0);
    tr3_world *world = space_build(scene);
    double squares = 0.0;
    for (int step = 0; step < 2400; step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
        const double rms = tr3_world_measure(world).joint_error_rms;
        squares += rms * rms;
    }
    if (!(sqrt(squares / 2400.0) < 1e-3))
        fail_msg("%g m rms", sqrt(squares / 2400.0));
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

static void the_base_is_fixed_by_the_world_or_by_an_option(void **state)
{
    (void)state;
    const char *on_world =
        "<robot name='r'><link name='world'/>" LINK("c") "<joint name='j' type='fixed'><parent link='world'/>"
                                                         "<child link='c'/></joint></robot>";
    tr3_import_options options = tr3_import_options_default();
    tr3_scene *scene = model(on_world);
    assert_int_equal(scene->body_count, 1);
    assert_int_equal(scene->bodies[0].def.type, TR_STATIC);
    tr3_scene_destroy(scene);
    options.weld_fixed = true;
    scene = model_with(on_world, options);
    assert_int_equal(scene->body_count, 2);
    assert_int_equal(scene->joint_count, 1);
    tr3_scene_destroy(scene);
    options = (tr3_import_options){.fix_base = true};
    scene = model_with(ROBOT(""), options);
    assert_int_equal(scene->bodies[0].def.type, TR_STATIC);
    tr3_scene_destroy(scene);
}

static void solids_are_what_is_seen_or_what_stands_for_it(void **state)
{
    (void)state;
    tr3_scene *scene = model(
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>\n"
        "<visual name='v'><origin xyz='1 0 0' rpy='0 " QUARTER " 0'/><geometry><cylinder radius='0.5' length='2'/>"
        "</geometry><material name='red'><color rgba='1 0 0 1'/></material></visual>\n"
        "<visual><geometry><box size='1 2 3'/></geometry></visual>\n"
        "<collision><geometry><sphere radius='9'/></geometry></collision></link>\n"
        "<link name='b'><visual><geometry><mesh filename='x.stl'/></geometry></visual>"
        "<collision><geometry><sphere radius='0.25'/></geometry></collision></link>\n"
        "<link name='c'><collision><geometry><sphere radius='8'/></geometry></collision></link>\n"
        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='0 0 4'/></joint>"
        "<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint></robot>");
    assert_int_equal(scene->shape_count, 3);
    const tr3_scene_shape *cylinder = &scene->shapes[0], *box = &scene->shapes[1], *sphere = &scene->shapes[2];
    assert_int_equal(cylinder->type, TR3_SCENE_CYLINDER);
    assert_string_equal(cylinder->name, "v");
    /* z is turned to x */
    model_near_vec("from", cylinder->from, (tr_dvec3){0.0, 0.0, 0.0}, 1.0);
    model_near_vec("to", cylinder->to, (tr_dvec3){2.0, 0.0, 0.0}, 1.0);
    assert_int_equal(box->type, TR3_SCENE_BOX);
    assert_true(box->half.x == 0.5f && box->half.y == 1.0f && box->half.z == 1.5f);
    assert_int_equal(sphere->type, TR3_SCENE_SPHERE);
    assert_true(sphere->center.z == 4.0f && sphere->radius == 0.25f && sphere->body == 0);
    assert_true(scene->bodies[0].def.mass == 1.0f);
    model_want_notice(scene, "line 5: <mesh>: is not drawn");
    model_want_notice(scene, "line 6: <collision>: is not drawn: its <link> has no <visual>");
    tr3_scene_destroy(scene);
}

static void notices_have_the_first_line_and_how_often(void **state)
{
    (void)state;
    tr3_scene *scene =
        model(ROBOT("<gazebo/>\n<gazebo/>\n<transmission><type/></transmission>\n<link name='b' colour='1'>"
                    "<sensor/></link>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/>"
                    "</joint>"));
    assert_int_equal(scene->notice_count, 5);
    model_want_notice(scene, "line 3: <gazebo>: is not read in <robot> (2 times)");
    model_want_notice(scene, "line 5: <transmission>: is not read in <robot>");
    model_want_notice(scene, "line 6: <link> colour: is not read");
    model_want_notice(scene, "line 6: <sensor>: is not read in <link>");
    tr3_scene_destroy(scene);
}

static void an_inertia_that_no_body_has_is_mended_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *given;
        double moments[3];
    } cases[] = {/* the excess of the greatest is shared by the others */
                 {"ixx='1' iyy='0.2' izz='0.2'", {1.0, 0.5, 0.5}},
                 {"ixx='0' iyy='0' izz='2'", {1.0, 1.0, 2.0}},
                 {"ixx='0' iyy='2' izz='2'", {2e-4, 2.0, 2.0}},
                 /* 3, 1 and -1, which becomes 3e-4 */
                 {"ixx='1' iyy='1' izz='1' ixy='2'", {2.000075, 2.000075, 1.99985}},
                 {"ixx='0' iyy='0' izz='0' ixz='2e-35'", {4e-5, 4e-5, 4e-5}},
                 {"ixx='0' iyy='0' izz='0'", {4e-5, 4e-5, 4e-5}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia %s/></inertial></link></robot>",
                 cases[i].given);
        tr3_scene *scene = model(text);
        const tr_sym3 have = scene->bodies[0].def.inertia;
        model_near("xx", (double)have.xx, cases[i].moments[0], 1.0);
        model_near("yy", (double)have.yy, cases[i].moments[1], 1.0);
        model_near("zz", (double)have.zz, cases[i].moments[2], 1.0);
        model_want_notice(scene, "line 1: <inertia>: ");
        tr3_world_destroy(space_build(scene));
        tr3_scene_destroy(scene);
    }
    model_refused(
        "<robot name='r'><link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='-1' izz='1'/></inertial>"
        "</link></robot>",
        NULL, TR_ERROR_PARSE, "test:2: <inertia>: no body has this inertia: its principal moments are");
}

/* m dv/dt = -c v: after t, v = exp(-c t / m); a step multiplies by 1 / (1 + h c / m) */
static void damping_slows_as_the_file_says(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("prismatic", "<axis xyz='1 0 0'/><dynamics damping='2'/>");
    scene->bodies[0].def.type = TR_STATIC;
    scene->gravity = (tr_vec3){0.0f, 0.0f, 0.0f};
    scene->bodies[1].def.velocity.x = 1.0f;
    tr3_world *world = space_world_of(scene);
    tr3_body ids[2];
    SPACE_OK(tr3_scene_build(scene, world, ids, NULL, NULL));
    for (int i = 0; i < 240; i++)
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
    tr_vec3 velocity, spin;
    SPACE_OK(tr3_body_get_velocity(world, ids[1], &velocity, &spin));
    if (!(fabs((double)velocity.x - exp(-2.0)) < 2e-3 * exp(-2.0) + 3e-4))
        fail_msg("%g, not %g", (double)velocity.x, exp(-2.0));
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

/* four rods in a square, the last joint given as an option: one degree of freedom is left */
static void an_option_closes_a_loop(void **state)
{
    (void)state;
    static const char *const text = "<robot name='r'>" LINK("a") LINK("b") LINK("c")
        LINK("d") "<joint name='ab' type='continuous'><parent link='a'/><child link='b'/>"
                  "<axis xyz='0 0 1'/></joint>"
                  "<joint name='bc' type='continuous'><parent link='b'/><child link='c'/>"
                  "<origin xyz='0 1 0'/><axis xyz='0 0 1'/></joint>"
                  "<joint name='ad' type='continuous'><parent link='a'/><child link='d'/>"
                  "<origin xyz='1 0 0' rpy='0 0 " QUARTER "'/><axis xyz='0 0 1'/></joint></robot>";
    tr3_import_loop loop = {"c", "d", TR3_JOINT_HINGE, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 3.0f}, NULL};
    tr3_import_options options = {.fix_base = true, .loops = &loop, .loop_count = 1};
    tr3_scene *scene = model_with(text, options);
    assert_int_equal(scene->joint_count, 4);
    const tr3_joint_def *def = &scene->joints[3].def;
    assert_int_equal(def->type, TR3_JOINT_HINGE);
    model_near_vec("anchor", def->anchor_a, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
    /* the point (1, 1, 0) from d at (1, 0, 0), whose x is y */
    model_near_vec("anchor", def->anchor_b, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
    model_want_closed(scene);
    tr3_scene_destroy(scene);

    loop.body_b = "nobody";
    model_refused(text, &options, TR_ERROR_RANGE, "loop 0: there is no link or body \"nobody\"");
    loop.body_b = NULL;
    model_refused(text, &options, TR_ERROR_RANGE, "loop 0: there is no link or body");
    loop.body_b = "c";
    model_refused(text, &options, TR_ERROR_SELF_JOINT, "loop 0: c and c are one body");
    loop = (tr3_import_loop){"c", "d", TR3_JOINT_HINGE, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, NULL};
    model_refused(text, &options, TR_ERROR_ZERO, "loop 0: axis is zero");
    loop.axis.x = NAN;
    model_refused(text, &options, TR_ERROR_NAN, "loop 0: anchor or axis is not finite");
    loop = (tr3_import_loop){"c", "d", TR3_JOINT_DISTANCE, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, NULL};
    model_refused(text, &options, TR_ERROR_RANGE, "closes no loop");
    options = (tr3_import_options){.keyframe = "home"};
    model_refused(text, &options, TR_ERROR_RANGE, "there is no keyframe \"home\"");
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "test: is empty: expected URDF or MJCF"},
        {"{\"trammel\": 1}", "test: is no XML"},
        {"<robot><link></robot>", "test:1:16: no XML: mismatched tag"},
        {"<robot/>", "test:1: <robot> name: is missing"},
        {"<?xml version='1.0'?>\n<robot><link name='a'/></robot>", "test:2: <robot> name: is missing"},
        {"\n<robot name='r'/>", "test:2: <robot>: has no <link>"},
        {"<robot name='r'><joint type='fixed'/></robot>", "test:1: <robot>: has no <link>"},
        {"<sdf/>", "test:1: <sdf>: expected <robot> (URDF) or <mujoco> (MJCF)"},
        {"<!DOCTYPE robot [<!ENTITY a 'b'>]><robot/>", "test:1: a document type with entities is not read"},
        {"<robot name='r'><link/></robot>", "<link> name: is missing"},
        {"<robot name='r'><link name='a'/>\n<link name='a'/></robot>",
         "test:2: <link> name: there is a link \"a\" already, in line 1"},
        {"<robot name='r'><link name='a'><inertial/></link></robot>", "<inertial>: has no <mass>"},
        {"<robot name='r'><link name='a'><inertial><mass/></inertial></link></robot>", "<mass> value: is missing"},
        {"<robot name='r'><link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
         "<mass> value: expected a number from 0, found -1"},
        {"<robot name='r'><link name='a'><inertial><mass value='1 2'/></inertial></link></robot>",
         "<mass> value: expected 1 number, found 2"},
        {"<robot name='r'><link name='a'><inertial><mass value='one'/></inertial></link></robot>",
         "<mass> value: expected a number, found \"one\""},
        {"<robot name='r'><link name='a'><inertial><mass value='nan'/></inertial></link></robot>",
         "expected a number, found \"nan\""},
        {"<robot name='r'><link name='a'><inertial><mass value='0x1'/></inertial></link></robot>",
         "expected a number, found \"0x1\""},
        {"<robot name='r'><link name='a'><inertial><mass value='1e999'/></inertial></link></robot>",
         "inf is too large"},
        {"<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
         "iyy='1'/></inertial></link></robot>",
         "<inertia> izz: is missing"},
        {"<robot name='r'><link name='a'><inertial><origin xyz='1 2'/><mass value='1'/></inertial></link></robot>",
         "<origin> xyz: expected 3 numbers, found 2"},
        {ROBOT("<joint name='j'/>"), "test:3: <joint> type: is missing"},
        {ROBOT("<joint name='j' type='helix'/>"), "found \"helix\""},
        {ROBOT("<joint name='j' type='fixed'/>"), "<joint>: has no <parent>"},
        {ROBOT("<joint name='j' type='fixed'><parent/></joint>"), "<parent> link: is missing"},
        {ROBOT("<joint name='j' type='fixed'><parent link='x'/></joint>"), "<parent> link: there is no link \"x\""},
        {ROBOT("<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>"),
         "joins the link \"a\" to itself"},
        {ROBOT(LINK("b") "<joint type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                         "<joint type='fixed'><parent link='a'/><child link='b'/></joint>"),
         "test:5: <joint>: the link \"b\" is the child of the joint in line 4 already"},
        {ROBOT(LINK("b") LINK("c") "<joint type='fixed'><parent link='b'/><child link='c'/></joint>\n"
                                   "<joint type='fixed'><parent link='c'/><child link='b'/></joint>"),
         "test:3: <link>: the joints from \"b\" to itself are a circle"},
        {ROBOT(LINK("b") "<joint type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 0'/></joint>"),
         "<axis> xyz: is zero"},
        {ROBOT(LINK("b") "<joint type='revolute'><parent link='a'/><child link='b'/><limit effort='-1'/></joint>"),
         "<limit> effort: expected a number from 0, found -1"},
        {ROBOT(LINK("b") "<joint type='revolute'><parent link='a'/><child link='b'/><limit velocity='-1'/></joint>"),
         "<limit> velocity: expected a number from 0, found -1"},
        {ROBOT(LINK("b") "<joint type='revolute'><parent link='a'/><child link='b'/><dynamics damping='-1'/></joint>"),
         "<dynamics> damping: expected a number from 0, found -1"},
        {ROBOT(LINK("b") MOVES("j", "continuous", "b", "<mimic/>")), "<mimic> joint: is missing"},
        {ROBOT(LINK("b") MOVES("j", "continuous", "b", "<mimic joint='x'/>")),
         "<mimic> joint: there is no joint \"x\""},
        {ROBOT(LINK("b") MOVES("j", "continuous", "b", "<mimic joint='j'/>")), "<mimic> joint: is the joint itself"},
        {ROBOT(LINK("b") LINK("c") MOVES("j", "continuous", "b", "<mimic joint='k'/>")
                   MOVES("k", "continuous", "c", "<mimic joint='j'/>")),
         "mimics a joint itself: name the one that both follow"},
        {ROBOT("<link name='b'><visual/></link>"), "<visual>: has no <geometry>"},
        {ROBOT("<link name='b'><visual><geometry/></visual></link>"), "<geometry>: is empty"},
        {ROBOT("<link name='b'><visual><geometry><box/></geometry></visual></link>"), "<box> size: is missing"},
        {ROBOT("<link name='b'><visual><geometry><sphere radius='0'/></geometry></visual></link>"),
         "<sphere> radius: expected a number above 0, found 0"},
        {ROBOT("<link name='b'><visual><geometry><cylinder radius='1'/></geometry></visual></link>"),
         "<cylinder> length: is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        model_refused(cases[i].text, NULL, TR_ERROR_PARSE, cases[i].message);
}

/* elements nested without end, and joints in a long row */
static void depth_is_bounded_and_length_is_not(void **state)
{
    (void)state;
    const size_t deep = 2000, links = 20000;
    char *text = malloc(200 * links);
    size_t used = 0;
    assert_non_null(text);
    for (size_t i = 0; i < deep; i++)
        used += (size_t)sprintf(text + used, "<robot name='r'>");
    model_refused(text, NULL, TR_ERROR_PARSE, "elements are nested too deep");
    used = (size_t)sprintf(text, "<robot name='r'>");
    for (size_t i = 0; i < links; i++)
        used += (size_t)sprintf(text + used, "<link name='%zu'/>", i);
    for (size_t i = 1; i < links; i++)
        used += (size_t)sprintf(text + used, "<joint type='continuous'><parent link='%zu'/><child link='%zu'/></joint>",
                                i - 1, i);
    sprintf(text + used, "</robot>");
    tr3_scene *scene = model(text);
    assert_int_equal(scene->body_count, links);
    assert_int_equal(scene->joint_count, links - 1);
    tr3_scene_destroy(scene);
    free(text);
}

static void the_content_says_what_a_file_is(void **state)
{
    (void)state;
    const char *text = "\xEF\xBB\xBF <robot name='r'>" LINK("a") "</robot>";
    tr2_scene *plane = NULL;
    tr3_scene *space = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr_scene_parse(text + 3, strlen(text) - 3, "test", &plane, &space, &error), TR_OK);
    assert_true(plane == NULL && space != NULL);
    tr3_scene_destroy(space);
    space = NULL;
    assert_int_equal(tr3_scene_parse(text + 4, strlen(text) - 4, "test", &space, &error), TR_OK);
    tr3_scene_destroy(space);
    assert_int_equal(tr2_scene_parse(text, strlen(text), "test", &plane, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "tr3_scene_load() reads it"));
    assert_null(plane);
    assert_int_equal(tr3_scene_import_text(NULL, 1, "test", NULL, &space, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_import_text(text, 1, "test", NULL, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_import("/nowhere/robot.urdf", NULL, &space, &error), TR_ERROR_FILE);
    assert_int_equal(tr3_scene_import(NULL, NULL, &space, &error), TR_ERROR_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_is_read),
        cmocka_unit_test(inertia_is_turned_into_the_frame_of_the_link),
        cmocka_unit_test(joints_are_at_the_origin_of_their_child),
        cmocka_unit_test(limits_damping_and_friction_are_read),
        cmocka_unit_test(joints_start_within_their_limits),
        cmocka_unit_test(what_exporters_write_for_no_limit_is_none),
        cmocka_unit_test(floating_is_no_joint),
        cmocka_unit_test(joints_that_mimic_follow),
        cmocka_unit_test(planar_joints_slide_and_turn),
        cmocka_unit_test(fixed_links_are_one_body_or_welded),
        cmocka_unit_test(links_without_mass_find_one),
        cmocka_unit_test(links_without_mass_between_joints_carry_a_share),
        cmocka_unit_test(the_base_is_fixed_by_the_world_or_by_an_option),
        cmocka_unit_test(solids_are_what_is_seen_or_what_stands_for_it),
        cmocka_unit_test(notices_have_the_first_line_and_how_often),
        cmocka_unit_test(an_inertia_that_no_body_has_is_mended_or_refused),
        cmocka_unit_test(damping_slows_as_the_file_says),
        cmocka_unit_test(an_option_closes_a_loop),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(depth_is_bounded_and_length_is_not),
        cmocka_unit_test(the_content_says_what_a_file_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
