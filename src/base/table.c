#include "base/table.h"

#include <assert.h>
#include <string.h>

static size_t column_bytes(const tr_table *table, uint32_t column)
{
    return (size_t)table->capacity * table->sizes[column];
}

/* marks of a column, behind all tr_table.left_out: it was left out once, as only some ever are; and tr_table_stays() */
enum { MARK_OPTIONAL = 1, MARK_STAYS = 2 };

static size_t mark_bytes(uint32_t columns)
{
    return columns * (sizeof(bool) + 1);
}

static unsigned char *mark_of(const tr_table *table, uint32_t column)
{
    return (unsigned char *)(table->left_out + table->column_count) + column;
}

static bool is_optional(const tr_table *table, uint32_t column)
{
    return (*mark_of(table, column) & MARK_OPTIONAL) != 0;
}

static bool stays(const tr_table *table, uint32_t column)
{
    return (*mark_of(table, column) & MARK_STAYS) != 0;
}

bool tr_table_init(tr_table *table, tr_memory *memory, const uint32_t *sizes, uint32_t column_count)
{
    memset(table, 0, sizeof *table);
    table->memory = memory;
    table->columns = tr_allocate_array(memory, column_count, sizeof(void *));
    table->sizes = tr_allocate_array(memory, column_count, sizeof(uint32_t));
    table->left_out = tr_allocate(memory, mark_bytes(column_count));
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
    tr_release(table->memory, table->left_out, mark_bytes(table->column_count));
    memset(table, 0, sizeof *table);
}

void tr_table_leave_out(tr_table *table, uint32_t column)
{
    table->left_out[column] = true;
    tr_archive_touch(&table->group);
    *mark_of(table, column) |= MARK_OPTIONAL;
}

void tr_table_stays(tr_table *table, uint32_t column)
{
    tr_archive_touch(&table->group);
    *mark_of(table, column) |= MARK_STAYS;
}

/* allocates a column that is left out, unless it is already */
static bool make_column(tr_table *table, tr_held_column which)
{
    size_t size = table->sizes[which.column];
    if (!table->left_out[which.column] || table->columns[which.column] != NULL || table->capacity == 0)
        return true;
    char *fresh = tr_allocate_array(table->memory, table->capacity, size);
    if (fresh == NULL)
        return false;
    for (uint32_t row = 0; which.preset != NULL && row < table->count; row++)
        memcpy(fresh + row * size, which.preset, size);
    table->columns[which.column] = fresh;
    return true;
}

/* releases a column that make_column() has allocated */
static void drop_column(tr_table *table, uint32_t column)
{
    if (!table->left_out[column] || table->columns[column] == NULL)
        return;
    tr_release(table->memory, table->columns[column], column_bytes(table, column));
    table->columns[column] = NULL;
}

bool tr_table_hold(tr_table *table, const tr_held_column *columns, uint32_t count)
{
    uint32_t made = 0;
    while (made < count && make_column(table, columns[made]))
        made++;
    for (uint32_t i = 0; i < count; i++) {
        if (made < count) {
            drop_column(table, columns[i].column);
        } else if (table->left_out[columns[i].column]) {
            tr_archive_touch(&table->group);
            table->left_out[columns[i].column] = false;
        }
    }
    return made == count;
}

bool tr_table_reserve(tr_table *table, uint32_t capacity)
{
    if (capacity <= table->capacity)
        return true;
    /* all columns grow or none */
    capacity = tr_grown_capacity(table->capacity, capacity);
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
        if (table->count > 0)
            memcpy(fresh[i], table->columns[i], table->count * size);
        tr_release(table->memory, table->columns[i], table->columns[i] != NULL ? column_bytes(table, i) : 0);
        table->columns[i] = fresh[i];
    }
    tr_release(table->memory, fresh, table->column_count * sizeof(void *));
    if (ok)
        table->capacity = capacity;
    return ok;
}

/* a constant size compiles to a store, another to a call */
static void clear(char *cell, size_t size)
{
    if (size == 4)
        memset(cell, 0, 4);
    else if (size == 8)
        memset(cell, 0, 8);
    else
        memset(cell, 0, size);
}

void tr_table_clear(tr_table *table, uint32_t row)
{
    tr_archive_touch(&table->group);
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i] != NULL)
            clear((char *)table->columns[i] + (size_t)row * table->sizes[i], table->sizes[i]);
    }
}

uint32_t tr_table_append(tr_table *table)
{
    uint32_t row = table->count++;
    tr_table_clear(table, row);
    return row;
}

void tr_table_remove(tr_table *table, uint32_t row)
{
    uint32_t last = --table->count;
    tr_archive_touch(&table->group);
    if (row == last)
        return;
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        if (table->columns[i] == NULL)
            continue;
        memcpy((char *)table->columns[i] + row * size, (char *)table->columns[i] + last * size, size);
    }
}

/* no column is wider */
#define CELL_MOST 64u

void tr_table_swap(tr_table *table, uint32_t a, uint32_t b)
{
    tr_archive_touch(&table->group);
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        char kept[CELL_MOST], *column = table->columns[i];
        if (column == NULL)
            continue;
        assert(size <= CELL_MOST);
        memcpy(kept, column + a * size, size);
        memmove(column + a * size, column + b * size, size);
        memcpy(column + b * size, kept, size);
    }
}

