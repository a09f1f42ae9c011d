/*
 * Breaking one joint at a time (tr2_world_def.breaking): which joint of each group breaks, against a plain model of the
 * rule; that a bridge loses one hinge and not half of them; that groups do not wait for each other.
 */
#define HINGE TR2_JOINT_REVOLUTE

#include "all_threads.h"
#include "breaking_bridge.h"
#include "physics.h"
#include "scene_file.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

/*
 * A bridge
 */
enum { PLANKS = 20, HINGES = PLANKS + 1, MOST_BRIDGES = 2 };

typedef struct bridge {
    tr2_joint hinges[HINGES];
} bridge;

/* level planks between two posts, which sag a little and come to rest */
static bridge make_bridge(tr2_world *world, double y)
{
    bridge it;
    tr2_body last = static_at(world, 0.0, y);
    for (uint32_t i = 0; i < HINGES; i++) {
        bool ends = i == PLANKS;
        tr2_body next = ends ? static_at(world, PLANKS, y) : body_at(world, i + 0.5, y, 0.0, 5.0, 0.5);
        MUST(tr2_body_set_damping(world, next, 2.0f, 2.0f));
        tr_vec2 right = {i == 0 ? 0.0f : 0.5f, 0.0f}, left = {ends ? 0.0f : -0.5f, 0.0f};
        it.hinges[i] = revolute(world, last, next, right, left);
        last = next;
    }
    return it;
}

/* steps until the bridge rests */
enum { CALM = 1200 };

/* the mean of the loads of the hinges of a bridge at rest, N: those at the posts carry more, the middle ones less */
static float mean_load(void)
{
    tr2_world *world = world_of(G, 60.0f);
    bridge it = make_bridge(world, 0.0);
    for (uint32_t i = 0; i < HINGES; i++)
        MUST(tr2_joint_set_event_at(world, it.hinges[i], (tr_event_at){.force = 1e-3f}));
    steps(world, DT, 4, CALM);
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, HINGES);
    double sum = 0.0;
    for (uint32_t i = 0; i < events.count; i++)
        sum += hypot((double)events.event[i].reaction.force.x, (double)events.event[i].reaction.force.y);
    tr2_world_destroy(world);
    return (float)(sum / HINGES);
}

static void arm(tr2_world *world, const bridge *it, float force)
{
    for (uint32_t i = 0; i < HINGES; i++)
        MUST(tr2_joint_set_break_at(world, it->hinges[i], (tr_break_at){.force = force}));
}

/* how many joints break in the next step */
static uint32_t break_once(tr2_world *world)
{
    uint64_t before = tr2_world_statistics(world).broken_joints;
    MUST(tr2_world_step(world, DT, 4));
    tr2_event_view events = tr2_world_events(world);
    uint32_t broken = 0;
    for (uint32_t i = 0; i < events.count; i++)
        broken += events.event[i].kind == TR_EVENT_BROKEN;
    assert_int_equal(tr2_world_statistics(world).broken_joints - before, broken);
    return broken;
}

static void a_bridge_loses_one_hinge_and_its_parts_hang(void **state)
{
    (void)state;
    const float force = mean_load();
    for (tr_breaking breaking = 0; breaking <= TR_BREAKING_ONE_PER_ISLAND; breaking++) {
        tr2_world *world = world_of(G, 60.0f);
        bridge it = make_bridge(world, 0.0);
        MUST(tr2_world_set_breaking(world, breaking));
        steps(world, DT, 4, CALM);
        arm(world, &it, force);
        /* four hinges at each post are above the mean: two groups, one island */
        const uint32_t wanted[] = {8, 2, 1};
        assert_int_equal(break_once(world), wanted[breaking]);
        /* once relieved, no other is overloaded: the far post is so two steps later */
        uint32_t more = break_once(world);
        assert_true(more <= (breaking == TR_BREAKING_ONE_PER_ISLAND ? 1 : 0));
        for (int step = 0; step < 60; step++)
            assert_int_equal(break_once(world), 0);
        tr2_world_destroy(world);
    }
}

