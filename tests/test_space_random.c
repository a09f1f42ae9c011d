/*
 * Public calls at random on a world in space, with arguments that are plain, at the ends of what floats hold, not
 * numbers at all, null, and ids that are stale or of another world. Nothing crashes, a call that fails changes nothing,
 * what can be read is finite after each step; and the walk is the same, call by call, with every instruction set and on
 * several threads. What was recorded of it is the same walk, too.
 *
 * TR_RANDOM_CALLS sets the number of calls, TR_RANDOM_SEED where the walk begins.
 */
#define TR_DIMENSION 3

#include <stdlib.h>

#include "all_threads.h"
#include "instrumented.h"
#include "recorded.h"
#include "space_state.h"
#include "space_walk.h"

static void mix(walk *it, const void *data, size_t size)
{
    it->digest = mix_bytes(it->digest, data, size);
}

static uint64_t whole(const walk *it)
{
    return space_state(it->world, it->bodies, it->body_count, it->joints, it->joint_count);
}

static void expect_call(walk *it)
{
    it->watched = it->mood != PLAIN && chance(it, 20);
    it->before = tr3_world_state_hash(it->world);
    if (it->watched)
        it->whole_before = whole(it);
}

/* what a call has returned: if it failed, nothing has changed */
static bool take(walk *it, tr_status status, const char *what)
{
    it->calls++;
    mix(it, &status, sizeof status);
    if (status == TR_OK)
        return true;
    it->refused++;
    if (status == TR_ERROR_MEMORY || status >= TR_STATUS_COUNT || tr3_world_state_hash(it->world) != it->before ||
        (it->watched && whole(it) != it->whole_before))
        fail_msg("call %u, %s: %s, and the state has changed", it->calls, what, tr_status_name(status));
    return false;
}

#define DO(it, call) (expect_call(it), take(it, call, #call))

/* those that are gone */
static void bury(walk *it)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->body_count; i++) {
        if (tr3_body_is_valid(it->world, it->bodies[i]))
            it->bodies[count++] = it->bodies[i];
        else
            it->dead_body = it->bodies[i];
    }
    it->body_count = count;
    count = 0;
    for (uint32_t i = 0; i < it->joint_count; i++) {
        if (tr3_joint_is_valid(it->world, it->joints[i]))
            it->joints[count++] = it->joints[i];
        else
            it->dead_joint = it->joints[i];
    }
    it->joint_count = count;
    tr_statistics s = tr3_world_statistics(it->world);
    assert_int_equal(s.bodies, it->body_count);
    assert_int_equal(s.joints, it->joint_count);
}

static void create_bodies(walk *it)
{
    tr3_body_def defs[BATCH];
    uint32_t count = 1 + draw(it, chance(it, 50) ? 1 : BATCH);
    if (it->body_count + count > MOST_BODIES)
        return;
    for (uint32_t i = 0; i < count; i++)
        defs[i] = body_def(it);
    tr3_body *ids = it->bodies + it->body_count;
    if (DO(it, tr3_world_create_bodies(world_of(it), maybe(it, defs), count, ids)))
        it->body_count += count;
}

static void create_joints(walk *it)
{
    tr3_joint_def defs[BATCH];
    uint32_t count = 1 + draw(it, chance(it, 50) ? 1 : BATCH / 2);
    if (it->joint_count + count > MOST_JOINTS)
        return;
    for (uint32_t i = 0; i < count; i++)
        defs[i] = joint_def(it);
    tr3_joint *ids = it->joints + it->joint_count;
    if (DO(it, tr3_world_create_joints(world_of(it), maybe(it, defs), count, ids)))
        it->joint_count += count;
}

static void destroy(walk *it)
{
    tr3_body bodies[2];
    tr3_joint joints[3];
    uint32_t count = 1 + draw(it, 2);
    if (chance(it, 30)) {
        for (uint32_t i = 0; i < 2; i++)
            bodies[i] = body(it);
        (void)DO(it, tr3_world_destroy_bodies(world_of(it), maybe(it, bodies), count));
    } else {
        for (uint32_t i = 0; i < 3; i++)
            joints[i] = joint(it);
        (void)DO(it, tr3_world_destroy_joints(world_of(it), maybe(it, joints), count));
    }
    bury(it);
}

