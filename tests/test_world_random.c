/*
 * A long random walk through the API beside a model that is too simple to be wrong: what was set must be read, old ids
 * must stay dead, counts must agree, refused calls must change nothing. The first half keeps to everyday scenes (joints
 * that begin where their bodies are, changes of centimetres), where no body may ever turn non-finite; the second takes
 * any float there is, where nothing may crash and what is shown must still be finite. What was recorded of the walk is
 * the same walk, by scalar code.
 *
 * TR_RANDOM_CALLS sets the number of calls, TR_RANDOM_SEED where the walk begins.
 */
#include <stdlib.h>

#include "recorded.h"
#include "world_random/walk.h"

enum { DEFAULT_CALLS = 60000 };

static void ask(walk *it)
{
    tr2_measures measures = tr2_world_measure(it->world);
    if (!it->extreme)
        assert_true(isfinite(measures.kinetic_energy) && isfinite(measures.joint_error_rms));
    assert_true(tr2_world_state_hash(it->world) == tr2_world_state_hash(it->world));
    it->calls += 3;
    if (it->joint_count == 0)
        return;
    tr2_joint id = it->joints[draw(it, it->joint_count)].id;
    tr2_reaction reaction;
    tr_joint_error_value error;
    tr_joint_coordinate_value coordinate;
    uint32_t color;
    assert_ok(it->world, tr2_joint_reaction(it->world, id, &reaction));
    assert_ok(it->world, tr2_joint_error(it->world, id, &error));
    assert_ok(it->world, tr2_joint_coordinate(it->world, id, &coordinate));
    assert_ok(it->world, tr2_joint_color(it->world, id, &color));
    it->calls += 4;
    if (!it->extreme) {
        assert_true(finite2(reaction.force) && isfinite(reaction.torque));
        assert_true(error.linear >= 0.0f && error.angular >= 0.0f);
    }
}

#define LONGEST_ARM 1000.0 /* m: beyond, floats say little of where its end is */

static bool is_long(tr_vec2 arm)
{
    return hypot((double)arm.x, (double)arm.y) > LONGEST_ARM;
}

/* A joint that is torn apart, or whose spring pulls from far, or whose bodies are far from it, is not of an everyday
   scene any more. */
static bool is_torn(walk *it, const model_joint *joint)
{
    tr_joint_error_value error;
    tr_joint_coordinate_value coordinate;
    assert_ok(it->world, tr2_joint_error(it->world, joint->id, &error));
    assert_ok(it->world, tr2_joint_coordinate(it->world, joint->id, &coordinate));
    bool pulls = joint->def.spring.enable && fabsf(coordinate.value - joint->def.spring.target) > 0.3f;
    bool reaches = is_long(joint->def.anchor_a) || is_long(joint->def.anchor_b);
    return error.linear > 0.3f || error.angular > 0.3f || pulls || reaches;
}

static void take_out_torn_joints(walk *it)
{
    for (uint32_t i = it->joint_count; i-- > 0;) {
        if (!is_torn(it, &it->joints[i]))
            continue;
        assert_ok(it->world, tr2_world_destroy_joint(it->world, it->joints[i].id));
        bury_joint(it, i);
    }
}

static bool is_over(const tr_event_at *event_at, const tr2_reaction *reaction)
{
    return (event_at->force > 0.0f && hypot((double)reaction->force.x, (double)reaction->force.y) > event_at->force) ||
           (event_at->torque > 0.0f && fabsf(reaction->torque) > event_at->torque);
}

/* every event is of a reaction over its threshold, the mean of a step; the broken joints are gone */
static void take_events(walk *it)
{
    tr2_event_view events = tr2_world_events(it->world);
    for (uint32_t e = 0; e < events.count; e++) {
        const tr2_event *event = &events.event[e];
        uint32_t i = 0;
        while (i < it->joint_count && it->joints[i].id.index != event->joint.index)
            i++;
        assert_true(i < it->joint_count);
        assert_true(event->user_data == it->joints[i].def.user_data && event->steps > 0);
        assert_true(e == 0 || event->joint.index >= events.event[e - 1].joint.index);
        if (event->kind == TR_EVENT_THRESHOLD) {
            assert_true(is_over(&it->joints[i].def.event_at, &event->reaction));
            continue;
        }
        assert_true(event->steps >= it->joints[i].def.break_at.steps);
        bury_joint(it, i);
        it->broken++;
    }
    it->events += events.count;
}

