/* Malformed scenes in space: each is refused with where it is and what was expected, and leaves nothing behind. */
#include "space_scene.h"

typedef struct bad_scene {
    const char *text;
    const char *fragment; /* that the message must have */
} bad_scene;

#define SPACE(rest) "{\"trammel\": 1, \"dimension\": 3, " rest "}"
#define BODY(rest)  SPACE("\"bodies\": [{}, {" rest "}]")
#define SHAPE(rest) BODY("\"shapes\": [{" rest "}]")
#define JOINT(type, rest)                                                                                              \
    SPACE("\"bodies\": [{\"name\": \"a\"}, {}], \"joints\": [{\"type\": \"" type                                       \
          "\", \"body_a\": 0, \"body_b\": 1, " rest "}]")

#ifdef TR_WITH_SCENES

static const bad_scene bad_scenes[] = {
    /* not JSON */
    {"", "test:1:"},
    {"{\"trammel\": 1,\n\"dimension\": 3,,}", "test:2:"},
    {SPACE("\"dimension\": 3"), "duplicate"},
    {BODY("\"mass\": NaN"), "test:1:"},
    {BODY("\"mass\": 1e999"), "overflow"},
    /* no scene in space */
    {"[]", "test: expected an object, found an array"},
    {"{}", "expected a scene in space"},
    {"{\"body\": [], \"gravity\": 0}", "expected a scene in space"},
    {"{\"trammel\": 1}", "test: dimension: the scene has 2 dimensions: tr2_scene_load() reads it"},
    {"{\"trammel\": 1, \"dimension\": 2}", "test: dimension: the scene has 2 dimensions: tr2_scene_load() reads it"},
    {"{\"trammel\": 1, \"dimension\": 4}", "test: dimension: expected an integer from 2 to 3, found 4"},
    {"{\"trammel\": 1, \"dimension\": null}", "test: dimension: expected an integer, found null"},
    {"{\"trammel\": 3, \"dimension\": 3}", "format version 3"},
    {SPACE("\"name\": []"), "test: name: expected a string, found an array"},
    /* world */
    {SPACE("\"world\": 1"), "test: world: expected an object, found a number"},
    {SPACE("\"world\": {\"gravity\": [0, -9]}"),
     "world.gravity: expected a vector: [x, y, z] or {\"x\": x, \"y\": y, "},
    {SPACE("\"world\": {\"gravity\": [0, -9, 0, 0]}"), "world.gravity: expected a vector: [x, y, z]"},
    {SPACE("\"world\": {\"gravity\": [0, -9, \"0\"]}"), "world.gravity[2]: expected a number, found a string"},
    {SPACE("\"world\": {\"gravity\": {\"z\": []}}"), "world.gravity.z: expected a number, found an array"},
    {SPACE("\"world\": {\"gravity\": [0, 0, 1e39]}"), "world.gravity: 1e+39 does not fit a 32-bit number"},
    {SPACE("\"world\": {\"hertz\": 0}"), "world.hertz: expected a number above 0"},
    {SPACE("\"world\": {\"substeps\": 1025}"), "world.substeps: expected an integer from 1 to 1024, found 1025"},
    {SPACE("\"world\": {\"sweeps\": 1.5}"), "world.sweeps: expected an integer from 0 to 1024, found 1.5"},
    {SPACE("\"world\": {\"method\": \"fast\"}"), "world.method: expected a method, found \"fast\""},
    {SPACE("\"world\": {\"breaking\": 1}"), "world.breaking: expected a way of breaking, found a number"},
    {SPACE("\"world\": {\"length_unit\": -1}"), "world.length_unit: expected a number above 0, found -1"},
    {SPACE("\"world\": {\"joint_frequency\": true}"), "world.joint_frequency: expected a number, found a boolean"},
    /* bodies */
    {SPACE("\"bodies\": 1"), "test: bodies: expected an array, found a number"},
    {SPACE("\"bodies\": [[]]"), "bodies[0]: expected an object, found an array"},
    {BODY("\"type\": \"moving\""),
     "bodies[1].type: expected \"static\", \"kinematic\" or \"dynamic\", found \"moving\""},
    {BODY("\"position\": [1, 2]"), "bodies[1].position: expected a vector: [x, y, z]"},
    {BODY("\"position\": 0"), "bodies[1].position: expected a vector: [x, y, z]"},
    {BODY("\"rotation\": [0, 0, 1]"), "bodies[1].rotation: expected a rotation: [x, y, z, w] or {\"x\": x"},
    {BODY("\"rotation\": 0.5"), "bodies[1].rotation: expected a rotation: [x, y, z, w]"},
    {BODY("\"rotation\": {\"w\": \"1\"}"), "bodies[1].rotation.w: expected a number, found a string"},
    {BODY("\"rotation\": [0, 0, 0, 1e39]"), "bodies[1].rotation: 1e+39 does not fit"},
    {BODY("\"velocity\": [1, 2, null]"), "bodies[1].velocity[2]: expected a number, found null"},
    {BODY("\"angular_velocity\": 3"), "bodies[1].angular_velocity: expected a vector"},
    {BODY("\"mass\": \"heavy\""), "bodies[1].mass: expected a number, found a string"},
    {BODY("\"mass\": 1e39"), "bodies[1].mass: 1e+39 does not fit a 32-bit number"},
    {BODY("\"inertia\": [1, 2]"),
     "bodies[1].inertia: expected a tensor: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or one"},
    {BODY("\"inertia\": [1, 2, 3, 4, 5]"), "bodies[1].inertia: expected a tensor"},
    {BODY("\"inertia\": {\"xx\": 1}"), "bodies[1].inertia: expected a tensor"},
    {BODY("\"inertia\": [1, true, 3]"), "bodies[1].inertia[1]: expected a number, found a boolean"},
    {BODY("\"inertia\": 1e39"), "bodies[1].inertia: 1e+39 does not fit"},
    {BODY("\"inertia\": [1, 1, 1, 0, 0, 1e39]"), "bodies[1].inertia[5]: 1e+39 does not fit"},
    {BODY("\"center\": \"here\""), "bodies[1].center: expected a vector"},
    {BODY("\"fixed_rotation\": 0"), "bodies[1].fixed_rotation: expected true or false, found a number"},
    {BODY("\"enabled\": null"), "bodies[1].enabled: expected true or false, found null"},
    {BODY("\"user_data\": 1.5"), "bodies[1].user_data: expected an integer from 0 to 18446744073709551615"},
    {BODY("\"name\": 1"), "bodies[1].name: expected a string, found a number"},
    /* shapes */
    {BODY("\"shapes\": {}"), "bodies[1].shapes: expected an array, found an object"},
    {BODY("\"shapes\": [3]"), "bodies[1].shapes[0]: expected an object, found a number"},
    {SHAPE("\"radius\": 1"), "bodies[1].shapes[0].type: expected \"sphere\", \"capsule\", \"cylinder\" or \"box\", "},
    {
        SHAPE("\"type\": \"polygon\""),
        "bodies[1].shapes[0].type",
    },
    {SHAPE("\"type\": \"sphere\""), "bodies[1].shapes[0].radius: is missing"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 0"), "bodies[1].shapes[0].radius: expected a number above 0, found 0"},
    {SHAPE("\"type\": \"sphere\", \"radius\": -1"), "bodies[1].shapes[0].radius: expected a number above 0, found -1"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1e-50"), "bodies[1].shapes[0].radius: expected a number above 0"},
    {SHAPE("\"type\": \"sphere\", \"radius\": \"1\""), "bodies[1].shapes[0].radius: expected a number, found a string"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1, \"center\": 0"), "bodies[1].shapes[0].center: expected a vector"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1, \"density\": -1"),
     "bodies[1].shapes[0].density: expected a number from 0, found -1"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1, \"user_data\": -1"), "bodies[1].shapes[0].user_data: expected"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1, \"name\": []"), "bodies[1].shapes[0].name: expected a string"},
    {SHAPE("\"type\": \"capsule\", \"radius\": 1, \"to\": [0, 1, 0]"), "bodies[1].shapes[0].from: is missing"},
    {SHAPE("\"type\": \"capsule\", \"radius\": 1, \"from\": [0, 1, 0]"), "bodies[1].shapes[0].to: is missing"},
    {SHAPE("\"type\": \"capsule\", \"from\": [0, 1, 0], \"to\": [0, 0, 0]"), "bodies[1].shapes[0].radius: is missing"},
    {SHAPE("\"type\": \"capsule\", \"from\": [0, 1], \"to\": [0, 0, 0], \"radius\": 1"),
     "bodies[1].shapes[0].from: expected a vector"},
    {SHAPE("\"type\": \"cylinder\", \"from\": [0, 1, 0], \"to\": [0, 0, {}], \"radius\": 1"),
     "bodies[1].shapes[0].to[2]: expected a number, found an object"},
    {SHAPE("\"type\": \"cylinder\", \"from\": [0, 1, 0], \"to\": [0, 1, 0], \"radius\": 1"),
     "bodies[1].shapes[0].to: is the point of `from`"},
    {SHAPE("\"type\": \"cylinder\", \"from\": [0, 1, 0], \"to\": [0, 0, 0], \"radius\": 0"),
     "bodies[1].shapes[0].radius: expected a number above 0, found 0"},
    {SHAPE("\"type\": \"box\""), "bodies[1].shapes[0].half: is missing"},
    {SHAPE("\"type\": \"box\", \"half\": 1"), "bodies[1].shapes[0].half: expected a vector"},
    {SHAPE("\"type\": \"box\", \"half\": [1, 0, 1]"), "bodies[1].shapes[0].half: expected three numbers above 0"},
    {SHAPE("\"type\": \"box\", \"half\": {\"x\": 1}"), "bodies[1].shapes[0].half: expected three numbers above 0"},
    {SHAPE("\"type\": \"box\", \"half\": [1, 1, 1], \"rotation\": [0, 0, 0, 0]"),
     "bodies[1].shapes[0].rotation: is zero: it has no direction"},
    {SHAPE("\"type\": \"box\", \"half\": [1, 1, 1], \"rotation\": {}"), "bodies[1].shapes[0].rotation: is zero"},
    {SHAPE("\"type\": \"box\", \"half\": [1, 1, 1], \"rotation\": [1, 0, 0]"),
     "bodies[1].shapes[0].rotation: expected a rotation"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 3e38"), "bodies[1]: its mass, inertia or centre does not fit"},
    {SHAPE("\"type\": \"box\", \"half\": [1e13, 1e13, 1e13]"), "bodies[1]: its mass, inertia or centre does not fit"},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1e39"), "bodies[1].shapes[0].radius: 1e+39 does not fit"},
    /* joints */
    {SPACE("\"joints\": {}"), "test: joints: expected an array, found an object"},
    {SPACE("\"joints\": [1]"), "joints[0]: expected an object, found a number"},
    {SPACE("\"joints\": [{\"type\": \"weld\", \"body_a\": 0, \"body_b\": 1}]"),
     "joints[0].body_a: there is no body 0; the scene has 0"},
    {SPACE("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"ball\", \"body_a\": 0, \"body_b\": 7}]"),
     "joints[0].body_b: there is no body 7; the scene has 2"},
    {SPACE("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"ball\", \"body_a\": \"b\", \"body_b\": 0}]"),
     "joints[0].body_a: there is no body \"b\""},
    {SPACE("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"ball\", \"body_a\": 1, \"body_b\": 1}]"),
     "joints[0]: joins body 1 to itself"},
    {SPACE("\"bodies\": [{}, {}], \"joints\": [{\"type\": \"ball\", \"body_a\": 1}]"),
     "joints[0].body_b: expected a body's index or name, found nothing"},
    {JOINT("revolute", "\"friction\": 1"),
     "joints[0].type: expected a type of joint: ball, hinge, slider, weld, "
     "distance, cylindrical, universal, planar, line, "
     "plane, parallel, general, motor, target, friction, screw, gear, pulley, circle, inerter, found \"revolute\""},
    {JOINT("ball", "\"anchor_a\": [1, 2]"), "joints[0].anchor_a: expected a vector: [x, y, z]"},
    {JOINT("hinge", "\"axis\": [0, 0, \"1\"]"), "joints[0].axis[2]: expected a number, found a string"},
    {JOINT("weld", "\"axis\": [0, 0, 1]"), "joints[0].axis: a weld joint has no axis"},
    {JOINT("weld", "\"reference\": [0, 0, 1]"), "joints[0].reference: expected a rotation: [x, y, z, w]"},
    {JOINT("distance", "\"reference\": [0, 0, 0, 1]"), "joints[0].reference: a distance joint has no reference"},
    {JOINT("weld", "\"motor\": {\"speed\": 1}"), "joints[0].motor: a weld joint has no motor"},
    {JOINT("ball", "\"fourth\": {\"motor\": {\"speed\": 1}}"), "joints[0].fourth: a ball joint has no fourth"},
    {JOINT("ball", "\"second\": {\"friction\": 1}"), "joints[0].second.friction: a ball joint has no second.friction"},
    {JOINT("ball", "\"limit\": {\"lower\": 1}"), "joints[0].limit: a ball joint has no limit"},
    {JOINT("hinge", "\"cone_angle\": 1"), "joints[0].cone_angle: a hinge joint has no cone_angle"},
    {JOINT("slider", "\"twist\": {\"enable\": true}"), "joints[0].twist: a slider joint has no twist"},
    {JOINT("ball", "\"twist\": {\"enable\": 1}"), "joints[0].twist.enable: expected true or false, found a number"},
    {JOINT("hinge", "\"cone_angle_2\": 1"), "joints[0].cone_angle_2: a hinge joint has no cone_angle_2"},
    {JOINT("ball", "\"cone_angle\": 1e39"), "joints[0].cone_angle: 1e+39 does not fit"},
    {JOINT("ball", "\"angular\": \"soft\""), "joints[0].angular: expected"},
    {JOINT("hinge", "\"linear\": {\"kind\": \"physical\", \"stiffness\": \"1\"}"),
     "joints[0].linear.stiffness: expected a number, found a string"},
    {JOINT("hinge", "\"event\": 1"), "joints[0].event: expected an object, found a number"},
    {JOINT("hinge", "\"break\": {\"steps\": -1}"), "joints[0].break.steps: expected an integer from 0"},
    {JOINT("hinge", "\"enabled\": \"no\""), "joints[0].enabled: expected true or false, found a string"},
};

