/* XML documents as trees that know their lines, read with expat. Text between elements and comments are not kept. */
#ifndef TR_SCENE_XML_H
#define TR_SCENE_XML_H

#include "trammel/base.h"

/* Whether a text is XML: its first character that is not white is '<'. */
bool tr_xml_begins(const char *text, size_t size);
/* Whether a text is to be read as XML: also one that begins neither as XML nor as a JSON object, if its name ends as
   that of a robot: .urdf, .xml or .mjcf. */
bool tr_xml_is_meant(const char *text, size_t size, const char *name);

#ifdef TR_WITH_XML

#define TR_XML_NONE UINT32_MAX /* no such node */

/* Texts are offsets into tr_xml.text. Node 0 is the root. */
typedef struct tr_xml_node {
    size_t name;
    uint32_t file; /* index into tr_xml.files */
    uint32_t line;
    uint32_t parent, first, last, next; /* last: of its children */
    uint32_t first_attribute, attribute_count;
} tr_xml_node;

typedef struct tr_xml_attribute {
    size_t name, value;
} tr_xml_attribute;

typedef struct tr_xml {
    tr_xml_node *nodes;
    tr_xml_attribute *attributes;
    size_t *files; /* names of the document and of what it includes */
    char *text;
    uint32_t node_count, attribute_count, file_count;
    uint32_t node_capacity, attribute_capacity, file_capacity;
    size_t text_size, text_capacity;
} tr_xml;

/* How documents include others: under a root of the name `root`, an element `element` with an attribute `file` is
   replaced by the children of that file's root. */
typedef struct tr_xml_includes {
    const char *root, *element;
    bool from_files; /* whether `label` is a path; otherwise an include is an error */
} tr_xml_includes;

/*
 * Parses a document; messages name it by `label`. Release *out with tr_xml_free(), also after an error.
 * TR_ERROR_PARSE (not well formed; a document type with entities; deeper than TR_XML_DEPTH; a file that is included
 * twice), _FILE (an included file), _MEMORY, _LIMIT.
 */
#define TR_XML_DEPTH 1024u
tr_status tr_xml_parse(const char *text, size_t size, const char *label, tr_xml_includes includes, tr_xml *out,
                       tr_error *error);
void tr_xml_free(tr_xml *xml);

const char *tr_xml_name(const tr_xml *xml, uint32_t node);
bool tr_xml_is(const tr_xml *xml, uint32_t node, const char *name);
/* The value of an attribute; null if it is absent. */
const char *tr_xml_get(const tr_xml *xml, uint32_t node, const char *name);
/* The first child of that name, and the next sibling; null: of any name. TR_XML_NONE if there is none. */
uint32_t tr_xml_first(const tr_xml *xml, uint32_t node, const char *name);
uint32_t tr_xml_next(const tr_xml *xml, uint32_t node, const char *name);

/*
 * Reads a decimal number at *text, in any locale, and moves *text beyond it and the white space after it. False if
 * there is none; a number too large is infinite.
 */
bool tr_xml_number(const char **text, double *out);

#endif

#endif
