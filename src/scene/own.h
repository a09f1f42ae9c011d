/* Internal interface between the parts of the reader and of the writer of Trammel's own format. */
#ifndef TR_SCENE_OWN_H
#define TR_SCENE_OWN_H

#include "scene/json_read.h"
#include "scene/line.h"

/* Reads the document's "joints"; the builder must already have the bodies. */
tr_status tr2_read_own_joints(tr2_reader *reader, const tr2_cursor *root);

/* Writes an element of the document's "joints". */
void tr2_write_own_joint(tr_text *text, const tr2_scene_joint *joint);

#endif
