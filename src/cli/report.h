/* A report: a list of named values, printed as a table or as one JSON object. */
#ifndef TR_CLI_REPORT_H
#define TR_CLI_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum report_kind {
    REPORT_COUNT,  /* a whole number */
    REPORT_REAL,   /* a real; NaN and infinities are null in JSON and a dash in the table */
    REPORT_TEXT,   /* a string; a null pointer is null */
    REPORT_TRUTH,  /* true or false */
    REPORT_OBJECT, /* opens an object, up to its REPORT_END */
    REPORT_LIST,   /* opens a list, up to its REPORT_END; its entries have no key */
    REPORT_END
} report_kind;

/* Strings are not copied; they must live until the report is printed. */
typedef struct report_item {
    report_kind kind;
    const char *key;   /* in JSON; null within a list */
    const char *label; /* in the table; null: not in the table */
    const char *unit;  /* in the table; may be null */
    uint64_t count;
    double real;
    const char *text;
} report_item;

typedef struct report {
    report_item *items;
    uint32_t item_count, capacity;
    bool failed; /* out of memory: the report is incomplete */
} report;

void report_free(report *r);

void report_count(report *r, const char *key, const char *label, uint64_t value);
void report_real(report *r, const char *key, const char *label, double value, const char *unit);
void report_text(report *r, const char *key, const char *label, const char *value);
void report_truth(report *r, const char *key, const char *label, bool value);
void report_object(report *r, const char *key, const char *label);
void report_list(report *r, const char *key, const char *label);
void report_end(report *r);

/* False if the report is incomplete. */
bool report_print_table(const report *r, FILE *stream);
bool report_print_json(const report *r, FILE *stream);

/* Prints a quoted JSON string; bytes that are not UTF-8 become the replacement character. */
void report_print_json_text(const char *text, FILE *stream);

#endif
