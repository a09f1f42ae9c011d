/*
 * What sweeps leave out because the direct method solves it, where nothing touches: great hubs, with what is swept beside
 * them. They move as in worlds of their own, and what is remembered of them from step to step decides nothing.
 */
#include "all_threads.h"
#include "instrumented.h"
#include "physics.h"

enum { SPOKES = 200, LINKS = 12, CHAINS = 8 };

/* a hub that is a hundredth of a spoke's mass; chains that are swept, of which some hang from a crank that is driven */
typedef struct scene {
    tr2_world *world;
    tr2_body hub, crank, spoke[SPOKES], link[CHAINS][LINKS];
    tr2_joint pin[SPOKES];
} scene;

static void pin(tr2_world *world, tr2_body a, tr2_body b, double x, double y, tr2_joint *out)
{
    *out = revolute(world, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
}

static void add_hub(scene *it)
{
    tr2_joint to_ground;
    it->hub = body_at(it->world, 0.0, 0.0, 0.0, 0.01, 0.01);
    pin(it->world, static_at(it->world, 0.0, 0.0), it->hub, 0.0, 0.0, &to_ground);
    for (uint32_t i = 0; i < SPOKES; i++) {
        const double angle = 6.283185 * i / SPOKES, x = cos(angle), y = sin(angle);
        it->spoke[i] = body_at(it->world, 1.5 * x, 1.5 * y, angle, 1.0, 0.1);
        pin(it->world, it->hub, it->spoke[i], x, y, &it->pin[i]);
    }
}

static void add_chains(scene *it)
{
    tr2_body_def driven = tr2_body_def_default();
    tr2_joint joint;
    driven.type = TR_KINEMATIC;
    driven.position = (tr_dvec2){30.0, 0.0};
    driven.angular_velocity = 1.0f;
    MUST(tr2_world_create_body(it->world, &driven, &it->crank));
    for (uint32_t c = 0; c < CHAINS; c++) {
        const double y = 2.0 * c;
        tr2_body before = c % 2 == 0 ? it->crank : static_at(it->world, 30.0, y);
        for (uint32_t i = 0; i < LINKS; i++) {
            it->link[c][i] = body_at(it->world, 30.5 + i, y, 0.0, 1.0, 0.1);
            pin(it->world, before, it->link[c][i], 30.0 + i, y, &joint);
            before = it->link[c][i];
        }
    }
}

static scene scene_of(tr_method method, uint32_t threads, bool hub, bool chains)
{
    scene it = {0};
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.method = method;
    def.threads = threads;
    def.tag = 7; /* ids are those of each other */
    MUST(tr2_world_create(&def, &it.world, NULL));
    if (hub)
        add_hub(&it);
    if (chains)
        add_chains(&it);
    return it;
}

static void each_moves_as_in_a_world_of_its_own(void **state)
{
    (void)state;
    scene both = scene_of(TR_SOFT_STEP, 1, true, true), hub = scene_of(TR_DIRECT, 1, true, false),
          chains = scene_of(TR_SOFT_STEP, 1, false, true);
    for (uint32_t step = 0; step < 60; step++) {
        steps(both.world, 1.0 / 60.0, 4, 1);
        steps(hub.world, 1.0 / 60.0, 4, 1);
        steps(chains.world, 1.0 / 60.0, 4, 1);
        for (uint32_t i = 0; i < SPOKES; i++)
            assert_true(moves_alike(both.world, both.spoke[i], hub.world, hub.spoke[i]));
        for (uint32_t c = 0; c < CHAINS; c++)
            for (uint32_t i = 0; i < LINKS; i++)
                assert_true(moves_alike(both.world, both.link[c][i], chains.world, chains.link[c][i]));
        assert_true(moves_alike(both.world, both.crank, chains.world, chains.crank));
    }
    const tr_statistics s = tr2_world_statistics(both.world);
    assert_int_equal(s.direct_islands, 1);
    assert_int_equal(s.exact_joints, SPOKES + 1);
    tr2_world_destroy(both.world);
    tr2_world_destroy(hub.world);
    tr2_world_destroy(chains.world);
}

/* two discs that touch */
static tr2_body touching(tr2_world *world, double x)
{
    tr2_body first = {0};
    for (int i = 0; i < 2; i++) {
        tr2_body body = body_at(world, x + 0.25 * i, 8.0, 0.0, 1.0, 1.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){i == 0 ? 0.3f : -0.3f, 0.0f}, 0.0f));
        tr2_shape_def def = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.15f);
        def.density = 0.0f;
        MUST(tr2_world_create_shape(world, &def, NULL));
        first = i == 0 ? body : first;
    }
    return first;
}

