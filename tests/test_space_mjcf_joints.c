/* MJCF: every type of joint, equalities, actuators. */
#include "solver/space/definitions.h"
#include "space_mjcf.h"

#ifdef TR_WITH_XML

/*
 * Joints
 */
static void a_hinge_is_read_with_all_that_acts_on_it(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint(
        "", "<joint name='j' pos='1 0 0' axis='3 0 0' range='-90 45' stiffness='4' damping='.5' springref='30'"
            " ref='10' frictionloss='.25' armature='.1'/>");
    const tr3_scene_joint *joint = model_joint(scene, "j");
    const tr3_joint_def *def = &joint->def;
    assert_int_equal(def->type, TR3_JOINT_HINGE);
    assert_true(joint->body_a == 0 && strcmp(scene->bodies[joint->body_b].name, "b") == 0);
    /* the body is turned by a quarter about z */
    model_near_vec("anchor", def->anchor_a, (tr_dvec3){1.0, 3.0, 3.0}, 1.0);
    model_near_vec("anchor of the body", def->anchor_b, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
    model_near_vec("axis", def->axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    /* the file's angle is 10 degrees where ours is 0 */
    assert_true(def->limit.enable);
    model_near("lower", (double)def->limit.lower, -100.0 * PI / 180.0, 1.0);
    model_near("upper", (double)def->limit.upper, 35.0 * PI / 180.0, 1.0);
    assert_true(def->spring.enable && def->spring.softness.kind == TR_PHYSICAL);
    assert_true(def->spring.softness.a == 4.0f && def->spring.softness.b == 0.5f);
    model_near("target", (double)def->spring.target, 20.0 * PI / 180.0, 1.0);
    assert_true(def->friction == 0.25f);
    const tr3_scene_joint *rotor = model_joint(scene, "armature of j");
    assert_true(rotor->def.type == TR3_JOINT_INERTER && rotor->def.inertance == 0.1f && !rotor->def.slides_b);
    assert_true(rotor->body_a == joint->body_a && rotor->body_b == joint->body_b);
    model_near_vec("axis of the armature", rotor->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    assert_int_equal(scene->notice_count, 0);
    model_want_closed(scene);
    tr3_scene_destroy(scene);
}

static void limits_hold_if_the_file_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *compiler, *joint;
        bool limited;
        double lower;
    } cases[] = {{"", "range='-1 2'", true, -PI / 180.0},
                 {"", "range='-1 2' limited='false'", false, 0.0},
                 {"", "", false, 0.0},
                 {"<compiler autolimits='false'/>", "range='-1 2'", false, 0.0},
                 {"<compiler autolimits='false'/>", "range='-1 2' limited='true'", true, -PI / 180.0},
                 {"<compiler angle='radian'/>", "range='-1 2'", true, -1.0},
                 /* no range, unless the file says that it is one */
                 {"", "range='1 1'", false, 0.0},
                 {"", "range='2 1'", false, 0.0},
                 {"", "range='0 0' limited='auto'", false, 0.0},
                 {"", "range='1 1' limited='true'", true, PI / 180.0},
                 {"", "type='slide' range='-1 2'", true, -1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char joint[200];
        snprintf(joint, sizeof joint, "<joint name='j' %s/>", cases[i].joint);
        tr3_scene *scene = with_joint(cases[i].compiler, joint);
        const tr3_joint_def *def = &model_joint(scene, "j")->def;
        assert_int_equal(def->limit.enable, cases[i].limited);
        if (cases[i].limited)
            model_near(cases[i].joint, (double)def->limit.lower, cases[i].lower, 1.0);
        assert_int_equal(scene->notice_count, 0);
        tr3_scene_destroy(scene);
    }
}

static void slides_and_balls_are_read(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("", "<joint name='j' type='slide' axis='1 0 0'/>");
    assert_int_equal(model_joint(scene, "j")->def.type, TR3_JOINT_SLIDER);
    model_near_vec("axis", model_joint(scene, "j")->def.axis, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    tr3_scene_destroy(scene);
    scene = with_joint("", "<joint name='j' type='ball' stiffness='3' damping='2' frictionloss='1' range='0 60'/>");
    const tr3_joint_def *def = &model_joint(scene, "j")->def;
    assert_int_equal(def->type, TR3_JOINT_BALL);
    assert_true(def->angular.kind == TR_PHYSICAL && def->angular.a == 3.0f && def->angular.b == 2.0f);
    assert_true(def->friction == 1.0f && def->twist.enable);
    model_near("cone", (double)def->cone_angle, PI / 3.0, 1.0);
    model_want_notice(scene, "<joint> range: limits the lean and the twist");
    tr3_scene_destroy(scene);
}

/* a compact body far from a pivot: all have its centre, and together its mass and inertia */
static void between_joints_of_one_body_there_are_carriers(void **state)
{
    (void)state;
    tr3_scene *scene = with_joint("", "<joint name='x' axis='1 0 0' damping='1'/><joint name='y' axis='1 1 0'/>"
                                      "<joint name='z' pos='0 0 1' axis='0 0 1'/>");
    assert_int_equal(scene->body_count, 4);
    assert_int_equal(scene->joint_count, 3);
    const tr3_scene_joint *x = model_joint(scene, "x"), *y = model_joint(scene, "y"), *z = model_joint(scene, "z");
    assert_true(x->body_a == 0 && x->body_b == y->body_a && y->body_b == z->body_a);
    assert_string_equal(scene->bodies[z->body_b].name, "b");
    double mass = 0.0, moment = 0.0;
    for (uint32_t i = 1; i < 4; i++) {
        const tr3_body_def *def = &scene->bodies[i].def;
        mass += (double)def->mass;
        moment += (double)def->inertia.xx;
        assert_true(def->position.x == 1.0 && def->position.y == 2.0 && def->position.z == 3.0);
    }
    model_near("mass", mass, ball_mass, ball_mass);
    model_near("moment", moment, 0.4 * ball_mass * 0.01, 0.4 * ball_mass * 0.01);
    model_near("carrier", (double)scene->bodies[x->body_b].def.mass, 0.05 * ball_mass, ball_mass);
    model_want_notice(scene, "line 2: <body>: is on several joints: between two there is a carrier, with 0.05");
    model_want_closed(scene);
    tr3_scene_destroy(scene);
}

#define HINGE(name, axis) "<joint name='" name "' axis='" axis "' range='-60 40'/>"
#define SLIDE(name, axis) "<joint name='" name "' axis='" axis "' type='slide' range='-2 1'/>"

/* the coordinates of a keyframe, in the order of the joints, are those of the scene's joint, with the limits */
static void joints_of_one_body_are_one_joint(void **state)
{
    (void)state;
    static const struct {
        const char *joints;
        const char *name;
        uint32_t count, bodies;
        tr3_joint_type type;
        int coordinate[6]; /* of each, from 1 on; negative: the other way */
    } cases[] = {
        {HINGE("a", "0 1 0") HINGE("b", "1 0 0"), "a+b", 2, 2, TR3_JOINT_UNIVERSAL, {1, 2}},
        {HINGE("a", "0 0 1") HINGE("b", "0 1 0") HINGE("c", "1 0 0"), "a+b+c", 3, 2, TR3_JOINT_GENERAL, {4, 5, -6}},
        {HINGE("a", "1 0 0") HINGE("b", "0 1 0") HINGE("c", "0 0 1"), "a+b+c", 3, 2, TR3_JOINT_GENERAL, {4, 5, 6}},
        {SLIDE("a", "0 0 -1") HINGE("b", "0 0 1"), "a+b", 2, 2, TR3_JOINT_CYLINDRICAL, {-1, 2}},
        {HINGE("a", "0 0 1") SLIDE("b", "0 0 -1"), "a+b", 2, 2, TR3_JOINT_CYLINDRICAL, {2, -1}},
        {SLIDE("a", "1 0 0") SLIDE("b", "0 0 1") HINGE("c", "0 1 0"), "a+b+c", 3, 2, TR3_JOINT_PLANAR, {1, -2, 3}},
        {SLIDE("a", "1 0 0") SLIDE("b", "0 1 0"), "a+b", 2, 2, TR3_JOINT_GENERAL, {1, 2}},
        {SLIDE("a", "1 0 0") HINGE("b", "0 0 1"), "a+b", 2, 2, TR3_JOINT_GENERAL, {2, 4}},
        {SLIDE("a", "0 0 1") SLIDE("b", "1 0 0") SLIDE("c", "0 1 0") HINGE("d", "0 0 1") HINGE("e", "0 1 0")
             HINGE("f", "1 0 0"),
         "a+b+c+d+e+f",
         6,
         2,
         TR3_JOINT_GENERAL,
         {1, -3, 2, 4, 5, -6}},
    };
    static const double qpos[6] = {0.3, -0.5, 0.4, -0.2, 0.6, -0.1};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000], numbers[200] = "";
        for (uint32_t k = 0; k < cases[i].count; k++)
            snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), " %g", qpos[k]);
        snprintf(text, sizeof text,
                 "<mujoco><worldbody>\n<body name='b' pos='1 2 3' euler='20 30 40'>" BALL
                 "%s</body></worldbody><keyframe><key name='k' qpos='%s'/></keyframe></mujoco>",
                 cases[i].joints, numbers);
        const tr3_import_options options = {.keyframe = "k"};
        tr_error error = {TR_OK, ""};
        tr3_scene *scene = NULL;
        if (tr3_scene_import_text(text, strlen(text), "test.xml", &options, &scene, &error) != TR_OK)
            fail_msg("%s: %s", cases[i].joints, error.message);
        assert_int_equal(scene->body_count, cases[i].bodies);
        assert_int_equal(scene->joint_count, 1);
        assert_int_equal(scene->notice_count, 0);
        const tr3_joint_def *def = &model_joint(scene, cases[i].name)->def;
        assert_int_equal(def->type, cases[i].type);
        tr3_world *world = space_world_of(scene);
        tr3_joint joint;
        SPACE_OK(tr3_scene_build(scene, world, NULL, &joint, NULL));
        assert_true(tr3_world_measure(world).joint_error_max < 2e-6);
        for (uint32_t k = 0; k < cases[i].count; k++) {
            const int which = cases[i].coordinate[k];
            const uint32_t of = (uint32_t)abs(which) - 1;
            const double side = which < 0 ? -1.0 : 1.0;
            tr_joint_coordinate_value at;
            SPACE_OK(tr3_joint_coordinate_of(world, joint, of, &at));
            if (!(fabs((double)at.value - side * qpos[k]) < 1e-5))
                fail_msg("%s: coordinate %u is %g, not %g", cases[i].joints, of, (double)at.value, side * qpos[k]);
            const tr_limit limit = tr3_def_features(def, of).limit;
            const bool slide = strstr(cases[i].joints, "slide") != NULL &&
                               fabs((double)limit.upper - (double)limit.lower - 3.0) < 1e-5;
            const double lower = slide ? -2.0 : -PI / 3.0, upper = slide ? 1.0 : PI / 4.5;
            model_near("lower", (double)limit.lower, side > 0.0 ? lower : -upper, 1.0);
            model_near("upper", (double)limit.upper, side > 0.0 ? upper : -lower, 1.0);
        }
        for (int step = 0; step < 240; step++)
            SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
        assert_true(tr3_world_measure(world).joint_error_max < 1e-3);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
    /* what is not exact stays apart: other points; axes that are not across; a second angle that may reach a quarter */
    static const char *const apart[] = {"<joint axis='1 0 0'/><joint axis='0 1 0' pos='0 0 1'/>",
                                        "<joint axis='1 0 0'/><joint axis='1 1 0'/>",
                                        "<joint axis='1 0 0' damping='1'/><joint axis='0 1 0'/><joint axis='0 0 1'/>",
                                        "<joint axis='1 0 0'/><joint axis='0 1 0' type='slide'/>"};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        tr3_scene *scene = with_joint("", apart[i]);
        assert_int_equal(scene->joint_count, 2);
        tr3_scene_destroy(scene);
    }
}

