/*
 * A plain model of the graph that a plan was told, the checker that compares both, and random edits: what the tests of
 * plans share.
 */
#ifndef TR_TESTS_PLAN_MODEL_H
#define TR_TESTS_PLAN_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan_internal.h"

/*
 * An allocator that counts, and fails when it is told to
 */
typedef struct counted {
    size_t live;      /* blocks held */
    uint64_t calls;   /* allocations asked for */
    uint64_t failing; /* this one fails; 0: none */
    bool used_up;     /* and so do all after it */
} counted;

static inline void *heap_allocate(size_t size, size_t alignment, void *context)
{
    counted *it = context;
    it->calls++;
    if (it->calls == it->failing || (it->used_up && it->failing > 0 && it->calls > it->failing))
        return NULL;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    it->live += block != NULL;
    return block;
}

static inline void heap_release(void *block, size_t size, void *context)
{
    counted *it = context;
    (void)size;
    it->live -= block != NULL;
    free(block);
}

/*
 * The model: what the plan was told, as plainly as can be
 */
#define MAX_VERTICES 6000
#define MAX_EDGES    12000
#define KINDS        3

typedef struct model {
    struct {
        bool alive, moving;
    } vertices[MAX_VERTICES];
    struct {
        bool alive;
        uint32_t vertex[TR_ENDS], end_count, kind;
    } edges[MAX_EDGES];
    counted heap;
    tr_memory memory;
    tr_plan *plan;
    uint64_t random;
    uint32_t lasting; /* random edits neither remove nor fix vertices below this, and most edges are of one kind */
} model;

static inline model *model_create(uint32_t copy_capacity)
{
    model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    tr_memory_init(&m->memory, (tr_allocator){heap_allocate, heap_release, &m->heap});
    assert_int_equal(tr_plan_create(&m->memory, KINDS, copy_capacity, &m->plan), TR_OK);
    m->random = 1;
    return m;
}

static inline void model_destroy(model *m)
{
    tr_plan_destroy(m->plan);
    assert_int_equal(m->heap.live, 0);
    assert_int_equal(m->memory.bytes, 0);
    free(m);
}

/* splitmix64, so that the sequences are the same everywhere */
static inline uint32_t random_below(model *m, uint32_t limit)
{
    uint64_t z = m->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % limit);
}

static inline tr_status add_vertex(model *m, uint32_t vertex, bool moving)
{
    tr_status status = tr_plan_add_vertex(m->plan, vertex, moving);
    if (status == TR_OK) {
        m->vertices[vertex].alive = true;
        m->vertices[vertex].moving = moving;
    }
    return status;
}

/* what the plan was told of a new edge */
static inline void note_edge(model *m, uint32_t edge, const uint32_t *vertices, uint32_t end_count, uint32_t kind)
{
    m->edges[edge].alive = true;
    m->edges[edge].end_count = end_count;
    memcpy(m->edges[edge].vertex, vertices, end_count * sizeof *vertices);
    m->edges[edge].kind = kind;
}

static inline tr_status add_edge(model *m, uint32_t edge, uint32_t a, uint32_t b, uint32_t kind)
{
    tr_status status = tr_plan_add_edge(m->plan, edge, a, b, kind);
    if (status == TR_OK)
        note_edge(m, edge, (const uint32_t[]){a, b}, 2, kind);
    return status;
}

static inline tr_status add_hyperedge(model *m, uint32_t edge, const uint32_t *vertices, uint32_t end_count,
                                      uint32_t kind)
{
    tr_status status = tr_plan_add_hyperedge(m->plan, edge, vertices, end_count, kind);
    if (status == TR_OK)
        note_edge(m, edge, vertices, end_count, kind);
    return status;
}

static inline void remove_edge(model *m, uint32_t edge)
{
    tr_plan_remove_edge(m->plan, edge);
    m->edges[edge].alive = false;
}

static inline tr_status set_moving(model *m, uint32_t vertex, bool moving)
{
    tr_status status = tr_plan_set_moving(m->plan, vertex, moving);
    if (status == TR_OK)
        m->vertices[vertex].moving = moving;
    return status;
}

static inline tr_status set_kind(model *m, uint32_t edge, uint32_t kind)
{
    tr_status status = tr_plan_set_kind(m->plan, edge, kind);
    if (status == TR_OK)
        m->edges[edge].kind = kind;
    return status;
}

