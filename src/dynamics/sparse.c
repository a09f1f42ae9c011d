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
    uint32_t node_count, body_count, early_count, soon_count;
    /* by place in the order of elimination, but `place` and `number` by node */
    uint32_t *place;
    uint32_t *number; /* of a node's first number, in the order of nodes */
    uint32_t *nodes;  /* in the order of elimination */
    uint8_t *size;
    uint32_t *first, *length; /* of a column's pattern */
    size_t *start;            /* of its numbers */
    void *block;
    size_t block_size;
    uint32_t *pattern, *offset; /* places in each column, ascending; the row where each begins */
    size_t pattern_size;
    size_t value_count;
};

struct tr_factor {
    tr_memory *memory;
    const tr_sparse *sparse;
    double *value, *pivot;           /* TR_SPARSE_SIZE pivots per column; 0: left out */
    uint32_t *head, *next, *reached; /* lists of columns by the next place in their patterns */
    uint32_t *row;                   /* of each place in the column that is being factored */
    void *block;
    size_t block_size;
};

tr_sparse *tr_sparse_create(tr_memory *memory)
{
    tr_sparse *sparse = tr_allocate(memory, sizeof *sparse);
    if (sparse == NULL)
        return NULL;
    sparse->memory = memory;
    return sparse;
}

