/* Bodies and joints of a world as the direct method has them, island after island. */
#include <string.h>

#include "base/sets.h"
#include "solver/exact/exact.h"

/* rows of the islands that one worker takes at once, about; by rows of joints and of bodies */
#define CHUNK_ROWS 256u

#define GROW(member, capacity, count)                                                                                  \
    tr_grow(it->memory, (void **)&it->member, &it->capacity, count, sizeof *it->member)

static bool is_moving(const trn_bodies *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC && (bodies->flags[row] & TR_BODY_QUARANTINED) == 0;
}

/* states of all bodies; each that moves is an island */
static bool read_states(trn_exact *it, const trn_bodies *bodies)
{
    const uint32_t count = bodies->table.count;
    it->body_rows = count;
    it->body_count = 0;
    if (!GROW(state, state_capacity, count) || !GROW(begun, begun_capacity, count) ||
        !GROW(moving, moving_capacity, count) || !GROW(parent, parent_capacity, count))
        return false;
    for (uint32_t row = 0; row < count; row++) {
        const bool moves = is_moving(bodies, row);
        it->state[row] = trn_exact_state_read(bodies, row);
        it->moving[row] = moves ? 0 : TR_NONE;
        it->parent[row] = row;
        it->body_count += moves ? 1u : 0u;
    }
    if (count > 0)
        memcpy(it->begun, it->state, count * sizeof *it->state);
    return GROW(bodies, body_capacity, it->body_count) && GROW(islands, island_capacity, it->body_count);
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

/* The first end that moves, whose island is the joint's. */
static uint32_t first_moving(const trn_exact *it, const uint32_t end[TR_ENDS])
{
    for (uint32_t i = 0; i < TR_ENDS; i++)
        if (end[i] != TR_NONE && it->moving[end[i]] != TR_NONE)
            return end[i];
    return TR_NONE;
}

/* Lists the joints that act, as pairs of type and row, and unites their bodies. */
static bool list_joints(trn_exact *it, const trn_system *system)
{
    uint32_t count = 0, end[TR_ENDS];
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const trn_joints *joints = &system->joints[type];
        for (uint32_t row = 0; row < joints->table.count; row++) {
            if (joints->flags != NULL && (joints->flags[row] & (TR_JOINT_DISABLED | TR_JOINT_RESTING)) != 0)
                continue;
            if (!ends_of(it, system, (trn_joint_type)type, row, end))
                continue;
            if (!GROW(order, order_capacity, 2 * (count + 1)))
                return false;
            it->order[2 * count] = type;
            it->order[2 * count++ + 1] = row;
            uint32_t first = first_moving(it, end);
            for (uint32_t i = 0; i < TR_ENDS; i++)
                if (end[i] != TR_NONE && it->moving[end[i]] != TR_NONE)
                    tr_set_unite(it->parent, first, end[i]);
        }
    }
    it->joint_count = count;
    return GROW(joints, joint_capacity, count);
}

/* Numbers islands in the order of their first bodies, and bodies by islands; `parent` becomes the island of each row. */
static void sort_bodies(trn_exact *it, const trn_bodies *bodies)
{
    it->island_count = 0;
    for (uint32_t row = 0; row < it->body_rows; row++) {
        if (it->moving[row] == TR_NONE)
            continue;
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
        it->islands[i].first_body = first;
        first += it->islands[i].body_count;
        it->islands[i].body_count = 0;
    }
    for (uint32_t row = 0; row < it->body_rows; row++) {
        if (it->moving[row] == TR_NONE)
            continue;
        const uint32_t number = it->moving[row];
        trn_exact_island *island = &it->islands[number];
        trn_exact_body *body = &it->bodies[island->first_body + island->body_count];
        memset(body, 0, sizeof *body);
        body->row = row;
        body->mass = (double)bodies->mass[row];
        it->parent[row] = number;
        it->moving[row] = island->first_body + island->body_count++;
        trn_exact_inertia(bodies, &it->state[row], body);
    }
}

