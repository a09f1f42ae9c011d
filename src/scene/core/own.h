/* Internal interface between the parts of the reader and of the writer of Trammel's own format. */
#ifndef TR_SCENE_OWN_H
#define TR_SCENE_OWN_H

#include "scene/core/json_read.h"
#include "scene/line.h"

/* Reads one of the first `count` words that `name` gives; if the key is missing, *out is unchanged. At most
   TR_MOST_WORDS. */
#define TR_MOST_WORDS 8u
tr_status trn_read_word(const trn_reader *reader, const trn_cursor *from, const char *key, uint32_t count,
                        const char *(*name)(uint32_t), const char *what, uint32_t *out);

/* Reads the document's "joints"; the builder must already have the bodies. */
tr_status trn_read_own_joints(trn_reader *reader, const trn_cursor *root);

/* Writes an element of the document's "joints". */
void trn_write_own_joint(tr_text *text, const trn_scene_joint *joint);

/*
 * What each dimension has of its own
 */

/* Reads the settings of a world that only this dimension has, after all others. */
tr_status trn_read_own_world(trn_reader *reader, const trn_cursor *world);
void trn_write_own_world(tr_line *world, const trn_scene *scene);

/* Reads and writes an element of a body's "shapes". */
tr_status trn_read_own_shape(trn_reader *reader, const trn_cursor *at, uint32_t body);
void trn_write_own_shape(tr_text *text, const trn_scene *scene, const trn_scene_shape *shape);

/* Sets mass, inertia and centre of the body at the cursor from its shapes, which are the last ones from first_shape on,
   if they have mass. */
tr_status trn_read_own_mass(const trn_reader *reader, const trn_cursor *at, uint32_t body, uint32_t first_shape);

/* Reads a document that is not of Trammel's own format. */
tr_status trn_read_other(trn_reader *reader, const trn_cursor *root);
/* Adds what is to be said about a scene that was read. */
tr_status trn_read_remarks(trn_builder *builder, tr_error *error);

#endif
