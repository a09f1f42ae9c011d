/* What a world in space has beside bodies and joints: the application's contacts; and what is left of what shapes do in
   the plane. */
#include "world/core/body.h"
#include "world/core/check.h"

bool tr3_parts_init(tr3_world *world, tr_memory *memory)
{
    world->settings.contacts = tr3_contact_settings_default(world->settings.length_unit);
    tr3_contacts_init(&world->contacts, memory);
    return true;
}

void tr3_parts_free(tr3_world *world, tr_memory *memory)
{
    tr3_contacts_free(&world->contacts, memory);
}

void tr3_parts_archive(tr3_world *world, tr_archive *archive)
{
    tr3_contact_settings *settings = &world->settings.contacts;
    tr_archive_value(archive, settings->frequency);
    tr_archive_value(archive, settings->damping_ratio);
    tr_archive_value(archive, settings->push_speed);
    tr_archive_value(archive, settings->bounce_speed);
    tr3_contacts_archive(&world->contacts, archive);
}

bool tr3_parts_enter(tr3_world *world, tr_archive *archive)
{
    return tr3_check_contact_settings(&TR_CHECK_SILENT, &world->settings.contacts) == TR_OK &&
           tr3_contacts_enter(world, archive);
}

void tr3_parts_swap(tr3_world *world, tr3_world *other)
{
    tr3_contact_set contacts = world->contacts;
    world->contacts = other->contacts;
    other->contacts = contacts;
}

bool tr3_parts_bounce(const tr3_world *world)
{
    return world->contacts.bounces;
}

bool tr3_parts_follow(const tr3_world *world)
{
    (void)world;
    return false;
}

uint32_t tr3_parts_contacts(const tr3_world *world)
{
    return world->joints[TR_CONTACT].table.count;
}

void tr3_parts_end(tr3_world *world, bool last)
{
    (void)last;
    tr_team_forget_log(world->team);
    tr3_solver_took(world->solver, 0.0, 0.0, 0.0);
}

tr3_body_weight tr3_shapes_weight(const tr3_world *world, uint32_t body_slot)
{
    return tr3_body_weight_of(&world->bodies, world->body_pool.row[body_slot]);
}