void tr_sparse_destroy(tr_sparse *sparse)
{
    if (sparse == NULL)
        return;
    tr_memory *memory = sparse->memory;
    tr_release(memory, sparse->block, sparse->block_size);
    tr_release(memory, sparse->pattern, sparse->pattern_size);
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
    *block = tr_allocate_unset(memory, 1, some);
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
    const size_t bytes = 5 * ints + (n + 7) / 8 * 8 + n * sizeof(size_t);
    if (!renew(s->memory, &s->block, &s->block_size, bytes))
        return false;
    unsigned char *at = s->block;
    s->start = part(&at, n, sizeof(size_t));
    s->place = part(&at, n, sizeof(uint32_t));
    s->number = part(&at, n, sizeof(uint32_t));
    s->nodes = part(&at, n, sizeof(uint32_t));
    s->first = part(&at, n, sizeof(uint32_t));
    s->length = part(&at, n, sizeof(uint32_t));
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

static tr_status lay_out(tr_sparse *s, const tr_sparse_shape *shape, const tr_order *order)
{
    const uint32_t node_count = shape->node_count;
    const uint8_t *size = shape->size;
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
        s->nodes[i] = order->nodes[i];
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
    s->value_count = count;
    s->node_count = node_count;
    s->body_count = shape->body_count;
    s->soon_count = order->soon_count;
    s->early_count = 0;
    for (uint32_t i = 0; i < s->body_count && shape->early != NULL; i++)
        s->early_count += shape->early[i] ? 1u : 0u;
    return TR_OK;
}

tr_status tr_sparse_plan(tr_sparse *sparse, const tr_sparse_shape *shape)
{
    tr_order order;
    tr_order_init(&order, sparse->memory);
    sparse->node_count = 0;
    tr_status status = tr_order_make(&order, shape);
    if (status == TR_OK)
        status = lay_out(sparse, shape, &order);
    tr_order_free(&order);
    return status;
}

tr_factor *tr_factor_create(tr_memory *memory)
{
    tr_factor *factor = tr_allocate(memory, sizeof *factor);
    if (factor != NULL)
        factor->memory = memory;
    return factor;
}

void tr_factor_destroy(tr_factor *factor)
{
    if (factor == NULL)
        return;
    tr_memory *memory = factor->memory;
    tr_release(memory, factor->block, factor->block_size);
    tr_release(memory, factor, sizeof *factor);
}

static size_t bytes_of(const tr_sparse *sparse)
{
    const size_t n = sparse->node_count, ints = (n * sizeof(uint32_t) + 7) / 8 * 8;
    return (sparse->value_count + 1 + n * TR_SPARSE_SIZE) * sizeof(double) + 4 * ints;
}

bool tr_factor_reserve(tr_factor *factor, const tr_sparse *sparse)
{
    return renew(factor->memory, &factor->block, &factor->block_size, bytes_of(sparse));
}

void tr_factor_begin(tr_factor *factor, const tr_sparse *sparse)
{
    const size_t n = sparse->node_count;
    unsigned char *at = factor->block;
    factor->sparse = sparse;
    factor->value = part(&at, sparse->value_count + 1, sizeof(double));
    factor->pivot = part(&at, n * TR_SPARSE_SIZE, sizeof(double));
    factor->head = part(&at, n, sizeof(uint32_t));
    factor->next = part(&at, n, sizeof(uint32_t));
    factor->reached = part(&at, n, sizeof(uint32_t));
    factor->row = part(&at, n, sizeof(uint32_t));
    memset(factor->value, 0, sparse->value_count * sizeof(double));
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

size_t tr_sparse_place(const tr_sparse *sparse, uint32_t a, uint32_t b, bool *turned)
{
    const uint32_t pa = sparse->place[a], pb = sparse->place[b], column = pa < pb ? pa : pb;
    *turned = pa < pb;
    if (a == b)
        return sparse->start[pa];
    return sparse->start[column] + (size_t)row_of(sparse, column, pa < pb ? pb : pa) * sparse->size[column];
}

void tr_factor_add_at(tr_factor *factor, size_t at, bool turned, uint32_t rows, uint32_t columns, const double *block)
{
    double *to = factor->value + at;
    for (uint32_t i = 0; i < rows * columns && !turned; i++)
        to[i] += block[i];
    for (uint32_t k = 0; k < columns && turned; k++)
        for (uint32_t i = 0; i < rows; i++)
            to[k * rows + i] += block[i * columns + k];
}

void tr_factor_add(tr_factor *factor, uint32_t a, uint32_t b, const double *block)
{
    const tr_sparse *s = factor->sparse;
    bool turned;
    size_t at = tr_sparse_place(s, a, b, &turned);
    tr_factor_add_at(factor, at, turned, s->size[s->place[a]], s->size[s->place[b]], block);
}

/* What is inlined for the usual widths of nodes, as constants. Each number is changed by the same operations in the same order
   with a width that is none. */
#define KNOWN_WIDTH static inline __attribute__((always_inline))

/* CALL(width), which is a constant if it is a usual one */
#define BY_WIDTH(width, CALL)                                                                                          \
    switch (width) {                                                                                                   \
    case 2:                                                                                                            \
        CALL(2);                                                                                                       \
        break;                                                                                                         \
    case 3:                                                                                                            \
        CALL(3);                                                                                                       \
        break;                                                                                                         \
    case 4:                                                                                                            \
        CALL(4);                                                                                                       \
        break;                                                                                                         \
    case 6:                                                                                                            \
        CALL(6);                                                                                                       \
        break;                                                                                                         \
    default:                                                                                                           \
        CALL(width);                                                                                                   \
    }

/* to -= from t, of some columns of a row, side by side */
KNOWN_WIDTH void subtract_part(double *to, const double *from, const double *t, uint32_t width, uint32_t depth,
                               uint32_t columns)
{
    double sum[4];
    for (uint32_t c = 0; c < columns; c++)
        sum[c] = to[c];
    for (uint32_t k = 0; k < depth; k++)
        for (uint32_t c = 0; c < columns; c++)
            sum[c] -= from[k] * t[k * width + c];
    for (uint32_t c = 0; c < columns; c++)
        to[c] = sum[c];
}

/* the same of a row of any width */
KNOWN_WIDTH void subtract_row(double *to, const double *from, const double *t, uint32_t width, uint32_t depth)
{
    uint32_t c = 0;
    for (; c + 4 <= width; c += 4)
        subtract_part(to + c, from, t + c, width, depth, 4);
    if (width - c >= 2) {
        subtract_part(to + c, from, t + c, width, depth, 2);
        c += 2;
    }
    if (c < width)
        subtract_part(to + c, from, t + c, width, depth, 1);
}

/* what the column `from` changes in `column`, which is the place of its pattern that it has reached */
KNOWN_WIDTH void take_sized(const tr_factor *f, uint32_t column, uint32_t from, uint32_t width, uint32_t depth)
{
    const tr_sparse *s = f->sparse;
    const uint32_t reached = f->reached[from];
    const uint32_t *pattern = s->pattern + s->first[from], *offset = s->offset + s->first[from];
    const double *l = f->value + s->start[from], *d = f->pivot + (size_t)from * TR_SPARSE_SIZE;
    double t[TR_SPARSE_SIZE * TR_SPARSE_SIZE];
    for (uint32_t c = 0; c < width; c++)
        for (uint32_t k = 0; k < depth; k++)
            t[k * width + c] = l[(size_t)(offset[reached] + c) * depth + k] * d[k];
    double *values = f->value + s->start[column];
    for (uint32_t i = reached; i < s->length[from]; i++) {
        double *to = values + (size_t)f->row[pattern[i]] * width;
        const double *row = l + (size_t)offset[i] * depth;
        for (uint32_t r = s->size[pattern[i]]; r > 0; r--, to += width, row += depth)
            subtract_row(to, row, t, width, depth);
    }
}

KNOWN_WIDTH void take_deep(const tr_factor *f, uint32_t column, uint32_t from, uint32_t depth)
{
#define TAKE(width) take_sized(f, column, from, width, depth)
    BY_WIDTH(f->sparse->size[column], TAKE)
}

static void take_from(const tr_factor *f, uint32_t column, uint32_t from){
#define TAKE_DEEP(depth) take_deep(f, column, from, depth)
    BY_WIDTH(f->sparse->size[from], TAKE_DEEP)}

/* Factors a column that has taken all changes. A joint's pivots are negative, a body's positive. */
KNOWN_WIDTH uint32_t
    factor_sized(double *value, double *pivot, uint32_t rows, const double *least, double sign, uint32_t width)
{
    double above[TR_SPARSE_SIZE * TR_SPARSE_SIZE], inverse[TR_SPARSE_SIZE];
    uint32_t dropped = 0;
    memset(above, 0, (size_t)width * width * sizeof *above);
    for (uint32_t c = 0; c < width; c++) {
        const double d = value[c * width + c];
        const bool drop = !(sign * d > (least != NULL ? least[c] : 0.0));
        pivot[c] = drop ? 0.0 : d;
        dropped += drop ? 1u : 0u;
        inverse[c] = drop ? 0.0 : 1.0 / d;
        for (uint32_t k = c + 1; k < width; k++)
            above[c * width + k] = drop ? 0.0 : value[k * width + c];
        for (uint32_t r = c + 1; r < width; r++) {
            double *row = value + (size_t)r * width, l = drop ? 0.0 : row[c] * inverse[c];
            row[c] = l;
            for (uint32_t k = c + 1; k <= r; k++)
                row[k] -= l * above[c * width + k];
        }
    }
    double *row = value + (size_t)width * width;
    for (uint32_t r = width; r < rows; r++, row += width)
        for (uint32_t c = 0; c < width; c++) {
            const double l = pivot[c] != 0.0 ? row[c] * inverse[c] : 0.0;
            row[c] = l;
            for (uint32_t k = c + 1; k < width; k++)
                row[k] -= l * above[c * width + k];
        }
    return dropped;
}

static uint32_t factor_column(tr_factor *f, uint32_t column, uint32_t rows, const double *least, double sign)
{
    const tr_sparse *s = f->sparse;
    double *value = f->value + s->start[column], *pivot = f->pivot + (size_t)column * TR_SPARSE_SIZE;
    uint32_t dropped;
#define FACTOR(width) dropped = factor_sized(value, pivot, rows, least, sign, width)
    BY_WIDTH(s->size[column], FACTOR)
    return dropped;
}

/* puts a column into the list of the next place in its pattern */
static void go_on(tr_factor *f, uint32_t column)
{
    const tr_sparse *s = f->sparse;
    if (f->reached[column] == s->length[column])
        return;
    uint32_t at = s->pattern[s->first[column] + f->reached[column]];
    f->next[column] = f->head[at];
    f->head[at] = column;
}

uint32_t tr_factor_make(tr_factor *factor, const double *least)
{
    tr_factor *f = factor;
    const tr_sparse *s = f->sparse;
    uint32_t dropped = 0;
    for (uint32_t p = 0; p < s->node_count; p++)
        f->head[p] = NONE;
    for (uint32_t p = 0; p < s->node_count; p++) {
        const uint32_t *pattern = s->pattern + s->first[p], *offset = s->offset + s->first[p];
        uint32_t rows = s->size[p], node = s->nodes[p];
        f->row[p] = 0;
        for (uint32_t k = 0; k < s->length[p]; k++) {
            f->row[pattern[k]] = offset[k];
            rows = offset[k] + s->size[pattern[k]];
        }
        for (uint32_t from = f->head[p], next; from != NONE; from = next) {
            next = f->next[from];
            take_from(f, p, from);
            f->reached[from]++;
            go_on(f, from);
        }
        const bool joint = node >= s->body_count;
        dropped += factor_column(f, p, rows, joint ? least + s->number[node] : NULL, joint ? -1.0 : 1.0);
        f->reached[p] = 0;
        go_on(f, p);
    }
    return dropped;
}

/* the way forward of a column, and back */
KNOWN_WIDTH void go_forward(const tr_factor *f, double *x, uint32_t p, uint32_t width)
{
    const tr_sparse *s = f->sparse;
    const uint32_t *pattern = s->pattern + s->first[p];
    const double *l = f->value + s->start[p];
    double *to = x + s->number[s->nodes[p]], own[TR_SPARSE_SIZE];
    for (uint32_t c = 0; c < width; c++)
        own[c] = to[c];
    for (uint32_t c = 0; c < width; c++)
        for (uint32_t r = c + 1; r < width; r++)
            own[r] -= l[r * width + c] * own[c];
    for (uint32_t c = 0; c < width; c++)
        to[c] = own[c];
    l += width * width;
    for (uint32_t k = 0; k < s->length[p]; k++) {
        double *other = x + s->number[s->nodes[pattern[k]]];
        for (uint32_t r = 0; r < s->size[pattern[k]]; r++, l += width) {
            double sum = other[r];
            for (uint32_t c = 0; c < width; c++)
                sum -= l[c] * own[c];
            other[r] = sum;
        }
    }
}

KNOWN_WIDTH void go_back(const tr_factor *f, double *x, uint32_t p, uint32_t width)
{
    const tr_sparse *s = f->sparse;
    const uint32_t *pattern = s->pattern + s->first[p];
    const double *l = f->value + s->start[p], *pivot = f->pivot + (size_t)p * TR_SPARSE_SIZE;
    const double *below = l + width * width;
    double *to = x + s->number[s->nodes[p]], own[TR_SPARSE_SIZE];
    for (uint32_t c = 0; c < width; c++)
        own[c] = pivot[c] != 0.0 ? to[c] / pivot[c] : 0.0;
    for (uint32_t k = 0; k < s->length[p]; k++) {
        const double *other = x + s->number[s->nodes[pattern[k]]];
        for (uint32_t r = 0; r < s->size[pattern[k]]; r++, below += width)
            for (uint32_t c = 0; c < width; c++)
                own[c] -= below[c] * other[r];
    }
    for (uint32_t c = width; c-- > 0;)
        for (uint32_t r = c + 1; r < width; r++)
            own[c] -= l[r * width + c] * own[r];
    for (uint32_t c = 0; c < width; c++)
        to[c] = own[c];
}

void tr_factor_solve(const tr_factor *factor, double *x)
{
    const tr_sparse *s = factor->sparse;
#define GO_FORWARD(width) go_forward(factor, x, p, width)
#define GO_BACK(width)    go_back(factor, x, p, width)
    for (uint32_t p = 0; p < s->node_count; p++)
        BY_WIDTH(s->size[p], GO_FORWARD)
    for (uint32_t p = s->node_count; p-- > 0;)
        BY_WIDTH(s->size[p], GO_BACK)
}

bool tr_program_make(tr_program *out, tr_memory *memory, const tr_sparse *s, size_t most, bool late_only)
{
    const uint32_t listed = late_only ? s->soon_count : s->early_count;
    size_t blocks = 0, targets = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t p = 0; p < s->node_count; p++) {
        blocks += s->length[p];
        targets += (size_t)s->length[p] * (s->length[p] + 1) / 2;
    }
    if (targets > most || s->value_count > UINT32_MAX)
        return true;
    const size_t columns = s->node_count;
    out->size = (columns * sizeof *out->columns + 7) / 8 * 8 + (blocks * sizeof *out->blocks + 7) / 8 * 8 +
                (targets * sizeof *out->targets + 7) / 8 * 8 + 8;
    out->memory = tr_allocate(memory, out->size);
    if (out->memory == NULL) {
        out->size = 0;
        return false;
    }
    unsigned char *at = out->memory;
    out->columns = part(&at, columns, sizeof *out->columns);
    out->blocks = part(&at, blocks, sizeof *out->blocks);
    out->targets = part(&at, targets, sizeof *out->targets);
    out->column_count = s->node_count;
    out->early_count = listed;
    out->soon_count = s->soon_count;
    out->skipped = (uint32_t)(listed < s->node_count ? s->start[listed] : s->value_count);
    out->value_count = (uint32_t)s->value_count - out->skipped;
    uint32_t block = 0, target = 0;
    for (uint32_t p = 0; p < s->node_count; p++) {
        const uint32_t *pattern = s->pattern + s->first[p], node = s->nodes[p];
        uint32_t rows = 0;
        const bool early = p < listed;
        out->columns[p] = (tr_program_column){.start = early ? 0 : (uint32_t)s->start[p] - out->skipped,
                                              .node = node,
                                              .number = s->number[node],
                                              .first = block,
                                              .count = s->length[p],
                                              .target = target,
                                              .width = s->size[p],
                                              .joint = node >= s->body_count};
        out->number_count += s->size[p];
        for (uint32_t i = 0; i < s->length[p]; i++) {
            const uint32_t place = pattern[i];
            out->blocks[block++] = (tr_program_block){s->nodes[place], s->number[s->nodes[place]], s->size[place]};
            rows += s->size[place];
            for (uint32_t j = 0; j <= i; j++) {
                const uint32_t to = pattern[j], row = i == j ? 0 : row_of(s, to, place);
                out->targets[target++] = (uint32_t)(s->start[to] + (size_t)row * s->size[to]) - out->skipped;
            }
        }
        out->rows = !early && rows > out->rows ? rows : out->rows;
    }
    return true;
}

void tr_program_free(tr_program *program, tr_memory *memory)
{
    tr_release(memory, program->memory, program->size);
    memset(program, 0, sizeof *program);
}
