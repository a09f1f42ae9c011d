/*
 * The sparse solver of the equations of motion: random systems of bodies and joints of the plane, the rank of their rows
 * by dense elimination; orders; memory.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "allocator.h"
#include "dynamics/order.h"
#include "dynamics/sparse.h"
#include "instrumented.h"
#include "random.h"

enum { NODES_MOST = 240, NUMBERS_MOST = NODES_MOST * 3 };

static double between(uint64_t *seed)
{
    random_step(seed);
    return (double)(int32_t)(*seed >> 32) * 0x1p-31;
}

/* bodies of the plane and joints between them, sparse and dense */
typedef struct pair_of_systems {
    tr_sparse_shape shape;
    uint32_t numbers;
    uint8_t size[NODES_MOST];
    bool grounded[NODES_MOST], early[NODES_MOST], late[NODES_MOST];
    uint32_t first[NODES_MOST];
    tr_sparse_edge edges[4 * NODES_MOST];
    double dense[NUMBERS_MOST][NUMBERS_MOST], least[NUMBERS_MOST];
} pair_of_systems;

/* a point, one direction of it, or a point and an angle, between two bodies or of one body and the ground; `copies`:
   how often it is there. Of every second system some bodies are eliminated first. `hubs`: bodies of which one has two of
   three joints, which are many then. */
static void make(pair_of_systems *s, uint64_t *seed, uint32_t copies, uint32_t hubs)
{
    memset(s, 0, sizeof *s);
    const uint32_t bodies = hubs > 0 ? 40 + random_index(seed, 20) : 1 + random_index(seed, 16);
    const uint32_t joints = hubs > 0 ? (NODES_MOST - bodies) / copies : random_index(seed, copies > 1 ? 8 : 24);
    const uint32_t nodes = bodies + copies * joints;
    double x[NODES_MOST], y[NODES_MOST];
    for (uint32_t i = 0; i < nodes; i++) {
        s->size[i] = (uint8_t)(i < bodies ? 3 : i >= bodies + joints ? s->size[i - joints] : 1 + random_index(seed, 3));
        s->first[i] = s->numbers;
        s->numbers += s->size[i];
    }
    for (uint32_t i = 0; i < bodies; i++) {
        x[i] = 3.0 * between(seed);
        y[i] = 3.0 * between(seed);
        for (uint32_t k = 0; k < 3; k++)
            s->dense[s->first[i] + k][s->first[i] + k] = k < 2 ? 1.0 + 0.1 * i : 0.5;
    }
    uint32_t edge_count = 0;
    for (uint32_t j = bodies; j < bodies + joints; j++) {
        uint32_t ends[2] = {random_index(seed, bodies), random_index(seed, bodies + 1)};
        if (hubs > 0 && random_index(seed, 3) > 0)
            ends[0] = random_index(seed, hubs);
        if (hubs > 0 && ends[1] == bodies && random_index(seed, 8) > 0)
            ends[1] = random_index(seed, bodies);
        const double qx = 3.0 * between(seed), qy = 3.0 * between(seed);
        for (uint32_t copy = 0; copy < copies; copy++) {
            const uint32_t node = j + copy * joints;
            s->grounded[node] = ends[1] == ends[0] || ends[1] == bodies;
            for (uint32_t e = 0; e < 2; e++) {
                const uint32_t body = ends[e];
                if (body == bodies || (e == 1 && body == ends[0]))
                    continue;
                s->edges[edge_count++] = (tr_sparse_edge){body, node, random_index(seed, 4) > 0};
                const double sign = e == 0 ? 1.0 : -1.0;
                const double rows[3][3] = {{1.0, 0.0, -(qy - y[body])}, {0.0, 1.0, qx - x[body]}, {0.0, 0.0, 1.0}};
                for (uint32_t r = 0; r < s->size[j]; r++)
                    for (uint32_t k = 0; k < 3; k++) {
                        uint32_t row = s->first[body] + k, column = s->first[node] + r;
                        s->dense[row][column] = s->dense[column][row] = sign * rows[r][k];
                    }
            }
        }
    }
    for (uint32_t i = 3 * bodies; i < s->numbers; i++)
        for (uint32_t k = 0; k < 3 * bodies; k++)
            s->least[i] += 1e-8 * s->dense[i][k] * s->dense[i][k] / s->dense[k][k];
    const bool early = random_index(seed, 2) > 0;
    for (uint32_t i = 0; i < bodies; i++)
        s->early[i] = random_index(seed, 3) > 0 && (hubs == 0 || i >= hubs || random_index(seed, 4) == 0);
    /* bodies that are eliminated first cannot be late */
    const bool late = random_index(seed, 2) > 0;
    for (uint32_t i = 0; i < nodes; i++)
        s->late[i] = !(early && i < bodies && s->early[i]) && random_index(seed, 4) == 0;
    s->shape = (tr_sparse_shape){nodes,
                                 bodies,
                                 s->size,
                                 s->grounded,
                                 early ? s->early : NULL,
                                 s->edges,
                                 edge_count,
                                 late ? s->late : NULL,
                                 random_index(seed, 2) > 0};
}

