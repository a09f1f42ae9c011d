/* Worlds and bodies: what goes in comes out, ids name one object for ever. */
#include "weightless.h"
#include "world_fixture.h"

/*
 * The world
 */
static void a_new_world_is_empty_and_has_the_definitions_settings(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    assert_true(def.gravity.x == 0.0f && def.gravity.y == -9.81f);
    assert_true(def.joint_frequency == 60.0f && def.joint_damping_ratio == 2.0f);
    assert_false(def.no_warm_starting);
    def.gravity.x = 3.0f;
    def.threads = 3;
    tr2_world *world = NULL;
    tr_error error = {TR_ERROR_PARSE, "left over"};
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_OK);
    assert_int_equal(error.status, TR_OK);
    assert_string_equal(error.message, "");
    assert_true(tr2_world_gravity(world).x == 3.0f);
    assert_int_equal(tr2_world_threads(world), threads_of(3));
    assert_int_equal(tr2_world_last_error(world)->status, TR_OK);

    tr_statistics statistics = tr2_world_statistics(world);
    assert_int_equal(statistics.bodies, 0);
    assert_int_equal(statistics.joints, 0);
    assert_int_equal(statistics.steps, 0);
    assert_true(statistics.lane_fill == 1.0);
    assert_true(statistics.bytes > 0);
    tr2_measures measures = tr2_world_measure(world);
    assert_true(measures.kinetic_energy == 0.0 && measures.potential_energy == 0.0);
    assert_int_equal(tr2_world_bodies(world).count, 0);
    for (int type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
        assert_int_equal(tr2_world_joints(world, (tr2_joint_type)type).count, 0);
    assert_int_equal(tr2_world_step(world, 0.01, 1), TR_OK);
    assert_int_equal(tr2_world_optimize(world), TR_OK);
    tr2_world_destroy(world);
}

static void settings_can_be_changed(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr_vec2 gravity = {1.0f, 2.0f};
    assert_ok(world, tr2_world_set_gravity(world, gravity));
    assert_true(tr2_world_gravity(world).x == 1.0f && tr2_world_gravity(world).y == 2.0f);
    assert_ok(world, tr2_world_set_joint_softness(world, 30.0f, 0.0f));
    assert_ok(world, tr2_world_set_threads(world, 5));
    assert_int_equal(tr2_world_threads(world), threads_of(5));
    assert_ok(world, tr2_world_set_threads(world, 0));
    assert_int_equal(tr2_world_threads(world), threads_of(tr_physical_cores()));
}

static void forces_last_one_step_and_survive_a_step_of_no_time(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_body(world, 1.0, 2.0);
    tr_vec2 none = {0.0f, 0.0f};
    tr_vec2 force = {6.0f, 0.0f};
    tr_dvec2 above = {1.0, 4.0};
    assert_ok(world, tr2_world_set_gravity(world, none));
    assert_ok(world, tr2_body_apply_force(world, id, force, above));
    assert_ok(world, tr2_body_apply_force_to_center(world, id, force));
    assert_ok(world, tr2_body_apply_torque(world, id, 5.0f));
    tr2_body_view view = tr2_world_bodies(world);
    assert_true(view.force_x[0] == 12.0f && view.force_y[0] == 0.0f);
    assert_true(view.torque[0] == -12.0f + 5.0f);

    assert_ok(world, tr2_world_step(world, 0.0, 1));
    view = tr2_world_bodies(world);
    assert_true(view.force_x[0] == 12.0f);
    assert_ok(world, tr2_world_step(world, 0.5, 1));
    view = tr2_world_bodies(world);
    assert_true(view.force_x[0] == 0.0f && view.force_y[0] == 0.0f && view.torque[0] == 0.0f);
    assert_true(fabsf(view.velocity_x[0] - 6.0f) < 1e-5f);
    assert_true(fabsf(view.angular_velocity[0] + 3.5f) < 1e-5f);
    assert_int_equal(tr2_world_statistics(world).steps, 1);
}

