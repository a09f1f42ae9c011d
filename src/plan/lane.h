/* Where an edge lies in the layout: to reach one joint's packed data in constant time. */
#ifndef TR_PLAN_LANE_H
#define TR_PLAN_LANE_H

#include "plan/plan.h"

typedef struct tr_plan_lane {
    uint32_t number, lane; /* tr_plan_span.number of the edge's span, and its lane there */
    uint32_t kind;
} tr_plan_lane;

/* The lane of an edge that exists. False: it has no colour, so it is in no span. */
bool tr_plan_lane_of(const tr_plan *plan, uint32_t edge, tr_plan_lane *out);

#endif
