/*
 * Deltas of snapshots: what of a snapshot differs from another one, its base. While a world has the same bodies, joints
 * and contacts, about a third of its snapshot changes from step to step, so a ring of deltas is a third of the size of a
 * ring of snapshots; docs/snapshots.md has measurements. Bytes are compared in blocks of 64 at the same place, of any two
 * snapshots of either dimension. Neither call allocates.
 */
#ifndef TRAMMEL_DELTA_H
#define TRAMMEL_DELTA_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes that a delta to a snapshot of `size` bytes takes at most: a little more than the snapshot. */
TR_API size_t tr_delta_bound(size_t size);

/*
 * Writes to `memory`, which has room for `capacity` bytes and may be overwritten on failure, what of `snapshot` (`size`
 * bytes) differs from `base`; *delta_size receives the bytes used. Only with this base the snapshot can be had back: keep
 * it. `error` may be null. TR_ERROR_NULL; TR_ERROR_RANGE: the capacity is too small, or the base is (64 bytes at least).
 */
TR_API tr_status tr_delta_make(const void *base, size_t base_size, const void *snapshot, size_t size, void *memory,
                               size_t capacity, size_t *delta_size, tr_error *error);

/* The bytes of the snapshot that a delta leads to; 0: it is no delta. */
TR_API size_t tr_delta_target_size(const void *delta, size_t delta_size);

/*
 * Writes the snapshot that a delta was made of to `memory`, which must not be that of base or delta and may be
 * overwritten on failure; *size receives its bytes, tr_delta_target_size(). Whether they are those of a snapshot,
 * tr2_world_restore() checks, by its checksum. `error` may be null.
 * TR_ERROR_NULL; TR_ERROR_RANGE: the capacity is too small; TR_ERROR_PARSE: it is no delta, is damaged, or is of another
 * base.
 */
TR_API tr_status tr_delta_apply(const void *base, size_t base_size, const void *delta, size_t delta_size, void *memory,
                                size_t capacity, size_t *size, tr_error *error);

#ifdef __cplusplus
}
#endif

#endif
