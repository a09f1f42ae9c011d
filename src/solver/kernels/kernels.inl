/* All kernels of an instruction set. The including file defines TR_WIDTH, and TR_KERNELS as the name of the table. */
#include <string.h>

#include "solver/dimension.h"

#include TRN_BODY_KERNELS_FILE

#include "solver/kernels/prepare.inl"
#include TRN_VISITED_FILE

#define TR_JOINT_KERNEL
#include TRN_JOINTS_FILE

/* A build that is not made for speed has code for the general case only. */
#ifndef TR_COMPACT_KERNELS
#define TR_COMPACT_KERNELS 0
#endif

/*
 * Passes
 */

/* trn_prefetch, for block `index` of a pass from `first` on. Level 2 is near enough. `columns`: of a block, but for those
   at its end that few joints need */
TR_INLINE void prefetch_ahead(const trn_kernel_context *k, const trn_blocks *blocks, uint32_t columns, uint32_t first,
                              uint32_t index)
{
    const trn_prefetch *p = &k->prefetch;
    if (p->ahead == 0)
        return;
    const uint32_t block = index + p->ahead, row = p->row + TR_RUN_GROUP * (index - first);
    const uint32_t lines = (uint32_t)(sizeof(trn_block_bodies) / TR_ALIGNMENT) + columns;
    const uint32_t end = p->end_line < lines ? p->end_line : lines;
    for (uint32_t line = p->first_line; block < blocks->count && line < end; line++)
        __builtin_prefetch((const unsigned char *)trn_block_ends(blocks, block) + (size_t)line * TR_ALIGNMENT, 0, 2);
    for (int i = 0; row < p->end_row && i < TRN_PARTS; i++) {
        __builtin_prefetch(trn_group_of(k->velocities, row, i), 1, 2);
        __builtin_prefetch(trn_group_of(k->poses, row, i), 0, 2);
    }
}

/* the warm starts without stored geometry, and the sweep for impulses that start at 0: trn_placed */
enum { TR_PASS_WARM_ANEW = TR_PASS_COUNT, TR_PASS_WARM_FIRST, TR_PASS_STEP_AFRESH, PASS_VARIANTS };

static const trn_pass passes[PASS_VARIANTS] = {
    [TR_PASS_WARM_START] = {.warm_start = true, .biased = true},
    [TR_PASS_SOLVE] = {.biased = true},
    [TR_PASS_RELAX] = {.refresh = true},
    [TR_PASS_STEP] = {.refresh = true, .biased = true},
    [TR_PASS_PROJECT] = {.refresh = true, .biased = true, .project = true},
    [TR_PASS_BOUNCE] = {.bounce = true},
    [TR_PASS_WARM_ANEW] = {.warm_start = true, .refresh = true, .biased = true},
    [TR_PASS_WARM_FIRST] = {.warm_start = true, .refresh = true, .biased = true, .still = true},
    [TR_PASS_STEP_AFRESH] = {.refresh = true, .biased = true, .afresh = true},
    [TR_PASS_REBOUND] = {.bounce = true, .rebound = true},
};

/* What follows are macros, so that the compiler folds them before it inlines: with functions it would first inline what is not
   chosen. */

/* Whether a pass of a type has code of its own for blocks between tiles, for runs, and for bodies anywhere. The others,
   and all of W = 1, ask for each vector how its bodies are reached: with code of their own, compiling would take half
   as long again. */
#define IS_PASS(which, pass) ((uint32_t)(which) == (uint32_t)(pass))
#define HAS_OWN_CODE(is_common, featured, which)                                                                       \
    (TR_WIDTH > 1 && (is_common) && !((featured) && TRN_FEATURED_ARE_RARE) && !IS_PASS(which, TR_PASS_PROJECT) &&      \
     !TR_COMPACT_KERNELS)

