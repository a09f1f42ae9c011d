/* Functions common to the files about bodies. */
#ifndef TR_WORLD_BODY_H
#define TR_WORLD_BODY_H

#include "world/core/check.h"

/* The pose of a body as its row stores it. */
typedef struct tr2_placement {
    tr_dvec2 center; /* m, centre of mass in the world */
    double angle;
    float c, s;
} tr2_placement;

static inline tr_dvec2 tr2_rotate(float c, float s, tr_vec2 v)
{
    tr_dvec2 out = {(double)c * (double)v.x - (double)s * (double)v.y,
                    (double)s * (double)v.x + (double)c * (double)v.y};
    return out;
}

/* The inverse of tr2_rotate(). */
static inline tr_dvec2 tr2_unrotate(float c, float s, tr_dvec2 v)
{
    tr_dvec2 out = {(double)c * v.x + (double)s * v.y, (double)c * v.y - (double)s * v.x};
    return out;
}

/* From the position of the origin and the centre of mass in the body's frame. */
tr2_placement tr2_placement_of(tr_dvec2 position, double angle, tr_vec2 local_center);
void tr2_body_place(tr2_bodies *bodies, uint32_t row, const tr2_placement *placement);
/* The position of a row's origin. */
tr_dvec2 tr2_body_origin(const tr2_bodies *bodies, uint32_t row);

/* Checks that a row can have this mass, inertia and centre, and makes room for them; the second function writes
   them. The origin and the velocities of the body's points stay. */
tr_status tr2_body_check_mass(const tr2_check *check, tr2_bodies *bodies, uint32_t row, float mass, float inertia,
                              tr_vec2 center);
void tr2_body_write_mass(tr2_bodies *bodies, uint32_t row, float mass, float inertia, tr_vec2 center);
/* The mass properties that decide which joints are solved exactly: get them before a change, and pass them on after
   it. */
typedef struct tr2_body_weight {
    float mass, inertia;
    tr_vec2 center;
    bool turns;
} tr2_body_weight;

tr2_body_weight tr2_body_weight_of(const tr2_bodies *bodies, uint32_t row);
/* The same with the mass that a static body will have once that is computed. */
tr2_body_weight tr2_shapes_weight(const tr2_world *world, uint32_t body_slot);
void tr2_body_weigh_trees(tr2_world *world, uint32_t row, tr2_body_weight before);

/* A body's type, also while it is disabled. The column of types then says TR_STATIC, which is how it behaves. */
static inline tr_body_type tr2_body_type_of(const tr2_bodies *bodies, uint32_t row)
{
    uint32_t flags = bodies->flags[row];
    return (tr_body_type)((flags & TR2_BODY_DISABLED) != 0 ? flags >> TR2_BODY_KEPT_TYPE & 3u : bodies->type[row]);
}

/* Tells the plan if a new type changes whether a body moves, and makes room for joints that rest. On TR_ERROR_MEMORY
   nothing changed. */
tr_status tr2_body_replan(tr2_world *world, const tr2_check *check, tr2_body id, tr_body_type type, bool enabled);
/* Writes the type and its consequences: static and disabled bodies get no velocity, only dynamic ones keep forces, and
   the inverse masses change. */
void tr2_body_write_type(tr2_bodies *bodies, uint32_t row, tr_body_type type, bool enabled);
/* After these two: finds a body's touches anew; if it has been enabled or disabled, its joints act or rest, and its
   contacts from the application go; if it has become dynamic or ceased to be, its joints side by side share anew.
   `was`: the type before, as tr2_body_type_of() says it. */
void tr2_body_settle_type(tr2_world *world, tr2_body id, tr_body_type was, bool was_enabled);

#endif
