/* Scenes of either dimension. */
#include "trammel/scene3.h"

#include <stdlib.h>

#include "scene/common.h"
#include "scene/files.h"

#ifdef TR_WITH_SCENES

#include "scene/read.h"
#include "scene/xml.h"

/* `from_file`: `label` is its path */
static tr_status parse(const char *text, size_t size, const char *label, bool from_file, tr2_scene **plane,
                       tr3_scene **space, tr_error *error)
{
    tr2_scene *flat = NULL;
    tr3_scene *solid = NULL;
    if (tr_xml_is_meant(text, size, label)) {
        tr_status status = tr3_read_xml(text, size, label, from_file, &solid, error);
        if (status == TR_OK) {
            *plane = NULL;
            *space = solid;
        }
        return status;
    }
    json_t *root = NULL;
    tr_status status = tr_parse_document(size > 0 ? text : "", size, label, &root, error);
    if (status != TR_OK)
        return status;
    json_t *dimension = json_object_get(root, "trammel") != NULL ? json_object_get(root, "dimension") : NULL;
    if (json_is_number(dimension) && json_number_value(dimension) == 3.0)
        status = tr3_scene_read(root, label, &solid, error);
    else
        status = tr2_scene_read(root, label, &flat, error);
    json_decref(root);
    if (status == TR_OK) {
        *plane = flat;
        *space = solid;
    }
    return status;
}

tr_status tr_scene_parse(const char *text, size_t size, const char *label, tr2_scene **plane, tr3_scene **space,
                         tr_error *error)
{
    if (plane == NULL || space == NULL || (text == NULL && size > 0))
        return tr_scene_fail(error, TR_ERROR_NULL, "tr_scene_parse: `text`, `plane` and `space` must not be null");
    return parse(text, size, label != NULL ? label : "scene", false, plane, space, error);
}

tr_status tr_scene_load(const char *path, tr2_scene **plane, tr3_scene **space, tr_error *error)
{
    if (path == NULL || plane == NULL || space == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr_scene_load: `path`, `plane` and `space` must not be null");
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_read_file(path, &bytes, &size, error);
    if (status == TR_OK)
        status = parse(bytes, size, path, true, plane, space, error);
    free(bytes);
    return status;
}

#else

tr_status tr_scene_parse(const char *text, size_t size, const char *label, tr2_scene **plane, tr3_scene **space,
                         tr_error *error)
{
    (void)plane;
    (void)space;
    tr2_scene *none = NULL;
    return tr2_scene_parse(text, size, label, &none, error);
}

tr_status tr_scene_load(const char *path, tr2_scene **plane, tr3_scene **space, tr_error *error)
{
    (void)plane;
    (void)space;
    tr2_scene *none = NULL;
    return tr2_scene_load(path, &none, error);
}

#endif
