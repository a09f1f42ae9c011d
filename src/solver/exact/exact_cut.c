/*
 * Cuts great islands into pieces that lanes solve side by side: at hubs, and elsewhere so that pieces have about as many
 * bodies. It depends on nothing but the structure, so that an island is cut in the same way alone and among twins, for any
 * instruction set and number of threads.
 */
#include <string.h>

#include "base/sets.h"
#include "solver/exact/lanes/exact_lanes.h"

/* Bodies and joints of an island that is cut, at least; joints of a hub; bodies of a piece, about, and at most (loops); and
   which share of the island's bodies those of all pairs of pieces may be, in percent, so that it is worth it. */
#define CUT_FROM   256u
#define HUB_FROM   9u
#define PIECE_SIZE 48u
#define PIECE_MOST 512u
#define WORTH      75u
/* Small sets on a body are dealt in turn to as many pieces as this, a hand: what lanes do side by side is then mostly side by
   side in tables. Where there is enough for several hands pieces have more bodies, of up to so many, as fewer take less. */
#define DEALT      8u
#define HANDS      4u
#define DEALT_MOST 192u

#define MANY (UINT32_MAX - 1)

/* The pieces to which small sets on a body are dealt. */
typedef struct hand {
    uint32_t piece[DEALT], size[DEALT]; /* size: bodies */
    uint32_t all;                       /* bodies of all these sets */
    uint32_t dealt, room;               /* sets; of how many more bodies */
} hand;

/* An island while it is cut; arrays by body, or by joint. */
typedef struct cutter {
    const uint32_t *key;
    uint32_t bodies, joints;
    const uint32_t **word;  /* of a joint in the key */
    uint32_t (*ends)[2];    /* TR_NONE: it does not move */
    uint32_t *start, *link; /* joints on a body */
    uint32_t *parent,
        *queue;             /* from which one a search came to a body, or TR_NONE; bodies in its order, without hubs */
    uint32_t *place;        /* in this order, from 1 on; 0: a hub */
    uint32_t *weight, *set; /* bodies that hang together; disjoint sets of these */
    uint32_t *beside;       /* of a set: the one body at which it is cut, or MANY */
    uint32_t *piece;        /* of a body */
    hand *hands;            /* of a body at which it is cut */
    uint32_t *of_joint;     /* the piece of a joint */
    uint32_t *sorted, *order; /* by pieces, and in these in the order of the search: bodies, joints */
    uint32_t *sequence;       /* joints in that order: so that pieces are twins, however their bodies are numbered */
    uint32_t *local, *stamp;  /* of a body: its number in a piece, and of which; then of the trunk */
    uint32_t *late, *nth; /* nodes of the trunk, as nodes of the island; and which of them a node of the island is */
    uint8_t *cut;
    uint32_t piece_count, queue_count;
    void *memory;
    size_t size;
} cutter;

static void *part(unsigned char *memory, size_t *used, size_t count, size_t size)
{
    void *out = memory != NULL ? memory + *used : NULL;
    *used += (count * size + 7) / 8 * 8;
    return out;
}

static size_t lay_out(cutter *it, void *memory)
{
    const size_t n = it->bodies, m = it->joints;
    size_t used = 0;
    it->word = part(memory, &used, m, sizeof(const uint32_t *));
    it->ends = part(memory, &used, m, sizeof *it->ends);
    it->start = part(memory, &used, n + 1, sizeof(uint32_t));
    it->link = part(memory, &used, 2 * m, sizeof(uint32_t));
    uint32_t **const by_body[] = {&it->parent, &it->queue, &it->weight, &it->set,   &it->beside,
                                  &it->piece,  &it->local, &it->stamp,  &it->place, &it->sorted};
    for (size_t i = 0; i < sizeof by_body / sizeof by_body[0]; i++)
        *by_body[i] = part(memory, &used, n, sizeof(uint32_t));
    it->hands = part(memory, &used, n, sizeof *it->hands);
    it->of_joint = part(memory, &used, m, sizeof(uint32_t));
    it->order = part(memory, &used, m, sizeof(uint32_t));
    it->sequence = part(memory, &used, m, sizeof(uint32_t));
    it->late = part(memory, &used, n + m, sizeof(uint32_t));
    it->nth = part(memory, &used, n + m, sizeof(uint32_t));
    it->cut = part(memory, &used, n, 1);
    return used;
}

