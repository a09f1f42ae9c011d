/*
 * MJCF: fixed tendons. The length of one is a sum of coordinates of joints, L = c1 q1 + c2 q2 + ... Of two joints it is
 * what a gear holds: coordinate of b + (c_a / c_b) coordinate of a; a spring on L is one on that, c_b^2 times as stiff.
 */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdlib.h>

#include "solver/space/definitions.h"

/*
 * Reading
 */

/* what says how it looks, and how soft its limits are, is of no use here */
const char *const tr3_mjcf_tendon_known[] = {
    "name",        "class",          "group",          "limited",   "range",        "solreflimit",
    "solimplimit", "solreffriction", "solimpfriction", "margin",    "frictionloss", "springlength",
    "width",       "material",       "rgba",           "stiffness", "damping",      "user",
    NULL};

/* a term of the sum; those of one joint are one */
static tr_status add_term(mjcf *it, mjcf_tendon *tendon, uint32_t node)
{
    static const char *const known[] = {"joint", "coef", NULL}, *const none[] = {NULL};
    tr3_model *model = it->model;
    const char *name = tr_xml_get(model->xml, node, "joint");
    double factor = 0.0;
    tr3_model_known(model, node, known, none);
    if (name == NULL || tr_xml_get(model->xml, node, "coef") == NULL)
        return tr3_model_fail(model, node, name == NULL ? "joint" : "coef", "is missing");
    tr_status status = tr3_model_number(model, node, "coef", &factor);
    if (status != TR_OK)
        return status;
    const uint32_t found = tr3_model_find(it->joint_names, it->joint_count, name);
    if (found == MJCF_NONE && !it->lacks_bodies)
        return tr3_model_fail(model, node, "joint", "there is no joint \"%.60s\"", name);
    if (found != MJCF_NONE && it->joints[found].type != MJCF_HINGE && it->joints[found].type != MJCF_SLIDE)
        return tr3_model_fail(model, node, "joint", "\"%.60s\" is no hinge or slide", name);
    if (found == MJCF_NONE || tendon->terms.count == MJCF_TERMS) {
        tendon->terms.whole = false;
        return TR_OK;
    }
    tr3_mjcf_add_term(&tendon->terms, found, factor);
    return TR_OK;
}

void tr3_mjcf_add_term(mjcf_terms *terms, uint32_t joint, double factor)
{
    uint32_t i = 0;
    while (i < terms->count && terms->joint[i] != joint)
        i++;
    if (i == MJCF_TERMS) {
        terms->whole = false;
        return;
    }
    terms->factor[i] = (i < terms->count ? terms->factor[i] : 0.0) + factor;
    terms->joint[i] = joint;
    terms->count = i < terms->count ? terms->count : i + 1;
}

static tr_status keep_tendon(mjcf *it, const mjcf_tendon *tendon)
{
    void *array = it->tendons;
    tr_status status =
        tr_scene_grow(&array, &it->tendon_capacity, it->tendon_count + 1, sizeof *it->tendons, it->model->error);
    it->tendons = array;
    if (status == TR_OK)
        it->tendons[it->tendon_count++] = *tendon;
    return status;
}

/* whether a joint is one of the scene by itself, so that a gear can take it */
static bool has_own_coordinate(const mjcf *it, uint32_t joint)
{
    const uint32_t made = it->joints[joint].made;
    const tr3_joint_type type = made != MJCF_NONE ? it->model->builder->scene->joints[made].def.type : TR3_JOINT_BALL;
    return type == TR3_JOINT_HINGE || type == TR3_JOINT_SLIDER;
}

/* how the joint counts, over how the scene's joint does */
static double side_of(const mjcf_joint *joint)
{
    return joint->backward ? -1.0 : 1.0;
}

/* coordinate of the second + ratio * coordinate of the first, of the scene's joints */
static double ratio_of(const mjcf *it, const mjcf_terms *terms)
{
    return terms->factor[0] * side_of(&it->joints[terms->joint[0]]) /
           (terms->factor[1] * side_of(&it->joints[terms->joint[1]]));
}

bool tr3_mjcf_is_gear(const mjcf *it, const mjcf_terms *terms)
{
    if (!terms->whole || terms->count != 2 || !has_own_coordinate(it, terms->joint[0]) ||
        !has_own_coordinate(it, terms->joint[1]) || terms->factor[1] == 0.0)
        return false;
    const double ratio = ratio_of(it, terms);
    return fabs(ratio) < 1e6 && fabs(ratio) > 1e-6;
}

