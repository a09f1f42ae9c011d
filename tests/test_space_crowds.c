/*
 * Bodies sixteen at a time, and joints of bodies that turn alike about every axis: a body in a crowd becomes what it
 * becomes alone, where it is prepared and finished by itself; reading the tables changes no bits; and the joints'
 * shorter formulas for equal principal moments agree with those for any.
 */
#include "space.h"

/* two tiles and a rest */
enum { COUNT = 40, STEPS = 20 };

/* a body that flies, spins and slows down by itself; every third has equal moments, others are tilted, some rods */
static tr3_body_def lone(uint32_t i)
{
    tr3_body_def def = tr3_body_def_default();
    const float w = 0.5f + 0.125f * (float)(i % 5);
    def.mass = 1.0f + 0.25f * (float)(i % 7);
    def.inertia = i % 3 == 0   ? (tr_sym3){w, w, w, 0.0f, 0.0f, 0.0f}
                  : i % 3 == 1 ? (tr_sym3){w, 1.1f * w, 1.3f * w, 0.01f, -0.02f, 0.03f}
                               : (tr_sym3){w, w, 0.001f * w, 0.0f, 0.0f, 0.0f};
    if (i % 13 == 12)
        def.inertia = (tr_sym3){0};
    def.position = (tr_dvec3){3.0 * i, -1.5 * i, 1e6 + i};
    def.rotation = (tr_quat){0.1f * (float)(i % 4), -0.2f, 0.3f, 0.7f};
    def.center = (tr_vec3){0.1f * (float)(i % 3), 0.0f, -0.2f};
    def.velocity = (tr_vec3){(float)i, 1.0f, -2.0f};
    def.angular_velocity = (tr_vec3){0.3f * (float)i - 4.0f, 1.0f, i % 8 == 7 ? 500.0f : -1.0f};
    def.linear_damping = 0.01f * (float)(i % 4);
    def.angular_damping = 0.02f * (float)(i % 6);
    def.gravity_scale = 1.0f - 0.1f * (float)(i % 2);
    def.fixed_rotation = i % 10 == 9;
    return def;
}

/* the same without what pulls a body beside gravity */
static tr3_body_def falling(uint32_t i)
{
    tr3_body_def def = lone(i);
    def.linear_damping = def.angular_damping = 0.0f;
    def.gravity_scale = 1.0f;
    return def;
}

static void step_all(tr3_world *world, const tr3_body *ids, uint32_t first, uint32_t count, bool forces)
{
    for (int step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < count && forces; i++) {
            const float some = 0.5f * (float)(first + i);
            SPACE_OK(tr3_body_apply_force_to_center(world, ids[i], (tr_vec3){some, 2.0f, -1.0f}));
            SPACE_OK(tr3_body_apply_torque(world, ids[i], (tr_vec3){0.1f, some, 0.2f}));
        }
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    }
}

static bool same_vec(tr_vec3 a, tr_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_motion(const tr3_world *one, tr3_body body, const tr3_world *two, tr3_body other)
{
    tr3_body_def a, b;
    SPACE_OK(tr3_body_get(one, body, &a));
    SPACE_OK(tr3_body_get(two, other, &b));
    return a.position.x == b.position.x && a.position.y == b.position.y && a.position.z == b.position.z &&
           a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z &&
           a.rotation.w == b.rotation.w && same_vec(a.velocity, b.velocity) &&
           same_vec(a.angular_velocity, b.angular_velocity);
}

static void becomes_what_it_becomes_alone(tr3_body_def (*def_of)(uint32_t), bool forces)
{
    tr3_body_def defs[COUNT];
    tr3_body ids[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        defs[i] = def_of(i);
    tr3_world *crowd = space_world(TR_SOFT_STEP, (tr_vec3){0.5f, -10.0f, 0.25f}, 1);
    SPACE_OK(tr3_world_create_bodies(crowd, defs, COUNT, ids));
    step_all(crowd, ids, 0, COUNT, forces);
    for (uint32_t i = 0; i < COUNT; i++) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.5f, -10.0f, 0.25f}, 1);
        tr3_body id;
        SPACE_OK(tr3_world_create_bodies(world, &defs[i], 1, &id));
        step_all(world, &id, i, 1, forces);
        if (!same_motion(crowd, ids[i], world, id))
            fail_msg("%s: body %u became another", tr_isa_name(tr_get_isa()), i);
        tr3_world_destroy(world);
    }
    tr3_world_destroy(crowd);
}

static void a_body_in_a_crowd_becomes_what_it_becomes_alone(void **state)
{
    (void)state;
    tr_isa before = tr_get_isa();
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        SPACE_OK(tr_set_isa((tr_isa)isa));
        becomes_what_it_becomes_alone(lone, true);
        becomes_what_it_becomes_alone(falling, false);
    }
    SPACE_OK(tr_set_isa(before));
}