static void set_body(walk *it)
{
    tr3_world *world = world_of(it);
    tr3_body id = body(it);
    tr3_body_def def = body_def(it);
    switch (draw(it, 10)) {
    case 0:
        (void)DO(it, tr3_body_set(world, id, maybe(it, &def)));
        break;
    case 1:
        (void)DO(it, tr3_body_set_transform(world, id, def.position, def.rotation));
        break;
    case 2:
        (void)DO(it, tr3_body_set_velocity(world, id, def.velocity, def.angular_velocity));
        break;
    case 3:
        (void)DO(it, tr3_body_set_mass(world, id, def.mass, def.inertia, def.center));
        break;
    case 4:
        (void)DO(it, tr3_body_set_type(world, id, def.type));
        break;
    case 5:
        (void)DO(it, tr3_body_set_damping(world, id, positive(it), positive(it)));
        break;
    case 6:
        (void)DO(it, tr3_body_set_gravity_scale(world, id, number(it)));
        break;
    case 7:
        (void)DO(it, tr3_body_set_fixed_rotation(world, id, chance(it, 20)));
        break;
    case 8:
        (void)DO(it, tr3_body_set_sleep_scale(world, id, positive(it)));
        break;
    default:
        (void)DO(it, tr3_body_set_enabled(world, id, chance(it, 80)));
        break;
    }
}

static void push_body(walk *it)
{
    tr3_world *world = world_of(it);
    tr3_body id = body(it);
    tr_vec3 v = vector(it);
    tr_dvec3 at = place(it);
    switch (draw(it, 7)) {
    case 0:
        (void)DO(it, tr3_body_apply_force(world, id, v, at));
        break;
    case 1:
        (void)DO(it, tr3_body_apply_force_to_center(world, id, v));
        break;
    case 2:
        (void)DO(it, tr3_body_apply_torque(world, id, v));
        break;
    case 3:
        (void)DO(it, tr3_body_apply_impulse(world, id, v, at));
        break;
    case 4:
        (void)DO(it, tr3_body_apply_impulse_to_center(world, id, v));
        break;
    case 5:
        (void)DO(it, tr3_body_apply_angular_impulse(world, id, v));
        break;
    default:
        (void)DO(it, tr3_body_set_user_data(world, id, draw(it, 100)));
        break;
    }
}

static void set_joint(walk *it)
{
    tr3_world *world = world_of(it);
    tr3_joint id = joint(it);
    tr3_joint_def def;
    switch (draw(it, 8)) {
    case 0:
        def = tr3_joint_def_default(TR3_JOINT_HINGE);
        (void)DO(it, tr3_joint_get(world, id, &def));
        features(it, &def);
        (void)DO(it, tr3_joint_set(world, id, maybe(it, &def)));
        break;
    case 1:
        (void)DO(it, tr3_joint_set_enabled(world, id, chance(it, 80)));
        break;
    case 2:
        (void)DO(it, tr3_joint_set_collide_connected(world, id, flag(it)));
        break;
    case 3:
        (void)DO(it, tr3_joint_set_event_at(world, id, (tr_event_at){positive(it), positive(it)}));
        break;
    case 4:
        (void)DO(it, tr3_joint_set_break_at(world, id, (tr_break_at){100.0f * positive(it), 0.0f, positive(it), 2}));
        break;
    case 5:
        (void)DO(it, tr3_joint_set_user_data(world, id, draw(it, 100)));
        break;
    default:
        for (int i = 0; i < 4; i++)
            (void)DO(it, tr3_joint_set_value(world, id, (tr3_field)choice(it, TR3_FIELD_COUNT),
                                             chance(it, 20) ? 1.0f : number(it)));
        break;
    }
}

static void set_world(walk *it)
{
    tr3_world *world = world_of(it);
    switch (draw(it, 7)) {
    case 0:
        (void)DO(it, tr3_world_set_gravity(world, vector(it)));
        break;
    case 1:
        (void)DO(it, tr3_world_set_joint_softness(world, 30.0f * positive(it), positive(it)));
        break;
    case 2:
        (void)DO(it, tr3_world_set_method(world, (tr_method)choice(it, TR_METHOD_COUNT),
                                          it->mood != PLAIN && chance(it, 20) ? 1025 : draw(it, 3)));
        break;
    case 3:
        (void)DO(it, tr3_world_set_direct_load(world, positive(it)));
        break;
    case 4:
        (void)DO(it, tr3_world_set_breaking(world, (tr_breaking)choice(it, TR_BREAKING_COUNT)));
        break;
    case 5:
        /* refused, for the number is what is compared */
        (void)DO(it, tr3_world_set_threads(world, 1025));
        break;
    default:
        (void)DO(it, tr3_world_optimize(world));
        break;
    }
}

