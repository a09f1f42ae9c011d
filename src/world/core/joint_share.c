#include "world/core/joint_share.h"

#include <string.h>

#include "world/core/body.h"
#include "world/core/joint_def.h"

/* lines and wheels are not counted: what was measured is joints that hold more */
static trn_tie_kind tie_of(const trn_world *world, uint32_t slot)
{
    trn_tie_kind tie = trn_joint_types[trn_joint_type_of(world, slot)]->tie;
    return tie != TR_TIE_LINE ? tie : TR_TIE_NONE;
}

/* A walk over the joints of counted types between the two bodies of a joint, itself included. */
typedef struct beside {
    const trn_world *world;
    uint32_t other; /* the vertex at the far end */
    uint32_t half;  /* TR_NONE: no more */
} beside;

/* starts at the body with fewer joints, because the other may be a hub */
static beside begin_between(const trn_world *world, uint32_t a, uint32_t b)
{
    const tr_plan *plan = world->plan;
    bool from_a = tr_plan_degree(plan, a) < tr_plan_degree(plan, b);
    return (beside){world, from_a ? b : a, tr_plan_first(plan, from_a ? a : b)};
}

static beside begin(const trn_world *world, uint32_t slot)
{
    return begin_between(world, tr_plan_end(world->plan, slot, 0), tr_plan_end(world->plan, slot, 1));
}

/* the slot of the next joint, or TR_NONE */
static uint32_t next(beside *it)
{
    const tr_plan *plan = it->world->plan;
    while (it->half != TR_NONE) {
        uint32_t edge = tr_half_edge(it->half), end = tr_half_end(it->half);
        it->half = tr_plan_next(plan, it->half);
        /* ends 2 and 3 are carriers */
        if (end < 2 && tr_plan_end(plan, edge, 1 - end) == it->other && tie_of(it->world, edge) != TR_TIE_NONE)
            return edge;
    }
    return TR_NONE;
}

bool trn_joint_is_beside(const trn_world *world, uint32_t slot)
{
    if (tie_of(world, slot) == TR_TIE_NONE)
        return false;
    beside it = begin(world, slot);
    return next(&it) != TR_NONE && next(&it) != TR_NONE;
}

/* new joints come first in the walk, so of a group that is new only one is that */
bool trn_joint_is_newest_beside(const trn_world *world, uint32_t slot)
{
    if (tie_of(world, slot) == TR_TIE_NONE)
        return false;
    beside it = begin(world, slot);
    return next(&it) == slot && next(&it) != TR_NONE;
}

bool trn_joint_share_reserve(trn_world *world, uint32_t slot)
{
    beside it = begin(world, slot);
    uint32_t old = 0;
    for (uint32_t s = next(&it); s != TR_NONE; s = next(&it)) {
        /* new ones come first in the walk; two that are in the world have all this already, and so have all behind */
        old += s < world->joint_pool.count && !tr_pool_is_free(&world->joint_pool, s);
        if (old == 2)
            break;
        trn_joint_type type = trn_joint_type_of(world, s);
        /* any softness makes the columns that the featured kernel reads */
        trn_joint_def soft = trn_joint_def_default(type);
        soft.linear = tr_frequency(1.0f, 1.0f);
        if (trn_joint_has(type, TRN_FIELD_ANGULAR_A))
            soft.angular = soft.linear;
        if (!trn_joints_hold(&world->joints[type], &soft, 0) || !trn_joints_hold_flags(&world->joints[type], type) ||
            tr_plan_set_kind(world->plan, s, trn_kernel_of(type, true)) != TR_OK)
            return false;
    }
    return true;
}

static bool is_rigid(const trn_world *world, uint32_t slot, trn_field kind)
{
    const trn_joints *joints = &world->joints[trn_joint_type_of(world, slot)];
    return trn_is_rigid_cell(trn_joint_cell(joints, kind, world->joint_pool.row[slot]));
}

/* whether a joint takes part in holding the bodies */
static bool holds(const trn_world *world, uint32_t slot)
{
    const uint32_t *flags = world->joints[trn_joint_type_of(world, slot)].flags;
    return is_rigid(world, slot, TRN_FIELD_LINEAR_KIND) &&
           (flags == NULL || (flags[world->joint_pool.row[slot]] & TR_JOINT_DISABLED) == 0);
}

