/*
 * Writer of URDF. A link's frame has the rotation of its body, and its origin where the joint is that it hangs on. Links
 * and joints are in the order of the scene. What does not move is fixed to a link named world.
 */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <float.h>
#include <stdio.h>

#include "base/trigonometry.h"

#define LOOP_NAME 60  /* bytes of a name in a notice */
#define LOOP_FAR  1e9 /* m: what --loop takes */
#define FREE      1e9 /* m: as far as a slider goes that has no limit, which URDF must have */

/* about fixed axes: first x, then y, then z */
static tr_dvec3 angles_of(tr3_dquat q)
{
    const tr_dvec3 x = tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), y = tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0});
    const tr_dvec3 z = tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0});
    /* where x is along z any yaw does, and the roll makes up for it */
    const double yaw = x.x * x.x + x.y * x.y > 1e-20 ? tr_arctan2(x.y, x.x) : 0.0;
    double s = 0.0, c = 1.0;
    tr_sincos(yaw, &s, &c);
    return (tr_dvec3){tr_arctan2(s * z.x - c * z.y, c * y.y - s * y.x), tr_arctan2(-x.z, c * x.x + s * x.y), yaw};
}

static void put_origin(exporter *it, uint32_t depth, tr_dvec3 at, tr3_dquat turn)
{
    const tr_dvec3 rpy = angles_of(turn);
    const bool moved = tr3_dot(at, at) != 0.0, turned = tr3_dot(rpy, rpy) != 0.0;
    if (!moved && !turned)
        return;
    tr3_export_line(it, depth, "<origin");
    if (moved)
        tr3_export_vec(it, "xyz", at);
    if (turned)
        tr3_export_vec(it, "rpy", rpy);
    tr_text_append(&it->text, "/>");
}

/*
 * Links
 */

static void put_inertial(exporter *it, uint32_t b)
{
    const tr3_body_def *def = &it->scene->bodies[b].def;
    const tr_sym3 i = def->inertia;
    tr3_export_line(it, 2, "<inertial>");
    put_origin(it, 3, tr3_minus(tr3_widen(def->center), it->limbs[b].pivot), tr3_frame_same.turn);
    tr3_export_line(it, 3, "<mass");
    tr3_export_number(it, "value", (double)def->mass);
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 3, "<inertia");
    tr3_export_number(it, "ixx", (double)i.xx);
    tr3_export_number(it, "ixy", (double)i.xy);
    tr3_export_number(it, "ixz", (double)i.xz);
    tr3_export_number(it, "iyy", (double)i.yy);
    tr3_export_number(it, "iyz", (double)i.yz);
    tr3_export_number(it, "izz", (double)i.zz);
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 2, "</inertial>");
}

/* the turn of a solid whose axis is z, along a direction of that length */
static tr3_dquat turn_along(tr_dvec3 d, double length)
{
    const tr3_dquat half = {-d.y, d.x, 0.0, length + d.z};
    return tr3_quat_square(half) > 1e-20 * length * length ? tr3_normalised(half) : (tr3_dquat){1.0, 0.0, 0.0, 0.0};
}

static void begin_visual(exporter *it, const char *name, tr_dvec3 at, tr3_dquat turn)
{
    tr3_export_line(it, 2, "<visual");
    if (name[0] != '\0')
        tr3_export_word(it, "name", name);
    tr_text_append(&it->text, ">");
    put_origin(it, 3, at, turn);
    tr3_export_line(it, 3, "<geometry>");
}

static void end_visual(exporter *it)
{
    tr_text_append(&it->text, "/></geometry>");
    tr3_export_line(it, 2, "</visual>");
}

static void put_ball_solid(exporter *it, const char *name, tr_dvec3 at, float radius)
{
    begin_visual(it, name, at, tr3_frame_same.turn);
    tr_text_append(&it->text, "<sphere");
    tr3_export_number(it, "radius", (double)radius);
    end_visual(it);
}

static void put_round(exporter *it, const char *name, const tr3_scene_shape *shape)
{
    const tr_dvec3 pivot = it->limbs[shape->body].pivot;
    const tr_dvec3 from = tr3_minus(tr3_widen(shape->from), pivot), to = tr3_minus(tr3_widen(shape->to), pivot);
    const tr_dvec3 d = tr3_minus(to, from);
    const double length = sqrt(tr3_dot(d, d));
    if (length > 0.0) {
        begin_visual(it, name, tr3_times(0.5, tr3_plus(from, to)), turn_along(d, length));
        tr_text_append(&it->text, "<cylinder");
        tr3_export_number(it, "radius", (double)shape->radius);
        tr3_export_number(it, "length", length);
        end_visual(it);
    }
    /* URDF has no capsules: a cylinder, and a ball at each end */
    if (shape->type == TR3_SCENE_CAPSULE || !(length > 0.0))
        put_ball_solid(it, length > 0.0 ? "" : name, from, shape->radius);
    if (shape->type == TR3_SCENE_CAPSULE && length > 0.0)
        put_ball_solid(it, "", to, shape->radius);
}

