/* Which bodies and joints the direct method solves in a step, and which islands they are. */
#include <string.h>

#include "base/sets.h"
#include "solver/exact/lanes/exact_lanes.h"

#define GROW(member, capacity, count)                                                                                  \
    tr_grow(it->memory, (void **)&it->member, &it->capacity, count, sizeof *it->member)

/* of a body that does not simply move and turn */
#define UNUSUAL (TR_BODY_QUARANTINED | TR_BODY_FIXED_ROTATION | TR_BODY_ASLEEP | TR_BODY_BORDERED | TR_BODY_LATE)

static bool is_moving(const trn_exact *it, const trn_bodies *bodies, uint32_t row)
{
    const uint32_t flags = bodies->flags[row];
    return bodies->type[row] == TR_DYNAMIC && (flags & TR_BODY_QUARANTINED) == 0 &&
           (!it->mixed || (flags & TR_BODY_DIRECT) != 0);
}

void trn_exact_part_bodies(trn_exact *it)
{
    for (uint32_t i = 0; i < it->mover_count; i++) {
        const uint32_t row = it->movers[i];
        it->moving[row] = 0;
        it->parent[row] = row;
    }
    it->kept = false;
}

static void forget_movers(trn_exact *it)
{
    for (uint32_t i = 0; i < it->mover_count; i++)
        it->moving[it->movers[i]] = TR_NONE;
    it->mover_count = 0;
}

/* `known`: its state of some step before is there */
static void read_state(trn_exact *it, const trn_bodies *bodies, uint32_t row, bool known)
{
    trn_exact_state_read(bodies, row, known, &it->state[row]);
    it->begun[row] = it->state[row];
}

static bool reserve_bodies(trn_exact *it, uint32_t count, uint32_t movers)
{
    const uint32_t before = it->moving_capacity;
    if (!GROW(state, state_capacity, count) || !GROW(begun, begun_capacity, count) ||
        !GROW(moving, moving_capacity, count))
        return false;
    /* at once: if there is no memory for the rest, the next step finds this capacity */
    for (uint32_t row = before; row < it->moving_capacity; row++)
        it->moving[row] = TR_NONE;
    return GROW(parent, parent_capacity, count) && GROW(kind, kind_capacity, count) &&
           GROW(movers, mover_capacity, movers);
}

/* whether a row is of another kind than it was */
static bool is_other_kind(trn_exact *it, uint32_t row, uint8_t kind)
{
    const bool other = it->kind[row] != kind;
    it->kind[row] = kind;
    return other;
}

static uint8_t driven_kind(const trn_bodies *bodies, uint32_t row)
{
    return bodies->type[row] == TR_KINEMATIC ? TR_EXACT_DRIVEN : 0;
}

static uint8_t kind_of(const trn_exact *it, const trn_bodies *bodies, uint32_t row)
{
    const bool moves = is_moving(it, bodies, row), reads = moves || !it->mixed;
    return (uint8_t)((moves ? TR_EXACT_MOVES : 0) | (reads && trn_body_turns(bodies, row) ? TR_EXACT_TURNS : 0) |
                     driven_kind(bodies, row) | ((bodies->flags[row] & TR_BODY_BORDERED) != 0 ? TR_EXACT_BORDERED : 0) |
                     ((bodies->flags[row] & TR_BODY_LATE) != 0 ? TR_EXACT_LATE : 0));
}

/* 0 if a row simply moves and turns, and did so: most do, so that loops over this are short. In a mixed world for chosen
   bodies alone, which are marked as such. */
static uint32_t is_odd(const trn_exact *it, const trn_bodies *bodies, const float *moments, uint32_t row)
{
    return (bodies->type[row] ^ (uint32_t)TR_DYNAMIC) | (bodies->flags[row] & UNUSUAL) |
           (moments[row] > 0.0f ? 0u : 1u) | (it->kind[row] ^ (uint32_t)(TR_EXACT_MOVES | TR_EXACT_TURNS));
}

static bool are_plain(const trn_exact *it, const trn_bodies *bodies, uint32_t first, uint32_t end)
{
    const float *moments = trn_body_moments(bodies);
    uint32_t odd = 0;
    for (uint32_t row = first; row < end; row++)
        odd |= is_odd(it, bodies, moments, row);
    return odd == 0;
}

