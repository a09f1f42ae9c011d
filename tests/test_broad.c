/* The broad phase against brute force: after any edits, the pairs it has told of are those whose boxes overlap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "allocator.h"
#include "collide/broad/broad.h"
#include "hash.h"
#include "random.h"

#define PROXIES 400u

typedef struct model {
    tr_memory memory;
    tr_team *team;
    tr2_broad broad;
    bool present[PROXIES], moving[PROXIES];
    bool known[PROXIES][PROXIES]; /* pairs told of and still overlapping */
    uint64_t seed;
} model;

static double draw(model *it)
{
    random_step(&it->seed);
    return (double)(it->seed >> 33) / 2147483648.0;
}

static bool accept_new(const void *context, uint32_t a, uint32_t b, bool apart)
{
    const model *it = context;
    /* what was apart is not looked up, as in a world: were it known it would be told of twice */
    return apart || !it->known[a][b];
}

/* sizes over four orders of magnitude, places with strays far away */
static tr2_box draw_box(model *it, bool moving)
{
    double size = 0.01 * (1.0 + (draw(it) < 0.05 ? 5000.0 * draw(it) : 100.0 * draw(it)));
    if (!moving && draw(it) < 0.1)
        size *= 50.0;
    double range = draw(it) < 0.01 ? 1e7 : 20.0;
    double x = range * (draw(it) - 0.5), y = range * (draw(it) - 0.5);
    return (tr2_box){x, y, x + size, y + 0.5 * size};
}

static void edit(model *it)
{
    uint32_t proxy = (uint32_t)(draw(it) * PROXIES);
    if (it->present[proxy] && draw(it) < 0.2) {
        tr2_broad_remove(&it->broad, proxy);
        it->present[proxy] = false;
        return;
    }
    /* a step further, as bodies go */
    if (it->present[proxy] && it->moving[proxy] && draw(it) < 0.7) {
        tr2_box box = it->broad.boxes[proxy];
        double x = 0.4 * (draw(it) - 0.5), y = 0.4 * (draw(it) - 0.5);
        box = (tr2_box){box.lower_x + x, box.lower_y + y, box.upper_x + x, box.upper_y + y};
        tr2_broad_move(&it->broad, proxy, &box);
        return;
    }
    if (!it->present[proxy] || draw(it) < 0.1)
        it->moving[proxy] = draw(it) < 0.7;
    tr2_box box = draw_box(it, it->moving[proxy]);
    it->present[proxy] = true;
    tr2_broad_set(&it->broad, proxy, it->moving[proxy], &box);
}

static bool should_be_known(const model *it, uint32_t a, uint32_t b)
{
    return it->present[a] && it->present[b] && (it->moving[a] || it->moving[b]) &&
           tr2_boxes_overlap(&it->broad.boxes[a], &it->broad.boxes[b]);
}

/* what no longer overlaps is forgotten, as a world does, and may be told of anew */
static void forget(model *it)
{
    for (uint32_t a = 0; a < PROXIES; a++) {
        for (uint32_t b = a + 1; b < PROXIES; b++)
            it->known[a][b] = it->known[a][b] && should_be_known(it, a, b);
    }
}

static void check_round(model *it, uint32_t workers)
{
    forget(it);
    assert_true(tr2_broad_find(&it->broad, NULL, it->team, workers, accept_new, it));
    for (uint32_t i = 0; i < it->broad.pair_count; i++) {
        tr2_proxy_pair pair = it->broad.pairs[i];
        assert_true(pair.a < pair.b);
        /* each is told of once, and overlaps */
        assert_false(it->known[pair.a][pair.b]);
        it->known[pair.a][pair.b] = true;
    }
    tr2_broad_settle(&it->broad);
    for (uint32_t a = 0; a < PROXIES; a++) {
        for (uint32_t b = a + 1; b < PROXIES; b++) {
            if (it->known[a][b] != should_be_known(it, a, b))
                fail_msg("pair %u %u: %d, should be %d", a, b, it->known[a][b], should_be_known(it, a, b));
        }
    }
}

