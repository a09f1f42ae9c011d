/*
 * The bookkeeping of events: thresholds are kept through every edit, no event is lost on a body of 5,000 joints, the
 * same events come for any instruction set and number of threads, and a call that finds no memory leaves all as it was.
 */
#include "all_threads.h"
#include "hash.h"
#include "instrumented.h"
#include "physics_tree.h"
#include "solver/core/joint_types.h"
#include "trammel/scene2.h"
#include "world_fixture.h"

#define DT 1.0 / 60.0

static const tr_vec2 origin = {0.0f, 0.0f};

/*
 * Thresholds through edits
 */
static void assert_thresholds(const tr2_world *world, tr2_joint joint, tr_event_at event_at, tr_break_at break_at)
{
    tr2_joint_def def;
    assert_ok(world, tr2_joint_get(world, joint, &def));
    assert_memory_equal(&def.event_at, &event_at, sizeof event_at);
    assert_memory_equal(&def.break_at, &break_at, sizeof break_at);
}

static void every_way_to_set_thresholds_keeps_the_others(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_joint joint = make_joint(world, TR2_REVOLUTE, make_body(world, 0, 0), make_body(world, 0, 0));
    const tr_event_at no_event = {0}, event_at = {1.0f, 2.0f};
    const tr_break_at no_break = {0}, break_at = {3.0f, 4.0f, 5.0f, 6}, steps_only = {.steps = 7};
    assert_thresholds(world, joint, no_event, no_break);
    assert_int_equal(tr2_world_statistics(world).watched_joints, 0);
    assert_ok(world, tr2_joint_set_event_at(world, joint, event_at));
    assert_thresholds(world, joint, event_at, no_break);
    assert_ok(world, tr2_joint_set_break_at(world, joint, break_at));
    assert_thresholds(world, joint, event_at, break_at);
    assert_ok(world, tr2_joint_set_motor_speed(world, joint, 1.0f));
    assert_ok(world, tr2_joint_set_user_data(world, joint, 1));
    assert_thresholds(world, joint, event_at, break_at);
    assert_int_equal(tr2_world_statistics(world).watched_joints, 1);
    assert_ok(world, tr2_joint_set_event_at(world, joint, no_event));
    assert_thresholds(world, joint, no_event, break_at);
    assert_ok(world, tr2_joint_set_break_at(world, joint, steps_only));
    assert_thresholds(world, joint, no_event, steps_only);
    tr2_joint_def def;
    assert_ok(world, tr2_joint_get(world, joint, &def));
    def.event_at = event_at;
    assert_ok(world, tr2_joint_set(world, joint, &def));
    assert_thresholds(world, joint, event_at, steps_only);
    def.event_at = no_event;
    def.break_at = no_break;
    assert_ok(world, tr2_joint_set(world, joint, &def));
    assert_thresholds(world, joint, no_event, no_break);
    assert_int_equal(tr2_world_statistics(world).watched_joints, 0);
}

static void counts_go_on_through_edits_that_leave_the_threshold(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_joint_def def = tr2_joint_def_default(TR2_WELD);
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    assert_ok(world, tr2_world_create_body(world, &fixed, &def.body_a));
    def.body_b = make_body(world, 0, 0);
    def.event_at.force = 1.0f;
    tr2_joint joint;
    assert_ok(world, tr2_world_create_joint(world, &def, &joint));
    steps(world, DT, 4, 3);
    assert_int_equal(tr2_world_events(world).event[0].steps, 3);
    assert_ok(world, tr2_joint_set_value(world, joint, TR2_REFERENCE_ANGLE, 0.0f));
    assert_ok(world, tr2_joint_set_break_at(world, joint, (tr_break_at){.force = 1e9f}));
    assert_ok(world, tr2_joint_set_event_at(world, joint, (tr_event_at){2.0f, 0.0f}));
    /* edits leave the events of the last step */
    assert_int_equal(tr2_world_events(world).count, 1);
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_events(world).event[0].steps, 4);
    assert_ok(world, tr2_joint_set_event_at(world, joint, (tr_event_at){0}));
    assert_ok(world, tr2_joint_set_event_at(world, joint, (tr_event_at){2.0f, 0.0f}));
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_events(world).event[0].steps, 1);

    /* no time, no events; no step, the old ones */
    assert_int_equal(tr2_world_step(world, NAN, 4), TR_ERROR_NAN);
    assert_int_equal(tr2_world_events(world).count, 1);
    assert_ok(world, tr2_world_step(world, 0.0, 4));
    assert_int_equal(tr2_world_events(world).count, 0);
    assert_int_equal(tr2_world_events(NULL).count, 0);
}

