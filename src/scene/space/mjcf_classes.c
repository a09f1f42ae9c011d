/* MJCF: <compiler>, <default>, and attributes that elements have from their class. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"

/*
 * Classes
 */
static mjcf_kind kind_of(const char *element)
{
    static const char *const names[MJCF_OTHER] = {
        [MJCF_GEOM] = "geom",         [MJCF_JOINT] = "joint",       [MJCF_MOTOR] = "motor",
        [MJCF_POSITION] = "position", [MJCF_VELOCITY] = "velocity", [MJCF_GENERAL] = "general",
        [MJCF_EQUALITY] = "equality", [MJCF_TENDON] = "tendon"};
    uint32_t kind = 0;
    while (kind < MJCF_OTHER && strcmp(element, names[kind]) != 0)
        kind++;
    return (mjcf_kind)kind;
}

/* attributes that it may have */
static const char *const *known_of(mjcf_kind kind)
{
    static const char *const *const all[MJCF_OTHER] = {
        [MJCF_GEOM] = tr3_mjcf_geom_known,         [MJCF_JOINT] = tr3_mjcf_joint_known,
        [MJCF_MOTOR] = tr3_mjcf_drive_known,       [MJCF_POSITION] = tr3_mjcf_drive_known,
        [MJCF_VELOCITY] = tr3_mjcf_drive_known,    [MJCF_GENERAL] = tr3_mjcf_general_known,
        [MJCF_EQUALITY] = tr3_mjcf_equality_known, [MJCF_TENDON] = tr3_mjcf_tendon_known};
    return all[kind];
}

static tr_status add_class(mjcf *it, uint32_t parent, uint32_t *out)
{
    void *array = it->classes;
    tr_status status =
        tr_scene_grow(&array, &it->class_capacity, it->class_count + 1, sizeof *it->classes, it->model->error);
    it->classes = array;
    if (status != TR_OK)
        return status;
    mjcf_class *made = &it->classes[it->class_count];
    made->parent = parent;
    for (int kind = 0; kind < MJCF_KIND_COUNT; kind++)
        made->node[kind] = MJCF_NONE;
    *out = it->class_count++;
    return TR_OK;
}

/* names the class; a later one of the same name continues the former, which is `parent` then */
static tr_status add_class_name(mjcf *it, const char *name, uint32_t class)
{
    void *array = it->class_names;
    tr_status status = tr_scene_grow(&array, &it->class_name_capacity, it->class_name_count + 1,
                                     sizeof *it->class_names, it->model->error);
    it->class_names = array;
    if (status == TR_OK)
        it->class_names[it->class_name_count++] = (tr3_model_name){name, class};
    return status;
}

/* The depth of the recursion is that of the document, which is bounded. *out: what its children have after all of it. */
static tr_status read_default(mjcf *it, uint32_t node, uint32_t parent, uint32_t *out)
{
    static const char *const known[] = {"class", NULL}, *const none[] = {NULL};
    /* what is not read anywhere needs no notice here */
    static const char *const children[] = {"geom",     "joint",   "motor",  "position",    "velocity", "equality",
                                           "default",  "site",    "camera", "light",       "mesh",     "material",
                                           "general",  "tendon",  "pair",   "damper",      "muscle",   "cylinder",
                                           "adhesion", "texture", "plugin", "intvelocity", NULL};
    tr3_model *model = it->model;
    const tr_xml *xml = model->xml;
    uint32_t class = 0;
    tr_status status = add_class(it, parent, &class);
    tr3_model_known(model, node, known, children);
    for (uint32_t child = tr_xml_first(xml, node, NULL); child != MJCF_NONE && status == TR_OK;
         child = tr_xml_next(xml, child, NULL)) {
        const mjcf_kind kind = kind_of(tr_xml_name(xml, child));
        if (kind != MJCF_OTHER && it->classes[class].node[kind] != MJCF_NONE)
            status = add_class(it, class, &class);
        if (kind != MJCF_OTHER && status == TR_OK)
            it->classes[class].node[kind] = child;
        if (kind != MJCF_OTHER)
            tr3_model_known(model, child, known_of(kind), none);
    }
    *out = class;
    for (uint32_t child = tr_xml_first(xml, node, "default"); child != MJCF_NONE && status == TR_OK;
         child = tr_xml_next(xml, child, "default")) {
        const char *name = tr_xml_get(xml, child, "class");
        uint32_t made = 0;
        if (name == NULL)
            return tr3_model_fail(model, child, "class", "is missing");
        status = read_default(it, child, class, &made);
        if (status == TR_OK)
            status = add_class_name(it, name, made);
    }
    return status;
}

