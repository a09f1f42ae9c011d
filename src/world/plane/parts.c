/* What a world of the plane has beside bodies and joints: its making and its part of a step. */
#include "world/plane/parts.h"

#include <string.h>

#include "world/collision/continuous.h"
#include "world/contacts/contact_row.h"
#include "world/core/check.h"

bool tr2_parts_init(tr2_world *world, tr_memory *memory)
{
    world->settings.contacts = tr2_contact_settings_default(world->settings.length_unit);
    tr2_contacts_init(&world->contacts, memory);
    tr2_collision_init(&world->collision, memory);
    return tr2_shapes_init(&world->shapes, memory);
}

void tr2_parts_free(tr2_world *world, tr_memory *memory)
{
    tr2_contacts_free(&world->contacts, memory);
    tr2_collision_free(&world->collision, memory);
    tr2_shapes_free(&world->shapes);
}

/*
 * The state comes and goes
 */
void tr2_parts_archive(tr2_world *world, tr_archive *archive)
{
    tr2_contact_settings *settings = &world->settings.contacts;
    tr_archive_value(archive, settings->frequency);
    tr_archive_value(archive, settings->damping_ratio);
    tr_archive_value(archive, settings->push_speed);
    tr_archive_value(archive, settings->bounce_speed);
    tr_archive_value(archive, settings->hit_speed);
    tr_archive_value(archive, settings->friction_mixing);
    tr_archive_value(archive, settings->restitution_mixing);
    tr2_contacts_archive(&world->contacts, archive);
    tr2_shapes_archive(&world->shapes, archive, &world->body_pool);
    tr2_collision_archive(world, archive);
}

bool tr2_parts_enter(tr2_world *world, tr_archive *archive)
{
    return tr2_check_contact_settings(&TR_CHECK_SILENT, &world->settings.contacts) == TR_OK &&
           tr2_contacts_enter(world, archive) && tr2_collision_is_sound(world);
}

void tr2_parts_swap(tr2_world *world, tr2_world *other)
{
    tr2_contact_set contacts = world->contacts;
    world->contacts = other->contacts;
    other->contacts = contacts;
    tr2_shapes shapes = world->shapes;
    world->shapes = other->shapes;
    other->shapes = shapes;
    tr2_collision collision = world->collision;
    world->collision = other->collision;
    other->collision = collision;
    /* what the application has set, and what was measured */
    world->collision.filter = collision.filter;
    world->collision.filter_context = collision.filter_context;
    world->collision.mixer = collision.mixer;
    world->collision.mixer_context = collision.mixer_context;
    world->collision.runs = collision.runs;
    world->collision.workers = collision.workers;
    memcpy(world->collision.seconds, collision.seconds, sizeof collision.seconds);
}

#define HOOK_FILTER 1u
#define HOOK_MIXER  2u

uint32_t tr2_parts_hooks(const tr2_world *world)
{
    return (world->collision.filter != NULL ? HOOK_FILTER : 0) | (world->collision.mixer != NULL ? HOOK_MIXER : 0);
}

void tr2_parts_set_hooks(tr2_world *world, uint32_t hooks)
{
    world->collision.filter = (hooks & HOOK_FILTER) != 0 ? tr2_stand_in_filter : NULL;
    world->collision.mixer = (hooks & HOOK_MIXER) != 0 ? tr2_stand_in_mixer : NULL;
}

bool tr2_parts_bounce(const tr2_world *world)
{
    return world->shapes.bounces || world->contacts.bounces || world->collision.mixer != NULL;
}

bool tr2_parts_follow(const tr2_world *world)
{
    return world->shapes.table.count > 0;
}

uint32_t tr2_parts_contacts(const tr2_world *world)
{
    return world->joints[TR_CONTACT].table.count;
}

void tr2_pair_forget(tr2_world *world, uint32_t pair)
{
    world->collision.pairs[pair].contact = TR_NONE;
    world->collision.pairs[pair].flags &= ~TR2_PAIR_HELD;
}

bool tr2_contact_is_given(const tr2_world *world, uint32_t row)
{
    return (world->joints[TR_CONTACT].flags[row] & TR2_CONTACT_OF_SHAPES) == 0;
}

/*
 * Step
 */
static tr_status no_memory_for_touch(const tr2_check *check)
{
    return tr2_check_fail(check, TR_ERROR_MEMORY, "", "no memory for what shapes touch");
}

tr_status tr2_parts_keep(tr2_world *world, const tr2_check *check)
{
    if (tr2_shapes_weigh_all(world) != TR_OK)
        return tr2_check_fail(check, TR_ERROR_MEMORY, "", "no memory for centers apart from the origins");
    return tr2_bullets_reserve(world) && tr2_collide_keep(world) ? TR_OK : no_memory_for_touch(check);
}