static void ask_body(walk *it)
{
    tr3_world *world = world_of(it);
    tr3_body id = body(it);
    tr_vec3 v = vector(it), out = {0};
    tr_dvec3 at = place(it), there = {0};
    tr3_transform pose = {0};
    tr3_joint list[2] = {{0}};
    uint32_t count = 0;
    (void)DO(it, tr3_body_local_point(world, id, at, maybe(it, &out)));
    (void)DO(it, tr3_body_world_point(world, id, v, maybe(it, &there)));
    (void)DO(it, tr3_body_world_vector(world, id, v, maybe(it, &out)));
    (void)DO(it, tr3_body_local_vector(world, id, out, maybe(it, &out)));
    (void)DO(it, tr3_body_point_velocity(world, id, at, maybe(it, &out)));
    (void)DO(it, tr3_body_get_transform(world, id, maybe(it, &pose)));
    (void)DO(it, tr3_body_joints(world, id, maybe(it, list), 2, maybe(it, &count)));
    assert_true(isfinite(out.x) && isfinite(out.y) && isfinite(out.z));
    mix(it, &out, sizeof out);
    mix(it, &there, sizeof there);
    mix(it, list, sizeof list);
    tr3_measures measures = tr3_world_measure(world);
    if (!it->extreme)
        assert_true(isfinite(measures.kinetic_energy) && isfinite(measures.joint_error_max));
    mix(it, &measures.momentum, sizeof measures.momentum);
}

static bool is_finite(tr_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool finite_reaction(const tr3_reaction *r)
{
    return is_finite(r->force) && is_finite(r->torque) && isfinite(r->spring) && isfinite(r->motor) &&
           isfinite(r->lower) && isfinite(r->upper) && isfinite(r->friction);
}

static void look_at_joints(walk *it)
{
    for (uint32_t i = 0; i < it->joint_count; i++) {
        tr3_reaction reaction;
        tr_joint_error_value error;
        tr_joint_coordinate_value coordinate;
        SPACE_OK(tr3_joint_reaction(it->world, it->joints[i], &reaction));
        SPACE_OK(tr3_joint_error(it->world, it->joints[i], &error));
        SPACE_OK(tr3_joint_coordinate(it->world, it->joints[i], &coordinate));
        if (!finite_reaction(&reaction)) {
            tr3_joint_def def;
            SPACE_OK(tr3_joint_get(it->world, it->joints[i], &def));
            fail_msg("call %u: reaction of a %s: force %g %g %g, torque %g %g %g; %g %g %g %g %g", it->calls,
                     tr3_joint_type_name(def.type), (double)reaction.force.x, (double)reaction.force.y,
                     (double)reaction.force.z, (double)reaction.torque.x, (double)reaction.torque.y,
                     (double)reaction.torque.z, (double)reaction.spring, (double)reaction.motor, (double)reaction.lower,
                     (double)reaction.upper, (double)reaction.friction);
        }
        assert_true(error.linear >= 0.0f && error.angular >= 0.0f);
        mix(it, &reaction, sizeof reaction);
        mix(it, &error, sizeof error);
        mix(it, &coordinate, sizeof coordinate);
    }
}

static void look_at_bodies(walk *it)
{
    tr3_body_view view = tr3_world_bodies(it->world);
    assert_int_equal(view.count, it->body_count);
    for (uint32_t row = 0; row < view.count; row++) {
        tr_vec3 v = {view.velocity_x[row], view.velocity_y[row], view.velocity_z[row]};
        tr_vec3 w = {view.angular_velocity_x[row], view.angular_velocity_y[row], view.angular_velocity_z[row]};
        float q[4] = {view.rotation_x[row], view.rotation_y[row], view.rotation_z[row], view.rotation_w[row]};
        float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!isfinite(view.center_x[row]) || !isfinite(view.center_y[row]) || !isfinite(view.center_z[row]) ||
            !is_finite(v) || !is_finite(w) || !(fabsf(square - 1.0f) < 1e-5f))
            fail_msg("call %u: a body at %g %g %g, velocity %g %g %g, %g %g %g, rotation of square %g, flags %u",
                     it->calls, view.center_x[row], view.center_y[row], view.center_z[row], (double)v.x, (double)v.y,
                     (double)v.z, (double)w.x, (double)w.y, (double)w.z, (double)square, view.flags[row]);
    }
    for (uint32_t type = 0; type < TR3_JOINT_TYPE_COUNT; type++) {
        tr3_joint_view joints = tr3_world_joints(it->world, (tr3_joint_type)type);
        /* null while no joint of the type has had one */
        for (uint32_t k = 0; k < joints.impulse_count; k++)
            for (uint32_t row = 0; row < joints.count && joints.impulse[k] != NULL; row++)
                assert_true(isfinite(joints.impulse[k][row]));
    }
}