static void three_free_hinges_through_a_point_are_a_ball(void **state)
{
    (void)state;
    static const char *const hinges = "<joint name='x' axis='1 0 0' pos='0 0 1'/><joint axis='0 1 0' pos='0 0 1'/>"
                                      "<joint axis='0 0 1' pos='0 0 1'%s/>";
    char text[300];
    snprintf(text, sizeof text, hinges, "");
    tr3_scene *scene = with_joint("", text);
    assert_int_equal(scene->joint_count, 1);
    assert_int_equal(scene->body_count, 2);
    assert_int_equal(scene->joints[0].def.type, TR3_JOINT_BALL);
    model_near_vec("anchor", scene->joints[0].def.anchor_a, (tr_dvec3){1.0, 2.0, 4.0}, 1.0);
    model_want_notice(scene, "three free hinges through a point are one ball");
    tr3_scene_destroy(scene);
    /* what acts along one of them makes them three */
    snprintf(text, sizeof text, hinges, " damping='1'");
    scene = with_joint("", text);
    assert_int_equal(scene->joint_count, 2);
    tr3_scene_destroy(scene);
}

/*
 * Equalities and actuators
 */
#define COUPLED(equality)                                                                                              \
    "<mujoco><worldbody><body name='a'><joint name='x' type='slide' axis='0 0 1'/>" BALL "</body>"                     \
    "<body name='b' pos='3 0 0'><joint name='y' axis='0 1 0'/>" BALL "</body></worldbody>\n"                           \
    "<equality>" equality "</equality></mujoco>"

