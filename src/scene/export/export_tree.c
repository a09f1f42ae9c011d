/*
 * Writers of URDF and MJCF: which joints of a scene are limbs of a tree, and which close loops.
 *
 * Joints that only a limb can be are taken first, then those that may also close a loop. All that no force moves counts
 * as one body. Trees are then walked from what does not move, or from a body that hangs on nothing; joints that face the
 * other way are turned about, where their coordinates allow it.
 */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <stdlib.h>
#include <string.h>

#include "base/trigonometry.h"
#include "solver/space/second_axis.h"

tr3_frame tr3_export_pose(const exporter *it, uint32_t body)
{
    const tr3_body_def *def = &it->scene->bodies[body].def;
    return (tr3_frame){def->position, tr3_normalised(tr3_widen_quat(def->rotation))};
}

uint32_t tr3_export_find_world(const exporter *it)
{
    for (uint32_t b = 0; b < it->scene->body_count; b++) {
        const tr3_scene_body *body = &it->scene->bodies[b];
        if (body->def.type == TR_STATIC && body->name != NULL && strcmp(body->name, "world") == 0 &&
            tr3_export_is_in_place(&body->def))
            return b;
    }
    return EXPORT_NONE;
}

/*
 * The tree
 */

static bool is_locked(const tr3_joint_def *def)
{
    for (uint32_t k = 0; k < TR3_COORDINATES; k++)
        if (!tr3_def_features(def, k).locked)
            return false;
    return true;
}

/* whether its coordinates are those of A's frame, so that B hangs on A and never A on B */
static bool is_directed(const tr3_joint_def *def)
{
    return def->type == TR3_JOINT_PLANAR || (def->type == TR3_JOINT_GENERAL && !is_locked(def));
}

#define PASSES 4u

/* in which pass a joint may become a limb; PASSES: never */
static uint32_t pass_of(const exporter *it, const tr3_scene_joint *joint)
{
    const bool a = tr3_export_moves(it, joint->body_a), b = tr3_export_moves(it, joint->body_b);
    if (!joint->def.enabled || (!a && !b))
        return PASSES;
    switch (joint->def.type) {
    case TR3_JOINT_PLANAR:
    case TR3_JOINT_GENERAL:
        return is_directed(&joint->def) ? 0 : 2;
    case TR3_JOINT_HINGE:
    case TR3_JOINT_SLIDER:
    case TR3_JOINT_CYLINDRICAL:
    case TR3_JOINT_UNIVERSAL:
    case TR3_JOINT_SCREW:
        return 1;
    case TR3_JOINT_WELD:
        /* in MJCF what is fixed to the world is a part of it */
        return it->format == TR3_EXPORT_MJCF && !(a && b) ? PASSES : 2;
    case TR3_JOINT_BALL:
        return 3;
    default:
        return PASSES;
    }
}

static uint32_t find(uint32_t *above, uint32_t i)
{
    while (above[i] != i)
        i = above[i] = above[above[i]];
    return i;
}

/* marks the joints of a forest in `taken`. `above` has one entry more than there are bodies: what does not move */
static void take_joints(const exporter *it, uint32_t *above, bool *taken)
{
    const tr3_scene *scene = it->scene;
    for (uint32_t i = 0; i <= scene->body_count; i++)
        above[i] = i < scene->body_count && !tr3_export_moves(it, i) ? scene->body_count : i;
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        for (uint32_t j = 0; j < scene->joint_count; j++) {
            const tr3_scene_joint *joint = &scene->joints[j];
            if (pass_of(it, joint) != pass)
                continue;
            const uint32_t a = find(above, joint->body_a), b = find(above, joint->body_b);
            if (a == b)
                continue;
            above[a] = b;
            taken[j] = true;
        }
    }
}

/* the joints that are taken, by body: those of body b are list[first[b]] to before first[b + 1] */
static void list_joints(const exporter *it, const bool *taken, uint32_t *first, uint32_t *list)
{
    const tr3_scene *scene = it->scene;
    uint32_t *next = first + 1;
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        if (taken[j]) {
            next[scene->joints[j].body_a + 1]++;
            next[scene->joints[j].body_b + 1]++;
        }
    }
    for (uint32_t b = 0; b < scene->body_count; b++)
        next[b + 1] += next[b];
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        if (taken[j]) {
            list[next[scene->joints[j].body_a]++] = j;
            list[next[scene->joints[j].body_b]++] = j;
        }
    }
}

/*
 * Limbs
 */

static tr_dvec3 unit_of(tr_vec3 from)
{
    return tr3_over(tr3_widen(from), tr3_size(from));
}

