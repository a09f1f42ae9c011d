/*
 * The factor is computed column by column of blocks, from the left: a column takes what the columns before it, in whose
 * patterns it is, change in it, and then is factored itself. A column holds its rows one after another, each as many
 * numbers as the node has; the rows of the node itself first, whose strict upper triangle is not used.
 */
#include "dynamics/sparse.h"

#include <math.h>
#include <string.h>

#include "dynamics/order.h"

#define NONE UINT32_MAX

struct tr_sparse {
    tr_memory *memory;
    tr_order order;
    uint32_t node_count, body_count;
    /* by place in the order of elimination, but `place` and `number` by node */
    uint32_t *place;
    uint32_t *number; /* of a node's first number, in the order of nodes */
    uint8_t *size;
    uint32_t *first, *length;        /* of a column's pattern */
    size_t *start;                   /* of its numbers */
    double *pivot;                   /* TR_SPARSE_SIZE per column; 0: left out */
    uint32_t *head, *next, *reached; /* lists of columns by the next place in their patterns */
    uint32_t *row;                   /* of each place in the column that is being factored */
    void *block;
    size_t block_size;
    uint32_t *pattern, *offset; /* places in each column, ascending; the row where each begins */
    size_t pattern_size;
    double *value;
    size_t value_count, value_size;
};

tr_sparse *tr_sparse_create(tr_memory *memory)
{
    tr_sparse *sparse = tr_allocate(memory, sizeof *sparse);
    if (sparse == NULL)
        return NULL;
    sparse->memory = memory;
    tr_order_init(&sparse->order, memory);
    return sparse;
}

void tr_sparse_destroy(tr_sparse *sparse)
{
    if (sparse == NULL)
        return;
    tr_memory *memory = sparse->memory;
    tr_order_free(&sparse->order);
    tr_release(memory, sparse->block, sparse->block_size);
    tr_release(memory, sparse->pattern, sparse->pattern_size);
    tr_release(memory, sparse->value, sparse->value_size);
    tr_release(memory, sparse, sizeof *sparse);
}

/* Makes *block at least this large; what was in it is lost. */
static bool renew(tr_memory *memory, void **block, size_t *size, size_t wanted)
{
    if (wanted <= *size)
        return true;
    /* some more, for systems that come after */
    size_t some = wanted + wanted / 4;
    tr_release(memory, *block, *size);
    *block = tr_allocate(memory, some);
    *size = *block != NULL ? some : 0;
    return *block != NULL;
}

/* divides a block of memory; each part begins at a multiple of eight bytes */
static void *part(unsigned char **from, size_t count, size_t size)
{
    void *out = *from;
    *from += (count * size + 7) / 8 * 8;
    return out;
}

static bool make_room(tr_sparse *s, size_t n)
{
    const size_t ints = (n * sizeof(uint32_t) + 7) / 8 * 8;
    const size_t bytes = 8 * ints + (n + 7) / 8 * 8 + n * sizeof(size_t) + n * TR_SPARSE_SIZE * sizeof(double);
    if (!renew(s->memory, &s->block, &s->block_size, bytes))
        return false;
    unsigned char *at = s->block;
    s->start = part(&at, n, sizeof(size_t));
    s->pivot = part(&at, n * TR_SPARSE_SIZE, sizeof(double));
    s->place = part(&at, n, sizeof(uint32_t));
    s->number = part(&at, n, sizeof(uint32_t));
    s->first = part(&at, n, sizeof(uint32_t));
    s->length = part(&at, n, sizeof(uint32_t));
    s->head = part(&at, n, sizeof(uint32_t));
    s->next = part(&at, n, sizeof(uint32_t));
    s->reached = part(&at, n, sizeof(uint32_t));
    s->row = part(&at, n, sizeof(uint32_t));
    s->size = part(&at, n, 1);
    return true;
}

/* ascending: a heap sort, in place and without recursion */
static void sift(uint32_t *a, uint32_t at, uint32_t count)
{
    uint32_t value = a[at];
    while (2 * at + 1 < count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < count && a[child + 1] > a[child])
            child++;
        if (a[child] <= value)
            break;
        a[at] = a[child];
        at = child;
    }
    a[at] = value;
}

static void sort(uint32_t *a, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(a, i, count);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t greatest = a[0];
        a[0] = a[i];
        a[i] = greatest;
        sift(a, 0, i);
    }
}

