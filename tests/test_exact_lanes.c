/*
 * Islands side by side in the direct method (docs/exact.md): an island has the same bits alone and beside twins, in the
 * lanes of every instruction set, whatever these do, also where it leaves them in the middle of a step.
 */
#include <string.h>

#include "exact_world.h"
#include "instrumented.h"
#include "random.h"

#define TWINS 11
#define LINKS 5

/* Chains, with masses and motions of their own: points hold them together; or limits, springs, friction, motors and a rope
   act on them, too. */
typedef enum chain { PLAIN, FULL, CHAINS } chain;

/* Around one of them the others are such, too; or are of another structure; or are too fast and are stopped. */
typedef enum others { LIKE, UNLIKE, WILD, OTHERS } others;

/* the last link turns past the angle that lanes know in the middle of the first step */
#define LANES_ANGLE 1e9

typedef struct twin {
    tr2_body links[LINKS];
    tr2_body ground;
} twin;

static tr2_joint_def between(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, tr_dvec2 from, tr_dvec2 to)
{
    tr2_joint_def def;
    MUST(tr2_joint_def_between(world, type, a, b, from, to, (tr_vec2){1.0f, 0.0f}, &def));
    return def;
}

static void add_features(tr2_joint_def *def, int k, int i)
{
    def->limit = (tr_limit){(k + i) % 3 != 0, -0.1f - 0.02f * (float)k, 0.2f};
    def->spring = (tr_spring){.enable = i % 2 == 0,
                              .softness = k % 2 == 0 ? tr_frequency(1.0f + (float)k, 0.3f) : tr_physical(20.0f, 2.0f),
                              .target = 0.1f * (float)i};
    def->motor = (tr_motor){.enable = k % 4 == 1 && i == 3, .speed = 1.0f, .maximum = 5.0f};
    def->friction = (k + i) % 4 == 0 ? 2.0f : 0.0f;
}

static twin add_twin(tr2_world *world, tr2_body ground, int k, chain what, others how, bool steep)
{
    uint64_t seed = 10 * (uint64_t)k + (uint64_t)how;
    twin out;
    tr2_body last = ground;
    tr2_joint joint;
    for (int i = 0; i < LINKS; i++) {
        const tr_dvec2 at = {20.0 * k + i, 0.0};
        const bool last_one = i == LINKS - 1;
        const double mass = 1.0 + random_index(&seed, 100);
        out.links[i] = body_at(world, at.x + 0.5, 0.0, steep && last_one ? LANES_ANGLE - 0.4 : 0.0, mass, mass / 12.0);
        /* every second hangs on the other end of its first joint; in all one link is the second body of two joints, and one
           the first */
        const bool turned = i == 2 || (i == 0 && k % 2 == 0);
        tr2_joint_def def =
            between(world, TR2_JOINT_REVOLUTE, turned ? out.links[i] : last, turned ? last : out.links[i], at, at);
        if (what == FULL && !(steep && last_one))
            add_features(&def, k, i);
        if (how == UNLIKE && i == 2)
            def.linear = tr_frequency(10.0f, 1.0f);
        MUST(tr2_world_create_joint(world, &def, &joint));
        /* in some chains the air slows links down, or only how they turn */
        if (k % 3 == 1 && i % 2 == 1)
            MUST(tr2_body_set_damping(world, out.links[i], i == 1 ? 0.5f : 0.0f, 0.3f));
        last = out.links[i];
    }
    if (what == FULL) {
        tr2_joint_def rope = between(world, TR2_JOINT_DISTANCE, ground, last, (tr_dvec2){20.0 * k, 2.0},
                                     (tr_dvec2){20.0 * k + 4.5, 0.0});
        rope.linear = tr_frequency(0.0f, 0.0f);
        rope.limit = (tr_limit){true, 0.0f, rope.length + 0.05f};
        MUST(tr2_world_create_joint(world, &rope, &joint));
    }
    const float spin = steep ? 60.0f : how == WILD ? 1e6f : 0.5f * (float)k;
    MUST(tr2_body_set_velocity(world, last, (tr_vec2){0.0f, steep ? 30.0f : (float)(k + (int)how)}, spin));
    return out;
}

