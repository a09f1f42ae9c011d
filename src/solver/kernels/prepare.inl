/* Preparation: fills the blocks from the tables of joints. */
#include "solver/kernels/gather.inl"
#include TRN_SETUP_FILE

/* a block's flags, but for what its bodies' moments are like */
TR_INLINE trn_block_flags with_moments(trn_block_flags flags, bool even, bool axial)
{
    const trn_block_flags others = (trn_block_flags)(flags & ~(TR_BLOCK_EVEN | TR_BLOCK_AXIAL));
    return (trn_block_flags)(others | (even ? TR_BLOCK_EVEN : axial ? TR_BLOCK_AXIAL : 0u));
}

#define DEFINE_PREPARE(name, variant, featured, impulse_count_)                                                        \
    static void name##_##variant##_prepare(const trn_kernel_context *k, const trn_joint_columns *columns,              \
                                           const trn_blocks *blocks, uint32_t first, uint32_t count)                   \
    {                                                                                                                  \
        inputs in;                                                                                                     \
        float on[TR_LANES];                                                                                            \
        const trn_joint_type_info *info = trn_joint_types[name##_type];                                                \
        field_list list;                                                                                               \
        const trn_mask mask = info->fields & ((featured) ? ~(trn_mask)0 : PLAIN_FIELDS | info->plain_fields);          \
        const bool kept = TRN_KEEPS_COLUMNS(name##_type, featured) && columns->same;                                   \
        bool listed = !kept;                                                                                           \
        list.count = 0;                                                                                                \
        if (listed)                                                                                                    \
            list_fields(&list, columns, mask, info, &in);                                                              \
        const bool has_anchors = columns->field[TRN_FIELD_ANCHOR_A_X] != NULL, angles = reads_angle(info, featured);   \
        const bool point = info->tie == TR_TIE_POINT;                                                                  \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            const trn_block_bodies *bodies = trn_block_ends(blocks, i);                                                \
            float *columns_of_block = trn_block_columns(blocks, i);                                                    \
            const uint32_t *rows = blocks->rows + (size_t)i * TR_LANES;                                                \
            bool contiguous = (blocks->flags[i] & TR_BLOCK_CONTIGUOUS) != 0;                                           \
            if (i + PREPARED_AHEAD < first + count)                                                                    \
                prefetch_columns(columns, &list, impulse_count_,                                                       \
                                 kept ? impulse_count_ + BASE_COLUMNS : name##_##variant##_columns, blocks,            \
                                 i + PREPARED_AHEAD);                                                                  \
            gather_impulses(k, columns, impulse_count_, info->impulse_roles, rows, contiguous, columns_of_block);      \
            const float *enabled = gather_enabled(columns, rows, contiguous, on) ? NULL : on;                          \
            ends from;                                                                                                 \
            gather_ends(k, bodies, blocks->flags[i], angles, &from);                                                   \
            if (kept && (blocks->flags[i] & TR_BLOCK_KEPT) != 0 &&                                                     \
                is_prepared(&from, enabled, columns_of_block + TR_LANES * (impulse_count_)))                           \
                continue;                                                                                              \
            gather_tables(k, bodies, &from);                                                                           \
            if (!listed)                                                                                               \
                list_fields(&list, columns, mask, info, &in);                                                          \
            listed = true;                                                                                             \
            gather_fields(&list, rows, contiguous, &in);                                                               \
            for (uint32_t own = 0; own < info->own_read[(featured) ? 1 : 0]; own++)                                    \
                in.field[TRN_FIELD_COUNT + own] =                                                                      \
                    gather_column(columns->own[own], rows, contiguous, in.lanes[TRN_FIELD_COUNT + own]);               \
            bool stiff = false, even = true;                                                                           \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                    \
                setup s = setup_lanes(k, columns, has_anchors, angles, enabled, rows + lane, bodies->a + lane,         \
                                      bodies->b + lane, &from, in.field, lane);                                        \
                name##_prepare(k, featured, in.field, lane, &s, columns_of_block + lane);                              \
                stiff = stiff || (point && is_stiff(k, &s, columns_of_block + lane));                                  \
                even = even && TRN_MARKS_MOMENTS(name##_type, featured) && is_even(&s);                                \
            }                                                                                                          \
            if (stiff)                                                                                                 \
                blocks->flags[i] |= TR_BLOCK_STIFF;                                                                    \
            if (TRN_MARKS_MOMENTS(name##_type, featured))                                                              \
                blocks->flags[i] = with_moments(blocks->flags[i], even,                                                \
                                                TRN_MARKS_AXIAL(name##_type, featured) && !even &&                     \
                                                    make_axial(columns_of_block + TR_LANES * (impulse_count_)));       \
            if (TRN_KEEPS_COLUMNS(name##_type, featured))                                                              \
                blocks->flags[i] = (trn_block_flags)(blocks->flags[i] | TR_BLOCK_KEPT);                                \
        }                                                                                                              \
    }