/* the rank of J M^-1 J^T, by elimination with the greatest pivots; NUMBERS_MOST if it is not clear */
static uint32_t rank_of(const pair_of_systems *s)
{
    static double a[NUMBERS_MOST][NUMBERS_MOST];
    const uint32_t begin = 3 * s->shape.body_count, n = s->numbers - begin;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            a[i][k] = 0.0;
            for (uint32_t m = 0; m < begin; m++)
                a[i][k] += s->dense[begin + i][m] * s->dense[begin + k][m] / s->dense[m][m];
        }
    bool used[NUMBERS_MOST] = {false};
    for (uint32_t rank = 0;; rank++) {
        uint32_t best = n;
        for (uint32_t i = 0; i < n; i++)
            if (!used[i] && (best == n || a[i][i] > a[best][best]))
                best = i;
        if (best == n || a[best][best] < 1e-12)
            return rank;
        if (a[best][best] < 1e-6)
            return NUMBERS_MOST;
        used[best] = true;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < n && !used[i]; k++)
                if (!used[k])
                    a[i][k] -= a[i][best] * a[best][k] / a[best][best];
    }
}

static void fill(tr_factor *factor, const tr_sparse *sparse, const pair_of_systems *s, double e)
{
    double block[TR_SPARSE_SIZE * TR_SPARSE_SIZE];
    assert_true(tr_factor_reserve(factor, sparse));
    tr_factor_begin(factor, sparse);
    for (uint32_t i = 0; i < s->shape.node_count; i++) {
        for (uint32_t r = 0; r < s->size[i]; r++)
            for (uint32_t c = 0; c < s->size[i]; c++)
                block[r * s->size[i] + c] =
                    s->dense[s->first[i] + r][s->first[i] + c] - (i >= s->shape.body_count && r == c ? e : 0.0);
        tr_factor_add(factor, i, i, block);
    }
    for (uint32_t k = 0; k < s->shape.edge_count; k++) {
        uint32_t a = s->edges[k].a, b = s->edges[k].b;
        for (uint32_t r = 0; r < s->size[a]; r++)
            for (uint32_t c = 0; c < s->size[b]; c++)
                block[r * s->size[b] + c] = s->dense[s->first[a] + r][s->first[b] + c];
        tr_factor_add(factor, a, b, block);
    }
}

/* the greatest of K x - right relative to x */
static double residual(const pair_of_systems *s, const double *x, const double *right, double e)
{
    double worst = 0.0, greatest = 1.0;
    for (uint32_t i = 0; i < s->numbers; i++)
        greatest = fmax(greatest, fabs(x[i]));
    for (uint32_t i = 0; i < s->numbers; i++) {
        double sum = -right[i] - (i >= 3 * s->shape.body_count ? e * x[i] : 0.0);
        for (uint32_t k = 0; k < s->numbers; k++)
            sum += s->dense[i][k] * x[k];
        worst = fmax(worst, fabs(sum));
    }
    return worst / greatest;
}

static void begin(tr_memory *memory, tr_sparse **sparse, tr_factor **factor)
{
    tr_memory_init(memory, (tr_allocator){NULL, NULL, NULL});
    *sparse = tr_sparse_create(memory);
    *factor = tr_factor_create(memory);
    assert_non_null(*sparse);
    assert_non_null(*factor);
}

static void finish(const tr_memory *memory, tr_sparse *sparse, tr_factor *factor)
{
    tr_factor_destroy(factor);
    tr_sparse_destroy(sparse);
    assert_int_equal(memory->bytes, 0);
}

/*
 * As many rows are left out as others hold already, whatever the order; and the solution satisfies the system, also that
 * with rows that are left out if it can: where accelerations that exist ask for it.
 */
