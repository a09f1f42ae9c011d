/* URDF and MJCF: finds the format, and hands out the scene. */
#include "scene/core/storage.h"

tr3_import_options tr3_import_options_default(void)
{
    return (tr3_import_options){0};
}

#ifdef TR_WITH_XML

#include <stdlib.h>

#include "scene/files.h"
#include "scene/read.h"
#include "scene/space/model.h"

static tr_status check_options(const tr3_import_options *options, tr_error *error)
{
    if (options->loop_count > 0 && options->loops == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr3_scene_import: `loops` must not be null");
    return TR_OK;
}

/* by the name of the root */
static tr_status read_document(tr3_model *model, tr3_scene **out)
{
    const bool urdf = tr_xml_is(model->xml, 0, "robot"), mjcf = tr_xml_is(model->xml, 0, "mujoco");
    if (!urdf && !mjcf)
        return tr3_model_fail(model, 0, NULL, "expected <robot> (URDF) or <mujoco> (MJCF)");
    tr_status status = tr3_builder_start(model->builder, urdf ? "urdf" : "mjcf", model->error);
    if (status != TR_OK)
        return status;
    status = tr3_model_take_loops(model);
    if (status == TR_OK)
        status = urdf ? tr3_read_urdf(model) : tr3_read_mjcf(model);
    if (status == TR_OK)
        status = tr3_model_give_notices(model);
    if (status == TR_OK)
        *out = tr3_builder_take(model->builder);
    else
        tr3_builder_drop(model->builder);
    tr3_model_drop_loops(model);
    return status;
}

static tr_status read_robot(const char *text, size_t size, const char *label, bool from_file,
                            const tr3_import_options *options, tr3_scene **out, tr_error *error)
{
    const tr3_import_options defaults = tr3_import_options_default();
    options = options != NULL ? options : &defaults;
    tr_status status = check_options(options, error);
    if (status == TR_OK && !tr_xml_begins(text, size))
        status = tr_scene_fail(error, TR_ERROR_PARSE, "%.80s: is %s: expected URDF or MJCF", label,
                               size == 0 ? "empty" : "no XML");
    if (status != TR_OK)
        return status;
    tr_xml xml;
    tr3_builder builder;
    tr3_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for the scene");
    *model = (tr3_model){.builder = &builder, .error = error, .xml = &xml, .options = options};
    status = tr_xml_parse(text, size, label, (tr_xml_includes){"mujoco", "include", from_file}, &xml, error);
    if (status == TR_OK)
        status = read_document(model, out);
    tr_xml_free(&xml);
    free(model);
    return status;
}

tr_status tr3_read_xml(const char *text, size_t size, const char *label, bool from_file, tr3_scene **out,
                       tr_error *error)
{
    return read_robot(text, size, label, from_file, NULL, out, error);
}

tr_status tr3_scene_import_text(const char *text, size_t size, const char *label, const tr3_import_options *options,
                                tr3_scene **out, tr_error *error)
{
    if (out == NULL || (text == NULL && size > 0))
        return tr_scene_fail(error, TR_ERROR_NULL, "tr3_scene_import_text: `text` and `out` must not be null");
    return read_robot(size > 0 ? text : "", size, label != NULL ? label : "scene", false, options, out, error);
}

tr_status tr3_scene_import(const char *path, const tr3_import_options *options, tr3_scene **out, tr_error *error)
{
    if (path == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr3_scene_import: `path` and `out` must not be null");
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_read_file(path, &bytes, &size, error);
    if (status == TR_OK)
        status = read_robot(bytes, size, path, true, options, out, error);
    free(bytes);
    return status;
}

#else

static tr_status unsupported(tr_error *error)
{
    return tr_scene_fail(
        error, TR_ERROR_UNSUPPORTED,
        "this build of Trammel reads no URDF and MJCF (TRAMMEL_WITH_XML or TRAMMEL_WITH_SCENES was off)");
}

tr_status tr3_scene_import_text(const char *text, size_t size, const char *label, const tr3_import_options *options,
                                tr3_scene **out, tr_error *error)
{
    (void)text, (void)size, (void)label, (void)options, (void)out;
    return unsupported(error);
}

tr_status tr3_scene_import(const char *path, const tr3_import_options *options, tr3_scene **out, tr_error *error)
{
    (void)path, (void)options, (void)out;
    return unsupported(error);
}

#ifdef TR_WITH_SCENES

#include "scene/read.h"

tr_status tr3_read_xml(const char *text, size_t size, const char *label, bool from_file, tr3_scene **out,
                       tr_error *error)
{
    (void)text, (void)size, (void)label, (void)from_file, (void)out;
    return unsupported(error);
}

#endif

#endif
