/*
 * Contact points where bodies will be, not where they are. docs/collision.md says when, and why so.
 */
#ifndef TR_WORLD_AHEAD_H
#define TR_WORLD_AHEAD_H

#include "world/contact_row.h"

/*
 * Where two shapes that are farther apart than their contacts reach will meet, if their bodies go on as
 * they do for `dt`. The places are those of a contact that lets them come as far as there, and no farther. False: they do
 * not meet, or that is left to tr2_stop_fast().
 */
bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out);

/* rad; what turns by less in a step bends nothing that matters */
#define TR2_TURN_LEAST 0.02f

/*
 * The contact of two shapes that touch, `now`, as it will be halfway through the step, if their bodies go on as they do: its normal
 * and arms then are those of the whole step, to second order. False: they turn little, and it is as good as it is.
 */
bool tr2_touch_turning(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, const tr2_manifold *now, double dt,
                       tr2_contact_places *out);

#endif
