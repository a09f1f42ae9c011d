/* Internal interface between the readers of the two formats of the plane. */
#ifndef TR_SCENE_RUBE_H
#define TR_SCENE_RUBE_H

#include "scene/core/json_read.h"

/* Reads a whole document. */
tr_status tr2_read_rube(tr2_reader *reader, const tr2_cursor *root);

/* Makes the last shape's polygon counter-clockwise; fails if it has no area; `at`: its vertices, for the message. */
tr_status tr2_read_polygon(const tr2_reader *reader, const tr2_cursor *at);
/* Sets mass, inertia and centre of the body at the cursor. */
tr_status tr2_read_mass(const tr2_reader *reader, const tr2_cursor *at, const tr2_mass *mass, tr2_body_def *def);

/* Reads the document's "joint" list; the builder must already have the bodies. */
tr_status tr2_read_rube_joints(tr2_reader *reader, const tr2_cursor *root);

#endif
