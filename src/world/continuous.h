/*
 * Continuous collision: what moves far in a step does not pass through what is thin. docs/collision.md says how, and why so.
 */
#ifndef TR_WORLD_CONTINUOUS_H
#define TR_WORLD_CONTINUOUS_H

#include "solver/system.h"
#include "world/shape.h"

/* Room for what bullets take; false when there is no memory. */
bool tr2_bullets_reserve(tr2_world *world);

/*
 * After a step: bodies with shapes marked TR2_SHAPE_FAST are put back to where they first sink into something that stands
 * or that the host moves (`driven`: there is such; `swept`: some of that is fast, and marks what it sweeps over); bullets to
 * where they sink into whatever moves. What they have met takes them along. The trees must hold the shapes' ways.
 * Velocities stay: the next step finds a contact there.
 */
void tr2_stop_fast(tr2_world *world, bool driven, bool swept);
void tr2_stop_bullets(tr2_world *world);

#endif
