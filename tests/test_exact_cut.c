/*
 * Great islands in the direct method (docs/exact.md), which are cut into pieces that lanes solve side by side: they are as
 * without that, and have the same bits for all instruction sets and threads, whatever twins do.
 */
#include <string.h>

#include "allocator.h"
#include "exact_world.h"
#include "instrumented.h"

#define BODIES_MOST 601u

/* Chains that hang down from one end, with a ball at the other; between two pins; a hub of leaves; one of leaves that are
   pinned in pairs, and all around, which makes it rigid; one of chains; and welded ones in all places but the ring. */
typedef enum island { CHAIN, BRIDGE, HUB, PAIRS, RING, STAR, ISLANDS } island;

typedef struct made {
    tr2_body bodies[BODIES_MOST];
    tr2_joint joints[2 * BODIES_MOST];
    uint32_t body_count, joint_count;
    uint32_t weld_every; /* of so many joints one is */
    bool soft;           /* the point of one of its joints is */
} made;

/* beside an island */
typedef enum others { NONE, TWINS, SOFT, SHED, CHANGED } others;

static void pin_together(tr2_world *world, made *it, tr2_body a, tr2_body b, tr_dvec2 at)
{
    tr2_joint_def def;
    const tr2_joint_type type = it->joint_count % it->weld_every == 3 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE;
    MUST(tr2_joint_def_between(world, type, a, b, at, at, (tr_vec2){1.0f, 0.0f}, &def));
    if (it->soft && it->joint_count == 9)
        def.linear = tr_frequency(10.0f, 1.0f);
    MUST(tr2_world_create_joint(world, &def, &it->joints[it->joint_count++]));
}

static tr2_body add(tr2_world *world, made *it, tr_dvec2 at, double angle, double mass)
{
    return it->bodies[it->body_count++] = body_at(world, at.x, at.y, angle, mass, mass / 12.0);
}

/* links of 1 m from a body's point on; the last one has some mass of its own */
static tr2_body add_chain(tr2_world *world, made *it, tr2_body from, tr_dvec2 at, double angle, uint32_t count,
                          double last_mass)
{
    const tr_dvec2 n = {cos(angle), sin(angle)};
    for (uint32_t i = 0; i < count; i++) {
        const tr_dvec2 pin = {at.x + i * n.x, at.y + i * n.y};
        const double mass = i + 1 < count ? 1.0 + 0.1 * (i % 3) : last_mass;
        const tr2_body link = add(world, it, (tr_dvec2){pin.x + 0.5 * n.x, pin.y + 0.5 * n.y}, angle, mass);
        pin_together(world, it, from, link, pin);
        from = link;
    }
    return from;
}

static void add_island(tr2_world *world, tr2_body ground, island kind, double y, made *it)
{
    it->body_count = it->joint_count = 0;
    it->weld_every = kind == PAIRS ? 36 : kind == RING ? UINT32_MAX : 7;
    if (kind == CHAIN) {
        add_chain(world, it, ground, (tr_dvec2){0.0, y}, 0.1, 300, 1000.0);
    } else if (kind == BRIDGE) {
        const tr2_body last = add_chain(world, it, ground, (tr_dvec2){0.0, y}, 0.0, 299, 1.0);
        pin_together(world, it, last, ground, (tr_dvec2){299.0, y});
    } else {
        const bool leaves = kind != STAR;
        const uint32_t arms = kind == HUB ? 301 : leaves ? 300 : 12;
        const tr2_body hub = add(world, it, (tr_dvec2){0.0, y}, 0.0, leaves ? 1.0 : 50.0);
        tr2_body before = hub;
        pin_together(world, it, ground, hub, (tr_dvec2){0.0, y});
        for (uint32_t i = 0; i < arms; i++) {
            const double angle = 2.0 * PI * i / arms, back = angle - PI / arms;
            const tr2_body last = add_chain(world, it, hub, (tr_dvec2){5.0 * cos(angle), y + 5.0 * sin(angle)}, angle,
                                            leaves ? 1 : 30, 1.0 + i % 5);
            if (i > 0 && (kind == RING || (kind == PAIRS && i % 2 != 0)))
                pin_together(world, it, before, last, (tr_dvec2){6.0 * cos(back), y + 6.0 * sin(back)});
            before = last;
        }
        if (kind == RING)
            pin_together(world, it, before, it->bodies[1], (tr_dvec2){6.0 * cos(PI / arms), y - 6.0 * sin(PI / arms)});
    }
}

static void read_back(const tr2_world *world, const made *it, tr2_body_def *out)
{
    for (uint32_t b = 0; b < it->body_count; b++)
        out[b] = body_now(world, it->bodies[b]);
}

