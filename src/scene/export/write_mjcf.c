/*
 * Writer of MJCF. Bodies are nested, with their own frames where they start; joints have the axes that they have there, and
 * `ref` is the coordinate. Body "world" is the world of the file; what else does not move are bodies without joints.
 */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#define DEEP   1020u /* with what is in a body, and around it */
#define NARROW 1e-6  /* rad or m: the range of a limit of equal ends, which MuJoCo takes for no limit */

static void put_quat(exporter *it, tr3_dquat q)
{
    const double parts[4] = {q.w, q.x, q.y, q.z};
    if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0)
        tr3_export_numbers(it, "quat", parts, 4);
}

static void put_pos(exporter *it, tr_dvec3 at)
{
    if (at.x != 0.0 || at.y != 0.0 || at.z != 0.0)
        tr3_export_vec(it, "pos", at);
}

/*
 * Bodies
 */

static void put_inertial(exporter *it, uint32_t b, uint32_t depth)
{
    const tr3_body_def *def = &it->scene->bodies[b].def;
    const tr_sym3 i = def->inertia;
    const double parts[6] = {(double)i.xx, (double)i.yy, (double)i.zz, (double)i.xy, (double)i.xz, (double)i.yz};
    const bool tilted = tr3_inertia_tilts(i);
    tr3_export_line(it, depth, "<inertial");
    tr3_export_vec(it, "pos", tr3_widen(def->center));
    tr3_export_number(it, "mass", (double)def->mass);
    tr3_export_numbers(it, tilted ? "fullinertia" : "diaginertia", parts, tilted ? 6 : 3);
    tr_text_append(&it->text, "/>");
}

static void put_geom(exporter *it, uint32_t index, uint32_t depth)
{
    static const char *const types[TR3_SCENE_SHAPE_TYPE_COUNT] = {[TR3_SCENE_SPHERE] = "sphere",
                                                                  [TR3_SCENE_CAPSULE] = "capsule",
                                                                  [TR3_SCENE_CYLINDER] = "cylinder",
                                                                  [TR3_SCENE_BOX] = "box"};
    const tr3_scene_shape *shape = &it->scene->shapes[index];
    const bool round = shape->type == TR3_SCENE_CAPSULE || shape->type == TR3_SCENE_CYLINDER;
    /* a capsule without length is a ball */
    const bool point = round && tr3_is_same(shape->from, shape->to);
    tr3_export_line(it, depth, "<geom");
    if (it->shape_names[index][0] != '\0')
        tr3_export_word(it, "name", it->shape_names[index]);
    tr3_export_word(it, "type", point ? "sphere" : types[shape->type]);
    if (shape->type == TR3_SCENE_BOX)
        tr3_export_vec(it, "size", tr3_widen(shape->half));
    else
        tr3_export_number(it, "size", (double)shape->radius);
    if (round && !point) {
        const double ends[6] = {(double)shape->from.x, (double)shape->from.y, (double)shape->from.z,
                                (double)shape->to.x,   (double)shape->to.y,   (double)shape->to.z};
        tr3_export_numbers(it, "fromto", ends, 6);
    } else
        put_pos(it, tr3_widen(point ? shape->from : shape->center));
    if (shape->type == TR3_SCENE_BOX)
        put_quat(it, tr3_widen_quat(shape->rotation));
    tr_text_append(&it->text, "/>");
}

/*
 * Joints
 */

static void begin_joint(exporter *it, const export_limb *limb, uint32_t part, const char *type, uint32_t depth)
{
    tr3_export_line(it, depth, "<joint");
    tr3_export_word(it, "name", tr3_export_part_name(it, limb->joint, part));
    tr3_export_word(it, "type", type);
    put_pos(it, limb->pivot);
}

static void put_positive(exporter *it, const char *key, float value)
{
    if (value > 0.0f)
        tr3_export_number(it, key, (double)value);
}

static void put_range(exporter *it, uint32_t joint, const tr_limit *limit)
{
    double ends[2] = {tr3_export_bound(it, joint, (double)limit->lower),
                      tr3_export_bound(it, joint, (double)limit->upper)};
    if (ends[0] == ends[1]) {
        /* floats that differ */
        const double half = fmax(0.5 * NARROW, 1.2e-7 * fabs(ends[0]));
        ends[0] = (double)(float)(ends[0] - half);
        ends[1] = (double)(float)(ends[1] + half);
    }
    tr3_export_numbers(it, "range", ends, 2);
}

