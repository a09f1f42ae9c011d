/*
 * Islands in space with contacts on what does not move, side by side in the direct method (docs/exact.md): the same bits
 * alone and beside any others, in the lanes of every instruction set; and nearly the motion that is found one by one.
 */
#include <string.h>

#include "instrumented.h"
#include "space_contacts.h"

#define TWINS       9
#define LINKS       4
#define STEPS       45
#define STEPS_AMONG 30 /* chains have fallen for 10 */

/* Around one of them the others are such, too; or are solved one by one; or do not touch anything. */
typedef enum others { LIKE, UNLIKE, ALOFT, OTHERS } others;

/* the end of a contact that the floor is; and whether it moves */
typedef enum ground { STATIC, MOVING, GROUNDS } ground;

typedef struct twin {
    tr3_body links[LINKS];
    bool high;
} twin;

typedef struct scene {
    tr3_world *world;
    space_plane floor;
    twin twins[TWINS];
} scene;

static const tr_dvec3 half = {0.4, 0.1, 0.15};

/* `fall`: as a share of what it falls with; without it slides on the floor */
static twin add_twin(tr3_world *world, tr3_body idle, int k, others how, float fall)
{
    twin out = {.high = how == ALOFT};
    for (int i = 0; i < LINKS; i++) {
        const tr_dvec3 at = {i, (how == ALOFT ? 50.0 : 0.1) + (double)fall * (0.15 + 0.04 * k + 0.03 * i), 10.0 * k};
        out.links[i] = space_box(world, at, half, 1.0 + (k + 3 * i) % 7);
        SPACE_OK(tr3_body_set_velocity(world, out.links[i],
                                       (tr_vec3){0.3f * (float)(k % 3), fall * -0.3f * (float)k, 0.15f},
                                       (tr_vec3){0.0f, 0.2f * (float)(k % 2), fall * 0.1f}));
        if (i == 0)
            continue;
        tr3_joint_def def =
            space_between(world, k % 2 == 0 ? TR3_JOINT_BALL : TR3_JOINT_HINGE, out.links[i - 1], out.links[i],
                          (tr_dvec3){at.x - 0.5, at.y, at.z}, (tr_vec3){0.0f, 0.0f, 1.0f});
        if (k % 4 == 1)
            def.limit = (tr_limit){true, -0.2f, 0.2f};
        if (how == UNLIKE && i == 2)
            def.linear = tr_frequency(10.0f, 1.0f);
        (void)space_joint(world, &def);
    }
    tr3_joint_def rope = space_between(world, TR3_JOINT_DISTANCE, idle, out.links[0],
                                       space_now(world, out.links[0]).position, (tr_vec3){1.0f, 0.0f, 0.0f});
    rope.linear = tr_frequency(0.0f, 0.0f);
    rope.limit = (tr_limit){true, 0.0f, 1e4f};
    (void)space_joint(world, &rope);
    return out;
}

/* `one_by_one`: none is solved in lanes, because of a rope that is never taut to a body that may move */
static scene make_scene(ground what, int k, others how, bool one_by_one, float fall)
{
    scene out = {.world = space_world(TR_DIRECT, (tr_vec3){0.0f, -9.81f, 0.0f}, 1)};
    const tr3_body idle = space_body(out.world, one_by_one ? TR_KINEMATIC : TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 0.0f,
                                     (tr_vec3){0.0f, 0.0f, 0.0f});
    out.floor = space_floor(out.world);
    if (what == MOVING) {
        out.floor.body =
            space_body(out.world, TR_KINEMATIC, (tr_dvec3){0.0, 0.0, 0.0}, 0.0f, (tr_vec3){0.0f, 0.0f, 0.0f});
        SPACE_OK(
            tr3_body_set_velocity(out.world, out.floor.body, (tr_vec3){0.5f, 0.0f, 0.2f}, (tr_vec3){0.0f, 0.1f, 0.0f}));
    }
    for (int j = 0; j < TWINS; j++)
        out.twins[j] = add_twin(out.world, idle, j, j == k ? LIKE : how, fall);
    return out;
}

