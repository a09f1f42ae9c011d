#include "scene/space/model.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Errors and notices
 */

/* "<joint>", "<joint> axis" */
static void say_place(const tr3_model *model, uint32_t node, const char *attribute, char *out, size_t size)
{
    snprintf(out, size, "<%.40s>%s%.40s", tr_xml_name(model->xml, node), attribute != NULL ? " " : "",
             attribute != NULL ? attribute : "");
}

tr_status tr3_model_fail(const tr3_model *model, uint32_t node, const char *attribute, const char *format, ...)
{
    char place[96], sentence[160];
    const tr_xml *xml = model->xml;
    say_place(model, node, attribute, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence, sizeof sentence, format, arguments) < 0)
        sentence[0] = '\0';
    va_end(arguments);
    return tr_scene_fail(model->error, TR_ERROR_PARSE, "%.80s:%u: %s: %s",
                         xml->text + xml->files[xml->nodes[node].file], xml->nodes[node].line, place, sentence);
}

void tr3_model_notice(tr3_model *model, uint32_t node, const char *attribute, const char *format, ...)
{
    char text[TR3_MODEL_NOTE_SIZE], place[96], sentence[TR3_MODEL_NOTE_SIZE];
    say_place(model, node, attribute, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence, sizeof sentence, format, arguments) < 0)
        sentence[0] = '\0';
    va_end(arguments);
    if (snprintf(text, sizeof text, "%s: %.*s", place, (int)(sizeof text - sizeof place - 3), sentence) < 0)
        text[0] = '\0';
    for (uint32_t i = 0; i < model->note_count; i++) {
        if (strcmp(model->notes[i].text, text) == 0) {
            model->notes[i].count++;
            return;
        }
    }
    if (model->note_count == TR3_MODEL_NOTES) {
        model->notes_left_out = true;
        return;
    }
    tr3_model_note *note = &model->notes[model->note_count++];
    memcpy(note->text, text, sizeof text);
    note->file = model->xml->nodes[node].file;
    note->line = model->xml->nodes[node].line;
    note->count = 1;
}

tr_status tr3_model_give_notices(tr3_model *model)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < model->note_count && status == TR_OK; i++) {
        const tr3_model_note *note = &model->notes[i];
        char times[32] = "", file[64] = "";
        if (note->count > 1)
            snprintf(times, sizeof times, " (%u times)", note->count);
        if (note->file > 0)
            snprintf(file, sizeof file, "%.50s, ", model->xml->text + model->xml->files[note->file]);
        status =
            tr3_builder_notice(model->builder, model->error, "%sline %u: %s%s", file, note->line, note->text, times);
    }
    if (status == TR_OK && model->notes_left_out)
        status = tr3_builder_notice(model->builder, model->error, "further notices are left out");
    return status;
}

