/* What is under way, and a progress bar, on a terminal. */
#include "cli/progress.h"

#include <stdarg.h>
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

static bool on_terminal(void)
{
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    return !dumb && isatty(STDERR_FILENO) == 1;
}

static bool line_is_there;

void progress_note(bool wanted, const char *format, ...)
{
    if (!wanted || !on_terminal()) {
        return;
    }
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    cli_clean_text(text);
    fprintf(stderr, "\r%s ...\033[K", text);
    fflush(stderr);
    line_is_there = true;
}

void progress_erase(void)
{
    if (line_is_there) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        line_is_there = false;
    }
}

void progress_begin(progress *p, uint32_t total, bool wanted)
{
    p->shown = wanted && total > 0 && on_terminal();
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
    line_is_there = true;
}

void progress_end(progress *p)
{
    if (p->shown) {
        line_is_there = true;
        progress_erase();
    }
}
