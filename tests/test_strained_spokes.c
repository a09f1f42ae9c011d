/*
 * Spokes of a hub that is solved directly: bodies on a plain revolute or distance and nothing else. What has no effect
 * changes nothing but rounding, though it is solved in another way: an angle limit of the revolutes that is never
 * reached, or something that is joined to the spokes by a joint that is switched off.
 */
#include "all_threads.h"
#include "strained.h"
#include "team_hosts.h"

#define DT     (1.0 / 60.0)
#define SPOKES 100
#define RATE   2.0 /* rad/s */
#define MANY   1001
#define LENGTH 0.1f /* m, of the distances */

/* the joints of a hub's spokes */
typedef enum spokes { REVOLUTES, DISTANCES, IN_TURNS } spokes;

typedef struct star {
    tr2_world *world;
    tr2_body hub, spoke[SPOKES];
    tr2_joint joint[SPOKES], apart;
} star;

/* a joint of a hub and a spoke, which is body B if `first` */
static tr2_joint_def spoke_joint(tr2_body hub, tr2_body spoke, bool is_distance, bool first, tr_vec2 at)
{
    tr_vec2 own = {0.02f, 0.05f};
    tr2_joint_type type = is_distance ? TR2_JOINT_DISTANCE : TR2_JOINT_REVOLUTE;
    tr2_joint_def def = first ? joint_between(type, hub, spoke, at, own) : joint_between(type, spoke, hub, own, at);
    if (is_distance)
        def.length = LENGTH;
    return def;
}

