/* What wakes islands that sleep, and that nothing else does. In the plane. */
#include "sleep_world.h"

static void a_pile_that_wakes_goes_on_as_it_lay(void **state)
{
    (void)state;
    rest it = make_rest(1);
    (void)fall_asleep(&it, SLEEPERS, 120);
    double heights[STACK];
    for (int i = 0; i < STACK; i++)
        heights[i] = body_now(it.world, it.stack[i]).position.y;
    MUST(tr2_body_set_awake(it.world, it.stack[0], true));
    for (int n = 0; n < 10; n++) {
        steps(it.world, DT, 4, 1);
        for (int i = 0; i < STACK; i++) {
            tr2_body_def def = body_now(it.world, it.stack[i]);
            assert_true(def.awake);
            /* without the impulses that it had, it would fall by 1.4 mm in the first step alone */
            NEAR("height", def.position.y, heights[i], 1e-4);
            NEAR("speed", hypot((double)def.velocity.x, (double)def.velocity.y), 0.0, 2e-3);
        }
    }
    (void)fall_asleep(&it, SLEEPERS, 120);
    tr2_world_destroy(it.world);
}

/*
 * What wakes
 */
enum { WAKES_STACK = 1, WAKES_WELDED = 2, WAKES_RIDER = 4, WAKES_WEIGHT = 8, WAKES_ALL = 15, WAKES_NONE = 0 };

static void touch_it(rest *it)
{
    tr2_body ball = body_of(it->world, TR_DYNAMIC, -2.0, 3.5);
    (void)shape_on(it->world, tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f));
    MUST(tr2_body_set_velocity(it->world, ball, (tr_vec2){20.0f, 0.0f}, 0.0f));
    steps(it->world, DT, 4, 6);
    /* it has given its momentum, as to what is awake */
    assert_true(body_now(it->world, it->stack[3]).velocity.x > 0.5f);
}

static void touch_softly(rest *it)
{
    tr2_body ball = body_of(it->world, TR_DYNAMIC, 0.0, 4.4);
    (void)shape_on(it->world, tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f));
    steps(it->world, DT, 4, 10);
}

static void move_it(rest *it)
{
    MUST(tr2_body_set_transform(it->world, it->stack[1], (tr_dvec2){0.01, 1.5}, 0.0));
}

static void give_velocity(rest *it)
{
    MUST(tr2_body_set_velocity(it->world, it->welded[1], (tr_vec2){0.0f, 1.0f}, 0.0f));
    assert_true(body_now(it->world, it->welded[1]).velocity.y == 1.0f);
    assert_true(awake(it, it->welded[0]));
}

static void change_mass(rest *it)
{
    MUST(tr2_body_set_mass(it->world, it->weight, 2.0f, 1.0f, (tr_vec2){0.0f, 0.0f}));
}

static void change_gravity_scale(rest *it)
{
    MUST(tr2_body_set_gravity_scale(it->world, it->weight, 2.0f));
}

static void fix_rotation(rest *it)
{
    MUST(tr2_body_set_fixed_rotation(it->world, it->weight, true));
}

static void make_kinematic(rest *it)
{
    MUST(tr2_body_set_type(it->world, it->stack[0], TR_KINEMATIC));
}

static void make_static(rest *it)
{
    MUST(tr2_body_set_type(it->world, it->stack[3], TR_STATIC));
}

static void disable(rest *it)
{
    MUST(tr2_body_set_enabled(it->world, it->stack[0], false));
}

static void set_whole(rest *it)
{
    tr2_body_def def = body_now(it->world, it->stack[2]);
    def.awake = true;
    MUST(tr2_body_set(it->world, it->stack[2], &def));
}

static void push_it(rest *it)
{
    MUST(tr2_body_apply_force_to_center(it->world, it->welded[0], (tr_vec2){100.0f, 0.0f}));
}

static void push_at_point(rest *it)
{
    MUST(tr2_body_apply_force(it->world, it->welded[0], (tr_vec2){100.0f, 0.0f}, (tr_dvec2){10.0, 0.6}));
}

static void twist_it(rest *it)
{
    MUST(tr2_body_apply_torque(it->world, it->weight, 1.0f));
}

static void strike_it(rest *it)
{
    MUST(tr2_body_apply_impulse_to_center(it->world, it->weight, (tr_vec2){1.0f, 0.0f}));
    assert_true(body_now(it->world, it->weight).velocity.x == 1.0f);
}

static void spin_it(rest *it)
{
    MUST(tr2_body_apply_angular_impulse(it->world, it->weight, 1.0f));
}

static void blow_up(rest *it)
{
    tr2_explosion def = tr2_explosion_default();
    def.position = (tr_dvec2){13.0, 0.5};
    def.radius = 2.0f;
    def.falloff = 0.0f;
    def.impulse_per_length = 5.0f;
    MUST(tr2_world_explode(it->world, &def));
}

