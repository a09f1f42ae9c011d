/* Bodies and joints of a world as the direct method has them, island after island. */
#include <string.h>

#include "solver/exact/lanes/exact_lanes.h"

#define GROW(member, capacity, count)                                                                                  \
    tr_grow(it->memory, (void **)&it->member, &it->capacity, count, sizeof *it->member)

/* of a body that moves, as the table has it until the step is written */
static void read_mover(trn_exact *it, const trn_system *system, uint32_t row)
{
    trn_exact_state_read(system->bodies, row, false, &it->state[row]);
    it->begun[row] = it->state[row];
}

static void begin_body(const trn_exact *it, const trn_bodies *bodies, trn_exact_body *body)
{
    const uint32_t row = body->row;
    memset(body, 0, sizeof *body);
    body->row = row;
    body->mass = (double)bodies->mass[row];
    trn_exact_inertia(bodies, &it->state[row], body);
}

/* what a joint is between */
static void read_ends(const trn_exact *it, trn_exact_joint *joint, const trn_exact_listed *from)
{
    const uint32_t *end = from->end;
    joint->type = from->type;
    joint->row = from->row;
    joint->slot = from->slot;
    joint->form = 0;
    joint->body_count = 0;
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
}

static bool has_places(uint32_t type)
{
    bool has = false;
    for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count; i++)
        has = has || trn_joint_types[type]->impulse_roles[i] == TR_ROLE_PLACE;
    return has;
}

/* what it goes on from */
void trn_exact_read_places(const trn_system *system, trn_exact_joint *joint)
{
    const trn_joint_type_info *info = trn_joint_types[joint->type];
    uint32_t places = 0;
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        if (info->impulse_roles[i] != TR_ROLE_PLACE)
            continue;
        const double place = (double)trn_joint_impulse(&system->joints[joint->type], i, joint->row);
        if (info->wind != NULL) {
            joint->last[places++] = place;
        } else {
            joint->place = (int8_t)i;
            joint->angle = place;
        }
    }
}

/* all else of it */
static void read_joint(trn_exact *it, const trn_system *system, trn_exact_joint *joint)
{
    const trn_joint_type type = joint->type;
    const uint32_t row = joint->row;
    const trn_joints *joints = &system->joints[type];
    joint->turn = joints->turn != NULL ? joints->turn[row] : 0.0;
    joint->place = -1;
    joint->angle = 0.0;
    joint->row_count = 0;
    memset(joint->last, 0, sizeof joint->last);
    if (type == TR_CONTACT) {
        trn_exact_contact_read(it, joints, joint);
        return;
    }
    joint->def = it->preset[type];
    trn_joint_row_get(joints, it->fields_held[type], row, &joint->def);
    if (trn_is_rigid_cell((uint32_t)joint->def.linear.kind))
        joint->def.linear.kind = TR_RIGID;
    if (trn_is_rigid_cell((uint32_t)joint->def.angular.kind))
        joint->def.angular.kind = TR_RIGID;
    trn_exact_read_places(system, joint);
}

/* What acts along the coordinates that lanes compute: no more than the definition and the turns say, so that it is the same
   in each step. */
static void read_turn(const trn_exact_joint *joint, trn_exact_turn *out)
{
    trn_joint_pose pose;
    trn_equations equations = {.count = 0};
    trn_exact_group groups[TR_EXACT_ROWS_MOST];
    trn_exact_rest(&joint->def, joint->turn, &pose);
    trn_joint_types[joint->type]->equations(&joint->def, &pose, &equations);
    const uint32_t width = trn_exact_width(trn_exact_form(joint->type, &equations, groups));
    for (uint32_t r = 0, laws = 0; r < width; r++) {
        out->column[r] = (int8_t)equations.row[groups[r].first].column;
        if (groups[r].kind == TR_EXACT_LAW && laws < TR_EXACT_TURN_LAWS)
            out->law[laws++] = trn_exact_law_of(&equations, &groups[r]);
    }
}

