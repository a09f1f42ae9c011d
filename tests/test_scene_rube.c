/* R.U.B.E. JSON: every joint type, both spellings of vectors and floats, masses, and real files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/core/storage.h"
#include "scene_file.h"
#include "trammel/scene2.h"

#define RUBE TR_SHARED_DIR "/scenes/rube2d"

#ifdef TR_WITH_SCENES

/* two dynamic bodies of 1 kg and one joint */
static tr2_scene *parse_joint(const char *members)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"body\": [{\"type\": 2, \"massData-mass\": 1, \"massData-I\": 1}, {\"type\": 2, \"massData-mass\": 1,"
             "\"massData-I\": 1}], \"joint\": [{\"bodyB\": 1, %s}]}",
             members);
    return parse(text);
}

static bool has_notice(const tr2_scene *scene, const char *fragment)
{
    for (uint32_t i = 0; i < scene->notice_count; i++)
        if (strstr(scene->notices[i], fragment) != NULL)
            return true;
    return false;
}

static void a_world_is_read(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"gravity\": {\"x\": 1, \"y\": -10}, \"stepsPerSecond\": 50, \"allowSleep\": true,"
                             "\"velocityIterations\": 8, \"body\": [], \"joint\": [], \"image\": [{\"any\": 1}]}");
    assert_string_equal(scene->format, "rube");
    assert_true(scene->gravity.x == 1.0f && scene->gravity.y == -10.0f && scene->hertz == 50.0);
    assert_int_equal(scene->notice_count, 0);
    tr2_scene_destroy(scene);
    scene = parse("{\"gravity\": 0, \"body\": null, \"joint\": null}");
    assert_true(scene->gravity.x == 0.0f && scene->gravity.y == 0.0f && scene->hertz == 60.0);
    assert_int_equal(scene->body_count, 0);
    tr2_scene_destroy(scene);
}

static void a_body_is_read_with_either_spelling_of_numbers_and_vectors(void **state)
{
    (void)state;
    const char *const spellings[] = {
        /* 0.75 is 3F400000, -2.5 is C0200000, 1.5 is 3FC00000 */
        "\"position\": {\"x\": 0.75, \"y\": -2.5}, \"angle\": 1.5, \"linearVelocity\": {\"x\": 1.5, \"y\": 0}",
        "\"position\": {\"x\": \"3F400000\", \"y\": \"C0200000\"}, \"angle\": \"3fc00000\", \"linearVelocity\":"
        "{\"x\": \"3FC00000\"}",
    };
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"body\": [{\"name\": \"b\", \"type\": 2, %s, \"angularVelocity\": 1, \"linearDamping\": 2,"
                 "\"angularDamping\": 3, \"gravityScale\": 4, \"fixedRotation\": true, \"bullet\": true,"
                 "\"sleepThreshold\": 0.1, \"massData-mass\": 2, \"massData-I\": 5, \"massData-center\": 0},"
                 "{\"type\": 1, \"position\": 0, \"linearVelocity\": 0}, {}]}",
                 spellings[i]);
        tr2_scene *scene = parse(text);
        const tr2_body_def *def = &scene->bodies[0].def;
        assert_string_equal(scene->bodies[0].name, "b");
        assert_int_equal(def->type, TR_DYNAMIC);
        assert_true(def->position.x == 0.75 && def->position.y == -2.5 && def->angle == 1.5);
        assert_true(def->velocity.x == 1.5f && def->velocity.y == 0.0f && def->angular_velocity == 1.0f);
        assert_true(def->linear_damping == 2.0f && def->angular_damping == 3.0f && def->gravity_scale == 4.0f);
        assert_true(def->fixed_rotation && def->bullet && def->mass == 2.0f && def->inertia == 5.0f);
        assert_int_equal(scene->bodies[1].def.type, TR_KINEMATIC);
        assert_int_equal(scene->bodies[2].def.type, TR_STATIC);
        assert_true(scene->bodies[2].def.gravity_scale == 1.0f);
        assert_true(def->sleep_scale == 2.0f && scene->bodies[2].def.sleep_scale == 1.0f);
        assert_int_equal(scene->notice_count, 0);
        tr2_scene_destroy(scene);
    }
}

