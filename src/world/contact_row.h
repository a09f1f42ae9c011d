/* A contact as a row of its table, whoever found it: the host or the world's own shapes. */
#ifndef TR_WORLD_CONTACT_ROW_H
#define TR_WORLD_CONTACT_ROW_H

#include <string.h>

#include "solver/joints2/contact.h"
#include "world/world_internal.h"

/* bit of the flags column: found by the world, TR2_CONTACT_ORDER is the index of its pair */
#define TR2_CONTACT_OF_SHAPES 0x40000000u

/* the columns of whole numbers */
static inline uint32_t tr2_contact_own(const tr2_joints *contacts, int column, uint32_t row)
{
    uint32_t bits;
    memcpy(&bits, contacts->own[column] + row, sizeof bits);
    return bits;
}

static inline void tr2_contact_set_own(tr2_joints *contacts, int column, uint32_t row, uint32_t bits)
{
    memcpy(contacts->own[column] + row, &bits, sizeof bits);
}

/* The plan's kind of a contact with so many points, and of the one in a slot as it is now. */
static inline uint32_t tr2_contact_kernel_of(uint32_t point_count)
{
    return tr2_kernel_of(TR2_CONTACT, point_count == 2);
}

static inline uint32_t tr2_contact_kernel(const tr2_world *world, uint32_t slot)
{
    uint32_t flags = world->joints[TR2_CONTACT].flags[world->joint_pool.row[slot]];
    return tr2_kernel_of(TR2_CONTACT, (flags & TR2_JOINT_FEATURED) != 0);
}

/* What the contact of a row did in the last step. */
void tr2_contact_read_impulse(const tr2_joints *it, uint32_t row, tr2_contact_impulse *out);

/* A new contact, all of its numbers 0, in the slot that the pool gives next; there must be room. Not in the plan. */
uint32_t tr2_contact_append(tr2_world *world, tr2_body body_a, tr2_body body_b, uint64_t user_data);

/* Where a contact is, in the world's axes. */
typedef struct tr2_contact_places {
    tr_vec2 normal;       /* of length 1 */
    tr_vec2 arm_a, arm_b; /* m, from each body's centre of mass to the first point */
    tr_vec2 second;       /* m, from the first point to the second */
    float separation[2];  /* m */
    uint32_t point_count, point_id[2];
    bool ahead; /* where bodies will be: never kept */
} tr2_contact_places;

/* Writes where a contact is; impulses go with their points. Two points that are kept stay where they were while little has
   changed (docs/contacts.md). */
void tr2_contact_write_places(tr2_world *world, uint32_t row, const tr2_contact_places *places);
/* The same for one that had one point, and has it still: the same ids. */
void tr2_contact_write_single(tr2_joints *it, uint32_t row, const tr2_contact_places *p);
/* Writes a definition that has been checked likewise, surface and all. `order` is its place in the host's array. */
void tr2_contact_write(tr2_world *world, uint32_t row, const tr2_contact_def *def, uint32_t order);

#endif