static void destroy_supported(rest *it)
{
    MUST(tr2_world_destroy_body(it->world, it->stack[0]));
}

static void destroy_floor(rest *it)
{
    MUST(tr2_world_destroy_body(it->world, it->floor));
}

static void destroy_floor_shape(rest *it)
{
    MUST(tr2_world_destroy_shape(it->world, it->floor_shape));
}

static void move_floor(rest *it)
{
    MUST(tr2_body_set_transform(it->world, it->floor, (tr_dvec2){0.0, -1.0}, 0.0));
}

static void change_floor(rest *it)
{
    tr2_surface surface = {.friction = 0.1f};
    MUST(tr2_shape_set_surface(it->world, it->floor_shape, surface));
}

static void destroy_shape(rest *it)
{
    MUST(tr2_world_destroy_shape(it->world, it->top_shape));
}

static void add_shape(rest *it)
{
    (void)shape_on(it->world, tr2_circle_on(it->stack[3], (tr_vec2){0.5f, 0.0f}, 0.25f));
}

static void filter_shape(rest *it)
{
    MUST(tr2_shape_set_filter(it->world, it->top_shape, (tr2_filter){.category = 2, .mask = 2}));
}

static void new_floor(rest *it)
{
    /* into the stack */
    tr2_body wall = body_of(it->world, TR_STATIC, 0.9, 2.5);
    (void)shape_on(it->world, tr2_box_on(wall, 0.5f, 0.2f));
}

static void add_joint(rest *it)
{
    (void)join_at(it->world, TR2_JOINT_DISTANCE, it->stack[3], it->hook, 0.0, 3.5);
}

static void add_joint_between(rest *it)
{
    (void)join_at(it->world, TR2_JOINT_REVOLUTE, it->stack[3], it->welded[0], 5.0, 3.5);
}

static void destroy_joint(rest *it)
{
    MUST(tr2_world_destroy_joint(it->world, it->rope));
}

static void destroy_hook(rest *it)
{
    MUST(tr2_world_destroy_body(it->world, it->hook));
}

static void disable_joint(rest *it)
{
    MUST(tr2_joint_set_enabled(it->world, it->rope, false));
}

static void run_motor(rest *it)
{
    MUST(tr2_joint_set_value(it->world, it->rope, TR2_FIELD_MOTOR_ENABLE, 1.0f));
    MUST(tr2_joint_set_value(it->world, it->rope, TR2_FIELD_MOTOR_SPEED, 1.0f));
}

static void drive_platform(rest *it)
{
    MUST(tr2_body_set_velocity(it->world, it->platform, (tr_vec2){0.5f, 0.0f}, 0.0f));
}

static void lift_platform(rest *it)
{
    MUST(tr2_body_set_transform(it->world, it->platform, (tr_dvec2){20.0, 1.5}, 0.0));
}

static void drive_into(rest *it)
{
    tr2_body ram = body_of(it->world, TR_KINEMATIC, -3.0, 1.5);
    (void)shape_on(it->world, tr2_box_on(ram, 0.5f, 0.4f));
    MUST(tr2_body_set_velocity(it->world, ram, (tr_vec2){4.0f, 0.0f}, 0.0f));
    steps(it->world, DT, 4, 40);
}

static void turn_gravity(rest *it)
{
    MUST(tr2_world_set_gravity(it->world, (tr_vec2){0.0f, -5.0f}));
}

static void soften(rest *it)
{
    MUST(tr2_world_set_joint_softness(it->world, 30.0f, 2.0f));
}

static void another_method(rest *it)
{
    MUST(tr2_world_set_method(it->world, TR_SMALL_STEP, 0));
}

static void other_contacts(rest *it)
{
    tr2_contact_settings settings = tr2_world_contact_settings(it->world);
    settings.push_speed *= 2.0f;
    MUST(tr2_world_set_contact_settings(it->world, &settings));
}

static void no_sleep(rest *it)
{
    tr_sleep_settings settings;
    MUST(tr2_world_get_sleep(it->world, &settings));
    settings.enable = false;
    MUST(tr2_world_set_sleep(it->world, &settings));
}

static void forbid_sleep(rest *it)
{
    MUST(tr2_body_set_allow_sleep(it->world, it->stack[0], false));
}

static void wake_one(rest *it)
{
    MUST(tr2_body_set_awake(it->world, it->stack[2], true));
}

static void give_contact(rest *it)
{
    tr2_contact_def def = {.body_a = it->hook,
                           .body_b = it->weight,
                           .id = 1,
                           .normal = {0.0f, -1.0f},
                           .point_count = 1,
                           .point[0] = {-20.0, 7.5},
                           .separation[0] = -0.01f};
    MUST(tr2_world_set_contacts(it->world, &def, 1));
}

