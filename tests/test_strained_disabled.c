/*
 * Joints without effect beside what is solved exactly: those that are disabled, rest with a disabled body, or are more
 * than enough side by side. Those to fixed bodies hold nothing, so islands are as if they did not exist, whatever was
 * edited before.
 */
#include "strained.h"
#include "world/core/world_internal.h"

enum { LINKS = 11 };

/* a chain that hangs by a weld on a kinematic body, with 1000 times a link's mass at its end */
typedef struct chain {
    tr2_world *world;
    tr2_body link[LINKS], support; /* `support`: fixed, at the first link */
    tr2_joint hold, extra;         /* the weld to the kinematic body, and one to the support */
} chain;

static tr2_body kinematic_at(tr2_world *world, double x, double y)
{
    tr2_body body = static_at(world, x, y);
    MUST(tr2_body_set_type(world, body, TR_KINEMATIC));
    return body;
}

static tr2_joint weld(tr2_world *world, tr2_body a, tr2_body b, tr_vec2 at_a, tr_vec2 at_b)
{
    return join(world, joint_between(TR2_JOINT_WELD, a, b, at_a, at_b));
}

static chain make_chain(void)
{
    const tr_vec2 right = {0.5f, 0.0f}, left = {-0.5f, 0.0f};
    chain c = {.world = strained_world(10.0, TR_SOFT_STEP, 10.0f)};
    tr2_body before = kinematic_at(c.world, 0.0, 0.0);
    for (uint32_t i = 0; i < LINKS; i++) {
        bool last = i == LINKS - 1;
        c.link[i] = body_at(c.world, i + 1.0, 0.0, 0.0, last ? 1000.0 : 1.0, last ? 100.0 : 0.1);
        if (i == 0)
            c.hold = weld(c.world, before, c.link[0], right, left);
        else
            (void)revolute(c.world, before, c.link[i], right, left);
        before = c.link[i];
    }
    c.support = static_at(c.world, 1.0, 0.0);
    return c;
}

/* ways to a joint to the support that has no effect */
typedef enum way { NO_JOINT, BODY_OFF, BODY_OFF_BEFORE, JOINT_OFF, JOINT_OFF_BEFORE, BODY_OFF_AND_MOVING, WAYS } way;

static void hold_by_nothing(chain *c, way how)
{
    const tr_vec2 center = {0.0f, 0.0f};
    tr2_joint_def def = joint_between(TR2_JOINT_WELD, c->support, c->link[0], center, center);
    def.enabled = how != JOINT_OFF_BEFORE;
    if (how == NO_JOINT)
        return;
    if (how == BODY_OFF_BEFORE)
        MUST(tr2_body_set_enabled(c->world, c->support, false));
    if (how == BODY_OFF_AND_MOVING)
        MUST(tr2_body_set_type(c->world, c->support, TR_DYNAMIC));
    c->extra = join(c->world, def);
    if (how == BODY_OFF || how == BODY_OFF_AND_MOVING)
        MUST(tr2_body_set_enabled(c->world, c->support, false));
    if (how == JOINT_OFF)
        MUST(tr2_joint_set_enabled(c->world, c->extra, false));
}

static void what_has_no_effect_takes_no_hold_from_others(void **state)
{
    (void)state;
    tr2_body_def want[LINKS];
    for (way how = NO_JOINT; how < WAYS; how++) {
        chain c = make_chain();
        hold_by_nothing(&c, how);
        double most = 0.0;
        for (uint32_t step = 0; step < 120; step++) {
            steps(c.world, 1.0 / 60.0, 4, 1);
            tr_joint_error_value error;
            MUST(tr2_joint_error(c.world, c.hold, &error));
            most = fmax(most, (double)error.linear);
        }
        assert_true(most < 1e-6);
        assert_int_equal(tr2_world_statistics(c.world).exact_joints, LINKS);
        for (uint32_t i = 0; i < LINKS; i++) {
            tr2_body_def is = body_now(c.world, c.link[i]);
            want[i] = how == NO_JOINT ? is : want[i];
            assert_true(is.position.x == want[i].position.x && is.position.y == want[i].position.y);
            assert_true(is.angle == want[i].angle);
        }
        tr2_world_destroy(c.world);
    }
}