static model *start(test_allocator *allocator, uint64_t seed)
{
    model *it = calloc(1, sizeof *it);
    assert_non_null(it);
    tr_memory_init(&it->memory, test_hooks(allocator));
    it->seed = seed;
    tr2_broad_init(&it->broad, &it->memory);
    tr_host none = {NULL, NULL};
    assert_int_equal(tr_team_create(&it->memory, 2, none, &it->team), TR_OK);
    assert_true(tr2_broad_reserve(&it->broad, PROXIES));
    return it;
}

static void finish(model *it, const test_allocator *allocator)
{
    tr2_broad_free(&it->broad);
    tr_team_destroy(it->team);
    assert_int_equal(allocator->held, 0);
    assert_int_equal(allocator->mismatches, 0);
    free(it);
}

static void pairs_are_those_of_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        test_allocator allocator = {0};
        model *it = start(&allocator, seed);
        for (uint32_t round = 0; round < 60; round++) {
            /* few, some, nearly all */
            uint32_t edits = round % 3 == 0 ? 3 : round % 3 == 1 ? 40 : 600;
            for (uint32_t i = 0; i < edits; i++)
                edit(it);
            check_round(it, 1 + round % 2);
        }
        finish(it, &allocator);
    }
}

static void order_of_pairs_is_the_same_for_any_workers(void **state)
{
    (void)state;
    uint64_t hash[2] = {1, 1};
    for (uint32_t run = 0; run < 2; run++) {
        test_allocator allocator = {0};
        model *it = start(&allocator, 77);
        for (uint32_t round = 0; round < 40; round++) {
            for (uint32_t i = 0; i < 200; i++)
                edit(it);
            forget(it);
            assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1 + run, accept_new, it));
            hash[run] = mix_bytes(hash[run], it->broad.pairs, it->broad.pair_count * sizeof *it->broad.pairs);
            for (uint32_t i = 0; i < it->broad.pair_count; i++)
                it->known[it->broad.pairs[i].a][it->broad.pairs[i].b] = true;
            tr2_broad_settle(&it->broad);
        }
        finish(it, &allocator);
    }
    assert_int_equal(hash[0], hash[1]);
}

/* a search without memory can be repeated, and then finds what it would have found */
static void search_without_memory_loses_nothing(void **state)
{
    (void)state;
    for (uint64_t fail_at = 1; fail_at < 40; fail_at++) {
        test_allocator allocator = {0};
        model *it = start(&allocator, fail_at);
        for (uint32_t i = 0; i < 500; i++)
            edit(it);
        forget(it);
        test_fail_in(&allocator, fail_at);
        bool found = tr2_broad_find(&it->broad, NULL, it->team, 1, accept_new, it);
        assert_int_equal(found, allocator.failures == 0);
        test_fail_in(&allocator, 0);
        check_round(it, 1);
        finish(it, &allocator);
    }
}

/* what a step does that fails after the search and is called again: the same pairs, in the same order, then and
   later */
static void a_search_that_is_repeated_changes_no_order(void **state)
{
    (void)state;
    uint64_t hash[2] = {1, 1};
    for (uint32_t run = 0; run < 2; run++) {
        test_allocator allocator = {0};
        model *it = start(&allocator, 21);
        for (uint32_t round = 0; round < 60; round++) {
            for (uint32_t i = 0; i < 60; i++)
                edit(it);
            forget(it);
            for (uint32_t searches = 0; searches <= run * (round % 3); searches++)
                assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_new, it));
            hash[run] = mix_bytes(hash[run], it->broad.pairs, it->broad.pair_count * sizeof *it->broad.pairs);
            for (uint32_t i = 0; i < it->broad.pair_count; i++)
                it->known[it->broad.pairs[i].a][it->broad.pairs[i].b] = true;
            tr2_broad_settle(&it->broad);
        }
        finish(it, &allocator);
    }
    assert_true(hash[0] == hash[1]);
}

