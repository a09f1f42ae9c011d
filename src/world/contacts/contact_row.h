/* A contact of the plane as a table row, from the application or from the world's shapes. */
#ifndef TR_WORLD_CONTACT_ROW_H
#define TR_WORLD_CONTACT_ROW_H

#include "world/core/contact.h"

/* bit of the flags column: found by the world; TR2_CONTACT_ORDER is then the index of its pair */
#define TR2_CONTACT_OF_SHAPES 0x40000000u

/* As tr2_contact_append(), in the row of a contact of shapes that goes; its slot is to be given back afterwards. */
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

#endif
