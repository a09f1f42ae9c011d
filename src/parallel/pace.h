/*
 * Whether the team pays. Where other processes hold the cores, a step on several threads waits for whichever thread is
 * not running, and can take longer than on one. A pace remembers what work cost alone, keeps account of what the team
 * saves and loses against that, and has it rest when it has lost too much; it tries again after a while, longer each time
 * it fails. Results do not depend on the number of workers, so this changes time only.
 */
#ifndef TR_PARALLEL_PACE_H
#define TR_PARALLEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_pace {
    double alone;         /* s per unit of work on one worker; 0: not known */
    double lost;          /* time that the team has lost, in runs alone; below 0: saved */
    double seconds, held; /* of the last runs, while `alone` is not known */
    uint32_t rest;        /* runs that the team still rests */
    uint32_t patience;    /* how long it rests the next time */
} tr_pace;

/*
 * How many workers the next run should have: `wanted`, or 1. A zeroed pace is a new one. `eager`: the team runs until it
 * is seen to be held up; otherwise the first run is alone, to have its cost.
 */
uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted, bool eager);
/* What a run of so much work (any unit, > 0) took on that many workers; `held`: the part of it for which some worker waited
   for others that did not run. */
void tr_pace_took(tr_pace *pace, uint32_t workers, double work, double seconds, double held);

#endif
