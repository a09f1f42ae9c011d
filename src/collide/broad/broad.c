#include "collide/broad/broad.h"
#include "collide/broad/broad_keep.h"

#include <string.h>

#define CHUNK       64  /* moved proxies per unit of work */
#define CHUNK_PAIRS 256 /* new pairs of a chunk for which there is room; a chunk with more is searched again */

/* proxies searched together, and leaves of a node: a bit for each pair */
#define PAIRS_AT_ONCE (TR2_TREE_WIDTH * TR2_TREE_WIDTH)
_Static_assert(PAIRS_AT_ONCE == 64, "the pairs of a node are a word of 64 bits");

void tr2_broad_init(tr2_broad *broad, tr_memory *memory)
{
    memset(broad, 0, sizeof *broad);
    broad->memory = memory;
    tr2_tree_init(&broad->trees[0], memory);
    tr2_tree_init(&broad->trees[1], memory);
}

void tr2_broad_free(tr2_broad *broad)
{
    if (broad->memory == NULL)
        return;
    tr2_tree_free(&broad->trees[0]);
    tr2_tree_free(&broad->trees[1]);
    tr_release(broad->memory, broad->boxes, broad->box_capacity * sizeof *broad->boxes);
    tr_release(broad->memory, broad->former, broad->former_capacity * sizeof *broad->former);
    tr_release(broad->memory, broad->places, broad->place_capacity * sizeof *broad->places);
    tr_release(broad->memory, broad->families, broad->family_capacity * sizeof *broad->families);
    tr_release(broad->memory, broad->states, broad->state_capacity * sizeof *broad->states);
    tr_release(broad->memory, broad->marks, broad->mark_capacity * sizeof *broad->marks);
    tr_release(broad->memory, broad->moved, broad->moved_capacity * sizeof *broad->moved);
    tr_release(broad->memory, broad->found, broad->found_capacity * sizeof *broad->found);
    tr_release(broad->memory, broad->found_counts, broad->chunk_capacity * sizeof *broad->found_counts);
    tr_release(broad->memory, broad->pairs, broad->pair_capacity * sizeof *broad->pairs);
    memset(broad, 0, sizeof *broad);
}

/* for all proxies for which there is room */
static bool reserve_marks(tr2_broad *broad)
{
    const uint32_t proxies = broad->state_capacity, spans = proxies / TR2_BROAD_SPAN + (proxies % TR2_BROAD_SPAN != 0);
    return tr_grow(broad->memory, (void **)&broad->marks, &broad->mark_capacity, spans, sizeof *broad->marks);
}

bool tr2_broad_reserve(tr2_broad *broad, uint32_t count)
{
    tr_memory *m = broad->memory;
    return tr_grow(m, (void **)&broad->boxes, &broad->box_capacity, count, sizeof *broad->boxes) &&
           tr_grow(m, (void **)&broad->former, &broad->former_capacity, count, sizeof *broad->former) &&
           tr_grow(m, (void **)&broad->places, &broad->place_capacity, count, sizeof *broad->places) &&
           tr_grow(m, (void **)&broad->families, &broad->family_capacity, count, sizeof *broad->families) &&
           tr_grow(m, (void **)&broad->states, &broad->state_capacity, count, sizeof *broad->states) &&
           reserve_marks(broad);
}

bool tr2_broad_mark_all(tr2_broad *broad)
{
    if (!reserve_marks(broad))
        return false;
    for (uint32_t proxy = 0; proxy < broad->state_capacity; proxy++) {
        if ((broad->states[proxy] & TR2_PROXY_MOVED) != 0)
            tr2_broad_mark(broad, proxy);
    }
    return true;
}

/* room for leaves in a tree whose holes are closed before they come */
static bool reserve_leaves(tr2_tree *tree, uint32_t more)
{
    uint32_t holes = tr2_tree_has_holes(tree) ? tree->leaf_count - tree->proxy_count : 0;
    return more <= holes || tr2_tree_reserve(tree, more - holes);
}