static inline uint32_t moving_ends(const model *m, uint32_t edge)
{
    uint32_t moving = 0;
    for (uint32_t end = 0; end < m->edges[edge].end_count; end++)
        moving += m->vertices[m->edges[edge].vertex[end]].moving;
    return moving;
}

/* which copy of the vertex at an end an edge has, by what the layout says */
static inline uint32_t copy_in_layout(const model *m, const tr_plan_span *span, uint32_t lane, uint32_t end)
{
    uint32_t copy = tr_plan_end_copy(m->plan, span->edges[lane], end);
    if (end < 2)
        assert_int_equal(tr_span_copy(span, lane, end), copy);
    return copy;
}

/*
 * The checker
 */

/* Every vertex's list holds each of its edges once, and nothing else. */
static inline void check_lists(const model *m)
{
    static uint8_t seen[TR_ENDS * MAX_EDGES];
    memset(seen, 0, sizeof seen);
    for (uint32_t v = 0; v < MAX_VERTICES; v++) {
        if (!m->vertices[v].alive)
            continue;
        uint32_t count = 0;
        for (uint32_t h = tr_plan_first(m->plan, v); h != TR_NONE; h = tr_plan_next(m->plan, h)) {
            uint32_t edge = tr_half_edge(h), end = tr_half_end(h);
            assert_true(m->edges[edge].alive && end < m->edges[edge].end_count);
            assert_int_equal(m->edges[edge].vertex[end], v);
            assert_int_equal(tr_plan_end(m->plan, edge, end), v);
            assert_int_equal(tr_plan_end_count(m->plan, edge), m->edges[edge].end_count);
            assert_int_equal(seen[h]++, 0);
            count++;
        }
        assert_int_equal(count, tr_plan_degree(m->plan, v));
    }
    for (uint32_t h = 0; h < TR_ENDS * MAX_EDGES; h++) {
        uint32_t edge = tr_half_edge(h);
        assert_int_equal(seen[h], m->edges[edge].alive && tr_half_end(h) < m->edges[edge].end_count);
    }
}

/* The masks and degrees of each copy say what the edges on it have; the emptiest copy is found. */
static inline void check_copies(const model *m)
{
    const tr_coloring *coloring = &m->plan->coloring;
    static tr_copy copies[MAX_EDGES];
    static uint32_t edges[MAX_EDGES];
    for (uint32_t v = 0; v < MAX_VERTICES; v++) {
        if (!m->vertices[v].alive)
            continue;
        uint32_t count = tr_copy_count(coloring, v), degree = 0, least = 0;
        assert_true(count >= 1 && count <= MAX_EDGES);
        assert_int_equal(tr_hub_of(coloring, v) == TR_NONE, count == 1);
        memset(copies, 0, count * sizeof *copies);
        memset(edges, 0, count * sizeof *edges);
        for (uint32_t h = tr_plan_first(m->plan, v); m->vertices[v].moving && h != TR_NONE;
             h = tr_plan_next(m->plan, h)) {
            uint32_t on = tr_end_copy(coloring, &m->plan->graph, tr_half_edge(h), tr_half_end(h));
            assert_true(on < count);
            tr_copy *copy = &copies[on];
            uint32_t color = tr_plan_color(m->plan, tr_half_edge(h));
            uint64_t bit = UINT64_C(1) << color % 64;
            assert_true((copy->taken[color / 64] & bit) == 0);
            copy->taken[color / 64] |= bit;
            edges[on]++;
        }
        for (uint32_t i = 0; i < count; i++) {
            const tr_copy *copy = tr_copy_at(coloring, v, i);
            assert_true(copy->taken[0] == copies[i].taken[0] && copy->taken[1] == copies[i].taken[1]);
            assert_int_equal(tr_copy_degree(copy), edges[i]);
            assert_true(edges[i] <= coloring->copy_capacity);
            degree += edges[i];
            if (edges[i] < edges[least])
                least = i;
        }
        assert_int_equal(degree, m->vertices[v].moving ? tr_plan_degree(m->plan, v) : 0);
        assert_int_equal(tr_copy_least(coloring, v), least);
        assert_true(count == 1 || edges[count - 1] > 0);
    }
}

