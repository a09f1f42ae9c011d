/* Loops of a robot: those of the options, and those of a side file. */
#include "scene/core/storage.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/core/json_read.h"
#include "scene/files.h"
#include "scene/space/model.h"

#define LABEL_SIZE 200u

tr_status tr3_model_loop_fail(const tr3_model *model, uint32_t number, tr_status status, const char *format, ...)
{
    const tr3_model_loop *loop = &model->loops.loop[number];
    char sentence[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!loop->in_file)
        return tr_scene_fail(model->error, status, "loop %u: %s", loop->number, sentence);
    return tr_scene_fail(model->error, status, "%.80s:%u: loops[%u]: %s", model->options->loops_file, loop->line,
                         loop->number, sentence);
}

/*
 * The lines of the elements of the root's "loops" in a text that has been parsed: the place after the blanks that
 * element `number` begins at.
 */
typedef struct scanner {
    const char *at, *end;
    uint32_t line;
} scanner;

static void skip_blanks(scanner *it)
{
    for (; it->at < it->end && strchr(" \t\r\n", *it->at) != NULL && *it->at != '\0'; it->at++)
        it->line += *it->at == '\n' ? 1u : 0u;
}

/* a string, with its quotes; whether it is the word */
static bool skip_string(scanner *it, const char *word)
{
    const char *begin = ++it->at;
    for (; it->at < it->end && *it->at != '"'; it->at++)
        if (*it->at == '\\')
            it->at++;
    const size_t size = it->at < it->end ? (size_t)(it->at - begin) : 0;
    it->at++;
    return strlen(word) == size && strncmp(begin, word, size) == 0;
}

/* a value, and the comma after it */
static void skip_value(scanner *it)
{
    uint32_t depth = 0;
    for (; it->at < it->end; it->at++) {
        skip_blanks(it);
        if (it->at >= it->end)
            return;
        if (*it->at == '"') {
            (void)skip_string(it, "");
            it->at--;
        } else if (*it->at == '{' || *it->at == '[') {
            depth++;
        } else if (*it->at == '}' || *it->at == ']') {
            if (depth == 0)
                return;
            depth--;
        } else if (*it->at == ',' && depth == 0) {
            it->at++;
            return;
        }
    }
}

/* fills in the lines of `count` loops; the last "loops" of the root counts, as for the parser */
static void find_lines(const char *text, size_t size, tr3_model_loop *loops, uint32_t count)
{
    /* the parser takes a byte order mark, too */
    const size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    scanner it = {text + mark, text + size, 1};
    skip_blanks(&it);
    it.at++;
    for (skip_blanks(&it); it.at < it.end && *it.at == '"'; skip_blanks(&it)) {
        const bool ours = skip_string(&it, "loops");
        skip_blanks(&it);
        it.at++;
        skip_blanks(&it);
        if (!ours || it.at >= it.end || *it.at != '[') {
            skip_value(&it);
            continue;
        }
        scanner of = it;
        of.at++;
        for (uint32_t i = 0; i < count; i++) {
            skip_blanks(&of);
            loops[i].line = of.line;
            skip_value(&of);
        }
        skip_value(&it);
    }
}

static tr_status read_link(const tr3_reader *reader, const tr3_cursor *of, const char *key, const char **out)
{
    const tr3_cursor at = tr3_json_member(of, key);
    if (!json_is_string(at.value))
        return tr3_json_fail(reader, &at, "expected the name of a link or body, found %s", tr3_json_kind(at.value));
    *out = json_string_value(at.value);
    return TR_OK;
}

static tr_status read_loop(tr3_reader *reader, const tr3_cursor *at, tr3_import_loop *out)
{
    static const char *const known[] = {"name", "body_a", "body_b", "type", "anchor", "axis", NULL};
    static const char *const words[] = {"ball", "hinge", "slider", "weld"};
    static const tr3_joint_type types[] = {TR3_JOINT_BALL, TR3_JOINT_HINGE, TR3_JOINT_SLIDER, TR3_JOINT_WELD};
    uint32_t word = 0;
    *out = (tr3_import_loop){.axis = {1.0f, 0.0f, 0.0f}};
    tr_status status = tr3_json_want_keys(reader, at, known);
    if (status == TR_OK)
        status = read_link(reader, at, "body_a", &out->body_a);
    if (status == TR_OK)
        status = read_link(reader, at, "body_b", &out->body_b);
    if (status != TR_OK)
        return status;
    const tr3_cursor name = tr3_json_member(at, "name"), type = tr3_json_member(at, "type");
    if (name.value != NULL && !json_is_string(name.value))
        return tr3_json_fail(reader, &name, "expected a string, found %s", tr3_json_kind(name.value));
    out->name = json_string_value(name.value);
    if (type.value != NULL)
        status = tr3_json_word(reader, &type, words, 4, "\"ball\", \"hinge\", \"slider\" or \"weld\"", &word);
    out->type = types[word];
    if (status == TR_OK)
        status = tr3_json_get_vec(reader, at, "anchor", &out->anchor);
    return status == TR_OK ? tr3_json_get_vec(reader, at, "axis", &out->axis) : status;
}

