/*
 * A table: columns of different types with the same number of rows, each packed and aligned to a cache line. Bodies and
 * all joint types share its code to grow, remove and reorder rows. A column can be left out until a row needs it.
 */
#ifndef TR_BASE_TABLE_H
#define TR_BASE_TABLE_H

#include "base/archive.h"

typedef struct tr_table {
    tr_memory *memory;
    void **columns;  /* null if left out, or while there is no room for rows */
    bool *left_out;  /* then, in the same memory, marks of each column: COLUMN_... in table.c */
    uint32_t *sizes; /* bytes per entry, per column */
    uint32_t column_count;
    uint32_t count;
    uint32_t capacity;
    tr_archive_group group; /* of the number of rows, which columns there are, and columns that stay */
} tr_table;

/* A column to be held, and the bytes that existing rows get in it; null: zeros. */
typedef struct tr_held_column {
    uint32_t column;
    const void *preset;
} tr_held_column;

/* Makes an empty table. False if out of memory. */
bool tr_table_init(tr_table *table, tr_memory *memory, const uint32_t *sizes, uint32_t column_count);
void tr_table_free(tr_table *table);
/* Leaves a column out: it takes no memory until tr_table_hold(). Call before there are rows. */
void tr_table_leave_out(tr_table *table, uint32_t column);
/* Says that a column stays as it is from step to step: an archive has it in a group. It is written by the functions here
   and through tr_table_edit() only, which is why its owner points to it as const. */
void tr_table_stays(tr_table *table, uint32_t column);
static inline void *tr_table_edit(tr_table *table, const void *column)
{
    tr_archive_touch(&table->group);
    return (void *)(uintptr_t)column;
}
/* Writes a cell of a column that stays, of a struct with the table. */
#define TR_TABLE_PUT(type, owner, column, row, ...)                                                                    \
    (((type *)tr_table_edit(&(owner)->table, (owner)->column))[row] = (__VA_ARGS__))
/* Adds those of the columns that were left out, all or none: what is one thing in several columns is there as a whole.
   Does nothing for columns that are present. False if out of memory; then nothing changed. */
bool tr_table_hold(tr_table *table, const tr_held_column *columns, uint32_t count);
/* Makes room for `capacity` rows. False if out of memory; then nothing changed. Columns may move. */
bool tr_table_reserve(tr_table *table, uint32_t capacity);
/* Appends a row, zeroed in all columns present, and returns it; there must be room. */
uint32_t tr_table_append(tr_table *table);
/* Zeroes a row in all columns present. */
void tr_table_clear(tr_table *table, uint32_t row);
/* Removes a row and moves the last row into its place. */
void tr_table_remove(tr_table *table, uint32_t row);
/* Exchanges two rows, which may be the same. */
void tr_table_swap(tr_table *table, uint32_t a, uint32_t b);
/* Moves row order[i] to row i, for the first `rows`, through a scratch of tr_table_scratch() bytes for as many. */
void tr_table_permute(tr_table *table, const uint32_t *order, uint32_t rows, void *scratch);
size_t tr_table_scratch(const tr_table *table, uint32_t rows);
/* Copies some rows to memory of tr_table_bytes() for as many, and back: then the same columns must be there. */
size_t tr_table_bytes(const tr_table *table, uint32_t rows);
void tr_table_copy_rows(const tr_table *table, const uint32_t *rows, uint32_t count, void *out);
void tr_table_put_rows(tr_table *table, const uint32_t *rows, uint32_t count, const void *from);

/* Consecutive rows. */
typedef struct tr_row_range {
    uint32_t first, end;
} tr_row_range;

/* What a chunk has of a table's rows, in a pass over all but [rest_first, rest_end), of which there may be very many: from
   its first row to behind its last one. The rows left out may be between them. */
static inline tr_row_range tr_rows_of_chunk(uint32_t count, uint32_t rest_first, uint32_t rest_end, uint32_t chunk,
                                            uint32_t per_chunk)
{
    const uint32_t rest = rest_end - rest_first, first = chunk * per_chunk, left = count - rest - first;
    const uint32_t last = first + (left < per_chunk ? left : per_chunk) - 1;
    return (tr_row_range){first < rest_first ? first : first + rest, (last < rest_first ? last : last + rest) + 1};
}

/* Visits all rows, and which columns are left out. What is read has at most `most` rows. `apart`: a column whose cells
   the caller visits (what they hold is lost only if the table has to grow); TR_TABLE_NO_COLUMN: none. */
#define TR_TABLE_NO_COLUMN UINT32_MAX
void tr_table_archive(tr_table *table, tr_archive *archive, uint32_t most, uint32_t apart);

#endif