/* whether the same bodies and joints are chosen as in the step before, without contacts */
static bool knows_chosen(const trn_exact *it)
{
    return it->mixed && it->plan_known && it->chosen->listed && it->list_number == it->chosen->list_number;
}

/* whether all chosen bodies simply move and turn, and are those of the step before */
static bool has_same_chosen(const trn_exact *it, const trn_bodies *bodies)
{
    const trn_chosen *chosen = it->chosen;
    bool same = it->kept && knows_chosen(it) && it->body_rows == bodies->table.count;
    for (uint32_t i = 0, run; same && i < chosen->count; i += run) {
        run = trn_chosen_rows_run(chosen->rows + i, chosen->count - i);
        same = are_plain(it, bodies, chosen->rows[i], chosen->rows[i] + run);
    }
    return same;
}

/* rows that are looked at together */
#define BLOCK 64u

/* Whether all bodies are of the kinds that they were in the step before; reads the states of those that do not move then. In
   worlds of the direct method alone. */
static bool has_same_bodies(trn_exact *it, const trn_bodies *bodies)
{
    const uint32_t count = bodies->table.count;
    if (!it->kept || it->mixed || it->body_rows != count || it->state_count != count)
        return false;
    for (uint32_t first = 0; first < count; first += BLOCK) {
        const uint32_t end = count - first < BLOCK ? count : first + BLOCK;
        if (are_plain(it, bodies, first, end))
            continue;
        for (uint32_t row = first; row < end; row++) {
            if (it->kind[row] != kind_of(it, bodies, row))
                return false;
            if ((it->kind[row] & TR_EXACT_MOVES) == 0)
                read_state(it, bodies, row, true);
        }
    }
    return true;
}

/* Which rows move, and the states of those that do not; in a world of sweeps list_joints() reads these. What moves is read
   later, or by the lanes that solve it. */
static bool read_states(trn_exact *it, const trn_bodies *bodies)
{
    const uint32_t count = bodies->table.count, looks = it->mixed ? it->chosen->count : count;
    const uint32_t known = it->state_count;
    if (has_same_bodies(it, bodies) || has_same_chosen(it, bodies))
        return true;
    bool same = it->kept && it->body_rows == count, same_movers = true;
    it->kept = false;
    it->state_count = 0;
    it->body_rows = count;
    if (!reserve_bodies(it, count, looks))
        return false;
    uint32_t movers = 0;
    for (uint32_t i = 0; i < looks; i++) {
        const uint32_t row = it->mixed ? it->chosen->rows[i] : i;
        const bool moves = is_moving(it, bodies, row), reads = moves || !it->mixed;
        const bool other = is_other_kind(it, row, kind_of(it, bodies, row));
        same = same && !other;
        if (reads && !moves)
            read_state(it, bodies, row, row < known && !other);
        if (!moves)
            continue;
        if (same_movers && !(movers < it->mover_count && it->movers[movers] == row)) {
            forget_movers(it);
            same_movers = false;
        }
        it->movers[movers++] = row;
    }
    if (same_movers && movers != it->mover_count) {
        forget_movers(it);
        same_movers = false;
    }
    it->mover_count = it->body_count = movers;
    it->state_count = it->mixed ? 0 : count; /* of a mixed world not all are there */
    if (!GROW(bodies, body_capacity, it->body_count) || !GROW(body_row, body_row_capacity, it->body_count) ||
        !GROW(islands, island_capacity, it->body_count))
        return false;
    it->kept = same && same_movers;
    if (!it->kept)
        trn_exact_part_bodies(it);
    return true;
}