/* A torque of 0 makes the columns of what pulls beside gravity; without them only gravity is added. */
static void gravity_alone_moves_bodies_as_it_does_beside_forces(void **state)
{
    (void)state;
    tr3_body_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        defs[i] = falling(i);
        defs[i].type = i % 9 == 8 ? TR_STATIC : i % 11 == 10 ? TR_KINEMATIC : TR_DYNAMIC;
    }
    tr3_world *world[2];
    tr3_body ids[2][COUNT];
    for (int w = 0; w < 2; w++) {
        world[w] = space_world(TR_SMALL_STEP, (tr_vec3){0.5f, -10.0f, 0.25f}, 1);
        SPACE_OK(tr3_world_create_bodies(world[w], defs, COUNT, ids[w]));
        if (w == 1)
            SPACE_OK(tr3_body_apply_torque(world[w], ids[w][3], (tr_vec3){0.0f, 0.0f, 0.0f}));
        step_all(world[w], ids[w], 0, COUNT, false);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(same_motion(world[0], ids[0][i], world[1], ids[1][i]));
    tr3_world_destroy(world[0]);
    tr3_world_destroy(world[1]);
}

/* rows of bodies on joints of one type, the first at the ground; `moment`: of the third principal axis */
static tr3_world *rows_of(tr3_joint_type type, tr_method method, float moment, tr3_body *last)
{
    enum { ROWS = 20, LINKS = 3 };
    tr3_world *world = space_world(method, (tr_vec3){0.0f, -10.0f, 1.0f}, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    for (int row = 0; row < ROWS; row++) {
        tr3_body from = ground;
        for (int link = 0; link < LINKS; link++) {
            tr_dvec3 at = {2.0 * row, 0.0, link};
            tr3_body to = space_body(world, TR_DYNAMIC, (tr_dvec3){at.x, at.y + 0.1, at.z + 0.5},
                                     1.0f + 0.1f * (float)row, (tr_vec3){0.2f, 0.2f, moment});
            tr3_joint_def def = space_between(world, type, from, to, at, (tr_vec3){1.0f, 0.5f, 0.0f});
            if (type == TR3_JOINT_DISTANCE)
                def.anchor_b = (tr_vec3){0.0f, 0.0f, 0.0f}, def.length = 0.5f;
            /* a link of some length, whose direction roundings do not change much */
            if (type == TR3_JOINT_CIRCLE)
                SPACE_OK(tr3_joint_def_between(world, type, from, to, at, (tr_dvec3){at.x - 0.2, at.y + 0.4, at.z},
                                               (tr_vec3){1.0f, 0.5f, 0.0f}, &def));
            space_joint(world, &def);
            from = to;
        }
        *last = from;
    }
    return world;
}

/* principal moments that differ by a rounding make the joints take the formulas for any */
static void even_inertia_is_no_other_than_nearly_even_one(void **state)
{
    (void)state;
    for (int type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        for (int method = 0; method < TR_METHOD_COUNT; method++) {
            tr3_world *world[2];
            tr3_body last[2];
            tr_dvec3 at[2];
            for (int w = 0; w < 2; w++) {
                float moment = w == 0 ? 0.2f : nextafterf(0.2f, 1.0f);
                world[w] = rows_of((tr3_joint_type)type, (tr_method)method, moment, &last[w]);
                for (int step = 0; step < 30; step++)
                    SPACE_OK(tr3_world_step(world[w], 1.0 / 60.0, 4));
                tr3_body_def now;
                SPACE_OK(tr3_body_get(world[w], last[w], &now));
                at[w] = now.position;
            }
            double apart = space_length(space_minus(at[0], at[1]));
            if (!(apart < 1e-4))
                fail_msg("joint type %d, method %d: %g m apart", type, method, apart);
            tr3_world_destroy(world[0]);
            tr3_world_destroy(world[1]);
        }
    }
}

/* a table that is read has all columns, also those of bodies whose principal axes and centres are the body's own */
static void reading_the_tables_changes_no_bits(void **state)
{
    (void)state;
    for (int type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        uint64_t hash[2];
        for (int w = 0; w < 2; w++) {
            tr3_body last;
            tr3_world *world = rows_of((tr3_joint_type)type, TR_SOFT_STEP, 0.15f, &last);
            if (w == 1)
                assert_non_null(tr3_world_bodies(world).center_x);
            for (int step = 0; step < 20; step++)
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            hash[w] = tr3_world_state_hash(world);
            tr3_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_in_a_crowd_becomes_what_it_becomes_alone),
        cmocka_unit_test(gravity_alone_moves_bodies_as_it_does_beside_forces),
        cmocka_unit_test(even_inertia_is_no_other_than_nearly_even_one),
        cmocka_unit_test(reading_the_tables_changes_no_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
