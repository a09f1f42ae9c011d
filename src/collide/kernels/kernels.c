/* Selects the kernels of the current instruction set, and implements the public functions with them. */
#include "collide/kernels/kernels.h"
#include "simd/sets.h"

#define ENTRY(NAME, suffix) [TR_ISA_##NAME] = &tr2_collide_kernels_##suffix,
static const tr2_collide_kernels *const sets[TR_ISA_COUNT] = {TR_ISA_SETS(ENTRY)};
#undef ENTRY

static const tr2_collide_kernels *kernels_in_use(void)
{
    return sets[tr_get_isa()];
}

void tr2_collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    const tr2_collide_kernels *kernels = kernels_in_use();
    for (uint32_t first = 0; first < count; first += TR2_COLLIDE_LANES) {
        uint32_t some = count - first < TR2_COLLIDE_LANES ? count - first : TR2_COLLIDE_LANES;
        uint32_t left = kernels->quads(pairs + first, some, out + first);
        for (; left != 0; left &= left - 1) {
            uint32_t i = first + (uint32_t)__builtin_ctz(left);
            out[i] = tr2_collide(pairs[i].a, pairs[i].b_in_a, pairs[i].b, pairs[i].margin);
        }
    }
}

void tr2_collide_polygon_circles(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    kernels_in_use()->polygon_circles(pairs, count, out);
}

/* at most 16 of the pairs, from `first` on */
static tr2_mover_pairs some_of(const tr2_mover_pairs *pairs, uint32_t first)
{
    tr2_mover_pairs some = *pairs;
    some.a += first;
    some.b += first;
    some.count = pairs->count - first < TR2_CIRCLES_AT_ONCE ? pairs->count - first : TR2_CIRCLES_AT_ONCE;
    return some;
}

void tr2_collide_circles(const tr2_mover_pairs *pairs, const uint32_t *place, tr2_manifold *out, tr2_circle_bits *bits)
{
    const tr2_collide_kernels *kernels = kernels_in_use();
    for (uint32_t first = 0; first < pairs->count; first += TR2_CIRCLES_AT_ONCE) {
        tr2_mover_pairs some = some_of(pairs, first);
        *bits++ = kernels->circles(&some, place + first, out);
    }
}

void tr2_near_pairs(const tr2_mover_pairs *pairs, float turn_least, float *margins, tr2_near_bits *bits)
{
    const tr2_collide_kernels *kernels = kernels_in_use();
    for (uint32_t first = 0; first < pairs->count; first += TR2_CIRCLES_AT_ONCE) {
        tr2_mover_pairs some = some_of(pairs, first);
        *bits++ = kernels->near(&some, turn_least, margins + first);
    }
}

uint32_t tr2_apart_pairs(const tr2_shape_place *const *a, const tr2_shape_place *const *b, const float *margins,
                         uint32_t count)
{
    return kernels_in_use()->apart(a, b, margins, count);
}

uint32_t tr2_quad_bounds(const tr2_quad_batch *quads)
{
    return kernels_in_use()->quad_bounds(quads);
}

void tr2_tree_query(const tr2_tree *tree, const tr2_box *box, tr2_tree_found_fn *found, void *context)
{
    tr2_tree_key key;
    if (tree->level_count > 0) {
        tr2_tree_key_make(tree, box, &key);
        kernels_in_use()->query(tree, &key, found, context);
    }
}

void tr2_tree_query_shared(const tr2_tree *tree, const tr2_box *const *boxes, uint32_t count, tr2_tree_shared_fn *found,
                           void *context)
{
    tr2_tree_key keys[TR2_TREE_WIDTH];
    if (tree->level_count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        tr2_tree_key_make(tree, boxes[i], &keys[i]);
    kernels_in_use()->query_shared(tree, keys, count, found, context);
}
