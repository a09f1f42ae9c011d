/*
 * The same bits for any number of threads, any instruction set, any maker of threads: a world of all types of joints
 * with and without features, of hubs that are split, of joints that come and go while it runs.
 */
#include "all_threads.h"
#include "hash/hash.h"
#include "physics_tree.h"
#include "team_hosts.h"

#define STEPS (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER ? 8 : 24)
#define TREES 520 /* some 5,000 joints: enough for four workers */
#define HUB   250
#define FALL  60 /* steps until most shapes have met others */

typedef struct scene {
    tr2_world *world;
    tree trees[TREES];
    tr2_body hub;
    tr2_joint spokes[HUB];
} scene;

/* on the ground, in the air, one hub among them that is split */
static void make_scene(scene *s, uint32_t threads, const tr_host *host)
{
    s->world = world_on_all_threads(threads, host);
    uint64_t seed = 99;
    tr2_body ground = static_at(s->world, 0, 0);
    for (uint32_t i = 0; i < TREES; i++) {
        tree_options options = {5.0, i % 2 == 1, 1.0, 10.0 * (i % 25), 10.0 * (double)(i / 25), 0, true};
        s->trees[i] = make_tree(s->world, &seed, options);
        /* gears against the world, on carriers of their own and on one, which may be what another carries */
        tr2_joint_def gear = joint_between(TR2_JOINT_GEAR, s->trees[i].body[0], s->trees[i].body[1], (tr_vec2){0, 0},
                                           (tr_vec2){0.1f, 0});
        gear.carrier_a = i % 4 > 0 ? s->trees[i].body[2] : (tr2_body){0, 0, 0};
        gear.carrier_b = i % 4 > 1 ? s->trees[i].body[i % 4 == 2 ? 2 : 3] : (tr2_body){0, 0, 0};
        gear.slides_b = i % 5 == 0;
        (void)join(s->world, gear);
        if (i % 3 != 0)
            (void)revolute(s->world, ground, s->trees[i].body[0], (tr_vec2){(float)options.x, (float)options.y},
                           (tr_vec2){0, 0});
    }
    s->hub = body_at(s->world, -50, 0, 0, 100, 50);
    for (uint32_t i = 0; i < HUB; i++) {
        double c = cos(0.1 * i), sn = sin(0.1 * i);
        tr2_body spoke = body_at(s->world, -50 + 2 * c, 2 * sn, 0.1 * i, 0.5 + 0.01 * i, 0.1);
        s->spokes[i] = revolute(s->world, s->hub, spoke, (tr_vec2){(float)c, (float)sn}, (tr_vec2){-1.0f, 0});
    }
}

/* joints go, others come, bodies go with their joints, properties and methods change, the plan is made anew */
static void edit(scene *s, uint32_t step)
{
    MUST(tr2_world_set_method(s->world, (tr_method)(step * TR_METHOD_COUNT / STEPS), 0));
    /* all is now and then solved directly */
    MUST(tr2_world_set_direct_load(s->world, step % 3 == 2 ? 0.0f : 10.0f));
    tree *t = &s->trees[(7 * step) % TREES];
    for (uint32_t i = 1; i < t->bodies; i += 3) {
        MUST(tr2_world_destroy_joint(s->world, t->joint[i]));
        tr2_joint_def def =
            joint_between(TR2_JOINT_DISTANCE, t->body[i - 1], t->body[i], (tr_vec2){0, 0}, (tr_vec2){0, 0});
        def.linear = tr_frequency(0.0f, 0.0f);
        def.limit = (tr_limit){true, 0.0f, 3.0f};
        t->joint[i] = join(s->world, def);
    }
    MUST(tr2_world_destroy_joint(s->world, s->spokes[step]));
    if (step % 8 == 5)
        MUST(tr2_world_destroy_body(s->world, s->trees[TREES - step].body[1]));
    if (step % 8 == 3)
        MUST(tr2_body_set_type(s->world, s->trees[40 + step].body[0], step % 2 ? TR_KINEMATIC : TR_STATIC));
    if (step == STEPS / 2)
        MUST(tr2_world_optimize(s->world));
    MUST(tr2_body_apply_force_to_center(s->world, s->hub, (tr_vec2){500.0f, 100.0f * (float)step}));
}

/* the hash after every step, with edits between them; and the most threads that a step used */
static uint32_t run_scene(uint32_t threads, const tr_host *host, uint64_t *hashes)
{
    static scene s;
    uint32_t most = 0;
    make_scene(&s, threads, host);
    for (uint32_t i = 0; i < STEPS; i++) {
        edit(&s, i);
        MUST(tr2_world_step(s.world, 1.0 / 60.0, 4));
        hashes[i] = tr2_world_state_hash(s.world);
        uint32_t used = tr2_world_statistics(s.world).threads;
        most = used > most ? used : most;
    }
    tr_statistics statistics = tr2_world_statistics(s.world);
    /* the scene is what it should be */
    assert_int_equal(statistics.split_bodies, 1);
    assert_true(statistics.exact_joints > HUB / 2);
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
        assert_true(statistics.joints_of_type[type] > 300);
    assert_int_equal(statistics.nonfinite_bodies, 0);
    tr2_world_destroy(s.world);
    return most;
}