/* two bridges in a world break as each alone does */
static void what_is_not_connected_breaks_by_itself(void **state)
{
    (void)state;
    const float force = mean_load();
    uint32_t alone = HINGES;
    for (uint32_t count = 1; count <= MOST_BRIDGES; count++) {
        tr2_world *world = world_of(G, 60.0f);
        bridge bridges[MOST_BRIDGES];
        MUST(tr2_world_set_breaking(world, TR_BREAKING_ONE_PER_ISLAND));
        for (uint32_t i = 0; i < count; i++)
            bridges[i] = make_bridge(world, 100.0 * i);
        steps(world, DT, 4, CALM);
        for (uint32_t i = 0; i < count; i++)
            arm(world, &bridges[i], force);
        assert_int_equal(break_once(world), count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t lost = HINGES;
            for (uint32_t k = 0; k < HINGES; k++)
                lost = tr2_joint_is_valid(world, bridges[i].hinges[k]) ? lost : k;
            alone = alone == HINGES ? lost : alone;
            assert_int_equal(lost, alone);
        }
        tr2_world_destroy(world);
    }
}

/*
 * Random structures, against the rule as it is written
 */
enum { BODIES = 40, JOINTS = 70 };

typedef struct structure {
    tr2_world *world;
    tr2_body bodies[BODIES];
    bool moves[BODIES];
    tr2_joint joints[JOINTS];
    uint32_t ends[JOINTS][3], end_count[JOINTS];
    bool enabled[JOINTS];
    tr_break_at break_at[JOINTS];
} structure;

static void put_body(structure *it, uint32_t i, uint64_t *seed)
{
    tr2_body_def def = tr2_body_def_default();
    uint32_t kind = random_index(seed, 6);
    def.type = kind == 0 ? TR_STATIC : kind == 1 ? TR_KINEMATIC : TR_DYNAMIC;
    def.position = (tr_dvec2){i % 8, i / 8};
    def.mass = 1.0f + (float)random_index(seed, 5);
    it->moves[i] = def.type == TR_DYNAMIC;
    MUST(tr2_world_create_body(it->world, &def, &it->bodies[i]));
}

static void put_joint(structure *it, uint32_t i, uint64_t *seed)
{
    static const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE, TR2_JOINT_WELD, TR2_JOINT_DISTANCE, TR2_JOINT_GEAR};
    tr2_joint_type type = types[random_index(seed, 4)];
    tr2_joint_def def = tr2_joint_def_default(type);
    uint32_t a = random_index(seed, BODIES), b = (a + 1 + random_index(seed, 2) * 7) % BODIES;
    uint32_t carrier = (a + 2 + random_index(seed, 30)) % BODIES; /* not A itself */
    def.body_a = it->bodies[a];
    def.body_b = it->bodies[b];
    def.anchor_a = (tr_vec2){0.5f, 0.1f};
    def.anchor_b = (tr_vec2){-0.5f, 0.2f};
    it->ends[i][0] = a;
    it->ends[i][1] = b;
    it->ends[i][2] = carrier;
    it->end_count[i] = type == TR2_JOINT_GEAR ? 3 : 2;
    if (type == TR2_JOINT_GEAR) {
        def.anchor_a = def.anchor_b = (tr_vec2){0.0f, 0.0f};
        def.carrier_a = it->bodies[carrier];
    }
    it->enabled[i] = def.enabled = random_index(seed, 8) != 0;
    MUST(tr2_world_create_joint(it->world, &def, &it->joints[i]));
}

static void draw_break_at(structure *it, uint32_t i, uint64_t *seed)
{
    float size = 2.0f + (float)random_index(seed, 40);
    tr_break_at *at = &it->break_at[i];
    *at = (tr_break_at){0};
    switch (random_index(seed, 5)) {
    case 0:
        at->force = size;
        break;
    case 1:
        at->torque = 0.1f * size;
        break;
    case 2:
        at->impulse = size / 60.0f;
        break;
    case 3:
        *at = (tr_break_at){.force = 2.0f * size, .torque = 0.3f * size, .impulse = size / 50.0f};
        break;
    default:
        break;
    }
    MUST(tr2_joint_set_break_at(it->world, it->joints[i], *at));
}

static structure make_structure(uint64_t seed, tr_breaking breaking)
{
    structure it = {.world = world_of(G, 60.0f)};
    for (uint32_t i = 0; i < BODIES; i++)
        put_body(&it, i, &seed);
    for (uint32_t i = 0; i < JOINTS; i++)
        put_joint(&it, i, &seed);
    steps(it.world, DT, 4, 3);
    for (uint32_t i = 0; i < JOINTS; i++)
        draw_break_at(&it, i, &seed);
    MUST(tr2_world_set_breaking(it.world, breaking));
    return it;
}