tr_status tr_sparse_plan(tr_sparse *sparse, const tr_sparse_shape *shape)
{
    tr_sparse *s = sparse;
    const uint32_t node_count = shape->node_count;
    const uint8_t *size = shape->size;
    s->node_count = 0;
    tr_status status = tr_order_make(&s->order, shape);
    if (status != TR_OK)
        return status;
    const tr_order *order = &s->order;
    const size_t entries = order->pattern_count;
    void *pattern = s->pattern;
    bool ok =
        make_room(s, node_count) && renew(s->memory, &pattern, &s->pattern_size, (2 * entries + 1) * sizeof(uint32_t));
    s->pattern = pattern;
    if (!ok)
        return TR_ERROR_MEMORY;
    s->offset = s->pattern + entries;
    uint32_t number = 0, filled = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        s->place[order->nodes[i]] = i;
        s->number[i] = number;
        number += size[i];
    }
    size_t count = 0;
    for (uint32_t p = 0; p < node_count; p++) {
        uint32_t node = order->nodes[p];
        uint32_t *to = s->pattern + filled;
        s->size[p] = size[node];
        s->first[p] = filled;
        s->length[p] = order->length[node];
        for (uint32_t k = 0; k < s->length[p]; k++)
            to[k] = s->place[order->pattern[order->first[node] + k]];
        sort(to, s->length[p]);
        uint32_t rows = size[node];
        for (uint32_t k = 0; k < s->length[p]; k++) {
            s->offset[filled + k] = rows;
            rows += size[order->nodes[to[k]]];
        }
        s->start[p] = count;
        count += (size_t)rows * size[node];
        filled += s->length[p];
    }
    if (count > SIZE_MAX / sizeof(double) / 2)
        return TR_ERROR_LIMIT;
    void *value = s->value;
    ok = renew(s->memory, &value, &s->value_size, (count + 1) * sizeof(double));
    s->value = value;
    if (!ok)
        return TR_ERROR_MEMORY;
    s->value_count = count;
    s->node_count = node_count;
    s->body_count = shape->body_count;
    return TR_OK;
}

void tr_sparse_clear(tr_sparse *sparse)
{
    memset(sparse->value, 0, sparse->value_count * sizeof(double));
}

