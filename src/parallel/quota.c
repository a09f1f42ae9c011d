#include "parallel/quota.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* reads a decimal number without sign, before white space or the end; returns the position after it, or null */
static const char *read_number(const char *text, uint64_t *value)
{
    if (*text < '0' || *text > '9')
        return NULL;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0 || (*end != '\0' && *end != ' ' && *end != '\n'))
        return NULL;
    *value = number;
    return end;
}

static uint32_t processors(uint64_t quota, uint64_t period)
{
    if (period == 0)
        return 0;
    uint64_t whole = quota / period + (quota % period != 0);
    if (whole == 0)
        return 1;
    return whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX;
}

uint32_t tr_quota_v2(const char *cpu_max)
{
    /* without a quota the first word is "max", which is not a number */
    uint64_t quota, period;
    const char *rest = read_number(cpu_max, &quota);
    if (rest == NULL || *rest != ' ' || read_number(rest + 1, &period) == NULL)
        return 0;
    return processors(quota, period);
}

uint32_t tr_quota_v1(const char *quota_us, const char *period_us)
{
    /* without a quota the number is "-1", which has a sign */
    uint64_t quota, period;
    if (read_number(quota_us, &quota) == NULL || read_number(period_us, &period) == NULL)
        return 0;
    return processors(quota, period);
}

/* whether the comma-separated list from `list` to `end` contains the controller "cpu" */
static bool has_cpu(const char *list, const char *end)
{
    while (list < end) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        const char *stop = comma != NULL ? comma : end;
        if (stop - list == 3 && memcmp(list, "cpu", 3) == 0)
            return true;
        list = stop + 1;
    }
    return false;
}

bool tr_cgroup_path(const char *proc_self_cgroup, bool version2, char *path, size_t size)
{
    /* a line is HIERARCHY:CONTROLLERS:PATH; only the path may contain further colons */
    for (const char *line = proc_self_cgroup; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        const char *end = line + length;
        const char *controllers = memchr(line, ':', length);
        const char *colon = controllers == NULL ? NULL : memchr(controllers + 1, ':', (size_t)(end - controllers - 1));
        line = *end == '\n' ? end + 1 : end;
        if (colon == NULL)
            continue;
        bool match = version2 ? colon == controllers + 1 : has_cpu(controllers + 1, colon);
        if (!match)
            continue;
        const char *first = colon + 1;
        while (end > first && end[-1] == '/')
            end--;
        if ((size_t)(end - first) >= size)
            return false;
        memcpy(path, first, (size_t)(end - first));
        path[end - first] = '\0';
        return true;
    }
    return false;
}

bool tr_cgroup_parent(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}