tr_status tr3_mjcf_make_gear(mjcf *it, const mjcf_terms *terms, const char *name, tr3_scene_joint **out)
{
    const tr3_model *model = it->model;
    tr_status status = tr3_model_gear(model, it->joints[terms->joint[0]].made, it->joints[terms->joint[1]].made,
                                      ratio_of(it, terms), out);
    return status == TR_OK && name != NULL && name[0] != '\0' ? tr_scene_copy_text(name, &(*out)->name, model->error)
                                                              : status;
}

/* the length where the simulation starts, or as the file has the bodies */
static double length_of(const mjcf *it, const mjcf_terms *terms, bool at_start)
{
    double length = 0.0;
    for (uint32_t i = 0; i < terms->count; i++) {
        const mjcf_joint *joint = &it->joints[terms->joint[i]];
        length += terms->factor[i] * (at_start && it->qpos != NULL ? it->qpos[joint->qpos] : joint->reference);
    }
    return length;
}

/* where the scene's joint has its coordinate 0, on the side of a gear: of a slide from the carrier's origin */
static double zero_of(const tr3_scene_joint *joint)
{
    return joint->def.type == TR3_JOINT_SLIDER ? tr3_dot(tr3_widen(joint->def.axis), tr3_widen(joint->def.anchor_a))
                                               : 0.0;
}

tr_status tr3_mjcf_make_spring(mjcf *it, const mjcf_terms *terms, const mjcf_pull *pull, const char *name)
{
    const tr3_model *model = it->model;
    const double factor = terms->factor[1], square = factor * factor;
    tr3_scene_joint *gear = NULL;
    float stiffness = 0.0f, damping = 0.0f;
    tr_status status = tr3_model_size(model, pull->node, pull->stiffness_is, square * pull->stiffness, &stiffness);
    if (status == TR_OK)
        status = tr3_model_size(model, pull->node, pull->damping_is, square * pull->damping, &damping);
    if (status == TR_OK)
        status = tr3_mjcf_make_gear(it, terms, name, &gear);
    if (status != TR_OK)
        return status;
    gear->def.angular = tr_physical(stiffness, damping);
    /* an offset that is that of the start is found when the scene is built */
    if (!(pull->stiffness > 0.0) || fabs(pull->length - length_of(it, terms, true)) < 1e-9)
        return TR_OK;
    const tr3_scene_joint *joints = model->builder->scene->joints;
    const tr3_scene_joint *a = &joints[it->joints[terms->joint[0]].made];
    const tr3_scene_joint *b = &joints[it->joints[terms->joint[1]].made];
    const double off = (pull->length - length_of(it, terms, false)) / (factor * side_of(&it->joints[terms->joint[1]]));
    gear->def.reference = a->def.reference;
    gear->def.reference_b = b->def.reference;
    gear->def.offset = off + zero_of(b) + (double)gear->def.ratio * zero_of(a);
    gear->def.meshed = true;
    return TR_OK;
}

/* The features of the coordinate that a tendon of one joint is, times its coefficient; false: it is not, with a notice. */
static bool take_coordinate(mjcf *it, const mjcf_tendon *tendon, const char *attribute, mjcf_joint **joint,
                            tr3_joint_def **def)
{
    const mjcf_terms *terms = &tendon->terms;
    *joint = terms->count == 1 ? &it->joints[terms->joint[0]] : NULL;
    if (terms->whole && *joint != NULL && (*joint)->made != MJCF_NONE && fabs(terms->factor[0]) > 1e-9) {
        *def = &it->model->builder->scene->joints[(*joint)->made].def;
        if ((*def)->type != TR3_JOINT_BALL)
            return true;
    }
    tr3_model_notice(it->model, tendon->at.node, attribute, "is simulated only of a tendon of one joint");
    return false;
}

/* a spring of the length of a tendon of one joint is one of the coordinate, beside that which it has: both act */
static tr_status add_spring(mjcf *it, const mjcf_tendon *tendon, const mjcf_pull *pull)
{
    mjcf_joint *joint = NULL;
    tr3_joint_def *def = NULL;
    if (!take_coordinate(it, tendon, pull->stiffness > 0.0 ? "stiffness" : "damping", &joint, &def))
        return TR_OK;
    tr3_features f = tr3_def_features(def, joint->coordinate);
    const double factor = tendon->terms.factor[0], square = factor * factor, k = square * pull->stiffness;
    const double own = f.spring.enable ? (double)f.spring.softness.a : 0.0;
    const double damping = f.spring.enable ? (double)f.spring.softness.b : 0.0;
    const double target = side_of(joint) * (pull->length / factor - joint->reference);
    const double both = k + own > 0.0 ? (own * (double)f.spring.target + k * target) / (k + own) : 0.0;
    float sum[2] = {0.0f, 0.0f};
    tr_status status = tr3_model_size(it->model, pull->node, pull->stiffness_is, k + own, &sum[0]);
    if (status == TR_OK)
        status = tr3_model_size(it->model, pull->node, pull->damping_is, square * pull->damping + damping, &sum[1]);
    f.spring = (tr_spring){true, (float)both, tr_physical(sum[0], sum[1])};
    tr3_def_set_features(def, joint->coordinate, f);
    return status;
}

