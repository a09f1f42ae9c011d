/*
 * Whether the team pays. Where other processes hold the cores, a step on several threads waits for whichever thread is
 * not running, and can take longer than on one. A pace remembers what work cost alone and together, and has the team
 * rest when it has been the slower; it tries again after a while, longer each time it fails. Results do not depend on
 * the number of workers, so this changes time only.
 */
#ifndef TR_PARALLEL_PACE_H
#define TR_PARALLEL_PACE_H

#include <stdint.h>

typedef struct tr_pace {
    double alone;      /* s per unit of work on one worker; 0: not known */
    uint32_t slower;   /* runs in a row in which the team was the slower */
    uint32_t rest;     /* runs that the team still rests */
    uint32_t patience; /* how long it rests the next time */
} tr_pace;

/* How many workers the next run should have: `wanted`, or 1. A zeroed pace is a new one. */
uint32_t tr_pace_workers(const tr_pace *pace, uint32_t wanted);
/* What a run of so much work (any unit, > 0) took on that many workers. */
void tr_pace_took(tr_pace *pace, uint32_t workers, double work, double seconds);

#endif