static void put_solid(exporter *it, uint32_t index)
{
    const tr3_scene_shape *shape = &it->scene->shapes[index];
    const char *name = it->shape_names[index];
    const tr_dvec3 at = tr3_minus(tr3_widen(shape->center), it->limbs[shape->body].pivot);
    if (shape->type == TR3_SCENE_CAPSULE || shape->type == TR3_SCENE_CYLINDER)
        put_round(it, name, shape);
    else if (shape->type == TR3_SCENE_SPHERE)
        put_ball_solid(it, name, at, shape->radius);
    else {
        begin_visual(it, name, at, tr3_normalised(tr3_widen_quat(shape->rotation)));
        tr_text_append(&it->text, "<box");
        tr3_export_vec(it, "size", tr3_times(2.0, tr3_widen(shape->half)));
        end_visual(it);
    }
}

static void put_link(exporter *it, uint32_t b)
{
    const bool moves = tr3_export_moves(it, b);
    tr3_export_line(it, 1, "<link");
    tr3_export_word(it, "name", tr3_export_body_name(it, b));
    if (!moves && it->first_shape[b] == it->first_shape[b + 1]) {
        tr_text_append(&it->text, "/>");
        return;
    }
    tr_text_append(&it->text, ">");
    if (moves)
        put_inertial(it, b);
    for (uint32_t s = it->first_shape[b]; s < it->first_shape[b + 1]; s++)
        put_solid(it, it->shapes[s]);
    tr3_export_line(it, 1, "</link>");
}

static void put_empty_link(exporter *it, const char *name)
{
    tr3_export_line(it, 1, "<link");
    tr3_export_word(it, "name", name);
    tr_text_append(&it->text, "/>");
}

/*
 * Joints
 */

static void put_ends(exporter *it, const char *parent, const char *child, tr_dvec3 at, tr3_dquat turn)
{
    put_origin(it, 2, at, turn);
    tr3_export_line(it, 2, "<parent");
    tr3_export_word(it, "link", parent);
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 2, "<child");
    tr3_export_word(it, "link", child);
    tr_text_append(&it->text, "/>");
}

static void begin_joint(exporter *it, const char *name, const char *type, const char *parent, const char *child,
                        tr_dvec3 at, tr3_dquat turn)
{
    tr3_export_line(it, 1, "<joint");
    tr3_export_word(it, "name", name);
    tr3_export_word(it, "type", type);
    tr_text_append(&it->text, ">");
    put_ends(it, parent, child, at, turn);
}

static void end_joint(exporter *it)
{
    tr3_export_line(it, 1, "</joint>");
}

static void put_axis(exporter *it, tr_dvec3 axis)
{
    tr3_export_line(it, 2, "<axis");
    tr3_export_vec(it, "xyz", axis);
    tr_text_append(&it->text, "/>");
}

static void put_dynamics(exporter *it, uint32_t joint, const tr3_features *f)
{
    const bool spring = f->spring.enable && f->spring.softness.kind == TR_PHYSICAL;
    const double damping = spring ? (double)f->spring.softness.b : 0.0;
    if (spring && f->spring.softness.a > 0.0f)
        tr3_lose_joint(it, joint, "the stiffness of its spring is not written: URDF has only damping");
    if (spring && (f->spring_force.lower != 0.0f || f->spring_force.upper != 0.0f))
        tr3_lose_joint(it, joint, "the bounds of the force of its damping are not written");
    if (!(damping > 0.0) && !(f->friction > 0.0f))
        return;
    tr3_export_line(it, 2, "<dynamics");
    if (damping > 0.0)
        tr3_export_number(it, "damping", damping);
    if (f->friction > 0.0f)
        tr3_export_number(it, "friction", (double)f->friction);
    tr_text_append(&it->text, "/>");
}