static inline int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* the order of spans: TR_NONE, which stands for seams, and for seams in no strand, is the greatest number */
static inline bool comes_after(const tr_plan_span *span, const tr_plan_span *before)
{
    if (span->unit != before->unit)
        return span->unit > before->unit;
    if (span->strand != before->strand)
        return span->strand > before->strand;
    return span->color > before->color || (span->color == before->color && span->kind > before->kind);
}

/* No moving copy is in two strands, and no strand in a unit. */
static inline void check_strands(const model *m, const tr_plan_layout *layout)
{
    static uint64_t users[TR_ENDS * MAX_EDGES];
    uint32_t user_count = 0;
    for (uint32_t s = 0; s < layout->span_count && layout->hub_count > 0; s++) {
        const tr_plan_span *span = &layout->spans[s];
        assert_true(span->unit == TR_NONE || span->strand == TR_NONE);
        for (uint32_t lane = 0; lane < span->edge_count && span->strand != TR_NONE; lane++) {
            uint32_t edge = span->edges[lane];
            for (uint32_t end = 0; end < m->edges[edge].end_count; end++) {
                uint32_t v = m->edges[edge].vertex[end], copy = copy_in_layout(m, span, lane, end);
                if (m->vertices[v].moving)
                    users[user_count++] = (uint64_t)v << 40 | (uint64_t)copy << 16 | span->strand;
            }
        }
    }
    qsort(users, user_count, sizeof *users, compare_numbers);
    for (uint32_t i = 1; i < user_count; i++)
        assert_true(users[i - 1] == users[i] || users[i - 1] >> 16 != users[i] >> 16);
}

/* Whether all moving ends of an edge are in one unit. */
static inline bool one_unit(const model *m, uint32_t edge)
{
    uint32_t unit = TR_NONE, ends = 0;
    for (uint32_t end = 0; end < m->edges[edge].end_count; end++) {
        uint32_t v = m->edges[edge].vertex[end];
        if (!m->vertices[v].moving)
            continue;
        if (ends++ > 0 && tr_plan_unit(m->plan, v) != unit)
            return false;
        unit = tr_plan_unit(m->plan, v);
    }
    return unit != TR_NONE;
}

/* From the layout alone: no two edges of a colour have a moving copy in common; every edge has one lane. */
static inline void check_spans(const model *m, const tr_plan_layout *layout)
{
    static uint64_t users[TR_ENDS * MAX_EDGES];
    static uint8_t seen[MAX_EDGES];
    static uint32_t seam_ends[MAX_VERTICES];
    memset(seam_ends, 0, sizeof seam_ends);
    bool colored[TR_COLORS] = {false};
    memset(seen, 0, sizeof seen);
    uint32_t colors = 0, solved = 0, user_count = 0;
    for (uint32_t s = 0; s < layout->span_count; s++) {
        const tr_plan_span *span = &layout->spans[s];
        assert_true(span->edge_count > 0 && span->kind < KINDS && span->color < TR_COLORS);
        assert_true(s == 0 || comes_after(span, span - 1));
        assert_true(span->unit == TR_NONE || span->unit < tr_plan_unit_count(m->plan));
        colors += !colored[span->color];
        colored[span->color] = true;
        for (uint32_t lane = 0; lane < span->edge_count; lane++) {
            uint32_t edge = span->edges[lane];
            assert_true(m->edges[edge].alive && moving_ends(m, edge) > 0);
            assert_int_equal(seen[edge]++, 0);
            assert_int_equal(m->edges[edge].kind, span->kind);
            assert_int_equal(tr_plan_color(m->plan, edge), span->color);
            assert_int_equal(moving_ends(m, edge) >= 2, span->color < TR_COLORS_MOVING);
            for (uint32_t end = 0; end < m->edges[edge].end_count; end++) {
                uint32_t v = m->edges[edge].vertex[end], copy = copy_in_layout(m, span, lane, end);
                if (!m->vertices[v].moving) {
                    assert_int_equal(copy, 0);
                    continue;
                }
                users[user_count++] = (uint64_t)span->color << 48 | (uint64_t)v << 24 | copy;
                /* an edge is in the unit of its moving ends, and only where they have the same */
                uint32_t unit = tr_plan_unit(m->plan, v);
                if (span->unit != TR_NONE)
                    assert_int_equal(unit, span->unit);
                else if (unit != TR_NONE)
                    seam_ends[unit]++;
            }
            assert_int_equal(one_unit(m, edge), span->unit != TR_NONE);
        }
        solved += span->edge_count;
    }
    for (uint32_t unit = 0; unit < tr_plan_unit_count(m->plan); unit++)
        assert_int_equal(tr_plan_unit_seams(m->plan, unit), seam_ends[unit]);
    qsort(users, user_count, sizeof *users, compare_numbers);
    for (uint32_t i = 1; i < user_count; i++)
        assert_true(users[i - 1] != users[i]);
    assert_int_equal(layout->color_count, colors);
    assert_int_equal(layout->solved_edges, solved);
    for (uint32_t e = 0; e < MAX_EDGES; e++) {
        assert_int_equal(seen[e], m->edges[e].alive && moving_ends(m, e) > 0);
        if (m->edges[e].alive && moving_ends(m, e) == 0)
            assert_int_equal(tr_plan_color(m->plan, e), TR_NONE);
    }
}

