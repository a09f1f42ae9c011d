/* Internal interface between the parts of the reader and of the writer of Trammel's own format. */
#ifndef TR_SCENE_OWN_H
#define TR_SCENE_OWN_H

#include "scene/json_read.h"
#include "scene/line.h"

/* The keys of a world's "contacts", and the members of tr2_contact_settings. */
typedef struct tr2_contact_number {
    const char *key;
    size_t offset;
} tr2_contact_number;

#define TR2_CONTACT_NUMBER_COUNT   5
#define TR2_FRICTION_MIXING_KEY    "friction_mixing"
#define TR2_RESTITUTION_MIXING_KEY "restitution_mixing"
extern const tr2_contact_number tr2_contact_numbers[TR2_CONTACT_NUMBER_COUNT];

/* Reads the document's "joints"; the builder must already have the bodies. */
tr_status tr2_read_own_joints(tr2_reader *reader, const tr2_cursor *root);

/* Writes an element of the document's "joints". */
void tr2_write_own_joint(tr_text *text, const tr2_scene_joint *joint);

#endif
