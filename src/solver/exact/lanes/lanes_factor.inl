/* The factor of islands side by side, and the solution for two right-hand sides (solver/exact/lanes/lanes.inl). */

/* numbers of a node, at most */
#define WIDTH_MOST 10
_Static_assert(WIDTH_MOST >= DEGREES && WIDTH_MOST >= TR_EXACT_ROWS_MOST, "a node has room");

/* as UNROLLED, of loops over the numbers of a node */
#if defined(__clang__)
#define UNROLLED_NODE
#else
#define UNROLLED_NODE _Pragma("GCC unroll 8")
#endif

/* to -= u l^T of two blocks; the depth is known where it is inlined */
KNOWN_SIZES void take_block(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < (own ? r + 1 : columns); c++) {
            wd sum = to[r * columns + c];
            UNROLLED_NODE
            for (uint32_t k = 0; k < depth; k++)
                sum = sum - u[r * depth + k] * l[c * depth + k];
            to[r * columns + c] = sum;
        }
}

/* the same with sizes that are known for the usual ones */
KNOWN_SIZES void take_sized(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
{
    if (own && rows == AXES)
        take_block(to, u, l, AXES, AXES, depth, true);
    else if (own && rows == DEGREES)
        take_block(to, u, l, DEGREES, DEGREES, depth, true);
    else if (rows == AXES && columns == AXES)
        take_block(to, u, l, AXES, AXES, depth, false);
    else if (rows == AXES && columns == DEGREES)
        take_block(to, u, l, AXES, DEGREES, depth, false);
    else if (rows == DEGREES && columns == AXES)
        take_block(to, u, l, DEGREES, AXES, depth, false);
    else if (rows == DEGREES && columns == DEGREES)
        take_block(to, u, l, DEGREES, DEGREES, depth, false);
    else
        take_block(to, u, l, rows, columns, depth, own);
}

/* Factors a column, and takes what it gives to the right-hand sides: the way forward is done when all columns are. The
   width is known where it is inlined. */
KNOWN_SIZES void factor_column(lane_pack *p, const tr_program_column *column, uint32_t width, wdm *bad)
{
    const tr_program_block *blocks = p->program->blocks + column->first;
    const uint32_t *target = p->program->targets + column->target;
    wd *own = p->value + column->start, *u = p->scratch;
    wd above[WIDTH_MOST], inverse[WIDTH_MOST];
    for (uint32_t c = 0; c < width; c++) {
        const wd d = own[c * width + c], none = wd_set(0.0);
        *bad |= ~(column->joint ? wd_lt(d, none) : wd_lt(none, d));
        inverse[c] = wd_set(1.0) / d;
        for (uint32_t r = c + 1; r < width; r++) {
            above[r] = own[r * width + c];
            const wd l = above[r] * inverse[c];
            for (uint32_t k = c + 1; k <= r; k++)
                own[r * width + k] = own[r * width + k] - l * above[k];
            own[r * width + c] = l;
        }
    }
    wd(*unknown)[2] = p->x + column->number, x[WIDTH_MOST][2];
    for (uint32_t c = 0; c < width; c++)
        for (int side = 0; side < 2; side++) {
            x[c][side] = unknown[c][side];
            for (uint32_t k = 0; k < c; k++)
                x[c][side] = x[c][side] - own[c * width + k] * x[k][side];
            unknown[c][side] = x[c][side] * inverse[c];
        }
    wd *row = own + width * width;
    for (uint32_t i = 0; i < column->count; i++) {
        wd(*out)[2] = p->x + blocks[i].number;
        for (uint32_t r = 0; r < blocks[i].size; r++, row += width, u += width) {
            wd one = out[r][0], other = out[r][1], numbers[WIDTH_MOST];
            UNROLLED_NODE
            for (uint32_t c = 0; c < width; c++)
                numbers[c] = row[c];
            UNROLLED_NODE
            for (uint32_t k = 0; k < width; k++) {
                UNROLLED_NODE
                for (uint32_t c = k + 1; c < width; c++)
                    numbers[c] = numbers[c] - numbers[k] * own[c * width + k];
            }
            UNROLLED_NODE
            for (uint32_t c = 0; c < width; c++) {
                u[c] = numbers[c];
                row[c] = numbers[c] * inverse[c];
                one = one - row[c] * x[c][0];
                other = other - row[c] * x[c][1];
            }
            out[r][0] = one;
            out[r][1] = other;
        }
    }
    const wd *l = own + width * width;
    u = p->scratch;
    for (uint32_t i = 0; i < column->count; i++) {
        const wd *from = l;
        for (uint32_t j = 0; j <= i; j++, target++) {
            take_sized(p->value + *target, u, from, blocks[i].size, blocks[j].size, width, i == j);
            from += blocks[j].size * width;
        }
        u += blocks[i].size * width;
    }
}

/* Factors the own numbers of a column, and goes forward with its unknowns, which `x` gets as they are before they are divided
   by the pivots. */
KNOWN_SIZES void factor_own(const lane_column *column, uint32_t width, wd l[DEGREES][DEGREES], wd inverse[DEGREES],
                            wd x[DEGREES][2], wdm *bad)
{
    wd *own = column->own, (*unknown)[2] = column->x;
    UNROLLED
    for (uint32_t r = 0; r < DEGREES; r++)
        for (uint32_t c = 0; c < DEGREES; c++)
            if (r < width && c <= r)
                l[r][c] = own[r * width + c];
    UNROLLED
    for (uint32_t c = 0; c < DEGREES; c++) {
        if (c >= width)
            continue;
        const wd none = wd_set(0.0), d = l[c][c];
        *bad |= ~(column->joint ? wd_lt(d, none) : wd_lt(none, d));
        inverse[c] = wd_set(1.0) / d;
        x[c][0] = unknown[c][0];
        x[c][1] = unknown[c][1];
        UNROLLED
        for (uint32_t k = 0; k < DEGREES; k++)
            if (k < c) {
                x[c][0] = x[c][0] - l[c][k] * x[k][0];
                x[c][1] = x[c][1] - l[c][k] * x[k][1];
            }
        unknown[c][0] = x[c][0] * inverse[c];
        unknown[c][1] = x[c][1] * inverse[c];
        UNROLLED
        for (uint32_t r = 0; r < DEGREES; r++) {
            if (r <= c || r >= width)
                continue;
            const wd part = l[r][c] * inverse[c];
            UNROLLED
            for (uint32_t k = 0; k < DEGREES; k++)
                if (k > c && k <= r)
                    l[r][k] = l[r][k] - part * l[k][c];
        }
        /* what is above has been used */
        UNROLLED
        for (uint32_t r = 0; r < DEGREES; r++)
            if (r > c && r < width)
                own[r * width + c] = l[r][c] = l[r][c] * inverse[c];
    }
}

/* What a block of a column that is factored becomes, and gives to its unknowns; `u`: it before it is divided by the pivots,
   `m`: after. */
KNOWN_SIZES void factor_block(wd (*out)[2], wd *row, uint32_t width, uint32_t rows, wd l[DEGREES][DEGREES],
                              const wd inverse[DEGREES], wd x[DEGREES][2], wd u[DEGREES][DEGREES],
                              wd m[DEGREES][DEGREES])
{
    UNROLLED
    for (uint32_t r = 0; r < DEGREES; r++) {
        if (r >= rows)
            continue;
        wd one = out[r][0], other = out[r][1];
        UNROLLED
        for (uint32_t c = 0; c < DEGREES; c++) {
            if (c >= width)
                continue;
            u[r][c] = row[r * width + c];
            UNROLLED
            for (uint32_t k = 0; k < DEGREES; k++)
                if (k < c)
                    u[r][c] = u[r][c] - u[r][k] * l[c][k];
            m[r][c] = row[r * width + c] = u[r][c] * inverse[c];
            one = one - m[r][c] * x[c][0];
            other = other - m[r][c] * x[c][1];
        }
        out[r][0] = one;
        out[r][1] = other;
    }
}

/* to -= u m^T of two blocks with so many rows, or of one */
KNOWN_SIZES void take_known(wd *to, wd u[DEGREES][DEGREES], wd m[DEGREES][DEGREES], uint32_t rows, uint32_t columns,
                            uint32_t width, bool own)
{
    UNROLLED
    for (uint32_t r = 0; r < DEGREES; r++) {
        UNROLLED
        for (uint32_t c = 0; c < DEGREES; c++) {
            if (r >= rows || c >= columns || (own && c > r))
                continue;
            wd sum = to[r * columns + c];
            UNROLLED
            for (uint32_t k = 0; k < DEGREES; k++)
                if (k < width)
                    sum = sum - u[r][k] * m[c][k];
            to[r * columns + c] = sum;
        }
    }
}

/* as factor_column(), of one with no block or one of `rows` rows, both of which are known where it is inlined: most are */
KNOWN_SIZES void factor_link(const lane_column *column, uint32_t width, uint32_t rows, wdm *bad)
{
    wd l[DEGREES][DEGREES], inverse[DEGREES], x[DEGREES][2], u[DEGREES][DEGREES], m[DEGREES][DEGREES];
    factor_own(column, width, l, inverse, x, bad);
    if (rows == 0)
        return;
    factor_block(column->out, column->own + width * width, width, rows, l, inverse, x, u, m);
    take_known(column->target, u, m, rows, rows, width, true);
}

/* the same, of one with two blocks: those of a chain that is cut, of which one is of the joint at its end */
KNOWN_SIZES void factor_fork(lane_pack *p, uint32_t i, uint32_t width, uint32_t rows, uint32_t others, wdm *bad)
{
    const tr_program_column *column = &p->program->columns[i];
    wd l[DEGREES][DEGREES], inverse[DEGREES], x[DEGREES][2];
    wd u[2][DEGREES][DEGREES], m[2][DEGREES][DEGREES];
    const tr_program_block *block = p->program->blocks + column->first;
    const uint32_t *target = p->program->targets + column->target;
    wd *row = p->value + column->start + width * width;
    factor_own(&p->columns[i], width, l, inverse, x, bad);
    factor_block(p->x + block[0].number, row, width, rows, l, inverse, x, u[0], m[0]);
    factor_block(p->x + block[1].number, row + rows * width, width, others, l, inverse, x, u[1], m[1]);
    take_known(p->value + target[0], u[0], m[0], rows, rows, width, true);
    take_known(p->value + target[1], u[1], m[0], others, rows, width, false);
    take_known(p->value + target[2], u[1], m[1], others, others, width, true);
}

/* columns with at most one block, and sizes that most have: width, and rows of the block */
#define SIZES(X)                                                                                                       \
    X(1, AXES, 0)                                                                                                      \
    X(2, AXES, AXES)                                                                                                   \
    X(3, AXES, DEGREES)                                                                                                \
    X(4, DEGREES, DEGREES)

/* and that with two blocks */
#define FORK 5

/* widths of others that are usual: of points, bodies and coordinates; in space of hinges without and with features, and of
   balls with cone, twist and friction */
#if TRN_AXES == 2
#define WIDTHS(X) X(1) X(AXES) X(DEGREES)
#else
#define WIDTHS(X) X(1) X(AXES) X(5) X(DEGREES) X(8)
#endif

/* where columns are, and which of these */
static void place_columns(lane_pack *p)
{
    for (uint32_t i = 0; i < p->program->column_count; i++) {
        const tr_program_column *column = &p->program->columns[i];
        const tr_program_block *block = &p->program->blocks[column->first];
        const uint32_t rows = column->count == 0 ? 0 : (uint32_t)block->size;
        const uint32_t both = column->count < 2 ? (uint32_t)column->width << 8 | rows : 0;
        lane_column *to = &p->columns[i];
        *to = (lane_column){.own = p->value + column->start, .x = p->x + column->number, .joint = column->joint};
        if (column->count > 0) {
            to->out = p->x + block->number;
            to->target = p->value + p->program->targets[column->target];
        }
#define FIND(number, width, others)                                                                                    \
    if (both == ((width) << 8 | (others)))                                                                             \
        to->sizes = number;
        SIZES(FIND)
#undef FIND
        if (column->count == 2 && column->width == AXES && rows == AXES && block[1].size == AXES)
            to->sizes = FORK;
    }
}

static void factor_pack(lane_pack *p)
{
    wdm bad = p->bad;
    for (uint32_t i = p->program->early_count; i < p->program->soon_count; i++) {
        const tr_program_column *column = &p->program->columns[i];
        switch (p->columns[i].sizes) {
#define RUN(number, width, others)                                                                                     \
    case number:                                                                                                       \
        factor_link(&p->columns[i], width, others, &bad);                                                              \
        continue;
            SIZES(RUN)
#undef RUN
        case FORK:
            factor_fork(p, i, AXES, AXES, AXES, &bad);
            continue;
        default:
            break;
        }
        switch (column->width) {
#define RUN(width)                                                                                                     \
    case width:                                                                                                        \
        factor_column(p, column, width, &bad);                                                                         \
        break;
            WIDTHS(RUN)
#undef RUN
        default:
            factor_column(p, column, column->width, &bad);
        }
    }
    p->bad = bad;
}

/* own -= L^T out of a block, whose rows have `width` numbers each, for both right-hand sides */
TR_INLINE void back_rows(wd (*own)[2], const wd *l, wd (*out)[2], uint32_t rows, uint32_t width)
{
    for (uint32_t r = 0; r < rows; r++, l += width)
        for (uint32_t c = 0; c < width; c++) {
            own[c][0] = own[c][0] - l[c] * out[r][0];
            own[c][1] = own[c][1] - l[c] * out[r][1];
        }
}

KNOWN_SIZES void back_column(lane_pack *p, const tr_program_column *column, uint32_t width)
{
    const wd *own_l = p->value + column->start, *l = own_l + width * width;
    wd(*own)[2] = p->x + column->number, x[WIDTH_MOST][2];
    for (uint32_t c = 0; c < width; c++)
        for (int side = 0; side < 2; side++)
            x[c][side] = own[c][side];
    for (uint32_t i = 0; i < column->count; i++) {
        const tr_program_block *block = &p->program->blocks[column->first + i];
        if (block->size == AXES)
            back_rows(x, l, p->x + block->number, AXES, width);
        else if (block->size == DEGREES)
            back_rows(x, l, p->x + block->number, DEGREES, width);
        else
            back_rows(x, l, p->x + block->number, block->size, width);
        l += block->size * width;
    }
    for (uint32_t c = width; c-- > 0;)
        for (int side = 0; side < 2; side++) {
            for (uint32_t r = c + 1; r < width; r++)
                x[c][side] = x[c][side] - own_l[r * width + c] * x[r][side];
            own[c][side] = x[c][side];
        }
}

/* as back_column(), of a column as factor_link() has them */
KNOWN_SIZES void back_link(const lane_column *column, uint32_t width, uint32_t rows)
{
    const wd *own_l = column->own, *l = own_l + width * width;
    wd(*own)[2] = column->x, (*out)[2] = column->out, x[DEGREES][2];
    UNROLLED
    for (uint32_t c = 0; c < DEGREES; c++) {
        UNROLLED
        for (uint32_t side = 0; side < 2 && c < width; side++) {
            x[c][side] = own[c][side];
            UNROLLED
            for (uint32_t r = 0; r < DEGREES; r++)
                if (r < rows)
                    x[c][side] = x[c][side] - l[r * width + c] * out[r][side];
        }
    }
    UNROLLED
    for (uint32_t back = 0; back < DEGREES; back++) {
        const uint32_t c = DEGREES - 1 - back;
        UNROLLED
        for (uint32_t side = 0; side < 2 && c < width; side++) {
            UNROLLED
            for (uint32_t r = 0; r < DEGREES; r++)
                if (r > c && r < width)
                    x[c][side] = x[c][side] - own_l[r * width + c] * x[r][side];
            own[c][side] = x[c][side];
        }
    }
}

static void solve_pack(lane_pack *p)
{
    const tr_program_column *columns = p->program->columns;
    for (uint32_t i = p->program->soon_count; i-- > p->program->early_count;) {
        switch (p->columns[i].sizes) {
#define RUN(number, width, others)                                                                                     \
    case number:                                                                                                       \
        back_link(&p->columns[i], width, others);                                                                      \
        continue;
            SIZES(RUN)
#undef RUN
        default:
            break;
        }
        switch (columns[i].width) {
#define RUN(width)                                                                                                     \
    case width:                                                                                                        \
        back_column(p, &columns[i], width);                                                                            \
        break;
            WIDTHS(RUN)
#undef RUN
        default:
            back_column(p, &columns[i], columns[i].width);
        }
    }
}