static void add_axis(export_limb *limb, bool slides, uint32_t coordinate, tr_dvec3 axis, double start)
{
    limb->axes[limb->count++] = (export_axis){
        .slides = slides, .coordinate = (uint8_t)coordinate, .axis = axis, .start = start, .leader = EXPORT_NONE};
}

/* Coordinates of the child in the joint's frame x, y, z of the parent: travels, and angles about x, then y, then z. */
static void measure(const exporter *it, uint32_t body, const export_limb *limb, const tr_dvec3 frame[3],
                    double travel[3], double angle[3])
{
    const tr3_frame parent = tr3_export_pose(it, limb->parent), child = tr3_export_pose(it, body);
    const tr3_frame back = tr3_frame_inverse(&parent), relative = tr3_frame_in(&back, &child);
    const tr3_dquat turn = tr3_compose(relative.turn, tr3_conjugate(limb->rest));
    const tr_dvec3 moved = tr3_minus(tr3_plus(relative.at, tr3_turned(relative.turn, limb->pivot)), limb->anchor);
    tr_dvec3 turned[3];
    for (int i = 0; i < 3; i++) {
        travel[i] = tr3_dot(frame[i], moved);
        turned[i] = tr3_turned(turn, frame[i]);
    }
    /* the parts of R = Rx Ry Rz */
    const double xx = tr3_dot(frame[0], turned[0]), xy = tr3_dot(frame[0], turned[1]),
                 xz = tr3_dot(frame[0], turned[2]);
    const double yz = tr3_dot(frame[1], turned[2]), zz = tr3_dot(frame[2], turned[2]);
    angle[0] = tr_arctan2(-yz, zz);
    angle[1] = tr_arctan2(xz, sqrt(yz * yz + zz * zz));
    angle[2] = tr_arctan2(-xy, xx);
}

/* the axes of a general joint: what is not locked */
static void add_general(export_limb *limb, const tr3_joint_def *def, const tr_dvec3 frame[3], const double travel[3],
                        const double angle[3])
{
    for (uint32_t k = 0; k < TR3_COORDINATES; k++)
        if (!tr3_def_features(def, k).locked)
            add_axis(limb, k < 3, k, frame[k % 3], k < 3 ? travel[k] : angle[k - 3]);
    limb->kind = limb->count > 0 ? EXPORT_AXES : EXPORT_FIXED;
}

/* `turned`: B is the parent */
static void make_limb(exporter *it, uint32_t body, uint32_t number, bool turned)
{
    const tr3_scene_joint *joint = &it->scene->joints[number];
    const tr3_joint_def *def = &joint->def;
    export_limb *limb = &it->limbs[body];
    const tr3_dquat reference = tr3_normalised(tr3_widen_quat(def->reference));
    tr_dvec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    if (tr3_joint_type_has(def->type, TR3_FIELD_AXIS_X)) {
        const bool has_second = tr3_joint_type_has(def->type, TR3_FIELD_AXIS_2_X);
        x = unit_of(def->axis);
        y = tr3_widen(tr3_second_axis(def->axis, has_second ? def->axis_2 : (tr_vec3){0.0f, 0.0f, 0.0f}));
    }
    limb->joint = number;
    limb->parent = turned ? joint->body_b : joint->body_a;
    limb->anchor = tr3_widen(turned ? def->anchor_b : def->anchor_a);
    limb->pivot = tr3_widen(turned ? def->anchor_a : def->anchor_b);
    limb->rest = turned ? tr3_conjugate(reference) : reference;
    if (turned) {
        /* A moves backward in B */
        x = tr3_times(-1.0, tr3_turned(limb->rest, x));
        y = tr3_times(-1.0, tr3_turned(limb->rest, y));
    }
    if (turned && def->type == TR3_JOINT_UNIVERSAL) {
        const tr_dvec3 first = y;
        y = x;
        x = first;
    }
    const tr_dvec3 frame[3] = {x, y, tr3_cross(x, y)};
    double travel[3], angle[3];
    measure(it, body, limb, frame, travel, angle);
    limb->kind = EXPORT_AXES;
    switch (def->type) {
    case TR3_JOINT_HINGE:
        add_axis(limb, false, 0, x, angle[0]);
        break;
    case TR3_JOINT_SLIDER:
        add_axis(limb, true, 0, x, travel[0]);
        break;
    case TR3_JOINT_CYLINDRICAL:
    case TR3_JOINT_SCREW:
        add_axis(limb, true, 0, x, travel[0]);
        add_axis(limb, false, 1, x, angle[0]);
        break;
    case TR3_JOINT_UNIVERSAL:
        add_axis(limb, false, turned ? 1 : 0, x, angle[0]);
        add_axis(limb, false, turned ? 0 : 1, y, angle[1]);
        break;
    case TR3_JOINT_PLANAR:
        add_axis(limb, true, 0, y, travel[1]);
        add_axis(limb, true, 1, frame[2], travel[2]);
        add_axis(limb, false, 2, x, angle[0]);
        break;
    case TR3_JOINT_GENERAL:
        add_general(limb, def, frame, travel, angle);
        break;
    default:
        limb->kind = def->type == TR3_JOINT_BALL ? EXPORT_BALL : EXPORT_FIXED;
        break;
    }
    it->limb_of[number] = body;
}