static void malformed_scenes_are_refused_with_place_and_reason(void **state)
{
    for (size_t i = 0; i < sizeof bad_scenes / sizeof bad_scenes[0]; i++) {
        const bad_scene *bad = &bad_scenes[i];
        tr3_scene *untouched = (tr3_scene *)(void *)state, *scene = untouched;
        tr_error error = {TR_OK, ""};
        tr_status status = tr3_scene_parse(bad->text, strlen(bad->text), "test", &scene, &error);
        if (status != TR_ERROR_PARSE || error.status != status)
            fail_msg("%s: got %s", bad->text, tr_status_name(status));
        assert_ptr_equal(scene, untouched);
        if (strstr(error.message, bad->fragment) == NULL)
            fail_msg("%s: \"%s\" lacks \"%s\"", bad->text, error.message, bad->fragment);
        /* and without anyone to tell */
        assert_int_equal(tr3_scene_parse(bad->text, strlen(bad->text), NULL, &scene, NULL), TR_ERROR_PARSE);
    }
}

static void every_truncation_of_a_scene_is_refused(void **state)
{
    (void)state;
    static const char text[] = JOINT("hinge", "\"axis\": {\"z\": 1}, \"limit\": {\"enable\": true, \"upper\": 1.5e0}");
    for (size_t size = 0; size < sizeof text - 1; size++) {
        tr3_scene *scene = NULL;
        char *part = malloc(size + 1);
        assert_non_null(part);
        memcpy(part, text, size);
        assert_int_equal(tr3_scene_parse(part, size, "test", &scene, NULL), TR_ERROR_PARSE);
        assert_null(scene);
        free(part);
    }
    tr3_scene_destroy(space_parse(text));
}

