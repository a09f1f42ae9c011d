/* All kernels of an instruction set. The including file defines TR_WIDTH, and TR2_KERNELS as the name of the table. */
#include <string.h>

#include "solver/body_table.inl"
#include "solver/leaves.inl"
#include "solver/prepare.inl"

#define TR2_JOINT_KERNEL
#include "solver/joints2/table.h"

/*
 * Passes
 */

/* how the records of a block's bodies are accessed */
typedef struct reach {
    bool run, fixed;
    bool tile_a, tile_b; /* the bodies at that end are in a tile */
} reach;

/* loads the records of the bodies of TR_WIDTH lanes from `lane` on */
TR_INLINE w4 records_load(const void *records, const int32_t *index, int lane, reach how, bool tile)
{
    if (tile)
        return w4_load_tile((const float *)records + index[0], lane);
    if (how.run)
        return w4_load_groups((const float *)records, index, lane);
    return w4_load_rows((const float *)records, index + lane, 1);
}

TR_INLINE void records_store(const tr2_kernel_context *k, void *records, const int32_t *index, int lane, w4 r,
                             reach how, bool tile)
{
    if (tile)
        w4_store_tile((float *)records + index[0], lane, r);
    else if (how.run)
        w4_store_groups((float *)records, index, lane, r);
    else if (how.fixed)
        w4_store_rows_below((float *)records, index + lane, 1, r, TR2_ROW * k->moving_end);
    else
        w4_store_rows((float *)records, index + lane, 1, r);
}

/* `turned`: the turned angles have changed, so they are stored, too */
TR_INLINE void motions_store(const tr2_kernel_context *k, const int32_t *index, int lane, motion m, reach how,
                             bool tile, bool turned)
{
    if (tile && !turned)
        w4_store_tile_xyz((float *)k->velocities + index[0], lane, motion_record(m));
    else
        records_store(k, k->velocities, index, lane, motion_record(m), how, tile);
}

/* tr2_prefetch, for block `index` of a pass from `first` on. Level 2 is near enough. */
TR_INLINE void prefetch_ahead(const tr2_kernel_context *k, const tr2_blocks *blocks, uint32_t first, uint32_t index)
{
    const tr2_prefetch *p = &k->prefetch;
    if (p->ahead == 0)
        return;
    const uint32_t block = index + p->ahead, row = p->row + TR_RUN_GROUP * (index - first);
    const uint32_t lines = (uint32_t)(blocks->stride / TR_ALIGNMENT), end = p->end_line < lines ? p->end_line : lines;
    for (uint32_t line = p->first_line; block < blocks->count && line < end; line++)
        __builtin_prefetch((const unsigned char *)tr2_block_ends(blocks, block) + (size_t)line * TR_ALIGNMENT, 0, 2);
    if (row < p->end_row) {
        __builtin_prefetch(k->velocities + row, 1, 2);
        __builtin_prefetch(k->poses + row, 0, 2);
    }
}

/* the warm starts without stored geometry, and the sweep for impulses that start at 0: tr2_placed */
enum { TR2_PASS_WARM_ANEW = TR2_PASS_COUNT, TR2_PASS_WARM_FIRST, TR2_PASS_STEP_AFRESH, PASS_VARIANTS };

static const tr2_pass passes[PASS_VARIANTS] = {
    [TR2_PASS_WARM_START] = {.warm_start = true, .biased = true},
    [TR2_PASS_SOLVE] = {.biased = true},
    [TR2_PASS_RELAX] = {.refresh = true},
    [TR2_PASS_STEP] = {.refresh = true, .biased = true},
    [TR2_PASS_PROJECT] = {.refresh = true, .biased = true, .project = true},
    [TR2_PASS_BOUNCE] = {.bounce = true},
    [TR2_PASS_WARM_ANEW] = {.warm_start = true, .refresh = true, .biased = true},
    [TR2_PASS_WARM_FIRST] = {.warm_start = true, .refresh = true, .biased = true, .still = true},
    [TR2_PASS_STEP_AFRESH] = {.refresh = true, .biased = true, .afresh = true},
    [TR2_PASS_REBOUND] = {.bounce = true, .rebound = true},
};