tr_status tr3_mjcf_read_classes(mjcf *it)
{
    const tr_xml *xml = it->model->xml;
    tr_status status = add_class(it, MJCF_NONE, &it->main_class);
    for (uint32_t node = tr_xml_first(xml, 0, "default"); node != MJCF_NONE && status == TR_OK;
         node = tr_xml_next(xml, node, "default"))
        status = read_default(it, node, it->main_class, &it->main_class);
    for (uint32_t node = tr_xml_first(xml, 0, "default"); node != MJCF_NONE && status == TR_OK;
         node = tr_xml_next(xml, node, "default")) {
        const char *name = tr_xml_get(xml, node, "class");
        status = add_class_name(it, name != NULL ? name : "main", it->main_class);
    }
    tr3_model_sort(it->class_names, it->class_name_count);
    return status;
}

tr_status tr3_mjcf_class_of(const mjcf *it, uint32_t node, const char *attribute, uint32_t around, uint32_t *out)
{
    const char *name = tr_xml_get(it->model->xml, node, attribute);
    *out = around;
    if (name == NULL)
        return TR_OK;
    *out = tr3_model_find(it->class_names, it->class_name_count, name);
    return *out != MJCF_NONE ? TR_OK
                             : tr3_model_fail(it->model, node, attribute, "there is no default class \"%.60s\"", name);
}

tr_status tr3_mjcf_at_of(const mjcf *it, mjcf_kind kind, uint32_t node, uint32_t around, mjcf_at *out)
{
    *out = (mjcf_at){kind, node, around};
    return tr3_mjcf_class_of(it, node, "class", around, &out->class);
}

/*
 * Attributes
 */
uint32_t tr3_mjcf_holder(const mjcf *it, const mjcf_at *at, const char *attribute)
{
    const tr_xml *xml = it->model->xml;
    if (tr_xml_get(xml, at->node, attribute) != NULL)
        return at->node;
    for (uint32_t class = at->kind != MJCF_OTHER ? at->class : MJCF_NONE; class != MJCF_NONE;
         class = it->classes[class].parent) {
        const uint32_t node = it->classes[class].node[at->kind];
        if (node != MJCF_NONE && tr_xml_get(xml, node, attribute) != NULL)
            return node;
    }
    return MJCF_NONE;
}

const char *tr3_mjcf_get(const mjcf *it, const mjcf_at *at, const char *attribute)
{
    const uint32_t node = tr3_mjcf_holder(it, at, attribute);
    return node != MJCF_NONE ? tr_xml_get(it->model->xml, node, attribute) : NULL;
}

tr_status tr3_mjcf_numbers(const mjcf *it, const mjcf_at *at, const char *attribute, uint32_t least, uint32_t most,
                           double *out, uint32_t *count)
{
    const uint32_t node = tr3_mjcf_holder(it, at, attribute);
    if (count != NULL)
        *count = 0;
    return node != MJCF_NONE ? tr3_model_numbers(it->model, node, attribute, least, most, out, count) : TR_OK;
}

tr_status tr3_mjcf_number(const mjcf *it, const mjcf_at *at, const char *attribute, double *out)
{
    return tr3_mjcf_numbers(it, at, attribute, 1, 1, out, NULL);
}

tr_status tr3_mjcf_flag(const mjcf *it, const mjcf_at *at, const char *attribute, bool automatic, bool *out)
{
    const uint32_t node = tr3_mjcf_holder(it, at, attribute);
    const char *word = node != MJCF_NONE ? tr_xml_get(it->model->xml, node, attribute) : "auto";
    *out = strcmp(word, "auto") == 0 ? automatic : strcmp(word, "true") == 0;
    if (strcmp(word, "auto") != 0 && strcmp(word, "true") != 0 && strcmp(word, "false") != 0)
        return tr3_model_fail(it->model, node, attribute, "expected true, false or auto, found \"%.30s\"", word);
    return TR_OK;
}

