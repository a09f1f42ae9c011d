/* Loading and saving of scene files: detects the format, reads and writes the disk. */
#define _XOPEN_SOURCE 700

#include "scene/storage.h"

#include <stdlib.h>

tr2_world_def tr2_scene_world_def(const tr2_scene *scene)
{
    tr2_world_def def = tr2_world_def_default();
    def.gravity = scene->gravity;
    def.joint_frequency = scene->joint_frequency;
    def.joint_damping_ratio = scene->joint_damping_ratio;
    def.method = scene->method;
    def.sweeps = scene->sweeps;
    def.direct_load = scene->direct_load;
    def.length_unit = scene->length_unit;
    return def;
}

#ifdef TR_WITH_SCENES

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stream.h"
#include "scene/json_read.h"

/* our own format names itself; others are recognised by keys that every such file has */
static tr_status read_by_content(tr2_reader *reader, json_t *root)
{
    tr2_cursor at = tr2_json_root(root);
    tr_status status = tr2_json_want_object(reader, &at);
    if (status != TR_OK)
        return status;
    if (json_object_get(root, "trammel") != NULL)
        return tr2_read_own(reader, &at);
    if (json_object_get(root, "metaworld") != NULL)
        return tr2_json_fail(reader, &at, "this is a project of the R.U.B.E. editor; export it as JSON (File, Export)");
    if (json_object_get(root, "body") == NULL && json_object_get(root, "gravity") == NULL)
        return tr2_json_fail(reader, &at,
                             "expected a scene: an object with \"trammel\" (our format) or \"body\" (R.U.B.E. JSON)");
    return tr2_read_rube(reader, &at);
}

static tr_status parse_document(const char *text, size_t size, const char *label, json_t **out, tr_error *error)
{
    /* editors on Windows put a byte order mark first */
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    json_error_t where;
    *out = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (*out != NULL)
        return TR_OK;
    /* jansson's message is empty when it has no memory; a lexer error always has a message */
    if (json_error_code(&where) == json_error_out_of_memory || where.text[0] == '\0')
        return tr2_scene_fail(error, TR_ERROR_MEMORY, "%.100s: not enough memory", label);
    return tr2_scene_fail(error, TR_ERROR_PARSE, "%.60s:%d:%d: %s", label, where.line, where.column, where.text);
}

tr_status tr2_scene_parse(const char *text, size_t size, const char *label, tr2_scene **out, tr_error *error)
{
    if (out == NULL || (text == NULL && size > 0))
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_parse: `text` and `out` must not be null");
    label = label != NULL ? label : "scene";
    json_t *root = NULL;
    tr_status status = parse_document(size > 0 ? text : "", size, label, &root, error);
    if (status != TR_OK)
        return status;

    tr2_builder builder;
    status = tr2_builder_start(&builder, json_object_get(root, "trammel") != NULL ? "trammel" : "rube", error);
    if (status == TR_OK) {
        tr2_reader reader = {.builder = &builder, .error = error, .label = label};
        status = read_by_content(&reader, root);
        if (status == TR_OK && builder.scene->shape_count > 0 && !builder.scene->collide)
            status = tr2_builder_notice(&builder, error, "%s", tr2_scene_no_collision);
        if (status == TR_OK)
            *out = tr2_builder_take(&builder);
        else
            tr2_builder_drop(&builder);
    }
    json_decref(root);
    return status;
}

/* reads the whole file; release *out with free() */
static tr_status read_file(const char *path, char **out, size_t *size, tr_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tr2_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be opened: %s", path, strerror(errno));
    tr_status status = tr_read_stream(file, out, size);
    if (status == TR_ERROR_MEMORY)
        (void)tr2_scene_fail(error, status, "%.120s: not enough memory to read it", path);
    else if (status != TR_OK)
        (void)tr2_scene_fail(error, status, "%.120s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return status;
}

tr_status tr2_scene_load(const char *path, tr2_scene **out, tr_error *error)
{
    if (path == NULL || out == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_load: `path` and `out` must not be null");
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = read_file(path, &bytes, &size, error);
    if (status == TR_OK)
        status = tr2_scene_parse(bytes, size, path, out, error);
    free(bytes);
    return status;
}

static tr_status write_bytes(FILE *file, const char *path, const char *bytes, size_t size, tr_error *error)
{
    bool good = fwrite(bytes, 1, size, file) == size;
    /* a full disk may be reported only when the file is closed */
    good = fclose(file) == 0 && good;
    return good ? TR_OK : tr2_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be written: %s", path, strerror(errno));
}

/* creates a new file next to `path` with an unused name; null on failure, with errno set */
static FILE *open_beside(const char *path, char *name, size_t size)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(name, size, "%s.%02u.tmp", path, attempt);
        if (length < 0 || (size_t)length >= size)
            return NULL;
        FILE *file = fopen(name, "wbx");
        if (file != NULL || errno != EEXIST)
            return file;
    }
    return NULL;
}

/* writes a temporary file and renames it over `path`, so that a failure leaves the old file intact */
static tr_status replace_file(const char *path, const char *bytes, size_t size, tr_error *error)
{
    size_t room = strlen(path) + 16;
    char *name = malloc(room);
    if (name == NULL)
        return tr2_scene_fail(error, TR_ERROR_MEMORY, "%.120s: not enough memory to write it", path);
    FILE *file = open_beside(path, name, room);
    tr_status status = TR_OK;
    if (file == NULL)
        status = tr2_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be written: %s", path, strerror(errno));
    else {
        status = write_bytes(file, path, bytes, size, error);
        if (status == TR_OK && rename(name, path) != 0)
            status = tr2_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be replaced: %s", path, strerror(errno));
        if (status != TR_OK)
            remove(name);
    }
    free(name);
    return status;
}

tr_status tr2_scene_save(const tr2_scene *scene, const char *path, tr_error *error)
{
    if (scene == NULL || path == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_save: `scene` and `path` must not be null");
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr2_scene_write(scene, &bytes, &size, error);
    if (status != TR_OK)
        return status;
    /* write into a device or a pipe instead of replacing it; behind a symbolic link, replace the file that it names */
    struct stat information;
    bool exists = stat(path, &information) == 0;
    if (exists && !S_ISREG(information.st_mode)) {
        FILE *file = fopen(path, "wb");
        status = file != NULL
                     ? write_bytes(file, path, bytes, size, error)
                     : tr2_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be opened: %s", path, strerror(errno));
    } else {
        char *target = exists ? realpath(path, NULL) : NULL;
        status = replace_file(target != NULL ? target : path, bytes, size, error);
        free(target);
    }
    free(bytes);
    return status;
}

#else

static tr_status unsupported(tr_error *error)
{
    return tr2_scene_fail(error, TR_ERROR_UNSUPPORTED,
                          "this build of Trammel reads and writes no scene files "
                          "(TRAMMEL_WITH_SCENES was off)");
}

tr_status tr2_scene_parse(const char *text, size_t size, const char *label, tr2_scene **out, tr_error *error)
{
    (void)text;
    (void)size;
    (void)label;
    (void)out;
    return unsupported(error);
}

tr_status tr2_scene_load(const char *path, tr2_scene **out, tr_error *error)
{
    (void)path;
    (void)out;
    return unsupported(error);
}

tr_status tr2_scene_write(const tr2_scene *scene, char **out, size_t *size, tr_error *error)
{
    (void)scene;
    (void)out;
    (void)size;
    return unsupported(error);
}

tr_status tr2_scene_save(const tr2_scene *scene, const char *path, tr_error *error)
{
    (void)scene;
    (void)path;
    return unsupported(error);
}

#endif
