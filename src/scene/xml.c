#include "scene/xml.h"

#include <string.h>
#include <strings.h>

/* the first character of a text that is not white; '\0' if there is none */
static char first_character(const char *text, size_t size)
{
    /* byte order marks; in UTF-16 every other byte is zero */
    size_t at = 0;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        at = 3;
    else if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        at = 2;
    while (at < size && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n' || text[at] == 0))
        at++;
    return at < size ? text[at] : '\0';
}

bool tr_xml_begins(const char *text, size_t size)
{
    return first_character(text, size) == '<';
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);
    return length > size && strcasecmp(name + length - size, end) == 0;
}

bool tr_xml_is_meant(const char *text, size_t size, const char *name)
{
    const char first = first_character(text, size);
    return first == '<' ||
           (first != '{' && (ends_with(name, ".urdf") || ends_with(name, ".xml") || ends_with(name, ".mjcf")));
}

#ifdef TR_WITH_XML

#include <expat.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/common.h"
#include "scene/files.h"

#define INCLUDE_DEPTH 32u

/* one document; what it includes is parsed by another reader into the same tree */
typedef struct xml_reader {
    tr_xml *xml;
    XML_Parser parser;
    tr_xml_includes includes;
    const char *label;
    tr_error *error;
    tr_status status;
    uint32_t file, open; /* open: the innermost element that has not ended */
    uint32_t depth, includes_depth;
    uint32_t skipped; /* depth within an element that is not kept: an include */
    uint32_t base;    /* the depth of its root; of an included file the root is not kept */
} xml_reader;

static tr_status parse_into(xml_reader *reader, const char *text, size_t size);

/* keeps the first error and ends the parser */
static void stop(xml_reader *reader, tr_status status)
{
    if (reader->status == TR_OK)
        reader->status = status;
    (void)XML_StopParser(reader->parser, XML_FALSE);
}

static void stop_here(xml_reader *reader, const char *what)
{
    if (reader->status == TR_OK)
        stop(reader, tr_scene_fail(reader->error, TR_ERROR_PARSE, "%.80s:%lu: %s", reader->label,
                                   (unsigned long)XML_GetCurrentLineNumber(reader->parser), what));
}

/* appends a text; *out is its offset */
static tr_status keep_text(tr_xml *xml, const char *text, size_t *out, tr_error *error)
{
    size_t size = strlen(text) + 1;
    if (size > xml->text_capacity - xml->text_size) {
        size_t wanted = xml->text_capacity + xml->text_capacity / 2 + size + 4096;
        char *block = wanted > size ? realloc(xml->text, wanted) : NULL;
        if (block == NULL)
            return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for the scene");
        xml->text = block;
        xml->text_capacity = wanted;
    }
    memcpy(xml->text + xml->text_size, text, size);
    *out = xml->text_size;
    xml->text_size += size;
    return TR_OK;
}

static tr_status keep_attributes(tr_xml *xml, tr_xml_node *node, const char **attributes, tr_error *error)
{
    tr_status status = TR_OK;
    node->first_attribute = xml->attribute_count;
    for (; status == TR_OK && attributes[0] != NULL; attributes += 2) {
        void *array = xml->attributes;
        status =
            tr_scene_grow(&array, &xml->attribute_capacity, xml->attribute_count + 1, sizeof *xml->attributes, error);
        xml->attributes = array;
        tr_xml_attribute kept = {0, 0};
        if (status == TR_OK)
            status = keep_text(xml, attributes[0], &kept.name, error);
        if (status == TR_OK)
            status = keep_text(xml, attributes[1], &kept.value, error);
        if (status == TR_OK)
            xml->attributes[xml->attribute_count++] = kept;
    }
    node->attribute_count = xml->attribute_count - node->first_attribute;
    return status;
}

static tr_status keep_node(xml_reader *reader, const char *name, const char **attributes)
{
    tr_xml *xml = reader->xml;
    void *array = xml->nodes;
    tr_status status =
        tr_scene_grow(&array, &xml->node_capacity, xml->node_count + 1, sizeof *xml->nodes, reader->error);
    xml->nodes = array;
    tr_xml_node node = {.file = reader->file,
                        .line = (uint32_t)XML_GetCurrentLineNumber(reader->parser),
                        .parent = reader->open,
                        .first = TR_XML_NONE,
                        .last = TR_XML_NONE,
                        .next = TR_XML_NONE};
    if (status == TR_OK)
        status = keep_text(xml, name, &node.name, reader->error);
    if (status == TR_OK)
        status = keep_attributes(xml, &node, attributes, reader->error);
    if (status != TR_OK)
        return status;
    const uint32_t index = xml->node_count++;
    xml->nodes[index] = node;
    if (node.parent != TR_XML_NONE) {
        tr_xml_node *parent = &xml->nodes[node.parent];
        if (parent->last == TR_XML_NONE)
            parent->first = index;
        else
            xml->nodes[parent->last].next = index;
        parent->last = index;
    }
    reader->open = index;
    return TR_OK;
}

