/*
 * What the files of Linux control groups say about processor time. Pure functions on text: topology.c reads the files.
 */
#ifndef TR_PARALLEL_QUOTA_H
#define TR_PARALLEL_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whole processors that a quota of `cpu.max` ("150000 100000": 2) or the pair `cpu.cfs_quota_us`, `cpu.cfs_period_us`
   allows, rounded up, at least 1. 0: no quota, or text that does not say one. */
uint32_t tr_quota_v2(const char *cpu_max);
uint32_t tr_quota_v1(const char *quota_us, const char *period_us);

/*
 * The group of this process out of the text of /proc/self/cgroup, without a slash at its end ("" for the root). Version
 * 2 is the line "0::PATH", version 1 the line whose list of controllers has "cpu". False: no such line, or it does not
 * fit.
 */
bool tr_cgroup_path(const char *proc_self_cgroup, bool version2, char *path, size_t size);

/* Cuts the last part off a path of tr_cgroup_path. False: it was the root. */
bool tr_cgroup_parent(char *path);

#endif
