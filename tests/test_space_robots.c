/*
 * Robots made by other people, where the folder with them is there: masses, centres, inertias and places of all bodies
 * against numbers that another reading of the files gave (by rotation matrices, and sums about each body's origin); and
 * how well their joints hold.
 */
#include "instrumented.h"
#include "scene/core/storage.h"
#include "space_model.h"

#ifdef TR_WITH_XML

#define URDF TR_SHARED_DIR "/scenes/urdf"
#define MJCF TR_SHARED_DIR "/scenes/mjcf"

typedef struct robot {
    const char *folder, *name;
    uint32_t bodies, hinges, shapes, carriers, freedom;
    double total; /* kg, of all that moves */
    const char *notices[8];
} robot;

static const robot robots[] = {
    {URDF,
     "double_pendulum_simple.urdf",
     3,
     2,
     3,
     0,
     8,
     0.6,
     {"1 of 4 links are fixed", "line 94: <limit>: is all zero"}},
    {URDF,
     "simple_humanoid.urdf",
     30,
     29,
     0,
     0,
     35,
     130.8,
     {"1 of 31 links are fixed", "line 27: <collision_checking>: is not read in <link>",
      "line 17: <collision>: is not drawn: its <link> has no <visual>", "line 24: <mesh>: is not drawn",
      "line 287: <limit> velocity: is the speed of the joint's motor, which is off: nothing else bounds it (29 times)",
      "line 343: <limit>: leaves out 0: the joint starts at its limit (2 times)"}},
    {URDF,
     "solo12.urdf",
     13,
     12,
     0,
     0,
     18,
     2.50000279,
     {"4 of 17 links are fixed", "line 37: <contact>: is not read in <link> (13 times)",
      "line 178: <limit>: is not read of a fixed joint (4 times)",
      "line 180: <dynamics>: is not read of a fixed joint (4 times)",
      "line 20: <mesh>: is not drawn: only box, cylinder, sphere and capsule are (34 times)",
      "line 46: <limit> velocity: is the speed of the joint's motor, which is off: nothing else bounds it (12 times)"}},
    {URDF,
     "ur5_robot.urdf",
     7,
     6,
     0,
     0,
     6,
     16.9939,
     {"4 of 11 links are fixed", "line 7: <gazebo>: is not read in <robot> (8 times)",
      "line 247: <transmission>: is not read in <robot> (6 times)", "line 44: <mesh>: is not drawn",
      "line 66: <limit> velocity: is the speed of the joint's motor",
      "line 240: <collision>: is not drawn: its <link> has no <visual>"}},
    {MJCF,
     "car.xml",
     4,
     2,
     3,
     0,
     8,
     0.1272345025,
     {"line 68: <sensor>: is not read in <mujoco>", "line 30: <geom>: a plane is not drawn",
      "line 34: <geom>: a mesh gives no mass",
      "line 64: <motor> tendon: is not simulated: of tendons only those of one joint"}},
    {MJCF,
     "humanoid.xml",
     16,
     9,
     19,
     2,
     27,
     40.8440212216,
     {"3 of 16 bodies are fixed", "line 192: <fixed> range: is simulated only of a tendon of one joint (2 times)",
      "line 105: <geom>: a plane is not drawn",
      "line 133: <body>: is on several joints: between two there is a carrier, with 0.05 of its mass and inertia (2 "
      "times)"}},
    {MJCF,
     "slider_crank.xml",
     4,
     3,
     6,
     0,
     3,
     0.1866106036,
     {"line 24: <geom>: a plane is not drawn",
      "line 50: <position>: acts on no joint, and is not simulated (3 times)"}},
};
#define ROBOTS (sizeof robots / sizeof robots[0])