/* the row where the block of a place begins in a column */
static uint32_t row_of(const tr_sparse *s, uint32_t column, uint32_t place)
{
    const uint32_t *pattern = s->pattern + s->first[column];
    uint32_t low = 0, high = s->length[column];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (pattern[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return s->offset[s->first[column] + low];
}

void tr_sparse_add(tr_sparse *sparse, uint32_t a, uint32_t b, const double *block)
{
    tr_sparse *s = sparse;
    uint32_t pa = s->place[a], pb = s->place[b], na = s->size[pa], nb = s->size[pb];
    if (a == b) {
        for (uint32_t i = 0; i < na * na; i++)
            s->value[s->start[pa] + i] += block[i];
        return;
    }
    uint32_t column = pa < pb ? pa : pb;
    double *to = s->value + s->start[column] + (size_t)row_of(s, column, pa < pb ? pb : pa) * s->size[column];
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t k = 0; k < nb; k++)
            to[pa < pb ? k * na + i : i * nb + k] += block[i * nb + k];
}

/* rows of a column that another one changes: to -= from t, with `depth` numbers per row of `from`, `width` of `to` */
static inline void subtract(double *restrict to, uint32_t width, const double *restrict from, uint32_t depth,
                            const double *restrict t, uint32_t rows)
{
    for (uint32_t r = 0; r < rows; r++, to += width, from += depth)
        for (uint32_t k = 0; k < depth; k++)
            for (uint32_t c = 0; c < width; c++)
                to[c] -= from[k] * t[k * width + c];
}

/* the same for some sizes that are known to the compiler */
static void subtract_rows(double *to, uint32_t width, const double *from, uint32_t depth, const double *t,
                          uint32_t rows)
{
    if (width == 3 && depth == 3)
        subtract(to, 3, from, 3, t, rows);
    else if (width == 3 && depth == 2)
        subtract(to, 3, from, 2, t, rows);
    else if (width == 2 && depth == 3)
        subtract(to, 2, from, 3, t, rows);
    else if (width == 2 && depth == 2)
        subtract(to, 2, from, 2, t, rows);
    else if (width == 6 && depth == 6)
        subtract(to, 6, from, 6, t, rows);
    else if (width == 6 && depth == 3)
        subtract(to, 6, from, 3, t, rows);
    else if (width == 3 && depth == 6)
        subtract(to, 3, from, 6, t, rows);
    else
        subtract(to, width, from, depth, t, rows);
}

/* what the column `from` changes in `column`, which is the place of its pattern that it has reached */
static void take_from(tr_sparse *s, uint32_t column, uint32_t from)
{
    const uint32_t width = s->size[column], depth = s->size[from], reached = s->reached[from];
    const uint32_t *pattern = s->pattern + s->first[from], *offset = s->offset + s->first[from];
    const double *l = s->value + s->start[from], *d = s->pivot + (size_t)from * TR_SPARSE_SIZE;
    double t[TR_SPARSE_SIZE * TR_SPARSE_SIZE];
    for (uint32_t c = 0; c < width; c++)
        for (uint32_t k = 0; k < depth; k++)
            t[k * width + c] = l[(size_t)(offset[reached] + c) * depth + k] * d[k];
    double *to = s->value + s->start[column];
    for (uint32_t i = reached; i < s->length[from]; i++)
        subtract_rows(to + (size_t)s->row[pattern[i]] * width, width, l + (size_t)offset[i] * depth, depth, t,
                      s->size[pattern[i]]);
}

/* Factors a column that has taken all changes. A joint's pivots are negative, a body's positive. */
static uint32_t factor_column(tr_sparse *s, uint32_t column, uint32_t rows, const double *least, double sign)
{
    const uint32_t width = s->size[column];
    double *value = s->value + s->start[column], *pivot = s->pivot + (size_t)column * TR_SPARSE_SIZE;
    uint32_t dropped = 0;
    for (uint32_t c = 0; c < width; c++) {
        double d = value[c * width + c], above[TR_SPARSE_SIZE];
        const bool drop = !(sign * d > (least != NULL ? least[c] : 0.0));
        pivot[c] = drop ? 0.0 : d;
        dropped += drop ? 1u : 0u;
        double inverse = drop ? 0.0 : 1.0 / d;
        for (uint32_t k = c + 1; k < width; k++)
            above[k] = drop ? 0.0 : value[k * width + c];
        for (uint32_t r = c + 1; r < rows; r++) {
            double *row = value + (size_t)r * width, l = drop ? 0.0 : row[c] * inverse;
            row[c] = l;
            uint32_t end = r < width ? r + 1 : width;
            for (uint32_t k = c + 1; k < end; k++)
                row[k] -= l * above[k];
        }
    }
    return dropped;
}

/* puts a column into the list of the next place in its pattern */
static void go_on(tr_sparse *s, uint32_t column)
{
    if (s->reached[column] == s->length[column])
        return;
    uint32_t at = s->pattern[s->first[column] + s->reached[column]];
    s->next[column] = s->head[at];
    s->head[at] = column;
}

uint32_t tr_sparse_factor(tr_sparse *sparse, const double *least)
{
    tr_sparse *s = sparse;
    uint32_t dropped = 0;
    for (uint32_t p = 0; p < s->node_count; p++)
        s->head[p] = NONE;
    for (uint32_t p = 0; p < s->node_count; p++) {
        const uint32_t *pattern = s->pattern + s->first[p], *offset = s->offset + s->first[p];
        uint32_t rows = s->size[p], node = s->order.nodes[p];
        s->row[p] = 0;
        for (uint32_t k = 0; k < s->length[p]; k++) {
            s->row[pattern[k]] = offset[k];
            rows = offset[k] + s->size[pattern[k]];
        }
        for (uint32_t from = s->head[p], next; from != NONE; from = next) {
            next = s->next[from];
            take_from(s, p, from);
            s->reached[from]++;
            go_on(s, from);
        }
        const bool joint = node >= s->body_count;
        uint32_t lost = factor_column(s, p, rows, joint ? least + s->number[node] : NULL, joint ? -1.0 : 1.0);
        dropped += lost;
        s->reached[p] = 0;
        go_on(s, p);
    }
    return dropped;
}

void tr_sparse_solve(const tr_sparse *sparse, double *x)
{
    const tr_sparse *s = sparse;
    const uint32_t *nodes = s->order.nodes;
    for (uint32_t p = 0; p < s->node_count; p++) {
        const uint32_t width = s->size[p];
        const double *l = s->value + s->start[p];
        double *own = x + s->number[nodes[p]];
        for (uint32_t c = 0; c < width; c++)
            for (uint32_t r = c + 1; r < width; r++)
                own[r] -= l[r * width + c] * own[c];
        l += width * width;
        for (uint32_t k = 0; k < s->length[p]; k++) {
            uint32_t place = s->pattern[s->first[p] + k];
            double *other = x + s->number[nodes[place]];
            for (uint32_t r = 0; r < s->size[place]; r++, l += width)
                for (uint32_t c = 0; c < width; c++)
                    other[r] -= l[c] * own[c];
        }
    }
    for (uint32_t p = s->node_count; p-- > 0;) {
        const uint32_t width = s->size[p];
        const double *l = s->value + s->start[p], *pivot = s->pivot + (size_t)p * TR_SPARSE_SIZE;
        const double *below = l + width * width;
        double *own = x + s->number[nodes[p]];
        for (uint32_t c = 0; c < width; c++)
            own[c] = pivot[c] != 0.0 ? own[c] / pivot[c] : 0.0;
        for (uint32_t k = 0; k < s->length[p]; k++) {
            uint32_t place = s->pattern[s->first[p] + k];
            const double *other = x + s->number[nodes[place]];
            for (uint32_t r = 0; r < s->size[place]; r++, below += width)
                for (uint32_t c = 0; c < width; c++)
                    own[c] -= below[c] * other[r];
        }
        for (uint32_t c = width; c-- > 0;)
            for (uint32_t r = c + 1; r < width; r++)
                own[c] -= l[r * width + c] * own[r];
    }
}