/* what a reader starts from must be within */
static void put_limit(exporter *it, uint32_t joint, const tr3_features *f, const export_axis *axis)
{
    const double effort = tr3_export_bound(it, joint, (double)f->motor.maximum);
    const double speed = tr3_export_bound(it, joint, fabs((double)f->motor.speed));
    const bool bounded = effort < TR3_MODEL_GREATEST || speed > 0.0;
    double lower = -FREE, upper = FREE;
    if (f->motor.enable)
        tr3_lose_joint(it, joint, "a motor that is on is written as one that is off");
    if (f->motor.speed < 0.0f)
        tr3_lose_joint(it, joint, "the speed of its motor is written without its sign");
    if (!axis->slides && !f->limit.enable && !bounded)
        return;
    if (f->limit.enable) {
        lower = tr3_export_bound(it, joint, (double)f->limit.lower - axis->zero);
        upper = tr3_export_bound(it, joint, (double)f->limit.upper - axis->zero);
        if (axis->zero != 0.0 && (lower > 0.0 || upper < 0.0))
            tr3_lose_joint(it, joint, "starts beyond its limit, which is written as where it starts");
        if (axis->zero != 0.0) {
            lower = fmin(lower, 0.0);
            upper = fmax(upper, 0.0);
        }
    }
    tr3_export_line(it, 2, "<limit");
    if (axis->slides || f->limit.enable) {
        tr3_export_number(it, "lower", lower);
        tr3_export_number(it, "upper", upper);
    }
    tr3_export_number(it, "effort", effort);
    /* URDF must have a greatest speed, and 0 would hold the joint */
    tr3_export_number(it, "velocity", speed > 0.0 ? speed : TR3_MODEL_GREATEST);
    tr_text_append(&it->text, "/>");
}

static void put_mimic(exporter *it, const export_axis *axis)
{
    if (axis->leader == EXPORT_NONE)
        return;
    const export_limb *leader = &it->limbs[axis->leader];
    const export_axis *led_by = &leader->axes[axis->led_by];
    const double offset = axis->start - axis->factor * (led_by->start - led_by->zero);
    tr3_export_line(it, 2, "<mimic");
    tr3_export_word(it, "joint", tr3_export_part_name(it, leader->joint, axis->led_by));
    tr3_export_number(it, "multiplier", axis->factor);
    if (fabs(offset) > 1e-9)
        tr3_export_number(it, "offset", offset);
    tr_text_append(&it->text, "/>");
}

/* the point of the parent's link */
static tr_dvec3 place_in_parent(const exporter *it, const export_limb *limb)
{
    return tr3_minus(limb->anchor, it->limbs[limb->parent].pivot);
}

/* a series of joints of one axis each; the frames between them are those of the parent */
static void put_series(exporter *it, uint32_t b)
{
    const export_limb *limb = &it->limbs[b];
    const tr3_joint_def *def = &it->scene->joints[limb->joint].def;
    if (limb->count > 1)
        tr3_lose_joint(it, limb->joint, "is written as %u joints with links without mass between them", limb->count);
    for (uint32_t k = 0; k < limb->count; k++) {
        const export_axis *axis = &limb->axes[k];
        const tr3_features f = tr3_def_features(def, axis->coordinate);
        const bool last = k + 1 == limb->count;
        const char *parent = k == 0 ? tr3_export_body_name(it, limb->parent) : it->link_names[limb->first_link + k - 1];
        const char *child = last ? tr3_export_body_name(it, b) : it->link_names[limb->first_link + k];
        tr_dvec3 at = k == 0 ? place_in_parent(it, limb) : (tr_dvec3){0.0, 0.0, 0.0};
        tr3_dquat turn = last ? limb->rest : tr3_frame_same.turn;
        if (axis->slides && axis->zero != 0.0)
            at = tr3_plus(at, tr3_times(axis->zero, axis->axis));
        if (!axis->slides && axis->zero != 0.0)
            turn = tr3_compose(tr3_turn_about(axis->axis, axis->zero), turn);
        if (!last)
            put_empty_link(it, child);
        begin_joint(it, tr3_export_part_name(it, limb->joint, k),
                    axis->slides     ? "prismatic"
                    : f.limit.enable ? "revolute"
                                     : "continuous",
                    parent, child, at, turn);
        put_axis(it, last ? tr3_turned(tr3_conjugate(limb->rest), axis->axis) : axis->axis);
        tr3_lose_features(it, limb->joint, &f);
        put_limit(it, limb->joint, &f, axis);
        put_dynamics(it, limb->joint, &f);
        put_mimic(it, axis);
        end_joint(it);
    }
}

bool tr3_urdf_is_planar(const tr3_joint_def *def)
{
    const tr3_features one = tr3_def_features(def, 0);
    if (def->type != TR3_JOINT_PLANAR)
        return false;
    for (uint32_t k = 0; k < 3; k++) {
        const tr3_features f = tr3_def_features(def, k);
        if (f.limit.enable || f.motor.enable || f.motor.maximum < FLT_MAX || f.friction != one.friction ||
            f.spring.enable != one.spring.enable)
            return false;
        if (f.spring.enable && (f.spring.softness.kind != TR_PHYSICAL || f.spring.softness.a != 0.0f ||
                                f.spring.softness.b != one.spring.softness.b))
            return false;
    }
    return true;
}

