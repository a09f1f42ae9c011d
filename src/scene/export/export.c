/* Writers of URDF and MJCF: entry. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <stdlib.h>

#include "scene/files.h"

static void sort_shapes(exporter *it)
{
    const tr3_scene *scene = it->scene;
    uint32_t *next = it->first_shape + 1;
    for (uint32_t s = 0; s < scene->shape_count; s++)
        next[scene->shapes[s].body + 1]++;
    for (uint32_t b = 0; b < scene->body_count; b++)
        next[b + 1] += next[b];
    for (uint32_t s = 0; s < scene->shape_count; s++)
        it->shapes[next[scene->shapes[s].body]++] = s;
}

static tr_status write_all(exporter *it)
{
    const size_t bodies = (size_t)it->scene->body_count + 2, joints = (size_t)it->scene->joint_count + 1;
    it->limbs = calloc(bodies, sizeof *it->limbs);
    it->order = calloc(bodies, sizeof *it->order);
    it->limb_of = calloc(joints, sizeof *it->limb_of);
    it->first_part = calloc(joints, sizeof *it->first_part);
    it->first_shape = calloc(bodies, sizeof *it->first_shape);
    it->shapes = calloc((size_t)it->scene->shape_count + 1, sizeof *it->shapes);
    if (it->limbs == NULL || it->order == NULL || it->limb_of == NULL || it->first_part == NULL ||
        it->first_shape == NULL || it->shapes == NULL)
        return tr_scene_fail(it->error, TR_ERROR_MEMORY, "not enough memory to write the scene");
    sort_shapes(it);
    tr_status status = tr3_export_tree(it);
    if (status == TR_OK)
        status = tr3_export_names(it);
    if (status != TR_OK)
        return status;
    tr3_lose_common(it);
    return it->format == TR3_EXPORT_URDF ? tr3_write_urdf(it) : tr3_write_mjcf(it);
}

static void free_names(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count && names != NULL; i++)
        free(names[i]);
    free(names);
}

static void free_all(exporter *it)
{
    free(it->text.bytes);
    free_names(it->link_names, it->link_count + 1);
    free_names(it->part_names, it->part_count);
    free_names(it->shape_names, it->scene->shape_count + 1);
    free(it->limbs);
    free(it->order);
    free(it->limb_of);
    free(it->first_part);
    free(it->first_shape);
    free(it->shapes);
    free(it);
}

tr_status tr3_scene_export_text(const tr3_scene *scene, tr3_export_format format, char **out, size_t *size,
                                char **notices, tr_error *error)
{
    if (scene == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr3_scene_export_text: `scene` and `out` must not be null");
    if ((uint32_t)format >= TR3_EXPORT_FORMAT_COUNT)
        return tr_scene_fail(error, TR_ERROR_RANGE, "there is no format %d", (int)format);
    tr_status status = tr3_export_check(scene, error);
    if (status != TR_OK)
        return status;
    exporter *it = calloc(1, sizeof *it);
    if (it == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to write the scene");
    tr_text said = {NULL, 0, 0, TR_OK};
    it->scene = scene;
    it->format = format;
    it->error = error;
    status = write_all(it);
    if (status == TR_OK && notices != NULL) {
        tr3_export_notices(it, &said);
        if (said.status != TR_OK)
            status = tr_scene_fail(error, said.status, "not enough memory to write the scene");
    }
    if (status == TR_OK) {
        *out = it->text.bytes;
        it->text.bytes = NULL;
        if (size != NULL)
            *size = it->text.size;
        if (notices != NULL)
            *notices = said.bytes;
    } else
        free(said.bytes);
    free_all(it);
    return status;
}

tr_status tr3_scene_export(const tr3_scene *scene, tr3_export_format format, const char *path, char **notices,
                           tr_error *error)
{
    if (scene == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr3_scene_export: `scene` and `path` must not be null");
    char *text = NULL, *said = NULL;
    size_t size = 0;
    tr_status status = tr3_scene_export_text(scene, format, &text, &size, notices != NULL ? &said : NULL, error);
    if (status == TR_OK)
        status = tr_write_file(path, text, size, error);
    free(text);
    if (status == TR_OK && notices != NULL)
        *notices = said;
    else
        free(said);
    return status;
}

#else

static tr_status unsupported(tr_error *error)
{
    return tr_scene_fail(error, TR_ERROR_UNSUPPORTED,
                         "this build of Trammel reads and writes no scene files (TRAMMEL_WITH_SCENES was off)");
}

tr_status tr3_scene_export_text(const tr3_scene *scene, tr3_export_format format, char **out, size_t *size,
                                char **notices, tr_error *error)
{
    (void)scene, (void)format, (void)out, (void)size, (void)notices;
    return unsupported(error);
}

tr_status tr3_scene_export(const tr3_scene *scene, tr3_export_format format, const char *path, char **notices,
                           tr_error *error)
{
    (void)scene, (void)format, (void)path, (void)notices;
    return unsupported(error);
}

#endif
