/* Number of cores that this process may use, clock and scheduling. Only topology.c uses hwloc and the operating
   system's files. */
#ifndef TR_PARALLEL_TOPOLOGY_H
#define TR_PARALLEL_TOPOLOGY_H

#include <stdint.h>

/* tr_physical_cores() of trammel/base.h is defined in topology.c. */

/* Time of a monotonic clock, s. */
double tr_clock_seconds(void);

/* Lets another ready thread use this core. */
void tr_thread_yield(void);

/* Sleeps for at least this long. */
void tr_thread_sleep(uint32_t microseconds);

#endif
