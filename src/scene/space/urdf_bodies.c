/* URDF: which links are one body, where they are, and their masses. */
#include "scene/space/urdf.h"

#ifdef TR_WITH_XML

#include <string.h>

static bool is_world(const urdf *it, uint32_t link)
{
    return it->links[link].joint == URDF_NONE && strcmp(it->parts[link].name, "world") == 0;
}

/* a link becomes a part of the body of its parent */
static void merge(urdf *it, const urdf_joint *joint)
{
    urdf_link *child = &it->links[joint->child];
    child->leader = it->links[joint->parent].leader;
    it->parts[joint->child].frame = tr3_frame_in(&it->parts[joint->parent].frame, &joint->origin);
    const tr3_mass placed = tr3_mass_in(&it->parts[joint->child].frame, &child->mass);
    tr3_mass_add(&it->links[child->leader].mass, &placed);
}

/* the child's frame, from where the joint's coordinate is 0 to where it starts */
static tr3_frame moved_by(const urdf_joint *joint)
{
    tr3_frame moved = tr3_frame_same;
    if (joint->type == URDF_PRISMATIC)
        moved.at = tr3_times(joint->start, joint->axis);
    else
        moved.turn = tr3_turn_about(joint->axis, joint->start);
    return moved;
}

/* goes out from a root: poses, and which links are one body */
static void spread(urdf *it, uint32_t root)
{
    uint32_t next = it->order_count;
    it->order[it->order_count++] = root;
    for (; next < it->order_count; next++) {
        const uint32_t link = it->order[next];
        it->links[link].reached = true;
        for (uint32_t j = it->links[link].first; j != URDF_NONE; j = it->joints[j].next) {
            urdf_joint *joint = &it->joints[j];
            urdf_link *child = &it->links[joint->child];
            const tr3_frame moved = moved_by(joint), placed = tr3_frame_in(&joint->origin, &moved);
            child->pose = tr3_frame_in(&it->links[link].pose, &placed);
            const bool light = !(child->mass.mass > 0.0) || !(it->links[it->links[link].leader].mass.mass > 0.0);
            /* a weld needs a mass at each end, but for the world */
            joint->merges = joint->type == URDF_FIXED && (!it->model->options->weld_fixed ||
                                                          (light && !is_world(it, link)) || !(child->mass.mass > 0.0));
            if (joint->merges)
                merge(it, joint);
            it->order[it->order_count++] = joint->child;
        }
    }
}

tr_status tr3_urdf_spread(urdf *it)
{
    tr3_model *model = it->model;
    for (uint32_t i = 0; i < it->link_count; i++) {
        if (it->links[i].joint != URDF_NONE)
            continue;
        if (it->order_count > 0)
            tr3_model_notice(model, it->parts[i].node, NULL, "is a further root: nothing joins it to the first");
        spread(it, i);
    }
    for (uint32_t i = 0; i < it->link_count; i++) {
        if (!it->links[i].reached)
            return tr3_model_fail(model, it->parts[i].node, NULL, "the joints from \"%.60s\" to itself are a circle",
                                  it->parts[i].name);
    }
    return TR_OK;
}

/*
 * A body without mass between two joints is a carrier of the first body beyond it that has mass. Goes from the leaves
 * inwards, so that what hangs on a joint knows its donor.
 */
static void find_donors(urdf *it)
{
    for (uint32_t k = it->order_count; k > 0; k--) {
        const urdf_link *child = &it->links[it->order[k - 1]];
        if (child->joint == URDF_NONE || child->leader != it->order[k - 1])
            continue;
        const urdf_joint *joint = &it->joints[child->joint];
        urdf_link *leader = &it->links[it->links[joint->parent].leader];
        const bool holds = joint->type != URDF_FLOATING;
        if (holds && leader->donor == URDF_NONE && !(leader->mass.mass > 0.0) && leader->joint != URDF_NONE)
            leader->donor = child->mass.mass > 0.0 ? child->leader : child->donor;
    }
}

/* the frame of a link in that of another, as the simulation starts */
static tr3_frame seen_from(const urdf *it, uint32_t outer, uint32_t inner)
{
    const tr3_frame back = tr3_frame_inverse(&it->links[outer].pose);
    return tr3_frame_in(&back, &it->links[inner].pose);
}