/* slots of joints that went are used again, by joints with and without thresholds; rows and bodies move about */
static void slots_that_are_used_again_bring_no_old_thresholds(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { MOST = 300 };
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(world, tr2_world_create_body(world, &fixed, &ground));
    tr2_joint_def defs[MOST];
    tr2_joint ids[MOST];
    bool alive[MOST] = {false};
    uint64_t seed = 5;
    for (int round = 0; round < 60; round++) {
        for (uint32_t i = 0; i < MOST; i++) {
            if (alive[i] && random_between(&seed, 0, 1) < 0.3) {
                if (random_between(&seed, 0, 1) < 0.5)
                    assert_ok(world, tr2_world_destroy_body(world, defs[i].body_b));
                else
                    assert_ok(world, tr2_world_destroy_joint(world, ids[i]));
                alive[i] = false;
            } else if (!alive[i]) {
                /* any number of steps over; half a body's weight, of 1 kg; or nothing */
                double kind = random_between(&seed, 0, 3);
                defs[i] = tr2_joint_def_default(TR2_WELD);
                defs[i].body_a = ground;
                defs[i].body_b = make_body(world, 0, 0);
                defs[i].event_at.force = kind < 1 ? 5.0f : 0.0f;
                defs[i].break_at.force = kind > 2 ? 5.0f : 0.0f;
                defs[i].break_at.steps = 3;
                assert_ok(world, tr2_world_create_joint(world, &defs[i], &ids[i]));
                alive[i] = true;
            }
        }
        if (round % 7 == 3)
            assert_ok(world, tr2_world_optimize(world));
        steps(world, DT, 4, 1);
        uint32_t expected = 0, found = 0, last = 0;
        tr2_event_view events = tr2_world_events(world);
        for (uint32_t i = 0; i < MOST; i++)
            expected += alive[i] && defs[i].event_at.force > 0.0f;
        for (uint32_t e = 0; e < events.count; e++) {
            assert_true(events.event[e].joint.index > last);
            last = events.event[e].joint.index;
            found += events.event[e].kind == TR_EVENT_THRESHOLD;
            for (uint32_t i = 0; i < MOST; i++) {
                if (!alive[i] || memcmp(&ids[i], &events.event[e].joint, sizeof ids[i]) != 0)
                    continue;
                bool breaks = events.event[e].kind == TR_EVENT_BROKEN;
                assert_true((breaks ? defs[i].break_at.force : defs[i].event_at.force) > 0.0f);
                assert_true(!breaks || events.event[e].steps == 3);
                alive[i] = !breaks;
            }
        }
        assert_int_equal(found, expected);
        for (uint32_t i = 0; i < MOST; i++)
            assert_true(alive[i] == tr2_joint_is_valid(world, ids[i]));
    }
    assert_true(tr2_world_statistics(world).broken_joints > 100);
}

/*
 * Scale
 */

/*
 * 5,000 bodies of 0.5 kg on one hub, which is split to be solved. The first step asks each spoke to hold a body that
 * turns at 0.5 rad/s: all are over 0.1 N, and all say so, in order, in every step, as does the pin. Together they carry
 * what the bodies weigh; the circle is balanced, so nothing else is left of the sum.
 */
