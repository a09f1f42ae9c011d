/* Parses the processor quotas of Linux control groups. Pure functions on text; topology.c reads the files. */
#ifndef TR_PARALLEL_QUOTA_H
#define TR_PARALLEL_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of processors, rounded up and at least 1, that a quota allows: from `cpu.max` ("150000 100000": 2), or
   from `cpu.cfs_quota_us` and `cpu.cfs_period_us`. 0 if there is no quota or the text is invalid. */
uint32_t tr_quota_v2(const char *cpu_max);
uint32_t tr_quota_v1(const char *quota_us, const char *period_us);

/*
 * Extracts this process's group from the text of /proc/self/cgroup, without a trailing slash ("" for the root). For
 * version 2 it is on the line "0::PATH", for version 1 on the line whose controllers include "cpu". False if there is
 * no such line, or the path does not fit.
 */
bool tr_cgroup_path(const char *proc_self_cgroup, bool version2, char *path, size_t size);

/* Removes the last component of a path from tr_cgroup_path(). False if it was the root. */
bool tr_cgroup_parent(char *path);

#endif