static void expect_same(const tr2_body_def want[LINKS], const tr2_body_def is[LINKS], const char *where, int k)
{
    for (int i = 0; i < LINKS; i++)
        if (memcmp(&want[i].position, &is[i].position, sizeof is->position) != 0 ||
            memcmp(&want[i].angle, &is[i].angle, sizeof is->angle) != 0 ||
            memcmp(&want[i].velocity, &is[i].velocity, sizeof is->velocity) != 0 ||
            memcmp(&want[i].angular_velocity, &is[i].angular_velocity, sizeof is->angular_velocity) != 0)
            fail_msg("%s: link %d of chain %d is another", where, i, k);
}

static void run_twins(int k, chain what, others how, tr2_body_def out[LINKS])
{
    tr2_world *world = direct_world(1, (tr_allocator){0});
    const tr2_body ground = static_at(world, 0.0, 0.0);
    twin own = {.ground = ground};
    for (int j = 0; j < TWINS; j++) {
        const twin made = add_twin(world, ground, j, what, j == k ? LIKE : how, false);
        own = j == k ? made : own;
    }
    for (int i = 0; i < 30; i++)
        MUST(tr2_world_step(world, 1.0 / 60.0, 4));
    for (int i = 0; i < LINKS; i++)
        out[i] = body_now(world, own.links[i]);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies > 0, how == WILD);
    assert_int_equal(tr2_world_statistics(world).direct_unsettled, 0);
    tr2_world_destroy(world);
}

static void twins_are_as_they_are_alone(void **state)
{
    (void)state;
    const tr_isa chosen = tr_get_isa();
    for (int k = 0; k < (int)TRIALS(TWINS * CHAINS); k++) {
        const chain what = (chain)(k % CHAINS);
        tr2_body_def want[LINKS], is[LINKS];
        MUST(tr_set_isa(TR_ISA_SCALAR));
        run_twins(k / CHAINS, what, UNLIKE, want);
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            for (others how = LIKE; how < OTHERS && tr_isa_available((tr_isa)isa); how++) {
                MUST(tr_set_isa((tr_isa)isa));
                run_twins(k / CHAINS, what, how, is);
                expect_same(want, is, tr_isa_name((tr_isa)isa), k);
            }
        }
    }
    MUST(tr_set_isa(chosen));
}

/* What leaves the lanes begins its step anew from the state that the step began with. A ground that may move, and does not,
   keeps a chain out of lanes. */
static void run_steep(int k, chain what, bool alone, tr2_body_def out[LINKS])
{
    tr2_world *world = direct_world(1, (tr_allocator){0});
    tr2_body_def def = tr2_body_def_default();
    tr2_body moving;
    def.type = TR_KINEMATIC;
    MUST(tr2_world_create_body(world, &def, &moving));
    const tr2_body ground = static_at(world, 0.0, 0.0);
    twin own = {.ground = ground};
    for (int j = 0; j < TWINS; j++) {
        const bool is_own = j == k;
        const twin made =
            add_twin(world, is_own && alone ? moving : ground, j, what, is_own || !alone ? LIKE : UNLIKE, is_own);
        own = is_own ? made : own;
    }
    for (int i = 0; i < 10; i++) {
        MUST(tr2_world_step(world, 1.0 / 60.0, 4));
        assert_true(body_now(world, own.links[LINKS - 1]).angle > LANES_ANGLE);
    }
    for (int i = 0; i < LINKS; i++)
        out[i] = body_now(world, own.links[i]);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
}

static void what_leaves_lanes_begins_anew(void **state)
{
    (void)state;
    const tr_isa chosen = tr_get_isa();
    for (int k = 0; k < (int)TRIALS(TWINS * CHAINS); k++) {
        tr2_body_def want[LINKS], is[LINKS];
        run_steep(k / CHAINS, (chain)(k % CHAINS), true, want);
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            MUST(tr_set_isa((tr_isa)isa));
            run_steep(k / CHAINS, (chain)(k % CHAINS), false, is);
            expect_same(want, is, tr_isa_name((tr_isa)isa), k);
        }
    }
    MUST(tr_set_isa(chosen));
}