static void inertia_is_moved_to_the_centre_of_mass(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"body\": [{\"type\": 2, \"massData-mass\": 2, \"massData-I\": 10,"
                             "\"massData-center\": {\"x\": 1, \"y\": 1.5}}]}");
    /* 10 - 2 (1 + 2.25) */
    assert_true(fabsf(scene->bodies[0].def.inertia - 3.5f) < 1e-6f);
    assert_true(scene->bodies[0].def.center.y == 1.5f);
    tr2_scene_destroy(scene);
}

static void inertia_that_leaves_nothing_comes_from_the_fixtures(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"body\": [{\"type\": 2, \"massData-mass\": 2, \"massData-I\": 2, \"massData-center\":"
                             "{\"x\": 1, \"y\": 0}, \"fixture\": [{\"density\": 1, \"circle\": {\"radius\": 2,"
                             "\"center\": 0}}]}]}");
    /* m r^2 / 2 with m = 4 pi */
    assert_true(fabsf(scene->bodies[0].def.inertia - 25.132742f) < 1e-4f);
    assert_true(scene->bodies[0].def.mass == 2.0f);
    assert_true(has_notice(scene, "massData-I"));
    tr2_scene_destroy(scene);
}

static void mass_comes_from_fixtures_where_it_is_absent(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"body\": [{\"type\": 2, \"fixture\": ["
              "{\"density\": 3, \"polygon\": {\"vertices\": {\"x\": [0, 2, 2, 0], \"y\": [0, 0, 1, 1]}}},"
              "{\"density\": 3, \"polygon\": {\"vertices\": {\"x\": [0, 0, -2, -2], \"y\": [0, 1, 1, 0]}}}]},"
              "{\"type\": 2}]}");
    /* a box 4 x 1 of 3 kg/m^2 in two halves, one of them clockwise: m = 12, I = 12 (16 + 1) / 12 */
    const tr2_body_def *def = &scene->bodies[0].def;
    assert_true(fabsf(def->mass - 12.0f) < 1e-5f && fabsf(def->inertia - 17.0f) < 1e-4f);
    assert_true(fabsf(def->center.x) < 1e-6f && fabsf(def->center.y - 0.5f) < 1e-6f);
    /* and where there are no fixtures either, Box2D's rule */
    assert_true(scene->bodies[1].def.mass == 1.0f && scene->bodies[1].def.inertia == 0.0f);
    assert_true(has_notice(scene, "without mass"));
    tr2_scene_destroy(scene);
}

static void every_kind_of_fixture_becomes_a_shape(void **state)
{
    (void)state;
    tr2_scene *scene = parse(
        "{\"body\": [{\"fixture\": [{\"name\": \"c\", \"friction\": 0.5, \"restitution\": 0.25, \"density\": 2,"
        "\"sensor\": true, \"filter-groupIndex\": -1, \"circle\": {\"center\": {\"x\": 1, \"y\": 2}, \"radius\": 3}},"
        "{\"polygon\": {\"vertices\": {\"x\": [0, 1, 0], \"y\": [0, 0, 1]}}},"
        "{\"polygon\": {\"vertices\": {\"x\": [0, 1], \"y\": [0, 0]}}},"
        "{\"chain\": {\"vertices\": {\"x\": [0, \"3F800000\", 2], \"y\": [0, 0, 1]}, \"hasNextVertex\": true}},"
        "{\"loop\": {\"vertices\": {\"x\": [0, 1, 2], \"y\": [0, 0, 1]}}},"
        "{\"edge\": {\"vertex1\": 0, \"vertex2\": {\"x\": 5, \"y\": 6}}}, {\"name\": \"nothing\"}]}]}");
    const struct {
        tr2_scene_shape_type type;
        uint32_t vertices;
        bool closed;
    } want[] = {{TR2_SCENE_CIRCLE, 1, false}, {TR2_SCENE_POLYGON, 3, false}, {TR2_SCENE_CHAIN, 2, false},
                {TR2_SCENE_CHAIN, 3, false},  {TR2_SCENE_CHAIN, 3, true},    {TR2_SCENE_CHAIN, 2, false}};
    assert_int_equal(scene->shape_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(scene->shapes[i].type, want[i].type);
        assert_int_equal(scene->shapes[i].vertex_count, want[i].vertices);
        assert_int_equal(scene->shapes[i].closed, want[i].closed);
    }
    const tr2_scene_shape *circle = &scene->shapes[0];
    assert_string_equal(circle->name, "c");
    assert_true(circle->friction == 0.5f && circle->restitution == 0.25f && circle->density == 2.0f);
    assert_true(circle->sensor && circle->radius == 3.0f && scene->vertices[0].x == 1.0f);
    assert_true(scene->vertices[scene->shapes[3].first_vertex + 1].x == 1.0f);
    assert_true(scene->vertices[scene->shapes[5].first_vertex + 1].y == 6.0f);
    assert_true(!has_notice(scene, "do not collide") && has_notice(scene, "without a shape"));
    tr2_scene_destroy(scene);
}