/* Joints and what they are on. False if some are not solved in a piece: features act along their coordinates, or each lane
   has its own equations. */
static bool read_key(cutter *it)
{
    const uint32_t *joint = it->key + 2 + it->bodies;
    for (uint32_t j = 0; j < it->joints; j++, joint = trn_exact_key_next(joint)) {
        const bool one = TR_EXACT_KEY_BODIES(joint[0]) == 1, fixed = (joint[0] & TR_EXACT_KEY_FIXED) != 0;
        if ((joint[0] & TR_EXACT_KEY_FORMED) != 0 &&
            trn_exact_source_of(joint[1 + TR_EXACT_KEY_BODIES(joint[0])]) == TR_EXACT_BY_EQUATIONS)
            return false;
        it->word[j] = joint;
        it->ends[j][0] = one && fixed ? TR_NONE : joint[1];
        it->ends[j][1] = one ? (fixed ? joint[1] : TR_NONE) : joint[2];
        for (uint32_t end = 0; end < 2; end++)
            if (it->ends[j][end] != TR_NONE)
                it->start[it->ends[j][end]]++;
    }
    for (uint32_t b = 0; b < it->bodies; b++)
        it->start[b + 1] += it->start[b];
    for (uint32_t j = it->joints; j-- > 0;)
        for (uint32_t end = 0; end < 2; end++)
            if (it->ends[j][end] != TR_NONE)
                it->link[--it->start[it->ends[j][end]]] = j;
    return true;
}

static uint32_t other_end(const cutter *it, uint32_t joint, uint32_t body)
{
    return it->ends[joint][it->ends[joint][0] == body ? 1 : 0];
}

/* Which bodies it is cut at: hubs; and of a tree of the others each one below which enough hangs that no such one has. */
static void choose_cuts(cutter *it)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < it->bodies; b++) {
        it->cut[b] = it->start[b + 1] - it->start[b] >= HUB_FROM;
        it->stamp[b] = it->cut[b];
        it->weight[b] = 1;
        it->place[b] = 0;
    }
    for (uint32_t root = 0; root < it->bodies; root++) {
        if (it->stamp[root])
            continue;
        it->stamp[root] = 1;
        it->parent[root] = TR_NONE;
        it->queue[count++] = root;
        for (uint32_t i = count - 1; i < count; i++)
            for (uint32_t k = it->start[it->queue[i]]; k < it->start[it->queue[i] + 1]; k++) {
                const uint32_t other = other_end(it, it->link[k], it->queue[i]);
                if (other == TR_NONE || it->stamp[other])
                    continue;
                it->stamp[other] = 1;
                it->parent[other] = it->queue[i];
                it->queue[count++] = other;
            }
    }
    it->queue_count = count;
    while (count-- > 0) {
        const uint32_t b = it->queue[count], above = it->parent[b];
        it->place[b] = count + 1;
        it->cut[b] = it->weight[b] > PIECE_SIZE;
        if (!it->cut[b] && above != TR_NONE)
            it->weight[above] += it->weight[b];
    }
}

/* What hangs together without these bodies, and beside which of them. */
static void find_sets(cutter *it)
{
    for (uint32_t b = 0; b < it->bodies; b++) {
        it->set[b] = b;
        it->beside[b] = it->piece[b] = TR_NONE;
        it->weight[b] = 0;
        it->hands[b] = (hand){.all = 0};
    }
    for (uint32_t j = 0; j < it->joints; j++) {
        const uint32_t *end = it->ends[j];
        if (end[0] != TR_NONE && end[1] != TR_NONE && !it->cut[end[0]] && !it->cut[end[1]])
            tr_set_unite(it->set, end[0], end[1]);
    }
    for (uint32_t b = 0; b < it->bodies; b++)
        it->weight[tr_set_root(it->set, b)]++;
    for (uint32_t j = 0; j < it->joints; j++)
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t own = it->ends[j][end], other = it->ends[j][1 - end];
            if (own == TR_NONE || other == TR_NONE || it->cut[own] || !it->cut[other])
                continue;
            uint32_t *beside = &it->beside[tr_set_root(it->set, own)];
            *beside = *beside == TR_NONE || *beside == other ? other : MANY;
        }
}

