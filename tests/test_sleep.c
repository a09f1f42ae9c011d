/* Islands that sleep: when they fall asleep, what wakes them, and that nothing else changes by it. In the plane. */
#include "all_threads.h"
#include "allocator.h"
#include "physics.h"
#include "sleep_scale.h"
#include "trammel/scene2.h"
#include "world/collision/collision_internal.h"

/*
 * A scene of islands that come to rest. On a floor: a stack of boxes, two boxes with a weld, a box on a kinematic
 * platform. In the air: a weight that hangs on a static hook.
 */
enum { STACK = 4 };
typedef struct rest {
    tr2_world *world;
    tr2_body floor, platform, hook;
    tr2_shape floor_shape;
    tr2_body stack[STACK], welded[2], rider, weight;
    tr2_shape top_shape;
    tr2_joint weld, rope;
} rest;

static tr2_body body_of(tr2_world *world, tr_body_type type, double x, double y)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.type = type;
    def.position = (tr_dvec2){x, y};
    MUST(tr2_world_create_body(world, &def, &id));
    return id;
}

static tr2_shape shape_on(tr2_world *world, tr2_shape_def def)
{
    tr2_shape id;
    MUST(tr2_world_create_shape(world, &def, &id));
    return id;
}

static tr2_body box_at(tr2_world *world, double x, double y)
{
    tr2_body id = body_of(world, TR_DYNAMIC, x, y);
    (void)shape_on(world, tr2_box_on(id, 0.5f, 0.5f));
    return id;
}

static tr2_joint join_at(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def;
    tr2_joint id;
    MUST(tr2_joint_def_between(world, type, a, b, (tr_dvec2){x, y}, (tr_dvec2){x, y}, (tr_vec2){1.0f, 0.0f}, &def));
    MUST(tr2_world_create_joint(world, &def, &id));
    return id;
}

static rest make_rest(uint32_t threads)
{
    rest it;
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = true;
    def.threads = threads;
    MUST(tr2_world_create(&def, &it.world, NULL));
    it.floor = body_of(it.world, TR_STATIC, 0.0, -0.5);
    it.floor_shape = shape_on(it.world, tr2_box_on(it.floor, 60.0f, 0.5f));
    for (int i = 0; i < STACK; i++) {
        it.stack[i] = body_of(it.world, TR_DYNAMIC, 0.0, 0.5 + i);
        it.top_shape = shape_on(it.world, tr2_box_on(it.stack[i], 0.5f, 0.5f));
    }
    it.welded[0] = box_at(it.world, 10.0, 0.5);
    it.welded[1] = box_at(it.world, 11.0, 0.5);
    it.weld = join_at(it.world, TR2_JOINT_WELD, it.welded[0], it.welded[1], 10.5, 0.5);
    it.platform = body_of(it.world, TR_KINEMATIC, 20.0, 2.0);
    (void)shape_on(it.world, tr2_box_on(it.platform, 2.0f, 0.25f));
    it.rider = box_at(it.world, 20.0, 2.75);
    it.hook = body_of(it.world, TR_STATIC, -20.0, 10.0);
    it.weight = body_of(it.world, TR_DYNAMIC, -20.0, 7.0);
    it.rope = join_at(it.world, TR2_JOINT_REVOLUTE, it.hook, it.weight, -20.0, 10.0);
    return it;
}

static bool awake(const rest *it, tr2_body body)
{
    bool out = false;
    MUST(tr2_body_is_awake(it->world, body, &out));
    return out;
}

static uint32_t sleepers(const tr2_world *world)
{
    return tr2_world_statistics(world).sleeping_bodies;
}

#define DT       (1.0 / 60.0)
#define SLEEPERS (STACK + 4u)

/* steps until all sleep; how many they were */
static uint32_t fall_asleep(const rest *it, uint32_t bodies, uint32_t most)
{
    for (uint32_t i = 0; i <= most; i++) {
        if (sleepers(it->world) == bodies)
            return i;
        steps(it->world, DT, 4, 1);
    }
    fail_msg("%u of %u bodies sleep after %u steps", sleepers(it->world), bodies, most);
    return 0;
}

