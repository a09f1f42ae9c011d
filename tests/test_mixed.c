/*
 * Islands that the direct method solves in a world of sweeps: they move as in a world of their own, and so do the others;
 * what hangs together with them joins them if that is few bodies; which ones they are is decided by the bodies that ask for it and
 * by loads, and by nothing that has been. Nothing gains energy where they meet what is swept.
 */
#include "all_threads.h"
#include "instrumented.h"
#include "overlaps.h"
#include "physics.h"

static tr2_world *mixed_world(tr_method method, uint32_t threads)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.method = method;
    def.threads = threads;
    def.tag = 7; /* ids are those of each other */
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

static void pin(tr2_world *world, tr2_body a, tr2_body b, double x, double y)
{
    (void)revolute(world, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
}

#define LINKS 8

/* links from (x, 0) to the right, pinned at the left */
static void chain_at(tr2_world *world, double x, tr2_body links[LINKS])
{
    tr2_body before = static_at(world, x, 0.0);
    for (uint32_t i = 0; i < LINKS; i++) {
        links[i] = body_at(world, x + 0.5 + i, 0.0, 0.0, 1.0, 0.1);
        pin(world, before, links[i], x + i, 0.0);
        before = links[i];
    }
}

/* one of two chains asks for it */
static void each_moves_as_in_a_world_of_its_own(void **state)
{
    (void)state;
    tr2_world *both = mixed_world(TR_SOFT_STEP, 1), *direct = mixed_world(TR_DIRECT, 1),
              *swept = mixed_world(TR_SOFT_STEP, 1);
    tr2_body chosen[LINKS], other[LINKS], alone[LINKS], only[LINKS];
    chain_at(both, 0.0, chosen);
    chain_at(both, 20.0, other);
    chain_at(direct, 0.0, alone);
    chain_at(swept, 20.0, only);
    MUST(tr2_body_set_direct(both, chosen[LINKS - 1], true));
    for (uint32_t i = 0; i < 120; i++) {
        steps(both, 1.0 / 60.0, 4, 1);
        steps(direct, 1.0 / 60.0, 4, 1);
        steps(swept, 1.0 / 60.0, 4, 1);
        for (uint32_t k = 0; k < LINKS; k++)
            assert_true(moves_alike(both, chosen[k], direct, alone[k]) && moves_alike(both, other[k], swept, only[k]));
    }
    const tr_statistics s = tr2_world_statistics(both);
    assert_int_equal(s.direct_islands, 1);
    assert_int_equal(s.exact_joints, LINKS);
    assert_true(body_now(both, chosen[LINKS - 1]).direct);
    /* and no longer */
    MUST(tr2_body_set_direct(both, chosen[LINKS - 1], false));
    steps(both, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(both).direct_islands, 0);
    assert_false(body_now(both, chosen[LINKS - 1]).direct);
    tr2_world_destroy(both);
    tr2_world_destroy(direct);
    tr2_world_destroy(swept);
}

static tr2_body disc_at(tr2_world *world, double x, double y)
{
    tr2_body body = body_at(world, x, y, 0.0, 1.0, 1.0);
    tr2_shape_def def = tr2_shape_def_default(TR2_CIRCLE);
    def.body = body;
    def.radius = 0.15f;
    def.density = 50.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
    return body;
}

static void add_box(tr2_world *world, tr2_body body, double x, double y, double half_x, double half_y)
{
    tr2_shape_def def =
        tr2_offset_box_on(body, (float)half_x, (float)half_y, (tr_vec2){(float)x, (float)y}, 1.0f, 0.0f);
    def.density = 0.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
}

/* A trough, 6 m wide, that two rods of 2 m hold up from below, where one of them is welded, or let hang from pins. `feet`:
   their joints to the ground; may be null. */
static tr2_body trough(tr2_world *world, double side, tr2_joint feet[2])
{
    tr2_body ground = static_at(world, 0.0, 0.0), box = body_at(world, 0.0, 0.0, 0.0, 50.0, 150.0);
    add_box(world, box, 0.0, 0.0, 3.3, 0.1);
    add_box(world, box, -3.2, 1.5, 0.1, 1.5);
    add_box(world, box, 3.2, 1.5, 0.1, 1.5);
    for (int i = 0; i < 2; i++) {
        const double x = i == 0 ? -3.0 : 3.0;
        tr2_body rod = body_at(world, x, side, 0.0, 5.0, 2.0);
        const tr2_joint foot = join(world, joint_between(side < 0.0 && i == 0 ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE,
                                                         ground, rod, local_point_of(world, ground, x, 2.0 * side),
                                                         local_point_of(world, rod, x, 2.0 * side)));
        if (feet != NULL)
            feet[i] = foot;
        pin(world, rod, box, x, 0.0);
    }
    MUST(tr2_body_set_direct(world, box, true));
    return box;
}

static void fill(tr2_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        (void)disc_at(world, -2.7 + 0.36 * (i % 16) + 0.02 * (i / 16 % 3), 0.5 + 0.35 * (i / 16));
}

/* N, upwards: what the ground gives */
static double carried(const tr2_world *world, const tr2_joint feet[2])
{
    return fabs((double)reaction_of(world, feet[0]).force.y + (double)reaction_of(world, feet[1]).force.y);
}

/*
 * Drops discs into the trough. Energy never exceeds that of the start, and grows in a single step at most by this share of
 * what the first layer's fall gives all; the heap comes to rest in the trough, whose joints hold and carry all of its
 * weight in the mean of a second. A trough that swings keeps up to 2 % of the fall.
 */
static void drop_heap(double side, double push, uint32_t count, uint32_t some, double gain)
{
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
    tr2_joint feet[2];
    tr2_body box = trough(world, side, feet);
    MUST(tr2_body_set_velocity(world, box, (tr_vec2){(float)push, 0.0f}, 0.0f));
    fill(world, count);
    const double disc = PI * 0.15 * 0.15 * 50.0, start = energy_of(world), falls = count * disc * G * 0.35;
    double before = start, weight = 0.0, motion = 0.0;
    for (uint32_t i = 0; i < TRIALS(some); i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const double now = energy_of(world);
        if (now > start + 1e-3 * falls || now > before + gain * falls)
            fail_msg("%u discs, step %u: energy %g J, %g before, %g at the start", count, i, now, before, start);
        assert_true(tr2_world_measure(world).joint_error_max < 1e-4);
        before = now;
        weight += i + 60 >= some ? carried(world, feet) / 60.0 : 0.0;
        motion += i + 60 >= some ? tr2_world_measure(world).kinetic_energy / 60.0 : 0.0;
    }
    if (TRIALS(10) == 10) {
        print_message("%u discs: motion %.2g of the fall, overlap %.2g m\n", count, motion / falls,
                      deepest_overlap(world).depth);
        assert_true(motion < (side < 0.0 ? 1e-3 : 0.02) * falls);
        assert_true(deepest_overlap(world).depth < 0.005);
        if (side < 0.0)
            NEAR("weight", weight, (60.0 + count * disc) * G, 1e-3 * (60.0 + count * disc) * G);
    }
    assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    const tr2_body_def now = body_now(world, box);
    /* nothing has come through the trough */
    double low = INFINITY;
    const tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t i = 0; i < view.count; i++)
        if (view.type[i] == TR_DYNAMIC && view.mass[i] < 4.0f)
            low = fmin(low, view.center_y[i]);
    if (TRIALS(10) == 10)
        assert_true(low > now.position.y + 0.1);
    tr2_world_destroy(world);
}