static double ratio_of(double value, float threshold)
{
    return threshold > 0.0f ? value / (double)threshold : 0.0;
}

/* how overloaded each joint is that breaks if all do; 0: is not */
static void overloads_of(const structure *it, double *overload)
{
    tr2_event_view events = tr2_world_events(it->world);
    memset(overload, 0, JOINTS * sizeof *overload);
    for (uint32_t e = 0; e < events.count; e++) {
        uint32_t i = 0;
        while (it->joints[i].index != events.event[e].joint.index)
            i++;
        const tr2_reaction *r = &events.event[e].reaction;
        double x = (double)r->force.x, y = (double)r->force.y, force = sqrt(x * x + y * y);
        double torque = ratio_of(fabs((double)r->torque), it->break_at[i].torque);
        double impulse = ratio_of(force * DT, it->break_at[i].impulse);
        overload[i] = fmax(ratio_of(force, it->break_at[i].force), fmax(torque, impulse));
        assert_true(overload[i] > 1.0);
    }
}

/* groups as labels of bodies: the least number spreads until nothing changes */
static void spread(const structure *it, const double *overload, bool island, uint32_t *label)
{
    for (uint32_t b = 0; b < BODIES; b++)
        label[b] = b;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < JOINTS; i++) {
            if (island ? !it->enabled[i] : overload[i] == 0.0)
                continue;
            uint32_t least = BODIES;
            for (uint32_t e = 0; e < it->end_count[i]; e++) {
                uint32_t body = it->ends[i][e];
                if (it->moves[body] && label[body] < least)
                    least = label[body];
            }
            for (uint32_t e = 0; e < it->end_count[i]; e++) {
                uint32_t body = it->ends[i][e];
                changed = changed || (it->moves[body] && label[body] != least);
                label[body] = it->moves[body] ? least : label[body];
            }
        }
    }
}

static uint32_t group_of(const structure *it, const uint32_t *label, uint32_t joint)
{
    for (uint32_t e = 0; e < it->end_count[joint]; e++) {
        if (it->moves[it->ends[joint][e]])
            return label[it->ends[joint][e]];
    }
    return BODIES + joint;
}

static uint32_t check_chosen(const structure *it, const double *overload, const uint32_t *label)
{
    tr2_event_view events = tr2_world_events(it->world);
    uint32_t wanted = 0, at = 0;
    for (uint32_t i = 0; i < JOINTS; i++) {
        bool worst = overload[i] > 0.0;
        for (uint32_t k = 0; k < JOINTS && worst; k++) {
            if (overload[k] > 0.0 && group_of(it, label, k) == group_of(it, label, i))
                worst = overload[k] < overload[i] || (overload[k] == overload[i] && k >= i);
        }
        assert_int_equal(tr2_joint_is_valid(it->world, it->joints[i]), !worst);
        if (!worst)
            continue;
        assert_true(at < events.count);
        assert_int_equal(events.event[at++].joint.index, it->joints[i].index);
        wanted++;
    }
    assert_int_equal(events.count, wanted);
    return wanted;
}

static void the_most_overloaded_joint_of_each_group_breaks(void **state)
{
    (void)state;
    uint32_t all = 0, chosen[TR_BREAKING_COUNT] = {0};
    for (uint64_t seed = 1; seed <= TRIALS(200); seed++) {
        double overload[JOINTS];
        structure it = make_structure(seed, TR_BREAKING_ALL);
        MUST(tr2_world_step(it.world, DT, 4));
        overloads_of(&it, overload);
        all += tr2_world_events(it.world).count;
        tr2_world_destroy(it.world);
        for (tr_breaking breaking = TR_BREAKING_ONE_PER_GROUP; breaking <= TR_BREAKING_ONE_PER_ISLAND; breaking++) {
            uint32_t label[BODIES];
            it = make_structure(seed, breaking);
            MUST(tr2_world_step(it.world, DT, 4));
            spread(&it, overload, breaking == TR_BREAKING_ONE_PER_ISLAND, label);
            chosen[breaking] += check_chosen(&it, overload, label);
            tr2_world_destroy(it.world);
        }
    }
    /* the cases are no empty ones, and the three ways differ */
    assert_true(chosen[TR_BREAKING_ONE_PER_ISLAND] > TRIALS(200));
    assert_true(chosen[TR_BREAKING_ONE_PER_GROUP] > chosen[TR_BREAKING_ONE_PER_ISLAND] + TRIALS(200));
    assert_true(all > chosen[TR_BREAKING_ONE_PER_GROUP] + TRIALS(200));
}

