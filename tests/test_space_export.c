/* Writers of URDF and MJCF: what is written reads back to the same bodies and joints, and moves the same. */
#include "space_export.h"

#if defined(TR_WITH_XML) && defined(TR_WITH_SCENES)

#define URDF  TR_SHARED_DIR "/scenes/urdf/"
#define MJCF  TR_SHARED_DIR "/scenes/mjcf/"
#define SPACE TR_SCENES_DIR "/space/"

static tr3_scene *load(const char *path, const tr3_import_options *options)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    require_file(path);
    if (tr3_scene_import(path, options, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

/*
 * Whole scenes
 */
static void files_of_others_come_back(void **state)
{
    (void)state;
    static const char *const urdf[] = {"double_pendulum_simple.urdf", "simple_humanoid.urdf", "solo12.urdf",
                                       "ur5_robot.urdf"};
    static const char *const mjcf[] = {"car.xml", "humanoid.xml", "slider_crank.xml"};
    const tr3_import_options welded = {.weld_fixed = true}, hung = {.fix_base = true};
    char path[1024];
    for (size_t i = 0; i < sizeof urdf / sizeof urdf[0]; i++) {
        snprintf(path, sizeof path, "%s%s", URDF, urdf[i]);
        goes_and_comes(urdf[i], load(path, NULL), TR3_EXPORT_URDF);
        goes_and_comes(urdf[i], load(path, NULL), TR3_EXPORT_MJCF);
        goes_and_comes(urdf[i], load(path, &hung), TR3_EXPORT_URDF);
    }
    for (size_t i = 0; i < sizeof mjcf / sizeof mjcf[0]; i++) {
        snprintf(path, sizeof path, "%s%s", MJCF, mjcf[i]);
        goes_and_comes(mjcf[i], load(path, NULL), TR3_EXPORT_MJCF);
        goes_and_comes(mjcf[i], load(path, &hung), TR3_EXPORT_MJCF);
        goes_and_comes(mjcf[i], load(path, &welded), TR3_EXPORT_MJCF);
    }
    /* hinges without springs: URDF says them, too */
    snprintf(path, sizeof path, "%s%s", MJCF, "car.xml");
    goes_and_comes("car.xml", load(path, NULL), TR3_EXPORT_URDF);
}

static void our_robots_come_back(void **state)
{
    (void)state;
    const tr3_import_options stride = {.keyframe = "stride"}, welded = {.weld_fixed = true};
    goes_and_comes("arm", load(SPACE "arm.urdf", NULL), TR3_EXPORT_URDF);
    goes_and_comes("arm, welded", load(SPACE "arm.urdf", &welded), TR3_EXPORT_URDF);
    goes_and_comes("arm", load(SPACE "arm.urdf", NULL), TR3_EXPORT_MJCF);
    goes_and_comes("legs", load(SPACE "legs.xml", NULL), TR3_EXPORT_MJCF);
    goes_and_comes("legs, in a stride", load(SPACE "legs.xml", &stride), TR3_EXPORT_MJCF);
    goes_and_comes("legs, welded", load(SPACE "legs.xml", &welded), TR3_EXPORT_MJCF);
}

static void generated_scenes_come_back(void **state)
{
    (void)state;
    goes_and_comes("chains3d", space_generate("chains3d", 2), TR3_EXPORT_MJCF);
    goes_and_comes("sheet3d", space_generate("sheet3d", 6), TR3_EXPORT_MJCF);
    goes_and_comes("lattice3d", space_generate("lattice3d", 3), TR3_EXPORT_MJCF);
    tr3_scene *hub = space_generate("hub3d", 20);
    for (uint32_t b = 0; b < hub->body_count; b++)
        hub->bodies[b].def.velocity = hub->bodies[b].def.angular_velocity = (tr_vec3){0.0f, 0.0f, 0.0f};
    goes_and_comes("hub3d, at rest", hub, TR3_EXPORT_MJCF);
}

/* every type of joint, with all that acts on it, from places that are not 0 */
static void all_that_mjcf_says_comes_back(void **state)
{
    (void)state;
    static const char *const joints[] = {
        "<joint name='j' pos='.1 .2 0' axis='1 2 3' range='-50 70' ref='20' stiffness='3' springref='10' damping='.2' "
        "frictionloss='.1'/>",
        "<joint name='j' type='slide' axis='0 1 1' range='-1 2' ref='.5' stiffness='30' springref='1' damping='2'/>",
        "<joint name='j' type='ball' pos='0 .3 0' range='0 60' stiffness='2' damping='.1' frictionloss='.05' "
        "armature='.3'/>",
        "<joint name='j' axis='1 0 0' range='-50 50' damping='.1'/><joint name='k' axis='0 0 1' stiffness='4' "
        "ref='7'/>",
        "<joint name='j' type='slide' axis='0 0 1' range='-1 1'/><joint name='k' axis='0 0 -1' damping='1'/>",
        "<joint name='j' type='slide' axis='0 1 0'/><joint name='k' type='slide' axis='0 0 1'/><joint name='l' axis='1 "
        "0 0' "
        "range='-90 90'/>",
        "<joint name='j' type='slide' axis='1 0 0' range='-1 1'/><joint name='k' axis='1 0 0' damping='1' "
        "armature='.2'/><joint "
        "name='l' "
        "axis='0 1 0' range='-60 60' armature='.1'/><joint name='m' axis='0 0 1' stiffness='2' armature='.3'/>",
        "<freejoint/>"};
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        char text[1200];
        snprintf(
            text, sizeof text,
            "<mujoco><option timestep='.004' gravity='1 0 -9'/><worldbody><body name='a' pos='1 2 3' euler='10 20 30'>"
            "<joint name='base'/><geom size='.2' pos='.1 0 .3'/><body name='b' pos='.5 0 0' euler='40 50 60' "
            "gravcomp='.5'>%s<geom type='box' size='.1 .2 .3' pos='0 0 .1' euler='5 5 5'/></body></body></worldbody>"
            "</mujoco>",
            joints[i]);
        if (strstr(joints[i], "freejoint") != NULL)
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><body name='b' pos='1 2 3' euler='40 50 60'>%s" BALL
                     "</body></worldbody></mujoco>",
                     joints[i]);
        goes_and_comes(joints[i], model(text), TR3_EXPORT_MJCF);
    }
}

