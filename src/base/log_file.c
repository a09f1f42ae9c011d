#include "base/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

/* the log's header and the journal: large enough that the calls of the system do not count, and no larger than a cache */
#define JOURNAL ((size_t)256 << 10)

typedef struct log_file {
    int file;
    unsigned char *journal; /* the first bytes of the file; null: there is none */
    size_t used;            /* of these: the header, and chunks that are not behind them yet */
    bool begun;             /* the header is written */
    bool failed;            /* a part of something may be at the end: nothing may follow it */
} log_file;

static bool write_all(log_file *it, const unsigned char *bytes, size_t size)
{
    while (size > 0 && !it->failed) {
        ssize_t done = write(it->file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        it->failed = done <= 0;
        if (it->failed)
            break;
        bytes += done;
        size -= (size_t)done;
    }
    return !it->failed;
}

/* writes the chunks of the journal behind what there is; it still has them if that fails */
static bool empty(log_file *it)
{
    const size_t begin = sizeof(tr_log_header);
    if (it->used <= begin)
        return !it->failed;
    if (!write_all(it, it->journal + begin, it->used - begin))
        return false;
    it->used = begin;
    return true;
}

static bool begin(log_file *it, const void *bytes, size_t size)
{
    tr_log_header header;
    it->begun = true;
    if (it->journal == NULL || size != sizeof header)
        return write_all(it, bytes, size);
    memcpy(&header, bytes, sizeof header);
    tr_log_header_move(&header, JOURNAL);
    memcpy(it->journal, &header, sizeof header);
    it->used = sizeof header;
    return true;
}

/* one chunk, the bytes of its header last: one that is not there as a whole is no chunk */
static void keep(log_file *it, const unsigned char *bytes, size_t size)
{
    unsigned char *at = it->journal + it->used;
    memcpy(at + sizeof(tr_log_chunk), bytes + sizeof(tr_log_chunk), size - sizeof(tr_log_chunk));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memcpy(at, bytes, sizeof(tr_log_chunk));
    it->used += size;
}

static bool write_chunk(const void *bytes, size_t size, void *context)
{
    log_file *it = context;
    if (!it->begun)
        return begin(it, bytes, size);
    bool fits = it->journal != NULL && size <= JOURNAL - it->used;
    if (it->journal != NULL && !fits) {
        if (!empty(it))
            return false;
        fits = size <= JOURNAL - it->used;
    }
    if (!fits)
        return write_all(it, bytes, size);
    keep(it, bytes, size);
    return true;
}

static void close_file(void *context)
{
    log_file *it = context;
    if (it->journal != NULL) {
        /* on a disk that is full the last chunks remain where they are */
        if (empty(it))
            memset(it->journal + sizeof(tr_log_header), 0, JOURNAL - sizeof(tr_log_header));
        munmap(it->journal, JOURNAL);
    }
    close(it->file);
    free(it);
}

/* Zeros that are written have their place on the disk: later stores do not find it full. False: errno. */
static bool make_journal(log_file *it)
{
    struct stat about;
    static const unsigned char zeros[4096];
    if (fstat(it->file, &about) != 0 || !S_ISREG(about.st_mode))
        return true;
    for (size_t at = 0; at < JOURNAL; at += sizeof zeros) {
        if (!write_all(it, zeros, sizeof zeros))
            return false;
    }
    void *journal = mmap(NULL, JOURNAL, PROT_READ | PROT_WRITE, MAP_SHARED, it->file, 0);
    if (journal != MAP_FAILED) {
        it->journal = journal;
        memset(journal, 0, JOURNAL); /* its pages are there before the first step */
        return true;
    }
    /* not every file can be mapped */
    return ftruncate(it->file, 0) == 0 && lseek(it->file, 0, SEEK_SET) == 0;
}

bool tr_log_file_open(const char *path, tr_sink *out)
{
    const int flags = O_CREAT | O_TRUNC | O_CLOEXEC;
    struct stat about;
    log_file *it = calloc(1, sizeof *it);
    if (it == NULL)
        return false;
    bool is_file = stat(path, &about) != 0 || S_ISREG(about.st_mode);
    /* a program may still record into the file that is there, which must not be cut off where it is mapped */
    if (lstat(path, &about) == 0 && S_ISREG(about.st_mode))
        (void)unlink(path);
    it->file = is_file ? open(path, O_RDWR | flags, 0666) : -1;
    if (it->file < 0)
        it->file = open(path, O_WRONLY | flags, 0666);
    bool done = it->file >= 0 && make_journal(it);
    if (!done) {
        int reason = errno;
        if (it->file >= 0)
            close(it->file);
        free(it);
        errno = reason;
        return false;
    }
    *out = (tr_sink){write_chunk, close_file, it};
    return true;
}
