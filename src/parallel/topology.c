/* for sched_getaffinity and CPU_COUNT, which are specific to Linux */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "parallel/topology.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parallel/quota.h"
#include "trammel/base.h"

#if defined(TR_WITH_HWLOC)
#include <hwloc.h>
#endif

double tr_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void tr_thread_yield(void)
{
    sched_yield();
}

void tr_thread_sleep(uint32_t microseconds)
{
    struct timespec time = {microseconds / 1000000u, (long)(microseconds % 1000000u) * 1000};
    nanosleep(&time, NULL);
}

/* reads a small text file; false if it does not exist or does not fit */
static bool read_text(const char *name, char *text, size_t size)
{
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    size_t length = fread(text, 1, size, file);
    bool whole = length < size && !ferror(file);
    fclose(file);
    if (whole)
        text[length] = '\0';
    return whole;
}

/* reads a control file of a group; `group` is "" or begins with a slash */
static bool read_control(const char *mount, const char *group, const char *control, char *text, size_t size)
{
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s%s/%s", mount, group, control);
    return length > 0 && (size_t)length < sizeof name && read_text(name, text, size);
}

/* The smallest quota of a group and its ancestors, 0 for none. A container may not see its group under the kernel's
   name for it; then the mount's root is its group, and the walk ends there in any case. */
static uint32_t group_quota(char *group, bool version2)
{
    uint32_t tightest = 0;
    do {
        char quota[64], period[64];
        uint32_t allowed = 0;
        if (version2) {
            if (read_control("/sys/fs/cgroup", group, "cpu.max", quota, sizeof quota))
                allowed = tr_quota_v2(quota);
        } else if (read_control("/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us", quota, sizeof quota) &&
                   read_control("/sys/fs/cgroup/cpu", group, "cpu.cfs_period_us", period, sizeof period)) {
            allowed = tr_quota_v1(quota, period);
        }
        if (allowed > 0 && (tightest == 0 || allowed < tightest))
            tightest = allowed;
    } while (tr_cgroup_parent(group));
    return tightest;
}

static uint32_t processor_quota(void)
{
    char groups[8192], group[PATH_MAX];
    if (!read_text("/proc/self/cgroup", groups, sizeof groups))
        return 0;
    uint32_t quota = 0;
    for (int version2 = 0; version2 < 2; version2++) {
        if (!tr_cgroup_path(groups, version2 != 0, group, sizeof group))
            continue;
        uint32_t allowed = group_quota(group, version2 != 0);
        if (allowed > 0 && (quota == 0 || allowed < quota))
            quota = allowed;
    }
    return quota;
}

/* number of cores with at least one hardware thread on which this process may run; 0 if unknown */
static uint32_t bound_cores(void)
{
#if defined(TR_WITH_HWLOC)
    /* hwloc prints errors to the application's stderr, and only the environment, also the application's, can silence
       it: check access first */
    if (access("/sys/devices/system/cpu", R_OK | X_OK) != 0)
        return 0;

    /* look only for cores and hardware threads, which takes a third of the time of a full discovery */
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return 0;
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING |
                          HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
    int cores = 0;
    if (hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) == 0 &&
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
        hwloc_topology_set_flags(topology, flags) == 0 && hwloc_topology_load(topology) == 0)
        cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    hwloc_topology_destroy(topology);
    return cores > 0 ? (uint32_t)cores : 0;
#else
    return 0;
#endif
}

/* number of hardware threads on which this process may run */
static uint32_t bound_threads(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT_MAX ? (uint32_t)online : 1;
}

uint32_t tr_physical_cores(void)
{
    uint32_t cores = bound_cores();
    if (cores == 0)
        cores = bound_threads();

    /* a quota limits time, not cores: with more threads than it pays for, all would be throttled together */
    uint32_t quota = processor_quota();
    if (quota > 0 && quota < cores)
        cores = quota;
    return cores > 0 ? cores : 1;
}
