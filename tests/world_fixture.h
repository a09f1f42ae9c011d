/* A world for each test, with an allocator that is watched and a log that is kept, and shorthands. */
#ifndef TR_TEST_WORLD_FIXTURE_H
#define TR_TEST_WORLD_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "allocator.h"
#include "trammel/trammel.h"

/* how many threads a world has of those asked for: one where the library has no OpenMP and no host */
static inline uint32_t threads_of(uint32_t asked)
{
    return strstr(tr_build_options(), "openmp") != NULL ? asked : 1;
}

typedef struct fixture {
    test_allocator allocator;
    tr2_world *world;
    uint32_t warnings, infos;
    char message[TR_MESSAGE_SIZE]; /* the last that was logged */
} fixture;

static inline void write_log(tr_log_level level, const char *message, void *context)
{
    fixture *it = context;
    if (level == TR_LOG_WARNING)
        it->warnings++;
    else
        it->infos++;
    strncpy(it->message, message, sizeof it->message - 1);
}

static inline int setup(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    if (it == NULL)
        return -1;
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.tag = 7;
    def.allocator = test_hooks(&it->allocator);
    def.log.write = write_log;
    def.log.context = it;
    *state = it;
    return tr2_world_create(&def, &it->world, NULL) == TR_OK ? 0 : -1;
}

static inline int teardown(void **state)
{
    fixture *it = *state;
    tr2_world_destroy(it->world);
    bool clean = it->allocator.held == 0 && it->allocator.mismatches == 0;
    free(it);
    return clean ? 0 : -1;
}

static inline void assert_ok(const tr2_world *world, tr_status status)
{
    if (status != TR_OK)
        fail_msg("%s: %s", tr_status_name(status), tr2_world_last_error(world)->message);
}

static inline tr2_body make_body(tr2_world *world, double x, double y)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position.x = x;
    def.position.y = y;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

static inline tr2_joint make_joint(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    tr2_joint id;
    def.body_a = a;
    def.body_b = b;
    assert_ok(world, tr2_world_create_joint(world, &def, &id));
    return id;
}

/* a definition with every number of its type different from the default */
static inline tr2_joint_def odd_joint(tr2_joint_type type)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    def.collide_connected = true;
    def.user_data = 0xfedcba9876543210u;
    /* more than any test asks of a joint */
    def.event_at = (tr_event_at){1e30f, 2e30f};
    def.break_at = (tr_break_at){3e30f, 4e30f, 5e30f, 6};
    if (tr2_joint_type_has(type, TR2_FIELD_ANCHOR_A_X)) {
        def.anchor_a = (tr_vec2){0.5f, -0.25f};
        def.anchor_b = (tr_vec2){1.5f, 2.5f};
    }
    if (tr2_joint_type_has(type, TR2_FIELD_AXIS_X)) {
        def.axis.x = 0.6f;
        def.axis.y = -0.8f;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_REFERENCE_ANGLE))
        def.reference_angle = 0.3f;
    if (tr2_joint_type_has(type, TR2_FIELD_LENGTH))
        def.length = 3.0f;
    if (tr2_joint_type_has(type, TR2_FIELD_LINEAR_KIND))
        def.linear = tr_frequency(5.0f, 0.7f);
    if (tr2_joint_type_has(type, TR2_FIELD_ANGULAR_KIND))
        def.angular = tr_physical(50.0f, 2.0f);
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_ENABLE)) {
        def.spring.enable = true;
        def.spring.target = -0.1f;
        def.spring.softness = tr_frequency(4.0f, 0.5f);
    }
    if (tr2_joint_type_has(type, TR2_FIELD_MOTOR_ENABLE)) {
        def.motor.enable = true;
        def.motor.speed = -2.0f;
        def.motor.maximum = 30.0f;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_LIMIT_ENABLE)) {
        def.limit.enable = true;
        def.limit.lower = -0.5f;
        def.limit.upper = 0.75f;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_FRICTION))
        def.friction = 0.75f;
    if (tr2_joint_type_has(type, TR2_FIELD_SPRING_FORCE_LOWER))
        def.spring_force = (tr_force_range){-1e6f, 2e6f};
    if (tr2_joint_type_has(type, TR2_FIELD_DRIVE_POSITION)) {
        tr2_drive drive = {true, {1.0f, 2.0f}, 3.0f, {4.0f, 5.0f}, 6.0f, {TR_PHYSICAL, 7.0f, 8.0f}, 9.0f, 10.0f};
        def.drive = drive;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_RATIO))
        def.ratio = 2.5f;
    if (tr2_joint_type_has(type, TR2_FIELD_GROUND_A_X)) {
        def.ground_a = (tr_dvec2){-1e7 / 3.0, 1.25};
        def.ground_b = (tr_dvec2){1e-9, -0.1};
    }
    if (tr2_joint_type_has(type, TR2_FIELD_AXIS_B_X)) {
        def.axis_b.x = -0.8f;
        def.axis_b.y = 0.6f;
        def.slides_a = def.slides_b = def.meshed = true;
        def.offset = 1e7 / 7.0;
    }
    if (tr2_joint_type_has(type, TR2_FIELD_EQUAL_TORQUE))
        def.equal_torque = true;
    if (tr2_joint_type_has(type, TR2_FIELD_MAX_FORCE))
        def.max_force = 12.0f;
    return def;
}