static void bodies_made_and_destroyed_between_steps_are_followed(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body first = make_body(world, 0.0, 0.0);
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    tr2_body second = make_body(world, 10.0, 0.0);
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, second, &def));
    assert_true(fabsf(def.velocity.y + 0.981f) < 1e-5f);

    /* the rows of others move when one goes, and with a body goes its mass */
    tr2_body third = make_body(world, 20.0, 0.0);
    assert_ok(world, tr2_world_destroy_body(world, first));
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    assert_ok(world, tr2_body_get(world, second, &def));
    assert_true(fabsf(def.velocity.y + 1.962f) < 1e-5f);
    assert_ok(world, tr2_body_get(world, third, &def));
    assert_true(fabsf(def.velocity.y + 0.981f) < 1e-5f);
    assert_ok(world, tr2_body_set_type(world, second, TR_STATIC));
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    assert_ok(world, tr2_body_get(world, second, &def));
    assert_true(def.velocity.y == 0.0f);
    assert_ok(world, tr2_body_get(world, third, &def));
    assert_true(fabsf(def.velocity.y + 1.962f) < 1e-5f);
}

/*
 * Bodies
 */
static tr2_body_def odd_body(void)
{
    tr2_body_def def = tr2_body_def_default();
    def.position.x = 1e7 + 0.125;
    def.position.y = -3.5;
    def.angle = 100.25;
    def.velocity.x = 1.5f;
    def.velocity.y = -2.5f;
    def.angular_velocity = 0.75f;
    def.mass = 3.0f;
    def.inertia = 5.0f;
    def.gravity_scale = -0.5f;
    def.linear_damping = 0.25f;
    def.angular_damping = 0.125f;
    def.sleep_scale = 2.5f;
    def.fixed_rotation = true;
    def.user_data = 0x123456789abcdef0u;
    return def;
}

static void assert_same_body(const tr2_body_def *a, const tr2_body_def *b)
{
    assert_int_equal(a->type, b->type);
    assert_true(a->position.x == b->position.x && a->position.y == b->position.y);
    assert_true(a->angle == b->angle);
    assert_true(a->velocity.x == b->velocity.x && a->velocity.y == b->velocity.y);
    assert_true(a->angular_velocity == b->angular_velocity);
    assert_true(a->mass == b->mass && a->inertia == b->inertia);
    assert_true(a->center.x == b->center.x && a->center.y == b->center.y);
    assert_true(a->gravity_scale == b->gravity_scale);
    assert_true(a->linear_damping == b->linear_damping && a->angular_damping == b->angular_damping);
    assert_true(a->sleep_scale == b->sleep_scale);
    assert_int_equal(a->fixed_rotation, b->fixed_rotation);
    assert_int_equal(a->bullet, b->bullet);
    assert_true(a->user_data == b->user_data);
}

static void a_body_is_read_as_it_was_made(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    for (int type = TR_STATIC; type <= TR_DYNAMIC; type++) {
        tr2_body_def def = odd_body();
        tr2_body_def back;
        tr2_body id;
        def.type = (tr_body_type)type;
        assert_ok(world, tr2_world_create_body(world, &def, &id));
        assert_ok(world, tr2_body_get(world, id, &back));
        /* a static body has no velocity, whatever was said */
        if (type == TR_STATIC) {
            def.velocity.x = def.velocity.y = def.angular_velocity = 0.0f;
        }
        assert_same_body(&def, &back);
    }
}