/* equal loads, bit for bit: two bodies that hang alike, tied by a joint that exerts nothing */
static void of_equal_ones_the_lowest_breaks(void **state)
{
    (void)state;
    for (tr_breaking breaking = TR_BREAKING_ONE_PER_GROUP; breaking <= TR_BREAKING_ONE_PER_ISLAND; breaking++) {
        tr2_world *world = world_of(G, 60.0f);
        MUST(tr2_world_set_breaking(world, breaking));
        tr2_joint hung[2];
        tr2_body bodies[2];
        for (int i = 0; i < 2; i++) {
            bodies[i] = body_at(world, 4.0 * i, 0.0, 0.0, 2.0, 1.0);
            tr2_joint_def weld = joint_between(TR2_JOINT_WELD, static_at(world, 4.0 * i, 0.0), bodies[i],
                                               (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
            weld.break_at.force = 1.0f;
            hung[i] = join(world, weld);
        }
        tr2_joint_def tie =
            joint_between(TR2_JOINT_DISTANCE, bodies[0], bodies[1], (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
        tr2_joint_def_make_rope(&tie, 100.0f);
        join(world, tie);
        bool tied = breaking == TR_BREAKING_ONE_PER_ISLAND;
        assert_int_equal(break_once(world), tied ? 1 : 2);
        assert_false(tr2_joint_is_valid(world, hung[0]));
        assert_int_equal(tr2_joint_is_valid(world, hung[1]), tied);
        if (tied)
            assert_int_equal(break_once(world), 1);
        tr2_world_destroy(world);
    }
}

/* a joint that is spared keeps its count of steps, and loses it when it is no longer overloaded */
static void a_spared_joint_goes_on_counting(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    MUST(tr2_world_set_breaking(world, TR_BREAKING_ONE_PER_GROUP));
    tr2_body upper = body_at(world, 0.0, 0.0, 0.0, 1.0, 1.0), lower = body_at(world, 0.0, -1.0, 0.0, 1.0, 1.0);
    tr2_joint_def defs[2] = {
        joint_between(TR2_JOINT_WELD, static_at(world, 0.0, 1.0), upper, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.5f}),
        joint_between(TR2_JOINT_WELD, upper, lower, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.5f})};
    defs[0].break_at = (tr_break_at){.force = 10.0f, .steps = 4};
    defs[1].break_at = (tr_break_at){.force = 2.0f, .steps = 4};
    tr2_joint joints[2];
    MUST(tr2_world_create_joints(world, defs, 2, joints));
    /* 19.6 N of 10, and 9.8 of 2: the lower one is worse */
    steps(world, DT, 4, 3);
    assert_int_equal(tr2_world_events(world).count, 0);
    MUST(tr2_world_step(world, DT, 4));
    assert_int_equal(tr2_world_events(world).count, 1);
    assert_true(tr2_joint_is_valid(world, joints[0]) && !tr2_joint_is_valid(world, joints[1]));
    /* the upper one then carries 9.8 N of 10 */
    steps(world, DT, 4, 30);
    assert_true(tr2_joint_is_valid(world, joints[0]));
    tr2_world_destroy(world);
}

/*
 * Threads, memory, errors, files
 */
static void threads_do_not_change_what_breaks(void **state)
{
    (void)state;
    for (tr_breaking breaking = 0; breaking < TR_BREAKING_COUNT; breaking++) {
        uint64_t hash = 0;
        for (uint32_t threads = 1; threads <= 4; threads++) {
            tr2_world *world = world_on_all_threads(threads, NULL);
            MUST(tr2_world_set_breaking(world, breaking));
            for (int i = 0; i < 30; i++) {
                bridge it = make_bridge(world, 10.0 * i);
                arm(world, &it, 300.0f + 10.0f * (float)i);
            }
            steps(world, DT, 4, 120);
            assert_true(tr2_world_statistics(world).broken_joints > 30);
            hash = threads == 1 ? tr2_world_state_hash(world) : hash;
            assert_true(tr2_world_state_hash(world) == hash);
            tr2_world_destroy(world);
        }
    }
}

static void without_memory_nothing_breaks(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    tr2_body_def fixed = tr2_body_def_default();
    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_WELD);
    fixed.type = TR_STATIC;
    assert_ok(world, tr2_world_create_body(world, &fixed, &def.body_a));
    def.body_b = make_body(world, 0.0, 0.0);
    def.break_at.force = 1.0f;
    assert_ok(world, tr2_world_set_breaking(world, TR_BREAKING_ONE_PER_ISLAND));
    assert_ok(world, tr2_world_create_joint(world, &def, NULL));
    uint32_t failures = 0;
    for (tr_status status = TR_ERROR_MEMORY; status != TR_OK; failures++) {
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_int_equal(tr2_world_statistics(world).broken_joints, 0);
        test_fail_in(&it->allocator, failures + 1);
        status = tr2_world_step(world, DT, 4);
        test_fail_in(&it->allocator, 0);
    }
    /* each try fails at a later allocation: events, the queue, and what a first step needs anyway */
    assert_true(failures > 3);
    assert_int_equal(tr2_world_statistics(world).broken_joints, 1);
}

/* a body on welds that are all overloaded, and discs that meet others after some sub-steps of the first step */
static tr2_world *busy_world(test_allocator *allocator)
{
    enum { WELDS = 6, DISCS = 60 };
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    def.breaking = TR_BREAKING_ONE_PER_SUBSTEP;
    def.allocator = test_hooks(allocator);
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body hung = body_at(world, 0.0, 200.0, 0.0, 2.0, 1.0);
    for (uint32_t i = 0; i < WELDS; i++) {
        tr2_joint_def weld = joint_between(TR2_JOINT_WELD, static_at(world, 0.0, 200.0), hung, (tr_vec2){0.0f, 0.0f},
                                           (tr_vec2){0.0f, 0.0f});
        weld.break_at.force = 1.0f + 0.1f * (float)i;
        join(world, weld);
    }
    for (uint32_t i = 0; i < DISCS; i++) {
        tr2_body disc = body_at(world, i % 2 * 1.9, 2.0 * (i / 2), 0.0, 1.0, 0.125);
        MUST(tr2_body_set_velocity(world, disc, (tr_vec2){i % 2 == 0 ? 60.0f : 0.0f, 0.0f}, 0.0f));
        tr2_shape_def shape = tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, 0.5f);
        MUST(tr2_world_create_shape(world, &shape, NULL));
    }
    return world;
}