/* table rows of a joint's ends; whether some of them moves */
static bool ends_of(const trn_exact *it, const trn_system *system, trn_joint_type type, uint32_t row,
                    uint32_t end[TR_ENDS])
{
    const trn_joints *joints = &system->joints[type];
    const uint32_t slot = joints->slot[row];
    end[0] = system->body_pool->row[tr_plan_end(system->plan, slot, 0)];
    end[1] = system->body_pool->row[tr_plan_end(system->plan, slot, 1)];
    const trn_body carriers[2] = {trn_joint_carrier(joints->carrier_a, row), trn_joint_carrier(joints->carrier_b, row)};
    for (uint32_t i = 0; i < 2; i++)
        end[2 + i] = carriers[i].index != 0 ? system->body_pool->row[carriers[i].index - 1] : TR_NONE;
    bool moves = false;
    for (uint32_t i = 0; i < TR_ENDS; i++)
        moves = moves || (end[i] != TR_NONE && it->moving[end[i]] != TR_NONE);
    return moves;
}

uint32_t trn_exact_first_moving(const trn_exact *it, const uint32_t end[TR_ENDS])
{
    for (uint32_t i = 0; i < TR_ENDS; i++)
        if (end[i] != TR_NONE && it->moving[end[i]] != TR_NONE)
            return end[i];
    return TR_NONE;
}

/* Whether nothing but the plan says which joints of a type act, and between what. */
static bool is_bare(const trn_joints *joints)
{
    return joints->flags == NULL && joints->carrier_a == NULL && joints->carrier_b == NULL;
}

void trn_exact_forget_plan(trn_exact *it)
{
    it->plan_known = false;
}

/* what has been listed so far */
typedef struct joint_count {
    uint32_t all, contacts;
    bool same; /* as in the step before */
} joint_count;

/* Lists a contact with what does not move. */
static bool list_touch(trn_exact *it, const trn_system *system, uint32_t row, const uint32_t end[2], uint32_t own)
{
    if (!GROW(touch_order, touch_order_capacity, it->touch_count + 1))
        return false;
    if (it->mixed)
        read_state(it, system->bodies, end[1 - own], false);
    it->touch_order[it->touch_count++] =
        (trn_exact_touch){row, system->joints[TR_CONTACT].slot[row], {end[0], end[1]}, own, 0, 0};
    return true;
}

/* lists the ends of a joint that do not move, in a mixed world */
static bool list_rests(trn_exact *it, const uint32_t end[TR_ENDS])
{
    if (!GROW(rests, rest_capacity, it->rest_count + TR_ENDS))
        return false;
    for (uint32_t i = 0; i < TR_ENDS; i++)
        if (end[i] != TR_NONE && it->moving[end[i]] == TR_NONE &&
            !(it->rest_count > 0 && it->rests[it->rest_count - 1] == end[i]))
            it->rests[it->rest_count++] = end[i];
    return true;
}

/* reads these; whether they are as they were */
static bool read_rests(trn_exact *it, const trn_bodies *bodies)
{
    bool same = true;
    for (uint32_t i = 0; i < it->rest_count; i++) {
        read_state(it, bodies, it->rests[i], false);
        same = !is_other_kind(it, it->rests[i], driven_kind(bodies, it->rests[i])) && same;
    }
    return same;
}

/* Lists a joint with its ends if it acts. */
static bool list_joint(trn_exact *it, const trn_system *system, trn_joint_type type, uint32_t row, joint_count *count)
{
    const trn_joints *joints = &system->joints[type];
    uint32_t end[TR_ENDS];
    if ((joints->flags != NULL && (joints->flags[row] & (TR_JOINT_DISABLED | TR_JOINT_RESTING)) != 0) ||
        !ends_of(it, system, type, row, end))
        return true;
    if (type == TR_CONTACT && (it->moving[end[0]] == TR_NONE || it->moving[end[1]] == TR_NONE))
        return list_touch(it, system, row, end, it->moving[end[0]] == TR_NONE ? 1 : 0);
    if (!GROW(order, order_capacity, count->all + 1))
        return false;
    if (it->mixed && !list_rests(it, end))
        return false;
    trn_exact_listed *at = &it->order[count->all];
    bool same = count->same && count->all < it->joint_count && at->type == type && at->row == row &&
                at->slot == joints->slot[row];
    for (uint32_t i = 0; i < TR_ENDS; i++)
        same = same && at->end[i] == end[i];
    if (!same) {
        *at = (trn_exact_listed){.type = type, .row = row, .slot = joints->slot[row]};
        memcpy(at->end, end, sizeof end);
    }
    count->same = same;
    count->all++;
    count->contacts += type == TR_CONTACT ? 1u : 0u;
    return true;
}