static void solutions_satisfy_the_system(void **state)
{
    (void)state;
    static pair_of_systems s;
    tr_memory memory;
    tr_sparse *sparse;
    tr_factor *factor;
    begin(&memory, &sparse, &factor);
    uint64_t seed = 11;
    uint32_t regular = 0, singular = 0;
    for (int round = 0; round < (int)TRIALS(3000); round++) {
        const bool many = round % 300 == 1;
        make(&s, &seed, 1 + (uint32_t)(round % 5 == 0), many ? 1 + random_index(&seed, 2) : 0);
        const uint32_t rows = s.numbers - 3 * s.shape.body_count, rank = rank_of(&s);
        if (rank == NUMBERS_MOST)
            continue;
        assert_int_equal(tr_sparse_plan(sparse, &s.shape), TR_OK);
        /* e alone makes every system regular */
        const double e = round % 3 == 0 ? 0.1 : 0.0;
        fill(factor, sparse, &s, e);
        uint32_t lost = tr_factor_make(factor, s.least);
        if (lost != (e > 0.0 ? 0 : rows - rank))
            fail_msg("round %d: %u rows of %u are left out, the rank is %u", round, lost, rows, rank);
        double x[NUMBERS_MOST], right[NUMBERS_MOST], move[NUMBERS_MOST];
        for (uint32_t i = 0; i < s.numbers; i++)
            right[i] = move[i] = between(&seed);
        for (uint32_t i = 3 * s.shape.body_count; i < s.numbers && e == 0.0; i++) {
            right[i] = 0.0;
            for (uint32_t k = 0; k < 3 * s.shape.body_count; k++)
                right[i] += s.dense[i][k] * move[k];
        }
        memcpy(x, right, sizeof x);
        tr_factor_solve(factor, x);
        double left = residual(&s, x, right, e);
        if (left > 1e-8)
            fail_msg("round %d: %g is left", round, left);
        regular += lost == 0;
        singular += lost > 0;
    }
    assert_true(regular > TRIALS(800) && singular > TRIALS(800));
    finish(&memory, sparse, factor);
}

/* Nodes of any sizes, those up to 12 more often. What bodies have by themselves is positive, of joints it is negative, so no
   pivot vanishes. */
static void make_sizes(pair_of_systems *s, uint64_t *seed, uint32_t bodies, uint32_t joints)
{
    memset(s, 0, sizeof *s);
    uint32_t edge_count = 0;
    for (uint32_t i = 0; i < bodies + joints; i++) {
        s->size[i] = (uint8_t)(1 + random_index(seed, random_index(seed, 8) == 0 ? TR_SPARSE_SIZE : 12));
        s->first[i] = s->numbers;
        s->numbers += s->size[i];
    }
    for (uint32_t i = 0; i < bodies + joints; i++)
        for (uint32_t r = 0; r < s->size[i]; r++)
            for (uint32_t c = 0; c <= r; c++) {
                const double most = r == c ? 1.0 + s->size[i] : between(seed);
                s->dense[s->first[i] + r][s->first[i] + c] = s->dense[s->first[i] + c][s->first[i] + r] =
                    i < bodies ? most : -most;
            }
    for (uint32_t j = bodies; j < bodies + joints; j++) {
        const uint32_t first = random_index(seed, bodies),
                       ends[2] = {first, (first + 1 + random_index(seed, bodies - 1)) % bodies};
        for (uint32_t e = 0; e < 2; e++) {
            s->edges[edge_count++] = (tr_sparse_edge){ends[e], j, random_index(seed, 4) > 0};
            for (uint32_t r = 0; r < s->size[ends[e]]; r++)
                for (uint32_t c = 0; c < s->size[j]; c++)
                    s->dense[s->first[ends[e]] + r][s->first[j] + c] =
                        s->dense[s->first[j] + c][s->first[ends[e]] + r] = between(seed);
        }
    }
    s->shape = (tr_sparse_shape){.node_count = bodies + joints,
                                 .body_count = bodies,
                                 .size = s->size,
                                 .grounded = s->grounded,
                                 .edges = s->edges,
                                 .edge_count = edge_count};
}

static void nodes_have_any_size(void **state)
{
    (void)state;
    static pair_of_systems s;
    tr_memory memory;
    tr_sparse *sparse;
    tr_factor *factor;
    begin(&memory, &sparse, &factor);
    uint64_t seed = 17;
    for (int round = 0; round < (int)TRIALS(200); round++) {
        make_sizes(&s, &seed, 8, 12);
        assert_int_equal(tr_sparse_plan(sparse, &s.shape), TR_OK);
        fill(factor, sparse, &s, 0.0);
        assert_int_equal(tr_factor_make(factor, s.least), 0);
        double x[NUMBERS_MOST], right[NUMBERS_MOST];
        for (uint32_t i = 0; i < s.numbers; i++)
            right[i] = x[i] = between(&seed);
        tr_factor_solve(factor, x);
        const double left = residual(&s, x, right, 0.0);
        if (left > 1e-11)
            fail_msg("round %d: %g is left", round, left);
    }
    finish(&memory, sparse, factor);
}

