/* How many blocks of a fresh plan are runs: what the tests of plans and twins share. */
#ifndef TR_TESTS_PLAN_RUNS_H
#define TR_TESTS_PLAN_RUNS_H

#include "plan_model.h"

/* Whether the ends of a lane's edge, as far as they move, follow those of the first lane of its group. */
static inline bool in_group(const model *m, const uint32_t *rank, const uint32_t *first, const uint32_t *ends,
                            uint32_t after)
{
    for (int end = 0; end < 2; end++) {
        bool moving = m->vertices[ends[end]].moving;
        if (moving != m->vertices[first[end]].moving || (moving && rank[ends[end]] != rank[first[end]] + after))
            return false;
    }
    return true;
}

/* How many blocks are runs in the order given by `rank`. */
static inline uint32_t count_runs(const model *m, const tr_plan_layout *layout, const uint32_t *rank)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < layout->span_count; i++) {
        const tr_plan_span *span = &layout->spans[i];
        for (uint32_t block = 0; block + TR_LANES <= span->edge_count; block += TR_LANES) {
            bool run = true;
            for (uint32_t lane = 0; lane < TR_LANES; lane++) {
                const uint32_t *first = m->edges[span->edges[block + lane % TR_RUN_GROUP]].vertex;
                const uint32_t *ends = m->edges[span->edges[block + lane]].vertex;
                run = run && in_group(m, rank, first, ends, lane / TR_RUN_GROUP);
            }
            runs += run;
        }
    }
    return runs;
}

/* Makes a fresh plan; the rank of each of `count` vertices in it. */
static inline void ranks_of(const model *m, uint32_t *rank, uint32_t count)
{
    uint32_t *order = calloc(count, sizeof *order);
    assert_non_null(order);
    assert_int_equal(tr_plan_optimize(m->plan, order), TR_OK);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = i;
    free(order);
}

#endif