static void off_and_on_before_a_step_is_as_if_never_off(void **state)
{
    (void)state;
    uint64_t want = 0;
    for (uint32_t which = 0; which < 5; which++) {
        const tr_vec2 center = {0.0f, 0.0f};
        chain c = make_chain();
        c.extra = weld(c.world, c.support, c.link[0], center, center);
        tr2_joint joint = which == 3 ? c.extra : c.hold;
        tr2_body body = which == 1 ? c.support : c.link[0];
        for (uint32_t on = 0; on < 2 && which > 0; on++) {
            if (which < 3)
                MUST(tr2_body_set_enabled(c.world, body, on == 1));
            else
                MUST(tr2_joint_set_enabled(c.world, joint, on == 1));
        }
        steps(c.world, 1.0 / 60.0, 4, 60);
        want = which == 0 ? tr2_world_state_hash(c.world) : want;
        assert_true(tr2_world_state_hash(c.world) == want);
        tr2_world_destroy(c.world);
    }
}

/* A body of little inertia on a fixed one far from its centre is solved exactly, and so are its other joints, but not
   if nothing holds it there. */
static void what_has_no_effect_strains_nobody(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_body fixed = static_at(world, -2.0, 0.0), ball = body_at(world, 0.0, 0.0, 0.0, 1.0, 0.01);
        tr2_body other = body_at(world, 1.0, 0.0, 0.0, 1.0, 0.1);
        tr2_joint_def def =
            joint_between(TR2_JOINT_REVOLUTE, fixed, ball, (tr_vec2){0.0f, 0.0f}, (tr_vec2){-2.0f, 0.0f});
        def.enabled = on == 1;
        tr2_joint arm = join(world, def);
        (void)revolute(world, ball, other, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
        for (uint32_t round = 0; round < 6; round++) {
            bool holds = (round + on) % 2 == 1;
            MUST(tr2_joint_set_enabled(world, arm, holds));
            steps(world, 1.0 / 60.0, 4, 2);
            assert_int_equal(tr2_world_statistics(world).exact_joints, holds ? 2 : 0);
        }
        tr2_world_destroy(world);
    }
}

/* enough revolutes side by side that one is spare while all are rigid */
enum { BESIDE = 5 };

/* in turn, makes them all, softens the newest, so that the oldest, which was spare, has to hold, and destroys them */
static void edit_beside(chain *c, tr2_joint *beside, uint32_t step)
{
    const tr_vec2 center = {0.0f, 0.0f};
    for (uint32_t i = 0; i < BESIDE && step % 3 != 1; i++) {
        if (step % 3 == 0)
            beside[i] = revolute(c->world, c->support, c->link[0], center, center);
        else
            MUST(tr2_world_destroy_joint(c->world, beside[i]));
    }
    if (step % 3 != 1)
        return;
    tr2_joint_def def;
    MUST(tr2_joint_get(c->world, beside[BESIDE - 1], &def));
    def.linear = tr_frequency(5.0f, 1.0f);
    MUST(tr2_joint_set(c->world, beside[BESIDE - 1], &def));
}

/* what was on for a while leaves nothing behind in the choice of
   what is solved exactly: the bits are those of a world that looks at all islands before each step */