tr_status tr3_mjcf_range(const mjcf *it, const mjcf_at *at, const char *range, const char *limited, double ends[2],
                         uint32_t *count, bool *holds)
{
    *count = 0;
    tr_status status = tr3_mjcf_numbers(it, at, range, 2, 2, ends, count);
    /* what is not from less to more is no range unless the file says so */
    if (status == TR_OK)
        status = tr3_mjcf_flag(it, at, limited, it->auto_limits && *count > 0 && ends[0] < ends[1], holds);
    if (status == TR_OK && *holds && *count > 0 && ends[0] > ends[1])
        return tr3_model_fail(it->model, tr3_mjcf_holder(it, at, range), range,
                              "its lower limit %g is above its upper limit %g", ends[0], ends[1]);
    return status;
}

/*
 * Orientations
 */
tr3_dquat tr3_mjcf_turn_z(tr_dvec3 direction)
{
    /* (z x d, 1 + z . d) is the turn by half the angle, but for its length */
    const tr3_dquat half = {-direction.y, direction.x, 0.0, 1.0 + direction.z};
    return tr3_quat_square(half) > 1e-20 ? tr3_normalised(half) : (tr3_dquat){1.0, 0.0, 0.0, 0.0};
}

/* the rotation whose columns are these axes */
static tr3_dquat turn_of_axes(tr_dvec3 x, tr_dvec3 y, tr_dvec3 z)
{
    const double squares[4] = {1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z,
                               1.0 + x.x + y.y + z.z}; /* 4 times those of the parts */
    int most = 3;
    for (int i = 0; i < 3; i++)
        most = squares[i] > squares[most] ? i : most;
    const double a = y.z - z.y, b = z.x - x.z, c = x.y - y.x; /* 4 w times the others */
    const double d = x.y + y.x, e = x.z + z.x, f = y.z + z.y; /* products of two others */
    const tr3_dquat quats[4] = {
        {squares[0], d, e, a}, {d, squares[1], f, b}, {e, f, squares[2], c}, {a, b, c, squares[3]}};
    return tr3_normalised(quats[most]);
}

static tr_status direction_of(const mjcf *it, uint32_t node, const char *attribute, const double *parts, tr_dvec3 *out)
{
    const tr_dvec3 v = {parts[0], parts[1], parts[2]};
    const double length = sqrt(tr3_dot(v, v));
    if (!(length > 1e-15))
        return tr3_model_fail(it->model, node, attribute, "is zero: it has no direction");
    *out = tr3_over(v, length);
    return TR_OK;
}

static tr_status turn_of_xyaxes(const mjcf *it, uint32_t node, const double *parts, tr3_dquat *out)
{
    tr_dvec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    tr_status status = direction_of(it, node, "xyaxes", parts, &x);
    if (status != TR_OK)
        return status;
    /* y at right angles to x */
    const tr_dvec3 given = {parts[3], parts[4], parts[5]};
    const tr_dvec3 across = tr3_minus(given, tr3_times(tr3_dot(given, x), x));
    const double rest[3] = {across.x, across.y, across.z};
    status = direction_of(it, node, "xyaxes", rest, &y);
    if (status == TR_OK)
        *out = turn_of_axes(x, y, tr3_cross(x, y));
    return status;
}

static tr3_dquat turn_of_euler(const mjcf *it, const double *angles)
{
    static const tr_dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    tr3_dquat turn = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 3; i++) {
        const char letter = it->sequence[i];
        const bool fixed = letter >= 'X' && letter <= 'Z';
        const tr3_dquat next = tr3_turn_about(axes[letter - (fixed ? 'X' : 'x')], it->angle * angles[i]);
        turn = fixed ? tr3_compose(next, turn) : tr3_compose(turn, next);
    }
    return tr3_normalised(turn);
}

