/* Functions common to the files about bodies. */
#ifndef TR_WORLD_BODY_H
#define TR_WORLD_BODY_H

#include "world/core/check.h"

/* Writes the pose of a row: of its origin, whose centre of mass is there in its frame. */
void trn_place_body(trn_bodies *bodies, uint32_t row, trn_dvec position, trn_orientation orientation, trn_vec center);
/* The position of a row's origin. */
trn_dvec trn_body_origin(const trn_bodies *bodies, uint32_t row);

/* Checks that a row can have this mass, inertia and centre, and makes room for them; the second function writes
   them. The origin and the velocities of the body's points stay. */
tr_status trn_body_check_mass(const trn_check *check, trn_bodies *bodies, uint32_t row, float mass, trn_inertia inertia,
                              trn_vec center);
void trn_body_write_mass(trn_bodies *bodies, uint32_t row, float mass, trn_inertia inertia, trn_vec center);
/* The mass properties that decide which joints are solved exactly: get them before a change, and pass them on after
   it. */
typedef struct trn_body_weight {
    float mass;
    trn_inertia inertia;
    trn_vec center;
    bool turns;
} trn_body_weight;

trn_body_weight trn_body_weight_of(const trn_bodies *bodies, uint32_t row);
/* The same with the mass that a static body will have once that is computed. */
trn_body_weight trn_shapes_weight(const trn_world *world, uint32_t body_slot);
void trn_body_weigh(trn_world *world, uint32_t row, trn_body_weight before);

/* A body's type, also while it is disabled or sleeps. The column of types then says TR_STATIC, which is how it behaves. */
static inline tr_body_type trn_body_type_of(const trn_bodies *bodies, uint32_t row)
{
    uint32_t flags = bodies->flags[row];
    if ((flags & TR_BODY_ASLEEP) != 0)
        return TR_DYNAMIC;
    return (tr_body_type)((flags & TR_BODY_DISABLED) != 0 ? flags >> TR_BODY_KEPT_TYPE & 3u : bodies->type[row]);
}

/* Sets or clears a flag of a row, and says whether it was set. */
static inline bool trn_body_set_flag(trn_bodies *bodies, uint32_t row, uint32_t flag, bool on)
{
    const uint32_t before = bodies->flags[row];
    bodies->flags[row] = on ? before | flag : before & ~flag;
    return (before & flag) != 0;
}

/* Whether a row's body moves by itself, and keeps what it touches awake. */
static inline bool trn_body_is_driven(const trn_bodies *bodies, uint32_t row)
{
    return bodies->type[row] == TR_KINEMATIC && (trn_size(trn_body_linear_velocity(bodies, row)) > 0.0 ||
                                                 trn_spin_size(trn_body_angular_velocity(bodies, row)) > 0.0);
}

/* Tells the plan if a new type changes whether a body moves, and makes room for joints that rest. On TR_ERROR_MEMORY
   nothing changed. */
tr_status trn_body_replan(trn_world *world, const trn_check *check, trn_body id, tr_body_type type, bool enabled);
/* Writes the type and its consequences: static and disabled bodies get no velocity, only dynamic ones keep forces, and
   the inverse masses change. */
void trn_body_write_type(trn_bodies *bodies, uint32_t row, tr_body_type type, bool enabled);
/* After these two: finds a body's touches anew; if it has been enabled or disabled, its joints act or rest, and its
   contacts from the application go; if it has become dynamic or ceased to be, its joints side by side share anew.
   `was`: the type before, as trn_body_type_of() says it. */
void trn_body_settle_type(trn_world *world, trn_body id, tr_body_type was, bool was_enabled);

#endif
