/*
 * Events and breaking: what the thresholds see is what the laws of statics and motion say a joint bears, and a joint
 * that breaks takes nothing with it.
 */
#include "physics.h"

#define DT 1.0 / 60.0

static const tr_vec2 origin = {0.0f, 0.0f};

static const tr2_event *only_event(const tr2_world *world)
{
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 1);
    return events.event;
}

static double magnitude(tr_vec2 v)
{
    return hypot((double)v.x, (double)v.y);
}

/* one that holds a body by its centre against gravity, whatever the type */
static tr2_joint_def holder(tr2_world *world, tr2_joint_type type, tr2_body body)
{
    tr2_body_def b = body_now(world, body);
    tr2_joint_def def = joint_between(type, static_at(world, b.position.x, b.position.y), body, origin, origin);
    if (type == TR2_JOINT_DISTANCE) {
        def.anchor_a.y = 1.0f;
        def.length = 1.0f;
    }
    if (type == TR2_JOINT_MOTOR) {
        def.drive.position = true;
        def.drive.max_force = def.drive.max_torque = 1e6f;
    }
    return def;
}

/*
 * Thresholds
 */

/* 2 kg at rest weigh 19.62 N, on a joint of any type: above nine tenths of that there is an event in each step, above
   eleven tenths none. At rest the rows are relaxed, so the force is the weight to the rounding of impulses. */
static void a_hanging_weight_is_what_the_event_reports(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_REVOLUTE, TR2_JOINT_DISTANCE, TR2_JOINT_PRISMATIC, TR2_JOINT_WELD, TR2_JOINT_WHEEL, TR2_JOINT_MOTOR};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_joint_def def = holder(world, types[t], body_at(world, 3, 4, 0, 2.0, 1.0));
        def.event_at.force = (float)(0.9 * 2.0 * G);
        def.user_data = 77;
        tr2_joint joint = join(world, def);
        def.event_at.force = (float)(1.1 * 2.0 * G);
        def.body_b = body_at(world, 3, 4, 0, 2.0, 1.0);
        (void)join(world, def);
        steps(world, DT, 4, 240);
        const tr2_event *event = only_event(world);
        assert_int_equal(event->kind, TR_EVENT_THRESHOLD);
        assert_int_equal(event->type, types[t]);
        assert_memory_equal(&event->joint, &joint, sizeof joint);
        assert_true(event->user_data == 77);
        NEAR("weight", (double)event->reaction.force.y, 2.0 * G, 1e-2);
        NEAR("sideways", (double)event->reaction.force.x, 0.0, 1e-3);
        /* steps in a row, and one event for each */
        uint32_t before = event->steps;
        assert_true(before > 100 && before <= 240);
        steps(world, DT, 4, 1);
        assert_int_equal(only_event(world)->steps, before + 1);
        tr2_world_destroy(world);
    }
}

/* the same 2 kg on a spring, on a rope at its end, on a limit: the share of each feature is in the event */
static void springs_ropes_and_limits_count(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_joint_def defs[3];
    for (int i = 0; i < 3; i++) {
        defs[i] = holder(world, i == 2 ? TR2_JOINT_PRISMATIC : TR2_JOINT_DISTANCE, body_at(world, 5.0 * i, 0, 0, 2.0, 1.0));
        defs[i].event_at.force = (float)(0.9 * 2.0 * G);
    }
    defs[0].linear = tr_physical(500.0f, 50.0f);
    defs[1].linear = tr_frequency(0.0f, 0.0f);
    defs[1].limit = (tr_limit){true, 0.0f, 1.0f};
    defs[2].axis = (tr_vec2){0.0f, 1.0f};
    defs[2].limit = (tr_limit){true, -0.25f, 0.25f};
    for (int i = 0; i < 3; i++)
        (void)join(world, defs[i]);
    steps(world, DT, 4, 600);
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 3);
    for (uint32_t i = 0; i < 3; i++)
        NEAR("force", magnitude(events.event[i].reaction.force), 2.0 * G, 1e-2);
    NEAR("spring", fabs((double)events.event[0].reaction.spring), 2.0 * G, 1e-2);
    NEAR("rope", (double)events.event[1].reaction.upper, -2.0 * G, 1e-2);
    NEAR("limit", (double)events.event[2].reaction.lower, 2.0 * G, 1e-2);
    tr2_world_destroy(world);
}

