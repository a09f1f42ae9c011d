/* A contact as a table row, from the application or from the world's shapes. */
#ifndef TR_WORLD_CONTACT_ROW_H
#define TR_WORLD_CONTACT_ROW_H

#include <string.h>

#include "solver/joints2/contact.h"
#include "world/core/world_internal.h"

/* bit of the flags column: found by the world; TR2_CONTACT_ORDER is then the index of its pair */
#define TR2_CONTACT_OF_SHAPES 0x40000000u

/* the integer columns */
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

/* The plan's kind of a contact with this number of points; and of the current one in a slot. */
static inline uint32_t tr2_contact_kernel_of(uint32_t point_count)
{
    return tr2_kernel_of(TR_CONTACT, point_count == 2);
}

static inline uint32_t tr2_contact_kernel(const tr2_world *world, uint32_t slot)
{
    uint32_t flags = world->joints[TR_CONTACT].flags[world->joint_pool.row[slot]];
    return tr2_kernel_of(TR_CONTACT, (flags & TR_JOINT_FEATURED) != 0);
}

/* The impulses of a row's contact in the last step. */
void tr2_contact_read_impulse(const tr2_joints *it, uint32_t row, tr2_contact_impulse *out);

/* Creates a contact with all numbers 0 in the pool's next slot; there must be room. Does not add it to the plan. */
uint32_t tr2_contact_append(tr2_world *world, tr2_body body_a, tr2_body body_b, uint64_t user_data);
/* The same in the row of a contact of shapes that goes; its slot is to be given back afterwards. */
uint32_t tr2_contact_replace(tr2_world *world, uint32_t slot, tr2_body body_a, tr2_body body_b, uint64_t user_data);

/* The geometry of a contact, in world axes. */
typedef struct tr2_contact_places {
    tr_vec2 normal;       /* unit vector */
    tr_vec2 arm_a, arm_b; /* m, from each body's centre of mass to the first point */
    tr_vec2 second;       /* m, from the first point to the second */
    float separation[2];  /* m */
    uint32_t point_count, point_id[2];
    bool ahead; /* computed for later in the step: always replaced */
} tr2_contact_places;

/* Writes the geometry of a contact; impulses stay with their points. If both points persist and little has changed,
   the old geometry stays (docs/contacts.md). */
void tr2_contact_write_places(tr2_world *world, uint32_t row, const tr2_contact_places *places);
/* The same for a contact that had one point and still has it, with the same id. */
void tr2_contact_write_single(tr2_joints *it, uint32_t row, const tr2_contact_places *p);
/* The same for a checked definition, with its surface. `order` is its index in the application's array. */
void tr2_contact_write(tr2_world *world, uint32_t row, const tr2_contact_def *def, uint32_t order);

#endif
