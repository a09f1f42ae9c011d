/* Many pairs of polygons of four corners: the kernel of the instruction set in use, and what it leaves over. */
#include "collide/kernels.h"

static tr2_quads_fn *kernel_of(tr_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case TR_ISA_SSE2:
        return tr2_quads_sse2;
#if defined(TR_HAVE_AVX2)
    case TR_ISA_AVX2:
        return tr2_quads_avx2;
#endif
#if defined(TR_HAVE_AVX512)
    case TR_ISA_AVX512:
        return tr2_quads_avx512;
#endif
#elif defined(__aarch64__)
    case TR_ISA_NEON:
        return tr2_quads_neon;
#endif
    default:
        return tr2_quads_scalar;
    }
}

void tr2_collide_quads(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out)
{
    tr2_quads_fn *kernel = kernel_of(tr_get_isa());
    for (uint32_t first = 0; first < count; first += TR2_QUAD_LANES) {
        uint32_t some = count - first < TR2_QUAD_LANES ? count - first : TR2_QUAD_LANES;
        uint32_t left = kernel(pairs + first, some, out + first);
        for (; left != 0; left &= left - 1) {
            uint32_t i = first + (uint32_t)__builtin_ctz(left);
            out[i] = tr2_collide(pairs[i].a, pairs[i].b_in_a, pairs[i].b, pairs[i].margin);
        }
    }
}