/* whether a set is small, and hangs on one body only */
static bool is_dealt(const cutter *it, uint32_t root)
{
    return it->beside[root] != TR_NONE && it->beside[root] != MANY && it->weight[root] <= PIECE_SIZE / 2;
}

/* How many bodies are dealt to a hand, so that all hands have as many, and all pieces of a hand; what is left is a small hand.
   The next set has `size`. */
static uint32_t room_of_hand(const hand *of, uint32_t size)
{
    const uint32_t share = of->all / (DEALT * HANDS), most = share < DEALT_MOST ? share : DEALT_MOST;
    const uint32_t room = DEALT * (most > PIECE_SIZE ? most : PIECE_SIZE), round = DEALT * size;
    const uint32_t hands = (of->all + room - 1) / room, each = (of->all + hands - 1) / hands;
    if (of->all <= PIECE_SIZE)
        return of->all;
    return each < round ? room : each / round * round;
}

/* The piece of the next set, which has `size` bodies. Few sets are a piece together. */
static uint32_t deal(cutter *it, hand *to, uint32_t size)
{
    const uint32_t pieces = to->all > PIECE_SIZE ? DEALT : 1;
    uint32_t at = to->dealt % pieces;
    if (size > to->room || (to->dealt >= pieces && to->size[at] + size > PIECE_MOST)) {
        to->room = room_of_hand(to, size);
        to->dealt = at = 0;
    }
    to->room -= size;
    if (to->dealt++ < pieces) {
        to->piece[at] = it->piece_count++;
        to->size[at] = 0;
    }
    to->size[at] += size;
    return to->piece[at];
}

/* Numbers pieces: one for each set, but for small ones that hang on one body only, which fill pieces together, and for each
   joint that is between such bodies only. False if a set is too large, because loops close around it. */
static bool number_pieces(cutter *it)
{
    for (uint32_t b = 0; b < it->bodies; b++)
        if (!it->cut[b] && tr_set_root(it->set, b) == b && is_dealt(it, b))
            it->hands[it->beside[b]].all += it->weight[b];
    for (uint32_t b = 0; b < it->bodies; b++) {
        if (it->cut[b])
            continue;
        const uint32_t root = tr_set_root(it->set, b), size = it->weight[root], beside = it->beside[root];
        if (size > PIECE_MOST)
            return false;
        if (root != b) {
            it->piece[b] = it->piece[root];
            continue;
        }
        it->piece[b] = is_dealt(it, root) ? deal(it, &it->hands[beside], size) : it->piece_count++;
    }
    for (uint32_t j = 0; j < it->joints; j++) {
        it->of_joint[j] = TR_NONE;
        for (uint32_t end = 0; end < 2; end++)
            if (it->ends[j][end] != TR_NONE && !it->cut[it->ends[j][end]])
                it->of_joint[j] = it->piece[it->ends[j][end]];
        if (it->of_joint[j] == TR_NONE)
            it->of_joint[j] = it->piece_count++;
    }
    return true;
}

#define GROW(member, capacity, count)                                                                                  \
    tr_grow(it->memory, (void **)&cut->member, &cut->capacity, count, sizeof *cut->member)

