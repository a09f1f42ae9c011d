/* trammel run: simulates a scene and writes a report, trajectories and pictures (core/run_scene.c). */
#include "cli/cli.h"
#include "cli/run_options.h"
#include "cli/scenes.h"

#include <stdlib.h>

int cli_run(int argc, char **argv)
{
    run_options o = {0};
    o.outputs = calloc((size_t)argc, sizeof *o.outputs);
    if (o.outputs == NULL) {
        return cli_fail("out of memory");
    }
    int code = run_options_read(&o, argc, argv);
    cli_scene scene = {NULL, NULL};
    char *state = NULL;
    if (code == CLI_OK && o.help) {
        cli_run_help(stdout);
    } else if (code == CLI_OK) {
        code = cli_choose_isa(o.has_isa ? &o.isa : NULL);
        if (code == CLI_OK) {
            code = o.restore != NULL ? cli_open_snapshot(o.restore, &state, &o.state_size, &scene)
                                     : cli_open_scene("run", o.source, &o.robot, !o.quiet, &scene);
        }
        o.state = state;
        if (code == CLI_OK && o.copies > 1) {
            tr_error error = {TR_OK, ""};
            tr_status status = scene.plane != NULL ? tr2_scene_repeat(scene.plane, o.copies, o.spacing, &error)
                                                   : tr3_scene_repeat(scene.space, o.copies, o.spacing, &error);
            code = status == TR_OK ? CLI_OK : cli_fail("%s: %s", cli_source_name(o.source), error.message);
        }
        code = code == CLI_OK ? (scene.plane != NULL ? tr2_run_scene(&o, scene.plane) : tr3_run_scene(&o, scene.space))
                              : code;
    }
    cli_scene_free(&scene);
    free(state);
    for (uint32_t i = 0; i < o.output_count; ++i) {
        output_discard(&o.outputs[i]);
    }
    free(o.outputs);
    return code == CLI_OK || code == CLI_NONFINITE ? cli_finish_output(code) : code;
}
