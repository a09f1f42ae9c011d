/* Reading a scene from a document that is parsed already. */
#ifndef TR_SCENE_DOCUMENT_H
#define TR_SCENE_DOCUMENT_H

#include <jansson.h>

#include "scene/core/storage.h"

/* As trn_scene_parse(). */
tr_status trn_scene_read(json_t *root, const char *label, trn_scene **out, tr_error *error);

#endif