static void coupled_joints_are_gears(void **state)
{
    (void)state;
    tr3_scene *scene = model(COUPLED("<joint name='e' joint1='y' joint2='x' polycoef='0 3'/>"));
    tr3_joint joints[3];
    tr_joint_coordinate_value x, y;
    assert_int_equal(scene->joint_count, 3);
    assert_int_equal(model_joint(scene, "e")->def.type, TR3_JOINT_GEAR);
    assert_int_equal(scene->notice_count, 0);
    tr3_world *world = space_world_of(scene);
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    for (int step = 0; step < 60; step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
    /* the slide falls, and turns the hinge */
    SPACE_OK(tr3_joint_coordinate(world, joints[0], &x));
    SPACE_OK(tr3_joint_coordinate(world, joints[1], &y));
    assert_true(x.value < -0.05f && fabs((double)y.value - 3.0 * (double)x.value) < 1e-3);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
    scene = model(COUPLED("<joint joint1='y' joint2='x' polycoef='1 2' active='false'/>"
                          "<joint joint1='y'/><joint joint1='y' joint2='x' polycoef='0 0'/>"));
    assert_int_equal(scene->joint_count, 3);
    assert_false(scene->joints[2].def.enabled);
    model_want_notice(scene, "<joint> polycoef: only the second is read");
    model_want_notice(scene, "<joint> joint2: is missing");
    model_want_notice(scene, "<joint>: is not simulated: it needs two joints");
    tr3_scene_destroy(scene);
    model_refused(COUPLED("<joint joint1='y' joint2='z'/>"), NULL, TR_ERROR_PARSE, "there is no joint \"z\"");
}

static void equalities_are_balls_and_welds(void **state)
{
    (void)state;
    tr3_scene *scene = model("<mujoco>" TWO "<equality><connect name='c' body1='a' body2='b' anchor='1 0 0'/>"
                             "<weld name='w' body1='a' active='false'/><connect name='g' body1='b' anchor='0 0 1'/>"
                             "<weld name='r' body1='a' body2='b' relpose='0 0 1 1 0 0 0'/>"
                             "<flex flex='x'/></equality></mujoco>");
    assert_int_equal(scene->joint_count, 4);
    const tr3_scene_joint *c = model_joint(scene, "c"), *w = model_joint(scene, "w"), *g = model_joint(scene, "g");
    assert_int_equal(c->def.type, TR3_JOINT_BALL);
    /* (2, 0, 0) from b at (3, 0, 0), whose x is y and whose y is -x */
    model_near_vec("anchor", c->def.anchor_a, (tr_dvec3){1.0, 0.0, 0.0}, 1.0);
    model_near_vec("anchor of b", c->def.anchor_b, (tr_dvec3){0.0, 1.0, 0.0}, 1.0);
    assert_int_equal(w->def.type, TR3_JOINT_WELD);
    assert_true(w->body_b == 0 && !w->def.enabled && c->def.enabled);
    model_near_vec("the world's anchor", g->def.anchor_b, (tr_dvec3){3.0, 0.0, 1.0}, 1.0);
    const tr3_joint_def *r = &model_joint(scene, "r")->def;
    model_near_vec("relpose", r->anchor_a, (tr_dvec3){0.0, 0.0, 1.0}, 1.0);
    assert_true(r->reference.w == 1.0f);
    model_want_notice(scene, "line 2: <flex>: is not simulated in <equality>");
    tr3_scene_destroy(scene);
    model_refused("<mujoco>" TWO "<equality><connect body1='x' anchor='1 0 0'/></equality></mujoco>", NULL,
                  TR_ERROR_PARSE, "test:2: <connect> body1: there is no body \"x\"");
    model_refused("<mujoco>" TWO "<equality><connect body1='a'/></equality></mujoco>", NULL, TR_ERROR_PARSE,
                  "<connect> anchor: is missing");
    model_refused("<mujoco>" TWO "<equality><weld body2='a'/></equality></mujoco>", NULL, TR_ERROR_PARSE,
                  "<weld> body1: is missing");
}

static tr3_scene *with_actuator(const char *joint, const char *actuator)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><worldbody>\n<body name='b'>" BALL "<joint name='j' %s/></body></worldbody>\n"
             "<actuator>%s</actuator></mujoco>",
             joint, actuator);
    return model(text);
}