static tr3_scene *load_robot(const robot *it, const tr3_import_options *options)
{
    char path[1024];
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    snprintf(path, sizeof path, "%s/%s", it->folder, it->name);
    require_file(path);
    if (tr3_scene_import(path, options, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

/* rows of hinges, universals and general joints; armature holds nothing */
static uint32_t held_by(const tr3_joint_def *def)
{
    if (def->type == TR3_JOINT_INERTER)
        return 0;
    uint32_t rows = def->type == TR3_JOINT_UNIVERSAL ? 4 : 5;
    if (def->type == TR3_JOINT_GENERAL)
        rows = (uint32_t)def->locked + def->second.locked + def->third.locked + def->fourth.locked + def->fifth.locked +
               def->sixth.locked;
    return rows;
}

static void robots_are_read_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROBOTS; i++) {
        const robot *want = &robots[i];
        tr3_scene *scene = load_robot(want, NULL);
        uint32_t hinges = 0, moving = 0, said = 0, held = 0;
        double total = 0.0;
        assert_int_equal(scene->body_count, want->bodies);
        assert_int_equal(scene->shape_count, want->shapes);
        for (uint32_t j = 0; j < scene->joint_count; j++) {
            hinges += scene->joints[j].def.type == TR3_JOINT_HINGE ? 1 : 0;
            held += held_by(&scene->joints[j].def);
        }
        assert_int_equal(hinges, want->hinges);
        for (uint32_t b = 0; b < scene->body_count; b++) {
            const bool moves = scene->bodies[b].def.type == TR_DYNAMIC;
            moving += moves ? 1 : 0;
            total += moves ? (double)scene->bodies[b].def.mass : 0.0;
        }
        model_near(want->name, total, want->total, want->total);
        /* trees */
        assert_int_equal(6 * moving - held, want->freedom);
        /* all that is left out is said, and nothing else */
        for (; said < 8 && want->notices[said] != NULL; said++)
            model_want_notice(scene, want->notices[said]);
        assert_int_equal(scene->notice_count, said);
        tr3_scene_destroy(scene);
    }
}

static const model_numbers solo[] = {
    {"base_link", 1.1611509, {0, 0, 0}, {0.00578574, 0.01938108, 0.02476124, 0, 0, 0}, {0, 0, 0}},
    {"FL_SHOULDER",
     0.14853845,
     {-0.078707, 0.01, 0},
     {3.024e-05, 0.00041193, 0.00041107, 4.671e-05, 0, 0},
     {0.1946, 0.0875, 0}},
    {"FL_UPPER_LEG",
     0.14853845,
     {1.377e-05, 0.01935853, -0.078707},
     {0.00041107, 0.00041193, 3.024e-05, 0, 0, 4.671e-05},
     {0.1946, 0.1015, 0}},
    {"FL_LOWER_LEG",
     0.03763607,
     {0, 0.007899211, -0.102249},
     {0.0001488193, 0.0001491392, 2.690086e-06, 0, 0, 3.099187e-06},
     {0.1946, 0.13895, -0.16}},
    {"FR_SHOULDER",
     0.14853845,
     {-0.078707, -0.01, 0},
     {3.024e-05, 0.00041193, 0.00041107, -4.671e-05, 0, 0},
     {0.1946, -0.0875, 0}},
    {"FR_UPPER_LEG",
     0.14853845,
     {-1.377e-05, -0.01935853, -0.078707},
     {0.00041107, 0.00041193, 3.024e-05, 0, 0, -4.671e-05},
     {0.1946, -0.1015, 0}},
    {"FR_LOWER_LEG",
     0.03763607,
     {0, -0.007899211, -0.102249},
     {0.0001488193, 0.0001491392, 2.690086e-06, 0, 0, -3.099187e-06},
     {0.1946, -0.13895, -0.16}},
    {"HL_SHOULDER",
     0.14853845,
     {0.078707, 0.01, 0},
     {3.024e-05, 0.00041193, 0.00041107, 4.671e-05, 0, 0},
     {-0.1946, 0.0875, 0}},
    {"HL_UPPER_LEG",
     0.14853845,
     {1.377e-05, 0.01935853, -0.078707},
     {0.00041107, 0.00041193, 3.024e-05, 0, 0, 4.671e-05},
     {-0.1946, 0.1015, 0}},
    {"HL_LOWER_LEG",
     0.03763607,
     {0, 0.007899211, -0.102249},
     {0.0001488193, 0.0001491392, 2.690086e-06, 0, 0, 3.099187e-06},
     {-0.1946, 0.13895, -0.16}},
    {"HR_SHOULDER",
     0.14853845,
     {0.078707, -0.01, 0},
     {3.024e-05, 0.00041193, 0.00041107, -4.671e-05, 0, 0},
     {-0.1946, -0.0875, 0}},
    {"HR_UPPER_LEG",
     0.14853845,
     {-1.377e-05, -0.01935853, -0.078707},
     {0.00041107, 0.00041193, 3.024e-05, 0, 0, -4.671e-05},
     {-0.1946, -0.1015, 0}},
    {"HR_LOWER_LEG",
     0.03763607,
     {0, -0.007899211, -0.102249},
     {0.0001488193, 0.0001491392, 2.690086e-06, 0, 0, -3.099187e-06},
     {-0.1946, -0.13895, -0.16}},
};

static const model_numbers ur5[] = {
    {"world", 0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0}},
    {"shoulder_link", 3.7, {0, 0, 0}, {0.0102675, 0.0102675, 0.00666, 0, 0, 0}, {0, 0, 0.089159}},
    {"upper_arm_link", 8.393, {0, 0, 0.28}, {0.2268907, 0.2268907, 0.0151074, 0, 0, 0}, {0, 0.13585, 0.089159}},
    {"forearm_link", 2.275, {0, 0, 0.25}, {0.04944331, 0.04944331, 0.004095, 0, 0, 0}, {0.425, 0.01615, 0.089159}},
    {"wrist_1_link", 1.219, {0, 0, 0}, {0.1111728, 0.1111728, 0.21942, 0, 0, 0}, {0.81725, 0.01615, 0.089159}},
    {"wrist_2_link", 1.219, {0, 0, 0}, {0.1111728, 0.1111728, 0.21942, 0, 0, 0}, {0.81725, 0.10915, 0.089159}},
    {"wrist_3_link", 0.1879, {0, 0, 0}, {0.01713647, 0.01713647, 0.033822, 0, 0, 0}, {0.81725, 0.10915, -0.005491}},
};