static void a_body_is_read_as_it_was_set(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_body(world, 0.0, 0.0);
    tr2_body_def def = odd_body();
    tr2_body_def back;
    assert_ok(world, tr2_body_set(world, id, &def));
    assert_ok(world, tr2_body_get(world, id, &back));
    assert_same_body(&def, &back);

    /* each property alone, and nothing else with it */
    tr_dvec2 position = {4.0, 5.0};
    tr_vec2 velocity = {6.0f, 7.0f};
    tr_vec2 center = {0.0f, 0.0f};
    assert_ok(world, tr2_body_set_transform(world, id, position, -1000.5));
    assert_ok(world, tr2_body_set_velocity(world, id, velocity, 8.0f));
    assert_ok(world, tr2_body_set_mass(world, id, 9.0f, 10.0f, center));
    assert_ok(world, tr2_body_set_damping(world, id, 11.0f, 12.0f));
    assert_ok(world, tr2_body_set_gravity_scale(world, id, 13.0f));
    assert_ok(world, tr2_body_set_fixed_rotation(world, id, false));
    assert_ok(world, tr2_body_set_bullet(world, id, true));
    assert_ok(world, tr2_body_set_user_data(world, id, 14));
    def.position = position;
    def.angle = -1000.5;
    def.velocity = velocity;
    def.angular_velocity = 8.0f;
    def.mass = 9.0f;
    def.inertia = 10.0f;
    def.linear_damping = 11.0f;
    def.angular_damping = 12.0f;
    def.gravity_scale = 13.0f;
    def.fixed_rotation = false;
    def.bullet = true;
    def.user_data = 14;
    assert_ok(world, tr2_body_get(world, id, &back));
    assert_same_body(&def, &back);
}

static void the_table_holds_the_centre_of_mass(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position.x = 10.0;
    def.position.y = 20.0;
    def.angle = 1.57079632679489661923; /* a quarter turn: the body's x is the world's y */
    def.center.x = 2.0f;
    def.center.y = 0.5f;
    def.angular_velocity = 3.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    tr2_body_view view = tr2_world_bodies(world);
    assert_true(fabs(view.center_x[0] - 9.5) < 1e-6);
    assert_true(fabs(view.center_y[0] - 22.0) < 1e-6);
    assert_true(fabsf(view.c[0]) < 1e-7f && fabsf(view.s[0] - 1.0f) < 1e-7f);
    tr2_transform transform;
    assert_ok(world, tr2_world_get_transforms(world, &id, 1, &transform));
    assert_true(fabs(transform.position.x - 10.0) < 1e-12 && fabs(transform.position.y - 20.0) < 1e-12);
    assert_true(transform.angle == def.angle && transform.c == view.c[0] && transform.s == view.s[0]);

    /* a new centre: the origin stays, and so does the velocity of every point of the body */
    tr_vec2 center = {-1.0f, 0.5f};
    assert_ok(world, tr2_body_set_mass(world, id, 1.0f, 1.0f, center));
    assert_ok(world, tr2_world_get_transforms(world, &id, 1, &transform));
    assert_true(fabs(transform.position.x - 10.0) < 1e-12 && fabs(transform.position.y - 20.0) < 1e-12);
    view = tr2_world_bodies(world);
    assert_true(fabs(view.center_y[0] - 19.0) < 1e-6);
    /* w x (new - old) = 3 x (0, -3) = (9, 0) */
    assert_true(fabsf(view.velocity_x[0] - 9.0f) < 1e-5f && fabsf(view.velocity_y[0]) < 1e-5f);
}

static void inverse_masses_follow_type_mass_and_rotation(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_body(world, 0.0, 0.0);
    tr_vec2 center = {0.0f, 0.0f};
    tr2_body_view view = tr2_world_bodies(world);
    assert_ok(world, tr2_body_set_mass(world, id, 4.0f, 8.0f, center));
    assert_true(view.inverse_mass[0] == 0.25f && view.inverse_inertia[0] == 0.125f);
    assert_ok(world, tr2_body_set_fixed_rotation(world, id, true));
    assert_true(view.inverse_mass[0] == 0.25f && view.inverse_inertia[0] == 0.0f);
    assert_ok(world, tr2_body_set_fixed_rotation(world, id, false));
    assert_ok(world, tr2_body_set_type(world, id, TR_KINEMATIC));
    assert_true(view.inverse_mass[0] == 0.0f && view.inverse_inertia[0] == 0.0f);
    assert_ok(world, tr2_body_set_type(world, id, TR_DYNAMIC));
    assert_true(view.inverse_mass[0] == 0.25f && view.inverse_inertia[0] == 0.125f);
    assert_ok(world, tr2_body_set_mass(world, id, 4.0f, 0.0f, center));
    assert_true(view.inverse_mass[0] == 0.25f && view.inverse_inertia[0] == 0.0f);
}

