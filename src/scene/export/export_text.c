/* Writers of URDF and MJCF: names, each of which there is once, and XML. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_status no_memory(const exporter *it)
{
    (void)tr_scene_fail(it->error, TR_ERROR_MEMORY, "not enough memory to write the scene");
    return TR_ERROR_MEMORY;
}

/*
 * Characters
 */

/* the length of the UTF-8 sequence at `text`, and its code; 0 if it is none */
static size_t sequence(const char *text, uint32_t *code)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    *code = length < 2 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3fu);
    }
    const bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return length > 0 && *code >= least[length] && *code <= 0x10ffff && !surrogate ? length : 0;
}

/* characters that XML has no way to write */
static bool is_barred(uint32_t code)
{
    return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0xfffe || code == 0xffff;
}

/* A copy in which those are \u0001. TR_ERROR_MEMORY, _PARSE. */
static tr_status clean(const char *name, char **out, bool *changed)
{
    const size_t size = strlen(name);
    char *copy = malloc(6 * size + 1);
    if (copy == NULL)
        return TR_ERROR_MEMORY;
    char *end = copy;
    while (*name != '\0') {
        uint32_t code = 0;
        const size_t length = sequence(name, &code);
        if (length == 0) {
            free(copy);
            return TR_ERROR_PARSE;
        }
        if (is_barred(code)) {
            end += snprintf(end, 7, "\\u%04x", (unsigned)code & 0xffffu);
            *changed = true;
        } else {
            memcpy(end, name, length);
            end += length;
        }
        name += length;
    }
    *end = '\0';
    *out = copy;
    return TR_OK;
}

/* A name that is made of parts: "left hip", " on ", "body 3". */
static tr_status join(const exporter *it, const char *a, const char *b, const char *c, char **out)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    *out = malloc(size);
    if (*out == NULL)
        return no_memory(it);
    snprintf(*out, size, "%s%s%s", a, b, c);
    return TR_OK;
}

/*
 * Names
 */
typedef struct entry {
    const char *name;
    uint32_t index;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

static int by_text(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    return strcmp(one->name, other->name);
}

/* Names that are there already get the number of the entry, until they are there no more. The first of `count` that
   `spared` says keeps its name. */
static tr_status make_unique(const exporter *it, char **names, uint32_t count, uint32_t spared)
{
    entry *sorted = calloc((size_t)count + 1, sizeof *sorted);
    char **others = calloc((size_t)count + 1, sizeof *others);
    tr_status status = sorted != NULL && others != NULL ? TR_OK : no_memory(it);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        sorted[i] = (entry){names[i], i == spared ? 0 : i + 1};
    if (status == TR_OK && count > 0)
        qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < count && status == TR_OK; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0)
            continue;
        const uint32_t index = sorted[i].index - 1;
        char suffix[32];
        snprintf(suffix, sizeof suffix, " (%u)", index);
        entry made = {names[index], 0};
        while (status == TR_OK && bsearch(&made, sorted, count, sizeof *sorted, by_text) != NULL) {
            char *longer = NULL;
            status = join(it, made.name, suffix, "", &longer);
            free(others[index]);
            others[index] = longer;
            made.name = longer != NULL ? longer : "";
        }
    }
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        if (others[i] == NULL)
            continue;
        free(names[i]);
        names[i] = others[i];
        others[i] = NULL;
    }
    for (uint32_t i = 0; i < count && others != NULL; i++)
        free(others[i]);
    free(others);
    free(sorted);
    return status;
}

/* the name of a body or joint, or its kind and number */
static tr_status own_name(exporter *it, const char *name, const char *kind, uint32_t index, char **out)
{
    char number[16];
    bool changed = false;
    snprintf(number, sizeof number, " %u", index);
    if (name == NULL || name[0] == '\0')
        return join(it, kind, number, "", out);
    const tr_status status = clean(name, out, &changed);
    if (status == TR_ERROR_MEMORY)
        return no_memory(it);
    if (status != TR_OK) {
        (void)tr_scene_fail(it->error, status, "%s[%u]: a name is not UTF-8", kind[0] == 'b' ? "bodies" : "joints",
                            index);
        return status;
    }
    if (changed)
        (kind[0] == 'b' ? tr3_lose_body : tr3_lose_joint)(it, index, "its name has what XML cannot hold");
    return TR_OK;
}