static const model_numbers pendulum[] = {
    {"base_link", 0.1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0, 0}},
    {"link1", 0.2, {0, 0, 0.05}, {0.000177083, 0.000177083, 2.0833e-05, 0, 0, 0}, {0.025, 0, 0}},
    {"link2", 0.3, {0, 0, 0.1}, {0.001015625, 0.001015625, 0.002, 0, 0, 0}, {0.0375, 0, 0.1}},
};

static const model_numbers walker[] = {
    {"base_link", 27, {0, 0, 0.0375}, {1, 1, 1, 0, 0, 0}, {0, 0, 0}},
    {"WAIST_LINK1", 6, {0, 0, -0.1}, {1, 1, 1, 0, 0, 0}, {0, 0, 0.176}},
    {"WAIST_LINK2", 30, {0.11, 0, 0.25}, {1, 1, 1, 0, 0, 0}, {0, 0, 0.176}},
    {"torso", 13, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0, 0.526}},
    {"LARM_LINK1", 3, {0.1, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.21, 0.526}},
    {"LARM_LINK2", 0.6, {0, 0, -0.1}, {1, 1, 1, 0, 0, 0}, {0, 0.21, 0.526}},
    {"LARM_LINK3", 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.21229508, 0.26301001}},
    {"LARM_LINK4", 0.6, {0, 0, -0.3}, {1, 1, 1, 0, 0, 0}, {0, 0.21229508, 0.26301001}},
    {"LARM_LINK5", 0.4, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}, {0, 0.21445053, 0.016019419}},
    {"LARM_LINK6", 0.4, {-0.1, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.21445053, 0.016019419}},
    {"l_wrist", 0.4, {0, 0, -0.1}, {1, 1, 1, 0, 0, 0}, {0, 0.21445053, 0.016019419}},
    {"RARM_LINK1", 3, {0.1, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.21, 0.526}},
    {"RARM_LINK2", 0.6, {0, 0, -0.1}, {1, 1, 1, 0, 0, 0}, {0, -0.21, 0.526}},
    {"RARM_LINK3", 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.20770492, 0.26301001}},
    {"RARM_LINK4", 0.6, {0, 0, -0.3}, {1, 1, 1, 0, 0, 0}, {0, -0.20770492, 0.26301001}},
    {"RARM_LINK5", 0.4, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}, {0, -0.20554947, 0.016019419}},
    {"RARM_LINK6", 0.4, {-0.1, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.20554947, 0.016019419}},
    {"r_wrist", 0.4, {0, 0, -0.1}, {1, 1, 1, 0, 0, 0}, {0, -0.20554947, 0.016019419}},
    {"LLEG_LINK1", 2.5, {0, 0.1, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.09, 0}},
    {"LLEG_LINK2", 2, {0, 0, -0.15}, {1, 1, 1, 0, 0, 0}, {0, 0.09, 0}},
    {"LLEG_LINK3", 5.1, {0, 0.04, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.09, -0.3535}},
    {"LLEG_LINK4", 7, {0, 0, -0.3}, {1, 1, 1, 0, 0, 0}, {0, 0.09, -0.3535}},
    {"LLEG_LINK5", 2.5, {-0.15, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0.09, -0.6535}},
    {"l_ankle", 1.9, {0.28, 0, -0.2}, {1, 1, 1, 0, 0, 0}, {0, 0.09, -0.6535}},
    {"RLEG_LINK1", 2.5, {0, -0.1, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.09, 0}},
    {"RLEG_LINK2", 2, {0, 0, -0.15}, {1, 1, 1, 0, 0, 0}, {0, -0.09, 0}},
    {"RLEG_LINK3", 5.1, {0, -0.04, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.09, -0.3535}},
    {"RLEG_LINK4", 7, {0, 0, -0.3}, {1, 1, 1, 0, 0, 0}, {0, -0.09, -0.3535}},
    {"RLEG_LINK5", 2.5, {-0.15, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, -0.09, -0.6535}},
    {"r_ankle", 1.9, {0.28, 0, -0.2}, {1, 1, 1, 0, 0, 0}, {0, -0.09, -0.6535}},
};