/* Steps with what the host finds: corners of boxes, of every fourth link the lowest one only, as of a ball. Every second
   contact has the floor as its second body. Returns how many there were. */
static uint32_t step(scene *it)
{
    tr3_contact_def defs[TWINS * LINKS];
    uint32_t count = 0;
    for (int k = 0; k < TWINS; k++)
        for (int i = 0; i < LINKS && !it->twins[k].high; i++) {
            tr3_contact_def def = space_box_on(it->world, &it->floor, it->twins[k].links[i], half);
            if (def.separation[0] > 0.3f)
                continue;
            if (i % 4 == 3)
                def.point_count = 1;
            def.friction = 0.2f * (float)(k % 4);
            def.restitution = k % 3 == 1 ? 0.4f : 0.0f;
            def.torsional_friction = k % 5 == 2 ? 0.1f : 0.0f;
            def.rolling_resistance = k % 4 == 3 ? 0.05f : 0.0f;
            def.surface_velocity = (tr_vec3){k % 6 == 5 ? 1.0f : 0.0f, 0.0f, 0.0f};
            if ((k + i) % 2 == 1) {
                def.body_a = def.body_b;
                def.body_b = it->floor.body;
                def.normal = (tr_vec3){-def.normal.x, -def.normal.y, -def.normal.z};
            }
            defs[count++] = def;
        }
    SPACE_OK(tr3_world_set_contacts(it->world, defs, count));
    SPACE_OK(tr3_world_step(it->world, SPACE_DT, 4));
    return count;
}

static void expect_same(const scene *a, const scene *b, const char *where, int k)
{
    for (int i = 0; i < LINKS; i++) {
        const tr3_body_def want = space_now(a->world, a->twins[k].links[i]),
                           is = space_now(b->world, b->twins[k].links[i]);
        if (memcmp(&want.position, &is.position, sizeof is.position) != 0 ||
            memcmp(&want.rotation, &is.rotation, sizeof is.rotation) != 0 ||
            memcmp(&want.velocity, &is.velocity, sizeof is.velocity) != 0 ||
            memcmp(&want.angular_velocity, &is.angular_velocity, sizeof is.angular_velocity) != 0)
            fail_msg("%s: link %d of chain %d is another", where, i, k);
    }
}

static void touching_twins_are_as_they_are_alone(void **state)
{
    (void)state;
    const tr_isa chosen = tr_get_isa();
    for (int k = 0; k < (int)TRIALS(TWINS); k++) {
        const ground what = (ground)(k % GROUNDS);
        assert_int_equal(tr_set_isa(TR_ISA_SCALAR), TR_OK);
        scene want = make_scene(what, k, UNLIKE, false, 1.0f);
        for (int i = 0; i < STEPS_AMONG; i++)
            (void)step(&want);
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            assert_int_equal(tr_set_isa((tr_isa)isa), TR_OK);
            scene is = make_scene(what, k, (others)((k / GROUNDS + isa) % OTHERS), false, 1.0f);
            for (int i = 0; i < STEPS_AMONG; i++)
                (void)step(&is);
            expect_same(&want, &is, tr_isa_name((tr_isa)isa), k);
            tr3_world_destroy(is.world);
        }
        tr3_world_destroy(want.world);
    }
    assert_int_equal(tr_set_isa(chosen), TR_OK);
}

/* Chains that slide. On ground that moves not for longer: what each corner of a box bears is decided by some 1e-12 m, and
   whether friction is set free by what it bears. */
