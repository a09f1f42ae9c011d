/* trammel run: simulates a scene and writes a report, trajectories and pictures. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/run_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* with more joints than this, pictures show forces by default: a colour for each type would show little */
#define FORCE_COLORS_ABOVE 1000u

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

/* overrides the scene's values by the options; computes the number of steps */
static int apply(const run_options *o, tr2_scene *scene, uint32_t *steps)
{
    if (o->has_hertz) {
        scene->hertz = o->hertz;
    }
    if (o->has_substeps) {
        scene->substeps = o->substeps;
    }
    if (o->has_method) {
        scene->method = o->method;
    }
    if (o->has_sweeps) {
        scene->sweeps = o->sweeps;
    }
    if (o->has_direct_load) {
        scene->direct_load = (float)o->direct_load;
    }
    if (o->has_gravity) {
        scene->gravity = (tr_vec2){(float)o->gravity[0], (float)o->gravity[1]};
    }
    if (o->follow != NULL && view_find_body(scene, o->follow) == UINT32_MAX) {
        cli_guess guess = {.wrong = o->follow};
        for (uint32_t i = 0; i < scene->body_count; ++i) {
            if (scene->bodies[i].name != NULL) {
                cli_guess_name(&guess, scene->bodies[i].name);
            }
        }
        return cli_misuse("run", "--follow: the scene has no body '%s'%s", o->follow, cli_guess_hint(&guess, ""));
    }
    double wanted = o->has_steps ? o->steps : round((o->has_seconds ? o->seconds : RUN_DEFAULT_SECONDS) * scene->hertz);
    if (wanted > INT32_MAX) {
        return cli_misuse("run", "--seconds: at %g Hz that would be %.3g steps; at most %d", scene->hertz, wanted,
                          INT32_MAX);
    }
    *steps = (uint32_t)wanted;
    return CLI_OK;
}

/* runs all steps with progress bar and recording */
static int step_through(simulation *sim, recording *r, bool show)
{
    progress bar;
    int code = recording_visit(r, sim) ? CLI_OK : CLI_FAILED;
    progress_begin(&bar, sim->steps, show);
    while (code == CLI_OK && sim->done < sim->steps) {
        code = simulation_step(sim) && recording_visit(r, sim) ? CLI_OK : CLI_FAILED;
        if (code == CLI_OK && interrupt_seen()) {
            code = CLI_INTERRUPTED;
        }
        progress_update(&bar, sim->done);
    }
    progress_end(&bar);
    if (code == CLI_INTERRUPTED) {
        cli_fail("interrupted after %u of %u steps; no file was written", sim->done, sim->steps);
    }
    return code;
}

static int print_report(const run_options *o, simulation *sim)
{
    report r = {0};
    run_texts texts;
    progress_note(!o->quiet, "gathering the results");
    run_report(&r, &texts, sim, o->source, o->outputs, o->output_count);
    progress_erase();
    bool printed = o->json ? report_print_json(&r, stdout) : o->quiet || report_print_table(&r, stdout);
    report_free(&r);
    return printed ? CLI_OK : cli_fail("out of memory");
}

/* the scene's name, or the file's name without the folder, cleaned for drawing */
static char *make_title(const tr2_scene *scene, const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *name = scene->name != NULL && scene->name[0] != 0 ? scene->name : slash != NULL ? slash + 1 : source;
    char *title = strdup(name);
    if (title != NULL) {
        cli_clean_text(title);
    }
    return title;
}

static int finish(const run_options *o, simulation *sim, recording *r)
{
    char *title = make_title(sim->scene, o->source);
    if (title == NULL) {
        return cli_fail("out of memory");
    }
    picture p = {.title = title,
                 .hertz = sim->hertz,
                 .substeps = sim->substeps,
                 .view = o->view,
                 .follow = o->follow,
                 .width = o->size[0],
                 .height = o->size[1]};
    progress_note(!o->quiet, "measuring the world");
    simulation_end(sim);
    progress_note(!o->quiet && o->output_count > 0, "writing the files");
    int code = recording_finish(r, p) ? CLI_OK : CLI_FAILED;
    progress_erase();
    free(title);
    if (code != CLI_OK && interrupt_seen()) {
        cli_fail("interrupted while pictures were drawn; no file was written");
        return CLI_INTERRUPTED;
    }
    if (code == CLI_OK) {
        code = print_report(o, sim);
    }
    if (code == CLI_OK && tr2_world_statistics(sim->world).nonfinite_bodies > 0) {
        code = CLI_NONFINITE;
    }
    return code;
}

static int run_scene(run_options *o, tr2_scene *scene)
{
    uint32_t steps = 0;
    int code = apply(o, scene, &steps);
    if (code != CLI_OK) {
        return code;
    }
    if (!o->has_color && scene->joint_count > FORCE_COLORS_ABOVE) {
        o->recording.color = COLOR_FORCE;
    }

    simulation sim;
    recording r;
    if (!simulation_begin(&sim, scene, o->source, o->threads, steps, !o->quiet)) {
        return CLI_FAILED;
    }
    interrupt_catch();
    code = CLI_FAILED;
    if (recording_begin(&r, o->outputs, o->output_count, scene, steps, &o->recording)) {
        code = step_through(&sim, &r, !o->quiet);
        if (code == CLI_OK) {
            code = finish(o, &sim, &r);
        }
        recording_free(&r);
    }
    simulation_free(&sim);
    return code;
}

int cli_run(int argc, char **argv)
{
    run_options o = {0};
    o.outputs = calloc((size_t)argc, sizeof *o.outputs);
    if (o.outputs == NULL) {
        return cli_fail("out of memory");
    }
    int code = run_options_read(&o, argc, argv);
    tr2_scene *scene = NULL;
    if (code == CLI_OK && o.help) {
        cli_run_help(stdout);
    } else if (code == CLI_OK) {
        code = choose_isa(&o);
        code = code == CLI_OK ? cli_open_scene("run", o.source, !o.quiet, &scene) : code;
        code = code == CLI_OK ? run_scene(&o, scene) : code;
    }
    tr2_scene_destroy(scene);
    for (uint32_t i = 0; i < o.output_count; ++i) {
        output_discard(&o.outputs[i]);
    }
    free(o.outputs);
    return code == CLI_OK || code == CLI_NONFINITE ? cli_finish_output(code) : code;
}