/* Finds or makes the shape of a piece. */
static tr_status shape_of_piece(trn_exact *it, trn_exact_cut *cut, const uint32_t *key, size_t size, uint32_t edges,
                                uint32_t *out)
{
    for (uint32_t s = cut->shape_count; s-- > 0;) {
        if (cut->shapes[s].key_size != size || memcmp(cut->shapes[s].key, key, size) != 0)
            continue;
        *out = s;
        return TR_OK;
    }
    if (!GROW(shapes, shape_capacity, cut->shape_count + 1))
        return TR_ERROR_MEMORY;
    *out = cut->shape_count;
    const tr_status status = trn_exact_shape_make(it, &cut->shapes[cut->shape_count], key, size, edges);
    cut->shape_count += status == TR_OK ? 1u : 0u;
    return status;
}

/* Lists what is in a piece, and finds its shape. `own`: its bodies; `joints`: its joints; `key` has room. */
static tr_status add_piece(trn_exact *it, trn_exact_cut *cut, cutter *of, uint32_t number, const uint32_t *own,
                           uint32_t own_count, const uint32_t *joints, uint32_t joint_count, uint32_t *key)
{
    const uint32_t first_body = cut->body_count, first_joint = cut->joint_count;
    uint32_t bodies = own_count, edges = 0;
    if (!GROW(bodies, list_body_capacity, first_body + own_count + 2 * joint_count) ||
        !GROW(joints, list_joint_capacity, first_joint + joint_count) ||
        !GROW(ends, end_capacity, first_joint + joint_count) || !GROW(pieces, piece_capacity, number + 1))
        return TR_ERROR_MEMORY;
    uint32_t *list = cut->bodies + first_body;
    for (uint32_t b = 0; b < own_count; b++) {
        list[b] = own[b];
        of->local[own[b]] = b;
    }
    for (uint32_t j = 0; j < joint_count; j++)
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t body = of->ends[joints[j]][end];
            if (body != TR_NONE && of->cut[body] && of->stamp[body] != number) {
                of->stamp[body] = number;
                of->local[body] = bodies;
                list[bodies++] = body;
            }
            cut->ends[first_joint + j][end] = body == TR_NONE ? TR_NONE : of->local[body];
        }
    uint32_t *to = key;
    *to++ = bodies;
    *to++ = joint_count;
    for (uint32_t b = 0; b < bodies; b++)
        *to++ = of->key[2 + list[b]] | (b < own_count ? 0u : TR_EXACT_KEY_CUT);
    for (uint32_t j = 0; j < joint_count; j++) {
        const uint32_t *word = of->word[joints[j]];
        cut->joints[first_joint + j] = joints[j];
        *to++ = word[0];
        for (uint32_t b = 0; b < TR_EXACT_KEY_BODIES(word[0]); b++, edges++)
            *to++ = of->local[word[1 + b]];
        if ((word[0] & TR_EXACT_KEY_FORMED) != 0)
            *to++ = word[1 + TR_EXACT_KEY_BODIES(word[0])];
    }
    trn_exact_piece *piece = &cut->pieces[number];
    *piece = (trn_exact_piece){.first_body = first_body, .first_joint = first_joint};
    cut->body_count += bodies;
    cut->joint_count += joint_count;
    return shape_of_piece(it, cut, key, (size_t)(to - key) * sizeof *key, edges, &piece->shape);
}

/* Sorts what is in a list by numbers below a limit: `at` becomes where each number ends. Null: the list is 0, 1, ... */
static void sort_by(const uint32_t *number, const uint32_t *list, uint32_t count, uint32_t *at, uint32_t limit,
                    uint32_t *out)
{
    memset(at, 0, limit * sizeof *at);
    for (uint32_t i = 0; i < count; i++)
        at[number[list != NULL ? list[i] : i]]++;
    for (uint32_t p = 0, sum = 0; p < limit; p++) {
        const uint32_t more = at[p];
        at[p] = sum;
        sum += more;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t own = list != NULL ? list[i] : i;
        out[at[number[own]]++] = own;
    }
}

