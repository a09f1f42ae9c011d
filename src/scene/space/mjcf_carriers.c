/* MJCF: the carriers between the joints of one body. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <stdio.h>

/* The pivot of the carrier that follows joint *i, in the body's frame; *i is then the joint after it. */
static tr_dvec3 next_pivot(const mjcf *it, const mjcf_body *of, uint32_t *i)
{
    const mjcf_joint *joints = &it->joints[of->first_joint];
    const uint32_t before = *i;
    *i += tr3_mjcf_joined(it, of, *i).count;
    return tr3_times(0.5, tr3_plus(joints[before].pos, joints[*i].pos));
}

static uint32_t count_carriers(const mjcf *it, const mjcf_body *of)
{
    uint32_t joints = 0;
    for (uint32_t i = 0; i < of->count; i += tr3_mjcf_joined(it, of, i).count)
        joints++;
    return joints > 0 ? joints - 1 : 0;
}

tr_status tr3_mjcf_make_carriers(mjcf *it, uint32_t body)
{
    tr3_model *model = it->model;
    mjcf_body *of = &it->bodies[body];
    const uint32_t carriers = count_carriers(it, of), node = it->parts[body].node;
    const tr3_mass whole = of->mass;
    tr_dvec3 pivots[TR3_CARRIERS];
    of->first_carrier = model->builder->scene->body_count;
    if (carriers == 0)
        return TR_OK;
    for (uint32_t k = 0, i = 0; k < carriers; k++)
        pivots[k] = next_pivot(it, of, &i);
    const bool at_pivots = tr3_carriers_take(&of->mass, pivots, carriers);
    tr3_model_notice(model, node, NULL,
                     "is on several joints: between two there is a carrier, with %g of its mass and inertia",
                     TR3_CARRIER_SHARE);
    tr_status status = TR_OK;
    for (uint32_t k = 0, i = 0; k < carriers && status == TR_OK; k++) {
        const mjcf_joint *joint = &it->joints[of->first_joint + i];
        const char *own = it->parts[body].name;
        i += tr3_mjcf_joined(it, of, i).count;
        const tr3_mass part = tr3_carrier_mass(&whole, pivots[k], at_pivots);
        const tr3_frame pose = tr3_mjcf_pose(it, body, &it->start[of->parent], it->qpos, i);
        char name[96];
        uint32_t made = 0;
        snprintf(name, sizeof name, "%.40s on %.40s", own != NULL ? own : "body",
                 joint->name != NULL ? joint->name : "joint");
        tr_scene_tidy(name);
        status = tr3_model_body(model, node, name, TR_DYNAMIC, &pose, &part, &made);
    }
    return status;
}

#endif