static void islands_at_rest_fall_asleep_and_stay_where_they_are(void **state)
{
    (void)state;
    rest it = make_rest(1);
    uint32_t count = fall_asleep(&it, SLEEPERS, 120);
    /* half a second, and the eight steps between searches */
    assert_in_range(count, 30, 120);
    uint64_t hash = tr2_world_state_hash(it.world);
    tr2_reaction before, after;
    MUST(tr2_joint_reaction(it.world, it.rope, &before));
    steps(it.world, DT, 4, 300);
    assert_true(tr2_world_state_hash(it.world) == hash);
    tr2_body_def def = body_now(it.world, it.stack[3]);
    assert_true(def.velocity.x == 0.0f && def.velocity.y == 0.0f && def.angular_velocity == 0.0f);
    assert_int_equal(def.type, TR_DYNAMIC);
    assert_false(def.awake);
    NEAR("height", def.position.y, 3.5, 0.03);
    /* forces keep their last values */
    MUST(tr2_joint_reaction(it.world, it.rope, &after));
    assert_memory_equal(&before, &after, sizeof before);
    NEAR("weight", fabs((double)before.force.y), G, 0.01);
    tr2_shape_contact contacts[4];
    uint32_t found;
    MUST(tr2_body_contacts(it.world, it.stack[0], contacts, 4, &found));
    assert_int_equal(found, 2);
    assert_true(contacts[0].impulse.normal[0] > 0.0f);
    tr2_world_destroy(it.world);
}

/* a world that may sleep moves as one that may not, to the step in which something falls asleep */
static void until_something_sleeps_no_bit_is_another(void **state)
{
    (void)state;
    rest it = make_rest(1), other = make_rest(1);
    const tr_sleep_settings off = {.enable = false};
    MUST(tr2_world_set_sleep(other.world, &off));
    uint32_t compared = 0;
    for (; sleepers(it.world) == 0; compared++) {
        const tr2_body_view a = tr2_world_bodies(it.world), b = tr2_world_bodies(other.world);
        const size_t wide = a.count * sizeof(double), narrow = a.count * sizeof(float);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.center_x, b.center_x, wide);
        assert_memory_equal(a.center_y, b.center_y, wide);
        assert_memory_equal(a.angle, b.angle, wide);
        assert_memory_equal(a.velocity_x, b.velocity_x, narrow);
        assert_memory_equal(a.velocity_y, b.velocity_y, narrow);
        assert_memory_equal(a.angular_velocity, b.angular_velocity, narrow);
        steps(it.world, DT, 4, 1);
        steps(other.world, DT, 4, 1);
    }
    assert_true(compared >= 30);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

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

/*
 * Thresholds
 */
static void bodies_that_may_not_sleep_keep_their_island_awake(void **state)
{
    (void)state;
    rest it = make_rest(1);
    MUST(tr2_body_set_allow_sleep(it.world, it.stack[1], false));
    steps(it.world, DT, 4, 300);
    assert_int_equal(sleepers(it.world), SLEEPERS - STACK);
    assert_true(awake(&it, it.stack[0]) && awake(&it, it.stack[3]) && !awake(&it, it.weight));
    assert_int_equal(tr2_body_set_awake(it.world, it.stack[0], false), TR_ERROR_RANGE);
    assert_non_null(strstr(tr2_world_last_error(it.world)->message, "may not sleep"));
    MUST(tr2_body_set_allow_sleep(it.world, it.stack[1], true));
    (void)fall_asleep(&it, SLEEPERS, 120);
    tr2_world_destroy(it.world);
}

