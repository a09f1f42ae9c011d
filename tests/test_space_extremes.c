/*
 * Worlds in space at random in which some numbers are as large or as small as floats allow: what test_extremes.c says
 * of the plane. Whatever the numbers, what a step leaves can be read, is finite, is the same on every instruction set
 * and on several threads, and is accepted by the calls that set it.
 *
 * TR_EXTREME_WORLDS sets the number of worlds of each method, TR_EXTREME_SEED the first, TR_EXTREME_THREADS_EVERY how
 * many worlds there are per one that is also stepped by several threads.
 */
#define TR_DIMENSION 3

#include "all_threads.h"
#include "extreme_walk.h"
#include "hash.h"
#include "recorded.h"
#include "solver/core/joint_fields.h"
#include "space.h"

enum { MOST_BODIES = 48 };

static tr_vec3 vector(draw *it, float size)
{
    float x = number(it, -size, size), y = number(it, -size, size), z = number(it, -size, size);
    return (tr_vec3){x, y, z};
}

static double coordinate(draw *it, float size)
{
    double usual = (double)number(it, -size, size);
    return below(it, 300) < it->odd ? usual * 1e250 : usual;
}

static tr_dvec3 position(draw *it, float size)
{
    double x = coordinate(it, size), y = coordinate(it, size), z = coordinate(it, size);
    return (tr_dvec3){x, y, z};
}

static tr_quat rotation(draw *it)
{
    tr_vec3 turn = vector(it, 1.0f);
    return (tr_quat){turn.x, turn.y, turn.z, number(it, -1.0f, 1.0f)};
}

static tr_sym3 inertia(draw *it)
{
    if (below(it, 8) == 0)
        return (tr_sym3){0};
    float size = fabsf(number(it, 0.1f, 10.0f)), y = between(it, 0.6f, 1.0f), z = between(it, 0.6f, 1.0f);
    tr_sym3 i = {.xx = size, .yy = size * y, .zz = size * z};
    if (below(it, 3) == 0) {
        i.xy = size * between(it, -0.1f, 0.1f);
        i.xz = size * between(it, -0.1f, 0.1f);
        i.yz = size * number(it, -0.1f, 0.1f);
    }
    return i;
}

/*
 * A world
 */
typedef struct scene {
    tr3_world *world;
    tr3_body bodies[MOST_BODIES];
    uint32_t count;
    bool crowded; /* of bodies that move */
} scene;

static void add_body(draw *it, scene *s)
{
    tr3_body_def def = tr3_body_def_default();
    /* some worlds are full of bodies that move: tables of them are read and written sixteen at a time */
    if (!s->crowded)
        def.type = below(it, 8) == 0 ? TR_STATIC : below(it, 8) == 0 ? TR_KINEMATIC : TR_DYNAMIC;
    def.position = position(it, 4.0f);
    def.rotation = rotation(it);
    def.velocity = vector(it, 5.0f);
    def.angular_velocity = vector(it, 5.0f);
    def.mass = fabsf(number(it, 0.1f, 10.0f));
    def.inertia = inertia(it);
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
    /* what is refused is no matter here */
    if (tr3_world_create_body(s->world, &def, &s->bodies[s->count]) == TR_OK)
        s->count++;
}