/* Likewise for blocks between tiles only: those of robots side by side, whose joints have features. */
#define HAS_TILE_CODE(type, is_common, featured, which)                                                                \
    (HAS_OWN_CODE(is_common, featured, which) ||                                                                       \
     (TR_WIDTH > 1 && TRN_HAS_TILE_CODE(type) && !IS_PASS(which, TR_PASS_PROJECT) && !TR_COMPACT_KERNELS))

/* the columns of a block, but for those at the end of one with features that few joints need */
#define PREFETCHED(name, variant, featured) (name##_##variant##_columns - ((featured) ? name##_few_need : 0))

/* whether all passes of a type share one function */
#define IS_SHARED(type)                                                                                                \
    (TRN_IS_RARE(type) || (TR_COMPACT_KERNELS && (uint32_t)(type) != TR_CONTACT && !TRN_KEEPS_PLACES(type)))

/* whether a pass has code of its own for places that no later pass reads (trn_placed) */
#define HAS_BARE_CODE(type, featured, which)                                                                           \
    (TRN_HAS_BARE_CODE(type, featured) && !TR_COMPACT_KERNELS &&                                                       \
     (IS_PASS(which, TR_PASS_RELAX) || IS_PASS(which, TR_PASS_STEP) || IS_PASS(which, TR_PASS_STEP_AFRESH)))

/* how a block's bodies are reached; `tiles`: of a unit of tiles */
TR_INLINE reach reach_of(bool tiles, bool project, trn_block_flags flags, bool even, bool axial)
{
    return (reach){.run = !project && !tiles && (flags & TR_BLOCK_RUN) != 0,
                   .fixed = tiles || (flags & TR_BLOCK_FIXED) != 0,
                   .tile_a = tiles && (flags & TR_BLOCK_TILE_A) != 0,
                   .tile_b = tiles && (flags & TR_BLOCK_TILE_B) != 0,
                   .even = even,
                   .axial = axial};
}

/* one visit of TR_WIDTH lanes */
#define DEFINE_VECTOR(name, variant, featured)                                                                         \
    TR_INLINE void name##_##variant##_vector(const trn_kernel_context *k, trn_block_bodies *bodies, float *place,      \
                                             int lane, reach how, trn_pass pass)                                       \
    {                                                                                                                  \
        const visited here = {k, bodies, lane, how};                                                                   \
        const bool late = is_late(name##_type, pass);                                                                  \
        const bool poses = VISITS_READ_POSES || (pass.refresh && !pass.still);                                         \
        const pose_pair at = poses ? poses_load(&here) : poses_still();                                                \
        motion a = motion_still(), b = a;                                                                              \
        if (!late)                                                                                                     \
            motions_load(&here, &a, &b);                                                                               \
        motion a0 = a, b0 = b;                                                                                         \
        pass.even = how.even;                                                                                          \
        pass.axial = how.axial;                                                                                        \
        pass.unread = late ? &here : NULL;                                                                             \
        pass.place = place != NULL ? place + lane : NULL;                                                              \
        name##_visit(k, pass, featured, trn_columns_behind(bodies) + lane, &a, &b, &at);                               \
        if (pass.project) {                                                                                            \
            pose_move(&here, bodies->a, at.a, &a, &a0, how.tile_a);                                                    \
            pose_move(&here, bodies->b, at.b, &b, &b0, how.tile_b);                                                    \
        }                                                                                                              \
        motions_store(&here, bodies->a, a, how.tile_a, pass.project);                                                  \
        motions_store(&here, bodies->b, b, how.tile_b, pass.project);                                                  \
    }

/* All passes of a type that is rarely used, in one function, which asks what the pass does: with a function for each pass,
   compiling would take twice as long. */
#define DEFINE_ANY(name, variant, featured)                                                                            \
    static __attribute__((noinline)) void name##_##variant##_any(                                                      \
        const trn_kernel_context *k, const trn_blocks *blocks, uint32_t first, uint32_t count, float *places,          \
        uint32_t stride, int which)                                                                                    \
    {                                                                                                                  \
        const bool tiles = k->tiled;                                                                                   \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            trn_block_bodies *bodies = trn_block_ends(blocks, i);                                                      \
            const trn_block_flags flags = blocks->flags[i];                                                            \
            const reach how = reach_of(tiles, passes[which].project, flags, false, false);                             \
            float *place = places != NULL ? places + (size_t)(i - first) * stride * TR_LANES : NULL;                   \
            prefetch_ahead(k, blocks, PREFETCHED(name, variant, featured), first, i);                                  \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH)                                                      \
                name##_##variant##_vector(k, bodies, place, lane, how, passes[which]);                                 \
        }                                                                                                              \
    }