static bool is_listed(const char *const *list, const char *word)
{
    while (*list != NULL && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

void tr3_model_known(tr3_model *model, uint32_t node, const char *const *attributes, const char *const *children)
{
    const tr_xml *xml = model->xml;
    const tr_xml_node *it = &xml->nodes[node];
    for (uint32_t i = it->first_attribute; i < it->first_attribute + it->attribute_count; i++) {
        const char *name = xml->text + xml->attributes[i].name;
        /* declarations of name spaces say nothing */
        if (!is_listed(attributes, name) && strncmp(name, "xmlns", 5) != 0)
            tr3_model_notice(model, node, name, "is not read");
    }
    for (uint32_t child = it->first; child != TR_XML_NONE && children != NULL; child = xml->nodes[child].next)
        if (!is_listed(children, tr_xml_name(xml, child)))
            tr3_model_notice(model, child, NULL, "is not read in <%.40s>", tr_xml_name(xml, node));
}

/*
 * Attributes
 */
tr_status tr3_model_numbers(const tr3_model *model, uint32_t node, const char *attribute, uint32_t least, uint32_t most,
                            double *out, uint32_t *count)
{
    const char *text = tr_xml_get(model->xml, node, attribute);
    uint32_t found = 0;
    double value = 0.0;
    if (count != NULL)
        *count = 0;
    if (text == NULL)
        return TR_OK;
    const char *rest = text + strspn(text, " \t\r\n");
    for (uint32_t pass = 0; pass < 2; pass++) {
        /* first all are checked, then written: an error changes nothing */
        for (rest = text + strspn(text, " \t\r\n"), found = 0; *rest != '\0'; found++) {
            if (!tr_xml_number(&rest, &value))
                return tr3_model_fail(model, node, attribute, "expected a number, found \"%.40s\"", rest);
            if (!(fabs(value) <= TR3_MODEL_GREATEST))
                return tr3_model_fail(model, node, attribute, "%g is too large: at most %g", value, TR3_MODEL_GREATEST);
            if (pass > 0 && found < most)
                out[found] = value;
        }
        if (found < least || found > most)
            return least == most ? tr3_model_fail(model, node, attribute, "expected %u number%s, found %u", least,
                                                  least > 1 ? "s" : "", found)
                                 : tr3_model_fail(model, node, attribute, "expected %u to %u numbers, found %u", least,
                                                  most, found);
    }
    if (count != NULL)
        *count = found;
    return TR_OK;
}

tr_status tr3_model_number(const tr3_model *model, uint32_t node, const char *attribute, double *out)
{
    return tr3_model_numbers(model, node, attribute, 1, 1, out, NULL);
}

tr_status tr3_model_vec(const tr3_model *model, uint32_t node, const char *attribute, tr_dvec3 *out)
{
    double parts[3] = {out->x, out->y, out->z};
    tr_status status = tr3_model_numbers(model, node, attribute, 3, 3, parts, NULL);
    *out = (tr_dvec3){parts[0], parts[1], parts[2]};
    return status;
}

tr_status tr3_model_direction(const tr3_model *model, uint32_t node, const char *attribute, tr_dvec3 *out)
{
    tr_status status = tr3_model_vec(model, node, attribute, out);
    const double length = sqrt(tr3_dot(*out, *out));
    if (status == TR_OK && !(length > 1e-15))
        return tr3_model_fail(model, node, attribute, "is zero: it has no direction");
    if (status == TR_OK)
        *out = tr3_over(*out, length);
    return status;
}

tr_status tr3_model_size(const tr3_model *model, uint32_t node, const char *attribute, double value, float *out)
{
    if (value < 0.0)
        return tr3_model_fail(model, node, attribute, "expected a number from 0, found %g", value);
    if (!tr_scene_to_float(value, out))
        return tr3_model_fail(model, node, attribute, "%g does not fit a 32-bit number", value);
    return TR_OK;
}

/*
 * Names
 */
static int by_name(const void *a, const void *b)
{
    const tr3_model_name *one = a, *other = b;
    if (one->name == NULL || other->name == NULL)
        return (one->name != NULL) - (other->name != NULL);
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

void tr3_model_sort(tr3_model_name *names, uint32_t count)
{
    if (count > 0)
        qsort(names, count, sizeof *names, by_name);
}

uint32_t tr3_model_find(const tr3_model_name *names, uint32_t count, const char *name)
{
    uint32_t low = 0, high = count;
    while (name != NULL && low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (names[middle].name == NULL || strcmp(names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return name != NULL && low < count && names[low].name != NULL && strcmp(names[low].name, name) == 0
               ? names[low].index
               : UINT32_MAX;
}

/*
 * Mass
 */

tr3_mass tr3_mass_in(const tr3_frame *outer, const tr3_mass *mass)
{
    tr_dvec3 axes[3];
    tr3_axes_of(outer->turn, axes);
    const tr_dsym3 own = mass->inertia;
    tr3_mass placed = {mass->mass, tr3_plus(outer->at, tr3_turned(outer->turn, mass->center)), own};
    const tr3_dquat q = outer->turn;
    if (q.x == 0.0 && q.y == 0.0 && q.z == 0.0)
        return placed;
    /* R I R^T, of which the columns of R are the axes */
    const double moments[3] = {own.xx, own.yy, own.zz};
    placed.inertia = tr3_tensor_of(moments, axes);
    const double products[3] = {own.xy, own.xz, own.yz};
    const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; k++) {
        const tr_dvec3 a = axes[pairs[k][0]], b = axes[pairs[k][1]];
        placed.inertia.xx += 2.0 * products[k] * a.x * b.x;
        placed.inertia.yy += 2.0 * products[k] * a.y * b.y;
        placed.inertia.zz += 2.0 * products[k] * a.z * b.z;
        placed.inertia.xy += products[k] * (a.x * b.y + a.y * b.x);
        placed.inertia.xz += products[k] * (a.x * b.z + a.z * b.x);
        placed.inertia.yz += products[k] * (a.y * b.z + a.z * b.y);
    }
    return placed;
}

/* what a world takes (tr3_check_inertia), with room for rounding */
#define TRIANGLE     5e-6
#define LEAST_TILTED 2e-6
#define RAISED       1e-4
#define POINT        1e-12 /* m^2 */

static double ball_moment(double mass)
{
    return 0.4 * mass * 0.01 * 0.01;
}

/* the greatest size of a part */
static double greatest_of(const tr_dsym3 *own)
{
    const double parts[6] = {own->xx, own->yy, own->zz, own->xy, own->xz, own->yz};
    double greatest = 0.0;
    for (int i = 0; i < 6; i++)
        greatest = fmax(greatest, fabs(parts[i]));
    return greatest;
}

/* principal moments, over `scale`, and their axes: see tr3_principal(). True if the axes are not those of the frame. */
static bool principal_of(const tr_dsym3 *own, double scale, tr_dvec3 *moments, tr3_dquat *frame)
{
    const tr_sym3 scaled = {(float)(own->xx / scale), (float)(own->yy / scale), (float)(own->zz / scale),
                            (float)(own->xy / scale), (float)(own->xz / scale), (float)(own->yz / scale)};
    tr3_principal(scaled, moments, frame);
    return tr3_inertia_tilts(scaled);
}

void tr3_inertia_margins(const tr_dsym3 *inertia, double *least, double *triangle)
{
    const double greatest = greatest_of(inertia);
    tr_dvec3 m = {0.0, 0.0, 0.0};
    tr3_dquat frame;
    if (greatest > 0.0)
        (void)principal_of(inertia, greatest, &m, &frame);
    const double most = fmax(fmax(m.x, m.y), m.z);
    *least = most > 0.0 ? fmin(fmin(m.x, m.y), m.z) / most : -1.0;
    *triangle = most > 0.0 ? (m.x + m.y + m.z - 2.0 * most) / most : -1.0;
}

tr_status tr3_model_mend(tr3_model *model, uint32_t node, tr3_mass *mass)
{
    tr_dsym3 *own = &mass->inertia;
    const double greatest = greatest_of(own);
    if (!(mass->mass > 0.0))
        return TR_OK;
    /* a point, but for what exporters leave of rounding: within a thousandth of a millimetre */
    if (!(greatest > POINT * mass->mass)) {
        *own = (tr_dsym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        own->xx = own->yy = own->zz = ball_moment(mass->mass);
        tr3_model_notice(model, node, NULL, "a mass without inertia: that of a ball of 1 cm");
        return TR_OK;
    }
    tr_dvec3 found;
    tr3_dquat frame;
    const bool tilts = principal_of(own, greatest, &found, &frame);
    double moments[3] = {found.x, found.y, found.z};
    const double most = fmax(fmax(moments[0], moments[1]), moments[2]);
    if (!(most > 0.0) || fmin(fmin(own->xx, own->yy), own->zz) < 0.0)
        return tr3_model_fail(model, node, NULL, "no body has this inertia: its principal moments are %.4g, %.4g, %.4g",
                              greatest * moments[0], greatest * moments[1], greatest * moments[2]);
    /* first none that is too small, then none that exceeds the two others */
    bool mended = false;
    double others = -most;
    for (int i = 0; i < 3; i++) {
        if (moments[i] <= 0.0 || (tilts && moments[i] < LEAST_TILTED * most)) {
            moments[i] = RAISED * most;
            mended = true;
        }
        others += moments[i];
    }
    for (int i = 0; i < 3 && others < (1.0 - TRIANGLE) * most; i++) {
        moments[i] += moments[i] < most ? 0.5 * (most - others) : 0.0;
        mended = true;
    }
    if (!mended)
        return TR_OK;
    tr_dvec3 axes[3];
    tr3_axes_of(tr3_normalised(frame), axes);
    for (int i = 0; i < 3; i++)
        moments[i] *= greatest;
    *own = tr3_tensor_of(moments, axes);
    tr3_model_notice(model, node, NULL, "no body has this inertia: its smaller principal moments are raised");
    return TR_OK;
}

tr3_mass tr3_model_small(tr3_model *model, uint32_t node, double other)
{
    const double mass = TR3_SMALL_SHARE * (other > 0.0 ? other : 1.0), moment = ball_moment(mass);
    tr3_model_notice(model, node, NULL, "has no mass and must move: a ball of 1 cm, of %g of the mass beside it",
                     TR3_SMALL_SHARE);
    return (tr3_mass){mass, {0.0, 0.0, 0.0}, {moment, moment, moment, 0.0, 0.0, 0.0}};
}

/*
 * Bodies, solids, joints
 */
tr_status tr3_model_body(const tr3_model *model, uint32_t node, const char *name, tr_body_type type,
                         const tr3_frame *pose, const tr3_mass *mass, uint32_t *out)
{
    tr3_scene_body *body = NULL;
    *out = model->builder->scene->body_count;
    tr_status status = tr3_builder_body(model->builder, &body, model->error);
    if (status == TR_OK && name != NULL && name[0] != '\0')
        status = tr_scene_copy_text(name, &body->name, model->error);
    if (status != TR_OK)
        return status;
    body->def.type = type;
    body->def.position = pose->at;
    body->def.rotation = tr3_narrow_quat(pose->turn);
    if (type == TR_DYNAMIC && !tr3_mass_set(mass, &body->def))
        return tr3_model_fail(model, node, NULL, "its mass, inertia or centre does not fit a 32-bit number");
    return TR_OK;
}

tr_status tr3_model_solid(tr3_model *model, uint32_t node, const char *attribute, tr3_scene_shape_type type,
                          const double size[3], const tr3_frame *frame, uint32_t body, double density, const char *name)
{
    const uint32_t sizes = type == TR3_SCENE_BOX ? 3 : type == TR3_SCENE_SPHERE ? 1 : 2;
    float narrow[3] = {0.0f, 0.0f, 0.0f}, weight = 0.0f;
    for (uint32_t i = 0; i < sizes; i++) {
        narrow[i] = (float)size[i];
        if (!(narrow[i] > 0.0f))
            return tr3_model_fail(model, node, attribute, "expected a number above 0, found %g", size[i]);
    }
    if (!tr_scene_to_float(density, &weight))
        return tr3_model_fail(model, node, NULL, "its density does not fit a 32-bit number");
    const tr_dvec3 reach = tr3_turned(frame->turn, (tr_dvec3){0.0, 0.0, size[1]});
    const tr_vec3 from = tr3_narrow(tr3_minus(frame->at, reach)), to = tr3_narrow(tr3_plus(frame->at, reach));
    if (type == TR3_SCENE_CYLINDER && tr3_is_same(from, to)) {
        tr3_model_notice(model, node, attribute, "is too short to be drawn where it is");
        return TR_OK;
    }
    tr3_scene_shape *shape = NULL;
    tr_status status = tr3_builder_shape(model->builder, type, body, &shape, model->error);
    if (status == TR_OK && name != NULL && name[0] != '\0')
        status = tr_scene_copy_text(name, &shape->name, model->error);
    if (status != TR_OK)
        return status;
    shape->density = weight;
    if (type == TR3_SCENE_BOX)
        shape->half = (tr_vec3){narrow[0], narrow[1], narrow[2]};
    else
        shape->radius = narrow[0];
    if (type == TR3_SCENE_BOX || type == TR3_SCENE_SPHERE)
        shape->center = tr3_narrow(frame->at);
    if (type == TR3_SCENE_BOX)
        shape->rotation = tr3_narrow_quat(frame->turn);
    if (sizes == 2) {
        shape->from = from;
        shape->to = to;
    }
    return TR_OK;
}

tr_status tr3_model_joint(const tr3_model *model, tr3_joint_type type, const char *name, uint32_t body_a,
                          uint32_t body_b, const tr3_frame *in_a, const tr3_frame *in_b, tr_dvec3 axis,
                          tr3_scene_joint **out)
{
    tr3_scene_joint *joint = NULL;
    tr_status status = tr3_builder_joint(model->builder, type, &joint, model->error);
    if (status == TR_OK && name != NULL && name[0] != '\0')
        status = tr_scene_copy_text(name, &joint->name, model->error);
    if (status != TR_OK)
        return status;
    joint->body_a = body_a;
    joint->body_b = body_b;
    joint->def.anchor_a = tr3_narrow(in_a->at);
    joint->def.anchor_b = tr3_narrow(in_b->at);
    joint->def.reference = tr3_narrow_quat(tr3_normalised(tr3_compose(in_a->turn, tr3_conjugate(in_b->turn))));
    if (type != TR3_JOINT_WELD)
        joint->def.axis = tr3_narrow(tr3_turned(in_a->turn, axis));
    *out = joint;
    return TR_OK;
}

/* one side of a gear: of a joint of the scene its body, relative to the one that it hangs on */
static void take_side(tr3_scene_joint *gear, uint32_t side, const tr3_scene_joint *joint)
{
    const bool slides = joint->def.type == TR3_JOINT_SLIDER;
    *(side == 0 ? &gear->body_a : &gear->body_b) = joint->body_b;
    *(side == 0 ? &gear->carrier_a : &gear->carrier_b) = joint->body_a + 1;
    *(side == 0 ? &gear->def.axis : &gear->def.axis_b) = joint->def.axis;
    *(side == 0 ? &gear->def.anchor_a : &gear->def.anchor_b) = joint->def.anchor_b;
    *(side == 0 ? &gear->def.slides_a : &gear->def.slides_b) = slides;
}

tr_status tr3_model_gear(const tr3_model *model, uint32_t joint_a, uint32_t joint_b, double ratio,
                         tr3_scene_joint **out)
{
    tr3_scene_joint *gear = NULL;
    tr_status status = tr3_builder_joint(model->builder, TR3_JOINT_GEAR, &gear, model->error);
    if (status != TR_OK)
        return status;
    const tr3_scene_joint *joints = model->builder->scene->joints;
    take_side(gear, 0, &joints[joint_a]);
    take_side(gear, 1, &joints[joint_b]);
    gear->def.ratio = (float)ratio;
    *out = gear;
    return TR_OK;
}

#endif