/* those of solids that have names, each once */
static tr_status make_solids_unique(const exporter *it)
{
    const uint32_t count = it->scene->shape_count;
    char **named = calloc((size_t)count + 1, sizeof *named);
    uint32_t *place = calloc((size_t)count + 1, sizeof *place), found = 0;
    tr_status status = named != NULL && place != NULL ? TR_OK : no_memory(it);
    for (uint32_t s = 0; s < count && status == TR_OK; s++) {
        if (it->shape_names[s][0] == '\0')
            continue;
        place[found] = s;
        named[found++] = it->shape_names[s];
    }
    if (status == TR_OK)
        status = make_unique(it, named, found, EXPORT_NONE);
    for (uint32_t i = 0; i < found; i++)
        it->shape_names[place[i]] = named[i];
    free(named);
    free(place);
    return status;
}

/* the names of solids, and of the robot */
static tr_status name_rest(exporter *it)
{
    const tr3_scene *scene = it->scene;
    bool changed = false;
    tr_status status = TR_OK;
    it->shape_names = calloc((size_t)scene->shape_count + 1, sizeof *it->shape_names);
    if (it->shape_names == NULL)
        return no_memory(it);
    for (uint32_t s = 0; s <= scene->shape_count && status == TR_OK; s++) {
        const char *name = s < scene->shape_count ? scene->shapes[s].name : scene->name;
        status = clean(name != NULL ? name : "", &it->shape_names[s], &changed);
    }
    if (status == TR_ERROR_MEMORY)
        return no_memory(it);
    if (status != TR_OK) {
        (void)tr_scene_fail(it->error, status, "the name of the scene or of a shape is not UTF-8");
        return status;
    }
    if (changed)
        tr3_lose_world(it, "the name of the scene or of a shape has what XML cannot hold");
    return it->format == TR3_EXPORT_MJCF ? make_solids_unique(it) : TR_OK;
}

/* how many joints of the file it is */
static uint32_t parts_of(const exporter *it, uint32_t joint)
{
    const uint32_t body = it->limb_of[joint];
    const tr3_joint_def *def = &it->scene->joints[joint].def;
    const bool urdf = it->format == TR3_EXPORT_URDF;
    if (body == EXPORT_NONE) /* a hinge that closes a loop may be two balls */
        return def->type == TR3_JOINT_HINGE && !urdf ? 2 : 1;
    const export_limb *limb = &it->limbs[body];
    if (limb->kind == EXPORT_AXES)
        return urdf && tr3_urdf_is_planar(def) ? 1 : limb->count;
    return limb->kind == EXPORT_BALL && urdf ? 3 : 1;
}

/* The joint's name: parts of it between a + each, as the reader joins them, if there are as many as wanted; else the first
   is the whole name, and the others are numbered. */
static tr_status cut_name(exporter *it, char *whole, uint32_t parts, char **out)
{
    uint32_t found = 1;
    for (const char *c = whole; *c != '\0'; c++)
        found += *c == '+' && c > whole && c[1] != '\0' && c[1] != '+' ? 1 : 0;
    tr_status status = TR_OK;
    for (uint32_t k = 0; k < parts && status == TR_OK; k++) {
        char number[16] = "";
        if (k > 0 && found != parts)
            snprintf(number, sizeof number, " %u", k + 1);
        char *end = found == parts && k + 1 < parts ? strchr(whole + 1, '+') : NULL;
        if (end != NULL)
            *end = '\0';
        status = join(it, whole, number, "", &out[k]);
        whole = end != NULL ? end + 1 : whole;
    }
    return status;
}

/* whether a joint may fix it to the world, or let it float there */
static bool may_hang_on_world(const exporter *it, uint32_t body)
{
    return it->format == TR3_EXPORT_URDF && it->limbs[body].kind == EXPORT_ROOT;
}

/* after the bodies have their names */
static tr_status name_parts(exporter *it)
{
    const tr3_scene *scene = it->scene;
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        it->first_part[j] = it->part_count;
        it->part_count += parts_of(it, j);
    }
    it->first_part[scene->joint_count] = it->part_count;
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (may_hang_on_world(it, b))
            it->limbs[b].root_part = it->part_count++;
    it->part_names = calloc((size_t)it->part_count + 1, sizeof *it->part_names);
    tr_status status = it->part_names != NULL ? TR_OK : no_memory(it);
    for (uint32_t j = 0; j < scene->joint_count && status == TR_OK; j++) {
        char *whole = NULL;
        status = own_name(it, scene->joints[j].name, "joint", j, &whole);
        if (status == TR_OK)
            status = cut_name(it, whole, parts_of(it, j), it->part_names + it->first_part[j]);
        free(whole);
    }
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++)
        if (may_hang_on_world(it, b))
            status = join(it, "world to ", it->link_names[b], "", &it->part_names[it->limbs[b].root_part]);
    return status == TR_OK ? make_unique(it, it->part_names, it->part_count, EXPORT_NONE) : status;
}

/* links between the joints of a limb: one less than these; MJCF needs none */
static uint32_t links_between(const exporter *it, const export_limb *limb)
{
    return limb->kind == EXPORT_ROOT || it->format != TR3_EXPORT_URDF ? 0 : parts_of(it, limb->joint) - 1;
}