static void put_axis(exporter *it, uint32_t b, uint32_t k, uint32_t depth)
{
    const export_limb *limb = &it->limbs[b];
    const export_axis *axis = &limb->axes[k];
    const tr3_features f = tr3_def_features(&it->scene->joints[limb->joint].def, axis->coordinate);
    const tr3_frame parent = tr3_export_pose(it, limb->parent), child = tr3_export_pose(it, b);
    const tr_dvec3 in_world = tr3_turned(parent.turn, tr3_export_axis_now(limb, k));
    begin_joint(it, limb, k, axis->slides ? "slide" : "hinge", depth);
    tr3_export_vec(it, "axis", tr3_turned(tr3_conjugate(child.turn), in_world));
    if (axis->start != 0.0)
        tr3_export_number(it, "ref", axis->start);
    if (f.limit.enable)
        put_range(it, limb->joint, &f.limit);
    if (f.spring.enable && f.spring.softness.kind == TR_PHYSICAL && !tr3_mjcf_is_servo(&f)) {
        put_positive(it, "stiffness", f.spring.softness.a);
        if (f.spring.softness.a > 0.0f && f.spring.target != 0.0f)
            tr3_export_number(it, "springref", (double)f.spring.target);
        put_positive(it, "damping", f.spring.softness.b);
        if (f.spring_force.lower != 0.0f || f.spring_force.upper != 0.0f)
            tr3_lose_joint(it, limb->joint,
                           "the bounds of the force of a spring to another place than 0 are not written");
    }
    put_positive(it, "frictionloss", f.friction);
    put_positive(it, "armature", (float)fmin(axis->armature, TR3_MODEL_GREATEST));
    tr_text_append(&it->text, "/>");
    tr3_lose_features(it, limb->joint, &f);
}

/* whether anything acts along its own coordinates, each by itself */
static bool is_driven(const tr3_joint_def *def)
{
    for (uint32_t k = 0; k < 3; k++) {
        const tr3_features f = tr3_def_features(def, k);
        if (f.spring.enable || f.motor.enable)
            return true;
    }
    return false;
}

static void put_ball(exporter *it, uint32_t b, uint32_t depth)
{
    const export_limb *limb = &it->limbs[b];
    const tr3_scene_joint *joint = &it->scene->joints[limb->joint];
    const tr3_joint_def *def = &joint->def;
    const tr3_frame parent = tr3_export_pose(it, limb->parent), child = tr3_export_pose(it, b);
    const tr3_dquat turn = tr3_compose(tr3_conjugate(parent.turn), child.turn);
    const tr3_dquat off = tr3_compose(turn, tr3_conjugate(limb->rest));
    const bool turned = off.x * off.x + off.y * off.y + off.z * off.z > 1e-12;
    const bool limited = def->twist.enable || def->cone_angle < 3.14159f || def->cone_angle_2 > 0.0f;
    const bool sprung = def->angular.kind == TR_PHYSICAL;
    tr_dvec3 axis = tr3_widen(def->axis);
    if (joint->body_b == b)
        axis = tr3_turned(tr3_conjugate(limb->rest), axis);
    /* the reader makes such a limit of one angle: a lean of the body's z axis, and a twist about it */
    const bool even = def->twist.enable && def->twist.lower == -def->twist.upper &&
                      def->cone_angle == def->twist.upper && def->cone_angle_2 == 0.0f && !turned &&
                      axis.x * axis.x + axis.y * axis.y < 1e-10;
    begin_joint(it, limb, 0, "ball", depth);
    if (limited && even)
        tr3_export_numbers(it, "range", (const double[2]){0.0, fmax((double)def->cone_angle, NARROW)}, 2);
    if (limited && !even)
        tr3_lose_joint(it, limb->joint, "cone and twist are not written: MJCF limits only the whole angle");
    if (sprung) {
        put_positive(it, "stiffness", def->angular.a);
        put_positive(it, "damping", def->angular.b);
    }
    if (sprung && turned && def->angular.a > 0.0f)
        tr3_lose_joint(it, limb->joint, "its spring turns it back to where it starts, not to its reference");
    if (!sprung && !(def->angular.kind == TR_FREQUENCY && def->angular.a == 0.0f))
        tr3_lose_joint(it, limb->joint, "a spring that is not given by stiffness and damping is not written");
    if (is_driven(def))
        tr3_lose_joint(it, limb->joint, "springs and motors of a ball's coordinates are not written");
    put_positive(it, "frictionloss", def->friction);
    put_positive(it, "armature", (float)fmin(limb->axes[0].armature, TR3_MODEL_GREATEST));
    tr_text_append(&it->text, "/>");
}