static void what_joins_and_drives_comes_back(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "<actuator><motor joint='x' gear='3' ctrlrange='-2 2'/><velocity joint='y' kv='5' ctrlrange='-1 1'/>"
        "<position joint='z' kp='5' kv='.3' forcerange='-2 3'/></actuator>",
        "<equality><connect name='e' body1='c' body2='d' anchor='0 2 0'/></equality>",
        "<equality><weld name='e' body1='d'/></equality>",
        "<equality><weld name='e' body1='c' body2='d' relpose='0 3 0 1 0 0 0' active='false'/></equality>",
        "<equality><joint name='e' joint1='x' joint2='z' polycoef='0 -2'/></equality>",
        "<equality><joint name='e' joint1='z' joint2='y' polycoef='0 3' active='false'/></equality>",
        "<tendon><fixed name='e' stiffness='5' springlength='.7'><joint joint='x' coef='2'/><joint joint='y' "
        "coef='-1'/></fixed></tendon>",
        "<tendon><fixed name='t'><joint joint='x' coef='-1'/><joint joint='z' coef='3'/></fixed></tendon>"
        "<actuator><position name='e' tendon='t' kp='5' kv='.1'/></actuator>",
        "<tendon><fixed name='e' stiffness='5' damping='.1'><joint joint='x' coef='2'/><joint joint='z' "
        "coef='-1'/></fixed></tendon>"};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        char text[1200];
        snprintf(text, sizeof text, "<mujoco>" CHAIN_BODIES "%s</mujoco>", rest[i]);
        goes_and_comes(rest[i], model(text), TR3_EXPORT_MJCF);
    }
}