static void read_joint(trn_exact *it, const trn_system *system, trn_exact_joint *joint, trn_joint_type type,
                       uint32_t row, const uint32_t end[TR_ENDS])
{
    const trn_joints *joints = &system->joints[type];
    memset(joint, 0, sizeof *joint);
    joint->type = type;
    joint->row = row;
    joint->slot = joints->slot[row];
    joint->turn = joints->turn != NULL ? joints->turn[row] : 0.0;
    joint->place = -1;
    memset(joint->last, 0, sizeof joint->last);
    for (uint32_t i = 0; i < TR_ENDS; i++) {
        joint->end[i] = end[i];
        joint->at[i] = TR_ENDS;
        if (end[i] == TR_NONE || it->moving[end[i]] == TR_NONE)
            continue;
        uint32_t b = 0;
        while (b < joint->body_count && joint->body[b] != it->moving[end[i]])
            b++;
        joint->body[b] = it->moving[end[i]];
        joint->at[i] = (uint8_t)b;
        joint->body_count += b == joint->body_count ? 1u : 0u;
    }
#if TRN_HAS_CONTACTS
    if (type == TR_CONTACT) {
        trn_exact_contact_read(it, joints, joint);
        return;
    }
#endif
    const trn_joint_type_info *info = trn_joint_types[type];
    uint32_t places = 0;
    joint->def = it->preset[type];
    trn_joint_row_get(joints, trn_joint_fields_held(joints, type), row, &joint->def);
    if (trn_is_rigid_cell((uint32_t)joint->def.linear.kind))
        joint->def.linear.kind = TR_RIGID;
    if (trn_is_rigid_cell((uint32_t)joint->def.angular.kind))
        joint->def.angular.kind = TR_RIGID;
    for (uint32_t i = 0; i < info->impulse_count; i++)
        if (info->impulse_roles[i] == TR_ROLE_PLACE && info->wind != NULL) {
            joint->last[places++] = (double)trn_joint_impulse(joints, i, row);
        } else if (info->impulse_roles[i] == TR_ROLE_PLACE) {
            joint->place = (int8_t)i;
            joint->angle = (double)trn_joint_impulse(joints, i, row);
        }
}

/* Sorts joints by islands, in the order of types and rows. */
static void sort_joints(trn_exact *it, const trn_system *system)
{
    uint32_t end[TR_ENDS], first = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < it->joint_count; k++) {
            const trn_joint_type type = (trn_joint_type)it->order[2 * k];
            const uint32_t row = it->order[2 * k + 1];
            (void)ends_of(it, system, type, row, end);
            trn_exact_island *island = &it->islands[it->parent[first_moving(it, end)]];
            if (pass == 1)
                read_joint(it, system, &it->joints[island->first_joint + island->joint_count], type, row, end);
            island->joint_count++;
        }
        for (uint32_t i = 0; i < it->island_count && pass == 0; i++) {
            it->islands[i].first_joint = first;
            first += it->islands[i].joint_count;
            it->islands[i].joint_count = 0;
        }
    }
}

/* rows of a joint, with the forces of the last step */
static void begin_rows(trn_exact *it, const trn_system *system, trn_exact_joint *joint, const trn_equations *equations,
                       double inv_h)
{
    const trn_joints *joints = &system->joints[joint->type];
    uint8_t at = 0, block = 0;
    for (uint32_t r = 0; r < equations->count; r++) {
        const trn_equation *from = &equations->row[r];
        trn_exact_row *row = &it->rows[joint->first_row + r];
        memset(row, 0, sizeof *row);
        block = from->block > 0 ? (uint8_t)from->block : block;
        at = from->block > 0 ? 0 : (uint8_t)(at + 1);
        row->at = at;
        row->block = block;
        row->linear = from->linear;
        row->column = (int8_t)from->column;
        if (from->column >= 0)
            row->force = (double)trn_joint_impulse(joints, (uint32_t)from->column, joint->row) * inv_h;
        row->state = from->kind == TR_EQUATION_STOP && !(row->force > 0.0) ? TR_EXACT_LOW : TR_EXACT_HELD;
    }
}

