/* Preparation: what is read of the tables of joints, for one block after the other. */
/* 16 numbers of a column, in `out` unless they are consecutive; 0 for lanes without a joint */
TR_INLINE const float *gather_column(const float *column, const uint32_t *rows, bool contiguous, float *out)
{
    if (contiguous)
        return column + rows[0];
    for (int lane = 0; lane < TR_LANES; lane++)
        out[lane] = rows[lane] == TR_NONE ? 0.0f : column[rows[lane]];
    return out;
}

/* what a kernel reads of its joints' table: of each field 16 numbers, where they are in the table, or here */
typedef struct inputs {
    const float *field[TRN_FIELD_COUNT + TRN_MAX_OWN];
    float lanes[TRN_FIELD_COUNT + TRN_MAX_OWN][TR_LANES];
} inputs;

/* a field that a kernel reads and that differs between joints */
typedef struct listed_field {
    const float *column;
    uint32_t field;
    bool whole; /* stored as integers, to be converted to floats */
} listed_field;

/* these fields, listed once for all blocks */
typedef struct field_list {
    uint32_t count;
    listed_field of[TRN_FIELD_COUNT];
} field_list;

/* fills all lanes with one number, given as the bits of a column's cell */
static void fill_lanes(float *lanes, uint32_t bits, bool whole)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    for (int lane = 0; lane < TR_LANES; lane++)
        lanes[lane] = whole ? (float)bits : value;
}

static void list_field(field_list *list, const trn_joint_columns *columns, uint32_t i, inputs *in)
{
    trn_field_kind kind = trn_field_infos[i].kind;
    bool whole = kind == TR_KIND_BOOL || kind == TR_KIND_KIND;
    /* a double is read lane by lane, because only differences of doubles fit in a float */
    if (kind == TR_KIND_DOUBLE)
        return;
    if (columns->field[i] == NULL) {
        fill_lanes(in->lanes[i], columns->preset[i], whole);
        in->field[i] = in->lanes[i];
        return;
    }
    list->of[list->count++] = (listed_field){columns->field[i], i, whole};
}

/* those of a mask, and those that it has no room for */
static void list_fields(field_list *list, const trn_joint_columns *columns, trn_mask mask,
                        const trn_joint_type_info *info, inputs *in)
{
    list->count = 0;
    for (trn_mask left = mask; left != 0; left &= left - 1)
        list_field(list, columns, trn_mask_first(left), in);
    for (uint32_t i = 0; i < info->beyond_count; i++)
        list_field(list, columns, info->beyond + i, in);
}

/* converts 16 small integers of a column to floats in `out`; those with a sign take one instruction everywhere */
static const float *whole_lanes(const float *from, float *out)
{
    for (int lane = 0; lane < TR_LANES; lane++) {
        int32_t whole;
        memcpy(&whole, &from[lane], sizeof whole);
        out[lane] = (float)whole;
    }
    return out;
}

static void gather_fields(const field_list *list, const uint32_t *rows, bool contiguous, inputs *in)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const listed_field *it = &list->of[i];
        in->field[it->field] = gather_column(it->column, rows, contiguous, in->lanes[it->field]);
        if (it->whole)
            in->field[it->field] = whole_lanes(in->field[it->field], in->lanes[it->field]);
    }
}

/* loads impulses into the block's first columns; -0 becomes +0, because some widths skip rows that are off; those that
   a much longer sub-step makes absurd are dropped */
static void gather_impulses(const trn_kernel_context *k, const trn_joint_columns *columns, uint32_t impulse_count,
                            const trn_role *roles, const uint32_t *rows, bool contiguous, float *impulses)
{
    for (uint32_t i = 0; i < impulse_count; i++) {
        float *out = impulses + i * TR_LANES;
        const float *from = gather_column(columns->impulse[i], rows, contiguous, out);
        wf factor = wf_set(roles[i] == TR_ROLE_ROW ? k->row_factor : k->impulse_factor);
        for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
            wf p = wf_load(from + lane);
            if (roles[i] != TR_ROLE_PLACE)
                p = sane(p * factor + wf_zero());
            wf_store(out + lane, p);
        }
    }
}

/* finds the lanes with a joint that acts; returns true if all have one */
static bool gather_enabled(const trn_joint_columns *columns, const uint32_t *rows, bool contiguous, float *on)
{
    if (contiguous && trn_joints_act(columns->flags, rows[0]))
        return true;
    for (int lane = 0; lane < TR_LANES; lane++)
        on[lane] = rows[lane] != TR_NONE && trn_joint_acts(columns->flags, rows[lane]) ? 1.0f : 0.0f;
    return false;
}

/* Prefetches the input of the block after the next, and that block. These are more columns than the hardware
   prefetcher follows. */
#define PREPARED_AHEAD 2u

/* `column_count`: of the block */
TR_INLINE void prefetch_columns(const trn_joint_columns *columns, const field_list *list, uint32_t impulse_count,
                                uint32_t column_count, const trn_blocks *blocks, uint32_t index)
{
    const uint32_t row = blocks->rows[(size_t)index * TR_LANES];
    const unsigned char *block = (const unsigned char *)trn_block_ends(blocks, index);
    if (row == TR_NONE)
        return;
    for (uint32_t i = 0; i < list->count; i++)
        __builtin_prefetch(list->of[i].column + row);
    for (uint32_t i = 0; i < impulse_count; i++)
        __builtin_prefetch(columns->impulse[i] + row);
    for (size_t line = 0; line < sizeof(trn_block_bodies) + column_count * TR_LANES * sizeof(float);
         line += TR_ALIGNMENT)
        __builtin_prefetch(block + line, 1);
}