/*
 * Well formed, but refused by a world
 */
static const struct {
    const char *text, *message;
    tr_status status;
} refused[] = {
    {BODY("\"name\": \"door\", \"mass\": -1"), "bodies[1] \"door\": mass is -1, must not be negative",
     TR_ERROR_NEGATIVE},
    {BODY("\"mass\": 0"), "bodies[1]: mass is zero, must be positive", TR_ERROR_ZERO},
    {BODY("\"name\": \"door\", \"rotation\": [0, 0, 0, 0]"), "bodies[1] \"door\": rotation has no length",
     TR_ERROR_ZERO},
    {BODY("\"name\": \"rod\", \"inertia\": [1, 1, 3]"),
     "bodies[1] \"rod\": inertia has the principal moments 1, 1 and 3", TR_ERROR_RANGE},
    {BODY("\"name\": \"rod\", \"inertia\": [1, 0, 1]"), "bodies[1] \"rod\": inertia.yy is zero", TR_ERROR_ZERO},
    {BODY("\"inertia\": [1, 1, -1]"), "bodies[1]: inertia.zz is -1, must not be negative", TR_ERROR_NEGATIVE},
    {BODY("\"inertia\": [1, 1, 1, 2, 0, 0]"), "bodies[1]: inertia has the principal moments", TR_ERROR_RANGE},
    {SHAPE("\"type\": \"sphere\", \"radius\": 1e-15"), "bodies[1]: mass is", TR_ERROR_RANGE},
    /* a thin rod that lies askew: 1,250 times as long as thick */
    {SHAPE("\"type\": \"cylinder\", \"from\": [0, 0, 0], \"to\": [1, 1, 1], \"radius\": 0.00069"),
     "bodies[1]: inertia has the principal moments", TR_ERROR_RANGE},
    {BODY("\"linear_damping\": -1"), "bodies[1]: linear_damping is -1", TR_ERROR_NEGATIVE},
    {JOINT("hinge", "\"name\": \"left knee\", \"axis\": [0, 0, 0]"), "joints[0] \"left knee\": axis has no length",
     TR_ERROR_ZERO},
    {JOINT("weld", "\"reference\": {}"), "joints[0]: reference has no length", TR_ERROR_ZERO},
    {JOINT("ball", "\"cone_angle\": 4"), "joints[0]: cone_angle", TR_ERROR_RANGE},
    {JOINT("hinge", "\"limit\": {\"enable\": true, \"lower\": 1}"), "joints[0]: limit.lower is 1", TR_ERROR_RANGE},
    {JOINT("hinge", "\"friction\": -1"), "joints[0]: friction is -1", TR_ERROR_NEGATIVE},
    {SPACE("\"world\": {\"joint_frequency\": -1}"), "world.joint_frequency is -1", TR_ERROR_NEGATIVE},
    {SPACE("\"world\": {\"direct_load\": -1}"), "world.", TR_ERROR_NEGATIVE},
    {SPACE("\"world\": {\"length_unit\": 2}"), "world.length_unit is 2, but the world has 1", TR_ERROR_RANGE},
};