bool tr2_broad_reserve_leaves(tr2_broad *broad, uint32_t fixed, uint32_t moving)
{
    return reserve_leaves(&broad->trees[0], fixed) && reserve_leaves(&broad->trees[1], moving);
}

void tr2_broad_close_holes(tr2_broad *broad)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (tr2_tree_has_holes(&broad->trees[i]))
            tr2_tree_update(&broad->trees[i], broad->boxes, broad->places);
    }
}

void tr2_broad_show(tr2_broad *broad, uint32_t proxy)
{
    uint32_t state = broad->states[proxy], in = TR2_PROXY_IN(state), kind = TR2_PROXY_KIND(state);
    if (in == TR2_PROXY_NONE) {
        in = kind;
        broad->places[proxy] = tr2_tree_add(&broad->trees[in - 1], proxy, &broad->boxes[proxy]);
        broad->states[proxy] = (uint8_t)(state | in);
    } else {
        tr2_tree_move(&broad->trees[in - 1], broad->places[proxy], &broad->boxes[proxy]);
    }
    tr2_tree_show(&broad->trees[in - 1], broad->places[proxy]);
}

void tr2_broad_switch(tr2_broad *broad, uint32_t proxy, bool moving)
{
    uint32_t state = broad->states[proxy], in = TR2_PROXY_IN(state);
    uint32_t kind = moving ? TR2_PROXY_MOVING : TR2_PROXY_FIXED;
    state = (state & (TR2_PROXY_MOVED | TR2_PROXY_ASKED)) | kind << 2;
    if (in != kind) {
        tr2_tree_remove(&broad->trees[in - 1], broad->places[proxy]);
        broad->places[proxy] = tr2_tree_add(&broad->trees[kind - 1], proxy, &broad->boxes[proxy]);
        tr2_tree_show(&broad->trees[kind - 1], broad->places[proxy]);
    }
    broad->states[proxy] = (uint8_t)(state | kind);
}

void tr2_broad_remove(tr2_broad *broad, uint32_t proxy)
{
    uint32_t in = TR2_PROXY_IN(broad->states[proxy]);
    if (in != TR2_PROXY_NONE)
        tr2_tree_remove(&broad->trees[in - 1], broad->places[proxy]);
    broad->states[proxy] = 0;
}

/*
 * The trees
 */

#define BYTES_AT_ONCE 8u
_Static_assert(TR2_BROAD_SPAN % BYTES_AT_ONCE == 0, "words of states lie in one span");

uint32_t tr2_broad_next_marked(const tr2_broad *broad, uint32_t span)
{
    const uint32_t end = broad->mark_capacity;
    uint64_t some = 0;
    for (; end - span >= BYTES_AT_ONCE; span += BYTES_AT_ONCE) {
        memcpy(&some, broad->marks + span, sizeof some);
        if (some != 0)
            break;
    }
    while (span < end && broad->marks[span] == 0)
        span++;
    return span;
}

/* whether some of BYTES_AT_ONCE proxies was set */
static inline bool some_moved(const uint8_t *states)
{
    uint64_t some;
    memcpy(&some, states, sizeof some);
    return (some & TR2_PROXY_MOVED * UINT64_C(0x0101010101010101)) != 0;
}

/* Lists the proxies of a span that were set. Writes each proxy, and the next one over it if it has not moved: a branch
   would often be mispredicted. */
static uint32_t list_span(const tr2_broad *broad, uint32_t span, uint32_t *moved)
{
    uint32_t count = 0, last = tr2_broad_span_end(broad, span);
    for (uint32_t first = span * TR2_BROAD_SPAN; first < last; first += BYTES_AT_ONCE) {
        uint32_t end = last - first < BYTES_AT_ONCE ? last : first + BYTES_AT_ONCE;
        if (end == first + BYTES_AT_ONCE && !some_moved(broad->states + first))
            continue;
        for (uint32_t proxy = first; proxy < end; proxy++) {
            moved[count] = proxy;
            count += broad->states[proxy] / TR2_PROXY_MOVED % 2;
        }
    }
    return count;
}

