#include "base/table.h"

#include <string.h>

static size_t column_bytes(const tr_table *table, uint32_t column)
{
    return (size_t)table->capacity * table->sizes[column];
}

bool tr_table_init(tr_table *table, tr_memory *memory, const uint32_t *sizes, uint32_t column_count)
{
    memset(table, 0, sizeof *table);
    table->memory = memory;
    table->columns = tr_allocate_array(memory, column_count, sizeof(void *));
    table->sizes = tr_allocate_array(memory, column_count, sizeof(uint32_t));
    table->left_out = tr_allocate_array(memory, column_count, sizeof(bool));
    table->column_count = column_count;
    if (table->columns == NULL || table->sizes == NULL || table->left_out == NULL) {
        tr_table_free(table);
        return false;
    }
    memcpy(table->sizes, sizes, column_count * sizeof(uint32_t));
    return true;
}

void tr_table_free(tr_table *table)
{
    if (table->memory == NULL)
        return;
    for (uint32_t i = 0; table->columns != NULL && table->sizes != NULL && i < table->column_count; i++)
        tr_release(table->memory, table->columns[i], table->columns[i] != NULL ? column_bytes(table, i) : 0);
    tr_release(table->memory, table->columns, table->column_count * sizeof(void *));
    tr_release(table->memory, table->sizes, table->column_count * sizeof(uint32_t));
    tr_release(table->memory, table->left_out, table->column_count * sizeof(bool));
    memset(table, 0, sizeof *table);
}

void tr_table_leave_out(tr_table *table, uint32_t column)
{
    table->left_out[column] = true;
}

bool tr_table_hold(tr_table *table, uint32_t column, const void *preset)
{
    if (!table->left_out[column])
        return true;
    size_t size = table->sizes[column];
    if (table->capacity > 0) {
        char *fresh = tr_allocate_array(table->memory, table->capacity, size);
        if (fresh == NULL)
            return false;
        for (uint32_t row = 0; preset != NULL && row < table->count; row++)
            memcpy(fresh + row * size, preset, size);
        table->columns[column] = fresh;
    }
    table->left_out[column] = false;
    return true;
}

/* gives every column room for `capacity` rows, the rows kept in place or put in `order`; all columns or none */
static bool replace_columns(tr_table *table, uint32_t capacity, const uint32_t *order)
{
    void **fresh = tr_allocate_array(table->memory, table->column_count, sizeof(void *));
    if (fresh == NULL)
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < table->column_count && ok; i++) {
        if (table->left_out[i])
            continue;
        fresh[i] = tr_allocate_array(table->memory, capacity, table->sizes[i]);
        ok = fresh[i] != NULL;
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        if (table->left_out[i])
            continue;
        if (!ok) {
            tr_release(table->memory, fresh[i], fresh[i] != NULL ? (size_t)capacity * size : 0);
            continue;
        }
        if (order == NULL && table->count > 0)
            memcpy(fresh[i], table->columns[i], table->count * size);
        for (uint32_t row = 0; order != NULL && row < table->count; row++)
            memcpy((char *)fresh[i] + row * size, (char *)table->columns[i] + order[row] * size, size);
        tr_release(table->memory, table->columns[i], table->columns[i] != NULL ? column_bytes(table, i) : 0);
        table->columns[i] = fresh[i];
    }
    tr_release(table->memory, fresh, table->column_count * sizeof(void *));
    if (ok)
        table->capacity = capacity;
    return ok;
}

bool tr_table_reserve(tr_table *table, uint32_t capacity)
{
    if (capacity <= table->capacity)
        return true;
    return replace_columns(table, tr_grown_capacity(table->capacity, capacity), NULL);
}

uint32_t tr_table_append(tr_table *table)
{
    uint32_t row = table->count++;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i] != NULL)
            memset((char *)table->columns[i] + (size_t)row * table->sizes[i], 0, table->sizes[i]);
    }
    return row;
}

void tr_table_remove(tr_table *table, uint32_t row)
{
    uint32_t last = --table->count;
    if (row == last)
        return;
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        if (table->columns[i] == NULL)
            continue;
        memcpy((char *)table->columns[i] + row * size, (char *)table->columns[i] + last * size, size);
    }
}

bool tr_table_permute(tr_table *table, const uint32_t *order)
{
    if (table->count == 0)
        return true;
    return replace_columns(table, table->capacity, order);
}