/* Hubs by vertex; their copies in a row, none empty; the lanes name copies of the right vertex, as often as said. */
static inline void check_hubs(const model *m, const tr_plan_layout *layout)
{
    static uint32_t on_copy[MAX_EDGES], on_vertex[MAX_VERTICES];
    uint32_t next = 0, max_degree = 0;
    for (uint32_t h = 0; h < layout->hub_count; h++) {
        const tr_plan_hub *hub = &layout->hubs[h];
        assert_true(h == 0 || hub[-1].vertex < hub->vertex);
        assert_int_equal(hub->first_copy, next);
        assert_true(hub->copy_count >= 2);
        for (uint32_t i = 0; i + 1 < hub->copy_count; i++)
            assert_int_equal(layout->copies[next++].hub, h);
        assert_int_equal(hub->degree, tr_plan_degree(m->plan, hub->vertex));
    }
    assert_int_equal(layout->copy_count, next);
    memset(on_copy, 0, sizeof on_copy);
    memset(on_vertex, 0, sizeof on_vertex);
    for (uint32_t s = 0; s < layout->span_count; s++) {
        const tr_plan_span *span = &layout->spans[s];
        for (uint32_t lane = 0; lane < span->edge_count; lane++) {
            uint32_t edge = span->edges[lane];
            for (uint32_t end = 0; end < m->edges[edge].end_count; end++) {
                uint32_t v = m->edges[edge].vertex[end], copy = copy_in_layout(m, span, lane, end);
                on_vertex[v]++;
                if (copy == 0)
                    continue;
                assert_true(copy <= layout->copy_count);
                assert_int_equal(layout->hubs[layout->copies[copy - 1].hub].vertex, v);
                on_copy[copy - 1]++;
            }
        }
    }
    for (uint32_t i = 0; i < layout->copy_count; i++) {
        assert_true(layout->copies[i].degree >= 1);
        assert_int_equal(layout->copies[i].degree, on_copy[i]);
    }
    for (uint32_t v = 0; v < MAX_VERTICES; v++) {
        if (m->vertices[v].moving && on_vertex[v] > max_degree)
            max_degree = on_vertex[v];
    }
    assert_int_equal(layout->max_degree, max_degree);
}

/* Islands by handing the lowest number on along the edges until nothing changes. */
static inline void check_islands(const model *m)
{
    static uint32_t label[MAX_VERTICES], size[MAX_VERTICES];
    for (uint32_t v = 0; v < MAX_VERTICES; v++)
        label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < MAX_EDGES; e++) {
            if (!m->edges[e].alive || moving_ends(m, e) < 2)
                continue;
            uint32_t least = MAX_VERTICES;
            for (uint32_t end = 0; end < m->edges[e].end_count; end++) {
                uint32_t v = m->edges[e].vertex[end];
                if (m->vertices[v].moving && label[v] < least)
                    least = label[v];
            }
            for (uint32_t end = 0; end < m->edges[e].end_count; end++) {
                uint32_t v = m->edges[e].vertex[end];
                changed |= m->vertices[v].moving && label[v] != least;
                if (m->vertices[v].moving)
                    label[v] = least;
            }
        }
    }
    memset(size, 0, sizeof size);
    uint32_t count = 0, largest = 0;
    for (uint32_t v = 0; v < MAX_VERTICES; v++) {
        if (!m->vertices[v].moving)
            continue;
        count += size[label[v]]++ == 0;
        if (size[label[v]] > largest)
            largest = size[label[v]];
    }
    tr_plan_islands islands;
    assert_int_equal(tr_plan_islands_get(m->plan, &islands), TR_OK);
    assert_int_equal(islands.count, count);
    assert_int_equal(islands.largest, largest);
    for (uint32_t k = 0; k < TR_ISLAND_SIZES; k++) {
        uint32_t of_size = 0;
        for (uint32_t v = 0; v < MAX_VERTICES; v++)
            of_size += size[v] >> k == 1;
        assert_int_equal(islands.by_size[k], of_size);
    }
}