/* How a joint is solved in lanes; 0: not at all. It is between two bodies, and what does not move stays. */
static uint32_t form_of(trn_exact *it, const trn_system *system, trn_exact_joint *joint)
{
    const bool both = joint->at[0] != TR_ENDS && joint->at[1] != TR_ENDS;
    if (joint->type == TR_CONTACT || joint->end[2] != TR_NONE || joint->end[3] != TR_NONE ||
        joint->body_count != (both ? 2u : 1u))
        return 0;
    for (uint32_t end = 0; end < 2; end++)
        if (joint->at[end] == TR_ENDS && (it->kind[joint->end[end]] & TR_EXACT_DRIVEN) != 0)
            return 0;
    joint->row_count = TRN_AXES;
    if (it->plain_types >> joint->type & 1)
        return TR_EXACT_FORM_POINT;
    read_joint(it, system, joint);
    joint->row_count = TRN_AXES;
    /* further rows are of features that are off */
    if (TRN_IS_PLACED(joint->type) && !trn_joint_types[joint->type]->is_featured(&joint->def))
        return TR_EXACT_FORM_POINT;
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_group groups[TR_EXACT_ROWS_MOST];
    trn_exact_equations(it, system, joint, 0.0, &pose, &equations);
    joint->row_count = equations.count;
    const uint32_t form = trn_exact_form(joint->type, &equations, groups);
    if (trn_exact_source_of(form) == TR_EXACT_BY_TURN)
        read_turn(joint, &it->turns[joint - it->joints]);
    return form;
}

static trn_exact_pin pin_of(const trn_exact_joint *joint, uint32_t first_body)
{
    trn_exact_pin out = {.type = joint->type, .row = joint->row, .slot = joint->slot, .form = joint->form};
    for (uint32_t i = 0; i < 2; i++) {
        out.end[i] = joint->end[i];
        out.body[i] = joint->at[i] == TR_ENDS ? TR_NONE : joint->body[joint->at[i]] - first_body;
    }
    return out;
}

/* Sorts joints by islands, in the order of types and rows. */
static void sort_joints(trn_exact *it, const trn_system *system)
{
    uint32_t first = 0;
    for (uint32_t k = 0; k < it->joint_count; k++)
        it->islands[it->parent[trn_exact_first_moving(it, it->order[k].end)]].joint_count++;
    for (uint32_t i = 0; i < it->island_count; i++) {
        it->islands[i].first_joint = first;
        first += it->islands[i].joint_count + it->islands[i].touch_count;
        it->islands[i].joint_count = 0;
    }
    for (uint32_t k = 0; k < it->joint_count; k++) {
        const trn_exact_listed *listed = &it->order[k];
        trn_exact_island *island = &it->islands[it->parent[trn_exact_first_moving(it, listed->end)]];
        trn_exact_joint *joint = &it->joints[island->first_joint + island->joint_count++];
        read_ends(it, joint, listed);
        if (island->plain)
            joint->form = form_of(it, system, joint);
        island->plain = island->plain && joint->form != 0;
        if (island->plain)
            it->pins[joint - it->joints] = pin_of(joint, island->first_body);
    }
    for (uint32_t i = 0; i < it->island_count; i++)
        it->islands[i].node_count = it->islands[i].joint_count;
    it->spare_joint = first;
}

/* Touches as joints, after the others. */
static void add_touches(trn_exact *it, trn_exact_island *island)
{
    for (uint32_t t = 0; t < island->touch_count; t++) {
        const trn_exact_touch *touch = &it->touches[island->first_touch + t];
        const trn_exact_listed listed = {
            TR_CONTACT, touch->row, touch->slot, {touch->end[0], touch->end[1], TR_NONE, TR_NONE}};
        read_ends(it, &it->joints[island->first_joint + island->joint_count++], &listed);
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
        row->length = from->length > 0.0 ? from->length : 1.0;
        row->column = (int8_t)from->column;
        if (from->column >= 0)
            row->force = (double)trn_joint_impulse(joints, (uint32_t)from->column, joint->row) * inv_h / row->length;
        row->state = from->kind == TR_EQUATION_STOP && !(row->force > 0.0) ? TR_EXACT_LOW : TR_EXACT_HELD;
    }
}