static void read_all(rest *it)
{
    const double lower = -50.0, upper = 50.0;
    tr2_boxes box = {1, &lower, &lower, &upper, &upper};
    tr2_query query = tr2_query_default();
    tr2_shape found[32];
    uint32_t first[2];
    MUST(tr2_world_overlap_boxes(it->world, &box, &query, found, 32, first, NULL));
    assert_int_equal(first[1], STACK + 5);
    (void)tr2_world_bodies(it->world);
    (void)tr2_world_measure(it->world);
    (void)tr2_world_state_hash(it->world);
    (void)body_now(it->world, it->stack[0]);
    tr2_joint_def joint;
    MUST(tr2_joint_get(it->world, it->rope, &joint));
}

static void edit_in_vain(rest *it)
{
    MUST(tr2_body_set_user_data(it->world, it->stack[0], 7));
    MUST(tr2_body_set_damping(it->world, it->stack[0], 0.0f, 0.0f));
    MUST(tr2_world_set_gravity(it->world, (tr_vec2){0.0f, -9.81f}));
    MUST(tr2_joint_set_user_data(it->world, it->rope, 7));
    assert_int_not_equal(tr2_body_set_velocity(it->world, it->stack[0], (tr_vec2){NAN, 0.0f}, 0.0f), TR_OK);
    assert_int_not_equal(tr2_body_apply_impulse_to_center(it->world, it->stack[0], (tr_vec2){INFINITY, 0.0f}), TR_OK);
}

static void fall_beside(rest *it)
{
    tr2_body ball = body_of(it->world, TR_DYNAMIC, 1.6, 5.0);
    (void)shape_on(it->world, tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f));
    steps(it->world, DT, 4, 70);
}

static void watch_with_sensor(rest *it)
{
    tr2_body eye = body_of(it->world, TR_STATIC, 0.0, 1.0);
    tr2_shape_def def = tr2_box_on(eye, 1.0f, 1.0f);
    def.sensor = true;
    (void)shape_on(it->world, def);
    steps(it->world, DT, 4, 2);
}

typedef struct reason {
    const char *name;
    void (*act)(rest *it);
    uint32_t wakes;
} reason;

static const reason reasons[] = {
    {"a ball hits", touch_it, WAKES_STACK},
    {"a ball is put on top", touch_softly, WAKES_STACK},
    {"transform", move_it, WAKES_STACK},
    {"velocity", give_velocity, WAKES_WELDED},
    {"mass", change_mass, WAKES_WEIGHT},
    {"gravity scale", change_gravity_scale, WAKES_WEIGHT},
    {"fixed rotation", fix_rotation, WAKES_WEIGHT},
    {"kinematic", make_kinematic, WAKES_STACK},
    {"static", make_static, WAKES_STACK},
    {"disabled", disable, WAKES_STACK},
    {"whole definition", set_whole, WAKES_STACK},
    {"force", push_it, WAKES_WELDED},
    {"force at a point", push_at_point, WAKES_WELDED},
    {"torque", twist_it, WAKES_WEIGHT},
    {"impulse", strike_it, WAKES_WEIGHT},
    {"angular impulse", spin_it, WAKES_WEIGHT},
    {"explosion", blow_up, WAKES_WELDED},
    {"body below destroyed", destroy_supported, WAKES_STACK},
    {"floor destroyed", destroy_floor, WAKES_STACK | WAKES_WELDED},
    {"shape of the floor destroyed", destroy_floor_shape, WAKES_STACK | WAKES_WELDED},
    {"floor moved", move_floor, WAKES_STACK | WAKES_WELDED},
    {"surface of the floor", change_floor, WAKES_STACK | WAKES_WELDED},
    {"shape destroyed", destroy_shape, WAKES_STACK},
    {"shape added", add_shape, WAKES_STACK},
    {"filter", filter_shape, WAKES_STACK},
    {"static body put into it", new_floor, WAKES_STACK},
    {"joint to a fixed body", add_joint, WAKES_STACK},
    {"joint between islands", add_joint_between, WAKES_STACK | WAKES_WELDED},
    {"joint destroyed", destroy_joint, WAKES_WEIGHT},
    {"hook destroyed", destroy_hook, WAKES_WEIGHT},
    {"joint disabled", disable_joint, WAKES_WEIGHT},
    {"motor", run_motor, WAKES_WEIGHT},
    {"platform driven", drive_platform, WAKES_RIDER},
    {"platform moved", lift_platform, WAKES_RIDER},
    {"kinematic body drives into it", drive_into, WAKES_STACK},
    {"gravity", turn_gravity, WAKES_ALL},
    {"joint softness", soften, WAKES_ALL},
    {"method", another_method, WAKES_ALL},
    {"contact settings", other_contacts, WAKES_ALL},
    {"sleep switched off", no_sleep, WAKES_ALL},
    {"sleep forbidden", forbid_sleep, WAKES_STACK},
    {"woken", wake_one, WAKES_STACK},
    {"contact of the application", give_contact, WAKES_WEIGHT},
    {"queries and reads", read_all, WAKES_NONE},
    {"edits without effect, and refused ones", edit_in_vain, WAKES_NONE},
    {"a ball falls beside it", fall_beside, WAKES_NONE},
    {"a sensor around it", watch_with_sensor, WAKES_NONE},
};