static void speed_and_time_decide(void **state)
{
    (void)state;
    const struct {
        double speed, spin;
        float most, most_spin, time;
        bool sleeps;
    } cases[] = {
        {0.04, 0.0, 0.05f, 0.1f, 0.5f, true},  {0.06, 0.0, 0.05f, 0.1f, 0.5f, false},
        {0.0, 0.09, 0.05f, 0.1f, 0.5f, true},  {0.0, 0.11, 0.05f, 0.1f, 0.5f, false},
        {0.06, 0.0, 0.07f, 0.1f, 0.5f, true},  {0.0, 0.11, 0.05f, 0.2f, 0.5f, true},
        {0.04, 0.0, 0.05f, 0.1f, 5.0f, false}, {0.04, 0.0, 0.0f, 0.1f, 0.5f, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world = NULL;
        def.gravity = (tr_vec2){0.0f, 0.0f};
        def.sleep = (tr_sleep_settings){true, cases[i].most, cases[i].most_spin, cases[i].time};
        MUST(tr2_world_create(&def, &world, NULL));
        tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){(float)cases[i].speed, 0.0f}, (float)cases[i].spin));
        steps(world, DT, 4, 60);
        assert_int_equal(sleepers(world), cases[i].sleeps ? 1 : 0);
        tr2_world_destroy(world);
    }
}

/*
 * A weight on a spring between two walls swings at `hertz` by `amplitude` (m). It rests if it stays in its place and is not
 * faster than five times the threshold. Returns how fast it was at most in the half second before it fell
 * asleep; negative: it never did.
 */
static double swing_on_spring(float hertz, double amplitude, uint32_t count)
{
    enum { RECENT = 30 };
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.gravity = (tr_vec2){0.0f, 0.0f};
    def.sleep.enable = true;
    MUST(tr2_world_create(&def, &world, NULL));
    tr2_body wall = body_of(world, TR_STATIC, 0.0, 0.0), weight = body_of(world, TR_DYNAMIC, amplitude, 0.0);
    tr2_joint_def spring = tr2_joint_def_default(TR2_JOINT_LINE);
    spring.body_a = wall;
    spring.body_b = weight;
    spring.axis = (tr_vec2){1.0f, 0.0f};
    spring.spring.enable = true;
    spring.spring.softness = tr_frequency(hertz, 0.0f);
    MUST(tr2_world_create_joint(world, &spring, NULL));
    double recent[RECENT] = {0.0}, most = -1.0;
    for (uint32_t i = 0; i < count && most < 0.0; i++) {
        steps(world, DT, 64, 1);
        if (sleepers(world) == 0)
            recent[i % RECENT] = fabs((double)body_now(world, weight).velocity.x);
        else
            most = 0.0;
    }
    for (int k = 0; k < RECENT && most >= 0.0; k++)
        most = fmax(most, recent[k]);
    tr2_world_destroy(world);
    return most;
}

static void what_shakes_in_place_rests_and_what_swings_does_not(void **state)
{
    (void)state;
    /* 0.075 m/s at most, 1.2 mm to and fro: it was above the threshold until it fell asleep */
    assert_true(swing_on_spring(10.0f, 0.0012, 60) > 0.06);
    /* 0.63 m/s, more than five times the threshold */
    assert_true(swing_on_spring(10.0f, 0.01, 60) < 0.0);
    /* 0.19 m/s, so far that it leaves its place */
    assert_true(swing_on_spring(0.5f, 0.06, 300) < 0.0);
}

/* all limbs of a heap are one island, which sleeps only when the last of them rests */
static void a_heap_of_ragdolls_falls_asleep(void **state)
{
    (void)state;
    tr2_scene *scene = NULL;
    MUST(tr2_scene_generate("heap", 100, &scene, NULL));
    scene->sleep.enable = true;
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    MUST(tr2_scene_build(scene, world, NULL, NULL, NULL));
    const uint32_t limbs = scene->body_count - 1;
    assert_int_equal(limbs, 100 * 11);
    tr2_scene_destroy(scene);
    for (uint32_t i = 0; i < 720 && sleepers(world) < limbs; i++)
        steps(world, DT, 4, 1);
    assert_int_equal(sleepers(world), limbs);
    tr2_world_destroy(world);
}

static void lengths_are_in_units(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world = NULL;
        def.gravity = (tr_vec2){0.0f, 0.0f};
        def.sleep.enable = true;
        def.length_unit = 50.0f;
        MUST(tr2_world_create(&def, &world, NULL));
        tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){i == 0 ? 2.4f : 2.6f, 0.0f}, 0.0f));
        steps(world, DT, 4, 60);
        assert_int_equal(sleepers(world), i == 0 ? 1 : 0);
        tr2_world_destroy(world);
    }
}