static void expect_same(const tr2_body_def *want, const tr2_body_def *is, uint32_t count, const char *where,
                        island kind)
{
    for (uint32_t b = 0; b < count; b++)
        if (memcmp(&want[b].position, &is[b].position, sizeof is->position) != 0 ||
            memcmp(&want[b].angle, &is[b].angle, sizeof is->angle) != 0 ||
            memcmp(&want[b].velocity, &is[b].velocity, sizeof is->velocity) != 0 ||
            memcmp(&want[b].angular_velocity, &is[b].angular_velocity, sizeof is->angular_velocity) != 0)
            fail_msg("%s: body %u of island %d is another", where, b, (int)kind);
}

/* On a ground that may move, and does not, islands are solved in no lanes. */
static void pieces_find_what_is_found_as_a_whole(void **state)
{
    (void)state;
    static made its[2];
    for (island kind = CHAIN; kind < ISLANDS; kind++) {
        tr2_world *worlds[2];
        double most = 0.0, turned = 0.0, impulse = 0.0, greatest = 0.0;
        for (int w = 0; w < 2; w++) {
            tr2_body_def def = tr2_body_def_default();
            tr2_body ground;
            worlds[w] = direct_world(1, (tr_allocator){0});
            def.type = w == 0 ? TR_STATIC : TR_KINEMATIC;
            MUST(tr2_world_create_body(worlds[w], &def, &ground));
            add_island(worlds[w], ground, kind, 0.0, &its[w]);
            for (int i = 0; i < 12; i++)
                MUST(tr2_world_step(worlds[w], 1.0 / 60.0, 4));
            assert_int_equal(tr2_world_statistics(worlds[w]).direct_unsettled, 0);
        }
        for (uint32_t b = 0; b < its[0].body_count; b++) {
            const tr2_body_def a = body_now(worlds[0], its[0].bodies[b]), c = body_now(worlds[1], its[1].bodies[b]);
            most = fmax(most, fmax(fabs(a.position.x - c.position.x), fabs(a.position.y - c.position.y)));
            turned = fmax(turned, fabs(a.angle - c.angle));
        }
        for (uint32_t j = 0; j < its[0].joint_count; j++) {
            tr2_reaction forces[2];
            for (int w = 0; w < 2; w++)
                MUST(tr2_joint_reaction(worlds[w], its[w].joints[j], &forces[w]));
            impulse = fmax(impulse, fabs((double)forces[0].force.y - (double)forces[1].force.y));
            greatest = fmax(greatest, fabs((double)forces[1].force.y));
        }
        const double open = tr2_world_measure(worlds[0]).joint_error_max;
        print_message("island %d: off by %.2g m, %.2g rad, %.2g of %.2g N; joints open by %.2g m\n", (int)kind, most,
                      turned, impulse, greatest, open);
        /* both solve the same problem: what rounding makes different, of 1e-16 of numbers up to 300 m and 1e6 N, grows only
           as the motion and the condition of a chain under a thousandfold load let it */
        assert_true(most < 1e-6 && turned < 1e-6 && impulse < 1e-4 * greatest);
        assert_true(open < 1e-6);
        assert_true(most > 0.0);
        for (int w = 0; w < 2; w++)
            tr2_world_destroy(worlds[w]);
    }
}

/* Beside others, which are twins, or solved in no lanes, because a joint is soft: they are as many, because bodies of a hub
   have an order that depends on what else is in the world. Or, of a chain, one of them goes in the middle, or the instruction set is
   another in each step, so that nothing that pieces keep from step to step stays. */
static void run(island kind, uint32_t threads, others beside, tr2_body_def *out)
{
    static made it, other;
    tr2_world *world = direct_world(threads, (tr_allocator){0});
    const tr2_body ground = static_at(world, 0.0, 0.0);
    add_island(world, ground, kind, 0.0, &it);
    for (uint32_t i = 0; i < 2 && beside != NONE; i++) {
        other.soft = beside == SOFT;
        add_island(world, ground, kind, 100.0 * (i + 1), &other);
    }
    const tr_isa isa = tr_get_isa();
    for (int i = 0; i < 5; i++) {
        MUST(tr_set_isa(beside == CHANGED && i % 2 == 1 ? TR_ISA_SCALAR : isa));
        for (uint32_t b = 0; b < other.body_count && beside == SHED && i == 2; b++)
            MUST(tr2_world_destroy_body(world, other.bodies[b]));
        MUST(tr2_world_step(world, 1.0 / 60.0, 4));
    }
    MUST(tr_set_isa(isa));
    read_back(world, &it, out);
    tr2_world_destroy(world);
}