/* to[i] = from[order[i]]. A copy of constant size compiles to a load and a store, another to a call per cell. */
static void gather(char *to, const char *from, size_t size, const uint32_t *order, uint32_t count)
{
    if (size == 4) {
        for (uint32_t row = 0; row < count; row++)
            memcpy(to + (size_t)row * 4, from + (size_t)order[row] * 4, 4);
    } else if (size == 8) {
        for (uint32_t row = 0; row < count; row++)
            memcpy(to + (size_t)row * 8, from + (size_t)order[row] * 8, 8);
    } else {
        for (uint32_t row = 0; row < count; row++)
            memcpy(to + row * size, from + order[row] * size, size);
    }
}

size_t tr_table_scratch(const tr_table *table, uint32_t rows)
{
    size_t most = 0;
    for (uint32_t i = 0; i < table->column_count; i++)
        most = table->columns[i] != NULL && table->sizes[i] > most ? table->sizes[i] : most;
    return most * rows;
}

void tr_table_permute(tr_table *table, const uint32_t *order, uint32_t rows, void *scratch)
{
    tr_archive_touch(&table->group);
    /* go through one temporary copy, which stays in the caches; new columns would fault in page by page */
    for (uint32_t i = 0; rows > 0 && i < table->column_count; i++) {
        if (table->columns[i] == NULL)
            continue;
        gather(scratch, table->columns[i], table->sizes[i], order, rows);
        memcpy(table->columns[i], scratch, rows * (size_t)table->sizes[i]);
    }
}

size_t tr_table_bytes(const tr_table *table, uint32_t rows)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < table->column_count; i++)
        bytes += table->columns[i] != NULL ? (size_t)rows * table->sizes[i] : 0;
    return bytes;
}

void tr_table_copy_rows(const tr_table *table, const uint32_t *rows, uint32_t count, void *out)
{
    char *to = out;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i] == NULL)
            continue;
        gather(to, table->columns[i], table->sizes[i], rows, count);
        to += (size_t)count * table->sizes[i];
    }
}

void tr_table_put_rows(tr_table *table, const uint32_t *rows, uint32_t count, const void *from)
{
    const char *cell = from;
    tr_archive_touch(&table->group);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const size_t size = table->sizes[i];
        for (uint32_t k = 0; table->columns[i] != NULL && k < count; k++, cell += size)
            memcpy((char *)table->columns[i] + rows[k] * size, cell, size);
    }
}

/* The columns that are there, and room for `count` rows in each; the rows themselves are lost. False if out of memory;
   then there are none. */
static bool reshape(tr_table *table, const bool *left_out, uint32_t count)
{
    bool ok = true;
    uint32_t capacity = count > table->capacity ? count : table->capacity;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i] != NULL && (left_out[i] || capacity > table->capacity)) {
            tr_release(table->memory, table->columns[i], column_bytes(table, i));
            table->columns[i] = NULL;
        }
        table->left_out[i] = left_out[i];
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i] != NULL || left_out[i] || capacity == 0)
            continue;
        table->columns[i] = tr_allocate_array(table->memory, capacity, table->sizes[i]);
        ok = ok && table->columns[i] != NULL;
    }
    table->capacity = capacity;
    table->count = count;
    for (uint32_t i = 0; i < table->column_count && !ok; i++) {
        tr_release(table->memory, table->columns[i], column_bytes(table, i));
        table->columns[i] = NULL;
    }
    if (!ok)
        table->capacity = table->count = 0;
    return ok;
}

/* number of columns for which the marks of a visit have room */
#define COLUMNS_MOST 192u

static void visit_columns(tr_table *table, tr_archive *archive, bool staying, uint32_t apart)
{
    for (uint32_t i = 0; i < table->column_count && table->count > 0; i++) {
        if (table->columns[i] != NULL && i != apart && stays(table, i) == staying)
            tr_archive_bytes(archive, table->columns[i], (size_t)table->count * table->sizes[i]);
    }
}

/* visits what stays; what is read has memory then for all columns */
static void visit_group(tr_table *table, tr_archive *archive, uint32_t most, uint32_t apart)
{
    bool left_out[COLUMNS_MOST];
    uint32_t count = table->count;
    size_t row = 0;
    assert(table->column_count <= COLUMNS_MOST);
    tr_archive_value(archive, count);
    for (uint32_t i = 0; i < table->column_count; i++) {
        left_out[i] = table->left_out[i];
        tr_archive_flag(archive, &left_out[i]);
        row += left_out[i] || i == apart ? 0 : table->sizes[i];
        if (left_out[i] && !is_optional(table, i))
            tr_archive_refuse(archive);
    }
    if (count > most)
        tr_archive_refuse(archive);
    if (!tr_archive_goes_on(archive) || !tr_archive_has(archive, count, row))
        return;
    if (tr_archive_reads(archive) && !reshape(table, left_out, count)) {
        archive->status = TR_ERROR_MEMORY;
        return;
    }
    visit_columns(table, archive, true, apart);
}

void tr_table_archive(tr_table *table, tr_archive *archive, uint32_t most, uint32_t apart)
{
    /* columns outside of the group may be others afterwards, though those in it are known to be the same */
    if (tr_archive_reads(archive))
        table->group.seen = false;
    if (tr_archive_begin(archive, &table->group)) {
        visit_group(table, archive, most, apart);
        tr_archive_end(archive, &table->group);
    }
    visit_columns(table, archive, false, apart);
}
