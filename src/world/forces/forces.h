/* What explosions, wind and fluids share: sums of forces, the outlines of a body, drag. */
#ifndef TR_WORLD_FORCES_H
#define TR_WORLD_FORCES_H

#include "trammel/forces2.h"
#include "world/core/body.h"
#include "world/forces/outline.h"
#include "world/queries/query.h"

/* A force and its moment about the centre of mass; or an impulse. */
typedef struct tr2_load {
    tr_dvec2 force;
    double torque;
} tr2_load;

static inline void tr2_load_add(tr2_load *total, tr_dvec2 force, tr_dvec2 arm)
{
    total->force = tr_dalong(total->force, 1.0, force);
    total->torque += tr_dcross(arm, force);
}

static inline tr2_load tr2_load_scaled(const tr2_load *amount, double by)
{
    return (tr2_load){tr_dscale(by, amount->force), by * amount->torque};
}

/*
 * Ledger: what bodies had before, so that a call that fails gives it back
 */
typedef struct tr2_ledger_entry {
    uint32_t row;
    float x, y, turn;
} tr2_ledger_entry;

typedef struct tr2_ledger {
    tr2_world *world;
    const tr2_check *check;
    tr2_ledger_entry *entries;
    uint32_t capacity, count;
    bool impulses; /* to velocities, now; else to the forces of the next step */
} tr2_ledger;

/* Room for `capacity` loads. TR_ERROR_MEMORY. */
tr_status tr2_ledger_open(tr2_ledger *it, tr2_world *world, const tr2_check *check, uint32_t capacity, bool impulses);
/* Gives a body a load. TR_ERROR_RANGE. */
tr_status tr2_ledger_give(tr2_ledger *it, uint32_t row, const tr2_load *amount);
/* Returns the status; if it is an error, no body keeps what it has received. */
tr_status tr2_ledger_close(tr2_ledger *it, tr_status status);

/*
 * Bodies and their outlines
 */

/* Whether forces move the body of a row. */
static inline bool tr2_force_moves(const tr2_bodies *bodies, uint32_t row)
{
    return tr2_body_inverse_mass(bodies, row) > 0.0f;
}

static inline tr2_ask tr2_force_ask(const tr2_world *world, const tr2_query *query)
{
    return (tr2_ask){world, *query, TR_CHECK_SILENT, 0};
}

static inline tr2_turned tr2_force_pose(const tr2_bodies *bodies, uint32_t row)
{
    return (tr2_turned){tr2_body_center(bodies, row), (double)bodies->c[row], (double)bodies->s[row]};
}

/* Calls `visit` for the outline of each shape of a body that the query sees, oldest first. */
void tr2_force_outlines(const tr2_ask *ask, uint32_t body_row, const tr2_turned *at,
                        void (*visit)(const tr2_outline *outline, void *context), void *context);

/* The force of a medium on the body of a row for a step of `dt` seconds. */
typedef tr2_load tr2_load_fn(const tr2_ask *ask, const void *medium, uint32_t row, double dt);

/* Applies it to a list of bodies, or all, after checking the list and `dt`. */
tr_status tr2_force_apply(tr2_world *world, tr2_check *check, const tr2_body *bodies, uint32_t count, float dt,
                          const tr2_query *query, tr2_load_fn *of, const void *medium);

/*
 * Drag
 */

/* What flows around a body, as seen from its centre of mass. */
typedef struct tr2_flow {
    tr_dvec2 velocity; /* of the medium, relative to the centre of mass */
    double spin;       /* rad/s, of the body */
    double density, drag, lift;
    tr2_load along; /* drag, and what else brakes: takes energy from the motion relative to the medium */
    tr2_load aside; /* lift: turns that motion, without work */
} tr2_flow;

tr2_flow tr2_flow_around(const tr2_bodies *bodies, uint32_t row, tr_vec2 velocity, float density, float drag,
                         float lift);
/* Adds drag and lift on a piece of the outline. */
void tr2_flow_meet(tr2_flow *it, const tr2_piece *piece);
/* Both as one force for `dt` seconds, which leaves the motion relative to the medium no more energy than it had. With a
   factor s on the impulse (J, L) of drag the energy falls up to s = -(v.J + w L) / (J^2/m + L^2/I), and rises after it:
   so s is no more. What the impulse of lift would add is taken away again along the motion. */
tr2_load tr2_flow_load(const tr2_flow *it, const tr2_bodies *bodies, uint32_t row, double dt);

#endif