tr_dvec3 tr3_export_axis_now(const export_limb *limb, uint32_t axis)
{
    tr_dvec3 now = limb->axes[axis].axis;
    for (uint32_t k = axis; k > 0; k--)
        if (!limb->axes[k - 1].slides)
            now = tr3_turned(tr3_turn_about(limb->axes[k - 1].axis, limb->axes[k - 1].start), now);
    return now;
}

/* what hangs on a root, from it outwards */
static void walk(exporter *it, uint32_t root, const uint32_t *first, const uint32_t *list, bool *reached)
{
    uint32_t next = it->order_count;
    reached[root] = true;
    it->order[it->order_count++] = root;
    for (; next < it->order_count; next++) {
        const uint32_t body = it->order[next];
        export_limb *limb = &it->limbs[body];
        for (uint32_t i = first[body]; i < first[body + 1]; i++) {
            const tr3_scene_joint *joint = &it->scene->joints[list[i]];
            const bool turned = joint->body_b == body;
            const uint32_t child = turned ? joint->body_a : joint->body_b;
            if (reached[child] || !tr3_export_moves(it, child) || (turned && is_directed(&joint->def)))
                continue;
            make_limb(it, child, list[i], turned);
            *(limb->last_child == EXPORT_NONE ? &limb->first_child : &it->limbs[limb->last_child].next) = child;
            limb->last_child = child;
            reached[child] = true;
            it->order[it->order_count++] = child;
        }
    }
}

/* first from what does not move, then from what is B of no joint, then from what is left */
static void walk_all(exporter *it, const bool *taken, const uint32_t *first, const uint32_t *list, bool *reached,
                     bool *is_b)
{
    const tr3_scene *scene = it->scene;
    for (uint32_t j = 0; j < scene->joint_count; j++)
        is_b[scene->joints[j].body_b] = is_b[scene->joints[j].body_b] || taken[j];
    for (uint32_t pass = 0; pass < 3; pass++)
        for (uint32_t b = 0; b < scene->body_count; b++)
            if (!reached[b] && (pass == 0 ? !tr3_export_moves(it, b) : pass == 2 || !is_b[b]))
                walk(it, b, first, list, reached);
}

tr_status tr3_export_tree(exporter *it)
{
    const size_t bodies = (size_t)it->scene->body_count + 2, joints = (size_t)it->scene->joint_count + 1;
    uint32_t *above = calloc(bodies, sizeof *above), *first = calloc(bodies, sizeof *first);
    uint32_t *list = calloc(2 * joints, sizeof *list);
    bool *taken = calloc(joints, sizeof *taken), *marks = calloc(2 * bodies, sizeof *marks);
    tr_status status = TR_OK;
    if (above == NULL || first == NULL || list == NULL || taken == NULL || marks == NULL) {
        (void)tr_scene_fail(it->error, TR_ERROR_MEMORY, "not enough memory to write the scene");
        status = TR_ERROR_MEMORY;
    }
    for (uint32_t b = 0; b < it->scene->body_count && status == TR_OK; b++)
        it->limbs[b] = (export_limb){.kind = EXPORT_ROOT,
                                     .parent = EXPORT_NONE,
                                     .joint = EXPORT_NONE,
                                     .first_child = EXPORT_NONE,
                                     .last_child = EXPORT_NONE,
                                     .next = EXPORT_NONE,
                                     .rest = {0.0, 0.0, 0.0, 1.0}};
    for (uint32_t j = 0; j < it->scene->joint_count && status == TR_OK; j++)
        it->limb_of[j] = EXPORT_NONE;
    if (status == TR_OK) {
        take_joints(it, above, taken);
        list_joints(it, taken, first, list);
        walk_all(it, taken, first, list, marks, marks + bodies);
    }
    free(above);
    free(first);
    free(list);
    free(taken);
    free(marks);
    return status;
}