tr_status tr3_export_names(exporter *it)
{
    const tr3_scene *scene = it->scene;
    tr_status status = TR_OK;
    it->link_count = scene->body_count;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        it->limbs[b].first_link = it->link_count;
        it->link_count += links_between(it, &it->limbs[b]);
    }
    it->link_names = calloc((size_t)it->link_count + 1, sizeof *it->link_names);
    if (it->link_names == NULL)
        return no_memory(it);
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++)
        status = own_name(it, scene->bodies[b].name, "body", b, &it->link_names[b]);
    if (status == TR_OK)
        status = name_parts(it);
    if (status == TR_OK)
        status = name_rest(it);
    for (uint32_t b = 0; b < scene->body_count && status == TR_OK; b++) {
        const export_limb *limb = &it->limbs[b];
        for (uint32_t k = 0; k < links_between(it, limb) && status == TR_OK; k++)
            status = join(it, it->link_names[b], " on ", tr3_export_part_name(it, limb->joint, k),
                          &it->link_names[limb->first_link + k]);
    }
    if (status == TR_OK)
        status = join(it, "world", "", "", &it->link_names[it->link_count]);
    /* the world of the file is that body of the scene, or comes before one of its name */
    const uint32_t world = tr3_export_find_world(it);
    return status != TR_OK        ? status
           : world != EXPORT_NONE ? make_unique(it, it->link_names, it->link_count, world)
                                  : make_unique(it, it->link_names, it->link_count + 1, it->link_count);
}

/*
 * XML
 */
void tr3_export_line(exporter *it, uint32_t depth, const char *words)
{
    tr_text_append(&it->text, "\n");
    for (uint32_t i = 0; i < depth && i < 32; i++)
        tr_text_append(&it->text, "  ");
    tr_text_append(&it->text, words);
}

/* what an attribute has between its quotes */
static void escape(exporter *it, const char *word)
{
    char piece[2] = "";
    for (; *word != '\0'; word++) {
        piece[0] = *word;
        tr_text_append(&it->text, *word == '&'    ? "&amp;"
                                  : *word == '<'  ? "&lt;"
                                  : *word == '>'  ? "&gt;"
                                  : *word == '"'  ? "&quot;"
                                  : *word == '\t' ? "&#9;"
                                  : *word == '\n' ? "&#10;"
                                  : *word == '\r' ? "&#13;"
                                                  : piece);
    }
}

void tr3_export_word(exporter *it, const char *key, const char *word)
{
    tr_text_append(&it->text, " ");
    tr_text_append(&it->text, key);
    tr_text_append(&it->text, "=\"");
    escape(it, word);
    tr_text_append(&it->text, "\"");
}

void tr3_export_numbers(exporter *it, const char *key, const double *numbers, uint32_t count)
{
    tr_text_append(&it->text, " ");
    tr_text_append(&it->text, key);
    tr_text_append(&it->text, "=\"");
    for (uint32_t i = 0; i < count; i++) {
        /* -0 is 0; what is a float is as short as one */
        double value = numbers[i] == 0.0 ? 0.0 : numbers[i];
        if (isfinite(value) && fabs(value) > TR3_MODEL_GREATEST) {
            tr3_lose_world(it, "a number beyond %g is written as that: readers take no more", TR3_MODEL_GREATEST);
            value = copysign(TR3_MODEL_GREATEST, value);
        }
        float narrow = 0.0f;
        if (i > 0)
            tr_text_append(&it->text, " ");
        if (tr_scene_to_float(value, &narrow) && (double)narrow == value)
            tr_text_float(&it->text, narrow);
        else
            tr_text_double(&it->text, value);
    }
    tr_text_append(&it->text, "\"");
}

double tr3_export_bound(exporter *it, uint32_t joint, double value)
{
    if (fabs(value) > TR3_MODEL_GREATEST && fabs(value) < (double)FLT_MAX)
        tr3_lose_joint(it, joint, "a limit or a greatest force beyond %g is taken for that", TR3_MODEL_GREATEST);
    return fmin(fmax(value, -TR3_MODEL_GREATEST), TR3_MODEL_GREATEST);
}

tr_status tr3_export_explain(const exporter *it, const char *what, uint32_t index)
{
    if (it->text.status == TR_OK)
        return TR_OK;
    const char *why =
        it->text.status == TR_ERROR_MEMORY ? "not enough memory to write the scene" : "a number is not finite";
    if (what == NULL)
        return tr_scene_fail(it->error, it->text.status, "%s", why);
    return tr_scene_fail(it->error, it->text.status, "%s[%u]: %s", what, index, why);
}

#endif
