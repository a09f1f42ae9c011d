/*
 * Worlds at random in which some numbers are as large or as small as floats allow. Whatever the numbers, what a step
 * leaves can be read, is finite, is the same on every instruction set and on several threads, and when it is replayed
 * from a recording, and is accepted by the calls that set it.
 *
 * TR_EXTREME_WORLDS sets the number of worlds of each method, TR_EXTREME_SEED the first, TR_EXTREME_THREADS_EVERY how
 * many worlds there are per one that is also stepped by several threads.
 */
#include <stdio.h>

#include "all_threads.h"
#include "extreme_walk.h"
#include "hash.h"
#include "readable.h"
#include "recorded.h"
#include "solver/core/joint_fields.h"
#include "world/core/world_internal.h"

enum { MOST_BODIES = 40, MOST_CONTACTS = 24, MOST_SHAPES = 64 };

static tr_vec2 vector(draw *it, float size)
{
    float x = number(it, -size, size), y = number(it, -size, size);
    return (tr_vec2){x, y};
}

static double coordinate(draw *it, float size)
{
    double usual = (double)number(it, -size, size);
    return below(it, 300) < it->odd ? usual * 1e250 : usual;
}

static tr_dvec2 position(draw *it, float size)
{
    double x = coordinate(it, size), y = coordinate(it, size);
    return (tr_dvec2){x, y};
}

/*
 * A world
 */
typedef struct scene {
    tr2_world *world;
    tr2_body bodies[MOST_BODIES];
    uint32_t count;
} scene;

static void add_body(draw *it, scene *s)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = below(it, 8) == 0 ? TR_STATIC : below(it, 8) == 0 ? TR_KINEMATIC : TR_DYNAMIC;
    def.position = position(it, 4.0f);
    def.angle = (double)number(it, -4.0f, 4.0f);
    if (fabs(def.angle) > 1e12)
        def.angle = copysign(1e12, def.angle);
    def.velocity = vector(it, 5.0f);
    def.angular_velocity = number(it, -5.0f, 5.0f);
    def.mass = fabsf(number(it, 0.1f, 10.0f));
    def.inertia = below(it, 8) == 0 ? 0.0f : fabsf(number(it, 0.1f, 10.0f));
    if (below(it, 2) == 0)
        def.center = vector(it, 1.0f);
    if (below(it, 4) == 0)
        def.gravity_scale = number(it, -1.0f, 2.0f);
    if (below(it, 4) == 0)
        def.linear_damping = fabsf(number(it, 0.0f, 2.0f));
    if (below(it, 4) == 0)
        def.angular_damping = fabsf(number(it, 0.0f, 2.0f));
    if (below(it, 4) == 0)
        def.sleep_scale = fabsf(number(it, 0.0f, 2.0f));
    def.fixed_rotation = below(it, 8) == 0;
    def.bullet = below(it, 8) == 0;
    /* what is refused is no matter here */
    if (tr2_world_create_body(s->world, &def, &s->bodies[s->count]) == TR_OK)
        s->count++;
}

static void add_shape(draw *it, scene *s)
{
    tr2_body body = s->bodies[below(it, s->count)];
    /* one after another: the order of arguments is the compiler's */
    tr_vec2 from = vector(it, 1.0f), to = vector(it, 3.0f);
    float width = fabsf(number(it, 0.1f, 1.0f)), height = fabsf(number(it, 0.1f, 1.0f));
    const tr2_shape_def kinds[] = {tr2_circle_on(body, from, width), tr2_box_on(body, width, height),
                                   tr2_capsule_on(body, from, to, width), tr2_segment_on(body, from, to)};
    tr2_shape_def def = kinds[below(it, 4)];
    def.density = below(it, 4) == 0 ? fabsf(number(it, 0.1f, 2.0f)) : 0.0f;
    def.surface.friction = fabsf(number(it, 0.0f, 1.0f));
    def.surface.restitution = between(it, 0.0f, 1.0f);
    def.surface.rolling_resistance = fabsf(number(it, 0.0f, 0.1f));
    def.surface.tangent_speed = number(it, -1.0f, 1.0f);
    def.hit_events = true;
    (void)tr2_world_create_shape(s->world, &def, NULL);
}

