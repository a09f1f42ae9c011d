/* Structures of islands, in which equal ones are found again. */
#include <string.h>

#include "base/archive.h"
#include "solver/exact/lanes/exact_lanes.h"

void trn_exact_shape_free(trn_exact *it, trn_exact_shape *shape)
{
    trn_exact_cut_free(it, shape->cut);
    tr_sparse_destroy(shape->sparse);
    tr_program_free(&shape->program, it->memory);
    tr_release(it->memory, shape->key, shape->key_size);
    tr_release(it->memory, shape->touches, shape->body_count * sizeof *shape->touches);
    tr_release(it->memory, shape->place, shape->place_count * sizeof *shape->place);
    tr_release(it->memory, shape->turned, shape->place_count * sizeof *shape->turned);
}

void trn_exact_forget_shapes(trn_exact *it, bool all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < it->shape_count; i++) {
        if (!all && it->shapes[i].used == it->steps)
            it->shapes[kept++] = it->shapes[i];
        else
            trn_exact_shape_free(it, &it->shapes[i]);
    }
    it->shape_count = kept;
}

/* rigid and fixed things never depend on numbers that a step changes, so that a shape stays */
static bool is_grounded(const trn_exact *it, const trn_exact_joint *joint)
{
    bool grounded = joint->type != TR_CONTACT && (trn_joint_types[joint->type]->fields & TRN_RATIOS) != 0;
    for (uint32_t end = 0; end < TR_ENDS; end++)
        grounded = grounded || (joint->end[end] != TR_NONE && it->moving[joint->end[end]] == TR_NONE);
    return grounded;
}

/* An island's key: the numbers of bodies and joints; of bodies whether they turn; of each joint its rows, its bodies, and
   what a lane's joint is made for, because twins in lanes have equal ends and forms. One of points is the same in lanes. */
static size_t key_of(const trn_exact *it, const trn_exact_island *island, bool lanes, uint32_t *out)
{
    uint32_t *to = out;
    *to++ = island->body_count;
    *to++ = island->node_count;
    for (uint32_t b = 0; b < island->body_count; b++)
        *to++ = it->bodies[island->first_body + b].turns ? TR_EXACT_KEY_TURNS : 0;
    for (uint32_t j = 0; j < island->node_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        const bool formed = lanes && joint->form != TR_EXACT_FORM_POINT;
        *to++ = (formed ? trn_exact_width(joint->form) : joint->row_count) | joint->body_count << 8 |
                (is_grounded(it, joint) ? TR_EXACT_KEY_GROUNDED : 0u) |
                (joint->at[0] == TR_ENDS ? TR_EXACT_KEY_FIXED : 0u) | (formed ? TR_EXACT_KEY_FORMED : 0u);
        for (uint32_t b = 0; b < joint->body_count; b++)
            *to++ = joint->body[b] - island->first_body;
        if (formed)
            *to++ = joint->form;
    }
    return (size_t)(to - out) * sizeof *out;
}

static void place_blocks(trn_exact_shape *shape, const uint32_t *key)
{
    const uint32_t bodies = key[0], joints = key[1], *joint = key + 2 + bodies;
    uint32_t count = 0;
    for (uint32_t i = 0; i < bodies + joints; i++)
        shape->place[count++] = tr_sparse_place(shape->sparse, i, i, &shape->turned[i]);
    for (uint32_t j = 0; j < joints; j++) {
        for (uint32_t b = 0; b < TR_EXACT_KEY_BODIES(joint[0]); b++, count++)
            shape->place[count] = tr_sparse_place(shape->sparse, joint[1 + b], bodies + j, &shape->turned[count]);
        joint = trn_exact_key_next(joint);
    }
}

/* Bodies on one joint or two are eliminated first: what is left has half as many numbers. Not those by which wide joints,
   which a body parts, would be coupled with each other. `size`: of joints; of bodies it is used as scratch. */
