/* Records trajectories and pictures of a run. */
#include "cli/core/recording.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

#include <stdlib.h>
#include <string.h>

#define MOST_KEY_FRAMES  60u
#define LEAST_KEY_FRAMES 12u
#define KEY_PLACES       200000u /* bodies times key frames; keeps the file at a few megabytes */

static bool is_trajectory(const output *o)
{
    return o->kind == OUTPUT_CSV || o->kind == OUTPUT_NPY;
}

static uint32_t count_of_key_frames(const recording_options *options, const trn_scene *scene)
{
    if (options->key_frames != 0) {
        return options->key_frames;
    }
    /* an animated colour takes about as much space as a position in the plane */
    uint64_t weight = TRN_FRAME_WEIGHT * (uint64_t)scene->body_count +
                      (options->color != COLOR_TYPE ? 2ull * scene->joint_count : 0) + 1;
    uint32_t count = (uint32_t)(KEY_PLACES / weight);
    return count > MOST_KEY_FRAMES ? MOST_KEY_FRAMES : count < LEAST_KEY_FRAMES ? LEAST_KEY_FRAMES : count;
}

bool trn_recording_begin(recording *r, output *outputs, uint32_t count, const trn_scene *scene, uint32_t steps,
                         const recording_options *options)
{
    memset(r, 0, sizeof *r);
    r->outputs = outputs;
    r->output_count = count;
    r->every = options->every;
    r->scene = scene;
    r->steps = steps;
    r->save_at = options->save_at != UINT32_MAX ? options->save_at : steps;

    bool made = true, strip = false, animation = false;
    for (uint32_t i = 0; made && i < count; ++i) {
        made = outputs[i].kind == OUTPUT_LOG || output_open(&outputs[i]);
        strip = strip || outputs[i].kind == OUTPUT_SVG || outputs[i].kind == OUTPUT_PNG;
        animation = animation || outputs[i].kind == OUTPUT_ANIMATED;
        if (made && is_trajectory(&outputs[i])) {
            trn_trajectory_begin(&outputs[i], scene, steps / r->every + 1);
            r->states = r->states != NULL ? r->states : calloc((size_t)scene->body_count + 1, sizeof *r->states);
        }
    }
    if (!made) {
        trn_recording_free(r);
        return false;
    }

    for (uint32_t i = 0; i < count; ++i) {
        made = made && (!is_trajectory(&outputs[i]) || r->states != NULL);
    }
    made = made && (!(strip || animation) || trn_groups_find(&r->groups, scene));
    made = made && (!strip || trn_film_begin_spread(&r->strip, options->strip_frames, steps, options->color));
    made = made && (!animation ||
                    trn_film_begin_even(&r->animation, count_of_key_frames(options, scene), steps, options->color));
    if (!made) {
        trn_recording_free(r);
        cli_fail("out of memory");
    }
    return made;
}

static bool read_states(recording *r, const simulation *sim)
{
    for (uint32_t i = 0; i < r->scene->body_count; ++i) {
        trn_body_def now;
        if (trn_body_get(sim->world, sim->bodies[i], &now) != TR_OK) {
            return false;
        }
        r->states[i] = trn_state_of(&now);
    }
    return true;
}

/* a snapshot, or a scene: the world as it is now */
static bool write_world(const recording *r, const simulation *sim, const output *o)
{
    tr_error error = {TR_OK, ""};
    char *bytes = NULL;
    size_t size = 0;
    if (o->kind == OUTPUT_SNAPSHOT) {
        size = trn_world_save_size(sim->world);
        bytes = malloc(size);
        error.status = bytes != NULL ? trn_world_save(sim->world, bytes, size, &size) : TR_ERROR_MEMORY;
    } else {
        trn_scene *now = NULL;
        error.status = trn_scene_capture(sim->world, &now, &error);
        if (error.status == TR_OK) {
            now->hertz = r->scene->hertz;
            now->substeps = r->scene->substeps;
            error.status = trn_scene_write(now, &bytes, &size, &error);
        }
        trn_scene_destroy(now);
    }
    if (error.status == TR_OK) {
        fwrite(bytes, 1, size, o->stream);
    } else {
        cli_fail("%s: %s", o->path, error.message[0] != 0 ? error.message : "out of memory");
    }
    free(bytes);
    return error.status == TR_OK;
}

bool trn_recording_visit(recording *r, const simulation *sim)
{
    for (uint32_t i = 0; i < r->output_count; ++i) {
        output *o = &r->outputs[i];
        bool due = (o->kind == OUTPUT_SNAPSHOT && sim->done == r->save_at) ||
                   (o->kind == OUTPUT_SCENE && sim->done == r->steps);
        if (due && !write_world(r, sim, o)) {
            return false;
        }
    }

    double time = trn_simulation_time(sim);
    bool seen = trn_film_visit(&r->strip, sim->done, time, r->scene, sim->world, sim->bodies, sim->joints) &&
                trn_film_visit(&r->animation, sim->done, time, r->scene, sim->world, sim->bodies, sim->joints);
    bool written = seen;
    if (seen && r->states != NULL && sim->done % r->every == 0) {
        seen = read_states(r, sim);
        for (uint32_t i = 0; seen && i < r->output_count; ++i) {
            if (is_trajectory(&r->outputs[i])) {
                trn_trajectory_frame(&r->outputs[i], r->scene, sim->done, time, r->states);
                /* stop at once when the disk is full, not at the end of the run */
                written = written && !ferror(r->outputs[i].stream);
            }
        }
    }
    if (!seen) {
        cli_fail("step %u: cannot be recorded: out of memory", sim->done);
    } else if (!written) {
        cli_fail("step %u: the trajectory cannot be written", sim->done);
    }
    return seen && written;
}

/* draws one picture into its temporary file */
static bool draw(const recording *r, picture p, output *o)
{
    p.scene = r->scene;
    p.groups = &r->groups;
    p.film = o->kind == OUTPUT_ANIMATED ? &r->animation : &r->strip;
    return o->kind == OUTPUT_ANIMATED ? trn_picture_write_animation(&p, o) : trn_picture_draw_strip(&p, o);
}

bool trn_recording_finish(recording *r, picture p)
{
    bool finished = true;
    for (uint32_t i = 0; i < r->output_count; ++i) {
        output *o = &r->outputs[i];
        if (output_is_picture(o->kind) && !draw(r, p, o)) {
            output_discard(o);
            finished = false;
        }
        if (interrupt_seen()) {
            return false;
        }
    }

    /* rename only when all pictures are drawn, so that an interrupt leaves every file as it was */
    for (uint32_t i = 0; i < r->output_count; ++i) {
        if (r->outputs[i].temporary != NULL) {
            finished = output_commit(&r->outputs[i]) && finished;
        }
    }
    return finished;
}

void trn_recording_free(recording *r)
{
    for (uint32_t i = 0; i < r->output_count; ++i) {
        output_discard(&r->outputs[i]);
    }
    trn_film_free(&r->strip);
    trn_film_free(&r->animation);
    trn_groups_free(&r->groups);
    free(r->states);
    memset(r, 0, sizeof *r);
}
