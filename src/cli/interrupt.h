/* Interrupts (Ctrl-C, SIGTERM, SIGHUP) as a flag that whatever takes long looks at. */
#ifndef TR_CLI_INTERRUPT_H
#define TR_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first interrupt sets the flag, so that the run ends in good order; a second one ends it at once. */
void interrupt_catch(void);
bool interrupt_seen(void);

#endif
