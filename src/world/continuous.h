/*
 * Continuous collision: what moves far in a step does not pass through what is thin. docs/collision.md says how, and why so.
 */
#ifndef TR_WORLD_CONTINUOUS_H
#define TR_WORLD_CONTINUOUS_H

#include "solver/system.h"
#include "world/contact_row.h"
#include "world/shape.h"

/* The radius of a disc about a shape's middle that is within it; of a line 0. */
float tr2_geometry_inner(const tr2_geometry *geometry);

/* Whether a shape that has gone so far (tr2_collide_way) may have passed through something thin. */
bool tr2_is_fast(const tr2_geometry *geometry, double way);

/*
 * Before a step: where two shapes that are farther apart than their contacts reach will meet, if their bodies go on as
 * they do for `dt`. The places are those of a contact that lets them come as far as there, and no farther. False: they do
 * not meet, or that is left to tr2_stop_fast().
 */
bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out);

/* Room for what bullets take; false when there is no memory. */
bool tr2_bullets_reserve(tr2_world *world);

/*
 * After a step: bodies with shapes marked TR2_SHAPE_FAST are put back to where they first sink into something that does
 * not move, then bullets to where they sink into what moves. The trees must hold the shapes' ways. Velocities stay: the next
 * step finds a contact there.
 */
void tr2_stop_fast(tr2_world *world);
void tr2_stop_bullets(tr2_world *world);

#endif