static void what_cannot_move_takes_no_force_and_a_static_body_no_velocity(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_body(world, 0.0, 0.0);
    tr_vec2 push = {1.0f, 2.0f};
    tr_dvec2 point = {3.0, 4.0};
    tr2_body_view view = tr2_world_bodies(world);
    assert_ok(world, tr2_body_apply_force(world, id, push, point));
    assert_true(view.force_x[0] == 1.0f);
    for (int type = TR_STATIC; type <= TR_KINEMATIC; type++) {
        assert_ok(world, tr2_body_set_type(world, id, (tr_body_type)type));
        assert_ok(world, tr2_body_apply_force(world, id, push, point));
        assert_ok(world, tr2_body_apply_torque(world, id, 1.0f));
        assert_true(view.force_x[0] == 0.0f && view.force_y[0] == 0.0f && view.torque[0] == 0.0f);
        assert_ok(world, tr2_body_apply_impulse(world, id, push, point));
        assert_ok(world, tr2_body_apply_angular_impulse(world, id, 1.0f));
        assert_true(view.velocity_x[0] == 0.0f && view.angular_velocity[0] == 0.0f);
        assert_ok(world, tr2_body_set_velocity(world, id, push, 3.0f));
        assert_true(view.velocity_x[0] == (type == TR_STATIC ? 0.0f : 1.0f));
        assert_true(view.angular_velocity[0] == (type == TR_STATIC ? 0.0f : 3.0f));
        assert_ok(world, tr2_body_set_type(world, id, TR_STATIC));
        assert_true(view.velocity_x[0] == 0.0f && view.angular_velocity[0] == 0.0f);
    }
}

static void impulses_change_velocity_by_mass_and_lever(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body id = make_body(world, 1.0, 1.0);
    tr_vec2 center = {0.0f, 0.0f};
    tr_vec2 impulse = {2.0f, 4.0f};
    tr_dvec2 point = {3.0, 1.0};
    assert_ok(world, tr2_body_set_mass(world, id, 2.0f, 4.0f, center));
    assert_ok(world, tr2_body_apply_impulse(world, id, impulse, point));
    assert_ok(world, tr2_body_apply_angular_impulse(world, id, 1.0f));
    tr2_body_view view = tr2_world_bodies(world);
    assert_true(view.velocity_x[0] == 1.0f && view.velocity_y[0] == 2.0f);
    /* (2, 0) x (2, 4) = 8, and 1 more, over 4 */
    assert_true(view.angular_velocity[0] == 2.25f);
}

