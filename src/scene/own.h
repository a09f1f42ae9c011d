/* Internal interface between the two parts of the reader of Trammel's own format. */
#ifndef TR_SCENE_OWN_H
#define TR_SCENE_OWN_H

#include "scene/json_read.h"

/* Reads the document's "joints"; the builder must already have the bodies. */
tr_status tr2_read_own_joints(tr2_reader *reader, const tr2_cursor *root);

#endif
