/* Sleep: what the interface says of it. */
#include "world/core/body.h"
#include "world/recording/calls.h"
#include "world/sleep/sleep_internal.h"

tr_status trn_check_sleep(const trn_check *check, const tr_sleep_settings *settings)
{
    tr_status status = trn_check_not_negative(check, "sleep.speed", (double)settings->speed);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "sleep.angular_speed", (double)settings->angular_speed);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "sleep.time", (double)settings->time);
    return status;
}

tr_status trn_do_world_set_sleep(trn_world *world, const tr_sleep_settings *settings)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_sleep", "");
    tr_status status = trn_check_pointer(&check, "settings", settings);
    if (status == TR_OK)
        status = trn_check_sleep(&check, settings);
    if (status != TR_OK)
        return status;
    world->settings.sleep = *settings;
    trn_sleep_forget_rest(world);
    return TR_OK;
}

tr_status trn_world_get_sleep(const trn_world *world, tr_sleep_settings *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_get_sleep", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        *out = world->settings.sleep;
    return status;
}

/* puts the island of a dynamic body to sleep at once */
static tr_status sleep_now(trn_world *world, const trn_check *check, uint32_t slot)
{
    trn_sleep *sleep = &world->sleep;
    if (!world->settings.sleep.enable)
        return trn_check_fail(check, TR_ERROR_RANGE, "awake", "cannot be false: nothing sleeps in this world");
    if (!trn_sleep_reserve(world, sleep->event_capacity) || !trn_sleep_settle(world) || !trn_rest_reserve(world))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for an island that sleeps");
    uint32_t culprit = TR_NONE;
    if (!trn_sleep_search_one(world, slot, &culprit))
        return trn_check_fail(check, TR_ERROR_RANGE, "awake",
                              "cannot be false: the body in slot %u is in the island, and may not sleep or is driven",
                              culprit);
    return TR_OK;
}

tr_status trn_do_body_set_awake(trn_world *world, trn_body id, bool awake)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_awake", world, id);
    if (status != TR_OK)
        return status;
    if (awake)
        trn_sleep_rouse(world, id.index - 1);
    else if (world->bodies.type[trn_body_row(world, id)] == TR_DYNAMIC)
        status = sleep_now(world, &check, id.index - 1);
    return status;
}

tr_status trn_body_is_awake(const trn_world *world, trn_body id, bool *awake)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_is_awake", "");
    tr_status status = trn_check_pointer(&check, "awake", awake);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status == TR_OK)
        *awake = !trn_sleep_has(world, id.index - 1, TR_BODY_ASLEEP);
    return status;
}

tr_status trn_do_body_set_allow_sleep(trn_world *world, trn_body id, bool allow)
{
    trn_check check;
    tr_status status = trn_check_body_call(&check, "body_set_allow_sleep", world, id);
    if (status != TR_OK)
        return status;
    if (!allow)
        trn_sleep_rouse(world, id.index - 1);
    trn_body_set_flag(&world->bodies, trn_body_row(world, id), TR_BODY_NEVER_SLEEPS, !allow);
    return TR_OK;
}

tr_status trn_body_get_sleep_scale(const trn_world *world, trn_body id, float *scale)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_get_sleep_scale", "");
    tr_status status = trn_check_pointer(&check, "scale", scale);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status == TR_OK)
        *scale = trn_body_number(world->bodies.sleep_scale, trn_body_row(world, id), 1.0f);
    return status;
}

trn_sleep_event_view trn_world_sleep_events(const trn_world *world)
{
    trn_sleep_event_view view = {0, NULL};
    if (world != NULL) {
        view.count = world->sleep.event_count;
        view.event = world->sleep.events;
    }
    return view;
}
