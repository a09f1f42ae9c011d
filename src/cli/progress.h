/* A progress bar on a terminal; nothing at all elsewhere. */
#ifndef TR_CLI_PROGRESS_H
#define TR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool shown;
    uint32_t total;
    double begun, drawn; /* s, of the monotonic clock */
} progress;

/* Seconds of the monotonic clock. */
double progress_clock(void);

/* Shows a bar where stderr is a terminal and `wanted`. */
void progress_begin(progress *p, uint32_t total, bool wanted);
/* After `done` of the steps; draws ten times a second at most. */
void progress_update(progress *p, uint32_t done);
/* Removes the bar. */
void progress_end(progress *p);

#endif