/* a motor that slips turns with its maximum, 3 N m; a body of 2 kg, welded 1.5 m out, bends its weld by m g 1.5 m */
static void torques_count(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_joint_def axle = holder(world, TR2_JOINT_REVOLUTE, body_at(world, 0, 0, 0, 1.0, 5.0));
    axle.motor = (tr_motor){true, 1e3f, 3.0f};
    axle.event_at.torque = 2.99f;
    (void)join(world, axle);
    axle.body_b = body_at(world, 0, 0, 0, 1.0, 5.0);
    axle.event_at.torque = 3.01f;
    (void)join(world, axle);
    tr2_body load = body_at(world, 11.5, 0, 0, 2.0, 1.0);
    tr2_joint_def weld = joint_between(TR2_JOINT_WELD, static_at(world, 10, 0), load, origin, (tr_vec2){-1.5f, 0.0f});
    weld.event_at.torque = (float)(0.9 * 2.0 * G * 1.5);
    (void)join(world, weld);
    steps(world, DT, 4, 240);
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 2);
    NEAR("motor", (double)events.event[0].reaction.torque, 3.0, 1e-5);
    NEAR("weld", (double)events.event[1].reaction.torque, 2.0 * G * 1.5, 2e-2);
    NEAR("weld", (double)events.event[1].reaction.force.y, 2.0 * G, 1e-2);
    tr2_world_destroy(world);
}

/* where a ratio makes the two ends differ, the load is B's: 2 kg that hang over a wheel, on a rope whose other end is
   tied down at twice its pull; a wheel that is held still by a gear of ratio 3 against a torque of 4 N m */
static void pulleys_and_gears_tell_the_load_of_b(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_joint_def rope =
        joint_between(TR2_JOINT_PULLEY, static_at(world, -1, 0), body_at(world, 1, 0, 0, 2.0, 1.0), origin, origin);
    rope.ground_a = (tr_dvec2){-1.0, 3.0};
    rope.ground_b = (tr_dvec2){1.0, 3.0};
    rope.ratio = 2.0f;
    rope.length = 2.0f * 3.0f + 3.0f;
    rope.event_at.force = (float)(0.9 * 2.0 * G);
    (void)join(world, rope);
    tr2_body wheel = body_at(world, 10, 0, 0, 1.0, 1.0);
    (void)join(world, holder(world, TR2_JOINT_REVOLUTE, wheel));
    tr2_joint_def gear = joint_between(TR2_JOINT_GEAR, static_at(world, 9, 0), wheel, origin, origin);
    gear.ratio = 3.0f;
    gear.break_at = (tr_break_at){.torque = 3.9f, .steps = 240};
    (void)join(world, gear);
    for (int i = 0; i < 240; i++) {
        MUST(tr2_body_apply_torque(world, wheel, 4.0f));
        steps(world, DT, 4, 1);
    }
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 2);
    NEAR("rope", (double)events.event[0].reaction.force.y, 2.0 * G, 1e-2);
    assert_int_equal(events.event[1].kind, TR_EVENT_BROKEN);
    NEAR("gear", (double)events.event[1].reaction.torque, -4.0, 1e-3);
    tr2_world_destroy(world);
}

/*
 * Breaking
 */

/* a body without weight on a joint, pushed by a force that grows by 1 N in each step; the step in which it breaks */
static uint32_t load_until_broken(tr_break_at break_at, double dt, bool by_torque, tr2_event *out)
{
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
    tr2_joint_def def = holder(world, TR2_JOINT_WELD, body);
    def.break_at = break_at;
    tr2_joint joint = join(world, def);
    uint32_t step = 0;
    do {
        step++;
        if (by_torque)
            MUST(tr2_body_apply_torque(world, body, (float)step));
        else
            MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){(float)step, 0.0f}));
        steps(world, dt, 4, 1);
    } while (tr2_world_events(world).count == 0 && step < 1000);
    *out = *only_event(world);
    assert_int_equal(out->kind, TR_EVENT_BROKEN);
    assert_memory_equal(&out->joint, &joint, sizeof joint);
    assert_false(tr2_joint_is_valid(world, joint));
    assert_int_equal(tr2_world_statistics(world).joints, 0);
    assert_int_equal(tr2_world_statistics(world).broken_joints, 1);
    /* the event is of that step only, and the body goes on */
    steps(world, dt, 4, 1);
    assert_int_equal(tr2_world_events(world).count, 0);
    tr2_world_destroy(world);
    return step;
}

