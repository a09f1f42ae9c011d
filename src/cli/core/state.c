/* Worlds from snapshots: what there is in them, and their ids. */
#include "cli/cli.h"
#include "cli/core/simulation.h"
#include "cli/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* goes on in steps as the last one was */
static void keep_rates(const trn_world *world, trn_scene *scene)
{
    const tr_statistics statistics = trn_world_statistics(world);
    if (statistics.step_substeps == 0) {
        return;
    }
    const double hertz = 1.0 / statistics.step_dt, whole = round(hertz);
    scene->hertz = 1.0 / whole == statistics.step_dt ? whole : hertz;
    scene->substeps = statistics.step_substeps;
}

tr_status trn_state_open(const void *state, size_t size, trn_scene **out, tr_error *error)
{
    trn_world_def def = trn_world_def_default();
    trn_world *world = NULL;
    def.threads = 1;
    tr_status status = trn_world_create(&def, &world, error);
    if (status == TR_OK) {
        status = trn_world_restore(world, state, size);
        if (status != TR_OK) {
            *error = *trn_world_last_error(world);
        } else {
            status = trn_scene_capture(world, out, error);
            if (status == TR_OK) {
                keep_rates(world, *out);
            }
        }
    }
    trn_world_destroy(world);
    return status;
}

static int compare_bodies(const void *a, const void *b)
{
    const trn_body *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_joints(const void *a, const void *b)
{
    const trn_joint *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

tr_status trn_state_restore(trn_world *world, const void *state, size_t size, trn_body *bodies, trn_joint *joints,
                            tr_error *error)
{
    tr_status status = trn_world_restore(world, state, size);
    if (status != TR_OK) {
        *error = *trn_world_last_error(world);
        return status;
    }
    uint32_t count = 0;
    trn_body_view view = trn_world_bodies(world);
    tr_statistics statistics = trn_world_statistics(world);
    bool whole = view.count == statistics.bodies;
    if (whole && view.count > 0) {
        memcpy(bodies, view.id, view.count * sizeof *bodies);
        qsort(bodies, view.count, sizeof *bodies, compare_bodies);
    }
    for (int type = 0; type < TRN_JOINT_TYPE_COUNT; ++type) {
        trn_joint_view some = trn_world_joints(world, (trn_joint_type)type);
        whole = whole && some.count == statistics.joints_of_type[type];
        for (uint32_t i = 0; whole && i < some.count; ++i) {
            joints[count++] = some.id[i];
        }
    }
    qsort(joints, count, sizeof *joints, compare_joints);
    if (!whole) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return TR_ERROR_MEMORY;
    }
    return TR_OK;
}