static void a_revolute_is_read(void **state)
{
    (void)state;
    tr2_scene *scene = parse_joint("\"type\": \"revolute\", \"name\": \"r\", \"anchorA\": {\"x\": 1, \"y\": 2},"
                                   "\"anchorB\": 0, \"refAngle\": 0.5, \"enableLimit\": true, \"lowerLimit\": -1,"
                                   "\"upperLimit\": 2, \"enableMotor\": true, \"motorSpeed\": 3, \"maxMotorTorque\": 4,"
                                   "\"jointSpeed\": 9, \"collideConnected\": true");
    const tr2_joint_def *def = &scene->joints[0].def;
    assert_int_equal(def->type, TR2_JOINT_REVOLUTE);
    assert_string_equal(scene->joints[0].name, "r");
    assert_true(scene->joints[0].body_a == 0 && scene->joints[0].body_b == 1);
    assert_true(def->anchor_a.x == 1.0f && def->anchor_a.y == 2.0f && def->anchor_b.x == 0.0f);
    assert_true(def->reference_angle == 0.5f && def->collide_connected);
    assert_true(def->limit.enable && def->limit.lower == -1.0f && def->limit.upper == 2.0f);
    assert_true(def->motor.enable && def->motor.speed == 3.0f && def->motor.maximum == 4.0f);
    assert_false(def->spring.enable);
    assert_int_equal(scene->notice_count, 0);
    tr2_scene_destroy(scene);
}

static void a_prismatic_is_read_with_either_name_of_its_axis(void **state)
{
    (void)state;
    const char *const axes[] = {"localAxisA", "localAxis1"};
    for (size_t i = 0; i < 2; i++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "\"type\": \"prismatic\", \"%s\": {\"x\": 0, \"y\": 1}, \"refAngle\": 0.5, \"enableLimit\": true,"
            "\"lowerLimit\": 2, \"upperLimit\": -1, \"enableMotor\": true, \"motorSpeed\": 3, \"maxMotorForce\": 4",
            axes[i]);
        tr2_scene *scene = parse_joint(text);
        const tr2_joint_def *def = &scene->joints[0].def;
        assert_int_equal(def->type, TR2_JOINT_PRISMATIC);
        assert_true(def->axis.x == 0.0f && def->axis.y == 1.0f && def->reference_angle == 0.5f);
        assert_true(def->motor.enable && def->motor.speed == 3.0f && def->motor.maximum == 4.0f);
        /* limits the wrong way round are swapped, and that is said */
        assert_true(def->limit.enable && def->limit.lower == -1.0f && def->limit.upper == 2.0f);
        assert_true(has_notice(scene, "swapped"));
        tr2_scene_destroy(scene);
    }
}