static void pieces_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    static tr2_body_def want[BODIES_MOST], is[BODIES_MOST];
    const tr_isa chosen = tr_get_isa();
    for (island kind = CHAIN; kind < ISLANDS; kind++) {
        static made it;
        tr2_world *world = direct_world(1, (tr_allocator){0});
        add_island(world, static_at(world, 0.0, 0.0), kind, 0.0, &it);
        tr2_world_destroy(world);
        MUST(tr_set_isa(TR_ISA_SCALAR));
        run(kind, 1, TWINS, want);
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            MUST(tr_set_isa((tr_isa)isa));
            for (uint32_t how = 0; how < 6; how++) {
                static const others beside[] = {TWINS, TWINS, SOFT, SOFT, SHED, CHANGED};
                static const char *const names[] = {
                    [TWINS] = "twins", [SOFT] = "others", [SHED] = "fewer twins", [CHANGED] = "changing sets"};
                char where[60];
                if (beside[how] == SHED && kind != CHAIN)
                    continue;
                run(kind, 1 + how % 2 * 2, beside[how], is);
                (void)snprintf(where, sizeof where, "%s, %u threads, %s", tr_isa_name((tr_isa)isa), 1 + how % 2 * 2,
                               names[beside[how]]);
                expect_same(want, is, it.body_count, where, kind);
            }
        }
    }
    MUST(tr_set_isa(chosen));
}

/* A hub with arms of a light link and a heavy one, which slow it down, that turns by some rad/s. */
static void add_slowed_hub(tr2_world *world, double turn, made *it)
{
    enum { ARMS = 300 };
    *it = (made){.weld_every = 2}; /* none */
    const tr2_body ground = static_at(world, 0.0, 0.0), hub = body_at(world, 0.0, 0.0, 0.0, 50.0, 500.0);
    it->bodies[it->body_count++] = hub;
    pin_together(world, it, ground, hub, (tr_dvec2){0.0, 0.0});
    for (uint32_t i = 0; i < ARMS; i++) {
        const double angle = 2.0 * PI * i / ARMS, x = cos(angle), y = sin(angle);
        const tr2_body light = body_at(world, 5.5 * x, 5.5 * y, angle, 0.02, 1e-4);
        it->bodies[it->body_count++] = light;
        const tr2_body heavy = add(world, it, (tr_dvec2){6.5 * x, 6.5 * y}, angle, 20.0);
        pin_together(world, it, hub, light, (tr_dvec2){5.0 * x, 5.0 * y});
        pin_together(world, it, light, heavy, (tr_dvec2){6.0 * x, 6.0 * y});
    }
    for (uint32_t b = 0; b < it->body_count; b++) {
        const tr_dvec2 at = body_now(world, it->bodies[b]).position;
        MUST(tr2_body_set_velocity(world, it->bodies[b], (tr_vec2){(float)(-turn * at.y), (float)(turn * at.x)},
                                   (float)turn));
    }
}

/* Where bodies that are slowed down turn, a kick is solved again if held rows gain by curves: in stages that are left out if
   nobody asks for them. */
static void pieces_that_gain_are_solved_again(void **state)
{
    (void)state;
    static const double turns[] = {0.0, 1.5, 3.0};
    static made its[2];
    static tr2_body_def want[BODIES_MOST], is[BODIES_MOST];
    const tr_isa chosen = tr_get_isa();
    uint32_t again = 0, once = 0;
    for (uint32_t turn = 0; turn < 3; turn++) {
        tr2_world *worlds[2];
        for (int w = 0; w < 2; w++) {
            worlds[w] = direct_world(w == 0 ? 1 : 3, (tr_allocator){0});
            add_slowed_hub(worlds[w], turns[turn], &its[w]);
        }
        for (int i = 0; i < 40; i++) {
            for (int w = 0; w < 2; w++) {
                MUST(tr_set_isa(w == 0 ? TR_ISA_SCALAR : chosen));
                MUST(tr2_world_step(worlds[w], 1.0 / 60.0, 4));
            }
            const tr_statistics of = tr2_world_statistics(worlds[0]), other = tr2_world_statistics(worlds[1]);
            assert_int_equal(of.direct_solves, other.direct_solves);
            assert_int_equal(of.direct_unsettled, 0);
            again += of.direct_solves_max > 1 ? 1 : 0;
            once += of.direct_solves_max == 1 ? 1 : 0;
            read_back(worlds[0], &its[0], want);
            read_back(worlds[1], &its[1], is);
            expect_same(want, is, its[0].body_count, "3 threads", STAR);
            assert_true(tr2_world_measure(worlds[0]).joint_error_max < 1e-6);
        }
        for (int w = 0; w < 2; w++)
            tr2_world_destroy(worlds[w]);
    }
    assert_true(again > 10 && once > 10);
    MUST(tr_set_isa(chosen));
}

/* How a hub is slowed down depends on how many joints hold it, in all pieces. What these keep from step to step must not count
   them again. */