/* joins something to a spoke without effect */
static void hang_idle(tr2_world *world, tr2_body spoke, uint32_t i)
{
    tr2_body idle = body_at(world, 100.0 + i, 0.0, 0.0, 0.1, 0.1);
    tr2_joint_def off = joint_between(TR2_JOINT_REVOLUTE, spoke, idle, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    off.enabled = false;
    (void)join(world, off);
}

/* 10 kg with 100 bodies of 0.5 kg that hang off their centres, the hub being A or B: all turn about the pin. Some
   cannot rotate, some joints are off, some spokes carry another body. A pair apart has the first
   joint, so that joints move in the table when it goes. */
static star make_star(tr_method method, spokes kind, double rate, bool idle)
{
    star s = {.world = strained_world(10.0, method, 10.0f)};
    tr2_body one = body_at(s.world, 50.0, 0.0, 0.0, 1.0, 1.0), two = body_at(s.world, 51.0, 0.0, 0.0, 1.0, 1.0);
    s.apart = revolute(s.world, one, two, (tr_vec2){1.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    s.hub = make_hub(s.world, 50.0, rate);
    for (uint32_t i = 0; i < SPOKES; i++) {
        tr_vec2 at = place_on_hub(i, SPOKES, 8.0);
        bool is_distance = kind == DISTANCES || (kind == IN_TURNS && i / 2 % 2 == 1);
        double spin = kind == REVOLUTES ? 0.1 * i : rate;
        s.spoke[i] = body_on_hub(s.world, at, is_distance ? 0.05 + (double)LENGTH : 0.05, rate, spin);
        if (i % 7 == 3)
            MUST(tr2_body_set_fixed_rotation(s.world, s.spoke[i], true));
        tr2_joint_def def = spoke_joint(s.hub, s.spoke[i], is_distance, i % 2 == 0, at);
        if (!is_distance)
            def.limit = (tr_limit){idle, -1e4f, 1e4f};
        else if (idle)
            hang_idle(s.world, s.spoke[i], i);
        def.enabled = i % 11 != 5;
        s.joint[i] = join(s.world, def);
        if (i % 13 == 6) {
            tr2_body more = body_on_hub(s.world, at, 0.3, rate, 0.0);
            (void)revolute(s.world, s.spoke[i], more, (tr_vec2){0.0f, -0.1f}, (tr_vec2){0.0f, 0.15f});
        }
    }
    return s;
}

/* Velocities are rounded to float in each of 240 sub-steps, 1e-6 m/s at 16 m/s; bodies that swing amplify what
   differs. */
static void compare(const star *a, const star *b)
{
    for (uint32_t i = 0; i < SPOKES; i++) {
        tr2_body_def p = body_now(a->world, a->spoke[i]), q = body_now(b->world, b->spoke[i]);
        NEAR("x", p.position.x, q.position.x, 1e-4);
        NEAR("y", p.position.y, q.position.y, 1e-4);
        NEAR("angle", p.angle, q.angle, 2e-3);
    }
}

static void check_spokes(spokes kind, double rate, uint32_t count)
{
    const tr_method methods[2] = {TR_SOFT_STEP, TR_SMALL_STEP};
    for (uint32_t k = 0; k < 2; k++) {
        star a = make_star(methods[k], kind, rate, false), b = make_star(methods[k], kind, rate, true);
        for (uint32_t step = 0; step < count; step++) {
            steps(a.world, DT, 4, 1);
            steps(b.world, DT, 4, 1);
            /* with the pin and what spokes carry, without those that are off, and without one that goes */
            assert_true(tr2_world_statistics(a.world).exact_joints >= SPOKES - 1);
            compare(&a, &b);
            star *both[2] = {&a, &b};
            for (uint32_t w = 0; w < 2 && step == 20; w++)
                MUST(tr2_world_destroy_joint(both[w]->world, both[w]->apart));
            for (uint32_t w = 0; w < 2 && step == 40; w++)
                MUST(tr2_world_destroy_joint(both[w]->world, both[w]->joint[2]));
        }
        for (uint32_t i = 3; i < SPOKES; i++) {
            tr2_reaction p = reaction_of(a.world, a.joint[i]), q = reaction_of(b.world, b.joint[i]);
            /* forces of some newtons: what positions and rates differ by, over h */
            NEAR("force x", (double)p.force.x, (double)q.force.x, 0.1);
            NEAR("force y", (double)p.force.y, (double)q.force.y, 0.1);
            assert_true(i % 11 != 5 || (p.force.x == 0.0f && p.force.y == 0.0f));
        }
        tr2_world_destroy(a.world);
        tr2_world_destroy(b.world);
    }
}

static void what_has_no_effect_changes_nothing(void **state)
{
    (void)state;
    check_spokes(REVOLUTES, RATE, 60);
    check_spokes(DISTANCES, RATE, 60);
    check_spokes(IN_TURNS, RATE, 60);
}

/* At 20 rad/s the tension F of the outer ones has h^2 F / L = 1.1 m, more than half of their mass m: the excess resists
   their motion across it. */
static void nor_under_tension(void **state)
{
    (void)state;
    check_spokes(DISTANCES, 20.0, 21);
}

/*
 * 1,001 spokes are cut into pieces, whose joints are not made in the order of the spokes, and which several workers solve.
 */
static uint64_t hash_of_run(uint32_t threads, const tr_host *host)
{
    tr2_world *world = world_on_all_threads(threads, host);
    tr2_body spoke[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        spoke[i] = body_on_hub(world, place_on_hub(i, MANY, 8.0), 0.05, RATE, RATE);
    tr2_body hub = make_hub(world, 50.0, RATE);
    for (uint32_t i = MANY; i-- > 0;) {
        tr_vec2 own = {0.0f, i < MANY / 2 ? 0.05f : 0.03f};
        tr2_joint_def def = joint_between(i < MANY / 2 ? TR2_JOINT_REVOLUTE : TR2_JOINT_DISTANCE, hub, spoke[i],
                                          place_on_hub(i, MANY, 8.0), own);
        if (i >= MANY / 2)
            def.length = 0.02f;
        (void)join(world, def);
    }
    steps(world, DT, 4, 5);
    assert_int_equal(tr2_world_statistics(world).exact_joints, MANY + 1);
    uint64_t hash = tr2_world_state_hash(world);
    tr2_world_destroy(world);
    return hash;
}

static void bits_are_the_same_for_any_threads_and_instruction_set(void **state)
{
    (void)state;
    tr_isa before = tr_get_isa();
    uint64_t want = hash_of_run(1, NULL);
    assert_int_equal(hash_of_run(2, NULL), want);
    assert_int_equal(hash_of_run(3, &MAIN_HOST), want);
    for (uint32_t isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) == TR_OK)
            assert_int_equal(hash_of_run(2, NULL), want);
    }
    MUST(tr_set_isa(before));
}

/* a spoke that overflows, or is torn off, is left out; the hub and the other spokes go on */
static void a_spoke_that_overflows_leaves_the_others_alone(void **state)
{
    (void)state;
    star s = make_star(TR_SOFT_STEP, IN_TURNS, RATE, false);
    steps(s.world, DT, 4, 2);
    MUST(tr2_body_set_velocity(s.world, s.spoke[8], (tr_vec2){3e38f, 3e38f}, 0.0f));
    MUST(tr2_body_set_transform(s.world, s.spoke[9], (tr_dvec2){2e10, 0.0}, 0.0));
    for (uint32_t step = 0; step < 30; step++) {
        steps(s.world, DT, 4, 1);
        assert_int_equal(tr2_world_statistics(s.world).nonfinite_bodies, 1);
        for (uint32_t i = 0; i < SPOKES; i++) {
            tr2_body_def now = body_now(s.world, s.spoke[i]);
            assert_true(i == 9 || hypot(now.position.x, now.position.y) < 20.0);
            assert_true(i == 8 || i == 9 || hypot((double)now.velocity.x, (double)now.velocity.y) < 100.0);
        }
    }
    tr2_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_effect_changes_nothing),
        cmocka_unit_test(nor_under_tension),
        cmocka_unit_test(bits_are_the_same_for_any_threads_and_instruction_set),
        cmocka_unit_test(a_spoke_that_overflows_leaves_the_others_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
