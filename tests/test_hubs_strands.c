/*
 * Hubs of thousands of joints are solved in strands, which share no copy of a body (plan/strands.c): few stages, the
 * same bits for any number of threads and any instruction set, whatever is edited, and contacts that bounce as others.
 */
#include "all_threads.h"
#include "instrumented.h"
#include "random.h"
#include "weightless.h"
#include "world_fixture.h"

#define DT     (1.0 / 60.0)
#define SPOKES 5000u
#define MOST   (2 * SPOKES)

/* a pinned wheel with spokes all around, some of which are tied to the next one, too */
typedef struct wheel {
    tr2_world *world;
    tr2_body hub, spokes[SPOKES];
    tr2_joint joints[MOST];
    uint32_t joint_count;
    uint64_t random;
} wheel;

static uint32_t draw(wheel *it, uint32_t below)
{
    return random_index(&it->random, below);
}

static tr_vec2 place_of(uint32_t spoke)
{
    double angle = 6.283185307179586 * spoke / SPOKES, radius = 20.0;
    return (tr_vec2){(float)(radius * cos(angle)), (float)(radius * sin(angle))};
}

static tr2_body add_body(const wheel *it, tr_body_type type, tr_vec2 place, float mass, float inertia)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){(double)place.x, (double)place.y};
    def.mass = mass;
    def.inertia = inertia;
    assert_ok(it->world, tr2_world_create_body(it->world, &def, &id));
    return id;
}

/* pins a spoke to the hub, or holds it by a rod, or ties it to the next one */
static void add_joint(wheel *it, uint32_t spoke, uint32_t how)
{
    tr2_joint_def def = tr2_joint_def_default(how == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_DISTANCE);
    if (it->joint_count == MOST)
        return;
    tr_vec2 at = place_of(spoke), next = place_of((spoke + 1) % SPOKES);
    def.body_a = how < 2 ? it->hub : it->spokes[(spoke + 1) % SPOKES];
    def.body_b = it->spokes[spoke];
    if (how == 0)
        def.anchor_a = at;
    if (how == 1) {
        def.anchor_a = (tr_vec2){0.5f * at.x, 0.5f * at.y};
        def.length = 10.0f;
    }
    if (how == 2)
        def.length = hypotf(at.x - next.x, at.y - next.y);
    assert_ok(it->world, tr2_world_create_joint(it->world, &def, &it->joints[it->joint_count++]));
}

static void make(wheel *it, uint32_t threads)
{
    *it = (wheel){.world = world_on_all_threads(threads, NULL), .random = 5};
    tr2_body ground = add_body(it, TR_STATIC, (tr_vec2){0.0f, 0.0f}, 1.0f, 1.0f);
    it->hub = add_body(it, TR_DYNAMIC, (tr_vec2){0.0f, 0.0f}, 10000.0f, 2e6f);
    (void)make_joint(it->world, TR2_JOINT_REVOLUTE, ground, it->hub);
    for (uint32_t i = 0; i < SPOKES; i++)
        it->spokes[i] = add_body(it, TR_DYNAMIC, place_of(i), 0.5f, 0.01f);
    for (uint32_t i = 0; i < SPOKES; i++) {
        add_joint(it, i, i % 25 == 0);
        if (i % 40 == 0)
            add_joint(it, i, 2);
    }
    assert_ok(it->world, tr2_world_step(it->world, DT, 4));
}

static void edit(wheel *it)
{
    uint32_t at = draw(it, it->joint_count), spoke = draw(it, SPOKES);
    tr2_joint_def def;
    switch (draw(it, 4)) {
    case 0:
        assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[at]));
        it->joints[at] = it->joints[--it->joint_count];
        return;
    case 1: /* another kernel */
        assert_ok(it->world, tr2_joint_get(it->world, it->joints[at], &def));
        if (tr2_joint_type_has(def.type, TR2_FIELD_SPRING_ENABLE)) {
            def.spring.enable = !def.spring.enable;
            def.spring.softness = tr_frequency(1.0f, 1.0f);
            assert_ok(it->world, tr2_joint_set(it->world, it->joints[at], &def));
        }
        return;
    case 2:
        if (draw(it, 10) == 0) {
            tr_body_type type = draw(it, 2) == 0 ? TR_KINEMATIC : TR_DYNAMIC;
            assert_ok(it->world, tr2_body_set_type(it->world, it->spokes[spoke], type));
        }
        return;
    default:
        add_joint(it, spoke, draw(it, 3));
    }
}

static const tr2_solver *solver_of(const wheel *it)
{
    return it->world->solver;
}

