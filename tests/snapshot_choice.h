/*
 * What is solved by the direct method depends on a world's state alone, not on how it came to be: a world that
 * goes back searches anew and finds what it had kept up to date. Of both dimensions (solver/dimension.h).
 */
#ifndef TR_TESTS_SNAPSHOT_CHOICE_H
#define TR_TESTS_SNAPSHOT_CHOICE_H

#include "snapshot_walk.h"

#if TR_DIMENSION == 2
#define CHOICE_WELD TR2_JOINT_WELD
#else
#define CHOICE_WELD TR3_JOINT_WELD
#endif

enum { CHOICE_SPOKES = 8 };

static inline trn_world *choice_world(void)
{
    trn_world_def def = trn_world_def_default();
    trn_world *world = NULL;
    def.threads = 1;
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    const tr_sleep_settings rest = {.enable = true, .speed = 0.5f, .angular_speed = 0.5f, .time = 0.05f};
    walk_ok(world, trn_world_set_sleep(world, &rest));
    return world;
}

static inline trn_body choice_body(const trn_world *world, uint32_t slot)
{
    return (trn_body){slot + 1, world->tag, world->body_pool.generation[slot]};
}

/* a weld that yields to rotation */
static inline trn_joint choice_weld(trn_world *world, trn_body a, trn_body b)
{
    trn_joint_def def = trn_joint_def_default(CHOICE_WELD);
    trn_joint id;
    def.body_a = a;
    def.body_b = b;
    def.angular = tr_frequency(2.0f, 1.0f);
    walk_ok(world, trn_world_create_joint(world, &def, &id));
    return id;
}

/* heavy bodies around a light hub */
static inline trn_world *choice_hub(void)
{
    trn_world *world = choice_world();
    trn_body_def def = trn_body_def_default();
    for (uint32_t i = 0; i <= CHOICE_SPOKES; i++) {
        def.mass = i == 0 ? 1.0f : 100.0f;
        def.position.x = i % 3;
        def.position.y = i / 3;
        def.allow_sleep = false;
        walk_ok(world, trn_world_create_body(world, &def, NULL));
        if (i > 0)
            (void)choice_weld(world, choice_body(world, 0), choice_body(world, i));
    }
    return world;
}

/* Joints between the spokes come and go: all of them, so many that the hub is none any more. */
static inline void choice_link(trn_world *world, uint64_t *random)
{
    if (random_index(random, 3) != 0)
        return;
    const bool any = world->joint_pool.count > CHOICE_SPOKES && !tr_pool_is_free(&world->joint_pool, CHOICE_SPOKES);
    for (uint32_t slot = CHOICE_SPOKES; any && slot < world->joint_pool.count; slot++)
        walk_ok(world, trn_world_destroy_joint(world, trn_joint_id_of(world, slot)));
    for (uint32_t i = 0; !any && i < CHOICE_SPOKES; i++)
        for (uint32_t far = 1; far <= 2; far++)
            (void)choice_weld(world, choice_body(world, 1 + i), choice_body(world, 1 + (i + far) % CHOICE_SPOKES));
}

/* The joints of all spokes become soft, or rigid again; they have features in both cases. */
static inline void choice_soften(trn_world *world, uint64_t *random)
{
    const bool soft = random_index(random, 2) == 0;
    for (uint32_t slot = 0; slot < CHOICE_SPOKES; slot++) {
        trn_joint_def def;
        walk_ok(world, trn_joint_get(world, trn_joint_id_of(world, slot), &def));
        def.linear = soft ? tr_frequency(3.0f, 1.0f) : tr_rigid();
        walk_ok(world, trn_joint_set(world, trn_joint_id_of(world, slot), &def));
    }
}

/* bodies that ask for the direct method and have no joints are pushed, or put to sleep */
static inline void choice_push(trn_world *world, uint64_t *random)
{
    const trn_body id = choice_body(world, random_index(random, 2));
    if (random_index(random, 2) == 0)
        walk_ok(world, trn_body_set_awake(world, id, false));
    else
        walk_ok(world, trn_body_apply_impulse_to_center(world, id, (trn_vec){.x = 0.1f}));
}

static inline void choice_walk(trn_world *world, walk_edit_fn *edit, uint32_t *chosen, uint32_t *others)
{
    for (uint32_t i = 0; i < 30; i++) {
        walk_step(world, i, 0, edit);
        *chosen += world->solver->chosen.core > 0;
        *others += world->solver->chosen.core == 0;
    }
    walk_frames(world, 30, 42, 0, edit);
    trn_world_destroy(world);
}

/* a test: each of these makes that bodies are chosen, and are no longer */
static inline void choices_go_on(void **state)
{
    (void)state;
    walk_edit_fn *const edits[] = {choice_link, choice_soften};
    uint32_t chosen = 0, others = 0;
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        chosen = others = 0;
        choice_walk(choice_hub(), edits[i], &chosen, &others);
        assert_true(chosen > 0 && others > 0);
    }
    trn_world *world = choice_world();
    trn_body_def def = trn_body_def_default();
    def.direct = true;
    for (uint32_t i = 0; i < 2; i++)
        walk_ok(world, trn_world_create_body(world, &def, NULL));
    chosen = others = 0;
    choice_walk(world, choice_push, &chosen, &others);
    assert_true(chosen > 0 && others > 0);
}

#endif