#define OF_SHAPE(any) .even = (any).even, .axial = (any).axial

/* visits a block by the code of its own for how its bodies are reached */
#define VISIT_REACHED(name, variant, featured, which, place, any)                                                      \
    if (HAS_TILE_CODE(name##_type, name##_is_common, featured, which) && (any).tile_a && (any).tile_b)                 \
        name##_##variant##_##which##_block(k, bodies, place, (reach){.tile_a = true, .tile_b = true, OF_SHAPE(any)});  \
    else if (HAS_OWN_CODE(name##_is_common, featured, which) && (any).run)                                             \
        name##_##variant##_##which##_block(k, bodies, place, (reach){.run = true, OF_SHAPE(any)});                     \
    else if (HAS_OWN_CODE(name##_is_common, featured, which) && !tiles)                                                \
        name##_##variant##_##which##_block(k, bodies, place, (reach){.fixed = (any).fixed, OF_SHAPE(any)});            \
    else                                                                                                               \
        name##_##variant##_##which##_block(k, bodies, place, any);

#define VISIT_BLOCK(name, variant, featured, which, place)                                                             \
    const bool project = IS_PASS(which, TR_PASS_PROJECT);                                                              \
    if (TRN_MARKS_MOMENTS(name##_type, featured) && (flags & TR_BLOCK_EVEN) != 0) {                                    \
        const reach any = reach_of(tiles, project, flags, true, false);                                                \
        VISIT_REACHED(name, variant, featured, which, place, any)                                                      \
    } else if (TRN_MARKS_AXIAL(name##_type, featured) && (flags & TR_BLOCK_AXIAL) != 0) {                              \
        const reach any = reach_of(tiles, project, flags, false, true);                                                \
        VISIT_REACHED(name, variant, featured, which, place, any)                                                      \
    } else {                                                                                                           \
        const reach any = reach_of(tiles, project, flags, false, false);                                               \
        VISIT_REACHED(name, variant, featured, which, place, any)                                                      \
    }

#define DEFINE_PASS(name, variant, featured, which)                                                                    \
    TR_INLINE void name##_##variant##_##which##_block(const trn_kernel_context *k, trn_block_bodies *bodies,           \
                                                      float *place, reach how)                                         \
    {                                                                                                                  \
        for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH)                                                          \
            name##_##variant##_vector(k, bodies, place, lane, how, passes[which]);                                     \
    }                                                                                                                  \
    static void name##_##variant##_##which(const trn_kernel_context *context, const trn_blocks *all, uint32_t first,   \
                                           uint32_t count, float *places, uint32_t stride)                             \
    {                                                                                                                  \
        if (IS_SHARED(name##_type)) {                                                                                  \
            name##_##variant##_any(context, all, first, count, places, stride, which);                                 \
            return;                                                                                                    \
        }                                                                                                              \
        /* copies, which need not be read again after each store of a vector */                                        \
        const trn_kernel_context near = *context, *k = &near;                                                          \
        const trn_blocks here = *all, *blocks = &here;                                                                 \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            float *place = places != NULL ? places + (size_t)(i - first) * stride * TR_LANES : NULL;                   \
            prefetch_ahead(context, blocks, PREFETCHED(name, variant, featured), first, i);                            \
            if (passes[which].bounce && !contact_bounces(featured, trn_block_columns(blocks, i)))                      \
                continue;                                                                                              \
            trn_block_bodies *bodies = trn_block_ends(blocks, i);                                                      \
            const trn_block_flags flags = blocks->flags[i];                                                            \
            const bool tiles = (uint32_t)name##_type != TR_CONTACT && k->tiled;                                        \
            if (HAS_BARE_CODE(name##_type, featured, which) && place == NULL) {                                        \
                VISIT_BLOCK(name, variant, featured, which, NULL)                                                      \
            } else {                                                                                                   \
                VISIT_BLOCK(name, variant, featured, which, place)                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }

#define DEFINE_VARIANT(name, variant, featured)                                                                        \
    DEFINE_PREPARE(name, variant, featured, name##_##variant##_impulses)                                               \
    DEFINE_VECTOR(name, variant, featured)                                                                             \
    DEFINE_ANY(name, variant, featured)                                                                                \
    DEFINE_PASS(name, variant, featured, TR_PASS_WARM_START)                                                           \
    DEFINE_PASS(name, variant, featured, TR_PASS_SOLVE)                                                                \
    DEFINE_PASS(name, variant, featured, TR_PASS_RELAX)                                                                \
    DEFINE_PASS(name, variant, featured, TR_PASS_STEP)                                                                 \
    DEFINE_PASS(name, variant, featured, TR_PASS_PROJECT)

#define DEFINE_KERNELS(enumerator, name)                                                                               \
    enum { name##_type = enumerator };                                                                                 \
    DEFINE_VARIANT(name, plain, false)                                                                                 \
    DEFINE_VARIANT(name, featured, true)

TRN_TABLES(DEFINE_KERNELS)

/* only contacts bounce */
DEFINE_PASS(contact, plain, false, TR_PASS_BOUNCE)
DEFINE_PASS(contact, featured, true, TR_PASS_BOUNCE)
DEFINE_PASS(contact, plain, false, TR_PASS_REBOUND)
DEFINE_PASS(contact, featured, true, TR_PASS_REBOUND)

/* passes that few types have, and their entries in the table */
#include TRN_EXTRAS_FILE

#define PASS(name, variant, which) [which] = name##_##variant##_##which
#define VARIANT(enumerator, name, variant, index, bounce, rebound)                                                     \
    [2 * (enumerator) + (index)] = {                                                                                   \
        name##_##variant##_columns,                                                                                    \
        name##_##variant##_impulses,                                                                                   \
        name##_##variant##_prepare,                                                                                    \
        {PASS(name, variant, TR_PASS_WARM_START), PASS(name, variant, TR_PASS_SOLVE),                                  \
         PASS(name, variant, TR_PASS_RELAX), PASS(name, variant, TR_PASS_STEP),                                        \
         PASS(name, variant, TR_PASS_PROJECT), [TR_PASS_BOUNCE] = (bounce), [TR_PASS_REBOUND] = (rebound)},            \
    },
#define ENTRY(enumerator, name)                                                                                        \
    VARIANT(enumerator, name, plain, 0, NULL, NULL) VARIANT(enumerator, name, featured, 1, NULL, NULL)

const trn_kernels TR_KERNELS = {
    .prepare_bodies = prepare_bodies,
    .finish_bodies = finish_bodies,
    .give_contact = contact_give,
    .read_contact = contact_read,
    .begin_rows = begin_rows,
    .turn_tiles = turn_tiles,
    .integrate_velocities = integrate_velocities,
    .integrate_positions = integrate_positions,
    .integrate_both = integrate_both,
    EXTRA_FUNCTIONS.joints = {TRN_JOINT_TYPES(ENTRY) VARIANT(
        TR_CONTACT, contact, plain, 0, contact_plain_TR_PASS_BOUNCE, contact_plain_TR_PASS_REBOUND)
                                  VARIANT(TR_CONTACT, contact, featured, 1, contact_featured_TR_PASS_BOUNCE,
                                          contact_featured_TR_PASS_REBOUND)},
    .placed = {EXTRA_PLACED},
};
