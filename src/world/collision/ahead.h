/* Contacts computed from poses later in the step instead of the current ones: see docs/collision-design.md. */
#ifndef TR_WORLD_AHEAD_H
#define TR_WORLD_AHEAD_H

#include "world/contacts/contact_row.h"
#include "world/queries/track.h"

/*
 * The contact of two shapes beyond their margin that will meet if their bodies keep their velocities for `dt`. Its
 * separations let them come as far as the impact and no farther. False: they do not meet, or tr2_stop_fast() handles
 * the pair.
 */
bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out);

/*
 * A contact exists before the shapes touch, and its normal and points are those of now. Bodies that move along it may
 * meet elsewhere, or pass by. This replaces the contact by that of the impact, or by one beside the motion if they pass
 * by near each other; count 0 if they are not near in the next two steps, only graze, or meet in the next step with
 * another normal. Of fast shapes that turn it is the contact of a part of the step: TR2_PAIR_TURNS.
 * False: the contact will do, and is unchanged. `now`: the current poses.
 */
bool tr2_meet_passing(const tr2_world *world, tr2_pair *pair, const tr2_shape_pair *now, float dt, tr2_manifold *found);

/* A contact of later in the step as a manifold, in the format of its kind of pair. */
tr2_manifold tr2_manifold_ahead(const tr2_world *world, const tr2_pair *pair, const tr2_contact_places *places);

/* rad; smaller rotations in a step have no relevant effect on contacts */
#define TR2_TURN_LEAST 0.02f

/* units; a contact that moves along a flat shape by less in a step, as that rolls on a round one, is where it was */
#define TR2_ROLL_LEAST 0.0002f

/* Whether a flat shape that turns by `turn` (rad) in a step may roll on a round one that is larger: how far the place
   moves in which they touch decides how much its weight brings it back. A contact of now is late in all of the step, so
   that the shape would rock to and fro ever more, until it lies on its corners. */
static inline bool tr2_may_roll(const tr2_geometry *round, const tr2_geometry *flat, float turn, float unit)
{
    return flat->count > 1 && round->radius > flat->extent &&
           round->radius * (turn < 0.0f ? -turn : turn) > TR2_ROLL_LEAST * unit;
}

/* Two shapes at a fraction of their motion through the step; the second one is displaced by `aside`. */
typedef struct tr2_meeting {
    const tr2_geometry *shape_a, *shape_b;
    tr2_track track_a, track_b;
    float part;
    tr_vec2 aside; /* m */
    float c, s;    /* of the first body's angle then */
} tr2_meeting;

/*
 * Whether the contact of two touching shapes, `now`, should be replaced by that of halfway through the step if their
 * bodies keep their velocities: its normal and arms are accurate to second order over the entire step. Of shapes that
 * roll on each other it is that of somewhat later. False: they rotate too little, so the current contact will do. `out`
 * and `pair` are how the shapes stand then.
 */
bool tr2_touch_turning(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, const tr2_manifold *now, double dt,
                       tr2_meeting *out, tr2_shape_pair *pair);
/* The contact from the tr2_collide() of that pair, expressed at the start of the step; false if there is none. */
bool tr2_meeting_places(const tr2_meeting *it, const tr2_manifold *then, tr2_contact_places *out);

#endif