/*
 * The tree
 */

/* begins a body; what hangs on it comes next */
static void open_body(exporter *it, uint32_t b, uint32_t depth)
{
    const export_limb *limb = &it->limbs[b];
    const tr3_scene_body *body = &it->scene->bodies[b];
    tr3_frame pose = tr3_export_pose(it, b);
    if (limb->kind == EXPORT_ROOT)
        pose.turn = tr3_widen_quat(body->def.rotation); /* as it is, of whatever length */
    else {
        const tr3_frame parent = tr3_export_pose(it, limb->parent), back = tr3_frame_inverse(&parent);
        pose = tr3_frame_in(&back, &pose);
    }
    tr3_export_line(it, depth, "<body");
    tr3_export_word(it, "name", tr3_export_body_name(it, b));
    put_pos(it, pose.at);
    put_quat(it, pose.turn);
    if (body->def.type == TR_KINEMATIC)
        tr3_export_word(it, "mocap", "true");
    if (body->def.type == TR_DYNAMIC && body->def.gravity_scale != 1.0f)
        tr3_export_number(it, "gravcomp", 1.0 - (double)body->def.gravity_scale);
    tr_text_append(&it->text, ">");
    if (limb->kind == EXPORT_ROOT && body->def.type == TR_DYNAMIC)
        tr3_export_line(it, depth + 1, "<freejoint/>");
    if (limb->kind == EXPORT_BALL)
        put_ball(it, b, depth + 1);
    for (uint32_t k = 0; k < limb->count; k++)
        put_axis(it, b, k, depth + 1);
    if (body->def.type == TR_DYNAMIC)
        put_inertial(it, b, depth + 1);
}

static void put_geoms(exporter *it, uint32_t b, uint32_t depth)
{
    for (uint32_t s = it->first_shape[b]; s < it->first_shape[b + 1]; s++)
        put_geom(it, it->shapes[s], depth);
}

/* a body with all that hangs on it; the world is not written as a body */
static tr_status put_tree(exporter *it, uint32_t root, bool is_world)
{
    const uint32_t top = is_world ? 1 : 2;
    uint32_t b = root, depth = top;
    tr_status status = TR_OK;
    for (;;) {
        if (b != root || !is_world)
            open_body(it, b, depth);
        put_geoms(it, b, depth + 1);
        if (depth == DEEP)
            tr3_lose_body(it, b, "bodies are nested deeper than a reader takes: 1,024 elements");
        status = tr3_export_explain(it, "bodies", b);
        if (status != TR_OK)
            return status;
        if (it->limbs[b].first_child != EXPORT_NONE) {
            b = it->limbs[b].first_child;
            depth++;
            continue;
        }
        while (b != root && it->limbs[b].next == EXPORT_NONE) {
            tr3_export_line(it, depth, "</body>");
            b = it->limbs[b].parent;
            depth--;
        }
        if (b != root || !is_world)
            tr3_export_line(it, depth, "</body>");
        if (b == root)
            return status;
        b = it->limbs[b].next;
    }
}

tr_status tr3_write_mjcf(exporter *it)
{
    const tr3_scene *scene = it->scene;
    const uint32_t world = tr3_export_find_world(it);
    const char *name = it->shape_names[scene->shape_count];
    tr_status status = TR_OK;
    tr_text_append(&it->text, "<mujoco");
    if (name[0] != '\0')
        tr3_export_word(it, "model", name);
    tr_text_append(&it->text, ">");
    tr3_export_line(it, 1, "<compiler angle=\"radian\"/>");
    tr3_export_line(it, 1, "<option");
    tr3_export_number(it, "timestep", 1.0 / scene->hertz);
    tr3_export_vec(it, "gravity", tr3_widen(scene->gravity));
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 1, "<worldbody>");
    status = tr3_export_explain(it, NULL, 0);
    if (world != EXPORT_NONE && status == TR_OK)
        status = put_tree(it, world, true);
    for (uint32_t i = 0; i < it->order_count && status == TR_OK; i++)
        if (it->limbs[it->order[i]].kind == EXPORT_ROOT && it->order[i] != world)
            status = put_tree(it, it->order[i], false);
    tr3_export_line(it, 1, "</worldbody>");
    if (status == TR_OK)
        status = tr3_write_mjcf_more(it);
    tr_text_append(&it->text, "\n</mujoco>\n");
    return status == TR_OK ? tr3_export_explain(it, NULL, 0) : status;
}

#endif
