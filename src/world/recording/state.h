/*
 * The state of a world, which an archive visits (base/archive.h): all that later steps depend on. Snapshots and the frames
 * of a ring are made of it.
 */
#ifndef TR_WORLD_STATE_H
#define TR_WORLD_STATE_H

#include "world/core/world_internal.h"

/* Visits all of it, for an archive that counts or writes; without notes it does not write to the world. */
void trn_state_visit(trn_world *world, tr_archive *archive);

/*
 * Reads a state into the place of the world's, all or nothing. `from` says where its bytes are, and their parts; `shape` is
 * that of the archive that wrote them. TR_ERROR_MEMORY; TR_ERROR_PARSE: they are no state.
 */
tr_status trn_state_read(trn_world *world, const tr_archive *from, uint64_t shape);

#endif