static float field_value(draw *it, tr3_field field)
{
    switch (tr3_field_infos[field].kind) {
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

static void set_some_fields(draw *it, scene *s, tr3_joint id, tr3_joint_type type)
{
    /* each by itself, so that a number that is refused leaves the others */
    for (uint32_t field = 0; field < TR3_FIELD_COUNT; field++) {
        if (tr3_joint_type_has(type, (tr3_field)field) && below(it, 3) == 0)
            (void)tr3_joint_set_value(s->world, id, (tr3_field)field, field_value(it, (tr3_field)field));
    }
}

static void add_joint(draw *it, scene *s)
{
    tr3_joint_type type = (tr3_joint_type)below(it, TR3_JOINT_TYPE_COUNT);
    tr3_joint_def def = tr3_joint_def_default(type);
    tr3_joint id;
    def.body_a = s->bodies[below(it, s->count)];
    def.body_b = s->bodies[below(it, s->count)];
    if (tr3_world_create_joint(s->world, &def, &id) != TR_OK)
        return;
    set_some_fields(it, s, id, type);
    if (below(it, 4) == 0) {
        float force = fabsf(number(it, 0.1f, 9.0f)), torque = fabsf(number(it, 0.1f, 9.0f));
        (void)tr3_joint_set_event_at(s->world, id, (tr_event_at){force, torque});
    }
}

static void push(draw *it, scene *s)
{
    tr3_body body = s->bodies[below(it, s->count)];
    tr_vec3 force = vector(it, 50.0f);
    tr_dvec3 point = position(it, 1.0f);
    (void)tr3_body_apply_force(s->world, body, force, point);
    body = s->bodies[below(it, s->count)];
    (void)tr3_body_apply_torque(s->world, body, vector(it, 50.0f));
    body = s->bodies[below(it, s->count)];
    (void)tr3_body_apply_impulse_to_center(s->world, body, vector(it, 5.0f));
    /* what was quarantined goes on */
    body = s->bodies[below(it, s->count)];
    tr_vec3 velocity = vector(it, 5.0f), turns = vector(it, 5.0f);
    (void)tr3_body_set_velocity(s->world, body, velocity, turns);
    /* features that have impulses change */
    tr3_joint_type type = (tr3_joint_type)below(it, TR3_JOINT_TYPE_COUNT);
    uint32_t joint = below(it, 1u << 20);
    tr3_joint_view view = tr3_world_joints(s->world, type);
    if (view.count > 0)
        set_some_fields(it, s, view.id[joint % view.count], type);
}

static void make_scene(draw *it, tr_method method, uint32_t threads, scene *s)
{
    tr_vec3 gravity = vector(it, 10.0f);
    *s = (scene){.world = space_world(method, gravity, threads)};
    step_on_all_threads(s->world);
    if (below(it, 4) == 0) {
        float frequency = fabsf(number(it, 1.0f, 60.0f)), ratio = fabsf(number(it, 0.0f, 5.0f));
        (void)tr3_world_set_joint_softness(s->world, frequency, ratio);
    }
    s->crowded = below(it, 4) == 0;
    uint32_t bodies = s->crowded ? MOST_BODIES : 2 + below(it, MOST_BODIES - 2);
    for (uint32_t i = 0; i < bodies || s->count < 2; i++)
        add_body(it, s);
    for (uint32_t i = 0; i < 2 * s->count; i++)
        add_joint(it, s);
}

static void step(draw *it, scene *s)
{
    static const double durations[] = {1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0, 1e-9, 1e3, 1e6};
    uint32_t substeps = 1 + below(it, 4);
    SPACE_OK(tr3_world_step(s->world, durations[below(it, 6)], substeps));
}

/*
 * What must hold after each step
 */
typedef struct look {
    uint64_t hash, seed;
    tr_method method;
    uint32_t step, threads;
    const char *isa;
} look;

static void see(look *it, const char *name, uint32_t slot, double value)
{
    if (!isfinite(value))
        fail_msg("%s of %u is %g: seed %llu, %s, step %u, %s, %u threads", name, (unsigned)slot, value,
                 (unsigned long long)it->seed, tr_method_name(it->method), (unsigned)it->step, it->isa,
                 (unsigned)it->threads);
    it->hash = mix_bytes(it->hash, &value, sizeof value);
}

static void see_vector(look *it, const char *name, uint32_t slot, tr_vec3 v)
{
    see(it, name, slot, (double)v.x);
    see(it, name, slot, (double)v.y);
    see(it, name, slot, (double)v.z);
}

static void see_real_vector(look *it, const char *name, uint32_t slot, tr_dvec3 v)
{
    see(it, name, slot, v.x);
    see(it, name, slot, v.y);
    see(it, name, slot, v.z);
}

static void see_rotation(look *it, const char *name, uint32_t slot, tr_quat q)
{
    see(it, name, slot, (double)q.x);
    see(it, name, slot, (double)q.y);
    see(it, name, slot, (double)q.z);
    see(it, name, slot, (double)q.w);
}

static void see_body_columns(look *it, const tr3_world *world)
{
    tr3_body_view v = tr3_world_bodies(world);
    const double *doubles[] = {v.center_x, v.center_y, v.center_z};
    const float *floats[] = {v.rotation_x,
                             v.rotation_y,
                             v.rotation_z,
                             v.rotation_w,
                             v.velocity_x,
                             v.velocity_y,
                             v.velocity_z,
                             v.angular_velocity_x,
                             v.angular_velocity_y,
                             v.angular_velocity_z,
                             v.local_center_x,
                             v.local_center_y,
                             v.local_center_z,
                             v.frame_x,
                             v.frame_y,
                             v.frame_z,
                             v.frame_w,
                             v.mass,
                             v.inertia_x,
                             v.inertia_y,
                             v.inertia_z,
                             v.inverse_mass,
                             v.inverse_inertia_x,
                             v.inverse_inertia_y,
                             v.inverse_inertia_z,
                             v.gravity_scale,
                             v.linear_damping,
                             v.angular_damping,
                             v.sleep_scale,
                             v.force_x,
                             v.force_y,
                             v.force_z,
                             v.torque_x,
                             v.torque_y,
                             v.torque_z};
    for (uint32_t row = 0; row < v.count; row++) {
        for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++)
            see(it, "a column in double", v.id[row].index, doubles[i][row]);
        for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
            see(it, "a column", v.id[row].index, (double)floats[i][row]);
    }
}

static void see_bodies(look *it, const scene *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        tr3_body_def def;
        SPACE_OK(tr3_body_get(s->world, s->bodies[i], &def));
        see_real_vector(it, "position", i, def.position);
        see_rotation(it, "rotation", i, def.rotation);
        see_vector(it, "velocity", i, def.velocity);
        see_vector(it, "angular_velocity", i, def.angular_velocity);
        see(it, "mass", i, (double)def.mass);
        see_vector(it, "center", i, def.center);
        see_vector(it, "inertia", i, (tr_vec3){def.inertia.xx, def.inertia.yy, def.inertia.zz});
        see_vector(it, "products of inertia", i, (tr_vec3){def.inertia.xy, def.inertia.xz, def.inertia.yz});
        tr3_transform transform;
        SPACE_OK(tr3_body_get_transform(s->world, s->bodies[i], &transform));
        see_real_vector(it, "transform", i, transform.position);
        see_rotation(it, "transform", i, transform.rotation);
    }
}