static void every_joint_of_a_hub_has_its_event(void **state)
{
    (void)state;
    enum { SPOKES = 5000 };
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("hub", SPOKES, &scene, NULL), TR_OK);
    assert_int_equal(scene->joint_count, SPOKES + 1);
    for (uint32_t j = 0; j < scene->joint_count; j++)
        scene->joints[j].def.event_at.force = 0.1f;
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    static tr2_joint joints[SPOKES + 1];
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_scene_build(scene, world, NULL, joints, NULL));
    for (uint32_t step = 1; step <= 60; step++) {
        steps(world, DT, 4, 1);
        tr2_event_view events = tr2_world_events(world);
        assert_int_equal(events.count, SPOKES + 1);
        double sum = 0.0;
        for (uint32_t j = 0; j < events.count; j++) {
            tr2_reaction r = events.event[j].reaction;
            assert_memory_equal(&events.event[j].joint, &joints[j], sizeof joints[j]);
            assert_int_equal(events.event[j].steps, step);
            sum += j > 0 ? (double)r.force.y : 0.0;
        }
        NEAR("weight of all", sum, 0.5 * 10.0 * SPOKES, step < 30 ? INFINITY : 0.01 * 0.5 * 10.0 * SPOKES);
    }
    assert_int_equal(tr2_world_statistics(world).split_bodies, 1);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* the same hub, every spoke too weak: all break in one step, none is left out, and the pin stays */
static void all_joints_of_a_hub_may_break_at_once(void **state)
{
    (void)state;
    enum { SPOKES = 5000 };
    tr2_scene *scene = NULL;
    assert_int_equal(tr2_scene_generate("hub", SPOKES, &scene, NULL), TR_OK);
    for (uint32_t j = 1; j < scene->joint_count; j++) {
        scene->joints[j].def.event_at.force = 0.1f;
        scene->joints[j].def.break_at = (tr_break_at){.force = 0.1f, .steps = 4};
    }
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_scene_build(scene, world, NULL, NULL, NULL));
    steps(world, DT, 4, 4);
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 2 * SPOKES);
    for (uint32_t e = 0; e < events.count; e++)
        assert_int_equal(events.event[e].kind, e % 2 == 0 ? TR_EVENT_THRESHOLD : TR_EVENT_BROKEN);
    assert_int_equal(tr2_world_statistics(world).joints, 1);
    assert_int_equal(tr2_world_statistics(world).watched_joints, 0);
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_events(world).count, 0);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* bodies welded to a hub, which is welded to the ground first: each weld bears 0.5 kg at an arm of 1 m */
static void make_welded_hub(tr2_world *world, uint32_t spokes, double mass, double inertia)
{
    tr2_body hub = body_at(world, 0, 0, 0, mass, inertia);
    (void)join(world, joint_between(TR2_WELD, static_at(world, 0, 0), hub, origin, origin));
    for (uint32_t i = 0; i < spokes; i++) {
        tr_vec2 place = {(float)(2.0 * cos(0.1 * i)), (float)(2.0 * sin(0.1 * i))};
        tr2_body spoke = body_at(world, (double)place.x + 1.0, (double)place.y, 0, 0.5, 0.1);
        tr2_joint_def def = joint_between(TR2_WELD, hub, spoke, place, (tr_vec2){-1.0f, 0.0f});
        def.event_at.torque = 0.1f;
        def.break_at.torque = 0.1f;
        (void)join(world, def);
    }
}

/*
 * Each weld is asked for 5 N m, where it may give 0.1: all break in the first step. A heavy hub is split over copies, a
 * light one's welds are solved exactly as a tree. On any number of threads each weld has its two events, which say the
 * same, in the order of the joints.
 */
