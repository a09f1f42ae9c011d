/* Logs of calls in files (trammel/recording.h). */
#include <errno.h>
#include <string.h>

#include "base/log_file.h"
#include "scene/common.h"
#include "scene/core/storage.h"
#include "trammel/recording.h"

#ifdef TR_WITH_SCENES

tr_status trn_world_record_file(trn_world *world, const char *path, tr_error *error)
{
    if (world == NULL || path == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "world_record_file: %s is null", world == NULL ? "world" : "path");
    if (trn_world_is_recording(world))
        return tr_scene_fail(error, TR_ERROR_RANGE, "%.120s: the world is recorded already", path);
    tr_sink sink;
    if (!tr_log_file_open(path, &sink))
        return tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be made: %s", path, strerror(errno));
    tr_status status = trn_world_record(world, &sink);
    if (status == TR_OK)
        return TR_OK;
    sink.close(sink.context);
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