static const model_numbers car[] = {
    {"car", 0.014137167, {0.08, 0, -0.015}, {1.272345e-06, 1.272345e-06, 1.272345e-06, 0, 0, 0}, {0, 0, 0.03}},
    {"left wheel", 0.056548668, {0, 0, 0}, {1.460841e-05, 1.460841e-05, 2.54469e-05, 0, 0, 0}, {-0.07, 0.06, 0.03}},
    {"right wheel", 0.056548668, {0, 0, 0}, {1.460841e-05, 1.460841e-05, 2.54469e-05, 0, 0, 0}, {-0.07, -0.06, 0.03}},
};

/* with what is on their carriers */
static const model_numbers humanoid[] = {
    {"torso",
     8.9074624,
     {-0.002539384, 0, 0.03466259},
     {0.1731488, 0.1540101, 0.04121185, 0, -0.003498385, 0},
     {0, 0, 1.282}},
    {"waist_lower", 2.2619467, {0, 0, 0}, {0.00985304, 0.003745784, 0.00985304, 0, 0, 0}, {-0.01, 0, 1.022}},
    {"pelvis", 6.6161941, {-0.02, 0, 0}, {0.05231798, 0.02432215, 0.05231798, 0, 0, 0}, {-0.01, 0, 0.857}},
    {"thigh_right",
     4.7517509,
     {0, 0.005, -0.17},
     {0.07495165, 0.07489398, 0.008285101, 0, 0, 0.001960781},
     {-0.01, -0.1, 0.817}},
    {"shin_right", 2.7556962, {0, 0, -0.15}, {0.03260802, 0.03260802, 0.00318989, 0, 0, 0}, {-0.01, -0.09, 0.417}},
    {"foot_right", 1.1311412, {0.035, 0, 0}, {0.0009030172, 0.005943724, 0.006446462, 0, 0, 0}, {-0.01, -0.09, 0.027}},
    {"thigh_left",
     4.7517509,
     {0, -0.005, -0.17},
     {0.07495165, 0.07489398, 0.008285101, 0, 0, -0.001960781},
     {-0.01, 0.1, 0.817}},
    {"shin_left", 2.7556962, {0, 0, -0.15}, {0.03260802, 0.03260802, 0.00318989, 0, 0, 0}, {-0.01, 0.09, 0.417}},
    {"foot_left", 1.1311412, {0.035, 0, 0}, {0.0009030172, 0.005943724, 0.006446462, 0, 0, 0}, {-0.01, 0.09, 0.027}},
    {"upper_arm_right",
     1.6610805,
     {0.08, -0.08, -0.08},
     {0.01103235, 0.01103235, 0.01103235, 0.00487319, 0.00487319, -0.00487319},
     {0, -0.17, 1.342}},
    {"lower_arm_right",
     1.2295402,
     {0.1096231, 0.1096231, 0.1096231},
     {0.009318673, 0.009318673, 0.009318673, -0.004348556, -0.004348556, -0.004348556},
     {0.18, -0.35, 1.162}},
    {"upper_arm_left",
     1.6610805,
     {0.08, 0.08, -0.08},
     {0.01103235, 0.01103235, 0.01103235, -0.00487319, 0.00487319, 0.00487319},
     {0, 0.17, 1.342}},
    {"lower_arm_left",
     1.2295402,
     {0.1096231, -0.1096231, 0.1096231},
     {0.009318673, 0.009318673, 0.009318673, 0.004348556, -0.004348556, 0.004348556},
     {0.18, 0.35, 1.162}},
};