static void settings_are_checked(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error;
    def.sleep.time = -1.0f;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_ERROR_NEGATIVE);
    assert_non_null(strstr(error.message, "def.sleep.time"));
    def.sleep.time = 0.0f;
    def.sleep.speed = NAN;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_ERROR_NAN);
    def.sleep.speed = 1.0f;
    MUST(tr2_world_create(&def, &world, NULL));
    tr_sleep_settings settings = {.angular_speed = INFINITY};
    assert_int_equal(tr2_world_set_sleep(world, &settings), TR_ERROR_INFINITE);
    assert_int_equal(tr2_world_set_sleep(world, NULL), TR_ERROR_NULL);
    MUST(tr2_world_get_sleep(world, &settings));
    assert_true(settings.speed == 1.0f && settings.time == 0.0f);
    tr2_body body = body_of(world, TR_DYNAMIC, 0.0, 0.0);
    settings.enable = false;
    MUST(tr2_world_set_sleep(world, &settings));
    assert_int_equal(tr2_body_set_awake(world, body, false), TR_ERROR_RANGE);
    bool is;
    assert_int_equal(tr2_body_is_awake(world, (tr2_body){0, 0, 0}, &is), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_body_is_awake(world, body, NULL), TR_ERROR_NULL);
    tr2_world_destroy(world);
}

static void put_to_sleep_by_hand(void **state)
{
    (void)state;
    rest it = make_rest(1);
    steps(it.world, DT, 4, 3);
    MUST(tr2_body_set_awake(it.world, it.stack[2], false));
    for (int i = 0; i < STACK; i++)
        assert_false(awake(&it, it.stack[i]));
    assert_int_equal(sleepers(it.world), STACK);
    /* a falling body sleeps in the air, and falls on when it wakes */
    tr2_body ball = body_of(it.world, TR_DYNAMIC, -10.0, 8.0);
    steps(it.world, DT, 4, 5);
    MUST(tr2_body_set_awake(it.world, ball, false));
    double height = body_now(it.world, ball).position.y;
    steps(it.world, DT, 4, 5);
    assert_true(body_now(it.world, ball).position.y == height);
    MUST(tr2_body_set_awake(it.world, ball, true));
    steps(it.world, DT, 4, 5);
    assert_true(body_now(it.world, ball).position.y < height);
    /* static bodies are always awake */
    MUST(tr2_body_set_awake(it.world, it.floor, false));
    assert_true(awake(&it, it.floor));
    MUST(tr2_body_set_velocity(it.world, it.platform, (tr_vec2){0.1f, 0.0f}, 0.0f));
    steps(it.world, DT, 4, 1);
    assert_int_equal(tr2_body_set_awake(it.world, it.rider, false), TR_ERROR_RANGE);
    tr2_world_destroy(it.world);
}

/*
 * Events
 */
static void events_tell_who_fell_asleep_and_who_woke(void **state)
{
    (void)state;
    rest it = make_rest(1);
    MUST(tr2_body_set_user_data(it.world, it.weight, 42));
    uint32_t slept = 0, woke = 0;
    bool told = false;
    for (int i = 0; i < 120; i++) {
        steps(it.world, DT, 4, 1);
        tr2_sleep_event_view events = tr2_world_sleep_events(it.world);
        for (uint32_t k = 0; k < events.count; k++) {
            slept += events.event[k].asleep;
            woke += !events.event[k].asleep;
            told = told || (events.event[k].body.index == it.weight.index && events.event[k].user_data == 42);
            assert_false(awake(&it, events.event[k].body));
        }
    }
    assert_int_equal(slept, SLEEPERS);
    assert_int_equal(woke, 0);
    assert_true(told);
    MUST(tr2_body_set_awake(it.world, it.stack[0], true));
    /* what wakes and is put to sleep again between two steps tells nothing */
    MUST(tr2_body_set_awake(it.world, it.weight, true));
    MUST(tr2_body_set_awake(it.world, it.weight, false));
    steps(it.world, DT, 4, 1);
    tr2_sleep_event_view events = tr2_world_sleep_events(it.world);
    assert_int_equal(events.count, STACK);
    for (uint32_t k = 0; k < events.count; k++)
        assert_false(events.event[k].asleep);
    MUST(tr2_world_step(it.world, 0.0, 4));
    assert_int_equal(tr2_world_sleep_events(it.world).count, 0);
    tr2_world_destroy(it.world);
}

