/*
 * A table: columns of different types with the same number of rows, each column tightly packed and aligned to a cache
 * line. Grow, remove, reorder are written once here, for bodies and for every type of joint. A column in which no row has
 * anything of its own may be left out until one has.
 */
#ifndef TR_BASE_TABLE_H
#define TR_BASE_TABLE_H

#include "base/memory.h"

typedef struct tr_table {
    tr_memory *memory;
    void **columns; /* null where left out, and where there is no room for rows yet */
    bool *left_out;
    uint32_t *sizes; /* bytes per entry, per column */
    uint32_t column_count;
    uint32_t count;
    uint32_t capacity;
} tr_table;

/* An empty table; false when there is no memory. */
bool tr_table_init(tr_table *table, tr_memory *memory, const uint32_t *sizes, uint32_t column_count);
void tr_table_free(tr_table *table);
/* Before there are rows: the column takes no memory until it is held. */
void tr_table_leave_out(tr_table *table, uint32_t column);
/* Adds a column that was left out; rows that are there get the bytes of `preset`, zeros where it is null. False when there
   is no memory, and then nothing has changed. One that is there already is left as it is. */
bool tr_table_hold(tr_table *table, uint32_t column, const void *preset);
/* Room for `capacity` rows; false when there is no memory, and then nothing has changed. Columns may move. */
bool tr_table_reserve(tr_table *table, uint32_t capacity);
/* One more row, zeroed in the columns that are there; there must be room. Returns it. */
uint32_t tr_table_append(tr_table *table);
/* Removes a row; the last row takes its place. */
void tr_table_remove(tr_table *table, uint32_t row);
/* Row i becomes what row order[i] was; false when there is no memory, and then nothing has changed. */
bool tr_table_permute(tr_table *table, const uint32_t *order);

#endif
