/*
 * Breaking one joint at a time, in either dimension: a bridge loses one hinge and not half of them; of a body on many
 * springs one goes after the other, one in each step however short it is.
 *
 * The including file has TR_DIMENSION, and HINGE: a type of joint that holds a point.
 */
#ifndef TR_TESTS_BREAKING_BRIDGE_H
#define TR_TESTS_BREAKING_BRIDGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "world/core/world_internal.h"

#define STEP (1.0 / 60.0)
enum { DECKS = 20, HANGERS = DECKS + 1, RESTED = 1200, ROPES = 12, PARTS = 4 };

static inline trn_world *still_world(tr_breaking breaking)
{
    trn_world_def def = trn_world_def_default();
    def.sleep.enable = false;
    trn_world *world = NULL;
    def.threads = 1;
    def.breaking = breaking;
    assert_int_equal(trn_world_create(&def, &world, NULL), TR_OK);
    return world;
}

static inline trn_body put_at(trn_world *world, tr_body_type type, double x, float mass)
{
    trn_body_def def = trn_body_def_default();
    trn_body body;
    def.type = type;
    def.position.x = x;
    def.mass = mass;
    def.linear_damping = def.angular_damping = 2.0f;
    assert_int_equal(trn_world_create_body(world, &def, &body), TR_OK);
    return body;
}

static inline trn_joint tie(trn_world *world, bool soft, trn_body a, trn_body b, float right, float left)
{
    trn_joint_def def = trn_joint_def_default(HINGE);
    trn_joint joint;
    def.body_a = a;
    def.body_b = b;
    def.anchor_a.x = right;
    def.anchor_b.x = left;
    if (soft)
        def.linear = tr_frequency(3.0f, 1.0f);
    assert_int_equal(trn_world_create_joint(world, &def, &joint), TR_OK);
    return joint;
}

static inline void pass(trn_world *world, double dt, uint32_t substeps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(trn_world_step(world, dt, substeps), TR_OK);
}

static inline void limit(trn_world *world, const trn_joint *joints, uint32_t count, float force, float each)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(trn_joint_set_break_at(world, joints[i], (tr_break_at){.force = force + each * (float)i}),
                         TR_OK);
}

/* level decks between two posts, which sag a little and come to rest */
static inline void make_hangers(trn_world *world, trn_joint *hangers)
{
    trn_body last = put_at(world, TR_STATIC, 0.0, 1.0f);
    for (uint32_t i = 0; i < HANGERS; i++) {
        bool ends = i == DECKS;
        trn_body next = put_at(world, ends ? TR_STATIC : TR_DYNAMIC, ends ? DECKS : i + 0.5, 5.0f);
        hangers[i] = tie(world, false, last, next, i == 0 ? 0.0f : 0.5f, ends ? 0.0f : -0.5f);
        last = next;
    }
    pass(world, STEP, PARTS, RESTED);
}

static inline uint32_t count_broken(const trn_world *world)
{
    trn_event_view events = trn_world_events(world);
    uint32_t broken = 0;
    for (uint32_t i = 0; i < events.count; i++)
        broken += events.event[i].kind == TR_EVENT_BROKEN;
    return broken;
}

/* the mean of the loads of the hinges of a bridge at rest, N */
static inline float mean_of_loads(void)
{
    trn_world *world = still_world(TR_BREAKING_ALL);
    trn_joint hangers[HANGERS];
    double sum = 0.0;
    make_hangers(world, hangers);
    for (uint32_t i = 0; i < HANGERS; i++) {
        trn_reaction reaction;
        assert_int_equal(trn_joint_reaction(world, hangers[i], &reaction), TR_OK);
        sum += trn_size(reaction.force);
    }
    trn_world_destroy(world);
    return (float)(sum / HANGERS);
}

static void a_bridge_loses_one_of_a_group_or_island(void **state)
{
    (void)state;
    const float force = mean_of_loads();
    for (tr_breaking breaking = 0; breaking <= TR_BREAKING_ONE_PER_ISLAND; breaking++) {
        trn_world *world = still_world(breaking);
        trn_joint hangers[HANGERS];
        make_hangers(world, hangers);
        limit(world, hangers, HANGERS, force, 0.0f);
        pass(world, STEP, PARTS, 1);
        /* some hinges at each post are above the mean: two groups, one island */
        uint32_t broken = count_broken(world);
        if (breaking == TR_BREAKING_ALL)
            assert_true(broken >= 6 && broken < HANGERS);
        else
            assert_int_equal(broken, breaking == TR_BREAKING_ONE_PER_GROUP ? 2 : 1);
        trn_world_destroy(world);
    }
}

