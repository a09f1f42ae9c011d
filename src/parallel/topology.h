/* The machine: how many cores this process may use. The only file that knows hwloc or the operating system's files. */
#ifndef TR_PARALLEL_TOPOLOGY_H
#define TR_PARALLEL_TOPOLOGY_H

#include <stdint.h>

/* tr_physical_cores() of trammel/base.h is defined in topology.c. */

/* Seconds on a clock that never goes back. */
double tr_clock_seconds(void);

/* Lets another thread that is ready have this core. */
void tr_thread_yield(void);

/* Leaves the core for at least this long. */
void tr_thread_sleep(uint32_t microseconds);

#endif
