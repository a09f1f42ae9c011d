/* Steps a scene and collects its measurements. */
#include "cli/core/simulation.h"
#include "cli/arrays.h"
#include "cli/cli.h"
#include "cli/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void run_error_add(run_error *error, const trn_measures *measures)
{
    error->square_sum += measures->joint_error_rms * measures->joint_error_rms;
    error->worst_rms = fmax(error->worst_rms, measures->joint_error_rms);
    error->max = fmax(error->max, measures->joint_error_max);
    ++error->steps;
}

double trn_run_error_rms(const run_error *error)
{
    return error->steps > 0 ? sqrt(error->square_sum / error->steps) : NAN;
}

static bool is_same_gravity(const float *a, const float *b)
{
    bool same = true;
    for (uint32_t k = 0; k < TRN_SCENE_AXES; ++k) {
        same = same && a[k] == b[k];
    }
    return same;
}

/* The settings of a restored world that options change, which are in its scene now. Setting one wakes what sleeps, also
   where nothing changes. */
static tr_status set_numbers(trn_world *world, const trn_scene *scene)
{
    trn_world_def now;
    tr_status status = trn_world_get(world, &now);
    if (status == TR_OK && !is_same_gravity(&now.gravity.x, &scene->gravity.x)) {
        status = trn_world_set_gravity(world, scene->gravity);
    }
    if (status == TR_OK && (now.method != scene->method || now.sweeps != scene->sweeps)) {
        status = trn_world_set_method(world, scene->method, scene->sweeps);
    }
    if (status == TR_OK && now.direct_load != scene->direct_load) {
        status = trn_world_set_direct_load(world, scene->direct_load);
    }
    return status == TR_OK && now.sleep.enable != scene->sleep.enable ? trn_world_set_sleep(world, &scene->sleep)
                                                                      : status;
}

static tr_status fill_world(simulation *sim, const void *state, size_t size, tr_error *error)
{
    if (state == NULL) {
        return trn_scene_build(sim->scene, sim->world, sim->bodies, sim->joints, error);
    }
    tr_status status = trn_state_restore(sim->world, state, size, sim->bodies, sim->joints, error);
    if (status == TR_OK && set_numbers(sim->world, sim->scene) != TR_OK) {
        *error = *trn_world_last_error(sim->world);
        status = error->status;
    }
    return status;
}

static void begin(simulation *sim, const trn_scene *scene, uint32_t steps)
{
    memset(sim, 0, sizeof *sim);
    sim->scene = scene;
    sim->hertz = scene->hertz;
    sim->substeps = scene->substeps;
    sim->steps = steps;
}

/* trn_scene_build() sets gravity and softness, and reports bad values in the scene's terms */
static tr_status make_world(simulation *sim, uint32_t threads, tr_error *error)
{
    trn_world_def def = trn_world_def_default();
    def.threads = threads;
    def.length_unit = sim->scene->length_unit;
    return trn_world_create(&def, &sim->world, error);
}

bool trn_simulation_begin(simulation *sim, const trn_scene *scene, const void *state, size_t size, const char *source,
                          uint32_t threads, uint32_t steps, bool show)
{
    begin(sim, scene, steps);

    /* one entry more, so that no size is zero */
    sim->bodies = calloc((size_t)scene->body_count + 1, sizeof *sim->bodies);
    sim->joints = calloc((size_t)scene->joint_count + 1, sizeof *sim->joints);
    sim->seconds = calloc((size_t)steps + 1, (TR_STAGE_COUNT + 1) * sizeof *sim->seconds);
    if (sim->bodies == NULL || sim->joints == NULL || sim->seconds == NULL) {
        trn_simulation_free(sim);
        cli_fail("out of memory");
        return false;
    }

    progress_note(show, "building a world of %u bodies and %u joints", scene->body_count, scene->joint_count);
    tr_error error = {TR_OK, ""};
    if (make_world(sim, threads, &error) != TR_OK || fill_world(sim, state, size, &error) != TR_OK) {
        trn_simulation_free(sim);
        cli_fail("%s: %s", cli_source_name(source), error.message);
        return false;
    }
    progress_note(show, "measuring the world");
    sim->start = sim->end = trn_world_measure(sim->world);
    progress_erase();
    return true;
}