static float field_value(draw *it, tr2_field field)
{
    switch (tr2_field_infos[field].kind) {
    case TR_KIND_BOOL:
        return (float)below(it, 2);
    case TR_KIND_KIND:
        return (float)below(it, 4);
    case TR_KIND_NOT_NEGATIVE:
        return fabsf(number(it, 0.0f, 10.0f));
    case TR_KIND_NOT_POSITIVE:
        return -fabsf(number(it, 0.0f, 10.0f));
    case TR_KIND_NOT_ZERO:
    case TR_KIND_FLOAT:
    case TR_KIND_DOUBLE:
        break;
    }
    return number(it, -3.0f, 3.0f);
}

static void add_joint(draw *it, scene *s)
{
    tr2_joint_type type = (tr2_joint_type)below(it, TR2_JOINT_TYPE_COUNT);
    /* heavy on light is solved directly */
    if (below(it, 3) == 0)
        type = below(it, 2) == 0 ? TR2_JOINT_REVOLUTE : TR2_JOINT_WELD;
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = s->bodies[below(it, s->count)];
    def.body_b = s->bodies[below(it, s->count)];
    if (type == TR2_JOINT_GEAR && below(it, 2) == 0)
        def.carrier_a = s->bodies[below(it, s->count)];
    if (tr2_world_create_joint(s->world, &def, NULL) != TR_OK)
        return;
    tr2_joint_view view = tr2_world_joints(s->world, type);
    tr2_joint id = view.id[view.count - 1];
    /* each by itself, so that a number that is refused leaves the others */
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++) {
        if (tr2_joint_type_has(type, (tr2_field)field) && below(it, 3) == 0)
            (void)tr2_joint_set_value(s->world, id, (tr2_field)field, field_value(it, (tr2_field)field));
    }
    if (below(it, 4) == 0) {
        float force = fabsf(number(it, 0.1f, 9.0f)), torque = fabsf(number(it, 0.1f, 9.0f));
        (void)tr2_joint_set_event_at(s->world, id, (tr_event_at){force, torque});
    }
}

static void set_contacts(draw *it, scene *s)
{
    tr2_contact_def defs[MOST_CONTACTS];
    uint32_t count = 0, wanted = below(it, MOST_CONTACTS);
    for (uint32_t i = 0; i < wanted; i++) {
        tr2_contact_def def = tr2_contact_def_default();
        def.body_a = s->bodies[below(it, s->count)];
        def.body_b = s->bodies[below(it, s->count)];
        float angle = between(it, -3.0f, 3.0f);
        def.normal = (tr_vec2){cosf(angle), sinf(angle)};
        def.point_count = 1 + below(it, 2);
        for (uint32_t k = 0; k < 2; k++) {
            def.point[k] = position(it, 2.0f);
            def.separation[k] = number(it, -0.1f, 0.1f);
        }
        def.friction = fabsf(number(it, 0.0f, 1.0f));
        def.restitution = below(it, 2) == 0 ? 0.0f : between(it, 0.0f, 1.0f);
        def.tangent_speed = number(it, -1.0f, 1.0f);
        def.rolling_resistance = below(it, 2) == 0 ? 0.0f : fabsf(number(it, 0.0f, 0.1f));
        def.id = i;
        defs[count] = def;
        /* alone it is accepted, and so with others */
        if (tr2_world_set_contacts(s->world, &def, 1) == TR_OK)
            count++;
    }
    assert_ok(s->world, tr2_world_set_contacts(s->world, defs, count));
}

static void push(draw *it, scene *s)
{
    tr2_body body = s->bodies[below(it, s->count)];
    tr_vec2 force = vector(it, 50.0f);
    tr_dvec2 point = position(it, 1.0f);
    (void)tr2_body_apply_force(s->world, body, force, point);
    body = s->bodies[below(it, s->count)];
    (void)tr2_body_apply_torque(s->world, body, number(it, -50.0f, 50.0f));
    body = s->bodies[below(it, s->count)];
    (void)tr2_body_apply_impulse_to_center(s->world, body, vector(it, 5.0f));
    /* what was quarantined goes on */
    body = s->bodies[below(it, s->count)];
    tr_vec2 velocity = vector(it, 5.0f);
    float turns = number(it, -5.0f, 5.0f);
    (void)tr2_body_set_velocity(s->world, body, velocity, turns);
}

