/* What is under way, and a progress bar, on a terminal; silent elsewhere. */
#ifndef TR_CLI_PROGRESS_H
#define TR_CLI_PROGRESS_H

#include "cli/cli.h"

typedef struct progress {
    bool shown;
    uint32_t total;
    double begun, drawn; /* s, of the monotonic clock */
} progress;

/* Time of the monotonic clock, s. */
double progress_clock(void);

/* Shows what is under way, such as "making grid:4000", on a line of stderr, in place of the line before, if `wanted`
   and stderr is a terminal. */
void progress_note(bool wanted, const char *format, ...) CLI_PRINTF(2, 3);
/* Removes the line; nothing if there is none. Messages call it first, so that they begin at the margin. */
void progress_erase(void);

/* Shows a bar if `wanted` and stderr is a terminal. */
void progress_begin(progress *p, uint32_t total, bool wanted);
/* Call after each step with the number of steps done; redraws at most ten times a second. */
void progress_update(progress *p, uint32_t done);
/* Removes the bar. */
void progress_end(progress *p);

#endif
