/* Builds a report as a list of values; prints it as a table or as JSON. */
#include "cli/report.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_WIDTH 20

void report_free(report *r)
{
    free(r->items);
    memset(r, 0, sizeof *r);
}

static void add(report *r, report_item item)
{
    if (r->item_count == r->capacity) {
        uint32_t capacity = r->capacity != 0 ? 2 * r->capacity : 64;
        report_item *items = realloc(r->items, capacity * sizeof *items);
        if (items == NULL) {
            r->failed = true;
            return;
        }
        r->items = items;
        r->capacity = capacity;
    }
    r->items[r->item_count++] = item;
}

void report_count(report *r, const char *key, const char *label, uint64_t value)
{
    add(r, (report_item){.kind = REPORT_COUNT, .key = key, .label = label, .count = value});
}

void report_real(report *r, const char *key, const char *label, double value, const char *unit)
{
    add(r, (report_item){.kind = REPORT_REAL, .key = key, .label = label, .unit = unit, .real = value});
}

void report_text(report *r, const char *key, const char *label, const char *value)
{
    add(r, (report_item){.kind = REPORT_TEXT, .key = key, .label = label, .text = value});
}

void report_truth(report *r, const char *key, const char *label, bool value)
{
    add(r, (report_item){.kind = REPORT_TRUTH, .key = key, .label = label, .count = value ? 1 : 0});
}

void report_object(report *r, const char *key, const char *label)
{
    add(r, (report_item){.kind = REPORT_OBJECT, .key = key, .label = label});
}

void report_list(report *r, const char *key, const char *label)
{
    add(r, (report_item){.kind = REPORT_LIST, .key = key, .label = label});
}

void report_end(report *r)
{
    add(r, (report_item){.kind = REPORT_END});
}

void report_print_json_text(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at != 0;) {
        size_t length = cli_utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", stream);
            ++at;
        } else if (*at == '"' || *at == '\\') {
            fprintf(stream, "\\%c", *at++);
        } else if (*at < 0x20 || *at == 0x7f) {
            fprintf(stream, "\\u%04x", *at++);
        } else {
            fwrite(at, 1, length, stream);
            at += length;
        }
    }
    fputc('"', stream);
}

static bool opens(const report_item *item)
{
    return item->kind == REPORT_OBJECT || item->kind == REPORT_LIST;
}

static void print_json_value(const report_item *item, FILE *stream)
{
    switch (item->kind) {
    case REPORT_COUNT:
        fprintf(stream, "%" PRIu64, item->count);
        break;
    case REPORT_REAL:
        if (isfinite(item->real)) {
            fprintf(stream, "%.10g", item->real);
        } else {
            fputs("null", stream);
        }
        break;
    case REPORT_TRUTH:
        fputs(item->count != 0 ? "true" : "false", stream);
        break;
    default:
        if (item->text != NULL) {
            report_print_json_text(item->text, stream);
        } else {
            fputs("null", stream);
        }
    }
}

bool report_print_json(const report *r, FILE *stream)
{
    if (r->failed) {
        return false;
    }

    /* each top-level group gets its own line, with its content on the same line */
    char closer[8] = "";
    uint32_t depth = 0;
    bool first = true;
    fputs("{", stream);
    for (uint32_t i = 0; i < r->item_count; ++i) {
        const report_item *item = &r->items[i];
        if (item->kind == REPORT_END) {
            fputc(closer[--depth], stream);
            first = false;
            continue;
        }
        fputs(first ? "" : ",", stream);
        fputs(depth == 0 ? "\n  " : (first ? "" : " "), stream);
        if (item->key != NULL) {
            report_print_json_text(item->key, stream);
            fputs(": ", stream);
        }
        if (opens(item)) {
            fputc(item->kind == REPORT_OBJECT ? '{' : '[', stream);
            closer[depth++] = item->kind == REPORT_OBJECT ? '}' : ']';
            first = true;
        } else {
            print_json_value(item, stream);
            first = false;
        }
    }
    fputs("\n}\n", stream);
    return true;
}

static void print_table_value(const report_item *item, FILE *stream)
{
    switch (item->kind) {
    case REPORT_COUNT:
        fprintf(stream, "%" PRIu64, item->count);
        break;
    case REPORT_REAL:
        if (!isfinite(item->real)) {
            fputs("-", stream);
        } else {
            fprintf(stream, "%.4g%s%s", item->real, item->unit != NULL ? " " : "",
                    item->unit != NULL ? item->unit : "");
        }
        break;
    case REPORT_TRUTH:
        fputs(item->count != 0 ? "yes" : "no", stream);
        break;
    default:
        fputs(item->text != NULL ? item->text : "-", stream);
    }
}

/* the index of the REPORT_END that closes the group at `open` */
static uint32_t end_of(const report *r, uint32_t open)
{
    uint32_t depth = 0;
    for (uint32_t i = open; i < r->item_count; ++i) {
        if (opens(&r->items[i])) {
            ++depth;
        } else if (r->items[i].kind == REPORT_END && --depth == 0) {
            return i;
        }
    }
    return r->item_count;
}

static void print_label(const char *label, uint32_t indent, FILE *stream)
{
    fprintf(stream, "%*s%-*s", (int)indent, "", LABEL_WIDTH - (int)indent, label);
}

/* prints the entries of a group without subgroups: "min 0.1 ms   median 0.2 ms" */
static void print_table_line(const report *r, uint32_t open, uint32_t end, FILE *stream)
{
    bool any = false;
    for (uint32_t i = open + 1; i < end; ++i) {
        const report_item *item = &r->items[i];
        if (item->label == NULL) {
            continue;
        }
        fprintf(stream, "%s%s%s", any ? "   " : "", item->label, item->label[0] != 0 ? " " : "");
        print_table_value(item, stream);
        any = true;
    }
    fputs(any ? "\n" : "-\n", stream);
}

static void print_table_list(const report *r, uint32_t open, uint32_t end, FILE *stream)
{
    for (uint32_t i = open + 1; i < end; ++i) {
        print_label(i == open + 1 ? r->items[open].label : "", 0, stream);
        print_table_value(&r->items[i], stream);
        fputc('\n', stream);
    }
}

bool report_print_table(const report *r, FILE *stream)
{
    if (r->failed) {
        return false;
    }
    uint32_t indent = 0;
    for (uint32_t i = 0; i < r->item_count; ++i) {
        const report_item *item = &r->items[i];
        uint32_t end = opens(item) ? end_of(r, i) : i;
        if (item->kind == REPORT_END) {
            indent = 0;
        } else if (item->label == NULL) {
            i = end;
        } else if (item->kind == REPORT_LIST) {
            print_table_list(r, i, end, stream);
            i = end;
        } else if (item->kind == REPORT_OBJECT && i + 1 < end && opens(&r->items[i + 1])) {
            /* a group of groups: a heading, then a line for each */
            fprintf(stream, "%s\n", item->label);
            indent = 2;
        } else {
            print_label(item->label, indent, stream);
            if (item->kind == REPORT_OBJECT) {
                uint32_t indent_after = indent;
                print_table_line(r, i, end, stream);
                i = end;
                indent = indent_after;
            } else {
                print_table_value(item, stream);
                fputc('\n', stream);
            }
        }
    }
    return true;
}
