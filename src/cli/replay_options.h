/* The command line of `trammel replay`. */
#ifndef TR_CLI_REPLAY_OPTIONS_H
#define TR_CLI_REPLAY_OPTIONS_H

#include "trammel/trammel.h"

typedef struct replay_options {
    const char *path;
    const char *save; /* null: no snapshot */
    bool has_isa, has_until, list, json, help;
    tr_isa isa;
    uint32_t threads, until;
} replay_options;

/* `trammel replay` after its options: an exit code. */
int tr2_replay_log(const replay_options *o, const void *log, size_t size);
int tr3_replay_log(const replay_options *o, const void *log, size_t size);

#endif
