/* Reading a scene from a document that is parsed already, in core/load.c; and from a text that is
   meant as XML (scene/xml.h), in space/import.c and plane/own.c (`from_file`: `label` is its path). As tr2_scene_parse(). */
#ifndef TR_SCENE_READ_H
#define TR_SCENE_READ_H

#include <jansson.h>

#include "trammel/scene3.h"

tr_status tr2_scene_read(json_t *root, const char *label, tr2_scene **out, tr_error *error);
tr_status tr3_scene_read(json_t *root, const char *label, tr3_scene **out, tr_error *error);
tr_status tr2_read_xml(const char *text, size_t size, const char *label, bool from_file, tr2_scene **out,
                       tr_error *error);
tr_status tr3_read_xml(const char *text, size_t size, const char *label, bool from_file, tr3_scene **out,
                       tr_error *error);

#endif