static void lanes_find_what_is_found_one_by_one(void **state)
{
    (void)state;
    for (ground what = STATIC; what < GROUNDS; what++) {
        const int count = what == MOVING ? 11 : STEPS;
        scene scenes[2] = {make_scene(what, 0, LIKE, false, 0.0f), make_scene(what, 0, LIKE, true, 0.0f)};
        double most = 0.0;
        uint32_t touched = 0;
        for (int i = 0; i < count; i++) {
            for (int s = 0; s < 2; s++) {
                const uint32_t contacts = step(&scenes[s]);
                touched = contacts > touched ? contacts : touched;
                assert_int_equal(tr3_world_statistics(scenes[s].world).direct_unsettled, 0);
            }
            for (int k = 0; k < TWINS; k++)
                for (int l = 0; l < LINKS; l++)
                    most = fmax(most, space_length(space_minus(
                                          space_now(scenes[0].world, scenes[0].twins[k].links[l]).position,
                                          space_now(scenes[1].world, scenes[1].twins[k].links[l]).position)));
        }
        print_message("ground %d: off by %.2g m after %d steps, %u contacts\n", (int)what, most, count, touched);
        /* both solve the same problem in other orders: equal bits would mean that nothing was solved in lanes */
        assert_true(most > 0.0 && most < 1e-5);
        assert_true(touched > 3 * TWINS);
        for (int s = 0; s < 2; s++)
            tr3_world_destroy(scenes[s].world);
    }
}

/* Hard impacts, too: in lanes, one by one, and of chains with soft points, whose compliance differs by directions. */
static void what_falls_settles(void **state)
{
    (void)state;
    for (int way = 0; way < 3 * GROUNDS; way++) {
        scene it = make_scene((ground)(way / 3), 0, way % 3 == 2 ? UNLIKE : LIKE, way % 3 == 1, 1.0f);
        for (int i = 0; i < STEPS; i++) {
            (void)step(&it);
            assert_int_equal(tr3_world_statistics(it.world).direct_unsettled, 0);
        }
        tr3_world_destroy(it.world);
    }
}

/* Two boxes on a ball joint slide v^2 / (2 mu g) far; the first sub-step finds no load yet. */
static void what_slides_stops_by_friction(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        const double speed = 2.0, mu = 0.4, angle = 0.4 * way;
        scene it = {.world = space_world(TR_DIRECT, (tr_vec3){0.0f, -9.81f, 0.0f}, 1)};
        it.floor = space_floor(it.world);
        tr3_body box[2];
        for (int i = 0; i < 2; i++) {
            box[i] = space_box(it.world, (tr_dvec3){i, half.y, 0.0}, half, 2.0 - i);
            SPACE_OK(tr3_body_set_velocity(it.world, box[i],
                                           (tr_vec3){(float)(speed * cos(angle)), 0.0f, (float)(speed * sin(angle))},
                                           (tr_vec3){0.0f, 0.0f, 0.0f}));
        }
        const tr3_joint_def ball = space_between(it.world, TR3_JOINT_BALL, box[0], box[1], (tr_dvec3){0.5, half.y, 0.0},
                                                 (tr_vec3){0.0f, 0.0f, 1.0f});
        (void)space_joint(it.world, &ball);
        for (int i = 0; i < 60; i++) {
            tr3_contact_def defs[2];
            for (int b = 0; b < 2; b++) {
                defs[b] = space_box_on(it.world, &it.floor, box[b], half);
                defs[b].friction = (float)mu;
            }
            SPACE_OK(tr3_world_set_contacts(it.world, defs, 2));
            SPACE_OK(tr3_world_step(it.world, SPACE_DT, 4));
        }
        const tr_dvec3 at = space_now(it.world, box[0]).position;
        SPACE_NEAR("way", sqrt(at.x * at.x + at.z * at.z), speed * speed / (2.0 * mu * 9.81), 0.01);
        tr3_world_destroy(it.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_twins_are_as_they_are_alone),
        cmocka_unit_test(lanes_find_what_is_found_one_by_one),
        cmocka_unit_test(what_falls_settles),
        cmocka_unit_test(what_slides_stops_by_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
