/* Contacts computed from poses later in the step instead of the current ones: see docs/collision.md. */
#ifndef TR_WORLD_AHEAD_H
#define TR_WORLD_AHEAD_H

#include "world/contact_row.h"

/*
 * The contact of two shapes beyond their margin that will meet if their bodies keep their velocities for `dt`. Its
 * separations let them come as far as the impact and no farther. False: they do not meet, or tr2_stop_fast() handles
 * the pair.
 */
bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out);

/* rad; smaller rotations in a step have no relevant effect on contacts */
#define TR2_TURN_LEAST 0.02f

/*
 * The contact of two touching shapes, `now`, as it will be halfway through the step if their bodies keep their
 * velocities. Its normal and arms are accurate to second order over the entire step. False: they rotate too little, so
 * the current contact will do.
 */
bool tr2_touch_turning(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, const tr2_manifold *now, double dt,
                       tr2_contact_places *out);

#endif
