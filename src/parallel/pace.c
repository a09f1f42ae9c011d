#include "parallel/pace.h"

#define SLOWER_RUNS   3    /* one late run is bad luck */
#define SHORTEST_REST 16   /* runs */
#define LONGEST_REST  1024 /* runs: about a quarter of a minute of frames */

uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted)
{
    /* the first run is alone: without its cost there is nothing to compare with */
    return pace->alone > 0.0 && pace->rest == 0 ? wanted : 1;
}

static void took_alone(tr_pace *pace, double cost)
{
    /* the mean of the last few; a much cheaper run is believed at once, it can only be true */
    pace->alone = pace->alone > 0.0 && cost > pace->alone ? pace->alone + (cost - pace->alone) / 8.0 : cost;
    if (pace->rest > 0)
        pace->rest--;
}

void tr_pace_took(tr_pace *pace, uint32_t workers, double work, double seconds)
{
    double cost = seconds / work;
    if (workers <= 1) {
        took_alone(pace, cost);
        return;
    }
    if (cost <= pace->alone) {
        pace->slower = 0;
        pace->patience = 0;
        return;
    }
    if (++pace->slower < SLOWER_RUNS)
        return;
    pace->slower = 0;
    pace->patience = pace->patience == 0 ? SHORTEST_REST : 2 * pace->patience;
    if (pace->patience > LONGEST_REST)
        pace->patience = LONGEST_REST;
    pace->rest = pace->patience;
}