static void flags_and_types_in_the_view(void **state)
{
    (void)state;
    rest it = make_rest(1);
    (void)fall_asleep(&it, SLEEPERS, 120);
    tr2_body_view view = tr2_world_bodies(it.world);
    uint32_t asleep = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        bool sleeps = (view.flags[i] & TR_BODY_ASLEEP) != 0;
        asleep += sleeps;
        assert_true(!sleeps || view.type[i] == TR_STATIC);
        assert_true(!sleeps || view.inverse_mass[i] > 0.0f);
        assert_true(!sleeps || view.still[i] >= 0.5f);
        assert_true(sleeps == !awake(&it, view.id[i]));
    }
    assert_int_equal(asleep, SLEEPERS);
    tr2_world_destroy(it.world);
}

/* touches and overlaps go on while both sides sleep, and end when one is gone */
static void touches_do_not_end_by_sleep(void **state)
{
    (void)state;
    rest it = make_rest(1);
    tr2_shape_def eye = tr2_box_on(it.hook, 1.0f, 1.0f);
    eye.sensor = true;
    eye.point[0] = (tr_vec2){19.0f, -10.0f};
    eye.point[1] = (tr_vec2){21.0f, -10.0f};
    eye.point[2] = (tr_vec2){21.0f, -9.1f};
    eye.point[3] = (tr_vec2){19.0f, -9.1f};
    (void)shape_on(it.world, eye);
    uint32_t begun = 0, ended = 0;
    for (int i = 0; i < 200; i++) {
        steps(it.world, DT, 4, 1);
        tr2_touch_view touches = tr2_world_touches(it.world);
        for (uint32_t k = 0; k < touches.count; k++) {
            begun += touches.event[k].kind == TR2_TOUCH_BEGIN || touches.event[k].kind == TR2_OVERLAP_BEGIN;
            ended += touches.event[k].kind == TR2_TOUCH_END || touches.event[k].kind == TR2_OVERLAP_END;
        }
    }
    assert_int_equal(sleepers(it.world), SLEEPERS);
    assert_int_equal(ended, 0);
    /* the stack: four; the welded boxes: two; the rider; the sensor */
    assert_int_equal(begun, 8);
    MUST(tr2_world_destroy_body(it.world, it.stack[0]));
    steps(it.world, DT, 4, 1);
    tr2_touch_view touches = tr2_world_touches(it.world);
    for (uint32_t k = 0; k < touches.count; k++)
        ended += touches.event[k].kind == TR2_TOUCH_END || touches.event[k].kind == TR2_OVERLAP_END;
    assert_int_equal(ended, 3);
    tr2_world_destroy(it.world);
}

/*
 * The same bits: balls rain on heaps of boxes that sleep in between
 */
enum { HEAPS = 12, RAIN_STEPS = 900 };

typedef struct rain {
    tr2_world *world;
    uint64_t random;
    tr2_body balls[64];
    uint32_t ball_count;
    uint32_t slept, woken; /* events */
} rain;

static rain make_rain(uint32_t threads)
{
    rain it = {.random = 7};
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = true;
    def.threads = threads;
    MUST(tr2_world_create(&def, &it.world, NULL));
    if (threads > 1)
        step_on_all_threads(it.world);
    tr2_body floor = body_of(it.world, TR_STATIC, 0.0, -0.5);
    (void)shape_on(it.world, tr2_box_on(floor, 200.0f, 0.5f));
    for (int heap = 0; heap < HEAPS; heap++) {
        for (int row = 0; row < 5; row++) {
            for (int i = 0; i < 5 - row; i++)
                (void)box_at(it.world, 8.0 * heap + i + 0.5 * row, 0.5 + row);
        }
        /* a chain that hangs over it */
        tr2_body above = body_of(it.world, TR_STATIC, 8.0 * heap + 6.0, 6.0);
        for (int i = 0; i < 4; i++) {
            tr2_body link = body_of(it.world, TR_DYNAMIC, 8.0 * heap + 6.0, 5.75 - 0.5 * i);
            (void)shape_on(it.world, tr2_box_on(link, 0.1f, 0.25f));
            (void)join_at(it.world, TR2_JOINT_REVOLUTE, above, link, 8.0 * heap + 6.0, 6.0 - 0.5 * i);
            above = link;
        }
    }
    return it;
}