tr_status tr2_parts_begin(tr2_world *world, const tr2_check *check, double dt)
{
    world->collision.untimed = false;
    tr_status status = tr2_collide_begin(world, dt);
    if (status == TR_ERROR_LIMIT)
        return tr2_check_fail(check, status, "", "more pairs of shapes, joints and contacts than can be counted");
    return status == TR_OK ? TR_OK : no_memory_for_touch(check);
}

tr_status tr2_parts_find(tr2_world *world, const tr2_check *check)
{
    double *seconds = world->collision.seconds, kept[TR2_COLLIDE_STAGES];
    memcpy(kept, seconds, sizeof kept);
    tr_status status = tr2_parts_begin(world, check, world->dt);
    memcpy(seconds, kept, sizeof kept);
    world->collision.untimed = true;
    return status;
}

bool tr2_parts_find_contact(const tr2_world *world, uint32_t row, const tr2_body_state *const body[2],
                            tr2_found_contact *out)
{
    return tr2_find_contact(world, row, body, out);
}

bool tr2_parts_write(tr2_world *world, const uint64_t *joints, uint32_t count)
{
    return tr2_collide_write_early(world, joints, count);
}

void tr2_parts_settle(tr2_world *world)
{
    tr2_collide_finish(world);
}

void tr2_parts_undo(tr2_world *world)
{
    tr2_collide_undo(world);
}

tr_status tr2_parts_ready(tr2_world *world, const tr2_check *check)
{
    /* by chunks of pairs, which a fresh plan sorts */
    if (!tr2_touches_reserve(world) || (world->settings.sleep.enable && !tr2_rest_reserve(world)))
        return no_memory_for_touch(check);
    return TR_OK;
}

/* what looking at a shape, and at a pair of shapes, costs in visits of joints */
#define SHAPE_WORK 20.0
#define PAIR_WORK  12.0

/* Collision counts when the number of threads is chosen. Up to the solver's part it has that of the step before, so a
   step in which the number changes tells nothing. */
static void note_pace(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr_team_take_log(world->team, &it->runs);
    if (it->runs.count > 0 && it->workers != tr2_solver_last(world->solver)->threads)
        return;
    double work = SHAPE_WORK * tr2_shapes_awake_count(&world->shapes) + PAIR_WORK * (it->count - it->resting);
    double seconds = it->seconds[TR2_COLLIDE_BROAD] + it->seconds[TR2_COLLIDE_NARROW];
    tr2_solver_took(world->solver, work, seconds, it->runs.held);
}

void tr2_parts_end(tr2_world *world, bool last)
{
    tr2_collide_follow(world);
    if (last)
        tr2_touches_collect(world);
    note_pace(world);
}

void tr2_parts_idle(tr2_world *world)
{
    world->collision.event_count = 0;
}

void tr2_parts_leave(tr2_world *world, bool failed)
{
    tr2_shapes_end_weighing(world, failed);
}

/*
 * Statistics
 */

/* what passes over shapes and pairs read and write, and for each contact its shapes, its manifold and its columns */
static void describe_bytes(const tr2_world *world, tr_statistics *out)
{
    const tr2_collision *it = &world->collision;
    const size_t shapes = world->shapes.table.count, geometry = world->shapes.bytes;
    /* all but the application's */
    const size_t contacts = world->joints[TR_CONTACT].table.count - world->contacts.slots.count;
    out->stage_bytes[TR_STAGE_BROAD] =
        geometry + 2 * shapes * (sizeof(tr2_shape_place) + sizeof(tr2_box)) + 2 * it->count * sizeof(tr2_pair);
    out->stage_bytes[TR_STAGE_NARROW] = 2 * it->count * (sizeof(tr2_pair) + sizeof(tr2_shape_place));
    if (shapes > 0)
        out->stage_bytes[TR_STAGE_NARROW] += contacts * (2 * geometry / shapes + 3 * sizeof(tr2_manifold));
}

void tr2_parts_describe(const tr2_world *world, tr_statistics *out)
{
    const double *seconds = world->collision.seconds;
    if (out->steps > 0)
        describe_bytes(world, out);
    out->stage_seconds[TR_STAGE_BROAD] = seconds[TR2_COLLIDE_BROAD];
    out->stage_seconds[TR_STAGE_NARROW] = seconds[TR2_COLLIDE_NARROW];
    out->stage_seconds[TR_STAGE_PLAN] += seconds[TR2_COLLIDE_PLAN];
}

double tr2_parts_seconds(const tr2_world *world)
{
    double seconds = 0.0;
    for (uint32_t i = 0; i < TR2_COLLIDE_STAGES; i++)
        seconds += world->collision.seconds[i];
    return seconds;
}

double tr2_parts_saves(const tr2_world *world, uint32_t threads)
{
    return tr_team_log_saves(&world->collision.runs, threads);
}