#define LINK(name)                                                                                                     \
    "<link name='" name "'><inertial><origin xyz='.1 0 .05' rpy='.1 .2 .3'/><mass value='2'/>"                         \
    "<inertia ixx='.02' iyy='.03' izz='.04' ixy='.001'/></inertial>"                                                   \
    "<visual name='v'><origin xyz='0 .1 0' rpy='1 0 2'/><geometry><cylinder radius='.05' length='.3'/></geometry>"     \
    "</visual></link>"
#define JOINT(type, rest)                                                                                              \
    "<joint name='j' type='" type "'><origin xyz='.3 .1 0' rpy='.5 -1.2 .7'/><parent link='b'/><child link='c'/>"      \
    "<axis xyz='1 1 0'/>" rest "</joint>"

static void all_that_urdf_says_comes_back(void **state)
{
    (void)state;
    static const char *const joints[] = {
        JOINT("revolute",
              "<limit lower='-1' upper='.5' effort='7' velocity='0'/><dynamics damping='.3' friction='.1'/>"),
        JOINT("revolute", "<limit lower='.2' upper='.5' effort='7' velocity='3'/>"), /* starts at .2 */
        JOINT("continuous", "<limit velocity='3'/>"),
        JOINT("prismatic", "<limit lower='-1' upper='.5' effort='0' velocity='0'/><dynamics damping='.3'/>"),
        JOINT("prismatic", ""),
        JOINT("fixed", ""),
        JOINT("floating", ""),
        JOINT("planar", "<dynamics damping='.3' friction='.1'/>"),
        JOINT("continuous", "<mimic joint='i' multiplier='-2' offset='.3'/>"),
        JOINT("prismatic", "<mimic joint='i' multiplier='.1'/><limit lower='-1' upper='.5' effort='3' velocity='0'/>")};
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        char text[3000];
        const tr3_import_options options = {.weld_fixed = true};
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='world'/>" LINK("b")
                     LINK("c") "<joint name='i' type='continuous'>"
                               "<origin xyz='0 0 1' rpy='0 1.5707963267948966 .4'/><parent link='world'/><child "
                               "link='b'/></joint>%s"
                               "</robot>",
                 joints[i]);
        goes_and_comes(joints[i], model_with(text, options), TR3_EXPORT_URDF);
        goes_and_comes(joints[i], model_with(text, options), TR3_EXPORT_MJCF);
    }
}

/*
 * Scenes of our own: joints that face the world, that start somewhere, bodies without names
 */
static void joints_may_face_either_way(void **state)
{
    (void)state;
    static const struct {
        const char *joint;
        bool urdf;
    } cases[] = {
        {"\"type\": \"hinge\", \"axis\": [0, 1, 0], \"limit\": {\"enable\": true, \"lower\": -0.2, \"upper\": 1}",
         true},
        {"\"type\": \"slider\", \"axis\": [0, 0, 1], \"limit\": {\"enable\": true, \"lower\": -0.2, \"upper\": 1}, "
         "\"friction\": 2",
         true},
        {"\"type\": \"ball\"", false},
        {"\"type\": \"weld\"", false},
        {"\"type\": \"cylindrical\", \"axis\": [0, 0, 1], \"second\": {\"friction\": 0.5}", false},
        {"\"type\": \"universal\", \"axis\": [1, 0, 0], \"axis_2\": [0, 1, 0], \"limit\": {\"enable\": true, "
         "\"lower\": -0.2, \"upper\": "
         "1}, \"second\": {\"friction\": 0.5}",
         false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int turned = 0; turned < 2; turned++) {
            char text[1500];
            snprintf(text, sizeof text,
                     SCENE(BODY("one", "0.3, 0, 2"),
                           "{\"name\": \"j\", %s, \"body_a\": %d, \"body_b\": %d, \"anchor_a\": [%s], \"anchor_b\": "
                           "[%s], \"reference\": [0, %s0.6, 0, 0.8]}"),
                     cases[i].joint, turned, 1 - turned, turned ? "-0.3, 0, 0" : "0, 0, 0",
                     turned ? "0, 0, 0" : "-0.3, 0, 0", turned ? "" : "-");
            /* what is turned about counts the other way in the other body: it is compared by its motion */
            tr3_scene *scene = space_parse(text);
            char *notices = NULL,
                 *written = export_of(scene, cases[i].urdf ? TR3_EXPORT_URDF : TR3_EXPORT_MJCF, &notices);
            if (loses(notices) && !cases[i].urdf)
                fail_msg("%s: %s", cases[i].joint, notices);
            tr3_scene *back = model(written);
            adopt_world(back, scene);
            stage read = put_on(back), from = put_on(scene);
            const double apart = run_both(&read, &from);
            if (!(apart < 1e-4))
                fail_msg("%s, turned %d: %g m apart", cases[i].joint, turned, apart);
            take_off(&read);
            take_off(&from);
            free(written);
            free(notices);
        }
    }
}