/* those that are quarantined go by and by: they do not move any more */
static void take_out_bodies(walk *it)
{
    tr3_body_view view = tr3_world_bodies(it->world);
    tr3_body bad = {0};
    for (uint32_t row = 0; row < view.count; row++)
        if ((view.flags[row] & TR_BODY_QUARANTINED) != 0 && view.id[row].index > bad.index)
            bad = view.id[row];
    if (bad.index == 0)
        return;
    it->quarantines++;
    assert_true(DO(it, tr3_world_destroy_body(it->world, bad)));
    bury(it);
}

static void step(walk *it)
{
    static const double times[] = {0.0, 1e-300, 1e-12, 4e-12, 1e6, 5e6, DBL_MAX, -1.0, NAN, INFINITY};
    double dt = 1.0 / 60.0;
    uint32_t substeps = 1 + draw(it, 4);
    if (it->mood != PLAIN && chance(it, 20))
        dt = times[draw(it, it->extreme ? 10 : 1)];
    if (it->mood != PLAIN && chance(it, 5))
        substeps = chance(it, 50) ? 0 : 1025;
    if (!DO(it, tr3_world_step(world_of(it), dt, substeps)))
        return;
    it->steps++;
    tr3_event_view events = tr3_world_events(it->world);
    for (uint32_t i = 0; i < events.count; i++) {
        const tr3_event *event = &events.event[i];
        assert_true(finite_reaction(&event->reaction));
        mix(it, &event->joint, sizeof event->joint);
        mix(it, &event->reaction, sizeof event->reaction);
    }
    it->events += events.count;
    bury(it);
    look_at_bodies(it);
    look_at_joints(it);
    uint64_t hash = tr3_world_state_hash(it->world);
    mix(it, &hash, sizeof hash);
    take_out_bodies(it);
}

static void move(walk *it)
{
    static void (*const kinds[])(walk *) = {
        create_bodies, create_bodies, create_joints, create_joints, create_joints, destroy, set_body, set_body,
        push_body,     set_joint,     set_joint,     set_world,     ask_body,      step,    step,     step};
    uint32_t tenth = draw(it, 10);
    it->mood = tenth < 6 ? PLAIN : tenth < 8 ? EDGES : NOT_NUMBERS;
    kinds[draw(it, sizeof kinds / sizeof kinds[0])](it);
}

static uint64_t from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

/* the walk's digest: first in plain numbers, then up to the ends of what floats hold */
static uint64_t wander(uint32_t calls, uint32_t threads, bool tells)
{
    memory_log log = {0};
    walk *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -9.81f, 0.0f}, threads);
    it->random = from_environment("TR_RANDOM_SEED", 1);
    if (threads > 1)
        step_on_all_threads(it->world);
    if (tells)
        log_begin(&log, it->world);
    while (it->calls < calls) {
        it->extreme = it->calls >= calls / 2;
        move(it);
    }
    uint64_t hash = whole(it);
    mix(it, &hash, sizeof hash);
    if (tells)
        print_message("%u calls, %u steps, %u refused, %u events, %u quarantines; %u bodies, %u joints at last\n",
                      it->calls, it->steps, it->refused, it->events, it->quarantines, it->body_count, it->joint_count);
    assert_true(it->steps > calls / 20 && it->refused > calls / 100 && it->quarantines >= calls / 1000);
    uint64_t digest = it->digest;
    if (tells) {
        log_end(&log, it->world);
        log_play_elsewhere(&log);
        log_free(&log);
    }
    tr3_world_destroy(it->world);
    free(it);
    return digest;
}

static void walks_are_the_same_everywhere(void **state)
{
    (void)state;
    const uint32_t calls = (uint32_t)from_environment("TR_RANDOM_CALLS", (uint64_t)TRIALS(20000));
    tr_isa before = tr_get_isa();
    SPACE_OK(tr_set_isa(TR_ISA_SCALAR));
    /* several threads walk less far: where there are fewer cores, they wait for each other most of the time */
    const uint32_t few = calls / 4;
    const uint64_t expected = wander(calls, 1, true), expected_of_few = wander(few, 1, false);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        SPACE_OK(tr_set_isa((tr_isa)isa));
        if (isa != TR_ISA_SCALAR && wander(calls, 1, false) != expected)
            fail_msg("%s: another walk", tr_isa_name((tr_isa)isa));
        if (wander(few, 3, false) != expected_of_few)
            fail_msg("%s, 3 threads: another walk", tr_isa_name((tr_isa)isa));
    }
    SPACE_OK(tr_set_isa(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