static inline const tr_plan_layout *check(const model *m)
{
    const tr_plan_layout *layout;
    assert_int_equal(tr_plan_layout_get(m->plan, &layout), TR_OK);
    check_lists(m);
    check_copies(m);
    check_spans(m, layout);
    check_strands(m, layout);
    check_hubs(m, layout);
    check_islands(m);
    return layout;
}

/* Everything that must not change when a call fails, and must be the same when the same calls are made again. */
static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3) ^ hash >> 29;
}

static inline uint64_t fingerprint(const model *m)
{
    const tr_plan *plan = m->plan;
    const tr_coloring *coloring = &plan->coloring;
    uint64_t hash = mix(mix(plan->version, plan->churn), plan->max_degree);
    hash = mix(mix(mix(hash, plan->graph.vertex_count), plan->graph.edge_count), coloring->solved_edges);
    for (uint32_t v = 0; v < MAX_VERTICES; v++) {
        if (!m->vertices[v].alive)
            continue;
        hash = mix(mix(hash, v), plan->graph.vertices[v].moving);
        for (uint32_t h = tr_plan_first(plan, v); h != TR_NONE; h = tr_plan_next(plan, h))
            hash = mix(hash, h);
        for (uint32_t i = 0; i < tr_copy_count(coloring, v); i++) {
            const tr_copy *copy = tr_copy_at(coloring, v, i);
            hash = mix(mix(hash, copy->taken[0]), copy->taken[1]);
        }
    }
    for (uint32_t s = 0; s < coloring->span_count; s++) {
        const tr_span *span = &coloring->spans[s];
        /* one that is empty is as good as none */
        if (span->count == 0)
            continue;
        hash = mix(mix(mix(mix(mix(hash, span->unit), span->strand), span->color), span->kind), span->count);
        for (uint32_t lane = 0; lane < span->count; lane++) {
            uint32_t edge = span->edges[lane];
            assert_int_equal(coloring->edges[edge].lane, lane);
            hash = mix(hash, edge);
            for (uint32_t end = 0; end < m->edges[edge].end_count; end++)
                hash = mix(hash, tr_end_copy(coloring, &plan->graph, edge, end));
        }
    }
    return mix(hash, coloring->hub_count);
}

static inline uint64_t layout_fingerprint(const tr_plan_layout *layout)
{
    uint64_t hash = mix(mix(layout->color_count, layout->copy_count), layout->hub_count);
    for (uint32_t s = 0; s < layout->span_count; s++) {
        const tr_plan_span *span = &layout->spans[s];
        hash = mix(mix(mix(mix(hash, span->unit), span->strand), span->color), span->kind);
        for (uint32_t lane = 0; lane < span->edge_count; lane++)
            hash = mix(mix(mix(hash, span->edges[lane]), tr_span_copy(span, lane, 0)), tr_span_copy(span, lane, 1));
    }
    for (uint32_t i = 0; i < layout->copy_count; i++)
        hash = mix(mix(hash, layout->copies[i].hub), layout->copies[i].degree);
    return hash;
}

/*
 * Random edits
 */
typedef struct mixture {
    uint32_t vertices, edges; /* slots in play */
    uint32_t hubs;            /* of the vertices, those that are half of all ends */
    bool optimizing;
    bool hyper;         /* half of the new edges have three or four ends, where they find them */
    uint32_t unit_size; /* as tr_plan_set_unit_size() takes it */
} mixture;

static inline uint32_t random_vertex(model *m, const mixture *range)
{
    return random_below(m, random_below(m, 2) == 0 ? range->hubs : range->vertices);
}

