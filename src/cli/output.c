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
    struct stat status;
    if (stat(real, &status) == 0 && !S_ISDIR(status.st_mode)) {
        free(real);
        errno = ENOTDIR;
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

/* creates an empty file beside `target` with a name of its own; -1 with errno set. Free *name. */
static int open_beside(const char *target, char **name)
{
    size_t size = strlen(target) + sizeof ".XXXXXX";
    *name = malloc(size);
    if (*name == NULL) {
        return -1;
    }
    snprintf(*name, size, "%s.XXXXXX", target);
    int descriptor = mkstemp(*name);
    if (descriptor < 0) {
        int reason = errno;
        free(*name);
        *name = NULL;
        errno = reason;
    }
    return descriptor;
}

/* what is in the way of a file whose folder cannot be resolved, given errno */
static void fail_folder(const char *path, int reason)
{
    const char *slash = strrchr(path, '/');
    int length = slash != NULL && slash > path ? (int)(slash - path) : 1;
    if (slash == NULL) {
        cli_fail("%s: %s", path, strerror(reason));
    } else if (reason == ENOENT) {
        cli_fail("%s: there is no folder '%.*s'", path, length, path);
    } else if (reason == ENOTDIR) {
        cli_fail("%s: '%.*s' is not a folder", path, length, path);
    } else {
        cli_fail("%s: the folder '%.*s': %s", path, length, path, strerror(reason));
    }
}

/* the path of a regular file, there or not, with links resolved; null with a message */
static char *resolve(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash != NULL && slash[1] == 0) {
        cli_fail("%s: is the name of a folder", path);
        return NULL;
    }
    char *target = access(path, F_OK) == 0 ? realpath(path, NULL) : path_in_real_folder(path);
    if (target == NULL) {
        fail_folder(path, errno);
    }
    return target;
}

/* tries what will be done after the computation */
static bool try_file(const char *path, const char *target)
{
    if (access(target, F_OK) == 0 && access(target, W_OK) != 0) {
        cli_fail("%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    char *name = NULL;
    int descriptor = open_beside(target, &name);
    if (descriptor < 0) {
        cli_fail("%s: no file can be made in its folder: %s", path, strerror(errno));
        return false;
    }
    close(descriptor);
    unlink(name);
    free(name);
    return true;
}

bool output_check(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        bool writable = !S_ISDIR(status.st_mode) && access(path, W_OK) == 0;
        if (!writable) {
            cli_fail("%s: %s", path, S_ISDIR(status.st_mode) ? "is a directory" : "cannot be written");
        }
        return writable;
    }
    char *target = resolve(path);
    bool good = target != NULL && try_file(path, target);
    free(target);
    return good;
}

bool output_resolve(output *o)
{
    /* follow a link, so that it stays a link; refuse anything but a regular file */
    struct stat status;
    if (stat(o->path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return fail(o, S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file");
    }
    o->target = resolve(o->path);
    if (o->target != NULL && !try_file(o->path, o->target)) {
        output_discard(o);
    }
    return o->target != NULL;
}

bool output_open(output *o)
{
    struct stat status;
    bool exists = stat(o->target, &status) == 0;
    int descriptor = open_beside(o->target, &o->temporary);
    if (descriptor < 0) {
        return fail(o, strerror(errno));
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