/* adds the name of a file, which must not be there yet; `label` must not be one of the tree's own texts */
static tr_status keep_file(tr_xml *xml, const char *label, uint32_t *out, tr_error *error)
{
    void *array = xml->files;
    tr_status status = tr_scene_grow(&array, &xml->file_capacity, xml->file_count + 1, sizeof *xml->files, error);
    xml->files = array;
    size_t name = 0;
    if (status == TR_OK)
        status = keep_text(xml, label, &name, error);
    if (status != TR_OK)
        return status;
    *out = xml->file_count;
    xml->files[xml->file_count++] = name;
    return TR_OK;
}

/* the path of an included file: from the folder of the whole document, unless it is absolute. Release with free(). */
static char *included_path(const tr_xml *xml, const char *file)
{
    const char *document = xml->text + xml->files[0], *slash = strrchr(document, '/');
    size_t folder = slash != NULL && file[0] != '/' ? (size_t)(slash - document) + 1 : 0, length = strlen(file);
    char *path = malloc(folder + length + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, document, folder);
    memcpy(path + folder, file, length + 1);
    return path;
}

/* reads a file; if that fails, also names the place of the <include> */
static tr_status read_included(xml_reader *reader, const char *path, char **bytes, size_t *size)
{
    tr_error why = {TR_OK, ""};
    const tr_status status = tr_read_file(path, bytes, size, &why);
    return status == TR_OK ? TR_OK
                           : tr_scene_fail(reader->error, status, "%.80s:%lu: <include> file: %s", reader->label,
                                           (unsigned long)XML_GetCurrentLineNumber(reader->parser), why.message);
}

/* parses another file below the element that is open */
static void include(xml_reader *reader, const char **attributes)
{
    const char *file = NULL;
    for (; attributes[0] != NULL; attributes += 2)
        file = strcmp(attributes[0], "file") == 0 ? attributes[1] : file;
    if (file == NULL) {
        stop_here(reader, "<include> has no file");
        return;
    }
    if (!reader->includes.from_files) {
        stop_here(reader, "<include>: only a document that is read from a file can include others");
        return;
    }
    tr_xml *xml = reader->xml;
    char *path = included_path(xml, file), *bytes = NULL;
    size_t size = 0;
    if (path == NULL) {
        stop(reader, tr_scene_fail(reader->error, TR_ERROR_MEMORY, "not enough memory for the scene"));
        return;
    }
    bool twice = false;
    for (uint32_t i = 0; i < xml->file_count; i++)
        twice = twice || strcmp(xml->text + xml->files[i], path) == 0;
    xml_reader inner = {.xml = xml,
                        .includes = reader->includes,
                        .label = path,
                        .error = reader->error,
                        .open = reader->open,
                        .depth = reader->depth,
                        .base = reader->depth + 1,
                        .includes_depth = reader->includes_depth + 1};
    if (twice || inner.includes_depth > INCLUDE_DEPTH)
        stop_here(reader, twice ? "<include> file: is included already" : "<include>: too many, one inside another");
    else {
        tr_status status = keep_file(xml, path, &inner.file, reader->error);
        if (status == TR_OK)
            status = read_included(reader, path, &bytes, &size);
        if (status == TR_OK)
            status = parse_into(&inner, bytes, size);
        if (status != TR_OK)
            stop(reader, status);
    }
    free(bytes);
    free(path);
}

static bool may_include(const xml_reader *reader, const char *name)
{
    const tr_xml *xml = reader->xml;
    return reader->includes.element != NULL && strcmp(name, reader->includes.element) == 0 && xml->node_count > 0 &&
           strcmp(xml->text + xml->nodes[0].name, reader->includes.root) == 0;
}

static void XMLCALL begin_element(void *context, const char *name, const char **attributes)
{
    xml_reader *reader = context;
    /* handlers may be called once more after the parser was told to stop */
    if (reader->status != TR_OK)
        return;
    reader->depth++;
    if (reader->depth > TR_XML_DEPTH) {
        stop_here(reader, "elements are nested too deep");
        return;
    }
    if (reader->skipped > 0) {
        reader->skipped++;
        return;
    }
    /* the root of an included file gives its children to the element around the include */
    if (reader->depth == reader->base)
        return;
    if (may_include(reader, name)) {
        reader->skipped = 1;
        include(reader, attributes);
        return;
    }
    tr_status status = keep_node(reader, name, attributes);
    if (status != TR_OK)
        stop(reader, status);
}

static void XMLCALL end_element(void *context, const char *name)
{
    xml_reader *reader = context;
    (void)name;
    if (reader->status != TR_OK)
        return;
    const bool is_base = reader->depth-- == reader->base;
    if (reader->skipped > 0)
        reader->skipped--;
    else if (!is_base)
        reader->open = reader->xml->nodes[reader->open].parent;
}