bool trn_simulation_survey(simulation *sim, const trn_scene *scene, const char *source, uint32_t threads, bool show)
{
    begin(sim, scene, 0);
    sim->surveyed = true;
    progress_note(show, "surveying %u bodies and %u joints", scene->body_count, scene->joint_count);
    tr_error error = {TR_OK, ""};
    bool made =
        make_world(sim, threads, &error) == TR_OK && trn_scene_survey(scene, sim->world, &sim->survey, &error) == TR_OK;
    progress_erase();
    if (made) {
        sim->start = sim->end = sim->survey.measures;
        return true;
    }
    trn_simulation_free(sim);
    /* the whole world says which joint is wrong */
    return trn_simulation_begin(sim, scene, NULL, 0, source, threads, 0, show);
}

bool trn_simulation_step(simulation *sim)
{
    double begun = progress_clock();
    tr_status status = trn_world_step(sim->world, 1.0 / sim->hertz, sim->substeps);
    double ended = progress_clock();
    if (status != TR_OK) {
        cli_fail("step %u: %s", sim->done + 1, trn_world_last_error(sim->world)->message);
        return false;
    }

    tr_statistics statistics = trn_world_statistics(sim->world);
    for (uint32_t stage = 0; stage < TR_STAGE_COUNT; ++stage) {
        sim->seconds[(size_t)stage * sim->steps + sim->done] = statistics.stage_seconds[stage];
    }
    sim->seconds[(size_t)TR_STAGE_COUNT * sim->steps + sim->done] = ended - begun;
    sim->events += trn_world_events(sim->world).count;
    sim->touched = sim->touched || statistics.contacts > 0;
    ++sim->done;
    if (statistics.sleeping_bodies == 0 || statistics.sleeping_bodies < statistics.moving_bodies) {
        sim->asleep = 0;
    } else if (sim->asleep == 0) {
        sim->asleep = sim->done;
    }

    trn_measures measures = trn_world_measure(sim->world);
    run_error_add(&sim->error, &measures);
    if (trn_simulation_time(sim) > 1.0) {
        run_error_add(&sim->settled, &measures);
    }
    return true;
}

void trn_simulation_end(simulation *sim)
{
    if (!sim->surveyed) {
        sim->end = trn_world_measure(sim->world);
    }
}

tr_statistics trn_simulation_statistics(const simulation *sim)
{
    tr_statistics statistics = trn_world_statistics(sim->world);
    for (uint32_t type = 0; sim->surveyed && type < TRN_JOINT_TYPE_COUNT; ++type) {
        statistics.joints_of_type[type] = sim->survey.joints_of_type[type];
        statistics.joints += sim->survey.joints_of_type[type];
    }
    return statistics;
}

uint64_t trn_simulation_hash(const simulation *sim)
{
    return sim->surveyed ? sim->survey.state_hash : trn_world_state_hash(sim->world);
}

void trn_simulation_free(simulation *sim)
{
    trn_world_destroy(sim->world);
    free(sim->bodies);
    free(sim->joints);
    free(sim->seconds);
    memset(sim, 0, sizeof *sim);
}

double trn_simulation_time(const simulation *sim)
{
    return sim->done / sim->hertz;
}

spread trn_simulation_spread(simulation *sim, uint32_t stage)
{
    uint32_t n = sim->done;
    if (n == 0) {
        return (spread){NAN, NAN, NAN};
    }
    double *row = sim->seconds + (size_t)stage * sim->steps;
    qsort(row, n, sizeof *row, compare_doubles);
    double median = n % 2 == 1 ? row[n / 2] : 0.5 * (row[n / 2 - 1] + row[n / 2]);
    return (spread){row[0], median, row[(size_t)ceil(0.99 * n) - 1]};
}