static void rain_on(rain *it, uint32_t step)
{
    if (step % 45 == 0 && it->ball_count < 64) {
        random_step(&it->random);
        double x = (double)(it->random >> 40) / (double)(1 << 24) * 8.0 * HEAPS;
        tr2_body ball = body_of(it->world, TR_DYNAMIC, x, 9.0);
        (void)shape_on(it->world, tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.4f));
        it->balls[it->ball_count++] = ball;
    }
    if (step % 200 == 199 && it->ball_count > 1)
        MUST(tr2_world_destroy_body(it->world, it->balls[--it->ball_count]));
    if (step % 150 == 149)
        MUST(tr2_body_apply_impulse_to_center(it->world, it->balls[0], (tr_vec2){3.0f, 3.0f}));
    steps(it->world, DT, 4, 1);
    tr2_sleep_event_view events = tr2_world_sleep_events(it->world);
    for (uint32_t i = 0; i < events.count; i++) {
        it->slept += events.event[i].asleep;
        it->woken += !events.event[i].asleep;
    }
}

static void run_rain(uint32_t threads, uint64_t *hashes)
{
    rain it = make_rain(threads);
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        rain_on(&it, i);
        hashes[i] = tr2_world_state_hash(it.world);
    }
    /* it is what it should be: islands sleep and wake again */
    assert_true(it.woken > 50 && it.slept > it.woken);
    tr2_world_destroy(it.world);
}

static void every_number_of_threads_and_every_set_gives_the_same_bits(void **state)
{
    (void)state;
    static uint64_t want[RAIN_STEPS], is[RAIN_STEPS];
    tr_isa chosen = tr_get_isa();
    run_rain(1, want);
    for (uint32_t threads = 2; threads <= 8; threads *= 2) {
        run_rain(threads, is);
        assert_memory_equal(is, want, sizeof want);
    }
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa) || (tr_isa)isa == chosen)
            continue;
        MUST(tr_set_isa((tr_isa)isa));
        run_rain(1, is);
        MUST(tr_set_isa(chosen));
        assert_memory_equal(is, want, sizeof want);
    }
}

/* what is patched when islands sleep and wake gives the bits of a layout that is made afresh in every step */
static void patches_give_the_bits_of_a_fresh_layout(void **state)
{
    (void)state;
    rain it = make_rain(1), other = make_rain(1);
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        tr_plan_touch(other.world->plan);
        rain_on(&it, i);
        rain_on(&other, i);
        if (tr2_world_state_hash(it.world) != tr2_world_state_hash(other.world))
            fail_msg("another state after step %u", i + 1);
    }
    tr_statistics patched = tr2_world_statistics(it.world), afresh = tr2_world_statistics(other.world);
    assert_true(patched.full_layouts < afresh.full_layouts / 2);
    tr2_world_destroy(it.world);
    tr2_world_destroy(other.world);
}

/*
 * A fresh plan orders the rows of what is awake. The rows of what sleeps, which may be very many, stay where they are but
 * for those in whose place the others come.
 */