/* whether some body of an island is awake; those that an edit has destroyed or fixed tell nothing */
static bool any_awake(const rest *it, const tr2_body *bodies, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!tr2_body_is_valid(it->world, bodies[i]))
            continue;
        tr2_body_def def = body_now(it->world, bodies[i]);
        any = any || (def.type == TR_DYNAMIC && def.enabled && awake(it, bodies[i]));
    }
    return any;
}

static void each_reason_wakes_what_it_should_and_nothing_else(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        rest it = make_rest(1);
        (void)fall_asleep(&it, SLEEPERS, 120);
        reasons[i].act(&it);
        steps(it.world, DT, 4, 1);
        uint32_t is =
            (any_awake(&it, it.stack, STACK) ? WAKES_STACK : 0u) | (any_awake(&it, it.welded, 2) ? WAKES_WELDED : 0u) |
            (any_awake(&it, &it.rider, 1) ? WAKES_RIDER : 0u) | (any_awake(&it, &it.weight, 1) ? WAKES_WEIGHT : 0u);
        if (is != reasons[i].wakes) {
            print_error("%s: wakes %u, must wake %u\n", reasons[i].name, is, reasons[i].wakes);
            wrong++;
        }
        /* and the world is whole */
        steps(it.world, DT, 4, 100);
        tr2_world_destroy(it.world);
    }
    assert_int_equal(wrong, 0);
}

/* the joint to an overloaded weight breaks: what it held goes on */
static void a_joint_that_breaks_wakes(void **state)
{
    (void)state;
    rest it = make_rest(1);
    (void)fall_asleep(&it, SLEEPERS, 120);
    /* a weight that moves breaks a joint to one that sleeps with it */
    MUST(tr2_joint_set_break_at(it.world, it.rope, (tr_break_at){.force = 5.0f}));
    steps(it.world, DT, 4, 5);
    /* a joint that sleeps has no events */
    assert_true(tr2_joint_is_valid(it.world, it.rope));
    MUST(tr2_body_set_awake(it.world, it.weight, true));
    steps(it.world, DT, 4, 2);
    assert_false(tr2_joint_is_valid(it.world, it.rope));
    steps(it.world, DT, 4, 30);
    assert_true(body_now(it.world, it.weight).position.y < 6.5);
    tr2_world_destroy(it.world);
}

/* Pairs of two bodies that stand still rest with those that sleep, and longer: what a sensor sees of a kinematic body that
   moves off when all are awake again has its end. */
static void what_moves_off_when_nothing_sleeps_is_seen(void **state)
{
    (void)state;
    rest it = make_rest(1);
    tr2_shape_def eye = tr2_box_on(it.hook, 3.0f, 3.0f);
    eye.sensor = true;
    (void)shape_on(it.world, eye);
    tr2_body_def def = body_now(it.world, it.hook);
    tr2_body mover = body_of(it.world, TR_KINEMATIC, def.position.x, def.position.y);
    (void)shape_on(it.world, tr2_box_on(mover, 0.2f, 0.2f));
    (void)fall_asleep(&it, SLEEPERS, 120);
    const tr2_body islands[] = {it.stack[0], it.welded[0], it.rider, it.weight};
    for (size_t i = 0; i < sizeof islands / sizeof islands[0]; i++)
        MUST(tr2_body_set_awake(it.world, islands[i], true));
    steps(it.world, DT, 4, 1);
    MUST(tr2_body_set_velocity(it.world, mover, (tr_vec2){20.0f, 0.0f}, 0.0f));
    uint32_t ended = 0;
    for (int step = 0; step < 30; step++) {
        steps(it.world, DT, 4, 1);
        const tr2_touch_view touches = tr2_world_touches(it.world);
        for (uint32_t k = 0; k < touches.count; k++)
            ended += touches.event[k].kind == TR2_OVERLAP_END;
    }
    assert_int_equal(ended, 1);
    tr2_world_destroy(it.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_that_wakes_goes_on_as_it_lay),
        cmocka_unit_test(each_reason_wakes_what_it_should_and_nothing_else),
        cmocka_unit_test(a_joint_that_breaks_wakes),
        cmocka_unit_test(what_moves_off_when_nothing_sleeps_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