static void step(walk *it)
{
    if (!it->extreme)
        take_out_torn_joints(it);
    bool good = true;
    double dt = 1.0 / 60.0;
    uint32_t substeps = it->extreme ? draw(it, 4) + 1 : draw(it, 3) + 4;
    if (chance(it, 5)) {
        dt = (double)odd_number(it);
        good = isfinite(dt) && dt >= 0.0;
        /* valid, but not of an everyday scene */
        if (!it->extreme && good)
            dt = 0.0;
    }
    /* just before, because the model takes velocities from the world after a step */
    if (it->body_count > 0 && chance(it, 20))
        (void)tr2_body_set_awake(it->world, it->bodies[draw(it, it->body_count)].id, chance(it, 30));
    if (!accepted(it, tr2_world_step(it->world, dt, substeps), good))
        return;
    it->slept += tr2_world_sleep_events(it->world).count;
    it->steps++;
    if (dt > 0.0)
        take_events(it);
    else
        assert_int_equal(tr2_world_events(it->world).count, 0);
    tr2_body_view view = tr2_world_bodies(it->world);
    for (uint32_t row = 0; row < view.count; row++) {
        assert_true(isfinite(view.center_x[row]) && isfinite(view.center_y[row]) && isfinite(view.angle[row]));
        assert_true(isfinite(view.velocity_x[row]) && isfinite(view.velocity_y[row]));
        assert_true(isfinite(view.angular_velocity[row]));
        if (!it->extreme)
            assert_int_equal(view.flags[row] & TR_BODY_QUARANTINED, 0);
    }
}

static void move(walk *it)
{
    uint32_t kind = draw(it, 100);
    if (kind < 8)
        create_bodies(it);
    else if (kind < 18)
        create_joints(it);
    else if (kind < 22)
        destroy_bodies(it);
    else if (kind < 28)
        destroy_joint(it);
    else if (kind < 42)
        set_joint_value(it);
    else if (kind < 50)
        set_joint(it);
    else if (kind < 64)
        set_body(it);
    else if (kind < 72)
        push_body(it);
    else if (kind < 78)
        use_dead_ids(it);
    else if (kind < 82)
        ask(it);
    else if (kind < 83)
        accepted(it, tr2_world_optimize(it->world), true);
    else if (kind < 84)
        accepted(it, tr2_world_set_threads(it->world, draw(it, 3) + 1), true);
    else
        step(it);
}

static uint64_t from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

static void wander(void **state, bool extreme)
{
    fixture *owner = *state;
    walk *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->world = owner->world;
    it->random = from_environment("TR_RANDOM_SEED", 1);
    it->extreme = extreme;
    const tr_sleep_settings rest = {.enable = true, .speed = 0.5f, .angular_speed = 0.5f, .time = 0.05f};
    assert_ok(it->world, tr2_world_set_sleep(it->world, &rest));
    memory_log log = {0};
    log_begin(&log, it->world);
    uint64_t calls = from_environment("TR_RANDOM_CALLS", DEFAULT_CALLS) / 2;
    for (uint64_t moves = 0; it->calls < calls; moves++) {
        move(it);
        if (moves % 500 == 0)
            check_everything(it);
    }
    check_everything(it);
    /* the walk has been somewhere */
    assert_true(it->steps > calls / 20 && it->refused > calls / 100);
    assert_true(it->dead_body_count > 0 && it->dead_joint_count > 0);
    assert_true(it->events > 50 && it->broken > 5 && it->slept > 50);
    assert_true(tr2_world_statistics(it->world).broken_joints == it->broken);
    print_message("%llu calls, %llu steps, %llu refused, %u quarantines said, %llu events, %llu joints broken\n",
                  (unsigned long long)it->calls, (unsigned long long)it->steps, (unsigned long long)it->refused,
                  owner->warnings, (unsigned long long)it->events, (unsigned long long)it->broken);
    if (!extreme)
        assert_int_equal(owner->warnings, 0);
    log_end(&log, it->world);
    log_play_elsewhere(&log);
    log_free(&log);
    free(it);
}

static void everyday_numbers_never_turn_non_finite(void **state)
{
    wander(state, false);
}

static void extreme_numbers_never_crash_and_never_show(void **state)
{
    wander(state, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everyday_numbers_never_turn_non_finite),
        TEST(extreme_numbers_never_crash_and_never_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