/* a spring of the tendon itself */
static tr_status read_spring(mjcf *it, const mjcf_tendon *tendon)
{
    tr3_model *model = it->model;
    const mjcf_at *at = &tendon->at;
    mjcf_pull pull = {.node = at->node, .stiffness_is = "stiffness", .damping_is = "damping"};
    double lengths[2] = {-1.0, -1.0};
    uint32_t count = 0;
    tr_status status = tr3_mjcf_number(it, at, "stiffness", &pull.stiffness);
    if (status == TR_OK)
        status = tr3_mjcf_number(it, at, "damping", &pull.damping);
    if (status == TR_OK)
        status = tr3_mjcf_numbers(it, at, "springlength", 1, 2, lengths, &count);
    if (status != TR_OK)
        return status;
    if (pull.stiffness < 0.0 || pull.damping < 0.0)
        return tr3_model_fail(model, at->node, pull.stiffness < 0.0 ? "stiffness" : "damping",
                              "expected a number from 0, found %g", fmin(pull.stiffness, pull.damping));
    if (!(pull.stiffness > 0.0) && !(pull.damping > 0.0))
        return TR_OK;
    const bool alone = tendon->terms.whole && tendon->terms.count == 1;
    if (!alone && !tr3_mjcf_is_gear(it, &tendon->terms)) {
        tr3_model_notice(model, at->node, pull.stiffness > 0.0 ? "stiffness" : "damping",
                         "is simulated only of two joints that are hinges or sliders of their own, and of one joint");
        return TR_OK;
    }
    if (count == 2 && lengths[1] > lengths[0])
        tr3_model_notice(model, at->node, "springlength", "only the first is read");
    /* a negative one is that of the bodies as the file has them */
    pull.length = lengths[0] < 0.0 ? length_of(it, &tendon->terms, false) : lengths[0];
    return alone ? add_spring(it, tendon, &pull) : tr3_mjcf_make_spring(it, &tendon->terms, &pull, tendon->name);
}

/* a range of the length is one of the coordinate, within that which it has */
static void set_range(mjcf *it, const mjcf_tendon *tendon, const double range[2])
{
    mjcf_joint *joint = NULL;
    tr3_joint_def *def = NULL;
    if (!take_coordinate(it, tendon, "range", &joint, &def))
        return;
    tr3_features f = tr3_def_features(def, joint->coordinate);
    const double side = side_of(joint), factor = tendon->terms.factor[0];
    const double ends[2] = {side * (range[0] / factor - joint->reference),
                            side * (range[1] / factor - joint->reference)};
    float lower = (float)fmin(ends[0], ends[1]), upper = (float)fmax(ends[0], ends[1]);
    if (f.limit.enable) {
        lower = fmaxf(lower, f.limit.lower);
        upper = fminf(upper, f.limit.upper);
    }
    if (!(lower <= upper) || !(fabsf(lower) < 1e18f && fabsf(upper) < 1e18f)) {
        tr3_model_notice(it->model, tendon->at.node, "range", "leaves out that of the joint, and is not read");
        return;
    }
    f.limit = (tr_limit){true, lower, upper};
    tr3_def_set_features(def, joint->coordinate, f);
}

/* friction along the length is friction of the coordinate, beside that which it has */
static tr_status set_friction(mjcf *it, const mjcf_tendon *tendon, double friction)
{
    mjcf_joint *joint = NULL;
    tr3_joint_def *def = NULL;
    if (friction < 0.0)
        return tr3_model_fail(it->model, tendon->at.node, "frictionloss", "expected a number from 0, found %g",
                              friction);
    if (!(friction > 0.0) || !take_coordinate(it, tendon, "frictionloss", &joint, &def))
        return TR_OK;
    tr3_features f = tr3_def_features(def, joint->coordinate);
    tr_status status = tr3_model_size(it->model, tendon->at.node, "frictionloss",
                                      (double)f.friction + fabs(tendon->terms.factor[0]) * friction, &f.friction);
    tr3_def_set_features(def, joint->coordinate, f);
    return status;
}