/* of a joint whose rows are known, or of a touch */
static void fill_joint(trn_exact *it, const trn_system *system, trn_exact_joint *joint, double inv_h)
{
    const uint32_t count = joint->row_count;
    trn_joint_pose pose;
    trn_equations equations;
    read_joint(it, system, joint);
    trn_exact_equations(it, system, joint, 0.0, &pose, &equations);
    /* there is no room for those that are off */
    if (joint->type != TR_CONTACT)
        equations.count = count;
    joint->row_count = equations.count;
    begin_rows(it, system, joint, &equations, inv_h);
}

void trn_exact_fill(trn_exact *it, const trn_system *system, trn_exact_island *island, double inv_h)
{
    uint32_t row = island->first_row, block = island->first_block;
    add_touches(it, island);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        read_mover(it, system, body->row);
        begin_body(it, system->bodies, body);
    }
    for (uint32_t j = 0; j < island->joint_count; j++) {
        trn_exact_joint *joint = &it->joints[island->first_joint + j];
        joint->first_row = row;
        joint->block = block;
        fill_joint(it, system, joint, inv_h);
        row += joint->row_count;
        block += joint->row_count * joint->body_count;
    }
    island->row_count = row - island->first_row;
}

void trn_exact_copy(trn_exact *it, const trn_system *system, uint32_t worker, trn_exact_island *island, double inv_h)
{
    const uint32_t to = it->spare_joint + worker * it->spare_joints;
    memcpy(&it->joints[to], &it->joints[island->first_joint], island->node_count * sizeof *it->joints);
    island->first_joint = to;
    island->first_row = it->spare_row + worker * it->spare_rows;
    island->first_block = it->spare_block + worker * it->spare_blocks;
    trn_exact_fill(it, system, island, inv_h);
}

/* Room for plain islands that leave the lanes. */
static tr_status spare(trn_exact *it, uint32_t workers)
{
    uint64_t joints = 0, rows = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        const uint64_t own = (uint64_t)island->joint_count + island->touch_count,
                       own_rows = island->row_count + (uint64_t)island->touch_count * TR_EXACT_TOUCH_ROWS;
        if (!island->plain)
            continue;
        joints = own > joints ? own : joints;
        rows = own_rows > rows ? own_rows : rows;
    }
    const uint64_t blocks = 2 * rows;
    it->spare_row = it->row_count;
    it->spare_block = it->block_count;
    if (it->spare_joint + workers * joints > UINT32_MAX || it->spare_row + workers * rows > UINT32_MAX ||
        it->spare_block + workers * blocks > UINT32_MAX)
        return TR_ERROR_LIMIT;
    it->spare_joints = (uint32_t)joints;
    it->spare_rows = (uint32_t)rows;
    it->spare_blocks = (uint32_t)blocks;
    return GROW(joints, joint_capacity, it->spare_joint + workers * it->spare_joints) &&
                   GROW(rows, row_capacity, it->spare_row + workers * it->spare_rows) &&
                   GROW(jacobian, block_capacity, it->spare_block + workers * it->spare_blocks)
               ? TR_OK
               : TR_ERROR_MEMORY;
}