static void actuators_are_motors_and_springs(void **state)
{
    (void)state;
    tr3_scene *scene = with_actuator("", "<motor joint='j' gear='40' ctrlrange='-.5 1'/>");
    const tr3_joint_def *def = &model_joint(scene, "j")->def;
    assert_true(!def->motor.enable && def->motor.maximum == 40.0f);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
    scene =
        with_actuator("actuatorfrcrange='-3 3'", "<motor joint='j' gear='40' ctrlrange='-1 1' forcerange='-.1 .1'/>");
    assert_true(model_joint(scene, "j")->def.motor.maximum == 3.0f);
    tr3_scene_destroy(scene);
    scene = with_actuator("", "<velocity joint='j' kv='5' ctrlrange='-2 2'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(def->motor.enable && def->motor.speed == 0.0f && def->motor.maximum == 10.0f);
    tr3_scene_destroy(scene);
    /* toward the file's 0, which is 30 degrees back from ours; with gear 2 the stiffness is 4 times kp */
    scene = with_actuator("ref='30'", "<position joint='j' kp='5' kv='1' gear='2' forcerange='-3 4'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(def->spring.enable && def->spring.softness.a == 20.0f && def->spring.softness.b == 4.0f);
    model_near("target", (double)def->spring.target, -PI / 6.0, 1.0);
    assert_true(def->spring_force.lower == -6.0f && def->spring_force.upper == 8.0f);
    tr3_scene_destroy(scene);
    /* beside a spring of the joint: both act */
    scene = with_actuator("stiffness='10' springref='60' damping='1'", "<position joint='j' kp='10'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(def->spring.softness.a == 20.0f && def->spring.softness.b == 1.0f);
    model_near("target", (double)def->spring.target, PI / 6.0, 1.0);
    tr3_scene_destroy(scene);

    scene = with_actuator(
        "", "<motor joint='j' ctrlrange='-1 1'/>\n<motor joint='j'/><general joint='j'/><motor site='t'/>");
    model_want_notice(scene, "line 4: <motor>: is a second motor of its joint");
    model_want_notice(scene, "line 4: <general>: is a second motor of its joint");
    model_want_notice(scene, "line 4: <motor>: acts on no joint");
    tr3_scene_destroy(scene);
    /* general ones that are like one of these */
    scene = with_actuator("", "<general joint='j' gear='2' gainprm='3' ctrlrange='-1 1'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(!def->motor.enable && def->motor.maximum == 6.0f);
    tr3_scene_destroy(scene);
    scene = with_actuator("", "<general joint='j' gainprm='5' biastype='affine' biasprm='0 -5 -1'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(def->spring.enable && def->spring.softness.a == 5.0f && def->spring.softness.b == 1.0f);
    tr3_scene_destroy(scene);
    scene = with_actuator("", "<general joint='j' gainprm='5' biastype='affine' biasprm='0 0 -5' ctrlrange='-2 2'/>");
    def = &model_joint(scene, "j")->def;
    assert_true(def->motor.enable && def->motor.maximum == 10.0f);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
    static const char *const others[] = {"biastype='affine' biasprm='1 -5 -1'",
                                         "biastype='affine' biasprm='0 5 0'",
                                         "biastype='affine' biasprm='0 0 -5'",
                                         "dyntype='integrator'",
                                         "gaintype='muscle'",
                                         "biastype='user'"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "<general joint='j' %s/>", others[i]);
        scene = with_actuator("", text);
        model_want_notice(scene, "<general>: is simulated only as a motor, position or velocity");
        assert_false(model_joint(scene, "j")->def.spring.enable || model_joint(scene, "j")->def.motor.enable);
        tr3_scene_destroy(scene);
    }
    /* on the third of three hinges, which counts the other way */
    scene =
        with_actuator("axis='1 0 0' range='-60 60'/><joint name='k' axis='0 0 1' range='-60 60'/><joint name='l' "
                      "axis='0 1 0' ref='30' stiffness='10' springref='60' damping='1'",
                      "<position joint='l' kp='10' forcerange='-3 4'/><motor joint='k' gear='40' ctrlrange='-1 1'/>");
    assert_int_equal(scene->joint_count, 1);
    def = &model_joint(scene, "j+k+l")->def;
    assert_true(def->sixth.spring.softness.a == 20.0f && def->sixth.spring.softness.b == 1.0f);
    model_near("target", (double)def->sixth.spring.target, 0.0, 1.0);
    assert_true(def->fifth.motor.maximum == 40.0f && !def->fifth.motor.enable && def->motor.maximum > 1e30f);
    tr3_scene_destroy(scene);
    scene = with_actuator("type='ball'", "<motor joint='j'/>");
    model_want_notice(scene, "<motor>: acts on a free joint or a ball");
    tr3_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_is_read_with_all_that_acts_on_it),
        cmocka_unit_test(limits_hold_if_the_file_says_so),
        cmocka_unit_test(slides_and_balls_are_read),
        cmocka_unit_test(between_joints_of_one_body_there_are_carriers),
        cmocka_unit_test(joints_of_one_body_are_one_joint),
        cmocka_unit_test(three_free_hinges_through_a_point_are_a_ball),
        cmocka_unit_test(equalities_are_balls_and_welds),
        cmocka_unit_test(coupled_joints_are_gears),
        cmocka_unit_test(actuators_are_motors_and_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