static void make_scene(draw *it, tr_method method, uint32_t threads, scene *s)
{
    tr2_world_def def = tr2_world_def_default();
    def.threads = threads;
    def.tag = 7;
    def.method = method;
    def.gravity = vector(it, 10.0f);
    def.direct_load = below(it, 2) == 0 ? 10.0f : 0.0f;
    *s = (scene){.world = NULL};
    assert_int_equal(tr2_world_create(&def, &s->world, NULL), TR_OK);
    step_on_all_threads(s->world);
    if (below(it, 4) == 0) {
        float frequency = fabsf(number(it, 1.0f, 60.0f)), ratio = fabsf(number(it, 0.0f, 5.0f));
        (void)tr2_world_set_joint_softness(s->world, frequency, ratio);
        tr2_contact_settings settings = tr2_contact_settings_default(1.0f);
        settings.frequency = fabsf(number(it, 1.0f, 60.0f));
        settings.push_speed = fabsf(number(it, 1.0f, 60.0f));
        settings.bounce_speed = fabsf(number(it, 0.0f, 1.0f));
        (void)tr2_world_set_contact_settings(s->world, &settings);
    }
    uint32_t bodies = 2 + below(it, MOST_BODIES - 2);
    for (uint32_t i = 0; i < bodies || s->count < 2; i++)
        add_body(it, s);
    for (uint32_t i = 0; i < s->count; i++)
        add_shape(it, s);
    for (uint32_t i = 0; i < 2 * s->count; i++)
        add_joint(it, s);
    set_contacts(it, s);
}

static void step(draw *it, scene *s)
{
    static const double durations[] = {1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0, 1e-9, 1e3, 1e6};
    uint32_t substeps = 1 + below(it, 4);
    assert_ok(s->world, tr2_world_step(s->world, durations[below(it, 6)], substeps));
}

/*
 * What must hold after each step
 */
typedef struct look {
    uint64_t hash, seed;
    tr_method method;
    uint32_t step;
    const char *isa;
} look;

static void see(void *context, const char *name, uint32_t slot, double value)
{
    look *it = context;
    if (!isfinite(value)) {
        fail_msg("%s of %u is %g: seed %llu, %s, step %u, %s", name, (unsigned)slot, value,
                 (unsigned long long)it->seed, tr_method_name(it->method), (unsigned)it->step, it->isa);
    }
    it->hash = mix_bytes(it->hash, &value, sizeof value);
}

/* no number that is carried to the next step is NaN, readable or not */
static void check_columns(const tr2_world *world, const look *at)
{
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const tr2_joints *joints = &world->joints[type];
        for (uint32_t i = 0; i < tr2_joint_types[type]->impulse_count; i++) {
            for (uint32_t row = 0; joints->impulse[i] != NULL && row < joints->table.count; row++) {
                if (!isfinite(joints->impulse[i][row]))
                    fail_msg("%s %s of row %u is %g: seed %llu, %s, step %u, %s", tr2_joint_types[type]->name,
                             tr2_joint_types[type]->impulse_names[i], (unsigned)row, (double)joints->impulse[i][row],
                             (unsigned long long)at->seed, tr_method_name(at->method), (unsigned)at->step, at->isa);
            }
        }
    }
}

/* whatever a getter says its setter takes */
static void check_taken(tr2_world *world, tr_status status, const char *what, const look *at)
{
    if (status != TR_OK)
        fail_msg("%s refuses what was read: %s: seed %llu, %s", what, tr2_world_last_error(world)->message,
                 (unsigned long long)at->seed, tr_method_name(at->method));
}

static void set_joint_again(tr2_world *world, tr2_joint id, const look *at)
{
    tr2_joint_def def;
    assert_ok(world, tr2_joint_get(world, id, &def));
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++) {
        float value;
        if (!tr2_joint_type_has(def.type, (tr2_field)field))
            continue;
        assert_ok(world, tr2_joint_get_value(world, id, (tr2_field)field, &value));
        check_taken(world, tr2_joint_set_value(world, id, (tr2_field)field, value), "joint_set_value", at);
    }
    check_taken(world, tr2_joint_set(world, id, &def), "joint_set", at);
    check_taken(world, tr2_joint_set_event_at(world, id, def.event_at), "joint_set_event_at", at);
    check_taken(world, tr2_joint_set_break_at(world, id, def.break_at), "joint_set_break_at", at);
}