static void find_early(const uint32_t *key, uint8_t *size, bool *early)
{
    const uint32_t bodies = key[0], joints = key[1], *joint = key + 2 + bodies;
    uint8_t *rows = size;
    memset(early, 0, bodies + joints);
    for (uint32_t b = 0; b < bodies; b++)
        early[b] = key[2 + b] == TR_EXACT_KEY_TURNS;
    /* two rounds: the joints on a body are counted, then their rows */
    for (uint32_t round = 0; round < 2; round++, joint = key + 2 + bodies) {
        const uint32_t most = round == 0 ? 2 : 2 * TRN_DEGREES;
        memset(rows, 0, bodies);
        for (uint32_t j = 0; j < joints; j++, joint = trn_exact_key_next(joint))
            for (uint32_t b = 0; b < TR_EXACT_KEY_BODIES(joint[0]); b++) {
                const uint32_t body = joint[1 + b], more = round == 0 ? 1 : TR_EXACT_KEY_ROWS(joint[0]);
                early[body] = early[body] && rows[body] + more <= most;
                rows[body] = (uint8_t)(early[body] ? rows[body] + more : 0);
            }
    }
}

tr_status trn_exact_plan(trn_exact *it, tr_sparse *sparse, const uint32_t *key, uint32_t edge_count, const bool *late)
{
    const uint32_t bodies = key[0], joints = key[1], nodes = bodies + joints, *joint = key + 2 + bodies;
    const size_t bytes = edge_count * sizeof(tr_sparse_edge) + 3 * (size_t)nodes;
    tr_sparse_edge *edges = tr_allocate(it->memory, bytes), *edge = edges;
    if (edges == NULL)
        return TR_ERROR_MEMORY;
    uint8_t *size = (uint8_t *)(edges + edge_count);
    bool *grounded = (bool *)(size + nodes), *early = grounded + nodes;
    find_early(key, size, early);
    for (uint32_t b = 0; b < bodies; b++) {
        size[b] = TRN_DEGREES;
        grounded[b] = (key[2 + b] & TR_EXACT_KEY_TURNS) == 0;
        early[b] = early[b] && (late == NULL || !late[b]);
    }
    for (uint32_t j = 0; j < joints; j++) {
        size[bodies + j] = (uint8_t)TR_EXACT_KEY_ROWS(joint[0]);
        grounded[bodies + j] = (joint[0] & TR_EXACT_KEY_GROUNDED) != 0;
        for (uint32_t b = 0; b < TR_EXACT_KEY_BODIES(joint[0]); b++)
            *edge++ = (tr_sparse_edge){joint[1 + b], bodies + j, (key[2 + joint[1 + b]] & TR_EXACT_KEY_TURNS) != 0};
        joint = trn_exact_key_next(joint);
    }
    const tr_sparse_shape graph = {nodes, bodies, size, grounded, early, edges, edge_count, late, true};
    const tr_status status = tr_sparse_plan(sparse, &graph);
    tr_release(it->memory, edges, bytes);
    return status;
}

/* Orders an island of this key, which may be a piece. `late`: scratch, of nodes */
static tr_status plan(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, uint32_t edges, bool *late)
{
    const uint32_t bodies = key[0], joints = key[1], *joint = key + 2 + bodies;
    memset(late, 0, bodies + joints);
    for (uint32_t b = 0; b < bodies; b++) {
        late[b] = (key[2 + b] & TR_EXACT_KEY_CUT) != 0;
        shape->cut_count += late[b] ? 1u : 0u;
    }
    shape->numbers = bodies * TRN_DEGREES;
    for (uint32_t j = 0; j < joints; j++, joint = trn_exact_key_next(joint))
        shape->numbers += TR_EXACT_KEY_ROWS(joint[0]);
    return trn_exact_plan(it, shape->sparse, key, edges, shape->cut_count > 0 ? late : NULL);
}

/* Lists the factorization of islands that may be solved in lanes. */
static tr_status list(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, uint32_t edges)
{
    const uint32_t bodies = key[0], joints = key[1], *joint = key + 2 + bodies;
    shape->joint_count = joints;
    for (uint32_t j = 0; j < joints; j++) {
        const bool formed = (joint[0] & TR_EXACT_KEY_FORMED) != 0;
        const uint32_t ends = TR_EXACT_KEY_BODIES(joint[0]), form = formed ? joint[1 + ends] : TR_EXACT_FORM_POINT;
        if (ends > 2 || (!formed && TR_EXACT_KEY_ROWS(joint[0]) != TRN_AXES))
            return TR_OK;
        shape->fixed_count += 2 - ends;
        shape->lane_rows += trn_exact_width(form);
        for (uint32_t r = 0; r < trn_exact_width(form); r++) {
            shape->laws += trn_exact_row_form(form, r) == TR_EXACT_LAW ? 1u : 0u;
            shape->rubs += trn_exact_row_form(form, r) == TR_EXACT_RUBBED ? 1u : 0u;
        }
        joint = trn_exact_key_next(joint);
    }
    const size_t nodes = (size_t)bodies + joints;
    if (nodes > TR_EXACT_LANES_NODES)
        return TR_OK;
    if (!tr_program_make(&shape->program, it->memory, shape->sparse, nodes * TR_EXACT_LANES_TARGETS, false))
        return TR_ERROR_MEMORY;
    return shape->cut_count == 0 && shape->program.column_count > 0 ? trn_exact_cut_make(it, shape, key, edges) : TR_OK;
}