static void all_welds_of_a_hub_may_break_by_torque_in_the_first_step(void **state)
{
    (void)state;
    enum { SPOKES = 5000 };
    for (int light = 0; light < 2; light++) {
        uint64_t hash[3];
        for (uint32_t t = 0; t < 3; t++) {
            tr2_world_def def = tr2_world_def_default();
            def.threads = 1u << t;
            def.tag = 1;
            tr2_world *world = NULL;
            MUST(tr2_world_create(&def, &world, NULL));
            step_on_all_threads(world);
            make_welded_hub(world, SPOKES, light ? 10.0 : 1e5, light ? 10.0 : 1e6);
            steps(world, DT, 4, 1);
            tr_statistics statistics = tr2_world_statistics(world);
            assert_int_equal(statistics.exact_joints, light ? SPOKES + 1 : 0);
            assert_int_equal(statistics.split_bodies, 1);
            assert_int_equal(statistics.threads, def.threads);
            tr2_event_view events = tr2_world_events(world);
            assert_int_equal(events.count, 2 * SPOKES);
            hash[t] = tr2_world_state_hash(world);
            for (uint32_t e = 0; e < events.count; e++) {
                const tr2_event *event = &events.event[e], *twin = &events.event[e - e % 2];
                assert_int_equal(event->kind, e % 2 == 0 ? TR_EVENT_THRESHOLD : TR_EVENT_BROKEN);
                assert_int_equal(event->joint.index, e / 2 + 2);
                assert_true(fabsf(event->reaction.torque) > 0.1f);
                assert_memory_equal(&event->reaction, &twin->reaction, sizeof event->reaction);
                hash[t] = mix_bytes(hash[t], &event->reaction, sizeof event->reaction);
            }
            assert_int_equal(statistics.joints, 1);
            tr2_world_destroy(world);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

/*
 * Joints whose impulses are small are passed over without their reaction being worked out. That is right where the type
 * says so: random joints, poses and impulses, whose force and torque must be within the sum of the impulses.
 */
static void unit_rows_bound_the_reaction(void **state)
{
    (void)state;
    uint64_t seed = 21;
    uint32_t types = 0;
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        const tr2_joint_type_info *info = tr2_joint_types[type];
        types += info->has_unit_rows;
        for (int i = 0; info->has_unit_rows && i < 2000; i++) {
            tr2_joint_def def = odd_joint((tr2_joint_type)type);
            double turn = random_between(&seed, -PI, PI), other = random_between(&seed, -PI, PI);
            tr2_joint_pose pose = {.axis = {cos(turn), sin(turn)}, .c_a = cos(other), .s_a = sin(other)};
            pose.d = (tr_dvec2){random_between(&seed, -9, 9), random_between(&seed, -9, 9)};
            pose.angle = random_between(&seed, -9, 9);
            float impulse[TR2_MAX_IMPULSES], inv_h = (float)random_between(&seed, 1, 1000);
            double sum = 0.0;
            for (uint32_t k = 0; k < info->impulse_count; k++) {
                impulse[k] = random_between(&seed, 0, 1) < 0.5 ? 0.0f : (float)random_between(&seed, -5, 5);
                sum += fabs((double)impulse[k]) * (double)inv_h;
            }
            tr2_reaction r = {0};
            info->reaction(&def, &pose, impulse, inv_h, &r);
            /* floats round each share and the sum of a few of them */
            assert_true(hypot((double)r.force.x, (double)r.force.y) <= sum * (1.0 + 1e-6));
            assert_true(fabs((double)r.torque) <= sum * (1.0 + 1e-6));
        }
    }
    assert_true(types >= 6);
}

/*
 * The same events
 */
enum { STEPS = TRIALS(40), TREES = 400, SPOKES = 400 };

/* trees of joints of every type whose thresholds are passed at different times, and a hub */
static void make_brittle_scene(tr2_world *world)
{
    uint64_t seed = 11;
    for (uint32_t i = 0; i < TREES; i++) {
        tree_options options = {
            .mass_ratio = 5.0, .features = i % 2 == 1, .spin = 3.0, .x = 10.0 * (i % 25), .y = 10.0 * (double)(i / 25)};
        tree t = make_tree(world, &seed, options);
        for (uint32_t k = 1; k < t.bodies; k++) {
            float f = (float)exp(random_between(&seed, 0, 6));
            if (k % 2 == 0)
                MUST(tr2_joint_set_event_at(world, t.joint[k], (tr_event_at){f, 0.3f * f}));
            if (k % 3 != 0)
                MUST(tr2_joint_set_break_at(world, t.joint[k], (tr_break_at){f, 0.5f * f, 0.1f * f, k}));
        }
    }
    tr2_body hub = body_at(world, -50, 0, 0, 100, 50);
    for (uint32_t i = 0; i < SPOKES; i++) {
        double c = cos(0.1 * i), s = sin(0.1 * i);
        tr2_joint_def def = joint_between(TR2_REVOLUTE, hub, body_at(world, -50 + 2 * c, 2 * s, 0, 0.5, 0.1),
                                          (tr_vec2){(float)c, (float)s}, (tr_vec2){-(float)c, -(float)s});
        def.event_at.force = 1e-3f;
        def.break_at = (tr_break_at){.force = 0.01f * (float)i, .steps = i % 7};
        (void)join(world, def);
    }
    MUST(tr2_body_set_velocity(world, hub, origin, 20.0f));
}

static void run_brittle_scene(uint32_t threads, uint64_t *hashes, uint64_t *broken)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = threads;
    def.tag = 3;
    MUST(tr2_world_create(&def, &world, NULL));
    step_on_all_threads(world);
    make_brittle_scene(world);
    for (uint32_t i = 0; i < STEPS; i++) {
        steps(world, DT, 4, 1);
        tr2_event_view events = tr2_world_events(world);
        hashes[i] = tr2_world_state_hash(world);
        for (uint32_t e = 0; e < events.count; e++) {
            const tr2_event *event = &events.event[e];
            hashes[i] = mix_bytes(hashes[i], &event->kind, sizeof event->kind);
            hashes[i] = mix_bytes(hashes[i], &event->joint, sizeof event->joint);
            hashes[i] = mix_bytes(hashes[i], &event->reaction, sizeof event->reaction);
            hashes[i] = mix_bytes(hashes[i], &event->steps, sizeof event->steps);
        }
    }
    *broken = tr2_world_statistics(world).broken_joints;
    tr2_world_destroy(world);
}

static void the_same_events_for_all_instruction_sets_and_threads(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS], wanted, broken;
    tr_isa chosen = tr_get_isa();
    MUST(tr_set_isa(TR_ISA_SCALAR));
    run_brittle_scene(1, want, &wanted);
    assert_true(wanted > 500);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        MUST(tr_set_isa((tr_isa)isa));
        for (uint32_t threads = 1; threads <= 4; threads++) {
            run_brittle_scene(threads, is, &broken);
            assert_true(broken == wanted);
            for (uint32_t i = 0; i < STEPS; i++)
                if (is[i] != want[i])
                    fail_msg("%s, %u threads: other events in step %u", tr_isa_name((tr_isa)isa), threads, i + 1);
        }
    }
    MUST(tr_set_isa(chosen));
}