/* every order has each node once, and patterns are those of elimination */
static void orders_have_the_whole_fill(void **state)
{
    (void)state;
    static pair_of_systems s;
    static bool linked[NODES_MOST][NODES_MOST];
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_order order;
    tr_order_init(&order, &memory);
    uint64_t seed = 3;
    for (int round = 0; round < (int)TRIALS(1500); round++) {
        const bool many = round % 100 == 1;
        make(&s, &seed, 1 + (uint32_t)(round % 3 == 0), many ? 1 + random_index(&seed, 2) : 0);
        assert_int_equal(tr_order_make(&order, &s.shape), TR_OK);
        assert_int_equal(order.node_count, s.shape.node_count);
        memset(linked, 0, sizeof linked);
        uint32_t early = 0;
        while (s.shape.early != NULL && early < s.shape.node_count && s.early[order.nodes[early]])
            early++;
        for (uint32_t i = early; i < s.shape.node_count; i++)
            assert_false(s.shape.early != NULL && s.early[order.nodes[i]]);
        for (uint32_t e = 0; e < s.shape.edge_count; e++)
            linked[s.edges[e].a][s.edges[e].b] = linked[s.edges[e].b][s.edges[e].a] = true;
        bool gone[NODES_MOST] = {false};
        for (uint32_t i = 0; i < s.shape.node_count; i++) {
            uint32_t node = order.nodes[i], count = 0;
            assert_false(gone[node]);
            gone[node] = true;
            for (uint32_t a = 0; a < s.shape.node_count; a++) {
                if (!linked[node][a] || gone[a])
                    continue;
                count++;
                for (uint32_t b = 0; b < s.shape.node_count; b++)
                    if (linked[node][b] && !gone[b] && a != b)
                        linked[a][b] = true;
            }
            assert_int_equal(order.length[node], count);
            for (uint32_t k = 0; k < order.length[node]; k++)
                assert_true(linked[node][order.pattern[order.first[node] + k]]);
        }
    }
    tr_order_free(&order);
    assert_int_equal(memory.bytes, 0);
}

/* a star of joints on a hub, whose leaves are eliminated first: no two of its joints are ever connected */
static void stars_have_no_fill(void **state)
{
    (void)state;
    enum { LEAVES = 500 };
    static uint8_t size[2 * LEAVES + 1];
    static bool grounded[2 * LEAVES + 1];
    static tr_sparse_edge edges[2 * LEAVES];
    for (uint32_t i = 0; i < 2 * LEAVES + 1; i++)
        size[i] = i <= LEAVES ? 3 : 2;
    for (uint32_t i = 0; i < LEAVES; i++) {
        edges[2 * i] = (tr_sparse_edge){0, LEAVES + 1 + i, true};
        edges[2 * i + 1] = (tr_sparse_edge){1 + i, LEAVES + 1 + i, true};
    }
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_order order;
    tr_order_init(&order, &memory);
    const tr_sparse_shape shape = {2 * LEAVES + 1, LEAVES + 1, size, grounded, NULL, edges, 2 * LEAVES, NULL, false};
    assert_int_equal(tr_order_make(&order, &shape), TR_OK);
    assert_int_equal(order.pattern_count, 2 * LEAVES);
    tr_order_free(&order);
}

/* Spokes on a hub that are pinned in pairs, or all around: their joints do not wait for the hub, and each has no more in its
   column than what its loop leaves. In pairs all of their bodies are eliminated first. */
