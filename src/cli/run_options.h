/* The command line of `trammel run`. */
#ifndef TR_CLI_RUN_OPTIONS_H
#define TR_CLI_RUN_OPTIONS_H

#include "cli/output.h"
#include "cli/picture_options.h"
#include "cli/robot_options.h"
#include "trammel/trammel.h"

#define RUN_DEFAULT_SECONDS 10.0

typedef struct run_options {
    const char *source;
    const char *restore; /* a snapshot, which is the source; null: a scene */
    const void *state;   /* its content, from cli_open_snapshot() */
    size_t state_size;
    bool has_seconds, has_steps, has_hertz, has_substeps, has_method, has_sweeps, has_direct_load, has_gravity, has_isa,
        has_color;
    double seconds, hertz, direct_load;
    double gravity[3];
    uint32_t gravity_count;
    bool has_camera;
    double camera[2]; /* degrees */
    uint32_t copies;  /* of the scene; 0: one */
    double spacing;   /* m; 0: as tr3_scene_repeat() */
    uint32_t steps, substeps, sweeps, threads;
    tr_method method;
    tr_isa isa;
    bool json, quiet, animate, help, sleep, no_sleep;
    view_kind view;
    const char *follow;
    uint32_t size[2]; /* pixels; 0: automatic */
    recording_options recording;
    cli_robot_options robot;
    output *outputs; /* the caller provides room for argc of them */
    uint32_t output_count;
} run_options;

/* Parses the command line into `o`, which must be zero except for `outputs`. The outputs are resolved afterwards;
   release each with output_discard(). Returns CLI_OK, or an exit code after a message. */
int run_options_read(run_options *o, int argc, char **argv);

#endif