/*
 * Memory
 */
typedef struct attempt {
    tr2_world *world;
    tr2_joint_def defs[40];
    tr2_joint ids[40];
} attempt;

static tr_status try_create(attempt *it)
{
    return tr2_world_create_joints(it->world, it->defs, 40, it->ids);
}

static tr_status try_event_at(attempt *it)
{
    return tr2_joint_set_event_at(it->world, it->ids[0], (tr_event_at){1.0f, 2.0f});
}

static tr_status try_break_at(attempt *it)
{
    return tr2_joint_set_break_at(it->world, it->ids[0], (tr_break_at){1.0f, 2.0f, 3.0f, 4});
}

static tr_status try_set(attempt *it)
{
    tr2_joint_def def = it->defs[0];
    def.event_at.force = 1.0f;
    return tr2_joint_set(it->world, it->ids[0], &def);
}

static tr_status try_step(attempt *it)
{
    return tr2_world_step(it->world, DT, 4);
}

/* each allocation of a call fails in turn; the hash, the counts, the thresholds and the events stay. How many there
   were */
static uint64_t exhaust(test_allocator *allocator, attempt *it, tr_status (*call)(attempt *))
{
    for (uint64_t n = 1;; n++) {
        uint64_t hash = tr2_world_state_hash(it->world);
        tr_statistics before = tr2_world_statistics(it->world);
        tr2_event_view events = tr2_world_events(it->world);
        tr2_event first = {0}, now = {0};
        if (events.count > 0)
            memcpy(&first, events.event, sizeof first);
        test_fail_in(allocator, n);
        tr_status status = call(it);
        test_fail_in(allocator, 0);
        if (status == TR_OK)
            return n - 1;
        tr_statistics after = tr2_world_statistics(it->world);
        assert_int_equal(status, TR_ERROR_MEMORY);
        assert_int_equal(tr2_world_last_error(it->world)->status, TR_ERROR_MEMORY);
        assert_true(tr2_world_state_hash(it->world) == hash);
        assert_int_equal(after.joints, before.joints);
        assert_int_equal(after.watched_joints, before.watched_joints);
        assert_int_equal(tr2_world_events(it->world).count, events.count);
        if (events.count > 0)
            memcpy(&now, tr2_world_events(it->world).event, sizeof now);
        assert_memory_equal(&first, &now, sizeof first);
    }
}

