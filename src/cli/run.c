/* trammel run: simulates a scene and writes a report, trajectories and pictures (core/run_scene.c). */
#include "cli/cli.h"
#include "cli/run_options.h"
#include "cli/scenes.h"

#include <stdlib.h>
#include <string.h>

/* selects the instruction set from the option or the environment; unlike the library, reports one that is
   unavailable */
static int choose_isa(const run_options *o)
{
    const char *source = o->has_isa ? "--isa" : "TRAMMEL_ISA";
    const char *name = o->has_isa ? tr_isa_name(o->isa) : getenv("TRAMMEL_ISA");
    tr_isa isa = TR_ISA_SCALAR;
    if (name == NULL || name[0] == 0 || (tr_isa_from_name(name, &isa) && tr_set_isa(isa) == TR_OK)) {
        return CLI_OK;
    }
    char names[128] = "";
    for (int i = 0; i < TR_ISA_COUNT; ++i) {
        if (tr_isa_available((tr_isa)i)) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, " %s", tr_isa_name((tr_isa)i));
        }
    }
    return cli_fail("%s: %s is not available here; there are:%s", source, name, names);
}

int cli_run(int argc, char **argv)
{
    run_options o = {0};
    o.outputs = calloc((size_t)argc, sizeof *o.outputs);
    if (o.outputs == NULL) {
        return cli_fail("out of memory");
    }
    int code = run_options_read(&o, argc, argv);
    cli_scene scene = {NULL, NULL};
    if (code == CLI_OK && o.help) {
        cli_run_help(stdout);
    } else if (code == CLI_OK) {
        code = choose_isa(&o);
        code = code == CLI_OK ? cli_open_scene("run", o.source, &o.robot, !o.quiet, &scene) : code;
        code = code == CLI_OK ? (scene.plane != NULL ? tr2_run_scene(&o, scene.plane) : tr3_run_scene(&o, scene.space))
                              : code;
    }
    cli_scene_free(&scene);
    for (uint32_t i = 0; i < o.output_count; ++i) {
        output_discard(&o.outputs[i]);
    }
    free(o.outputs);
    return code == CLI_OK || code == CLI_NONFINITE ? cli_finish_output(code) : code;
}
