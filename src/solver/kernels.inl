/*
 * All kernels of one instruction set. The includer defines TR_WIDTH, and TR2_KERNELS as the name of the table.
 */
#include <string.h>

#include "solver/bodies.inl"
#include "solver/prepare.inl"

#define TR2_JOINT_KERNEL
#include "solver/joints2/table.h"

/*
 * Passes
 */

TR_INLINE void motion_store(const tr2_kernel_context *k, const int32_t *index, motion m, bool fixed)
{
    w4 r = {m.vx, m.vy, m.w, m.angle};
    if (fixed)
        w4_store_rows_below((float *)k->velocities, index, 4, r, k->moving_end);
    else
        w4_store_rows((float *)k->velocities, index, 4, r);
}

TR_INLINE pose pose_load(const tr2_kernel_context *k, const int32_t *index)
{
    w4 r = w4_load_rows((const float *)k->poses, index, 4);
    pose p = {r.x, r.y, r.z, r.w};
    return p;
}

/*
 * Asks for a block ahead of time. Worth a third of the time where blocks come from beyond the level 2 cache, and costs
 * a twentieth where they are in it. The bodies' records are too many and too scattered to gain by it.
 */
#define BLOCKS_AHEAD 4u

TR_INLINE void prefetch_block(const tr2_kernel_context *k, const tr2_blocks *blocks, uint32_t index)
{
    if (!k->prefetch || index >= blocks->count)
        return;
    const unsigned char *block = block_at(blocks, index);
    for (size_t line = 0; line < blocks->stride; line += TR_ALIGNMENT)
        __builtin_prefetch(block + line);
}

/* bodies move on by what their velocities have changed by */
TR_INLINE void move_on(const tr2_kernel_context *k, const int32_t *index, pose *p, motion *now, motion before,
                       bool fixed)
{
    const wf h = wf_set(k->h);
    w4 r;
    r.x = p->x + h * (now->vx - before.vx);
    r.y = p->y + h * (now->vy - before.vy);
    now->angle = now->angle + h * (now->w - before.w);
    wf_sincos(now->angle, &r.w, &r.z);
    if (fixed)
        w4_store_rows_below((float *)k->poses, index, 4, r, k->moving_end);
    else
        w4_store_rows((float *)k->poses, index, 4, r);
}

static const tr2_pass passes[TR2_PASS_COUNT] = {
    [TR2_PASS_WARM_START] = {.warm_start = true, .biased = true},
    [TR2_PASS_SOLVE] = {.biased = true},
    [TR2_PASS_RELAX] = {.refresh = true},
    [TR2_PASS_STEP] = {.refresh = true, .biased = true},
    [TR2_PASS_PROJECT] = {.refresh = true, .biased = true, .project = true},
    [TR2_PASS_BOUNCE] = {.bounce = true},
};

#define DEFINE_PASS(name, variant, featured, which)                                                                    \
    static void name##_##variant##_##which(const tr2_kernel_context *k, const tr2_blocks *blocks, uint32_t first,      \
                                           uint32_t count)                                                             \
    {                                                                                                                  \
        const tr2_pass pass = passes[which];                                                                           \
        const pose still = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()};                                            \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            prefetch_block(k, blocks, i + BLOCKS_AHEAD);                                                               \
            const tr2_block_bodies *bodies = (const tr2_block_bodies *)(void *)block_at(blocks, i);                    \
            float *columns = (float *)(void *)(block_at(blocks, i) + sizeof *bodies);                                  \
            bool fixed = (blocks->flags[i] & TR2_BLOCK_FIXED) != 0;                                                    \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                    \
                const int32_t *ia = bodies->a + lane, *ib = bodies->b + lane;                                          \
                motion a = motion_load(k, ia), b = motion_load(k, ib);                                                 \
                pose pa = pass.refresh ? pose_load(k, ia) : still, pb = pass.refresh ? pose_load(k, ib) : still;       \
                motion a0 = a, b0 = b;                                                                                 \
                name##_visit(k, pass, featured, columns + lane, &a, &b, &pa, &pb);                                     \
                if (pass.project) {                                                                                    \
                    move_on(k, ia, &pa, &a, a0, fixed);                                                                \
                    move_on(k, ib, &pb, &b, b0, fixed);                                                                \
                }                                                                                                      \
                motion_store(k, ia, a, fixed);                                                                         \
                motion_store(k, ib, b, fixed);                                                                         \
            }                                                                                                          \
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
DEFINE_PASS(contact, plain, false, TR2_PASS_BOUNCE)
DEFINE_PASS(contact, featured, true, TR2_PASS_BOUNCE)

#define PASS(name, variant, which) [which] = name##_##variant##_##which
#define VARIANT(enumerator, name, variant, index, bounce)                                                              \
    [2 * (enumerator) + (index)] = {                                                                                   \
        name##_##variant##_columns,                                                                                    \
        name##_##variant##_impulses,                                                                                   \
        name##_##variant##_prepare,                                                                                    \
        {PASS(name, variant, TR2_PASS_WARM_START), PASS(name, variant, TR2_PASS_SOLVE),                                \
         PASS(name, variant, TR2_PASS_RELAX), PASS(name, variant, TR2_PASS_STEP),                                      \
         PASS(name, variant, TR2_PASS_PROJECT), [TR2_PASS_BOUNCE] = (bounce)},                                         \
    },
#define ENTRY(enumerator, name) VARIANT(enumerator, name, plain, 0, NULL) VARIANT(enumerator, name, featured, 1, NULL)

const tr2_kernels TR2_KERNELS = {
    .prepare_bodies = prepare_bodies,
    .finish_bodies = finish_bodies,
    .integrate_velocities = integrate_velocities,
    .integrate_positions = integrate_positions,
    .joints = {TR2_JOINT_TYPES(ENTRY) VARIANT(TR2_CONTACT, contact, plain, 0, contact_plain_TR2_PASS_BOUNCE)
                   VARIANT(TR2_CONTACT, contact, featured, 1, contact_featured_TR2_PASS_BOUNCE)},
};
