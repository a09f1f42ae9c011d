/* A contact as a table row, and what the set of the application's contacts (contact.c) asks of a dimension. */
#ifndef TR_WORLD_CONTACT_H
#define TR_WORLD_CONTACT_H

#include <string.h>

#include "world/core/world_internal.h"
#include TRN_CONTACT_FILE

/* the integer columns */
static inline uint32_t trn_contact_own(const trn_joints *contacts, int column, uint32_t row)
{
    uint32_t bits;
    memcpy(&bits, contacts->own[column] + row, sizeof bits);
    return bits;
}

static inline void trn_contact_set_own(trn_joints *contacts, int column, uint32_t row, uint32_t bits)
{
    memcpy(contacts->own[column] + row, &bits, sizeof bits);
}

/* The plan's kind of a contact with this number of points; and of the current one in a slot. */
static inline uint32_t trn_contact_kernel_of(uint32_t point_count)
{
    return trn_kernel_of(TR_CONTACT, point_count > 1);
}

static inline uint32_t trn_contact_kernel(const trn_world *world, uint32_t slot)
{
    uint32_t flags = world->joints[TR_CONTACT].flags[world->joint_pool.row[slot]];
    return trn_kernel_of(TR_CONTACT, (flags & TR_JOINT_FEATURED) != 0);
}

/* Creates a contact with all numbers 0 in the pool's next slot; there must be room. Does not add it to the plan. The
   second function does it in a row of the table. */
uint32_t trn_contact_append(trn_world *world, trn_body body_a, trn_body body_b, uint64_t user_data);
uint32_t trn_contact_fill(trn_world *world, uint32_t row, trn_body body_a, trn_body body_b, uint64_t user_data);

/*
 * What a dimension supplies: contact_row.c of world/contacts and world/space, and its parts.h
 */

/* Writes a checked definition, with its surface; impulses stay with their points. If all points persist and little has
   changed, the old geometry stays (docs/contacts.md). `order` is its index in the application's array. */
void trn_contact_write(trn_world *world, uint32_t row, const trn_contact_def *def, uint32_t order);

/* The impulses of a row's contact in the last step. */
void trn_contact_read_impulse(const trn_joints *it, uint32_t row, trn_contact_impulse *out);

/* The numbers of a definition that the other dimension has not: with a message; or only whether they are valid. */
tr_status trn_contact_check_own(const trn_check *check, const trn_contact_def *def);
bool trn_contact_is_own_good(const trn_contact_def *def);

/* The settings that the other dimension has not; and writes checked settings with what follows from their change. */
tr_status trn_check_own_contact_settings(const trn_check *check, const trn_contact_settings *settings);
void trn_contact_settings_write(trn_world *world, const trn_contact_settings *settings);

#endif