/* Whether a pass of a type has code of its own for blocks between tiles, for runs, and for bodies anywhere. The others,
   and all of W = 1, ask for each vector how its bodies are reached: with code of their own, compiling would take half
   as long again. */
TR_INLINE bool has_own_code(bool is_common, int which)
{
    return TR_WIDTH > 1 && is_common && !passes[which].project;
}

#define DEFINE_PASS(name, variant, featured, which)                                                                    \
    TR_INLINE void name##_##variant##_##which##_block(const tr2_kernel_context *k, tr2_block_bodies *bodies,           \
                                                      float *place, reach how)                                         \
    {                                                                                                                  \
        tr2_pass pass = passes[which];                                                                                 \
        float *columns = tr2_columns_behind(bodies);                                                                   \
        for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                        \
            motion a = motion_of(records_load(k->velocities, bodies->a, lane, how, how.tile_a));                       \
            motion b = motion_of(records_load(k->velocities, bodies->b, lane, how, how.tile_b));                       \
            pose pa = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()}, pb = pa;                                        \
            if (pass.refresh && !pass.still) {                                                                         \
                pa = pose_of(records_load(k->poses, bodies->a, lane, how, how.tile_a));                                \
                pb = pose_of(records_load(k->poses, bodies->b, lane, how, how.tile_b));                                \
            }                                                                                                          \
            motion a0 = a, b0 = b;                                                                                     \
            pass.place = place != NULL ? place + lane : NULL;                                                          \
            name##_visit(k, pass, featured, columns + lane, &a, &b, &pa, &pb);                                         \
            if (pass.project) {                                                                                        \
                records_store(k, k->poses, bodies->a, lane, moved_on(k, pa, &a, a0), how, how.tile_a);                 \
                records_store(k, k->poses, bodies->b, lane, moved_on(k, pb, &b, b0), how, how.tile_b);                 \
            }                                                                                                          \
            motions_store(k, bodies->a, lane, a, how, how.tile_a, pass.project);                                       \
            motions_store(k, bodies->b, lane, b, how, how.tile_b, pass.project);                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_##variant##_##which(const tr2_kernel_context *context, const tr2_blocks *all, uint32_t first,   \
                                           uint32_t count, float *places, uint32_t stride)                             \
    {                                                                                                                  \
        /* copies, which need not be read again after each store of a vector */                                        \
        const tr2_kernel_context near = *context, *k = &near;                                                          \
        const tr2_blocks here = *all, *blocks = &here;                                                                 \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            float *place = places != NULL ? places + (size_t)(i - first) * stride * TR_LANES : NULL;                   \
            prefetch_ahead(context, blocks, first, i);                                                                 \
            uint8_t flags = blocks->flags[i];                                                                          \
            if (passes[which].bounce && !contact_bounces(featured, tr2_block_columns(blocks, i)))                      \
                continue;                                                                                              \
            const bool tiles = (uint32_t)name##_type != TR2_CONTACT && k->tiled;                                       \
            const bool own = has_own_code(name##_is_common, which);                                                    \
            const reach any = {.run = !passes[which].project && !tiles && (flags & TR2_BLOCK_RUN) != 0,                \
                               .fixed = tiles || (flags & TR2_BLOCK_FIXED) != 0,                                       \
                               .tile_a = tiles && (flags & TR2_BLOCK_TILE_A) != 0,                                     \
                               .tile_b = tiles && (flags & TR2_BLOCK_TILE_B) != 0};                                    \
            if (own && any.tile_a && any.tile_b)                                                                       \
                name##_##variant##_##which##_block(k, tr2_block_ends(blocks, i), place,                                \
                                                   (reach){.tile_a = true, .tile_b = true});                           \
            else if (own && any.run)                                                                                   \
                name##_##variant##_##which##_block(k, tr2_block_ends(blocks, i), place, (reach){.run = true});         \
            else if (own && !tiles)                                                                                    \
                name##_##variant##_##which##_block(k, tr2_block_ends(blocks, i), place, (reach){.fixed = any.fixed});  \
            else                                                                                                       \
                name##_##variant##_##which##_block(k, tr2_block_ends(blocks, i), place, any);                          \
        }                                                                                                              \
    }

