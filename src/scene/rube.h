/* Internal interface between the two parts of the R.U.B.E. reader. */
#ifndef TR_SCENE_RUBE_H
#define TR_SCENE_RUBE_H

#include "scene/json_read.h"

/* Reads the document's "joint" list; the builder must already have the bodies. */
tr_status tr2_read_rube_joints(tr2_reader *reader, const tr2_cursor *root);

#endif