/* in a world that has a body already: nothing of the scene stays */
static void what_a_world_refuses_is_named_and_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tr3_scene *scene = space_parse(refused[i].text);
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -1.0f, 0.0f}, 1);
        (void)space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        const uint64_t before = tr3_world_state_hash(world);
        tr3_body sentinel = {7, 7, 7}, bodies[2] = {sentinel, sentinel};
        tr_error error = {TR_OK, ""};
        tr_status status = tr3_scene_build(scene, world, bodies, NULL, &error);
        if (status != refused[i].status || error.status != status ||
            strncmp(error.message, refused[i].message, strlen(refused[i].message)) != 0)
            fail_msg("%s: %s: %s", refused[i].text, tr_status_name(status), error.message);
        assert_int_equal(tr3_scene_build(scene, world, bodies, NULL, NULL), status);
        assert_true(tr3_world_state_hash(world) == before);
        assert_int_equal(tr3_world_statistics(world).bodies, 1);
        assert_int_equal(tr3_world_statistics(world).joints, 0);
        assert_true(tr3_world_gravity(world).y == -1.0f);
        assert_memory_equal(&bodies[0], &sentinel, sizeof sentinel);
        tr3_world_destroy(world);
        tr3_scene_destroy(scene);
    }
}

/*
 * Writing
 */