/* Few discs are all solved with the trough, many are swept. Joints hold the trough still, so that what many gain in a step is
   their own: up to 2.7 % in one that is static. */
static void a_heap_rests_on_a_machine(void **state)
{
    (void)state;
    drop_heap(-1.0, 0.0, 12, 180, 1e-4);
    drop_heap(-1.0, 0.0, 120, 180, 0.027);
}

/* eight planks in a line between two pins, in a pit */
static void put_planks(tr2_world *world, double mass, double inertia)
{
    tr2_body ground = static_at(world, 0.0, 0.0), before = ground;
    add_box(world, ground, -3.6, 1.5, 0.2, 3.0);
    add_box(world, ground, 3.6, 1.5, 0.2, 3.0);
    for (uint32_t i = 0; i < 8; i++) {
        const tr2_body plank = body_at(world, -2.8 + 0.8 * i, 0.0, 0.0, mass, inertia);
        add_box(world, plank, 0.0, 0.0, 0.4, 0.08);
        pin(world, before, plank, -3.2 + 0.8 * i, 0.0);
        MUST(tr2_body_set_direct(world, plank, true));
        before = plank;
    }
    pin(world, before, ground, 3.2, 0.0);
}

/*
 * A bridge of planks between two pins, all in a line, of which the tension would have no end if they were not to sink. Discs
 * fall on it from 0.5 m: as long as nothing is thrown, energy does not grow by more than a heap's own gains.
 */
