/* What the files of collision share. */
#ifndef TR_WORLD_COLLISION_INTERNAL_H
#define TR_WORLD_COLLISION_INTERNAL_H

#include "world/world_internal.h"

/* m; shapes that are nearer than this have a contact, before they touch */
#define TR2_SPECULATIVE 0.02

/* What the work of a step shares. */
typedef struct tr2_collide_step {
    tr2_world *world;
    double dt;
    uint32_t workers;
} tr2_collide_step;

/* Boxes, and pairs: the dead ones are marked, the new ones lie after the known. False when there is no memory. */
bool tr2_collide_find(tr2_collide_step *step);
/* Takes the dead pairs out and the new ones in; those that die have no contacts any more. */
void tr2_collide_settle_pairs(tr2_world *world);

/* Contact points of all pairs, known and new. False when there is no memory. */
bool tr2_collide_touch(tr2_collide_step *step);
/* Writes the rows of all pairs that have contacts. */
void tr2_collide_write(tr2_collide_step *step);

/* The flags of a pair that follow from its shapes. */
uint32_t tr2_pair_flags(const tr2_shapes *shapes, uint32_t slot_a, uint32_t slot_b);
/* The end of a pair that dies, if it has begun; there must be room. */
void tr2_touch_ended(tr2_collision *it, uint16_t tag, const tr2_pair *pair);

/* A pair has another index: its contact is told. */
void tr2_pair_moved(tr2_world *world, uint32_t pair);

#endif