/* `loops`: the root's member of that name */
static tr_status read_loops(tr3_model *model, tr3_reader *reader, const tr3_cursor *loops, const char *text,
                            size_t size)
{
    const size_t count = json_array_size(loops->value), before = model->loops.count;
    if (count == 0)
        return TR_OK;
    tr3_model_loop *grown = realloc(model->loops.loop, (before + count) * sizeof *grown);
    if (grown == NULL)
        return tr_scene_fail(model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    model->loops.loop = grown;
    memset(grown + before, 0, count * sizeof *grown);
    find_lines(text, size, grown + before, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        tr3_model_loop *loop = &grown[before + i];
        char label[LABEL_SIZE];
        const tr3_cursor at = tr3_json_element(loops, i);
        loop->in_file = true;
        loop->number = (uint32_t)i;
        snprintf(label, sizeof label, "%.80s:%u", model->options->loops_file, loop->line);
        reader->label = label;
        tr_status status = read_loop(reader, &at, &loop->loop);
        if (status != TR_OK)
            return status;
        model->loops.count++;
    }
    return TR_OK;
}

static tr_status read_file(tr3_model *model)
{
    static const char *const known[] = {"loops", NULL};
    const char *path = model->options->loops_file;
    tr3_reader reader = {.builder = model->builder, .error = model->error, .label = path};
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_read_file(path, &text, &size, model->error);
    if (status == TR_OK)
        status = tr_parse_document(size > 0 ? text : "", size, path, &model->loops.document, model->error);
    const tr3_cursor root = tr3_json_root(model->loops.document);
    if (status == TR_OK)
        status = tr3_json_want_keys(&reader, &root, known);
    if (status == TR_OK) {
        const tr3_cursor loops = tr3_json_member(&root, "loops");
        status = tr3_json_want_array(&reader, &loops);
        if (status == TR_OK)
            status = read_loops(model, &reader, &loops, text, size);
    }
    free(text);
    return status;
}

static tr_status check_loop(const tr3_model *model, uint32_t number)
{
    const tr3_import_loop *loop = &model->loops.loop[number].loop;
    const float numbers[6] = {loop->anchor.x, loop->anchor.y, loop->anchor.z, loop->axis.x, loop->axis.y, loop->axis.z};
    if (loop->type != TR3_JOINT_BALL && loop->type != TR3_JOINT_HINGE && loop->type != TR3_JOINT_SLIDER &&
        loop->type != TR3_JOINT_WELD)
        return tr3_model_loop_fail(model, number, TR_ERROR_RANGE, "a joint of this type closes no loop");
    for (int k = 0; k < 6; k++) {
        if (!isfinite(numbers[k]))
            return tr3_model_loop_fail(model, number, isnan(numbers[k]) ? TR_ERROR_NAN : TR_ERROR_INFINITE,
                                       "anchor or axis is not finite");
        if (!(fabs((double)numbers[k]) <= TR3_MODEL_GREATEST))
            return tr3_model_loop_fail(model, number, TR_ERROR_RANGE, "anchor or axis is too large: at most %g",
                                       TR3_MODEL_GREATEST);
    }
    return TR_OK;
}

tr_status tr3_model_take_loops(tr3_model *model)
{
    const tr3_import_options *options = model->options;
    if (options->loop_count > 0) {
        model->loops.loop = calloc(options->loop_count, sizeof *model->loops.loop);
        if (model->loops.loop == NULL)
            return tr_scene_fail(model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
        for (uint32_t i = 0; i < options->loop_count; i++)
            model->loops.loop[i] = (tr3_model_loop){.loop = options->loops[i], .number = i};
        model->loops.count = options->loop_count;
    }
    tr_status status = options->loops_file != NULL ? read_file(model) : TR_OK;
    for (uint32_t i = 0; i < model->loops.count && status == TR_OK; i++)
        status = check_loop(model, i);
    return status;
}

void tr3_model_drop_loops(tr3_model *model)
{
    free(model->loops.loop);
    json_decref(model->loops.document);
    model->loops = (tr3_model_loops){0};
}

/* one loop, between two parts */
static tr_status close_loop(const tr3_model *model, uint32_t number, const tr3_model_part *a, const tr3_model_part *b,
                            const tr3_frame *pose)
{
    const tr3_import_loop *loop = &model->loops.loop[number].loop;
    if (a->body == b->body)
        return tr3_model_loop_fail(model, number, TR_ERROR_SELF_JOINT, "%.50s and %.50s are one body", loop->body_a,
                                   loop->body_b);
    /* the joint's frame has the axes of A's link */
    const tr3_frame in_link = {tr3_widen(loop->anchor), {0.0, 0.0, 0.0, 1.0}};
    const tr3_frame in_a = tr3_frame_in(&a->frame, &in_link), in_world = tr3_frame_in(&pose[a->body], &in_a);
    const tr3_frame back = tr3_frame_inverse(&pose[b->body]), in_b = tr3_frame_in(&back, &in_world);
    tr_dvec3 axis = {1.0, 0.0, 0.0};
    if (loop->type != TR3_JOINT_WELD) {
        const double length = tr3_size(loop->axis);
        if (!(length > 1e-15))
            return tr3_model_loop_fail(model, number, TR_ERROR_ZERO, "axis is zero: it has no direction");
        axis = tr3_over(tr3_widen(loop->axis), length);
    }
    tr3_scene_joint *joint = NULL;
    return tr3_model_joint(model, loop->type, loop->name, a->body, b->body, &in_a, &in_b, axis, &joint);
}

tr_status tr3_model_close_loops(const tr3_model *model, const tr3_model_part *parts, const tr3_model_name *names,
                                uint32_t count, const tr3_frame *pose)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < model->loops.count && status == TR_OK; i++) {
        const tr3_import_loop *loop = &model->loops.loop[i].loop;
        const char *ends[2] = {loop->body_a, loop->body_b};
        uint32_t found[2];
        for (int end = 0; end < 2; end++) {
            found[end] = tr3_model_find(names, count, ends[end]);
            if (found[end] == UINT32_MAX)
                return tr3_model_loop_fail(model, i, TR_ERROR_RANGE, "there is no link or body \"%.60s\"",
                                           ends[end] != NULL ? ends[end] : "");
        }
        status = close_loop(model, i, &parts[found[0]], &parts[found[1]], pose);
    }
    return status;
}

#endif
