/* The factor of islands side by side, and the solution for two right-hand sides (solver/exact/lanes.inl). */

/* numbers of a node, at most */
#define WIDTH_MOST 10
_Static_assert(WIDTH_MOST >= DEGREES && WIDTH_MOST >= TR_EXACT_ROWS_MOST, "a node has room");

/* to -= u l^T of two blocks; the depth is known where it is inlined */
TR_INLINE void take_block(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < (own ? r + 1 : columns); c++) {
            wd sum = to[r * columns + c];
            for (uint32_t k = 0; k < depth; k++)
                sum = sum - u[r * depth + k] * l[c * depth + k];
            to[r * columns + c] = sum;
        }
}

/* the same with sizes that are known for the usual ones */
TR_INLINE void take_sized(wd *to, const wd *u, const wd *l, uint32_t rows, uint32_t columns, uint32_t depth, bool own)
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

/* Factors a column, and takes what it gives to the right-hand sides: the way forward is done when all columns are. */
TR_INLINE void factor_column(lane_pack *p, const tr_program_column *column, uint32_t width)
{
    const tr_program_block *blocks = p->program->blocks + column->first;
    const uint32_t *target = p->program->targets + column->target;
    wd *own = p->value + column->start, *u = p->scratch;
    wd above[WIDTH_MOST], inverse[WIDTH_MOST];
    for (uint32_t c = 0; c < width; c++) {
        const wd d = own[c * width + c], none = wd_set(0.0);
        p->bad |= ~(column->joint ? wd_lt(d, none) : wd_lt(none, d));
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
            wd one = out[r][0], other = out[r][1];
            for (uint32_t c = 0; c < width; c++) {
                wd sum = row[c];
                for (uint32_t k = 0; k < c; k++)
                    sum = sum - u[k] * own[c * width + k];
                u[c] = sum;
                row[c] = sum * inverse[c];
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

static void factor_pack(lane_pack *p)
{
    for (uint32_t i = 0; i < p->program->column_count; i++) {
        const tr_program_column *column = &p->program->columns[i];
        switch (column->width) {
        case AXES:
            factor_column(p, column, AXES);
            break;
        case DEGREES:
            factor_column(p, column, DEGREES);
            break;
        case 1:
            factor_column(p, column, 1);
            break;
        default:
            factor_column(p, column, column->width);
        }
    }
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

TR_INLINE void back_column(lane_pack *p, const tr_program_column *column, uint32_t width)
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

static void solve_pack(lane_pack *p)
{
    const tr_program_column *columns = p->program->columns;
    for (uint32_t i = p->program->column_count; i-- > 0;) {
        switch (columns[i].width) {
        case AXES:
            back_column(p, &columns[i], AXES);
            break;
        case DEGREES:
            back_column(p, &columns[i], DEGREES);
            break;
        case 1:
            back_column(p, &columns[i], 1);
            break;
        default:
            back_column(p, &columns[i], columns[i].width);
        }
    }
}