static tr_status read_rows(trn_exact *it, const trn_system *system, double inv_h)
{
    it->row_count = it->block_count = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        island->first_row = it->row_count;
        for (uint32_t j = 0; j < island->joint_count; j++) {
            trn_exact_joint *joint = &it->joints[island->first_joint + j];
            trn_joint_pose pose;
            trn_equations equations;
            trn_exact_equations(it, system, joint, 0.0, &pose, &equations);
            const uint32_t blocks = equations.count * joint->body_count;
            if (it->row_count > UINT32_MAX - equations.count || it->block_count > UINT32_MAX - blocks)
                return TR_ERROR_LIMIT;
            if (!GROW(rows, row_capacity, it->row_count + equations.count) ||
                !GROW(jacobian, block_capacity, it->block_count + blocks))
                return TR_ERROR_MEMORY;
            joint->first_row = it->row_count;
            joint->row_count = equations.count;
            joint->block = it->block_count;
            it->row_count += equations.count;
            it->block_count += blocks;
            begin_rows(it, system, joint, &equations, inv_h);
        }
        island->row_count = it->row_count - island->first_row;
    }
    return TR_OK;
}

/* Joints without rows are in no system: a spring without stiffness, or a motor that is off. They have no node. */
static void drop_empty(trn_exact *it)
{
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        uint32_t kept = island->first_joint;
        for (uint32_t j = 0; j < island->joint_count; j++)
            if (it->joints[island->first_joint + j].row_count > 0)
                it->joints[kept++] = it->joints[island->first_joint + j];
        island->joint_count = kept - island->first_joint;
    }
}

static bool cut_chunks(trn_exact *it)
{
    uint32_t rows = CHUNK_ROWS;
    it->chunk_count = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        if (rows >= CHUNK_ROWS) {
            if (!GROW(chunks, chunk_capacity, it->chunk_count + 1))
                return false;
            it->chunks[it->chunk_count++] = (trn_exact_chunk){i, 0};
            rows = 0;
        }
        it->chunks[it->chunk_count - 1].count++;
        rows += it->islands[i].row_count + it->islands[i].body_count;
    }
    return true;
}

static bool make_workers(trn_exact *it, uint32_t count)
{
    if (!tr_grow(it->memory, (void **)&it->workers, &it->worker_count, count, sizeof *it->workers))
        return false;
    for (uint32_t w = 0; w < count; w++) {
        trn_exact_worker *worker = &it->workers[w];
        if (worker->factor == NULL)
            worker->factor = tr_factor_create(it->memory);
        if (worker->factor == NULL)
            return false;
        for (uint32_t s = 0; s < it->shape_count; s++) {
            const trn_exact_shape *shape = &it->shapes[s];
            if (shape->used != it->steps)
                continue;
            uint32_t room = worker->room;
            if (!tr_factor_reserve(worker->factor, shape->sparse) ||
                !tr_grow(it->memory, (void **)&worker->x, &room, 2 * shape->numbers, sizeof *worker->x))
                return false;
            worker->room = room;
        }
    }
    return true;
}

/* definitions of which all fields are the defaults */
static void read_presets(trn_exact *it, const trn_system *system)
{
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        memset(&it->preset[type], 0, sizeof it->preset[type]);
        it->preset[type].type = (trn_joint_type)type;
        for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
            trn_field_write(&it->preset[type], (trn_field)field, system->joints[type].preset[field]);
    }
}

tr_status trn_exact_read(trn_exact *it, const trn_system *system, double inv_h, uint32_t workers)
{
    it->steps++;
    if (!read_states(it, system->bodies) || !list_joints(it, system))
        return TR_ERROR_MEMORY;
    read_presets(it, system);
    sort_bodies(it, system->bodies);
    sort_joints(it, system);
    tr_status status = read_rows(it, system, inv_h);
    if (status != TR_OK)
        return status;
    drop_empty(it);
    for (uint32_t i = 0; i < it->island_count && status == TR_OK; i++)
        if (it->islands[i].joint_count > 0)
            status = trn_exact_shape_of(it, &it->islands[i]);
    if (status != TR_OK)
        return status;
    return cut_chunks(it) && make_workers(it, workers) ? TR_OK : TR_ERROR_MEMORY;
}