/* Joints in the order in which the search comes to the later of their bodies. `order`, `scratch`: scratch. */
static void order_joints(cutter *it, uint32_t *scratch)
{
    for (uint32_t j = 0; j < it->joints; j++) {
        uint32_t last = 0;
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t body = it->ends[j][end];
            last = body != TR_NONE && it->place[body] > last ? it->place[body] : last;
        }
        it->order[j] = last;
    }
    sort_by(it->order, NULL, it->joints, scratch, it->queue_count + 1, it->sequence);
}

/* All pieces with their shapes. */
static tr_status add_pieces(trn_exact *it, trn_exact_cut *cut, cutter *of)
{
    const size_t pieces = of->piece_count, words = 2 + 3 * (size_t)of->bodies + 5 * (size_t)of->joints;
    uint32_t *scratch = tr_allocate_array(it->memory, 2 * pieces + words, sizeof *scratch);
    if (scratch == NULL)
        return TR_ERROR_MEMORY;
    uint32_t *body_end = scratch, *joint_end = scratch + pieces;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < of->queue_count; i++)
        if (!of->cut[of->queue[i]])
            of->queue[kept++] = of->queue[i];
    order_joints(of, joint_end + pieces);
    sort_by(of->piece, of->queue, kept, body_end, of->piece_count, of->sorted);
    sort_by(of->of_joint, of->sequence, of->joints, joint_end, of->piece_count, of->order);
    memset(of->stamp, 255, of->bodies * sizeof *of->stamp);
    tr_status status = TR_OK;
    for (uint32_t p = 0; p < of->piece_count && status == TR_OK; p++) {
        const uint32_t body = p > 0 ? body_end[p - 1] : 0, joint = p > 0 ? joint_end[p - 1] : 0;
        status = add_piece(it, cut, of, p, of->sorted + body, body_end[p] - body, of->order + joint,
                           joint_end[p] - joint, scratch + 2 * pieces);
        cut->piece_count += status == TR_OK ? 1u : 0u;
    }
    tr_release(it->memory, scratch, (2 * pieces + words) * sizeof *scratch);
    return status;
}

/* Whether pairs of equal pieces are enough of all, and each can be solved in lanes. */
static bool is_worth_it(const trn_exact_cut *cut, uint32_t bodies)
{
    uint64_t all = 0;
    bool solved = true;
    for (uint32_t s = 0; s < cut->shape_count; s++) {
        uint32_t count = 0;
        for (uint32_t p = 0; p < cut->piece_count; p++)
            count += cut->pieces[p].shape == s ? 1u : 0u;
        all += (count + 1) / 2 * (uint64_t)cut->shapes[s].body_count;
        solved = solved && cut->shapes[s].program.column_count > 0 && cut->shapes[s].laws + cut->shapes[s].rubs == 0;
    }
    return solved && 100 * all <= WORTH * (uint64_t)bodies;
}

/* Sorts pieces by their shapes. */
static bool sort_pieces(trn_exact *it, trn_exact_cut *cut)
{
    const size_t bytes = cut->piece_count * sizeof *cut->pieces;
    trn_exact_piece *sorted = tr_allocate(it->memory, bytes);
    uint32_t at = 0;
    if (sorted == NULL)
        return false;
    for (uint32_t s = 0; s < cut->shape_count; s++)
        for (uint32_t p = 0; p < cut->piece_count; p++)
            if (cut->pieces[p].shape == s)
                sorted[at++] = cut->pieces[p];
    memcpy(cut->pieces, sorted, bytes);
    tr_release(it->memory, sorted, bytes);
    return true;
}