static void set_body_again(tr2_world *world, tr2_body id, const look *at)
{
    tr2_body_def def;
    assert_ok(world, tr2_body_get(world, id, &def));
    check_taken(world, tr2_body_set_transform(world, id, def.position, def.angle), "body_set_transform", at);
    check_taken(world, tr2_body_set_velocity(world, id, def.velocity, def.angular_velocity), "body_set_velocity", at);
    check_taken(world, tr2_body_set_mass(world, id, def.mass, def.inertia, def.center), "body_set_mass", at);
    check_taken(world, tr2_body_set_damping(world, id, def.linear_damping, def.angular_damping), "body_set_damping",
                at);
    check_taken(world, tr2_body_set_gravity_scale(world, id, def.gravity_scale), "body_set_gravity_scale", at);
    check_taken(world, tr2_body_set_sleep_scale(world, id, def.sleep_scale), "body_set_sleep_scale", at);
    check_taken(world, tr2_body_set_type(world, id, def.type), "body_set_type", at);
    check_taken(world, tr2_body_set(world, id, &def), "body_set", at);
    tr2_shape shapes[MOST_SHAPES];
    uint32_t count;
    assert_ok(world, tr2_body_shapes(world, id, shapes, MOST_SHAPES, &count));
    for (uint32_t i = 0; i < count && i < MOST_SHAPES; i++) {
        tr2_shape_def shape;
        assert_ok(world, tr2_shape_get(world, shapes[i], &shape));
        check_taken(world, tr2_shape_set(world, shapes[i], &shape), "shape_set", at);
    }
}

static void build_again(const tr2_world *world, const look *at)
{
    tr_error error = {.status = TR_OK};
    tr2_scene *captured = NULL;
    tr2_world *copy = NULL;
    assert_int_equal(tr2_scene_capture(world, &captured, &error), TR_OK);
    /* through a file, too */
    char *text = NULL;
    size_t size = 0;
    tr2_scene *read = NULL;
    if (tr2_scene_write(captured, &text, &size, &error) != TR_OK ||
        tr2_scene_parse(text, size, "captured", &read, &error) != TR_OK)
        fail_msg("what was captured is no scene: %s: seed %llu, %s", error.message, (unsigned long long)at->seed,
                 tr_method_name(at->method));
    free(text);
    tr2_scene_destroy(captured);
    captured = read;
    tr2_world_def def = tr2_scene_world_def(captured);
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &copy, &error), TR_OK);
    if (tr2_scene_build(captured, copy, NULL, NULL, &error) != TR_OK)
        fail_msg("scene_build refuses what was captured: %s: seed %llu, %s", error.message,
                 (unsigned long long)at->seed, tr_method_name(at->method));
    tr2_world_destroy(copy);
    tr2_scene_destroy(captured);
}

static void set_again(const scene *s, const look *at)
{
    tr2_world *copy = NULL;
    tr2_world_def def;
    assert_ok(s->world, tr2_world_get(s->world, &def));
    assert_int_equal(tr2_world_create(&def, &copy, NULL), TR_OK);
    tr2_world_destroy(copy);
    tr2_contact_settings settings = tr2_world_contact_settings(s->world);
    check_taken(s->world, tr2_world_set_contact_settings(s->world, &settings), "world_set_contact_settings", at);
    build_again(s->world, at);
    for (uint32_t i = 0; i < s->count; i++)
        set_body_again(s->world, s->bodies[i], at);
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        uint32_t count = tr2_world_joints(s->world, (tr2_joint_type)type).count;
        for (uint32_t row = 0; row < count; row++)
            set_joint_again(s->world, tr2_world_joints(s->world, (tr2_joint_type)type).id[row], at);
    }
}