static void a_wheel_takes_few_stages(void **state)
{
    (void)state;
    static wheel it;
    make(&it, 1);
    assert_ok(it.world, tr2_world_step(it.world, DT, 4));
    tr_statistics statistics = tr2_world_statistics(it.world);
    assert_true(statistics.colors > 32 && statistics.body_copies > 112);
    assert_int_equal(solver_of(&it)->strand_count, 2);
    /* colour by colour the three passes of four sub-steps would have more than 12 * 32 */
    assert_in_range(statistics.critical_path, 12, 100);
    tr2_measures measures = tr2_world_measure(it.world);
    assert_true(measures.joint_error_max < 0.001);
    tr2_world_destroy(it.world);
}

#define STEPS 40u

static void run(uint32_t threads, uint64_t *hashes)
{
    static wheel it, other;
    make(&it, threads);
    make(&other, threads);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < 15 * (step % 3); i++) {
            edit(&it);
            edit(&other);
        }
        assert_ok(it.world, tr2_world_step(it.world, DT, 2));
        hashes[step] = tr2_world_state_hash(it.world);
        assert_int_equal(solver_of(&it)->strand_count, 2);
        tr_plan_touch(other.world->plan);
        assert_ok(other.world, tr2_world_step(other.world, DT, 2));
        assert_true(tr2_world_state_hash(other.world) == hashes[step]);
    }
    assert_int_equal(tr2_world_statistics(it.world).nonfinite_bodies, 0);
    assert_true(tr2_world_statistics(it.world).partial_layouts > STEPS / 2);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

static void edited_wheels_have_the_bits_of_the_oracle(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    assert_int_equal(tr_set_isa(TR_ISA_SCALAR), TR_OK);
    run(1, want);
    assert_int_equal(tr_set_isa(chosen), TR_OK);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        run(threads, is);
        assert_memory_equal(is, want, sizeof want);
    }
}

/* Discs fall onto a plate that floats: contacts of a hub, which come and go, and bounce. */
#define RESTITUTION 0.5f
#define FALL        0.5f /* m */

static tr2_world *drop(uint32_t threads, tr2_body *discs)
{
    tr2_world *world = world_on_all_threads(threads, NULL);
    tr2_body_def def = tr2_body_def_default();
    tr2_body plate;
    const float half = 0.55f * (float)SPOKES;
    def.gravity_scale = 0.0f;
    def.mass = 1e9f;
    def.inertia = 1e15f;
    assert_ok(world, tr2_world_create_body(world, &def, &plate));
    tr2_shape_def shape = tr2_segment_on(plate, (tr_vec2){half, 0.0f}, (tr_vec2){-half, 0.0f});

    shape.surface.restitution = RESTITUTION;
    assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
    def = tr2_body_def_default();
    for (uint32_t i = 0; i < SPOKES; i++) {
        def.position = (tr_dvec2){1.1 * i - (double)half + 0.5, 0.5 + (double)FALL};
        assert_ok(world, tr2_world_create_body(world, &def, &discs[i]));
        shape = weightless(tr2_circle_on(discs[i], (tr_vec2){0.0f, 0.0f}, 0.5f));
        shape.surface.restitution = RESTITUTION;
        assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
    }
    return world;
}

static void discs_bounce_off_a_hub(void **state)
{
    (void)state;
    static tr2_body discs[SPOKES];
    uint64_t want = 0;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        tr2_world *world = drop(threads, discs);
        double top = 0.0;
        bool strands = false, met = false;
        for (uint32_t step = 0; step < 60; step++) {
            tr2_body_def at;
            /* finds the contacts, and makes a plan of them with strands */
            assert_ok(world, tr2_world_optimize(world));
            assert_ok(world, tr2_world_step(world, DT, 4));
            assert_ok(world, tr2_body_get(world, discs[SPOKES / 3], &at));
            bool meets = !met && at.velocity.y > 0.0f;
            strands = strands || (meets && world->solver->strand_count >= 2);
            met = met || meets;
            if (met)
                top = fmax(top, at.position.y - 0.5);
        }
        /* h e^2, as without a hub (test_physics_bounce.c); a sub-step of the fall is 2 % of its height */
        assert_true(strands && fabs(top / (double)(FALL * RESTITUTION * RESTITUTION) - 1.0) < 0.05);
        if (threads == 1)
            want = tr2_world_state_hash(world);
        assert_true(tr2_world_state_hash(world) == want);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_takes_few_stages),
        cmocka_unit_test(edited_wheels_have_the_bits_of_the_oracle),
        cmocka_unit_test(discs_bounce_off_a_hub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