static void distances_ropes_and_welds_are_read(void **state)
{
    (void)state;
    tr2_scene *scene = parse_joint("\"type\": \"distance\", \"length\": 2, \"frequency\": 0, \"dampingRatio\": 0.5");
    assert_int_equal(scene->joints[0].def.type, TR2_JOINT_DISTANCE);
    assert_true(scene->joints[0].def.length == 2.0f);
    assert_int_equal(scene->joints[0].def.linear.kind, TR_RIGID);
    tr2_scene_destroy(scene);

    scene = parse_joint("\"type\": \"distance\", \"length\": 2, \"frequency\": 3, \"dampingRatio\": 0.5");
    const tr_softness *soft = &scene->joints[0].def.linear;
    assert_true(soft->kind == TR_FREQUENCY && soft->a == 3.0f && soft->b == 0.5f);
    tr2_scene_destroy(scene);

    scene = parse_joint("\"type\": \"rope\", \"maxLength\": 3");
    const tr2_joint_def *rope = &scene->joints[0].def;
    assert_int_equal(rope->type, TR2_JOINT_DISTANCE);
    assert_true(rope->limit.enable && rope->limit.lower == 0.0f && rope->limit.upper == 3.0f);
    assert_true(rope->linear.kind == TR_FREQUENCY && rope->linear.a == 0.0f && rope->linear.b == 0.0f);
    tr2_scene_destroy(scene);

    scene = parse_joint("\"type\": \"weld\", \"refAngle\": 1, \"frequency\": 3, \"dampingRatio\": 0.5");
    const tr2_joint_def *weld = &scene->joints[0].def;
    assert_int_equal(weld->type, TR2_JOINT_WELD);
    assert_true(weld->reference_angle == 1.0f && weld->linear.kind == TR_RIGID);
    assert_true(weld->angular.kind == TR_FREQUENCY && weld->angular.a == 3.0f && weld->angular.b == 0.5f);
    tr2_scene_destroy(scene);
}

static void a_wheel_is_read_and_without_frequency_has_no_spring(void **state)
{
    (void)state;
    tr2_scene *scene = parse_joint("\"type\": \"wheel\", \"localAxisA\": {\"x\": 0, \"y\": 1}, \"springFrequency\": 4,"
                                   "\"springDampingRatio\": 0.7, \"enableMotor\": true, \"motorSpeed\": -3,"
                                   "\"maxMotorTorque\": 4");
    const tr2_joint_def *def = &scene->joints[0].def;
    assert_int_equal(def->type, TR2_JOINT_WHEEL);
    assert_true(def->axis.y == 1.0f && def->motor.enable && def->motor.speed == -3.0f && def->motor.maximum == 4.0f);
    assert_true(def->spring.enable && def->spring.target == 0.0f && def->spring.softness.kind == TR_FREQUENCY);
    assert_true(def->spring.softness.a == 4.0f && def->spring.softness.b == 0.7f);
    tr2_scene_destroy(scene);
    scene = parse_joint("\"type\": \"wheel\", \"localAxisA\": {\"x\": 0, \"y\": 1}, \"springFrequency\": 0");
    assert_false(scene->joints[0].def.spring.enable);
    tr2_scene_destroy(scene);
}

static void friction_joints_are_friction_and_motor_joints_are_drives(void **state)
{
    (void)state;
    tr2_scene *scene = parse_joint("\"type\": \"friction\", \"anchorB\": {\"x\": 1, \"y\": 2}, \"maxForce\": 5,"
                                   "\"maxTorque\": 6");
    const tr2_joint_def *def = &scene->joints[0].def;
    assert_int_equal(def->type, TR2_JOINT_FRICTION);
    assert_true(def->anchor_b.y == 2.0f && def->drive.max_force == 5.0f && def->drive.max_torque == 6.0f);
    tr2_scene_destroy(scene);

    const char *const keys[] = {"\"linearOffset\": {\"x\": 1, \"y\": 2}, \"anchorA\": {\"x\": 8, \"y\": 8}",
                                "\"anchorA\": {\"x\": 1, \"y\": 2}"};
    for (size_t i = 0; i < 2; i++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "\"type\": \"motor\", %s, \"refAngle\": 3, \"maxForce\": 5, \"maxTorque\": 6, \"correctionFactor\": 0.3",
            keys[i]);
        scene = parse_joint(text);
        def = &scene->joints[0].def;
        assert_int_equal(def->type, TR2_JOINT_MOTOR);
        assert_true(def->drive.position && def->drive.offset.x == 1.0f && def->drive.offset.y == 2.0f);
        assert_true(def->anchor_a.x == 0.0f && def->drive.angular_offset == 3.0f);
        assert_true(def->drive.max_force == 5.0f && def->drive.max_torque == 6.0f);
        assert_true(has_notice(scene, "correctionFactor"));
        tr2_scene_destroy(scene);
    }
}

