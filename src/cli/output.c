/* Output files that are written completely or not at all. */
#include "cli/output.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *path, const char *end)
{
    size_t path_length = strlen(path), end_length = strlen(end);
    return path_length > end_length && strcasecmp(path + path_length - end_length, end) == 0;
}

output_kind output_kind_of(const char *path)
{
    static const struct {
        const char *end;
        output_kind kind;
    } kinds[] = {{".anim.svg", OUTPUT_ANIMATED},
                 {".svg", OUTPUT_SVG},
                 {".png", OUTPUT_PNG},
                 {".csv", OUTPUT_CSV},
                 {".npy", OUTPUT_NPY}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (ends_in(path, kinds[i].end)) {
            return kinds[i].kind;
        }
    }
    return OUTPUT_UNKNOWN;
}

static bool fail(output *o, const char *reason)
{
    cli_fail("%s: %s", o->path, reason);
    output_discard(o);
    return false;
}

/* the absolute path of a file that does not exist yet, with links in its folder resolved; null with errno set */
static char *path_in_real_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char *folder = slash == NULL ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    if (real == NULL) {
        return NULL;
    }
    size_t size = strlen(real) + strlen(name) + 2;
    char *joined = malloc(size);
    if (joined != NULL) {
        snprintf(joined, size, "%s%s%s", real, strcmp(real, "/") == 0 ? "" : "/", name);
    }
    free(real);
    return joined;
}

bool output_resolve(output *o)
{
    /* follow a link, so that it stays a link; refuse anything but a regular file */
    struct stat status;
    bool exists = stat(o->path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        return fail(o, S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file");
    }
    o->target = exists ? realpath(o->path, NULL) : path_in_real_folder(o->path);
    return o->target != NULL || fail(o, strerror(errno));
}

bool output_open(output *o)
{
    struct stat status;
    bool exists = stat(o->target, &status) == 0;
    if (exists && access(o->target, W_OK) != 0) {
        return fail(o, strerror(errno));
    }

    size_t size = strlen(o->target) + sizeof ".XXXXXX";
    o->temporary = malloc(size);
    if (o->temporary == NULL) {
        return fail(o, "out of memory");
    }
    snprintf(o->temporary, size, "%s.XXXXXX", o->target);
    int descriptor = mkstemp(o->temporary);
    if (descriptor < 0) {
        int reason = errno;
        free(o->temporary);
        o->temporary = NULL;
        return fail(o, strerror(reason));
    }

    /* mkstemp makes private files; give the result the permissions that open() would have given */
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = exists ? (status.st_mode & 0777) : (0666 & ~mask);
    if (fchmod(descriptor, mode) != 0 || (o->stream = fdopen(descriptor, "wb")) == NULL) {
        int reason = errno;
        close(descriptor);
        return fail(o, strerror(reason));
    }
    return true;
}

bool output_commit(output *o)
{
    errno = 0;
    bool written = fflush(o->stream) == 0 && !ferror(o->stream);
    int reason = errno;
    if (fclose(o->stream) != 0 && written) {
        written = false;
        reason = errno;
    }
    o->stream = NULL;
    if (!written) {
        return fail(o, reason != 0 ? strerror(reason) : "cannot be written");
    }
    if (rename(o->temporary, o->target) != 0) {
        return fail(o, strerror(errno));
    }
    free(o->temporary);
    o->temporary = NULL;
    output_discard(o);
    return true;
}

void output_discard(output *o)
{
    if (o->stream != NULL) {
        fclose(o->stream);
        o->stream = NULL;
    }
    if (o->temporary != NULL) {
        unlink(o->temporary);
        free(o->temporary);
        o->temporary = NULL;
    }
    free(o->target);
    o->target = NULL;
}
