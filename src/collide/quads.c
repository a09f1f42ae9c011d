/* Many pairs of polygons of four corners: the kernel of the instruction set in use, and what it leaves over. */
#include "collide/kernels.h"
#include "simd/sets.h"

#define ENTRY(NAME, suffix) [TR_ISA_##NAME] = tr2_quads_##suffix,
static tr2_quads_fn *const kernels[TR_ISA_COUNT] = {TR_ISA_SETS(ENTRY)};
#undef ENTRY

void tr2_collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    tr2_quads_fn *kernel = kernels[tr_get_isa()];
    for (uint32_t first = 0; first < count; first += TR2_QUAD_LANES) {
        uint32_t some = count - first < TR2_QUAD_LANES ? count - first : TR2_QUAD_LANES;
        uint32_t left = kernel(pairs + first, some, out + first);
        for (; left != 0; left &= left - 1) {
            uint32_t i = first + (uint32_t)__builtin_ctz(left);
            out[i] = tr2_collide(pairs[i].a, pairs[i].b_in_a, pairs[i].b, pairs[i].margin);
        }
    }
}