/* Which node of the trunk each late node of the pieces is: `local` is that of bodies. */
static bool number_trunk(trn_exact *it, trn_exact_cut *cut, cutter *of)
{
    uint32_t late = 0, targets = 0;
    cut->body_count = cut->joint_count = 0;
    for (uint32_t b = 0; b < of->bodies; b++)
        if (of->cut[b]) {
            of->late[cut->body_count] = b;
            of->local[b] = cut->body_count++;
        }
    for (uint32_t p = 0; p < cut->piece_count; p++) {
        trn_exact_piece *piece = &cut->pieces[p];
        const trn_exact_shape *shape = &cut->shapes[piece->shape];
        const tr_program *program = &shape->program;
        const uint32_t count = program->column_count - program->soon_count;
        piece->first_late = late;
        piece->first_target = targets;
        if (!GROW(late, late_capacity, late + count))
            return false;
        for (uint32_t i = 0; i < count; i++) {
            const tr_program_column *column = &program->columns[program->soon_count + i];
            if (column->joint) {
                const uint32_t nth = cut->body_count + cut->joint_count++;
                of->late[nth] = of->bodies + cut->joints[piece->first_joint + column->node - shape->body_count];
                cut->late[late++] = nth;
            } else {
                cut->late[late++] = of->local[cut->bodies[piece->first_body + column->node]];
            }
            targets += 1 + column->count;
        }
    }
    return GROW(target, target_capacity, targets) && GROW(owner, trunk_capacity[0], cut->body_count) &&
           GROW(own, trunk_capacity[1], cut->body_count) &&
           GROW(number, trunk_capacity[2], cut->body_count + cut->joint_count);
}

/* which of the late nodes of a piece's program a block's is */
static uint32_t late_of(const tr_program *program, uint32_t block)
{
    uint32_t i = program->soon_count;
    while (program->columns[i].node != program->blocks[block].node)
        i++;
    return i - program->soon_count;
}

/* The trunk is what is left of the island when all other nodes are eliminated, in an order that knows what they hold. */
static tr_status plan_trunk(trn_exact *it, trn_exact_cut *cut, const cutter *of, uint32_t edges)
{
    const uint32_t nodes = of->bodies + of->joints, count = cut->body_count + cut->joint_count;
    bool *late = tr_allocate(it->memory, nodes);
    cut->sparse = tr_sparse_create(it->memory);
    tr_status status = late != NULL && cut->sparse != NULL ? TR_OK : TR_ERROR_MEMORY;
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        late[of->late[i]] = true;
    if (status == TR_OK)
        status = trn_exact_plan(it, cut->sparse, of->key, edges, late);
    if (status == TR_OK &&
        !tr_program_make(&cut->program, it->memory, cut->sparse, (size_t)nodes * TR_EXACT_LANES_TARGETS, true))
        status = TR_ERROR_MEMORY;
    tr_release(it->memory, late, nodes);
    return status;
}

/* Numbers the trunk's unknowns in the order of its nodes. */
static void number_unknowns(trn_exact_cut *cut, const cutter *of)
{
    tr_program *program = &cut->program;
    uint32_t number = 0;
    for (uint32_t i = program->early_count; i < program->column_count; i++)
        cut->number[of->nth[program->columns[i].node]] = program->columns[i].width;
    for (uint32_t i = 0; i < cut->body_count + cut->joint_count; i++) {
        const uint32_t width = cut->number[i];
        cut->number[i] = number;
        number += width;
    }
    program->number_count = number;
    for (uint32_t i = program->early_count; i < program->column_count; i++) {
        tr_program_column *column = &program->columns[i];
        column->number = cut->number[of->nth[column->node]];
        for (uint32_t b = 0; b < column->count; b++) {
            tr_program_block *block = &program->blocks[column->first + b];
            block->number = cut->number[of->nth[block->node]];
        }
    }
}