/* entities can make a small document huge, and no model needs them */
static void XMLCALL declare_entity(void *context, const char *name, int is_parameter, const char *value, int length,
                                   const char *base, const char *system, const char *public, const char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public, (void)notation;
    stop_here(context, "a document type with entities is not read");
}

static tr_status parse_error(const xml_reader *reader)
{
    const enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return tr_scene_fail(reader->error, TR_ERROR_MEMORY, "%.100s: not enough memory", reader->label);
    return tr_scene_fail(reader->error, TR_ERROR_PARSE, "%.80s:%lu:%lu: no XML: %s", reader->label,
                         (unsigned long)XML_GetCurrentLineNumber(reader->parser),
                         (unsigned long)XML_GetCurrentColumnNumber(reader->parser) + 1, XML_ErrorString(code));
}

static tr_status parse_into(xml_reader *reader, const char *text, size_t size)
{
    const XML_Memory_Handling_Suite memory = {malloc, realloc, free};
    reader->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (reader->parser == NULL)
        return tr_scene_fail(reader->error, TR_ERROR_MEMORY, "%.100s: not enough memory", reader->label);
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, begin_element, end_element);
    XML_SetEntityDeclHandler(reader->parser, declare_entity);
    enum XML_Status parsed = XML_STATUS_OK;
    for (size_t at = 0; parsed == XML_STATUS_OK && reader->status == TR_OK && (at < size || at == 0);) {
        const size_t part = size - at < (size_t)1 << 30 ? size - at : (size_t)1 << 30;
        parsed = XML_Parse(reader->parser, text + at, (int)part, at + part == size);
        at += part;
        if (part == 0)
            break;
    }
    if (parsed != XML_STATUS_OK && reader->status == TR_OK)
        reader->status = parse_error(reader);
    XML_ParserFree(reader->parser);
    return reader->status;
}

tr_status tr_xml_parse(const char *text, size_t size, const char *label, tr_xml_includes includes, tr_xml *out,
                       tr_error *error)
{
    memset(out, 0, sizeof *out);
    xml_reader reader = {.xml = out, .includes = includes, .label = label, .error = error, .open = TR_XML_NONE};
    tr_status status = keep_file(out, label, &reader.file, error);
    return status == TR_OK ? parse_into(&reader, text, size) : status;
}

void tr_xml_free(tr_xml *xml)
{
    free(xml->nodes);
    free(xml->attributes);
    free(xml->files);
    free(xml->text);
    memset(xml, 0, sizeof *xml);
}

const char *tr_xml_name(const tr_xml *xml, uint32_t node)
{
    return xml->text + xml->nodes[node].name;
}

bool tr_xml_is(const tr_xml *xml, uint32_t node, const char *name)
{
    return strcmp(tr_xml_name(xml, node), name) == 0;
}

const char *tr_xml_get(const tr_xml *xml, uint32_t node, const char *name)
{
    const tr_xml_node *it = &xml->nodes[node];
    for (uint32_t i = it->first_attribute; i < it->first_attribute + it->attribute_count; i++)
        if (strcmp(xml->text + xml->attributes[i].name, name) == 0)
            return xml->text + xml->attributes[i].value;
    return NULL;
}

static uint32_t seek(const tr_xml *xml, uint32_t node, const char *name)
{
    while (node != TR_XML_NONE && name != NULL && !tr_xml_is(xml, node, name))
        node = xml->nodes[node].next;
    return node;
}

uint32_t tr_xml_first(const tr_xml *xml, uint32_t node, const char *name)
{
    return seek(xml, xml->nodes[node].first, name);
}

uint32_t tr_xml_next(const tr_xml *xml, uint32_t node, const char *name)
{
    return seek(xml, xml->nodes[node].next, name);
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool tr_xml_number(const char **text, double *out)
{
    char digits[400];
    size_t length = 0;
    const char *c = *text;
    while (is_white(*c))
        c++;
    /* strtod() reads the locale's decimal point, and also words and hexadecimal digits, which are no numbers here */
    for (; *c != '\0' && !is_white(*c); c++) {
        if (!((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == '.' || *c == 'e' || *c == 'E'))
            return false;
        const char *written = *c == '.' ? localeconv()->decimal_point : NULL;
        const size_t size = written != NULL ? strlen(written) : 1;
        if (length + size >= sizeof digits)
            return false;
        memcpy(digits + length, written != NULL ? written : c, size);
        length += size;
    }
    digits[length] = '\0';
    char *end = digits;
    *out = strtod(digits, &end);
    if (length == 0 || *end != '\0')
        return false;
    while (is_white(*c))
        c++;
    *text = c;
    return true;
}

#endif
