/*
 * What steps keep of the tables of joints in space (TR_BLOCK_KEPT): a world in which nothing is written has the same
 * bits as one whose tables are written before each step, so that nothing is kept, whatever both are told in between.
 */
#define TR_DIMENSION 3

#include <stdlib.h>

#include "space.h"
#include "space_features.h"

enum { SIDE = 6, BODIES = SIDE * SIDE, JOINTS = 2 * SIDE * (SIDE - 1), STEPS = 60 };

typedef struct sheet {
    tr3_world *world;
    tr_sym3 inertia;
    tr3_body bodies[BODIES];
    tr3_joint joints[JOINTS];
    tr3_joint_def defs[JOINTS];
    void *snapshot;
    size_t size;
} sheet;

static void give_all(tr3_joint_def *def, uint32_t i)
{
    space_give_features(def, i);
    if (def->type == TR3_JOINT_WELD)
        def->linear = def->angular = i % 2 == 0 ? tr_frequency(5.0f + (float)(i % 3), 0.5f) : tr_physical(300.0f, 3.0f);
    if (def->type != TR3_JOINT_BALL)
        return;
    def->angular = tr_frequency((float)(i % 4), 0.5f);
    def->cone_angle = i % 3 == 0 ? 0.2f : 3.0f;
    def->twist = (tr_limit){i % 2 == 0, -0.1f, 0.1f};
    def->friction = 0.02f;
    for (uint32_t k = 0; k < 3; k++)
        tr3_def_set_features(
            def, k,
            (tr3_features){.spring = {i % 5 == 4, 0.1f, tr_frequency(2.0f, 0.3f)}, .motor = {i % 7 == 6, 0.5f, 1.0f}});
    def->friction = 0.02f;
}

/* a sheet that hangs on its top row, of even bodies or of others */
static sheet make_sheet(tr3_joint_type type, bool even, tr_method method)
{
    static const int to_next[2][2] = {{1, 0}, {0, 1}};
    const tr_vec3 inertia = even ? (tr_vec3){0.2f, 0.2f, 0.2f} : (tr_vec3){0.2f, 0.25f, 0.3f};
    sheet it = {.world = space_world(method, (tr_vec3){0.0f, -9.81f, 1.0f}, 1),
                .inertia = {inertia.x, inertia.y, inertia.z, 0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < BODIES; i++)
        it.bodies[i] = space_body(it.world, i < SIDE ? TR_STATIC : TR_DYNAMIC,
                                  (tr_dvec3){i % SIDE, -(double)(i / SIDE), 0.0}, 1.0f, inertia);
    uint32_t count = 0;
    for (int i = 0; i < BODIES; i++) {
        for (int way = 0; way < 2; way++) {
            const int column = i % SIDE + to_next[way][0], row = i / SIDE + to_next[way][1];
            if (column == SIDE || row == SIDE)
                continue;
            const tr_dvec3 at = {0.5 * (i % SIDE + column), -0.5 * (i / SIDE + row), 0.0};
            tr3_joint_def *def = &it.defs[count];
            *def = space_between(it.world, type, it.bodies[i], it.bodies[row * SIDE + column], at,
                                 (tr_vec3){0.0f, 0.0f, 1.0f});
            give_all(def, count);
            it.joints[count++] = space_joint(it.world, def);
        }
    }
    assert_int_equal(count, JOINTS);
    SPACE_OK(tr3_body_set_user_data(it.world, it.bodies[0], 1)); /* makes the column */
    return it;
}

static void change_joint(sheet *it, uint32_t i)
{
    tr3_joint_def *def = &it->defs[i];
    give_all(def, i + 1);
    if (space_coordinates(def->type) > 0) {
        def->spring.target = -0.2f;
        def->motor.speed = -0.5f;
    }
    if (tr3_joint_set(it->world, it->joints[i], def) != TR_OK)
        fail_msg("%s", tr3_world_last_error(it->world)->message);
}

/* what a world is told before a step */
static void tell(sheet *it, int step)
{
    const tr_sym3 heavier = {0.5f, 0.5f, 0.5f, 0.0f, 0.0f, 0.0f};
    switch (step) {
    case 4:
        change_joint(it, 20);
        break;
    case 8:
        SPACE_OK(tr3_body_set_mass(it->world, it->bodies[20], 3.0f, heavier, (tr_vec3){0.0f, 0.0f, 0.0f}));
        break;
    case 12:
        SPACE_OK(tr3_world_destroy_joint(it->world, it->joints[30]));
        break;
    case 16:
        it->joints[30] = space_joint(it->world, &it->defs[30]);
        break;
    case 20:
        change_joint(it, 40);
        it->size = tr3_world_save_size(it->world);
        it->snapshot = malloc(it->size);
        assert_non_null(it->snapshot);
        SPACE_OK(tr3_world_save(it->world, it->snapshot, it->size, &it->size));
        break;
    case 25:
    case 28:
        SPACE_OK(tr3_world_restore(it->world, it->snapshot, it->size));
        break;
    case 32:
        SPACE_OK(tr3_world_set_joint_softness(it->world, 20.0f, 2.0f));
        break;
    case 40:
        SPACE_OK(tr3_body_set_type(it->world, it->bodies[25], TR_STATIC));
        break;
    case 44:
        SPACE_OK(tr3_body_set_mass(it->world, it->bodies[30], 1.0f, it->inertia, (tr_vec3){0.1f, 0.0f, 0.0f}));
        break;
    case 6:
    case 10:
        SPACE_OK(tr3_body_set_mass(it->world, it->bodies[30], 1.0f, it->inertia,
                                   (tr_vec3){0.0f, 0.01f * (float)step, 0.0f}));
        break;
    case 48:
        SPACE_OK(tr3_joint_set_enabled(it->world, it->joints[10], false));
        break;
    case 52:
        SPACE_OK(tr3_joint_set_enabled(it->world, it->joints[10], true));
        break;
    default:
        break;
    }
}

static void compare(tr3_joint_type type, bool even, tr_method method)
{
    sheet kept = make_sheet(type, even, method), written = make_sheet(type, even, method);
    for (int step = 0; step < STEPS; step++) {
        const uint32_t substeps = step >= 36 && step < 38 ? 8 : 4;
        /* the sub-steps of both are the same float, but not what is one over it */
        const double dt = step == 30 || step == 31 ? 0.0166666671965 : 0.016666666666666666;
        tell(&kept, step);
        tell(&written, step);
        SPACE_OK(tr3_body_set_user_data(written.world, written.bodies[0], 1));
        SPACE_OK(tr3_world_step(kept.world, dt, substeps));
        SPACE_OK(tr3_world_step(written.world, dt, substeps));
        if (tr3_world_state_hash(kept.world) != tr3_world_state_hash(written.world))
            fail_msg("%s, %s: other bits after step %d", tr3_joint_type_name(type), tr_method_name(method), step);
    }
    assert_int_equal(tr3_world_statistics(kept.world).nonfinite_bodies, 0);
    free(kept.snapshot);
    free(written.snapshot);
    tr3_world_destroy(kept.world);
    tr3_world_destroy(written.world);
}

static void what_is_kept_is_what_would_be_prepared(void **state)
{
    (void)state;
    for (tr3_joint_type type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        const bool frame = space_coordinates(type) > 0 && type != TR3_JOINT_DISTANCE && type != TR3_JOINT_CIRCLE;
        if (type != TR3_JOINT_BALL && type != TR3_JOINT_WELD && !frame)
            continue;
        compare(type, true, TR_SOFT_STEP);
        compare(type, false, TR_SMALL_STEP);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_kept_is_what_would_be_prepared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
