/* Snapshots of worlds in files. */
#include <stdlib.h>

#include "scene/common.h"
#include "scene/core/storage.h"
#include "scene/files.h"

#ifdef TR_WITH_SCENES

/* writes the world's own message, behind the name of the file if there is one */
static tr_status pass_on(const trn_world *world, tr_status status, const char *path, tr_error *error)
{
    const char *message = world != NULL ? trn_world_last_error(world)->message : "the world is null";
    return path != NULL ? tr_scene_fail(error, status, "%.80s: %.160s", path, message)
                        : tr_scene_fail(error, status, "%.200s", message);
}

tr_status trn_world_save_file(const trn_world *world, const char *path, tr_error *error)
{
    if (world == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "world_save_file: %s is null", world == NULL ? "world" : "path");
    size_t size = trn_world_save_size(world);
    char *bytes = malloc(size);
    if (bytes == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "%.120s: not enough memory to write it", path);
    tr_status status = trn_world_save(world, bytes, size, &size);
    status = status == TR_OK ? tr_write_file(path, bytes, size, error) : pass_on(world, status, NULL, error);
    free(bytes);
    return status;
}

tr_status trn_world_restore_file(trn_world *world, const char *path, tr_error *error)
{
    if (world == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "world_restore_file: %s is null", world == NULL ? "world" : "path");
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_read_file(path, &bytes, &size, error);
    if (status != TR_OK)
        return status;
    status = trn_world_restore(world, bytes, size);
    free(bytes);
    return status == TR_OK ? TR_OK : pass_on(world, status, path, error);
}

#else

static tr_status unsupported(tr_error *error)
{
    return tr_scene_fail(error, TR_ERROR_UNSUPPORTED, "this library was built without scene files");
}

tr_status trn_world_save_file(const trn_world *world, const char *path, tr_error *error)
{
    (void)world;
    (void)path;
    return unsupported(error);
}

tr_status trn_world_restore_file(trn_world *world, const char *path, tr_error *error)
{
    (void)world;
    (void)path;
    return unsupported(error);
}

#endif
