/* Simulates a scene and writes its report, trajectories and pictures. */
#include "cli/cli.h"
#include "cli/core/recording.h"
#include "cli/core/run_report.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* with more joints than this, pictures show forces by default: a colour for each type would show little */
#define FORCE_COLORS_ABOVE 1000u

/* overrides the scene's values by the options; computes the number of steps */
static int apply(const run_options *o, trn_scene *scene, uint32_t *steps)
{
    if (o->has_hertz) {
        scene->hertz = o->hertz;
    }
    if (o->has_substeps) {
        scene->substeps = o->substeps;
    }
    if (o->sleep || o->no_sleep) {
        scene->sleep.enable = o->sleep;
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
        if (o->gravity_count != TRN_SCENE_AXES) {
            return cli_misuse("run", "--gravity: the scene has %d dimensions, so that %d numbers are expected, not %u",
                              TRN_SCENE_AXES, TRN_SCENE_AXES, o->gravity_count);
        }
        float *gravity = &scene->gravity.x;
        for (uint32_t k = 0; k < TRN_SCENE_AXES; ++k) {
            gravity[k] = (float)o->gravity[k];
        }
    }
    if (o->has_camera && !TRN_HAS_CAMERA) {
        return cli_misuse("run", "--camera: the scene is in the plane, which pictures show as it is");
    }
    if (o->follow != NULL && trn_view_find_body(scene, o->follow) == UINT32_MAX) {
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

/* where the log of calls goes; null: nowhere */
static const output *log_of(const recording *r)
{
    for (uint32_t i = 0; i < r->output_count; ++i) {
        if (r->outputs[i].kind == OUTPUT_LOG) {
            return &r->outputs[i];
        }
    }
    return NULL;
}

/* runs all steps with progress bar and recording */
static int step_through(simulation *sim, recording *r, bool show)
{
    progress bar;
    int code = trn_recording_visit(r, sim) ? CLI_OK : CLI_FAILED;
    progress_begin(&bar, sim->steps, show);
    while (code == CLI_OK && sim->done < sim->steps) {
        code = trn_simulation_step(sim) && trn_recording_visit(r, sim) ? CLI_OK : CLI_FAILED;
        if (code == CLI_OK && interrupt_seen()) {
            code = CLI_INTERRUPTED;
        }
        progress_update(&bar, sim->done);
    }
    progress_end(&bar);
    if (code == CLI_INTERRUPTED) {
        cli_fail("interrupted after %u of %u steps; no file was written%s", sim->done, sim->steps,
                 log_of(r) != NULL ? " but the log" : "");
    }
    return code;
}

static int print_report(const run_options *o, simulation *sim)
{
    report r = {0};
    run_texts texts;
    progress_note(!o->quiet, "gathering the results");
    trn_run_report(&r, &texts, sim, o->source, o->outputs, o->output_count);
    progress_erase();
    bool printed = o->json ? report_print_json(&r, stdout) : o->quiet || report_print_table(&r, stdout);
    report_free(&r);
    return printed ? CLI_OK : cli_fail("out of memory");
}

/* the scene's name, or the file's name without the folder, cleaned for drawing */
static char *make_title(const trn_scene *scene, const char *source)
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
                 .angles = o->has_camera ? o->camera : NULL,
                 .width = o->size[0],
                 .height = o->size[1]};
    progress_note(!o->quiet, "measuring the world");
    trn_simulation_end(sim);
    progress_note(!o->quiet && o->output_count > 0, "writing the files");
    int code = trn_recording_finish(r, p) ? CLI_OK : CLI_FAILED;
    progress_erase();
    free(title);
    if (code != CLI_OK && interrupt_seen()) {
        cli_fail("interrupted while pictures were drawn; no file was written");
        return CLI_INTERRUPTED;
    }
    if (code == CLI_OK) {
        code = print_report(o, sim);
    }
    if (code == CLI_OK && trn_world_statistics(sim->world).nonfinite_bodies > 0) {
        code = CLI_NONFINITE;
    }
    return code;
}

/* The log is written in its place: it has what was done before an interrupt or a failure. */
static bool begin_log(const recording *r, simulation *sim)
{
    const output *log = log_of(r);
    tr_error error = {TR_OK, ""};
    if (log != NULL && trn_world_record_file(sim->world, log->target, &error) != TR_OK) {
        cli_fail("%s", error.message);
        return false;
    }
    return true;
}

int trn_run_scene(run_options *o, trn_scene *scene)
{
    uint32_t steps = 0;
    int code = apply(o, scene, &steps);
    if (code != CLI_OK) {
        return code;
    }
    if (o->recording.save_at != UINT32_MAX && o->recording.save_at > steps) {
        return cli_misuse("run", "--save-at: there is no step %u; the run has %u", o->recording.save_at, steps);
    }
    if (!o->has_color && scene->joint_count > FORCE_COLORS_ABOVE) {
        o->recording.color = COLOR_FORCE;
    }

    simulation sim;
    recording r;
    bool begun =
        steps == 0 && o->output_count == 0 && o->state == NULL
            ? trn_simulation_survey(&sim, scene, o->source, o->threads, !o->quiet)
            : trn_simulation_begin(&sim, scene, o->state, o->state_size, o->source, o->threads, steps, !o->quiet);
    if (!begun) {
        return CLI_FAILED;
    }
    interrupt_catch();
    code = CLI_FAILED;
    if (trn_recording_begin(&r, o->outputs, o->output_count, scene, steps, &o->recording)) {
        code = begin_log(&r, &sim) ? step_through(&sim, &r, !o->quiet) : CLI_FAILED;
        if (code == CLI_OK && trn_world_stop_recording(sim.world) != TR_OK) {
            code = cli_fail("%s: %s", log_of(&r)->path, trn_world_last_error(sim.world)->message);
        }
        if (code == CLI_OK) {
            code = finish(o, &sim, &r);
        }
        trn_recording_free(&r);
    }
    trn_simulation_free(&sim);
    return code;
}