/* of bodies without a name, in the order of the file */
static const model_numbers cranks[] = {
    {"crank",
     0.07267551,
     {0.09221902, 0, 0.001945245},
     {7.797425e-06, 0.0003128443, 0.0003084578, 0, 1.303716e-05, 0},
     {0, 0, 0}},
    {"rod",
     0.056967547,
     {0, -0.06755515, 0.002481618},
     {0.0001486847, 6.936198e-06, 0.000144374, 0, 0, -9.550384e-06},
     {0.15, 0, 0}},
    {"third",
     0.056967547,
     {0.06755515, 0, 0.002481618},
     {6.936198e-06, 0.0001486847, 0.000144374, 0, 9.550384e-06, 0},
     {0, 0.2, 0}},
};

static tr3_mass mass_of(const tr3_body_def *def)
{
    const tr_sym3 i = def->inertia;
    return (tr3_mass){(double)def->mass,
                      tr3_widen(def->center),
                      {(double)i.xx, (double)i.yy, (double)i.zz, (double)i.xy, (double)i.xz, (double)i.yz}};
}

/* a body with its carriers, which have its frame, and whose names begin with its own */
static tr3_body_def with_carriers(const tr3_scene *scene, const char *name, uint32_t *carriers)
{
    tr3_body_def whole = model_body(scene, name)->def;
    tr3_mass sum = mass_of(&whole);
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const char *other = scene->bodies[i].name;
        if (other == NULL || strncmp(other, name, length) != 0 || strncmp(other + length, " on ", 4) != 0)
            continue;
        const tr3_mass part = mass_of(&scene->bodies[i].def);
        tr3_mass_add(&sum, &part);
        (*carriers)++;
    }
    assert_true(tr3_mass_set(&sum, &whole));
    return whole;
}