/* Whether the listed joints are those of the step before, if the same are chosen and all of them were listed; reads the ends
   that do not move. */
static bool has_same_joints(trn_exact *it, const trn_system *system)
{
    const trn_chosen *chosen = it->chosen;
    uint32_t off = 0;
    bool same = it->kept && knows_chosen(it) && it->joint_count == chosen->joint_count;
    for (uint32_t type = 0; type < TR_TABLE_COUNT && same; type++)
        same = system->joints[type].carrier_a == NULL && system->joints[type].carrier_b == NULL;
    for (uint32_t i = 0, run; i < chosen->joint_count && same; i += run) {
        const uint32_t *flags = &system->joints[chosen->joints[i] >> 32].flags[(uint32_t)chosen->joints[i]];
        run = trn_chosen_run(chosen->joints + i, chosen->joint_count - i);
        for (uint32_t k = 0; k < run; k++)
            off |= flags[k];
    }
    if (!same || (off & (TR_JOINT_DISABLED | TR_JOINT_RESTING)) != 0)
        return false;
    same = read_rests(it, system->bodies);
    if (!same)
        trn_exact_part_bodies(it);
    return same;
}

/* Lists the joints of a type. While the plan stays, those of bare types are as they were: `known`. */
static bool list_type(trn_exact *it, const trn_system *system, trn_joint_type type, bool known, joint_count *count)
{
    const trn_joints *joints = &system->joints[type];
    const joint_count before = *count;
    const bool was_bare = (it->bare_types >> type & 1) != 0;
    it->bare_types = (it->bare_types & ~((uint64_t)1 << type)) | (uint64_t)is_bare(joints) << type;
    if (known && count->same && was_bare && is_bare(joints)) {
        count->all += it->listed[type];
        count->contacts += type == TR_CONTACT ? it->listed[type] : 0u;
        return true;
    }
    for (uint32_t row = 0; row < joints->table.count; row++)
        if (!list_joint(it, system, type, row, count))
            return false;
    it->listed[type] = count->all - before.all;
    return true;
}

static bool list_joints(trn_exact *it, const trn_system *system)
{
    const uint64_t version = tr_plan_version(system->plan);
    if (it->mixed && has_same_joints(it, system))
        return true;
    joint_count count = {.same = it->kept};
    const bool known = it->plan_known && it->plan_version == version;
    it->plan_known = false;
    it->touch_count = it->rest_count = 0;
    for (uint32_t type = 0; type < TR_TABLE_COUNT && !it->mixed; type++)
        if (!list_type(it, system, (trn_joint_type)type, known, &count))
            return false;
    for (uint32_t i = 0; it->mixed && i < it->chosen->joint_count; i++)
        if (!list_joint(it, system, (trn_joint_type)(it->chosen->joints[i] >> 32), (uint32_t)it->chosen->joints[i],
                        &count))
            return false;
    count.same = read_rests(it, system->bodies) && count.same;
    it->plan_version = version;
    it->list_number = it->mixed ? it->chosen->list_number : 0;
    it->plan_known = true;
    if (it->kept && !(count.same && count.all == it->joint_count))
        trn_exact_part_bodies(it);
    it->joint_count = count.all;
    it->contact_count = count.contacts;
    return GROW(joints, joint_capacity, it->joint_count + it->touch_count) &&
           GROW(pins, pin_capacity, it->joint_count + it->touch_count) &&
           GROW(turns, turn_capacity, it->joint_count + it->touch_count);
}

static void unite_bodies(trn_exact *it)
{
    for (uint32_t k = 0; k < it->joint_count; k++) {
        const uint32_t *end = it->order[k].end, first = trn_exact_first_moving(it, end);
        for (uint32_t i = 0; i < TR_ENDS; i++)
            if (end[i] != TR_NONE && it->moving[end[i]] != TR_NONE)
                tr_set_unite(it->parent, first, end[i]);
    }
}