static void views_are_aligned_and_say_who_is_who(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body ids[40];
    for (uint32_t i = 0; i < 40; i++) {
        ids[i] = make_body(world, i, 0.0);
        assert_ok(world, tr2_body_set_user_data(world, ids[i], 100 + i));
    }
    for (uint32_t i = 0; i < 40; i += 3)
        assert_ok(world, tr2_world_destroy_body(world, ids[i]));
    assert_ok(world, tr2_world_optimize(world));
    tr2_body_view view = tr2_world_bodies(world);
    assert_int_equal(view.count, 26);
    const void *columns[] = {view.id,
                             view.center_x,
                             view.center_y,
                             view.angle,
                             view.c,
                             view.s,
                             view.velocity_x,
                             view.velocity_y,
                             view.angular_velocity,
                             view.mass,
                             view.inertia,
                             view.inverse_mass,
                             view.type,
                             view.flags,
                             view.user_data,
                             view.force_x,
                             view.force_y,
                             view.torque,
                             view.gravity_scale,
                             view.linear_damping,
                             view.angular_damping,
                             view.sleep_scale,
                             view.inverse_inertia,
                             view.local_center_x,
                             view.local_center_y};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        assert_non_null(columns[i]);
        assert_int_equal((uintptr_t)columns[i] % 64, 0);
    }
    for (uint32_t row = 0; row < view.count; row++) {
        uint32_t i = (uint32_t)(view.user_data[row] - 100);
        assert_memory_equal(&view.id[row], &ids[i], sizeof ids[i]);
        assert_true(view.center_x[row] == (double)i);
        tr2_body_def def;
        assert_ok(world, tr2_body_get(world, view.id[row], &def));
        assert_true(def.user_data == view.user_data[row]);
    }
}

/*
 * Ids
 */
static void an_id_never_names_another_body(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body old = make_body(world, 0.0, 0.0);
    assert_int_equal(old.index, 1);
    assert_int_equal(old.world, 7);
    assert_true(tr2_body_is_valid(world, old));
    assert_ok(world, tr2_world_destroy_body(world, old));
    assert_false(tr2_body_is_valid(world, old));
    /* the slot again and again, until its generations are used up and another takes over */
    tr2_body next = {0, 0, 0};
    for (uint32_t i = 1; i <= UINT16_MAX; i++) {
        next = make_body(world, 0.0, 0.0);
        assert_int_equal(next.index, 1);
        assert_int_equal(next.generation, i);
        assert_false(tr2_body_is_valid(world, old));
        assert_ok(world, tr2_world_destroy_body(world, next));
    }
    next = make_body(world, 0.0, 0.0);
    assert_int_equal(next.index, 2);
    assert_false(tr2_body_is_valid(world, old));
    assert_true(tr2_body_is_valid(world, next));
}

static void destroying_a_body_destroys_its_joints_and_no_others(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body body[5];
    tr2_joint joint[4];
    for (uint32_t i = 0; i < 5; i++)
        body[i] = make_body(world, i, 0.0);
    for (uint32_t i = 0; i < 4; i++)
        joint[i] = make_joint(world, i % 2 ? TR2_JOINT_REVOLUTE : TR2_JOINT_DISTANCE, body[i], body[i + 1]);
    tr2_body gone[2] = {body[4], body[1]};
    assert_ok(world, tr2_world_destroy_bodies(world, gone, 2));
    assert_false(tr2_joint_is_valid(world, joint[0]));
    assert_false(tr2_joint_is_valid(world, joint[1]));
    assert_true(tr2_joint_is_valid(world, joint[2]));
    assert_false(tr2_joint_is_valid(world, joint[3]));
    tr_statistics statistics = tr2_world_statistics(world);
    assert_int_equal(statistics.bodies, 3);
    assert_int_equal(statistics.joints, 1);
    assert_int_equal(statistics.joints_of_type[TR2_JOINT_DISTANCE], 1);
    tr2_joint_def def;
    assert_ok(world, tr2_joint_get(world, joint[2], &def));
    assert_memory_equal(&def.body_a, &body[2], sizeof body[2]);
}

/*
 * Logs and quarantine
 */