/* (3, 1) in the world is (1, -2) of a body at (1, 0) that is turned by a quarter: R(-90) (2, 1) = (1, -2) */
static void mouse_joints_are_targets(void **state)
{
    (void)state;
    static const char *const types[] = {"0", "2"};
    for (int moves = 0; moves < 2; moves++) {
        char text[500];
        snprintf(text, sizeof text,
                 "{\"body\": [{\"type\": %s, \"position\": {\"x\": 1, \"y\": 0}, \"angle\": 1.5707963267948966,"
                 "\"massData-mass\": 1}, {\"type\": 2, \"massData-mass\": 1}], \"joint\": [{\"type\": \"mouse\","
                 "\"bodyA\": 0, \"bodyB\": 1, \"target\": {\"x\": 3, \"y\": 1}, \"anchorB\": {\"x\": 0.5, \"y\": 0.25},"
                 "\"maxForce\": 40, \"frequency\": 4, \"dampingRatio\": 0.9}]}",
                 types[moves]);
        tr2_scene *scene = parse(text);
        const tr2_joint_def *def = &scene->joints[0].def;
        assert_int_equal(def->type, TR2_JOINT_TARGET);
        assert_true(fabsf(def->anchor_a.x - 1.0f) < 1e-6f && fabsf(def->anchor_a.y + 2.0f) < 1e-6f);
        assert_true(def->anchor_b.x == 0.5f && def->anchor_b.y == 0.25f && def->max_force == 40.0f);
        assert_true(def->linear.kind == TR_FREQUENCY && def->linear.a == 4.0f && def->linear.b == 0.9f);
        assert_int_equal(has_notice(scene, "whose bodyA moves"), moves == 1);
        tr2_scene_destroy(scene);
    }
}

static void joints_not_simulated_are_counted_and_left_out(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"body\": [{}, {\"type\": 2, \"massData-mass\": 1}], \"joint\": [{\"type\": \"pulley\"},"
                             "{\"type\": \"weld\", \"bodyB\": 1}, {\"type\": \"gear\", \"joint1\": 0, \"joint2\": 1},"
                             "{\"type\": \"pulley\", \"ratio\": 2}]}");
    assert_int_equal(scene->joint_count, 1);
    assert_true(has_notice(scene, "2 pulley joints are not simulated yet: left out"));
    assert_true(has_notice(scene, "1 gear joint is not simulated yet: left out"));
    tr2_scene_destroy(scene);
}

static void a_body_that_is_not_active_is_disabled(void **state)
{
    (void)state;
    tr2_scene *scene = parse("{\"body\": [{\"type\": 2, \"active\": false, \"massData-mass\": 1}]}");
    assert_int_equal(scene->bodies[0].def.type, TR_DYNAMIC);
    assert_false(scene->bodies[0].def.enabled);
    assert_int_equal(scene->notice_count, 0);
    tr2_scene_destroy(scene);
}

static void keys_of_box2d_are_known_and_others_are_named(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"gravity\": 0, \"weather\": 1, \"body\": [{\"awake\": true, \"mood\": 1}, {\"mood\": 2}],"
              "\"customProperties\": [], \"collisionbitplanes\": {\"names\": []}}");
    assert_int_equal(scene->notice_count, 2);
    assert_true(has_notice(scene, "unknown key weather: ignored"));
    assert_true(has_notice(scene, "unknown key body[].mood: ignored"));
    tr2_scene_destroy(scene);
}

/*
 * Files made by other people, where the folder with them is there
 */
typedef struct shared_file {
    const char *name;
    uint32_t bodies, shapes, joints[TR2_JOINT_TYPE_COUNT];
} shared_file;

