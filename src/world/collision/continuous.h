/* Continuous collision: fast bodies do not pass through thin ones. See docs/collision-design.md. */
#ifndef TR_WORLD_CONTINUOUS_H
#define TR_WORLD_CONTINUOUS_H

#include "solver/core/system.h"
#include "world/shapes/shape.h"

/* Makes room for bullets. False if out of memory. */
bool tr2_bullets_reserve(tr2_world *world);

/*
 * After a step: moves bodies with shapes marked TR2_SHAPE_FAST back to where they first sink into a static or kinematic
 * body, and bullets also to where they sink into dynamic bodies. Then they go on as what they have hit lets them.
 * Only what has been beside static shapes (TR2_SHAPE_BY_FIXED) or kinematic ones (TR2_SHAPE_BY_DRIVEN) is followed.
 * `driven`: there are kinematic bodies with shapes; `swept`: some of these are fast, and mark the shapes that they
 * sweep over; `strayed`: some have left their boxes, so that anything may have been beside them. The trees must contain
 * the shapes' paths. Velocities stay: the next step finds a contact there.
 */
void tr2_stop_fast(tr2_world *world, bool driven, bool swept, bool strayed);
void tr2_stop_bullets(tr2_world *world);

#endif