static void a_body_that_leaves_the_numbers_is_reported_once_and_let_go_when_set(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    tr2_body well = make_body(world, 0.0, 0.0);
    tr2_body ill = make_body(world, 5.0, 0.0);
    assert_ok(world, tr2_body_set_user_data(world, ill, 4711));
    tr_vec2 velocity = {3e38f, 0.0f};
    assert_ok(world, tr2_body_set_velocity(world, ill, velocity, 0.0f));
    tr_vec2 push = {3e38f, 0.0f};
    assert_ok(world, tr2_body_apply_force_to_center(world, ill, push));
    assert_ok(world, tr2_world_step(world, 10.0, 1));
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 1);
    assert_int_equal(it->warnings, 1);
    assert_non_null(strstr(it->message, "slot 1"));
    assert_non_null(strstr(it->message, "4711"));
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, ill, &def));
    assert_true(def.position.x == 5.0 && def.velocity.x == 0.0f);
    tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t row = 0; row < view.count; row++) {
        bool held = view.id[row].index == ill.index;
        assert_int_equal(view.flags[row] & TR_BODY_QUARANTINED, held ? TR_BODY_QUARANTINED : 0);
        assert_true(view.inverse_mass[row] == (held ? 0.0f : 1.0f));
    }

    /* held still, and said no second time; the other falls on */
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    assert_int_equal(it->warnings, 1);
    assert_ok(world, tr2_body_get(world, ill, &def));
    assert_true(def.position.y == 0.0);
    assert_ok(world, tr2_body_get(world, well, &def));
    assert_true(def.velocity.y < -90.0f);

    tr_vec2 none = {0.0f, 0.0f};
    assert_ok(world, tr2_body_set_velocity(world, ill, none, 0.0f));
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    assert_ok(world, tr2_world_step(world, 0.1, 1));
    assert_ok(world, tr2_body_get(world, ill, &def));
    assert_true(def.velocity.y < -0.9f);
}

static void a_large_change_is_planned_afresh_and_said(void **state)
{
    fixture *it = *state;
    tr2_world *world = it->world;
    for (uint32_t i = 0; i < 1500; i++)
        make_body(world, i, 0.0);
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_int_equal(it->infos, 1);
    assert_int_equal(tr2_world_statistics(world).plan_rebuilds, 1);
    make_body(world, -1.0, 0.0);
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_int_equal(tr2_world_statistics(world).plan_rebuilds, 1);
    assert_ok(world, tr2_world_optimize(world));
    assert_int_equal(tr2_world_statistics(world).plan_rebuilds, 2);

    /* where nothing is left there is nothing to plan */
    while (tr2_world_bodies(world).count > 0)
        assert_ok(world, tr2_world_destroy_body(world, tr2_world_bodies(world).id[0]));
    uint32_t said = it->infos;
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_int_equal(it->infos, said);
}

static void statistics_describe_the_plan(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body_def fixed = tr2_body_def_default();
    fixed.type = TR_STATIC;
    tr2_body ground;
    assert_ok(world, tr2_world_create_body(world, &fixed, &ground));
    tr2_body body[6];
    for (uint32_t i = 0; i < 6; i++)
        body[i] = make_body(world, i, 0.0);
    /* 0-1-2 in a row, 3-4, 5 alone; 0 and 3 hang from the ground, which joins nothing */
    make_joint(world, TR2_JOINT_REVOLUTE, body[0], body[1]);
    make_joint(world, TR2_JOINT_REVOLUTE, body[1], body[2]);
    make_joint(world, TR2_JOINT_WELD, body[3], body[4]);
    make_joint(world, TR2_JOINT_REVOLUTE, ground, body[0]);
    make_joint(world, TR2_JOINT_REVOLUTE, ground, body[3]);
    tr_statistics statistics = tr2_world_statistics(world);
    assert_int_equal(statistics.bodies, 7);
    assert_int_equal(statistics.moving_bodies, 6);
    assert_int_equal(statistics.joints, 5);
    assert_int_equal(statistics.solved_joints, 5);
    assert_int_equal(statistics.islands, 3);
    assert_int_equal(statistics.largest_island, 3);
    assert_int_equal(statistics.islands_by_size[0], 1); /* one body */
    assert_int_equal(statistics.islands_by_size[1], 2); /* two and three */
    assert_int_equal(statistics.max_degree, 2);
    assert_int_equal(statistics.colors, 3);
    assert_int_equal(statistics.batches, 4);
    assert_int_equal(statistics.blocks, 4);
    assert_true(statistics.lane_fill == 5.0 / 64.0);
    assert_int_equal(statistics.split_bodies, 0);
}