/* lists the proxies that were set, and takes back the marks of spans where none was */
static void list_moved(tr2_broad *broad)
{
    uint32_t count = 0;
    for (uint32_t span = tr2_broad_next_marked(broad, 0); span < broad->mark_capacity;
         span = tr2_broad_next_marked(broad, span + 1)) {
        uint32_t more = list_span(broad, span, broad->moved + count);
        broad->marks[span] = more > 0;
        count += more;
    }
    broad->moved_count = count;
}

/* the same, and makes room in the trees for new ones */
static bool collect(tr2_broad *broad)
{
    uint32_t added[2] = {0, 0};
    if (!tr_grow(broad->memory, (void **)&broad->moved, &broad->moved_capacity, broad->state_capacity + 1,
                 sizeof *broad->moved))
        return false;
    list_moved(broad);
    for (uint32_t i = 0; i < broad->moved_count; i++) {
        uint32_t state = broad->states[broad->moved[i]];
        added[TR2_PROXY_KIND(state) - 1] += TR2_PROXY_IN(state) != TR2_PROXY_KIND(state);
    }
    return tr2_tree_reserve(&broad->trees[0], added[0]) && tr2_tree_reserve(&broad->trees[1], added[1]);
}

/* `again`: the trees have been updated since pairs were last settled. Boxes that they already have are then not
   changes: a tree that counted these twice would be sorted earlier, and a step that is repeated would find its pairs in
   another order. */
static void update_trees(tr2_broad *broad, bool again)
{
    for (uint32_t i = 0; i < broad->moved_count; i++) {
        uint32_t proxy = broad->moved[i], state = broad->states[proxy];
        uint32_t in = TR2_PROXY_IN(state), kind = TR2_PROXY_KIND(state);
        if (in == kind) {
            tr2_tree *tree = &broad->trees[in - 1];
            if (!again || !tr2_tree_has(tree, broad->places[proxy], &broad->boxes[proxy]))
                tr2_tree_move(tree, broad->places[proxy], &broad->boxes[proxy]);
            continue;
        }
        if (in != TR2_PROXY_NONE)
            tr2_tree_remove(&broad->trees[in - 1], broad->places[proxy]);
        broad->places[proxy] = tr2_tree_add(&broad->trees[kind - 1], proxy, &broad->boxes[proxy]);
        broad->states[proxy] = (uint8_t)(kind | kind << 2 | TR2_PROXY_MOVED);
    }
    /* update both, so that either can be searched */
    for (uint32_t i = 0; i < 2; i++)
        tr2_tree_update(&broad->trees[i], broad->boxes, broad->places);
}

/* Sorts moved proxies by leaf instead of by number if many have moved. Those of a node of leaves are then searched
   together, successive searches visit the same nodes, and their pairs are close together in memory. */
static void order_moved(tr2_broad *broad)
{
    uint32_t leaves = broad->trees[0].leaf_count - broad->resting + broad->trees[1].leaf_count, fixed = 0;
    if (broad->moved_count < leaves / 8)
        return;
    for (uint32_t i = 0; i < broad->moved_count; i++)
        fixed += TR2_PROXY_IN(broad->states[broad->moved[i]]) == TR2_PROXY_FIXED;
    uint32_t count = 0;
    /* mostly none of the fixed ones has been set, and there may be very many */
    for (uint32_t i = fixed > 0 ? 0 : 1; i < 2; i++) {
        const tr2_tree *tree = &broad->trees[i];
        for (uint32_t place = 0; place < tree->leaf_count; place++) {
            uint32_t proxy = tree->proxies[place];
            if (proxy == TR2_TREE_HOLE)
                continue;
            broad->moved[count] = proxy;
            count += broad->states[proxy] / TR2_PROXY_MOVED % 2;
        }
    }
}