static tr_status read_rows(trn_exact *it, const trn_system *system, double inv_h)
{
    it->row_count = it->block_count = 0;
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        island->first_row = it->row_count;
        island->first_block = it->block_count;
        island->plain = island->plain && island->joint_count > 0;
        if (!island->plain)
            add_touches(it, island);
        for (uint32_t b = 0; b < island->body_count && !island->plain; b++)
            begin_body(it, system->bodies, &it->bodies[island->first_body + b]);
        for (uint32_t j = 0; j < island->joint_count; j++) {
            trn_exact_joint *joint = &it->joints[island->first_joint + j];
            trn_joint_pose pose;
            trn_equations equations;
            if (island->plain) {
                equations.count = joint->row_count;
            } else {
                read_joint(it, system, joint);
                trn_exact_equations(it, system, joint, 0.0, &pose, &equations);
            }
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
            if (!island->plain)
                begin_rows(it, system, joint, &equations, inv_h);
        }
        island->row_count = it->row_count - island->first_row;
        /* what a plain one has if it turns out to be too large for lanes */
        const uint64_t room = island->plain ? (uint64_t)island->touch_count * TR_EXACT_TOUCH_ROWS : 0;
        if (it->row_count + room > UINT32_MAX || it->block_count + room > UINT32_MAX)
            return TR_ERROR_LIMIT;
        it->row_count += (uint32_t)room;
        it->block_count += (uint32_t)room;
        if (!GROW(rows, row_capacity, it->row_count) || !GROW(jacobian, block_capacity, it->block_count))
            return TR_ERROR_MEMORY;
    }
    return TR_OK;
}

/* Joints without rows are in no system: a spring without stiffness, or a motor that is off. They have no node. */
static void drop_empty(trn_exact *it)
{
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        if (island->plain)
            continue;
        uint32_t kept = island->first_joint;
        const uint32_t touches = island->joint_count - island->node_count;
        for (uint32_t j = 0; j < island->joint_count; j++)
            if (it->joints[island->first_joint + j].row_count > 0)
                it->joints[kept++] = it->joints[island->first_joint + j];
        island->joint_count = kept - island->first_joint;
        island->node_count = island->joint_count - touches;
    }
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
        if (!trn_exact_reserve_lanes(it, worker))
            return false;
    }
    return true;
}

/* definitions of which all fields are the defaults, and types of which all joints are plain */
static void read_presets(trn_exact *it, const trn_system *system)
{
    uint64_t plain = 0;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        memset(&it->preset[type], 0, sizeof it->preset[type]);
        it->preset[type].type = (trn_joint_type)type;
        for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
            trn_field_write(&it->preset[type], (trn_field)field, system->joints[type].preset[field]);
        it->fields_held[type] = trn_joint_fields_held(&system->joints[type], (trn_joint_type)type);
        if (TRN_IS_PLACED(type) && (it->fields_held[type] & ~(TRN_GROUP_ANCHORS | TRN_GROUP_REFERENCE)) == 0 &&
            !trn_joint_types[type]->is_featured(&it->preset[type]))
            plain |= (uint64_t)1 << type;
    }
    it->kept = it->kept && it->plain_types == plain;
    it->plain_types = plain;
}

/* Islands, and what they have, in order. */
static tr_status sort(trn_exact *it, const trn_system *system, double inv_h)
{
    for (uint32_t i = 0; i < it->mover_count; i++)
        read_mover(it, system, it->movers[i]);
    trn_exact_part_islands(it);
    if (!trn_exact_sort_touches(it))
        return TR_ERROR_MEMORY;
    sort_joints(it, system);
    tr_status status = read_rows(it, system, inv_h);
    if (status != TR_OK)
        return status;
    drop_empty(it);
    for (uint32_t i = 0; i < it->island_count && status == TR_OK; i++)
        if (it->islands[i].joint_count > 0)
            status = trn_exact_shape_of(it, &it->islands[i], false, &it->islands[i].shape);
    for (uint32_t i = 0; i < it->island_count && status == TR_OK; i++)
        if (it->islands[i].plain)
            status = trn_exact_shape_of(it, &it->islands[i], true, &it->islands[i].lane_shape);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        if (!island->plain || it->shapes[island->lane_shape].program.column_count > 0)
            continue;
        island->plain = false;
        trn_exact_fill(it, system, island, inv_h);
    }
    return TR_OK;
}

/* Whether another step with the same bodies and joints finds the same order, with no more to read than definitions. */
static bool can_keep(const trn_exact *it)
{
    for (uint32_t i = 0; i < it->island_count; i++)
        if (it->islands[i].joint_count > 0 && !it->islands[i].plain)
            return false;
    return true;
}

