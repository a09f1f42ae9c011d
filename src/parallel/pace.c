#include "parallel/pace.h"

#define MOST_LOST     3.0  /* runs alone: one late run is bad luck */
#define MOST_SAVED    8.0  /* a team that has saved so much may lose it again */
#define LEARNING      3    /* runs alone, where the cost of one is not known: the first may be a late one */
#define SHORTEST_REST 16   /* runs */
#define LONGEST_REST  1024 /* runs: about a quarter of a minute of frames */

/* what held up less of the time than this may be uneven work */
#define MOST_HELD 0.25

uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted, bool eager)
{
    bool known = pace->alone > 0.0 || eager;
    return known && pace->rest == 0 ? wanted : 1;
}

static void took_alone(tr_pace *pace, double cost)
{
    /* the mean of the last few; a much cheaper run is believed at once, it can only be true */
    pace->alone = pace->alone > 0.0 && cost > pace->alone ? pace->alone + (cost - pace->alone) / 8.0 : cost;
    if (pace->rest > 0)
        pace->rest--;
}

/* whether there is reason to try what a run alone takes: of the last sixteen runs or so the team was held up too long */
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
    /* then one run's loss is enough */
    pace->lost = MOST_LOST - 1.0;
}