/* one box under all: each of the others meets it once, also where the pairs of a chunk have no room in it */
static void one_floor_under_all(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    model *it = start(&allocator, 5);
    for (uint32_t i = 0; i < PROXIES; i++) {
        tr2_box box = {(double)i, 0.0, (double)i + 0.5, 1.0};
        if (i == PROXIES / 2)
            box = (tr2_box){-1e4, -1.0, 1e4, 0.0};
        it->present[i] = true;
        it->moving[i] = i != PROXIES / 2;
        tr2_broad_set(&it->broad, i, it->moving[i], &box);
    }
    check_round(it, 1);
    assert_int_equal(it->broad.pair_count, 0 + PROXIES - 1);
    /* all in one place: n (n - 1) / 2 pairs, far more than chunks have room for */
    for (uint32_t i = 0; i < PROXIES; i++) {
        tr2_box box = {0.0, 0.0, 1.0, 1.0};
        it->moving[i] = true;
        tr2_broad_set(&it->broad, i, true, &box);
    }
    forget(it);
    check_round(it, 1);
    assert_int_equal(it->broad.pair_count, PROXIES * (PROXIES - 1) / 2 - (PROXIES - 1));
    finish(it, &allocator);
}

/* all in one place, in four families, and some in none: pairs only across families */
static void families_have_no_pairs(void **state)
{
    (void)state;
    enum { FAMILIES = 4, EACH = 10, ALONE = 3 };
    test_allocator allocator = {0};
    model *it = start(&allocator, 5);
    const tr2_box box = {0.0, 0.0, 1.0, 1.0};
    const uint32_t related = FAMILIES * EACH, all = related + ALONE;
    for (uint32_t i = 0; i < all; i++) {
        tr2_broad_set_family(&it->broad, i, i < related ? UINT32_MAX - i % FAMILIES : 0);
        tr2_broad_set(&it->broad, i, true, &box);
    }
    assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_new, it));
    assert_int_equal(it->broad.pair_count, all * (all - 1) / 2 - FAMILIES * EACH * (EACH - 1) / 2);
    for (uint32_t i = 0; i < it->broad.pair_count; i++) {
        tr2_proxy_pair found = it->broad.pairs[i];
        assert_true(found.b >= related || found.a % FAMILIES != found.b % FAMILIES);
    }
    finish(it, &allocator);
}

/* along a Hilbert curve, each cell of a grid follows one that shares a side with it */
static void leaves_follow_a_curve_without_jumps(void **state)
{
    (void)state;
    enum { SIDE = 16 };
    test_allocator allocator = {0};
    model *it = start(&allocator, 5);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE, y = (double)(i / SIDE);
        tr2_box box = {x - 0.25, y - 0.25, x + 0.25, y + 0.25};
        tr2_broad_set(&it->broad, i, true, &box);
    }
    assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_new, it));
    const tr2_tree *tree = &it->broad.trees[1];
    assert_int_equal(tree->leaf_count, SIDE * SIDE);
    for (uint32_t i = 1; i < SIDE * SIDE; i++) {
        uint32_t from = tree->proxies[i - 1], to = tree->proxies[i];
        int across = abs((int)(to % SIDE) - (int)(from % SIDE)), up = abs((int)(to / SIDE) - (int)(from / SIDE));
        assert_int_equal(across + up, 1);
    }
    finish(it, &allocator);
}

static bool accept_apart(const void *context, uint32_t a, uint32_t b, bool apart)
{
    (void)context;
    (void)a;
    (void)b;
    return apart;
}