static void write_kind(trn_world *world, uint32_t slot, trn_field kind, uint32_t more)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    trn_joints *joints = &world->joints[type];
    const float *column = trn_joint_has(type, kind) ? joints->field[kind] : NULL;
    uint32_t cell = more > 0 ? TR_RIGID_BESIDE + more : (uint32_t)TR_RIGID;
    if (column != NULL && is_rigid(world, slot, kind))
        memcpy((float *)tr_table_edit(&joints->table, column) + world->joint_pool.row[slot], &cell, sizeof cell);
}

/* clears the impulses, too: it starts afresh when it is needed again */
static void set_idle(trn_world *world, uint32_t slot, bool idle)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    trn_joints *joints = &world->joints[type];
    uint32_t row = world->joint_pool.row[slot], before = joints->flags[row];
    joints->flags[row] = idle ? before | TR_JOINT_SPARE : before & ~TR_JOINT_SPARE;
    for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count && joints->flags[row] != before; i++) {
        if (trn_joint_types[type]->impulse_roles[i] != TR_ROLE_PLACE)
            trn_joint_drop_impulse(joints, i, row);
    }
    trn_joint_weigh(world, slot, before);
}

/* Welds and revolutes that hold the freedoms more often than this are stable with no factor, slides with one of up to
   MOST_SLIDES (docs/solver.md). */
#define MOST_ROWS   9u
#define MOST_SLIDES 9u

/* A moving body with more joints and contacts than this may be split into copies, which share its load without this.
   One that is disabled counts as well, because nothing is written anew when it comes back. */
#define MOST_JOINTS 32u

/* Whether joints between two bodies give up more because they are several: one of the two moves, and none is split. */
static bool may_share(const trn_world *world, uint32_t slot)
{
    bool moves = false, split = false;
    for (uint32_t end = 0; end < 2; end++) {
        uint32_t vertex = tr_plan_end(world->plan, slot, end);
        bool dynamic = trn_body_type_of(&world->bodies, world->body_pool.row[vertex]) == TR_DYNAMIC;
        moves = moves || dynamic;
        split = split || (dynamic && tr_plan_degree(world->plan, vertex) > MOST_JOINTS);
    }
    return moves && !split;
}

/* how many joints are asked whether they give up more; they are all alike, but for those that are soft */
#define ASKED 8u

/* Whether nothing is to be written, because the joints between two bodies neither share nor did: any number of them may
   come and go, each without a look at all. `leaving` as below. */
static bool need_not_share(const trn_world *world, uint32_t slot, uint32_t leaving)
{
    if (may_share(world, slot))
        return false;
    if (!world->has_shared)
        return true;
    beside it = begin(world, slot);
    uint32_t asked = 0;
    for (uint32_t s = next(&it); s != TR_NONE && asked < ASKED; s = next(&it), asked++) {
        /* a joint that has just been set is not written yet */
        if ((s != slot || slot == leaving) && is_rigid(world, s, TRN_FIELD_LINEAR_KIND))
            return trn_joint_cell(&world->joints[trn_joint_type_of(world, s)], TRN_FIELD_LINEAR_KIND,
                                  world->joint_pool.row[s]) == (uint32_t)TR_RIGID;
    }
    return false;
}

/* a joint that does nothing else than hold, in the ways that all others of the pair can hold, too */
static bool may_rest(const trn_world *world, uint32_t slot)
{
    trn_tie_kind tie = tie_of(world, slot);
    if (tie != TR_TIE_POINT && tie != TR_TIE_WELD)
        return false;
    trn_joint_def def;
    trn_joint_read(world, trn_joint_type_of(world, slot), world->joint_pool.row[slot], &def);
    return !trn_kernel_is_featured(trn_joint_kernel_of(&def));
}