static void a_heap_on_a_straight_bridge_throws_nothing(void **state)
{
    (void)state;
    enum { DISCS = 64 };
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
    put_planks(world, 25.0, 1.5);
    fill(world, DISCS);
    const double start = energy_of(world), falls = DISCS * PI * 0.15 * 0.15 * 50.0 * G * 0.35;
    double last = start;
    for (uint32_t i = 0; i < TRIALS(120); i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const double now = energy_of(world);
        if (now > start + 1e-3 * falls || now > last + 0.027 * falls)
            fail_msg("step %u: energy %g J, %g before, %g at the start", i, now, last, start);
        last = now;
    }
    assert_true(tr2_world_measure(world).joint_error_max < 1e-4);
    assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
    tr2_world_destroy(world);
}

/*
 * Planks of 1 kg between two pins carry a heap of 160 discs of 3.5 kg: nothing comes through, planks and discs overlap by
 * less than 4 cm, and energy grows in no step by more than a heap's own gains.
 */
static void light_planks_carry_a_heap(void **state)
{
    (void)state;
    enum { DISCS = 160 };
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
    put_planks(world, 1.0, 0.06);
    fill(world, DISCS);
    const double falls = DISCS * PI * 0.15 * 0.15 * 50.0 * G * 0.35;
    double last = energy_of(world), most = 0.0;
    for (uint32_t i = 0; i < TRIALS(180); i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const double now = energy_of(world);
        most = fmax(most, now - last);
        last = now;
    }
    print_message("energy grows by %.2g of the fall, overlap %.2g m\n", most / falls, deepest_overlap(world).depth);
    assert_true(most < 0.027 * falls);
    assert_true(deepest_overlap(world).depth < 0.04);
    assert_true(tr2_world_measure(world).joint_error_max < 1e-4);
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    tr2_world_destroy(world);
}

static void a_heap_in_a_swinging_trough_gains_nothing(void **state)
{
    (void)state;
    drop_heap(1.0, 0.0, 100, 240, 0.01);
    drop_heap(1.0, 2.0, 100, 240, 0.01);
}

/*
 * Light links between heavy ends, in a heap of discs: the heap is swept, and each such chain is by itself, also where two
 * of them touch. So the direct method makes one system per kick and chain, and another one only where a pass of the sweeps has
 * changed which stops and contacts press: a pass that changes none has the same system. Passes are 3 to 15 per kick.
 */
static void chains_in_a_heap_cost_what_they_cost_alone(void **state)
{
    (void)state;
    enum { CHAINS = 12, DISCS = 192 };
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
    tr2_body ground = static_at(world, 0.0, 0.0);
    add_box(world, ground, 0.0, 0.0, 3.3, 0.1);
    add_box(world, ground, -3.2, 2.5, 0.1, 2.5);
    add_box(world, ground, 3.2, 2.5, 0.1, 2.5);
    for (uint32_t i = 0; i < DISCS; i++)
        (void)disc_at(world, -2.7 + 0.36 * (i % 16) + 0.02 * (i / 16 % 3), 1.25 + 0.7 * (i / 16));
    for (uint32_t k = 0; k < CHAINS; k++) {
        tr2_body before = {0};
        for (uint32_t i = 0; i < 4; i++) {
            const double mass = i % 3 == 0 ? 4.0 : 0.1, x = -2.4 + 1.4 * (k % 3) + 0.35 * i, y = 0.9 + 1.4 * (k / 3);
            const tr2_body link = body_at(world, x, y, 0.0, mass, 0.01 * mass);
            add_box(world, link, 0.0, 0.0, 0.15, 0.1);
            if (i > 0)
                pin(world, before, link, x - 0.175, y);
            before = link;
        }
    }
    uint64_t systems = 0;
    for (uint32_t i = 0; i < 120; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        systems += tr2_world_statistics(world).direct_solves;
    }
    print_message("%.2f systems per kick and chain\n", (double)systems / (120.0 * 4.0 * CHAINS));
    assert_true((double)systems < 6.0 * 120.0 * 4.0 * CHAINS);
    assert_true(tr2_world_statistics(world).contacts > DISCS);
    tr2_world_destroy(world);
}