static int by_numbers(const void *a, const void *b)
{
    const tr2_proxy_pair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

#define MANY 3000u

/* so many that they are searched for in the order of leaves, with holes between these; most move, some rest */
static void pairs_of_many_are_those_of_brute_force(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    model *it = start(&allocator, 9);
    tr2_box *before = calloc(MANY, sizeof *before);
    assert_non_null(before);
    assert_true(tr2_broad_reserve(&it->broad, MANY));
    for (uint32_t i = 0; i < MANY; i++) {
        double x = 40.0 * draw(it), y = 40.0 * draw(it);
        before[i] = (tr2_box){x, y, x + 0.6, y + 0.6};
        tr2_broad_set(&it->broad, i, true, &before[i]);
    }
    assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_apart, NULL));
    tr2_broad_settle(&it->broad);
    for (uint32_t i = 0; i < MANY; i += 11)
        tr2_broad_remove(&it->broad, i);
    uint64_t all = 0;
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            tr2_box box = before[i];
            double x = 0.4 * (draw(it) - 0.5), y = 0.4 * (draw(it) - 0.5);
            if (i % 11 != 0 && draw(it) < 0.9) {
                box = (tr2_box){box.lower_x + x, box.lower_y + y, box.upper_x + x, box.upper_y + y};
                tr2_broad_move(&it->broad, i, &box);
            }
        }
        assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1 + round % 2, accept_apart, NULL));
        qsort(it->broad.pairs, it->broad.pair_count, sizeof *it->broad.pairs, by_numbers);
        uint32_t next = 0;
        for (uint32_t a = 0; a < MANY; a++) {
            for (uint32_t b = a + 1; b < MANY && a % 11 != 0; b++) {
                const tr2_box *boxes = it->broad.boxes;
                if (b % 11 == 0 || !tr2_boxes_overlap(&boxes[a], &boxes[b]) ||
                    tr2_boxes_overlap(&before[a], &before[b]))
                    continue;
                assert_true(next < it->broad.pair_count);
                assert_int_equal(it->broad.pairs[next].a, a);
                assert_int_equal(it->broad.pairs[next].b, b);
                next++;
            }
        }
        assert_int_equal(next, it->broad.pair_count);
        all += next;
        for (uint32_t i = 0; i < MANY; i++)
            before[i] = it->broad.boxes[i];
        tr2_broad_settle(&it->broad);
    }
    assert_true(all > 1000);
    free(before);
    finish(it, &allocator);
}

static uint32_t count_marked(const tr2_broad *broad)
{
    uint32_t count = 0;
    for (uint32_t span = tr2_broad_next_marked(broad, 0); span < broad->mark_capacity;
         span = tr2_broad_next_marked(broad, span + 1))
        count++;
    return count;
}

/* A search looks only at spans of proxies of which one was set since the last one, or in that: what rests costs nothing. */
static void what_stays_is_passed_by(void **state)
{
    (void)state;
    enum { ALL = 4000, SET = 3 };
    static const uint32_t set[SET] = {5, 1000, ALL - 1};
    test_allocator allocator = {0};
    model *it = start(&allocator, 1);
    assert_true(tr2_broad_reserve(&it->broad, ALL));
    for (uint32_t i = 0; i < ALL; i++) {
        tr2_box box = {2.0 * i, 0.0, 2.0 * i + 1.0, 1.0};
        tr2_broad_set(&it->broad, i, true, &box);
    }
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(count_marked(&it->broad), (ALL + TR2_BROAD_SPAN - 1) / TR2_BROAD_SPAN);
        assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_apart, NULL));
        assert_int_equal(it->broad.moved_count, round == 0 ? ALL : 0);
        tr2_broad_settle(&it->broad);
    }
    assert_int_equal(count_marked(&it->broad), 0);
    for (uint32_t i = 0; i < SET; i++) {
        tr2_box box = {1.5 + 2.0 * set[i], 0.0, 2.5 + 2.0 * set[i], 1.0};
        tr2_broad_move(&it->broad, set[i], &box);
    }
    assert_int_equal(count_marked(&it->broad), SET);
    assert_true(tr2_broad_find(&it->broad, NULL, it->team, 1, accept_apart, NULL));
    assert_int_equal(it->broad.moved_count, SET);
    /* each has come to its neighbour on the right, but the last one, which has none */
    assert_int_equal(it->broad.pair_count, SET - 1);
    tr2_broad_settle(&it->broad);
    finish(it, &allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_is_passed_by),
        cmocka_unit_test(pairs_are_those_of_brute_force),
        cmocka_unit_test(order_of_pairs_is_the_same_for_any_workers),
        cmocka_unit_test(search_without_memory_loses_nothing),
        cmocka_unit_test(a_search_that_is_repeated_changes_no_order),
        cmocka_unit_test(one_floor_under_all),
        cmocka_unit_test(families_have_no_pairs),
        cmocka_unit_test(leaves_follow_a_curve_without_jumps),
        cmocka_unit_test(pairs_of_many_are_those_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