static void loops_through_a_hub_have_little_fill(void **state)
{
    (void)state;
    enum { SPOKES = 500, NODES = 1 + 3 * SPOKES };
    static uint8_t size[NODES];
    static bool grounded[NODES], early[NODES];
    static tr_sparse_edge edges[4 * SPOKES];
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_order order;
    tr_order_init(&order, &memory);
    for (uint32_t every = 1; every <= 2; every++) {
        const uint32_t first = 1 + SPOKES, joints = SPOKES + SPOKES / every;
        uint32_t count = 0;
        for (uint32_t i = 0; i < first + joints; i++)
            size[i] = i < first ? 3 : 2;
        for (uint32_t i = 0; i < SPOKES; i++) {
            early[1 + i] = every == 2;
            edges[count++] = (tr_sparse_edge){0, first + i, true};
            edges[count++] = (tr_sparse_edge){1 + i, first + i, true};
        }
        for (uint32_t i = 0; i < SPOKES / every; i++) {
            edges[count++] = (tr_sparse_edge){1 + every * i, first + SPOKES + i, true};
            edges[count++] = (tr_sparse_edge){1 + (every * i + 1) % SPOKES, first + SPOKES + i, true};
        }
        for (int by_turns = 0; by_turns < 2; by_turns++) {
            const tr_sparse_shape shape = {first + joints, first, size, grounded,     every == 2 ? early : NULL,
                                           edges,          count, NULL, by_turns != 0};
            assert_int_equal(tr_order_make(&order, &shape), TR_OK);
            assert_int_equal(order.nodes[first + joints - 1], 0);
            for (uint32_t i = 0; i < first + joints; i++)
                assert_true(order.length[i] <= (every == 2 ? 2 : 4));
        }
    }
    tr_order_free(&order);
    assert_int_equal(memory.bytes, 0);
}

/* a chain on the ground whose bodies are eliminated first: its joints go from both ends by turns, and without that from one */
static void chains_go_from_both_ends(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    static uint8_t size[2 * LINKS];
    static bool grounded[2 * LINKS], early[2 * LINKS];
    static tr_sparse_edge edges[2 * LINKS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < LINKS; i++) {
        size[i] = 3;
        size[LINKS + i] = 2;
        early[i] = true;
        grounded[LINKS + i] = i == 0;
        if (i > 0)
            edges[count++] = (tr_sparse_edge){i - 1, LINKS + i, true};
        edges[count++] = (tr_sparse_edge){i, LINKS + i, true};
    }
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_order order;
    tr_order_init(&order, &memory);
    for (int by_turns = 0; by_turns < 2; by_turns++) {
        const tr_sparse_shape shape = {2 * LINKS, LINKS, size, grounded, early, edges, count, NULL, by_turns != 0};
        assert_int_equal(tr_order_make(&order, &shape), TR_OK);
        /* successive joints are neighbours, or but for the last two none are */
        uint32_t neighbours = 0;
        for (uint32_t i = LINKS + 1; i < 2 * LINKS; i++)
            neighbours += abs((int)order.nodes[i] - (int)order.nodes[i - 1]) == 1 ? 1u : 0u;
        assert_int_equal(neighbours, by_turns != 0 ? 1 : LINKS - 1);
        /* no fill but for what bodies couple */
        for (uint32_t i = LINKS; i < 2 * LINKS; i++)
            assert_true(order.length[order.nodes[i]] <= 1);
    }
    tr_order_free(&order);
}

/* each allocation fails once: a status, and all memory comes back */
static void failed_allocations_are_a_status(void **state)
{
    (void)state;
    static pair_of_systems s;
    uint64_t seed = 8;
    do
        make(&s, &seed, 1, 0);
    while (s.shape.edge_count < 20);
    uint32_t refused = 0;
    for (uint64_t n = 1;; n++) {
        test_allocator allocator = {0};
        tr_memory memory;
        tr_memory_init(&memory, test_hooks(&allocator));
        test_fail_in(&allocator, n);
        tr_sparse *sparse = tr_sparse_create(&memory);
        tr_factor *factor = tr_factor_create(&memory);
        tr_status status = TR_ERROR_MEMORY;
        if (sparse != NULL && factor != NULL) {
            status = tr_sparse_plan(sparse, &s.shape);
            if (status == TR_OK && !tr_factor_reserve(factor, sparse))
                status = TR_ERROR_MEMORY;
            /* and once more, with what has grown */
            if (status == TR_ERROR_MEMORY)
                assert_true(tr_sparse_plan(sparse, &s.shape) == TR_OK && tr_factor_reserve(factor, sparse));
        }
        tr_factor_destroy(factor);
        tr_sparse_destroy(sparse);
        assert_int_equal(allocator.held, 0);
        assert_int_equal(allocator.mismatches, 0);
        if (allocator.failures == 0)
            break;
        assert_int_equal(status, TR_ERROR_MEMORY);
        refused++;
    }
    assert_true(refused >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_satisfy_the_system),         cmocka_unit_test(nodes_have_any_size),
        cmocka_unit_test(orders_have_the_whole_fill),           cmocka_unit_test(stars_have_no_fill),
        cmocka_unit_test(loops_through_a_hub_have_little_fill), cmocka_unit_test(chains_go_from_both_ends),
        cmocka_unit_test(failed_allocations_are_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