static void see_reaction(look *it, uint32_t slot, const tr3_reaction *r)
{
    see_vector(it, "force", slot, r->force);
    see_vector(it, "torque", slot, r->torque);
    const float parts[] = {r->spring, r->motor, r->lower, r->upper, r->friction};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        see(it, "part of a reaction", slot, (double)parts[i]);
}

static void see_joint(look *it, const tr3_world *world, tr3_joint id, tr3_joint_type type)
{
    uint32_t slot = id.index - 1;
    for (uint32_t field = 0; field < TR3_FIELD_COUNT; field++) {
        float value;
        if (!tr3_joint_type_has(type, (tr3_field)field))
            continue;
        SPACE_OK(tr3_joint_get_value(world, id, (tr3_field)field, &value));
        see(it, tr3_field_name((tr3_field)field), slot, (double)value);
    }
    tr3_reaction reaction;
    tr_joint_error_value error;
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_reaction(world, id, &reaction));
    SPACE_OK(tr3_joint_error(world, id, &error));
    SPACE_OK(tr3_joint_coordinate(world, id, &at));
    see_reaction(it, slot, &reaction);
    see(it, "linear error", slot, (double)error.linear);
    see(it, "angular error", slot, (double)error.angular);
    see(it, "coordinate", slot, (double)at.value);
    see(it, "rate", slot, (double)at.rate);
}

/* also impulses: no number that is carried to the next step is NaN */
static void see_joints(look *it, const tr3_world *world)
{
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_view view = tr3_world_joints(world, (tr3_joint_type)type);
        for (uint32_t row = 0; row < view.count; row++) {
            see_joint(it, world, view.id[row], (tr3_joint_type)type);
            for (uint32_t i = 0; i < view.impulse_count; i++)
                if (view.impulse[i] != NULL)
                    see(it, view.impulse_name[i], view.id[row].index - 1, (double)view.impulse[i][row]);
        }
    }
    tr3_event_view events = tr3_world_events(world);
    for (uint32_t i = 0; i < events.count; i++)
        see_reaction(it, events.event[i].joint.index - 1, &events.event[i].reaction);
}

static void see_measures(look *it, const tr3_world *world)
{
    tr3_measures m = tr3_world_measure(world);
    see(it, "kinetic_energy", 0, m.kinetic_energy);
    see(it, "potential_energy", 0, m.potential_energy);
    see_real_vector(it, "momentum", 0, m.momentum);
    see_real_vector(it, "angular_momentum", 0, m.angular_momentum);
    see(it, "joint_error_rms", 0, m.joint_error_rms);
    see(it, "joint_error_max", 0, m.joint_error_max);
    see(it, "joint_angle_error_rms", 0, m.joint_angle_error_rms);
    see(it, "joint_angle_error_max", 0, m.joint_angle_error_max);
}

/* whatever a getter says its setter takes */
static void check_taken(tr3_world *world, tr_status status, const char *what, const look *at)
{
    if (status != TR_OK)
        fail_msg("%s refuses what was read: %s: seed %llu, %s", what, tr3_world_last_error(world)->message,
                 (unsigned long long)at->seed, tr_method_name(at->method));
}

