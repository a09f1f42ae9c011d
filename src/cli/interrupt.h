/* Turns interrupts (Ctrl-C, SIGTERM, SIGHUP) into a flag that long operations poll. */
#ifndef TR_CLI_INTERRUPT_H
#define TR_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first interrupt only sets the flag, so that the run can clean up; a second one kills the process. */
void interrupt_catch(void);
bool interrupt_seen(void);

#endif