/* also where memory runs out after joints have broken */
static void a_step_in_parts_is_refused_as_a_whole(void **state)
{
    (void)state;
    uint64_t calls = 0, end = 0;
    uint32_t refused = 0;
    for (uint64_t n = 0; n <= calls; n++) {
        test_allocator allocator = {0};
        tr2_world *world = busy_world(&allocator);
        const uint64_t before = tr2_world_state_hash(world);
        test_fail_in(&allocator, n);
        tr_status status = tr2_world_step(world, DT, 4);
        calls = n == 0 ? allocator.calls : calls;
        if (status != TR_OK) {
            assert_int_equal(status, TR_ERROR_MEMORY);
            assert_true(tr2_world_state_hash(world) == before);
            assert_int_equal(tr2_world_statistics(world).broken_joints, 0);
            assert_int_equal(tr2_world_events(world).count, 0);
            refused++;
            MUST(tr2_world_step(world, DT, 4));
        }
        assert_int_equal(tr2_world_statistics(world).broken_joints, 4);
        end = n == 0 ? tr2_world_state_hash(world) : end;
        assert_true(tr2_world_state_hash(world) == end);
        tr2_world_destroy(world);
        assert_int_equal(allocator.held, 0);
    }
    assert_true(refused > 20);
}

/* a touch is told once, in the step in which it begins, whichever part that is */
static void touches_of_all_substeps_are_told_once(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr2_world *world = busy_world(&allocator);
    uint32_t begun = 0, ended = 0;
    MUST(tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    for (uint32_t step = 0; step < 10; step++) {
        MUST(tr2_world_step(world, DT, 4));
        const tr2_touch_view touches = tr2_world_touches(world);
        for (uint32_t i = 0; i < touches.count; i++) {
            begun += touches.event[i].kind == TR2_TOUCH_BEGIN;
            ended += touches.event[i].kind == TR2_TOUCH_END;
        }
    }
    /* each of thirty discs hits one other */
    assert_int_equal(begun, 30);
    assert_true(ended <= 30);
    tr2_world_destroy(world);
}

static void a_wrong_way_of_breaking_is_refused(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_world_def def = tr2_world_def_default();
    tr_error error;
    tr2_world *none = NULL;
    assert_int_equal(def.breaking, TR_BREAKING_ALL);
    assert_int_equal(tr2_world_set_breaking(world, TR_BREAKING_COUNT), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message, "world_set_breaking: breaking is 4, no way of breaking");
    assert_int_equal(tr2_world_set_breaking(NULL, TR_BREAKING_ALL), TR_ERROR_NULL);
    def.breaking = (tr_breaking)-1;
    assert_int_equal(tr2_world_create(&def, &none, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "world_create: def.breaking is -1, no way of breaking");
    assert_null(none);
    assert_ok(world, tr2_world_set_breaking(world, TR_BREAKING_ONE_PER_GROUP));
    assert_ok(world, tr2_world_get(world, &def));
    assert_int_equal(def.breaking, TR_BREAKING_ONE_PER_GROUP);
    assert_string_equal(tr_breaking_name(TR_BREAKING_ONE_PER_ISLAND), "one_per_island");
    assert_string_equal(tr_breaking_name(TR_BREAKING_COUNT), "unknown");
}

static void scenes_keep_the_way_of_breaking(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    for (tr_breaking breaking = 0; breaking < TR_BREAKING_COUNT; breaking++) {
        tr2_scene *scene = NULL;
        tr2_world_def def;
        assert_ok(world, tr2_world_set_breaking(world, breaking));
        assert_int_equal(tr2_scene_capture(world, &scene, NULL), TR_OK);
        tr2_scene *back = round_trip(scene);
        assert_int_equal(back->breaking, breaking);
        assert_int_equal(tr2_scene_world_def(back).breaking, breaking);
        assert_ok(world, tr2_world_set_breaking(world, (breaking + 1) % TR_BREAKING_COUNT));
        assert_int_equal(tr2_scene_build(back, world, NULL, NULL, NULL), TR_OK);
        assert_ok(world, tr2_world_get(world, &def));
        assert_int_equal(def.breaking, breaking);
        tr2_scene_destroy(back);
        scene->breaking = TR_BREAKING_COUNT;
        char *text = NULL;
        assert_int_equal(tr2_scene_write(scene, &text, NULL, NULL), TR_ERROR_RANGE);
        tr2_scene_destroy(scene);
    }
    static const char wrong[] = "{\"trammel\": 1, \"world\": {\"breaking\": \"none\"}}";
    tr2_scene *scene = NULL;
    tr_error error;
    assert_int_equal(tr2_scene_parse(wrong, sizeof wrong - 1, "test", &scene, &error), TR_ERROR_PARSE);
    assert_non_null(strstr(error.message, "world.breaking"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bridge_loses_one_hinge_and_its_parts_hang),
        cmocka_unit_test(a_bridge_loses_one_of_a_group_or_island),
        cmocka_unit_test(ropes_go_one_after_the_other),
        cmocka_unit_test(one_goes_after_each_substep),
        cmocka_unit_test(forces_last_for_all_substeps),
        cmocka_unit_test(what_is_not_connected_breaks_by_itself),
        cmocka_unit_test(the_most_overloaded_joint_of_each_group_breaks),
        cmocka_unit_test(of_equal_ones_the_lowest_breaks),
        cmocka_unit_test(a_spared_joint_goes_on_counting),
        cmocka_unit_test(threads_do_not_change_what_breaks),
        TEST(without_memory_nothing_breaks),
        cmocka_unit_test(a_step_in_parts_is_refused_as_a_whole),
        cmocka_unit_test(touches_of_all_substeps_are_told_once),
        TEST(a_wrong_way_of_breaking_is_refused),
        TEST(scenes_keep_the_way_of_breaking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