/* The joint follows a load that grows so slowly within 3 steps' growth: it swings about the static force a little. */
#define LAG 3.0

static void a_joint_breaks_when_its_force_is_reached(void **state)
{
    (void)state;
    tr2_event event;
    uint32_t step = load_until_broken((tr_break_at){.force = 100.5f}, DT, false, &event);
    NEAR("load at break", step, 101.0, LAG);
    assert_true(magnitude(event.reaction.force) > 100.5);
    NEAR("force", magnitude(event.reaction.force), 101.0, LAG);
    assert_int_equal(event.steps, 1);
}

static void a_joint_breaks_when_its_torque_is_reached(void **state)
{
    (void)state;
    tr2_event event;
    uint32_t step = load_until_broken((tr_break_at){.torque = 100.5f}, DT, true, &event);
    NEAR("load at break", step, 101.0, LAG);
    assert_true(fabs((double)event.reaction.torque) > 100.5);
    NEAR("torque", (double)event.reaction.torque, -101.0, LAG);
    /* neither does the other kind of load count for a threshold */
    step = load_until_broken((tr_break_at){.force = 50.5f, .torque = 1.0f}, DT, false, &event);
    NEAR("load at break", step, 51.0, LAG);
}

/* 2 N s is 120 N over 1/60 s and 240 N over 1/120 s */
static void a_joint_breaks_when_its_impulse_is_reached(void **state)
{
    (void)state;
    tr2_event event;
    for (int i = 1; i <= 2; i++) {
        uint32_t step = load_until_broken((tr_break_at){.impulse = 2.0f}, 1.0 / (60.0 * i), false, &event);
        NEAR("load at break", step, 120.0 * i, LAG);
        assert_true(magnitude(event.reaction.force) > 120.0 * i);
    }
}

/* three steps in a row, not two and then another two; the count is what the event says */
static void a_joint_may_bear_a_load_for_some_steps(void **state)
{
    (void)state;
    static const uint32_t pushes[] = {2, 1, 2, 3}, rests[] = {3, 4, 5, 0};
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
    tr2_joint_def def = holder(world, TR2_JOINT_REVOLUTE, body);
    def.break_at = (tr_break_at){.force = 60.0f, .steps = 3};
    tr2_joint joint = join(world, def);
    for (int i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < pushes[i]; k++) {
            assert_true(tr2_joint_is_valid(world, joint));
            MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){0.0f, 100.0f}));
            steps(world, DT, 4, 1);
            /* each push is over, at once; the third in a row breaks */
            assert_true(k == 2 || magnitude(reaction_of(world, joint).force) > 60.0);
        }
        /* a rest is a load of 54 N, askew, so that its parts together are over */
        for (uint32_t k = 0; k < rests[i]; k++) {
            MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){38.0f, 38.0f}));
            steps(world, DT, 4, 1);
        }
    }
    const tr2_event *event = only_event(world);
    assert_int_equal(event->kind, TR_EVENT_BROKEN);
    assert_int_equal(event->steps, 3);
    NEAR("force", magnitude(event->reaction.force), 100.0, 10.0);
    tr2_world_destroy(world);
}