static inline uint32_t random_kind(model *m)
{
    return m->lasting > 0 && random_below(m, 20) > 0 ? 0 : random_below(m, KINDS);
}

/* a dozen edges at once: those that are there go, those that are not come */
static inline tr_status exchange(model *m, const mixture *range)
{
    uint32_t removed[12] = {0}, removed_count = 0, added_count = 0, first = random_below(m, range->edges);
    tr_plan_edge added[12] = {0};
    for (uint32_t i = 0; i < 12 && i < range->edges; i++) {
        uint32_t edge = (first + i) % range->edges;
        uint32_t a = random_vertex(m, range), b = random_vertex(m, range);
        if (m->edges[edge].alive)
            removed[removed_count++] = edge;
        else if (a != b && m->vertices[a].alive && m->vertices[b].alive)
            added[added_count++] = (tr_plan_edge){edge, a, b, random_kind(m)};
    }
    tr_status status = tr_plan_exchange(m->plan, removed, removed_count, added, added_count);
    for (uint32_t i = 0; status == TR_OK && i < removed_count; i++)
        m->edges[removed[i]].alive = false;
    for (uint32_t i = 0; status == TR_OK && i < added_count; i++) {
        const uint32_t vertices[2] = {added[i].vertex_a, added[i].vertex_b};
        note_edge(m, added[i].edge, vertices, 2, added[i].kind);
    }
    return status;
}

/* up to two more ends, different from those there are */
static inline tr_status add_random_edge(model *m, const mixture *range, uint32_t edge, uint32_t a, uint32_t b,
                                        uint32_t kind)
{
    uint32_t vertices[TR_ENDS] = {a, b}, count = 2, more = range->hyper ? random_below(m, 4) : 0;
    for (uint32_t i = 0; i < more; i++) {
        uint32_t vertex = random_vertex(m, range);
        bool known = !m->vertices[vertex].alive || count == TR_ENDS;
        for (uint32_t end = 0; end < count; end++)
            known |= vertices[end] == vertex;
        if (!known)
            vertices[count++] = vertex;
    }
    return count == 2 ? add_edge(m, edge, a, b, kind) : add_hyperedge(m, edge, vertices, count, kind);
}

/* plans afresh at once; or begins to do it in parts, or goes on, or finishes */
static inline tr_status plan_afresh(model *m)
{
    uint32_t choice = random_below(m, 5), parts = random_below(m, TR_PLAN_PARTS + 1);
    if (choice == 0)
        return tr_plan_optimize(m->plan, NULL);
    if (choice == 1 || !tr_plan_is_begun(m->plan))
        return tr_plan_begin(m->plan);
    return choice == 2 ? tr_plan_continue(m->plan, parts) : tr_plan_finish(m->plan, NULL);
}

static inline tr_status random_edit(model *m, const mixture *range)
{
    uint32_t dice = random_below(m, 1000);
    uint32_t edge = random_below(m, range->edges);
    uint32_t vertex = random_vertex(m, range), other = random_vertex(m, range);
    uint32_t kind = random_kind(m);
    if (dice < 10 && range->optimizing)
        return plan_afresh(m);
    if (dice < 60 && vertex < m->lasting && m->vertices[vertex].alive)
        return TR_OK;
    if (dice < 25 && m->vertices[vertex].alive)
        return set_moving(m, vertex, !m->vertices[vertex].moving);
    if (dice < 60 && m->vertices[vertex].alive) {
        while (tr_plan_degree(m->plan, vertex) > 0)
            remove_edge(m, tr_half_edge(tr_plan_first(m->plan, vertex)));
        tr_plan_remove_vertex(m->plan, vertex);
        m->vertices[vertex].alive = m->vertices[vertex].moving = false;
        return TR_OK;
    }
    if (!m->vertices[vertex].alive)
        return add_vertex(m, vertex, random_below(m, 5) > 0);
    if (dice < 150)
        return exchange(m, range);
    if (m->edges[edge].alive && dice < 300)
        return set_kind(m, edge, kind);
    if (m->edges[edge].alive) {
        remove_edge(m, edge);
        return TR_OK;
    }
    if (vertex == other || !m->vertices[other].alive)
        return TR_OK;
    return add_random_edge(m, range, edge, vertex, other, kind);
}

#endif