tr_status tr3_mjcf_frame(const mjcf *it, const mjcf_at *at, tr3_frame *out)
{
    static const struct {
        const char *name;
        uint32_t count;
    } ways[] = {{"quat", 4}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}};
    double parts[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, pos[3] = {0.0, 0.0, 0.0};
    *out = tr3_frame_same;
    tr_status status = tr3_mjcf_numbers(it, at, "pos", 3, 3, pos, NULL);
    out->at = (tr_dvec3){pos[0], pos[1], pos[2]};
    /* one that the element has itself is before one of its class */
    uint32_t way = 5, node = MJCF_NONE;
    for (uint32_t i = 0; i < 5 && status == TR_OK; i++) {
        const uint32_t holder = tr3_mjcf_holder(it, at, ways[i].name);
        if (way < 5 && holder == at->node && node == at->node)
            return tr3_model_fail(it->model, node, ways[i].name, "is a second orientation, beside %s", ways[way].name);
        if (holder != MJCF_NONE && (way == 5 || holder == at->node)) {
            way = i;
            node = holder;
        }
    }
    if (status != TR_OK || way == 5)
        return status;
    status = tr3_model_numbers(it->model, node, ways[way].name, ways[way].count, ways[way].count, parts, NULL);
    if (status != TR_OK)
        return status;
    tr_dvec3 axis = {0.0, 0.0, 1.0};
    switch (way) {
    case 0: {
        /* the file has w first */
        const tr3_dquat quat = {parts[1], parts[2], parts[3], parts[0]};
        if (!(tr3_quat_square(quat) > 1e-30))
            return tr3_model_fail(it->model, node, "quat", "is zero: it has no direction");
        out->turn = tr3_normalised(quat);
        return TR_OK;
    }
    case 1:
        status = direction_of(it, node, "axisangle", parts, &axis);
        if (status == TR_OK)
            out->turn = tr3_turn_about(axis, it->angle * parts[3]);
        return status;
    case 2:
        return turn_of_xyaxes(it, node, parts, &out->turn);
    case 3:
        status = direction_of(it, node, "zaxis", parts, &axis);
        if (status == TR_OK)
            out->turn = tr3_mjcf_turn_z(axis);
        return status;
    default:
        out->turn = turn_of_euler(it, parts);
        return TR_OK;
    }
}

/*
 * <compiler>
 */
tr_status tr3_mjcf_word(const mjcf *it, uint32_t node, const char *attribute, const char *const *words,
                        const char *what, uint32_t *out)
{
    const char *word = tr_xml_get(it->model->xml, node, attribute);
    for (uint32_t i = 0; word != NULL; i++) {
        if (words[i] == NULL)
            return tr3_model_fail(it->model, node, attribute, "expected %s, found \"%.30s\"", what, word);
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            break;
        }
    }
    return TR_OK;
}

static tr_status read_sequence(mjcf *it, uint32_t node)
{
    const char *word = tr_xml_get(it->model->xml, node, "eulerseq");
    if (word == NULL)
        return TR_OK;
    if (strlen(word) != 3 || strspn(word, "xyzXYZ") != 3)
        return tr3_model_fail(it->model, node, "eulerseq", "expected three of xyz and XYZ, found \"%.30s\"", word);
    memcpy(it->sequence, word, sizeof it->sequence);
    return TR_OK;
}

tr_status tr3_mjcf_read_compiler(mjcf *it)
{
    static const char *const known[] = {"angle",     "eulerseq",       "coordinate", "inertiafromgeom", "autolimits",
                                        "meshdir",   "texturedir",     "assetdir",   "strippath",       "discardvisual",
                                        "usethread", "balanceinertia", "convexhull", "fusestatic",      NULL};
    static const char *const none[] = {NULL}, *const angles[] = {"degree", "radian", NULL};
    static const char *const coordinates[] = {"local", NULL}, *const sources[] = {"auto", "true", "false", NULL};
    const tr_xml *xml = it->model->xml;
    tr_status status = TR_OK;
    it->angle = TR_PI / 180.0;
    it->auto_limits = true;
    memcpy(it->sequence, "xyz", sizeof it->sequence);
    for (uint32_t node = tr_xml_first(xml, 0, "compiler"); node != MJCF_NONE && status == TR_OK;
         node = tr_xml_next(xml, node, "compiler")) {
        uint32_t angle = it->angle == 1.0, coordinate = 0, source = it->always_geoms ? 1 : it->never_geoms ? 2 : 0;
        const mjcf_at at = {MJCF_OTHER, node, MJCF_NONE};
        tr3_model_known(it->model, node, known, none);
        status = tr3_mjcf_word(it, node, "angle", angles, "degree or radian", &angle);
        if (status == TR_OK)
            status = tr3_mjcf_word(it, node, "coordinate", coordinates, "local", &coordinate);
        if (status == TR_OK)
            status = tr3_mjcf_word(it, node, "inertiafromgeom", sources, "true, false or auto", &source);
        if (status == TR_OK)
            status = tr3_mjcf_flag(it, &at, "autolimits", it->auto_limits, &it->auto_limits);
        if (status == TR_OK)
            status = read_sequence(it, node);
        it->angle = angle == 1 ? 1.0 : TR_PI / 180.0;
        it->always_geoms = source == 1;
        it->never_geoms = source == 2;
    }
    return status;
}

#endif