/*
 * Gears
 */

/* what does not move is the world, whichever body it is */
static bool are_one(const exporter *it, uint32_t body, uint32_t carrier)
{
    const bool moves = body != EXPORT_NONE && tr3_export_moves(it, body);
    return carrier == 0 || !tr3_export_moves(it, carrier - 1) ? !moves : body == carrier - 1;
}

/* the axis of a limb along a direction of the world */
static const export_axis *along(const exporter *it, uint32_t body, bool slides, tr_dvec3 direction, bool *backward)
{
    const export_limb *limb = &it->limbs[body];
    const tr3_joint_type type = it->scene->joints[limb->joint].def.type;
    const tr3_frame parent = tr3_export_pose(it, limb->parent);
    /* of others the axes turn each other */
    if (type != TR3_JOINT_HINGE && type != TR3_JOINT_SLIDER && type != TR3_JOINT_CYLINDRICAL && type != TR3_JOINT_SCREW)
        return NULL;
    for (uint32_t k = 0; k < limb->count; k++) {
        const tr_dvec3 axis = tr3_turned(parent.turn, limb->axes[k].axis), off = tr3_cross(axis, direction);
        if (limb->axes[k].slides != slides || !(tr3_dot(off, off) < 1e-10))
            continue;
        *backward = tr3_dot(axis, direction) < 0.0;
        return &limb->axes[k];
    }
    return NULL;
}

const export_axis *tr3_export_side(const exporter *it, const tr3_scene_joint *gear, uint32_t side, uint32_t *body,
                                   bool *backward)
{
    const uint32_t turns = side == 0 ? gear->body_a : gear->body_b,
                   carrier = side == 0 ? gear->carrier_a : gear->carrier_b;
    const bool slides = side == 0 ? gear->def.slides_a : gear->def.slides_b;
    const tr3_dquat frame = carrier > 0 ? tr3_export_pose(it, carrier - 1).turn : tr3_frame_same.turn;
    const tr_dvec3 axis = tr3_turned(frame, unit_of(side == 0 ? gear->def.axis : gear->def.axis_b));
    if (it->limbs[turns].kind == EXPORT_AXES && are_one(it, it->limbs[turns].parent, carrier)) {
        *body = turns;
        return along(it, turns, slides, axis, backward);
    }
    if (carrier == 0 || it->limbs[carrier - 1].kind != EXPORT_AXES || it->limbs[carrier - 1].parent != turns)
        return NULL;
    /* the carrier hangs on what turns */
    const export_axis *found = along(it, carrier - 1, slides, axis, backward);
    *body = carrier - 1;
    *backward = !*backward;
    return found;
}

/* a side's coordinate at the start, of angles the one from -pi to pi */
static double coordinate_of(const exporter *it, const tr3_scene_joint *gear, uint32_t side)
{
    const uint32_t carrier = side == 0 ? gear->carrier_a : gear->carrier_b;
    const tr3_frame on = carrier > 0 ? tr3_export_pose(it, carrier - 1) : tr3_frame_same;
    const tr3_frame body = tr3_export_pose(it, side == 0 ? gear->body_a : gear->body_b);
    const tr3_frame back = tr3_frame_inverse(&on), seen = tr3_frame_in(&back, &body);
    const tr_dvec3 anchor = tr3_widen(side == 0 ? gear->def.anchor_a : gear->def.anchor_b);
    const tr3_dquat reference = tr3_normalised(tr3_widen_quat(side == 0 ? gear->def.reference : gear->def.reference_b));
    const tr3_dquat turn = tr3_compose(seen.turn, tr3_conjugate(reference));
    const tr_dvec3 axis = unit_of(side == 0 ? gear->def.axis : gear->def.axis_b);
    if (side == 0 ? gear->def.slides_a : gear->def.slides_b)
        return tr3_dot(axis, tr3_plus(seen.at, tr3_turned(seen.turn, anchor)));
    const double sine = tr3_dot(axis, (tr_dvec3){turn.x, turn.y, turn.z});
    return 2.0 * (turn.w < 0.0 ? tr_arctan2(-sine, -turn.w) : tr_arctan2(sine, turn.w));
}

double tr3_export_gear_gap(const exporter *it, const tr3_scene_joint *gear)
{
    return gear->def.meshed
               ? gear->def.offset - (coordinate_of(it, gear, 1) + (double)gear->def.ratio * coordinate_of(it, gear, 0))
               : 0.0;
}

#endif
