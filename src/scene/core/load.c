/* Loading and saving of scenes: detects the format. */
#include "scene/core/storage.h"

#include <stdlib.h>

trn_world_def trn_scene_world_def(const trn_scene *scene)
{
    trn_world_def def = trn_world_def_default();
    def.gravity = scene->gravity;
    def.joint_frequency = scene->joint_frequency;
    def.joint_damping_ratio = scene->joint_damping_ratio;
    def.method = scene->method;
    def.sweeps = scene->sweeps;
    def.direct_load = scene->direct_load;
    def.length_unit = scene->length_unit;
    def.breaking = scene->breaking;
    def.sleep = scene->sleep;
    return def;
}

#ifdef TR_WITH_SCENES

#include "scene/core/own.h"
#include "scene/files.h"
#include "scene/read.h"
#include "scene/xml.h"

/* our own format names itself */
static tr_status read_by_content(trn_reader *reader, json_t *root)
{
    trn_cursor at = trn_json_root(root);
    tr_status status = trn_json_want_object(reader, &at);
    if (status != TR_OK)
        return status;
    return json_object_get(root, "trammel") != NULL ? trn_read_own(reader, &at) : trn_read_other(reader, &at);
}

tr_status trn_scene_read(json_t *root, const char *label, trn_scene **out, tr_error *error)
{
    trn_builder builder;
    tr_status status = trn_builder_start(
        &builder, json_object_get(root, "trammel") != NULL ? "trammel" : TRN_SCENE_OTHER_FORMAT, error);
    if (status != TR_OK)
        return status;
    trn_reader reader = {.builder = &builder, .error = error, .label = label};
    status = read_by_content(&reader, root);
    if (status == TR_OK)
        status = trn_read_remarks(&builder, error);
    if (status == TR_OK)
        *out = trn_builder_take(&builder);
    else
        trn_builder_drop(&builder);
    return status;
}

/* `from_file`: `label` is its path */
static tr_status parse(const char *text, size_t size, const char *label, bool from_file, trn_scene **out,
                       tr_error *error)
{
    if (tr_xml_is_meant(text, size, label))
        return trn_read_xml(text, size, label, from_file, out, error);
    json_t *root = NULL;
    tr_status status = tr_parse_document(size > 0 ? text : "", size, label, &root, error);
    if (status == TR_OK)
        status = trn_scene_read(root, label, out, error);
    json_decref(root);
    return status;
}

tr_status trn_scene_parse(const char *text, size_t size, const char *label, trn_scene **out, tr_error *error)
{
    if (out == NULL || (text == NULL && size > 0))
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `text` and `out` must not be null", __func__);
    return parse(text, size, label != NULL ? label : "scene", false, out, error);
}

tr_status trn_scene_load(const char *path, trn_scene **out, tr_error *error)
{
    if (path == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `path` and `out` must not be null", __func__);
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_read_file(path, &bytes, &size, error);
    if (status == TR_OK)
        status = parse(bytes, size, path, true, out, error);
    free(bytes);
    return status;
}

tr_status trn_scene_save(const trn_scene *scene, const char *path, tr_error *error)
{
    if (scene == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `scene` and `path` must not be null", __func__);
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = trn_scene_write(scene, &bytes, &size, error);
    if (status == TR_OK)
        status = tr_write_file(path, bytes, size, error);
    free(bytes);
    return status;
}

#else

static tr_status unsupported(tr_error *error)
{
    return tr_scene_fail(error, TR_ERROR_UNSUPPORTED,
                         "this build of Trammel reads and writes no scene files "
                         "(TRAMMEL_WITH_SCENES was off)");
}

tr_status trn_scene_parse(const char *text, size_t size, const char *label, trn_scene **out, tr_error *error)
{
    (void)text;
    (void)size;
    (void)label;
    (void)out;
    return unsupported(error);
}

tr_status trn_scene_load(const char *path, trn_scene **out, tr_error *error)
{
    (void)path;
    (void)out;
    return unsupported(error);
}

tr_status trn_scene_write(const trn_scene *scene, char **out, size_t *size, tr_error *error)
{
    (void)scene;
    (void)out;
    (void)size;
    return unsupported(error);
}

tr_status trn_scene_save(const trn_scene *scene, const char *path, tr_error *error)
{
    (void)scene;
    (void)path;
    return unsupported(error);
}

#endif