/* bars of 12 kg, 1 m long, on pins, the first twenty times as heavy: A02 of the IFToMM benchmark. Loads choose it. */
static void heavy_cranks_turn_by_default(void **state)
{
    (void)state;
    const uint32_t windows[] = {1, 3, 8};
    for (uint32_t k = 0; k < 3; k++) {
        tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
        tr2_body ground = static_at(world, 0.0, 0.0), crank[9];
        for (uint32_t i = 0; i <= windows[k]; i++) {
            const double mass = i == 0 ? 240.0 : 12.0;
            crank[i] = body_at(world, i, 0.5, 0.0, mass, mass / 12.0);
            pin(world, ground, crank[i], i, 0.0);
            MUST(tr2_body_set_velocity(world, crank[i], (tr_vec2){0.5f, 0.0f}, -1.0f));
        }
        for (uint32_t i = 0; i < windows[k]; i++) {
            tr2_body coupler = body_at(world, i + 0.5, 1.0, 0.0, 12.0, 1.0);
            pin(world, crank[i], coupler, i, 1.0);
            pin(world, crank[i + 1], coupler, i + 1, 1.0);
            MUST(tr2_body_set_velocity(world, coupler, (tr_vec2){1.0f, 0.0f}, 0.0f));
        }
        const double start = energy_of(world), scale = 240.0 * G;
        for (uint32_t i = 0; i < TRIALS(600); i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            assert_true(tr2_world_measure(world).joint_error_max < 1e-5);
            NEAR("energy", energy_of(world), start, 0.01 * scale);
        }
        assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
        tr2_world_destroy(world);
    }
}

/* Light bars between two pins, under a load, with one above them: they are a loop. When the load is gone, it
   is swept, without the impulses that have held the load. */
static void what_loses_its_load_does_not_whip(void **state)
{
    (void)state;
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1);
    tr2_body ground = static_at(world, 0.0, 0.0), bar[3];
    for (uint32_t i = 0; i < 3; i++) {
        bar[i] = body_at(world, i + 0.5, 0.0, 0.0, 1.0, 0.1);
        pin(world, i == 0 ? ground : bar[i - 1], bar[i], i, 0.0);
    }
    pin(world, bar[2], ground, 3.0, 0.0);
    tr2_body above = body_at(world, 1.5, 0.5, 0.0, 1.0, 0.1);
    pin(world, bar[0], above, 0.5, 0.5);
    pin(world, bar[2], above, 2.5, 0.5);
    tr2_body load = body_at(world, 1.5, -1.0, 0.0, 1000.0, 100.0);
    pin(world, bar[1], load, 1.5, 0.0);
    steps(world, 1.0 / 60.0, 4, 60);
    assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
    assert_true(tr2_world_measure(world).joint_error_max < 1e-5);
    MUST(tr2_world_destroy_body(world, load));
    for (uint32_t i = 0; i < 60; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        assert_int_equal(tr2_world_statistics(world).direct_islands, 0);
        for (uint32_t k = 0; k < 3; k++) {
            const tr_vec2 v = body_now(world, bar[k]).velocity;
            assert_true(hypot((double)v.x, (double)v.y) < 1.0);
        }
    }
    tr2_world_destroy(world);
}