/* what a tendon does that a gear does not */
static tr_status read_rest(mjcf *it, const mjcf_tendon *tendon)
{
    double friction = 0.0, range[2] = {0.0, 0.0};
    uint32_t count = 0;
    bool limited = false;
    tr_status status = tr3_mjcf_range(it, &tendon->at, "range", "limited", range, &count, &limited);
    if (status == TR_OK)
        status = tr3_mjcf_number(it, &tendon->at, "frictionloss", &friction);
    if (status == TR_OK && limited && count > 0)
        set_range(it, tendon, range);
    return status == TR_OK ? set_friction(it, tendon, friction) : status;
}

static tr_status read_tendon(mjcf *it, uint32_t node)
{
    static const char *const children[] = {"joint", NULL};
    tr3_model *model = it->model;
    mjcf_tendon tendon = {.name = tr_xml_get(model->xml, node, "name"), .fixed = tr_xml_is(model->xml, node, "fixed")};
    tr_status status = tr3_mjcf_at_of(it, MJCF_TENDON, node, it->main_class, &tendon.at);
    if (status == TR_OK && !tendon.fixed) {
        tr3_model_notice(model, node, NULL, "is not simulated in <tendon>: only fixed ones are");
        return keep_tendon(it, &tendon);
    }
    tr3_model_known(model, node, tr3_mjcf_tendon_known, children);
    tendon.terms.whole = true;
    for (uint32_t child = tr_xml_first(model->xml, node, "joint"); child != MJCF_NONE && status == TR_OK;
         child = tr_xml_next(model->xml, child, "joint"))
        status = add_term(it, &tendon, child);
    if (status == TR_OK)
        status = read_spring(it, &tendon);
    if (status == TR_OK)
        status = read_rest(it, &tendon);
    return status == TR_OK ? keep_tendon(it, &tendon) : status;
}

tr_status tr3_mjcf_read_tendons(mjcf *it)
{
    tr_status status = tr3_mjcf_read_sections(it, "tendon", read_tendon);
    it->tendon_names = status == TR_OK ? calloc((size_t)it->tendon_count + 1, sizeof *it->tendon_names) : NULL;
    if (status == TR_OK && it->tendon_names == NULL)
        return tr_scene_fail(it->model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    for (uint32_t i = 0; i < it->tendon_count && status == TR_OK; i++)
        it->tendon_names[i] = (tr3_model_name){it->tendons[i].name, i};
    if (status == TR_OK)
        tr3_model_sort(it->tendon_names, it->tendon_count);
    return status;
}

tr_status tr3_mjcf_find_tendon(const mjcf *it, const mjcf_at *at, const char *attribute, const mjcf_tendon **out)
{
    const char *name = tr3_mjcf_get(it, at, attribute);
    *out = NULL;
    if (name == NULL)
        return TR_OK;
    const uint32_t found = tr3_model_find(it->tendon_names, it->tendon_count, name);
    if (found == MJCF_NONE)
        return tr3_model_fail(it->model, at->node, attribute, "there is no tendon \"%.60s\"", name);
    *out = &it->tendons[found];
    return TR_OK;
}

/*
 * Equalities: L1 = a0 + a1 L2 of two tendons, or L1 = a0 of one
 */
tr_status tr3_mjcf_read_held_tendon(mjcf *it, uint32_t node)
{
    tr3_model *model = it->model;
    const mjcf_tendon *one = NULL, *other = NULL;
    mjcf_coupling coupling;
    tr_status status = tr3_mjcf_begin_coupling(it, node, "tendon1", "tendon2", &coupling);
    if (status == TR_OK)
        status = tr3_mjcf_find_tendon(it, &coupling.at, "tendon1", &one);
    if (status == TR_OK && one == NULL)
        return tr3_model_fail(model, node, "tendon1", "is missing");
    if (status == TR_OK)
        status = tr3_mjcf_find_tendon(it, &coupling.at, "tendon2", &other);
    if (status != TR_OK)
        return status;
    mjcf_terms terms = one->terms;
    terms.whole = terms.whole && (other == NULL || other->terms.whole);
    for (uint32_t i = 0; other != NULL && i < other->terms.count; i++)
        tr3_mjcf_add_term(&terms, other->terms.joint[i], -coupling.a[1] * other->terms.factor[i]);
    if (!tr3_mjcf_is_gear(it, &terms)) {
        tr3_model_notice(model, node, NULL, "is simulated only of two joints that are hinges or sliders of their own");
        return TR_OK;
    }
    tr3_mjcf_lose_coefficients(it, &coupling, other != NULL);
    tr3_scene_joint *gear = NULL;
    status = tr3_mjcf_make_gear(it, &terms, tr3_mjcf_get(it, &coupling.at, "name"), &gear);
    if (status == TR_OK)
        gear->def.enabled = coupling.active;
    return status;
}

#endif
