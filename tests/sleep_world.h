/* A scene of islands that come to rest, for tests of sleep in the plane. */
#ifndef TR_TESTS_SLEEP_WORLD_H
#define TR_TESTS_SLEEP_WORLD_H

#include "physics.h"

/*
 * A scene of islands that come to rest. On a floor: a stack of boxes, two boxes with a weld, a box on a kinematic
 * platform. In the air: a weight that hangs on a static hook.
 */
enum { STACK = 4 };
typedef struct rest {
    tr2_world *world;
    tr2_body floor, platform, hook;
    tr2_shape floor_shape;
    tr2_body stack[STACK], welded[2], rider, weight;
    tr2_shape top_shape;
    tr2_joint weld, rope;
} rest;

static inline tr2_body body_of(tr2_world *world, tr_body_type type, double x, double y)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){x, y};
    MUST(tr2_world_create_body(world, &def, &id));
    return id;
}

static inline tr2_shape shape_on(tr2_world *world, tr2_shape_def def)
{
    tr2_shape id;
    MUST(tr2_world_create_shape(world, &def, &id));
    return id;
}

static inline tr2_body box_at(tr2_world *world, double x, double y)
{
    tr2_body id = body_of(world, TR_DYNAMIC, x, y);
    (void)shape_on(world, tr2_box_on(id, 0.5f, 0.5f));
    return id;
}

static inline tr2_joint join_at(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def;
    tr2_joint id;
    MUST(tr2_joint_def_between(world, type, a, b, (tr_dvec2){x, y}, (tr_dvec2){x, y}, (tr_vec2){1.0f, 0.0f}, &def));
    MUST(tr2_world_create_joint(world, &def, &id));
    return id;
}

static inline rest make_rest(uint32_t threads)
{
    rest it;
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = true;
    def.threads = threads;
    MUST(tr2_world_create(&def, &it.world, NULL));
    it.floor = body_of(it.world, TR_STATIC, 0.0, -0.5);
    it.floor_shape = shape_on(it.world, tr2_box_on(it.floor, 60.0f, 0.5f));
    for (int i = 0; i < STACK; i++) {
        it.stack[i] = body_of(it.world, TR_DYNAMIC, 0.0, 0.5 + i);
        it.top_shape = shape_on(it.world, tr2_box_on(it.stack[i], 0.5f, 0.5f));
    }
    it.welded[0] = box_at(it.world, 10.0, 0.5);
    it.welded[1] = box_at(it.world, 11.0, 0.5);
    it.weld = join_at(it.world, TR2_JOINT_WELD, it.welded[0], it.welded[1], 10.5, 0.5);
    it.platform = body_of(it.world, TR_KINEMATIC, 20.0, 2.0);
    (void)shape_on(it.world, tr2_box_on(it.platform, 2.0f, 0.25f));
    it.rider = box_at(it.world, 20.0, 2.75);
    it.hook = body_of(it.world, TR_STATIC, -20.0, 10.0);
    it.weight = body_of(it.world, TR_DYNAMIC, -20.0, 7.0);
    it.rope = join_at(it.world, TR2_JOINT_REVOLUTE, it.hook, it.weight, -20.0, 10.0);
    return it;
}

static inline bool awake(const rest *it, tr2_body body)
{
    bool out = false;
    MUST(tr2_body_is_awake(it->world, body, &out));
    return out;
}

static inline uint32_t sleepers(const tr2_world *world)
{
    return tr2_world_statistics(world).sleeping_bodies;
}

#define DT       (1.0 / 60.0)
#define SLEEPERS (STACK + 4u)

/* steps until all sleep; how many they were */
static inline uint32_t fall_asleep(const rest *it, uint32_t bodies, uint32_t most)
{
    for (uint32_t i = 0; i <= most; i++) {
        if (sleepers(it->world) == bodies)
            return i;
        steps(it->world, DT, 4, 1);
    }
    fail_msg("%u of %u bodies sleep after %u steps", sleepers(it->world), bodies, most);
    return 0;
}

#endif