/* what follows a joint that follows another follows that one */
static void gears_in_a_row_are_mimics_of_one(void **state)
{
    (void)state;
    static const char *const gears[] = {"<joint joint1='y' joint2='x' polycoef='0 2'/><joint joint1='z' joint2='y' "
                                        "polycoef='0 -3'/>",
                                        "<joint joint1='x' joint2='y' polycoef='0 2'/><joint joint1='y' joint2='z' "
                                        "polycoef='0 -3'/>",
                                        "<joint joint1='z' joint2='x' polycoef='0 2'/><joint joint1='y' joint2='x' "
                                        "polycoef='0 -3'/>"};
    for (size_t i = 0; i < sizeof gears / sizeof gears[0]; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='.004'/><worldbody>"
                 "<body name='a'><joint name='x' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>"
                 "<body name='b' pos='0 1 0'><joint name='y' axis='0 1 0'/><geom size='.1' pos='.1 0 .2'/></body>"
                 "<body name='c' pos='0 2 0'><joint name='z' axis='0 1 0'/><geom size='.1' pos='0 0 .3'/></body>"
                 "</worldbody><equality>%s</equality></mujoco>",
                 gears[i]);
        tr3_scene *scene = model(text);
        char *notices = NULL, *written = export_of(scene, TR3_EXPORT_URDF, &notices);
        tr3_scene *back = model(written);
        adopt_world(back, scene);
        stage read = put_on(back), from = put_on(scene);
        const double apart = run_both(&read, &from);
        if (loses(notices) || !(apart < 1e-3))
            fail_msg("%s: %g m apart; %s", gears[i], apart, notices);
        take_off(&read);
        take_off(&from);
        free(written);
        free(notices);
    }
}

/* as two balls on its axis, which have a row more than it */
static void a_hinge_that_closes_a_loop_holds(void **state)
{
    (void)state;
    tr3_scene *scene = space_generate("bridge3d", 8);
    char *notices = NULL, *text = export_of(scene, TR3_EXPORT_MJCF, &notices);
    assert_non_null(strstr(notices, "a hinge that closes a loop is written as two balls on its axis"));
    tr3_scene *back = model(text);
    assert_int_equal(back->joint_count, scene->joint_count + 1);
    adopt_world(back, scene);
    stage read = put_on(back), from = put_on(scene);
    const double apart = run_both(&read, &from);
    print_message("a bridge: %.2g mm apart after 1 s\n", 1e3 * apart);
    assert_true(apart < 1e-3);
    take_off(&read);
    take_off(&from);
    free(text);
    free(notices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_others_come_back),        cmocka_unit_test(our_robots_come_back),
        cmocka_unit_test(generated_scenes_come_back),       cmocka_unit_test(all_that_mjcf_says_comes_back),
        cmocka_unit_test(what_joins_and_drives_comes_back), cmocka_unit_test(all_that_urdf_says_comes_back),
        cmocka_unit_test(joints_may_face_either_way),       cmocka_unit_test(gears_in_a_row_are_mimics_of_one),
        cmocka_unit_test(a_hinge_that_closes_a_loop_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
