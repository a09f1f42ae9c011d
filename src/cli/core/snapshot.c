/* Takes snapshots of a world. */
#include "cli/core/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool begin(film *f, uint32_t count, color_mode mode)
{
    memset(f, 0, sizeof *f);
    f->mode = mode;
    f->frames = calloc(count, sizeof *f->frames);
    f->count = f->frames != NULL ? count : 0;
    return f->frames != NULL;
}

trn_dvec trn_snapshot_origin(const trn_scene *scene)
{
    return scene->body_count > 0 ? scene->bodies[0].def.position : (trn_dvec){0};
}

bool trn_film_begin_spread(film *f, uint32_t count, uint32_t steps, color_mode mode)
{
    uint32_t possible = steps < UINT32_MAX ? steps + 1 : steps;
    count = count < possible ? count : possible;
    if (!begin(f, count, mode)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        f->frames[i].step = count > 1 ? (uint32_t)((uint64_t)steps * i / (count - 1)) : steps;
    }
    return true;
}

bool trn_film_begin_even(film *f, uint32_t count, uint32_t steps, color_mode mode)
{
    uint32_t stride = count > 1 ? (steps + count - 2) / (count - 1) : steps;
    stride = stride > 0 ? stride : 1;
    if (!begin(f, steps / stride + 1, mode)) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; ++i) {
        f->frames[i].step = i * stride;
    }
    return true;
}

void trn_film_free(film *f)
{
    for (uint32_t i = 0; i < f->count; ++i) {
        free(f->frames[i].transforms);
        free(f->frames[i].force);
        free(f->frames[i].color);
        free(f->frames[i].broken);
        free(f->frames[i].asleep);
    }
    free(f->frames);
    memset(f, 0, sizeof *f);
}

/* marks the joints that no longer exist; false if out of memory */
static bool note_broken(snapshot *s, const trn_scene *scene, const trn_world *world, const trn_joint *joints)
{
    for (uint32_t j = 0; j < scene->joint_count; ++j) {
        if (trn_joint_is_valid(world, joints[j])) {
            continue;
        }
        s->broken = s->broken != NULL ? s->broken : calloc(scene->joint_count, sizeof *s->broken);
        if (s->broken == NULL) {
            return false;
        }
        s->broken[j] = true;
    }
    return true;
}

/* marks the bodies that sleep; false if out of memory */
static bool note_asleep(snapshot *s, const trn_scene *scene, const trn_world *world, const trn_body *bodies)
{
    if (trn_world_statistics(world).sleeping_bodies == 0) {
        return true;
    }
    s->asleep = calloc((size_t)scene->body_count + 1, sizeof *s->asleep);
    for (uint32_t i = 0; s->asleep != NULL && i < scene->body_count; ++i) {
        bool awake = true;
        s->asleep[i] = trn_body_is_awake(world, bodies[i], &awake) == TR_OK && !awake;
    }
    return s->asleep != NULL;
}

bool trn_film_visit(film *f, uint32_t step, double time, const trn_scene *scene, const trn_world *world,
                    const trn_body *bodies, const trn_joint *joints)
{
    if (f->taken == f->count || f->frames[f->taken].step != step) {
        return true;
    }
    snapshot *s = &f->frames[f->taken];
    s->time = time;
    s->transforms = calloc((size_t)scene->body_count + 1, sizeof *s->transforms);
    if (s->transforms == NULL || trn_world_get_transforms(world, bodies, scene->body_count, s->transforms) != TR_OK ||
        !note_broken(s, scene, world, joints) || !note_asleep(s, scene, world, bodies)) {
        return false;
    }
    s->transforms[scene->body_count] = trn_frame_at(trn_snapshot_origin(scene));

    if (f->mode == COLOR_FORCE) {
        s->force = calloc((size_t)scene->joint_count + 1, sizeof *s->force);
        for (uint32_t j = 0; s->force != NULL && j < scene->joint_count; ++j) {
            trn_reaction reaction;
            if (trn_joint_reaction(world, joints[j], &reaction) == TR_OK) {
                s->force[j] = (float)trn_size(reaction.force);
            }
        }
    } else if (f->mode == COLOR_GRAPH) {
        s->color = calloc((size_t)scene->joint_count + 1, sizeof *s->color);
        for (uint32_t j = 0; s->color != NULL && j < scene->joint_count; ++j) {
            if (trn_joint_color(world, joints[j], &s->color[j]) != TR_OK) {
                s->color[j] = UINT32_MAX;
            }
        }
    }
    ++f->taken;
    return (f->mode != COLOR_FORCE || s->force != NULL) && (f->mode != COLOR_GRAPH || s->color != NULL);
}