static tr2_joint extra_joint(tr2_world *world, tr2_body links[LINKS], uint32_t step)
{
    tr2_joint_def def = joint_between(step % 2 == 0 ? TR2_JOINT_ANGLE : TR2_JOINT_DISTANCE, links[step % 3], links[6],
                                      (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    return join(world, def);
}

/* a world with heaps and chains, edited in each step: the bits are those of any number of threads, and those of a world
   that takes up its state */
static void edit(tr2_world *world, tr2_body box, tr2_body links[LINKS], tr2_joint *extra, uint32_t step)
{
    /* slots and rows of joints and bodies are those of others afterwards */
    if (step % 13 == 5)
        MUST(tr2_world_destroy_joint(world, *extra));
    if (step % 26 == 5)
        MUST(tr2_world_destroy_body(world, disc_at(world, 9.0, 3.0)));
    if (step % 13 == 5)
        *extra = extra_joint(world, links, step);
    MUST(tr2_world_set_method(world, step % 17 == 9 ? TR_DIRECT : TR_SOFT_STEP, 0));
    if (step % 10 == 3)
        MUST(tr2_body_set_direct(world, links[step % LINKS], step % 20 == 3));
    if (step % 25 == 7)
        MUST(tr2_body_set_direct(world, box, step % 50 != 7));
    if (step % 30 == 11)
        MUST(tr2_body_set_mass(world, links[3], step % 60 == 11 ? 100.0f : 1.0f, 0.1f, (tr_vec2){0.0f, 0.0f}));
}

static void nothing_but_the_state_decides(void **state)
{
    (void)state;
    tr2_world *world[3];
    tr2_body box[3], links[3][LINKS];
    tr2_joint extra[3];
    for (uint32_t k = 0; k < 3; k++) {
        world[k] = mixed_world(TR_SOFT_STEP, k == 1 ? 4 : 1);
        if (k == 1)
            step_on_all_threads(world[k]);
        box[k] = trough(world[k], -1.0, NULL);
        fill(world[k], 40);
        chain_at(world[k], 5.0, links[k]);
        extra[k] = extra_joint(world[k], links[k], 0);
    }
    for (uint32_t step = 0; step < TRIALS(100); step++) {
        for (uint32_t k = 0; k < 3; k++)
            edit(world[k], box[k], links[k], &extra[k], step);
        if (step % 7 == 0) {
            size_t size = tr2_world_save_size(world[0]);
            void *bytes = malloc(size);
            assert_non_null(bytes);
            MUST(tr2_world_save(world[0], bytes, size, &size));
            /* it has been elsewhere */
            steps(world[2], 1.0 / 60.0, 4, 1);
            MUST(tr2_world_restore(world[2], bytes, size));
            free(bytes);
        }
        for (uint32_t k = 0; k < 3; k++)
            steps(world[k], 1.0 / 60.0, 4, 1);
        assert_true(tr2_world_state_hash(world[0]) == tr2_world_state_hash(world[1]));
        assert_true(tr2_world_state_hash(world[0]) == tr2_world_state_hash(world[2]));
        assert_int_equal(tr2_world_statistics(world[0]).direct_islands, tr2_world_statistics(world[2]).direct_islands);
    }
    for (uint32_t k = 0; k < 3; k++)
        tr2_world_destroy(world[k]);
}

/* A plate that is solved directly, and above it two bodies on a pin, which bounce on it: while they touch they are solved
   with it, and in flight they are swept. Nothing else joins or touches anything. */
static tr2_joint bouncing_pair(tr2_world *world)
{
    tr2_body ground = static_at(world, 0.0, 0.0), plate = body_at(world, 0.0, 0.0, 0.0, 10.0, 10.0), half[2];
    tr2_joint_def weld = joint_between(TR2_JOINT_WELD, ground, plate, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    (void)join(world, weld);
    add_box(world, plate, 0.0, 0.0, 20.0, 0.1);
    MUST(tr2_body_set_direct(world, plate, true));
    for (int i = 0; i < 2; i++) {
        half[i] = body_at(world, 0.5 * i, 0.6 + 0.4 * i, 0.0, 1.0, 0.05);
        tr2_shape_def def = tr2_circle_on(half[i], (tr_vec2){0.0f, 0.0f}, 0.15f);
        def.density = 0.0f;
        def.surface.restitution = 0.9f;
        MUST(tr2_world_create_shape(world, &def, NULL));
    }
    return revolute(world, half[0], half[1], local_point_of(world, half[0], 0.25, 0.8),
                    local_point_of(world, half[1], 0.25, 0.8));
}

static void what_leaves_is_swept(void **state)
{
    (void)state;
    tr2_world *world = mixed_world(TR_SOFT_STEP, 1), *other = mixed_world(TR_SOFT_STEP, 1);
    tr2_joint joint = bouncing_pair(world);
    (void)bouncing_pair(other);
    uint32_t touching = 0, flights = 0;
    for (uint32_t step = 0; step < 120; step++) {
        size_t size = tr2_world_save_size(world);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        MUST(tr2_world_save(world, bytes, size, &size));
        /* what is restored knows of no step before */
        MUST(tr2_world_restore(other, bytes, size));
        free(bytes);
        steps(world, 1.0 / 60.0, 4, 1);
        steps(other, 1.0 / 60.0, 4, 1);
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(other));
        const double error = (double)error_of(world, joint).linear;
        if (error > 1e-3)
            fail_msg("step %u: the joint is %g m off", step, error);
        const uint32_t contacts = tr2_world_statistics(world).contacts;
        flights += contacts == 0 && touching > 0;
        touching = contacts;
    }
    assert_true(flights >= 2);
    tr2_world_destroy(world);
    tr2_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_moves_as_in_a_world_of_its_own),
        cmocka_unit_test(a_heap_rests_on_a_machine),
        cmocka_unit_test(a_heap_on_a_straight_bridge_throws_nothing),
        cmocka_unit_test(light_planks_carry_a_heap),
        cmocka_unit_test(a_heap_in_a_swinging_trough_gains_nothing),
        cmocka_unit_test(chains_in_a_heap_cost_what_they_cost_alone),
        cmocka_unit_test(heavy_cranks_turn_by_default),
        cmocka_unit_test(what_loses_its_load_does_not_whip),
        cmocka_unit_test(nothing_but_the_state_decides),
        cmocka_unit_test(what_leaves_is_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
