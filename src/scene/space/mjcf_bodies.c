/* MJCF: the tree of bodies, and which of them are one body of the scene. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <string.h>

static tr_status add_body(mjcf *it, uint32_t node, uint32_t parent, const char *name, uint32_t *out)
{
    void *bodies = it->bodies, *parts = it->parts;
    uint32_t capacity = it->body_capacity;
    tr_status status =
        tr_scene_grow(&bodies, &it->body_capacity, it->body_count + 1, sizeof *it->bodies, it->model->error);
    it->bodies = bodies;
    if (status == TR_OK)
        status = tr_scene_grow(&parts, &capacity, it->body_capacity, sizeof *it->parts, it->model->error);
    it->parts = parts;
    if (status != TR_OK)
        return status;
    const uint32_t index = it->body_count++;
    it->bodies[index] = (mjcf_body){.parent = parent,
                                    .class = it->main_class,
                                    .local = tr3_frame_same,
                                    .first_joint = it->joint_count,
                                    .free_joint = MJCF_NONE,
                                    .leader = index};
    it->parts[index] = (tr3_model_part){name, node, MJCF_NONE, tr3_frame_same};
    *out = index;
    return TR_OK;
}

static tr_status read_body(mjcf *it, uint32_t node, uint32_t parent, uint32_t class, const tr3_frame *around);

/* What is in a <body>, a <frame> or <worldbody>. Joints come before bodies, so that those of one body lie together.
   The depth of the recursion is that of the document, which is bounded. */
static tr_status read_inside(mjcf *it, uint32_t node, uint32_t body, uint32_t class, const tr3_frame *around,
                             bool bodies)
{
    const tr_xml *xml = it->model->xml;
    tr_status status = TR_OK;
    for (uint32_t child = tr_xml_first(xml, node, NULL); child != MJCF_NONE && status == TR_OK;
         child = tr_xml_next(xml, child, NULL)) {
        const char *name = tr_xml_name(xml, child);
        if (strcmp(name, "frame") == 0) {
            const mjcf_at at = {MJCF_OTHER, child, class};
            tr3_frame own;
            uint32_t inner = class;
            status = tr3_mjcf_frame(it, &at, &own);
            if (status == TR_OK)
                status = tr3_mjcf_class_of(it, child, "childclass", class, &inner);
            const tr3_frame frame = tr3_frame_in(around, &own);
            if (status == TR_OK)
                status = read_inside(it, child, body, inner, &frame, bodies);
        } else if (bodies) {
            if (strcmp(name, "body") == 0)
                status = read_body(it, child, body, class, around);
        } else if (strcmp(name, "geom") == 0)
            status = tr3_mjcf_read_geom(it, child, body, class, around);
        else if (strcmp(name, "joint") == 0 || strcmp(name, "freejoint") == 0)
            status = tr3_mjcf_read_joint(it, child, body, class, around);
    }
    return status;
}

static const char *const inside_known[] = {"body", "joint",  "freejoint", "geom",  "inertial",
                                           "site", "camera", "light",     "frame", NULL};

/* the frames inside of a body are looked at here, too */
static void notice_unknown(mjcf *it, uint32_t node, bool body)
{
    static const char *const body_known[] = {"name",  "childclass", "pos",   "quat", "axisangle", "xyaxes",
                                             "zaxis", "euler",      "mocap", "user", "gravcomp",  NULL};
    static const char *const frame_known[] = {"name",   "childclass", "pos",   "quat", "axisangle",
                                              "xyaxes", "zaxis",      "euler", NULL};
    const tr_xml *xml = it->model->xml;
    static const char *const makers[] = {"composite", "flexcomp", "replicate", "attach", NULL};
    tr3_model_known(it->model, node, body ? body_known : frame_known, inside_known);
    for (int i = 0; makers[i] != NULL; i++)
        it->lacks_bodies = it->lacks_bodies || tr_xml_first(xml, node, makers[i]) != MJCF_NONE;
    for (uint32_t child = tr_xml_first(xml, node, "frame"); child != MJCF_NONE;
         child = tr_xml_next(xml, child, "frame"))
        notice_unknown(it, child, false);
}

static tr_status read_body(mjcf *it, uint32_t node, uint32_t parent, uint32_t class, const tr3_frame *around)
{
    const tr_xml *xml = it->model->xml;
    const mjcf_at at = {MJCF_OTHER, node, class};
    uint32_t body = 0, inner = class;
    tr3_frame own;
    notice_unknown(it, node, true);
    tr_status status = tr3_mjcf_frame(it, &at, &own);
    if (status == TR_OK)
        status = tr3_mjcf_class_of(it, node, "childclass", class, &inner);
    if (status == TR_OK)
        status = add_body(it, node, parent, tr_xml_get(xml, node, "name"), &body);
    if (status != TR_OK)
        return status;
    it->bodies[body].class = inner;
    it->bodies[body].local = tr3_frame_in(around, &own);
    status = tr3_model_number(it->model, node, "gravcomp", &it->bodies[body].lift);
    if (status == TR_OK)
        status = tr3_mjcf_flag(it, &at, "mocap", false, &it->bodies[body].moves_by_itself);
    const uint32_t inertial = tr_xml_first(xml, node, "inertial");
    it->bodies[body].has_inertial = inertial != MJCF_NONE;
    if (inertial != MJCF_NONE && status == TR_OK)
        status = tr3_mjcf_read_inertial(it, inertial, body);
    if (status == TR_OK)
        status = read_inside(it, node, body, inner, &tr3_frame_same, false);
    return status == TR_OK ? read_inside(it, node, body, inner, &tr3_frame_same, true) : status;
}