static void check_hashes(const uint64_t *is, const uint64_t *want, const char *what, uint32_t threads)
{
    for (uint32_t i = 0; i < STEPS; i++)
        if (is[i] != want[i])
            fail_msg("%s, %u threads: another state after step %u", what, threads, i + 1);
}

/* the reference: scalar, one thread */
static void reference(uint64_t *hashes)
{
    static uint64_t kept[STEPS];
    static bool known;
    tr_isa chosen = tr_get_isa();
    if (!known) {
        MUST(tr_set_isa(TR_ISA_SCALAR));
        assert_int_equal(run_scene(1, NULL, kept), 1);
        MUST(tr_set_isa(chosen));
        known = true;
    }
    memcpy(hashes, kept, sizeof kept);
    /* it does move */
    for (uint32_t i = 1; i < STEPS; i++)
        assert_true(kept[i] != kept[i - 1]);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    reference(want);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa) || isa == TR_ISA_SCALAR)
            continue;
        MUST(tr_set_isa((tr_isa)isa));
        (void)run_scene(2, NULL, is);
        check_hashes(is, want, tr_isa_name((tr_isa)isa), 2);
    }
    MUST(tr_set_isa(chosen));
}

static void every_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    /* where the build has none of its own, the second world has one thread, too */
    const bool has_threads = strstr(tr_build_options(), "openmp") != NULL;
    reference(want);
    for (uint32_t threads = 1; threads <= (has_threads ? 4 : 2); threads++) {
        uint32_t used = run_scene(threads, NULL, is);
        check_hashes(is, want, "own team", threads);
        assert_int_equal(used, has_threads ? threads : 1);
    }
}

static void a_host_s_threads_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    reference(want);
    for (size_t i = 1; i < HOST_COUNT; i++) {
        assert_int_equal(run_scene(3, &hosts[i].host, is), 3);
        check_hashes(is, want, hosts[i].name, 3);
    }
}

/* bodies of every kind of shape, which find, touch and hit each other */
static void run_shapes(uint32_t threads, const tr_host *host, uint64_t *hashes)
{
    tr2_world *world = world_on_all_threads(threads, host);
    MUST(make_shapes(world, 12));
    uint32_t touches = 0, used = 0;
    steps(world, 1.0 / 60.0, 4, FALL);
    for (uint32_t i = 0; i < STEPS; i++) {
        MUST(tr2_world_step(world, 1.0 / 60.0, 4));
        hashes[i] = tr2_world_state_hash(world);
        touches += tr2_world_touches(world).count;
        used = tr2_world_statistics(world).threads;
    }
    /* the scene is what it should be: it collides, and threads share the work */
    assert_true(touches > 40 * STEPS);
    assert_int_equal(used, threads);
    tr2_world_destroy(world);
}

static void shapes_that_collide_have_the_same_bits_on_a_host_s_threads(void **state)
{
    (void)state;
    uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    MUST(tr_set_isa(TR_ISA_SCALAR));
    run_shapes(1, NULL, want);
    MUST(tr_set_isa(chosen));
    for (uint32_t threads = 2; threads <= 3; threads++) {
        run_shapes(threads, &MAIN_HOST, is);
        check_hashes(is, want, "shapes", threads);
    }
}

/*
 * Two worlds at once: each thread steps its own. No call on one world looks at another.
 */
typedef struct running {
    scene scene;
    uint64_t hashes[STEPS];
    bool ok;
} running;

static void *step_scene(void *pointer)
{
    running *r = pointer;
    r->ok = true;
    for (uint32_t i = 0; i < STEPS; i++) {
        r->ok = r->ok && tr2_world_step(r->scene.world, 1.0 / 60.0, 4) == TR_OK;
        r->hashes[i] = tr2_world_state_hash(r->scene.world);
    }
    return NULL;
}

static void worlds_stepped_at_the_same_time_do_not_disturb_each_other(void **state)
{
    (void)state;
    static running runs[3];
    for (int i = 0; i < 3; i++)
        make_scene(&runs[i].scene, 2, &MAIN_HOST);
    (void)step_scene(&runs[2]);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, step_scene, &runs[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 3; i++) {
        assert_true(runs[i].ok);
        check_hashes(runs[i].hashes, runs[2].hashes, "at the same time", 2);
        tr2_world_destroy(runs[i].scene.world);
    }
}

/* a world at the same place made in the same way has the same hash; the least change of one body changes it */
static void the_hash_tells_worlds_apart(void **state)
{
    (void)state;
    static scene a, b;
    make_scene(&a, 1, NULL);
    make_scene(&b, 1, NULL);
    assert_true(tr2_world_state_hash(a.world) == tr2_world_state_hash(b.world));
    tr2_body_def body = body_now(b.world, b.hub);
    MUST(tr2_body_set_velocity(b.world, b.hub, (tr_vec2){1e-40f, 0}, body.angular_velocity));
    assert_true(tr2_world_state_hash(a.world) != tr2_world_state_hash(b.world));
    tr2_world_destroy(a.world);
    tr2_world_destroy(b.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_host_s_threads_give_the_same_bits),
        cmocka_unit_test(shapes_that_collide_have_the_same_bits_on_a_host_s_threads),
        cmocka_unit_test(worlds_stepped_at_the_same_time_do_not_disturb_each_other),
        cmocka_unit_test(the_hash_tells_worlds_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