static void a_fresh_plan_leaves_the_rows_of_what_sleeps(void **state)
{
    (void)state;
    enum { SLEEP = 200, AWAKE = 12, PLANS = 5 };
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.sleep.enable = true;
    MUST(tr2_world_create(&def, &world, NULL));
    (void)shape_on(world, tr2_box_on(body_of(world, TR_STATIC, 0.0, -0.5), 600.0f, 0.5f));
    for (int i = 0; i < SLEEP; i++)
        (void)box_at(world, 2.0 * (i / 4), 0.5 + i % 4);
    steps(world, DT, 4, 120);
    assert_int_equal(sleepers(world), SLEEP);
    /* these have the last rows, until a plan gives them the first ones */
    for (int i = 0; i < AWAKE; i++)
        MUST(tr2_body_set_allow_sleep(world, box_at(world, -10.0 - 2.0 * (i / 2), 0.5 + i % 2), false));
    for (int plan = 0; plan < PLANS; plan++) {
        const tr2_joints *contacts = &world->joints[TR_CONTACT];
        steps(world, DT, 4, 1);
        uint32_t bodies = world->bodies.table.count, rows = contacts->table.count, moved = 0, moved_contacts = 0;
        uint32_t *body_rows = calloc(bodies, sizeof *body_rows), *contact_rows = calloc(rows, sizeof *contact_rows);
        assert_true(body_rows != NULL && contact_rows != NULL);
        memcpy(body_rows, world->bodies.slot, bodies * sizeof *body_rows);
        memcpy(contact_rows, contacts->slot, rows * sizeof *contact_rows);
        MUST(tr2_world_optimize(world));
        assert_int_equal(world->bodies.table.count, bodies);
        assert_int_equal(contacts->table.count, rows);
        for (uint32_t row = 0; row < bodies; row++)
            moved += world->bodies.slot[row] != body_rows[row];
        for (uint32_t row = 0; row < rows; row++)
            moved_contacts += contacts->slot[row] != contact_rows[row];
        /* each of those awake takes the row of one that sleeps, at most */
        assert_in_range(moved, 0, 2 * (AWAKE + 2));
        assert_in_range(moved_contacts, 0, 4 * AWAKE);
        for (uint32_t row = 0; row < bodies; row++)
            assert_int_equal(world->body_pool.row[world->bodies.slot[row]], row);
        for (uint32_t row = 0; row < rows; row++)
            assert_int_equal(world->joint_pool.row[contacts->slot[row]], row);
        free(body_rows);
        free(contact_rows);
        /* another box, whose contact comes last */
        MUST(tr2_body_set_allow_sleep(world, box_at(world, -100.0 - 2.0 * plan, 0.5), false));
    }
    tr2_world_destroy(world);
}

static void a_restored_world_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    rain it = make_rain(1);
    void *bytes = NULL;
    for (uint32_t i = 0; i < RAIN_STEPS; i++) {
        rain_on(&it, i);
        if (i % 60 != 7)
            continue;
        size_t size = tr2_world_save_size(it.world);
        bytes = realloc(bytes, size);
        assert_non_null(bytes);
        MUST(tr2_world_save(it.world, bytes, size, &size));
        rain other = it;
        tr2_world_def def = tr2_world_def_default();
        MUST(tr2_world_create(&def, &other.world, NULL));
        if (tr2_world_restore(other.world, bytes, size) != TR_OK)
            fail_msg("step %u: %s", i, tr2_world_last_error(other.world)->message);
        rain same = it;
        /* and this one goes back to where it was */
        uint64_t hashes[90];
        for (uint32_t k = 0; k < 90; k++) {
            rain_on(&other, i + 1 + k);
            hashes[k] = tr2_world_state_hash(other.world);
        }
        for (uint32_t k = 0; k < 90; k++) {
            rain_on(&same, i + 1 + k);
            if (tr2_world_state_hash(same.world) != hashes[k])
                fail_msg("restored after step %u: another state %u steps later", i, k + 1);
        }
        MUST(tr2_world_restore(it.world, bytes, size));
        tr2_world_destroy(other.world);
    }
    free(bytes);
    tr2_world_destroy(it.world);
}

/*
 * Memory that runs out: what is refused is called again, and the end is the same
 */