/* the child where it is */
static tr3_frame seen_from_parent(const exporter *it, uint32_t b)
{
    const export_limb *limb = &it->limbs[b];
    const tr3_frame parent = tr3_export_pose(it, limb->parent), child = tr3_export_pose(it, b);
    const tr3_frame back = tr3_frame_inverse(&parent);
    tr3_frame seen = tr3_frame_in(&back, &child);
    seen.at = tr3_minus(tr3_plus(seen.at, tr3_turned(seen.turn, limb->pivot)), it->limbs[limb->parent].pivot);
    return seen;
}

static void put_plane(exporter *it, uint32_t b)
{
    const export_limb *limb = &it->limbs[b];
    const tr3_features f = tr3_def_features(&it->scene->joints[limb->joint].def, 0);
    const tr3_frame seen = seen_from_parent(it, b);
    begin_joint(it, tr3_export_part_name(it, limb->joint, 0), "planar", tr3_export_body_name(it, limb->parent),
                tr3_export_body_name(it, b), seen.at, seen.turn);
    put_axis(it, tr3_turned(tr3_conjugate(limb->rest), limb->axes[2].axis));
    put_dynamics(it, limb->joint, &f);
    end_joint(it);
}

/* three joints that turn, from where it starts */
static void put_ball(exporter *it, uint32_t b)
{
    static const tr_dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const export_limb *limb = &it->limbs[b];
    const tr3_frame seen = seen_from_parent(it, b);
    tr3_lose_joint(
        it, limb->joint,
        "a ball is written as three joints with links without mass between them, and without what acts on it");
    for (uint32_t k = 0; k < 3; k++) {
        const char *parent = k == 0 ? tr3_export_body_name(it, limb->parent) : it->link_names[limb->first_link + k - 1];
        const char *child = k == 2 ? tr3_export_body_name(it, b) : it->link_names[limb->first_link + k];
        if (k < 2)
            put_empty_link(it, child);
        begin_joint(it, tr3_export_part_name(it, limb->joint, k), "continuous", parent, child,
                    k == 0 ? place_in_parent(it, limb) : (tr_dvec3){0.0, 0.0, 0.0},
                    k == 0 ? seen.turn : tr3_frame_same.turn);
        put_axis(it, axes[k]);
        end_joint(it);
    }
}

static void put_limb(exporter *it, uint32_t b)
{
    const export_limb *limb = &it->limbs[b];
    if (limb->kind == EXPORT_BALL)
        put_ball(it, b);
    else if (limb->kind == EXPORT_AXES && tr3_urdf_is_planar(&it->scene->joints[limb->joint].def))
        put_plane(it, b);
    else if (limb->kind == EXPORT_AXES)
        put_series(it, b);
    else {
        begin_joint(it, tr3_export_part_name(it, limb->joint, 0), "fixed", tr3_export_body_name(it, limb->parent),
                    tr3_export_body_name(it, b), place_in_parent(it, limb), limb->rest);
        end_joint(it);
    }
}

/* whether a notice has room for this name of a link, the program takes it in --loop, and a shell in quotes */
static bool is_plain(const char *name)
{
    for (const char *c = name; *c != '\0'; c++)
        if (*c == '\'' || *c == ':' || (unsigned char)*c < ' ' || *c == 0x7f || c - name >= LOOP_NAME)
            return false;
    return true;
}