/* a joint over both of its thresholds has both events, the lesser first */
static void a_joint_that_breaks_is_also_over_its_threshold(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_joint_def def = holder(world, TR2_JOINT_WELD, body_at(world, 0, 0, 0, 2.0, 1.0));
    def.event_at.force = 1.0f;
    def.break_at = (tr_break_at){.force = 2.0f, .steps = 5};
    (void)join(world, def);
    steps(world, DT, 4, 4);
    assert_int_equal(only_event(world)->steps, 4);
    steps(world, DT, 4, 1);
    tr2_event_view events = tr2_world_events(world);
    assert_int_equal(events.count, 2);
    assert_int_equal(events.event[0].kind, TR_EVENT_THRESHOLD);
    assert_int_equal(events.event[1].kind, TR_EVENT_BROKEN);
    assert_int_equal(events.event[1].steps, 5);
    assert_memory_equal(&events.event[0].reaction, &events.event[1].reaction, sizeof events.event[0].reaction);
    tr2_world_destroy(world);
}

/*
 * A rope of 12 links of 0.5 kg, a force at its end that grows by 0.5 N in each step. Joint k bears the links below it
 * and the force: the top one most, by one link's weight more than the next. It breaks first and alone; then all falls.
 */
static void a_rope_breaks_at_its_top_link(void **state)
{
    (void)state;
    enum { LINKS = 12 };
    const double strength = 200.0, weight = 0.5 * G;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body body = static_at(world, 0, 0);
    tr2_joint joints[LINKS];
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = body_at(world, 0, -0.1 - 0.2 * i, 0, 0.5, 0.5 * 0.04 / 12);
        tr2_joint_def def =
            joint_between(TR2_JOINT_REVOLUTE, body, link, (tr_vec2){0.0f, i == 0 ? 0.0f : -0.1f}, (tr_vec2){0.0f, 0.1f});
        def.break_at.force = (float)strength;
        joints[i] = join(world, def);
        body = link;
    }
    double force = 0.0;
    while (tr2_world_events(world).count == 0 && force < 1000.0) {
        force += 0.5;
        MUST(tr2_body_apply_force_to_center(world, body, (tr_vec2){0.0f, -(float)force}));
        steps(world, DT, 8, 1);
    }
    const tr2_event *event = only_event(world);
    assert_memory_equal(&event->joint, &joints[0], sizeof joints[0]);
    assert_true((double)event->reaction.force.y > strength);
    NEAR("load", force + LINKS * weight, strength, LAG);
    NEAR("force", (double)event->reaction.force.y, strength, LAG);

    /* released, the rope shrinks back by what it had sagged, and falls as one: nothing else breaks */
    double height = tr2_world_measure(world).potential_energy / (LINKS * weight);
    double energy = tr2_world_measure(world).kinetic_energy;
    assert_true(energy < 0.1);
    for (int i = 0; i < 60; i++) {
        steps(world, DT, 8, 1);
        assert_int_equal(tr2_world_events(world).count, 0);
    }
    double fallen = height - tr2_world_measure(world).potential_energy / (LINKS * weight);
    /* g/2 t^2 after 1 s, by the sum of first-order sub-steps; it began with less than sqrt(2 * 0.1 J / 6 kg) m/s */
    NEAR("fall", fallen, 0.5 * G * (1.0 + 1.0 / 480.0), 0.2);
    assert_int_equal(tr2_world_statistics(world).joints, LINKS - 1);
    tr2_world_destroy(world);
}

/*
 * What breaking leaves as it was
 */

/* two tied bodies that turn about each other in free flight */
static tr2_world *dumbbell(tr2_body *a, tr2_body *b, tr_break_at break_at)
{
    tr2_world *world = world_of(0.0, 60.0f);
    *a = body_at(world, 0, 0, 0, 1.0, 0.1);
    *b = body_at(world, 2, 0, 0, 3.0, 0.2);
    MUST(tr2_body_set_velocity(world, *a, (tr_vec2){1.0f, -7.0f}, 2.0f));
    MUST(tr2_body_set_velocity(world, *b, (tr_vec2){1.0f, 3.0f}, -1.0f));
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, *a, *b, (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f});
    def.break_at = break_at;
    (void)join(world, def);
    return world;
}

/* the step that breaks a joint moves the bodies as one that does not, to the bit; then they go straight, and momentum
   is that of before to the rounding of floats */
