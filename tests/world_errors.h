/* A world with some of everything, and what makes sure that a refused call has left it as it was. */
#ifndef TR_TEST_WORLD_ERRORS_H
#define TR_TEST_WORLD_ERRORS_H

#include <stdio.h>

#include "world_fixture.h"

/* A world with some of everything, another world, and ids that are no longer good. */
typedef struct scene {
    fixture *owner;
    tr2_world *world, *other;
    tr2_body ground, a, b, dead, never, foreign;
    tr2_joint joint[TR2_JOINT_TYPE_COUNT], dead_joint, never_joint, foreign_joint;

    /* the world as it must stay */
    uint64_t hash;
    tr2_body_def body_defs[3];
    tr2_joint_def joint_defs[TR2_JOINT_TYPE_COUNT];
} scene;

static inline int setup_scene(void **state)
{
    if (setup(state) != 0)
        return -1;
    scene *it = calloc(1, sizeof *it);
    if (it == NULL)
        return -1;
    it->owner = *state;
    it->world = it->owner->world;
    *state = it;
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    assert_ok(it->world, tr2_world_create_body(it->world, &fixed, &it->ground));
    it->a = make_body(it->world, 0.0, 0.0);
    it->b = make_body(it->world, 1.0, 0.0);
    it->dead = make_body(it->world, 2.0, 0.0);
    it->never = it->dead;
    it->never.index = 1000;
    for (int i = 0; i < TR2_JOINT_TYPE_COUNT; i++) {
        it->joint_defs[i] = odd_joint((tr2_joint_type)i);
        it->joint_defs[i].body_a = it->a;
        it->joint_defs[i].body_b = it->b;
        assert_ok(it->world, tr2_world_create_joint(it->world, &it->joint_defs[i], &it->joint[i]));
    }
    it->dead_joint = make_joint(it->world, TR2_JOINT_WELD, it->a, it->dead);
    it->never_joint = it->dead_joint;
    it->never_joint.index = 1000;
    assert_ok(it->world, tr2_world_destroy_body(it->world, it->dead));

    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.tag = 8;
    assert_int_equal(tr2_world_create(&def, &it->other, NULL), TR_OK);
    it->foreign = make_body(it->other, 0.0, 0.0);
    it->foreign_joint = make_joint(it->other, TR2_JOINT_WELD, it->foreign, make_body(it->other, 1.0, 0.0));

    const tr2_body bodies[3] = {it->ground, it->a, it->b};
    for (int i = 0; i < 3; i++)
        assert_ok(it->world, tr2_body_get(it->world, bodies[i], &it->body_defs[i]));
    it->hash = tr2_world_state_hash(it->world);
    return 0;
}

static inline int teardown_scene(void **state)
{
    scene *it = *state;
    void *owner = it->owner;
    tr2_world_destroy(it->other);
    free(it);
    return teardown(&owner);
}

/* every number of every body and joint, and the forces */
static inline void assert_unchanged(const scene *it)
{
    assert_true(tr2_world_state_hash(it->world) == it->hash);
    assert_true(tr2_world_gravity(it->world).x == 0.0f && tr2_world_gravity(it->world).y == -9.81f);
    assert_int_equal(tr2_world_threads(it->world), 1);
    assert_int_equal(tr2_world_statistics(it->world).bodies, 3);
    assert_int_equal(tr2_world_statistics(it->world).joints, TR2_JOINT_TYPE_COUNT);
    const tr2_body bodies[3] = {it->ground, it->a, it->b};
    for (int i = 0; i < 3; i++) {
        tr2_body_def def;
        assert_int_equal(tr2_body_get(it->world, bodies[i], &def), TR_OK);
        assert_memory_equal(&def, &it->body_defs[i], sizeof def);
    }
    for (int i = 0; i < TR2_JOINT_TYPE_COUNT; i++) {
        tr2_joint_def def;
        assert_int_equal(tr2_joint_get(it->world, it->joint[i], &def), TR_OK);
        assert_same_joint(&def, &it->joint_defs[i]);
    }
    tr2_body_view view = tr2_world_bodies(it->world);
    for (uint32_t row = 0; row < view.count; row++)
        assert_true(view.force_x[row] == 0.0f && view.force_y[row] == 0.0f && view.torque[row] == 0.0f);
}

static inline void reject(const scene *it, const char *call, tr_status got, tr_status expected, const char *sentence)
{
    const tr_error *error = tr2_world_last_error(it->world);
    if (got != expected)
        fail_msg("%s: %s instead of %s (%s)", call, tr_status_name(got), tr_status_name(expected), error->message);
    assert_int_equal(error->status, expected);
    assert_string_equal(error->message, sentence);
    assert_unchanged(it);
}

#define REJECT(call, status, sentence) reject(it, #call, call, status, sentence)

static const tr_vec2 no_vec2;
static const tr_dvec2 no_dvec2;

#define FOREIGN "belongs to another world (tag 8; this one's is 7)"

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup_scene, teardown_scene)

#endif