static void the_past_decides_nothing(void **state)
{
    (void)state;
    const tr_vec2 center = {0.0f, 0.0f};
    chain pair[2] = {make_chain(), make_chain()};
    tr2_joint beside[2][BESIDE];
    for (uint32_t k = 0; k < 2; k++)
        pair[k].extra = weld(pair[k].world, pair[k].support, pair[k].link[0], center, center);
    for (uint32_t step = 0; step < 96; step++) {
        uint32_t edit = step / 3 % 4;
        for (uint32_t k = 0; k < 2; k++) {
            chain *c = &pair[k];
            if (edit == 0)
                MUST(tr2_body_set_enabled(c->world, c->support, step % 2 == 0));
            if (edit == 1)
                MUST(tr2_joint_set_enabled(c->world, c->extra, step % 2 == 0));
            if (edit == 2)
                edit_beside(c, beside[k], step);
            if (edit == 3)
                MUST(tr2_joint_set_enabled(c->world, c->hold, step % 2 == 0));
        }
        bool enabled = body_now(pair[0].world, pair[0].support).enabled;
        /* off and on, or on and off, with nothing between */
        for (uint32_t k = 0; k < 2 && edit == 3; k++) {
            MUST(tr2_body_set_enabled(pair[k].world, pair[k].support, !enabled));
            MUST(tr2_body_set_enabled(pair[k].world, pair[k].support, enabled));
        }
        tr_plan_touch(pair[1].world->plan);
        for (uint32_t k = 0; k < 2; k++)
            steps(pair[k].world, 1.0 / 60.0, 4, 1);
        assert_int_equal(tr2_world_statistics(pair[0].world).exact_joints,
                         tr2_world_statistics(pair[1].world).exact_joints);
        assert_true(tr2_world_state_hash(pair[0].world) == tr2_world_state_hash(pair[1].world));
    }
    for (uint32_t k = 0; k < 2; k++)
        tr2_world_destroy(pair[k].world);
}

/* how a hub came to be dynamic and on: always; off or fixed while its joints were made; off after that */
typedef enum origin { ALWAYS, MADE_OFF, OFF_THEN, MADE_STATIC, MADE_KINEMATIC, ORIGINS } origin;

/* a hub of many bodies, each tied by six welds side by side */
static uint64_t hash_of_hub(origin from)
{
    enum { AROUND = 60, WELDS = 6 };
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body hub = body_at(world, 0.0, 0.0, 0.0, 100.0, 100.0), around[AROUND];
    tr2_joint_def welds[AROUND * WELDS];
    for (uint32_t i = 0; i < AROUND; i++) {
        tr_vec2 place = place_on_hub(i, AROUND, 3.0);
        around[i] = body_at(world, (double)place.x, (double)place.y, 0.0, 1.0, 1.0);
        for (uint32_t k = 0; k < WELDS; k++)
            welds[i * WELDS + k] = joint_between(TR2_JOINT_WELD, hub, around[i], place, (tr_vec2){0.0f, 0.0f});
    }
    if (from == MADE_OFF)
        MUST(tr2_body_set_enabled(world, hub, false));
    if (from == MADE_STATIC || from == MADE_KINEMATIC)
        MUST(tr2_body_set_type(world, hub, from == MADE_STATIC ? TR_STATIC : TR_KINEMATIC));
    MUST(tr2_world_create_joints(world, welds, AROUND * WELDS, NULL));
    if (from == OFF_THEN)
        MUST(tr2_body_set_enabled(world, hub, false));
    MUST(tr2_body_set_enabled(world, hub, true));
    tr2_body_def def = body_now(world, hub);
    def.type = TR_DYNAMIC;
    def.velocity = (tr_vec2){1.0f, 0.0f};
    def.angular_velocity = 2.0f;
    MUST(tr2_body_set(world, hub, &def));
    steps(world, 1.0 / 60.0, 4, 60);
    uint64_t hash = tr2_world_state_hash(world);
    tr2_world_destroy(world);
    return hash;
}

static void a_hub_is_the_same_however_it_came_to_move(void **state)
{
    (void)state;
    for (origin from = MADE_OFF; from < ORIGINS; from++)
        assert_true(hash_of_hub(from) == hash_of_hub(ALWAYS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_effect_takes_no_hold_from_others),
        cmocka_unit_test(off_and_on_before_a_step_is_as_if_never_off),
        cmocka_unit_test(what_has_no_effect_strains_nobody),
        cmocka_unit_test(the_past_decides_nothing),
        cmocka_unit_test(a_hub_is_the_same_however_it_came_to_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