/* Ropes that are all overloaded, the first the most. In a step of four sub-steps one goes; in four steps of one
   sub-step, which take as long, four go. Always the first that is left. */
static void ropes_go_one_after_the_other(void **state)
{
    (void)state;
    for (uint32_t parts = 1; parts <= PARTS; parts += PARTS - 1) {
        trn_world *world = still_world(TR_BREAKING_ONE_PER_GROUP);
        trn_joint ropes[ROPES];
        trn_body below = put_at(world, TR_DYNAMIC, 0.0, 12.0f);
        for (uint32_t i = 0; i < ROPES; i++)
            ropes[i] = tie(world, true, put_at(world, TR_STATIC, 0.0, 1.0f), below, 0.0f, 0.0f);
        pass(world, STEP, PARTS, RESTED);
        /* each holds 9.81 N */
        limit(world, ropes, ROPES, 4.0f, 0.2f);
        for (uint32_t gone = 0; gone < 8; gone++) {
            pass(world, STEP / parts, PARTS / parts, 1);
            assert_int_equal(count_broken(world), 1);
            for (uint32_t i = 0; i < ROPES; i++)
                assert_int_equal(trn_joint_is_valid(world, ropes[i]), i > gone);
        }
        trn_world_destroy(world);
    }
}

/* what hangs on ropes that are all overloaded, at rest */
static inline trn_world *roped_world(tr_breaking breaking, trn_joint *ropes)
{
    trn_world *world = still_world(breaking);
    trn_body below = put_at(world, TR_DYNAMIC, 0.0, 12.0f);
    for (uint32_t i = 0; i < ROPES; i++)
        ropes[i] = tie(world, true, put_at(world, TR_STATIC, 0.0, 1.0f), below, 0.0f, 0.0f);
    pass(world, STEP, PARTS, RESTED);
    limit(world, ropes, ROPES, 4.0f, 0.2f);
    return world;
}

/* A step that breaks after each sub-step is as many steps of one, but for what ends with a step: forces and events. */
static void one_goes_after_each_substep(void **state)
{
    (void)state;
    trn_joint ropes[ROPES], others[ROPES];
    trn_world *world = roped_world(TR_BREAKING_ONE_PER_SUBSTEP, ropes);
    trn_world *other = roped_world(TR_BREAKING_ONE_PER_GROUP, others);
    assert_true(trn_world_state_hash(world) == trn_world_state_hash(other));
    for (uint32_t step = 0; step < 2; step++) {
        pass(world, STEP, PARTS, 1);
        const trn_event_view events = trn_world_events(world);
        assert_int_equal(events.count, PARTS);
        for (uint32_t i = 0; i < PARTS; i++) {
            assert_int_equal(events.event[i].kind, TR_EVENT_BROKEN);
            assert_int_equal(events.event[i].joint.index, ropes[PARTS * step + i].index);
            pass(other, STEP / PARTS, 1, 1);
            assert_int_equal(count_broken(other), 1);
        }
        assert_true(trn_world_state_hash(world) == trn_world_state_hash(other));
    }
    trn_world_destroy(world);
    trn_world_destroy(other);
}

/* an impulse of a force that lasts for the step */
static void forces_last_for_all_substeps(void **state)
{
    (void)state;
    trn_joint ropes[ROPES];
    trn_world *world = roped_world(TR_BREAKING_ONE_PER_SUBSTEP, ropes);
    trn_body free = put_at(world, TR_DYNAMIC, 50.0, 2.0f);
    trn_body_def def;
    assert_int_equal(trn_world_set_gravity(world, (trn_vec){0}), TR_OK);
    assert_int_equal(trn_body_apply_force_to_center(world, free, (trn_vec){.x = 120.0f}), TR_OK);
    pass(world, STEP, PARTS, 1);
    assert_int_equal(trn_body_get(world, free, &def), TR_OK);
    /* damped by 2 per second: 120 N / 2 kg for 1/60 s is 1 m/s less 2 % */
    assert_true(def.velocity.x > 0.96f && def.velocity.x < 1.0f);
    pass(world, STEP, PARTS, 1);
    assert_int_equal(trn_body_get(world, free, &def), TR_OK);
    assert_true(def.velocity.x < 1.0f);
    trn_world_destroy(world);
}

#endif
