/*
 * The sparse solver of the equations of motion: random systems of bodies and joints against dense elimination; rows that
 * others hold already; orders; memory.
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
#include "random.h"

enum { NODES_MOST = 60, NUMBERS_MOST = NODES_MOST * 6 };

static double between(uint64_t *seed)
{
    random_step(seed);
    return (double)(int32_t)(*seed >> 32) * 0x1p-31;
}

/* a system, sparse and dense */
typedef struct pair_of_systems {
    uint32_t bodies, nodes, numbers, edge_count;
    uint8_t size[NODES_MOST];
    uint32_t first[NODES_MOST];
    tr_sparse_edge edges[4 * NODES_MOST];
    double dense[NUMBERS_MOST][NUMBERS_MOST], least[NUMBERS_MOST];
} pair_of_systems;

static bool has_edge(const pair_of_systems *s, uint32_t a, uint32_t b)
{
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (s->edges[e].a == a && s->edges[e].b == b)
            return true;
    return false;
}

/* `doubled`: each joint once more, with the same rows */
static void make(pair_of_systems *s, uint64_t *seed, bool doubled)
{
    memset(s, 0, sizeof *s);
    s->bodies = 1 + random_index(seed, 20);
    uint32_t joints = random_index(seed, doubled ? 10 : 18);
    s->nodes = s->bodies + (doubled ? 2 * joints : joints);
    for (uint32_t i = 0; i < s->nodes; i++) {
        bool again = i >= s->bodies + joints;
        s->size[i] = again           ? s->size[i - joints]
                     : i < s->bodies ? (uint8_t)(3 + 3 * random_index(seed, 2))
                                     : (uint8_t)(1 + random_index(seed, 3));
        s->first[i] = s->numbers;
        s->numbers += s->size[i];
    }
    for (uint32_t i = 0; i < s->bodies; i++) {
        /* positive: L L^T + 1 */
        double l[6][6] = {{0.0}};
        for (int r = 0; r < s->size[i]; r++)
            for (int c = 0; c <= r; c++)
                l[r][c] = between(seed);
        for (int r = 0; r < s->size[i]; r++)
            for (int c = 0; c < s->size[i]; c++) {
                double sum = r == c ? 1.0 : 0.0;
                for (int k = 0; k < 6; k++)
                    sum += l[r][k] * l[c][k];
                s->dense[s->first[i] + (uint32_t)r][s->first[i] + (uint32_t)c] = sum;
            }
    }
    for (uint32_t j = s->bodies; j < s->bodies + joints; j++) {
        uint32_t ends = 1 + random_index(seed, 2);
        for (uint32_t e = 0; e < ends; e++) {
            uint32_t body = random_index(seed, s->bodies);
            if (has_edge(s, body, j))
                continue;
            for (uint32_t copy = 0; copy < (doubled ? 2 : 1); copy++)
                s->edges[s->edge_count++] = (tr_sparse_edge){body, j + copy * joints, random_index(seed, 2) == 0};
            for (uint32_t r = 0; r < s->size[body]; r++)
                for (uint32_t c = 0; c < s->size[j]; c++) {
                    double value = between(seed);
                    for (uint32_t copy = 0; copy < (doubled ? 2 : 1); copy++) {
                        uint32_t row = s->first[body] + r, column = s->first[j + copy * joints] + c;
                        s->dense[row][column] = s->dense[column][row] = value;
                    }
                }
        }
    }
    for (uint32_t i = s->first[s->bodies < s->nodes ? s->bodies : 0]; i < s->numbers && s->bodies < s->nodes; i++)
        s->least[i] = 1e-9;
}

static void fill(tr_sparse *sparse, const pair_of_systems *s, double e)
{
    double block[36];
    tr_sparse_clear(sparse);
    for (uint32_t i = 0; i < s->nodes; i++) {
        for (uint32_t r = 0; r < s->size[i]; r++)
            for (uint32_t c = 0; c < s->size[i]; c++)
                block[r * s->size[i] + c] =
                    s->dense[s->first[i] + r][s->first[i] + c] - (i >= s->bodies && r == c ? e : 0.0);
        tr_sparse_add(sparse, i, i, block);
    }
    for (uint32_t k = 0; k < s->edge_count; k++) {
        uint32_t a = s->edges[k].a, b = s->edges[k].b;
        for (uint32_t r = 0; r < s->size[a]; r++)
            for (uint32_t c = 0; c < s->size[b]; c++)
                block[r * s->size[b] + c] = s->dense[s->first[a] + r][s->first[b] + c];
        tr_sparse_add(sparse, a, b, block);
    }
}

/* |K x - right| relative to |x|, over the equations that are in the factor */
static double residual(const pair_of_systems *s, const double *x, const double *right, double e, uint32_t end)
{
    double worst = 0.0, greatest = 1.0;
    for (uint32_t i = 0; i < s->numbers; i++)
        greatest = fmax(greatest, fabs(x[i]));
    for (uint32_t i = 0; i < end; i++) {
        double sum = -right[i] - (i >= s->first[s->bodies] && s->bodies < s->nodes ? e * x[i] : 0.0);
        for (uint32_t k = 0; k < s->numbers; k++)
            sum += s->dense[i][k] * x[k];
        worst = fmax(worst, fabs(sum));
    }
    return worst / greatest;
}