/* what a world fills in when it makes a joint, from a definition that was read back */
static inline void as_kept(tr2_joint_def *def, const tr2_joint_def *kept)
{
    if (!tr2_joint_type_has(def->type, TR2_FIELD_MESHED) || def->meshed)
        return;
    def->meshed = true;
    def->offset = kept->offset;
}

static inline void assert_same_joint(const tr2_joint_def *a, const tr2_joint_def *b)
{
    assert_int_equal(a->type, b->type);
    assert_memory_equal(&a->body_a, &b->body_a, sizeof a->body_a);
    assert_memory_equal(&a->body_b, &b->body_b, sizeof a->body_b);
    assert_memory_equal(&a->carrier_a, &b->carrier_a, sizeof a->carrier_a);
    assert_memory_equal(&a->carrier_b, &b->carrier_b, sizeof a->carrier_b);
    assert_true(a->anchor_a.x == b->anchor_a.x && a->anchor_a.y == b->anchor_a.y);
    assert_true(a->anchor_b.x == b->anchor_b.x && a->anchor_b.y == b->anchor_b.y);
    assert_true(a->axis.x == b->axis.x && a->axis.y == b->axis.y);
    assert_true(a->reference_angle == b->reference_angle);
    assert_true(a->length == b->length);
    assert_memory_equal(&a->linear, &b->linear, sizeof a->linear);
    assert_memory_equal(&a->angular, &b->angular, sizeof a->angular);
    assert_int_equal(a->spring.enable, b->spring.enable);
    assert_true(a->spring.target == b->spring.target);
    assert_memory_equal(&a->spring.softness, &b->spring.softness, sizeof a->spring.softness);
    assert_int_equal(a->motor.enable, b->motor.enable);
    assert_true(a->motor.speed == b->motor.speed && a->motor.maximum == b->motor.maximum);
    assert_int_equal(a->limit.enable, b->limit.enable);
    assert_true(a->limit.lower == b->limit.lower && a->limit.upper == b->limit.upper);
    assert_int_equal(a->drive.position, b->drive.position);
    assert_memory_equal(&a->drive.velocity, &b->drive.velocity, sizeof a->drive - offsetof(tr2_drive, velocity));
    /* a threshold of -0 is none, as one of 0 is, and is read as 0 */
    assert_true(a->event_at.force == b->event_at.force && a->event_at.torque == b->event_at.torque);
    assert_true(a->break_at.force == b->break_at.force && a->break_at.torque == b->break_at.torque);
    assert_true(a->break_at.impulse == b->break_at.impulse);
    assert_int_equal(a->break_at.steps, b->break_at.steps);
    assert_true(a->ground_a.x == b->ground_a.x && a->ground_a.y == b->ground_a.y);
    assert_true(a->ground_b.x == b->ground_b.x && a->ground_b.y == b->ground_b.y);
    assert_true(a->axis_b.x == b->axis_b.x && a->axis_b.y == b->axis_b.y);
    assert_true(a->slides_a == b->slides_a && a->slides_b == b->slides_b && a->meshed == b->meshed);
    assert_true(a->offset == b->offset);
    assert_true(a->ratio == b->ratio && a->max_force == b->max_force);
    assert_int_equal(a->equal_torque, b->equal_torque);
    assert_int_equal(a->collide_connected, b->collide_connected);
    assert_int_equal(a->enabled, b->enabled);
    assert_true(a->user_data == b->user_data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
