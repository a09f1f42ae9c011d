/*
 * Decides whether to use several workers. If other processes occupy the cores, a step on several threads waits for
 * threads that are not scheduled, and can take longer than on one. A pace stores the cost of work on one worker and
 * sums the time that the team gains or loses against it. After too great a loss, the team rests for a number of runs,
 * which grows with each failed attempt. Results do not depend on the number of workers, so only the run time changes.
 */
#ifndef TR_PARALLEL_PACE_H
#define TR_PARALLEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_pace {
    double alone;         /* s per unit of work on one worker; 0: unknown */
    double lost;          /* time that the team has lost, in runs alone; below 0: gained */
    double seconds, held; /* smoothed sums over recent runs, while `alone` is unknown */
    uint32_t rest;        /* runs left during which the team rests */
    uint32_t patience;    /* length of the next rest */
} tr_pace;

/*
 * Number of workers for the next run: `wanted`, or 1. Start with a zeroed pace. `eager`: use the team until it is seen
 * to be held up; otherwise the first run is on one worker, to measure its cost.
 */
uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted, bool eager);
/* Records a run: its work (any unit, > 0), the number of workers and its time. `held`: the part of the time in which
   a worker waited for others that did not run. */
void tr_pace_took(tr_pace *pace, uint32_t workers, double work, double seconds, double held);

#endif