void tr2_broad_update(tr2_broad *broad)
{
    list_moved(broad);
    update_trees(broad, false);
}

/*
 * Pairs
 */
typedef struct search {
    const tr2_broad *broad;
    tr2_broad_accept_fn *accept;
    const void *context;
    const uint32_t *proxies; /* whose pairs are searched together */
    bool moving;
    tr2_proxy_pair *out;
    uint32_t count, capacity; /* pairs found; those that fit are written */
} search;

/* the box of a proxy when pairs were last settled, if all its pairs were known then; without branches, as below */
static const tr2_box *former_box(const tr2_broad *broad, uint32_t proxy)
{
    const tr2_box *const boxes[2] = {broad->boxes, broad->former};
    return boxes[broad->states[proxy] / TR2_PROXY_MOVED % 2] + proxy;
}

static bool was_known(const tr2_broad *broad, uint32_t proxy)
{
    return (broad->states[proxy] & (TR2_PROXY_MOVED | TR2_PROXY_ASKED)) != TR2_PROXY_MOVED;
}

/* whether a pair is new and wanted */
static bool is_new(const search *it, uint32_t a, uint32_t b)
{
    const tr2_broad *broad = it->broad;
    bool known = was_known(broad, a) && was_known(broad, b);
    return !(known && tr2_boxes_overlap(former_box(broad, a), former_box(broad, b))) &&
           it->accept(it->context, a, b, known);
}

/* adds a pair if it is new and wanted */
static void look_at(search *it, uint32_t proxy, uint32_t other)
{
    const tr2_broad *broad = it->broad;
    uint32_t a = other < proxy ? other : proxy, b = other < proxy ? proxy : other;
    if (!tr2_boxes_overlap(&broad->boxes[a], &broad->boxes[b]) || !is_new(it, a, b))
        return;
    if (it->count < it->capacity)
        it->out[it->count] = (tr2_proxy_pair){a, b};
    it->count++;
}

/* Whether a search is to look at a pair; without branches, because what is near follows no pattern. */
static bool is_candidate(const search *it, uint32_t proxy, uint32_t other)
{
    const tr2_broad *broad = it->broad;
    const uint32_t moved = TR2_PROXY_MOVED | TR2_PROXY_MOVING << 2;
    uint32_t family = broad->families[other];
    /* most neighbours are of the same family where there are any */
    bool related = (family != 0) & (family == broad->families[proxy]);
    /* if both proxies were set, only one reports the pair: the moving one, or of two of a kind the lower number */
    bool set = (broad->states[other] & TR2_PROXY_MOVED) != 0;
    bool moves = (broad->states[other] & (TR2_PROXY_MOVED | 3u << 2)) == moved;
    bool told = set & (moves == it->moving ? other < proxy : moves);
    return !((other == proxy) | related | told);
}

static void look_at_leaves(void *context, const uint32_t *others, uint64_t bits)
{
    search *it = context;
    uint32_t proxies[PAIRS_AT_ONCE], near[PAIRS_AT_ONCE], count = 0;
    for (; bits != 0; bits &= bits - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(bits);
        proxies[count] = it->proxies[bit / TR2_TREE_WIDTH];
        near[count] = others[bit % TR2_TREE_WIDTH];
        count += is_candidate(it, proxies[count], near[count]);
    }
    for (uint32_t i = 0; i < count; i++)
        look_at(it, proxies[i], near[i]);
}

/* a number for the moved proxies that are searched together: the node of their leaves, if they move */
static uint32_t group_of(const tr2_broad *broad, uint32_t proxy)
{
    bool moving = TR2_PROXY_KIND(broad->states[proxy]) == TR2_PROXY_MOVING;
    return moving ? broad->places[proxy] / TR2_TREE_WIDTH : TR2_TREE_HOLE;
}