/* Collision is divided among threads, too: of discs that touch nothing it is most of a step, so that the rest alone
   could not bring the whole below it. Other work on the machine may disturb single steps. */
static void projections_divide_collision(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { COUNT = 3000, STEPS = 30 };
    for (uint32_t i = 0; i < COUNT; i++) {
        tr2_shape_def disc = weightless(tr2_shape_def_default(TR2_CIRCLE));
        disc.body = make_body(world, 1.2 * (i % 60), 1.2 * (i / 60));
        disc.radius = 0.5f;
        assert_ok(world, tr2_world_create_shape(world, &disc, NULL));
    }
    assert_ok(world, tr2_world_set_threads(world, 1));
    /* what failed steps have run is not divided */
    test_allocator *allocator = &((fixture *)*state)->allocator;
    for (uint64_t n = 1; n <= 40; n++) {
        test_fail_in(allocator, n);
        if (tr2_world_step(world, 1.0 / 60.0, 1) == TR_OK)
            break;
        test_fail_in(allocator, 0);
        assert_true(tr2_world_projected_seconds(world, 8) >= 0.0);
    }
    test_fail_in(allocator, 0);
    uint32_t divided = 0;
    for (int i = 0; i < STEPS; i++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 1));
        tr_statistics is = tr2_world_statistics(world);
        double collision = is.stage_seconds[TR_STAGE_BROAD] + is.stage_seconds[TR_STAGE_NARROW];
        double one = tr2_world_projected_seconds(world, 1), eight = tr2_world_projected_seconds(world, 8);
        assert_true(one <= is.seconds && eight > one / 8.0);
        assert_true(is.stage_bytes[TR_STAGE_BROAD] > COUNT * sizeof(float));
        divided += eight < 0.8 * collision;
    }
    assert_true(divided > STEPS / 2);
}

/*
 * Work and span are those of the pipeline, whatever its stages: on one thread a step takes its chunks one after
 * another, so a projection to one thread is the time itself; to more it can only fall, and not below one chunk of each
 * stage.
 */
static void statistics_describe_the_last_step(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    enum { COUNT = 3000 };
    tr2_body last = make_body(world, 0.0, 0.0);
    for (uint32_t i = 1; i < COUNT; i++) {
        tr2_body next = make_body(world, i, 0.0);
        make_joint(world, TR2_JOINT_REVOLUTE, last, next);
        last = next;
    }
    assert_true(tr2_world_projected_seconds(world, 1) == 0.0);
    assert_int_equal(tr2_world_statistics(world).critical_path, 0);
    assert_ok(world, tr2_world_set_threads(world, 1));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 2));
    tr_statistics two = tr2_world_statistics(world);
    double seconds = 0.0;
    for (uint32_t stage = 0; stage < TR_STAGE_COUNT; stage++) {
        seconds += two.stage_seconds[stage];
        assert_int_equal(two.stage_bytes[stage] > 0, stage > TR_STAGE_PLAN);
    }
    assert_true(two.critical_path > 0 && two.critical_path < two.chunks);
    double one = tr2_world_projected_seconds(world, 1), before = one, all = tr2_world_projected_seconds(world, 1000000);
    assert_true(fabs(one - seconds) <= 1e-12 + 1e-9 * seconds);
    for (uint32_t threads = 2; threads <= 64; threads *= 2) {
        double now = tr2_world_projected_seconds(world, threads);
        assert_true(now <= before && now >= all);
        before = now;
    }
    assert_true(all < one);
    assert_true(tr2_world_projected_seconds(world, 0) == 0.0 && tr2_world_projected_seconds(NULL, 1) == 0.0);

    /* what sub-steps do is in proportion to them; what begins and ends a step is not */
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 6));
    tr_statistics six = tr2_world_statistics(world);
    assert_int_equal(six.stage_bytes[TR_STAGE_SOLVE], 3 * two.stage_bytes[TR_STAGE_SOLVE]);
    assert_int_equal(six.stage_bytes[TR_STAGE_PREPARE], two.stage_bytes[TR_STAGE_PREPARE]);
    assert_int_equal(six.bytes_per_substep, two.bytes_per_substep);
    const size_t *bytes = two.stage_bytes;
    assert_int_equal(2 * two.bytes_per_substep,
                     bytes[TR_STAGE_WARM_START] + bytes[TR_STAGE_SOLVE] + bytes[TR_STAGE_RELAX]);
    /* three passes, each with the velocities of both bodies there and back */
    assert_true(two.bytes_per_substep > (size_t)3 * COUNT * 2 * 2 * 3 * sizeof(float));

    /* one thread waits for nobody; several wait after each stage */
    assert_int_equal(two.barriers, 0);
    assert_ok(world, tr2_world_set_threads(world, 2));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 2));
    tr_statistics team = tr2_world_statistics(world);
    assert_int_equal(team.critical_path, two.critical_path);
    assert_int_equal(team.chunks, two.chunks);
    assert_int_equal(team.barriers, team.threads > 1 ? team.critical_path : 0);
}