static void a_slowed_hub_keeps_no_count(void **state)
{
    (void)state;
    static made its[2];
    tr2_world *worlds[2];
    const tr_isa chosen = tr_get_isa();
    for (int w = 0; w < 2; w++) {
        worlds[w] = direct_world(1, (tr_allocator){0});
        add_slowed_hub(worlds[w], 0.0, &its[w]);
    }
    for (int i = 0; i < 30; i++) {
        static tr2_body_def want[BODIES_MOST], is[BODIES_MOST];
        MUST(tr_set_isa(TR_ISA_SCALAR));
        MUST(tr2_world_step(worlds[0], 1.0 / 60.0, 4));
        /* another set begins with nothing that pieces keep */
        MUST(tr_set_isa(i % 2 == 0 ? TR_ISA_SCALAR : chosen));
        MUST(tr2_world_step(worlds[1], 1.0 / 60.0, 4));
        read_back(worlds[0], &its[0], want);
        read_back(worlds[1], &its[1], is);
        expect_same(want, is, its[0].body_count, "changing sets", STAR);
    }
    for (int w = 0; w < 2; w++)
        tr2_world_destroy(worlds[w]);
    MUST(tr_set_isa(chosen));
}

/* What turns farther than lanes know in the middle of the first step leaves them with all pieces, and is as if it had not been
   in them: then it is solved as on a ground that may move. */
static void a_piece_that_fails_takes_all_along(void **state)
{
    (void)state;
    static tr2_body_def want[BODIES_MOST], is[BODIES_MOST];
    for (island kind = CHAIN; kind < ISLANDS; kind++) {
        for (int w = 0; w < 2; w++) {
            static made it;
            tr2_world *world = direct_world(1, (tr_allocator){0});
            tr2_body_def def = tr2_body_def_default();
            tr2_body ground;
            def.type = w == 0 ? TR_STATIC : TR_KINEMATIC;
            MUST(tr2_world_create_body(world, &def, &ground));
            add_island(world, ground, kind, 0.0, &it);
            const tr2_body steep = body_at(world, 500.0, 0.0, 1e9 - 0.4, 1.0, 0.1);
            tr2_joint_def to;
            tr2_joint joint;
            const tr2_body last = it.bodies[it.body_count - 1];
            const tr2_body_def at = body_now(world, last);
            MUST(tr2_body_set_transform(world, steep, at.position, 1e9 - 0.4));
            MUST(tr2_joint_def_between(world, TR2_JOINT_REVOLUTE, last, steep, at.position, at.position,
                                       (tr_vec2){1.0f, 0.0f}, &to));
            MUST(tr2_world_create_joint(world, &to, &joint));
            MUST(tr2_body_set_velocity(world, steep, (tr_vec2){0.0f, 0.0f}, 60.0f));
            MUST(tr2_world_step(world, 1.0 / 60.0, 4));
            assert_true(body_now(world, steep).angle > 1e9);
            assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
            read_back(world, &it, w == 0 ? is : want);
            if (w == 1)
                expect_same(want, is, it.body_count, "steep", kind);
            tr2_world_destroy(world);
        }
    }
}

/* A step that lacks memory to cut an island fails before anything has changed; the next one is as without that. */
static void a_cut_without_memory_changes_nothing(void **state)
{
    (void)state;
    static made it;
    static tr2_body_def want[BODIES_MOST], is[BODIES_MOST];
    run(STAR, 1, NONE, want);
    test_allocator counts = {0};
    tr2_world *world = direct_world(1, test_hooks(&counts));
    add_island(world, static_at(world, 0.0, 0.0), STAR, 0.0, &it);
    tr_status status = TR_ERROR_MEMORY;
    uint64_t at = 0;
    while (status == TR_ERROR_MEMORY) {
        counts.calls = 0;
        counts.fail_at = ++at;
        status = tr2_world_step(world, 1.0 / 60.0, 4);
    }
    MUST(status);
    assert_true(at > 20);
    counts.fail_at = 0;
    for (int i = 0; i < 4; i++)
        MUST(tr2_world_step(world, 1.0 / 60.0, 4));
    read_back(world, &it, is);
    expect_same(want, is, it.body_count, "after failures", STAR);
    tr2_world_destroy(world);
    assert_int_equal(counts.held, 0);
    assert_int_equal(counts.mismatches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_find_what_is_found_as_a_whole), cmocka_unit_test(pieces_have_the_same_bits_everywhere),
        cmocka_unit_test(pieces_that_gain_are_solved_again),    cmocka_unit_test(a_slowed_hub_keeps_no_count),
        cmocka_unit_test(a_piece_that_fails_takes_all_along),   cmocka_unit_test(a_cut_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
