/* A progress bar on a terminal. */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define INTERVAL  0.1

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, uint32_t total, bool wanted)
{
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    p->shown = wanted && total > 0 && !dumb && isatty(STDERR_FILENO) == 1;
    p->total = total;
    p->begun = p->drawn = progress_clock();
}

void progress_update(progress *p, uint32_t done)
{
    if (!p->shown) {
        return;
    }
    double now = progress_clock();
    if (now - p->drawn < INTERVAL) {
        return;
    }
    p->drawn = now;

    char bar[BAR_WIDTH + 1];
    uint32_t filled = (uint32_t)((uint64_t)BAR_WIDTH * done / p->total);
    for (uint32_t i = 0; i < BAR_WIDTH; ++i) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[BAR_WIDTH] = 0;

    double per_step = done > 0 ? (now - p->begun) / done : 0.0;
    fprintf(stderr, "\r[%s] %3u %%  step %u of %u  %.3g ms each  %.0f s left \033[K", bar,
            (unsigned)(100ull * done / p->total), done, p->total, 1e3 * per_step, per_step * (p->total - done));
    fflush(stderr);
}

void progress_end(progress *p)
{
    if (p->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