/* Numbers islands in the order of their first bodies, and bodies by islands; `parent` becomes the island of each row. */
static void sort_bodies(trn_exact *it)
{
    it->island_count = 0;
    for (uint32_t i = 0; i < it->mover_count; i++) {
        const uint32_t row = it->movers[i];
        const uint32_t root = tr_set_root(it->parent, row);
        if (root == row)
            memset(&it->islands[it->island_count], 0, sizeof *it->islands);
        /* the root comes before all others of its island */
        it->moving[row] = root == row ? it->island_count++ : it->moving[root];
        it->islands[it->moving[row]].body_count++;
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        it->islands[i].shape = TR_NONE;
        it->islands[i].plain = true;
        it->islands[i].first_body = first;
        first += it->islands[i].body_count;
        it->islands[i].body_count = 0;
    }
    for (uint32_t i = 0; i < it->mover_count; i++) {
        const uint32_t row = it->movers[i];
        const uint32_t number = it->moving[row];
        trn_exact_island *island = &it->islands[number];
        trn_exact_body *body = &it->bodies[island->first_body + island->body_count];
        body->row = it->body_row[island->first_body + island->body_count] = row;
        body->bad = false;
        body->turns = (it->kind[row] & TR_EXACT_TURNS) != 0;
        /* lanes know no borders */
        island->plain = island->plain && body->turns && (it->kind[row] & (TR_EXACT_BORDERED | TR_EXACT_LATE)) == 0;
        it->parent[row] = number;
        it->moving[row] = island->first_body + island->body_count++;
    }
}

bool trn_exact_list(trn_exact *it, const trn_system *system)
{
    if (read_states(it, system->bodies) && list_joints(it, system))
        return true;
    it->kept = false;
    return false;
}

void trn_exact_part_islands(trn_exact *it)
{
    unite_bodies(it);
    sort_bodies(it);
}

static trn_exact_island *island_of(const trn_exact *it, const trn_exact_touch *touch)
{
    return &it->islands[it->parent[touch->end[touch->own]]];
}

bool trn_exact_touches_are_plain(const trn_exact *it)
{
    bool all = true;
    for (uint32_t i = 0; i < it->touch_count; i++)
        all = all && island_of(it, &it->touch_order[i])->plain;
    return all;
}

bool trn_exact_sort_touches(trn_exact *it)
{
    uint32_t first = 0;
    if (!GROW(touches, touch_capacity, it->touch_count) || !GROW(touched, touched_capacity, it->body_count))
        return false;
    if (it->body_count > 0)
        memset(it->touched, 0, it->body_count * sizeof *it->touched);
    for (uint32_t i = 0; i < it->island_count; i++)
        it->islands[i].touch_count = 0;
    for (uint32_t i = 0; i < it->touch_count; i++)
        island_of(it, &it->touch_order[i])->touch_count++;
    for (uint32_t i = 0; i < it->island_count; i++) {
        it->islands[i].first_touch = first;
        first += it->islands[i].touch_count;
        it->islands[i].touch_count = 0;
    }
    for (uint32_t i = 0; i < it->touch_count; i++) {
        trn_exact_island *island = island_of(it, &it->touch_order[i]);
        trn_exact_touch *touch = &it->touches[island->first_touch + island->touch_count++];
        *touch = it->touch_order[i];
        const uint32_t body = it->moving[touch->end[touch->own]];
        touch->body = body - island->first_body;
        touch->nth = it->touched[body]++;
    }
    return true;
}

void trn_exact_count_touches(trn_exact *it)
{
    for (uint32_t s = 0; s < it->shape_count; s++) {
        trn_exact_shape *shape = &it->shapes[s];
        if (shape->touch_count > 0)
            memset(shape->touches, 0, shape->body_count * sizeof *shape->touches);
        shape->touched = shape->touch_count = 0;
    }
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        for (uint32_t t = 0; t < island->touch_count && island->plain; t++) {
            const trn_exact_touch *touch = &it->touches[island->first_touch + t];
            trn_exact_shape *shape = &it->shapes[island->lane_shape];
            if (touch->nth < shape->touches[touch->body])
                continue;
            shape->touched += touch->nth == 0 ? 1u : 0u;
            shape->touch_count++;
            shape->touches[touch->body]++;
        }
    }
}