/* lets joints rest beyond MOST_ROWS; what holds the angle comes first, because points may all be at one place */
static void write_idle(trn_world *world, uint32_t slot, uint32_t leaving, bool applies)
{
    uint32_t rows = 0;
    for (uint32_t round = 0; round < 2; round++) {
        beside it = begin(world, slot);
        for (uint32_t s = next(&it); s != TR_NONE; s = next(&it)) {
            if (s == leaving || trn_tie_holds_angle(tie_of(world, s)) != (round == 0))
                continue;
            bool counts = holds(world, s);
            rows += counts ? trn_tie_rows(tie_of(world, s)) : 0;
            set_idle(world, s, applies && counts && rows > MOST_ROWS && may_rest(world, s));
        }
    }
}

/* writes what all joints between the two bodies give up, except one that is to go */
static void write_but(trn_world *world, uint32_t slot, uint32_t leaving)
{
    uint32_t rows = 0;
    bool all_slide = true;
    beside it = begin(world, slot);
    for (uint32_t s = next(&it); s != TR_NONE; s = next(&it)) {
        if (s == leaving || !holds(world, s))
            continue;
        rows += trn_tie_rows(tie_of(world, s));
        all_slide = all_slide && tie_of(world, s) == TR_TIE_SLIDE;
    }
    /* slides side by side leave a freedom */
    uint32_t freedoms = all_slide ? 2 : 3, more = 0;
    bool applies = rows > freedoms && may_share(world, slot);
    if (applies) {
        /* as if of three freedoms, so that the kernels need not know how many there are */
        uint32_t most = all_slide ? MOST_SLIDES : MOST_ROWS - freedoms;
        more = (rows - freedoms) * 3 / freedoms;
        more = more < most ? more : most;
    }
    world->has_shared = world->has_shared || applies;
    write_idle(world, slot, leaving, applies);
    it = begin(world, slot);
    for (uint32_t s = next(&it); s != TR_NONE; s = next(&it)) {
        if (s == leaving)
            continue;
        write_kind(world, s, TRN_FIELD_LINEAR_KIND, more);
        write_kind(world, s, TRN_FIELD_ANGULAR_KIND, more);
    }
}

void trn_joint_share_write(trn_world *world, uint32_t slot, bool others_new)
{
    if (others_new || !need_not_share(world, slot, TR_NONE))
        write_but(world, slot, TR_NONE);
}

void trn_joint_share_renew(trn_world *world, uint32_t body_slot)
{
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        if (trn_joint_is_newest_beside(world, tr_half_edge(half)))
            trn_joint_share_write(world, tr_half_edge(half), false);
    }
}

/* gives a joint its own kernel; false if out of memory */
static bool settle_joint(trn_world *world, uint32_t slot)
{
    trn_joint_def def;
    trn_joint_read(world, trn_joint_type_of(world, slot), world->joint_pool.row[slot], &def);
    return tr_plan_set_kind(world->plan, slot, trn_joint_kernel_of(&def)) == TR_OK;
}

/* A joint that is the only one of a walk, but for one that is to go, is as if it had always been; without memory for
   that it becomes so before the next step. */
static void settle(trn_world *world, beside it, uint32_t leaving)
{
    uint32_t left = TR_NONE, count = 0;
    for (uint32_t s = next(&it); s != TR_NONE && count < 2; s = next(&it)) {
        left = s != leaving ? s : left;
        count += s != leaving;
    }
    if (count == 1 && !settle_joint(world, left))
        world->unsettled = true;
}

bool trn_joint_shares_settle(trn_world *world)
{
    bool done = true;
    for (uint32_t type = 0; world->unsettled && type < TRN_JOINT_TYPE_COUNT; type++) {
        const trn_joints *joints = &world->joints[type];
        for (uint32_t row = 0; row < joints->table.count && done; row++) {
            if (tie_of(world, joints->slot[row]) != TR_TIE_NONE && !trn_joint_is_beside(world, joints->slot[row]))
                done = settle_joint(world, joints->slot[row]);
        }
    }
    world->unsettled = world->unsettled && !done;
    return done;
}

void trn_joint_share_leave(trn_world *world, uint32_t slot)
{
    if (!trn_joint_is_beside(world, slot))
        return;
    if (!need_not_share(world, slot, slot))
        write_but(world, slot, slot);
    settle(world, begin(world, slot), slot);
}

void trn_joint_share_settle(trn_world *world, uint32_t body_a, uint32_t body_b)
{
    settle(world, begin_between(world, body_a, body_b), TR_NONE);
}