static void without_memory_no_threshold_and_no_event_is_lost(void **state)
{
    fixture *owner = *state;
    test_allocator *allocator = &owner->allocator;
    attempt it = {.world = owner->world};
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(it.world, tr2_world_create_body(it.world, &fixed, &ground));
    for (int i = 0; i < 40; i++) {
        it.defs[i] = tr2_joint_def_default(TR2_WELD);
        it.defs[i].body_a = ground;
        it.defs[i].body_b = make_body(it.world, i, 0);
        it.defs[i].anchor_a.x = (float)i;
    }

    /* the first threshold of a world makes four tables, of which a call that fails keeps those it has made: the first
       fails, then the second, the third, then none; it may come by any of these calls */
    static tr_status (*const calls[])(attempt *) = {try_event_at, try_break_at, try_set};
    assert_ok(it.world, try_create(&it));
    assert_int_equal(exhaust(allocator, &it, calls[0]), 3);
    for (int k = 1; k < 3; k++) {
        tr2_world_destroy(it.world);
        tr2_world_def def = tr2_world_def_default();
        def.threads = 1;
        def.allocator = test_hooks(allocator);
        assert_int_equal(tr2_world_create(&def, &owner->world, NULL), TR_OK);
        it.world = owner->world;
        assert_ok(it.world, tr2_world_create_body(it.world, &fixed, &ground));
        for (int i = 0; i < 40; i++) {
            it.defs[i].body_a = ground;
            it.defs[i].body_b = make_body(it.world, i, 0);
        }
        assert_ok(it.world, try_create(&it));
        assert_int_equal(exhaust(allocator, &it, calls[k]), 3);
    }

    /* batches: 40 more, all with thresholds; then steps, whose events go from 0 to 40 and need room */
    for (int i = 0; i < 40; i++) {
        it.defs[i].event_at.force = 1e-6f;
        it.defs[i].break_at = (tr_break_at){.force = 1e-6f, .steps = 6};
    }
    assert_true(exhaust(allocator, &it, try_create) > 3);
    assert_int_equal(tr2_world_statistics(it.world).watched_joints, 41);
    assert_true(exhaust(allocator, &it, try_step) > 3);
    steps(it.world, DT, 4, 1);
    assert_true(tr2_world_events(it.world).count >= 40);
    assert_ok(it.world, try_create(&it));
    assert_true(exhaust(allocator, &it, try_step) > 0);
    assert_true(tr2_world_events(it.world).count >= 80);

    /* breaking itself needs none, beyond what a step does */
    steps(it.world, DT, 4, 2);
    assert_int_equal(tr2_world_statistics(it.world).broken_joints, 0);
    test_fail_in(allocator, 1);
    assert_ok(it.world, try_step(&it));
    assert_int_equal(tr2_world_statistics(it.world).broken_joints, 40);
    test_fail_in(allocator, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_way_to_set_thresholds_keeps_the_others),
        TEST(counts_go_on_through_edits_that_leave_the_threshold),
        TEST(slots_that_are_used_again_bring_no_old_thresholds),
        cmocka_unit_test(every_joint_of_a_hub_has_its_event),
        cmocka_unit_test(all_joints_of_a_hub_may_break_at_once),
        cmocka_unit_test(all_welds_of_a_hub_may_break_by_torque_in_the_first_step),
        cmocka_unit_test(unit_rows_bound_the_reaction),
        cmocka_unit_test(the_same_events_for_all_instruction_sets_and_threads),
        TEST(without_memory_no_threshold_and_no_event_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