/* Where the blocks of late nodes are in the trunk, whose program has no others. */
static void place_trunk(trn_exact_cut *cut, const cutter *of)
{
    const uint32_t skipped = cut->program.skipped;
    bool turned;
    cut->program.soon_count = cut->program.column_count;
    for (uint32_t i = 0; i < cut->body_count + cut->joint_count; i++)
        of->nth[of->late[i]] = i;
    number_unknowns(cut, of);
    for (uint32_t t = 0; t < cut->body_count; t++)
        cut->own[t] = (uint32_t)tr_sparse_place(cut->sparse, of->late[t], of->late[t], &turned) - skipped;
    for (uint32_t p = cut->piece_count; p-- > 0;) {
        const trn_exact_piece *piece = &cut->pieces[p];
        const tr_program *program = &cut->shapes[piece->shape].program;
        const uint32_t *late = cut->late + piece->first_late, soon = program->soon_count;
        uint32_t *target = cut->target + piece->first_target;
        for (uint32_t i = soon; i < program->column_count; i++) {
            const tr_program_column *column = &program->columns[i];
            const uint32_t nth = late[i - soon], node = of->late[nth];
            if (nth < cut->body_count)
                cut->owner[nth] = p;
            *target++ = (uint32_t)(tr_sparse_place(cut->sparse, node, node, &turned) - skipped) * 2;
            for (uint32_t b = 0; b < column->count; b++) {
                const uint32_t other = of->late[late[late_of(program, column->first + b)]];
                const size_t at = tr_sparse_place(cut->sparse, other, node, &turned);
                *target++ = (uint32_t)(at - skipped) * 2 + (turned ? 1u : 0u);
            }
        }
    }
}

void trn_exact_cut_free(trn_exact *it, trn_exact_cut *cut)
{
    if (cut == NULL)
        return;
    tr_memory *m = it->memory;
    for (uint32_t s = 0; s < cut->shape_count; s++)
        trn_exact_shape_free(it, &cut->shapes[s]);
    tr_release(m, cut->shapes, cut->shape_capacity * sizeof *cut->shapes);
    tr_release(m, cut->pieces, cut->piece_capacity * sizeof *cut->pieces);
    tr_release(m, cut->bodies, cut->list_body_capacity * sizeof *cut->bodies);
    tr_release(m, cut->joints, cut->list_joint_capacity * sizeof *cut->joints);
    tr_release(m, cut->ends, cut->end_capacity * sizeof *cut->ends);
    tr_release(m, cut->late, cut->late_capacity * sizeof *cut->late);
    tr_release(m, cut->target, cut->target_capacity * sizeof *cut->target);
    tr_release(m, cut->owner, cut->trunk_capacity[0] * sizeof *cut->owner);
    tr_release(m, cut->own, cut->trunk_capacity[1] * sizeof *cut->own);
    tr_release(m, cut->number, cut->trunk_capacity[2] * sizeof *cut->number);
    tr_sparse_destroy(cut->sparse);
    tr_program_free(&cut->program, m);
    tr_release(m, cut, sizeof *cut);
}

tr_status trn_exact_cut_make(trn_exact *it, trn_exact_shape *shape, const uint32_t *key, uint32_t edges)
{
    cutter of = {.key = key, .bodies = key[0], .joints = key[1]};
    if (of.bodies + of.joints < CUT_FROM || shape->laws + shape->rubs > 0)
        return TR_OK;
    of.size = lay_out(&of, NULL);
    of.memory = tr_allocate(it->memory, of.size);
    trn_exact_cut *cut = tr_allocate(it->memory, sizeof *cut);
    tr_status status = of.memory != NULL && cut != NULL ? TR_OK : TR_ERROR_MEMORY;
    bool cuts = false;
    if (status == TR_OK) {
        (void)lay_out(&of, of.memory);
        cuts = read_key(&of);
    }
    if (cuts) {
        choose_cuts(&of);
        find_sets(&of);
        cuts = number_pieces(&of) && of.piece_count > 1;
    }
    if (cuts)
        status = add_pieces(it, cut, &of);
    cuts = cuts && status == TR_OK && is_worth_it(cut, of.bodies);
    if (cuts)
        status = sort_pieces(it, cut) && number_trunk(it, cut, &of) ? plan_trunk(it, cut, &of, edges) : TR_ERROR_MEMORY;
    /* each piece eliminates what it can by itself, and so does the whole */
    cuts = cuts && status == TR_OK && cut->program.column_count > 0 &&
           cut->program.column_count - cut->program.early_count == cut->body_count + cut->joint_count;
    if (cuts)
        place_trunk(cut, &of);
    tr_release(it->memory, of.memory, of.size);
    if (!cuts) {
        trn_exact_cut_free(it, cut);
        cut = NULL;
    }
    shape->cut = cut;
    return status;
}