/* by its fields, since the bytes between them are anything */
static bool is_same_def(const trn_joint_def *a, const trn_joint_def *b)
{
    if (memcmp((const void *)a, (const void *)b, sizeof *a) == 0)
        return true;
    bool same = a->type == b->type;
    for (uint32_t i = 0; i < TRN_FIELD_COUNT && same; i++) {
        const trn_field field = (trn_field)i;
        same = trn_field_infos[i].kind == TR_KIND_DOUBLE
                   ? trn_field_read_double(a, field) == trn_field_read_double(b, field)
                   : trn_field_read(a, field) == trn_field_read(b, field);
    }
    return same;
}

/* Reads the joints of an order that may be kept. False: one has another definition, or has been wound, and may be of
   another form. */
static bool read_again(trn_exact *it, const trn_system *system)
{
    bool all_plain = true;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        all_plain = all_plain && (system->joints[type].table.count == 0 || (it->plain_types >> type & 1) != 0);
    if (all_plain)
        return true;
    if (!it->mixed && trn_exact_cells_are_same(it, system)) {
        bool places = false;
        for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++)
            places = places || (system->joints[type].table.count > 0 && has_places(type));
        for (uint32_t i = 0; i < it->island_count && places; i++)
            for (uint32_t j = it->islands[i].first_joint, n = 0; n < it->islands[i].node_count; j++, n++)
                if (has_places(it->pins[j].type))
                    trn_exact_read_places(system, &it->joints[j]);
        return true;
    }
    it->cells_size = 0;
    for (uint32_t i = 0; i < it->island_count; i++)
        for (uint32_t j = it->islands[i].first_joint, n = 0; n < it->islands[i].node_count; j++, n++) {
            trn_exact_joint *joint = &it->joints[j];
            const uint32_t rows = joint->row_count;
            const double turn = joint->turn;
            if (it->plain_types >> joint->type & 1)
                continue;
            const trn_joint_def before = joint->def;
            read_joint(it, system, joint);
            joint->row_count = rows;
            if (joint->turn != turn || !is_same_def(&joint->def, &before))
                return false;
        }
    return true;
}

static void keep(trn_exact *it, const trn_system *system)
{
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        if (island->joint_count > 0)
            it->shapes[island->shape].used = it->shapes[island->lane_shape].used = it->steps;
        for (uint32_t b = 0; b < island->body_count && island->joint_count == 0; b++) {
            read_mover(it, system, it->bodies[island->first_body + b].row);
            begin_body(it, system->bodies, &it->bodies[island->first_body + b]);
        }
    }
}

tr_status trn_exact_read(trn_exact *it, const trn_system *system, double inv_h, uint32_t workers)
{
    it->steps++;
    it->lanes = trn_exact_lanes_of(tr_get_isa());
    it->narrow = trn_exact_lanes_of(TR_ISA_SCALAR);
    read_presets(it, system);
    if (!trn_exact_list(it, system))
        return TR_ERROR_MEMORY;
    if (it->kept && (!trn_exact_touches_are_plain(it) || !read_again(it, system)))
        trn_exact_part_bodies(it);
    const bool kept = it->kept;
    it->kept = false;
    tr_status status = TR_OK;
    if (!kept)
        status = sort(it, system, inv_h);
    else if (trn_exact_sort_touches(it))
        keep(it, system);
    else
        status = TR_ERROR_MEMORY;
    if (status == TR_OK)
        status = spare(it, workers);
    if (status == TR_OK)
        trn_exact_count_touches(it);
    if (status == TR_OK && (!trn_exact_sort_islands(it) || !make_workers(it, workers)))
        status = TR_ERROR_MEMORY;
    it->kept = status == TR_OK && (kept || can_keep(it));
    if (!kept)
        it->cells_size = 0;
    if (it->kept && !it->mixed && it->cells_size == 0 && !trn_exact_keep_cells(it, system)) {
        it->kept = false;
        status = TR_ERROR_MEMORY;
    }
    return status;
}