/* one thing at a time, and steps without edits between: what a step may remember of the one before has to be seen */
static void edit(scene *it, uint32_t step, tr2_body *disc)
{
    tr2_world *world = it->world;
    const uint32_t nth = step / 3, spoke = nth % SPOKES;
    const bool first = nth % 24 < 12;
    if (step % 3 != 1)
        return;
    switch (nth % 12) {
    case 0:
        MUST(tr2_joint_set_enabled(world, it->pin[3], false));
        break;
    case 1:
        MUST(tr2_joint_set_enabled(world, it->pin[3], true));
        break;
    case 2:
        MUST(tr2_body_set_direct(world, it->link[1][0], first));
        break;
    case 3:
        MUST(tr2_world_destroy_joint(world, it->pin[spoke]));
        break;
    case 4: {
        const tr_dvec2 at = body_now(world, it->spoke[spoke - 1]).position;
        pin(world, it->hub, it->spoke[spoke - 1], at.x, at.y, &it->pin[spoke - 1]);
        break;
    }
    case 5:
        *disc = touching(world, 60.0 + nth);
        break;
    case 7:
        MUST(tr2_world_destroy_body(world, *disc));
        break;
    case 8:
        MUST(tr2_world_set_method(world, TR_DIRECT, 0));
        break;
    case 9:
        MUST(tr2_world_set_method(world, TR_SOFT_STEP, 0));
        break;
    case 10:
        MUST(tr2_body_set_type(world, it->spoke[7], first ? TR_STATIC : TR_DYNAMIC));
        break;
    case 6:
        MUST(tr2_body_set_fixed_rotation(world, it->spoke[9], true));
        MUST(tr2_body_set_enabled(world, it->spoke[11], !first));
        break;
    case 11:
        MUST(tr2_body_set_fixed_rotation(world, it->spoke[9], false));
        break;
    default:
        break;
    }
}

/* the state after steps with edits is that of any number of threads, and of a world that takes it up */
static void nothing_but_the_state_decides(void **state)
{
    (void)state;
    scene it[3];
    tr2_body disc[3] = {{0}};
    for (uint32_t k = 0; k < 3; k++) {
        it[k] = scene_of(TR_SOFT_STEP, k == 1 ? 4 : 1, true, true);
        if (k == 1)
            step_on_all_threads(it[k].world);
    }
    uint32_t idle = 0;
    for (uint32_t step = 0; step < 72 + TRIALS(72); step++) {
        for (uint32_t k = 0; k < 3; k++)
            edit(&it[k], step, &disc[k]);
        size_t size = tr2_world_save_size(it[0].world);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        MUST(tr2_world_save(it[0].world, bytes, size, &size));
        if (step % 5 == 0)
            steps(it[2].world, 1.0 / 60.0, 4, 1); /* it has been elsewhere */
        MUST(tr2_world_restore(it[2].world, bytes, size));
        free(bytes);
        for (uint32_t k = 0; k < 3; k++) {
            steps(it[k].world, 1.0 / 60.0, 4, 1);
            assert_true(tr2_world_state_hash(it[0].world) == tr2_world_state_hash(it[k].world));
        }
        idle += tr2_world_statistics(it[0].world).contacts == 0;
    }
    assert_true(idle > 0 && tr2_world_measure(it[0].world).joint_error_max < 0.1);
    for (uint32_t k = 0; k < 3; k++)
        tr2_world_destroy(it[k].world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_moves_as_in_a_world_of_its_own),
        cmocka_unit_test(nothing_but_the_state_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