/* what is no limb */
static void lose_other(exporter *it, uint32_t j)
{
    const tr3_scene_joint *joint = &it->scene->joints[j];
    const tr3_joint_type type = joint->def.type;
    const tr_dvec3 at = tr3_minus(tr3_widen(joint->def.anchor_a), it->limbs[joint->body_a].pivot);
    const char *a = tr3_export_body_name(it, joint->body_a), *b = tr3_export_body_name(it, joint->body_b);
    const bool aligned = type == TR3_JOINT_HINGE || type == TR3_JOINT_SLIDER;
    const bool closes = aligned || type == TR3_JOINT_BALL || type == TR3_JOINT_WELD;
    char as[96] = "";
    if (type == TR3_JOINT_GEAR)
        return;
    if (aligned)
        snprintf(as, sizeof as, ":%s:%.9g,%.9g,%.9g", tr3_joint_type_name(type), (double)joint->def.axis.x,
                 (double)joint->def.axis.y, (double)joint->def.axis.z);
    else if (type == TR3_JOINT_WELD)
        snprintf(as, sizeof as, ":weld");
    if (!joint->def.enabled)
        tr3_lose_joint(it, j, "is off, and not written");
    else if (!tr3_export_moves(it, joint->body_a) && !tr3_export_moves(it, joint->body_b))
        tr3_lose_joint(it, j, "is between bodies that do not move, and not written");
    else if (closes && is_plain(a) && is_plain(b) && tr3_dot(at, at) < LOOP_FAR * LOOP_FAR)
        tr3_lose_joint(it, j, "closes a loop, which URDF cannot say: read it with --loop '%s:%s:%.9g,%.9g,%.9g%s'", a,
                       b, at.x, at.y, at.z, as);
    else if (closes)
        tr3_lose_joint(it, j, "a %s that closes a loop is not written: a tr3_import_loop says it",
                       tr3_joint_type_name(type));
    else
        tr3_lose_joint(it, j, "%s %s %s is not written: URDF has none", type == TR3_JOINT_INERTER ? "an" : "a",
                       tr3_joint_type_name(type),
                       type == TR3_JOINT_CYLINDRICAL || type == TR3_JOINT_UNIVERSAL || type == TR3_JOINT_PLANAR ||
                               type == TR3_JOINT_GENERAL || type == TR3_JOINT_SCREW
                           ? "that closes a loop or faces away from the root"
                           : "joint");
}

/*
 * Roots
 */

/* The root of the file, if that is a body that moves: the only root, in its place. */
static bool has_own_root(const exporter *it)
{
    uint32_t roots = 0, last = 0;
    for (uint32_t b = 0; b < it->scene->body_count; b++) {
        if (it->limbs[b].kind == EXPORT_ROOT) {
            roots++;
            last = b;
        }
    }
    return roots == 1 && tr3_export_moves(it, last) && tr3_export_is_in_place(&it->scene->bodies[last].def);
}

/* a root hangs on the world: fixed, or freely */
static void put_root(exporter *it, uint32_t b)
{
    const tr3_frame pose = tr3_export_pose(it, b);
    const char *child = tr3_export_body_name(it, b);
    if (it->scene->bodies[b].def.type == TR_KINEMATIC)
        tr3_lose_body(it, b, "is kinematic, and is written as static");
    begin_joint(it, it->part_names[it->limbs[b].root_part], tr3_export_moves(it, b) ? "floating" : "fixed",
                it->link_names[tr3_export_world(it)], child, pose.at, pose.turn);
    end_joint(it);
}

static void lose_of_world(exporter *it)
{
    const tr_vec3 g = it->scene->gravity;
    tr3_scene robot = {0};
    tr3_model_preset(&robot);
    if (!tr3_is_same(g, robot.gravity))
        tr3_lose_world(it, "gravity %g %g %g is not written: a reader takes 0 0 -9.81", (double)g.x, (double)g.y,
                       (double)g.z);
    if (it->scene->hertz != robot.hertz)
        tr3_lose_world(it, "%g Hz: a reader takes %g", it->scene->hertz, robot.hertz);
}

tr_status tr3_write_urdf(exporter *it)
{
    const tr3_scene *scene = it->scene;
    const uint32_t world = tr3_export_find_world(it), free_root = has_own_root(it) ? it->order[0] : EXPORT_NONE;
    const char *name = it->shape_names[scene->shape_count];
    tr_status status = TR_OK;
    lose_of_world(it);
    tr3_urdf_coordinates(it);
    tr_text_append(&it->text, "<?xml version=\"1.0\"?>\n<robot");
    tr3_export_word(it, "name", name[0] != '\0' ? name : "robot");
    tr_text_append(&it->text, ">");
    if (world == EXPORT_NONE && free_root == EXPORT_NONE)
        put_empty_link(it, it->link_names[tr3_export_world(it)]);
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++) {
        put_link(it, b);
        status = tr3_export_explain(it, "bodies", b);
    }
    for (uint32_t j = 0; j < scene->joint_count && status == TR_OK; j++) {
        if (it->limb_of[j] != EXPORT_NONE)
            put_limb(it, it->limb_of[j]);
        else
            lose_other(it, j);
        status = tr3_export_explain(it, "joints", j);
    }
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++) {
        if (it->limbs[b].kind == EXPORT_ROOT && b != world && b != free_root)
            put_root(it, b);
        status = tr3_export_explain(it, "bodies", b);
    }
    tr_text_append(&it->text, "\n</robot>\n");
    return status == TR_OK ? tr3_export_explain(it, NULL, 0) : status;
}

#endif