static void masses_and_inertias_are_those_of_another_reading(void **state)
{
    (void)state;
    static const struct {
        uint32_t robot;
        const model_numbers *numbers;
        size_t count;
    } cases[] = {{0, pendulum, sizeof pendulum / sizeof pendulum[0]},
                 {1, walker, sizeof walker / sizeof walker[0]},
                 {2, solo, sizeof solo / sizeof solo[0]},
                 {3, ur5, sizeof ur5 / sizeof ur5[0]},
                 {4, car, sizeof car / sizeof car[0]},
                 {5, humanoid, sizeof humanoid / sizeof humanoid[0]}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr3_scene *scene = load_robot(&robots[cases[i].robot], NULL);
        uint32_t carriers = 0;
        for (size_t b = 0; b < cases[i].count; b++) {
            const tr3_body_def def = with_carriers(scene, cases[i].numbers[b].name, &carriers);
            model_check_body(&def, &cases[i].numbers[b]);
        }
        assert_int_equal(carriers, robots[cases[i].robot].carriers);
        tr3_scene_destroy(scene);
    }
    tr3_scene *scene = load_robot(&robots[6], NULL);
    for (uint32_t b = 0; b < 3; b++)
        model_check_body(&scene->bodies[1 + b].def, &cranks[b]);
    tr3_scene_destroy(scene);
}

/* 10 s at 240 Hz: the rms over joints and steps, m; everything stays finite */
static double run_robot(const robot *it, const tr3_import_options *options)
{
    tr3_scene *scene = load_robot(it, options);
    tr3_world *world = space_build(scene);
    double squares = 0.0;
    assert_true(tr3_world_measure(world).joint_error_max < 2e-6);
    for (int step = 0; step < TRIALS(2400); step++) {
        SPACE_OK(tr3_world_step(world, 1.0 / 240.0, 4));
        const double rms = tr3_world_measure(world).joint_error_rms;
        squares += rms * rms;
    }
    assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
    tr3_body_view view = tr3_world_bodies(world);
    for (uint32_t i = 0; i < view.count; i++)
        assert_true(isfinite(view.center_x[i]) && isfinite(view.center_y[i]) && isfinite(view.center_z[i]));
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
    return sqrt(squares / 2400.0);
}

static void joints_hold_within_a_millimetre(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROBOTS; i++) {
        const tr3_import_options hung = {.fix_base = true}, welded = {.fix_base = true, .weld_fixed = true};
        const double rms[3] = {run_robot(&robots[i], NULL), run_robot(&robots[i], &hung),
                               run_robot(&robots[i], &welded)};
        print_message("%-28s free %.2g mm, hung %.2g mm, hung and welded %.2g mm rms\n", robots[i].name, 1e3 * rms[0],
                      1e3 * rms[1], 1e3 * rms[2]);
        if (!(rms[0] < 1e-3 && rms[1] < 1e-3 && rms[2] < 1e-3))
            fail_msg("%s: more than a millimetre", robots[i].name);
    }
    static const char *const poses[] = {"squat", "stand_on_left_leg", "prone", "supine"};
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++) {
        const tr3_import_options posed = {.fix_base = true, .keyframe = poses[i]};
        const double rms = run_robot(&robots[5], &posed);
        print_message("%-28s %s %.2g mm rms\n", robots[5].name, poses[i], 1e3 * rms);
        if (!(rms < 1e-3))
            fail_msg("%s: more than a millimetre", poses[i]);
    }
}