static void solutions_satisfy_the_system(void **state)
{
    (void)state;
    static pair_of_systems s;
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_sparse *sparse = tr_sparse_create(&memory);
    assert_non_null(sparse);
    uint64_t seed = 11;
    uint32_t regular = 0;
    for (int round = 0; round < 2000; round++) {
        make(&s, &seed, false);
        assert_int_equal(tr_sparse_plan(sparse, s.nodes, s.size, s.bodies, s.edges, s.edge_count), TR_OK);
        /* e alone makes every system regular */
        const double e = round % 2 == 0 ? 0.0 : 0.1;
        fill(sparse, &s, e);
        uint32_t lost = tr_sparse_factor(sparse, s.least);
        if (e > 0.0)
            assert_int_equal(lost, 0);
        if (lost > 0)
            continue;
        regular++;
        double x[NUMBERS_MOST], right[NUMBERS_MOST];
        for (uint32_t i = 0; i < s.numbers; i++)
            x[i] = right[i] = between(&seed);
        tr_sparse_solve(sparse, x);
        double left = residual(&s, x, right, e, s.numbers);
        if (left > 1e-8)
            fail_msg("round %d: %g is left", round, left);
    }
    assert_true(regular > 1200);
    tr_sparse_destroy(sparse);
    assert_int_equal(memory.bytes, 0);
}

/* of a joint that is there twice, one is left out, whatever the order; what is consistent is still solved */
static void rows_that_others_hold_are_left_out(void **state)
{
    (void)state;
    static pair_of_systems s;
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_sparse *sparse = tr_sparse_create(&memory);
    uint64_t seed = 5;
    uint32_t seen = 0;
    for (int round = 0; round < 1000; round++) {
        make(&s, &seed, true);
        const uint32_t joints = (s.nodes - s.bodies) / 2;
        uint32_t rows = 0;
        for (uint32_t j = s.bodies; j < s.bodies + joints; j++)
            rows += s.size[j];
        /* a joint is eliminated after all of its bodies */
        for (uint32_t e = 0; e < s.edge_count; e++)
            s.edges[e].opens = false;
        assert_int_equal(tr_sparse_plan(sparse, s.nodes, s.size, s.bodies, s.edges, s.edge_count), TR_OK);
        fill(sparse, &s, 0.0);
        uint32_t lost = tr_sparse_factor(sparse, s.least);
        assert_true(lost >= rows);
        if (lost > rows || rows == 0)
            continue;
        seen++;
        double x[NUMBERS_MOST], right[NUMBERS_MOST];
        for (uint32_t i = 0; i < s.numbers; i++)
            right[i] = between(&seed);
        for (uint32_t i = s.first[s.bodies]; i < s.numbers - rows; i++)
            right[i + rows] = right[i];
        memcpy(x, right, sizeof x);
        tr_sparse_solve(sparse, x);
        double left = residual(&s, x, right, 0.0, s.numbers);
        if (left > 1e-8)
            fail_msg("round %d: %g is left", round, left);
    }
    assert_true(seen > 300);
    tr_sparse_destroy(sparse);
    assert_int_equal(memory.bytes, 0);
}

/* every order is a permutation in which nodes wait as their edges say, and patterns are those of elimination */
static void orders_wait_and_have_the_whole_fill(void **state)
{
    (void)state;
    static pair_of_systems s;
    static bool linked[NODES_MOST][NODES_MOST];
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){NULL, NULL, NULL});
    tr_order order;
    tr_order_init(&order, &memory);
    uint64_t seed = 3;
    for (int round = 0; round < 1500; round++) {
        make(&s, &seed, round % 3 == 0);
        assert_int_equal(tr_order_make(&order, s.nodes, s.size, s.bodies, s.edges, s.edge_count), TR_OK);
        assert_int_equal(order.node_count, s.nodes);
        memset(linked, 0, sizeof linked);
        for (uint32_t e = 0; e < s.edge_count; e++)
            linked[s.edges[e].a][s.edges[e].b] = linked[s.edges[e].b][s.edges[e].a] = true;
        bool gone[NODES_MOST] = {false};
        for (uint32_t i = 0; i < s.nodes; i++) {
            uint32_t node = order.nodes[i], count = 0;
            assert_false(gone[node]);
            gone[node] = true;
            bool opened = node < s.bodies, all = true;
            for (uint32_t e = 0; e < s.edge_count; e++) {
                if (s.edges[e].b != node)
                    continue;
                opened = opened || (gone[s.edges[e].a] && s.edges[e].opens);
                all = all && gone[s.edges[e].a];
            }
            assert_true(opened || all);
            for (uint32_t a = 0; a < s.nodes; a++) {
                if (!linked[node][a] || gone[a])
                    continue;
                count++;
                for (uint32_t b = 0; b < s.nodes; b++)
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

/* each allocation fails once: a status, and all memory comes back */
static void failed_allocations_are_a_status(void **state)
{
    (void)state;
    static pair_of_systems s;
    uint64_t seed = 8;
    make(&s, &seed, false);
    make(&s, &seed, false);
    uint32_t refused = 0;
    for (uint64_t n = 1;; n++) {
        test_allocator allocator = {0};
        tr_memory memory;
        tr_memory_init(&memory, test_hooks(&allocator));
        test_fail_in(&allocator, n);
        tr_sparse *sparse = tr_sparse_create(&memory);
        tr_status status = TR_ERROR_MEMORY;
        if (sparse != NULL) {
            status = tr_sparse_plan(sparse, s.nodes, s.size, s.bodies, s.edges, s.edge_count);
            /* and once more, with what has grown */
            if (status == TR_ERROR_MEMORY)
                assert_int_equal(tr_sparse_plan(sparse, s.nodes, s.size, s.bodies, s.edges, s.edge_count), TR_OK);
        }
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
        cmocka_unit_test(solutions_satisfy_the_system),
        cmocka_unit_test(rows_that_others_hold_are_left_out),
        cmocka_unit_test(orders_wait_and_have_the_whole_fill),
        cmocka_unit_test(failed_allocations_are_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