static uint64_t run_scarce(test_allocator *allocator, uint64_t fail_at, uint32_t *refused)
{
    rest it;
    tr2_world_def def = tr2_world_def_default();
    *allocator = (test_allocator){.fail_at = fail_at};
    def.sleep.enable = true;
    def.threads = 1;
    def.tag = 9;
    def.allocator = test_hooks(allocator);
    *refused = 0;
#define AGAIN(call)                                                                                                    \
    do {                                                                                                               \
        tr_status status_ = (call);                                                                                    \
        while (status_ == TR_ERROR_MEMORY) {                                                                           \
            ++*refused;                                                                                                \
            status_ = (call);                                                                                          \
        }                                                                                                              \
        MUST(status_);                                                                                                 \
    } while (0)
    AGAIN(tr2_world_create(&def, &it.world, NULL));
    tr2_body boxes[12];
    for (uint32_t i = 0; i < 12; i++) {
        tr2_body_def body = tr2_body_def_default();
        body.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        body.position = (tr_dvec2){i == 0 ? 0.0 : 2.0 * ((i - 1) / 3), i == 0 ? -0.5 : 0.5 + (i - 1) % 3};
        AGAIN(tr2_world_create_body(it.world, &body, &boxes[i]));
        tr2_shape_def shape = tr2_box_on(boxes[i], i == 0 ? 50.0f : 0.5f, 0.5f);
        AGAIN(tr2_world_create_shape(it.world, &shape, NULL));
    }
    for (uint32_t i = 0; i < 150; i++) {
        if (i == 60)
            AGAIN(tr2_body_apply_impulse_to_center(it.world, boxes[3], (tr_vec2){2.0f, 0.0f}));
        if (i == 70) {
            tr2_body_def body = tr2_body_def_default();
            body.position = (tr_dvec2){4.0, 5.0};
            AGAIN(tr2_world_create_body(it.world, &body, &it.rider));
            tr2_shape_def shape = tr2_circle_on(it.rider, (tr_vec2){0.0f, 0.0f}, 0.3f);
            AGAIN(tr2_world_create_shape(it.world, &shape, NULL));
        }
        if (i == 100)
            AGAIN(tr2_body_set_awake(it.world, boxes[5], false));
        if (i == 110)
            AGAIN(tr2_world_optimize(it.world));
        if (i == 120)
            AGAIN(tr2_body_set_type(it.world, boxes[10], TR_STATIC));
        AGAIN(tr2_world_step(it.world, DT, 4));
    }
#undef AGAIN
    uint64_t hash = tr2_world_state_hash(it.world);
    tr2_world_destroy(it.world);
    assert_int_equal(allocator->held, 0);
    assert_int_equal(allocator->mismatches, 0);
    return hash;
}

static void what_is_refused_for_memory_can_be_called_again(void **state)
{
    (void)state;
    test_allocator allocator;
    uint32_t refused, any = 0;
    uint64_t want = run_scarce(&allocator, 0, &refused), calls = allocator.calls;
    assert_int_equal(refused, 0);
    for (uint64_t n = 1; n <= calls; n++) {
        if (run_scarce(&allocator, n, &refused) != want)
            fail_msg("another end when allocation %u of %u fails", (unsigned)n, (unsigned)calls);
        any += refused;
    }
    assert_true(any > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_at_rest_fall_asleep_and_stay_where_they_are),
        cmocka_unit_test(until_something_sleeps_no_bit_is_another),
        cmocka_unit_test(a_pile_that_wakes_goes_on_as_it_lay),
        cmocka_unit_test(each_reason_wakes_what_it_should_and_nothing_else),
        cmocka_unit_test(a_joint_that_breaks_wakes),
        cmocka_unit_test(bodies_that_may_not_sleep_keep_their_island_awake),
        cmocka_unit_test(speed_and_time_decide),
        cmocka_unit_test(what_shakes_in_place_rests_and_what_swings_does_not),
        cmocka_unit_test(a_heap_of_ragdolls_falls_asleep),
        cmocka_unit_test(lengths_are_in_units),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(put_to_sleep_by_hand),
        cmocka_unit_test(events_tell_who_fell_asleep_and_who_woke),
        cmocka_unit_test(flags_and_types_in_the_view),
        cmocka_unit_test(touches_do_not_end_by_sleep),
        cmocka_unit_test(every_number_of_threads_and_every_set_gives_the_same_bits),
        cmocka_unit_test(patches_give_the_bits_of_a_fresh_layout),
        cmocka_unit_test(a_fresh_plan_leaves_the_rows_of_what_sleeps),
        cmocka_unit_test(a_restored_world_goes_on_with_the_same_bits),
        cmocka_unit_test(what_is_refused_for_memory_can_be_called_again),
        SLEEP_SCALE_TESTS,
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