static void assert_not_written(const tr3_scene *scene, tr_status status, const char *fragment)
{
    char *text = (char *)&status;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr3_scene_write(scene, &text, NULL, &error), status);
    if (strstr(error.message, fragment) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", error.message, fragment);
    assert_ptr_equal(text, &status);
    assert_int_equal(tr3_scene_write(scene, &text, NULL, NULL), status);
}

static void what_no_reader_could_read_is_not_written(void **state)
{
    (void)state;
    tr3_scene *scene = space_parse(SPACE("\"bodies\": [{}, {\"shapes\": [{\"type\": \"box\", \"half\": [1, 1, 1]}]}],"
                                         "\"joints\": [{\"type\": \"ball\", \"body_a\": 0, \"body_b\": 1}]"));
#define REFUSED(place, value, status, fragment)                                                                        \
    do {                                                                                                               \
        __typeof__(place) kept = (place);                                                                              \
        (place) = (value);                                                                                             \
        assert_not_written(scene, (status), (fragment));                                                               \
        (place) = kept;                                                                                                \
    } while (0)
    REFUSED(scene->bodies[1].def.position.z, (double)NAN, TR_ERROR_NAN, "bodies[1]: a number is not finite");
    REFUSED(scene->bodies[1].def.rotation.w, NAN, TR_ERROR_NAN, "bodies[1]");
    REFUSED(scene->bodies[0].def.inertia.yz, INFINITY, TR_ERROR_INFINITE, "bodies[0]");
    REFUSED(scene->bodies[0].def.type, (tr_body_type)9, TR_ERROR_RANGE, "bodies[0]: there is no body type 9");
    REFUSED(scene->shapes[0].half.y, NAN, TR_ERROR_NAN, "bodies[1]");
    REFUSED(scene->shapes[0].rotation.x, INFINITY, TR_ERROR_INFINITE, "bodies[1]");
    REFUSED(scene->shapes[0].body, 2u, TR_ERROR_RANGE, "shapes[0]");
    REFUSED(scene->shapes[0].type, TR3_SCENE_SHAPE_TYPE_COUNT, TR_ERROR_RANGE, "shapes[0]");
    REFUSED(scene->joints[0].def.anchor_b.z, NAN, TR_ERROR_NAN, "joints[0]: a number is not finite");
    REFUSED(scene->joints[0].def.reference.y, INFINITY, TR_ERROR_INFINITE, "joints[0]");
    REFUSED(scene->joints[0].def.type, TR3_JOINT_TYPE_COUNT, TR_ERROR_RANGE, "joints[0]: type or body out of range");
    REFUSED(scene->joints[0].def.linear.kind, (tr_softness_kind)7, TR_ERROR_RANGE, "joints[0].linear.kind");
    REFUSED(scene->joints[0].body_a, 2u, TR_ERROR_RANGE, "joints[0]: type or body out of range");
    REFUSED(scene->joints[0].body_a, 1u, TR_ERROR_SELF_JOINT, "joints[0]: joins body 1 to itself");
    REFUSED(scene->gravity.z, NAN, TR_ERROR_NAN, "not finite");
    REFUSED(scene->method, TR_METHOD_COUNT, TR_ERROR_RANGE, "world");
    char bad[] = "\xff", *name = scene->bodies[1].name;
    scene->bodies[1].name = bad;
    assert_not_written(scene, TR_ERROR_PARSE, "bodies[1]: a name is not UTF-8");
    scene->bodies[1].name = name;
    tr_error error;
    assert_int_equal(tr3_scene_save(scene, "/nowhere/scene.json", &error), TR_ERROR_FILE);
    assert_int_equal(tr3_scene_save(scene, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_save(NULL, "x", &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_write(scene, NULL, NULL, &error), TR_ERROR_NULL);
    tr3_scene_destroy(scene);
}

static void null_and_missing_files_are_refused(void **state)
{
    tr3_scene *untouched = (tr3_scene *)(void *)state, *scene = untouched;
    tr_error error;
    assert_int_equal(tr3_scene_load("/nowhere/scene.json", &scene, &error), TR_ERROR_FILE);
    assert_non_null(strstr(error.message, "/nowhere/scene.json"));
    assert_int_equal(tr3_scene_load(NULL, &scene, &error), TR_ERROR_NULL);
    assert_non_null(strstr(error.message, "tr3_scene_load"));
    assert_int_equal(tr3_scene_load("x", NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_parse(NULL, 3, "test", &scene, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_parse("{}", 2, "test", NULL, &error), TR_ERROR_NULL);
    assert_ptr_equal(scene, untouched);
}

#endif

static void null_is_refused_by_build(void **state)
{
    (void)state;
    tr3_scene *scene = space_generate("bridge3d", 1);
    tr3_world *world = space_world_of(scene);
    tr_error error;
    assert_int_equal(tr3_scene_build(NULL, world, NULL, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr3_scene_build(scene, NULL, NULL, NULL, &error), TR_ERROR_NULL);
    assert_non_null(strstr(error.message, "tr3_scene_build"));
    scene->joints[1].body_b = 50;
    assert_int_equal(tr3_scene_build(scene, world, NULL, NULL, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "joint 1: there is no body 50; the scene has 3");
    tr3_world_destroy(world);
    tr3_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TR_WITH_SCENES
        cmocka_unit_test(malformed_scenes_are_refused_with_place_and_reason),
        cmocka_unit_test(every_truncation_of_a_scene_is_refused),
        cmocka_unit_test(what_a_world_refuses_is_named_and_leaves_nothing),
        cmocka_unit_test(what_no_reader_could_read_is_not_written),
        cmocka_unit_test(null_and_missing_files_are_refused),
#endif
        cmocka_unit_test(null_is_refused_by_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