/* Gives carriers their shares of this body, from the nearest outwards; further ones than TR3_CARRIERS get none. */
static void give_shares(urdf *it, uint32_t donor)
{
    uint32_t carriers[TR3_CARRIERS], count = 0;
    tr_dvec3 pivots[TR3_CARRIERS];
    const tr3_mass whole = it->links[donor].mass;
    uint32_t at = donor;
    while (count < TR3_CARRIERS && it->links[at].joint != URDF_NONE) {
        const urdf_joint *joint = &it->joints[it->links[at].joint];
        const uint32_t leader = it->links[joint->parent].leader;
        if (it->links[leader].donor != donor || is_world(it, leader))
            break;
        /* between the joint that it hangs on and the next */
        const tr3_frame there = seen_from(it, donor, leader), next = seen_from(it, donor, at);
        pivots[count] = tr3_times(0.5, tr3_plus(there.at, next.at));
        carriers[count++] = at = leader;
    }
    const bool at_pivots = count > 0 && tr3_carriers_take(&it->links[donor].mass, pivots, count);
    for (uint32_t k = 0; k < count; k++) {
        const tr3_mass share = tr3_carrier_mass(&whole, pivots[k], at_pivots);
        const tr3_frame frame = seen_from(it, carriers[k], donor);
        it->links[carriers[k]].mass = tr3_mass_in(&frame, &share);
        tr3_model_notice(it->model, it->parts[carriers[k]].node, NULL,
                         "has no mass and must move: it gets %g of what hangs on it", TR3_CARRIER_SHARE);
    }
}

static tr_status make_body(urdf *it, uint32_t link)
{
    tr3_model *model = it->model;
    urdf_link *leader = &it->links[link];
    const tr3_model_part *part = &it->parts[link];
    const bool root = leader->joint == URDF_NONE;
    bool fixed = is_world(it, link) || (root && model->options->fix_base);
    if (root && !fixed && !(leader->mass.mass > 0.0)) {
        fixed = true;
        tr3_model_notice(model, part->node, NULL, "is a root without mass: it is static");
    }
    if (!fixed && !(leader->mass.mass > 0.0)) {
        const urdf_joint *joint = &it->joints[leader->joint];
        const tr3_mass *parent = &it->links[it->links[joint->parent].leader].mass;
        leader->mass = tr3_model_small(model, part->node, parent->mass);
    }
    tr_status status = fixed ? TR_OK : tr3_model_mend(model, part->node, &leader->mass);
    uint32_t body = 0;
    if (status == TR_OK)
        status = tr3_model_body(model, part->node, part->name, fixed ? TR_STATIC : TR_DYNAMIC, &leader->pose,
                                &leader->mass, &body);
    if (status == TR_OK) {
        it->parts[link].body = body;
        it->poses[body] = leader->pose;
    }
    return status;
}

/* says how many links there are, if it is not the number of bodies */
static tr_status say_merged(const urdf *it)
{
    uint32_t merged = 0;
    for (uint32_t i = 0; i < it->link_count; i++)
        merged += it->links[i].leader != i ? 1 : 0;
    return merged > 0 ? tr3_builder_notice(it->model->builder, it->model->error,
                                           "%u of %u links are fixed to others, and parts of their bodies", merged,
                                           it->link_count)
                      : TR_OK;
}

/* in the order of the document */
tr_status tr3_urdf_make_bodies(urdf *it)
{
    tr_status status = TR_OK;
    find_donors(it);
    for (uint32_t i = 0; i < it->link_count; i++)
        if (it->links[i].leader == i && it->links[i].mass.mass > 0.0)
            give_shares(it, i);
    for (uint32_t i = 0; i < it->link_count && status == TR_OK; i++) {
        if (it->links[i].leader == i)
            status = make_body(it, i);
    }
    for (uint32_t i = 0; i < it->link_count && status == TR_OK; i++)
        it->parts[i].body = it->parts[it->links[i].leader].body;
    return status == TR_OK ? say_merged(it) : status;
}

#endif