static void breaking_keeps_momentum(void **state)
{
    (void)state;
    tr2_body a, b, twin_a, twin_b;
    tr2_world *world = dumbbell(&a, &b, (tr_break_at){.force = 10.0f, .steps = 30});
    tr2_world *twin = dumbbell(&twin_a, &twin_b, (tr_break_at){0});
    tr2_measures start = tr2_world_measure(world);
    uint32_t step = 0;
    while (tr2_world_events(world).count == 0 && step++ < 120) {
        steps(world, DT, 4, 1);
        steps(twin, DT, 4, 1);
    }
    assert_int_equal(only_event(world)->kind, TR_EVENT_BROKEN);
    tr2_body_def is = body_now(world, a), want = body_now(twin, twin_a);
    assert_memory_equal(&is, &want, sizeof is);
    is = body_now(world, b);
    want = body_now(twin, twin_b);
    assert_memory_equal(&is, &want, sizeof is);

    tr2_measures broken = tr2_world_measure(world);
    steps(world, DT, 4, 120);
    tr2_measures end = tr2_world_measure(world);
    tr2_body_def later = body_now(world, b);
    NEAR("momentum x", broken.momentum.x, start.momentum.x, 1e-5);
    NEAR("momentum y", broken.momentum.y, start.momentum.y, 1e-5);
    NEAR("angular momentum", broken.angular_momentum, start.angular_momentum, 1e-4 * fabs(start.angular_momentum));
    NEAR("momentum x after", end.momentum.x, broken.momentum.x, 0.0);
    NEAR("momentum y after", end.momentum.y, broken.momentum.y, 0.0);
    /* 480 sums of a position in double: exact but for the rounding of each sub-step's float way */
    NEAR("angular momentum after", end.angular_momentum, broken.angular_momentum, 1e-5 * fabs(broken.angular_momentum));
    NEAR("energy after", end.kinetic_energy, broken.kinetic_energy, 0.0);
    NEAR("straight x", later.position.x, is.position.x + 2.0 * (double)is.velocity.x, 1e-4);
    NEAR("straight y", later.position.y, is.position.y + 2.0 * (double)is.velocity.y, 1e-4);
    tr2_world_destroy(world);
    tr2_world_destroy(twin);
}

/* the state is that of a world without thresholds, as long as none is passed; counts are state */
static void thresholds_that_are_not_passed_change_no_bit(void **state)
{
    (void)state;
    tr2_body a, b;
    tr2_world *plain = dumbbell(&a, &b, (tr_break_at){0});
    tr2_world *strong = dumbbell(&a, &b, (tr_break_at){1e6f, 1e6f, 1e6f, 2});
    tr2_world *counting = dumbbell(&a, &b, (tr_break_at){.force = 1.0f, .steps = 1000});
    for (int i = 0; i < 60; i++) {
        assert_true(tr2_world_state_hash(plain) == tr2_world_state_hash(strong));
        assert_true((tr2_world_state_hash(plain) == tr2_world_state_hash(counting)) == (i == 0));
        steps(plain, DT, 4, 1);
        steps(strong, DT, 4, 1);
        steps(counting, DT, 4, 1);
        assert_int_equal(tr2_world_events(strong).count, 0);
    }
    tr2_world_destroy(plain);
    tr2_world_destroy(strong);
    tr2_world_destroy(counting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_weight_is_what_the_event_reports),
        cmocka_unit_test(springs_ropes_and_limits_count),
        cmocka_unit_test(torques_count),
        cmocka_unit_test(pulleys_and_gears_tell_the_load_of_b),
        cmocka_unit_test(a_joint_breaks_when_its_force_is_reached),
        cmocka_unit_test(a_joint_breaks_when_its_torque_is_reached),
        cmocka_unit_test(a_joint_breaks_when_its_impulse_is_reached),
        cmocka_unit_test(a_joint_may_bear_a_load_for_some_steps),
        cmocka_unit_test(a_joint_that_breaks_is_also_over_its_threshold),
        cmocka_unit_test(a_rope_breaks_at_its_top_link),
        cmocka_unit_test(breaking_keeps_momentum),
        cmocka_unit_test(thresholds_that_are_not_passed_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