tr_status trn_exact_shape_make(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, size_t key_size,
                               uint32_t edges)
{
    const uint32_t nodes = key[0] + key[1];
    memset(shape, 0, sizeof *shape);
    shape->serial = ++it->shape_serial;
    shape->place_count = nodes + edges;
    shape->key_size = key_size;
    shape->key = tr_allocate(it->memory, key_size);
    shape->touches = tr_allocate_array(it->memory, key[0], sizeof *shape->touches);
    shape->body_count = shape->touches != NULL ? key[0] : 0;
    shape->place = tr_allocate_array(it->memory, shape->place_count, sizeof *shape->place);
    shape->turned = tr_allocate_array(it->memory, shape->place_count, sizeof *shape->turned);
    shape->sparse = tr_sparse_create(it->memory);
    bool *late = tr_allocate(it->memory, nodes);
    tr_status status = TR_ERROR_MEMORY;
    if (shape->key != NULL && shape->touches != NULL && shape->place != NULL && shape->turned != NULL &&
        shape->sparse != NULL && late != NULL)
        status = plan(it, shape, key, edges, late);
    if (status == TR_OK)
        status = list(it, shape, key, edges);
    tr_release(it->memory, late, nodes);
    if (status != TR_OK) {
        /* a released block of memory that is null has no size */
        shape->key_size = shape->key != NULL ? key_size : 0;
        trn_exact_shape_free(it, shape);
        return status;
    }
    memcpy(shape->key, key, key_size);
    place_blocks(shape, key);
    return TR_OK;
}

tr_status trn_exact_shape_of(trn_exact *it, const trn_exact_island *island, bool lanes, uint32_t *out)
{
    uint64_t count = 2 + (uint64_t)island->body_count, edges = 0;
    for (uint32_t j = 0; j < island->node_count; j++)
        edges += it->joints[island->first_joint + j].body_count;
    count += 2 * (uint64_t)island->node_count + edges;
    if (count > UINT32_MAX / sizeof(uint32_t))
        return TR_ERROR_LIMIT;
    if (!tr_grow(it->memory, (void **)&it->key, &it->key_capacity, (uint32_t)(count * sizeof(uint32_t)), 1))
        return TR_ERROR_MEMORY;
    uint32_t *key = (uint32_t *)(void *)it->key;
    const size_t size = key_of(it, island, lanes, key);
    /* mostly as that of the island before */
    if (it->last_shape < it->shape_count && it->shapes[it->last_shape].key_size == size &&
        memcmp(it->shapes[it->last_shape].key, key, size) == 0) {
        it->shapes[it->last_shape].used = it->steps;
        *out = it->last_shape;
        return TR_OK;
    }
    const uint64_t hash = tr_archive_hash(key, size);
    for (uint32_t i = 0; i < it->shape_count; i++) {
        trn_exact_shape *shape = &it->shapes[i];
        if (shape->hash != hash || shape->key_size != size || memcmp(shape->key, key, size) != 0)
            continue;
        shape->used = it->steps;
        *out = it->last_shape = i;
        return TR_OK;
    }
    if (!tr_grow(it->memory, (void **)&it->shapes, &it->shape_capacity, it->shape_count + 1, sizeof *it->shapes))
        return TR_ERROR_MEMORY;
    trn_exact_shape *shape = &it->shapes[it->shape_count];
    tr_status status = trn_exact_shape_make(it, shape, key, size, (uint32_t)edges);
    if (status != TR_OK)
        return status;
    shape->hash = hash;
    shape->used = it->steps;
    *out = it->last_shape = it->shape_count++;
    return TR_OK;
}