tr_status tr3_mjcf_read_bodies(mjcf *it)
{
    const tr_xml *xml = it->model->xml;
    uint32_t world = 0;
    tr_status status = add_body(it, 0, 0, "world", &world);
    for (uint32_t node = tr_xml_first(xml, 0, "worldbody"); node != MJCF_NONE && status == TR_OK;
         node = tr_xml_next(xml, node, "worldbody")) {
        uint32_t class = it->main_class;
        notice_unknown(it, node, true);
        status = tr3_mjcf_class_of(it, node, "childclass", it->main_class, &class);
        if (status == TR_OK)
            status = read_inside(it, node, world, class, &tr3_frame_same, false);
        if (status == TR_OK)
            status = read_inside(it, node, world, class, &tr3_frame_same, true);
    }
    return status;
}

/*
 * Bodies of the scene
 */

/* the weight that is taken off parts of one body is taken off at its centre */
static void join_lifts(mjcf *it, uint32_t part, uint32_t whole)
{
    const double own = it->bodies[part].mass.mass, other = it->bodies[whole].mass.mass;
    double *lift = &it->bodies[whole].lift;
    if (it->bodies[part].lift == *lift || !(own > 0.0))
        return;
    if (whole != 0 && other > 0.0)
        tr3_model_notice(it->model, it->parts[part].node, "gravcomp", "is that of the whole body that it is a part of");
    *lift += own / (own + other) * (it->bodies[part].lift - *lift);
}

/* parents come before their children */
static tr_status merge_bodies(mjcf *it)
{
    uint32_t merged = 0;
    for (uint32_t i = 1; i < it->body_count; i++) {
        mjcf_body *body = &it->bodies[i];
        if (body->count > 0 || body->free_joint != MJCF_NONE || body->moves_by_itself)
            continue;
        const uint32_t leader = it->bodies[body->parent].leader;
        /* a weld needs a mass at each end */
        const bool light = !(body->mass.mass > 0.0) || !(it->bodies[leader].mass.mass > 0.0);
        if (leader != 0 && it->model->options->weld_fixed && !light)
            continue;
        body->leader = leader;
        it->parts[i].frame = tr3_frame_in(&it->parts[body->parent].frame, &body->local);
        const tr3_mass placed = tr3_mass_in(&it->parts[i].frame, &body->mass);
        join_lifts(it, i, leader);
        tr3_mass_add(&it->bodies[leader].mass, &placed);
        merged++;
    }
    return merged > 0 ? tr3_builder_notice(it->model->builder, it->model->error,
                                           "%u of %u bodies are fixed to others, and parts of their bodies", merged,
                                           it->body_count - 1)
                      : TR_OK;
}

static tr_status make_body(mjcf *it, uint32_t i)
{
    tr3_model *model = it->model;
    mjcf_body *body = &it->bodies[i];
    const tr3_model_part *part = &it->parts[i];
    const bool fixed = i == 0 || (body->free_joint != MJCF_NONE && model->options->fix_base);
    const tr_body_type type = fixed ? TR_STATIC : body->moves_by_itself ? TR_KINEMATIC : TR_DYNAMIC;
    if (type == TR_DYNAMIC && !(body->mass.mass > 0.0))
        body->mass = tr3_model_small(model, part->node, it->bodies[it->bodies[body->parent].leader].mass.mass);
    tr_status status = type == TR_DYNAMIC ? tr3_model_mend(model, part->node, &body->mass) : TR_OK;
    if (status == TR_OK && type == TR_DYNAMIC)
        status = tr3_mjcf_make_carriers(it, i);
    if (status == TR_OK)
        status = tr3_model_body(model, part->node, part->name, type, &it->start[i], &body->mass, &it->parts[i].body);
    for (uint32_t k = body->first_carrier; status == TR_OK && type == TR_DYNAMIC && k <= it->parts[i].body; k++)
        model->builder->scene->bodies[k].def.gravity_scale = (float)(1.0 - body->lift);
    return status;
}

tr_status tr3_mjcf_make_bodies(mjcf *it)
{
    tr_status status = merge_bodies(it);
    for (uint32_t i = 0; i < it->body_count && status == TR_OK; i++) {
        if (it->bodies[i].leader == i) {
            status = make_body(it, i);
            if (status == TR_OK && i > 0)
                status = tr3_mjcf_make_joints(it, i);
        } else
            it->parts[i].body = it->parts[it->bodies[i].leader].body;
    }
    for (uint32_t i = 0; i < it->geom_count && status == TR_OK; i++) {
        const mjcf_geom *geom = &it->geoms[i];
        const tr3_model_part *part = &it->parts[geom->body];
        const tr3_frame frame = tr3_frame_in(&part->frame, &geom->frame);
        status = tr3_model_solid(it->model, geom->node, "size", geom->type, geom->size, &frame, part->body,
                                 geom->density, tr_xml_get(it->model->xml, geom->node, "name"));
    }
    return status;
}

#endif
