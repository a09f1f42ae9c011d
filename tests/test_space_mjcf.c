/* MJCF: classes, orientations, masses of geoms, poses, files, and what is wrong. */
#include <sys/stat.h>
#include <unistd.h>

#include "solver/space/definitions.h"
#include "space_mjcf.h"

#ifdef TR_WITH_XML

static void a_model_is_read(void **state)
{
    (void)state;
    tr3_scene *scene = model("<mujoco model='m'><option timestep='0.004' gravity='1 2 3'/><worldbody/></mujoco>");
    assert_string_equal(scene->format, "mjcf");
    assert_string_equal(scene->name, "m");
    assert_true(scene->gravity.x == 1.0f && scene->gravity.y == 2.0f && scene->gravity.z == 3.0f);
    model_near("hertz", scene->hertz, 250.0, 250.0);
    assert_int_equal(scene->body_count, 1);
    assert_string_equal(scene->bodies[0].name, "world");
    assert_int_equal(scene->bodies[0].def.type, TR_STATIC);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
    scene = model("<mujoco><option><flag gravity='disable'/></option></mujoco>");
    assert_true(scene->gravity.z == 0.0f);
    tr3_scene_destroy(scene);
}

/*
 * Attributes
 */
static void attributes_come_from_the_class(void **state)
{
    (void)state;
    tr3_scene *scene = model(BESIDE("<default><geom size='.1' density='1'/><default class='big'><geom size='.2'/>"
                                    "<default class='dense'><geom density='2'/></default></default></default>",
                                    "<body name='main'><freejoint/><geom/></body>"
                                    "<body name='big' childclass='big'><freejoint/><geom/></body>"
                                    "<body name='dense'><freejoint/><geom class='dense'/></body>"
                                    "<body name='own' childclass='dense'><freejoint/><geom size='.3'/></body>"
                                    "<body name='back' childclass='dense'><freejoint/><geom class='main'/></body>"));
    static const struct {
        const char *name;
        double radius, density;
    } want[] = {{"main", 0.1, 1.0}, {"big", 0.2, 1.0}, {"dense", 0.2, 2.0}, {"own", 0.3, 2.0}, {"back", 0.1, 1.0}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const double r = want[i].radius, mass = want[i].density * 4.0 / 3.0 * PI * r * r * r;
        model_near(want[i].name, (double)model_body(scene, want[i].name)->def.mass, mass, mass);
    }
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

/* the same turn, by a third about (1, 1, 1), in every way: x -> y -> z -> x */
static void orientations_may_be_written_in_many_ways(void **state)
{
    (void)state;
    static const struct {
        const char *compiler, *way;
    } cases[] = {{"", "quat='1 1 1 1'"},
                 {"", "quat='.5 .5 .5 .5'"},
                 {"", "axisangle='1 1 1 120'"},
                 {"<compiler angle='radian'/>", "axisangle='2 2 2 2.0943951023931953'"},
                 {"", "xyaxes='0 1 0 0 0 1'"},
                 {"", "xyaxes='0 2 0 0 9 3'"},
                 /* about x, then about the new y, then the new z: Rx(90) Ry(90) */
                 {"", "euler='90 90 0'"},
                 /* about fixed axes: Rz(90) Rx(90) */
                 {"<compiler eulerseq='XYZ'/>", "euler='90 0 90'"},
                 {"<compiler eulerseq='ZXZ'/>", "euler='0 90 90'"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<mujoco>%s<worldbody><body name='b' pos='1 2 3' %s><freejoint/>" BALL "</body></worldbody></mujoco>",
                 cases[i].compiler, cases[i].way);
        tr3_scene *scene = model(text);
        const tr_quat q = model_body(scene, "b")->def.rotation;
        const double have[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
        for (int k = 0; k < 4; k++)
            model_near(cases[i].way, have[k], 0.5, 1.0);
        tr3_scene_destroy(scene);
    }
    /* z to (1, 0, 0) by the least turn: about y */
    tr3_scene *scene = model(WORLD("<body name='b' zaxis='2 0 0'><freejoint/>" BALL "</body>"
                                   "<body name='c' zaxis='0 0 -1'><freejoint/>" BALL "</body>"));
    const tr_quat q = model_body(scene, "b")->def.rotation, back = model_body(scene, "c")->def.rotation;
    model_near("y", (double)q.y, sqrt(0.5), 1.0);
    model_near("w", (double)q.w, sqrt(0.5), 1.0);
    model_near("w", (double)back.w, 0.0, 1.0);
    tr3_scene_destroy(scene);
}

/*
 * Mass
 */
static void geoms_have_the_mass_of_their_closed_forms(void **state)
{
    (void)state;
    const double r = 0.5, h = 0.75, rho = 1000.0;
    const double tube = rho * PI * r * r * 2.0 * h, ball = rho * 4.0 / 3.0 * PI * r * r * r;
    const double box = rho * 8.0 * 0.1 * 0.2 * 0.3, egg = rho * 4.0 / 3.0 * PI * 0.1 * 0.2 * 0.3;
    const double across = tube * (3.0 * r * r + 4.0 * h * h) / 12.0;
    const double round = across + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    const double axial = 0.5 * tube * r * r, ends = axial + 0.4 * ball * r * r;
    const struct {
        const char *geom;
        double mass;
        tr_dvec3 center;
        double moments[3];
    } cases[] = {
        {"type='sphere' size='.5' pos='1 2 3'",
         ball,
         {1.0, 2.0, 3.0},
         {0.4 * ball * r * r, 0.4 * ball * r * r, 0.4 * ball * r * r}},
        {"type='cylinder' size='.5 .75'", tube, {0.0, 0.0, 0.0}, {across, across, axial}},
        {"type='capsule' size='.5 .75'", tube + ball, {0.0, 0.0, 0.0}, {round, round, ends}},
        {"type='capsule' size='.5' fromto='0 0 1 1.5 0 1'", tube + ball, {0.75, 0.0, 1.0}, {ends, round, round}},
        {"type='cylinder' size='.5' fromto='1 1.5 0 1 0 0'", tube, {1.0, 0.75, 0.0}, {across, axial, across}},
        {"type='box' size='.1 .2 .3'", box, {0.0, 0.0, 0.0}, {box * 0.13 / 3.0, box * 0.10 / 3.0, box * 0.05 / 3.0}},
        /* as thick as wide */
        {"type='box' size='.1' fromto='.6 0 0 0 0 0'",
         box / 2.0,
         {0.3, 0.0, 0.0},
         {box / 2.0 * 0.02 / 3.0, box / 2.0 * 0.10 / 3.0, box / 2.0 * 0.10 / 3.0}},
        {"type='ellipsoid' size='.1' fromto='.6 0 0 0 0 0'",
         egg / 2.0,
         {0.3, 0.0, 0.0},
         {egg / 2.0 * 0.02 / 5.0, egg / 2.0 * 0.10 / 5.0, egg / 2.0 * 0.10 / 5.0}},
        {"type='ellipsoid' size='.1 .2 .3'",
         egg,
         {0.0, 0.0, 0.0},
         {egg * 0.13 / 5.0, egg * 0.10 / 5.0, egg * 0.05 / 5.0}},
        {"type='box' size='.1 .2 .3' density='10'",
         box / 100.0,
         {0.0, 0.0, 0.0},
         {box * 0.0013 / 3.0, box * 0.0010 / 3.0, box * 0.0005 / 3.0}},
        {"type='box' size='.1 .2 .3' density='10' mass='3'", 3.0, {0.0, 0.0, 0.0}, {0.13, 0.10, 0.05}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, WORLD("<body name='b'><freejoint/><geom %s/></body>"), cases[i].geom);
        tr3_scene *scene = model(text);
        const model_numbers want = {cases[i].geom,
                                    cases[i].mass,
                                    cases[i].center,
                                    {cases[i].moments[0], cases[i].moments[1], cases[i].moments[2], 0.0, 0.0, 0.0},
                                    {0.0, 0.0, 0.0}};
        model_check_body(&model_body(scene, "b")->def, &want);
        assert_int_equal(scene->notice_count, strstr(cases[i].geom, "ellipsoid") != NULL ? 1 : 0);
        tr3_scene_destroy(scene);
    }
}

static void an_inertial_is_before_the_geoms(void **state)
{
    (void)state;
    static const char *const body =
        "<body name='b'><freejoint/><inertial pos='1 2 3' mass='2' %s/><geom size='.1'/></body>";
    static const struct {
        const char *compiler, *inertia;
        double inertia_want[6];
    } cases[] = {{"", "diaginertia='1 2 2.5'", {1.0, 2.0, 2.5, 0.0, 0.0, 0.0}},
                 {"", "fullinertia='1 2 2.5 .1 .2 .3'", {1.0, 2.0, 2.5, 0.1, 0.2, 0.3}},
                 {"<compiler inertiafromgeom='false'/>",
                  "diaginertia='1 2 2.5' euler='0 0 90'",
                  {2.0, 1.0, 2.5, 0.0, 0.0, 0.0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char inside[300], text[400];
        snprintf(inside, sizeof inside, body, cases[i].inertia);
        snprintf(text, sizeof text, "<mujoco>%s<worldbody>%s</worldbody></mujoco>", cases[i].compiler, inside);
        tr3_scene *scene = model(text);
        model_numbers want = {cases[i].inertia, 2.0, {1.0, 2.0, 3.0}, {0}, {0.0, 0.0, 0.0}};
        memcpy(want.inertia, cases[i].inertia_want, sizeof want.inertia);
        model_check_body(&model_body(scene, "b")->def, &want);
        tr3_scene_destroy(scene);
    }
    tr3_scene *scene =
        model("<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='b'><freejoint/>"
              "<inertial pos='1 2 3' mass='2' diaginertia='1 1 1'/>" BALL "</body></worldbody></mujoco>");
    model_near("mass", (double)model_body(scene, "b")->def.mass, ball_mass, ball_mass);
    tr3_scene_destroy(scene);
}

static void bodies_without_joints_are_parts_of_their_parents(void **state)
{
    (void)state;
    static const char *const text = WORLD(
        "<body name='on ground' pos='9 0 0'>" BALL "</body><body name='a'><freejoint/>" BALL
        "<body name='b' pos='0 0 1' euler='90 0 0'>" BALL "<geom name='far' size='.1' pos='0 0 1'/></body></body>");
    tr3_scene *scene = model(text);
    assert_int_equal(scene->body_count, 2);
    assert_int_equal(scene->shape_count, 4);
    const tr3_body_def *def = &model_body(scene, "a")->def;
    model_near("mass", (double)def->mass, 3.0 * ball_mass, ball_mass);
    /* b's z is the parent's -y */
    model_near_vec("centre", def->center, (tr_dvec3){0.0, -1.0 / 3.0, 2.0 / 3.0}, 1.0);
    const tr3_scene_shape *far = &scene->shapes[tr3_scene_find_shape(scene, "far")];
    model_near_vec("far", far->center, (tr_dvec3){0.0, -1.0, 1.0}, 1.0);
    model_want_notice(scene, "2 of 3 bodies are fixed to others");
    tr3_scene_destroy(scene);

    tr3_import_options options = {.weld_fixed = true};
    scene = model_with(text, options);
    assert_int_equal(scene->body_count, 3);
    assert_int_equal(scene->joint_count, 1);
    assert_int_equal(scene->joints[0].def.type, TR3_JOINT_WELD);
    model_want_closed(scene);
    tr3_scene_destroy(scene);

    options = (tr3_import_options){.fix_base = true};
    scene = model_with(text, options);
    assert_int_equal(model_body(scene, "a")->def.type, TR_STATIC);
    tr3_scene_destroy(scene);
}

/*
 * Poses
 */
static void a_keyframe_is_where_it_starts(void **state)
{
    (void)state;
    static const char *const text =
        "<mujoco><worldbody>"
        "<body name='free' pos='9 9 9'><freejoint/>" BALL "<body name='ball' pos='1 0 0'><joint type='ball'/>" BALL
        "<body name='hinge' pos='0 1 0'><joint axis='0 0 1' pos='1 0 0' ref='90'/>" BALL
        "<body name='slide' pos='0 0 1'><joint type='slide' axis='1 0 0' ref='.5'/>" BALL
        "<body name='tip' pos='0 0 1'>" BALL "</body></body></body></body></body></worldbody>\n"
        "<keyframe><key name='rest' qpos='9 9 9 1 0 0 0  1 0 0 0  1.5707963267948966  .5'/>"
        /* the free body at (1, 2, 3) by a quarter about z; the ball by a quarter about x; the hinge and the slide */
        "<key name='moved' qpos='1 2 3 1 0 0 1  1 1 0 0  3.141592653589793  2.5'/>"
        "<key name='short' qpos='1 2 3'/><key name='none' qpos='1 2 3 0 0 0 0 1 0 0 0 0 0'/></keyframe></mujoco>";
    tr3_import_options options = {.keyframe = "rest"};
    tr3_scene *scene = model(text), *rest = model_with(text, options);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const tr_dvec3 a = scene->bodies[i].def.position, b = rest->bodies[i].def.position;
        model_near("x", b.x, a.x, 1.0);
        model_near("y", b.y, a.y, 1.0);
        model_near("z", b.z, a.z, 1.0);
    }
    tr3_scene_destroy(rest);
    tr3_scene_destroy(scene);

    options.keyframe = "moved";
    scene = model_with(text, options);
    /*
     * free: (1, 2, 3), axes X = y, Y = -x, Z = z. ball: 1 along X: (1, 3, 3); then by a quarter about its X:
     * X = y, Y = z, Z = x. hinge: 1 along Y: (1, 3, 4); turned by a quarter about Z through the point 1 along X,
     * (1, 4, 4): X = z, Y = -y, Z = x, and the origin 1 back along the new X: (1, 4, 3).
     * slide: 1 along Z: (2, 4, 3), then 2 along X: (2, 4, 5).
     */
    static const struct {
        const char *name;
        tr_dvec3 at;
    } want[] = {
        {"free", {1.0, 2.0, 3.0}}, {"ball", {1.0, 3.0, 3.0}}, {"hinge", {1.0, 4.0, 3.0}}, {"slide", {2.0, 4.0, 5.0}}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const tr_dvec3 have = model_body(scene, want[i].name)->def.position;
        model_near(want[i].name, have.x, want[i].at.x, 1.0);
        model_near(want[i].name, have.y, want[i].at.y, 1.0);
        model_near(want[i].name, have.z, want[i].at.z, 1.0);
    }
    tr3_world *world = space_world_of(scene);
    tr3_joint joints[3];
    SPACE_OK(tr3_scene_build(scene, world, NULL, joints, NULL));
    assert_true(tr3_world_measure(world).joint_error_max < 2e-6 &&
                tr3_world_measure(world).joint_angle_error_max < 1e-5);
    tr_joint_coordinate_value angle, way;
    SPACE_OK(tr3_joint_coordinate(world, joints[1], &angle));
    SPACE_OK(tr3_joint_coordinate(world, joints[2], &way));
    model_near("angle", (double)angle.value, 0.5 * PI, 2.0);
    model_near("way", (double)way.value, 2.0, 2.0);
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);

    options.keyframe = "short";
    model_refused(text, &options, TR_ERROR_PARSE, "test:2: <key> qpos: expected 13 numbers, found 3");
    options.keyframe = "none";
    model_refused(text, &options, TR_ERROR_PARSE, "<key> qpos: the rotation from number 4 on is zero");
    options.keyframe = "nothing";
    model_refused(text, &options, TR_ERROR_RANGE, "there is no keyframe \"nothing\"");
}

/*
 * Files
 */

/* angles are turned into rotations without libm: the same numbers on every machine, here as the text of the scene */
static void robots_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t hash;
    } cases[] = {{TR_SCENES_DIR "/space/arm.urdf", 0x7ac5c60e00844cc7},
                 {TR_SCENES_DIR "/space/legs.xml", 0x547cee60fca7649e}};
    for (size_t i = 0; i < 2; i++) {
        tr3_scene *scene = NULL;
        tr_error error = {TR_OK, ""};
        const tr3_import_options posed = {.keyframe = i == 1 ? "stride" : NULL};
        if (tr3_scene_import(cases[i].path, &posed, &scene, &error) != TR_OK)
            fail_msg("%s", error.message);
        char *text = space_write(scene);
        const uint64_t hash = mix_bytes(0, text, strlen(text));
        if (hash != cases[i].hash)
            fail_msg("%s: 0x%016llx\n%s", cases[i].path, (unsigned long long)hash, text);
        free(text);
        tr3_scene_destroy(scene);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* of a file: the message, or none */
static tr3_scene *load(const char *folder, const char *name, const char *fragment)
{
    char path[256];
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tr_status status = tr3_scene_load(path, &scene, &error);
    if (fragment == NULL && status != TR_OK)
        fail_msg("%s", error.message);
    if (fragment != NULL && (status == TR_OK || strstr(error.message, fragment) == NULL))
        fail_msg("%s: \"%s\", not \"%s\"", name, error.message, fragment);
    return scene;
}

static void files_include_others(void **state)
{
    (void)state;
    char folder[] = "/tmp/trammel-mjcf-XXXXXX", inner[64];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    write_file(
        folder, "robot.xml",
        "<mujoco><include file='inner/classes.xml'/><worldbody><include file='inner/leg.xml'/></worldbody></mujoco>");
    write_file(inner, "classes.xml", "<mujocoinclude><default><geom size='.1'/></default></mujocoinclude>");
    /* paths are from the folder of the whole document */
    write_file(inner, "leg.xml",
               "<mujocoinclude>\n<body name='b'><freejoint/><include file='inner/geom.xml'/></body></mujocoinclude>");
    write_file(inner, "geom.xml", "<mujocoinclude><geom odd='1'/></mujocoinclude>");
    tr3_scene *scene = load(folder, "robot.xml", NULL);
    assert_int_equal(scene->body_count, 2);
    model_near("mass", (double)model_body(scene, "b")->def.mass, ball_mass, ball_mass);
    assert_int_equal(scene->notice_count, 1);
    model_want_notice(scene, "line 1: <geom> odd: is not read");
    model_want_notice(scene, "inner/geom.xml");
    tr3_scene_destroy(scene);

    write_file(inner, "geom.xml", "<mujocoinclude>\n<geom type='odd'/></mujocoinclude>");
    assert_null(load(folder, "robot.xml", "inner/geom.xml:2: <geom> type: there is no geom of the type"));
    write_file(inner, "geom.xml", "<mujocoinclude>\n<geom></mujocoinclude>");
    assert_null(load(folder, "robot.xml", "inner/geom.xml:2:9: no XML: mismatched tag"));
    write_file(inner, "geom.xml", "<mujocoinclude>\n<include file='inner/leg.xml'/></mujocoinclude>");
    assert_null(load(folder, "robot.xml", "<include> file: is included already"));
    write_file(folder, "robot.xml", "<mujoco><include file='robot.xml'/></mujoco>");
    assert_null(load(folder, "robot.xml", "<include> file: is included already"));
    write_file(folder, "robot.xml", "<mujoco>\n<include file='nothing.xml'/></mujoco>");
    assert_null(load(folder, "robot.xml", "robot.xml:2: <include> file: "));
    assert_null(load(folder, "robot.xml", "nothing.xml: cannot be opened: No such file"));
    write_file(folder, "robot.xml", "<mujoco><include file='inner/leg.xml'/></mujoco>");
    write_file(inner, "leg.xml", "<mujocoinclude>\n\n<include file='inner/nothing.xml'/></mujocoinclude>");
    assert_null(load(folder, "robot.xml", "inner/leg.xml:3: <include> file: "));
    write_file(folder, "robot.xml", "<mujoco><include/></mujoco>");
    assert_null(load(folder, "robot.xml", "robot.xml:1: <include> has no file"));
    model_refused("<mujoco><include file='robot.xml'/></mujoco>", NULL, TR_ERROR_PARSE,
                  "only a document that is read from a file can include others");
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<mujoco><compiler angle='grad'/></mujoco>", "<compiler> angle: expected degree or radian, found \"grad\""},
        {"<mujoco><compiler coordinate='global'/></mujoco>", "<compiler> coordinate: expected local"},
        {"<mujoco><compiler eulerseq='xy'/></mujoco>", "<compiler> eulerseq: expected three of xyz and XYZ"},
        {"<mujoco><compiler autolimits='yes'/></mujoco>", "<compiler> autolimits: expected true, false or auto"},
        {"<mujoco><option timestep='0'/></mujoco>", "<option> timestep: expected a number from 1e-9"},
        {"<mujoco><option gravity='0 1'/></mujoco>", "<option> gravity: expected 3 numbers, found 2"},
        {"<mujoco><option><flag contact='off'/></option></mujoco>",
         "<flag> contact: expected enable or disable, found \"off\""},
        {"<mujoco><default><default/></default></mujoco>", "<default> class: is missing"},
        {WORLD("<geom class='x' size='1'/>"), "test:2: <geom> class: there is no default class \"x\""},
        {WORLD("<body childclass='x'/>"), "test:2: <body> childclass: there is no default class \"x\""},
        {WORLD("<geom/>"), "test:2: <geom> size: is missing"},
        {WORLD("<geom size='0'/>"), "<geom> size: expected numbers above 0, found 0"},
        {WORLD("<geom type='box' size='1 2'/>"), "<geom> size: a box has 3 sizes, found 2"},
        {WORLD("<geom type='capsule' size='1'/>"), "<geom> size: a capsule has 2 sizes, found 1"},
        {WORLD("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), "<geom> fromto: has no length"},
        {WORLD("<geom type='ball' size='1'/>"), "<geom> type: there is no geom of the type \"ball\""},
        {WORLD("<geom size='1' mass='-1'/>"), "<geom> mass: expected a number from 0, found -1"},
        {WORLD("<geom size='1' density='-1'/>"), "<geom> density: expected a number from 0, found -1"},
        {WORLD("<geom size='1' quat='0 0 0 0'/>"), "<geom> quat: is zero"},
        {WORLD("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), "<geom> euler: is a second orientation, beside quat"},
        {WORLD("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "<geom> xyaxes: is zero"},
        {WORLD("<geom size='1' zaxis='0 0 0'/>"), "<geom> zaxis: is zero"},
        {WORLD("<joint/>"), "test:2: <joint>: the world has a joint"},
        {WORLD("<frame><joint/></frame>"), "<joint>: the world has a joint"},
        {WORLD("<body>" BALL "<joint type='screw'/></body>"), "<joint> type: expected free, ball, slide or hinge"},
        {WORLD("<body>" BALL "<joint axis='0 0 0'/></body>"), "<joint> axis: is zero"},
        {WORLD("<body>" BALL "<joint damping='-1'/></body>"), "<joint> damping: expected a number from 0, found -1"},
        {WORLD("<body>" BALL "<joint range='2 1' limited='true'/></body>"),
         "<joint> range: its lower limit 2 is above its upper limit 1"},
        {WORLD("<body>" BALL "<joint limited='true'/></body>"), "<joint> range: is missing"},
        {WORLD("<body>" BALL "<freejoint/><joint/></body>"), "<joint>: the body has a free joint, and no other"},
        {WORLD("<body>" BALL "<joint/><joint type='free'/></body>"), "<joint>: is free: only a body of the world"},
        {WORLD("<body>" BALL "<joint/><body><freejoint/></body></body>"),
         "<freejoint>: is free: only a body of the world"},
        {WORLD("<body>" BALL "<joint/><joint/><joint/><joint type='ball'/>\n<joint/></body>"),
         "test:3: <joint>: the body has more than six degrees of freedom"},
        {WORLD("<body mocap='true'><joint/></body>"), "<joint>: the body is mocap: it has no joints"},
        {WORLD("<body><inertial mass='1'/></body>"), "<inertial> pos: is missing"},
        {WORLD("<body><inertial pos='0 0 0'/></body>"), "<inertial> mass: is missing"},
        {WORLD("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 -1'/></body>"), "no body has this inertia"},
        {"<mujoco><actuator><motor joint='x'/></actuator></mujoco>", "<motor> joint: there is no joint \"x\""},
        {BESIDE("<actuator><position joint='j' kp='-1'/></actuator>", "<body>" BALL "<joint name='j'/></body>"),
         "<position> kp: expected a number from 0, found -1"},
        {BESIDE("<default><joint armature='x'/></default>", "<body>" BALL "\n<joint/></body>"),
         "test:1: <joint> armature: expected a number, found \"x\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        model_refused(cases[i].text, NULL, TR_ERROR_PARSE, cases[i].message);
}

static void what_is_left_out_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *notice;
    } cases[] = {
        {"<mujoco><sensor/></mujoco>", "line 1: <sensor>: is not read in <mujoco>"},
        {"<mujoco><option wind='1 0 0'/></mujoco>", "<option> wind: is not read"},
        {"<mujoco><compiler settotalmass='1'/></mujoco>", "<compiler> settotalmass: is not read"},
        {WORLD("<geom type='mesh' mesh='m'/>"), "line 2: <geom>: a mesh gives no mass and is not drawn"},
        {WORLD("<geom type='box' mesh='m'/>"), "line 2: <geom>: a mesh gives no mass and is not drawn"},
        {"<mujoco><worldbody><composite/></worldbody><equality><connect body1='B1' anchor='0 0 "
         "0'/></equality></mujoco>",
         "<connect>: its bodies are among those that are left out"},
        {WORLD("<geom type='plane' size='1 1 1'/>"), "<geom>: a plane is not drawn"},
        {"<mujoco><option><flag wind='disable'/></option></mujoco>", "<flag> wind: is not read"},
        {WORLD("<body sleep='1'>" BALL "</body>"), "<body> sleep: is not read"},
        {WORLD("<body><joint/></body>"), "<body>: has no mass and must move"},
        {WORLD("<composite/>"), "<composite>: is not read in <worldbody>"},
        {"<mujoco>" TWO "<equality><weld site1='a' site2='b'/></equality></mujoco>", "<weld> site1: is not simulated"},
        {"<mujoco>" TWO "<equality><weld body1='a' body2='a'/></equality></mujoco>", "<weld>: its bodies are one body"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr3_scene *scene = model(cases[i].text);
        model_want_notice(scene, cases[i].notice);
        tr3_scene_destroy(scene);
    }
}

static void frames_and_mocap_bodies_are_read(void **state)
{
    (void)state;
    tr3_scene *scene = model(WORLD("<frame pos='1 0 0' euler='0 0 90'><frame pos='1 0 0'><body name='b' pos='1 0 0'>"
                                   "<freejoint/><frame pos='0 0 2'>" BALL "</frame></body></frame></frame>"
                                   "<body name='m' mocap='true' pos='5 0 0'>" BALL "</body>"));
    const tr3_body_def *def = &model_body(scene, "b")->def;
    model_near("x", def->position.x, 1.0, 1.0);
    model_near("y", def->position.y, 2.0, 1.0);
    model_near_vec("centre", def->center, (tr_dvec3){0.0, 0.0, 2.0}, 1.0);
    assert_int_equal(model_body(scene, "m")->def.type, TR_KINEMATIC);
    assert_int_equal(scene->notice_count, 0);
    tr3_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_read),
        cmocka_unit_test(attributes_come_from_the_class),
        cmocka_unit_test(orientations_may_be_written_in_many_ways),
        cmocka_unit_test(geoms_have_the_mass_of_their_closed_forms),
        cmocka_unit_test(an_inertial_is_before_the_geoms),
        cmocka_unit_test(bodies_without_joints_are_parts_of_their_parents),
        cmocka_unit_test(a_keyframe_is_where_it_starts),
        cmocka_unit_test(files_include_others),
        cmocka_unit_test(robots_have_the_same_bits_everywhere),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(frames_and_mocap_bodies_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