static const shared_file shared_files[] = {
    {"von_truck.json", 148, 208, {[TR2_JOINT_REVOLUTE] = 58, [TR2_JOINT_WHEEL] = 38}},
    {"von_walker.json", 103, 209, {[TR2_JOINT_REVOLUTE] = 10, [TR2_JOINT_DISTANCE] = 14, [TR2_JOINT_PRISMATIC] = 4}},
    {"von_rube.json", 49, 98, {[TR2_JOINT_REVOLUTE] = 19, [TR2_JOINT_PRISMATIC] = 1, [TR2_JOINT_DISTANCE] = 1}},
    {"ind_joints.json", 9, 12, {[TR2_JOINT_PRISMATIC] = 3, [TR2_JOINT_DISTANCE] = 4, [TR2_JOINT_REVOLUTE] = 1}},
};

static void real_files_are_read_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shared_files / sizeof shared_files[0]; i++) {
        const shared_file *want = &shared_files[i];
        tr2_scene *scene = load_file(RUBE, want->name);
        assert_int_equal(scene->body_count, want->bodies);
        assert_int_equal(scene->shape_count, want->shapes);
        uint32_t joints[TR2_JOINT_TYPE_COUNT] = {0};
        for (uint32_t j = 0; j < scene->joint_count; j++)
            joints[scene->joints[j].def.type]++;
        assert_memory_equal(joints, want->joints, sizeof joints);
        assert_true(scene->gravity.y == -10.0f && scene->hertz == 60.0);
        /* there is nothing to say: no key is unknown */
        assert_int_equal(scene->notice_count, 0);
        assert_true(scene->collide);
        tr2_scene_destroy(scene);
    }
}

static void masses_of_real_files_agree_with_their_fixtures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shared_files / sizeof shared_files[0]; i++) {
        tr2_scene *scene = load_file(RUBE, shared_files[i].name);
        uint32_t shape = 0;
        for (uint32_t b = 0; b < scene->body_count; b++) {
            uint32_t first = shape;
            while (shape < scene->shape_count && scene->shapes[shape].body == b)
                shape++;
            const tr2_body_def *def = &scene->bodies[b].def;
            if (def->type != TR_DYNAMIC)
                continue;
            /* the editor's mass is the fixtures', and its massData-I is about the origin: only then do they agree */
            tr2_mass mass = tr2_scene_mass(scene, first, shape - first);
            assert_true(fabs(mass.mass / (double)def->mass - 1.0) < 1e-4);
            assert_true(fabs(mass.x - (double)def->center.x) < 1e-4 && fabs(mass.y - (double)def->center.y) < 1e-4);
            assert_true(fabs(mass.inertia / (double)def->inertia - 1.0) < 5e-3);
        }
        tr2_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_read),
        cmocka_unit_test(a_body_is_read_with_either_spelling_of_numbers_and_vectors),
        cmocka_unit_test(inertia_is_moved_to_the_centre_of_mass),
        cmocka_unit_test(inertia_that_leaves_nothing_comes_from_the_fixtures),
        cmocka_unit_test(mass_comes_from_fixtures_where_it_is_absent),
        cmocka_unit_test(every_kind_of_fixture_becomes_a_shape),
        cmocka_unit_test(a_revolute_is_read),
        cmocka_unit_test(a_prismatic_is_read_with_either_name_of_its_axis),
        cmocka_unit_test(distances_ropes_and_welds_are_read),
        cmocka_unit_test(a_wheel_is_read_and_without_frequency_has_no_spring),
        cmocka_unit_test(friction_joints_are_friction_and_motor_joints_are_drives),
        cmocka_unit_test(mouse_joints_are_targets),
        cmocka_unit_test(joints_not_simulated_are_counted_and_left_out),
        cmocka_unit_test(a_body_that_is_not_active_is_disabled),
        cmocka_unit_test(keys_of_box2d_are_known_and_others_are_named),
        cmocka_unit_test(real_files_are_read_whole),
        cmocka_unit_test(masses_of_real_files_agree_with_their_fixtures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
