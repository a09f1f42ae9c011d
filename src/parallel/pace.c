#include "parallel/pace.h"

#define MOST_LOST     3.0  /* in runs alone: a single slow run may be chance */
#define MOST_SAVED    8.0  /* limit of the credit that earlier savings give */
#define LEARNING      3    /* runs alone if their cost is not known: the first may be slow by chance */
#define SHORTEST_REST 16   /* runs */
#define LONGEST_REST  1024 /* runs: about 15 s at 60 steps per second */

/* if the team is held up for less than this part of the time, the cause may be uneven work */
#define MOST_HELD 0.25

uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted, bool eager)
{
    bool known = pace->alone > 0.0 || eager;
    return known && pace->rest == 0 ? wanted : 1;
}

static void took_alone(tr_pace *pace, double cost)
{
    /* average the last few runs; accept a lower cost at once, because nothing makes a run faster than it can be */
    pace->alone = pace->alone > 0.0 && cost > pace->alone ? pace->alone + (cost - pace->alone) / 8.0 : cost;
    if (pace->rest > 0)
        pace->rest--;
}

/* decides whether to measure the cost of a run alone: if the team was held up too much over about the last 16 runs */
static void took_eagerly(tr_pace *pace, double seconds, double held)
{
    pace->seconds += seconds - pace->seconds / 16.0;
    pace->held += held - pace->held / 16.0;
    if (pace->held > MOST_HELD * pace->seconds)
        pace->rest = LEARNING;
}

void tr_pace_took(tr_pace *pace, uint32_t workers, double work, double seconds, double held)
{
    double cost = seconds / work;
    if (workers <= 1) {
        took_alone(pace, cost);
        return;
    }
    if (!(pace->alone > 0.0)) {
        took_eagerly(pace, seconds, held);
        return;
    }
    pace->lost += cost / pace->alone - 1.0;
    if (pace->lost <= -MOST_SAVED) {
        pace->lost = -MOST_SAVED;
        pace->patience = 0;
    }
    if (pace->lost < MOST_LOST)
        return;
    double rest = pace->patience == 0 ? SHORTEST_REST : 2.0 * pace->patience, worth = pace->lost * SHORTEST_REST;
    rest = rest > worth ? rest : worth;
    pace->patience = rest < LONGEST_REST ? (uint32_t)rest : LONGEST_REST;
    pace->rest = pace->patience;
    /* after the rest, the loss of a single run is enough to rest again */
    pace->lost = MOST_LOST - 1.0;
}