static void set_again(const scene *s, const look *at)
{
    tr3_world *world = s->world;
    for (uint32_t i = 0; i < s->count; i++) {
        tr3_body id = s->bodies[i];
        tr3_body_def def;
        SPACE_OK(tr3_body_get(world, id, &def));
        check_taken(world, tr3_body_set_transform(world, id, def.position, def.rotation), "body_set_transform", at);
        check_taken(world, tr3_body_set_velocity(world, id, def.velocity, def.angular_velocity), "body_set_velocity",
                    at);
        check_taken(world, tr3_body_set_mass(world, id, def.mass, def.inertia, def.center), "body_set_mass", at);
        check_taken(world, tr3_body_set(world, id, &def), "body_set", at);
    }
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        uint32_t count = tr3_world_joints(world, (tr3_joint_type)type).count;
        for (uint32_t row = 0; row < count; row++) {
            tr3_joint id = tr3_world_joints(world, (tr3_joint_type)type).id[row];
            tr3_joint_def def;
            SPACE_OK(tr3_joint_get(world, id, &def));
            check_taken(world, tr3_joint_set(world, id, &def), "joint_set", at);
        }
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
        step(&it, &s);
        look at = {0, seed, method, i, threads, tr_isa_name(isa)};
        see_body_columns(&at, s.world);
        see_bodies(&at, &s);
        see_joints(&at, s.world);
        see_measures(&at, s.world);
        out.state[i] = tr3_world_state_hash(s.world);
        out.shown[i] = at.hash;
        if (i == STEPS - 1 && isa == TR_ISA_SCALAR && threads == 1)
            set_again(&s, &at);
    }
    if (recorded) {
        log_end(&log, s.world);
        log_play_elsewhere(&log);
        log_free(&log);
    }
    tr3_world_destroy(s.world);
    return out;
}

static void the_same_finite_numbers_on_every_instruction_set_and_threads(void **state)
{
    (void)state;
    /* rare cases that longer walks have found */
    static const uint64_t rare[] = {1216};
    check_worlds(run, rare, sizeof rare / sizeof rare[0]);
}

/* Friction and a spring of balls that have turned, and are then next to nothing: of one of two balls, and of both. What
   comes to rest has no impulse left, and others beside it in a vector do not show. */
static uint64_t weaken(tr_isa isa, uint32_t count)
{
    assert_int_equal(tr_set_isa(isa), TR_OK);
    scene s = {.world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -10.0f, 0.0f}, 1)};
    tr3_joint balls[2];
    for (uint32_t i = 0; i < 2; i++) {
        double x = 3.0 * (double)i;
        tr3_body post = space_body(s.world, TR_STATIC, (tr_dvec3){x, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        tr3_body bob =
            space_body(s.world, TR_DYNAMIC, (tr_dvec3){x + 1.0, 0.0, 0.0}, 1.0f, (tr_vec3){0.1f, 0.2f, 0.3f});
        tr3_joint_def def =
            space_between(s.world, TR3_JOINT_BALL, post, bob, (tr_dvec3){x, 0.0, 0.0}, (tr_vec3){1.0f, 0.0f, 0.0f});
        def.friction = 2.0f;
        def.angular = tr_frequency(1.0f, 1.0f);
        balls[i] = space_joint(s.world, &def);
    }
    for (uint32_t i = 0; i < 10; i++)
        SPACE_OK(tr3_world_step(s.world, 1.0 / 60.0, 4));
    for (uint32_t i = 0; i < count; i++) {
        SPACE_OK(tr3_joint_set_value(s.world, balls[i], TR3_FIELD_FRICTION, 1e-45f));
        SPACE_OK(tr3_joint_set_value(s.world, balls[i], TR3_FIELD_ANGULAR_A, 1e-30f));
    }
    SPACE_OK(tr3_world_step(s.world, 1.0 / 60.0, 4));
    for (uint32_t i = 0; i < 2; i++) {
        tr3_reaction reaction;
        SPACE_OK(tr3_joint_reaction(s.world, balls[i], &reaction));
        float torque = fabsf(reaction.torque.x) + fabsf(reaction.torque.y) + fabsf(reaction.torque.z);
        assert_true(i < count ? torque < 1e-20f : torque > 0.1f);
    }
    uint64_t hash = tr3_world_state_hash(s.world);
    tr3_world_destroy(s.world);
    return hash;
}

static void what_comes_to_rest_gives_up_its_impulse(void **state)
{
    (void)state;
    tr_isa chosen = tr_get_isa();
    for (uint32_t count = 1; count <= 2; count++) {
        uint64_t want = weaken(TR_ISA_SCALAR, count);
        for (uint32_t isa = TR_ISA_SCALAR + 1; isa < TR_ISA_COUNT; isa++)
            assert_true(!tr_isa_available((tr_isa)isa) || weaken((tr_isa)isa, count) == want);
    }
    assert_int_equal(tr_set_isa(chosen), TR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_to_rest_gives_up_its_impulse),
        cmocka_unit_test(the_same_finite_numbers_on_every_instruction_set_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