/* Lanes find what is found one by one: chains on a ground that may move are solved so. */
static void find_both_ways(chain what)
{
    tr2_world *worlds[2] = {direct_world(1, (tr_allocator){0}), direct_world(1, (tr_allocator){0})};
    twin twins[2][TWINS];
    for (int w = 0; w < 2; w++) {
        tr2_body_def def = tr2_body_def_default();
        tr2_body ground;
        def.type = w == 0 ? TR_STATIC : TR_KINEMATIC;
        MUST(tr2_world_create_body(worlds[w], &def, &ground));
        for (int k = 0; k < TWINS; k++)
            twins[w][k] = add_twin(worlds[w], ground, k, what, LIKE, false);
    }
    double most = 0.0;
    for (int i = 0; i < 60; i++) {
        for (int w = 0; w < 2; w++)
            MUST(tr2_world_step(worlds[w], 1.0 / 60.0, 4));
        for (int k = 0; k < TWINS; k++)
            for (int l = 0; l < LINKS; l++) {
                const tr2_body_def a = body_now(worlds[0], twins[0][k].links[l]),
                                   b = body_now(worlds[1], twins[1][k].links[l]);
                most = fmax(most, fmax(fabs(a.position.x - b.position.x), fabs(a.position.y - b.position.y)));
            }
        /* both solve the same problem, so what rounding makes different grows only as the motion lets it */
        if (i == 11) {
            print_message("off by %.2g m after 12 steps\n", most);
            assert_true(most < 1e-5);
        }
    }
    print_message("off by %.2g m after 60 steps\n", most);
    /* they sum in other orders: equal bits would mean that nothing was solved in lanes */
    assert_true(most > 0.0);
    for (int w = 0; w < 2; w++)
        tr2_world_destroy(worlds[w]);
}

static void lanes_find_what_is_found_one_by_one(void **state)
{
    (void)state;
    find_both_ways(PLAIN);
    find_both_ways(FULL);
}

/* After a snapshot is restored, other edits may give the plan a version that it had with other joints. */
static void a_plan_of_the_same_version_is_another(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 17];
    size_t size = 0;
    tr2_world *worlds[2] = {direct_world(1, (tr_allocator){0}), direct_world(1, (tr_allocator){0})};
    const tr2_body ground = static_at(worlds[0], 0.0, 0.0);
    tr2_body links[LINKS];
    tr2_joint joints[LINKS];
    tr2_body_def want[LINKS], is[LINKS];
    for (int i = 0; i < LINKS; i++) {
        const tr_dvec2 at = {i, 0.0};
        links[i] = body_at(worlds[0], i + 0.5, 0.0, 0.0, 1.0, 0.1);
        const tr2_joint_def def =
            between(worlds[0], TR2_JOINT_REVOLUTE, i > 0 ? links[i - 1] : ground, links[i], at, at);
        MUST(tr2_world_create_joint(worlds[0], &def, &joints[i]));
    }
    MUST(tr2_world_step(worlds[0], 1.0 / 60.0, 4));
    MUST(tr2_world_save(worlds[0], bytes, sizeof bytes, &size));
    /* the third time in a world that has not seen the first */
    for (int k = 0; k < 3; k++) {
        tr2_world *world = worlds[k / 2];
        const int cut = k == 0 ? 1 : 3;
        const tr_dvec2 at = {cut, 0.0};
        MUST(tr2_world_restore(world, bytes, size));
        MUST(tr2_world_destroy_joint(world, joints[cut]));
        const tr2_joint_def def = between(world, TR2_JOINT_REVOLUTE, ground, links[cut], at, at);
        tr2_joint made;
        MUST(tr2_world_create_joint(world, &def, &made));
        for (int i = 0; i < 10; i++)
            MUST(tr2_world_step(world, 1.0 / 60.0, 4));
        for (int i = 0; i < LINKS; i++)
            (k == 2 ? is : want)[i] = body_now(world, links[i]);
    }
    expect_same(want, is, "restored", 0);
    for (int w = 0; w < 2; w++)
        tr2_world_destroy(worlds[w]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_are_as_they_are_alone),
        cmocka_unit_test(what_leaves_lanes_begins_anew),
        cmocka_unit_test(lanes_find_what_is_found_one_by_one),
        cmocka_unit_test(a_plan_of_the_same_version_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