/* rigid rows are held at the world's joint frequency, 60 Hz, but at no more than a quarter of the rate of sub-steps */
static void joints_held_softer_than_asked_are_counted(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    assert_ok(world, tr2_world_set_joint_softness(world, 60.0f, 2.0f));
    tr2_body body[4];
    for (uint32_t i = 0; i < 4; i++)
        body[i] = make_body(world, i, 0.0);
    make_joint(world, TR2_JOINT_REVOLUTE, body[0], body[1]);
    make_joint(world, TR2_JOINT_REVOLUTE, body[1], body[2]);
    tr2_joint soft = make_joint(world, TR2_JOINT_REVOLUTE, body[2], body[3]);
    assert_ok(world, tr2_joint_set_value(world, soft, TR2_FIELD_LINEAR_KIND, (float)TR_FREQUENCY));
    assert_ok(world, tr2_joint_set_value(world, soft, TR2_FIELD_LINEAR_A, 5.0f));
    const struct {
        uint32_t substeps, clamped;
    } cases[] = {{1, 2}, {3, 2}, {4, 0}, {5, 0}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, cases[i].substeps));
        assert_int_equal(tr2_world_statistics(world).clamped_joints, cases[i].clamped);
    }
    assert_ok(world, tr2_world_set_joint_softness(world, 100.0f, 2.0f));
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 5));
    assert_int_equal(tr2_world_statistics(world).clamped_joints, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_world_is_empty_and_has_the_definitions_settings),
        TEST(settings_can_be_changed),
        TEST(forces_last_one_step_and_survive_a_step_of_no_time),
        TEST(bodies_made_and_destroyed_between_steps_are_followed),
        TEST(a_body_is_read_as_it_was_made),
        TEST(a_body_is_read_as_it_was_set),
        TEST(the_table_holds_the_centre_of_mass),
        TEST(inverse_masses_follow_type_mass_and_rotation),
        TEST(what_cannot_move_takes_no_force_and_a_static_body_no_velocity),
        TEST(impulses_change_velocity_by_mass_and_lever),
        TEST(views_are_aligned_and_say_who_is_who),
        TEST(an_id_never_names_another_body),
        TEST(destroying_a_body_destroys_its_joints_and_no_others),
        TEST(a_body_that_leaves_the_numbers_is_reported_once_and_let_go_when_set),
        TEST(a_large_change_is_planned_afresh_and_said),
        TEST(statistics_describe_the_plan),
        TEST(projections_divide_collision),
        TEST(statistics_describe_the_last_step),
        TEST(joints_held_softer_than_asked_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