/* the numbers of the file's "squat": z of the torso, and its turn about y */
static void a_humanoid_squats(void **state)
{
    (void)state;
    const tr3_import_options options = {.keyframe = "squat"};
    tr3_scene *scene = load_robot(&robots[5], &options);
    const tr3_body_def *torso = &model_body(scene, "torso")->def;
    model_near("z", torso->position.z, 0.596, 1.0);
    model_near("turn", (double)torso->rotation.y, 0.154359 / sqrt(0.988015 * 0.988015 + 0.154359 * 0.154359), 1.0);
    tr3_world *world = space_world_of(scene);
    tr3_joint *ids = calloc(scene->joint_count, sizeof *ids);
    assert_non_null(ids);
    SPACE_OK(tr3_scene_build(scene, world, NULL, ids, NULL));
    /* hip_y counts the other way from x cross z */
    static const struct {
        const char *name;
        uint32_t coordinate;
        double angle;
    } want[] = {{"abdomen_z+abdomen_y", 1, 0.4},
                {"hip_x_right+hip_z_right+hip_y_right", 3, -0.25},
                {"hip_x_left+hip_z_left+hip_y_left", 4, -0.5},
                {"hip_x_right+hip_z_right+hip_y_right", 5, 2.5},
                {"knee_left", 0, -2.65},
                {"ankle_y_right", 0, -0.8},
                {"ankle_x_left", 0, 0.56},
                {"elbow_left", 0, 0.0}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        tr_joint_coordinate_value coordinate;
        SPACE_OK(tr3_joint_coordinate_of(world, ids[tr3_scene_find_joint(scene, want[i].name)], want[i].coordinate,
                                         &coordinate));
        model_near(want[i].name, (double)coordinate.value, want[i].angle, 3.0);
    }
    free(ids);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

/*
 * Poses and centres of mass by the other reading. Carriers lie at their pivots: through the pivots of hips and shoulders go
 * all axes, so that only those of the ankles, which are 4 cm apart, put the centre a little elsewhere.
 */
static void keyframes_put_all_where_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *pose;
        tr_dvec3 center, foot; /* m: of all; the origin of foot_left */
    } cases[] = {{NULL, {0.0156856, 0.0, 0.8498402}, {-0.01, 0.09, 0.027}},
                 {"squat", {-0.04529121, 0.0, 0.3624469}, {-0.1264199, 0.1988509, 0.02681836}},
                 {"stand_on_left_leg", {-0.0301396, -0.1159767, 0.8306939}, {-0.06804563, -0.1031191, 0.02662613}},
                 {"prone", {-0.05871198, 0.0, 0.08504325}, {-0.8376139, 0.0842421, 0.1711069}},
                 {"supine", {0.04960538, 0.0, 0.08396998}, {0.8403799, 0.07945674, 0.09409361}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tr3_import_options options = {.keyframe = cases[i].pose};
        tr3_scene *scene = load_robot(&robots[5], &options);
        const tr_dvec3 foot = model_body(scene, "foot_left")->def.position;
        model_near("foot", foot.x, cases[i].foot.x, 1.0);
        model_near("foot", foot.y, cases[i].foot.y, 1.0);
        model_near("foot", foot.z, cases[i].foot.z, 1.0);
        tr_dvec3 sum = {0.0, 0.0, 0.0};
        double mass = 0.0;
        for (uint32_t b = 0; b < scene->body_count; b++) {
            const tr3_body_def *def = &scene->bodies[b].def;
            if (def->type != TR_DYNAMIC)
                continue;
            const tr_dvec3 at =
                tr3_plus(def->position, tr3_turned(tr3_widen_quat(def->rotation), tr3_widen(def->center)));
            sum = tr3_plus(sum, tr3_times((double)def->mass, at));
            mass += (double)def->mass;
        }
        const double away = space_length(space_minus(tr3_over(sum, mass), cases[i].center));
        print_message("%s: centre of mass off by %.2g mm\n", cases[i].pose != NULL ? cases[i].pose : "as it is",
                      1e3 * away);
        if (!(away < (cases[i].pose != NULL ? 2e-4 : 1e-6)))
            fail_msg("the centre of mass is %g m away", away);
        tr3_scene_destroy(scene);
    }
}

/* what is read can be written as our own format, and reads back to the same */
static void robots_are_written_as_scenes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROBOTS; i++) {
        tr3_scene *scene = load_robot(&robots[i], NULL);
        char *text = space_write(scene);
        tr3_scene *back = space_parse(text);
        char *again = space_write(back);
        assert_string_equal(text, again);
        assert_true(space_run(scene, 20) == space_run(back, 20));
        tr3_scene_destroy(back);
        tr3_scene_destroy(scene);
        free(text);
        free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_are_read_whole),
        cmocka_unit_test(masses_and_inertias_are_those_of_another_reading),
        cmocka_unit_test(joints_hold_within_a_millimetre),
        cmocka_unit_test(a_humanoid_squats),
        cmocka_unit_test(keyframes_put_all_where_they_say),
        cmocka_unit_test(robots_are_written_as_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
