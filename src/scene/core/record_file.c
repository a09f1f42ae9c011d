/* Logs of calls in files (trammel/recording.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scene/common.h"
#include "scene/core/storage.h"
#include "trammel/recording.h"

#ifdef TR_WITH_SCENES

static bool write_to(const void *bytes, size_t size, void *context)
{
    return fwrite(bytes, 1, size, context) == size;
}

static void close_file(void *context)
{
    fclose(context);
}

tr_status trn_world_record_file(trn_world *world, const char *path, tr_error *error)
{
    if (world == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "world_record_file: %s is null", world == NULL ? "world" : "path");
    if (trn_world_is_recording(world))
        return tr_scene_fail(error, TR_ERROR_RANGE, "%.120s: the world is recorded already", path);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be opened: %s", path, strerror(errno));
    /* a chunk is written when it is there, not when a buffer is full: the program may crash in the step that follows */
    setvbuf(file, NULL, _IONBF, 0);
    const tr_sink sink = {write_to, close_file, file};
    tr_status status = trn_world_record(world, &sink);
    if (status == TR_OK)
        return TR_OK;
    fclose(file);
    return tr_scene_fail(error, status, "%.80s: %.160s", path, trn_world_last_error(world)->message);
}

#else

tr_status trn_world_record_file(trn_world *world, const char *path, tr_error *error)
{
    (void)world;
    (void)path;
    return tr_scene_fail(error, TR_ERROR_UNSUPPORTED, "this library was built without scene files");
}

#endif