#define DEFINE_VARIANT(name, variant, featured)                                                                        \
    DEFINE_PREPARE(name, variant, featured, name##_##variant##_impulses)                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_WARM_START)                                                          \
    DEFINE_PASS(name, variant, featured, TR2_PASS_SOLVE)                                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_RELAX)                                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_STEP)                                                                \
    DEFINE_PASS(name, variant, featured, TR2_PASS_PROJECT)

#define DEFINE_KERNELS(enumerator, name)                                                                               \
    enum { name##_type = enumerator };                                                                                 \
    DEFINE_VARIANT(name, plain, false)                                                                                 \
    DEFINE_VARIANT(name, featured, true)

TR2_TABLES(DEFINE_KERNELS)

/* passes that few types have */
DEFINE_PASS(revolute, plain, false, TR2_PASS_WARM_ANEW)
DEFINE_PASS(revolute, featured, true, TR2_PASS_WARM_ANEW)
DEFINE_PASS(revolute, plain, false, TR2_PASS_WARM_FIRST)
DEFINE_PASS(revolute, featured, true, TR2_PASS_WARM_FIRST)
DEFINE_PASS(revolute, plain, false, TR2_PASS_STEP_AFRESH)
DEFINE_PASS(contact, plain, false, TR2_PASS_BOUNCE)
DEFINE_PASS(contact, featured, true, TR2_PASS_BOUNCE)
DEFINE_PASS(contact, plain, false, TR2_PASS_REBOUND)
DEFINE_PASS(contact, featured, true, TR2_PASS_REBOUND)

#define PASS(name, variant, which) [which] = name##_##variant##_##which
#define VARIANT(enumerator, name, variant, index, bounce, rebound)                                                     \
    [2 * (enumerator) + (index)] = {                                                                                   \
        name##_##variant##_columns,                                                                                    \
        name##_##variant##_impulses,                                                                                   \
        name##_##variant##_prepare,                                                                                    \
        {PASS(name, variant, TR2_PASS_WARM_START), PASS(name, variant, TR2_PASS_SOLVE),                                \
         PASS(name, variant, TR2_PASS_RELAX), PASS(name, variant, TR2_PASS_STEP),                                      \
         PASS(name, variant, TR2_PASS_PROJECT), [TR2_PASS_BOUNCE] = (bounce), [TR2_PASS_REBOUND] = (rebound)},         \
    },
#define ENTRY(enumerator, name)                                                                                        \
    VARIANT(enumerator, name, plain, 0, NULL, NULL) VARIANT(enumerator, name, featured, 1, NULL, NULL)

const tr2_kernels TR2_KERNELS = {
    .prepare_bodies = prepare_bodies,
    .finish_bodies = finish_bodies,
    .begin_rows = begin_rows,
    .turn_tiles = turn_tiles,
    .integrate_velocities = integrate_velocities,
    .integrate_positions = integrate_positions,
    .integrate_both = integrate_both,
    .stiffness = stiffness,
    .leaves_up = leaves_up,
    .leaves_down = leaves_down,
    .joints = {TR2_JOINT_TYPES(ENTRY) VARIANT(TR2_CONTACT, contact, plain, 0, contact_plain_TR2_PASS_BOUNCE,
                                              contact_plain_TR2_PASS_REBOUND)
                   VARIANT(TR2_CONTACT, contact, featured, 1, contact_featured_TR2_PASS_BOUNCE,
                           contact_featured_TR2_PASS_REBOUND)},
    .placed = {[2 * TR2_REVOLUTE] = {REVOLUTE_PLACES, revolute_plain_TR2_PASS_WARM_ANEW,
                                     revolute_plain_TR2_PASS_WARM_FIRST, revolute_plain_TR2_PASS_STEP_AFRESH},
               [2 * TR2_REVOLUTE + 1] = {REVOLUTE_PLACES, revolute_featured_TR2_PASS_WARM_ANEW,
                                         revolute_featured_TR2_PASS_WARM_FIRST, NULL}},
};