static trace run(uint64_t seed, tr_method method, tr_isa isa, uint32_t threads)
{
    trace out;
    scene s;
    draw it = draw_of(seed);
    assert_int_equal(tr_set_isa(isa), TR_OK);
    make_scene(&it, method, threads, &s);
    memory_log log = {0};
    bool recorded = isa == TR_ISA_SCALAR && threads == 1;
    if (recorded)
        log_begin(&log, s.world);
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i > 0)
            push(&it, &s);
        if (i == 3)
            set_contacts(&it, &s);
        step(&it, &s);
        look at = {0, seed, method, i, tr_isa_name(isa)};
        read_everything(s.world, &(reader){see, &at});
        check_columns(s.world, &at);
        out.state[i] = tr2_world_state_hash(s.world);
        out.shown[i] = at.hash;
        if (i == STEPS - 1 && isa == TR_ISA_SCALAR && threads == 1)
            set_again(&s, &at);
    }
    if (recorded) {
        log_end(&log, s.world);
        log_play_elsewhere(&log);
        log_free(&log);
    }
    tr2_world_destroy(s.world);
    return out;
}

static void the_same_finite_numbers_on_every_instruction_set_and_threads(void **state)
{
    (void)state;
    /* rare cases that longer walks have found */
    static const uint64_t rare[] = {705};
    check_worlds(run, rare, sizeof rare / sizeof rare[0]);
}

/* A wheel that turns past the greatest angle is held where it was, which every setter takes; so are two, a joint
   between which counts more turns than an integer of 32 bits. */
static void no_step_passes_the_greatest_angle(void **state)
{
    (void)state;
    for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
        tr2_world_def def = tr2_world_def_default();
        def.method = (tr_method)method;
        def.threads = 1;
        def.gravity = (tr_vec2){0.0f, 0.0f};
        scene s = {.world = NULL};
        assert_int_equal(tr2_world_create(&def, &s.world, NULL), TR_OK);
        /* a tile of bodies, and some more */
        for (s.count = 0; s.count < 20; s.count++) {
            tr2_body_def body = tr2_body_def_default();
            body.angle = s.count % 2 == 0 ? 1e12 : -1e12;
            body.angular_velocity = s.count % 4 < 2 ? 100.0f : -100.0f;
            assert_ok(s.world, tr2_world_create_body(s.world, &body, &s.bodies[s.count]));
        }
        for (uint32_t i = 0; i + 1 < s.count; i += 10) {
            tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
            joint.body_a = s.bodies[i];
            joint.body_b = s.bodies[i + 1];
            assert_ok(s.world, tr2_world_create_joint(s.world, &joint, NULL));
        }
        for (uint32_t i = 0; i < 5; i++)
            assert_ok(s.world, tr2_world_step(s.world, 1.0 / 60.0, 4));
        uint32_t held = tr2_world_statistics(s.world).nonfinite_bodies;
        assert_true(held >= 8 && held <= 12);
        tr2_body_view view = tr2_world_bodies(s.world);
        for (uint32_t row = 0; row < view.count; row++) {
            bool quarantined = (view.flags[row] & TR_BODY_QUARANTINED) != 0;
            assert_true(quarantined ? fabs(view.angle[row]) == 1e12 : fabs(view.angle[row]) < 1e12);
        }
        look at = {0, 0, (tr_method)method, 5, "any"};
        set_again(&s, &at);
        tr2_world_destroy(s.world);
    }
}

/* what the message says is visibly outside of the range */
static void a_refused_angle_is_told_from_the_greatest(void **state)
{
    (void)state;
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    tr2_body_def body = tr2_body_def_default();
    body.angle = nextafter(1e12, INFINITY);
    assert_int_equal(tr2_world_create_body(world, &body, NULL), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "create_body: def.angle is 1000000000000.0001 rad, must lie within +-1e+12");
    assert_int_equal(tr2_world_step(world, nextafter(1e6, INFINITY), 1), TR_ERROR_RANGE);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "world_step: dt makes a sub-step of 1000000.0000000001 s, must be 1e-12 to 1e+06");
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_finite_numbers_on_every_instruction_set_and_threads),
        cmocka_unit_test(no_step_passes_the_greatest_angle),
        cmocka_unit_test(a_refused_angle_is_told_from_the_greatest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