/* finds the pairs of one chunk of moved proxies */
static void search_chunk(search *it, uint32_t chunk)
{
    const tr2_broad *broad = it->broad;
    uint32_t first = chunk * CHUNK;
    uint32_t end = broad->moved_count - first < CHUNK ? broad->moved_count : first + CHUNK;
    while (first < end) {
        const tr2_box *boxes[TR2_TREE_WIDTH];
        uint32_t group = group_of(broad, broad->moved[first]), count = 0;
        it->proxies = &broad->moved[first];
        do
            boxes[count++] = &broad->boxes[broad->moved[first++]];
        while (first < end && group != TR2_TREE_HOLE && count < TR2_TREE_WIDTH &&
               group_of(broad, broad->moved[first]) == group);
        it->moving = group != TR2_TREE_HOLE;
        if (it->moving || broad->resting > 0)
            tr2_tree_query_shared(&broad->trees[0], boxes, count, look_at_leaves, it);
        tr2_tree_query_shared(&broad->trees[1], boxes, count, look_at_leaves, it);
    }
}

static void find_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    search it = *(const search *)context;
    it.out = it.broad->found + (size_t)chunk * CHUNK_PAIRS;
    it.capacity = CHUNK_PAIRS;
    search_chunk(&it, chunk);
    it.broad->found_counts[chunk] = it.count;
}

/* concatenates the chunks' pairs; searches a chunk again if it found more than it had room for */
static bool gather(tr2_broad *broad, const search *query, uint32_t chunks)
{
    uint64_t total = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        total += broad->found_counts[chunk];
    broad->too_many = total > INT32_MAX;
    if (broad->too_many ||
        !tr_grow(broad->memory, (void **)&broad->pairs, &broad->pair_capacity, (uint32_t)total, sizeof *broad->pairs))
        return false;
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t more = broad->found_counts[chunk];
        if (more == 0)
            continue;
        if (more <= CHUNK_PAIRS) {
            memcpy(broad->pairs + count, broad->found + (size_t)chunk * CHUNK_PAIRS, more * sizeof *broad->pairs);
        } else {
            search it = *query;
            it.out = broad->pairs + count;
            it.capacity = more;
            search_chunk(&it, chunk);
        }
        count += more;
    }
    broad->pair_count = count;
    return true;
}

bool tr2_broad_find(tr2_broad *broad, tr2_broad_kept *kept, tr_team *team, uint32_t workers,
                    tr2_broad_accept_fn *accept, const void *context)
{
    broad->pair_count = 0;
    broad->too_many = false;
    if (!collect(broad))
        return false;
    if (kept != NULL && (broad->moved_count > 0 || broad->trees[1].stale) && !tr2_broad_keep_moving(broad, kept))
        return false;
    bool again = broad->unsettled;
    broad->unsettled = true;
    update_trees(broad, again);
    order_moved(broad);
    uint32_t chunks = broad->moved_count / CHUNK + (broad->moved_count % CHUNK != 0);
    if (chunks == 0)
        return true;
    broad->too_many = chunks > INT32_MAX / CHUNK_PAIRS;
    if (broad->too_many ||
        !tr_grow(broad->memory, (void **)&broad->found, &broad->found_capacity, chunks * CHUNK_PAIRS,
                 sizeof *broad->found) ||
        !tr_grow(broad->memory, (void **)&broad->found_counts, &broad->chunk_capacity, chunks,
                 sizeof *broad->found_counts) ||
        tr_team_reserve(team, 1, chunks) != TR_OK)
        return false;
    search query = {.broad = broad, .accept = accept, .context = context};
    tr_team_run_stage(team, find_chunk, chunks, workers, &query);
    return gather(broad, &query, chunks);
}

void tr2_broad_settle(tr2_broad *broad)
{
    for (uint32_t i = 0; i < broad->moved_count; i++)
        broad->states[broad->moved[i]] &= (uint8_t) ~(TR2_PROXY_MOVED | TR2_PROXY_ASKED);
    broad->moved_count = 0;
    broad->unsettled = false;
}
